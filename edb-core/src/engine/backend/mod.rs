//! The interface for back ends: "run this phase over these rows".
//!
//! The engine owns the schedule, the rows and the layout of the arena. A back end owns the memory of the arena, and
//! decides how a phase of a vertex function runs over rows. The instructions of a phase are in the [`edb_ir::Plan`] of
//! a [`BoundFunction`], as spans of records. Its [`BoundRoutine`] has them with numbers for the dimensions. The
//! [`TypeLayout`] has the place of each record in this minibatch.
//!
//! Input: a [`Frame`], which is a model, a minibatch and its layout. Output: values in the arena, sums of gradients
//! ([`Stepper`], [`ShareSums`], [`GraphSums`]) and updated parameters. The module `pass/` calls this interface. The CPU
//! (`src/cpu/`) and `edb-gpu` implement it.
//!
//! This is for authors of back ends, such as `edb-cuda`. It depends on the compiler, so any release may change it.

pub(crate) mod frame;
pub(crate) mod graph_sums;
pub(crate) mod share_sums;
pub(crate) mod stepper;

use std::fmt::Debug;
use std::ops::Range;
use std::time::Duration;

use derive_where::derive_where;

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

/// A back end for models of this element type.
#[derive(Debug)]
pub struct BackendBox<T>(pub Box<dyn Backend<T>>);

/// Counts what a back end has copied.
#[derive(Clone, Copy, Debug, Default)]
pub struct Copies {
    /// How many bytes of children's states were copied.
    pub gathered: u64,
    /// How many calls copied these bytes.
    pub gathers: u64,
    /// How many bytes were copied because no record layout could avoid it.
    pub moved: u64,
    /// How many calls copied these bytes.
    pub moves: u64,
}

/// How long phases took by the clock of the device. The times in which the device waited are included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DeviceTimes {
    /// The time of the forward phases, from the upload of the tables on.
    pub forward: Duration,
    /// The time of the backward phases, with the sums of the parameters' gradients.
    pub backward: Duration,
    /// The time of norms and updates of parameters.
    pub update: Duration,
}

/// A back end: it runs phases over rows.
///
/// Calls come in this order: [`reserve`](Self::reserve), [`begin`](Self::begin), [`run`](Self::run) for the forward
/// phases, including [the batches](Self::begin_batches) of the schedule, and [`finish`](Self::finish). In training,
/// these calls follow: [`extend`](Self::extend) and [`write`](Self::write) for the caller's gradients of outputs, `run`
/// for the backward phases, and [`accumulate`](Self::accumulate). Results may be [read](Self::read) after the forward
/// phases and after the backward phases. A back end may execute calls asynchronously, but in order. Then a later call
/// may return their errors.
pub trait Backend<T: Element>: Debug + Send {
    /// How many bytes an element of the arena takes.
    fn element_bytes(&self) -> usize {
        size_of::<T>()
    }

    /// Whether the backward pass must be scaled, because the back end keeps gradients in numbers of a smaller range
    /// than `T`. Then the back end multiplies the initial gradients of losses by the scale of the
    /// [frame](Frame::loss_scale). The gradients that it is [given](Self::write) are already scaled. The gradients
    /// that it returns are not scaled.
    fn scales_losses(&self) -> bool {
        false
    }

    /// Tells the back end that from now on no bit of a row may depend on other rows of its batch, which private
    /// training promises. A back end whose rows never depend on other rows has nothing to do.
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

    /// Makes the arena and the memory of indices as large as the layout of the frame says, and keeps their contents.
    /// Then copies the ranges in `moves`, one after the other. No range overlaps its own destination.
    /// [`update`](Self::update) is called before anything runs.
    ///
    /// # Errors
    /// When there is not enough memory.
    fn relocate(&mut self, frame: Frame<'_, T>, moves: &Moves) -> Result<(), EngineError>;

    /// Is called when rows, edges or input were appended or laid out again since [`begin`](Self::begin). A GPU uploads
    /// them here.
    ///
    /// # Errors
    /// When the device fails, or there is not enough memory.
    fn update(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError>;

    /// How many bytes of memory besides the arena a training step with this layout needs. By default, this is
    /// scratch memory for all rows of a phase at once; a back end that runs fewer rows at a time needs less.
    fn scratch_bytes(&self, layout: &Layout) -> usize {
        let of = |layout: &TypeLayout| {
            let sizes = layout.scratch.iter().map(|scratch| scratch.of(layout.row_counts()));
            sizes.max().unwrap_or(0)
        };
        let most = layout.types.iter().map(of).max().unwrap_or(0);
        most.saturating_mul(self.element_bytes())
    }

    /// Begins a minibatch. A GPU uploads its rows, edges and input here. After this call, the arena must begin with
    /// [zeros](Layout::zeros): as many as the widest field of a state has elements. The memory of indices must be as
    /// large as the [layout](Layout::indices) says, and begin with index 0.
    ///
    /// # Errors
    /// When the device fails, or code for it cannot be made.
    fn begin(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError>;

    /// Is called before copies of graphs run; the minibatch that has begun stays in memory. The frame is that of the
    /// copies. Until [`end_copies`](Self::end_copies), a back end that makes choices by the size of a step, such as
    /// how many threads it uses, makes them for the copies.
    fn begin_copies(&mut self, frame: Frame<'_, T>) {
        let _ = frame;
    }

    /// Is called when the copies have run, and the minibatch goes on.
    fn end_copies(&mut self) {}

    /// Reads the elements `range` of the arena. They are a part of `rows`. More of `rows` is probably read next, so a
    /// back end may fetch all of `rows` at once.
    ///
    /// # Errors
    /// When the device fails.
    fn read(&self, rows: Range<usize>, range: Range<usize>) -> Result<&[T], EngineError>;

    /// Is called when rows of graphs that grow have computed indices, which are in these ranges of the memory of
    /// indices. They are going to be read, so a GPU copies them to the host.
    ///
    /// # Errors
    /// When the device fails.
    fn fetch_indices(&mut self, ranges: &[Range<usize>]) -> Result<(), EngineError> {
        let _ = ranges;
        Ok(())
    }

    /// The memory of indices. While graphs grow, only the indices that were [fetched](Self::fetch_indices) are valid.
    ///
    /// # Errors
    /// When the device fails.
    fn indices(&self) -> Result<&[u32], EngineError>;

    /// Reads elements of the arena that are gradients, as [`read`](Self::read) does. They are returned unscaled.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn read_gradient(&self, rows: Range<usize>, range: Range<usize>) -> Result<&[T], EngineError> {
        self.read(rows, range)
    }

    /// Calls `fill` to write these elements of the arena. Their contents before the call are unspecified.
    ///
    /// # Errors
    /// When the device fails.
    fn write(
        &mut self,
        range: Range<usize>,
        fill: &mut dyn FnMut(&mut [T]),
    ) -> Result<(), EngineError>;

    /// Computes the values of a phase of a function, for these rows of its vertices.
    /// [`Phase::Prepare`] runs once per step and ignores the rows.
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
    /// [`run`](Self::run) is called, batch by batch. For functions that are
    /// [entangled](TypeLayout::entangled), it is called for the phases before and after `phase`,
    /// too. A back end may collect all batches before it runs the first one.
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

    /// The threads of the back end, for the optimiser's part of a step. By default, this is the calling thread.
    fn workers(&mut self) -> Workers<'_, T> {
        Workers::alone()
    }

    /// The [`Stepper`] of this back end, if it takes training steps itself.
    fn stepper(&mut self) -> Option<&mut dyn Stepper<T>> {
        None
    }

    /// How long the phases took that have run since the last call, by the clock of the device. They must have
    /// finished. `None` if the clock of the host is good enough, because the host waits for each phase.
    fn take_times(&mut self) -> Option<DeviceTimes> {
        None
    }

    /// Is called when the minibatch has run backward, before the gradients of each graph are summed.
    ///
    /// # Errors
    /// When there is not enough memory, or the back end sums no gradients of graphs.
    fn begin_graph_sums(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError> {
        let _ = frame;
        Err(EngineError::NoGraphSums)
    }

    /// The [`GraphSums`] of this back end, after [`begin_graph_sums`](Self::begin_graph_sums).
    fn graph_sums(&mut self) -> Option<&mut dyn GraphSums<T>> {
        None
    }

    /// How many bytes of memory on the processor these sums need, in addition to the values of the run there and the
    /// gradients of the parameters.
    fn graph_sums_bytes(&self, frame: Frame<'_, T>, rows: &GraphRows) -> usize {
        let _ = (frame, rows);
        0
    }

    /// The [`ShareSums`] of this back end, if it takes training steps itself and can sum gradients
    /// with the devices of other ranks.
    fn share_sums(&mut self) -> Option<&mut dyn ShareSums<T>> {
        None
    }

    /// The [`Crew`] of this back end, if its threads can each run parts of a minibatch alone.
    fn crew(&mut self) -> Option<&mut dyn Crew<T>> {
        None
    }

    /// Counts what was copied since the last call.
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

/// The threads of a back end that run parts of a minibatch. Each has its own back end. All read the same weights.
pub trait Crew<T: Element> {
    /// Calls `work` for each part of a minibatch of this model, in any order. `work` gets the number of the part, the
    /// number of the thread, and the back end of the thread. `rows` says about how many rows each function is going
    /// to have in all parts together. It is 0 only if the function is going to have no rows.
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

    /// Exchanges the contents of the arena and of the memory of indices with those that were kept of another run.
    fn exchange(&mut self, kept: &mut Kept<T>);

    /// Calls `work` with each number below `pieces`, in any order and on any of the threads.
    fn share(&mut self, pieces: usize, work: &(dyn Fn(usize) + Sync));
}

/// The memory of a part that has run and is kept: an arena, and a memory of indices.
#[derive(Debug)]
#[derive_where(Default)]
pub struct Kept<T> {
    pub(crate) arena: Memory<T>,
    pub(crate) indices: Memory<u32>,
}

/// Runs a part. The arguments are the number of the part, the number of the thread, and the back end of the thread.
pub type RunPart<'a, T> = dyn Fn(usize, usize, &mut dyn Backend<T>) + Sync + 'a;
