//! Checks the meaning of a function's types and patterns. The plan knows only their names, but to rustc a name means
//! what is in scope under it. The code that is written here compiles only if both take a name for the same thing.
//!
//! ```text
//! use ::edb::__private::tied as __edb_tied;
//! __edb_tied::type_of_edb::<usize, __edb_tied::usize>();
//! __edb_tied::port_struct::<Node>();
//! __edb_tied::type_of_values::<Real>();
//! let [label @ _]: [(); 1] = [(); 1];
//! ```

use std::collections::HashSet;

use proc_macro2::{Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{
    Arm, Expr, ExprCall, ExprCast, ExprLet, ExprStruct, FnArg, Ident, ItemFn, Local, Pat, PatIdent,
    PatType, ReturnType, Type,
};

use crate::crate_path::CratePath;
use crate::function::is_named;
use crate::lower;
use crate::text;

/// The names of the types of the language.
const OF_EDB: [&str; 6] = ["Tensor", "Index", "Indices", "Dim", "usize", "f64"];

/// The checks of a function's types and patterns; `None` if edb's own functions already check them all.
pub(crate) fn checks(edb: &CratePath, item: &ItemFn, is_helper: bool) -> Option<TokenStream> {
    let mut types =
        Types { edb, known: HashSet::new(), checks: TokenStream::new(), names: Vec::new() };
    if is_helper {
        for input in &item.sig.inputs {
            let FnArg::Typed(typed) = input else { continue };
            types.ty(&typed.ty, "port_struct");
        }
        if let ReturnType::Type(_, ty) = &item.sig.output {
            types.ty(ty, "type_of_values");
        }
    }
    types.visit_block(&item.block);
    let Types { checks, names, .. } = types;
    if checks.is_empty() && names.is_empty() {
        return None;
    }
    let count = Literal::usize_unsuffixed(names.len());
    let names =
        (!names.is_empty()).then(|| quote!(let [#(#names @ _),*]: [(); #count] = [(); #count];));
    Some(quote! {
        use #edb::__private::tied as __edb_tied;
        #checks
        #names
    })
}

struct Types<'a> {
    edb: &'a CratePath,
    /// The checks that are already written.
    known: HashSet<String>,
    checks: TokenStream,
    /// The names that patterns bind. If there were a constant of such a name, rustc would take the name for it.
    names: Vec<Ident>,
}

impl Types<'_> {
    /// Checks the parts of a type. A part that does not have the name of a type of edb must pass `check`.
    fn ty(&mut self, ty: &Type, check: &str) {
        match ty {
            Type::Group(group) => self.ty(&group.elem, check),
            Type::Paren(paren) => self.ty(&paren.elem, check),
            Type::Array(array) => self.ty(&array.elem, check),
            Type::Tuple(tuple) => tuple.elems.iter().for_each(|ty| self.ty(ty, check)),
            Type::Path(path) => {
                let name = path.path.segments.last().map(|last| last.ident.to_string());
                match OF_EDB.into_iter().find(|known| name.as_deref() == Some(*known)) {
                    Some(known) => self.of_edb(ty, known),
                    None => self.check(check, ty),
                }
            }
            _ => {}
        }
    }

    /// Checks that a type that has the name of a type of edb or Rust is that type.
    fn of_edb(&mut self, ty: &Type, known: &str) {
        if self.is_new(known, ty) {
            let known = Ident::new(known, Span::call_site());
            let place = Span::call_site().located_at(ty.span());
            self.checks.extend(
                quote_spanned!(place=> __edb_tied::type_of_edb::<#ty, __edb_tied::#known>();),
            );
        }
    }

    fn check(&mut self, check: &str, ty: &dyn ToTokens) {
        let is_port = self.known.contains(&key("port_struct", ty));
        if !is_port && self.is_new(check, ty) {
            let check = Ident::new(check, Span::call_site());
            let place = Span::call_site().located_at(ty.span());
            self.checks.extend(quote_spanned!(place=> __edb_tied::#check::<#ty>();));
        }
    }

    fn is_new(&mut self, check: &str, ty: &dyn ToTokens) -> bool {
        self.known.insert(key(check, ty))
    }

    /// The name of the function of edb that an expression calls.
    fn primitive(&self, call: &Expr) -> Option<String> {
        match text::peel(call) {
            Expr::Call(call) => match text::peel(&call.func) {
                Expr::Path(path) => lower::function_of_edb(self.edb, &path.path),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether edb's own functions already make sure that the type of an expression is a port.
    fn is_read(&self, value: &Expr) -> bool {
        let is_read = |name: String| ["gather", "gather_or", "pull"].contains(&name.as_str());
        match text::peel(value) {
            Expr::Array(array) => array.elems.iter().all(|value| self.is_read(value)),
            value => self.primitive(value).is_some_and(is_read),
        }
    }

    /// Notes the names in a pattern that may fail to match.
    fn names(&mut self, pat: &Pat) {
        let mut names = Names { types: self };
        names.visit_pat(pat);
    }
}

fn key(check: &str, ty: &dyn ToTokens) -> String {
    format!("{check} {}", ty.to_token_stream())
}

impl<'ast> Visit<'ast> for Types<'_> {
    fn visit_local(&mut self, local: &'ast Local) {
        match &local.init {
            Some(init) if self.is_read(&init.expr) => self.visit_expr(&init.expr),
            _ => visit::visit_local(self, local),
        }
    }

    fn visit_pat_type(&mut self, typed: &'ast PatType) {
        self.ty(&typed.ty, "type_of_values");
        visit::visit_pat_type(self, typed);
    }

    fn visit_expr_cast(&mut self, cast: &'ast ExprCast) {
        if is_named(&cast.ty, &OF_EDB) {
            self.ty(&cast.ty, "type_of_values");
        }
        visit::visit_expr_cast(self, cast);
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        let name = match text::peel(&call.func) {
            Expr::Path(path) => lower::function_of_edb(self.edb, &path.path),
            _ => None,
        };
        // If the struct is no port, these calls do not compile, so it needs no check here.
        let is_told = |name: &str| ["scatter", "push", "gather_or"].contains(&name);
        let is_told = name.as_deref().is_some_and(is_told);
        for argument in &call.args {
            match text::peel(argument) {
                Expr::Struct(literal) if is_told => visit::visit_expr_struct(self, literal),
                _ => self.visit_expr(argument),
            }
        }
    }

    fn visit_expr_struct(&mut self, literal: &'ast ExprStruct) {
        self.check("port_struct", &literal.path);
        visit::visit_expr_struct(self, literal);
    }

    fn visit_expr_let(&mut self, binding: &'ast ExprLet) {
        self.names(&binding.pat);
        visit::visit_expr_let(self, binding);
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        self.names(&arm.pat);
        visit::visit_arm(self, arm);
    }
}

/// Visits the names in a pattern.
struct Names<'a, 'b> {
    types: &'a mut Types<'b>,
}

impl Names<'_, '_> {
    /// Checks that `None` is that of `Option`: a constant with this name could not have generics.
    fn none(&mut self, none: &dyn ToTokens) {
        if self.types.is_new("None", none) {
            self.types.checks.extend(quote!(let _ = #none::<()>;));
        }
    }
}

impl<'ast> Visit<'ast> for Names<'_, '_> {
    fn visit_pat(&mut self, pat: &'ast Pat) {
        match pat {
            Pat::Path(path) if path.path.segments.iter().all(|part| part.arguments.is_none()) => {
                self.none(&path.path);
            }
            pat => visit::visit_pat(self, pat),
        }
    }

    fn visit_pat_ident(&mut self, pat: &'ast PatIdent) {
        if pat.ident == "None" {
            self.none(&pat.ident);
        } else if self.types.known.insert(format!("{}", pat.ident)) {
            self.types.names.push(pat.ident.clone());
        }
        visit::visit_pat_ident(self, pat);
    }
}
