//! Calls rustc with the edb that cargo has compiled for the program that asks, which depends on it. So programs that a
//! test writes are compiled without building edb once more.
#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The compiler that cargo uses.
pub fn rustc() -> Command {
    Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// The same, for a program that depends on this library of edb.
pub fn rustc_with(edb: &Path) -> Command {
    let mut rustc = rustc();
    let folder = edb.parent().expect("a library is in a folder");
    rustc.arg("-L").arg(folder).arg("-L").arg(folder.join("deps"));
    rustc.arg("--extern").arg(format!("edb={}", edb.display()));
    rustc
}

/// The library of edb that was compiled last, beside this program. Cargo has just seen to it that the one that this
/// program is linked with is new. One that is newer still is the same code with other features.
///
/// # Panics
/// When there is none: the program does not depend on edb.
pub fn newest_edb() -> PathBuf {
    let beside = env::current_exe().expect("a program knows its file");
    let folder = beside.parent().expect("it is in a folder");
    let files = fs::read_dir(folder).expect("cargo has made the folder").flatten();
    let libraries = files.filter(|file| {
        let name = file.file_name();
        name.to_str().is_some_and(|name| name.starts_with("libedb-") && name.ends_with(".rlib"))
    });
    let newest = libraries.max_by_key(|file| file.metadata().and_then(|file| file.modified()).ok());
    newest.expect("cargo has compiled what this program depends on").path()
}
