use edb::Element;

use super::*;
use cell::distribution;
use support::learns::{Sample, learns};
use support::lines::{Lines, Malformed};

struct Pairs;

impl Sample for Pairs {
    fn model<T: Element>(&self, seed: u64) -> (Model<T>, Vec<Graph<T>>) {
        let mut builder = ModelBuilder::new();
        let f = Relatedness::new(&mut builder, 5, 6);
        let model = builder.build(seed).unwrap();
        let vectors =
            Vectors::one_hot(["a", "dog", "barks", "cat", "it"].map(String::from).into_iter());
        let parse = |words, heads| Parse::new(words, heads).unwrap();
        let pairs = [
            (parse("a dog barks", "2 3 0"), parse("a cat barks", "2 3 0"), 3.4),
            (parse("it", "0"), parse("a dog barks unheard", "2 3 0 3"), 1.0),
            (parse("it barks", "2 0"), parse("it barks", "2 0"), 5.0),
        ];
        let pairs = pairs.map(|(a, b, score)| Pair { sentences: [a, b], score });
        let graphs = pairs.iter().map(|pair| f.graph(&model, &vectors, pair).0).collect();
        (model, graphs)
    }
}

#[test]
fn it_learns() {
    learns(&Pairs);
}

#[test]
fn a_score_is_the_expectation() {
    assert_eq!(distribution(5.0), [0.0, 0.0, 0.0, 0.0, 1.0]);
    assert_eq!(distribution(1.25), [0.75, 0.25, 0.0, 0.0, 0.0]);
}

#[test]
fn vectors_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("vectors");
    let read = |text: &str, malformed| {
        std::fs::write(&path, text).unwrap();
        Vectors::read(Lines::open(&path, malformed)?)
    };
    let vectors = read("2 3\na\u{a0}b 1 -2.5 3e-1\nc 0 0 1\n", Malformed::Stop).unwrap();
    assert_eq!(vectors.of("a\u{a0}b"), [1.0, -2.5, 0.3]);
    assert_eq!((vectors.of("d"), vectors.size()), (&[0.0; 3][..], 3));
    for (text, expected) in [
        ("", ", line 1: expected the number of words and their size"),
        ("2 0\n", ", line 1: expected the number of words and their size"),
        ("a 1 2\n", ", line 1: expected the number of words and their size"),
        ("1 99999999999999\n", ", line 1: expected the number of words and their size"),
        ("2 2\na 1 2\nb 1\n", ", line 3: expected 2 numbers, found 1"),
        ("2 2\na 1 x\n", ", line 2: expected a number, found `x`"),
        ("2 2\na 1 nan\n", ", line 2: expected a number, found `nan`"),
    ] {
        let error = read(text, Malformed::Stop).err().unwrap().to_string();
        assert_eq!(error, format!("{}{expected}", path.display()));
    }
    let going_on = read("2 1\na 1\nb\nc 2\n", Malformed::Report).unwrap();
    assert_eq!((going_on.of("b"), going_on.of("c")), (&[0.0][..], &[2.0][..]));
}
