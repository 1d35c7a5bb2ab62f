//! Fuzz targets, each of which states what must hold of edb for any bytes:
//!
//! - [`plan`](targets::plan()): a plan is refused, or a model made of it runs;
//! - [`bundle`](targets::bundle()): a model as one file is refused, or opens, is written as it was read, and answers;
//! - [`records`](targets::records()): a graph as JSON records is refused by an error that names a
//!   vertex, or runs with the same bits alone and beside other graphs;
//! - [`policy`](targets::policy()): a policy's file is refused, or is written as it was read and
//!   schedules every graph;
//! - [`costs`](targets::costs()): a file of costs is refused, or schedules are chosen by it;
//! - [`checkpoint`](targets::checkpoint()): one file of a checkpoint is refused and nothing
//!   changes, or training continues from it and can be saved;
//! - [`safetensors`](targets::safetensors()): a file of parameters is refused and nothing changes,
//!   or what was read can be saved;
//! - [`logs`](targets::logs()): a log to go on with is refused and nothing changes, or it keeps all of
//!   its steps up to the given one;
//! - [`readers`](targets::readers()): a file of an example's data set is refused by an error that
//!   names it, or gives complete records;
//! - [`programs`](targets::programs()): a random model, whose choices come from the bytes, agrees
//!   with its eager evaluation forward and backward, and gives a graph the same bits on any number
//!   of threads and beside any other graphs;
//! - [`pq_tree`](targets::pq_tree()): the tree of some sets of values admits the orders that brute
//!   force finds;
//! - [`kernels`](targets::kernels()): a kernel that is given any numbers computes something from the
//!   elements that it is given, or panics, and touches no others;
//! - [`layout`](targets::layout()): the layout of some calls is valid, and copies no more than the
//!   best by brute force where it claims to be optimal or where no copy is needed.
//!
//! No target but `kernels` may panic, and none overflow, nor take more memory than in proportion to its bytes.
//!
//! `fuzz/run 60` runs each target for a minute and needs nothing but cargo; `cargo fuzz run plan`
//! runs one target. `cargo test -p edb-fuzz` runs each target over its corpus and some thousand
//! mutations of it. The program of a target runs it over files:
//! `cargo run -p edb-fuzz --bin plan -- crash-1234`.
#![forbid(unsafe_code)]

pub mod bundles;
pub mod bytes;
pub mod models;
pub mod seeds;
pub mod soak;
pub mod targets;

use std::process::ExitCode;

/// Makes the program of a target: with libFuzzer in a build for fuzzing, otherwise one that runs
/// the target over the files named on its command line.
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

/// Runs a target over the files named on the command line.
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
