//! Runs the phases of a minibatch in their order.

use std::ops::Range;

use edb_ir::{FunctionId, Phase};

use crate::engine::backend::Backend;
use crate::engine::backend::frame::Frame;
use crate::engine::error::EngineError;
use crate::spans;
use edb_kernels::element::Element;

/// Begins a minibatch and runs the forward phases.
pub(crate) fn forward<T: Element>(
    backend: &mut dyn Backend<T>,
    frame: Frame<'_, T>,
) -> Result<(), EngineError> {
    backend.begin(frame)?;
    let types = frame.layout.types.iter_enumerated();
    for (function, _) in types.filter(|(_, layout)| !layout.vertices.is_empty()) {
        run_phase(backend, frame, function, Phase::Prepare, 0..0)?;
    }
    run_all(backend, frame, Phase::Eager)?;
    run_batches(backend, frame)?;
    run_all(backend, frame, Phase::Lazy)
}

/// Runs the batches of the schedule. The recurrent phase of a function runs batch by batch; if the function is
/// entangled, so do its eager and lazy phases.
pub(crate) fn run_batches<T: Element>(
    backend: &mut dyn Backend<T>,
    frame: Frame<'_, T>,
) -> Result<(), EngineError> {
    let phases = [Phase::Eager, Phase::Recurrent, Phase::Lazy];
    run_each(backend, frame, phases, frame.layout.batches.iter())
}

/// Runs batches in this order, each with its own eager and lazy phases where its function is entangled.
fn run_each<'a, T: Element>(
    backend: &mut dyn Backend<T>,
    frame: Frame<'_, T>,
    [eager, recurrent, lazy]: [Phase; 3],
    batches: impl Iterator<Item = &'a (FunctionId, Range<u32>)>,
) -> Result<(), EngineError> {
    backend.begin_batches(frame, recurrent)?;
    for (function, rows) in batches {
        let is_entangled = frame.layout.types[*function].entangled;
        for phase in [eager, recurrent, lazy] {
            if phase == recurrent || is_entangled {
                run_phase(backend, frame, *function, phase, rows.clone())?;
            }
        }
    }
    backend.end_batches(frame, recurrent)
}

/// Runs the backward phases, except for the accumulate phase.
pub(crate) fn backward<T: Element>(
    backend: &mut dyn Backend<T>,
    frame: Frame<'_, T>,
) -> Result<(), EngineError> {
    backward_batches(backend, frame)?;
    run_all(backend, frame, Phase::BackwardLazy)
}

/// Runs the backward phases, except for the accumulate phase, and for the lazy phase of functions that are not
/// entangled. No other row waits for these.
pub(crate) fn backward_batches<T: Element>(
    backend: &mut dyn Backend<T>,
    frame: Frame<'_, T>,
) -> Result<(), EngineError> {
    run_all(backend, frame, Phase::BackwardEager)?;
    let phases = [Phase::BackwardEager, Phase::BackwardRecurrent, Phase::BackwardLazy];
    run_each(backend, frame, phases, frame.layout.batches.iter().rev())
}

/// Runs a phase of a function over some of its rows, in a trace span.
pub(crate) fn run_phase<T: Element>(
    backend: &mut dyn Backend<T>,
    frame: Frame<'_, T>,
    id: FunctionId,
    phase: Phase,
    rows: Range<u32>,
) -> Result<(), EngineError> {
    let function = &frame.model.functions[id];
    let prepares = phase == Phase::Prepare;
    if function.instructions(phase).is_empty() || (rows.is_empty() && !prepares) {
        return Ok(());
    }
    let _span = spans::phase(&function.name, phase, rows.len());
    backend.run(frame, id, phase, rows)
}

/// Runs a phase over all vertices of every function that is not entangled.
pub(crate) fn run_all<T: Element>(
    backend: &mut dyn Backend<T>,
    frame: Frame<'_, T>,
    phase: Phase,
) -> Result<(), EngineError> {
    for (function, layout) in frame.layout.types.iter_enumerated() {
        if !layout.entangled {
            run_phase(backend, frame, function, phase, 0..layout.vertices.len() as u32)?;
        }
    }
    Ok(())
}
