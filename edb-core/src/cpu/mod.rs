//! The CPU back end.
//!
//! The rows of a phase are cut into blocks. Each block runs all ops of the phase over its rows before the next
//! block begins, so intermediate values stay in cache. Blocks do not depend on each other and may run on
//! several threads.
//!
//! Parameters are never copied for a layout. If a matrix is packed, this happens once per step; if it was
//! packed before, it is packed again while its rows are updated.
#![allow(clippy::needless_range_loop, reason = "kernels loop over numbers: `isa::Loop` says why")]

mod accumulate;
mod block;
mod choice;
mod crew;
mod cut;
mod graph_plan;
mod graph_sums;
mod graph_working;
mod index_rows;
mod indexing;
mod other_ops;
mod portions;
mod run_portions;
mod semiring_sums;
mod value_blocks;
mod weights;

use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use edb_ir::{Domain, FunctionId, Instruction, Phase};
use edb_pool::Pool;

use crate::engine::EngineError;
use crate::engine::backend::{Backend, Copies, Crew, Frame, GraphRows, GraphSums, Move, Moves};
use crate::engine::layout::Layout;
use crate::spans;
use block::{Common, RowBlock, Units};
use choice::{Choice, Choices};
use cut::{
    Block, Cut, MAX_BLOCK_EDGES, MAX_BLOCK_ROWS, MIN_BLOCK_ROWS, Needs, most_scratch, most_touched,
};
use edb_kernels::element::Element;
use edb_kernels::memory::{Memory, Shared};
use edb_kernels::pairs::PairIsa;
use edb_kernels::product::{PIECE, Workspace};
use edb_learn::learn::{Gradients, Parameters, Workers};
use edb_model::model::BoundModel;
use edb_model::model::bound::BoundFunction;
use edb_model::model::needs::{CopiedRows, PhaseNeeds};
use edb_model::model::stack::{RowCounts, WeightsId};
pub use graph_sums::GraphSumsOnHost;
use graph_working::working_bytes;
use portions::Portions;
use weights::Packed;

/// The name of the instructions that compute products in 16 bits, since the bits of these products depend on
/// them.
pub fn pair_instructions() -> String {
    format!("{:?}", PairIsa::best())
}

/// Batches with at least this many rows are split among threads by rows. In smaller batches, threads share the
/// columns of each product, and the rows of the instructions between two products.
const MIN_SPLIT_ROWS: usize = 2 * MIN_BLOCK_ROWS;
/// The rows of a phase, or of its kernels between two products, are split among threads only from this number
/// of multiplications on: with fewer, a second thread would cost more than it gains.
const MIN_SPLIT_MULTIPLICATIONS: usize = 100_000;
/// Threads share the columns of a product, or a sum, only from this number of multiplications on. It is
/// greater, because each thread reads what others have written, and writes what others read next.
const MIN_SHARED_MULTIPLICATIONS: usize = 400_000;

/// Runs phases on the CPU, on a number of threads.
#[derive(Debug)]
pub(crate) struct CpuBackend<T> {
    arena: Memory<T>,
    /// The memory of indices.
    indices: Memory<u32>,
    pool: Pool,
    /// Chooses how many threads steps use, and whether they pack all weights; `made` is the time at which its
    /// clock began.
    choices: Choices,
    made: Instant,
    /// When the threads were handed out to update parameters, if the step is timed.
    handed_out: Option<Instant>,
    /// The scratch of each thread.
    scratch: Vec<Mutex<Memory<T>>>,
    /// The working memory of optimisers, for each thread.
    spare: Vec<Mutex<Vec<T>>>,
    /// The working memory of each thread for products.
    workspaces: Vec<Mutex<Workspace<T>>>,
    /// The packed parameters; the back ends of a [crew](crew) read them, too.
    weights: Arc<Packed<T>>,
    /// The back ends of a crew, one for each thread; they have the weights only while parts run.
    crew: Vec<Mutex<Self>>,
    blocks: Vec<Block>,
    /// The batches that threads will run graph by graph.
    portions: Portions,
    /// A buffer for sorting: each entry is a row of a table, and the number of a term that is added to it.
    order: Vec<(u32, u32)>,
    /// Copies of the operands of sums whose terms are only some rows, or weighted rows.
    terms: [Vec<T>; 2],
    /// Counts of the copies since the engine last took the counts.
    copies: Copies,
}

impl<T: Element> CpuBackend<T> {
    /// A back end on this many threads (at least one). If `paired`, products with parameters and the sums of
    /// their gradients use 16 bits.
    ///
    /// # Errors
    /// When the threads cannot be started.
    pub(crate) fn new(threads: usize, paired: bool) -> std::io::Result<Self> {
        let pool = Pool::new(threads)?;
        Ok(Self {
            arena: Memory::default(),
            indices: Memory::default(),
            pool,
            choices: Choices::new(threads),
            made: Instant::now(),
            handed_out: None,
            scratch: (0..threads).map(|_| Mutex::default()).collect(),
            spare: (0..threads).map(|_| Mutex::default()).collect(),
            workspaces: (0..threads).map(|_| Mutex::new(Workspace::new(paired))).collect(),
            weights: Arc::new(Packed::new(paired)),
            crew: Vec::new(),
            blocks: Vec::new(),
            portions: Portions::default(),
            order: Vec::new(),
            terms: Default::default(),
            copies: Copies::default(),
        })
    }

    /// Begins a step whose forward pass takes `work` multiplications: sets how many threads it uses, and
    /// whether it packs all weights.
    fn choose(&mut self, work: usize, trains: bool) {
        let Choice { threads, packs } = self.choices.begin(work, trains, self.made.elapsed());
        self.pool.set_threads(threads);
        self.pack_all(packs);
    }

    /// Runs a part of a step, and adds its time if the step is timed.
    fn run_timed<R>(&mut self, run: impl FnOnce(&mut Self) -> R) -> R {
        let start = self.choices.is_timed().then(Instant::now);
        let result = run(self);
        if let Some(start) = start {
            self.choices.add(start.elapsed());
        }
        result
    }

    /// Reserves `elements` elements of scratch for each of the first `threads` threads.
    fn reserve_scratch(&mut self, threads: usize, elements: usize) -> Result<(), EngineError> {
        for scratch in &mut self.scratch[..threads] {
            let scratch = scratch.get_mut().unwrap_or_else(|poison| poison.into_inner());
            scratch.extend(elements)?;
        }
        Ok(())
    }

    /// Reserves the memory that blocks of a phase need, for the first `threads` threads.
    fn reserve_blocks(
        &mut self,
        function: &BoundFunction,
        phase: Phase,
        threads: usize,
        needs: Needs,
    ) -> Result<(), EngineError> {
        self.reserve_scratch(threads, needs.scratch)?;
        self.reserve_left(function, phase, threads, needs.rows)
    }

    /// Reserves memory on each thread for the matrix values that an instruction packs.
    fn reserve_panels(
        &mut self,
        [inner, width]: [usize; 2],
        paired: bool,
    ) -> Result<(), EngineError> {
        let mut each = self.each_workspace();
        Ok(each.try_for_each(|space| space.panels.reserve(inner, width, paired))?)
    }

    /// The working memory of each thread for products.
    fn each_workspace(&mut self) -> impl Iterator<Item = &mut Workspace<T>> {
        let all = self.workspaces.iter_mut();
        all.map(|space| space.get_mut().unwrap_or_else(|poison| poison.into_inner()))
    }

    /// Reserves memory for the left sides of products in 16 bits, for a block of this size on each
    /// of the first `threads` threads.
    fn reserve_left(
        &mut self,
        function: &BoundFunction,
        phase: Phase,
        threads: usize,
        block: RowCounts,
    ) -> Result<(), EngineError> {
        if !self.weights.is_paired() {
            return Ok(());
        }
        let of_product = |(id, domain): &(WeightsId, Domain)| {
            let width = self.weights.panels(*id).inner() * PairIsa::best().terms();
            block.of(*domain).saturating_mul(width)
        };
        let needed = function.needs(phase).weights.iter().map(of_product).max().unwrap_or(0);
        Ok(self.each_workspace().take(threads).try_for_each(|space| space.left.extend(needed))?)
    }

    /// Packs the parameters of a phase's products if they have changed and there are many rows. Also reserves
    /// memory for the other matrices that the phase packs.
    fn pack(
        &mut self,
        model: &BoundModel,
        parameters: &Parameters<T>,
        function: &BoundFunction,
        phase: Phase,
        rows: RowCounts,
    ) -> Result<(), EngineError> {
        let PhaseNeeds { weights, summed: [left, right], matrices, .. } = function.needs(phase);
        for (id, domain) in weights {
            self.prepare(*id, &model.weights[*id], parameters, rows.of(*domain))?;
        }
        if *right > 0 {
            let paired = self.weights.is_paired();
            self.reserve_panels([PIECE, *right], paired)?;
            if paired {
                let left = left.saturating_mul(PIECE);
                self.each_workspace().try_for_each(|space| space.left.extend(left))?;
            }
        }
        matrices.iter().try_for_each(|size| self.reserve_panels(*size, false))
    }

    /// Counts the bytes that a phase copies for all of its rows, so that threads need not count.
    fn count_copies(
        &mut self,
        layout: &Layout,
        function: &BoundFunction,
        phase: Phase,
        rows: RowCounts,
    ) {
        let copies = &mut self.copies;
        for of_domain in function.needs(phase).copied(layout.training) {
            let CopiedRows { are_gathered, domain, elements, calls } = *of_domain;
            let rows = rows.of(domain);
            let bytes = (rows * elements * size_of::<T>()) as u64;
            let calls = if rows == 0 { 0 } else { calls };
            let (of_kind, calls_of_kind) = match are_gathered {
                true => (&mut copies.gathered, &mut copies.gathers),
                false => (&mut copies.moved, &mut copies.moves),
            };
            *of_kind += bytes;
            *calls_of_kind += calls;
        }
    }

    /// Runs a phase over rows, in blocks.
    fn run_phase(
        &mut self,
        frame: Frame<'_, T>,
        function: &BoundFunction,
        phase: Phase,
        rows: Range<u32>,
    ) -> Result<(), EngineError> {
        let layout = &frame.layout.types[function.id];
        let instructions = function.instructions(phase);
        if instructions.is_empty() {
            return Ok(());
        }
        if phase == Phase::Prepare {
            self.pack(frame.model, frame.parameters, function, phase, RowCounts::default())?;
            self.count_copies(frame.layout, function, phase, RowCounts::default());
            self.reserve_left(function, phase, 1, RowCounts::default())?;
            for instruction in instructions {
                self.run_block(frame, function, instruction, 0..0, 0..0);
            }
            return Ok(());
        }
        if rows.is_empty() {
            return Ok(());
        }
        let rows = rows.start as usize..rows.end as usize;
        let edges = layout.edges_of(rows.clone()).len();
        let counts = RowCounts { vertices: rows.len(), edges };
        self.pack(frame.model, frame.parameters, function, phase, counts)?;
        self.count_copies(frame.layout, function, phase, counts);
        let work = function.routine.work(phase).of(counts);
        let threads = if work < MIN_SPLIT_MULTIPLICATIONS { 1 } else { self.pool.threads() };
        let scratch_of = layout.scratch[phase as usize];
        let alone = scratch_of.of(RowCounts { vertices: rows.len(), edges: 0 });
        let needs = function.needs(phase);
        let by_units = threads > 1
            && edges == 0
            && rows.len() < MIN_SPLIT_ROWS
            && alone <= most_scratch::<T>()
            && needs.touched.of(counts) <= most_touched::<T>();
        if by_units {
            let needs = Needs { rows: counts, scratch: alone };
            self.reserve_blocks(function, phase, 1, needs)?;
            let (common, pool, scratch) = self.common(frame);
            let mut scratch = scratch[0].lock().unwrap_or_else(|poison| poison.into_inner());
            // SAFETY: the back end is borrowed exclusively, and this is the only block.
            let block =
                unsafe { common.block(0, function, (rows, 0..0), Shared::new(&mut scratch)) };
            run_by_units(&block, pool, common.workspaces, phase);
            return Ok(());
        }
        let cut = Cut::new::<T>(layout, needs, phase, rows, threads);
        self.reserve_blocks(function, phase, threads, cut.needs())?;
        let mut blocks = std::mem::take(&mut self.blocks);
        blocks.clear();
        blocks.extend(cut);
        let (common, pool, scratch) = self.common(frame);
        let run = |thread: usize, block: usize| {
            // SAFETY: the blocks were cut from the rows, so no two blocks have the same rows, and each block
            // runs once.
            unsafe { common.run(thread, function, phase, blocks[block].clone(), scratch) };
        };
        if threads > 1 {
            pool.run(blocks.len(), &run);
        } else {
            (0..blocks.len()).for_each(|block| run(0, block));
        }
        self.blocks = blocks;
        Ok(())
    }

    /// The data that all blocks share, the threads that run them, and the scratch of each thread.
    fn common<'a>(
        &'a mut self,
        frame: Frame<'a, T>,
    ) -> (Common<'a, T>, &'a mut Pool, &'a [Mutex<Memory<T>>]) {
        let Self { arena, indices, pool, scratch, weights, workspaces, .. } = self;
        let (arena, indices) = (Shared::new(arena), Shared::new(indices));
        (Common { frame, arena, indices, weights, workspaces }, pool, scratch)
    }

    /// Runs one instruction over one block, on the calling thread.
    fn run_block(
        &mut self,
        frame: Frame<'_, T>,
        function: &BoundFunction,
        instruction: &(Phase, Instruction),
        rows: Range<usize>,
        edges: Range<usize>,
    ) {
        let (common, ..) = self.common(frame);
        // SAFETY: the back end is borrowed exclusively, and this is the only block.
        let block = unsafe { common.block(0, function, (rows, edges), Shared::new(&mut [])) };
        block.instruction(instruction);
    }
}

/// About how many multiplications a forward pass takes, if functions have this many rows.
fn forward_work(model: &BoundModel, rows: impl Fn(FunctionId) -> RowCounts) -> usize {
    let work = |function: &BoundFunction| -> usize {
        let forward = [Phase::Eager, Phase::Recurrent, Phase::Lazy];
        forward.map(|phase| function.routine.work(phase).of(rows(function.id))).iter().sum()
    };
    model.functions.iter().map(work).sum()
}

/// Runs the instructions of a phase over few rows without edges. In a product with weights, each thread
/// computes some columns; in the instructions between two products, each thread computes some rows.
fn run_by_units<'a, T: Element>(
    block: &RowBlock<'a, T>,
    pool: &mut Pool,
    workspaces: &'a [Mutex<Workspace<T>>],
    phase: Phase,
) {
    let (routine, rows) = (&block.function.routine, block.rows.len());
    let splits_rows = rows > 1 && rows * routine.work_between(phase) >= MIN_SPLIT_MULTIPLICATIONS;
    let is_between = |of: &(Phase, Instruction)| !routine.multiplies_weights(&of.1);
    let together = |one: &_, next: &_| splits_rows && is_between(one) && is_between(next);
    for several in block.function.instructions(phase).chunk_by(together) {
        let instruction = &several[0].1;
        match block.units_of(instruction) {
            None if splits_rows => run_by_rows(block, pool, workspaces, several),
            Some(Units { count, work, is_turned })
                if count > 1 && work >= MIN_SHARED_MULTIPLICATIONS =>
            {
                let _span = spans::instruction(&block.function.plan, &several[0], rows);
                let two_each = 2 * pool.threads();
                let pieces = count.min(two_each);
                let first = |piece: usize| piece * count / pieces;
                // Each thread has two pieces, and begins with the second.
                let turn = usize::from(is_turned && pieces == two_each);
                block.with_left(instruction, &mut |left| {
                    pool.run(pieces, &|_, piece| {
                        let piece = piece ^ turn;
                        block.product_units(instruction, first(piece)..first(piece + 1), left);
                    });
                });
            }
            _ => block.instruction(&several[0]),
        }
    }
}

/// Runs instructions over few rows without edges. If there is enough work, each thread runs them over some of
/// the rows.
fn run_by_rows<'a, T: Element>(
    block: &RowBlock<'a, T>,
    pool: &mut Pool,
    workspaces: &'a [Mutex<Workspace<T>>],
    instructions: &[(Phase, Instruction)],
) {
    let RowBlock { function, rows, .. } = block;
    let work = |of: &(Phase, Instruction)| function.routine.work_of_vertex(&function.plan, &of.1);
    let work = rows.len() * instructions.iter().map(work).sum::<usize>();
    let parts = if work < MIN_SPLIT_MULTIPLICATIONS { 1 } else { rows.len().min(pool.threads()) };
    let first = |part: usize| rows.start + part * rows.len() / parts;
    pool.run(parts, &|thread, part| {
        // SAFETY: the parts have different rows, and the block runs nothing else meanwhile.
        let part = unsafe { block.part(first(part)..first(part + 1), &workspaces[thread]) };
        instructions.iter().for_each(|instruction| part.instruction(instruction));
    });
}

impl<T: Element> Backend<T> for CpuBackend<T> {
    fn reserve(&mut self, elements: usize) -> Result<(), EngineError> {
        if self.arena.len() < elements {
            self.arena.clear();
        }
        self.extend(elements)
    }

    fn extend(&mut self, elements: usize) -> Result<(), EngineError> {
        Ok(self.arena.extend(elements)?)
    }

    fn relocate(&mut self, frame: Frame<'_, T>, moves: &Moves) -> Result<(), EngineError> {
        fn relocate<V: Copy>(memory: &mut [V], moves: &[Move]) {
            for Move { from, to, length } in moves {
                memory.copy_within(*from..from + length, *to);
            }
        }
        self.arena.extend(frame.layout.size)?;
        self.indices.extend(frame.layout.indices)?;
        relocate(&mut self.arena, &moves.arena);
        relocate(&mut self.indices, &moves.indices);
        Ok(())
    }

    fn update(&mut self, _: Frame<'_, T>) -> Result<(), EngineError> {
        Ok(())
    }

    /// The bytes of scratch for one block on each thread.
    fn scratch_bytes(&self, layout: &Layout) -> usize {
        let mut most = 0;
        for layout in &layout.types {
            let edges = layout.rest_offsets.windows(2).map(|pair| (pair[1] - pair[0]) as usize);
            let widest = RowCounts { vertices: 1, edges: edges.max().unwrap_or(0) };
            let block = RowCounts { vertices: MAX_BLOCK_ROWS, edges: MAX_BLOCK_EDGES };
            for scratch in layout.scratch {
                let needed = scratch.of(block).min(most_scratch::<T>()).max(scratch.of(widest));
                most = most.max(needed.min(scratch.of(layout.row_counts())));
            }
        }
        most.saturating_mul(self.scratch.len() * size_of::<T>())
    }

    fn begin(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError> {
        // Another device may have updated the parameters, so their values are fetched first.
        frame.parameters.fetch()?;
        let Layout { types, growing, .. } = frame.layout;
        // Graphs that grow have no rows yet, but room for about as many rows as earlier graphs got.
        let rows = |id| if *growing { types[id].room } else { types[id].row_counts() };
        let work = forward_work(frame.model, rows);
        self.choose(work, frame.step.is_some());
        self.arena[..frame.layout.zeros].fill(T::zero());
        self.indices.extend(frame.layout.indices)?;
        self.indices.iter_mut().take(1).for_each(|absent| *absent = 0);
        Ok(())
    }

    fn begin_copies(&mut self, frame: Frame<'_, T>) {
        let work = forward_work(frame.model, |id| frame.layout.types[id].row_counts());
        let threads = self.choices.set_aside(work, self.pool.threads());
        self.pool.set_threads(threads);
    }

    fn end_copies(&mut self) {
        if let Some(threads) = self.choices.go_on() {
            self.pool.set_threads(threads);
        }
    }

    fn read(&self, _: Range<usize>, range: Range<usize>) -> Result<&[T], EngineError> {
        Ok(&self.arena[range])
    }

    fn indices(&self) -> Result<&[u32], EngineError> {
        Ok(&self.indices)
    }

    fn write(
        &mut self,
        range: Range<usize>,
        fill: &mut dyn FnMut(&mut [T]),
    ) -> Result<(), EngineError> {
        fill(&mut self.arena[range]);
        Ok(())
    }

    fn run(
        &mut self,
        frame: Frame<'_, T>,
        function: FunctionId,
        phase: Phase,
        rows: Range<u32>,
    ) -> Result<(), EngineError> {
        if self.portions.are_cut() {
            self.portions.push(function, phase, rows);
            return Ok(());
        }
        self.run_timed(|backend| {
            backend.run_phase(frame, &frame.model.functions[function], phase, rows)
        })
    }

    fn begin_batches(&mut self, frame: Frame<'_, T>, phase: Phase) -> Result<(), EngineError> {
        self.cut_graphs(frame, phase);
        Ok(())
    }

    fn end_batches(&mut self, frame: Frame<'_, T>, _: Phase) -> Result<(), EngineError> {
        if self.portions.are_cut() {
            self.run_timed(|backend| backend.run_portions(frame))?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), EngineError> {
        Ok(())
    }

    fn workers(&mut self) -> Workers<'_, T> {
        self.handed_out = self.choices.is_timed().then(Instant::now);
        Workers::from(self)
    }

    fn crew(&mut self) -> Option<&mut dyn Crew<T>> {
        Some(self)
    }

    fn begin_graph_sums(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError> {
        self.begin_sums(frame)
    }

    fn graph_sums_bytes(&self, frame: Frame<'_, T>, rows: &GraphRows) -> usize {
        working_bytes(frame, rows, self.pool.threads())
    }

    fn graph_sums(&mut self) -> Option<&mut dyn GraphSums<T>> {
        Some(self)
    }

    fn take_copies(&mut self) -> Copies {
        std::mem::take(&mut self.copies)
    }

    fn accumulate(
        &mut self,
        frame: Frame<'_, T>,
        gradients: &mut Gradients<T>,
    ) -> Result<(), EngineError> {
        self.run_timed(|backend| backend.accumulate_all(frame, gradients))
    }
}
