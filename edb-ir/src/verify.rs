//! The verifier: what must hold of every program, checked after every pass in debug builds.

use crate::dim::Shape;
use crate::op::{Arity, Domain, Op};
use crate::program::{Program, Value, ValueId};
use crate::solve::Solver;

/// A broken program: a mistake of a pass, never of a user.
#[derive(Debug, thiserror::Error)]
#[error("program `{program}`, value %{value}: {message}")]
pub struct VerifyError {
    program: String,
    value: u32,
    message: String,
}

/// Checks a program, forward or joint.
///
/// # Errors
/// The first value that breaks a rule: arguments come first and exist, arity, domain and shape
/// are those of the op's row, attributes name existing parameters, fields and slots, results have
/// the domain of their port, and nothing forward depends on anything backward.
pub fn verify(program: &Program) -> Result<(), VerifyError> {
    let fail = |id: ValueId, message: String| {
        Err(VerifyError { program: program.name.clone(), value: id.0, message })
    };
    // A check that holds learns nothing, so that one solver serves all of them.
    let mut solver = Solver::new(program.dims.clone());
    for (id, value) in program.iter() {
        if let Some(message) = check(program, id, value, &mut solver) {
            return fail(id, message);
        }
    }
    let results = program.forward_results().chain(program.backward_results());
    for id in results {
        if id.index() >= program.values.len() {
            return fail(id, "a port shows a value that does not exist".into());
        }
    }
    for id in program.forward_results() {
        if program.is_backward(id) {
            return fail(id, "a forward result runs backward".into());
        }
    }
    for id in program.gradients.params.iter().flatten() {
        if program.value(*id).domain != Domain::Step {
            return fail(*id, "the gradient of a parameter is not in the step domain".into());
        }
    }
    Ok(())
}

fn check(program: &Program, id: ValueId, value: &Value, solver: &mut Solver) -> Option<String> {
    let row = value.op.row();
    if let Some(arg) = value.args.iter().find(|arg| **arg >= id) {
        return Some(format!("argument %{} does not come before it", arg.0));
    }
    let fits = match row.arity {
        Arity::Exact(arity) => value.args.len() == arity,
        Arity::Some => !value.args.is_empty(),
    };
    if !fits {
        return Some(format!("{} arguments for {}", value.args.len(), row.name));
    }
    if !program.is_backward(id) && value.args.iter().any(|arg| program.is_backward(*arg)) {
        return Some("a forward value depends on a backward one".into());
    }
    let finest = value.args.iter().map(|arg| program.value(*arg).domain).max();
    let domain = value.op.domain(finest.unwrap_or(Domain::Step));
    if domain != value.domain {
        return Some(format!("its domain is {:?}, by its op {domain:?}", value.domain));
    }
    let fields = |port: &Option<crate::PortDecl>| port.as_ref().map_or(0, |p| p.fields.len());
    let exists = match value.op {
        Op::Param(at) => usize::from(at) < program.params.len(),
        Op::Pull(field) => usize::from(field) < fields(&program.input),
        Op::Child { slot, field } => program.slot_state(slot).is_some_and(|state| {
            usize::from(field) < program.states[usize::from(state)].fields.len()
        }),
        Op::StateGradient(field) => usize::from(field) < program.scatter.len(),
        Op::OutputGradient(field) => usize::from(field) < program.push.len(),
        Op::WhereAbsent(slot) => {
            program.slots.get(usize::from(slot)).is_some_and(|slot| slot.optional)
        }
        _ => value.op.index().is_none_or(|field| usize::from(field) < fields(&program.input)),
    };
    if !exists {
        return Some(format!("{:?} names something that does not exist", value.op));
    }
    check_shape(program, value, solver)
}

/// Runs the op's shape rule and demands that it neither fails nor learns anything.
fn check_shape(program: &Program, value: &Value, solver: &mut Solver) -> Option<String> {
    let mut own;
    let mut solver = solver;
    if program.unknowns != (0, 0) {
        // What a rule says about an unknown of the program must not reach the next check.
        own = Solver::new(program.dims.clone());
        (0..program.unknowns.0).for_each(|_| drop(own.fresh_dim()));
        (0..program.unknowns.1).for_each(|_| drop(own.fresh_shape()));
        solver = &mut own;
    }
    let shapes: Vec<Shape> = value.args.iter().map(|a| program.value(*a).shape.clone()).collect();
    let rule = value.op.row().shape;
    match rule(solver, &shapes, Some(&value.shape)) {
        Err(error) => Some(error.to_string()),
        Ok(shape) => {
            let same = solver.shape(&shape) == value.shape
                // Two operands of unknown shape: the pair's own shape is what inference chose.
                || matches!(shape, Shape::Unknown(at) if at >= program.unknowns.1);
            let learned = shapes.iter().any(|shape| solver.shape(shape) != *shape);
            (!same || learned).then(|| {
                let [is, by] = [solver.show(&value.shape), solver.show(&shape)];
                format!("its shape is {is}, by its op {by}")
            })
        }
    }
}

/// Verifies in debug builds; a broken program is a mistake in edb.
pub(crate) fn debug_verify(program: &Program, pass: &str) {
    if cfg!(debug_assertions)
        && let Err(error) = verify(program)
    {
        panic!("after {pass}: {error}\n{program}");
    }
}
