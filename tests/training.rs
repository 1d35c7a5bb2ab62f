//! Training: losses fall, checkpoints hold, and errors leave the model unchanged.

mod gradients;
mod non_finite;
mod reached;
mod settings;

pub(crate) use reached::Warnings;

use edb::learn::LearnError;
use edb::prelude::*;
use edb::trainer::{CheckpointError, Checkpoints, Notes, Private, Reduction, TrainError};

use edb_backend_suite::models::model_of;
use edb_backend_suite::ports::Number;
use edb_backend_suite::zoo::{self, Sentiment, sentiment};

fn batch<T: edb::Element>(functions: &Sentiment, model: &Model<T>) -> Minibatch<T> {
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

/// The gradient of `b` is what it pulls.
#[vertex_function]
fn slope(#[param(N)] b: Tensor) {
    let Number { x } = pull();
    loss((b * x).sum());
}

/// A model whose gradient is this one, and its minibatch.
fn with_gradient(gradient: [f64; 2]) -> (Model<f64>, Minibatch<f64>) {
    let (model, slope) = model_of::<slope, f64>(dims! { N: 2 }, 1);
    let mut g = model.graph();
    let x = g.tensor(&gradient);
    g.add(&slope, (), Number { x });
    let batch = model.minibatch([&g]).unwrap();
    (model, batch)
}

/// Fault A2: a norm whose square is too large for `f64` was not clipped, nor one whose square is too
/// small.
#[test]
fn norms_are_clipped_whatever_their_size() {
    for (size, max) in [(1e158, 1.0), (1e300, 1e-3), (1e-170, 1e-175), (3.0, 1.0)] {
        for unguarded in [false, true] {
            let (model, batch) = with_gradient([0.6 * size, -0.8 * size]);
            let mut engine = Engine::new();
            let mut gradients = engine.forward(&model, &batch, 0).unwrap().backward().unwrap();
            assert!((gradients.clip_norm(max) / size - 1.0).abs() < 1e-15);
            assert!((gradients.norm() / max - 1.0).abs() < 1e-15);
            let trainer = Trainer::new(model, Sgd::new(1.0)).clip_norm(max);
            let mut trainer = if unguarded { trainer.skip_finite_check() } else { trainer };
            let norm = trainer.step(&batch).unwrap().gradient_norm.unwrap();
            assert!((norm / size - 1.0).abs() < 1e-15);
            let (_, b) = trainer.model().parameters().iter().next().unwrap();
            let [x, y] = *b.values().unwrap() else { panic!("there are two") };
            assert!((x / max + 0.6).abs() < 1e-14 && (y / max - 0.8).abs() < 1e-14, "{x} {y}");
        }
    }
    // Of one that is no number, nothing moves.
    let (model, batch) = with_gradient([1.7e308; 2]);
    let mut trainer = Trainer::new(model, Sgd::new(1.0)).clip_norm(1.0);
    let error = trainer.step(&batch).unwrap_err().to_string();
    assert!(error.starts_with("step 0: the norm of the gradient is out of the range"), "{error}");
    let (_, b) = trainer.model().parameters().iter().next().unwrap();
    assert_eq!(b.values().unwrap(), [0.0, 0.0]);
}

/// How gradients are clipped.
#[derive(Clone, Copy, Debug)]
enum Clip {
    Nothing,
    Norm(f64),
    Value(f64),
}

/// The values of all parameters.
fn values_of(model: &Model) -> Vec<f32> {
    model
        .parameters()
        .iter()
        .flat_map(|(_, parameter)| parameter.values().unwrap().to_vec())
        .collect()
}

/// Trains three steps with a trainer and by hand; returns the parameters of both, and whether the
/// norms of their gradients had the same bits.
fn both_ways(
    hidden: usize,
    clip: Clip,
    precision: Precision,
    minibatch: impl Fn(&Sentiment, &Model) -> Minibatch<f32>,
) -> ([Vec<f32>; 2], bool) {
    let engine = || Engine::on(&Device::cpu().precision(precision)).unwrap();
    let (functions, model) = Sentiment::model::<f32>(hidden, 1);
    let mut trainer = Trainer::new(model, Adam::new(0.01)).engine(engine());
    trainer = match clip {
        Clip::Nothing => trainer,
        Clip::Norm(max) => trainer.clip_norm(max),
        Clip::Value(max) => trainer.clip_value(max),
    };
    let (functions_by_hand, mut model) = Sentiment::model::<f32>(hidden, 1);
    let (mut engine, mut optimizer) = (engine(), Adam::new(0.01));
    let mut same_norm = true;
    for step in 0..3 {
        let taken = trainer.step(&minibatch(&functions, trainer.model())).unwrap();

        let batch = minibatch(&functions_by_hand, &model);
        let mut run = engine.forward(&model, &batch, step).unwrap();
        let mut gradients = run.backward().unwrap();
        let mean = 1.0 / batch.graph_count() as f64;
        let norm = gradients.norm() * mean;
        gradients.scale(mean);
        match clip {
            Clip::Nothing => {}
            Clip::Norm(max) => {
                gradients.clip_norm(max);
                assert!(norm > max, "{norm} is clipped to {max}");
            }
            Clip::Value(max) => {
                let all = model.parameters().iter().flat_map(|(id, _)| gradients.to_dense(id));
                assert!(all.fold(0.0, |most: f32, x| most.max(x.abs())) > max as f32);
                gradients.clip_value(max);
            }
        }
        optimizer.update(model.parameters_mut(), &gradients).unwrap();
        same_norm &= taken.gradient_norm == Some(norm);
    }
    ([values_of(trainer.model()), values_of(&model)], same_norm)
}

/// A step of the trainer gives the bits of a step by hand. This holds even with a clipped norm,
/// because there are 8 graphs: a mean over a power of two does not round, so only the factor that
/// clips is left.
#[test]
fn a_trainer_equals_steps_by_hand() {
    for clip in [Clip::Nothing, Clip::Norm(0.05), Clip::Value(1e-3)] {
        let ([trained, by_hand], same_norm) = both_ways(8, clip, Precision::Full, batch);
        assert_eq!(trained, by_hand, "{clip:?}");
        assert!(same_norm, "{clip:?}");
    }
}

/// The same holds where gradients are factors. Only their norm is summed in another order, so
/// values clipped by it may be rounded differently.
#[test]
fn a_trainer_equals_steps_by_hand_with_factors() {
    let one_tree = |functions: &Sentiment, model: &Model| {
        let (graph, _) = functions.tree(model, 9, &mut zoo::rng(5));
        model.minibatch([&graph]).unwrap()
    };
    for precision in [Precision::Full, Precision::Bf16] {
        for clip in [Clip::Nothing, Clip::Value(1e-3)] {
            let ([trained, by_hand], same_norm) = both_ways(128, clip, precision, one_tree);
            assert_eq!(trained, by_hand, "{clip:?}, {precision}");
            assert!(!same_norm, "the gradients are factors");
        }
    }
    let ([trained, by_hand], _) = both_ways(128, Clip::Norm(0.05), Precision::Full, one_tree);
    for (trained, by_hand) in trained.into_iter().zip(by_hand) {
        approx::assert_relative_eq!(trained, by_hand, epsilon = 1e-5, max_relative = 1e-4);
    }
}

/// A setting out of range is an error of the first step, which names it; nothing has moved by then.
#[test]
fn settings_out_of_range_are_errors_of_the_first_step() {
    type Make = fn(Model) -> Trainer;
    fn adam(model: Model) -> Trainer {
        Trainer::new(model, Adam::new(0.01))
    }
    fn all() -> Group {
        Group::prefix("word")
    }
    let first_step = |make: Make| {
        let (functions, model) = Sentiment::model::<f32>(8, 1);
        let before = values_of(&model);
        let mut trainer = make(model);
        let taken = trainer.step(&batch(&functions, trainer.model()));
        (taken, before == values_of(trainer.model()), trainer.steps())
    };
    let refused: [(Make, &str); 11] = [
        (|model| adam(model).clip_norm(f64::NAN), "the clip_norm of Trainer is NaN"),
        (|model| adam(model).clip_norm(-1.0), "the clip_norm of Trainer is -1"),
        (|model| adam(model).clip_norm(0.0), "it must be above 0 (leave it out to clip nothing)"),
        (|model| adam(model).clip_value(f64::NAN), "the clip_value of Trainer is NaN"),
        (|model| adam(model).clip_value(-0.5), "the clip_value of Trainer is -0.5"),
        (
            |model| adam(model).groups([all().clip_norm(f64::NAN)]),
            "the clip_norm of the group of prefix `word` is NaN",
        ),
        (
            |model| adam(model).groups([all().clip_value(-2.0)]),
            "the clip_value of the group of prefix `word` is -2",
        ),
        (
            |model| adam(model).groups([all().rate(f64::NAN)]),
            "the rate of the group of prefix `word` is NaN",
        ),
        (
            |model| adam(model).groups([all().weight_decay(-1.0)]),
            "the weight decay of the group of prefix `word` is -1",
        ),
        (|model| Trainer::new(model, Adam::new(f64::NAN)), "the learning rate of Adam is NaN"),
        (
            |model| Trainer::new(model, Sgd::new(0.1).weight_decay(f64::NAN)),
            "the weight decay of Sgd is NaN",
        ),
    ];
    for (make, named) in refused {
        let (taken, unmoved, steps) = first_step(make);
        let error = taken.unwrap_err();
        assert!(matches!(error, TrainError::Learn { step: 0, .. }), "{error}");
        assert!(error.to_string().contains(named), "{error}");
        assert!(unmoved && steps == 0, "{named}");
    }
    // An infinite bound is valid, and clips nothing.
    let (taken, unmoved, _) =
        first_step(|model| adam(model).clip_norm(f64::INFINITY).clip_value(f64::INFINITY));
    assert!(taken.is_ok() && !unmoved);
}

/// With few vertices, gradients of matrices are kept as factors. These are multiplied out while the
/// matrix is updated, along with its packed copy. No bit differs from a dense gradient.
#[test]
fn factors_give_the_bits_of_dense_gradients() {
    fn check<O: Optimizer<f32> + 'static>(optimizer: impl Fn() -> O, threads: usize) {
        let tree = |functions: &Sentiment, model: &Model| {
            let (graph, _) = functions.tree(model, 9, &mut zoo::rng(5));
            model.minibatch([&graph]).unwrap()
        };
        let (functions, model) = Sentiment::model::<f32>(128, 1);
        let engine = Engine::with_threads(threads).unwrap();
        let mut trainer = Trainer::new(model, optimizer()).engine(engine);
        let (functions_by_hand, mut model) = Sentiment::model::<f32>(128, 1);
        let (mut engine, mut optimizer) = (Engine::new(), optimizer());
        for step in 0..3 {
            let taken = trainer.step(&tree(&functions, trainer.model())).unwrap();

            let batch = tree(&functions_by_hand, &model);
            let mut run = engine.forward(&model, &batch, step).unwrap();
            let loss = run.loss().unwrap();
            let gradients = run.backward().unwrap();
            optimizer.update(model.parameters_mut(), &gradients).unwrap();
            assert_eq!(taken.loss, loss);
            let norm = taken.gradient_norm.unwrap();
            approx::assert_relative_eq!(norm, gradients.norm(), max_relative = 1e-6);
        }
        for ((_, a), (_, b)) in trainer.model().parameters().iter().zip(model.parameters().iter()) {
            assert_eq!(a.values().unwrap(), b.values().unwrap(), "{}", a.name());
        }
    }
    for threads in [1, 2] {
        check(|| Sgd::new(0.1), threads);
        check(|| Sgd::new(0.1).momentum(0.9), threads);
        check(|| Adam::new(0.01), threads);
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
        Engine::new().infer(model, &batch).unwrap().loss().unwrap()
    };

    // Loads into a model with other initial values.
    let (others, mut other) = Sentiment::model::<f32>(8, 99);
    assert_ne!(loss(&others, &other), loss(&functions, &model));
    other.load(&path).unwrap();
    assert_eq!(loss(&others, &other), loss(&functions, &model));

    // Loading into a model that does not fit: the error lists all differences, and nothing changes.
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
    model.parameters_mut().get_mut(id).values_mut().unwrap()[0] = f32::NAN;
    let mut trainer = Trainer::new(model, Sgd::new(0.1));
    let batch = batch(&functions, trainer.model());
    let word = trainer.model().parameters().find("word.w").unwrap();
    let before = trainer.model().parameters().get(word).values().unwrap().to_vec();
    let error = trainer.step(&batch).unwrap_err();
    let TrainError::Loss { step: 0, function, loss, .. } = &error else { panic!("{error}") };
    assert!(function == "sentiment" && loss.is_nan(), "{error}");
    assert_eq!(before, trainer.model().parameters().get(word).values().unwrap());
    assert_eq!(trainer.steps(), 0);
}

#[test]
fn model_errors_list_all_problems() {
    let mut builder = ModelBuilder::new();
    builder.add::<sentiment::word>(dims! { V: 10, H: 4, Y: 3 });
    builder.add::<sentiment::phrase>(dims! { H: 0 });
    let error = builder.build(1).unwrap_err().to_string();
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
    let error = builder.build(1).unwrap_err().to_string();
    assert!(error.contains("`Node.h` is [4] in `word`, but [5] in `phrase`"), "{error}");

    let mut builder = ModelBuilder::new();
    builder.add::<sentiment::phrase>(dims! { H: 5 });
    builder.add::<sentiment::phrase>(dims! { H: 5 }.init("v", Initializer::Zeros));
    let error = builder.build(1).unwrap_err().to_string();
    assert!(error.contains("two functions are named `phrase`"), "{error}");
    assert!(error.contains("`phrase` has no parameter `v`; it has `u`, `b`"), "{error}");

    let mut builder = ModelBuilder::new();
    let first = builder.add::<sentiment::phrase>(dims! { H: 5 }.init("u", Initializer::Zeros));
    let share = |setup: edb::model::Setup| setup.share("u", first.param("u"));
    // One setup for several functions may initialise what some of them share.
    let setup = dims! { H: 5 }.named("second").init("u", Initializer::Zeros);
    let setup = setup.init("b", Initializer::Zeros).init("b", Initializer::Constant(1.0));
    builder.add::<sentiment::phrase>(share(share(setup)));
    let error = builder.build(1).unwrap_err().to_string();
    for part in [
        "`second.b` is given to `.init` 2 times: keep the one that you mean",
        "`second.u` is given to `.share` 2 times: keep the one that you mean",
    ] {
        assert!(error.contains(part), "{error}");
    }
    assert_eq!(error.lines().count(), 3, "{error}");
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

/// A step reports the time of each part, and counts that do not depend on the number of threads.
#[test]
fn a_step_reports_times_and_counts() {
    let report = |threads: usize| {
        let (functions, model) = Sentiment::model::<f32>(32, 1);
        let engine = Engine::with_threads(threads).unwrap();
        let mut trainer = Trainer::new(model, Sgd::new(0.1)).engine(engine);
        assert_eq!(trainer.report(), edb::engine::StepReport::default());
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
        // At most both states of the two children of every phrase, and those that its judge reads.
        let most = (batch.vertex_count() * 4 * 32 * size_of::<f32>()) as u64;
        assert!(inference.copied_bytes <= step.copied_bytes && inference.copied_bytes <= most);
        (step.batches, step.copied_bytes, step.arena_bytes, inference.copied_bytes)
    };
    assert_eq!(report(1), report(2));
}

/// A trainer of the sentiment model in `f64`, adjusted by `setup`.
fn sentiment_trainer(
    setup: impl FnOnce(Trainer<f64>) -> Trainer<f64>,
) -> (Sentiment, Trainer<f64>) {
    let (functions, model) = Sentiment::model::<f64>(6, 1);
    let trainer = setup(Trainer::new(model, Sgd::new(0.1)));
    (functions, trainer)
}

fn values<T: edb::Element>(model: &Model<T>, name: &str) -> Vec<T> {
    let id = model.parameters().find(name).unwrap();
    model.parameters().get(id).values().unwrap().to_vec()
}

fn close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        approx::assert_relative_eq!(*found, *expected, max_relative = 1e-12, epsilon = 1e-14);
    }
}

/// The names of all parameters of the sentiment model.
const NAMES: [&str; 7] =
    ["word.table", "word.w", "word.b", "phrase.u", "phrase.b", "sentiment.w", "sentiment.b"];

#[test]
fn minibatches_add_up() {
    let (functions, mut undivided) = sentiment_trainer(|trainer| trainer.clip_norm(0.1));
    let trees = functions.trees(undivided.model(), 7, 6, 5);
    let step =
        undivided.step(&undivided.model().minibatch(trees.iter().map(|t| &t.0)).unwrap()).unwrap();

    let (functions, mut parts) = sentiment_trainer(|trainer| trainer.clip_norm(0.1));
    let trees = functions.trees(parts.model(), 7, 6, 5);
    let batches: Vec<Minibatch<f64>> = (trees.chunks(3))
        .map(|part| parts.model().minibatch(part.iter().map(|t| &t.0)).unwrap())
        .collect();
    let taken = parts.step_over(&batches).unwrap();
    assert_eq!((taken.graphs, parts.steps()), (7, 1));
    // The report is that of the step's minibatches together.
    let arenas = batches.iter().map(|batch| {
        let mut engine = Engine::new();
        let arena = engine.forward(parts.model(), batch, 0).unwrap().report().arena_bytes;
        // The memory of a step includes the arena and the scratch memory of threads.
        assert!(engine.training_bytes(parts.model(), batch).unwrap() > arena);
        arena
    });
    assert_eq!(Some(parts.report().arena_bytes), arenas.max());
    assert_eq!(parts.report().proof, undivided.report().proof);
    close(&[taken.loss, taken.gradient_norm.unwrap()], &[step.loss, step.gradient_norm.unwrap()]);
    for name in NAMES {
        close(&values(parts.model(), name), &values(undivided.model(), name));
    }
    let error = parts.step_over([]).unwrap_err();
    assert!(matches!(error, TrainError::Nothing { step: 1 }), "{error}");
}

/// Fault B1: the gradients of many minibatches of a step were one chain of additions, which was off by a
/// tenth in ten thousand minibatches.
#[test]
fn gradients_of_many_minibatches_do_not_drift() {
    const COUNT: usize = 10_000;
    let (model, slope) = model_of::<slope, f32>(dims! { N: 1 }, 1);
    let mut g = model.graph();
    let x = g.tensor(&[0.1]);
    g.add(&slope, (), Number { x });
    let batch = model.minibatch([&g]).unwrap();
    let mut trainer = Trainer::new(model, Sgd::new(1.0)).reduction(Reduction::Sum);
    let before = values(trainer.model(), "slope.b")[0];
    trainer.step_over(vec![&batch; COUNT]).unwrap();
    let moved = before - values(trainer.model(), "slope.b")[0];
    assert!((moved - 1000.0).abs() < 1e-3, "{moved}");
}

#[test]
fn a_memory_budget_is_kept_and_changes_no_gradient() {
    let (functions, mut undivided) = sentiment_trainer(|trainer| trainer);
    let trees = functions.trees(undivided.model(), 16, 9, 5);
    undivided.step_graphs(trees.iter().map(|t| &t.0)).unwrap();
    let all = undivided.report().arena_bytes;
    let budget = all / 3;

    let (functions, mut split) = sentiment_trainer(|trainer| trainer.memory_budget(budget));
    let trees = functions.trees(split.model(), 16, 9, 5);
    split.step_graphs(trees.iter().map(|t| &t.0)).unwrap();
    assert!(split.report().arena_bytes <= budget, "{} of {budget}", split.report().arena_bytes);
    for name in NAMES {
        close(&values(split.model(), name), &values(undivided.model(), name));
    }
    // A single graph is never split, whatever the budget.
    let (functions, mut least) = sentiment_trainer(|trainer| trainer.memory_budget(0));
    let trees = functions.trees(least.model(), 16, 9, 5);
    assert_eq!(least.step_graphs(trees.iter().map(|t| &t.0)).unwrap().graphs, 16);
}

#[test]
fn one_batch_can_be_overfitted() {
    let (functions, model) = Sentiment::model::<f32>(24, 1);
    let mut trainer = Trainer::new(model, Adam::new(0.05));
    let (graph, _) = &functions.trees(trainer.model(), 1, 4, 3)[0];
    let batch = trainer.model().minibatch([graph]).unwrap();
    let steps = trainer.overfit(&batch, 300, 0.05).unwrap();
    assert!(steps.len() < 300, "the loss is {} at last", steps[299].mean_loss());
    assert!(steps[steps.len() - 1].mean_loss() <= 0.05);
    // With a rate of zero nothing is learned, so all steps are taken.
    trainer.optimizer_mut().set_learning_rate(0.0);
    assert_eq!(trainer.overfit(&batch, 7, 0.0).unwrap().len(), 7);
}

#[test]
fn gradients_have_statistics() {
    let (functions, mut trainer) = sentiment_trainer(|trainer| trainer);
    let batch = batch(&functions, trainer.model());
    let before = values(trainer.model(), "phrase.u");
    let statistics = trainer.gradient_statistics(&batch).unwrap();
    assert_eq!(values(trainer.model(), "phrase.u"), before);
    let names: Vec<&str> = statistics.iter().map(|of| &of.parameter[..]).collect();
    assert_eq!(names, NAMES);
    let norm = statistics.iter().map(|of| of.norm * of.norm).sum::<f64>().sqrt();
    let step = trainer.step(&batch).unwrap();
    approx::assert_relative_eq!(norm, step.gradient_norm.unwrap(), max_relative = 1e-12);
    let after = values(trainer.model(), "phrase.u");
    let moved: Vec<f64> = before.iter().zip(&after).map(|(a, b)| (a - b) / 0.1).collect();
    let of = &statistics[3];
    let greatest = moved.iter().fold(0.0_f64, |greatest, g| greatest.max(g.abs()));
    approx::assert_relative_eq!(of.greatest, greatest, max_relative = 1e-9);
    approx::assert_relative_eq!(
        of.mean,
        moved.iter().sum::<f64>() / 72.0 / 5.0,
        max_relative = 1e-6
    );
    assert!(of.zeros == 0.0 && statistics[0].zeros > 0.0, "{statistics:?}");
}

/// One group selects all parameters that are not matrices, for example to switch their weight decay
/// off.
#[test]
fn biases_are_a_group() {
    let (_, model) = Sentiment::model::<f32>(8, 1);
    let groups = Group::assign(&[Group::biases()], model.parameters()).unwrap();
    let chosen: Vec<&str> = (model.parameters().iter().zip(groups))
        .filter(|(_, group)| group.is_some())
        .map(|((_, parameter), _)| parameter.name())
        .collect();
    assert!(chosen.contains(&"phrase.b") && !chosen.contains(&"phrase.u"), "{chosen:?}");
}
