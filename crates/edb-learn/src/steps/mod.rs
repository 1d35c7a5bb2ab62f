//! A training step: all parameters are updated along their gradients.
//!
//! The inputs are parameters, their gradients, and an optimiser. The results are updated parameters, their
//! moving averages, and the result of the step. The trainer of `edb-train` calls this code at the end of each
//! step, and gets the learning rate from it before.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `parameter_step` | the update of all parameters |
//! | `group` | parameter groups, with their own settings |
//! | `rate`, `stopping` | learning rate schedules; early stopping |
//! | `ema` | moving averages of parameters |

mod ema;
pub mod group;
mod parameter_step;
mod rate;
mod stopping;

pub use ema::{Averages, Ema, averages_to_restore};
pub use group::Group;
pub use parameter_step::{ParameterStep, Scaling, StepOutcome, Updates};
pub use rate::{Plateau, RateSchedule};
pub use stopping::EarlyStopping;

/// The former name of [`EarlyStopping`].
#[deprecated(since = "0.3.0", note = "it is called `EarlyStopping` now")]
pub type Watch = EarlyStopping;
