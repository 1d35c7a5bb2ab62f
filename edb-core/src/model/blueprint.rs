//! The part of a model that does not change in training, with which graphs are built.

use std::marker::PhantomData;
use std::sync::Arc;

use edb_ir::{FunctionId, IdVec};

use super::Setup;
use super::bound::{BoundFunction, Source, StateInfo, result_of};
use super::rules::Rule;
use super::stack::{Weights, WeightsId};
use crate::graph::InputCell;
use crate::schedule::Signature;

/// Vertex functions with numbers for their dimensions.
#[derive(Debug)]
pub struct BoundModel {
    /// A number that is unique to this model.
    pub(crate) id: u64,
    /// The vertex functions.
    pub functions: IdVec<FunctionId, BoundFunction>,
    /// The states that they share.
    pub states: Vec<StateInfo>,
    /// The stacked matrices that the products of all functions use.
    pub weights: IdVec<WeightsId, Weights>,
    /// The functions as vertex types, for policies.
    pub(crate) signature: Signature,
    /// The rules by which vertices of the functions are checked.
    pub(crate) rules: IdVec<FunctionId, Rule>,
    /// Of what it was built, for models that are derived from it.
    pub(super) sources: Vec<(Source, Setup)>,
    /// Whether some function has several variants.
    pub(crate) has_variants: bool,
    /// Whether some function pushes a list.
    pub(crate) has_lists: bool,
    /// Whether vertices that go on with sections draw or decide more than what comes next.
    pub(crate) draws_in_sections: bool,
}

impl BoundModel {
    /// The function whose vertices scatter and push what those of a function do: of one that goes on
    /// with sections the last one.
    pub(crate) fn result_of(&self, function: FunctionId) -> &BoundFunction {
        result_of(&self.functions, function)
    }

    /// The function whose output has the fields that the vertices of a function push: of one that
    /// pushes a list some section that pushes an item.
    pub(crate) fn pushing(&self, function: FunctionId) -> &BoundFunction {
        let result = self.result_of(function);
        if !result.lists() {
            return result;
        }
        let pushes =
            |of: &&BoundFunction| of.as_added() == result.as_added() && !of.output.is_empty();
        self.functions.iter().find(pushes).unwrap_or(result)
    }

    /// The function as which the vertices of one are added: of a section the function that it is
    /// of.
    pub(crate) fn as_added(&self, function: FunctionId) -> &BoundFunction {
        &self.functions[self.functions[function].as_added()]
    }

    /// The function whose program a vertex of `function` runs, or begins with, by its input: a
    /// variant of it.
    #[inline]
    pub(crate) fn variant(&self, function: FunctionId, input: &[InputCell]) -> FunctionId {
        match self.has_variants {
            true => self.functions[function].variants.choose(function, input),
            false => function,
        }
    }

    /// Whether the vertices of a function have a loss, in whichever section.
    pub(crate) fn has_loss(&self, function: FunctionId) -> bool {
        let function = self.functions[function].as_added();
        let mut of_function = self.functions.iter().filter(|of| of.as_added() == function);
        of_function.any(|of| !of.plan.program.losses.is_empty())
    }

    /// Whether the vertices of some function have a loss.
    pub(crate) fn has_losses(&self) -> bool {
        self.functions.iter().any(|function| !function.plan.program.losses.is_empty())
    }

    /// Whether the vertices of some function go on with sections.
    pub(crate) fn has_sections(&self) -> bool {
        self.functions.iter().any(|function| !function.targets().is_empty())
    }

    /// Whether some function makes random draws.
    pub(crate) fn draws(&self) -> bool {
        self.functions.iter().any(BoundFunction::draws)
    }
}

/// A model without its parameters, with which graphs and minibatches are made, on another thread
/// too, while the model is trained. Cheap to clone.
#[derive(Debug)]
pub struct Blueprint<T = f32> {
    bound: Arc<BoundModel>,
    element: PhantomData<fn() -> T>,
}

impl<T> Clone for Blueprint<T> {
    fn clone(&self) -> Self {
        Self { bound: Arc::clone(&self.bound), element: PhantomData }
    }
}

impl<T> Blueprint<T> {
    pub(crate) fn new(bound: BoundModel) -> Self {
        Self { bound: Arc::new(bound), element: PhantomData }
    }

    pub(crate) fn bound(&self) -> &BoundModel {
        &self.bound
    }
}
