//! Learning: losses fall, checkpoints hold, and what goes wrong leaves the model as it was.

pub mod support;

use edb::TrainError;
use edb::prelude::*;
use support::{Sentiment, sentiment};

fn batch<T: edb::element::Element>(functions: &Sentiment, model: &Model<T>) -> Minibatch<T> {
    let trees = functions.trees(model, 8, 7, 5);
    model.minibatch(trees.iter().map(|(graph, _)| graph)).unwrap()
}

fn losses(optimizer: impl Optimizer<f32> + 'static, steps: usize) -> Vec<f64> {
    let (functions, model) = Sentiment::model(16, 1);
    let mut trainer = Trainer::new(model, optimizer).clip_norm(5.0);
    (0..steps)
        .map(|_| {
            let batch = batch(&functions, trainer.model());
            let step = trainer.step(&batch).unwrap();
            assert_eq!(step.graphs, 8);
            step.loss
        })
        .collect()
}

#[test]
fn losses_fall() {
    for losses in [
        losses(Adam::new(0.02), 60),
        losses(Sgd::new(0.2), 60),
        losses(Sgd::new(0.05).momentum(0.9), 60),
    ] {
        let (first, last) = (losses[0], losses[losses.len() - 1]);
        assert!(last < 0.85 * first, "{first} to {last}");
    }
}

/// The trainer's step is the steps by hand.
#[test]
fn by_hand_it_is_the_same() {
    let (functions, model) = Sentiment::model::<f32>(8, 1);
    let mut trainer = Trainer::new(model, Adam::new(0.01)).clip_norm(0.5);
    let (functions_by_hand, mut model) = Sentiment::model::<f32>(8, 1);
    let mut engine = Engine::new();
    let mut optimizer = Adam::new(0.01);
    for step in 0..3 {
        trainer.step(&batch(&functions, trainer.model())).unwrap();

        let batch = batch(&functions_by_hand, &model);
        let mut run = engine.forward(&model, &batch, step).unwrap();
        let mut gradients = run.backward().unwrap();
        gradients.scale(1.0 / batch.graph_count() as f64);
        gradients.clip_norm(0.5);
        optimizer.update(model.parameters_mut(), &gradients).unwrap();
    }
    for ((_, a), (_, b)) in trainer.model().parameters().iter().zip(model.parameters().iter()) {
        assert_eq!(a.values(), b.values(), "{}", a.name());
    }
}

#[test]
fn a_checkpoint_brings_the_model_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    let (functions, model) = Sentiment::model::<f32>(8, 1);
    let mut trainer = Trainer::new(model, Adam::new(0.02));
    for _ in 0..5 {
        trainer.step(&batch(&functions, trainer.model())).unwrap();
    }
    let model = trainer.into_model();
    model.save(&path).unwrap();
    let loss = |functions: &Sentiment, model: &Model| {
        let batch = batch(functions, model);
        model.infer(&batch).unwrap().loss()
    };

    // Into a model that was initialised otherwise.
    let (others, mut other) = Sentiment::model::<f32>(8, 99);
    assert_ne!(loss(&others, &other), loss(&functions, &model));
    other.load(&path).unwrap();
    assert_eq!(loss(&others, &other), loss(&functions, &model));

    // Into one that does not fit: everything that differs is said, and nothing has changed.
    let (misfits, mut misfit) = Sentiment::model::<f32>(9, 1);
    let before = loss(&misfits, &misfit);
    let error = misfit.load(&path).unwrap_err().to_string();
    for name in ["word.w", "phrase.u", "sentiment.w"] {
        assert!(error.contains(name), "{error}");
    }
    assert_eq!(before, loss(&misfits, &misfit));
}

#[test]
fn a_loss_that_is_not_finite_changes_nothing() {
    let (functions, mut model) = Sentiment::model::<f32>(4, 1);
    let id = model.parameters().find("phrase.b").unwrap();
    model.parameters_mut().get_mut(id).values_mut()[0] = f32::NAN;
    let mut trainer = Trainer::new(model, Sgd::new(0.1));
    let batch = batch(&functions, trainer.model());
    let word = trainer.model().parameters().find("word.w").unwrap();
    let before = trainer.model().parameters().get(word).values().to_vec();
    let error = trainer.step(&batch).unwrap_err();
    let TrainError::Loss { step: 0, function, loss, .. } = &error else { panic!("{error}") };
    assert!(function == "sentiment" && loss.is_nan(), "{error}");
    assert_eq!(before, trainer.model().parameters().get(word).values());
    assert_eq!(trainer.steps(), 0);
}

#[test]
fn models_say_all_that_is_wrong_with_them() {
    let mut builder = ModelBuilder::new();
    builder.add::<sentiment::word>(dims! { V: 10, H: 4, Y: 3 });
    builder.add::<sentiment::phrase>(dims! { H: 0 });
    let error = builder.build::<f32>(1).unwrap_err().to_string();
    for part in [
        "`word` needs the dimension X: add `X: size` to its dims!",
        "`word` has no dimension Y; it has V, X, H",
        "`phrase`: the dimension H is 0",
    ] {
        assert!(error.contains(part), "{error}");
    }

    let mut builder = ModelBuilder::new();
    builder.add::<sentiment::word>(dims! { V: 10, X: 3, H: 4 });
    builder.add::<sentiment::phrase>(dims! { H: 5 });
    let error = builder.build::<f32>(1).unwrap_err().to_string();
    assert!(error.contains("`Node.h` is [4] in `word`, but [5] in `phrase`"), "{error}");

    let mut builder = ModelBuilder::new();
    builder.add::<sentiment::phrase>(dims! { H: 5 });
    builder.add::<sentiment::phrase>(dims! { H: 5 }.init("v", Initializer::Zeros));
    let error = builder.build::<f32>(1).unwrap_err().to_string();
    assert!(error.contains("two functions are named `phrase`"), "{error}");
    assert!(error.contains("`phrase` has no parameter `v`; it has `u`, `b`"), "{error}");
}

#[test]
fn parameters_are_shared_on_demand() {
    let mut builder = ModelBuilder::new();
    let first = builder.add::<sentiment::phrase>(dims! { H: 3 });
    let setup = dims! { H: 3 }.named("second").share("u", first.param("u"));
    builder.add::<sentiment::phrase>(setup);
    let model: Model = builder.build(1).unwrap();
    let names: Vec<&str> = model.parameters().iter().map(|(_, p)| p.name()).collect();
    assert_eq!(names, ["phrase.u", "phrase.b", "second.b"]);
}

/// The parts of a step are a step's, and what is counted does not depend on the threads.
#[test]
fn a_step_is_accounted_for() {
    let report = |threads: usize| {
        let (functions, model) = Sentiment::model::<f32>(32, 1);
        let engine = Engine::with_threads(threads).unwrap();
        let mut trainer = Trainer::new(model, Sgd::new(0.1)).engine(engine);
        assert_eq!(trainer.report(), edb::StepReport::default());
        let batch = batch(&functions, trainer.model());
        let start = std::time::Instant::now();
        trainer.step(&batch).unwrap();
        let (step, wall) = (trainer.report(), start.elapsed());
        for part in [step.schedule, step.forward, step.backward, step.update] {
            assert!(!part.is_zero());
        }
        assert!(step.total() <= wall);

        let run = trainer.infer(&batch).unwrap();
        let inference = run.report();
        assert_eq!(inference.batches, run.batch_count());
        assert_eq!(inference.arena_bytes, run.arena_len() * size_of::<f32>());
        assert!(inference.backward.is_zero() && inference.update.is_zero());
        // At most both states of every phrase's two children, and what its judge reads.
        let most = (batch.vertex_count() * 4 * 32 * size_of::<f32>()) as u64;
        assert!(inference.copied_bytes <= step.copied_bytes && inference.copied_bytes <= most);
        (step.batches, step.copied_bytes, step.arena_bytes, inference.copied_bytes)
    };
    assert_eq!(report(1), report(2));
}
