//! `training.json`: everything in a checkpoint except tensors, notes and policies.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::changes::Texts;
use super::checksums;
use super::error::CheckpointError;
use super::functions::FunctionRecord;
use crate::trainer::ledger::Ledger;
use edb_core::engine::LossScale;
use edb_core::schedule::TypeGraph;
use edb_learn::learn::{Clock, Group, Notes, Plateau};

/// The version of the format that is written. Earlier versions can be read. Version 1 has no `number`. Before version
/// 3, private steps have no `run`. Before version 4, there are no `settings`, and `notes` are in this record instead of
/// the file of the parameters. Before version 5, functions have no fingerprints.
pub(super) const FORMAT_VERSION: u32 = 5;

/// The greatest count that is accepted. No run reaches it, every JSON reader represents it exactly, and counting on
/// from it does not overflow.
const MAX_COUNT: u64 = 1 << 53;

/// The file of the record.
const RECORD_FILE: &str = "training.json";

/// The file of the parameters.
pub(super) const MODEL_FILE: &str = "model.safetensors";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Record {
    pub(super) edb_training: u32,
    /// A number that is greater than the numbers of the checkpoints that were saved to this folder before; usually
    /// the greatest of them plus 1. The latest checkpoint has the greatest number.
    #[serde(default)]
    pub(super) number: u64,
    /// The type of the parameters' values, as safetensors names it.
    pub(super) element: String,
    pub(super) step: u64,
    /// The seed of random draws and of learned policies.
    pub(super) seed: u64,
    pub(super) functions: Vec<FunctionRecord>,
    /// The settings of the run. When it is resumed, settings that differ are reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) settings: Option<Texts>,
    /// The groups, if they are not the groups with which the trainer was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) groups: Option<Vec<Group>>,
    pub(super) optimizer: String,
    pub(super) learning_rate: f64,
    /// The clock of each parameter, by its name.
    pub(super) clocks: BTreeMap<String, Clock>,
    pub(super) plateau: Option<Plateau>,
    /// The loss scale, if the device needs one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) loss_scale: Option<LossScale>,
    /// How many steps have been averaged, if moving averages are kept.
    pub(super) averaged: Option<u64>,
    /// The minibatches from which a policy is going to be learned. Private training keeps none.
    pub(super) samples: Vec<SampleRecord>,
    /// The graphs that grew from which a policy is going to be learned. Private training keeps none.
    #[serde(default)]
    pub(super) growth_samples: Vec<SampleRecord>,
    /// The steps that were taken, if some of them were private, or if there are more than `step`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) private: Option<Ledger>,
    /// The score of the notes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) score: Option<f64>,
    /// The notes, in files before version 4.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) notes: Option<Notes>,
}

/// A [`TypeGraph`] in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SampleRecord {
    type_count: u16,
    types: Vec<u16>,
    children: Vec<Vec<u32>>,
}

impl Record {
    /// Writes the record into a folder, and syncs it to disk. Returns an error if the record could not be read
    /// back.
    pub(super) fn write(&self, folder: &Path) -> Result<(), CheckpointError> {
        let path = folder.join(RECORD_FILE);
        let unreadable = |reason: String| CheckpointError::Unreadable { reason };
        let text =
            serde_json::to_vec_pretty(self).map_err(|error| unreadable(error.to_string()))?;
        let read = Self::parse(&text).map_err(unreadable)?;
        // In JSON, an infinite bound of a norm looks as if there were no bound.
        if read.groups != self.groups {
            return Err(unreadable("a setting of a group is infinite".to_owned()));
        }
        edb_file::write_bytes(&path, &text).map_err(CheckpointError::write(&path))
    }

    fn parse(text: &[u8]) -> Result<Self, String> {
        let record: Self = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        let clocks = record.clocks.iter().map(|(name, clock)| (name.as_str(), clock.step));
        let counts = [
            ("number", record.number),
            ("step", record.step),
            ("averaged", record.averaged.unwrap_or(0)),
        ];
        let taken = || record.private.iter().flat_map(Ledger::taken);
        let private = taken().map(|taken| ("private", taken.steps));
        if let Some((name, count)) =
            counts.into_iter().chain(clocks).chain(private).find(|(_, count)| *count > MAX_COUNT)
        {
            return Err(format!("`{name}` is {count}; no run comes that far"));
        }
        taken()
            .try_for_each(|taken| taken.check())
            .map_err(|error| format!("`private`: {error}"))?;
        Ok(record)
    }

    /// The score of the notes.
    pub(super) fn score(&self) -> Option<f64> {
        self.score.or_else(|| self.notes.as_ref()?.finite_score())
    }

    /// All steps that were taken. Steps that are in no account were not private.
    pub(super) fn ledger(&self) -> Ledger {
        let mut ledger = self.private.clone().unwrap_or_default();
        let known = ledger.steps();
        if known < self.step {
            ledger.enter_plain(self.step - known);
        }
        ledger
    }
}

/// Reads the record of a checkpoint.
pub(super) fn read(folder: &Path) -> Result<Record, CheckpointError> {
    let path = folder.join(RECORD_FILE);
    let text = fs::read(&path).map_err(CheckpointError::io(&path))?;
    // The version is read first, since the other fields may differ between versions.
    #[derive(Deserialize)]
    struct Version {
        edb_training: u32,
    }
    let wrong = |reason: String| CheckpointError::Record { path: path.clone(), reason };
    let version = serde_json::from_slice::<Version>(&text);
    let found = version.map_err(|error| wrong(error.to_string()))?.edb_training;
    // The checksum is checked before the version is used, so that a damaged version is reported as damage.
    checksums::check(folder, Some(RECORD_FILE))?;
    if !(1..=FORMAT_VERSION).contains(&found) {
        return Err(CheckpointError::Version { path, found, expected: FORMAT_VERSION });
    }
    let mut record = Record::parse(&text).map_err(wrong)?;
    let unnamed: Vec<&mut String> =
        record.private.iter_mut().flat_map(Ledger::missing_names).collect();
    if !unnamed.is_empty() {
        // Two checkpoints of one run look like two branches here, so the steps of both count. A copy of a
        // checkpoint gets the same name, so its steps do not count twice.
        let model = folder.join(MODEL_FILE);
        let (crc, _) =
            checksums::checksum(&model, u64::MAX).map_err(CheckpointError::io(&model))?;
        let name = format!("of {:08x}{crc:08x}", crc32c::crc32c(&text));
        unnamed.into_iter().for_each(|run| run.clone_from(&name));
    }
    Ok(record)
}

/// Whether there is a record in a folder.
pub(super) fn is_in(folder: &Path) -> bool {
    folder.join(RECORD_FILE).exists()
}

impl SampleRecord {
    pub(super) fn of(graph: &TypeGraph) -> Self {
        let vertices = 0..graph.types().len() as u32;
        Self {
            type_count: graph.type_count(),
            types: graph.types().to_vec(),
            children: vertices.map(|vertex| graph.children(vertex).to_vec()).collect(),
        }
    }

    /// Makes the graph. `None` if it is invalid, or has another number of types than the model.
    pub(super) fn graph(&self, type_count: u16) -> Option<TypeGraph> {
        if self.type_count != type_count {
            return None;
        }
        let mut offsets = vec![0];
        let mut end = 0_u32;
        for children in &self.children {
            end = end.checked_add(u32::try_from(children.len()).ok()?)?;
            offsets.push(end);
        }
        TypeGraph::new(type_count, self.types.clone(), offsets, self.children.concat()).ok()
    }
}
