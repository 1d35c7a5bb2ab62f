//! Comparisons, and choices between two values, of which the [forms](super::form) are made.

use super::Builder;
use crate::program::{Leaf, Op, Pointwise, ValueId};
use crate::rules::ShapeError;

pub(super) type Built = Result<ValueId, ShapeError>;

/// `a op number`.
pub(super) fn with(b: &mut Builder, op: Op, a: ValueId, number: f64) -> Built {
    let number = b.constant(number);
    b.apply(op, &[a, number])
}

/// `x` where the mask is not 0, else `y`.
pub(super) fn select(b: &mut Builder, mask: ValueId, x: ValueId, y: ValueId) -> Built {
    // For values other than 0 and 1, `1 - m` is not the complement.
    let is_mask = matches!(
        b.op(mask),
        Op::Pointwise(
            Pointwise::Greater | Pointwise::GreaterEqual | Pointwise::Exceeds | Pointwise::Positive
        )
    );
    let mask = if is_mask { mask } else { not_zero(b, mask)? };
    choose(b, mask, x, y)
}

/// 1 where `x` is not 0 (as NaN is not), else 0.
pub(super) fn not_zero(b: &mut Builder, x: ValueId) -> Built {
    let one = b.constant(1.0);
    b.apply(Pointwise::Mask, &[x, one])
}

/// `x` where the mask is 1, `y` where it is 0. Both are masked, so that a NaN or an infinity that
/// is not chosen does not reach the result.
pub(super) fn choose(b: &mut Builder, mask: ValueId, x: ValueId, y: ValueId) -> Built {
    let x = b.apply(Pointwise::Mask, &[mask, x])?;
    let rest = b.not(mask);
    let y = b.apply(Pointwise::Mask, &[rest, y])?;
    b.apply(Pointwise::Add, &[x, y])
}

pub(super) fn greater(b: &mut Builder, x: ValueId, y: ValueId) -> Built {
    b.apply(Pointwise::Greater, &[x, y])
}

pub(super) fn greater_equal(b: &mut Builder, x: ValueId, y: ValueId) -> Built {
    b.apply(Pointwise::GreaterEqual, &[x, y])
}

/// `y` where `y > x`, else `x`; NaN where one of them is.
///
/// # Errors
/// When their shapes do not fit.
pub fn maximum(b: &mut Builder, x: ValueId, y: ValueId) -> Built {
    // Against a constant, a NaN `x` is kept, since the comparison is then false.
    let compare = if is_number(b, y) {
        Op::Pointwise(Pointwise::Greater)
    } else {
        Op::Pointwise(Pointwise::Exceeds)
    };
    let above = b.apply(compare, &[y, x]).map_err(ShapeError::swapped)?;
    choose(b, above, y, x)
}

/// `y` where `y < x`, else `x`; NaN where one of them is.
///
/// # Errors
/// When their shapes do not fit.
pub fn minimum(b: &mut Builder, x: ValueId, y: ValueId) -> Built {
    let below = match is_number(b, y) {
        true => greater(b, x, y)?,
        // Negated, so that the maximum's rule for NaN applies.
        false => {
            let [x, y] = [b.apply(Pointwise::Neg, &[x])?, b.apply(Pointwise::Neg, &[y])?];
            b.apply(Pointwise::Exceeds, &[y, x]).map_err(ShapeError::swapped)?
        }
    };
    choose(b, below, y, x)
}

/// Whether a value is a constant other than NaN.
pub(super) fn is_number(b: &Builder, id: ValueId) -> bool {
    matches!(b.op(id), Op::Leaf(Leaf::Constant(number)) if !number.is_nan())
}

/// 1 where `x >= y` and `y >= x`, else 0, also where one of them is NaN.
pub(super) fn equal(b: &mut Builder, x: ValueId, y: ValueId) -> Built {
    let [not_below, not_above] = [greater_equal(b, x, y)?, greater_equal(b, y, x)?];
    b.apply(Pointwise::Mul, &[not_below, not_above])
}
