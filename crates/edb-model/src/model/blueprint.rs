//! The part of a model that does not change in training. Graphs are built with it.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use derive_where::derive_where;

use edb_ir::routine::without_losses;
use edb_ir::{FunctionId, IdVec, Plan, Verified};

use super::added::AddedFunction;
use super::bound::{BoundFunction, StateInfo, VertexRules, Weights, WeightsId, result_of};
use super::setup::Setup;
use edb_kernels::fused::CompiledKernels;
use edb_learn::learn::{ParameterId, Sizes};
use edb_schedule::Signature;
use edb_vertex::cell::InputCell;

/// Vertex functions with numbers for their dimensions.
#[derive(Debug)]
pub struct BoundModel {
    /// A number that is unique to this model.
    pub id: u64,
    /// The vertex functions.
    pub functions: IdVec<FunctionId, BoundFunction>,
    /// The names and the shapes of the parameters.
    pub(super) parameters: Vec<(Arc<str>, Sizes)>,
    /// The states of the functions.
    pub states: Vec<StateInfo>,
    /// The stacked matrices that the products of all functions use.
    pub weights: IdVec<WeightsId, Weights>,
    /// The functions as vertex types, for policies.
    pub signature: Signature,
    /// The rules by which vertices of the functions are checked.
    pub(crate) rules: IdVec<FunctionId, VertexRules>,
    /// The model in which [losses do not count](Self::without_losses); it is made when it is first needed.
    pub(super) losses_left_out: OnceLock<Box<BoundModel>>,
    /// The functions and setups from which it was built, for models that are derived from it.
    pub(crate) sources: Vec<(AddedFunction, Setup)>,
    /// Whether some function has several variants.
    pub(crate) has_variants: bool,
    /// Whether some function pushes a list.
    pub(crate) has_lists: bool,
    /// Whether sections make draws, or decisions other than which section comes next.
    pub(crate) draws_in_sections: bool,
}

impl BoundModel {
    /// The function that scatters and pushes for the vertices of `function`. If `function` goes on with
    /// sections, this is one of its last sections; all of these have the same fields.
    pub fn result_of(&self, function: FunctionId) -> &BoundFunction {
        result_of(&self.functions, function)
    }

    /// The functions in which the vertices of a function may end: the function itself, or its last sections.
    pub fn ends(&self, function: FunctionId) -> impl Iterator<Item = &BoundFunction> {
        let function = self.functions[function].as_added();
        let of_function = self.functions.iter().filter(move |of| of.as_added() == function);
        of_function.filter(|of| of.targets().is_empty())
    }

    /// The function whose output has the fields that the vertices of `function` push. If it pushes a list, this
    /// is a section that pushes an item.
    pub fn pushing(&self, function: FunctionId) -> &BoundFunction {
        let result = self.result_of(function);
        if !result.lists() {
            return result;
        }
        let pushes =
            |of: &&BoundFunction| of.as_added() == result.as_added() && !of.output.is_empty();
        self.functions.iter().find(pushes).unwrap_or(result)
    }

    /// The function that users name when they add the vertices of `function`. For a section, this is the
    /// function to which it belongs.
    pub fn as_added(&self, function: FunctionId) -> &BoundFunction {
        &self.functions[self.functions[function].as_added()]
    }

    /// The name of a parameter.
    pub fn parameter_name(&self, id: ParameterId) -> Option<&str> {
        self.parameters.get(id.index()).map(|(name, _)| &**name)
    }

    /// The variant of `function` that a vertex with this input runs, or with which it begins.
    #[inline]
    pub(crate) fn variant(&self, function: FunctionId, input: &[InputCell]) -> FunctionId {
        match self.has_variants {
            true => self.functions[function].variants.choose(function, input),
            false => function,
        }
    }

    /// Whether the vertices of a function have a loss in any section.
    pub(crate) fn has_loss(&self, function: FunctionId) -> bool {
        let function = self.functions[function].as_added();
        let mut of_function = self.functions.iter().filter(|of| of.as_added() == function);
        of_function.any(|of| !of.plan.program.losses.is_empty())
    }

    /// Whether the vertices of some function have a loss.
    pub fn has_losses(&self) -> bool {
        self.functions.iter().any(|function| !function.plan.program.losses.is_empty())
    }

    /// The model for backward passes in which losses do not count. It has the same layouts and parameters, but
    /// its own id. If the model has no losses, this is the model itself.
    pub fn without_losses(&self) -> &BoundModel {
        if !self.has_losses() {
            return self;
        }
        self.losses_left_out.get_or_init(|| {
            Box::new(Self {
                id: next_id(),
                functions: self.functions.iter().map(BoundFunction::without_losses).collect(),
                parameters: self.parameters.clone(),
                states: self.states.clone(),
                weights: self.weights.clone(),
                signature: self.signature.clone(),
                rules: self.rules.clone(),
                losses_left_out: OnceLock::new(),
                sources: Vec::new(),
                ..*self
            })
        })
    }

    /// Whether the vertices of some function go on with sections.
    pub fn has_sections(&self) -> bool {
        self.functions.iter().any(|function| !function.targets().is_empty())
    }

    /// Whether some function makes random draws.
    pub(crate) fn draws(&self) -> bool {
        self.functions.iter().any(BoundFunction::draws)
    }
}

impl BoundFunction {
    /// The function with losses that do not count. Its kernels are interpreted, since the compiled kernels
    /// belong to the original routine.
    fn without_losses(&self) -> Self {
        if self.plan.program.losses.is_empty() {
            return self.clone();
        }
        let routine = without_losses(&self.plan.program, &self.plan.routine);
        let bound = self.routine.with_instructions(&routine);
        let plan = Verified::new(Arc::new(Plan { routine, ..(*self.plan).clone() }));
        let plan = plan.expect("zeros are written where and when what they replace was");
        Self { plan, kernels: CompiledKernels::NONE, ..self.clone() }.with_routine(bound)
    }
}

/// A new number for a model.
pub(super) fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A model without its parameters. With it, graphs and minibatches can be made while the model is trained, also
/// on another thread. It is cheap to clone.
///
/// A function that builds graphs should take a `&Blueprint`. Then you can also pass it a model:
/// `sentence(&model, ..)`.
#[derive(Debug)]
#[derive_where(Clone)]
pub struct Blueprint<T = f32> {
    bound: Arc<BoundModel>,
    element: PhantomData<fn() -> T>,
}

impl<T> Blueprint<T> {
    pub(crate) fn new(bound: BoundModel) -> Self {
        Self { bound: Arc::new(bound), element: PhantomData }
    }

    pub(crate) fn bound(&self) -> &BoundModel {
        &self.bound
    }

    /// The names of the fields that the vertex function `function` pulls; `None` if the model has
    /// no such function.
    pub fn input_fields(&self, function: &str) -> Option<Vec<String>> {
        let found = self.bound().functions.iter().find(|known| known.name == function)?;
        Some(found.input.iter().map(|field| field.name.clone()).collect())
    }

    /// The vertex functions as vertex types, for which a learned policy is valid.
    pub fn signature(&self) -> &Signature {
        &self.bound().signature
    }
}
