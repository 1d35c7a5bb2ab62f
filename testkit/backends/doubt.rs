//! What a vertex decides on NaN is seen: no step is taken, and the error says where.

use edb::graph::{InputRecord, VertexRecord};
use edb::prelude::*;
use edb::testing::eager;
use edb::trainer::TrainError;

use crate::ports::Number;

/// A row by the greatest.
#[vertex_function]
fn greatest(#[param(V, V)] table: Tensor) {
    let Number { x } = pull();
    loss(table.row(x.ln().argmax()).sum());
}

/// A row by a sample.
#[vertex_function]
fn sampled(#[param(V, V)] table: Tensor) {
    let Number { x } = pull();
    loss(table.row(x.ln().sample()).sum());
}

/// Arms so cheap that both are computed; in the first one a condition that is asked there only, of
/// what is NaN elsewhere.
#[vertex_function]
fn chosen(#[param(V)] b: Tensor) {
    let Number { x } = pull();
    let first = x.slice(0..1).sum();
    let mut cost = (b * x).sum();
    if first.ln() > 0.0 && first > -1.0 {
        let share = first / (first + first);
        cost = if share > 0.4 { cost * 2.0 } else { cost };
    }
    loss(cost);
}

/// Arms that do work, so that one of them runs.
#[vertex_function]
fn apart(#[param(V, V)] table: Tensor, #[param(V, V)] w: Tensor) {
    let Number { x } = pull();
    let first = x.slice(0..1).sum();
    let row = if first.ln() > 0.0 { w.dot(table.row(Index(0))) } else { table.row(Index(1)) };
    loss((row * x).sum());
}

/// A loop.
#[vertex_function]
fn repeated(#[param(V, V)] w: Tensor) {
    let Number { x } = pull();
    let first = x.slice(0..1).sum().ln();
    let (mut s, mut n) = (w.dot(x), scalar(0.0));
    while n < first {
        s = w.dot(s);
        n += 1.0;
    }
    loss(s.sum());
}

fn check<F: VertexFunction>(device: &Device, name: &str) {
    let mut builder = ModelBuilder::new();
    builder.add::<F>(dims! { V: 3 });
    let model: Model<f64> = builder.build_as(1).unwrap();
    let vertex = |first: f64| VertexRecord {
        function: name.into(),
        children: vec![],
        input: [("x".to_owned(), InputRecord::Tensor(vec![first, 2.0, 0.5]))].into(),
    };
    let graph = |firsts: [f64; 2]| model.graph_from_records(&firsts.map(vertex)).unwrap();
    // An infinity is a number, and so are those that are never compared.
    for firsts in [[1.5, 4.0], [0.0, 1.5]] {
        let batch = model.minibatch([&graph(firsts)]).unwrap();
        let mut engine = Engine::on(device).unwrap();
        let run = engine.forward(&model, &batch, 0).unwrap();
        let (found, expected) = (run.loss().unwrap(), eager(&model, &batch).unwrap().losses);
        let expected: f64 = expected.iter().sum();
        assert!((found - expected).abs() < 1e-12, "{name}: {found}, not {expected}");
        // An infinity that is handed on is not finite, though nothing is in doubt.
        let found = run.first_not_finite().unwrap();
        assert!(found.is_none_or(|found| firsts[0] == 0.0 && !found.value.is_nan()), "{name}");
    }
    let batch = model.minibatch([&graph([1.5, -4.0])]).unwrap();
    let losses = eager(&model, &batch).unwrap().losses;
    assert!(losses[0].is_finite() && losses[1].is_nan(), "{name}: {losses:?}");
    let mut trainer = Trainer::new(model, Sgd::new(0.1)).engine(Engine::on(device).unwrap());
    let error = trainer.step(&batch).unwrap_err();
    // What is first is the argument of the decision, or what hands it on.
    let place = format!("of vertex 1 of graph 0 (`{name}`) is NaN");
    let text = error.to_string();
    assert!(text.starts_with(&format!("step 0: the loss {place}; first, ")), "{text}");
    assert!(text.ends_with(&format!("{place}, from `ln`")), "{text}");
    assert!(matches!(error, TrainError::Loss { vertex: 1, .. }));
    assert_eq!(trainer.steps(), 0);
}

/// Decisions on NaN make the loss NaN, and the error names vertex and op.
///
/// # Panics
/// When they do not.
pub fn decisions_on_nan_are_seen(devices: &[Device]) {
    for device in devices {
        check::<greatest>(device, "greatest");
        check::<sampled>(device, "sampled");
        check::<chosen>(device, "chosen");
        check::<apart>(device, "apart");
        check::<repeated>(device, "repeated");
    }
}
