//! Every op alone: its value against its equation, written out here, and its gradient against the
//! forward-mode derivative and against differences, in `f32` and `f64`.

use std::collections::BTreeMap;

use approx::assert_relative_eq;
use edb_core::element::Element;
use edb_core::engine::Engine;
use edb_core::graph::{InputRecord, VertexRecord};
use edb_core::learn::Initializer;
use edb_core::model::{Model, ModelBuilder, Setup};
use edb_core::testing::{Check, compiled_equals_eager, gradient_check};
use edb_ir::{Builder, Dim, Op, Program, Shape, ValueId};

const X: [f64; 4] = [0.3, -1.2, 0.8, 2.1];
const Y: [f64; 4] = [1.5, 0.4, -0.7, 0.9];
const LABEL: usize = 2;

type Build = fn(&mut Builder, ValueId, ValueId) -> ValueId;
type Expect = fn(&[f64], &[f64]) -> Vec<f64>;

/// A function that pulls `x`, `y` and an index, applies the op, and loses an asymmetric sum of it.
fn program(build: Build) -> Program {
    let mut b = Builder::new("f", vec!["N".into()]);
    b.input("In");
    let n = || Shape::vector(Dim::name(0));
    let [p, q] = ["p", "q"].map(|name| b.param(name, n()));
    let [x, y] = ["x", "y"].map(|name| b.pull(name));
    // The parameters are zero, so `x + p` is `x` with a gradient that differences can reach.
    let x = b.apply(Op::Add, &[x, p]).unwrap();
    let y = b.apply(Op::Add, &[y, q]).unwrap();
    let result = build(&mut b, x, y);
    b.push_output("Out", &[("result", result)]);
    let square = b.apply(Op::Mul, &[result, result]).unwrap();
    let loss = b.apply(Op::Sum, &[square]).unwrap();
    b.loss(loss).unwrap();
    b.finish().unwrap()
}

fn model<T: Element>(build: Build) -> Model<T> {
    let mut builder = ModelBuilder::new();
    let setup = Setup::new().dim("N", X.len());
    let program = program(build);
    let matrices: Vec<String> = program.params[2..].iter().map(|p| p.name.clone()).collect();
    let init = Initializer::Uniform { bound: 1.0 };
    let setup = matrices.iter().fold(setup, |setup, name| setup.init(name, init));
    builder.add_program(program, setup);
    builder.build(5).unwrap()
}

fn check(name: &str, build: Build, expect: Expect) {
    fn run<T: Element>(name: &str, build: Build, expect: Expect, tolerance: f64) {
        let model: Model<T> = model(build);
        let mut input = BTreeMap::from([
            ("x".to_string(), InputRecord::Tensor(X.to_vec())),
            ("y".to_string(), InputRecord::Tensor(Y.to_vec())),
            ("index".to_string(), InputRecord::Index(LABEL as u32)),
        ]);
        let fields = model.input_fields("f").unwrap();
        input.retain(|field, _| fields.contains(field));
        let vertex = VertexRecord { function: "f".into(), children: vec![], input };
        let graph = model.graph_from_records(&[vertex]).unwrap();
        let batch = model.minibatch([&graph]).unwrap();
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
    let fields = model.input_fields("f").unwrap();
    let value = |field: &String| match field.as_str() {
        "x" => InputRecord::Tensor(X.to_vec()),
        "y" => InputRecord::Tensor(Y.to_vec()),
        _ => InputRecord::Index(LABEL as u32),
    };
    let input = fields.iter().map(|field| (field.clone(), value(field))).collect();
    let vertex = VertexRecord { function: "f".into(), children: vec![], input };
    let graph = model.graph_from_records(&[vertex]).unwrap();
    let batch = model.minibatch([&graph]).unwrap();
    gradient_check(&mut model, &batch, usize::MAX, 1e-5, 1e-6)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
}

fn unary(b: &mut Builder, op: Op, x: ValueId) -> ValueId {
    b.apply(op, &[x]).unwrap()
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
    check("neg", |b, x, _| unary(b, Op::Neg, x), |x, _| each(x, |x| -x));
    check(
        "sigmoid",
        |b, x, _| unary(b, Op::Sigmoid, x),
        |x, _| each(x, |x| 1.0 / (1.0 + (-x).exp())),
    );
    check("tanh", |b, x, _| unary(b, Op::Tanh, x), |x, _| each(x, f64::tanh));
    check("relu", |b, x, _| unary(b, Op::Relu, x), |x, _| each(x, |x| x.max(0.0)));
    check("exp", |b, x, _| unary(b, Op::Exp, x), |x, _| each(x, f64::exp));
    check(
        "ln",
        |b, x, _| {
            let exp = unary(b, Op::Exp, x);
            let one = b.constant(1.0);
            let sum = b.apply(Op::Add, &[exp, one]).unwrap();
            unary(b, Op::Ln, sum)
        },
        |x, _| each(x, |x| (1.0 + x.exp()).ln()),
    );
}

#[test]
fn arithmetic_of_tensors() {
    check("add", |b, x, y| b.apply(Op::Add, &[x, y]).unwrap(), |x, y| pairs(x, y, |x, y| x + y));
    check("sub", |b, x, y| b.apply(Op::Sub, &[x, y]).unwrap(), |x, y| pairs(x, y, |x, y| x - y));
    check("mul", |b, x, y| b.apply(Op::Mul, &[x, y]).unwrap(), |x, y| pairs(x, y, |x, y| x * y));
    check("div", |b, x, y| b.apply(Op::Div, &[x, y]).unwrap(), |x, y| pairs(x, y, |x, y| x / y));
}

#[test]
fn arithmetic_with_scalars() {
    fn with_sum(b: &mut Builder, op: Op, x: ValueId, y: ValueId, reverse: bool) -> ValueId {
        let sum = unary(b, Op::Sum, y);
        let args = if reverse { [sum, x] } else { [x, sum] };
        b.apply(op, &args).unwrap()
    }
    let total: f64 = Y.iter().sum();
    assert_relative_eq!(total, 2.1, max_relative = 1e-12);
    check("x + s", |b, x, y| with_sum(b, Op::Add, x, y, false), |x, _| each(x, |x| x + 2.1));
    check("s - x", |b, x, y| with_sum(b, Op::Sub, x, y, true), |x, _| each(x, |x| 2.1 - x));
    check("x * s", |b, x, y| with_sum(b, Op::Mul, x, y, false), |x, _| each(x, |x| x * 2.1));
    check("s / x", |b, x, y| with_sum(b, Op::Div, x, y, true), |x, _| each(x, |x| 2.1 / x));
    check("x / s", |b, x, y| with_sum(b, Op::Div, x, y, false), |x, _| each(x, |x| x / 2.1));
}

#[test]
fn reductions() {
    check("sum", |b, x, _| unary(b, Op::Sum, x), |x, _| vec![x.iter().sum()]);
    check("max", |b, x, _| unary(b, Op::Max, x), |_, _| vec![2.1]);
    check(
        "softmax",
        |b, x, _| unary(b, Op::Softmax, x),
        |x, _| each(x, |v| (v - log_sum_exp(x)).exp()),
    );
    check(
        "log_softmax",
        |b, x, _| unary(b, Op::LogSoftmax, x),
        |x, _| each(x, |v| v - log_sum_exp(x)),
    );
    check(
        "cross_entropy",
        |b, x, _| {
            let index = b.pull_index("index");
            unary(b, Op::CrossEntropy(index), x)
        },
        |x, _| vec![log_sum_exp(x) - x[LABEL]],
    );
    check(
        "length",
        |b, x, _| {
            let length = b.length_of(x);
            let sum = unary(b, Op::Sum, x);
            b.apply(Op::Div, &[sum, length]).unwrap()
        },
        |x, _| vec![x.iter().sum::<f64>() / 4.0],
    );
}

#[test]
fn movement() {
    check("concat", |b, x, y| b.apply(Op::Concat, &[x, y, x]).unwrap(), |x, y| [x, y, x].concat());
    check(
        "slice",
        |b, x, _| b.slice(x, Dim::constant(1), Dim::constant(2)).unwrap(),
        |x, _| x[1..3].to_vec(),
    );
    check(
        "split",
        |b, x, y| {
            let both = b.apply(Op::Concat, &[x, y]).unwrap();
            let parts = b.split(both, 2).unwrap();
            b.apply(Op::Sub, &[parts[1], parts[0]]).unwrap()
        },
        |x, y| pairs(x, y, |x, y| y - x),
    );
    check(
        "pick and one_hot",
        |b, x, y| {
            let index = b.pull_index("index");
            let pick = unary(b, Op::Pick(index), x);
            b.apply(Op::Mul, &[y, pick]).unwrap()
        },
        |x, y| each(y, |y| y * x[LABEL]),
    );
    check(
        "zeros",
        |b, x, _| {
            let zeros = b.zeros(Dim::name(0));
            let length = b.length(Dim::name(0));
            let ones = b.apply(Op::Add, &[zeros, length]).unwrap();
            b.apply(Op::Mul, &[x, ones]).unwrap()
        },
        |x, _| each(x, |x| 4.0 * x),
    );
}

/// Products have parameters of their own, which are read back.
#[test]
fn products() {
    fn of_model(build: Build) -> Vec<f64> {
        let model: Model<f64> = model(build);
        let id = model.parameters().find("f.w").unwrap();
        model.parameters().get(id).values().to_vec()
    }
    fn dot(b: &mut Builder, x: ValueId, _: ValueId) -> ValueId {
        let w = b.param("w", Shape::matrix(Dim::constant(3), Dim::name(0)));
        b.apply(Op::Dot, &[w, x]).unwrap()
    }
    check("dot", dot, |x, _| {
        of_model(dot).chunks(4).map(|row| pairs(row, x, |w, x| w * x).iter().sum()).collect()
    });
    fn transposed(b: &mut Builder, x: ValueId, _: ValueId) -> ValueId {
        let w = b.param("w", Shape::matrix(Dim::name(0), Dim::constant(3)));
        b.apply(Op::DotTransposed, &[w, x]).unwrap()
    }
    check("dot_transposed", transposed, |x, _| {
        let w = of_model(transposed);
        (0..3).map(|at| (0..4).map(|row| w[row * 3 + at] * x[row]).sum()).collect()
    });
    // The matrix of an outer product is a value of the vertex.
    fn outer(b: &mut Builder, x: ValueId, y: ValueId) -> ValueId {
        let matrix = b.apply(Op::Outer, &[x, y]).unwrap();
        b.apply(Op::Dot, &[matrix, y]).unwrap()
    }
    check("outer", outer, |x, y| {
        let square: f64 = y.iter().map(|y| y * y).sum();
        each(x, |x| x * square)
    });
    fn row(b: &mut Builder, x: ValueId, _: ValueId) -> ValueId {
        let index = b.pull_index("index");
        let w = b.param("w", Shape::matrix(Dim::constant(3), Dim::name(0)));
        let row = b.apply(Op::Row(index), &[w]).unwrap();
        b.apply(Op::Mul, &[row, x]).unwrap()
    }
    check("row", row, |x, _| pairs(&of_model(row)[LABEL * 4..], x, |w, x| w * x));
}

#[test]
fn dropout_keeps_the_mean_and_is_off_in_inference() {
    fn dropout(b: &mut Builder, x: ValueId, _: ValueId) -> ValueId {
        b.apply(Op::Dropout { rate: 0.25, site: 0 }, &[x]).unwrap()
    }
    check("dropout", dropout, |x, _| x.to_vec());

    let model: Model<f64> = model(dropout);
    let tensor = |values: &[f64]| InputRecord::Tensor(values.to_vec());
    let input = BTreeMap::from([("x".to_string(), tensor(&X)), ("y".to_string(), tensor(&Y))]);
    let vertex = VertexRecord { function: "f".into(), children: vec![], input };
    let graph = model.graph_from_records(&[vertex]).unwrap();
    let batch = model.minibatch([&graph]).unwrap();
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
