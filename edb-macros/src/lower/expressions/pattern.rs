//! Patterns: the names they bind, and the hints that they and type annotations give.

use std::rc::Rc;

use quote::ToTokens as _;
use syn::{Attribute, Member, Pat};

use crate::attr::{self, DimNames, is_shape};
use crate::errors::Context;
use crate::function::is_named;
use crate::lower::lowering::{FunctionKind, Hint, Lowering};
use crate::value::{Struct, Value};

/// Types of numbers in which Rust would compute otherwise than the plan.
const OTHER_NUMBERS: [&str; 12] =
    ["f32", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128"];

impl Lowering<'_> {
    /// Binds the names of a pattern to the parts of a value.
    pub(crate) fn bind(&mut self, pat: &Pat, value: Value) {
        match pat {
            Pat::Ident(ident) => {
                if let Some(by_ref) = &ident.by_ref {
                    self.error(by_ref, "there are no references here: leave out `ref`");
                }
                if let Some((token, _)) = &ident.subpat {
                    self.error(token, "`@` patterns are not part of a vertex function");
                }
                self.scopes.declare(&ident.ident.to_string(), value);
            }
            Pat::Wild(_) => {}
            Pat::Paren(paren) => self.bind(&paren.pat, value),
            Pat::Type(typed) => {
                if is_named(&typed.ty, &OTHER_NUMBERS) {
                    let message = "numbers in a vertex function are `f64`, and sizes are `usize`";
                    self.error(&typed.ty, message);
                }
                self.bind(&typed.pat, value);
            }
            Pat::Tuple(tuple) => {
                let pats: Vec<&Pat> = tuple.elems.iter().collect();
                self.bind_items(&pats, value, false);
            }
            Pat::Slice(slice) => {
                let pats: Vec<&Pat> = slice.elems.iter().collect();
                self.bind_items(&pats, value, true);
            }
            Pat::Struct(pat) => {
                for field in &pat.fields {
                    let part = match &field.member {
                        Member::Named(name) => self.field(&value, name, ".."),
                        Member::Unnamed(_) => self.rejected(),
                    };
                    for attribute in field.attrs.iter().filter(|attribute| is_shape(attribute)) {
                        self.declare_shape(attribute, &field.member, &part);
                    }
                    self.bind(&field.pat, part);
                }
            }
            _ => {
                let message = "this pattern is not part of a vertex function: names, `_`, arrays, \
                               tuples and port structs are";
                self.error(pat, message);
                self.bind_poison(pat);
            }
        }
    }

    /// `#[shape(..)]` before a field in a pattern.
    fn declare_shape(&mut self, attribute: &Attribute, field: &Member, value: &Value) {
        if self.kind == FunctionKind::Helper || !self.frames.is_empty() {
            let message =
                "a helper takes tensors of any shape: a shape is declared in the vertex function";
            self.error(attribute, message);
            return;
        }
        // What is wrong with the attribute itself has been reported with the signature.
        let (reported, mut names) = (Context::new(), DimNames(self.dims.clone()));
        let shape = attr::field_shape(&reported, attribute, &mut names);
        reported.discard();
        let Some(shape) = shape else { return };
        if self.is_index(value) {
            self.error(attribute, "an index has no shape: only a tensor has one");
            return;
        }
        let Some(id) = self.tensor(value) else { return };
        if let Err(found) = self.builder.declare_shape(id, &shape) {
            let (field, shape) = (field.to_token_stream(), self.builder.show(&shape));
            self.error(
                attribute,
                format!("`{field}` is {found} elsewhere in this function, and {shape} here"),
            );
        }
    }

    fn bind_items(&mut self, pats: &[&Pat], value: Value, array: bool) {
        if let Some(rest) = pats.iter().find(|pat| matches!(pat, Pat::Rest(_))) {
            self.error(rest, "name every part, or `_`: the pattern says how many there are");
            return pats.iter().for_each(|pat| self.bind_poison(pat));
        }
        let items = match (value, array) {
            (Value::Array(items), true) | (Value::Tuple(items), false) => items,
            (value, _) if value.is_silent() => {
                return pats.iter().for_each(|pat| self.bind(pat, part_of(&value)));
            }
            _ => Vec::new(),
        };
        if items.len() != pats.len() {
            self.cx.leave_to_rustc();
            return pats.iter().for_each(|pat| self.bind_poison(pat));
        }
        for (pat, item) in pats.iter().zip(items) {
            self.bind(pat, item);
        }
    }

    /// Binds the names of a pattern without a value to `Poison`, so that their uses cause no
    /// errors.
    pub(crate) fn bind_poison(&mut self, pat: &Pat) {
        struct Names(Vec<String>);
        impl<'ast> syn::visit::Visit<'ast> for Names {
            fn visit_pat_ident(&mut self, ident: &'ast syn::PatIdent) {
                self.0.push(ident.ident.to_string());
                syn::visit::visit_pat_ident(self, ident);
            }
        }
        let mut names = Names(Vec::new());
        syn::visit::Visit::visit_pat(&mut names, pat);
        for name in names.0 {
            self.scopes.declare(&name, Value::Poison);
        }
    }
}

impl Value {
    /// Adds a type annotation to a value. Before a helper's tokens arrive, the annotation is all
    /// that is known about its result; afterwards, the type is named as the calling function writes
    /// it.
    pub(crate) fn annotated(self, hint: &Hint) -> Value {
        let unknown = |items: &[Hint]| items.iter().map(|_| Value::Opaque(None)).collect();
        let each = |values: Vec<Value>| {
            let pairs = values.into_iter().enumerate();
            pairs.map(|(item, value)| value.annotated(hint.item(item))).collect()
        };
        match (self, hint) {
            (Value::Opaque(_), Hint::Port(ty)) => Value::Opaque(Some(ty.clone())),
            (Value::Struct(port), Hint::Port(ty)) => {
                Value::Struct(Rc::new(Struct { ty: ty.clone(), source: port.source.clone() }))
            }
            (Value::Opaque(_), Hint::Array(items)) => Value::Array(each(unknown(items))),
            (Value::Opaque(_), Hint::Tuple(items)) => Value::Tuple(each(unknown(items))),
            (Value::Array(items), Hint::Array(_)) => Value::Array(each(items)),
            (Value::Tuple(items), Hint::Tuple(_)) => Value::Tuple(each(items)),
            (value, _) => value,
        }
    }
}

/// A part of an unknown value.
pub(crate) fn part_of(silent: &Value) -> Value {
    match silent {
        Value::Opaque(_) => Value::Opaque(None),
        _ => Value::Poison,
    }
}
