//! The error messages for mistakes in vertex functions, helpers and ports.
//!
//! `TRYBUILD=overwrite cargo test -p edb-test-mistakes` rewrites the messages; look at each of
//! them. Some of their words are rustc's, and change with its version: they are those of the version
//! that `rust-toolchain.toml` pins, and no other is tested.

use std::env;
use std::io::{Write, stderr};
use std::process::Command;

#[test]
fn mistakes_are_explained() {
    let toolchain = include_str!("../../../rust-toolchain.toml");
    let pinned = toolchain.lines().find_map(|line| line.strip_prefix("channel = ")).unwrap();
    let pinned = pinned.trim_matches('"');
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().unwrap().stdout;
    let version = String::from_utf8(version).unwrap();
    let version = version.trim();
    if version.split(' ').nth(1) != Some(pinned) {
        // Past libtest, which shows what tests print only if they fail.
        let _ = writeln!(stderr(), "left out: texts of compile errors, of {pinned}: {version}");
        return;
    }
    trybuild::TestCases::new().compile_fail("tests/compile_fail/*/*.rs");
}
