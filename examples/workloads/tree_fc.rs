//! `tree-fc`: a fully connected layer at the inner vertices of complete binary trees. The trees are
//! generated, not read: only the words at the leaves and the classes at the roots differ.
//!
//! Necessary operations, forward: `4 h²` per inner vertex (`h` from `2 h`), and `10 h` per tree
//! (five classes). A leaf is a table lookup.

use edb::Element;
use edb::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::workload::{WORDS, Workload};
use cells::tree_fc::TreeFc;

/// The number of classes of a tree.
const CLASSES: u32 = 5;

/// Complete binary trees of the same size.
pub struct CompleteTrees {
    records: Vec<Record>,
}

/// A complete tree: its leaves, whose number is a power of two, and its class.
pub struct Record {
    leaves: Vec<u32>,
    label: u32,
}

impl CompleteTrees {
    /// Generates trees with `leaves` leaves each.
    ///
    /// # Errors
    /// When `leaves` is not a power of two.
    pub fn draw(leaves: usize, trees: usize, seed: u64) -> Result<Self, String> {
        if !leaves.is_power_of_two() {
            return Err(format!("a complete binary tree has 1, 2, 4, 8, ... leaves, not {leaves}"));
        }
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut record = || Record {
            leaves: (0..leaves).map(|_| rng.random_range(0..WORDS as u32)).collect(),
            label: rng.random_range(0..CLASSES),
        };
        Ok(Self { records: (0..trees).map(|_| record()).collect() })
    }
}

impl Workload for CompleteTrees {
    type Record = Record;
    type Functions = TreeFc;
    type Growing = ();

    fn records(&self) -> &[Record] {
        &self.records
    }

    fn functions(&self, builder: &mut ModelBuilder, hidden: usize) -> TreeFc {
        TreeFc::new(builder, WORDS, hidden, CLASSES as usize)
    }

    fn graph<T: Element>(&self, f: &TreeFc, model: &Model<T>, record: &Record) -> (Graph<T>, ()) {
        (f.graph(model, &record.leaves, record.label), ())
    }

    fn flops(&self, record: &Record, hidden: usize) -> u64 {
        let (h, inner) = (hidden as u64, record.leaves.len() as u64 - 1);
        inner * 4 * h * h + 2 * u64::from(CLASSES) * h
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::agree;

    #[test]
    fn trees_are_complete() {
        let trees = CompleteTrees::draw(8, 3, 1).unwrap();
        assert_eq!(trees.flops(&trees.records[2], 10), 7 * 400 + 100);
        for leaves in [0, 3, 12] {
            let error = CompleteTrees::draw(leaves, 3, 1).err().unwrap();
            assert!(error.ends_with(&format!("leaves, not {leaves}")), "{error}");
        }
    }

    #[test]
    fn the_batched_cell_is_the_eager_one() {
        agree(&CompleteTrees::draw(1, 2, 1).unwrap());
        agree(&CompleteTrees::draw(8, 3, 1).unwrap());
    }
}
