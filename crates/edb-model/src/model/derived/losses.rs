//! The model that pushes its losses, so that the derivative of each loss can be computed separately.

use edb_ir::Plan;
use edb_ir::losses::{name, push_losses};

use super::{Derived, compiled, source_beside};
use crate::model::Model;
use crate::model::added::PortInfo;
use crate::model::error::ModelError;
use edb_kernels::element::Element;
use edb_vertex::port::FieldKind;

/// The losses of a model one by one, so that each vertex has its own gradient: [`Model::vertex_losses`].
///
/// It is used with the model's minibatches, and with the values that the model's parameters have at that time.
#[derive(Debug)]
pub struct VertexLosses<T: Element = f32> {
    derived: Derived<T>,
}

impl<T: Element> Derived<T> {
    /// The model that pushes the losses.
    pub fn of_losses(losses: &mut VertexLosses<T>) -> &mut Self {
        &mut losses.derived
    }
}

impl<T: Element> Model<T> {
    /// The losses of this model one by one. `compile` makes the plan that pushes the losses of a plan:
    /// `push_losses` of the crate `edb-compiler`.
    ///
    /// # Errors
    /// When that plan is not valid, or belongs to another function.
    pub fn vertex_losses(
        &self,
        compile: impl Fn(&Plan) -> Plan,
    ) -> Result<VertexLosses<T>, ModelError> {
        let derived = Derived::new(
            self,
            |source| {
                let plan = &source.plan;
                let all = std::iter::once(&**plan).chain(&plan.sections);
                let most = all.map(|section| section.program.losses.len()).max().unwrap_or(0);
                let compiled = compiled(plan, |plan| Ok(compile(plan)), push_losses)?;
                let mut derived = source_beside(source, compiled, PortInfo::clone);
                let losses = (0..most).map(|loss| (name(loss), FieldKind::Tensor));
                derived.output.fields.extend(losses);
                Ok(derived)
            },
            None,
        )?;
        Ok(VertexLosses { derived })
    }
}
