//! What holds for graphs that grow.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::graphs::graph;
use crate::*;

/// A vertex that a graph gets: its type and its children in the graph.
type New = (u16, Vec<usize>);

/// The type that needs no schedule, since nothing reads it: it runs as soon as it can.
const FREE: u16 = 3;

/// What a graph gets in a round, given how many vertices it has; nothing when it is done.
type Grower<'a> = &'a dyn Fn(&mut ChaCha8Rng, usize) -> Vec<New>;

/// A run of graphs that grow.
struct Grown {
    /// All vertices in the order in which they came, and of which graph each is.
    rows: Vec<(u16, Vec<u32>)>,
    graphs: Vec<u32>,
    /// The batches, of the numbers above, without rounds.
    schedule: Vec<(u16, Vec<u32>)>,
    /// The sizes of all batches; a round is one.
    batches: Vec<(u16, u32)>,
    rounds: Rounds,
}

/// Grows graphs, each from its own seed, by a policy; without one, wave by wave.
fn grow(types: u16, seeds: &[u64], grower: Grower<'_>, policy: Option<&OnlinePolicy>) -> Grown {
    let mut rngs: Vec<_> = seeds.iter().map(|seed| ChaCha8Rng::seed_from_u64(*seed)).collect();
    let mut places: Vec<Vec<u32>> = vec![Vec::new(); seeds.len()];
    let mut frontier = GrowingFrontier::new(types, seeds.len() as u32);
    let mut grown = Grown {
        rows: Vec::new(),
        graphs: Vec::new(),
        schedule: Vec::new(),
        batches: Vec::new(),
        rounds: Rounds::default(),
    };
    let mut rested: Vec<u32> = (0..seeds.len() as u32).collect();
    let mut first = true;
    loop {
        for graph in std::mem::take(&mut rested) {
            let number = graph as usize;
            let more = grower(&mut rngs[number], places[number].len());
            if more.is_empty() && !first {
                continue;
            }
            for (vertex_type, children) in more {
                let children: Vec<u32> =
                    children.iter().map(|child| places[number][*child]).collect();
                frontier.add(vertex_type, graph, children.iter().copied());
                places[number].push(grown.rows.len() as u32);
                grown.rows.push((vertex_type, children));
                grown.graphs.push(graph);
            }
            frontier.added(graph);
        }
        first = false;
        loop {
            if types > FREE {
                let mut free = Vec::new();
                frontier.take(FREE, &mut free);
                free.iter().for_each(|vertex| frontier.done(*vertex));
            }
            let choice = match policy {
                Some(policy) => frontier.choose(policy),
                None => frontier.fullest().or_else(|| frontier.rests()),
            };
            let Some(choice) = choice else { return grown };
            let mut taken = Vec::new();
            frontier.take(choice, &mut taken);
            grown.batches.push((choice, taken.len() as u32));
            if choice != frontier.grow() {
                taken.iter().for_each(|vertex| frontier.done(*vertex));
            }
            if choice == frontier.grow() {
                let (vertices, batches) = (grown.rows.len() as u32, grown.schedule.len());
                grown.rounds.push(vertices, batches, taken.iter().copied());
                rested = taken;
                break;
            }
            grown.schedule.push((choice, taken));
        }
    }
}

impl Grown {
    /// The recorded graph, and the schedule by which it grew.
    fn recorded(&self, types: u16) -> (TypeGraph, Schedule) {
        let scheduled: Vec<u32> =
            (0..self.rows.len() as u32).filter(|v| self.rows[*v as usize].0 != FREE).collect();
        let numbers: BTreeMap<u32, u32> =
            (0..).zip(&scheduled).map(|(number, vertex)| (*vertex, number)).collect();
        let rows = scheduled.iter().map(|vertex| {
            let (vertex_type, children) = &self.rows[*vertex as usize];
            (*vertex_type, children.iter().map(|child| numbers[child]).collect())
        });
        let plain = graph(types, &rows.collect::<Vec<_>>());
        let mut schedule = Schedule::new();
        for (vertex_type, vertices) in &self.schedule {
            let vertices: Vec<u32> = vertices.iter().map(|vertex| numbers[vertex]).collect();
            schedule.push(*vertex_type, &vertices);
        }
        assert_eq!(schedule.check(&plain), Ok(()));
        let came = |vertex: u32| {
            let vertex = scheduled[vertex as usize];
            (vertex, self.graphs[vertex as usize])
        };
        let recorded = self.rounds.recorded(&plain, came);
        (recorded, self.rounds.schedule(&plain, &schedule))
    }
}

/// Graphs of four types that grow at random, some from nothing.
fn at_random(rng: &mut ChaCha8Rng, has: usize) -> Vec<New> {
    // Every fourth vertex is free.
    let more = if has > 12 { 0 } else { rng.random_range(0..4) };
    let vertex = |number: usize, rng: &mut ChaCha8Rng| {
        let read = (0..rng.random_range(0..3)).map(|_| rng.random_range(0..number.max(1)));
        let read = read.filter(|child| *child < number && child % 4 != 3);
        let children = read.collect();
        (if number % 4 == 3 { FREE } else { rng.random_range(0..FREE) }, children)
    };
    (has..has + more).map(|number| vertex(number, rng)).collect()
}

/// Some order of the types of graphs that grow.
fn any_order(types: u16) -> impl Strategy<Value = Arc<TypeOrder>> {
    let orders = Just((0..=types).collect::<Vec<_>>()).prop_shuffle();
    orders.prop_map(move |order| {
        Arc::new(TypeOrder::new(&Signature::unnamed(types).growing(), order).unwrap())
    })
}

fn online(order: &Arc<TypeOrder>) -> OnlinePolicy {
    OnlinePolicy::of(&Policy::Order(order.clone())).unwrap()
}

fn sizes(schedule: &Schedule) -> Vec<(u16, u32)> {
    schedule.batches().iter().map(|batch| (batch.vertex_type, batch.end - batch.start)).collect()
}

/// Chains of steps (0); now and then one is thought about first, in five thoughts (1). Wave by
/// wave, all other graphs wait for those that think.
fn thinking(rng: &mut ChaCha8Rng, has: usize) -> Vec<New> {
    let before = |number: usize| number.checked_sub(1).into_iter().collect();
    match has {
        40.. => vec![],
        _ if rng.random::<f32>() < 0.8 => vec![(0, before(has))],
        _ => (has..has + 5).map(|number| (1, before(number))).collect(),
    }
}

proptest! {
    #[test]
    fn what_grew_is_recorded(
        seeds in prop::collection::vec(any::<u64>(), 1..6),
        order in any_order(4),
    ) {
        for policy in [Some(online(&order)), None] {
            let grown = grow(4, &seeds, &at_random, policy.as_ref());
            let (recorded, schedule) = grown.recorded(4);
            prop_assert_eq!(schedule.check(&recorded), Ok(()));
            prop_assert_eq!(sizes(&schedule), grown.batches);
            let competition =
                Competition::of(&schedule, &recorded, &SearchOptions::default()).unwrap();
            prop_assert_eq!(competition.rounds, grown.rounds.len());
            prop_assert!(competition.lower_bound <= competition.offline);
        }
    }

    #[test]
    fn the_recorded_graph_grows_again_by_the_same_policy(
        seeds in prop::collection::vec(any::<u64>(), 1..6),
        order in any_order(4),
        other in any_order(4),
    ) {
        // What grew by one order, run by the other, is what grows by that.
        let (recorded, _) = grow(4, &seeds, &at_random, Some(&online(&order))).recorded(4);
        let again = grow(4, &seeds, &at_random, Some(&online(&other)));
        prop_assert_eq!(sizes(&other.schedule(&recorded)), again.batches);
    }
}

#[test]
fn how_to_grow_is_learned() {
    let types = Signature::new(["step", "thought"]);
    let minibatch = |first: u64| (first..first + 16).collect::<Vec<_>>();
    let mut scheduler = Scheduler::new(Policy::Auto);
    for number in 0..4 {
        assert!(scheduler.online(&types).unwrap().is_none());
        let recorded = || grow(2, &minibatch(100 * number), &thinking, None).recorded(2).0;
        scheduler.record(&types, Unlearned::Waves, recorded).unwrap();
    }
    let policy = scheduler.online(&types).unwrap().expect("waves can be improved on");
    let (mut waves, mut learned, mut offline) = (0, 0, 0);
    for number in 10..20 {
        let seeds = minibatch(100 * number);
        waves += grow(2, &seeds, &thinking, None).batches.len();
        let grown = grow(2, &seeds, &thinking, Some(&policy));
        let (recorded, schedule) = grown.recorded(2);
        let options = SearchOptions { budget: 2_000_000, ..SearchOptions::default() };
        let competition = Competition::of(&schedule, &recorded, &options).unwrap();
        learned += competition.batches;
        offline += competition.offline;
    }
    // A machine that sees which of them are more knows when to hand out those that need not wait.
    assert!(4 * learned < 3 * waves && 5 * learned < 6 * offline, "{offline} {learned} {waves}");

    // It is saved with the types that it is for, and restored.
    let growing = types.growing();
    let saved = scheduler.learned(&growing).unwrap();
    let text = saved.to_json(&growing).unwrap();
    // For the types of the model, too, but for no others.
    assert_eq!(saved.to_json(&types).unwrap(), text);
    assert!(saved.to_json(&growing.growing()).is_err());
    assert!(Policy::from_json(&text, &growing.growing()).is_err());
    let mut other = Scheduler::new(Policy::Auto);
    let loaded = Policy::from_json(&text, &types).unwrap();
    other.restore(&growing, Some(loaded), Vec::new());
    assert!(other.online(&types).unwrap().is_some());
    // It does not fit other types, and what grows by a policy that looks ahead grows in waves.
    other.grow_by(saved);
    let error = other.online(&growing).unwrap_err();
    let ScheduleError::PolicyTypes { expected: 3, found: 4, .. } = error else { panic!("{error}") };
    other.grow_by(Policy::Depth);
    assert!(other.online(&types).unwrap().is_none());
    // Known beforehand, the same types are scheduled as ever.
    assert!(other.learned(&types).is_none());
}
