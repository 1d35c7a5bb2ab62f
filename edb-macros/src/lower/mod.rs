//! Lowering: compiles the body of a function, in execution order, into a program.
//!
//! Loops over numbers and arrays are unrolled, helpers are inlined, and the body of a `gather_all`
//! loop is lowered once, for the edge at which it runs. Branches and loops on values are blocks. An
//! expression becomes a [`Value`]; an expression with an error becomes [`Value::Poison`], which
//! suppresses further errors. Type errors, such as a wrong number of arguments, are left to rustc.
//!
//! Comes in: a function whose signature was parsed, and the helpers whose tokens have arrived. Goes out: its program, or
//! the helpers that are still missing. `expand` calls it.
//!
//! | folder | what it lowers |
//! | --- | --- |
//! | `lowering` | the state, which all others extend by methods |
//! | `expressions` | expressions and patterns |
//! | `calls` | calls of functions, methods and helpers |
//! | `primitives` | `gather`, `pull`, `scatter`, `push` and `loss` |
//! | `statements` | statements and control flow |

use syn::Path;
use syn::ext::IdentExt;

use crate::attr::Role;
use crate::errors::Context;
use crate::function::Function;
use crate::helper::Expansion;
use crate::value::Value;

mod calls;
mod expressions;
mod lowering;
mod primitives;
mod statements;

pub(crate) use self::calls::{
    ITERATORS, OPTIONAL, function_elsewhere, function_of_edb, functions, methods,
};
use self::lowering::{FieldKind, FunctionKind, Hint, Kinds, Lowering};
pub(crate) use self::lowering::{Lowered, Ports};

/// Lowers a vertex function. Where a pulled field stands in a place that takes an index as well as a
/// tensor, what it is may show only later; then the function is lowered once more, with what has shown.
pub(crate) fn function(cx: &Context, function: &Function<'_>, expansion: &Expansion) -> Lowered {
    let mut known = Kinds::default();
    loop {
        let attempt = Context::new();
        let (lowered, shown) = lowered(&attempt, function, expansion, known.clone());
        let more = shown
            .into_iter()
            .filter(|(field, kind)| *kind != FieldKind::Tensor && !known.contains_key(field));
        let more: Vec<_> = more.collect();
        if attempt.is_clean() || more.is_empty() {
            cx.take_over(attempt);
            return lowered;
        }
        attempt.discard();
        known.extend(more);
    }
}

/// Lowers a vertex function, of which the kinds of some pulled fields are known; and the kinds of all
/// that it uses.
fn lowered(
    cx: &Context,
    function: &Function<'_>,
    expansion: &Expansion,
    known: Kinds,
) -> (Lowered, Kinds) {
    let dims = function.dims.clone();
    let mut lowering =
        Lowering::new(cx, FunctionKind::VertexFunction, &function.name, dims, expansion);
    for argument in &function.arguments {
        let name = argument.ident.to_string();
        let value = match &argument.role {
            Some(Role::Param(Some(shape))) => {
                let named = argument.ident.unraw().to_string();
                Value::Tensor(lowering.builder.param(&named, shape.clone()))
            }
            Some(Role::Dim(Some(dim))) => Value::Size(edb_ir::Dim::name(*dim)),
            _ => Value::Poison,
        };
        lowering.scopes.declare(&name, value);
    }
    for pattern in &function.patterns {
        lowering.bind_poison(pattern);
    }
    lowering.kinds = known;
    lowering.lists = primitives::pushes_list(lowering.edb, &function.item.block);
    lowering.block(&function.item.block, &Hint::Any);
    let shown = lowering.kinds.clone();
    (lowering.finish(&function.item.sig.ident), shown)
}

/// Checks the body of a helper at its definition, for arguments of any shape; returns the helpers
/// that it calls whose tokens have not arrived yet.
pub(crate) fn helper(cx: &Context, expansion: &Expansion) -> Vec<Path> {
    let name = expansion.item.sig.ident.to_string();
    let mut lowering = Lowering::new(cx, FunctionKind::Helper, &name, Vec::new(), expansion);
    lowering.helper_definition(&expansion.item);
    lowering.missing
}
