//! Models with one vertex function, which computes a single op or form of two vectors.

pub mod cases;
pub mod eagerly;

use edb_core::element::Element;
use edb_core::graph::{InputRecord, Minibatch, VertexRecord};
use edb_core::learn::Start;
use edb_core::model::{Model, ModelBuilder, Setup};
use edb_ir::{
    Argument, Builder, Call, Dim, Form, Op, Pointwise, Program, Reduction, Shape, Surface, ValueId,
};

/// The value of the pulled bag.
pub const BAG: [u32; 3] = [2, 0, 2];

/// The labels of three rows, as numbers; the second has none.
pub const ROW_LABELS: [f64; 3] = [2.0, -1.0, 0.0];

/// The length of the vectors.
pub const LENGTH: usize = 4;

/// Builds the computation from the two vectors.
pub type Build = fn(&mut Builder, ValueId, ValueId) -> ValueId;

/// A function that pulls `x`, `y` and indices and pushes the result; with `loss`, the sum of the
/// squares is a loss.
pub fn program(build: &dyn Fn(&mut Builder, ValueId, ValueId) -> ValueId, loss: bool) -> Program {
    let mut b = Builder::new("f", vec!["N".into()]);
    b.input("In");
    let n = || Shape::vector(Dim::name(0));
    let [p, q] = ["p", "q"].map(|name| b.param(name, n()));
    let [x, y] = ["x", "y"].map(|name| b.pull(name));
    // The parameters are zero: `x + p` equals `x`, but has a gradient that finite differences can
    // check.
    let x = b.apply(Pointwise::Add, &[x, p]).unwrap();
    let y = b.apply(Pointwise::Add, &[y, q]).unwrap();
    let result = build(&mut b, x, y);
    b.push_output("Out", &[("result", result)]);
    if loss {
        lose_squares(&mut b, result);
    }
    b.finish().unwrap()
}

/// Adds the sum of the squares of a value as a loss.
pub fn lose_squares(b: &mut Builder, value: ValueId) {
    let square = b.apply(Pointwise::Mul, &[value, value]).unwrap();
    let loss = b.apply(Reduction::Sum, &[square]).unwrap();
    b.loss(loss).unwrap();
}

/// A model of the computation. `start` is the initial value of all parameters except `p` and `q`,
/// whose gradients are those of `x` and `y`.
pub fn model<T: Element>(
    build: &dyn Fn(&mut Builder, ValueId, ValueId) -> ValueId,
    start: impl Fn() -> Start,
) -> Model<T> {
    model_of(program(build, true), start)
}

/// The same without a loss, for gradients that the caller passes in.
pub fn model_without_loss<T: Element>(
    build: &dyn Fn(&mut Builder, ValueId, ValueId) -> ValueId,
    start: impl Fn() -> Start,
) -> Model<T> {
    model_of(program(build, false), start)
}

fn model_of<T: Element>(program: Program, start: impl Fn() -> Start) -> Model<T> {
    let mut builder = ModelBuilder::new();
    let setup = Setup::new().dim("N", LENGTH);
    let operands = program.params[2..].iter().map(|param| param.name.clone());
    let setup = operands.fold(setup, |setup, name| setup.init(name, start()));
    builder.add_program(program, edb_compiler::compile, setup);
    builder.build_as(5).unwrap()
}

/// A minibatch of one vertex with this input, restricted to the fields that it pulls.
pub fn minibatch<T: Element>(model: &Model<T>, x: &[f64], y: &[f64], label: usize) -> Minibatch<T> {
    let graph = model.graph_from_records(&[vertex(model, "f", [x, y], label)]).unwrap();
    model.minibatch([&graph]).unwrap()
}

/// A vertex of a function with this input, restricted to the fields that it pulls.
pub fn vertex<T: Element>(
    model: &Model<T>,
    function: &str,
    [x, y]: [&[f64]; 2],
    label: usize,
) -> VertexRecord {
    let value = |field: &str| match field {
        "x" => InputRecord::Tensor(x.to_vec()),
        "y" => InputRecord::Tensor(y.to_vec()),
        "bag" => InputRecord::Indices(BAG.to_vec()),
        _ => InputRecord::Index(label as u32),
    };
    let fields = model.input_fields(function).unwrap();
    let input = fields.iter().map(|field| (field.clone(), value(field))).collect();
    VertexRecord { function: function.into(), children: vec![], input }
}

/// An op of one argument.
pub fn unary(b: &mut Builder, op: Op, x: ValueId) -> ValueId {
    b.apply(op, &[x]).unwrap()
}

/// Applies a form.
pub fn form(b: &mut Builder, surface: Surface, tensors: &[ValueId], numbers: &[f64]) -> ValueId {
    let form = Form::find(surface).unwrap();
    let mut call = Call { tensors: tensors.to_vec(), numbers: numbers.to_vec(), ..Call::default() };
    match form.arguments {
        arguments if arguments.contains(&Argument::Index) => {
            call.indices.push(b.pull_index("index"));
        }
        arguments if arguments.contains(&Argument::Indices) => call.bag = b.pull_indices("bag"),
        _ => {}
    }
    (form.build)(b, &call).unwrap()
}

/// Applies a method: an op or a form.
pub fn method(
    b: &mut Builder,
    name: &'static str,
    tensors: &[ValueId],
    numbers: &[f64],
) -> ValueId {
    match Op::from_method(name) {
        Some(op) => b.apply(op.clone(), tensors).unwrap(),
        None => form(b, Surface::Method(name), tensors, numbers),
    }
}

/// Applies a form with function syntax.
pub fn function(
    b: &mut Builder,
    name: &'static str,
    tensors: &[ValueId],
    numbers: &[f64],
) -> ValueId {
    form(b, Surface::Function(name), tensors, numbers)
}
