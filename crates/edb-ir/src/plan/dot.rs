//! A plan as a Graphviz graph: the instructions of each phase, and the data flow between them.

use std::fmt::Write as _;

use super::Plan;
use super::joint::{Begin, Choice};
use crate::routine::{Instruction, Span};

impl Plan {
    /// The plan as Graphviz text: a box for each instruction, grouped by phase, a kernel with its
    /// expressions; an arrow from each instruction to those that read its results, dashed from
    /// phase to phase. Of a function with several sections each is a group, and a bold arrow leads
    /// from its name to those that may come next. Where what is pulled says with which section a
    /// vertex begins, each question is a diamond.
    pub fn dot(&self) -> String {
        let mut text = String::new();
        let mut line = |part: std::fmt::Arguments<'_>| {
            text.write_fmt(part).and_then(|()| text.write_char('\n')).expect("text takes text");
        };
        line(format_args!("digraph \"{}\" {{", self.program.name));
        // Labels at the left, where few arrows cross them.
        line(format_args!("  graph [labeljust=l, fontname=monospace]"));
        line(format_args!("  node [shape=box, fontname=monospace, fontsize=10]"));
        if self.sections.is_empty() {
            self.instructions("", &mut line);
        } else {
            for (number, section) in std::iter::once(self).chain(&self.sections).enumerate() {
                let name = &section.program.name;
                line(format_args!("  subgraph cluster_{number} {{\n    label=\"{name}\""));
                line(format_args!("  section{number} [label=\"{name}\", shape=ellipse]"));
                section.instructions(&format!("{number}_"), &mut line);
                line(format_args!("  }}"));
                let targets = section.joint.iter().flat_map(|joint| &joint.targets);
                for target in targets {
                    line(format_args!("  section{number} -> section{target} [style=bold]"));
                }
            }
            self.questions(&mut line);
        }
        line(format_args!("}}"));
        text
    }

    /// The questions that say with which section a vertex begins.
    fn questions(&self, line: &mut impl FnMut(std::fmt::Arguments<'_>)) {
        for (number, Choice { question, then, other }) in self.choices.iter().enumerate() {
            let label = question.describe(&self.program);
            line(format_args!("  choice{number} [label=\"{label}\", shape=diamond]"));
            for (answer, to) in [("yes", then), ("no", other)] {
                let to = match to {
                    Begin::Section(section) => format!("section{section}"),
                    Begin::Choice(choice) => format!("choice{choice}"),
                };
                line(format_args!("  choice{number} -> {to} [label={answer}, style=bold]"));
            }
        }
    }

    /// The instructions and the arrows between them; `of` begins their names.
    fn instructions(&self, of: &str, line: &mut impl FnMut(std::fmt::Arguments<'_>)) {
        let routine = &self.routine;
        let mut before = None;
        for (number, (phase, instruction)) in routine.instructions.iter().enumerate() {
            if before.replace(phase) != Some(phase) {
                if number > 0 {
                    line(format_args!("  }}"));
                }
                line(format_args!("  subgraph cluster_{of}{phase:?} {{\n    label=\"{phase:?}\""));
            }
            let label = self.label(instruction).replace('\\', "\\\\").replace('"', "\\\"");
            let label = label.trim_end().replace('\n', "\\l");
            let color = match instruction {
                Instruction::Product(_) => "lightblue",
                Instruction::Kernel(_) => "lightyellow",
                Instruction::Copy { .. } => "salmon",
                Instruction::Op { .. } => "white",
            };
            line(format_args!(
                "    s{of}{number} [label=\"{label}\\l\", style=filled, fillcolor={color}]"
            ));
        }
        if !routine.instructions.is_empty() {
            line(format_args!("  }}"));
        }
        for (to, (phase, instruction)) in routine.instructions.iter().enumerate() {
            for (from, (written, writer)) in routine.instructions[..to].iter().enumerate() {
                let (reads, writes) = (routine.reads(instruction), routine.writes(writer));
                let flows = |read: &Span| writes.iter().any(|written| read.overlaps(*written));
                if reads.iter().any(flows) {
                    let style = if written == phase { "solid" } else { "dashed" };
                    line(format_args!("  s{of}{from} -> s{of}{to} [style={style}]"));
                }
            }
        }
    }

    fn label(&self, instruction: &Instruction) -> String {
        let routine = &self.routine;
        match instruction {
            Instruction::Op { value, .. } => {
                format!("%{} {}", value.0, self.program.value(*value).op.row().name)
            }
            Instruction::Product(stack) => routine.stacks[*stack].to_string().trim().to_string(),
            Instruction::Kernel(kernel) => {
                let body = routine.kernels[*kernel].to_string();
                let lines: Vec<&str> = body.lines().map(str::trim).collect();
                format!("kernel {kernel}\n{}", lines.join("\n"))
            }
            Instruction::Copy { from, to } => format!("copy {from} to {to}"),
        }
    }
}
