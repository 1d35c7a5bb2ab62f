//! Branches on values: a vertex function is Rust that branches when it is called, and compiled it
//! computes the same.

use edb::Element;
use edb::prelude::*;
use edb::testing::{Check, compiled_equals_eager};

use edb_backend_suite::agreement::agrees;
use edb_backend_suite::models::model_of;

#[derive(State)]
struct Node {
    h: Tensor,
    c: Tensor,
}

#[derive(Input)]
struct Word {
    x: Tensor,
    kind: Index,
}

/// A branch in a helper.
#[vertex_helper]
fn softened(x: Tensor, by: Tensor) -> Tensor {
    if by > 2.0 { (x * x + 1.0).ln() } else { x }
}

/// One of everything that branches.
#[vertex_function]
fn branchy(
    #[dim(H)] size: Dim,
    #[param(H, H)] w: Tensor,
    #[param(H)] b: Tensor,
    #[param(H)] v: Tensor,
    #[param(3, H)] route: Tensor,
    #[param(4, H)] kinds: Tensor,
) {
    let Word { x, kind } = pull();
    let before = gather_or(0, Node { h: zeros(size), c: zeros(size) });
    let h = w.dot(before.h) + x + kinds.row(kind);
    let score = v.dot(h);
    // A value of all arms, and variables that some of them change.
    let (mut c, mut cost, mut weight) = (before.c, scalar(0.0), 1.0);
    let gate = if score > 0.1 && !(x.sum() > 0.9 || score > 3.0) {
        c += h.tanh();
        cost += 0.1;
        (h * b).sigmoid()
    } else if score < -1.0 || 0.3 >= x.max() {
        c = -c;
        weight = 0.5;
        (h.exp() + 1.0).ln()
    } else {
        loss(0.01 * h.square().sum());
        b
    };
    // What is infinite or no number where it is not taken.
    let length = (h * h).sum();
    let mut scaled = h;
    if length > 1.0 {
        let inverse = 1.0 / (length - 1.0).sqrt();
        scaled = softened(h * inverse, inverse);
    }
    // An index that is computed, and one that is pulled.
    let chosen = match route.dot(h).argmax() {
        Index(0) => gate * scaled,
        Index(1) | Index(2) => {
            let (mut first, mut second) = (c, scaled);
            for k in 0..2 {
                if weight * score < k as f64 {
                    let before = first;
                    first = second;
                    second = before.tanh();
                }
            }
            first - second
        }
        _ => gate,
    };
    let result = match kind {
        Index(2) => chosen + b,
        _ => chosen.tanh(),
    };
    loss(weight * cost + 0.1 * result.sum());
    scatter(Node { h: result.tanh(), c: c.tanh() });
}

/// Adds up the children that are long.
#[vertex_function]
fn gathers(#[dim(H)] size: Dim, #[param(H)] v: Tensor) {
    let mut sum = zeros(size);
    for child in gather_all::<Node>() {
        let s = v.dot(child.h);
        sum += if s > 0.0 { s * child.h } else { child.c.sqrt() };
    }
    let total = if sum.norm() < 0.5 { sum.exp() } else { sum };
    loss(total.sum());
}

/// A model of both, and graphs: chains of words, and one vertex that reads them all.
fn chains<T: Element>(count: usize) -> (Model<T>, Vec<Graph<T>>) {
    let mut builder = ModelBuilder::new();
    let word = builder.add::<branchy>(dims! { H: 5 });
    let all = builder.add::<gathers>(dims! { H: 5 });
    let model = builder.build_as(7).unwrap();
    let number = |seed: usize| ((seed * 7919 % 1000) as f64 / 250.0) - 2.0;
    let graphs = (0..count).map(|chain| {
        let mut g = model.graph();
        let mut words = Vec::new();
        for place in 0..1 + chain % 4 {
            let seed = 31 * chain + 7 * place;
            let x: Vec<T> = (0..5).map(|k| T::from_f64(number(seed + k))).collect();
            let x = g.tensor(&x);
            let kind = Index((seed % 4) as u32);
            words.push(g.add(&word, [words.last().copied()], Word { x, kind }));
        }
        g.add(&all, &words[..], ());
        g
    });
    let graphs = graphs.collect();
    (model, graphs)
}

#[test]
fn branches_are_what_they_are_in_rust() {
    let (model, graphs) = chains::<f64>(40);
    agrees(&model, &graphs);
    let (model, graphs) = chains::<f32>(40);
    agrees(&model, &graphs);
}

/// Everything that an arm computes where it is not taken is no number, or infinite, and so are its
/// slopes there. Neither values nor gradients outside see it.
#[vertex_function]
fn guarded(#[param(H)] w: Tensor) {
    let Word { x, .. } = pull();
    let least = x.min();
    let logs = if least > 0.0 {
        (x.ln() + x.sqrt() + 1.0 / x) * w
    } else if least < -1.0 {
        (-x.sum()).ln() * w
    } else {
        w * (x - least).square()
    };
    loss(logs.sum());
}

#[test]
fn what_is_not_taken_spreads_no_nan() {
    let (model, f) = model_of::<guarded, f32>(dims! { H: 3 }, 1);
    let inputs = [[0.5, 2.0, 1.0], [-2.0, 0.0, -0.5], [0.0, 1.0, 0.0]];
    let graphs = inputs.map(|x| {
        let mut g = model.graph();
        let x = g.tensor(&x);
        g.add(&f, (), Word { x, kind: Index(0) });
        g
    });
    let batch = model.minibatch(&graphs).unwrap();
    compiled_equals_eager(&model, &batch, &Check::default()).unwrap();
    let mut engine = Engine::new();
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    let gradients = run.backward().unwrap();
    for (id, _) in model.parameters().iter() {
        assert!(gradients.to_dense(id).iter().all(|number| number.is_finite()));
    }
    for graph in 0..3 {
        let gradient = run.input_gradient_at(graph, 0, "x").unwrap().unwrap();
        assert!(gradient.iter().all(|number| number.is_finite()), "{graph}: {gradient}");
    }
}

/// Chooses between zeros of both signs.
#[vertex_function]
fn signed(#[param(H)] w: Tensor) {
    let Word { x, .. } = pull();
    loss(w.dot(x));
    let zero = if x.sum() > 0.0 { -(0.0 * x) } else { x };
    scatter(Node { h: zero, c: x });
}

#[test]
fn what_is_chosen_has_the_bits_of_its_arm() {
    let (model, f) = model_of::<signed, f32>(dims! { H: 3 }, 1);
    let mut g = model.graph();
    let vertices = [[1.0, 2.0, 0.0], [-0.0, -1.0, 0.0]].map(|x| {
        let x = g.tensor(&x);
        g.add(&f, (), Word { x, kind: Index(0) })
    });
    let batch = model.minibatch([&g]).unwrap();
    let mut engine = Engine::new();
    let run = engine.infer(&model, &batch).unwrap();
    let bits = |vertex: Vertex<Node>| -> Vec<u32> {
        run.state(vertex).unwrap().h.iter().map(|x| x.to_bits()).collect()
    };
    assert_eq!(bits(vertices[0]), [-0.0_f32; 3].map(f32::to_bits));
    assert_eq!(bits(vertices[1]), [-0.0_f32, -1.0, 0.0].map(f32::to_bits));
}

/// What is done with the children depends on the input, in one function.
#[vertex_function]
fn either(#[param(H, 2 * H)] w: Tensor) {
    let Word { kind, .. } = pull();
    let [a, b]: [Node; 2] = [gather(0), gather(1)];
    let joined = w.dot(concat([a.h, b.h]));
    let h = match kind {
        Index(0) => joined.tanh() + a.h,
        _ => joined.sigmoid() * b.h,
    };
    loss(h.sum());
    scatter(Node { h, c: a.c });
}

/// The same in two.
#[vertex_function]
fn first(#[param(H, 2 * H)] w: Tensor) {
    let [a, b]: [Node; 2] = [gather(0), gather(1)];
    let h = w.dot(concat([a.h, b.h])).tanh() + a.h;
    loss(h.sum());
    scatter(Node { h, c: a.c });
}

#[vertex_function]
fn second(#[param(H, 2 * H)] w: Tensor) {
    let [a, b]: [Node; 2] = [gather(0), gather(1)];
    let h = w.dot(concat([a.h, b.h])).sigmoid() * b.h;
    loss(h.sum());
    scatter(Node { h, c: a.c });
}

/// Reads a word.
#[vertex_function]
fn word(#[param(H)] b: Tensor) {
    let Word { x, .. } = pull();
    scatter(Node { h: x + b, c: x });
}

/// A `match` on what is pulled has the bits of a vertex function for each case, forward and, of
/// what the vertices get, backward; beside any other vertices.
#[test]
fn a_match_has_the_bits_of_two_functions() {
    let mut builder = ModelBuilder::new();
    let word = builder.add::<word>(dims! { H: 6 });
    let either = builder.add::<either>(dims! { H: 6 });
    let first = builder.add::<first>(dims! { H: 6 }.share("w", either.param("w")));
    let second = builder.add::<second>(dims! { H: 6 }.share("w", either.param("w")));
    let model: Model = builder.build(3).unwrap();
    // A chain of joins, by one function or by two.
    let graph = |seed: u32, by_match: bool| {
        let mut g = model.graph();
        let mut leaf = |k: u32| {
            let x: Vec<f32> =
                (0..6).map(|i| ((seed + 5 * k + i) % 11) as f32 / 4.0 - 1.2).collect();
            let x = g.tensor(&x);
            g.add(&word, (), Word { x, kind: Index(0) })
        };
        let leaves: Vec<_> = (0..4 + seed % 3).map(&mut leaf).collect();
        let mut top = leaves[0];
        for (place, &leaf) in leaves.iter().enumerate().skip(1) {
            let kind = Index((seed + place as u32) % 2);
            top = match (by_match, kind) {
                (true, kind) => {
                    let x = g.tensor(&[0.0; 6]);
                    g.add(&either, [top, leaf], Word { x, kind })
                }
                (false, Index(0)) => g.add(&first, [top, leaf], ()),
                (false, _) => g.add(&second, [top, leaf], ()),
            };
        }
        g
    };
    let bits = |by_match: bool, threads: usize, together: usize| {
        let mut engine = Engine::with_threads(threads).unwrap();
        let graphs: Vec<Graph> = (0..12).map(|seed| graph(seed, by_match)).collect();
        let mut bits = Vec::new();
        for graphs in graphs.chunks(together) {
            let batch = model.minibatch(graphs).unwrap();
            let mut run = engine.forward(&model, &batch, 0).unwrap();
            run.backward().unwrap();
            for (place, graph) in graphs.iter().enumerate() {
                for vertex in 0..graph.len() {
                    let h = run.state_at(place, vertex, "h").unwrap().unwrap();
                    bits.extend(h.iter().map(|x| x.to_bits()));
                    bits.push((run.vertex_loss(place, vertex).unwrap() as f32).to_bits());
                    // Those of leaves, which both graphs have.
                    let leaf = run.input_gradient_at(place, vertex, "x").ok().flatten();
                    let leaf = leaf.filter(|_| vertex < 4);
                    bits.extend(leaf.iter().flat_map(|x| x.iter()).map(|x| x.to_bits()));
                }
            }
        }
        bits
    };
    let expected = bits(false, 1, 12);
    for (threads, together) in [(1, 12), (1, 1), (2, 5), (3, 12)] {
        assert!(bits(true, threads, together) == expected, "{threads} threads, {together}");
    }
}

#[derive(State)]
struct Said {
    h: Tensor,
    word: Index,
}

#[derive(Input)]
struct Given {
    x: Tensor,
    word: Index,
    other: Index,
}

/// A state, whose fields are known when this is.
#[vertex_helper]
fn made(h: Tensor, word: Index) -> Said {
    Said { h: h.tanh(), word }
}

/// An index of its own.
#[vertex_helper]
fn best(x: Tensor) -> Index {
    x.argmax()
}

/// Whether two indices are the same.
#[vertex_helper]
fn if_same(a: Index, b: Index, x: Tensor) -> Tensor {
    if a == b { x } else { -x }
}

/// A threshold that is a number when this is compiled, and a product in the arm that is taken then.
#[vertex_helper]
fn beyond(w: Tensor, x: Tensor, at: f64) -> Tensor {
    if at > 0.3 { w.dot(x) } else { x }
}

/// Branches on what helpers, children and the input give.
#[vertex_function]
fn helped(
    #[param(H, H)] w: Tensor,
    #[param(V, H)] table: Tensor,
    #[param(V, H)] v: Tensor,
    #[dim(H)] size: Dim,
) {
    let Given { x, word, other } = pull();
    let before = gather_or(0, Said { h: zeros(size), word: Index(1) });
    let mut h = beyond(w, x, 0.1 + 0.2) + if_same(word, other, table.row(word));
    let state: Said = made(h, other);
    let mut count = 0.0;
    match before.word {
        Index(0) => h += before.h,
        _ => count += 1.0,
    }
    // The second condition is computed where the first holds, with what it does.
    let s = h.sum();
    let loud = s > 0.0 && {
        loss(0.1 * s);
        count += 2.0;
        let inverse = (1.0 / s).sqrt();
        inverse < 1.5
    };
    let quiet = s < -1.0 || (1.0 + s).ln() > -0.4;
    match best(v.dot(h)) {
        Index(0) => loss(h.square().sum()),
        Index(2) => {
            if loud {
                h = h.tanh();
            }
        }
        _ => count += 0.5,
    }
    if quiet && word != other {
        count += 0.25;
    }
    loss(0.01 * count * h.sum());
    let sum = state.h + h;
    if sum.max() > 0.7 {
        loss(sum.mean());
    }
    scatter(state);
}

#[test]
fn helpers_children_and_effects_may_decide() {
    let (model, f) = model_of::<helped, f64>(dims! { H: 4, V: 3 }, 5);
    let graphs = (0..30_u32).map(|seed| {
        let mut g = model.graph();
        let mut last = None;
        for place in 0..1 + seed % 4 {
            let number = |k: u32| f64::from((seed * 13 + place * 7 + k * 5) % 17) / 6.0 - 1.4;
            let x = g.tensor(&[number(0), number(1), number(2), number(3)]);
            let (word, other) = (Index(seed % 3), Index((seed / 3 + place) % 3));
            last = Some(g.add(&f, [last], Given { x, word, other }));
        }
        g
    });
    agrees(&model, &graphs.collect::<Vec<_>>());
}

#[derive(Output)]
struct Told {
    y: Tensor,
    which: Index,
}

/// Each way through a function tells what it found, and goes no further.
#[vertex_function]
fn ways(#[param(H, H)] w: Tensor, #[param(H, H)] table: Tensor) {
    let Kind { kind } = pull();
    let h = table.row(kind);
    let best = h.argmax();
    if h.sum() > 0.5 {
        scatter(Found { h: w.dot(h), steps: kind });
        push(Told { y: h, which: best });
    } else {
        let y = if kind == Index(0) {
            scatter(Found { h, steps: Index(0) });
            w.dot(h).tanh()
        } else {
            let mut h = h;
            while h.sum() < 0.2 {
                h = w.dot(h) + 0.3;
            }
            scatter(Found { h: 2.0 * h, steps: kind });
            h
        };
        push(Told { y, which: kind });
    }
}

#[derive(Input)]
struct Kind {
    kind: Index,
}

#[derive(State)]
struct Found {
    h: Tensor,
    steps: Index,
}

#[test]
fn every_way_tells_once() {
    let start = Initializer::Uniform { bound: 0.6 };
    let (model, f) = model_of::<ways, f64>(dims! { H: 4 }.init("table", start), 3);
    let mut g = model.graph();
    for kind in 0..4 {
        g.add(&f, (), Kind { kind: Index(kind) });
    }
    agrees(&model, [&g]);
}
