//! On what, when and of which revision something is measured.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread::available_parallelism;

use sha2::{Digest, Sha256};

/// What the head of the tables says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The processor, its cores, and the instructions that edb's kernels are compiled for.
    pub description: String,
    /// The commit; with what is changed since, as a checksum.
    pub revision: String,
    /// The day, in UTC.
    pub date: String,
}

impl Machine {
    /// This one, and the sources in a folder.
    pub fn this(root: &Path) -> Self {
        let cores = available_parallelism().map_or(1, usize::from);
        let plural = if cores == 1 { "" } else { "s" };
        let instructions = edb::machine::instructions();
        Self {
            description: format!("{}, {cores} core{plural}, {instructions}", processor()),
            revision: revision(root),
            date: time::OffsetDateTime::now_utc().date().to_string(),
        }
    }
}

/// The name of the processor, as far as the system tells it.
fn processor() -> String {
    let listed = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = listed.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    name.map(|(_, name)| name.trim().to_owned())
        .or_else(|| said(Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"])))
        .unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

fn revision(root: &Path) -> String {
    let git = |arguments: &[&str]| said(Command::new("git").current_dir(root).args(arguments));
    let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) else {
        return format!("{} without git", env!("CARGO_PKG_VERSION"));
    };
    match git(&["diff", "HEAD"]) {
        Some(changes) => {
            let sum = Sha256::digest(changes);
            format!(
                "{commit} with changes {:02x}{:02x}{:02x}{:02x}",
                sum[0], sum[1], sum[2], sum[3]
            )
        }
        None => commit,
    }
}

/// What a command prints, if it succeeds and prints anything.
fn said(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    Some(text).filter(|text| !text.is_empty())
}
