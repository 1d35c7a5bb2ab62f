//! The kernels that are the same for all models.

use edb_ir::Reduction;

use super::declare::{Family, constants, kernels};
use super::parameters::{EvenRows, OutRows, Read, Real, Stored, Write};
use super::rows::{Draws, Index, Rows};
use crate::blocks::{Grid, TILE_COLUMNS, TILE_ROWS};

/// The bit that marks a pushed value rather than input data.
pub(crate) const PUSHED: u64 = 1 << 63;
/// The bit that marks a pushed value as wide.
pub(crate) const PUSHED_WIDE: u64 = 1 << 62;
/// The offset of a gradient that does not exist.
pub(crate) const NO_GRADIENT: u64 = u64::MAX;
/// The bytes in which [`Spread`] counts: every number consists of so many or a multiple.
pub(crate) const UNIT: usize = size_of::<u16>();

macro_rules! reducers {
    ($($reducer:ident = $name:literal),* $(,)?) => {
        /// The kernels that reduce rows.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Reducer {
            $(#[doc = concat!("`", $name, "`")] $reducer),*
        }

        impl Family for Reducer {
            const NAMES: &'static [&'static str] = &[$($name),*];

            fn number(self) -> usize {
                self as usize
            }
        }
    };
}
reducers! {
    Sum = "sum",
    Max = "max",
    MaxMask = "max_mask",
    Softmax = "softmax",
    LogSoftmax = "log_softmax",
    LogSumExp = "log_sum_exp",
    Norm = "norm",
    CrossEntropy = "cross_entropy",
    CumulativeSum = "cumulative_sum",
    CumulativeSumReversed = "cumulative_sum_reversed",
}

impl Reducer {
    /// The kernel of an op.
    pub fn of(op: Reduction) -> Self {
        match op {
            Reduction::Sum => Self::Sum,
            Reduction::Max => Self::Max,
            Reduction::MaxMask => Self::MaxMask,
            Reduction::Softmax => Self::Softmax,
            Reduction::LogSoftmax => Self::LogSoftmax,
            Reduction::LogSumExp => Self::LogSumExp,
            Reduction::Norm => Self::Norm,
            Reduction::CrossEntropy => Self::CrossEntropy,
            Reduction::CrossEntropyGradient => unreachable!("it has a kernel of its own"),
            Reduction::CumulativeSum => Self::CumulativeSum,
            Reduction::CumulativeSumReversed => Self::CumulativeSumReversed,
        }
    }

    /// Its name; that of the function which reduces a row ends in it, too.
    pub fn name(self) -> &'static str {
        Self::NAMES[self.number()]
    }
}

kernels! {
    /// The kernels that are the same for all models: what is no fused kernel.
    ///
    /// Rows are as many elements apart as their stride says; results have a row for each of `rows`,
    /// from the first on, and `width` elements in each.
    Library knows constants![PUSHED, PUSHED_WIDE, NO_GRADIENT, TILE_ROWS, TILE_COLUMNS];

    /// The same number in every element.
    Fill = "fill" {
        out: OutRows,
        rows: usize,
        width: usize,
        value: Real,
    } over Grid::elements(rows, width);

    /// The same rows in another place, mode or number type.
    CopyRows = "copy_rows" {
        out: OutRows,
        x: Rows,
        rows: usize,
        width: usize,
    } over Grid::elements(rows, width);

    /// `out += x`, or `out = x` where nothing has been added yet.
    Add = "add" {
        out: Write<Real>,
        x: Read<Real>,
        width: usize,
        added: bool,
    } over Grid::elements(1, width);

    /// A field of the input. `sources` has the place of each row: an element of `data`; or, with
    /// the bit [`PUSHED`], of `arena`; or, with [`PUSHED_WIDE`] too, of `wide`.
    Pull = "pull" {
        out: OutRows,
        data: Read<Real>,
        arena: Read<Stored>,
        wide: Read<Real>,
        sources: Read<u64>,
        rows: usize,
        width: usize,
    } over Grid::elements(rows, width);

    /// The gradients of the edges from a vertex to its parents, summed in the order of the parents.
    /// `parents` are pairs of block and row, from the offset of each vertex on; a block without
    /// such a gradient starts at [`NO_GRADIENT`].
    StateGradient = "state_gradient" {
        out: OutRows,
        arena: Read<Stored>,
        offsets: Read<u32>,
        parents: Read<u32>,
        starts: Read<u64>,
        strides: Read<u64>,
        rows: usize,
        width: usize,
    } over Grid::elements(rows, width);

    /// The gradient of a pushed field: that given from outside, if there is one (`seeded`), and
    /// those of the rows that pull it, if any do (`fed`).
    OutputGradient = "output_gradient" {
        out: OutRows,
        seeds: Read<Stored>,
        seeded: bool,
        arena: Read<Stored>,
        offsets: Read<u32>,
        feeds: Read<u64>,
        fed: bool,
        rows: usize,
        width: usize,
    } over Grid::elements(rows, width);

    /// Elements that are kept, if what is drawn is at least `threshold`, and multiplied by `scale`.
    Dropout = "dropout" {
        out: OutRows,
        x: Rows,
        draws: Draws,
        threshold: u64,
        scale: Real,
        rows: usize,
        width: usize,
    } over Grid::elements(rows, width);

    /// Normally distributed numbers, added.
    Noise = "noise" {
        out: OutRows,
        x: Rows,
        draws: Draws,
        deviation: f64,
        rows: usize,
        width: usize,
    } over Grid::elements(rows, width);

    /// `x` where a child is absent, else zeros.
    WhereAbsent = "where_absent" {
        out: OutRows,
        x: Rows,
        children: Read<u32>,
        rows: usize,
        width: usize,
    } over Grid::elements(rows, width);

    /// `[m, n]` of `[n, m]`.
    Transpose = "transpose" {
        out: OutRows,
        x: Rows,
        rows: usize,
        m: usize,
        n: usize,
    } over Grid::elements(rows, m * n);

    /// The row of a table that an index names.
    TableRow = "table_row" {
        out: OutRows,
        x: Rows,
        index: Index,
        rows: usize,
        width: usize,
    } over Grid::elements(rows, width);

    /// The sum of the rows of a table that a vertex's bag names: `index` is where its bag begins.
    BagSum = "bag_sum" {
        out: OutRows,
        x: Rows,
        index: Index,
        bags: Read<u32>,
        rows: usize,
        width: usize,
    } over Grid::elements(rows, width);

    /// How many rows a vertex's bag names.
    BagSize = "bag_size" {
        out: OutRows,
        index: Index,
        rows: usize,
    } over Grid::elements(rows, 1);

    /// A scalar at the index, or a row of `n` elements; zeros elsewhere.
    OneHot = "one_hot" {
        out: OutRows,
        x: Rows,
        index: Index,
        rows: usize,
        width: usize,
        n: usize,
    } over Grid::elements(rows, width);

    /// The element at the index, or the row of `width` elements.
    Pick = "pick" {
        out: OutRows,
        x: Rows,
        index: Index,
        rows: usize,
        width: usize,
    } over Grid::elements(rows, width);

    /// Where the greatest element of each row is, by a block.
    Argmax = "argmax" {
        out: Write<u32>,
        x: Rows,
        rows: usize,
        width: u32,
    } over Grid::teams(rows);

    /// An element of each row, drawn from its softmax, by a block.
    Sample = "sample" {
        out: Write<u32>,
        x: Rows,
        draws: Draws,
        rows: usize,
        width: u32,
    } over Grid::teams(rows);

    /// The matrices with these vectors of `n` elements on their diagonals.
    AsDiagonal = "as_diagonal" {
        out: OutRows,
        x: Rows,
        rows: usize,
        n: usize,
    } over Grid::elements(rows, n * n);

    /// The diagonals of matrices with `n` rows.
    Diagonal = "diagonal" {
        out: OutRows,
        x: Rows,
        rows: usize,
        n: usize,
    } over Grid::elements(rows, n);

    /// Copies pieces of memory elsewhere; of each, where it begins there and here, and its length, in
    /// [`UNIT`]s.
    Spread = "spread" {
        to: Write<u16>,
        from: Read<u16>,
        pieces: Read<u64>,
        rows: usize,
        width: usize,
    } over Grid::elements(rows, width);

    /// The same index for each row.
    FillIndex = "fill_index" {
        out: Write<u32>,
        rows: usize,
        value: u32,
    } over Grid::elements(rows, 1);

    /// The index after that of each row; 0 after the last of `count`.
    NextIndex = "next_index" {
        out: Write<u32>,
        index: Index,
        rows: usize,
        count: u32,
    } over Grid::elements(rows, 1);

    /// An index for each row, in another place.
    CopyIndex = "copy_index" {
        out: Write<u32>,
        index: Index,
        rows: usize,
    } over Grid::elements(rows, 1);

    /// An index, or another one where the child is absent; `slots` are the children.
    IndexIfAbsent = "index_if_absent" {
        out: Write<u32>,
        there: Index,
        absent: Index,
        slots: Index,
        rows: usize,
    } over Grid::elements(rows, 1);

    /// 1 where two indices are the same, else 0.
    SameIndex = "same_index" {
        out: OutRows,
        a: Index,
        b: Index,
        rows: usize,
    } over Grid::elements(rows, 1);

    /// The outer product of `m` and `n` elements.
    Outer = "outer" {
        out: OutRows,
        a: Rows,
        b: Rows,
        rows: usize,
        m: usize,
        n: usize,
    } over Grid::elements(rows, m * n);

    /// `[m, inner] [inner, n]`, row by row of the operands; either may be stored transposed.
    MatMul = "mat_mul" {
        out: OutRows,
        a: Rows,
        b: Rows,
        a_transposed: bool,
        b_transposed: bool,
        rows: usize,
        m: usize,
        n: usize,
        inner: usize,
    } over Grid::elements(rows, m * n);

    /// `out += W x`, or `out += Wᵀ x`, with a matrix of so many columns for each row: `m` elements
    /// of `out`, `n` of `x`.
    Contract = "contract" {
        out: OutRows,
        x: Rows,
        w: Rows,
        columns: usize,
        transposed: bool,
        rows: usize,
        m: usize,
        n: usize,
    } over Grid::elements(rows, m);

    /// A product in a semiring of `[m, inner]` and `[inner, n]`, row by row of the operands: the greatest of its
    /// terms (`greatest`), or `ln Σ e^x`.
    SemiringProduct = "semiring_product" {
        out: OutRows,
        left: Rows,
        right: Rows,
        greatest: bool,
        rows: usize,
        inner: usize,
        n: usize,
        width: usize,
    } over Grid::elements(rows, width);

    /// Weighted sums of the terms of such a product: of each element of the left operand (`role` 0), of the
    /// right one (1), or of the result (2).
    SemiringWeighted = "semiring_weighted" {
        out: OutRows,
        a: Rows,
        b: Rows,
        y: Rows,
        f: Rows,
        g: Rows,
        greatest: bool,
        role: u32,
        rows: usize,
        m: usize,
        inner: usize,
        n: usize,
        width: usize,
    } over Grid::elements(rows, width);

    /// Sums of `part` of these each, one behind the other, of `count` rows.
    SemiringSumParts = "semiring_sum_parts" {
        out: Write<Real>,
        a: Rows,
        b: Rows,
        y: Rows,
        f: Rows,
        g: Rows,
        greatest: bool,
        role: u32,
        m: usize,
        inner: usize,
        n: usize,
        count: usize,
        part: usize,
        rows: usize,
        width: usize,
    } over Grid::elements(rows, width);

    /// The sum over each vertex's edges, from its first to its last, or their maximum (`greatest`).
    FoldEdges = "fold_edges" {
        out: OutRows,
        x: EvenRows,
        offsets: Read<u32>,
        first_edge: u32,
        greatest: bool,
        rows: usize,
        width: usize,
    } over Grid::elements(rows, width);

    /// 1 at the first of a vertex's edges that has the maximum, else 0; `rows` are vertices.
    MarkGreatest = "mark_greatest" {
        out: OutRows,
        x: EvenRows,
        offsets: Read<u32>,
        first_edge: u32,
        rows: usize,
        width: usize,
    } over Grid::elements(rows, width);

    /// Sums of `part` rows each, one behind the other, of `count` rows.
    SumParts = "sum_parts" {
        out: Write<Real>,
        x: EvenRows,
        count: usize,
        part: usize,
        rows: usize,
        width: usize,
    } over Grid::elements(rows, width);

    /// The sum of `count` rows, or what it adds to `out` (`added`).
    SumRows = "sum_rows" {
        out: Write<Real>,
        x: Read<Real>,
        count: usize,
        added: bool,
        width: usize,
    } over Grid::elements(1, width);

    /// The sums of the rows that belong together: `order` names them, from the offset of each sum
    /// on.
    SumSparse = "sum_sparse" {
        out: Write<Real>,
        x: EvenRows,
        offsets: Read<u32>,
        order: Read<u32>,
        rows: usize,
        width: usize,
    } over Grid::elements(rows, width);

    /// Rows into their places in a table.
    PlaceRows = "place_rows" {
        out: Write<Real>,
        x: Read<Real>,
        places: Read<u32>,
        rows: usize,
        width: usize,
    } over Grid::elements(rows, width);

    /// A reduction of each of the `parts` of each row, by a block. A part has `width` elements, and its result
    /// `out_width`; `indexed` are those that read an index, of rows with one part.
    Reduce in Reducer {
        out: OutRows,
        x: Rows,
        index: Index,
        indexed: bool,
        rows: usize,
        parts: usize,
        width: u32,
        out_width: u32,
    } over Grid::teams(rows * parts);

    /// The gradient of the cross-entropy of each row, by a block; `factor` is the gradient of its result.
    CrossEntropyGradient = "cross_entropy_gradient" {
        out: OutRows,
        x: Rows,
        index: Index,
        factor: Rows,
        rows: usize,
        width: u32,
    } over Grid::teams(rows);

    /// `out = x W`, or `out += x W` (`added`): `W` has `terms` rows, or is stored transposed. Each
    /// sum has the order of its terms, whatever the number of rows.
    Multiply = "multiply" {
        out: OutRows,
        x: Rows,
        w: EvenRows,
        transposed: bool,
        added: bool,
        rows: usize,
        columns: u32,
        terms: u32,
    } over Grid::tiles(rows, columns as usize);
}
