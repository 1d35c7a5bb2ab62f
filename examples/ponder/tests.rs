use edb::Element;
use edb::testing::{Check, compiled_equals_eager};

use super::*;
use support::learns::{Sample, curves, learns};

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
