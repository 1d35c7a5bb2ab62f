//! The gradients of a set of parameters.
//!
//! The input is the gradient of each parameter, which a back end has summed over the vertices of a
//! minibatch. The results are [`Gradients`] that are added up over the parts of a minibatch, clipped, and
//! read by optimisers. Back ends, `privacy`, `collective` and `steps` call this code.
//!
//! | file | what it holds |
//! | --- | --- |
//! | this file | one gradient per parameter |
//! | `gradient`, `gradient_kind` | the gradient of one parameter: absent, dense, a few rows, or factors; its kind without its values |
//! | `factors` | the gradient of a matrix that is not multiplied out yet |
//! | `part_sums`, `squares` | sums of the gradients of parts; sums of squares |
//! | `statistics` | statistics of gradients |

mod factors;
mod gradient;
mod gradient_kind;
pub mod part_sums;
pub mod squares;
mod statistics;

use std::mem::take;
use std::sync::{Arc, Mutex, PoisonError};

use ndarray::{ArrayD, IxDyn};
use smallvec::SmallVec;

use crate::error::{LearnError, check_setting};
use crate::parameters::{
    FILLED, Identity, Parameter, ParameterId, Parameters, Sizes, Workers, check_all_same,
};
use edb_kernels::element::Element;
use edb_kernels::isa::{Loop, dispatch};
use edb_kernels::room::filled;
use gradient::check_rows;
use squares::{Length, in_range};

pub use factors::Factors;
pub use gradient::Gradient;
pub use gradient_kind::GradientKind;
#[cfg(test)]
pub(crate) use squares::norm_of;
pub use statistics::GradientStatistics;

/// [`sums`] needs no allocation for up to this many parameters.
pub const MOST_SUMS: usize = 16;

/// A gradient, and the name and shape of its parameter.
#[derive(Debug, Clone)]
pub(super) struct ParameterGradient<T> {
    parameter: Arc<str>,
    shape: Sizes,
    pub(super) gradient: Gradient<T>,
    /// Rows and values of an earlier step; their memory is reused.
    pub(super) spare: (Vec<u32>, Vec<T>),
    /// Factors of an earlier step; their memory is reused.
    spare_factors: Factors<T>,
}

/// One gradient for each parameter of a [`Parameters`].
#[derive(Debug, Clone)]
pub struct Gradients<T> {
    pub(super) entries: Vec<ParameterGradient<T>>,
    /// Whether gradients may be kept as [factors](Gradient::Factors).
    factored: bool,
}

impl<T: Element> Gradients<T> {
    /// [`Gradient::Zero`] for each of `parameters`.
    pub fn new(parameters: &Parameters<T>) -> Self {
        Self::shaped(parameters)
    }

    /// Like [`new`](Self::new), but the parameters may have another number type: for sums of `f32` gradients in
    /// `f64`.
    pub fn shaped<U: Element>(parameters: &Parameters<U>) -> Self {
        let entry = |(_, parameter): (_, &Parameter<U>)| ParameterGradient {
            parameter: parameter.shared_name(),
            shape: parameter.shape().into(),
            gradient: Gradient::Zero,
            spare: Default::default(),
            spare_factors: Factors::default(),
        };
        Self { entries: parameters.iter().map(entry).collect(), factored: false }
    }

    /// Replaces the gradient of a parameter.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    ///
    /// # Panics
    /// When there is no such parameter.
    pub fn set(&mut self, id: ParameterId, gradient: Gradient<T>) -> Result<(), LearnError> {
        let entry = &mut self.entries[id.index()];
        entry.check(&gradient)?;
        entry.gradient = gradient;
        Ok(())
    }

    /// Resets all gradients to zero, and keeps their memory for the next step over these
    /// parameters.
    pub fn reset(&mut self) {
        for entry in &mut self.entries {
            match take(&mut entry.gradient) {
                Gradient::Zero => {}
                Gradient::Dense(values) => entry.spare.1 = values,
                Gradient::Rows { rows, values, .. } => entry.spare = (rows, values),
                Gradient::Factors(factors) => entry.spare_factors = factors,
            }
        }
    }

    /// Whether these are gradients of parameters of these shapes and names.
    pub fn fit<U: Element>(&self, parameters: &Parameters<U>) -> bool {
        self.check(parameters.identities()).is_ok()
    }

    /// Checks that these are gradients of parameters with these names and shapes.
    pub(super) fn check<'a>(
        &'a self,
        parameters: impl Iterator<Item = Identity<'a>>,
    ) -> Result<(), LearnError> {
        check_all_same("the gradients", parameters, self.identities())
    }

    /// The names and the shapes of the parameters.
    fn identities(&self) -> impl Iterator<Item = Identity<'_>> {
        self.entries.iter().map(|entry| (&entry.parameter, &entry.shape[..]))
    }

    /// The gradient of a parameter.
    ///
    /// # Panics
    ///
    /// If `id` is of another set, one with more parameters.
    pub fn get(&self, id: ParameterId) -> &Gradient<T> {
        &self.entries[id.index()].gradient
    }

    /// The gradient of a parameter as an array of the parameter's shape.
    ///
    /// # Panics
    ///
    /// If `id` is of another set, one with more parameters.
    pub fn to_dense(&self, id: ParameterId) -> ArrayD<T> {
        let entry = &self.entries[id.index()];
        let mut values = vec![T::zero(); entry.shape.iter().product()];
        for (start, piece) in entry.gradient.pieces() {
            values[start..start + piece.len()].copy_from_slice(piece);
        }
        ArrayD::from_shape_vec(IxDyn(&entry.shape), values).expect(FILLED)
    }

    /// The gradients of all parameters as one vector, in the order of
    /// [`Parameters::to_vector`](crate::learn::Parameters::to_vector); zeros where there is none.
    pub fn to_vector(&self) -> Vec<T> {
        let size = |entry: &ParameterGradient<T>| entry.shape.iter().product::<usize>();
        let mut all = vec![T::zero(); self.entries.iter().map(size).sum()];
        let mut first = 0;
        for entry in &self.entries {
            for (start, piece) in entry.gradient.pieces() {
                all[first + start..][..piece.len()].copy_from_slice(piece);
            }
            first += size(entry);
        }
        all
    }

    /// Adds to the gradient of a parameter.
    ///
    /// The sum of two row gradients has the rows of both; any other sum of nonzero gradients is
    /// dense.
    ///
    /// # Errors
    ///
    /// [`LearnError::DenseGradient`], [`LearnError::RowGradient`] or [`LearnError::FactorGradient`]
    /// unless `gradient` has a form that [`Gradient`] describes, for a parameter of this shape.
    ///
    /// # Panics
    ///
    /// If `id` is of another set, one with more parameters.
    pub fn add(&mut self, id: ParameterId, gradient: Gradient<T>) -> Result<(), LearnError> {
        let entry = &mut self.entries[id.index()];
        entry.check(&gradient)?;
        entry.gradient = take(&mut entry.gradient).plus(gradient);
        Ok(())
    }

    /// Adds the gradients of another minibatch: gradient accumulation.
    ///
    /// # Errors
    ///
    /// [`LearnError::OtherParameters`] if they are of other parameters; nothing is added then.
    pub fn add_all(&mut self, other: Self) -> Result<(), LearnError> {
        other.check(self.identities())?;
        for (entry, other) in self.entries.iter_mut().zip(other.entries) {
            entry.gradient = take(&mut entry.gradient).plus(other.gradient);
        }
        Ok(())
    }

    /// Adds other gradients of the same parameters. The other gradients become zero and keep their memory.
    /// `workers` share the additions.
    ///
    /// # Errors
    /// [`LearnError::OtherParameters`] if they are of other parameters; nothing is added then.
    pub fn absorb(
        &mut self,
        other: &mut Self,
        workers: &mut Workers<'_, T>,
    ) -> Result<(), LearnError> {
        other.check(self.identities())?;
        for (entry, more) in self.entries.iter_mut().zip(&mut other.entries) {
            match (&mut entry.gradient, &more.gradient) {
                (Gradient::Dense(sum), Gradient::Dense(values)) => add_dense(sum, values, workers),
                _ => entry.gradient = take(&mut entry.gradient).plus(take(&mut more.gradient)),
            }
        }
        other.reset();
        Ok(())
    }

    /// The shape of each parameter.
    pub(crate) fn shapes(&self) -> impl Iterator<Item = &[usize]> {
        self.entries.iter().map(|entry| &entry.shape[..])
    }

    /// Moves the gradient of a parameter out; after that it is [`Gradient::Zero`].
    ///
    /// # Panics
    /// When there is no such parameter.
    pub fn take(&mut self, id: ParameterId) -> Gradient<T> {
        take(&mut self.entries[id.index()].gradient)
    }

    /// Multiplies all gradients by `factor`, rounded to `T`.
    pub fn scale(&mut self, factor: f64) {
        let factor = T::from_f64(factor);
        for entry in &mut self.entries {
            for value in entry.gradient.values_mut() {
                *value *= factor;
            }
        }
    }

    /// The 2-norm of all gradients taken as one vector.
    ///
    /// It is summed in `f64`, parameter by parameter, in a fixed order that is the same for dense gradients and
    /// rows. It is infinite if the norm itself exceeds the range of `f64`; this never happens with finite `f32`
    /// gradients.
    pub fn norm(&self) -> f64 {
        let all = (0..self.entries.len()).map(ParameterId::new);
        root(self, all.clone().map(|id| self.sum_of_squares(id)).sum(), all)
    }

    /// The inner product with other gradients of the same parameters, in `f64`.
    ///
    /// # Panics
    ///
    /// If they are of other parameters.
    pub fn dot(&self, other: &Self) -> f64 {
        other.check(self.identities()).unwrap_or_else(|error| panic!("{error}"));
        let pairs = self.entries.iter().zip(&other.entries);
        pairs.map(|(entry, other)| entry.gradient.dot(&other.gradient)).sum()
    }

    /// The sum of the squares of one parameter's gradient, as [`norm`](Self::norm) adds them up.
    ///
    /// # Panics
    ///
    /// If `id` is of another set, one with more parameters.
    pub fn sum_of_squares(&self, id: ParameterId) -> f64 {
        self.get(id).sum_of_squares(&mut Workers::alone())
    }

    /// Scales all gradients so that their [`norm`](Self::norm) is at most `max` (Pascanu et al.,
    /// 2013, "On the difficulty of training recurrent neural networks", algorithm 1), and returns
    /// the norm that they had.
    ///
    /// If `max` is negative or NaN, nothing is clipped, as in [`clip_value`](Self::clip_value). (A `Trainer`
    /// refuses such a value.) Gradients whose norm is not finite do not change;
    /// [`check_finite`](Self::check_finite) reports them.
    pub fn clip_norm(&mut self, max: f64) -> f64 {
        let norm = self.norm();
        let factor = clip_factor(norm, max);
        if factor < 1.0 && norm.is_finite() {
            self.scale(factor);
        }
        norm
    }

    /// Clips each value to the range from `-max` to `max`. NaN stays NaN; a `max` that is negative
    /// or NaN clips nothing, as in [`clip_norm`](Self::clip_norm).
    pub fn clip_value(&mut self, max: f64) {
        if !is_bound(max) {
            return;
        }
        let max = T::from_f64(max);
        for value in self.entries.iter_mut().flat_map(|entry| entry.gradient.values_mut()) {
            if value.abs() > max {
                *value = max.copysign(*value);
            }
        }
    }

    /// Checks that all gradients are finite.
    ///
    /// # Errors
    ///
    /// [`LearnError::NotFinite`] names the first value that is not.
    pub fn check_finite(&self) -> Result<(), LearnError> {
        for entry in &self.entries {
            for (start, piece) in entry.gradient.pieces() {
                if let Some(i) = piece.iter().position(|value| !value.is_finite()) {
                    return Err(LearnError::NotFinite {
                        parameter: entry.parameter.to_string(),
                        index: start + i,
                        value: piece[i].as_f64(),
                    });
                }
            }
        }
        Ok(())
    }
}

/// How many values a thread adds at a time.
pub(super) const VALUES_PER_CHUNK: usize = 1 << 13;

/// Adds dense values; the workers share the work.
fn add_dense<T: Element>(sum: &mut [T], values: &[T], workers: &mut Workers<'_, T>) {
    let chunks = sum.chunks_mut(VALUES_PER_CHUNK).zip(values.chunks(VALUES_PER_CHUNK));
    let chunks: SmallVec<[Mutex<Add<'_, T>>; 64]> =
        chunks.map(|(sum, values)| Mutex::new(Add { sum, values })).collect();
    workers.share(chunks.len(), &|number, _| {
        // Each chunk is locked once.
        let mut chunk = chunks[number].lock().unwrap_or_else(PoisonError::into_inner);
        let Add { sum, values } = &mut *chunk;
        dispatch(Add { sum, values });
    });
}

pub(super) struct Add<'a, T> {
    pub(super) sum: &'a mut [T],
    pub(super) values: &'a [T],
}

impl<T: Element> Loop for Add<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        for (sum, value) in self.sum.iter_mut().zip(self.values) {
            *sum += *value;
        }
    }
}

/// The factor that scales a gradient with this norm to a norm of at most `max`. It is 1 if the norm is at most
/// `max` or not a number, and 0 if the norm is infinite.
pub(crate) fn clip_factor(norm: f64, max: f64) -> f64 {
    if is_bound(max) && norm > max { max / norm } else { 1.0 }
}

/// Whether `max` is valid as a clipping bound: not negative and not NaN. Infinity clips nothing.
pub(crate) fn is_bound(max: f64) -> bool {
    max >= 0.0
}

/// Sets whether gradients may be kept as [factors](Gradient::Factors) from now on.
pub fn set_factored<T: Element>(gradients: &mut Gradients<T>, factored: bool) {
    gradients.factored = factored;
}

/// Memory for the factors of a gradient: `None` unless factors are allowed, the parameter is a
/// matrix of this size, and its gradient is still zero.
pub fn spare_factors<T: Element>(
    gradients: &mut Gradients<T>,
    id: ParameterId,
    size: [usize; 2],
) -> Option<Factors<T>> {
    let entry = &mut gradients.entries[id.index()];
    let free = matches!(entry.gradient, Gradient::Zero) && entry.shape[..] == size;
    (gradients.factored && free).then(|| take(&mut entry.spare_factors))
}

/// Empty vectors for the rows of a gradient and their values, with memory of an earlier step.
pub fn spare_rows<T: Element>(gradients: &mut Gradients<T>, id: ParameterId) -> (Vec<u32>, Vec<T>) {
    let (mut rows, mut values) = take(&mut gradients.entries[id.index()].spare);
    rows.clear();
    values.clear();
    (rows, values)
}

/// Makes room for the dense gradients of parameters, so that [`sums`] need not allocate.
pub fn make_room<T: Element>(
    gradients: &mut Gradients<T>,
    parameters: &[ParameterId],
) -> Result<(), LearnError> {
    for id in parameters {
        let entry = &mut gradients.entries[id.index()];
        let size: usize = entry.shape.iter().product();
        if !matches!(entry.gradient, Gradient::Dense(_)) && entry.spare.1.len() != size {
            let values = filled(T::zero(), size);
            entry.spare.1 = values.map_err(LearnError::memory::<T>(&entry.parameter, size))?;
        }
    }
    Ok(())
}

/// The dense gradients of parameters (each once), to be written, and for each whether it already holds a
/// gradient, to which sums must be added. If not, its values are arbitrary and must be overwritten.
pub fn sums<'a, T: Element>(
    gradients: &'a mut Gradients<T>,
    parameters: &[ParameterId],
) -> SmallVec<[(ParameterId, &'a mut [T], bool); MOST_SUMS]> {
    let mut sums = SmallVec::new();
    for (number, entry) in gradients.entries.iter_mut().enumerate() {
        let Some(&id) = parameters.iter().find(|id| id.index() == number) else { continue };
        let size: usize = entry.shape.iter().product();
        let added = !matches!(entry.gradient, Gradient::Zero);
        if !matches!(entry.gradient, Gradient::Dense(_)) {
            let mut values = take(&mut entry.spare.1);
            if values.len() != size {
                values = vec![T::zero(); size];
            } else if added {
                values.fill(T::zero());
            }
            let dense = Gradient::Dense(values);
            entry.gradient = if added { take(&mut entry.gradient).plus(dense) } else { dense };
        }
        sums.push((id, entry.gradient.values_mut(), added));
    }
    sums
}

/// The kind of each gradient.
pub fn kinds<T: Element>(gradients: &Gradients<T>) -> Vec<GradientKind> {
    gradients.entries.iter().map(|entry| GradientKind::of(&entry.gradient)).collect()
}

/// The norm of the gradients of some parameters, given their sum of squares. It is the root of this sum, unless
/// a square was too large or too small for `f64`.
pub fn root<T: Element>(
    gradients: &Gradients<T>,
    sum: f64,
    of: impl Iterator<Item = ParameterId>,
) -> f64 {
    if in_range::<T>(sum) {
        return sum.sqrt();
    }
    let mut length = Length::default();
    let pieces = of.flat_map(|id| gradients.get(id).pieces());
    pieces.flat_map(|(_, piece)| piece).for_each(|value| length.add(value.as_f64()));
    length.get()
}

/// Checks that gradients belong to parameters with these names and shapes.
///
/// # Errors
/// [`LearnError::OtherParameters`], which names the first that differs.
pub fn check_fits<T: Element, U: Element>(
    gradients: &Gradients<T>,
    parameters: &Parameters<U>,
) -> Result<(), LearnError> {
    gradients.check(parameters.identities())
}

/// Checks that the clipping bounds, if there are any, are valid. A bound of 0 would let nothing learn; who writes it
/// means that nothing is clipped.
pub fn check_bounds(
    owner: &str,
    clip_norm: Option<f64>,
    clip_value: Option<f64>,
) -> Result<(), LearnError> {
    for (setting, max) in [("clip_norm", clip_norm), ("clip_value", clip_value)] {
        let max = max.unwrap_or(f64::INFINITY);
        check_setting(owner, setting, max, "above 0 (leave it out to clip nothing)", max > 0.0)?;
    }
    Ok(())
}

impl<T: Element> ParameterGradient<T> {
    fn check(&self, gradient: &Gradient<T>) -> Result<(), LearnError> {
        let Self { parameter, shape, .. } = self;
        match gradient {
            Gradient::Zero => Ok(()),
            Gradient::Dense(values) if values.len() == shape.iter().product::<usize>() => Ok(()),
            Gradient::Dense(values) => Err(LearnError::DenseGradient {
                parameter: parameter.to_string(),
                shape: shape.to_vec(),
                values: values.len(),
            }),
            Gradient::Rows { width, rows, values } => check_rows(*width, rows, values.len(), shape)
                .map_err(|reason| LearnError::RowGradient {
                    parameter: parameter.to_string(),
                    shape: shape.to_vec(),
                    reason,
                }),
            // The factors themselves always have the length that their terms and size require.
            Gradient::Factors(factors) if factors.terms() > 0 && factors.size() == shape[..] => {
                Ok(())
            }
            Gradient::Factors(factors) => Err(LearnError::FactorGradient {
                parameter: parameter.to_string(),
                shape: shape.to_vec(),
                terms: factors.terms(),
                size: factors.size(),
            }),
        }
    }
}
