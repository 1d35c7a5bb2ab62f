//! How far vertices have gone on whose functions have several sections.

/// How far the vertices have gone on.
#[derive(Clone, Debug, Default)]
pub(super) struct Paths {
    /// For each vertex of a function with several sections, where its entries begin in `latest`.
    pub(super) starts: Vec<u32>,
    /// For each section of such a vertex, the vertex that ran it last.
    pub(super) latest: Vec<u32>,
    /// For each vertex of a graph, how many sections it has gone on with.
    pub(super) counts: Vec<u32>,
}
