//! Reductions, groups, rates and averages.

use super::*;

/// A step over two minibatches with some reduction.
struct Reduced {
    step: edb::trainer::Step,
    /// The vertices with a loss in the first minibatch, and in both.
    of_first: usize,
    losses: usize,
    /// The gradient norm of the first parameter, from statistics of the first minibatch.
    statistics: f64,
    /// How far each number of all parameters moved.
    moved: Vec<f64>,
}

#[test]
fn losses_are_reduced_as_asked() {
    let reduced = |reduction| {
        let (functions, mut trainer) = sentiment_trainer(|trainer| trainer.reduction(reduction));
        let before = NAMES.map(|name| values(trainer.model(), name));
        let first = batch(&functions, trainer.model());
        let trees = functions.trees(trainer.model(), 3, 9, 2);
        let second = trainer.model().minibatch(trees.iter().map(|tree| &tree.0)).unwrap();
        let statistics = trainer.gradient_statistics(&first).unwrap().remove(0).norm;
        let step = trainer.step_over([&first, &second]).unwrap();
        let moved = NAMES.map(|name| values(trainer.model(), name));
        let moved = before.iter().flatten().zip(moved.iter().flatten()).map(|(a, b)| a - b);
        // A tree of n words has 3 n - 1 vertices, and n of them have a loss.
        let of_first = (first.vertex_count() + 8) / 3;
        let losses = of_first + (second.vertex_count() + 3) / 3;
        Reduced { step, of_first, losses, statistics, moved: moved.collect() }
    };
    let Reduced { step: sum, of_first, losses, statistics: of_first_sum, moved: of_sum } =
        reduced(Reduction::Sum);
    assert_eq!((sum.graphs, sum.terms, sum.mean_loss()), (11, 1, sum.loss));
    assert!(losses > 11);
    let means = [(Reduction::MeanOfGraphs, 11, 8), (Reduction::MeanOfVertices, losses, of_first)];
    for (reduction, terms, of_first) in means {
        let Reduced { step, statistics, moved, .. } = reduced(reduction);
        let of_first = statistics * of_first as f64;
        approx::assert_relative_eq!(of_first, of_first_sum, max_relative = 1e-12);
        let count = terms as f64;
        assert_eq!((step.loss, step.terms), (sum.loss, terms));
        assert_eq!(step.mean_loss(), sum.loss / count);
        let norms = [step.gradient_norm.unwrap() * count, sum.gradient_norm.unwrap()];
        approx::assert_relative_eq!(norms[0], norms[1], max_relative = 1e-12);
        for (moved, of_sum) in moved.iter().zip(&of_sum) {
            approx::assert_abs_diff_eq!(moved * count, *of_sum, epsilon = 1e-12);
        }
    }
}

#[test]
fn groups_have_rates_and_clipping_of_their_own() {
    let gradients = |functions: &Sentiment, trainer: &mut Trainer<f64>| {
        let mut engine = Engine::new();
        let batch = batch(functions, trainer.model());
        let mut run = engine.forward(trainer.model(), &batch, 0).unwrap();
        let mut gradients = run.backward().unwrap();
        gradients.scale(1.0 / 8.0);
        NAMES.map(|name| {
            let id = trainer.model().parameters().find(name).unwrap();
            gradients.to_dense(id).iter().copied().collect::<Vec<f64>>()
        })
    };
    let (functions, mut trainer) = sentiment_trainer(|trainer| {
        trainer.clip_norm(0.05).groups([
            Group::parameter("word.table").frozen(true),
            Group::function("phrase").rate(0.5).weight_decay(0.25),
            Group::prefix("word.").clip_norm(0.01),
            Group::parameter("sentiment.b").clip_value(1e-3),
        ])
    });
    let gradients = gradients(&functions, &mut trainer);
    let before = NAMES.map(|name| values(trainer.model(), name));
    let squares = |parameters: &[usize]| {
        parameters.iter().flat_map(|parameter| &gradients[*parameter]).map(|g| g * g).sum::<f64>()
    };
    let words = (0.01 / squares(&[1, 2]).sqrt()).min(1.0);
    let rest = (0.05 / squares(&[3, 4, 5, 6]).sqrt()).min(1.0);
    assert!(words < 1.0 && rest < 1.0, "both are clipped");

    let batch = batch(&functions, trainer.model());
    let step = trainer.step(&batch).unwrap();
    let norm = squares(&[1, 2, 3, 4, 5, 6]).sqrt();
    approx::assert_relative_eq!(step.gradient_norm.unwrap(), norm, max_relative = 1e-12);
    let moved: Vec<Vec<f64>> = (0..7)
        .map(|parameter| {
            let value = |(p, g): (&f64, &f64)| match parameter {
                0 => *p,
                1 | 2 => p - 0.1 * words * g,
                3 | 4 => p - 0.05 * (rest * g + 0.25 * p),
                6 => p - 0.1 * (rest * g).clamp(-1e-3, 1e-3),
                _ => p - 0.1 * rest * g,
            };
            before[parameter].iter().zip(&gradients[parameter]).map(value).collect()
        })
        .collect();
    for (name, expected) in NAMES.iter().zip(&moved) {
        close(&values(trainer.model(), name), expected);
    }
    // Without groups nothing is frozen.
    trainer.set_groups([]);
    trainer.step(&batch).unwrap();
    assert_ne!(values(trainer.model(), "word.table"), before[0]);

    trainer.set_groups([Group::function("words")]);
    let error = trainer.step(&batch).unwrap_err().to_string();
    assert!(error.contains("the group of function `words` has no parameter; there are"), "{error}");
    assert!(error.contains("phrase.u"), "{error}");
}

/// A schedule over no steps was at its end from the first step on, so that a run with such a cosine learned nothing.
#[test]
fn a_schedule_is_checked_before_the_first_step() {
    type S = RateSchedule;
    let (steps, factor) = ("0; it must be at least 1", "it must be finite and not negative");
    for (schedule, setting, range) in [
        (S::cosine(0, 0.1), "the number of steps of RateSchedule::cosine is ", steps),
        (S::linear(0, 0.0, 1.0), "the number of steps of RateSchedule::linear is ", steps),
        (S::one_cycle(0), "the number of steps of RateSchedule::one_cycle is ", steps),
        (S::step(0, 0.5), "the number of steps of RateSchedule::step is ", steps),
        (
            S::constant(1.0).then(0, S::constant(0.5)),
            "the number of steps of RateSchedule::then is ",
            steps,
        ),
        (
            S::constant(1.0).then(3, S::cosine(0, 0.0)),
            "the number of steps of RateSchedule::cosine is ",
            steps,
        ),
        (
            S::constant(1.0).times(S::one_cycle(0)),
            "the number of steps of RateSchedule::one_cycle is ",
            steps,
        ),
        (S::constant(-1.0), "the factor of RateSchedule::constant is -1; ", factor),
        (S::exponential(f64::NAN), "the gamma of RateSchedule::exponential is NaN; ", factor),
        (S::step(2, f64::INFINITY), "the gamma of RateSchedule::step is inf; ", factor),
        (S::linear(2, -0.5, 1.0), "the first factor of RateSchedule::linear is -0.5; ", factor),
        (S::cosine(2, -0.5), "the last factor of RateSchedule::cosine is -0.5; ", factor),
    ] {
        let (functions, mut trainer) = sentiment_trainer(|trainer| trainer.schedule(schedule));
        let batch = batch(&functions, trainer.model());
        let before = values(trainer.model(), "phrase.u");
        let error = trainer.step(&batch).unwrap_err().to_string();
        assert_eq!(error, format!("step 0: {setting}{range}"));
        assert_eq!((values(trainer.model(), "phrase.u"), trainer.steps()), (before, 0));
    }
    // A warm-up of no steps is none, and one of a single step begins at its end.
    for steps in [0, 1] {
        let schedule = S::cosine(10, 0.1).warm_up(steps);
        schedule.check().unwrap();
        for step in 0..12 {
            assert_eq!(schedule.factor(step), S::cosine(10, 0.1).factor(step));
        }
    }
}

#[test]
fn rates_follow_schedule_and_plateau() {
    let (functions, mut trainer) = sentiment_trainer(|trainer| {
        trainer
            .schedule(RateSchedule::linear(2, 1.0, 0.0).times(RateSchedule::constant(0.5)))
            .plateau(edb::learn::Plateau::lower_is_better().patience(0).factor(0.1))
    });
    approx::assert_relative_eq!(trainer.learning_rate(), 0.05);
    let batch = batch(&functions, trainer.model());
    for (score, rate) in [(1.0, 0.025), (2.0, 0.0)] {
        trainer.step(&batch).unwrap();
        approx::assert_relative_eq!(trainer.observe(score).unwrap(), rate);
    }
    let before = values(trainer.model(), "phrase.u");
    trainer.step(&batch).unwrap();
    assert_eq!(values(trainer.model(), "phrase.u"), before);
}

#[test]
fn averages_follow_the_parameters() {
    let (functions, mut trainer) = sentiment_trainer(|trainer| trainer.ema(0.2).unwrap());
    let batch = batch(&functions, trainer.model());
    let mut average = values(trainer.model(), "phrase.u");
    for step in 1..4 {
        trainer.step(&batch).unwrap();
        let keep = 0.2_f64.min((1.0 + f64::from(step)) / (10.0 + f64::from(step)));
        let now = values(trainer.model(), "phrase.u");
        average.iter_mut().zip(now).for_each(|(a, x)| *a = keep * *a + (1.0 - keep) * x);
    }
    let last = values(trainer.model(), "phrase.u");
    assert!(trainer.swap_averages().unwrap());
    close(&values(trainer.model(), "phrase.u"), &average);
    assert!(trainer.swap_averages().unwrap());
    assert_eq!(values(trainer.model(), "phrase.u"), last);
}

/// Fault B7: averages that had been swapped in were saved as weights, and trained as if they were.
#[test]
fn averages_are_neither_trained_nor_saved_as_weights() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path());
    let (functions, mut trainer) = sentiment_trainer(|trainer| trainer.ema(0.2).unwrap());
    let batch = batch(&functions, trainer.model());
    trainer.step(&batch).unwrap();
    checkpoints.save(&trainer, &Notes::new()).unwrap();
    let swap = |trainer: &mut Trainer<f64>| assert!(trainer.swap_averages().unwrap());
    swap(&mut trainer);
    let averages = values(trainer.model(), "phrase.u");
    let (tree, _) = functions.tree(trainer.model(), 5, &mut zoo::rng(3));
    let refused = |error: TrainError| {
        let is_swapped = matches!(&error, TrainError::Learn { error: LearnError::Swapped, .. });
        assert!(is_swapped && error.to_string().contains("swap them back"), "{error}");
    };
    refused(trainer.step(&batch).unwrap_err());
    refused(trainer.step_graphs([&tree]).unwrap_err());
    refused(trainer.grow([tree.clone()]).map(drop).unwrap_err());
    let error = checkpoints.save(&trainer, &Notes::new()).unwrap_err();
    assert!(matches!(error, CheckpointError::Learn(LearnError::Swapped)), "{error}");
    // They can be tested, and saved as a model.
    trainer.infer(&batch).unwrap().loss().unwrap();
    trainer.model().save(folder.path().join("averages.safetensors")).unwrap();
    assert_eq!(values(trainer.model(), "phrase.u"), averages);
    swap(&mut trainer);
    trainer.step(&batch).unwrap();
    let after = values(trainer.model(), "phrase.u");
    // What is resumed is in its place.
    swap(&mut trainer);
    checkpoints.resume(&mut trainer).unwrap().unwrap();
    trainer.step(&batch).unwrap();
    assert_eq!(values(trainer.model(), "phrase.u"), after);
    let (_, private) = sentiment_trainer(|trainer| trainer.ema(0.2).unwrap());
    let mut private = private.private(Private::new(100, 10).unwrap());
    swap(&mut private);
    refused(private.step_graphs([]).unwrap_err());
}
