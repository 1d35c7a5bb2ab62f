//! Compiled runs against the eager reference: the cells of examples and tests, and random programs
//! over random graphs, compared with an interpreter of the programs before any compiler pass.

use std::ops::Range;

use edb::Element;
use edb::testing::{Check, compiled_equals_eager};
use edb::{Device, Graph, Model};
use edb_compiler::Options;

use crate::models::{Case, all};
use crate::random::{graphs, model, rng};

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

fn random_program<T: Element>(devices: &[Device], seed: u64, options: Options) {
    let (model, graphs) = drawn::<T>(seed, options, 1..6, 1..12);
    let batch = model.minibatch(&graphs).unwrap();
    let check = Check { draws: (seed, seed ^ 2), devices: devices.to_vec(), ..Check::default() };
    if let Err(error) = compiled_equals_eager(&model, &batch, &check) {
        panic!("seed {seed}: {error}");
    }
}
