//! Tests that public functions are safe with any numbers: they panic if the numbers fit no memory.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::in_place::{InPlace, StoredBlock};
use crate::memory::{Memory, Operand, OperandMut};
use crate::numbers::Element;
use crate::processor::Isa;
use crate::products::{Destination, Left, PackedPart, Panels, left_of_columns};
use crate::rows::{KernelRows, RowKernel, fused};

/// Three times this number wraps around to 1. So if rows are this wide and places wrap around, rows 0 and 3 are
/// side by side.
const WRAPS: usize = 0xAAAA_AAAA_AAAA_AAAB;

/// Checks that a call refuses its arguments by a panic of its own, not by an overflow check of a debug build.
fn refused(why: &str, what: impl FnOnce()) {
    let panic = catch_unwind(AssertUnwindSafe(what)).expect_err(why);
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default();
    assert!(text.contains(why), "{text} instead of {why}");
}

/// `2 x`, and a second output.
struct Twice;

impl RowKernel<2, 1> for Twice {
    const SCALARS: [bool; 1] = [false];

    fn row<T: Element, const FMA: bool>([out, other]: [&mut [T]; 2], [x]: [&[T]; 1]) {
        for element in 0..out.len() {
            (out[element], other[element]) = (x[element] + x[element], x[element]);
        }
    }
}

/// Only outputs.
struct Ones;

impl RowKernel<2, 0> for Ones {
    const SCALARS: [bool; 0] = [];

    fn row<T: Element, const FMA: bool>(outputs: [&mut [T]; 2], []: [&[T]; 0]) {
        outputs.into_iter().for_each(|output| output.fill(T::one()));
    }
}

/// Fault B1 of the third list: the first and the last row were inside of the memory, because the place of the
/// last one had wrapped around, but the rows between were not.
#[test]
fn rows_of_kernels_are_inside_of_their_memory() {
    if Isa::best() == Isa::Portable && cfg!(target_arch = "x86_64") {
        return;
    }
    let data = [1.0_f32; 8];
    refused("outside of any memory", || {
        let mut rows = KernelRows::new(4, 1);
        rows.input(Operand::of_slice(&data, WRAPS).narrowed(0..1));
        rows.output(None);
        rows.output(None);
        fused::compiled::<Twice, f32, 2, 1>(&mut rows);
    });
    // Two rows that nobody keeps are as long as half of all numbers.
    refused("outside of any memory", || {
        let mut rows = KernelRows::<f32>::new(1, usize::MAX / 2 + 1);
        rows.output(None);
        rows.output(None);
        fused::compiled::<Ones, f32, 2, 0>(&mut rows);
    });
    refused("outside of any memory", || _ = Operand::of_slice(&data, WRAPS).row(3));
    refused("columns that it has", || {
        _ = Operand::of_slice(&data, 8).narrowed(std::ops::Range { start: 3, end: 2 });
    });
}

/// The same kind of fault in products of columns, and of matrices that are read where they lie.
#[test]
fn products_read_what_they_are_given() {
    let data = [1.0_f32; 64];
    let mut panels = Panels::default();
    panels.pack_lines(4, 8, &data[..32]);
    let mut out = [0.0; 16];
    refused("outside of any memory", || {
        panels.multiply_into(2, &mut out, Left::Columns { data: &data, stride: WRAPS });
    });
    refused("panels of the matrix", || {
        let left = Left::Columns { data: &data, stride: 2 };
        panels.multiply_panels(7..8, 2, OperandMut::of_slice(&mut out, 8), left, false);
    });
    for by_lines in [true, false] {
        let size = [4, 4];
        let block = StoredBlock { data: &data[..8], stride: WRAPS, place: [0, 0], size };
        refused("outside of any memory", || {
            _ = match by_lines {
                true => InPlace::lines([block].into_iter(), size),
                false => InPlace::columns([block].into_iter(), size),
            };
        });
        let outside = StoredBlock { stride: 1, place: [usize::MAX, 0], ..block };
        refused("a block of its matrix", || {
            _ = match by_lines {
                true => InPlace::lines([outside].into_iter(), size),
                false => InPlace::columns([outside].into_iter(), size),
            };
        });
    }
    refused("columns that a product can have", || {
        _ = Destination::new(usize::MAX - 3, OperandMut::of_slice(&mut out, 8), false);
    });
    refused("outside of any memory", || {
        let x = Operand::of_slice(&data, 16);
        _ = left_of_columns(&mut Memory::default(), 1 << 60, 0..1, 0..16, &x);
    });
}

/// The same kind of fault when matrices are packed: the lines of a matrix without columns had no end.
#[test]
fn parts_are_packed_into_their_panels() {
    let data = [1.0_f32; 16];
    let part = PackedPart {
        matrix: &data,
        columns: 0,
        start: [0, 0],
        size: [1 << 60, 16],
        transposed: false,
        line: 0,
        column: 0,
    };
    let mut panels = Panels::default();
    panels.reset(usize::MAX, 0);
    refused("columns that the matrix has", || panels.pack(part, None));
    panels.reset(2, 16);
    let known = panels.panels();
    refused("lines that the matrix has", || panels.pack(part, None));
    let wraps = PackedPart { line: usize::MAX, size: [1, 16], columns: 16, ..part };
    refused("lines that the matrix has", || panels.pack(wraps, None));
    let outside = PackedPart { size: [2, 16], columns: 16, ..part };
    refused("a part of its matrix", || panels.pack(outside, None));
    refused("no more elements than memory can have", || panels.reset(1 << 60, 16));
    // A refused call has changed nothing.
    assert_eq!(panels.panels(), known);
    panels.pack(PackedPart { size: [1, 16], columns: 16, ..part }, None);
}
