//! Reverse-mode differentiation, at build time: a forward program becomes a joint one.
//!
//! The gradient rules ([`crate::gradient`]) speak of one vertex. This pass walks the values
//! backward, adds up what they give, and inserts the sums over edges and vertices where a value is
//! used in a finer domain than its own.

use crate::dim::{Dim, Shape};
use crate::op::{Domain, Op};
use crate::program::{Gradients, Program, Value, ValueId};

/// Adds the backward values to a forward program.
///
/// Gradients enter where a state is scattered ([`Op::StateGradient`]), where an output is pushed
/// ([`Op::OutputGradient`]) and at losses (with [`Op::LossScale`], which is 1 unless a device scales
/// losses); they leave at children, pulled tensors and parameters. The loss is the plain sum over
/// vertices.
///
/// All that a backward pass computes is linear in what it begins with, so that a scale at the losses,
/// and at the gradients that the outside gives, is the scale of every gradient. A joint program can be
/// differentiated again: its own gradients are then values that something is made of, by no means always
/// linearly, and are unscaled; the scale is at the new losses.
pub fn differentiate(mut program: Program) -> Program {
    for value in &mut program.values {
        if value.op == Op::LossScale {
            value.op = Op::Constant(1.0);
        }
    }
    program.backward_start = program.values.len() as u32;
    let wanted = wanted(&program);
    let mut reverse = Reverse {
        gradients: vec![None; program.values.len()],
        params: vec![Vec::new(); program.params.len()],
        wanted,
        program: &mut program,
    };

    for loss in reverse.program.losses.clone() {
        let seed = reverse.shaped(Op::LossScale, &[], Shape::scalar());
        let seed = reverse.shaped(Op::Copy(Domain::Vertex), &[seed], Shape::scalar());
        reverse.add_to(loss, seed);
    }
    for (field, id) in reverse.program.scatter.clone().into_iter().enumerate() {
        let seed = reverse.like(Op::StateGradient(field as u16), &[], id);
        reverse.add_to(id, seed);
    }
    for (field, id) in reverse.program.push.clone().into_iter().enumerate() {
        let seed = reverse.like(Op::OutputGradient(field as u16), &[], id);
        reverse.add_to(id, seed);
    }
    for at in (0..reverse.gradients.len()).rev() {
        if let Some(gradient) = reverse.gradients[at] {
            let rule = reverse.program.values[at].op.row().gradient;
            rule(&mut reverse, ValueId(at as u32), gradient);
        }
    }

    let Reverse { gradients, params, .. } = reverse;
    let mut result = Gradients { params, ..Default::default() };
    for (value, gradient) in program.values.iter().zip(gradients) {
        match (&value.op, gradient) {
            (&Op::Child { slot, field }, Some(id)) => result.children.push((slot, field, id)),
            (&Op::Pull(field), Some(id)) => result.pulls.push((field, id)),
            _ => {}
        }
    }
    program.gradients = result;
    program
}

/// Which values a gradient is wanted for: those that depend on a parameter, a child or a pull.
fn wanted(program: &Program) -> Vec<bool> {
    let mut wanted = Vec::with_capacity(program.values.len());
    for value in &program.values {
        let source = matches!(value.op, Op::Param(_) | Op::Child { .. } | Op::Pull(_));
        wanted.push(source || value.args.iter().any(|arg| wanted[arg.index()]));
    }
    wanted
}

/// The state of a backward walk: what gradient rules build with.
pub struct Reverse<'a> {
    program: &'a mut Program,
    /// The gradient of each forward value, as far as it has been added up.
    gradients: Vec<Option<ValueId>>,
    /// The parts of each parameter's gradient.
    params: Vec<Vec<ValueId>>,
    wanted: Vec<bool>,
}

impl Reverse<'_> {
    /// The op of a value.
    pub fn op(&self, id: ValueId) -> Op {
        self.program.value(id).op.clone()
    }

    /// The number of a value's arguments.
    pub fn arity(&self, id: ValueId) -> usize {
        self.program.value(id).args.len()
    }

    /// Argument `at` of a value.
    pub fn argument(&self, id: ValueId, at: usize) -> ValueId {
        self.program.value(id).args[at]
    }

    /// The length of a vector.
    pub fn vector_length(&self, id: ValueId) -> Dim {
        match self.program.value(id).shape.dims() {
            Some([length]) => length.clone(),
            _ => unreachable!("the shape rule has made this a vector"),
        }
    }

    /// A number.
    pub fn constant(&mut self, number: f64) -> ValueId {
        self.shaped(Op::Constant(number), &[], Shape::scalar())
    }

    /// A new value of the shape of its argument.
    pub fn unary(&mut self, op: Op, x: ValueId) -> ValueId {
        self.like(op, &[x], x)
    }

    /// A new pointwise value; if one operand is a scalar it is spread over the other.
    pub fn binary(&mut self, op: Op, a: ValueId, b: ValueId) -> ValueId {
        let like = if self.program.value(a).shape.is_scalar() { b } else { a };
        self.like(op, &[a, b], like)
    }

    /// A new value of the shape of another.
    pub fn like(&mut self, op: Op, args: &[ValueId], like: ValueId) -> ValueId {
        let shape = self.program.value(like).shape.clone();
        self.shaped(op, args, shape)
    }

    /// A new value of a given shape.
    pub fn shaped(&mut self, op: Op, args: &[ValueId], shape: Shape) -> ValueId {
        let finest = args.iter().map(|arg| self.program.value(*arg).domain).max();
        let domain = op.domain(finest.unwrap_or(Domain::Step));
        self.program.values.push(Value { op, args: args.to_vec(), shape, domain });
        ValueId(self.program.values.len() as u32 - 1)
    }

    /// Gives argument `at` of `y` a part of its gradient, fitted to its shape and domain.
    pub fn give(&mut self, y: ValueId, at: usize, part: ValueId) {
        let argument = self.argument(y, at);
        self.add_to(argument, part);
    }

    fn add_to(&mut self, id: ValueId, part: ValueId) {
        if !self.wanted[id.index()] {
            return;
        }
        let part = self.fit(id, part);
        if let Op::Param(at) = self.program.value(id).op {
            self.params[usize::from(at)].push(part);
            return;
        }
        self.gradients[id.index()] = Some(match self.gradients[id.index()] {
            Some(sum) => self.binary(Op::Add, sum, part),
            None => part,
        });
    }

    /// Sums `part` over what `id` was broadcast over: elements, edges, vertices.
    fn fit(&mut self, id: ValueId, mut part: ValueId) -> ValueId {
        let (shape, to) = (self.program.value(id).shape.clone(), self.program.value(id).domain);
        if shape.is_scalar() && !self.program.value(part).shape.is_scalar() {
            part = self.shaped(Op::Sum, &[part], Shape::scalar());
        }
        let from = self.program.value(part).domain;
        if from > to {
            if to == Domain::Step && self.op(part) == Op::Outer {
                // One product over all rows, instead of a matrix for each of them.
                let [a, b] = [self.argument(part, 0), self.argument(part, 1)];
                return self.shaped(Op::OuterSum, &[a, b], shape);
            }
            part = self.shaped(Op::Reduce(to), &[part], shape);
        } else if from < to {
            part = self.shaped(Op::Copy(to), &[part], shape);
        }
        part
    }
}
