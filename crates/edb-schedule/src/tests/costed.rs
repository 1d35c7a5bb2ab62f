//! What holds for costs, and for schedules that are chosen by them.

use proptest::prelude::*;

use super::figure_1;
use super::graphs::any_graph;
use crate::*;

#[test]
fn launches_and_rows_are_added_up() {
    let graph = figure_1();
    let cost = |launch_ns, row_ps| TypeCost { launch_ns, row_ps };
    let mut costs = Costs {
        types: vec![cost(10, 1000), cost(100, 2000), cost(1, 0)],
        together: false,
        grow: TypeCost::default(),
    };
    let time = |policy: Policy, costs: &Costs| {
        policy.schedule(&graph).estimated_ns(&graph, costs).unwrap()
    };
    // Of I there are 4 batches and 7 rows, of O 1 and 7, of R 1 and 1; by depth O has 4.
    assert_eq!(time(Policy::Heuristic, &costs), 4 * 10 + 7 + 100 + 14 + 1);
    assert_eq!(time(Policy::Depth, &costs), 4 * 10 + 7 + 4 * 100 + 14 + 1);

    // Launched together, the four batches of I run beside those of O: 6 steps, of which 4 launch O.
    costs.together = true;
    assert_eq!(Policy::Depth.schedule(&graph).steps(&graph).unwrap().len(), 6);
    assert_eq!(time(Policy::Depth, &costs), 10 + 7 + 4 * 100 + 14 + 1);
    assert_eq!(time(Policy::Heuristic, &costs), 4 * 10 + 7 + 100 + 14 + 1);
    let refused = Policy::Depth.cheapest(&graph, &Costs::per_batch(2)).unwrap_err();
    assert_eq!(refused, ScheduleError::OtherCosts { expected: 3, found: 2 });
}

#[test]
fn costs_are_saved_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("costs.json");
    let costs = Costs { together: true, ..Costs::per_batch(3) };
    costs.save(&path).unwrap();
    assert_eq!(Costs::load(&path, 3).unwrap(), costs);
    let message = Costs::load(&path, 4).unwrap_err().to_string();
    assert!(message.contains("for 3 vertex types, and there are 4"), "{message}");
    std::fs::write(&path, "{").unwrap();
    assert!(Costs::load(&path, 3).is_err());
}

proptest! {
    #[test]
    fn steps_hold_independent_batches(graph in any_graph()) {
        let critical = graph.depths().iter().max().map_or(0, |&depth| depth as usize + 1);
        for policy in Policy::ALL {
            let schedule = policy.schedule(&graph);
            let steps = schedule.steps(&graph).unwrap();
            let mut numbers: Vec<_> = steps.concat();
            numbers.sort_unstable();
            prop_assert!(numbers.into_iter().eq(0..schedule.len()));
            prop_assert!(steps.len() >= critical && steps.len() <= schedule.len());
            if matches!(policy, Policy::Depth) {
                prop_assert_eq!(steps.len(), critical);
            }
            let mut step_of = vec![0; graph.len()];
            for (number, step) in steps.iter().enumerate() {
                prop_assert!(!step.is_empty());
                for &batch in step {
                    for &vertex in schedule.vertices(&schedule.batches()[batch]) {
                        step_of[vertex as usize] = number;
                    }
                }
            }
            for vertex in 0..graph.len() as u32 {
                let before = |&child: &u32| step_of[child as usize] < step_of[vertex as usize];
                prop_assert!(graph.children(vertex).iter().all(before));
            }
        }
    }

    #[test]
    fn the_cheapest_is_never_worse_than_the_plain(
        graph in any_graph(),
        seed in prop::collection::vec((0..2000_u64, 0..9000_u64), 130),
        together: bool,
    ) {
        let cost = |&(launch_ns, row_ps): &(u64, u64)| TypeCost { launch_ns, row_ps };
        let types = seed.iter().map(cost).take(usize::from(graph.type_count())).collect();
        let costs = Costs { types, together, grow: TypeCost::default() };
        for policy in Policy::ALL {
            let cheapest = policy.cheapest(&graph, &costs).unwrap();
            prop_assert_eq!(cheapest.check(&graph), Ok(()));
            let time = cheapest.estimated_ns(&graph, &costs).unwrap();
            for plain in Policy::ALL {
                let plain = plain.schedule(&graph);
                prop_assert!(time <= plain.estimated_ns(&graph, &costs).unwrap());
            }
        }
        let counted = Policy::Auto.cheapest(&graph, &Costs::per_batch(graph.type_count())).unwrap();
        prop_assert_eq!(counted.len(), Policy::Auto.schedule(&graph).len());
    }
}
