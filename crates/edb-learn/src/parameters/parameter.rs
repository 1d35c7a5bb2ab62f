//! Parameters: the named tensors that training changes.

use std::sync::Arc;

use derive_where::derive_where;
use ndarray::{ArrayViewD, ArrayViewMutD, IxDyn};
use smallvec::SmallVec;

use super::storage::Storage;
use crate::error::LearnError;
use edb_kernels::element::Element;

/// The shape of a parameter, row-major.
pub type Sizes = SmallVec<[usize; 2]>;

/// The name and the shape of a parameter, which distinguish it from parameters of other models.
pub(crate) type Identity<'a> = (&'a Arc<str>, &'a [usize]);

/// Checks that the parameter `found` is the expected one.
pub(crate) fn check_same(
    what: &'static str,
    expected: Option<Identity<'_>>,
    found: Option<Identity<'_>>,
) -> Result<(), LearnError> {
    let is_same = match (expected, found) {
        (Some((name, shape)), Some((found, other))) => {
            // Most often both share one name, so pointers are compared first.
            shape == other && (Arc::ptr_eq(name, found) || name == found)
        }
        (expected, found) => expected.is_none() && found.is_none(),
    };
    if is_same {
        return Ok(());
    }
    let own = |(name, shape): Identity<'_>| Box::new((name.to_string(), shape.to_vec()));
    Err(LearnError::OtherParameters { what, expected: expected.map(own), found: found.map(own) })
}

/// Checks that all parameters `found` are the expected ones.
pub fn check_all_same<'a>(
    what: &'static str,
    expected: impl IntoIterator<Item = Identity<'a>>,
    found: impl IntoIterator<Item = Identity<'a>>,
) -> Result<(), LearnError> {
    let (mut expected, mut found) = (expected.into_iter(), found.into_iter());
    loop {
        let (expected, found) = (expected.next(), found.next());
        check_same(what, expected, found)?;
        if expected.is_none() {
            return Ok(());
        }
    }
}

/// Checks that each parameter has as many values as its shape holds, since a back end may have exchanged the
/// storage.
///
/// # Errors
/// [`LearnError::ValueCount`], which names the first parameter that has more or fewer values.
pub fn check_counts<T: Element>(parameters: &Parameters<T>) -> Result<(), LearnError> {
    for (_, parameter) in parameters.iter() {
        if parameter.len() != parameter.shape.iter().product::<usize>() {
            return Err(parameter.wrong_count(parameter.len()));
        }
    }
    Ok(())
}

/// The id of a parameter in a [`Parameters`]: its position in the order they were pushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParameterId(u32);

impl ParameterId {
    /// The parameter at a position of [`Parameters`]. If there is no such parameter, methods that take the id
    /// panic or return an error.
    ///
    /// # Panics
    /// From `2^32` on.
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("a model has fewer than 2^32 parameters"))
    }

    /// The position of the parameter, from zero.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A named tensor that training changes, in canonical row-major order. Two are equal if their names,
/// shapes and values are, whatever their versions.
#[derive(Debug)]
#[derive_where(Clone, PartialEq; T: Element)]
pub struct Parameter<T> {
    // Shared with the gradients, which are created in every step.
    name: Arc<str>,
    shape: Sizes,
    storage: Storage<T>,
}

impl<T: Element> Parameter<T> {
    /// A parameter with this shape: `[m, n]` for a matrix, `[n]` for a vector, `[]` for a scalar.
    ///
    /// By convention, the name consists of the names of the vertex function and of its argument: `phrase.u`.
    ///
    /// # Errors
    ///
    /// [`LearnError::ShapeTooLarge`], [`LearnError::Memory`], and [`LearnError::ValueCount`] unless
    /// `values` has as many values as the shape holds.
    pub fn new(name: &str, shape: &[usize], values: Vec<T>) -> Result<Self, LearnError> {
        if value_count(name, shape)? != values.len() {
            return Err(LearnError::ValueCount {
                parameter: name.to_owned(),
                shape: shape.to_vec(),
                values: values.len(),
            });
        }
        let storage = Storage::new(&values);
        let storage = storage.map_err(LearnError::memory::<T>(name, values.len()))?;
        Ok(Self { name: name.into(), shape: shape.into(), storage })
    }

    fn wrong_count(&self, values: usize) -> LearnError {
        let (parameter, shape) = (self.name.to_string(), self.shape.to_vec());
        LearnError::ValueCount { parameter, shape, values }
    }

    /// Fails unless there are as many values as the shape needs: a back end may have replaced the storage by one of
    /// another size.
    fn check_count(&self) -> Result<(), LearnError> {
        match self.len() == self.shape.iter().product::<usize>() {
            true => Ok(()),
            false => Err(self.wrong_count(self.len())),
        }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The shape.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The values, row-major. Newer values on a device are copied to the host first.
    ///
    /// # Errors
    ///
    /// [`LearnError::Stale`] if a device has newer values that cannot be read.
    pub fn values(&self) -> Result<&[T], LearnError> {
        self.storage.values(&*self.name)
    }

    /// The values, row-major. [`Parameters::fetch`] must have succeeded since a device last changed them.
    ///
    /// # Panics
    /// When a device has newer values that have not been fetched.
    pub fn fetched(&self) -> &[T] {
        self.storage.fetched()
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.storage.len()
    }

    /// Whether it has no values.
    pub fn is_empty(&self) -> bool {
        self.storage.is_empty()
    }

    /// The values, row-major, to be changed.
    ///
    /// # Errors
    ///
    /// As [`values`](Self::values).
    pub fn values_mut(&mut self) -> Result<&mut [T], LearnError> {
        self.storage.values_mut(&*self.name)
    }

    /// Replaces all values, row-major. Values on a device are not read.
    ///
    /// # Errors
    ///
    /// [`LearnError::ValueCount`] unless there are as many as the shape holds.
    pub fn set_values(&mut self, values: &[T]) -> Result<(), LearnError> {
        if values.len() != self.len() {
            return Err(self.wrong_count(values.len()));
        }
        self.storage.replace(values);
        Ok(())
    }

    /// The parameter as an array of its shape.
    ///
    /// # Errors
    ///
    /// As [`values`](Self::values); [`LearnError::ValueCount`] if the [storage](Self::storage_mut) was replaced by
    /// one with another number of values.
    pub fn view(&self) -> Result<ArrayViewD<'_, T>, LearnError> {
        self.check_count()?;
        Ok(ArrayViewD::from_shape(IxDyn(&self.shape), self.values()?).expect(FILLED))
    }

    /// The parameter as an array of its shape, to be changed.
    ///
    /// # Errors
    ///
    /// As [`view`](Self::view).
    pub fn view_mut(&mut self) -> Result<ArrayViewMutD<'_, T>, LearnError> {
        self.check_count()?;
        let values = self.storage.values_mut(&*self.name)?;
        Ok(ArrayViewMutD::from_shape(IxDyn(&self.shape), values).expect(FILLED))
    }

    /// A number that changes whenever the values may have changed.
    pub fn version(&self) -> u64 {
        self.storage.version()
    }

    /// The storage of the values.
    pub fn storage(&self) -> &Storage<T> {
        &self.storage
    }

    /// The storage of the values, for a back end that updates them.
    pub fn storage_mut(&mut self) -> &mut Storage<T> {
        &mut self.storage
    }

    /// Its name, its shape and its storage.
    pub(crate) fn parts_mut(&mut self) -> (&str, &[usize], &mut Storage<T>) {
        (&self.name, &self.shape, &mut self.storage)
    }

    pub(crate) fn shared_name(&self) -> Arc<str> {
        Arc::clone(&self.name)
    }

    /// Its name and its shape.
    pub(crate) fn identity(&self) -> Identity<'_> {
        (&self.name, &self.shape)
    }
}

/// The reason, for `expect`, why the values always fit the shape.
pub(crate) const FILLED: &str = "the values were counted when the parameter was made";

/// How many values a shape holds.
///
/// The bound is that of ndarray: the product of the dimensions that are not zero must fit an `isize`, even if
/// another dimension is zero.
pub(crate) fn value_count(name: &str, shape: &[usize]) -> Result<usize, LearnError> {
    shape
        .iter()
        .try_fold(1_usize, |product, &dim| product.checked_mul(dim.max(1)))
        .filter(|&product| isize::try_from(product).is_ok())
        .map(|product| if shape.contains(&0) { 0 } else { product })
        .ok_or_else(|| LearnError::ShapeTooLarge {
            parameter: name.to_owned(),
            shape: shape.to_vec(),
        })
}

/// An ordered set of parameters with unique names.
#[derive(Debug)]
#[derive_where(Clone, PartialEq; T: Element)]
#[derive_where(Default)]
pub struct Parameters<T> {
    parameters: Vec<Parameter<T>>,
}

impl<T: Element> Parameters<T> {
    /// No parameters.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a parameter at the end.
    ///
    /// # Errors
    ///
    /// [`LearnError::DuplicateName`].
    pub fn push(&mut self, parameter: Parameter<T>) -> Result<ParameterId, LearnError> {
        if self.find(parameter.name()).is_some() {
            return Err(LearnError::DuplicateName { parameter: parameter.name().to_owned() });
        }
        let id = ParameterId::new(self.parameters.len());
        self.parameters.push(parameter);
        Ok(id)
    }

    /// A parameter.
    ///
    /// # Panics
    ///
    /// If `id` is of another set, one with more parameters.
    pub fn get(&self, id: ParameterId) -> &Parameter<T> {
        &self.parameters[id.index()]
    }

    /// A parameter, to be changed.
    ///
    /// # Panics
    ///
    /// If `id` is of another set, one with more parameters.
    pub fn get_mut(&mut self, id: ParameterId) -> &mut Parameter<T> {
        &mut self.parameters[id.index()]
    }

    /// The parameter of a name. Linear in the number of parameters.
    pub fn find(&self, name: &str) -> Option<ParameterId> {
        self.parameters.iter().position(|parameter| parameter.name() == name).map(ParameterId::new)
    }

    /// The parameters, in the order they were pushed.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (ParameterId, &Parameter<T>)> {
        self.parameters.iter().enumerate().map(|(i, parameter)| (ParameterId::new(i), parameter))
    }

    /// The parameters, in the order they were pushed, to be changed.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (ParameterId, &mut Parameter<T>)> {
        self.parameters
            .iter_mut()
            .enumerate()
            .map(|(i, parameter)| (ParameterId::new(i), parameter))
    }

    /// The values of all parameters as one vector, for an optimiser that has one: parameter by parameter, in the
    /// order of [`iter`](Self::iter), each row-major. [`Gradients::to_vector`](crate::learn::Gradients::to_vector)
    /// has the same order.
    ///
    /// # Errors
    ///
    /// As [`Parameter::values`].
    pub fn to_vector(&self) -> Result<Vec<T>, LearnError> {
        let mut all = Vec::with_capacity(self.parameters.iter().map(Parameter::len).sum());
        for parameter in &self.parameters {
            all.extend_from_slice(parameter.values()?);
        }
        Ok(all)
    }

    /// Replaces the values of all parameters by those in a vector, which has the order of
    /// [`to_vector`](Self::to_vector).
    ///
    /// # Errors
    ///
    /// [`LearnError::VectorLength`] unless it has as many values as all parameters together.
    pub fn set_vector(&mut self, values: &[T]) -> Result<(), LearnError> {
        let expected = self.parameters.iter().map(Parameter::len).sum();
        if values.len() != expected {
            return Err(LearnError::VectorLength { expected, found: values.len() });
        }
        let mut rest = values;
        for parameter in &mut self.parameters {
            let (own, others) = rest.split_at(parameter.len());
            parameter.set_values(own)?;
            rest = others;
        }
        Ok(())
    }

    /// A clone, if there is memory for it.
    ///
    /// # Errors
    /// [`LearnError::Memory`], which names the first parameter for which there is no memory.
    pub fn try_clone(&self) -> Result<Self, LearnError> {
        let clone = |parameter: &Parameter<T>| {
            let storage = parameter.storage.try_clone();
            let storage =
                storage.map_err(LearnError::memory::<T>(&parameter.name, parameter.len()))?;
            Ok(Parameter { name: parameter.shared_name(), shape: parameter.shape.clone(), storage })
        };
        let parameters = self.parameters.iter().map(clone).collect::<Result<_, LearnError>>()?;
        Ok(Self { parameters })
    }

    /// The names and the shapes of all parameters, in the order they were pushed.
    pub fn identities(&self) -> impl Iterator<Item = Identity<'_>> {
        self.parameters.iter().map(Parameter::identity)
    }

    /// Copies the newest values of all parameters to the host, where a device has them.
    ///
    /// # Errors
    ///
    /// [`LearnError::Stale`], with the number of steps taken when the host's values were current.
    pub fn fetch(&self) -> Result<(), LearnError> {
        self.iter().try_for_each(|(_, parameter)| parameter.values().map(|_| ()))
    }

    /// How many steps had been taken when the values on the host were current; the least number of all
    /// parameters.
    pub fn step_on_host(&self) -> u64 {
        let steps = self.iter().map(|(_, parameter)| parameter.storage.step_on_host());
        steps.min().unwrap_or(0)
    }

    /// The number of parameters (tensors, not values).
    pub fn len(&self) -> usize {
        self.parameters.len()
    }

    /// Whether there are no parameters.
    pub fn is_empty(&self) -> bool {
        self.parameters.is_empty()
    }
}
