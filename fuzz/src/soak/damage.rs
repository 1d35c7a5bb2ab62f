//! Damages files of checkpoints: an error must name the damaged checkpoint, or resuming must fall
//! back to one that is whole.

use std::fs;
use std::path::{Path, PathBuf};

use edb::trainer::{Checkpoints, Notes};
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::kills::Training;
use super::{Counts, Fingerprint, Plan, Watch, failed};
use edb_backend_suite::zoo::rng;

/// Damages checkpoints until the time is over.
pub(super) fn run(plan: &Plan, watch: &Watch) -> Result<Counts, String> {
    let mut rng = rng(plan.seed ^ 2);
    let mut counts = Counts::new();
    let mut training = Training::new(1, 1)?;
    while watch.goes_on() {
        let folder = tempfile::tempdir().map_err(|e| failed("a temporary folder")(&e))?;
        let checkpoints = Checkpoints::new(folder.path()).keep_latest(2);
        for _ in 0..2 {
            training.step()?;
            let saved = checkpoints.save(&training.trainer, &Notes::new());
            saved.map_err(|e| failed("saving")(&e))?;
        }
        let latest = checkpoints.latest().map_err(|e| failed("listing")(&e))?;
        let latest = latest.ok_or("two checkpoints were saved, and there is none")?;
        let file = damage(&latest.path, &mut rng)?;
        let mut other = Training::new(2, 1)?;
        let before = Fingerprint::of(&other.trainer);
        let what = match checkpoints.resume(&mut other.trainer) {
            Err(error) => {
                if !error.to_string().contains("step-") {
                    return Err(format!("{} is damaged, and not named: {error}", file.display()));
                }
                if (Fingerprint::of(&other.trainer), other.trainer.steps()) != (before, 0) {
                    return Err(format!("{} is damaged, and something changed", file.display()));
                }
                "damage refused"
            }
            Ok(Some(_)) if other.trainer.steps() < latest.step => "damage passed over",
            Ok(_) => return Err(format!("{} is damaged, and was read", file.display())),
        };
        *counts.entry(what).or_default() += 1;
    }
    Ok(counts)
}

/// Truncates a file of a checkpoint or flips a bit of it, and returns which file.
fn damage(folder: &Path, rng: &mut ChaCha8Rng) -> Result<PathBuf, String> {
    let error = failed("the files of a checkpoint");
    let mut files: Vec<PathBuf> = (fs::read_dir(folder).map_err(|e| error(&e))?)
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    files.sort();
    let file = files.swap_remove(rng.random_range(0..files.len()));
    let mut bytes = fs::read(&file).map_err(|e| error(&e))?;
    let byte = rng.random_range(0..bytes.len());
    match rng.random() {
        true => bytes.truncate(byte),
        false => bytes[byte] ^= 1 << rng.random_range(0..8),
    }
    fs::write(&file, bytes).map_err(|e| error(&e))?;
    Ok(file)
}
