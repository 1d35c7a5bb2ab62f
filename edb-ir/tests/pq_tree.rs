//! PQ-trees against brute force.

mod support;

use edb_ir::layout::PqTree;
use edb_ir::layout::pq_tree::Kind;
use support::{Random, all_orders, consecutive};

/// Over random families of subsets: the admissible orders are exactly those in which every
/// accepted set is consecutive, and a set is refused exactly when no such order is left; then the
/// tree is what it was.
#[test]
fn the_admissible_orders_are_those_of_brute_force() {
    let mut random = Random(1);
    let (mut refused, mut accepted) = (0, 0);
    for round in 0..1000 {
        let len = 1 + round % 7;
        let mut tree = PqTree::new(len);
        let mut orders = all_orders(len);
        for _ in 0..1 + random.below(8) {
            let size = random.below(len) + 1;
            let set = random.order(len)[..size].to_vec();
            let before = tree.clone();
            let left: Vec<_> = orders.iter().filter(|o| consecutive(o, &set)).cloned().collect();
            match tree.reduce(&set) {
                Ok(changed) => {
                    assert_eq!(changed, left.len() < orders.len(), "{set:?}");
                    orders = left;
                    accepted += 1;
                }
                Err(_) => {
                    assert!(left.is_empty(), "{set:?} can be consecutive");
                    assert_eq!(tree, before, "a refused set leaves the tree alone");
                    refused += 1;
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
    }
    assert!(refused > 200 && accepted > 2500, "{refused} {accepted}");
}

/// A span holds exactly the sets that are consecutive whatever the order; its parts say which
/// orders of the set there are.
#[test]
fn spans_are_the_sets_that_are_always_consecutive() {
    let mut random = Random(2);
    for _ in 0..600 {
        let len = 2 + random.below(5);
        let mut tree = PqTree::new(len);
        for _ in 0..random.below(5) {
            let size = 2 + random.below(len - 1);
            let _ = tree.reduce(&random.order(len)[..size]);
        }
        let orders = tree.orders();
        for bits in 1..1usize << len {
            let set: Vec<usize> = (0..len).filter(|item| bits >> item & 1 == 1).collect();
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
}

fn restrict(order: &[usize], set: &[usize]) -> Vec<usize> {
    order.iter().copied().filter(|item| set.contains(item)).collect()
}

/// Sets that were cut out of one order never fail, and end in a tree that has it.
#[test]
fn planted_orders_of_sixty_values_are_found() {
    let mut random = Random(3);
    for _ in 0..40 {
        let len = 20 + random.below(41);
        let planted = random.order(len);
        let mut tree = PqTree::new(len);
        let mut sets = Vec::new();
        for _ in 0..400 {
            let start = random.below(len - 1);
            let size = 2 + random.below((len - start - 1).min(12));
            let mut set = planted[start..start + size].to_vec();
            random.order(size).into_iter().enumerate().for_each(|(a, b)| set.swap(a, b));
            tree.reduce(&set).unwrap();
            sets.push(set);
        }
        let found = tree.frontier();
        assert!(sets.iter().all(|set| consecutive(&found, set)));
    }
}

/// A tree as deep as it can be: nothing recurses.
#[test]
fn a_deep_tree_is_no_deep_stack() {
    let len = 3000;
    let mut tree = PqTree::new(len);
    for end in (2..len).rev().step_by(2) {
        tree.reduce(&(0..end).collect::<Vec<_>>()).unwrap();
    }
    assert_eq!(tree.frontier().len(), len);
    assert_eq!(tree.span(&[0, 1, 2]).map(|span| span.lanes.len()), Some(3));
    assert_eq!(tree.kind(len), Kind::P);
}
