//! Where launches go: to the device at once, or into the notes of what is going to be replayed.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

use crate::driver::{Argument, Driver, Handle, Shape};
use crate::error::CudaError;

/// The threads of a block, unless a kernel needs others.
pub(super) const THREADS: u32 = 128;
/// The most blocks of rows: more rows than these have are taken in turns.
const MOST_ROWS: usize = 1 << 20;
/// The most blocks of columns, which CUDA gives 16 bits.
const MOST_COLUMNS: usize = 65_535;
/// The most blocks of a launch that is recorded, which has as many where it is idle: enough to fill a GPU.
const MOST_RECORDED: usize = 2048;
/// The rows and columns of a small tile: `product.cuh`.
const TILE: usize = 32;

/// A kernel as it is launched now and, if it can be recorded, then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kernel {
    pub(super) now: Handle,
    pub(super) recorded: Option<Handle>,
}

/// How rows become blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Blocks {
    /// The threads of a block.
    pub(super) threads: [u32; 2],
    /// The rows that a block has at once.
    pub(super) at_once: u32,
    /// The blocks that these rows need.
    pub(super) across: u32,
}

impl Blocks {
    /// A thread for each of so many columns of a row.
    pub(super) fn each(columns: usize) -> Self {
        let across = (columns.clamp(1, THREADS as usize) as u32).next_power_of_two();
        let threads = [across, THREADS / across];
        let blocks = columns.div_ceil(across as usize).clamp(1, MOST_COLUMNS);
        Self { threads, at_once: threads[1], across: blocks as u32 }
    }

    /// A block for each row.
    pub(super) const TEAM: Self = Self { threads: [THREADS, 1], at_once: 1, across: 1 };

    /// A block for each tile of a product that has so many columns.
    pub(super) fn tiles(columns: usize) -> Self {
        let across = columns.div_ceil(TILE).clamp(1, MOST_COLUMNS) as u32;
        Self { threads: [THREADS, 1], at_once: TILE as u32, across }
    }

    fn down(self, rows: usize, most: usize) -> Shape {
        let down = rows.div_ceil(self.at_once as usize).clamp(1, most);
        Shape { grid: [down as u32, self.across], block: self.threads }
    }

    /// Those for so many rows.
    pub(super) fn of(self, rows: usize) -> Shape {
        self.down(rows, MOST_ROWS)
    }

    /// Those for up to so many rows, which may be far fewer.
    pub(super) fn up_to(self, rows: usize) -> Shape {
        self.down(rows, (MOST_RECORDED / self.across as usize).max(1))
    }
}

/// A launch but for its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cue {
    pub(super) kernel: Handle,
    pub(super) blocks: Blocks,
    /// How many arguments there are.
    pub(super) arguments: usize,
}

/// A launch that was noted.
#[derive(Clone, Debug)]
pub(super) struct Noted {
    pub(super) cue: Cue,
    pub(super) rows: usize,
    /// Its arguments, among those of all.
    pub(super) words: Range<usize>,
}

/// The launches of the batches of a phase.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) launches: Vec<Noted>,
    pub(super) words: Vec<u64>,
    /// Where the launches of each batch end.
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

    /// Ends a batch: what is noted from here on is of the next.
    pub(super) fn end_batch(&mut self) {
        self.ends.push(self.launches.len());
    }
}

/// Launches, or notes.
#[derive(Debug)]
pub(super) struct Launcher {
    pub(super) driver: Arc<dyn Driver>,
    notes: RefCell<Option<Notes>>,
}

impl Launcher {
    pub(super) fn new(driver: &Arc<dyn Driver>) -> Self {
        Self { driver: Arc::clone(driver), notes: RefCell::new(None) }
    }

    /// From now on launches are noted here; or, without notes, made. Returns what was noted before.
    pub(super) fn note(&self, notes: Option<Notes>) -> Option<Notes> {
        self.notes.replace(notes)
    }

    /// Ends a batch of what is noted.
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
