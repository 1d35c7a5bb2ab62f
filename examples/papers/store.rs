//! The rows of finished jobs, each job's in a file of its own: a run that was interrupted goes on
//! where it was.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use support::Result;

use crate::job::Job;
use crate::machine::Machine;

/// A folder of finished jobs, of one machine and one revision.
pub struct Store {
    folder: PathBuf,
    machine: Machine,
}

/// What a file holds.
#[derive(Deserialize, Serialize)]
struct Done {
    command: String,
    machine: String,
    revision: String,
    /// The day on which it was measured.
    date: String,
    rows: Vec<Value>,
}

impl Store {
    pub fn new(folder: &Path, machine: Machine) -> Self {
        Self { folder: folder.to_owned(), machine }
    }

    /// The file of a job.
    pub fn path(&self, job: &Job) -> PathBuf {
        let Machine { description, revision, .. } = &self.machine;
        let key = Sha256::digest(format!("{job}\n{description}\n{revision}"));
        let name: String = key[..12].iter().map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(name).with_extension("json")
    }

    /// The rows of a job and the day on which it was measured, if it has been. A file that is
    /// damaged, or that is of something else, is as none.
    pub fn rows(&self, job: &Job) -> Result<Option<(String, Vec<Value>)>> {
        let path = self.path(job);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => return Ok(None),
            Err(error) => return Err(format!("{}: {error}", path.display()).into()),
        };
        let done = serde_json::from_str::<Done>(&text).ok();
        let done = done.filter(|done| {
            let same = (&done.machine, &done.revision);
            done.command == job.to_string()
                && same == (&self.machine.description, &self.machine.revision)
                && !done.rows.is_empty()
        });
        Ok(done.map(|done| (done.date, done.rows)))
    }

    /// Keeps the rows of a job.
    pub fn keep(&self, job: &Job, rows: &[Value]) -> Result<()> {
        let Machine { description, revision, date } = self.machine.clone();
        let done = Done {
            command: job.to_string(),
            machine: description,
            revision,
            date,
            rows: rows.to_vec(),
        };
        let path = self.path(job);
        let text = serde_json::to_vec(&done)?;
        edb_file::create_folder(&self.folder)
            .and_then(|()| edb_file::write_bytes(&path, &text))
            .map_err(|error| format!("{}: {error}", path.display()).into())
    }
}
