//! Loops and branches have the bits of what is written without them.

use super::*;

use edb_backend_suite::models::model_of;
use edb_backend_suite::ports::Number;

/// A step of thought, for a chain of vertices that does what a loop does.
#[vertex_function]
fn think(#[param(H, H)] w: Tensor, #[param(H)] v: Tensor) {
    let [before, begun]: [Thinking; 2] = [gather(0), gather(1)];
    let s = (w.dot(before.s) + begun.x).tanh();
    // No vertex reads this `x`.
    scatter(Thinking { s, x: s, weight: before.weight + v.dot(s) });
}

#[derive(State)]
struct Thinking {
    s: Tensor,
    x: Tensor,
    weight: Tensor,
}

#[vertex_function]
fn begin(#[param(V, H)] table: Tensor) {
    let Word { id } = pull();
    let x = table.row(id);
    scatter(Thinking { s: x.tanh(), x, weight: scalar(0.0) });
}

#[vertex_function]
fn end() {
    let before: Thinking = gather(0);
    scatter(Thought { h: before.s * before.weight.sum() });
}

/// The same with a loop, which runs as often as it is told.
#[vertex_function]
fn looping(
    #[param(V, H)] table: Tensor,
    #[param(H, H)] w: Tensor,
    #[param(H)] v: Tensor,
    #[dim(ONE)] one: Dim,
) {
    let Steps { id, count } = pull();
    let count = count + zeros(one);
    let x = table.row(id);
    let (mut s, mut weight, mut left) = (x.tanh(), scalar(0.0), count.sum());
    while left > 0.5 {
        s = (w.dot(s) + x).tanh();
        weight += v.dot(s);
        left -= 1.0;
    }
    scatter(Thought { h: s * weight });
}

#[derive(Input)]
struct Steps {
    id: Index,
    count: Tensor,
}

#[vertex_function]
fn judge(#[param(H)] v: Tensor) {
    let node: Thought = gather(0);
    loss(v.dot(node.h));
}

/// A loop is a chain of vertices: the same bits, forward and backward.
#[test]
fn a_loop_has_the_bits_of_a_chain() {
    let mut builder = ModelBuilder::new();
    let bound = Initializer::Uniform { bound: 0.7 };
    let looping = builder.add::<looping>(dims! { V: 7, H: 5, ONE: 1 }.init("v", bound));
    let judge = builder.add::<judge>(dims! { H: 5 }.init("v", bound));
    let shared = |dims: edb::model::Setup, names: &[&str]| {
        names.iter().fold(dims, |dims, name| dims.share(name, looping.param(name)))
    };
    let begin = builder.add::<begin>(shared(dims! { V: 7, H: 5 }, &["table"]));
    let think = builder.add::<think>(shared(dims! { H: 5 }, &["w", "v"]));
    let end = builder.add::<end>(dims! {});
    let model: Model = builder.build(5).unwrap();
    let counts = [3_u8, 0, 1, 7, 2];
    let of = |chained: bool| {
        let graphs: Vec<Graph> = counts
            .iter()
            .enumerate()
            .map(|(id, count)| {
                let (mut g, id) = (model.graph(), Index(id as u32));
                let thought = if chained {
                    let begun = g.add(&begin, (), Word { id });
                    let mut last = begun;
                    for _ in 0..*count {
                        last = g.add(&think, [last, begun], ());
                    }
                    g.add(&end, [last], ())
                } else {
                    let count = g.tensor(&[f32::from(*count)]);
                    g.add(&looping, (), Steps { id, count })
                };
                g.add(&judge, [thought], ());
                g
            })
            .collect();
        let batch = model.minibatch(&graphs).unwrap();
        let mut engine = Engine::new();
        let mut run = engine.forward(&model, &batch, 0).unwrap();
        let losses: Vec<u64> = (0..counts.len())
            .map(|graph| run.vertex_loss(graph, graphs[graph].len() - 1).unwrap().to_bits())
            .collect();
        let gradients = run.backward().unwrap();
        let id = |name: &str| {
            model.parameters().iter().find(|(_, p)| p.name() == name).map(|(id, _)| id).unwrap()
        };
        let dense = |name| gradients.to_dense(id(name));
        (losses, [dense("looping.table"), dense("looping.w"), dense("looping.v")])
    };
    let (looped, chained) = (of(false), of(true));
    assert_eq!(looped.0, chained.0);
    assert_eq!(looped.1[0], chained.1[0]);
    // The rows of a step are in the same order, and so are the sums over them.
    assert_eq!(looped.1[1..], chained.1[1..]);
}

/// One branch twice: with arms that run apart, and with arms that are chosen from.
#[vertex_function]
fn apart(#[param(V, H)] table: Tensor, #[param(H, H)] w: Tensor, #[param(H)] v: Tensor) {
    let Word { id } = pull();
    let x = table.row(id);
    let y = w.dot(x);
    let h = if v.dot(x) > 0.0 {
        // A product, so that the arm is not cheap.
        let one = w.dot(x * 0.0).sum();
        let h = (x * y).tanh() + one;
        loss(h.sum());
        h
    } else {
        (y.square() + 1.0).ln()
    };
    scatter(Thought { h });
}

#[vertex_function]
fn together(#[param(V, H)] table: Tensor, #[param(H, H)] w: Tensor, #[param(H)] v: Tensor) {
    let Word { id } = pull();
    let x = table.row(id);
    let y = w.dot(x);
    let one = w.dot(x * 0.0).sum();
    // An arm with a loss would run apart.
    let (h, cost) = if v.dot(x) > 0.0 {
        let h = (x * y).tanh() + one;
        (h, h.sum())
    } else {
        ((y.square() + 1.0).ln(), one * 0.0 + 0.0)
    };
    loss(cost);
    scatter(Thought { h });
}

#[test]
fn arms_that_run_apart_have_the_bits_of_arms_that_are_chosen() {
    let mut builder = ModelBuilder::new();
    let bound = Initializer::Uniform { bound: 0.7 };
    let apart = builder.add::<apart>(dims! { V: 16, H: 5 }.init("v", bound));
    let names = ["table", "w", "v"];
    let shared =
        names.iter().fold(dims! { V: 16, H: 5 }, |dims, name| dims.share(name, apart.param(name)));
    let together = builder.add::<together>(shared);
    let judge = builder.add::<judge>(dims! { H: 5 }.init("v", bound));
    let model: Model = builder.build(5).unwrap();
    assert_eq!((self::apart::plan().sections.len(), self::together::plan().sections.len()), (2, 0));
    let of = |way: usize| {
        let mut g = model.graph();
        let words: Vec<Vertex<Thought>> = (0..16)
            .map(|id| match way {
                0 => g.add(&apart, (), Word { id: Index(id) }),
                _ => g.add(&together, (), Word { id: Index(id) }),
            })
            .collect();
        for word in &words {
            g.add(&judge, [*word], ());
        }
        let batch = model.minibatch([&g]).unwrap();
        let mut engine = Engine::new();
        let mut run = engine.forward(&model, &batch, 0).unwrap();
        let mut bits = Vec::new();
        let mut taken = 0;
        for (place, word) in words.iter().enumerate() {
            let loss = run.vertex_loss(0, place).unwrap();
            taken += usize::from(loss != 0.0);
            bits.push(loss.to_bits());
            bits.extend(run.state(*word).unwrap().h.iter().map(|x| u64::from(x.to_bits())));
        }
        assert!((3..14).contains(&taken), "{taken}");
        let gradients = run.backward().unwrap();
        let (table, _) = model.parameters().iter().next().unwrap();
        // Zeros may have another sign.
        let table: Vec<f32> = gradients.to_dense(table).iter().map(|x| x + 0.0).collect();
        (bits, table)
    };
    let (apart, together) = (of(0), of(1));
    assert_eq!(apart.0, together.0);
    for (a, b) in apart.1.iter().zip(&together.1) {
        assert!((a - b).abs() <= 1e-6 * a.abs().max(0.1), "{a} and {b}");
    }
}

/// Arms that would be infinite or no number where they are not taken: nothing of it gets out.
#[vertex_function]
fn careful(#[param(V, H)] table: Tensor, #[param(H, H)] w: Tensor) {
    let Word { id } = pull();
    let x = table.row(id);
    let length = x.square().sum();
    let mut h = x;
    if length > 0.0 {
        h = w.dot(x / length.sqrt()).tanh() + (1.0 / length).ln();
    }
    let mut size = length;
    while size > 1.0 {
        h = w.dot(h) / (size - 1.0).sqrt();
        size /= 4.0;
    }
    scatter(Thought { h });
    loss(h.sum());
}

#[test]
fn no_nan_leaves_what_is_not_taken() {
    let (mut model, f) =
        model_of::<careful, f32>(dims! { V: 3, H: 2 }.init("table", Initializer::Constant(0.0)), 1);
    for (_, parameter) in model.parameters_mut().iter_mut() {
        if parameter.name() == "careful.table" {
            parameter.values_mut().unwrap()[2..].copy_from_slice(&[0.3, -0.4, 3.0, 4.0]);
        }
    }
    let mut g = model.graph();
    for id in 0..3 {
        g.add(&f, (), Word { id: Index(id) });
    }
    let batch = model.minibatch([&g]).unwrap();
    let mut engine = Engine::new();
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    assert!(run.loss().unwrap().is_finite());
    assert!(run.backward().unwrap().check_finite().is_ok());
    compiled_equals_eager(&model, &batch, &Check::default()).unwrap();
}

/// A fixed point that is iterated until it is reached.
#[vertex_function]
fn fixed_point(#[param(H, H)] w: Tensor, #[dim(H)] size: Dim) {
    let Number { x } = pull();
    let mut z = zeros(size);
    loop {
        let next = (w.dot(z) + x).tanh();
        let residual = (next - z).norm();
        z = next;
        if residual < 1e-13 {
            break;
        }
    }
    scatter(Thought { h: z });
}

/// The gradient of `⟨v, z⟩` by `x` is the implicit one: `D (I - Wᵀ D)⁻¹ v`, where `D` are the slopes
/// of `tanh` at the fixed point.
#[test]
fn a_fixed_point_has_the_implicit_gradient() {
    const H: usize = 3;
    let mut builder = ModelBuilder::new();
    let bound = Initializer::Uniform { bound: 0.4 };
    let f = builder.add::<fixed_point>(dims! { H: H }.init("w", bound));
    let judge = builder.add::<judge>(dims! { H: H }.init("v", bound));
    let model: Model<f64> = builder.build_as(2).unwrap();
    let mut g = model.graph();
    let x = g.tensor(&[0.3, -0.8, 0.5]);
    let point = g.add(&f, (), Number { x });
    g.add(&judge, [point], ());
    let batch = model.minibatch([&g]).unwrap();
    let mut engine = Engine::new();
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    assert!(run.sections_at(0, 0).unwrap() > 10);
    run.backward().unwrap();
    let z = run.state(point).unwrap().h.to_owned();
    let found = run.input_gradient(&f, point).unwrap().x.to_owned();
    let values = |name: &str| {
        let of = model.parameters().iter().find(|(_, parameter)| parameter.name() == name);
        of.unwrap().1.values().unwrap().to_vec()
    };
    let (w, v) = (values("fixed_point.w"), values("judge.v"));
    let slopes: Vec<f64> = z.iter().map(|z| 1.0 - z * z).collect();
    // `y = v + Wᵀ D y`, whose matrix is small enough to be iterated, too.
    let mut y = v.clone();
    for _ in 0..200 {
        let sum = |i: usize| (0..H).map(|k| w[k * H + i] * slopes[k] * y[k]).sum::<f64>();
        y = (0..H).map(|i| v[i] + sum(i)).collect();
    }
    for (found, (slope, y)) in found.iter().zip(slopes.iter().zip(&y)) {
        assert!((found - slope * y).abs() < 1e-9, "{found} and {}", slope * y);
    }
}
