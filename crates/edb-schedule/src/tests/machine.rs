//! The machine whose states are found: its measures against their definition, and what it chooses.

use proptest::prelude::*;

use super::graphs::{any_graph, graph};
use crate::graph::{Heights, Labels, total_heights};
use crate::running::{MEASURES, Measured, Share};
use crate::*;

/// The measures of a type in a graph of which these vertices have run, as `MeasuredRun::shares` defines them.
fn shares(graph: &TypeGraph, has_run: &[bool], vertex_type: u16) -> [Share; MEASURES] {
    let (own, total) = (Labels::new(graph).heights.own, total_heights(graph));
    let waits = |vertex: &u32| !has_run[*vertex as usize];
    let is_ready = |vertex: &u32| {
        waits(vertex) && graph.children(*vertex).iter().all(|child| has_run[*child as usize])
    };
    let all = || 0..graph.len() as u32;
    let of_type = || all().filter(|vertex| graph.vertex_type(*vertex) == vertex_type);
    let totals = |vertices: &[u32]| -> Vec<u64> {
        vertices.iter().map(|vertex| total[*vertex as usize].into()).collect()
    };
    let ready = totals(&all().filter(is_ready).collect::<Vec<_>>());
    let own_ready = totals(&of_type().filter(is_ready).collect::<Vec<_>>());
    let top = of_type().filter(waits).map(|vertex| own[vertex as usize]).max();
    let at_top: Vec<u32> =
        of_type().filter(waits).filter(|vertex| Some(own[*vertex as usize]) == top).collect();
    let count = |count: usize| count as u64;
    [
        (*own_ready.iter().max().unwrap(), *ready.iter().max().unwrap()),
        (own_ready.iter().sum(), ready.iter().sum()),
        (count(at_top.iter().filter(|vertex| is_ready(vertex)).count()), count(at_top.len())),
        (count(own_ready.len()), count(of_type().filter(waits).count())),
    ]
}

proptest! {
    #[test]
    fn measures_are_as_defined(graph in any_graph(), choices in prop::collection::vec(any::<usize>(), 1..9)) {
        let labels = Labels::new(&graph).heights;
        let heights = Heights::new(&graph);
        prop_assert_eq!((&heights.own, &heights.tops), (&labels.own, &labels.tops));
        let measured = Measured::new(&graph);
        prop_assert_eq!(measured.lower_bound(), lower_bound(&graph));
        let mut has_run = vec![false; graph.len()];
        let mut step = 0;
        let schedule = Measured::new(&graph).schedule(|run| {
            let ready: Vec<u16> = run.ready_types().collect();
            for &vertex_type in &ready {
                assert_eq!(run.shares(vertex_type), shares(&graph, &has_run, vertex_type));
            }
            let choice = ready[choices[step % choices.len()] % ready.len()];
            step += 1;
            let runs = |vertex: &u32| {
                let children = graph.children(*vertex).iter();
                graph.vertex_type(*vertex) == choice
                    && children.clone().all(|child| has_run[*child as usize])
                    && !has_run[*vertex as usize]
            };
            let batch: Vec<u32> = (0..graph.len() as u32).filter(runs).collect();
            batch.into_iter().for_each(|vertex| has_run[vertex as usize] = true);
            choice
        });
        prop_assert_eq!(schedule.check(&graph), Ok(()));
        prop_assert_eq!(schedule.len(), step);
    }
}

/// A machine that a person has written: whoever has the longest path comes first, and of these the second type.
#[test]
fn a_machine_is_a_file_that_a_person_can_write() {
    let levels = |points: &str| format!(r#"{{"from": [1, 500, 1000], "points": {points}}}"#);
    let none = levels("[0, 0, 0, 0]");
    let text = format!(
        r#"{{"edb_policy": 2, "types": [{{"name": "word"}}, {{"name": "phrase"}}], "policy": {{"machine": {{
            "coverage": {{"minibatches": 0, "vertices": 0, "trials": 0, "batches": 0, "lower_bound": 0, "unseen": 0}},
            "measures": {{"path": {}, "work": {none}, "progress": {none}, "ready": {none}}},
            "types": [{{"points": 0, "states": []}}, {{"points": 1, "states": ["3000"]}}]}}}}}}"#,
        levels("[0, 0, 0, 10]")
    );
    let types = Signature::new(["word", "phrase"]);
    let policy = Policy::from_json(&text, &types).unwrap();
    assert_eq!(policy.to_string(), "machine for word, phrase, 1 states");
    // Chains of the types 0, 1, 0 and 1, 0; then the other type has the longer path.
    let order = |graph: &TypeGraph| -> Vec<u16> {
        policy.schedule(graph).batches().iter().map(|batch| batch.vertex_type).collect()
    };
    let chains = graph(2, &[(0, vec![]), (1, vec![]), (1, vec![0]), (0, vec![1]), (0, vec![2])]);
    assert_eq!(order(&chains), [0, 1, 0]);
    let chains = graph(2, &[(0, vec![]), (1, vec![]), (0, vec![1])]);
    assert_eq!(order(&chains), [1, 0]);
    // Both paths are equally long, so the points of the types decide.
    let equal = graph(2, &[(0, vec![]), (1, vec![])]);
    assert_eq!(order(&equal), [1, 0]);
}
