//! What a vertex function calls: tensor ops, and the four primitives. Called as plain Rust, they
//! compute one op at a time, in `f64`.

use std::cmp::Ordering;
use std::marker::PhantomData;
use std::ops::{Neg, Range};

use edb_ir::{
    Contraction, Dim as SymbolicDim, Draw, Leaf, Movement, Op, Pointwise, Reduction, Role,
    RowReduction, Semiring, SemiringContraction,
};

use super::context;
use super::dual::{Dual, Real};
use super::reference::{Array, Attributes, evaluate};
use crate::port::{Input, Output, State};
use crate::tensor::{Index, Indices, Tensor};

fn attributes() -> Attributes {
    Attributes::default()
}

fn at_all(bag: Indices) -> Attributes {
    Attributes { bag: context::bag(bag), ..attributes() }
}

/// An index as an argument, which is a scalar here.
pub(super) fn argument(index: Index) -> Tensor {
    number(f64::from(index.0))
}

pub(super) fn apply(op: impl Into<Op>, args: &[Tensor]) -> Tensor {
    apply_with(op, args, attributes())
}

fn apply_with(op: impl Into<Op>, args: &[Tensor], attributes: Attributes) -> Tensor {
    apply_op(&op.into(), args, &attributes)
}

/// Not generic, so that it is compiled here once, and not in each crate that calls an op.
fn apply_op(op: &Op, args: &[Tensor], attributes: &Attributes) -> Tensor {
    let value = context::with(args, |arrays| evaluate(op, arrays, attributes));
    context::insert(value)
}

pub(super) fn number(value: f64) -> Tensor {
    context::insert(Array::scalar(Dual::constant(value)))
}

impl Tensor {
    /// An eager tensor of this shape, row-major.
    ///
    /// # Panics
    /// When there are not as many values as the shape says.
    pub fn from_values(shape: &[usize], values: &[f64]) -> Tensor {
        Tensor::from_duals(shape, values.iter().map(|&value| Dual::constant(value)).collect())
    }

    /// An eager tensor with a direction to differentiate along.
    ///
    /// # Panics
    /// When there are not as many values as the shape says.
    pub fn from_duals(shape: &[usize], data: Vec<Dual>) -> Tensor {
        let size: usize = shape.iter().product();
        assert_eq!(size, data.len(), "a tensor of shape {shape:?} holds {size} values");
        context::insert(Array { shape: shape.iter().copied().collect(), data })
    }

    /// The shape of an eager tensor.
    pub fn shape(self) -> Vec<usize> {
        context::with(&[self], |arrays| arrays[0].shape.to_vec())
    }

    /// The values of an eager tensor, row-major.
    pub fn values(self) -> Vec<f64> {
        context::with(&[self], |arrays| arrays[0].data.iter().map(|x| x.value).collect())
    }

    /// The derivatives of an eager tensor along the direction of the run, row-major.
    pub fn tangents(self) -> Vec<f64> {
        context::with(&[self], |arrays| arrays[0].data.iter().map(|x| x.tangent).collect())
    }

    /// `1 / (1 + e^-x)`, element by element.
    pub fn sigmoid(self) -> Tensor {
        apply(Pointwise::Sigmoid, &[self])
    }

    /// `tanh x`, element by element.
    pub fn tanh(self) -> Tensor {
        apply(Pointwise::Tanh, &[self])
    }

    /// `max(x, 0)`, element by element; NaN stays NaN.
    pub fn relu(self) -> Tensor {
        apply(Pointwise::Relu, &[self])
    }

    /// `e^x`, element by element.
    pub fn exp(self) -> Tensor {
        apply(Pointwise::Exp, &[self])
    }

    /// The natural logarithm, element by element.
    pub fn ln(self) -> Tensor {
        apply(Pointwise::Ln, &[self])
    }

    /// `√x`, element by element.
    pub fn sqrt(self) -> Tensor {
        apply(Pointwise::Sqrt, &[self])
    }

    /// `|x|`, element by element; its gradient at 0 is 0.
    pub fn abs(self) -> Tensor {
        apply(Pointwise::Abs, &[self])
    }

    /// The error function, `2/√π ∫₀ˣ e^-t² dt`, element by element.
    pub fn erf(self) -> Tensor {
        apply(Pointwise::Erf, &[self])
    }

    /// `ln(1 + e^x)`, element by element.
    pub fn softplus(self) -> Tensor {
        apply(Pointwise::Softplus, &[self])
    }

    /// The nearest integer, halves to even, element by element. Its gradient is that of `x` itself:
    /// the straight-through estimator (Bengio et al., 2013).
    pub fn round(self) -> Tensor {
        apply(Pointwise::Round, &[self])
    }

    /// 1 where `self > other`, else 0: a mask. No gradient passes. Scalars are spread, and NaN compares
    /// as 0.
    pub fn greater(self, other: Tensor) -> Tensor {
        apply(Pointwise::Greater, &[self, other])
    }

    /// 1 where `self >= other`, else 0, likewise.
    pub fn greater_equal(self, other: Tensor) -> Tensor {
        apply(Pointwise::GreaterEqual, &[self, other])
    }

    /// The product with this matrix or vector: `[m, n], [n] -> [m]`, `[m, k], [k, n] -> [m, n]` or
    /// `[n], [n] -> []`.
    ///
    /// Inside of a vertex function, a tensor of which no op has said what it is yet counts as a
    /// matrix on the left and as a vector on the right.
    pub fn dot(self, other: Tensor) -> Tensor {
        match (self.shape().len(), other.shape().len()) {
            (1, _) => (self * other).sum(),
            (_, 2) => apply(Contraction::MatMul, &[self, other]),
            _ => apply(Contraction::Dot, &[self, other]),
        }
    }

    /// The product with this matrix or vector in logarithms: a product is a sum, and a sum `ln Σ e^x`:
    /// `[k], [k, n] -> [n]`, `[m, k], [k] -> [m]`, `[m, k], [k, n] -> [m, n]` or `[k], [k] -> []`.
    ///
    /// `-∞` is the logarithm of nothing: where the result is `-∞`, its gradient is 0 (NaN if what comes in is not
    /// finite). The gradients of the operands are sums of posteriors, `e^(a + b - result)`.
    ///
    /// Inside of a vertex function, a tensor of which no op has said what it is yet counts as a vector
    /// beside a matrix; and otherwise as for `dot`.
    pub fn log_dot(self, other: Tensor) -> Tensor {
        apply(SemiringContraction::Product(Semiring::Log), &[self, other])
    }

    /// The product with this matrix or vector where a product is a sum, and a sum the greatest of its
    /// terms (NaN where one is): shapes as those of `log_dot`. The gradient goes to the first of
    /// several; where the result is `-∞`, it is 0.
    pub fn max_dot(self, other: Tensor) -> Tensor {
        apply(SemiringContraction::Product(Semiring::Max), &[self, other])
    }

    /// For each element of `max_dot`, which of its terms is the greatest, counted from 0: the
    /// back-pointers of Viterbi's algorithm. It is a tensor of numbers; no gradient passes. 0 where the
    /// result is `-∞`.
    pub fn argmax_dot(self, other: Tensor) -> Tensor {
        let product = self.max_dot(other);
        let [a, b] = [self, other].map(Tensor::shape);
        let numbers: Vec<f64> =
            (0..a.iter().product::<usize>()).map(|x| (x % b[0]) as f64).collect();
        let ones = vec![1.0; b.iter().product()];
        let factors = [Tensor::from_values(&a, &numbers), Tensor::from_values(&b, &ones)];
        let op = SemiringContraction::Weighted(Semiring::Max, Role::Result);
        apply(op, &[self, other, product, factors[0], factors[1]])
    }

    /// `ln(e^x + e^y)`, element by element; a scalar is added to every element. Where the result is `-∞`,
    /// its gradient is 0.
    ///
    /// In a loop over children, `total = total.log_add(child.score)` adds up all of them, to the digits of the
    /// greatest one; beside an infinite one, its gradient is NaN.
    pub fn log_add(self, other: Tensor) -> Tensor {
        apply(Pointwise::LogAdd, &[self, other])
    }

    /// The outer product of two vectors, `x yᵀ`: `[m], [n] -> [m, n]`.
    pub fn outer(self, other: Tensor) -> Tensor {
        apply(Contraction::Outer, &[self, other])
    }

    /// The transposed matrix: `[m, n] -> [n, m]`.
    pub fn transpose(self) -> Tensor {
        apply(Movement::Transpose, &[self])
    }

    /// The elements, row by row, as a vector: `[m, n] -> [m n]`. If both are dimensions of a vertex function, the length
    /// follows from where the vector is used.
    pub fn flatten(self) -> Tensor {
        let shape = std::iter::once(self.shape().iter().product()).collect();
        apply_with(Movement::Reshape, &[self], Attributes { shape, ..attributes() })
    }

    /// The rows `range` of a matrix: `[m, n] -> [k, n]`.
    ///
    /// # Panics
    /// When they are not within the matrix.
    pub fn slice_rows(self, range: Range<usize>) -> Tensor {
        let [rows, columns] = self.shape()[..] else { panic!("{:?} is no matrix", self.shape()) };
        assert!(range.end <= rows, "the rows {range:?} of {rows}");
        let shape = [range.len(), columns].into_iter().collect();
        let start = range.start * columns;
        let op = Movement::SliceRows { start: SymbolicDim::default() };
        apply_with(op, &[self], Attributes { shape, start, ..attributes() })
    }

    /// The matrix with this vector on its diagonal, and zeros elsewhere: `[n] -> [n, n]`.
    pub fn as_diagonal(self) -> Tensor {
        apply(Movement::AsDiagonal, &[self])
    }

    /// The diagonal of a matrix: `[n, n] -> [n]`.
    pub fn diagonal(self) -> Tensor {
        apply(Movement::Diagonal, &[self])
    }

    /// A matrix of which each row is this vector: `[n] -> [count, n]`.
    pub fn repeat_rows(self, count: usize) -> Tensor {
        Tensor::from_values(&[count], &vec![1.0; count]).outer(self)
    }

    /// A matrix of which each column is this vector: `[m] -> [m, count]`.
    pub fn repeat_columns(self, count: usize) -> Tensor {
        self.outer(Tensor::from_values(&[count], &vec![1.0; count]))
    }

    /// Is now `repeat_rows`.
    #[deprecated(since = "0.3.0", note = "is now `repeat_rows`")]
    pub fn rows(self, count: usize) -> Tensor {
        self.repeat_rows(count)
    }

    /// The row of this table at `index`: `[v, n] -> [n]`.
    pub fn row(self, index: Index) -> Tensor {
        apply(Movement::Row, &[self, argument(index)])
    }

    /// The sum of the rows of this table at the indices of a bag, as often as each is in it:
    /// `[v, n] -> [n]`; zeros if it is empty. Its gradient has rows for these indices only.
    pub fn bag_sum(self, indices: Indices) -> Tensor {
        apply_with(Movement::BagSum(0), &[self], at_all(indices))
    }

    /// The sum of all elements: a scalar.
    pub fn sum(self) -> Tensor {
        apply(Reduction::Sum, &[self])
    }

    /// The greatest element: a scalar, NaN where one is. Its gradient goes to the first of several.
    pub fn max(self) -> Tensor {
        apply(Reduction::Max, &[self])
    }

    /// `e^x / Σ e^x` over a vector.
    pub fn softmax(self) -> Tensor {
        apply(Reduction::Softmax, &[self])
    }

    /// `x - ln Σ e^x` over a vector.
    pub fn log_softmax(self) -> Tensor {
        apply(Reduction::LogSoftmax, &[self])
    }

    /// `ln Σ e^x` over a vector: a scalar. `∞` where the greatest element is, `-∞` where all are.
    pub fn log_sum_exp(self) -> Tensor {
        apply(Reduction::LogSumExp, &[self])
    }

    /// `√(Σ x²)` over all elements: a scalar. Its gradient at zeros is 0.
    pub fn norm(self) -> Tensor {
        apply(Reduction::Norm, &[self])
    }

    /// `y[i] = Σ x[..=i]` over a vector.
    pub fn cumulative_sum(self) -> Tensor {
        apply(Reduction::CumulativeSum, &[self])
    }

    /// The sum of each row: `[m, n] -> [m]`.
    pub fn row_sum(self) -> Tensor {
        apply(RowReduction::Sum, &[self])
    }

    /// The greatest element of each row, NaN where one is: `[m, n] -> [m]`. Its gradient goes to the
    /// first of several in a row.
    pub fn row_max(self) -> Tensor {
        apply(RowReduction::Max, &[self])
    }

    /// `e^x / Σ e^x` over each row: `[m, n] -> [m, n]`.
    pub fn row_softmax(self) -> Tensor {
        apply(RowReduction::Softmax, &[self])
    }

    /// `x - ln Σ e^x` over each row: `[m, n] -> [m, n]`.
    pub fn row_log_softmax(self) -> Tensor {
        apply(RowReduction::LogSoftmax, &[self])
    }

    /// `ln Σ e^x` over each row: `[m, n] -> [m]`. `∞` where the greatest element of a row is, `-∞`
    /// where all are.
    pub fn row_log_sum_exp(self) -> Tensor {
        apply(RowReduction::LogSumExp, &[self])
    }

    /// `√(Σ x²)` over each row: `[m, n] -> [m]`. Its gradient at a row of zeros is 0.
    pub fn row_norm(self) -> Tensor {
        apply(RowReduction::Norm, &[self])
    }

    /// Element `index` of a vector: a scalar.
    pub fn pick(self, index: Index) -> Tensor {
        apply(Movement::Pick, &[self, argument(index)])
    }

    /// Where the greatest element of a vector is: the first of several, or of those that are NaN.
    /// No gradient passes through an index.
    pub fn argmax(self) -> Index {
        context::decide(self, false)
    }

    /// An index drawn with the probabilities `e^x / Σ e^x` of a vector, in training and in inference.
    /// The draw depends on seed, step (0 in inference), vertex and its graph alone.
    pub fn sample(self) -> Index {
        context::decide(self, true)
    }

    /// The same numbers, as constants: no gradient passes.
    pub fn detach(self) -> Tensor {
        apply(Movement::Detach, &[self])
    }

    /// In training, each element becomes 0 with probability `rate`, else `x / (1 - rate)`
    /// (Srivastava et al., 2014). The mask depends on seed, step and vertex alone.
    pub fn dropout(self, rate: f64) -> Tensor {
        let draws = context::next_draws(false);
        let op = Op::Draw(Draw::Dropout { rate, site: 0, shared: false });
        apply_with(op, &[self], Attributes { draws, ..attributes() })
    }

    /// Dropout with one mask for all vertices of this function in a graph (Gal and Ghahramani,
    /// 2016): what is dropped at a word is dropped at the next one, too.
    pub fn variational_dropout(self, rate: f64) -> Tensor {
        let draws = context::next_draws(true);
        let op = Op::Draw(Draw::Dropout { rate, site: 0, shared: true });
        apply_with(op, &[self], Attributes { draws, ..attributes() })
    }

    /// In training, `x` plus normal noise of this standard deviation, drawn for each element, vertex
    /// and step.
    pub fn noise(self, deviation: f64) -> Tensor {
        let draws = context::next_draws(false);
        let op = Op::Draw(Draw::Noise { deviation, site: 0 });
        apply_with(op, &[self], Attributes { draws, ..attributes() })
    }

    /// The elements of a vector within `range`.
    pub fn slice(self, range: Range<usize>) -> Tensor {
        let op = Op::Movement(Movement::Slice { start: SymbolicDim::default() });
        let shape = [range.len()].into_iter().collect();
        apply_with(op, &[self], Attributes { shape, start: range.start, ..attributes() })
    }

    /// A vector in `N` equal parts.
    ///
    /// # Panics
    /// When its length is not a multiple of `N`.
    pub fn split<const N: usize>(self) -> [Tensor; N] {
        let length = self.shape().iter().product::<usize>();
        assert!(N > 0 && length % N == 0, "a vector of {length} does not split into {N} parts");
        let part = length / N;
        std::array::from_fn(|number| self.slice(number * part..(number + 1) * part))
    }
}

/// Vectors one after the other, as one vector.
pub fn concat(parts: impl AsRef<[Tensor]>) -> Tensor {
    apply(Movement::Concat, parts.as_ref())
}

/// Matrices with as many columns, one below the other, as one matrix: `[a, n], [b, n], .. -> [a + b + .., n]`.
pub fn concat_rows(parts: impl AsRef<[Tensor]>) -> Tensor {
    apply(Movement::ConcatRows, parts.as_ref())
}

/// A vector of ones.
pub fn ones(length: usize) -> Tensor {
    context::insert(Array {
        shape: [length].into_iter().collect(),
        data: vec![Dual::constant(1.0); length],
    })
}

/// The identity matrix: ones on the diagonal, zeros elsewhere.
pub fn eye(size: usize) -> Tensor {
    ones(size).as_diagonal()
}

/// A vector of zeros.
pub fn zeros(length: usize) -> Tensor {
    context::insert(Array::zeros([length].into_iter().collect()))
}

/// `ln Σ e^x - x[label]`: the cross-entropy of the softmax of `logits` against a class.
pub fn cross_entropy(logits: Tensor, label: Index) -> Tensor {
    apply(Reduction::CrossEntropy, &[logits, argument(label)])
}

/// The number of indices in a bag: a scalar.
pub fn bag_size(indices: Indices) -> Tensor {
    apply_with(Leaf::BagSize(0), &[], at_all(indices))
}

impl Indices {
    /// An eager bag of indices, to run a vertex function by hand.
    pub fn from_values(indices: &[u32]) -> Indices {
        context::insert_bag(indices)
    }
}

/// A scalar.
pub fn scalar(value: f64) -> Tensor {
    number(value)
}

/// A vector of `length` zeros but for a 1 at `index`.
pub fn one_hot(index: Index, length: usize) -> Tensor {
    let shape = std::iter::once(length).collect();
    let arguments = [number(1.0), argument(index)];
    apply_with(Movement::OneHot, &arguments, Attributes { shape, ..attributes() })
}

/// 1 where a condition holds, else 0: `indicator(word == gold)`, a scalar.
pub fn indicator(condition: bool) -> Tensor {
    number(f64::from(condition))
}

/// Vectors of one length as the rows of a matrix, `[n], [n], .. -> [m, n]`, or scalars as the elements of a vector,
/// `[], [], .. -> [m]`.
pub fn stack(rows: impl AsRef<[Tensor]>) -> Tensor {
    let rows = rows.as_ref();
    if rows[0].shape().is_empty() {
        return concat(rows.iter().map(|x| zeros(1) + *x).collect::<Vec<_>>());
    }
    let shape = std::iter::once(rows.len()).chain(rows[0].shape()).collect();
    apply_with(Movement::Reshape, &[concat(rows)], Attributes { shape, ..attributes() })
}

/// Compares scalars by their numbers.
fn compare(a: Dual, b: Dual) -> Option<Ordering> {
    context::note_compared([a, b]);
    [a, b].into_iter().for_each(context::note_decided_on);
    a.value.partial_cmp(&b.value)
}

/// The number of a scalar, to compare it.
fn compared(tensor: Tensor) -> Dual {
    context::with(&[tensor], |arrays| match arrays[0].data[..] {
        [number] => number,
        _ => panic!("a condition compares scalars, and this is {:?}", arrays[0].shape),
    })
}

/// Scalars are compared by their numbers, in a vertex function that runs eagerly.
impl PartialOrd for Tensor {
    fn partial_cmp(&self, other: &Tensor) -> Option<Ordering> {
        compare(compared(*self), compared(*other))
    }
}

impl PartialEq<f64> for Tensor {
    fn eq(&self, other: &f64) -> bool {
        let number = compared(*self);
        context::note_decided_on(number);
        number.value == *other
    }
}

impl PartialOrd<f64> for Tensor {
    fn partial_cmp(&self, other: &f64) -> Option<Ordering> {
        compare(compared(*self), Dual::constant(*other))
    }
}

impl PartialEq<Tensor> for f64 {
    fn eq(&self, other: &Tensor) -> bool {
        other == self
    }
}

impl PartialOrd<Tensor> for f64 {
    fn partial_cmp(&self, other: &Tensor) -> Option<Ordering> {
        compare(Dual::constant(*self), compared(*other))
    }
}

impl Neg for Tensor {
    type Output = Tensor;

    fn neg(self) -> Tensor {
        apply(Pointwise::Neg, &[self])
    }
}

/// The state of the child at place `k`.
///
/// # Panics
/// In an eager run, when there is no such child or its state is another type.
pub fn gather<S: State>(k: usize) -> S {
    context::child(k).unwrap_or_else(|| panic!("gather({k}): the child is absent"))
}

/// The state of the child at place `k`, or `init` where it is absent: any state, whose fields may be tensors and
/// indices.
///
/// # Panics
/// In an eager run, when the vertex has no such place or the child's state is another type.
pub fn gather_or<S: State>(k: usize, init: S) -> S {
    context::child(k).unwrap_or(init)
}

/// The states of all children behind those that are gathered by place, for a `for` loop whose
/// accumulators may only be added to.
pub fn gather_all<S: State>() -> GatherAll<S> {
    context::enter_loop();
    let range = context::rest();
    GatherAll { first: range.start, range, state: PhantomData }
}

/// The children that [`gather_all`] goes through.
#[derive(Debug)]
pub struct GatherAll<S> {
    first: usize,
    range: Range<usize>,
    state: PhantomData<fn() -> S>,
}

impl<S: State> Iterator for GatherAll<S> {
    type Item = S;

    fn next(&mut self) -> Option<S> {
        let edge = self.range.next();
        context::at_edge(edge.map(|edge| (edge - self.first) as u32));
        edge.map(gather)
    }
}

/// Tells the parents.
pub fn scatter<S: State>(state: S) {
    context::set_state(state);
}

/// Reads the vertex's input: `let word: Word = pull();`, or, where a vertex may be without it,
/// `let gold: Option<Gold> = pull();`.
pub fn pull<I: Input>() -> I {
    context::input()
}

/// Tells the outside.
pub fn push<O: Output>(output: O) {
    context::add_output(output);
}

/// Marks a scalar that training minimises.
pub fn loss(scalar: Tensor) {
    context::add_loss(scalar);
}
