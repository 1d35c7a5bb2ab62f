//! The items that are emitted beside a vertex function.

use std::collections::BTreeMap;

use edb_ir::Plan;
use proc_macro2::{Delimiter, Group, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, Expr, ExprCall, ExprMethodCall, FieldPat, FnArg, Ident, ItemFn, LitInt, Stmt,
    WherePredicate, parse_quote,
};

use crate::attr::{Role, is_helper, is_shape};
use crate::crate_path::CratePath;
use crate::function::Function;
use crate::helper::Expansion;
use crate::kernels::kernels;
use crate::lower::{self, Ports};
use crate::text;
use crate::ties::{called, ports};
use crate::value::TypeName;

/// The function as written, without the macro's helper attributes.
///
/// ```text
/// #[allow(clippy::too_many_arguments, clippy::needless_range_loop)]
/// fn phrase(u: Tensor, b: Tensor) { .. }
/// ```
///
/// If it has no errors so far, its calls of edb are [`Tied`]; otherwise it does not compile, and rustc's messages
/// are clearer without. If its errors are left to rustc, the function begins with an error that ends the build if rustc
/// finds none. rustc reaches this error only if the function has no others, so the function checks its `types` in its
/// own body then, and not beside it. The `bounds` of its ports are not documented.
pub(crate) fn item(
    edb: &CratePath,
    item: &ItemFn,
    types: Option<TokenStream>,
    bounds: Vec<WherePredicate>,
    left_to_rustc: bool,
    is_clean: bool,
) -> TokenStream {
    let mut item = without_helper_attributes(item);
    let documented = (!bounds.is_empty()).then(|| {
        let mut item = item.clone();
        item.attrs.push(parse_quote!(#[cfg(doc)]));
        *item.block = parse_quote!({ ::core::unreachable!() });
        item
    });
    let mut unknown = UnknownOps::default();
    unknown.visit_block(&item.block);
    if !unknown.0.is_empty() {
        item.block.stmts.splice(..0, unknown.stand_in(edb));
    }
    if is_clean {
        let mut tied = Tied { edb, any: false };
        tied.visit_block_mut(&mut item.block);
        if tied.any {
            item.block.stmts.insert(0, parse_quote!(use #edb::__private::tied as __edb_tied;));
        }
    }
    let allowed = quote!(#[allow(unused, nonstandard_style, deprecated, clippy::all)]);
    if left_to_rustc {
        let panic = not_compiled();
        item.block.stmts.insert(0, parse_quote!(const { if true { #panic } };));
        if let Some(types) = &types {
            item.block.stmts.insert(0, parse_quote!(#allowed { #types }));
        }
    }
    let cfgs = item.attrs.iter().filter(|attribute| attribute.path().is_ident("cfg"));
    let types = types.filter(|_| !left_to_rustc).map(|types| {
        quote! {
            #(#cfgs)*
            #allowed
            const _: () = {
                fn types() { #types }
            };
        }
    });
    if documented.is_some() {
        item.attrs.push(parse_quote!(#[cfg(not(doc))]));
        // A type that is less visible than the function is an error at the function's ports.
        item.attrs.push(parse_quote!(#[allow(private_bounds)]));
        item.sig.generics.make_where_clause().predicates.extend(bounds);
    }
    quote! {
        // Vertex functions need both: parameters are arguments, and arrays are indexed.
        #[allow(clippy::too_many_arguments, clippy::needless_range_loop)]
        #item
        #documented
        #types
    }
}

/// A function without `#[param(..)]`, `#[dim(..)]` and `#[shape(..)]`, which rustc does not know.
pub(crate) fn without_helper_attributes(item: &ItemFn) -> ItemFn {
    let mut item = item.clone();
    for input in &mut item.sig.inputs {
        match input {
            FnArg::Typed(typed) => typed.attrs.retain(|attribute| !is_helper(attribute)),
            FnArg::Receiver(receiver) => receiver.attrs.retain(|attribute| !is_helper(attribute)),
        }
    }
    WithoutShapes.visit_block_mut(&mut item.block);
    item
}

struct WithoutShapes;

impl VisitMut for WithoutShapes {
    fn visit_field_pat_mut(&mut self, field: &mut FieldPat) {
        field.attrs.retain(|attribute| !is_shape(attribute));
        visit_mut::visit_field_pat_mut(self, field);
    }
}

/// Ties each call of a function of edb to that function, so that a function of the user's with such a name is an
/// error where it is called: the plan computes what edb's does.
///
/// ```text
/// use ::edb::__private::tied as __edb_tied;
/// __edb_tied::the_function_of_edb(zeros, __edb_tied::zeros)(h)
/// ```
struct Tied<'a> {
    edb: &'a CratePath,
    /// Whether there is such a call.
    any: bool,
}

impl Tied<'_> {
    /// Ties a call of a method of `Option`, which takes a reference. If a trait of the user has a method of this name
    /// that takes the value, Rust prefers that one.
    ///
    /// ```text
    /// __edb_tied::the_method_of_option(gold.is_some(), || {
    ///     use __edb_tied::MethodsOfOption as _;
    ///     __edb_tied::one_like(&gold).is_some()
    /// })
    /// ```
    fn method(&mut self, call: &ExprMethodCall) -> Expr {
        self.any = true;
        let (receiver, name) = (&call.receiver, &call.method);
        // These tokens have the place of the receiver, so that rustc's errors point to it.
        let place = Span::call_site().located_at(receiver.span());
        let like = quote_spanned!(place=> __edb_tied::one_like(&#receiver).#name());
        parse_quote! {
            __edb_tied::the_method_of_option(#call, || {
                use __edb_tied::MethodsOfOption as _;
                #like
            })
        }
    }
}

impl VisitMut for Tied<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        if let Expr::MethodCall(call) = expr
            && call.args.is_empty()
            && lower::OPTIONAL.iter().any(|name| call.method == name)
        {
            *expr = self.method(call);
        }
    }

    fn visit_expr_call_mut(&mut self, call: &mut ExprCall) {
        visit_mut::visit_expr_call_mut(self, call);
        let Expr::Path(path) = text::peel(&call.func) else { return };
        let Some(name) = lower::function_of_edb(self.edb, &path.path) else { return };
        self.any = true;
        // All at the place of the path, so that rustc's errors about the call are those of a plain one.
        let span = path.path.span();
        let name = Ident::new(&name, Span::call_site());
        let function = located(quote!(__edb_tied::the_function_of_edb), span);
        let known = located(quote!(__edb_tied::#name), span);
        let arguments = [path.to_token_stream(), quote!(,), known];
        let mut arguments = Group::new(Delimiter::Parenthesis, arguments.into_iter().collect());
        arguments.set_span(Span::call_site().located_at(span));
        *call.func = parse_quote!(#function #arguments);
    }
}

/// Tokens that mean what they do where they were written, and stand at another place.
fn located(tokens: TokenStream, place: Span) -> TokenStream {
    let moved = |mut token: TokenTree| {
        token.set_span(token.span().located_at(place));
        token
    };
    tokens.into_iter().map(moved).collect()
}

/// The unknown methods that a function calls, with the number of their arguments.
///
/// Each is already reported, with a suggestion; without this, rustc would report it again.
#[derive(Default)]
struct UnknownOps(BTreeMap<Ident, usize>);

impl<'ast> Visit<'ast> for UnknownOps {
    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        let name = call.method.to_string();
        let known = lower::methods().contains(&name.as_str());
        let of_rust = lower::ITERATORS.iter().chain(&lower::OPTIONAL).chain(&["clone"]);
        if !known && of_rust.into_iter().all(|of_rust| *of_rust != name) {
            self.0.insert(call.method.clone(), call.args.len());
        }
        visit::visit_expr_method_call(self, call);
    }
}

impl UnknownOps {
    /// A trait that declares these methods.
    ///
    /// ```text
    /// trait Unknown: Sized { fn convolve<A0>(self, _: A0) -> ::edb::Tensor { .. } }
    /// impl Unknown for ::edb::Tensor {}
    /// ```
    fn stand_in(&self, edb: &CratePath) -> [Stmt; 2] {
        let methods = self.0.iter().map(|(name, &arguments)| {
            let types: Vec<Ident> =
                (0..arguments).map(|argument| format_ident!("A{argument}")).collect();
            quote! {
                fn #name<#(#types),*>(self, #(_: #types),*) -> #edb::Tensor {
                    ::core::unreachable!()
                }
            }
        });
        [
            parse_quote!(trait Unknown: Sized { #(#methods)* }),
            parse_quote!(impl Unknown for #edb::Tensor {}),
        ]
    }
}

/// The struct with the function's name, and its `VertexFunction` implementation.
///
/// ```text
/// pub struct phrase {}
/// impl ::edb::VertexFunction for phrase {
///     type Children<'a> = [::edb::Vertex<Node>; 2];
///     type Input = ();
///     type State = Node;
///     type Output = ();
///     const NAME: &'static ::core::primitive::str = "phrase";
///     fn definition() -> ::edb::__private::Definition {
///         use ::edb::__private::tied::Undefined as _;
///         ::edb::__private::tied::of_function::<phrase>().definition()
///     }
/// }
/// impl ::edb::__private::tied::Defined for phrase where .. {
///     fn definition() -> ::edb::__private::Definition { .. }
/// }
/// ```
pub(crate) fn vertex_function(
    edb: &CratePath,
    function: &Function<'_>,
    own: &Ports,
    definition: &TokenStream,
) -> TokenStream {
    let Function { item, name, .. } = function;
    let (ident, vis) = (&item.sig.ident, &item.vis);
    let cfgs: Vec<&Attribute> = item.attrs.iter().filter(|a| a.path().is_ident("cfg")).collect();
    let doc = format!("The vertex function `{name}`, as a type to make a model of.");
    let children = children(edb, own);
    // Each line has the span of the user's type, so that rustc reports there a type that is not a
    // state, or is less visible than the function.
    let port = |name: &str, ty: &Option<TypeName>| {
        let (name, path) = (format_ident!("{name}"), port(ty));
        let span = ty.as_ref().map_or(Span::call_site(), |ty| ty.path.span());
        let place = Span::call_site().located_at(span);
        let path = match name == "Input" && own.has_input.is_some() {
            true => quote_spanned!(place=> ::core::option::Option<#path>),
            false => path,
        };
        quote_spanned!(place=> type #name = #path;)
    };
    let input = port("Input", &own.input);
    let state = port("State", &own.state);
    let output = port("Output", &own.output);
    let (bounds, checks) = (ports::bounds(edb, own), ports::checks(edb, own));
    let checks = checks.map(|checks| {
        quote! {
            #(#cfgs)*
            #[allow(unused, deprecated, clippy::all)]
            const _: () = {
                fn states() { #checks }
            };
        }
    });
    quote! {
        #(#cfgs)*
        #[doc = #doc]
        #[allow(non_camel_case_types, dead_code)]
        #vis struct #ident {}

        #(#cfgs)*
        #[automatically_derived]
        #[allow(deprecated, unused_qualifications, non_local_definitions, clippy::all)]
        impl #edb::VertexFunction for #ident {
            type Children<'a> = #children;
            #input
            #state
            #output
            const NAME: &'static ::core::primitive::str = #name;

            fn definition() -> #edb::__private::Definition {
                #[allow(unused_imports)]
                use #edb::__private::tied::Undefined as _;
                #edb::__private::tied::of_function::<#ident>().definition()
            }
        }

        #(#cfgs)*
        #[automatically_derived]
        #[allow(deprecated, unused_qualifications, non_local_definitions, clippy::all)]
        impl #edb::__private::tied::Defined for #ident
        where
            #(#bounds,)*
        {
            fn definition() -> #edb::__private::Definition {
                #definition
            }
        }

        #checks
    }
}

fn port(ty: &Option<TypeName>) -> TokenStream {
    match ty {
        Some(ty) => ty.path.to_token_stream(),
        None => quote!(()),
    }
}

/// The type in which the user passes the children.
fn children(edb: &CratePath, ports: &Ports) -> TokenStream {
    let mut members: Vec<TokenStream> = ports
        .ordered()
        .iter()
        .map(|place| {
            let ty = &place.ty.path;
            match place.optional {
                true => quote!(::core::option::Option<#edb::Vertex<#ty>>),
                false => quote!(#edb::Vertex<#ty>),
            }
        })
        .collect();
    let rest = ports.rest.as_ref().map(|ty| {
        let ty = &ty.path;
        quote!(&'a [#edb::Vertex<#ty>])
    });
    match (members.as_slice(), rest) {
        ([], None) => quote!(()),
        ([], Some(rest)) => rest,
        ([first, ..], None) if ports.are_alike() => {
            let count = Literal::usize_unsuffixed(members.len());
            quote!([#first; #count])
        }
        (_, rest) => {
            members.extend(rest);
            quote!((#(#members,)*))
        }
    }
}

/// The body of `definition`.
///
/// ```text
/// ::edb::__private::Definition {
///     own: ::edb::__private::Compiled { .. },
///     tangent: ::core::option::Option::None,
///     states: ::std::vec![::edb::__private::PortType::of::<Node>()],
///     input: ::edb::__private::PortType::of::<()>(),
///     output: ::edb::__private::PortType::of::<()>(),
///     eager: ::core::option::Option::Some(|arguments| phrase(arguments.params[0], ..)),
///     sources: ::std::vec![],
///     calls: &[],
/// }
/// ```
pub(crate) fn definition(
    expansion: &Expansion,
    function: &Function<'_>,
    ports: &Ports,
    plans: &Plans<'_>,
) -> TokenStream {
    let (edb, calls) = (&expansion.edb, called::of_function(expansion));
    let own = compiled(edb, plans.own);
    let sources = plans.sources.iter().map(|(state, plan)| {
        let (state, own) = (&ports.states[*state].path, compiled(edb, plan));
        quote!(#edb::__private::Source { state: #edb::__private::PortType::of::<#state>(), own: #own })
    });
    let sources = match plans.sources.is_empty() {
        true => quote!(::std::vec![]),
        // Nothing of a test is in a program.
        false => quote!({
            #[cfg(test)]
            let sources = ::std::vec![#(#sources),*];
            #[cfg(not(test))]
            let sources = ::std::vec![];
            sources
        }),
    };
    let tangent = match plans.tangent.map(|tangent| compiled(edb, tangent)) {
        Some(tangent) => quote!(::core::option::Option::Some(#tangent)),
        None => quote!(::core::option::Option::None),
    };
    let states = ports.states.iter().map(|ty| &ty.path);
    let [input, output] = [&ports.input, &ports.output].map(port);
    let ident = &function.item.sig.ident;
    let mut params = 0..;
    let arguments = function.arguments.iter().map(|argument| match &argument.role {
        Some(Role::Dim(dim)) => {
            let dim = Literal::usize_unsuffixed(usize::from(dim.unwrap_or_default()));
            quote!(__edb_arguments.dims[#dim])
        }
        _ => {
            let param = Literal::usize_unsuffixed(params.next().unwrap_or_default());
            quote!(__edb_arguments.params[#param])
        }
    });
    let arguments: Vec<TokenStream> = arguments.collect();
    quote! {
        #edb::__private::Definition {
            own: #own,
            tangent: #tangent,
            states: ::std::vec![#(#edb::__private::PortType::of::<#states>()),*],
            input: #edb::__private::PortType::of::<#input>(),
            output: #edb::__private::PortType::of::<#output>(),
            eager: ::core::option::Option::Some(
                |__edb_arguments: &#edb::__private::EagerArguments<'_>| #ident(#(#arguments),*)
            ),
            sources: #sources,
            calls: #calls,
        }
    }
}

/// What a definition is made of.
pub(crate) struct Plans<'a> {
    pub(crate) own: &'a Plan,
    pub(crate) tangent: Option<&'a Plan>,
    /// For the function's test: a plan for each state that it gathers, by the state's number.
    pub(crate) sources: Vec<(usize, Plan)>,
}

/// The test of a function: its plan against the function itself.
///
/// ```text
/// #[cfg(test)]
/// #[test]
/// fn phrase_compiled_equals_eager() {
///     ::edb::__private::check_function::<phrase>(&[("H", 3)]);
/// }
/// ```
pub(crate) fn test(edb: &CratePath, item: &ItemFn, sizes: &[(Ident, LitInt)]) -> TokenStream {
    let ident = &item.sig.ident;
    let cfgs = item.attrs.iter().filter(|a| a.path().is_ident("cfg"));
    let name = format_ident!("{}_compiled_equals_eager", ident.unraw(), span = ident.span());
    let sizes = sizes.iter().map(|(name, size)| {
        let name = name.unraw().to_string();
        quote!((#name, #size))
    });
    quote! {
        #(#cfgs)*
        #[cfg(test)]
        #[test]
        fn #name() {
            #edb::__private::check_function::<#ident>(&[#(#sizes),*]);
        }
    }
}

/// A plan with its compiled kernels.
///
/// ```text
/// static PLAN: ::edb::__private::PlanCell = ::edb::__private::PlanCell::new(b"..");
/// ::edb::__private::Compiled {
///     plan: PLAN.get(),
///     kernels: ::edb::__private::kernels! { .. },
///     sections: ::std::vec![],
/// }
/// ```
fn compiled(edb: &CratePath, plan: &Plan) -> TokenStream {
    let bytes = Literal::byte_string(&plan.encode());
    let sections = plan.sections.iter().map(|section| kernels(edb, section));
    let sections: Vec<TokenStream> = sections.collect();
    let kernels = kernels(edb, plan);
    quote! {{
        static __EDB_PLAN: #edb::__private::PlanCell = #edb::__private::PlanCell::new(#bytes);
        #edb::__private::Compiled {
            plan: __EDB_PLAN.get(),
            kernels: #kernels,
            sections: ::std::vec![#(#sections),*],
        }
    }}
}

/// The body of `definition` of a function that has the error which [`item`] begins with: that is found only in what
/// is compiled, so this refers to it.
pub(crate) fn as_in_the_item(item: &ItemFn) -> TokenStream {
    let (name, arguments) = (&item.sig.ident, item.sig.inputs.iter().map(|_| quote!(_)));
    quote! {{
        let _: fn(#(#arguments),*) = #name;
        ::core::unreachable!()
    }}
}

/// The body of `definition` of a function that calls a helper without a plan. Usually, errors of the helper end the
/// build. If there are none, this body is an error when the crate is built.
pub(crate) fn without_helper() -> TokenStream {
    let panic = not_compiled();
    quote! {{
        fn not_compiled<T>() {
            const { #panic }
        }
        not_compiled::<()>();
        ::core::unreachable!()
    }}
}

/// The body of `definition` of a function with errors, which are `reported` beside it, or left to
/// rustc. If rustc finds none, this is one, when the crate is built.
///
/// ```text
/// const { ::core::panic!("..") }
/// ```
pub(crate) fn poisoned(reported: bool) -> TokenStream {
    if reported {
        // It is never run: the errors beside it end the build.
        return quote!(::core::unreachable!());
    }
    let panic = not_compiled();
    quote!(const { #panic })
}

fn not_compiled() -> TokenStream {
    quote! {
        ::core::panic!(
            "edb cannot compile this function, or a helper that it calls, though Rust can. Does it use one field of a port both as a tensor \
             and as an index? Write its type where it is read: `let i: Index = word.i;`"
        )
    }
}
