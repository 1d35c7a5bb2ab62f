//! Spaces: memories that are one range each, in which values can be neighbours.

use crate::op::{Domain, Op};
use crate::phase::{Phase, Storage};
use crate::program::Program;

use super::pieces::Pieces;

/// A memory that values can be neighbours in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Space {
    /// Rows of stacked parameters.
    ParamRows,
    /// Their columns.
    ParamColumns,
    /// The record of the row block that is worked on.
    Scratch(Domain, Phase),
    /// The record that is kept for each vertex or edge.
    Kept(Domain),
    /// A row of the scattered state.
    State,
    /// Rows that the outside owns, each in the order of its port.
    Outside(u32),
    /// Once a step.
    Step,
}

/// The memory of each piece: the most lasting of those of the values that hold it.
pub fn spaces(
    program: &Program,
    phases: &[Phase],
    storage: &[Storage],
    pieces: &Pieces,
) -> Vec<Space> {
    let mut spaces: Vec<Space> = Vec::with_capacity(pieces.list.len());
    for piece in &pieces.list {
        let value = program.value(piece.value);
        spaces.push(match value.op {
            // The rows of children are gathered into the record, as they are.
            Op::Pull(_) | Op::OutputGradient(_) => Space::Outside(piece.value.0),
            _ if value.domain == Domain::Step => Space::Step,
            _ => Space::Scratch(value.domain, phases[piece.value.index()]),
        });
    }
    for (id, _) in program.iter() {
        for &piece in &pieces.of[id.index()] {
            // An alias may be finer than what it names.
            let domain = program.value(pieces.list[piece].value).domain;
            let kept = match storage.get(id.index()) {
                Some(Storage::Rows) => Space::Kept(domain),
                Some(Storage::State(_)) => Space::State,
                // Edges' gradients leave the record as children's rows came into it.
                _ => continue,
            };
            if !matches!(spaces[piece], Space::Outside(_) | Space::State) {
                spaces[piece] = kept;
            }
        }
    }
    spaces
}
