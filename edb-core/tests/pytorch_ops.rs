//! Every op, form and loss of the language, its value and its gradients, held against PyTorch:
//! `tests/pytorch/README.md`.

pub mod one_op;
pub mod reference;

use std::collections::BTreeSet;

use edb_core::element::Element;
use edb_core::engine::Engine;
use edb_core::graph::VertexRecord;
use edb_core::learn::Values;
use edb_core::model::{Model, ModelBuilder, Setup};
use edb_ir::form::FORMS;
use edb_ir::{Argument, Arity, Builder, Dim, Form, Op, Shape, Slot, Surface, ValueId};
use ndarray::{ArrayD, ArrayView1};
use one_op::{LENGTH, form, function, method, unary};
use reference::Reference;

const LABEL: usize = 2;

type Compute = Box<dyn Fn(&mut Builder, ValueId, ValueId) -> ValueId>;

/// How a case is called in the reference, what it computes, and the shape of its parameter.
struct Case {
    name: String,
    compute: Compute,
    param: Option<Vec<usize>>,
}

impl Case {
    fn new(
        name: &str,
        compute: impl Fn(&mut Builder, ValueId, ValueId) -> ValueId + 'static,
    ) -> Self {
        Self { name: name.into(), compute: Box::new(compute), param: None }
    }

    /// With the parameter `w` of this shape.
    fn with(
        name: &str,
        shape: &[usize],
        compute: impl Fn(&mut Builder, ValueId, ValueId, ValueId) -> ValueId + 'static,
    ) -> Self {
        let dim = |size: &usize| match *size {
            LENGTH => Dim::name(0),
            size => Dim::constant(size as i64),
        };
        let shape_of = Shape::Known(shape.iter().map(dim).collect());
        let compute = move |b: &mut Builder, x, y| {
            let w = b.param("w", shape_of.clone());
            compute(b, x, y, w)
        };
        Self { param: Some(shape.to_vec()), ..Self::new(name, compute) }
    }
}

/// An op of the language, of `x` and `y`.
fn of_op(op: &Op) -> Case {
    let name = op.row().name;
    match op {
        Op::Sqrt => Case::new(name, |b, x, _| {
            let exp = unary(b, Op::Exp, x);
            unary(b, Op::Sqrt, exp)
        }),
        Op::Ln => Case::new(name, |b, x, _| {
            let exp = unary(b, Op::Exp, x);
            let one = b.constant(1.0);
            let sum = b.apply(Op::Add, &[exp, one]).unwrap();
            unary(b, Op::Ln, sum)
        }),
        Op::Greater => Case::new(name, |b, x, y| {
            compared(b, x, y, |b, signs| b.apply(Op::Greater, &signs).unwrap())
        }),
        Op::Outer => Case::new(name, |b, x, y| {
            let matrix = b.apply(Op::Outer, &[x, y]).unwrap();
            flat(b, matrix, LENGTH * LENGTH)
        }),
        Op::Transpose => Case::with(name, &[3, LENGTH], |b, x, y, w| {
            let matrix = b.apply(Op::Outer, &[x, y]).unwrap();
            let product = b.dot(w, matrix).unwrap();
            let turned = unary(b, Op::Transpose, product);
            flat(b, turned, 3 * LENGTH)
        }),
        op => {
            let op = op.clone();
            let count = match op.row().arity {
                Arity::Exact(count) => count,
                Arity::Some => 2,
            };
            Case::new(name, move |b, x, y| b.apply(op.clone(), &[x, y][..count]).unwrap())
        }
    }
}

/// What holds of the signs of `x` and `y`, some of which are equal, as a mask on `x`.
fn compared(
    b: &mut Builder,
    x: ValueId,
    y: ValueId,
    compare: impl Fn(&mut Builder, [ValueId; 2]) -> ValueId,
) -> ValueId {
    let signs = [unary(b, Op::Sign, x), unary(b, Op::Sign, y)];
    let mask = compare(b, signs);
    b.apply(Op::Mul, &[mask, x]).unwrap()
}

fn flat(b: &mut Builder, matrix: ValueId, length: usize) -> ValueId {
    b.reshape(matrix, Shape::vector(Dim::constant(length as i64)))
}

fn name_of(surface: Surface) -> &'static str {
    match surface {
        Surface::Method(name) | Surface::Function(name) => name,
        other => panic!("a form is a method or a function, not {other:?}"),
    }
}

/// A form, of `x` and `y`.
fn of_form(row: &'static Form) -> Case {
    let surface = row.surface;
    let name = name_of(surface);
    let of_parameter = |shape: &[usize]| {
        Case::with(name, shape, move |b, x, y, w| match name {
            "dot" => form(b, surface, &[w, x], &[]),
            "bilinear" => form(b, surface, &[w, x, y], &[]),
            "layer_norm" => form(b, surface, &[x, y, w], &[]),
            _ => {
                let row = form(b, surface, &[w], &[]);
                b.apply(Op::Mul, &[row, x]).unwrap()
            }
        })
    };
    let numbers: &[f64] = match name {
        "pow" => &[1.7],
        "leaky_relu" | "cross_entropy_smoothed" => &[0.1],
        "elu" => &[0.7],
        "clamp" => &[-0.5, 1.0],
        "hinge" => &[0.9],
        "huber" => &[1.3],
        _ => &[],
    };
    match name {
        "dot" | "row" | "bag_sum" | "bag_mean" => of_parameter(&[3, LENGTH]),
        "bilinear" => of_parameter(&[3, LENGTH * LENGTH]),
        "layer_norm" => of_parameter(&[LENGTH]),
        "less" | "greater_equal" | "less_equal" | "equal" => Case::new(name, move |b, x, y| {
            compared(b, x, y, |b, signs| form(b, surface, &signs, &[]))
        }),
        "pow" => Case::new(name, move |b, x, _| {
            let exp = unary(b, Op::Exp, x);
            form(b, surface, &[exp], numbers)
        }),
        "select" => Case::new(name, move |b, x, y| {
            let mask = b.apply(Op::Greater, &[x, y]).unwrap();
            let square = method(b, "square", &[x], &[]);
            form(b, surface, &[mask, square, y], &[])
        }),
        "bag_size" => Case::new(name, move |b, x, _| {
            let size = form(b, surface, &[], &[]);
            b.apply(Op::Mul, &[size, x]).unwrap()
        }),
        "nll" => Case::new(name, move |b, x, _| {
            let log = unary(b, Op::LogSoftmax, x);
            form(b, surface, &[log], &[])
        }),
        "bce_with_logits" => Case::new(name, move |b, x, y| {
            let targets = unary(b, Op::Sigmoid, y);
            form(b, surface, &[x, targets], &[])
        }),
        "kl_div" => Case::new(name, move |b, x, y| {
            let (log, p) = (unary(b, Op::LogSoftmax, x), unary(b, Op::Softmax, y));
            form(b, surface, &[log, p], &[])
        }),
        _ => {
            let tensors = row.arguments.iter().filter(|a| **a == Argument::Tensor).count();
            Case::new(name, move |b, x, y| form(b, surface, &[x, y][..tensors], numbers))
        }
    }
}

/// What is neither one op nor one form, and their other ways.
fn others() -> Vec<Case> {
    let pow = |name, power: f64| Case::new(name, move |b, x, _| method(b, "pow", &[x], &[power]));
    vec![
        pow("pow_1", 1.0),
        pow("pow_2", 2.0),
        pow("pow_3", 3.0),
        pow("pow_-1", -1.0),
        Case::new("pow_0.5", |b, x, _| {
            let exp = unary(b, Op::Exp, x);
            method(b, "pow", &[exp], &[0.5])
        }),
        Case::with("dot_matrices", &[3, LENGTH], |b, x, y, w| {
            let matrix = b.apply(Op::Outer, &[x, y]).unwrap();
            let product = b.dot(w, matrix).unwrap();
            flat(b, product, 3 * LENGTH)
        }),
        Case::new("dot_vectors", |b, x, y| b.dot(x, y).unwrap()),
        Case::new("stack_transposed", |b, x, y| {
            let rows = b.stack(&[x, y, x]).unwrap();
            let turned = unary(b, Op::Transpose, rows);
            flat(b, turned, 3 * LENGTH)
        }),
        Case::new("split", |b, x, y| {
            let both = b.apply(Op::Concat, &[x, y]).unwrap();
            let parts = b.split(both, 2).unwrap();
            b.apply(Op::Sub, &parts).unwrap()
        }),
        Case::new("slice", |b, x, _| b.slice(x, Dim::constant(1), Dim::constant(2)).unwrap()),
        Case::new("rows", |b, x, y| {
            let rows = b.rows(x, Dim::constant(3)).unwrap();
            b.dot(rows, y).unwrap()
        }),
        Case::new("one_hot", |b, x, _| {
            let index = b.pull_index("index");
            let hot = b.one_hot(index, Dim::name(0));
            b.apply(Op::Mul, &[hot, x]).unwrap()
        }),
        Case::with("cross_entropy_weighted", &[LENGTH], |b, x, _, w| {
            let loss = function(b, "cross_entropy", &[x], &[]);
            let weight = method(b, "pick", &[w], &[]);
            b.apply(Op::Mul, &[loss, weight]).unwrap()
        }),
    ]
}

fn cases() -> Vec<Case> {
    let ops = Op::PLAIN.iter().map(of_op);
    ops.chain(FORMS.iter().map(of_form)).chain(others()).collect()
}

/// The value and the gradients in `x`, `y` and the parameter of a case.
fn computed<T: Element>(case: &Case, w: &[f64], x: &[f64], y: &[f64]) -> Vec<Vec<f64>> {
    let start = || {
        let shape = case.param.as_deref().unwrap_or(&[]);
        let values = w[..shape.iter().product()].to_vec();
        Values::array(ArrayD::from_shape_vec(shape, values).unwrap().view()).into()
    };
    let model: Model<T> = one_op::model(&case.compute, start);
    let batch = one_op::minibatch(&model, x, y, LABEL);
    let mut engine = Engine::new();
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    let value = run.output_at(0, 0, "result").unwrap().iter().map(|x| x.as_f64()).collect();
    let gradients = run.backward().unwrap();
    let names = ["f.p", "f.q", "f.w"].into_iter().filter_map(|name| model.parameters().find(name));
    let dense = names.map(|id| gradients.to_dense(id).iter().map(|x| x.as_f64()).collect());
    [value].into_iter().chain(dense).collect()
}

/// Fails unless all agree: a value relative to its greatest number, a gradient also to that of the
/// gradient that reaches the value, whose rounding it has where it is a difference.
fn agree<T: Element>(tolerance: f64) {
    let reference = Reference::read("ops");
    let input = |name: &str| reference.get::<f64>(name).unwrap();
    let (xs, ys, w) = (input("in.x"), input("in.y"), input("in.w"));
    let samples = xs.len() / LENGTH;
    for case in cases() {
        let name = &case.name;
        let torch: Vec<f64> = reference.get(name).unwrap_or_else(|| {
            panic!("`{name}` has no reference: add it to tests/pytorch/ops.py, and run that")
        });
        let mut torch = torch.chunks(torch.len() / samples);
        for (x, y) in xs.chunks(LENGTH).zip(ys.chunks(LENGTH)) {
            let own = computed::<T>(&case, &w, x, y);
            let mut rest = torch.next().unwrap();
            assert_eq!(own.iter().map(Vec::len).sum::<usize>(), rest.len(), "{name}");
            // The gradient of the value, which all others are products and differences of.
            let mut given = 0.0;
            for (part, own) in ["value", "gradient of x", "of y", "of w"].iter().zip(own) {
                let (expected, behind) = rest.split_at(own.len());
                let greatest = expected.iter().fold(given, |greatest, x| x.abs().max(greatest));
                if *part == "value" {
                    given = 2.0 * greatest;
                }
                for (own, torch) in own.iter().zip(expected) {
                    let fits = (own - torch).abs() <= tolerance * greatest;
                    assert!(fits, "{name}, {part} at x = {x:?}: {own}, in PyTorch {torch}");
                }
                rest = behind;
            }
        }
    }
}

#[test]
fn values_and_gradients_agree_in_f64() {
    agree::<f64>(1e-10);
}

#[test]
fn values_and_gradients_agree_in_f32() {
    agree::<f32>(1e-5);
}

/// What the script computes, is tested; that everything there is has a reference, the other tests say.
#[test]
fn every_reference_has_a_case() {
    let cases: BTreeSet<String> = cases().into_iter().map(|case| case.name).collect();
    let own = |name: &String| !name.starts_with("in.") && !name.starts_with("children.");
    let names = Reference::read("ops").names().into_iter().filter(own);
    assert_eq!(cases, names.collect());
}

type OverChildren = fn(&mut Builder, ValueId) -> ValueId;

/// The value and the gradients in `x` and `y` of a reduction over three children: `x`, `y` and `x`.
fn over_children<T: Element>(reduce: OverChildren, x: &[f64], y: &[f64]) -> Vec<f64> {
    let n = || Shape::vector(Dim::name(0));
    let leaf = || {
        let mut b = Builder::new("leaf", vec!["N".into()]);
        let h = b.param("h", n());
        let state = b.state("S");
        b.scatter(state, &[("h", h)]).unwrap();
        b.finish().unwrap()
    };
    let mut b = Builder::new("all", vec!["N".into()]);
    let state = b.state("S");
    b.rest(state);
    let child = b.child(Slot::Rest, "h");
    let result = reduce(&mut b, child);
    let same = b.param("zeros", n());
    let result = b.apply(Op::Add, &[result, same]).unwrap();
    b.push_output("Out", &[("result", result)]);
    let square = b.apply(Op::Mul, &[result, result]).unwrap();
    let loss = b.apply(Op::Sum, &[square]).unwrap();
    b.loss(loss).unwrap();

    let mut builder = ModelBuilder::new();
    for (name, values) in [("x", x), ("y", y)] {
        let setup = Setup::new().dim("N", LENGTH).named(name);
        builder.add_program(
            leaf(),
            setup.init("h", Values::array(ArrayView1::from(values).into_dyn())),
        );
    }
    builder.add_program(b.finish().unwrap(), Setup::new().dim("N", LENGTH));
    let model: Model<T> = builder.build(1).unwrap();
    let vertex = |function: &str, children: &[usize]| VertexRecord {
        function: function.into(),
        children: children.iter().copied().map(Some).collect(),
        input: Default::default(),
    };
    let records = [vertex("x", &[]), vertex("y", &[]), vertex("all", &[0, 1, 0])];
    let graph = model.graph_from_records(&records).unwrap();
    let batch = model.minibatch([&graph]).unwrap();
    let mut engine = Engine::new();
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    let value: Vec<f64> =
        run.output_at(0, 2, "result").unwrap().iter().map(|x| x.as_f64()).collect();
    let gradients = run.backward().unwrap();
    let dense = ["x.h", "y.h"].map(|name| {
        let id = model.parameters().find(name).unwrap();
        gradients.to_dense(id).iter().map(|x| x.as_f64()).collect::<Vec<f64>>()
    });
    [value].into_iter().chain(dense).flatten().collect()
}

fn children_agree<T: Element>(tolerance: f64) {
    let reference = Reference::read("ops");
    let input = |name: &str| reference.get::<f64>(name).unwrap();
    let cases: [(&str, OverChildren); 3] = [
        ("children.sum", |b, child| b.sum_edges(child)),
        ("children.max", |b, child| b.max_edges(child)),
        ("children.min", |b, child| b.min_edges(child)),
    ];
    for (name, reduce) in cases {
        let torch = input(name);
        let samples = input("in.x").chunks(LENGTH).map(<[f64]>::to_vec).collect::<Vec<_>>();
        let ys = input("in.y");
        let expected = torch.chunks(torch.len() / samples.len());
        for ((x, y), expected) in samples.iter().zip(ys.chunks(LENGTH)).zip(expected) {
            let own = over_children::<T>(reduce, x, y);
            assert_eq!(own.len(), expected.len(), "{name}");
            for (own, torch) in own.iter().zip(expected) {
                let fits = (own - torch).abs() <= tolerance * torch.abs().max(1.0);
                assert!(fits, "{name} at x = {x:?}: {own}, in PyTorch {torch}");
            }
        }
    }
}

#[test]
fn reductions_over_children_agree_in_f64() {
    children_agree::<f64>(1e-12);
}

#[test]
fn reductions_over_children_agree_in_f32() {
    children_agree::<f32>(1e-5);
}

/// Where PyTorch shares the gradient of equal elements, or has none at a bound, one element has it all.
#[test]
fn ties_are_broken() {
    let x = [1.0, -1.0, 1.0, -1.0];
    let form = |name| of_form(Form::find(Surface::Method(name)).unwrap());
    // The loss is the sum of squares, so what has all of the gradient has twice the value.
    let ties = [
        (of_op(&Op::Max), [2.0, 0.0, 0.0, 0.0]),
        (form("min"), [0.0, -2.0, 0.0, 0.0]),
        (form("maximum"), x.map(|x| 2.0 * x)),
        (form("minimum"), x.map(|x| 2.0 * x)),
        (form("hard_tanh"), x.map(|x| 2.0 * x)),
    ];
    for (case, of_x) in ties {
        let parts = computed::<f64>(&case, &[], &x, &x);
        assert_eq!(parts[1..], [of_x, [0.0; LENGTH]], "{}", case.name);
    }
}
