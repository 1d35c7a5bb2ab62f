use edb::Element;
use edb::graph::VertexRecord;
use edb::model::Bundle;
use edb::testing::{Check, compiled_equals_eager};

use super::*;
use support::folder::Folder;
use support::learns::{Sample, answer, curves, learns};

struct Sentences;

fn sentences() -> Vec<Sentence> {
    let of = |text: &str| corpus::tagged(text).unwrap();
    vec![of("the|DET dog|NOUN barks|VERB"), of("dogs|NOUN bark|VERB"), of("it|PRON does|VERB")]
}

fn model<T: Element>(seed: u64) -> (Ponderer, Model<T>, Numbers) {
    let numbers = Numbers::new(&sentences(), 1);
    let mut builder = ModelBuilder::new();
    let f = Ponderer::new(&mut builder, numbers.words.size(), numbers.tags.size(), 8);
    (f, builder.build_as(seed).unwrap(), numbers)
}

impl Sample for Sentences {
    fn model<T: Element>(&self, seed: u64) -> (Model<T>, Vec<Graph<T>>) {
        let (f, model, numbers) = model(seed);
        let graph = |sentence| f.graph(&model, &numbers.encode(sentence)).graph;
        let graphs = sentences().iter().map(graph).collect();
        (model, graphs)
    }
}

#[test]
fn it_learns() {
    learns(&Sentences);
    curves(&Sentences, edb_compiler::tangent);
}

/// What is computed is what is needed: the steps that the words took.
#[test]
fn no_row_is_computed_in_vain() {
    let (f, model, numbers) = model::<f32>(1);
    let all: Vec<_> =
        sentences().iter().map(|sentence| f.graph(&model, &numbers.encode(sentence))).collect();
    let batch = model.minibatch(all.iter().map(|sentence| &sentence.graph)).unwrap();
    let mut engine = Engine::new();
    let run = engine.infer(&model, &batch).unwrap();
    let mut steps = Steps::default();
    steps.add(&run, model.signature(), &all).unwrap();
    assert_eq!((steps.computed, steps.words), (steps.needed, 7));
    assert!(steps.needed > 2 * 7 && steps.body <= steps.barrier);
    compiled_equals_eager(&model, &batch, &Check::default()).unwrap();
}

/// A sentence as a graph of names, as whoever has only the file makes it.
fn by_names(bundle: &Bundle, sentence: &Sentence) -> Graph {
    let [words, tags] =
        ["vocabulary", "tags"].map(|name| bundle.notes.get::<Vec<String>>(name).unwrap());
    let place = |list: &[String], name: &String| {
        Index(list.iter().position(|known| known == name).unwrap_or(0) as u32)
    };
    let mut g = bundle.model.graph();
    let mut think = |function: &str, word: &String, before: Option<usize>| {
        let record = VertexRecord::new(function).with("id", place(&words, word));
        let record = match before {
            Some(before) => record.child(before),
            None => record.no_child(),
        };
        bundle.model.add_record(&mut g, &record).unwrap()
    };
    let (mut forward, mut backward): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    for (word, _) in sentence {
        forward.push(think("forward", word, forward.last().copied()));
    }
    for (word, _) in sentence.iter().rev() {
        backward.push(think("backward", word, backward.last().copied()));
    }
    backward.reverse();
    for (at, (_, tag)) in sentence.iter().enumerate() {
        let record = VertexRecord::new("decide").child(forward[at]).child(backward[at]);
        let record = record.with("tag", place(&tags, tag));
        bundle.model.add_record(&mut g, &record).unwrap();
    }
    g
}

#[test]
fn graphs_are_made_from_what_a_saved_model_says() {
    let folder = Folder::new().unwrap();
    let path = folder.path().join("ponder.edb");
    let small = ["ponder", "--hidden", "8", "--epochs", "1", "--threads", "1", "--save"];
    run(&Cli::parse_from(small.iter().chain(&[path.to_str().unwrap()]))).unwrap();
    let bundle = Bundle::<f32>::open(&path).unwrap();

    let (splits, _) = corpus::read(&Source::default()).unwrap();
    let numbers = Numbers::new(&splits.train, 2);
    let mut builder = ModelBuilder::new();
    let f = Ponderer::new(&mut builder, numbers.words.size(), numbers.tags.size(), 8);
    let mut model = builder.build(9).unwrap();
    model.load(&path).unwrap();
    for sentence in splits.dev.iter().take(3) {
        let own = f.graph(&model, &numbers.encode(sentence)).graph;
        assert_eq!(answer(&bundle.model, &by_names(&bundle, sentence)), answer(&model, &own));
    }
}
