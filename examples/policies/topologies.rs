//! The graphs of models, drawn at random or after a corpus: those of the papers on batching, those of
//! the examples, and some that are harder to batch.

pub mod chains;
pub mod example;
pub mod lattices;
pub mod random;
pub mod rows;
#[cfg(test)]
mod tests;
pub mod trees;

use std::path::Path;

use edb::schedule::TypeGraph;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

use example::Example;
use readers::lines::{Lines, Malformed};
use rows::Rows;
use support::Result;

/// A kind of graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Topology {
    /// A tagger over words in both directions (corpus: sentences as in WikiNER)
    Bilstm,
    /// The same, over the characters of rare words as well (same corpus)
    BilstmChar,
    /// Encoder and decoder (corpus: lines `source ||| translation`)
    Nmt,
    /// Binary trees, scored at every phrase, as in `sentiment` (corpus: trees as in SST)
    Treelstm,
    /// A vector and a matrix for every phrase (same corpus)
    Mvrnn,
    /// Trees bottom-up, then top-down (same corpus)
    TreeBuTd,
    /// Trees with phrases of two types (same corpus)
    #[value(name = "treelstm-2type")]
    Treelstm2Type,
    /// Characters, words, and their sums (corpus: lattices as in ED-Batch's benchmark)
    Lattice,
    /// The same, with sums inside of what reads them (same corpus)
    LatticeFused,
    /// Two trees with types swapped: figure 10 of ED-Batch (corpus: trees as in SST, two a graph)
    Fig10,
    /// Random DAGs of layers, of ten types
    Layered,
    /// Trees read by shifting and reducing (corpus: trees as in SST)
    Spinn,
    /// Random DAGs of encoders and decoders, as ED-Batch is tested with
    Eddag,
    /// Syntax trees of programs, of twenty types
    Ast,
    /// Neural module networks
    Modnet,
    /// Nested lists of any arity, with an answer for every part, as in the example `listops`
    Listops,
    /// Complete binary trees (Tree-FC of Cavs)
    TreeFc,
    /// The figure 1 of ED-Batch
    Fig1,
}

impl Topology {
    /// Whether it is one graph, always the same.
    pub fn is_fixed(self) -> bool {
        self == Topology::Fig1
    }

    /// The number of types of vertices.
    fn types(self) -> u16 {
        match self {
            Self::Nmt | Self::Treelstm | Self::LatticeFused => 3,
            Self::Listops | Self::TreeFc | Self::Fig1 => 3,
            Self::Bilstm | Self::Mvrnn | Self::TreeBuTd | Self::Treelstm2Type => 4,
            Self::Fig10 | Self::Spinn | Self::Eddag => 4,
            Self::Lattice => 6,
            Self::BilstmChar => 8,
            Self::Layered => 10,
            Self::Modnet => 12,
            Self::Ast => 20,
        }
    }

    /// Minibatches of these sizes, drawn by seed, or of the examples of a corpus in an order by seed,
    /// none of which is in two minibatches.
    pub fn minibatches(
        self,
        sizes: &[usize],
        seed: u64,
        corpus: Option<&Path>,
    ) -> Result<Vec<TypeGraph>> {
        let wanted = Wanted { types: self.types(), sizes, seed, corpus };
        match self {
            Self::Bilstm => wanted.minibatches(chains::bilstm),
            Self::BilstmChar => wanted.minibatches(chains::bilstm_char),
            Self::Nmt => wanted.minibatches(chains::nmt),
            Self::Treelstm => wanted.minibatches(trees::treelstm),
            Self::Mvrnn => wanted.minibatches(trees::mvrnn),
            Self::TreeBuTd => wanted.minibatches(trees::tree_bu_td),
            Self::Treelstm2Type => wanted.minibatches(trees::treelstm_2type),
            Self::Lattice => wanted.minibatches(lattices::lattice),
            Self::LatticeFused => wanted.minibatches(lattices::lattice_fused),
            Self::Fig10 => wanted.minibatches(trees::fig10),
            Self::Layered => wanted.minibatches(random::layered),
            Self::Spinn => wanted.minibatches(trees::spinn),
            Self::Eddag => wanted.minibatches(random::eddag),
            Self::Ast => wanted.minibatches(random::ast),
            Self::Modnet => wanted.minibatches(random::modnet),
            Self::Listops => wanted.minibatches(trees::listops),
            Self::TreeFc => wanted.minibatches(trees::tree_fc),
            Self::Fig1 => wanted.minibatches(trees::fig1),
        }
    }
}

/// Minibatches that are asked for.
struct Wanted<'a> {
    types: u16,
    sizes: &'a [usize],
    seed: u64,
    corpus: Option<&'a Path>,
}

impl Wanted<'_> {
    /// The minibatches, whose graphs are added by a function of an example.
    fn minibatches<E: Example>(
        &self,
        add: fn(&mut Rows, &E, &mut ChaCha8Rng),
    ) -> Result<Vec<TypeGraph>> {
        let mut read = self.corpus.map(|path| self.shuffled::<E>(path)).transpose()?;
        let minibatch = |(place, &size): (usize, &usize)| {
            // What is drawn depends on the size, and on how many of it there have been.
            let before = self.sizes[..place].iter().filter(|before| **before == size).count();
            let seed = self.seed ^ (before as u64) << 32 ^ (size as u64) << 48;
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut rows = Rows::default();
            for _ in 0..size {
                let read = read.as_mut().and_then(Vec::pop);
                let example = read.unwrap_or_else(|| E::draw(&mut rng));
                add(&mut rows, &example, &mut rng);
            }
            Ok(rows.finish(self.types)?)
        };
        self.sizes.iter().enumerate().map(minibatch).collect()
    }

    /// The examples of a corpus, which are enough for all minibatches, in an order by seed.
    fn shuffled<E: Example>(&self, path: &Path) -> Result<Vec<E>> {
        let mut read = E::read(Lines::open(path, Malformed::Stop)?)?;
        let (found, all) = (read.len(), self.sizes.iter().sum::<usize>());
        if found < all {
            let path = path.display();
            return Err(
                format!("{path} is enough for {found} graphs, the minibatches have {all}").into()
            );
        }
        read.shuffle(&mut ChaCha8Rng::seed_from_u64(self.seed));
        Ok(read)
    }
}
