//! The code of the chapter on many machines.

// ANCHOR: uses
use std::thread;

use edb::collective::{Collective, Local};
use edb::prelude::*;
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

fn judged() -> (Function<judge>, Model) {
    let mut builder = ModelBuilder::new();
    let judge = builder.add::<judge>(dims! { V: 9, H: 4, C: 5 });
    (judge, builder.build(1).unwrap())
}

/// Trains, and returns the bits of the parameters.
fn train(world: impl Collective + 'static) -> Vec<u32> {
    let (judge, model) = judged();
    let samples: Vec<u32> = (0..100).collect();
    let graph = |model: &Model, sample: u32| {
        let mut g = model.graph();
        g.add(&judge, (), Labelled { word: Index(sample % 9), label: Index(sample % 5) });
        g
    };
    // ANCHOR: train
    let mut trainer = Trainer::new(model, Adam::new(1e-3)).distributed(world, 8);
    let mut loader = edb::feed::Loader::new(samples.len(), 32, 1);
    for minibatch in loader.epoch() {
        // Called for the graphs of this rank only.
        let made = |model: &Model, at: usize| graph(model, samples[minibatch[at]]);
        let step = trainer.step_shared(minibatch.len(), made).unwrap();
        if trainer.world().rank() == 0 {
            println!("loss {}", step.mean_loss());
        }
    }
    // ANCHOR_END: train
    // ANCHOR: infer
    let losses: Vec<f64> = trainer
        .infer_shared(
            samples.len(),
            32,
            |model, at| graph(model, samples[at]),
            |run, place, _| Ok(run.vertex_loss(place, 0)?),
        )
        .unwrap();
    // ANCHOR_END: infer
    assert_eq!(losses.len(), samples.len());
    let parameters = trainer.model().parameters();
    let values = parameters.iter().flat_map(|(_, parameter)| parameter.values().unwrap());
    values.map(|value| value.to_bits()).collect()
}

#[test]
fn the_bits_are_those_of_one() {
    let alone = train(edb::collective::Alone);
    // ANCHOR: threads
    let ranks: Vec<_> =
        Local::ranks(3).into_iter().map(|rank| thread::spawn(|| train(rank))).collect();
    for rank in ranks {
        assert_eq!(rank.join().unwrap(), alone);
    }
    // ANCHOR_END: threads
}
