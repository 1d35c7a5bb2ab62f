//! Gradients that are not finite where all losses are: which op made the first of them.

use edb::engine::GradientNotFinite;

use super::*;

use edb_backend_suite::models::model_of;
use edb_backend_suite::ports::{Memory, Number, Told};

/// Steps on these graphs, on one thread and on two, and returns what the error names.
fn origin_on<F: Fn(&Model) -> Vec<Graph>>(
    threads: usize,
    model: Model,
    graphs: F,
) -> GradientNotFinite {
    let engine = Engine::with_threads(threads).unwrap();
    let mut trainer = Trainer::new(model, Sgd::new(0.1)).engine(engine);
    let graphs = graphs(trainer.model());
    let batch = trainer.model().minibatch(&graphs).unwrap();
    let before = trainer.model().parameters().clone();
    let error = trainer.step(&batch).unwrap_err();
    let said = error.to_string();
    let TrainError::Gradient { step: 0, error, origin: Some(origin), large: None } = error else {
        panic!("{said}")
    };
    assert!(matches!(*error, LearnError::NotFinite { .. }), "{said}");
    assert_eq!(said, format!("step 0: {error}; first, {origin}"));
    assert_eq!(trainer.model().parameters(), &before);
    assert_eq!(trainer.steps(), 0);
    *origin
}

/// Of a function that pulls `x` alone and has the parameter `w`, of all ones.
fn origin_of<F>(x: &[f32]) -> GradientNotFinite
where
    F: for<'a> edb::VertexFunction<Children<'a> = (), Input = Number>,
{
    let [one, two] = [1, 2].map(|threads| {
        let dims = dims! { N: x.len() }.init("w", Initializer::Constant(1.0));
        let (model, function) = model_of::<F, f32>(dims, 1);
        origin_on(threads, model, |model| {
            let graph = |x: &[f32]| {
                let mut g = model.graph();
                let x = g.tensor(x);
                g.add(&function, (), Number { x });
                g
            };
            // Graph 3 is the one; its first vertex is sound.
            let sound = vec![1.0; x.len()];
            let mut graphs: Vec<Graph> = (0..5).map(|_| graph(&sound)).collect();
            let x = graphs[3].tensor(x);
            graphs[3].add(&function, (), Number { x });
            graphs
        })
    });
    assert_eq!(format!("{one:?}"), format!("{two:?}"));
    assert_eq!((one.graph, one.vertex), (3, 1));
    one
}

/// The op, what it receives, what is given the wrong gradient, and that.
fn parts(origin: &GradientNotFinite) -> (&str, &str, &str, String) {
    let to = origin.to.as_deref().unwrap_or("");
    (&origin.op, &origin.received, to, origin.value.to_string())
}

#[vertex_function]
fn root(#[param(N)] w: Tensor) {
    let Number { x } = pull();
    loss((w * x).sqrt().sum());
}

#[test]
fn a_root_of_zero() {
    let origin = origin_of::<root>(&[4.0, 0.0, 1.0]);
    assert_eq!(parts(&origin), ("sqrt", "[1, 1, 1]", "(w * x)", "inf".to_owned()));
    assert_eq!(
        origin.to_string(),
        "in vertex 1 of graph 3 (`root`), `(w * x).sqrt()` receives the gradient [1, 1, 1] and gives \
         `(w * x)` inf, where `(w * x)` is [4, 0, 1]"
    );
}

#[vertex_function]
fn barred(#[param(N)] w: Tensor) {
    let Number { x } = pull();
    loss((w * x).exp().ln().maximum(scalar(-50.0)).sum());
}

/// A transition that is barred by -1e3, in exp space: its probability is 0, of which the loss sees
/// nothing, but `0 / 0` in the gradient.
#[test]
fn a_barred_transition() {
    let origin = origin_of::<barred>(&[1.0, -1e3]);
    assert_eq!(parts(&origin), ("ln", "[1, 0]", "(w * x).exp()", "NaN".to_owned()));
    assert_eq!(origin.operands[0].0, "(w * x).exp()");
    assert!(origin.operands[0].1.ends_with(", 0]"), "{origin}");
}

#[vertex_function]
fn inverse(#[param(N)] w: Tensor) {
    let Number { x } = pull();
    loss((scalar(1.0) / (scalar(1.0) / (w * x))).sum());
}

#[test]
fn a_division_by_zero() {
    let origin = origin_of::<inverse>(&[0.0, 1.0]);
    // `1 / inf` is 0, and so is its gradient; times `1 / 0` it is NaN.
    assert_eq!((&origin.op[..], origin.to.as_deref().unwrap_or("")), ("div", "(w * x)"));
    assert!(origin.value.is_nan());
    assert_eq!(origin.operands[0], ("1".to_owned(), "1".to_owned()));
    assert_eq!(origin.operands[1].1, "[0, 1]");
}

#[vertex_function]
fn of_none(#[param(N)] w: Tensor) {
    let Number { x } = pull();
    loss((w * x).ln().log_sum_exp().exp());
}

/// `log_sum_exp` of `-inf` alone is `-inf`, and its gradient a softmax of nothing.
#[test]
fn log_sum_exp_of_minus_infinity() {
    let origin = origin_of::<of_none>(&[0.0, 0.0]);
    assert_eq!(parts(&origin), ("log_sum_exp", "0", "(w * x).ln()", "NaN".to_owned()));
    assert_eq!(origin.operands[0].1, "[-inf, -inf]");
}

#[vertex_function]
fn large(#[param(N)] w: Tensor) {
    let Number { x } = pull();
    // Where `x` is 2, each part of the gradient of `y` is finite, and their sum is not.
    let y = w * scalar(1e-3);
    loss((y * (x * scalar(1e38))).sum());
    loss((y * (x * scalar(1.5e38))).sum());
}

/// What adds up to infinity has no single cause.
#[test]
fn gradients_that_add_up_to_infinity() {
    let origin = origin_of::<large>(&[2.0]);
    assert_eq!((&origin.op[..], &origin.to), ("mul", &None));
    assert!(
        origin.to_string().contains("`(w * 0.001)` receives gradients that add up to inf, where")
    );
}

#[vertex_function]
fn start(#[param(N)] w: Tensor) {
    let Number { x } = pull();
    scatter(Memory { h: (w * x).sqrt() });
}

#[vertex_function]
fn halve() {
    let before: Memory = gather(0);
    scatter(Memory { h: before.h * scalar(0.5) });
}

#[vertex_function]
fn end(#[param(N)] w: Tensor) {
    let before: Memory = gather(0);
    loss((w * before.h).sum());
}

/// The gradient comes down a chain: the vertex that breaks it is named, not those that it breaks. What
/// it receives is the product of all slopes.
#[test]
fn the_first_vertex_of_a_chain() {
    for threads in [1, 2] {
        let mut builder = ModelBuilder::new();
        let one = Initializer::Constant(1.0);
        let start = builder.add::<start>(dims! { N: 2 }.init("w", one));
        let halve = builder.add::<halve>(dims! {});
        let end = builder.add::<end>(dims! { N: 2 }.init("w", Initializer::Constant(3.0)));
        let model: Model = builder.build(1).unwrap();
        let origin = origin_on(threads, model, |model| {
            let chain = |x: f32| {
                let mut g = model.graph();
                let x = g.tensor(&[1.0, x]);
                let mut last = g.add(&start, (), Number { x });
                for _ in 0..3 {
                    last = g.add(&halve, [last], ());
                }
                // Two that read it.
                g.add(&end, [last], ());
                g.add(&end, [last], ());
                g
            };
            vec![chain(1.0), chain(0.0)]
        });
        assert_eq!((origin.graph, origin.vertex, &origin.function[..]), (1, 0, "start"));
        assert_eq!(parts(&origin), ("sqrt", "[0.75, 0.75]", "(w * x)", "inf".to_owned()));
    }
}

#[vertex_function]
fn gathering(#[param(N)] w: Tensor, #[dim(N)] n: Dim) {
    let (mut sum, mut most) = (zeros(n), zeros(n));
    for child in gather_all::<Memory>() {
        let y = (w * child.h).sqrt();
        sum += y;
        most = most.maximum(w * child.h);
    }
    loss((sum + most).sum());
}

#[vertex_function]
fn given(#[param(N)] w: Tensor) {
    let Number { x } = pull();
    scatter(Memory { h: w * x });
}

/// At an edge, the child's own numbers are told.
#[test]
fn an_op_of_an_edge() {
    for threads in [1, 2] {
        let mut builder = ModelBuilder::new();
        let one = Initializer::Constant(1.0);
        let given = builder.add::<given>(dims! { N: 2 }.init("w", one));
        let gathering = builder.add::<gathering>(dims! { N: 2 }.init("w", one));
        let model: Model = builder.build(1).unwrap();
        let origin = origin_on(threads, model, |model| {
            let mut g = model.graph();
            let children = [[1.0, 2.0], [3.0, 0.0], [5.0, 6.0]].map(|x: [f32; 2]| {
                let x = g.tensor(&x);
                g.add(&given, (), Number { x })
            });
            g.add(&gathering, &children, ());
            vec![g]
        });
        assert_eq!((origin.graph, origin.vertex, &origin.op[..]), (0, 3, "sqrt"));
        assert_eq!(origin.operands, [("(w * child.h)".to_owned(), "[3, 0]".to_owned())]);
    }
}

#[vertex_function]
fn armed(#[param(N)] w: Tensor) {
    let Number { x } = pull();
    let mut h = w * x;
    if x.sum() > 0.5 {
        h = h.exp();
        loss(h.sum());
    } else {
        h = h.sqrt();
        loss((h * w).sum());
    }
    loss(h.sum());
}

#[test]
fn an_op_of_an_arm() {
    let origin = origin_of::<armed>(&[0.25, 0.0]);
    assert_eq!((&origin.function[..], &origin.op[..]), ("armed.else", "sqrt"));
    assert_eq!(origin.operands[0].1, "[0.25, 0]");
    assert_eq!(origin.received, "[2, 2]");
}

#[vertex_function]
fn looping(#[param(N)] w: Tensor) {
    let Number { x } = pull();
    let mut h = w * x;
    let mut left = scalar(3.0);
    while left > 0.5 {
        left -= 1.0;
        h = (h * h).sqrt();
    }
    loss(h.sum());
}

/// In a loop it is the last round that the gradient reaches first.
#[test]
fn an_op_of_a_loop() {
    let origin = origin_of::<looping>(&[1.0, 0.0]);
    assert_eq!((&origin.function[..], &origin.op[..]), ("looping.while", "sqrt"));
    assert_eq!(origin.received, "[1, 1]");
    assert!(origin.value.is_infinite());
}

#[vertex_function]
fn pushing(#[param(N)] w: Tensor) {
    let Number { x } = pull();
    push(Told { y: (w * x).sqrt() });
}

#[vertex_function]
fn pulling(#[param(N)] w: Tensor) {
    let Number { x } = pull();
    loss((w * x).sum());
}

/// What a vertex pulls of another one has a gradient there.
#[test]
fn an_op_before_a_pull() {
    let mut builder = ModelBuilder::new();
    let pushing = builder.add::<pushing>(dims! { N: 2 }.init("w", Initializer::Constant(1.0)));
    let pulling = builder.add::<pulling>(dims! { N: 2 }.init("w", Initializer::Constant(2.0)));
    let model: Model = builder.build(1).unwrap();
    let origin = origin_on(2, model, |model| {
        let mut g = model.graph();
        let x = g.tensor(&[0.0, 1.0]);
        let from = g.add(&pushing, (), Number { x });
        let shown = g.output(&pushing, from);
        g.add(&pulling, (), Number { x: shown.y });
        vec![g]
    });
    assert_eq!((origin.vertex, &origin.function[..]), (0, "pushing"));
    assert_eq!(parts(&origin), ("sqrt", "[2, 2]", "(w * x)", "inf".to_owned()));
}

/// Graphs are counted over all minibatches of a step.
#[test]
fn graphs_are_counted_over_all_minibatches() {
    let (model, root) =
        model_of::<root, f32>(dims! { N: 1 }.init("w", Initializer::Constant(1.0)), 1);
    let mut trainer = Trainer::new(model, Sgd::new(0.1));
    let graphs = [1.0, 2.0, 0.0].map(|x: f32| {
        let mut g = trainer.model().graph();
        let x = g.tensor(&[x]);
        g.add(&root, (), Number { x });
        g
    });
    let batches = [&graphs[..2], &graphs[2..]].map(|of| trainer.model().minibatch(of).unwrap());
    let over = trainer.step_over(&batches).unwrap_err();
    let of_graphs = trainer.step_graphs(&graphs).unwrap_err();
    let mut growing = trainer.grow(graphs.to_vec()).unwrap();
    while growing.round().unwrap().is_some() {}
    let grown = growing.step().unwrap_err();
    drop(growing);
    for error in [over, of_graphs, grown] {
        let TrainError::Gradient { origin: Some(origin), .. } = error else { panic!("{error}") };
        assert_eq!((origin.graph, origin.vertex), (2, 0));
    }
    // The trainer goes on.
    trainer.step(&batches[0]).unwrap();
}

#[vertex_function]
fn two_widths(#[param(6, 5)] wide: Tensor, #[param(6, 3)] narrow: Tensor) {
    let Number {
        #[shape(2)]
        x,
    } = pull();
    let root = (x.sum() * 0.0 + wide.slice_rows(4..6).row_sum().sum() * 0.0).sqrt();
    let product = wide.slice_rows(4..6).row_sum().sum() * narrow.slice_rows(4..6).row_sum().sum();
    loss(root + product + x.slice(0..1).sum());
}

/// Rows that begin at the same place in matrices of different widths do not begin at the same element.
#[test]
fn origins_are_found_beside_rows_of_several_matrices() {
    let (model, f) = model_of::<two_widths, f64>(dims! {}, 1);
    let mut g = model.graph();
    let x = g.tensor(&[0.0, 0.0]);
    g.add(&f, (), Number { x });
    let batch = model.minibatch([&g]).unwrap();
    let mut trainer = Trainer::new(model, Sgd::new(0.1));
    let error = trainer.step(&batch).unwrap_err();
    let TrainError::Gradient { origin: Some(origin), .. } = error else { panic!("{error}") };
    assert_eq!(origin.op, "sqrt");
}

/// What is sound has no origin, whatever its functions do; and it comes before the backward pass.
#[test]
fn finite_gradients_have_no_origin() {
    let (zoo, model) = zoo::Zoo::model::<f32>(4, 1);
    let graph = zoo.graph(&model, 30, &mut zoo::rng(2));
    let batch = model.minibatch([&graph]).unwrap();
    let mut engine = Engine::new();
    assert!(engine.infer(&model, &batch).unwrap().first_gradient_not_finite().is_err());
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    assert_eq!(run.first_gradient_not_finite().unwrap(), None);
    run.backward().unwrap().check_finite().unwrap();
    assert!(run.first_gradient_not_finite().is_err());
}
