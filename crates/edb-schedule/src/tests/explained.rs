//! Explanations of schedules.

use proptest::prelude::*;

use super::figure_1;
use super::graphs::any_graph;
use crate::*;

fn names() -> Signature {
    Signature::new(["I", "O", "R"])
}

#[test]
fn figure_1_is_explained() {
    let graph = figure_1();
    let explain = |policy: Policy| policy.schedule(&graph).explain(&graph, &names()).unwrap();
    let best = explain(Policy::Heuristic);
    assert!(best.optimal);
    assert_eq!((best.batches, best.lower_bound), (6, 6));
    assert!(best.to_string().starts_with("6 batches: no schedule has fewer"));
    assert_eq!((best.steps, best.critical_path), (6, 6));
    assert!(best.to_string().contains("these batches are 6 steps; the critical path has 6."));
    assert!(best.to_string().contains("- `O`: 7 vertices in 1 batch, as few as can be."));

    let agenda = explain(Policy::Agenda);
    assert!(!agenda.optimal);
    // I, O, I, I, I, O, R: the outputs of the three phrases were not ready in batch 1.
    let outputs = &agenda.types[1];
    assert_eq!((outputs.batches, outputs.needed), (2, 1));
    let split = &outputs.splits[0];
    assert_eq!((split.batch, split.held_up, split.vertex), (1, 3, 11));
    let blocker = split.blocker.as_ref().unwrap();
    assert_eq!((blocker.child, blocker.child_type.as_str(), blocker.batch), (4, "I", 2));
    let text = agenda.to_string();
    assert!(text.contains("7 batches, 1 more than the 6"), "{text}");
    assert!(
        text.contains("vertex 11 waited for its child 4 (`I`), which ran in batch 2"),
        "{text}"
    );
    assert!(text.contains("What can help: that `O` does not read `I`"), "{text}");
    assert_eq!(explain(Policy::Depth).batches, 9);
}

#[test]
fn a_schedule_of_another_graph_is_not_explained() {
    let error = Schedule::new().explain(&figure_1(), &names()).unwrap_err();
    assert_eq!(error, ScheduleError::Missing { vertex: 0 });
}

proptest! {
    #[test]
    fn every_batch_too_many_is_explained(graph in any_graph()) {
        let types = Signature::unnamed(graph.type_count());
        for policy in Policy::ALL {
            let schedule = policy.schedule(&graph);
            let explanation = schedule.explain(&graph, &types).unwrap();
            prop_assert_eq!(explanation.lower_bound, lower_bound(&graph));
            prop_assert_eq!(explanation.optimal, schedule.len() == lower_bound(&graph));
            for of_type in &explanation.types {
                prop_assert!(of_type.batches >= of_type.needed);
                for split in &of_type.splits {
                    if let Some(blocker) = &split.blocker {
                        prop_assert!(graph.children(split.vertex).contains(&blocker.child));
                        prop_assert!(blocker.batch >= split.batch);
                    }
                    let ready = split.blocker.is_none();
                    prop_assert!(!ready || matches!(policy, Policy::Depth | Policy::Auto));
                    prop_assert_eq!(graph.vertex_type(split.vertex), of_type.vertex_type);
                }
                prop_assert_eq!(of_type.splits.len(), of_type.batches - of_type.needed);
            }
        }
    }
}
