//! Cuts a minibatch into parts, and runs the parts.
//!
//! The values that are kept for the backward pass of a large minibatch are read from memory again, unless they fit into
//! a cache. If a vertex does little work for the bytes that it keeps, it is faster to cut the minibatch into parts, to
//! run each part forward and backward, and to add up the gradients. A Tree-LSTM with a hidden size of 64 trains at 53 %
//! of the machine's peak with 256 trees at once, and at 63 % with parts of 32 trees. With a hidden size of 256, parts
//! are slower. If there are parts, threads also run them [side by side](self::crew).
//!
//! If vertices decide how they go on, much of a step runs on one thread: to find the next batch, its rows and edges,
//! and the minibatch that the graphs have become. So the step is cut into parts whenever it has enough graphs. Graphs
//! that grow to their end are cut for the same reason; then the user's function, too, runs on all threads.
//!
//! Input: a model and a minibatch. [`prepare`] checks the minibatch and cuts it, which gives a [`Prepared`]. `crew.rs`
//! runs the parts side by side, each with a back end and a layout of its own. `ran.rs` runs parts and keeps their
//! memory, so that their results can be read. `clip.rs` adds up the clipped gradients of each graph. Output: sums of
//! losses and gradients, added up in the order of the parts. Training steps, runs and growing graphs call this module.

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
use edb_model::graph::{FlatBatch, Minibatch};
use edb_model::model::{BoundModel, Model};

/// The most bytes that a part should keep for its backward pass, on average.
const MAX_KEPT_BYTES_PER_PART: usize = 2 << 20;
/// A part has at least this many graphs on average, or [`MIN_VERTICES_PER_PART`] vertices, so that batches stay wide.
const MIN_GRAPHS_PER_PART: usize = 16;
/// A part of large graphs has at least this many vertices on average; see [`MIN_GRAPHS_PER_PART`].
const MIN_VERTICES_PER_PART: usize = 4096;
/// If there are more than two parts, a part of graphs that grow has at least this many graphs on average. It is more
/// than [`MIN_GRAPHS_PER_PART`], since a graph that grows has only few vertices at a time.
const MIN_GROWING_GRAPHS_PER_PART: usize = 32;
/// If the weights are larger than [`CACHE_BYTES_PER_THREAD`], a part of graphs that grow has at least this many graphs
/// on average. Each batch of each part reads all weights, so there must be few parts.
const MIN_GROWING_GRAPHS_PER_PART_LARGE_WEIGHTS: usize = 64;
/// About how large the private cache of a thread is, in bytes.
const CACHE_BYTES_PER_THREAD: usize = 2 << 20;
/// A minibatch that needs a policy is inferred in parts only if the weights take no more than this: parts pack all
/// weights, which a whole minibatch of few rows need not, and each thread reads them all.
const MAX_WEIGHT_BYTES_OF_PARTS: usize = 8 << 20;
/// The most parts of a minibatch.
const MAX_PARTS: usize = 32;
/// This many parts are allowed even if their gradients take more than [`MAX_BYTES_OF_SUMS`].
const PARTS_WITH_LARGE_SUMS: usize = 4;
/// The most bytes that the gradients of all parts should take. They are kept, and added up after each step.
pub(crate) const MAX_BYTES_OF_SUMS: usize = 16 << 20;
/// A step is not bound by memory if it does more than this many multiplications for each byte that it keeps.
const MULTIPLICATIONS_PER_KEPT_BYTE: usize = 64;

/// The first graph of part number `part`, if graphs are cut into `count` parts of about the same size. It is the graph
/// that begins nearest to where the part would begin if graphs could be cut. `before` has for each graph the sum of the
/// sizes of all earlier graphs, and at its end the sum of all sizes.
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

/// A minibatch that is about to run, with its dependencies and its parts.
#[derive(Debug)]
pub struct Prepared<'a, T: Element> {
    pub(crate) model: &'a Model<T>,
    pub(crate) batch: &'a Minibatch<T>,
    /// How its functions depend on one another; `None` if vertices decide how they go on.
    pub(crate) dependencies: Option<Dependencies>,
    /// Whether its policy is known, or it needs no policy.
    is_known: bool,
    /// The graphs of each part. There is only one part, unless several are faster.
    pub(crate) parts: SmallVec<[Range<usize>; 16]>,
}

impl<T: Element> Prepared<'_, T> {
    /// Whether the policy of the minibatch is known, or it needs no policy.
    pub fn is_known(&self) -> bool {
        self.is_known
    }

    /// The graphs of each part, in order. There is only one part, unless several are faster. Each graph is in exactly
    /// one part; sums of gradients rely on this.
    pub fn parts(&self) -> &[Range<usize>] {
        &self.parts
    }

    /// How the functions of a part depend on one another. If it is known what the vertices of the minibatch run, it is
    /// known for each part.
    pub(crate) fn of_part(&self, part: &Minibatch<T>) -> Option<Dependencies> {
        let known = self.dependencies.as_ref();
        known.map(|_| Dependencies::of(self.model.bound(), FlatBatch::of(part)))
    }

    /// Returns the graphs of each part to the caller.
    pub fn into_parts(self) -> SmallVec<[Range<usize>; 16]> {
        self.parts
    }
}

/// The purpose for which a minibatch is cut into parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutFor {
    /// A training step. Its parts depend on the minibatch, on the model, and on whether the policy is known, since
    /// policies are learned on whole minibatches. The order in which gradients are summed depends on the parts.
    Step,
    /// The gradients of each graph. They do not depend on whether the policy is known, nor do the parts.
    EachGraph,
    /// A forward run without a tape. No bit of the results depends on the parts, so there are at most as many parts
    /// as keep all threads busy. A minibatch that runs by levels is not cut: its threads share the work of the whole.
    /// For others, one thread would make the schedule while the rest wait.
    Inference,
}

/// Prepares a run of a minibatch: checks that it belongs to the model, and cuts it into parts.
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
    let lists = FlatBatch::of(batch);
    let is_settled = lists.is_settled(model.bound());
    let dependencies = is_settled.then(|| Dependencies::of(model.bound(), lists));
    let signature = &model.bound().signature;
    let runs_by_levels = dependencies.as_ref().is_some_and(|known| known.levels.is_some())
        && engine.scheduler.is_free();
    let is_known = match is_settled {
        _ if runs_by_levels => true,
        true => engine.scheduler.knows(signature),
        false => engine.scheduler.knows_growth(signature),
    };
    let (bound, graphs) = (model.bound(), batch.graph_count());
    let count = match cut {
        // If a schedule was searched for, it is for the whole minibatch, which is then not cut.
        _ if lists.schedule().is_some() || engine.backend.crew().is_none() => 1,
        CutFor::Step | CutFor::Inference if !is_known => 1,
        CutFor::Inference if runs_by_levels => 1,
        CutFor::Inference if is_settled && weight_bytes::<T>(bound) > MAX_WEIGHT_BYTES_OF_PARTS => {
            1
        }
        CutFor::Inference if is_settled => engine.threads().min(most_settled_parts(lists)),
        CutFor::Inference => {
            let few = (graphs / MIN_GRAPHS_PER_PART).min(2);
            engine.enough_parts().min(growing_part_count::<T>(bound, graphs).max(few))
        }
        CutFor::Step | CutFor::EachGraph if is_settled => part_count::<T>(bound, lists),
        CutFor::Step | CutFor::EachGraph => deciding_part_count::<T>(bound, graphs),
    };
    let parts = cut_evenly(batch.graph_offsets(), count);
    Ok(Prepared { model, batch, dependencies, is_known, parts })
}

impl<T: Element> Engine<T> {
    /// How many threads the back end has that can run parts side by side.
    fn threads(&mut self) -> usize {
        self.backend.crew().map_or(1, |crew| crew.threads())
    }

    /// How many parts keep all threads busy: two for each thread, rounded up to a power of two, since
    /// [`cut_evenly`] makes a power of two of parts. One thread needs one part.
    pub(crate) fn enough_parts(&mut self) -> usize {
        match self.threads() {
            1 => 1,
            threads => (2 * threads).next_power_of_two(),
        }
    }
}

/// How many bytes all weights take.
fn weight_bytes<T: Element>(model: &BoundModel) -> usize {
    let elements = model.weights.iter().map(|weights| weights.size.iter().product::<usize>());
    elements.sum::<usize>().saturating_mul(size_of::<T>())
}

/// How many bytes the gradients of all parameters take. Gradients that have only some rows are not counted.
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

/// The most parts of a minibatch of this model, so that the gradients of all parts do not take too much memory.
fn most_parts<T: Element>(model: &BoundModel) -> usize {
    (MAX_BYTES_OF_SUMS / sum_bytes::<T>(model).max(1)).clamp(PARTS_WITH_LARGE_SUMS, MAX_PARTS)
}

/// Into how many parts a minibatch is cut if its vertices decide how they go on.
fn deciding_part_count<T: Element>(model: &BoundModel, graphs: usize) -> usize {
    (graphs / MIN_GRAPHS_PER_PART).clamp(1, most_parts::<T>(model))
}

/// Into how many parts graphs that grow are cut.
fn growing_part_count<T: Element>(model: &BoundModel, graphs: usize) -> usize {
    let count = match weight_bytes::<T>(model) > CACHE_BYTES_PER_THREAD {
        true => graphs / MIN_GROWING_GRAPHS_PER_PART_LARGE_WEIGHTS,
        false => (graphs / MIN_GROWING_GRAPHS_PER_PART).max((graphs / MIN_GRAPHS_PER_PART).min(2)),
    };
    count.clamp(1, most_parts::<T>(model))
}

/// Cuts graphs into at most `most` parts of about the same size. Their number is a power of two, so that two, four or
/// eight threads share them evenly. `before` has the sums of sizes, as in [`first_graph`].
fn cut_evenly<N: Copy + Into<u64>>(before: &[N], most: usize) -> SmallVec<[Range<usize>; 16]> {
    let count = 1_usize << most.ilog2();
    let graph = |part| first_graph(before, part, count);
    let parts = (0..count).map(|part| graph(part)..graph(part + 1));
    parts.filter(|part| !part.is_empty()).collect()
}

/// Cuts graphs that grow into at most `most` parts. `sizes` has the number of vertices of each graph.
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

/// The most parts of a minibatch, if it is known what its vertices run: at least one.
fn most_settled_parts(batch: &FlatBatch) -> usize {
    let graphs = batch.graph_count();
    let by_vertices = batch.vertex_count() / MIN_VERTICES_PER_PART;
    (graphs / MIN_GRAPHS_PER_PART).max(by_vertices).clamp(1, graphs)
}

/// Into how many parts a minibatch is cut if it is known what its vertices run.
fn part_count<T: Element>(model: &BoundModel, batch: &FlatBatch) -> usize {
    let most = most_settled_parts(batch);
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
    if work / MULTIPLICATIONS_PER_KEPT_BYTE > kept {
        1
    } else {
        kept.div_ceil(MAX_KEPT_BYTES_PER_PART).clamp(1, most.min(most_parts::<T>(model)))
    }
}
