//! Kernels over random rows: compiled kernels equal interpreted ones bit for bit, and both agree
//! with interval arithmetic in `f64`.

use edb::__private::Definition;
use edb::__private::fused::{KernelFn, KernelRunner};
use edb::Element;
use edb_ir::routine::KernelOp;
use edb_ir::{Dim, Domain, IdVec, Kernel, KernelId, Pointwise, Shape};

use edb_test_functions::Draws;

/// Whether this crate's kernels are compiled; if not, only the interpreter is tested.
pub const COMPILED: bool = cfg!(feature = "kernels") || !cfg!(debug_assertions);

pub const WIDTHS: [usize; 5] = [1, 3, 16, 37, 256];
const ROWS: [usize; 4] = [0, 1, 7, 33];

/// All possible exact results: numbers from `low` to `high`, which may be infinite, and NaN if
/// `nan`. If `low` is greater than `high`, only NaN.
#[derive(Clone, Copy, Debug)]
struct Interval {
    low: f64,
    high: f64,
    nan: bool,
}

impl Interval {
    /// Only NaN.
    const NAN: Self = Self { low: f64::INFINITY, high: f64::NEG_INFINITY, nan: true };
    /// Any result: for example, of a power whose base may have either sign.
    const ALL: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: true };
    const ZERO: Self = Self::point(0.0);
    const ONE: Self = Self::point(1.0);

    const fn point(x: f64) -> Self {
        if x.is_nan() { Self::NAN } else { Self { low: x, high: x, nan: false } }
    }

    /// The bounds, widened by rounding errors of `T`: 4 units in the last place, and 4 times the
    /// smallest normal number.
    fn rounded<T: Element>(low: f64, high: f64) -> Self {
        assert!(low <= high, "{low} and {high} are no bounds");
        let (unit, greatest) = (T::epsilon().as_f64(), T::max_value().as_f64());
        let slack = |x: f64| 4.0 * unit * x.abs() + 4.0 * T::min_positive_value().as_f64();
        // Rounding may move a bound at the end of the range outwards, to infinity, or back into it.
        let out = |x: f64| if x.abs() > greatest { x.signum() * f64::INFINITY } else { x };
        let down = |x: f64| if x.is_finite() { x - slack(x) } else { x };
        let up = |x: f64| if x.is_finite() { x + slack(x) } else { x };
        let (low, high) = (down(low.min(greatest)), up(high.max(-greatest)));
        Self { low: out(low), high: out(high), nan: false }
    }

    /// Whether it contains no number, only NaN.
    fn is_empty(self) -> bool {
        self.low > self.high
    }

    fn is_point(self) -> bool {
        self.low == self.high && !self.nan
    }

    fn is_bounded(self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }

    /// The same, and NaN if `nan`.
    fn or_nan(self, nan: bool) -> Self {
        Self { nan: self.nan || nan, ..self }
    }

    /// All results in either interval, and the numbers between them.
    fn or(self, other: Self) -> Self {
        let (low, high) = (self.low.min(other.low), self.high.max(other.high));
        Self { low, high, nan: self.nan || other.nan }
    }

    /// The results of a non-decreasing function that maps NaN to NaN.
    fn rising<T: Element>(self, f: impl Fn(f64) -> f64) -> Self {
        match self.is_empty() {
            true => self,
            false => Self::rounded::<T>(f(self.low), f(self.high)).or_nan(self.nan),
        }
    }

    /// The same for a function that is NaN below 0.
    fn rising_from_zero<T: Element>(self, f: impl Fn(f64) -> f64) -> Self {
        match self.high < 0.0 {
            true => Self::NAN,
            false => {
                let defined = Self { low: self.low.max(0.0), ..self };
                defined.rising::<T>(f).or_nan(self.low < 0.0)
            }
        }
    }

    /// The results of a function that is monotonic in each argument, so that its extremes are at
    /// the corners of the two intervals. If it is NaN at a corner, as `∞ - ∞` is, the extremes are
    /// at other corners.
    fn corners<T: Element>(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        if self.is_empty() || other.is_empty() {
            return Self::NAN;
        }
        let corners = [self.low, self.high].map(|a| [f(a, other.low), f(a, other.high)]).concat();
        let nan = self.nan || other.nan || corners.iter().any(|corner| corner.is_nan());
        let numbers = || corners.iter().copied().filter(|corner| !corner.is_nan());
        match numbers().next() {
            None => Self::NAN,
            Some(first) => {
                let (low, high) =
                    (numbers().fold(first, f64::min), numbers().fold(first, f64::max));
                Self::rounded::<T>(low, high).or_nan(nan)
            }
        }
    }

    fn times<T: Element>(self, other: Self) -> Self {
        let nothing_times_infinity = (self.contains(0.0) && !other.is_bounded())
            || (other.contains(0.0) && !self.is_bounded());
        self.corners::<T>(other, |a, b| a * b).or_nan(nothing_times_infinity)
    }

    fn over<T: Element>(self, other: Self) -> Self {
        if self.is_empty() || other.is_empty() || !other.contains(0.0) {
            return self.corners::<T>(other, |a, b| a / b);
        }
        if other.is_point() && self.is_point() && self.low == 0.0 {
            return Self::NAN;
        }
        let nan = self.contains(0.0) || (!self.is_bounded() && !other.is_bounded());
        Self { nan: nan || self.nan || other.nan, ..Self::ALL }
    }

    fn to_the<T: Element>(self, power: Self) -> Self {
        let known = self.low > 0.0 && power.is_point() && !self.nan;
        match known || (self.is_point() && power.is_point()) {
            true => self.corners::<T>(power, f64::powf),
            false => Self::ALL,
        }
    }

    fn contains(self, x: f64) -> bool {
        if x.is_nan() { self.nan } else { self.low <= x && x <= self.high }
    }
}

/// `e^-x²/2`, the square as the sum of two numbers.
fn bell(x: f64) -> f64 {
    let square = x * x;
    let rest = if square.is_finite() { x.mul_add(x, -square) } else { 0.0 };
    (-0.5 * square).exp() * (1.0 - 0.5 * rest)
}

/// The standard normal distribution, its argument as the sum of two numbers.
fn normal_cdf(x: f64) -> f64 {
    use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};
    let argument = -x * FRAC_1_SQRT_2;
    let rest = (-x).mul_add(FRAC_1_SQRT_2, -argument) + x * 4.833_646_656_726_457e-17;
    let slope = -0.5 * FRAC_2_SQRT_PI * (-argument * argument).exp();
    let change = if argument.abs() < 40.0 { slope * rest } else { 0.0 };
    0.5 * libm::erfc(argument) + change
}

/// The results of a kernel for one element: its inputs, then its expressions.
fn evaluate<T: Element>(kernel: &Kernel, inputs: &[f64]) -> Vec<Interval> {
    // Long, since it is a table: a row for each op.
    let mut values: Vec<Interval> = inputs.iter().map(|x| Interval::point(*x)).collect();
    for expr in &kernel.body {
        let arg = |position: usize| values[usize::from(expr.args[position])];
        // A comparison with NaN gives 0.
        let mask = |nan: bool, step: Interval| if nan { step.or(Interval::ZERO) } else { step };
        let value = match expr.op {
            KernelOp::Number(number) => Interval::rounded::<T>(number, number),
            KernelOp::LossScale => Interval::ONE,
            KernelOp::Copy => arg(0),
            KernelOp::Pointwise(op) => match op {
                Pointwise::Neg => {
                    Interval { low: -arg(0).high, high: -arg(0).low, nan: arg(0).nan }
                }
                Pointwise::Sigmoid => arg(0).rising::<T>(|x| 1.0 / (1.0 + (-x).exp())),
                Pointwise::Tanh => arg(0).rising::<T>(f64::tanh),
                Pointwise::Relu => arg(0).rising::<T>(|x| x.max(0.0)),
                Pointwise::Exp => arg(0).rising::<T>(f64::exp),
                Pointwise::Ln => arg(0).rising_from_zero::<T>(f64::ln),
                Pointwise::Sqrt => arg(0).rising_from_zero::<T>(f64::sqrt),
                Pointwise::Abs if arg(0).is_empty() => arg(0),
                Pointwise::Abs => {
                    let Interval { low, high, nan } = arg(0);
                    let least = if arg(0).contains(0.0) { 0.0 } else { low.abs().min(high.abs()) };
                    Interval { low: least, high: low.abs().max(high.abs()), nan }
                }
                Pointwise::Sign if arg(0).is_empty() => Interval::ZERO,
                Pointwise::Sign => {
                    let step = Interval { nan: false, ..arg(0) };
                    let step = step.rising::<T>(|x| if x == 0.0 { 0.0 } else { x.signum() });
                    mask(arg(0).nan, step)
                }
                Pointwise::Erf => arg(0).rising::<T>(libm::erf),
                Pointwise::Softplus => {
                    arg(0).rising::<T>(|x| x.max(0.0) + (-x.abs()).exp().ln_1p())
                }
                Pointwise::ExpM1 => arg(0).rising::<T>(f64::exp_m1),
                Pointwise::NormalCdf => arg(0).rising::<T>(normal_cdf),
                Pointwise::Bell if arg(0).is_empty() => arg(0),
                Pointwise::Bell => {
                    let Interval { low, high, nan } = arg(0);
                    let least = if arg(0).contains(0.0) { 0.0 } else { low.abs().min(high.abs()) };
                    let size = Interval { low: -low.abs().max(high.abs()), high: -least, nan };
                    size.rising::<T>(bell)
                }
                Pointwise::Round => arg(0).rising::<T>(f64::round_ties_even),
                Pointwise::Pow => arg(0).to_the::<T>(arg(1)),
                Pointwise::LogAdd => arg(0).corners::<T>(arg(1), |a, b| {
                    let less = if a == b { 0.0 } else { -(a - b).abs() };
                    a.max(b) + less.exp().ln_1p()
                }),
                Pointwise::Greater | Pointwise::GreaterEqual | Pointwise::Exceeds => {
                    let nan = arg(0).nan || arg(1).nan;
                    let (low, high) = match op {
                        Pointwise::GreaterEqual => {
                            (arg(0).low >= arg(1).high, arg(0).high < arg(1).low)
                        }
                        _ => (arg(0).low > arg(1).high, arg(0).high <= arg(1).low),
                    };
                    match (low, high) {
                        // With NaN it depends on which of the arguments is NaN.
                        _ if nan && op == Pointwise::Exceeds => Interval::ZERO.or(Interval::ONE),
                        (true, _) => mask(nan, Interval::ONE),
                        (_, true) => Interval::ZERO,
                        _ => Interval::ZERO.or(Interval::ONE),
                    }
                }
                Pointwise::Mask if !arg(0).contains(0.0) => arg(1),
                Pointwise::Mask if arg(0).is_point() => Interval::ZERO,
                Pointwise::Mask => arg(1).or(Interval::ZERO),
                Pointwise::Select if !arg(0).contains(0.0) => arg(1),
                Pointwise::Select if arg(0).is_point() => arg(2),
                Pointwise::Select => arg(1).or(arg(2)),
                Pointwise::Positive if arg(0).is_empty() => Interval::ZERO,
                Pointwise::Positive => {
                    let step = Interval { nan: false, ..arg(0) };
                    let step = step.rising::<T>(|x| if x > 0.0 { 1.0 } else { 0.0 });
                    mask(arg(0).nan, step)
                }
                Pointwise::Add => arg(0).corners::<T>(arg(1), |a, b| a + b),
                Pointwise::Sub => arg(0).corners::<T>(arg(1), |a, b| a - b),
                Pointwise::Mul => arg(0).times::<T>(arg(1)),
                Pointwise::Div => arg(0).over::<T>(arg(1)),
            },
        };
        values.push(value);
    }
    values
}

/// The number of elements of a shape, where all named dimensions have the size `width`.
fn elements(shape: &Shape, width: usize) -> usize {
    let size = |dim: &Dim| {
        let size = dim.substitute(|_| Dim::constant(width as i64));
        size.and_then(|size| size.as_constant()).map_or(1, |size| size.max(1) as usize)
    };
    shape.dims().map_or(width, |dims| dims.iter().map(size).product())
}

/// How many elements were compared with an interval, and for how many the interval was narrow.
#[derive(Default)]
pub struct Held {
    pub elements: usize,
    pub tight: usize,
}

impl Held {
    fn add(&mut self, exact: Interval) {
        self.elements += 1;
        let middle = (exact.low + exact.high) / 2.0;
        let width = if exact.is_point() { 0.0 } else { exact.high - exact.low };
        self.tight += usize::from(width < 1e-3 * (1.0 + middle.abs()));
    }
}

/// Numbers, among them zeros, and numbers for which functions saturate.
fn numbers<T: Element>(draws: &mut Draws) -> Vec<T> {
    let mut number = || {
        let number = (draws.below(4001) as f64 - 2000.0) / 700.0;
        T::from_f64(number * draws.choose(&[1.0, 1.0, 1.0, 1.0, 0.0, 1e-3, 40.0]))
    };
    (0..1009).map(|_| number()).collect()
}

/// Runs all kernels of a function, one after another, over random rows.
pub fn check<T: Element>(
    definition: &Definition,
    draws: &mut Draws,
    width: usize,
    held: &mut Held,
) {
    let routine = &definition.own.plan.routine;
    let name = &definition.own.plan.program.name;
    let compiled = compiled_kernels::<T>(definition);
    let vertices = draws.choose(&ROWS);
    let edges = if vertices == 0 { 0 } else { draws.choose(&ROWS) };
    let owners: Vec<u32> = (0..edges).map(|_| draws.below(vertices) as u32).collect();
    let pad = draws.choose(&[0, 0, 5]);
    let numbers: Vec<T> = numbers(draws);
    // Two memories with the same contents, for interpreted and for compiled kernels.
    let size = |shape: &Shape| elements(shape, width);
    let [mut one, mut other] = [0, 1].map(|_| {
        let mut drawn = numbers.iter().copied().cycle().skip(1);
        let mut number = || drawn.next().expect("there are numbers");
        KernelRunner::new(definition.own.plan, vertices, owners.clone(), pad, &size, &mut number)
    });
    let isa = draws.below(KernelRunner::<T>::isas());
    one.set_isa(isa);
    other.set_isa(isa);
    for (id, kernel) in routine.kernels.iter_enumerated() {
        let count = one.count(id);
        let rows: Vec<usize> = if count == 0 { vec![] } else { vec![0, count / 2, count - 1] };
        let columns = |row: usize| -> Vec<usize> {
            let longest = kernel.outputs.first().map_or(0, |out| one.row(id, out.0, row).len());
            if longest > 40 { vec![0, 1, 15, 16, 33, longest - 1] } else { (0..longest).collect() }
        };
        let expected: Vec<Vec<(usize, Vec<Interval>)>> = rows
            .iter()
            .map(|&row| {
                let of_column = |column: usize| {
                    let element = |span: &edb_ir::Span| {
                        let row = one.row(id, *span, row);
                        row[column.min(row.len() - 1)].as_f64()
                    };
                    let inputs: Vec<f64> = kernel.inputs.iter().map(element).collect();
                    (column, evaluate::<T>(kernel, &inputs))
                };
                columns(row).into_iter().map(of_column).collect()
            })
            .collect();
        // Sometimes one of the outputs is not asked for.
        let unwanted = draws.below(3 * kernel.outputs.len().max(1));
        let overwrites =
            |out: usize| (0..kernel.inputs.len()).any(|input| kernel.in_place(input) == Some(out));
        let unwanted = if overwrites(unwanted) { usize::MAX } else { unwanted };
        one.run(id, None, &|out| out != unwanted);
        other.run(id, compiled[id], &|out| out != unwanted);
        for (&row, expected) in rows.iter().zip(&expected) {
            for (column, values) in expected {
                for (out, (span, of)) in kernel.outputs.iter().enumerate() {
                    if out == unwanted {
                        continue;
                    }
                    let found = one.row(id, *span, row)[*column].as_f64();
                    let exact = values[kernel.inputs.len() + usize::from(*of)];
                    assert!(
                        exact.contains(found),
                        "{name}, kernel {id}, output {out}, row {row}: {found} is not in {exact:?}\n\
                         {kernel}"
                    );
                    held.add(exact);
                }
            }
        }
    }
    let differ = first_difference(one.memory(), other.memory());
    assert_eq!(
        differ, None,
        "{name}, {vertices} vertices, {edges} edges, width {width}, pad {pad}, instruction set {isa}: the \
         memories differ"
    );
}

/// The compiled kernels of a function, of which there are those that should be.
fn compiled_kernels<T: Element>(definition: &Definition) -> IdVec<KernelId, Option<KernelFn<T>>> {
    let plan = &definition.own.plan;
    let kernels = &plan.routine.kernels;
    let compiled: IdVec<KernelId, Option<KernelFn<T>>> =
        kernels.ids().map(|id| definition.own.kernels.get(id)).collect();
    for (kernel, compiled) in kernels.iter().zip(&compiled) {
        let expected = COMPILED && kernel.domain != Domain::Step;
        assert_eq!(compiled.is_some(), expected, "{}, {kernel}", plan.program.name);
    }
    compiled
}

/// The first place where two memories have other bits; all NaNs are alike.
fn first_difference<T: Element>(one: &[T], other: &[T]) -> Option<usize> {
    let bits = |x: T| if x.is_nan() { u64::MAX } else { x.as_f64().to_bits() };
    one.iter().zip(other).position(|(a, b)| bits(*a) != bits(*b))
}
