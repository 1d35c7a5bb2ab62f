//! The program that pushes its losses instead of summing them, so that each of them can be derived by
//! itself.

use crate::program::{FieldDecl, FieldType, PortDecl, Program};

/// The name of the field in which a loss is pushed, by its number among the program's.
pub fn name(loss: usize) -> String {
    format!("loss.{loss}")
}

/// Whether a field has such a name, which no field of a struct has.
pub fn is_loss(field: &str) -> bool {
    field.starts_with("loss.")
}

/// The forward part of a program, a forward program, which pushes its losses behind all else.
pub fn push_losses(program: &Program) -> Program {
    let mut result = program.clone();
    result.values.truncate(program.backward_start as usize);
    result.gradients = Default::default();
    let losses = std::mem::take(&mut result.losses);
    if !losses.is_empty() {
        let nothing = || PortDecl { name: "losses".into(), fields: Vec::new() };
        let output = result.output.get_or_insert_with(nothing);
        output.fields.extend(losses.iter().enumerate().map(|(number, loss)| {
            let shape = program.value(*loss).shape.clone();
            FieldDecl { name: name(number), holds: FieldType::Value(shape) }
        }));
        result.push.extend(losses);
    }
    result
}
