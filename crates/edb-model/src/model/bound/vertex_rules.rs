//! Those rules for the vertices of a function that can be checked with a few numbers.

use edb_ir::{FunctionId, IdVec};

use super::{BoundFunction, result_of};
use edb_vertex::cell::InputCell;
use edb_vertex::port::FieldKind;

/// Models with up to this many functions check children quickly: each function has a bit of a mask.
pub(crate) const MAX_MASKED_FUNCTIONS: usize = 64;

/// The rules for the vertices of one function.
///
/// They are made once for a model. Most vertices of most minibatches pass these rules, which only compare a few
/// numbers. All other vertices are checked in full by `graph::validate::check_vertex`.
#[derive(Clone, Debug)]
pub(crate) struct VertexRules {
    /// The least number of children; below, the greatest.
    fewest: usize,
    most: usize,
    /// A mask of the functions whose vertices may be children at every position.
    children: u64,
    /// For each field of the input, the exclusive upper bound of an index; 0 if the field is not an index.
    bounds: Box<[u32]>,
}

impl VertexRules {
    /// The rules of the functions of a model.
    pub(crate) fn all(functions: &IdVec<FunctionId, BoundFunction>) -> IdVec<FunctionId, Self> {
        functions.iter().map(|function| Self::of(function, functions)).collect()
    }

    fn of(function: &BoundFunction, functions: &IdVec<FunctionId, BoundFunction>) -> Self {
        let arity = function.arity();
        let rest = function.plan.program.rest.is_some();
        let places = || 0..function.fixed() + usize::from(rest);
        let fits = |by: &BoundFunction| {
            let by = result_of(functions, by.id);
            places().all(|place| function.child_state(place) == by.scattered())
        };
        let mut children = 0;
        if functions.len() <= MAX_MASKED_FUNCTIONS {
            for (id, by) in functions.iter_enumerated() {
                children |= u64::from(fits(by)) << id.index();
            }
        }
        let bound = |kind, bound: Option<usize>| match kind {
            FieldKind::Index => bound.map_or(u32::MAX, |b| u32::try_from(b).unwrap_or(u32::MAX)),
            FieldKind::Tensor | FieldKind::Indices => 0,
        };
        let bounds = function.input.iter().map(|field| bound(field.kind, field.bound));
        Self { fewest: arity.start, most: arity.end - 1, children, bounds: bounds.collect() }
    }

    /// Whether a vertex may have this many children.
    #[inline]
    pub(crate) fn allows_count(&self, children: usize) -> bool {
        (self.fewest..=self.most).contains(&children)
    }

    /// Whether vertices of these functions, given as a mask, may be children at every position.
    #[inline]
    pub(crate) fn allows_children(&self, functions: u64) -> bool {
        functions & !self.children == 0
    }

    /// Whether every field of the input is an index that is in range.
    #[inline]
    pub(crate) fn allows_indices(&self, inputs: &[InputCell]) -> bool {
        inputs.iter().zip(&self.bounds).all(|(cell, bound)| match cell {
            InputCell::Index(index) => index < bound,
            InputCell::Indices { .. } | InputCell::Data { .. } | InputCell::Pushed { .. } => false,
        })
    }
}
