//! Whether the checks see what is wrong: against eager runs that were changed.

use edb_ir::{Builder, Contraction, Dim, Pointwise, Program, Reduction, Shape, Slot};

use super::*;
use edb_kernels::element::Element;
use edb_model::graph::{InputRecord, VertexRecord};
use edb_model::model::{ModelBuilder, Setup};

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
    let model: Model<T> = builder.build(1).unwrap();
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

/// What is said of an eager run that was changed, if anything.
fn compared(change: impl Fn(&mut EagerRun)) -> Option<String> {
    let (model, batch) = chain::<f32>(SMALL);
    let mut engine = Engine::new();
    let run = engine.forward(&model, &batch, 0).unwrap();
    let mut expected = eager(&model, &batch).unwrap();
    change(&mut expected);
    let tolerance = Tolerance::new::<f32>(None);
    let found = compare_values(&model, &batch, &run, &expected, tolerance);
    match found {
        Ok(()) => None,
        Err(Failure::Differs { what, vertex, .. }) => Some(format!("{what} of vertex {vertex}")),
        Err(failure) => panic!("{failure:?}"),
    }
}

#[test]
fn small_numbers_that_are_wrong_are_seen() {
    assert_eq!(compared(|_| ()), None);
    // Less than the tolerance, but a tenth of what is there.
    let said = compared(|eager| eager.states[1][0][0] *= 1.1);
    assert_eq!(said.as_deref(), Some("element 0 of state field 0 (`f`) of vertex 1"));
    let said = compared(|eager| eager.outputs[0][0][2] *= 1.1);
    assert_eq!(said.as_deref(), Some("element 2 of output field 0 (`f`) of vertex 0"));
    let said = compared(|eager| eager.losses[1] *= 1.1);
    assert_eq!(said.as_deref(), Some("the loss (`f`) of vertex 1"));
}

#[test]
fn results_that_are_missing_are_seen() {
    let said = compared(|eager| eager.states[1].clear());
    assert_eq!(said.as_deref(), Some("the number of state fields (`f`) of vertex 1"));
    let said = compared(|eager| eager.outputs[0].clear());
    assert_eq!(said.as_deref(), Some("the number of output fields (`f`) of vertex 0"));
    let said = compared(|eager| eager.states[0][0].truncate(2));
    assert_eq!(said.as_deref(), Some("the length of state field 0 (`f`) of vertex 0"));
}

#[test]
fn derivatives_and_gradients_of_small_numbers_are_compared() {
    let (mut model, batch) = chain::<f64>(SMALL);
    let id = model.parameters().find("f.w").unwrap();
    let values = model.parameters_mut().get_mut(id).values_mut().unwrap();
    values.iter_mut().for_each(|value| *value *= 1e-5);
    compiled_equals_eager(&model, &batch, &Check::default()).unwrap();
    gradient_check(&mut model, &batch, usize::MAX, 1e-5, 1e-6).unwrap();

    let eager = eager(&model, &batch).unwrap();
    assert!(eager.derivative.value.abs() < 1e-3 && eager.derivative.value != 0.0);
    let tolerance = Tolerance::new::<f64>(None);
    assert!(!tolerance.holds(eager.derivative.value * 1.0001, eager.derivative, 0.0));
}

/// What overflows does so eagerly, too: parameters that are infinite, or no number.
#[test]
fn equal_infinities_are_equal() {
    for value in [f64::INFINITY, f64::NAN] {
        let (mut model, batch) = chain::<f64>([0.5, 0.25, 1.0]);
        let id = model.parameters().find("f.w").unwrap();
        model.parameters_mut().get_mut(id).values_mut().unwrap()[4] = value;
        let mut engine = Engine::new();
        let run = engine.forward(&model, &batch, 0).unwrap();
        let expected = eager(&model, &batch).unwrap();
        let tolerance = Tolerance::new::<f64>(None);
        compare_values(&model, &batch, &run, &expected, tolerance).unwrap();
        assert!(!run.loss().unwrap().is_finite());
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
