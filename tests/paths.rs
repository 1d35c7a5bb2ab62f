//! What vertices do on their way through loops and branches: they go through children, draw, and
//! leave nothing behind in inference.

use edb::Element;
use edb::prelude::*;
use edb::testing::{Check, compiled_equals_eager};

use edb_backend_suite::agreement::agrees;
use edb_backend_suite::models::model_of;
use edb_backend_suite::ports::{Memory, Word};

/// How many children there are, asked behind a loop: nothing of them is read there.
#[vertex_function]
fn counting(#[param(H)] v: Tensor) {
    let mut h = v;
    let mut children = scalar(0.0);
    while h.sum() > 1.0 {
        h = 0.5 * h;
    }
    for _child in gather_all::<Memory>() {
        children += 1.0 + h.sum();
    }
    scatter(Memory { h: children * h });
    loss(children);
}

#[test]
fn children_that_are_not_read_are_gone_through() {
    let (model, f) =
        model_of::<counting, f64>(dims! { H: 2 }.init("v", Initializer::Constant(3.0)), 0);
    let mut g = model.graph();
    let mut last = Vec::new();
    for _ in 0..4 {
        let vertex = g.add(&f, &last, ());
        last.push(vertex);
    }
    agrees(&model, [&g]);
}

#[derive(Output)]
struct Drawn {
    word: Index,
    h: Tensor,
}

/// Draws and decisions in loops and arms, over children too, and behind them.
#[vertex_function]
fn drawing(
    #[dim(H)] size: Dim,
    #[param(V, H)] table: Tensor,
    #[param(H, H)] w: Tensor,
    #[param(V, H)] out: Tensor,
) {
    let Word { id } = pull();
    let mut h = table.row(id).dropout(0.3);
    let mut word = out.dot(h).sample();
    let mut steps = scalar(0.0);
    while steps < 4.0 && word != Index(2) {
        h = (w.dot(h) + table.row(word)).variational_dropout(0.2).tanh().noise(0.1);
        word = out.dot(h).sample();
        steps += 1.0;
        // What nothing depends on draws, too.
        let _ = h.dropout(0.5);
    }
    let mut sum = zeros(size);
    if word == Index(2) {
        for child in gather_all::<Memory>() {
            sum += w.dot(child.h).dropout(0.4);
        }
    }
    for child in gather_all::<Memory>() {
        sum += child.h.dropout(0.2);
    }
    let h = match id {
        Index(0) => w.dot(h.dropout(0.5)),
        _ => h + sum.dropout(0.5),
    };
    scatter(Memory { h: h.tanh() });
    push(Drawn { word: out.dot(h).argmax(), h });
    loss(h.square().sum());
}

#[vertex_helper]
fn noisy(x: Tensor) -> Tensor {
    x.noise(0.2).dropout(0.1)
}

/// Draws in conditions, of which the second is asked only where the first does not decide, in a
/// helper and in a loop that is unrolled.
#[vertex_function]
fn asking(#[param(V, H)] table: Tensor, #[param(H, H)] w: Tensor) {
    let Word { id } = pull();
    let mut h = table.row(id);
    let mut asked = scalar(0.0);
    while asked < 5.0 && (h.sum() > 1.0 || noisy(h).sample() != Index(1)) {
        for _ in 0..2 {
            h = noisy(w.dot(h)).tanh();
        }
        asked += 1.0;
    }
    loop {
        h = 0.5 * h.noise(0.1);
        if h.dropout(0.5).square().sum() < 0.3 {
            break;
        }
        h = noisy(h);
    }
    scatter(Memory { h });
    push(Drawn { word: h.sample(), h });
    loss(h.sum() + asked);
}

#[test]
fn draws_in_conditions_are_counted() {
    let start = Initializer::Uniform { bound: 0.8 };
    let (model, f) = model_of::<asking, f64>(dims! { V: 7, H: 6 }.init("table", start), 9);
    let mut g = model.graph();
    for id in 0..7 {
        g.add(&f, (), Word { id: Index(id) });
    }
    let batch = model.minibatch([&g]).unwrap();
    for seed in 0..4 {
        let check = Check { draws: (seed, 3), ..Check::default() };
        compiled_equals_eager(&model, &batch, &check).unwrap();
    }
}

#[test]
fn draws_are_counted_on_the_way() {
    fn check<T: Element>() {
        let start = Initializer::Uniform { bound: 0.8 };
        let dims = dims! { V: 5, H: 6 };
        let dims = ["table", "out"].iter().fold(dims, |dims, name| dims.init(name, start));
        let (model, f) = model_of::<drawing, T>(dims, 7);
        let graph = |size: usize| {
            let mut g = model.graph();
            let mut all = Vec::new();
            for place in 0..size {
                let children = &all[all.len().saturating_sub(place % 3)..];
                let id = Index(((3 * place + size) % 5) as u32);
                let vertex = g.add(&f, children, Word { id });
                all.push(vertex);
            }
            g.set_sample(size as u64);
            g
        };
        let graphs = [7, 1, 12, 4].map(graph);
        let batch = model.minibatch(&graphs).unwrap();
        compiled_equals_eager(&model, &batch, &Check::default()).unwrap();
        // The draws are the same alone, and when what has run runs again.
        let said = |batch: &Minibatch<T>, place: usize| {
            let mut engine = Engine::new();
            let run = engine.forward(&model, batch, 5).unwrap();
            let size = graphs[2].len();
            let words: Vec<u32> =
                (0..size).map(|vertex| run.index_at(place, vertex, "word").unwrap()).collect();
            let steps: Vec<usize> =
                (0..size).map(|vertex| run.sections_at(place, vertex).unwrap()).collect();
            (words, steps, run.minibatch().clone())
        };
        let (words, steps, grown) = said(&batch, 2);
        let alone = said(&model.minibatch([&graphs[2]]).unwrap(), 0);
        let again = said(&grown, 2);
        assert_eq!((&words, &steps), (&alone.0, &alone.1));
        assert_eq!((&words, &steps), (&again.0, &again.1));
        assert!(steps.iter().any(|of| of != &steps[0]), "{steps:?}");
    }
    check::<f64>();
    check::<f32>();
}

#[derive(Input)]
struct Turns {
    id: Index,
    turns: Tensor,
}

/// Turns a vector as often as it is told, with a branch in each turn; what it began with is read in
/// the end.
#[expect(clippy::neg_cmp_op_on_partial_ord, reason = "a condition that the compiler knows")]
#[vertex_function]
fn turning(
    #[param(V, H)] table: Tensor,
    #[param(H, H)] w: Tensor,
    #[param(H)] v: Tensor,
    #[param(ONE)] unit: Tensor,
) {
    let Turns { id, turns } = pull();
    let turns = (turns * unit).sum();
    let begun = table.row(id);
    let (mut h, mut turn) = (begun, scalar(0.0));
    while turn < turns {
        let turned = w.dot(h).tanh();
        h = if v.dot(turned) > 0.0 { w.dot(turned) * 0.9 } else { turned - 0.1 * begun };
        // An arm that is always taken: sections that follow one another without a decision.
        for k in 0..2 {
            if !(k as f64 > 1.5) {
                h = h - 0.01 * w.dot(h);
            }
        }
        turn += 1.0;
    }
    scatter(Memory { h: h + begun });
    loss(h.dot(v));
}

/// In inference a loop takes memory for the vertices that are in it, not for all of its turns.
#[test]
fn inference_forgets_what_is_done() {
    let start = Initializer::Uniform { bound: 0.6 };
    let dims = dims! { V: 9, H: 16, ONE: 1 }.init("table", start).init("v", start);
    let (model, f) = model_of::<turning, f32>(dims.init("unit", Initializer::Constant(1.0)), 6);
    let mut g = model.graph();
    let vertices: Vec<Vertex<Memory>> = (0..20)
        .map(|number| {
            let turns = g.tensor(&[if number % 5 == 0 { 1500.0 } else { number as f32 }]);
            g.add(&f, (), Turns { id: Index(number % 9), turns })
        })
        .collect();
    let batch = model.minibatch([&g]).unwrap();
    let run = |engine: &mut Engine, is_training: bool| {
        let run = match is_training {
            true => engine.forward(&model, &batch, 1).unwrap(),
            false => engine.infer(&model, &batch).unwrap(),
        };
        let state = |vertex: &Vertex<Memory>| run.state(*vertex).unwrap().h.to_owned();
        let states: Vec<_> = vertices.iter().map(state).collect();
        let losses: Vec<f64> = (0..20).map(|v| run.vertex_loss(0, v).unwrap()).collect();
        let steps: usize = (0..20).map(|v| run.sections_at(0, v).unwrap()).sum();
        // What has run is known, even if it was forgotten.
        let explained = run.explain();
        assert_eq!(explained.batches, run.batch_count());
        (states, losses, steps, run.loss().unwrap(), run.report().arena_bytes)
    };
    let new = || Engine::with_threads(2).unwrap();
    let trained = run(&mut new(), true);
    // The first time memory grows, and the second time it is there.
    let mut engine = new();
    for _ in 0..2 {
        let (states, losses, steps, loss, _) = run(&mut engine, false);
        assert_eq!((&states, &losses), (&trained.0, &trained.1));
        assert_eq!((steps, loss), (trained.2, trained.3));
    }
    let bytes = run(&mut new(), false).4;
    let least = 4 * 16 * trained.2;
    assert!(trained.4 > least && 4 * bytes < least, "{bytes} of {least} and {}", trained.4);
}
