//! Writes models, and what Rust computes with them, into a folder, from which the tests in Python read them.
//!
//! | file | what it is |
//! | --- | --- |
//! | `trees.edb`, `trees.jsonl` | trees of words with labels, with dropout, in `f32` |
//! | `trees_answers.jsonl` | their answers |
//! | `trained/` | a checkpoint after 500 training steps over these trees |
//! | `speaker.edb`, `speaker.jsonl`, `spoken.jsonl`, `speaker_answers.jsonl` | a graph that grows; before and after, and its answers |
//! | `sums.edb` | vertices that pull tensors, bags and each other's outputs, and push lists, in `f64` |

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use edb::graph::{GraphRecord, VertexRecord};
use edb::model::Notes;
use edb::prelude::*;
use edb::trainer::Checkpoints;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

pub(crate) type Outcome = Result<(), Box<dyn Error>>;

#[derive(State)]
struct Meaning {
    h: Tensor,
}

#[derive(Input)]
struct Word {
    id: Index,
}

#[derive(Output)]
struct Verdict {
    logits: Tensor,
    class: Index,
}

#[vertex_function]
fn word(#[param(V, H)] table: Tensor) {
    let Word { id } = pull();
    scatter(Meaning { h: table.row(id) });
}

#[vertex_function]
fn phrase(#[param(H, 2 * H)] w: Tensor, #[param(H)] b: Tensor) {
    let [left, right]: [Meaning; 2] = [gather(0), gather(1)];
    scatter(Meaning { h: (w.dot(concat([left.h, right.h])) + b).tanh().dropout(0.1) });
}

/// The class of a phrase; it learns, where the right one is known.
#[vertex_function]
fn judge(#[param(C, H)] w: Tensor) {
    let Meaning { h } = gather(0);
    let right: Option<Word> = pull();
    let logits = w.dot(h);
    push(Verdict { logits, class: logits.argmax() });
    if let Some(Word { id }) = right {
        loss(cross_entropy(logits, id));
    }
}

#[derive(Functions)]
struct Trees {
    word: Function<word>,
    phrase: Function<phrase>,
    judge: Function<judge>,
}

/// A tree over some words, whose label is whether the first word is below 5.
fn tree(f: &Trees, model: &Model, random: &mut StdRng) -> Graph {
    let mut g = model.graph();
    let words: Vec<u32> =
        (0..random.random_range(2..9)).map(|_| random.random_range(0..10)).collect();
    let mut open: Vec<Vertex<Meaning>> = Vec::new();
    for id in &words {
        open.push(g.add(&f.word, (), Word { id: Index(*id) }));
    }
    while open.len() > 1 {
        let at = random.random_range(0..open.len() - 1);
        open[at] = g.add(&f.phrase, [open[at], open[at + 1]], ());
        open.remove(at + 1);
    }
    g.add(&f.judge, [open[0]], Some(Word { id: Index(u32::from(words[0] < 5)) }));
    g
}

fn trees(folder: &Path) -> Outcome {
    let mut builder = ModelBuilder::new();
    let f: Trees = builder.add_all(dims! { V: 10, H: 8, C: 2 });
    let model: Model = builder.build(1)?;
    let mut random = StdRng::seed_from_u64(1);
    let graphs: Vec<Graph> = (0..64).map(|_| tree(&f, &model, &mut random)).collect();
    let examples = Engine::new().examples(&model, &graphs[..4])?;
    let words = ["a", "an", "bad", "dull", "film", "good", "it", "not", "the", "very"];
    let notes = Notes::new().with("vocabulary", &words).with("classes", &["above", "below"]);
    model.bundle().notes(notes).examples(examples).save(folder.join("trees.edb"))?;
    write_graphs(&folder.join("trees.jsonl"), &model, &graphs)?;
    write_answers(&folder.join("trees_answers.jsonl"), &model, &graphs)?;

    // What Python does as well, in `test_training.py`.
    let mut trainer = Trainer::new(model, Adam::new(1e-2))
        .engine(Engine::with_threads(2)?)
        .schedule(RateSchedule::linear(500, 1.0, 0.1))
        .clip_norm(1.0)
        .ema(0.9)?;
    let batches: Vec<Minibatch> = graphs
        .chunks(8)
        .map(|graphs| trainer.model().minibatch(graphs))
        .collect::<Result<_, _>>()?;
    for step in 0..500 {
        trainer.step(&batches[step % batches.len()])?;
    }
    Checkpoints::new(folder.join("trained")).save(&trainer, &Notes::new().with("epoch", &62))?;
    Ok(())
}

#[derive(Input)]
struct Begin {
    x: Tensor,
}

#[derive(Output)]
struct Said {
    word: Index,
    scores: Tensor,
}

/// Reads numbers.
#[vertex_function]
fn begin(#[param(H, D)] w: Tensor) {
    let Begin { x } = pull();
    scatter(Meaning { h: w.dot(x).tanh() });
}

/// Says a word, by a draw.
#[vertex_function]
fn say(#[param(V, H)] w: Tensor) {
    let Meaning { h } = gather(0);
    let scores = w.dot(h);
    push(Said { word: scores.sample(), scores });
    loss(scores.square().sum());
}

/// Hears what was said.
#[vertex_function]
fn hear(#[param(V, H)] table: Tensor, #[param(H, H)] w: Tensor) {
    let before: Meaning = gather(0);
    let Word { id } = pull();
    scatter(Meaning { h: (w.dot(before.h) + table.row(id)).tanh() });
}

#[derive(Functions)]
struct Speaker {
    begin: Function<begin>,
    say: Function<say>,
}

fn speaker(folder: &Path) -> Outcome {
    let mut builder = ModelBuilder::new();
    let f: Speaker = builder.add_all(dims! { V: 6, H: 8, D: 3 });
    // Found by its name below, as in Python.
    builder.add::<hear>(dims! { V: 6, H: 8 });
    let model: Model = builder.build(1)?;
    model.save_bundle(folder.join("speaker.edb"))?;
    let graph = |number: u32| {
        let mut g = model.graph();
        let x = g.tensor(&[number as f32, 0.5, -0.25]);
        let begun = g.add(&f.begin, (), Begin { x });
        g.add(&f.say, [begun], ());
        g
    };
    let graphs: Vec<Graph> = (0..10).map(graph).collect();
    write_graphs(&folder.join("speaker.jsonl"), &model, &graphs)?;
    let mut engine = Engine::new().seed(7);
    let mut growth = engine.grow(&model, graphs)?;
    while let Some(round) = growth.round()? {
        for mut g in round {
            // Each heard word hangs on what was there before the word was said.
            let said: Vec<_> = g.decided(&f.say).collect();
            for (vertex, Said { word, .. }) in said {
                if word.0 != 0 && g.len() < 12 {
                    let record = VertexRecord::new("hear").child(vertex.number() - 1);
                    let heard = g.add_record(&record.with("id", word))?;
                    g.add_record(&VertexRecord::new("say").child(heard))?;
                }
            }
        }
    }
    let answers = {
        let run = growth.finish()?;
        (0..10).map(|graph| run.answer(graph)).collect::<Result<Vec<_>, _>>()?
    };
    write_lines(&folder.join("speaker_answers.jsonl"), &answers)?;
    let grown = growth.into_graphs();
    write_graphs(&folder.join("spoken.jsonl"), &model, &grown)
}

#[derive(State)]
struct Sum {
    total: Tensor,
}

#[derive(Input)]
struct Row {
    x: Tensor,
    bag: Indices,
}

#[derive(Input)]
struct Scale {
    by: Tensor,
}

#[derive(Output)]
struct Total {
    y: Tensor,
}

#[derive(Output)]
struct Part {
    part: Tensor,
}

/// Reads a matrix and a bag.
#[vertex_function]
fn row(#[param(D, 2 * D)] w: Tensor, #[param(V, D)] table: Tensor) {
    let Row {
        #[shape(2, D)]
        x,
        bag,
    } = pull();
    scatter(Sum { total: (w.dot(x.flatten()) + table.bag_sum(bag)).tanh() });
}

/// Sums what is below it.
#[vertex_function]
fn sum(#[dim(D)] size: Dim) {
    let mut total = zeros(size);
    for below in gather_all::<Sum>() {
        total += below.total;
    }
    scatter(Sum { total });
}

/// Halves what is below it until it is small, and says each half.
#[vertex_function]
fn halves() {
    let Sum { mut total } = gather(0);
    while total.square().sum() > 0.1 {
        total *= 0.5;
        push(Part { part: total });
    }
}

#[vertex_function]
fn read(#[param(D, D)] w: Tensor) {
    let Sum { total } = gather(0);
    push(Total { y: w.dot(total) });
}

/// Scales what another vertex has pushed.
#[vertex_function]
fn scaled(#[param(D)] b: Tensor) {
    let Scale { by } = pull();
    push(Total { y: by * 2.0 + b });
}

fn sums(folder: &Path) -> Outcome {
    let mut builder = ModelBuilder::new();
    builder.add::<row>(dims! { D: 3, V: 7 });
    builder.add::<sum>(dims! { D: 3 });
    builder.add::<halves>(dims! {});
    builder.add::<read>(dims! { D: 3 });
    builder.add::<scaled>(dims! { D: 3 });
    let model: Model<f64> = builder.build_as(1)?;
    Ok(model.save_bundle(folder.join("sums.edb"))?)
}

fn write_graphs<'g>(
    path: &Path,
    model: &Model,
    graphs: impl IntoIterator<Item = &'g Graph>,
) -> Outcome {
    let record = |graph| model.record_of(graph);
    write_lines(path, &graphs.into_iter().map(record).collect::<Result<Vec<GraphRecord>, _>>()?)
}

fn write_answers(path: &Path, model: &Model, graphs: &[Graph]) -> Outcome {
    let batch = model.minibatch(graphs)?;
    let mut engine = Engine::new();
    let run = engine.infer(model, &batch)?;
    let answers = (0..graphs.len()).map(|graph| run.answer(graph));
    write_lines(path, &answers.collect::<Result<Vec<_>, _>>()?)
}

fn write_lines(path: &Path, lines: &[impl serde::Serialize]) -> Outcome {
    let mut file = BufWriter::new(File::create(path)?);
    for line in lines {
        serde_json::to_writer(&mut file, line)?;
        file.write_all(b"\n")?;
    }
    Ok(file.flush()?)
}

/// Writes all of it.
pub(crate) fn write(folder: &Path) -> Outcome {
    fs::create_dir_all(folder)?;
    trees(folder)?;
    speaker(folder)?;
    sums(folder)
}
