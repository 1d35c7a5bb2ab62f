//! Every op, form and loss of the language as a case: a function of `x`, `y` and a parameter.

use edb_core::element::Element;
use edb_core::graph::{Minibatch, VertexRecord};
use edb_core::learn::{Start, Values};
use edb_core::model::{Model, ModelBuilder, Setup};
use edb_ir::form::{FORMS, log_add_edges};
use edb_ir::{
    Argument, Arity, Builder, Contraction, Dim, Form, Movement, Op, Pointwise, Program, Shape,
    Slot, Surface, ValueId,
};
use ndarray::{ArrayD, ArrayView1};

use super::{LENGTH, ROW_LABELS, form, function, lose_squares, method, unary};

type Compute = Box<dyn Fn(&mut Builder, ValueId, ValueId) -> ValueId>;

/// A name in the references, a function, and the shape of its parameter.
pub struct Case {
    pub name: String,
    pub compute: Compute,
    pub param: Option<Vec<usize>>,
}

impl Case {
    pub fn new(
        name: &str,
        compute: impl Fn(&mut Builder, ValueId, ValueId) -> ValueId + 'static,
    ) -> Self {
        Self { name: name.into(), compute: Box::new(compute), param: None }
    }

    /// A case with a parameter `w` of this shape.
    pub fn with(
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

    /// The initial value of the parameter, from the first of these numbers.
    pub fn start(&self, numbers: &[f64]) -> Start {
        let shape = self.param.as_deref().unwrap_or(&[]);
        let values = numbers[..shape.iter().product()].to_vec();
        Values::array(ArrayD::from_shape_vec(shape, values).unwrap().view()).into()
    }
}

/// All cases.
pub fn cases() -> Vec<Case> {
    let ops = Op::plain().map(|op| of_op(&op));
    ops.chain(FORMS.iter().map(of_form)).chain(others()).collect()
}

/// The case of an op, applied to `x` and `y`.
fn of_op(op: &Op) -> Case {
    use edb_ir::Reduction::{LogSoftmax, Softmax};
    let name = op.row().name;
    match op {
        Op::Contraction(Contraction::Outer) => Case::new(name, |b, x, y| {
            let matrix = b.apply(Contraction::Outer, &[x, y]).unwrap();
            flat(b, matrix, LENGTH * LENGTH)
        }),
        Op::Movement(Movement::Transpose) => Case::with(name, &[3, LENGTH], |b, x, y, w| {
            let matrix = b.apply(Contraction::Outer, &[x, y]).unwrap();
            let product = b.dot(w, matrix).unwrap();
            let turned = unary(b, Op::Movement(Movement::Transpose), product);
            flat(b, turned, 3 * LENGTH)
        }),
        Op::Movement(Movement::ConcatRows) => Case::new(name, |b, x, y| {
            let rows = b.stack(&[x, y]).unwrap();
            let row = b.stack(&[x]).unwrap();
            let all = b.apply(Movement::ConcatRows, &[rows, row]).unwrap();
            flat(b, all, 3 * LENGTH)
        }),
        Op::Movement(Movement::AsDiagonal) => Case::new(name, |b, x, y| {
            let matrix = unary(b, Op::Movement(Movement::AsDiagonal), x);
            b.dot(matrix, y).unwrap()
        }),
        Op::Movement(Movement::Diagonal) => Case::new(name, |b, x, y| {
            let matrix = b.apply(Contraction::Outer, &[x, y]).unwrap();
            unary(b, Op::Movement(Movement::Diagonal), matrix)
        }),
        Op::RowReduction(op) => {
            let (op, gives_matrix) = (*op, matches!(op.of_row(), Softmax | LogSoftmax));
            Case::new(name, move |b, x, y| {
                let matrix = b.stack(&[x, y]).unwrap();
                let reduced = b.apply(op, &[matrix]).unwrap();
                if gives_matrix { flat(b, reduced, 2 * LENGTH) } else { reduced }
            })
        }
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

fn flat(b: &mut Builder, matrix: ValueId, length: usize) -> ValueId {
    b.reshape(matrix, Shape::vector(Dim::constant(length as i64)))
}

fn name_of(surface: Surface) -> &'static str {
    match surface {
        Surface::Method(name) | Surface::Function(name) => name,
        other => panic!("a form is a method or a function, not {other:?}"),
    }
}

/// The numbers with which a form is called.
pub fn numbers_of(name: &str) -> &'static [f64] {
    match name {
        "pow" => &[1.7],
        "leaky_relu" | "cross_entropy_smoothed" => &[0.1],
        "elu" => &[0.7],
        "clamp" => &[-0.5, 1.0],
        "hinge" => &[0.9],
        "huber" => &[1.3],
        _ => &[],
    }
}

/// The case of a form, applied to `x` and `y`.
fn of_form(row: &'static Form) -> Case {
    let surface = row.surface;
    let name = name_of(surface);
    let numbers = numbers_of(name);
    let of_parameter = |shape: &[usize]| {
        Case::with(name, shape, move |b, x, y, w| match name {
            "dot" => form(b, surface, &[w, x], &[]),
            "bilinear" => form(b, surface, &[w, x, y], &[]),
            "layer_norm" => form(b, surface, &[x, y, w], &[]),
            _ => {
                let row = form(b, surface, &[w], &[]);
                b.apply(Pointwise::Mul, &[row, x]).unwrap()
            }
        })
    };
    match name {
        "dot" | "row" | "bag_sum" | "bag_mean" => of_parameter(&[3, LENGTH]),
        "bilinear" => of_parameter(&[3, LENGTH * LENGTH]),
        "layer_norm" => of_parameter(&[LENGTH]),
        "row_pick" | "row_cross_entropy" => Case::new(name, move |b, x, y| {
            let matrix = b.stack(&[x, y, x]).unwrap();
            let labels = ROW_LABELS.map(|label| b.constant(label));
            let labels = b.stack(&labels).unwrap();
            form(b, surface, &[matrix, labels], &[])
        }),
        "row_mean" | "row_min" | "row_argmax" => Case::new(name, move |b, x, y| {
            let matrix = b.stack(&[x, y]).unwrap();
            form(b, surface, &[matrix], &[])
        }),
        "row_layer_norm" | "row_rms_norm" => Case::with(name, &[LENGTH], move |b, x, y, w| {
            let matrix = b.stack(&[x, y]).unwrap();
            let normed = form(b, surface, &[matrix, w, x][..row.arguments.len()], &[]);
            flat(b, normed, 2 * LENGTH)
        }),
        "log_dot" | "max_dot" | "argmax_dot" => {
            Case::with(name, &[LENGTH, 3], move |b, x, y, w| {
                let matrix = b.stack(&[x, y]).unwrap();
                let product = form(b, surface, &[matrix, w], &[]);
                flat(b, product, 2 * 3)
            })
        }
        "select" => Case::new(name, move |b, x, y| {
            let mask = b.apply(Pointwise::Greater, &[x, y]).unwrap();
            select_or_twice(b, mask, x, y)
        }),
        "bag_size" => Case::new(name, move |b, x, _| {
            let size = form(b, surface, &[], &[]);
            b.apply(Pointwise::Mul, &[size, x]).unwrap()
        }),
        _ => {
            let tensors = row.arguments.iter().filter(|a| **a == Argument::Tensor).count();
            Case::new(name, move |b, x, y| form(b, surface, &[x, y][..tensors], numbers))
        }
    }
}

/// `x` where the mask is not 0, else `2 y`.
fn select_or_twice(b: &mut Builder, mask: ValueId, x: ValueId, y: ValueId) -> ValueId {
    let two = b.constant(2.0);
    let twice = b.apply(Pointwise::Mul, &[y, two]).unwrap();
    method(b, "select", &[mask, x, twice], &[])
}

/// Cases that are neither a single op nor a single form, and variants of those.
fn others() -> Vec<Case> {
    let with = |name, method_name, numbers: &'static [f64]| {
        Case::new(name, move |b, x, _| method(b, method_name, &[x], numbers))
    };
    vec![
        with("pow_0", "pow", &[0.0]),
        with("pow_0.5", "pow", &[0.5]),
        with("pow_1", "pow", &[1.0]),
        with("pow_2", "pow", &[2.0]),
        with("pow_3", "pow", &[3.0]),
        with("pow_-1", "pow", &[-1.0]),
        with("pow_-1.5", "pow", &[-1.5]),
        with("clamp_crossed", "clamp", &[1.0, -1.0]),
        with("clamp_half_open", "clamp", &[0.0, f64::INFINITY]),
        Case::new("select_by_number", |b, x, y| select_or_twice(b, y, x, y)),
        Case::with("dot_matrices", &[3, LENGTH], |b, x, y, w| {
            let matrix = b.apply(Contraction::Outer, &[x, y]).unwrap();
            let product = b.dot(w, matrix).unwrap();
            flat(b, product, 3 * LENGTH)
        }),
        Case::new("dot_vectors", |b, x, y| b.dot(x, y).unwrap()),
        Case::new("log_dot_vectors", |b, x, y| method(b, "log_dot", &[x, y], &[])),
        Case::with("log_dot_column", &[3, LENGTH], |b, x, _, w| method(b, "log_dot", &[w, x], &[])),
        Case::with("log_dot_row", &[LENGTH, 3], |b, x, _, w| method(b, "log_dot", &[x, w], &[])),
        Case::with("max_dot_column", &[3, LENGTH], |b, x, _, w| method(b, "max_dot", &[w, x], &[])),
        Case::with("max_dot_row", &[LENGTH, 3], |b, x, _, w| method(b, "max_dot", &[x, w], &[])),
        Case::new("stack_transposed", |b, x, y| {
            let rows = b.stack(&[x, y, x]).unwrap();
            let turned = unary(b, Op::Movement(Movement::Transpose), rows);
            flat(b, turned, 3 * LENGTH)
        }),
        Case::new("split", |b, x, y| {
            let both = b.apply(Movement::Concat, &[x, y]).unwrap();
            let parts = b.split(both, 2).unwrap();
            b.apply(Pointwise::Sub, &parts).unwrap()
        }),
        Case::new("slice", |b, x, _| b.slice(x, Dim::constant(1), Dim::constant(2)).unwrap()),
        Case::new("slice_rows", |b, x, y| {
            let rows = b.stack(&[x, y, x]).unwrap();
            let some = b.slice_rows(rows, Dim::constant(1), Dim::constant(2)).unwrap();
            flat(b, some, 2 * LENGTH)
        }),
        Case::new("rows", |b, x, y| {
            let rows = b.repeat_rows(x, Dim::constant(3)).unwrap();
            b.dot(rows, y).unwrap()
        }),
        Case::new("columns", |b, x, y| {
            let columns = b.repeat_columns(x, Dim::name(0)).unwrap();
            b.dot(columns, y).unwrap()
        }),
        Case::new("computed_row", |b, x, y| {
            let rows = b.stack(&[x, x, y]).unwrap();
            method(b, "row", &[rows], &[])
        }),
        Case::new("eye", |b, x, y| {
            let (eye, ones) = (b.eye(Dim::name(0)), b.ones(Dim::name(0)));
            let [x, y] = [b.dot(eye, x).unwrap(), b.apply(Pointwise::Mul, &[ones, y]).unwrap()];
            b.apply(Pointwise::Add, &[x, y]).unwrap()
        }),
        Case::new("one_hot", |b, x, _| {
            let index = b.pull_index("index");
            let hot = b.one_hot(index, Dim::name(0)).unwrap();
            b.apply(Pointwise::Mul, &[hot, x]).unwrap()
        }),
        Case::with("cross_entropy_weighted", &[LENGTH], |b, x, _, w| {
            let loss = function(b, "cross_entropy", &[x], &[]);
            let weight = method(b, "pick", &[w], &[]);
            b.apply(Pointwise::Mul, &[loss, weight]).unwrap()
        }),
    ]
}

/// A reduction over the children of a vertex.
pub type OverChildren = fn(&mut Builder, ValueId) -> ValueId;

/// All of them, by their names in the references.
pub const OVER_CHILDREN: [(&str, OverChildren); 4] = [
    ("children.sum", |b, child| b.sum_edges(child)),
    ("children.max", |b, child| b.max_edges(child)),
    ("children.min", |b, child| b.min_edges(child)),
    ("children.log_add", |b, child| log_add_edges(b, child).unwrap()),
];

/// A model with a vertex that reduces over three children, and its minibatch: the children are the
/// parameters `x.h`, `y.h` and `x.h` again. With `loss`, the sum of the squares is a loss.
pub fn over_children<T: Element>(
    reduce: OverChildren,
    [x, y]: [&[f64]; 2],
    loss: bool,
) -> (Model<T>, Minibatch<T>) {
    let n = || Shape::vector(Dim::name(0));
    let leaf = || {
        let mut b = Builder::new("leaf", vec!["N".into()]);
        let h = b.param("h", n());
        let state = b.state("S");
        b.scatter(state, &[("h", h)]).unwrap();
        b.finish().unwrap()
    };
    let all = || -> Program {
        let mut b = Builder::new("all", vec!["N".into()]);
        let state = b.state("S");
        b.rest(state);
        let child = b.child(Slot::Rest, "h");
        let result = reduce(&mut b, child);
        // Adding a parameter gives the output a known width.
        let same = b.param("zeros", n());
        let result = b.apply(Pointwise::Add, &[result, same]).unwrap();
        b.push_output("Out", &[("result", result)]);
        if loss {
            lose_squares(&mut b, result);
        }
        b.finish().unwrap()
    };
    let mut builder = ModelBuilder::new();
    for (name, values) in [("x", x), ("y", y)] {
        let setup = Setup::new().dim("N", LENGTH).named(name);
        builder.add_program(
            leaf(),
            edb_compiler::compile,
            setup.init("h", Values::array(ArrayView1::from(values).into_dyn())),
        );
    }
    builder.add_program(all(), edb_compiler::compile, Setup::new().dim("N", LENGTH));
    let model: Model<T> = builder.build_as(1).unwrap();
    let vertex = |function: &str, children: &[usize]| VertexRecord {
        function: function.into(),
        children: children.iter().copied().map(Some).collect(),
        input: Default::default(),
    };
    let records = [vertex("x", &[]), vertex("y", &[]), vertex("all", &[0, 1, 0])];
    let graph = model.graph_from_records(&records).unwrap();
    let batch = model.minibatch([&graph]).unwrap();
    (model, batch)
}
