//! Statistics of gradients, parameter by parameter.

use super::{Gradients, root};
use crate::error::LearnError;
use crate::parameters::{Parameter, ParameterId, Parameters};
use edb_kernels::element::Element;

/// Statistics of the gradient of one parameter. If a value is infinite or NaN, `norm` is infinite or NaN, too.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct GradientStatistics {
    /// The name of the parameter.
    pub parameter: String,
    /// The 2-norm of the gradient.
    pub norm: f64,
    /// The mean of its values, including the zeros of rows without a gradient.
    pub mean: f64,
    /// The greatest magnitude of its values.
    pub greatest: f64,
    /// The share of its values that are exactly zero, in `[0, 1]`; 1 if no gradient arrived.
    pub zeros: f64,
    /// The 2-norm of the parameter. The norm of an update is about the learning rate times `norm`
    /// for plain SGD; a good one is about a thousandth of this.
    pub parameter_norm: f64,
}

impl GradientStatistics {
    /// The statistics of each parameter, in order.
    ///
    /// # Errors
    ///
    /// [`LearnError::Stale`] if a device has newer parameters that cannot be read.
    pub fn of<T: Element>(
        parameters: &Parameters<T>,
        gradients: &Gradients<T>,
    ) -> Result<Vec<Self>, LearnError> {
        let statistics_of = |(id, parameter): (ParameterId, &Parameter<T>)| {
            let count = parameter.len().max(1) as f64;
            let (mut sum, mut greatest, mut others) = (0.0, 0.0_f64, 0_u64);
            for value in gradients.get(id).pieces().flat_map(|(_, piece)| piece) {
                let value = value.as_f64();
                sum += value;
                greatest = greatest.max(value.abs());
                others += u64::from(value != 0.0);
            }
            let squares = parameter.values()?.iter().map(|value| value.as_f64() * value.as_f64());
            Ok(Self {
                parameter: parameter.name().to_owned(),
                norm: root(gradients, gradients.sum_of_squares(id), std::iter::once(id)),
                mean: sum / count,
                greatest,
                zeros: 1.0 - others as f64 / count,
                parameter_norm: squares.sum::<f64>().sqrt(),
            })
        };
        parameters.iter().map(statistics_of).collect()
    }
}
