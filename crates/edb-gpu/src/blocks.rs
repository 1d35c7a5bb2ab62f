//! How the work of a launch is divided into blocks of threads.

use crate::driver::LaunchShape;

/// The threads of a block, unless a kernel needs others.
pub(crate) const THREADS: u32 = 128;
/// The rows of a small tile of a product, which is what launches count blocks by.
pub(crate) const TILE_ROWS: usize = 32;
/// Its columns.
pub(crate) const TILE_COLUMNS: usize = 16;
/// The maximum blocks across rows: if there are more rows, each block processes several.
const MOST_ROWS: usize = 1 << 20;
/// The maximum blocks across columns: GPUs limit this grid dimension to 16 bits.
const MOST_COLUMNS: usize = 65_535;
/// The maximum blocks of a recorded launch, enough to fill a GPU; an idle launch starts as many.
const MOST_RECORDED: usize = 2048;

/// How rows are divided into blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// The threads of a block: across columns, across rows.
    pub threads: [u32; 2],
    /// The rows that a block processes at once.
    pub at_once: u32,
    /// The blocks across the columns of these rows.
    pub across: u32,
}

impl Blocks {
    fn down(self, rows: usize, most: usize) -> LaunchShape {
        let down = rows.div_ceil(self.at_once as usize).clamp(1, most);
        LaunchShape { grid: [down as u32, self.across], block: self.threads }
    }

    /// The launch shape for `rows` rows.
    pub(crate) fn shape(self, rows: usize) -> LaunchShape {
        self.down(rows, MOST_ROWS)
    }

    /// The launch shape for at most `rows` rows, possibly far fewer.
    pub(crate) fn shape_up_to(self, rows: usize) -> LaunchShape {
        self.down(rows, (MOST_RECORDED / self.across as usize).max(1))
    }
}

/// The work of a launch: so many rows, and how they are divided. Without rows there is no launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) blocks: Blocks,
    pub(crate) rows: usize,
}

impl Grid {
    /// A thread for each element of `rows` rows.
    pub(crate) fn elements(rows: usize, columns: usize) -> Self {
        let across = (columns.clamp(1, THREADS as usize) as u32).next_power_of_two();
        let threads = [across, THREADS / across];
        let blocks = columns.div_ceil(across as usize).clamp(1, MOST_COLUMNS);
        let blocks = Blocks { threads, at_once: threads[1], across: blocks as u32 };
        Self { blocks, rows: if columns == 0 { 0 } else { rows } }
    }

    /// A block for each row.
    pub(crate) fn teams(rows: usize) -> Self {
        Self { blocks: Blocks { threads: [THREADS, 1], at_once: 1, across: 1 }, rows }
    }

    /// A block for each tile of a product.
    pub(crate) fn tiles(rows: usize, columns: usize) -> Self {
        let across = columns.div_ceil(TILE_COLUMNS).clamp(1, MOST_COLUMNS) as u32;
        let blocks = Blocks { threads: [THREADS, 1], at_once: TILE_ROWS as u32, across };
        Self { blocks, rows }
    }
}
