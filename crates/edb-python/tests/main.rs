//! Runs the tests that are written in Python (`tests/python/`), with the module as cargo has just built it.
//!
//! They need Python 3.10 or later with numpy, pytest and mypy: `EDB_PYTHON`, or `python3`. Without these they are left out,
//! and say so, unless `EDB_REQUIRE_PYTHON` is set.

mod models;

use std::env;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::Path;
use std::process::Command;

use models::Outcome;

/// What the tests import.
const NEEDS: &str = "import mypy, numpy, pytest";

#[test]
fn python() -> Outcome {
    let python = env::var_os("EDB_PYTHON").unwrap_or_else(|| "python3".into());
    let is_there =
        Command::new(&python).args(["-c", NEEDS]).output().is_ok_and(|of| of.status.success());
    if !is_there {
        assert!(env::var_os("EDB_REQUIRE_PYTHON").is_none(), "{}: {NEEDS}", python.display());
        eprintln!("left out: {} cannot `{NEEDS}`", python.display());
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    models::write(&folder.path().join("models"))?;
    // Beside this program, cargo has put the library.
    let built = env::current_exe()?.with_file_name(format!("{DLL_PREFIX}edb_python{DLL_SUFFIX}"));
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::copy(built, folder.path().join("edb.abi3.so"))?;
    fs::copy(here.join("edb.pyi"), folder.path().join("edb.pyi"))?;
    let run = |arguments: &[&str]| {
        let mut command = Command::new(&python);
        command
            .args(arguments)
            .current_dir(here)
            .env("EDB_TEST_MODELS", folder.path().join("models"));
        command.env("PYTHONPATH", folder.path()).env("MYPYPATH", folder.path());
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        let status = command.status().expect("it has just run");
        assert!(status.success(), "{arguments:?}: {status}");
    };
    run(&["-m", "pytest", "--quiet", "-p", "no:cacheprovider"]);
    let cache = folder.path().join("mypy").display().to_string();
    run(&["-m", "mypy", "--cache-dir", &cache]);
    // What the stubs say is what the module has.
    run(&["-m", "mypy.stubtest", "edb"]);
    Ok(())
}
