//! What a batcher promises: the same answers as alone, each given once, whatever others do.

mod callbacks;
mod company;
mod counts;
mod end;
mod hang;
mod refusals;
mod work;

use std::sync::mpsc::{Sender, channel};

use edb::Element;
use edb::engine::{EngineError, GraphResults};
use edb::prelude::*;
use edb_backend_suite::zoo::{Sentiment, rng, sentiment};
use edb_serve::{Batcher, BatcherBuilder, Pending, ServeError};
use rand::RngExt;

/// The scores and the losses of a tree, as bits.
type Bits = (Vec<u64>, u64);

fn bits<T: Element>(
    results: &GraphResults<'_, T>,
    judge: &Function<sentiment::sentiment>,
    root: Vertex<()>,
) -> Result<Bits, EngineError> {
    let logits = results.output(judge, root)?.logits;
    Ok((logits.iter().map(|x| x.as_f64().to_bits()).collect(), results.loss()?.to_bits()))
}

/// A model of trees.
struct Net<T: Element = f32> {
    functions: Sentiment,
    model: Model<T>,
}

impl<T: Element> Net<T> {
    fn new() -> Self {
        let (functions, model) = Sentiment::model(6, 3);
        Self { functions, model }
    }

    /// A batcher of one worker, with a copy of the model.
    fn builder(&self) -> BatcherBuilder<T> {
        let parameters = self.model.parameters().clone();
        Batcher::builder(self.model.with_parameters(parameters).unwrap()).workers(1)
    }

    fn tree(&self, words: usize, seed: u64) -> (Graph<T>, Vertex<()>) {
        self.functions.tree(&self.model, words, &mut rng(seed))
    }

    /// What is read of a tree.
    fn read(
        &self,
        root: Vertex<()>,
    ) -> impl FnOnce(GraphResults<'_, T>) -> Result<Bits, EngineError> + Send + use<T> {
        let judge = self.functions.judge;
        move |results| bits(&results, &judge, root)
    }

    /// The answer of a tree that runs alone.
    fn alone(&self, graph: &Graph<T>, root: Vertex<()>) -> Bits {
        let batch = self.model.minibatch([graph]).unwrap();
        let mut engine = Engine::new();
        let run = engine.infer(&self.model, &batch).unwrap();
        bits(&run.graph(0).unwrap(), &self.functions.judge, root).unwrap()
    }
}

/// Keeps a worker busy until something is sent, so that other requests gather meanwhile.
fn hold<T: Element>(batcher: &Batcher<T>, net: &Net<T>) -> (Sender<()>, Pending<()>) {
    let (release, released) = channel();
    let (tell, begun) = channel();
    let later = batcher.ask_later(&net.tree(1, 1).0, move |_| {
        tell.send(()).unwrap();
        released.recv().unwrap();
        Ok(())
    });
    begun.recv().unwrap();
    (release, later.unwrap())
}

#[test]
fn what_waits_runs_together() {
    let net = Net::<f32>::new();
    for (graphs, vertices, minibatches) in [(256, 99, 1), (4, 99, 3), (256, 19, 4), (1, 99, 10)] {
        let batcher = net.builder().max_minibatch(graphs, vertices).start().unwrap();
        let (release, held) = hold(&batcher, &net);
        // Of five vertices each.
        let trees: Vec<_> = (0..10).map(|seed| net.tree(2, seed)).collect();
        let later: Vec<_> = trees
            .iter()
            .map(|(graph, root)| batcher.ask_later(graph, net.read(*root)).unwrap())
            .collect();
        assert_eq!(batcher.counts().queued, 10);
        release.send(()).unwrap();
        held.wait().unwrap();
        for (later, (graph, root)) in later.into_iter().zip(&trees) {
            assert_eq!(later.wait().unwrap(), net.alone(graph, *root));
        }
        let counts = batcher.counts();
        assert_eq!((counts.queued, counts.taken), (0, 11));
        assert_eq!(counts.minibatches, 1 + minibatches, "{graphs} of {vertices}");
    }
}

#[test]
fn answers_are_of_older_or_newer_parameters() {
    let net = Net::<f64>::new();
    let (graph, root) = net.tree(5, 8);
    let older = net.alone(&graph, root);
    let (_, other) = Sentiment::model::<f64>(6, 4);
    let newer = Net {
        model: net.model.with_parameters(other.parameters().clone()).unwrap(),
        functions: Sentiment { ..net.functions },
    };
    let new_bits = newer.alone(&graph, root);
    assert_ne!(older, new_bits);
    let batcher = newer.builder().workers(3).start().unwrap();
    let asked = || batcher.ask(&graph, newer.read(root)).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..200 {
                    assert!([&older, &new_bits].contains(&&asked()));
                }
            });
        }
        for parameters in [net.model.parameters(), other.parameters()].iter().cycle().take(50) {
            batcher.replace((*parameters).clone()).unwrap();
        }
    });
    assert_eq!(asked(), new_bits);
    let (_, foreign) = Sentiment::model::<f64>(7, 4);
    let error = batcher.replace(foreign.parameters().clone()).unwrap_err().to_string();
    assert!(error.contains("parameter"), "{error}");
    assert_eq!(asked(), new_bits);
}

/// Trees of 1 to 11 words.
fn random_trees<T: Element>(net: &Net<T>, count: u64) -> Vec<(Graph<T>, Vertex<()>)> {
    let mut rng = rng(count);
    (0..count).map(|seed| net.tree(rng.random_range(1..12), seed)).collect()
}
