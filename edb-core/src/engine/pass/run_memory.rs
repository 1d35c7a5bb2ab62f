//! The memory that is kept from run to run, besides the layout.

use crate::engine::layout::Layout;
use edb_model::model::BoundModel;
use edb_model::model::stack::RowCounts;

/// The memory that runs leave for the next runs, besides the layout.
#[derive(Debug, Default)]
pub(crate) struct RunMemory {
    /// A second layout. One layout is of graphs that grow, the other is of the minibatch that they have become;
    /// this is the one that is not in use.
    pub(crate) other_layout: Layout,
    /// The id of a model, and the room that the next graphs of this model get when they grow. For each function, it is
    /// room for as many rows as the last graphs had, or up to twice as many.
    pub(crate) known_rooms: Option<(u64, Vec<RowCounts>)>,
    /// How many vertices and sections the last graphs that grew had in all. Those that inference has forgotten are
    /// counted too.
    pub(crate) known_vertices: usize,
    /// The vertices to which the numbers in a schedule refer.
    pub(crate) scheduled: Vec<u32>,
}

impl RunMemory {
    /// For how many rows of each function graphs of this model get room, if the last graphs that grew were of this
    /// model.
    pub(crate) fn rooms(&self, model: &BoundModel) -> Option<&[RowCounts]> {
        let (_, rooms) = self.known_rooms.as_ref().filter(|(of, _)| *of == model.id)?;
        Some(rooms)
    }
}
