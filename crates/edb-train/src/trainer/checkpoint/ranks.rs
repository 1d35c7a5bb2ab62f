//! Checkpoints of ranks that train together. Rank 0 writes and reads them, and sends what it has read to the other
//! ranks, so that the ranks need no common folder.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::changes::SettingChange;
use super::error::CheckpointError;
use super::folder::{self, Unfinished};
use super::outcome::{Checkpoint, Resumed, Saved};
use super::state;
use crate::trainer::Trainer;
use edb_kernels::element::Element;
use edb_learn::collective::{Collective, Kind, from_bytes, gather, to_bytes};
use edb_learn::learn::Notes;

/// Calls `work` on rank 0 only. `said` makes a message of its result, which all ranks return. Rank 0 returns the result
/// itself too.
fn on_first<V: Serialize + for<'de> Deserialize<'de>, R>(
    world: &dyn Collective,
    work: impl FnOnce() -> Result<R, CheckpointError>,
    said: impl FnOnce(&R) -> V,
) -> Result<(Option<R>, V), CheckpointError> {
    if world.rank() > 0 {
        let told: Result<V, String> =
            from_bytes(Kind::Checkpoint, &world.broadcast(Vec::new())?, 0)?;
        return told.map(|said| (None, said)).map_err(|reason| CheckpointError::First { reason });
    }
    let result = work();
    let told = result.as_ref().map(said).map_err(ToString::to_string);
    let message = to_bytes(Kind::Checkpoint, &told);
    // The error of `work` says more than an error of sending it.
    let sent = world.broadcast(message);
    let result = result?;
    sent?;
    let told = told.map_err(|reason| CheckpointError::First { reason })?;
    Ok((Some(result), told))
}

impl<T: Element> Trainer<T> {
    /// Fails if the ranks cannot go on together.
    pub(super) fn check_ranks(&self) -> Result<(), CheckpointError> {
        let broken = self.distributed.as_ref().and_then(|ranks| ranks.broken.clone());
        broken.map_or(Ok(()), |error| Err(error.into()))
    }

    /// Resumes. After that, the ranks check again that they train alike. If they have lost each other, they cannot
    /// go on.
    pub(super) fn after_resume<R>(
        &mut self,
        resume: impl FnOnce(&mut Self) -> Result<R, CheckpointError>,
    ) -> Result<R, CheckpointError> {
        let resumed = resume(self);
        if let Some(ranks) = &mut self.distributed {
            (ranks.met, ranks.calls) = (false, 0);
            if let Err(CheckpointError::Collective(error)) = &resumed {
                ranks.broken = Some(error.clone());
            }
        }
        resumed
    }
}

/// Saves a checkpoint on rank 0, and returns the result on all ranks.
pub(super) fn save(
    world: &dyn Collective,
    save: impl FnOnce() -> Result<Saved, CheckpointError>,
) -> Result<Saved, CheckpointError> {
    let (saved, (path, epsilon)) =
        on_first(world, save, |saved| (saved.path.clone(), saved.epsilon))?;
    Ok(saved.unwrap_or(Saved { path, epsilon, leftover: Vec::new() }))
}

/// Resumes on rank 0, and sends the checkpoint to the other ranks, which resume from it too.
pub(super) fn resume<T: Element>(
    world: &dyn Collective,
    trainer: &mut Trainer<T>,
    resume: impl Fn(&mut Trainer<T>) -> Result<Option<Resumed>, CheckpointError>,
) -> Result<Option<Resumed>, CheckpointError> {
    // The notes go as JSON, as which they can be read back.
    let said = |resumed: &Option<Resumed>| -> Option<(Checkpoint, String)> {
        let Resumed { checkpoint, notes, .. } = resumed.as_ref()?;
        Some((checkpoint.clone(), serde_json::to_string(notes).unwrap_or_default()))
    };
    let (resumed, (checkpoint, notes), spread) = loop {
        let (resumed, read) = on_first(world, || resume(trainer), said)?;
        let Some(read) = read else { return Ok(resumed.flatten()) };
        let path = &read.0.path;
        // Either all ranks go on or none does.
        let spread = match spread(world, path, trainer) {
            Err(CheckpointError::Collective(error)) => return Err(error.into()),
            spread => spread.map_err(|error| error.to_string()),
        };
        // If another trainer has removed the checkpoint before all ranks had it, resume from the next one.
        let is_gone = || Ok(spread.is_err() && folder::is_gone(path));
        if !on_first(world, is_gone, |is_gone| *is_gone)?.1 {
            break (resumed, read, spread);
        }
    };
    let (changed, end) = match spread {
        Ok(changed) => (changed, Ok(())),
        Err(reason) => (Vec::new(), Err(reason)),
    };
    let ends: Vec<Result<(), String>> = gather(world, Kind::Checkpoint, &end)?;
    for (rank, end) in ends.into_iter().enumerate() {
        end.map_err(|reason| CheckpointError::Rank { rank, reason })?;
    }
    let (_, known) = on_first(world, || Ok(trainer.ledger.clone()), Clone::clone)?;
    trainer.know(&known);
    Ok(resumed.unwrap_or_else(|| {
        let notes = serde_json::from_str(&notes).unwrap_or_else(|_| Notes::new());
        Some(Resumed { notes, checkpoint, changed, skipped: Vec::new() })
    }))
}

/// Sends the files of a checkpoint from rank 0 to the other ranks, which read them into their trainers. Returns the
/// settings in which the checkpoint differs from the trainer of this rank; on rank 0 the list is empty.
fn spread<T: Element>(
    world: &dyn Collective,
    path: &Path,
    trainer: &mut Trainer<T>,
) -> Result<Vec<SettingChange>, CheckpointError> {
    let list = || -> Result<Vec<PathBuf>, CheckpointError> {
        let entries = fs::read_dir(path).map_err(CheckpointError::io(path))?;
        let files = entries.map(|entry| entry.map(|entry| entry.path()));
        let files = files.collect::<Result<_, _>>().map_err(CheckpointError::io(path))?;
        // If the folder is being removed, the list may be incomplete; then this returns an error.
        path.symlink_metadata().map_err(CheckpointError::io(path))?;
        Ok(files)
    };
    let named = |files: &Vec<PathBuf>| -> Vec<String> {
        let names = files.iter().filter_map(|file| file.file_name());
        names.map(|name| name.to_string_lossy().into_owned()).collect()
    };
    let (_, names) = on_first(world, list, named)?;
    let memory = (world.rank() > 0).then(|| Unfinished::create(&std::env::temp_dir()));
    // An error of this rank is kept until all files have come, since rank 0 still sends them.
    let (memory, mut written) = match memory.transpose() {
        Ok(memory) => (memory, Ok(())),
        Err(error) => (None, Err(error)),
    };
    for name in names {
        let file = path.join(&name);
        let read = || fs::read(&file).map_err(CheckpointError::io(&file));
        let (_, bytes) = on_first(world, read, |bytes: &Vec<u8>| bytes.clone())?;
        if let (Some(folder), Ok(())) = (&memory, &written) {
            let name = Path::new(&name).file_name().unwrap_or_default();
            let to = folder.path().join(name);
            written = fs::write(&to, &bytes).map_err(CheckpointError::write(&to));
        }
    }
    written?;
    match &memory {
        Some(folder) => Ok(state::read(folder.path(), trainer)?.1),
        None => Ok(Vec::new()),
    }
}
