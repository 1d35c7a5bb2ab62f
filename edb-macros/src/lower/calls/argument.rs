//! The arguments of a helper that is checked on its own: tensors of any shape, any index, any size.

use std::rc::Rc;

use edb_ir::Slot;
use syn::{FnArg, ItemFn, Pat, ReturnType, Type};

use crate::function::is_named;
use crate::lower::lowering::{FieldKind, Hint, Lowering, array_length};
use crate::text;
use crate::value::{FieldOrigin, Struct, TypeName, Value};

/// The kind of a helper's argument or result.
enum ArgumentKind<'a> {
    Tensor,
    /// An index, or a bag of them.
    Index(FieldKind),
    Size,
    Number,
    Array(&'a Type, usize),
    Tuple(Vec<&'a Type>),
    Port(TypeName),
}

/// `None` for a type that the language does not have.
fn kind(ty: &Type) -> Option<ArgumentKind<'_>> {
    Some(match ty {
        Type::Group(group) => return kind(&group.elem),
        Type::Paren(paren) => return kind(&paren.elem),
        _ if is_named(ty, &["Tensor"]) => ArgumentKind::Tensor,
        _ if is_named(ty, &["Index"]) => ArgumentKind::Index(FieldKind::Index),
        _ if is_named(ty, &["Indices"]) => ArgumentKind::Index(FieldKind::Indices),
        _ if is_named(ty, &["Dim", "usize"]) => ArgumentKind::Size,
        _ if is_named(ty, &["f64"]) => ArgumentKind::Number,
        Type::Array(array) => ArgumentKind::Array(&array.elem, array_length(&array.len)?),
        Type::Tuple(tuple) => ArgumentKind::Tuple(tuple.elems.iter().collect()),
        Type::Path(path) if is_port(path) => ArgumentKind::Port(TypeName::new(&path.path)),
        _ => return None,
    })
}

/// Whether a path may name a port struct, as far as the syntax tells.
fn is_port(path: &syn::TypePath) -> bool {
    let plain = path.path.segments.iter().all(|segment| segment.arguments.is_none());
    let last = path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    path.qself.is_none() && plain && last.starts_with(char::is_uppercase)
}

fn name(pat: &Pat) -> String {
    match pat {
        Pat::Ident(pat) => pat.ident.to_string(),
        _ => "?".into(),
    }
}

impl Lowering<'_> {
    /// Lowers the body of a helper for arguments of any shape.
    pub(crate) fn helper_definition(&mut self, item: &ItemFn) {
        // A source of unknown tensors and indices; no program is built from it.
        let state = self.builder.state("");
        self.builder.slot(state, false);
        self.builder.input("");
        let mut tensors = 0;
        for input in &item.sig.inputs {
            match input {
                FnArg::Typed(typed) => {
                    let value = self.unknown_argument(&typed.ty, &name(&typed.pat), &mut tensors);
                    self.bind(&typed.pat, value);
                }
                FnArg::Receiver(_) => self.cx.leave_to_rustc(),
            }
        }
        let hint = match &item.sig.output {
            ReturnType::Type(_, ty) => {
                if kind(ty).is_none() {
                    self.error(ty, not_of_the_language(ty));
                }
                Hint::of_type(ty)
            }
            ReturnType::Default => Hint::Any,
        };
        self.block(&item.block, &hint);
    }

    /// An unknown value of a type.
    fn unknown_argument(&mut self, ty: &Type, name: &str, tensors: &mut usize) -> Value {
        let Some(kind) = kind(ty) else { return self.poison(ty, not_of_the_language(ty)) };
        match kind {
            ArgumentKind::Tensor => {
                *tensors += 1;
                let leaf = format!("{name} {}", *tensors);
                let unknown = self.builder.child(Slot::Fixed(0), &leaf);
                let shape = self.builder.shape(unknown);
                Value::Tensor(self.builder.param(name, shape))
            }
            ArgumentKind::Index(kind) => {
                self.kinds.insert(name.into(), kind);
                Value::Pulled(name.into())
            }
            // Unknown: it may be a constant, and may be used where a constant is needed.
            ArgumentKind::Size => Value::Opaque(None),
            ArgumentKind::Number => Value::Number(f64::NAN),
            ArgumentKind::Array(element, length) => Value::Array(
                (0..length).map(|_| self.unknown_argument(element, name, tensors)).collect(),
            ),
            ArgumentKind::Tuple(items) => Value::Tuple(
                items.into_iter().map(|ty| self.unknown_argument(ty, name, tensors)).collect(),
            ),
            ArgumentKind::Port(ty) => {
                Value::Struct(Rc::new(Struct { ty, source: FieldOrigin::Argument(name.into()) }))
            }
        }
    }
}

fn not_of_the_language(ty: &Type) -> String {
    format!(
        "`{}` is not a type of helpers: they take and return `Tensor`, `Index`, `Indices`, `Dim`, `f64`, \
         port structs, and arrays and tuples of these",
        text::tokens(ty)
    )
}
