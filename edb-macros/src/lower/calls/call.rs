//! Calls of functions: primitives, ops with function syntax, helpers.

use edb_ir::form::{FORMS, surfaces};
use edb_ir::{Argument, Arity, Builder, Call, Dim, Form, Op, Surface, ValueId};
use syn::ext::IdentExt as _;
use syn::{Expr, ExprCall, ExprPath, Path};

use super::elsewhere;
use super::method::{is_count, methods, of_two, reduces};
use crate::crate_path::CratePath;
use crate::lower::lowering::{Hint, Lowering, Operand};
use crate::suggest::mistyped;
use crate::text;
use crate::value::Value;

/// The primitives.
const PRIMITIVES: [&str; 7] =
    ["gather", "gather_or", "gather_all", "scatter", "pull", "push", "loss"];

/// The functions that need more than applying an op to tensors.
const SPECIAL: [&str; 7] = ["scalar", "zeros", "ones", "eye", "one_hot", "stack", "indicator"];

/// The op of a plain function.
fn plain(name: &str) -> Option<Op> {
    let is = |op: &Op| matches!(op.row().surface, Surface::Function(function) if function == name);
    Op::plain().find(is)
}

/// Every function of the language.
pub(crate) fn functions() -> Vec<&'static str> {
    let others = surfaces().filter_map(|surface| match surface {
        Surface::Function(name) => Some(name),
        _ => None,
    });
    PRIMITIVES.into_iter().chain(SPECIAL).chain(others).collect()
}

/// The name of the function of edb that a path means in a vertex function, which is written alone, or as a path into
/// edb.
pub(crate) fn function_of_edb(edb: &CratePath, path: &Path) -> Option<String> {
    if path.segments.len() > 1 && !edb.leads_to(path) {
        return None;
    }
    let name = path.segments.last()?.ident.unraw().to_string();
    (name == "Index" || functions().contains(&name.as_str())).then_some(name)
}

impl Lowering<'_> {
    pub(crate) fn call(&mut self, call: &ExprCall, whole: &Expr, hint: &Hint) -> Value {
        let Expr::Path(path) = text::peel(&call.func) else {
            self.arguments(call);
            return self.poison(&call.func, "only functions that have a name are called");
        };
        let segments = &path.path.segments;
        let name = segments.last().map(|last| last.ident.unraw().to_string()).unwrap_or_default();
        // A path into edb itself means the same as the name alone.
        if segments.len() == 1 || self.edb.leads_to(&path.path) {
            if PRIMITIVES.contains(&name.as_str()) {
                return self.primitive(&name, call, path, hint);
            }
            match name.as_str() {
                "zeros" => return self.of_length(call, Builder::zeros),
                "ones" => return self.of_length(call, Builder::ones),
                "eye" => return self.of_length(call, Builder::eye),
                "scalar" => return self.scalar(call),
                "one_hot" => return self.one_hot(call, whole),
                "indicator" => return self.indicator(call),
                "Index" => return self.given_index(call),
                "stack" => return self.stack(call, whole),
                _ => {}
            }
            let surface = |form: &&Form| matches!(form.surface, Surface::Function(n) if n == name);
            if let Some(form) = FORMS.iter().find(surface) {
                let arguments = self.arguments(call);
                return self.form(form, arguments, call.args.iter().collect(), whole);
            }
            if let Some(op) = plain(&name) {
                return self.plain_function(&op, &name, call, whole);
            }
            if let Some(value) = self.mistaken(&name, call, path) {
                return value;
            }
        }
        if segments.iter().any(|part| part.ident.to_string().starts_with(char::is_uppercase)) {
            let message = format!(
                "`{}` is not called in a vertex function: its functions are {}, and helpers \
                 (`#[vertex_helper] fn`)",
                text::path(&path.path),
                functions().join(", "),
            );
            return self.poison(path, message);
        }
        let variable = path.path.get_ident().and_then(|name| self.scopes.find(&name.to_string()));
        if variable.is_some() {
            self.arguments(call);
            return self.poison(path, format!("`{name}` is a variable; only functions are called"));
        }
        self.helper_call(call, path)
    }

    /// The error for a call whose name is close to that of an op, or is that of a method.
    fn mistaken(&mut self, name: &str, call: &ExprCall, path: &ExprPath) -> Option<Value> {
        let message = match (elsewhere::function(name), mistyped(name, functions())) {
            (Some(instead), _) => format!("there is no function `{name}`: {instead}"),
            (None, Some(known)) => {
                format!("there is no function `{name}`: did you mean `{known}`?")
            }
            (None, None) if methods().contains(&name) => {
                let arguments = self.arguments(call);
                return Some(self.poison(path, as_method(name, call, &arguments)));
            }
            (None, None) => {
                let known = mistyped(name, methods())?;
                format!("there is no function `{name}`: did you mean the method `{known}`?")
            }
        };
        self.arguments(call);
        Some(self.poison(path, message))
    }

    /// The values of a call's arguments.
    pub(crate) fn arguments(&mut self, call: &ExprCall) -> Vec<Value> {
        call.args.iter().map(|argument| self.expression(argument, &Hint::Any)).collect()
    }

    /// The arguments of a call that takes exactly `N`, with their values.
    pub(crate) fn exactly<const N: usize>(
        &mut self,
        call: &ExprCall,
    ) -> Option<[(Value, Expr); N]> {
        let values = self.arguments(call);
        let pairs: Vec<(Value, Expr)> = values.into_iter().zip(call.args.iter().cloned()).collect();
        let pairs = pairs.try_into().ok();
        if pairs.is_none() {
            self.cx.leave_to_rustc();
        }
        pairs
    }

    /// An op with function syntax, of tensors or of an array of any number of them.
    fn plain_function(&mut self, op: &Op, name: &str, call: &ExprCall, whole: &Expr) -> Value {
        let operands = match op.row().arity {
            Arity::Exact(arity) => {
                let values = self.arguments(call);
                if values.len() != arity {
                    return self.rejected();
                }
                self.operands(&values, call.args.iter())
            }
            Arity::Some => self.array_argument(call, name),
        };
        match operands {
            Some(operands) if operands.is_empty() => {
                self.poison(call, format!("`{name}` of nothing has no length"))
            }
            Some(operands) => self.apply(op.clone(), operands, whole),
            None => self.unknown(),
        }
    }

    /// The operands of a function of one array; `None` if an element is unknown, or the argument is
    /// invalid, which has been reported.
    fn array_argument(&mut self, call: &ExprCall, name: &str) -> Option<Vec<Operand>> {
        if call.args.len() > 1 {
            self.arguments(call);
            let items: Vec<String> = call.args.iter().map(text::operand).collect();
            let message = format!("`{name}` takes one array: `{name}([{}])`", items.join(", "));
            self.error(&call.args, message);
            return None;
        }
        let [(value, expr)] = self.exactly::<1>(call)?;
        match value {
            Value::Array(items) => self.array_operands(&items, &expr),
            value if value.is_silent() => None,
            _ => {
                self.error(&expr, format!("`{name}` takes an array: `{name}([a, b, ..])`"));
                None
            }
        }
    }

    /// A call of a form; the receiver of a method comes first.
    pub(super) fn form(
        &mut self,
        form: &Form,
        values: Vec<Value>,
        exprs: Vec<&Expr>,
        whole: &Expr,
    ) -> Value {
        if values.len() != form.arguments.len() {
            return self.rejected();
        }
        let mut call = Call::default();
        let mut operands = Vec::new();
        let mut known = true;
        for ((kind, value), expr) in form.arguments.iter().zip(&values).zip(exprs) {
            match kind {
                Argument::Tensor => match self.operand(value, expr) {
                    Some(operand) => {
                        call.tensors.push(operand.id);
                        operands.push(operand);
                    }
                    None => known = false,
                },
                Argument::Index => match self.index_operand(value, expr) {
                    Some(operand) => {
                        call.indices.push(operand.id);
                        operands.push(operand);
                    }
                    None => known = false,
                },
                Argument::Indices => match self.indices_field(value) {
                    Some(bag) => call.bag = bag,
                    None => known = false,
                },
                Argument::Number => match value {
                    Value::Number(number) => call.numbers.push(*number),
                    value if value.is_silent() => known = false,
                    Value::Tensor(_) if matches!(form.surface, Surface::Method("pow")) => {
                        let message = "a power is a constant here: `x` to the power of a tensor `y` is \
                                       `(y * x.ln()).exp()`";
                        self.error(expr, message);
                        known = false;
                    }
                    Value::Tensor(_) | Value::Pulled(_) | Value::Size(_) => {
                        self.cx.leave_to_rustc();
                        known = false;
                    }
                    _ => {
                        let message = format!(
                            "`{}` must be a constant here, such as `0.1`: the compiler computes \
                             with it at build time",
                            text::operand(expr)
                        );
                        self.error(expr, message);
                        known = false;
                    }
                },
            }
        }
        if !known {
            return self.unknown();
        }
        let before = self.builder.len();
        let result = (form.build)(&mut self.builder, &call);
        // Any op of the form may turn out to have mismatched shapes.
        for value in before..self.builder.len() {
            let id = ValueId(value as u32);
            self.note_origin(id, operands.clone(), text::whole(whole), whole);
        }
        self.result(result, operands, text::whole(whole), whole)
    }

    /// Values as operands; `None` if one is unknown or invalid.
    pub(super) fn operands<'e>(
        &mut self,
        values: &[Value],
        exprs: impl Iterator<Item = &'e Expr>,
    ) -> Option<Vec<Operand>> {
        let operands: Vec<Option<Operand>> =
            values.iter().zip(exprs).map(|(value, expr)| self.operand(value, expr)).collect();
        operands.into_iter().collect()
    }

    /// The elements of an array as operands: as written, or `xs[0]`, `xs[1]`, ...
    fn array_operands(&mut self, items: &[Value], array: &Expr) -> Option<Vec<Operand>> {
        if let Expr::Array(literal) = text::peel(array) {
            return self.operands(items, literal.elems.iter());
        }
        let mut operands = Vec::new();
        for (element, item) in items.iter().enumerate() {
            let mut operand = self.operand(item, array)?;
            operand.text = format!("{}[{element}]", text::operand(array));
            operands.push(operand);
        }
        Some(operands)
    }

    /// An unknown value: `Opaque` while helpers are missing, else `Poison`.
    pub(crate) fn unknown(&self) -> Value {
        if self.missing.is_empty() { Value::Poison } else { Value::Opaque(None) }
    }

    /// A constant of given length: `zeros(h)`.
    fn of_length(&mut self, call: &ExprCall, build: fn(&mut Builder, Dim) -> ValueId) -> Value {
        let Some([(value, expr)]) = self.exactly::<1>(call) else {
            return Value::Poison;
        };
        match value {
            Value::Size(length) if length.as_constant().is_none_or(|length| length >= 0) => {
                Value::Tensor(build(&mut self.builder, length))
            }
            value if value.is_silent() => value,
            Value::Size(_) => self.poison(&expr, "this length is negative"),
            _ => self.rejected(),
        }
    }

    /// A number as a tensor: `scalar(0.5)`.
    fn scalar(&mut self, call: &ExprCall) -> Value {
        let Some([(value, _)]) = self.exactly::<1>(call) else { return Value::Poison };
        match value {
            Value::Number(number) => Value::Tensor(self.builder.constant(number)),
            Value::Real(id) => Value::Tensor(id),
            value if value.is_silent() => value,
            _ => self.rejected(),
        }
    }

    /// A one-hot vector: `one_hot(label, c)`.
    fn one_hot(&mut self, call: &ExprCall, whole: &Expr) -> Value {
        let Some([(label, label_expr), (length, length_expr)]) = self.exactly::<2>(call) else {
            return Value::Poison;
        };
        let index = self.index_operand(&label, &label_expr);
        match (index, length) {
            (Some(index), Value::Size(length)) if !length.is_below(1) => {
                let result = self.builder.one_hot(index.id, length);
                self.result(result, vec![index], text::whole(whole), whole)
            }
            // What is wrong with the index has been said, or is left to rustc.
            (None, _) => self.unknown(),
            (_, length) if length.is_silent() => self.unknown(),
            (_, Value::Size(_)) => self.poison(&length_expr, "a vector has at least one element"),
            _ => self.rejected(),
        }
    }

    /// A condition as a tensor: `indicator(a == b)`.
    fn indicator(&mut self, call: &ExprCall) -> Value {
        let Some([(value, _)]) = self.exactly::<1>(call) else { return Value::Poison };
        match value {
            Value::Condition(mask) => Value::Tensor(mask),
            value if value.is_silent() => value,
            _ => self.rejected(),
        }
    }

    /// An index that is known beforehand, `Index(3)`, or the variable of a loop, `Index(k as u32)`.
    fn given_index(&mut self, call: &ExprCall) -> Value {
        if let Some(Expr::Cast(cast)) = call.args.first().map(text::peel)
            && call.args.len() == 1
            && let Some((index, _)) = self.count(&cast.expr)
        {
            return Value::Index(index);
        }
        let Some([(value, expr)]) = self.exactly::<1>(call) else { return Value::Poison };
        match value {
            Value::Size(size) => {
                match size.as_constant().and_then(|index| u32::try_from(index).ok()) {
                    Some(index) => Value::Index(self.builder.given(index)),
                    None => {
                        let message = "an index that is known beforehand is a constant: `Index(0)`";
                        self.poison(&expr, message)
                    }
                }
            }
            value if value.is_silent() => value,
            _ => self.rejected(),
        }
    }

    /// Vectors as the rows of a matrix: `stack([a, b, ..])`.
    fn stack(&mut self, call: &ExprCall, whole: &Expr) -> Value {
        let Some(operands) = self.array_argument(call, "stack") else { return self.unknown() };
        if operands.is_empty() {
            return self.poison(call, "`stack` of nothing has no rows");
        }
        let ids: Vec<ValueId> = operands.iter().map(|operand| operand.id).collect();
        let result = self.builder.stack(&ids);
        self.result(result, operands, text::whole(whole), whole)
    }
}

/// The error for a method that is called as a function of these arguments.
fn as_method(name: &str, call: &ExprCall, arguments: &[Value]) -> String {
    let receiver = call.args.first().map_or("x".into(), text::receiver);
    let others: Vec<String> = call.args.iter().skip(1).map(text::operand).collect();
    match (name, arguments) {
        ("max" | "min", [_, other]) if !is_count(&call.args[1]) => {
            of_two(&receiver, name, (other, &call.args[1]))
        }
        _ if reduces(name) => format!("`{name}` is a method: `{receiver}.{name}()`"),
        _ => format!("`{name}` is a method: `{receiver}.{name}({})`", others.join(", ")),
    }
}
