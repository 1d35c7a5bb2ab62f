//! Models: vertex functions with numbers for their dimensions, and their parameters.
//!
//! The inputs are the vertex functions that a user adds to a [`ModelBuilder`]. The result is a [`Model`],
//! which makes graphs and minibatches, and which the engine runs. Graphs call it to check their vertices; the
//! engine and back ends read it.
//!
//! | file or folder | what it holds |
//! | --- | --- |
//! | this file | the model: a blueprint and parameters |
//! | `setup`, `added` | the dimensions and settings of a function; a function that was added |
//! | `bound` | a function with numbers for its dimensions, which the engine executes |
//! | `blueprint` | the part of a model that training does not change |
//! | `building` | how a model is built and checked |
//! | `derived` | models that are made from another one: its tangent, its losses one by one |
//! | `reports` | reports about a model |

pub(crate) mod added;
mod blueprint;
pub mod bound;
mod building;
pub mod derived;
pub(crate) mod error;
mod reports;
pub(crate) mod setup;

use std::marker::PhantomData;
use std::ops::Deref;
use std::path::Path;

use derive_where::derive_where;

use edb_ir::FunctionId;

use edb_kernels::element::Element;
use edb_learn::learn::{
    LearnError, Notes, Parameters, Transfer, check_all_same, check_counts, checkpoint,
};
use edb_vertex::function::VertexFunction;
use setup::SharedOf;

pub use blueprint::{Blueprint, BoundModel};
pub(crate) use bound::MAX_MASKED_FUNCTIONS;
pub use bound::{needs, outer, routine, stack};
pub use building::{
    FunctionField, FunctionFields, Functions, ModelBuilder, TestBuilder, add_source,
};
pub use derived::tangent;
pub use derived::{Tangent, VertexLosses};
pub use error::{ModelError, ModelProblem};
pub use reports::{FieldSummary, FunctionSummary, ParameterSummary, Summary};
pub use setup::{Setup, SharedParam};

/// Vertex functions with their dimensions and parameters, in `f32` or `f64`.
#[derive(Debug)]
pub struct Model<T = f32> {
    pub(crate) blueprint: Blueprint<T>,
    pub(crate) parameters: Parameters<T>,
}

/// A vertex function of a model: what [`ModelBuilder::add`] returns, and what a struct of [`Functions`] has for each of
/// its functions.
#[derive_where(Clone, Copy)]
pub struct Function<F> {
    pub(crate) id: FunctionId,
    pub(crate) model: u64,
    function: PhantomData<fn() -> F>,
}

impl<F: VertexFunction> std::fmt::Debug for Function<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Function({})", F::NAME)
    }
}

impl<F> Function<F> {
    /// The id of its model, and its number there.
    #[doc(hidden)]
    pub fn key(&self) -> (u64, FunctionId) {
        (self.model, self.id)
    }
}

impl<F: VertexFunction> Function<F> {
    /// The parameter `name` of this function, to be shared with another:
    /// `builder.add::<g>(dims! { H: 8 }.share("w", f.param("w")))`.
    pub fn param(&self, name: &str) -> SharedParam {
        let of = SharedOf::Added { model: self.model, function: self.id, name: F::NAME };
        SharedParam { of, param: name.into() }
    }
}

/// A model can do everything that its blueprint can do: it makes graphs and minibatches, and you can pass it
/// where a `&Blueprint` is expected.
impl<T> Deref for Model<T> {
    type Target = Blueprint<T>;

    fn deref(&self) -> &Blueprint<T> {
        &self.blueprint
    }
}

/// A clone has parameters of its own. Graphs and minibatches of one model also run with the other.
impl<T: Element> Clone for Model<T> {
    fn clone(&self) -> Self {
        Self { blueprint: self.blueprint(), parameters: self.parameters.clone() }
    }
}

impl<T: Element> Model<T> {
    /// The blueprint makes graphs and minibatches of this model, and you can keep it while the model changes.
    /// The model itself makes them, too.
    pub fn blueprint(&self) -> Blueprint<T> {
        self.blueprint.clone()
    }

    #[doc(hidden)]
    pub fn bound(&self) -> &BoundModel {
        self.blueprint.bound()
    }

    /// The parameters.
    pub fn parameters(&self) -> &Parameters<T> {
        &self.parameters
    }

    /// The parameters, to be changed. You may also replace them by parameters with the same names and shapes.
    pub fn parameters_mut(&mut self) -> &mut Parameters<T> {
        &mut self.parameters
    }

    /// The model with other parameters, for example newer ones. Graphs and minibatches of one model also run
    /// with the other.
    ///
    /// # Errors
    /// [`LearnError::OtherParameters`], unless they have the names and shapes of this model's parameters.
    pub fn with_parameters(&self, parameters: Parameters<T>) -> Result<Self, LearnError> {
        let model = Self { blueprint: self.blueprint(), parameters };
        model.check_parameters().map(|()| model)
    }

    /// Checks that the parameters have the names and shapes of this model, since they may have been replaced.
    /// All code that reads parameters by number calls this first.
    ///
    /// # Errors
    /// [`LearnError::OtherParameters`], which names the first that differs.
    pub fn check_parameters(&self) -> Result<(), LearnError> {
        let own = self.bound().parameters.iter().map(|(name, shape)| (name, &shape[..]));
        check_all_same("the parameters", own, self.parameters.identities())?;
        check_counts(&self.parameters)
    }

    /// Saves the parameters as a safetensors file, atomically.
    ///
    /// # Errors
    /// When the parameters belong to another model, or the file cannot be written; an older file of that name
    /// is then unchanged.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), LearnError> {
        self.save_with(path, &Notes::new())
    }

    /// Like [`save`](Self::save), with notes in the same file: everything else that is needed to make the model
    /// again, such as its sizes and its vocabulary. [`Notes::load`] reads them before there is a model, and
    /// [`ModelBuilder::load`] then makes it.
    ///
    /// # Errors
    /// As [`save`](Self::save), and when a note could not be read back.
    pub fn save_with(&self, path: impl AsRef<Path>, notes: &Notes) -> Result<(), LearnError> {
        self.check_parameters()?;
        let mut metadata = notes.metadata()?;
        self.bound().describe_functions(&mut metadata);
        checkpoint::save(&self.parameters, path.as_ref(), &metadata)
    }

    /// Loads some parameters from a safetensors file of another model, for transfer learning. `source` gets the
    /// name of each parameter, and returns the name of the tensor to load for it, if any. Parameters that do
    /// not fit are reported, and keep their values.
    ///
    /// ```no_run
    /// # mod edb { pub use edb_learn::*; pub use edb_model::{*, model::{Model, ModelBuilder}}; }
    /// # fn load(model: &mut edb::model::Model) -> Result<(), edb::learn::LearnError> {
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
        self.check_parameters()?;
        checkpoint::load_some(&mut self.parameters, path.as_ref(), source)
    }

    /// Loads the parameters from a safetensors file, in `f32` or `f64`. To make a new model with the parameters
    /// of a file, see [`ModelBuilder::load`].
    ///
    /// The functions may have changed since the file was saved, as in fine-tuning. A warning through `tracing`
    /// names the functions that now compute something else.
    ///
    /// # Errors
    /// When the file cannot be read or its parameters are not this model's: all differences are
    /// named. No parameter has changed then.
    pub fn load(&mut self, path: impl AsRef<Path>) -> Result<(), LearnError> {
        self.check_parameters()?;
        let metadata = checkpoint::load(&mut self.parameters, path.as_ref())?;
        self.bound().compare_functions(&metadata, path.as_ref());
        Ok(())
    }
}
