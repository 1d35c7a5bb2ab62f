//! A temporary folder for tests. Not from a crate, because `cargo run --example` would first
//! compile all dependencies of the examples' tests.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, io, process};

/// A new temporary folder, removed when dropped.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// Creates a folder.
    ///
    /// # Errors
    /// When it cannot be created.
    pub fn new() -> io::Result<Self> {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("edb-example-{}-{number}", process::id()));
        fs::create_dir(&path)?;
        Ok(Self(path))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // If it cannot be removed, that is not an error.
        let _ = fs::remove_dir_all(&self.0);
    }
}
