//! Threads that each run parts of a minibatch alone: back ends of one thread, which read the weights
//! that the whole back end has packed.

use std::sync::{Arc, Mutex, PoisonError};

use edb_ir::Phase;

use super::weights::Packed;
use super::{CpuBackend, forward_work};
use crate::element::Element;
use crate::engine::EngineError;
use crate::engine::backend::{Crew, Frame, RunPart};
use crate::learn::{Parameters, Workers};
use crate::model::stack::{RowCounts, Weights, WeightsId};

impl<T: Element> CpuBackend<T> {
    /// Prepares weights for products of so many rows; for the member of a crew, the whole back end
    /// has done so.
    pub(super) fn prepare(
        &mut self,
        id: WeightsId,
        weights: &Weights,
        parameters: &Parameters<T>,
        rows: usize,
    ) -> Result<(), EngineError> {
        match Arc::get_mut(&mut self.weights) {
            Some(packed) => packed.prepare(id, weights, parameters, rows, &mut self.pool),
            None => Ok(()),
        }
    }

    /// Lets each member of the crew have these weights.
    fn hand_out(&mut self, weights: impl Fn() -> Arc<Packed<T>>) {
        for member in &mut self.crew {
            member.get_mut().unwrap_or_else(PoisonError::into_inner).weights = weights();
        }
    }

    /// Lends the threads to `work`, which updates parameters.
    pub(super) fn update(&mut self, work: &mut dyn FnMut(&mut Workers<'_, T>)) {
        let Self { weights, pool, spare, .. } = self;
        let weights = Arc::get_mut(weights).expect("parameters are not updated while parts run");
        weights.follow(pool, spare, work);
    }
}

impl<T: Element> Crew<T> for CpuBackend<T> {
    fn run_parts(
        &mut self,
        frame: Frame<'_, T>,
        parts: usize,
        work: &RunPart<'_, T>,
    ) -> Result<(), EngineError> {
        frame.parameters.fetch()?;
        let mut rows = vec![RowCounts::default(); frame.model.functions.len()];
        frame.batch.functions.iter().for_each(|of| rows[of.index()].vertices += 1);
        self.choose_threads(forward_work(frame.model, |id| rows[id.index()]), frame.step.is_some());
        self.timed(|this| {
            // A member that a panic has left may have the weights still.
            this.hand_out(Arc::default);
            let many = RowCounts { vertices: usize::MAX, edges: usize::MAX };
            for function in &frame.model.functions {
                if rows[function.id.index()].vertices > 0 {
                    Phase::ALL
                        .iter()
                        .try_for_each(|phase| this.pack(frame, function, *phase, many))?;
                }
            }
            let paired = this.weights.is_paired();
            while this.crew.len() < this.pool.threads() {
                let member = CpuBackend::new(1, paired)
                    .map_err(|error| EngineError::Threads(error.to_string()))?;
                this.crew.push(Mutex::new(member));
            }
            let weights = Arc::clone(&this.weights);
            this.hand_out(|| Arc::clone(&weights));
            drop(weights);
            let members = &this.crew;
            this.pool.run(parts, &|thread, part| {
                let mut member = members[thread].lock().unwrap_or_else(PoisonError::into_inner);
                work(part, thread, &mut *member);
            });
            this.hand_out(Arc::default);
            Ok(())
        })
    }

    fn threads(&self) -> usize {
        self.scratch.len()
    }

    fn share(&mut self, pieces: usize, work: &(dyn Fn(usize) + Sync)) {
        self.pool.run(pieces, &|_, piece| work(piece));
    }
}
