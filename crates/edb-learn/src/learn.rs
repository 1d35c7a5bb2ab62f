//! Learning: parameters, gradients, optimisers, initialisers and checkpoints.
//!
//! This file names what other crates use; the folders beside it hold it. The top of `lib.rs` lists them.
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
pub use crate::{error, gradients, privacy};

pub use crate::error::{Difference, LearnError};
pub use crate::files::Transfer;
#[doc(hidden)]
pub use crate::files::{FUNCTIONS, FUNCTIONS_BEGIN, Notes, any_number, checkpoint};
pub use crate::gradients::{Factors, Gradient, GradientStatistics, Gradients};
#[doc(hidden)]
pub use crate::gradients::{GradientKind, squares};
pub use crate::initializer::{Initializer, Start, Values, WordVectors};
pub use crate::optimizer::{
    AdaDelta, AdaGrad, Adam, Clock, Descent, Formula, Lion, Method, Muon, NAdam, Optimizer,
    OptimizerState, ParameterUpdate, Pass, RAdam, RmsProp, Rule, Sgd, Terms, Tuning,
    WholeParameter,
};
#[doc(hidden)]
pub use crate::parameters::{Followers, RowsToUpdate, SharedWork, Sizes, Team, check_all_same};
pub use crate::parameters::{
    Parameter, ParameterId, Parameters, Remote, RemoteError, Storage, Workers,
};
pub use crate::privacy::{Accountant, PrivateSteps};
#[doc(hidden)]
pub use crate::steps::group;
pub use crate::steps::{
    Averages, Ema, Group, ParameterStep, Plateau, RateSchedule, Scaling, StepOutcome, Updates,
    Watch,
};
