//! Shapes as a function is built: those that are declared, and what is decided once all of it is known.

use super::{Builder, LateError};
use crate::program::{Value, ValueId};
use crate::rules::{ShapeError, shape};
use crate::shapes::{Clash, Shape};

impl Builder {
    /// Declares the shape of a value.
    ///
    /// # Errors
    /// When it has another: what it is.
    pub fn declare_shape(&mut self, id: ValueId, shape: &Shape) -> Result<(), String> {
        let found = self.shape(id);
        self.solver.unify(&found, shape).map_err(|Clash| self.solver.show(&found))
    }

    /// Two values that are compared element by element, such as a prediction and what it should be: if one turns out
    /// to be a scalar and nothing else says what the other is, it is one, too.
    pub(crate) fn expect_alike(&mut self, pair: [ValueId; 2]) {
        self.alike.push(pair);
    }

    pub(super) fn make_alike(&mut self) {
        for [a, b] in std::mem::take(&mut self.alike) {
            let shapes = [self.shape(a), self.shape(b)];
            let open = shapes.iter().any(|shape| matches!(shape, Shape::Unknown(_)));
            if open && shapes.iter().any(Shape::is_scalar) {
                let [a, b] = &shapes;
                self.solver.unify(a, b).expect("an unknown shape can be any");
            }
        }
    }

    /// Makes a value a scalar.
    ///
    /// # Errors
    /// When it is none: what it is.
    pub(crate) fn scalar(&mut self, id: ValueId) -> Result<(), String> {
        let shape = self.shape(id);
        match self.solver.with_rank(&shape, 0) {
            Ok(_) => Ok(()),
            Err(Clash) => Err(self.solver.show(&shape)),
        }
    }

    /// The tensors that have turned out to be indices after an op had read them.
    pub(super) fn kinds_that_differ(&self) -> Vec<LateError> {
        let mut errors = Vec::new();
        for (value, Value { op, args, .. }) in self.program.iter() {
            for (operand, arg) in args.iter().enumerate() {
                if self.shape(*arg).is_index() && !op.reads_index(operand) {
                    let text = format!("{{{operand}}} is an index elsewhere, and a tensor here");
                    errors.push(LateError { value, error: ShapeError::new(operand, text) });
                }
            }
        }
        errors
    }

    /// Resolves one open pair; `Ok(false)` when it stays open.
    pub(super) fn decide(&mut self, id: ValueId, certain_only: bool) -> Result<bool, ShapeError> {
        let value = self.program.value(id).clone();
        let operands = [self.shape(value.args[0]), self.shape(value.args[1])];
        let open = operands.iter().any(|shape| shape.dims().is_none())
            && !operands.iter().any(Shape::is_scalar);
        if open && certain_only {
            return Ok(false);
        }
        let shape = if open {
            self.solver.unify(&operands[0], &operands[1]).map(|()| operands[0].clone())
        } else {
            Ok(shape::broadcast(&mut self.solver, &operands, None)?)
        };
        let unified = shape.and_then(|shape| self.solver.unify(&shape, &value.shape));
        unified.map(|()| true).map_err(|Clash| {
            let [a, b] = operands.map(|shape| self.solver.show(&shape));
            ShapeError::new(1, format!("{{0}} is {a} and {{1}} is {b}; they do not fit"))
        })
    }
}
