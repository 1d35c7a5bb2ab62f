//! Random graphs with the topologies of the examples' data, and figure 1 of ED-Batch.

use edb::schedule::{ScheduleError, TypeGraph};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// A kind of graph that is drawn at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Topology {
    /// Binary parse trees, scored at every phrase, as in the example `sentiment`
    Sentiment,
    /// Nested lists of any arity, with an answer for every part, as in the example `listops`
    Listops,
    /// Sentences read forwards and backwards, with a tag for every word
    Tagger,
    /// Complete binary trees (Tree-FC of Cavs)
    TreeFc,
    /// Characters and the words that may end at each of them, as in a LatticeLSTM
    Lattice,
    /// The figure 1 of ED-Batch
    Figure1,
}

/// A minibatch under construction.
#[derive(Default)]
struct Rows {
    types: Vec<u16>,
    offsets: Vec<u32>,
    children: Vec<u32>,
}

impl Rows {
    fn add(&mut self, vertex_type: u16, children: &[u32]) -> u32 {
        if self.offsets.is_empty() {
            self.offsets.push(0);
        }
        self.types.push(vertex_type);
        self.children.extend_from_slice(children);
        self.offsets.push(self.children.len() as u32);
        self.types.len() as u32 - 1
    }
}

impl Topology {
    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Topology::Sentiment => "sentiment",
            Topology::Listops => "listops",
            Topology::Tagger => "tagger",
            Topology::TreeFc => "tree-fc",
            Topology::Lattice => "lattice",
            Topology::Figure1 => "figure1",
        }
    }

    /// Whether the topology is not random.
    pub fn is_fixed(self) -> bool {
        self == Topology::Figure1
    }

    /// A random minibatch of `graphs` graphs.
    pub fn draw(self, graphs: usize, seed: u64) -> Result<TypeGraph, ScheduleError> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut rows = Rows::default();
        rows.offsets.push(0);
        for _ in 0..graphs {
            match self {
                Topology::Sentiment => sentiment(&mut rows, &mut rng),
                Topology::Listops => listops(&mut rows, &mut rng),
                Topology::Tagger => tagger(&mut rows, &mut rng),
                Topology::TreeFc => tree_fc(&mut rows, &mut rng),
                Topology::Lattice => lattice(&mut rows, &mut rng),
                Topology::Figure1 => figure_1(&mut rows),
            }
        }
        TypeGraph::new(
            3 + u16::from(self == Topology::Tagger),
            rows.types,
            rows.offsets,
            rows.children,
        )
    }
}

/// Words (0), combined pairwise into phrases (1), each with a score (2). Lengths as in SST.
fn sentiment(rows: &mut Rows, rng: &mut ChaCha8Rng) {
    let words = rng.random_range(4..=36);
    let mut open: Vec<u32> = (0..words).map(|_| rows.add(0, &[])).collect();
    for &word in &open.clone() {
        rows.add(2, &[word]);
    }
    while open.len() > 1 {
        let left = rng.random_range(0..open.len() - 1);
        let phrase = rows.add(1, &[open[left], open[left + 1]]);
        open.remove(left + 1);
        open[left] = phrase;
        rows.add(2, &[phrase]);
    }
}

/// Digits (0), operators over two to five parts (1), each with an answer (2).
fn listops(rows: &mut Rows, rng: &mut ChaCha8Rng) {
    let digits = rng.random_range(2..=40);
    let mut open: Vec<u32> = (0..digits).map(|_| rows.add(0, &[])).collect();
    while open.len() > 1 {
        let parts = rng.random_range(2..=5).min(open.len());
        let start = rng.random_range(0..=open.len() - parts);
        let list = rows.add(1, &open[start..start + parts]);
        open.splice(start..start + parts, [list]);
        rows.add(2, &[list]);
    }
}

/// Words (0), a chain over them in each direction (1, 2), and a tag of each (3).
fn tagger(rows: &mut Rows, rng: &mut ChaCha8Rng) {
    let words: Vec<u32> = (0..rng.random_range(3..=45)).map(|_| rows.add(0, &[])).collect();
    let mut chain = |vertex_type: u16, words: &mut dyn Iterator<Item = &u32>| {
        let mut before = None;
        let next = |&word: &u32| {
            let children: Vec<u32> = std::iter::once(word).chain(before).collect();
            let vertex = rows.add(vertex_type, &children);
            before = Some(vertex);
            vertex
        };
        words.map(next).collect::<Vec<u32>>()
    };
    let forwards = chain(1, &mut words.iter());
    let backwards = chain(2, &mut words.iter().rev());
    for (forwards, backwards) in forwards.iter().zip(backwards.iter().rev()) {
        rows.add(3, &[*forwards, *backwards]);
    }
}

/// Leaves (0), combined pairwise by inner vertices (1) up to the root, which has an output (2).
/// Cavs has 256 leaves; here it is any power of two up to that.
fn tree_fc(rows: &mut Rows, rng: &mut ChaCha8Rng) {
    let mut level: Vec<u32> = (0..1 << rng.random_range(3..=8)).map(|_| rows.add(0, &[])).collect();
    while level.len() > 1 {
        level = level.chunks(2).map(|pair| rows.add(1, pair)).collect();
    }
    rows.add(2, &level);
}

/// A chain over characters (0), each of which also reads the words (1) that end there; a word reads
/// the character before its first. Each character has an output (2).
fn lattice(rows: &mut Rows, rng: &mut ChaCha8Rng) {
    let length = rng.random_range(10..=60_usize);
    let mut characters: Vec<u32> = Vec::with_capacity(length);
    for place in 0..length {
        let mut children: Vec<u32> = characters.last().copied().into_iter().collect();
        // Words of two to four characters, which end at the previous character.
        for (span, share) in [(2, 0.35), (3, 0.15), (4, 0.05)] {
            if place >= span && rng.random_bool(share) {
                children.push(rows.add(1, &[characters[place - span]]));
            }
        }
        let character = rows.add(0, &children);
        characters.push(character);
        rows.add(2, &[character]);
    }
}

/// Four words and three phrases leaning left (0), an output of each (1), and their reduction (2).
fn figure_1(rows: &mut Rows) {
    let words: Vec<u32> = (0..4).map(|_| rows.add(0, &[])).collect();
    let mut internal = words.clone();
    let mut left = words[0];
    for &right in &words[1..] {
        left = rows.add(0, &[left, right]);
        internal.push(left);
    }
    let outputs: Vec<u32> = internal.iter().map(|&vertex| rows.add(1, &[vertex])).collect();
    rows.add(2, &outputs);
}

#[cfg(test)]
mod tests {
    use edb::schedule::{Policy, lower_bound};

    use super::*;

    #[test]
    fn figure_1_is_that_of_the_paper() {
        let graph = Topology::Figure1.draw(1, 0).unwrap();
        let batches = |policy: Policy| policy.schedule(&graph).len();
        assert_eq!(lower_bound(&graph), 6);
        let counts = [Policy::Depth, Policy::Agenda, Policy::Auto].map(batches);
        assert_eq!(counts, [9, 7, 6]);
    }

    #[test]
    fn topologies_are_drawn_by_seed() {
        use clap::ValueEnum;
        for topology in Topology::value_variants() {
            let [one, same] = [7, 7].map(|seed| topology.draw(5, seed).unwrap());
            assert_eq!(one.types(), same.types());
            assert!(!one.is_empty());
            let batches = Policy::Auto.schedule(&one).len();
            // Words begin and end at different positions in each sentence, so the bound is not
            // reached.
            let more = usize::from(*topology == Topology::Lattice) * batches / 4;
            assert!(batches <= lower_bound(&one) + more, "{topology:?}");
        }
    }
}
