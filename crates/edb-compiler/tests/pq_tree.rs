//! PQ-trees against brute force.

use edb_compiler::layout::PqTree;
use edb_compiler::layout::pq_tree::NodeKind;

use edb_test_programs::orders::{Counts, check_spans, reduced};
use edb_test_programs::{Draws, Random, consecutive};

#[test]
fn the_admissible_orders_are_those_of_brute_force() {
    let mut random = Random(1);
    let mut counts = Counts::default();
    for round in 0..1000 {
        let len = 1 + round % 7;
        let sets: Vec<_> = (0..1 + random.below(8))
            .map(|_| {
                let size = random.below(len) + 1;
                random.order(len)[..size].to_vec()
            })
            .collect();
        reduced(len, &sets, &mut counts);
    }
    let Counts { refused, accepted } = counts;
    assert!(refused > 200 && accepted > 2500, "{refused} {accepted}");
}

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
        check_spans(&tree);
    }
}

/// Sets are cut out of one order, so none may be refused, and the final tree must admit that order.
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

/// A tree as deep as possible: nothing recurses over it.
#[test]
fn deep_trees_need_no_deep_stack() {
    let len = 3000;
    let mut tree = PqTree::new(len);
    for end in (2..len).rev().step_by(2) {
        tree.reduce(&(0..end).collect::<Vec<_>>()).unwrap();
    }
    assert_eq!(tree.frontier().len(), len);
    assert_eq!(tree.span(&[0, 1, 2]).map(|span| span.lanes.len()), Some(3));
    assert_eq!(tree.kind(len), NodeKind::P);
}
