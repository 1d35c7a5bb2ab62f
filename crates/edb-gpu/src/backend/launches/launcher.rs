//! Dispatches launches: to the device at once, or into notes that are replayed later.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

use crate::blocks::Blocks;
use crate::driver::{Argument, Driver, Handle};
use crate::error::GpuError;

/// A kernel in its variant for launching now and, if it is loaded, its variant for recording.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kernel {
    pub(super) now: Handle,
    pub(super) recorded: Option<Handle>,
}

/// A launch without its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cue {
    pub(super) kernel: Handle,
    pub(crate) blocks: Blocks,
    /// The number of arguments.
    pub(super) arguments: usize,
}

/// A noted launch.
#[derive(Clone, Debug)]
pub(super) struct Noted {
    pub(super) cue: Cue,
    pub(crate) rows: usize,
    /// Its arguments, a range of [`Notes::words`].
    pub(super) words: Range<usize>,
}

/// The noted launches of a phase's batches.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    pub(super) launches: Vec<Noted>,
    pub(super) words: Vec<u64>,
    /// The end of each batch in `launches`.
    pub(super) ends: Vec<usize>,
}

impl Notes {
    pub(crate) fn clear(&mut self) {
        self.launches.clear();
        self.words.clear();
        self.ends.clear();
    }

    fn push(&mut self, kernel: Handle, blocks: Blocks, rows: usize, arguments: &[Argument]) {
        let start = self.words.len();
        self.words.extend(arguments.iter().map(|argument| argument.word()));
        let cue = Cue { kernel, blocks, arguments: arguments.len() };
        self.launches.push(Noted { cue, rows, words: start..self.words.len() });
    }

    /// Ends a batch: later launches belong to the next.
    pub(crate) fn end_batch(&mut self) {
        self.ends.push(self.launches.len());
    }
}

/// Makes launches, or notes them.
#[derive(Debug)]
pub(crate) struct Launcher {
    pub(crate) driver: Arc<dyn Driver>,
    notes: RefCell<Option<Notes>>,
}

impl Launcher {
    pub(crate) fn new(driver: &Arc<dyn Driver>) -> Self {
        Self { driver: Arc::clone(driver), notes: RefCell::new(None) }
    }

    /// From now on, notes launches in `notes`, or makes them if it is `None`. Returns the previous
    /// notes.
    pub(crate) fn note(&self, notes: Option<Notes>) -> Option<Notes> {
        self.notes.replace(notes)
    }

    /// Ends a batch in the notes, if launches are being noted.
    pub(crate) fn end_batch(&self) {
        if let Some(notes) = &mut *self.notes.borrow_mut() {
            notes.end_batch();
        }
    }

    pub(crate) fn launch(
        &self,
        kernel: Kernel,
        blocks: Blocks,
        rows: usize,
        arguments: &[Argument],
    ) -> Result<(), GpuError> {
        match &mut *self.notes.borrow_mut() {
            Some(notes) => {
                let recorded = kernel.recorded.expect("whoever notes has loaded what is recorded");
                notes.push(recorded, blocks, rows, arguments);
                Ok(())
            }
            None => self.driver.launch(kernel.now, blocks.shape(rows), arguments),
        }
    }
}
