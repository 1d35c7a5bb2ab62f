//! The parts into which a training step cuts a minibatch.
//!
//! The values kept for the backward pass of a large minibatch are read from memory again, unless
//! they fit into a cache. Where a vertex does little work for the bytes that it keeps, it takes
//! less time to cut the minibatch into parts, to run each forward and backward, and to add up the
//! gradients: a Tree-LSTM of 64 units trains at 53 % of the machine's peak with 256 trees at once
//! and at 63 % with parts of 32; one of 256 units becomes slower. Then threads also run parts [side
//! by side](self::crew).
//!
//! Where vertices decide how they go on, much of a step runs on one thread: what the next batch is,
//! which rows and edges it has, and what the minibatch has become. So such a step is cut, whatever its
//! vertices do; and so are graphs that grow, each by one function, which then runs on all threads.
//!
//! A model and a minibatch come in and leave as [`Prepared`]: checked, and cut. `crew.rs` runs the parts side by
//! side, each on a back end and with a layout of its own; `ran.rs` does so for inference, and keeps what has run
//! for its results; `clip.rs` adds up the clipped gradients of each graph. Out go sums of losses and
//! gradients, added up in the order of the parts. A training step calls it, and graphs that grow.

pub(crate) mod clip;
pub(crate) mod crew;
pub(crate) mod ran;

use std::ops::Range;

use edb_ir::{Home, Phase};
use smallvec::SmallVec;

use crate::engine::base::Engine;
use crate::engine::error::EngineError;
use crate::engine::layout::dependencies::Dependencies;
use crate::engine::layout::find::check_owns;
use edb_kernels::element::Element;
use edb_model::graph::Minibatch;
use edb_model::model::{BoundModel, Model};

/// The most bytes that a part should keep, in the mean.
const KEPT: usize = 2 << 20;
/// The fewest graphs of a part, or (`VERTICES`) vertices where graphs are larger, so that batches
/// stay wide.
const GRAPHS: usize = 16;
const VERTICES: usize = 4096;
/// The fewest graphs of a part that grow, if there are more than two parts, and (`MANY_GRAPHS`) in any
/// case where weights take more bytes than (`IN_CACHE`) each thread has in a cache of its own: a graph
/// has few vertices at a time, and each batch of a part reads all weights.
const GROWING_GRAPHS: usize = 32;
const MANY_GRAPHS: usize = 64;
const IN_CACHE: usize = 2 << 20;
/// The most parts, and (`FEW_PARTS`) the most where the gradients of more would be larger than so many
/// bytes (`SUMS`): they are kept, and added up after each step.
const MOST_PARTS: usize = 32;
const FEW_PARTS: usize = 4;
pub(crate) const SUMS: usize = 16 << 20;
/// Multiplications for each kept byte, from which on a step is not bound by memory.
const WORK: usize = 64;

/// The first graph of a part out of `count` that are about the same: the one that begins next to where
/// the part would, if graphs could be cut. `before` says what all graphs before each take together,
/// and at its end what all take.
pub(crate) fn first_graph<N: Copy + Into<u64>>(before: &[N], part: usize, count: usize) -> usize {
    let graphs = before.len() - 1;
    if part == count {
        return graphs;
    }
    let begin = |graph: usize| -> u64 { before[graph].into() };
    let place = (part as u128 * u128::from(begin(graphs)) / count as u128) as u64;
    let behind = before.partition_point(|&before| before.into() < place);
    let distance = |graph: usize| begin(graph).abs_diff(place);
    match behind.checked_sub(1) {
        Some(before) if distance(before) < distance(behind) => before,
        _ => behind,
    }
}

/// A minibatch that is about to be trained on, with what its step needs to know of it.
#[derive(Debug)]
pub struct Prepared<'a, T: Element> {
    pub(crate) model: &'a Model<T>,
    pub(crate) batch: &'a Minibatch<T>,
    /// How its functions depend on one another; `None` where vertices decide how they go on.
    pub(crate) dependencies: Option<Dependencies>,
    /// Whether its policy is known, or none is needed.
    is_known: bool,
    /// The graphs of each part; all in one unless parts take less time.
    pub(crate) parts: SmallVec<[Range<usize>; 16]>,
}

impl<T: Element> Prepared<'_, T> {
    /// Whether its policy is known, or none is needed.
    pub fn is_known(&self) -> bool {
        self.is_known
    }

    /// The graphs of each part, one part behind the other; all in one unless parts take less time. What
    /// adds up gradients relies on it that each graph is in one part.
    pub fn parts(&self) -> &[Range<usize>] {
        &self.parts
    }

    /// The same, to keep.
    pub fn into_parts(self) -> SmallVec<[Range<usize>; 16]> {
        self.parts
    }
}

/// For what a minibatch is cut into parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutFor {
    /// A training step. Its parts depend on the minibatch, the model and whether the policy is known, since
    /// policies are learned on whole minibatches; and so does the order in which gradients are summed.
    Step,
    /// The gradients of each graph, which do not depend on what is known of policies: nor do the parts.
    EachGraph,
    /// A run of a minibatch whose vertices decide, of which nothing is kept for a backward pass: then no bit
    /// depends on the parts, and there are as many as the threads need.
    Inference,
}

/// Prepares a run of a minibatch: checks that it is the model's, and cuts it into parts.
///
/// # Errors
/// When the minibatch is of another model.
pub fn prepare<'a, T: Element>(
    engine: &mut Engine<T>,
    model: &'a Model<T>,
    batch: &'a Minibatch<T>,
    cut: CutFor,
) -> Result<Prepared<'a, T>, EngineError> {
    check_owns(model, batch)?;
    let is_settled = batch.is_settled(model.bound());
    let dependencies = is_settled.then(|| Dependencies::of(model.bound(), batch));
    let signature = &model.bound().signature;
    let is_known = match &dependencies {
        Some(known) if known.levels.is_some() && engine.scheduler.is_free() => true,
        Some(_) => engine.scheduler.knows(signature),
        None => engine.scheduler.knows_growth(signature),
    };
    let mut parts = match is_known || cut == CutFor::EachGraph {
        true => engine.cut(model.bound(), batch, is_settled),
        false => std::iter::once(0..batch.graph_count()).collect(),
    };
    if cut == CutFor::Inference && parts.len() > 1 {
        let graphs = batch.graph_count();
        let few = (graphs / GRAPHS).min(2);
        let count = growing_part_count::<T>(model.bound(), graphs).max(few);
        parts = cut_evenly(batch.graph_offsets(), count.min(engine.enough_parts()));
    }
    Ok(Prepared { model, batch, dependencies, is_known, parts })
}

impl<T: Element> Engine<T> {
    /// How many parts keep all threads busy: two for each, and as many more as make a power of two,
    /// to which they are [cut](cut_evenly).
    pub(crate) fn enough_parts(&mut self) -> usize {
        match self.backend.crew().map_or(1, |crew| crew.threads()) {
            1 => 1,
            threads => (2 * threads).next_power_of_two(),
        }
    }

    fn cut(
        &mut self,
        model: &BoundModel,
        batch: &Minibatch<T>,
        is_settled: bool,
    ) -> SmallVec<[Range<usize>; 16]> {
        // A schedule that was searched for holds for the whole minibatch only.
        let is_cut = batch.schedule().is_none() && self.backend.crew().is_some();
        let count = match is_settled {
            _ if !is_cut => 1,
            true => part_count(model, batch),
            false => deciding_part_count::<T>(model, batch.graph_count()),
        };
        cut_evenly(batch.graph_offsets(), count)
    }
}

/// The bytes of all weights.
fn weight_bytes<T: Element>(model: &BoundModel) -> usize {
    let elements = model.weights.iter().map(|weights| weights.size.iter().product::<usize>());
    elements.sum::<usize>().saturating_mul(size_of::<T>())
}

/// The bytes of the gradients of all parameters but those of which only rows have some.
fn sum_bytes<T: Element>(model: &BoundModel) -> usize {
    let mut widths: Vec<usize> = Vec::new();
    for function in &model.functions {
        for (param, values) in function.params.iter().zip(&function.plan.program.gradients.params) {
            let dense = values.iter().filter(|id| function.plan.routine.shown(**id).is_some());
            for id in dense {
                widths.resize(widths.len().max(param.index() + 1), 0);
                widths[param.index()] = function.value(*id).width;
            }
        }
    }
    widths.iter().sum::<usize>().saturating_mul(size_of::<T>())
}

/// The most parts, since each leaves sums of gradients.
fn most_parts<T: Element>(model: &BoundModel) -> usize {
    (SUMS / sum_bytes::<T>(model).max(1)).clamp(FEW_PARTS, MOST_PARTS)
}

/// How many parts a minibatch is cut into whose vertices decide how they go on.
fn deciding_part_count<T: Element>(model: &BoundModel, graphs: usize) -> usize {
    (graphs / GRAPHS).clamp(1, most_parts::<T>(model))
}

/// How many parts graphs are cut into that grow.
fn growing_part_count<T: Element>(model: &BoundModel, graphs: usize) -> usize {
    let count = match weight_bytes::<T>(model) > IN_CACHE {
        true => graphs / MANY_GRAPHS,
        false => (graphs / GROWING_GRAPHS).max((graphs / GRAPHS).min(2)),
    };
    count.clamp(1, most_parts::<T>(model))
}

/// Parts that are about the same, a power of two of them, which as many threads, or half as many,
/// share evenly; `before` as [`first_graph`] has it.
fn cut_evenly<N: Copy + Into<u64>>(before: &[N], most: usize) -> SmallVec<[Range<usize>; 16]> {
    let count = 1_usize << most.ilog2();
    let graph = |part| first_graph(before, part, count);
    let parts = (0..count).map(|part| graph(part)..graph(part + 1));
    parts.filter(|part| !part.is_empty()).collect()
}

/// The parts in which graphs grow that have so many vertices, so many at most.
pub(crate) fn growing_parts<T: Element>(
    model: &BoundModel,
    sizes: &mut dyn Iterator<Item = usize>,
    most: usize,
) -> SmallVec<[Range<usize>; 16]> {
    let mut before = vec![0_u64];
    before.extend(sizes.scan(0, |before, size| {
        *before += size as u64;
        Some(*before)
    }));
    let graphs = before.len() - 1;
    if graphs == 0 {
        return std::iter::once(0..graphs).collect();
    }
    cut_evenly(&before, growing_part_count::<T>(model, graphs).min(most))
}

/// How many parts a minibatch is cut into whose parts can run one after the other.
fn part_count<T: Element>(model: &BoundModel, batch: &Minibatch<T>) -> usize {
    let graphs = batch.graph_count();
    let most = (graphs / GRAPHS).max(batch.vertex_count() / VERTICES).min(graphs);
    if most < 2 {
        return 1;
    }
    let (mut kept, mut work) = (0_usize, 0_usize);
    let mut counts = vec![0_usize; model.functions.len()];
    batch.functions().iter().for_each(|of| counts[of.index()] += 1);
    for (function, count) in model.functions.iter().zip(counts) {
        let routine = &function.routine;
        let rows = routine
            .records
            .iter()
            .filter(|record| matches!(record.training, Home::Rows | Home::State(_)));
        let elements: usize = rows.map(|record| record.stride).sum();
        kept = kept.saturating_add(count.saturating_mul(elements * size_of::<T>()));
        let of_vertex: usize = Phase::ALL.iter().map(|phase| routine.work(*phase).vertex).sum();
        work = work.saturating_add(count.saturating_mul(of_vertex));
    }
    if work / WORK > kept {
        1
    } else {
        kept.div_ceil(KEPT).clamp(1, most.min(most_parts::<T>(model)))
    }
}
