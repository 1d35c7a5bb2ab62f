//! Every op by itself, in `f32` and `f64`: its value is compared with its equation, written out
//! here, its gradient with the forward-mode derivative and with finite differences, and its tangent
//! with its gradient.

mod losses;
mod products;

use approx::assert_relative_eq;
use edb_core::element::Element;
use edb_core::engine::Engine;
use edb_core::graph::Minibatch;
use edb_core::learn::{Gradient, Gradients, Initializer};
use edb_core::model::Model;
use edb_core::testing::{Check, compiled_equals_eager, gradient_check, hessian_check};
use edb_ir::{Builder, Contraction, Dim, Draw, Movement, Op, Pointwise, Reduction, Shape, ValueId};

use edb_backend_suite::one_op::{self, Build, function, method, unary};

const X: [f64; 4] = [0.3, -1.2, 0.8, 2.1];
const Y: [f64; 4] = [1.5, 0.4, -0.7, 0.9];
const LABEL: usize = 2;

type Expect = fn(&[f64], &[f64]) -> Vec<f64>;

fn model<T: Element>(build: Build) -> Model<T> {
    one_op::model(&build, || Initializer::Uniform { bound: 1.0 }.into())
}

fn check(name: &str, build: Build, expect: Expect) {
    fn run<T: Element>(name: &str, build: Build, expect: Expect, tolerance: f64) {
        let model: Model<T> = model(build);
        let batch = one_op::minibatch(&model, &X, &Y, LABEL);
        let mut engine = Engine::new();
        let run = engine.infer(&model, &batch).unwrap();
        let result = run.output_at(0, 0, "result").unwrap();
        let result: Vec<f64> = result.iter().map(|x| x.as_f64()).collect();
        let expected = expect(&X, &Y);
        assert_eq!(result.len(), expected.len(), "{name}");
        for (result, expected) in result.iter().zip(expected) {
            assert_relative_eq!(*result, expected, max_relative = tolerance, epsilon = tolerance);
        }
        compiled_equals_eager(&model, &batch, &Check::default())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    run::<f64>(name, build, expect, 1e-12);
    run::<f32>(name, build, expect, 1e-5);

    let mut model: Model<f64> = model(build);
    let batch = one_op::minibatch(&model, &X, &Y, LABEL);
    gradient_check(&mut model, &batch, usize::MAX, 1e-5, 1e-6)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    check_tangent(name, &mut model, &batch);
}

/// Compares the tangent with the gradient, and its gradient with differences.
fn check_tangent(name: &str, model: &mut Model<f64>, batch: &Minibatch<f64>) {
    let mut direction = Gradients::new(model.parameters());
    for (id, parameter) in model.parameters().iter() {
        let values = (0..parameter.len()).map(|element| (element as f64 + 0.5).sin()).collect();
        direction.add(id, Gradient::Dense(values)).unwrap();
    }
    let mut engine = Engine::new();
    let gradient = engine.forward(model, batch, 0).unwrap().backward().unwrap();
    let mut tangent = model.tangent_by(edb_compiler::tangent).unwrap();
    let along = engine.forward_along(&mut tangent, model, batch, 0, &direction).unwrap();
    let slope: f64 = along.slopes().unwrap().iter().sum();
    let expected = gradient.dot(&direction);
    assert!((slope - expected).abs() <= 1e-12 * (1.0 + expected.abs()), "{name}: {slope}");
    hessian_check(model, &mut tangent, batch, 1e-4, 1e-5)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
}

/// The values of the parameter `w` of a model.
fn parameter(build: Build) -> Vec<f64> {
    let model: Model<f64> = model(build);
    let id = model.parameters().find("f.w").unwrap();
    model.parameters().get(id).values().unwrap().to_vec()
}

fn each(x: &[f64], f: impl Fn(f64) -> f64) -> Vec<f64> {
    x.iter().map(|&x| f(x)).collect()
}

fn pairs(x: &[f64], y: &[f64], f: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    x.iter().zip(y).map(|(&x, &y)| f(x, y)).collect()
}

fn log_sum_exp(x: &[f64]) -> f64 {
    x.iter().map(|x| x.exp()).sum::<f64>().ln()
}

#[test]
fn activations() {
    check("neg", |b, x, _| unary(b, Op::Pointwise(Pointwise::Neg), x), |x, _| each(x, |x| -x));
    check(
        "sigmoid",
        |b, x, _| unary(b, Op::Pointwise(Pointwise::Sigmoid), x),
        |x, _| each(x, |x| 1.0 / (1.0 + (-x).exp())),
    );
    check("tanh", |b, x, _| unary(b, Op::Pointwise(Pointwise::Tanh), x), |x, _| each(x, f64::tanh));
    check(
        "relu",
        |b, x, _| unary(b, Op::Pointwise(Pointwise::Relu), x),
        |x, _| each(x, |x| x.max(0.0)),
    );
    check("exp", |b, x, _| unary(b, Op::Pointwise(Pointwise::Exp), x), |x, _| each(x, f64::exp));
    check(
        "ln",
        |b, x, _| {
            let exp = unary(b, Op::Pointwise(Pointwise::Exp), x);
            let one = b.constant(1.0);
            let sum = b.apply(Pointwise::Add, &[exp, one]).unwrap();
            unary(b, Op::Pointwise(Pointwise::Ln), sum)
        },
        |x, _| each(x, |x| (1.0 + x.exp()).ln()),
    );
}

#[test]
fn arithmetic_of_tensors() {
    check(
        "add",
        |b, x, y| b.apply(Pointwise::Add, &[x, y]).unwrap(),
        |x, y| pairs(x, y, |x, y| x + y),
    );
    check(
        "sub",
        |b, x, y| b.apply(Pointwise::Sub, &[x, y]).unwrap(),
        |x, y| pairs(x, y, |x, y| x - y),
    );
    check(
        "mul",
        |b, x, y| b.apply(Pointwise::Mul, &[x, y]).unwrap(),
        |x, y| pairs(x, y, |x, y| x * y),
    );
    check(
        "div",
        |b, x, y| b.apply(Pointwise::Div, &[x, y]).unwrap(),
        |x, y| pairs(x, y, |x, y| x / y),
    );
}

#[test]
fn arithmetic_with_scalars() {
    fn with_sum(b: &mut Builder, op: Op, x: ValueId, y: ValueId, reverse: bool) -> ValueId {
        let sum = unary(b, Op::Reduction(Reduction::Sum), y);
        let args = if reverse { [sum, x] } else { [x, sum] };
        b.apply(op, &args).unwrap()
    }
    let total: f64 = Y.iter().sum();
    assert_relative_eq!(total, 2.1, max_relative = 1e-12);
    check(
        "x + s",
        |b, x, y| with_sum(b, Op::Pointwise(Pointwise::Add), x, y, false),
        |x, _| each(x, |x| x + 2.1),
    );
    check(
        "s - x",
        |b, x, y| with_sum(b, Op::Pointwise(Pointwise::Sub), x, y, true),
        |x, _| each(x, |x| 2.1 - x),
    );
    check(
        "x * s",
        |b, x, y| with_sum(b, Op::Pointwise(Pointwise::Mul), x, y, false),
        |x, _| each(x, |x| x * 2.1),
    );
    check(
        "s / x",
        |b, x, y| with_sum(b, Op::Pointwise(Pointwise::Div), x, y, true),
        |x, _| each(x, |x| 2.1 / x),
    );
    check(
        "x / s",
        |b, x, y| with_sum(b, Op::Pointwise(Pointwise::Div), x, y, false),
        |x, _| each(x, |x| x / 2.1),
    );
}

/// `2/√π ∫₀ˣ e^-t² dt` by Simpson's rule.
fn erf(x: f64) -> f64 {
    let steps = 2000;
    let width = x / f64::from(steps);
    let weight = |at: i32| match at {
        0 => 1.0,
        at if at == steps => 1.0,
        at => 2.0 + 2.0 * f64::from(at % 2),
    };
    let term = |at: i32| weight(at) * (-(f64::from(at) * width).powi(2)).exp();
    std::f64::consts::FRAC_2_SQRT_PI * (0..=steps).map(term).sum::<f64>() * width / 3.0
}

#[test]
fn more_activations() {
    fn positive(b: &mut Builder, x: ValueId) -> ValueId {
        b.apply(Pointwise::Exp, &[x]).unwrap()
    }
    check(
        "sqrt",
        |b, x, _| {
            let x = positive(b, x);
            unary(b, Op::Pointwise(Pointwise::Sqrt), x)
        },
        |x, _| each(x, |x| (x / 2.0).exp()),
    );
    check("abs", |b, x, _| unary(b, Op::Pointwise(Pointwise::Abs), x), |x, _| each(x, f64::abs));
    check("erf", |b, x, _| unary(b, Op::Pointwise(Pointwise::Erf), x), |x, _| each(x, erf));
    check(
        "softplus",
        |b, x, _| unary(b, Op::Pointwise(Pointwise::Softplus), x),
        |x, _| each(x, |x| (1.0 + x.exp()).ln()),
    );
    check(
        "pow",
        |b, x, _| {
            let x = positive(b, x);
            method(b, "pow", &[x], &[1.7])
        },
        |x, _| each(x, |x| (1.7 * x).exp()),
    );
    check("square", |b, x, _| method(b, "square", &[x], &[]), |x, _| each(x, |x| x * x));
    check("pow 2", |b, x, _| method(b, "pow", &[x], &[2.0]), |x, _| each(x, |x| x * x));
    check("pow 3", |b, x, _| method(b, "pow", &[x], &[3.0]), |x, _| each(x, |x| x * x * x));
    check("pow -1", |b, x, _| method(b, "pow", &[x], &[-1.0]), |x, _| each(x, |x| 1.0 / x));
    check(
        "leaky_relu",
        |b, x, _| method(b, "leaky_relu", &[x], &[0.1]),
        |x, _| each(x, |x| if x > 0.0 { x } else { 0.1 * x }),
    );
    check(
        "elu",
        |b, x, _| method(b, "elu", &[x], &[0.7]),
        |x, _| each(x, |x| if x > 0.0 { x } else { 0.7 * (x.exp() - 1.0) }),
    );
    check(
        "silu",
        |b, x, _| method(b, "silu", &[x], &[]),
        |x, _| each(x, |x| x / (1.0 + (-x).exp())),
    );
    check(
        "gelu",
        |b, x, _| method(b, "gelu", &[x], &[]),
        |x, _| each(x, |x| x / 2.0 * (1.0 + erf(x / 2.0f64.sqrt()))),
    );
    check(
        "gelu_tanh",
        |b, x, _| method(b, "gelu_tanh", &[x], &[]),
        |x, _| {
            let scale = (2.0 / std::f64::consts::PI).sqrt();
            each(x, |x| x / 2.0 * (1.0 + (scale * (x + 0.044715 * x.powi(3))).tanh()))
        },
    );
    check(
        "hard_sigmoid",
        |b, x, _| {
            let x = method(b, "pow", &[x], &[3.0]);
            method(b, "hard_sigmoid", &[x], &[])
        },
        |x, _| each(x, |x| (x.powi(3) / 6.0 + 0.5).clamp(0.0, 1.0)),
    );
    check(
        "hard_tanh",
        |b, x, _| method(b, "hard_tanh", &[x], &[]),
        |x, _| each(x, |x| x.clamp(-1.0, 1.0)),
    );
    check(
        "clamp",
        |b, x, _| method(b, "clamp", &[x], &[-0.5, 1.0]),
        |x, _| each(x, |x| x.clamp(-0.5, 1.0)),
    );
}

/// Rounding passes its gradient straight through, as if it were the identity, so finite differences
/// cannot check it.
#[test]
fn round_passes_gradients_straight_through() {
    fn round(b: &mut Builder, x: ValueId, _: ValueId) -> ValueId {
        unary(b, Op::Pointwise(Pointwise::Round), x)
    }
    let model: Model<f64> = model(round);
    let batch = one_op::minibatch(&model, &[0.3, -1.2, 0.5, 2.5], &Y, LABEL);
    compiled_equals_eager(&model, &batch, &Check::default()).unwrap();
    let mut engine = Engine::new();
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    let rounded = [0.0, -1.0, 0.0, 2.0];
    assert_eq!(run.output_at(0, 0, "result").unwrap().as_slice().unwrap(), rounded);
    let gradients = run.backward().unwrap();
    let p = model.parameters().find("f.p").unwrap();
    // The loss is the sum of the squared outputs.
    assert_eq!(gradients.to_dense(p).as_slice().unwrap(), rounded.map(|y| 2.0 * y));
}

#[test]
fn comparisons_and_choices() {
    check(
        "greater",
        |b, x, y| {
            let mask = b.apply(Pointwise::Greater, &[x, y]).unwrap();
            b.apply(Pointwise::Mul, &[mask, x]).unwrap()
        },
        |x, y| pairs(x, y, |x, y| if x > y { x } else { 0.0 }),
    );
    fn by(b: &mut Builder, name: &'static str, x: ValueId, y: ValueId) -> ValueId {
        // Compares signs, so that some elements are equal.
        let sign = unary(b, Op::Pointwise(Pointwise::Sign), y);
        let of_x = unary(b, Op::Pointwise(Pointwise::Sign), x);
        let mask = method(b, name, &[of_x, sign], &[]);
        b.apply(Pointwise::Mul, &[mask, x]).unwrap()
    }
    fn expected(x: &[f64], y: &[f64], holds: fn(f64, f64) -> bool) -> Vec<f64> {
        pairs(x, y, |x, y| if holds(x.signum(), y.signum()) { x } else { 0.0 })
    }
    check("less", |b, x, y| by(b, "less", x, y), |x, y| expected(x, y, |x, y| x < y));
    check("ge", |b, x, y| by(b, "greater_equal", x, y), |x, y| expected(x, y, |x, y| x >= y));
    check("le", |b, x, y| by(b, "less_equal", x, y), |x, y| expected(x, y, |x, y| x <= y));
    check("equal", |b, x, y| by(b, "equal", x, y), |x, y| expected(x, y, |x, y| x == y));
    check("maximum", |b, x, y| method(b, "maximum", &[x, y], &[]), |x, y| pairs(x, y, f64::max));
    check("minimum", |b, x, y| method(b, "minimum", &[x, y], &[]), |x, y| pairs(x, y, f64::min));
    check(
        "select",
        |b, x, y| {
            let mask = b.apply(Pointwise::Greater, &[x, y]).unwrap();
            let difference = b.apply(Pointwise::Sub, &[x, y]).unwrap();
            let square = method(b, "square", &[difference], &[]);
            method(b, "select", &[mask, square, y], &[])
        },
        |x, y| pairs(x, y, |x, y| if x > y { (x - y).powi(2) } else { y }),
    );
    check(
        "mask",
        |b, x, y| {
            let mask = b.apply(Pointwise::Greater, &[x, y]).unwrap();
            b.apply(Pointwise::Mask, &[mask, x]).unwrap()
        },
        |x, y| pairs(x, y, |x, y| if x > y { x } else { 0.0 }),
    );
    check(
        "select by elements",
        |b, x, y| {
            let mask = b.apply(Pointwise::Greater, &[x, y]).unwrap();
            let sum = b.apply(Pointwise::Add, &[x, y]).unwrap();
            b.apply(Pointwise::Select, &[mask, sum, y]).unwrap()
        },
        |x, y| pairs(x, y, |x, y| if x > y { x + y } else { y }),
    );
    check(
        "select by a scalar",
        |b, x, y| {
            let [a, c] = [x, y].map(|x| unary(b, Op::Reduction(Reduction::Sum), x));
            let mask = b.apply(Pointwise::Greater, &[c, a]).unwrap();
            let product = b.apply(Pointwise::Mul, &[x, y]).unwrap();
            b.apply(Pointwise::Select, &[mask, product, y]).unwrap()
        },
        |x, y| match y.iter().sum::<f64>() > x.iter().sum::<f64>() {
            true => pairs(x, y, |x, y| x * y),
            false => y.to_vec(),
        },
    );
}

#[test]
fn more_reductions() {
    check("mean", |b, x, _| method(b, "mean", &[x], &[]), |x, _| vec![x.iter().sum::<f64>() / 4.0]);
    check("min", |b, x, _| method(b, "min", &[x], &[]), |_, _| vec![-1.2]);
    check(
        "log_sum_exp",
        |b, x, _| unary(b, Op::Reduction(Reduction::LogSumExp), x),
        |x, _| vec![log_sum_exp(x)],
    );
    check("norm", |b, x, _| unary(b, Op::Reduction(Reduction::Norm), x), |x, _| vec![norm(x)]);
    check(
        "cumulative_sum",
        |b, x, _| unary(b, Op::Reduction(Reduction::CumulativeSum), x),
        |x, _| (0..4).map(|at| x[..=at].iter().sum()).collect(),
    );
    check(
        "layer_norm",
        |b, x, y| method(b, "layer_norm", &[x, y, x], &[]),
        |x, y| {
            let mean = x.iter().sum::<f64>() / 4.0;
            let spread = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 4.0;
            pairs(x, y, |x, y| (x - mean) / (spread + 1e-5).sqrt() * y + x)
        },
    );
    check(
        "rms_norm",
        |b, x, y| method(b, "rms_norm", &[x, y], &[]),
        |x, y| {
            let root = (norm(x).powi(2) / 4.0 + 1e-5).sqrt();
            pairs(x, y, |x, y| x / root * y)
        },
    );
}

/// At the zero vector the norm has gradient 0, not NaN.
#[test]
fn the_norm_of_zeros_has_gradient_zero() {
    fn zeros(b: &mut Builder, x: ValueId, _: ValueId) -> ValueId {
        let none = b.apply(Pointwise::Sub, &[x, x]).unwrap();
        unary(b, Op::Reduction(Reduction::Norm), none)
    }
    check("norm of zeros", zeros, |_, _| vec![0.0]);
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[test]
fn reductions() {
    check("sum", |b, x, _| unary(b, Op::Reduction(Reduction::Sum), x), |x, _| vec![x.iter().sum()]);
    check("max", |b, x, _| unary(b, Op::Reduction(Reduction::Max), x), |_, _| vec![2.1]);
    check(
        "softmax",
        |b, x, _| unary(b, Op::Reduction(Reduction::Softmax), x),
        |x, _| each(x, |v| (v - log_sum_exp(x)).exp()),
    );
    check(
        "log_softmax",
        |b, x, _| unary(b, Op::Reduction(Reduction::LogSoftmax), x),
        |x, _| each(x, |v| v - log_sum_exp(x)),
    );
    check(
        "cross_entropy",
        |b, x, _| {
            let index = b.pull_index("index");
            b.apply(Reduction::CrossEntropy, &[x, index]).unwrap()
        },
        |x, _| vec![log_sum_exp(x) - x[LABEL]],
    );
    check(
        "cross_entropy_gradient",
        |b, x, y| {
            let index = b.pull_index("index");
            let factor = b.apply(Reduction::Sum, &[y]).unwrap();
            b.apply(Reduction::CrossEntropyGradient, &[x, index, factor]).unwrap()
        },
        |x, y| {
            let factor: f64 = y.iter().sum();
            let mut less = each(x, |v| (v - log_sum_exp(x)).exp());
            less[LABEL] -= 1.0;
            each(&less, |less| less * factor)
        },
    );
    check(
        "length",
        |b, x, _| {
            let length = b.length_of(x);
            let sum = unary(b, Op::Reduction(Reduction::Sum), x);
            b.apply(Pointwise::Div, &[sum, length]).unwrap()
        },
        |x, _| vec![x.iter().sum::<f64>() / 4.0],
    );
}

#[test]
fn movement() {
    check(
        "concat",
        |b, x, y| b.apply(Movement::Concat, &[x, y, x]).unwrap(),
        |x, y| [x, y, x].concat(),
    );
    check(
        "slice",
        |b, x, _| b.slice(x, Dim::constant(1), Dim::constant(2)).unwrap(),
        |x, _| x[1..3].to_vec(),
    );
    check(
        "split",
        |b, x, y| {
            let both = b.apply(Movement::Concat, &[x, y]).unwrap();
            let parts = b.split(both, 2).unwrap();
            b.apply(Pointwise::Sub, &[parts[1], parts[0]]).unwrap()
        },
        |x, y| pairs(x, y, |x, y| y - x),
    );
    check(
        "pick and one_hot",
        |b, x, y| {
            let index = b.pull_index("index");
            let pick = b.apply(Movement::Pick, &[x, index]).unwrap();
            b.apply(Pointwise::Mul, &[y, pick]).unwrap()
        },
        |x, y| each(y, |y| y * x[LABEL]),
    );
    check(
        "one_hot",
        |b, x, _| {
            let index = b.pull_index("index");
            let hot = b.one_hot(index, Dim::name(0)).unwrap();
            b.apply(Pointwise::Mul, &[hot, x]).unwrap()
        },
        |x, _| vec![0.0, 0.0, x[LABEL], 0.0],
    );
    check(
        "zeros",
        |b, x, _| {
            let zeros = b.zeros(Dim::name(0));
            let length = b.length(Dim::name(0));
            let ones = b.apply(Pointwise::Add, &[zeros, length]).unwrap();
            b.apply(Pointwise::Mul, &[x, ones]).unwrap()
        },
        |x, _| each(x, |x| 4.0 * x),
    );
}

#[test]
fn dropout_keeps_the_mean_and_is_off_in_inference() {
    fn dropout(b: &mut Builder, x: ValueId, _: ValueId) -> ValueId {
        b.apply(Op::Draw(Draw::Dropout { rate: 0.25, site: 0, shared: false }), &[x]).unwrap()
    }
    check("dropout", dropout, |x, _| x.to_vec());

    let model: Model<f64> = model(dropout);
    let batch = one_op::minibatch(&model, &X, &Y, LABEL);
    let mut engine = Engine::new();
    let steps = 4000;
    let (mut sum, mut zeros) = ([0.0; X.len()], 0);
    for step in 0..steps {
        let run = engine.forward(&model, &batch, step).unwrap();
        for (sum, x) in sum.iter_mut().zip(&run.output_at(0, 0, "result").unwrap()) {
            *sum += x;
            zeros += usize::from(*x == 0.0);
        }
    }
    let share = zeros as f64 / (steps as usize * X.len()) as f64;
    assert_relative_eq!(share, 0.25, max_relative = 0.05);
    for (sum, x) in sum.iter().zip(X) {
        assert_relative_eq!(sum / steps as f64, x, max_relative = 0.05);
    }
}
