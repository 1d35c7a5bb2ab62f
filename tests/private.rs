//! Private training: what a step does, that it is the same on any number of threads and after a
//! restart, and what it refuses; and the measure of gradient noise.

use edb::learn::{Group, PrivateSteps};
use edb::prelude::*;
use edb::secret::Secret;
use edb::trainer::{Checkpoints, Notes, Private, Reduction, TrainError};

use edb_backend_suite::machine::sample;
use edb_backend_suite::numbers::values;
use edb_backend_suite::random::{graphs, model};
use edb_backend_suite::zoo::{Sentiment, Zoo, rng};
use edb_compiler::Options;
use proptest::prelude::*;

fn moved<T: edb::Element>(before: &[f64], trainer: &Trainer<T>) -> Vec<f64> {
    values(trainer.model()).iter().zip(before).map(|(now, before)| before - now).collect()
}

fn length(values: &[f64]) -> f64 {
    values.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn private(graphs: usize, minibatch: usize) -> Private {
    Private { secret: Secret::insecure(4), ..Private::new(graphs, minibatch).unwrap() }
}

/// A trainer that moves parameters by their gradient, and graphs.
fn sentiment(graphs: usize) -> (Trainer<f64>, Vec<Graph<f64>>) {
    let (functions, model) = Sentiment::model::<f64>(5, 2);
    let graphs =
        functions.trees(&model, graphs, 6, 3).into_iter().map(|(graph, _)| graph).collect();
    (Trainer::new(model, Sgd::new(1.0)), graphs)
}

#[test]
fn without_noise_or_bound_a_step_is_a_plain_one() {
    let (mut plain, graphs) = sentiment(6);
    let (trainer, own) = sentiment(6);
    // Sums are rounded to steps of 4e-9 times the bound.
    let free = Private { clip: 30.0, noise: 0.0, ..private(60, 6) };
    let mut trainer = trainer.private(free);
    for _ in 0..3 {
        let plainly = plain.step_graphs(&graphs).unwrap();
        let privately = trainer.step_graphs(&own).unwrap();
        assert!((plainly.loss - privately.loss).abs() < 1e-5);
        assert_eq!((plainly.terms, privately.terms), (6, 6));
        assert_eq!((plainly.epsilon, privately.epsilon), (None, Some(f64::INFINITY)));
    }
    let expected = values(plain.model());
    let found = values(trainer.model());
    assert!(found.iter().zip(&expected).all(|(x, y)| (x - y).abs() < 1e-6));
}

#[test]
fn each_graph_moves_parameters_by_the_bound_at_most() {
    let (trainer, graphs) = sentiment(5);
    // The norms of frozen parameters do not count.
    let groups = [Group::function("word").frozen(true)];
    let bound = 0.01;
    let clipping = Private { clip: bound, noise: 0.0, ..private(50, 5) };
    let mut trainer = trainer.groups(groups).private(clipping);
    for graph in &graphs {
        let before = values(trainer.model());
        trainer.step_graphs([graph]).unwrap();
        // Sums are divided by the mean size of a minibatch, whatever that of this one.
        let norm = 5.0 * length(&moved(&before, &trainer));
        assert!(norm <= bound && norm > 0.999 * bound, "{norm}");
    }
}

#[test]
fn noise_has_the_deviation_and_needs_no_graph() {
    let (trainer, _) = sentiment(0);
    let before = values(trainer.model());
    let mut trainer = trainer.private(Private { clip: 0.5, noise: 3.0, ..private(40, 4) });
    let step = trainer.step_graphs([]).unwrap();
    assert_eq!((step.graphs, step.loss), (0, 0.0));
    let noise = moved(&before, &trainer);
    let deviation = length(&noise) / (noise.len() as f64).sqrt();
    // 1.5 over a minibatch of 4, from some 300 draws.
    assert!(noise.len() > 250 && (deviation - 0.375).abs() < 0.07, "{deviation}");
    assert!(noise.iter().all(|x| *x != 0.0));
}

/// Fault A8: an empty minibatch of graphs that grow was an error.
#[test]
fn a_step_of_no_growing_graphs_is_one_of_noise() {
    let build = || {
        let (trainer, _) = sentiment(0);
        let before = values(trainer.model());
        (trainer.private(private(40, 4)), before)
    };
    let (mut expected, before) = build();
    expected.step_graphs([]).unwrap();
    let expected = moved(&before, &expected);
    assert!(expected.iter().all(|x| *x != 0.0));
    let (mut trainer, _) = build();
    let mut growing = trainer.grow([]).unwrap();
    assert!(growing.round().unwrap().is_none() && growing.graphs().is_empty());
    let step = growing.step().unwrap();
    assert!(growing.step().is_err(), "it has been taken");
    assert_eq!((step.graphs, step.loss, step.terms), (0, 0.0, 4));
    assert!(growing.grown().is_none() && growing.into_graphs().is_empty());
    assert_eq!(moved(&before, &trainer), expected);
    for together in [false, true] {
        let (trainer, _) = build();
        let mut trainer =
            if together { trainer.distributed(edb::collective::Alone, 3) } else { trainer };
        let step = trainer.grow_shared(0, |_, _| unreachable!(), |_, _| unreachable!()).unwrap();
        assert_eq!(step.graphs, 0);
        assert_eq!(moved(&before, &trainer), expected);
        assert!(trainer.epsilon().unwrap() > 0.0);
    }
    let (mut plain, _) = sentiment(0);
    assert!(plain.grow([]).is_err());
}

/// Trains privately until a step; returns the bits of the parameters.
fn train(trainer: &mut Trainer, graphs: &[Graph], until: u64) -> Vec<f64> {
    let minibatches = private(graphs.len(), 4).poisson();
    while trainer.steps() < until {
        let minibatch = minibatches.minibatch(trainer.steps());
        trainer.step_graphs(minibatch.iter().map(|number| &graphs[*number])).unwrap();
    }
    values(trainer.model())
}

#[test]
fn steps_are_the_same_on_any_number_of_threads_and_resumed() {
    let build = |seed, threads| {
        let (zoo, model) = Zoo::model::<f32>(4, seed);
        let mut rng = rng(8);
        let graphs: Vec<Graph> = (0..12).map(|_| zoo.graph(&model, 7, &mut rng)).collect();
        let trainer = Trainer::new(model, Adam::new(0.01))
            .engine(Engine::with_threads(threads).unwrap().seed(5))
            .private(private(12, 4));
        (trainer, graphs)
    };
    let (mut one, graphs) = build(1, 1);
    let expected = train(&mut one, &graphs, 6);
    let epsilon = one.epsilon().unwrap();
    assert!(epsilon > 1.0 && epsilon.is_finite(), "{epsilon}");
    for threads in [2, 3] {
        let (mut trainer, graphs) = build(1, threads);
        assert_eq!(train(&mut trainer, &graphs, 6), expected, "{threads} threads");
    }
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path());
    let (mut first, graphs) = build(1, 2);
    train(&mut first, &graphs, 3);
    checkpoints.save(&first, &Notes::new()).unwrap();
    let (mut second, graphs) = build(2, 1);
    checkpoints.resume(&mut second).unwrap().unwrap();
    assert_eq!(train(&mut second, &graphs, 6), expected);
    assert_eq!(second.epsilon(), Some(epsilon));
    let taken: Vec<PrivateSteps> = second.accountant().taken().collect();
    assert_eq!(taken, [PrivateSteps { rate: 1.0 / 3.0, noise: 1.0, steps: 6 }]);
}

#[test]
fn what_is_not_private_is_refused() {
    let (trainer, graphs) = sentiment(2);
    let mut trainer = trainer.reduction(Reduction::MeanOfVertices).private(private(2, 1));
    let error = trainer.step_graphs(&graphs).unwrap_err();
    assert!(matches!(error, TrainError::NotPrivate { step: 0 }));
    let (trainer, graphs) = sentiment(2);
    let before = values(trainer.model());
    let mut trainer = trainer.private(Private { clip: -1.0, ..private(2, 1) });
    let error = trainer.step_graphs(&graphs).unwrap_err().to_string();
    assert_eq!(error, "step 0: the clip of Private is -1; it must be positive and finite");
    assert_eq!((values(trainer.model()), trainer.epsilon()), (before, Some(0.0)));
}

/// Fault C3 of the third list: one graph ten times in a step was clipped ten times, and entered into the
/// accounts once.
#[test]
fn a_sample_is_in_a_private_step_once() {
    let (functions, model) = Sentiment::model::<f64>(5, 2);
    // Of equal content: that is no sign of one sample.
    let [graphs, equal] = [(); 2].map(|()| {
        let trees = functions.trees(&model, 8, 6, 3);
        trees.into_iter().map(|(graph, _)| graph).collect::<Vec<_>>()
    });
    let mut trainer = Trainer::new(model, Sgd::new(1.0)).private(private(8, 4));
    let clone = graphs[1].clone();
    let twice = |error: TrainError| match error {
        TrainError::SampleTwice { first, second, .. } => (first, second),
        error => panic!("{error}"),
    };
    let refused = trainer.step_graphs([&graphs[0]; 8]).unwrap_err();
    assert_eq!(twice(refused), (0, 1));
    let refused = trainer.step_graphs([&graphs[1], &graphs[0], &clone]).unwrap_err();
    assert_eq!(twice(refused), (0, 2));
    let of = |graphs: &[&Graph<f64>]| trainer.model().minibatch(graphs.iter().copied()).unwrap();
    let [own, again] = [of(&[&graphs[0], &graphs[1]]), of(&[&graphs[2], &clone])];
    let repeated = of(&[&graphs[3], &graphs[4], &graphs[3]]);
    assert_eq!(twice(trainer.step(&repeated).unwrap_err()), (0, 2));
    assert_eq!(twice(trainer.step_over([&own, &again]).unwrap_err()), (1, 3));
    assert_eq!((trainer.steps(), trainer.epsilon()), (0, Some(0.0)), "nothing was taken");
    trainer.step_over([&own]).unwrap();
    trainer.step(&again).unwrap();
    trainer.step_graphs([&graphs[0], &equal[0]]).unwrap();
}

#[test]
fn the_noise_of_gradients_is_measured() {
    let (trainer, graphs) = sentiment(7);
    let mut trainer = trainer.measure_noise(2);
    let (mut plain, own) = sentiment(7);
    let own = plain.model().minibatch(&own).unwrap();
    let batch = trainer.model().minibatch(&graphs).unwrap();
    let mut engine = Engine::<f64>::new();
    let mut run = engine.forward(trainer.model(), &batch, 0).unwrap();
    let norms = run.backward_each().unwrap().norms().unwrap();
    let sum = engine.forward(trainer.model(), &batch, 0).unwrap().backward().unwrap().norm();
    let scale = trainer.step(&batch).unwrap().report().noise_scale.unwrap();
    // Equations A.2 of McCandlish et al., with batches of 1 and 7.
    let (small, large) = (norms.iter().map(|x| x * x).sum::<f64>() / 7.0, (sum / 7.0).powi(2));
    let square = (7.0 * large - small) / 6.0;
    let trace = (small - large) / (1.0 - 1.0 / 7.0);
    assert!((scale.square - square).abs() < 1e-9 * square.abs());
    assert!((scale.trace - trace).abs() < 1e-9 * trace);
    assert!(trainer.step(&batch).unwrap().report().noise_scale.is_none());
    for _ in 0..2 {
        plain.step(&own).unwrap();
    }
    let expected = values(plain.model());
    assert!(values(trainer.model()).iter().zip(&expected).all(|(x, y)| (x - y).abs() < 1e-9));
}

/// Behind a step without noise, from the sums of clipped gradients, parameters are where those of a plain
/// step are, and each graph moves them by at most the bound, whatever its gradients are sums of.
fn check_clipped<T: edb::Element>(seed: u64, rounding: f64) -> Result<(), TestCaseError> {
    let build = || -> Model<T> { model(&mut rng(seed), seed, Options::default()) };
    let graphs_of = |model: &Model<T>| graphs(&mut rng(seed ^ 1), model, 1..6, 1..12);
    let own = build();
    let batch = own.minibatch(&graphs_of(&own)).unwrap();
    let mut engine: Engine<T> = Engine::new();
    let mut run = engine.forward(&own, &batch, 0).unwrap();
    let norms = run.backward_each().unwrap().norms().unwrap();
    let most = norms.iter().copied().fold(1e-3, f64::max);
    let moved = |clip: Option<f64>, chosen: &[usize]| -> Vec<f64> {
        let model = build();
        let (graphs, before) = (graphs_of(&model), values(&model));
        let trainer = Trainer::new(model, Sgd::new(1.0)).reduction(Reduction::Sum);
        let trainer = trainer.allow_unreached();
        let mut trainer = match clip {
            Some(clip) => {
                let private = Private::new(100, 10).unwrap();
                trainer.private(Private { clip, noise: 0.0, ..private })
            }
            None => trainer,
        };
        trainer.step_graphs(chosen.iter().map(|graph| &graphs[*graph])).unwrap();
        values(trainer.model()).iter().zip(&before).map(|(x, y)| y - x).collect()
    };
    let all: Vec<usize> = (0..norms.len()).collect();
    let size = length(&values(&own));
    let (plain, clipped) = (moved(None, &all), moved(Some(2.0 * most), &all));
    let apart: Vec<f64> = clipped.iter().zip(&plain).map(|(x, y)| x - y).collect();
    prop_assert!(length(&apart) <= rounding * (norms.iter().sum::<f64>() + size));
    for graph in all {
        let clip = 0.3 * norms[graph].max(1e-3);
        let found = length(&moved(Some(clip), &[graph]));
        prop_assert!(found <= clip + rounding * size, "{} and {}", found, clip);
        prop_assert!(norms[graph] < 1e-3 || found > 0.99 * clip, "{} and {}", found, clip);
    }
    Ok(())
}

proptest! {
    // Each case builds a model several times.
    #![proptest_config(ProptestConfig { cases: sample(32) as u32, failure_persistence: None, ..Default::default() })]

    #[test]
    fn clipped_sums_are_within_the_bound_in_f64(seed: u64) {
        check_clipped::<f64>(seed, 1e-7)?;
    }

    #[test]
    fn clipped_sums_are_within_the_bound_in_f32(seed: u64) {
        check_clipped::<f32>(seed, 1e-6)?;
    }
}
