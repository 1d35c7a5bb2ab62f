//! Learning: parameters, gradients, optimisers, initialisers and checkpoints.
//!
//! | module | what it holds |
//! | --- | --- |
//! | `parameter` | the named tensors that training changes |
//! | `gradient`, `gradients` | one per parameter: absent, dense, a few rows, or factors |
//! | `gradient_kind` | what a gradient is, without its values |
//! | `optimizer` | the [`Optimizer`] trait, the state that optimisers keep, one optimiser per file |
//! | `storage` | values on the host, of which a device may hold newer ones |
//! | `group` | parameter groups, with settings of their own |
//! | `rate`, `stopping` | learning rate schedules; early stopping |
//! | `parameter_step` | the end of a training step: all parameters move |
//! | `part_sums`, `squares` | sums of the gradients of parts; sums of squares |
//! | `factors` | the gradient of a matrix that is not multiplied out yet |
//! | `ema` | moving averages of parameters |
//! | `statistics` | statistics of gradients |
//! | `workers` | threads that share a pass over parameters or gradients |
//! | `initializer` | initial values, reproducible from a seed and a name |
//! | `checkpoint` | parameters to and from safetensors files |
//! | `notes` | what a program keeps in these files |
//! | `privacy` | noise on gradients, and accounts of how private it makes training |
//! | `error` | the errors of all these |
//!
//! Invariant: nothing here depends on graphs, schedules or programs.
//!
//! Invariant: everything here is deterministic. Sums have a fixed order, nothing iterates over a
//! hash map, and no random number depends on the order in which parameters are made.
//!
//! Invariant: an operation that returns an error has changed nothing.
//!
//! # Example
//!
//! ```
//! # extern crate edb_learn as edb;
//! use edb::learn::{Adam, Gradient, Gradients, Initializer, Optimizer, Parameter, Parameters};
//!
//! let mut parameters = Parameters::<f32>::new();
//! let values = Initializer::XavierUniform.fill(&[3, 2], 42, "cell.w")?;
//! let w = parameters.push(Parameter::new("cell.w", &[3, 2], values)?)?;
//!
//! let mut gradients = Gradients::new(&parameters);
//! gradients.add(w, Gradient::Dense(vec![0.5; 6]))?;
//! gradients.clip_norm(1.0);
//!
//! let mut optimizer = Adam::new(1e-3);
//! optimizer.update(&mut parameters, &gradients)?;
//! # Ok::<(), edb::learn::LearnError>(())
//! ```

#[doc(hidden)]
pub mod any_number;
#[doc(hidden)]
pub mod checkpoint;
mod ema;
#[doc(hidden)]
pub mod error;
mod factors;
mod finite;
mod gradient;
mod gradient_kind;
#[doc(hidden)]
pub mod gradients;
#[doc(hidden)]
pub mod group;
mod initializer;
mod notes;
mod optimizer;
mod parameter;
mod parameter_step;
mod part_sums;
#[doc(hidden)]
pub mod privacy;
mod rate;
#[doc(hidden)]
pub mod squares;
mod statistics;
mod stopping;
mod storage;
mod workers;

pub use checkpoint::Transfer;
pub use ema::{Averages, Ema};
pub use error::{Difference, LearnError};
pub use factors::Factors;
pub use gradient::Gradient;
#[doc(hidden)]
pub use gradient_kind::GradientKind;
pub use gradients::Gradients;
pub use group::Group;
pub use initializer::{Initializer, Start, Values, WordVectors};
#[doc(hidden)]
pub use notes::Notes;
#[doc(hidden)]
pub use notes::{FUNCTIONS, FUNCTIONS_BEGIN};
pub use optimizer::{
    AdaDelta, AdaGrad, Adam, Clock, Descent, Formula, Lion, Method, Muon, NAdam, Optimizer,
    OptimizerState, ParameterUpdate, Pass, RAdam, RmsProp, Rule, Sgd, Terms, Tuning,
    WholeParameter,
};
pub use parameter::{Parameter, ParameterId, Parameters};
#[doc(hidden)]
pub use parameter::{Sizes, check_all_same};
pub use parameter_step::{ParameterStep, Scaling, StepOutcome, Updates};
pub use privacy::{Accountant, PrivateSteps};
pub use rate::{Plateau, RateSchedule};
pub use statistics::GradientStatistics;
pub use stopping::Watch;
pub use storage::{Remote, RemoteError, Storage};
pub use workers::Workers;
#[doc(hidden)]
pub use workers::{Followers, RowsToUpdate, SharedWork, Team};
