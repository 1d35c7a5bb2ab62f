//! The state of reverse-mode differentiation: the joint program, and the gradients so far.

use crate::program::{
    Contraction, Domain, Leaf, Movement, Op, Pointwise, Program, Reduction, SemiringContraction,
    Transition, Value, ValueId,
};
use crate::shapes::{Dim, Shape};

/// The state of reverse-mode differentiation, with which gradient rules build values.
pub struct Reverse<'a> {
    pub(crate) program: &'a mut Program,
    /// The gradient of each forward value, as far as it has been added up.
    pub(crate) gradients: Vec<Option<ValueId>>,
    /// The parts of each parameter's gradient.
    pub(crate) params: Vec<Vec<ValueId>>,
    /// Which values need a gradient.
    pub(crate) wanted: Vec<bool>,
    /// Where the rule of a single op is asked: what it gives each operand, as it gives it.
    pub(crate) given: Option<Vec<(usize, ValueId)>>,
    /// What each value has given its arguments.
    pub(crate) gifts: Vec<Gift>,
}

/// A part of the gradient of an argument, which a value has given it.
#[derive(Clone, Copy, Debug)]
pub struct Gift {
    /// The forward value.
    pub from: ValueId,
    /// Its argument.
    pub to: ValueId,
    /// The part, in the argument's shape and domain.
    pub part: ValueId,
}

impl<'a> Reverse<'a> {
    /// For the rules of single ops, whose gradients are not added up.
    pub(crate) fn of_one_op(program: &'a mut Program) -> Self {
        let given = Some(Vec::new());
        let (gradients, params) = (Vec::new(), Vec::new());
        let (wanted, gifts) = (Vec::new(), Vec::new());
        Self { program, gradients, params, wanted, given, gifts }
    }

    /// What the rule of `y` gives an operand, as it gives it.
    pub(crate) fn part(&mut self, y: ValueId, operand: usize, dy: ValueId) -> Option<ValueId> {
        let rule = self.op(y).row().gradient;
        rule(self, y, dy);
        let given = self.given.replace(Vec::new()).unwrap_or_default();
        given.into_iter().find(|(to, _)| *to == operand).map(|(_, part)| part)
    }

    /// The op of a value.
    pub fn op(&self, id: ValueId) -> Op {
        self.program.value(id).op.clone()
    }

    /// The number of a value's arguments.
    pub fn arity(&self, id: ValueId) -> usize {
        self.program.value(id).args.len()
    }

    /// An argument of a value.
    pub fn argument(&self, id: ValueId, operand: usize) -> ValueId {
        self.program.value(id).args[operand]
    }

    /// The dimensions of a value, all of which are known.
    pub(crate) fn dims(&self, id: ValueId) -> &[Dim] {
        self.program.value(id).shape.dims().expect("the shape rules have found them")
    }

    /// A number.
    pub fn constant(&mut self, number: f64) -> ValueId {
        self.shaped(Op::Leaf(Leaf::Constant(number)), &[], Shape::scalar())
    }

    /// A new value of the shape of its argument.
    pub fn unary(&mut self, op: impl Into<Op>, x: ValueId) -> ValueId {
        self.like(op, &[x], x)
    }

    /// A new pointwise value; a scalar operand is broadcast to the other's shape.
    pub fn binary(&mut self, op: impl Into<Op>, a: ValueId, b: ValueId) -> ValueId {
        let like = if self.program.value(a).shape.is_scalar() { b } else { a };
        self.like(op, &[a, b], like)
    }

    /// A new value of the shape of another.
    pub fn like(&mut self, op: impl Into<Op>, args: &[ValueId], like: ValueId) -> ValueId {
        let shape = self.program.value(like).shape.clone();
        self.shaped(op, args, shape)
    }

    /// A new value of a given shape.
    pub fn shaped(&mut self, op: impl Into<Op>, args: &[ValueId], shape: Shape) -> ValueId {
        let op = op.into();
        let finest = args.iter().map(|arg| self.program.value(*arg).domain).max();
        let domain = op.domain(finest.unwrap_or(Domain::Step));
        self.program.values.push(Value { op, args: args.to_vec(), shape, domain });
        ValueId(self.program.values.len() as u32 - 1)
    }

    /// Adds a part to the gradient of an argument of `y`, fitted to its shape and domain.
    pub fn give(&mut self, y: ValueId, operand: usize, part: ValueId) {
        if let Some(given) = &mut self.given {
            given.push((operand, part));
            return;
        }
        let to = self.argument(y, operand);
        if let Some(part) = self.add_to(to, part) {
            self.gifts.push(Gift { from: y, to, part });
        }
    }

    /// Adds a part to the gradient of a value, if it needs one. Returns the part in the value's shape
    /// and domain.
    pub(crate) fn add_to(&mut self, id: ValueId, part: ValueId) -> Option<ValueId> {
        if !self.wanted[id.index()] {
            return None;
        }
        let part = self.fit(id, part);
        if let Op::Leaf(Leaf::Param(param)) = self.program.value(id).op {
            self.params[usize::from(param)].push(part);
            return Some(part);
        }
        self.gradients[id.index()] = Some(match self.gradients[id.index()] {
            Some(sum) => self.binary(Pointwise::Add, sum, part),
            None => part,
        });
        Some(part)
    }

    /// Sums `part` over what `id` was broadcast over: elements, edges, vertices.
    fn fit(&mut self, id: ValueId, mut part: ValueId) -> ValueId {
        let (shape, to) = (self.program.value(id).shape.clone(), self.program.value(id).domain);
        if shape.is_scalar() && !self.program.value(part).shape.is_scalar() {
            part = self.shaped(Op::Reduction(Reduction::Sum), &[part], Shape::scalar());
        }
        let from = self.program.value(part).domain;
        if from > to {
            if to == Domain::Step && self.op(part) == Op::Contraction(Contraction::Outer) {
                // One product over all rows, instead of a matrix for each of them.
                let [a, b] = [self.argument(part, 0), self.argument(part, 1)];
                return self.shaped(Op::Transition(Transition::OuterSum), &[a, b], shape);
            }
            if to == Domain::Step
                && let Op::SemiringContraction(SemiringContraction::Weighted(semiring, role)) =
                    self.op(part)
            {
                let args = self.program.value(part).args.clone();
                return self.shaped(Transition::WeightedSum(semiring, role), &args, shape);
            }
            part = self.shaped(Op::Transition(Transition::Reduce(to)), &[part], shape);
        } else if from < to {
            part = self.shaped(Op::Movement(Movement::Copy(to)), &[part], shape);
        }
        part
    }
}
