//! Checks that every example's model must pass: it learns a few hand-written samples, batched
//! equals eager, a file of it opens with the same answers, and restores it.

use edb::Element;
use edb::model::{Bundle, Plan};
use edb::prelude::*;
use edb::testing::{Check, compiled_equals_eager, hessian_check};

/// Vertex functions over element type `T`, and samples as graphs for them.
pub trait Sample {
    /// A model initialised from this seed, and its samples as graphs.
    fn model<T: Element>(&self, seed: u64) -> (Model<T>, Vec<Graph<T>>);
}

/// Checks a model on its samples.
pub fn learns(sample: &impl Sample) {
    agrees::<f32>(sample);
    agrees::<f64>(sample);

    let loss = |model: &Model, graphs: &[Graph]| {
        let batch = model.minibatch(graphs).unwrap();
        Engine::new().infer(model, &batch).unwrap().loss().unwrap()
    };
    let (model, graphs) = sample.model::<f32>(1);
    let before = loss(&model, &graphs);
    let mut trainer = Trainer::new(model, Adam::new(0.02)).clip_norm(5.0);
    let batch = trainer.model().minibatch(&graphs).unwrap();
    for _ in 0..40 {
        trainer.step(&batch).unwrap();
    }
    let model = trainer.into_model();
    let after = loss(&model, &graphs);
    assert!(after < 0.6 * before, "the loss went from {before} to {after}");

    let folder = crate::folder::Folder::new().unwrap();
    let path = folder.path().join("model.safetensors");
    let examples = Engine::new().examples(&model, &graphs).unwrap();
    model.bundle().examples(examples).save(&path).unwrap();
    let bundle = Bundle::<f32>::open(&path).unwrap();
    let again = Engine::new().replay(&bundle.model, &bundle.examples).unwrap();
    assert!(again.iter().all(|example| example.difference == 0.0), "{again:?}");
    let (mut other, graphs) = sample.model::<f32>(99);
    assert_ne!(loss(&other, &graphs), after);
    other.load(&path).unwrap();
    assert_eq!(loss(&other, &graphs), after);
}

/// What a model answers for a graph, as it stands in a bundle: equal answers have equal bits.
pub fn answer(model: &Model, graph: &Graph) -> serde_json::Value {
    let mut examples = Engine::new().examples(model, std::slice::from_ref(graph)).unwrap();
    examples.remove(0).answer
}

fn agrees<T: Element>(sample: &impl Sample) {
    let (model, graphs) = sample.model::<T>(3);
    let batch = model.minibatch(&graphs).unwrap();
    compiled_equals_eager(&model, &batch, &Check::default()).unwrap();
}

/// Checks that products with the Hessian are differences of gradients; `compile` compiles tangents.
pub fn curves(sample: &impl Sample, compile: fn(&Plan) -> Result<Plan, String>) {
    let (mut model, graphs) = sample.model::<f64>(3);
    let batch = model.minibatch(&graphs).unwrap();
    let mut tangent = model.tangent_by(compile).unwrap();
    assert!(hessian_check(&mut model, &mut tangent, &batch, 1e-5, 1e-6).unwrap());
}
