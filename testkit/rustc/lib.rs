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

/// The library of edb with models in `f64` and without CUDA that was compiled last, beside this program. Cargo has just seen
/// to it that the one that this program is linked with is new. One that is newer still is the same code with other features.
///
/// # Panics
/// When there is none: the program does not depend on edb with its feature `f64`, or does so with `cuda`.
pub fn newest_edb() -> PathBuf {
    let beside = env::current_exe().expect("a program knows its file");
    let folder = beside.parent().expect("it is in a folder");
    let files = fs::read_dir(folder).expect("cargo has made the folder").flatten();
    let libraries = files.filter(|file| {
        let name = file.file_name();
        let name =
            name.to_str().and_then(|name| name.strip_prefix("libedb-")?.strip_suffix(".rlib"));
        name.is_some_and(|hash| is_plain(folder, hash))
    });
    let newest = libraries.max_by_key(|file| file.metadata().and_then(|file| file.modified()).ok());
    newest.expect("cargo has compiled what this program depends on").path()
}

/// Whether cargo has noted that this library has the feature `f64`, and not `cuda`; true where it has noted nothing.
fn is_plain(folder: &Path, hash: &str) -> bool {
    let note = folder.join(format!("../.fingerprint/edb-nn-{hash}/lib-edb.json"));
    let Ok(note) = fs::read_to_string(note) else { return true };
    let features = note.split("\"features\":").nth(1).and_then(|rest| rest.split(']').next());
    features.is_some_and(|features| features.contains("f64") && !features.contains("cuda"))
}
