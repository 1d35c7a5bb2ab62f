//! Tests PQ-trees by brute force over all orders of a few values.

use edb_compiler::layout::PqTree;

use crate::{all_orders, consecutive};

/// How many sets a tree has accepted, and how many it has refused.
#[derive(Default)]
pub struct Counts {
    pub accepted: usize,
    pub refused: usize,
}

/// Reduces the tree of all orders of `len` values by each of these sets, and returns it. Checks
/// that the admissible orders are exactly those in which every accepted set is consecutive, and
/// that a set is refused, leaving the tree unchanged, exactly if no such order remains.
pub fn reduced(len: usize, sets: &[Vec<usize>], counts: &mut Counts) -> PqTree {
    let mut tree = PqTree::new(len);
    let mut orders = all_orders(len);
    for set in sets {
        let before = tree.clone();
        let left: Vec<_> = orders.iter().filter(|order| consecutive(order, set)).cloned().collect();
        match tree.reduce(set) {
            Ok(changed) => {
                assert_eq!(changed, left.len() < orders.len(), "{set:?}");
                orders = left;
                counts.accepted += 1;
            }
            Err(_) => {
                assert!(left.is_empty(), "{set:?} can be consecutive");
                assert_eq!(tree, before, "a refused set leaves the tree alone");
                counts.refused += 1;
            }
        }
        assert!(!orders.is_empty());
    }
    let mut admissible = tree.orders();
    assert!(admissible.contains(&tree.frontier()));
    let found = admissible.len();
    admissible.sort_unstable();
    admissible.dedup();
    assert_eq!(admissible.len(), found, "each order once");
    assert_eq!(admissible, orders);
    tree
}

/// Checks that a set has a span exactly if it is consecutive in every admissible order, and that
/// the span's parts describe the orders of the set.
pub fn check_spans(tree: &PqTree) {
    let orders = tree.orders();
    for bits in 1..1usize << tree.len() {
        let set: Vec<usize> = (0..tree.len()).filter(|item| bits >> item & 1 == 1).collect();
        let always = orders.iter().all(|order| consecutive(order, &set));
        let span = tree.span(&set);
        assert_eq!(span.is_some(), always, "{set:?}");
        let Some(span) = span else { continue };
        let mut among: Vec<Vec<usize>> = orders.iter().map(|o| restrict(o, &set)).collect();
        among.sort_unstable();
        among.dedup();
        let count: usize = (span.parts.iter())
            .map(|part| if part.free { (1..part.bounds.len()).product() } else { 2 })
            .product();
        assert_eq!(count, among.len(), "{set:?}");
        let lanes: Vec<usize> = span.lanes.iter().map(|lane| set[*lane]).collect();
        assert!(among.contains(&lanes));
    }
}

fn restrict(order: &[usize], set: &[usize]) -> Vec<usize> {
    order.iter().copied().filter(|item| set.contains(item)).collect()
}
