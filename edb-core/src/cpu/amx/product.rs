//! Products by the tiles of AMX.

use std::arch::asm;

use super::{COLUMNS, LINES};
use crate::cpu::panels::Panels;
use crate::cpu::tile::{Destination, Left, Task};
use crate::cpu::tune::{Order, Way};

/// The rows and columns of a tile of sums.
const SIDE: usize = 16;

/// The bytes of a row of a tile.
const ROW_BYTES: usize = 64;

/// The sizes of the tile registers, as `ldtilecfg` reads them.
#[repr(C, align(64))]
struct Sizes {
    palette: u8,
    start_row: u8,
    reserved: [u8; 14],
    bytes_of_row: [u16; 16],
    rows: [u8; 16],
}

impl Sizes {
    /// Tiles of 16 rows, except for those of sums and of left sides, which have `rows`.
    fn of(rows: usize) -> Self {
        let mut sizes = Self {
            palette: 1,
            start_row: 0,
            reserved: [0; 14],
            bytes_of_row: [0; 16],
            rows: [0; 16],
        };
        for tile in 0..8 {
            sizes.bytes_of_row[tile] = ROW_BYTES as u16;
            sizes.rows[tile] = if tile < 6 { rows as u8 } else { LINES as u8 };
        }
        sizes
    }

    /// Sets the sizes on this thread; all tiles are zero then.
    ///
    /// # Safety
    /// AMX must be [permitted](super::is_permitted).
    unsafe fn set(&self) {
        // SAFETY: 64 bytes are read. Tile registers are used in this file only, and never hold
        // anything between two blocks of assembly.
        unsafe { asm!("ldtilecfg [{}]", in(reg) self, options(nostack, readonly)) };
    }
}

/// Runs a product of pairs.
///
/// # Safety
/// AMX must be [permitted](super::is_permitted).
pub(in crate::cpu) unsafe fn multiply(
    panels: &Panels<f32>,
    task: Task<'_, f32>,
    out: &mut [Destination<'_, f32>],
    way: Way,
) {
    let (rows, all) = (task.rows, task.panels.clone());
    let mut product = Product { panels, task, out };
    let whole = rows / SIDE * SIDE;
    // SAFETY: AMX is permitted, as the caller guarantees; the tiles have the sizes of the bands.
    unsafe {
        if whole > 0 {
            Sizes::of(SIDE).set();
            let mut bands = |row: usize, panel: usize| match whole - row {
                SIDE => product.band::<1>(row, SIDE, panel),
                _ => product.band::<2>(row, SIDE, panel),
            };
            let rows = (0..whole).step_by(2 * SIDE);
            match way.order {
                Order::Rows => rows.for_each(|row| all.clone().for_each(|panel| bands(row, panel))),
                Order::Panels => {
                    all.clone().for_each(|panel| rows.clone().for_each(|row| bands(row, panel)));
                }
            }
        }
        if whole < rows {
            Sizes::of(rows - whole).set();
            all.for_each(|panel| product.band::<1>(whole, rows - whole, panel));
        }
        asm!("tilerelease", options(nomem, nostack));
    }
}

/// A product and where its results go.
struct Product<'a, 'b, 'c> {
    panels: &'a Panels<f32>,
    task: Task<'a, f32>,
    out: &'b mut [Destination<'c, f32>],
}

impl Product<'_, '_, '_> {
    /// Computes `BANDS` times `rows` rows from `row` on in one panel.
    ///
    /// # Safety
    /// AMX must be permitted, and tiles must have so many rows.
    unsafe fn band<const BANDS: usize>(&mut self, row: usize, rows: usize, panel: usize) {
        let (lines, (_, columns)) = (self.panels.inner(), self.panels.panels());
        assert!(lines.is_multiple_of(LINES) && columns == COLUMNS, "a panel has whole tiles");
        let Left::Rows(left) = self.task.left else {
            unreachable!("left sides for AMX are rows: `PairIsa::is_turned`")
        };
        let [data] = self.panels.panels_from::<1>(panel, columns);
        let first = (panel - self.task.panels.start) * columns;
        let count = columns.min(self.panels.width - panel * columns);
        // The rows of a tile are equally far apart, as those of a left side in 16 bits are.
        let rows_of = |band: usize| left.columns(row + band * rows..row + (band + 1) * rows, 0);
        let terms = Terms {
            sides: [rows_of(0).as_ptr(), rows_of(BANDS - 1).as_ptr()],
            stride: left.step(),
            panel: data.as_ptr(),
            steps: lines / LINES,
        };
        let (row_of, add) = (row, self.task.add);
        let direct =
            if count == columns { self.out.iter().find(|out| out.has(first, count)) } else { None };
        // SAFETY: from the sides on there are `rows` rows of `lines` elements, and in the panel
        // `lines` lines; the destination has all columns of these rows, and no other code uses
        // them.
        unsafe {
            if let Some(out) = direct {
                let (begin, stride) = out.begin(row_of, BANDS * rows, first);
                let sums = [begin, begin.add((BANDS - 1) * rows * stride)];
                terms.sum::<BANDS>(sums, stride, add || out.is_added());
                return;
            }
            let mut sums = [0.0_f32; 2 * SIDE * COLUMNS];
            let begin = sums.as_mut_ptr();
            terms.sum::<BANDS>([begin, begin.add((BANDS - 1) * rows * COLUMNS)], COLUMNS, false);
            for (r, line) in sums.chunks_exact(COLUMNS).take(BANDS * rows).enumerate() {
                for out in self.out.iter_mut() {
                    out.put(row + r, first, &line[..count], add);
                }
            }
        }
    }
}

/// The terms of the sums of one or two tiles of rows, in two tiles of columns.
struct Terms {
    /// The first elements of both tiles of the left side, and the elements from row to row.
    sides: [*const f32; 2],
    stride: usize,
    panel: *const f32,
    /// How many tiles there are one behind the other.
    steps: usize,
}

impl Terms {
    /// Sums them, or adds them to what the sums are if `add`: each tile has `stride` elements from
    /// row to row.
    ///
    /// # Safety
    /// AMX must be permitted; all elements must be readable, and those of sums writable, for tiles
    /// of the size that is set.
    unsafe fn sum<const BANDS: usize>(&self, sums: [*mut f32; 2], stride: usize, add: bool) {
        let [first, second] = sums;
        let stride = stride * size_of::<f32>();
        let (of_left, of_panel) = (self.stride * size_of::<f32>(), COLUMNS * size_of::<f32>());
        let [left, other] = self.sides;
        // SAFETY: tile registers are used in this file only, and the compiler does not know of
        // them, so they keep their contents from one block of assembly to the next. What is read
        // and written is guaranteed by the caller.
        unsafe {
            if !add {
                asm!(
                    "tilezero tmm0",
                    "tilezero tmm1",
                    "tilezero tmm2",
                    "tilezero tmm3",
                    options(nomem, nostack)
                );
            } else {
                asm!("tileloadd tmm0, [{c} + {s}]", "tileloadd tmm1, [{c} + {s} + 64]",
                    c = in(reg) first, s = in(reg) stride, options(readonly, nostack));
                if BANDS == 2 {
                    asm!("tileloadd tmm2, [{c} + {s}]", "tileloadd tmm3, [{c} + {s} + 64]",
                        c = in(reg) second, s = in(reg) stride, options(readonly, nostack));
                }
            }
            for step in 0..self.steps {
                let left = left.add(step * LINES);
                let panel = self.panel.add(step * LINES * COLUMNS);
                asm!(
                    "tileloadd tmm4, [{a} + {la}]",
                    "tileloadd tmm6, [{b} + {lb}]",
                    "tileloadd tmm7, [{b} + {lb} + 64]",
                    "tdpbf16ps tmm0, tmm4, tmm6",
                    "tdpbf16ps tmm1, tmm4, tmm7",
                    a = in(reg) left, la = in(reg) of_left,
                    b = in(reg) panel, lb = in(reg) of_panel,
                    options(readonly, nostack),
                );
                if BANDS == 2 {
                    asm!(
                        "tileloadd tmm5, [{a} + {la}]",
                        "tdpbf16ps tmm2, tmm5, tmm6",
                        "tdpbf16ps tmm3, tmm5, tmm7",
                        a = in(reg) other.add(step * LINES), la = in(reg) of_left,
                        options(readonly, nostack),
                    );
                }
            }
            asm!("tilestored [{c} + {s}], tmm0", "tilestored [{c} + {s} + 64], tmm1",
                c = in(reg) first, s = in(reg) stride, options(nostack));
            if BANDS == 2 {
                asm!("tilestored [{c} + {s}], tmm2", "tilestored [{c} + {s} + 64], tmm3",
                    c = in(reg) second, s = in(reg) stride, options(nostack));
            }
        }
    }
}
