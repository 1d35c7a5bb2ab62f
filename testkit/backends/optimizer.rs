//! An optimiser for tests, whose steps are a closure.

use std::fmt::{Debug, Formatter, Result as Written};

use edb::Element;
use edb::learn::{Gradients, LearnError, Optimizer, OptimizerState, Parameters, Tuning, Workers};

/// Takes the step of the optimiser that a [`TestOptimizer`] is made of.
pub type Go<'a, T> = &'a mut dyn FnMut(&mut Parameters<T>) -> Result<(), LearnError>;

/// An optimiser that takes another's steps as its closure says: before, after, or in place of them, it looks at
/// gradients, changes parameters, fails or panics.
pub struct TestOptimizer<T: Element, F> {
    of: Box<dyn Optimizer<T>>,
    step: F,
}

impl<T, F> TestOptimizer<T, F>
where
    T: Element,
    F: FnMut(&mut Parameters<T>, &Gradients<T>, Go<'_, T>) -> Result<(), LearnError> + Send,
{
    pub fn new(of: impl Optimizer<T> + 'static, step: F) -> Self {
        Self { of: Box::new(of), step }
    }
}

impl<T: Element, F> Debug for TestOptimizer<T, F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        write!(f, "TestOptimizer({:?})", self.of)
    }
}

impl<T, F> Optimizer<T> for TestOptimizer<T, F>
where
    T: Element,
    F: FnMut(&mut Parameters<T>, &Gradients<T>, Go<'_, T>) -> Result<(), LearnError> + Send,
{
    fn name(&self) -> &str {
        self.of.name()
    }

    fn step(
        &mut self,
        parameters: &mut Parameters<T>,
        gradients: &Gradients<T>,
        tunings: &[Tuning],
        workers: &mut Workers<'_, T>,
    ) -> Result<(), LearnError> {
        let Self { of, step } = self;
        step(parameters, gradients, &mut |parameters| {
            of.step(parameters, gradients, tunings, workers)
        })
    }

    fn settings(&self) -> String {
        self.of.settings()
    }

    fn learning_rate(&self) -> f64 {
        self.of.learning_rate()
    }

    fn set_learning_rate(&mut self, rate: f64) {
        self.of.set_learning_rate(rate);
    }

    fn state(&self) -> &OptimizerState<T> {
        self.of.state()
    }

    fn state_mut(&mut self) -> &mut OptimizerState<T> {
        self.of.state_mut()
    }

    fn check_state(
        &self,
        state: &OptimizerState<T>,
        parameters: &Parameters<T>,
    ) -> Result<(), LearnError> {
        self.of.check_state(state, parameters)
    }
}
