//! What remains from run to run, besides the layout.

use crate::engine::layout::Layout;
use edb_model::model::BoundModel;
use edb_model::model::stack::RowCounts;

/// What runs leave for those that come next, besides the layout.
#[derive(Debug, Default)]
pub(crate) struct RunMemory {
    /// The layout of graphs that grow, or of what they have become: whichever is not in use.
    pub(crate) other_layout: Layout,
    /// The rows of each function for which the next graphs that grow get room: as many as the last
    /// ones had, or up to twice as many; and their model.
    pub(crate) known_rooms: Option<(u64, Vec<RowCounts>)>,
    /// How many vertices and sections the last graphs that grew had in all, those that inference has
    /// forgotten among them.
    pub(crate) known_vertices: usize,
    /// The vertices to which the numbers in a schedule refer.
    pub(crate) scheduled: Vec<u32>,
}

impl RunMemory {
    /// The rows of each function for which graphs of a model get room, if such have grown.
    pub(crate) fn rooms(&self, model: &BoundModel) -> Option<&[RowCounts]> {
        let (_, rooms) = self.known_rooms.as_ref().filter(|(of, _)| *of == model.id)?;
        Some(rooms)
    }
}
