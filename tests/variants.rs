//! Branches on indices that are pulled: a function has a variant for each way through them, and a
//! vertex is of the one that its input says, before anything runs.

use edb::prelude::*;
use edb::testing::{Check, compiled_equals_eager, grown_equals_eager};
use edb::trainer::Reduction;
use edb::{Element, model::Setup};

use edb_backend_suite::agreement::agrees;
use edb_backend_suite::models::model_of;
use edb_backend_suite::numbers::gradient_bits;
use edb_backend_suite::ports::{Gold, Memory, Word};

#[derive(Input)]
struct Operator {
    kind: Index,
}

#[vertex_function]
fn leaf(#[param(V, H)] table: Tensor) {
    let Word { id } = pull();
    scatter(Memory { h: table.row(id) });
}

/// What an operator computes of its children is another thing for each.
#[vertex_function]
fn combine(#[param(H, 2 * H)] w: Tensor, #[param(H, H)] u: Tensor, #[param(H, H)] v: Tensor) {
    let Operator { kind } = pull();
    let [l, r]: [Memory; 2] = [gather(0), gather(1)];
    let h = match kind {
        Index(0) => w.dot(concat([l.h, r.h])).tanh(),
        Index(1) => {
            loss(l.h.square().sum());
            u.dot(l.h) * v.dot(r.h)
        }
        _ => l.h + r.h,
    };
    scatter(Memory { h });
    loss(0.5 * h.square().sum());
}

#[vertex_function]
fn joined(#[param(H, 2 * H)] w: Tensor) {
    let [l, r]: [Memory; 2] = [gather(0), gather(1)];
    let h = w.dot(concat([l.h, r.h])).tanh();
    scatter(Memory { h });
    loss(0.5 * h.square().sum());
}

#[vertex_function]
fn multiplied(#[param(H, H)] u: Tensor, #[param(H, H)] v: Tensor) {
    let [l, r]: [Memory; 2] = [gather(0), gather(1)];
    loss(l.h.square().sum());
    let h = u.dot(l.h) * v.dot(r.h);
    scatter(Memory { h });
    loss(0.5 * h.square().sum());
}

#[vertex_function]
fn added() {
    let [l, r]: [Memory; 2] = [gather(0), gather(1)];
    let h = l.h + r.h;
    scatter(Memory { h });
    loss(0.5 * h.square().sum());
}

/// A tree: its leaves' words, and for each inner vertex the operator and its children.
type Tree = (Vec<u32>, Vec<(u32, [usize; 2])>);

/// Trees of so many leaves, whose shapes and operators follow from a seed.
fn trees(leaves: &[usize], operators: u32) -> Vec<Tree> {
    let tree = |(number, count): (usize, &usize)| {
        let mut open: Vec<usize> = (0..*count).collect();
        let mut inner = Vec::new();
        let mut draw = 7 * number + 3;
        while open.len() > 1 {
            draw = (draw * 1_103_515_245 + 12_345) % (1 << 31);
            let place = (draw >> 8) % (open.len() - 1);
            inner.push(((draw >> 16) as u32 % operators, [open[place], open.remove(place + 1)]));
            open[place] = count + inner.len() - 1;
        }
        ((0..*count as u32).map(|id| id % 5).collect(), inner)
    };
    leaves.iter().enumerate().map(tree).collect()
}

/// Adds a tree, each inner vertex by `add`.
fn grow_tree<T: Element>(
    g: &mut Graph<T>,
    leaf: &Function<leaf>,
    (leaves, inner): &Tree,
    mut add: impl FnMut(&mut Graph<T>, u32, [Vertex<Memory>; 2]) -> Vertex<Memory>,
) {
    let mut all: Vec<Vertex<Memory>> =
        leaves.iter().map(|id| g.add(leaf, (), Word { id: Index(*id) })).collect();
    for (kind, [l, r]) in inner {
        let vertex = add(g, *kind, [all[*l], all[*r]]);
        all.push(vertex);
    }
}

#[test]
fn variants_have_the_bits_of_functions() {
    let start = Initializer::Uniform { bound: 0.7 };
    let all = trees(&[9, 4, 13, 1, 7], 3);
    let mut builder = ModelBuilder::new();
    let leaf = builder.add::<leaf>(dims! { V: 5, H: 6 }.init("table", start));
    let dims = || dims! { H: 6 };
    let one = builder.add::<combine>(dims().init("w", start));
    let share = |setup: Setup, name| setup.share(name, one.param(name));
    let joined = builder.add::<joined>(share(dims(), "w"));
    let multiplied = builder.add::<multiplied>(share(share(dims(), "u"), "v"));
    let added = builder.add::<added>(dims! {});
    let model: Model = builder.build(4).unwrap();
    let run = |apart: bool, threads: usize| {
        let graphs: Vec<Graph> = all
            .iter()
            .map(|tree| {
                let mut g = model.graph();
                grow_tree(&mut g, &leaf, tree, |g, kind, children| match (apart, kind) {
                    (false, kind) => g.add(&one, children, Operator { kind: Index(kind) }),
                    (true, 0) => g.add(&joined, children, ()),
                    (true, 1) => g.add(&multiplied, children, ()),
                    (true, _) => g.add(&added, children, ()),
                });
                g
            })
            .collect();
        let batch = model.minibatch(&graphs).unwrap();
        compiled_equals_eager(&model, &batch, &Check::default()).unwrap();
        let mut engine = Engine::with_threads(threads).unwrap();
        // Scheduled whole: it is known how many batches there will be.
        let known = engine.type_graph(&model, &batch).unwrap();
        let bound = edb::schedule::lower_bound(&known.0);
        let mut run = engine.forward(&model, &batch, 0).unwrap();
        let batches = run.report().batches;
        let losses: Vec<u64> = graphs
            .iter()
            .enumerate()
            .flat_map(|(graph, g)| (0..g.len()).map(move |vertex| (graph, vertex)))
            .map(|(graph, vertex)| run.vertex_loss(graph, vertex).unwrap().to_bits())
            .collect();
        let gradients = run.backward().unwrap();
        (batches, bound, losses, gradient_bits(&model, &gradients))
    };
    let functions = run(true, 1);
    assert_eq!(functions, run(false, 1));
    assert_eq!(functions, run(false, 2));
}

#[derive(Input)]
struct Told {
    kind: Index,
    other: Index,
    word: Index,
    x: Tensor,
    more: Indices,
}

#[derive(Output)]
struct Seen {
    which: Index,
    h: Tensor,
}

/// Questions that follow from one another, what only some variants pull, and a loop in one of them.
#[vertex_function]
fn mixed(
    #[dim(H)] size: Dim,
    #[param(H, H)] w: Tensor,
    #[param(K, H)] kinds: Tensor,
    #[param(V, H)] table: Tensor,
    #[param(H, X)] u: Tensor,
) {
    let Told { kind, other, word, x, more } = pull();
    let before = gather_or(0, Memory { h: zeros(size) });
    // No variant: both arms are cheap.
    let scale = if kind == Index(3) { scalar(0.5) } else { scalar(1.0) };
    let mut h = scale * before.h + 0.1 * kinds.row(kind);
    if kind == other && before.h.sum() < 5.0 {
        h += w.dot(h);
    }
    h = match kind {
        Index(0) => u.dot(x),
        Index(1) | Index(2) => {
            let mut rounds = scalar(0.0);
            while rounds < 1.0 + h.square().sum() && rounds < 4.0 {
                h = w.dot(h).tanh();
                rounds += 1.0;
            }
            h + table.row(word)
        }
        _ => {
            if !(other == Index(0) || before.h.sum() > 4.0) {
                table.bag_sum(more)
            } else {
                h.tanh()
            }
        }
    };
    // It follows from the answers above.
    if kind == Index(0) {
        h = w.dot(h).sigmoid();
    }
    loss(h.square().sum());
    scatter(Memory { h });
    push(Seen { which: table.dot(h - 2.0 * before.h).argmax(), h });
}

fn mixed_model<T: Element>() -> (Model<T>, Function<mixed>) {
    let start = Initializer::Uniform { bound: 0.7 };
    let names = ["w", "kinds", "table", "u"];
    let dims = dims! { H: 5, K: 4, V: 6, X: 3 };
    model_of(names.iter().fold(dims, |dims, name| dims.init(name, start)), 8)
}

fn told<T: Element>(g: &mut Graph<T>, kind: u32, other: u32, word: u32) -> Told {
    let x = [kind, other, word].map(|index| T::from_f64(0.3 - 0.2 * f64::from(index)));
    Told {
        kind: Index(kind),
        other: Index(other),
        word: Index(word),
        x: g.tensor(&x),
        more: g.indices([word, other]),
    }
}

fn mixed_chain<T: Element>(model: &Model<T>, f: &Function<mixed>, length: u32) -> Graph<T> {
    let mut g = model.graph();
    let mut last = None;
    for place in 0..length {
        let input = told(&mut g, (place + length) % 4, (3 * place) % 4, (5 * place + length) % 6);
        last = Some(g.add(f, [last], input));
    }
    g
}

#[test]
fn questions_follow_from_one_another() {
    fn check<T: Element>() {
        let (model, f) = mixed_model::<T>();
        let graphs: Vec<_> =
            [7, 12, 1, 2].iter().map(|length| mixed_chain(&model, &f, *length)).collect();
        agrees(&model, &graphs);
    }
    check::<f64>();
    check::<f32>();
    let plan = mixed::plan();
    let text = plan.to_string();
    assert!(text.contains("choice 0: kind == other ? "), "{text}");
    assert!(plan.sections.iter().any(|section| section.program.name.contains("while")), "{text}");
}

/// What is asked about variants is asked about the function.
#[test]
fn vertices_are_those_of_the_function() {
    let (model, f) = mixed_model::<f32>();
    let g = mixed_chain(&model, &f, 9);
    let batch = model.minibatch([&g]).unwrap();
    let run = Engine::new().infer(&model, &batch).map(|run| run.outputs(&f).unwrap()).unwrap();
    assert_eq!(run.len(), 9);
    // Input is checked by the function's rules, whichever variant uses it.
    for (word, x, what) in [(6, 3, "word"), (1, 2, "`x`")] {
        let mut g = model.graph();
        let input = Told { x: g.tensor(&vec![0.1; x]), ..told(&mut g, 3, 2, word) };
        g.add(&f, [None], input);
        let error = model.minibatch([&g]).unwrap_err().to_string();
        assert!(error.contains(what) && error.contains("`mixed`"), "{error}");
    }
    let summary = model.summary();
    let names: Vec<&str> = summary.functions.iter().map(|of| &of.signature.name[..]).collect();
    let readers: Vec<usize> = summary.parameters.iter().map(|of| of.functions.len()).collect();
    assert_eq!(readers, [1; 4]);
    assert_eq!(names, ["mixed"]);
    // What is wrong with it is reported once.
    let mut builder = ModelBuilder::new();
    builder.add::<mixed>(dims! { H: 5, K: 4, X: 3 });
    let error = builder.build(0).unwrap_err();
    assert_eq!(error.problems.len(), 1, "{error}");
}

#[test]
fn graphs_grow_with_variants() {
    let (model, f) = mixed_model::<f32>();
    let mut engine = Engine::new();
    let mut grow = |firsts: &[u32]| {
        let graphs = firsts.iter().map(|first| mixed_chain(&model, &f, *first));
        let mut growth = engine.grow_forward(&model, graphs, 1).unwrap();
        let mut all = vec![Vec::new(); firsts.len()];
        while let Some(round) = growth.round().unwrap() {
            for mut g in round {
                let place = g.place();
                let Some((vertex, Seen { which, h })) = g.decided(&f).last() else { continue };
                all[place].push((which.0, g.values(h).unwrap().to_vec()));
                if all[place].len() < 6 {
                    let (kind, other) = ((which.0 + all[place].len() as u32) % 4, which.0 / 2);
                    let (x, more) = (g.tensor(&[0.1, -0.2, 0.5]), g.indices([1_u32, 4]));
                    let [kind, other] = [kind, other].map(Index);
                    g.add(&f, [Some(vertex)], Told { kind, other, word: which, x, more });
                }
            }
        }
        grown_equals_eager(&mut growth.finish().unwrap(), &Check::default()).unwrap();
        all
    };
    let together = grow(&[3, 1, 5]);
    assert_eq!(together[1..2], grow(&[1]));
    let taken: std::collections::BTreeSet<u32> =
        together.iter().flatten().map(|(which, _)| *which).collect();
    assert!(taken.len() > 1, "{taken:?}");
}

/// A cheap loss, of vertices that have a label.
#[vertex_function]
fn cheaply(#[param(H)] w: Tensor) {
    let Memory { h } = gather(0);
    let Gold { label } = pull();
    if label != Index(0) {
        loss((w * h).square().sum());
    }
}

/// A loss with a product.
#[vertex_function]
fn dearly(#[param(C, H)] w: Tensor) {
    let Memory { h } = gather(0);
    let Gold { label } = pull();
    match label {
        Index(0) => {}
        _ => loss(cross_entropy(w.dot(h), label)),
    }
}

/// What decides is computed.
#[vertex_function]
fn decided(#[param(H)] w: Tensor) {
    let Memory { h } = gather(0);
    let Gold { label } = pull();
    let sum = h.sum();
    scatter(Memory { h });
    if indicator(label != Index(0)) + 0.0 * sum > 0.5 {
        loss((w * h).square().sum());
    }
}

/// Fault B10: the mean over the vertices with a loss was divided by all vertices of functions with
/// one, those included that had not taken the arm in which it is.
#[test]
fn a_mean_over_vertices_counts_those_that_had_a_loss() {
    // Six words, each with a vertex that has a label in every third case.
    let made = |kind: usize| {
        let mut builder = ModelBuilder::new();
        let word = builder.add::<leaf>(dims! { V: 6, H: 4 });
        let cheap = builder.add::<cheaply>(dims! { H: 4 });
        let dear = builder.add::<dearly>(dims! { C: 2, H: 4 });
        let decided = builder.add::<decided>(dims! { H: 4 });
        let model: Model<f64> = builder.build_as(1).unwrap();
        let graph = |labels: [u32; 6]| {
            let mut g = model.graph();
            for (id, label) in (0..).zip(labels) {
                let (word, label) = (g.add(&word, (), Word { id: Index(id) }), Index(label));
                match kind {
                    0 => drop(g.add(&cheap, [word], Gold { label })),
                    1 => drop(g.add(&dear, [word], Gold { label })),
                    _ => drop(g.add(&decided, [word], Gold { label })),
                }
            }
            g
        };
        let graphs = [graph([0, 1, 0, 0, 1, 0]), graph([0; 6])];
        let batch = model.minibatch(&graphs).unwrap();
        compiled_equals_eager(&model, &batch, &Check::default()).unwrap();
        (Trainer::new(model, Sgd::new(0.0)), graphs, batch)
    };
    for kind in 0..3 {
        let mut norms = Vec::new();
        for reduction in [Reduction::Sum, Reduction::MeanOfVertices] {
            let set = |trainer: Trainer<f64>| trainer.reduction(reduction).clip_norm(1e9);
            let (trainer, graphs, batch) = made(kind);
            let mut trainer = set(trainer);
            let step = trainer.step(&batch).unwrap();
            let statistics = trainer.gradient_statistics(&batch).unwrap();
            norms.push([step.gradient_norm.unwrap(), statistics[0].norm]);
            let divisor = if reduction == Reduction::Sum { 1 } else { 2 };
            assert_eq!(step.terms, divisor, "{kind}");
            assert_eq!(step.mean_loss(), step.loss / divisor as f64);
            // Where gradients are summed graph by graph, and where graphs grow.
            let grown = trainer.grow(graphs).unwrap().step().unwrap();
            let (trainer, _, batch) = made(kind);
            let measured = set(trainer).measure_noise(1).step(&batch).unwrap();
            assert_eq!([grown.terms, measured.terms], [divisor; 2], "{kind}");
        }
        for (sum, mean) in norms[0].iter().zip(&norms[1]) {
            approx::assert_relative_eq!(*sum, 2.0 * mean, max_relative = 1e-12);
        }
    }
}
