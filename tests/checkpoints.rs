//! Checkpoints: a resumed run equals one without interruption, and no failure while a checkpoint is
//! written damages earlier ones.

mod faults;
mod lines;
mod models;
mod settings;

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use edb::Element;
use edb::feed::{Loader, Position};
use edb::learn::{Difference, EarlyStopping, LearnError};
use edb::learn::{Group, Plateau, RateSchedule};
use edb::prelude::*;
use edb::trainer::{CheckpointError, Checkpoints, Notes, Private};

use edb_backend_suite::machine::{self, sample};
use edb_backend_suite::numbers::bits;
use edb_backend_suite::ranks::on_ranks;
use edb_backend_suite::zoo::{self, Sentiment, Zoo, rng};

/// A run in which everything has a state: dropout, a learned policy, an optimiser with moments,
/// averages, a plateau, a loader.
struct Training<T> {
    graphs: Vec<Graph<T>>,
    trainer: Trainer<T>,
    loader: Loader,
    stopping: EarlyStopping,
}

impl<T: Element> Training<T> {
    fn new(model_seed: u64, engine_seed: u64, threads: usize) -> Self {
        let (zoo, model) = Zoo::model::<T>(4, model_seed);
        let mut rng = rng(9);
        let mut graph = |sample| {
            let mut graph = zoo.graph(&model, 10, &mut rng);
            graph.set_sample(sample);
            graph
        };
        let graphs = (0..12).map(&mut graph).collect();
        let trainer = Trainer::new(model, edb::learn::NAdam::new(0.02))
            .engine(Engine::with_threads(threads).unwrap().seed(engine_seed))
            .clip_norm(1.0)
            .groups([Group::function("gru").rate(0.5)])
            .schedule(RateSchedule::cosine(30, 0.1).warm_up(3))
            .plateau(Plateau::lower_is_better().patience(0).factor(0.7))
            .ema(0.9)
            .unwrap();
        let stopping = EarlyStopping::lower_is_better();
        Self { graphs, trainer, loader: Loader::new(12, 5, 3), stopping }
    }

    fn steps(&mut self, until: u64) {
        while self.trainer.steps() < until {
            let samples = self.loader.epoch().next().unwrap();
            let graphs = samples.iter().map(|sample| &self.graphs[*sample]);
            let batch = self.trainer.model().minibatch(graphs).unwrap();
            let loss = self.trainer.step(&batch).unwrap().loss;
            self.trainer.observe(loss).unwrap();
            self.stopping.observe(loss);
        }
    }

    fn end(mut self) -> (Vec<u64>, Vec<u64>, f64, EarlyStopping, Position) {
        let parameters = bits(self.trainer.model());
        assert!(self.trainer.swap_averages().unwrap());
        let averages = bits(self.trainer.model());
        assert_ne!(parameters, averages);
        let rate = self.trainer.learning_rate();
        (parameters, averages, rate, self.stopping, self.loader.position())
    }
}

fn resumes_bit_for_bit<T: Element>() {
    let mut uninterrupted = Training::<T>::new(1, 7, 1);
    uninterrupted.steps(12);
    let expected = uninterrupted.end();
    // A policy is learned after four minibatches: this stops before, then, and later.
    for stop in [0, 2, 4, 9] {
        let folder = tempfile::tempdir().unwrap();
        let checkpoints = Checkpoints::new(folder.path());
        let mut first = Training::<T>::new(1, 7, 2);
        first.steps(stop);
        let notes = Notes::new().with("loader", &first.loader.position());
        checkpoints.save(&first.trainer, &notes.with("stopping", &first.stopping)).unwrap();
        drop(first);
        // The new trainer has other initial values, another seed and another number of threads.
        let mut second = Training::<T>::new(2, 8, 1);
        let notes = checkpoints.resume(&mut second.trainer).unwrap().unwrap().notes;
        assert_eq!(second.trainer.steps(), stop);
        second.loader.resume(notes.get("loader").unwrap()).unwrap();
        second.stopping = notes.get("stopping").unwrap();
        second.steps(12);
        assert_eq!(second.end(), expected, "stopped after {stop} steps");
    }
}

#[test]
fn a_resumed_run_continues_bit_for_bit() {
    resumes_bit_for_bit::<f32>();
    resumes_bit_for_bit::<f64>();
}

fn trainer(hidden: usize, seed: u64) -> (Sentiment, Trainer) {
    let (functions, model) = Sentiment::model::<f32>(hidden, seed);
    (functions, Trainer::new(model, Adam::new(0.01)))
}

fn step(functions: &Sentiment, trainer: &mut Trainer) {
    let trees = functions.trees(trainer.model(), 2, 4, trainer.steps());
    let batch = trainer.model().minibatch(trees.iter().map(|(graph, _)| graph)).unwrap();
    trainer.step(&batch).unwrap();
}

/// The names of all that is in a folder, but for the file that is locked.
fn steps_in(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name != ".lock").collect()
}

#[test]
fn the_latest_and_the_best_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let checkpoints = Checkpoints::new(&path).keep_latest(2).keep_highest(2);
    let (functions, mut trainer) = trainer(4, 1);
    assert_eq!(checkpoints.latest().unwrap(), None);
    assert!(checkpoints.resume(&mut trainer).unwrap().is_none());
    for score in [0.5, 0.9, f64::NAN, 0.7, 0.1, 0.2] {
        checkpoints.save(&trainer, &Notes::new().score(score)).unwrap();
        step(&functions, &mut trainer);
    }
    let expected = [1, 3, 4, 5].map(|step| format!("step-{step:010}"));
    assert_eq!(steps_in(&path), expected.into());
    assert_eq!(checkpoints.best().unwrap().unwrap().score, Some(0.9));
    assert_eq!(checkpoints.latest().unwrap().unwrap().step, 5);
    let lowest = Checkpoints::new(&path).keep_lowest(1);
    assert_eq!(lowest.best().unwrap().unwrap().step, 4);

    // Saves step 1 again, without a score: the older checkpoint of that step stays until it is
    // pruned.
    Checkpoints::resume_from(path.join("step-0000000001"), &mut trainer).unwrap();
    assert_eq!(trainer.steps(), 1);
    checkpoints.save(&trainer, &Notes::new()).unwrap();
    assert!(steps_in(&path).contains("step-0000000001"));
    for _ in 0..3 {
        Checkpoints::new(&path).save(&trainer, &Notes::new()).unwrap();
    }
    // Of the four checkpoints of step 1, only the one saved last is kept, under a name that was
    // free.
    let left = steps_in(&path);
    assert_eq!(left.len(), 1);
    assert!(left.iter().all(|name| name.starts_with("step-0000000001")), "{left:?}");
}

/// The parameters are in plain safetensors, which other programs can read.
#[test]
fn parameters_are_plain_safetensors() {
    let folder = tempfile::tempdir().unwrap();
    let (functions, mut trainer) = trainer(4, 1);
    step(&functions, &mut trainer);
    let path = Checkpoints::new(folder.path()).save(&trainer, &Notes::new()).unwrap().path;
    let (_, mut model) = Sentiment::model::<f64>(4, 2);
    model.load(path.join("model.safetensors")).unwrap();
    assert_eq!(bits(&model), bits(trainer.model()));
}

#[test]
fn checkpoints_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path());
    let (functions, mut saved) = trainer(4, 1);
    step(&functions, &mut saved);
    let path = checkpoints.save(&saved, &Notes::new()).unwrap().path;

    let refused = |trainer: &mut Trainer, parts: &[&str]| {
        let before = bits(trainer.model());
        let error = checkpoints.resume(trainer).unwrap_err();
        assert!(matches!(error, CheckpointError::Differs { .. }), "{error}");
        for part in parts {
            assert!(error.to_string().contains(part), "{part}: {error}");
        }
        assert_eq!((bits(trainer.model()), trainer.steps()), (before, 0));
    };
    let (_, mut wider) = trainer(5, 1);
    refused(
        &mut wider,
        &[
            "`word`: dimension X is 5 in it and 6 in the model",
            "`phrase`: dimension H is 4 in it and 5 in the model",
            "`phrase.u` is [25, 10], but [20, 8] in the file",
        ],
    );
    let (_, model) = Sentiment::model::<f32>(4, 1);
    let mut other = Trainer::new(model, Sgd::new(0.1)).ema(0.5).unwrap();
    refused(
        &mut other,
        &[
            "the optimiser is Adam in it and Sgd in the trainer",
            "moving averages are not kept in it and kept in the trainer",
        ],
    );
    let (_, model) = Zoo::model::<f32>(4, 1);
    let mut other = Trainer::new(model, Adam::new(0.1));
    refused(&mut other, &["it has no function `gru`", "the model has no function `phrase`"]);

    // A model with the same parameters, but another op: before there were fingerprints, the text said so.
    let text = models::without_fingerprints(&path);
    let record = path.join("training.json");
    fs::write(&record, text.replacen("tanh", "sigmoid", 1)).unwrap();
    let (_, mut same) = trainer(4, 1);
    refused(&mut same, &["sigmoid", "in it is", "tanh"]);

    fs::write(&record, text.replacen("\"edb_training\": 4", "\"edb_training\": 6", 1)).unwrap();
    let error = checkpoints.resume(&mut same).unwrap_err().to_string();
    assert!(
        error.ends_with("is a checkpoint of version 6; this edb reads versions 1 to 5"),
        "{error}"
    );
    fs::write(&record, &text[..text.len() / 2]).unwrap();
    let error = Checkpoints::resume_from(&path, &mut same).unwrap_err();
    assert!(matches!(error, CheckpointError::Record { .. }), "{error}");

    // Even if changes are accepted, the state of an optimiser that keeps other tensors is refused.
    fs::write(&record, text).unwrap();
    let (_, model) = Sentiment::model::<f32>(4, 1);
    let mut amsgrad = Trainer::new(model, Adam::new(0.01).amsgrad()).accept_changes();
    let error = checkpoints.resume(&mut amsgrad).unwrap_err();
    assert!(matches!(&error, CheckpointError::Learn(LearnError::StateSlots { .. })), "{error}");
    assert!(error.to_string().contains("make it with the settings that it had"), "{error}");
    assert_eq!(amsgrad.steps(), 0);
}

#[test]
fn some_parameters_are_transferred() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    let (_, source) = Sentiment::model::<f32>(4, 1);
    source.save(&path).unwrap();

    // The function of words has another width, and the function of judges another name.
    let mut builder = ModelBuilder::new();
    builder.add::<zoo::sentiment::word>(dims! { V: 7, X: 5, H: 4 });
    builder.add::<zoo::sentiment::phrase>(dims! { H: 4 });
    builder.add::<zoo::sentiment::sentiment>(dims! { C: 5, H: 4 }.named("judge"));
    let mut model: Model = builder.build(2).unwrap();
    let before = model.parameters().clone();
    let report = model
        .load_some(&path, |name| match name.strip_prefix("judge.") {
            Some(rest) => Some(format!("sentiment.{rest}")),
            None => (name != "phrase.b").then(|| name.to_owned()),
        })
        .unwrap();
    assert_eq!(report.loaded, ["word.w", "word.b", "phrase.u", "judge.w", "judge.b"]);
    assert_eq!(report.kept, ["phrase.b"]);
    assert_eq!(report.unused, ["phrase.b", "word.table"]);
    let [Difference::Shape { parameter, expected, found }] = &report.differing[..] else {
        panic!("{:?}", report.differing)
    };
    assert_eq!(
        (&parameter[..], &expected[..], &found[..]),
        ("word.table", &[7, 5][..], &[11, 5][..])
    );
    let pairs = [("judge.w", "sentiment.w"), ("phrase.u", "phrase.u")];
    let values = |parameters: &edb::learn::Parameters<f32>, name: &str| {
        parameters.get(parameters.find(name).unwrap()).values().unwrap().to_vec()
    };
    for (here, there) in pairs {
        assert_eq!(values(model.parameters(), here), values(source.parameters(), there));
    }
    for kept in ["word.table", "phrase.b"] {
        assert_eq!(values(model.parameters(), kept), values(&before, kept));
    }
}

/// The environment variable that tells the child process where to write.
const FOLDER: &str = "EDB_TEST_CHECKPOINTS";

/// A model that takes a while to write; the notes of its checkpoints hold a sum of its bits.
fn large() -> (Sentiment, Trainer) {
    trainer(64, 1)
}

fn sum(trainer: &Trainer) -> u64 {
    bits(trainer.model()).iter().fold(0, |sum, bits| sum ^ bits.rotate_left(7))
}

/// The child process of the tests below: trains and saves until it is killed or cannot write.
#[test]
#[ignore = "a child of the tests below"]
fn writes_checkpoints() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let checkpoints = Checkpoints::new(folder).keep_latest(2);
    let (functions, mut trainer) = large();
    checkpoints.resume(&mut trainer).unwrap();
    println!("writing");
    loop {
        step(&functions, &mut trainer);
        if let Err(error) = checkpoints.save(&trainer, &Notes::new().with("sum", &sum(&trainer))) {
            println!("failed: {error}");
            return;
        }
    }
}

/// A process of its own that runs the test above.
fn child(folder: &Path) -> Command {
    with_writer(Command::new(std::env::current_exe().unwrap()), folder)
}

fn with_writer(mut command: Command, folder: &Path) -> Command {
    command.args(["--exact", "checkpoints::writes_checkpoints", "--ignored", "--nocapture"]);
    command.env(FOLDER, folder).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

/// Checks that the last checkpoint is complete; returns its step.
fn checked_step(folder: &Path) -> u64 {
    let (_, mut trainer) = large();
    if let Some(run) = Checkpoints::new(folder).resume(&mut trainer).unwrap() {
        assert_eq!(run.notes.get::<u64>("sum").unwrap(), sum(&trainer));
        assert!(run.skipped.is_empty(), "{:?}", run.skipped);
    }
    trainer.steps()
}

#[test]
#[cfg(unix)]
fn killed_writers_cost_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let killed = |wait: &dyn Fn()| {
        let mut child = child(folder.path()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().contains("writing")));
        wait();
        child.kill().unwrap();
        child.wait().unwrap();
    };
    // Measures how long it takes until the first checkpoint is complete.
    let start = Instant::now();
    let is_whole = |name: &String| !name.starts_with('.');
    killed(&|| {
        while !steps_in(folder.path()).iter().any(is_whole) {
            std::thread::sleep(Duration::from_millis(1));
        }
    });
    let writing = start.elapsed();
    let (mut last, mut torn) = (checked_step(folder.path()), 0);
    let kills = sample(100).max(20) as u32;
    for kill in 0..kills {
        // Kills at any moment while the first two checkpoints are written.
        killed(&|| std::thread::sleep(writing * (kill * 37 % 100) / 50));
        torn += usize::from(steps_in(folder.path()).iter().any(|name| name.starts_with('.')));
        let step = checked_step(folder.path());
        assert!(step >= last, "step {step} after step {last}");
        last = step;
    }
    // Otherwise no kill hit a write, or nothing was written.
    assert!(
        torn > 0 && last > 0,
        "{torn} of {kills} were killed while they wrote {last} checkpoints"
    );
}

/// Fault C5: two trainers wrote to one folder, each of which removed what the other was writing, or
/// had just saved: some checkpoints whose saving had succeeded could not be resumed.
#[test]
#[cfg(unix)]
fn one_trainer_at_a_time_writes_to_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let save = |trainer: &Trainer| Checkpoints::new(&path).save(trainer, &Notes::new());
    let refused = |trainer: &Trainer, by: u32| {
        let error = save(trainer).unwrap_err();
        let CheckpointError::Locked { folder, process } = &error else { panic!("{error}") };
        assert_eq!((folder, *process), (&path, Some(by)));
        let said = error.to_string();
        assert!(said.contains(&by.to_string()) && said.contains("run"), "{said}");
    };
    let ((functions, mut first), (_, mut second)) = (large(), large());
    save(&first).unwrap();
    refused(&second, std::process::id());
    // It may read, and save elsewhere; the first goes on, whoever names the folder.
    Checkpoints::new(&path).resume(&mut second).unwrap().unwrap();
    Checkpoints::new(folder.path().join("other")).save(&second, &Notes::new()).unwrap();
    step(&functions, &mut first);
    Checkpoints::new(folder.path().join("other/../run")).save(&first, &Notes::new()).unwrap();
    drop(first);
    save(&second).unwrap();
    drop(second);
    // Another process has it until it dies.
    let mut child = child(&path).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("writing")));
    while Checkpoints::new(&path).latest().unwrap().is_none_or(|latest| latest.step < 2) {
        std::thread::sleep(Duration::from_millis(1));
    }
    let (_, third) = large();
    refused(&third, child.id());
    child.kill().unwrap();
    child.wait().unwrap();
    save(&third).unwrap();
}

/// Fault A3: where the file that is locked was removed by hand, two trainers wrote to one folder.
#[test]
#[cfg(unix)]
fn a_lock_that_was_removed_is_taken_again() {
    let folder = tempfile::tempdir().unwrap();
    let save = |trainer: &Trainer| Checkpoints::new(folder.path()).save(trainer, &Notes::new());
    let ((_, first), (_, second)) = (trainer(4, 1), trainer(4, 1));
    save(&first).unwrap();
    fs::remove_file(folder.path().join(".lock")).unwrap();
    save(&first).unwrap();
    assert!(matches!(save(&second), Err(CheckpointError::Locked { .. })));
    fs::remove_file(folder.path().join(".lock")).unwrap();
    save(&second).unwrap();
    assert!(matches!(save(&first), Err(CheckpointError::Locked { .. })));
    drop(second);
    save(&first).unwrap();
}

/// Fault A4: a checkpoint that a trainer removed while another program read the folder was damage: then
/// none was whole, or accounts were infinite.
#[test]
fn reading_beside_a_trainer_finds_a_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path());
    let private = |seed| trainer(4, seed).1.private(Private::new(100, 10).unwrap());
    let mut writer = private(1);
    writer.step_graphs([]).unwrap();
    checkpoints.save(&writer, &Notes::new()).unwrap();
    let reads = |mut reader: Trainer| {
        while reader.steps() < 100 {
            let read = checkpoints.resume(&mut reader).unwrap().unwrap();
            assert!(read.skipped.is_empty(), "{:?}", read.skipped);
            assert!(reader.epsilon().unwrap().is_finite());
            assert!(checkpoints.latest().unwrap().is_some());
        }
    };
    std::thread::scope(|scope| {
        let alone = scope.spawn(|| reads(private(2)));
        let together = scope.spawn(|| on_ranks(2, |rank| reads(private(2).distributed(rank, 1))));
        while writer.steps() < 100 || !alone.is_finished() || !together.is_finished() {
            writer.step_graphs([]).unwrap();
            checkpoints.save(&writer, &Notes::new()).unwrap();
        }
    });
}

/// A limit on the size of files acts like a full disk.
#[test]
#[cfg(unix)]
fn a_full_disk_costs_nothing() {
    let Some(mut shell) = machine::program("sh", "a full disk") else { return };
    let folder = tempfile::tempdir().unwrap();
    let (functions, mut trainer) = large();
    step(&functions, &mut trainer);
    let notes = Notes::new().with("sum", &sum(&trainer));
    Checkpoints::new(folder.path()).save(&trainer, &notes).unwrap();
    // Limits files to about 32 KiB. Ignoring the signal makes the write return an error.
    shell.args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$@\"", "sh"]);
    shell.arg(std::env::current_exe().unwrap());
    let output = with_writer(shell, folder.path()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("failed: "), "{text}");
    assert_eq!(checked_step(folder.path()), 1);
    assert_eq!(steps_in(folder.path()), ["step-0000000001".to_owned()].into());
}
