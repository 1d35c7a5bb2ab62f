//! Decisions that run apart: loops by values, and branches whose arms do real work. Called, a
//! vertex function is Rust; compiled it computes the same, row for row as much as is needed.

use edb::Element;
use edb::prelude::*;
use edb::schedule::Policy;
use edb::testing::{Check, compiled_equals_eager};

#[derive(State)]
struct Thought {
    h: Tensor,
}

#[derive(Input)]
struct Word {
    id: Index,
}

/// Adaptive computation time (Graves, 2016): hard words take more steps.
#[vertex_function]
fn ponder(
    #[dim(H)] size: Dim,
    #[param(V, H)] table: Tensor,
    #[param(H, H)] w: Tensor,
    #[param(H, H)] u: Tensor,
    #[param(H)] b: Tensor,
    #[param(H)] halt: Tensor,
) {
    let Word { id } = pull();
    let before = gather_or(0, Thought { h: zeros(size) });
    let x = w.dot(table.row(id)) + b;
    let (mut s, mut sum) = (before.h, zeros(size));
    let (mut halted, mut cost) = (scalar(0.0), scalar(0.0));
    while halted < 0.99 {
        s = (x + u.dot(s)).tanh();
        let p = halt.dot(s).sigmoid() * 0.6;
        let p = if halted + p < 0.99 { p } else { 1.0 - halted };
        sum += p * s;
        halted += p;
        cost += 1.0 - halted;
    }
    scatter(Thought { h: sum });
    loss(0.01 * cost);
    loss(sum.square().sum());
}

/// Chains of words of these numbers.
fn chains<T: Element>(
    model: &Model<T>,
    f: &Function<ponder>,
    lengths: &[usize],
    words: usize,
) -> Minibatch<T> {
    let graphs: Vec<Graph<T>> = lengths
        .iter()
        .enumerate()
        .map(|(number, length)| {
            let mut g = model.graph();
            let mut before = None;
            for place in 0..*length {
                let id = Index(((7 * number + 3 * place) % words) as u32);
                before = Some(g.add(f, [before], Word { id }));
            }
            g
        })
        .collect();
    model.minibatch(&graphs).unwrap()
}

fn pondering<T: Element>() -> (Model<T>, Function<ponder>) {
    let mut builder = ModelBuilder::new();
    let f = builder.add::<ponder>(dims! { V: 11, H: 6 });
    (builder.build(3).unwrap(), f)
}

#[test]
fn a_loop_is_what_it_is_in_rust() {
    let (model, f) = pondering::<f64>();
    let batch = chains(&model, &f, &[5, 1, 3, 8], 11);
    compiled_equals_eager(&model, &batch, &Check::default()).unwrap();
    let (model, f) = pondering::<f32>();
    let batch = chains(&model, &f, &[5, 1, 3, 8], 11);
    compiled_equals_eager(&model, &batch, &Check::default()).unwrap();
}

#[derive(State)]
struct Phrase {
    h: Tensor,
    kind: Index,
}

#[derive(Input)]
struct Leaf {
    x: Tensor,
    id: Index,
}

#[derive(Output)]
struct Seen {
    logits: Tensor,
    which: Index,
}

#[vertex_function]
fn leaf(#[param(H, X)] w: Tensor, #[param(V, H)] table: Tensor) {
    let Leaf { x, id } = pull();
    let h = (w.dot(x) + table.row(id)).tanh();
    // An arm that does real work, and a loss in it.
    let h = if h.sum() > 0.0 {
        loss(0.1 * h.square().sum());
        (w.dot(x) * h).sigmoid()
    } else {
        h
    };
    scatter(Phrase { h, kind: h.argmax() });
}

/// One of three experts, and a loop in an arm, in it a branch.
#[vertex_function]
fn phrase(
    #[dim(H)] size: Dim,
    #[param(3, 2 * H)] route: Tensor,
    #[param(H, 2 * H)] first: Tensor,
    #[param(2 * H, 2 * H)] second: Tensor,
    #[param(H, H)] again: Tensor,
    #[param(H, H)] kinds: Tensor,
) {
    let [l, r]: [Phrase; 2] = [gather(0), gather(1)];
    let x = concat([l.h, r.h]);
    let p = route.dot(x).softmax();
    let expert = p.argmax();
    let mut steps = scalar(0.0);
    let h = match expert {
        Index(0) => (first.dot(x)).tanh(),
        Index(1) => {
            let [a, g] = second.dot(x).split();
            a.tanh() * g.sigmoid()
        }
        _ => {
            let mut h = l.h + r.h;
            while steps < 3.0 {
                h = if h.max() > 0.5 { (again.dot(h)).tanh() * 0.7 } else { h * 1.5 + 0.2 };
                steps += 1.0;
                loss(0.01 * h.sum());
            }
            h
        }
    };
    // Which index differs between the arms.
    let kind = if h.sum() > 0.3 { l.kind } else { r.kind };
    let h = p.pick(expert) * h + kinds.row(kind);
    let mut halved = h;
    let mut rounds = scalar(0.0);
    loop {
        let size_now = halved.square().sum();
        if size_now < 0.2 || rounds > 4.0 {
            rounds += size_now;
            break;
        }
        halved = 0.6 * halved + 0.01 * zeros(size);
        rounds += 1.0;
    }
    loss(0.02 * rounds + halved.sum());
    scatter(Phrase { h, kind });
    push(Seen { logits: route.dot(concat([h, halved])), which: expert });
}

/// Children are read where they are needed.
#[vertex_function]
fn bag(
    #[dim(H)] size: Dim,
    #[param(H, H)] w: Tensor,
    #[param(H)] v: Tensor,
    #[param(X)] weights: Tensor,
) {
    let Leaf { x, .. } = pull();
    let first: Phrase = gather(0);
    let kind: Index = first.kind;
    let mut sum = zeros(size);
    if v.dot(first.h) + weights.dot(x) > 0.0 {
        for child in gather_all::<Phrase>() {
            sum += w.dot(child.h);
        }
    } else {
        sum = w.dot(first.h) * x.sum();
    }
    let mut rounds = scalar(0.0);
    while rounds < 2.0 {
        let (now, mut more) = (sum, zeros(size));
        for child in gather_all::<Phrase>() {
            more += 0.1 * child.h * now;
        }
        sum += more;
        rounds += 1.0;
    }
    scatter(Phrase { h: sum.tanh(), kind });
}

struct Forest {
    leaf: Function<leaf>,
    phrase: Function<phrase>,
    bag: Function<bag>,
}

fn forest<T: Element>(seed: u64) -> (Model<T>, Forest) {
    let mut builder = ModelBuilder::new();
    let f = Forest {
        leaf: builder.add(dims! { H: 4, X: 3, V: 5 }),
        phrase: builder.add(dims! { H: 4 }),
        bag: builder.add(dims! { H: 4, X: 2 }),
    };
    (builder.build(seed).unwrap(), f)
}

/// A tree: its leaves are numbered, and every third vertex has many children.
fn tree<T: Element>(model: &Model<T>, f: &Forest, leaves: usize, seed: u64) -> Graph<T> {
    let mut g = model.graph();
    let number = |a: usize| ((a as u64 * 37 + seed * 11) % 19) as f64 / 10.0 - 0.9;
    let mut open: Vec<Vertex<Phrase>> = (0..leaves)
        .map(|leaf| {
            let x: Vec<T> = (0..3).map(|k| T::from_f64(number(3 * leaf + k))).collect();
            let x = g.tensor(&x);
            g.add(&f.leaf, (), Leaf { x, id: Index((leaf % 5) as u32) })
        })
        .collect();
    while open.len() > 1 {
        let count = if open.len().is_multiple_of(3) { open.len().min(4) } else { 2 };
        let children: Vec<_> = open.drain(..count).collect();
        let parent = match count {
            2 => g.add(&f.phrase, [children[0], children[1]], ()),
            _ => {
                let x = g.tensor(&[T::from_f64(number(count)); 2]);
                g.add(&f.bag, (children[0], &children[1..]), Leaf { x, id: Index(0) })
            }
        };
        open.push(parent);
    }
    g
}

#[test]
fn branches_and_loops_are_what_they_are_in_rust() {
    for seed in 0..6 {
        let (model, f) = forest::<f64>(seed);
        let graphs: Vec<_> =
            (1..9).map(|leaves| tree(&model, &f, leaves, seed + leaves as u64)).collect();
        let batch = model.minibatch(&graphs).unwrap();
        compiled_equals_eager(&model, &batch, &Check::default()).unwrap();
        let (model, f) = forest::<f32>(seed);
        let graphs: Vec<_> =
            (1..9).map(|leaves| tree(&model, &f, leaves, seed + leaves as u64)).collect();
        let batch = model.minibatch(&graphs).unwrap();
        compiled_equals_eager(&model, &batch, &Check::default()).unwrap();
    }
}

/// A vertex has the same bits alone and in company, by any policy and on any number of threads, and
/// when what the minibatch has become runs again.
#[test]
fn company_and_order_change_no_bit() {
    let (model, f) = forest::<f32>(2);
    let graphs: Vec<_> = (2..9).map(|leaves| tree(&model, &f, leaves, leaves as u64)).collect();
    let states = |engine: &mut Engine, graphs: &[Graph]| -> Vec<u32> {
        let batch = model.minibatch(graphs).unwrap();
        let run = engine.infer(&model, &batch).unwrap();
        let mut bits = Vec::new();
        for (place, graph) in graphs.iter().enumerate() {
            for vertex in 0..graph.len() {
                let h = run.state_at(place, vertex, "h").unwrap().unwrap();
                bits.extend(h.iter().map(|x| x.to_bits()));
                bits.push((run.vertex_loss(place, vertex).unwrap() as f32).to_bits());
            }
        }
        bits
    };
    let alone: Vec<u32> = graphs
        .iter()
        .flat_map(|graph| states(&mut Engine::new(), std::slice::from_ref(graph)))
        .collect();
    let types = model.signature().growing();
    let forth: Vec<u16> = (0..types.type_count()).collect();
    let back: Vec<u16> = forth.iter().rev().copied().collect();
    for threads in 1..4 {
        let mut engine = Engine::with_threads(threads).unwrap();
        assert_eq!(states(&mut engine, &graphs), alone);
    }
    for order in [forth, back] {
        let order = edb::schedule::TypeOrder::new(&types, order).unwrap();
        let policy = Policy::Order(std::sync::Arc::new(order));
        assert_eq!(states(&mut Engine::new().grow_by(policy), &graphs), alone);
    }
    // A policy that is learned on the way.
    let mut engine = Engine::new();
    for _ in 0..6 {
        assert_eq!(states(&mut engine, &graphs), alone);
    }
    assert!(engine.learned_growth(&model).is_some());

    let batch = model.minibatch(&graphs).unwrap();
    let mut engine = Engine::new();
    let mut run = engine.forward(&model, &batch, 1).unwrap();
    let loss = run.loss().unwrap();
    let gradients = run.backward().unwrap();
    let grown = run.minibatch().clone();
    let mut engine = Engine::new();
    let mut again = engine.forward(&model, &grown, 1).unwrap();
    assert_eq!(again.loss().unwrap().to_bits(), loss.to_bits());
    let same = again.backward().unwrap();
    for (id, _) in model.parameters().iter() {
        assert_eq!(gradients.to_dense(id), same.to_dense(id));
    }
}

#[test]
fn a_loop_that_does_not_end_is_an_error() {
    let (model, f) = pondering::<f32>();
    let batch = chains(&model, &f, &[2, 3], 11);
    let mut engine = Engine::new().most_steps(4);
    let error = engine.infer(&model, &batch).unwrap_err().to_string();
    assert!(error.contains("of function `ponder`, has run 4 sections"), "{error}");
    // The engine goes on.
    assert!(engine.most_steps(10_000).infer(&model, &batch).is_ok());
}

#[test]
fn a_model_with_loops_trains() {
    let (model, f) = pondering::<f32>();
    let batch = chains(&model, &f, &[5, 1, 3, 8], 11);
    let mut trainer = Trainer::new(model, Adam::new(0.01));
    let losses: Vec<f64> = (0..30).map(|_| trainer.step(&batch).unwrap().loss).collect();
    assert!(losses[29] < 0.8 * losses[0], "{losses:?}");
}
