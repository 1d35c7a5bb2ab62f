//! The tangent of a model: a model of the tangents of its functions.
//!
//! Its functions, states and graphs are those of the model, with the same numbers. Parameters have
//! their directions beside them, as fields of ports have their tangents.

use edb_ir::tangent::name;
use edb_ir::{IdVec, Plan};

use super::bound::{PortInfo, Source};
use super::error::{ModelError, ModelProblem};
use super::{Model, ModelBuilder, Setup, SharedParam};
use crate::cpu::fused::CompiledKernels;
use crate::element::Element;
use crate::graph::Minibatch;
use crate::learn::{Initializer, LearnError, ParameterId};
use crate::port::FieldKind;

/// The tangent of a model, with which products of vectors and the second derivatives of losses are
/// computed, and directional derivatives of what is pushed: [`Model::tangent`].
///
/// It is used with the model's minibatches, and with its parameters as they are then.
#[derive(Debug)]
pub struct Tangent<T: Element = f32> {
    pub(crate) model: Model<T>,
    /// The id of the model that it is the tangent of.
    pub(crate) of: u64,
    /// For each parameter of the model, that with its values and that with its direction.
    pub(crate) parameters: Vec<[ParameterId; 2]>,
    /// The versions of the model's parameters whose values it has.
    pub(crate) versions: Vec<u64>,
    /// What ran last.
    pub(crate) batch: Option<Minibatch<T>>,
}

impl<T: Element> Model<T> {
    /// The tangent of this model. `compile` makes the tangent of a plan: `tangent` of the crate
    /// `edb-compiler`, for products with the Hessian of the losses, or `gauss_newton` for products
    /// with their Gauss-Newton matrix. The compiled kernels of the macro are those of the functions
    /// themselves, so that kernels of the tangent are interpreted.
    ///
    /// # Errors
    /// When a tangent cannot be compiled, with the reason.
    pub fn tangent(
        &self,
        compile: impl Fn(&Plan) -> Result<Plan, String>,
    ) -> Result<Tangent<T>, ModelError> {
        let mut builder = ModelBuilder::new();
        let mut problems = Vec::new();
        let mut functions = IdVec::new();
        for (source, setup) in &self.bound().sources {
            match compile(&source.plan) {
                Ok(plan) => {
                    let setup = setup_beside(setup, source, builder.id());
                    functions.push((source_beside(source, plan), setup));
                }
                Err(reason) => {
                    let function = source.plan.program.name.clone();
                    problems.push(ModelProblem::Tangent { function, reason });
                }
            }
        }
        if !problems.is_empty() {
            return Err(ModelError { problems });
        }
        builder.functions = functions;
        let model: Model<T> = builder.build(0)?;
        let id = |name: &str| model.parameters.find(name).expect("its functions have it");
        let parameters = self.parameters.iter();
        let parameters =
            parameters.map(|(_, of)| [id(of.name()), id(&name(of.name()))]).collect::<Vec<_>>();
        let versions = vec![0; parameters.len()];
        Ok(Tangent { model, of: self.bound().id, parameters, versions, batch: None })
    }
}

impl<T: Element> Tangent<T> {
    /// Takes over the values of the model's parameters that have changed.
    pub(crate) fn follow(&mut self, model: &Model<T>) -> Result<(), LearnError> {
        let own = self.parameters.iter().zip(&mut self.versions);
        for ((_, parameter), ([to, _], version)) in model.parameters.iter().zip(own) {
            let values = parameter.values()?;
            if *version != parameter.version() {
                self.model.parameters.get_mut(*to).set_values(values)?;
                *version = parameter.version();
            }
        }
        Ok(())
    }
}

/// A function with the tangent of its plan.
fn source_beside(source: &Source, plan: Plan) -> Source {
    let port = |port: &PortInfo| {
        let mut port = port.clone();
        let tensors = port.fields.iter().filter(|(_, kind)| *kind == FieldKind::Tensor);
        let tangents: Vec<_> = tensors.map(|(field, kind)| (name(field), *kind)).collect();
        port.fields.extend(tangents);
        port
    };
    Source {
        plan: plan.into(),
        states: source.states.iter().map(port).collect(),
        input: port(&source.input),
        output: port(&source.output),
        eager: None,
        kernels: CompiledKernels::NONE,
        original: None,
        broken: None,
        section_kernels: Vec::new(),
        section_of: None,
    }
}

/// The setup of the tangent of a function: what is shared is shared with its direction.
fn setup_beside(setup: &Setup, source: &Source, model: u64) -> Setup {
    let mut shared = Vec::new();
    for (param, of) in &setup.shared {
        let with = |param: String| SharedParam { model, param, ..of.clone() };
        shared.push((name(param), with(name(&of.param))));
        shared.push((param.clone(), with(of.param.clone())));
    }
    // The values come from the model.
    let own = source.plan.program.params.iter().map(|param| &param.name);
    let own = own.filter(|param| !setup.shared.iter().any(|(of, _)| of == *param));
    let zeros = |param: &String| {
        [param.clone(), name(param)].map(|param| (param, Initializer::Zeros.into()))
    };
    Setup { shared, initializers: own.flat_map(zeros).collect(), ..setup.clone() }
}
