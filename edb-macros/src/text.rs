//! Source text for messages: expressions are formatted as in source code, and long ones shortened.

use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::{BinOp, Expr, Path, UnOp};

/// The maximum length of an operand in a message.
const OPERAND: usize = 28;
/// The maximum length of an expression in a message.
const WHOLE: usize = 56;

/// An operand, shortened.
pub(crate) fn operand(expr: &Expr) -> String {
    fitted(peel(expr), OPERAND)
}

/// An operand, shortened, to which a suggestion adds what binds tighter than operators: `.method(..)`, `as f64`.
pub(crate) fn receiver(expr: &Expr) -> String {
    let text = operand(expr);
    let binds_tightly = matches!(
        peel(expr),
        Expr::Path(_)
            | Expr::Call(_)
            | Expr::MethodCall(_)
            | Expr::Index(_)
            | Expr::Field(_)
            | Expr::Lit(_)
            | Expr::Array(_)
            | Expr::Tuple(_)
    );
    if binds_tightly && text != ".." { text } else { format!("({text})") }
}

/// The expression that an error is about, shortened.
pub(crate) fn whole(expr: &Expr) -> String {
    fitted(expr, WHOLE)
}

/// A path.
pub(crate) fn path(path: &Path) -> String {
    let leading = if path.leading_colon.is_some() { "::" } else { "" };
    let segments = path.segments.iter().map(|segment| {
        let arguments = &segment.arguments;
        let arguments = if arguments.is_none() { String::new() } else { tokens(arguments) };
        format!("{}{arguments}", segment.ident.unraw())
    });
    let segments: Vec<String> = segments.collect();
    format!("{leading}{}", segments.join("::"))
}

/// Any tokens, without the spaces that `to_string` puts between them.
pub(crate) fn tokens(tokens: impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    let spaces =
        [(" :: ", "::"), (":: ", "::"), (" <", "<"), ("< ", "<"), (" >", ">"), ("& ", "&")];
    for (spaced, tight) in spaces {
        text = text.replace(spaced, tight);
    }
    text
}

/// An expression without surrounding parentheses.
pub(crate) fn peel(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(inner) => peel(&inner.expr),
        Expr::Group(inner) => peel(&inner.expr),
        _ => expr,
    }
}

/// The expression, printed to the greatest depth that fits.
fn fitted(expr: &Expr, most: usize) -> String {
    (0..8)
        .rev()
        .map(|depth| print(expr, depth))
        .find(|text| text.len() <= most)
        .unwrap_or("..".into())
}

/// The expression, printed to a depth; deeper parts become `..`.
fn print(expr: &Expr, depth: usize) -> String {
    let inner = |expr: &Expr| match depth {
        0 => match expr {
            // A name or a literal is printed in full at any depth.
            Expr::Path(name) if name.path.get_ident().is_some() => print(expr, 0),
            Expr::Lit(_) => print(expr, 0),
            _ => "..".into(),
        },
        _ => print(expr, depth - 1),
    };
    let list = |items: &mut dyn Iterator<Item = &Expr>| match depth {
        0 => "..".into(),
        _ => items.map(inner).collect::<Vec<String>>().join(", "),
    };
    match expr {
        Expr::Path(expr) => path(&expr.path),
        Expr::Lit(expr) => tokens(expr),
        Expr::Group(expr) => print(&expr.expr, depth),
        Expr::Paren(expr) => format!("({})", inner(&expr.expr)),
        Expr::Binary(expr) => {
            format!("{} {} {}", inner(&expr.left), operator(&expr.op), inner(&expr.right))
        }
        Expr::Unary(expr) => {
            let operator = match expr.op {
                UnOp::Deref(_) => "*",
                UnOp::Not(_) => "!",
                _ => "-",
            };
            format!("{operator}{}", inner(&expr.expr))
        }
        Expr::Assign(expr) => format!("{} = {}", inner(&expr.left), inner(&expr.right)),
        Expr::MethodCall(expr) => {
            let turbofish = expr.turbofish.as_ref().map(tokens).unwrap_or_default();
            let arguments = list(&mut expr.args.iter());
            let arguments = if expr.args.is_empty() { String::new() } else { arguments };
            format!("{}.{}{turbofish}({arguments})", inner(&expr.receiver), expr.method)
        }
        Expr::Call(expr) => {
            let arguments = list(&mut expr.args.iter());
            let arguments = if expr.args.is_empty() { String::new() } else { arguments };
            format!("{}({arguments})", inner(&expr.func))
        }
        Expr::Field(expr) => format!("{}.{}", inner(&expr.base), tokens(&expr.member)),
        Expr::Index(expr) => format!("{}[{}]", inner(&expr.expr), inner(&expr.index)),
        Expr::Array(expr) => format!("[{}]", list(&mut expr.elems.iter())),
        Expr::Tuple(expr) => format!("({})", list(&mut expr.elems.iter())),
        Expr::Cast(expr) => format!("{} as {}", inner(&expr.expr), tokens(&expr.ty)),
        Expr::Range(expr) => {
            let end = |end: &Option<Box<Expr>>| end.as_deref().map(inner).unwrap_or_default();
            format!("{}..{}", end(&expr.start), end(&expr.end))
        }
        Expr::Struct(expr) => format!("{} {{ .. }}", path(&expr.path)),
        Expr::Block(_) => "{ .. }".into(),
        _ => "..".into(),
    }
}

/// A binary operator.
pub(crate) fn operator(op: &BinOp) -> String {
    op.to_token_stream().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expr(text: &str) -> Expr {
        syn::parse_str(text).unwrap()
    }

    #[test]
    fn short_expressions_read_as_written() {
        for text in [
            "u.dot(x)",
            "concat([l.h, r.h])",
            "a + b * -c",
            "(a + b).split::<2>()",
            "x.slice(0..2 * h)",
            "xs[k]",
            "h as f64",
            "gather::<Node>(0)",
        ] {
            assert_eq!(whole(&expr(text)), text);
        }
        assert_eq!(operand(&expr("(a + b)")), "a + b");
    }

    #[test]
    fn what_is_called_on_an_expression_is_called_on_all_of_it() {
        for (text, expected) in [
            ("x", "x"),
            ("(x)", "x"),
            ("w.dot(x)", "w.dot(x)"),
            ("left.h", "left.h"),
            ("xs[0]", "xs[0]"),
            ("0.5", "0.5"),
            ("w.dot(x) + b", "(w.dot(x) + b)"),
            ("(w.dot(x) * b)", "(w.dot(x) * b)"),
            ("-w.dot(x)", "(-w.dot(x))"),
            ("h as f64", "(h as f64)"),
            ("if c { a } else { b }", "(..)"),
        ] {
            assert_eq!(receiver(&expr(text)), expected);
        }
    }

    #[test]
    fn long_expressions_are_shortened() {
        let long = expr("some_weight.dot(concat([left.hidden, middle.hidden, right.hidden]))");
        assert_eq!(operand(&long), "some_weight.dot(concat(..))");
        assert_eq!(whole(&long), "some_weight.dot(concat([..]))");
    }
}
