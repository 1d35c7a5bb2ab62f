//! Calls of methods: ops of the table, and those that take more than tensors.

use edb_ir::{Arity, Domain, Op, Surface};
use syn::{Expr, ExprMethodCall, GenericArgument, RangeLimits};

use super::pattern::{Hint, array_length};
use super::{Lowering, What};
use crate::suggest::closest;
use crate::text;
use crate::value::Value;

/// The methods that take more than tensors.
const SPECIAL: [&str; 4] = ["row", "split", "slice", "dropout"];

/// Every method of tensors.
pub(crate) fn methods() -> Vec<&'static str> {
    let ops = Op::PLAIN.iter().filter_map(|op| match op.row().surface {
        Surface::Method(name) => Some(name),
        _ => None,
    });
    ops.chain(SPECIAL).collect()
}

impl Lowering<'_> {
    pub(super) fn method(&mut self, call: &ExprMethodCall, whole: &Expr, hint: &Hint) -> Value {
        let receiver = self.expression(&call.receiver, &Hint::Any);
        let name = call.method.to_string();
        if call.turbofish.is_some() && name != "split" {
            return self.rejected();
        }
        if let Value::Number(_) | Value::Real(_) = receiver {
            return self.number_method(receiver, &name, call, whole);
        }
        match name.as_str() {
            "row" => self.row(receiver, call, whole),
            "split" => self.split(receiver, call, whole, hint),
            "slice" => self.slice(receiver, call, whole),
            "dropout" => self.dropout(receiver, call, whole),
            _ => match Op::from_method(&name) {
                Some(op) => self.plain_method(op, receiver, call, whole),
                None => self.no_method(receiver, &name, call),
            },
        }
    }

    /// The values of the arguments, if there are as many as the method takes.
    fn method_arguments(&mut self, call: &ExprMethodCall, count: usize) -> Option<Vec<Value>> {
        let values: Vec<Value> =
            call.args.iter().map(|argument| self.expression(argument, &Hint::Any)).collect();
        if values.len() != count {
            self.cx.leave_to_rustc();
            return None;
        }
        Some(values)
    }

    fn plain_method(
        &mut self,
        op: &Op,
        receiver: Value,
        call: &ExprMethodCall,
        whole: &Expr,
    ) -> Value {
        let Arity::Exact(arity) = op.row().arity else { return Value::Poison };
        let Some(mut values) = self.method_arguments(call, arity - 1) else {
            return Value::Poison;
        };
        values.insert(0, receiver);
        let exprs = std::iter::once(&*call.receiver).chain(&call.args);
        match self.operands(&values, exprs) {
            Some(operands) => self.apply(op.clone(), operands, whole),
            None => self.unknown(),
        }
    }

    /// A method of `f64`, on a constant or on a number that is known when the vertex runs.
    fn number_method(
        &mut self,
        receiver: Value,
        name: &str,
        call: &ExprMethodCall,
        whole: &Expr,
    ) -> Value {
        let function: fn(f64) -> f64 = match name {
            "sqrt" => f64::sqrt,
            "exp" => f64::exp,
            "ln" => f64::ln,
            "tanh" => f64::tanh,
            _ => {
                let message = format!(
                    "`{}` is a number: its methods here are sqrt, exp, ln and tanh",
                    text::operand(&call.receiver)
                );
                return self.poison(&call.method, message);
            }
        };
        if self.method_arguments(call, 0).is_none() {
            return Value::Poison;
        }
        if let Value::Number(number) = receiver {
            return Value::Number(function(number));
        }
        let Some(operand) = self.operand(&receiver, &call.receiver) else { return Value::Poison };
        let mut number = operand.clone();
        // The square root is no op of its own: e^(ln x / 2).
        let ops: &[Op] = match name {
            "sqrt" => &[Op::Ln, Op::Mul, Op::Exp],
            "exp" => &[Op::Exp],
            "ln" => &[Op::Ln],
            _ => &[Op::Tanh],
        };
        for op in ops {
            let mut operands = vec![number.clone()];
            if *op == Op::Mul {
                operands.push(super::Operand { id: self.builder.constant(0.5), ..operand.clone() });
            }
            match self.apply(op.clone(), operands, whole) {
                Value::Tensor(id) => number.id = id,
                value => return value,
            }
        }
        Value::Real(number.id)
    }

    fn row(&mut self, receiver: Value, call: &ExprMethodCall, whole: &Expr) -> Value {
        let Some(values) = self.method_arguments(call, 1) else { return Value::Poison };
        let table = self.operand(&receiver, &call.receiver);
        let index = self.index_field(&values[0]);
        match (table, index) {
            (Some(table), Some(index)) => self.apply(Op::Row(index), vec![table], whole),
            _ => self.unknown(),
        }
    }

    fn split(
        &mut self,
        receiver: Value,
        call: &ExprMethodCall,
        whole: &Expr,
        hint: &Hint,
    ) -> Value {
        if self.method_arguments(call, 0).is_none() {
            return Value::Poison;
        }
        let written = call.turbofish.as_ref().and_then(|turbofish| match turbofish.args.first() {
            Some(GenericArgument::Const(length)) => array_length(length),
            _ => None,
        });
        let parts = match hint {
            _ if call.turbofish.is_some() => written,
            Hint::Array(items) => Some(items.len()),
            _ => None,
        };
        let operand = self.operand(&receiver, &call.receiver);
        let Some(parts) = parts else {
            let text = text::operand(&call.receiver);
            let message = format!(
                "into how many parts? Say so in the pattern, `let [a, b] = {text}.split();`, or \
                 with the call, `{text}.split::<2>()`"
            );
            return self.poison(&call.method, message);
        };
        let Some(operand) = operand else { return Value::Array(vec![self.unknown(); parts]) };
        match self.builder.split(operand.id, parts) {
            Ok(ids) => Value::Array(ids.into_iter().map(Value::Tensor).collect()),
            Err(error) => {
                let operands = vec![operand];
                self.result(Err(error), operands, text::whole(whole), whole);
                Value::Array(vec![Value::Poison; parts])
            }
        }
    }

    fn slice(&mut self, receiver: Value, call: &ExprMethodCall, whole: &Expr) -> Value {
        let range = match call.args.first().map(text::peel) {
            Some(Expr::Range(range)) if call.args.len() == 1 => range,
            _ => return self.rejected(),
        };
        let (Some(from), Some(to), RangeLimits::HalfOpen(_)) =
            (&range.start, &range.end, range.limits)
        else {
            return self.rejected();
        };
        let ends = [from, to].map(|end| self.expression(end, &Hint::Any));
        let operand = self.operand(&receiver, &call.receiver);
        let mut sizes = Vec::new();
        for value in ends {
            match value {
                Value::Size(size) => sizes.push(size),
                value if value.is_silent() => {}
                _ => self.cx.leave_to_rustc(),
            }
        }
        let (Some(operand), [from, to]) = (operand, sizes.as_slice()) else {
            return self.unknown();
        };
        let Some(length) = to.add_scaled(from, -1) else { return Value::Poison };
        let result = self.builder.slice(operand.id, from.clone(), length);
        // An error is about the range.
        let operand = super::Operand { tokens: quote::ToTokens::to_token_stream(range), ..operand };
        self.result(result, vec![operand], text::whole(whole), range)
    }

    fn dropout(&mut self, receiver: Value, call: &ExprMethodCall, whole: &Expr) -> Value {
        let Some(values) = self.method_arguments(call, 1) else { return Value::Poison };
        let operand = self.operand(&receiver, &call.receiver);
        // Counted even when it is in error or unknown, so that the others keep their numbers.
        let site = self.next_dropout();
        let rate = match &values[0] {
            Value::Number(rate) if (0.0..1.0).contains(rate) => *rate,
            // The argument of a helper that is checked on its own.
            Value::Number(rate) if rate.is_nan() && self.what == What::Helper => 0.0,
            Value::Number(rate) => {
                let message =
                    format!("the rate of a dropout is at least 0 and less than 1; it is {rate}");
                return self.poison(&call.args[0], message);
            }
            value if value.is_silent() => return self.unknown(),
            Value::Tensor(_) | Value::Pulled(_) | Value::Size(_) => return self.rejected(),
            _ => {
                let message = "the rate of a dropout is a constant: `x.dropout(0.5)`";
                return self.poison(&call.args[0], message);
            }
        };
        let Some(mut operand) = operand else { return self.unknown() };
        if self.what == What::VertexFunction && self.builder.domain(operand.id) == Domain::Step {
            let message = format!(
                "`{}` depends on parameters only, and a dropout is drawn for each vertex: apply it \
                 to what comes of the product with a child or an input",
                text::operand(&call.receiver)
            );
            return self.poison(&*call.receiver, message);
        }
        // In a loop over children it is drawn for each of them, whatever it is applied to.
        if self.edge.is_some() && self.builder.domain(operand.id) != Domain::Edge {
            operand.id = self.builder.for_each_edge(operand.id);
        }
        self.apply(Op::Dropout { rate, site }, vec![operand], whole)
    }

    fn no_method(&mut self, receiver: Value, name: &str, call: &ExprMethodCall) -> Value {
        // The arguments of iterator methods are closures, which are errors of their own.
        let iterates = ["iter", "into_iter", "map", "enumerate", "zip", "rev", "fold", "sum"];
        if iterates.contains(&name) && !matches!(receiver, Value::Tensor(_) | Value::Pulled(_)) {
            let message = "there are no iterators in a vertex function: a `for` loop runs over \
                           `0..n`, an array, or `gather_all::<S>()`";
            return self.poison(&call.method, message);
        }
        for argument in &call.args {
            self.expression(argument, &Hint::Any);
        }
        if receiver.is_silent() {
            return self.unknown();
        }
        if ["clone", "copy"].contains(&name) {
            let message = format!("tensors are `Copy`: leave out `.{name}()`");
            return self.poison(&call.method, message);
        }
        let known = methods();
        let message = match closest(name, known.iter().copied()) {
            Some(meant) => format!("there is no op `{name}`: did you mean `{meant}`?"),
            None => format!("there is no op `{name}`; the ops are {}", known.join(", ")),
        };
        self.poison(&call.method, message)
    }
}
