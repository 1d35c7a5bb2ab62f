//! A program that uses every feature whose code is not generic over a person's functions: ranks, private
//! training, graphs that grow, Jacobians, checkpoints, requests. `.ci/run package` counts what it compiles.

use edb::engine::{GraphResults, JacobianOf, Seeds};
use edb::prelude::*;
use edb::serve::Batcher;
use edb::trainer::{Checkpoints, Notes, Private};

#[derive(State)]
struct Memory {
    h: Tensor,
}
#[derive(Input)]
struct Word {
    x: Tensor,
}
#[derive(Output)]
struct Scores {
    logits: Tensor,
    best: Index,
}

#[vertex_function(tangent)]
fn read(
    #[param(C, H)] v: Tensor,
    #[param(H, X)] w: Tensor,
    #[param(H, H)] u: Tensor,
    #[dim(H)] h: Dim,
) {
    let Word { x } = pull();
    let before = gather_or(0, Memory { h: zeros(h) });
    let h = (w.dot(x) + u.dot(before.h)).tanh();
    let logits = v.dot(h);
    scatter(Memory { h });
    push(Scores { logits, best: logits.argmax() });
    loss(cross_entropy(logits, logits.argmax()));
}

fn graph(model: &Model, read: &Function<read>, length: usize) -> (Graph, Vertex<Memory>) {
    let mut g = model.graph();
    let mut last = None;
    for step in 0..length {
        let x = g.tensor(&[0.3, step as f32 * 0.2, -0.5]);
        last = Some(g.add(read, [last], Word { x }));
    }
    (g, last.unwrap())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut builder = ModelBuilder::new();
    let read = builder.add::<read>(dims! { H: 6, X: 3, C: 4 });
    let model: Model = builder.build(1)?;
    let (graphs, last): (Vec<_>, Vec<_>) =
        (1..9).map(|length| graph(&model, &read, length)).unzip();
    let batch = model.minibatch(&graphs)?;
    let mut engine = Engine::new();
    // Derivatives, and gradients of each graph.
    let mut run = engine.forward(&model, &batch, 0)?;
    println!(
        "{:?}",
        run.jacobians(&[JacobianOf { graph: 1, output: (1, "logits"), inputs: &[(0, "x")] }])?
    );
    let mut each = run.backward_each()?;
    let norms = each.norms()?;
    println!("{}", each.weighted(|graph| norms[graph])?.norm());
    let gradient = engine.forward(&model, &batch, 0)?.backward()?;
    let mut tangent = model.tangent()?;
    let product = engine.forward_along(&mut tangent, &model, &batch, 0, &gradient)?.product()?;
    println!("{} {:?}", product.norm(), engine.infer(&model, &batch)?.first_not_finite()?);
    let mut seeds = Seeds::new();
    seeds.push(&read, last[0], "logits", &[1.0; 4]);
    engine.forward(&model, &batch, 0)?.backward_with(&seeds)?;
    // Private training of graphs, with checkpoints.
    let private = Private { clip: 0.5, ..Private::new(graphs.len(), 4)? }.for_epsilon(2.0, 30)?;
    let mut trainer = Trainer::new(model, Adam::new(1e-3)).private(private).ema(0.99)?;
    trainer.step_graphs(&graphs)?;
    let checkpoints = Checkpoints::new("run").keep_latest(2);
    checkpoints.resume(&mut trainer)?;
    checkpoints.save(&trainer, &Notes::new())?;
    println!("{}", trainer.infer(&batch)?.output(&read, last[0])?.logits);
    // Graphs that grow, in rounds and each to its end.
    let mut trainer = Trainer::new(trainer.into_model(), Sgd::new(1e-3));
    let mut growth = trainer.grow(graphs.iter().cloned())?;
    while let Some(round) = growth.round()? {
        for mut g in round {
            let found: Vec<_> = g.decided(&read).collect();
            let few = g.new_vertices().end < 12;
            for (memory, _) in found.into_iter().filter(|_| few) {
                let x = g.tensor(&[0.1; 3]);
                g.add(&read, [Some(memory)], Word { x });
            }
        }
    }
    growth.step_with(&Seeds::new())?;
    let mut pairs: Vec<_> = graphs.iter().cloned().map(|graph| (graph, 0)).collect();
    trainer.grow_each(&mut pairs, |g, count| *count += g.decided(&read).count())?;
    // Many ranks.
    let mut trainer = trainer.distributed(edb::collective::Alone, 8);
    println!(
        "{}",
        trainer.step_shared(8, |model: &Model, at: usize| graph(model, &read, 1 + at).0)?.loss
    );
    let losses: Vec<f64> = trainer.infer_shared(
        8,
        4,
        |model, at| graph(model, &read, 1 + at).0,
        |run, place, _| Ok(run.vertex_loss(place, 0)?),
    )?;
    println!("{losses:?}");
    // Requests.
    let batcher = Batcher::builder(trainer.into_model()).warm_up(&graphs).start()?;
    let (graph, last) = graph(&batcher.model(), &read, 3);
    let best = move |results: GraphResults<'_>| Ok(results.output(&read, last)?.best[[]]);
    batcher.ask_then(&graph, best, |answer| println!("{answer:?}"))?;
    println!("{} {:?}", batcher.ask(&graph, best)?, batcher.counts());
    Ok(())
}
