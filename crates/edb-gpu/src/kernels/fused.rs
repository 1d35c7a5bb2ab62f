//! Fused kernels: what of a function's plan a kernel computes, its parameters and its blocks.
//!
//! Each thread computes the same columns of several rows: as many columns as one vectorised access
//! of 16 bytes holds, or of fewer bytes if an operand's alignment demands it. Children's states,
//! and for edges the values of the vertex that they enter, are read in place. In a kernel that ends
//! in reductions, a block computes a row.

use edb_core::backend::{BoundFunction, Field};
use edb_ir::routine::KernelOp;
use edb_ir::{Domain, Home, Kernel, Span};

use super::parameters::{Arguments, ElementType, Kind, Passed, Pointee, Read, Real, Stored};
use super::rows::{Index, Mode, Rows};
use crate::blocks::{Blocks, THREADS};
use crate::driver::Address;
use crate::number::{Number, Numbers};

/// The maximum bytes of a vectorised access.
const ACCESS: usize = 16;
/// Vectorised accesses need registers: kernels of more operands than this do not use them.
const MOST_PACKED: usize = 28;

/// How an operand of a step over the rows of `domain` is read.
pub(crate) fn mode(function: &BoundFunction, field: Field, domain: Domain) -> Mode {
    let record = &function.routine.records[field.record];
    match (record.domain, domain) {
        (stored, domain) if stored == domain => match [record.training, record.inference] {
            [Home::Child(..), _] | [_, Home::Child(..)] => Mode::Gather,
            _ => Mode::SameRow,
        },
        (Domain::Step, Domain::Vertex | Domain::Edge) => Mode::One,
        (Domain::Vertex, Domain::Edge) => Mode::Owner,
        // Sums over rows read their operand row by row.
        _ => Mode::SameRow,
    }
}

/// A parameter of a kernel. The numbers are those of its inputs, outputs and reductions ("ends").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FusedParameter {
    /// The number of rows.
    Rows,
    /// The function's row number of the first vertex.
    First,
    /// The zeros that are read for an absent child.
    Zeros,
    /// The address of the loss scale.
    LossScale,
    /// The vertex that each edge enters.
    Owners,
    /// An output.
    Output(usize),
    /// Whether an output is stored at all.
    Kept(usize),
    /// An input.
    Input(usize),
    /// The child of each row.
    Children(usize),
    /// The result of a reduction.
    End(usize),
    /// Whether that is stored at all.
    EndKept(usize),
    /// The index that a reduction reads.
    Index(usize),
    /// The children whose index that is.
    Indexed(usize),
}

/// The operands of a launch of a fused kernel.
pub(crate) trait FusedOperands {
    fn rows(&self) -> usize;
    fn first(&self) -> u32;
    fn zeros(&self) -> Address;
    fn loss_scale(&self) -> Address;
    fn owners(&self) -> Address;
    /// Where an output is written; 0 if nowhere.
    fn output(&self, output: usize) -> Address;
    /// Whether an output is read by anything but this kernel.
    fn is_kept(&self, output: usize) -> bool;
    fn input(&self, input: usize) -> Rows;
    /// Where the result of a reduction is written, if anything reads it.
    fn end(&self, end: usize) -> Option<Address>;
    /// The index that a reduction reads.
    fn index(&self, end: usize) -> Index;
}

impl FusedParameter {
    /// Adds its argument in a launch, of the kind that [`FusedKernel::declared`] says.
    fn pass(self, operands: &impl FusedOperands, to: &mut Arguments) {
        match self {
            Self::Rows => usize::pass(operands.rows(), to),
            Self::First => u32::pass(operands.first(), to),
            Self::Zeros => to.address(operands.zeros()),
            Self::LossScale => to.address(operands.loss_scale()),
            Self::Owners => to.address(operands.owners()),
            Self::Output(output) => to.address(operands.output(output)),
            Self::Kept(output) => bool::pass(operands.is_kept(output), to),
            Self::Input(input) => to.address(operands.input(input).address),
            Self::Children(input) => to.address(operands.input(input).index),
            Self::End(end) => to.address(operands.end(end).unwrap_or(0)),
            Self::EndKept(end) => bool::pass(operands.end(end).is_some(), to),
            Self::Index(end) => to.address(operands.index(end).address),
            Self::Indexed(end) => to.address(operands.index(end).children.unwrap_or(0)),
        }
    }
}

/// A fused kernel that is loaded, as its launches need it.
#[derive(Debug)]
pub(crate) struct Fused {
    /// Its number among the kernels of its source.
    pub(crate) number: usize,
    pub(crate) blocks: Blocks,
    parameters: Vec<FusedParameter>,
}

impl Fused {
    /// The arguments of a launch.
    pub(crate) fn arguments(&self, operands: &impl FusedOperands, numbers: Numbers) -> Arguments {
        let mut arguments = Arguments::new(numbers);
        self.parameters.iter().for_each(|parameter| parameter.pass(operands, &mut arguments));
        arguments
    }
}

/// An operand, as the text of a kernel sees it.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    /// Its elements in a row.
    pub width: usize,
    /// The elements from one row to the next.
    pub stride: usize,
    /// The type of its elements.
    pub element_type: ElementType,
    field: Field,
    number: Number,
}

impl Operand {
    fn new(numbers: Numbers, function: &BoundFunction, span: Span) -> Self {
        let field = function.routine.field(span);
        let stride = function.routine.records[field.record].stride;
        let number = numbers.of_record(function, field.record);
        let element_type = if number == numbers.stored { Stored::TYPE } else { Real::TYPE };
        Self { width: field.width, stride, element_type, field, number }
    }

    /// Whether its rows can be read `lanes` elements at a time.
    fn is_aligned(&self, lanes: usize) -> bool {
        let lanes = lanes.min(ACCESS / self.number.size());
        self.stride.is_multiple_of(lanes) && self.field.start.is_multiple_of(lanes)
    }
}

/// A fused kernel of a function, to be written by a dialect.
#[derive(Debug)]
pub struct FusedKernel<'a> {
    /// The kernel of the plan.
    pub kernel: &'a Kernel,
    /// The operands that it reads.
    pub inputs: Vec<Operand>,
    /// The operands that it writes.
    pub outputs: Vec<Operand>,
    /// The results of its reductions.
    pub ends: Vec<Operand>,
    /// How each input is read.
    pub modes: Vec<Mode>,
    /// The elements of a row.
    pub width: usize,
    /// The elements of a vectorised access.
    pub lanes: usize,
    /// The threads that compute a row together, if the kernel has reductions.
    pub team: Option<u32>,
    /// How its rows are divided.
    pub blocks: Blocks,
    /// Whether it reads the loss scale; where losses are not scaled, it uses the constant 1.
    pub is_scaled: bool,
    function: &'a BoundFunction,
}

impl<'a> FusedKernel<'a> {
    pub(crate) fn new(numbers: Numbers, function: &'a BoundFunction, kernel: &'a Kernel) -> Self {
        let operand = |span: &Span| Operand::new(numbers, function, *span);
        let inputs: Vec<Operand> = kernel.inputs.iter().map(operand).collect();
        let outputs: Vec<Operand> = kernel.outputs.iter().map(|(out, _)| operand(out)).collect();
        let ends = kernel.ends.iter().map(|end| operand(&end.out)).collect();
        let width = outputs.first().map_or(1, |out| out.width);
        let modes = inputs.iter().map(|input| mode(function, input.field, kernel.domain));
        let modes = modes.collect();
        let lanes = lanes(width, || inputs.iter().chain(&outputs));
        let columns = (width / lanes) as u32;
        let team = (!kernel.ends.is_empty()).then(|| columns.next_power_of_two().clamp(32, 256));
        let threads = match team {
            Some(team) => [team, 1],
            None => {
                let across = columns.next_power_of_two().min(THREADS);
                [across, THREADS / across]
            }
        };
        let across = if team.is_some() { 1 } else { columns.div_ceil(threads[0]) };
        let blocks = Blocks { threads, at_once: threads[1], across };
        let reads_scale = kernel.body.iter().any(|expr| expr.op == KernelOp::LossScale);
        let is_scaled = numbers.scales_losses() && reads_scale;
        Self {
            kernel,
            inputs,
            outputs,
            ends,
            modes,
            width,
            lanes,
            team,
            blocks,
            is_scaled,
            function,
        }
    }

    /// The kernel as its launches need it, by its number among the kernels of a source.
    pub(crate) fn loaded_as(&self, number: usize) -> Fused {
        Fused { number, blocks: self.blocks, parameters: self.parameters() }
    }

    /// The name and the type of a parameter.
    pub fn declared(&self, parameter: FusedParameter) -> (String, Kind) {
        let numbered = |name: &str, number: usize, kind: Kind| (format!("{name}{number}"), kind);
        match parameter {
            FusedParameter::Rows => ("rows".into(), usize::KIND),
            FusedParameter::First => ("first".into(), u32::KIND),
            FusedParameter::Zeros => ("zeros".into(), <Read<Stored>>::KIND),
            FusedParameter::LossScale => ("loss_scale".into(), <Read<Real>>::KIND),
            FusedParameter::Owners => ("owners".into(), <Read<u32>>::KIND),
            FusedParameter::Output(output) => {
                numbered("o", output, Kind::Write(self.outputs[output].element_type))
            }
            FusedParameter::Kept(output) => numbered("kept", output, bool::KIND),
            FusedParameter::Input(input) => {
                numbered("i", input, Kind::Read(self.inputs[input].element_type))
            }
            FusedParameter::Children(input) => numbered("children", input, <Read<u32>>::KIND),
            FusedParameter::End(end) => {
                numbered("e", end, Kind::Write(self.ends[end].element_type))
            }
            FusedParameter::EndKept(end) => numbered("end_kept", end, bool::KIND),
            FusedParameter::Index(end) => numbered("index", end, <Read<u32>>::KIND),
            FusedParameter::Indexed(end) => numbered("indexed", end, <Read<u32>>::KIND),
        }
    }

    /// Its parameters, in order.
    pub fn parameters(&self) -> Vec<FusedParameter> {
        let mut parameters = vec![FusedParameter::Rows, FusedParameter::First];
        let has = |mode: Mode| self.modes.contains(&mode);
        let indexed = self.kernel.indices().next().is_some();
        if has(Mode::Gather) {
            parameters.push(FusedParameter::Zeros);
        }
        if has(Mode::Owner) || indexed && self.kernel.domain == Domain::Edge {
            parameters.push(FusedParameter::Owners);
        }
        if self.is_scaled {
            parameters.push(FusedParameter::LossScale);
        }
        for output in 0..self.outputs.len() {
            parameters.push(FusedParameter::Output(output));
            if self.is_optional(output) {
                parameters.push(FusedParameter::Kept(output));
            }
        }
        for (input, mode) in self.modes.iter().enumerate() {
            if self.kernel.in_place(input).is_none() {
                parameters.push(FusedParameter::Input(input));
                if *mode == Mode::Gather {
                    parameters.push(FusedParameter::Children(input));
                }
            }
        }
        for (number, end) in self.kernel.ends.iter().enumerate() {
            parameters.extend([FusedParameter::End(number), FusedParameter::EndKept(number)]);
            if end.index.is_some() {
                parameters.push(FusedParameter::Index(number));
            }
            if self.reads_index_of_child(number) {
                parameters.push(FusedParameter::Indexed(number));
            }
        }
        parameters
    }

    /// Whether a reduction reads an index of a child.
    pub fn reads_index_of_child(&self, end: usize) -> bool {
        let record = |index: Span| &self.function.routine.records[index.record];
        let index = self.kernel.ends[end].index.map(record);
        index.is_some_and(|record| matches!(record.training, Home::Child(..)))
    }

    /// The domain of a span.
    pub fn domain_of(&self, span: Span) -> Domain {
        self.function.routine.records[span.record].domain
    }

    /// Whether an output may have no memory; an output that a reduction reads always has some.
    pub fn is_optional(&self, output: usize) -> bool {
        let record = &self.function.routine.records[self.outputs[output].field.record];
        let overwrites =
            (0..self.inputs.len()).any(|input| self.kernel.in_place(input) == Some(output));
        let read = self.kernel.ends.iter().any(|end| usize::from(end.output) == output);
        [record.training, record.inference].contains(&Home::Nowhere) && !overwrites && !read
    }
}

/// The elements that a thread handles at once: as many as one access holds of the smallest element
/// type, if every row is aligned to that.
fn lanes<'a, I: Iterator<Item = &'a Operand>>(width: usize, operands: impl Fn() -> I) -> usize {
    let rows = || operands().filter(|operand| operand.width == width);
    let size = rows().map(|row| row.number.size()).min().unwrap_or(ACCESS);
    let mut lanes = if operands().count() > MOST_PACKED { 1 } else { ACCESS / size };
    while !width.is_multiple_of(lanes) || !rows().all(|row| row.is_aligned(lanes)) {
        lanes /= 2;
    }
    lanes
}
