//! A training step over graphs that grow to their end. A function of the user adds to each graph.

use super::error::TrainError;
use super::source::Source;
use super::{Step, Trainer};
use edb_core::engine::training::{self, Growers, GrowsFor};
use edb_core::engine::{EngineError, GrowingGraph, RoundOutcome, StepReport};
use edb_core::graph::{Graph, Minibatch};
use edb_kernels::compiled_here;
use edb_kernels::element::Element;

impl<T: Element> Trainer<T> {
    /// Takes one step over graphs that grow until all of them are done. Use it instead of [`grow`](Self::grow) if
    /// what a graph gets does not depend on other graphs. In each round of a graph, all of its vertices have run,
    /// and `grow` is called with the graph and with the value that is kept with it. A graph that gets nothing is
    /// done. Many graphs grow in parts, forward and backward, side by side on all threads, so `grow` runs on all
    /// threads too.
    ///
    /// ```
    /// # mod edb { pub use edb_core::{*, graph::Graph, model::Model}; pub use edb_train::{*, trainer::Trainer}; }
    /// # use edb::function::VertexFunction;
    /// # use edb::graph::Graph;
    /// # use edb::model::Function;
    /// # use edb::trainer::{Step, TrainError, Trainer};
    /// # type Said<F> = [(Graph, Vec<<F as VertexFunction>::Output>)];
    /// # fn train<F: VertexFunction<Output: Send>>(trainer: &mut Trainer, say: &Function<F>, talks: &mut Said<F>) -> Result<Step, TrainError> {
    /// // The outputs of each talk are kept with its graph.
    /// trainer.grow_each(talks, |g, said| {
    ///     for (_vertex, output) in g.decided(say) {
    ///         said.push(output);
    ///         // .. add vertices, or none: then the graph is done
    ///     }
    /// })
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`grow`](Self::grow), [`GrowingStep::round`](super::GrowingStep::round) and
    /// [`GrowingStep::step`](super::GrowingStep::step), and the errors of `grow`. If several parts fail, the error
    /// of the first of them is returned. Then no parameter has changed, and the graphs keep what they had got
    /// before the round that failed.
    pub fn grow_each<S: Send, R: RoundOutcome>(
        &mut self,
        graphs: &mut [(Graph<T>, S)],
        grow: impl Fn(&mut GrowingGraph<'_, T>, &mut S) -> R + Sync,
    ) -> Result<Step, TrainError> {
        if self.distributed.is_some() {
            return Err(TrainError::NotShared { step: self.steps });
        }
        let step = GrowsFor::Step { in_turn: self.sums_each() };
        let growers = Growers::new((&mut self.engine, step), &self.model, graphs, &grow);
        self.step_growers(&growers)
    }

    /// Runs graphs forward while they grow, until all of them are done, without dropout. No tape is kept for a
    /// backward pass. This is to [`grow_each`](Self::grow_each) what [`infer`](Self::infer) is to
    /// [`step`](Self::step). Returns the report of the run.
    ///
    /// # Errors
    /// As [`Engine::grow_each`](edb_core::Engine::grow_each).
    pub fn grow_each_infer<S: Send, R: RoundOutcome>(
        &mut self,
        graphs: &mut [(Graph<T>, S)],
        grow: impl Fn(&mut GrowingGraph<'_, T>, &mut S) -> R + Sync,
    ) -> Result<StepReport, EngineError> {
        self.learn_policies_if_alone();
        self.engine.grow_each(&self.model, graphs, grow)?;
        Ok(self.engine.report())
    }

    /// Lets graphs grow to their end, forward and backward. The engine keeps their losses and gradients. Puts the
    /// minibatches that the parts have become into `grown`.
    pub(super) fn run_growers(
        &mut self,
        growers: &Growers<'_, T>,
        grown: &mut Vec<Minibatch<T>>,
    ) -> Result<StepReport, TrainError> {
        let Self { model, engine, steps, .. } = self;
        let begun = training::begin_step(engine, model.parameters(), growers.parts().len() == 1);
        let ran =
            begun.and_then(|()| training::grow_to_the_end(engine, model, growers, Some(*steps)));
        *grown = ran.map_err(|error| self.failed(error))?;
        Ok(self.engine.report())
    }
}

compiled_here! {
    impl Trainer {
        fn step_growers(
            &mut self,
            growers: &Growers<'_, T>,
        ) -> Result<Step, TrainError> {
            let number = self.steps;
            let _span =
                tracing::debug_span!(target: edb_kernels::trace::TARGET, "step", number).entered();
            self.check_of_model()?;
            let graphs = growers.graph_count();
            self.check_losses_of(graphs)?;
            self.check_reached(false)?;
            self.begin_growing(graphs)?;
            if graphs == 0 && self.private.is_some() {
                return self.step_alone(&[]);
            }
            let source = Source::ToTheEnd(growers, Vec::new());
            self.learn_if(true, |trainer| trainer.step_along(source, graphs))
        }
    }
}
