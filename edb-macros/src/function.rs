//! The checked signature of a vertex function.

use syn::ext::IdentExt as _;
use syn::visit::{self, Visit};
use syn::{FieldPat, FnArg, Ident, ItemFn, Pat, PatType, ReturnType, Safety, Signature, Type};

use crate::attr::{self, DimNames, Role};
use crate::errors::Context;
use crate::names::hygiene;

/// A function under `#[vertex_function]`.
pub(crate) struct Function<'a> {
    /// The function as written.
    pub(crate) item: &'a ItemFn,
    /// Its name, without `r#`.
    pub(crate) name: String,
    /// Its arguments in order; arguments with errors have no role.
    pub(crate) arguments: Vec<Argument<'a>>,
    /// The patterns of arguments that are not plain names, which are errors.
    pub(crate) patterns: Vec<&'a Pat>,
    /// The dimension names that the attributes mention.
    pub(crate) dims: Vec<String>,
}

/// An argument of a vertex function.
#[derive(Debug)]
pub(crate) struct Argument<'a> {
    /// Its name.
    pub(crate) ident: &'a Ident,
    /// Its role, if an attribute specifies one.
    pub(crate) role: Option<Role>,
}

impl<'a> Function<'a> {
    pub(crate) fn new(cx: &Context, item: &'a ItemFn) -> Self {
        check_signature(cx, "vertex function", &item.sig);
        attr::check_all(cx, "vertex_function", item);
        if let ReturnType::Type(_, ty) = &item.sig.output {
            let message = "a vertex function returns nothing: what it computes leaves it through \
                           `scatter`, `push` and `loss`";
            cx.error(ty, message);
        }
        let mut names = DimNames::default();
        let (mut arguments, mut patterns) = (Vec::<Argument<'a>>::new(), Vec::new());
        for input in &item.sig.inputs {
            let typed = match input {
                FnArg::Typed(typed) => typed,
                FnArg::Receiver(_) => {
                    cx.leave_to_rustc();
                    continue;
                }
            };
            let Some(argument) = argument(cx, typed, &mut names) else {
                patterns.push(&*typed.pat);
                continue;
            };
            let name = argument.ident.unraw();
            if let Some(known) = arguments.iter().find(|known| known.ident.unraw() == name) {
                match hygiene(known.ident.span()) == hygiene(argument.ident.span()) {
                    true => cx.leave_to_rustc(),
                    false => cx.error(
                        argument.ident,
                        format!(
                            "two arguments are called `{name}`, one by a macro and one by its caller: a model knows \
                             them by their names, so give one of them another"
                        ),
                    ),
                }
            }
            arguments.push(argument);
        }
        let mut shapes = Shapes { cx, names };
        shapes.visit_block(&item.block);
        let (name, dims) = (item.sig.ident.unraw().to_string(), shapes.names.0);
        Self { item, name, arguments, patterns, dims }
    }
}

/// The shapes that patterns declare: their dimension names are the function's, too.
struct Shapes<'a> {
    cx: &'a Context,
    names: DimNames,
}

impl<'ast> Visit<'ast> for Shapes<'_> {
    fn visit_field_pat(&mut self, field: &'ast FieldPat) {
        for attribute in field.attrs.iter().filter(|attribute| attr::is_shape(attribute)) {
            attr::field_shape(self.cx, attribute, &mut self.names);
        }
        visit::visit_field_pat(self, field);
    }
}

/// Rejects the parts of a signature that the language does not support.
pub(crate) fn check_signature(cx: &Context, kind: &str, sig: &Signature) {
    let plain = format!("a {kind} is a plain `fn`: remove this");
    if let Some(token) = &sig.constness {
        cx.error(token, &plain);
    }
    if let Some(token) = &sig.asyncness {
        cx.error(token, &plain);
    }
    if let Safety::Unsafe(token) = &sig.safety {
        cx.error(token, &plain);
    }
    if let Some(abi) = &sig.abi {
        cx.error(abi, &plain);
    }
    if let Some(variadic) = &sig.variadic {
        cx.error(variadic, &plain);
    }
    if !sig.generics.params.is_empty() {
        let message = format!(
            "a {kind} has no generics: tensors of every size are `Tensor`, and dimensions are \
             names"
        );
        cx.error(&sig.generics, message);
    } else if let Some(clause) = &sig.generics.where_clause {
        cx.error(clause, &plain);
    }
}

fn argument<'a>(cx: &Context, typed: &'a PatType, names: &mut DimNames) -> Option<Argument<'a>> {
    let role = attr::role(cx, &typed.attrs, names);
    let ident = match &*typed.pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => &pat.ident,
        pat => {
            cx.error(pat, "an argument of a vertex function has a plain name");
            return None;
        }
    };
    match &role {
        None => {
            let message = format!(
                "what is `{ident}`? An argument of a vertex function is a parameter, `#[param(5 * \
                 H, H)] {ident}: Tensor`, or a dimension, `#[dim(H)] {ident}: Dim`; children and \
                 input come from `gather` and `pull`"
            );
            cx.error(typed, message);
        }
        Some(Role::Param(_)) if !is_named(&typed.ty, &["Tensor"]) => {
            cx.error(&typed.ty, "a parameter is a `Tensor`");
        }
        Some(Role::Dim(_)) if !is_named(&typed.ty, &["Dim", "usize"]) => {
            cx.error(&typed.ty, "the size of a dimension is a `Dim`");
        }
        Some(_) => {}
    }
    Some(Argument { ident, role })
}

/// Whether a type's last path segment is one of `names`.
pub(crate) fn is_named(ty: &Type, names: &[&str]) -> bool {
    match ty {
        Type::Path(path) => {
            let last = path.path.segments.last();
            last.is_some_and(|last| names.iter().any(|name| last.ident == name))
        }
        Type::Group(group) => is_named(&group.elem, names),
        Type::Paren(paren) => is_named(&paren.elem, names),
        _ => false,
    }
}
