//! Finds where the values of a run are. They are in the memory of the engine. If parts of the minibatch have run
//! [side by side](crate::engine::parts::ran), each part has its own memory.

use std::ops::Range;

use smallvec::SmallVec;

use crate::engine::backend::{Backend, Kept};
use crate::engine::error::EngineError;
use crate::engine::layout::append::FORGOTTEN_ROW;
use crate::engine::layout::{KeptRows, Layout};
use edb_kernels::element::Element;
use edb_model::model::stack::RowCounts;

/// The parts of a minibatch that have run: for each part, its graphs, and its first vertex in the minibatch that
/// they have become together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RanParts {
    pub(crate) graphs: SmallVec<[Range<usize>; 16]>,
    pub(crate) first: SmallVec<[u32; 16]>,
    /// About how many rows each function has in all parts together.
    pub(crate) rows: Vec<RowCounts>,
}

impl RanParts {
    /// The part of a vertex, and the number of the vertex in this part.
    pub(crate) fn place(&self, vertex: u32) -> (usize, u32) {
        let part = self.first.partition_point(|first| *first <= vertex) - 1;
        (part, vertex - self.first[part])
    }
}

/// A vertex, and the memory that has its values.
pub(crate) struct Seen<'r, T> {
    /// The part of the vertex.
    pub(crate) part: usize,
    pub(crate) layout: &'r Layout,
    /// The number of the vertex in its part.
    pub(crate) vertex: u32,
    pub(crate) memory: Values<'r, T>,
}

pub(crate) enum Values<'r, T> {
    /// The values are in the arena of a back end.
    Present(&'r dyn Backend<T>),
    /// The values are in the memory of a part.
    Kept(&'r Kept<T>),
}

impl<'r, T: Element> Seen<'r, T> {
    /// The row of the vertex among the rows of a value.
    pub(crate) fn row(&self, rows: &KeptRows) -> Result<&'r [T], EngineError> {
        let range = rows.of(self.layout, self.vertex);
        match self.memory {
            Values::Present(backend) => backend.read(rows.all(), range),
            Values::Kept(kept) => Ok(&kept.arena[range]),
        }
    }

    /// The row of the vertex among the rows of a gradient.
    pub(crate) fn gradient(&self, rows: &KeptRows) -> Result<&'r [T], EngineError> {
        match self.memory {
            Values::Present(backend) => {
                backend.read_gradient(rows.all(), rows.of(self.layout, self.vertex))
            }
            Values::Kept(_) => self.row(rows),
        }
    }

    /// The memory of indices that has the indices of the vertex.
    pub(crate) fn indices(&self) -> Result<&'r [u32], EngineError> {
        match self.memory {
            Values::Present(backend) => backend.indices(),
            Values::Kept(kept) => Ok(&kept.indices),
        }
    }

    /// Whether inference has forgotten the row of the vertex.
    pub(crate) fn is_forgotten(&self) -> bool {
        self.layout.rows[self.vertex as usize] == FORGOTTEN_ROW
    }
}
