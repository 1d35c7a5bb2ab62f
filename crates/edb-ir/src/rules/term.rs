//! Values in the hands of a rule that is written as a formula: `dy * (y * (1.0 - y))` builds the values that it says.

use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};

use super::reverse::Reverse;
use crate::program::{Contraction, Movement, Op, Pointwise, Reduction, RowReduction, ValueId};
use crate::shapes::Shape;

/// A value; what is computed from it is a new one.
#[derive(Clone, Copy)]
pub(crate) struct Term<'r, 'p> {
    id: ValueId,
    of: &'r RefCell<&'r mut Reverse<'p>>,
}

impl<'p> Reverse<'p> {
    /// Does with values what formulas say.
    pub(crate) fn by_terms<const N: usize, R>(
        &mut self,
        ids: [ValueId; N],
        formulas: impl for<'r> FnOnce([Term<'r, 'p>; N]) -> R,
    ) -> R {
        let of = RefCell::new(self);
        formulas(ids.map(|id| Term { id, of: &of }))
    }
}

impl<'r, 'p> Term<'r, 'p> {
    pub(crate) fn id(self) -> ValueId {
        self.id
    }

    fn built(self, build: impl FnOnce(&mut Reverse<'p>) -> ValueId) -> Self {
        Self { id: build(&mut self.of.borrow_mut()), ..self }
    }

    /// An argument of the value.
    pub(crate) fn argument(self, operand: usize) -> Self {
        self.built(|r| r.argument(self.id, operand))
    }

    /// Adds a part to the gradient of an argument of the value.
    pub(crate) fn give(self, operand: usize, part: Self) {
        self.of.borrow_mut().give(self.id, operand, part.id);
    }

    pub(crate) fn op(self) -> Op {
        self.of.borrow().op(self.id)
    }

    /// A number.
    pub(crate) fn number(self, number: f64) -> Self {
        self.built(|r| r.constant(number))
    }

    /// An op of this value, of its shape.
    pub(crate) fn map(self, op: impl Into<Op>) -> Self {
        self.built(|r| r.unary(op, self.id))
    }

    /// A pointwise op of this value and another.
    pub(crate) fn with(self, op: Pointwise, other: Self) -> Self {
        self.built(|r| r.binary(op, self.id, other.id))
    }

    /// An op of other values, of this value's shape.
    pub(crate) fn like<const N: usize>(self, op: impl Into<Op>, args: [Self; N]) -> Self {
        self.built(|r| r.like(op, &args.map(Self::id), self.id))
    }

    /// An op of other values that gives a scalar.
    pub(crate) fn scalar<const N: usize>(self, op: impl Into<Op>, args: [Self; N]) -> Self {
        self.built(|r| r.shaped(op, &args.map(Self::id), Shape::scalar()))
    }

    /// `e^x`.
    pub(crate) fn exp(self) -> Self {
        self.map(Pointwise::Exp)
    }

    /// `other` where this is not 0, else 0.
    pub(crate) fn mask(self, other: Self) -> Self {
        self.with(Pointwise::Mask, other)
    }

    /// Ones, as many as the value has elements.
    pub(crate) fn ones(self) -> Self {
        self.like(Movement::Expand, [self.number(1.0)])
    }

    /// The sum of all elements.
    pub(crate) fn sum(self) -> Self {
        self.scalar(Reduction::Sum, [self])
    }

    /// The sum of each row of a matrix.
    pub(crate) fn row_sum(self) -> Self {
        self.built(|r| {
            let rows = r.dims(self.id)[0].clone();
            r.shaped(RowReduction::Sum, &[self.id], Shape::vector(rows))
        })
    }

    /// The elements of a vector, each in all elements of a row of a matrix of the other's shape.
    pub(crate) fn along_rows_of(self, matrix: Self) -> Self {
        let ones = self.number(1.0);
        let ones = ones.built(|r| {
            let columns = r.dims(matrix.id)[1].clone();
            r.shaped(Movement::Expand, &[ones.id], Shape::vector(columns))
        });
        matrix.like(Contraction::Outer, [self, ones])
    }
}

macro_rules! arithmetic {
    ($($op:ident $method:ident;)*) => {$(
        impl $op for Term<'_, '_> {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                self.with(Pointwise::$op, other)
            }
        }

        impl $op<f64> for Term<'_, '_> {
            type Output = Self;

            fn $method(self, other: f64) -> Self {
                self.with(Pointwise::$op, self.number(other))
            }
        }
    )*};
}

arithmetic! {
    Add add;
    Sub sub;
    Mul mul;
    Div div;
}

impl<'r, 'p> Sub<Term<'r, 'p>> for f64 {
    type Output = Term<'r, 'p>;

    fn sub(self, other: Term<'r, 'p>) -> Term<'r, 'p> {
        other.number(self).with(Pointwise::Sub, other)
    }
}

impl Neg for Term<'_, '_> {
    type Output = Self;

    fn neg(self) -> Self {
        self.map(Pointwise::Neg)
    }
}
