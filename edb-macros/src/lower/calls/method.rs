//! Calls of methods: ops of the table, and methods with arguments other than tensors.

use edb_ir::form::{FORMS, surfaces};
use edb_ir::{
    Arity, Builder, Dim, Domain, Draw, Form, Indexing, Movement, Op, Pointwise, ShapeError,
    Surface, ValueId,
};
use syn::{Expr, ExprMethodCall, GenericArgument, RangeLimits};

use super::elsewhere;
use crate::lower::lowering::{FunctionKind, Hint, Lowering, Operand, array_length};
use crate::suggest::closest;
use crate::text;
use crate::value::Value;

/// The methods with arguments other than tensors.
const SPECIAL: [&str; 12] = [
    "split",
    "slice",
    "slice_rows",
    "repeat_rows",
    "repeat_columns",
    "flatten",
    "detach",
    "dropout",
    "variational_dropout",
    "noise",
    "argmax",
    "sample",
];

/// Methods of an input that a vertex may be without.
pub(crate) const OPTIONAL: [&str; 2] = ["is_some", "is_none"];

/// Methods with which iterators begin and continue in Rust.
pub(crate) const ITERATORS: [&str; 8] =
    ["iter", "into_iter", "map", "enumerate", "zip", "rev", "fold", "sum"];

/// Every method of tensors.
pub(crate) fn methods() -> Vec<&'static str> {
    let others = surfaces().filter_map(|surface| match surface {
        Surface::Method(name) => Some(name),
        _ => None,
    });
    others.chain(SPECIAL).collect()
}

/// Whether a method is of each row of a matrix, and has no arguments.
fn is_of_rows(name: &str) -> bool {
    let is_form = |form: &Form| matches!(form.surface, Surface::Method(of) if of == name);
    let form = FORMS.iter().find(|form| is_form(form)).filter(|form| form.arguments.len() == 1);
    name.starts_with("row_")
        && (form.is_some() || matches!(Op::from_method(name), Some(Op::RowReduction(_))))
}

/// Whether a method reads all elements of a vector, so that other libraries have it with an axis.
pub(super) fn reduces(name: &str) -> bool {
    let others = ["mean", "min", "argmax", "sample"];
    matches!(Op::from_method(name), Some(Op::Reduction(_))) || others.contains(&name)
}

/// Whether a function of tensors has this name.
fn is_function(name: &str) -> bool {
    ["stack", "one_hot"].contains(&name)
        || surfaces()
            .any(|surface| matches!(surface, Surface::Function(function) if function == name))
}

/// The error for a function that is called as a method.
fn as_function(name: &str, call: &ExprMethodCall) -> String {
    let operands = std::iter::once(&*call.receiver).chain(&call.args).map(text::operand);
    let operands = operands.collect::<Vec<String>>().join(", ");
    let operands = match name {
        "concat" | "concat_rows" | "stack" => format!("[{operands}]"),
        _ => operands,
    };
    format!("`{name}` is a function: `{name}({operands})`")
}

/// Whether an argument is an integer, as the number of an axis is.
pub(super) fn is_count(axis: &Expr) -> bool {
    matches!(axis, Expr::Lit(literal) if matches!(literal.lit, syn::Lit::Int(_)))
}

/// The error for `max` or `min` of two tensors, of which the other may be a number.
pub(super) fn of_two(tensor: &str, name: &str, (value, other): (&Value, &Expr)) -> String {
    let other = match (value, text::operand(other)) {
        (Value::Number(_) | Value::Real(_), number) => format!("scalar({number})"),
        (_, tensor) => tensor,
    };
    format!(
        "`x.{name}()` is of the elements of one tensor; of two it is `{tensor}.{name}imum({other})`"
    )
}

impl Lowering<'_> {
    pub(crate) fn method(&mut self, call: &ExprMethodCall, whole: &Expr, hint: &Hint) -> Value {
        let receiver = self.expression(&call.receiver, &Hint::Any);
        let name = call.method.to_string();
        if let Some(types) = call.turbofish.as_ref().filter(|_| name != "split") {
            // Rust accepts an empty `::<>`, and ignores it.
            return match types.args.is_empty() {
                true => self.poison(types, format!("`{name}` has no types: leave out the `::<>`")),
                false => self.rejected(),
            };
        }
        if let Value::Number(_) | Value::Real(_) = receiver {
            return self.number_method(receiver, &name, call, whole);
        }
        if let Value::Optional(input) = &receiver {
            return self.optional_method(input, call);
        }
        if let Some(axis) = call.args.first().filter(|_| is_of_rows(&name)) {
            let tensor = text::receiver(&call.receiver);
            let message = format!(
                "`{name}` has no axis: it is of each row, `{tensor}.{name}()`; of each column it is \
                 `{tensor}.transpose().{name}()`"
            );
            return self.poison(axis, message);
        }
        if let Some(axis) = call.args.first().filter(|_| reduces(&name) && !receiver.is_silent()) {
            let tensor = text::receiver(&call.receiver);
            let message = match name.as_str() {
                "max" | "min" if !is_count(axis) => {
                    let other = self.expression(axis, &Hint::Any);
                    of_two(&tensor, &name, (&other, axis))
                }
                _ if self.is_vector(&receiver) => {
                    format!("`{name}` has no axis: it is of all elements, `{tensor}.{name}()`")
                }
                _ if methods().contains(&format!("row_{name}").as_str()) => format!(
                    "`{name}` has no axis: of each row of a matrix it is `{tensor}.row_{name}()`, of each column \
                     `{tensor}.transpose().row_{name}()`"
                ),
                _ => format!(
                    "`{name}` has no axis: it is of all elements; of a row of a parameter it is \
                     `{tensor}.row(Index(k)).{name}()`, and a loop `for k in 0..n` goes through the rows"
                ),
            };
            return self.poison(axis, message);
        }
        match name.as_str() {
            "split" => self.split(receiver, call, whole, hint),
            "slice" => self.slice(receiver, call, whole, Builder::slice),
            "slice_rows" => self.slice(receiver, call, whole, Builder::slice_rows),
            "rows" | "repeat_rows" => {
                self.repeat_vector(receiver, call, whole, Builder::repeat_rows)
            }
            "repeat_columns" => self.repeat_vector(receiver, call, whole, Builder::repeat_columns),
            "flatten" => self.flatten(receiver, call, whole),
            "detach" => self.plain_method(&Op::Movement(Movement::Detach), receiver, call, whole),
            "dropout" | "variational_dropout" | "noise" => self.draw(receiver, &name, call, whole),
            "argmax" | "sample" => self.decision(receiver, &name, call, whole),
            _ => {
                if let Some(op) = Op::from_method(&name) {
                    return self.plain_method(&op, receiver, call, whole);
                }
                let is = |form: &&Form| matches!(form.surface, Surface::Method(n) if n == name);
                match FORMS.iter().find(is) {
                    Some(form) => {
                        let values =
                            call.args.iter().map(|argument| self.expression(argument, &Hint::Any));
                        let values = std::iter::once(receiver).chain(values).collect();
                        let exprs = std::iter::once(&*call.receiver).chain(&call.args).collect();
                        self.form(form, values, exprs, whole)
                    }
                    None => self.no_method(receiver, &name, call),
                }
            }
        }
    }

    /// Whether a value is a vector, as far as is known yet.
    fn is_vector(&self, value: &Value) -> bool {
        let Value::Tensor(id) = value else { return false };
        self.builder.shape(*id).dims().is_some_and(|dims| dims.len() == 1)
    }

    /// The values of the arguments, if their number is right.
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

    /// A method of `f64`, on a constant or on a number that is known only at run time.
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
        let op = match name {
            "sqrt" => Pointwise::Sqrt,
            "exp" => Pointwise::Exp,
            "ln" => Pointwise::Ln,
            _ => Pointwise::Tanh,
        };
        match self.apply(op, vec![operand], whole) {
            Value::Tensor(id) => Value::Real(id),
            value => value,
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
            let text = text::receiver(&call.receiver);
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

    /// Elements of a vector, or rows of a matrix: `x.slice(from..to)`.
    fn slice(
        &mut self,
        receiver: Value,
        call: &ExprMethodCall,
        whole: &Expr,
        slice: impl Fn(&mut Builder, ValueId, Dim, Dim) -> Result<ValueId, ShapeError>,
    ) -> Value {
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
        let Some(length) = to.add_scaled(from, -1) else {
            let message = "the length of this slice cannot be computed at build time";
            return self.poison(range, message);
        };
        let result = slice(&mut self.builder, operand.id, from.clone(), length);
        // An error is reported at the range.
        let operand = Operand { tokens: quote::ToTokens::to_token_stream(range), ..operand };
        self.result(result, vec![operand], text::whole(whole), range)
    }

    /// A matrix whose rows, or columns, are all this vector: `x.repeat_rows(m)`.
    fn repeat_vector(
        &mut self,
        receiver: Value,
        call: &ExprMethodCall,
        whole: &Expr,
        repeat: impl Fn(&mut Builder, ValueId, Dim) -> Result<ValueId, ShapeError>,
    ) -> Value {
        let Some(values) = self.method_arguments(call, 1) else { return Value::Poison };
        let operand = self.operand(&receiver, &call.receiver);
        match (operand, &values[0]) {
            (Some(operand), Value::Size(count)) if !count.is_below(1) => {
                let result = repeat(&mut self.builder, operand.id, count.clone());
                self.result(result, vec![operand], text::whole(whole), whole)
            }
            (_, Value::Size(count)) if count.is_below(1) => {
                self.poison(&call.args[0], "a matrix has at least one row and one column")
            }
            (None, _) => self.unknown(),
            (_, value) if value.is_silent() => self.unknown(),
            _ => self.rejected(),
        }
    }

    /// The elements of a tensor as one vector.
    fn flatten(&mut self, receiver: Value, call: &ExprMethodCall, whole: &Expr) -> Value {
        if self.method_arguments(call, 0).is_none() {
            return Value::Poison;
        }
        let Some(operand) = self.operand(&receiver, &call.receiver) else { return self.unknown() };
        let result = self.builder.flatten(operand.id);
        self.result(result, vec![operand], text::whole(whole), whole)
    }

    /// The random ops: `x.dropout(rate)`, `x.variational_dropout(rate)`, `x.noise(deviation)`.
    fn draw(&mut self, receiver: Value, name: &str, call: &ExprMethodCall, whole: &Expr) -> Value {
        let Some(values) = self.method_arguments(call, 1) else { return Value::Poison };
        let operand = self.operand(&receiver, &call.receiver);
        // Counted even if in error or unknown, so that the numbers of the others do not change.
        let site = self.next_draw();
        let is_noise = name == "noise";
        let amount = match &values[0] {
            Value::Number(rate) if !is_noise && (0.0..1.0).contains(rate) => *rate,
            Value::Number(deviation) if is_noise && (0.0..f64::INFINITY).contains(deviation) => {
                *deviation
            }
            // An argument of a helper that is checked on its own.
            Value::Number(amount) if amount.is_nan() && self.kind == FunctionKind::Helper => 0.0,
            Value::Number(amount) => {
                let message = match is_noise {
                    true => "the standard deviation of a noise is finite and at least 0",
                    false => "the rate of a dropout is at least 0 and less than 1",
                };
                return self.poison(&call.args[0], format!("{message}; it is {amount}"));
            }
            value if value.is_silent() => return self.unknown(),
            Value::Tensor(_) | Value::Pulled(_) | Value::Size(_) => return self.rejected(),
            _ => {
                let message = match is_noise {
                    true => "the standard deviation of a noise is a constant: `x.noise(0.1)`",
                    false => "the rate of a dropout is a constant: `x.dropout(0.5)`",
                };
                return self.poison(&call.args[0], message);
            }
        };
        let Some(mut operand) = operand else { return self.unknown() };
        if self.kind == FunctionKind::VertexFunction
            && self.builder.domain(operand.id) == Domain::Step
        {
            let what = if is_noise { "noise" } else { "a dropout" };
            let message = format!(
                "`{}` depends on parameters only, and {what} is drawn for each vertex: apply it \
                 to what comes of the product with a child or an input",
                text::operand(&call.receiver)
            );
            return self.poison(&*call.receiver, message);
        }
        // In a loop over children there is one draw per child, whatever the operand.
        if self.edge.is_some() && self.builder.domain(operand.id) != Domain::Edge {
            operand.id = self.builder.for_each_edge(operand.id);
        }
        let op = match is_noise {
            true => Op::Draw(Draw::Noise { deviation: amount, site }),
            false => Op::Draw(Draw::Dropout {
                rate: amount,
                site,
                shared: name == "variational_dropout",
            }),
        };
        self.apply(op, vec![operand], whole)
    }

    /// An index computed from a vector: `x.argmax()`, `x.sample()`.
    fn decision(
        &mut self,
        receiver: Value,
        name: &str,
        call: &ExprMethodCall,
        whole: &Expr,
    ) -> Value {
        if self.method_arguments(call, 0).is_none() {
            return Value::Poison;
        }
        let operand = self.operand(&receiver, &call.receiver);
        // Counted even if in error or unknown, so that the numbers of the others do not change.
        let site = self.next_draw();
        let Some(mut operand) = operand else { return self.unknown() };
        if self.edge.is_some() && self.builder.domain(operand.id) != Domain::Edge {
            operand.id = self.builder.for_each_edge(operand.id);
        }
        let op = match name {
            "argmax" => Indexing::Argmax { site },
            _ => Indexing::Sample { site },
        };
        self.apply(op, vec![operand], whole)
    }

    fn no_method(&mut self, receiver: Value, name: &str, call: &ExprMethodCall) -> Value {
        // The arguments of iterator methods are closures, which would be errors themselves.
        if ITERATORS.contains(&name) && !matches!(receiver, Value::Tensor(_) | Value::Pulled(_)) {
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
        let message = match (elsewhere::method(name), closest(name, known.iter().copied())) {
            (Some(instead), _) => format!("there is no op `{name}`: {instead}"),
            _ if is_function(name) => as_function(name, call),
            (None, Some(meant)) => format!("there is no op `{name}`: did you mean `{meant}`?"),
            (None, None) => format!("there is no op `{name}`; the ops are {}", known.join(", ")),
        };
        self.poison(&call.method, message)
    }
}
