//! What holds for learned policies.

use proptest::prelude::*;

use super::graphs::{any_graph, graph};
use crate::*;

/// Options under which learning takes milliseconds.
fn quick(learner: Learner) -> LearnOptions {
    let q = QOptions { trials: 20, check_every: 10, ..QOptions::default() };
    LearnOptions { learner, q, budget: 200_000, ..LearnOptions::default() }
}

fn learners() -> Vec<Learner> {
    let fsm = Encoding::ALL.iter().map(|&encoding| Learner::Fsm(encoding));
    fsm.chain([Learner::Machine, Learner::Best]).collect()
}

/// Three chains and what reads their ends: types are met in orders that conflict.
pub(super) fn knotted() -> TypeGraph {
    let mut rows: Vec<(u16, Vec<u32>)> = Vec::new();
    for types in [[0, 1, 0, 1, 2, 2], [1, 0, 1, 0, 2, 0], [2, 2, 0, 1, 1, 0]] {
        for (place, vertex_type) in types.into_iter().enumerate() {
            let before = (place > 0).then(|| rows.len() as u32 - 1);
            rows.push((vertex_type, before.into_iter().collect()));
        }
    }
    rows.push((2, vec![5, 11, 17]));
    graph(3, &rows)
}

#[test]
fn policies_are_saved_and_loaded() {
    let samples = [knotted()];
    let types = Signature::new(["word", "phrase", "score"]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("policy.json");
    for learner in learners() {
        let policy = Policy::learn_for(&types, &samples, &quick(learner), &mut |_| ()).unwrap();
        policy.save(&path, &types).unwrap();
        let loaded = Policy::load(&path, &types).unwrap();
        assert_eq!(loaded.schedule(&samples[0]), policy.schedule(&samples[0]));
        assert_eq!(loaded.to_json(&types).unwrap(), policy.to_json(&types).unwrap());
        let other = Signature::new(["word", "sentence"]);
        let message = Policy::load(&path, &other).unwrap_err().to_string();
        assert!(message.contains("type 1 is `phrase` in the policy and `sentence`"), "{message}");
        assert!(message.contains("3 types and the model has 2"), "{message}");
        assert!(policy.save(&path, &other).is_err());
    }
    for policy in Policy::ALL {
        let text = policy.to_json(&types).unwrap();
        assert_eq!(Policy::from_json(&text, &types).unwrap().to_string(), policy.to_string());
    }
}

#[test]
fn bad_files_are_refused() {
    let types = Signature::unnamed(2);
    let refused = |text: &str| Policy::from_json(text, &types).unwrap_err().to_string();
    assert!(refused("").contains("EOF"));
    assert!(refused(r#"{"edb_policy": 7}"#).contains("version 7"));
    let fsm = |states: &str| {
        let coverage = r#"{"minibatches": 1, "vertices": 1, "trials": 1, "batches": 1,
            "lower_bound": 1, "unseen": 0}"#;
        format!(
            r#"{{"edb_policy": 2, "types": [{{"name": "0"}}, {{"name": "1"}}], "policy": {{"fsm": {{"encoding": "sort",
            "coverage": {coverage}, "states": [{states}]}}}}}}"#
        )
    };
    let good = r#"{"ready": [1, 0], "next": 0, "values": [-1.0, -0.5]}"#;
    assert!(Policy::from_json(&fsm(good), &types).is_ok());
    assert!(refused(&fsm(&format!("{good}, {good}"))).contains("twice"));
    let absent = r#"{"ready": [1], "next": 0, "values": [-1.0]}"#;
    assert!(refused(&fsm(absent)).contains("0 comes next but is not ready"));
    let unknown = r#"{"ready": [9], "next": 9, "values": [-1.0]}"#;
    assert!(refused(&fsm(unknown)).contains("no such type"));
    let short = r#"{"ready": [1], "next": 1, "values": []}"#;
    assert!(refused(&fsm(short)).contains("0 values"));
    assert!(refused(&fsm(r#"{"ready": [], "next": 1, "values": []}"#)).contains("not ready"));
    let policy = |policy: &str| {
        format!(
            r#"{{"edb_policy": 2, "types": [{{"name": "0"}}, {{"name": "1"}}], "policy": {policy}}}"#
        )
    };
    assert!(Policy::from_json(&policy(r#""depth""#), &types).is_ok());
    assert!(refused(&policy(r#"{"best": {"reason": "", "members": []}}"#)).contains("no members"));
    let nested =
        r#"{"best": {"reason": "", "members": [{"best": {"reason": "", "members": []}}]}}"#;
    assert!(refused(&policy(nested)).contains("within"));
    let levels = r#"{"from": [1, 500, 1000], "points": [0, 1, 2, 3]}"#;
    let machine = |measures: &str, types: &str| {
        let coverage = r#"{"minibatches": 1, "vertices": 1, "trials": 1, "batches": 1,
            "lower_bound": 1, "unseen": 0}"#;
        policy(&format!(
            r#"{{"machine": {{"coverage": {coverage}, "measures": {{{measures}}}, "types": [{types}]}}}}"#
        ))
    };
    let all = |work: &str| {
        format!(r#""path": {levels}, "work": {work}, "progress": {levels}, "ready": {levels}"#)
    };
    let one = |states: &str| format!(r#"{{"points": 1, "states": [{states}]}}"#);
    let both = |states: &str| format!("{}, {}", one(states), one(""));
    let good = machine(&all(levels), &both(r#""0123""#));
    assert!(Policy::from_json(&good, &types).is_ok());
    let falling = r#"{"from": [1, 500, 400], "points": [0, 1, 2, 3]}"#;
    assert!(
        refused(&machine(&all(falling), &both(""))).contains("the bounds of work do not ascend")
    );
    let few = format!(r#""path": {levels}"#);
    assert!(refused(&machine(&few, &both(""))).contains("no measure work"));
    let more = format!(r#"{}, "depth": {levels}"#, all(levels));
    assert!(refused(&machine(&more, &both(""))).contains("there is no measure depth"));
    assert!(refused(&machine(&all(levels), &one(""))).contains("points of 1 types"));
    let twice = refused(&machine(&all(levels), &both(r#""0123", "0123""#)));
    assert!(twice.contains(r#"type 0 has the state "0123" twice"#), "{twice}");
    for unknown in [r#""0124""#, r#""012""#, r#""""#, r#""/123""#, r#""01230""#, r#""0é3""#] {
        assert!(refused(&machine(&all(levels), &both(unknown))).contains("there is no state"));
    }
}

/// Files of 0.2 may hold index policies; whoever asks for one learns a machine.
#[test]
fn an_index_policy_is_replaced() {
    let types = Signature::unnamed(2);
    let policy = |policy: &str| {
        let types = r#"[{"name": "0"}, {"name": "1"}]"#;
        let text = format!(r#"{{"edb_policy": 2, "types": {types}, "policy": {policy}}}"#);
        Policy::from_json(&text, &Signature::unnamed(2)).unwrap()
    };
    let index = r#"{"index": {"weights": {"ratio": 0.5, "progress": 1.0}, "biases": [0.0, 0.25]}}"#;
    assert!(matches!(policy(index), Policy::Heuristic));
    let best = policy(&format!(
        r#"{{"best": {{"reason": "index", "members": ["sufficient", {index}]}}}}"#
    ));
    assert_eq!(best.to_string(), "best for 0, 1: sufficient or heuristic");
    assert!(best.to_json(&types).unwrap().contains(r#""members":["sufficient","heuristic"]"#));
    #[expect(deprecated)]
    let learned = Policy::learn(&[knotted()], &quick(Learner::Index)).unwrap();
    assert_eq!(learned.kind(), "machine");
}

#[test]
fn learning_needs_minibatches_of_one_model() {
    let none = Policy::learn(&[], &LearnOptions::default()).unwrap_err();
    assert_eq!(none, ScheduleError::NothingToLearnFrom);
    let samples = [graph(2, &[]), graph(3, &[])];
    let mixed = Policy::learn(&samples, &LearnOptions::default()).unwrap_err();
    assert_eq!(mixed, ScheduleError::OtherTypes { expected: 2, found: 3 });
    let policy = Policy::learn(&samples[..1], &quick(Learner::Machine)).unwrap();
    let error = Scheduler::new(policy).schedule(&Signature::unnamed(3), &samples[1]).unwrap_err();
    let kind = "machine".to_owned();
    assert_eq!(error, ScheduleError::PolicyTypes { policy: kind, expected: 2, found: 3 });
    // Fault E3 of the fourth list: the error spoke of a minibatch to learn on, but nothing is learned here.
    let said = error.to_string();
    assert!(
        said.starts_with("the policy machine is for 2 types of vertices where there are 3"),
        "{said}"
    );
}

#[test]
fn the_default_learns_and_says_why() {
    let (types, graph) = (Signature::unnamed(3), knotted());
    let mut scheduler = Scheduler::default();
    for seen in 0..4 {
        assert!(scheduler.report(&types).contains(&format!("{seen} of 4")));
        assert!(scheduler.learned(&types).is_none());
        assert_eq!(scheduler.schedule(&types, &graph).unwrap().check(&graph), Ok(()));
    }
    assert!(scheduler.report(&types).contains("of the lower bound on 16 minibatches"));
    // Another model of other types learns for itself.
    assert!(scheduler.report(&Signature::unnamed(4)).contains("0 of 4"));
    let learned = scheduler.learned(&types).unwrap();
    let again = Policy::learn(&vec![graph.clone(); 4], &LearnOptions::default()).unwrap();
    assert_eq!(again.to_json(&types).unwrap(), learned.to_json(&types).unwrap());
}

/// Twelve sequences of four types, in which a policy that is learned finds fewer batches.
fn tangled() -> TypeGraph {
    let mut rows: Vec<(u16, Vec<u32>)> = Vec::new();
    for sequence in 0..12_u32 {
        for place in 0..24_u32 {
            let before = (place > 0).then(|| rows.len() as u32 - 1);
            let vertex_type = (place * place + sequence * (place + 3)) / 5 % 4;
            rows.push((vertex_type as u16, before.into_iter().collect()));
        }
    }
    graph(4, &rows)
}

#[test]
fn the_policy_takes_the_least_time_in_all() {
    let samples = vec![tangled(); 4];
    let learned = |batch_cost: Option<f64>, vertex_cost: f64| {
        let options = LearnOptions { batch_cost, vertex_cost, ..Default::default() };
        let policy = Policy::learn(&samples, &options).unwrap();
        let Policy::Best(best) = &policy else { panic!("the default") };
        let [member] = best.members() else { panic!("one policy a minibatch") };
        (member.kind(), policy.schedule(&samples[0]).len(), best.reason().to_owned())
    };
    // If batches cost nothing, the policy that decides fastest runs, unless that is little of all time.
    let (cheap, more, reason) = learned(Some(0.0), 0.0);
    assert!(["agenda", "depth"].contains(&&*cheap), "{cheap}");
    assert!(reason.contains("it saves 67 % of the time of machine in all"), "{reason}");
    assert_eq!(learned(Some(0.0), 1e3).0, "machine");
    for (kind, fewer, reason) in [learned(Some(1e9), 0.0), learned(None, 0.0)] {
        assert_eq!(kind, "machine");
        assert!(fewer < more, "{reason}");
        assert!(reason.starts_with("machine: 1."), "{reason}");
    }
    for plain in Policy::ALL {
        assert!(learned(None, 0.0).1 <= plain.schedule(&samples[0]).len());
    }
}

#[test]
fn the_search_finds_the_shortest() {
    let graph = knotted();
    let options = SearchOptions::default();
    let found = search(&graph, &[], &options).unwrap();
    let optimum = super::Exhaustive::new(&graph).optimum(&vec![false; graph.len()]);
    assert_eq!((found.len(), found.check(&graph)), (optimum, Ok(())));
}

#[test]
fn progress_is_told_as_it_is() {
    let graph = knotted();
    let optimum = super::Exhaustive::new(&graph).optimum(&vec![false; graph.len()]);
    assert!(optimum > lower_bound(&graph));
    let mut heard = Vec::new();
    let types = Signature::unnamed(3);
    let mut hear = |progress: &Progress| heard.push(progress.clone());
    Policy::learn_for(&types, &[graph], &quick(Learner::Machine), &mut hear).unwrap();
    assert_eq!(heard.len(), 40);
    assert!(heard.iter().all(|progress| progress.batches >= progress.lower_bound));
    // The samples themselves are among what is learned on, and cannot be run at the bound.
    assert!(heard.iter().any(|progress| progress.batches > progress.lower_bound));
}

#[test]
fn training_ends_at_the_lower_bound() {
    // A chain: whatever is chosen is right.
    let chain: Vec<_> = (0..20).map(|v: u32| (0, v.checked_sub(1).into_iter().collect())).collect();
    let mut heard = 0;
    let options = LearnOptions { learner: Learner::Fsm(Encoding::Base), ..Default::default() };
    let policy =
        Policy::learn_for(&Signature::unnamed(1), &[graph(1, &chain)], &options, &mut |progress| {
            heard += 1;
            assert_eq!((progress.batches, progress.lower_bound), (20, 20));
        });
    let Ok(Policy::Fsm(fsm)) = policy else { panic!("not a machine") };
    let expected = Coverage {
        minibatches: 1,
        vertices: 20,
        trials: 50,
        batches: 20,
        lower_bound: 20,
        unseen: 0,
    };
    assert_eq!((heard, fsm.coverage(), fsm.states()), (1, expected, 1));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn learned_policies_schedule_every_graph(seen in any_graph(), unseen in any_graph()) {
        for learner in learners() {
            let policy = Policy::learn(std::slice::from_ref(&seen), &quick(learner)).unwrap();
            for graph in [&seen, &unseen] {
                let schedule = policy.schedule(graph);
                prop_assert_eq!(schedule.check(graph), Ok(()));
                if schedule.is_proved() {
                    prop_assert_eq!(schedule.len(), lower_bound(graph));
                }
            }
            let again = Policy::learn(std::slice::from_ref(&seen), &quick(learner)).unwrap();
            prop_assert_eq!(again.schedule(&unseen), policy.schedule(&unseen));
        }
    }
}
