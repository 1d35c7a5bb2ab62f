//! Computes the parameters' gradients of each graph of a minibatch, their weighted sums and their norms.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread::available_parallelism;

use edb_ir::{FunctionId, IdVec, Phase};

use super::CpuBackend;
use super::accumulate::{SummedRows, Work, work_of};
use super::block::RowBlock;
use super::graph_plan::plans_of;
use super::graph_working::{Kept, Lengths, Working, working_bytes};
use crate::engine::EngineError;
use crate::engine::backend::{Backend, Factor, Frame, GraphRows, GraphSums, Layout};
use edb_kernels::element::Element;
use edb_kernels::isa::{Loop, dispatch};
use edb_kernels::room::reserve;
use edb_learn::learn::gradients;
use edb_learn::learn::privacy::rounded;
use edb_learn::learn::squares::{Length, norm_of};
use edb_learn::learn::{Gradients, ParameterId};
use edb_model::model::bound::BoundFunction;

impl<T: Element> GraphSums<T> for CpuBackend<T> {
    fn add_weighted(
        &mut self,
        frame: Frame<'_, T>,
        weights: &[f64],
        gradients: &mut Gradients<T>,
    ) -> Result<(), EngineError> {
        let (mut vertices, mut edges): (Vec<T>, Vec<T>) = (Vec::new(), Vec::new());
        for function in &frame.model.functions {
            let layout = &frame.layout.types[function.id];
            for (list, count) in
                [(&mut vertices, layout.vertices.len()), (&mut edges, layout.rest_owners.len())]
            {
                list.clear();
                reserve(list, count)?;
            }
            let weight = |vertex: &u32| {
                T::from_f64(weights[frame.batch.graphs()[*vertex as usize] as usize])
            };
            vertices.extend(layout.vertices.iter().map(weight));
            edges.extend(layout.rest_owners.iter().map(|owner| vertices[*owner as usize]));
            let terms = SummedRows::Weighted { vertices: &vertices, edges: &edges };
            self.accumulate_anew(frame, function, terms, gradients)?;
        }
        Ok(())
    }

    fn add_graph(
        &mut self,
        frame: Frame<'_, T>,
        rows: &GraphRows,
        graph: usize,
        gradients: &mut Gradients<T>,
    ) -> Result<(), EngineError> {
        for function in &frame.model.functions {
            let vertices = rows.vertices(function.id, graph);
            if !vertices.is_empty() {
                let terms = SummedRows::Of { vertices, edges: rows.edges(function.id, graph) };
                self.accumulate_anew(frame, function, terms, gradients)?;
            }
        }
        Ok(())
    }

    fn norms(
        &mut self,
        frame: Frame<'_, T>,
        rows: &GraphRows,
        parameters: &[ParameterId],
    ) -> Result<Vec<f64>, EngineError> {
        let plans = plans_of(frame, parameters);
        let norms: Vec<AtomicU64> = (0..rows.count()).map(|_| AtomicU64::default()).collect();
        let lengths = Lengths::of_all(frame, rows, &plans, Kept::Norm);
        let whole = self.for_each_graph(frame, rows, &lengths, |memory, blocks, graph| {
            let mut length = Length::default();
            for plan in &plans {
                length.add(memory.norm(blocks, rows, graph, plan)?);
            }
            norms[graph].store(length.get().to_bits(), Ordering::Relaxed);
            Some(())
        })?;
        let mut norms: Vec<f64> =
            norms.into_iter().map(|norm| f64::from_bits(norm.into_inner())).collect();
        let mut gradients = Gradients::new(frame.parameters);
        for graph in whole {
            self.add_graph(frame, rows, graph, &mut gradients)?;
            let sums = parameters.iter().map(|id| gradients.sum_of_squares(*id));
            norms[graph] = gradients::root(&gradients, sums.sum(), parameters.iter().copied());
            gradients.reset();
        }
        Ok(norms)
    }

    fn add_whole_numbers(
        &mut self,
        frame: Frame<'_, T>,
        rows: &GraphRows,
        parameters: &[ParameterId],
        factor: &Factor<'_>,
        sums: &mut Gradients<f64>,
    ) -> Result<(), EngineError> {
        gradients::make_room(sums, parameters)?;
        let plans = plans_of(frame, parameters);
        let targets: Vec<Vec<Mutex<&mut [f64]>>> = gradients::sums(sums, parameters)
            .into_iter()
            .map(|(_, values, added)| {
                if !added {
                    values.fill(0.0);
                }
                values.chunks_mut(VALUES_PER_LOCK).map(Mutex::new).collect()
            })
            .collect();
        let first_bad = AtomicUsize::new(usize::MAX);
        let add = |memory: &Working<T>, graph: usize| {
            let norm = norm_of(&memory.values);
            if !norm.is_finite() {
                first_bad.fetch_min(graph, Ordering::Relaxed);
                return;
            }
            let factor = factor(norm, memory.values.len());
            for piece in &memory.pieces {
                let values = &memory.values[piece.values.clone()];
                add_to_chunks(&targets[piece.parameter], piece.start, values, factor);
            }
        };
        let lengths = Lengths::of_all(frame, rows, &plans, Kept::Gradient);
        let whole = self.for_each_graph(frame, rows, &lengths, |memory, blocks, graph| {
            memory.values.clear();
            memory.pieces.clear();
            for (parameter, plan) in plans.iter().enumerate() {
                memory.sum(blocks, rows, graph, parameter, plan)?;
            }
            add(memory, graph);
            Some(())
        })?;
        let mut gradients = Gradients::new(frame.parameters);
        let mut memory = Working::with_room(&Lengths::default())?;
        for graph in whole {
            self.add_graph(frame, rows, graph, &mut gradients)?;
            memory.values.clear();
            memory.pieces.clear();
            let values = parameters.iter().flat_map(|id| gradients.get(*id).pieces());
            let count = values.map(|(_, values)| values.len()).sum();
            reserve(&mut memory.values, count)?;
            for (parameter, id) in parameters.iter().enumerate() {
                for (start, values) in gradients.get(*id).pieces() {
                    memory.begin_piece(parameter, start);
                    memory.values.extend_from_slice(values);
                    memory.end_piece();
                }
            }
            add(&memory, graph);
            gradients.reset();
        }
        match first_bad.into_inner() {
            usize::MAX => Ok(()),
            graph => Err(EngineError::NotClipped { graph }),
        }
    }
}

/// Sums the gradients of each graph on the host, with all of its threads. It uses a copy of the values that a
/// device has computed.
#[derive(Debug, Default)]
pub struct GraphSumsOnHost<T>(Option<Box<CpuBackend<T>>>);

impl<T: Element> GraphSumsOnHost<T> {
    /// Does the work of [`Backend::begin_graph_sums`] for the device.
    ///
    /// # Errors
    /// When there is not enough memory, threads cannot be started, or the device fails.
    pub fn begin(
        &mut self,
        device: &dyn Backend<T>,
        frame: Frame<'_, T>,
    ) -> Result<(), EngineError> {
        let host = match &mut self.0 {
            Some(host) => host,
            none => {
                let host = CpuBackend::new(all_threads(), false);
                let host = host.map_err(|error| EngineError::Threads(error.to_string()))?;
                none.insert(Box::new(host))
            }
        };
        host.copy_run(device, frame)?;
        host.begin_sums(frame)
    }

    /// The sums, if they have [begun](Self::begin).
    pub fn sums(&mut self) -> Option<&mut dyn GraphSums<T>> {
        Some(self.0.as_deref_mut()?)
    }

    /// Returns [`Backend::graph_sums_bytes`] for the device, including the copy.
    pub fn bytes(frame: Frame<'_, T>, rows: &GraphRows) -> usize {
        let copy = frame.layout.size.saturating_mul(size_of::<T>());
        working_bytes(frame, rows, all_threads()).saturating_add(copy)
    }
}

/// How many threads this machine runs at once.
fn all_threads() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}

/// How many values of a sum one lock protects.
const VALUES_PER_LOCK: usize = 1 << 13;

/// Multiplies values by a factor, rounds them to whole numbers, and adds them to a sum from its element `start`
/// on.
fn add_to_chunks<T: Element>(
    chunks: &[Mutex<&mut [f64]>],
    mut start: usize,
    mut values: &[T],
    factor: f64,
) {
    while !values.is_empty() {
        let (chunk, first) = (start / VALUES_PER_LOCK, start % VALUES_PER_LOCK);
        let (own, rest) = values.split_at(values.len().min(VALUES_PER_LOCK - first));
        let mut sum = chunks[chunk].lock().unwrap_or_else(|poison| poison.into_inner());
        dispatch(AddRounded { sum: &mut sum[first..][..own.len()], values: own, factor });
        (start, values) = (start + own.len(), rest);
    }
}

/// Multiplies values by a factor, rounds them to whole numbers (halves to even), and adds them to `sum`.
struct AddRounded<'a, T> {
    sum: &'a mut [f64],
    values: &'a [T],
    factor: f64,
}

impl<T: Element> Loop for AddRounded<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let values = &self.values[..self.sum.len()];
        for i in 0..values.len() {
            self.sum[i] += rounded(values[i].as_f64() * self.factor);
        }
    }
}

impl<T: Element> CpuBackend<T> {
    /// Does the work of [`Backend::begin_graph_sums`].
    pub(super) fn begin_sums(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError> {
        for function in &frame.model.functions {
            let rows = frame.layout.types[function.id].row_counts();
            if rows.vertices == 0 {
                continue;
            }
            self.pack(frame.model, frame.parameters, function, Phase::Accumulate, rows)?;
            self.reserve_left(function, Phase::Accumulate, 1, rows)?;
            for instruction in function.instructions(Phase::Accumulate) {
                if work_of(function, &instruction.1) == Work::Rows {
                    self.run_block(frame, function, instruction, 0..rows.vertices, 0..rows.edges);
                }
            }
        }
        Ok(())
    }

    /// Copies the values that a device has computed.
    fn copy_run(
        &mut self,
        device: &dyn Backend<T>,
        frame: Frame<'_, T>,
    ) -> Result<(), EngineError> {
        frame.parameters.fetch()?;
        let Layout { size, indices, .. } = *frame.layout;
        self.arena.extend(size)?;
        self.indices.extend(indices)?;
        self.arena[..size].copy_from_slice(device.read(0..size, 0..size)?);
        self.indices[..indices].copy_from_slice(&device.indices()?[..indices]);
        // What depends on parameters only is not with the other values where these are in 16 bits.
        let mut functions = frame.model.functions.iter();
        functions.try_for_each(|of| self.run_phase(frame, of, Phase::Prepare, 0..0))
    }

    /// Accumulates again. If values are computed from sums, they may have overwritten values that depend on
    /// parameters only, so these are computed again first.
    fn accumulate_anew(
        &mut self,
        frame: Frame<'_, T>,
        function: &BoundFunction,
        terms: SummedRows<'_, T>,
        gradients: &mut Gradients<T>,
    ) -> Result<(), EngineError> {
        let mut instructions = function.instructions(Phase::Accumulate).iter();
        if instructions.any(|(_, instruction)| work_of(function, instruction) == Work::Step) {
            self.run_phase(frame, function, Phase::Prepare, 0..0)?;
        }
        self.accumulate_function(frame, function, terms, gradients)
    }

    /// Calls `of_graph` for each graph, on any of the threads, with memory for lists of these lengths. Returns
    /// the graphs for which it returned `None`, in order.
    fn for_each_graph<F>(
        &mut self,
        frame: Frame<'_, T>,
        rows: &GraphRows,
        lengths: &Lengths,
        of_graph: F,
    ) -> Result<Vec<usize>, EngineError>
    where
        F: Fn(&mut Working<T>, &IdVec<FunctionId, RowBlock<'_, T>>, usize) -> Option<()> + Sync,
    {
        let (common, pool, _) = self.common(frame);
        let functions = frame.model.functions.iter();
        let blocks: IdVec<FunctionId, RowBlock<'_, T>> =
            // SAFETY: the back end is borrowed exclusively, and these blocks only read.
            functions.map(|function| unsafe { common.all_rows(function) }).collect();
        let memory = (0..pool.threads()).map(|_| Ok(Mutex::new(Working::with_room(lengths)?)));
        let memory: Vec<Mutex<Working<T>>> = memory.collect::<Result<_, EngineError>>()?;
        let left: Mutex<Vec<usize>> = Mutex::default();
        pool.run(rows.count(), &|thread, graph| {
            let mut memory = memory[thread].lock().unwrap_or_else(|poison| poison.into_inner());
            if of_graph(&mut memory, &blocks, graph).is_none() {
                left.lock().unwrap_or_else(|poison| poison.into_inner()).push(graph);
            }
        });
        let mut left = left.into_inner().unwrap_or_else(|poison| poison.into_inner());
        left.sort_unstable();
        Ok(left)
    }
}
