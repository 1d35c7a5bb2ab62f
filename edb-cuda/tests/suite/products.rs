//! The back end's own product kernel: sums are in the order of their terms, whatever the operands.

use edb::Element;
use edb_cuda::Precision;
use edb_gpu::driver::{Address, Argument, Driver, Handle, Launch, LaunchShape};
use half::bf16;
use rand::RngExt;

use crate::emulator::Emulator;
use crate::nvrtc::library;
use edb_backend_suite::zoo::rng;

/// The sizes of a product: `[rows, terms]` by `[terms, columns]`.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    rows: usize,
    columns: usize,
    terms: usize,
}

/// How the kernel finds its left rows; see `Mode` in `prelude.cuh`.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Rows {
    SameRow,
    One,
    Owner,
    Gather,
}

const ABSENT: u32 = u32::MAX;
/// Elements between rows that are not part of the product.
const PADDING: usize = 3;

/// The kernel, loaded.
fn multiply<T: Element>(emulator: &Emulator, precision: Precision, recorded: bool) -> Handle {
    let source = library::<T>(precision, recorded);
    let number = source.names.iter().position(|name| name == "edb_multiply").unwrap();
    emulator.load(&source).unwrap()[number]
}

fn upload<V: bytemuck::Pod>(emulator: &Emulator, values: &[V]) -> Address {
    let address = emulator.allocate(size_of_val(values)).unwrap();
    emulator.upload(bytemuck::cast_slice(values), address).unwrap();
    address
}

/// The product, summed in the order of its terms, in place of what there is or added to it.
fn add_product<T: Element>(
    Sizes { rows, columns, terms }: Sizes,
    left: &dyn Fn(usize, usize) -> T,
    right: &dyn Fn(usize, usize) -> T,
    added: bool,
    out: &mut [T],
) {
    for row in 0..rows {
        for column in 0..columns {
            let mut sum = T::zero();
            for term in 0..terms {
                sum += left(row, term) * right(term, column);
            }
            let to = &mut out[row * (columns + PADDING) + column];
            *to = if added { *to + sum } else { sum };
        }
    }
}

/// Replays a recording: with its launch switched off in the table, which must write nothing, and then
/// switched on.
fn replay<T: Element + bytemuck::Pod>(
    emulator: &Emulator,
    launch: Launch,
    table: &[u64],
    (result, out): (Address, &[T]),
) {
    let words = launch.words;
    let recording = emulator.record(&[launch]).unwrap();
    emulator.clear(words, 8).unwrap();
    emulator.replay(recording).unwrap();
    let mut untouched = vec![T::zero(); out.len()];
    emulator.download(result, bytemuck::cast_slice_mut(&mut untouched)).unwrap();
    assert!(untouched == out, "an idle launch writes");
    emulator.upload(bytemuck::cast_slice(table), words).unwrap();
    emulator.replay(recording).unwrap();
    emulator.forget(recording);
}

/// Runs the product, launched or recorded, and compares it bit for bit with sums in the order of
/// their terms.
fn check<T: Element + bytemuck::Pod>(
    sizes: Sizes,
    mode: Rows,
    [transposed, added, recorded]: [bool; 3],
    grid: [u32; 2],
) {
    let Sizes { rows, columns, terms } = sizes;
    let mut rng = rng((rows * columns + terms) as u64);
    let mut numbers = |count: usize| -> Vec<T> {
        (0..count).map(|_| T::from_f64(rng.random_range(-1.0..1.0))).collect()
    };
    let [x_stride, out_stride] = [terms, columns].map(|width| width + PADDING);
    let x = numbers(rows * x_stride);
    let w_stride = if transposed { terms } else { columns } + PADDING;
    let w = numbers(w_stride * if transposed { columns } else { terms });
    let out = numbers(rows * out_stride);
    let first = 5;
    let index: Vec<u32> = (0..rows as u32)
        .map(|row| match (mode, row % 4) {
            (Rows::Gather, 3) => ABSENT,
            (Rows::Owner, _) => first + row * 7 % rows as u32,
            _ => row * 7 % rows as u32,
        })
        .collect();
    let row_of = |row: usize| match mode {
        Rows::SameRow => Some(row),
        Rows::One => Some(0),
        Rows::Owner => Some((index[row] - first) as usize),
        Rows::Gather => (index[row] != ABSENT).then(|| index[row] as usize),
    };
    let left =
        |row: usize, term: usize| row_of(row).map_or(T::zero(), |row| x[row * x_stride + term]);
    let right = |term: usize, column: usize| {
        w[if transposed { column * w_stride + term } else { term * w_stride + column }]
    };
    let mut expected = out.clone();
    add_product(sizes, &left, &right, added, &mut expected);

    let emulator = Emulator::default();
    let kernel = multiply::<T>(&emulator, Precision::Full, recorded);
    let zeros = upload(&emulator, &vec![T::zero(); terms]);
    let [result, x, w] = [&out, &x, &w].map(|values| upload(&emulator, values));
    let index = upload(&emulator, &index);
    let u32 = |number: usize| Argument::U32(number as u32);
    let arguments = [
        Argument::Address(result),
        Argument::U64(out_stride as u64),
        u32(0),
        Argument::Address(x),
        Argument::Address(zeros),
        Argument::Address(index),
        Argument::U64(x_stride as u64),
        Argument::U32(first),
        u32(mode as usize),
        Argument::Address(w),
        Argument::U64(w_stride as u64),
        u32(0),
        u32(usize::from(transposed)),
        u32(usize::from(added)),
        Argument::U64(rows as u64),
        u32(columns),
        u32(terms),
    ];
    let shape = LaunchShape { grid, block: [128, 1] };
    let mut table = vec![1];
    table.extend(arguments.iter().map(|argument| argument.word()));
    let words = upload(&emulator, &table);
    match recorded {
        true => replay(&emulator, Launch { kernel, shape, words }, &table, (result, &out)),
        false => emulator.launch(kernel, shape, &arguments).unwrap(),
    }
    let mut found = vec![T::zero(); out.len()];
    emulator.download(result, bytemuck::cast_slice_mut(&mut found)).unwrap();
    let what = format!("{sizes:?}, {mode:?}, {transposed}, {added}, {recorded}, {grid:?}");
    // `==`, because a sum of zeros may have either sign.
    assert!(found == expected, "{what}");
    for memory in [result, x, w, index, zeros, words] {
        emulator.free(memory);
    }
}

const MODES: [Rows; 4] = [Rows::SameRow, Rows::One, Rows::Owner, Rows::Gather];

/// Sizes that are no multiples of a tile, with grids that are too small or too large for them.
#[test]
fn products_of_small_tiles() {
    let Some(_) = crate::emulator::compiler() else { return };
    let sizes = [(1, 1, 1), (5, 33, 7), (33, 5, 16), (70, 40, 17), (32, 64, 48)];
    for (size, (rows, columns, terms)) in sizes.into_iter().enumerate() {
        let sizes = Sizes { rows, columns, terms };
        for (number, mode) in MODES.into_iter().enumerate() {
            let bit = |place: usize| (size + number) >> place & 1 == 1;
            check::<f32>(sizes, mode, [bit(0), bit(1), !bit(0)], [3, 2]);
            check::<f64>(sizes, mode, [!bit(0), bit(1), bit(0)], [1, 1]);
        }
    }
}

/// With many tiles, larger ones are used; the bits stay the same.
#[test]
fn products_of_large_tiles() {
    let Some(_) = crate::emulator::compiler() else { return };
    let sizes = Sizes { rows: 1100, columns: 940, terms: 19 };
    check::<f32>(sizes, Rows::Gather, [true, true, false], [64, 3]);
    let sizes = Sizes { rows: 17 * 1024, columns: 40, terms: 5 };
    check::<f64>(sizes, Rows::SameRow, [false, false, true], [100, 1]);
}

/// 16-bit numbers are multiplied and summed in 32 bits. The sum is rounded once, or not at all if
/// the result has 32 bits.
#[test]
fn products_of_narrow_numbers() {
    let Some(_) = crate::emulator::compiler() else { return };
    let emulator = Emulator::default();
    let kernel = multiply::<f32>(&emulator, Precision::Bf16, false);
    let (rows, columns, terms) = (9, 6, 21);
    let mut rng = rng(4);
    let mut numbers = |count: usize| -> Vec<f32> {
        (0..count).map(|_| bf16::from_f32(rng.random_range(-1.0..1.0)).to_f32()).collect()
    };
    let (x, w) = (numbers(rows * terms), numbers(terms * columns));
    let narrow = |values: &[f32]| -> Vec<u16> {
        values.iter().map(|value| bf16::from_f32(*value).to_bits()).collect()
    };
    for wide in [[false, false], [true, false], [false, true], [true, true]] {
        let flag = |wide: bool| Argument::U32(if wide { 4 } else { 0 });
        let x_address =
            if wide[0] { upload(&emulator, &x) } else { upload(&emulator, &narrow(&x)) };
        let w_address = upload(&emulator, &narrow(&w));
        let out = emulator.allocate(rows * columns * 4).unwrap();
        let (one, none) = (Argument::U32(1), Argument::U32(0));
        let arguments = [
            Argument::Address(out),
            Argument::U64(columns as u64),
            flag(wide[1]),
            Argument::Address(x_address),
            Argument::Address(0),
            Argument::Address(0),
            Argument::U64(terms as u64),
            none,
            flag(wide[0]),
            Argument::Address(w_address),
            Argument::U64(terms as u64),
            none,
            one,
            none,
            Argument::U64(rows as u64),
            Argument::U32(columns as u32),
            Argument::U32(terms as u32),
        ];
        emulator.launch(kernel, LaunchShape { grid: [1, 1], block: [128, 1] }, &arguments).unwrap();
        let mut found = vec![0_f32; rows * columns];
        match wide[1] {
            true => emulator.download(out, bytemuck::cast_slice_mut(&mut found)).unwrap(),
            false => {
                let mut bits = vec![0_u16; rows * columns];
                emulator.download(out, bytemuck::cast_slice_mut(&mut bits)).unwrap();
                let widened = bits.into_iter().map(|bits| bf16::from_bits(bits).to_f32());
                found.iter_mut().zip(widened).for_each(|(found, bits)| *found = bits);
            }
        }
        for (element, found) in found.iter().enumerate() {
            let (row, column) = (element / columns, element % columns);
            let mut sum = 0.0_f32;
            for term in 0..terms {
                sum += x[row * terms + term] * w[column * terms + term];
            }
            let expected = if wide[1] { sum } else { bf16::from_f32(sum).to_f32() };
            assert_eq!(*found, expected, "{wide:?}, row {row}, column {column}");
        }
    }
}
