//! The back end: a phase of a function as launches over all of its rows.
//!
//! Comes in: the layout of a minibatch (`Frame`), and which phase runs over which rows. Goes out: what the device has
//! computed, values, gradients and losses, when the host reads them. The engine of `edb-core` calls it, by the trait
//! `Backend`, which this file implements: it passes each call on to the folder that does the work.
//!
//! | file or folder | what it does |
//! | --- | --- |
//! | [`device`] | the state of a back end on its device |
//! | [`clock`] | the times of the stages of a step |
//! | [`launches`] | kernels are loaded, launched, recorded and replayed |
//! | [`minibatch`] | the values of a minibatch, and the tables that describe its rows |
//! | [`parameters`] | parameters and optimiser state on the device |
//! | [`gradients`] | the memory of gradients: of parameters, of shares, and on the way from other ranks |
//! | [`phases`] | the instructions of a phase as launches |
//! | [`steps`] | gradients of shares are added up, and parameters are updated |
//!
//! `launches` calls none of the other folders; `phases` and `steps` call all of them, by way of `device`.

mod clock;
mod device;
mod gradients;
mod launches;
mod minibatch;
mod parameters;
mod phases;
mod steps;

use std::ops::Range;

use edb_core::GraphSumsOnHost;
use edb_core::backend::{
    Backend, Copies, DeviceTimes, Frame, GraphRows, GraphSums, Move, Moves, ShareSums, Stepper,
};
use edb_core::element::Element;
use edb_core::engine::EngineError;
use edb_core::learn::Gradients;
use edb_ir::{FunctionId, Phase};

use crate::driver::Address;
use crate::error::GpuError;
use crate::options::Launches;
use clock::Stage;
pub(crate) use device::GpuBackend;
use launches::batched;
use minibatch::move_all;
use phases::PhaseRun;

impl<T: Element + bytemuck::Pod> GpuBackend<T> {
    fn run_phase(
        &mut self,
        frame: Frame<'_, T>,
        function: FunctionId,
        phase: Phase,
        rows: Range<usize>,
    ) -> Result<(), GpuError> {
        let instructions = frame.model().functions[function].instructions(phase);
        if instructions.is_empty() || rows.is_empty() && phase != Phase::Prepare {
            return Ok(());
        }
        self.forget_read();
        use Phase::{BackwardEager, BackwardLazy, BackwardRecurrent};
        if matches!(phase, BackwardEager | BackwardRecurrent | BackwardLazy) {
            self.clock.enter(Stage::Backward)?;
        }
        let mut run = PhaseRun::new(self, frame, function, phase, rows)?;
        let ran = instructions.iter().try_for_each(|(_, instruction)| run.instruction(instruction));
        match ran {
            Ok(()) => self.library.launcher.end_batch(),
            // The notes are incomplete and must not be replayed.
            Err(_) => _ = self.library.launcher.note(None),
        }
        ran
    }

    /// From here on, notes the launches of batches, if they are to be replayed.
    fn begin_notes(&mut self, frame: Frame<'_, T>, phase: Phase) -> Result<(), GpuError> {
        if self.launches != Launches::Graphs {
            return Ok(());
        }
        // Reserve memory first: it must not move once an address in it is noted.
        for (function, rows) in &frame.layout().batches {
            for &phase in batched(phase, frame.layout().types[*function].entangled) {
                let instructions = frame.model().functions[*function].instructions(phase);
                let rows = rows.start as usize..rows.end as usize;
                PhaseRun::new(self, frame, *function, phase, rows)?.reserve(instructions)?;
            }
        }
        self.notes.clear();
        self.library.launcher.note(Some(std::mem::take(&mut self.notes)));
        Ok(())
    }

    /// Replays the noted launches.
    fn end_notes(&mut self, frame: Frame<'_, T>, phase: Phase) -> Result<(), GpuError> {
        let Some(notes) = self.library.launcher.note(None) else { return Ok(()) };
        let part = (frame.model_id(), phase, frame.step().is_some());
        let played = self.replays.play(part, &notes);
        self.notes = notes;
        played
    }

    fn begin_minibatch(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError> {
        self.forget_read();
        self.clock.enter(Stage::Forward)?;
        let numbers = self.library.numbers;
        self.loss_scale.set(frame.loss_scale(), numbers, &*self.driver)?;
        self.codes.prepare(&*self.driver, &*self.dialect, numbers, frame)?;
        if self.launches == Launches::Graphs {
            self.codes.prepare_recorded(&*self.driver, &*self.dialect, numbers, frame)?;
        }
        self.parameters.upload(frame.parameters())?;
        self.arena.begin(frame, &self.codes)?;
        self.index_count = frame.layout().indices;
        let bytes = self.index_count.saturating_mul(size_of::<u32>());
        self.indices.reserve(bytes.max(1))?;
        if bytes > 0 {
            self.driver.clear(self.indices.address(), size_of::<u32>())?;
        }
        self.fetched = frame.layout().growing.then(|| vec![0; self.index_count]);
        self.tables.restart(frame.model_id());
        self.tables.update(frame, &self.arena, &self.library)?;
        Ok(())
    }

    fn relocate_rows(&mut self, frame: Frame<'_, T>, moves: &Moves) -> Result<(), GpuError> {
        self.forget_read();
        // Copies of graphs run by a model of their own.
        self.codes.prepare(&*self.driver, &*self.dialect, self.library.numbers, frame)?;
        let means = (&self.library, &mut self.spare);
        self.arena.relocate(frame, &self.codes, &moves.arena, means)?;
        // Tables name places of the arena.
        self.tables.restart(frame.model_id());
        self.index_count = frame.layout().indices;
        self.indices.extend(self.index_count.saturating_mul(size_of::<u32>()).max(1))?;
        let indices = (self.indices.address(), size_of::<u32>());
        move_all(&self.library, &mut self.spare, indices, &moves.indices)?;
        match &mut self.fetched {
            Some(fetched) if frame.layout().growing => {
                fetched.resize(self.index_count, 0);
                for Move { from, to, length } in &moves.indices {
                    fetched.copy_within(*from..from + length, *to);
                }
            }
            _ => self.fetched = None,
        }
        Ok(())
    }

    /// Copies indices that were computed while graphs grow.
    fn fetch(&mut self, ranges: &[Range<usize>]) -> Result<(), GpuError> {
        let Some(fetched) = &mut self.fetched else { return Ok(()) };
        for range in ranges {
            let from = self.indices.address() + (range.start * size_of::<u32>()) as Address;
            let bytes = bytemuck::cast_slice_mut(&mut fetched[range.clone()]);
            self.driver.download(from, bytes)?;
        }
        Ok(())
    }

    /// Adds the gradients of a minibatch's parameters to those summed so far.
    fn sum(&mut self, frame: Frame<'_, T>) -> Result<(), GpuError> {
        self.forget_read();
        self.clock.enter(Stage::Backward)?;
        self.sums.begin(frame.parameters(), &self.driver);
        for function in frame.model().functions.ids() {
            let rows = frame.layout().types[function].vertices.len();
            if rows > 0 {
                PhaseRun::new(self, frame, function, Phase::Accumulate, 0..rows)?.accumulate()?;
            }
        }
        Ok(())
    }
}

impl<T: Element + bytemuck::Pod> Backend<T> for GpuBackend<T> {
    fn element_bytes(&self) -> usize {
        self.library.numbers.stored.size()
    }

    fn scales_losses(&self) -> bool {
        self.library.numbers.scales_losses()
    }

    fn keep_rows_apart(&mut self) {
        self.rows_apart = true;
    }

    fn reserve(&mut self, elements: usize) -> Result<(), EngineError> {
        self.forget_read();
        Ok(self.arena.reserve(elements)?)
    }

    fn extend(&mut self, elements: usize) -> Result<(), EngineError> {
        Ok(self.arena.extend(elements)?)
    }

    fn begin(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError> {
        self.begin_minibatch(frame)
    }

    fn relocate(&mut self, frame: Frame<'_, T>, moves: &Moves) -> Result<(), EngineError> {
        Ok(self.relocate_rows(frame, moves)?)
    }

    fn update(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError> {
        if self.launches == Launches::Graphs {
            // Further functions may run batch by batch now.
            let numbers = self.library.numbers;
            self.codes.prepare_recorded(&*self.driver, &*self.dialect, numbers, frame)?;
        }
        Ok(self.tables.update(frame, &self.arena, &self.library)?)
    }

    fn read(&self, rows: Range<usize>, range: Range<usize>) -> Result<&[T], EngineError> {
        let values = self.mirror.get(rows.clone(), || self.arena.read(rows.clone()))?;
        Ok(&values[range.start - rows.start..range.end - rows.start])
    }

    fn fetch_indices(&mut self, ranges: &[Range<usize>]) -> Result<(), EngineError> {
        Ok(self.fetch(ranges)?)
    }

    fn indices(&self) -> Result<&[u32], EngineError> {
        Ok(self.host_indices()?)
    }

    fn read_gradient(&self, rows: Range<usize>, range: Range<usize>) -> Result<&[T], EngineError> {
        let unscaled = || {
            let mut gradients = self.arena.read(rows.clone())?;
            self.loss_scale.unscale(&mut gradients);
            Ok::<_, GpuError>(gradients)
        };
        let values = self.gradients.get(rows.clone(), unscaled)?;
        Ok(&values[range.start - rows.start..range.end - rows.start])
    }

    fn write(
        &mut self,
        range: Range<usize>,
        fill: &mut dyn FnMut(&mut [T]),
    ) -> Result<(), EngineError> {
        self.forget_read();
        let mut values = vec![T::zero(); range.len()];
        fill(&mut values);
        Ok(self.arena.write(range.start, &values)?)
    }

    fn run(
        &mut self,
        frame: Frame<'_, T>,
        function: FunctionId,
        phase: Phase,
        rows: Range<u32>,
    ) -> Result<(), EngineError> {
        Ok(self.run_phase(frame, function, phase, rows.start as usize..rows.end as usize)?)
    }

    fn begin_batches(&mut self, frame: Frame<'_, T>, phase: Phase) -> Result<(), EngineError> {
        Ok(self.begin_notes(frame, phase)?)
    }

    fn end_batches(&mut self, frame: Frame<'_, T>, phase: Phase) -> Result<(), EngineError> {
        Ok(self.end_notes(frame, phase)?)
    }

    fn finish(&mut self) -> Result<(), EngineError> {
        self.clock.enter(Stage::Idle)?;
        Ok(self.driver.synchronize()?)
    }

    fn stepper(&mut self) -> Option<&mut dyn Stepper<T>> {
        Some(self)
    }

    fn begin_graph_sums(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError> {
        let mut sums = std::mem::take(&mut self.graph_sums);
        let begun = sums.begin(self, frame);
        self.graph_sums = sums;
        begun
    }

    fn graph_sums(&mut self) -> Option<&mut dyn GraphSums<T>> {
        self.graph_sums.sums()
    }

    fn graph_sums_bytes(&self, frame: Frame<'_, T>, rows: &GraphRows) -> usize {
        GraphSumsOnHost::bytes(frame, rows)
    }

    fn share_sums(&mut self) -> Option<&mut dyn ShareSums<T>> {
        Some(self)
    }

    fn take_times(&mut self) -> Option<DeviceTimes> {
        self.clock.take()
    }

    fn take_copies(&mut self) -> Copies {
        std::mem::take(&mut self.copies)
    }

    fn accumulate(
        &mut self,
        frame: Frame<'_, T>,
        gradients: &mut Gradients<T>,
    ) -> Result<(), EngineError> {
        self.sums.forget();
        self.sum(frame)?;
        self.clock.enter(Stage::Idle)?;
        self.sums.add_to(gradients, &self.loss_scale, &*self.driver)?;
        Ok(self.driver.synchronize()?)
    }
}
