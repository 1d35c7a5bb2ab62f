//! The source of an example's records: the files of a folder.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::lines::{LineError, Lines, Malformed, find};

/// The folder, and what is done about a line of it that is malformed.
#[derive(Args, Clone, Debug, Default)]
pub struct Source {
    /// The folder with the data; without it, a small set is generated
    #[arg(long)]
    pub data: Option<PathBuf>,
    /// Report malformed lines and go on, instead of stopping at the first
    #[arg(long)]
    pub skip_malformed: bool,
}

impl Source {
    /// The lines of a file in `folder`, plain or gzipped.
    pub fn open(&self, folder: &Path, name: &str) -> Result<Lines, LineError> {
        let malformed = if self.skip_malformed { Malformed::Report } else { Malformed::Stop };
        Lines::open(&find(folder, name)?, malformed)
    }

    /// The records of a file in `folder`, one per line.
    pub fn read<R, E: Display>(
        &self,
        folder: &Path,
        name: &str,
        parse: impl Fn(&str) -> Result<R, E>,
    ) -> Result<Vec<R>, LineError> {
        self.open(folder, name)?.records(usize::MAX, parse)
    }
}
