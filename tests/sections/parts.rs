//! Minibatches whose vertices decide train in parts, once it is known by which policy.

use super::*;
use edb::learn::Gradients;
use edb::trainer::{Checkpoints, Notes, Private};
use edb_core::engine::training::{self, CutFor};
use edb_core::graph::FlatBatch;

use edb_backend_suite::agreement::agrees;
use edb_backend_suite::models::model_of;
use edb_backend_suite::numbers;
use edb_backend_suite::ports::Number;

/// Thinks about a word as often as it says itself, with dropout.
#[vertex_function]
pub(super) fn wander(
    #[dim(H)] size: Dim,
    #[param(V, H)] table: Tensor,
    #[param(H, H)] u: Tensor,
    #[param(H)] halt: Tensor,
) {
    let Word { id } = pull();
    let before = gather_or(0, Thought { h: zeros(size) });
    let x = table.row(id).dropout(0.2);
    let (mut s, mut halted) = (before.h, scalar(0.0));
    while halted < 0.99 {
        s = (x + u.dot(s.dropout(0.1))).tanh();
        halted += halt.dot(s).sigmoid() * 0.4 + 0.05;
    }
    scatter(Thought { h: s });
    loss(s.square().sum() * halted);
}

pub(super) fn wanderer() -> (Model<f64>, Function<wander>) {
    let bound = Initializer::Uniform { bound: 0.9 };
    model_of(dims! { V: 11, H: 6 }.init("halt", bound).init("u", bound), 3)
}

/// Chains of these words.
pub(super) fn of_words(
    (model, f): &(Model<f64>, Function<wander>),
    chains: impl IntoIterator<Item = Vec<u32>>,
) -> Minibatch<f64> {
    let graph = |words: Vec<u32>| {
        let (mut g, mut before) = (model.graph(), None);
        for word in words {
            before = Some(g.add(f, [before], Word { id: Index(word) }));
        }
        g
    };
    model.minibatch(&chains.into_iter().map(graph).collect::<Vec<_>>()).unwrap()
}

/// Chains of one to five words.
fn many(model: &(Model<f64>, Function<wander>), count: u32) -> Minibatch<f64> {
    let words = |number: u32| (0..1 + number * 7 % 5).map(move |word| (number * 3 + word * 5) % 11);
    of_words(model, (0..count).map(|number| words(number).collect()))
}

/// The loss and the gradients of a step, and the vertices that have run in it.
pub(super) type Sums = (f64, Gradients<f64>, usize);

/// Runs a minibatch as a step does; the policy is known, and so it is cut into so many parts.
fn run(engine: &mut Engine<f64>, model: &Model<f64>, batch: &Minibatch<f64>, parts: usize) -> Sums {
    let (sums, found) = run_cut(engine, model, batch);
    assert_eq!(found, parts);
    sums
}

/// Runs a minibatch as a step does. Returns how many parts it was cut into, too.
pub(super) fn run_cut(
    engine: &mut Engine<f64>,
    model: &Model<f64>,
    batch: &Minibatch<f64>,
) -> (Sums, usize) {
    let prepared = training::prepare(engine, model, batch, CutFor::Step).unwrap();
    training::begin_step(engine, model.parameters(), false).unwrap();
    let count = |ran: &FlatBatch| ran.vertex_count();
    let vertices = training::run(engine, &prepared, 9, &count).unwrap();
    let mut gradients = Gradients::new(model.parameters());
    let loss = training::take_sums(engine, &mut gradients).unwrap();
    ((loss, gradients, vertices), prepared.parts().len())
}

/// Compares sums with those of the whole minibatch.
pub(super) fn assert_whole(
    engine: &mut Engine<f64>,
    model: &Model<f64>,
    batch: &Minibatch<f64>,
    (loss, gradients, vertices): &Sums,
) {
    let mut run = engine.forward(model, batch, 9).unwrap();
    assert_eq!(run.minibatch().vertex_count(), *vertices);
    let whole = run.loss().unwrap();
    approx::assert_relative_eq!(whole, *loss, max_relative = 1e-9, epsilon = 1e-9);
    let whole = run.backward().unwrap();
    for (id, _) in model.parameters().iter() {
        for (found, expected) in gradients.to_dense(id).iter().zip(whole.to_dense(id)) {
            approx::assert_relative_eq!(*found, expected, max_relative = 1e-6, epsilon = 1e-8);
        }
    }
}

/// An engine that has learned how these minibatches run.
fn learned(threads: usize, of: &[(&Model<f64>, &Minibatch<f64>)]) -> Engine<f64> {
    let mut engine = Engine::with_threads(threads).unwrap();
    for (model, batch) in of {
        let parts =
            training::prepare(&mut engine, model, batch, CutFor::Step).unwrap().parts().len();
        assert_eq!(parts, 1, "nothing is learned yet");
        for _ in 0..4 {
            engine.infer(model, batch).unwrap();
        }
    }
    engine
}

pub(super) fn bits(model: &Model<f64>, (loss, gradients, vertices): &Sums) -> Vec<u64> {
    let all = numbers::gradient_bits(model, gradients).into_iter();
    all.chain([loss.to_bits(), *vertices as u64]).collect()
}

#[test]
fn parts_are_the_whole_and_the_same_on_any_number_of_threads() {
    let wanderer = wanderer();
    let (model, batch) = (&wanderer.0, many(&wanderer, 75));
    let summed = |threads| {
        let mut engine = learned(threads, &[(model, &batch)]);
        let first = run(&mut engine, model, &batch, 4);
        // In whatever way threads are chosen for the second step.
        assert_eq!(bits(model, &first), bits(model, &run(&mut engine, model, &batch, 4)));
        first
    };
    let one = summed(1);
    for threads in 2..=4 {
        assert_eq!(bits(model, &one), bits(model, &summed(threads)), "{threads} threads");
    }
    assert_whole(&mut Engine::new(), model, &batch, &one);
}

/// Other sizes and another model that run in between on the same engine leave nothing behind.
#[test]
fn parts_have_the_bits_of_a_new_engine_after_other_minibatches() {
    let wanderer = wanderer();
    let (model, batch, few) = (&wanderer.0, many(&wanderer, 75), many(&wanderer, 33));
    let (other, f) = pondering::<f64>();
    let of_other = chains(&other, &f, &[4; 128], 11);
    let alone = run(&mut learned(1, &[(model, &batch)]), model, &batch, 4);
    let mut engine = learned(2, &[(model, &batch), (&other, &of_other)]);
    for _ in 0..3 {
        let found = run(&mut engine, model, &batch, 4);
        assert_eq!(bits(model, &found), bits(model, &alone));
        run(&mut engine, &other, &of_other, 8);
        run(&mut engine, model, &few, 2);
        engine.infer(model, &few).unwrap();
    }
}

/// Two arms that do work.
#[vertex_function]
fn fork(#[param(V, H)] table: Tensor, #[param(H, H)] w: Tensor, #[param(H, H)] u: Tensor) {
    let Word { id } = pull();
    let x = table.row(id);
    let h = if x.sum() > 0.0 { w.dot(x).tanh() } else { u.dot(x).exp() };
    loss(h.sum());
}

/// An arm that no part has taken before is taken.
#[test]
fn an_arm_that_was_never_taken_is_taken_in_parts() {
    let (mut model, f) = model_of::<fork, f64>(dims! { V: 2, H: 6 }, 3);
    let table = model.parameters().find("fork.table").unwrap();
    let values = model.parameters_mut().get_mut(table).values_mut().unwrap();
    values.copy_from_slice(&[[0.3; 6], [-0.2; 6]].concat());
    let minibatch = |word: u32| {
        let graphs = (0..40).map(|_| {
            let mut g = model.graph();
            g.add(&f, (), Word { id: Index(word) });
            g
        });
        model.minibatch(&graphs.collect::<Vec<_>>()).unwrap()
    };
    let (usual, new) = (minibatch(0), minibatch(1));
    let mut engine = learned(2, &[(&model, &usual)]);
    run(&mut engine, &model, &usual, 2);
    let sums = run(&mut engine, &model, &new, 2);
    assert_whole(&mut engine, &model, &new, &sums);
}

/// A graph that decides on NaN has the loss NaN and is named by its place in the minibatch; no
/// parameter moves.
#[test]
fn a_decision_on_nan_is_named_in_parts_too() {
    let mut wanderer = wanderer();
    let table = wanderer.0.parameters().find("wander.table").unwrap();
    wanderer.0.parameters_mut().get_mut(table).values_mut().unwrap()[7 * 6] = f64::NAN;
    let good = of_words(&wanderer, vec![vec![1, 2]; 40]);
    let word = |number| if number == 21 { 7 } else { 2 };
    let bad = of_words(&wanderer, (0..40).map(|number| vec![1, word(number)]));
    let engine = Engine::with_threads(2).unwrap();
    let mut trainer = Trainer::new(wanderer.0, Sgd::new(0.1)).engine(engine);
    for _ in 0..5 {
        trainer.step(&good).unwrap();
    }
    let values = |trainer: &Trainer<f64>| numbers::bits(trainer.model());
    let before = values(&trainer);
    let message = trainer.step(&bad).unwrap_err().to_string();
    assert!(message.contains("graph 21") && message.contains("NaN"), "{message}");
    assert_eq!(values(&trainer), before);
    trainer.step(&good).unwrap();
    assert_ne!(values(&trainer), before);
}

/// Forty graphs, of which one does not stop.
pub(super) fn forty<T: Element>(
    model: &Model<T>,
    f: &Function<forever>,
    endless: Option<usize>,
) -> Minibatch<T> {
    let graphs = (0..40).map(|number| {
        let mut g = model.graph();
        let by = g.tensor(&[T::from_f64(f64::from(u8::from(Some(number) != endless)))]);
        g.add(f, (), Step { by });
        g
    });
    model.minibatch(&graphs.collect::<Vec<_>>()).unwrap()
}

/// An error of a part names a graph by its place in the minibatch.
#[test]
fn a_vertex_that_does_not_stop_is_named_in_parts_too() {
    let (model, f) = model_of::<forever, f32>(dims! { ONE: 1 }, 1);
    let [good, bad] = [None, Some(33)].map(|endless| forty(&model, &f, endless));
    let engine = Engine::with_threads(2).unwrap().most_steps(50);
    let mut trainer = Trainer::new(model, Sgd::new(0.1)).engine(engine);
    for _ in 0..5 {
        trainer.step(&good).unwrap();
    }
    let message = trainer.step(&bad).unwrap_err().to_string();
    assert!(message.contains("vertex 0 of graph 33"), "{message}");
    let message = trainer.step_over([&good, &bad]).unwrap_err().to_string();
    assert!(message.contains("vertex 0 of graph 73"), "{message}");
    trainer.step(&good).unwrap();
}

/// Thinks with a matrix that is computed from a parameter, and so is no weight of the model.
#[vertex_function]
fn normed(#[param(H, H)] w: Tensor, #[dim(H)] size: Dim) {
    let Number { x } = pull();
    let x = x + zeros(size);
    let w = w / (w.square().sum() + 1.0).sqrt();
    let h = if x.sum() > 0.0 { w.dot(x) } else { w.dot(x).tanh() };
    loss(h.sum());
}

/// Each part leaves sums of gradients: few parts where these are large, whatever they are gradients of.
#[test]
fn the_memory_of_sums_is_bounded() {
    let parts = |size: usize| {
        let (model, f) = model_of::<normed, f32>(dims! { H: size }, 3);
        let graph = |_| {
            let mut g = model.graph();
            let x = g.tensor(&vec![0.1; size]);
            g.add(&f, (), Number { x });
            g
        };
        let batch = model.minibatch(&(0..512).map(graph).collect::<Vec<_>>()).unwrap();
        let mut engine = Engine::with_threads(1).unwrap().policy(Policy::Agenda);
        training::prepare(&mut engine, &model, &batch, CutFor::Step).unwrap().parts().len()
    };
    assert_eq!((parts(1024), parts(8)), (4, 32));
}

/// The losses of a private run do not depend on whether it was resumed: what is learned of policies is
/// no part of its checkpoints.
#[test]
fn private_losses_are_the_same_after_resuming() {
    let build = || {
        let wanderer = wanderer();
        let batch = many(&wanderer, 64);
        let settings =
            Private { secret: edb::secret::Secret::insecure(4), ..Private::new(1000, 64).unwrap() };
        (Trainer::new(wanderer.0, Sgd::new(0.01)).private(settings), batch)
    };
    let steps = |(trainer, batch): &mut (Trainer<f64>, Minibatch<f64>), count: usize| {
        (0..count).map(|_| trainer.step(batch).unwrap().loss.to_bits()).collect::<Vec<_>>()
    };
    let (mut whole, mut first, mut second) = (build(), build(), build());
    let losses = steps(&mut whole, 7);
    steps(&mut first, 5);
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path());
    checkpoints.save(&first.0, &Notes::new()).unwrap();
    checkpoints.resume(&mut second.0).unwrap().unwrap();
    assert_eq!(steps(&mut second, 2), losses[5..]);
}

/// What vertices have decided is kept where a minibatch that has run is cut, as into shares of a step.
#[test]
fn a_minibatch_that_has_run_trains_in_shares() {
    let wanderer = wanderer();
    let mut engine = Engine::new();
    let batch = many(&wanderer, 40);
    let ran = engine.forward(&wanderer.0, &batch, 0).unwrap().minibatch().clone();
    let mut run = engine.forward(&wanderer.0, &ran, 0).unwrap();
    let (expected, whole) = (run.loss().unwrap(), run.backward().unwrap());
    let before = wanderer.0.parameters().clone();
    let mut trainer =
        Trainer::new(wanderer.0, Sgd::new(1.0)).distributed(edb::collective::Alone, 3);
    let step = trainer.step(&ran).unwrap();
    approx::assert_relative_eq!(step.loss, expected, max_relative = 1e-12);
    for ((id, after), (_, before)) in trainer.model().parameters().iter().zip(before.iter()) {
        let moved = after.values().unwrap().iter().zip(before.values().unwrap());
        for ((after, before), gradient) in moved.zip(whole.to_dense(id)) {
            let expected = before - gradient / step.graphs as f64;
            approx::assert_relative_eq!(*after, expected, max_relative = 1e-9, epsilon = 1e-12);
        }
    }
}

#[derive(Input)]
struct Pair {
    rows: Tensor,
    turn: Tensor,
}

/// Its matrices are pulled again in the backward pass, by sections that follow the policy.
#[vertex_function]
fn turned(#[param(H)] w: Tensor, #[dim(H)] rows: Dim) {
    let Pair {
        #[shape(H, 3)]
            rows: x,
        #[shape(3, 3)]
        turn,
    } = pull();
    let (mut s, mut steps) = ((x * w.repeat_columns(3)).dot(turn), scalar(0.0));
    while s.square().sum() < 20.0 && steps < 9.0 {
        s = (s + x.detach()).dot(turn) + x * s;
        steps += 1.0;
    }
    loss((s.row_sum() + zeros(rows)).tanh().dot(w));
}

/// What parts have pulled is still theirs when they go backward.
#[test]
fn parts_pull_again() {
    let (model, f): (Model<f64>, Function<turned>) =
        model_of(dims! { H: 5 }.init("w", Initializer::Uniform { bound: 0.9 }), 3);
    let graphs: Vec<Graph<f64>> = (0..48)
        .map(|number: u32| {
            let mut g = model.graph();
            let numbers = |count: u32| -> Vec<f64> {
                (0..count).map(|k| f64::from((k * 7 + number * 5) % 11) * 0.1 - 0.4).collect()
            };
            let (rows, turn) = (g.tensor(&numbers(15)), g.tensor(&numbers(9)));
            g.add(&f, (), Pair { rows, turn });
            g
        })
        .collect();
    agrees(&model, &graphs);
    let batch = model.minibatch(&graphs).unwrap();
    let results = |threads: usize| {
        let mut engine: Engine<f64> = Engine::with_threads(threads).unwrap();
        engine.infer(&model, &batch).unwrap();
        let mut run = engine.forward(&model, &batch, 0).unwrap();
        let gradients = run.backward().unwrap();
        let of_rows = (0..graphs.len())
            .flat_map(|graph| run.input_gradient_at(graph, 0, "rows").unwrap().unwrap().to_owned());
        (of_rows.map(f64::to_bits).collect::<Vec<_>>(), numbers::gradient_bits(&model, &gradients))
    };
    assert!(results(2) == results(1));
}

#[derive(Input)]
pub(super) struct Step {
    pub by: Tensor,
}

#[vertex_function]
pub(super) fn forever(#[dim(ONE)] one: Dim, #[param(ONE)] most: Tensor) {
    let Step { by } = pull();
    let by = (by + zeros(one)).sum();
    let mut n = scalar(0.0);
    while n < 3.0 {
        n += by;
    }
    loss(n * most.sum());
}
