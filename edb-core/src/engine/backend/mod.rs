//! The interface for back ends: "run this phase over these rows".
//!
//! The engine owns the schedule, the rows and the arena's layout; a back end owns the arena's
//! memory, and determines how a phase of a vertex function runs over rows. The steps of a phase are
//! in the [`edb_ir::Plan`] of a [`BoundFunction`], as spans of records, and in its
//! [`BoundRoutine`], with numbers for the dimensions; the place of a record in this minibatch is in
//! the [`TypeLayout`].
//!
//! A [`Frame`] comes in: a model, a minibatch and its layout. Values in the arena, sums of gradients
//! ([`Stepper`], [`ShareSums`], [`GraphSums`]) and moved parameters go out. The room `pass/` calls it; the
//! CPU (`src/cpu/`) and `edb-gpu` implement it.
//!
//! This is for authors of back ends, such as `edb-cuda`. It follows the compiler, so any release
//! may change it.

pub(crate) mod frame;
pub(crate) mod graph_sums;
pub(crate) mod share_sums;
pub(crate) mod stepper;

use std::fmt::Debug;
use std::ops::Range;
use std::time::Duration;

use edb_ir::{FunctionId, Phase};

pub use crate::engine::layout::append::{Move, Moves};
pub use crate::engine::layout::{Feed, Layout, ParentEdge, Place, TypeLayout};
pub use edb_learn::collective::tree::{Span, Tree, part};
pub use edb_learn::learn::{
    Averages, ParameterStep, ParameterUpdate, Scaling, StepOutcome, Updates,
};
pub use edb_model::graph::{ABSENT, InputCell};
pub use edb_model::model::BoundModel;
pub use edb_model::model::bound::{BoundFunction, BoundValue, OutputField, StateField, StateInfo};
pub use edb_model::model::outer::{OperandRange, Outer};
pub use edb_model::model::routine::BoundRoutine;
pub use edb_model::model::stack::{
    BoundRecord, BoundStack, Field, Matrices, PerRow, RowCounts, ValueBlock, WeightBlock, Weights,
    WeightsId, stride,
};
pub use frame::Frame;
pub use graph_sums::{Factor, GraphRows, GraphSums};
pub use share_sums::{Extent, ShareSum, ShareSums, Shared};
pub use stepper::Stepper;

use crate::engine::error::EngineError;
use edb_kernels::element::Element;
use edb_kernels::memory::Memory;
use edb_learn::learn::{Gradients, Workers};
use edb_model::model::Model;

/// A back end for either element type.
#[derive(Debug)]
pub struct BackendBox<T>(pub Box<dyn Backend<T>>);

/// How much a back end copied.
#[derive(Clone, Copy, Debug, Default)]
pub struct Copies {
    /// Bytes of children's states.
    pub gathered: u64,
    /// How many calls copied them.
    pub gathers: u64,
    /// Bytes of copies that no record layout could avoid.
    pub moved: u64,
    /// How many calls copied them.
    pub moves: u64,
}

/// How long phases took by a device's own clock, including the times that it waited.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DeviceTimes {
    /// The forward phases, from the upload of the tables on.
    pub forward: Duration,
    /// The backward phases, with the sums of the parameters' gradients.
    pub backward: Duration,
    /// Norms and updates of parameters.
    pub update: Duration,
}

/// Runs phases.
///
/// Calls come in this order: [`reserve`](Self::reserve), [`begin`](Self::begin), [`run`](Self::run)
/// for the forward phases, [the batches](Self::begin_batches) of the schedule among them,
/// [`finish`](Self::finish); in training then [`extend`](Self::extend) and [`write`](Self::write)
/// for the caller's gradients of outputs, `run` for the backward phases, and
/// [`accumulate`](Self::accumulate). Results are [read](Self::read) after either half. Calls may be
/// executed asynchronously, in order; their errors may then come later, too.
pub trait Backend<T: Element>: Debug + Send {
    /// The bytes that an element of the arena takes.
    fn element_bytes(&self) -> usize {
        size_of::<T>()
    }

    /// Whether the backward pass is to be scaled, since the back end keeps it in numbers of a
    /// smaller range than `T`. The back end then multiplies the initial gradients of losses by the
    /// [frame](Frame::loss_scale)'s scale; the gradients that it is [given](Self::write) are
    /// scaled, and those that it returns are not.
    fn scales_losses(&self) -> bool {
        false
    }

    /// From here on, no row may depend on the rows that run beside it, not even in its last bit:
    /// private training promises this. A back end whose rows never do
    /// has nothing to change.
    fn keep_rows_apart(&mut self) {}

    /// Makes the arena at least this large. Its contents are lost.
    ///
    /// # Errors
    /// When there is not enough memory.
    fn reserve(&mut self, elements: usize) -> Result<(), EngineError>;

    /// Makes the arena at least this large and keeps its contents.
    ///
    /// # Errors
    /// When there is not enough memory.
    fn extend(&mut self, elements: usize) -> Result<(), EngineError>;

    /// Makes the arena and the memory of indices as large as the frame's layout, keeps what they
    /// contain, and moves rows, all of them behind what was there before.
    /// [`update`](Self::update) is called before anything runs.
    ///
    /// # Errors
    /// When there is not enough memory.
    fn relocate(&mut self, frame: Frame<'_, T>, moves: &Moves) -> Result<(), EngineError>;

    /// Is called when rows, edges or input were appended, or laid out anew, since
    /// [`begin`](Self::begin): a device uploads them.
    ///
    /// # Errors
    /// When the device fails, or there is not enough memory.
    fn update(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError>;

    /// The bytes of memory besides the arena that a training step with this layout needs: scratch
    /// for all rows of a phase at once, unless the back end runs them in parts.
    fn scratch_bytes(&self, layout: &Layout) -> usize {
        let of = |layout: &TypeLayout| {
            let sizes = layout.scratch.iter().map(|scratch| scratch.of(layout.row_counts()));
            sizes.max().unwrap_or(0)
        };
        let most = layout.types.iter().map(of).max().unwrap_or(0);
        most.saturating_mul(self.element_bytes())
    }

    /// Begins a minibatch: a device uploads its rows, edges and input here. The arena must begin
    /// with as many zeros afterwards as the widest field of a state has elements, and the memory of
    /// indices, which is as large as the [layout](Layout::indices) says, with index 0.
    ///
    /// # Errors
    /// When the device fails, or code for it cannot be made.
    fn begin(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError>;

    /// Is called before copies of graphs run, of which the frame is, beside the minibatch that has begun:
    /// what is chosen by the size of a step is not that of the minibatch until
    /// [`end_copies`](Self::end_copies).
    fn begin_copies(&mut self, frame: Frame<'_, T>) {
        let _ = frame;
    }

    /// Is called when the minibatch goes on.
    fn end_copies(&mut self) {}

    /// Elements of the arena. They are part of `rows`, more of which are going to be read, so that
    /// a back end may fetch all of `rows` at once.
    ///
    /// # Errors
    /// When the device fails.
    fn read(&self, rows: Range<usize>, range: Range<usize>) -> Result<&[T], EngineError>;

    /// Is called when rows of graphs that grow have computed indices, in these ranges of the memory
    /// of indices, which the person is going to read: a device copies them.
    ///
    /// # Errors
    /// When the device fails.
    fn fetch_indices(&mut self, ranges: &[Range<usize>]) -> Result<(), EngineError> {
        let _ = ranges;
        Ok(())
    }

    /// The memory of indices; while graphs grow, what was [fetched](Self::fetch_indices).
    ///
    /// # Errors
    /// When the device fails.
    fn indices(&self) -> Result<&[u32], EngineError>;

    /// As [`read`](Self::read), for gradients, which are unscaled.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn read_gradient(&self, rows: Range<usize>, range: Range<usize>) -> Result<&[T], EngineError> {
        self.read(rows, range)
    }

    /// Lets `fill` write elements of the arena, whose contents before are unspecified.
    ///
    /// # Errors
    /// When the device fails.
    fn write(
        &mut self,
        range: Range<usize>,
        fill: &mut dyn FnMut(&mut [T]),
    ) -> Result<(), EngineError>;

    /// Computes the values of `phase` of a function, for these rows of its vertices.
    /// [`Phase::Prepare`] runs once a step and ignores the rows.
    ///
    /// # Errors
    /// When the device fails.
    fn run(
        &mut self,
        frame: Frame<'_, T>,
        function: FunctionId,
        phase: Phase,
        rows: Range<u32>,
    ) -> Result<(), EngineError>;

    /// Is called before the batches of the schedule run in `phase`, which is [`Phase::Recurrent`]
    /// or [`Phase::BackwardRecurrent`]. Until [`end_batches`](Self::end_batches) only
    /// [`run`](Self::run) is called, batch by batch; for functions that are
    /// [entangled](TypeLayout::entangled) it is called for the phases before and after `phase`,
    /// too. A back end may wait for the last batch before it runs any.
    ///
    /// # Errors
    /// When memory does not suffice.
    fn begin_batches(&mut self, frame: Frame<'_, T>, phase: Phase) -> Result<(), EngineError> {
        let _ = (frame, phase);
        Ok(())
    }

    /// Is called after the last batch.
    ///
    /// # Errors
    /// When the device fails.
    fn end_batches(&mut self, frame: Frame<'_, T>, phase: Phase) -> Result<(), EngineError> {
        let _ = (frame, phase);
        Ok(())
    }

    /// Waits until all calls so far have been executed.
    ///
    /// # Errors
    /// The errors of these calls.
    fn finish(&mut self) -> Result<(), EngineError>;

    /// Hands out its threads, for the optimiser's part of a step: the calling thread, unless the back
    /// end has others.
    fn workers(&mut self) -> Workers<'_, T> {
        Workers::alone()
    }

    /// The [`Stepper`] of this back end, if it takes optimiser steps itself.
    fn stepper(&mut self) -> Option<&mut dyn Stepper<T>> {
        None
    }

    /// How long the phases that have run since the last call took, by the device's own clock;
    /// `None` where the host's clock will do, since the host waits for each of them. All of them
    /// must have finished.
    fn take_times(&mut self) -> Option<DeviceTimes> {
        None
    }

    /// Is called when the minibatch has run backward, before the gradients of each graph are asked
    /// for.
    ///
    /// # Errors
    /// When there is not enough memory, or the back end sums no gradients of graphs.
    fn begin_graph_sums(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError> {
        let _ = frame;
        Err(EngineError::NoGraphSums)
    }

    /// What sums the gradients of each graph, since it has [begun](Self::begin_graph_sums).
    fn graph_sums(&mut self) -> Option<&mut dyn GraphSums<T>> {
        None
    }

    /// How many bytes of memory on the processor these sums need, beside what has run there and the
    /// gradients of the parameters.
    fn graph_sums_bytes(&self, frame: Frame<'_, T>, rows: &GraphRows) -> usize {
        let _ = (frame, rows);
        0
    }

    /// The [`ShareSums`] of this back end, if it takes optimiser steps itself and can sum gradients
    /// with the devices of other ranks.
    fn share_sums(&mut self) -> Option<&mut dyn ShareSums<T>> {
        None
    }

    /// The [`Crew`] of this back end, if its threads can each run parts of a minibatch alone.
    fn crew(&mut self) -> Option<&mut dyn Crew<T>> {
        None
    }

    /// The copies since the last call.
    fn take_copies(&mut self) -> Copies;

    /// Runs [`Phase::Accumulate`] of every function over all of its vertices, and adds the
    /// parameters' gradients to `gradients`.
    ///
    /// # Errors
    /// When the device fails, or a gradient does not fit its parameter.
    fn accumulate(
        &mut self,
        frame: Frame<'_, T>,
        gradients: &mut Gradients<T>,
    ) -> Result<(), EngineError>;
}

/// The threads of a back end, each with a back end of its own that reads the same weights.
pub trait Crew<T: Element> {
    /// Calls `work` for each part of a minibatch of this model, in any order, with its number, that of
    /// the thread and the thread's back end. `rows` says about how many rows each function is going
    /// to have in all: none only if it is going to have none.
    ///
    /// # Errors
    /// When memory does not suffice, or threads cannot be prepared.
    fn run_parts(
        &mut self,
        model: &Model<T>,
        trains: bool,
        rows: &[RowCounts],
        parts: usize,
        work: &RunPart<'_, T>,
    ) -> Result<(), EngineError>;

    /// The most threads that [`run_parts`](Self::run_parts) uses.
    fn threads(&self) -> usize;

    /// Exchanges what the arena and the memory of indices contain with what was kept of another run.
    fn exchange(&mut self, kept: &mut Kept<T>);

    /// Calls `work` with each number below `pieces`, in any order and on any of the threads.
    fn share(&mut self, pieces: usize, work: &(dyn Fn(usize) + Sync));
}

/// What is kept of a run beside the others: an arena, and a memory of indices.
#[derive(Debug)]
pub struct Kept<T> {
    pub(crate) arena: Memory<T>,
    pub(crate) indices: Memory<u32>,
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self { arena: Memory::default(), indices: Memory::default() }
    }
}

/// Runs a part: its number, that of the thread, and the thread's back end.
pub type RunPart<'a, T> = dyn Fn(usize, usize, &mut dyn Backend<T>) + Sync + 'a;
