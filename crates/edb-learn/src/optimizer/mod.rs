//! Optimisers: they update parameters from their gradients.
//!
//! The inputs are parameters and their gradients. The results are changed parameters, and the state that
//! the next step needs. `steps` calls this code for all parameters of a model; users who train by hand call it
//! directly.
//!
//! | file | what it holds |
//! | --- | --- |
//! | this file | the [`Optimizer`] trait; [`Descent`], shared by all optimisers; [`Method`] |
//! | [`rule`] | the pass over a parameter, its state and its gradient |
//! | [`state`] | the state between steps, as named tensors |
//! | `tuning` | the settings of one parameter in one step |
//! | one each | [`Sgd`], [`AdaGrad`], [`RmsProp`], [`AdaDelta`], [`Adam`], [`NAdam`], [`RAdam`], [`Lion`], [`Muon`] |
//!
//! A step is one pass over memory: the gradient is scaled and clipped, weight decay is added, and
//! the update is computed, all in registers and with the best instruction set of the machine.
//! Multiplications and additions are not fused, so the bits depend neither on the machine nor on threads.
//!
//! If a gradient has only some rows, like that of an embedding, every method is lazy: the other rows neither
//! move nor decay, and neither does their state. PyTorch does the same in `SparseAdam`, and for sparse
//! gradients in `SGD` and `Adagrad`; its other optimisers do not support sparse gradients.
//!
//! [`Muon`] is an exception: it updates whole matrices and computes products, so it takes more than one pass,
//! and its bits depend on the machine.
//!
//! Invariant: a rule is written twice, in Rust and as a GPU kernel (`rules!` in
//! `crates/edb-gpu/src/kernels/optimizer.rs`, and for CUDA a `RULE` in `edb-cuda/src/source/optimizer.cuh`).
//! Both give the same bits; `edb-cuda/tests/suite/optimizers.rs` checks this. The Rust code passes only a
//! [`Formula`], a list of numbers, to the kernel.

mod adadelta;
mod adagrad;
mod adam;
mod lion;
mod muon;
mod nadam;
mod radam;
mod rmsprop;
mod rule;
mod sgd;
mod sharing;
mod state;
mod tuning;

use std::fmt::Debug;

pub use adadelta::AdaDelta;
pub use adagrad::AdaGrad;
pub use adam::Adam;
pub use lion::Lion;
pub use muon::Muon;
pub use nadam::NAdam;
pub use radam::RAdam;
pub use rmsprop::RmsProp;
pub use rule::{Formula, Pass, Rule, Terms, WholeParameter};
pub use sgd::Sgd;
pub use state::{Clock, OptimizerState, ParameterUpdate};
pub use tuning::Tuning;

use crate::error::{LearnError, check_setting};
use crate::gradients::{Gradients, is_bound};
use crate::parameters::{ParameterId, Parameters, Workers};
use derive_where::derive_where;
use edb_kernels::element::Element;
use state::MethodStep;
use tuning::Decay;

/// An optimiser: it updates parameters from their gradients.
pub trait Optimizer<T: Element>: Debug + Send {
    /// The name, as in `Adam`, which checkpoints record.
    fn name(&self) -> &str;

    /// Takes one step. `tunings` are the settings of each parameter, by its position; parameters without an
    /// entry have [`Tuning::default`]. The workers may share the work; the result has the same bits, however
    /// many workers there are.
    ///
    /// A parameter whose gradient is [`Gradient::Zero`](crate::gradients::Gradient::Zero) stays as it is, with
    /// its state; so do the rows that a [`Gradient::Rows`](crate::gradients::Gradient::Rows) lacks.
    ///
    /// # Errors
    ///
    /// [`LearnError::Setting`] if a setting is out of range; [`LearnError::OtherParameters`] if the
    /// gradients or the state are of other parameters; [`LearnError::StateSlots`] if the state is of
    /// another optimiser; [`LearnError::Memory`]. Nothing has changed then, neither a parameter nor the
    /// optimiser.
    fn step(
        &mut self,
        parameters: &mut Parameters<T>,
        gradients: &Gradients<T>,
        tunings: &[Tuning],
        workers: &mut Workers<'_, T>,
    ) -> Result<(), LearnError>;

    /// A step as data, for a back end that holds the gradients and updates the parameters itself: a
    /// [`ParameterUpdate`] for each parameter that has a gradient, according to `has_gradient`, and is not
    /// frozen. `None` if a rule has no [formula](Rule::formula); this is also the default. Then
    /// [`step`](Self::step) takes the step on the host.
    ///
    /// # Errors
    ///
    /// As [`step`](Self::step).
    fn updates<'a>(
        &'a mut self,
        parameters: &'a mut Parameters<T>,
        has_gradient: &dyn Fn(ParameterId) -> bool,
        tunings: &[Tuning],
    ) -> Result<Option<Vec<ParameterUpdate<'a, T>>>, LearnError> {
        let _ = (parameters, has_gradient, tunings);
        Ok(None)
    }

    /// Removes the state that [`updates`](Self::updates) created for a step, if the step was not taken after
    /// all.
    fn forget_updates(&mut self) {}

    /// Takes one step with default settings for all parameters, on the calling thread.
    ///
    /// # Errors
    ///
    /// As [`step`](Self::step).
    fn update(
        &mut self,
        parameters: &mut Parameters<T>,
        gradients: &Gradients<T>,
    ) -> Result<(), LearnError> {
        self.step(parameters, gradients, &[], &mut Workers::alone())
    }

    /// The settings except the learning rate, as text. Ranks that train together compare their texts, and a
    /// resumed run compares its text with that of the checkpoint. If a setting is not in the text, nobody
    /// notices when it changes.
    fn settings(&self) -> String;

    /// The learning rate.
    fn learning_rate(&self) -> f64;

    /// Changes the learning rate, from the next step on. [`step`](Self::step) checks it.
    fn set_learning_rate(&mut self, learning_rate: f64);

    /// The state between steps.
    fn state(&self) -> &OptimizerState<T>;

    /// The state between steps, to be set from a checkpoint.
    fn state_mut(&mut self) -> &mut OptimizerState<T>;

    /// Checks that the optimiser can go on from `state`, which a checkpoint has for these parameters. By default, this
    /// only checks that the state is of no other parameters. An optimiser that names its tensors checks the names, too.
    ///
    /// # Errors
    /// The errors of [`step`](Self::step) that are about the state.
    fn check_state(
        &self,
        state: &OptimizerState<T>,
        parameters: &Parameters<T>,
    ) -> Result<(), LearnError> {
        state.check_fits(parameters)
    }
}

/// What distinguishes one optimiser from the others: its settings, state and rule.
///
/// ```
/// # mod edb { pub use edb_kernels::element::Element; pub use edb_learn::*; }
/// use edb::Element;
/// use edb::learn::{Clock, Descent, LearnError, Method, Pass, Rule};
///
/// /// Sign descent: every value moves by the learning rate.
/// #[derive(Clone, Debug)]
/// struct Sign;
///
/// #[derive(Clone, Copy)]
/// struct Update<T>(T);
///
/// impl<T: Element> Rule<T> for Update<T> {
///     type State = [T; 0];
///
///     #[inline(always)]
///     fn step(self, value: T, gradient: T, _: [T; 0]) -> (T, [T; 0]) {
///         (value - self.0 * gradient.signum(), [])
///     }
/// }
///
/// impl Method for Sign {
///     const NAME: &'static str = "Sign";
///
///     fn slots(&self) -> &'static [&'static str] {
///         &[]
///     }
///
///     fn check<T: Element>(&self) -> Result<(), LearnError> {
///         Ok(())
///     }
///
///     fn step<T: Element>(&self, rate: f64, _: &mut Clock, pass: Pass<'_, T>) {
///         pass.run(Update(T::from_f64(rate)));
///     }
/// }
///
/// let optimizer = Descent::<Sign, f32>::with(Sign, 1e-3);
/// ```
pub trait Method: Debug + Clone + Send + 'static {
    /// The name of the optimiser.
    const NAME: &'static str;

    /// The names of a parameter's state tensors, in the order of the rule's state.
    fn slots(&self) -> &'static [&'static str];

    /// The initial value of the state.
    fn initial(&self) -> f64 {
        0.0
    }

    /// Checks the settings for parameters of type `T`.
    ///
    /// # Errors
    ///
    /// [`LearnError::Setting`] for the first that is out of range.
    fn check<T: Element>(&self) -> Result<(), LearnError>;

    /// Updates one parameter with this learning rate: it [runs](Pass::run) the rule of this step, or updates
    /// the parameter [as a whole](Pass::run_whole).
    fn step<T: Element>(&self, rate: f64, clock: &mut Clock, pass: Pass<'_, T>);
}

/// An optimiser: a [`Method`] with a learning rate, weight decay, and the state of each parameter.
///
/// [`Sgd`], [`Adam`] and the others are type aliases of it: `Adam::new(1e-3)`.
///
/// # Weight decay
///
/// For a parameter `θ` of gradient `g`, with learning rate `α` and decay `λ`, before the method's
/// own step:
///
/// ```text
/// g ← g + λ θ          weight_decay(λ): L2 regularisation
/// θ ← θ - α λ θ        decoupled_weight_decay(λ)
/// ```
///
/// Both are the same only for plain SGD (Loshchilov and Hutter, 2019, "Decoupled weight decay regularization").
/// Rows without a gradient do not decay.
#[derive(Debug)]
#[derive_where(Clone; M, T: Element)]
#[must_use]
pub struct Descent<M, T> {
    method: M,
    learning_rate: f64,
    decay: f64,
    decoupled: bool,
    state: OptimizerState<T>,
}

impl<M: Method, T> Descent<M, T> {
    /// An optimiser with this method; the learning rate must be finite and not negative.
    pub fn with(method: M, learning_rate: f64) -> Self {
        let state = OptimizerState::default();
        Self { method, learning_rate, decay: 0.0, decoupled: false, state }
    }

    /// Adds weight decay to the gradient: L2 regularisation. Finite and not negative; 0 by default.
    pub fn weight_decay(mut self, decay: f64) -> Self {
        (self.decay, self.decoupled) = (decay, false);
        self
    }

    /// Decays weights separately from the gradient; with Adam this is AdamW. Finite and not
    /// negative; 0 by default. The weight decay of a [`Group`](crate::steps::Group) is then decoupled,
    /// too.
    #[doc(alias = "AdamW")]
    pub fn decoupled_weight_decay(mut self, decay: f64) -> Self {
        (self.decay, self.decoupled) = (decay, true);
        self
    }
}

impl<M: Method, T: Element> Descent<M, T> {
    /// Checks the settings of a step.
    fn check(&self, tunings: &[Tuning]) -> Result<(), LearnError> {
        check_amount::<M>("learning rate", self.learning_rate)?;
        check_amount::<M>("weight decay", self.decay)?;
        self.method.check::<T>()?;
        for tuning in tunings {
            check_amount::<M>("learning rate", self.learning_rate * tuning.rate)?;
            check_amount::<M>("weight decay", tuning.weight_decay.unwrap_or(0.0))?;
            let bound = tuning.bound;
            check_setting(M::NAME, "bound of gradients", bound, "not negative", is_bound(bound))?;
        }
        Ok(())
    }
}

impl<M: Method, T: Element> Descent<M, T> {
    /// A step of the method, and the state that it changes.
    fn with_step<'a, R>(
        &'a mut self,
        tunings: &[Tuning],
        run: impl FnOnce(MethodStep<'_, T>, &'a mut OptimizerState<T>) -> R,
    ) -> R {
        let Self { ref method, learning_rate, decay, decoupled, ref mut state } = *self;
        let decay = |tuning: &Tuning| {
            let decay = tuning.weight_decay.unwrap_or(decay);
            match decoupled {
                true => Decay { coupled: 0.0, keep: 1.0 - learning_rate * tuning.rate * decay },
                false => Decay { coupled: decay, keep: 1.0 },
            }
        };
        let step = |clock: &mut Clock, tuning: &Tuning, pass: Pass<'_, T>| {
            method.step(learning_rate * tuning.rate, clock, pass);
        };
        let (slots, initial) = (method.slots(), method.initial());
        run(MethodStep { tunings, slots, initial, decay: &decay, step: &step }, state)
    }
}

impl<M: Method, T: Element> Optimizer<T> for Descent<M, T> {
    fn name(&self) -> &str {
        M::NAME
    }

    fn step(
        &mut self,
        parameters: &mut Parameters<T>,
        gradients: &Gradients<T>,
        tunings: &[Tuning],
        workers: &mut Workers<'_, T>,
    ) -> Result<(), LearnError> {
        self.check(tunings)?;
        self.with_step(tunings, |step, state| state.apply(parameters, gradients, workers, step))
    }

    fn updates<'a>(
        &'a mut self,
        parameters: &'a mut Parameters<T>,
        has_gradient: &dyn Fn(ParameterId) -> bool,
        tunings: &[Tuning],
    ) -> Result<Option<Vec<ParameterUpdate<'a, T>>>, LearnError> {
        self.check(tunings)?;
        self.with_step(tunings, |step, state| state.updates(parameters, has_gradient, step))
    }

    fn forget_updates(&mut self) {
        self.state.forget_unused();
    }

    fn settings(&self) -> String {
        let Self { method, decay, decoupled, .. } = self;
        let kind = if *decoupled { "decoupled weight decay" } else { "weight decay" };
        format!("{method:?} with {kind} {decay}")
    }

    fn learning_rate(&self) -> f64 {
        self.learning_rate
    }

    fn set_learning_rate(&mut self, learning_rate: f64) {
        self.learning_rate = learning_rate;
    }

    fn state(&self) -> &OptimizerState<T> {
        &self.state
    }

    fn state_mut(&mut self) -> &mut OptimizerState<T> {
        &mut self.state
    }

    fn check_state(
        &self,
        state: &OptimizerState<T>,
        parameters: &Parameters<T>,
    ) -> Result<(), LearnError> {
        state.check(parameters, self.method.slots())
    }
}

/// Fails unless a setting is finite and not negative.
fn check_amount<M: Method>(setting: &str, value: f64) -> Result<(), LearnError> {
    let valid = value.is_finite() && value >= 0.0;
    check_setting(M::NAME, setting, value, "finite and not negative", valid)
}

/// Fails unless a setting is a rate of decay: in `[0, 1)`.
fn check_rate<M: Method>(setting: &str, value: f64) -> Result<(), LearnError> {
    check_setting(M::NAME, setting, value, "in [0, 1)", (0.0..1.0).contains(&value))
}

/// Fails unless `ε` is positive in `T`.
fn check_epsilon<M: Method, T: Element>(epsilon: f64) -> Result<(), LearnError> {
    let rounded = T::from_f64(epsilon);
    let valid = rounded.is_finite() && rounded > T::zero();
    check_setting(M::NAME, "epsilon", epsilon, "finite and positive", valid)
}

/// A moving average after a value: `ρ average + (1 - ρ) value`, where `take` is `1 - ρ`.
///
/// In this form, the average of a constant is that constant. If both coefficients were rounded, their sum would
/// not be 1: in `f32` with `ρ` = 0.999, the average of a constant would be wrong by 1.3e-5 in the end.
#[inline(always)]
pub(crate) fn averaged<T: Element>(average: T, value: T, take: T) -> T {
    // The difference of two equal infinities would be NaN.
    if value == average { average } else { average + take * (value - average) }
}

/// Computes `base` to the power of `exponent` by squaring, since the precision of `powf` depends on the
/// platform.
fn power(base: f64, mut exponent: u64) -> f64 {
    let (mut square, mut product) = (base, 1.0);
    while exponent > 0 {
        if exponent & 1 == 1 {
            product *= square;
        }
        square *= square;
        exponent >>= 1;
    }
    product
}
