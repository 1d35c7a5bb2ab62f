//! A `gather_all` loop while it is lowered: what it does to the variables around it.

use std::collections::BTreeMap;

use edb_ir::{Builder, Pointwise, ShapeError, ValueId, form};
use proc_macro2::TokenStream;

/// The `gather_all` loop that is being lowered.
#[derive(Debug)]
pub(super) struct EdgeLoop {
    /// How many variables there were before it: those are not of one edge.
    pub(super) outer: usize,
    /// What it does to outer variables.
    pub(super) folds: BTreeMap<usize, Fold>,
    /// Where it reads outer variables.
    pub(super) reads: Vec<(usize, TokenStream)>,
    /// How many ops that draw there have been in its body.
    pub(super) draws: u32,
}

impl EdgeLoop {
    /// A loop with so many variables around it.
    pub(super) fn new(outer: usize) -> Self {
        Self { outer, folds: BTreeMap::new(), reads: Vec::new(), draws: 0 }
    }
}

/// How the terms of the edges come together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Sum,
    Maximum,
    Minimum,
}

/// What a loop does to a variable; no term when that is in error.
#[derive(Debug)]
pub(super) struct Fold {
    pub(super) kind: Kind,
    pub(super) term: Option<ValueId>,
    pub(super) tokens: TokenStream,
    pub(super) name: String,
}

impl Kind {
    pub(super) fn of_method(name: &str) -> Option<Self> {
        match name {
            "maximum" => Some(Kind::Maximum),
            "minimum" => Some(Kind::Minimum),
            _ => None,
        }
    }

    /// How a person writes it.
    pub(super) fn whole(self, name: &str, term: &str) -> String {
        match self {
            Kind::Sum => format!("{name} += {term}"),
            Kind::Maximum => format!("{name}.maximum({term})"),
            Kind::Minimum => format!("{name}.minimum({term})"),
        }
    }

    /// What is done to a variable.
    pub(super) fn done(self) -> &'static str {
        match self {
            Kind::Sum => "added to",
            Kind::Maximum => "raised by maximum",
            Kind::Minimum => "lowered by minimum",
        }
    }

    /// What does it.
    pub(super) fn met(self) -> &'static str {
        match self {
            Kind::Sum => "what the loop adds",
            Kind::Maximum => "the loop's maximum",
            Kind::Minimum => "the loop's minimum",
        }
    }

    /// Two terms as one, or what was there before and what comes of the edges.
    pub(super) fn pair(
        self,
        builder: &mut Builder,
        before: ValueId,
        id: ValueId,
    ) -> Result<ValueId, ShapeError> {
        match self {
            Kind::Sum => builder.apply(Pointwise::Add, &[before, id]),
            Kind::Maximum => form::maximum(builder, before, id),
            Kind::Minimum => form::minimum(builder, before, id),
        }
    }

    /// What comes of a term over the edges of a vertex.
    pub(super) fn over_edges(self, builder: &mut Builder, term: ValueId) -> ValueId {
        match self {
            Kind::Sum => builder.sum_edges(term),
            Kind::Maximum => builder.max_edges(term),
            Kind::Minimum => builder.min_edges(term),
        }
    }
}
