//! The back-end boundary: "run this phase over these rows".

use std::fmt::Debug;
use std::ops::Range;

use edb_ir::Phase;

use super::layout::Layout;
use crate::element::Element;
use crate::graph::Minibatch;
use crate::learn::{Gradients, Parameters, Workers};
use crate::model::Inner;

/// A back end of either type of element.
#[derive(Debug)]
pub struct BackendBox<T>(pub(crate) Box<dyn Backend<T>>);

/// What does not change while a minibatch runs.
#[derive(Debug)]
pub(crate) struct Frame<'a, T> {
    pub(crate) model: &'a Inner,
    pub(crate) parameters: &'a Parameters<T>,
    pub(crate) batch: &'a Minibatch<T>,
    pub(crate) layout: &'a Layout,
    /// Seed and step of the draws; `None` where nothing is drawn (inference).
    pub(crate) draws: Option<(u64, u64)>,
}

impl<T> Clone for Frame<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Frame<'_, T> {}

/// What a back end copied, beside computing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Copies {
    /// Bytes of children's states, and how many calls.
    pub(crate) gathered: u64,
    pub(crate) gathers: u64,
    /// Bytes that no record layout could spare, and how many calls.
    pub(crate) moved: u64,
    pub(crate) moves: u64,
}

/// How phases run. The engine owns schedule, rows and the arena's layout; a back end owns the
/// arena's memory and the way a phase runs over rows.
pub(crate) trait Backend<T: Element>: Debug + Send {
    /// Makes the arena at least this large. What it held is lost.
    ///
    /// # Errors
    /// When there is not enough memory.
    fn reserve(&mut self, elements: usize) -> Result<(), std::collections::TryReserveError>;

    /// Makes the arena at least this large and keeps what it holds.
    ///
    /// # Errors
    /// When there is not enough memory.
    fn extend(&mut self, elements: usize) -> Result<(), std::collections::TryReserveError>;

    /// Elements of the arena.
    fn read(&self, range: Range<usize>) -> &[T];

    /// Elements of the arena, to be written.
    fn write(&mut self, range: Range<usize>) -> &mut [T];

    /// Computes the values of `phase` of function `function`, for these rows of its vertices.
    /// [`Phase::Prepare`] exists once a step and ignores the rows.
    fn run(&mut self, frame: Frame<'_, T>, function: usize, phase: Phase, rows: Range<u32>);

    /// The threads that share what is left of a step: the pass of an optimiser.
    fn workers(&self) -> &dyn Workers;

    /// What was copied since this was last asked.
    fn take_copies(&mut self) -> Copies;

    /// Runs [`Phase::Accumulate`] of a function over all of its vertices, and adds what the
    /// parameters' gradients come to.
    fn accumulate(
        &mut self,
        frame: Frame<'_, T>,
        function: usize,
        gradients: &mut Gradients<T>,
    ) -> Result<(), crate::learn::LearnError>;
}
