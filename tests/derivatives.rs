//! Products with Gauss-Newton matrices, tangents of what is pushed and of what is fed, and what has
//! none.

use edb::engine::{EngineError, Seeds};
use edb::learn::{Gradient, Gradients, Values};
use edb::prelude::*;

use edb_backend_suite::models::model_of;
use edb_backend_suite::ports::{Memory, Number, Told, Word};
use edb_backend_suite::zoo::{Sentiment, Zoo, rng};

fn direction(model: &Model<f64>) -> Gradients<f64> {
    let mut direction = Gradients::new(model.parameters());
    for (id, parameter) in model.parameters().iter() {
        let values = (0..parameter.len()).map(|element| (element as f64 * 0.7).sin()).collect();
        direction.add(id, Gradient::Dense(values)).unwrap();
    }
    direction
}

#[vertex_function]
fn lengths(#[param(2, C)] w: Tensor) {
    loss(w.row_norm().square().sum());
}

/// The square of a length has second derivatives where it is 0, also of each row: it is a sum of squares.
#[test]
fn squares_of_lengths_of_rows_have_second_derivatives() {
    let (model, f) =
        model_of::<lengths, f64>(dims! { C: 3 }.init("w", Initializer::Constant(0.0)), 3);
    let mut g = model.graph();
    g.add(&f, (), ());
    let batch = model.minibatch([&g]).unwrap();
    let direction = direction(&model);
    let mut tangent = model.tangent_by(edb_compiler::tangent).unwrap();
    let mut engine = Engine::<f64>::new();
    let mut along = engine.forward_along(&mut tangent, &model, &batch, 0, &direction).unwrap();
    let product = along.product().unwrap();
    let (id, _) = model.parameters().iter().next().unwrap();
    assert_eq!(product.to_dense(id), direction.to_dense(id) * 2.0);
}

#[vertex_function]
fn added(#[param(2)] p: Tensor, #[param(2)] q: Tensor) {
    loss(p.log_add(q).exp().sum());
}

/// `e^p + e^q`, also where both are -∞.
#[test]
fn sums_of_logarithms_have_second_derivatives() {
    let start = |second: f64| {
        let values = vec![f64::NEG_INFINITY, second];
        Values::array(ndarray::ArrayD::from_shape_vec(vec![2], values).unwrap().view())
    };
    let dims = dims! {}.init("p", start(0.3)).init("q", start(0.5));
    let (model, f) = model_of::<added, f64>(dims, 3);
    let mut g = model.graph();
    g.add(&f, (), ());
    let batch = model.minibatch([&g]).unwrap();
    let mut direction = Gradients::new(model.parameters());
    for (id, _) in model.parameters().iter() {
        direction.add(id, Gradient::Dense(vec![1.0; 2])).unwrap();
    }
    let mut tangent = model.tangent_by(edb_compiler::tangent).unwrap();
    let mut engine = Engine::<f64>::new();
    let mut along = engine.forward_along(&mut tangent, &model, &batch, 0, &direction).unwrap();
    let product = along.product().unwrap();
    for ((id, _), exact) in model.parameters().iter().zip([0.3_f64.exp(), 0.5_f64.exp()]) {
        let found = product.to_dense(id);
        assert!(found[[0]] == 0.0 && (found[[1]] - exact).abs() < 1e-12, "{found}");
    }
}

/// `G v` is `Jᵀ (diag p - p pᵀ) J v` for the cross-entropy of a softmax.
#[test]
fn gauss_newton_products_are_those_of_jacobians() {
    let (functions, model) = Sentiment::model::<f64>(5, 3);
    let trees = functions.trees(&model, 4, 5, 2);
    let batch = model.minibatch(trees.iter().map(|(graph, _)| graph)).unwrap();
    let direction = direction(&model);
    let mut engine = Engine::<f64>::new();
    let mut seeds = Seeds::new();
    let mut tangent = model.tangent_by(edb_compiler::gauss_newton).unwrap();
    let mut along = engine.forward_along(&mut tangent, &model, &batch, 0, &direction).unwrap();
    // With the same draws.
    let mut other = Engine::<f64>::new();
    let scores = other.forward(&model, &batch, 0).unwrap();
    for (place, (graph, _)) in trees.iter().enumerate() {
        for vertex in 0..graph.len() {
            let Ok(logits) = scores.output_at(place, vertex, "logits") else { continue };
            let moved = along.output_at(place, vertex, "logits").unwrap();
            let greatest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let powers: Vec<f64> = logits.iter().map(|x| (x - greatest).exp()).collect();
            let sum: f64 = powers.iter().sum();
            let mean: f64 = powers.iter().zip(&moved).map(|(p, x)| p / sum * x).sum();
            let curved: Vec<f64> =
                powers.iter().zip(&moved).map(|(p, x)| p / sum * (x - mean)).collect();
            seeds.push_at(place, vertex, "logits", &curved);
        }
    }
    let product = along.product().unwrap();
    let with = engine.forward(&model, &batch, 0).unwrap().backward_with(&seeds).unwrap();
    let without = engine.forward(&model, &batch, 0).unwrap().backward().unwrap();
    for (id, _) in model.parameters().iter() {
        let expected = with.to_dense(id) - without.to_dense(id);
        let apart = (product.to_dense(id) - &expected).iter().fold(0.0, |a: f64, x| a.max(x.abs()));
        assert!(apart < 1e-12, "{apart}");
        assert!(expected.iter().any(|x| x.abs() > 1e-3));
    }
}

/// Tangents go through what one vertex pushes and another one pulls.
#[test]
fn tangents_of_outputs_are_differences() {
    let (zoo, mut model) = Zoo::model::<f64>(4, 2);
    let graph = zoo.graph(&model, 8, &mut rng(3));
    let batch = model.minibatch([&graph]).unwrap();
    let direction = direction(&model);
    let mut tangent = model.tangent_by(edb_compiler::tangent).unwrap();
    let mut engine = Engine::<f64>::new();
    let mut compared = 0;
    for vertex in 0..graph.len() {
        for field in ["x", "y"] {
            let along = engine.forward_along(&mut tangent, &model, &batch, 0, &direction).unwrap();
            let Ok(found) = along.output_at(0, vertex, field) else { continue };
            let found = found.to_owned();
            let mut at = |by: f64| {
                for (id, parameter) in model.parameters_mut().iter_mut() {
                    let values = parameter.values_mut().unwrap();
                    let dense = direction.to_dense(id);
                    values.iter_mut().zip(&dense).for_each(|(value, x)| *value += by * x);
                }
                let mut engine = Engine::<f64>::new();
                let run = engine.forward(&model, &batch, 0).unwrap();
                run.output_at(0, vertex, field).unwrap().to_owned()
            };
            let difference = (at(1e-5) - at(-2e-5)) / 2e-5;
            at(1e-5);
            let apart = (&found - &difference).iter().fold(0.0, |a: f64, x| a.max(x.abs()));
            assert!(apart < 1e-7, "vertex {vertex}: {apart}");
            compared += 1;
        }
    }
    assert!(compared > 8, "{compared}");
    // Fault E3 of the fourth list: if there is no field `nope`, the error spoke of a field `nope.tangent`.
    let along = engine.forward_along(&mut tangent, &model, &batch, 0, &direction).unwrap();
    let error = along.output_at(0, 0, "nope").unwrap_err().to_string();
    assert_eq!(error, "`read` pushes no field `nope`; it pushes x");
}

/// Nearer to its limits.
#[vertex_helper]
fn squashed(x: Tensor) -> Tensor {
    (x * 0.5).tanh()
}

/// Thinks until it has thought enough; its expansion has to ask for a helper.
#[vertex_function(tangent)]
fn think(#[param(V, H)] table: Tensor, #[param(H, H)] u: Tensor, #[param(H)] halt: Tensor) {
    let Word { id } = pull();
    let mut s = table.row(id);
    let mut halted = scalar(0.0);
    while halted < 1.5 {
        s = squashed(u.dot(s)) + 0.1 * s;
        halted += halt.dot(s).sigmoid() + 0.2;
    }
    loss((s * s).sum());
}

#[test]
fn tangents_are_compiled_with_their_functions_or_later() {
    let (model, think) = model_of::<think, f64>(dims! { V: 5, H: 4 }, 7);
    let mut g = model.graph();
    for id in 0..5_u32 {
        g.add(&think, (), Word { id: id.into() });
    }
    let batch = model.minibatch([&g]).unwrap();
    let direction = direction(&model);
    let mut engine = Engine::<f64>::new();
    let mut product = |mut tangent: edb::model::Tangent<f64>| {
        let mut along = engine.forward_along(&mut tangent, &model, &batch, 0, &direction).unwrap();
        along.product().unwrap()
    };
    let [one, other] = [
        product(model.tangent().unwrap()),
        product(model.tangent_by(edb_compiler::tangent).unwrap()),
    ];
    assert!(one.norm() > 1e-3);
    for (id, _) in model.parameters().iter() {
        assert_eq!(one.to_dense(id), other.to_dense(id));
    }
}

/// A loss that is not computed from what is pushed.
#[vertex_function]
fn bare(#[param(C)] w: Tensor) {
    loss((w * w).sum());
}

#[test]
fn what_has_no_tangent_is_refused() {
    let (model, _) = model_of::<bare, f64>(dims! { C: 3 }, 1);
    let error = model.tangent_by(edb_compiler::gauss_newton).unwrap_err().to_string();
    assert!(
        error.contains("nothing can be derived from `bare`: the loss is not computed from what"),
        "{error}"
    );
    let error = model.tangent().unwrap_err().to_string();
    assert!(error.contains("write `#[vertex_function(tangent)]`"), "{error}");
    let (functions, other) = Sentiment::model::<f64>(5, 3);
    let trees = functions.trees(&other, 2, 3, 2);
    let batch = other.minibatch(trees.iter().map(|(graph, _)| graph)).unwrap();
    let mut tangent = model.tangent_by(edb_compiler::tangent).unwrap();
    let mut engine = Engine::<f64>::new();
    let own = Gradients::new(model.parameters());
    let foreign = engine.forward_along(&mut tangent, &other, &batch, 0, &own).unwrap_err();
    assert!(matches!(foreign, EngineError::ForeignDerived));
    let foreign = engine.forward_along(&mut tangent, &model, &batch, 0, &own).unwrap_err();
    assert!(matches!(foreign, EngineError::ForeignMinibatch));
    let mut tangent = other.tangent_by(edb_compiler::tangent).unwrap();
    let foreign = engine.forward_along(&mut tangent, &other, &batch, 0, &own).unwrap_err();
    assert!(matches!(foreign, EngineError::Direction));
}

/// A step of a linear chain with losses that are large, infinite, and of infinite slope.
#[vertex_function]
fn link(#[param(H, H)] w: Tensor, #[dim(H)] size: Dim) {
    let Number { x } = pull();
    let before = gather_or(0, Memory { h: zeros(size) });
    let h = w.dot(before.h) + x;
    loss(1e30 * h.sum());
    loss((1e30 * h.sum()).exp());
    loss((h * 0.0).sum().sqrt());
    loss(cross_entropy((8.0 * w).dot(h), h.argmax()));
    push(Told { y: h });
    scatter(Memory { h });
}

/// The same in a loop, in the other direction, behind a bilinear loss.
#[vertex_function]
fn turn(#[param(H, H)] w: Tensor) {
    let Number { x } = pull();
    let before: Memory = gather(0);
    let mut h = before.h + x;
    let mut count = scalar(0.0);
    while count < 3.0 {
        h = w.dot(h);
        let wide = (1e30 * h).exp();
        loss(wide.dot(h));
        loss((h * 0.0).sum().sqrt() * wide.sum());
        count += 1.0;
    }
    push(Told { y: h });
}

/// Fault B2: the gradient of losses was subtracted, so that it left its rounding, and a Jacobian of
/// zeros beside a large loss, or of NaN beside an infinite one. Here all is a sum of powers of two.
#[test]
fn losses_do_not_count_in_jacobians() {
    fn check<T: edb::Element + PartialEq>(threads: usize, greatest: f64) {
        let mut builder = ModelBuilder::new();
        let link = builder.add::<link>(dims! { H: 2 });
        let turn = builder.add::<turn>(dims! { H: 2 });
        let mut model: Model<T> = builder.build_as(1).unwrap();
        let w = [0.5, 0.25, 0.0, 0.5].map(T::from_f64);
        for (_, parameter) in model.parameters_mut().iter_mut() {
            parameter.set_values(&w).unwrap();
        }
        let mut graphs = Vec::new();
        let mut vertices = Vec::new();
        for _ in 0..3 {
            let mut g = model.graph();
            let mut chain: Vec<Vertex<Memory>> = Vec::new();
            for step in 0..40 {
                // With the first, a score is infinite.
                let first = if step == 0 { greatest } else { f64::from(step) };
                let x = g.tensor(&[first, 1.0].map(T::from_f64));
                chain.push(g.add(&link, [chain.last().copied()], Number { x }));
            }
            let x = g.tensor(&[0.0, 0.0].map(T::from_f64));
            let end = g.add(&turn, [chain[39]], Number { x });
            vertices.push((chain[0], chain[39], end));
            graphs.push(g);
        }
        let batch = model.minibatch(&graphs).unwrap();
        let mut engine: Engine<T> = Engine::with_threads(threads).unwrap();
        let mut run = engine.forward(&model, &batch, 0).unwrap();
        assert!(!run.loss().unwrap().is_finite());
        // The power n of [[a, b], [0, a]] is [[a^n, n b a^(n - 1)], [0, a^n]].
        let power = |n: i32| {
            [[0.5_f64.powi(n), f64::from(n) * 0.25 * 0.5_f64.powi(n - 1)], [0.0, 0.5_f64.powi(n)]]
        };
        for (first, last, end) in vertices {
            let chain = run.jacobian((&link, last, "y"), (&link, first, "x")).unwrap();
            let whole = run.jacobian((&turn, end, "y"), (&link, first, "x")).unwrap();
            for (found, n) in [(chain, 39), (whole, 42)] {
                let found = found.map(|x| x.as_f64());
                assert_eq!(found, ndarray::arr2(&power(n)), "{n}");
            }
        }
    }
    for threads in [1, 2] {
        check::<f32>(threads, f32::MAX.into());
        check::<f64>(threads, f64::MAX);
    }
}

/// What is pulled: where it is 0, its root has an infinite slope.
#[derive(Input)]
pub struct Masked {
    pub mask: Tensor,
}

/// `(w · √mask)² / 2`, twice `|w|²`, and a quotient of what is pulled.
#[vertex_function]
pub fn rooted(#[param(N)] w: Tensor, #[param(N)] b: Tensor) {
    let Masked { mask } = pull();
    loss((w * mask.sqrt()).sum().square() * 0.5);
    loss(b.norm().square() * 2.0);
    loss((w * (mask * mask / mask.norm())).sum());
}

/// Fault B8: the tangent of data is 0, which times an infinite slope was NaN; so was the second derivative
/// of a squared norm at 0.
#[test]
fn a_tangent_of_zero_stays_zero_where_the_slope_is_infinite() {
    let (mut model, rooted) = model_of::<rooted, f64>(dims! { N: 2 }, 1);
    let [w, b] = ["w", "b"].map(|name| model.parameters().find(&format!("rooted.{name}")).unwrap());
    model.parameters_mut().get_mut(w).values_mut().unwrap().copy_from_slice(&[3.0, 5.0]);
    model.parameters_mut().get_mut(b).values_mut().unwrap().fill(0.0);
    let mut graph = model.graph();
    let mask = graph.tensor(&[4.0, 0.0]);
    graph.add(&rooted, (), Masked { mask });
    let batch = model.minibatch([&graph]).unwrap();
    let mut direction = Gradients::new(model.parameters());
    direction.add(w, Gradient::Dense(vec![1.0, 1.0])).unwrap();
    direction.add(b, Gradient::Dense(vec![1.0, -0.5])).unwrap();
    let mut tangent = model.tangent_by(edb_compiler::tangent).unwrap();
    let mut engine = Engine::<f64>::new();
    let mut along = engine.forward_along(&mut tangent, &model, &batch, 0, &direction).unwrap();
    // The losses are 2 w₀², 2 |b|² and 4 w₀.
    assert_eq!(along.slopes().unwrap(), [16.0]);
    let product = along.product().unwrap();
    assert_eq!(product.to_dense(w).as_slice().unwrap(), [4.0, 0.0]);
    assert_eq!(product.to_dense(b).as_slice().unwrap(), [4.0, -2.0]);
}
