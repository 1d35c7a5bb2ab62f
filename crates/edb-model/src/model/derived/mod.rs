//! Models that are derived from another one: their plans are made from its plans.
//!
//! The input is a model. The result is a model that pushes its losses one by one, or a model of the
//! tangents of its functions. The engine calls this code for gradients of single losses and for products with
//! Hessians.
//!
//! Functions, states and graphs keep their numbers; fields and parameters may be added after the existing ones.
//! The parameters have the values of the model's parameters. This file makes a derived model; `losses` and
//! `tangent` choose its plans.

mod losses;
pub mod tangent;

use edb_ir::{IdVec, Plan, Program};

use super::Model;
use super::added::{AddedFunction, PortInfo};
use super::building::ModelBuilder;
use super::error::{ModelError, ModelProblem};
use super::setup::{Setup, SharedParam};
use edb_kernels::element::Element;
use edb_learn::learn::{Initializer, LearnError, ParameterId, Parameters};

pub use losses::VertexLosses;
pub use tangent::Tangent;

/// A model that was derived from another one.
#[derive(Debug)]
pub struct Derived<T: Element> {
    model: Model<T>,
    /// The id of the model from which it was derived.
    of: u64,
    /// Whether its input has further fields, for tangents.
    adds_input: bool,
    /// For each parameter of the original model, the parameter that has its values.
    parameters: Vec<ParameterId>,
    /// The versions of the original model's parameters whose values it has.
    versions: Vec<u64>,
}

impl<T: Element> Derived<T> {
    /// Derives a model. `derive` returns the derived function, or the reason why there is none.
    pub(super) fn new(
        model: &Model<T>,
        derive: impl Fn(&AddedFunction) -> Result<AddedFunction, String>,
        param: Option<fn(&str) -> String>,
    ) -> Result<Self, ModelError> {
        let of_model = model.check_parameters();
        of_model.map_err(|problem| ModelError { problems: vec![problem.into()] })?;
        let mut builder = ModelBuilder::new();
        let mut problems = Vec::new();
        let mut functions = IdVec::new();
        for (source, setup) in &model.bound().sources {
            match derive(source) {
                Ok(derived) => {
                    let setup = setup_beside(setup, source, builder.id(), param);
                    functions.push((derived, setup));
                }
                Err(reason) => {
                    let function = source.plan.program.name.clone();
                    problems.push(ModelProblem::Derived { function, reason });
                }
            }
        }
        if !problems.is_empty() {
            return Err(ModelError { problems });
        }
        builder.functions = functions;
        let derived: Model<T> = builder.build_as(0)?;
        let parameters = model.parameters.iter().map(|(_, of)| derived.parameters.find(of.name()));
        let parameters: Option<Vec<ParameterId>> = parameters.collect();
        let parameters = parameters.expect("its functions have them");
        let versions = vec![0; parameters.len()];
        let (of, adds_input) = (model.bound().id, param.is_some());
        Ok(Self { model: derived, of, adds_input, parameters, versions })
    }

    /// The derived model. It cannot be replaced, so that minibatches that were
    /// [made for it](crate::graph::inside::of_derived) stay valid.
    pub fn model(&self) -> &Model<T> {
        &self.model
    }

    /// The parameters of the derived model, to be changed.
    pub fn parameters_mut(&mut self) -> &mut Parameters<T> {
        &mut self.model.parameters
    }

    /// For each parameter of the original model, the parameter that has its values.
    pub fn parameters(&self) -> &[ParameterId] {
        &self.parameters
    }

    /// Whether it was derived from the model with this id, and adds input or not, as `adds_input` says.
    pub(crate) fn follows(&self, of: u64, adds_input: bool) -> bool {
        self.of == of && self.adds_input == adds_input
    }

    /// Whether it was derived from this model.
    pub fn is_of(&self, model: &Model<T>) -> bool {
        model.bound().id == self.of
    }

    /// Copies the values of those parameters of the model that have changed.
    ///
    /// # Errors
    /// When values cannot be read.
    pub fn take_values(&mut self, model: &Model<T>) -> Result<(), LearnError> {
        let own = self.parameters.iter().zip(&mut self.versions);
        for ((_, parameter), (to, version)) in model.parameters.iter().zip(own) {
            let values = parameter.values()?;
            if *version != parameter.version() {
                self.model.parameters.get_mut(*to).set_values(values)?;
                *version = parameter.version();
            }
        }
        Ok(())
    }
}

/// The plan that a caller's `compile` returns for a plan, after a check that it fits what `derive` makes from
/// the plan's program.
pub(super) fn compiled(
    source: &Plan,
    compile: impl Fn(&Plan) -> Result<Plan, String>,
    derive: fn(&Program) -> Program,
) -> Result<Plan, String> {
    fn fits(plan: &Plan, source: &Plan, derive: fn(&Program) -> Program) -> bool {
        let mut sections = plan.sections.iter().zip(&source.sections);
        plan.program.has_the_ports_of(&derive(&source.program))
            && (&plan.joint, &plan.choices) == (&source.joint, &source.choices)
            && plan.sections.len() == source.sections.len()
            && sections.all(|(section, of)| fits(section, of, derive))
    }
    let plan = compile(source)?;
    match fits(&plan, source, derive) {
        true => Ok(plan),
        false => Err("what it was compiled to has other parameters or ports than its derivative: was that made of \
                      another function?"
            .into()),
    }
}

/// A function with another plan and other ports. It has no compiled kernels, since these belong to the old
/// plan.
pub(super) fn source_beside(
    source: &AddedFunction,
    plan: Plan,
    port: impl Fn(&PortInfo) -> PortInfo,
) -> AddedFunction {
    let states = source.states.iter().map(&port).collect();
    AddedFunction::new(plan, states, port(&source.input), port(&source.output))
}

/// The setup of a derived function: shared parameters, and the parameters added for them, stay shared.
fn setup_beside(
    setup: &Setup,
    source: &AddedFunction,
    model: u64,
    added: Option<fn(&str) -> String>,
) -> Setup {
    let mut shared = Vec::new();
    for (param, of) in &setup.shared {
        let with = |param: String| SharedParam { of: of.of.in_model(model), param };
        if let Some(added) = added {
            shared.push((added(param), with(added(&of.param))));
        }
        shared.push((param.clone(), with(of.param.clone())));
    }
    // The values are copied from the model later.
    let own = source.plan.program.params.iter().map(|param| &param.name);
    let own = own.filter(|param| !setup.shared.iter().any(|(of, _)| of == *param));
    let zeros = |param: &String| {
        let added = added.map(|added| added(param));
        std::iter::once(param.clone()).chain(added).map(|of| (of, Initializer::Zeros.into()))
    };
    Setup { shared, initializers: own.flat_map(zeros).collect(), ..setup.clone() }
}
