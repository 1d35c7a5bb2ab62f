//! Trees over sentences, and what is computed on them.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::example::Example;
use super::rows::{Rows, length};
use readers::lines::Lines;
use readers::tree::{self, TreeKind};
use support::Result;

/// A binary tree over the words of a sentence: what comes first below each vertex comes first, and
/// the root is the last; a phrase has the places of its two parts.
///
/// From a corpus, it is a tree in the notation of SST. Otherwise, it has as many words as one of
/// SST's training set, and its phrases are split as those are: in 18 % of all cases, the right part
/// is one word; in the others, the left part of `n` words has one word and `(n - 2) u^3.6` more,
/// where `u` is uniform.
pub struct Tree(Vec<Option<[usize; 2]>>);

impl Example for Tree {
    fn draw(rng: &mut ChaCha8Rng) -> Self {
        const WORDS: [usize; 21] =
            [2, 5, 7, 9, 11, 12, 13, 15, 16, 17, 18, 20, 21, 22, 24, 25, 27, 29, 32, 35, 52];
        let mut tree = Self(Vec::new());
        let words = length(WORDS, rng);
        tree.grow(words, rng);
        tree
    }

    fn read(mut lines: Lines) -> Result<Vec<Self>> {
        let trees: Vec<tree::Tree> = lines.records(usize::MAX, str::parse)?;
        let parts = |tree: &tree::Tree| {
            let parts = tree.vertices().iter().map(|vertex| match vertex.kind {
                TreeKind::Leaf { .. } => None,
                TreeKind::Inner { left, right } => Some([left, right]),
            });
            Self(parts.collect())
        };
        Ok(trees.iter().map(parts).collect())
    }
}

impl Tree {
    /// Adds a tree over so many words, at most 52, and returns its root.
    fn grow(&mut self, words: usize, rng: &mut ChaCha8Rng) -> usize {
        let parts = (words > 1).then(|| {
            let left = match rng.random_bool(0.18) {
                true => words - 1,
                false => {
                    1 + ((words - 2) as f64 * rng.random_range(0.0..1.0_f64).powf(3.6)) as usize
                }
            };
            [left, words - left].map(|words| self.grow(words, rng))
        });
        self.0.push(parts);
        self.0.len() - 1
    }

    /// The tree bottom-up, with an output (of type `output`) at each word and phrase, which it
    /// returns; words (0) read what is `below`, and each phrase has a type that `inner` chooses.
    fn with_outputs(
        &self,
        rows: &mut Rows,
        below: &[u32],
        mut inner: impl FnMut() -> u16,
        output: u16,
    ) -> Vec<u32> {
        let (mut vertices, mut outputs) = (Vec::with_capacity(self.0.len()), Vec::new());
        for parts in &self.0 {
            let vertex = match parts {
                None => rows.add(0, below),
                Some(parts) => rows.add(inner(), &parts.map(|part| vertices[part])),
            };
            vertices.push(vertex);
            outputs.push(rows.add(output, &[vertex]));
        }
        outputs
    }
}

/// Two sentences, of which one follows from the other.
pub struct Two([Tree; 2]);

impl Example for Two {
    fn draw(rng: &mut ChaCha8Rng) -> Self {
        Self([(); 2].map(|()| Tree::draw(rng)))
    }

    fn read(lines: Lines) -> Result<Vec<Self>> {
        let mut trees = Tree::read(lines)?.into_iter();
        Ok(std::iter::from_fn(|| Some(Self([trees.next()?, trees.next()?]))).collect())
    }
}

/// The N-ary TreeLSTM of ED-Batch (table 1), also a TreeGRU, and the example `sentiment`: words (0),
/// combined pairwise into phrases (1), with a score of each (2).
pub fn treelstm(rows: &mut Rows, tree: &Tree, _: &mut ChaCha8Rng) {
    tree.with_outputs(rows, &[], || 1, 2);
}

/// The TreeLSTM-2Type of ED-Batch (table 1): words (0), phrases of two types (1, 2), each with a
/// probability of 50 %, and a score of each (3).
pub fn treelstm_2type(rows: &mut Rows, tree: &Tree, rng: &mut ChaCha8Rng) {
    tree.with_outputs(rows, &[], || rng.random_range(1..=2), 3);
}

/// The MV-RNN of ED-Batch (table 1; Socher et al., 2012): the matrix (0) and the vector (1) of each
/// word, phrases that combine those of both parts (2), and a score of each vector (3).
pub fn mvrnn(rows: &mut Rows, Tree(tree): &Tree, _: &mut ChaCha8Rng) {
    let mut values: Vec<Vec<u32>> = Vec::with_capacity(tree.len());
    for parts in tree {
        let value = match parts {
            None => vec![rows.add(0, &[]), rows.add(1, &[])],
            Some(parts) => vec![rows.add(2, &parts.map(|part| &values[part][..]).concat())],
        };
        rows.add(3, &value[value.len() - 1..]);
        values.push(value);
    }
}

/// A tree that is computed twice (as the bidirectional tree networks of Irsoy and Cardie, 2013):
/// bottom-up, words (0) and phrases (1); then top-down, a vertex that reads the same one bottom-up
/// and the one above it (2), with an output of each (3).
pub fn tree_bu_td(rows: &mut Rows, Tree(tree): &Tree, _: &mut ChaCha8Rng) {
    let mut up: Vec<u32> = Vec::with_capacity(tree.len());
    for parts in tree {
        up.push(match parts {
            None => rows.add(0, &[]),
            Some(parts) => rows.add(1, &parts.map(|part| up[part])),
        });
    }
    let mut above: Vec<Option<u32>> = vec![None; tree.len()];
    for (place, parts) in tree.iter().enumerate().rev() {
        let children: Vec<u32> = [up[place]].into_iter().chain(above[place]).collect();
        let down = rows.add(2, &children);
        rows.add(3, &[down]);
        for part in parts.iter().flatten() {
            above[*part] = Some(down);
        }
    }
}

/// SPINN (Bowman et al., 2016), which reads a sentence by shifting words (2) and reducing the two
/// topmost parts of its stack to a phrase (1). A tracker (0) reads itself and what is put on the
/// stack, and each reduction reads it. The last phrase is classified (3).
pub fn spinn(rows: &mut Rows, Tree(tree): &Tree, _: &mut ChaCha8Rng) {
    let mut stack: Vec<u32> = Vec::with_capacity(tree.len());
    let mut tracker = rows.add(0, &[]);
    for (place, parts) in tree.iter().enumerate() {
        let top = match parts {
            None => rows.add(2, &[]),
            Some(parts) => {
                let [left, right] = parts.map(|part| stack[part]);
                rows.add(1, &[left, right, tracker])
            }
        };
        stack.push(top);
        if place + 1 < tree.len() {
            tracker = rows.add(0, &[tracker, top]);
        }
    }
    rows.add(3, &stack[stack.len() - 1..]);
}

/// Figure 10 of ED-Batch (appendix A.4), where no finite state machine over frontiers does well: two
/// trees, of which the second has the types of phrases and of outputs swapped. Its words (0) read
/// all outputs (2) of the first, whose phrases are of type 1, by one vertex (3); another one reads
/// those of the second.
pub fn fig10(rows: &mut Rows, Two([first, second]): &Two, _: &mut ChaCha8Rng) {
    let outputs = first.with_outputs(rows, &[], || 1, 2);
    let all = rows.add(3, &outputs);
    let outputs = second.with_outputs(rows, &[all], || 2, 1);
    rows.add(3, &outputs);
}

/// Figure 1 of ED-Batch: four words and three phrases leaning left (0), an output of each (1), and
/// their reduction (2).
pub fn fig1(rows: &mut Rows, (): &(), _: &mut ChaCha8Rng) {
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

/// Nested lists of the example `listops`: digits (0), operators over two to five parts (1), and the
/// answer of each (2).
pub fn listops(rows: &mut Rows, (): &(), rng: &mut ChaCha8Rng) {
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

/// The Tree-FC of Cavs: leaves (0), combined pairwise by inner vertices (1) up to the root, which
/// has an output (2). Cavs has 256 leaves; here it is any power of two from 8 up to that.
pub fn tree_fc(rows: &mut Rows, (): &(), rng: &mut ChaCha8Rng) {
    let mut level: Vec<u32> = (0..1 << rng.random_range(3..=8)).map(|_| rows.add(0, &[])).collect();
    while level.len() > 1 {
        level = level.chunks(2).map(|pair| rows.add(1, pair)).collect();
    }
    rows.add(2, &level);
}
