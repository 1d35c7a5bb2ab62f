//! Models: vertex functions with numbers for their dimensions, and their parameters.

mod blueprint;
pub(crate) mod bound;
mod builder;
mod check;
mod error;
pub(crate) mod outer;
pub(crate) mod routine;
mod setup;
mod summary;

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;

pub use blueprint::Blueprint;
pub use builder::ModelBuilder;
pub use error::{ModelError, ModelProblem};
pub use setup::{Setup, SharedParam};
pub use summary::{FieldSummary, FunctionSummary, ParameterSummary, Summary};

use crate::element::Element;
use crate::engine::{Engine, EngineError, Run};
use crate::function::VertexFunction;
use crate::graph::{Graph, GraphError, Minibatch, MinibatchError, Rule, VertexRecord};
use crate::learn::{LearnError, Parameters, Transfer, checkpoint};
use crate::schedule::Signature;
use bound::{BoundFunction, StateInfo};
use routine::Weights;

/// Vertex functions with their dimensions and parameters, in `f32` or `f64`.
#[derive(Debug)]
pub struct Model<T = f32> {
    pub(crate) id: u64,
    pub(crate) inner: Arc<Inner>,
    pub(crate) parameters: Parameters<T>,
}

/// What of a model does not change while it learns.
#[derive(Debug)]
pub struct Inner {
    /// The vertex functions.
    pub functions: Vec<BoundFunction>,
    /// The states that they share.
    pub states: Vec<StateInfo>,
    /// The stacked matrices that products want, of all functions.
    pub weights: Vec<Weights>,
    /// The functions as vertex types, for policies.
    pub(crate) signature: Signature,
    /// What vertices of the functions are checked by.
    pub(crate) rules: Vec<Rule>,
}

/// A vertex function of a model: what [`ModelBuilder::add`] returns.
pub struct Function<F> {
    pub(crate) index: usize,
    pub(crate) model: u64,
    function: PhantomData<fn() -> F>,
}

impl<F> Clone for Function<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for Function<F> {}

impl<F: VertexFunction> std::fmt::Debug for Function<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Function({})", F::NAME)
    }
}

impl<F: VertexFunction> Function<F> {
    /// The parameter `name` of this function, to be shared with another:
    /// `builder.add::<g>(dims! { H: 8 }.share("w", f.param("w")))`.
    pub fn param(&self, name: &str) -> SharedParam {
        SharedParam { model: self.model, function: self.index, name: F::NAME, param: name.into() }
    }
}

impl<T: Element> Model<T> {
    /// An empty graph over this model's vertex functions.
    pub fn graph(&self) -> Graph<T> {
        Graph::new(self.id)
    }

    /// The names of the fields that the vertex function `function` pulls; `None` if the model has
    /// no such function.
    pub fn input_fields(&self, function: &str) -> Option<Vec<String>> {
        let found = self.inner.functions.iter().find(|known| known.name == function)?;
        Some(found.input.iter().map(|field| field.name.clone()).collect())
    }

    /// A graph from records: vertex functions by name, children by number, as read from a file.
    ///
    /// # Errors
    /// The first record that does not fit: an unknown function, a child that does not exist or has
    /// another state, an unknown field, a cycle (with its vertices named).
    pub fn graph_from_records(&self, records: &[VertexRecord]) -> Result<Graph<T>, GraphError> {
        crate::graph::from_records(self, records)
    }

    /// A minibatch of graphs, validated.
    ///
    /// # Errors
    /// The first graph and vertex that break a rule. The graphs are untouched.
    pub fn minibatch<'g>(
        &self,
        graphs: impl IntoIterator<Item = &'g Graph<T>>,
    ) -> Result<Minibatch<T>, MinibatchError> {
        Minibatch::new(self, graphs)
    }

    /// Checks that a minibatch is of this model. Whatever takes both asks this first: the numbers of
    /// functions in a minibatch mean something in its own model only.
    pub(crate) fn check_owns(&self, batch: &Minibatch<T>) -> Result<(), EngineError> {
        if batch.model == self.id { Ok(()) } else { Err(EngineError::ForeignMinibatch) }
    }

    /// Runs a minibatch forward, keeping nothing for a backward pass.
    ///
    /// Makes an [`Engine`] for this one run; keep one of your own (or a
    /// [`Trainer`](crate::trainer::Trainer)) to run many.
    ///
    /// # Errors
    /// When the minibatch is of another model, or memory does not suffice.
    pub fn infer<'a>(&'a self, batch: &'a Minibatch<T>) -> Result<Run<'a, T>, EngineError> {
        Run::owned(Engine::new(), self, batch)
    }

    /// The vertex functions as vertex types: what a learned policy holds for.
    pub fn signature(&self) -> &Signature {
        &self.inner.signature
    }

    /// The parameters.
    pub fn parameters(&self) -> &Parameters<T> {
        &self.parameters
    }

    /// The parameters, to be changed.
    pub fn parameters_mut(&mut self) -> &mut Parameters<T> {
        &mut self.parameters
    }

    /// Saves the parameters as a safetensors file, atomically.
    ///
    /// # Errors
    /// When the file cannot be written; an older file of that name is then untouched.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), LearnError> {
        checkpoint::save(&self.parameters, path.as_ref(), &BTreeMap::new())
    }

    /// Loads some of the parameters from a safetensors file of another model, for transfer: those for
    /// which `source`, given the parameter's name, returns the name of a tensor. What does not fit is
    /// reported, and keeps its values.
    ///
    /// ```no_run
    /// # fn load(model: &mut edb_core::model::Model) -> Result<(), edb_core::learn::LearnError> {
    /// let report = model.load_some("encoder.safetensors", |name| {
    ///     // Everything of the encoder, which was called `read` there.
    ///     name.strip_prefix("encode.").map(|rest| format!("read.{rest}"))
    /// })?;
    /// println!("{} loaded; {:?} do not fit", report.loaded.len(), report.differing);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When the file cannot be read. No parameter has changed then.
    pub fn load_some(
        &mut self,
        path: impl AsRef<Path>,
        source: impl FnMut(&str) -> Option<String>,
    ) -> Result<Transfer, LearnError> {
        checkpoint::load_some(&mut self.parameters, path.as_ref(), source)
    }

    /// Loads the parameters from a safetensors file, in `f32` or `f64`.
    ///
    /// # Errors
    /// When the file cannot be read or its parameters are not this model's: all differences are
    /// named. No parameter has changed then.
    pub fn load(&mut self, path: impl AsRef<Path>) -> Result<(), LearnError> {
        checkpoint::load(&mut self.parameters, path.as_ref()).map(drop)
    }
}
