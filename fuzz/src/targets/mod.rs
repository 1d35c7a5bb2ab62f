//! The targets, and what they share.

mod bundle;
mod checkpoint;
mod costs;
mod kernels;
mod layout;
mod logs;
mod plan;
mod policy;
mod pq_tree;
mod programs;
mod readers;
mod records;
mod safetensors;

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

pub use bundle::bundle;
pub use checkpoint::{FILES as CHECKPOINT_FILES, checkpoint};
pub use costs::costs;
pub use kernels::kernels;
pub use layout::layout;
pub use logs::logs;
pub use plan::plan;
pub use policy::policy;
pub use pq_tree::pq_tree;
pub use programs::programs;
pub use readers::readers;
pub use records::records;
pub use safetensors::safetensors;

/// One fuzz target.
#[derive(Clone, Copy)]
pub struct Target {
    /// The target's name, and that of its corpus folder.
    pub name: &'static str,
    /// Runs the target.
    pub run: fn(&[u8]),
    /// The number of mutations of its corpus that take a second or two in a debug build.
    pub mutations: usize,
}

/// All targets.
pub const TARGETS: [Target; 13] = [
    Target { name: "bundle", run: bundle, mutations: 200 },
    Target { name: "checkpoint", run: checkpoint, mutations: 400 },
    Target { name: "costs", run: costs, mutations: 2000 },
    Target { name: "kernels", run: kernels, mutations: 20_000 },
    Target { name: "layout", run: layout, mutations: 400 },
    Target { name: "logs", run: logs, mutations: 600 },
    Target { name: "plan", run: plan, mutations: 1000 },
    Target { name: "policy", run: policy, mutations: 1000 },
    Target { name: "pq_tree", run: pq_tree, mutations: 400 },
    Target { name: "programs", run: programs, mutations: 20 },
    Target { name: "readers", run: readers, mutations: 8000 },
    Target { name: "records", run: records, mutations: 2000 },
    Target { name: "safetensors", run: safetensors, mutations: 400 },
];

/// The bytes of memory that may be in use at once: for an empty input, and for each byte of input.
/// JSON's shortest items (`[],`) become structures of some hundred bytes, in vectors that double.
const BYTES: (u64, u64) = (4 << 20, 1000);

/// Reads an input of `length` bytes, and checks that memory stays in proportion to it.
fn bounded<R>(length: usize, read: impl FnOnce() -> R) -> R {
    let mut result = None;
    let info = allocation_counter::measure(|| result = Some(read()));
    let most = BYTES.0 + BYTES.1 * length as u64;
    assert!(info.bytes_max <= most, "{} bytes of memory for {length} bytes", info.bytes_max);
    result.expect("what is measured is called")
}

/// Writes a file with these contents to a folder of this thread, replacing one of the same name.
fn file(name: &str, contents: &[u8]) -> PathBuf {
    in_folder(|folder| {
        let path = folder.join(name);
        std::fs::write(&path, contents).expect("the temporary folder can be written");
        path
    })
}

/// Calls `what` with a folder that belongs to this thread.
fn in_folder<R>(what: impl FnOnce(&Path) -> R) -> R {
    thread_local! {
        static FOLDER: RefCell<Option<TempDir>> = const { RefCell::new(None) };
    }
    FOLDER.with_borrow_mut(|folder| {
        let made = || tempfile::tempdir().expect("there is a temporary folder");
        what(folder.get_or_insert_with(made).path())
    })
}

/// Splits off the first byte, which chooses one of `count` kinds of input.
fn kind(data: &[u8], count: usize) -> Option<(usize, &[u8])> {
    let (first, rest) = data.split_first()?;
    Some((usize::from(*first) % count, rest))
}

/// Prints an error and its sources in every way there is, since they may contain text of any kind
/// and length.
fn say(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = format!("{error} {error:?}");
    let mut source = error.source();
    while let Some(error) = source {
        text += &error.to_string();
        source = error.source();
    }
    text
}
