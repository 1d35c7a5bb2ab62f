//! The kind of a gradient, without its values.

use serde::{Deserialize, Serialize};

use super::factors::Factors;
use super::gradient::Gradient;
use edb_kernels::element::Element;

/// The kind of a [`Gradient`], without its values. It is enough to know the kind of a sum of gradients.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum GradientKind {
    /// No gradient.
    #[default]
    Zero,
    /// All values.
    Dense,
    /// Some rows.
    Rows,
    /// Two matrices that are not multiplied out.
    Factors {
        /// How many terms the sum has.
        terms: usize,
        /// Whether they are packed in 16 bits.
        paired: bool,
    },
}

impl GradientKind {
    pub(crate) fn of<T: Element>(gradient: &Gradient<T>) -> Self {
        match gradient {
            Gradient::Zero => Self::Zero,
            Gradient::Dense(_) => Self::Dense,
            Gradient::Rows { .. } => Self::Rows,
            Gradient::Factors(factors) => {
                Self::Factors { terms: factors.terms(), paired: factors.parts().1 }
            }
        }
    }

    /// Whether a parameter of this shape may have a gradient of this kind.
    pub fn fits<T: Element>(self, shape: &[usize]) -> bool {
        match self {
            Self::Zero | Self::Dense => true,
            Self::Rows => !shape.is_empty(),
            Self::Factors { terms, paired } => {
                let size = <[usize; 2]>::try_from(shape);
                let cheap = size.is_ok_and(|size| Factors::<T>::are_cheaper(terms, size));
                cheap && (!paired || size_of::<T>() == size_of::<f32>())
            }
        }
    }

    /// The kind of the sum of two gradients of a parameter of this shape, as
    /// [`Gradient::plus_in`] adds them.
    pub(crate) fn plus<T: Element>(self, other: Self, shape: &[usize]) -> Self {
        match (self, other) {
            (kind, Self::Zero) | (Self::Zero, kind) => kind,
            (Self::Rows, Self::Rows) => Self::Rows,
            (Self::Factors { terms, paired }, Self::Factors { terms: more, .. }) => {
                let terms = terms.saturating_add(more);
                let size = [shape[0], shape[1]];
                match Factors::<T>::are_cheaper(terms, size) {
                    true => Self::Factors { terms, paired },
                    false => Self::Dense,
                }
            }
            _ => Self::Dense,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_of_a_sum_is_that_of_its_terms() {
        let factors = |terms| {
            let (y, x) = (vec![0.5_f32; terms * 512], vec![0.25; terms * 256]);
            Gradient::Factors(Factors::of(terms, [512, 256], [y, x], false))
        };
        let rows = || Gradient::Rows { width: 256, rows: vec![3], values: vec![1.0; 256] };
        let dense = || Gradient::Dense(vec![1.0; 512 * 256]);
        let all = || [Gradient::Zero, dense(), rows(), factors(10), factors(20)];
        for left in all() {
            for right in all() {
                let expected =
                    GradientKind::of(&left).plus::<f32>(GradientKind::of(&right), &[512, 256]);
                let sum = left.clone().plus_in(right.clone(), 0..512);
                assert_eq!(GradientKind::of(&sum), expected, "{left:?} + {right:?}");
            }
        }
        let sum = factors(10).plus_in(factors(10), 0..512);
        assert_eq!(GradientKind::of(&sum), GradientKind::Factors { terms: 20, paired: false });
        assert_eq!(
            GradientKind::of(&factors(20).plus_in(factors(10), 0..512)),
            GradientKind::Dense
        );
    }

    /// If only some rows of a sum are computed, they have the same bits as in the whole sum.
    #[test]
    fn rows_of_a_sum_are_summed_alone() {
        let value = |number: usize| ((number * 37 % 101) as f32).sin();
        let factors = |terms: usize| {
            let [y, x] = [512, 256].map(|width| (0..terms * width).map(value).collect());
            Gradient::Factors(Factors::of(terms, [512, 256], [y, x], false))
        };
        let (of, width) = (100..131, 256);
        let dense: Vec<f32> = (0..512 * width).map(|number| value(number + 7)).collect();
        let part = Gradient::Dense(dense[of.start * width..of.end * width].to_vec());
        let values = |gradient: Gradient<f32>| match gradient {
            Gradient::Dense(values) => values,
            other => panic!("{other:?} is not dense"),
        };
        // Factors stay factors in the first sum of three, and are multiplied out in the second.
        for (left, right) in [(factors(10), factors(11)), (factors(20), factors(11))] {
            let sum = |last, of| left.clone().plus_in(right.clone(), of).plus_in(last, 100..131);
            let all = left.clone().plus_in(right.clone(), 0..512);
            let all = values(all.plus_in(Gradient::Dense(dense.clone()), 0..512));
            let rows = values(sum(part.clone(), of.clone()));
            assert_eq!(rows, all[of.start * width..of.end * width]);
        }
    }
}
