//! The language of vertex functions: every op and form as users write it, compiled results compared
//! with eager ones. `tests/engine/ops.rs` tests that each computes its equation.

use edb::Element;
use edb::prelude::*;
use edb::testing::{Check, compiled_equals_eager};

use edb_backend_suite::agreement::agrees;
use edb_backend_suite::models::model_of;
use edb_backend_suite::ports::Memory;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// A state of a vector and a matrix.
#[derive(State)]
struct Thing {
    h: Tensor,
    m: Tensor,
}

#[derive(Input)]
struct Seen {
    x: Tensor,
    label: Index,
    weight: Tensor,
}

#[vertex_function]
fn leaf(#[param(H, X)] w: Tensor, #[param(H, X)] u: Tensor) {
    let Seen { x, label, .. } = pull();
    let h = w.dot(x);
    let turned = u.dot(x) + 0.3;
    let activated = (h.square() + 1.0).sqrt() + h.abs() + h.erf() + h.softplus() + h.square();
    let more = h.leaky_relu(0.1) + h.elu(0.7) + h.silu() + h.gelu() + h.gelu_tanh();
    let bounded = h.hard_sigmoid() + h.hard_tanh() + h.clamp(-0.5, 0.25) + turned.round() * 0.1;
    let hot = one_hot(label, 3).slice(1..2).sum();
    scatter(Thing {
        // Scaled so that `tanh` stays away from 1, where different elements would become equal in
        // f32.
        h: ((activated + more * 0.3 + bounded + hot) * 0.2).tanh(),
        m: h.tanh().outer(turned.tanh()),
    });
    push(Said { y: h.softmax() });
}

/// The output of a leaf.
#[derive(Output)]
struct Said {
    y: Tensor,
}

#[vertex_helper]
fn normed(x: Tensor, gain: Tensor) -> Tensor {
    x.rms_norm(gain)
}

/// A matrix-vector recurrence (Socher et al., 2012): each phrase is a vector and a matrix.
#[vertex_function]
fn pair(
    #[param(H, 2 * H)] w: Tensor,
    #[param(H, H)] wl: Tensor,
    #[param(H, H)] wr: Tensor,
    #[param(H, P)] v: Tensor,
    #[param(H)] gain: Tensor,
    #[param(H)] bias: Tensor,
    #[dim(H)] size: Dim,
) {
    let [l, r]: [Thing; 2] = [gather(0), gather(1)];
    let crossed = concat([r.m.dot(l.h), l.m.dot(r.h)]);
    let h = (w.dot(crossed) + v.bilinear(l.h, r.h)).layer_norm(gain + 1.0, bias);
    let m = wl.dot(l.m) + wr.dot(r.m).transpose();
    let attended = l.m.dot(r.m.transpose()).row_softmax().dot(r.m).row_rms_norm(gain + 1.0);
    let of_rows = attended.row_sum() + attended.row_mean() + attended.row_norm()
        - attended.row_max() * attended.row_min().sigmoid()
        + attended.row_log_sum_exp();
    let by_rows = attended.row_log_softmax().row_layer_norm(gain + 1.0, bias)
        * of_rows.tanh().repeat_columns(size);
    let logs = l.h.log_dot(r.m) + l.m.max_dot(r.h) + l.m.log_dot(r.m).row_mean()
        - l.h.log_add(r.h) * l.h.log_dot(r.h)
        + l.m.argmax_dot(r.m).row_max()
        + concat_rows([l.m.slice_rows(0..1), r.m]).log_dot(l.h).max();
    let places = r.m.row_argmax();
    let logs = logs + l.m.row_pick(places) * 0.1 + row_cross_entropy(r.m.tanh(), places) * 0.1
        - (eye(size).dot(l.m.row(Index(1))) - ones(size) * r.h) * 0.1;
    let scaled = l.h.as_diagonal().dot(r.m).diagonal();
    let above = l.h.greater(r.h);
    let chosen = above.select(l.h, r.h * 0.5) + l.h.maximum(r.h) - l.h.minimum(bias);
    let tests = l.h.less(bias) + l.h.greater_equal(r.h) + l.h.less_equal(r.h) + l.h.equal(r.h);
    let flat = stack([l.h, r.h]).flatten().slice(1..2).sum();
    let rows = r.h.repeat_rows(3).dot(l.h).mean() + l.h.dot(r.h) + flat;
    let spread = h.norm() + h.mean() + h.min() + h.log_sum_exp() + (h * 0.3).exp().pow(1.5).max();
    scatter(Thing {
        h: (normed(h + chosen, gain + 1.0) + logs * 0.1 + scaled + tests * rows * spread * 0.02)
            .tanh(),
        m: m.tanh() + h.cumulative_sum().outer(bias) + by_rows * 0.1,
    });
}

/// Attention over any number of children (Vaswani et al., 2017), with their maximum and minimum.
#[vertex_function]
fn all(#[param(H)] query: Tensor, #[dim(H)] h: Dim) {
    let mut top = scalar(-1.0);
    let mut greatest = zeros(h);
    let mut least = zeros(h);
    let mut added = zeros(h).ln();
    for child in gather_all::<Thing>() {
        top = top.maximum(query.dot(child.h) / (h as f64).sqrt());
        greatest = greatest.maximum(child.h);
        least = least.minimum(child.h.noise(0.1));
        added = added.log_add(child.h);
    }
    let mut total = scalar(1e-6);
    let mut sum = zeros(h);
    for child in gather_all::<Thing>() {
        let weight = (query.dot(child.h) / (h as f64).sqrt() - top).exp();
        total += weight;
        sum += child.h.variational_dropout(0.2) * weight;
    }
    let h = sum / total + greatest - least * 0.5 + added.exp() * 0.1;
    scatter(Thing { h, m: h.outer(query) });
}

#[vertex_function]
fn judge(#[param(C, H)] w: Tensor, #[param(C)] t: Tensor, #[param(X)] of_x: Tensor) {
    let Thing { h, m } = gather(0);
    let Seen { x, label, weight } = pull();
    let scores = w.dot(h.noise(0.2) + m.dot(h).dropout(0.1));
    let log = scores.log_softmax();
    let target = (t * 0.5).softmax();
    loss(cross_entropy(scores, label) * weight);
    loss(cross_entropy_smoothed(scores, label, 0.1) + nll(log, label) + hinge(scores, label, 0.9));
    loss(mse(scores, t) + mae(scores, t) + huber(scores, t, 0.4));
    loss(bce_with_logits(scores, target) + kl_div(log, target));
    loss(1.0 - cosine_similarity(scores, target) + scores.pick(label) * of_x.dot(x));
}

struct Functions {
    leaf: Function<leaf>,
    pair: Function<pair>,
    all: Function<all>,
    judge: Function<judge>,
}

fn model<T: Element>(seed: u64) -> (Functions, Model<T>) {
    const H: usize = 5;
    let mut builder = ModelBuilder::new();
    let init = Initializer::Uniform { bound: 0.7 };
    let functions = Functions {
        leaf: builder.add::<leaf>(dims! { H: H, X: 3 }),
        pair: builder.add::<pair>(
            dims! { H: H, P: H * H }.init("gain", init).init("bias", init).init("v", init),
        ),
        all: builder.add::<all>(dims! { H: H }.init("query", init)),
        judge: builder.add::<judge>(dims! { C: 4, H: H, X: 3 }.init("t", init).init("of_x", init)),
    };
    (functions, builder.build_as(seed).unwrap())
}

fn graph<T: Element>(f: &Functions, model: &Model<T>, rng: &mut ChaCha8Rng) -> Graph<T> {
    let mut g = model.graph();
    let mut seen = |g: &mut Graph<T>, classes: u32| {
        let x: Vec<f64> = (0..3).map(|_| rng.random_range(-1.5..1.5)).collect();
        let weight = rng.random_range(0.5..1.5);
        let x: Vec<T> = x.into_iter().map(T::from_f64).collect();
        let label = Index(rng.random_range(0..classes));
        Seen { x: g.tensor(&x), label, weight: g.tensor(&[T::from_f64(weight)]) }
    };
    let mut open: Vec<Vertex<Thing>> = Vec::new();
    for leaf in 0..7 {
        let input = seen(&mut g, 3);
        open.push(g.add(&f.leaf, (), input));
        if leaf % 3 == 2 {
            let (right, left) = (open.pop().unwrap(), open.pop().unwrap());
            open.push(g.add(&f.pair, [left, right], ()));
        }
    }
    let none: [Vertex<Thing>; 0] = [];
    open.push(g.add(&f.all, &none, ()));
    let root = g.add(&f.all, &open, ());
    let input = seen(&mut g, 4);
    g.add(&f.judge, [root], input);
    g
}

fn agree<T: Element>() {
    let (functions, model) = model::<T>(3);
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let graphs: Vec<Graph<T>> = (0..4).map(|_| graph(&functions, &model, &mut rng)).collect();
    let batch = model.minibatch(&graphs).unwrap();
    compiled_equals_eager(&model, &batch, &Check { draws: (1, 2), ..Check::default() }).unwrap();
}

edb_backend_suite::tests! {
    compiled_is_eager_in_f64: agree::<f64>();
    compiled_is_eager_in_f32: agree::<f32>();
}

/// Two vertices of a graph share the mask of variational dropout, but not that of plain dropout.
#[test]
fn a_graph_shares_one_variational_mask() {
    #[derive(State)]
    struct Row {
        h: Tensor,
    }
    #[derive(Input)]
    struct Ones {
        x: Tensor,
    }
    #[derive(Output)]
    struct Masks {
        own: Tensor,
        shared: Tensor,
    }
    #[vertex_function]
    fn draw(#[param(N)] zeros: Tensor) {
        let Ones { x } = pull();
        let x = x + zeros;
        push(Masks { own: x.dropout(0.5), shared: x.variational_dropout(0.5) });
        scatter(Row { h: x });
    }
    let (model, draw) = model_of::<draw, f64>(dims! { N: 32 }, 1);
    let ones = [1.0; 32];
    let graphs: Vec<(Graph<f64>, [Vertex<Row>; 2])> = (0..2)
        .map(|_| {
            let mut g = model.graph();
            let two = [0, 1].map(|_| {
                let x = g.tensor(&ones);
                g.add(&draw, (), Ones { x })
            });
            (g, two)
        })
        .collect();
    let batch = model.minibatch(graphs.iter().map(|(g, _)| g)).unwrap();
    let mut engine = Engine::new();
    let run = engine.forward(&model, &batch, 7).unwrap();
    let masks = |graph: usize, vertex: usize, field: &str| {
        run.output_at(graph, vertex, field).unwrap().to_owned()
    };
    assert_eq!(masks(0, 0, "shared"), masks(0, 1, "shared"));
    assert_ne!(masks(0, 0, "own"), masks(0, 1, "own"));
    assert_ne!(masks(0, 0, "shared"), masks(0, 0, "own"));
}

/// What a vertex pulls, and what it is to find.
#[derive(Input)]
struct Sought {
    scale: Tensor,
    squared: Tensor,
    absolute: Tensor,
    bounded: Tensor,
    likely: Tensor,
    each: Tensor,
}

#[vertex_function]
fn seek(#[param(H)] w: Tensor) {
    let Sought {
        #[shape()]
        scale,
        squared,
        absolute,
        bounded,
        likely,
        each,
    } = pull();
    let scaled = scale * w;
    let found = scaled.sum();
    // What is compared with a number is one; what is a vector elsewhere stays one.
    let numbers = mse(found, squared) + mae(absolute, found) + huber(found, bounded, 0.5);
    loss(numbers + bce_with_logits(found, likely) + mse(found, each) + (each * w).sum());
}

#[test]
fn what_is_compared_with_a_number_is_one() {
    let (model, seek) =
        model_of::<seek, f64>(dims! { H: 3 }.init("w", Initializer::Constant(0.5)), 1);
    let mut g = model.graph();
    let [squared, absolute, bounded, likely] = [1.0, 2.0, 3.0, 0.25].map(|x| g.tensor(&[x]));
    let (scale, each) = (g.tensor(&[2.0]), g.tensor(&[1.0, 2.0, 6.0]));
    g.add(&seek, (), Sought { scale, squared, absolute, bounded, likely, each });
    let batch = model.minibatch([&g]).unwrap();
    compiled_equals_eager(&model, &batch, &Check::default()).unwrap();
    // It finds 3.
    let loss = Engine::new().infer(&model, &batch).unwrap().loss().unwrap();
    let expected = 4.0 + 1.0 + 0.0 + (0.75 * 3.0 + (-3.0_f64).exp().ln_1p()) + 14.0 / 3.0 + 4.5;
    assert!((loss - expected).abs() < 1e-12, "{loss} and {expected}");

    let mut g = model.graph();
    let [squared, absolute, bounded, likely] = [1.0, 2.0, 3.0, 0.25].map(|x| g.tensor(&[x]));
    let (scale, each) = (g.tensor(&[2.0, 1.0, 1.0]), g.tensor(&[1.0, 2.0, 6.0]));
    g.add(&seek, (), Sought { scale, squared, absolute, bounded, likely, each });
    let error = model.minibatch([&g]).unwrap_err().to_string();
    assert!(error.contains("scale"), "{error}");
}

/// Indices whose types stand in the pattern of a tuple, and scalars that are stacked.
#[derive(State)]
struct Kinds {
    one: Index,
    other: Index,
    h: Tensor,
}

#[derive(Input)]
struct Two {
    one: Index,
    other: Index,
}

#[vertex_function]
fn kinds(#[param(H)] w: Tensor, #[param()] s: Tensor) {
    let Two { one, other } = pull();
    let (one, other): (Index, Index) = (one, other);
    let h = stack([w.sum(), s, w.max() * s]);
    scatter(Kinds { one, other, h });
}

#[vertex_function]
fn read_kinds(#[param(K, 3)] table: Tensor) {
    let Kinds { one, other, h } = gather(0);
    loss((h * (table.row(one) - table.row(other))).sum());
}

#[test]
fn scalars_are_stacked_and_tuples_have_types() {
    let mut builder = ModelBuilder::new();
    let kinds = builder.add::<kinds>(dims! { H: 4 });
    let read = builder.add::<read_kinds>(dims! { K: 5 });
    let model: Model<f64> = builder.build_as(3).unwrap();
    let mut g = model.graph();
    let vertex = g.add(&kinds, (), Two { one: Index(4), other: Index(1) });
    g.add(&read, [vertex], ());
    agrees(&model, [&g]);
}

/// A state that is made of parts, while that of the child is read as a whole.
#[vertex_function]
fn part(#[param(H)] a: Tensor, #[param(H)] b: Tensor, #[param(2 * H)] start: Tensor) {
    let Memory { h } = gather_or(0, Memory { h: start });
    scatter(Memory { h: concat([a, b]) * h.tanh() });
    loss(h.log_sum_exp());
}

#[test]
fn a_state_of_parts_is_read_as_a_whole() {
    let uniform = Initializer::Uniform { bound: 1.0 };
    let (model, part) =
        model_of::<part, f64>(dims! { H: 1 }.init("a", uniform).init("b", uniform), 3);
    let mut g = model.graph();
    let first = g.add(&part, [None], ());
    let second = g.add(&part, [Some(first)], ());
    g.add(&part, [Some(second)], ());
    agrees(&model, [&g]);
}

/// The number of a class for each row, or -1.
#[derive(Input)]
struct Labels {
    labels: Tensor,
}

#[vertex_function]
fn labelled(#[param(R, C)] w: Tensor) {
    let Labels {
        #[shape(R)]
        labels,
    } = pull();
    loss(row_cross_entropy(w, labels).sum());
}

/// A fault that an attack found: 0 times the NaN of a softmax of `-∞` alone came back into rows without a label.
#[test]
fn rows_without_labels_have_no_gradient() {
    let mut builder = ModelBuilder::new();
    let labelled = builder.add::<labelled>(dims! { R: 3, C: 2 });
    let mut model: Model<f64> = builder.build_as(1).unwrap();
    let (none, nan) = (f64::NEG_INFINITY, f64::NAN);
    for row in [[none, none], [nan, 1.0], [f64::INFINITY, nan]] {
        let id = model.parameters().find("labelled.w").unwrap();
        let values = [[1.0, 2.0], row, [0.5, none]].concat();
        model.parameters_mut().get_mut(id).set_values(&values).unwrap();
        let mut g = model.graph();
        let labels = g.tensor(&[1.0, -1.0, 0.0]);
        g.add(&labelled, (), Labels { labels });
        let batch = model.minibatch([&g]).unwrap();
        let mut engine = Engine::new();
        let mut run = engine.forward(&model, &batch, 0).unwrap();
        let p = 1.0 / (1.0 + 1.0_f64.exp());
        assert!((run.loss().unwrap() + (1.0 - p).ln()).abs() < 1e-12);
        let found = run.backward().unwrap().to_vector();
        for (found, expected) in found.iter().zip([p, -p, 0.0, 0.0, 0.0, 0.0]) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }
}
