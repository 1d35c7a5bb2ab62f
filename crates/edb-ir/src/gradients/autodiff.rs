//! Reverse-mode differentiation, at build time: a forward program becomes a joint one.
//!
//! The gradient rules ([`crate::gradient`]) are those of one vertex. This pass walks the values in
//! reverse order, adds up the contributions to each gradient, and inserts the sums over edges and
//! vertices where a value is used in a finer domain than its own.

use crate::program::{Domain, Gradients, Leaf, Movement, Op, Program, ValueId};
use crate::rules::{Gift, Reverse};
use crate::shapes::Shape;

/// Adds the backward values to a forward program.
///
/// Gradients enter where a state is scattered ([`Leaf::StateGradient`]), where an output is pushed
/// ([`Leaf::OutputGradient`]) and at losses (with [`Leaf::LossScale`], which is 1 unless a device
/// scales losses); they leave at children, pulled tensors and parameters. The loss is the plain sum
/// over vertices.
///
/// The backward pass is linear in the gradients that it starts from, so a scale at the losses, and
/// at the gradients given from outside, scales every gradient. A joint program can be
/// differentiated again: values may depend on its gradients nonlinearly, so these are unscaled, and
/// only the new losses are scaled.
pub fn differentiate(program: Program) -> Program {
    differentiate_by_value(program).program
}

/// A joint program, and which of its backward values belongs to which forward value.
#[derive(Debug)]
pub struct ByValue {
    /// The program.
    pub program: Program,
    /// For each forward value its gradient, if it has one. A parameter has gifts only.
    pub gradients: Vec<Option<ValueId>>,
    /// What forward values give their arguments, the last forward value first.
    pub gifts: Vec<Gift>,
}

/// As [`differentiate`], and tells which backward values belong to which forward value.
pub fn differentiate_by_value(mut program: Program) -> ByValue {
    for value in &mut program.values {
        if value.op == Op::Leaf(Leaf::LossScale) {
            value.op = Op::Leaf(Leaf::Constant(1.0));
        }
    }
    program.backward_start = program.values.len() as u32;
    let wanted = wanted(&program);
    let mut reverse = Reverse {
        gradients: vec![None; program.values.len()],
        params: vec![Vec::new(); program.params.len()],
        wanted,
        given: None,
        gifts: Vec::new(),
        program: &mut program,
    };

    for loss in reverse.program.losses.clone() {
        let seed = reverse.shaped(Op::Leaf(Leaf::LossScale), &[], Shape::scalar());
        let seed =
            reverse.shaped(Op::Movement(Movement::Copy(Domain::Vertex)), &[seed], Shape::scalar());
        reverse.add_to(loss, seed);
    }
    let is_index = |reverse: &Reverse<'_>, id| reverse.program.value(id).shape.is_index();
    for (field, id) in reverse.program.scatter.clone().into_iter().enumerate() {
        if is_index(&reverse, id) {
            continue;
        }
        let seed = reverse.like(Op::Leaf(Leaf::StateGradient(field as u16)), &[], id);
        reverse.add_to(id, seed);
    }
    for (field, id) in reverse.program.push.clone().into_iter().enumerate() {
        if is_index(&reverse, id) {
            continue;
        }
        let seed = reverse.like(Op::Leaf(Leaf::OutputGradient(field as u16)), &[], id);
        reverse.add_to(id, seed);
    }
    for id in (0..reverse.gradients.len() as u32).rev().map(ValueId) {
        if let Some(gradient) = reverse.gradients[id.index()] {
            let rule = reverse.program.value(id).op.row().gradient;
            rule(&mut reverse, id, gradient);
        }
    }

    let Reverse { gradients, params, gifts, .. } = reverse;
    let mut result = Gradients { params, ..Default::default() };
    for (value, gradient) in program.values.iter().zip(&gradients) {
        match (&value.op, *gradient) {
            (&Op::Leaf(Leaf::Child { slot, field }), Some(id)) => {
                result.children.push((slot, field, id))
            }
            (&Op::Leaf(Leaf::Pull(field)), Some(id)) => result.pulls.push((field, id)),
            _ => {}
        }
    }
    program.gradients = result;
    ByValue { program, gradients, gifts }
}

/// Which values need a gradient: tensors that depend on a parameter, a child or a pull.
fn wanted(program: &Program) -> Vec<bool> {
    let mut wanted = Vec::with_capacity(program.values.len());
    for value in &program.values {
        let source =
            matches!(value.op, Op::Leaf(Leaf::Param(_) | Leaf::Child { .. } | Leaf::Pull(_)));
        let depends = source || value.args.iter().any(|arg| wanted[arg.index()]);
        wanted
            .push(depends && !value.shape.is_index() && value.op != Op::Movement(Movement::Detach));
    }
    wanted
}
