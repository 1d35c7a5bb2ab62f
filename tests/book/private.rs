//! The code of the chapter on private training.

// ANCHOR: uses
use edb::learn::Accountant;
use edb::prelude::*;
use edb::trainer::Private;
// ANCHOR_END: uses

#[derive(Input)]
struct Labelled {
    word: Index,
    label: Index,
}

/// The sentiment of a word.
#[vertex_function(check(V = 5, C = 2, H = 3))]
fn judge(#[param(V, H)] table: Tensor, #[param(C, H)] w: Tensor, #[param(C)] b: Tensor) {
    let Labelled { word, label } = pull();
    loss(cross_entropy(w.dot(table.row(word)) + b, label));
}

fn judged() -> (Model, Vec<Graph>) {
    let mut builder = ModelBuilder::new();
    let judge = builder.add::<judge>(dims! { V: 9, H: 4, C: 5 });
    let model: Model = builder.build(1).unwrap();
    let graph = |id: u32| {
        let mut g = model.graph();
        g.add(&judge, (), Labelled { word: Index(id % 9), label: Index(id % 5) });
        g
    };
    let graphs = (0..400).map(graph).collect();
    (model, graphs)
}

#[test]
fn a_model_is_trained_privately() -> Result<(), Box<dyn std::error::Error>> {
    let (model, graphs) = judged();
    // ANCHOR: train
    // Of 400 graphs, 40 in a minibatch on average; within epsilon = 2 after 30 steps.
    let private = Private { clip: 0.5, ..Private::new(graphs.len(), 40)? }.for_epsilon(2.0, 30)?;
    let minibatches = private.poisson();
    let mut trainer = Trainer::new(model, Adam::new(0.05)).private(private);
    for step in 0..30 {
        let chosen = minibatches.minibatch(step);
        trainer.step_graphs(chosen.iter().map(|number| &graphs[*number]))?;
    }
    let epsilon = trainer.epsilon(); // at a delta of 400^-1.1
    // ANCHOR_END: train
    assert!(epsilon.is_some_and(|epsilon| 1.9 < epsilon && epsilon <= 2.0));
    // ANCHOR: noise
    // Noise of 1.1 times the bound, 256 of 60,000 examples in a minibatch on average: how private are
    // 60 epochs?
    let mut accountant = Accountant::new();
    accountant.add(edb::learn::PrivateSteps {
        rate: 256.0 / 60_000.0,
        noise: 1.1,
        steps: 14_062,
    })?;
    let epsilon = accountant.epsilon(1e-5);
    // ANCHOR_END: noise
    assert!((epsilon - 2.5966).abs() < 1e-4);
    Ok(())
}

#[test]
fn the_noise_scale_is_in_the_report() -> Result<(), Box<dyn std::error::Error>> {
    let (model, graphs) = judged();
    // ANCHOR: scale
    let mut trainer = Trainer::new(model, Adam::new(0.05)).measure_noise(10);
    let (mut trace, mut square) = (0.0, 0.0);
    for step in 0..30 {
        let taken = trainer.step_graphs(&graphs[40 * (step % 10)..][..40])?;
        if let Some(scale) = taken.report().noise_scale {
            trace += scale.trace;
            square += scale.square;
        }
    }
    let graphs_that_help = trace / square;
    // ANCHOR_END: scale
    assert!(graphs_that_help.is_finite());
    Ok(())
}
