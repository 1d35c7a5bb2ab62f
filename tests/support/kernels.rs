//! Kernels of functions over random rows: compiled against interpreted, bit for bit, and against
//! interval arithmetic in `f64`.

use edb::__private::Definition;
use edb::__private::fused::{KernelFn, Trial};
use edb::element::Element;
use edb_ir::{Dim, Domain, Kernel, Op, Shape};

use crate::Draws;

/// Whether this crate's kernels are compiled; if not, the interpreter is tested alone.
pub const COMPILED: bool = cfg!(feature = "kernels") || !cfg!(debug_assertions);

pub const WIDTHS: [usize; 5] = [1, 3, 16, 37, 256];
const ROWS: [usize; 4] = [0, 1, 7, 33];

/// All numbers that an exact result may be.
#[derive(Clone, Copy, Debug)]
struct Interval {
    low: f64,
    high: f64,
}

impl Interval {
    const ALL: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// The bounds, and what rounding in `T` adds: 4 units in the last place, and all that is
    /// below the normal numbers.
    fn rounded<T: Element>(low: f64, high: f64) -> Self {
        if low.is_nan() || high.is_nan() {
            return Self::ALL;
        }
        let (unit, greatest) = (T::epsilon().as_f64(), T::max_value().as_f64());
        let slack = |x: f64| 4.0 * unit * x.abs() + 4.0 * T::min_positive_value().as_f64();
        let (low, high) = (low.min(greatest), high.max(-greatest));
        let (low, high) = (low - slack(low), high + slack(high));
        Self {
            low: if low < -greatest { f64::NEG_INFINITY } else { low },
            high: if high > greatest { f64::INFINITY } else { high },
        }
    }

    /// A function that never falls.
    fn rising<T: Element>(self, f: impl Fn(f64) -> f64) -> Self {
        match self.is_all() {
            true => self,
            false => Self::rounded::<T>(f(self.low), f(self.high)),
        }
    }

    fn corners<T: Element>(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        if self.is_all() || other.is_all() {
            return Self::ALL;
        }
        let corners = [self.low, self.high].map(|a| [f(a, other.low), f(a, other.high)]).concat();
        match corners.iter().any(|corner| corner.is_nan()) {
            true => Self::ALL,
            false => Self::rounded::<T>(
                corners.iter().copied().fold(f64::INFINITY, f64::min),
                corners.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            ),
        }
    }

    /// Whether nothing is known; then it may be no number, too.
    fn is_all(self) -> bool {
        self.low == f64::NEG_INFINITY && self.high == f64::INFINITY
    }

    fn contains(self, x: f64) -> bool {
        self.is_all() || (self.low <= x && x <= self.high)
    }
}

/// What a kernel computes of some elements: its inputs and expressions.
fn evaluate<T: Element>(kernel: &Kernel, inputs: &[f64]) -> Vec<Interval> {
    let point = |&x: &f64| match x.is_finite() {
        true => Interval { low: x, high: x },
        false => Interval::ALL,
    };
    let mut values: Vec<Interval> = inputs.iter().map(point).collect();
    for expr in &kernel.body {
        let arg = |at: usize| values[usize::from(expr.args[at])];
        let value = match &expr.op {
            Op::Constant(number) => Interval::rounded::<T>(*number, *number),
            Op::LossScale => Interval { low: 1.0, high: 1.0 },
            Op::Zeros => Interval { low: 0.0, high: 0.0 },
            Op::Copy(_) | Op::Expand => arg(0),
            Op::Neg => Interval { low: -arg(0).high, high: -arg(0).low },
            Op::Sigmoid => arg(0).rising::<T>(|x| 1.0 / (1.0 + (-x).exp())),
            Op::Tanh => arg(0).rising::<T>(f64::tanh),
            Op::Relu => arg(0).rising::<T>(|x| x.max(0.0)),
            Op::Exp => arg(0).rising::<T>(f64::exp),
            Op::Ln => match arg(0).low > 0.0 {
                true => arg(0).rising::<T>(f64::ln),
                false => Interval::ALL,
            },
            Op::Sqrt => match arg(0).low >= 0.0 {
                true => arg(0).rising::<T>(f64::sqrt),
                false => Interval::ALL,
            },
            Op::Abs => {
                let Interval { low, high } = arg(0);
                let least = if arg(0).contains(0.0) { 0.0 } else { low.abs().min(high.abs()) };
                Interval { low: least, high: low.abs().max(high.abs()) }
            }
            Op::Sign => arg(0).rising::<T>(|x| if x == 0.0 { 0.0 } else { x.signum() }),
            Op::Erf => arg(0).rising::<T>(libm::erf),
            Op::Softplus => arg(0).rising::<T>(|x| x.max(0.0) + (-x.abs()).exp().ln_1p()),
            Op::Round => arg(0).rising::<T>(f64::round_ties_even),
            Op::Pow => match (arg(0).low > 0.0, arg(1).low == arg(1).high) {
                (true, true) => arg(0).corners::<T>(arg(1), f64::powf),
                _ => Interval::ALL,
            },
            Op::Greater => match (arg(0).low > arg(1).high, arg(0).high <= arg(1).low) {
                (true, _) => Interval { low: 1.0, high: 1.0 },
                (_, true) => Interval { low: 0.0, high: 0.0 },
                _ => Interval { low: 0.0, high: 1.0 },
            },
            Op::GreaterEqual => match (arg(0).low >= arg(1).high, arg(0).high < arg(1).low) {
                (true, _) => Interval { low: 1.0, high: 1.0 },
                (_, true) => Interval { low: 0.0, high: 0.0 },
                _ => Interval { low: 0.0, high: 1.0 },
            },
            // NaN may make either of any.
            Op::Exceeds => Interval { low: 0.0, high: 1.0 },
            Op::Mask if !arg(0).contains(0.0) => arg(1),
            Op::Mask if arg(1).is_all() => Interval::ALL,
            Op::Mask => Interval { low: arg(1).low.min(0.0), high: arg(1).high.max(0.0) },
            Op::Positive => arg(0).rising::<T>(|x| if x > 0.0 { 1.0 } else { 0.0 }),
            Op::Add => arg(0).corners::<T>(arg(1), |a, b| a + b),
            Op::Sub => arg(0).corners::<T>(arg(1), |a, b| a - b),
            Op::Mul => arg(0).corners::<T>(arg(1), |a, b| a * b),
            Op::Div => match arg(1).contains(0.0) {
                true => Interval::ALL,
                false => arg(0).corners::<T>(arg(1), |a, b| a / b),
            },
            op => panic!("{op:?} is no op of a kernel"),
        };
        values.push(value);
    }
    values
}

/// The number of elements of a shape whose dimension names are all `width`.
fn elements(shape: &Shape, width: usize) -> usize {
    let size = |dim: &Dim| {
        let size = dim.substitute(|_| Dim::constant(width as i64));
        size.and_then(|size| size.as_constant()).map_or(1, |size| size.max(1) as usize)
    };
    shape.dims().map_or(width, |dims| dims.iter().map(size).product())
}

/// How many elements were held against an interval, and how many of these intervals say something.
#[derive(Default)]
pub struct Held {
    pub elements: usize,
    pub tight: usize,
}

/// All kernels of a function, one after another, over random rows.
pub fn check<T: Element>(
    definition: &Definition,
    draws: &mut Draws,
    width: usize,
    held: &mut Held,
) {
    let routine = &definition.plan.routine;
    let name = &definition.plan.program.name;
    let compiled: Vec<Option<KernelFn<T>>> =
        (0..routine.kernels.len()).map(|at| definition.kernels.get(at)).collect();
    for (kernel, compiled) in routine.kernels.iter().zip(&compiled) {
        let expected = COMPILED && kernel.domain != Domain::Step;
        assert_eq!(compiled.is_some(), expected, "{name}, {kernel}");
    }
    let vertices = draws.one(&ROWS);
    let edges = if vertices == 0 { 0 } else { draws.one(&ROWS) };
    let owners: Vec<u32> = (0..edges).map(|_| draws.below(vertices) as u32).collect();
    let pad = draws.one(&[0, 0, 5]);
    let numbers: Vec<T> = (0..1009)
        .map(|_| {
            let number = (draws.below(4001) as f64 - 2000.0) / 700.0;
            // Zeros, and what saturates.
            T::from_f64(number * draws.one(&[1.0, 1.0, 1.0, 1.0, 0.0, 1e-3, 40.0]))
        })
        .collect();
    // Two memories that hold the same.
    let size = |shape: &Shape| elements(shape, width);
    let [mut one, mut other] = [0, 1].map(|_| {
        let mut at = 0;
        let mut number = || {
            at += 1;
            numbers[at % numbers.len()]
        };
        Trial::new(routine, (vertices, owners.clone()), pad, &size, &mut number)
    });
    let level = draws.below(Trial::<T>::levels());
    one.set_level(level);
    other.set_level(level);
    for (at, kernel) in routine.kernels.iter().enumerate() {
        let count = one.count(at);
        let rows: Vec<usize> = if count == 0 { vec![] } else { vec![0, count / 2, count - 1] };
        let columns = |trial: &Trial<'_, T>, row: usize| {
            let longest = kernel.outputs.first().map_or(0, |out| trial.row(at, out.0, row).len());
            if longest > 40 { vec![0, 1, 15, 16, 33, longest - 1] } else { (0..longest).collect() }
        };
        let expected: Vec<Vec<(usize, Vec<Interval>)>> = rows
            .iter()
            .map(|&row| {
                let of_column = |column: usize| {
                    let element = |span: &edb_ir::Span| {
                        let row = one.row(at, *span, row);
                        row[column.min(row.len() - 1)].as_f64()
                    };
                    let inputs: Vec<f64> = kernel.inputs.iter().map(element).collect();
                    (column, evaluate::<T>(kernel, &inputs))
                };
                columns(&one, row).into_iter().map(of_column).collect()
            })
            .collect();
        // Now and then an output is not wanted.
        let unwanted = draws.below(3 * kernel.outputs.len().max(1));
        let overwrites =
            |out: usize| (0..kernel.inputs.len()).any(|input| kernel.in_place(input) == Some(out));
        let unwanted = if overwrites(unwanted) { usize::MAX } else { unwanted };
        one.run(at, None, &|out| out != unwanted);
        other.run(at, compiled[at], &|out| out != unwanted);
        for (&row, expected) in rows.iter().zip(&expected) {
            for (column, values) in expected {
                for (out, (span, of)) in kernel.outputs.iter().enumerate() {
                    if out == unwanted {
                        continue;
                    }
                    let found = one.row(at, *span, row)[*column].as_f64();
                    let exact = values[kernel.inputs.len() + usize::from(*of)];
                    assert!(
                        exact.contains(found),
                        "{name}, kernel {at}, output {out}, row {row}: {found} is not in {exact:?}\n\
                         {kernel}"
                    );
                    held.elements += 1;
                    let middle = (exact.low + exact.high) / 2.0;
                    held.tight += usize::from(exact.high - exact.low < 1e-3 * (1.0 + middle.abs()));
                }
            }
        }
    }
    let bits = |x: T| if x.is_nan() { u64::MAX } else { x.as_f64().to_bits() };
    let differs = |(a, b): (&T, &T)| bits(*a) != bits(*b);
    let differ = one.memory().iter().zip(other.memory()).position(differs);
    assert_eq!(
        differ, None,
        "{name}, {vertices} vertices, {edges} edges, width {width}, pad {pad}, level {level}: the \
         memories differ"
    );
}
