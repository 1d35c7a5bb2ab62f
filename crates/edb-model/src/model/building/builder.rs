//! The input from which a model is built: vertex functions with their dimensions.

use std::marker::PhantomData;

use edb_ir::{Flow, FunctionId, IdVec, Plan, Program};

use crate::model::Function;
use crate::model::added::AddedFunction;
use crate::model::blueprint::next_id;
use crate::model::error::ModelProblem;
use crate::model::setup::Setup;
use edb_vertex::function::{Definition, VertexFunction};

/// Collects vertex functions and makes a [`Model`](crate::model::Model) of them.
///
/// [`ModelBuilder::build`] checks everything, and reports all problems at once.
#[derive(Debug)]
pub struct ModelBuilder {
    id: u64,
    pub(crate) functions: IdVec<FunctionId, (AddedFunction, Setup)>,
    /// What was wrong with setups for several functions.
    pub(super) problems: Vec<ModelProblem>,
}

impl Default for ModelBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl ModelBuilder {
    /// An empty model.
    pub fn new() -> Self {
        Self { id: next_id(), functions: IdVec::new(), problems: Vec::new() }
    }

    /// The id that the model will have.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// Adds a vertex function with its dimensions. The function is given as a type:
    /// `builder.add::<phrase>(dims! { H: 150 })`. [`add_all`](Self::add_all) adds all functions of a struct.
    pub fn add<F: VertexFunction>(&mut self, setup: Setup) -> Function<F> {
        let id = self.add_definition(F::definition(), setup);
        Function { id, model: self.id, function: PhantomData }
    }

    fn add_definition(&mut self, definition: Definition, setup: Setup) -> FunctionId {
        self.functions.push((AddedFunction::of_definition(&definition), setup))
    }

    /// Adds a function that was read from a file.
    #[cfg(feature = "bundle")]
    pub(crate) fn add_source(&mut self, source: AddedFunction, setup: Setup) -> FunctionId {
        self.functions.push((source, setup))
    }

    /// Adds a vertex function whose program was built by hand. `compile` makes its plan; the crate
    /// `edb-compiler` has a function `compile` for this. Returns the number of the vertex function. Its
    /// vertices come from records
    /// ([`Blueprint::graph_from_records`](crate::model::Blueprint::graph_from_records)).
    ///
    /// A program that breaks a rule is not compiled, and [`ModelBuilder::build`] reports what is wrong.
    pub fn add_program(
        &mut self,
        program: Program,
        compile: impl FnOnce(Program) -> Plan,
        setup: Setup,
    ) -> FunctionId {
        self.add_flow(program.into(), |flow| compile(flow.program), setup)
    }

    /// Like [`ModelBuilder::add_program`], for a vertex function with branches and loops that was built by
    /// hand. `compile_flow` of the crate `edb-compiler` makes its plan.
    pub fn add_flow(
        &mut self,
        flow: Flow,
        compile: impl FnOnce(Flow) -> Plan,
        setup: Setup,
    ) -> FunctionId {
        self.functions.push((AddedFunction::of_flow(flow, compile), setup))
    }
}
