//! Finds how the functions of a minibatch depend on one another.

use edb_ir::FunctionId;
use smallvec::SmallVec;

use edb_model::graph::FlatBatch;
use edb_model::model::BoundModel;
use edb_model::model::bound::BoundFunction;

/// One flag for each function.
pub(crate) type Flags = SmallVec<[bool; 32]>;

/// A list of functions, each after the functions that it depends on.
pub(crate) type FunctionOrder = SmallVec<[FunctionId; 32]>;

/// How the functions of a minibatch depend on one another.
#[derive(Debug)]
pub(crate) struct Dependencies {
    /// Which functions are entangled: a vertex of the function pulls what another vertex pushes, or pushes what
    /// another vertex pulls.
    pub(crate) entangled: Flags,
    /// Which functions follow the schedule.
    pub(crate) scheduled: Flags,
    /// The functions that follow the schedule, in the order in which they run level by level. `None` if a function
    /// depends on itself through other functions.
    pub(crate) levels: Option<FunctionOrder>,
}

impl Dependencies {
    /// Finds the dependencies of a minibatch of this model.
    pub(crate) fn of(model: &BoundModel, batch: &FlatBatch) -> Self {
        let mut entangled = batch.entangled();
        entangled.resize(model.functions.len(), false);
        let functions = model.functions.iter().zip(&entangled);
        let scheduled: Flags =
            functions.map(|(function, entangled)| is_scheduled(function, *entangled)).collect();
        let levels = batch.levels().order(&scheduled);
        Self { entangled, scheduled, levels }
    }
}

/// Whether the vertices of a function follow the schedule. If not, they run as one batch.
pub(crate) fn is_scheduled(function: &BoundFunction, entangled: bool) -> bool {
    function.is_recurrent() || entangled
}
