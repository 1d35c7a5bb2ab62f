//! The folder of a run: what a program that was stopped goes on with, and which folders are refused.

use std::fs;
use std::path::Path;

use edb::collective::{Alone, Collective, Local};
use edb::feed::{Loader, prefetch};
use edb::learn::EarlyStopping;
use edb::prelude::*;
use edb::trainer::{Checkpoints, Notes, RunError, RunFolder};

use edb_backend_suite::ranks::{Reader, bits, on_ranks};

const SAMPLES: usize = 13;

fn loader() -> Loader {
    Loader::new(SAMPLES, 4, 7).buckets(|sample| sample % 4, 2)
}

fn trainer() -> (Trainer, Reader) {
    let (reader, model) = Reader::model(3);
    (Trainer::new(model, Adam::new(0.02)).ema(0.9).unwrap().allow_unreached(), reader)
}

fn stopping() -> EarlyStopping {
    EarlyStopping::lower_is_better().patience(2)
}

/// The result of a run: bits of the parameters, the log, epochs, and the best score.
type Outcome = (Vec<u32>, String, u64, Option<f64>);

/// Trains in a folder for at most `steps` more steps; returns the outcome if the run has come to its end. It saves
/// after every second step.
fn train(folder: &Path, steps: usize) -> Option<Outcome> {
    let (mut trainer, reader) = trainer();
    let mut run = RunFolder::open(folder, &mut trainer, loader()).unwrap().keep_latest(2);
    run = run.early_stopping(stopping()).unwrap().tensor_board().unwrap();
    run.note("words", &["a", "film"]).unwrap();
    let mut left = steps;
    while run.epochs() < 6 && !run.is_over() {
        let items = run.epoch_with_positions();
        let stopped = prefetch(
            2,
            items,
            |item| item,
            |(samples, position)| {
                if left == 0 {
                    return Err(());
                }
                left -= 1;
                let graphs: Vec<_> =
                    samples.iter().map(|sample| reader.graph(trainer.model(), *sample)).collect();
                let step = trainer.step_graphs(&graphs).unwrap();
                run.log(&trainer, &[("loss", step.mean_loss()), ("rate", 0.02)]).unwrap();
                if trainer.steps() % 2 == 0 {
                    run.save(&trainer, position).unwrap();
                }
                Ok(())
            },
        );
        if stopped.is_err() {
            return None;
        }
        // A score that does not depend on where the run was stopped; the best one is that of the third epoch.
        let score = [3.0, 2.0, 0.5, 1.0, 1.5, 0.75][run.epochs() as usize];
        let is_best = run.finish_epoch(&trainer, score).unwrap();
        assert_eq!(is_best, run.epochs() <= 3);
    }
    let best = run.best_checkpoint().unwrap().unwrap();
    assert_eq!((best.step, best.score), (12, Some(0.5)));
    assert_eq!(run.notes().get::<Vec<String>>("words").unwrap(), ["a", "film"]);
    let curves = run.curves().unwrap();
    assert_eq!(curves.keys().map(String::as_str).collect::<Vec<_>>(), ["loss", "rate", "score"]);
    assert_eq!(curves["loss"].len() as u64, trainer.steps());
    assert_eq!(curves["score"][..3], [(4, 3.0), (8, 2.0), (12, 0.5)]);
    let log = fs::read_to_string(folder.join("log.jsonl")).unwrap();
    Some((bits(&mut trainer), log, run.epochs(), run.best()))
}

/// Stopped after any number of steps, with minibatches that wait, once or after every few steps.
#[test]
fn a_run_that_is_stopped_is_the_run_that_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let whole = train(&folder.path().join("whole"), usize::MAX).unwrap();
    assert_eq!((whole.2, whole.3), (6, Some(0.5)));
    assert_eq!(whole.1.lines().count(), 24 + 6);
    for first in 0..=9 {
        let path = folder.path().join(format!("once{first}"));
        assert!(train(&path, first).is_none());
        assert_eq!(train(&path, usize::MAX).as_ref(), Some(&whole), "stopped after {first}");
    }
    let path = folder.path().join("often");
    let mut stops = 0;
    let outcome = loop {
        match train(&path, 3) {
            Some(outcome) => break outcome,
            None => stops += 1,
        }
    };
    assert!(stops > 5, "stopped {stops} times");
    assert_eq!(outcome, whole);
    // What has ended stays so.
    assert_eq!(train(&path, 0).unwrap(), whole);
}

fn error(folder: &Path, loader: Loader, stopping: EarlyStopping) -> RunError {
    let run = RunFolder::open(folder, &mut trainer().0, loader);
    run.and_then(|run| run.early_stopping(stopping)).unwrap_err()
}

#[test]
fn folders_of_other_runs_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("own");
    {
        let (mut trainer, reader) = trainer();
        let run = RunFolder::open(&own, &mut trainer, loader()).unwrap();
        let mut run = run.early_stopping(stopping()).unwrap();
        assert!(run.resumed().is_none() && run.best_checkpoint().unwrap().is_none());
        let graph = reader.graph(trainer.model(), 1);
        trainer.step_graphs([&graph]).unwrap();
        run.epoch().for_each(drop);
        run.finish_epoch(&trainer, 1.0).unwrap();
        for name in ["loader", "early_stopping"] {
            let error = run.note(name, &1).unwrap_err().to_string();
            let expected = format!("the run keeps a note `{name}` of its own: choose another name");
            assert_eq!(error, expected);
        }
        // Two at once.
        let (mut second, _) = self::trainer();
        let error = RunFolder::open(&own, &mut second, loader()).unwrap_err();
        assert!(matches!(error, RunError::Log(_)), "{error}");
        assert!(error.to_string().contains("is being written by another log"), "{error}");
    }
    let before = fs::read(own.join("log.jsonl")).unwrap();
    let error_of = error(&own, Loader::new(SAMPLES, 5, 7), stopping()).to_string();
    let checkpoint = own.join("checkpoints").join("step-0000000001");
    let at = checkpoint.display();
    assert_eq!(
        error_of,
        format!(
            "{at}: the run began with another loader (the position is of a loader with minibatches of 4, and this one \
             has 5): give a run with other data or minibatches a folder of its own"
        )
    );
    let error_of = error(&own, loader(), EarlyStopping::higher_is_better()).to_string();
    let expected = "the run began with a score that is better when it is lower, and now it should be better when it \
                    is higher: give the other score a folder of its own";
    assert_eq!(error_of, format!("{at}: {expected}"));
    assert_eq!(fs::read(own.join("log.jsonl")).unwrap(), before);
    // The patience is the program's, and the scores are those of the run.
    let (mut second, _) = trainer();
    let run = RunFolder::open(&own, &mut second, loader()).unwrap();
    assert_eq!(run.resumed().unwrap().checkpoint.step, 1);
    let mut run = run.early_stopping(stopping().patience(0)).unwrap();
    assert_eq!((run.epochs(), run.best(), run.is_over()), (1, Some(1.0), false));
    run.finish_epoch(&second, 2.0).unwrap();
    assert!(run.is_over());

    let other = folder.path().join("other");
    let (one, _) = trainer();
    Checkpoints::new(other.join("checkpoints")).save(&one, &Notes::new()).unwrap();
    drop(one);
    let error_of = error(&other, loader(), stopping()).to_string();
    assert!(error_of.contains("there is no note `loader`"), "{error_of}");
    assert!(error_of.ends_with("another program saved it: give the run a folder of its own"));

    let log = folder.path().join("log");
    fs::create_dir(&log).unwrap();
    fs::write(log.join("log.jsonl"), "{\"key\":1}").unwrap();
    assert!(matches!(error(&log, loader(), stopping()), RunError::Log(_)));
    assert_eq!(fs::read(log.join("log.jsonl")).unwrap(), b"{\"key\":1}");
}

/// What is left of an epoch does not come back, and an epoch that is not run counts, so that loops end.
#[test]
fn an_epoch_ends_where_it_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let (mut trainer, reader) = trainer();
    let mut run = RunFolder::open(folder.path(), &mut trainer, loader()).unwrap();
    let graph = reader.graph(trainer.model(), 1);
    trainer.step_graphs([&graph]).unwrap();
    let mut seen = 0;
    for _ in 0..3 {
        seen += run.epoch().take(3).count();
        assert!(!run.finish_epoch(&trainer, 1.0).unwrap());
    }
    assert_eq!((seen, run.epochs()), (9, 3));
    run.finish_epoch(&trainer, 1.0).unwrap();
    assert_eq!((run.epochs(), run.epoch().count()), (4, 4));
    // It has been run to its end, and is not finished.
    assert_eq!(run.epochs(), 4);
    run.finish_epoch(&trainer, 1.0).unwrap();
    assert_eq!(run.epochs(), 5);
    // Nobody has said which scores are better.
    assert!(run.best_checkpoint().unwrap().is_none() && run.best().is_none());
    drop(run);
    let run = RunFolder::open(folder.path(), &mut self::trainer().0, loader()).unwrap();
    assert_eq!(run.epochs(), 5);
}

/// What fails changes nothing, and may be tried again.
#[test]
fn an_epoch_that_cannot_be_finished_has_not_ended() {
    let folder = tempfile::tempdir().unwrap();
    let (mut trainer, reader) = trainer();
    let run = RunFolder::open(folder.path(), &mut trainer, loader()).unwrap();
    let mut run = run.early_stopping(stopping().patience(1)).unwrap();
    let graph = reader.graph(trainer.model(), 1);
    trainer.step_graphs([&graph]).unwrap();
    run.epoch().for_each(drop);
    assert!(run.finish_epoch(&trainer, 2.0).unwrap());
    run.epoch().for_each(drop);
    for score in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = run.finish_epoch(&trainer, score).unwrap_err().to_string();
        let expected =
            format!("the score of epoch 2 is {score}, which cannot be compared with others");
        assert!(error.starts_with(&expected), "{error}");
    }
    run.note("broken", &f64::NAN).unwrap();
    for _ in 0..3 {
        let error = run.finish_epoch(&trainer, 3.0).unwrap_err();
        assert!(matches!(error, RunError::Checkpoint(_)), "{error}");
        assert_eq!((run.epochs(), run.is_over(), run.best()), (1, false, Some(2.0)));
    }
    run.note("broken", &1).unwrap();
    assert!(!run.finish_epoch(&trainer, 3.0).unwrap());
    run = run.early_stopping(stopping().patience(9)).unwrap();
    assert_eq!((run.epochs(), run.is_over(), run.best()), (2, false, Some(2.0)));
    assert_eq!(run.curves().unwrap()["score"], [(1, 2.0), (1, 3.0)]);
    // A position of another loader would make a checkpoint with which nothing can go on.
    let other = Loader::new(100, 4, 7).epoch_with_positions().next().unwrap().1;
    let error = run.save(&trainer, other).unwrap_err();
    assert!(matches!(error, RunError::Position(_)), "{error}");
    let (_, position) = run.epoch_with_positions().next().unwrap();
    run.save(&trainer, position).unwrap();
    // Scores of a run without early stopping are not compared with those before.
    drop(run);
    let mut run = RunFolder::open(folder.path(), &mut trainer, loader()).unwrap();
    run.finish_epoch(&trainer, 1.0).unwrap();
    drop(run);
    let run = RunFolder::open(folder.path(), &mut trainer, loader()).unwrap();
    assert_eq!(run.early_stopping(stopping()).unwrap().best(), None);
}

/// A rank that cannot open the run, or has another loader, is that of all.
#[test]
fn ranks_open_a_run_alike() {
    let folder = tempfile::tempdir().unwrap();
    let open = |path: &Path, loader: &(dyn Fn(usize) -> Loader + Sync)| {
        on_ranks(2, |rank: Local| {
            let loader = loader(rank.rank());
            let mut trainer = trainer().0.distributed(rank, 2);
            RunFolder::open(path, &mut trainer, loader).map(drop).map_err(|error| error.to_string())
        })
    };
    let opened = open(&folder.path().join("own"), &|rank| Loader::new(9, 4, rank as u64));
    let expected = "rank 1: its loader is not that of rank 0".to_owned();
    assert_eq!(opened, [Err(expected.clone()), Err(expected)]);
    let foreign = folder.path().join("foreign");
    fs::create_dir(&foreign).unwrap();
    fs::write(foreign.join("log.jsonl"), "{\"key\":1}").unwrap();
    let opened = open(&foreign, &|_| Loader::new(9, 4, 7));
    for error in opened {
        assert!(error.unwrap_err().contains("is not a log that edb wrote"));
    }
}

/// All ranks take the same steps, and rank 0 writes.
#[test]
fn ranks_have_one_folder() {
    let folder = tempfile::tempdir().unwrap();
    let work = |path: &Path, trainer: Trainer, reader: Reader| {
        let mut trainer = trainer;
        let mut run = RunFolder::open(path, &mut trainer, loader()).unwrap();
        while run.epochs() < 2 {
            for samples in run.epoch() {
                let graph = |model: &Model, at: usize| reader.graph(model, samples[at]);
                let step = trainer.step_shared(samples.len(), graph).unwrap();
                run.log(&trainer, &[("loss", step.mean_loss())]).unwrap();
            }
            run.finish_epoch(&trainer, 1.0).unwrap();
        }
        let writes = !run.curves().unwrap().is_empty();
        assert_eq!(writes, trainer.world().rank() == 0);
        bits(&mut trainer)
    };
    let alone = {
        let (trainer, reader) = trainer();
        work(&folder.path().join("alone"), trainer.distributed(Alone, 2), reader)
    };
    let path = folder.path().join("two");
    let two = on_ranks(2, |rank: Local| {
        let (trainer, reader) = trainer();
        work(&path, trainer.distributed(rank, 2), reader)
    });
    assert_eq!(two, [alone.clone(), alone]);
    let log = |name: &str| fs::read_to_string(folder.path().join(name).join("log.jsonl")).unwrap();
    assert_eq!(log("alone"), log("two"));
}
