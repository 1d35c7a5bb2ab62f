//! What holds for every policy, over random graphs and at the extremes.

mod costed;
mod exhaustive;
mod explained;
mod graphs;
mod growing;
mod hostile;
mod learned;
mod machine;
mod plain_beam;
mod searched;

use proptest::prelude::*;

use super::running::{Frontier, TypeFrontiers};
use super::*;
use exhaustive::Exhaustive;
use graphs::{any_graph, chains, dag, forest, graph};

/// The figure 1 of ED-Batch. Four words and the three phrases above them, leaning left, are
/// internal vertices (type I = 0); each has an output (O = 1); one reduction reads all the outputs
/// (R = 2). The text gives the depths: 1, 1, 1, 1, 2, 3, 4 of the outputs and, once the words
/// have run, 1, 2, 3 of the internal vertices.
fn figure_1() -> TypeGraph {
    let mut rows = vec![(0, vec![]); 4];
    rows.extend([(0, vec![0, 1]), (0, vec![4, 2]), (0, vec![5, 3])]);
    rows.extend((0..7).map(|internal| (1, vec![internal])));
    rows.push((2, (7..14).collect()));
    graph(3, &rows)
}

fn batch_types(schedule: &Schedule) -> Vec<u16> {
    schedule.batches().iter().map(|batch| batch.vertex_type).collect()
}

#[test]
fn figure_1_of_the_paper() {
    let (i, o, r) = (0, 1, 2);
    let graph = figure_1();
    assert_eq!(type_depths(&graph), [4, 1, 1]);
    assert_eq!(lower_bound(&graph), 6);
    let types = |policy: Policy| batch_types(&policy.schedule(&graph));
    assert_eq!(types(Policy::Depth), [i, i, o, i, o, i, o, o, r]);
    assert_eq!(types(Policy::Agenda), [i, o, i, i, i, o, r]);
    assert_eq!(types(Policy::Sufficient), [i, i, i, i, o, r]);
}

#[test]
fn figure_1_at_iteration_2() {
    // "At iteration 2, this term is 5/7 and 1/1 for the O and I node" (section 2.3).
    let graph = figure_1();
    let (mut frontier, mut types) = (Frontier::new(&graph), TypeFrontiers::new(&graph).0);
    for _ in 0..2 {
        types.execute(&mut frontier, 0);
    }
    assert_eq!((frontier.ready_count(1), types.count(1)), (5, 7));
    assert_eq!((frontier.ready_count(0), types.count(0)), (1, 1));
}

#[test]
fn nothing_to_run() {
    for type_count in [0, 3] {
        let empty = graph(type_count, &[]);
        assert_eq!(lower_bound(&empty), 0);
        for policy in Policy::ALL {
            assert!(policy.schedule(&empty).is_empty());
        }
        assert_eq!(Schedule::new().check(&empty), Ok(()));
    }
}

#[test]
fn long_chains() {
    let row = |v: u32| (0, v.checked_sub(1).into_iter().collect());
    let chain = graph(1, &(0..100_000).map(row).collect::<Vec<_>>());
    assert_eq!(lower_bound(&chain), 100_000);
    for policy in Policy::ALL {
        assert_eq!(policy.schedule(&chain).len(), 100_000);
    }
}

#[test]
fn many_children() {
    // The children are a chain of two types in turn, so they run one at a time; they are listed
    // once in that order and once in the other, so that to search them for one that has not run
    // would take quadratic time in one of the two.
    let mut rows: Vec<(u16, Vec<u32>)> = vec![(0, vec![])];
    rows.extend((1..10_000).map(|v| ((v % 2) as u16, vec![v - 1])));
    rows.push((2, (0..10_000).collect()));
    rows.push((2, (0..10_000).rev().chain([10_000]).collect()));
    let wide = graph(3, &rows);
    assert_eq!(lower_bound(&wide), 10_002);
    for policy in Policy::ALL {
        assert_eq!(policy.schedule(&wide).len(), 10_002);
    }
}

#[test]
fn averages_are_compared_exactly() {
    // Type 1 averages 3 / 2 over depths 1, 2; type 2 averages 4 / 3 over 1, 1, 2; so 2 goes first,
    // though it has the greater sum and the averages are equal when rounded down.
    let rows = [(0, vec![]), (2, vec![0]), (2, vec![0]), (1, vec![0]), (2, vec![3]), (1, vec![1])];
    let schedule = Policy::Agenda.schedule(&graph(3, &rows));
    assert_eq!(batch_types(&schedule), [0, 2, 1, 2]);
}

#[test]
fn ties_go_to_more_ready_vertices_and_then_to_the_lower_type() {
    let rows = [(2, vec![]), (0, vec![]), (1, vec![]), (1, vec![]), (2, vec![])];
    let graph = graph(3, &rows);
    assert_eq!(batch_types(&Policy::Sufficient.schedule(&graph)), [1, 2, 0]);
    assert_eq!(batch_types(&Policy::Agenda.schedule(&graph)), [0, 1, 2]);
}

#[test]
fn check_names_vertex_and_batch() {
    use ScheduleError as E;
    // 2, of type 1, reads 0 and 1, of type 0.
    let graph = graph(2, &[(0, vec![]), (0, vec![]), (1, vec![0, 1])]);
    let check = |batches: &[(u16, &[u32])]| {
        let mut schedule = Schedule::new();
        for (vertex_type, vertices) in batches {
            schedule.push(*vertex_type, vertices);
        }
        schedule.check(&graph)
    };
    assert_eq!(check(&[(0, &[1, 0]), (1, &[]), (1, &[2])]), Ok(()));
    assert_eq!(check(&[(0, &[1]), (1, &[2])]), Err(E::Missing { vertex: 0 }));
    let unknown = E::UnknownVertex { vertex: 3, batch: 1, vertices: 3 };
    assert_eq!(check(&[(0, &[0, 1]), (1, &[2, 3])]), Err(unknown));
    let repeated = |second| E::Repeated { vertex: 1, first: 0, second };
    assert_eq!(check(&[(0, &[1, 0, 1])]), Err(repeated(0)));
    assert_eq!(check(&[(0, &[0, 1]), (0, &[1])]), Err(repeated(1)));
    let mixed = E::MixedTypes { vertex: 1, vertex_type: 0, batch: 1, batch_type: 1 };
    assert_eq!(check(&[(0, &[0]), (1, &[1, 2])]), Err(mixed));
    let early = E::TooEarly { vertex: 2, batch: 1, child: 1, child_batch: 2 };
    assert_eq!(check(&[(0, &[0]), (1, &[2]), (0, &[1])]), Err(early));
}

#[test]
fn a_foreign_batch_has_no_vertices() {
    let foreign = Batch { vertex_type: 0, start: 1, end: 2 };
    assert!(Schedule::new().vertices(&foreign).is_empty());
}

/// Runs `graph`, at every step the ready type that `choose` returns; `None` ends the run early.
/// Returns the types that ran.
fn run<'g>(
    graph: &'g TypeGraph,
    mut choose: impl FnMut(&Frontier<'g>, &TypeFrontiers<'g>, &[bool]) -> Option<u16>,
) -> Vec<u16> {
    let (mut frontier, mut types) = (Frontier::new(graph), TypeFrontiers::new(graph).0);
    let mut done = vec![false; graph.len()];
    let mut run = Vec::new();
    while let Some(vertex_type) = choose(&frontier, &types, &done) {
        for &vertex in types.execute(&mut frontier, vertex_type) {
            done[vertex as usize] = true;
        }
        run.push(vertex_type);
    }
    run
}

/// A ready type, by chance.
fn pick(frontier: &Frontier<'_>, picks: &mut impl Iterator<Item = u8>) -> Option<u16> {
    let ready: Vec<_> = frontier.ready_types().collect();
    let pick = usize::from(picks.next().unwrap_or(0));
    ready.get(pick % ready.len().max(1)).copied()
}

/// Whether all of the frontier of the type is ready: the condition of lemma 2.1.
fn condition(frontier: &Frontier<'_>, types: &TypeFrontiers<'_>, vertex_type: u16) -> bool {
    frontier.ready_count(vertex_type) == types.count(vertex_type)
}

/// Frontier(Gᵃ) by its definition: what has not run, is of the type and reaches no other such
/// vertex, walking down from each.
fn type_frontier_by_definition(graph: &TypeGraph, done: &[bool], vertex_type: u16) -> usize {
    let counts = |vertex: u32| !done[vertex as usize] && graph.vertex_type(vertex) == vertex_type;
    let free = |vertex: &u32| {
        let mut seen = vec![false; graph.len()];
        let mut work = graph.children(*vertex).to_vec();
        while let Some(below) = work.pop() {
            if counts(below) {
                return false;
            }
            if !std::mem::replace(&mut seen[below as usize], true) {
                work.extend_from_slice(graph.children(below));
            }
        }
        true
    };
    (0..graph.len() as u32).filter(|&vertex| counts(vertex)).filter(free).count()
}

proptest! {
    #[test]
    fn every_policy_schedules_every_graph(graph in any_graph()) {
        for policy in Policy::ALL {
            let schedule = policy.schedule(&graph);
            prop_assert_eq!(schedule.check(&graph), Ok(()));
            prop_assert_eq!(schedule.order().len(), graph.len());
            prop_assert!(schedule.len() >= lower_bound(&graph));
            prop_assert!(!schedule.is_proved() || schedule.len() == lower_bound(&graph));
            prop_assert_eq!(schedule.clone().certify(&graph), schedule.len() == lower_bound(&graph));
            for batch in schedule.batches() {
                prop_assert!(schedule.vertices(batch).is_sorted());
            }
            prop_assert_eq!(&schedule, &policy.schedule(&graph));
        }
    }

    #[test]
    fn depth_batches_are_the_pairs_of_depth_and_type(graph in any_graph()) {
        let depths = graph.depths();
        let key = |&v: &u32| (depths[v as usize], graph.vertex_type(v));
        let schedule = Policy::Depth.schedule(&graph);
        let mut expected: Vec<_> = (0..graph.len() as u32).collect();
        expected.sort_by_key(|v| (key(v), *v));
        prop_assert_eq!(schedule.order(), &expected);
        let batches: Vec<_> =
            schedule.batches().iter().map(|batch| schedule.vertices(batch)).collect();
        prop_assert_eq!(batches, expected.chunk_by(|a, b| key(a) == key(b)).collect::<Vec<_>>());
    }

    #[test]
    fn frontiers_are_those_of_the_definition(
        graph in any_graph(),
        picks in prop::collection::vec(any::<u8>(), 40),
    ) {
        let mut picks = picks.into_iter();
        let mut steps = 0;
        run(&graph, |frontier, types, done| {
            for vertex_type in 0..graph.type_count() {
                let expected = type_frontier_by_definition(&graph, done, vertex_type);
                assert_eq!(types.count(vertex_type), expected, "type {vertex_type}, step {steps}");
                let ready = |&v: &u32| {
                    let ran = |&child: &u32| done[child as usize];
                    graph.vertex_type(v) == vertex_type
                        && !done[v as usize]
                        && graph.children(v).iter().all(ran)
                };
                let expected = (0..graph.len() as u32).filter(ready).count();
                assert_eq!(frontier.ready_count(vertex_type), expected);
            }
            steps += 1;
            let choice = pick(frontier, &mut picks);
            assert!(choice.is_some() || done.iter().all(|&done| done));
            choice
        });
    }

    /// Words, phrases and scores meet the condition at every step.
    #[test]
    fn forests_meet_the_lower_bound(graph in forest()) {
        prop_assert_eq!(Policy::Sufficient.schedule(&graph).len(), lower_bound(&graph));
    }

    /// Lemma 2.1: where the condition holds, some shortest run begins with the type; and a run in
    /// which it always holds is as short as the lower bound.
    #[test]
    fn the_sufficient_condition_suffices(
        graph in prop_oneof![dag(9, 3), chains()],
        picks in prop::collection::vec(any::<u8>(), 10),
    ) {
        let mut exhaustive = Exhaustive::new(&graph);
        let optimum = exhaustive.optimum(&vec![false; graph.len()]);
        for policy in Policy::ALL {
            prop_assert!(policy.schedule(&graph).len() >= optimum);
        }

        let mut picks = picks.into_iter();
        run(&graph, |frontier, types, done| {
            let best = exhaustive.optimum(done);
            for vertex_type in frontier.ready_types() {
                if condition(frontier, types, vertex_type) {
                    assert_eq!(exhaustive.optimum_after(done, vertex_type) + 1, best);
                }
            }
            pick(frontier, &mut picks)
        });

        let mut finished = false;
        let steps = run(&graph, |frontier, types, done| {
            finished = done.iter().all(|&done| done);
            frontier.ready_types().find(|&vertex_type| condition(frontier, types, vertex_type))
        });
        if finished {
            prop_assert_eq!(steps.len(), optimum);
            prop_assert_eq!(steps.len(), lower_bound(&graph));
            prop_assert_eq!(steps.len(), Policy::Sufficient.schedule(&graph).len());
        }
    }
}
