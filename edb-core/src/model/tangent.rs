//! The tangent of a model: a model of the tangents of its functions.
//!
//! Parameters have their directions beside them, as fields of ports have their tangents.

use edb_ir::Plan;
use edb_ir::tangent::name;

use super::Model;
use super::bound::PortInfo;
use super::derived::{Derived, source_beside};
use super::error::ModelError;
use crate::element::Element;
use crate::learn::ParameterId;
use crate::port::FieldKind;

/// The tangent of a model, with which products of vectors and the second derivatives of losses are
/// computed, and directional derivatives of what is pushed: [`Model::tangent`].
///
/// It is used with the model's minibatches, and with its parameters as they are then.
#[derive(Debug)]
pub struct Tangent<T: Element = f32> {
    pub(crate) derived: Derived<T>,
    /// For each parameter of the model, that with its direction.
    pub(crate) directions: Vec<ParameterId>,
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
        let port = |port: &PortInfo| {
            let mut port = port.clone();
            let tensors = port.fields.iter().filter(|(_, kind)| *kind == FieldKind::Tensor);
            let tangents: Vec<_> = tensors.map(|(field, kind)| (name(field), *kind)).collect();
            port.fields.extend(tangents);
            port
        };
        let derived = Derived::new(
            self,
            |source| Ok(source_beside(source, compile(&source.plan)?, port)),
            Some(name),
        )?;
        let parameters = self.parameters.iter();
        let find = |of: &str| derived.model.parameters.find(&name(of));
        let directions: Option<Vec<ParameterId>> =
            parameters.map(|(_, of)| find(of.name())).collect();
        let directions = directions.expect("each parameter has a direction");
        Ok(Tangent { derived, directions })
    }
}
