//! Compiled runs against the eager reference: the cells of examples and tests, and random programs
//! over random graphs, compared with an interpreter of the programs before any compiler pass.

use std::ops::Range;

use edb::Element;
use edb::engine::Growth;
use edb::schedule::Policy;
use edb::testing::{Check, compiled_equals_eager, grown_equals_eager};
use edb::{Device, Engine, Graph, Model};
use edb_compiler::Options;

use crate::models::{Case, all};
use crate::random::{self, graphs, model, rng};

/// Checks all [models](crate::models) with `hidden` units.
///
/// # Panics
/// When a result, a gradient or a loss differs from that of the eager functions.
pub fn cells<T: Element>(devices: &[Device], hidden: usize) {
    for Case { name, model, graphs } in all::<T>(hidden) {
        let batch = model.minibatch(&graphs).unwrap();
        let check = Check { draws: (3, 7), devices: devices.to_vec(), ..Check::default() };
        compiled_equals_eager(&model, &batch, &check)
            .unwrap_or_else(|error| panic!("{name} of {hidden} units: {error}"));
    }
}

/// Checks graphs of a model.
///
/// # Panics
/// As [`cells`].
#[track_caller]
pub fn agrees<'a, T: Element>(model: &Model<T>, graphs: impl IntoIterator<Item = &'a Graph<T>>) {
    let batch = model.minibatch(graphs).unwrap();
    compiled_equals_eager(model, &batch, &Check::default()).unwrap();
}

/// A random model, and random graphs of it; `count` and `size` are the ranges of their number and
/// of their vertices.
pub fn drawn<T: Element>(
    seed: u64,
    options: Options,
    count: Range<usize>,
    size: Range<usize>,
) -> (Model<T>, Vec<Graph<T>>) {
    let model: Model<T> = model(&mut rng(seed), seed, options);
    let graphs = graphs(&mut rng(seed ^ 1), &model, count, size);
    (model, graphs)
}

/// Checks a random program for each seed.
///
/// # Panics
/// As [`cells`].
pub fn random_programs<T: Element>(devices: &[Device], seeds: Range<u64>) {
    seeds.for_each(|seed| random_program::<T>(devices, seed, Options::default()));
}

/// The same with compiler passes switched off, so that plans copy, gather and store more than
/// needed.
///
/// # Panics
/// As [`cells`].
pub fn random_programs_without_some_passes<T: Element>(devices: &[Device], seeds: Range<u64>) {
    for seed in seeds {
        let [lazy, layout, fusion, views] = [0, 1, 2, 3].map(|bit| (seed * 5) >> bit & 1 == 1);
        random_program::<T>(devices, seed, Options { lazy, layout, fusion, views });
    }
}

/// Random graphs that grow by what they compute: against the eager run, up to a tolerance; with the
/// bits of the minibatch that they become, in inference, too; and, on the processor, with those of
/// each alone.
///
/// # Panics
/// As [`cells`].
pub fn random_growth<T: Element>(devices: &[Device], seeds: Range<u64>, tolerance: Option<f64>) {
    for seed in seeds {
        let (model, graphs) = drawn::<T>(seed, Options::default(), 1..5, 1..8);
        let graphs: Vec<Graph<T>> = (0..)
            .zip(graphs)
            .map(|(sample, mut graph)| {
                graph.set_sample(sample);
                graph
            })
            .collect();
        for (number, device) in devices.iter().enumerate() {
            let policy = &Policy::ALL[(seed as usize + number) % Policy::ALL.len()];
            let context = format!("seed {seed}, {policy}, {device}");
            let order = (seed % 3 > 0).then(|| random::growth_order(&mut rng(seed), &model));
            let engine = || {
                let engine = Engine::on(device).unwrap().policy(policy.clone()).seed(seed);
                match &order {
                    Some(order) => engine.grow_by(order.clone()),
                    None => engine,
                }
            };
            let check = Check {
                devices: vec![device.clone()],
                policies: vec![policy.clone()],
                directions: 1,
                tolerance,
                ..Check::default()
            };
            let mut own = engine();
            let mut growth = grown(&mut own, &model, graphs.iter().cloned(), Some(3));
            grown_equals_eager(&mut growth.finish().unwrap(), &check)
                .unwrap_or_else(|error| panic!("{context}: {error}"));

            // cuBLAS sums in another order for another number of rows, and in waves there are fewer.
            if device.to_string().starts_with("cuda") {
                continue;
            }
            let mut growth = grown(&mut own, &model, graphs.iter().cloned(), None);
            let sizes: Vec<usize> = growth.graphs().iter().map(|graph| graph.len()).collect();
            let run = growth.finish().unwrap();
            let (batch, all) = (run.minibatch().clone(), random::results(&run, &sizes));
            let again = own.infer(&model, &batch).unwrap();
            assert!(all == random::results(&again, &sizes), "{context}: again, in inference");

            let mut growth = grown(&mut own, &model, graphs.iter().cloned(), Some(3));
            let sizes: Vec<usize> = growth.graphs().iter().map(|graph| graph.len()).collect();
            let mut run = growth.finish().unwrap();
            let batch = run.minibatch().clone();
            let all = random::trained(&mut run, &sizes);
            let mut again = own.forward(&model, &batch, 3).unwrap();
            assert!(all == random::trained(&mut again, &sizes), "{context}: again");
            // Elsewhere a product may sum in another order if it has other rows beside it.
            let alone = graphs.iter().zip(&all).filter(|_| device.to_string().starts_with("cpu"));
            for (place, (graph, together)) in alone.enumerate() {
                let mut engine = engine();
                let mut growth = grown(&mut engine, &model, [graph.clone()], Some(3));
                let mut run = growth.finish().unwrap();
                let alone = random::trained(&mut run, &sizes[place..=place]);
                assert!(&alone[0] == together, "{context}: graph {place} alone");
            }
        }
    }
}

/// Random graphs that have grown, in a training step if one is given.
pub fn grown<'a, T: Element>(
    engine: &'a mut Engine<T>,
    model: &'a Model<T>,
    graphs: impl IntoIterator<Item = Graph<T>>,
    step: Option<u64>,
) -> Growth<'a, T> {
    let growth = match step {
        Some(step) => engine.grow_forward(model, graphs, step),
        None => engine.grow(model, graphs),
    };
    let mut growth = growth.unwrap();
    let mut unread = vec![Vec::new(); growth.graphs().len()];
    while let Some(round) = growth.round().unwrap() {
        for mut graph in round {
            let unread = &mut unread[graph.place()];
            random::grow(model, &mut graph, unread);
        }
    }
    growth
}

fn random_program<T: Element>(devices: &[Device], seed: u64, options: Options) {
    let (model, graphs) = drawn::<T>(seed, options, 1..6, 1..12);
    let batch = model.minibatch(&graphs).unwrap();
    let check = Check { draws: (seed, seed ^ 2), devices: devices.to_vec(), ..Check::default() };
    if let Err(error) = compiled_equals_eager(&model, &batch, &check) {
        panic!("seed {seed}: {error}");
    }
}
