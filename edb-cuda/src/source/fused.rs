//! Fused kernels, generated from a function's plan.
//!
//! Each thread computes the same columns of several rows: as many columns as one vectorised access
//! of 16 bytes holds, or of fewer bytes if an operand's alignment demands it. Children's states,
//! and for edges the values of the vertex that they enter, are read in place. In a kernel that ends
//! in reductions, a block computes a row.

use std::fmt::Write as _;

use edb_core::backend::{BoundFunction, Field};
use edb_ir::routine::KernelOp;
use edb_ir::{Domain, Home, Kernel, Span};

use super::expression::{expression, reduction};
use crate::number::{Number, Numbers};

/// The placeholder for a kernel's name until it is known.
pub(super) const NAME: &str = "EDB_NAME";
/// The threads of a block, unless a row needs others.
const THREADS: u32 = 128;
/// The maximum bytes of a vectorised access.
const ACCESS: usize = 16;
/// Vectorised accesses need registers: kernels of more operands than this do not use them.
const MOST_PACKED: usize = 28;

/// Which row of an operand is read for a row of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The same row.
    Each,
    /// The only row.
    One,
    /// The row of the vertex that the edge enters.
    Owner,
    /// The row of a child.
    Gather,
}

/// How an operand of a step over the rows of `domain` is read.
pub(crate) fn mode(function: &BoundFunction, field: Field, domain: Domain) -> Mode {
    let record = &function.routine.records[field.record];
    match (record.domain, domain) {
        (own, domain) if own == domain => match [record.training, record.inference] {
            [Home::Child(..), _] | [_, Home::Child(..)] => Mode::Gather,
            _ => Mode::Each,
        },
        (Domain::Step, Domain::Vertex | Domain::Edge) => Mode::One,
        (Domain::Vertex, Domain::Edge) => Mode::Owner,
        // Sums over rows read their operand row by row.
        _ => Mode::Each,
    }
}

/// A parameter of a kernel. The numbers are those of its inputs, outputs and reductions ("ends").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parameter {
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
    Output(usize),
    /// Whether an output is stored at all.
    Kept(usize),
    Input(usize),
    /// The child of each row.
    Children(usize),
    End(usize),
    EndKept(usize),
    /// The pulled index that a reduction reads.
    Index(usize),
}

/// A fused kernel, as its launches need it.
#[derive(Debug)]
pub(crate) struct Fused {
    /// Its number among the kernels of its source.
    pub(crate) number: usize,
    pub(crate) parameters: Vec<Parameter>,
    /// The threads of a block: across columns, across rows.
    pub(crate) block: [u32; 2],
    /// The blocks per row.
    pub(crate) blocks_of_row: u32,
}

/// An operand, as the generated code sees it.
struct Operand {
    field: Field,
    stride: usize,
    number: Number,
}

impl Operand {
    fn new(numbers: Numbers, function: &BoundFunction, span: Span) -> Self {
        let field = function.routine.field(span);
        let stride = function.routine.records[field.record].stride;
        Self { field, stride, number: numbers.of(function, field.record) }
    }

    /// Whether its rows can be read `lanes` elements at a time.
    fn is_aligned(&self, lanes: usize) -> bool {
        let lanes = lanes.min(ACCESS / self.number.size());
        self.stride.is_multiple_of(lanes) && self.field.start.is_multiple_of(lanes)
    }

    /// The name of its element type, as the source defines it.
    fn name(&self, numbers: Numbers) -> &'static str {
        if self.number == numbers.stored { "stored" } else { "real" }
    }
}

struct Writer<'a> {
    numbers: Numbers,
    function: &'a BoundFunction,
    kernel: &'a Kernel,
    width: usize,
    inputs: Vec<Operand>,
    outputs: Vec<Operand>,
    ends: Vec<Operand>,
    modes: Vec<Mode>,
    /// The elements of a vectorised access.
    lanes: usize,
    /// The threads that compute a row together, if the kernel has reductions.
    team: Option<u32>,
}

impl Fused {
    /// A kernel of a function, and its source text, with [`NAME`] in place of its name.
    pub(super) fn new(
        numbers: Numbers,
        function: &BoundFunction,
        kernel: &Kernel,
    ) -> (Self, String) {
        let operand = |span: &Span| Operand::new(numbers, function, *span);
        let inputs: Vec<Operand> = kernel.inputs.iter().map(operand).collect();
        let outputs: Vec<Operand> = kernel.outputs.iter().map(|(out, _)| operand(out)).collect();
        let ends = kernel.ends.iter().map(|end| operand(&end.out)).collect();
        let width = outputs.first().map_or(1, |out| out.field.width);
        let modes = inputs.iter().map(|input| mode(function, input.field, kernel.domain));
        let modes = modes.collect();
        let lanes = lanes(width, || inputs.iter().chain(&outputs));
        let columns = (width / lanes) as u32;
        let team = (!kernel.ends.is_empty()).then(|| columns.next_power_of_two().clamp(32, 256));
        let block = match team {
            Some(team) => [team, 1],
            None => {
                let across = columns.next_power_of_two().min(THREADS);
                [across, THREADS / across]
            }
        };
        let blocks_of_row = if team.is_some() { 1 } else { columns.div_ceil(block[0]) };
        let writer =
            Writer { numbers, function, kernel, width, inputs, outputs, ends, modes, lanes, team };
        let parameters = writer.parameters();
        let text = writer.text(&parameters, block);
        (Self { number: 0, parameters, block, blocks_of_row }, text)
    }
}

/// The elements that a thread handles at once: as many as one access holds of the smallest element
/// type, if every row is aligned to that.
fn lanes<'a, I: Iterator<Item = &'a Operand>>(width: usize, operands: impl Fn() -> I) -> usize {
    let rows = || operands().filter(|operand| operand.field.width == width);
    let size = rows().map(|row| row.number.size()).min().unwrap_or(ACCESS);
    let mut lanes = if operands().count() > MOST_PACKED { 1 } else { ACCESS / size };
    while !width.is_multiple_of(lanes) || !rows().all(|row| row.is_aligned(lanes)) {
        lanes /= 2;
    }
    lanes
}

impl Writer<'_> {
    fn declaration(&self, parameter: Parameter) -> String {
        let name = |operand: &Operand| operand.name(self.numbers);
        match parameter {
            Parameter::Rows => "u64 rows".into(),
            Parameter::First => "u32 first".into(),
            Parameter::Zeros => "IN(stored) zeros".into(),
            Parameter::LossScale => "IN(real) loss_scale".into(),
            Parameter::Owners => "IN(u32) owners".into(),
            Parameter::Output(at) => format!("OUT({}) o{at}", name(&self.outputs[at])),
            Parameter::Kept(at) => format!("u32 kept{at}"),
            Parameter::Input(at) => format!("IN({}) i{at}", name(&self.inputs[at])),
            Parameter::Children(at) => format!("IN(u32) children{at}"),
            Parameter::End(at) => format!("OUT({}) e{at}", name(&self.ends[at])),
            Parameter::EndKept(at) => format!("u32 end_kept{at}"),
            Parameter::Index(at) => format!("IN(u32) index{at}"),
        }
    }

    fn parameters(&self) -> Vec<Parameter> {
        let mut parameters = vec![Parameter::Rows, Parameter::First];
        let has = |mode: Mode| self.modes.contains(&mode);
        let indexed = self.kernel.ends.iter().any(|end| end.op.index().is_some());
        if has(Mode::Gather) {
            parameters.push(Parameter::Zeros);
        }
        if has(Mode::Owner) || indexed && self.kernel.domain == Domain::Edge {
            parameters.push(Parameter::Owners);
        }
        if self.is_scaled() {
            parameters.push(Parameter::LossScale);
        }
        for at in 0..self.outputs.len() {
            parameters.push(Parameter::Output(at));
            if self.is_optional(at) {
                parameters.push(Parameter::Kept(at));
            }
        }
        for (at, mode) in self.modes.iter().enumerate() {
            if self.kernel.in_place(at).is_none() {
                parameters.push(Parameter::Input(at));
                if *mode == Mode::Gather {
                    parameters.push(Parameter::Children(at));
                }
            }
        }
        for (at, end) in self.kernel.ends.iter().enumerate() {
            parameters.extend([Parameter::End(at), Parameter::EndKept(at)]);
            if end.op.index().is_some() {
                parameters.push(Parameter::Index(at));
            }
        }
        parameters
    }

    /// Whether the kernel reads the loss scale; where losses are not scaled, it uses the constant
    /// 1.
    fn is_scaled(&self) -> bool {
        let mut ops = self.kernel.body.iter().map(|expr| &expr.op);
        self.numbers.scales_losses() && ops.any(|op| *op == KernelOp::LossScale)
    }

    /// Whether an output may have no memory; an output that a reduction reads always has some.
    fn is_optional(&self, output: usize) -> bool {
        let record = &self.function.routine.records[self.outputs[output].field.record];
        let overwrites =
            (0..self.inputs.len()).any(|input| self.kernel.in_place(input) == Some(output));
        let read = self.kernel.ends.iter().any(|end| usize::from(end.output) == output);
        [record.training, record.inference].contains(&Home::Nowhere) && !overwrites && !read
    }

    fn text(&self, parameters: &[Parameter], block: [u32; 2]) -> String {
        let declarations: Vec<String> = parameters.iter().map(|of| self.declaration(*of)).collect();
        let threads = block[0] * block[1];
        let mut text =
            format!("DEFINE({threads}, {NAME})(\n    {}) {{\n", declarations.join(",\n    "));
        if self.is_scaled() {
            text.push_str("  const real scale = loss_scale[0];\n");
        }
        let rows = if self.team.is_some() { "EACH_TEAM_ROW" } else { "EACH_ROW" };
        let _ = writeln!(text, "  {rows}(rows) {{");
        for input in 0..self.inputs.len() {
            let _ = writeln!(text, "    {}", self.row_of_input(input));
        }
        for (at, out) in self.outputs.iter().enumerate() {
            let _ = writeln!(
                text,
                "    OUT({}) out{at} = o{at} + row * {};",
                out.name(self.numbers),
                out.stride
            );
        }
        let _ = writeln!(text, "    EACH_ACCESS({}) {{", self.width / self.lanes);
        self.columns(&mut text);
        text.push_str("    }\n");
        self.ends(&mut text);
        let _ = write!(text, "  }}\n}}\nENTRY({threads}, {NAME})\n");
        text
    }

    fn row_of_input(&self, at: usize) -> String {
        let (stride, name) = (self.inputs[at].stride, self.inputs[at].name(self.numbers));
        let row = match (self.kernel.in_place(at), self.modes[at]) {
            (Some(output), _) => format!("o{output} + row * {stride}"),
            (None, Mode::Each) => format!("i{at} + row * {stride}"),
            (None, Mode::One) => format!("i{at}"),
            (None, Mode::Owner) => format!("i{at} + (u64)(owners[row] - first) * {stride}"),
            (None, Mode::Gather) => {
                let child = format!("const u32 child{at} = children{at}[row];\n    ");
                let from = format!("i{at} + (u64)child{at} * {stride}");
                return format!("{child}AT({name}) in{at} = child{at} == ABSENT ? zeros : {from};");
            }
        };
        format!("AT({name}) in{at} = {row};")
    }

    /// The code of a thread's columns.
    fn columns(&self, text: &mut String) {
        let is_row = |at: usize| self.inputs[at].field.width == self.width;
        let (lanes, packed) = (self.lanes, self.lanes > 1);
        let pack = |operand: &Operand| format!("Pack<{}, {lanes}>", operand.name(self.numbers));
        for at in 0..self.inputs.len() {
            let _ = match (is_row(at), packed) {
                (true, true) => {
                    let (pack, from) =
                        (pack(&self.inputs[at]), format!("in{at} + column * {lanes}"));
                    writeln!(text, "      const {pack} x{at} = load<{lanes}>({from});")
                }
                (true, false) => writeln!(text, "      const real v{at} = in{at}[column];"),
                // A scalar, broadcast.
                (false, _) => writeln!(text, "      const real v{at} = in{at}[0];"),
            };
        }
        let indent = if packed {
            for (at, output) in self.outputs.iter().enumerate() {
                let _ = writeln!(text, "      {} y{at};", pack(output));
            }
            text.push_str("#pragma unroll\n");
            let _ = writeln!(text, "      for (u32 lane = 0; lane < {lanes}; ++lane) {{");
            for at in (0..self.inputs.len()).filter(|at| is_row(*at)) {
                let _ = writeln!(text, "        const real v{at} = x{at}.x[lane];");
            }
            "        "
        } else {
            "      "
        };
        let inputs = self.inputs.len();
        let name = |arg: u16| match usize::from(arg) {
            input if input < inputs => format!("v{input}"),
            expr => format!("t{}", expr - inputs),
        };
        for (at, expr) in self.kernel.body.iter().enumerate() {
            let args: Vec<String> = expr.args.iter().map(|arg| name(*arg)).collect();
            let value = expression(expr.op, &args, self.is_scaled());
            let _ = writeln!(text, "{indent}const real t{at} = {value};");
        }
        for (at, (_, expr)) in self.kernel.outputs.iter().enumerate() {
            if packed {
                let _ = writeln!(text, "        y{at}.x[lane] = t{expr};");
            } else {
                let kept = self.kept(at);
                let _ = writeln!(text, "      {kept}out{at}[column] = t{expr};");
            }
        }
        if packed {
            text.push_str("      }\n");
            for at in 0..self.outputs.len() {
                let kept = self.kept(at);
                let _ = writeln!(text, "      {kept}store(out{at} + column * {lanes}, y{at});");
            }
        }
    }

    fn kept(&self, output: usize) -> String {
        if self.is_optional(output) { format!("if (kept{output}) ") } else { String::new() }
    }

    /// The reductions at the end of a row.
    fn ends(&self, text: &mut String) {
        let Some(team) = self.team else { return };
        text.push_str("    __syncthreads();\n");
        for (at, end) in self.kernel.ends.iter().enumerate() {
            let stride = self.ends[at].stride;
            let index = match (end.op.index(), self.kernel.domain) {
                (None, _) => "0".into(),
                (Some(_), Domain::Edge) => format!("index{at}[owners[row]]"),
                (Some(_), _) => format!("index{at}[first + row]"),
            };
            let (name, read) = (reduction(end.op), end.output);
            let arguments = format!("e{at} + row * {stride}, out{read}, {}, {index}", self.width);
            let call = format!("reduce_{name}<{team}>({arguments})");
            let _ = writeln!(text, "    if (end_kept{at}) {call};");
        }
        text.push_str("    __syncthreads();\n");
    }
}
