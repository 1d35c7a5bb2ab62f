//! Interprets kernels that have no compiled code: op by op, over tiles that stay in cache.
//!
//! A tile is a part of a row, or several whole rows, which lie side by side in buffers, so an op is one vectorised
//! loop over many elements. What is read once is read where it lies, and what nothing else needs is written where it
//! belongs, row by row. All this, and where each value of a kernel lies, is decided once for a kernel (a [`Script`]): a
//! buffer is reused after the last use of its value.

use std::sync::OnceLock;

use edb_ir::routine::{Expr, KernelOp};
use edb_ir::{Kernel, Pointwise};
use smallvec::{SmallVec, smallvec};

use super::kernel_rows::KernelRows;
use crate::compiled_here;
use crate::memory::{OperandMut, scratch};
use crate::numbers::Element;
use crate::processor::{Loop, dispatch_on};
use crate::rows::kernels;
use crate::rows::kernels::{Binary, Ternary, Unary};

/// The size of a buffer in bytes. The buffers that a kernel reads and writes at a time stay in a level-1 cache.
const TILE_BYTES: usize = 4096;

/// How a kernel is interpreted, which is found out when it first is: for tiles that are part of a row, and for tiles of
/// several rows. A kernel of one function of a model, whose operands always have the same widths.
#[derive(Clone, Debug, Default)]
pub struct Interpreted {
    scripts: [OnceLock<Script>; 2],
}

compiled_here! {
    /// Interprets a kernel.
    pub(super) fn interpret(kernel: &Kernel, known: &Interpreted, rows: &mut KernelRows<'_, T>) {
        rows.join();
        dispatch_on(rows.isa, Interpreter { kernel, known, rows });
    }
}

struct Interpreter<'a, 'b, T> {
    kernel: &'a Kernel,
    known: &'a Interpreted,
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
        let Self { kernel, known, rows } = self;
        let (count, length) = (rows.count, rows.length);
        let most = TILE_BYTES / size_of::<T>();
        let together = (most / length.max(1)).clamp(1, count.max(1));
        let known = &known.scripts[usize::from(together > 1)];
        let script = known.get_or_init(|| script(kernel, rows, together > 1));
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
                script.run::<T, FMA>(rows, &tile, Buffers { all, size }, &mut unkept);
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
#[derive(Clone, Copy, Debug)]
enum Place {
    /// In a buffer, by its number.
    Buffer(u16),
    /// In rows of an input, by the input's number among those that are not overwritten.
    Input(u16),
    /// It is the same number in each element.
    Number(f64),
}

/// Where an op writes.
#[derive(Clone, Copy, Debug)]
enum To {
    /// Into a buffer, by its number.
    Buffer(u16),
    /// Into rows of an output, if it is kept or an end reads it.
    Output(u16),
}

/// What is done for a tile.
#[derive(Clone, Debug)]
enum Step {
    /// Fills a buffer with rows of an input.
    Read { input: u16, to: u16 },
    /// The same with what an output holds.
    ReadOutput { output: u16, to: u16 },
    /// Writes an output, if it is kept or an end reads it.
    Write { output: u16, from: Place },
    /// Computes an op, row by row if something does not lie in a buffer.
    Apply { op: Pointwise, args: [Place; 3], to: To, by_row: bool },
}

/// What is done for each tile, one after the other.
#[derive(Clone, Debug)]
struct Script {
    steps: Vec<Step>,
    buffers: usize,
}

compiled_here! {
    /// The steps of a kernel. `together` says whether a tile has several rows.
    fn script(kernel: &Kernel, rows: &KernelRows<'_, T>, together: bool) -> Script {
        let mut writer = Writer::new(kernel);
        let mut own = 0;
        for (number, by) in rows.overwritten.iter().enumerate() {
            if let Some(output) = by {
                writer.read(|to| Step::ReadOutput { output: *output, to });
                continue;
            }
            let input = own;
            own += 1;
            // A number for each row is repeated, and what is read often is brought together.
            let is_row = rows.inputs[usize::from(input)].width() == rows.length;
            match is_row && (!together || writer.uses[number] < 2) {
                true => writer.held.push(Place::Input(input)),
                false => writer.read(|to| Step::Read { input, to }),
            }
        }
        writer.write(kernel)
    }
}

/// Writes a script.
struct Writer {
    steps: Vec<Step>,
    /// Where each input and each expression is.
    held: SmallVec<[Place; 96]>,
    spare: SpareBuffers,
    /// How often each is read, and the last expression that needs its buffer.
    uses: SmallVec<[usize; 96]>,
    last: SmallVec<[usize; 96]>,
}

impl Writer {
    fn new(kernel: &Kernel) -> Self {
        let mut uses: SmallVec<[usize; 96]> = smallvec![0; kernel.inputs.len() + kernel.body.len()];
        let args = kernel.body.iter().flat_map(|expression| &expression.args);
        args.for_each(|arg| uses[usize::from(*arg)] += 1);
        Self {
            steps: Vec::new(),
            held: SmallVec::new(),
            spare: SpareBuffers { free: SmallVec::new(), count: 0 },
            uses,
            last: last_uses(kernel),
        }
    }

    /// Fills a buffer with the next input.
    fn read(&mut self, step: impl FnOnce(u16) -> Step) {
        let to = self.spare.take();
        self.steps.push(step(to));
        self.held.push(Place::Buffer(to));
    }

    /// The steps of all expressions, when the inputs are known.
    fn write(mut self, kernel: &Kernel) -> Script {
        let inputs = kernel.inputs.len();
        let mut outputs: SmallVec<[u16; 32]> = (0..kernel.outputs.len() as u16).collect();
        outputs.sort_unstable_by_key(|output| (kernel.outputs[usize::from(*output)].1, *output));
        let mut outputs = outputs.into_iter().peekable();
        for (expression, Expr { op, args }) in kernel.body.iter().enumerate() {
            let own = inputs + expression;
            let is_own =
                |output: &u16| usize::from(kernel.outputs[usize::from(*output)].1) == expression;
            let mut written: SmallVec<[u16; 4]> = SmallVec::new();
            while let Some(output) = outputs.next_if(is_own) {
                written.push(output);
            }
            let result = match *op {
                KernelOp::Number(number) => Place::Number(number),
                KernelOp::LossScale => Place::Number(1.0),
                KernelOp::Copy => self.held[usize::from(args[0])],
                KernelOp::Pointwise(op) => {
                    let place = |arg: usize| args.get(arg).map(|arg| self.held[usize::from(*arg)]);
                    let args = [0, 1, 2].map(|arg| place(arg).unwrap_or(Place::Number(0.0)));
                    let to = match written[..] {
                        [output] if self.uses[own] == 0 => To::Output(output),
                        _ => To::Buffer(self.spare.take()),
                    };
                    let is_input = |place: &Place| matches!(place, Place::Input(_));
                    let by_row = matches!(to, To::Output(_)) || args.iter().any(is_input);
                    self.steps.push(Step::Apply { op, args, to, by_row });
                    match to {
                        To::Buffer(buffer) => Place::Buffer(buffer),
                        // Nothing else needs it.
                        To::Output(_) => {
                            written.clear();
                            Place::Number(0.0)
                        }
                    }
                }
            };
            self.held.push(result);
            for output in written {
                self.steps.push(Step::Write { output, from: result });
            }
            for arg in args.iter().map(|arg| usize::from(*arg)).chain([own]) {
                if let Place::Buffer(buffer) = self.held[arg]
                    && self.last[arg] == expression
                {
                    self.spare.give(buffer);
                }
            }
        }
        Script { steps: self.steps, buffers: usize::from(self.spare.count) }
    }
}

impl Script {
    /// Computes the outputs of one tile.
    #[inline(always)]
    fn run<T: Element, const FMA: bool>(
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
                Step::Write { output, from } => {
                    let KernelRows { inputs, outputs, .. } = &mut *rows;
                    for (part, row) in tile.rows.clone().enumerate() {
                        let Some(to) = output_row(outputs, unkept, output, (row, part)) else {
                            break;
                        };
                        let to = &mut to[tile.columns.clone()];
                        match from {
                            Place::Buffer(buffer) => {
                                copy(to, &buffers.get(buffer)[part * width..][..width]);
                            }
                            Place::Input(input) => {
                                let row = inputs[usize::from(input)].row(row);
                                copy(to, &row[tile.columns.clone()]);
                            }
                            Place::Number(number) => to.fill(T::from_f64(number)),
                        }
                    }
                }
                Step::Apply { .. } => step.apply::<T, FMA>(rows, tile, &mut buffers, unkept),
            }
        }
    }
}

impl Step {
    /// Applies an op over one tile.
    #[inline(always)]
    fn apply<T: Element, const FMA: bool>(
        &self,
        rows: &mut KernelRows<'_, T>,
        tile: &Tile,
        buffers: &mut Buffers<'_, T>,
        unkept: &mut Unkept<'_, T>,
    ) {
        let Self::Apply { op, args, to, by_row } = self else { return };
        let KernelRows { inputs, outputs, .. } = rows;
        let (parts, size) = match by_row {
            true => (tile.rows.len(), tile.columns.len()),
            false => (1, buffers.size),
        };
        for part in 0..parts {
            let row = tile.rows.start + part;
            let (out, others) = match *to {
                To::Buffer(buffer) => {
                    let (own, others) = buffers.split(buffer);
                    (&mut own[part * size..][..size], others)
                }
                To::Output(output) => {
                    let to = output_row(outputs, unkept, output, (row, part));
                    let Some(to) = to else { break };
                    (&mut to[tile.columns.clone()], buffers.all())
                }
            };
            let argument = |arg: usize| match args[arg] {
                Place::Buffer(buffer) => {
                    Argument::Elements(&others.get(buffer)[part * size..][..size])
                }
                Place::Input(input) => {
                    let row = inputs[usize::from(input)].row(row);
                    Argument::Elements(&row[tile.columns.clone()])
                }
                Place::Number(number) => Argument::Number(T::from_f64(number)),
            };
            apply::<T, FMA>(*op, out, argument);
        }
    }
}

/// A row of an output: where the output belongs, or where its end reads it; `None` if nobody does. The row is given by its
/// number, and by its number in the tile.
#[inline(always)]
fn output_row<'r, T: Element>(
    outputs: &'r mut [Option<OperandMut<'_, T>>],
    unkept: &'r mut Unkept<'_, T>,
    output: u16,
    (row, part): (usize, usize),
) -> Option<&'r mut [T]> {
    let output = usize::from(output);
    match &mut outputs[output] {
        Some(output) => Some(output.row_mut(row)),
        None => {
            let start = unkept.start(output, part)?;
            Some(&mut unkept.rows[start..start + unkept.length])
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

/// All buffers, or all but one.
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

    /// All, to be read.
    #[inline(always)]
    fn all(&self) -> Others<'_, T> {
        Others { before: self.all, behind: &[], size: self.size }
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
