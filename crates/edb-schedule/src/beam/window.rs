//! Sets of vertices as bits, for states that agree about most vertices.
//!
//! In a search, vertices that have run in every state, or are ready in no state, need no bits of their own.
//! Only the other vertices have a *place* in the sets: from the moment when they are ready in some state until
//! they have run in all states. So a set takes a few words, however large the graph is.

use crate::graph::TypeGraph;

/// The place of all vertices that have run in every state: every state has this bit.
const PLACE_OF_RUN: u32 = 0;
/// The place of all vertices that are ready in no state: no state has this bit.
const PLACE_OF_UNREADY: u32 = 1;

/// Which vertices have places.
pub(super) struct Window {
    types: Vec<u16>,
    /// By vertex, its place; the last entry stands for a vertex that has always run.
    places: Vec<u32>,
    /// By place, its vertex, if it has one.
    vertices: Vec<u32>,
    /// The places without a vertex.
    free: Vec<u32>,
    /// By type, the set of its vertices that have places.
    of_type: Vec<u64>,
    /// The number of 64-bit words of a set.
    words: usize,
    /// A set: the places of the vertices that have run in all states.
    done: Vec<u64>,
}

impl Window {
    /// The window when nothing has run and nothing is ready.
    pub(super) fn new(graph: &TypeGraph) -> Self {
        let mut places = vec![PLACE_OF_UNREADY; graph.len()];
        places.push(PLACE_OF_RUN);
        Self {
            types: graph.types().to_vec(),
            places,
            vertices: vec![u32::MAX; 64],
            free: (PLACE_OF_UNREADY + 1..64).rev().collect(),
            of_type: vec![0; usize::from(graph.type_count())],
            words: 1,
            done: Vec::new(),
        }
    }

    /// The number of 64-bit words of a set.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// The two sets of a state in which nothing has run and nothing is ready.
    pub(super) fn empty_sets(&self) -> Vec<u64> {
        let mut sets = vec![0; 2 * self.words];
        sets[0] = 1 << PLACE_OF_RUN;
        sets
    }

    /// The place of a vertex.
    #[inline]
    pub(super) fn place(&self, vertex: u32) -> u32 {
        self.places[vertex as usize]
    }

    /// Calls `tell` with each vertex of a set.
    #[inline]
    pub(super) fn for_each(&self, set: &[u64], mut tell: impl FnMut(u32)) {
        for_each_place(set, |place| tell(self.vertices[place as usize]));
    }

    /// The vertices of a type that have places.
    #[inline]
    pub(super) fn of_type(&self, vertex_type: usize) -> &[u64] {
        &self.of_type[vertex_type * self.words..][..self.words]
    }

    /// Gives a place to a vertex that is ready in some state, unless it has one. If no place is left, all sets
    /// become larger, including those of `states`.
    #[inline]
    pub(super) fn enter(&mut self, vertex: u32, states: [&mut Vec<u64>; 2]) -> usize {
        let place = self.places[vertex as usize];
        if place != PLACE_OF_UNREADY {
            return place as usize;
        }
        if self.free.is_empty() {
            self.widen(states);
        }
        let place = self.free.pop().unwrap_or(PLACE_OF_UNREADY);
        self.places[vertex as usize] = place;
        self.vertices[place as usize] = vertex;
        let of_type = usize::from(self.types[vertex as usize]) * self.words;
        self.of_type[of_type + place as usize / 64] |= 1 << (place % 64);
        place as usize
    }

    /// Doubles the number of places.
    #[cold]
    fn widen(&mut self, states: [&mut Vec<u64>; 2]) {
        let words = self.words;
        for sets in states.into_iter().chain([&mut self.of_type]) {
            let wider = sets
                .chunks_exact(words)
                .flat_map(|set| set.iter().copied().chain(std::iter::repeat_n(0, words)));
            *sets = wider.collect();
        }
        self.words = 2 * words;
        self.free.extend((64 * words as u32..64 * self.words as u32).rev());
        self.vertices.resize(64 * self.words, u32::MAX);
    }

    /// Frees the places of vertices that have run in all of these states.
    pub(super) fn forget(&mut self, sets: &mut [u64]) {
        let Self { words, .. } = *self;
        self.done.clear();
        self.done.resize(words, u64::MAX);
        self.done[0] &= !(1 << PLACE_OF_RUN);
        for set in sets.chunks_exact(2 * words) {
            self.done.iter_mut().zip(set).for_each(|(done, set)| *done &= set);
        }
        if sets.is_empty() || self.done.iter().all(|&done| done == 0) {
            return;
        }
        for set in sets.chunks_exact_mut(2 * words) {
            set.iter_mut().zip(&self.done).for_each(|(set, done)| *set &= !done);
        }
        for of_type in self.of_type.chunks_exact_mut(words) {
            of_type.iter_mut().zip(&self.done).for_each(|(of_type, done)| *of_type &= !done);
        }
        for_each_place(&self.done, |place| {
            self.places[self.vertices[place as usize] as usize] = PLACE_OF_RUN;
            self.free.push(place);
        });
    }
}

/// Calls `tell` with each place of a set.
#[inline]
fn for_each_place(set: &[u64], mut tell: impl FnMut(u32)) {
    for (number, &places) in (0_u32..).zip(set) {
        let mut left = places;
        while left != 0 {
            tell(number * 64 + left.trailing_zeros());
            left &= left - 1;
        }
    }
}

/// Whether a set contains this place.
#[inline]
pub(super) fn has(set: &[u64], place: u32) -> bool {
    set[place as usize / 64] >> (place % 64) & 1 == 1
}
