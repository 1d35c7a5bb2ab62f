//! The parameters' gradients of each graph of a minibatch, their weighted sums and their norms.

use std::collections::TryReserveError;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use edb_ir::{Domain, FunctionId, IdVec, Instruction, Op, Phase, Span, Transition, ValueId};

use super::CpuBackend;
use super::accumulate::{Part, Terms, part_of};
use super::block::RowBlock;
use super::isa::{Loop, dispatch};
use super::operand::Operand;
use super::panels::Panels;
use super::tile::Left;
use crate::element::Element;
use crate::engine::EngineError;
use crate::engine::backend::{Backend, Frame, GraphRows, GraphSums, Layout};
use crate::learn::{Gradients, ParameterId};
use crate::model::bound::BoundFunction;
use crate::model::outer::{Outer, Piece};
use crate::room::room;

/// Where the square of a norm is less than the square of the sum of its terms' lengths by this
/// factor, the terms have cancelled so far that the norm is that of the sum itself.
const MOST_CANCELLED: f64 = 1e4;

impl<T: Element> GraphSums<T> for CpuBackend<T> {
    fn begin_sums(&mut self, frame: Frame<'_, T>) -> Result<(), EngineError> {
        for function in &frame.model.functions {
            let rows = frame.layout.types[function.id].row_counts();
            if rows.vertices == 0 {
                continue;
            }
            self.pack(frame, function, Phase::Accumulate, rows)?;
            self.reserve_left(function, Phase::Accumulate, 1, rows)?;
            for (_, instruction) in function.instructions(Phase::Accumulate) {
                if part_of(function, instruction) == Part::Rows {
                    self.run_block(frame, function, instruction, 0..rows.vertices, 0..rows.edges);
                }
            }
        }
        Ok(())
    }

    fn add_weighted(
        &mut self,
        frame: Frame<'_, T>,
        weights: &[f64],
        gradients: &mut Gradients<T>,
    ) -> Result<(), EngineError> {
        let (mut vertices, mut edges): (Vec<T>, Vec<T>) = (Vec::new(), Vec::new());
        for function in &frame.model.functions {
            let layout = &frame.layout.types[function.id];
            for (list, count) in
                [(&mut vertices, layout.vertices.len()), (&mut edges, layout.rest_owners.len())]
            {
                list.clear();
                let bytes = count.saturating_mul(size_of::<T>());
                let memory = list.try_reserve(count);
                memory.map_err(|reason| EngineError::Memory { bytes, reason })?;
            }
            let weight =
                |vertex: &u32| T::from_f64(weights[frame.batch.graphs[*vertex as usize] as usize]);
            vertices.extend(layout.vertices.iter().map(weight));
            edges.extend(layout.rest_owners.iter().map(|owner| vertices[*owner as usize]));
            let terms = Terms::Weighted { vertices: &vertices, edges: &edges };
            self.accumulate_anew(frame, function, terms, gradients)?;
        }
        Ok(())
    }

    fn add_graph(
        &mut self,
        frame: Frame<'_, T>,
        rows: &GraphRows,
        graph: usize,
        gradients: &mut Gradients<T>,
    ) -> Result<(), EngineError> {
        for function in &frame.model.functions {
            let vertices = rows.vertices(function.id, graph);
            if !vertices.is_empty() {
                let terms = Terms::Of { vertices, edges: rows.edges(function.id, graph) };
                self.accumulate_anew(frame, function, terms, gradients)?;
            }
        }
        Ok(())
    }

    fn squares(
        &mut self,
        frame: Frame<'_, T>,
        rows: &GraphRows,
        parameters: &[ParameterId],
    ) -> Result<Vec<f64>, EngineError> {
        let plans: Vec<(ParameterId, Vec<Sum<'_>>)> =
            parameters.iter().map(|id| (*id, sums_of(frame, *id))).collect();
        let squares: Vec<AtomicU64> = (0..rows.count()).map(|_| AtomicU64::default()).collect();
        // What has cancelled, or is computed from sums, is summed.
        let whole: Mutex<Vec<(usize, ParameterId)>> = Mutex::default();
        let lengths = Lengths::of_all(frame, rows, &plans);
        let (common, pool, _) = self.common(frame);
        let functions = frame.model.functions.iter();
        let blocks: IdVec<FunctionId, RowBlock<'_, T>> =
            functions.map(|function| common.all_rows(function)).collect();
        let memory = (0..pool.threads()).map(|_| Ok(Mutex::new(Working::with_room(&lengths)?)));
        let memory: Vec<Mutex<Working<T>>> = memory.collect::<Result<_, EngineError>>()?;
        let of_graph = |thread: usize, graph: usize| {
            let mut memory = memory[thread].lock().unwrap_or_else(|poison| poison.into_inner());
            let mut sum = 0.0;
            for (id, plan) in &plans {
                match memory.square(&blocks, rows, graph, plan) {
                    Some(square) => sum += square,
                    None => {
                        let mut whole = whole.lock().unwrap_or_else(|poison| poison.into_inner());
                        whole.push((graph, *id));
                    }
                }
            }
            squares[graph].store(sum.to_bits(), Ordering::Relaxed);
        };
        pool.run(rows.count(), &of_graph);
        let mut squares: Vec<f64> =
            squares.into_iter().map(|sum| f64::from_bits(sum.into_inner())).collect();
        let mut whole = whole.into_inner().unwrap_or_else(|poison| poison.into_inner());
        whole.sort_unstable();
        let mut gradients = Gradients::new(frame.parameters);
        for of_graph in whole.chunk_by(|a, b| a.0 == b.0) {
            let graph = of_graph[0].0;
            self.add_graph(frame, rows, graph, &mut gradients)?;
            let sums = of_graph.iter().map(|(_, id)| gradients.sum_of_squares(*id));
            squares[graph] += sums.sum::<f64>();
            gradients.reset();
        }
        Ok(squares)
    }

    fn working_bytes(&self, frame: Frame<'_, T>, rows: &GraphRows) -> usize {
        working_bytes(frame, rows, self.pool.threads())
    }
}

/// How many bytes so many threads need to sum the gradients of each graph, and their norms, beside
/// what has run and the parameters' gradients.
pub(crate) fn working_bytes<T: Element>(
    frame: Frame<'_, T>,
    rows: &GraphRows,
    threads: usize,
) -> usize {
    let all = (0..frame.parameters.len()).map(ParameterId::new);
    let plans: Vec<(ParameterId, Vec<Sum<'_>>)> = all.map(|id| (id, sums_of(frame, id))).collect();
    let norms = Lengths::of_all(frame, rows, &plans).bytes::<T>().saturating_mul(threads);
    let factors = frame.layout.types.iter().map(|of| of.vertices.len() + of.rest_owners.len());
    norms.max(factors.max().unwrap_or(0).saturating_mul(size_of::<T>()))
}

impl<T: Element> CpuBackend<T> {
    /// Takes a copy of what has run on a device.
    pub(crate) fn copy_run(
        &mut self,
        device: &dyn Backend<T>,
        frame: Frame<'_, T>,
    ) -> Result<(), EngineError> {
        frame.parameters.fetch()?;
        let Layout { size, indices, .. } = *frame.layout;
        self.arena.extend(size)?;
        self.indices.extend(indices)?;
        self.arena[..size].copy_from_slice(device.read(0..size, 0..size)?);
        self.indices[..indices].copy_from_slice(&device.indices()?[..indices]);
        Ok(())
    }

    /// Accumulates again: what is computed from sums may have overwritten what parameters alone
    /// determine.
    fn accumulate_anew(
        &mut self,
        frame: Frame<'_, T>,
        function: &BoundFunction,
        terms: Terms<'_, T>,
        gradients: &mut Gradients<T>,
    ) -> Result<(), EngineError> {
        let mut instructions = function.instructions(Phase::Accumulate).iter();
        if instructions.any(|(_, instruction)| part_of(function, instruction) == Part::Step) {
            self.run_phase(frame, function, Phase::Prepare, 0..0)?;
        }
        self.accumulate_function(frame, function, terms, gradients)
    }
}

/// A sum that is a part of a parameter's gradient.
enum Sum<'a> {
    /// Of products, the whole of a matrix.
    Products { function: &'a BoundFunction, outer: &'a Outer },
    /// Of rows, from this element of the parameter on.
    Rows { function: &'a BoundFunction, summed: Span, start: usize },
    /// Of rows of a table.
    Table { function: &'a BoundFunction, summed: Span, rows: TableRows },
    /// Anything else.
    Other { function: &'a BoundFunction },
}

/// The rows of a table to which a row is added.
#[derive(Clone, Copy)]
enum TableRows {
    /// The one at an index.
    At(Span),
    /// Those of a bag: the field of the program's input.
    Bag(u16),
}

impl Sum<'_> {
    fn function(&self) -> FunctionId {
        match self {
            Sum::Products { function, .. }
            | Sum::Rows { function, .. }
            | Sum::Table { function, .. }
            | Sum::Other { function } => function.id,
        }
    }
}

/// The sums that the gradient of a parameter consists of.
fn sums_of<'a, T: Element>(frame: Frame<'a, T>, param: ParameterId) -> Vec<Sum<'a>> {
    let mut sums = Vec::new();
    for function in &frame.model.functions {
        let gradients = &function.plan.program.gradients.params;
        for (own, parts) in function.params.iter().zip(gradients) {
            if *own == param {
                parts.iter().for_each(|part| sums_of_part(function, param, *part, &mut sums));
            }
        }
    }
    sums
}

fn sums_of_part<'a>(
    function: &'a BoundFunction,
    param: ParameterId,
    part: ValueId,
    sums: &mut Vec<Sum<'a>>,
) {
    let routine = &function.routine;
    let instructions =
        || function.instructions(Phase::Accumulate).iter().map(|(_, instruction)| instruction);
    let Some(span) = function.plan.routine.shown(part) else {
        for instruction in instructions() {
            if let Instruction::Op { value, out: None, args } = instruction
                && *value == part
            {
                sums.push(match (&function.plan.program.value(*value).op, &args[..]) {
                    (Op::Transition(Transition::RowSum), [summed, index]) => {
                        Sum::Table { function, summed: *summed, rows: TableRows::At(*index) }
                    }
                    (Op::Transition(Transition::BagRowSum(field)), [summed]) => {
                        Sum::Table { function, summed: *summed, rows: TableRows::Bag(*field) }
                    }
                    _ => Sum::Other { function },
                });
            }
        }
        return;
    };
    if routine.gradients[span.record] != Some(param) {
        return sums.push(Sum::Other { function });
    }
    let over_rows = |stack| routine.stacks[stack].domain != Domain::Step;
    let outer = routine.outers.iter().find(|outer| outer.record == span.record);
    if let Some(outer) = outer.filter(|outer| over_rows(outer.stack)) {
        return sums.push(Sum::Products { function, outer });
    }
    for instruction in instructions() {
        if !function.plan.routine.writes(instruction).iter().any(|to| to.record == span.record) {
            continue;
        }
        sums.push(match instruction {
            Instruction::Op { value, out: Some(out), args }
                if function.plan.program.value(*value).op
                    == Op::Transition(Transition::Reduce(Domain::Step)) =>
            {
                Sum::Rows { function, summed: args[0], start: routine.field(*out).start }
            }
            _ => Sum::Other { function },
        });
    }
}

/// How many values the lists of a thread's [working memory](Working) have at most.
#[derive(Clone, Copy, Debug, Default)]
struct Lengths {
    y: usize,
    x: usize,
    sum: usize,
    order: usize,
    panels: usize,
    gram: usize,
}

impl Lengths {
    /// For the norms of all graphs.
    fn of_all<T: Element>(
        frame: Frame<'_, T>,
        rows: &GraphRows,
        plans: &[(ParameterId, Vec<Sum<'_>>)],
    ) -> Self {
        let mut lengths = Self::default();
        for graph in 0..rows.count() {
            plans.iter().for_each(|(_, sums)| lengths.add(frame, rows, graph, sums));
        }
        lengths
    }

    /// Adds what [`Working::square`] needs for a graph's gradient of one parameter.
    fn add<T: Element>(
        &mut self,
        frame: Frame<'_, T>,
        rows: &GraphRows,
        graph: usize,
        sums: &[Sum<'_>],
    ) {
        let (mut terms, mut width, mut order) = (0, 0, 0);
        let mut matrix = None;
        for sum in sums {
            let count = |function: &BoundFunction, domain: Domain| match domain {
                Domain::Edge => rows.edges(function.id, graph).len(),
                Domain::Step | Domain::Vertex => rows.vertices(function.id, graph).len(),
            };
            match sum {
                Sum::Products { function, outer } => {
                    terms += count(function, function.routine.stacks[outer.stack].domain);
                    matrix = Some(outer.size);
                }
                Sum::Rows { function, summed, start } => {
                    self.sum = self.sum.max(start + function.routine.field(*summed).width);
                }
                Sum::Table { function, summed, rows: of } => {
                    let domain = function.routine.records[summed.record].domain;
                    terms += count(function, domain);
                    width = function.routine.field(*summed).width;
                    order += match of {
                        TableRows::At(_) => count(function, domain),
                        TableRows::Bag(field) => {
                            let layout = &frame.layout.types[function.id];
                            let size =
                                |row: &u32| frame.bag(layout.vertices[*row as usize], *field).len();
                            let owner = |edge: &u32| &layout.rest_owners[*edge as usize];
                            match domain {
                                Domain::Edge => {
                                    rows.edges(function.id, graph).iter().map(owner).map(size).sum()
                                }
                                _ => rows.vertices(function.id, graph).iter().map(size).sum(),
                            }
                        }
                    };
                }
                Sum::Other { .. } => {}
            }
        }
        let Some([m, n]) = matrix else {
            self.x = self.x.max(terms.saturating_mul(width));
            self.sum = self.sum.max(width);
            self.order = self.order.max(order);
            return;
        };
        self.y = self.y.max(terms.saturating_mul(m));
        self.x = self.x.max(terms.saturating_mul(n));
        if sums_up(terms, [m, n]) {
            self.sum = self.sum.max(m * n);
            return;
        }
        self.gram = self.gram.max(terms.saturating_mul(terms));
        for inner in [m, n] {
            let elements = Panels::<T>::elements(inner, terms, false);
            self.panels = self.panels.max(elements);
        }
    }

    /// How many bytes they take.
    fn bytes<T>(&self) -> usize {
        let Self { y, x, sum, order, panels, gram } = *self;
        let values = [y, x, sum, panels, gram, gram].into_iter().fold(0, usize::saturating_add);
        let values = values.saturating_mul(size_of::<T>());
        values.saturating_add(order.saturating_mul(size_of::<(u32, u32)>()))
    }
}

/// Whether a sum of so many products takes less time than the products of all pairs of its terms.
fn sums_up(terms: usize, [m, n]: [usize; 2]) -> bool {
    // It takes about twice as long for as much.
    terms * (m + n) > 2 * m * n
}

/// The working memory of a thread.
struct Working<T> {
    y: Vec<T>,
    x: Vec<T>,
    sum: Vec<T>,
    /// Rows of a table with the number of the term that is added to each.
    order: Vec<(u32, u32)>,
    panels: Panels<T>,
    /// The inner products of all pairs of terms.
    grams: [Vec<T>; 2],
}

impl<T: Element> Working<T> {
    /// Memory for lists of these lengths, so that nothing is allocated any more.
    fn with_room(lengths: &Lengths) -> Result<Self, EngineError> {
        let list = || -> Result<Self, TryReserveError> {
            Ok(Self {
                y: room(lengths.y)?,
                x: room(lengths.x)?,
                sum: room(lengths.sum)?,
                order: room(lengths.order)?,
                panels: Panels::default(),
                grams: [room(lengths.gram)?, room(lengths.gram)?],
            })
        };
        let bytes = lengths.bytes::<T>();
        let mut working = list().map_err(|reason| EngineError::Memory { bytes, reason })?;
        working.panels.extend(lengths.panels)?;
        Ok(working)
    }

    /// The square of the norm of a graph's gradient of one parameter; `None` if it has to be summed.
    fn square(
        &mut self,
        blocks: &IdVec<FunctionId, RowBlock<'_, T>>,
        rows: &GraphRows,
        graph: usize,
        sums: &[Sum<'_>],
    ) -> Option<f64> {
        let of_graph = |sum: &&Sum<'_>| !rows.vertices(sum.function(), graph).is_empty();
        let sums = || sums.iter().filter(of_graph);
        let listed = |function: &BoundFunction, domain: Domain| match domain {
            Domain::Edge => rows.edges(function.id, graph),
            _ => rows.vertices(function.id, graph),
        };
        match sums().next() {
            None => Some(0.0),
            Some(Sum::Products { outer, .. }) => {
                let [m, n] = outer.size;
                self.y.clear();
                self.x.clear();
                for sum in sums() {
                    let Sum::Products { function, outer } = sum else { return None };
                    let stack = &function.routine.stacks[outer.stack];
                    let block = &blocks[function.id];
                    let of = |field| block.field_read_by(stack.domain, field);
                    let [y, x] = [stack.out, stack.args].map(of);
                    for row in listed(function, stack.domain) {
                        append(&mut self.y, &y, *row, &outer.pieces[0]);
                        append(&mut self.x, &x, *row, &outer.pieces[1]);
                    }
                }
                self.square_of_products([m, n])
            }
            Some(Sum::Rows { .. }) => {
                self.sum.clear();
                for sum in sums() {
                    let Sum::Rows { function, summed, start } = sum else { return None };
                    let block = &blocks[function.id];
                    let domain = function.routine.records[summed.record].domain;
                    let summed = block.read_by(domain, *summed);
                    if self.sum.len() < start + summed.width {
                        self.sum.resize(start + summed.width, T::zero());
                    }
                    for row in listed(function, domain) {
                        let to = self.sum[*start..].iter_mut();
                        to.zip(summed.row(*row as usize)).for_each(|(sum, &x)| *sum += x);
                    }
                }
                Some(squares(&self.sum))
            }
            Some(Sum::Table { .. }) => {
                self.order.clear();
                self.x.clear();
                let mut width = 0;
                for sum in sums() {
                    let Sum::Table { function, summed, rows: of } = sum else { return None };
                    let block = &blocks[function.id];
                    let domain = function.routine.records[summed.record].domain;
                    let summed = block.read_by(domain, *summed);
                    width = summed.width;
                    let rows = listed(function, domain).iter().map(|row| *row as usize);
                    // Terms are counted over all of these sums.
                    let first = self.x.len() / width.max(1);
                    rows.clone().for_each(|row| self.x.extend_from_slice(summed.row(row)));
                    let terms = rows.zip(first as u32..);
                    match *of {
                        TableRows::At(index) => {
                            let index = block.index_by(domain, index);
                            let at = |(row, term)| (index.row(row) as u32, term);
                            self.order.extend(terms.map(at));
                        }
                        TableRows::Bag(field) => {
                            self.order.extend(terms.flat_map(|(row, term)| {
                                block
                                    .bag(row, field, domain)
                                    .iter()
                                    .map(move |index| (*index, term))
                            }))
                        }
                    }
                }
                Some(self.square_of_table(width))
            }
            Some(Sum::Other { .. }) => None,
        }
    }

    /// The square of the norm of `Σ y xᵀ`.
    fn square_of_products(&mut self, [m, n]: [usize; 2]) -> Option<f64> {
        let Self { y, x, sum, panels, grams, .. } = self;
        let terms = y.len() / m.max(1);
        if sums_up(terms, [m, n]) {
            sum.clear();
            sum.resize(m * n, T::zero());
            dispatch(AddProducts { y, x, sum, size: [m, n] });
            return Some(squares(sum));
        }
        let [of_y, of_x] = grams;
        let of_y = gram(panels, of_y, y, [terms, m]);
        let of_x = gram(panels, of_x, x, [terms, n]);
        let products = of_y.iter().zip(of_x).map(|(y, x)| y.as_f64() * x.as_f64());
        let square: f64 = products.clone().sum();
        let lengths: f64 = products.step_by(terms + 1).map(f64::sqrt).sum();
        let is_sure = square.is_finite() && square * MOST_CANCELLED >= lengths * lengths;
        (is_sure || lengths == 0.0).then_some(square)
    }

    /// The square of the norm of rows that are added up by the rows of a table.
    fn square_of_table(&mut self, width: usize) -> f64 {
        let Self { x, sum, order, .. } = self;
        order.sort_unstable();
        let mut square = 0.0;
        for same in order.chunk_by(|a, b| a.0 == b.0) {
            sum.clear();
            sum.resize(width, T::zero());
            for (_, term) in same {
                let row = &x[*term as usize * width..][..width];
                sum.iter_mut().zip(row).for_each(|(sum, &x)| *sum += x);
            }
            square += squares(sum);
        }
        square
    }
}

/// The inner products of all pairs of rows of a matrix.
fn gram<'a, T: Element>(
    panels: &mut Panels<T>,
    gram: &'a mut Vec<T>,
    rows: &[T],
    [count, width]: [usize; 2],
) -> &'a [T] {
    panels.pack_columns(count, width, rows);
    gram.clear();
    gram.resize(count * count, T::zero());
    panels.multiply_into(count, gram, Left::Rows(&Operand::of_slice(rows, width)));
    gram
}

/// Appends the pieces of a row.
fn append<T: Element>(to: &mut Vec<T>, from: &Operand<'_, T>, row: u32, pieces: &[Piece]) {
    let row = from.row(row as usize);
    pieces.iter().for_each(|piece| to.extend_from_slice(&row[piece.from..][..piece.count]));
}

/// The sum of the squares, in `f64`.
fn squares<T: Element>(values: &[T]) -> f64 {
    values.iter().map(|x| x.as_f64() * x.as_f64()).sum()
}

/// `Σ y xᵀ`, row-major.
struct AddProducts<'a, T> {
    y: &'a [T],
    x: &'a [T],
    sum: &'a mut [T],
    size: [usize; 2],
}

impl<T: Element> Loop for AddProducts<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let [m, n] = self.size;
        for (y, x) in self.y.chunks_exact(m).zip(self.x.chunks_exact(n)) {
            for row in 0..m {
                let factor = y[row];
                let sum = &mut self.sum[row * n..][..n];
                for column in 0..n {
                    sum[column] = product_plus::<FMA, T>(factor, x[column], sum[column]);
                }
            }
        }
    }
}

/// `a b + c`, rounded once if `FMA`.
#[inline(always)]
fn product_plus<const FMA: bool, T: Element>(a: T, b: T, c: T) -> T {
    if FMA { a.mul_add(b, c) } else { a * b + c }
}
