//! Dispatches launches: to the device at once, or into notes that are replayed later.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

use crate::driver::{Argument, Driver, Handle, Shape};
use crate::error::CudaError;

/// The threads of a block, unless a kernel needs others.
pub(super) const THREADS: u32 = 128;
/// The maximum blocks across rows: if there are more rows, each block processes several.
const MOST_ROWS: usize = 1 << 20;
/// The maximum blocks across columns: CUDA limits this grid dimension to 16 bits.
const MOST_COLUMNS: usize = 65_535;
/// The maximum blocks of a recorded launch, enough to fill a GPU; an idle launch starts as many.
const MOST_RECORDED: usize = 2048;
/// The rows and columns of a small tile: `product.cuh`.
const TILE: usize = 32;

/// A kernel in its variant for launching now and, if it is loaded, its variant for recording.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kernel {
    pub(super) now: Handle,
    pub(super) recorded: Option<Handle>,
}

/// How rows are divided into blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Blocks {
    /// The threads of a block.
    pub(super) threads: [u32; 2],
    /// The rows that a block processes at once.
    pub(super) at_once: u32,
    /// The blocks across the columns of these rows.
    pub(super) across: u32,
}

impl Blocks {
    /// A thread for each of `columns` columns of a row.
    pub(super) fn each(columns: usize) -> Self {
        let across = (columns.clamp(1, THREADS as usize) as u32).next_power_of_two();
        let threads = [across, THREADS / across];
        let blocks = columns.div_ceil(across as usize).clamp(1, MOST_COLUMNS);
        Self { threads, at_once: threads[1], across: blocks as u32 }
    }

    /// A block for each row.
    pub(super) const TEAM: Self = Self { threads: [THREADS, 1], at_once: 1, across: 1 };

    /// A block for each tile of a product with `columns` columns.
    pub(super) fn tiles(columns: usize) -> Self {
        let across = columns.div_ceil(TILE).clamp(1, MOST_COLUMNS) as u32;
        Self { threads: [THREADS, 1], at_once: TILE as u32, across }
    }

    fn down(self, rows: usize, most: usize) -> Shape {
        let down = rows.div_ceil(self.at_once as usize).clamp(1, most);
        Shape { grid: [down as u32, self.across], block: self.threads }
    }

    /// The launch shape for `rows` rows.
    pub(super) fn of(self, rows: usize) -> Shape {
        self.down(rows, MOST_ROWS)
    }

    /// The launch shape for at most `rows` rows, possibly far fewer.
    pub(super) fn up_to(self, rows: usize) -> Shape {
        self.down(rows, (MOST_RECORDED / self.across as usize).max(1))
    }
}

/// A launch without its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cue {
    pub(super) kernel: Handle,
    pub(super) blocks: Blocks,
    /// The number of arguments.
    pub(super) arguments: usize,
}

/// A noted launch.
#[derive(Clone, Debug)]
pub(super) struct Noted {
    pub(super) cue: Cue,
    pub(super) rows: usize,
    /// Its arguments, a range of [`Notes::words`].
    pub(super) words: Range<usize>,
}

/// The noted launches of a phase's batches.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) launches: Vec<Noted>,
    pub(super) words: Vec<u64>,
    /// The end of each batch in `launches`.
    pub(super) ends: Vec<usize>,
}

impl Notes {
    pub(super) fn clear(&mut self) {
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
    pub(super) fn end_batch(&mut self) {
        self.ends.push(self.launches.len());
    }
}

/// Makes launches, or notes them.
#[derive(Debug)]
pub(super) struct Launcher {
    pub(super) driver: Arc<dyn Driver>,
    notes: RefCell<Option<Notes>>,
}

impl Launcher {
    pub(super) fn new(driver: &Arc<dyn Driver>) -> Self {
        Self { driver: Arc::clone(driver), notes: RefCell::new(None) }
    }

    /// From now on, notes launches in `notes`, or makes them if it is `None`. Returns the previous
    /// notes.
    pub(super) fn note(&self, notes: Option<Notes>) -> Option<Notes> {
        self.notes.replace(notes)
    }

    /// Ends a batch in the notes, if launches are being noted.
    pub(super) fn end_batch(&self) {
        if let Some(notes) = &mut *self.notes.borrow_mut() {
            notes.end_batch();
        }
    }

    pub(super) fn launch(
        &self,
        kernel: Kernel,
        blocks: Blocks,
        rows: usize,
        arguments: &[Argument],
    ) -> Result<(), CudaError> {
        match &mut *self.notes.borrow_mut() {
            Some(notes) => {
                let recorded = kernel.recorded.expect("whoever notes has loaded what is recorded");
                notes.push(recorded, blocks, rows, arguments);
                Ok(())
            }
            None => self.driver.launch(kernel.now, blocks.of(rows), arguments),
        }
    }
}
