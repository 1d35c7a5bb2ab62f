//! The interface of devices that add up the gradients of the shares of a step, and exchange the sums with the devices
//! of other ranks.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::engine::error::EngineError;
use edb_kernels::element::Element;
use edb_learn::collective::Collective;
use edb_learn::collective::tree::{Span, Tree};
use edb_learn::learn::Parameters;

/// Says which rows of a gradient may be other than zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Extent {
    /// No row.
    #[default]
    Zero,
    /// All rows.
    Dense,
    /// These rows, in ascending order.
    Rows(Vec<u32>),
}

impl Extent {
    /// The extent of the sum of two gradients with these extents.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        match (self, other) {
            (extent, Self::Zero) | (Self::Zero, extent) => extent.clone(),
            (Self::Rows(rows), Self::Rows(more)) => {
                let mut all: Vec<u32> = rows.iter().chain(more).copied().collect();
                all.sort_unstable();
                all.dedup();
                Self::Rows(all)
            }
            _ => Self::Dense,
        }
    }

    /// Whether a parameter of this shape can have a gradient with this extent.
    pub fn fits(&self, shape: &[usize]) -> bool {
        let Self::Rows(rows) = self else { return true };
        let ascending = rows.windows(2).all(|pair| pair[0] < pair[1]);
        ascending
            && rows.last().is_none_or(|last| (*last as usize) < shape.first().copied().unwrap_or(0))
    }
}

/// The number of a sum that is on the device: the sum of the gradients of some shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShareSum(pub usize);

/// The sums of all ranks in a step.
#[derive(Clone, Copy, Debug)]
pub struct Shared<'a> {
    /// The connection to the other ranks.
    pub world: &'a Arc<dyn Collective>,
    /// The order in which shares are added up.
    pub tree: Tree,
    /// For each rank, the spans of the tree that it has summed, in order. Each span comes with the extents of the
    /// gradients of all parameters.
    pub spans: &'a [Vec<(Span, Vec<Extent>)>],
    /// The sums of this rank's spans.
    pub mine: &'a [ShareSum],
    /// The sum of all losses.
    pub loss: f64,
}

/// The interface of a device that adds up the gradients of shares in its own memory.
///
/// Calls come in this order. At the start of a step: [`begin`](Self::begin). For each share:
/// [`set_aside`](Self::set_aside), after its minibatches have left their gradients with the
/// [`Stepper`](crate::backend::Stepper), or [`nothing`](Self::nothing) if the share has no graph. If two sums are the
/// halves of a span: [`add`](Self::add). At the end: [`connect`](Self::connect), [`prepare`](Self::prepare) and
/// [`sum`](Self::sum), which leaves the sum of all ranks with the stepper, for [`take`](crate::backend::Stepper::take).
pub trait ShareSums<T: Element> {
    /// Forgets the sums of the previous step.
    fn begin(&mut self);

    /// Moves the gradients that the stepper has kept into a new sum, and waits until they are there. Returns the new
    /// sum, and the sum of the losses that the stepper has kept.
    ///
    /// # Errors
    /// When the device fails, or there is not enough memory.
    fn set_aside(&mut self, parameters: &Parameters<T>) -> Result<(ShareSum, f64), EngineError>;

    /// The sum of no gradients.
    fn nothing(&mut self, parameters: &Parameters<T>) -> ShareSum;

    /// The extent of each parameter's gradient in a sum.
    fn extents(&self, of: ShareSum) -> Vec<Extent>;

    /// Adds the second sum to the first one, which it follows in the order of shares.
    ///
    /// # Errors
    /// When the device fails, or there is not enough memory.
    fn add(&mut self, to: ShareSum, other: ShareSum) -> Result<(), EngineError>;

    /// Connects the device with the devices of the other ranks, unless it is connected. All ranks call this
    /// together.
    ///
    /// # Errors
    /// When another rank does not answer ([`EngineError::Collective`]), or the devices do not connect.
    fn connect(&mut self, world: &Arc<dyn Collective>) -> Result<(), EngineError>;

    /// Allocates the memory for [`sum`](Self::sum), as far as it is known. The ranks tell each other whether they
    /// have enough memory before one of them waits for another. `loss_scale` is the
    /// [scale](crate::backend::Frame::loss_scale) of the gradients.
    ///
    /// # Errors
    /// When the device fails, or there is not enough memory. Then the step is not taken.
    fn prepare(
        &mut self,
        shared: &Shared<'_>,
        parameters: &Parameters<T>,
        loss_scale: f64,
    ) -> Result<(), EngineError>;

    /// Adds up the sums of all ranks, and leaves the result with the stepper. All ranks call this together. The
    /// result has the same bits on all ranks, and they do not depend on the number of ranks.
    ///
    /// # Errors
    /// When the device fails, there is not enough memory, or another rank does not answer
    /// ([`EngineError::Collective`]).
    fn sum(&mut self, shared: &Shared<'_>) -> Result<(), EngineError>;
}
