//! A procedural macro that is not edb's, for programs in `compile_fail`.

extern crate proc_macro;

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// Inserts `let x = x * 2.0;` at the beginning of a function, as if it stood where the attribute does.
#[proc_macro_attribute]
pub fn doubles_x(_: TokenStream, function: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = function.into_iter().collect();
    if let Some(TokenTree::Group(body)) = tokens.pop() {
        let mut inside: TokenStream = "let x = x * 2.0;".parse().unwrap();
        inside.extend(body.stream());
        tokens.push(Group::new(Delimiter::Brace, inside).into());
    }
    tokens.into_iter().collect()
}
