//! The textual form of a program, for golden tests and for reading. [Fingerprints](crate::fingerprint)
//! are made of the names of ops in it, with their attributes: a golden test there fails if these change.

use std::fmt;

use super::op::{Domain, Draw, Indexing, Leaf, Movement, Op, Slot, Transition};
use super::{PortDecl, Program, ValueId};

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "vertex function {}", self.name)?;
        for (id, value) in self.iter() {
            if id.0 == self.backward_start {
                writeln!(f, "  backward")?;
            }
            let domain = match value.domain {
                Domain::Step => "step",
                Domain::Vertex => "vertex",
                Domain::Edge => "edge",
            };
            let shape = value.shape.display(&self.dims);
            write!(f, "  %{} = {}", id.0, self.describe_value(id))?;
            for arg in &value.args {
                write!(f, " %{}", arg.0)?;
            }
            writeln!(f, " : {domain} {shape}")?;
        }
        self.port(
            f,
            "scatter",
            self.scattered.map(|state| &self.states[usize::from(state)]),
            &self.scatter,
        )?;
        self.port(f, "push", self.output.as_ref(), &self.push)?;
        for loss in &self.losses {
            writeln!(f, "  loss %{}", loss.0)?;
        }
        if let Some(doubt) = self.doubt {
            writeln!(f, "  doubt %{}", doubt.0)?;
        }
        for &(slot, field, id) in &self.gradients.children {
            let field = Op::Leaf(Leaf::Child { slot, field });
            write!(f, "  gradient of child")?;
            self.attribute(f, &field)?;
            writeln!(f, " = %{}", id.0)?;
        }
        for &(field, id) in &self.gradients.pulls {
            write!(f, "  gradient of pull")?;
            self.attribute(f, &Op::Leaf(Leaf::Pull(field)))?;
            writeln!(f, " = %{}", id.0)?;
        }
        for (param, parts) in self.params.iter().zip(&self.gradients.params) {
            if !parts.is_empty() {
                write!(f, "  gradient of {} =", param.name)?;
                parts.iter().try_for_each(|id| write!(f, " %{}", id.0))?;
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

impl Program {
    /// The op of a value with its attributes, without arguments: `sigmoid`, `child 0.h`,
    /// `slice 2*H..`.
    pub fn describe_value(&self, id: ValueId) -> impl fmt::Display + '_ {
        fmt::from_fn(move |f| {
            let op = &self.value(id).op;
            f.write_str(op.row().name)?;
            self.attribute(f, op)
        })
    }

    fn attribute(&self, f: &mut fmt::Formatter<'_>, op: &Op) -> fmt::Result {
        let field = |port: Option<&PortDecl>, number: u16| {
            let field = port.and_then(|port| port.fields.get(usize::from(number)));
            field.map_or_else(|| number.to_string(), |field| field.name.clone())
        };
        match op {
            Op::Leaf(Leaf::Param(param)) => {
                let param = self.params.get(usize::from(*param));
                write!(f, " {}", param.map_or("?", |param| &param.name))
            }
            Op::Leaf(Leaf::Pull(number)) => write!(f, " {}", field(self.input.as_ref(), *number)),
            Op::Leaf(Leaf::Child { slot, field: number }) => {
                let state = self.slot_state(*slot).map(|state| &self.states[usize::from(state)]);
                match slot {
                    Slot::Fixed(slot) => write!(f, " {slot}.{}", field(state, *number)),
                    Slot::Rest => write!(f, " rest.{}", field(state, *number)),
                }
            }
            Op::Leaf(Leaf::StateGradient(number)) => {
                let state = self.scattered.map(|state| &self.states[usize::from(state)]);
                write!(f, " {}", field(state, *number))
            }
            Op::Leaf(Leaf::OutputGradient(number)) => {
                write!(f, " {}", field(self.output.as_ref(), *number))
            }
            Op::Leaf(Leaf::Constant(number)) => write!(f, " {number}"),
            Op::Leaf(Leaf::Length(shape)) => write!(f, " of {}", shape.display(&self.dims)),
            Op::Draw(Draw::Dropout { rate, site, shared }) => {
                write!(f, " {rate} at {site}{}", if *shared { ", shared" } else { "" })
            }
            Op::Draw(Draw::Noise { deviation, site }) => write!(f, " {deviation} at {site}"),
            Op::Movement(op) if let Some(start) = op.start() => {
                write!(f, " {}..", start.display(&self.dims))
            }
            Op::Movement(Movement::WhereAbsent(slot)) | Op::Indexing(Indexing::IfAbsent(slot)) => {
                write!(f, " {slot}")
            }
            Op::Movement(Movement::Copy(domain))
            | Op::Indexing(Indexing::Copy(domain))
            | Op::Transition(Transition::Reduce(domain)) => {
                write!(f, " to {}", format!("{domain:?}").to_lowercase())
            }
            Op::Indexing(Indexing::Argmax { site } | Indexing::Sample { site }) => {
                write!(f, " at {site}")
            }
            Op::Indexing(Indexing::Given(index)) => write!(f, " {index}"),
            op => match op.bag() {
                Some(number) => write!(f, " {}", field(self.input.as_ref(), number)),
                None => Ok(()),
            },
        }
    }

    fn port(
        &self,
        f: &mut fmt::Formatter<'_>,
        verb: &str,
        port: Option<&PortDecl>,
        values: &[ValueId],
    ) -> fmt::Result {
        let Some(port) = port else { return Ok(()) };
        write!(f, "  {verb} {}", port.name)?;
        for (field, id) in port.fields.iter().zip(values) {
            write!(f, " {} = %{}", field.name, id.0)?;
        }
        writeln!(f)
    }
}
