//! `#[derive(State)]`, `#[derive(Input)]`, `#[derive(Output)]`.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, format_ident, quote};
use syn::ext::IdentExt as _;
use syn::{Data, DeriveInput, Field, Fields, Ident, Visibility};

use crate::attr::is_shape;
use crate::crate_path::{self, CratePath};
use crate::errors::Context;
use crate::function::is_named;

/// The derive that is expanding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marker {
    State,
    Input,
    Output,
}

impl Marker {
    fn name(self) -> &'static str {
        match self {
            Marker::State => "State",
            Marker::Input => "Input",
            Marker::Output => "Output",
        }
    }

    fn with_article(self) -> &'static str {
        match self {
            Marker::State => "a `State`",
            Marker::Input => "an `Input`",
            Marker::Output => "an `Output`",
        }
    }
}

/// Implements `Port` and the marker trait.
pub(crate) fn derive(input: &DeriveInput, marker: Marker) -> TokenStream {
    let edb = match CratePath::from_attributes(&input.attrs) {
        Ok(edb) => edb,
        Err(error) => return error.to_compile_error(),
    };
    let cx = Context::new();
    let fields = fields(&cx, input, marker);
    match cx.check() {
        Ok(()) => emit(&edb, input, marker, &fields),
        Err(errors) => {
            let errors = errors.to_compile_error();
            let stub = poisoned(&edb, input, marker);
            quote!(#errors #stub)
        }
    }
}

/// A checked field.
struct PortField<'a> {
    ident: &'a Ident,
    vis: &'a Visibility,
    ty: &'a syn::Type,
}

fn fields<'a>(cx: &Context, input: &'a DeriveInput, marker: Marker) -> Vec<PortField<'a>> {
    let name = marker.with_article();
    if !input.generics.params.is_empty() {
        let message = format!("{name} has no generics: tensors of every size are `Tensor`");
        cx.error(&input.generics, message);
        return Vec::new();
    }
    let data = match &input.data {
        Data::Struct(data) => data,
        Data::Enum(data) => {
            cx.error(data.enum_token, format!("{name} is a struct with named fields"));
            return Vec::new();
        }
        Data::Union(data) => {
            cx.error(data.union_token, format!("{name} is a struct with named fields"));
            return Vec::new();
        }
    };
    let Fields::Named(fields) = &data.fields else {
        let message = format!("{name} is a struct with named fields: `{{ h: Tensor }}`");
        match &data.fields {
            Fields::Unnamed(fields) => cx.error(fields, message),
            _ => cx.error(&input.ident, message),
        }
        return Vec::new();
    };
    if fields.named.is_empty() {
        cx.error(&input.ident, format!("`{}` has no fields", input.ident));
    }
    fields.named.iter().filter_map(|field| checked(cx, &input.ident, field, marker)).collect()
}

fn checked<'a>(
    cx: &Context,
    port: &Ident,
    field: &'a Field,
    marker: Marker,
) -> Option<PortField<'a>> {
    let ident = field.ident.as_ref()?;
    for attribute in &field.attrs {
        if attribute.path().is_ident("cfg") {
            cx.error(attribute, "the fields of a port are the same in every configuration");
        }
        if crate_path::is_edb(attribute) {
            cx.error(attribute, crate_path::ON_A_FIELD);
        }
    }
    if let Some(attribute) = field.attrs.iter().find(|attribute| is_shape(attribute)) {
        let (name, shape) = (ident, attribute.to_token_stream());
        let message = format!(
            "dimensions are names of a vertex function: the shape stands in its pattern, `let {port} {{ {shape} {name}, \
             .. }}: {port} = ..`"
        );
        cx.error(attribute, message);
    }
    let bag = is_named(&field.ty, &["Indices"]);
    let (vis, ty) = (&field.vis, &field.ty);
    match marker {
        _ if is_named(&field.ty, &["Tensor"]) => {}
        _ if is_named(&field.ty, &["Index"]) => {}
        Marker::Input if bag => {}
        Marker::Input if is_named(&field.ty, &["Option"]) => {
            let message = format!(
                "a field of an `Input` is always there: `let x: Option<{port}> = pull();` pulls all of it where a vertex \
                 has it; what only some vertices have is an `Input` of its own, for another function to pull"
            );
            cx.error(&field.ty, message);
        }
        Marker::Input => {
            cx.error(&field.ty, "a field of an `Input` is a `Tensor`, an `Index` or `Indices`");
        }
        _ => {
            let note = if bag { ": bags come from outside, in an `Input`" } else { "" };
            let article = marker.with_article();
            cx.error(&field.ty, format!("a field of {article} is a `Tensor` or an `Index`{note}"));
        }
    }
    Some(PortField { ident, vis, ty })
}

/// ```text
/// const _: () = {
///     pub struct NodeView<'a, T: 'a> { h: <Tensor as ::edb::__private::PortField>::View<'a, T>, .. }
///     impl ::edb::__private::Port for Node { .. }
///     impl ::edb::State for Node {}
///     // of an input: impl ::edb::__private::Given<Option<Word>> for Word { .. }
/// };
/// ```
fn emit(
    edb: &CratePath,
    input: &DeriveInput,
    marker: Marker,
    fields: &[PortField<'_>],
) -> TokenStream {
    let name = &input.ident;
    let text = name.unraw().to_string();
    let view = format_ident!("{}View", name.unraw(), span = name.span());
    let doc = format!("Views of the results that a [`{text}`] holds.");
    let given = given(edb, input, marker);
    let marker = format_ident!("{}", marker.name());
    let idents: Vec<&Ident> = fields.iter().map(|field| field.ident).collect();
    let names = idents.iter().map(|ident| ident.unraw().to_string());
    let docs = idents.iter().map(|ident| format!("The view of `{}`.", ident.unraw()));
    let visibilities = fields.iter().map(|field| field.vis);
    let types: Vec<&syn::Type> = fields.iter().map(|field| field.ty).collect();
    quote! {
        #[doc(hidden)]
        #[allow(
            dead_code,
            missing_docs,
            non_local_definitions,
            unreachable_pub,
            unused_qualifications,
            clippy::all,
        )]
        const _: () = {
            #[doc = #doc]
            #[derive(::core::fmt::Debug)]
            pub struct #view<'a, T: 'a> {
                #(
                    #[doc = #docs]
                    #visibilities #idents: <#types as #edb::__private::PortField>::View<'a, T>,
                )*
            }

            #[automatically_derived]
            impl #edb::__private::Port for #name {
                const NAME: &'static ::core::primitive::str = #text;
                const FIELDS: &'static [#edb::__private::Field] = &[#(
                    #edb::__private::Field {
                        name: #names,
                        kind: <#types as #edb::__private::PortField>::KIND,
                    },
                )*];
                type View<'a, T: 'a> = #view<'a, T>;

                fn read(
                    __edb_next: &mut dyn ::core::ops::FnMut() -> #edb::__private::PortValue,
                ) -> Self {
                    Self {
                        #(#idents: <#types as #edb::__private::PortField>::from_value(__edb_next()),)*
                    }
                }

                fn write(
                    self,
                    __edb_sink: &mut dyn ::core::ops::FnMut(#edb::__private::PortValue),
                ) {
                    #(__edb_sink(<#types as #edb::__private::PortField>::into_value(self.#idents));)*
                }

                fn view<'a, T: #edb::__private::Element>(
                    __edb_next: &mut dyn ::core::ops::FnMut()
                        -> #edb::__private::FieldView<'a, T>,
                ) -> Self::View<'a, T> {
                    #view {
                        #(#idents: <#types as #edb::__private::PortField>::view(__edb_next),)*
                    }
                }
            }

            #[automatically_derived]
            impl #edb::#marker for #name {}
            #given
        };
    }
}

/// An input is also passed where a vertex may be without it.
fn given(edb: &CratePath, input: &DeriveInput, marker: Marker) -> TokenStream {
    let name = &input.ident;
    let option = quote!(::core::option::Option<#name>);
    match marker {
        Marker::Input => quote! {
            #[automatically_derived]
            #[diagnostic::do_not_recommend]
            impl #edb::__private::Given<#option> for #name {
                fn give(self) -> #option {
                    ::core::option::Option::Some(self)
                }
            }
        },
        Marker::State | Marker::Output => TokenStream::new(),
    }
}

/// The implementations for a struct with errors, so that its uses cause no further errors.
fn poisoned(edb: &CratePath, input: &DeriveInput, marker: Marker) -> TokenStream {
    let name = &input.ident;
    let text = name.unraw().to_string();
    let given = given(edb, input, marker);
    let marker = format_ident!("{}", marker.name());
    let (impl_generics, type_generics, clause) = input.generics.split_for_impl();
    if !input.generics.params.is_empty() {
        return TokenStream::new();
    }
    quote! {
        #[automatically_derived]
        impl #impl_generics #edb::__private::Port for #name #type_generics #clause {
            const NAME: &'static ::core::primitive::str = #text;
            const FIELDS: &'static [#edb::__private::Field] = &[];
            type View<'a, T: 'a> = ();

            fn read(_: &mut dyn ::core::ops::FnMut() -> #edb::__private::PortValue) -> Self {
                ::core::unreachable!()
            }

            fn write(self, _: &mut dyn ::core::ops::FnMut(#edb::__private::PortValue)) {}

            fn view<'a, T: #edb::__private::Element>(
                _: &mut dyn ::core::ops::FnMut() -> #edb::__private::ArrayViewD<'a, T>,
            ) -> Self::View<'a, T> {
            }
        }

        #[automatically_derived]
        impl #edb::#marker for #name {}
        #given
    }
}
