//! Training steps on the device that holds the parameters: losses, norms and optimiser updates.

use std::sync::Arc;

use edb_core::backend::{
    Frame, ParameterStep, ParameterUpdate, Place, StepOutcome, Stepper, Updates,
};
use edb_core::element::Element;
use edb_core::engine::EngineError;
use edb_core::learn::{Gradients, Parameters, Workers};

use crate::backend::clock::Stage;
use crate::backend::device::GpuBackend;
use crate::backend::launches::KernelSet;
use crate::backend::parameters::Resident;
use crate::driver::{Address, DeviceMemory};
use crate::error::GpuError;
use crate::kernels::optimizer::{
    COEFFICIENTS, MOST_COEFFICIENTS, MOST_SLOTS, NUMBERS, PIECE, RuleKernel, STATUS, WORDS,
};
use crate::kernels::{Rows, optimizer as kernel};

/// A tensor to be listed: the words that are its own.
struct Tensor {
    values: Address,
    gradient: Address,
    slots: [Address; MOST_SLOTS],
    indices: u64,
    width: usize,
    count: usize,
    norm: usize,
}

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

    /// Adds a tensor; one without elements is left out.
    fn push(&mut self, tensor: Tensor) {
        let Tensor { values, gradient, slots, indices, width, count, norm } = tensor;
        if count == 0 {
            return;
        }
        let mut words = [0; WORDS];
        words[kernel::VALUES] = values;
        words[kernel::GRADIENT] = gradient;
        words[kernel::SLOTS..][..MOST_SLOTS].copy_from_slice(&slots);
        words[kernel::INDICES] = indices;
        words[kernel::WIDTH] = width as u64;
        words[kernel::COUNT] = count as u64;
        words[kernel::FIRST] = self.pieces as u64;
        words[kernel::NORM] = norm as u64;
        self.words.extend(words);
        self.pieces += count.div_ceil(PIECE);
    }
}

/// The tensors with the same update rule: their range in the table, and their pieces.
struct Group {
    rule: RuleKernel,
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

impl<T: Element + bytemuck::Pod> GpuBackend<T> {
    /// Loads the kernels that end a step, and makes room for what it comes to.
    pub(super) fn prepare_update(&mut self) -> Result<(), GpuError> {
        if self.update.library.is_none() {
            self.update.library =
                Some(KernelSet::optimizer(&self.driver, &*self.dialect, self.library.numbers)?);
        }
        self.update.status.reserve(STATUS * 8)
    }

    fn losses(&mut self, frame: Frame<'_, T>) -> Result<(), GpuError> {
        for (function, layout) in frame.model().functions.iter().zip(&frame.layout().types) {
            for loss in function.plan.program.summed() {
                let Some(span) = function.plan.routine.shown(loss) else { continue };
                let field = function.routine.field(span);
                let Place::Arena(start) = layout.places[field.record] else { continue };
                let rows = layout.vertices.len();
                let (mut address, number) = self.arena.place(start + field.start);
                let mut stride = function.routine.records[field.record].stride;
                let real = self.library.numbers.real;
                if number != real {
                    // A loss that other vertices also read is stored narrow, as states are.
                    self.spare.reserve(rows * real.size())?;
                    let wide = Rows::same_row(self.spare.address(), 1, real);
                    self.library.copy(wide, Rows::same_row(address, stride, number), rows, 1)?;
                    (address, stride) = (self.spare.address(), 1);
                }
                let status = self.update.status.address();
                let losses = kernel::AddLosses { status, x: address, stride, rows };
                self.update.library().launch(losses)?;
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
        updates.parameters.sort_by_key(|update| update.formula.name);
        for update in &updates.parameters {
            let mut slots = [0; MOST_SLOTS];
            listed.residents.push(Arc::clone(self.parameters.resident(update.id)));
            let values = self.parameters.address(update.id);
            for (slot, storage) in slots.iter_mut().zip(update.state.iter()) {
                let resident =
                    Resident::current("what the optimiser keeps", storage, None, &self.driver)?;
                *slot = resident.address();
                listed.residents.push(resident);
            }
            let (library, optimizer) = (&self.library, self.update.library());
            let settled = self.sums.settle::<T>(update.id, library, optimizer, &self.driver)?;
            let Some(sum) = settled else { continue };
            // For now, `indices` is a position in `rows`, counted from 1; 0 means a dense gradient.
            let (indices, width, count) = match sum.rows {
                None => (0, 1, update.values.len()),
                Some((width, summed)) => {
                    rows.extend_from_slice(summed);
                    (rows.len() - summed.len() + 1, width, summed.len() * width)
                }
            };
            if count == 0 {
                continue;
            }
            let (number, before) = (listed.len(), listed.pieces);
            let norm = updates.scaling.norm_of[update.id.index()].unwrap_or(0);
            let (gradient, indices) = (sum.address, indices as u64);
            listed.push(Tensor { values, gradient, slots, indices, width, count, norm });
            let mut tensor = [T::zero(); NUMBERS];
            tensor[kernel::BOUND] = update.terms.bound;
            tensor[kernel::COUPLED] = update.terms.coupled;
            tensor[kernel::KEEP] = update.terms.keep;
            let coefficients = &update.formula.coefficients;
            tensor[COEFFICIENTS..][..coefficients.len()].copy_from_slice(coefficients);
            numbers.extend(tensor);
            let rule =
                RuleKernel::named(update.formula.name).expect("the trainer asks `knows` first");
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
        for (id, average) in updates.averages.iter().flat_map(|update| update.averages.iter()) {
            let resident =
                Resident::current(average.name(), average.storage(), None, &self.driver)?;
            listed.push(Tensor {
                values: self.parameters.address(id),
                gradient: resident.address(),
                slots: [0; MOST_SLOTS],
                indices: 0,
                width: 1,
                count: average.len(),
                norm: 0,
            });
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
        let tables = self.update.tables.address();
        point_to_rows(&mut moves.words, tables + rows as Address);
        upload.push(&moves.words);
        self.update.squares.reserve((moves.pieces * 8).max(1))?;
        self.update.factors.reserve((scaling.most.len() * 8).max(1))?;
        self.driver.upload(&upload.0, tables)?;

        let address = |offset: usize| tables + offset as Address;
        let [status, squares, factors] =
            [&self.update.status, &self.update.squares, &self.update.factors]
                .map(DeviceMemory::address);
        let Self { update, clock, driver, .. } = self;
        let (library, table, pieces) = (update.library(), address(words), moves.pieces);
        let tensors = if scaling.measures() { moves.len() as u32 } else { 0 };
        if tensors > 0 {
            library.launch(kernel::Squares { sums: squares, table, tensors, pieces })?;
        }
        library.launch(kernel::StepFactors {
            status,
            factors,
            sums: squares,
            table,
            most: address(most),
            tensors,
            pieces,
            norms: scaling.most.len() as u32,
            mean: scaling.mean * self.loss_scale.inverse(),
            guarded: scaling.guarded,
        })?;

        let mut launch_moves = || {
            for group in &groups {
                let tensor = group.tensors.start;
                library.launch(kernel::Move {
                    kernel: group.rule,
                    status,
                    factors,
                    table: address(words + tensor * WORDS * 8),
                    numbers: address(numbers + tensor * NUMBERS * size_of::<T>()),
                    tensors: group.tensors.len() as u32,
                    first: group.pieces.start,
                    pieces: group.pieces.len(),
                })?;
            }
            if let Some(average) = &updates.averages {
                library.launch(kernel::Average {
                    status,
                    table: address(averaged),
                    tensors: averages.len() as u32,
                    pieces: averages.pieces,
                    take: average.take.as_f64(),
                })?;
            }
            clock.enter(Stage::Idle)?;
            update.status(&**driver)
        };
        let outcome = launch_moves().inspect_err(|_: &GpuError| {
            moves.residents.iter().chain(&averages.residents).for_each(|resident| resident.spoil());
        })?;
        let [loss, norm] = [outcome[kernel::LOSS], outcome[kernel::MEAN_NORM]];
        let taken = outcome[kernel::TAKEN] != 0.0;
        if taken {
            note_moved(updates, moves.residents.iter().chain(&averages.residents));
        }
        Ok(StepOutcome { loss, norm: scaling.measures().then_some(norm), taken })
    }
}

/// Turns places in the list of row numbers, counted from 1, into addresses; it begins at `rows`.
fn point_to_rows(words: &mut [u64], rows: Address) {
    for tensor in words.chunks_exact_mut(WORDS) {
        let indices = &mut tensor[kernel::INDICES];
        if *indices > 0 {
            *indices = rows + (*indices - 1) * 4;
        }
    }
}

/// Notes that a step has moved parameters, state and averages, which are in these places.
fn note_moved<'r, T: Element + 'r>(
    updates: &mut Updates<'_, T>,
    mut residents: impl Iterator<Item = &'r Arc<Resident<T>>>,
) {
    let mut next = || residents.next().expect("each storage has one");
    for update in &mut updates.parameters {
        next().moved(update.values, updates.number);
        update.state.iter_mut().for_each(|slot| next().moved(slot, updates.number));
    }
    for (_, average) in updates.averages.iter_mut().flat_map(|update| update.averages.iter_mut()) {
        next().moved(average.storage_mut(), updates.number);
    }
}

/// Whether there is a kernel for the rule of an update.
fn knows<T: Element>(update: &ParameterUpdate<'_, T>) -> bool {
    RuleKernel::named(update.formula.name).is_some_and(|rule| rule.slots() == update.state.len())
        && update.formula.coefficients.len() <= MOST_COEFFICIENTS
}

impl<T: Element + bytemuck::Pod> Stepper<T> for GpuBackend<T> {
    fn begin_step(&mut self, _: &Parameters<T>, _: bool) -> Result<(), EngineError> {
        self.sums.forget();
        self.clock.clear();
        self.prepare_update()?;
        Ok(self.driver.clear(self.update.status.address(), STATUS * 8)?)
    }

    fn keep_losses(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError> {
        Ok(self.losses(frame)?)
    }

    fn keep_gradients(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError> {
        Ok(self.sum(frame)?)
    }

    fn take(&mut self, step: &mut ParameterStep<'_, T>) -> Result<StepOutcome, EngineError> {
        self.sums.assert_fits(step.parameters);
        let updates = step.updates(&|id| self.sums.has(id))?;
        if let Some(mut updates) = updates.filter(|updates| updates.parameters.iter().all(knows)) {
            let outcome = self.take_step(&mut updates)?;
            if outcome.taken {
                updates.finish();
            }
            return Ok(outcome);
        }
        let mut gradients = Gradients::new(step.parameters);
        let loss = self.give(&mut gradients)?;
        Ok(step.take(loss, &gradients, &mut Workers::alone())?)
    }

    fn give(&mut self, gradients: &mut Gradients<T>) -> Result<f64, EngineError> {
        self.sums.add_to(gradients, &self.loss_scale, &*self.driver)?;
        Ok(self.update.status(&*self.driver)?[kernel::LOSS])
    }
}
