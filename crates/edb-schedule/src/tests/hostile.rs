//! Policies, costs and options that nobody should ask for, and files that are made to do damage:
//! they give typed errors or schedules, and never a panic, an overflow or an allocation without
//! end.

use std::fs;

use super::figure_1;
use crate::*;

/// Three types; beside a chain of the types 0 and 1 in turn, many vertices that only read its end.
fn chain_and_roots() -> TypeGraph {
    let types = (0..30).map(|vertex| vertex % 2).chain((0..50).map(|_| 2)).collect();
    let offsets = [0].into_iter().chain(0..80).collect();
    let children = (0..29).chain((0..50).map(|_| 29)).collect();
    TypeGraph::new(3, types, offsets, children).unwrap()
}

const POWERS: [i32; 8] = [i32::MIN, -1000, -10, -1, 0, 1, 1000, i32::MAX];

#[test]
fn any_power_and_factor_gives_a_schedule() {
    for graph in [chain_and_roots(), figure_1()] {
        for power in POWERS {
            for factor in [0.0, 1e-9, -3.0, f64::MAX, f64::INFINITY, f64::NAN] {
                for (width, backwards) in [(0, false), (4, true), (usize::MAX, false)] {
                    let look_ahead = LookAhead { width, power, factor, backwards };
                    let schedule = Policy::LookAhead(look_ahead).schedule(&graph);
                    assert_eq!(schedule.check(&graph), Ok(()), "{look_ahead}");
                }
            }
        }
    }
}

#[test]
fn a_look_ahead_out_of_range_is_refused_by_name() {
    let good = LookAhead { width: 4, power: 1, factor: 3.0, backwards: false };
    let (graph, types) = (figure_1(), Signature::unnamed(3));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("policy.json");
    Policy::LookAhead(good).save(&path, &types).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    for (width, power, factor, expected) in [
        (0, 1, 3.0, "the width of a look-ahead is 0; it must be from 1 to 4096"),
        (4097, 1, 3.0, "the width of a look-ahead is 4097; it must be from 1 to 4096"),
        (4, -10, 3.0, "the power of a look-ahead is -10; it must be from -8 to 64"),
        (4, 65, 3.0, "the power of a look-ahead is 65; it must be from -8 to 64"),
        (4, 1, f64::NAN, "the factor of a look-ahead is NaN; it must be a finite number"),
    ] {
        let policy = Policy::LookAhead(LookAhead { width, power, factor, ..good });
        let error = Scheduler::new(policy.clone()).schedule(&types, &graph).unwrap_err();
        assert_eq!(error.to_string(), expected);
        let error = policy.cheapest(&graph, &Costs::per_batch(3)).unwrap_err();
        assert_eq!(error.to_string(), expected);
        let error = policy.save(&path, &types).unwrap_err().to_string();
        assert!(error.ends_with(expected), "{error}");
        // The file that was there is as it was.
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    for (from, to, expected) in [
        ("\"width\":4", "\"width\":1000000000000", "the width of a look-ahead is 1000000000000;"),
        ("\"power\":1", "\"power\":-2147483648", "the power of a look-ahead is -2147483648;"),
        ("\"power\":1", "\"power\":1e3", "not a policy: invalid type"),
        ("\"width\":4", "\"width\":-1", "not a policy: invalid"),
        ("\"factor\":3.0", "\"factor\":1e999", "not a policy: number out of range"),
        ("\"factor\":3.0", "\"factor\":null", "not a policy: invalid type: null"),
    ] {
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let error = Policy::load(&path, &types).unwrap_err().to_string();
        assert!(error.contains("policy.json") && error.contains(expected), "{error}");
    }
}

#[test]
fn costs_are_held_against_a_range() {
    let graph = chain_and_roots();
    let most = u64::from(u32::MAX);
    let costs = |launch_ns, row_ps| Costs {
        types: vec![TypeCost { launch_ns, row_ps }; 3],
        together: false,
        grow: TypeCost::default(),
    };
    let search = |costs: &Costs| {
        let options =
            SearchOptions { costs: Some(costs.clone()), budget: 10_000, ..Default::default() };
        search(&graph, &[], &options)
    };
    // What is at the end of the range adds up, and so do rows without one.
    let dear = costs(most, u64::MAX);
    assert_eq!(search(&dear).unwrap().check(&graph), Ok(()));
    let schedule = Policy::Depth.schedule(&graph);
    assert!(schedule.estimated_ns(&graph, &dear).unwrap() >= most * schedule.len() as u64);

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("costs.json");
    dear.save(&path).unwrap();
    assert_eq!(Costs::load(&path, 3).unwrap(), dear);
    for launch_ns in [most + 1, u64::MAX / 3, u64::MAX] {
        let bad = costs(launch_ns, 1);
        let expected = format!(
            "the costs have a launch_ns of {launch_ns} for vertex type 0; it must be at most 4294967295"
        );
        assert_eq!(search(&bad).unwrap_err().to_string(), expected);
        assert_eq!(Policy::Auto.cheapest(&graph, &bad).unwrap_err().to_string(), expected);
        let mut scheduler = Scheduler::new(Policy::Depth);
        scheduler.costs(bad.clone());
        let error = scheduler.schedule(&Signature::unnamed(3), &graph).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert!(bad.save(&path).unwrap_err().to_string().ends_with(&expected));
        assert_eq!(Costs::load(&path, 3).unwrap(), dear);
        let file = folder.path().join("bad.json");
        fs::write(&file, serde_json::to_string(&bad).unwrap()).unwrap();
        let error = Costs::load(&file, 3).unwrap_err().to_string();
        assert!(error.contains("bad.json") && error.ends_with(&expected), "{error}");
    }
}

#[test]
fn options_out_of_range_are_refused_by_name() {
    let graphs = [chain_and_roots()];
    let refused = |options: LearnOptions, expected: &str| {
        let error = Policy::learn(&graphs, &options).unwrap_err();
        assert_eq!(error.to_string(), expected);
    };
    for batch in [-1.0, f64::NAN, f64::INFINITY, 1e300] {
        let expected =
            format!("the cost of a batch, in vertices is {batch}; it must be from 0 to 1e12");
        refused(LearnOptions { batch_cost: Some(batch), ..Default::default() }, &expected);
    }
    // What has no bounds has no effect on them either.
    for budget in [0, 5000] {
        let learner = Learner::Machine;
        Policy::learn(&graphs, &LearnOptions { learner, budget, ..Default::default() }).unwrap();
        for steps in [0, 3, usize::MAX] {
            let q = QOptions {
                trials: usize::MAX,
                check_every: 0,
                steps,
                alpha: f32::NAN,
                exploration: f32::INFINITY,
                rate: f32::NAN,
                bootstrap: true,
            };
            let learner = Learner::Fsm(Encoding::Max);
            let options = LearnOptions { learner, q, budget, ..Default::default() };
            let policy = Policy::learn(&graphs, &options).unwrap();
            assert_eq!(policy.schedule(&graphs[0]).check(&graphs[0]), Ok(()));
        }
    }
    for rankings in [vec![], vec![(i32::MIN, f64::NAN), (-10, f64::MAX)]] {
        let options =
            SearchOptions { width: usize::MAX, rankings, budget: 5000, ..Default::default() };
        search(&graphs[0], &[], &options).unwrap();
    }
}

/// What is in a file of a policy, with one thing changed.
#[test]
fn policies_that_lie_are_refused() {
    let types = Signature::unnamed(2);
    let head = r#"{"edb_policy":2,"types":[{"name":"0"},{"name":"1"}],"policy":"#;
    let fsm = |state: &str| {
        let coverage =
            r#""minibatches":1,"vertices":1,"trials":1,"batches":1,"lower_bound":1,"unseen":0"#;
        format!(r#"{{"fsm":{{"encoding":"max","coverage":{{{coverage}}},"states":[{state}]}}}}"#)
    };
    let members = |count| vec![r#""depth""#; count].join(",");
    let good = fsm(r#"{"ready":[0,1,1],"next":0,"values":[1.0,2.0]}"#);
    Policy::from_json(&format!("{head}{good}}}"), &types).unwrap();
    let deep =
        format!("{}{}", r#"{"best":{"reason":"","members":["#.repeat(1000), "]}}".repeat(1000));
    for (policy, expected) in [
        (fsm(r#"{"ready":[],"next":0,"values":[]}"#), "0 comes next but is not ready"),
        (fsm(r#"{"ready":[0,7,0],"next":0,"values":[1,2]}"#), "there is no such type"),
        (fsm(r#"{"ready":[1],"next":1,"values":[]}"#), "1 comes next but is not ready"),
        (fsm(r#"{"ready":[0,1],"next":0,"values":[1,2,3]}"#), "3 values"),
        (fsm(r#"{"ready":[0,65536],"next":0,"values":[1]}"#), "invalid value"),
        (format!(r#"{{"best":{{"reason":"","members":[{}]}}}}"#, members(65)), "65 members"),
        (deep, "recursion limit"),
        (r#""none""#.to_owned(), "unknown variant"),
        (String::new(), "expected value"),
    ] {
        let error =
            Policy::from_json(&format!("{head}{policy}}}"), &types).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

/// Fault B3 of the fourth list: the number after that of the last type was out of range.
#[test]
fn there_may_be_as_many_types_as_have_numbers() {
    let last = u16::MAX - 1;
    let graph = TypeGraph::new(u16::MAX, vec![last, 0], vec![0, 0, 1], vec![0]).unwrap();
    for policy in Policy::ALL {
        let schedule = policy.schedule(&graph);
        assert_eq!((schedule.check(&graph), schedule.len()), (Ok(()), 2), "{policy}");
    }
    let types = Signature::unnamed(u16::MAX);
    let order = TypeOrder::new(&types, (0..u16::MAX).rev().collect()).unwrap();
    assert_eq!(order.schedule(&graph).len(), 2);
    Scheduler::new(Policy::Sufficient).schedule(&types, &graph).unwrap();
    Scheduler::default().online(&types).unwrap();
}

/// Fault B3 of the fourth list: when schedules were combined, the numbers of their vertices overflowed.
#[test]
fn what_is_no_schedule_makes_none_side_by_side() {
    let graph = chain_and_roots();
    let good = Policy::Heuristic.schedule(&graph);
    let mut junk = good.clone();
    junk.push(200, &[u32::MAX, 5]);
    for parts in [[&good, &junk], [&junk, &good], [&junk, &junk]] {
        let all = Schedule::side_by_side(&parts);
        assert!(all.check(&graph).is_err());
        assert!(all.len() > good.len());
    }
}

#[test]
fn files_that_are_no_costs_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("costs.json");
    let deep = "[".repeat(100_000);
    for (text, expected) in [
        ("", "EOF"),
        ("[]", "invalid"),
        (&deep[..], "invalid type"),
        (r#"{"types":[{"launch_ns":-1,"row_ps":0}]}"#, "invalid value"),
        (r#"{"types":[{"launch_ns":18446744073709551616,"row_ps":0}]}"#, "invalid type"),
        (r#"{"types":[{"launch_ns":1.5,"row_ps":0}]}"#, "invalid type"),
        (r#"{"types":[{"launch_ns":1}]}"#, "missing field `row_ps`"),
        (r#"{"types":[{"launch_ns":1,"row_ps":1,"more":1}]}"#, "unknown field `more`"),
        (r#"{"types":[]}"#, "for 0 vertex types, and there are 1"),
    ] {
        fs::write(&path, text).unwrap();
        let error = Costs::load(&path, 1).unwrap_err().to_string();
        assert!(error.contains("costs.json") && error.contains(expected), "{error}");
    }
    fs::write(&path, [0xff; 10]).unwrap();
    assert!(Costs::load(&path, 1).unwrap_err().to_string().contains("UTF-8"));
    assert!(Costs::load(folder.path(), 1).is_err());
    // A file that claims far more than it could need; it takes no room on the disk.
    fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    for error in [
        Costs::load(&path, 1).unwrap_err(),
        Policy::load(&path, &Signature::unnamed(1)).unwrap_err(),
    ] {
        assert!(error.to_string().contains("holds 1099511627776 bytes"), "{error}");
    }
}

/// The file that is replaced is not written to: whoever is killed meanwhile has lost nothing.
#[test]
#[cfg(unix)]
fn saving_replaces_the_file_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let [path, before] = ["file", "before"].map(|name| folder.path().join(name));
    let types = Signature::unnamed(3);
    let save: [&dyn Fn(bool); 2] = [
        &|second| {
            let policy = if second { Policy::Depth } else { Policy::Agenda };
            policy.save(&path, &types).unwrap();
        },
        &|second| Costs::per_batch(if second { 3 } else { 2 }).save(&path).unwrap(),
    ];
    for save in save {
        save(false);
        let text = fs::read_to_string(&path).unwrap();
        fs::hard_link(&path, &before).unwrap();
        save(true);
        assert_ne!(fs::read_to_string(&path).unwrap(), text);
        assert_eq!(fs::read_to_string(&before).unwrap(), text);
        fs::remove_file(&before).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

/// Runs one vertex after the other from the last to the first, or what it is told to.
#[derive(Debug)]
struct Own(Option<Schedule>);

impl CustomPolicy for Own {
    fn name(&self) -> &str {
        "own"
    }

    fn schedule(&self, graph: &TypeGraph) -> Schedule {
        self.0.clone().unwrap_or_else(|| Policy::Depth.schedule(graph))
    }
}

#[test]
fn policies_of_ones_own_are_held_against_the_graph() {
    let graph = figure_1();
    let types = Signature::unnamed(graph.type_count());
    let schedule = |policy: Own| Scheduler::new(Policy::custom(policy)).schedule(&types, &graph);
    let by_depth = Policy::Depth.schedule(&graph);
    assert_eq!(schedule(Own(None)).unwrap().order(), by_depth.order());
    // What one claims of itself does not count.
    assert!(!schedule(Own(Some(by_depth.clone().proved(Proof::Bound)))).unwrap().is_proved());

    let mut early = Schedule::new();
    early.push(graph.vertex_type(14), &[14]);
    (0..14).for_each(|vertex| early.push(graph.vertex_type(vertex), &[vertex]));
    let missing = Schedule::new();
    for (wrong, reason) in [(early, "vertex 14"), (missing, "vertex 0")] {
        let error = schedule(Own(Some(wrong.clone()))).unwrap_err().to_string();
        assert!(error.starts_with("the policy `own` gave no schedule of the graph: "), "{error}");
        assert!(error.contains(reason), "{error}");
        let policy = Policy::custom(Own(Some(wrong)));
        let costs = Costs { types: vec![TypeCost::default(); 3], ..Costs::default() };
        assert_eq!(policy.cheapest(&graph, &costs).unwrap_err().to_string(), error);
        let searched = search(&graph, &[policy], &SearchOptions::default());
        assert_eq!(searched.unwrap_err().to_string(), error);
    }
}

#[test]
fn a_policy_of_ones_own_has_no_file() {
    let types = Signature::unnamed(3);
    let error = Policy::custom(Own(None)).to_json(&types).unwrap_err().to_string();
    assert_eq!(
        error,
        "the policy `own` is of your own crate, and has no file: give it to the engine again"
    );
}
