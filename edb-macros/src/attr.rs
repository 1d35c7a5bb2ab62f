//! The helper attributes of a vertex function: `#[param(5 * H)]` and `#[dim(H)]` of its arguments, `#[shape(H)]` of a
//! field in a pattern.

use edb_ir::{Dim, Shape};
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Attribute, BinOp, Expr, Ident, ItemFn, Lit, Path, Token, UnOp};

use crate::errors::Context;
use crate::text;

/// The dimension names of a function, in order of first mention.
#[derive(Debug, Default)]
pub(crate) struct DimNames(pub(crate) Vec<String>);

impl DimNames {
    fn number(&mut self, name: String) -> u16 {
        let number = self.0.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.0.push(name);
            self.0.len() - 1
        });
        number as u16
    }
}

/// The role of an argument, according to its attributes.
#[derive(Clone, Debug)]
pub(crate) enum Role {
    /// `#[param(..)]`: a parameter of this shape; `None` when the attribute is in error.
    Param(Option<Shape>),
    /// `#[dim(H)]`: the size of this dimension; `None` when the attribute is in error.
    Dim(Option<u16>),
}

/// Whether an attribute is one of an argument, which the macro removes from the function.
pub(crate) fn is_helper(attribute: &Attribute) -> bool {
    attribute.path().is_ident("param") || attribute.path().is_ident("dim")
}

/// Rejects attributes that would change what rustc compiles, and not the plan: all within a function, of whatever they
/// stand on, and those of the function that are macros, since this one has read it before them.
pub(crate) fn check_all(cx: &Context, kind: &str, item: &ItemFn) {
    for attribute in item.attrs.iter().filter(|attribute| !is_of_rust(attribute.path())) {
        let name = text::path(attribute.path());
        let message = format!(
            "`#[{name}]` may change the function after edb has read it: put it above `#[{kind}]`"
        );
        cx.error(attribute, message);
    }
    let mut within = Within(cx);
    item.sig.inputs.iter().for_each(|input| within.visit_fn_arg(input));
    within.visit_block(&item.block);
}

/// Attributes that change nothing of what a function computes: lints and comments.
const IDLE: [&str; 6] = ["doc", "allow", "expect", "warn", "deny", "forbid"];

/// Attributes of Rust that a function may have, besides.
const OF_FUNCTIONS: [&str; 11] = [
    "automatically_derived",
    "cfg",
    "cold",
    "deprecated",
    "ignore",
    "inline",
    "must_use",
    "should_panic",
    "target_feature",
    "track_caller",
    "unsafe",
];

/// Attributes of tools, which rustc leaves alone.
const TOOLS: [&str; 4] = ["clippy", "diagnostic", "rust_analyzer", "rustfmt"];

fn is_idle(path: &Path) -> bool {
    let of_tool = |first: &Ident| TOOLS.iter().any(|tool| first == tool);
    IDLE.iter().any(|idle| path.is_ident(idle))
        || path.segments.len() > 1 && of_tool(&path.segments[0].ident)
}

fn is_of_rust(path: &Path) -> bool {
    is_idle(path) || OF_FUNCTIONS.iter().any(|of_rust| path.is_ident(of_rust))
}

struct Within<'a>(&'a Context);

impl<'ast> Visit<'ast> for Within<'_> {
    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        let path = attribute.path();
        if is_idle(path) || is_helper(attribute) || is_shape(attribute) {
            return;
        }
        let message = match path.is_ident("cfg") || path.is_ident("cfg_attr") {
            true => "`cfg` is not part of a vertex function: put it on the function".to_owned(),
            false => format!(
                "`#[{}]` is not part of a vertex function: put it on the function, or leave it out",
                text::path(path)
            ),
        };
        self.0.error(attribute, message);
    }
}

/// Whether an attribute is that of a field in a pattern, which the macro removes from the function.
pub(crate) fn is_shape(attribute: &Attribute) -> bool {
    attribute.path().is_ident("shape")
}

/// The shape that `#[shape(..)]` gives a field; `None` when the attribute is in error.
pub(crate) fn field_shape(
    cx: &Context,
    attribute: &Attribute,
    names: &mut DimNames,
) -> Option<Shape> {
    match dimensions(attribute) {
        Ok(dims) => shape(cx, attribute, &dims, names),
        Err(error) => {
            cx.add(error);
            None
        }
    }
}

fn dimensions(attribute: &Attribute) -> syn::Result<Punctuated<Expr, Token![,]>> {
    attribute.meta.require_list()?.parse_args_with(Punctuated::parse_terminated)
}

/// The role that an argument's attributes specify, if any.
pub(crate) fn role(cx: &Context, attributes: &[Attribute], names: &mut DimNames) -> Option<Role> {
    let mut helpers = attributes.iter().filter(|attribute| is_helper(attribute));
    let first = helpers.next()?;
    for second in helpers {
        cx.error(second, "an argument is a parameter or a dimension, once: remove this attribute");
    }
    let dims = match dimensions(first) {
        Ok(dims) => dims,
        Err(error) => {
            cx.add(error);
            return Some(if first.path().is_ident("param") {
                Role::Param(None)
            } else {
                Role::Dim(None)
            });
        }
    };
    Some(if first.path().is_ident("param") {
        Role::Param(shape(cx, first, &dims, names))
    } else {
        Role::Dim(name(cx, first, &dims, names))
    })
}

fn shape(
    cx: &Context,
    attribute: &Attribute,
    dims: &Punctuated<Expr, Token![,]>,
    names: &mut DimNames,
) -> Option<Shape> {
    if dims.len() > 2 {
        let (what, rank) = (
            if is_shape(attribute) { ("tensor", "shape") } else { ("parameter", "param") },
            dims.len(),
        );
        let message = format!(
            "a {} is a scalar, a vector or a matrix: `#[{}]` takes up to 2 dimensions, not {rank}",
            what.0, what.1
        );
        cx.error(attribute, message);
    }
    // Every dimension is evaluated, so that every error is reported.
    let dims: Vec<Option<Dim>> = dims.iter().map(|dim| linear(cx, dim, names)).collect();
    let dims: Option<Vec<Dim>> = dims.into_iter().collect();
    dims.filter(|dims| dims.len() <= 2).map(|dims| Shape::Known(dims.into_iter().collect()))
}

fn name(
    cx: &Context,
    attribute: &Attribute,
    dims: &Punctuated<Expr, Token![,]>,
    names: &mut DimNames,
) -> Option<u16> {
    match dims.first() {
        Some(Expr::Path(path)) if dims.len() == 1 && path.path.get_ident().is_some() => {
            let dim = linear(cx, &dims[0], names)?;
            match dim.terms() {
                [(edb_ir::Symbol::Name(name), 1)] => Some(*name),
                _ => None,
            }
        }
        _ => {
            let message = "`#[dim]` takes the name of one dimension: `#[dim(H)] h: Dim`";
            cx.error(attribute, message);
            None
        }
    }
}

/// A dimension: a linear expression over integers and upper-case names.
fn linear(cx: &Context, expr: &Expr, names: &mut DimNames) -> Option<Dim> {
    let combined = match expr {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => match number.base10_parse::<u32>() {
                Ok(number) => return Some(Dim::constant(number.into())),
                Err(error) => {
                    cx.add(error);
                    return None;
                }
            },
            _ => None,
        },
        Expr::Path(path) => {
            let ident = path.path.get_ident()?;
            let name = ident.to_string();
            let upper = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
            if !name.starts_with(|c: char| c.is_ascii_uppercase()) || !name.chars().all(upper) {
                let message = format!(
                    "dimension names are written in upper case: `{}`",
                    name.to_ascii_uppercase()
                );
                cx.error(ident, message);
                return None;
            }
            return Some(Dim::name(names.number(name)));
        }
        Expr::Paren(inner) => return linear(cx, &inner.expr, names),
        Expr::Group(inner) => return linear(cx, &inner.expr, names),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            linear(cx, &unary.expr, names)?.scaled(-1)
        }
        Expr::Binary(binary) => {
            let sides = [&binary.left, &binary.right].map(|side| linear(cx, side, names));
            let [Some(left), Some(right)] = sides else { return None };
            match binary.op {
                BinOp::Add(_) => left.add_scaled(&right, 1),
                BinOp::Sub(_) => left.add_scaled(&right, -1),
                BinOp::Mul(_) => product(&left, &right),
                _ => None,
            }
        }
        _ => None,
    };
    if combined.is_none() {
        let message = "a dimension is a sum of integers and multiples of names: `3`, `H`, \
                       `2 * H + X`";
        cx.error(expr, message);
    }
    combined
}

/// The product of two dimensions, of which one must be a number.
pub(crate) fn product(left: &Dim, right: &Dim) -> Option<Dim> {
    match (left.as_constant(), right.as_constant()) {
        (Some(factor), _) => right.scaled(factor),
        (_, Some(factor)) => left.scaled(factor),
        _ => None,
    }
}
