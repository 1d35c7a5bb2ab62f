//! The program verifier. It runs after every pass in debug builds, and on every plan that a model
//! is made of.
//!
//! What comes in is a program, or a function with branches and loops (`dominance.rs`). What goes
//! out is nothing, or a [`VerifyError`] with the first value that breaks a rule: that arguments come
//! before their uses, that shapes and domains are those of the `rules/`, that ports
//! have what is read from them. The compiler calls it, and [`Plan::verify`](crate::Plan::verify),
//! which also checks the routine ([`routine::verify()`](crate::routine::verify())).

mod dominance;

use crate::program::{
    Arity, Domain, FieldDecl, FieldType, Indexing, Leaf, MOST_VALUES, Movement, Op, Program, Value,
    ValueId,
};
use crate::shapes::{Dim, Shape, Solver, Symbol};

/// A program that breaks a rule: a bug in a pass, or bytes that are not a plan.
#[derive(Debug, thiserror::Error)]
#[error("program `{program}`, {place}: {message}")]
pub struct VerifyError {
    program: String,
    place: String,
    message: String,
}

impl VerifyError {
    /// A rule that a value of a program breaks.
    pub(crate) fn of_value(program: &Program, id: ValueId, message: String) -> Self {
        Self { program: program.name.clone(), place: format!("value %{}", id.0), message }
    }
}

/// The most unknown dimensions and shapes of a program: far more than any function has fields.
const MOST_UNKNOWNS: u32 = 1 << 12;

/// Checks a program, forward or joint.
///
/// # Errors
/// The first value that breaks a rule: arguments come first and exist, arity, domain and shape
/// are those of the op's row, attributes name existing parameters, fields and slots, results have
/// the domain of their port, and nothing forward depends on anything backward.
pub fn verify(program: &Program) -> Result<(), VerifyError> {
    let of_flow = |op: &Op| matches!(op, Op::Leaf(Leaf::Merge | Leaf::HasInput));
    if let Some((id, _)) = program.iter().find(|(_, value)| of_flow(&value.op)) {
        let message = "branches and loops have become sections before".into();
        return Err(VerifyError::of_value(program, id, message));
    }
    verify_values(program)
}

/// Checks a program as [`verify`] does; what variables are behind branches and loops may be among
/// its values.
pub(crate) fn verify_values(program: &Program) -> Result<(), VerifyError> {
    let fail = |id: ValueId, message| Err(VerifyError::of_value(program, id, message));
    if let Some(message) = check_ports(program) {
        return Err(VerifyError {
            program: program.name.clone(),
            place: "its ports".into(),
            message,
        });
    }
    let mut solver = Solver::with_unknowns(program.dims.clone(), program.unknowns);
    for (id, value) in program.iter() {
        if let Some(message) = check(program, id, value, &mut solver) {
            return fail(id, message);
        }
    }
    for id in program.forward_results() {
        if program.is_backward(id) {
            return fail(id, "a forward result runs backward".into());
        }
    }
    if let Some((id, field)) = shown(program).find(|(id, field)| {
        !field.shape().is_some_and(|shape| holds_value(shape, &program.value(*id).shape))
    }) {
        return fail(id, format!("field `{}` shows something of another kind", field.name));
    }
    if let Some(id) = program.losses.iter().find(|id| program.value(**id).shape.is_index()) {
        return fail(*id, "an index is a loss".into());
    }
    for id in program.gradients.params.iter().flatten() {
        if program.value(*id).domain != Domain::Step {
            return fail(*id, "the gradient of a parameter is not in the step domain".into());
        }
    }
    Ok(())
}

/// Whether a field may hold a value: an index is one of as many as the field says. The sizes of
/// tensors are compared when they are numbers.
fn holds_value(field: &Shape, value: &Shape) -> bool {
    if field.is_index() || value.is_index() { field == value } else { true }
}

/// What a program scatters and pushes, with the field of each.
fn shown(program: &Program) -> impl Iterator<Item = (ValueId, &FieldDecl)> {
    let state = program.scattered.map(|state| &program.states[usize::from(state)].fields[..]);
    let scattered = program.scatter.iter().zip(state.unwrap_or_default());
    let output = program.output.iter().flat_map(|port| &port.fields);
    scattered.chain(program.push.iter().zip(output)).map(|(id, field)| (*id, field))
}

/// Checks that ports refer only to what exists, and show as many values as they have fields.
fn check_ports(program: &Program) -> Option<String> {
    let Program { states, values, unknowns, .. } = program;
    if unknowns.0.max(unknowns.1) > MOST_UNKNOWNS {
        return Some(format!("{unknowns:?} unknowns are more than {MOST_UNKNOWNS}"));
    }
    if program.backward_start as usize > values.len() {
        return Some("the backward values begin behind the last".into());
    }
    if program.backward_start as usize > MOST_VALUES || values.len() > usize::from(u16::MAX) {
        return Some(format!(
            "it has more than {MOST_VALUES} values forward, or than 65535 in all"
        ));
    }
    let of_slots = program.slots.iter().map(|slot| slot.state);
    let mut named = of_slots.chain(program.rest).chain(program.scattered);
    if let Some(state) = named.find(|state| usize::from(*state) >= states.len()) {
        return Some(format!("there is no state {state}"));
    }
    let scattered = program.scattered.map_or(0, |state| states[usize::from(state)].fields.len());
    let pushed = program.output.as_ref().map_or(0, |output| output.fields.len());
    let pulled = program.input.as_ref().map_or(&[][..], |input| &input.fields);
    let counts = [(program.scatter.len(), scattered), (program.push.len(), pushed)];
    if let Some((shown, fields)) = counts.into_iter().find(|(shown, fields)| shown != fields) {
        return Some(format!("{shown} values are shown in {fields} fields"));
    }
    let gradients = &program.gradients;
    let joint = program.backward_start as usize != values.len() || !gradients.params.is_empty();
    if joint && gradients.params.len() != program.params.len() {
        return Some("there are not as many gradients as parameters".into());
    }
    let of_child = |&(slot, field, _): &(_, u16, _)| {
        let state = program.slot_state(slot).map(|state| &states[usize::from(state)]);
        let field = state.and_then(|state| state.fields.get(usize::from(field)));
        field.is_some_and(FieldDecl::is_tensor)
    };
    let of_pull =
        |(field, _): &(u16, _)| pulled.get(usize::from(*field)).is_some_and(FieldDecl::is_tensor);
    if !gradients.children.iter().all(of_child) || !gradients.pulls.iter().all(of_pull) {
        return Some("there is a gradient of what does not exist".into());
    }
    let mut results = program.forward_results().chain(program.backward_results());
    if results.any(|id| id.index() >= values.len()) {
        return Some("one shows a value that does not exist".into());
    }
    let fields = states.iter().chain(&program.input).chain(&program.output).flat_map(|p| &p.fields);
    let mut shapes = (program.params.iter().map(|param| &param.shape))
        .chain(fields.filter_map(|field| field.shape()))
        .chain(values.iter().map(|value| &value.shape));
    shapes.find_map(|shape| {
        if !is_bound(program, shape) {
            return Some("a shape names what does not exist".into());
        }
        shape.is_empty().then(|| format!("{} has no elements", shape.display(&program.dims)))
    })
}

/// Whether a shape mentions the program's dimensions only.
pub(crate) fn is_bound(program: &Program, shape: &Shape) -> bool {
    let (dims, shapes) = program.unknowns;
    let exists = |symbol: &Symbol| match *symbol {
        Symbol::Name(name) => usize::from(name) < program.dims.len(),
        Symbol::Unknown(unknown) => unknown < dims,
    };
    let is_known = |dim: &Dim| is_canonical(dim) && dim.terms().iter().all(|term| exists(&term.0));
    match shape {
        Shape::Known(of) => of.iter().all(is_known),
        Shape::OneOf(count) => is_known(count),
        Shape::Unknown(unknown) => *unknown < shapes,
    }
}

/// Whether a dimension is in canonical form; one that was decoded from bytes may not be.
fn is_canonical(dim: &Dim) -> bool {
    let terms = dim.terms();
    terms.iter().all(|term| term.1 != 0) && terms.windows(2).all(|pair| pair[0].0 < pair[1].0)
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
    for (operand, arg) in value.args.iter().enumerate() {
        if program.value(*arg).shape.is_index() != value.op.reads_index(operand) {
            return Some(format!("argument %{} is of the wrong kind", arg.0));
        }
    }
    if value.shape.is_index() != value.op.gives_index().unwrap_or(value.shape.is_index()) {
        return Some(format!("`{}` gives no {}", row.name, value.shape.display(&program.dims)));
    }
    let holds = |field: Option<&FieldDecl>| {
        let shape = field.and_then(FieldDecl::shape);
        shape.is_some_and(|shape| holds_value(shape, &value.shape))
    };
    let is_tensor = |of: &[ValueId], field: u16| {
        let shown = of.get(usize::from(field)).map(|id| &program.value(*id).shape);
        shown.is_some_and(|shape| !shape.is_index())
    };
    let exists = match value.op {
        Op::Leaf(Leaf::Param(param)) => usize::from(param) < program.params.len(),
        Op::Leaf(Leaf::Pull(field)) => {
            let mut fields = program.input.iter().flat_map(|input| &input.fields);
            holds(fields.nth(usize::from(field)))
        }
        Op::Leaf(Leaf::Child { slot, field }) => program.slot_state(slot).is_some_and(|state| {
            holds(program.states[usize::from(state)].fields.get(usize::from(field)))
        }),
        Op::Leaf(Leaf::StateGradient(field)) => is_tensor(&program.scatter, field),
        Op::Leaf(Leaf::OutputGradient(field)) => is_tensor(&program.push, field),
        Op::Movement(Movement::WhereAbsent(slot)) | Op::Indexing(Indexing::IfAbsent(slot)) => {
            program.slots.get(usize::from(slot)).is_some_and(|slot| slot.optional)
        }
        Op::Leaf(Leaf::HasInput) => program.may_lack_input,
        Op::Leaf(Leaf::Length(ref shape)) => is_bound(program, shape),
        Op::Movement(ref op) if let Some(start) = op.start() => {
            is_bound(program, &Shape::vector(start.clone()))
        }
        _ => value.op.bag().is_none_or(|number| {
            let field =
                program.input.as_ref().and_then(|input| input.fields.get(usize::from(number)));
            field.is_some_and(|field| field.holds == FieldType::Indices)
        }),
    };
    if !exists {
        return Some(format!(
            "`{}` reads something that does not exist, or holds something else",
            value.op.row().name
        ));
    }
    check_shape(program, value, solver)
}

/// Runs the op's shape rule, which must neither fail nor solve for an unknown.
fn check_shape(program: &Program, value: &Value, solver: &mut Solver) -> Option<String> {
    // A solution for an unknown of the program must not carry over to the next check.
    solver.forget(program.unknowns);
    let shapes: Vec<Shape> = value.args.iter().map(|a| program.value(*a).shape.clone()).collect();
    let rule = value.op.row().shape;
    match rule(solver, &shapes, Some(&value.shape)) {
        Err(error) => Some(error.to_string()),
        Ok(shape) => {
            let same = solver.shape(&shape) == value.shape
                // Two operands of unknown shape: inference chose the shape of the result.
                || matches!(shape, Shape::Unknown(unknown) if unknown >= program.unknowns.1);
            let learned = shapes.iter().any(|shape| solver.shape(shape) != *shape);
            (!same || learned).then(|| {
                let [is, by] = [solver.show(&value.shape), solver.show(&shape)];
                format!("its shape is {is}, by its op {by}")
            })
        }
    }
}

/// Verifies in debug builds; a broken program is a bug in edb.
pub fn debug_verify(program: &Program, pass: &str) {
    if cfg!(debug_assertions)
        && let Err(error) = verify(program)
    {
        panic!("after {pass}: {error}\n{program}");
    }
}
