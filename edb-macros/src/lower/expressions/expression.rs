//! Expressions, except calls and operators.

use std::rc::Rc;

use edb_ir::{Dim, ValueId};
use syn::ext::IdentExt as _;
use syn::{BinOp, Expr, ExprCast, ExprIndex, ExprPath, ExprRepeat, ExprStruct, Ident, Lit, Member};

use super::arithmetic::Arithmetic;
use super::pattern::part_of;
use crate::function::is_named;
use crate::lower::lowering::{Hint, Lowering, array_length};
use crate::suggest::closest;
use crate::text;
use crate::value::{Field, FieldOrigin, Struct, TypeName, Value};

impl Lowering<'_> {
    /// Lowers an expression; `hint` is what the context implies about its value.
    pub(crate) fn expression(&mut self, expr: &Expr, hint: &Hint) -> Value {
        match expr {
            Expr::Paren(inner) => self.expression(&inner.expr, hint),
            Expr::Group(inner) => self.expression(&inner.expr, hint),
            Expr::Path(path) => self.path(path),
            Expr::Lit(literal) => self.literal(&literal.lit, expr),
            Expr::Unary(unary) => self.unary(unary, expr),
            Expr::Binary(binary) => match Arithmetic::new(&binary.op) {
                Some(op) => {
                    let left = self.expression(&binary.left, &Hint::Any);
                    let right = self.expression(&binary.right, &Hint::Any);
                    self.arithmetic(op, left, right, binary, expr)
                }
                None => match binary.op {
                    BinOp::Eq(_) | BinOp::Ne(_) => self.comparison(binary, expr),
                    BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => {
                        self.compared(binary, expr)
                    }
                    BinOp::And(_) | BinOp::Or(_) => self.joined(binary),
                    _ => self.assign_op(binary, expr),
                },
            },
            Expr::Assign(assign) => self.assign(assign),
            Expr::Call(call) => self.call(call, expr, hint),
            Expr::MethodCall(call) => self.method(call, expr, hint),
            Expr::Field(access) => {
                let base = self.expression(&access.base, &Hint::Any);
                match &access.member {
                    Member::Named(name) => self.field(&base, name, &text::operand(&access.base)),
                    Member::Unnamed(index) => match base {
                        Value::Tuple(items) if (index.index as usize) < items.len() => {
                            items[index.index as usize].clone()
                        }
                        base if base.is_silent() => part_of(&base),
                        _ => self.rejected(),
                    },
                }
            }
            Expr::Index(index) => self.index(index),
            Expr::Array(array) => {
                let item = |(item, expr)| self.expression(expr, hint.item(item));
                Value::Array(array.elems.iter().enumerate().map(item).collect())
            }
            Expr::Tuple(tuple) => {
                let item = |(item, expr)| self.expression(expr, hint.item(item));
                Value::Tuple(tuple.elems.iter().enumerate().map(item).collect())
            }
            Expr::Repeat(repeat) => self.repeat(repeat),
            Expr::Cast(cast) => self.cast(cast),
            Expr::Struct(literal) => self.struct_literal(literal),
            Expr::Block(block) if block.label.is_none() => self.block(&block.block, hint),
            Expr::ForLoop(for_loop) => self.for_loop(for_loop),
            Expr::While(repeat) => self.while_loop(repeat),
            Expr::Loop(repeat) => self.endless_loop(repeat),
            Expr::If(branch) => self.if_else(branch, hint),
            Expr::Match(branch) => self.match_index(branch, hint),
            _ => self.unsupported(expr),
        }
    }

    pub(crate) fn path(&mut self, path: &ExprPath) -> Value {
        match self.variable(path) {
            Some(variable) => {
                self.note_read(variable, path);
                match self.scopes.value(variable) {
                    Value::Count(..) => {
                        let name = self.scopes.name(variable);
                        let message = format!(
                            "this loop ends at a dimension, so that `{name}` is not known when the function is compiled: \
                             as a number it is `{name} as f64`, as an index `Index({name} as u32)`"
                        );
                        self.poison(path, message)
                    }
                    value => value.clone(),
                }
            }
            None => Value::Poison,
        }
    }

    /// The variable that a path names; an error if there is none.
    pub(crate) fn variable(&mut self, path: &ExprPath) -> Option<usize> {
        let Some(ident) = path.path.get_ident() else {
            let message = "a vertex function sees its arguments and its variables, nothing of its \
                           module: write a number here, or pass a parameter";
            self.error(path, message);
            return None;
        };
        let name = ident.to_string();
        let found = self.scopes.find(&name);
        if found.is_none() {
            let message = if self.dims.contains(&name) {
                let size = name.to_lowercase();
                format!(
                    "`{name}` is the name of a dimension: its size comes in as an argument, \
                     `#[dim({name})] {size}: Dim`"
                )
            } else if name.starts_with(char::is_uppercase) {
                let helper = name.to_lowercase();
                format!(
                    "`{name}` is no variable of this function: write the number here; what several functions \
                     multiply with may be a helper, `#[vertex_helper] fn {helper}() -> f64 {{ .. }}`"
                )
            } else {
                match closest(&name, self.scopes.names()) {
                    Some(known) => {
                        format!("there is no variable `{name}`: did you mean `{known}`?")
                    }
                    None => format!("there is no variable `{name}` in this function"),
                }
            };
            self.error(ident, message);
        }
        found
    }

    fn literal(&mut self, literal: &Lit, whole: &Expr) -> Value {
        match literal {
            Lit::Int(number) if matches!(number.suffix(), "" | "usize") => {
                match number.base10_parse::<i64>() {
                    Ok(number) => self.size(Dim::constant(number), whole),
                    Err(error) => self.poison(literal, error),
                }
            }
            Lit::Int(number) if number.suffix() == "f64" => {
                self.number(literal, number.base10_digits())
            }
            Lit::Float(number) if matches!(number.suffix(), "" | "f64") => {
                self.number(literal, number.base10_digits())
            }
            Lit::Int(_) | Lit::Float(_) => {
                self.poison(literal, "numbers in a vertex function are `f64`: leave out the suffix")
            }
            _ => self.poison(literal, "a vertex function computes with tensors and numbers only"),
        }
    }

    fn number(&mut self, literal: &Lit, digits: &str) -> Value {
        match digits.parse::<f64>() {
            Ok(number) => Value::Number(number),
            Err(error) => self.poison(literal, error),
        }
    }

    /// Field `name` of a value, which is `of` in the source.
    pub(super) fn field(&mut self, base: &Value, name: &Ident, of: &str) -> Value {
        let field = name.unraw().to_string();
        match base {
            Value::Struct(port) => self.port_field(&Rc::clone(port), &field, name),
            Value::Optional(input) => {
                let ty = &input.ty.text;
                let message = format!(
                    "a vertex may be without its `{ty}`: read `{field}` where it is there, \
                     `if let Some({ty} {{ {name} }}) = {of} {{ .. }}`"
                );
                self.poison(name, message)
            }
            _ if base.is_silent() => part_of(base),
            _ => self.rejected(),
        }
    }

    fn index(&mut self, index: &ExprIndex) -> Value {
        let base = self.expression(&index.expr, &Hint::Any);
        let element = self.expression(&index.index, &Hint::Any);
        if base.is_silent() || element.is_silent() {
            return part_of(if matches!(element, Value::Poison) { &element } else { &base });
        }
        let constant = match &element {
            Value::Size(size) => size.as_constant().and_then(|size| usize::try_from(size).ok()),
            _ => None,
        };
        match (base, constant) {
            (Value::Array(items), Some(element)) if element < items.len() => items[element].clone(),
            (Value::Array(items), Some(element)) => {
                let message = format!("element {element} of an array of {}", items.len());
                self.poison(&index.index, message)
            }
            (Value::Array(_), None) => {
                let message = "arrays are indexed with constants and loop variables";
                self.poison(&index.index, message)
            }
            (Value::Tensor(_) | Value::Pulled(_), _) => {
                let tensor = text::receiver(&index.expr);
                let message = match constant {
                    Some(element) => format!(
                        "an element of a tensor is `{tensor}.pick(Index({element}))`, a scalar; several are \
                         `{tensor}.slice(from..to)`"
                    ),
                    None => {
                        let index = text::operand(&index.index);
                        format!(
                            "an element of a vector is `{tensor}.pick({index})`, a row of a matrix `{tensor}.row({index})`; \
                             several elements are `{tensor}.slice(from..to)`"
                        )
                    }
                };
                self.poison(index, message)
            }
            _ => self.rejected(),
        }
    }

    fn repeat(&mut self, repeat: &ExprRepeat) -> Value {
        let item = self.expression(&repeat.expr, &Hint::Any);
        match array_length(&repeat.len) {
            Some(length) => Value::Array(vec![item; length]),
            None => self.poison(&repeat.len, "the length of an array is a literal here"),
        }
    }

    /// The variable of a loop to a dimension, if an expression is one: as an index, and the dimension.
    pub(crate) fn count(&self, expr: &Expr) -> Option<(ValueId, Dim)> {
        let Expr::Path(path) = text::peel(expr) else { return None };
        let variable = self.scopes.find(&path.path.get_ident()?.to_string())?;
        match self.scopes.value(variable) {
            Value::Count(index, n) => Some((*index, n.clone())),
            _ => None,
        }
    }

    fn cast(&mut self, cast: &ExprCast) -> Value {
        if let Some((index, n)) = self.count(&cast.expr)
            && is_named(&cast.ty, &["f64"])
        {
            let number = self.builder.numbers(n).and_then(|all| self.builder.pick(all, index));
            return number.map_or(Value::Poison, Value::Real);
        }
        let value = self.expression(&cast.expr, &Hint::Any);
        let to_f64 = is_named(&cast.ty, &["f64"]);
        match value {
            Value::Size(size) if to_f64 => match size.as_constant() {
                Some(number) => Value::Number(number as f64),
                None => Value::Real(self.builder.length(size)),
            },
            value @ (Value::Number(_) | Value::Real(_)) if to_f64 => value,
            value @ Value::Size(_) if is_named(&cast.ty, &["usize", "Dim", "u32"]) => value,
            value if value.is_silent() => part_of(&value),
            Value::Tensor(_) | Value::Pulled(_) | Value::Struct(_) => self.rejected(),
            _ => {
                let message = "the only cast in a vertex function is that of a size to a number: \
                               `h as f64`";
                self.poison(cast, message)
            }
        }
    }

    fn struct_literal(&mut self, literal: &ExprStruct) -> Value {
        if let Some(dots) = &literal.dot2_token {
            self.error(dots, "write out every field");
            if let Some(rest) = &literal.rest {
                self.expression(rest, &Hint::Any);
            }
        }
        let mut fields = Vec::new();
        for field in &literal.fields {
            let value = self.expression(&field.expr, &Hint::Any);
            match &field.member {
                Member::Named(name) => fields.push(Field {
                    name: name.unraw().to_string(),
                    value,
                    expr: field.expr.clone(),
                }),
                Member::Unnamed(_) => self.cx.leave_to_rustc(),
            }
        }
        let ty = TypeName::new(&literal.path);
        Value::Struct(Rc::new(Struct { ty, source: FieldOrigin::Literal(fields) }))
    }
}
