//! The levels of the vertices of a minibatch, and which functions depend on which.
//!
//! They are found while the vertices are checked, since this visits all vertices anyway.

use std::ops::Range;

use edb_ir::{FunctionId, IdVec};
use smallvec::SmallVec;

use super::error::GraphError;
use super::validate::check_vertex;
use super::{ABSENT, Graph, InputCell};
use crate::model::{BoundModel, MAX_MASKED_FUNCTIONS};
use edb_kernels::element::Element;

/// The level of each vertex: the length of the longest path from it to vertices below it, on which all vertices
/// have its own function.
///
/// If no function depends on itself through another one, there are no other paths between vertices of one
/// function. Then a shortest schedule runs the levels of each function as its batches, one after the other:
/// their number is the lower bound (ED-Batch, appendix A.3).
#[derive(Clone, Debug, Default)]
pub struct Levels {
    /// The level of each vertex.
    pub levels: Vec<u32>,
    functions: IdVec<FunctionId, OfFunction>,
    /// Whether the dependencies are known: every vertex depends on earlier ones only, and a mask
    /// has a bit for every function.
    known: bool,
    /// Whether some vertex pulls what another one pushes.
    pub feeds: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct OfFunction {
    /// The functions of the vertices on which its vertices depend, as a mask.
    waits: u64,
    /// On how many levels its vertices are.
    count: u32,
}

/// What checking a graph has found.
pub(super) struct Found {
    /// Whether every vertex depends on earlier ones only.
    pub(super) ascending: bool,
    /// Whether every field of every input is an index.
    pub(super) only_indices: bool,
}

impl Levels {
    pub(super) fn new(functions: usize, vertices: usize) -> Self {
        Self {
            levels: Vec::with_capacity(vertices),
            functions: IdVec::filled(OfFunction::default(), functions),
            known: functions <= MAX_MASKED_FUNCTIONS,
            feeds: false,
        }
    }

    /// Levels that say that nothing is known.
    pub(super) fn unknown(feeds: bool) -> Self {
        Self { feeds, ..Self::default() }
    }

    /// Joins the levels of several minibatches, one after the other, if they are all known.
    pub(super) fn joined<'l>(parts: impl Iterator<Item = &'l Self> + Clone) -> Self {
        let feeds = parts.clone().any(|part| part.feeds);
        if !parts.clone().all(|part| part.known) {
            return Self::unknown(feeds);
        }
        let mut all = Self { known: true, feeds, ..Self::default() };
        for part in parts {
            all.levels.extend_from_slice(&part.levels);
            all.functions.raw.resize(part.functions.len(), OfFunction::default());
            for (of_all, of) in all.functions.raw.iter_mut().zip(&part.functions.raw) {
                of_all.waits |= of.waits;
                of_all.count = of_all.count.max(of.count);
            }
        }
        all
    }

    /// The levels of a minibatch without vertices.
    pub(super) fn hollow(&self) -> Self {
        let functions = IdVec::filled(OfFunction::default(), self.functions.len());
        Self { levels: Vec::new(), functions, known: self.known, feeds: self.feeds }
    }

    /// Makes these the levels of some vertices of `whole`, which run these `functions`. They are all the
    /// vertices of some graphs, and no path leads out of a graph.
    pub(super) fn refill(
        &mut self,
        whole: &Self,
        vertices: Range<usize>,
        functions: &[FunctionId],
    ) {
        self.levels.clear();
        // `whole.levels` is empty if levels are not known.
        self.levels.extend_from_slice(whole.levels.get(vertices).unwrap_or_default());
        // This includes dependencies that only vertices of other graphs have. They do no harm.
        self.functions.clone_from(&whole.functions);
        self.functions.raw.iter_mut().for_each(|of| of.count = 0);
        for (level, function) in self.levels.iter().zip(functions) {
            let of = &mut self.functions[*function];
            of.count = of.count.max(level + 1);
        }
        (self.known, self.feeds) = (whole.known, whole.feeds);
    }

    /// The number of levels that the vertices of a function are on.
    pub fn count(&self, function: FunctionId) -> u32 {
        self.functions[function].count
    }

    /// The functions for which `needed` holds, each after the functions that it depends on. `None` if one of
    /// them depends on itself through others, or if dependencies are not known.
    pub fn order(&self, needed: &[bool]) -> Option<SmallVec<[FunctionId; 32]>> {
        if !self.known {
            return None;
        }
        let mut order = SmallVec::new();
        let mask = needed.iter().rev().fold(0_u64, |mask, &needed| mask << 1 | u64::from(needed));
        let mut left = mask;
        while left != 0 {
            let is_next = |(function, of): &(FunctionId, &OfFunction)| {
                let own = 1_u64 << function.index();
                left & own != 0 && of.waits & left & !own == 0
            };
            let mut functions = self.functions.iter_enumerated();
            let (next, _) = functions.find(is_next)?;
            order.push(next);
            left &= !(1 << next.index());
        }
        Some(order)
    }

    /// Forgets all vertices, before those of a model with this many functions are [pushed](Self::push).
    pub fn restart(&mut self, functions: usize) {
        self.functions.raw.clear();
        self.functions.raw.resize(functions, OfFunction::default());
        self.known = functions <= MAX_MASKED_FUNCTIONS;
        self.levels.clear();
    }

    /// Appends the level of a vertex that depends only on earlier vertices. Each of these is given by its
    /// number among the pushed vertices and by its function.
    #[inline]
    pub fn push(
        &mut self,
        function: FunctionId,
        dependencies: impl Iterator<Item = (usize, FunctionId)>,
    ) {
        let mut below = Below { function, level: 0, waits: 0 };
        for (number, function) in dependencies {
            below.add(function, self.levels[number]);
        }
        self.levels.push(below.level);
        let of = &mut self.functions[function];
        of.waits |= below.waits;
        of.count = of.count.max(below.level + 1);
    }

    /// Checks the vertices of a graph, which run these `functions`, and appends their levels.
    pub(super) fn extend<T: Element>(
        &mut self,
        model: &BoundModel,
        graph: &Graph<T>,
        functions: &[FunctionId],
    ) -> Result<Found, GraphError> {
        let rules = &model.rules;
        let entries = &graph.entries[..];
        let first = self.levels.len();
        self.levels.resize(first + entries.len(), 0);
        let levels = &mut self.levels[first..];
        let mut found = Found { ascending: true, only_indices: true };
        let (mut child, mut input) = (0, 0);
        for (vertex, (entry, &function)) in entries.iter().zip(functions).enumerate() {
            let rule = &rules[entry.function];
            let children = &graph.children[child as usize..entry.children as usize];
            let inputs = &graph.inputs[input as usize..entry.inputs as usize];
            (child, input) = (entry.children, entry.inputs);
            let mut below = Below { function, level: 0, waits: 0 };
            let mut there = true;
            for &child in children {
                let is_earlier = (child as usize) < vertex;
                if is_earlier {
                    below.add(functions[child as usize], levels[child as usize]);
                } else {
                    there = false;
                    found.ascending &= child == ABSENT;
                }
            }
            let right =
                there & rule.allows_count(children.len()) & rule.allows_children(below.waits);
            let indices = rule.allows_indices(inputs);
            if !(right & indices) {
                check_vertex(model, graph, vertex).map_err(|p| GraphError::new(vertex, p))?;
                for cell in inputs {
                    found.only_indices &= matches!(cell, InputCell::Index(_));
                    let InputCell::Pushed { vertex: source, .. } = *cell else { continue };
                    self.feeds = true;
                    if (source as usize) < vertex {
                        below.add(functions[source as usize], levels[source as usize]);
                    } else {
                        found.ascending = false;
                    }
                }
            }
            levels[vertex] = below.level;
            let of = &mut self.functions[function];
            of.waits |= below.waits;
            of.count = of.count.max(below.level + 1);
        }
        self.known &= found.ascending;
        Ok(found)
    }
}

/// Collects the level and the dependencies of a vertex of `function` from the vertices that it depends on.
struct Below {
    function: FunctionId,
    level: u32,
    waits: u64,
}

impl Below {
    #[inline]
    fn add(&mut self, function: FunctionId, level: u32) {
        self.waits |= 1_u64.wrapping_shl(function.0.into());
        let level = if function == self.function { level + 1 } else { 0 };
        self.level = self.level.max(level);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order of functions whose dependencies are these masks.
    fn order(waits: &[u64], needed: &[bool]) -> Option<Vec<u16>> {
        let mut levels = Levels::new(waits.len(), 0);
        for (of, waits) in levels.functions.raw.iter_mut().zip(waits) {
            of.waits = *waits;
        }
        Some(levels.order(needed)?.iter().map(|function| function.0).collect())
    }

    #[test]
    fn functions_stand_behind_those_that_they_wait_for() {
        assert_eq!(order(&[0b110, 0b010, 0b010], &[true; 3]), Some(vec![1, 2, 0]));
        assert_eq!(order(&[0b110, 0b010, 0b010], &[true, false, false]), Some(vec![0]));
        assert_eq!(order(&[0, 0], &[false; 2]), Some(vec![]));
        // 0 depends on 1 and 1 on 0. This does not matter if one of them is not needed.
        assert_eq!(order(&[0b10, 0b01], &[true; 2]), None);
        assert_eq!(order(&[0b10, 0b01], &[false, true]), Some(vec![1]));
        assert_eq!(order(&[0; 64], &[true; 64]), Some((0..64).collect()));
        assert_eq!(order(&[0; 65], &[true; 65]), None);
    }
}
