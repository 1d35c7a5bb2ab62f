//! The state of a `gather_all` loop during lowering: its effects on outer variables.

use std::collections::BTreeMap;

use edb_ir::{Builder, Pointwise, ShapeError, ValueId, form};
use proc_macro2::TokenStream;

/// The current `gather_all` loop.
#[derive(Debug)]
pub(crate) struct EdgeLoop {
    /// The number of variables before it: these are not per edge.
    pub(crate) outer: usize,
    /// Its effects on outer variables.
    pub(crate) folds: BTreeMap<usize, Fold>,
    /// Its reads of outer variables.
    pub(crate) reads: Vec<Read>,
    /// The number of random draws so far in its body.
    pub(crate) draws: u32,
    /// How many branches and loops there are around it.
    pub(crate) arms: usize,
}

impl EdgeLoop {
    /// A loop with `outer` variables outside it, and in `arms` branches and loops.
    pub(crate) fn new(outer: usize, arms: usize) -> Self {
        Self { outer, folds: BTreeMap::new(), reads: Vec::new(), draws: 0, arms }
    }
}

/// The place where a variable is read.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) variable: usize,
    pub(crate) tokens: TokenStream,
}

/// How the terms of the edges are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FoldKind {
    Sum,
    Maximum,
    Minimum,
    LogAdd,
}

/// The effect of a loop on a variable; `term` is `None` if it has an error.
#[derive(Debug)]
pub(crate) struct Fold {
    pub(crate) kind: FoldKind,
    pub(crate) term: Option<ValueId>,
    pub(crate) tokens: TokenStream,
    pub(crate) name: String,
}

impl FoldKind {
    pub(crate) fn of_method(name: &str) -> Option<Self> {
        match name {
            "maximum" => Some(FoldKind::Maximum),
            "minimum" => Some(FoldKind::Minimum),
            "log_add" => Some(FoldKind::LogAdd),
            _ => None,
        }
    }

    /// The source text of the operation.
    pub(crate) fn statement(self, name: &str, term: &str) -> String {
        match self {
            FoldKind::Sum => format!("{name} += {term}"),
            FoldKind::Maximum => format!("{name}.maximum({term})"),
            FoldKind::Minimum => format!("{name}.minimum({term})"),
            FoldKind::LogAdd => format!("{name}.log_add({term})"),
        }
    }

    /// What the loop does to the variable, for messages.
    pub(crate) fn effect(self) -> &'static str {
        match self {
            FoldKind::Sum => "added to",
            FoldKind::Maximum => "raised by maximum",
            FoldKind::Minimum => "lowered by minimum",
            FoldKind::LogAdd => "added to by log_add",
        }
    }

    /// The result of the loop, for messages.
    pub(crate) fn result_name(self) -> &'static str {
        match self {
            FoldKind::Sum => "what the loop adds",
            FoldKind::Maximum => "the loop's maximum",
            FoldKind::Minimum => "the loop's minimum",
            FoldKind::LogAdd => "the loop's sum of exponentials",
        }
    }

    /// Combines two terms of one edge.
    pub(crate) fn combine(
        self,
        builder: &mut Builder,
        before: ValueId,
        id: ValueId,
    ) -> Result<ValueId, ShapeError> {
        match self {
            FoldKind::Sum => builder.apply(Pointwise::Add, &[before, id]),
            FoldKind::Maximum => form::maximum(builder, before, id),
            FoldKind::Minimum => form::minimum(builder, before, id),
            FoldKind::LogAdd => builder.apply(Pointwise::LogAdd, &[before, id]),
        }
    }

    /// Combines the value before the loop with a term over the edges of a vertex.
    pub(crate) fn over_edges(
        self,
        builder: &mut Builder,
        before: ValueId,
        term: ValueId,
    ) -> Result<ValueId, ShapeError> {
        let edges = match self {
            FoldKind::Sum => builder.sum_edges(term),
            FoldKind::Maximum => builder.max_edges(term),
            FoldKind::Minimum => builder.min_edges(term),
            FoldKind::LogAdd => return form::log_add_to(builder, before, term),
        };
        self.combine(builder, before, edges)
    }
}
