//! Beam search over words (sequences of types, see `reduce.rs`): each level adds a batch.
//!
//! A state is the set of vertices that have run, as bits; the rest of a schedule depends on nothing
//! else. Where a type is provably right (ED-Batch, lemma 2.1), it is the only choice. A state is
//! dropped if another one of its level has run at least the same vertices at no greater cost, or if
//! its lower bound does not promise a schedule cheaper than the best known one. As long as all
//! other states fit into the beam, the search is exhaustive, and so a proof.
//!
//! The cost of a schedule is the sum of the prices of its batches, by type. Running a provably
//! right type first is optimal whatever the prices: it adds no batch to any type.
//!
//! States are ranked by the lower bound on the remaining cost and by the remaining vertices,
//! weighted by the length of the longest path above each.

use super::TypeGraph;
use super::labels::{Labels, total_heights};

/// The most states that a state is compared with: those of the nearest ranks.
const LOOK_BACK: usize = 256;
/// The weight of a vertex with the longest path above it.
const HEAVIEST: f64 = (1_u64 << 24) as f64;

/// A graph, prepared for beam search.
pub(super) struct Beam<'g> {
    graph: &'g TypeGraph,
    /// The number of 64-bit words of a set of vertices.
    words: usize,
    /// By type, what a batch of it costs.
    prices: Vec<u64>,
    /// By type, the set of its vertices.
    of_type: Vec<u64>,
    /// By type, its greatest own-type height.
    tops: Vec<u32>,
    /// By type, the sets of its vertices of each height, the greatest first.
    levels: Vec<Vec<u64>>,
    /// By vertex, the nearest vertices of its own type below it.
    own_below: Vec<Vec<u32>>,
    /// By vertex, the length of the longest path above it.
    totals: Vec<u32>,
}

/// How states are ranked, and how many of them are kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranking {
    pub(super) width: usize,
    /// The exponent of the weights: a vertex that has not run weighs `h^power`, `h` being the
    /// length of the longest path above it.
    pub(super) power: i32,
    /// The factor of the sum of weights against the lower bound, both relative to their initial
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
    /// Whether the search was exhaustive: no word costs less than this or, if there is none, than
    /// the limit.
    pub(super) exhausted: bool,
}

/// The states of a level.
struct Layer {
    entries: Vec<Entry>,
    /// For each state two sets: the vertices that have run, and those that are ready.
    sets: Vec<u64>,
    /// For each state, the greatest height of each type that has not run.
    tops: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Entry {
    /// The cost of its batches so far.
    spent: u64,
    /// A lower bound on the cost of the remaining batches; 0 if there are none.
    bound: u64,
    /// The sum of the weights of the vertices that have not run.
    weight: u64,
    /// The index of the last batch in the trail.
    trail: u32,
}

/// A state that may be kept.
struct Candidate {
    rank: f64,
    from: u32,
    vertex_type: u16,
    entry: Entry,
}

impl<'g> Beam<'g> {
    /// `prices` are the costs of a batch, by type, all greater than 0; where all are 1, a schedule
    /// costs the number of its batches. Prices and the number of batches are below 2³², so that no
    /// sum of prices overflows.
    pub(super) fn new(graph: &'g TypeGraph, prices: &[u64]) -> Self {
        let labels = Labels::new(graph);
        let heights = &labels.heights.own;
        let totals = total_heights(graph);
        let words = graph.len().div_ceil(64).max(1);
        let types = usize::from(graph.type_count());
        let mut of_type = vec![0; types * words];
        let tops = labels.heights.tops.clone();
        for (vertex, &vertex_type) in graph.types().iter().enumerate() {
            let own = usize::from(vertex_type);
            of_type[own * words + vertex / 64] |= 1 << (vertex % 64);
        }
        let mut levels: Vec<_> = tops.iter().map(|&top| vec![0; top as usize * words]).collect();
        for (vertex, &vertex_type) in graph.types().iter().enumerate() {
            let own = usize::from(vertex_type);
            let depth = (tops[own] - heights[vertex]) as usize;
            levels[own][depth * words + vertex / 64] |= 1 << (vertex % 64);
        }
        let own_below = own_below(graph, &labels);
        let prices = prices.to_vec();
        Self { graph, words, prices, of_type, tops, levels, own_below, totals }
    }

    /// Searches for a word that costs less than `limit`.
    ///
    /// `budget` is the work that may still be done, in vertices run, and is lowered by the work
    /// done. Once it is 0, the beam narrows to one state.
    pub(super) fn search(&self, ranking: Ranking, mut limit: u64, budget: &mut u64) -> Found {
        let weights = self.weights(ranking.power);
        let whole = weights.iter().sum::<u64>();
        let bounds = self.tops.iter().zip(&self.prices).map(|(&top, price)| u64::from(top) * price);
        let bound = bounds.sum::<u64>();
        let cheapest = self.prices.iter().copied().min().unwrap_or(1);
        let scale = RankScale {
            per_cost: 1.0 / bound.max(1) as f64,
            per_weight: ranking.factor / whole.max(1) as f64,
        };
        let mut sets = vec![0_u64; 2 * self.words];
        for &leaf in self.graph.leaves() {
            sets[self.words + leaf as usize / 64] |= 1 << (leaf % 64);
        }
        let entries = vec![Entry { spent: 0, bound, weight: whole, trail: u32::MAX }];
        let mut level = Layer { entries, sets, tops: self.tops.clone() };
        let mut trail = Vec::new();
        let mut exhausted = true;
        let (mut word, mut base) = (None, 0);
        loop {
            let done = level.entries.iter().filter(|entry| entry.bound == 0);
            if let Some(done) = done.min_by_key(|entry| entry.spent) {
                limit = done.spent;
                word = Some(read_back(&trail, done.trail));
            }
            if level.entries.iter().all(|entry| entry.spent + entry.bound >= limit) {
                return Found { word, exhausted };
            }
            // Every state of the next level has spent at least this much, so it is left out of the
            // ranks.
            base += cheapest;
            let mut candidates = self.candidates(&level, &weights, scale, base);
            *budget = budget.saturating_sub((candidates.len() * (1 + self.words / 16)) as u64);
            candidates.retain(|Candidate { entry, .. }| entry.spent + entry.bound < limit);
            candidates.sort_by(|a, b| {
                let key = |c: &Candidate| (c.from, c.vertex_type);
                a.rank.total_cmp(&b.rank).then(key(a).cmp(&key(b)))
            });
            let width = if *budget == 0 { 1 } else { ranking.width.max(1) };
            level = self.kept(&level, &candidates, width, &mut trail, &mut exhausted);
            let kept = level.entries.len();
            let compared = kept.min(LOOK_BACK) / 64;
            *budget = budget.saturating_sub((kept * (3 + self.words / 4 + compared)) as u64);
        }
    }

    /// The successors of all states: a batch of each ready type, or only of one that is provably
    /// right.
    fn candidates(
        &self,
        level: &Layer,
        weights: &[u64],
        scale: RankScale,
        base: u64,
    ) -> Vec<Candidate> {
        let types = self.tops.len();
        let mut candidates = Vec::new();
        for (state, entry) in level.entries.iter().enumerate() {
            let set = &level.sets[state * 2 * self.words..][..2 * self.words];
            let safe = self.safe(set);
            for vertex_type in 0..types {
                if safe.is_some_and(|safe| safe != vertex_type) {
                    continue;
                }
                let (mut weight, mut size) = (entry.weight, 0);
                for_each(self.batch(set, vertex_type), |vertex| {
                    weight -= weights[vertex];
                    size += 1;
                });
                if size == 0 {
                    continue;
                }
                let top = level.tops[state * types + vertex_type];
                let price = self.prices[vertex_type];
                let spent = entry.spent + price;
                let bound = entry.bound - price * u64::from(self.falls(set, vertex_type, top));
                let cost = (spent - base + bound) as f64;
                let rank = cost * scale.per_cost + weight as f64 * scale.per_weight;
                let entry = Entry { spent, bound, weight, trail: entry.trail };
                let (from, vertex_type) = (state as u32, vertex_type as u16);
                candidates.push(Candidate { rank, from, vertex_type, entry });
            }
        }
        candidates
    }

    /// The best of the candidates, which are sorted.
    fn kept(
        &self,
        level: &Layer,
        candidates: &[Candidate],
        width: usize,
        trail: &mut Vec<(u32, u16)>,
        exhausted: &mut bool,
    ) -> Layer {
        let (words, types) = (self.words, self.tops.len());
        let mut kept = Layer { entries: Vec::new(), sets: Vec::new(), tops: Vec::new() };
        let mut next = vec![0_u64; 2 * words];
        for candidate in candidates {
            let from = candidate.from as usize;
            let vertex_type = usize::from(candidate.vertex_type);
            let set = &level.sets[from * 2 * words..][..2 * words];
            next.copy_from_slice(set);
            for (number, word) in self.batch(set, vertex_type).enumerate() {
                next[number] |= word;
                next[words + number] &= !word;
            }
            // States that have run more rank earlier, so that it is enough to look back.
            let covers = |(set, entry): (&[u64], &Entry)| {
                entry.spent <= candidate.entry.spent
                    && next[..words].iter().zip(set).all(|(next, kept)| next & !kept == 0)
            };
            let before = kept.sets.chunks_exact(2 * words).zip(&kept.entries);
            if before.rev().take(LOOK_BACK).any(covers) {
                continue;
            }
            if kept.entries.len() == width {
                *exhausted = false;
                break;
            }
            let mut ready = Vec::new();
            for_each(self.batch(set, vertex_type), |vertex| {
                let parents = self.graph.parents(vertex as u32).iter();
                ready.extend(parents.filter(|&&parent| self.is_ready(&next, parent)));
            });
            ready.iter().for_each(|&v: &u32| next[words + v as usize / 64] |= 1 << (v % 64));
            trail.push((candidate.entry.trail, candidate.vertex_type));
            kept.sets.extend_from_slice(&next);
            kept.tops.extend_from_slice(&level.tops[from * types..][..types]);
            let top = kept.tops.len() - types + vertex_type;
            kept.tops[top] -= u32::from(candidate.entry.bound < level.entries[from].bound);
            kept.entries.push(Entry { trail: trail.len() as u32 - 1, ..candidate.entry });
        }
        kept
    }

    fn is_ready(&self, done: &[u64], vertex: u32) -> bool {
        self.graph.children(vertex).iter().all(|&child| has(done, child))
    }

    /// The weights of vertices: integers, so that a sum does not depend on the order of its terms.
    /// With a negative power they can be large, but they are capped so that the sum of all does not
    /// overflow.
    fn weights(&self, power: i32) -> Vec<u64> {
        let highest = f64::from(self.totals.iter().copied().max().unwrap_or(1));
        let most = u64::MAX / self.totals.len().max(1) as u64;
        let weight = |&total: &u32| {
            let weight = (f64::from(total) / highest).powi(power) * HEAVIEST;
            (weight as u64).min(most)
        };
        self.totals.iter().map(weight).collect()
    }

    /// The ready vertices of a type.
    fn batch<'a>(&'a self, set: &'a [u64], vertex_type: usize) -> impl Iterator<Item = u64> + 'a {
        let of_type = &self.of_type[vertex_type * self.words..][..self.words];
        set[self.words..].iter().zip(of_type).map(|(ready, of_type)| ready & of_type)
    }

    /// Whether a batch of a type runs all its remaining vertices at the greatest height.
    fn falls(&self, set: &[u64], vertex_type: usize, top: u32) -> bool {
        let start = (self.tops[vertex_type] - top) as usize * self.words;
        let level = &self.levels[vertex_type][start..][..self.words];
        let (done, ready) = set.split_at(self.words);
        level.iter().zip(done).zip(ready).all(|((level, done), ready)| level & !done & !ready == 0)
    }

    /// The lowest type all of whose frontier is ready.
    fn safe(&self, set: &[u64]) -> Option<usize> {
        let (done, ready) = set.split_at(self.words);
        (0..self.tops.len()).find(|&vertex_type| {
            let of_type = &self.of_type[vertex_type * self.words..][..self.words];
            let mut any = false;
            for (number, of_type) in of_type.iter().enumerate() {
                any |= of_type & ready[number] != 0;
                // A vertex that is neither done nor ready must wait for one of its own type.
                let mut waiting = of_type & !done[number] & !ready[number];
                while waiting != 0 {
                    let vertex = number * 64 + waiting.trailing_zeros() as usize;
                    if self.own_below[vertex].iter().all(|&below| has(done, below)) {
                        return false;
                    }
                    waiting &= waiting - 1;
                }
            }
            any
        })
    }
}

fn has(set: &[u64], vertex: u32) -> bool {
    set[vertex as usize / 64] >> (vertex % 64) & 1 == 1
}

/// Calls `f` for each vertex of a set.
fn for_each(set: impl Iterator<Item = u64>, mut f: impl FnMut(usize)) {
    for (number, mut word) in set.enumerate() {
        while word != 0 {
            f(number * 64 + word.trailing_zeros() as usize);
            word &= word - 1;
        }
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

/// For each vertex, those of its type below it that have no vertex of the type in between.
fn own_below(graph: &TypeGraph, labels: &Labels) -> Vec<Vec<u32>> {
    let mut own = vec![Vec::new(); graph.len()];
    let mut below: Vec<Vec<u32>> = vec![Vec::new(); graph.len()];
    for vertex_type in (0..graph.type_count()).filter(|&t| labels.chained[usize::from(t)]) {
        for &vertex in graph.children_first() {
            let mut row = std::mem::take(&mut below[vertex as usize]);
            row.clear();
            for &child in graph.children(vertex) {
                if graph.vertex_type(child) == vertex_type {
                    row.push(child);
                } else {
                    row.extend_from_slice(&below[child as usize]);
                }
            }
            if row.len() > 1 {
                row.sort_unstable();
                row.dedup();
            }
            if graph.vertex_type(vertex) == vertex_type {
                own[vertex as usize].clone_from(&row);
            }
            below[vertex as usize] = row;
        }
    }
    own
}
