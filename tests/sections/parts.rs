//! Minibatches whose vertices decide train in parts, once it is known by which policy.

use super::*;
use edb::learn::Gradients;

/// Thinks about a word as often as it says itself, with dropout.
#[vertex_function]
fn wander(
    #[dim(H)] size: Dim,
    #[param(V, H)] table: Tensor,
    #[param(H, H)] u: Tensor,
    #[param(H)] halt: Tensor,
) {
    let Word { id } = pull();
    let before = gather_or(0, Thought { h: zeros(size) });
    let x = table.row(id).dropout(0.2);
    let (mut s, mut halted) = (before.h, scalar(0.0));
    while halted < 0.99 {
        s = (x + u.dot(s.dropout(0.1))).tanh();
        halted += halt.dot(s).sigmoid() * 0.4 + 0.05;
    }
    scatter(Thought { h: s });
    loss(s.square().sum() * halted);
}

fn wanderer() -> (Model<f64>, Minibatch<f64>) {
    let mut builder = ModelBuilder::new();
    let bound = Initializer::Uniform { bound: 0.9 };
    let f = builder.add::<wander>(dims! { V: 11, H: 6 }.init("halt", bound).init("u", bound));
    let model: Model<f64> = builder.build(3).unwrap();
    let graphs: Vec<Graph<f64>> = (0..75)
        .map(|number| {
            let (mut g, mut before) = (model.graph(), None);
            for word in 0..1 + number * 7 % 5 {
                let id = Index((number * 3 + word * 5) % 11);
                before = Some(g.add(&f, [before], Word { id }));
            }
            g
        })
        .collect();
    let batch = model.minibatch(&graphs).unwrap();
    (model, batch)
}

/// What the parts of a step sum up, and the vertices that have run in all of them.
fn summed(threads: usize) -> (f64, Gradients<f64>, usize) {
    let (model, batch) = wanderer();
    let mut engine = Engine::with_threads(threads).unwrap();
    assert_eq!(engine.prepare(&model, &batch).unwrap().parts.len(), 1, "nothing is learned yet");
    for _ in 0..4 {
        engine.infer(&model, &batch).unwrap();
    }
    let prepared = engine.prepare(&model, &batch).unwrap();
    assert_eq!(prepared.parts.len(), 4);
    // In whatever way threads are chosen for the second step.
    let mut twice = (0..2).map(|_| {
        engine.begin_step(model.parameters(), false).unwrap();
        let count = |ran: &Minibatch<f64>| ran.vertex_count();
        let vertices = engine.run_training(&prepared, 9, &count).unwrap();
        let mut gradients = Gradients::new(model.parameters());
        let loss = engine.take_sums(&mut gradients).unwrap();
        (loss, gradients, vertices)
    });
    let (first, second) = (twice.next().unwrap(), twice.next().unwrap());
    assert_eq!(bits(&model, &first), bits(&model, &second));
    first
}

fn bits(
    model: &Model<f64>,
    (loss, gradients, vertices): &(f64, Gradients<f64>, usize),
) -> Vec<u64> {
    let ids = model.parameters().iter().map(|(id, _)| id);
    let all = ids.flat_map(|id| gradients.to_dense(id)).map(f64::to_bits);
    all.chain([loss.to_bits(), *vertices as u64]).collect()
}

#[test]
fn parts_are_the_whole_and_the_same_on_any_number_of_threads() {
    let (model, batch) = wanderer();
    let one = summed(1);
    for threads in 2..=4 {
        assert_eq!(bits(&model, &one), bits(&model, &summed(threads)), "{threads} threads");
    }
    let mut engine = Engine::new();
    let mut run = engine.forward(&model, &batch, 9).unwrap();
    assert_eq!(run.minibatch().vertex_count(), one.2);
    approx::assert_relative_eq!(run.loss().unwrap(), one.0, max_relative = 1e-12);
    let whole = run.backward().unwrap();
    for (id, _) in model.parameters().iter() {
        let parts = one.1.to_dense(id);
        for (found, expected) in parts.iter().zip(whole.to_dense(id)) {
            approx::assert_relative_eq!(*found, expected, max_relative = 1e-10, epsilon = 1e-12);
        }
    }
}

/// An error of a part names a graph by its place in the minibatch.
#[test]
fn a_vertex_that_does_not_stop_is_named_in_parts_too() {
    let mut builder = ModelBuilder::new();
    let f = builder.add::<forever>(dims! { ONE: 1 });
    let model: Model = builder.build(1).unwrap();
    let minibatch = |endless: Option<usize>| {
        let graphs = (0..40).map(|number| {
            let mut g = model.graph();
            let by = g.tensor(&[f32::from(u8::from(Some(number) != endless))]);
            g.add(&f, (), Step { by });
            g
        });
        model.minibatch(&graphs.collect::<Vec<_>>()).unwrap()
    };
    let (good, bad) = (minibatch(None), minibatch(Some(33)));
    let engine = Engine::with_threads(2).unwrap().most_steps(50);
    let mut trainer = Trainer::new(model, Sgd::new(0.1)).engine(engine);
    for _ in 0..5 {
        trainer.step(&good).unwrap();
    }
    let message = trainer.step(&bad).unwrap_err().to_string();
    assert!(message.contains("vertex 0 of graph 33"), "{message}");
    trainer.step(&good).unwrap();
}

#[derive(Input)]
struct Step {
    by: Tensor,
}

#[vertex_function]
fn forever(#[dim(ONE)] one: Dim, #[param(ONE)] most: Tensor) {
    let Step { by } = pull();
    let by = (by + zeros(one)).sum();
    let mut n = scalar(0.0);
    while n < 3.0 {
        n += by;
    }
    loss(n * most.sum());
}
