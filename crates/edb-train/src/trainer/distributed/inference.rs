//! Inference by several ranks: they run many graphs, and each rank gets all results in order.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::trainer::Trainer;
use crate::trainer::error::TrainError;
use edb_core::engine::Run;
use edb_core::graph::Graph;
use edb_core::model::Model;
use edb_kernels::element::Element;
use edb_learn::collective::{Kind, gather, part};
use edb_learn::learn::LearnError;
use edb_learn::learn::error::check_setting;

impl<T: Element> Trainer<T> {
    /// Runs `count` graphs forward, in minibatches of `size` graphs, on all ranks that train
    /// [together](Self::distributed), or on the only one. `graph` makes a graph from the model and its place among all
    /// graphs. `read` is called for each graph, and returns its result. It gets the run of a minibatch, the place of
    /// the graph in the minibatch, and its place among all graphs. Each rank returns the results of all graphs, in
    /// order. The results do not depend on the number of ranks.
    ///
    /// ```
    /// # mod edb { pub use edb_core::{*, graph::Graph, model::Model}; pub use edb_train::{*, trainer::Trainer}; }
    /// # use edb::{Graph, Model, Trainer};
    /// # use edb::trainer::TrainError;
    /// # fn losses(trainer: &mut Trainer, graph: impl Fn(&Model, usize) -> Graph) -> Result<Vec<f64>, TrainError> {
    /// trainer.infer_shared(1000, 32, |model, at| graph(model, at), |run, place, _| {
    ///     Ok(run.vertex_loss(place, 0)?)
    /// })
    /// # }
    /// ```
    ///
    /// # Errors
    /// When `size` is 0. When on any rank graphs do not form a minibatch, do not run, or `read` fails. When the type of the results
    /// cannot be sent: results are sent in the format postcard, which cannot read a type such as
    /// `serde_json::Value`.
    pub fn infer_shared<R: Serialize + DeserializeOwned>(
        &mut self,
        count: usize,
        size: usize,
        mut graph: impl FnMut(&Model<T>, usize) -> Graph<T>,
        mut read: impl FnMut(&Run<'_, T>, usize, usize) -> Result<R, TrainError>,
    ) -> Result<Vec<R>, TrainError> {
        check_setting("Trainer::infer_shared", "size", size as f64, "at least 1", size > 0)
            .map_err(|error: LearnError| TrainError::Learn { step: self.steps, error })?;
        let world = self.world();
        let (rank, ranks) = (world.rank(), world.ranks());
        let own = part(count, rank, ranks);
        let mut run_own = |trainer: &mut Self| -> Result<Vec<R>, TrainError> {
            let mut results = Vec::with_capacity(own.len());
            let mut first = own.start;
            while first < own.end {
                let places = first..own.end.min(first.saturating_add(size));
                let graphs: Vec<Graph<T>> =
                    places.clone().map(|at| graph(&trainer.model, at)).collect();
                let batch = trainer.model.minibatch(&graphs);
                let batch =
                    batch.map_err(|error| TrainError::from(error).of_minibatch_from(first))?;
                trainer.learn_policies_if_alone();
                let run = trainer.engine.infer(&trainer.model, &batch);
                let read = run.map_err(TrainError::from).and_then(|run| {
                    let mut read = |at| read(&run, at - first, at);
                    places.clone().map(&mut read).collect::<Result<Vec<R>, _>>()
                });
                results.extend(read?);
                first = places.end;
            }
            Ok(results)
        };
        if ranks == 1 {
            return run_own(self);
        }
        self.check_unbroken()?;
        let results = self.unless_it_panics(run_own);
        // If the user's type cannot be sent, the results have an error, but the ranks can go on.
        let bytes = results.map_err(|error| error.to_string()).and_then(|results| {
            postcard::to_stdvec(&results)
                .map_err(|error| format!("results cannot be sent: {error}"))
        });
        let said = gather(&world, Kind::Results, &bytes);
        let all: Vec<Result<Vec<u8>, String>> = self.unbroken(said)?;
        let mut results = Vec::with_capacity(count);
        for (rank, of_rank) in all.into_iter().enumerate() {
            let step = self.steps;
            let read = of_rank.and_then(|bytes| {
                let read = postcard::from_bytes::<Vec<R>>(&bytes);
                read.map_err(|error| format!("results cannot be read: {error}"))
            });
            results.extend(read.map_err(|reason| TrainError::Rank { step, rank, reason })?);
        }
        Ok(results)
    }
}
