//! The interpreter: a forward program run for one vertex, op by op, with the reference kernels.
//!
//! It is the reference for programs that do not come from a Rust function.

use edb_ir::{
    Domain, Draw, Indexing, Leaf, Movement, Op, Pointwise, Program, Slot, Transition, ValueId,
};

use super::context::{self, EagerState, EagerVertex, Followed};
use super::dual::{Dual, Real as _};
use super::reference::{Array, Attributes, evaluate, greater_of};
use crate::model::bound::{BoundValue, Reference};
use crate::port::PortValue;
use crate::tensor::{Index, Tensor};

/// What a vertex computes: the scattered fields, the pushed fields, the losses.
pub(crate) struct Interpreted {
    pub(crate) state: Vec<PortValue>,
    pub(crate) output: Vec<PortValue>,
    pub(crate) losses: Vec<Tensor>,
    pub(crate) followed: Vec<Followed>,
    /// The scalars that it compared.
    pub(crate) compared: Vec<[Dual; 2]>,
}

/// What a program decided and compared.
#[derive(Default)]
struct Choices {
    followed: Vec<Followed>,
    compared: Vec<[Dual; 2]>,
}

impl Reference {
    /// Runs the program for one vertex. `params` are the program's parameters in order; the fields
    /// of states and of the input are in the program's order, too.
    pub(crate) fn run(&self, params: &[Tensor], vertex: &EagerVertex) -> Interpreted {
        let Self { program, values } = self;
        let mut choices = Choices::default();
        let values =
            compute_all(program, values, program.values.len(), params, vertex, &mut choices);
        let tensor = |id: &ValueId| context::insert(values[id.index()][0].clone());
        let result = |id: &ValueId| match program.value(*id).shape.is_index() {
            true => PortValue::Index(Index(values[id.index()][0].data[0].value as u32)),
            false => PortValue::Tensor(tensor(id)),
        };
        Interpreted {
            state: program.scatter.iter().map(result).collect(),
            output: program.push.iter().map(result).collect(),
            losses: program.losses.iter().map(tensor).collect(),
            followed: choices.followed,
            compared: choices.compared,
        }
    }
}

/// Finds where a value of a forward program that is NaN or beyond `largest` comes from: goes back
/// from it through arguments that are, too, to a value none of whose arguments are. Returns its id
/// and its number; `None` if `from` is within range here. Parameters, children and input are as in
/// [`Reference::run`].
///
/// Other values may be infinite without harm, such as the maximum over no children.
pub(crate) fn origin_of(
    from: ValueId,
    program: &Program,
    bound: &[BoundValue],
    params: &[Tensor],
    vertex: &EagerVertex,
    largest: f64,
) -> Option<(ValueId, f64)> {
    let forward = program.backward_start as usize;
    let values = compute_all(program, bound, forward, params, vertex, &mut Choices::default());
    let bad = |id: ValueId| {
        let copies = values.get(id.index())?;
        let mut elements = copies.iter().flat_map(|array| &array.data).map(|dual| dual.value);
        // NaN is not within any range.
        elements.find(|x| !(-largest..=largest).contains(x)).map(|x| (id, x))
    };
    let mut origin = bad(from)?;
    // Arguments come before what is computed from them, so this ends.
    while let Some(before) = program.value(origin.0).args.iter().find_map(|arg| bad(*arg)) {
        origin = before;
    }
    Some(origin)
}

/// The first `count` values of a program: one array each, or one for each edge.
fn compute_all(
    program: &Program,
    bound: &[BoundValue],
    count: usize,
    params: &[Tensor],
    vertex: &EagerVertex,
    choices: &mut Choices,
) -> Vec<Vec<Array<Dual>>> {
    let rest = &vertex.children[vertex.fixed..];
    let mut values: Vec<Vec<Array<Dual>>> = Vec::with_capacity(count);
    for (id, value) in program.iter().take(count) {
        let bound = &bound[id.index()];
        let copies = if value.domain == Domain::Edge { rest.len() } else { 1 };
        let mut compute = |edge: usize| match &value.op {
            Op::Leaf(Leaf::Param(param)) => array(params[usize::from(*param)]),
            Op::Leaf(Leaf::Pull(field)) => match vertex.input[usize::from(*field)] {
                PortValue::Indices(_) => unreachable!("the program pulls no bag here"),
                value => array_of(value),
            },
            Op::Leaf(Leaf::Child { slot: Slot::Fixed(place), field }) => {
                child(&vertex.children[usize::from(*place)], *field, bound)
            }
            Op::Leaf(Leaf::Child { slot: Slot::Rest, field }) => child(&rest[edge], *field, bound),
            Op::Transition(Transition::Reduce(Domain::Vertex)) => {
                let zeros = Array::zeros(bound.sizes.clone());
                values[value.args[0].index()].iter().fold(zeros, |mut sum, term| {
                    sum.data.iter_mut().zip(&term.data).for_each(|(sum, x)| *sum = *sum + *x);
                    sum
                })
            }
            Op::Transition(Transition::ReduceMax) => {
                let least = vec![Dual::new(f64::NEG_INFINITY, 0.0); bound.width];
                let least = Array { shape: bound.sizes.clone(), data: least };
                values[value.args[0].index()].iter().fold(least, |mut greatest, edge| {
                    for (greatest, x) in greatest.data.iter_mut().zip(&edge.data) {
                        *greatest = greater_of(*greatest, *x);
                    }
                    greatest
                })
            }
            op => {
                let args: Vec<&Array<Dual>> = (value.args.iter())
                    .map(|arg| {
                        let copies = &values[arg.index()];
                        let of_edge = program.value(*arg).domain == Domain::Edge;
                        &copies[if of_edge { edge } else { 0 }]
                    })
                    .collect();
                if let (Op::Indexing(op), Some(_)) = (op, op.decision()) {
                    let edge = if value.domain == Domain::Edge { edge as u32 } else { 0 };
                    let index =
                        context::decision(*op, args[0], vertex, edge, &mut choices.followed);
                    return Array::scalar(Dual::constant(f64::from(index)));
                }
                if let Op::Pointwise(Pointwise::Greater | Pointwise::GreaterEqual) = op
                    && let ([a], [b]) = (&args[0].data[..], &args[1].data[..])
                {
                    choices.compared.push([*a, *b]);
                }
                evaluate(op, &args, &attributes(op, bound, vertex, edge, value.domain))
            }
        };
        let computed = (0..copies).map(&mut compute).collect();
        values.push(computed);
    }
    values
}

fn array(tensor: Tensor) -> Array<Dual> {
    context::with(&[tensor], |arrays| arrays[0].clone())
}

/// A tensor, or an index as a scalar.
fn array_of(value: PortValue) -> Array<Dual> {
    match value {
        PortValue::Tensor(tensor) => array(tensor),
        PortValue::Index(index) => Array::scalar(Dual::constant(f64::from(index.0))),
        PortValue::Indices(_) => unreachable!("bags are read by their ops"),
    }
}

fn child(state: &Option<EagerState>, field: u16, bound: &BoundValue) -> Array<Dual> {
    match state {
        Some(state) => array_of(state.fields[usize::from(field)]),
        None => Array::zeros(bound.sizes.clone()),
    }
}

fn attributes(
    op: &Op,
    bound: &BoundValue,
    vertex: &EagerVertex,
    edge: usize,
    domain: Domain,
) -> Attributes {
    let bag = op.bag().map(|field| match vertex.input[usize::from(field)] {
        PortValue::Indices(indices) => context::bag(indices),
        _ => unreachable!("the program pulls a bag here"),
    });
    let draws = op.site().zip(vertex.draws).map(|(site, key)| match op {
        Op::Draw(Draw::Dropout { shared: true, .. }) => key.shared_site(site),
        _ => key.site(site, if domain == Domain::Edge { edge as u32 } else { 0 }),
    });
    let absent = match op {
        Op::Movement(Movement::WhereAbsent(slot)) | Op::Indexing(Indexing::IfAbsent(slot)) => {
            vertex.children[usize::from(*slot)].is_none()
        }
        _ => false,
    };
    let shape = match op {
        Op::Leaf(Leaf::Length(_)) => std::iter::once(bound.length).collect(),
        _ => bound.sizes.clone(),
    };
    Attributes { shape, bag: bag.unwrap_or_default(), start: bound.start, draws, absent }
}
