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
        assert!(text.contains(&format!("; first, {origin}")), "{text}");
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

/// Its gradient is 2 `w` x², so that a step of rate r from 1 goes to 1 - 2 r where x is 1.
#[vertex_function]
fn squared(#[param(D)] w: Tensor, #[param()] u: Tensor) {
    let Number { x } = pull();
    loss((w * x).square().sum() + u.sqrt());
}

/// A trainer, and a minibatch of one graph. `w` is [1, 1], and `u` is 1.
fn squared_trainer<T: edb::Element>(rate: f64, threads: usize) -> (Trainer<T>, edb::Minibatch<T>) {
    let ones = Initializer::Constant(1.0);
    let dims = dims! { D: 2 }.init("w", ones).init("u", ones);
    let (model, squared) = model_of::<squared, T>(dims, 1);
    let mut g = model.graph();
    let x = g.tensor(&[T::from_f64(0.0), T::from_f64(1.0)]);
    g.add(&squared, (), Number { x });
    let batch = model.minibatch([&g]).unwrap();
    let engine = Engine::with_threads(threads).unwrap();
    (
        Trainer::new(model, Sgd::new(rate))
            .engine(engine)
            .groups([Group::parameter("squared.u").rate(0.0)]),
        batch,
    )
}

/// The error named the op that overflowed, and not the steps that had led there.
#[test]
fn a_learning_rate_that_is_too_large_is_hinted_at() {
    fn hint<T: edb::Element>(rate: f64, parameter: &str) {
        for threads in [1, 2] {
            let (trainer, batch) = squared_trainer::<T>(rate, threads);
            // In the second step it is another one: what counts is that of the step before.
            let mut trainer =
                trainer.schedule(RateSchedule::constant(1.0).then(1, RateSchedule::constant(0.25)));
            trainer.step(&batch).unwrap();
            let error = trainer.step(&batch).unwrap_err();
            let text = error.to_string();
            let TrainError::Loss { step: 1, large: Some(large), .. } = error else {
                panic!("{text}")
            };
            assert_eq!((&large.parameter[..], large.rate), ("squared.w", Some(rate)));
            approx::assert_relative_eq!(large.magnitude, 2.0 * rate, max_relative = 1e-6);
            let expected = format!(
                "step 1: the loss of vertex 0 of graph 0 (`squared`) is inf; first, the loss of vertex 0 of graph 0 (`squared`) is inf, from `mul`; {parameter}"
            );
            assert_eq!(text, expected);
        }
    }
    hint::<f32>(
        1e30,
        "the parameter `squared.w` has values up to 2e30: was the learning rate (1e30) too large?",
    );
    hint::<f64>(
        1e200,
        "the parameter `squared.w` has values up to 2e200: was the learning rate (1e200) too large?",
    );
}

/// The rate is that of the parameter's group. Before the first step there is none. What is frozen is not named, nor are
/// values that are not out of the ordinary.
#[test]
fn only_what_is_out_of_the_ordinary_is_named() {
    let error = |value: f32, groups: Vec<Group>, steps: usize| {
        let (mut trainer, batch) = squared_trainer::<f32>(0.5, 1);
        trainer.set_groups(groups);
        for _ in 0..steps {
            trainer.step(&batch).unwrap();
        }
        // The slope of the root is infinite at 0.
        for (name, values) in [("squared.w", vec![1.0, -value]), ("squared.u", vec![0.0])] {
            let parameters = trainer.model_mut().parameters_mut();
            let id = parameters.find(name).unwrap();
            parameters.get_mut(id).set_values(&values).unwrap();
        }
        let error = trainer.step(&batch).unwrap_err();
        let text = error.to_string();
        let TrainError::Gradient { large, .. } = error else { panic!("{text}") };
        let hint = large.map(|large| large.to_string());
        assert!(hint.as_ref().is_none_or(|hint| text.ends_with(&format!("; {hint}"))), "{text}");
        hint
    };
    let group = || vec![Group::parameter("squared.w").rate(0.25)];
    let named = "the parameter `squared.w` has values up to 4e7";
    assert_eq!(
        error(4e7, group(), 1).unwrap(),
        format!("{named}: was the learning rate (0.125) too large?")
    );
    assert_eq!(error(4e7, group(), 0).unwrap(), named);
    assert_eq!(error(4e7, vec![Group::parameter("squared.w").frozen(true)], 1), None);
    assert_eq!(error(1e6, group(), 1), None);
    assert!(error(1.1e6, group(), 1).is_some());
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
