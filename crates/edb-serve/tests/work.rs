//! What goes wrong while a minibatch runs, or is read, concerns one request.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use edb::schedule::{CustomPolicy, Schedule, TypeGraph};

use super::*;

#[test]
fn a_panic_of_what_reads_is_an_answer() {
    let net = Net::<f32>::new();
    let batcher = net.builder().start().unwrap();
    let (release, held) = hold(&batcher, &net);
    let trees = random_trees(&net, 30);
    let later: Vec<Pending<Bits>> = trees
        .iter()
        .enumerate()
        .map(|(number, (graph, root))| {
            let read = net.read(*root);
            let reading = move |results: GraphResults<'_>| match number % 3 {
                0 => panic!("number {number}"),
                1 => std::panic::panic_any(number),
                _ => read(results),
            };
            batcher.ask_later(graph, reading).unwrap()
        })
        .collect();
    release.send(()).unwrap();
    held.wait().unwrap();
    for (number, (later, (graph, root))) in later.into_iter().zip(&trees).enumerate() {
        match (number % 3, later.wait()) {
            (0, Err(ServeError::Panicked { message })) => {
                assert_eq!(message, format!("number {number}"));
            }
            (1, Err(ServeError::Panicked { message })) => assert_eq!(message, "it says nothing"),
            (2, Ok(answer)) => assert_eq!(answer, net.alone(graph, *root)),
            (_, other) => panic!("{other:?}"),
        }
    }
    assert_eq!(batcher.counts().minibatches, 2);
}

#[derive(State)]
struct Count {
    n: Tensor,
}

#[derive(Input)]
struct Start {
    n: Tensor,
}

/// Doubles a number until it is large: 0 takes for ever.
#[vertex_function]
fn double(#[dim(N)] size: Dim) {
    let Start { n } = pull();
    let mut n = (n + zeros(size)).sum();
    while n < 100.0 {
        n = n + n;
    }
    scatter(Count { n });
}

/// An endless loop is an error of the request that has it.
#[test]
fn an_endless_graph_is_answered_alone() {
    let mut builder = ModelBuilder::new();
    let double = builder.add::<double>(dims! { N: 1 });
    let model: Model = builder.build(1).unwrap();
    let batcher = Batcher::builder(model)
        .workers(2)
        .engines(|| Ok(Engine::with_threads(2)?.most_steps(50)))
        .start()
        .unwrap();
    let model = batcher.model();
    let later: Vec<_> = (0..64)
        .map(|number| {
            let mut g = model.graph();
            let n = g.tensor(&[(number % 16) as f32]);
            let vertex = g.add(&double, (), Start { n });
            batcher.ask_later(&g, move |results| Ok(results.state(vertex)?.n[[]])).unwrap()
        })
        .collect();
    for (number, later) in later.into_iter().enumerate() {
        match (number % 16, later.wait()) {
            (0, Err(ServeError::Engine(EngineError::EndlessVertex { graph: 0, .. }))) => {}
            (n, Ok(answer)) if n > 0 => assert!((100.0..200.0).contains(&answer), "{answer}"),
            (_, other) => panic!("{other:?}"),
        }
    }
}

/// Schedules one vertex after the other, and panics at one with so many children that are scheduled.
#[derive(Debug)]
struct Fragile(usize);

impl CustomPolicy for Fragile {
    fn name(&self) -> &str {
        "fragile"
    }

    fn schedule(&self, graph: &TypeGraph) -> Schedule {
        let is_bad = |of: u32| graph.children(of).len() == self.0;
        assert!(!(0..graph.len() as u32).any(is_bad), "too fragile");
        let mut schedule = Schedule::new();
        (0..graph.len() as u32).for_each(|of| schedule.push(graph.vertex_type(of), &[of]));
        schedule
    }
}

/// An engine that has panicked is made anew; requests that did not panic are answered.
#[test]
fn a_panic_while_a_minibatch_runs_concerns_some_requests() {
    let net = Net::<f32>::new();
    let made = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&made);
    let engines = move || {
        count.fetch_add(1, Ordering::SeqCst);
        // Phrases of two phrases.
        Ok(Engine::new().policy(Policy::custom(Fragile(2))))
    };
    let batcher = net.builder().workers(2).engines(engines).start().unwrap();
    assert_eq!(made.load(Ordering::SeqCst), 2);
    let trees = random_trees(&net, 100);
    let failed = [(); 3].map(|()| {
        let later: Vec<_> = trees
            .iter()
            .map(|(graph, root)| batcher.ask_later(graph, net.read(*root)).unwrap())
            .collect();
        let failed =
            |(later, (graph, root)): (Pending<Bits>, &(Graph, Vertex<()>))| match later.wait() {
                Ok(answer) => {
                    assert_eq!(answer, net.alone(graph, *root));
                    false
                }
                Err(ServeError::Panicked { message }) => {
                    assert!(message.contains("too fragile"), "{message}");
                    true
                }
                Err(error) => panic!("{error}"),
            };
        later.into_iter().zip(&trees).map(failed).collect::<Vec<bool>>()
    });
    assert_eq!(failed[0], failed[1]);
    assert_eq!(failed[0], failed[2]);
    assert!(failed[0].contains(&true) && failed[0].contains(&false));
    assert!(made.load(Ordering::SeqCst) > 2);
}

/// The same where no engine can be made after that.
#[test]
fn requests_without_an_engine_get_errors() {
    let net = Net::<f32>::new();
    let made = AtomicUsize::new(0);
    let engines = move || match made.fetch_add(1, Ordering::SeqCst) {
        0 => Ok(Engine::new().policy(Policy::custom(Fragile(0)))),
        _ => Err(EngineError::Threads("one was enough".into())),
    };
    let batcher = net.builder().engines(engines).start().unwrap();
    let later: Vec<_> = random_trees(&net, 20)
        .iter()
        .map(|(graph, root)| batcher.ask_later(graph, net.read(*root)).unwrap())
        .collect();
    for later in later {
        let error = later.wait().unwrap_err().to_string();
        assert!(error.contains("one was enough") || error.contains("too fragile"), "{error}");
    }
}

/// A policy of another model fails for each request, and says so.
#[test]
fn a_policy_of_another_model_is_an_error() {
    let net = Net::<f32>::new();
    let other = "finite state machines are for a number of types";
    let policy = edb::schedule::Policy::learn_for(
        &edb::schedule::Signature::unnamed(7),
        &[TypeGraph::new(7, vec![0, 1], vec![0, 0, 1], vec![0]).unwrap()],
        &edb::schedule::LearnOptions::default(),
        &mut |_| (),
    )
    .expect(other);
    let engines = move || Ok(Engine::new().policy(policy.clone()));
    let (graph, root) = net.tree(3, 1);
    let warmed = net.builder().engines(engines.clone()).warm_up([&graph]).start();
    let error = warmed.unwrap_err();
    assert!(matches!(error, ServeError::Engine(EngineError::Schedule(_))), "{error}");
    let batcher = net.builder().engines(engines).start().unwrap();
    for _ in 0..3 {
        let error = batcher.ask(&graph, net.read(root)).unwrap_err();
        assert!(matches!(error, ServeError::Engine(EngineError::Schedule(_))), "{error}");
    }
}
