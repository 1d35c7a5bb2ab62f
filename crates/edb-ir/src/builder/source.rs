//! A function whose vertices leave what they pull: the children in a test of another function.

use super::Builder;
use crate::program::{FieldType, PortDecl, Program};
use crate::shapes::{Dim, Shape, Symbol};

/// A function `name` that pulls the fields of a state and scatters them. Its shapes are in these
/// dimensions.
///
/// # Errors
/// When a field is no tensor and no index, which no state has.
pub fn source(name: &str, dims: &[String], state: &PortDecl) -> Result<Program, String> {
    let mut b = Builder::new(name, dims.to_vec());
    let scattered = b.state(&state.name);
    b.input(&format!("the fields of {}", state.name));
    let mut values = Vec::new();
    for field in &state.fields {
        let FieldType::Value(shape) = &field.holds else {
            return Err(format!("`{}` is neither a tensor nor an index", field.name));
        };
        let value = match shape.is_index() {
            true => b.pull_index(&field.name),
            false => {
                let value = b.pull(&field.name);
                // Others are found when a model is made, from the function that reads the field.
                if in_names(shape) {
                    b.declare_shape(value, shape)?;
                }
                value
            }
        };
        values.push((&*field.name, value));
    }
    b.scatter(scattered, &values).map_err(|error| error.to_string())?;
    b.finish().map_err(|errors| format!("`{}`: {errors:?}", state.name))
}

/// Whether the function that mentions a shape determines all of it, in its dimension names.
fn in_names(shape: &Shape) -> bool {
    let is_name = |dim: &Dim| dim.terms().iter().all(|term| matches!(term.0, Symbol::Name(_)));
    shape.dims().is_some_and(|dims| dims.iter().all(is_name))
}
