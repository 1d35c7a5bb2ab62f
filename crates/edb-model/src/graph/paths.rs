//! How far the vertices of functions with several sections have gone on.

use smallvec::{SmallVec, smallvec};

use super::flat::FlatBatch;
use crate::model::BoundModel;

/// How far the vertices have gone on.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    /// For each vertex of a function with several sections, where its entries begin in `latest`.
    pub(super) starts: Vec<u32>,
    /// For each section of such a vertex, the vertex of the minibatch that ran it last.
    pub(super) latest: Vec<u32>,
    /// For each vertex of a graph, how many sections it has gone on with.
    pub(super) counts: Vec<u32>,
    /// If functions push lists: for each section, the section that ran before it; for a vertex of a graph, the
    /// vertex itself.
    pub(super) before: Vec<u32>,
}

impl Paths {
    /// The sections by which a vertex has pushed, in the order in which it ran them; as
    /// [`FlatBatch::items`], among vertices that are in the order in which they came.
    pub fn items(&self, model: &BoundModel, batch: &FlatBatch, vertex: u32) -> SmallVec<[u32; 1]> {
        let of = |section: u32| &model.functions[batch.functions[section as usize]];
        let mut section = batch.last(vertex);
        if !of(vertex).lists() {
            return smallvec![section];
        }
        let mut items = SmallVec::new();
        loop {
            if !of(section).output.is_empty() {
                items.push(section);
            }
            if section == vertex {
                break;
            }
            section = self.before[section as usize];
        }
        items.reverse();
        items
    }
}
