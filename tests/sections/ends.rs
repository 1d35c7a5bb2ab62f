//! What little follows a branch is copied into its arms, in each of which the function then ends.

use edb::prelude::*;
use edb::schedule::Policy;
use edb::testing::{Check, compiled_equals_eager};

use super::{Thought, Word};

use edb_backend_suite::agreement::agrees;
use edb_backend_suite::models::model_of;
use edb_backend_suite::numbers::gradient_bits;

#[derive(Output)]
struct Said {
    h: Tensor,
    sign: Index,
}

#[derive(Input)]
struct Heard {
    id: Index,
    h: Tensor,
}

/// Behind the branch are a loss, results of each kind, and what the child, the input and the first
/// section have.
#[vertex_function]
fn few(
    #[dim(H)] size: Dim,
    #[param(V, H)] table: Tensor,
    #[param(H, H)] w: Tensor,
    #[param(H)] v: Tensor,
) {
    let Word { id } = pull();
    let before = gather_or(0, Thought { h: zeros(size) });
    let x = table.row(id) + before.h;
    let score = v.dot(x);
    let sign = (v * x).argmax();
    let h = if score > 0.1 {
        w.dot(x).tanh()
    } else if score > -0.1 {
        w.dot(w.dot(x)).tanh()
    } else {
        w.dot(x * x)
    };
    let h = h * 0.5 + before.h;
    loss(h.pick(sign) * score);
    scatter(Thought { h });
    push(Said { h: h - x, sign });
}

/// An arm without a value of its own needs a section for what is behind it, where it ends.
#[vertex_function]
fn nothing(#[param(V, H)] table: Tensor, #[param(H, H)] w: Tensor, #[param(H)] v: Tensor) {
    let Word { id } = pull();
    let mut h = table.row(id);
    if v.dot(h) > 0.0 {
        h = w.dot(w.dot(h).tanh());
    }
    scatter(Thought { h: h + v });
}

/// A product is not little.
#[vertex_function]
fn much(#[param(V, H)] table: Tensor, #[param(H, H)] w: Tensor, #[param(H)] v: Tensor) {
    let Word { id } = pull();
    let x = table.row(id);
    let h = if v.dot(x) > 0.0 { w.dot(x).tanh() } else { w.dot(x * x) };
    scatter(Thought { h: w.dot(h) });
}

/// Draws count from where a section begins, so that what draws is not copied.
#[vertex_function]
fn drawn(#[param(V, H)] table: Tensor, #[param(H, H)] w: Tensor, #[param(H)] v: Tensor) {
    let Word { id } = pull();
    let x = table.row(id).dropout(0.2);
    let h = if v.dot(x) > 0.0 { w.dot(x).tanh() } else { w.dot(x * x).dropout(0.4) };
    scatter(Thought { h: h.dropout(0.3) });
}

#[vertex_function]
fn hears(#[param(H, H)] table: Tensor, #[param(H)] v: Tensor) {
    let Heard { id, h } = pull();
    loss(v.dot((h + table.row(id)) * h));
}

#[test]
fn little_behind_a_branch_is_copied_into_its_arms() {
    let counts =
        [few::plan(), nothing::plan(), much::plan(), drawn::plan()].map(|plan| plan.sections.len());
    assert_eq!(counts, [4, 2, 3, 3]);
    let mut builder = ModelBuilder::new();
    let spread = Initializer::Uniform { bound: 0.8 };
    let setup = || dims! { V: 5, H: 5 }.init("table", spread).init("v", spread);
    let few = builder.add::<few>(setup());
    let others = (
        builder.add::<nothing>(setup()),
        builder.add::<much>(setup()),
        builder.add::<drawn>(setup()),
    );
    let hears = builder.add::<hears>(dims! { H: 5 }.init("table", spread).init("v", spread));
    let model: Model<f64> = builder.build_as(4).unwrap();
    let graphs = (0..6).map(|number| {
        let (mut g, mut last) = (model.graph(), None);
        for place in 0..8 {
            let id = Index((number + place) % 5);
            let word = g.add(&few, [last], Word { id });
            let Said { h, .. } = g.output(&few, word);
            g.add(&hears, (), Heard { id, h });
            g.add(&others.0, (), Word { id });
            g.add(&others.1, (), Word { id });
            g.add(&others.2, (), Word { id });
            last = Some(word);
        }
        g
    });
    let graphs: Vec<Graph<f64>> = graphs.collect();
    let batch = model.minibatch(&graphs).unwrap();
    compiled_equals_eager(&model, &batch, &Check::default()).unwrap();
    // Whichever arms end in one batch, forward has the same bits, and by one policy backward as well.
    let bits = |threads: usize, policy: &Policy| {
        let device = Device::cpu().threads(threads);
        let mut engine = Engine::on(&device).unwrap().policy(policy.clone());
        let mut run = engine.forward(&model, &batch, 3).unwrap();
        let gradients = run.backward().unwrap();
        let losses = (0..graphs.len()).map(|graph| run.vertex_loss(graph, 1).unwrap().to_bits());
        let losses: Vec<u64> = losses.collect();
        (losses, gradient_bits(&model, &gradients))
    };
    let alone = bits(1, &Policy::Agenda);
    for policy in Policy::ALL.iter() {
        assert_eq!(bits(2, policy).0, alone.0, "{policy}");
    }
    assert_eq!(bits(3, &Policy::Agenda), alone);
}

#[derive(State)]
struct Two {
    a: Tensor,
    b: Tensor,
}

/// Arms that mention the fields of the child in another order.
#[vertex_function]
fn crossed(
    #[dim(H)] size: Dim,
    #[param(V, H)] table: Tensor,
    #[param(H, H)] w: Tensor,
    #[param(H)] v: Tensor,
) {
    let Word { id } = pull();
    let child = gather_or(0, Two { a: zeros(size), b: zeros(size) });
    let x = table.row(id);
    let (a, b) =
        if v.dot(x) > 0.0 { (w.dot(x + child.a), x) } else { (x, w.dot(w.dot(x + child.b))) };
    scatter(Two { a: a * 0.5, b: b * 0.25 });
}

#[test]
fn ends_whose_fields_have_another_order() {
    let spread = Initializer::Uniform { bound: 0.8 };
    let (model, f) =
        model_of::<crossed, f64>(dims! { V: 5, H: 3 }.init("table", spread).init("v", spread), 1);
    let mut g = model.graph();
    let mut last = None;
    for k in 0..10 {
        last = Some(g.add(&f, [last], Word { id: Index(k % 5) }));
    }
    let batch = model.minibatch([&g]).unwrap();
    let check = Check { policies: vec![Policy::Agenda], ..Check::default() };
    compiled_equals_eager(&model, &batch, &check).unwrap();
}

/// Behind the branch is what the arms know before any vertex runs.
#[vertex_function]
fn constant(#[param(V, H)] table: Tensor, #[param(H, H)] w: Tensor, #[param(H)] v: Tensor) {
    let Word { id } = pull();
    let x = table.row(id);
    let mut weight = scalar(1.0);
    if v.dot(x) > 0.0 {
        loss(w.dot(x).sum());
        weight = scalar(0.5);
    } else {
        loss(w.dot(w.dot(x)).sum());
    }
    loss(1.0 - weight);
}

#[test]
fn arms_that_leave_constants() {
    let spread = Initializer::Uniform { bound: 0.8 };
    let (model, f) =
        model_of::<constant, f64>(dims! { V: 5, H: 3 }.init("table", spread).init("v", spread), 1);
    let mut g = model.graph();
    for k in 0..10 {
        g.add(&f, (), Word { id: Index(k % 5) });
    }
    agrees(&model, [&g]);
}

#[derive(Input)]
struct Given {
    x: Tensor,
    id: Index,
}

#[vertex_function]
fn dead(#[param(V, H)] table: Tensor, #[param(H, H)] w: Tensor) {
    let Given { x, id } = pull();
    let y = table.row(id) * x;
    let mut h = w.dot(y);
    let mut n = scalar(0.0);
    while n > 1.0 {
        h = w.dot(h) + x * y;
        n += h.sum();
    }
    loss((h * x).pick(Index(0)));
    scatter(super::Thought { h: h * 0.5 });
}

#[test]
fn a_loop_that_never_runs() {
    let (model, f) = model_of::<dead, f64>(dims! { V: 5, H: 3 }, 1);
    let mut g = model.graph();
    let x = g.tensor(&[0.3, 0.1, -0.7]);
    g.add(&f, (), Given { x, id: Index(1) });
    agrees(&model, [&g]);
}
