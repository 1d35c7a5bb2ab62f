//! `crate = path`: the path by which the code that a macro writes names edb.
//!
//! That is `::edb`, unless the user says otherwise: a dependency may be renamed, and edb may be
//! reached by way of a crate that re-exports it.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::meta::ParseNestedMeta;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Lit, Path, Token, parse_quote};

use crate::text;

/// The attribute of vertex functions.
pub(crate) const VERTEX_FUNCTION: &str = "vertex_function";

/// What is said of a helper attribute of the derives that stands on a field.
pub(crate) const ON_A_FIELD: &str =
    "`#[edb(..)]` stands on the struct: it says where edb is for all of it";

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

/// Reads the argument `crate = my::edb` of `attribute`; any other is an error.
pub(crate) fn argument(
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
    use super::*;

    #[test]
    fn a_path_into_edb_is_known_by_its_beginning() {
        let edb: CratePath = syn::parse_str("my::edb").unwrap();
        let leads = |text: &str| edb.leads_to(&syn::parse_str(text).unwrap());
        assert!(leads("my::edb::zeros") && leads("my::edb::prelude::zeros"));
        assert!(!leads("my::edb") && !leads("my::zeros") && !leads("edb::zeros"));
        assert!(CratePath::default().leads_to(&syn::parse_str("edb::prelude::zeros").unwrap()));
    }
}
