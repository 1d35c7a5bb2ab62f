//! Helpers: functions whose tokens are passed through hidden macros to their callers.
//!
//! A procedural macro sees only its own input tokens. So a helper is accompanied by a
//! `macro_rules!` macro of its name, which passes the helper's tokens on: a function that calls
//! `gate(..)` expands into `gate! { { ::edb } expansion }`, and that into
//! `::edb::__private::compile! { { { ::edb } expansion } { the helper's tokens } }`, which continues
//! the expansion, until no helper is missing. A helper's macro also carries the tokens of the
//! helpers that it calls itself, so these need not be in scope at the call.
//!
//! The path of edb is the caller's: that of the helper may lead nowhere in the caller's crate.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::{ToTokens, TokenStreamExt as _, format_ident, quote};
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, ItemFn, LitBool, LitStr, Path, Token, Visibility, braced};

use crate::crate_path::CratePath;
use crate::text;

/// The helpers to which the paths of calls resolve, by the names of their macros.
pub(crate) type Calls = BTreeMap<String, String>;

/// The path of a call, as a key of [`Calls`].
pub(crate) fn path_key(path: &Path) -> String {
    text::path(path)
}

/// The helpers that an expansion knows.
#[derive(Default)]
pub(crate) struct Helpers(BTreeMap<String, Helper>);

impl Helpers {
    /// The helper whose macro has this name.
    pub(crate) fn get(&self, id: &str) -> Option<&Helper> {
        self.0.get(id)
    }

    /// Whether no helper has errors.
    pub(crate) fn are_sound(&self) -> bool {
        self.0.values().all(|helper| helper.sound)
    }

    /// The names of the macros of all helpers that call other helpers.
    pub(crate) fn that_call(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter(|(_, helper)| !helper.calls.is_empty()).map(|(id, _)| id.as_str())
    }

    /// Adds a helper.
    pub(crate) fn insert(&mut self, id: &str, helper: Helper) {
        self.0.insert(id.into(), helper);
    }
}

/// A helper.
pub(crate) struct Helper {
    /// The function, without its attributes and visibility.
    pub(crate) item: ItemFn,
    /// The helpers to which the paths of its calls resolve.
    pub(crate) calls: Calls,
    /// The path of edb where it is defined.
    pub(crate) edb: CratePath,
    /// Whether it has no errors; its errors are reported at its definition.
    pub(crate) sound: bool,
}

/// The state of a function's expansion, which may take several steps.
pub(crate) struct Expansion {
    /// The path of edb where the function is defined.
    pub(crate) edb: CratePath,
    /// For a helper, the name of its macro.
    pub(crate) helper: Option<Ident>,
    /// Whether the function's tangent is compiled, too.
    pub(crate) tangent: bool,
    /// Whether it is tested, for which children are needed.
    pub(crate) is_checked: bool,
    /// The function.
    pub(crate) item: ItemFn,
    /// The helpers to which the paths of its calls resolve, as far as known.
    pub(crate) calls: Calls,
    /// The helpers that have arrived.
    pub(crate) helpers: Helpers,
}

impl Expansion {
    /// The first step of a function's expansion.
    pub(crate) fn new(edb: CratePath, item: ItemFn) -> Self {
        let (calls, helpers) = (Calls::default(), Helpers::default());
        Self { edb, helper: None, tangent: false, is_checked: false, item, calls, helpers }
    }

    /// Requests a helper from the macro at `path`.
    ///
    /// ```text
    /// cells::gate! { { ::edb } .. }
    /// ```
    pub(crate) fn ask(&self, path: &Path) -> TokenStream {
        let key = path_key(path);
        quote!(#path! { #self #key })
    }

    /// The tokens that the macro of a finished helper carries: its name, and all helpers that it
    /// needs.
    fn answer(self, id: &Ident, sound: bool) -> TokenStream {
        let Expansion { edb, mut item, calls, mut helpers, .. } = self;
        item.attrs.clear();
        item.vis = Visibility::Inherited;
        helpers.insert(&id.to_string(), Helper { item, calls, edb, sound });
        quote!(#id #helpers)
    }
}

/// The name of a helper's macro. All macros that a crate exports are in its root, so the name
/// includes a hash of the helper's location and text.
pub(crate) fn macro_name(item: &ItemFn, location: &str) -> Ident {
    // FNV-1a, because it is the same in every build.
    let seed = 0xcbf2_9ce4_8422_2325_u64;
    let text = format!("{location} {}", item.to_token_stream());
    let hash = text
        .bytes()
        .fold(seed, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format_ident!("__edb_helper_{}_{hash:016x}", item.sig.ident.unraw())
}

/// The macro beside a helper, and `called`, the items that its callers find by its number.
/// ```text
/// macro_rules! __edb_helper_gate_0123456789abcdef {
///     ({ $($edb:tt)* } $($expansion:tt)*) => {
///         $($edb)*::__private::compile! { { { $($edb)* } $($expansion)* } { .. } }
///     };
/// }
/// use __edb_helper_gate_0123456789abcdef as gate;
/// ```
pub(crate) fn definition(
    expansion: Expansion,
    sound: bool,
    called: Option<TokenStream>,
) -> TokenStream {
    let Some(id) = expansion.helper.clone() else { return TokenStream::new() };
    let vis = expansion.item.vis.clone();
    let name = expansion.item.sig.ident.clone();
    let cfgs: Vec<_> =
        expansion.item.attrs.iter().filter(|a| a.path().is_ident("cfg")).cloned().collect();
    let answer = expansion.answer(&id, sound);
    let export = matches!(vis, Visibility::Public(_)).then(|| quote!(#[macro_export]));
    quote! {
        #(#cfgs)*
        #[doc(hidden)]
        #[allow(unused_macros, non_local_definitions)]
        #export
        macro_rules! #id {
            ({ $($edb:tt)* } $($expansion:tt)*) => {
                $($edb)*::__private::compile! { { { $($edb)* } $($expansion)* } { #answer } }
            };
        }
        #(#cfgs)*
        #[doc(hidden)]
        #[allow(unused_imports, unreachable_pub)]
        #vis use #id as #name;
        #called
    }
}

/// Resumes an expansion from the tokens that the hidden macros pass to `compile!`.
pub(crate) fn resume(input: ParseStream<'_>) -> syn::Result<Expansion> {
    let (asked, answered);
    braced!(asked in input);
    braced!(answered in input);
    let mut expansion: Expansion = asked.parse()?;
    let key: LitStr = asked.parse()?;
    let id: Ident = answered.parse()?;
    let helpers: Helpers = answered.parse()?;
    expansion.calls.insert(key.value(), id.to_string());
    expansion.helpers.0.extend(helpers.0);
    Ok(expansion)
}

impl ToTokens for Expansion {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { edb, helper, tangent, is_checked, item, calls, helpers } = self;
        let calls = CallsTokens(calls);
        tokens.append_all(
            quote!({ #edb } { #helper } #tangent #is_checked { #item } #calls #helpers),
        );
    }
}

impl Parse for Expansion {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let (edb, helper, item);
        braced!(edb in input);
        braced!(helper in input);
        let tangent = input.parse::<LitBool>()?.value;
        let is_checked = input.parse::<LitBool>()?.value;
        braced!(item in input);
        let (edb, helper, item) = (edb.parse()?, helper.parse()?, item.parse()?);
        let (calls, helpers) = (parse_calls(input)?, input.parse()?);
        Ok(Self { edb, helper, tangent, is_checked, item, calls, helpers })
    }
}

impl ToTokens for Helpers {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let helpers = self.0.iter().map(|(id, Helper { item, calls, edb, sound })| {
            let (id, calls) = (format_ident!("{id}"), CallsTokens(calls));
            quote!(#id { #item } #calls { #edb } #sound)
        });
        tokens.append_all(quote!({ #(#helpers)* }));
    }
}

impl Parse for Helpers {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let list;
        braced!(list in input);
        let mut helpers = Helpers::default();
        while !list.is_empty() {
            let id: Ident = list.parse()?;
            let (item, edb);
            braced!(item in list);
            let item = item.parse()?;
            let calls = parse_calls(&list)?;
            braced!(edb in list);
            let edb = edb.parse()?;
            let sound = list.parse::<LitBool>()?.value;
            helpers.insert(&id.to_string(), Helper { item, calls, edb, sound });
        }
        Ok(helpers)
    }
}

struct CallsTokens<'a>(&'a Calls);

impl ToTokens for CallsTokens<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let calls = self.0.iter().map(|(path, id)| {
            let id = format_ident!("{id}");
            quote!(#path => #id,)
        });
        tokens.append_all(quote!({ #(#calls)* }));
    }
}

fn parse_calls(input: ParseStream<'_>) -> syn::Result<Calls> {
    let pairs;
    braced!(pairs in input);
    let mut calls = Calls::new();
    while !pairs.is_empty() {
        let path: LitStr = pairs.parse()?;
        pairs.parse::<Token![=>]>()?;
        let id: Ident = pairs.parse()?;
        pairs.parse::<Token![,]>()?;
        calls.insert(path.value(), id.to_string());
    }
    Ok(calls)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expansions_survive_their_tokens() {
        let mut expansion = Expansion::new(
            syn::parse_quote!(my::edb),
            syn::parse_quote!(
                fn cell() {
                    gate();
                }
            ),
        );
        expansion.calls.insert("cells::gate".into(), "__edb_helper_gate_1".into());
        let inner = Expansion::new(
            CratePath::default(),
            syn::parse_quote!(
                pub fn gate(x: Tensor) -> Tensor {
                    -x
                }
            ),
        );
        let answer = inner.answer(&format_ident!("__edb_helper_gate_2"), true);
        let input = quote!({ #expansion "gate" } { #answer });
        let resumed = syn::parse::Parser::parse2(resume, input).unwrap();
        assert_eq!(resumed.calls["gate"], "__edb_helper_gate_2");
        assert_eq!(resumed.calls["cells::gate"], "__edb_helper_gate_1");
        assert_eq!(resumed.edb.to_token_stream().to_string(), "my :: edb");
        let gate = resumed.helpers.get("__edb_helper_gate_2").unwrap();
        assert!(gate.sound && matches!(gate.item.vis, Visibility::Inherited));
        assert_eq!(gate.edb.to_token_stream().to_string(), ":: edb");
    }
}
