//! Where the values are of what has run: in the memory of the engine or, of a minibatch whose parts have
//! run [side by side](crate::engine::parts::ran), with each part.

use std::ops::Range;

use smallvec::SmallVec;

use crate::engine::backend::{Backend, Kept};
use crate::engine::error::EngineError;
use crate::engine::layout::append::FORGOTTEN_ROW;
use crate::engine::layout::{KeptRows, Layout};
use edb_kernels::element::Element;
use edb_model::model::stack::RowCounts;

/// Parts of a minibatch that have run: the graphs of each, and where its vertices begin in what the
/// minibatch has become.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RanParts {
    pub(crate) graphs: SmallVec<[Range<usize>; 16]>,
    pub(crate) first: SmallVec<[u32; 16]>,
    /// About how many rows each function has in all of them.
    pub(crate) rows: Vec<RowCounts>,
}

impl RanParts {
    /// The part that a vertex is in, and its number there.
    pub(crate) fn place(&self, vertex: u32) -> (usize, u32) {
        let part = self.first.partition_point(|first| *first <= vertex) - 1;
        (part, vertex - self.first[part])
    }
}

/// A vertex, and where its values are.
pub(crate) struct Seen<'r, T> {
    /// The part that it is in.
    pub(crate) part: usize,
    pub(crate) layout: &'r Layout,
    /// Its number there.
    pub(crate) vertex: u32,
    pub(crate) memory: Values<'r, T>,
}

pub(crate) enum Values<'r, T> {
    /// In the arena of a back end.
    Present(&'r dyn Backend<T>),
    /// In that of a part.
    Kept(&'r Kept<T>),
}

impl<'r, T: Element> Seen<'r, T> {
    /// Its row among these.
    pub(crate) fn row(&self, rows: &KeptRows) -> Result<&'r [T], EngineError> {
        let range = rows.of(self.layout, self.vertex);
        match self.memory {
            Values::Present(backend) => backend.read(rows.all(), range),
            Values::Kept(kept) => Ok(&kept.arena[range]),
        }
    }

    /// Its row among these gradients.
    pub(crate) fn gradient(&self, rows: &KeptRows) -> Result<&'r [T], EngineError> {
        match self.memory {
            Values::Present(backend) => {
                backend.read_gradient(rows.all(), rows.of(self.layout, self.vertex))
            }
            Values::Kept(_) => self.row(rows),
        }
    }

    /// All indices that lie where its own do.
    pub(crate) fn indices(&self) -> Result<&'r [u32], EngineError> {
        match self.memory {
            Values::Present(backend) => backend.indices(),
            Values::Kept(kept) => Ok(&kept.indices),
        }
    }

    /// Whether inference has forgotten it.
    pub(crate) fn is_forgotten(&self) -> bool {
        self.layout.rows[self.vertex as usize] == FORGOTTEN_ROW
    }
}
