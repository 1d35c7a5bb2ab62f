//! Symbolic dimensions: linear expressions over dimension names (`5 * H`) and over unknowns that
//! inference solves for.

use std::fmt;

use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

/// A symbol in a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Symbol {
    /// A dimension name, by its number in [`Program::dims`](crate::Program::dims).
    Name(u16),
    /// A dimension that inference has not determined (a field of a child that only other
    /// functions write): bound when the model is made.
    Unknown(u32),
}

/// A dimension: `constant + Σ coefficient · symbol`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Dim {
    constant: i64,
    /// Ascending by symbol, without zero coefficients: a canonical form, in which equal dimensions
    /// compare equal.
    terms: SmallVec<[(Symbol, i64); 2]>,
}

impl Dim {
    /// A number.
    pub fn constant(constant: i64) -> Self {
        Self { constant, terms: SmallVec::new() }
    }

    /// A symbol alone.
    pub fn symbol(symbol: Symbol) -> Self {
        Self { constant: 0, terms: smallvec![(symbol, 1)] }
    }

    /// The named dimension number `name`.
    pub fn name(name: u16) -> Self {
        Self::symbol(Symbol::Name(name))
    }

    /// The value, if no symbol is left in it.
    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The constant part.
    pub fn constant_part(&self) -> i64 {
        self.constant
    }

    /// The symbols with their coefficients, ascending by symbol.
    pub fn terms(&self) -> &[(Symbol, i64)] {
        &self.terms
    }

    /// `self + factor · other`; `None` when a coefficient leaves `i64`.
    pub fn add_scaled(&self, other: &Dim, factor: i64) -> Option<Dim> {
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for &(symbol, coefficient) in &other.terms {
            let coefficient = coefficient.checked_mul(factor)?;
            match sum.terms.binary_search_by_key(&symbol, |term| term.0) {
                Ok(term) => {
                    sum.terms[term].1 = sum.terms[term].1.checked_add(coefficient)?;
                    if sum.terms[term].1 == 0 {
                        sum.terms.remove(term);
                    }
                }
                Err(term) if coefficient != 0 => sum.terms.insert(term, (symbol, coefficient)),
                Err(_) => {}
            }
        }
        Some(sum)
    }

    /// This dimension times a number; `None` when a coefficient leaves `i64`.
    pub fn scaled(&self, factor: i64) -> Option<Dim> {
        Dim::default().add_scaled(self, factor)
    }

    /// This dimension divided by `divisor`, if every coefficient is a multiple of it.
    pub fn divided(&self, divisor: i64) -> Option<Dim> {
        let divides = |value: i64| divisor != 0 && value % divisor == 0;
        (divides(self.constant) && self.terms.iter().all(|term| divides(term.1))).then(|| Dim {
            constant: self.constant / divisor,
            terms: self.terms.iter().map(|&(symbol, c)| (symbol, c / divisor)).collect(),
        })
    }

    /// This dimension with every symbol replaced; `None` when a coefficient leaves `i64`.
    pub fn substitute(&self, mut replacement: impl FnMut(Symbol) -> Dim) -> Option<Dim> {
        let mut sum = Dim::constant(self.constant);
        for &(symbol, coefficient) in &self.terms {
            sum = sum.add_scaled(&replacement(symbol), coefficient)?;
        }
        Some(sum)
    }

    /// Whether the dimension is certainly below `bound`, whatever its symbols (which are at
    /// least 1) stand for.
    pub fn is_below(&self, bound: i64) -> bool {
        let greatest = self.terms.iter().try_fold(self.constant, |sum, &(_, coefficient)| {
            if coefficient > 0 { None } else { sum.checked_add(coefficient) }
        });
        greatest.is_some_and(|greatest| greatest < bound)
    }

    /// Whether the dimension is certainly at least `bound`, likewise.
    pub fn is_at_least(&self, bound: i64) -> bool {
        let least = self.terms.iter().try_fold(self.constant, |sum, &(_, coefficient)| {
            if coefficient < 0 { None } else { sum.checked_add(coefficient) }
        });
        least.is_some_and(|least| least >= bound)
    }

    /// The dimension as it is written in source, with the names of `names`; an unknown reads `?`.
    pub fn display<'a>(&'a self, names: &'a [String]) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| {
            let mut first = true;
            for &(symbol, coefficient) in &self.terms {
                let sign = if coefficient < 0 { "-" } else { "+" };
                match (first, coefficient < 0) {
                    (true, true) => write!(f, "-")?,
                    (true, false) => {}
                    (false, _) => write!(f, " {sign} ")?,
                }
                if coefficient.abs() != 1 {
                    write!(f, "{}*", coefficient.abs())?;
                }
                match symbol {
                    Symbol::Name(name) => match names.get(usize::from(name)) {
                        Some(name) => write!(f, "{name}")?,
                        None => write!(f, "D{name}")?,
                    },
                    Symbol::Unknown(_) => write!(f, "?")?,
                }
                first = false;
            }
            match (first, self.constant) {
                (true, constant) => write!(f, "{constant}"),
                (false, 0) => Ok(()),
                (false, constant) if constant < 0 => write!(f, " - {}", constant.unsigned_abs()),
                (false, constant) => write!(f, " + {constant}"),
            }
        })
    }
}

/// The shape of a tensor: its dimensions, or an unknown of any rank; or what an index is one of.
///
/// Rank 0 is a scalar, rank 1 a vector, rank 2 a row-major matrix.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Shape {
    /// Rank and dimensions (these may hold unknowns).
    Known(SmallVec<[Dim; 2]>),
    /// Not determined inside its function: bound when the model is made.
    Unknown(u32),
    /// Of an index, which is no tensor: it is one of so many, counted from 0.
    OneOf(Dim),
}

impl Shape {
    /// The shape of a scalar.
    pub fn scalar() -> Self {
        Shape::Known(SmallVec::new())
    }

    /// The shape of a vector.
    pub fn vector(dim: Dim) -> Self {
        Shape::Known(smallvec![dim])
    }

    /// The shape of a matrix.
    pub fn matrix(rows: Dim, columns: Dim) -> Self {
        Shape::Known(smallvec![rows, columns])
    }

    /// Whether this is known to be of an index.
    pub fn is_index(&self) -> bool {
        matches!(self, Shape::OneOf(_))
    }

    /// Whether this is known to be a scalar.
    pub fn is_scalar(&self) -> bool {
        matches!(self, Shape::Known(dims) if dims.is_empty())
    }

    /// Whether no tensor of this shape has an element, whatever its names stand for, or there is no
    /// such index.
    pub fn is_empty(&self) -> bool {
        let dims = match self {
            Shape::Known(dims) => &dims[..],
            Shape::Unknown(_) => &[],
            Shape::OneOf(count) => std::slice::from_ref(count),
        };
        dims.iter().any(|dim| dim.as_constant().is_some_and(|size| size < 1))
    }

    /// The dimensions of a tensor, if the rank is known.
    pub fn dims(&self) -> Option<&[Dim]> {
        match self {
            Shape::Known(dims) => Some(dims),
            Shape::Unknown(_) | Shape::OneOf(_) => None,
        }
    }

    /// The shape as it is written in source: `[5*H, 2*H]`, `[]` for a scalar, `[?..]` when even the
    /// rank is unknown; of an index, `one of V`.
    pub fn display<'a>(&'a self, names: &'a [String]) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| match self {
            Shape::Unknown(_) => write!(f, "[?..]"),
            Shape::OneOf(count) => write!(f, "one of {}", count.display(names)),
            Shape::Known(dims) => {
                write!(f, "[")?;
                for (axis, dim) in dims.iter().enumerate() {
                    let comma = if axis == 0 { "" } else { ", " };
                    write!(f, "{comma}{}", dim.display(names))?;
                }
                write!(f, "]")
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<String> {
        vec!["H".into(), "X".into()]
    }

    #[test]
    fn dimensions_are_canonical_and_read_as_written() {
        let (h, x) = (Dim::name(0), Dim::name(1));
        let sum = h.scaled(5).unwrap().add_scaled(&x, 1).unwrap();
        assert_eq!(sum.display(&names()).to_string(), "5*H + X");
        assert_eq!(sum.add_scaled(&x, -1).unwrap(), h.scaled(5).unwrap());
        assert_eq!(h.add_scaled(&h, -1).unwrap(), Dim::constant(0));
        let shifted = h.add_scaled(&Dim::constant(3), -1).unwrap();
        assert_eq!(shifted.display(&names()).to_string(), "H - 3");
        assert_eq!(Shape::matrix(sum, h).display(&names()).to_string(), "[5*H + X, H]");
    }

    #[test]
    fn division_is_exact_or_nothing() {
        let six = Dim::name(0).scaled(6).unwrap();
        assert_eq!(six.divided(3).unwrap(), Dim::name(0).scaled(2).unwrap());
        assert_eq!(six.divided(4), None);
        assert_eq!(six.divided(0), None);
    }

    #[test]
    fn bounds_hold_for_all_sizes() {
        let h = Dim::name(0);
        assert!(Dim::constant(1).add_scaled(&h, -2).unwrap().is_below(0));
        assert!(!Dim::constant(1).add_scaled(&h, -1).unwrap().is_below(0));
        assert!(!h.is_below(1_000_000));
    }

    #[test]
    fn overflow_is_reported_not_wrapped() {
        let big = Dim::constant(i64::MAX);
        assert_eq!(big.add_scaled(&big, 1), None);
        assert_eq!(big.scaled(2), None);
    }
}
