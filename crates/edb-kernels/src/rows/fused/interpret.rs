//! Interprets kernels that have no compiled code: op by op, over tiles that stay in cache.
//!
//! A tile is a part of a row, or several whole rows that are copied side by side, so each op is one vectorised
//! loop over many elements. A buffer is reused after the last use of its value.

use edb_ir::routine::{Expr, KernelOp};
use edb_ir::{Kernel, Pointwise};
use smallvec::{SmallVec, smallvec};

use super::kernel_rows::KernelRows;
use crate::compiled_here;
use crate::memory::scratch;
use crate::numbers::Element;
use crate::processor::{Loop, dispatch_on};
use crate::rows::kernels;
use crate::rows::kernels::{Binary, Ternary, Unary};

/// The size of a buffer in bytes. The twenty buffers that a large kernel needs fit into a level-1 cache.
const TILE_BYTES: usize = 1024;

compiled_here! {
    /// Interprets a kernel.
    pub(super) fn interpret(kernel: &Kernel, rows: &mut KernelRows<'_, T>) {
        rows.join();
        dispatch_on(rows.isa, Interpreter { kernel, rows });
    }
}

/// Where an argument of an op is. Arguments are numbered: first the inputs, then the expressions.
#[derive(Clone, Copy)]
enum ArgumentPlace<T> {
    /// A buffer, by its number.
    Buffer(usize),
    /// A part of a row of an input, by the input's number among those that are not overwritten.
    Input(usize),
    /// The same number in each element.
    Number(T),
}

/// An argument over a tile.
#[derive(Clone, Copy)]
enum Argument<'a, T> {
    Elements(&'a [T]),
    Number(T),
}

struct Interpreter<'a, 'b, T> {
    kernel: &'a Kernel,
    rows: &'a mut KernelRows<'b, T>,
}

/// Some rows and columns. If the tile has more than one row, it has all columns.
struct Tile {
    rows: std::ops::Range<usize>,
    columns: std::ops::Range<usize>,
}

impl<T: Element> Loop for Interpreter<'_, '_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { kernel, rows } = self;
        let (count, length) = (rows.count, rows.length);
        let most = TILE_BYTES / size_of::<T>();
        let uses = Uses::new(kernel);
        let mut scratch = scratch::take();
        let mut tile = Tile { rows: 0..0, columns: 0..length };
        // Ends are computed row by row from whole rows, so then a tile has only one row.
        let together = if rows.ends.is_empty() { (most / length.max(1)).max(1) } else { 1 };
        let mut spare = Spare::new(rows);
        while tile.rows.end < count && length > 0 {
            let start = tile.rows.end;
            tile.rows = start..count.min(start + together);
            for first in (0..length).step_by(most) {
                tile.columns = first..length.min(first + most);
                interpret_tile::<T, FMA>(kernel, &uses, rows, &tile, &mut scratch, &mut spare);
            }
            tile.columns = 0..length;
            rows.finish(start, |output| match &rows.outputs[output] {
                Some(operand) => operand.row(start),
                None => spare.row(output),
            });
        }
        scratch::keep(scratch);
    }
}

/// Rows that are not kept need no allocation if they have up to this many elements together.
const INLINE_SPARE_ELEMENTS: usize = 512;

/// Memory for a row of each output that only an end reads.
struct Spare<T> {
    length: usize,
    of: SmallVec<[usize; 4]>,
    rows: SmallVec<[T; INLINE_SPARE_ELEMENTS]>,
}

impl<T: Element> Spare<T> {
    fn new(rows: &KernelRows<'_, T>) -> Self {
        let none = |output: &usize| rows.outputs[*output].is_none();
        let of: SmallVec<[usize; 4]> = rows.ends.iter().copied().filter(none).collect();
        Self { length: rows.length, rows: smallvec![T::zero(); of.len() * rows.length], of }
    }

    fn start(&self, output: usize) -> Option<usize> {
        self.of.iter().position(|of| *of == output).map(|place| place * self.length)
    }

    fn row(&self, output: usize) -> &[T] {
        let start = self.start(output).unwrap_or_default();
        &self.rows[start..start + self.length]
    }
}

/// Where the values of a kernel are used.
struct Uses {
    /// For each input and expression, the argument that holds its value: the argument itself or, for a copy,
    /// its original.
    same: SmallVec<[u16; 96]>,
    /// The last expression at which each value is needed.
    last: SmallVec<[u16; 96]>,
    /// The outputs, in the order of the expressions that compute them.
    outputs: SmallVec<[u16; 32]>,
}

impl Uses {
    fn new(kernel: &Kernel) -> Self {
        let inputs = kernel.inputs.len();
        let mut same: SmallVec<[u16; 96]> = (0..inputs as u16).collect();
        let mut last: SmallVec<[u16; 96]> = smallvec![0; inputs];
        for (number, Expr { op, args }) in kernel.body.iter().enumerate() {
            let own = match op {
                KernelOp::Copy => same[usize::from(args[0])],
                _ => (inputs + number) as u16,
            };
            same.push(own);
            last.push(number as u16);
            args.iter().for_each(|arg| last[usize::from(same[usize::from(*arg)])] = number as u16);
        }
        for (_, of) in &kernel.outputs {
            let root = usize::from(same[inputs + usize::from(*of)]);
            last[root] = last[root].max(*of);
        }
        let mut outputs: SmallVec<[u16; 32]> = (0..kernel.outputs.len() as u16).collect();
        outputs.sort_unstable_by_key(|output| (kernel.outputs[usize::from(*output)].1, *output));
        Self { same, last, outputs }
    }
}

/// Computes the outputs of one tile.
#[inline(always)]
fn interpret_tile<T: Element, const FMA: bool>(
    kernel: &Kernel,
    uses: &Uses,
    rows: &mut KernelRows<'_, T>,
    tile: &Tile,
    scratch: &mut Vec<T>,
    spare: &mut Spare<T>,
) {
    let inputs = kernel.inputs.len();
    let elements = tile.rows.len() * tile.columns.len();
    let mut held: SmallVec<[ArgumentPlace<T>; 96]> = SmallVec::new();
    let mut buffers = Buffers { scratch, size: elements, free: SmallVec::new(), count: 0 };
    read_inputs(rows, tile, &mut buffers, &mut held);
    let mut outputs = uses.outputs.iter().map(|output| usize::from(*output)).peekable();
    for (expression, Expr { op, args }) in kernel.body.iter().enumerate() {
        let result = match *op {
            KernelOp::Number(number) => ArgumentPlace::Number(T::from_f64(number)),
            KernelOp::LossScale => ArgumentPlace::Number(T::one()),
            KernelOp::Copy => held[usize::from(args[0])],
            KernelOp::Pointwise(op) => {
                let buffer = buffers.take();
                let (out, others) = buffers.split(buffer);
                let argument = |arg: usize| {
                    let arg = usize::from(uses.same[usize::from(args[arg])]);
                    match held[arg] {
                        ArgumentPlace::Buffer(buffer) => Argument::Elements(others.get(buffer)),
                        ArgumentPlace::Input(input) => {
                            let row = rows.inputs[input].row(tile.rows.start);
                            Argument::Elements(&row[tile.columns.clone()])
                        }
                        ArgumentPlace::Number(number) => Argument::Number(number),
                    }
                };
                apply::<T, FMA>(op, out, argument);
                ArgumentPlace::Buffer(buffer)
            }
        };
        held.push(result);
        let is_own = |output: &usize| usize::from(kernel.outputs[*output].1) == expression;
        while let Some(output) = outputs.next_if(is_own) {
            write_output(rows, output, tile, result, &mut buffers, spare);
        }
        // Frees the buffers that are no longer needed; a copy shares the buffer of its original.
        let done = |arg: usize| {
            usize::from(uses.same[arg]) == arg && usize::from(uses.last[arg]) == expression
        };
        for arg in args.iter().map(|arg| usize::from(uses.same[usize::from(*arg)])) {
            if let ArgumentPlace::Buffer(buffer) = held[arg]
                && done(arg)
            {
                buffers.give(buffer);
            }
        }
        if let ArgumentPlace::Buffer(buffer) = result
            && done(inputs + expression)
        {
            buffers.give(buffer);
        }
    }
}

/// Reads the inputs of a tile into buffers, unless they can be read in place.
#[inline(always)]
fn read_inputs<T: Element>(
    rows: &KernelRows<'_, T>,
    tile: &Tile,
    buffers: &mut Buffers<'_, T>,
    held: &mut SmallVec<[ArgumentPlace<T>; 96]>,
) {
    let mut own = 0;
    for by in rows.overwritten {
        if let Some(output) = by {
            let buffer = buffers.take();
            let overwritten = rows.outputs[usize::from(*output)].as_ref();
            let overwritten = overwritten.expect("what is overwritten has memory");
            let to = buffers.get(buffer).chunks_exact_mut(tile.columns.len());
            for (to, row) in to.zip(tile.rows.clone()) {
                to.copy_from_slice(&overwritten.row(row)[tile.columns.clone()]);
            }
            held.push(ArgumentPlace::Buffer(buffer));
            continue;
        }
        let input = &rows.inputs[own];
        own += 1;
        held.push(match input.width() == rows.length {
            // If the tile has a single row, its elements are read in place.
            true if tile.rows.len() == 1 => ArgumentPlace::Input(own - 1),
            false if tile.rows.len() == 1 => ArgumentPlace::Number(input.row(tile.rows.start)[0]),
            whole => {
                let buffer = buffers.take();
                let to = buffers.get(buffer).chunks_exact_mut(rows.length);
                for (to, row) in to.zip(tile.rows.clone()) {
                    match whole {
                        true => to.copy_from_slice(input.row(row)),
                        false => to.fill(input.row(row)[0]),
                    }
                }
                ArgumentPlace::Buffer(buffer)
            }
        });
    }
}

/// Writes an output of a tile, if it is kept or an end reads it.
#[inline(always)]
fn write_output<T: Element>(
    rows: &mut KernelRows<'_, T>,
    number: usize,
    tile: &Tile,
    result: ArgumentPlace<T>,
    buffers: &mut Buffers<'_, T>,
    spare: &mut Spare<T>,
) {
    let output = &mut rows.outputs[number];
    for (part, row) in tile.rows.clone().enumerate() {
        let to = match (&mut *output, spare.start(number)) {
            (Some(output), _) => output.row_mut(row),
            (None, Some(start)) => &mut spare.rows[start..start + spare.length],
            (None, None) => continue,
        };
        let to = &mut to[tile.columns.clone()];
        match result {
            ArgumentPlace::Buffer(buffer) => {
                let from = &buffers.get(buffer)[part * to.len()..][..to.len()];
                to.copy_from_slice(from);
            }
            ArgumentPlace::Input(input) => {
                let from = rows.inputs[input].row(row);
                to.copy_from_slice(&from[tile.columns.clone()]);
            }
            ArgumentPlace::Number(number) => to.fill(number),
        }
    }
}

/// Buffers of a tile's size, consecutive in memory.
struct Buffers<'a, T> {
    scratch: &'a mut Vec<T>,
    size: usize,
    free: SmallVec<[usize; 32]>,
    count: usize,
}

/// All buffers but one.
struct Others<'a, T> {
    before: &'a [T],
    behind: &'a [T],
    size: usize,
}

impl<T: Element> Buffers<'_, T> {
    fn take(&mut self) -> usize {
        self.free.pop().unwrap_or_else(|| {
            self.count += 1;
            if self.scratch.len() < self.count * self.size {
                self.scratch.resize(self.count * self.size, T::zero());
            }
            self.count - 1
        })
    }

    fn give(&mut self, buffer: usize) {
        // An op may read one argument twice.
        if !self.free.contains(&buffer) {
            self.free.push(buffer);
        }
    }

    fn get(&mut self, buffer: usize) -> &mut [T] {
        &mut self.scratch[buffer * self.size..][..self.size]
    }

    fn split(&mut self, buffer: usize) -> (&mut [T], Others<'_, T>) {
        let (before, rest) = self.scratch.split_at_mut(buffer * self.size);
        let (own, behind) = rest.split_at_mut(self.size);
        (own, Others { before, behind, size: self.size })
    }
}

impl<'a, T> Others<'a, T> {
    fn get(&self, buffer: usize) -> &'a [T] {
        let start = buffer * self.size;
        match start < self.before.len() {
            true => &self.before[start..][..self.size],
            false => &self.behind[start - self.before.len() - self.size..][..self.size],
        }
    }
}

macro_rules! apply {
    (
        unary { $($(#[$unary_doc:meta])* $unary:ident = $unary_name:ident, $unary_surface:expr, $unary_rule:ident;)* }
        binary { $($(#[$binary_doc:meta])* $binary:ident = $binary_name:ident, $binary_surface:expr, $binary_rule:ident;)* }
        ternary { $($(#[$ternary_doc:meta])* $ternary:ident = $ternary_name:ident, $ternary_surface:expr, $ternary_rule:ident;)* }
    ) => {
        #[inline(always)]
        fn apply<'a, T: Element, const FMA: bool>(
            op: Pointwise,
            out: &mut [T],
            argument: impl Fn(usize) -> Argument<'a, T>,
        ) {
            match op {
                $(Pointwise::$unary => map::<kernels::$unary, T, FMA>(out, argument(0)),)*
                $(Pointwise::$binary => {
                    zip::<kernels::$binary, T, FMA>(out, argument(0), argument(1));
                })*
                $(Pointwise::$ternary => {
                    let arguments = [argument(0), argument(1), argument(2)];
                    zip_three::<kernels::$ternary, T, FMA>(out, arguments);
                })*
            }
        }
    };
}

edb_ir::for_each_pointwise!(apply);

#[inline(always)]
fn map<F: Unary<T>, T: Element, const FMA: bool>(out: &mut [T], x: Argument<'_, T>) {
    match x {
        Argument::Elements(x) => {
            let x = &x[..out.len()];
            for i in 0..out.len() {
                out[i] = F::apply::<FMA>(x[i]);
            }
        }
        Argument::Number(x) => out.fill(F::apply::<FMA>(x)),
    }
}

#[inline(always)]
fn zip_three<F: Ternary<T>, T: Element, const FMA: bool>(
    out: &mut [T],
    arguments: [Argument<'_, T>; 3],
) {
    match arguments {
        [Argument::Elements(a), Argument::Elements(b), Argument::Elements(c)] => {
            let (a, b, c) = (&a[..out.len()], &b[..out.len()], &c[..out.len()]);
            for i in 0..out.len() {
                out[i] = F::apply::<FMA>(a[i], b[i], c[i]);
            }
        }
        // If some arguments are numbers, there is one loop, which checks the kind of the arguments at each
        // element.
        [a, b, c] => {
            let element = |argument: &Argument<'_, T>, i: usize| match argument {
                Argument::Elements(elements) => elements[i],
                Argument::Number(number) => *number,
            };
            for i in 0..out.len() {
                out[i] = F::apply::<FMA>(element(&a, i), element(&b, i), element(&c, i));
            }
        }
    }
}

#[inline(always)]
fn zip<F: Binary<T>, T: Element, const FMA: bool>(
    out: &mut [T],
    a: Argument<'_, T>,
    b: Argument<'_, T>,
) {
    match (a, b) {
        (Argument::Elements(a), Argument::Elements(b)) => {
            let (a, b) = (&a[..out.len()], &b[..out.len()]);
            for i in 0..out.len() {
                out[i] = F::apply::<FMA>(a[i], b[i]);
            }
        }
        (Argument::Elements(a), Argument::Number(b)) => {
            let a = &a[..out.len()];
            for i in 0..out.len() {
                out[i] = F::apply::<FMA>(a[i], b);
            }
        }
        (Argument::Number(a), Argument::Elements(b)) => {
            let b = &b[..out.len()];
            for i in 0..out.len() {
                out[i] = F::apply::<FMA>(a, b[i]);
            }
        }
        (Argument::Number(a), Argument::Number(b)) => out.fill(F::apply::<FMA>(a, b)),
    }
}
