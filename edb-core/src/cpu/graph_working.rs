//! Sums the gradients of graphs, one after the other, on one thread, and holds the thread's memory for this.

use std::collections::TryReserveError;
use std::ops::Range;

use edb_ir::{Domain, FunctionId, IdVec, Instruction, Phase, Span};

use super::block::RowBlock;
use super::graph_plan::{GradientSum, TableRows, plans_of};
use crate::engine::EngineError;
use crate::engine::backend::{Frame, GraphRows};
use edb_kernels::element::Element;
use edb_kernels::isa::{Loop, dispatch};
use edb_kernels::operand::Operand;
use edb_kernels::panels::Panels;
use edb_kernels::room::room;
use edb_kernels::sums::{CHAIN, in_halves};
use edb_kernels::tile::Left;
use edb_learn::learn::ParameterId;
use edb_learn::learn::privacy::power_below;
use edb_learn::learn::squares::norm_of;
use edb_model::model::bound::BoundFunction;
use edb_model::model::outer::OperandRange;

/// If the square of a norm is smaller than the square of the sum of its terms' lengths by more than this
/// factor, the terms have cancelled too much. Then the sum itself is computed, and the norm from it.
const MAX_CANCELLATION: f64 = 1e4;

/// What is computed from the gradient of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// Its norm. Only the gradient of one parameter is kept at a time.
    Norm,
    /// The whole gradient.
    Gradient,
}

/// The greatest lengths of the lists in a thread's [working memory](Working).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lengths {
    y: usize,
    x: usize,
    values: usize,
    pieces: usize,
    order: usize,
    panels: usize,
    gram: usize,
}

impl Lengths {
    /// The lengths that are enough for every graph, if this much of its gradient is kept.
    pub(super) fn of_all<T: Element>(
        frame: Frame<'_, T>,
        rows: &GraphRows,
        plans: &[Vec<GradientSum<'_>>],
        kept: Kept,
    ) -> Self {
        let mut lengths = Self::default();
        for graph in 0..rows.count() {
            let mut of_graph = [0_usize; 2];
            for sums in plans {
                let of_parameter = lengths.add(frame, rows, graph, sums, kept);
                for (all, more) in of_graph.iter_mut().zip(of_parameter) {
                    *all = match kept {
                        Kept::Norm => more.max(*all),
                        Kept::Gradient => all.saturating_add(more),
                    };
                }
            }
            lengths.values = lengths.values.max(of_graph[0]);
            lengths.pieces = lengths.pieces.max(of_graph[1]);
        }
        lengths
    }

    /// Makes the lengths large enough for a graph's gradient of one parameter. Returns how many values and
    /// pieces this gradient has.
    fn add<T: Element>(
        &mut self,
        frame: Frame<'_, T>,
        rows: &GraphRows,
        graph: usize,
        sums: &[GradientSum<'_>],
        kept: Kept,
    ) -> [usize; 2] {
        let (mut terms, mut width, mut order, mut values) = (0_usize, 0, 0, 0);
        let mut matrix = None;
        for sum in sums {
            let count = |function: &BoundFunction, domain: Domain| match domain {
                Domain::Edge => rows.edges(function.id, graph).len(),
                Domain::Step | Domain::Vertex => rows.vertices(function.id, graph).len(),
            };
            match sum {
                GradientSum::Products { function, outer } => {
                    terms += count(function, function.routine.stacks[outer.stack].domain);
                    matrix = Some(outer.size);
                }
                GradientSum::Rows { function, summed, start } => {
                    values = values.max(start + function.routine.field(*summed).width);
                }
                GradientSum::Table { function, summed, rows: of } => {
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
                GradientSum::Other { .. } => {}
            }
        }
        let Some([m, n]) = matrix else {
            self.x = self.x.max(terms.saturating_mul(width));
            self.order = self.order.max(order);
            return [order.saturating_mul(width).saturating_add(values), order + 1];
        };
        self.y = self.y.max(terms.saturating_mul(m));
        self.x = self.x.max(terms.saturating_mul(n));
        if kept == Kept::Gradient || sums_up(terms, [m, n]) {
            return [m * n, 1];
        }
        self.gram = self.gram.max(terms.saturating_mul(terms));
        for inner in [m, n] {
            let elements = Panels::<T>::elements(inner, terms, false);
            self.panels = self.panels.max(elements);
        }
        [0, 0]
    }

    /// How many bytes lists of these lengths take.
    pub(super) fn bytes<T>(&self) -> usize {
        let Self { y, x, values, pieces, order, panels, gram } = *self;
        let values = [y, x, values, panels, gram, gram].into_iter().fold(0, usize::saturating_add);
        let values = values.saturating_mul(size_of::<T>());
        let pieces = pieces.saturating_mul(size_of::<GradientPiece>());
        let order = order.saturating_mul(size_of::<(u32, u32)>());
        values.saturating_add(pieces).saturating_add(order)
    }
}

/// Whether computing the sum of this many products takes less time than the inner products of all pairs of its
/// terms.
fn sums_up(terms: usize, [m, n]: [usize; 2]) -> bool {
    // A multiplication of the sum takes about twice as long as one of the inner products.
    terms * (m + n) > 2 * m * n
}

/// The working memory of a thread.
pub(super) struct Working<T> {
    y: Vec<T>,
    x: Vec<T>,
    /// The gradient of a graph, piece by piece.
    pub(super) values: Vec<T>,
    pub(super) pieces: Vec<GradientPiece>,
    /// Each entry is a row of a table, and the number of a term that is added to it.
    order: Vec<(u32, u32)>,
    panels: Panels<T>,
    /// The inner products of all pairs of terms.
    grams: [Vec<T>; 2],
}

/// A piece of the gradient of a parameter: values that lie side by side.
pub(super) struct GradientPiece {
    /// The parameter, by its place among the parameters that are summed.
    pub(super) parameter: usize,
    /// Which element of the parameter the first value is.
    pub(super) start: usize,
    /// Where the values are in [`Working::values`].
    pub(super) values: Range<usize>,
}

impl<T: Element> Working<T> {
    /// Allocates memory for lists of these lengths, so that nothing is allocated later.
    pub(super) fn with_room(lengths: &Lengths) -> Result<Self, EngineError> {
        let list = || -> Result<Self, TryReserveError> {
            Ok(Self {
                y: room(lengths.y)?,
                x: room(lengths.x)?,
                values: room(lengths.values)?,
                pieces: room(lengths.pieces)?,
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

    pub(super) fn begin_piece(&mut self, parameter: usize, start: usize) {
        let first = self.values.len();
        self.pieces.push(GradientPiece { parameter, start, values: first..first });
    }

    pub(super) fn end_piece(&mut self) {
        let end = self.values.len();
        self.pieces.last_mut().expect("a piece was begun").values.end = end;
    }

    /// The norm of a graph's gradient of one parameter; `None` if this needs the sum over the whole graph.
    pub(super) fn norm(
        &mut self,
        blocks: &IdVec<FunctionId, RowBlock<'_, T>>,
        rows: &GraphRows,
        graph: usize,
        sums: &[GradientSum<'_>],
    ) -> Option<f64> {
        if let Some([m, n]) = self.factors(blocks, rows, graph, sums) {
            let terms = self.y.len() / m.max(1);
            if terms == 0 {
                return Some(0.0);
            }
            if !sums_up(terms, [m, n]) {
                return self.norm_of_products([terms, m, n]);
            }
        }
        self.values.clear();
        self.pieces.clear();
        self.sum(blocks, rows, graph, 0, sums)?;
        Some(norm_of(&self.values))
    }

    /// Puts the factors of a graph's gradient of a matrix into `y` and `x`, and returns the size of the matrix.
    /// Returns `None` if the gradient is not a sum of products.
    fn factors(
        &mut self,
        blocks: &IdVec<FunctionId, RowBlock<'_, T>>,
        rows: &GraphRows,
        graph: usize,
        sums: &[GradientSum<'_>],
    ) -> Option<[usize; 2]> {
        self.y.clear();
        self.x.clear();
        let mut size = None;
        for sum in sums {
            let GradientSum::Products { function, outer } = sum else { return None };
            size = Some(outer.size);
            let stack = &function.routine.stacks[outer.stack];
            let listed = listed(rows, graph, function.id, stack.domain);
            if listed.is_empty() {
                continue;
            }
            let block = &blocks[function.id];
            let [y, x] = [stack.out, stack.args].map(|f| block.field_read_by(stack.domain, f));
            for row in listed {
                append(&mut self.y, &y, *row, &outer.pieces[0], outer.size[0]);
                append(&mut self.x, &x, *row, &outer.pieces[1], outer.size[1]);
            }
        }
        size
    }

    /// Appends a graph's gradient of one parameter to the values; `None` if this needs the sum over the whole
    /// graph.
    pub(super) fn sum(
        &mut self,
        blocks: &IdVec<FunctionId, RowBlock<'_, T>>,
        rows: &GraphRows,
        graph: usize,
        parameter: usize,
        sums: &[GradientSum<'_>],
    ) -> Option<()> {
        let of_graph = |sum: &&GradientSum<'_>| !rows.vertices(sum.function(), graph).is_empty();
        let of_graph = || sums.iter().filter(of_graph);
        match of_graph().next() {
            None => Some(()),
            Some(GradientSum::Products { .. }) => {
                let size = self.factors(blocks, rows, graph, sums)?;
                self.sum_products(parameter, size);
                Some(())
            }
            Some(GradientSum::Rows { .. }) => {
                self.begin_piece(parameter, 0);
                let first = self.values.len();
                for sum in of_graph() {
                    let GradientSum::Rows { function, summed, start } = sum else {
                        return None;
                    };
                    let block = &blocks[function.id];
                    let domain = function.routine.records[summed.record].domain;
                    let summed = block.read_by(domain, *summed);
                    let start = first + start;
                    if self.values.len() < start + summed.width() {
                        self.values.resize(start + summed.width(), T::zero());
                    }
                    let listed = listed(rows, graph, function.id, domain);
                    let sum = &mut self.values[start..start + summed.width()];
                    in_halves(0..listed.len(), CHAIN, sum, &mut |terms, sum| {
                        for row in &listed[terms] {
                            let row = summed.row(*row as usize);
                            sum.iter_mut().zip(row).for_each(|(sum, &x)| *sum += x);
                        }
                    });
                }
                self.end_piece();
                Some(())
            }
            Some(GradientSum::Table { .. }) => {
                self.order.clear();
                self.x.clear();
                let mut width = 0;
                for sum in of_graph() {
                    let GradientSum::Table { function, summed, rows: of } = sum else {
                        return None;
                    };
                    let domain = function.routine.records[summed.record].domain;
                    let listed = listed(rows, graph, function.id, domain);
                    width = self.list_terms(&blocks[function.id], (domain, *summed), *of, listed);
                }
                self.sum_table(parameter, width);
                Some(())
            }
            Some(GradientSum::Other { .. }) => None,
        }
    }

    /// Appends the sum of the products of the factors; it is a matrix of this size.
    fn sum_products(&mut self, parameter: usize, size @ [m, n]: [usize; 2]) {
        self.begin_piece(parameter, 0);
        let first = self.values.len();
        self.values.resize(first + m * n, T::zero());
        let Self { y, x, values, .. } = self;
        // Computes a few rows at a time, so that they stay in cache for all terms.
        for (block, sum) in values[first..].chunks_mut(ROWS_AT_ONCE * n.max(1)).enumerate() {
            in_halves(0..y.len() / m, CHAIN, sum, &mut |terms, sum| {
                dispatch(AddProducts { y, x, terms, row: block * ROWS_AT_ONCE, sum, size });
            });
        }
        self.end_piece();
    }

    /// Appends some rows to the terms that are added to rows of a table. Returns how many elements a term has.
    fn list_terms(
        &mut self,
        block: &RowBlock<'_, T>,
        (domain, summed): (Domain, Span),
        of: TableRows,
        listed: &[u32],
    ) -> usize {
        let summed = block.read_by(domain, summed);
        let rows = listed.iter().map(|row| *row as usize);
        // Terms are numbered through all sums that have been appended.
        let first = self.x.len() / summed.width().max(1);
        rows.clone().for_each(|row| self.x.extend_from_slice(summed.row(row)));
        let terms = rows.zip(first as u32..);
        match of {
            TableRows::At(index) => {
                let index = block.index_by(domain, index);
                self.order.extend(terms.map(|(row, term)| (index.row(row) as u32, term)));
            }
            TableRows::Bag(field) => self.order.extend(terms.flat_map(|(row, term)| {
                block.bag(row, field, domain).iter().map(move |index| (*index, term))
            })),
        }
        summed.width()
    }

    /// The norm of `Σ y xᵀ`, computed from the inner products of all pairs of its terms; `None` if this is not
    /// exact enough.
    fn norm_of_products(&mut self, [terms, m, n]: [usize; 3]) -> Option<f64> {
        let Self { y, x, panels, grams: [of_y, of_x], .. } = self;
        gram(panels, of_y, y, [terms, m]);
        gram(panels, of_x, x, [terms, n]);
        let [mut scale_of_y, mut scale_of_x] = [1.0; 2];
        // If products may be out of range, the factors are scaled by powers of two first.
        if [&*of_y, &*of_x].iter().any(|gram| !is_moderate(gram, terms)) {
            [scale_of_y, scale_of_x] = [&mut *y, &mut *x].map(|values| halve_to_one(values));
            gram(panels, of_y, y, [terms, m]);
            gram(panels, of_x, x, [terms, n]);
        }
        let products = of_y.iter().zip(&*of_x).map(|(y, x)| y.as_f64() * x.as_f64());
        let square: f64 = products.clone().sum();
        let lengths: f64 = products.step_by(terms + 1).map(f64::sqrt).sum();
        let is_sure = square.is_finite() && square * MAX_CANCELLATION >= lengths * lengths;
        let is_zero = scale_of_y == 0.0 || scale_of_x == 0.0;
        (is_sure && (square > 0.0 || is_zero)).then(|| square.sqrt() * scale_of_y * scale_of_x)
    }

    /// Appends the rows of a table's gradient: for each row, the sum of its terms.
    fn sum_table(&mut self, parameter: usize, width: usize) {
        self.order.sort_unstable();
        let order = std::mem::take(&mut self.order);
        for same in order.chunk_by(|a, b| a.0 == b.0) {
            self.begin_piece(parameter, same[0].0 as usize * width);
            let first = self.values.len();
            self.values.resize(first + width, T::zero());
            let x = &self.x;
            in_halves(0..same.len(), CHAIN, &mut self.values[first..], &mut |terms, sum| {
                for (_, term) in &same[terms] {
                    let row = &x[*term as usize * width..][..width];
                    sum.iter_mut().zip(row).for_each(|(sum, &x)| *sum += x);
                }
            });
            self.end_piece();
        }
        self.order = order;
    }
}

/// The rows of a graph in a domain of a function.
fn listed(rows: &GraphRows, graph: usize, function: FunctionId, domain: Domain) -> &[u32] {
    match domain {
        Domain::Edge => rows.edges(function, graph),
        _ => rows.vertices(function, graph),
    }
}

/// Divides values by a power of two, so that the largest is between 1 and 2, and returns the power. Returns 0
/// if all values are zero. If the largest value is not finite, it is returned, and the values do not change.
fn halve_to_one<T: Element>(values: &mut [T]) -> f64 {
    let most = values.iter().fold(0.0, |most: f64, value| most.max(value.as_f64().abs()));
    if most == 0.0 || !most.is_finite() {
        return most;
    }
    // At most 2^1000, so that its inverse does not become zero or denormal.
    let scale = power_below(most).clamp(MAX_SCALE.recip(), MAX_SCALE);
    let inverse = scale.recip();
    values.iter_mut().for_each(|value| *value = T::from_f64(value.as_f64() * inverse));
    scale
}

/// `2^1000`.
const MAX_SCALE: f64 = f64::from_bits((1023 + 1000) << 52);

/// Whether the greatest square of a row is far from the ends of the range, so that no product that matters
/// overflows or becomes zero. The squares are the diagonal of `gram`.
fn is_moderate<T: Element>(gram: &[T], count: usize) -> bool {
    let squares = gram.iter().step_by(count + 1).map(|square| square.as_f64());
    (MAX_MODERATE_SQUARE.recip()..=MAX_MODERATE_SQUARE).contains(&squares.fold(0.0, f64::max))
}

/// `2^40`.
const MAX_MODERATE_SQUARE: f64 = (1_u64 << 40) as f64;

/// The inner products of all pairs of rows of a matrix.
fn gram<T: Element>(
    panels: &mut Panels<T>,
    gram: &mut Vec<T>,
    rows: &[T],
    [count, width]: [usize; 2],
) {
    panels.pack_columns(count, width, rows);
    gram.clear();
    gram.resize(count * count, T::zero());
    panels.multiply_into(count, gram, Left::Rows(&Operand::of_slice(rows, width)));
}

/// Appends `width` elements, into which the pieces of a row are copied, each to its place.
fn append<T: Element>(
    to: &mut Vec<T>,
    from: &Operand<'_, T>,
    row: u32,
    pieces: &[OperandRange],
    width: usize,
) {
    let (first, row) = (to.len(), from.row(row as usize));
    if let [piece] = pieces
        && piece.count == width
    {
        return to.extend_from_slice(&row[piece.from..][..width]);
    }
    to.resize(first + width, T::zero());
    for piece in pieces {
        to[first + piece.to..][..piece.count].copy_from_slice(&row[piece.from..][..piece.count]);
    }
}

/// How many rows of `Σ y xᵀ` are summed together; below, how many elements of each row at a time.
const ROWS_AT_ONCE: usize = 4;
const ELEMENTS_AT_ONCE: usize = 16;

/// Adds some terms to at most [`ROWS_AT_ONCE`] rows of `Σ y xᵀ`, from row `row` on.
struct AddProducts<'a, T> {
    y: &'a [T],
    x: &'a [T],
    terms: Range<usize>,
    row: usize,
    sum: &'a mut [T],
    size: [usize; 2],
}

impl<T: Element> Loop for AddProducts<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { y, x, terms, row, sum, size: [m, n] } = self;
        let mut first = 0;
        while sum.len() == ROWS_AT_ONCE * n && first + ELEMENTS_AT_ONCE <= n {
            // These four arrays stay in registers for all terms; as one matrix they would not.
            let [mut a, mut b, mut c, mut d] = [[T::zero(); ELEMENTS_AT_ONCE]; ROWS_AT_ONCE];
            a.copy_from_slice(&sum[first..][..ELEMENTS_AT_ONCE]);
            b.copy_from_slice(&sum[n + first..][..ELEMENTS_AT_ONCE]);
            c.copy_from_slice(&sum[2 * n + first..][..ELEMENTS_AT_ONCE]);
            d.copy_from_slice(&sum[3 * n + first..][..ELEMENTS_AT_ONCE]);
            for term in terms.start..terms.end {
                let (y, x) = (
                    &y[term * m + row..][..ROWS_AT_ONCE],
                    &x[term * n + first..][..ELEMENTS_AT_ONCE],
                );
                for lane in 0..ELEMENTS_AT_ONCE {
                    a[lane] = product_plus::<FMA, T>(y[0], x[lane], a[lane]);
                }
                for lane in 0..ELEMENTS_AT_ONCE {
                    b[lane] = product_plus::<FMA, T>(y[1], x[lane], b[lane]);
                }
                for lane in 0..ELEMENTS_AT_ONCE {
                    c[lane] = product_plus::<FMA, T>(y[2], x[lane], c[lane]);
                }
                for lane in 0..ELEMENTS_AT_ONCE {
                    d[lane] = product_plus::<FMA, T>(y[3], x[lane], d[lane]);
                }
            }
            sum[first..][..ELEMENTS_AT_ONCE].copy_from_slice(&a);
            sum[n + first..][..ELEMENTS_AT_ONCE].copy_from_slice(&b);
            sum[2 * n + first..][..ELEMENTS_AT_ONCE].copy_from_slice(&c);
            sum[3 * n + first..][..ELEMENTS_AT_ONCE].copy_from_slice(&d);
            first += ELEMENTS_AT_ONCE;
        }
        if first == n {
            return;
        }
        for i in 0..sum.len() / n {
            let sum = &mut sum[i * n..][first..n];
            for term in terms.start..terms.end {
                let (factor, x) = (y[term * m + row + i], &x[term * n + first..][..sum.len()]);
                for column in 0..sum.len() {
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

/// How many bytes this many threads need to sum the gradients of each graph, and their norms, in addition to
/// the values of the run and the parameters' gradients.
pub(super) fn working_bytes<T: Element>(
    frame: Frame<'_, T>,
    rows: &GraphRows,
    threads: usize,
) -> usize {
    let all: Vec<ParameterId> = (0..frame.parameters.len()).map(ParameterId::new).collect();
    let plans = plans_of(frame, &all);
    let needs = [Kept::Norm, Kept::Gradient]
        .map(|kept| Lengths::of_all(frame, rows, &plans, kept).bytes::<T>());
    let working = needs[0].max(needs[1]).saturating_mul(threads);
    let copies = most_copied(frame, rows).saturating_mul(size_of::<T>());
    let factors = frame.layout.types.iter().map(|of| of.vertices.len() + of.rest_owners.len());
    let factors = factors.max().unwrap_or(0).saturating_mul(size_of::<T>());
    working.saturating_add(copies).max(factors)
}

/// How many elements are copied at most when a whole graph is summed: the operands of one product.
fn most_copied<T: Element>(frame: Frame<'_, T>, rows: &GraphRows) -> usize {
    let of_function = |function: &BoundFunction| {
        let products =
            function.instructions(Phase::Accumulate).iter().filter_map(|of| match of.1 {
                Instruction::Product(stack) => Some(&function.routine.stacks[stack]),
                _ => None,
            });
        let copied = products.map(|stack| {
            let of_graph = |graph| match stack.domain {
                Domain::Edge => rows.edges(function.id, graph).len(),
                Domain::Vertex => rows.vertices(function.id, graph).len(),
                Domain::Step => 0,
            };
            let terms = (0..rows.count()).map(of_graph).max().unwrap_or(0);
            terms.saturating_mul(stack.out.width + stack.args.width)
        });
        copied.max().unwrap_or(0)
    };
    frame.model.functions.iter().map(of_function).max().unwrap_or(0)
}
