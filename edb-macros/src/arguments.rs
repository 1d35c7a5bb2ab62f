//! The arguments of an attribute: the path of edb, and what a vertex function is compiled with beside its plan.

use proc_macro2::TokenStream;
use syn::meta::ParseNestedMeta;
use syn::parse::Parser;
use syn::{Ident, LitInt, token};

use crate::crate_path::{CratePath, VERTEX_FUNCTION, argument};

/// The arguments of an attribute: `#[vertex_function(crate = my::edb, tangent, check(H = 3))]`.
#[derive(Clone)]
pub(crate) struct Arguments {
    /// The path of edb.
    pub(crate) edb: CratePath,
    /// Whether the function's tangent is compiled, too.
    pub(crate) tangent: bool,
    /// The sizes of dimensions with which the function is tested, if it is to be.
    pub(crate) check: Option<Vec<(Ident, LitInt)>>,
}

impl Arguments {
    pub(crate) fn parse(attribute: &str, arguments: TokenStream) -> syn::Result<Self> {
        let (mut given, mut tangent, mut check) = (None, false, None);
        let parser = syn::meta::parser(|meta| {
            let is_function = attribute == VERTEX_FUNCTION;
            if is_function && meta.path.is_ident("tangent") {
                tangent = true;
                Ok(())
            } else if is_function && meta.path.is_ident("check") {
                sizes(&meta, check.get_or_insert_default())
            } else {
                argument(&meta, attribute, &mut given)
            }
        });
        parser.parse2(arguments)?;
        Ok(Self { edb: given.unwrap_or_default(), tangent, check })
    }
}

/// Reads the sizes of `check(H = 3, X = 5)`; a function without dimensions has `check` alone.
fn sizes(meta: &ParseNestedMeta<'_>, sizes: &mut Vec<(Ident, LitInt)>) -> syn::Result<()> {
    if !meta.input.peek(token::Paren) {
        return Ok(());
    }
    meta.parse_nested_meta(|size| {
        let name = size.path.require_ident()?.clone();
        if sizes.iter().any(|known| known.0 == name) {
            return Err(size.error(format!("the size of `{name}` is given twice")));
        }
        let size = size.value()?.parse::<LitInt>()?;
        size.base10_parse::<usize>()?;
        sizes.push((name, size));
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;
    use crate::text;

    fn path(arguments: TokenStream) -> Result<String, String> {
        Arguments::parse(VERTEX_FUNCTION, arguments)
            .map(|arguments| text::tokens(arguments.edb))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn paths_of_every_kind_are_read() {
        assert_eq!(path(quote!()).unwrap(), "::edb");
        for text in ["net", "::net", "my::edb", "crate::my::edb", "super::super::net", "self::a"] {
            let path_tokens: TokenStream = text.parse().unwrap();
            assert_eq!(path(quote!(crate = #path_tokens,)).unwrap(), text);
        }
    }

    #[test]
    fn tangents_are_asked_for() {
        let tangent = |attribute, arguments| {
            Arguments::parse(attribute, arguments).map(|arguments| arguments.tangent)
        };
        assert!(tangent(VERTEX_FUNCTION, quote!(tangent, crate = my::edb)).unwrap());
        assert!(!tangent(VERTEX_FUNCTION, quote!(crate = my::edb)).unwrap());
        assert!(tangent(VERTEX_FUNCTION, quote!(tangent = true)).is_err());
        assert!(tangent("vertex_helper", quote!(tangent)).is_err());
    }

    #[test]
    fn sizes_of_a_check_are_read() {
        let check = |arguments| {
            let arguments = Arguments::parse(VERTEX_FUNCTION, arguments)?;
            let sizes = arguments.check.unwrap_or_default();
            syn::Result::Ok(sizes.iter().map(|(name, size)| format!("{name} {size}")).collect())
        };
        let found: Vec<String> = check(quote!(tangent, check(H = 3, X = 5,))).unwrap();
        assert_eq!(found, ["H 3", "X 5"]);
        assert!(check(quote!(check)).unwrap().is_empty());
        for wrong in [
            quote!(check(H)),
            quote!(check(H = 3, H = 4)),
            quote!(check(H = -3)),
            quote!(check(H = 0.5)),
            quote!(check = 3),
        ] {
            assert!(check(wrong).is_err());
        }
        assert!(Arguments::parse("vertex_helper", quote!(check(H = 3))).is_err());
    }
}
