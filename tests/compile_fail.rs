//! The error messages for mistakes in vertex functions, helpers and ports.
//!
//! `TRYBUILD=overwrite cargo test --test suite compile_fail` rewrites the messages; look at each of
//! them. Some of their words are rustc's, and change with its version: they are those of the version
//! that `rust-toolchain.toml` pins, and no other is tested.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use edb_backend_suite::machine;

/// All programs, of which a sample is compiled that has some of each folder; all where messages are rewritten.
fn programs() -> Vec<PathBuf> {
    let files = |folder: &Path| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut programs: Vec<PathBuf> = files("tests/compile_fail".as_ref())
        .flat_map(|folder| {
            files(&folder)
                .filter(|file| file.extension().is_some_and(|end| end == "rs"))
                .collect::<Vec<_>>()
        })
        .collect();
    programs.sort();
    programs
}

#[test]
fn mistakes_are_explained() {
    let toolchain = include_str!("../rust-toolchain.toml");
    let pinned = toolchain.lines().find_map(|line| line.strip_prefix("channel = ")).unwrap();
    let pinned = pinned.trim_matches('"');
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().unwrap().stdout;
    let version = String::from_utf8(version).unwrap();
    let version = version.trim();
    if version.split(' ').nth(1) != Some(pinned) {
        machine::left_out("texts of compile errors", format!("they are of {pinned}: {version}"));
        return;
    }
    let cases = trybuild::TestCases::new();
    let mut programs = programs();
    if env::var_os("TRYBUILD").is_none() {
        let step = programs.len() / machine::sample(programs.len());
        programs = programs.into_iter().step_by(step).collect();
    }
    programs.iter().for_each(|program| cases.compile_fail(program));
}
