//! Runs parts of a minibatch side by side. Each part runs on a back end of its own with one thread, or with a
//! few threads if there are fewer parts than threads. All of these back ends read the weights that the whole
//! back end has packed.

use std::sync::{Arc, Mutex, PoisonError};

use edb_ir::Phase;

use super::weights::{Packed, Packing};
use super::{CpuBackend, forward_work};
use crate::engine::EngineError;
use crate::engine::backend::{Crew, Kept, RunPart};
use edb_kernels::element::Element;
use edb_learn::learn::{Parameters, SharedWork, Team};
use edb_model::model::Model;
use edb_model::model::stack::{RowCounts, Weights, WeightsId};
use edb_pool::Pool;

/// The back ends of a crew: one for each part that runs at the same time.
type Members<T> = [Mutex<CpuBackend<T>>];

/// Gives these weights to each member of a crew.
fn hand_out<T>(crew: &mut Members<T>, weights: impl Fn() -> Arc<Packed<T>>) {
    crew.iter_mut().for_each(|of| member(of).weights = weights());
}

fn member<T>(of: &mut Mutex<CpuBackend<T>>) -> &mut CpuBackend<T> {
    of.get_mut().unwrap_or_else(PoisonError::into_inner)
}

/// The weights of a back end, to be packed. `None` for a member of a crew, since the whole back end packs the
/// weights.
fn own<'w, T>(weights: &'w mut Arc<Packed<T>>, crew: &mut Members<T>) -> Option<&'w mut Packed<T>> {
    if Arc::get_mut(weights).is_none() {
        // If a part has panicked, members still have the weights.
        hand_out(crew, Arc::default);
    }
    Arc::get_mut(weights)
}

impl<T: Element> CpuBackend<T> {
    /// Prepares weights for products of this many rows. Does nothing for a member of a crew, since this was
    /// done before.
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

    /// Calls `run` with a pool of one thread per team, and with the back end of each team. There are at most
    /// `parts` teams. If there are more threads than parts, each team gets the same number of threads, and the
    /// remaining threads are not used.
    fn in_teams(
        &mut self,
        parts: usize,
        run: impl FnOnce(&mut Pool, &Members<T>),
    ) -> Result<(), EngineError> {
        let threads = self.pool.threads();
        let teams = threads.min(parts).max(1);
        let of_team = threads / teams;
        let paired = self.weights.is_paired();
        for place in 0..teams {
            let known = self.crew.get_mut(place).map(member);
            if known.as_ref().is_none_or(|known| known.scratch.len() < of_team) {
                let new = Self::new(of_team, paired)
                    .map_err(|error| EngineError::Threads(error.to_string()))?;
                match known {
                    Some(known) => *known = new,
                    None => self.crew.push(Mutex::new(new)),
                }
            }
            member(&mut self.crew[place]).pool.set_threads(of_team);
        }
        hand_out(&mut self.crew, || Arc::clone(&self.weights));
        self.pool.set_threads(teams);
        run(&mut self.pool, &self.crew);
        self.pool.set_threads(threads);
        hand_out(&mut self.crew, Arc::default);
        Ok(())
    }
}

/// Shares updates of parameters among the threads; packed weights are updated with them.
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
            // Without a tape, nothing goes backward.
            let phases = if trains { &Phase::ALL[..] } else { Phase::FORWARD };
            for function in &model.functions {
                if rows[function.id.index()].vertices > 0 {
                    phases.iter().try_for_each(|phase| {
                        backend.pack(model, parameters, function, *phase, many)
                    })?;
                }
            }
            backend.in_teams(parts, |pool, members| {
                pool.run(parts, &|thread, part| {
                    let mut member = members[thread].lock().unwrap_or_else(PoisonError::into_inner);
                    work(part, thread, &mut *member);
                });
            })
        })
    }

    fn threads(&self) -> usize {
        self.scratch.len()
    }

    fn exchange(&mut self, kept: &mut Kept<T>) {
        std::mem::swap(&mut self.arena, &mut kept.arena);
        std::mem::swap(&mut self.indices, &mut kept.indices);
    }

    fn share(&mut self, pieces: usize, work: &(dyn Fn(usize) + Sync)) {
        self.pool.run(pieces, &|_, piece| work(piece));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many threads each team has when there are this many parts.
    fn teams(backend: &mut CpuBackend<f32>, parts: usize) -> Vec<usize> {
        let mut sizes = Vec::new();
        let run = |pool: &mut Pool, members: &Members<f32>| {
            let threads = |member: &Mutex<CpuBackend<f32>>| member.lock().unwrap().pool.threads();
            sizes = members[..pool.threads()].iter().map(threads).collect();
        };
        backend.in_teams(parts, run).unwrap();
        sizes
    }

    #[test]
    fn threads_that_have_no_part_help_the_others() {
        let mut backend = CpuBackend::<f32>::new(8, false).unwrap();
        assert_eq!(teams(&mut backend, 4), [2; 4]);
        assert_eq!(teams(&mut backend, 3), [2; 3]);
        assert_eq!(teams(&mut backend, 32), [1; 8]);
        assert_eq!(teams(&mut backend, 1), [8]);
        backend.pool.set_threads(6);
        assert_eq!(teams(&mut backend, 2), [3; 2]);
        assert_eq!(backend.pool.threads(), 6);
    }
}
