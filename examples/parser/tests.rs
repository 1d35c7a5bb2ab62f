use edb::Element;
use edb::engine::GrowingGraph;
use edb::graph::VertexRecord;
use edb::model::Bundle;

use super::*;
use readers::lines::Lines;
use support::folder::Folder;
use support::learns::{Sample, answer, curves, learns};

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

/// The vectors of the words of a sentence, in a graph of names.
fn vectors_by_names(bundle: &Bundle, g: &mut Graph, sentence: &Sentence) -> Vec<usize> {
    let [words, suffixes, tags] = ["vocabulary", "suffixes", "tags"]
        .map(|name| bundle.notes.get::<Vec<String>>(name).unwrap());
    let place = |list: &[String], name: &str| {
        Index(list.iter().position(|known| known == name).unwrap_or(0) as u32)
    };
    let mut add = |record: VertexRecord| bundle.model.add_record(g, &record).unwrap();
    let read = sentence.iter().map(|word| (word.form.to_lowercase(), word.tag.as_str()));
    let mut vectors: Vec<usize> = Vec::new();
    for (form, tag) in read.chain([(String::new(), "ROOT")]) {
        let last: Vec<char> = form.chars().rev().take(3).collect();
        let suffix: String = last.into_iter().rev().collect();
        let word = VertexRecord::new("embed").with("id", place(&words, &form));
        let word = word.with("suffix", place(&suffixes, &suffix));
        vectors.push(add(word.with("tag", place(&tags, tag))));
    }
    for layer in 1..3 {
        let mut read = |direction: &str, vectors: &[usize]| {
            let mut states: Vec<usize> = Vec::new();
            for vector in vectors {
                let step = VertexRecord::new(format!("{direction}_{layer}")).child(*vector);
                states.push(add(match states.last() {
                    Some(before) => step.child(*before),
                    None => step.no_child(),
                }));
            }
            states
        };
        let forward = read("forward", &vectors);
        vectors.reverse();
        let backward = read("backward", &vectors);
        let both = forward.into_iter().zip(backward.into_iter().rev());
        vectors = both.map(|(f, b)| add(VertexRecord::new("join").child(f).child(b))).collect();
    }
    vectors
}

/// Parses a sentence by names alone, and returns its graph.
fn by_names(bundle: &Bundle, sentence: &Sentence) -> Graph {
    let actions: Vec<String> = bundle.notes.get("actions").unwrap();
    let mut g = bundle.model.graph();
    let vectors = vectors_by_names(bundle, &mut g, sentence);
    let (mut stack, mut next): (Vec<usize>, usize) = (Vec::new(), 0);
    while !stack.is_empty() || next < sentence.len() {
        let rest = next < sentence.len();
        let mask = |action: &String| {
            let is_allowed = match action.split(' ').next() {
                Some("shift") => rest,
                Some("left") => stack.len() == 1 || rest && stack.len() > 1,
                _ => stack.len() > 1,
            };
            if is_allowed { 0.0 } else { -1e4 }
        };
        let masks: Vec<f64> = actions.iter().map(mask).collect();
        let mut choose = VertexRecord::new("choose");
        for depth in (1..4).rev() {
            choose = match stack.len().checked_sub(depth) {
                Some(at) => choose.child(vectors[stack[at]]),
                None => choose.no_child(),
            };
        }
        let choose = choose.child(vectors[next]).with("allowed", masks.clone());
        let choose = bundle.model.add_record(&mut g, &choose.with("right", masks)).unwrap();
        let batch = bundle.model.minibatch([&g]).unwrap();
        let mut engine = Engine::new();
        let run = engine.infer(&bundle.model, &batch).unwrap();
        let best = run.index_at(0, choose, "best").unwrap();
        match actions[best as usize].as_str() {
            "shift" => {
                stack.push(next);
                next += 1;
            }
            _ => _ = stack.pop(),
        }
    }
    g
}

#[test]
fn graphs_are_made_from_what_a_saved_model_says() {
    let folder = Folder::new().unwrap();
    let path = folder.path().join("parser.edb");
    let small =
        ["parser", "--dynamic", "--hidden", "8", "--epochs", "1", "--threads", "1", "--save"];
    run(&clap::Parser::parse_from(small.iter().chain(&[path.to_str().unwrap()]))).unwrap();
    let bundle = Bundle::<f32>::open(&path).unwrap();
    let relations: Vec<String> = bundle.notes.get("relations").unwrap();
    let actions: Vec<String> = bundle.notes.get("actions").unwrap();
    assert_eq!(
        actions[..3],
        ["shift", &format!("left {}", relations[0]), &format!("right {}", relations[0])]
    );

    let splits = dependencies::read(&Source::default()).unwrap();
    let numbers = Numbers::new(&splits.train);
    let (f, mut model) = parser::<f32>(&numbers, 9);
    model.load(&path).unwrap();
    let mut trainer = Trainer::new(model, Adam::new(0.0));
    let mut parses = begin((&f, trainer.model()), &numbers, &splits.dev[..3], |_| false);
    trainer.grow_each_infer(&mut parses, |g, parsing| f.turn(g, parsing, Guide::Parser)).unwrap();
    for ((own, _), sentence) in parses.iter().zip(&splits.dev) {
        assert_eq!(
            answer(&bundle.model, &by_names(&bundle, sentence)),
            answer(trainer.model(), own)
        );
    }
}
