//! Lines of training: which checkpoint is the latest after training resumed from an earlier one,
//! and what becomes of the checkpoints of the abandoned line.

use std::fs;
use std::path::Path;

use edb::prelude::*;
use edb::trainer::{Checkpoints, Notes};

use super::{bits, step, steps_in, trainer};
use edb_backend_suite::zoo::Sentiment;

fn name(step: u64) -> String {
    format!("step-{step:010}")
}

/// A run of five steps, with a checkpoint kept after each.
fn five(folder: &Path) -> (Sentiment, Trainer) {
    let checkpoints = Checkpoints::new(folder).keep_latest(10);
    let (functions, mut trainer) = trainer(4, 1);
    for _ in 0..5 {
        step(&functions, &mut trainer);
        checkpoints.save(&trainer, &Notes::new()).unwrap();
    }
    (functions, trainer)
}

#[test]
#[should_panic(
    expected = "`keep_latest(0)` keeps no checkpoint to go on from: let it be 1 or more"
)]
fn a_checkpoint_is_kept() {
    _ = Checkpoints::new("run").keep_latest(0);
}

#[test]
fn the_checkpoint_saved_last_is_the_latest() {
    for keep in [1, 2, 3] {
        let folder = tempfile::tempdir().unwrap();
        five(folder.path());
        let (functions, mut again) = trainer(4, 2);
        Checkpoints::resume_from(folder.path().join(name(2)), &mut again).unwrap();
        step(&functions, &mut again);
        // The new line has a step 3, too, beside that of the old line.
        let checkpoints = Checkpoints::new(folder.path()).keep_latest(keep);
        let saved = checkpoints.save(&again, &Notes::new().with("line", &"new")).unwrap().path;
        assert!(saved.join("training.json").exists(), "{} was removed", saved.display());
        assert_eq!(checkpoints.latest().unwrap().unwrap().path, saved);
        let (_, mut resumed) = trainer(4, 3);
        let run = checkpoints.resume(&mut resumed).unwrap().unwrap();
        assert_eq!(resumed.steps(), 3);
        assert_eq!(run.notes.get::<String>("line").unwrap(), "new");
        assert_eq!((run.checkpoint.path, run.skipped.len()), (saved.clone(), 0));
        assert_eq!(bits(resumed.model()), bits(again.model()));
        // Also kept are the last checkpoints saved before, whichever line they belong to.
        let kept = steps_in(folder.path());
        let old = (4..=5).rev().take(keep - 1).map(name);
        let expected = old.chain([saved.file_name().unwrap().to_string_lossy().into_owned()]);
        assert_eq!(kept, expected.collect());
    }
}

/// Fault A4: a name was used again at once, so that a program that was reading the checkpoint that had
/// it before took files of both.
#[test]
fn the_name_of_a_removed_checkpoint_is_not_used_next() {
    let folder = tempfile::tempdir().unwrap();
    let (_, trainer) = trainer(4, 1);
    let save = || Checkpoints::new(folder.path()).save(&trainer, &Notes::new()).unwrap().path;
    let names = [(); 4].map(|()| save());
    assert_eq!(names.each_ref().map(|path| path.exists()), [false, false, false, true]);
    assert_eq!(std::collections::BTreeSet::from(names).len(), 4);
}

/// The best checkpoint is kept, even if its line was abandoned, and is compared with those of new
/// lines.
#[test]
fn the_best_of_an_abandoned_line_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path()).keep_latest(2).keep_highest(1);
    let (functions, mut trainer) = trainer(4, 1);
    for score in [0.1, 0.2, 0.9, 0.3] {
        step(&functions, &mut trainer);
        checkpoints.save(&trainer, &Notes::new().score(score)).unwrap();
    }
    assert_eq!(steps_in(folder.path()), [3, 4].map(name).into());
    for score in [0.4, 0.5] {
        Checkpoints::resume_from(folder.path().join(name(3)), &mut trainer).unwrap();
        step(&functions, &mut trainer);
        checkpoints.save(&trainer, &Notes::new().score(score)).unwrap();
    }
    // Of the checkpoints of step 4, only the last one is kept. Step 3 is the best, and also the latest other step.
    let expected = [name(3), name(4) + ".2"];
    assert_eq!(steps_in(folder.path()), expected.into());
    assert_eq!(checkpoints.latest().unwrap().unwrap().score, Some(0.5));
    assert_eq!(checkpoints.best().unwrap().unwrap().score, Some(0.9));
    let scores =
        checkpoints.list().unwrap().into_iter().map(|checkpoint| checkpoint.score.unwrap());
    assert_eq!(scores.collect::<Vec<_>>(), [0.9, 0.5]);
}

/// Fault A24: a checkpoint that could not be read for a while, or had another name, gave its number to
/// the next one, and was the latest again when it was back.
#[test]
fn what_was_away_for_a_while_is_not_the_latest() {
    let folder = tempfile::tempdir().unwrap();
    let (_, mut trainer) = five(folder.path());
    let checkpoints = Checkpoints::new(folder.path()).keep_latest(10);
    let away = folder.path().join("away");
    let mut latest = folder.path().join(name(5));
    for is_record in [false, true] {
        let place = if is_record { latest.join("training.json") } else { latest };
        fs::rename(&place, &away).unwrap();
        let resumed = checkpoints.resume(&mut trainer).unwrap().unwrap();
        assert_eq!(resumed.skipped.len(), usize::from(is_record));
        latest = checkpoints.save(&trainer, &Notes::new()).unwrap().path;
        fs::rename(&away, &place).unwrap();
        assert_eq!(checkpoints.latest().unwrap().unwrap().path, latest);
    }
    assert_eq!(checkpoints.list().unwrap().len(), 7);
}

/// Checkpoints of version 1 have neither numbers nor checksums. They are ordered by step and come
/// before all others.
#[test]
fn version_1_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let (functions, mut trainer) = five(folder.path());
    for number in 1..=5 {
        let record = folder.path().join(name(number)).join("training.json");
        let text = fs::read_to_string(&record).unwrap();
        let mut old: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(&text).unwrap();
        assert_eq!(old.insert("edb_training".to_owned(), 1.into()), Some(5.into()));
        assert_eq!(old.remove("number"), Some(number.into()));
        assert!(old.remove("settings").is_some());
        let notes = serde_json::json!({ "score": 0.5, "values": { "line": "old" } });
        assert_eq!(old.insert("notes".to_owned(), notes), None);
        fs::write(&record, serde_json::to_string(&old).unwrap()).unwrap();
        fs::remove_file(record.with_file_name("checksums.txt")).unwrap();
    }
    let checkpoints = Checkpoints::new(folder.path()).keep_latest(3);
    let steps = |checkpoints: &Checkpoints| -> Vec<u64> {
        checkpoints.list().unwrap().iter().map(|checkpoint| checkpoint.step).collect()
    };
    assert_eq!(steps(&checkpoints), [1, 2, 3, 4, 5]);
    // It does not tell settings, so that others pass.
    let (_, other) = super::trainer(4, 1);
    let mut other = other.clip_norm(7.0);
    let resumed = Checkpoints::resume_from(folder.path().join(name(2)), &mut other).unwrap();
    assert!(resumed.changed.is_empty());
    assert_eq!(resumed.notes, Notes::new().score(0.5).with("line", &"old"));
    Checkpoints::resume_from(folder.path().join(name(2)), &mut trainer).unwrap();
    checkpoints.save(&trainer, &Notes::new()).unwrap();
    assert_eq!(steps(&checkpoints), [4, 5, 2]);
    step(&functions, &mut trainer);
    assert_eq!(checkpoints.resume(&mut trainer).unwrap().unwrap().checkpoint.step, 2);
}

/// Fault C2 of the fourth list: each checkpoint of a step counted, so only the last step was left if it was saved
/// three times.
#[test]
fn a_step_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let (functions, mut trainer) = trainer(4, 1);
    let checkpoints = Checkpoints::new(folder.path()).keep_latest(3).keep_highest(2);
    for score in [0.9, 0.8, 0.3, 0.2] {
        for _ in 0..3 {
            checkpoints.save(&trainer, &Notes::new().score(score)).unwrap();
        }
        step(&functions, &mut trainer);
    }
    // The last checkpoints of the two best steps, and those of the three latest steps.
    let kept = [name(0) + ".2", name(1) + ".2", name(2) + ".2", name(3) + ".2"];
    assert_eq!(steps_in(folder.path()), kept.into());
    // The best checkpoint of a step is kept because of its score, and its last one because it is the latest.
    checkpoints.save(&trainer, &Notes::new().score(1.0)).unwrap();
    checkpoints.save(&trainer, &Notes::new().score(0.1)).unwrap();
    let kept = [name(0) + ".2", name(2) + ".2", name(3) + ".2", name(4), name(4) + ".1"];
    assert_eq!(steps_in(folder.path()), kept.into());
    assert_eq!(checkpoints.best().unwrap().unwrap().score, Some(1.0));
    assert_eq!(checkpoints.latest().unwrap().unwrap().score, Some(0.1));
}
