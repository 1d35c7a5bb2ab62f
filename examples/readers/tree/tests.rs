use proptest::prelude::*;

use super::*;

fn parse(line: &str) -> Tree {
    line.parse().unwrap_or_else(|error| panic!("`{line}`: {error}"))
}

#[test]
fn children_come_before_their_parent() {
    let tree = parse("(3 (2 a) (4 (3 good) (2 film)))");
    assert_eq!(tree.words(), ["a", "good", "film"]);
    let leaf = |label, word| TreeVertex { label, kind: TreeKind::Leaf { word } };
    let inner = |label, left, right| TreeVertex { label, kind: TreeKind::Inner { left, right } };
    assert_eq!(
        tree.vertices(),
        [leaf(2, 0), leaf(3, 1), leaf(2, 2), inner(4, 1, 2), inner(3, 0, 3)]
    );
    assert_eq!(tree.label(), 3);
}

#[test]
fn one_word_is_a_tree() {
    let tree = parse("(0 dull)");
    assert_eq!((tree.words(), tree.label()), (&["dull".to_owned()][..], 0));
    assert_eq!(tree.to_string(), "(0 dull)");
}

#[test]
fn only_ascii_spaces_separate() {
    let tree = parse("  ( 2  (2 2\u{a0}1\\/2) (2 -LRB-\t) ) ");
    assert_eq!(tree.words(), ["2\u{a0}1\\/2", "-LRB-\t"]);
    assert_eq!(tree.to_string(), "(2 (2 2\u{a0}1\\/2) (2 -LRB-\t))");
}

#[test]
fn errors_name_the_column_and_what_was_expected() {
    let end = "the end of the line";
    for (line, column, expected, found) in [
        ("", 1, "`(`", end),
        ("  ", 3, "`(`", end),
        ("fine", 1, "`(`", "`fine`"),
        (") (2 a)", 1, "`(`", "`)`"),
        ("(", 2, "a label from 0 to 4", end),
        ("(5 a)", 2, "a label from 0 to 4", "`5`"),
        ("(12 a)", 2, "a label from 0 to 4", "`12`"),
        ("((2 a) (2 b))", 2, "a label from 0 to 4", "`(`"),
        ("(2)", 3, "a word or the `(` of the left child", "`)`"),
        ("(2 a b)", 6, "`)`", "`b`"),
        ("(2 a (2 b))", 6, "`)`", "`(`"),
        ("(2 (2 a))", 9, "the `(` of the right child", "`)`"),
        ("(2 (2 a) b)", 10, "the `(` of the right child", "`b`"),
        ("(2 (2 a) (2 b) (2 c))", 16, "`)`", "`(`"),
        ("(2 (2 a) (2 b)", 15, "`)`", end),
        ("(2 a) (2 b)", 7, end, "`(`"),
        ("(2 a))", 6, end, "`)`"),
        // Columns count characters, not bytes.
        ("(2 (2 é) è)", 10, "the `(` of the right child", "`è`"),
    ] {
        let error = line.parse::<Tree>().expect_err(line);
        assert_eq!(error, SyntaxError { column, expected, found: found.to_owned() }, "{line}");
    }
    assert_eq!(
        "(7 a)".parse::<Tree>().expect_err("7 is no label").to_string(),
        "column 2: expected a label from 0 to 4, found `7`"
    );
}

#[test]
fn depth_does_not_exhaust_the_stack() {
    const DEPTH: usize = 100_000;
    let right = format!("{}(2 z){}", "(1 (2 a) ".repeat(DEPTH), ")".repeat(DEPTH));
    let left = format!("{}(2 z){}", "(1 ".repeat(DEPTH), " (2 a))".repeat(DEPTH));
    for line in [right, left] {
        let tree = parse(&line);
        assert_eq!(tree.vertices().len(), 2 * DEPTH + 1);
        assert_eq!(tree.words().len(), DEPTH + 1);
        assert!(tree.to_string() == line, "a deep tree is not written as it was read");
    }
}

/// A random tree as text, with its words and its labels, children first.
fn text() -> impl Strategy<Value = (String, Vec<String>, Vec<u8>)> {
    let leaf = (0..LABELS, "[^ ()]{1,4}")
        .prop_map(|(label, word)| (format!("({label} {word})"), vec![word], vec![label]));
    leaf.prop_recursive(8, 64, 2, |part| {
        (0..LABELS, part.clone(), part).prop_map(|(label, left, right)| {
            let text = format!("({label} {} {})", left.0, right.0);
            (text, [left.1, right.1].concat(), [left.2, right.2, vec![label]].concat())
        })
    })
}

proptest! {
    #[test]
    fn what_is_read_is_written((text, words, labels) in text()) {
        let tree = parse(&text);
        prop_assert_eq!(tree.words(), words);
        let found: Vec<u8> = tree.vertices().iter().map(|vertex| vertex.label).collect();
        prop_assert_eq!(found, labels);
        for (number, vertex) in tree.vertices().iter().enumerate() {
            if let TreeKind::Inner { left, right } = vertex.kind {
                prop_assert!(left < right && right < number);
            }
        }
        prop_assert_eq!(tree.to_string(), text);
    }

    #[test]
    fn any_line_parses_or_is_refused(line in "[()012 aé\u{a0}]{0,16}") {
        if let Ok(tree) = line.parse::<Tree>() {
            prop_assert_eq!(parse(&tree.to_string()), tree);
        }
    }
}
