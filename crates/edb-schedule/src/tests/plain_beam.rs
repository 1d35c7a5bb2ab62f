//! Beam search as it is defined, state by state and vertex by vertex: slow, and without any of the
//! sets and counts that make the crate's own fast.

use crate::TypeGraph;
use crate::beam::Ranking;
use crate::graph::{Labels, total_heights};

/// The vertices that have run, by vertex, and the batches so far.
#[derive(Clone)]
struct State {
    done: Vec<bool>,
    word: Vec<u16>,
}

/// A graph with what ranks need of it.
struct Plain<'g> {
    graph: &'g TypeGraph,
    prices: &'g [u64],
    heights: Vec<u32>,
    weights: Vec<u64>,
    /// By vertex and vertex: whether the second is below the first.
    below: Vec<Vec<bool>>,
}

/// The word of a cheapest schedule that a beam of this ranking finds.
pub(super) fn search(graph: &TypeGraph, prices: &[u64], ranking: Ranking) -> Vec<u16> {
    let plain = Plain::new(graph, prices, ranking.power);
    let empty = State { done: vec![false; graph.len()], word: Vec::new() };
    let whole = plain.weight(&empty).max(1) as f64;
    let bound = plain.bound(&empty).max(1) as f64;
    let cheapest = prices.iter().copied().min().unwrap_or(1);
    let rank = |state: &State, base: u64| {
        let cost = plain.spent(state) - base + plain.bound(state);
        cost as f64 * (1.0 / bound) + plain.weight(state) as f64 * (ranking.factor / whole)
    };
    let (mut level, mut base) = (vec![empty], 0);
    let (mut best, mut limit) = (Vec::new(), u64::MAX);
    loop {
        let done = level.iter().filter(|state| plain.bound(state) == 0);
        if let Some(done) = done.min_by_key(|state| plain.spent(state)) {
            limit = plain.spent(done);
            best = done.word.clone();
        }
        if level.iter().all(|state| plain.spent(state) + plain.bound(state) >= limit) {
            return best;
        }
        base += cheapest;
        let mut next: Vec<State> = level.iter().flat_map(|state| plain.successors(state)).collect();
        next.retain(|state| plain.spent(state) + plain.bound(state) < limit);
        next.sort_by(|a, b| rank(a, base).total_cmp(&rank(b, base)));
        level.clear();
        for state in next {
            let covers = |other: &State| {
                let mut pairs = state.done.iter().zip(&other.done);
                plain.spent(other) <= plain.spent(&state) && pairs.all(|(own, other)| own <= other)
            };
            if !level.iter().any(covers) {
                level.push(state);
            }
            if level.len() == ranking.width {
                break;
            }
        }
    }
}

impl<'g> Plain<'g> {
    fn new(graph: &'g TypeGraph, prices: &'g [u64], power: i32) -> Self {
        let totals = total_heights(graph);
        let highest = f64::from(totals.iter().copied().max().unwrap_or(1));
        let weight = |&total: &u32| (f64::from(total) / highest).powi(power) * f64::from(1 << 24);
        let weights = totals.iter().map(|total| weight(total) as u64).collect();
        let mut below = vec![vec![false; graph.len()]; graph.len()];
        for &vertex in graph.children_first() {
            for &child in graph.children(vertex) {
                let of_child = below[child as usize].clone();
                let row = &mut below[vertex as usize];
                row.iter_mut().zip(of_child).for_each(|(row, of_child)| *row |= of_child);
                row[child as usize] = true;
            }
        }
        Self { graph, prices, heights: Labels::new(graph).heights.own, weights, below }
    }

    fn left<'a>(&'a self, state: &'a State) -> impl Iterator<Item = usize> + 'a {
        (0..self.graph.len()).filter(|&vertex| !state.done[vertex])
    }

    fn weight(&self, state: &State) -> u64 {
        self.left(state).map(|vertex| self.weights[vertex]).sum()
    }

    fn spent(&self, state: &State) -> u64 {
        state.word.iter().map(|&vertex_type| self.prices[usize::from(vertex_type)]).sum()
    }

    fn bound(&self, state: &State) -> u64 {
        let of_type = |vertex_type: u16| {
            let own = self.left(state).filter(|&v| self.graph.types()[v] == vertex_type);
            u64::from(own.map(|vertex| self.heights[vertex]).max().unwrap_or(0))
        };
        (0..).zip(self.prices).map(|(vertex_type, price)| of_type(vertex_type) * price).sum()
    }

    /// The states after a batch of each ready type, or of the lowest one that is provably right.
    fn successors(&self, state: &State) -> Vec<State> {
        let is_ready = |vertex: &usize| {
            let mut children = self.graph.children(*vertex as u32).iter();
            children.all(|&child| state.done[child as usize])
        };
        let mut all = Vec::new();
        for vertex_type in 0..self.graph.type_count() {
            let own = |vertex: &usize| self.graph.types()[*vertex] == vertex_type;
            let left: Vec<usize> = self.left(state).filter(own).collect();
            let ready: Vec<usize> = left.iter().copied().filter(is_ready).collect();
            let waits = |vertex: usize| left.iter().any(|&other| self.below[vertex][other]);
            let frontier = left.iter().filter(|&&vertex| !waits(vertex)).count();
            if ready.is_empty() {
                continue;
            }
            let mut after = state.clone();
            after.word.push(vertex_type);
            ready.iter().for_each(|&vertex| after.done[vertex] = true);
            if ready.len() == frontier {
                return vec![after];
            }
            all.push(after);
        }
        all
    }
}
