//! Products with the tiles of AMX.

use std::arch::asm;

use super::panels::Panels;
use super::tile::{Destination, Left, Task};
use crate::choice::{Order, Way};
use crate::processor::{PANEL_COLUMNS, TILE_LINES};

/// The number of rows, and of columns, of a tile of sums.
const TILE_SIDE: usize = 16;

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
    /// Tiles of 16 rows, except for tiles of sums and of left sides, which have `rows` rows.
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
            sizes.rows[tile] = if tile < 6 { rows as u8 } else { TILE_LINES as u8 };
        }
        sizes
    }

    /// Sets the sizes on this thread. All tiles are zero after that.
    ///
    /// # Safety
    /// AMX must be [permitted](crate::processor::amx::is_permitted).
    unsafe fn set(&self) {
        // SAFETY: 64 bytes are read. The compiler does not know or change the tile configuration.
        unsafe { asm!("ldtilecfg [{}]", in(reg) self, options(nostack, readonly)) };
    }
}

/// Runs a product of pairs.
///
/// # Safety
/// AMX must be [permitted](crate::processor::amx::is_permitted).
pub(crate) unsafe fn multiply(
    panels: &Panels<f32>,
    task: Task<'_, f32>,
    out: &mut [Destination<'_, f32>],
    way: Way,
) {
    let (rows, all) = (task.rows, task.panels.clone());
    if let Left::Rows(left) = task.left {
        // This is checked here, since tiles are read without a check.
        assert!(task.lines.end <= left.width(), "a term of the left side for each line");
    }
    let all = || panels.in_order(all.clone(), 1).map(|panel| panel.start);
    let mut product = Product { panels, task, out };
    let whole = rows / TILE_SIDE * TILE_SIDE;
    let _released = Released;
    // SAFETY: the caller guarantees that AMX is permitted; the tiles have the sizes of the bands.
    unsafe {
        if whole > 0 {
            Sizes::of(TILE_SIDE).set();
            let mut bands = |row: usize, panel: usize| match whole - row {
                TILE_SIDE => product.band::<1>(row, TILE_SIDE, panel),
                _ => product.band::<2>(row, TILE_SIDE, panel),
            };
            let rows = (0..whole).step_by(2 * TILE_SIDE);
            match way.order {
                Order::Rows => rows.for_each(|row| all().for_each(|panel| bands(row, panel))),
                Order::Panels => {
                    all().for_each(|panel| rows.clone().for_each(|row| bands(row, panel)));
                }
            }
        }
        if whole < rows {
            Sizes::of(rows - whole).set();
            all().for_each(|panel| product.band::<1>(whole, rows - whole, panel));
        }
    }
}

/// Releases the tiles of this thread when it is dropped. It may be made only if AMX is permitted.
struct Released;

impl Drop for Released {
    fn drop(&mut self) {
        // SAFETY: AMX is permitted, since this value exists; no tile holds data that is still needed.
        unsafe { asm!("tilerelease", options(nomem, nostack)) };
    }
}

/// A product, and where its results go.
struct Product<'a, 'b, 'c> {
    panels: &'a Panels<f32>,
    task: Task<'a, f32>,
    out: &'b mut [Destination<'c, f32>],
}

impl Product<'_, '_, '_> {
    /// Computes `BANDS` times `rows` rows from `row` on in one panel.
    ///
    /// # Safety
    /// AMX must be permitted, and tiles must have `rows` rows.
    unsafe fn band<const BANDS: usize>(&mut self, row: usize, rows: usize, panel: usize) {
        let (lines, (_, columns)) = (&self.task.lines, self.panels.panels());
        assert!(
            lines.len().is_multiple_of(TILE_LINES) && columns == PANEL_COLUMNS,
            "a panel has whole tiles"
        );
        let Left::Rows(left) = self.task.left else {
            unreachable!("left sides for AMX are rows: `PairIsa::transposes_left`")
        };
        let [data] = self.panels.panels_from::<1>(panel, columns, lines);
        let first = (panel - self.task.panels.start) * columns;
        let count = columns.min(self.panels.width - panel * columns);
        // The rows of a tile must be equally far apart. The rows of a left side in 16 bits are.
        let rows_of =
            |band: usize| left.columns(row + band * rows..row + (band + 1) * rows, lines.start);
        let terms = TermsOfTiles {
            sides: [rows_of(0).as_ptr(), rows_of(BANDS - 1).as_ptr()],
            stride: left.step(),
            panel: data.as_ptr(),
            steps: lines.len() / TILE_LINES,
        };
        let add = self.task.add;
        let out = self.out.iter().find(|out| count == columns && out.has(first, count));
        let out = out.map(|out| (out.begin(row, BANDS * rows, first), add || out.is_added()));
        // SAFETY: at the sides begin `rows` rows with an element for each line, and the panel has these lines.
        // The destination has all columns of these rows, and no other code uses them. The sums have room for
        // them.
        unsafe {
            if let Some(((begin, stride), false)) = out {
                return terms.sum::<BANDS>([begin, begin.add((BANDS - 1) * rows * stride)], stride);
            }
            let mut sums = [0.0_f32; 2 * TILE_SIDE * PANEL_COLUMNS];
            let to = sums.as_mut_ptr();
            terms.sum::<BANDS>([to, to.add((BANDS - 1) * rows * PANEL_COLUMNS)], PANEL_COLUMNS);
            let sums = &sums[..BANDS * rows * PANEL_COLUMNS];
            match out {
                // Elements are added to the result only after they are summed, as in all products.
                Some(((begin, stride), _)) => add_to(begin, stride, sums),
                None => {
                    for (r, line) in sums.chunks_exact(PANEL_COLUMNS).enumerate() {
                        for out in self.out.iter_mut() {
                            out.put(row + r, first, &line[..count], add);
                        }
                    }
                }
            }
        }
    }
}

/// Adds rows of sums to the contents of memory, with `stride` elements from row to row.
///
/// # Safety
/// These elements must be writable, and the machine must have AVX-512F; all machines with AMX have it.
#[target_feature(enable = "avx512f")]
unsafe fn add_to(begin: *mut f32, stride: usize, sums: &[f32]) {
    for (row, line) in sums.chunks_exact(PANEL_COLUMNS).enumerate() {
        for (column, sum) in line.iter().enumerate() {
            // SAFETY: guaranteed by the caller.
            unsafe { *begin.add(row * stride + column) += sum };
        }
    }
}

/// The terms of the sums of one or two tiles of rows, in two tiles of columns.
struct TermsOfTiles {
    /// The first elements of both tiles of the left side; below, the number of elements from row to row.
    sides: [*const f32; 2],
    stride: usize,
    panel: *const f32,
    /// How many tiles follow one another along the terms.
    steps: usize,
}

impl TermsOfTiles {
    /// Sums the terms. There are two texts of assembly, since a text cannot depend on a constant. The tiles of
    /// sums have `stride` elements from row to row.
    ///
    /// # Safety
    /// AMX must be permitted. All elements must be readable, and the elements of sums writable, for tiles of
    /// the size that is set.
    unsafe fn sum<const BANDS: usize>(&self, sums: [*mut f32; 2], stride: usize) {
        // Long, since it has two texts of assembly, and no part of them can be moved out.
        /// The bytes of one tile in a row of the left side; below, the bytes of one tile's lines in a panel.
        const LEFT_BYTES: usize = TILE_LINES * size_of::<f32>();
        const PANEL_BYTES: usize = TILE_LINES * PANEL_COLUMNS * size_of::<f32>();
        let bytes = size_of::<f32>();
        // SAFETY: guaranteed by the caller; no tile is used outside of the assembly.
        unsafe {
            if BANDS == 1 {
                asm!(
                    "tilezero tmm0",
                    "tilezero tmm1",
                    "test {steps}, {steps}",
                    "jz 3f",
                    "2:",
                    "tileloadd tmm4, [{left} + {of_left}]",
                    "tileloadd tmm6, [{panel} + {of_panel}]",
                    "tileloadd tmm7, [{panel} + {of_panel} + 64]",
                    "tdpbf16ps tmm0, tmm4, tmm6",
                    "tdpbf16ps tmm1, tmm4, tmm7",
                    "add {left}, {LEFT_BYTES}",
                    "add {panel}, {PANEL_BYTES}",
                    "dec {steps}",
                    "jnz 2b",
                    "3:",
                    "tilestored [{out} + {of_out}], tmm0",
                    "tilestored [{out} + {of_out} + 64], tmm1",
                    left = inout(reg) self.sides[0] => _,
                    of_left = in(reg) self.stride * bytes,
                    panel = inout(reg) self.panel => _,
                    of_panel = in(reg) PANEL_COLUMNS * bytes,
                    steps = inout(reg) self.steps => _,
                    out = in(reg) sums[0],
                    of_out = in(reg) stride * bytes,
                    LEFT_BYTES = const LEFT_BYTES,
                    PANEL_BYTES = const PANEL_BYTES,
                    out("tmm0") _, out("tmm1") _, out("tmm4") _, out("tmm6") _, out("tmm7") _,
                    options(nostack),
                );
            } else {
                asm!(
                    "tilezero tmm0",
                    "tilezero tmm1",
                    "tilezero tmm2",
                    "tilezero tmm3",
                    "test {steps}, {steps}",
                    "jz 3f",
                    "2:",
                    "tileloadd tmm4, [{left} + {of_left}]",
                    "tileloadd tmm6, [{panel} + {of_panel}]",
                    "tileloadd tmm7, [{panel} + {of_panel} + 64]",
                    "tileloadd tmm5, [{other} + {of_left}]",
                    "tdpbf16ps tmm0, tmm4, tmm6",
                    "tdpbf16ps tmm1, tmm4, tmm7",
                    "tdpbf16ps tmm2, tmm5, tmm6",
                    "tdpbf16ps tmm3, tmm5, tmm7",
                    "add {left}, {LEFT_BYTES}",
                    "add {other}, {LEFT_BYTES}",
                    "add {panel}, {PANEL_BYTES}",
                    "dec {steps}",
                    "jnz 2b",
                    "3:",
                    "tilestored [{out} + {of_out}], tmm0",
                    "tilestored [{out} + {of_out} + 64], tmm1",
                    "tilestored [{below} + {of_out}], tmm2",
                    "tilestored [{below} + {of_out} + 64], tmm3",
                    left = inout(reg) self.sides[0] => _,
                    other = inout(reg) self.sides[1] => _,
                    of_left = in(reg) self.stride * bytes,
                    panel = inout(reg) self.panel => _,
                    of_panel = in(reg) PANEL_COLUMNS * bytes,
                    steps = inout(reg) self.steps => _,
                    out = in(reg) sums[0],
                    below = in(reg) sums[1],
                    of_out = in(reg) stride * bytes,
                    LEFT_BYTES = const LEFT_BYTES,
                    PANEL_BYTES = const PANEL_BYTES,
                    out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
                    out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
                    options(nostack),
                );
            }
        }
    }
}
