//! The code of the chapter "Your own data": JSON records as trees.

// ANCHOR: imports
use std::collections::HashMap;

use edb::prelude::*;
use serde::Deserialize;
// ANCHOR_END: imports

// ANCHOR: uses
use edb::graph::VertexRecord;
// ANCHOR_END: uses

use super::{Gold, Outcome, Scores};

// ANCHOR: json
/// The contents of the file, an example on each line.
const LINES: &str = r#"
{"label": 1, "tree": [["not", "bad"], "film"]}
{"label": 0, "tree": ["bad", "film"]}
{"label": 1, "tree": ["good", "film"]}
{"label": 0, "tree": [["not", "good"], "film"]}
{"label": 1, "tree": [["not", "bad"], ["at", "all"]]}
{"label": 0, "tree": "bad"}
"#;
// ANCHOR_END: json

// ANCHOR: serde
/// A line of the file.
#[derive(Deserialize)]
struct Example {
    label: u32,
    tree: Tree,
}

/// A word, or two trees side by side.
#[derive(Deserialize)]
#[serde(untagged)]
enum Tree {
    Word(String),
    Pair(Box<[Tree; 2]>),
}

fn read_examples(lines: &str) -> Result<Vec<Example>, String> {
    let lines = lines.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            serde_json::from_str(line).map_err(|error| format!("line {}: {error}", number + 1))
        })
        .collect()
}
// ANCHOR_END: serde

// ANCHOR: functions
/// The state that a tree passes to the tree above it.
#[derive(State)]
struct Meaning {
    h: Tensor,
}

/// A word as a number in the vocabulary.
#[derive(Input)]
struct Token {
    id: Index,
}

/// A word's vector is a row of a table.
#[vertex_function(check(V = 5, H = 3))]
fn leaf(#[param(V, H)] table: Tensor) {
    let Token { id } = pull();
    scatter(Meaning { h: table.row(id) });
}

/// Combines two trees side by side.
#[vertex_function(check(H = 3))]
fn pair(#[param(H, 2 * H)] w: Tensor, #[param(H)] b: Tensor) {
    let [left, right]: [Meaning; 2] = [gather(0), gather(1)];
    scatter(Meaning { h: (w.dot(concat([left.h, right.h])) + b).tanh() });
}

/// The opinion of a whole tree: bad or good.
#[vertex_function(check(H = 3))]
fn verdict(#[param(2, H)] w: Tensor, #[param(2)] b: Tensor) {
    let whole: Meaning = gather(0);
    let Gold { label } = pull();
    let logits = w.dot(whole.h) + b;
    push(Scores { logits });
    loss(cross_entropy(logits, label));
}
// ANCHOR_END: functions

// ANCHOR: vocabulary
/// The words of the examples, numbered from 1; 0 stands for all other words.
fn vocabulary(examples: &[Example]) -> HashMap<String, u32> {
    let mut vocabulary = HashMap::new();
    for example in examples {
        let mut open = vec![&example.tree];
        while let Some(tree) = open.pop() {
            match tree {
                Tree::Word(word) => {
                    let next = vocabulary.len() as u32 + 1;
                    vocabulary.entry(word.clone()).or_insert(next);
                }
                Tree::Pair(parts) => open.extend(parts.iter().rev()),
            }
        }
    }
    vocabulary
}
// ANCHOR_END: vocabulary

// ANCHOR: graph
/// The vertex functions of the model.
#[derive(Functions)]
struct Opinions {
    leaf: Function<leaf>,
    pair: Function<pair>,
    verdict: Function<verdict>,
}

impl Opinions {
    /// An example as a graph, built from the leaves up, and the vertex that judges the whole tree.
    fn graph(
        &self,
        model: &Model,
        vocabulary: &HashMap<String, u32>,
        example: &Example,
    ) -> (Graph, Vertex<()>) {
        let mut g = model.graph();
        // Trees still to be built, the next one last. A pair is joined after its two parts.
        enum Todo<'a> {
            Build(&'a Tree),
            Join,
        }
        let mut todo = vec![Todo::Build(&example.tree)];
        let mut built: Vec<Vertex<Meaning>> = Vec::new();
        while let Some(next) = todo.pop() {
            match next {
                Todo::Build(Tree::Word(word)) => {
                    let id = vocabulary.get(word).copied().unwrap_or(0);
                    built.push(g.add(&self.leaf, (), Token { id: id.into() }));
                }
                Todo::Build(Tree::Pair(parts)) => {
                    todo.push(Todo::Join);
                    todo.extend(parts.iter().rev().map(Todo::Build));
                }
                Todo::Join => {
                    let right = built.pop().expect("both parts were built");
                    let left = built.pop().expect("both parts were built");
                    built.push(g.add(&self.pair, [left, right], ()));
                }
            }
        }
        let gold = Gold { label: example.label.into() };
        let verdict = g.add(&self.verdict, [built[0]], gold);
        (g, verdict)
    }
}
// ANCHOR_END: graph

#[test]
fn json_trees_are_learned() -> Outcome {
    // ANCHOR: model
    let examples = read_examples(LINES)?;
    let vocabulary = vocabulary(&examples);
    let mut builder = ModelBuilder::new();
    let opinions: Opinions = builder.add_all(dims! { V: vocabulary.len() + 1, H: 16 });
    let model: Model = builder.build(1)?;
    // ANCHOR_END: model
    // ANCHOR: train
    let made = examples.iter().map(|example| opinions.graph(&model, &vocabulary, example));
    let (graphs, verdicts): (Vec<Graph>, Vec<Vertex<()>>) = made.unzip();
    let batch = model.minibatch(&graphs)?;
    let mut trainer = Trainer::new(model, Adam::new(1e-2));
    for _ in 0..100 {
        trainer.step(&batch)?;
    }
    let run = trainer.infer(&batch)?;
    for (example, verdict) in examples.iter().zip(verdicts) {
        let logits = run.output(&opinions.verdict, verdict)?.logits;
        assert_eq!(u32::from(logits[1] > logits[0]), example.label);
    }
    // ANCHOR_END: train

    // ANCHOR: records
    let lines = r#"[
        {"function": "leaf", "input": {"id": {"index": 1}}},
        {"function": "pair", "children": [0, 2]},
        {"function": "pair", "children": [0, 1]}
    ]"#;
    let records: Vec<VertexRecord> = serde_json::from_str(lines)?;
    let error = trainer.model().graph_from_records(&records).unwrap_err();
    assert_eq!(error.to_string(), "vertex 1: the graph has a cycle: 1 reads 2 reads 1");
    // ANCHOR_END: records

    // ANCHOR: malformed
    let error = read_examples("{\"label\": 1, \"tree\": [\"a\"]}").err();
    let expected = "line 1: data did not match any variant of untagged enum Tree";
    assert!(error.is_some_and(|error| error.starts_with(expected)));
    // ANCHOR_END: malformed
    Ok(())
}
