//! A run goes on with other settings only where the program says so.

use edb::schedule::Policy;
use edb::secret::Secret;
use edb::trainer::{Reduction, Resumed, SettingChange};

use super::*;

/// The functions of a model, and the trainer that `set` makes of it.
fn of_functions(set: impl Fn(Model) -> Trainer) -> (Sentiment, Trainer) {
    let (functions, model) = Sentiment::model::<f32>(4, 1);
    (functions, set(model))
}

fn made(set: impl Fn(Model) -> Trainer) -> Trainer {
    of_functions(set).1
}

/// A checkpoint of a trainer that has taken a step.
fn saved(folder: &Path, set: impl Fn(Model) -> Trainer) {
    let (functions, mut trainer) = of_functions(set);
    step(&functions, &mut trainer);
    Checkpoints::new(folder).save(&trainer, &Notes::new()).unwrap();
}

fn changed(change: &SettingChange) -> [&str; 3] {
    [&change.setting, &change.saved, &change.present]
}

/// What a checkpoint of `from` says of each setting that differs in a trainer of `to`, which it refuses,
/// and then accepts.
fn changes(
    from: impl Fn(Model) -> Trainer,
    to: impl Fn(Model) -> Trainer,
) -> (Vec<SettingChange>, Resumed, Trainer) {
    let folder = tempfile::tempdir().unwrap();
    saved(folder.path(), from);
    let mut other = made(&to);
    let before = bits(other.model());
    let error = Checkpoints::new(folder.path()).resume(&mut other).unwrap_err();
    assert_eq!((bits(other.model()), other.steps()), (before, 0));
    let said = error.to_string();
    assert!(said.contains("was saved with other settings: "), "{said}");
    assert!(said.ends_with("or go on with those of the trainer by `Trainer::accept_changes`"));
    let CheckpointError::Settings { changed, .. } = error else { panic!("{said}") };
    assert!(changed.iter().all(|change| said.contains(&change.to_string())), "{said}");
    let mut accepting = made(|model| to(model).accept_changes());
    let resumed = Checkpoints::new(folder.path()).resume(&mut accepting).unwrap().unwrap();
    assert_eq!(resumed.changed, changed);
    // What it saves has its own settings, so that it is not told twice.
    drop(other);
    Checkpoints::new(folder.path()).save(&accepting, &Notes::new()).unwrap();
    let mut again = made(&to);
    let path = Checkpoints::new(folder.path()).latest().unwrap().unwrap().path;
    assert!(Checkpoints::resume_from(path, &mut again).unwrap().changed.is_empty());
    (changed, resumed, accepting)
}

/// A fault that a newcomer met: every one of these was taken over without a word.
#[test]
fn all_that_is_set_is_compared() {
    let from = |model| {
        Trainer::new(model, Adam::new(1e-2)).schedule(RateSchedule::cosine(100, 0.0)).clip_norm(5.0)
    };
    let to = |model| {
        Trainer::new(model, Adam::new(1e-1).betas(0.5, 0.9).weight_decay(0.1))
            .schedule(RateSchedule::cosine(7, 0.0))
            .clip_norm(0.1)
            .clip_value(3.0)
            .groups([Group::biases().frozen(true)])
            .reduction(Reduction::Sum)
            .memory_budget(1 << 20)
            .measure_noise(3)
            .skip_finite_check()
            .engine(Engine::new().policy(Policy::Depth).most_steps(9))
            .distributed(edb::collective::Alone, 2)
    };
    let adam = |betas: &str, decay: &str| {
        format!(
            "AdamMethod {{ moments: Moments {{ betas: {betas}, epsilon: 1e-8 }}, amsgrad: false }} with \
             weight decay {decay}"
        )
    };
    let cosine = |steps: usize| format!("Cosine {{ steps: {steps}, from: 1.0, to: 0.0 }}");
    let frozen = "[Group { selector: Biases, rate: 1.0, weight_decay: None, frozen: true, clip_norm: None, \
                  clip_value: None }]";
    let (found, _, trainer) = changes(from, to);
    let found: Vec<[&str; 3]> = found.iter().map(changed).collect();
    let expected = [
        ["how often noise is measured", "0", "3"],
        ["the check that gradients are finite", "true", "false"],
        ["the clipping of norms", "5.0", "0.1"],
        ["the clipping of values", "none", "3.0"],
        ["the groups", "[]", frozen],
        ["the learning rate", "0.01", "0.1"],
        ["the memory budget", "none", "1048576"],
        ["the most rounds of a graph that grows", "10000", "9"],
        ["the number of shares", "1", "2"],
        ["the reduction", "MeanOfGraphs", "Sum"],
        ["the schedule of the learning rate", &cosine(100), &cosine(7)],
        ["the settings of the optimiser", &adam("(0.9, 0.999)", "0"), &adam("(0.5, 0.9)", "0.1")],
    ];
    let is_policy = |change: &&[&str; 3]| change[0] == "the policy";
    let others: Vec<[&str; 3]> =
        found.iter().copied().filter(|change| !is_policy(&change)).collect();
    assert_eq!(others, expected);
    let policy = found.iter().find(is_policy).unwrap();
    assert_ne!(policy[1], policy[2]);
    // It goes on with its own.
    let rate = 0.1 * RateSchedule::cosine(7, 0.0).factor(1);
    assert_eq!(trainer.learning_rate(), rate);
}

#[test]
fn settings_of_averages_of_the_plateau_and_of_privacy_are_compared() {
    let private = |clip| Private { clip, ..Private::new(1000, 10).unwrap() };
    let with = |decay, patience, clip| {
        move |model| {
            let mut trainer = Trainer::new(model, Sgd::new(0.1)).ema(decay).unwrap();
            trainer = trainer.plateau(Plateau::lower_is_better().patience(patience).factor(0.5));
            trainer.private(private(clip))
        }
    };
    let (found, ..) = changes(with(0.9, 3, 1.0), with(0.5, 0, 2.0));
    let found: Vec<[&str; 3]> = found.iter().map(changed).collect();
    let plateau = |patience: u64| {
        format!("\"lower is better, patience {patience}, margin 0, factor 0.5, at least 0\"")
    };
    let private =
        |clip: u64| format!("clip {clip}, noise 1, 10 graphs, each with probability 0.01");
    let expected = [
        ["private training", &private(1), &private(2)],
        ["the decay of moving averages", "0.9", "0.5"],
        ["the plateau", &plateau(3), &plateau(0)],
    ];
    assert_eq!(found, expected);
}

/// What a program changes while it trains is the state of its run: the same program, started again, goes
/// on with it, and need not repeat it.
#[test]
fn what_was_changed_later_is_restored() {
    let program = |model| Trainer::new(model, Adam::new(0.01)).groups([Group::prefix("word")]);
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path());
    let change = |trainer: &mut Trainer| {
        trainer.set_groups([Group::function("phrase").frozen(true)]);
        trainer.optimizer_mut().set_learning_rate(0.5);
    };
    let (functions, mut whole) = of_functions(program);
    step(&functions, &mut whole);
    change(&mut whole);
    step(&functions, &mut whole);
    checkpoints.save(&whole, &Notes::new()).unwrap();
    step(&functions, &mut whole);
    let expected = bits(whole.model());
    for accepts in [false, true] {
        let (functions, mut again) = of_functions(|model| match accepts {
            true => program(model).accept_changes(),
            false => program(model),
        });
        assert!(checkpoints.resume(&mut again).unwrap().unwrap().changed.is_empty());
        assert_eq!(again.learning_rate(), 0.5);
        step(&functions, &mut again);
        assert_eq!(bits(again.model()), expected);
    }
    // Back to what was saved before the change, with a trainer that has changed since.
    let early = tempfile::tempdir().unwrap();
    saved(early.path(), program);
    let (functions, mut back) = of_functions(program);
    change(&mut back);
    Checkpoints::new(early.path()).resume(&mut back).unwrap().unwrap();
    step(&functions, &mut back);
    let (functions, mut straight) = of_functions(program);
    for _ in 0..2 {
        step(&functions, &mut straight);
    }
    assert_eq!(bits(back.model()), bits(straight.model()));
}

/// What a plateau has observed is kept where another patience is accepted.
#[test]
fn a_plateau_goes_on_with_another_patience() {
    let with = |patience| {
        move |model| {
            let plateau = Plateau::lower_is_better().patience(patience).factor(0.5);
            Trainer::new(model, Sgd::new(1.0)).plateau(plateau)
        }
    };
    let folder = tempfile::tempdir().unwrap();
    let mut trainer = made(with(5));
    assert_eq!([0.3, 0.4, 0.4].map(|score| trainer.observe(score).unwrap()), [1.0; 3]);
    Checkpoints::new(folder.path()).save(&trainer, &Notes::new()).unwrap();
    let mut other = made(|model| with(2)(model).accept_changes());
    Checkpoints::new(folder.path()).resume(&mut other).unwrap().unwrap();
    assert_eq!(other.observe(0.4).unwrap(), 0.5, "the third that is not better");
}

/// JSON knows no infinity, and would keep a group that is clipped to it as one that is not clipped.
#[test]
fn a_bound_that_json_cannot_keep_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut trainer = made(|model| Trainer::new(model, Sgd::new(0.1)));
    trainer.set_groups([Group::biases().clip_norm(f64::INFINITY)]);
    let error = Checkpoints::new(folder.path()).save(&trainer, &Notes::new()).unwrap_err();
    assert!(error.to_string().contains("a setting of a group is infinite"), "{error}");
    assert_eq!(steps_in(folder.path()), BTreeSet::new());
}

/// All ranks are told; one that does not accept what the others do is named.
#[test]
fn ranks_are_told_of_changes() {
    let folder = tempfile::tempdir().unwrap();
    saved(folder.path(), |model| Trainer::new(model, Adam::new(0.01)).reduction(Reduction::Sum));
    let resume = |accepts: [bool; 2]| {
        on_ranks(2, |rank| {
            let trainer = made(|model| Trainer::new(model, Adam::new(0.01)));
            let trainer = match accepts[edb::collective::Collective::rank(&rank)] {
                true => trainer.accept_changes(),
                false => trainer,
            };
            let mut trainer = trainer.distributed(rank, 1);
            let resumed = Checkpoints::new(folder.path()).resume(&mut trainer);
            resumed.map(|resumed| resumed.unwrap().changed).map_err(|error| error.to_string())
        })
    };
    let change = |of: &Result<Vec<SettingChange>, String>| {
        of.as_ref().unwrap().iter().map(|change| changed(change).join(", ")).collect::<Vec<_>>()
    };
    let all = resume([true, true]);
    assert!(all.iter().all(|of| change(of) == ["the reduction, Sum, MeanOfGraphs"]), "{all:?}");
    for (accepts, named) in [([false, true], "rank 0"), ([true, false], "rank 1")] {
        for (rank, refused) in resume(accepts).into_iter().enumerate() {
            let error = refused.unwrap_err();
            // Rank 0 has its own error, and the others hear it.
            assert!(rank == 0 && named == "rank 0" || error.contains(named), "{error}");
            assert!(error.contains("the reduction: Sum in it and MeanOfGraphs"), "{error}");
        }
    }
}

/// The secret of a private run is no setting: each process has another one.
#[test]
fn secrets_are_not_compared() {
    let folder = tempfile::tempdir().unwrap();
    let with = |seed| {
        move |model| {
            let secret = Secret::insecure(seed);
            let private = Private { secret, ..Private::new(100, 10).unwrap() };
            Trainer::new(model, Sgd::new(0.1)).private(private)
        }
    };
    saved(folder.path(), with(1));
    assert!(Checkpoints::new(folder.path()).resume(&mut made(with(2))).is_ok());
}
