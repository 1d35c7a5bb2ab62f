//! A folder of a test's own. By hand, since `cargo run --example` first compiles whatever the tests of examples
//! depend on.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, io, process};

/// A new folder among the temporary files, removed with this.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// Makes one.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new() -> io::Result<Self> {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("edb-example-{}-{number}", process::id()));
        fs::create_dir(&path)?;
        Ok(Self(path))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays is no reason to fail.
        let _ = fs::remove_dir_all(&self.0);
    }
}
