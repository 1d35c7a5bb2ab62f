//! Random programs mean the same with edb and without: what the plan of a vertex function computes, what the function
//! computes when it is called, and what the same text computes where rustc alone compiles it, with numbers for tensors.
//! The last of the three decides.
//!
//! The programs are small. Each has some of what can make a name mean something else: macros whose variables are
//! spelled as their callers' are, helpers and functions of one name in several modules, imports of every kind, `cfg`. edb may refuse a program
//! instead: `tests/meaning.rs` of the repository has cases which it may not. What is known to mean something else is
//! left out: a function that hides a helper which a glob imports (`docs/decisions/what-rust-calls.md`).
//!
//! `EDB_PROGRAMS=17..18 cargo test -p edb-test-meaning` runs one program, and `.ci/run macro` many.
//! `EDB_RLIB=path/libedb.rlib` compiles them with another edb.

mod body;
mod helper;
mod layers;
mod program;
mod rustc;
mod scene;

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Mutex;
use std::{env, thread};

use program::Program;
use rustc::{Outcome, Side, edb, outcomes};

/// How many programs are in one file.
const TOGETHER: u64 = 50;

/// What has become of all programs.
#[derive(Default)]
struct Tally {
    /// Those that rustc compiles without edb.
    programs: usize,
    /// Those that it does not: a mistake of the generator's.
    discarded: usize,
    /// Those that edb refuses.
    refused: usize,
    /// The others, of which the three values are not the same.
    wrong: Vec<String>,
}

#[test]
fn random_programs_mean_the_same_with_edb_and_without() {
    let edb = edb();
    let (tally, programs) = (Mutex::new(Tally::default()), programs());
    let files = Mutex::new(programs.start / TOGETHER..programs.end.div_ceil(TOGETHER));
    let check_files = || {
        while let Some(file) = { files.lock().unwrap().next() } {
            let [from, to] = [file, file + 1].map(|file| file * TOGETHER);
            // Programs have the edition of their file.
            let edition = if file.is_multiple_of(2) { "2024" } else { "2021" };
            let seeds = from.max(programs.start)..to.min(programs.end);
            check(Side::Edb(&edb), seeds, edition, &tally);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(check_files);
        }
    });
    let Tally { programs, discarded, refused, wrong } = tally.into_inner().unwrap();
    println!("{programs} programs, of which edb refuses {refused}; {discarded} are none");
    assert!(
        wrong.is_empty(),
        "{} programs mean something else:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    // Of a few, all may be refused.
    if programs >= 50 {
        assert!(refused * 2 < programs, "edb refuses {refused} of {programs} programs");
        assert!(discarded * 20 < programs, "{discarded} texts beside {programs} are no programs");
    }
}

/// The seeds of the programs: a hundred, or those of `EDB_PROGRAMS=from..to`.
fn programs() -> Range<u64> {
    let Ok(named) = env::var("EDB_PROGRAMS") else { return 0..100 };
    let ends =
        named.split_once("..").and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    ends.unwrap_or_else(|| panic!("EDB_PROGRAMS is `from..to`, and not `{named}`"))
}

/// Compares some programs.
fn check(edb: Side<'_>, seeds: Range<u64>, edition: &str, tally: &Mutex<Tally>) {
    let all: Vec<(u64, Program)> = seeds.map(|seed| (seed, Program::new(seed))).collect();
    let texts: Vec<&Program> = all.iter().map(|(_, program)| program).collect();
    let mut right = Vec::new();
    for ((seed, program), outcome) in all.iter().zip(outcomes(Side::Rustc, &texts, edition)) {
        match outcome {
            Outcome::Told(told) => right.push((*seed, program, told)),
            Outcome::Refused(message) => {
                println!("{seed} is no program: {message}");
                tally.lock().unwrap().discarded += 1;
            }
            Outcome::Panicked(message) => panic!("a program of numbers panics: {message}"),
        }
    }
    let texts: Vec<&Program> = right.iter().map(|(_, program, _)| *program).collect();
    for ((seed, program, right), outcome) in right.iter().zip(outcomes(edb, &texts, edition)) {
        let found = match outcome {
            Outcome::Told(found) => difference(&found, right),
            Outcome::Refused(message) => {
                println!("{seed} is refused: {message}");
                tally.lock().unwrap().refused += 1;
                None
            }
            Outcome::Panicked(message) => Some(format!("a panic: {message}")),
        };
        let wrong = found.map(|found| {
            let (next, module) = (seed + 1, edb.module(0, program));
            format!("EDB_PROGRAMS={seed}..{next}, edition {edition}:\n{module}{found}")
        });
        let mut tally = tally.lock().unwrap();
        tally.programs += 1;
        tally.wrong.extend(wrong);
    }
}

/// The three values of a program for each input, if they are not the same.
fn difference(found: &[Vec<f64>], right: &[Vec<f64>]) -> Option<String> {
    let mut are_close = true;
    let mut text = String::new();
    for (found, right) in found.iter().zip(right) {
        let ([plan, function], [right]) =
            (found[..].try_into().unwrap(), right[..].try_into().unwrap());
        are_close &= is_close(plan, right) && is_close(function, right);
        writeln!(text, "plan {plan:?}, function {function:?}, without edb {right:?}").unwrap();
    }
    (!are_close).then_some(text)
}

/// Whether two values are the same, up to rounding.
fn is_close(a: f64, b: f64) -> bool {
    a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-9 * (1.0 + a.abs())
}
