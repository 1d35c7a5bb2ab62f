//! `#[derive(Functions)]`.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{Data, DeriveInput, Fields, Ident, Type};

use crate::crate_path::{self, CratePath};
use crate::errors::Context;

/// Implements `Functions`.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let edb = match CratePath::from_attributes(&input.attrs) {
        Ok(edb) => edb,
        Err(error) => return error.to_compile_error(),
    };
    let cx = Context::new();
    let fields = fields(&cx, input);
    match cx.check() {
        Ok(()) => emit(&edb, input, &added(&fields)),
        Err(errors) => {
            let errors = errors.to_compile_error();
            // So that its uses cause no further errors.
            let stub = emit(&edb, input, &quote!(::core::unreachable!()));
            quote!(#errors #stub)
        }
    }
}

/// The fields of a struct, by name.
fn fields<'a>(cx: &Context, input: &'a DeriveInput) -> Vec<(&'a Ident, &'a Type)> {
    const FIELDS: &str =
        "vertex functions are the named fields of a struct: `{ leaf: Function<leaf> }`";
    let data = match &input.data {
        Data::Struct(data) => data,
        Data::Enum(data) => {
            cx.error(data.enum_token, FIELDS);
            return Vec::new();
        }
        Data::Union(data) => {
            cx.error(data.union_token, FIELDS);
            return Vec::new();
        }
    };
    if let Fields::Unnamed(fields) = &data.fields {
        cx.error(fields, format!("{FIELDS}; a function in a model has the name of its field"));
        return Vec::new();
    }
    if data.fields.is_empty() {
        cx.error(
            &input.ident,
            format!(
                "`{}` has no functions: give each a field, `leaf: Function<leaf>`",
                input.ident
            ),
        );
    }
    let on_fields = data.fields.iter().flat_map(|field| &field.attrs);
    for attribute in on_fields.filter(|attribute| crate_path::is_edb(attribute)) {
        cx.error(attribute, crate_path::ON_A_FIELD);
    }
    data.fields.iter().filter_map(|field| Some((field.ident.as_ref()?, &field.ty))).collect()
}

/// The name of the variable through which functions are added.
fn adder(span: Span) -> Ident {
    Ident::new("__edb_fields", Span::mixed_site().located_at(span))
}

/// The struct, field by field. What is wrong with a field's type is reported at the type.
fn added(fields: &[(&Ident, &Type)]) -> TokenStream {
    let fields = fields.iter().map(|(ident, ty)| {
        let (name, adder) = (ident.unraw().to_string(), adder(ty.span()));
        let added = quote_spanned!(adder.span()=> #adder.add(#name));
        quote!(#ident: #added)
    });
    quote!(Self { #(#fields),* })
}

/// ```text
/// impl ::edb::Functions for Json {
///     fn add(fields: &mut ::edb::model::FunctionFields<'_>) -> Self {
///         Self { leaf: fields.add("leaf"), .. }
///     }
/// }
/// ```
fn emit(edb: &CratePath, input: &DeriveInput, body: &TokenStream) -> TokenStream {
    let (name, adder) = (&input.ident, adder(Span::call_site()));
    let (impl_generics, type_generics, clause) = input.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        #[allow(unused_qualifications, clippy::all)]
        impl #impl_generics #edb::Functions for #name #type_generics #clause {
            fn add(#adder: &mut #edb::model::FunctionFields<'_>) -> Self {
                #body
            }
        }
    }
}
