//! Forward-mode differentiation: the tangent of a program, which is a program again.
//!
//! Every tensor gets its tangent: how fast it changes as the parameters, and what is pulled, move
//! along a direction. Directions come in like what they belong to: a parameter and a pulled field
//! have a second one beside them, as has a field of a state or an output. The losses become their
//! tangents, `⟨∇L, v⟩`; so the gradient of the new program is the product `H v` of the Hessian with
//! the direction (Pearlmutter, 1994, "Fast exact multiplication by the Hessian").
//!
//! What a vertex decides does not change: indices have no tangents, and draws are the same. Of what
//! has no derivative, or another gradient than its derivative (`round`, `detach`), the tangent
//! follows the gradient.

pub use crate::rules::tangent::{TangentRule, Tangents};

use super::autodiff::differentiate;
use crate::program::{FieldDecl, Leaf, Movement, Op, ParamDecl, Program, Value, ValueId};

/// The name of the tangent of a parameter or of a field.
pub fn name(of: &str) -> String {
    format!("{of}.tangent")
}

/// The tangent of the forward part of a program, a forward program. Parameter `k` of `n` has its
/// direction in parameter `n + k`; a port has the tangents of its tensors after all of its fields, in
/// their order.
pub fn tangent(program: &Program) -> Program {
    tangent_of(program, &[])
}

/// The same for products with the Gauss-Newton matrix of the losses as functions of what is pushed,
/// `Jᵀ ∇²ℓ J v` (Schraudolph, 2002, "Fast curvature matrix-vector products"): the losses' tangents
/// are those of what is pushed, through which no gradient passes.
///
/// # Errors
/// When a loss depends on parameters or children in another way than through what is pushed.
pub fn gauss_newton(program: &Program) -> Result<Program, String> {
    // Which values depend on parameters and children, other than through what is pushed.
    let mut depends = Vec::with_capacity(program.values.len());
    for (id, value) in program.iter() {
        let is_source = matches!(value.op, Op::Leaf(Leaf::Param(_) | Leaf::Child { .. }));
        let by_arguments = value.args.iter().any(|arg| depends[arg.index()]);
        let is_tensor = !value.shape.is_index() && value.op != Op::Movement(Movement::Detach);
        depends.push((is_source || by_arguments) && is_tensor && !program.push.contains(&id));
    }
    match program.losses.iter().any(|loss| depends[loss.index()]) {
        true => Err("the loss is not computed from what the function pushes alone: push what it \
                     is computed from, or use the Hessian"
            .into()),
        false => Ok(tangent_of(program, &program.push)),
    }
}

/// The tangent of a program in which no gradient passes through the tangents of some values.
fn tangent_of(program: &Program, stopped: &[ValueId]) -> Program {
    let mut result = Program { values: Vec::new(), backward_start: 0, ..program.clone() };
    result.gradients = Default::default();
    let direction =
        |param: &ParamDecl| ParamDecl { name: name(&param.name), shape: param.shape.clone() };
    result.params.extend(program.params.iter().map(direction));
    let ports = result.states.iter_mut().chain(&mut result.input).chain(&mut result.output);
    for port in ports {
        let tensors = port.fields.iter().filter(|field| field.is_tensor());
        let beside =
            |field: &FieldDecl| FieldDecl { name: name(&field.name), holds: field.holds.clone() };
        let tangents: Vec<FieldDecl> = tensors.map(beside).collect();
        port.fields.extend(tangents);
    }
    let mut tangents = Tangents { program: result, of: Vec::new() };
    // The new number of each value.
    let mut moved: Vec<ValueId> = Vec::new();
    let forward = program.iter().take(program.backward_start as usize);
    for (number, value) in forward {
        let args = value.args.iter().map(|arg| moved[arg.index()]).collect();
        let id = tangents.push(Value { args, ..value.clone() });
        moved.push(id);
        let rule = value.op.row().tangent;
        let tangent = if value.shape.is_index() { None } else { rule(&mut tangents, id) };
        let tangent = tangent.map(|tangent| tangents.spread(id, tangent));
        tangents.of[id.index()] = match stopped.contains(&number) {
            true => tangent.map(|tangent| tangents.build(|r| r.unary(Movement::Detach, tangent))),
            false => tangent,
        };
    }
    let moved = |id: &ValueId| moved[id.index()];
    let scatter = tangents.shown(program.scatter.iter().map(moved).collect());
    let push = tangents.shown(program.push.iter().map(moved).collect());
    let losses = program.losses.iter().map(moved).filter_map(|id| tangents.of[id.index()]);
    let (losses, next) = (losses.collect(), program.next.as_ref().map(moved));
    let backward_start = tangents.program.values.len() as u32;
    // Decisions are those of the program itself.
    let doubt = None;
    Program { scatter, push, losses, next, doubt, backward_start, ..tangents.program }
}

/// Adds the backward values to the tangent of a program: the gradients of its parameters, not those
/// of their directions, which are the gradients of the program itself.
pub fn differentiate_tangent(program: Program) -> Program {
    let mut program = differentiate(program);
    let count = program.gradients.params.len() / 2;
    program.gradients.params[count..].iter_mut().for_each(Vec::clear);
    program
}
