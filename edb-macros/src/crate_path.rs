//! `crate = path`: the path by which the code that a macro writes names edb.
//!
//! That is `::edb`, unless the user says otherwise: a dependency may be renamed, and edb may be
//! reached by way of a crate that re-exports it.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::meta::ParseNestedMeta;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, Ident, Lit, LitInt, Path, Token, parse_quote, token};

use crate::text;

/// The attribute of vertex functions.
pub(crate) const VERTEX_FUNCTION: &str = "vertex_function";

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

/// Reads the sizes of `check(H = 3, X = 5)`. A function without dimensions has `check` alone.
fn sizes(meta: &ParseNestedMeta<'_>, sizes: &mut Vec<(Ident, LitInt)>) -> syn::Result<()> {
    if !meta.input.peek(token::Paren) {
        return Ok(());
    }
    meta.parse_nested_meta(|size| {
        let name = size.path.require_ident()?.clone();
        let size = size.value()?.parse::<LitInt>()?;
        size.base10_parse::<usize>()?;
        sizes.push((name, size));
        Ok(())
    })
}

/// The path of edb where a macro is used.
#[derive(Clone)]
pub(crate) struct CratePath(Path);

impl CratePath {
    /// The path among the attributes of a struct with a derive: `#[edb(crate = my::edb)]`.
    pub(crate) fn from_attributes(attributes: &[Attribute]) -> syn::Result<Self> {
        let mut given = None;
        for attribute in attributes.iter().filter(|attribute| is_edb(attribute)) {
            attribute.parse_nested_meta(|meta| argument(&meta, "edb", &mut given))?;
        }
        Ok(given.unwrap_or_default())
    }

    /// Whether a path leads into edb, as `edb::prelude::zeros` does.
    pub(crate) fn leads_to(&self, path: &Path) -> bool {
        let (edb, path) = (&self.0.segments, &path.segments);
        path.len() > edb.len() && edb.iter().zip(path).all(|(edb, path)| edb.ident == path.ident)
    }
}

/// Whether an attribute is the helper attribute of the derives.
pub(crate) fn is_edb(attribute: &Attribute) -> bool {
    attribute.path().is_ident("edb")
}

/// Reads one argument of `attribute`.
fn argument(
    meta: &ParseNestedMeta<'_>,
    attribute: &str,
    given: &mut Option<CratePath>,
) -> syn::Result<()> {
    if !meta.path.is_ident("crate") {
        let name = text::path(&meta.path);
        let known = match attribute {
            VERTEX_FUNCTION => {
                "its arguments are the path of edb, `crate = my::edb`, `tangent` and `check(H = 3)`"
            }
            _ => "its only argument is the path of edb, `crate = my::edb`",
        };
        return Err(meta.error(format!("`#[{attribute}]` has no argument `{name}`: {known}")));
    }
    if given.is_some() {
        let message = format!("`crate` is given twice: it stands once in `#[{attribute}]`");
        return Err(meta.error(message));
    }
    let message = "`crate` is followed by the path of edb, without quotes: `crate = my::edb`";
    if !meta.input.peek(Token![=]) {
        return Err(meta.error(message));
    }
    let value = meta.value()?;
    if value.peek(Lit) {
        return Err(value.error(message));
    }
    *given = Some(value.parse()?);
    Ok(())
}

impl Default for CratePath {
    fn default() -> Self {
        Self(parse_quote!(::edb))
    }
}

impl Parse for CratePath {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.call(Path::parse_mod_style).map(Self)
    }
}

impl ToTokens for CratePath {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.0.to_tokens(tokens);
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

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
        for wrong in
            [quote!(check(H)), quote!(check(H = -3)), quote!(check(H = 0.5)), quote!(check = 3)]
        {
            assert!(check(wrong).is_err());
        }
        assert!(Arguments::parse("vertex_helper", quote!(check(H = 3))).is_err());
    }

    #[test]
    fn a_path_into_edb_is_known_by_its_beginning() {
        let edb: CratePath = syn::parse_str("my::edb").unwrap();
        let leads = |text: &str| edb.leads_to(&syn::parse_str(text).unwrap());
        assert!(leads("my::edb::zeros") && leads("my::edb::prelude::zeros"));
        assert!(!leads("my::edb") && !leads("my::zeros") && !leads("edb::zeros"));
        assert!(CratePath::default().leads_to(&syn::parse_str("edb::prelude::zeros").unwrap()));
    }
}
