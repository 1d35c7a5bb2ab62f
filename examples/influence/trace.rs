//! Inner products of the gradients of training sentences with those of predictions.

use edb::learn::{Gradients, Parameters};
use edb::prelude::*;

use cells::binary_tree::{Functions, PlainTreeLstm, Sizes};
use readers::tree::Tree;
use support::vocabulary::Vocabulary;
use support::{Options, Result, best};

/// Training sentences whose gradients are computed together.
const MINIBATCH: usize = 64;

/// What a training sentence did to a prediction.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Influence {
    /// The inner product of their gradients: a step along that of the training sentence lowers the
    /// loss of the prediction if it is positive.
    pub(super) product: f64,
    /// Its part of the product of their norms.
    pub(super) cosine: f64,
}

/// A trained model without dropout, at the end of one or of several epochs.
pub(super) struct Tracer<'a> {
    f: Functions<PlainTreeLstm>,
    model: Model,
    engine: Engine,
    words: &'a Vocabulary,
    /// The last ones are those of the tested model.
    epochs: Vec<Parameters<f32>>,
}

impl<'a> Tracer<'a> {
    /// Traces the parameters of a model of these sizes, the last of which are tested.
    pub(super) fn new(
        options: &Options,
        sizes: Sizes,
        words: &'a Vocabulary,
        epochs: Vec<Parameters<f32>>,
    ) -> Result<Self> {
        let mut builder = ModelBuilder::new();
        let f = Functions::new(&mut builder, sizes, 1);
        let mut model: Model = builder.build(options.seed)?;
        if let Some(tested) = epochs.last() {
            *model.parameters_mut() = tested.clone();
        }
        Ok(Self { f, model, engine: options.engine()?, words, epochs })
    }

    /// The labels that the tested model predicts.
    pub(super) fn labels(&mut self, trees: &[Tree]) -> Result<Vec<usize>> {
        let mut labels = Vec::with_capacity(trees.len());
        for chunk in trees.chunks(MINIBATCH) {
            let graph = |tree| self.f.graph_of_root(&self.model, tree, |word| self.words.id(word));
            let (graphs, roots): (Vec<Graph>, Vec<_>) = chunk.iter().map(graph).unzip();
            let batch = self.model.minibatch(&graphs)?;
            let run = self.engine.infer(&self.model, &batch)?;
            for root in roots {
                let logits = run.output(&self.f.sentiment, root)?.logits;
                labels.push(best(logits.iter().copied()));
            }
        }
        Ok(labels)
    }

    /// For each test sentence, the influence of each training sentence, averaged over the epochs.
    pub(super) fn trace(&mut self, train: &[Tree], test: &[&Tree]) -> Result<Vec<Vec<Influence>>> {
        let mut sums = vec![vec![Influence::default(); train.len()]; test.len()];
        let part = 1.0 / self.epochs.len().max(1) as f64;
        for parameters in std::mem::take(&mut self.epochs) {
            *self.model.parameters_mut() = parameters;
            let Self { f, model, engine, words, .. } = self;
            let id = |word: &str| words.id(word);
            let directions: Vec<Gradients<f32>> = test
                .iter()
                .map(|tree| {
                    // The loss of the prediction for the sentence, not those of its phrases.
                    let batch = model.minibatch([&f.graph_of_root(model, tree, id).0])?;
                    Ok(engine.forward(model, &batch, 0)?.backward()?)
                })
                .collect::<Result<_>>()?;
            for (number, chunk) in train.chunks(MINIBATCH).enumerate() {
                let graphs: Vec<Graph> =
                    chunk.iter().map(|tree| f.graph(model, tree, id).0).collect();
                let batch = model.minibatch(&graphs)?;
                let mut run = engine.forward(model, &batch, 0)?;
                let mut each = run.backward_each()?;
                let norms = each.norms()?;
                for (sums, direction) in sums.iter_mut().zip(&directions) {
                    let norm = direction.norm();
                    let sums = &mut sums[number * MINIBATCH..];
                    for ((sum, product), of) in
                        sums.iter_mut().zip(each.dots(direction)?).zip(&norms)
                    {
                        sum.product += part * product;
                        // A gradient of zero has no direction, and no influence.
                        sum.cosine += part * product / (norm * of).max(f64::MIN_POSITIVE);
                    }
                }
            }
        }
        Ok(sums)
    }
}
