//! Hints: what the context of an expression implies about its value.

use syn::{Expr, GenericArgument, Lit, Pat, PathArguments, Type, TypePath};

use crate::function::is_named;
use crate::value::TypeName;

/// What the context of an expression implies about its value: its port type, its number of parts.
#[derive(Clone)]
pub(crate) enum Hint {
    /// Nothing.
    Any,
    /// An index.
    Index,
    /// A port struct.
    Port(TypeName),
    /// `Option` of a port struct.
    Optional(TypeName),
    /// An array with these elements.
    Array(Vec<Hint>),
    /// A tuple.
    Tuple(Vec<Hint>),
}

impl Hint {
    /// The hint for an element of an array or a tuple.
    pub(crate) fn item(&self, item: usize) -> &Hint {
        match self {
            Hint::Array(items) | Hint::Tuple(items) => items.get(item).unwrap_or(&Hint::Any),
            _ => &Hint::Any,
        }
    }

    /// The hint of a type.
    pub(crate) fn of_type(ty: &Type) -> Hint {
        match ty {
            Type::Group(group) => Hint::of_type(&group.elem),
            Type::Paren(paren) => Hint::of_type(&paren.elem),
            Type::Tuple(tuple) => Hint::Tuple(tuple.elems.iter().map(Hint::of_type).collect()),
            Type::Array(array) => match array_length(&array.len) {
                Some(length) => Hint::Array(vec![Hint::of_type(&array.elem); length]),
                None => Hint::Any,
            },
            _ if is_named(ty, &["Index"]) => Hint::Index,
            Type::Path(path) if is_option(path) => Hint::of_option(path),
            Type::Path(path) if !is_plain(ty) => Hint::Port(TypeName::new(&path.path)),
            _ => Hint::Any,
        }
    }

    fn of_option(path: &TypePath) -> Hint {
        let arguments = path.path.segments.last().map(|last| &last.arguments);
        let Some(PathArguments::AngleBracketed(arguments)) = arguments else { return Hint::Any };
        match arguments.args.first() {
            Some(GenericArgument::Type(ty)) => match Hint::of_type(ty) {
                Hint::Port(ty) => Hint::Optional(ty),
                _ => Hint::Any,
            },
            _ => Hint::Any,
        }
    }

    /// The hint of a pattern and its type annotation.
    pub(crate) fn of_pattern(pat: &Pat, ty: Option<&Type>) -> Hint {
        match (pat, ty) {
            (Pat::Type(typed), _) => Hint::of_pattern(&typed.pat, Some(&typed.ty)),
            (Pat::Paren(paren), _) => Hint::of_pattern(&paren.pat, ty),
            (Pat::Struct(pat), _) => Hint::Port(TypeName::new(&pat.path)),
            (Pat::Slice(slice), _) => {
                let element = match ty {
                    Some(Type::Array(array)) => Some(&*array.elem),
                    _ => None,
                };
                Hint::Array(slice.elems.iter().map(|p| Hint::of_pattern(p, element)).collect())
            }
            (Pat::Tuple(tuple), _) => {
                let types = match ty {
                    Some(Type::Tuple(types)) => Some(&types.elems),
                    _ => None,
                };
                let ty = |element: usize| types.and_then(|types| types.get(element));
                let hint = |(element, pat)| Hint::of_pattern(pat, ty(element));
                Hint::Tuple(tuple.elems.iter().enumerate().map(hint).collect())
            }
            (_, Some(ty)) => Hint::of_type(ty),
            (_, None) => Hint::Any,
        }
    }
}

fn is_option(path: &TypePath) -> bool {
    path.path.segments.last().is_some_and(|last| last.ident == "Option")
}

/// Whether a type is one of the language, rather than a port struct.
fn is_plain(ty: &Type) -> bool {
    is_named(ty, &["Tensor", "Index", "Indices", "Dim", "usize", "f64"])
}

/// The length of an array type, if it is a literal of a reasonable size.
pub(crate) fn array_length(len: &Expr) -> Option<usize> {
    match len {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => number.base10_parse().ok().filter(|&length| length <= 4096),
            _ => None,
        },
        Expr::Group(group) => array_length(&group.expr),
        Expr::Paren(paren) => array_length(&paren.expr),
        _ => None,
    }
}
