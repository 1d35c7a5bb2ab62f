//! What macros have put into a function: names that look alike, and operands without delimiters.
//!
//! A function under an attribute may have been written by a `macro_rules!` macro. Its own `x` and the `x` of
//! whoever calls it are two variables then, which rustc tells apart by where they come from (their hygiene), and
//! which the compiler of the plan could not. So every variable gets a name of its own wherever there are several of
//! one spelling, before anything else sees the function: the plan and what rustc compiles come from the same
//! tokens. Each token keeps its span, so that a use whose variable rustc does not see does not compile. Whether rustc
//! finds the same variable for the old names, too, it says itself: see [`Uses`].

use std::collections::{HashMap, HashSet};

use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Arm, Block, Expr, ExprCall, ExprClosure, ExprForLoop, ExprIf, ExprLet, ExprParen, ExprPath,
    ExprWhile, FieldPat, FieldValue, FnArg, Ident, ItemFn, Local, Pat, PatIdent, token,
};

use crate::crate_path::CratePath;
use crate::text;

/// Makes a function mean the same to rustc, to the compiler of plans, and to a reader of its text. Arguments that are
/// parameters keep their names, which are known outside.
///
/// Returns what has to compile beside the function, so that its names were understood as rustc does.
pub(crate) fn settle(edb: &CratePath, item: &mut ItemFn, keeps_arguments: bool) -> TokenStream {
    Groups.visit_block_mut(&mut item.block);
    let mut names = Names::new(item, keeps_arguments);
    if !names.are_mixed {
        return TokenStream::new();
    }
    names.visit_item_fn_mut(item);
    names.uses.checked_by_rustc(edb, item)
}

/// Where the name of an identifier is looked up: identifiers of one spelling are the same only if these are the
/// same. Without a compiler, as in tests, all are.
pub(crate) fn hygiene(span: Span) -> Option<String> {
    if !proc_macro::is_available() {
        return Some(String::new());
    }
    // `#7 bytes(12..15)`: nothing but this text gives it away. Names do not rest on it: see `Names`.
    let text = format!("{span:?}");
    let (context, _) = text.strip_prefix('#')?.split_once(' ')?;
    context.bytes().all(|byte| byte.is_ascii_digit()).then(|| context.to_owned())
}

/// The variables of a function, and the names that they get.
///
/// Names are found by spelling and hygiene. If rustc stops telling hygiene, they are found by spelling, and every
/// variable that shares its spelling gets a new name, which rustc finds only from where it sees the variable.
struct Names {
    keeps_arguments: bool,
    /// The variables in scope, innermost last.
    scope: Vec<Variable>,
    /// The identifiers of the function, by spelling: a new one is none of them.
    taken: HashSet<String>,
    /// How often each spelling has been declared.
    declared: HashMap<String, usize>,
    /// Names that are called without a path, as `f` is in `f(x)`: spelling and hygiene.
    called: HashSet<(String, Option<String>)>,
    /// Whether identifiers differ in more than their spelling.
    are_mixed: bool,
    uses: Uses,
}

struct Variable {
    /// It is the variable that was declared as the `number`th of all.
    number: usize,
    spelling: String,
    hygiene: Option<String>,
    /// Its new name, if it has one.
    name: Option<String>,
}

impl Names {
    fn new(item: &ItemFn, keeps_arguments: bool) -> Self {
        let (mut taken, mut kinds) = (HashSet::new(), HashMap::<String, Option<String>>::new());
        let mut are_mixed = false;
        each_ident(item.to_token_stream(), &mut |ident| {
            let (spelling, hygiene) = (ident.unraw().to_string(), hygiene(ident.span()));
            are_mixed |= hygiene.is_none();
            let known = kinds.entry(spelling.clone()).or_insert_with(|| hygiene.clone());
            are_mixed |= *known != hygiene;
            taken.insert(spelling);
        });
        let mut called = Called::default();
        called.visit_block(&item.block);
        let (scope, declared, called) = (Vec::new(), HashMap::new(), called.0);
        let uses = Uses::default();
        Self { keeps_arguments, scope, taken, declared, called, are_mixed, uses }
    }

    /// A new variable, which gets another name if it is not the first of its spelling, or if something of its spelling
    /// is called that is not it, or keeps its own.
    fn declare(&mut self, ident: &mut Ident, keeps: bool) {
        let spelling = ident.unraw().to_string();
        let hygiene = hygiene(ident.span());
        let number = self.uses.declare(ident);
        let count = self.declared.entry(spelling.clone()).or_default();
        *count += 1;
        let is_another = |called: &(String, _)| called.0 == spelling && called.1 != hygiene;
        let is_taken = *count > 1 || self.called.iter().any(is_another);
        let name = (is_taken && !keeps).then(|| {
            let mut suffix = (*count - 1).max(1);
            loop {
                let name = format!("{}_{suffix}", spelling.trim_end_matches('_'));
                if self.taken.insert(name.clone()) {
                    return name;
                }
                suffix += 1;
            }
        });
        if let Some(name) = &name {
            *ident = Ident::new(name, ident.span());
        }
        self.scope.push(Variable { number, spelling, hygiene, name });
    }

    /// Gives a use of a variable its name: of the variable with its hygiene, or else of the nearest with its spelling.
    /// If rustc does not see that variable there, the function does not compile.
    fn find(&mut self, ident: &mut Ident) {
        let (spelling, hygiene) = (ident.unraw().to_string(), hygiene(ident.span()));
        let alike = self.scope.iter().rev().filter(|variable| variable.spelling == spelling);
        let found = alike.clone().find(|variable| variable.hygiene == hygiene);
        let Some(variable) = found.or(alike.clone().next()) else { return };
        self.uses.find(ident, variable.number);
        if let Some(name) = &variable.name {
            *ident = Ident::new(name, ident.span());
        }
    }

    /// Visits what has variables of its own.
    fn within(&mut self, visit: impl FnOnce(&mut Self)) {
        let outer = self.scope.len();
        let before = std::mem::take(&mut self.uses.tokens);
        visit(self);
        self.scope.truncate(outer);
        let inside = std::mem::replace(&mut self.uses.tokens, before);
        self.uses.tokens.extend(quote!({ #inside }));
    }
}

impl VisitMut for Names {
    fn visit_item_fn_mut(&mut self, item: &mut ItemFn) {
        for input in &mut item.sig.inputs {
            let FnArg::Typed(typed) = input else { continue };
            match &mut *typed.pat {
                Pat::Ident(pat) => self.declare(&mut pat.ident, self.keeps_arguments),
                pat => self.visit_pat_mut(pat),
            }
        }
        self.visit_block_mut(&mut item.block);
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        self.within(|names| visit_mut::visit_block_mut(names, block));
    }

    fn visit_local_mut(&mut self, local: &mut Local) {
        // What a variable is made from does not see it.
        if let Some(init) = &mut local.init {
            self.visit_local_init_mut(init);
        }
        self.visit_pat_mut(&mut local.pat);
    }

    fn visit_expr_for_loop_mut(&mut self, each: &mut ExprForLoop) {
        self.visit_expr_mut(&mut each.expr);
        self.within(|names| {
            names.visit_pat_mut(&mut each.pat);
            names.visit_block_mut(&mut each.body);
        });
    }

    fn visit_expr_if_mut(&mut self, branch: &mut ExprIf) {
        self.within(|names| {
            names.visit_expr_mut(&mut branch.cond);
            names.visit_block_mut(&mut branch.then_branch);
        });
        if let Some((_, other)) = &mut branch.else_branch {
            self.visit_expr_mut(other);
        }
    }

    fn visit_expr_while_mut(&mut self, repeat: &mut ExprWhile) {
        self.within(|names| {
            names.visit_expr_mut(&mut repeat.cond);
            names.visit_block_mut(&mut repeat.body);
        });
    }

    fn visit_expr_let_mut(&mut self, binding: &mut ExprLet) {
        self.visit_expr_mut(&mut binding.expr);
        self.visit_pat_mut(&mut binding.pat);
    }

    fn visit_arm_mut(&mut self, arm: &mut Arm) {
        self.within(|names| visit_mut::visit_arm_mut(names, arm));
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut ExprClosure) {
        self.within(|names| visit_mut::visit_expr_closure_mut(names, closure));
    }

    fn visit_pat_ident_mut(&mut self, pat: &mut PatIdent) {
        // The one constant that a pattern may name.
        if pat.ident != "None" {
            self.declare(&mut pat.ident, false);
        }
        if let Some((_, pat)) = &mut pat.subpat {
            self.visit_pat_mut(pat);
        }
    }

    fn visit_field_pat_mut(&mut self, field: &mut FieldPat) {
        let before = field.pat.to_token_stream().to_string();
        self.visit_pat_mut(&mut field.pat);
        if field.colon_token.is_none() && before != field.pat.to_token_stream().to_string() {
            field.colon_token = Some(token::Colon::default());
        }
    }

    fn visit_field_value_mut(&mut self, field: &mut FieldValue) {
        let before = field.expr.to_token_stream().to_string();
        self.visit_expr_mut(&mut field.expr);
        if field.colon_token.is_none() && before != field.expr.to_token_stream().to_string() {
            field.colon_token = Some(token::Colon::default());
        }
    }

    fn visit_expr_call_mut(&mut self, call: &mut ExprCall) {
        // A function may have the spelling of a variable that is not seen here.
        let is_variable = |(spelling, hygiene): (String, Option<String>)| {
            let is = |of: &Variable| of.spelling == spelling && of.hygiene == hygiene;
            hygiene.is_none() || self.scope.iter().any(is)
        };
        if called(call).is_none_or(is_variable) {
            self.visit_expr_mut(&mut call.func);
        }
        call.args.iter_mut().for_each(|argument| self.visit_expr_mut(argument));
    }

    fn visit_expr_path_mut(&mut self, path: &mut ExprPath) {
        if is_alone(path) {
            self.find(&mut path.path.segments[0].ident);
        }
    }
}

/// The variables of a function, and where they are used, under their old names and in their old scopes. Each variable
/// has a type of its own, so that rustc compiles this only where it finds the variables that [`Names`] has found.
///
/// [`hygiene`] cannot tell that alone: what another procedural macro inserts at its call site has another one than
/// the function around it, and rustc lets it hide a variable of the function nevertheless.
///
/// ```text
/// let x = Variable::<0>;
/// { let x = Variable::<1>; of_edb::<1, _>(&x); }
/// of_edb::<0, _>(&x);
/// ```
#[derive(Default)]
struct Uses {
    tokens: TokenStream,
    declared: usize,
}

impl Uses {
    /// A new variable; returns its number.
    fn declare(&mut self, ident: &Ident) -> usize {
        let number = self.declared;
        self.declared += 1;
        let literal = Literal::usize_unsuffixed(number);
        self.tokens.extend(quote!(let #ident = __edb_tied::Variable::<#literal>;));
        number
    }

    /// A use of the variable with this number.
    fn find(&mut self, ident: &Ident, number: usize) {
        let number = Literal::usize_unsuffixed(number);
        let place = Span::call_site().located_at(ident.span());
        self.tokens
            .extend(quote_spanned!(place=> __edb_tied::variable_of_edb::<#number, _>(&#ident);));
    }

    fn checked_by_rustc(self, edb: &CratePath, item: &ItemFn) -> TokenStream {
        let cfgs = item.attrs.iter().filter(|attribute| attribute.path().is_ident("cfg"));
        let tokens = self.tokens;
        quote! {
            #(#cfgs)*
            #[allow(unused, nonstandard_style, clippy::all)]
            const _: () = {
                use #edb::__private::tied as __edb_tied;
                fn names() { #tokens }
            };
        }
    }
}

/// Whether a path is a name alone, which may be that of a variable.
fn is_alone(path: &ExprPath) -> bool {
    let path = &path.path;
    path.leading_colon.is_none() && path.segments.len() == 1 && path.segments[0].arguments.is_none()
}

/// The spelling and hygiene of the name that is called, if it stands alone.
fn called(call: &ExprCall) -> Option<(String, Option<String>)> {
    match text::peel(&call.func) {
        Expr::Path(path) if is_alone(path) => {
            let ident = &path.path.segments[0].ident;
            Some((ident.unraw().to_string(), hygiene(ident.span())))
        }
        _ => None,
    }
}

/// Collects the names that are called without a path.
#[derive(Default)]
struct Called(HashSet<(String, Option<String>)>);

impl<'ast> Visit<'ast> for Called {
    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        self.0.extend(called(call));
        visit::visit_expr_call(self, call);
    }
}

/// Calls `each` with every identifier.
fn each_ident(tokens: TokenStream, each: &mut impl FnMut(&Ident)) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => each(&ident),
            TokenTree::Group(group) => each_ident(group.stream(), each),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Makes an expression that a macro was called with, which stays one without delimiters there, one in parentheses:
/// rustc forgets what has no delimiters when a macro such as this one has read it.
struct Groups;

impl VisitMut for Groups {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        if let Expr::Group(group) = expr {
            // No one has written them: as tokens of this macro, no lint finds that some are not needed.
            let span = Span::mixed_site().located_at(group.group_token.span);
            let inner = std::mem::replace(&mut *group.expr, Expr::PLACEHOLDER);
            *expr = match inner {
                inner @ (Expr::Path(_)
                | Expr::Lit(_)
                | Expr::Paren(_)
                | Expr::Call(_)
                | Expr::MethodCall(_)
                | Expr::Field(_)
                | Expr::Index(_)
                | Expr::Array(_)
                | Expr::Tuple(_)) => inner,
                inner => {
                    let paren_token = token::Paren(span);
                    Expr::Paren(ExprParen { attrs: Vec::new(), paren_token, expr: Box::new(inner) })
                }
            };
        }
    }
}
