use edb::Element;

use super::*;
use cells::child_sum::distribution;
use readers::sick::Parse;
use support::learns::{Sample, curves, learns};

struct Pairs;

impl Sample for Pairs {
    fn model<T: Element>(&self, seed: u64) -> (Model<T>, Vec<Graph<T>>) {
        let mut builder = ModelBuilder::new();
        let f = Relatedness::new(&mut builder, 5, 6);
        let model = builder.build_as(seed).unwrap();
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
    curves(&Pairs, edb_compiler::tangent);
}

#[test]
fn a_score_is_the_expectation() {
    assert_eq!(distribution(5.0), [0.0, 0.0, 0.0, 0.0, 1.0]);
    assert_eq!(distribution(1.25), [0.75, 0.25, 0.0, 0.0, 0.0]);
}
