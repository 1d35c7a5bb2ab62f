//! Has rustc say once that the struct of a port derives nothing, at its name in the function.
//!
//! A struct without its derive would be an error at each call that gathers, scatters, pulls or pushes it, and again in
//! what is written beside the function. So these take for granted that it is a port:
//!
//! ```text
//! where for<'edb> <Node as __edb_tied::Same<'edb>>::It: ::edb::State
//! ```
//!
//! rustc does not check such a bound where a function or an `impl` has it. It is checked in the `impl` of
//! `VertexFunction`, whose types are states, inputs and outputs, and here for a state that is only gathered.

use std::collections::HashSet;

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{WherePredicate, parse_quote};

use crate::crate_path::CratePath;
use crate::lower::Ports;
use crate::value::TypeName;

/// What a function and its definition take for granted of the types at its ports.
pub(crate) fn bounds(edb: &CratePath, ports: &Ports) -> Vec<WherePredicate> {
    let states = ports.states.iter().chain(&ports.state).map(|ty| (ty, "State"));
    let input = ports.input.iter().map(|ty| (ty, "Input"));
    let output = ports.output.iter().map(|ty| (ty, "Output"));
    let mut known = HashSet::new();
    let is_new = |(ty, bound): &(&TypeName, &'static str)| known.insert((ty.text.clone(), *bound));
    let all = states.chain(input).chain(output).filter(is_new);
    let predicate = |(ty, bound): (&TypeName, &str)| {
        let (ty, bound) = (&ty.path, format_ident!("{bound}"));
        parse_quote!(for<'edb> <#ty as #edb::__private::tied::Same<'edb>>::It: #edb::#bound)
    };
    all.map(predicate).collect()
}

/// Checks that the states are such which a function gathers and does not scatter.
pub(crate) fn checks(edb: &CratePath, ports: &Ports) -> Option<TokenStream> {
    let is_told = |ty: &&TypeName| ports.state.as_ref() != Some(ty);
    let gathered = ports.states.iter().filter(is_told).map(|ty| {
        let (place, ty) = (Span::call_site().located_at(ty.path.span()), &ty.path);
        quote_spanned!(place=> #edb::__private::tied::state::<#ty>();)
    });
    let gathered: Vec<TokenStream> = gathered.collect();
    (!gathered.is_empty()).then(|| quote!(#(#gathered)*))
}
