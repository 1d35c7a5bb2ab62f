//! The measures of a split.

use edb::engine::EngineError;
use edb::metrics::{Entities, Perplexity};
use edb::ndarray::ArrayViewD;
use edb::prelude::*;

use super::Result;
use super::vocabulary::{Tags, best};

/// The named measures of a split. The first one chooses the best epoch.
pub type Measures = Vec<(&'static str, f64)>;

/// Runs a model over records, and passes each run to `see` with the record and its graph's
/// vertices.
///
/// Returns the sum of all losses.
pub fn infer<R, V>(
    trainer: &mut Trainer,
    records: &[R],
    graph: impl Fn(&Model, &R) -> (Graph, V),
    mut see: impl FnMut(&Run<'_>, &R, V) -> Result<()>,
) -> Result<f64> {
    let mut loss = 0.0;
    for chunk in records.chunks(32) {
        let graphs = chunk.iter().map(|record| graph(trainer.model(), record));
        let (graphs, vertices): (Vec<_>, Vec<_>) = graphs.unzip();
        let batch = trainer.model().minibatch(&graphs)?;
        let run = trainer.infer(&batch)?;
        loss += run.loss()?;
        for (record, vertices) in chunk.iter().zip(vertices) {
            see(&run, record, vertices)?;
        }
    }
    Ok(loss)
}

/// The perplexity, where the graph of a record has a loss for each of its `predictions`.
pub fn perplexity<R>(
    trainer: &mut Trainer,
    records: &[R],
    graph: impl Fn(&Model, &R) -> Graph,
    predictions: impl Fn(&R) -> usize,
) -> Result<Measures> {
    let graph = |model: &Model, record: &R| (graph(model, record), ());
    let loss = infer(trainer, records, graph, |_, _, ()| Ok(()))?;
    let mut found = Perplexity::default();
    found.observe(loss, records.iter().map(|record| predictions(record) as u64).sum());
    Ok(vec![("perplexity", found.value())])
}

/// The agreement of a model's tags with the gold tags.
#[derive(Clone, Debug, Default)]
pub struct Agreement {
    entities: Entities,
    right: usize,
    tags: usize,
}

impl Agreement {
    /// Tags sentences, each tag by itself: `graph` returns a vertex for each tag, `scores` the scores of a vertex, and
    /// `gold` the gold tags.
    pub fn of<R>(
        trainer: &mut Trainer,
        sentences: &[R],
        tags: &Tags,
        graph: impl Fn(&Model, &R) -> (Graph, Vec<Vertex<()>>),
        scores: impl for<'r> Fn(
            &'r Run<'_>,
            Vertex<()>,
        ) -> std::result::Result<ArrayViewD<'r, f32>, EngineError>,
        gold: impl Fn(&R) -> Vec<&str>,
    ) -> Result<Self> {
        let said = |run: &Run<'_>, vertices: Vec<Vertex<()>>| {
            let mut said = Vec::with_capacity(vertices.len());
            for vertex in vertices {
                said.push(best(scores(run, vertex)?.iter().copied()) as u32);
            }
            Ok(said)
        };
        Self::of_sentences(trainer, sentences, tags, graph, said, gold)
    }

    /// Tags sentences: `said` returns the numbers of the tags of one whose graph has run.
    ///
    /// Tags are compared by name, because a tag that is not in the training split has no number.
    pub fn of_sentences<R, V>(
        trainer: &mut Trainer,
        sentences: &[R],
        tags: &Tags,
        graph: impl Fn(&Model, &R) -> (Graph, V),
        said: impl Fn(&Run<'_>, V) -> Result<Vec<u32>>,
        gold: impl Fn(&R) -> Vec<&str>,
    ) -> Result<Self> {
        let mut found = Self::default();
        infer(trainer, sentences, graph, |run, sentence, vertices| {
            let gold = gold(sentence);
            let said = said(run, vertices)?;
            let said: Vec<&str> = said.into_iter().map(|tag| tags.name(tag)).collect();
            found.right += gold.iter().zip(&said).filter(|(gold, said)| gold == said).count();
            found.tags += gold.len();
            found.entities.observe(said, gold);
            Ok(())
        })?;
        Ok(found)
    }

    /// F1 of the entities in the tags.
    pub fn f1(&self) -> f64 {
        self.entities.all().f1()
    }

    /// The share of correct tags.
    pub fn accuracy(&self) -> f64 {
        self.right as f64 / self.tags as f64
    }
}
