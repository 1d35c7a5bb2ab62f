//! Products with packed matrices.
//!
//! The inner loop reads one or more [panels](crate::panels) from front to back. It multiplies each line of a
//! panel with one element of each of some rows of the other matrix, which is not packed: see
//! [`tile`](crate::tile).
//!
//! Every element of a result is a sum over the inner dimension: one chain from the first term to the last, or
//! several chains if there are [many terms](product_in_halves). The order of the sum does not depend on the
//! number of rows. So the result of a row does not depend on the other rows.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64;
use std::marker::PhantomData;
use std::ops::Range;

#[cfg(target_arch = "x86_64")]
use super::amx_product;
use super::pairs::PairIsa;
use super::panels::Panels;
use super::terms::{MAX_CHAINED_TERMS, product_in_halves};
use super::tile::{Destination, Left, Multiply, Task};
use crate::choice::{Product, Way, tune};
use crate::compiled_here;
use crate::memory::{Operand, OperandMut};
use crate::numbers::{Element, Family, PerElementType};
use crate::processor::Converted;
#[cfg(target_arch = "x86_64")]
use crate::processor::Dotted;
use crate::processor::{Isa, portable};
#[cfg(target_arch = "x86_64")]
use crate::processor::{avx2, avx512, avx512bf16};

/// Runs the kernel of an instruction set. It is compiled only with the registers of this instruction set.
macro_rules! multiply {
    ($run:ident, $registers:ty, $isa:expr, $product:expr) => {{
        let (panels, task, out, way) = $product;
        let registers = PhantomData::<$registers>;
        if panels.vectors($isa) == 1 {
            $run(Multiply::<_, _, 1> { panels, task, out, way, registers })
        } else {
            $run(Multiply::<_, _, 2> { panels, task, out, way, registers })
        }
    }};
}

impl<T: Element> Panels<T> {
    /// Computes `out = A B` or `out += A B`, for `rows` rows of `A` with `inner` elements each, and for some
    /// panels of `B`. `out` has only the columns of these panels.
    pub fn multiply_panels(
        &self,
        panels: Range<usize>,
        rows: usize,
        out: OperandMut<'_, T>,
        left: Left<'_, T>,
        add: bool,
    ) {
        let lines = 0..self.inner();
        let task = Task { panels, lines, rows, left, add };
        self.run(task, &mut [Destination::new(0, out, false)]);
    }

    /// `out = A B` for `rows` rows of `A`.
    pub(crate) fn multiply(&self, rows: usize, out: OperandMut<'_, T>, left: Left<'_, T>) {
        self.multiply_panels(0..self.panels().0, rows, out, left, false);
    }

    /// `out = A B`, where `out` is the contiguous rows of a slice.
    pub fn multiply_into(&self, rows: usize, out: &mut [T], left: Left<'_, T>) {
        self.multiply(rows, OperandMut::of_slice(out, self.width), left);
    }

    /// `out = A B` for the contiguous rows of `A` in a slice.
    pub fn multiply_slice(&self, rows: usize, out: &mut [T], left: &[T]) {
        self.multiply_into(rows, out, Left::Rows(&Operand::of_slice(left, self.inner())));
    }

    /// Computes `out = A B` or `out += A B`, where the columns of `out` are in several destinations.
    pub(crate) fn multiply_to(
        &self,
        rows: usize,
        out: &mut [Destination<'_, T>],
        left: Left<'_, T>,
        add: bool,
    ) {
        let (panels, lines) = (0..self.panels().0, 0..self.inner());
        self.run(Task { panels, lines, rows, left, add }, out);
    }

    fn run(&self, task: Task<'_, T>, out: &mut [Destination<'_, T>]) {
        let of_line = if self.is_paired() { 2 } else { 1 };
        let (all, panel) = self.panels();
        let Range { start, end } = task.panels;
        assert!(start <= end && end <= all, "panels of the matrix");
        let [first, end] = [task.panels.start, task.panels.end].map(|number| number * panel);
        let size = [task.rows, end.min(self.width).saturating_sub(first)];
        let (lines, longest, add) = (task.lines.clone(), MAX_CHAINED_TERMS / of_line, task.add);
        product_in_halves(lines, longest, size, out, add, &|lines, out, add| {
            self.run_chain(Task { lines, add, ..task.clone() }, out);
        });
    }

    /// Runs a product in which each sum is one chain.
    fn run_chain(&self, task: Task<'_, T>, out: &mut [Destination<'_, T>]) {
        let product = Product {
            rows: task.rows,
            inner: task.lines.len() * if self.is_paired() { 2 } else { 1 },
            columns: task.panels.len() * self.panels().1,
            element: if self.is_paired() { size_of::<u16>() } else { size_of::<T>() },
            strided: matches!(task.left, Left::Columns { .. }),
        };
        if self.is_paired() {
            let isa = PairIsa::best();
            let run_on = PAIRED.of::<T>();
            tune::run(isa.ways(), product, |way| run_on(self, isa, way, task, out));
        } else {
            let isa = Isa::best();
            tune::run(isa.ways(), product, |way| self.run_on(isa, way, task, out));
        }
    }
}

compiled_here! {
    impl Panels {
        /// Runs a product with an instruction set that this machine has. The panels must have been packed for
        /// it.
        fn run_on(&self, isa: Isa, way: Way, task: Task<'_, T>, out: &mut [Destination<'_, T>]) {
            let product = (self, task, out, way);
            match isa {
                Isa::Portable => multiply!(portable, T::Portable, isa, product),
                // SAFETY: instruction sets come from `Isa::all`, which lists what this machine has.
                #[cfg(target_arch = "x86_64")]
                Isa::Avx2 => unsafe { multiply!(avx2, T::Avx2, isa, product) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                Isa::Avx512 => unsafe { multiply!(avx512, T::Avx512, isa, product) },
            }
        }
    }
}

/// Products with matrices in 16 bits.
struct Paired;

impl Family for Paired {
    type Member<T: Element> = fn(&Panels<T>, PairIsa, Way, Task<'_, T>, &mut [Destination<'_, T>]);
}

static PAIRED: PerElementType<Paired> = PerElementType {
    f32: run_paired_on,
    f64: |_, _, _, _, _| unreachable!("a device refuses 16 bits for models of `f64`"),
};

/// Runs a product of [pairs](crate::pairs).
fn run_paired_on(
    panels: &Panels<f32>,
    isa: PairIsa,
    way: Way,
    task: Task<'_, f32>,
    out: &mut [Destination<'_, f32>],
) {
    let product = (panels, task, out, way);
    match isa {
        PairIsa::Convert(of @ Isa::Portable) => {
            multiply!(portable, Converted<[f32; 4]>, of, product);
        }
        // SAFETY: instruction sets come from `PairIsa::best` or `all`, which return only those that this
        // machine has.
        #[cfg(target_arch = "x86_64")]
        PairIsa::Convert(of @ Isa::Avx2) => unsafe {
            multiply!(avx2, Converted<x86_64::__m256>, of, product);
        },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        PairIsa::Convert(of @ Isa::Avx512) => unsafe {
            multiply!(avx512, Converted<x86_64::__m512>, of, product);
        },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        PairIsa::Dot => unsafe { multiply!(avx512bf16, Dotted, isa.isa(), product) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        PairIsa::Tiles => unsafe {
            amx_product::multiply(product.0, product.1, product.2, product.3)
        },
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;
    use proptest::prelude::*;

    use super::*;
    use crate::choice::WAYS;
    use crate::memory::Operand;
    use crate::numbers::numbers;
    use crate::products::pairs;
    use crate::products::panels::PackedPart;

    /// The whole product.
    fn whole<'a, T: Element>(panels: &Panels<T>, rows: usize, left: Left<'a, T>) -> Task<'a, T> {
        let (all, lines) = (0..panels.panels().0, 0..panels.inner());
        Task { panels: all, lines, rows, left, add: false }
    }

    /// Runs a product again and compares it with its first result. Now the columns are in two destinations, and
    /// the product is added to one of them; rows lie further apart than they are long.
    fn check_in_two<T: Element>(
        first_result: &[T],
        width: usize,
        cut: usize,
        how: impl std::fmt::Debug,
        run: impl FnOnce(&mut [Destination<'_, T>]),
    ) {
        let (rows, cut, before) = (first_result.len() / width, cut.min(width), T::HALF);
        let widths = [cut, width - cut];
        let mut parts = widths.map(|width| vec![before; rows * (width + 3)]);
        let [first, second] = parts.each_mut();
        let destinations = [(0, first, cut, false), (cut, second, width - cut, true)];
        run(&mut destinations.map(|(first, part, width, added)| {
            let rows = OperandMut::of_slice(part, width + 3).narrowed(0..width);
            Destination::new(first, rows, added)
        }));
        for (row, x) in first_result.chunks(width).enumerate() {
            let [first, second] = [0, 1].map(|part: usize| {
                let stride = widths[part] + 3;
                parts[part][row * stride..][..stride].split_at(widths[part])
            });
            assert_eq!(first, (&x[..cut], &[before; 3][..]), "{how:?}");
            let added: Vec<T> = x[cut..].iter().map(|x| before + *x).collect();
            assert_eq!(second, (&added[..], &[before; 3][..]), "{how:?}");
        }
    }

    fn packed<T: Element>(
        isa: Isa,
        b: &[T],
        inner: usize,
        width: usize,
        cut: usize,
        transposed: bool,
    ) -> Panels<T> {
        let mut panels = Panels::default();
        panels.reset_for(isa, inner, width);
        // The columns are cut into two parts.
        let cut = cut.min(width);
        for (first, count) in [(0, cut), (cut, width - cut)] {
            let (matrix, start, size, columns) = match transposed {
                true => (b, [first, 0], [count, inner], inner),
                false => (b, [0, first], [inner, count], width),
            };
            let (line, column) = (0, first);
            let part = PackedPart { matrix, columns, start, size, transposed, line, column };
            panels.pack(part, None);
        }
        panels
    }

    /// The transpose of a matrix with `columns` columns.
    fn turned(matrix: &[f32], columns: usize) -> Vec<f32> {
        let rows = matrix.len() / columns;
        let element = |number: usize| matrix[number % rows * columns + number / rows];
        (0..matrix.len()).map(element).collect()
    }

    /// A matrix in 16 bits, cut into four parts along both axes.
    fn packed_in_four(
        isa: PairIsa,
        b: &[f32],
        [inner, width]: [usize; 2],
        cut: [usize; 2],
        transposed: bool,
    ) -> Panels<f32> {
        let mut panels = Panels::default();
        // The result must not depend on earlier contents.
        panels.reset_for(isa.isa(), inner + 3, width);
        let all = PackedPart {
            matrix: &vec![f32::NAN; (inner + 3) * width],
            columns: width,
            start: [0, 0],
            size: [inner + 3, width],
            transposed: false,
            line: 0,
            column: 0,
        };
        panels.pack(all, None);
        panels.reset_paired_for(isa, inner, width);
        let [line, cut] = [cut[0].min(inner), cut[1].min(width)];
        for (column, columns) in [(0, cut), (cut, width - cut)] {
            for (line, lines) in [(0, line), (line, inner - line)] {
                let (matrix, start, size, columns) = match transposed {
                    true => (turned(b, width), [column, line], [columns, lines], inner),
                    false => (b.to_vec(), [line, column], [lines, columns], width),
                };
                let matrix = &matrix;
                let part = PackedPart { matrix, columns, start, size, transposed, line, column };
                panels.pack(part, None);
            }
        }
        panels
    }

    fn check<T: Element>([rows, inner, width]: [usize; 3], cut: usize, turn: bool, tolerance: f64) {
        let (a, b) = (numbers::<T>(rows * inner, 1), numbers::<T>(inner * width, 2));
        let (row, column) = if turn { (1, rows) } else { (inner, 1) };
        let of_a: Vec<f64> = (0..rows * inner)
            .map(|element| a[element / inner * row + element % inner * column].as_f64())
            .collect();
        for isa in Isa::all() {
            for transposed in [false, true] {
                let mut panels = packed(isa, &b, inner, width, cut, transposed);
                let of_rows = Operand::of_slice(&a, inner);
                let left = match turn {
                    true => Left::Columns { data: &a, stride: rows },
                    false => Left::Rows(&of_rows),
                };
                let product = |panels: &Panels<T>, way, out: &mut [T], add| {
                    let out = Destination::new(0, OperandMut::of_slice(out, width), false);
                    panels.run_on(isa, way, Task { add, ..whole(panels, rows, left) }, &mut [out]);
                };
                let mut out = vec![T::one(); rows * width];
                product(&panels, WAYS[0], &mut out, false);
                let mut twice = out.clone();
                product(&panels, WAYS[0], &mut twice, true);
                for turned in [false, true] {
                    assert_eq!(panels.is_turned(), turned);
                    for way in WAYS {
                        let mut other = vec![T::one(); rows * width];
                        product(&panels, way, &mut other, false);
                        assert_eq!(other, out, "{isa:?}, {way:?}, {turned}");
                        product(&panels, way, &mut other, true);
                        assert_eq!(other, twice, "{isa:?}, {way:?}, {turned}, added");
                    }
                    panels.turn();
                }
                for way in WAYS {
                    check_in_two(&out, width, cut, (isa, way), |out| {
                        panels.run_on(isa, way, whole(&panels, rows, left), out);
                    });
                }
                for (element, (out, twice)) in out.iter().zip(&twice).enumerate() {
                    let (r, c) = (element / width, element % width);
                    let of_b = |k: usize| b[if transposed { c * inner + k } else { k * width + c }];
                    let exact: f64 =
                        (0..inner).map(|k| of_a[r * inner + k] * of_b(k).as_f64()).sum();
                    assert_relative_eq!(out.as_f64(), exact, epsilon = tolerance);
                    assert_relative_eq!(twice.as_f64(), 2.0 * exact, epsilon = 2.0 * tolerance);
                }
            }
        }
    }

    /// Fault B1: a product with a million terms was one chain of additions, also in 16 bits, where 0.1 is
    /// rounded up a little.
    #[test]
    fn long_sums_do_not_drift() {
        const INNER: usize = 1_000_000;
        let ones = vec![1.0_f32; INNER];
        for paired in [false, true] {
            let mut panels = Panels::default();
            panels.pack_rows(0..INNER, &Operand::of_slice(&vec![0.1; INNER], 1), paired);
            let mut left = vec![0.0; if paired { INNER + 64 } else { 0 }];
            let isa = PairIsa::best();
            let of_row = if paired { panels.inner() * isa.terms() } else { INNER };
            let left = match paired {
                true => {
                    isa.left_row(&ones, &mut left[..of_row]);
                    Operand::of_slice(&left, of_row)
                }
                false => Operand::of_slice(&ones, INNER),
            };
            let mut sum = [0.0];
            panels.multiply_into(1, &mut sum, Left::Rows(&left));
            let mut term = [0.1_f32];
            if paired {
                pairs::round(&mut term);
            }
            assert_relative_eq!(sum[0], term[0] * INNER as f32, max_relative = 1e-5);
        }
    }

    /// There are rows in several blocks, and matrices so wide that columns are copied.
    #[test]
    fn products_in_blocks_are_products() {
        for turn in [false, true] {
            check::<f32>([197, 5, 24], 9, turn, 1e-4);
            check::<f32>([31, 9, 390], 97, turn, 1e-4);
            check::<f64>([195, 3, 200], 97, turn, 1e-12);
        }
    }

    /// Sums have so many terms that few or no columns are copied at once. (Simulated processors do not run this
    /// test, since it takes them too long.)
    #[test]
    fn long_sums_of_columns_are_products() {
        check::<f32>([14, 2000, 200], 30, true, 1e-2);
        check::<f32>([7, 2731, 100], 30, true, 1e-2);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

        /// A product has the same bits, in whichever way it is computed.
        #[test]
        fn products_are_products(
            rows in 1usize..40, inner in 1usize..70, width in 1usize..140, cut in 0usize..140,
            turn: bool,
        ) {
            check::<f32>([rows, inner, width], cut, turn, 1e-4);
            check::<f64>([rows, inner, width], cut, turn, 1e-12);
        }

        /// In 16 bits, only the two sides are rounded. Without an instruction for pairs, a product has the same
        /// bits on every machine.
        #[test]
        fn products_of_pairs_are_products(
            rows in 1usize..40, inner in 1usize..70, width in 1usize..140, cut in 0usize..140,
            line in 0usize..70, transposed: bool,
        ) {
            let (a, b) = (numbers::<f32>(rows * inner, 1), numbers::<f32>(inner * width, 2));
            let rounded = |numbers: &[f32]| {
                let mut rounded = numbers.to_vec();
                pairs::round(&mut rounded);
                rounded
            };
            let (of_a, of_b) = (rounded(&a), rounded(&b));
            let mut converted: Option<Vec<f32>> = None;
            for isa in PairIsa::all() {
                let size = [inner, width];
                let mut panels = packed_in_four(isa, &b, size, [line, cut], transposed);
                let of_row = panels.inner() * isa.terms();
                let mut left = vec![0.0; rows * of_row];
                for (out, a) in left.chunks_exact_mut(of_row).zip(a.chunks(inner)) {
                    isa.left_row(a, out);
                }
                let left = Operand::of_slice(&left, of_row);
                let task = whole(&panels, rows, Left::Rows(&left));
                let turned = [false, true].map(|turn| WAYS.map(|way| (way, turn)));
                let results: Vec<Vec<f32>> = turned.into_iter().flatten().map(|(way, turn)| {
                    if panels.is_turned() != turn {
                        panels.turn();
                    }
                    let mut out = vec![1.0; rows * width];
                    let destination = OperandMut::of_slice(&mut out, width);
                    let mut destinations = [Destination::new(0, destination, false)];
                    run_paired_on(&panels, isa, way, task.clone(), &mut destinations);
                    out
                }).collect();
                for (element, x) in results[0].iter().enumerate() {
                    let (row, column) = (element / width, element % width);
                    let term = |k: usize| {
                        f64::from(of_a[row * inner + k]) * f64::from(of_b[k * width + column])
                    };
                    let exact: f64 = (0..inner).map(term).sum();
                    let close = (f64::from(*x) - exact).abs() < 1e-4;
                    prop_assert!(close, "{:?}, {}, {}: {} for {}", isa, row, column, x, exact);
                }
                for result in &results {
                    prop_assert_eq!(result, &results[0], "{:?}", isa);
                }
                for way in WAYS {
                    check_in_two(&results[0], width, cut, (isa, way), |out| {
                        run_paired_on(&panels, isa, way, task.clone(), out);
                    });
                }
                if let PairIsa::Convert(_) = isa {
                    let first = converted.get_or_insert_with(|| results[0].clone());
                    prop_assert_eq!(&results[0], &*first, "{:?}", isa);
                }
            }
        }

        /// Bit-identical results in any minibatch rely on this.
        #[test]
        fn rows_do_not_depend_on_their_number(
            rows in 1usize..40, inner in 1usize..300, width in 1usize..140,
        ) {
            let (a, b) = (numbers::<f32>(rows * inner, 1), numbers::<f32>(inner * width, 2));
            for isa in Isa::all() {
                let panels = packed(isa, &b, inner, width, width, false);
                let product = |way, out: &mut [f32], a: &[f32]| {
                    let out = Destination::new(0, OperandMut::of_slice(out, width), false);
                    let (rows, a) = (a.len() / inner, Operand::of_slice(a, inner));
                    panels.run_on(isa, way, whole(&panels, rows, Left::Rows(&a)), &mut [out]);
                };
                for way in WAYS {
                    let mut together = vec![0.0; rows * width];
                    product(way, &mut together, &a);
                    for (together, a) in together.chunks(width).zip(a.chunks(inner)) {
                        let mut alone = vec![0.0; width];
                        product(WAYS[0], &mut alone, a);
                        prop_assert_eq!(&alone[..], together);
                    }
                }
            }
        }
    }
}
