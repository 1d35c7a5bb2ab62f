//! The machine whose states are found: its measures against their definition, and what it chooses.

use proptest::prelude::*;

use super::graphs::{any_graph, graph};
use crate::graph::{Heights, Labels, total_heights};
use crate::running::{MEASURES, Measured, Share};
use crate::*;

/// The measures of a type in a graph of which these vertices have run, as `Measured::shares` defines them.
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

/// A machine that a person has written: whoever has the longest path comes first, and of these the second type, which
/// is known in this state.
fn written(known: &str) -> Policy {
    let levels = |points: &str| format!(r#"{{"from": [1, 500, 1000], "points": {points}}}"#);
    let none = levels("[0, 0, 0, 0]");
    let text = format!(
        r#"{{"edb_policy": 2, "types": [{{"name": "word"}}, {{"name": "phrase"}}], "policy": {{"machine": {{
            "coverage": {{"minibatches": 0, "vertices": 0, "trials": 0, "batches": 0, "lower_bound": 0, "unseen": 0}},
            "measures": {{"path": {}, "work": {none}, "progress": {none}, "ready": {none}}},
            "types": [{{"points": 0, "states": []}}, {{"points": 1, "states": ["{known}"]}}]}}}}}}"#,
        levels("[0, 0, 0, 10]")
    );
    Policy::from_json(&text, &Signature::new(["word", "phrase"])).unwrap()
}

/// A vertex of each type; the second is in the state 3233.
fn equal() -> TypeGraph {
    graph(2, &[(0, vec![]), (1, vec![])])
}

#[test]
fn a_machine_is_a_file_that_a_person_can_write() {
    let policy = written("3000");
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
    assert_eq!(order(&equal()), [1, 0]);
}

#[test]
fn a_machine_tells_why_it_chose() {
    let types = Signature::new(["word", "phrase"]);
    let policy = written("3233");
    let decisions = policy.machine().unwrap().decisions(&equal());
    let of = |of: &ReadyType| (of.vertex_type, of.state.to_string(), of.points, of.is_known);
    let ready: Vec<Vec<_>> =
        decisions.iter().map(|one| one.ready.iter().map(of).collect()).collect();
    let state = |state: &str| state.to_owned();
    assert_eq!(ready[0], [(1, state("3233"), 11, true), (0, state("3233"), 10, false)]);
    assert_eq!(ready[1], [(0, state("3333"), 10, false)]);

    // Batches of another schedule were not chosen by it.
    let of = |schedule: Schedule| policy.explain(&schedule, &equal(), &types).unwrap();
    assert_eq!(of(Policy::Depth.schedule(&equal())).by_machine, None);
    let explained = of(policy.schedule(&equal()));
    let by_machine = explained.by_machine.clone().unwrap();
    assert_eq!((by_machine.choices, by_machine.unseen), (1, 0));
    assert_eq!(
        by_machine.reasons,
        [
            "The machine chose `phrase` in state 3233 (11 points) before `word` in state 3233 (10 points, unseen in \
             learning).",
            "Only `word` in state 3333 (10 points, unseen in learning) was ready."
        ]
    );
    let text = explained.to_string();
    let chosen = "A machine chose 1 of the batches among several types, 0 of them in a state that";
    assert!(text.contains(chosen), "{text}");
}

/// What a machine does after learning is counted, and so is what it has not seen: then data have changed.
#[test]
fn a_scheduler_says_how_its_machine_does() {
    let types = Signature::new(["word", "phrase"]);
    for (known, unseen) in
        [("3233", "0 of 3 choices (0.0 %)"), ("0000", "3 of 3 choices (100.0 %)")]
    {
        let mut scheduler = Scheduler::new(written(known));
        assert!(scheduler.report(&types).ends_with("as was asked for"));
        for _ in 0..3 {
            scheduler.schedule(&types, &equal()).unwrap();
        }
        let report = scheduler.report(&types);
        let expected = format!(
            "since then 1.000 of the lower bound in 3 schedules, where {unseen} were made in states that learning has not \
             seen"
        );
        assert!(report.ends_with(&expected), "{report}");
    }
    // Under the default, learning has seen the fourth minibatch, and what comes later counts.
    let mut scheduler = Scheduler::default();
    let knotted = super::learned::knotted();
    let types = Signature::unnamed(3);
    for number in 1..=6 {
        scheduler.schedule(&types, &knotted).unwrap();
        let report = scheduler.report(&types);
        let since = report.split_once("; since then ").map(|(_, since)| since.to_owned());
        match number {
            1..=4 => assert_eq!(since, None),
            5 => assert!(since.unwrap().contains("of the lower bound in 1 schedule, where 0 of")),
            _ => assert!(since.unwrap().contains("of the lower bound in 2 schedules, where 0 of")),
        }
    }
    assert!(scheduler.learned(&types).unwrap().machine().is_some());
}

/// Samples of other types, and costs out of range, are told before anything is learned.
#[test]
fn a_scheduler_learns_from_what_fits() {
    let types = Signature::unnamed(3);
    let other = graph(5, &[(4, vec![]), (3, vec![0])]);
    let expected = ScheduleError::OtherTypes { expected: 3, found: 5 };
    assert_eq!(Scheduler::default().schedule(&types, &other).unwrap_err(), expected);
    let mut scheduler = Scheduler::default();
    scheduler.restore(&types, None, vec![other; 5]);
    let knotted = super::learned::knotted();
    assert_eq!(scheduler.schedule(&types, &knotted).unwrap_err(), expected);
    let mut scheduler = Scheduler::default();
    scheduler.batch_cost(Some(-1e6));
    let mut last = Ok(Schedule::new());
    for _ in 0..4 {
        last = scheduler.schedule(&types, &knotted);
    }
    assert!(matches!(last, Err(ScheduleError::Setting { .. })), "{last:?}");
    // Of empty minibatches, nothing is learned.
    let mut scheduler = Scheduler::default();
    for _ in 0..9 {
        scheduler.schedule(&types, &graph(3, &[])).unwrap();
    }
    assert!(!scheduler.knows(&types) && scheduler.samples(&types).is_empty());
}

/// What a search says of a type that no sample has is chance: it has the mean of the others' points.
#[test]
fn types_that_were_never_met_are_neutral() {
    let knotted = super::learned::knotted();
    let rows: Vec<_> = (0..knotted.len() as u32)
        .map(|vertex| (knotted.vertex_type(vertex), knotted.children(vertex).to_vec()))
        .collect();
    let sample = [graph(5, &rows)];
    for seed in 0..3 {
        let options = LearnOptions { learner: Learner::Machine, seed, ..LearnOptions::default() };
        let policy = Policy::learn(&sample, &options).unwrap();
        let points = policy.machine().unwrap().type_points();
        let mean = f64::from(points[0] + points[1] + points[2]) / 3.0;
        assert!(points[3] == points[4] && (f64::from(points[3]) - mean).abs() <= 1.0, "{points:?}");
    }
}

/// A certificate says nothing of who chose.
#[test]
fn a_certified_schedule_has_its_reasons() {
    let (policy, types) = (written("3233"), Signature::new(["word", "phrase"]));
    let mut schedule = policy.schedule(&equal());
    schedule.certify(&equal());
    assert!(policy.explain(&schedule, &equal(), &types).unwrap().by_machine.is_some());
}

#[test]
fn levels_whose_bounds_coincide_are_empty() {
    let empty = |from: [u16; 3]| {
        let levels = MeasureLevels { from, ..MeasureLevels::default() };
        (0..5).filter(|level| levels.is_empty(*level)).collect::<Vec<_>>()
    };
    assert_eq!(empty([200, 500, 1000]), [4]);
    assert_eq!(empty([0, 500, 500]), [0, 2, 4]);
    assert_eq!(empty([1000, 1000, 1000]), [1, 2, 4]);
    assert_eq!(empty([300, 1001, 2000]), [2, 3, 4]);
}

/// Points are added whatever they are.
#[test]
fn points_do_not_overflow() {
    let levels = format!(r#"{{"from": [0, 0, 0], "points": [0, 0, 0, {}]}}"#, i32::MAX);
    let measures =
        ["path", "work", "progress", "ready"].map(|name| format!(r#""{name}": {levels}"#));
    let text = format!(
        r#"{{"edb_policy": 2, "types": [{{"name": "0"}}, {{"name": "1"}}], "policy": {{"machine": {{
            "coverage": {{"minibatches": 0, "vertices": 0, "trials": 0, "batches": 0, "lower_bound": 0, "unseen": 0}},
            "measures": {{{}}}, "types": [{{"points": 5, "states": []}}, {{"points": 6, "states": []}}]}}}}}}"#,
        measures.join(", ")
    );
    let policy = Policy::from_json(&text, &Signature::unnamed(2)).unwrap();
    let decisions = policy.machine().unwrap().decisions(&equal());
    let points: Vec<i64> = decisions[0].ready.iter().map(|of| of.points).collect();
    assert_eq!(points, [4 * i64::from(i32::MAX) + 6, 4 * i64::from(i32::MAX) + 5]);
}
