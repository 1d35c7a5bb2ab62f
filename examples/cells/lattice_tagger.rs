//! A lattice tagger that reads in both directions, and tags each character from both states. The
//! cells of a direction are those of the lattice LSTM ([`lattice_lstm`](crate::lattice_lstm)) or of
//! the lattice GRU ([`lattice_gru`](crate::lattice_gru)); the LSTM's tag function is that of
//! [`tagging`](crate::tagging).

use edb::Element;
use edb::engine::EngineError;
use edb::ndarray::ArrayViewD;
use edb::prelude::*;

use crate::crf::{Best, Crf, Emission};
use crate::lattice_gru::{Hidden, LatticeGru};
use crate::lattice_lstm::Direction;
use crate::tagging::{Gold, Scores, emit, tag};
use readers::lattice::Lattice;

/// The tag of a character, from a GRU in each direction.
#[vertex_function]
pub fn tag_gru(#[param(K, 2 * H)] v: Tensor, #[param(K)] b: Tensor) {
    let [forward, backward]: [Hidden; 2] = [gather(0), gather(1)];
    let Gold { tag } = pull();
    let logits = v.dot(concat([forward.h, backward.h]).dropout(0.5)) + b;
    push(Scores { logits });
    loss(cross_entropy(logits, tag));
}

/// The vertex functions in a model, forward and backward.
pub enum Tagger {
    Lstm([Direction; 2], Function<tag>),
    Gru([LatticeGru; 2], Function<tag_gru>),
}

/// Which cells read a lattice.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Cell {
    /// Zhang and Yang (2018)
    LatticeLstm,
    /// Su et al. (2017)
    LatticeGru,
}

impl Tagger {
    /// Adds the functions to a model, for the given numbers of characters, words and tags.
    pub fn new(
        builder: &mut ModelBuilder,
        cell: Cell,
        [chars, words, tags]: [usize; 3],
        hidden: usize,
    ) -> Self {
        let sizes = [chars, words];
        let dims = dims! { K: tags, H: hidden }.named("tag");
        match cell {
            Cell::LatticeLstm => Self::Lstm(
                ["forward_", "backward_"].map(|name| Direction::new(builder, name, sizes, hidden)),
                builder.add::<tag>(dims),
            ),
            Cell::LatticeGru => Self::Gru(
                ["forward", "backward"].map(|name| LatticeGru::new(builder, name, sizes, hidden)),
                builder.add::<tag_gru>(dims),
            ),
        }
    }

    /// A sentence as a graph, and the vertices that tag its characters. The arguments are the
    /// lattices of the sentence and of its reverse, and its tags.
    pub fn graph<T: Element>(
        &self,
        model: &Model<T>,
        [forward, backward]: &[Lattice; 2],
        tags: &[u32],
    ) -> (Graph<T>, Vec<Vertex<()>>) {
        let mut g = model.graph();
        let gold = tags.iter().map(|tag| Gold { tag: (*tag).into() });
        let tags = match self {
            Self::Lstm([f, b], tag) => {
                let (forward, backward) = (f.read(&mut g, forward), b.read(&mut g, backward));
                let states = forward.into_iter().zip(backward.into_iter().rev()).zip(gold);
                states.map(|((a, b), gold)| g.add(tag, [a, b], gold)).collect()
            }
            Self::Gru([f, b], tag) => {
                let (forward, backward) = (f.read(&mut g, forward), b.read(&mut g, backward));
                let states = forward.into_iter().zip(backward.into_iter().rev()).zip(gold);
                states.map(|((a, b), gold)| g.add(tag, [a, b], gold)).collect()
            }
        };
        (g, tags)
    }

    /// The scores of the tags of a character.
    pub fn scores<'r>(
        &self,
        run: &'r Run<'_>,
        vertex: Vertex<()>,
    ) -> Result<ArrayViewD<'r, f32>, EngineError> {
        Ok(match self {
            Self::Lstm(_, tag) => run.output(tag, vertex)?.logits,
            Self::Gru(_, tag) => run.output(tag, vertex)?.logits,
        })
    }
}

/// The scores of the tags of a character, from a GRU in each direction.
#[vertex_function]
pub fn emit_gru(#[param(K, 2 * H)] v: Tensor, #[param(K)] b: Tensor) {
    let [forward, backward]: [Hidden; 2] = [gather(0), gather(1)];
    scatter(Emission { scores: v.dot(concat([forward.h, backward.h]).dropout(0.5)) + b });
}

/// What reads a lattice, for tags that are decided together.
enum Readers {
    Lstm([Direction; 2], Function<emit>),
    Gru([LatticeGru; 2], Function<emit_gru>),
}

/// A tagger whose tags are decided together ([`crf`](crate::crf)).
pub struct CrfTagger {
    readers: Readers,
    pub crf: Crf,
}

impl CrfTagger {
    /// Adds the functions to a model, as [`Tagger::new`] does; `transitions` are those that [`Crf::new`] takes.
    pub fn new(
        builder: &mut ModelBuilder,
        cell: Cell,
        [chars, words, tags]: [usize; 3],
        hidden: usize,
        transitions: &[Vec<f32>; 3],
    ) -> Self {
        let sizes = [chars, words];
        let dims = dims! { K: tags, H: hidden }.named("emit");
        let readers = match cell {
            Cell::LatticeLstm => Readers::Lstm(
                ["forward_", "backward_"].map(|name| Direction::new(builder, name, sizes, hidden)),
                builder.add::<emit>(dims),
            ),
            Cell::LatticeGru => Readers::Gru(
                ["forward", "backward"].map(|name| LatticeGru::new(builder, name, sizes, hidden)),
                builder.add::<emit_gru>(dims),
            ),
        };
        Self { readers, crf: Crf::new(builder, transitions) }
    }

    fn read<T: Element>(
        &self,
        g: &mut Graph<T>,
        [forward, backward]: &[Lattice; 2],
    ) -> Vec<Vertex<Emission>> {
        match &self.readers {
            Readers::Lstm([f, b], emit) => {
                let (forward, backward) = (f.read(g, forward), b.read(g, backward));
                let states = forward.into_iter().zip(backward.into_iter().rev());
                states.map(|(a, b)| g.add(emit, [a, b], ())).collect()
            }
            Readers::Gru([f, b], emit) => {
                let (forward, backward) = (f.read(g, forward), b.read(g, backward));
                let states = forward.into_iter().zip(backward.into_iter().rev());
                states.map(|(a, b)| g.add(emit, [a, b], ())).collect()
            }
        }
    }

    /// A sentence as a graph with its loss; the arguments are those of [`Tagger::graph`].
    pub fn graph<T: Element>(
        &self,
        model: &Model<T>,
        lattices: &[Lattice; 2],
        gold: &[u32],
    ) -> Graph<T> {
        let mut g = model.graph();
        let items = self.read(&mut g, lattices);
        self.crf.lose(&mut g, &items, gold);
        g
    }

    /// A sentence as a graph that finds its best tags.
    pub fn best<T: Element>(&self, model: &Model<T>, lattices: &[Lattice; 2]) -> (Graph<T>, Best) {
        let mut g = model.graph();
        let items = self.read(&mut g, lattices);
        let best = self.crf.best(&mut g, &items);
        (g, best)
    }
}
