//! The end of a training step: all parameters are updated along their gradients. The host does this, or a
//! device that holds the parameters; a device gets the step as data.

use smallvec::SmallVec;

use super::ema::{Averages, Ema};
use crate::error::{LearnError, check_setting};
use crate::gradients::{Gradients, clip_factor, root};
use crate::optimizer::{Optimizer, ParameterUpdate, Tuning};
use crate::parameters::{ParameterId, Parameters, Workers};
use edb_kernels::element::Element;

/// The factors by which the gradients of a step are multiplied: `mean`, and for each norm a factor that clips
/// it to its maximum.
#[derive(Clone, Copy, Debug)]
pub struct Scaling<'a> {
    /// The factor that turns a sum into a mean.
    pub mean: f64,
    /// For each parameter, the number of the norm that includes it; `None` if the parameter is frozen.
    pub norm_of: &'a [Option<usize>],
    /// For each norm, the maximum of the 2-norm of the gradient of the mean loss; `None` if it is not clipped.
    pub most: &'a [Option<f64>],
    /// Whether to skip the step if the norm of the gradient is not finite.
    pub guarded: bool,
}

impl Scaling<'_> {
    /// Whether the norm is needed.
    pub fn measures(&self) -> bool {
        self.guarded || self.most.iter().any(Option::is_some)
    }

    /// Fails unless `norm_of` has as many entries as there are `parameters`, and `most` has an entry for each norm that
    /// `norm_of` names.
    fn check(&self, parameters: usize) -> Result<(), LearnError> {
        let (told, norms) = (self.norm_of.len(), self.most.len());
        let range = "that of the parameters";
        check_setting("Scaling", "number of `norm_of`", told as f64, range, told == parameters)?;
        for norm in self.norm_of.iter().flatten() {
            let range = "the place of one in `most`";
            check_setting("Scaling", "norm of a parameter", *norm as f64, range, *norm < norms)?;
        }
        Ok(())
    }
}

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepOutcome {
    /// The sum of the losses.
    pub loss: f64,
    /// The 2-norm of the gradient of the mean loss before clipping, if it was needed.
    pub norm: Option<f64>,
    /// Whether the step was taken.
    pub taken: bool,
}

/// A step to take: the parameters, the optimiser, and the settings.
#[derive(Debug)]
pub struct ParameterStep<'a, T> {
    /// The number of the step, counted from 0.
    pub number: u64,
    /// The parameters.
    pub parameters: &'a mut Parameters<T>,
    /// The optimiser.
    pub optimizer: &'a mut dyn Optimizer<T>,
    /// The moving averages, which are updated after the parameters.
    pub ema: Option<&'a mut Ema<T>>,
    /// The settings of each parameter, before norms are clipped.
    pub tunings: &'a mut [Tuning],
    /// The factors of the gradients.
    pub scaling: Scaling<'a>,
}

/// A step as data, for a back end that takes it.
#[derive(Debug)]
pub struct Updates<'a, T> {
    /// The number of the step, counted from 0.
    pub number: u64,
    /// The updates of parameters.
    pub parameters: Vec<ParameterUpdate<'a, T>>,
    /// The moving averages, which are updated after all parameters have been updated.
    pub averages: Option<Averages<'a, T>>,
    /// The factors of the gradients.
    pub scaling: Scaling<'a>,
}

impl<T: Element> ParameterStep<'_, T> {
    /// Takes the step on the host, along these gradients of this sum of losses. The step is not taken if the
    /// loss is not finite, or if the step is [guarded](Scaling::guarded) and the gradient is not finite. If the
    /// norm is needed, one pass over the gradients computes it.
    ///
    /// # Errors
    /// As [`Optimizer::step`] and [`Ema::update`]; [`LearnError::Setting`] if the scaling does not fit these
    /// parameters.
    pub fn take(
        &mut self,
        loss: f64,
        gradients: &Gradients<T>,
        workers: &mut Workers<'_, T>,
    ) -> Result<StepOutcome, LearnError> {
        self.scaling.check(self.parameters.len())?;
        gradients.check(self.parameters.identities())?;
        if !loss.is_finite() {
            return Ok(StepOutcome { loss, norm: None, taken: false });
        }
        let norm = self.scaling.measures().then(|| self.clip(gradients, workers));
        // If all gradients are finite, the norm is finite, too, unless the sum of squares exceeds the range.
        if self.scaling.guarded && norm.is_some_and(|norm| !norm.is_finite()) {
            return Ok(StepOutcome { loss, norm, taken: false });
        }
        self.optimizer.step(self.parameters, gradients, self.tunings, workers)?;
        if let Some(ema) = &mut self.ema {
            ema.update(self.parameters)?;
        }
        Ok(StepOutcome { loss, norm, taken: true })
    }

    /// Multiplies the settings by the factors that clip norms, and returns the norm of the gradient of the mean
    /// loss.
    fn clip(&mut self, gradients: &Gradients<T>, workers: &mut Workers<'_, T>) -> f64 {
        let Scaling { mean, norm_of, most, .. } = self.scaling;
        let mut squares: SmallVec<[f64; 8]> = SmallVec::from_elem(0.0, most.len());
        let mut all = 0.0;
        for (number, norm) in norm_of.iter().enumerate() {
            if let Some(norm) = *norm {
                let sum = gradients.get(ParameterId::new(number)).sum_of_squares(workers);
                squares[norm] += sum;
                all += sum;
            }
        }
        let members = |chosen: Option<usize>| {
            let numbers = norm_of.iter().enumerate();
            let of = numbers
                .filter(move |(_, norm)| norm.is_some_and(|n| chosen.is_none_or(|c| c == n)));
            of.map(|(number, _)| ParameterId::new(number))
        };
        let norms: SmallVec<[f64; 8]> = squares
            .iter()
            .enumerate()
            .map(|(norm, sum)| match most[norm] {
                Some(_) => root(gradients, *sum, members(Some(norm))) * mean,
                None => 0.0,
            })
            .collect();
        for (tuning, norm) in self.tunings.iter_mut().zip(norm_of) {
            if let Some((norm, max)) = norm.and_then(|norm| Some((norm, most[norm]?))) {
                tuning.scale *= clip_factor(norms[norm], max);
            }
        }
        root(gradients, all, members(None)) * mean
    }

    /// The step as data, for a back end that holds the gradients; `has_gradient` says which parameters have
    /// one. `None` if the optimiser has a rule that only the host can apply.
    ///
    /// # Errors
    /// As [`Optimizer::updates`], and as [`take`](Self::take) for the scaling.
    pub fn updates(
        &mut self,
        has_gradient: &dyn Fn(ParameterId) -> bool,
    ) -> Result<Option<Updates<'_, T>>, LearnError> {
        self.scaling.check(self.parameters.len())?;
        let averages = match &mut self.ema {
            Some(ema) => Some(ema.averages_of(self.parameters)?),
            None => None,
        };
        let updates = self.optimizer.updates(self.parameters, has_gradient, self.tunings)?;
        let (number, scaling) = (self.number, self.scaling);
        Ok(updates.map(|parameters| Updates { number, parameters, averages, scaling }))
    }
}

impl<T> Updates<'_, T> {
    /// Records that the back end has taken the step: the clocks of optimiser and averages advance.
    pub fn finish(self) {
        self.parameters.into_iter().for_each(ParameterUpdate::finish);
        if let Some(averages) = self.averages {
            averages.finish();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradients::Gradient;
    use crate::optimizer::Sgd;
    use crate::parameters::Parameter;

    /// Fault B3 of the fourth list: a scaling that named a norm without an entry in `most` caused a panic.
    #[test]
    fn a_scaling_is_one_of_the_parameters() {
        let mut parameters = Parameters::<f64>::new();
        let id = parameters.push(Parameter::new("p", &[2], vec![1.0; 2]).unwrap()).unwrap();
        let mut gradients = Gradients::new(&parameters);
        gradients.set(id, Gradient::Dense(vec![1.0; 2])).unwrap();
        let mut take = |norm_of: &[Option<usize>], most: &[Option<f64>]| {
            let mut optimizer = Sgd::new(0.5);
            let mut step = ParameterStep {
                number: 0,
                parameters: &mut parameters,
                optimizer: &mut optimizer,
                ema: None,
                tunings: &mut [Tuning::default()],
                scaling: Scaling { mean: 1.0, norm_of, most, guarded: true },
            };
            let data = step.updates(&|_| true).map(drop);
            let taken = step.take(1.0, &gradients, &mut Workers::alone()).map(drop);
            assert_eq!(data.is_err(), taken.is_err());
            taken.map_err(|error| error.to_string())
        };
        let place =
            "the norm of a parameter of Scaling is 1; it must be the place of one in `most`";
        assert_eq!(take(&[Some(1)], &[None]).unwrap_err(), place);
        for wrong in [&[][..], &[None; 2]] {
            let error = take(wrong, &[Some(1.0)]).unwrap_err();
            assert!(error.starts_with("the number of `norm_of` of Scaling is"), "{error}");
        }
        take(&[Some(0)], &[Some(1.0)]).unwrap();
        take(&[None], &[]).unwrap();
    }
}
