//! The checks that users call, on numbers that are small, infinite or of another model.

use edb::Element;
use edb::engine::EngineError;
use edb::graph::{InputRecord, VertexRecord};
use edb::model::Setup;
use edb::prelude::*;
use edb::testing::{Check, Mismatch, compiled_equals_eager, eager, gradient_check};
use edb_ir::{Builder, Contraction, Dim, Pointwise, Program, Reduction, Shape, Slot};

/// `h = w · x + what a child says`, scattered and pushed.
fn program() -> Program {
    let mut b = Builder::new("f", vec!["N".into()]);
    b.input("In");
    let n = || Dim::name(0);
    let w = b.param("w", Shape::matrix(n(), n()));
    let x = b.pull("x");
    let product = b.apply(Contraction::Dot, &[w, x]).unwrap();
    let state = b.state("S");
    let slot = Slot::Fixed(b.slot(state, true));
    let below = b.child(slot, "h");
    let h = b.apply(Pointwise::Add, &[product, below]).unwrap();
    b.scatter(state, &[("h", h)]).unwrap();
    b.push_output("Out", &[("h", h)]);
    let loss = b.apply(Reduction::Sum, &[h]).unwrap();
    b.loss(loss).unwrap();
    b.finish().unwrap()
}

/// A chain of two vertices that read `x`.
fn chain<T: Element>(x: [f64; 3]) -> (Model<T>, Minibatch<T>) {
    let mut builder = ModelBuilder::new();
    builder.add_program(program(), edb_compiler::compile, Setup::new().dim("N", 3));
    let model: Model<T> = builder.build_as(1).unwrap();
    let vertex = |child: Option<usize>| VertexRecord {
        function: "f".into(),
        children: vec![child],
        input: [("x".to_string(), InputRecord::Tensor(x.to_vec()))].into(),
    };
    let graph = model.graph_from_records(&[vertex(None), vertex(Some(0))]).unwrap();
    let batch = model.minibatch([&graph]).unwrap();
    (model, batch)
}

const SMALL: [f64; 3] = [3e-5, -2e-5, 1e-5];

#[test]
fn derivatives_and_gradients_of_small_numbers_are_compared() {
    let (mut model, batch) = chain::<f64>(SMALL);
    let id = model.parameters().find("f.w").unwrap();
    let values = model.parameters_mut().get_mut(id).values_mut().unwrap();
    values.iter_mut().for_each(|value| *value *= 1e-5);
    compiled_equals_eager(&model, &batch, &Check::default()).unwrap();
    gradient_check(&mut model, &batch, usize::MAX, 1e-5, 1e-6).unwrap();
}

/// What overflows does so eagerly, too: parameters that are infinite, or no number.
#[test]
fn equal_infinities_are_equal() {
    for value in [f64::INFINITY, f64::NAN] {
        let (mut model, batch) = chain::<f64>([0.5, 0.25, 1.0]);
        let id = model.parameters().find("f.w").unwrap();
        model.parameters_mut().get_mut(id).values_mut().unwrap()[4] = value;
        let values_alone = Check { directions: 0, ..Check::default() };
        compiled_equals_eager(&model, &batch, &values_alone).unwrap();
        let loss = Engine::new().infer(&model, &batch).unwrap().loss().unwrap();
        assert!(!loss.is_finite());
    }
}

#[test]
fn minibatches_of_other_models_are_refused() {
    let (mut model, _) = chain::<f64>(SMALL);
    let (_, foreign) = chain::<f64>(SMALL);
    assert!(matches!(eager(&model, &foreign), Err(EngineError::ForeignMinibatch)));
    let refused = |result: Result<(), Mismatch>| {
        matches!(result, Err(Mismatch::Engine(EngineError::ForeignMinibatch)))
    };
    assert!(refused(compiled_equals_eager(&model, &foreign, &Check::default())));
    assert!(refused(gradient_check(&mut model, &foreign, 1, 1e-5, 1e-6)));
}
