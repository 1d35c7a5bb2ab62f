//! Decisions that run apart: loops by values, and branches whose arms do real work. Called, a
//! vertex function is Rust; compiled it computes the same, row for row as much as is needed.

mod bits;
mod ends;
mod parts;
mod ran;
mod random_parts;

use edb::Element;
use edb::graph::{InputRecord, VertexRecord};
use edb::prelude::*;
use edb::schedule::Policy;
use edb::testing::{Check, compiled_equals_eager};

use edb_backend_suite::agreement::agrees;
use edb_backend_suite::models::model_of;

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
    model_of(dims! { V: 11, H: 6 }, 3)
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
    (builder.build_as(seed).unwrap(), f)
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
        agrees(&model, &graphs);
        let (model, f) = forest::<f32>(seed);
        let graphs: Vec<_> =
            (1..9).map(|leaves| tree(&model, &f, leaves, seed + leaves as u64)).collect();
        agrees(&model, &graphs);
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
    // It is saved for the model, and loaded for it.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("growth.json");
    // ANCHOR: keep_growth
    let learned = engine.learned_growth(&model).unwrap(); // `None` before it has learned
    learned.save(&path, model.signature()).unwrap();
    // In another process:
    let loaded = Policy::load(&path, model.signature()).unwrap();
    let mut again = Engine::new().grow_by(loaded.clone());
    // ANCHOR_END: keep_growth
    assert_eq!(loaded.to_string(), learned.to_string());
    assert!(learned.to_string().contains(" for "), "{learned}");
    assert_eq!(states(&mut again, &graphs), alone);
    let other = pondering::<f64>().0;
    assert!(Policy::load(&path, other.signature()).is_err());

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

#[derive(Output)]
struct Said {
    word: Index,
    scores: Tensor,
}

/// Thinks, and then says a word.
#[vertex_function]
fn speak(
    #[dim(H)] size: Dim,
    #[param(V, H)] table: Tensor,
    #[param(H, H)] u: Tensor,
    #[param(H)] halt: Tensor,
    #[param(V, H)] v: Tensor,
) {
    let Word { id } = pull();
    let before = gather_or(0, Thought { h: zeros(size) });
    let x = table.row(id);
    let (mut s, mut left) = (before.h, scalar(1.0));
    while left > 0.0 {
        s = (x + u.dot(s)).tanh();
        left -= 0.2 + 0.6 * halt.dot(s).sigmoid();
    }
    let scores = v.dot(s);
    let word = scores.argmax();
    push(Said { word, scores });
    scatter(Thought { h: s });
    loss(cross_entropy(scores, word));
}

/// Vertices decide how they go on, and graphs grow by what these vertices decide. They grow alike beside any other
/// graphs, and the grown graphs have the same values when they run again.
#[test]
fn graphs_grow_by_what_loops_decide() {
    let bound = Initializer::Uniform { bound: 1.0 };
    let setup = ["table", "halt", "v"]
        .iter()
        .fold(dims! { V: 7, H: 4 }, |dims, name| dims.init(name, bound));
    let (model, f) = model_of::<speak, f32>(setup, 4);
    let begin = |first: u32| {
        let mut g = model.graph();
        g.add(&f, [None], Word { id: Index(first) });
        g
    };
    let grow = |engine: &mut Engine, firsts: &[u32]| {
        let mut said = vec![Vec::new(); firsts.len()];
        let mut growth =
            engine.grow_forward(&model, firsts.iter().map(|first| begin(*first)), 1).unwrap();
        while let Some(round) = growth.round().unwrap() {
            for mut g in round {
                let place = g.place();
                for (vertex, Said { word, scores }) in g.decided(&f).collect::<Vec<_>>() {
                    let best = g.values(scores).unwrap()[word.0 as usize];
                    said[place].push((word.0, best.to_bits()));
                    assert_eq!(g.index_at(vertex.number(), "word").unwrap(), word.0);
                    if said[place].len() < 3 + firsts[place] as usize {
                        g.add(&f, [Some(vertex)], Word { id: word });
                    }
                }
            }
        }
        let mut run = growth.finish().unwrap();
        edb::testing::grown_equals_eager(&mut run, &Check::default()).unwrap();
        said
    };
    let firsts = [0, 3, 1, 6, 2];
    let together = grow(&mut Engine::new(), &firsts);
    for (first, said) in firsts.iter().zip(&together) {
        assert_eq!(grow(&mut Engine::new(), &[*first]), std::slice::from_ref(said));
    }
    let mut engine = Engine::with_threads(2).unwrap();
    for _ in 0..6 {
        assert_eq!(grow(&mut engine, &firsts), together);
    }
}

/// A function with sections twice in a model, and a helper that branches and loops.
#[vertex_helper]
fn softened(x: Tensor, w: Tensor) -> Tensor {
    let mut y = x;
    while y.square().sum() > 0.5 {
        y = 0.5 * (y + w.dot(y).tanh() * 0.1);
    }
    y
}

#[vertex_function]
fn helped(#[param(V, H)] table: Tensor, #[param(H, H)] w: Tensor) {
    let Word { id } = pull();
    let x = softened(table.row(id), w);
    let y = softened(x * 3.0, w);
    scatter(Thought { h: x + y });
    loss(y.sum());
}

#[test]
fn a_function_twice_and_loops_in_helpers() {
    let mut builder = ModelBuilder::new();
    let table = Initializer::Uniform { bound: 1.5 };
    let first = builder.add::<helped>(dims! { V: 9, H: 3 }.init("table", table));
    let second = builder.add::<helped>(dims! { V: 9, H: 3 }.init("table", table).named("second"));
    let model: Model<f64> = builder.build_as(4).unwrap();
    let mut names: Vec<&str> =
        model.signature().types().iter().map(|of| of.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 2 * 5);
    let mut g = model.graph();
    for id in 0..9 {
        g.add(&first, (), Word { id: Index(id) });
        g.add(&second, (), Word { id: Index(8 - id) });
    }
    agrees(&model, [&g]);
    // An index that a later section alone reads is checked, too.
    let mut g = model.graph();
    g.add(&first, (), Word { id: Index(9) });
    assert!(model.minibatch([&g]).is_err());
}

/// A cheap branch reads what a loop has made: no NaN of the arm that is not taken gets into its
/// gradient.
#[vertex_function]
fn rooted(#[param(V, H)] table: Tensor, #[param(H, H)] w: Tensor) {
    let Word { id } = pull();
    let x = table.row(id);
    let (mut s, mut n) = (x.sum(), scalar(0.0));
    while n < 2.5 {
        s = if s > 0.0 { s.sqrt() } else { 0.5 * s };
        n += 1.0;
    }
    let cost = if s > 0.0 { s.ln() } else { s };
    let h = w.dot(x) * cost;
    scatter(Thought { h });
    loss(h.sum() + cost);
}

#[test]
fn cheap_branches_read_what_loops_make() {
    let table = Initializer::Uniform { bound: 1.0 };
    let (model, f) = model_of::<rooted, f64>(dims! { V: 12, H: 3 }.init("table", table), 3);
    let mut g = model.graph();
    for id in 0..12 {
        g.add(&f, (), Word { id: Index(id) });
    }
    let batch = model.minibatch([&g]).unwrap();
    compiled_equals_eager(&model, &batch, &Check::default()).unwrap();
    let mut engine = Engine::new();
    assert!(engine.forward(&model, &batch, 0).unwrap().backward().unwrap().check_finite().is_ok());
}

/// A vertex of `ponder` as a record.
fn thought(id: u32, child: Option<usize>) -> VertexRecord {
    VertexRecord {
        function: "ponder".into(),
        children: vec![child],
        input: [("id".to_owned(), InputRecord::Index(id))].into(),
    }
}

/// What is not known before the vertices have run is an error, and sections are no vertices of the
/// graph.
#[test]
fn what_vertices_decide_is_known_when_they_have_run() {
    let (model, f) = pondering::<f32>();
    let batch = chains(&model, &f, &[2], 11);
    let mut engine = Engine::new();
    let error = engine.training_bytes(&model, &batch).unwrap_err().to_string();
    assert!(error.contains("vertices of function `ponder` decide"), "{error}");
    assert!(engine.type_graph(&model, &batch).is_err());
    let run = engine.infer(&model, &batch).unwrap();
    assert!(run.minibatch().vertex_count() > 2);
    let error = run.vertex_loss(0, 2).unwrap_err().to_string();
    assert!(error.contains('2'), "{error}");
    let grown = run.minibatch().clone();
    assert!(engine.training_bytes(&model, &grown).unwrap() > 0);
    // Each vertex with a loss counts once, however many sections have one.
    let mut trainer = Trainer::new(pondering::<f32>().0, Sgd::new(0.0))
        .reduction(edb::trainer::Reduction::MeanOfVertices);
    let records: Vec<_> =
        (0..3).map(|id| thought(id, id.checked_sub(1).map(|id| id as usize))).collect();
    let g = trainer.model().graph_from_records(&records).unwrap();
    let batch = trainer.model().minibatch([&g]).unwrap();
    assert_eq!(trainer.step(&batch).unwrap().terms, 3);
}

/// Records may name children that stand further on.
#[test]
fn records_in_any_order_run() {
    let (model, _) = pondering::<f64>();
    let records = [thought(3, Some(2)), thought(1, None), thought(4, Some(1))];
    let g = model.graph_from_records(&records);
    agrees(&model, [&g.unwrap()]);
    // A section is no function of the model.
    let hidden = VertexRecord { function: "ponder.while".into(), ..thought(0, None) };
    let error = model.graph_from_records(&[hidden]).unwrap_err().to_string();
    assert!(error.contains("ponder.while") && !error.contains("ponder.end"), "{error}");
}
