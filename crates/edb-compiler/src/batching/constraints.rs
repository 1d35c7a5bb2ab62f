//! From groups to the layout problem: what needs memory, and which calls access it.

use std::collections::BTreeMap;

use crate::layout::{Call, Item, Operand, Problem};
use edb_ir::routine::{ProductKind, is_piecewise};
use edb_ir::{Contraction, Dim, Domain, IdVec, Op, Program, Shape, Symbol, Transition, ValueId};

use super::block::{Matrix, PieceBlock};
use super::grid::Grid;
use super::group::{Group, GroupId, Stack};
use super::pieces::{PieceId, Pieces};
use super::product::{Product, ProductId};
use super::space::Space;

/// The size assumed for a named dimension when layouts are compared: names have no size at build
/// time.
pub const NOMINAL: u64 = 256;

/// The bytes assumed for an element.
const ELEMENT: u64 = 4;

/// What a value of the layout problem stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Placed {
    /// A piece.
    Piece(PieceId),
    /// A row of blocks that are stacked with others below or above it.
    Rows(Vec<PieceBlock>),
    /// A column of blocks that are stacked with others beside it.
    Columns(Vec<PieceBlock>),
}

/// What a call of the layout problem stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The results of a stack, with the rows or columns that they are computed from: group, stack.
    Results(GroupId, usize),
    /// The arguments of a stack, with the columns or rows that they are multiplied with: group,
    /// stack.
    Arguments(GroupId, usize),
    /// The stacks of a group, where each is a single block: results, arguments, matrices.
    Batch(GroupId),
    /// A value that must be contiguous, in the order of its elements.
    Whole(ValueId),
}

/// The layout problem of a program, and what its values and calls stand for.
#[derive(Clone, Debug, Default)]
pub struct Constraints {
    /// The problem.
    pub problem: Problem,
    /// What its values stand for.
    pub values: Vec<Placed>,
    /// The memory of each value.
    pub spaces: Vec<Space>,
    /// What its calls stand for.
    pub origins: Vec<Origin>,
}

struct Question<'a> {
    program: &'a Program,
    pieces: &'a Pieces,
    grid: &'a Grid,
    /// The size of each block.
    bytes: BTreeMap<PieceBlock, u64>,
    spaces: &'a IdVec<PieceId, Space>,
    products: &'a IdVec<ProductId, Product>,
    groups: &'a IdVec<GroupId, Group>,
    known: BTreeMap<Placed, usize>,
    numbers: BTreeMap<Space, usize>,
    result: Constraints,
}

/// The layout problem of these groups.
pub fn constraints(
    program: &Program,
    pieces: &Pieces,
    spaces: &IdVec<PieceId, Space>,
    products: &IdVec<ProductId, Product>,
    groups: &IdVec<GroupId, Group>,
    grid: &Grid,
) -> Constraints {
    let size = |piece: PieceId| bytes(&pieces.list[piece].shape);
    let blocks = products.iter().flat_map(|product| {
        let block =
            move |term: &(PieceBlock, PieceId)| (term.0, size(product.result) * size(term.1));
        product.terms.iter().map(block)
    });
    let mut question = Question {
        program,
        pieces,
        grid,
        bytes: blocks.map(|(block, squared)| (block, squared / ELEMENT)).collect(),
        spaces,
        products,
        groups,
        known: BTreeMap::new(),
        numbers: BTreeMap::new(),
        result: Constraints::default(),
    };
    for (id, group) in groups.iter_enumerated() {
        for stack in 0..group.stacks.len() {
            question.stack(id, stack);
        }
        let blocks = group.stacks.iter().map(|stack| single(products, stack));
        if let Some(blocks) = blocks.collect::<Option<Vec<_>>>() {
            question.batch(group.kind, &blocks, id);
        }
    }
    question.wholes();
    question.result
}

/// The product of a stack that is a single block.
fn single<'a>(products: &'a IdVec<ProductId, Product>, stack: &Stack) -> Option<&'a Product> {
    let [product] = stack.products[..] else { return None };
    (products[product].terms.len() == 1).then(|| &products[product])
}

impl Question<'_> {
    /// The number of a value of the problem, which is added at its first use.
    fn place(&mut self, placed: Placed) -> usize {
        if let Some(&known) = self.known.get(&placed) {
            return known;
        }
        let of_matrix = |blocks: &[PieceBlock], parameters: Space| match blocks[0].matrix {
            Matrix::Param(_) => (parameters, true),
            Matrix::Value(id) => (self.spaces[self.pieces.of[id][0]], false),
        };
        let strip = |blocks: &[PieceBlock]| blocks.iter().map(|block| self.bytes[block]).sum();
        let ((memory, pinned), bytes) = match &placed {
            Placed::Piece(piece) => {
                ((self.spaces[*piece], false), bytes(&self.pieces.list[*piece].shape))
            }
            Placed::Rows(blocks) => (of_matrix(blocks, Space::ParamRows), strip(blocks)),
            Placed::Columns(blocks) => (of_matrix(blocks, Space::ParamColumns), strip(blocks)),
        };
        let next = self.numbers.len();
        let space = *self.numbers.entry(memory).or_insert(next);
        let number = self.result.values.len();
        self.result.problem.values.push(Item { bytes, space, pinned });
        self.result.values.push(placed.clone());
        self.result.spaces.push(memory);
        self.known.insert(placed, number);
        number
    }

    fn call(&mut self, operands: Vec<Operand>, ordered: bool, origin: Origin) {
        self.result.problem.calls.push(Call { operands, ordered });
        self.result.origins.push(origin);
    }

    /// Adds a call for each axis of a stack that has more than one lane.
    fn stack(&mut self, id: GroupId, stack: usize) {
        let group = &self.groups[id];
        let products = group.stacks[stack].products.iter();
        let of_stack: Vec<&Product> = products.map(|product| &self.products[*product]).collect();
        // The results of a transposed product are columns of its matrix.
        let grid = self.grid;
        let along = |block: &PieceBlock, results: bool| match (group.kind, results) {
            (ProductKind::DotTransposed, true)
            | (ProductKind::Dot | ProductKind::OuterSum, false) => {
                Placed::Columns(grid.column(block))
            }
            _ => Placed::Rows(grid.row(block)),
        };
        if of_stack.len() > 1 {
            let mut strips = Vec::new();
            let mut results = Vec::new();
            for product in &of_stack {
                strips.push(self.place(along(&product.terms[0].0, true)));
                results.push(self.place(Placed::Piece(product.result)));
            }
            let operands = vec![Operand(strips), Operand(results)];
            self.call(operands, false, Origin::Results(id, stack));
        }
        if of_stack[0].terms.len() > 1 {
            let mut strips = Vec::new();
            let mut arguments = Vec::new();
            for (block, piece) in &of_stack[0].terms {
                strips.push(self.place(along(block, false)));
                arguments.push(self.place(Placed::Piece(*piece)));
            }
            let operands = vec![Operand(strips), Operand(arguments)];
            self.call(operands, false, Origin::Arguments(id, stack));
        }
    }

    /// Adds a call for single blocks of different arguments: results, arguments and matrices in one
    /// order.
    fn batch(&mut self, kind: ProductKind, blocks: &[&Product], group: GroupId) {
        if blocks.len() < 2 {
            return;
        }
        let mut operands = vec![Operand(Vec::new()), Operand(Vec::new()), Operand(Vec::new())];
        for product in blocks {
            let block = &product.terms[0].0;
            let strip = match kind {
                ProductKind::DotTransposed => Placed::Columns(self.grid.column(block)),
                ProductKind::Dot | ProductKind::OuterSum => Placed::Rows(self.grid.row(block)),
            };
            operands[0].0.push(self.place(Placed::Piece(product.result)));
            operands[1].0.push(self.place(Placed::Piece(product.terms[0].1)));
            operands[2].0.push(self.place(strip));
        }
        self.call(operands, false, Origin::Batch(group));
    }

    /// Adds a call for each value that must be contiguous, in the order of its elements: values
    /// that ports show, and the operands and results of ops that do not work piece by piece.
    fn wholes(&mut self) {
        let program = self.program;
        let mut whole: Vec<ValueId> = Vec::new();
        for (id, value) in program.iter() {
            let product = matches!(
                value.op,
                Op::Contraction(Contraction::Dot | Contraction::DotTransposed)
                    | Op::Transition(Transition::OuterSum)
            );
            if product || is_piecewise(&value.op) || self.pieces.is_alias(id) {
                continue;
            }
            whole.push(id);
            whole.extend(&value.args);
        }
        whole.extend(program.forward_results().chain(program.backward_results()));
        whole.retain(|id| program.value(*id).domain != Domain::Step);
        whole.sort_unstable();
        whole.dedup();
        for id in whole {
            let pieces = &self.pieces.of[id];
            if pieces.len() > 1 {
                let values = pieces.iter().map(|piece| self.place(Placed::Piece(*piece))).collect();
                self.call(vec![Operand(values)], true, Origin::Whole(id));
            }
        }
    }
}

/// The nominal size of a shape: an unknown dimension counts as a named one.
fn bytes(shape: &Shape) -> u64 {
    let nominal = |dim: &Dim| {
        let unit = |(symbol, factor): &(Symbol, i64)| match symbol {
            Symbol::Name(_) | Symbol::Unknown(_) => factor.saturating_mul(NOMINAL as i64),
        };
        let sum = dim.terms().iter().map(unit).fold(dim.constant_part(), i64::saturating_add);
        u64::try_from(sum).unwrap_or(0)
    };
    let elements = shape.dims().map(|dims| dims.iter().map(nominal));
    elements.map_or(NOMINAL, |dims| dims.fold(1, u64::saturating_mul)).saturating_mul(ELEMENT)
}
