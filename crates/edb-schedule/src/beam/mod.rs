//! Beam search over words, which are sequences of types: each level adds a batch.
//!
//! The inputs are a graph, the cost of a batch of each type, the width of the beam and how much work is
//! allowed. The result is the cheapest word that was found, and whether the search left nothing out. The policy
//! that looks ahead calls it with a narrow beam, [`search`](crate::search) with wide ones.
//!
//! A state is the set of vertices that have run; the rest of a schedule depends on nothing else.
//! The states of a level agree about most vertices, so only the other vertices have bits: see `window.rs`.
//! Where a type is provably right (ED-Batch, lemma 2.1), it is the only choice. A state is dropped if another
//! one of its level has run at least the same vertices at no greater cost, or if its lower bound shows that it
//! cannot lead to a cheaper schedule than the best known one. As long as all other states fit into the beam,
//! the search is exhaustive, and its result is proved to be the cheapest.
//!
//! The cost of a schedule is the sum of the prices of its batches, by type. Running a provably right type first
//! is optimal at any prices, since it adds no batch to any type.
//!
//! States are ranked by the lower bound on the remaining cost and by the remaining vertices,
//! weighted by the length of the longest path above each.

mod own_below;
mod waits;
mod window;

use crate::graph::{Labels, TypeGraph, total_heights};

use waits::{Ran, Waits};
use window::{Window, has};

/// With how many other states a state is compared at most: with the ones that rank just before it.
const MAX_COMPARED_STATES: usize = 256;
/// The weight of a vertex with the longest path above it, at any power.
const WEIGHT_OF_LONGEST_PATH: f64 = (1_u64 << 24) as f64;

/// A graph, prepared for beam search.
pub(super) struct Beam<'g> {
    graph: &'g TypeGraph,
    /// By type, what a batch of it costs.
    prices: Vec<u64>,
    /// By type, its greatest own-type height.
    tops: Vec<u32>,
    levels: Levels,
    waits: Waits,
    /// By vertex, its own-type height.
    heights: Vec<u32>,
    /// By vertex, the length of the longest path above it.
    totals: Vec<u32>,
}

/// The vertices of each type and own-type height.
struct Levels {
    /// By type, the index of its first level; the levels of a type are in ascending order of height.
    first: Vec<u32>,
    /// By level, where its vertices begin.
    starts: Vec<u32>,
    vertices: Vec<u32>,
}

/// How states are ranked, and how many of them are kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranking {
    pub(super) width: usize,
    /// The exponent of the weights: a vertex that has not run weighs `h^power`, `h` being the
    /// length of the longest path above it.
    pub(super) power: i32,
    /// How much the sum of weights counts compared with the lower bound; both are divided by their initial
    /// values.
    pub(super) factor: f64,
}

/// What a unit of cost and a unit of weight add to the rank of a state.
#[derive(Clone, Copy, Debug)]
struct RankScale {
    per_cost: f64,
    per_weight: f64,
}

/// The result of a search.
pub(super) struct Found {
    /// The types of the batches of a schedule that costs less than the limit.
    pub(super) word: Option<Vec<u16>>,
    /// Whether the search was exhaustive: then no word costs less than `word` or, if there is none, less than
    /// the limit.
    pub(super) exhausted: bool,
}

/// The states of a level.
#[derive(Default)]
struct Layer {
    entries: Vec<BeamState>,
    /// Two sets for each state, as bits by place in the window: the vertices that have run, and the vertices
    /// that are ready.
    sets: Vec<u64>,
    /// For each state, its types.
    types: Vec<OfType>,
}

#[derive(Clone, Copy)]
struct BeamState {
    /// The cost of its batches so far.
    spent: u64,
    /// A lower bound on the cost of the remaining batches; 0 if there are none.
    bound: u64,
    /// The sum of the weights of the vertices that have not run.
    weight: u64,
    /// The index of the last batch in the trail.
    trail: u32,
}

/// A type in a state.
#[derive(Clone, Copy)]
struct OfType {
    /// How many vertices are ready.
    ready: u32,
    /// How many vertices are not ready, but wait for none of their own type: Frontier(Gᵃ) without
    /// the ready ones.
    waiting: u32,
    /// The greatest own-type height of a vertex that has not run.
    top: u32,
    /// How many vertices of height `top` are not ready.
    missing: u32,
    /// The sum of the weights of the ready vertices.
    weight: u64,
}

/// A vertex: its type, own-type height and weight.
struct OfVertex {
    vertex_type: u16,
    height: u32,
    weight: u64,
}

/// A state that may be kept: a batch of this type run in a state of the level before.
struct Candidate {
    rank: f64,
    from: u32,
    vertex_type: u16,
    /// Whether the batch lowers the bound.
    falls: bool,
}

/// A search that is under way.
struct Search<'b> {
    beam: &'b Beam<'b>,
    /// By vertex, its data that is needed when it becomes ready.
    vertices: Vec<OfVertex>,
    window: Window,
    /// Each batch of each state: the index of the batch before it, and its type.
    trail: Vec<(u32, u16)>,
    /// Whether no state had to be left out.
    exhausted: bool,
    /// The two sets of a candidate: the vertices that have run, and the vertices that are ready.
    next: Vec<u64>,
    /// The batch of a candidate.
    batch: Vec<u64>,
    /// Begins with the vertices that the batch makes ready; the rest is spare room.
    readied: Vec<u32>,
}

impl<'g> Beam<'g> {
    /// Prepares a graph without repeated children for searches at these prices.
    ///
    /// `prices` contains the cost of a batch for each type, all greater than 0. If all prices are 1, the cost
    /// of a schedule is the number of its batches. Prices and the number of batches are below 2³², so that no
    /// sum of prices overflows.
    pub(super) fn new(graph: &'g TypeGraph, prices: &[u64]) -> Self {
        let Labels { heights, chained, .. } = Labels::new(graph);
        Self {
            graph,
            prices: prices.to_vec(),
            levels: Levels::new(graph, &heights.own, &heights.tops),
            waits: Waits::new(graph, &chained),
            heights: heights.own,
            tops: heights.tops,
            totals: total_heights(graph),
        }
    }

    /// Searches for a word that costs less than `limit`.
    ///
    /// `budget` is the work that may still be done, in vertices run. The search subtracts its work from it,
    /// counted as if states had a bit for each vertex. Once it is 0, the beam narrows to one state.
    pub(super) fn search(&self, ranking: Ranking, mut limit: u64, budget: &mut u64) -> Found {
        let bounds = self.tops.iter().zip(&self.prices).map(|(&top, price)| u64::from(top) * price);
        let bound = bounds.sum::<u64>();
        let cheapest = self.prices.iter().copied().min().unwrap_or(1);
        let (mut search, mut level) = Search::new(self, ranking.power, bound);
        let scale = RankScale {
            per_cost: 1.0 / bound.max(1) as f64,
            per_weight: ranking.factor / level.entries[0].weight.max(1) as f64,
        };
        let words = self.graph.len().div_ceil(64).max(1);
        let (mut candidates, mut kept) = (Vec::new(), Layer::default());
        let (mut word, mut base) = (None, 0);
        loop {
            let done = level.entries.iter().filter(|entry| entry.bound == 0);
            if let Some(done) = done.min_by_key(|entry| entry.spent) {
                limit = done.spent;
                word = Some(read_back(&search.trail, done.trail));
            }
            if level.entries.iter().all(|entry| entry.spent + entry.bound >= limit) {
                return Found { word, exhausted: search.exhausted };
            }
            // Every state of the next level has spent at least `base`, so ranks do not count it.
            base += cheapest;
            let count = search.candidates(&level, scale, base, limit, &mut candidates);
            *budget = budget.saturating_sub((count * (1 + words / 16)) as u64);
            // The sort is stable: among candidates of equal rank, the first stays first.
            candidates.sort_by(|a, b| a.rank.total_cmp(&b.rank));
            let width = if *budget == 0 { 1 } else { ranking.width.max(1) };
            search.keep(&mut level, &candidates, width, &mut kept);
            std::mem::swap(&mut level, &mut kept);
            let kept = level.entries.len();
            let compared = kept.min(MAX_COMPARED_STATES) / 64;
            *budget = budget.saturating_sub((kept * (3 + words / 4 + compared)) as u64);
        }
    }

    /// The weights of vertices. They are integers, so that a sum does not depend on the order of its terms.
    /// With a negative power weights can be large; they are capped so that the sum of all of them does not
    /// overflow.
    fn weights(&self, power: i32) -> Vec<u64> {
        let highest = self.totals.iter().copied().max().unwrap_or(1);
        let most = u64::MAX / self.totals.len().max(1) as u64;
        let weight = |total: u32| {
            let weight =
                (f64::from(total) / f64::from(highest)).powi(power) * WEIGHT_OF_LONGEST_PATH;
            (weight as u64).min(most)
        };
        let by_total: Vec<u64> = (0..=highest).map(weight).collect();
        self.totals.iter().map(|&total| by_total[total as usize]).collect()
    }
}

impl Levels {
    fn new(graph: &TypeGraph, heights: &[u32], tops: &[u32]) -> Self {
        let mut first = Vec::with_capacity(tops.len());
        let mut count = 0;
        for top in tops {
            first.push(count);
            count += top;
        }
        let level = |vertex: usize| {
            (first[usize::from(graph.types()[vertex])] + heights[vertex] - 1) as usize
        };
        let mut starts = vec![0_u32; count as usize + 2];
        for vertex in 0..graph.len() {
            starts[level(vertex) + 2] += 1;
        }
        for number in 2..starts.len() {
            starts[number] += starts[number - 1];
        }
        let mut vertices = vec![0; graph.len()];
        for vertex in 0..graph.len() {
            let start = &mut starts[level(vertex) + 1];
            vertices[*start as usize] = vertex as u32;
            *start += 1;
        }
        Self { first, starts, vertices }
    }

    /// The vertices of a type with this own-type height; there are none of height 0.
    fn of(&self, vertex_type: u16, height: u32) -> &[u32] {
        let Some(above) = height.checked_sub(1) else { return &[] };
        let level = (self.first[usize::from(vertex_type)] + above) as usize;
        &self.vertices[self.starts[level] as usize..self.starts[level + 1] as usize]
    }
}

impl<'b> Search<'b> {
    /// Begins a search, and makes its first layer, which contains only the state in which nothing has run.
    fn new(beam: &'b Beam<'_>, power: i32, bound: u64) -> (Self, Layer) {
        let graph = beam.graph;
        let weights = beam.weights(power);
        let entry = BeamState { spent: 0, bound, weight: weights.iter().sum(), trail: u32::MAX };
        let of_type = |(vertex_type, &top): (u16, &u32)| {
            let missing = beam.levels.of(vertex_type, top).len() as u32;
            OfType { ready: 0, waiting: 0, top, missing, weight: 0 }
        };
        let mut types: Vec<_> = (0..).zip(&beam.tops).map(of_type).collect();
        for (vertex, &vertex_type) in (0..).zip(graph.types()) {
            let is_free = beam.waits.is_free(vertex);
            types[usize::from(vertex_type)].waiting += u32::from(is_free);
        }
        let of_vertices = graph.types().iter().zip(&beam.heights).zip(weights);
        let of_vertices = of_vertices.map(|((&vertex_type, &height), weight)| OfVertex {
            vertex_type,
            height,
            weight,
        });
        let mut search = Self {
            beam,
            vertices: of_vertices.collect(),
            window: Window::new(graph),
            trail: Vec::new(),
            exhausted: true,
            next: Vec::new(),
            batch: Vec::new(),
            readied: graph.leaves().to_vec(),
        };
        let sets = search.window.empty_sets();
        let mut layer = Layer { entries: vec![entry], sets, types };
        search.mark_ready(search.readied.len(), &mut Layer::default(), &mut layer);
        search.readied.resize(graph.len() + 1, 0);
        (search, layer)
    }

    /// The successors of all states that may lead to a word that costs less than `limit`: a batch
    /// of each ready type, or only of one that is provably right. Returns how many successors there are at any
    /// cost.
    fn candidates(
        &self,
        level: &Layer,
        scale: RankScale,
        base: u64,
        limit: u64,
        candidates: &mut Vec<Candidate>,
    ) -> usize {
        candidates.clear();
        let mut count = 0;
        let states = level.types.chunks_exact(self.beam.tops.len().max(1));
        for ((from, entry), types) in (0..).zip(&level.entries).zip(states) {
            let is_safe = |of: &OfType| of.ready > 0 && of.waiting == 0;
            let safe = types.iter().position(is_safe);
            let choices = safe.map_or(0..types.len(), |safe| safe..safe + 1);
            for vertex_type in choices.filter(|&choice| types[choice].ready > 0) {
                count += 1;
                let of = &types[vertex_type];
                let falls = of.missing == 0;
                let price = self.beam.prices[vertex_type];
                let spent = entry.spent + price;
                let bound = if falls { entry.bound - price } else { entry.bound };
                if spent + bound < limit {
                    let cost = (spent - base + bound) as f64;
                    let weight = (entry.weight - of.weight) as f64;
                    let rank = cost * scale.per_cost + weight * scale.per_weight;
                    let vertex_type = vertex_type as u16;
                    candidates.push(Candidate { rank, from, vertex_type, falls });
                }
            }
        }
        count
    }

    /// Replaces `kept` by the best of the candidates, which are sorted.
    fn keep(
        &mut self,
        level: &mut Layer,
        candidates: &[Candidate],
        width: usize,
        kept: &mut Layer,
    ) {
        let types = self.beam.tops.len();
        kept.clear();
        for candidate in candidates {
            let from = candidate.from as usize;
            let vertex_type = usize::from(candidate.vertex_type);
            let words = self.window.words();
            let before = level.entries[from];
            let price = self.beam.prices[vertex_type];
            let spent = before.spent + price;
            let (done, ready) = level.sets[from * 2 * words..][..2 * words].split_at(words);
            let of_type = self.window.of_type(vertex_type);
            self.next.resize(2 * words, 0);
            self.batch.resize(words, 0);
            let (next_done, next_ready) = self.next.split_at_mut(words);
            for word in 0..words {
                let batch = ready[word] & of_type[word];
                self.batch[word] = batch;
                next_done[word] = done[word] | batch;
                next_ready[word] = ready[word] & !batch;
            }
            // States that have run more vertices rank earlier, so a state is compared only with the ones before
            // it.
            let covers = |(set, entry): (&[u64], &BeamState)| {
                entry.spent <= spent
                    && self.next[..words].iter().zip(set).all(|(next, kept)| next & !kept == 0)
            };
            let others = kept.sets.chunks_exact(2 * words).zip(&kept.entries);
            if others.rev().take(MAX_COMPARED_STATES).any(covers) {
                continue;
            }
            if kept.entries.len() == width {
                self.exhausted = false;
                break;
            }
            kept.sets.extend_from_slice(&self.next);
            kept.types.extend_from_slice(&level.types[from * types..][..types]);
            let bound = before.bound - if candidate.falls { price } else { 0 };
            let place = kept.types.len() - types + vertex_type;
            let weight = before.weight - kept.types[place].weight;
            self.trail.push((before.trail, candidate.vertex_type));
            let trail = self.trail.len() as u32 - 1;
            kept.entries.push(BeamState { spent, bound, weight, trail });
            let readied = self.run(candidate, &mut kept.types[place]);
            self.mark_ready(readied, level, kept);
        }
        self.window.forget(&mut kept.sets);
    }

    /// Updates `of`, the type of the candidate's batch, to the state after the batch. Puts the vertices that
    /// the batch makes ready at the front of `readied`, and returns how many they are.
    fn run(&mut self, candidate: &Candidate, of: &mut OfType) -> usize {
        let Self { beam, window, readied, .. } = self;
        let ran = Ran { batch: &self.batch, done: &self.next[..self.batch.len()] };
        let (ready, free) = beam.waits.set_free(beam.graph, window, ran, readied);
        of.waiting += free;
        (of.ready, of.weight) = (0, 0);
        if candidate.falls {
            of.top -= 1;
            let level = beam.levels.of(candidate.vertex_type, of.top);
            let is_left = |&&vertex: &&u32| !has(ran.done, window.place(vertex));
            of.missing = level.iter().filter(is_left).count() as u32;
        }
        ready
    }

    /// Marks the first `count` vertices of `readied` as ready in the last state of `kept`.
    fn mark_ready(&mut self, count: usize, level: &mut Layer, kept: &mut Layer) {
        let start = kept.types.len() - self.beam.tops.len();
        for &vertex in &self.readied[..count] {
            let place = self.window.enter(vertex, [&mut level.sets, &mut kept.sets]);
            let words = self.window.words();
            let ready = kept.sets.len() - words + place / 64;
            kept.sets[ready] |= 1 << (place % 64);
            let OfVertex { vertex_type, height, weight } = self.vertices[vertex as usize];
            let of = &mut kept.types[start + usize::from(vertex_type)];
            of.ready += 1;
            of.waiting -= 1;
            of.weight += weight;
            of.missing -= u32::from(height == of.top);
        }
    }
}

impl Layer {
    fn clear(&mut self) {
        self.entries.clear();
        self.sets.clear();
        self.types.clear();
    }
}

/// The types of the batches up to this one: the trail holds each batch's predecessor and
/// type.
fn read_back(trail: &[(u32, u16)], mut batch: u32) -> Vec<u16> {
    let mut word = Vec::new();
    while let Some(&(before, vertex_type)) = trail.get(batch as usize) {
        word.push(vertex_type);
        batch = before;
    }
    word.reverse();
    word
}
