//! What holds for searches: of smaller graphs, beams, and proofs by exhaustion.

use proptest::prelude::*;

use super::exhaustive::Exhaustive;
use super::graphs::{any_graph, dag, graph};
use super::plain_beam;
use crate::beam::{Beam, Ranking};
use crate::graph::reduce::{merge, reduce};
use crate::policies::replay;
use crate::*;

fn word(schedule: &Schedule) -> Vec<u16> {
    schedule.batches().iter().map(|batch| batch.vertex_type).collect()
}

#[test]
fn what_follows_from_the_rest_goes() {
    // The strings 01, 0121 and 021: the first and the last are subsequences of the second.
    let rows = [
        (0, vec![]),
        (1, vec![0]),
        (0, vec![]),
        (1, vec![2]),
        (2, vec![3]),
        (1, vec![4]),
        (0, vec![]),
        (2, vec![6]),
        (1, vec![7]),
    ];
    let graph = graph(3, &rows);
    // What is the same from below (the 0s) or from above (the last 1s) is one vertex, and then the
    // 2s are, but edges are left that follow from others.
    let merged = merge(&graph);
    assert_eq!((merged.len(), merged.children_first().len()), (4, 4));
    assert!((0..4).any(|vertex| merged.children(vertex).len() == 2));
    let reduced = reduce(&graph);
    assert_eq!(reduced.types(), [0, 1, 2, 1]);
    assert_eq!(lower_bound(&reduced), 4);
}

/// Two chains whose types alternate: 0101 and 1010. Each type is needed twice, but no word of four
/// letters holds both chains.
fn crossed() -> TypeGraph {
    let rows: Vec<_> = (0..8_u32)
        .map(|v| {
            let below = if v % 4 == 0 { vec![] } else { vec![v - 1] };
            (((v % 2 + v / 4) % 2) as u16, below)
        })
        .collect();
    graph(2, &rows)
}

#[test]
fn the_bound_is_not_always_reached_and_that_is_proved() {
    let graph = crossed();
    assert_eq!(lower_bound(&graph), 4);
    let found = search(&graph, &[], &SearchOptions::default()).unwrap();
    assert_eq!((found.len(), found.proof()), (5, Some(Proof::Exhaustion)));
    let explanation = found.explain(&graph, &Signature::unnamed(2)).unwrap();
    assert!(explanation.optimal);
    assert!(explanation.to_string().contains("left nothing out"), "{explanation}");

    // One state is not enough to know.
    let narrow = SearchOptions { width: 1, rankings: vec![(1, 3.0)], budget: 1, costs: None };
    let found = search(&graph, &[], &narrow).unwrap();
    assert!(found.proof() != Some(Proof::Bound));
}

proptest! {
    #[test]
    fn smaller_graphs_have_the_same_schedules(graph in any_graph()) {
        for smaller in [merge(&graph), reduce(&graph)] {
            prop_assert!(smaller.len() <= graph.len());
            prop_assert_eq!(lower_bound(&smaller), lower_bound(&graph));
            for policy in Policy::ALL {
                // A schedule of the one is a schedule of the other, either way.
                let of_smaller = word(&policy.schedule(&smaller));
                let replayed = replay(&graph, &of_smaller);
                prop_assert_eq!(replayed.check(&graph), Ok(()));
                // By depth, a batch leaves out what is ready, so that another can become empty.
                prop_assert!(replayed.len() <= of_smaller.len());
                let of_graph = word(&policy.schedule(&graph));
                prop_assert_eq!(replay(&smaller, &of_graph).check(&smaller), Ok(()));
                // And backwards.
                let mut turned = word(&policy.schedule(&smaller.reversed()));
                turned.reverse();
                prop_assert_eq!(replay(&graph, &turned).check(&graph), Ok(()));
            }
        }
    }

    #[test]
    fn beams_find_what_the_definition_finds(
        // In the larger ones, more than 64 vertices are ready at a time.
        graph in prop_oneof![3 => any_graph(), 1 => dag(200, 3)],
        width in 1..10_usize,
        power in -1..4_i32,
        factor in prop_oneof![Just(1e-9), Just(3.0), Just(12.0)],
        prices in prop::collection::vec(prop_oneof![Just(1), 1..9_u64], 130),
        backwards: bool,
    ) {
        let merged = merge(&graph);
        let searched = if backwards { merged.reversed() } else { merged };
        let prices = &prices[..usize::from(graph.type_count())];
        let ranking = Ranking { width, power, factor };
        let found = Beam::new(&searched, prices).search(ranking, u64::MAX, &mut u64::MAX.clone());
        prop_assert_eq!(found.word.unwrap_or_default(), plain_beam::search(&searched, prices, ranking));
    }

    #[test]
    fn exhaustion_is_a_proof(graph in dag(18, 4)) {
        let optimum = Exhaustive::new(&graph).optimum(&vec![false; graph.len()]);
        let found = search(&graph, &[], &SearchOptions::default()).unwrap();
        prop_assert_eq!(found.check(&graph), Ok(()));
        prop_assert_eq!(found.len(), optimum);
        prop_assert!(found.is_proved());
    }

    #[test]
    fn the_cheapest_is_found(
        graph in dag(18, 4),
        launches in prop::collection::vec(1..9_u64, 4),
        together: bool,
    ) {
        let launches = &launches[..usize::from(graph.type_count())];
        let prices = launches.iter().map(|&launch_ns| launch_ns as usize).collect();
        let optimum = Exhaustive::priced(&graph, prices).optimum(&vec![false; graph.len()]);
        let types = launches.iter().map(|&launch_ns| TypeCost { launch_ns, row_ps: 0 }).collect();
        let costs = Costs { types, together, grow: TypeCost::default() };
        let options = SearchOptions { costs: Some(costs.clone()), ..SearchOptions::default() };
        let found = search(&graph, &[], &options).unwrap();
        prop_assert_eq!(found.check(&graph), Ok(()));
        let time = found.estimated_ns(&graph, &costs).unwrap();
        if together {
            for policy in Policy::ALL {
                let plain = policy.schedule(&graph).estimated_ns(&graph, &costs).unwrap();
                prop_assert!(time <= plain);
            }
        } else {
            prop_assert_eq!(time, optimum as u64);
        }
        let fewest = Exhaustive::new(&graph).optimum(&vec![false; graph.len()]);
        prop_assert!(!found.is_proved() || found.len() == fewest);
    }

    #[test]
    fn searches_are_never_longer_than_policies(graph in any_graph(), width in 1..20_usize) {
        let options = SearchOptions { width, budget: 2000, ..SearchOptions::default() };
        let found = search(&graph, &[], &options).unwrap();
        prop_assert_eq!(found.check(&graph), Ok(()));
        for policy in Policy::ALL {
            prop_assert!(found.len() <= policy.schedule(&graph).len());
        }
        prop_assert_eq!(search(&graph, &[], &options).unwrap(), found);
    }

    #[test]
    fn looking_ahead_schedules_every_graph(
        graph in any_graph(),
        width in 0..10_usize,
        power in -2..5,
        factor in prop_oneof![Just(f64::NAN), -1.0..20.0],
        backwards: bool,
    ) {
        let policy = Policy::LookAhead(LookAhead { width, power, factor, backwards });
        let schedule = policy.schedule(&graph);
        prop_assert_eq!(schedule.check(&graph), Ok(()));
        prop_assert_eq!(&schedule, &policy.schedule(&graph));
    }
}
