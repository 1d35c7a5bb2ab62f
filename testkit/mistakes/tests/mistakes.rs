//! The error messages for mistakes in vertex functions, helpers and ports.
//!
//! `EDB_BLESS=1 cargo test -p edb-test-mistakes` rewrites the messages; look at each of them. Some of
//! their words are rustc's, and change with its version: they are those of the version that
//! `rust-toolchain.toml` pins, and no other is tested.
//!
//! The crate trybuild does the same for any project. It builds edb once more, in a folder of its own, which took
//! longer than all else here.

use std::fmt::Write as _;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::{env, fs, thread};

use edb_test_rustc::{newest_edb, rustc, rustc_with};

#[test]
fn mistakes_are_explained() {
    let toolchain = include_str!("../../../rust-toolchain.toml");
    let pinned = toolchain.lines().find_map(|line| line.strip_prefix("channel = ")).unwrap();
    let pinned = pinned.trim_matches('"');
    let version = rustc().arg("--version").output().unwrap().stdout;
    let version = String::from_utf8(version).unwrap();
    let version = version.trim();
    if version.split(' ').nth(1) != Some(pinned) {
        // Past libtest, which shows what tests print only if they fail.
        let _ = writeln!(stderr(), "left out: texts of compile errors, of {pinned}: {version}");
        return;
    }
    let edb = newest_edb();
    let folder = tempfile::tempdir().unwrap();
    library(rustc(), "proc-macro", "tests/libraries/inserts.rs", folder.path());
    library(rustc_with(&edb), "rlib", "tests/libraries/ports.rs", folder.path());
    let files = Mutex::new(mistakes().into_iter());
    let wrong = Mutex::new(String::new());
    let check_files = || {
        while let Some(file) = { files.lock().unwrap().next() } {
            if let Err(difference) = check(&file, &edb, folder.path()) {
                writeln!(wrong.lock().unwrap(), "{}: {difference}\n", file.display()).unwrap();
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(check_files);
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{wrong}");
}

/// The folder of this package in the repository.
const PACKAGE: &str = "testkit/mistakes/";

/// All programs with mistakes, relative to this package, which is where cargo runs its tests.
fn mistakes() -> Vec<PathBuf> {
    let of_folder = |folder: &Path| {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>()
    };
    let folders = of_folder(Path::new("tests/compile_fail"));
    let files = folders.iter().flat_map(|folder| of_folder(folder));
    let mut files: Vec<_> =
        files.filter(|file| file.extension().is_some_and(|e| e == "rs")).collect();
    assert!(files.len() > 50, "{} programs", files.len());
    files.sort();
    files
}

/// Compiles a library, which gets the name of its file.
fn library(mut rustc: Command, kind: &str, source: &str, folder: &Path) {
    rustc.args(["--edition=2024", "--crate-type", kind, "--out-dir"]).arg(folder).arg(source);
    assert!(rustc.status().unwrap().success(), "{source}");
}

/// What is wrong with what rustc says of a program, if anything is.
fn check(file: &Path, edb: &Path, libraries: &Path) -> Result<(), String> {
    let out = tempfile::tempdir().unwrap();
    let mut command = rustc_with(edb);
    command.arg("-L").arg(libraries).args(["--extern=inserts", "--extern=ports"]);
    command.args(["--edition=2024", "--crate-type=lib", "--emit=metadata", "-Adead_code"]);
    command.args(["--color=never", "--diagnostic-width=140", "--out-dir"]).arg(out.path());
    // As cargo calls it, which messages then name. At the root, from where edb's sources are named, so
    // that rustc finds the lines of them that it shows.
    command.env("CARGO_CRATE_NAME", "mistake").current_dir("../..");
    let output = command.arg(Path::new(PACKAGE).join(file)).output().unwrap();
    if output.status.success() {
        return Err("compiles".into());
    }
    let found = without_places(&String::from_utf8(output.stderr).unwrap());
    let expected = file.with_extension("stderr");
    if env::var_os("EDB_BLESS").is_some() {
        fs::write(&expected, found).unwrap();
        return Ok(());
    }
    match fs::read_to_string(&expected).unwrap_or_default() == found {
        true => Ok(()),
        false => Err(format!("not what {} has, but\n{found}", expected.display())),
    }
}

/// What rustc says, without its last lines, and without line numbers of edb's own sources.
fn without_places(messages: &str) -> String {
    const LAST: [&str; 3] =
        ["error: aborting due to", "For more information about", "Some errors have detailed"];
    let messages = messages.split("\n\n").map(str::trim_end);
    let messages = messages.filter(|message| !LAST.iter().any(|last| message.starts_with(last)));
    messages.map(without_places_of_edb).collect::<Vec<_>>().join("\n").trim_end().to_owned() + "\n"
}

/// One message. Where line numbers of edb's sources have more digits than others, they indent all of it.
fn without_places_of_edb(message: &str) -> String {
    let number = |line: &str| line.split_once('|')?.0.trim().parse::<usize>().ok();
    let mut of_edb = false;
    let mut of_std = false;
    let mut digits = [1, 1];
    let mut lines = Vec::new();
    for line in message.lines() {
        let (indent, text) = line.split_at(line.len() - line.trim_start().len());
        let place = text.strip_prefix("--> ").or_else(|| text.strip_prefix("::: "));
        if line.starts_with(char::is_alphabetic) {
            of_edb = false;
        }
        // Lines of the standard library are shown only where its source is installed.
        of_std = match place {
            Some(place) => text.starts_with(":::") && place.contains("/rustlib/src/rust/library/"),
            None => of_std && text.contains('|') && !text.starts_with('='),
        };
        if of_std {
            digits[1] = digits[1].max(number(line).map_or(1, |number| number.to_string().len()));
            continue;
        }
        if let Some(place) = place {
            of_edb = !place.starts_with(PACKAGE);
            let arrow = &text[..4];
            lines.push(match place.strip_prefix(PACKAGE) {
                Some(place) => format!("{indent}{arrow}{place}"),
                None => format!("{indent}{arrow}$WORKSPACE/{}", place.split(':').next().unwrap()),
            });
            continue;
        }
        let Some(number) = number(line) else {
            lines.push(line.into());
            continue;
        };
        let bar = line.find('|').unwrap();
        digits[usize::from(of_edb)] = digits[usize::from(of_edb)].max(number.to_string().len());
        lines.push(match of_edb {
            true => format!("{:bar$}{}", "", &line[bar..]),
            false => line.into(),
        });
    }
    let further = digits[1].saturating_sub(digits[0]);
    let mut result = String::new();
    for line in lines {
        let spaces = line.len() - line.trim_start().len();
        result.push_str(&line[further.min(spaces)..]);
        result.push('\n');
    }
    result
}
