//! Products in which sums take the place of products: what they are made of.

use serde::{Deserialize, Serialize};

/// What takes the place of a sum where a sum takes the place of a product (Goodman, 1999, "Semiring
/// parsing").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Semiring {
    /// `ln Σ e^x`: probabilities as logarithms.
    Log,
    /// The maximum: the best of all.
    Max,
}

/// A product of matrices in a [`Semiring`], and what its derivatives are made of.
///
/// Of `y = a · b`, element `[i, j]` has the terms `a[i, k] + b[k, j]`. The weight `p[i, k, j]` of a term is
/// the derivative of `y[i, j]` in it: in [`Semiring::Log`] `e^(a[i, k] + b[k, j] - y[i, j])`, in
/// [`Semiring::Max`] 1 at the first greatest term (the first NaN, if there is one) and 0 at the others.
/// Where `y` is `-∞`, all weights are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SemiringContraction {
    /// `y = a · b`: `[m, k], [k, n] -> [m, n]`. A vector is a row where it comes first, and a column where it
    /// comes second; the result has no axis for it.
    Product(Semiring),
    /// The weighted sum of the terms of each element of an operand or of the result: `a, b, y` and two
    /// factors, which have the shapes of the other two.
    Weighted(Semiring, Role),
}

/// An operand of a product, or its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// `Σ p[i, k, j] v[k, j] w[i, j]` over `j`, for each element `[i, k]` of `a`.
    Left,
    /// `Σ p[i, k, j] u[i, k] w[i, j]` over `i`, for each element `[k, j]` of `b`.
    Right,
    /// `Σ p[i, k, j] u[i, k] v[k, j]` over `k`, for each element `[i, j]` of `y`.
    Result,
}

impl Role {
    /// All of them, in the order of the arguments.
    pub const ALL: [Role; 3] = [Role::Left, Role::Right, Role::Result];

    /// Where a weighted sum of this role has the factor of another one, of its two.
    pub fn place_of(self, other: Role) -> Option<usize> {
        let mut others = Role::ALL.into_iter().filter(|role| *role != self);
        others.position(|role| role == other)
    }

    /// What belongs to the three roles: the factors of a weighted sum, and what has its own role.
    pub fn among<F>(self, [first, second]: [F; 2], own: F) -> [F; 3] {
        match self {
            Role::Left => [own, first, second],
            Role::Right => [first, own, second],
            Role::Result => [first, second, own],
        }
    }

    /// What belongs to the other two roles.
    pub fn others<F>(self, [left, right, result]: [F; 3]) -> [F; 2] {
        match self {
            Role::Left => [right, result],
            Role::Right => [left, result],
            Role::Result => [left, right],
        }
    }
}
