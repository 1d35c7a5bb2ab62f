//! A training step: how far each parameter moves along its gradient.
//!
//! Comes in: parameters, their gradients, and an optimiser. Goes out: moved parameters, their moving averages, and what the
//! step came to. The trainer of `edb-train` calls it at the end of each step, and asks it for the learning rate before.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `parameter_step` | all parameters move |
//! | `group` | parameter groups, with settings of their own |
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
pub use stopping::Watch;
