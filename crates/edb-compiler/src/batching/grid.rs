//! Matrices that are assembled from blocks.
//!
//! A stack of `r` products over `c` arguments is one product if its `r · c` blocks are one matrix
//! in memory. Its rows of blocks are then interleaved, whatever parameters they belong to, for
//! every other call that accesses them, too.

use std::collections::{BTreeMap, BTreeSet};

use edb_ir::IdVec;
use edb_ir::routine::ProductKind;

use super::block::PieceBlock;
use super::group::{Group, GroupId};
use super::product::{Product, ProductId};

/// Which blocks are in one row and which in one column of a matrix.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    blocks: Vec<PieceBlock>,
    numbers: BTreeMap<PieceBlock, usize>,
    /// Union-finds over the blocks: by row and by column. Small, so without path compression.
    rows: Vec<usize>,
    columns: Vec<usize>,
}

impl Grid {
    /// The matrices that stacks need. `None` when they do not fit together: a block would be in two
    /// matrices of different shape, or a matrix would have holes.
    pub fn new(
        products: &IdVec<ProductId, Product>,
        groups: &IdVec<GroupId, Group>,
    ) -> Option<Grid> {
        let mut grid = Grid::default();
        for (block, _) in products.iter().flat_map(|product| &product.terms) {
            let next = grid.blocks.len();
            grid.numbers.entry(*block).or_insert_with(|| {
                grid.blocks.push(*block);
                next
            });
        }
        grid.rows = (0..grid.blocks.len()).collect();
        grid.columns = grid.rows.clone();
        for group in groups {
            let transposed = group.kind == ProductKind::DotTransposed;
            for stack in &group.stacks {
                let blocks: Vec<Vec<usize>> = (stack.products.iter())
                    .map(|product| {
                        products[*product].terms.iter().map(|t| grid.numbers[&t.0]).collect()
                    })
                    .collect();
                // With one lane there is nothing to stack along an axis, so nothing to interleave.
                if blocks.len() < 2 || blocks[0].len() < 2 {
                    continue;
                }
                let (along, across) = match transposed {
                    false => (&mut grid.rows, &mut grid.columns),
                    true => (&mut grid.columns, &mut grid.rows),
                };
                for run in &blocks {
                    run.iter().for_each(|block| join(along, run[0], *block));
                    run.iter().zip(&blocks[0]).for_each(|(a, b)| join(across, *a, *b));
                }
            }
        }
        grid.is_full().then_some(grid)
    }

    /// Whether every matrix has exactly one block for each pair of a row and a column.
    fn is_full(&self) -> bool {
        let mut matrix: Vec<usize> = (0..self.blocks.len()).collect();
        let mut taken = BTreeSet::new();
        for block in 0..self.blocks.len() {
            let (row, column) = (find(&self.rows, block), find(&self.columns, block));
            join(&mut matrix, row, block);
            join(&mut matrix, column, block);
            if !taken.insert((row, column)) {
                return false;
            }
        }
        let mut count: BTreeMap<usize, (BTreeSet<usize>, BTreeSet<usize>, usize)> = BTreeMap::new();
        for block in 0..self.blocks.len() {
            let (rows, columns, blocks) = count.entry(find(&matrix, block)).or_default();
            rows.insert(find(&self.rows, block));
            columns.insert(find(&self.columns, block));
            *blocks += 1;
        }
        count.values().all(|(rows, columns, blocks)| rows.len() * columns.len() == *blocks)
    }

    /// The blocks in the row of `block`, ascending.
    pub fn row(&self, block: &PieceBlock) -> Vec<PieceBlock> {
        self.line(&self.rows, block)
    }

    /// The blocks in the column of `block`, ascending.
    pub fn column(&self, block: &PieceBlock) -> Vec<PieceBlock> {
        self.line(&self.columns, block)
    }

    fn line(&self, lines: &[usize], block: &PieceBlock) -> Vec<PieceBlock> {
        let line = find(lines, self.numbers[block]);
        let of_line = |(block, number): (&PieceBlock, &usize)| {
            (find(lines, *number) == line).then_some(*block)
        };
        self.numbers.iter().filter_map(of_line).collect()
    }
}

fn find(decider: &[usize], mut member: usize) -> usize {
    while decider[member] != member {
        member = decider[member];
    }
    member
}

fn join(decider: &mut [usize], a: usize, b: usize) {
    let (a, b) = (find(decider, a), find(decider, b));
    decider[a.max(b)] = a.min(b);
}
