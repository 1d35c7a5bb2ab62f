//! The tangent of a model: a model of the tangents of its functions.
//!
//! Each parameter gets a further parameter, its direction, and each field of a port gets a further field, its
//! tangent.

use edb_ir::tangent::name;
use edb_ir::{FunctionId, Leaf, Movement, Op, Plan, ValueId};

use super::{Derived, compiled, source_beside};
use crate::model::Model;
use crate::model::added::{AddedFunction, AddedTangent, PortInfo};
use crate::model::blueprint::BoundModel;
use crate::model::error::ModelError;
use edb_kernels::element::Element;
use edb_learn::learn::ParameterId;
use edb_vertex::port::FieldKind;

/// The tangent of a model: [`Model::tangent`]. With it, the engine computes products of the second derivatives
/// of losses with vectors, and directional derivatives of outputs.
///
/// It is used with the model's minibatches, and with the values that the model's parameters have at that time.
#[derive(Debug)]
pub struct Tangent<T: Element = f32> {
    derived: Derived<T>,
    /// For each parameter of the model, that with its direction.
    directions: Vec<ParameterId>,
    /// For each direction, the fields whose indices select the rows that are read; `None` unless it is the
    /// direction of a table that is read only at pulled indices.
    tables: Vec<Option<Vec<IndexField>>>,
}

/// The directions of the model's parameters in a [`Tangent`].
#[derive(Debug)]
pub struct Directions<'a, T: Element> {
    /// The model of tangents.
    pub derived: &'a mut Derived<T>,
    /// For each parameter of the model, that with its direction.
    pub of: &'a [ParameterId],
    /// For each direction, the fields whose indices select the rows that are read; `None` unless it is the
    /// direction of a table that is read only at these indices.
    pub tables: &'a [Option<Vec<IndexField>>],
}

/// A field of a function's input that holds an index, or a bag of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexField {
    /// The function that users name when they add its vertices.
    pub function: FunctionId,
    /// Its place in the input.
    pub field: usize,
}

impl<T: Element> Model<T> {
    /// The tangent of this model, for products with the Hessian of its losses. Its functions must have been
    /// compiled with their tangents: `#[vertex_function(tangent)]`.
    ///
    /// # Errors
    /// If a function was not compiled with its tangent.
    pub fn tangent(&self) -> Result<Tangent<T>, ModelError> {
        Tangent::of(self, |source| match &source.tangent {
            Some(AddedTangent { plan, kernels, section_kernels }) => Ok(AddedFunction {
                kernels: *kernels,
                section_kernels: section_kernels.clone(),
                ..source_beside(source, Plan::clone(plan), with_tangents)
            }),
            None => {
                Err("it was compiled without its tangent: write `#[vertex_function(tangent)]`, \
                         or use `tangent_by`"
                    .into())
            }
        })
    }

    /// The tangent of this model, compiled now, for functions that were compiled without tangents. `compile`
    /// makes the tangent of a plan: `tangent` of the crate `edb-compiler`, for products with the Hessian of the
    /// losses, or `gauss_newton` for products with their Gauss-Newton matrix. The kernels of this tangent are
    /// interpreted.
    ///
    /// # Errors
    /// When a tangent cannot be compiled (with the reason), or belongs to another function.
    pub fn tangent_by(
        &self,
        compile: impl Fn(&Plan) -> Result<Plan, String>,
    ) -> Result<Tangent<T>, ModelError> {
        let derive = |source: &AddedFunction| {
            let plan = compiled(&source.plan, &compile, edb_ir::tangent::tangent)?;
            Ok(source_beside(source, plan, with_tangents))
        };
        Tangent::of(self, derive)
    }
}

impl<'a, T: Element> Directions<'a, T> {
    /// The directions in a tangent.
    pub fn of(tangent: &'a mut Tangent<T>) -> Self {
        let Tangent { derived, directions, tables } = tangent;
        Self { derived, of: directions, tables }
    }
}

impl<T: Element> Tangent<T> {
    fn of(
        model: &Model<T>,
        derive: impl Fn(&AddedFunction) -> Result<AddedFunction, String>,
    ) -> Result<Self, ModelError> {
        let derived = Derived::new(model, derive, Some(name))?;
        let parameters = model.parameters.iter();
        let find = |of: &str| derived.model().parameters.find(&name(of));
        let directions: Option<Vec<ParameterId>> =
            parameters.map(|(_, of)| find(of.name())).collect();
        let directions = directions.expect("each parameter has a direction");
        let tables = directions.iter().map(|id| reads(derived.model().bound(), *id)).collect();
        Ok(Self { derived, directions, tables })
    }
}

/// A port with the tangents of its tensors.
fn with_tangents(port: &PortInfo) -> PortInfo {
    let mut port = port.clone();
    let tensors = port.fields.iter().filter(|(_, kind)| *kind == FieldKind::Tensor);
    let tangents: Vec<_> = tensors.map(|(field, kind)| (name(field), *kind)).collect();
    port.fields.extend(tangents);
    port
}

/// The fields whose indices select the rows of a table that are read; `None` if the parameter is also read in
/// another way.
fn reads(model: &BoundModel, id: ParameterId) -> Option<Vec<IndexField>> {
    let mut reads = Vec::new();
    for function in &model.functions {
        let program = &function.plan.program;
        let is_table = |of: ValueId| match program.value(of).op {
            Op::Leaf(Leaf::Param(param)) => function.params[usize::from(param)] == id,
            _ => false,
        };
        for (_, value) in
            program.iter().filter(|(_, value)| value.args.iter().any(|of| is_table(*of)))
        {
            let index = value.args.get(1).map(|index| &program.value(*index).op);
            let field = match (&value.op, index) {
                (Op::Movement(Movement::Row), Some(Op::Leaf(Leaf::Pull(field)))) => field,
                (Op::Movement(Movement::BagSum(field)), _) => field,
                _ => return None,
            };
            let field = function.input_fields[usize::from(*field)];
            // A section reads the input of its function.
            reads.push(IndexField { function: function.as_added(), field });
        }
        // A value that passes through a port is read as a whole.
        if program.forward_results().chain(program.backward_results()).any(is_table) {
            return None;
        }
    }
    Some(reads)
}
