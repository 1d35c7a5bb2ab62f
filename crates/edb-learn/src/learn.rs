//! Learning: parameters, gradients, optimisers, initialisers and checkpoints.
//!
//! This file re-exports what other crates use from the folders next to it. The top of `lib.rs` lists the
//! folders.
//!
//! Invariant: this crate does not depend on graphs, schedules or programs. From edb-ir it has only how numbers are
//! written in JSON.
//!
//! Invariant: everything in this crate is deterministic. Sums have a fixed order, nothing iterates over a hash
//! map, and no random number depends on the order in which parameters are made.
//!
//! Invariant: an operation that returns an error has changed nothing.

pub use edb_ir::any_number;

pub use crate::gradients::part_sums;
pub use crate::{error, gradients, privacy};

pub use crate::error::{Difference, LearnError};
pub use crate::files::{BUNDLE, BUNDLE_BEGIN, FUNCTIONS, FUNCTIONS_BEGIN, Notes, checkpoint};
pub use crate::files::{TensorFile, Transfer};
pub use crate::gradients::{Factors, Gradient, GradientStatistics, Gradients};
pub use crate::gradients::{GradientKind, squares};
pub use crate::initializer::{Initializer, Start, Values, WordVectors};
pub use crate::optimizer::{
    AdaDelta, AdaGrad, Adam, Clock, Descent, Formula, Lion, Method, Muon, NAdam, Optimizer,
    OptimizerState, ParameterUpdate, Pass, RAdam, RmsProp, Rule, Sgd, Terms, Tuning,
    WholeParameter,
};
pub use crate::parameters::{
    Followers, RowsToUpdate, SharedWork, Sizes, Team, check_all_same, check_counts,
};
pub use crate::parameters::{
    Parameter, ParameterId, Parameters, Remote, RemoteError, Storage, Workers,
};
pub use crate::privacy::{Accountant, PrivateSteps};
#[allow(deprecated)]
pub use crate::steps::Watch;
pub use crate::steps::group;
pub use crate::steps::{
    Averages, EarlyStopping, Ema, Group, ParameterStep, Plateau, RateSchedule, Scaling,
    StepOutcome, Updates, averages_to_restore,
};
