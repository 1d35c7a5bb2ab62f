//! Folders that contain files other than checkpoints, or damaged checkpoints.

use std::fs;
use std::path::{Path, PathBuf};

use edb::learn::{EarlyStopping, LearnError, Plateau};
use edb::trainer::{CheckpointError, Checkpoints, Notes};
use safetensors::SafeTensors;

use super::{bits, step, steps_in, trainer};

/// A folder with three checkpoints.
fn three() -> (tempfile::TempDir, Checkpoints) {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path()).keep_latest(3);
    let (functions, mut trainer) = trainer(4, 1);
    for _ in 0..3 {
        step(&functions, &mut trainer);
        checkpoints.save(&trainer, &Notes::new().score(0.5)).unwrap();
    }
    (folder, checkpoints)
}

fn checkpoint(folder: &Path, step: u64) -> PathBuf {
    folder.join(format!("step-{step:010}"))
}

#[test]
fn an_empty_folder_is_skipped_and_left_alone() {
    for number in [0, 9] {
        let (folder, checkpoints) = three();
        let empty = checkpoint(folder.path(), number);
        fs::create_dir(&empty).unwrap();
        assert_eq!(checkpoints.latest().unwrap().unwrap().step, 3);
        let (functions, mut resumed) = trainer(4, 2);
        let run = checkpoints.resume(&mut resumed).unwrap().unwrap();
        assert_eq!(resumed.steps(), 3);
        let [skipped] = &run.skipped[..] else { panic!("{:?}", run.skipped) };
        assert_eq!(skipped.path, empty);
        assert!(
            matches!(&skipped.reason, CheckpointError::Io { path, .. } if path.starts_with(&empty))
        );
        for _ in 0..5 {
            step(&functions, &mut resumed);
            checkpoints.save(&resumed, &Notes::new()).unwrap();
        }
        let expected = [number, 6, 7, 8].map(|step| format!("step-{step:010}"));
        assert_eq!(steps_in(folder.path()), expected.into());
    }
}

#[test]
fn files_of_others_are_left_alone() {
    let (folder, checkpoints) = three();
    let stray =
        ["file", "x", "1x", ""].map(|name| folder.path().join(format!(".unfinished-{name}")));
    stray.iter().for_each(|path| fs::write(path, "not ours").unwrap());
    let other = folder.path().join(".unfinished-business");
    fs::create_dir(&other).unwrap();
    fs::write(folder.path().join("step-0000000007"), "a file").unwrap();
    // The unfinished folder of an earlier process is removed.
    let left = folder.path().join(".unfinished-4711");
    fs::create_dir(&left).unwrap();
    fs::write(left.join("model.safetensors"), "half").unwrap();
    let (_, mut resumed) = trainer(4, 2);
    checkpoints.resume(&mut resumed).unwrap().unwrap();
    checkpoints.save(&resumed, &Notes::new()).unwrap();
    assert!(stray.iter().chain([&other]).all(|path| path.exists()) && !left.exists());
    assert_eq!(checkpoints.latest().unwrap().unwrap().step, 3);
}

/// The name of a file in a checkpoint, and a function that damages it.
type Damage = (&'static str, Box<dyn Fn(&Path)>);

/// Kinds of damage to the files of a checkpoint.
fn damages() -> Vec<Damage> {
    let files = ["model.safetensors", "optimizer.safetensors", "training.json"];
    let mut damages: Vec<Damage> = Vec::new();
    for file in files {
        damages.push((file, Box::new(|path| fs::remove_file(path).unwrap())));
        damages.push((file, Box::new(|path| fs::write(path, "").unwrap())));
        damages.push((file, Box::new(|path| fs::write(path, [0xff; 100]).unwrap())));
        damages.push((
            file,
            Box::new(|path| {
                fs::remove_file(path).unwrap();
                fs::create_dir(path).unwrap();
            }),
        ));
        damages.push((
            file,
            Box::new(|path| {
                let bytes = fs::read(path).unwrap();
                fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
            }),
        ));
    }
    // Numbers that would overflow, values that contradict each other, and a record nested so deeply
    // that recursion would overflow the stack.
    for (from, to) in [
        ("\"step\": 3,", "\"step\": 18446744073709551615,"),
        ("\"step\": 3,", "\"step\": -3,"),
        ("\"step\": 3,", "\"step\": 3e99,"),
        ("\"number\": 3,", "\"number\": 18446744073709551615,"),
        ("\"product\": 1.0", "\"product\": null"),
        ("\"samples\": []", "\"samples\": [{\"type_count\":1,\"types\":[0],\"children\":[[7]]}]"),
        ("\"samples\": []", "\"samples\": [{\"type_count\":3,\"types\":[9],\"children\":[[]]}]"),
        ("\"samples\": []", "\"samples\": [{\"type_count\":3,\"types\":[0],\"children\":[[0]]}]"),
        ("\"samples\": []", "\"samples\": [{\"type_count\":3,\"types\":[0],\"children\":[]}]"),
        ("\"samples\": []", "\"samples\": [{\"type_count\":9,\"types\":[],\"children\":[]}]"),
        ("\"score\": 0.5", "\"score\": \"0.5\""),
    ] {
        let change = move |path: &Path| {
            let text = fs::read_to_string(path).unwrap();
            assert!(text.contains(from), "{from}: {text}");
            fs::write(path, text.replace(from, to)).unwrap();
        };
        damages.push(("training.json", Box::new(change)));
    }
    let nested = "[".repeat(100_000);
    damages.push(("training.json", Box::new(move |path| fs::write(path, &nested).unwrap())));
    damages
}

/// Removes the checksums of a checkpoint, as in checkpoints from before there were any.
fn unseal(checkpoint: &Path) {
    fs::remove_file(checkpoint.join("checksums.txt")).unwrap();
}

/// A run resumes from the latest complete checkpoint and names those that it skipped; if none is
/// complete, nothing changes. Damage is found with checksums, and also without them, when the files
/// are read.
#[test]
fn a_damaged_checkpoint_is_skipped_by_name() {
    let with_and_without = [true, false].into_iter().flat_map(|checksums| {
        damages().into_iter().map(move |(file, damage)| (checksums, file, damage))
    });
    for (number, (checksums, file, damage)) in with_and_without.enumerate() {
        let (folder, checkpoints) = three();
        let damaged = checkpoint(folder.path(), 3);
        if !checksums {
            unseal(&damaged);
        }
        damage(&damaged.join(file));
        let (functions, mut resumed) = trainer(4, 2);
        let checkpoints = checkpoints.keep_latest(4);
        let run = checkpoints.resume(&mut resumed).unwrap().unwrap();
        assert_eq!((resumed.steps(), run.checkpoint.step), (2, 2), "damage {number}");
        let [skipped] = &run.skipped[..] else { panic!("{:?}", run.skipped) };
        assert_eq!(skipped.path, damaged);
        assert!(skipped.to_string().contains("step-0000000003"), "{skipped}");
        // The run can be saved again, and the damaged checkpoint is left alone.
        step(&functions, &mut resumed);
        let saved = checkpoints.save(&resumed, &Notes::new()).unwrap();
        assert!(saved.leftover.is_empty());
        assert_eq!(checkpoints.latest().unwrap().unwrap().path, saved.path);
        assert!(damaged.exists());

        // The damaged checkpoint alone is refused, and nothing changes.
        let alone = tempfile::tempdir().unwrap();
        fs::rename(&damaged, checkpoint(alone.path(), 3)).unwrap();
        let (_, mut fresh) = trainer(4, 2);
        let before = bits(fresh.model());
        let error = Checkpoints::new(alone.path()).resume(&mut fresh).unwrap_err();
        let CheckpointError::Damaged { skipped, .. } = &error else { panic!("{error}") };
        assert_eq!(skipped.len(), 1);
        assert!(error.to_string().contains("to begin anew"), "{error}");
        assert_eq!((fresh.steps(), bits(fresh.model())), (0, before));
    }
}

/// A flipped bit can turn a number into another valid number, which only a checksum reveals.
#[test]
fn a_flipped_bit_is_damage() {
    for file in ["model.safetensors", "optimizer.safetensors", "training.json", "checksums.txt"] {
        let (folder, checkpoints) = three();
        let damaged = checkpoint(folder.path(), 3);
        let path = damaged.join(file);
        let mut bytes = fs::read(&path).unwrap();
        let last = bytes.len() - 2;
        bytes[last] ^= 1;
        fs::write(&path, bytes).unwrap();
        let (_, mut resumed) = trainer(4, 2);
        let run = checkpoints.resume(&mut resumed).unwrap().unwrap();
        assert_eq!((resumed.steps(), run.skipped.len()), (2, 1), "{file}");
        assert!(run.skipped[0].to_string().contains(file), "{}", run.skipped[0]);
        if file.ends_with("safetensors") {
            unseal(&damaged);
            assert!(checkpoints.resume(&mut resumed).unwrap().unwrap().skipped.is_empty());
        }
    }
}

/// Failing to remove an older checkpoint does not fail the save; it is reported and tried again.
#[test]
fn failed_removals_are_reported_and_tried_again() {
    let (folder, _) = three();
    let checkpoints = Checkpoints::new(folder.path());
    let (functions, mut resumed) = trainer(4, 2);
    checkpoints.resume(&mut resumed).unwrap().unwrap();
    // A file has the name to which the older checkpoint would be renamed first.
    let hidden = folder.path().join(".unfinished-step-0000000002");
    fs::write(&hidden, "").unwrap();
    step(&functions, &mut resumed);
    let saved = checkpoints.save(&resumed, &Notes::new()).unwrap();
    let [left] = &saved.leftover[..] else { panic!("{:?}", saved.leftover) };
    assert!(left.to_string().contains("step-0000000002"), "{left}");
    assert!(saved.path.join("training.json").exists());
    let name = |step: u64| format!("step-{step:010}");
    let hidden_name = ".unfinished-step-0000000002".to_owned();
    let expected = [name(2), name(4), hidden_name];
    assert_eq!(steps_in(folder.path()), expected.into());
    fs::remove_file(&hidden).unwrap();
    step(&functions, &mut resumed);
    assert!(checkpoints.save(&resumed, &Notes::new()).unwrap().leftover.is_empty());
    assert_eq!(steps_in(folder.path()), [name(5)].into());
}

/// Data that could not be read back is refused before anything is written.
#[test]
fn unreadable_data_is_not_written() {
    let nested = |levels: usize| {
        (0..levels).fold(serde_json::json!(0), |inner, level| match level % 2 {
            0 => serde_json::json!([inner]),
            _ => serde_json::json!({ "a": inner }),
        })
    };
    let (folder, checkpoints) = three();
    let (_, mut run) = trainer(4, 2);
    checkpoints.resume(&mut run).unwrap().unwrap();
    let notes = Notes::new().with("flat", &1).with("deep", &nested(124));
    checkpoints.save(&run, &notes).unwrap();
    let read = checkpoints.resume(&mut run).unwrap().unwrap();
    assert_eq!((read.notes, read.skipped.len()), (notes.clone(), 0));
    let before = steps_in(folder.path());
    for levels in [125, 128, 1000] {
        let error =
            checkpoints.save(&run, &notes.clone().with("deeper", &nested(levels))).unwrap_err();
        assert!(
            matches!(&error, CheckpointError::Learn(LearnError::DeepNote { name, .. }) if name == "deeper"),
            "{error}"
        );
        assert!(error.to_string().contains("`deeper` has more than 124"), "{error}");
    }
    run.optimizer_mut().set_learning_rate(f64::NAN);
    let error = checkpoints.save(&run, &Notes::new()).unwrap_err();
    assert!(matches!(&error, CheckpointError::Unreadable { .. }), "{error}");
    assert_eq!(steps_in(folder.path()), before);
}

/// The file claims the greatest possible number of scores since the last improvement.
#[test]
fn a_plateau_from_a_file_does_not_overflow() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path());
    let trainer = || {
        let (functions, trainer) = trainer(4, 1);
        (functions, trainer.plateau(Plateau::lower_is_better()))
    };
    let (_, first) = trainer();
    let saved = checkpoints
        .save(&first, &Notes::new().with("stopping", &EarlyStopping::higher_is_better()));
    let saved = saved.unwrap().path;
    unseal(&saved);
    let record = saved.join("training.json");
    let text = fs::read_to_string(&record).unwrap();
    fs::write(&record, text.replace("\"waited\": 0", "\"waited\": 18446744073709551615")).unwrap();
    let (_, mut resumed) = trainer();
    let run = checkpoints.resume(&mut resumed).unwrap().unwrap();
    for score in [f64::NAN, 1.0, 2.0] {
        assert_eq!(resumed.observe(score).is_err(), score.is_nan());
        let mut stopping: EarlyStopping = run.notes.get("stopping").unwrap();
        stopping.observe(score);
    }
}

/// Fault C2 of the fourth list: a state may lack some of its tensors, or have tensors that are not in the record. A
/// run resumed from it, and then failed in its next step, or left these tensors out.
#[test]
fn a_state_that_lacks_tensors_is_damage() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path());
    let (functions, mut first) = trainer(4, 1);
    step(&functions, &mut first);
    let saved = checkpoints.save(&first, &Notes::new()).unwrap().path;
    unseal(&saved);
    let [state, record] = ["optimizer.safetensors", "training.json"].map(|name| saved.join(name));
    let [whole, recorded] = [&state, &record].map(|path| fs::read(path).unwrap());
    let without = |left_out: &str| {
        let tensors = SafeTensors::deserialize(&whole).unwrap();
        let left = tensors.iter().filter(|(name, _)| *name != left_out);
        safetensors::serialize(left, None).unwrap()
    };
    let refused = |reasons: &[&str]| {
        let (_, mut resumed) = trainer(4, 2);
        let error = checkpoints.resume(&mut resumed).unwrap_err();
        assert!(matches!(&error, CheckpointError::Damaged { .. }), "{error}");
        let error = error.to_string();
        assert!(reasons.iter().all(|reason| error.contains(reason)), "{error}");
        assert_eq!(resumed.steps(), 0);
    };
    fs::write(&state, without("phrase.u/second")).unwrap();
    refused(&["`phrase.u`", "[\"first\", \"second\"]", "has [\"first\"]"]);
    fs::write(&state, &whole).unwrap();
    let text = String::from_utf8(recorded.clone()).unwrap();
    fs::write(&record, text.replacen("\"phrase.u\": {", "\"phrase.x\": {", 1)).unwrap();
    refused(&["it has tensors of `phrase.u`, which by the record has taken no step"]);
    fs::write(&record, recorded).unwrap();
    let (functions, mut resumed) = trainer(4, 2);
    checkpoints.resume(&mut resumed).unwrap().unwrap();
    step(&functions, &mut resumed);
}
