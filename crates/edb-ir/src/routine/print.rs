//! A routine in text, for golden tests and `EDB_DUMP`.

use std::fmt;

use crate::program::Program;
use crate::shapes::Shape;

use super::{End, Home, Instruction, Kernel, RecordId, Routine, Span, Stack};

impl Routine {
    /// The records and the instructions of each phase. `r2[1..3]` are pieces 1 and 2 of record 2.
    pub fn describe<'a>(&'a self, program: &'a Program) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| {
            for (number, record) in self.records.iter_enumerated() {
                let shape = |shape: &Shape| shape.display(&program.dims).to_string();
                let pieces: Vec<String> = record.pieces.iter().map(shape).collect();
                write!(f, "  r{number}: {:?} {}", record.domain, pieces.join(" "))?;
                match record.training {
                    Home::Parameter(param) => {
                        write!(f, ", parameter {}", program.params[usize::from(param)].name)?;
                    }
                    home => write!(f, ", {home:?}")?,
                }
                if record.inference != record.training {
                    write!(f, ", in inference {:?}", record.inference)?;
                }
                writeln!(f)?;
            }
            let mut before = None;
            for (phase, instruction) in &self.instructions {
                if before.replace(phase) != Some(phase) {
                    writeln!(f, "  {phase:?}")?;
                }
                match instruction {
                    Instruction::Op { value, out, args } => {
                        let out = out.map_or_else(|| "sparse".into(), |out| out.to_string());
                        let args: Vec<String> = args.iter().map(Span::to_string).collect();
                        let op = program.value(*value).op.row().name;
                        writeln!(f, "    {out} = {op} {}  %{}", args.join(" "), value.0)?;
                    }
                    Instruction::Copy { from, to } => writeln!(f, "    {to} = copy of {from}")?,
                    Instruction::Product(stack) => write!(f, "{}", self.stacks[*stack])?,
                    Instruction::Kernel(kernel) => {
                        writeln!(f, "    kernel {kernel}")?;
                        write!(f, "{}", self.kernels[*kernel])?;
                    }
                }
            }
            Ok(())
        })
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}[{}..{}]", self.record, self.start, self.end)
    }
}

impl fmt::Display for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stack { kind, group, out, args, accumulate, blocks, .. } = self;
        let sign = if *accumulate { "+=" } else { "=" };
        let mut matrices: Vec<RecordId> = blocks.iter().map(|block| block.matrix.record).collect();
        matrices.sort_unstable();
        matrices.dedup();
        let matrices: Vec<String> = matrices.iter().map(|record| format!("r{record}")).collect();
        let count = blocks.len();
        writeln!(
            f,
            "    {out} {sign} {kind:?} {args} with {count} blocks of {}, group {group}",
            matrices.join(" ")
        )
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inputs = self.inputs.len() as u16;
        for (number, expr) in self.body.iter().enumerate() {
            write!(f, "      t{number} =")?;
            write!(f, " {}", expr.op)?;
            for &arg in &expr.args {
                match arg.checked_sub(inputs) {
                    Some(expr) => write!(f, " t{expr}")?,
                    None => write!(f, " {}", self.inputs[usize::from(arg)])?,
                }
            }
            for (out, _) in self.outputs.iter().filter(|(_, of)| usize::from(*of) == number) {
                write!(f, " -> {out}")?;
            }
            writeln!(f)?;
        }
        for End { op, output, out, index } in &self.ends {
            let (_, of) = self.outputs[usize::from(*output)];
            write!(f, "      {} t{of}", op.row().name)?;
            index.map_or(Ok(()), |index| write!(f, " {index}"))?;
            writeln!(f, " -> {out}")?;
        }
        Ok(())
    }
}
