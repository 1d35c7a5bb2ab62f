use edb::Element;
use edb::Graph;
use edb::prelude::*;
use edb::schedule::{Encoding, LearnOptions, Learner, LookAhead};
use edb::testing::{Check, compiled_equals_eager};
use edb_compiler::Options;
use rand::RngExt;

use crate::bytes::Bytes;
use edb_backend_suite::random;

/// A random model, random graphs of it and a random policy: the compiled model agrees with its
/// eager evaluation, forward and backward, on one thread and on two; and one of the graphs has the
/// same bits alone as among the others.
pub fn programs(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    match bytes.random() {
        true => check::<f64>(&mut bytes),
        false => check::<f32>(&mut bytes),
    }
}

fn check<T: Element>(bytes: &mut Bytes<'_>) {
    let options = match bytes.random_bool(0.7) {
        true => Options::default(),
        false => Options {
            lazy: bytes.random(),
            layout: bytes.random(),
            fusion: bytes.random(),
            views: bytes.random(),
        },
    };
    let draws = (bytes.seed(), bytes.seed());
    let model: Model<T> = random::model(bytes, draws.0, options);
    let graphs = random::graphs(bytes, &model, 1..6, 1..12);
    let batch = model.minibatch(&graphs).expect("the graphs fit the model");
    let policy = policy(bytes, &model, &batch);
    let check = Check { draws, policies: vec![policy.clone()], directions: 1, ..Check::default() };
    if let Err(error) = compiled_equals_eager(&model, &batch, &check) {
        panic!("{error}");
    }
    alone(bytes, &model, &graphs, &batch, &policy);
}

/// Checks that one of the graphs has the same bits alone, on one thread and under the default
/// policy.
fn alone<T: Element>(
    bytes: &mut Bytes<'_>,
    model: &Model<T>,
    graphs: &[Graph<T>],
    together: &Minibatch<T>,
    policy: &Policy,
) {
    let place = bytes.random_range(0..graphs.len());
    let size = graphs[place].len();
    let alone = model.minibatch([&graphs[place]]).expect("the graph fits the model");
    let threads = Engine::with_threads(2).expect("two threads can be started");
    let mut engine = threads.policy(policy.clone());
    let expected = random::bits(&mut engine, model, together, place, size);
    let found = random::bits(&mut Engine::new(), model, &alone, 0, size);
    assert_eq!(found, expected, "graph {place} of {} alone", graphs.len());
}

/// A random policy: one of the fixed ones, or one learned on this minibatch with little work.
fn policy<T: Element>(bytes: &mut Bytes<'_>, model: &Model<T>, batch: &Minibatch<T>) -> Policy {
    let kind = bytes.random_range(0..Policy::ALL.len() + 3);
    let learner = match kind.checked_sub(Policy::ALL.len()) {
        None => return Policy::ALL[kind].clone(),
        Some(0) => {
            return Policy::LookAhead(LookAhead {
                width: bytes.random_range(1..9),
                power: bytes.random_range(0..4),
                factor: bytes.random_range(0.0..12.0),
                backwards: bytes.random(),
            });
        }
        Some(1) => Learner::Fsm(Encoding::ALL[bytes.random_range(0..Encoding::ALL.len())]),
        Some(_) => Learner::Machine,
    };
    // What loops and branches come to is known when they have run.
    let mut engine = Engine::new();
    let graph = engine.infer(model, batch).expect("it is the model's").type_graph();
    let options = LearnOptions {
        learner,
        seed: bytes.seed(),
        budget: bytes.random_range(1..2000),
        ..LearnOptions::default()
    };
    Policy::learn_for(model.signature(), &[graph], &options, &mut |_| ())
        .expect("the graph has the model's types")
}
