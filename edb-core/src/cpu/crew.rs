//! Threads that each run parts of a minibatch alone: back ends of one thread, which read the weights
//! that the whole back end has packed.

use std::sync::{Arc, Mutex, PoisonError};

use edb_ir::Phase;

use super::weights::{Packed, Packing};
use super::{CpuBackend, forward_work};
use crate::engine::EngineError;
use crate::engine::backend::{Crew, RunPart};
use edb_kernels::element::Element;
use edb_learn::learn::{Parameters, SharedWork, Team};
use edb_model::model::Model;
use edb_model::model::stack::{RowCounts, Weights, WeightsId};

/// The back ends of a crew, one for each thread.
type Members<T> = [Mutex<CpuBackend<T>>];

/// Lets each member of a crew have these weights.
fn hand_out<T>(crew: &mut Members<T>, weights: impl Fn() -> Arc<Packed<T>>) {
    for member in crew {
        member.get_mut().unwrap_or_else(PoisonError::into_inner).weights = weights();
    }
}

/// The packed weights of a back end, to be packed; `None` for a member of a crew, since the whole
/// back end packs them.
fn own<'w, T>(weights: &'w mut Arc<Packed<T>>, crew: &mut Members<T>) -> Option<&'w mut Packed<T>> {
    if Arc::get_mut(weights).is_none() {
        // Members have them still if a part has panicked.
        hand_out(crew, Arc::default);
    }
    Arc::get_mut(weights)
}

impl<T: Element> CpuBackend<T> {
    /// Prepares weights for products of so many rows, unless that has been done for a member.
    pub(super) fn prepare(
        &mut self,
        id: WeightsId,
        weights: &Weights,
        parameters: &Parameters<T>,
        rows: usize,
    ) -> Result<(), EngineError> {
        match own(&mut self.weights, &mut self.crew) {
            Some(packed) => packed.prepare(id, weights, parameters, rows, &mut self.pool),
            None => Ok(()),
        }
    }

    /// Determines whether weights are packed for products of few rows, too.
    pub(super) fn pack_all(&mut self, packs: bool) {
        if let Some(weights) = own(&mut self.weights, &mut self.crew) {
            weights.pack_all(packs);
        }
    }
}

/// The threads, for updates of parameters, which packed weights follow.
impl<T: Element> Team<T> for CpuBackend<T> {
    fn share(&mut self, pieces: usize, work: &SharedWork<'_, T>) {
        let Self { weights, crew, pool, spare, .. } = self;
        let followers = own(weights, crew).map_or_else(Packing::none, Packed::followers);
        followers.share(pool, spare, pieces, work);
    }

    fn end(&mut self) {
        if let Some(weights) = own(&mut self.weights, &mut self.crew) {
            weights.end_update();
        }
        if let Some(start) = self.handed_out.take() {
            self.choices.add(start.elapsed());
        }
    }
}

impl<T: Element> Crew<T> for CpuBackend<T> {
    fn run_parts(
        &mut self,
        model: &Model<T>,
        trains: bool,
        rows: &[RowCounts],
        parts: usize,
        work: &RunPart<'_, T>,
    ) -> Result<(), EngineError> {
        let (model, parameters) = (model.bound(), model.parameters());
        parameters.fetch()?;
        self.choose(forward_work(model, |id| rows[id.index()]), trains);
        self.run_timed(|backend| {
            let many = RowCounts { vertices: usize::MAX, edges: usize::MAX };
            for function in &model.functions {
                if rows[function.id.index()].vertices > 0 {
                    Phase::ALL.iter().try_for_each(|phase| {
                        backend.pack(model, parameters, function, *phase, many)
                    })?;
                }
            }
            let paired = backend.weights.is_paired();
            while backend.crew.len() < backend.pool.threads() {
                let member = CpuBackend::new(1, paired)
                    .map_err(|error| EngineError::Threads(error.to_string()))?;
                backend.crew.push(Mutex::new(member));
            }
            hand_out(&mut backend.crew, || Arc::clone(&backend.weights));
            let members = &backend.crew;
            backend.pool.run(parts, &|thread, part| {
                let mut member = members[thread].lock().unwrap_or_else(PoisonError::into_inner);
                work(part, thread, &mut *member);
            });
            hand_out(&mut backend.crew, Arc::default);
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
