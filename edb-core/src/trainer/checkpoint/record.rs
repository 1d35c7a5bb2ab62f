//! What of a checkpoint is neither a tensor nor a policy: `training.json`.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{CheckpointError, Notes};
use crate::engine::LossScale;
use crate::learn::{Clock, Plateau};
use crate::model::Inner;
use crate::schedule::TypeGraph;

/// The version of the format that this edb writes and reads.
pub(super) const VERSION: u32 = 1;

const FILE: &str = "training.json";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Record {
    pub(super) edb_training: u32,
    /// The type of the parameters' values, as safetensors names it.
    pub(super) element: String,
    pub(super) step: u64,
    /// The seed of the draws and of learned policies.
    pub(super) seed: u64,
    pub(super) functions: Vec<FunctionRecord>,
    pub(super) optimizer: String,
    pub(super) learning_rate: f64,
    /// By parameter.
    pub(super) clocks: BTreeMap<String, Clock>,
    pub(super) plateau: Option<Plateau>,
    /// Where the device needs one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) loss_scale: Option<LossScale>,
    /// How many steps are averaged, where averages are kept.
    pub(super) averaged: Option<u64>,
    /// The minibatches that a policy is going to be learned on.
    pub(super) samples: Vec<SampleRecord>,
    pub(super) notes: Notes,
}

/// A vertex function as it was, to say what has changed.
#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(super) struct FunctionRecord {
    name: String,
    dims: BTreeMap<String, usize>,
    /// The forward program, a line a value.
    program: Vec<String>,
}

/// A [`TypeGraph`].
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SampleRecord {
    type_count: u16,
    types: Vec<u16>,
    children: Vec<Vec<u32>>,
}

impl Record {
    /// Writes the record into a folder, and forces it to disk.
    pub(super) fn write(&self, folder: &Path) -> Result<(), CheckpointError> {
        let path = folder.join(FILE);
        let text = serde_json::to_vec_pretty(self).map_err(|error| CheckpointError::Record {
            path: path.clone(),
            reason: error.to_string(),
        })?;
        let written = File::create(&path).and_then(|mut file| {
            file.write_all(&text)?;
            file.sync_all()
        });
        written.map_err(CheckpointError::io(&path))
    }
}

/// Reads the record of a checkpoint.
pub(super) fn read(folder: &Path) -> Result<Record, CheckpointError> {
    let path = folder.join(FILE);
    let text = fs::read(&path).map_err(CheckpointError::io(&path))?;
    // The version first, as the rest may look different in another.
    #[derive(Deserialize)]
    struct Version {
        edb_training: u32,
    }
    let wrong = |error: serde_json::Error| CheckpointError::Record {
        path: path.clone(),
        reason: error.to_string(),
    };
    let found = serde_json::from_slice::<Version>(&text).map_err(wrong)?.edb_training;
    if found != VERSION {
        let expected = VERSION;
        return Err(CheckpointError::Version { path: path.clone(), found, expected });
    }
    serde_json::from_slice(&text).map_err(wrong)
}

impl FunctionRecord {
    /// The functions of a model.
    pub(super) fn all(model: &Inner) -> Vec<Self> {
        let record = |function: &crate::model::bound::BoundFunction| {
            let program = &function.plan.program;
            let dims = program.dims.iter().cloned().zip(function.dims.iter().copied());
            let text = program.to_string();
            let forward = text.lines().take_while(|line| line.trim() != "backward");
            Self {
                name: function.name.clone(),
                dims: dims.collect(),
                program: forward.map(|line| line.trim().to_owned()).collect(),
            }
        };
        model.functions.iter().map(record).collect()
    }

    /// How the functions of a checkpoint differ from those of a model.
    pub(super) fn differences(saved: &[Self], model: &[Self]) -> Vec<String> {
        let mut differences = Vec::new();
        for function in model {
            match saved.iter().find(|known| known.name == function.name) {
                None => differences.push(format!("it has no function `{}`", function.name)),
                Some(known) => known.compare(function, &mut differences),
            }
        }
        let unknown = saved.iter().filter(|known| !model.iter().any(|f| f.name == known.name));
        differences
            .extend(unknown.map(|known| format!("the model has no function `{}`", known.name)));
        differences
    }

    fn compare(&self, model: &Self, differences: &mut Vec<String>) {
        let name = &self.name;
        for (dim, size) in &model.dims {
            match self.dims.get(dim) {
                Some(known) if known == size => {}
                Some(known) => differences.push(format!(
                    "`{name}`: dimension {dim} is {known} in it and {size} in the model"
                )),
                None => differences.push(format!("`{name}` has no dimension {dim} in it")),
            }
        }
        // Once the programs part, every later line may differ: the first says it.
        let lines = self.program.len().max(model.program.len());
        let line = |program: &[String], at: usize| {
            program.get(at).map_or("nothing".to_owned(), |line| format!("`{line}`"))
        };
        let differs = |at: &usize| self.program.get(*at) != model.program.get(*at);
        if let Some(at) = (0..lines).find(differs) {
            let (known, own) = (line(&self.program, at), line(&model.program, at));
            differences.push(format!("`{name}`: {known} in it is {own} in the model"));
        }
    }
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

    /// The graph; `None` if it is none.
    pub(super) fn graph(&self) -> Option<TypeGraph> {
        let ends = self.children.iter().scan(0, |end, children| {
            *end += children.len() as u32;
            Some(*end)
        });
        let offsets = std::iter::once(0).chain(ends).collect();
        let children = self.children.concat();
        TypeGraph::new(self.type_count, self.types.clone(), offsets, children).ok()
    }
}
