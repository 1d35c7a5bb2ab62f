//! The state of optimisers between steps, as named tensors.

use std::borrow::Cow;
use std::collections::TryReserveError;
use std::sync::Arc;

use derive_where::derive_where;
use serde::{Deserialize, Serialize};

use super::rule::{Formula, Pass, Target, Terms};
use super::tuning::{Decay, Tuning};
use crate::error::LearnError;
use crate::gradients::Gradient;
use crate::gradients::Gradients;
use crate::parameters::{
    Moving, Parameter, ParameterId, Parameters, Sizes, Storage, Workers, check_same,
};
use edb_kernels::compiled_here;
use edb_kernels::element::Element;
use edb_kernels::room::filled;

/// The state of an optimiser between steps: for each parameter, named tensors of its shape and a
/// clock.
///
/// The state of a parameter is created when the parameter gets its first gradient, so a parameter that is never
/// trained costs nothing.
#[derive(Debug)]
#[derive_where(Clone, PartialEq; T: Element)]
#[derive_where(Default)]
pub struct OptimizerState<T> {
    // By parameter. `None` before the first gradient.
    entries: Vec<Option<ParameterState<T>>>,
}

#[derive(Debug)]
#[derive_where(Clone; T: Element)]
struct ParameterState<T> {
    /// The name of the parameter.
    parameter: Arc<str>,
    shape: Sizes,
    clock: Clock,
    slots: Vec<Cow<'static, str>>,
    tensors: Vec<Storage<T>>,
}

impl<T: Element> PartialEq for ParameterState<T> {
    fn eq(&self, other: &Self) -> bool {
        let all = |entry: &Self| (entry.shape.clone(), entry.clock, entry.slots.clone());
        all(self) == all(other) && self.tensors == other.tensors
    }
}

/// The step count of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    /// The number of steps in which the parameter had a gradient, including the current step.
    pub step: u64,
    /// A running product for bias corrections that are not powers (NAdam); 1 at first.
    pub product: f64,
}

impl Clock {
    /// Before the first step.
    const START: Self = Self { step: 0, product: 1.0 };
}

/// The update of one parameter, as data for a back end.
#[derive(Debug)]
pub struct ParameterUpdate<'a, T> {
    /// The parameter.
    pub id: ParameterId,
    /// Its values.
    pub values: &'a mut Storage<T>,
    /// The optimiser's state for this parameter, in the order of the rule's state.
    pub state: &'a mut [Storage<T>],
    clock: &'a mut Clock,
    /// The clock after this step.
    next: Clock,
    /// The rule.
    pub formula: Formula<T>,
    /// The operations before the rule. The back end multiplies the gradient by a factor that it computes
    /// itself, not by `scale`: see [`Scaling`](crate::learn::Scaling).
    pub terms: Terms<T>,
}

/// One step of a method over all parameters. The code that takes the step does not know the method, so it is compiled
/// once for all methods.
pub(super) struct MethodStep<'a, T> {
    /// The settings of each parameter, by its position.
    pub(super) tunings: &'a [Tuning],
    /// The names of a parameter's state tensors.
    pub(super) slots: &'static [&'static str],
    /// The initial value of the state.
    pub(super) initial: f64,
    /// The weight decay of a parameter.
    pub(super) decay: &'a dyn Fn(&Tuning) -> Decay,
    /// Updates one parameter.
    pub(super) step: &'a dyn Fn(&mut Clock, &Tuning, Pass<'_, T>),
}

impl<T> ParameterUpdate<'_, T> {
    /// Records that the step was taken.
    pub(crate) fn finish(self) {
        *self.clock = self.next;
    }
}

impl<T: Element> OptimizerState<T> {
    /// A tensor of a parameter, row-major; `None` before the parameter's first gradient, and if the
    /// optimiser keeps no tensor of this name.
    ///
    /// # Errors
    ///
    /// [`LearnError::Stale`] if a device has newer values that cannot be read.
    pub fn tensor(&self, id: ParameterId, slot: &str) -> Result<Option<&[T]>, LearnError> {
        let mut tensors = self.tensors(id);
        let found =
            tensors.find(|tensor| tensor.as_ref().map_or(true, |(known, _)| *known == slot));
        found.transpose().map(|found| found.map(|(_, values)| values))
    }

    /// All tensors of a parameter, by name.
    ///
    /// # Errors
    ///
    /// As [`tensor`](Self::tensor).
    pub fn tensors(
        &self,
        id: ParameterId,
    ) -> impl Iterator<Item = Result<(&str, &[T]), LearnError>> {
        self.entry(id).into_iter().flat_map(ParameterState::tensors)
    }

    /// The clock of a parameter; `None` before its first gradient.
    pub fn clock(&self, id: ParameterId) -> Option<Clock> {
        self.entry(id).map(|entry| entry.clock)
    }

    /// At least one of these numbers changes whenever the state may have changed. So you can see whether the
    /// state has changed without comparing its values.
    pub fn versions(&self) -> impl Iterator<Item = u64> {
        self.entries.iter().flatten().flat_map(|entry| {
            let clock = [entry.clock.step, entry.clock.product.to_bits()];
            clock.into_iter().chain(entry.tensors.iter().map(Storage::version))
        })
    }

    fn entry(&self, id: ParameterId) -> Option<&ParameterState<T>> {
        self.entries.get(id.index())?.as_ref()
    }

    /// Sets the state of a parameter, as returned by [`tensors`](Self::tensors) and
    /// [`clock`](Self::clock).
    ///
    /// # Errors
    /// [`LearnError::ValueCount`] for a tensor that is not of the parameter's size. The names of
    /// the tensors are checked in the optimiser's next step.
    pub fn set(
        &mut self,
        id: ParameterId,
        parameter: &Parameter<T>,
        clock: Clock,
        tensors: Vec<(String, Vec<T>)>,
    ) -> Result<(), LearnError> {
        if let Some((slot, values)) =
            tensors.iter().find(|(_, values)| values.len() != parameter.len())
        {
            return Err(LearnError::ValueCount {
                parameter: format!("{}/{slot}", parameter.name()),
                shape: parameter.shape().to_vec(),
                values: values.len(),
            });
        }
        if self.entries.len() <= id.index() {
            self.entries.resize_with(id.index() + 1, || None);
        }
        let stored = tensors.into_iter().map(|(slot, values)| {
            let storage = Storage::new(&values);
            let storage =
                storage.map_err(LearnError::memory::<T>(parameter.name(), values.len()))?;
            Ok((Cow::Owned(slot), storage))
        });
        let (slots, tensors) = stored.collect::<Result<Vec<_>, LearnError>>()?.into_iter().unzip();
        let (parameter, shape) = (parameter.shared_name(), parameter.shape().into());
        self.entries[id.index()] = Some(ParameterState { parameter, shape, clock, slots, tensors });
        Ok(())
    }

    /// Clears the state, as before the first step.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// The step as data, for a back end that takes it; `None` if a rule has no formula.
    pub(super) fn updates<'a>(
        &'a mut self,
        parameters: &'a mut Parameters<T>,
        has_gradient: &dyn Fn(ParameterId) -> bool,
        method: MethodStep<'_, T>,
    ) -> Result<Option<Vec<ParameterUpdate<'a, T>>>, LearnError> {
        let MethodStep { tunings, slots, initial, decay, step } = method;
        self.check(parameters, slots)?;
        self.make(parameters, has_gradient, tunings, slots, initial)?;
        let mut updates = Vec::with_capacity(parameters.len());
        for ((id, parameter), entry) in parameters.iter_mut().zip(&mut self.entries) {
            let tuning = tunings.get(id.index()).copied().unwrap_or_default();
            let Some(entry) = entry.as_mut().filter(|_| !tuning.frozen && has_gradient(id)) else {
                continue;
            };
            let mut next = entry.clock;
            next.step += 1;
            let mut formula = None;
            let (name, shape, target) =
                (parameter.name(), parameter.shape(), Target::Formula(&mut formula));
            step(&mut next, &tuning, Pass { name, shape, target });
            let Some(formula) = formula else { return Ok(None) };
            let terms = tuning.terms(decay(&tuning));
            let ParameterState { clock, tensors, .. } = entry;
            let (values, state) = (parameter.storage_mut(), &mut tensors[..]);
            updates.push(ParameterUpdate { id, values, state, clock, next, formula, terms });
        }
        Ok(Some(updates))
    }

    /// Creates the state of parameters that move for the first time. If there is not enough memory, no state is
    /// created.
    fn make(
        &mut self,
        parameters: &Parameters<T>,
        has_gradient: &dyn Fn(ParameterId) -> bool,
        tunings: &[Tuning],
        slots: &'static [&'static str],
        initial: f64,
    ) -> Result<(), LearnError> {
        if self.entries.len() < parameters.len() {
            self.entries.resize_with(parameters.len(), || None);
        }
        for ((id, parameter), entry) in parameters.iter().zip(&mut self.entries) {
            let frozen = tunings.get(id.index()).is_some_and(|tuning| tuning.frozen);
            if entry.is_some() || frozen || !has_gradient(id) {
                continue;
            }
            match ParameterState::new(parameter, slots, initial) {
                Ok(made) => *entry = Some(made),
                Err(error) => {
                    self.forget_unused();
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Removes state that was created for a step, if the step was not taken after all.
    pub(super) fn forget_unused(&mut self) {
        for entry in &mut self.entries {
            if entry.as_ref().is_some_and(|entry| entry.clock == Clock::START) {
                *entry = None;
            }
        }
    }

    /// Checks that this is the state of these parameters, and that it has no state of further parameters.
    ///
    /// # Errors
    /// [`LearnError::OtherParameters`], which names the first parameter that differs.
    pub fn check_fits(&self, parameters: &Parameters<T>) -> Result<(), LearnError> {
        let mut identities = parameters.identities();
        for entry in &self.entries {
            let expected = identities.next();
            let Some(entry) = entry else { continue };
            let state = (&entry.parameter, &entry.shape[..]);
            check_same("the optimiser's tensors", expected, Some(state))?;
        }
        Ok(())
    }

    /// Checks the same as [`check_fits`](Self::check_fits), and that each state in it consists of the tensors `slots`.
    pub(super) fn check(
        &self,
        parameters: &Parameters<T>,
        slots: &'static [&'static str],
    ) -> Result<(), LearnError> {
        self.check_fits(parameters)?;
        match self.entries.iter().flatten().find(|entry| entry.slots != slots) {
            None => Ok(()),
            Some(entry) => Err(LearnError::StateSlots {
                parameter: entry.parameter.to_string(),
                expected: slots.iter().map(|slot| (*slot).to_owned()).collect(),
                found: entry.slots.iter().map(|slot| slot.to_string()).collect(),
            }),
        }
    }
}

compiled_here! {
    impl OptimizerState {
        /// Calls the step of a method for each parameter, in order, that has a gradient and is not frozen. Its
        /// clock is advanced by one step before.
        pub(super) fn apply(
            &mut self,
            parameters: &mut Parameters<T>,
            gradients: &Gradients<T>,
            workers: &mut Workers<'_, T>,
            method: MethodStep<'_, T>,
        ) -> Result<(), LearnError> {
            let MethodStep { tunings, slots, initial, decay, step } = method;
            gradients.check(parameters.identities())?;
            self.check(parameters, slots)?;
            // Values on a device are read before anything changes, since reading may fail.
            parameters.fetch()?;
            for tensor in self.entries.iter().flatten().flat_map(ParameterState::tensors) {
                tensor?;
            }
            let has_gradient = |id| !matches!(gradients.get(id), Gradient::Zero);
            self.make(parameters, &has_gradient, tunings, slots, initial)?;
            for ((id, parameter), entry) in parameters.iter_mut().zip(&mut self.entries) {
                let tuning = tunings.get(id.index()).copied().unwrap_or_default();
                let Some(entry) = entry.as_mut().filter(|_| !tuning.frozen && has_gradient(id)) else {
                    continue;
                };
                let gradient = gradients.get(id);
                entry.clock.step += 1;
                let terms = tuning.terms(decay(&tuning));
                let columns = parameter.shape().get(1..).unwrap_or_default().iter().product();
                let before = parameter.version();
                let (name, shape, storage) = parameter.parts_mut();
                let (after, values) = storage.fetched_mut();
                let moving = Moving::new(id, [before, after], columns, values);
                let state = entry.tensors.iter_mut().map(|tensor| tensor.fetched_mut().1).collect();
                let workers = workers.lend();
                let target = Target::Host { moving, state, gradient, terms, workers };
                step(&mut entry.clock, &tuning, Pass { name, shape, target });
            }
            Ok(())
        }
    }
}

impl<T: Element> ParameterState<T> {
    /// The tensors, by name, copied to the host if a device has them.
    fn tensors(&self) -> impl Iterator<Item = Result<(&str, &[T]), LearnError>> {
        self.slots.iter().zip(&self.tensors).map(|(slot, tensor)| {
            let values = tensor.values(format_args!("{}/{slot}", self.parameter))?;
            Ok((&**slot, values))
        })
    }

    fn new(
        parameter: &Parameter<T>,
        slots: &'static [&'static str],
        initial: f64,
    ) -> Result<Self, LearnError> {
        let count = parameter.len();
        let tensors = || {
            let values = filled(T::from_f64(initial), if slots.is_empty() { 0 } else { count })?;
            slots.iter().map(|_| Storage::new(&values)).collect::<Result<_, TryReserveError>>()
        };
        let tensors = tensors().map_err(LearnError::memory::<T>(parameter.name(), count))?;
        Ok(Self {
            parameter: parameter.shared_name(),
            shape: parameter.shape().into(),
            clock: Clock::START,
            slots: slots.iter().map(|slot| Cow::Borrowed(*slot)).collect(),
            tensors,
        })
    }
}
