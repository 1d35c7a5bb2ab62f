//! Parameter groups: parameters with their own settings.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::error::{LearnError, check_setting};
use crate::gradients::check_bounds;
use crate::optimizer::Tuning;
use crate::parameters::{Parameter, Parameters};
use edb_kernels::element::Element;

/// A parameter group: some parameters, and the settings in which they differ from other parameters.
///
/// A parameter belongs to the first group that selects it. A parameter that several vertex
/// functions share has the name of the first of them.
///
/// ```
/// # extern crate edb_learn as edb;
/// use edb::learn::Group;
///
/// let groups = [
///     Group::parameter("word.table").rate(0.1).weight_decay(0.0),
///     Group::function("phrase").clip_norm(1.0),
///     Group::prefix("encoder").frozen(true),
/// ];
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[must_use]
pub struct Group {
    selector: Selector,
    rate: f64,
    weight_decay: Option<f64>,
    frozen: bool,
    clip_norm: Option<f64>,
    clip_value: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Selector {
    Parameter(String),
    Function(String),
    Prefix(String),
    Biases,
}

impl Selector {
    fn selects<T: Element>(&self, parameter: &Parameter<T>) -> bool {
        let parameter_name = parameter.name();
        match self {
            Self::Parameter(name) => parameter_name == name,
            // The function's name may contain dots; the argument's has none.
            Self::Function(name) => {
                parameter_name.rsplit_once('.').is_some_and(|(function, _)| function == name)
            }
            Self::Prefix(prefix) => parameter_name.starts_with(prefix),
            Self::Biases => parameter.shape().len() < 2,
        }
    }
}

impl std::fmt::Display for Selector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Parameter(name) => write!(f, "parameter `{name}`"),
            Self::Function(name) => write!(f, "function `{name}`"),
            Self::Prefix(prefix) => write!(f, "prefix `{prefix}`"),
            Self::Biases => write!(f, "parameters that are no matrices"),
        }
    }
}

impl Group {
    fn new(selector: Selector) -> Self {
        let (rate, frozen) = (1.0, false);
        Self { selector, rate, weight_decay: None, frozen, clip_norm: None, clip_value: None }
    }

    /// The group of one parameter, by its full name: `word.table`.
    pub fn parameter(name: &str) -> Self {
        Self::new(Selector::Parameter(name.to_owned()))
    }

    /// The group of the parameters of one vertex function, by its name in the model.
    pub fn function(name: &str) -> Self {
        Self::new(Selector::Function(name.to_owned()))
    }

    /// The group of the parameters whose names begin with this.
    pub fn prefix(prefix: &str) -> Self {
        Self::new(Selector::Prefix(prefix.to_owned()))
    }

    /// The group of all vectors and scalars: biases, and the gains of normalisations, which
    /// commonly have no weight decay.
    pub fn biases() -> Self {
        Self::new(Selector::Biases)
    }

    /// Multiplies the learning rate by this; finite and not negative, 1 by default.
    pub fn rate(mut self, factor: f64) -> Self {
        self.rate = factor;
        self
    }

    /// Sets a weight decay in place of the optimiser's; finite and not negative.
    pub fn weight_decay(mut self, decay: f64) -> Self {
        self.weight_decay = Some(decay);
        self
    }

    /// Freezes or unfreezes the parameters. Frozen parameters are not updated, and their gradients are not part
    /// of any norm.
    pub fn frozen(mut self, frozen: bool) -> Self {
        self.frozen = frozen;
        self
    }

    /// Clips the group's gradient to this 2-norm, separately from the other parameters: it is not
    /// part of the norm that `Trainer::clip_norm` clips. Not negative.
    pub fn clip_norm(mut self, max: f64) -> Self {
        self.clip_norm = Some(max);
        self
    }

    /// Clips each value of the group's gradient to this magnitude, in place of
    /// `Trainer::clip_value`. Not negative.
    pub fn clip_value(mut self, max: f64) -> Self {
        self.clip_value = Some(max);
        self
    }

    /// Checks the settings, as a trainer does before its first step.
    ///
    /// # Errors
    ///
    /// [`LearnError::Setting`] for the first that is out of range.
    pub fn check(&self) -> Result<(), LearnError> {
        let owner = format!("the group of {}", self.selector);
        check_bounds(&owner, self.clip_norm, self.clip_value)?;
        for (setting, value) in [("rate", Some(self.rate)), ("weight decay", self.weight_decay)] {
            let value = value.unwrap_or(0.0);
            let valid = value.is_finite() && value >= 0.0;
            check_setting(&owner, setting, value, "finite and not negative", valid)?;
        }
        Ok(())
    }

    /// For each parameter, the index of the first of `groups` that selects it.
    ///
    /// # Errors
    ///
    /// [`LearnError::EmptyGroup`] for a group that selects no parameter.
    pub fn assign<T: Element>(
        groups: &[Group],
        parameters: &Parameters<T>,
    ) -> Result<Vec<Option<usize>>, LearnError> {
        let all = || parameters.iter().map(|(_, parameter)| parameter);
        for group in groups {
            if !all().any(|parameter| group.selector.selects(parameter)) {
                return Err(LearnError::EmptyGroup {
                    selector: group.selector.to_string(),
                    known: all().map(|parameter| parameter.name().to_owned()).collect(),
                });
            }
        }
        let first_group =
            |parameter| groups.iter().position(|group| group.selector.selects(parameter));
        Ok(all().map(first_group).collect())
    }
}

/// The settings of a parameter of a group, given the settings of a parameter without a group.
pub fn tuned(group: &Group, of_others: Tuning) -> Tuning {
    Tuning {
        bound: group.clip_value.unwrap_or(of_others.bound),
        rate: of_others.rate * group.rate,
        weight_decay: group.weight_decay,
        frozen: group.frozen,
        ..of_others
    }
}

/// The 2-norm to which a group's gradient is [clipped](Group::clip_norm).
pub fn most(group: &Group) -> Option<f64> {
    group.clip_norm
}

/// The group of each parameter of a model, cached until the parameters change.
#[derive(Debug, Default)]
pub struct Assignment {
    /// The name of each parameter, and its number of axes.
    known: Vec<(Arc<str>, usize)>,
    groups: Vec<Option<usize>>,
}

impl Assignment {
    /// For each parameter, the index of the first of `groups` that selects it. `groups` must be the
    /// same in every call.
    ///
    /// # Errors
    ///
    /// As [`Group::assign`].
    pub fn get<T: Element>(
        &mut self,
        groups: &[Group],
        parameters: &Parameters<T>,
    ) -> Result<&[Option<usize>], LearnError> {
        let known = self.known.len() == parameters.len()
            && parameters.iter().zip(&self.known).all(|((_, parameter), (name, axes))| {
                let (own, shape) = parameter.identity();
                (Arc::ptr_eq(own, name) || own == name) && shape.len() == *axes
            });
        if !known {
            self.groups = Group::assign(groups, parameters)?;
            let identity = |(_, parameter): (_, &Parameter<T>)| {
                (parameter.shared_name(), parameter.shape().len())
            };
            self.known = parameters.iter().map(identity).collect();
        }
        Ok(&self.groups)
    }
}
