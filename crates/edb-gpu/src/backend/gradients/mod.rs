//! The memory of gradients on the device.
//!
//! Comes in: the gradients that `phases` sums over all vertices, and those that other ranks send. Goes out: the sums, for
//! the update of the parameters on the device, or copied to the host. `phases` adds to it, and `steps` reads it.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `sums` | the gradients of parameters |
//! | `loss_scale` | the factor by which losses were multiplied |
//! | `gradient_rows`, `rank_rows` | parts of gradients; which rows of them a rank sums |
//! | `connection` | the way to the devices of other ranks |

mod connection;
mod gradient_rows;
mod loss_scale;
mod rank_rows;
mod sums;

pub(crate) use connection::Connected;
pub(crate) use gradient_rows::{GradientRows, Room, Shares};
pub(crate) use loss_scale::LossScale;
pub(crate) use rank_rows::RankRows;
pub(crate) use sums::{GradientSums, ORDER, sorted};
