//! The reference kernels, which define every op: one vertex at a time, as plainly as possible.

use edb_ir::{
    Contraction, Draw, Indexing, Leaf, Movement, Op, Pointwise, Reduction, RowReduction, Sizes,
    Transition,
};

pub use super::array::{Array, greater_of};
use super::array::{exceeds, first_greatest, log_sum_exp, sum, sum_of_others};
use super::dual::Real;
use super::semiring;
use edb_kernels::random::SiteKey;

/// What an op needs besides its arguments, as numbers.
#[derive(Clone, Debug, Default)]
pub struct Attributes {
    /// The shape of the result, for ops that do not derive it.
    pub shape: Sizes,
    /// The indices of a bag, for ops that have one.
    pub bag: Vec<u32>,
    /// The first element of a slice, or the place of a pad.
    pub start: usize,
    /// The draws of an op that draws; `None` where dropout passes everything (not in training).
    pub draws: Option<SiteKey>,
    /// Whether the optional child of the op's slot is absent.
    pub absent: bool,
    /// How many different values the index can have.
    pub one_of: usize,
}

/// An index, which is a scalar here.
fn index<R: Real>(x: &Array<R>) -> usize {
    x.data[0].value() as usize
}

/// The value of an op, except for leaves that read a port and sums over edges and vertices, which
/// the callers compute.
///
/// # Panics
/// When the arguments do not have the shapes that the op's shape rule demands; edb-ir checks it.
pub fn evaluate<R: Real>(op: &Op, args: &[&Array<R>], attributes: &Attributes) -> Array<R> {
    match op {
        Op::Leaf(op) => leaf(op, attributes),
        Op::Pointwise(op) => pointwise(*op, args),
        Op::Draw(op) => draw(*op, args[0], attributes.draws),
        Op::Contraction(op) => contraction(*op, args[0], args[1]),
        Op::Movement(op) => movement(op, args, attributes),
        Op::Reduction(op) => reduction(*op, args),
        Op::RowReduction(op) => row_reduction(*op, args[0]),
        Op::SemiringContraction(op) => semiring::contraction(*op, args),
        Op::Indexing(op) => indexing(*op, args, attributes),
        Op::Transition(op) => transition(*op, args, attributes),
    }
}

fn leaf<R: Real>(op: &Leaf, attributes: &Attributes) -> Array<R> {
    let shape = || attributes.shape.clone();
    let one = R::constant(1.0);
    match op {
        Leaf::Constant(number) => Array::scalar(R::constant(*number)),
        Leaf::LossScale => Array::scalar(one),
        Leaf::Zeros => Array::zeros(shape()),
        Leaf::BagSize(_) => Array::scalar(R::constant(attributes.bag.len() as f64)),
        Leaf::Length(_) => {
            Array::scalar(R::constant(attributes.shape.iter().product::<usize>() as f64))
        }
        Leaf::Param(_)
        | Leaf::Pull(_)
        | Leaf::Child { .. }
        | Leaf::StateGradient(_)
        | Leaf::OutputGradient(_)
        | Leaf::HasInput
        | Leaf::Merge => unreachable!("the caller reads ports and variables"),
    }
}

fn pointwise<R: Real>(op: Pointwise, args: &[&Array<R>]) -> Array<R> {
    match op {
        Pointwise::Neg => map(args[0], |x| -x),
        Pointwise::Sigmoid => map(args[0], R::sigmoid),
        Pointwise::Tanh => map(args[0], R::tanh),
        Pointwise::Relu => map(args[0], R::relu),
        Pointwise::Exp => map(args[0], R::exp),
        Pointwise::Ln => map(args[0], R::ln),
        Pointwise::Positive => map(args[0], |x| R::constant(f64::from(x.value() > 0.0))),
        Pointwise::Sqrt => map(args[0], R::sqrt),
        Pointwise::Abs => map(args[0], R::abs),
        Pointwise::Sign => map(args[0], |x| {
            let sign = f64::from(x.value() > 0.0) - f64::from(x.value() < 0.0);
            R::constant(sign)
        }),
        Pointwise::Erf => map(args[0], R::erf),
        Pointwise::Softplus => map(args[0], R::softplus),
        Pointwise::ExpM1 => map(args[0], R::exp_m1),
        Pointwise::NormalCdf => map(args[0], R::normal_cdf),
        Pointwise::Bell => map(args[0], R::bell),
        Pointwise::Round => map(args[0], |x| x.map(f64::round_ties_even, |_| 1.0)),
        Pointwise::Add => zip(args[0], args[1], |a, b| a + b),
        Pointwise::Sub => zip(args[0], args[1], |a, b| a - b),
        Pointwise::Mul => zip(args[0], args[1], |a, b| a * b),
        Pointwise::Div => zip(args[0], args[1], |a, b| a / b),
        Pointwise::Pow => zip(args[0], args[1], R::pow),
        Pointwise::LogAdd => zip(args[0], args[1], log_add),
        Pointwise::Greater => {
            zip(args[0], args[1], |a, b| R::constant(f64::from(a.value() > b.value())))
        }
        Pointwise::GreaterEqual => {
            zip(args[0], args[1], |a, b| R::constant(f64::from(a.value() >= b.value())))
        }
        Pointwise::Exceeds => {
            zip(args[0], args[1], |a, b| R::constant(f64::from(exceeds(a.value(), b.value()))))
        }
        Pointwise::Mask => {
            zip(args[0], args[1], |m, x| if m.value() == 0.0 { R::constant(0.0) } else { x })
        }
        Pointwise::Select => {
            let [condition, x, y] = [args[0], args[1], args[2]];
            let data = (0..x.data.len()).map(|element| {
                let of = |array: &Array<R>| array.data[element.min(array.data.len() - 1)];
                if of(condition).value() == 0.0 { of(y) } else { of(x) }
            });
            Array { shape: x.shape.clone(), data: data.collect() }
        }
    }
}

fn draw<R: Real>(op: Draw, x: &Array<R>, draws: Option<SiteKey>) -> Array<R> {
    let Some(draws) = draws else { return x.clone() };
    let drawn = |(element, &x): (usize, &R)| match op {
        Draw::Dropout { rate, .. } if draws.uniform(element) < rate => x * R::constant(0.0),
        Draw::Dropout { rate, .. } => x * R::constant(1.0 / (1.0 - rate)),
        Draw::Noise { deviation, .. } => x + R::constant(deviation * draws.normal(element)),
    };
    Array { shape: x.shape.clone(), data: x.data.iter().enumerate().map(drawn).collect() }
}

fn contraction<R: Real>(op: Contraction, a: &Array<R>, b: &Array<R>) -> Array<R> {
    match op {
        Contraction::Dot => product(a, b, false),
        Contraction::DotTransposed => product(a, b, true),
        Contraction::Outer => outer(a, b),
        Contraction::MatMul => matrix_product(a, b, [false, false]),
        Contraction::MatMulLeftTransposed => matrix_product(a, b, [true, false]),
        Contraction::MatMulRightTransposed => matrix_product(a, b, [false, true]),
    }
}

fn movement<R: Real>(op: &Movement, args: &[&Array<R>], attributes: &Attributes) -> Array<R> {
    let shape = || attributes.shape.clone();
    match op {
        Movement::Copy(_) => args[0].clone(),
        Movement::WhereAbsent(_) if attributes.absent => args[0].clone(),
        Movement::WhereAbsent(_) => Array::zeros(args[0].shape.clone()),
        Movement::Transpose => {
            let [m, n] = [args[0].shape[0], args[0].shape[1]];
            let data =
                (0..m * n).map(|element| args[0].data[element % m * n + element / m]).collect();
            Array { shape: [n, m].into_iter().collect(), data }
        }
        Movement::Reshape => Array { shape: shape(), data: args[0].data.clone() },
        Movement::Concat => {
            let data: Vec<R> = args.iter().flat_map(|arg| arg.data.iter().copied()).collect();
            Array { shape: [data.len()].into_iter().collect(), data }
        }
        Movement::ConcatRows => {
            let rows = args.iter().map(|arg| arg.shape[0]).sum();
            let data = args.iter().flat_map(|arg| arg.data.iter().copied()).collect();
            Array { shape: [rows, args[0].shape[1]].into_iter().collect(), data }
        }
        Movement::Slice { .. } | Movement::SliceRows { .. } => {
            let end = attributes.start + attributes.shape.iter().product::<usize>();
            Array { shape: shape(), data: args[0].data[attributes.start..end].to_vec() }
        }
        Movement::AsDiagonal => {
            let n = args[0].data.len();
            let mut matrix = Array::zeros([n, n].into_iter().collect());
            for (at, x) in args[0].data.iter().enumerate() {
                matrix.data[at * (n + 1)] = *x;
            }
            matrix
        }
        Movement::Diagonal => {
            let n = args[0].shape[0];
            let data = (0..n).map(|at| args[0].data[at * (n + 1)]).collect();
            Array { shape: [n].into_iter().collect(), data }
        }
        Movement::Pad { .. } | Movement::PadRows { .. } => {
            let mut padded = Array::zeros(shape());
            let end = attributes.start + args[0].data.len();
            padded.data[attributes.start..end].copy_from_slice(&args[0].data);
            padded
        }
        Movement::Expand => {
            let count = attributes.shape.iter().product();
            Array { shape: shape(), data: vec![args[0].data[0]; count] }
        }
        Movement::Row => {
            let width = args[0].shape[1];
            let start = index(args[1]) * width;
            let data = args[0].data[start..start + width].to_vec();
            Array { shape: [width].into_iter().collect(), data }
        }
        Movement::BagSum(_) => {
            let width = args[0].shape[1];
            let element = |column: usize| {
                let rows = attributes.bag.iter().map(|row| *row as usize * width);
                sum(rows.map(|start| args[0].data[start + column]))
            };
            let data = (0..width).map(element).collect();
            Array { shape: [width].into_iter().collect(), data }
        }
        Movement::OneHot => {
            let mut hot = Array::zeros(shape());
            let part = &args[0].data;
            hot.data[index(args[1]) * part.len()..][..part.len()].copy_from_slice(part);
            hot
        }
        Movement::Pick => {
            let shape: Sizes = args[0].shape[1..].iter().copied().collect();
            let width = shape.iter().product();
            let data = args[0].data[index(args[1]) * width..][..width].to_vec();
            Array { shape, data }
        }
        Movement::Detach => map(args[0], R::detached),
    }
}

fn reduction<R: Real>(op: Reduction, args: &[&Array<R>]) -> Array<R> {
    let (x, one) = (args[0], R::constant(1.0));
    match op {
        Reduction::Sum => Array::scalar(sum(x.data.iter().copied())),
        Reduction::Max => Array::scalar(x.data[first_greatest(&x.data)]),
        Reduction::MaxMask => {
            let mut mask = Array::zeros(x.shape.clone());
            mask.data[first_greatest(&x.data)] = one;
            mask
        }
        Reduction::Softmax => softmax(x),
        Reduction::LogSoftmax => log_softmax(x),
        Reduction::LogSumExp => Array::scalar(log_sum_exp(&x.data)),
        Reduction::Norm => Array::scalar(norm(&x.data)),
        Reduction::CumulativeSum => running_sum(x, false),
        Reduction::CumulativeSumReversed => running_sum(x, true),
        Reduction::CrossEntropy => Array::scalar(-log_softmax(x).data[index(args[1])]),
        Reduction::CrossEntropyGradient => {
            let mut less = softmax(x);
            let label = &mut less.data[index(args[1])];
            *label = *label - one;
            map(&less, |less| less * args[2].data[0])
        }
    }
}

/// A reduction of each row of a matrix.
fn row_reduction<R: Real>(op: RowReduction, x: &Array<R>) -> Array<R> {
    let (rows, columns) = (x.shape[0], x.shape[1]);
    let row = |row: usize| {
        let data = x.data[row * columns..(row + 1) * columns].to_vec();
        reduction(op.of_row(), &[&Array { shape: [columns].into_iter().collect(), data }])
    };
    let reduced: Vec<Array<R>> = (0..rows).map(row).collect();
    let of_row = reduced.first().map_or(&[][..], |first| &first.shape);
    let shape = std::iter::once(rows).chain(of_row.iter().copied()).collect();
    Array { shape, data: reduced.into_iter().flat_map(|of| of.data).collect() }
}

fn indexing<R: Real>(op: Indexing, args: &[&Array<R>], attributes: &Attributes) -> Array<R> {
    let number = |index: usize| Array::scalar(R::constant(index as f64));
    match op {
        Indexing::Argmax { .. } => number(first_greatest(&args[0].data)),
        Indexing::Sample { .. } => number(sample(&args[0].data, attributes.draws)),
        Indexing::Given(index) => number(index as usize),
        Indexing::IfAbsent(_) => number(index(args[usize::from(attributes.absent)])),
        Indexing::Copy(_) => number(index(args[0])),
        Indexing::Next => number((index(args[0]) + 1) % attributes.one_of),
        Indexing::Same => number(usize::from(index(args[0]) == index(args[1]))),
    }
}

/// The first position at which the sum of the probabilities `e^x / Σ e^x` exceeds the draw; the
/// first greatest where nothing is drawn, the greatest is infinite, or one is NaN.
fn sample<R: Real>(x: &[R], draws: Option<SiteKey>) -> usize {
    let (first, sums) = (first_greatest(x), sums_of_probabilities(x));
    match draws.filter(|_| x[first].value().is_finite()) {
        Some(draws) => sums.iter().position(|sum| *sum > draws.uniform(0)).unwrap_or(first),
        None => first,
    }
}

/// The sums of the probabilities `e^x / Σ e^x` up to each position.
pub(super) fn sums_of_probabilities<R: Real>(x: &[R]) -> Vec<f64> {
    let greatest = x[first_greatest(x)].value();
    let powers = || x.iter().map(|x| (x.value() - greatest).exp());
    let total: f64 = powers().sum();
    let add = |sum: &mut f64, power: f64| {
        *sum += power;
        Some(*sum / total)
    };
    powers().scan(0.0, add).collect()
}

fn transition<R: Real>(op: Transition, args: &[&Array<R>], attributes: &Attributes) -> Array<R> {
    let shape = || attributes.shape.clone();
    let one = R::constant(1.0);
    match op {
        Transition::Reduce(_) | Transition::ReduceMax => args[0].clone(),
        Transition::EdgeMaxMask => map(args[0], |_| one),
        Transition::OuterSum => outer(args[0], args[1]),
        Transition::WeightedSum(semiring, role) => semiring::weighted(semiring, role, args),
        Transition::RowSum => {
            let mut table = Array::zeros(shape());
            let start = index(args[1]) * args[0].data.len();
            table.data[start..start + args[0].data.len()].copy_from_slice(&args[0].data);
            table
        }
        Transition::BagRowSum(_) => {
            let mut table = Array::zeros(shape());
            for row in &attributes.bag {
                let start = *row as usize * args[0].data.len();
                let row = &mut table.data[start..start + args[0].data.len()];
                row.iter_mut().zip(&args[0].data).for_each(|(sum, x)| *sum = *sum + *x);
            }
            table
        }
    }
}

fn outer<R: Real>(a: &Array<R>, b: &Array<R>) -> Array<R> {
    let data = a.data.iter().flat_map(|&a| b.data.iter().map(move |&b| a * b)).collect();
    Array { shape: [a.data.len(), b.data.len()].into_iter().collect(), data }
}

fn map<R: Real>(x: &Array<R>, f: impl Fn(R) -> R) -> Array<R> {
    Array { shape: x.shape.clone(), data: x.data.iter().map(|&x| f(x)).collect() }
}

fn zip<R: Real>(a: &Array<R>, b: &Array<R>, f: impl Fn(R, R) -> R) -> Array<R> {
    if a.shape.is_empty() {
        return map(b, |b| f(a.data[0], b));
    }
    if b.shape.is_empty() {
        return map(a, |a| f(a, b.data[0]));
    }
    assert_eq!(a.shape, b.shape, "the operands have different shapes");
    let data = a.data.iter().zip(&b.data).map(|(&a, &b)| f(a, b)).collect();
    Array { shape: a.shape.clone(), data }
}

fn product<R: Real>(matrix: &Array<R>, vector: &Array<R>, transposed: bool) -> Array<R> {
    let [m, n] = [matrix.shape[0], matrix.shape[1]];
    let (results, terms) = if transposed { (n, m) } else { (m, n) };
    assert_eq!(vector.data.len(), terms, "the vector does not fit the matrix {:?}", matrix.shape);
    let element = |result: usize, term: usize| {
        matrix.data[if transposed { term * n + result } else { result * n + term }]
    };
    let data = (0..results)
        .map(|result| sum((0..terms).map(|term| element(result, term) * vector.data[term])))
        .collect();
    Array { shape: [results].into_iter().collect(), data }
}

/// `A B`, where either may be transposed.
fn matrix_product<R: Real>(a: &Array<R>, b: &Array<R>, transposed: [bool; 2]) -> Array<R> {
    let size = |x: &Array<R>, turned: bool| match turned {
        false => [x.shape[0], x.shape[1]],
        true => [x.shape[1], x.shape[0]],
    };
    let ([m, k], [inner, n]) = (size(a, transposed[0]), size(b, transposed[1]));
    assert_eq!(k, inner, "the matrices {:?} and {:?} do not fit", a.shape, b.shape);
    let of = |x: &Array<R>, turned: bool, row: usize, column: usize| match turned {
        false => x.data[row * x.shape[1] + column],
        true => x.data[column * x.shape[1] + row],
    };
    let value = |element: usize| {
        let (row, column) = (element / n, element % n);
        sum((0..k).map(|t| of(a, transposed[0], row, t) * of(b, transposed[1], t, column)))
    };
    Array { shape: [m, n].into_iter().collect(), data: (0..m * n).map(value).collect() }
}

fn running_sum<R: Real>(x: &Array<R>, reversed: bool) -> Array<R> {
    let count = x.data.len();
    let terms = |element: usize| if reversed { element..count } else { 0..element + 1 };
    let data = (0..count).map(|element| sum(x.data[terms(element)].iter().copied())).collect();
    Array { shape: x.shape.clone(), data }
}

fn softmax<R: Real>(x: &Array<R>) -> Array<R> {
    let greatest = x.data[first_greatest(&x.data)];
    let powers = map(x, |x| (x - greatest).exp());
    let total = sum(powers.data.iter().copied());
    map(&powers, |power| power / total)
}

fn log_softmax<R: Real>(x: &Array<R>) -> Array<R> {
    let first = first_greatest(&x.data);
    let total = sum_of_others(&x.data, first).ln_1p();
    map(x, |other| (other - x.data[first]) - total)
}

/// `ln(e^a + e^b)`; where that is `-∞`, it does not change with them.
fn log_add<R: Real>(a: R, b: R) -> R {
    let both = [a, b];
    let greatest = both[first_greatest(&both)];
    match greatest.value() {
        f64::NEG_INFINITY => R::constant(f64::NEG_INFINITY),
        f64::INFINITY if a.value() != b.value() => greatest,
        _ => log_sum_exp(&both),
    }
}

/// The 2-norm. Its derivative at zero is 0.
pub(super) fn norm<R: Real>(x: &[R]) -> R {
    let square = sum(x.iter().map(|&x| x * x));
    if square.value() == 0.0 { R::constant(0.0) } else { square.sqrt() }
}
