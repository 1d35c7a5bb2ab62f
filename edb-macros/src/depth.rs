//! Measures how deep an expression is. The code that reads a function calls itself for each part of an expression, on
//! the stack of rustc, which is finite. So an expression that is too deep is refused before anything is read.

use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};
use quote::quote;

/// The greatest depth that is read. A sum of about this many terms has it, or a chain of about this many methods.
const MOST: usize = 1600;

/// How much a level of braces adds to the depth.
const BLOCK: usize = 8;

/// How much any other level adds to the depth, and an `else`.
const LEVEL: usize = 4;

/// Fails if a function is too deep; the error is at the first token that is too deep.
pub(crate) fn check(tokens: &TokenStream) -> syn::Result<()> {
    let deep = |span| {
        let message = "this expression is too long, or nested too deep, to be read: name its parts, \
                       `let part = ..;`";
        syn::Error::new(span, message)
    };
    depth(tokens.clone(), 0).map(drop).map_err(deep)
}

/// A function whose body is replaced by one that only panics.
pub(crate) fn without_body(tokens: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    if let Some(TokenTree::Group(body)) = tokens.last()
        && body.delimiter() == Delimiter::Brace
    {
        tokens.pop();
        tokens.extend(quote!({ ::core::unreachable!() }));
    }
    tokens.into_iter().collect()
}

/// The depth of the deepest expression in these tokens. `outside`, the depth at which they stand, is not included. The
/// error is the first token that is too deep.
fn depth(tokens: TokenStream, outside: usize) -> Result<usize, Span> {
    let (mut deepest, mut own, mut parts) = (0, 0, 0);
    let mut behind_block = false;
    for token in tokens {
        let was_behind_block = std::mem::take(&mut behind_block);
        let span = token.span();
        match token {
            TokenTree::Ident(ident) if ident == "else" => own += LEVEL,
            TokenTree::Punct(punct) => match punct.as_char() {
                ';' | ',' => (own, parts) = (0, 0),
                '+' | '-' | '*' | '/' | '.' | '!' => own += 1,
                // Only `&&` and `||` count: the parts of a pattern, `Index(0) | Index(1)`, stand side by side.
                '&' | '|' if punct.spacing() == Spacing::Joint => own += 1,
                _ => {}
            },
            TokenTree::Group(group) => {
                let is_block = group.delimiter() == Delimiter::Brace;
                let level = if is_block { BLOCK } else { LEVEL };
                if was_behind_block && group.delimiter() != Delimiter::None {
                    (own, parts) = (0, 0);
                }
                let outside = outside + own + level;
                if outside > MOST {
                    return Err(span);
                }
                parts = parts.max(level + depth(group.stream(), outside)?);
                behind_block = is_block;
            }
            // A new statement begins here, since the last one has ended with a block.
            TokenTree::Ident(_) | TokenTree::Literal(_) if was_behind_block => {
                (own, parts) = (0, 0);
            }
            TokenTree::Ident(_) | TokenTree::Literal(_) => {}
        }
        deepest = deepest.max(own + parts);
        if outside + deepest > MOST {
            return Err(span);
        }
    }
    Ok(deepest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<usize> {
        depth(text.parse().unwrap(), 0).ok()
    }

    #[test]
    fn what_is_inside_of_another_is_deeper() {
        assert_eq!(of("a + b.tanh() * -c"), Some(4 + LEVEL));
        assert_eq!(of("f(a + b) + g(a)"), Some(2 + LEVEL));
        assert_eq!(of("a + b; a + b + c; a"), Some(2));
        assert_eq!(of("[a + b, c + d, e + f]"), Some(1 + LEVEL));
        assert_eq!(of("{ a + b } else { c }"), Some(1 + LEVEL + BLOCK));
    }

    #[test]
    fn statements_are_side_by_side() {
        let statements = "if x.sum() > 0.0 { y = y + 1.0; } else { y = -y; } ".repeat(1000);
        assert_eq!(of(&statements), Some(1 + LEVEL + 1 + BLOCK));
        let arms = "Index(0) | Index(1) => { a + b } ".repeat(1000);
        assert_eq!(of(&arms), Some(1 + BLOCK));
    }

    #[test]
    fn what_is_too_deep_is_refused() {
        for one in ["x + ", "x.tanh() + ", "-"] {
            assert!(of(&format!("{}x", one.repeat(700))).is_some());
            assert_eq!(of(&format!("{}x", one.repeat(2000))), None, "{one}");
        }
        for (open, close) in [("(", ")"), ("{ ", " }"), ("f(x, ", ")"), ("if x { x } else { ", "}")]
        {
            let nested = |levels| format!("{}x{}", open.repeat(levels), close.repeat(levels));
            assert!(of(&nested(100)).is_some());
            assert_eq!(of(&nested(500)), None, "{open}");
            assert_eq!(of(&nested(4000)), None, "{open}");
        }
        let arms = "if x { x } else ".repeat(500);
        assert_eq!(of(&format!("{arms} {{ x }}")), None);
    }
}
