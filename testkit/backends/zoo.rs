//! Cells that the examples do not cover, and random graphs of all cells.

use edb::Element;
use edb::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

pub use example_cells::sentiment;
pub use listops_cell as listops;

pub mod cells;

use cells::*;

/// A seeded generator.
pub fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// The binary Tree-LSTM of the sentiment example.
pub struct Sentiment {
    pub word: Function<sentiment::word>,
    pub phrase: Function<sentiment::phrase>,
    pub judge: Function<sentiment::sentiment>,
}

pub const WORDS: usize = 11;

impl Sentiment {
    pub fn new(builder: &mut ModelBuilder, hidden: usize) -> Self {
        Self {
            word: builder.add::<sentiment::word>(dims! { V: WORDS, X: hidden + 1, H: hidden }),
            phrase: builder.add::<sentiment::phrase>(dims! { H: hidden }),
            judge: builder.add::<sentiment::sentiment>(dims! { C: 5, H: hidden }),
        }
    }

    pub fn model<T: Element>(hidden: usize, seed: u64) -> (Self, Model<T>) {
        let mut builder = ModelBuilder::new();
        let functions = Self::new(&mut builder, hidden);
        (functions, builder.build_as(seed).unwrap())
    }

    /// A random tree with `words` words, judged at every phrase, and the vertex that judges the
    /// root.
    pub fn tree<T: Element>(
        &self,
        model: &Model<T>,
        words: usize,
        rng: &mut ChaCha8Rng,
    ) -> (Graph<T>, Vertex<()>) {
        let mut g = model.graph();
        let mut open: Vec<_> = (0..words)
            .map(|_| {
                let id = rng.random_range(0..WORDS as u32).into();
                g.add(&self.word, (), sentiment::Word { id })
            })
            .collect();
        let judge = |g: &mut Graph<T>, phrase, rng: &mut ChaCha8Rng| {
            let label = rng.random_range(0..5u32).into();
            g.add(&self.judge, [phrase], sentiment::Gold { label })
        };
        let mut root = judge(&mut g, open[0], rng);
        while open.len() > 1 {
            let left = rng.random_range(0..open.len() - 1);
            let right = open.remove(left + 1);
            open[left] = g.add(&self.phrase, [open[left], right], ());
            root = judge(&mut g, open[left], rng);
        }
        (g, root)
    }

    pub fn trees<T: Element>(
        &self,
        model: &Model<T>,
        count: usize,
        words: usize,
        seed: u64,
    ) -> Vec<(Graph<T>, Vertex<()>)> {
        let mut rng = rng(seed);
        (0..count)
            .map(|_| {
                let words = rng.random_range(1..=words);
                self.tree(model, words, &mut rng)
            })
            .collect()
    }
}

/// One of each of the other cells, over one state.
pub struct Zoo {
    pub read: Function<read>,
    pub chain: Function<chain>,
    pub gru: Function<gru>,
    pub child_sum: Function<child_sum>,
    pub attend: Function<attend>,
    pub lattice: Function<lattice>,
    pub regress: Function<regress>,
}

pub const FEATURES: usize = 3;

impl Zoo {
    pub fn model<T: Element>(hidden: usize, seed: u64) -> (Self, Model<T>) {
        let mut builder = ModelBuilder::new();
        let bound = || Initializer::Uniform { bound: 0.7 };
        let zoo = Self {
            read: builder.add::<read>(dims! { F: FEATURES, X: hidden + 2 }.init("b", bound())),
            chain: builder.add::<chain>(dims! { X: hidden + 2, H: hidden }.init("h0", bound())),
            gru: builder.add::<gru>(dims! { X: hidden + 2, H: hidden }),
            child_sum: builder.add::<child_sum>(dims! { X: hidden + 2, H: hidden }),
            attend: builder.add::<attend>(dims! { H: hidden }),
            lattice: builder.add::<lattice>(dims! { H: hidden }),
            regress: builder.add::<regress>(dims! { H: hidden, F: FEATURES }),
        };
        (zoo, builder.build_as(seed).unwrap())
    }

    /// A random acyclic graph of the cells.
    pub fn graph<T: Element>(
        &self,
        model: &Model<T>,
        size: usize,
        rng: &mut ChaCha8Rng,
    ) -> Graph<T> {
        self.graph_of(model, size, rng, |rng| rng.random_range(-1.0..1.0))
    }

    /// The same with inputs and targets that are drawn in another way.
    pub fn graph_of<T: Element>(
        &self,
        model: &Model<T>,
        size: usize,
        rng: &mut ChaCha8Rng,
        mut draw: impl FnMut(&mut ChaCha8Rng) -> f64,
    ) -> Graph<T> {
        let mut g = model.graph();
        let mut states: Vec<Vertex<Memory>> = Vec::new();
        let mut row = |g: &mut Graph<T>, rng: &mut ChaCha8Rng| {
            let row: Vec<T> = (0..FEATURES).map(|_| T::from_f64(draw(rng))).collect();
            g.tensor(&row)
        };
        for _ in 0..size {
            let features = Features { x: row(&mut g, rng) };
            let reader = g.add(&self.read, (), features);
            let x = g.output(&self.read, reader).x;
            let any = |rng: &mut ChaCha8Rng| states[rng.random_range(0..states.len())];
            let previous = (!states.is_empty() && rng.random_bool(0.8)).then(|| any(rng));
            let many: Vec<_> = match states.len() {
                0 => Vec::new(),
                _ => (0..rng.random_range(0..4)).map(|_| any(rng)).collect(),
            };
            let state = match (rng.random_range(0..5), previous) {
                (0, _) => g.add(&self.chain, [previous], Encoded { x }),
                (1, Some(previous)) => g.add(&self.gru, [previous], Encoded { x }),
                (2, _) => g.add(&self.child_sum, &many, Encoded { x }),
                (3, _) => g.add(&self.attend, &many, ()),
                (_, Some(previous)) => g.add(&self.lattice, (previous, &many), ()),
                (_, None) => g.add(&self.chain, [None], Encoded { x }),
            };
            states.push(state);
            if rng.random_bool(0.5) {
                let target = Target { y: row(&mut g, rng) };
                g.add(&self.regress, [state], target);
            }
        }
        g
    }

    pub fn graphs<T: Element>(&self, model: &Model<T>, seed: u64) -> Vec<Graph<T>> {
        let mut rng = rng(seed);
        (0..rng.random_range(1..5))
            .map(|_| {
                let size = rng.random_range(1..10);
                self.graph(model, size, &mut rng)
            })
            .collect()
    }
}
