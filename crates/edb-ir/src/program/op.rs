//! The ops of vertex programs: what each computes. Arities, shapes and gradients are in the
//! [table](crate::table).

use serde::{Deserialize, Serialize};

use super::semiring::{Role, Semiring, SemiringContraction};
use crate::shapes::{Dim, Shape};

/// Which of a vertex's children a value reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Slot {
    /// `gather(k)` or `gather_or(k, ..)`: the child at place `k`.
    Fixed(u16),
    /// `gather_all()`: each of the children after the fixed ones, one edge at a time.
    Rest,
}

/// How often a value exists: once a step, a vertex or an edge. Passes, records and kernels work per
/// domain.
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

/// One operation, by class: code that handles one class need not match the ops of others.
///
/// Arguments are values of the program, tensors and indices; all else is an attribute. Shapes are
/// those of one vertex; `·` is the matrix product.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Op {
    /// Reads a port, a parameter or a number.
    Leaf(Leaf),
    /// Element by element.
    Pointwise(Pointwise),
    /// Element by element, with random draws.
    Draw(Draw),
    /// A product of matrices and vectors.
    Contraction(Contraction),
    /// Moves elements.
    Movement(Movement),
    /// Over the elements of one vertex's tensor.
    Reduction(Reduction),
    /// Finds, moves and compares indices.
    Indexing(Indexing),
    /// Over edges or vertices, into a coarser domain.
    Transition(Transition),
    /// Over the elements of each row of one vertex's matrix.
    RowReduction(RowReduction),
    /// A product in which sums take the place of products.
    SemiringContraction(SemiringContraction),
}

macro_rules! classes {
    ($($class:ident),+) => {$(
        impl From<$class> for Op {
            fn from(op: $class) -> Op {
                Op::$class(op)
            }
        }
    )+};
}

classes!(
    Leaf,
    Pointwise,
    Draw,
    Contraction,
    Movement,
    Reduction,
    Indexing,
    Transition,
    RowReduction,
    SemiringContraction
);

/// Reads a port, a parameter or a number; it has no arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Leaf {
    /// Parameter number `.0`.
    Param(u16),
    /// A field of the pulled input: a tensor or an index.
    Pull(u16),
    /// A field of a child's state; an absent optional child reads as zeros, or as index 0.
    Child {
        /// Which child.
        slot: Slot,
        /// Which field of its state, by its number in the program's [`PortDecl`](crate::PortDecl).
        field: u16,
    },
    /// The gradient that reaches a field of the scattered state: the sum over the vertex's parents.
    StateGradient(u16),
    /// The gradient of a field of the pushed output, given from outside.
    OutputGradient(u16),
    /// A number.
    Constant(#[serde(with = "crate::any_number")] f64),
    /// The gradient that the backward pass starts from at a loss: 1, or, for number formats of
    /// small range, a power of two, so that small gradients do not underflow (Micikevicius et al.,
    /// 2018). A scalar whose value no pass knows.
    LossScale,
    /// Zeros of the value's shape.
    Zeros,
    /// The number of elements of a tensor of this shape, as a scalar.
    Length(Shape),
    /// The number of indices in a bag, a pulled field: a scalar.
    BagSize(u16),
    /// 1 where the vertex has the input that it may be without, else 0: only in a
    /// [`Flow`](crate::flow::Flow), whose variants know it.
    HasInput,
    /// What a variable is behind a branch or a loop, or where the body of a loop begins: only in a
    /// [`Flow`](crate::flow::Flow).
    Merge,
}

macro_rules! pointwise {
    (
        unary { $($(#[$unary_doc:meta])* $unary:ident = $unary_name:ident, $unary_surface:expr, $unary_rule:ident;)* }
        binary { $($(#[$binary_doc:meta])* $binary:ident = $binary_name:ident, $binary_surface:expr, $binary_rule:ident;)* }
        ternary { $($(#[$ternary_doc:meta])* $ternary:ident = $ternary_name:ident, $ternary_surface:expr, $ternary_rule:ident;)* }
    ) => {
        /// Element by element. The table is [`for_each_pointwise`](crate::for_each_pointwise).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum Pointwise {
            $($(#[$unary_doc])* $unary,)*
            $($(#[$binary_doc])* $binary,)*
            $($(#[$ternary_doc])* $ternary,)*
        }

        impl Pointwise {
            /// All of them.
            pub const ALL: &'static [Pointwise] =
                &[$(Pointwise::$unary,)* $(Pointwise::$binary,)* $(Pointwise::$ternary,)*];

            /// The name in the textual form, and of the function that kernels call.
            pub fn name(self) -> &'static str {
                match self {
                    $(Pointwise::$unary => stringify!($unary_name),)*
                    $(Pointwise::$binary => stringify!($binary_name),)*
                    $(Pointwise::$ternary => stringify!($ternary_name),)*
                }
            }

            /// How many arguments it takes.
            pub fn arity(self) -> usize {
                match self {
                    $(Pointwise::$unary => 1,)*
                    $(Pointwise::$binary => 2,)*
                    $(Pointwise::$ternary => 3,)*
                }
            }
        }
    };
}

crate::for_each_pointwise!(pointwise);

/// Element by element, with random draws that depend on the vertex and on the element's index.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Draw {
    /// In training: each element is zero with probability `rate`, else `x / (1 - rate)`
    /// (Srivastava et al., 2014, inverted). Otherwise `x`.
    Dropout {
        /// The probability of a zero, in `[0, 1)`.
        rate: f64,
        /// The number of this op among those of the function that draw or decide; it enters the draw
        /// with the seed, step, vertex and element. The dropout of a gradient has the site of its
        /// forward op.
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
        /// As in [`Draw::Dropout`].
        site: u32,
    },
}

/// A product of matrices and vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Contraction {
    /// `W · x`: `[m, n], [n] -> [m]`.
    Dot,
    /// `Wᵀ · y`: `[m, n], [m] -> [n]`: the gradient of [`Contraction::Dot`] in its vector.
    DotTransposed,
    /// `y xᵀ`: `[m], [n] -> [m, n]`: the gradient of [`Contraction::Dot`] in its matrix.
    Outer,
    /// `A · B`: `[m, k], [k, n] -> [m, n]`.
    MatMul,
    /// `Aᵀ · B`: `[k, m], [k, n] -> [m, n]`: the gradient of [`Contraction::MatMul`] in `B`.
    MatMulLeftTransposed,
    /// `A · Bᵀ`: `[m, k], [n, k] -> [m, n]`: the gradient of [`Contraction::MatMul`] in `A`.
    MatMulRightTransposed,
}

/// Moves elements without computing, except that [`Movement::BagSum`] adds rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Movement {
    /// A copy of `x` in this domain: the gradient of [`Transition::Reduce`], and inserted where a
    /// port would otherwise show a parameter, or two ports one value.
    Copy(Domain),
    /// `x` where the optional child of this slot is absent, zeros where it is present.
    WhereAbsent(u16),
    /// `Aᵀ`: `[m, n] -> [n, m]`.
    Transpose,
    /// The concatenation of vectors.
    Concat,
    /// The elements of a vector from `start`, as many as the value's shape says.
    Slice {
        /// The first element.
        start: Dim,
    },
    /// A vector placed at `start` into zeros of the value's shape: the gradient of [`Movement::Slice`].
    Pad {
        /// Where the vector begins.
        start: Dim,
    },
    /// A scalar, broadcast to the value's shape: the gradient of [`Reduction::Sum`].
    Expand,
    /// The same elements, in the same order, in another shape.
    Reshape,
    /// `x`, for the gradient a constant: none passes.
    Detach,
    /// The row of a table at an index: `[v, n], one of v -> [n]`.
    Row,
    /// The sum of the rows of a table at the indices of a bag, a pulled field: `[v, n] -> [n]`. An
    /// empty bag gives zeros.
    BagSum(u16),
    /// A scalar at an index of a vector of zeros, `[], one of c -> [c]`, or a row at an index of a matrix of
    /// zeros, `[n], one of c -> [c, n]`.
    OneHot,
    /// The element of a vector at an index, `[c], one of c -> []`, or the row of a matrix that is no table,
    /// `[c, n], one of c -> [n]`: the gradient of [`Movement::OneHot`].
    Pick,
    /// The rows of a matrix from `start` on, as many as the value's shape says.
    SliceRows {
        /// The first row.
        start: Dim,
    },
    /// A matrix placed at row `start` into zeros of the value's shape: the gradient of
    /// [`Movement::SliceRows`].
    PadRows {
        /// Where the rows begin.
        start: Dim,
    },
    /// The rows of matrices, one matrix below the other.
    ConcatRows,
    /// The matrix with this vector on its diagonal, and zeros elsewhere: `[n] -> [n, n]`.
    AsDiagonal,
    /// The diagonal of a matrix: `[n, n] -> [n]`: the gradient of [`Movement::AsDiagonal`].
    Diagonal,
}

impl Movement {
    /// Where a slice begins, or what is placed into zeros: an element of a vector, or a row of a matrix.
    pub fn start(&self) -> Option<&Dim> {
        match self {
            Movement::Slice { start }
            | Movement::Pad { start }
            | Movement::SliceRows { start }
            | Movement::PadRows { start } => Some(start),
            _ => None,
        }
    }

    /// The same, to change it.
    pub fn start_mut(&mut self) -> Option<&mut Dim> {
        match self {
            Movement::Slice { start }
            | Movement::Pad { start }
            | Movement::SliceRows { start }
            | Movement::PadRows { start } => Some(start),
            _ => None,
        }
    }

    /// Whether it only copies contiguous elements, perhaps into zeros.
    pub fn copies(&self) -> bool {
        self.start().is_some()
            || matches!(self, Movement::Concat | Movement::ConcatRows | Movement::Copy(_))
    }
}

/// Over the elements of one vertex's tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reduction {
    /// The sum of all elements: `-> []`.
    Sum,
    /// The maximum of all elements: `-> []`. NaN counts as greater than all numbers.
    Max,
    /// 1 at the first maximum (the first NaN, if there is one), else 0: the derivative of
    /// [`Reduction::Max`].
    MaxMask,
    /// `e^x / Σ e^x` over a vector; NaN in every element where the maximum is infinite.
    Softmax,
    /// `x - ln Σ e^x` over a vector; NaN as in [`Reduction::Softmax`].
    LogSoftmax,
    /// `ln Σ e^x` over all elements: `-> []`. `∞` where the maximum is, `-∞` where all elements
    /// are.
    LogSumExp,
    /// `√(Σ x²)` over all elements: `-> []`.
    Norm,
    /// `y[i] = Σ x[..=i]` over a vector.
    CumulativeSum,
    /// `y[i] = Σ x[i..]` over a vector: the gradient of [`Reduction::CumulativeSum`].
    CumulativeSumReversed,
    /// `ln Σ e^x - x[index]`, the cross-entropy of a softmax against a class: `[c], one of c -> []`.
    /// NaN where the softmax is.
    CrossEntropy,
    /// `(e^x / Σ e^x - [i = index]) g`: the gradient of [`Reduction::CrossEntropy`], of which `g` is
    /// the gradient of the result: `[c], one of c, [] -> [c]`.
    CrossEntropyGradient,
}

impl Reduction {
    /// Whether it reads nothing but a row and an index: then it can be computed at the end of a
    /// kernel, as soon as that has written the row.
    pub fn can_end_a_kernel(self) -> bool {
        self != Reduction::CrossEntropyGradient
    }
}

/// Over the elements of each row of one vertex's matrix: a [`Reduction`] of every row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RowReduction {
    /// [`Reduction::Sum`] of each row: `[m, n] -> [m]`.
    Sum,
    /// [`Reduction::Max`] of each row: `[m, n] -> [m]`.
    Max,
    /// [`Reduction::MaxMask`] of each row: `[m, n] -> [m, n]`.
    MaxMask,
    /// [`Reduction::Softmax`] of each row: `[m, n] -> [m, n]`.
    Softmax,
    /// [`Reduction::LogSoftmax`] of each row: `[m, n] -> [m, n]`.
    LogSoftmax,
    /// [`Reduction::LogSumExp`] of each row: `[m, n] -> [m]`.
    LogSumExp,
    /// [`Reduction::Norm`] of each row: `[m, n] -> [m]`.
    Norm,
}

impl RowReduction {
    /// What it does with a row.
    pub fn of_row(self) -> Reduction {
        match self {
            RowReduction::Sum => Reduction::Sum,
            RowReduction::Max => Reduction::Max,
            RowReduction::MaxMask => Reduction::MaxMask,
            RowReduction::Softmax => Reduction::Softmax,
            RowReduction::LogSoftmax => Reduction::LogSoftmax,
            RowReduction::LogSumExp => Reduction::LogSumExp,
            RowReduction::Norm => Reduction::Norm,
        }
    }
}

/// Finds, moves and compares indices, which exist for vertices and edges. No gradient passes
/// through an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Indexing {
    /// Where the first maximum of a vector is, or the first NaN, if there is one: `[c] -> one of c`.
    Argmax {
        /// As in [`Draw::Dropout`]: it tells this decision from the others of the function.
        site: u32,
    },
    /// Drawn from `e^x / Σ e^x` over a vector, in training and in inference: `[c] -> one of c`.
    Sample {
        /// As in [`Draw::Dropout`].
        site: u32,
    },
    /// An index that is known beforehand.
    Given(u32),
    /// The first index, or the second where the optional child of this slot is absent.
    IfAbsent(u16),
    /// A copy in this domain, inserted as [`Movement::Copy`] is.
    Copy(Domain),
    /// 1 where two indices are the same, else 0: a mask, `one of c, one of c -> []`.
    Same,
    /// The index after this one, and 0 after the last: `one of c -> one of c`.
    Next,
}

/// Over edges or vertices, into a coarser domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Transition {
    /// Sum over all vertices of rows placed at an index into zeros: `[n], one of v -> [v, n]`, step
    /// domain: the gradient of [`Movement::Row`], sparse.
    RowSum,
    /// Sum over all vertices of rows placed at every index of a bag into zeros: `[n] -> [v, n]`, step
    /// domain: the gradient of [`Movement::BagSum`], sparse.
    BagRowSum(u16),
    /// The sum over edges (to [`Domain::Vertex`]) or over all vertices (to [`Domain::Step`]).
    Reduce(Domain),
    /// The maximum over the edges of a vertex, element by element; `-∞` where there are none. NaN
    /// counts as greater than all numbers.
    ReduceMax,
    /// 1 at the first edge of each vertex that has the maximum (NaN, if an edge has that), else 0:
    /// the derivative of [`Transition::ReduceMax`].
    EdgeMaxMask,
    /// `Σ y xᵀ` over all vertices or edges: `[m], [n] -> [m, n]`, step domain. A
    /// [`Contraction::Outer`] and its sum as one product over all rows of a minibatch.
    OuterSum,
    /// The sum of a [`SemiringContraction::Weighted`] over all vertices or edges, in the step domain: no vertex has
    /// a matrix of its own for it.
    WeightedSum(Semiring, Role),
}

/// How many arguments an op takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// Exactly this many.
    Exact(usize),
    /// One or more.
    Some,
}

/// How an op is written in a vertex function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// `x.name(..)`, the first argument being the receiver.
    Method(&'static str),
    /// `name(..)`.
    Function(&'static str),
    /// `x + y` and the like, or `-x`.
    Operator(&'static str),
    /// Not written by users: inserted by autodiff or for ports.
    Internal,
}

impl Op {
    /// The domain of this op's value, given the finest domain of its arguments.
    pub fn domain(&self, arguments: Domain) -> Domain {
        match self {
            Op::Leaf(leaf) => leaf.domain(),
            // Draws depend on the vertex, not only on their arguments.
            Op::Draw(_) => arguments.max(Domain::Vertex),
            Op::Movement(Movement::WhereAbsent(_) | Movement::BagSum(_)) => {
                arguments.max(Domain::Vertex)
            }
            Op::Movement(Movement::Copy(domain)) => arguments.max(*domain),
            // No index is of the step domain.
            Op::Indexing(Indexing::Copy(domain)) => arguments.max(*domain).max(Domain::Vertex),
            Op::Indexing(_) => arguments.max(Domain::Vertex),
            Op::Transition(transition) => transition.domain(arguments),
            Op::Pointwise(_)
            | Op::Contraction(_)
            | Op::Movement(_)
            | Op::Reduction(_)
            | Op::RowReduction(_)
            | Op::SemiringContraction(_) => arguments,
        }
    }

    /// The semiring and the role of a weighted sum.
    pub fn weighted(&self) -> Option<(Semiring, Role)> {
        match *self {
            Op::SemiringContraction(SemiringContraction::Weighted(semiring, role))
            | Op::Transition(Transition::WeightedSum(semiring, role)) => Some((semiring, role)),
            _ => None,
        }
    }

    /// The site of this op's random draw, if it draws.
    pub fn site(&self) -> Option<u32> {
        match self {
            Op::Draw(Draw::Dropout { site, .. } | Draw::Noise { site, .. })
            | Op::Indexing(Indexing::Sample { site }) => Some(*site),
            _ => None,
        }
    }

    /// The site of this op, if it draws or decides, to change it.
    pub fn site_mut(&mut self) -> Option<&mut u32> {
        match self {
            Op::Draw(Draw::Dropout { site, .. } | Draw::Noise { site, .. })
            | Op::Indexing(Indexing::Argmax { site } | Indexing::Sample { site }) => Some(site),
            _ => None,
        }
    }

    /// The site of this op, if it is a decision: an index that is computed from numbers.
    pub fn decision(&self) -> Option<u32> {
        match self {
            Op::Indexing(Indexing::Argmax { site } | Indexing::Sample { site }) => Some(*site),
            _ => None,
        }
    }

    /// The pulled field of indices that this op reads: a bag.
    pub fn bag(&self) -> Option<u16> {
        match self {
            Op::Leaf(Leaf::BagSize(field))
            | Op::Movement(Movement::BagSum(field))
            | Op::Transition(Transition::BagRowSum(field)) => Some(*field),
            _ => None,
        }
    }

    /// Whether this argument is an index, not a tensor.
    pub fn reads_index(&self, operand: usize) -> bool {
        match self {
            Op::Movement(Movement::Row | Movement::OneHot | Movement::Pick)
            | Op::Reduction(Reduction::CrossEntropy | Reduction::CrossEntropyGradient)
            | Op::Transition(Transition::RowSum) => operand == 1,
            Op::Indexing(op) => !matches!(
                op,
                Indexing::Argmax { .. } | Indexing::Sample { .. } | Indexing::Given(_)
            ),
            _ => false,
        }
    }

    /// Whether the result is an index, not a tensor; `None` where it is what the port holds.
    pub fn gives_index(&self) -> Option<bool> {
        match self {
            Op::Leaf(Leaf::Pull(_) | Leaf::Child { .. } | Leaf::Merge) => None,
            Op::Indexing(op) => Some(*op != Indexing::Same),
            _ => Some(false),
        }
    }
}

impl Leaf {
    fn domain(&self) -> Domain {
        match self {
            Leaf::Param(_)
            | Leaf::Constant(_)
            | Leaf::LossScale
            | Leaf::Zeros
            | Leaf::Length(_) => Domain::Step,
            Leaf::Pull(_)
            | Leaf::BagSize(_)
            | Leaf::StateGradient(_)
            | Leaf::OutputGradient(_)
            | Leaf::HasInput
            | Leaf::Merge => Domain::Vertex,
            Leaf::Child { slot: Slot::Fixed(_), .. } => Domain::Vertex,
            Leaf::Child { slot: Slot::Rest, .. } => Domain::Edge,
        }
    }
}

impl Transition {
    fn domain(&self, arguments: Domain) -> Domain {
        match self {
            Transition::Reduce(to) => *to,
            Transition::ReduceMax => Domain::Vertex,
            Transition::EdgeMaxMask => arguments,
            Transition::RowSum
            | Transition::BagRowSum(_)
            | Transition::OuterSum
            | Transition::WeightedSum(..) => Domain::Step,
        }
    }
}
