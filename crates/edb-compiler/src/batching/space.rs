//! Spaces: separate ranges of memory, in which values can be adjacent.

use edb_ir::{Domain, IdVec, Leaf, Op, Program, ValueId};

use super::pieces::{Piece, PieceId, Pieces};

/// A range of memory in which values can be adjacent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Space {
    /// Rows of stacked parameters.
    ParamRows,
    /// Their columns.
    ParamColumns,
    /// The records of a step, of a vertex or of an edge. Whether a record is kept or is scratch of
    /// a block of rows follows from the values in it, not the other way round.
    Record(Domain),
    /// Memory whose order is fixed from outside: a field of the scattered state, or a parameter.
    Port(ValueId),
}

/// The memory of each piece.
pub fn spaces(program: &Program, pieces: &Pieces) -> IdVec<PieceId, Space> {
    let space = |piece: &Piece| match program.value(piece.value).op {
        Op::Leaf(Leaf::Param(_)) => Space::Port(piece.value),
        // The rows of children and of the input are gathered into the record.
        _ => Space::Record(program.value(piece.value).domain),
    };
    let mut spaces: IdVec<PieceId, Space> = pieces.list.iter().map(space).collect();
    for &id in &program.scatter {
        for &piece in &pieces.of[id] {
            if matches!(spaces[piece], Space::Record(_)) {
                spaces[piece] = Space::Port(id);
            }
        }
    }
    spaces
}
