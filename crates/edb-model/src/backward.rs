//! Runs one vertex forward and then backward, op by op in `f64`, to find where a gradient that is infinite or
//! NaN arises. It looks, from the end of the function, for the first value that receives a finite gradient and
//! passes to an argument a gradient that is not finite.
//!
//! The gradients are derived from the function's forward program and have been through no further pass, so each
//! gradient belongs to one forward value.

use edb_ir::autodiff::{ByValue, differentiate_by_value};
use edb_ir::{
    Domain, Leaf, Movement, Op, Program, Shape, Sizes, Slot, Surface, Transition, ValueId,
};

use crate::interpreter::{Machine, attributes, first_greatest};
use crate::model::bound::{BoundFunction, BoundValue};
use edb_vertex::eager::context::EagerVertex;
use edb_vertex::eager::dual::{Dual, Real as _};
use edb_vertex::eager::reference::{Array, evaluate};
use edb_vertex::tensor::Tensor;

/// How many elements of a tensor, and how many operands of an op, are shown at most.
const MAX_SHOWN: usize = 6;

/// How many levels of an expression are shown at most.
const MAX_EXPRESSION_LEVELS: usize = 3;

/// A function, with the gradient of each of its values.
#[derive(Debug)]
pub struct Backward<'a> {
    function: &'a BoundFunction,
    joint: ByValue,
    bound: Vec<BoundValue>,
    /// Whether a value is read by another one.
    is_read: Vec<bool>,
}

/// The gradients that reach a vertex; `None` where no gradient does.
#[derive(Clone, Debug, Default)]
pub struct Received {
    /// The gradients of the fields of its state, in the order of the struct.
    pub state: Vec<Option<Vec<f64>>>,
    /// The gradients of the fields of its output, in the order of the struct.
    pub output: Vec<Option<Vec<f64>>>,
}

/// The gradients that a vertex passes on.
#[derive(Clone, Debug, Default)]
pub struct Passed {
    /// Each gradient with the place of a child, and with the place of the field in the child's state.
    pub children: Vec<(usize, usize, Vec<f64>)>,
    /// Each gradient with the place of its field in the input struct.
    pub pulls: Vec<(usize, Vec<f64>)>,
}

/// Where in a function a gradient that is infinite or NaN arises.
#[derive(Clone, Debug, PartialEq)]
pub struct GradientOrigin {
    /// The name of the op.
    pub op: String,
    /// The expression that it computes.
    pub expression: String,
    /// The gradient that reaches it.
    pub received: String,
    /// The argument that receives the gradient that is not finite; `None` if each gradient that the op receives
    /// is finite, but their sum is not.
    pub to: Option<String>,
    /// An element of that gradient.
    pub value: f64,
    /// The arguments and their values.
    pub operands: Vec<(String, String)>,
}

impl<'a> Backward<'a> {
    /// Prepares a function; `None` if a gradient has a shape that no value of the function has.
    pub fn new(function: &'a BoundFunction) -> Option<Self> {
        let whole = &function.plan.program;
        let mut forward: Program = whole.clone();
        forward.values.truncate(whole.backward_start as usize);
        forward.gradients = Default::default();
        let count = forward.values.len();
        let joint = differentiate_by_value(forward);
        let mut bound = function.values[..count].to_vec();
        let known = |shape: &Shape| -> Option<Sizes> {
            let mut values = whole.values.iter().zip(&function.values);
            let found = values.find(|(value, _)| value.shape == *shape);
            match shape.is_scalar() {
                true => Some(Sizes::new()),
                false => found.map(|(_, bound)| bound.sizes.clone()),
            }
        };
        for value in &joint.program.values[count..] {
            let sizes = known(&value.shape)?;
            let length = match &value.op {
                Op::Leaf(Leaf::Length(of)) => known(of)?.iter().product(),
                _ => 1,
            };
            let start = match &value.op {
                Op::Movement(op) if op.start().is_some() => {
                    start_of(op, &sizes, whole, &function.values)?
                }
                _ => 0,
            };
            let width = sizes.iter().product();
            bound.push(BoundValue { sizes, width, start, length, one_of: None });
        }
        let mut is_read = vec![false; joint.program.values.len()];
        let args = joint.program.values.iter().flat_map(|value| &value.args);
        args.for_each(|arg| is_read[arg.index()] = true);
        Some(Self { function, joint, bound, is_read })
    }

    /// Runs a vertex, each value rounded by `round`. Parameters, children and input are in the order of
    /// its program.
    ///
    /// # Errors
    /// Where a gradient that is not finite arises.
    pub fn run(
        &self,
        params: &[Tensor],
        vertex: &EagerVertex,
        received: &Received,
        round: &dyn Fn(f64) -> f64,
    ) -> Result<Passed, Box<GradientOrigin>> {
        let program = &self.joint.program;
        let mut machine = Machine::new(program, &self.bound, params, vertex);
        for number in 0..program.values.len() {
            let id = ValueId(number as u32);
            match self.backward_value(&machine, id, received) {
                Some(copies) => machine.values[number] = Some(copies),
                None => machine.compute(id),
            }
            let copies = machine.values[number].iter_mut().flatten();
            let elements = copies.flat_map(|array| &mut array.data);
            elements.for_each(|x| x.value = round(x.value));
        }
        self.check(&machine)?;
        Ok(self.passed(&machine))
    }

    /// Computes a value of the backward pass, if its op does not work on values of one vertex or one edge
    /// alone.
    fn backward_value(
        &self,
        machine: &Machine<'_>,
        id: ValueId,
        received: &Received,
    ) -> Option<Vec<Array<Dual>>> {
        let value = self.joint.program.value(id);
        let bound = &self.bound[id.index()];
        let given = |gradient: Option<&Option<Vec<f64>>>| {
            let mut array = Array::zeros(bound.sizes.clone());
            if let Some(Some(gradient)) = gradient {
                array.data = gradient.iter().map(|x| Dual::constant(*x)).collect();
            }
            Some(vec![array])
        };
        match &value.op {
            Op::Leaf(Leaf::StateGradient(field)) => {
                let place = self.function.scatter_order()[usize::from(*field)];
                given(received.state.get(place))
            }
            Op::Leaf(Leaf::OutputGradient(field)) => {
                let output = &self.function.output;
                let place = output.iter().position(|known| known.program_field == *field);
                given(place.and_then(|place| received.output.get(place)))
            }
            Op::Transition(Transition::EdgeMaxMask) => {
                Some(first_greatest(machine.of(value.args[0])))
            }
            // Of a table of gradients, only the rows are looked at.
            Op::Transition(Transition::RowSum | Transition::BagRowSum(_))
                if !self.is_read[id.index()] =>
            {
                Some(machine.of(value.args[0]).clone())
            }
            Op::Transition(
                Transition::RowSum
                | Transition::BagRowSum(_)
                | Transition::OuterSum
                | Transition::WeightedSum(..)
                | Transition::Reduce(Domain::Step),
            ) => {
                let of = |arg: &ValueId| machine.of(*arg);
                let edges = value.args.iter().map(|arg| of(arg).len());
                let many = value.args.iter().any(|arg| is_of_edges(&self.joint.program, *arg));
                let edges = if many { edges.max().unwrap_or(0) } else { 1 };
                let mut sum = Array::zeros(bound.sizes.clone());
                for edge in 0..edges {
                    let at = |arg: &ValueId| {
                        let edge = if is_of_edges(&self.joint.program, *arg) { edge } else { 0 };
                        &of(arg)[edge]
                    };
                    let args: Vec<&Array<Dual>> = value.args.iter().map(at).collect();
                    let attributes =
                        attributes(&value.op, bound, machine.vertex, edge, value.domain);
                    let part = evaluate(&value.op, &args, &attributes);
                    sum.data.iter_mut().zip(&part.data).for_each(|(sum, x)| *sum = *sum + *x);
                }
                Some(vec![sum])
            }
            _ => None,
        }
    }

    /// Fails where a gradient that is not finite arises.
    fn check(&self, machine: &Machine<'_>) -> Result<(), Box<GradientOrigin>> {
        let ByValue { gradients, gifts, .. } = &self.joint;
        let mut gifts = gifts.iter().peekable();
        for id in (0..gradients.len() as u32).rev().map(ValueId) {
            let Some(gradient) = gradients[id.index()] else { continue };
            if let Some((edge, value)) = not_finite(machine.of(gradient)) {
                return Err(self.origin(machine, id, gradient, None, (edge, value)));
            }
            while let Some(gift) = gifts.next_if(|gift| gift.from == id) {
                if let Some(found) = not_finite(machine.of(gift.part)) {
                    return Err(self.origin(machine, id, gradient, Some(gift.to), found));
                }
            }
        }
        Ok(())
    }

    fn origin(
        &self,
        machine: &Machine<'_>,
        id: ValueId,
        gradient: ValueId,
        to: Option<ValueId>,
        (edge, value): (usize, f64),
    ) -> Box<GradientOrigin> {
        let program = &self.joint.program;
        let written = |id| expression(program, id, MAX_EXPRESSION_LEVELS);
        let shown = |id: ValueId| {
            let copies = machine.of(id);
            copies.get(edge).or(copies.first()).map_or_else(String::new, shown)
        };
        let mut operands: Vec<ValueId> = Vec::new();
        for arg in &program.value(id).args {
            if !operands.contains(arg) {
                operands.push(*arg);
            }
        }
        Box::new(GradientOrigin {
            op: program.value(id).op.row().name.to_owned(),
            expression: written(id),
            received: shown(gradient),
            to: to.map(written),
            value,
            operands: operands.into_iter().map(|arg| (written(arg), shown(arg))).collect(),
        })
    }

    fn passed(&self, machine: &Machine<'_>) -> Passed {
        let gradients = &self.joint.program.gradients;
        let numbers =
            |array: &Array<Dual>| array.data.iter().map(|x| x.value).collect::<Vec<f64>>();
        let mut passed = Passed::default();
        for &(slot, field, id) in &gradients.children {
            let Some((_, place)) = self.function.child_field(slot, field) else { continue };
            let first = match slot {
                Slot::Fixed(slot) => usize::from(slot),
                Slot::Rest => machine.vertex.fixed,
            };
            let of_children = machine.of(id).iter().enumerate();
            let of_children = of_children.map(|(edge, copy)| (first + edge, place, numbers(copy)));
            passed.children.extend(of_children);
        }
        for &(field, id) in &gradients.pulls {
            let place = self.function.input_fields[usize::from(field)];
            passed.pulls.push((place, numbers(&machine.of(id)[0])));
        }
        passed
    }
}

/// The first element of a slice or a pad of this shape, taken from another value that begins at the same place.
fn start_of(
    op: &Movement,
    sizes: &[usize],
    program: &Program,
    bound: &[BoundValue],
) -> Option<usize> {
    let of_rows =
        |op: &Movement| matches!(op, Movement::SliceRows { .. } | Movement::PadRows { .. });
    let is_same = |known: &Op| match known {
        Op::Movement(known) => known.start() == op.start() && of_rows(known) == of_rows(op),
        _ => false,
    };
    // The other one may have another number of columns.
    let columns = |sizes: &[usize]| sizes.get(1).copied().unwrap_or(1).max(1);
    let found = program.values.iter().zip(bound).find(|(value, _)| is_same(&value.op));
    found.map(|(_, bound)| bound.start / columns(&bound.sizes) * columns(sizes))
}

fn is_of_edges(program: &Program, id: ValueId) -> bool {
    program.value(id).domain == Domain::Edge
}

/// The first element that is not finite, and the edge that has it.
fn not_finite(copies: &[Array<Dual>]) -> Option<(usize, f64)> {
    copies.iter().enumerate().find_map(|(edge, array)| {
        let found = array.data.iter().find(|x| !x.value.is_finite());
        found.map(|x| (edge, x.value))
    })
}

/// The first elements of a tensor, as text.
fn shown(array: &Array<Dual>) -> String {
    if let ([], [x]) = (&array.shape[..], &array.data[..]) {
        return x.value.to_string();
    }
    let elements: Vec<String> =
        array.data.iter().take(MAX_SHOWN).map(|x| x.value.to_string()).collect();
    let more = if array.data.len() > MAX_SHOWN { ", .." } else { "" };
    format!("[{}{more}]", elements.join(", "))
}

/// A value as it would be written in Rust, down to this many levels.
fn expression(program: &Program, id: ValueId, levels: usize) -> String {
    let value = program.value(id);
    let described = program.describe_value(id).to_string();
    let rest = described.split_once(' ').map_or("", |(_, rest)| rest);
    let args = || {
        let of = |arg: &ValueId| expression(program, *arg, levels - 1);
        let more = (value.args.len() > MAX_SHOWN).then(|| "..".to_owned());
        value.args.iter().take(MAX_SHOWN).map(of).chain(more).collect::<Vec<String>>()
    };
    match &value.op {
        Op::Leaf(Leaf::Child { slot: Slot::Fixed(slot), .. }) => {
            let field = rest.split_once('.').map_or(rest, |(_, field)| field);
            format!("gather({slot}).{field}")
        }
        Op::Leaf(Leaf::Child { slot: Slot::Rest, .. }) => rest.replacen("rest", "child", 1),
        Op::Leaf(Leaf::Zeros) => "zeros".to_owned(),
        Op::Leaf(Leaf::Param(_) | Leaf::Pull(_) | Leaf::Constant(_)) => rest.to_owned(),
        Op::Leaf(_) => described,
        Op::Movement(Movement::Copy(_)) => expression(program, value.args[0], levels),
        _ if levels == 0 => "..".to_owned(),
        op => match (op.row().surface, &args()[..]) {
            (Surface::Operator(sign), [x]) => format!("{sign}{x}"),
            (Surface::Operator(sign), [a, b]) => format!("({a} {sign} {b})"),
            (Surface::Method(name), [x, others @ ..]) => {
                format!("{x}.{name}({})", others.join(", "))
            }
            (Surface::Function(name), args) => format!("{name}({})", args.join(", ")),
            (_, args) => format!("{}({})", op.row().name, args.join(", ")),
        },
    }
}
