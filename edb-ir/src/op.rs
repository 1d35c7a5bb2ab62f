//! The ops of vertex programs: what each computes, and what does not depend on the [table](crate::table).

use serde::{Deserialize, Serialize};

use crate::dim::{Dim, Shape};

/// Which of a vertex's children a value reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Slot {
    /// `gather(k)` or `gather_or(k, ..)`: the child at place `k`.
    Fixed(u16),
    /// `gather_all()`: each of the children behind the fixed ones, one edge at a time.
    Rest,
}

/// How often a value exists: passes, records and kernels work per domain.
///
/// The order is from coarse to fine: an op lives in the finest domain of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Domain {
    /// Depends on parameters only: once a step.
    Step,
    /// Once for every vertex.
    Vertex,
    /// Once for every edge of a `gather_all` loop.
    Edge,
}

/// One operation. Arguments are values of the program; what is not a tensor is an attribute.
///
/// Shapes are those of one vertex; `·` is the matrix product.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Op {
    /// Parameter number `.0`.
    Param(u16),
    /// A tensor field of the pulled input.
    Pull(u16),
    /// A field of a child's state; an absent optional child reads as zeros.
    Child {
        /// Which child.
        slot: Slot,
        /// Which field of its state, by its number in the program's [`PortDecl`](crate::PortDecl).
        field: u16,
    },
    /// The gradient that reaches a field of the scattered state: the sum over the vertex's parents.
    StateGradient(u16),
    /// The gradient that the outside gives for a field of the pushed output.
    OutputGradient(u16),
    /// A number.
    Constant(f64),
    /// What the backward pass begins with at a loss: 1, or, on a device whose numbers have little range, a
    /// power of two, so that small gradients are not lost (Micikevicius et al., 2018). A scalar that no
    /// pass knows.
    LossScale,
    /// Zeros of the value's shape.
    Zeros,
    /// The number of elements of a tensor of this shape, as a scalar.
    Length(Shape),

    /// `-x`.
    Neg,
    /// `1 / (1 + e^-x)`.
    Sigmoid,
    /// `tanh x`.
    Tanh,
    /// `max(x, 0)`; NaN stays NaN.
    Relu,
    /// `e^x`.
    Exp,
    /// The natural logarithm.
    Ln,
    /// 1 where `x > 0`, else 0.
    Positive,
    /// `√x`.
    Sqrt,
    /// `|x|`.
    Abs,
    /// 1 where `x > 0`, -1 where `x < 0`, else 0, also where `x` is NaN: the derivative of [`Op::Abs`].
    Sign,
    /// `2/√π ∫₀ˣ e^-t² dt`, the error function.
    Erf,
    /// `ln(1 + e^x)`.
    Softplus,
    /// The nearest integer, halves to even. Its gradient passes straight through
    /// (Bengio et al., 2013).
    Round,
    /// `x + y`; a scalar is added to every element.
    Add,
    /// `x - y`, scalars as in [`Op::Add`].
    Sub,
    /// `x * y`, element by element, scalars as in [`Op::Add`].
    Mul,
    /// `x / y`, element by element, scalars as in [`Op::Add`].
    Div,
    /// `x ^ y`, element by element, scalars as in [`Op::Add`].
    Pow,
    /// 1 where `x > y`, else 0, also where one of them is NaN. Scalars as in [`Op::Add`].
    Greater,
    /// 1 where `x >= y`, else 0, also where one of them is NaN. Scalars as in [`Op::Add`].
    GreaterEqual,
    /// 1 where a maximum takes `x` rather than `y`, else 0: where `x > y`, and where `x` is NaN and `y`
    /// is not, since a maximum with NaN is NaN. Scalars as in [`Op::Add`].
    Exceeds,
    /// `y` where `x` is not 0, else 0: a mask on `y` that stops NaN and infinities, too. An `x` that is
    /// NaN is not 0. Scalars as in [`Op::Add`].
    Mask,
    /// In training: each element is zero with probability `rate`, else `x / (1 - rate)`
    /// (Srivastava et al., 2014, inverted). Otherwise `x`.
    Dropout {
        /// The probability of a zero, in `[0, 1)`.
        rate: f64,
        /// Which dropout of the function this is: one factor of the draw, beside seed, step,
        /// vertex and element. The dropout of a gradient repeats the site of its forward op.
        site: u32,
        /// Whether all vertices of a graph share one mask (variational dropout; Gal and
        /// Ghahramani, 2016).
        shared: bool,
    },
    /// In training: `x` plus `deviation` times a draw from the standard normal distribution.
    /// Otherwise `x`.
    Noise {
        /// The standard deviation, finite and not negative.
        deviation: f64,
        /// As in [`Op::Dropout`].
        site: u32,
    },
    /// `x` itself, as a value of its own in this domain: the gradient of [`Op::Reduce`], and what
    /// a port needs that would otherwise show a parameter, or one value twice.
    Copy(Domain),
    /// `x` where the optional child of this slot is absent, zeros where it is present.
    WhereAbsent(u16),

    /// `W · x`: `[m, n], [n] -> [m]`.
    Dot,
    /// `Wᵀ · y`: `[m, n], [m] -> [n]`: the gradient of [`Op::Dot`] in its vector.
    DotTransposed,
    /// `y xᵀ`: `[m], [n] -> [m, n]`: the gradient of [`Op::Dot`] in its matrix.
    Outer,
    /// `A · B`: `[m, k], [k, n] -> [m, n]`.
    MatMul,
    /// `Aᵀ · B`: `[k, m], [k, n] -> [m, n]`: the gradient of [`Op::MatMul`] in `B`.
    MatMulLeftTransposed,
    /// `A · Bᵀ`: `[m, k], [n, k] -> [m, n]`: the gradient of [`Op::MatMul`] in `A`.
    MatMulRightTransposed,
    /// `Aᵀ`: `[m, n] -> [n, m]`.
    Transpose,

    /// Vectors one behind the other.
    Concat,
    /// The elements of a vector from `start`, as many as the value's shape says.
    Slice {
        /// The first element.
        start: Dim,
    },
    /// A vector placed at `start` into zeros of the value's shape: the gradient of [`Op::Slice`].
    Pad {
        /// Where the vector begins.
        start: Dim,
    },

    /// The sum of all elements: `-> []`.
    Sum,
    /// The greatest element: `-> []`. NaN counts as greater than all numbers.
    Max,
    /// 1 at the first greatest element (the first that is NaN, if one is), else 0: the derivative of
    /// [`Op::Max`].
    MaxMask,
    /// A scalar in every element of the value's shape: the gradient of [`Op::Sum`].
    Expand,
    /// `e^x / Σ e^x` over a vector; NaN in every element where the greatest is infinite.
    Softmax,
    /// `x - ln Σ e^x` over a vector; NaN as in [`Op::Softmax`].
    LogSoftmax,
    /// `ln Σ e^x` over all elements: `-> []`. `∞` where the greatest element is, `-∞` where all are.
    LogSumExp,
    /// `√(Σ x²)` over all elements: `-> []`.
    Norm,
    /// `y[i] = Σ x[..=i]` over a vector.
    CumulativeSum,
    /// `y[i] = Σ x[i..]` over a vector: the gradient of [`Op::CumulativeSum`].
    CumulativeSumReversed,
    /// The elements in their order, in another shape of as many.
    Reshape,

    /// Row `index` of a table: `[v, n] -> [n]`; the index is a pulled field.
    Row(u16),
    /// Sum over all vertices of rows placed at `index` into zeros: `[n] -> [v, n]`, step domain:
    /// the gradient of [`Op::Row`], sparse.
    RowSum(u16),
    /// The sum of the rows of a table at the indices of a bag, a pulled field: `[v, n] -> [n]`. An
    /// empty bag gives zeros.
    BagSum(u16),
    /// Sum over all vertices of rows placed at every index of a bag into zeros: `[n] -> [v, n]`, step
    /// domain: the gradient of [`Op::BagSum`], sparse.
    BagRowSum(u16),
    /// The number of indices in a bag, a pulled field: a scalar.
    BagSize(u16),
    /// `ln Σ e^x - x[index]`, the cross-entropy of a softmax against a class: `[c] -> []`. NaN where the
    /// softmax is.
    CrossEntropy(u16),
    /// A scalar at `index` of a vector of zeros: `[] -> [c]`.
    OneHot(u16),
    /// Element `index` of a vector: `[c] -> []`: the gradient of [`Op::OneHot`].
    Pick(u16),

    /// The sum over edges (to [`Domain::Vertex`]) or over all vertices (to [`Domain::Step`]).
    Reduce(Domain),
    /// The greatest over the edges of a vertex, element by element; `-∞` where there are none. NaN counts
    /// as greater than all numbers.
    ReduceMax,
    /// 1 at the first edge of each vertex that has the greatest element (NaN, if an edge has that), else
    /// 0: the derivative of [`Op::ReduceMax`].
    EdgeMaxMask,
    /// `Σ y xᵀ` over all vertices or edges: `[m], [n] -> [m, n]`, step domain. A reduced
    /// [`Op::Outer`] as one product over all rows of a minibatch.
    OuterSum,
}

/// How many arguments an op takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// Exactly so many.
    Exact(usize),
    /// One or more.
    Some,
}

/// What kind of work an op is: passes decide by class, never by op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Reads a port, a parameter or a constant.
    Leaf,
    /// Element by element.
    Pointwise,
    /// A product of a matrix and a vector.
    Contraction,
    /// Moves elements without computing.
    Movement,
    /// Over the elements of one vertex's vector.
    Reduction,
    /// Over edges or vertices, into a coarser domain.
    Transition,
}

/// How a person writes an op in a vertex function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// `x.name(..)`, the first argument being the receiver.
    Method(&'static str),
    /// `name(..)`.
    Function(&'static str),
    /// `x + y` and the like, or `-x`.
    Operator(&'static str),
    /// Not written by people: made by autodiff or by the ports.
    Internal,
}

impl Op {
    /// The domain of this op's value, given the finest domain of its arguments.
    pub fn domain(&self, arguments: Domain) -> Domain {
        match self {
            Op::Param(_) | Op::Constant(_) | Op::LossScale | Op::Zeros | Op::Length(_) => {
                Domain::Step
            }
            Op::Pull(_) | Op::BagSize(_) | Op::StateGradient(_) | Op::OutputGradient(_) => {
                Domain::Vertex
            }
            Op::Child { slot: Slot::Fixed(_), .. } => Domain::Vertex,
            Op::Child { slot: Slot::Rest, .. } => Domain::Edge,
            // These read something of the vertex besides their arguments.
            Op::WhereAbsent(_)
            | Op::Row(_)
            | Op::BagSum(_)
            | Op::CrossEntropy(_)
            | Op::OneHot(_)
            | Op::Pick(_)
            | Op::Dropout { .. }
            | Op::Noise { .. } => arguments.max(Domain::Vertex),
            Op::Copy(domain) => arguments.max(*domain),
            Op::Reduce(to) => *to,
            Op::ReduceMax => Domain::Vertex,
            Op::RowSum(_) | Op::BagRowSum(_) | Op::OuterSum => Domain::Step,
            _ => arguments,
        }
    }

    /// The number of this op among those of its function that draw, if it does.
    pub fn site(&self) -> Option<u32> {
        match self {
            Op::Dropout { site, .. } | Op::Noise { site, .. } => Some(*site),
            _ => None,
        }
    }

    /// The pulled field that this op indexes with: an index or a bag of them.
    pub fn index(&self) -> Option<u16> {
        match self {
            Op::Row(field)
            | Op::RowSum(field)
            | Op::BagSum(field)
            | Op::BagRowSum(field)
            | Op::BagSize(field)
            | Op::CrossEntropy(field)
            | Op::OneHot(field)
            | Op::Pick(field) => Some(*field),
            _ => None,
        }
    }
}
