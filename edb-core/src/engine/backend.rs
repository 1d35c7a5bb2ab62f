//! The interface for back ends: "run this phase over these rows".
//!
//! The engine owns schedule, rows and the arena's layout; a back end owns the arena's memory, and how
//! a phase of a vertex function runs over rows. What a phase is made of stands in the
//! [`edb_ir::Plan`] of a [`BoundFunction`] (the steps, as spans of records) and in its
//! [`BoundRoutine`] (the same with numbers); where a record lives in this minibatch, in the
//! [`TypeLayout`].
//!
//! This is for those who write a back end, as `edb-cuda` is one. It follows the compiler, so that any
//! release may change it; nobody else needs it.

use std::fmt::Debug;
use std::ops::Range;
use std::time::Duration;

use edb_ir::Phase;

pub use super::frame::Frame;
pub use super::layout::{Feed, Layout, ParentEdge, Place, TypeLayout};
pub use super::stepper::{Moved, Scaling, Stepper, Updates};
pub use crate::graph::{ABSENT, InputCell};
pub use crate::learn::{Averages, Move};
pub use crate::model::BoundModel;
pub use crate::model::bound::{BoundFunction, BoundValue, OutputField, StateField, StateInfo};
pub use crate::model::outer::{Outer, Piece};
pub use crate::model::routine::BoundRoutine;
pub use crate::model::stack::{
    BoundRecord, BoundStack, Field, Matrices, ValueBlock, WeightBlock, Weights, stride,
};

use super::EngineError;
use crate::element::Element;
use crate::learn::{Gradients, Workers};

/// A back end of either type of element.
#[derive(Debug)]
pub struct BackendBox<T>(pub Box<dyn Backend<T>>);

/// What a back end copied, beside computing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Copies {
    /// Bytes of children's states.
    pub gathered: u64,
    /// How many calls copied them.
    pub gathers: u64,
    /// Bytes that no record layout could spare.
    pub moved: u64,
    /// How many calls copied them.
    pub moves: u64,
}

/// What phases took by a device's own clock, with what it waited for meanwhile.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DeviceTimes {
    /// From the upload of the tables on.
    pub forward: Duration,
    /// With the sums of the parameters' gradients.
    pub backward: Duration,
    /// Norms, and what moves parameters.
    pub update: Duration,
}

/// How phases run.
///
/// Calls come in this order: [`reserve`](Self::reserve), [`begin`](Self::begin), [`run`](Self::run)
/// for the forward phases, [the batches](Self::begin_batches) of the schedule among them,
/// [`finish`](Self::finish); in training then [`extend`](Self::extend) and
/// [`write`](Self::write) for what the outside gives, `run` for the backward phases, and
/// [`accumulate`](Self::accumulate). Results are [read](Self::read) after either half. What runs may
/// run later than it is called, in order; then its errors may come later, too.
pub trait Backend<T: Element>: Debug + Send {
    /// The bytes that an element of the arena takes.
    fn element_bytes(&self) -> usize {
        size_of::<T>()
    }

    /// Whether the backward pass is to be scaled, since it keeps numbers of less range than `T`. The back
    /// end then multiplies by the [frame](Frame::loss_scale)'s scale what losses begin with; what it is
    /// [given](Self::write) is scaled, and the gradients that it gives are not.
    fn scales_losses(&self) -> bool {
        false
    }

    /// Makes the arena at least this large. What it held is lost.
    ///
    /// # Errors
    /// When there is not enough memory.
    fn reserve(&mut self, elements: usize) -> Result<(), EngineError>;

    /// Makes the arena at least this large and keeps what it holds.
    ///
    /// # Errors
    /// When there is not enough memory.
    fn extend(&mut self, elements: usize) -> Result<(), EngineError>;

    /// The bytes of memory beside the arena that a training step with this layout works in: what all
    /// rows of a phase need at once, unless the back end runs them in parts.
    fn scratch_bytes(&self, layout: &Layout) -> usize {
        let of = |layout: &TypeLayout| {
            let (rows, edges) = (layout.vertices.len(), layout.rest.len());
            let sizes = layout.scratch.iter().map(|(vertex, edge)| {
                rows.saturating_mul(*vertex).saturating_add(edges.saturating_mul(*edge))
            });
            sizes.max().unwrap_or(0)
        };
        let most = layout.types.iter().map(of).max().unwrap_or(0);
        most.saturating_mul(self.element_bytes())
    }

    /// Begins a minibatch: the time to bring its rows, edges and input to where it runs. The elements
    /// that the arena begins with, as many as the widest field of a state has, must then be zeros.
    ///
    /// # Errors
    /// When the device fails, or code for it cannot be made.
    fn begin(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError>;

    /// Elements of the arena. They are part of `rows`, of which more are going to be read.
    ///
    /// # Errors
    /// When the device fails.
    fn read(&self, rows: Range<usize>, range: Range<usize>) -> Result<&[T], EngineError>;

    /// The same of gradients, unscaled.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn read_gradient(&self, rows: Range<usize>, range: Range<usize>) -> Result<&[T], EngineError> {
        self.read(rows, range)
    }

    /// Hands out elements of the arena to be filled, which hold anything before.
    ///
    /// # Errors
    /// When the device fails.
    fn write(
        &mut self,
        range: Range<usize>,
        fill: &mut dyn FnMut(&mut [T]),
    ) -> Result<(), EngineError>;

    /// Computes the values of `phase` of function `function`, for these rows of its vertices.
    /// [`Phase::Prepare`] exists once a step and ignores the rows.
    ///
    /// # Errors
    /// When the device fails.
    fn run(
        &mut self,
        frame: Frame<'_, T>,
        function: usize,
        phase: Phase,
        rows: Range<u32>,
    ) -> Result<(), EngineError>;

    /// Is called before the batches of the schedule run, `phase` being the one of
    /// [`Phase::Recurrent`] and [`Phase::BackwardRecurrent`] that does: until
    /// [`end_batches`](Self::end_batches) nothing but [`run`](Self::run) is called, batch by batch, and for
    /// functions that are [entangled](TypeLayout::entangled) the phases around it, too. A back end may wait
    /// for the last batch before it runs any.
    ///
    /// # Errors
    /// When memory does not suffice.
    fn begin_batches(&mut self, frame: Frame<'_, T>, phase: Phase) -> Result<(), EngineError> {
        let _ = (frame, phase);
        Ok(())
    }

    /// Is called behind the last batch.
    ///
    /// # Errors
    /// When the device fails.
    fn end_batches(&mut self, frame: Frame<'_, T>, phase: Phase) -> Result<(), EngineError> {
        let _ = (frame, phase);
        Ok(())
    }

    /// Waits until all that was called has run.
    ///
    /// # Errors
    /// What went wrong meanwhile.
    fn finish(&mut self) -> Result<(), EngineError>;

    /// Lends its threads for what is left of a step, the pass of an optimiser: the calling one, unless
    /// the back end has others.
    fn with_workers(&mut self, work: &mut dyn FnMut(&mut Workers<'_, T>)) {
        work(&mut Workers::alone());
    }

    /// What takes steps of training where the parameters are, if this back end does.
    fn stepper(&mut self) -> Option<&mut dyn Stepper<T>> {
        None
    }

    /// How long the phases took that have run since this was last asked, by the device's own clock;
    /// `None` where the host's will do, which waits for each of them. All must have been waited for.
    fn take_times(&mut self) -> Option<DeviceTimes> {
        None
    }

    /// What was copied since this was last asked.
    fn take_copies(&mut self) -> Copies;

    /// Runs [`Phase::Accumulate`] of every function over all of its vertices, and adds what the
    /// parameters' gradients come to.
    ///
    /// # Errors
    /// When the device fails, or a gradient does not fit its parameter.
    fn accumulate(
        &mut self,
        frame: Frame<'_, T>,
        gradients: &mut Gradients<T>,
    ) -> Result<(), EngineError>;
}
