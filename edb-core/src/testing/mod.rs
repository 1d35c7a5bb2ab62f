//! Testing tools: compiled runs against the eager reference, gradients and products with Hessians
//! against finite differences.
//!
//! They are for users, too: a custom vertex function is tested in a few lines.
//!
//! There are three references, which share as little as possible with what they check:
//!
//! - The eager function (`edb_vertex::eager`): the user's function, called as a plain Rust
//!   function, in `f64`. Its tensors are dual numbers, so that it also computes an exact
//!   directional derivative by forward mode, which shares no rule with the gradients of `edb-ir`.
//! - The interpreter: the same for programs that were built by hand, before any pass has changed
//!   them.
//! - Differences (`gradient_check`): the change of the loss when an element of a parameter changes.
//!
//! A decision (an index that is the greatest of some numbers, or drawn) could differ where two of
//! them nearly tie. So the first two references follow the decisions of the compiled run and check
//! each: what was chosen must be the greatest, or what the draw chooses, up to rounding. A decision
//! is found again by its site: its place among the ops of the function that draw or decide, in the
//! order in which the function executes them.
//!
//! `compiled_equals_eager` compares every policy, on one thread and on two, with the first or the
//! second, forward and backward.

mod closeness;
mod one_function;
mod oracle;
#[cfg(feature = "f64")]
mod second;

pub use edb_model::model::TestBuilder;
pub use one_function::check_function;
pub use oracle::EagerRun;
#[cfg(feature = "f64")]
pub use second::hessian_check;

use closeness::{Tolerance, size};
use oracle::{Objective, run_eagerly};

use crate::device::Device;
use crate::engine::training::check_owns;
use crate::engine::{Engine, EngineError, Run, Seeds};
use edb_ir::ValueId;
use edb_kernels::element::Element;
use edb_learn::learn::Gradients;
use edb_model::graph::{FlatBatch, InputCell, Minibatch};
use edb_model::model::Model;
use edb_schedule::Policy;
use edb_vertex::eager::Decision;
use edb_vertex::eager::context::Followed;
use edb_vertex::eager::rounded::Rounded;
use edb_vertex::port::FieldKind;

/// How a compiled run is compared with the eager one.
#[derive(Clone, Debug)]
pub struct Check {
    /// The greatest difference, relative to the largest element of the tensor; by default 1e-4 in
    /// `f32` and 1e-10 in `f64`. Where larger terms cancel, the difference may also be what results
    /// if each operation is off by a hundredth of this, relative to its result.
    pub tolerance: Option<f64>,
    /// The policies to run with.
    pub policies: Vec<Policy>,
    /// The devices to run on: by default the CPU with one thread, and with two.
    pub devices: Vec<Device>,
    /// Along how many random directions derivatives are compared.
    pub directions: u64,
    /// Seed and step for dropout.
    pub draws: (u64, u64),
}

impl Default for Check {
    fn default() -> Self {
        Self {
            tolerance: None,
            policies: Policy::ALL.to_vec(),
            devices: vec![Device::cpu(), Device::cpu().threads(2)],
            directions: 2,
            draws: (0, 0),
        }
    }
}

/// A difference between a compiled run and its reference.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Mismatch {
    /// The product of a Hessian and a direction differs.
    #[error(
        "a product with the Hessian is {apart:.1e} of its length apart from differences of gradients"
    )]
    Product {
        /// By which part of the product's length.
        apart: f64,
    },
    /// A value differs.
    #[error("policy {policy}, {device}: {what} of vertex {vertex} is {compiled}, eagerly {eager}")]
    Value {
        /// The policy.
        policy: Policy,
        /// The device.
        device: String,
        /// Which of the vertex's results, with the element.
        what: String,
        /// The vertex, counted over the minibatch.
        vertex: usize,
        /// Its value in the compiled run.
        compiled: f64,
        /// Its value in the eager run.
        eager: f64,
    },
    /// The gradient does not give the directional derivative.
    #[error(
        "policy {policy}, {device}: the derivative along direction {direction} is \
         {compiled} by the gradient, {eager} eagerly"
    )]
    Derivative {
        /// The policy.
        policy: Policy,
        /// The device.
        device: String,
        /// The direction.
        direction: u64,
        /// The derivative by the compiled gradient.
        compiled: f64,
        /// The derivative by forward-mode differentiation of the eager run.
        eager: f64,
    },
    /// A component of the gradient differs from the difference quotient.
    #[error(
        "the gradient of `{parameter}` at element {element} is {gradient}, by differences {difference}"
    )]
    Gradient {
        /// The parameter.
        parameter: String,
        /// The element.
        element: usize,
        /// The compiled gradient.
        gradient: f64,
        /// The central difference quotient.
        difference: f64,
    },
    /// The compiled run failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

edb_kernels::debug_is_display!(Mismatch);

/// Runs a minibatch eagerly: one vertex, one op at a time, in `f64`, without dropout.
///
/// # Errors
/// When the minibatch is of another model, or a device has newer parameters that cannot be read.
pub fn eager<T: Element>(model: &Model<T>, batch: &Minibatch<T>) -> Result<EagerRun, EngineError> {
    check_owns(model, batch)?;
    model.parameters().fetch()?;
    Ok(run_eagerly(model, batch, &Objective { direction: 0, draws: None }, &[]))
}

/// Compares compiled runs of a minibatch with the eager one, which follows their decisions: that
/// each decision was right, up to rounding, every state, output and loss, and the gradient along
/// random directions through parameters and inputs, for every policy and device. Dropout draws as
/// in training. Where the two sides of a condition (`if a < b`) are equal up to rounding, either
/// arm is right: then no difference in the values of that graph is an error, nor one of the
/// gradient.
///
/// # Errors
/// The first difference beyond the tolerance; and when the minibatch does not run.
pub fn compiled_equals_eager<T: Element>(
    model: &Model<T>,
    batch: &Minibatch<T>,
    check: &Check,
) -> Result<(), Mismatch> {
    check_owns(model, batch)?;
    let mut eager = Reference::new(model, batch, check, check.draws)?;
    for device in &check.devices {
        for policy in &check.policies {
            let engine = Engine::on(device)?;
            let mut engine = engine.policy(policy.clone()).seed(check.draws.0);
            let mut run = engine.forward(model, batch, check.draws.1)?;
            let found = eager.compare(&mut run);
            found.map_err(|failure| failure.under(policy, &device.to_string()))?;
        }
    }
    Ok(())
}

/// Compares a run of graphs that have grown, in training, with the eager run of what they have
/// become, which follows its decisions; and then, as [`compiled_equals_eager`] does, all policies
/// and devices on what they have become. The run goes backward for this.
///
/// # Errors
/// As [`compiled_equals_eager`]; when nothing was kept for a backward pass.
pub fn grown_equals_eager<T: Element>(run: &mut Run<'_, T>, check: &Check) -> Result<(), Mismatch> {
    let (model, batch, draws) = (run.model, run.minibatch().clone(), run.draws()?);
    let found = Reference::new(model, &batch, check, draws)?.compare(run);
    found.map_err(|failure| failure.under(&run.policy(), "the run that has grown"))?;
    compiled_equals_eager(model, &batch, &Check { draws, ..check.clone() })
}

/// The eager run of a minibatch, with which compiled ones are compared.
struct Reference<'a, T> {
    model: &'a Model<T>,
    batch: &'a Minibatch<T>,
    check: &'a Check,
    draws: (u64, u64),
    tolerance: Tolerance,
    /// The decisions that it has followed: runs that make the same ones share it.
    followed: Vec<Vec<Decision>>,
    eager: EagerRun,
}

impl<'a, T: Element> Reference<'a, T> {
    fn new(
        model: &'a Model<T>,
        batch: &'a Minibatch<T>,
        check: &'a Check,
        draws: (u64, u64),
    ) -> Result<Self, EngineError> {
        model.parameters().fetch()?;
        let tolerance = Tolerance::new::<T>(check.tolerance);
        let eager = run_eagerly(model, batch, &Objective { direction: 0, draws: Some(draws) }, &[]);
        Ok(Self { model, batch, check, draws, tolerance, followed: Vec::new(), eager })
    }

    /// Compares a run of the minibatch, forward and backward. Where a condition of the eager run is
    /// so close that rounding decides it, both arms are right, and a difference says nothing.
    fn compare(&mut self, run: &mut Run<'_, T>) -> Result<(), Failure> {
        let found = self.compare_results(run);
        // Of graphs with such a condition nothing is known, nor of sums over all.
        let graphs = self.batch.graphs();
        let is_open = |graph: Option<u32>| {
            self.eager.compared.iter().any(|(vertex, pair)| {
                graph.is_none_or(|graph| graph == graphs[*vertex]) && self.tolerance.is_open(*pair)
            })
        };
        match found {
            Err(Failure::Differs { vertex, .. }) if is_open(Some(graphs[vertex])) => Ok(()),
            Err(Failure::Derivative { .. }) if is_open(None) => Ok(()),
            found => found,
        }
    }

    fn compare_results(&mut self, run: &mut Run<'_, T>) -> Result<(), Failure> {
        let Self { model, batch, tolerance, .. } = *self;
        let lists = FlatBatch::of(batch);
        let objective = |direction| Objective { direction, draws: Some(self.draws) };
        let decided = decisions(lists, run)?;
        if decided.iter().any(|made| !made.is_empty()) && decided != self.followed {
            self.eager = run_eagerly(model, batch, &objective(0), &decided);
            self.followed = decided;
        }
        compare_decisions(model, lists, &self.eager, tolerance)?;
        for vertex in lists.own_vertices().map(|vertex| vertex as usize) {
            Found::at(vertex, model, lists, run)?.compare(vertex, &self.eager, tolerance)?;
        }
        let gradients = run.backward_with(&weights(model, lists, run))?;
        for direction in 0..self.check.directions {
            let objective = objective(direction);
            let eager = match direction {
                0 => self.eager.derivative,
                _ => run_eagerly(model, batch, &objective, &self.followed).derivative,
            };
            let (compiled, scale) = derivative(model, lists, run, &gradients, &objective)?;
            if !tolerance.holds(compiled, eager, scale) {
                return Err(Failure::Derivative { direction, compiled, eager: eager.value });
            }
        }
        Ok(())
    }
}

/// The weights of pushed outputs in the objective.
fn weights<T: Element>(model: &Model<T>, batch: &FlatBatch, run: &Run<'_, T>) -> Seeds<T> {
    let mut seeds = Seeds::new();
    for vertex in batch.own_vertices().map(|vertex| vertex as usize) {
        let function = model.bound().pushing(batch.functions()[vertex]);
        let graph = batch.graphs()[vertex] as usize;
        let number = batch.number(vertex as u32) as usize;
        let items = run.batch().items(model.bound(), run.place_of(batch, vertex as u32)).len();
        let tensors = || function.output.iter().filter(|field| field.kind == FieldKind::Tensor);
        for (item, field) in (0..items).flat_map(|item| tensors().map(move |field| (item, field))) {
            let weight = |element| {
                let field = item * function.output.len() + usize::from(field.program_field);
                T::from_f64(Objective::weight(vertex as u32, field, element))
            };
            let width = function.value(field.value).width;
            let values: Vec<T> = (0..width).map(weight).collect();
            seeds.push_nth_at(graph, number, item, &field.name, &values);
        }
    }
    seeds
}

/// Why a run cannot be accepted: it differs from the eager one, or could not be read.
#[derive(Debug)]
enum Failure {
    Differs { what: String, vertex: usize, compiled: f64, eager: f64 },
    Derivative { direction: u64, compiled: f64, eager: f64 },
    Engine(EngineError),
}

impl Failure {
    fn under(self, policy: &Policy, device: &str) -> Mismatch {
        let (policy, device) = (policy.clone(), device.to_string());
        match self {
            Self::Differs { what, vertex, compiled, eager } => {
                Mismatch::Value { policy, device, what, vertex, compiled, eager }
            }
            Self::Derivative { direction, compiled, eager } => {
                Mismatch::Derivative { policy, device, direction, compiled, eager }
            }
            Self::Engine(error) => error.into(),
        }
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        Self::Engine(error)
    }
}

/// The decisions of each vertex of a run.
fn decisions<T: Element>(
    batch: &FlatBatch,
    run: &Run<'_, T>,
) -> Result<Vec<Vec<Decision>>, EngineError> {
    let mut decisions = vec![Vec::new(); batch.functions().len()];
    for vertex in batch.own_vertices() {
        decisions[vertex as usize] = run.decisions(run.place_of(batch, vertex))?;
    }
    Ok(decisions)
}

/// Checks that the decisions that the eager run has followed were right: that what was chosen is
/// the greatest, up to rounding, or what the draw chooses.
fn compare_decisions<T: Element>(
    model: &Model<T>,
    batch: &FlatBatch,
    eager: &EagerRun,
    tolerance: Tolerance,
) -> Result<(), Failure> {
    for (vertex, Followed { decision, chosen, least, scale }) in &eager.followed {
        let (compiled, expected) = (chosen.value, Rounded::of_value(*least));
        if !tolerance.holds(compiled, expected, *scale) {
            let name = &model.bound().functions[batch.functions()[*vertex]].name;
            let what = format!("what decision {} chose (`{name}`)", decision.site);
            return Err(Failure::Differs {
                what,
                vertex: *vertex,
                compiled,
                eager: expected.value,
            });
        }
    }
    Ok(())
}

/// What a run has computed at a vertex, as an [`EagerRun`] has it.
struct Found<'a> {
    function: &'a str,
    states: Vec<Vec<f64>>,
    outputs: Vec<Vec<f64>>,
    loss: f64,
}

impl<'a> Found<'a> {
    fn at<T: Element>(
        vertex: usize,
        model: &Model<T>,
        batch: &FlatBatch,
        run: &'a Run<'_, T>,
    ) -> Result<Self, EngineError> {
        let first = run.place_of(batch, vertex as u32);
        let last = run.batch().last(first);
        let function = run.function(last);
        let numbers = |of: u32, ids: &[ValueId]| -> Result<Vec<Vec<f64>>, EngineError> {
            ids.iter().map(|id| run.numbers(of, *id)).collect()
        };
        let states = numbers(last, &function.plan.program.scatter)?;
        // The fields of all items of a list, one after the other.
        let mut outputs = Vec::new();
        for item in run.batch().items(model.bound(), first) {
            let of = &model.bound().functions[run.batch().functions()[item as usize]];
            outputs.extend(numbers(item, &of.plan.program.push)?);
        }
        let of_sections = run.batch().path(first).map(|section| run.loss_of(section));
        let loss = of_sections.sum::<Result<f64, EngineError>>()?;
        Ok(Self { function: &function.name, states, outputs, loss })
    }

    /// Compares it with what the eager run has computed at the vertex.
    fn compare(
        &self,
        vertex: usize,
        eager: &EagerRun,
        tolerance: Tolerance,
    ) -> Result<(), Failure> {
        let differs = |what: &str, compiled: f64, eager: f64| {
            let what = format!("{what} (`{}`)", self.function);
            Err(Failure::Differs { what, vertex, compiled, eager })
        };
        let same_number = |what: &str, compiled: usize, eager: usize| match compiled == eager {
            true => Ok(()),
            false => differs(what, compiled as f64, eager as f64),
        };
        let compare_all = |what: &str,
                           compiled: &[Vec<f64>],
                           eager: &[Vec<f64>],
                           errors: &[Vec<f64>]|
         -> Result<(), Failure> {
            same_number(&format!("the number of {what} fields"), compiled.len(), eager.len())?;
            for (field, (compiled, eager)) in compiled.iter().zip(eager).enumerate() {
                let what = format!("{what} field {field}");
                same_number(&format!("the length of {what}"), compiled.len(), eager.len())?;
                let scale = size(eager.iter().copied());
                for (element, (compiled, eager)) in compiled.iter().zip(eager).enumerate() {
                    let expected = Rounded { value: *eager, error: errors[field][element] };
                    if !tolerance.holds(*compiled, expected, scale) {
                        return differs(&format!("element {element} of {what}"), *compiled, *eager);
                    }
                }
            }
            Ok(())
        };
        let errors = &eager.errors;
        compare_all("state", &self.states, &eager.states[vertex], &errors.states[vertex])?;
        compare_all("output", &self.outputs, &eager.outputs[vertex], &errors.outputs[vertex])?;
        let expected = Rounded { value: eager.losses[vertex], error: errors.losses[vertex] };
        match tolerance.holds(self.loss, expected, 0.0) {
            true => Ok(()),
            false => differs("the loss", self.loss, expected.value),
        }
    }
}

/// The derivative along the objective's direction by the compiled gradient, and the sum of the
/// absolute values of its terms.
fn derivative<T: Element>(
    model: &Model<T>,
    batch: &FlatBatch,
    run: &Run<'_, T>,
    gradients: &Gradients<T>,
    objective: &Objective,
) -> Result<(f64, f64), EngineError> {
    let (mut sum, mut scale) = (0.0, 0.0);
    let mut add = |gradient: f64, direction: f64| {
        sum += gradient * direction;
        scale += (gradient * direction).abs();
    };
    for (id, _) in model.parameters().iter() {
        for (element, gradient) in gradients.to_dense(id).iter().enumerate() {
            add(gradient.as_f64(), objective.of_parameter(id.index(), element));
        }
    }
    for vertex in batch.own_vertices().map(|vertex| vertex as usize) {
        let function = &model.bound().functions[batch.functions()[vertex]];
        let graph = batch.graphs()[vertex] as usize;
        let number = batch.number(vertex as u32) as usize;
        for (field, cell) in function.input.iter().zip(batch.inputs(vertex as u32)) {
            let InputCell::Data { start, .. } = cell else { continue };
            let Some(row) = run.input_gradient_at(graph, number, &field.name)? else { continue };
            for (element, gradient) in row.iter().enumerate() {
                add(gradient.as_f64(), objective.of_input(*start as usize + element));
            }
        }
    }
    Ok((sum, scale))
}

/// Compares the compiled gradient of the summed loss with central differences, in every element of
/// every parameter (or in about `samples` of them, evenly spread, if a parameter has more).
///
/// `step` is the size of the change, such as 1e-5; `tolerance` is relative to the largest of the
/// parameter's elements that are compared. A difference that rounding of the losses explains is
/// also allowed.
///
/// # Errors
/// The first element that differs by more; and when the minibatch does not run.
#[cfg(feature = "f64")]
pub fn gradient_check(
    model: &mut Model<f64>,
    batch: &Minibatch<f64>,
    samples: usize,
    step: f64,
    tolerance: f64,
) -> Result<(), Mismatch> {
    let mut engine = Engine::new();
    let gradients = engine.forward(model, batch, 0)?.backward()?;
    // With the engine's dropout draws.
    let objective = Objective { direction: 0, draws: Some((0, 0)) };
    let eager = run_eagerly(model, batch, &objective, &[]);
    // Either of the two losses may be off by its rounding.
    let of_roundings = f64::EPSILON * eager.errors.losses.iter().sum::<f64>() / step;
    let of_roundings = if of_roundings.is_finite() { of_roundings } else { 0.0 };
    let tolerance = Tolerance::new::<f64>(Some(tolerance));
    let ids: Vec<_> = model.parameters().iter().map(|(id, _)| id).collect();
    for id in ids {
        let gradient = gradients.to_dense(id);
        let every = gradient.len().div_ceil(samples.max(1)).max(1);
        let scale = size(gradient.iter().step_by(every).copied());
        for (element, &gradient) in gradient.iter().enumerate().step_by(every) {
            let original = model.parameters().get(id).fetched()[element];
            let change = |model: &mut Model<f64>, value: f64| {
                let parameter = model.parameters_mut().get_mut(id);
                parameter.storage_mut().fetched_mut().1[element] = value;
            };
            let mut losses = [0.0; 2];
            for (loss, sign) in losses.iter_mut().zip([1.0, -1.0]) {
                change(model, original + sign * step);
                *loss = engine.forward(model, batch, 0)?.loss()?;
            }
            change(model, original);
            let difference = (losses[0] - losses[1]) / (2.0 * step);
            let explained = (gradient - difference).abs() <= of_roundings;
            let expected = Rounded { value: difference, error: 0.0 };
            if !explained && !tolerance.holds(gradient, expected, scale) {
                let parameter = model.parameters().get(id).name().to_string();
                return Err(Mismatch::Gradient { parameter, element, gradient, difference });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
