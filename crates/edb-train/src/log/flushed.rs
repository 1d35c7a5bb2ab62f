//! A file that is flushed by the clock.

use std::io::{self, Write};
use std::time::{Duration, Instant};

/// After how long what was written is in the file when more is.
const LATEST: Duration = Duration::from_secs(1);

/// A file that is flushed when something is written and the last time is long ago.
#[derive(Debug)]
pub(super) struct FlushedByClock<W> {
    file: W,
    /// When it was flushed.
    flushed: Instant,
}

impl<W: Write> FlushedByClock<W> {
    pub(super) fn new(file: W) -> Self {
        Self { file, flushed: Instant::now() }
    }

    /// Says that a line or record is whole.
    pub(super) fn written(&mut self) -> io::Result<()> {
        if self.flushed.elapsed() >= LATEST { self.flush() } else { Ok(()) }
    }
}

impl<W: Write> Write for FlushedByClock<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flushed = Instant::now();
        self.file.flush()
    }
}
