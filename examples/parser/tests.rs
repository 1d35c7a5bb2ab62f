use edb::Element;
use edb::engine::GrowingGraph;

use super::*;
use readers::lines::Lines;
use support::learns::{Sample, curves, learns};

const TREEBANK: &str = "\
1	Old	_	ADJ	_	_	2	amod	_	_
2	dogs	_	NOUN	_	_	4	nsubj:pass	_	_
3	were	_	AUX	_	_	4	aux:pass	_	_
4	seen	_	VERB	_	_	0	root	_	_
5	.	_	PUNCT	_	_	4	punct	_	_

1	See	_	VERB	_	_	0	root	_	_
2	dogs	_	NOUN	_	_	1	obj	_	_
";

fn treebank() -> Vec<Sentence> {
    dependencies::conllu(Lines::of("a.conllu", TREEBANK.into())).unwrap()
}

#[test]
fn scores_are_those_of_conll() {
    let sentences = treebank();
    let numbers = Numbers::new(&sentences);
    let arcs = |heads: [usize; 7], relations: [&str; 7]| -> Vec<Arc> {
        heads.into_iter().zip(relations.map(|name| numbers.relations.id(name))).collect()
    };
    let heads = [1, 3, 3, 5, 3, 2, 0];
    let relations = ["amod", "nsubj", "aux", "root", "punct", "root", "obj"];
    let score = |arcs: &[Arc]| {
        let found = score(arcs, &numbers, &sentences);
        found.into_iter().map(|(name, share)| (name, (7.0 * share).round())).collect::<Vec<_>>()
    };
    // A universal relation is right whatever its subtype is.
    assert_eq!(score(&arcs(heads, relations)), [("las", 7.0), ("uas", 7.0)]);
    // A full stop counts; a relation counts with the right head only.
    let (mut heads, mut relations) = (heads, relations);
    (heads[4], relations[1], relations[4]) = (1, "obj", "root");
    assert_eq!(score(&arcs(heads, relations)), [("las", 5.0), ("uas", 6.0)]);
}

/// Sentences, with the transitions of the static oracle.
struct Sentences;

/// A small parser.
fn parser<T: Element>(numbers: &Numbers, seed: u64) -> (Parser, Model<T>) {
    let mut builder = ModelBuilder::new();
    let f = Parser::new(&mut builder, numbers, 8);
    let model = builder.build_as(seed).unwrap();
    (f, model)
}

impl Sample for Sentences {
    fn model<T: Element>(&self, seed: u64) -> (Model<T>, Vec<Graph<T>>) {
        let numbers = Numbers::new(&treebank());
        let (f, model) = parser(&numbers, seed);
        let mut parses = begin((&f, &model), &numbers, &treebank(), |_| false);
        let grow = |g: &mut GrowingGraph<'_, T>, parsing: &mut Parsing| {
            f.turn(g, parsing, Guide::Static);
        };
        Engine::<T>::new().grow_each(&model, &mut parses, grow).unwrap();
        assert!(parses.iter().all(|(_, Parsing { parse, .. })| parse.arcs == parse.gold));
        (model, parses.into_iter().map(|(graph, _)| graph).collect())
    }
}

#[test]
fn it_learns() {
    learns(&Sentences);
    curves(&Sentences, edb_compiler::tangent);
}

#[test]
fn it_learns_by_its_own_transitions() {
    let (sentences, numbers) = (treebank(), Numbers::new(&treebank()));
    let (f, model) = parser::<f32>(&numbers, 1);
    let mut trainer = Trainer::new(model, Adam::new(0.02)).clip_norm(5.0);
    for _ in 0..200 {
        let mut parses = begin((&f, trainer.model()), &numbers, &sentences, |_| false);
        let grow = |g: &mut GrowingGraph<'_>, parsing: &mut Parsing| {
            f.turn(g, parsing, Guide::Dynamic(0.9));
        };
        trainer.grow_each(&mut parses, grow).unwrap();
    }
    let arcs = parse(&f, &mut trainer, &numbers, &sentences).unwrap();
    assert_eq!(score(&arcs, &numbers, &sentences), [("las", 1.0), ("uas", 1.0)]);
}
