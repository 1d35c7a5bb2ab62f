//! Optimisers, and what belongs to a step: schedules of the learning rate, plateaus, groups of parameters.

use edb::Trainer;
use edb::learn::{self, RateSchedule};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::errors::Result;

/// Begins training with an optimiser, in either type of numbers.
type Begin<T> = Box<dyn Fn(edb::Model<T>) -> Trainer<T> + Send + Sync>;

/// An optimiser: `Adam(1e-3)`, for example.
#[pyclass(frozen, subclass, module = "edb")]
pub(crate) struct Optimizer {
    pub(crate) f32: Begin<f32>,
    pub(crate) f64: Begin<f64>,
    text: String,
}

#[pymethods]
impl Optimizer {
    fn __repr__(&self) -> &str {
        &self.text
    }
}

/// The rates of weight decay, which are 0 unless they are given.
fn decayed<M: learn::Method, T: edb::Element>(
    optimizer: learn::Descent<M, T>,
    [coupled, decoupled]: [Option<f64>; 2],
) -> learn::Descent<M, T> {
    let optimizer = match coupled {
        Some(decay) => optimizer.weight_decay(decay),
        None => optimizer,
    };
    match decoupled {
        Some(decay) => optimizer.decoupled_weight_decay(decay),
        None => optimizer,
    }
}

/// A class for an optimiser: its settings with their defaults, and how it is made of them.
macro_rules! optimizer {
    (
        $(#[$doc:meta])*
        $name:ident { $($setting:ident: $type:ty = $default:tt,)* } $make:expr
    ) => {
        $(#[$doc])*
        #[pyclass(frozen, extends = Optimizer, module = "edb")]
        pub(crate) struct $name;

        #[pymethods]
        impl $name {
            #[new]
            #[pyo3(signature = (
                learning_rate, *, $($setting = $default,)* weight_decay = None, decoupled_weight_decay = None
            ))]
            fn new(
                learning_rate: f64,
                $($setting: $type,)*
                weight_decay: Option<f64>,
                decoupled_weight_decay: Option<f64>,
            ) -> Result<PyClassInitializer<Self>> {
                let decay = one_decay(weight_decay, decoupled_weight_decay)?;
                let text = format!(concat!("edb.", stringify!($name), "({})"), learning_rate);
                // Once for each type of numbers: a trainer knows which.
                macro_rules! begin {
                    () => {{
                        $(#[allow(clippy::clone_on_copy)] let $setting = $setting.clone();)*
                        Box::new(move |model| {
                            $(#[allow(clippy::clone_on_copy)] let $setting = $setting.clone();)*
                            Trainer::new(model, decayed($make(learning_rate, $($setting,)*), decay))
                        })
                    }};
                }
                let optimizer = Optimizer { f32: begin!(), f64: begin!(), text };
                Ok(PyClassInitializer::from(optimizer).add_subclass(Self))
            }
        }
    };
}

fn one_decay(coupled: Option<f64>, decoupled: Option<f64>) -> Result<[Option<f64>; 2]> {
    match (coupled, decoupled) {
        (Some(_), Some(_)) => {
            let text = "weight_decay and decoupled_weight_decay exclude each other: give one";
            Err(PyTypeError::new_err(text).into())
        }
        decay => Ok([decay.0, decay.1]),
    }
}

optimizer! {
    /// Stochastic gradient descent, with momentum where it is above 0.
    Sgd { momentum: f64 = 0.0, nesterov: bool = false, } |rate, momentum: f64, nesterov| {
        let sgd = learn::Sgd::new(rate);
        let sgd = if momentum == 0.0 { sgd } else { sgd.momentum(momentum) };
        if nesterov { sgd.nesterov() } else { sgd }
    }
}

optimizer! {
    /// Adam (Kingma and Ba, 2015), with `betas` of 0.9 and 0.999 unless given; with `decoupled_weight_decay`, AdamW.
    Adam { betas: (f64, f64) = (0.9, 0.999), epsilon: f64 = 1e-8, amsgrad: bool = false, }
    |rate, betas: (f64, f64), epsilon, amsgrad| {
        let adam = learn::Adam::new(rate).betas(betas.0, betas.1).epsilon(epsilon);
        if amsgrad { adam.amsgrad() } else { adam }
    }
}

optimizer! {
    /// NAdam (Dozat, 2016), with the `betas` of Adam.
    NAdam { betas: (f64, f64) = (0.9, 0.999), epsilon: f64 = 1e-8, momentum_decay: f64 = 4e-3, }
    |rate, betas: (f64, f64), epsilon, decay| {
        learn::NAdam::new(rate).betas(betas.0, betas.1).epsilon(epsilon).momentum_decay(decay)
    }
}

optimizer! {
    /// RAdam (Liu et al., 2020), with the `betas` of Adam.
    RAdam { betas: (f64, f64) = (0.9, 0.999), epsilon: f64 = 1e-8, }
    |rate, betas: (f64, f64), epsilon| {
        learn::RAdam::new(rate).betas(betas.0, betas.1).epsilon(epsilon)
    }
}

optimizer! {
    /// AdaGrad (Duchi et al., 2011).
    AdaGrad { epsilon: f64 = 1e-10, initial_sum: f64 = 0.0, rate_decay: f64 = 0.0, }
    |rate, epsilon, initial_sum, rate_decay| {
        learn::AdaGrad::new(rate).epsilon(epsilon).initial_sum(initial_sum).rate_decay(rate_decay)
    }
}

optimizer! {
    /// AdaDelta (Zeiler, 2012).
    AdaDelta { decay_rate: f64 = 0.9, epsilon: f64 = 1e-6, } |rate, decay_rate, epsilon| {
        learn::AdaDelta::new(rate).decay_rate(decay_rate).epsilon(epsilon)
    }
}

optimizer! {
    /// RMSProp (Hinton, 2012).
    RmsProp { decay_rate: f64 = 0.99, epsilon: f64 = 1e-8, momentum: f64 = 0.0, centred: bool = false, }
    |rate, decay_rate, epsilon, momentum: f64, centred| {
        let rms = learn::RmsProp::new(rate).decay_rate(decay_rate).epsilon(epsilon);
        let rms = if momentum == 0.0 { rms } else { rms.momentum(momentum) };
        if centred { rms.centred() } else { rms }
    }
}

optimizer! {
    /// Lion (Chen et al., 2023), with `betas` of 0.9 and 0.99 unless given.
    Lion { betas: (f64, f64) = (0.9, 0.99), } |rate, betas: (f64, f64)| {
        learn::Lion::new(rate).betas(betas.0, betas.1)
    }
}

optimizer! {
    /// Muon (Jordan et al., 2024) for matrices, and Adam for all other parameters, and for those whose names end with one
    /// of `adam_for`.
    Muon {
        momentum: f64 = 0.95, adam_for: Option<Vec<String>> = None, betas: (f64, f64) = (0.9, 0.999), epsilon: f64 = 1e-8,
    }
    |rate, momentum, adam_for: Option<Vec<String>>, betas: (f64, f64), epsilon| {
        let muon = learn::Muon::new(rate).momentum(momentum).adam_for(adam_for.unwrap_or_default());
        muon.betas(betas.0, betas.1).epsilon(epsilon)
    }
}

/// Factors of the learning rate, step by step.
#[pyclass(frozen, from_py_object, module = "edb")]
#[derive(Clone, Debug)]
pub(crate) struct Schedule(pub(crate) RateSchedule);

#[pymethods]
impl Schedule {
    /// The same factor in each step.
    #[staticmethod]
    fn constant(factor: f64) -> Self {
        Self(RateSchedule::constant(factor))
    }

    /// Multiplies by `gamma` each `every` steps.
    #[staticmethod]
    fn step(every: u64, gamma: f64) -> Self {
        Self(RateSchedule::step(every, gamma))
    }

    /// Multiplies by `gamma` in each step.
    #[staticmethod]
    fn exponential(gamma: f64) -> Self {
        Self(RateSchedule::exponential(gamma))
    }

    /// Linear from one factor to another in so many steps.
    #[staticmethod]
    fn linear(steps: u64, start: f64, end: f64) -> Self {
        Self(RateSchedule::linear(steps, start, end))
    }

    /// Falls from 1 to `end` along half a cosine in so many steps.
    #[staticmethod]
    fn cosine(steps: u64, end: f64) -> Self {
        Self(RateSchedule::cosine(steps, end))
    }

    /// One cycle of PyTorch's `OneCycleLR`.
    #[staticmethod]
    fn one_cycle(steps: u64) -> Self {
        Self(RateSchedule::one_cycle(steps))
    }

    /// This schedule for `steps` steps, then another.
    fn then(&self, steps: u64, second: &Self) -> Self {
        Self(self.0.clone().then(steps, second.0.clone()))
    }

    /// The product of two schedules.
    fn times(&self, other: &Self) -> Self {
        Self(self.0.clone().times(other.0.clone()))
    }

    /// Multiplies the first `steps` steps by a linear warm-up.
    fn warm_up(&self, steps: u64) -> Self {
        Self(self.0.clone().warm_up(steps))
    }

    /// The factor of a step, counted from 0.
    fn factor(&self, step: u64) -> f64 {
        self.0.factor(step)
    }
}

/// Lowers the learning rate when scores stop improving: `Trainer.observe` is told them.
#[pyclass(frozen, from_py_object, module = "edb")]
#[derive(Clone, Debug)]
pub(crate) struct Plateau(pub(crate) learn::Plateau);

#[pymethods]
impl Plateau {
    #[new]
    #[pyo3(signature = (*, higher_is_better = false, factor = None, patience = None, margin = None, least = None))]
    fn new(
        higher_is_better: bool,
        factor: Option<f64>,
        patience: Option<u64>,
        margin: Option<f64>,
        least: Option<f64>,
    ) -> Self {
        let mut plateau = match higher_is_better {
            true => learn::Plateau::higher_is_better(),
            false => learn::Plateau::lower_is_better(),
        };
        if let Some(factor) = factor {
            plateau = plateau.factor(factor);
        }
        if let Some(patience) = patience {
            plateau = plateau.patience(patience);
        }
        if let Some(margin) = margin {
            plateau = plateau.margin(margin);
        }
        if let Some(least) = least {
            plateau = plateau.least(least);
        }
        Self(plateau)
    }
}

/// Settings for some parameters: those of a function, those whose names begin with a prefix, one by its name, or all biases.
#[pyclass(frozen, from_py_object, module = "edb")]
#[derive(Clone, Debug)]
pub(crate) struct Group(pub(crate) learn::Group);

#[pymethods]
impl Group {
    #[new]
    #[pyo3(signature = (
        *, function = None, parameter = None, prefix = None, biases = false, rate = None, weight_decay = None,
        frozen = false, clip_norm = None, clip_value = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "in Python, they have names")]
    fn new(
        function: Option<&str>,
        parameter: Option<&str>,
        prefix: Option<&str>,
        biases: bool,
        rate: Option<f64>,
        weight_decay: Option<f64>,
        frozen: bool,
        clip_norm: Option<f64>,
        clip_value: Option<f64>,
    ) -> Result<Self> {
        let mut group = match (function, parameter, prefix, biases) {
            (Some(name), None, None, false) => learn::Group::function(name),
            (None, Some(name), None, false) => learn::Group::parameter(name),
            (None, None, Some(prefix), false) => learn::Group::prefix(prefix),
            (None, None, None, true) => learn::Group::biases(),
            _ => {
                let text = "a group is of one of function, parameter, prefix and biases";
                return Err(PyTypeError::new_err(text).into());
            }
        };
        group = group.frozen(frozen);
        if let Some(rate) = rate {
            group = group.rate(rate);
        }
        if let Some(decay) = weight_decay {
            group = group.weight_decay(decay);
        }
        if let Some(most) = clip_norm {
            group = group.clip_norm(most);
        }
        if let Some(most) = clip_value {
            group = group.clip_value(most);
        }
        Ok(Self(group))
    }
}
