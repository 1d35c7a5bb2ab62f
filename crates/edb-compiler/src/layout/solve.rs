//! Which operands are ranges and which are copied.
//!
//! A set of operands either has an order in which all of them are ranges or has none; the two
//! passes decide that exactly. If not all operands fit, the cheapest to copy are copied. The paper
//! drops the batch at which its pass happened to fail, with half of its constraints applied; here
//! each try begins with a fresh tree, and sets of operands are tried by ascending cost of the
//! copies, so that the first that fits copies the least.

use std::collections::BTreeSet;

use super::broadcast::{Ranges, broadcast};
use super::orient::orient;
use super::pq_tree::PqTree;
use super::problem::{Call, Cost, Layout, Operand, OperandPlace, Problem};

/// How many sets of operands are tried before the search settles for a good one. A cell needs one;
/// with this many, a cell that fits badly is still planned in a few milliseconds.
const TRIES: usize = 300;

/// The most operands that are laid out together. The search takes time with the third power of their
/// number; a cell has tens, and only a loop that is unrolled has more.
const MAX_OPERANDS_TOGETHER: usize = 200;
/// How many operands a window has: see [`by_windows`].
const OPERANDS_PER_WINDOW: usize = 100;

/// Lays out a problem. Deterministic.
///
/// # Panics
/// When the operands of a call have different numbers of lanes or name values that do not exist.
pub fn solve(problem: &Problem) -> Layout {
    let could_be_ranges = |call: &Call| {
        call.operands
            .iter()
            .filter(|operand| operand.0.len() > 1 && problem.can_be_range(operand))
            .count()
    };
    let operands: Vec<usize> = problem.calls.iter().map(could_be_ranges).collect();
    match operands.iter().sum::<usize>() > MAX_OPERANDS_TOGETHER {
        true => problem.place(by_windows(problem, &operands), false),
        false => solve_within(problem, TRIES),
    }
}

/// Lays out a problem, trying about this many sets of operands in the search for the layout that
/// copies the least.
///
/// With 1, either everything fits or operands are taken greedily, the most expensive to copy first:
/// that copies 2.7 % more than the least over the random instances of `tests/layout.rs`.
///
/// # Panics
/// As [`solve`].
pub fn solve_within(problem: &Problem, tries: usize) -> Layout {
    let mut search = Search::new(problem, tries);
    let (order, optimal) = match search.least_copies() {
        Some(order) => (order, true),
        None => (search.greedy(), false),
    };
    let layout = problem.place(order, optimal);
    debug_assert_eq!(layout.check(problem), Ok(()));
    layout
}

/// The PQ-tree of a layout: all orders in which every operand is a range that is one in the layout.
/// The order of the layout is one of these that also run through the lanes of each call alike.
///
/// # Panics
/// When the layout is of another problem.
pub fn tree(problem: &Problem, layout: &Layout) -> PqTree {
    let search = Search::new(problem, 1);
    let is_range = |number: &usize| {
        let (call, operand, _) = search.operands[*number];
        matches!(layout.calls[call].places[operand], OperandPlace::Range(_))
    };
    let (tree, _) = (search.reduced((0..search.operands.len()).filter(is_range)))
        .expect("what is a range in the layout can be one");
    tree
}

/// An order for a problem of many operands; `operands` says how many each call has. Calls are taken in order, as
/// windows of about [`OPERANDS_PER_WINDOW`] operands. Each window lays out those of its values that have no place
/// yet. So time grows with the number of calls. An operand that has values of two windows is copied.
fn by_windows(problem: &Problem, operands: &[usize]) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    let mut place_of: Vec<Option<usize>> = vec![None; problem.values.len()];
    let mut first = 0;
    while first < problem.calls.len() {
        let (mut end, mut count) = (first, 0);
        while end < problem.calls.len()
            && (end == first || count + operands[end] <= OPERANDS_PER_WINDOW)
        {
            count += operands[end];
            end += 1;
        }
        for value in window(problem, &problem.calls[first..end], &place_of) {
            place_of[value] = Some(order.len());
            order.push(value);
        }
        first = end;
    }
    order.extend((0..problem.values.len()).filter(|value| place_of[*value].is_none()));
    // Buffer by buffer: windows have been so, each by itself.
    order.sort_by_key(|value| problem.values[*value].space);
    order
}

/// The values of these calls that have no place yet, laid out.
fn window(problem: &Problem, calls: &[Call], place_of: &[Option<usize>]) -> Vec<usize> {
    let is_new = |value: &usize| place_of[*value].is_none();
    let of_calls = calls.iter().flat_map(|call| &call.operands).flat_map(|operand| &operand.0);
    let values: BTreeSet<usize> = of_calls.copied().filter(is_new).collect();
    let values: Vec<usize> = values.into_iter().collect();
    let number = |value: &usize| values.binary_search(value).ok();
    let call = |call: &Call| {
        // Lanes run as an operand does that has its place, such as weights that every step reads.
        let placed =
            |operand: &&Operand| problem.can_be_range(operand) && !operand.0.iter().any(is_new);
        let lead = call.operands.iter().find(placed).filter(|_| !call.ordered);
        let mut lanes: Vec<usize> = (0..call.operands.first().map_or(0, |of| of.0.len())).collect();
        if let Some(lead) = lead {
            lanes.sort_by_key(|lane| place_of[lead.0[*lane]]);
        }
        let operand = |operand: &Operand| {
            let numbers = lanes.iter().map(|lane| number(&operand.0[*lane]));
            numbers.collect::<Option<_>>().map(Operand)
        };
        let operands = call.operands.iter().filter_map(operand).collect();
        Call { operands, ordered: call.ordered || lead.is_some() }
    };
    let part = Problem {
        values: values.iter().map(|value| problem.values[*value].clone()).collect(),
        calls: calls.iter().map(call).collect(),
    };
    let layout = solve_within(&part, TRIES);
    layout.order.into_iter().map(|value| values[value]).collect()
}

struct Search<'a> {
    problem: &'a Problem,
    /// The operands that could be ranges and are more than one value: call, operand, cost.
    operands: Vec<(usize, usize, Cost)>,
    /// The tree of all orders in which each buffer is in one piece.
    buffers: PqTree,
    /// How many more sets of operands may be tried.
    tries: usize,
}

impl<'a> Search<'a> {
    fn new(problem: &'a Problem, tries: usize) -> Self {
        let mut operands = Vec::new();
        for (number, call) in problem.calls.iter().enumerate() {
            let lanes = call.operands.first().map_or(0, |operand| operand.0.len());
            for (which, operand) in call.operands.iter().enumerate() {
                assert_eq!(operand.0.len(), lanes, "call {number}: a value for each lane");
                if lanes > 1 && problem.can_be_range(operand) {
                    operands.push((number, which, problem.cost(operand)));
                }
            }
        }
        let mut buffers = PqTree::new(problem.values.len());
        let spaces: BTreeSet<usize> = problem.values.iter().map(|item| item.space).collect();
        for space in spaces {
            let of_space = |value: &usize| problem.values[*value].space == space;
            let values: Vec<usize> = (0..problem.values.len()).filter(of_space).collect();
            buffers.reduce(&values).expect("buffers are disjoint");
        }
        Self { problem, operands, buffers, tries }
    }

    /// An order in which all of these operands (ascending) are ranges, if there is one.
    fn order(&mut self, kept: impl Iterator<Item = usize>) -> Option<Vec<usize>> {
        self.tries = self.tries.saturating_sub(1);
        let (tree, calls) = self.reduced(kept)?;
        orient(&tree, &calls).ok()
    }

    /// The tree of the orders in which each of these operands (ascending) is a range, and those of
    /// a call have one structure, with the operands call by call.
    fn reduced(&self, kept: impl Iterator<Item = usize>) -> Option<(PqTree, Vec<Ranges<'a>>)> {
        let problem = self.problem;
        let mut tree = self.buffers.clone();
        let mut calls: Vec<(usize, Ranges<'_>)> = Vec::new();
        for number in kept {
            let (call, operand, _) = self.operands[number];
            let values = &problem.calls[call].operands[operand].0[..];
            tree.reduce(values).ok()?;
            match calls.last_mut() {
                Some((last, ranges)) if *last == call => ranges.operands.push(values),
                _ => {
                    let ordered = problem.calls[call].ordered;
                    calls.push((call, Ranges { operands: vec![values], ordered }));
                }
            }
        }
        let calls: Vec<Ranges<'_>> = calls.into_iter().map(|(_, ranges)| ranges).collect();
        broadcast(&mut tree, &calls).ok()?;
        Some((tree, calls))
    }

    /// The order that copies the least, or `None` when finding it takes too long.
    ///
    /// Sets of dropped operands are visited by ascending cost. Of operands that do not fit
    /// together, one must be dropped: so a set that does not fit is followed by those with one
    /// operand more, taken from a minimal conflict.
    fn least_copies(&mut self) -> Option<Vec<usize>> {
        let mut open = BTreeSet::from([(Cost::default(), Vec::<usize>::new())]);
        let mut conflicts: Vec<Vec<usize>> = Vec::new();
        while let Some((cost, dropped)) = open.pop_first() {
            let known =
                conflicts.iter().find(|c| c.iter().all(|operand| !dropped.contains(operand)));
            let conflict = match known {
                Some(conflict) => conflict.clone(),
                None => {
                    let kept: Vec<usize> = (0..self.operands.len())
                        .filter(|operand| !dropped.contains(operand))
                        .collect();
                    if let Some(order) = self.order(kept.iter().copied()) {
                        return Some(order);
                    }
                    conflicts.push(self.conflict(kept)?);
                    conflicts[conflicts.len() - 1].clone()
                }
            };
            for operand in conflict {
                let mut more = dropped.clone();
                let place = more.partition_point(|other| *other < operand);
                more.insert(place, operand);
                open.insert((cost + self.operands[operand].2, more));
            }
            if open.len() > TRIES {
                return None;
            }
        }
        None
    }

    /// A minimal conflict among these operands, which do not fit together: without any one of its
    /// operands, the others fit.
    fn conflict(&mut self, mut kept: Vec<usize>) -> Option<Vec<usize>> {
        // Nothing after the shortest prefix that does not fit is needed for the conflict.
        let (mut fits, mut fails) = (0, kept.len());
        while fails - fits > 1 {
            let middle = (fits + fails) / 2;
            match self.order(kept[..middle].iter().copied()) {
                Some(_) => fits = middle,
                None => fails = middle,
            }
        }
        kept.truncate(fails);
        let mut tried = 0;
        while tried < kept.len() {
            if self.tries == 0 {
                return None;
            }
            let without = kept.iter().enumerate().filter(|(other, _)| *other != tried);
            let without: Vec<usize> = without.map(|(_, operand)| *operand).collect();
            match self.order(without.iter().copied()) {
                Some(_) => tried += 1,
                None => kept = without,
            }
        }
        Some(kept)
    }

    /// A good order: operands are taken from the most expensive on, if they fit with those taken.
    fn greedy(&mut self) -> Vec<usize> {
        let mut dearest: Vec<usize> = (0..self.operands.len()).collect();
        dearest.sort_by_key(|operand| std::cmp::Reverse(self.operands[*operand].2));
        let mut taken: Vec<usize> = Vec::new();
        let mut best = self.buffers.frontier();
        for operand in dearest {
            let place = taken.partition_point(|other| *other < operand);
            taken.insert(place, operand);
            match self.order(taken.iter().copied()) {
                Some(order) => best = order,
                None => drop(taken.remove(place)),
            }
        }
        best
    }
}
