//! Training steps on the device that holds the parameters: losses, norms and optimiser updates.

use std::sync::Arc;

use edb_core::backend::{
    Frame, ParameterStep, ParameterUpdate, Place, StepOutcome, Stepper, Updates,
};
use edb_core::element::Element;
use edb_core::engine::EngineError;
use edb_core::learn::{Gradients, Parameters, Workers};

use super::clock::Stage;
use super::device::CudaBackend;
use super::launch::{KernelSet, Rows};
use super::resident::Resident;
use super::update::STATUS;
use crate::driver::{Address, Memory};
use crate::error::CudaError;
use crate::source::Source;

/// Constants of `optimizer.cuh`: the elements of a piece, the words and the numbers per tensor, and
/// the coefficients among the numbers.
const PIECE: usize = 4096;
const WORDS: usize = 10;
const NUMBERS: usize = 11;
const COEFFICIENTS: usize = 8;

/// A table of tensors, and the resident memory that it refers to.
struct Listed<T> {
    /// [`WORDS`] for each tensor.
    words: Vec<u64>,
    pieces: usize,
    residents: Vec<Arc<Resident<T>>>,
}

impl<T> Listed<T> {
    fn new() -> Self {
        Self { words: Vec::new(), pieces: 0, residents: Vec::new() }
    }

    fn len(&self) -> usize {
        self.words.len() / WORDS
    }

    /// Adds a tensor, by its words except that of the first piece; a tensor without elements is
    /// left out.
    fn push(&mut self, [values, gradient, indices, width, count, norm]: [u64; 6], kept: [u64; 3]) {
        if count > 0 {
            let [a, b, c] = kept;
            let first = self.pieces as u64;
            self.words.extend([values, gradient, a, b, c, indices, width, count, first, norm]);
            self.pieces += (count as usize).div_ceil(PIECE);
        }
    }
}

/// The tensors with the same update rule: its name, their range in the table, and their pieces.
struct Group {
    rule: &'static str,
    tensors: std::ops::Range<usize>,
    pieces: std::ops::Range<usize>,
}

/// A buffer that is uploaded in one copy; `push` returns the offset of a part.
#[derive(Default)]
struct Upload(Vec<u8>);

impl Upload {
    fn push<V: bytemuck::Pod>(&mut self, values: &[V]) -> usize {
        let start = self.0.len().next_multiple_of(16);
        self.0.resize(start, 0);
        self.0.extend_from_slice(bytemuck::cast_slice(values));
        start
    }
}

impl<T: Element + bytemuck::Pod> CudaBackend<T> {
    fn losses(&mut self, frame: Frame<'_, T>) -> Result<(), CudaError> {
        for (function, layout) in frame.model.functions.iter().zip(&frame.layout.types) {
            for loss in &function.plan.program.losses {
                let Some(span) = function.plan.routine.shown(*loss) else { continue };
                let field = function.routine.field(span);
                let Place::Arena(start) = layout.places[field.record] else { continue };
                let rows = layout.vertices.len();
                let (mut at, number) = self.arena.place(start + field.start);
                let mut stride = function.routine.records[field.record].stride;
                let real = self.library.numbers.real;
                if number != real {
                    // A loss that other vertices also read is stored narrow, as states are.
                    self.spare.reserve(rows * real.size())?;
                    let wide = Rows::each(self.spare.at(), 1, real);
                    self.library.copy(wide, Rows::each(at, stride, number), (rows, 1))?;
                    (at, stride) = (self.spare.at(), 1);
                }
                let library = self.update.library();
                let arguments = library.arguments().at(self.update.status.at()).at(at);
                let arguments = arguments.count(stride).count(rows);
                library.launch_team("add_losses", rows.min(1), &arguments)?;
            }
        }
        Ok(())
    }

    /// Lists the parameters to update, by rule; adds their coefficients and sparse rows to
    /// `numbers` and `rows`.
    fn list_moves(
        &mut self,
        updates: &mut Updates<'_, T>,
        numbers: &mut Vec<T>,
        rows: &mut Vec<u32>,
    ) -> Result<(Listed<T>, Vec<Group>), EngineError> {
        let (mut listed, mut groups) = (Listed::new(), Vec::<Group>::new());
        // The sort is stable: within a rule, parameters keep their order.
        updates.parameters.sort_by_key(|one| one.formula.name);
        for one in &updates.parameters {
            let mut kept = [0; 3];
            listed.residents.push(Arc::clone(self.parameters.of(one.id)));
            let values = self.parameters.at(one.id);
            for (slot, storage) in kept.iter_mut().zip(one.state.iter()) {
                let resident =
                    Resident::of("what the optimiser keeps", storage, None, &self.driver)?;
                *slot = resident.at();
                listed.residents.push(resident);
            }
            let libraries = (&self.library, self.update.library());
            let Some(sum) = self.sums.settle::<T>(one.id, libraries, &self.driver)? else {
                continue;
            };
            // For now, `indices` is a position in `rows`, counted from 1; 0 means a dense gradient.
            let (indices, width, count) = match sum.rows {
                None => (0, 1, one.values.len()),
                Some((width, own)) => {
                    rows.extend_from_slice(own);
                    (rows.len() - own.len() + 1, width, own.len() * width)
                }
            };
            if count == 0 {
                continue;
            }
            let (number, before) = (listed.len(), listed.pieces);
            let norm = updates.scaling.norm_of[one.id.index()].unwrap_or(0);
            let sizes = [indices, width, count, norm].map(|size| size as u64);
            let [indices, width, count, norm] = sizes;
            listed.push([values, sum.at, indices, width, count, norm], kept);
            let own = numbers.len();
            numbers.extend([one.terms.bound, one.terms.coupled, one.terms.keep]);
            numbers.extend_from_slice(&one.formula.coefficients);
            numbers.resize(own + NUMBERS, T::zero());
            let rule = one.formula.name;
            match groups.last_mut().filter(|group| group.rule == rule) {
                Some(group) => {
                    (group.tensors.end, group.pieces.end) = (number + 1, listed.pieces);
                }
                None => groups.push(Group {
                    rule,
                    tensors: number..number + 1,
                    pieces: before..listed.pieces,
                }),
            }
        }
        Ok((listed, groups))
    }

    fn list_averages(&self, updates: &Updates<'_, T>) -> Result<Listed<T>, EngineError> {
        let mut listed = Listed::new();
        for (id, average) in updates.averages.iter().flat_map(|of| of.averages.iter()) {
            let resident = Resident::of(average.name(), average.storage(), None, &self.driver)?;
            let (values, count) = (self.parameters.at(id), average.len() as u64);
            listed.push([values, resident.at(), 0, 1, count, 0], [0; 3]);
            listed.residents.push(resident);
        }
        Ok(listed)
    }

    fn take_step(&mut self, updates: &mut Updates<'_, T>) -> Result<StepOutcome, EngineError> {
        self.clock.enter(Stage::Update)?;
        // Everything that allocates memory comes first.
        let (mut numbers, mut rows) = (Vec::new(), Vec::new());
        let (mut moves, groups) = self.list_moves(updates, &mut numbers, &mut rows)?;
        let averages = self.list_averages(updates)?;
        let scaling = updates.scaling;
        let most: Vec<f64> = scaling.most.iter().map(|most| most.unwrap_or(f64::NAN)).collect();
        let mut upload = Upload::default();
        let rows = upload.push(&rows);
        let [numbers, most] = [upload.push(&numbers), upload.push(&most)];
        let averaged = upload.push(&averages.words);
        let words = upload.0.len().next_multiple_of(16);
        self.update.tables.reserve(words + size_of_val(&moves.words[..]).max(1))?;
        let tables = self.update.tables.at();
        for tensor in moves.words.chunks_exact_mut(WORDS).filter(|tensor| tensor[5] > 0) {
            tensor[5] = tables + rows as u64 + (tensor[5] - 1) * 4;
        }
        upload.push(&moves.words);
        self.update.squares.reserve((moves.pieces * 8).max(1))?;
        self.update.factors.reserve((scaling.most.len() * 8).max(1))?;
        self.driver.upload(&upload.0, tables)?;

        let at = |offset: usize| tables + offset as Address;
        let [status, squares, factors] =
            [&self.update.status, &self.update.squares, &self.update.factors].map(Memory::at);
        let Self { update, clock, driver, .. } = self;
        let library = update.library();
        let measured = if scaling.measures() { moves.len() } else { 0 };
        if measured > 0 {
            let arguments = library.arguments().at(squares).at(at(words)).u32(measured as u32);
            library.launch_team("squares", moves.pieces, &arguments.count(moves.pieces))?;
        }
        let arguments = library.arguments().at(status).at(factors).at(squares).at(at(words));
        let arguments = arguments.at(at(most)).u32(measured as u32).count(moves.pieces);
        let mean = scaling.mean * self.loss_scale.inverse();
        let arguments = arguments.u32(scaling.most.len() as u32).double(mean);
        library.launch_team("pace", 1, &arguments.u32(u32::from(scaling.guarded)))?;

        let mut moving = || {
            for group in &groups {
                let tensor = group.tensors.start;
                let arguments = library.arguments().at(status).at(factors);
                let arguments = arguments.at(at(words + tensor * WORDS * 8));
                let arguments = arguments.at(at(numbers + tensor * NUMBERS * size_of::<T>()));
                let arguments = arguments.u32(group.tensors.len() as u32);
                let arguments = arguments.count(group.pieces.start).count(group.pieces.len());
                library.launch_team(group.rule, group.pieces.len(), &arguments)?;
            }
            if let Some(of) = &updates.averages {
                let arguments = library.arguments().at(status).at(at(averaged));
                let arguments = arguments.u32(averages.len() as u32).count(averages.pieces);
                let arguments = arguments.real(of.keep.as_f64()).real(of.take.as_f64());
                library.launch_team("average", averages.pieces, &arguments)?;
            }
            clock.enter(Stage::Idle)?;
            update.status(&**driver)
        };
        let [loss, norm, go] = moving().inspect_err(|_: &CudaError| {
            moves.residents.iter().chain(&averages.residents).for_each(|one| one.spoil());
        })?;
        let taken = go != 0.0;
        if taken {
            let mut residents = moves.residents.iter().chain(&averages.residents);
            let mut next = || residents.next().expect("each storage has one");
            for one in &mut updates.parameters {
                next().moved(one.values, updates.number);
                one.state.iter_mut().for_each(|slot| next().moved(slot, updates.number));
            }
            for (_, average) in updates.averages.iter_mut().flat_map(|of| of.averages.iter_mut()) {
                next().moved(average.storage_mut(), updates.number);
            }
        }
        Ok(StepOutcome { loss, norm: scaling.measures().then_some(norm), taken })
    }
}

/// Whether there is a kernel for the rule of an update.
fn knows<T: Element>(update: &ParameterUpdate<'_, T>) -> bool {
    Source::kept_by(update.formula.name) == Some(update.state.len())
        && update.formula.coefficients.len() <= COEFFICIENTS
}

impl<T: Element + bytemuck::Pod> Stepper<T> for CudaBackend<T> {
    fn begin_step(&mut self, _: &Parameters<T>, _: bool) -> Result<(), EngineError> {
        self.sums.forget();
        self.clock.clear();
        if self.update.library.is_none() {
            self.update.library = Some(KernelSet::optimizer(&self.driver, self.library.numbers)?);
        }
        self.update.status.reserve(STATUS * 8)?;
        Ok(self.driver.clear(self.update.status.at(), STATUS * 8)?)
    }

    fn keep_losses(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError> {
        Ok(self.losses(frame)?)
    }

    fn keep_gradients(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError> {
        Ok(self.sum(frame)?)
    }

    fn take(&mut self, step: &mut ParameterStep<'_, T>) -> Result<StepOutcome, EngineError> {
        let updates = step.updates(&|id| self.sums.has(id))?;
        if let Some(mut updates) = updates.filter(|updates| updates.parameters.iter().all(knows)) {
            let outcome = self.take_step(&mut updates)?;
            if outcome.taken {
                updates.finish();
            }
            return Ok(outcome);
        }
        let [loss, ..] = self.update.status(&*self.driver)?;
        let mut gradients = Gradients::new(step.parameters);
        self.give(&mut gradients)?;
        Ok(step.take(loss, &gradients, &mut Workers::alone())?)
    }

    fn give(&mut self, gradients: &mut Gradients<T>) -> Result<(), EngineError> {
        self.sums.give(gradients, &self.loss_scale, &*self.driver)
    }
}
