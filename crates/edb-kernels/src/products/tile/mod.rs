//! The inner loops of products with packed matrices: tiles of the result, in registers.
//!
//! The shape of a tile and the order of tiles are chosen (`tune`) for each machine. Neither changes a bit of
//! the result: every element is one sum, from the first line to the last.
//!
//! If the left side consists of columns, the elements of a column are as far apart as the rows of a matrix. If
//! this distance is a multiple of 1 KiB or more, all of these elements belong into the same few places of the
//! level-1 cache, and drive one another out. So they are copied, a block of rows at a time, in the order in
//! which tiles read them.

mod sides;

use std::mem::MaybeUninit;
use std::ops::Range;

use sides::{Beginnings, Held, MAX_BLOCK_ROWS};
pub use sides::{Destination, Left};

use super::panels::{MAX_PANEL_COLUMNS, Panels};
use crate::choice::{Order, TileShape, WIDE_ROWS, Way};
use crate::memory::scratch;
use crate::numbers::Element;
use crate::processor::{Loop, TALL_REGISTERS, Vector};

/// The number of rows of a [tall](TileShape::Tall) tile, which is one panel wide.
const TALL_ROWS: usize = 12;

/// The number of rows of a tile with more than one row, if there are [few shapes](Vector::FEW_SHAPES).
const FEW_SHAPES_ROWS: usize = 4;

/// The greatest number of panels of a tile.
const MAX_TILE_PANELS: usize = 4;

/// The most elements of the left side that are copied for a block. They stay in the level-2 cache while all
/// panels are multiplied with them.
const MAX_COPIED_ELEMENTS: usize = 1 << 15;

/// Columns are copied if there are at least this many panels, since copying takes about half as long as
/// multiplying with one panel.
const MIN_PANELS_TO_COPY: usize = 12;

/// The sums of a tile: `R` rows in each of `P` panels of `VECTORS` registers.
type Tile<V, const R: usize, const P: usize, const VECTORS: usize> = [[[V; VECTORS]; P]; R];

/// A product with the panels of a matrix.
#[derive(Clone)]
pub(crate) struct Task<'a, T> {
    /// The panels; the result has only their columns.
    pub(crate) panels: Range<usize>,
    /// The lines of the panels, that is, the terms of the sums.
    pub(crate) lines: Range<usize>,
    pub(crate) rows: usize,
    pub(crate) left: Left<'a, T>,
    /// Whether the product is added to the present contents of the result.
    pub(crate) add: bool,
}

/// A product of rows with some panels, whose lines are `VECTORS` registers wide.
///
/// This generic code is compiled for each element type, instruction set and width of a panel. So it does not
/// look up where rows come from and go to; this is done once for tiles that lie side by side.
pub(crate) struct Multiply<'a, 'b, T, V, const VECTORS: usize> {
    pub(crate) panels: &'a Panels<T>,
    pub(crate) task: Task<'a, T>,
    pub(crate) out: &'a mut [Destination<'b, T>],
    pub(crate) way: Way,
    /// The type of the registers. The instruction set with which this runs must have them.
    pub(crate) registers: std::marker::PhantomData<V>,
}

impl<T: Element, V: Vector<T>, const VECTORS: usize> Loop for Multiply<'_, '_, T, V, VECTORS> {
    #[inline(always)]
    fn run<const FMA: bool>(mut self) {
        let mut block = Block::new();
        let mut memory = self.copies().then(scratch::take);
        let mut row = 0;
        while row < self.task.rows {
            let rows = self.block_rows(self.task.rows - row);
            self.begin(&mut block, row..row + rows, memory.as_mut());
            self.block::<FMA>(&mut block);
            row += rows;
        }
        if let Some(memory) = memory {
            scratch::keep(memory);
        }
    }
}

/// Some rows of a product. They are looked up once for all tiles of the block.
struct Block<T> {
    rows: Range<usize>,
    /// Where the rows of the left side begin; their elements are `step` apart.
    left: Beginnings<*const T>,
    step: usize,
    /// The [copy](Multiply::copy) of the left side, or null if there is none.
    copy: *const T,
    /// The destination in use.
    held: Held<T>,
    /// The sums of a tile whose columns are padded, or belong to several destinations.
    rim: [[MaybeUninit<T>; MAX_PANEL_COLUMNS]; TALL_ROWS],
}

impl<T: Copy> Block<T> {
    fn new() -> Self {
        Self {
            rows: 0..0,
            left: Beginnings::new(),
            step: 0,
            copy: std::ptr::null(),
            held: Held::new(),
            rim: [[const { MaybeUninit::uninit() }; MAX_PANEL_COLUMNS]; TALL_ROWS],
        }
    }

    /// The rim as the place for a tile of `R` rows and one panel.
    #[inline(always)]
    fn rim_of_tile<const R: usize>(&mut self) -> [*mut T; R] {
        let mut lines = [std::ptr::null_mut(); R];
        for r in 0..R {
            lines[r] = self.rim[r].as_mut_ptr().cast();
        }
        lines
    }
}

impl<T: Element, V: Vector<T>, const VECTORS: usize> Multiply<'_, '_, T, V, VECTORS> {
    /// Whether tiles are tall if there are enough rows.
    #[inline(always)]
    fn is_tall(&self) -> bool {
        (const { V::COUNT >= TALL_REGISTERS && !V::FEW_SHAPES })
            && self.way.shape == TileShape::Tall
    }

    /// The rows of the next tile, where so many are left.
    #[inline(always)]
    fn tile_rows(&self, rows: usize) -> usize {
        match const { V::FEW_SHAPES } {
            true if rows < FEW_SHAPES_ROWS => rows.min(1),
            true => FEW_SHAPES_ROWS,
            false => tile_rows(rows, self.is_tall()),
        }
    }

    /// The number of terms of each sum.
    #[inline(always)]
    fn terms(&self) -> usize {
        self.task.lines.len() * V::TERMS
    }

    /// Whether the left side is copied.
    fn copies(&self) -> bool {
        matches!(self.task.left, Left::Columns { .. })
            && self.task.panels.len() >= MIN_PANELS_TO_COPY
            && self.terms() <= MAX_COPIED_ELEMENTS / TALL_ROWS
    }

    /// The number of rows of the next block, if this many rows are left.
    fn block_rows(&self, rows: usize) -> usize {
        let most = match self.way.order {
            Order::Rows => return self.tile_rows(rows),
            Order::Panels if self.copies() => {
                MAX_COPIED_ELEMENTS / self.terms().max(1) / TALL_ROWS * TALL_ROWS
            }
            Order::Panels => MAX_BLOCK_ROWS,
        };
        // Blocks have about equal size, since a block of few rows would read all panels for these rows alone.
        let blocks = rows.div_ceil(most.min(MAX_BLOCK_ROWS));
        rows.div_ceil(blocks).next_multiple_of(TALL_ROWS).min(rows)
    }

    /// Looks up the rows of a block, and copies their elements of the left side if there is memory for this.
    #[inline(never)]
    fn begin(&self, block: &mut Block<T>, rows: Range<usize>, memory: Option<&mut Vec<T>>) {
        assert!(rows.len() <= MAX_BLOCK_ROWS, "there is room for the rows of a block");
        let first = self.task.lines.start * V::TERMS;
        let terms = first..first + self.terms();
        block.step = self.task.left.begin(rows.clone(), terms, &mut block.left);
        block.held.columns = 0..0;
        block.rows = rows;
        if let Some(memory) = memory {
            block.copy = self.copy(block, memory).as_ptr();
        }
    }

    /// Copies a block's columns of the left side, tile by tile, and within a tile term by term.
    fn copy<'m>(&self, block: &Block<T>, memory: &'m mut Vec<T>) -> &'m [T] {
        let (rows, terms) = (block.rows.len(), self.terms());
        let copy = scratch::aligned(memory, rows * terms);
        let mut row = 0;
        while row < rows {
            let count = self.tile_rows(rows - row);
            let to = copy[row * terms..][..count * terms].as_mut_ptr();
            // SAFETY: the rows of the block are side by side in each line of the left side, there is a line for
            // each term, and the copy has room for all of them.
            unsafe {
                let from = block.left.get(row);
                match count {
                    TALL_ROWS => copy_lines(from, block.step, to, terms, TALL_ROWS),
                    WIDE_ROWS => copy_lines(from, block.step, to, terms, WIDE_ROWS),
                    _ => copy_lines(from, block.step, to, terms, count),
                }
            }
            row += count;
        }
        copy
    }

    /// Computes the rows of a block.
    #[inline(always)]
    fn block<const FMA: bool>(&mut self, block: &mut Block<T>) {
        let all = self.task.panels.len().max(1);
        let (together, at_once) = match self.way.order {
            Order::Rows if self.panels.is_turned() => (all, MAX_TILE_PANELS),
            Order::Rows => (all, all),
            Order::Panels => const { if V::COUNT < TALL_REGISTERS { (1, 1) } else { (2, 2) } },
        };
        for panels in self.panels.in_order(self.task.panels.clone(), together) {
            let mut row = 0;
            while row < block.rows.len() {
                let rows = self.tile_rows(block.rows.len() - row);
                for panels in self.panels.in_order(panels.clone(), at_once) {
                    self.rows::<FMA>(block, row, rows, panels);
                }
                row += rows;
            }
        }
    }

    /// Computes the rows of a tile, from `row` of the block on, in the columns of some panels. The fewer rows
    /// there are, the more panels are read at a time: a sum takes several cycles until it is ready for the next
    /// term, so about eight registers of sums are needed to keep the multipliers busy.
    #[inline(always)]
    fn rows<const FMA: bool>(
        &mut self,
        block: &mut Block<T>,
        row: usize,
        rows: usize,
        panels: Range<usize>,
    ) {
        if const { V::FEW_SHAPES } {
            match rows {
                1 => self.band::<FMA, 1, MAX_TILE_PANELS>(block, row, panels),
                _ => self.band::<FMA, FEW_SHAPES_ROWS, 1>(block, row, panels),
            }
        } else if const { V::COUNT < TALL_REGISTERS } {
            match rows {
                1 => self.band::<FMA, 1, MAX_TILE_PANELS>(block, row, panels),
                2 => self.band::<FMA, 2, 2>(block, row, panels),
                3 => self.band::<FMA, 3, 1>(block, row, panels),
                4 => self.band::<FMA, 4, 1>(block, row, panels),
                5 => self.band::<FMA, 5, 1>(block, row, panels),
                _ => self.band::<FMA, WIDE_ROWS, 1>(block, row, panels),
            }
        } else {
            match rows {
                1 => self.band::<FMA, 1, MAX_TILE_PANELS>(block, row, panels),
                2 => self.band::<FMA, 2, 2>(block, row, panels),
                3 => self.band::<FMA, 3, 2>(block, row, panels),
                4 => self.band::<FMA, 4, 2>(block, row, panels),
                5 => self.band::<FMA, 5, 2>(block, row, panels),
                WIDE_ROWS => self.band::<FMA, WIDE_ROWS, 2>(block, row, panels),
                _ => self.band::<FMA, TALL_ROWS, 1>(block, row, panels),
            }
        }
    }

    /// Computes `R` rows of the result, from `row` of the block on, in the columns of some panels. Tiles have
    /// `P` panels, or one panel if the columns of `P` panels are not in one destination.
    #[inline(always)]
    fn band<const FMA: bool, const R: usize, const P: usize>(
        &mut self,
        block: &mut Block<T>,
        row: usize,
        panels: Range<usize>,
    ) {
        let columns = VECTORS * V::LANES;
        let mut sides = [std::ptr::null(); R];
        let mut step = block.step;
        // SAFETY: the block has `R` rows from `row` on, which are set, and its copy has them, too.
        unsafe {
            if block.copy.is_null() {
                for r in 0..R {
                    sides[r] = block.left.get(row + r);
                }
            } else {
                for r in 0..R {
                    sides[r] = block.copy.add(row * self.terms() + r);
                }
                step = R;
            }
        }
        let mut panel = panels.start;
        while panel < panels.end {
            let first = (panel - self.task.panels.start) * columns;
            let together = if panels.end - panel >= P { P } else { 1 };
            let count = (together * columns).min(self.panels.width - panel * columns);
            if !block.held.holds(first, count) {
                self.hold(block, first, count);
            }
            if const { P > 1 }
                && together == P
                && count == P * columns
                && block.held.holds(first, count)
            {
                let out = self.out_of_tile::<R>(block, row, first);
                self.tile::<FMA, R, P>(sides, step, panel, out, self.task.add || block.held.added);
                panel += P;
                continue;
            }
            let count = columns.min(count);
            if !block.held.holds(first, count) {
                self.hold(block, first, count);
            }
            // One call for both cases, since it is inlined, and the sums are most of the code.
            let whole = count == columns && block.held.holds(first, count);
            let out = match whole {
                true => self.out_of_tile::<R>(block, row, first),
                false => block.rim_of_tile::<R>(),
            };
            let add = whole && (self.task.add || block.held.added);
            self.tile::<FMA, R, 1>(sides, step, panel, out, add);
            if !whole {
                self.put(block, row..row + R, first, count);
            }
            panel += 1;
        }
    }

    /// Where the sums of a tile's rows go, from `row` of the block on. The column `first` must be held.
    #[inline(always)]
    fn out_of_tile<const R: usize>(
        &self,
        block: &Block<T>,
        row: usize,
        first: usize,
    ) -> [*mut T; R] {
        let mut lines = [std::ptr::null_mut(); R];
        for r in 0..R {
            // SAFETY: the column is held, and the block has `R` rows from `row` on.
            lines[r] = unsafe { block.held.at(row + r, first) };
        }
        lines
    }

    /// Computes a tile. Writes each row of it to its place in `out`, or adds it to the contents there.
    #[inline(always)]
    fn tile<const FMA: bool, const R: usize, const P: usize>(
        &self,
        sides: [*const T; R],
        step: usize,
        panel: usize,
        out: [*mut T; R],
        add: bool,
    ) {
        let columns = VECTORS * V::LANES;
        let panels = self.panels.panels_from::<P>(panel, columns, &self.task.lines);
        // SAFETY: at each of `sides` begin as many elements, `step` apart, as the lines of a panel have terms;
        // `run_on` or `run_paired_on` has chosen the registers of the instruction set with which this runs.
        let sums = unsafe { sum_products::<T, V, FMA, R, P, VECTORS>(sides, step, panels) };
        for r in 0..R {
            for p in 0..P {
                for v in 0..VECTORS {
                    // SAFETY: at each of `out` there is room for a row of the tile; for the registers, see
                    // above.
                    unsafe {
                        let out = out[r].add(p * columns + v * V::LANES);
                        let sum = sums[r][p][v];
                        let sum = if add { V::load(out).plus(sum) } else { sum };
                        sum.store(out);
                    }
                }
            }
        }
    }

    /// Looks up the block's rows of the destination that has all of these columns, if there is one.
    #[inline(never)]
    fn hold(&self, block: &mut Block<T>, first: usize, count: usize) {
        if let Some(out) = self.out.iter().find(|out| out.has(first, count)) {
            out.hold(block.rows.clone(), &mut block.held);
        }
    }

    /// Writes the sums in the rim to the destinations of their columns. The rim has the sums of some rows of
    /// the block.
    #[inline(never)]
    fn put(&mut self, block: &Block<T>, rows: Range<usize>, first: usize, count: usize) {
        let add = self.task.add;
        for (row, line) in rows.zip(&block.rim) {
            // SAFETY: a tile has just been computed into the rim. It has a panel's columns of each of its rows,
            // and these are the first of them.
            let line = unsafe { line[..count].assume_init_ref() };
            match block.held.holds(first, count) {
                // SAFETY: the columns are held, and the block has the row.
                true => unsafe { block.held.put(row, first, line, add || block.held.added) },
                false => {
                    let row = block.rows.start + row;
                    self.out.iter_mut().for_each(|out| out.put(row, first, line, add));
                }
            }
        }
    }
}

/// The number of rows of the next tile, if this many rows are left. Fewer than four rows do not keep the
/// multipliers busy, so the last two tiles share the rows that are left.
fn tile_rows(rows: usize, tall: bool) -> usize {
    match rows {
        TALL_ROWS | 16.. if tall => TALL_ROWS,
        7 | 8 => 4,
        9 => 5,
        _ => rows.min(WIDE_ROWS),
    }
}

/// Copies `count` elements of each of some lines, which are `step` apart. It is inlined, so that the copy takes
/// few instructions if `count` is known at compile time.
///
/// # Safety
/// The elements must be readable, and as many elements must be writable from `to` on.
#[inline(always)]
unsafe fn copy_lines<T>(from: *const T, step: usize, to: *mut T, lines: usize, count: usize) {
    for line in 0..lines {
        // SAFETY: guaranteed by the caller.
        unsafe {
            std::ptr::copy_nonoverlapping(from.add(line * step), to.add(line * count), count);
        }
    }
}

/// The sums of a tile over the lines of its panels. Term `k` of a panel is multiplied with the elements `k *
/// step` after `sides`. Bounds are not checked, since with a check in the loop LLVM stores the sums in every
/// iteration, which takes four times as long.
///
/// # Safety
/// At each of `sides` must begin as many readable elements, `step` apart, as the lines of the panels have
/// terms. The panels must be equally long, and the machine must have the registers `V`.
#[inline(always)]
unsafe fn sum_products<
    T: Element,
    V: Vector<T>,
    const FMA: bool,
    const R: usize,
    const P: usize,
    const VECTORS: usize,
>(
    sides: [*const T; R],
    step: usize,
    panels: [&[T]; P],
) -> Tile<V, R, P, VECTORS> {
    let columns = VECTORS * V::LANES;
    // SAFETY: the panels have this many lines, and the sides have this many terms; the caller guarantees the
    // rest.
    unsafe {
        let mut sums = [[[V::zero(); VECTORS]; P]; R];
        for k in 0..panels[0].len() / columns {
            for term in 0..V::TERMS {
                let mut line = [[V::zero(); VECTORS]; P];
                for p in 0..P {
                    for v in 0..VECTORS {
                        let from = panels[p].as_ptr().add(k * columns + v * V::LANES);
                        line[p][v] = V::load(from).term(term);
                    }
                }
                for r in 0..R {
                    let a = *sides[r].add((k * V::TERMS + term) * step);
                    for p in 0..P {
                        for v in 0..VECTORS {
                            sums[r][p][v] = sums[r][p][v].plus_product::<FMA>(a, line[p][v]);
                        }
                    }
                }
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tiles of a block cover its rows, and only few rows are in tiles that do not keep the multipliers
    /// busy.
    #[test]
    fn tiles_cover_all_rows() {
        for tall in [false, true] {
            for rows in 1..=MAX_BLOCK_ROWS {
                let mut left = rows;
                while left > 0 {
                    let tile = tile_rows(left, tall);
                    assert!(tile > 0 && tile <= left, "{tile} of {left}");
                    assert!(tile >= 3 || rows < 3, "{tile} of {rows} rows");
                    assert!(
                        tile <= WIDE_ROWS || tall && tile == TALL_ROWS,
                        "a tile there is code for"
                    );
                    left -= tile;
                }
            }
        }
    }
}
