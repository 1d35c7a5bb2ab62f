//! The code of "A JSON document", in the chapter "Arity, types and connections".

// ANCHOR: uses
use std::collections::HashMap;

use edb::prelude::*;
use serde_json::{Value, json};
// ANCHOR_END: uses

use super::{Gold, Outcome, Scores};

// ANCHOR: ports
/// What a value tells the array or the entry in which it is.
#[derive(State)]
struct Known {
    h: Tensor,
}

/// What a key and its value tell the object in which they are.
#[derive(State)]
struct Keyed {
    h: Tensor,
}

/// A value that has no other values in it.
#[derive(Input)]
struct Leaf {
    /// 0 for null, 1 for false, 2 for true, 3 for a number and 4 for a string.
    kind: Index,
    /// The string's number in the vocabulary; 0 if it is unknown, or no string.
    word: Index,
    /// The `asinh` of the number: the number itself near 0, about its logarithm further out. 0 if it is no number.
    number: Tensor,
}

/// A key's number in the vocabulary.
#[derive(Input)]
struct Key {
    key: Index,
}
// ANCHOR_END: ports

// ANCHOR: functions
/// Null, a boolean, a number or a string.
#[vertex_function(check(V = 5, H = 3))]
fn leaf(#[param(5, H)] kinds: Tensor, #[param(V, H)] words: Tensor, #[param(H)] slope: Tensor) {
    let Leaf {
        kind,
        word,
        #[shape()]
        number,
    } = pull();
    scatter(Known { h: (kinds.row(kind) + words.row(word) + slope * number).tanh() });
}

/// A key with its value.
#[vertex_function(check(V = 5, H = 3))]
fn entry(#[param(V, H)] keys: Tensor, #[param(H, H)] w: Tensor) {
    let Key { key } = pull();
    let value: Known = gather(0);
    scatter(Keyed { h: (keys.row(key) + w.dot(value.h)).tanh() });
}

/// Any number of entries, whose order does not matter: the sum, and the greatest of each number.
#[vertex_function(check(H = 3))]
fn object(#[dim(H)] size: Dim, #[param(H, 2 * H)] w: Tensor, #[param(H)] b: Tensor) {
    let (mut sum, mut most) = (zeros(size), zeros(size) - 1.0); // the least that `tanh` returns
    for entry in gather_all::<Keyed>() {
        sum += entry.h;
        most = most.maximum(entry.h);
    }
    scatter(Known { h: (w.dot(concat([sum, most])) + b).tanh() });
}

/// Any number of values. If their order matters, go through them by a chain.
#[vertex_function(check(H = 3))]
fn array(#[dim(H)] size: Dim, #[param(H, 2 * H)] w: Tensor, #[param(H)] b: Tensor) {
    let (mut sum, mut most) = (zeros(size), zeros(size) - 1.0);
    for item in gather_all::<Known>() {
        sum += item.h;
        most = most.maximum(item.h);
    }
    scatter(Known { h: (w.dot(concat([sum, most])) + b).tanh() });
}

/// The class of a whole document: it learns where there is a label, and answers where there is none.
#[vertex_function(check(H = 3))]
fn judge(#[param(2, H)] w: Tensor, #[param(2)] b: Tensor) {
    let document: Known = gather(0);
    let gold: Option<Gold> = pull();
    let logits = w.dot(document.h) + b;
    push(Scores { logits });
    if let Some(Gold { label }) = gold {
        loss(cross_entropy(logits, label));
    }
}
// ANCHOR_END: functions

// ANCHOR: model
#[derive(Functions)]
struct Documents {
    leaf: Function<leaf>,
    entry: Function<entry>,
    object: Function<object>,
    array: Function<array>,
    judge: Function<judge>,
}

/// The strings and keys of the training data, numbered from 1; 0 stands for all others.
fn vocabulary<'a>(documents: impl IntoIterator<Item = &'a Value>) -> HashMap<String, u32> {
    let mut vocabulary = HashMap::new();
    let mut open: Vec<&Value> = documents.into_iter().collect();
    while let Some(value) = open.pop() {
        let mut see = |word: &String| {
            let next = vocabulary.len() as u32 + 1;
            vocabulary.entry(word.clone()).or_insert(next);
        };
        match value {
            Value::String(word) => see(word),
            Value::Array(items) => open.extend(items),
            Value::Object(entries) => {
                entries.keys().for_each(see);
                open.extend(entries.values());
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    vocabulary
}
// ANCHOR_END: model

// ANCHOR: graph
impl Documents {
    /// A document as a graph, and the vertex that judges it.
    fn graph(
        &self,
        model: &Model,
        vocabulary: &HashMap<String, u32>,
        document: &Value,
        gold: Option<Gold>,
    ) -> (Graph, Vertex<()>) {
        let number_of = |word: &String| Index(vocabulary.get(word).copied().unwrap_or(0));
        // All values, each before those that are in it, of which the last one is first.
        let (mut order, mut open) = (Vec::new(), vec![document]);
        while let Some(value) = open.pop() {
            order.push(value);
            match value {
                Value::Array(items) => open.extend(items),
                Value::Object(entries) => open.extend(entries.values()),
                _ => {}
            }
        }
        let mut g = model.graph();
        // Backwards, the values in an array or object are the last that were built before it.
        let mut built: Vec<Vertex<Known>> = Vec::new();
        for value in order.into_iter().rev() {
            let (kind, word, x) = match value {
                Value::Array(items) => {
                    let items = built.split_off(built.len() - items.len());
                    built.push(g.add(&self.array, &items, ()));
                    continue;
                }
                Value::Object(entries) => {
                    let values = built.split_off(built.len() - entries.len());
                    let mut all = Vec::new();
                    for (key, value) in entries.keys().zip(values) {
                        all.push(g.add(&self.entry, [value], Key { key: number_of(key) }));
                    }
                    built.push(g.add(&self.object, &all, ()));
                    continue;
                }
                Value::Null => (0, Index(0), 0.0),
                Value::Bool(false) => (1, Index(0), 0.0),
                Value::Bool(true) => (2, Index(0), 0.0),
                Value::Number(number) => (3, Index(0), number.as_f64().unwrap_or(0.0)),
                Value::String(word) => (4, number_of(word), 0.0),
            };
            let number = g.tensor(&[x.asinh() as f32]);
            built.push(g.add(&self.leaf, (), Leaf { kind: Index(kind), word, number }));
        }
        let vertex = g.add(&self.judge, [built[0]], gold);
        (g, vertex)
    }
}
// ANCHOR_END: graph

#[test]
fn json_documents_are_learned() -> Outcome {
    // ANCHOR: train
    // Has anything failed?
    let examples = [
        (json!({"id": 7, "parts": [{"failed": false}, {"failed": true}]}), 1),
        (json!({"id": 7, "parts": [{"failed": false}, {"failed": false}]}), 0),
        (json!([{"failed": true, "name": "boot"}]), 1),
        (json!([{"failed": null, "name": "boot"}, true]), 0),
        (json!({"next": {"next": {"failed": true}, "id": 3}}), 1),
        (json!({"next": {"next": {"ready": true}, "id": 3}}), 0),
        (json!({"parts": [], "id": -2.5}), 0),
        (json!("failed"), 0),
    ];
    let vocabulary = vocabulary(examples.iter().map(|(document, _)| document));
    let mut builder = ModelBuilder::new();
    let f: Documents = builder.add_all(dims! { V: vocabulary.len() + 1, H: 16 });
    let model: Model = builder.build(1)?;
    let made = examples.iter().map(|(document, label)| {
        f.graph(&model, &vocabulary, document, Some(Gold { label: Index(*label) }))
    });
    let (graphs, vertices): (Vec<Graph>, Vec<Vertex<()>>) = made.unzip();
    let batch = model.minibatch(&graphs)?;
    let mut trainer = Trainer::new(model, Adam::new(1e-2));
    trainer.overfit(&batch, 300, 0.01)?;
    let run = trainer.infer(&batch)?;
    for ((document, label), vertex) in examples.iter().zip(vertices) {
        let logits = run.output(&f.judge, vertex)?.logits;
        assert_eq!(u32::from(logits[1] > logits[0]), *label, "{document}");
    }
    // ANCHOR_END: train
    drop(run);

    // A document without a label, with a key that is unknown; the vertices are those of its values.
    let document: Value = serde_json::from_str(r#"{"a": [1, {}], "failed": [], "id": null}"#)?;
    let (g, vertex) = f.graph(trainer.model(), &vocabulary, &document, None);
    assert_eq!(g.len(), 1 + 1 + 3 + 2 + 1 + 2); // judge, object, entries, arrays, object, leaves
    let asked = trainer.model().minibatch([&g])?;
    let run = trainer.infer(&asked)?;
    let logits = run.output(&f.judge, vertex)?.logits;
    assert!(logits.iter().all(|x| x.is_finite()));
    drop(run);
    edb::testing::compiled_equals_eager(trainer.model(), &batch, &Default::default())?;
    Ok(())
}
