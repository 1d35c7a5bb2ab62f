use std::fs;
use std::path::Path;

use edb::Trainer;
use edb::trainer::{Checkpoints, Notes};

use super::{bounded, in_folder, kind, say};
use crate::models::{CHECKPOINT, step, trainer};

/// The files of a checkpoint; the first byte of the input chooses one.
pub const FILES: [&str; 6] = [
    "training.json",
    "model.safetensors",
    "optimizer.safetensors",
    "averages.safetensors",
    "policy.json",
    // Kept only when it is the chosen file: with it, any change to another file would be found at
    // once.
    CHECKSUMS,
];

const CHECKSUMS: &str = "checksums.txt";

/// Replaces one file of a checkpoint: either it is refused and nothing changes, or training
/// continues from it as long as the numbers in it allow, and the result can be saved and resumed.
pub fn checkpoint(data: &[u8]) {
    let Some((which, contents)) = kind(data, FILES.len()) else { return };
    in_folder(|folder| {
        let path = folder.join("step-0000000002");
        copy(&CHECKPOINT.path().join("step-0000000002"), &path);
        if FILES[which] != CHECKSUMS {
            let _ = fs::remove_file(path.join(CHECKSUMS));
        }
        fs::write(path.join(FILES[which]), contents).expect("the folder can be written");
        resume(folder, contents.len());
    });
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the folder can be written");
    for file in FILES {
        match fs::exists(from.join(file)) {
            Ok(true) => drop(fs::copy(from.join(file), to.join(file)).expect("it can be copied")),
            _ => drop(fs::remove_file(to.join(file))),
        }
    }
}

fn resume(folder: &Path, length: usize) {
    let checkpoints = Checkpoints::new(folder);
    if let Err(error) = bounded(length, || checkpoints.list()) {
        assert!(say(&error).contains("step-0000000002"), "{error}");
    }
    let (functions, mut trainer) = trainer(2);
    let before = bits(&trainer);
    if let Err(error) = bounded(length, || checkpoints.resume(&mut trainer)) {
        assert!(say(&error).contains("step-0000000002"), "{error}");
        assert_eq!((bits(&trainer), trainer.steps()), (before, 0), "nothing has changed");
        return;
    }
    // A step fails where the optimiser's state has other settings, or where numbers are not finite.
    if let Err(error) = step(&functions, &mut trainer) {
        return drop(say(&error));
    }
    let saved = folder.join("again");
    let checkpoints = Checkpoints::new(&saved);
    checkpoints.save(&trainer, &Notes::new()).expect("the folder can be written");
    let (_, mut again) = self::trainer(3);
    checkpoints.resume(&mut again).expect("what was saved can be read");
    assert_eq!((bits(&again), again.steps()), (bits(&trainer), trainer.steps()));
    fs::remove_dir_all(saved).expect("it was written just now");
}

fn bits(trainer: &Trainer) -> Vec<u32> {
    let values =
        trainer.model().parameters().iter().flat_map(|(_, parameter)| parameter.values().unwrap());
    values.map(|value| value.to_bits()).collect()
}
