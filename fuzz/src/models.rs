//! The models on which targets try their input.

use std::sync::LazyLock;

use edb::graph::VertexRecord;
use edb::learn::Adam;
use edb::prelude::*;
use edb::schedule::TypeGraph;
use edb::trainer::{Checkpoints, Notes};
use tempfile::TempDir;

use edb_backend_suite::zoo::cells::Memory;
use edb_backend_suite::zoo::{Sentiment, Zoo, cells};

/// The input of [`bag`].
#[derive(Input)]
pub struct Paragraph {
    /// Any number of words.
    pub words: Indices,
    /// Which of three classes the paragraph has.
    pub label: Index,
}

/// A paragraph as a bag of words, as a leaf for the other cells.
#[vertex_function]
pub fn bag(#[param(V, H)] table: Tensor, #[param(C, H)] w: Tensor) {
    let Paragraph { words, label } = pull();
    let h = (table.bag_mean(words) + table.bag_sum(words) * 0.1).tanh();
    scatter(Memory { h, c: h * bag_size(words) });
    loss(cross_entropy(w.dot(h), label));
}

/// The numbers in a field of a state.
pub const HIDDEN: usize = 4;
/// The words that [`bag`] knows.
pub const WORDS: usize = 9;

/// A model of all cells of [`Zoo`], and [`bag`].
pub fn all_cells() -> Model {
    let mut builder = ModelBuilder::new();
    let (x, h, f) = (HIDDEN + 2, HIDDEN, edb_backend_suite::zoo::FEATURES);
    builder.add::<cells::read>(dims! { F: f, X: x });
    builder.add::<cells::chain>(dims! { X: x, H: h });
    builder.add::<cells::gru>(dims! { X: x, H: h });
    builder.add::<cells::child_sum>(dims! { X: x, H: h });
    builder.add::<cells::attend>(dims! { H: h });
    builder.add::<cells::lattice>(dims! { H: h });
    builder.add::<cells::regress>(dims! { H: h, F: f });
    builder.add::<bag>(dims! { V: WORDS, H: h, C: 3 });
    builder.build(3).expect("the cells fit together")
}

/// Random graphs of the cells of [`Zoo`], in the form that a policy schedules.
pub fn type_graphs(model: &Model, zoo: &Zoo, count: u64) -> Vec<TypeGraph> {
    let graph = |seed| {
        let graphs = zoo.graphs(model, seed);
        let batch = model.minibatch(&graphs).expect("the graphs fit the model");
        Engine::new().type_graph(model, &batch).expect("the minibatch is of the model").0
    };
    (0..count).map(graph).collect()
}

/// A trainer of a small model, of the kind that saved [`CHECKPOINT`].
pub fn trainer(seed: u64) -> (Sentiment, Trainer) {
    let (functions, model) = Sentiment::model::<f32>(2, seed);
    let trainer = Trainer::new(model, Adam::new(0.01)).ema(0.9).expect("a decay below 1");
    (functions, trainer)
}

/// One training step of that trainer.
pub fn step(functions: &Sentiment, trainer: &mut Trainer) -> Result<f64, edb::trainer::TrainError> {
    let trees = functions.trees(trainer.model(), 2, 4, trainer.steps() % 8);
    let batch = trainer.model().minibatch(trees.iter().map(|(graph, _)| graph));
    Ok(trainer.step(&batch.expect("the trees fit the model"))?.loss)
}

/// The folder of a run with one checkpoint, saved after two steps.
pub static CHECKPOINT: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let (functions, mut trainer) = trainer(1);
    for _ in 0..2 {
        step(&functions, &mut trainer).expect("the model trains");
    }
    let notes = Notes::new().score(0.5).with("best", &0.5);
    Checkpoints::new(folder.path()).save(&trainer, &notes).expect("the folder can be written");
    folder
});

/// A graph that is known to be valid, for others to run beside.
pub fn company(model: &Model) -> Graph {
    let records: Vec<VertexRecord> = serde_json::from_str(include_str!("company.json"))
        .expect("the file beside this one is JSON");
    model.graph_from_records(&records).expect("the records fit the model")
}
