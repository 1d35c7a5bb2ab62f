//! Interprets kernels that have no compiled code: op by op, over tiles that stay in cache.
//!
//! A tile is a part of a row, or several whole rows that are copied side by side, so each op is one vectorised
//! loop over many elements. Where each value of a kernel lies is decided once for all tiles (a [`Script`]): a
//! buffer is reused after the last use of its value.

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

/// The size of a buffer in bytes. The buffers that a kernel reads and writes at a time stay in a level-1 cache.
const TILE_BYTES: usize = 4096;

compiled_here! {
    /// Interprets a kernel.
    pub(super) fn interpret(kernel: &Kernel, rows: &mut KernelRows<'_, T>) {
        rows.join();
        dispatch_on(rows.isa, Interpreter { kernel, rows });
    }
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
        let together = (most / length.max(1)).clamp(1, count.max(1));
        // Filled where it is, since it is large.
        let mut script = Script { steps: SmallVec::new(), buffers: 0 };
        script.fill(kernel, rows, together > 1);
        let all = script.buffers * most.min(together * length);
        let of = Unkept::of(rows);
        let mut memory = scratch::take();
        if memory.len() < all + of.len() * together * length {
            memory.resize(all + of.len() * together * length, T::zero());
        }
        let (all, unkept) = memory.split_at_mut(all);
        let mut unkept = Unkept { length, count: together, of, rows: unkept };
        let mut tile = Tile { rows: 0..0, columns: 0..length };
        while tile.rows.end < count && length > 0 {
            let start = tile.rows.end;
            tile.rows = start..count.min(start + together);
            for first in (0..length).step_by(most) {
                tile.columns = first..length.min(first + most);
                let size = tile.rows.len() * tile.columns.len();
                script.run::<FMA>(rows, &tile, Buffers { all, size }, &mut unkept);
            }
            tile.columns = 0..length;
            for row in tile.rows.clone() {
                rows.finish(row, |output| match &rows.outputs[output] {
                    Some(operand) => operand.row(row),
                    None => unkept.row(output, row - start),
                });
            }
        }
        scratch::keep(memory);
    }
}

/// The rows in a tile of each output that only an end reads.
struct Unkept<'a, T> {
    length: usize,
    /// How many rows a tile has.
    count: usize,
    of: SmallVec<[usize; 4]>,
    rows: &'a mut [T],
}

impl<T: Element> Unkept<'_, T> {
    /// These outputs.
    fn of(rows: &KernelRows<'_, T>) -> SmallVec<[usize; 4]> {
        rows.ends.iter().copied().filter(|output| rows.outputs[*output].is_none()).collect()
    }

    fn start(&self, output: usize, row: usize) -> Option<usize> {
        let place = self.of.iter().position(|of| *of == output);
        place.map(|place| (place * self.count + row) * self.length)
    }

    fn row(&self, output: usize, row: usize) -> &[T] {
        let start = self.start(output, row).unwrap_or_default();
        &self.rows[start..start + self.length]
    }
}

/// Where a value is while a tile is computed.
#[derive(Clone, Copy)]
enum Place<T> {
    /// In a buffer, by its number.
    Buffer(u16),
    /// In a part of a row of an input, by the input's number among those that are not overwritten.
    Input(u16),
    /// It is the same number in each element.
    Number(T),
}

/// What is done for a tile.
enum Step<T> {
    /// Fills a buffer with rows of an input.
    Read { input: u16, to: u16 },
    /// The same with what an output holds.
    ReadOutput { output: u16, to: u16 },
    /// Writes an output, if it is kept or an end reads it.
    Write { output: u16, from: Place<T> },
    /// Computes an op.
    Apply { op: Pointwise, args: [Place<T>; 3], to: u16 },
}

/// What is done for each tile, one after the other.
struct Script<T> {
    steps: SmallVec<[Step<T>; 64]>,
    buffers: usize,
}

impl<T: Element> Script<T> {
    /// Adds the steps of a kernel to an empty script. `together` says whether a tile has several rows, which are then
    /// copied side by side.
    fn fill(&mut self, kernel: &Kernel, rows: &KernelRows<'_, T>, together: bool) {
        let inputs = kernel.inputs.len();
        let last = last_uses(kernel);
        let steps = &mut self.steps;
        let mut held: SmallVec<[Place<T>; 96]> = SmallVec::new();
        let mut spare = SpareBuffers { free: SmallVec::new(), count: 0 };
        let mut own = 0;
        for by in rows.overwritten {
            if let Some(output) = by {
                let to = spare.take();
                steps.push(Step::ReadOutput { output: *output, to });
                held.push(Place::Buffer(to));
                continue;
            }
            let input = own;
            own += 1;
            held.push(match together || rows.inputs[usize::from(input)].width() != rows.length {
                // If the tile has a single row, its elements are read in place.
                false => Place::Input(input),
                true => {
                    let to = spare.take();
                    steps.push(Step::Read { input, to });
                    Place::Buffer(to)
                }
            });
        }
        let mut outputs: SmallVec<[u16; 32]> = (0..kernel.outputs.len() as u16).collect();
        outputs.sort_unstable_by_key(|output| (kernel.outputs[usize::from(*output)].1, *output));
        let mut outputs = outputs.into_iter().peekable();
        for (expression, Expr { op, args }) in kernel.body.iter().enumerate() {
            let place = |arg: usize| args.get(arg).map(|arg| held[usize::from(*arg)]);
            let result = match *op {
                KernelOp::Number(number) => Place::Number(T::from_f64(number)),
                KernelOp::LossScale => Place::Number(T::one()),
                KernelOp::Copy => held[usize::from(args[0])],
                KernelOp::Pointwise(op) => {
                    let none = Place::Number(T::zero());
                    let args = [0, 1, 2].map(|arg| place(arg).unwrap_or(none));
                    let to = spare.take();
                    steps.push(Step::Apply { op, args, to });
                    Place::Buffer(to)
                }
            };
            held.push(result);
            let is_own =
                |output: &u16| usize::from(kernel.outputs[usize::from(*output)].1) == expression;
            while let Some(output) = outputs.next_if(is_own) {
                steps.push(Step::Write { output, from: result });
            }
            let own = inputs + expression;
            for arg in args.iter().map(|arg| usize::from(*arg)).chain([own]) {
                if let Place::Buffer(buffer) = held[arg]
                    && last[arg] == expression
                {
                    spare.give(buffer);
                }
            }
        }
        self.buffers = usize::from(spare.count);
    }

    /// Computes the outputs of one tile.
    #[inline(always)]
    fn run<const FMA: bool>(
        &self,
        rows: &mut KernelRows<'_, T>,
        tile: &Tile,
        mut buffers: Buffers<'_, T>,
        unkept: &mut Unkept<'_, T>,
    ) {
        let width = tile.columns.len();
        for step in &self.steps {
            match *step {
                Step::Read { input, to } => {
                    let input = &rows.inputs[usize::from(input)];
                    let to = buffers.get(to).chunks_exact_mut(width);
                    for (to, row) in to.zip(tile.rows.clone()) {
                        match input.row(row) {
                            row if input.width() == rows.length => {
                                copy(to, &row[tile.columns.clone()]);
                            }
                            number => to.fill(number[0]),
                        }
                    }
                }
                Step::ReadOutput { output, to } => {
                    let output = rows.outputs[usize::from(output)].as_ref();
                    let output = output.expect("what is overwritten has memory");
                    let to = buffers.get(to).chunks_exact_mut(width);
                    for (to, row) in to.zip(tile.rows.clone()) {
                        copy(to, &output.row(row)[tile.columns.clone()]);
                    }
                }
                Step::Write { output: number, from } => {
                    let number = usize::from(number);
                    let output = &mut rows.outputs[number];
                    for (part, row) in tile.rows.clone().enumerate() {
                        let to = match (&mut *output, unkept.start(number, part)) {
                            (Some(output), _) => output.row_mut(row),
                            (None, Some(start)) => &mut unkept.rows[start..start + unkept.length],
                            (None, None) => break,
                        };
                        let to = &mut to[tile.columns.clone()];
                        match from {
                            Place::Buffer(buffer) => {
                                copy(to, &buffers.get(buffer)[part * width..][..width]);
                            }
                            Place::Input(input) => {
                                let row = rows.inputs[usize::from(input)].row(row);
                                copy(to, &row[tile.columns.clone()]);
                            }
                            Place::Number(number) => to.fill(number),
                        }
                    }
                }
                Step::Apply { op, ref args, to } => {
                    let (out, others) = buffers.split(to);
                    let argument = |arg: usize| match args[arg] {
                        Place::Buffer(buffer) => Argument::Elements(others.get(buffer)),
                        Place::Input(input) => {
                            let row = rows.inputs[usize::from(input)].row(tile.rows.start);
                            Argument::Elements(&row[tile.columns.clone()])
                        }
                        Place::Number(number) => Argument::Number(number),
                    };
                    apply::<T, FMA>(op, out, argument);
                }
            }
        }
    }
}

/// The last expression at which the buffer of each input and expression is needed. A copy needs the buffer of its
/// original.
fn last_uses(kernel: &Kernel) -> SmallVec<[usize; 96]> {
    let inputs = kernel.inputs.len();
    let mut same: SmallVec<[usize; 96]> = (0..inputs).collect();
    let mut last: SmallVec<[usize; 96]> = smallvec![0; inputs];
    for (number, Expr { op, args }) in kernel.body.iter().enumerate() {
        same.push(match op {
            KernelOp::Copy => same[usize::from(args[0])],
            _ => inputs + number,
        });
        last.push(number);
        args.iter().for_each(|arg| last[same[usize::from(*arg)]] = number);
    }
    for (_, of) in &kernel.outputs {
        let root = same[inputs + usize::from(*of)];
        last[root] = last[root].max(usize::from(*of));
    }
    same.iter().map(|root| last[*root]).collect()
}

/// The buffers of a script that no value needs.
struct SpareBuffers {
    free: SmallVec<[u16; 32]>,
    count: u16,
}

impl SpareBuffers {
    fn take(&mut self) -> u16 {
        self.free.pop().unwrap_or_else(|| {
            self.count += 1;
            self.count - 1
        })
    }

    fn give(&mut self, buffer: u16) {
        // An op may read one argument twice.
        if !self.free.contains(&buffer) {
            self.free.push(buffer);
        }
    }
}

/// Buffers of a tile's size, consecutive in memory.
struct Buffers<'a, T> {
    all: &'a mut [T],
    size: usize,
}

/// All buffers but one.
struct Others<'a, T> {
    before: &'a [T],
    behind: &'a [T],
    size: usize,
}

impl<T> Buffers<'_, T> {
    #[inline(always)]
    fn get(&mut self, buffer: u16) -> &mut [T] {
        &mut self.all[usize::from(buffer) * self.size..][..self.size]
    }

    #[inline(always)]
    fn split(&mut self, buffer: u16) -> (&mut [T], Others<'_, T>) {
        let (before, rest) = self.all.split_at_mut(usize::from(buffer) * self.size);
        let (own, behind) = rest.split_at_mut(self.size);
        (own, Others { before, behind, size: self.size })
    }
}

impl<'a, T> Others<'a, T> {
    #[inline(always)]
    fn get(&self, buffer: u16) -> &'a [T] {
        let start = usize::from(buffer) * self.size;
        match start < self.before.len() {
            true => &self.before[start..][..self.size],
            false => &self.behind[start - self.before.len() - self.size..][..self.size],
        }
    }
}

/// Copies a part of a row. Rows are short, so that calling a function would take longer than copying.
#[inline(always)]
fn copy<T: Element>(to: &mut [T], from: &[T]) {
    let (to, rest) = to.as_chunks_mut::<16>();
    let (from, last) = from.as_chunks::<16>();
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
    for (to, from) in rest.iter_mut().zip(last) {
        *to = *from;
    }
}

/// An argument over a tile.
#[derive(Clone, Copy)]
enum Argument<'a, T> {
    Elements(&'a [T]),
    Number(T),
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
