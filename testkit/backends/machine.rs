//! What this machine lacks, and which tests are left out therefore.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// Says once what is left out, and why. libtest shows what tests print only if they fail, so this
/// goes past it.
pub fn left_out(tests: impl Display, why: impl Display) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let line = format!("left out: {tests}, since {why}\n");
    if SAID.lock().unwrap_or_else(PoisonError::into_inner).insert(line.clone()) {
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
}

/// Whether long tests run all their cases: where `EDB_ALL_CASES` is set, as `.ci/run tests` does.
pub fn all_cases() -> bool {
    std::env::var_os("EDB_ALL_CASES").is_some()
}

/// How many of so many cases of a long test are run: a sixteenth, the first ones, unless [`all_cases`] are.
pub fn sample(all: usize) -> usize {
    if all_cases() { all } else { all.div_ceil(16) }
}

/// A program of this machine; without it, these tests are left out.
pub fn program(name: &str, tests: &str) -> Option<Command> {
    let found =
        Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if let Err(error) = found {
        left_out(tests, format!("`{name}` does not start: {error}"));
        return None;
    }
    Some(Command::new(name))
}
