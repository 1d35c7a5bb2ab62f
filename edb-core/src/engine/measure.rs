//! Measures what batches cost, so that schedules can be chosen by time.

use std::time::Instant;

use edb_ir::Phase;

use crate::engine::backend::frame::Frame;
use crate::engine::base::Engine;
use crate::engine::error::EngineError;
use crate::engine::layout::dependencies::Dependencies;
use edb_kernels::element::Element;
use edb_model::graph::{FlatBatch, Minibatch};
use edb_model::model::Model;
use edb_schedule::{Costs, TypeCost};

/// How often each batch is timed. The shortest time counts, since disturbances only make it longer.
const TIMINGS_PER_BATCH: usize = 7;

impl<T: Element> Engine<T> {
    /// Measures what a batch of each vertex type costs on this machine. It takes the widest batch of each type
    /// in the schedule of this minibatch, and times the forward phases that follow the schedule: once for one
    /// row, once for all rows. The minibatch should have many graphs: if no batch of a type has more than one
    /// row, the cost of a row is measured as zero. If the minibatch has no batch of a type, its launch cost is
    /// the mean of the other types'. The cost to hand out graphs that grow is the time to copy the indices that
    /// were computed.
    ///
    /// Use the result with [`Engine::costs`]. Measurements vary, so save the costs if you need the same schedules
    /// again.
    ///
    /// # Errors
    /// When the minibatch is of another model, or memory does not suffice.
    pub fn measure_costs(
        &mut self,
        model: &Model<T>,
        batch: &Minibatch<T>,
    ) -> Result<Costs, EngineError> {
        // This computes the values that the phases read. It runs as a training step, which forgets no rows.
        let grown = self.run_forward(model, batch, Some(0), true)?;
        let batch = grown.as_ref().unwrap_or(batch);
        let Self { backend, layout, .. } = self;
        let frame = Frame::new(model, batch, layout, (0, None), 1.0);
        let functions = &model.bound().functions;
        let Dependencies { scheduled, entangled, .. } =
            Dependencies::of(model.bound(), FlatBatch::of(batch));
        let mut types: Vec<Option<TypeCost>> = Vec::with_capacity(functions.len());
        let mut last = None;
        for function in functions {
            // Only rows of one batch may run together: rows of other batches may be their children.
            let batches = frame.layout.batches.iter().filter(|(of, _)| *of == function.id);
            let widest = batches.map(|(_, rows)| rows.clone()).max_by_key(|rows| rows.len());
            let Some(batch) = widest.filter(|_| scheduled[function.id.index()]) else {
                types.push(None);
                continue;
            };
            let rows = batch.len() as u32;
            let phases = match entangled[function.id.index()] {
                true => &[Phase::Eager, Phase::Recurrent, Phase::Lazy][..],
                false => &[Phase::Recurrent][..],
            };
            last = phases.last().map(|phase| (function.id, *phase, batch.start));
            let mut picoseconds = |rows: u32| {
                let mut least = u64::MAX;
                for _ in 0..TIMINGS_PER_BATCH {
                    let start = Instant::now();
                    for &phase in phases {
                        backend.run(frame, function.id, phase, batch.start..batch.start + rows)?;
                    }
                    backend.finish()?;
                    least = least.min(start.elapsed().as_nanos() as u64 * 1000);
                }
                Ok::<_, EngineError>(least)
            };
            let (one, all) = (picoseconds(1)?, picoseconds(rows)?);
            let row_ps = all.saturating_sub(one) / u64::from(rows.max(2) - 1);
            let launch_ns = one.saturating_sub(row_ps) / 1000;
            let launch_ns = launch_ns.min(TypeCost::MOST_LAUNCH_NS);
            types.push(Some(TypeCost { launch_ns, row_ps }));
        }
        let known: Vec<TypeCost> = types.iter().flatten().copied().collect();
        let launches = known.iter().map(|cost| cost.launch_ns).sum::<u64>();
        let unknown = TypeCost { launch_ns: launches / known.len().max(1) as u64, row_ps: 0 };
        let types = types.into_iter().map(|cost| cost.unwrap_or(unknown)).collect();
        let mut hand_out_ns = u64::MAX;
        for _ in 0..TIMINGS_PER_BATCH {
            // A device keeps the indices that it has copied until something runs, so something runs first.
            if let Some((function, phase, row)) = last {
                backend.run(frame, function, phase, row..row + 1)?;
                backend.finish()?;
            }
            let start = Instant::now();
            backend.indices()?;
            hand_out_ns = hand_out_ns.min(start.elapsed().as_nanos() as u64);
        }
        let grow = TypeCost { launch_ns: hand_out_ns.min(TypeCost::MOST_LAUNCH_NS), row_ps: 0 };
        // No back end launches batches of different types together yet.
        Ok(Costs { types, together: false, grow })
    }
}
