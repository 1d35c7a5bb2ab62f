//! A schedule: batches in the order in which they run.
//!
//! The inputs are batches, from a policy, from a search or from a user. The result is a
//! [`Schedule`], which the engine runs batch by batch: its vertices in the order in which they run,
//! and its batches as ranges of that order. It is checked against its graph when someone asks
//! ([`Schedule::check`]), and it says whether fewer batches are possible ([`Schedule::proof`]), which
//! batches could run at the same time ([`Schedule::steps`]) and where it needs more batches than
//! the lower bound ([`Schedule::explain`]).

mod explain;

pub use explain::{Blocker, ByMachine, Explanation, Split, TypeExplanation};

use std::ops::Range;

use crate::error::ScheduleError;
use crate::graph::{TypeGraph, lower_bound};

/// Vertices of one type that run together: a range of a schedule's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The type of all vertices of the batch.
    pub vertex_type: u16,
    /// Where the batch begins in [`Schedule::order`].
    pub start: u32,
    /// Where the batch ends in [`Schedule::order`] (exclusive).
    pub end: u32,
}

impl Batch {
    /// The places of the batch in [`Schedule::order`].
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Why no schedule has fewer batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Proof {
    /// Each batch was all of Frontier(Gᵃ) (ED-Batch, lemma 2.1). Then the number of batches is the [lower
    /// bound](lower_bound()).
    Frontiers,
    /// The number of batches is the [lower bound](lower_bound()).
    Bound,
    /// No type waits for itself through another one, and each batch is one level of its type. Then the number
    /// of batches is the [lower bound](lower_bound()).
    Levels,
    /// A [`search`](super::search) was exhaustive and found no shorter one.
    Exhaustion,
}

/// The vertices of a minibatch in the order in which they run, cut into batches.
///
/// By construction, batches are not empty, they are consecutive and cover the whole order, and the vertices of
/// a batch ascend. [`Schedule::check`] verifies that a schedule fits a graph; the schedules of a built-in
/// [`Policy`](super::Policy) always do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    order: Vec<u32>,
    batches: Vec<Batch>,
    proof: Option<Proof>,
}

impl Schedule {
    /// A schedule without batches: the schedule of the empty graph.
    pub fn new() -> Self {
        Self::default()
    }

    /// A schedule without batches, with room for `vertices`.
    pub(crate) fn with_capacity(vertices: usize) -> Self {
        Self { order: Vec::with_capacity(vertices), ..Self::default() }
    }

    /// The schedule that runs `order` in these batches, given by type and size.
    pub(crate) fn from_order(order: Vec<u32>, batches: &[(u16, u32)]) -> Self {
        let mut end = 0;
        let batch = |&(vertex_type, size): &(u16, u32)| {
            let start = end;
            end += size;
            Batch { vertex_type, start, end }
        };
        let batches = batches.iter().map(batch).collect();
        Self { order, batches, proof: None }
    }

    /// Adds the certificate that no schedule is shorter.
    pub fn proved(self, proof: Proof) -> Self {
        Self { proof: Some(proof), ..self }
    }

    /// Removes the certificate.
    pub(crate) fn unproved(self) -> Self {
        Self { proof: None, ..self }
    }

    /// Whether the schedule carries the certificate that no schedule of its graph has fewer
    /// batches: see [`Schedule::proof`].
    pub fn is_proved(&self) -> bool {
        self.proof.is_some()
    }

    /// Why no schedule of the graph has fewer batches, if that is known.
    ///
    /// A schedule without a certificate can still have the fewest batches. [`Schedule::certify`] compares it
    /// with the lower bound, which takes longer than some policies do, and [`search`](super::search) tries to
    /// prove it.
    pub fn proof(&self) -> Option<Proof> {
        self.proof
    }

    /// Adds the certificate if the schedule has as few batches as the [lower bound](lower_bound())
    /// of its graph; returns whether it now carries one.
    pub fn certify(&mut self, graph: &TypeGraph) -> bool {
        if matches!(self.proof, None | Some(Proof::Exhaustion)) && self.len() == lower_bound(graph)
        {
            self.proof = Some(Proof::Bound);
        }
        self.is_proved()
    }

    /// Appends a batch of the given vertices in ascending order. If there are no vertices, it appends nothing.
    ///
    /// # Panics
    ///
    /// If the schedule would hold 2³² vertices or more; no [`TypeGraph`] has so many.
    pub fn push(&mut self, vertex_type: u16, vertices: &[u32]) {
        if vertices.is_empty() {
            return;
        }
        self.proof = None;
        let start = self.order.len();
        self.order.extend_from_slice(vertices);
        self.order[start..].sort_unstable();
        let place =
            |count: usize| u32::try_from(count).expect("a schedule holds fewer than 2^32 places");
        let batch = Batch { vertex_type, start: place(start), end: place(self.order.len()) };
        self.batches.push(batch);
    }

    /// Combines the schedules of several graphs into one schedule of all of them. There are no edges between
    /// the graphs, and vertices are numbered one graph after the other. It repeatedly looks at the next batch
    /// of each graph, takes the type that most of these batches have, and runs all of these batches of that
    /// type as one batch.
    ///
    /// If one of the schedules is not valid for its graph, neither is the result: [`Schedule::check`] finds this.
    ///
    /// # Panics
    /// If the result would hold 2³² vertices or more. No [`TypeGraph`] has so many.
    pub fn side_by_side(of_each: &[&Self]) -> Self {
        let mut all = Self::with_capacity(of_each.iter().map(|of| of.order.len()).sum());
        let mut next = vec![0; of_each.len()];
        let (mut turns, mut vertices) = (Vec::new(), Vec::new());
        loop {
            let batches = of_each
                .iter()
                .zip(&next)
                .map(|(of, next): (_, &usize)| of.batches.get(*next).copied());
            let batches: Vec<Option<Batch>> = batches.collect();
            turns.clear();
            for batch in batches.iter().flatten() {
                let vertex_type = usize::from(batch.vertex_type);
                turns.resize(turns.len().max(vertex_type + 1), 0);
                turns[vertex_type] += 1;
            }
            // Of equal counts, `max_by_key` takes the last.
            let most = turns.iter().enumerate().rev().max_by_key(|(_, count)| **count);
            let Some((vertex_type, _)) = most else { return all };
            vertices.clear();
            let mut before = 0_u32;
            for ((of, batch), next) in of_each.iter().zip(batches).zip(&mut next) {
                if let Some(batch) = batch.filter(|of| usize::from(of.vertex_type) == vertex_type) {
                    let own = of.vertices(&batch).iter();
                    vertices.extend(own.map(|vertex| vertex.saturating_add(before)));
                    *next += 1;
                }
                before = before.saturating_add(of.order.len() as u32);
            }
            all.push(vertex_type as u16, &vertices);
        }
    }

    /// All vertices in the order in which they run.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The batches in the order in which they run.
    pub fn batches(&self) -> &[Batch] {
        &self.batches
    }

    /// The vertices of a batch, ascending. There are none if the batch belongs to another schedule and reaches
    /// past the end of this one.
    pub fn vertices(&self, batch: &Batch) -> &[u32] {
        self.order.get(batch.range()).unwrap_or_default()
    }

    /// The number of batches.
    pub fn len(&self) -> usize {
        self.batches.len()
    }

    /// Whether there are no batches.
    pub fn is_empty(&self) -> bool {
        self.batches.is_empty()
    }

    /// Verifies that this is a schedule of `graph`: every vertex runs once, in a batch of its
    /// type, and later than the batches in which its children run.
    ///
    /// # Errors
    ///
    /// The first violation found, with the vertex and the batch.
    pub fn check(&self, graph: &TypeGraph) -> Result<(), ScheduleError> {
        let mut batch_of = vec![None; graph.len()];
        for (number, batch) in self.batches.iter().enumerate() {
            for &vertex in self.vertices(batch) {
                let Some(place) = batch_of.get_mut(vertex as usize) else {
                    let vertices = graph.len();
                    return Err(ScheduleError::UnknownVertex { vertex, batch: number, vertices });
                };
                if let Some(first) = place.replace(number) {
                    return Err(ScheduleError::Repeated { vertex, first, second: number });
                }
                let vertex_type = graph.vertex_type(vertex);
                if vertex_type != batch.vertex_type {
                    return Err(ScheduleError::MixedTypes {
                        vertex,
                        vertex_type,
                        batch: number,
                        batch_type: batch.vertex_type,
                    });
                }
            }
        }

        for (vertex, &place) in (0..).zip(&batch_of) {
            let batch = place.ok_or(ScheduleError::Missing { vertex })?;
            for &child in graph.children(vertex) {
                let child_batch =
                    batch_of[child as usize].ok_or(ScheduleError::Missing { vertex: child })?;
                if child_batch >= batch {
                    return Err(ScheduleError::TooEarly { vertex, batch, child, child_batch });
                }
            }
        }
        Ok(())
    }

    /// Divides the batches into steps whose batches can be launched together. A batch belongs to the first step
    /// after the batches that its vertices read, and after the previous batch of its type. Under
    /// [`Policy::Depth`](crate::Policy::Depth) there are as many steps as vertices on the longest path, the
    /// critical path; no policy has fewer steps.
    ///
    /// # Errors
    ///
    /// If this is not a schedule of the graph.
    pub fn steps(&self, graph: &TypeGraph) -> Result<Vec<Vec<usize>>, ScheduleError> {
        self.check(graph)?;
        let mut next_of_vertex = vec![0_usize; graph.len()];
        let mut next_of_type = vec![0_usize; usize::from(graph.type_count())];
        let mut steps: Vec<Vec<usize>> = Vec::new();
        for (number, batch) in self.batches().iter().enumerate() {
            let vertices = self.vertices(batch);
            let own = &mut next_of_type[usize::from(batch.vertex_type)];
            let read = vertices.iter().flat_map(|&vertex| graph.children(vertex));
            let step = read.map(|&child| next_of_vertex[child as usize]).fold(*own, usize::max);
            *own = step + 1;
            vertices.iter().for_each(|&vertex| next_of_vertex[vertex as usize] = step + 1);
            if step >= steps.len() {
                steps.resize(step + 1, Vec::new());
            }
            steps[step].push(number);
        }
        Ok(steps)
    }
}
