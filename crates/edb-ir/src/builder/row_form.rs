//! The [forms](super::form) of each row of a matrix.

use super::Builder;
use super::choice::{Built, choose, equal, greater, with};
use crate::program::{Movement, Op, Pointwise, RowReduction, ValueId};
use crate::rules::ShapeError;
use crate::shapes::{Clash, Dim, Shape};

/// Added to the mean square, so that the division by its root stays finite.
pub(super) const EPSILON: f64 = 1e-5;

/// `Σ x / n` of each row.
pub(super) fn row_mean(b: &mut Builder, x: ValueId) -> Built {
    let sums = b.apply(RowReduction::Sum, &[x])?;
    let [_, columns] = b.matrix(x)?;
    let count = b.length(columns);
    b.apply(Pointwise::Div, &[sums, count])
}

/// The number of the first greatest element of each row, as a number of a tensor.
pub(super) fn row_argmax(b: &mut Builder, matrix: ValueId) -> Built {
    let [_, columns] = b.matrix(matrix)?;
    let zeros = b.zeros(columns);
    b.argmax_dot(matrix, zeros)
}

/// The element of each row that has the number that a vector says; 0 where that is negative, and NaN where there is
/// no such element.
pub(super) fn row_pick(b: &mut Builder, matrix: ValueId, places: ValueId) -> Built {
    let [rows, columns] = b.matrix(matrix)?;
    expect_length(b, matrix, places, rows.clone(), 1)?;
    let numbers = b.numbers(columns.clone())?;
    let numbers = b.repeat_rows(numbers, rows)?;
    let of_columns = b.repeat_columns(places, columns)?;
    let here = equal(b, numbers, of_columns)?;
    let picked = b.apply(Pointwise::Mask, &[here, matrix])?;
    let picked = b.apply(RowReduction::Sum, &[picked])?;
    let found = b.apply(RowReduction::Max, &[here])?;
    let zero = b.constant(0.0);
    let none = greater(b, zero, places)?;
    let known = b.apply(Pointwise::Add, &[found, none])?;
    let no_number = b.constant(f64::NAN);
    choose(b, known, picked, no_number)
}

/// [`cross_entropy`](Reduction::CrossEntropy) of each row; 0 where the label is negative.
pub(super) fn row_cross_entropy(b: &mut Builder, logits: ValueId, labels: ValueId) -> Built {
    // Whatever is in a row without a label, no NaN of it reaches the gradient.
    let zero = b.constant(0.0);
    let none = greater(b, zero, labels)?;
    let some = b.not(none);
    let [rows, columns] = b.matrix(logits)?;
    expect_length(b, logits, labels, rows, 1)?;
    let some = b.repeat_columns(some, columns)?;
    let logits = b.apply(Pointwise::Mask, &[some, logits])?;
    let log = b.apply(RowReduction::LogSoftmax, &[logits])?;
    let picked = row_pick(b, log, labels)?;
    // Not `-picked`, which would be -0 of a row without a label.
    let zero = b.constant(0.0);
    b.apply(Pointwise::Sub, &[zero, picked])
}

/// A pointwise op of a matrix and a number of each of its rows.
fn with_each_row(b: &mut Builder, op: Pointwise, matrix: ValueId, numbers: ValueId) -> Built {
    let [_, columns] = b.matrix(matrix)?;
    let numbers = b.repeat_columns(numbers, columns)?;
    b.apply(op, &[matrix, numbers])
}

/// A pointwise op of each row of a matrix and a vector, which is operand `operand` of a call; the matrix has the
/// shape of operand 0.
fn with_row(
    b: &mut Builder,
    op: Pointwise,
    matrix: ValueId,
    row: ValueId,
    operand: usize,
) -> Built {
    let [rows, columns] = b.matrix(matrix)?;
    expect_length(b, matrix, row, columns, operand)?;
    let repeated = b.repeat_rows(row, rows)?;
    b.apply(op, &[matrix, repeated])
}

/// Makes a vector, operand `operand` of a call, as long as a matrix has rows or columns, which has the shape of operand 0.
fn expect_length(
    b: &mut Builder,
    matrix: ValueId,
    vector: ValueId,
    length: Dim,
    operand: usize,
) -> Result<(), ShapeError> {
    let [of_matrix, found, wanted] = [b.shape(matrix), b.shape(vector), Shape::vector(length)];
    b.solver.unify(&found, &wanted).map_err(|Clash| {
        let [of_matrix, wanted, found] =
            [&of_matrix, &wanted, &found].map(|shape| b.solver.show(shape));
        let text =
            format!("{{0}} is {of_matrix}, so {{{operand}}} must be {wanted}; it is {found}");
        ShapeError::new(operand, text)
    })
}

/// [`layer_norm`] of each row, with one gain and one bias for all of them.
pub(super) fn row_layer_norm(b: &mut Builder, tensors: &[ValueId]) -> Built {
    let mean = row_mean(b, tensors[0])?;
    let centred = with_each_row(b, Pointwise::Sub, tensors[0], mean)?;
    let rest = row_mean(b, centred)?;
    let rest = b.apply(Movement::Detach, &[rest])?;
    let centred = with_each_row(b, Pointwise::Sub, centred, rest)?;
    let scaled = row_rms_scaled(b, centred)?;
    let gained = with_row(b, Pointwise::Mul, scaled, tensors[1], 1)?;
    with_row(b, Pointwise::Add, gained, tensors[2], 2)
}

/// [`rms_norm`] of each row, with one gain for all of them.
pub(super) fn row_rms_norm(b: &mut Builder, tensors: &[ValueId]) -> Built {
    let scaled = row_rms_scaled(b, tensors[0])?;
    with_row(b, Pointwise::Mul, scaled, tensors[1], 1)
}

fn row_rms_scaled(b: &mut Builder, x: ValueId) -> Built {
    let squares = b.apply(Pointwise::Mul, &[x, x])?;
    let mean = row_mean(b, squares)?;
    let mean = with(b, Op::Pointwise(Pointwise::Add), mean, EPSILON)?;
    let root = b.apply(Pointwise::Sqrt, &[mean])?;
    with_each_row(b, Pointwise::Div, x, root)
}
