use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use edb::VertexFunction;
use edb_ir::{Domain, KernelId};
use edb_kernels::element::Element;
use edb_kernels::fused::{self, KernelRows, KernelRunner, RowKernel};
use edb_kernels::in_place::InPlace;
use edb_kernels::isa::Isa;
use edb_kernels::memory::Memory;
use edb_kernels::operand::{Operand, OperandMut};
use edb_kernels::pairs::PairIsa;
use edb_kernels::panels::{PackedPart, Panels};
use edb_kernels::product::{
    Workspace, left_of_columns, matrix_product, outer_sum, with_left_columns,
};
use edb_kernels::stored::StoredBlock;
use edb_kernels::tile::{Destination, Left};

use super::kind;
use crate::models::bag;

/// Kernels with any numbers for sizes, strides and places: each computes something from the elements
/// that it is given, or panics, and touches no others. What would wrap around in a release build is a
/// failure here.
pub fn kernels(data: &[u8]) {
    let Some((kind, bytes)) = kind(data, 16) else { return };
    let numbers = Numbers { bytes, latest: [0; 4] };
    match kind % 2 {
        0 => each::<f32>(kind / 2, numbers),
        _ => each::<f64>(kind / 2, numbers),
    }
}

fn each<T: Element>(kind: usize, numbers: Numbers<'_>) {
    match kind {
        0 => compiled::<T>(numbers),
        1 => products::<T>(numbers),
        2 => packs::<T>(numbers),
        3 => in_place::<T>(numbers),
        4 => outer_sums::<T>(numbers),
        5 => products_of_matrices::<T>(numbers),
        6 => columns_of_left_sides::<T>(numbers),
        _ => runs::<T>(numbers),
    }
}

/// Places at which arithmetic wraps around: in bytes or elements, times 2, 3 or 16, and the like.
const PLACES: [usize; 14] = [
    usize::MAX,
    usize::MAX - 1,
    usize::MAX - 15,
    usize::MAX - 63,
    usize::MAX / 2,
    usize::MAX / 2 + 1,
    usize::MAX / 2 + 9,
    usize::MAX / 3,
    usize::MAX / 3 * 2 + 1,
    usize::MAX / 5 + 1,
    1 << 62,
    (1 << 62) + 1,
    1 << 61,
    (1 << 61) + 16,
];

/// Numbers from bytes: small ones for most of them, and 0 after the last.
struct Numbers<'d> {
    bytes: &'d [u8],
    /// The latest ones: sizes have to be equal for anything to be computed.
    latest: [usize; 4],
}

impl Numbers<'_> {
    /// Any number: less than 64, one of [a few](PLACES), one of the latest, or a product of two of them.
    fn any(&mut self) -> usize {
        let Some((first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        let [a, b, ..] = self.latest;
        let number = match usize::from(*first) {
            small @ 0..100 => small % 64,
            again @ 100..180 => self.latest[again % 4],
            // No more than memory has.
            180..200 => a.checked_mul(b).filter(|product| *product < 1024).unwrap_or(64),
            place => PLACES[place % PLACES.len()],
        };
        self.latest.rotate_right(1);
        self.latest[0] = number;
        number
    }

    /// One that can be counted to.
    fn small(&mut self) -> usize {
        self.any() % 300
    }

    /// Any number, but none of which several would multiply to more than is quickly filled.
    fn few(&mut self) -> usize {
        let number = self.any();
        if number < 1024 { number % 20 } else { number }
    }

    /// How many rows of this width: no more than can be counted to where a row has no elements, since
    /// no memory bounds them.
    fn rows(&mut self, width: usize) -> usize {
        if width == 0 { self.small() } else { self.any() }
    }

    fn flag(&mut self) -> bool {
        self.any() % 2 == 1
    }

    fn range(&mut self) -> Range<usize> {
        self.any()..self.any()
    }
}

/// Elements between others, which nothing may read or write.
struct Guarded<T>(Vec<T>);

/// How many elements there are on both sides.
const GUARD: usize = 64;

impl<T: Element> Guarded<T> {
    fn new(count: usize) -> Self {
        let mut all = vec![T::nan(); count + 2 * GUARD];
        all[GUARD..GUARD + count].fill(T::one());
        Self(all)
    }

    fn own(&self) -> &[T] {
        &self.0[GUARD..self.0.len() - GUARD]
    }

    fn own_mut(&mut self) -> &mut [T] {
        let end = self.0.len() - GUARD;
        &mut self.0[GUARD..end]
    }

    /// Nothing but its own elements has been written, and what they were computed from is no guard.
    fn check(&self) {
        assert!(self.own().iter().all(|x| !x.is_nan()), "what is read is between the guards");
        let (before, behind) = (&self.0[..GUARD], &self.0[self.0.len() - GUARD..]);
        let untouched = before.iter().chain(behind).all(|x| x.is_nan());
        assert!(untouched, "what is written is between the guards");
    }
}

/// Calls a function of edb-kernels: it returns, or refuses its arguments by a panic of its own.
fn call(what: impl FnOnce()) {
    // The hook of libFuzzer takes every panic for a failure, also one that is caught.
    #[cfg(fuzzing)]
    let hook = std::panic::take_hook();
    #[cfg(fuzzing)]
    std::panic::set_hook(Box::new(|_| ()));
    let result = catch_unwind(AssertUnwindSafe(what));
    #[cfg(fuzzing)]
    std::panic::set_hook(hook);
    let Err(panic) = result else { return };
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default();
    let wraps = text.starts_with("attempt to") && text.contains("overflow");
    assert!(!wraps, "{text}: in a release build it wraps around");
}

/// `x + s`, for a row `x` and a scalar `s`.
struct Plus;

impl RowKernel<2, 2> for Plus {
    const SCALARS: [bool; 2] = [false, true];

    fn row<T: Element, const FMA: bool>([sum, copy]: [&mut [T]; 2], [x, s]: [&[T]; 2]) {
        for element in 0..sum.len() {
            (sum[element], copy[element]) = (x[element] + s[0], x[element]);
        }
    }
}

/// `2 x`, whose rows are joined if they are contiguous.
struct Twice;

impl RowKernel<2, 1> for Twice {
    const SCALARS: [bool; 1] = [false];

    fn row<T: Element, const FMA: bool>([sum, other]: [&mut [T]; 2], [x]: [&[T]; 1]) {
        for element in 0..sum.len() {
            (sum[element], other[element]) = (x[element] + x[element], x[element]);
        }
    }
}

/// Nothing but outputs that are not kept.
struct Nothing;

impl RowKernel<2, 0> for Nothing {
    const SCALARS: [bool; 0] = [];

    fn row<T: Element, const FMA: bool>(outputs: [&mut [T]; 2], []: [&[T]; 0]) {
        outputs.into_iter().for_each(|output| output.fill(T::one()));
    }
}

/// Rows of an operand, as they are or cut out of wider ones.
fn operand<'a, T>(numbers: &mut Numbers<'_>, data: &'a [T]) -> Operand<'a, T> {
    let operand = Operand::of_slice(data, numbers.any());
    if numbers.flag() { operand.narrowed(numbers.range()) } else { operand }
}

fn compiled<T: Element>(mut numbers: Numbers<'_>) {
    let which = numbers.small() % 3;
    let length = numbers.any();
    let count = numbers.rows(length);
    let [x, s] = [(); 2].map(|()| Guarded::<T>::new(numbers.small()));
    let mut outs = [(); 2].map(|()| Guarded::<T>::new(numbers.small()));
    call(|| {
        let mut rows = KernelRows::new(count, length);
        if which < 2 {
            rows.input(operand(&mut numbers, x.own()));
        }
        if which == 0 {
            rows.input(operand(&mut numbers, s.own()));
        }
        for out in &mut outs {
            let wanted = which < 2 && numbers.flag();
            rows.output(wanted.then(|| OperandMut::of_slice(out.own_mut(), length)));
        }
        match which {
            0 => fused::compiled::<Plus, T, 2, 2>(&mut rows),
            1 => fused::compiled::<Twice, T, 2, 1>(&mut rows),
            _ if length > 0 && count > 300 => (),
            _ => fused::compiled::<Nothing, T, 2, 0>(&mut rows),
        }
    });
    outs.iter().for_each(Guarded::check);
}

/// Whether so many elements can be addressed but not allocated: this would end the process, as for a `Vec` of that size.
fn is_beyond_memory(lines: usize, columns: usize) -> bool {
    lines.checked_mul(columns).is_some_and(|elements| elements > 1 << 20)
}

/// A packed matrix of ones, or one of which nothing is packed.
fn panels<T: Element>(numbers: &mut Numbers<'_>, paired: bool) -> Panels<T> {
    let mut panels = Panels::default();
    call(|| {
        let (inner, width) = (numbers.any(), numbers.any());
        if width == 0 || inner == 0 {
            return;
        }
        if is_beyond_memory(inner, width) {
            return;
        }
        if paired {
            panels.reset_paired(inner, width);
        } else if numbers.flag() {
            panels.pack_lines(inner % 64, width % 64, &[T::one(); 64 * 64]);
        } else {
            panels.reset(inner, width);
        }
        if numbers.flag() {
            panels.turn();
        }
    });
    panels
}

fn products<T: Element>(mut numbers: Numbers<'_>) {
    let paired = numbers.flag();
    let panels = panels::<T>(&mut numbers, paired);
    let (data, mut out) = (Guarded::<T>::new(numbers.small()), Guarded::<T>::new(numbers.small()));
    call(|| {
        let by_columns = numbers.flag();
        let of_rows = operand(&mut numbers, data.own());
        let left = match by_columns {
            true => Left::Columns { data: data.own(), stride: numbers.any() },
            false => Left::Rows(&of_rows),
        };
        let bounded = panels.inner().saturating_mul(panels.panels().0);
        let rows = numbers.rows(bounded.saturating_mul(of_rows.width()));
        if numbers.flag() {
            return panels.multiply_into(rows, out.own_mut(), left);
        }
        let width = numbers.any();
        let to = OperandMut::of_slice(out.own_mut(), width);
        panels.multiply_panels(numbers.range(), rows, to, left, numbers.flag());
    });
    if !paired {
        out.check();
    }
}

fn packs<T: Element>(mut numbers: Numbers<'_>) {
    let paired = numbers.flag();
    let mut panels = panels::<T>(&mut numbers, paired);
    let data = Guarded::<T>::new(numbers.small() * 2);
    call(|| {
        let part = PackedPart {
            matrix: data.own(),
            columns: numbers.any(),
            start: [numbers.any(), numbers.any()],
            size: [numbers.any(), numbers.any()],
            transposed: numbers.flag(),
            line: numbers.any(),
            column: numbers.any(),
        };
        panels.pack(part, None);
        let (rows, columns) = (numbers.any(), numbers.any());
        match numbers.flag() {
            true => panels.pack_lines(rows, columns, data.own()),
            false => panels.pack_columns(rows, columns, data.own()),
        }
        let of_rows = operand(&mut numbers, data.own());
        let first = numbers.any();
        let end = if of_rows.width() == 0 { first.saturating_add(40) } else { numbers.any() };
        panels.pack_rows(first..end, &of_rows, numbers.flag());
    });
}

fn in_place<T: Element>(mut numbers: Numbers<'_>) {
    let data = [(); 3].map(|()| Guarded::<T>::new(numbers.small()));
    let mut out = Guarded::<T>::new(numbers.small());
    call(|| {
        let [of_left, of_blocks @ ..] = &data;
        let blocks: Vec<_> = of_blocks
            .iter()
            .map(|data| StoredBlock {
                data: data.own(),
                stride: numbers.any(),
                place: [numbers.any(), numbers.any()],
                size: [numbers.any(), numbers.any()],
            })
            .collect();
        let (size, count) = ([numbers.any(), numbers.any()], numbers.small() % 3);
        let blocks = blocks.into_iter().take(count);
        let matrix = match numbers.flag() {
            true => InPlace::lines(blocks, size),
            false => InPlace::columns(blocks, size),
        };
        let left = operand(&mut numbers, of_left.own());
        let (columns, width) = (numbers.range(), numbers.any());
        // Without rows or elements, nothing ends the sum of many terms.
        let rows = numbers.any().max(1);
        if left.width() == 0 || width == 0 {
            return;
        }
        let to = OperandMut::of_slice(out.own_mut(), width);
        let isas = Isa::all();
        let isa = isas[numbers.small() % isas.len()];
        matrix.multiply(isa, columns, rows, to, Left::Rows(&left), numbers.flag());
    });
    out.check();
}

fn outer_sums<T: Element>(mut numbers: Numbers<'_>) {
    let [y, x] = [(); 2].map(|()| Guarded::<T>::new(numbers.small()));
    let mut outs = [(); 2].map(|()| Guarded::<T>::new(numbers.small()));
    let paired = numbers.flag();
    call(|| {
        let [of_y, of_x] = [&y, &x].map(|data| operand(&mut numbers, data.own()));
        let factors = vec![T::one(); numbers.small()];
        let factors = numbers.flag().then_some(&factors[..]);
        let lanes = [numbers.range(), numbers.range()];
        let [first, second] = outs.each_mut().map(|out| {
            let rows = OperandMut::of_slice(out.own_mut(), numbers.any());
            Destination::new(numbers.any(), rows, numbers.flag())
        });
        let mut to = [[first].into_iter().collect(), [second].into_iter().collect()];
        let count = numbers.small() % 3;
        let rows = numbers.rows(of_y.width().min(of_x.width()));
        // Without rows, nothing ends the lines and columns of the result.
        if rows == 0 && (of_x.width() > 300 || lanes.iter().any(|lane| lane.len() > 300)) {
            return;
        }
        let mut workspace = Workspace::new(paired);
        outer_sum(&mut workspace, rows, [&of_y, &of_x], factors, &lanes[..count], &mut to[..count]);
    });
    outs.iter().for_each(Guarded::check);
}

fn products_of_matrices<T: Element>(mut numbers: Numbers<'_>) {
    let [a, b] = [(); 2].map(|()| Guarded::<T>::new(numbers.small()));
    let mut out = Guarded::<T>::new(numbers.small());
    call(|| {
        let [of_a, of_b] = [&a, &b].map(|data| operand(&mut numbers, data.own()));
        let (width, size) = (numbers.any(), [numbers.any(), numbers.any()]);
        let transposed = [numbers.flag(), numbers.flag()];
        let rows = numbers.rows(of_a.width().min(of_b.width()).min(width));
        let mut to = OperandMut::of_slice(out.own_mut(), width);
        matrix_product(&mut Panels::default(), rows, &mut to, &of_a, &of_b, size, transposed);
    });
    out.check();
}

fn columns_of_left_sides<T: Element>(mut numbers: Numbers<'_>) {
    let data = Guarded::<T>::new(numbers.small());
    let mut out = Guarded::<T>::new(numbers.small());
    let panels = panels::<T>(&mut numbers, true);
    call(|| {
        let x = operand(&mut numbers, data.own());
        let mut memory = Memory::default();
        let (rows, columns, lines) = (numbers.range(), numbers.range(), numbers.any());
        if is_beyond_memory(lines, columns.len()) {
            return;
        }
        let left = left_of_columns(&mut memory, lines, rows, columns, &x);
        let (all, columns, rows) = (numbers.any(), numbers.range(), numbers.small());
        with_left_columns(left, lines, all, columns, |left| {
            panels.multiply_into(rows, out.own_mut(), left);
        });
        PairIsa::best().left_row(data.own(), out.own_mut());
    });
}

fn runs<T: Element>(mut numbers: Numbers<'_>) {
    let plan = bag::plan();
    let (vertices, edges) = (numbers.few(), numbers.small() % 5);
    let owners: Vec<u32> = (0..edges).map(|_| numbers.any() as u32).collect();
    let pad = numbers.few();
    let sizes: Vec<usize> = (0..8).map(|_| numbers.few()).collect();
    let chosen: Vec<KernelId> =
        (0..3).map(|_| KernelId((numbers.small() % plan.routine.kernels.len()) as u16)).collect();
    call(|| {
        let width = |shape: &edb_ir::Shape| sizes[format!("{shape:?}").len() % sizes.len()];
        let mut runner =
            KernelRunner::<T>::new(plan, vertices, owners, pad, &width, &mut || T::one());
        for kernel in chosen {
            let once = plan.routine.kernels[kernel].domain == Domain::Step;
            if once || runner.count(kernel) <= 300 {
                runner.run(kernel, None, &|_| true);
            }
        }
    });
}
