//! The interface of devices that add up the gradients of the shares of a step, and exchange them
//! with the devices of other ranks.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::engine::error::EngineError;
use edb_kernels::element::Element;
use edb_learn::collective::Collective;
use edb_learn::collective::tree::{Span, Tree};
use edb_learn::learn::Parameters;

/// Which rows of a parameter a gradient has. The others are zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Extent {
    /// None.
    #[default]
    Zero,
    /// All.
    Dense,
    /// These, in ascending order.
    Rows(Vec<u32>),
}

impl Extent {
    /// The rows of the sum of two gradients.
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

    /// Whether a parameter of this shape may have such a gradient.
    pub fn fits(&self, shape: &[usize]) -> bool {
        let Self::Rows(rows) = self else { return true };
        let ascending = rows.windows(2).all(|pair| pair[0] < pair[1]);
        ascending
            && rows.last().is_none_or(|last| (*last as usize) < shape.first().copied().unwrap_or(0))
    }
}

/// The sum of the gradients of some shares, by its number on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShareSum(pub usize);

/// What all ranks have summed in a step.
#[derive(Clone, Copy, Debug)]
pub struct Shared<'a> {
    /// The ranks.
    pub world: &'a Arc<dyn Collective>,
    /// The order in which shares are added up.
    pub tree: Tree,
    /// For each rank, the spans of the tree that it has summed, in order, with the extent of the
    /// gradient of each parameter.
    pub spans: &'a [Vec<(Span, Vec<Extent>)>],
    /// The sums of this rank's spans.
    pub mine: &'a [ShareSum],
    /// The sum of all losses.
    pub loss: f64,
}

/// The interface of a device that adds up the gradients of shares where they are.
///
/// Calls come in this order: [`begin`](Self::begin) at the start of a step; for each share,
/// [`set_aside`](Self::set_aside) after its minibatches have left their gradients with the
/// [`Stepper`](crate::backend::Stepper), or [`nothing`](Self::nothing) if it has no graph, and
/// [`add`](Self::add) where two shares are the halves of a span; then [`connect`](Self::connect),
/// [`prepare`](Self::prepare) and [`sum`](Self::sum), which leaves the sum of all with the stepper, for
/// [`take`](crate::backend::Stepper::take).
pub trait ShareSums<T: Element> {
    /// Forgets the sums of the step before.
    fn begin(&mut self);

    /// Moves the gradients that the stepper has kept to a sum of their own, and waits for them; returns
    /// it with the sum of the losses that are kept.
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

    /// Connects the device with those of the other ranks, which call it together, unless it is.
    ///
    /// # Errors
    /// When another rank does not answer ([`EngineError::Collective`]), or the devices do not connect.
    fn connect(&mut self, world: &Arc<dyn Collective>) -> Result<(), EngineError>;

    /// Makes room for [`sum`](Self::sum), as far as it can be known before: ranks tell each other
    /// whether they have it before one of them waits for another one. The gradients are of losses of
    /// this [scale](crate::backend::Frame::loss_scale).
    ///
    /// # Errors
    /// When the device fails, or there is not enough memory: the step is not taken then.
    fn prepare(
        &mut self,
        shared: &Shared<'_>,
        parameters: &Parameters<T>,
        loss_scale: f64,
    ) -> Result<(), EngineError>;

    /// Adds up the sums of all ranks, which call it together, and leaves the result with the
    /// stepper: the same bits on all ranks, whatever their number.
    ///
    /// # Errors
    /// When the device fails, there is not enough memory, or another rank does not answer
    /// ([`EngineError::Collective`]).
    fn sum(&mut self, shared: &Shared<'_>) -> Result<(), EngineError>;
}
