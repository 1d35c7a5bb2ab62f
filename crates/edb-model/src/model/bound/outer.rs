//! Gradients of matrices that are computed by one product, and where the factors of their terms are.

use edb_ir::routine::ProductKind;
use edb_ir::{IdVec, Instruction, RecordId, Routine, StackId};

use super::stack::{BoundRecord, BoundStack, Matrices, ValueBlock};
use edb_learn::learn::ParameterId;

/// The gradient of a matrix that is computed by one product as `Σ_r y_r x_rᵀ`. The factors `y_r` and `x_r` are
/// pieces of the product's operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outer {
    /// The product.
    pub stack: StackId,
    /// The record into which the product sums.
    pub record: RecordId,
    /// The parameter.
    pub param: ParameterId,
    /// How many rows and columns the parameter has.
    pub size: [usize; 2],
    /// The pieces of `y`, for the rows of the parameter, and of `x`, for its columns.
    pub pieces: [Vec<OperandRange>; 2],
}

/// A piece of an operand, and where it belongs among the rows or columns of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandRange {
    /// The first element of the piece in the operand.
    pub from: usize,
    /// The number of its elements.
    pub count: usize,
    /// The first row or column of the parameter.
    pub to: usize,
}

/// All such gradients of a routine.
pub(super) fn outers(
    routine: &Routine,
    records: &IdVec<RecordId, BoundRecord>,
    stacks: &IdVec<StackId, BoundStack>,
    gradients: &IdVec<RecordId, Option<ParameterId>>,
) -> Vec<Outer> {
    let of_record = |(record, param): (RecordId, &Option<ParameterId>)| {
        let param = (*param)?;
        let writes = |instruction: &&Instruction| {
            routine.writes(instruction).iter().any(|written| written.record == record)
        };
        let mut writers =
            routine.instructions.iter().map(|(_, instruction)| instruction).filter(writes);
        let (Some(Instruction::Product(stack)), None) = (writers.next(), writers.next()) else {
            return None;
        };
        let of_stack = &stacks[*stack];
        let Matrices::Values(blocks) = &of_stack.matrices else { return None };
        let own: Vec<&ValueBlock> =
            blocks.iter().filter(|block| block.matrix.record == record).collect();
        let columns = own.first()?.columns;
        let rows = records[record].width().checked_div(columns)?;
        let alike = |block: &&ValueBlock| block.columns == columns && block.matrix.start == 0;
        if of_stack.kind != ProductKind::OuterSum || !own.iter().all(alike) {
            return None;
        }
        let y = pieces(own.iter().map(|block| (block.out, block.start[0])), rows)?;
        let x = pieces(own.iter().map(|block| (block.args, block.start[1])), columns)?;
        // Each piece of one operand is combined with each piece of the other operand, once.
        let pieces = (own.len() == y.len() * x.len()).then_some([y, x])?;
        Some(Outer { stack: *stack, record, param, size: [rows, columns], pieces })
    };
    gradients.iter_enumerated().filter_map(of_record).collect()
}

/// The pieces of an operand, if they cover the parameter's axis without gaps or overlaps.
fn pieces(
    blocks: impl Iterator<Item = ((usize, usize), usize)>,
    size: usize,
) -> Option<Vec<OperandRange>> {
    let mut pieces: Vec<OperandRange> =
        blocks.map(|((from, count), to)| OperandRange { from, count, to }).collect();
    pieces.sort_by_key(|piece| (piece.to, piece.from));
    pieces.dedup();
    let end =
        pieces.iter().try_fold(0, |end, piece| (piece.to == end).then_some(end + piece.count));
    (end == Some(size)).then_some(pieces)
}
