//! Fuzz targets: what must hold of edb whatever bytes come in.
//!
//! | target | what the bytes are | what must hold |
//! | --- | --- | --- |
//! | [`plan`](targets::plan()) | a plan | it is refused, or a model of it runs |
//! | [`records`](targets::records()) | a graph as JSON records | refused with a vertex named, or it runs, alone and in company alike |
//! | [`policy`](targets::policy()) | a policy's file | refused, or it schedules every graph and is written as it was read |
//! | [`costs`](targets::costs()) | a file of costs | refused, or schedules are chosen by it |
//! | [`checkpoint`](targets::checkpoint()) | one file of a checkpoint | refused and nothing changes, or training goes on and can be saved |
//! | [`safetensors`](targets::safetensors()) | a file of parameters | refused and nothing changes, or what was read can be saved |
//! | [`readers`](targets::readers()) | a file of one of the examples' data sets | refused with a line named, or records that are whole |
//! | [`programs`](targets::programs()) | the choices of a random model, graphs and policy | compiled as eagerly, forward and backward; the same bits on any number of threads and in any company |
//! | [`pq_tree`](targets::pq_tree()) | sets of values | the tree has the orders that brute force finds |
//! | [`layout`](targets::layout()) | calls and their operands | the layout copies what brute force finds to be the least |
//!
//! And of all: no panic, no overflow, and no more memory than in proportion to the bytes.
//!
//! `fuzz/run 60` runs each target for a minute on what cargo has; `cargo fuzz run plan` does the same for one.
//! `cargo test -p edb-fuzz` runs each over its corpus and some thousand mutations of it. A program of a target
//! runs it over files: `cargo run -p edb-fuzz --bin plan -- crash-1234`.
#![forbid(unsafe_code)]

pub mod bytes;
pub mod models;
pub mod seeds;
pub mod soak;
pub mod targets;

use std::process::ExitCode;

/// Makes the program of a target: libFuzzer's where a fuzzer is built, or one that runs the target over the files
/// of its command line.
#[macro_export]
macro_rules! fuzz {
    ($target:ident) => {
        #[cfg(fuzzing)]
        libfuzzer_sys::fuzz_target!(|data: &[u8]| $crate::targets::$target(data));

        #[cfg(not(fuzzing))]
        fn main() -> std::process::ExitCode {
            $crate::replay($crate::targets::$target)
        }
    };
}

/// Runs a target over the files of the command line.
pub fn replay(target: fn(&[u8])) -> ExitCode {
    for path in std::env::args_os().skip(1) {
        match std::fs::read(&path) {
            Ok(data) => target(&data),
            Err(error) => {
                eprintln!("{}: {error}", path.display());
                return ExitCode::FAILURE;
            }
        }
        println!("{}: holds", path.display());
    }
    ExitCode::SUCCESS
}
