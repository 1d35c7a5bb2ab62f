//! The indices that an instruction reads.

use edb_kernels::memory::Shared;
use edb_kernels::operand::Operand;
use edb_model::graph::{ABSENT, InputCell};

/// An index for each row of an instruction.
pub(super) enum IndexRows<'a> {
    /// A field of the input of each row's vertex. Without `owners`, rows are `vertices`; with them, rows are
    /// edges, and the vertex of an edge is its owner.
    Pulled {
        field: usize,
        owners: Option<&'a [u32]>,
        vertices: &'a [u32],
        input_offsets: &'a [u32],
        inputs: &'a [InputCell],
    },
    /// For each edge, the index of a child of the vertex that it enters. `children` are rows of a state, whose
    /// indices begin at `start`.
    OfOwner { indices: Shared<'a, u32>, start: usize, owners: &'a [u32], children: &'a [u32] },
    /// Rows in the memory of indices.
    Stored(Operand<'a, u32>),
}

impl IndexRows<'_> {
    /// The index of a row.
    #[inline(always)]
    pub(super) fn row(&self, row: usize) -> usize {
        match self {
            Self::Pulled { field, owners, vertices, input_offsets, inputs } => {
                let vertex = vertices[owners.map_or(row, |owners| owners[row] as usize)];
                match inputs[input_offsets[vertex as usize] as usize + field] {
                    InputCell::Index(index) => index as usize,
                    _ => unreachable!("the minibatch was checked: the field holds an index"),
                }
            }
            Self::OfOwner { indices, start, owners, children } => {
                let child = children[owners[row] as usize];
                let place = if child == ABSENT { 0 } else { start + child as usize };
                // SAFETY: children have run in an earlier batch.
                unsafe { indices.read(place..place + 1)[0] as usize }
            }
            Self::Stored(rows) => rows.row(row)[0] as usize,
        }
    }
}
