//! The code of the chapter "A model as a file".

use std::path::Path;

// ANCHOR: uses
use edb::graph::VertexRecord;
use edb::model::{Bundle, Notes};
use edb::prelude::*;
// ANCHOR_END: uses

use super::Outcome;

#[derive(State)]
struct Truth {
    h: Tensor,
}

#[derive(Input)]
struct Bit {
    value: Index,
}

#[derive(Output)]
struct Verdict {
    logits: Tensor,
}

#[vertex_function]
fn bit(#[param(2, H)] table: Tensor) {
    let Bit { value } = pull();
    scatter(Truth { h: table.row(value) });
}

#[vertex_function]
fn xor(#[param(H, 2 * H)] w: Tensor, #[param(H)] b: Tensor) {
    let [left, right]: [Truth; 2] = [gather(0), gather(1)];
    scatter(Truth { h: (w.dot(concat([left.h, right.h])) + b).tanh() });
}

#[vertex_function]
fn answer(#[param(2, H)] w: Tensor) {
    let formula: Truth = gather(0);
    push(Verdict { logits: w.dot(formula.h) });
}

#[derive(Functions)]
struct Formulas {
    bit: Function<bit>,
    xor: Function<xor>,
    answer: Function<answer>,
}

/// One formula, `a xor b`.
fn formula(f: &Formulas, model: &Model, a: u32, b: u32) -> Graph {
    let mut g = model.graph();
    let [a, b] = [a, b].map(|value| g.add(&f.bit, (), Bit { value: Index(value) }));
    let both = g.add(&f.xor, [a, b], ());
    g.add(&f.answer, [both], ());
    g
}

fn save(f: &Formulas, model: &Model, path: &Path) -> Outcome {
    // ANCHOR: save
    let graphs = [formula(f, model, 1, 0), formula(f, model, 1, 1)];
    let examples = Engine::new().examples(model, &graphs)?;
    let notes = Notes::new().with("answers", &["false", "true"]);
    model.bundle().notes(notes).examples(examples).save(path)?;
    // ANCHOR_END: save
    Ok(())
}

fn open(path: &Path) -> Result<Vec<f32>, Box<dyn std::error::Error>> {
    // ANCHOR: open
    let Bundle { model, notes, .. } = Bundle::<f32>::open(path)?;
    let answers: Vec<String> = notes.get("answers")?;

    let mut g = model.graph();
    let zero = model.add_record(&mut g, &VertexRecord::new("bit").with("value", Index(0)))?;
    let one = model.add_record(&mut g, &VertexRecord::new("bit").with("value", Index(1)))?;
    let both = model.add_record(&mut g, &VertexRecord::new("xor").child(zero).child(one))?;
    let answer = model.add_record(&mut g, &VertexRecord::new("answer").child(both))?;

    let batch = model.minibatch([&g])?;
    let mut engine = Engine::new();
    let run = engine.infer(&model, &batch)?;
    let logits = run.output_at(0, answer, "logits")?;
    println!("{}: {}, {}: {}", answers[0], logits[0], answers[1], logits[1]);
    // ANCHOR_END: open
    Ok(logits.iter().copied().collect())
}

#[test]
fn a_model_leaves_and_comes_back() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("xor.edb");
    let mut builder = ModelBuilder::new();
    let f: Formulas = builder.add_all(dims! { H: 8 });
    let model: Model = builder.build(1)?;
    save(&f, &model, &path)?;
    let found = open(&path)?;
    let batch = model.minibatch([&formula(&f, &model, 0, 1)])?;
    let mut engine = Engine::new();
    let run = engine.infer(&model, &batch)?;
    assert_eq!(run.output_at(0, 3, "logits")?.iter().copied().collect::<Vec<_>>(), found);
    Ok(())
}

/// The line of JSON in the chapter is a graph of this model.
#[test]
fn the_line_in_the_chapter_is_a_graph() -> Outcome {
    let mut builder = ModelBuilder::new();
    let f: Formulas = builder.add_all(dims! { H: 8 });
    let model: Model = builder.build(1)?;
    let chapter = std::fs::read_to_string("book/src/bundles.md")?;
    let line = chapter.lines().find(|line| line.starts_with("{\"vertices\"")).unwrap();
    let read = model.graph_from_record(&serde_json::from_str(line)?)?;
    assert_eq!(model.record_of(&read)?, model.record_of(&formula(&f, &model, 1, 0))?);
    Ok(())
}
