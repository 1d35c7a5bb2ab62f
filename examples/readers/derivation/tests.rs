use super::*;

#[test]
fn trees_are_read() {
    let line = " (S (NP (NNP Mr.) (NNP A\u{a0}B)) (VBZ is)) ";
    let Derivation { words, symbols } = line.parse().unwrap();
    assert_eq!(words, ["Mr.", "A\u{a0}B", "is"]);
    let labels: Vec<&str> = symbols.iter().map(|symbol| symbol.label.as_str()).collect();
    assert_eq!(labels, ["S", "NP", "NNP", "NNP", "VBZ"]);
    assert_eq!(
        [&symbols[0].parts[..], &symbols[1].parts, &symbols[4].parts],
        [&[1, 4][..], &[2, 3], &[]]
    );
    let leaf = |first, label| (first, Reverse(1), true, label);
    let expected = [
        (0, Reverse(3), false, "S"),
        (0, Reverse(2), false, "NP"),
        leaf(0, "NNP"),
        leaf(1, "NNP"),
        leaf(2, "VBZ"),
    ];
    assert_eq!(spans(&symbols), expected);
}

#[test]
fn errors_say_what_is_expected_where() {
    // Fault D3: all said that a tree in brackets was expected, some at the column of another bracket.
    for (line, error) in [
        ("S", "column 1: expected `(`, found `S`"),
        (")", "column 1: expected `(`, found `)`"),
        ("(", "column 2: expected a label, found the end of the line"),
        ("()", "column 2: expected a label, found `)`"),
        ("(S)", "column 3: expected a word or the `(` of a part, found `)`"),
        ("(S a b)", "column 6: expected `)`, found `b`"),
        ("(S (A a) b)", "column 10: expected the `(` of a part or `)`, found `b`"),
        ("(S (A a)))", "column 10: expected the end of the line, found `)`"),
        ("(A a) (B b)", "column 7: expected the end of the line, found `(`"),
        ("(S ((A a)))", "column 5: expected a label, found `(`"),
        ("", "column 1: expected `(`, found the end of the line"),
        ("(S", "column 3: expected a word or the `(` of a part, found the end of the line"),
        ("(S (A a)", "column 9: expected the `(` of a part or `)`, found the end of the line"),
    ] {
        assert_eq!(line.parse::<Derivation>().unwrap_err().to_string(), error, "{line}");
    }
}

#[test]
fn depth_does_not_exhaust_the_stack() {
    let line = format!("{}(A a){}", "(S ".repeat(100_000), ")".repeat(100_000));
    let derivation: Derivation = line.parse().unwrap();
    assert_eq!(spans(&derivation.symbols).len(), 100_001);
}

/// What a tree says, in brackets.
fn text(symbols: &[Symbol], number: usize) -> String {
    let Symbol { label, parts } = &symbols[number];
    match parts[..] {
        [] => label.clone(),
        [part] => format!("(-{})", text(symbols, part)),
        [a, b] => format!("({}{label}{})", text(symbols, a), text(symbols, b)),
        _ => unreachable!("arithmetic has one or two operands"),
    }
}

/// Reads arithmetic by the precedence of operators (Pratt, 1973).
fn reading(words: &mut &[String], least: usize) -> String {
    let (first, rest) = words.split_first().unwrap();
    *words = rest;
    let mut left = match first.as_str() {
        "-" => format!("(-{})", reading(words, 3)),
        "(" => {
            let inner = reading(words, 0);
            *words = &words[1..];
            inner
        }
        digit => digit.to_owned(),
    };
    while let Some((operator, rest)) = words.split_first() {
        let binds = match operator.as_str() {
            "+" | "-" => 1,
            "*" | "/" => 2,
            _ => break,
        };
        if binds < least {
            break;
        }
        *words = rest;
        left = format!("({left}{operator}{})", reading(words, binds + 1));
    }
    left
}

#[test]
fn arithmetic_is_derived_as_it_is_read() {
    let Splits { train, dev, test } = generated();
    assert_eq!([train.len(), dev.len(), test.len()], [20_000, 300, 500]);
    for Derivation { words, symbols } in train.iter().chain(&dev).chain(&test) {
        assert_eq!(text(symbols, 0), reading(&mut &words[..], 0), "{words:?}");
    }
}

#[test]
fn a_treebank_is_read_as_tags() {
    let folder = tempfile::tempdir().unwrap();
    let line = "(S (A a) (B b))\n(A a)\n(S (A a) (S (B b) (C c)))\n";
    std::fs::write(folder.path().join("wsj_sample_bin.txt"), line.repeat(20)).unwrap();
    let source = Source { data: Some(folder.path().into()), skip_malformed: false };
    let Splits { train, dev, test } = read(&source, 2).unwrap();
    assert_eq!([train.len(), dev.len(), test.len()], [18, 1, 1]);
    assert_eq!(train[0].words, ["A", "B"]);
}
