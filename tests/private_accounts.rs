//! Accounts of private training over damaged and removed files, failed steps, and models without
//! losses; and errors that name a graph wherever its minibatch was cut.

use std::fs;
use std::path::{Path, PathBuf};

use edb::engine::{EngineError, Seeds};
use edb::learn::{Accountant, LearnError, PrivateSteps};
use edb::prelude::*;
use edb::trainer::{CheckpointError, Checkpoints, Notes, Private, TrainError};

use edb_backend_suite::models::model_of;
use edb_backend_suite::numbers::values;
use edb_backend_suite::optimizer::TestOptimizer;
use edb_backend_suite::ports::{Number, Told};
use edb_backend_suite::ranks::on_ranks;

const N: usize = 3;

#[vertex_function]
fn weigh(#[param(N)] w: Tensor) {
    let Number { x } = pull();
    loss((w * x).sum());
}

#[vertex_function]
fn weigh_another(#[param(N)] v: Tensor) {
    let Number { x } = pull();
    loss((v * x).sum());
}

#[vertex_function]
fn speak(#[param(N)] w: Tensor) {
    let Number { x } = pull();
    push(Told { y: w * x });
}

/// A loss of `√x`, a half of which is dropped.
#[vertex_function]
fn drop_half(#[param(N)] w: Tensor) {
    let Number { x } = pull();
    loss((w + x.sqrt()).dropout(0.5).sum());
}

fn private(noise: f64) -> Private {
    Private { noise, ..Private::new(1000, 10).unwrap() }
}

fn graph_of<F, M>(function: &Function<F>, model: &Model<M>, x: [f64; N]) -> Graph<M>
where
    F: for<'a> edb::VertexFunction<Children<'a> = (), Input = Number>,
    M: edb::Element,
{
    let mut g = model.graph();
    let x = g.tensor(&x.map(M::from_f64));
    g.add(function, (), Number { x });
    g
}

/// A trainer that is not private, and resumes from one that is.
fn plain() -> (Trainer<f64>, Graph<f64>) {
    let (model, weigh) = model_of::<weigh, f64>(dims! { N: N }, 1);
    let g = graph_of(&weigh, &model, [0.5; N]);
    (Trainer::new(model, Sgd::new(1.0)).accept_changes(), g)
}

fn trainer(noise: f64) -> (Trainer<f64>, Graph<f64>) {
    let (trainer, graph) = plain();
    (trainer.private(private(noise)), graph)
}

/// Saves to a folder that keeps one checkpoint.
fn save(folder: &Path, trainer: &Trainer<f64>) -> PathBuf {
    Checkpoints::new(folder).save(trainer, &Notes::new()).unwrap().path
}

fn steps(trainer: &mut Trainer<f64>, graph: &Graph<f64>, count: usize) {
    for _ in 0..count {
        trainer.step_graphs([graph]).unwrap();
    }
}

/// What a trainer that resumes from a folder says of all steps.
fn resumed_epsilon(folder: &Path) -> f64 {
    let (mut last, _) = trainer(1.0);
    Checkpoints::new(folder).resume(&mut last).unwrap().unwrap();
    last.epsilon().unwrap()
}

/// Fault A5: a checkpoint whose record is damaged was left out of the accounts.
#[test]
fn what_cannot_be_read_may_have_told_anything() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path()).keep_latest(9);
    let (mut one, graph) = trainer(1.0);
    one.step_graphs([&graph]).unwrap();
    checkpoints.save(&one, &Notes::new()).unwrap();
    one.step_graphs([&graph]).unwrap();
    let late = checkpoints.save(&one, &Notes::new()).unwrap().path;
    drop(one);
    let record = late.join("training.json");
    let mut bytes = fs::read(&record).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&record, bytes).unwrap();
    let (mut two, _) = trainer(1.0);
    assert_eq!(checkpoints.resume(&mut two).unwrap().unwrap().skipped.len(), 1);
    assert_eq!((two.steps(), two.epsilon()), (1, Some(f64::INFINITY)));
}

/// Fault A5: a checkpoint was removed for a newer one which did not know of its steps.
#[test]
fn accounts_outlive_the_checkpoints_that_are_removed() {
    let [folder, elsewhere] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let checkpoints = Checkpoints::new(folder.path());
    let (mut one, graph) = trainer(1.0);
    let begun = Checkpoints::new(elsewhere.path()).save(&one, &Notes::new()).unwrap().path;
    for _ in 0..300 {
        one.step_graphs([&graph]).unwrap();
    }
    let spent = one.epsilon().unwrap();
    let long = checkpoints.save(&one, &Notes::new()).unwrap().path;
    drop(one);
    let (mut two, graph) = trainer(1.0);
    Checkpoints::resume_from(&begun, &mut two).unwrap();
    two.step_graphs([&graph]).unwrap();
    checkpoints.save(&two, &Notes::new()).unwrap();
    assert!(!long.exists());
    drop(two);
    let (mut three, _) = trainer(1.0);
    checkpoints.resume(&mut three).unwrap().unwrap();
    assert!(three.steps() == 1 && three.epsilon().unwrap() > spent, "{:?}", three.epsilon());
}

/// Fault A1: a trainer that was not private, or not yet, removed the last checkpoint that knew of
/// private steps, and did not know of them itself.
#[test]
fn a_plain_save_keeps_accounts_of_private_branches() {
    let [folder, elsewhere] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let (mut one, graph) = trainer(1.0);
    steps(&mut one, &graph, 1);
    let early = save(elsewhere.path(), &one);
    steps(&mut one, &graph, 300);
    let spent = one.epsilon().unwrap();
    save(folder.path(), &one);
    drop(one);
    let (begin, _) = plain();
    save(folder.path(), &begin);
    drop(begin);
    assert_eq!(resumed_epsilon(folder.path()), spent);
    let (mut copy, _) = plain();
    Checkpoints::resume_from(&early, &mut copy).unwrap();
    save(folder.path(), &copy);
    drop(copy);
    assert_eq!(resumed_epsilon(folder.path()), spent);
}

/// Fault A2: accounts of nothing but plain steps were not written, so that an infinite epsilon was 0
/// again where a run went back to step 0.
#[test]
fn an_infinite_epsilon_outlives_step_0() {
    for noise in [None, Some(0.0)] {
        let folder = tempfile::tempdir().unwrap();
        let (one, graph) = plain();
        let mut one = match noise {
            Some(noise) => one.private(private(noise)),
            None => one,
        };
        let checkpoints = Checkpoints::new(folder.path()).keep_latest(2);
        let begin = checkpoints.save(&one, &Notes::new()).unwrap().path;
        steps(&mut one, &graph, 5);
        checkpoints.save(&one, &Notes::new()).unwrap();
        drop(one);
        let (mut two, _) = trainer(1.0);
        Checkpoints::resume_from(&begin, &mut two).unwrap();
        assert_eq!(two.epsilon(), Some(f64::INFINITY));
        let saved = save(folder.path(), &two);
        drop(two);
        let (mut three, _) = trainer(1.0);
        Checkpoints::resume_from(&saved, &mut three).unwrap();
        assert_eq!((three.steps(), three.epsilon()), (0, Some(f64::INFINITY)), "{noise:?}");
    }
}

/// Fault A2: what could not be read when a checkpoint was saved was forgotten with its folder.
#[test]
fn what_could_not_be_read_is_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let lost = folder.path().join("step-0000000009");
    fs::create_dir(&lost).unwrap();
    let (begin, _) = plain();
    save(folder.path(), &begin);
    fs::remove_dir(&lost).unwrap();
    assert_eq!(resumed_epsilon(folder.path()), f64::INFINITY);
}

/// Fault A8: a checkpoint that was renamed did not count, although a run can be resumed from it.
#[test]
fn a_renamed_checkpoint_counts() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path()).keep_latest(9);
    let (mut one, graph) = trainer(1.0);
    checkpoints.save(&one, &Notes::new()).unwrap();
    steps(&mut one, &graph, 300);
    let spent = one.epsilon().unwrap();
    let long = checkpoints.save(&one, &Notes::new()).unwrap().path;
    let best = folder.path().join("best");
    fs::rename(&long, &best).unwrap();
    drop(one);
    assert_eq!(resumed_epsilon(folder.path()), spent);
    assert_eq!(checkpoints.list().unwrap().len(), 1);
    fs::write(best.join("training.json"), "damaged").unwrap();
    assert_eq!(resumed_epsilon(folder.path()), f64::INFINITY);
    fs::remove_file(best.join("training.json")).unwrap();
    assert_eq!(resumed_epsilon(folder.path()), 0.0);
}

/// Fault A5: nothing told what a checkpoint says of other branches in its folder, of which the trainer
/// that saved it did not know.
#[test]
fn a_save_tells_the_epsilon_that_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let (mut one, graph) = trainer(1.0);
    steps(&mut one, &graph, 300);
    save(folder.path(), &one);
    drop(one);
    let (mut two, graph) = trainer(1.0);
    steps(&mut two, &graph, 9);
    let saved = Checkpoints::new(folder.path()).save(&two, &Notes::new()).unwrap();
    assert!(saved.epsilon > two.epsilon());
    drop(two);
    assert_eq!(saved.epsilon, Some(resumed_epsilon(folder.path())));
    let (plain, _) = plain();
    let saved = Checkpoints::new(folder.path()).save(&plain, &Notes::new()).unwrap();
    assert_eq!(saved.epsilon, None);
}

/// Fault A5, A6: a step that failed when parameters had moved was in no account, and its noise was drawn
/// again: with a graph and without it, parameters differed by its gradient.
#[test]
fn a_step_that_fails_late_counts() {
    let (one, graph) = trainer(100.0);
    let moves_and_fails = TestOptimizer::new(Sgd::new(1.0), |parameters, _, go| {
        go(parameters)?;
        Err(LearnError::NormRange)
    });
    let mut late = Trainer::new(one.into_model(), moves_and_fails).private(private(100.0));
    let mut told = vec![values(late.model())];
    let mut spent = vec![0.0];
    for graphs in [vec![&graph], vec![]] {
        late.step_graphs(graphs).unwrap_err();
        told.push(values(late.model()));
        spent.push(late.epsilon().unwrap());
    }
    assert!(spent[0] < spent[1] && spent[1] < spent[2], "{spent:?}");
    let differences = (0..N).map(|at| told[0][at] - 2.0 * told[1][at] + told[2][at]);
    // Two draws of noise of 100, divided by ten graphs.
    assert!(differences.map(|x| x * x).sum::<f64>().sqrt() > 1.0);
}

/// Fault B6: averages of another model were seen when parameters had moved.
#[test]
fn averages_of_another_model_move_nothing() {
    let (one, _) = trainer(1.0);
    let (other, another) = model_of::<weigh_another, f64>(dims! { N: N }, 1);
    let graph = graph_of(&another, &other, [0.5; N]);
    let mut trainer = Trainer::new(one.into_model(), Sgd::new(1.0)).ema(0.9).unwrap();
    *trainer.model_mut() = other;
    let before = values(trainer.model());
    trainer.step_graphs([&graph]).unwrap_err();
    assert_eq!(values(trainer.model()), before);
}

/// Fault A8: where nothing but given gradients trains a model, an empty minibatch was an error; so was
/// every step of ranks.
#[test]
fn models_without_losses_take_steps_of_noise() {
    let build = || {
        let (model, speak) = model_of::<speak, f64>(dims! { N: N }, 1);
        (speak, Trainer::new(model, Sgd::new(1.0)).private(private(1.0)).allow_unreached())
    };
    let (speak, mut trainer) = build();
    trainer.step_graphs([]).unwrap();
    trainer.grow([]).unwrap().step().unwrap();
    trainer.grow_shared(0, |_, _| unreachable!(), |_, _| unreachable!()).unwrap();
    let graph = graph_of(&speak, trainer.model(), [0.5; N]);
    assert!(matches!(trainer.step_graphs([&graph]), Err(TrainError::NoLoss { step: 3 })));

    let (speak, trainer) = build();
    let mut trainer = trainer.distributed(edb::collective::Alone, 1);
    let mut said = None;
    let step = trainer.grow_shared(
        1,
        |model, _| {
            let mut g = model.graph();
            let x = g.tensor(&[0.5; N]);
            said = Some(g.add(&speak, (), Number { x }));
            g
        },
        |growing, _| {
            while growing.round()?.is_some() {}
            Ok(Seeds::new())
        },
    );
    assert_eq!(step.unwrap().graphs, 1);
    assert!(said.is_some());
}

/// Makes a checkpoint of version 2, in which no run has a name.
fn make_old(checkpoint: &Path) {
    let record = checkpoint.join("training.json");
    let mut json: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&record).unwrap()).unwrap();
    json["edb_training"] = 2.into();
    json.as_object_mut().unwrap().remove("settings");
    let mut own = json["private"][0].clone();
    own.as_object_mut().unwrap().remove("run");
    json["private"] = serde_json::json!([own]);
    fs::write(&record, serde_json::to_string(&json).unwrap()).unwrap();
    fs::remove_file(checkpoint.join("checksums.txt")).unwrap();
}

fn epsilon_of(steps: u64) -> f64 {
    let mut accountant = Accountant::new();
    accountant.add(PrivateSteps { rate: 0.01, noise: 1.0, steps }).unwrap();
    accountant.epsilon(1000_f64.powf(-1.1))
}

/// Fault A5: of two branches that an earlier version saved, which name no run, one was counted.
#[test]
fn unnamed_runs_of_two_checkpoints_both_count() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path()).keep_latest(9);
    for _ in 0..2 {
        let (mut one, graph) = trainer(1.0);
        steps(&mut one, &graph, 40);
        make_old(&checkpoints.save(&one, &Notes::new()).unwrap().path);
    }
    assert_eq!(resumed_epsilon(folder.path()), epsilon_of(80));
}

/// Fault A9: runs without a name were named by the names of their checkpoints, which are the same in
/// other folders.
#[test]
fn unnamed_runs_of_two_folders_both_count() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let (mut last, _) = trainer(1.0);
    for folder in &folders {
        let (mut one, graph) = trainer(1.0);
        steps(&mut one, &graph, 40);
        let saved = save(folder.path(), &one);
        make_old(&saved);
        Checkpoints::resume_from(&saved, &mut last).unwrap();
    }
    assert_eq!(last.epsilon(), Some(epsilon_of(80)));
    // Ranks above 0, which read it in a folder of their own, know the same.
    let first = folders[0].path().join("step-0000000040");
    let of_ranks = on_ranks(2, |rank| {
        let mut one = trainer(1.0).0.distributed(rank, 1);
        Checkpoints::resume_from(&first, &mut one).unwrap();
        one.epsilon()
    });
    assert_eq!(of_ranks, [Some(epsilon_of(40)); 2]);
    // A copy of one tells nothing new.
    let copy = folders[0].path().join("copy");
    fs::create_dir(&copy).unwrap();
    for file in fs::read_dir(&first).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), copy.join(file.file_name())).unwrap();
    }
    Checkpoints::resume_from(&copy, &mut last).unwrap();
    assert_eq!(last.epsilon(), Some(epsilon_of(80)));
}

/// A damaged version was taken for a newer one, which no older checkpoint stands in for.
#[test]
fn a_damaged_version_is_damage() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path()).keep_latest(9);
    let (mut one, graph) = trainer(1.0);
    checkpoints.save(&one, &Notes::new()).unwrap();
    one.step_graphs([&graph]).unwrap();
    let late = checkpoints.save(&one, &Notes::new()).unwrap().path;
    drop(one);
    let record = late.join("training.json");
    let text = fs::read_to_string(&record).unwrap();
    fs::write(&record, text.replacen("\"edb_training\": 5", "\"edb_training\": 7", 1)).unwrap();
    let (mut two, _) = trainer(1.0);
    let resumed = checkpoints.resume(&mut two).unwrap().unwrap();
    assert_eq!((resumed.checkpoint.step, resumed.skipped.len()), (0, 1));
    assert!(!matches!(resumed.skipped[0].reason, CheckpointError::Version { .. }));
}

/// The number of a graph in an error was that in a part of the minibatch.
#[test]
fn graphs_are_counted_over_all_parts() {
    let (model, weigh) = model_of::<weigh, f64>(dims! { N: N }, 1);
    let [first, second, fourth] = [(); 3].map(|()| graph_of(&weigh, &model, [0.5; N]));
    let huge = graph_of(&weigh, &model, [f64::MAX; N]);
    let graphs = [&first, &second, &huge, &fourth];
    let plain = Trainer::new(model, Sgd::new(1.0)).memory_budget(1);
    let mut private = plain.private(private(1.0));
    let error = private.step_graphs(graphs).unwrap_err();
    let is_third = |error: &TrainError| match error {
        TrainError::Engine(EngineError::NotClipped { graph }) | TrainError::Loss { graph, .. } => {
            *graph == 2
        }
        _ => false,
    };
    assert!(is_third(&error), "{error}");
    let (model, drops) = model_of::<drop_half, f64>(dims! { N: N }, 1);
    let good = graph_of(&drops, &model, [0.5; N]);
    let wrong = graph_of(&drops, &model, [-1.0; N]);
    let mut trainer = Trainer::new(model, Sgd::new(1.0)).memory_budget(1);
    let error = trainer.step_graphs([&good, &good, &wrong, &good]).unwrap_err();
    assert!(is_third(&error), "{error}");
}

/// Fault B11: dropout hid the NaN that it dropped.
#[test]
fn dropout_hides_no_nan() {
    let (model, drops) = model_of::<drop_half, f64>(dims! { N: N }, 1);
    let wrong = graph_of(&drops, &model, [-1.0, 1.0, 1.0]);
    let batch = model.minibatch([&wrong]).unwrap();
    let mut engine = Engine::new();
    for step in 0..20 {
        assert!(engine.forward(&model, &batch, step).unwrap().loss().unwrap().is_nan(), "{step}");
    }
}
