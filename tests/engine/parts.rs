//! Parts against the minibatch that they are parts of.

use edb_core::engine::training::{self, CutFor};
use edb_ir::{Builder, Contraction, Dim, Movement, Op, Pointwise, Program, Reduction, Shape, Slot};

use edb::graph::{InputRecord, VertexRecord};
use edb::learn::Gradients;
use edb::model::Setup;
use edb::prelude::*;

/// A function that pulls `x`, an index and a bag, reads at most one child, and pushes and
/// scatters `y`.
fn program() -> Program {
    let mut b = Builder::new("f", vec!["N".into()]);
    b.input("In");
    let n = || Dim::name(0);
    let w = b.param("w", Shape::matrix(n(), n()));
    let x = b.pull("x");
    let bag = b.pull_indices("bag");
    let rows = b.apply(Op::Movement(Movement::BagSum(bag)), &[w]).unwrap();
    let x = b.apply(Contraction::Dot, &[w, x]).unwrap();
    let x = b.apply(Pointwise::Add, &[x, rows]).unwrap();
    let state = b.state("S");
    let slot = Slot::Fixed(b.slot(state, true));
    let below = b.child(slot, "y");
    let sum = b.apply(Pointwise::Add, &[x, below]).unwrap();
    let y = b.apply(Pointwise::Tanh, &[sum]).unwrap();
    b.scatter(state, &[("y", y)]).unwrap();
    b.push_output("Out", &[("y", y)]);
    let index = b.pull_index("index");
    let loss = b.apply(Reduction::CrossEntropy, &[y, index]).unwrap();
    b.loss(loss).unwrap();
    b.finish().unwrap()
}

fn model(width: usize) -> Model<f64> {
    let mut builder = ModelBuilder::new();
    builder.add_program(program(), edb_compiler::compile, Setup::new().dim("N", width));
    builder.build_as(3).unwrap()
}

/// Chains of different lengths; the last vertex of each pulls what the first one pushes.
fn graphs(model: &Model<f64>, count: usize, width: usize) -> Vec<Graph<f64>> {
    let vertex = |graph: usize, number: usize, last: bool| {
        let element = |k: usize| ((graph * 7 + number * 3 + k) % 11) as f64 / 11.0 - 0.4;
        let x = match last {
            true => InputRecord::Output { vertex: 0, field: "y".into() },
            false => InputRecord::Tensor((0..width).map(element).collect()),
        };
        let index = InputRecord::Index(((graph + number) % width) as u32);
        let bag = (0..(graph + number) % 3).map(|k| ((graph + k) % width) as u32).collect();
        let bag = InputRecord::Indices(bag);
        VertexRecord {
            function: "f".into(),
            children: vec![number.checked_sub(1)],
            input: [("x", x), ("index", index), ("bag", bag)]
                .map(|(name, value)| (name.to_string(), value))
                .into(),
        }
    };
    (0..count)
        .map(|graph| {
            let length = 2 + graph % 4;
            let records: Vec<VertexRecord> =
                (0..length).map(|number| vertex(graph, number, number + 1 == length)).collect();
            model.graph_from_records(&records).unwrap()
        })
        .collect()
}

#[test]
fn a_part_is_the_minibatch_of_its_graphs() {
    let model = model(3);
    let graphs = graphs(&model, 9, 3);
    let whole = model.minibatch(&graphs).unwrap();
    let mut part = whole.hollow();
    for range in [0..4, 4..9, 2..3, 0..9] {
        part.refill(&whole, range.clone());
        let alone = model.minibatch(&graphs[range.clone()]).unwrap();
        // All fields.
        assert_eq!(format!("{part:?}"), format!("{alone:?}"), "{range:?}");
    }
}

/// A minibatch that is cut into parts trains as the whole, except for rounding, and with the
/// same bits on any number of threads: where parts save memory, and where a policy schedules.
#[test]
fn parts_train_as_the_whole() {
    train_in_parts(Policy::Auto);
    train_in_parts(Policy::Agenda);
}

fn train_in_parts(policy: Policy) {
    const WIDTH: usize = 16;
    let batch = |model: &Model<f64>| {
        let few = graphs(model, 30, WIDTH);
        model.minibatch(few.iter().cycle().take(24 * 1400)).unwrap()
    };
    let summed = |threads: usize| {
        let mut engine = Engine::with_threads(threads).unwrap().policy(policy.clone());
        let model = model(WIDTH);
        let batch = batch(&model);
        let prepared = training::prepare(&mut engine, &model, &batch, CutFor::Step).unwrap();
        assert!(prepared.parts().len() > 1, "large enough for parts");
        training::begin_step(&mut engine, model.parameters(), false).unwrap();
        training::run(&mut engine, &prepared, 0, &|_| 0).unwrap();
        let mut gradients = Gradients::new(model.parameters());
        let loss = training::take_sums(&mut engine, &mut gradients).unwrap();
        (loss, gradients)
    };
    let model = model(WIDTH);
    let (id, _) = model.parameters().iter().next().unwrap();
    let (loss, one) = summed(1);
    for threads in [2, 3] {
        let (same, gradients) = summed(threads);
        assert_eq!((loss, one.get(id)), (same, gradients.get(id)));
    }
    let batch = batch(&model);
    let mut engine = Engine::new();
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    approx::assert_relative_eq!(run.loss().unwrap(), loss, max_relative = 1e-12);
    let whole = run.backward().unwrap().to_dense(id);
    for (found, expected) in one.to_dense(id).iter().zip(&whole) {
        approx::assert_relative_eq!(*found, *expected, max_relative = 1e-10);
    }
}
