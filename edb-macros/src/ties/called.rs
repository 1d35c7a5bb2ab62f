//! Checks that a call of a helper in the plan is one in Rust, too. The same path leads to the helper's function and, in
//! another namespace, to its macro. A function of the user may hide the helper's function, but not its macro. The type
//! of a function has no name, so the functions are compared only when a model is made: see `Definition::mistaken_call`.

use std::collections::HashSet;

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use syn::visit::{self, Visit};
use syn::{Expr, ExprCall, ItemFn, Path};

use crate::crate_path::CratePath;
use crate::helper::{Calls, Expansion, path_key};
use crate::text;

/// The items beside a helper that its callers find by its number.
///
/// ```text
/// const _: () = {
///     use ::edb::__private::tied as __edb_tied;
///     pub struct Here;
///     impl __edb_tied::Helper<Here> for __edb_tied::HelperNumber<0x123> {
///         const FUNCTION: fn() -> ::core::any::TypeId = __edb_tied::type_of(gate);
///         const CALLS: &'static [__edb_tied::HelperCall] = &[..];
///     }
/// };
/// ```
pub(crate) fn of_helper(expansion: &Expansion) -> Option<TokenStream> {
    let Expansion { edb, item, calls, helper, .. } = expansion;
    let (name, number) = (&item.sig.ident, number(&helper.as_ref()?.to_string()));
    let calls = written(item, calls);
    let cfgs = item.attrs.iter().filter(|attribute| attribute.path().is_ident("cfg"));
    Some(quote! {
        #(#cfgs)*
        #[allow(deprecated, missing_docs, non_local_definitions, unreachable_pub)]
        const _: () = {
            use #edb::__private::tied as __edb_tied;
            pub struct Here;
            impl __edb_tied::Helper<Here> for __edb_tied::HelperNumber<#number> {
                const FUNCTION: fn() -> ::core::any::TypeId = __edb_tied::type_of(#name);
                const CALLS: &'static [__edb_tied::HelperCall] = &[#(#calls),*];
            }
        };
    })
}

/// The calls of helpers in a vertex function, and in all helpers that it calls, directly or not.
pub(crate) fn of_function(expansion: &Expansion) -> TokenStream {
    let Expansion { edb, item, calls, helpers, .. } = expansion;
    let own = written(item, calls);
    if own.is_empty() {
        return quote!(&[]);
    }
    let others = helpers.that_call().map(|id| {
        let number = number(id);
        quote!(<__edb_tied::HelperNumber<#number> as __edb_tied::Helper<_>>::CALLS)
    });
    tied(edb, &quote!(const { &[&[#(#own),*], #(#others),*] }))
}

fn tied(edb: &CratePath, tokens: &TokenStream) -> TokenStream {
    quote!({
        use #edb::__private::tied as __edb_tied;
        #tokens
    })
}

/// A `HelperCall` for each path of `calls`, as the function first writes it.
fn written(item: &ItemFn, calls: &Calls) -> Vec<TokenStream> {
    struct Paths<'a> {
        calls: &'a Calls,
        known: HashSet<String>,
        found: Vec<(Path, u64)>,
    }
    impl<'ast> Visit<'ast> for Paths<'_> {
        fn visit_expr_call(&mut self, call: &'ast ExprCall) {
            if let Expr::Path(path) = text::peel(&call.func) {
                let key = path_key(&path.path);
                if let Some(id) = self.calls.get(&key)
                    && self.known.insert(key)
                {
                    self.found.push((path.path.clone(), hash(id)));
                }
            }
            visit::visit_expr_call(self, call);
        }
    }
    let mut paths = Paths { calls, known: HashSet::new(), found: Vec::new() };
    paths.visit_block(&item.block);
    let call = |(path, hash): (Path, u64)| {
        let (name, number) = (text::path(&path), Literal::u64_unsuffixed(hash));
        quote!(__edb_tied::HelperCall::new::<#number, _, _>(#name, #path))
    };
    paths.found.into_iter().map(call).collect()
}

/// The number of a helper: the end of its macro's name.
fn hash(id: &str) -> u64 {
    let digits = id.rsplit('_').next().unwrap_or_default();
    u64::from_str_radix(digits, 16).unwrap_or_default()
}

fn number(id: &str) -> Literal {
    Literal::u64_unsuffixed(hash(id))
}
