//! Numbers that are not finite: where they come from, and what does not hide them.

use super::*;

use edb_backend_suite::models::model_of;
use edb_backend_suite::ports::Number;

/// The norm is computed only for the guard and for clipping.
#[test]
fn a_norm_is_computed_where_it_is_needed() {
    for (setup, needed) in [
        ((|trainer| trainer) as fn(Trainer<f64>) -> Trainer<f64>, true),
        (|trainer| trainer.skip_finite_check(), false),
        (|trainer| trainer.skip_finite_check().clip_value(1.0), false),
        (|trainer| trainer.skip_finite_check().clip_norm(1.0), true),
        (|trainer| trainer.skip_finite_check().groups([Group::prefix("p").clip_norm(1.0)]), true),
    ] {
        let (functions, mut trainer) = sentiment_trainer(setup);
        let batch = batch(&functions, trainer.model());
        assert_eq!(trainer.step(&batch).unwrap().gradient_norm.is_some(), needed);
    }
}

#[test]
fn non_finite_numbers_are_traced_to_their_origin() {
    let origin = |parameter: &str, values: [f32; 2]| {
        let (functions, mut model) = Sentiment::model::<f32>(4, 1);
        let id = model.parameters().find(parameter).unwrap();
        model.parameters_mut().get_mut(id).values_mut().unwrap()[..2].copy_from_slice(&values);
        let mut trainer = Trainer::new(model, Sgd::new(0.1));
        let error = trainer.step(&batch(&functions, trainer.model())).unwrap_err();
        let text = error.to_string();
        let TrainError::Loss { origin: Some(origin), .. } = error else { panic!("{text}") };
        assert!(text.ends_with(&format!("; first, {origin}")), "{text}");
        // Fault D4 of the third list, its like: no value of these is one that JSON has.
        let json = serde_json::to_string(&*origin).unwrap();
        let read: edb::engine::NotFinite = serde_json::from_str(&json).unwrap();
        assert_eq!(read.to_string(), origin.to_string());
        *origin
    };
    // Only words read it; phrases and judges inherit the NaN.
    let found = origin("word.b", [0.0, f32::NAN]);
    assert_eq!((found.graph, found.vertex, &found.function[..]), (0, 0, "word"));
    assert_eq!((&found.place[..], found.op), ("parameter `b`", None));
    assert!(found.value.is_nan());
    // These are finite, but the loss computed from them is not.
    let found = origin("sentiment.b", [-3e38, 3e38]);
    assert_eq!((&found.function[..], &found.place[..]), ("sentiment", "the loss"));
}

/// A cell with an intermediate value that may overflow and is not stored.
#[vertex_function]
fn burst(#[param(D)] w: Tensor) {
    let Number { x } = pull();
    loss((w * x).exp().sum());
}

#[test]
fn the_op_that_overflows_is_named() {
    let (model, burst) =
        model_of::<burst, f32>(dims! { D: 3 }.init("w", Initializer::Constant(1.0)), 1);
    let mut g = model.graph();
    let (small, large) = (g.tensor(&[1.0, 2.0, 3.0]), g.tensor(&[1.0, 200.0, 3.0]));
    g.add(&burst, (), Number { x: small });
    g.add(&burst, (), Number { x: large });
    let batch = model.minibatch([&g]).unwrap();
    let error = Trainer::new(model, Sgd::new(0.1)).step(&batch).unwrap_err();
    let expected = "step 0: the loss of vertex 1 of graph 0 (`burst`) is inf; first, \
                    the loss of vertex 1 of graph 0 (`burst`) is inf, from `exp`";
    assert_eq!(error.to_string(), expected);
}

/// A cell in which NaN in a parameter could hide behind a relu or a maximum.
#[vertex_function]
fn rectified(#[param(D)] w: Tensor) {
    let Number { x } = pull();
    let h = (w * x).relu();
    loss(h.max() + x.maximum(h).sum());
}

#[test]
fn no_op_hides_nan() {
    let (mut model, rectified) = model_of::<rectified, f32>(dims! { D: 3 }, 1);
    let id = model.parameters().find("rectified.w").unwrap();
    model.parameters_mut().get_mut(id).values_mut().unwrap()[1] = f32::NAN;
    let mut g = model.graph();
    let x = g.tensor(&[1.0, 2.0, 3.0]);
    g.add(&rectified, (), Number { x });
    let batch = model.minibatch([&g]).unwrap();
    let error = Trainer::new(model, Sgd::new(0.1)).step(&batch).unwrap_err();
    assert!(matches!(error, TrainError::Loss { loss, .. } if loss.is_nan()), "{error}");
}

#[derive(State)]
struct Level {
    x: Tensor,
}

#[vertex_function]
fn leaf(#[param(D)] b: Tensor) {
    let Number { x } = pull();
    scatter(Level { x: x + b });
}

/// A mean of the children, weighted relative to the greatest; without children it is 0 / 0.
#[vertex_function]
fn average(#[param(D)] w: Tensor) {
    let mut top = scalar(-1e9);
    for child in gather_all::<Level>() {
        top = top.maximum(w.dot(child.x));
    }
    let (mut total, mut weights) = (scalar(0.0), scalar(0.0));
    for child in gather_all::<Level>() {
        let weight = (w.dot(child.x) - top).exp();
        total += weight * w.dot(child.x);
        weights += weight;
    }
    loss(total / weights);
}

#[test]
fn harmless_infinities_are_not_blamed() {
    let mut builder = ModelBuilder::new();
    let leaf = builder.add::<leaf>(dims! { D: 2 });
    let average = builder.add::<average>(dims! { D: 2 });
    let model: Model = builder.build(1).unwrap();
    let mut g = model.graph();
    let x = g.tensor(&[1.0, 2.0]);
    let one = g.add(&leaf, (), Number { x });
    g.add(&average, &[one][..], ());
    g.add(&average, &[][..], ());
    let batch = model.minibatch([&g]).unwrap();
    let error = Trainer::new(model, Sgd::new(0.1)).step(&batch).unwrap_err();
    // The error must not name the infinite maximum of no children, which is harmless.
    let expected = "the loss of vertex 2 of graph 0 (`average`) is NaN, from `div`";
    assert!(error.to_string().ends_with(expected), "{error}");
}
