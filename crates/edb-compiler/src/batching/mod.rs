//! Operator batching inside a vertex function, and the memory layout that it needs
//! (ED-Batch, section 3).
//!
//! | step | module |
//! | --- | --- |
//! | vectors become pieces, so that separate and stacked weights are alike | [`pieces`] |
//! | which memory each piece is in | [`space`] |
//! | contractions become products of blocks and pieces, sums of products one product | [`product`] |
//! | products of one signature that are ready run together | [`mod@group`] |
//! | the blocks of stacks become matrices | [`grid`] |
//! | groups and all other values get an order | [`mod@calls`] |
//! | operands become a layout problem | [`mod@constraints`] |
//! | the problem is solved | [`layout`](crate::layout) |
//!
//! Invariant: separate and stacked gates lead to the same routine (`tests/routine.rs`).

pub mod block;
pub mod calls;
pub mod constraints;
pub mod grid;
pub mod group;
pub mod pieces;
mod print;
pub mod product;
pub mod space;

use crate::layout::problem::Cost;
use crate::layout::{Layout, OperandPlace, solve};
use edb_ir::{IdVec, Phase, Program, ValueId};

pub use block::{Matrix, PieceBlock};
pub use calls::Call;
pub use constraints::{Constraints, NOMINAL, Origin, Placed};
pub use grid::Grid;
pub use group::{Group, GroupId, Stack};
pub use pieces::{Extent, Piece, PieceId, Pieces};
pub use product::{Product, ProductId};
pub use space::Space;

/// Which contractions of a program run together, and where their operands are.
#[derive(Clone, Debug)]
pub struct Batching {
    /// The parts that vectors are cut into.
    pub pieces: Pieces,
    /// The contractions, one for each piece of a result.
    pub products: IdVec<ProductId, Product>,
    /// The groups of products that run together, phase by phase, in a valid order.
    pub groups: IdVec<GroupId, Group>,
    /// The order in which each phase runs.
    pub calls: Vec<(Phase, Call)>,
    /// The pieces that no call computes, since they became terms of other products: they read as
    /// zero.
    pub absent: IdVec<PieceId, bool>,
    /// The layout problem of the groups.
    pub constraints: Constraints,
    /// Its solution.
    pub layout: Layout,
}

impl Batching {
    /// Plans the contractions of a joint program with these phases.
    ///
    /// A copy costs more than a call. So if fusing products whose results are only added up needs
    /// copies, the products are also planned as they are written, and the plan that copies fewer
    /// bytes is kept. Otherwise there are as few groups as possible. Parameters are never copied:
    /// stacks whose weights cannot be adjacent are taken apart.
    pub fn plan(program: &Program, phases: &IdVec<ValueId, Phase>) -> Batching {
        let pieces = pieces::cut(program);
        let spaces = space::spaces(program, &pieces);
        let attempt = |fuse: Option<&IdVec<PieceId, Space>>| {
            let products = product::products(program, phases, &pieces, fuse);
            let alone = IdVec::filled(false, products.len());
            lay_out(program, phases, &pieces, &spaces, products, alone)
        };
        let fused = attempt(Some(&spaces));
        let copies = fused.as_ref().is_none_or(|fused| fused.copied() > Cost::default());
        let plain = copies.then(|| attempt(None)).flatten();
        let best = fused.into_iter().chain(plain).min_by_key(Batching::copied);
        best.unwrap_or_else(|| {
            let products = product::products(program, phases, &pieces, None);
            let alone = IdVec::filled(true, products.len());
            let apart = lay_out(program, phases, &pieces, &spaces, products, alone);
            // Then calls use parameters only as they were declared.
            apart.expect("declared parameters are matrices without holes")
        })
    }

    /// The nominal cost of the copies at one vertex in a forward and a backward pass.
    pub fn copied(&self) -> Cost {
        self.layout.copied()
    }
}

/// Groups products, those in `alone` by themselves, and solves the layout, until no parameter is
/// copied. `None` when blocks of stacks do not form matrices, or when products that are alone
/// already would still copy a parameter.
fn lay_out(
    program: &Program,
    phases: &IdVec<ValueId, Phase>,
    pieces: &Pieces,
    spaces: &IdVec<PieceId, Space>,
    products: IdVec<ProductId, Product>,
    mut alone: IdVec<ProductId, bool>,
) -> Option<Batching> {
    loop {
        let groups = group::group(&products, pieces, &alone);
        let grid = Grid::new(&products, &groups)?;
        let constraints =
            constraints::constraints(program, pieces, spaces, &products, &groups, &grid);
        let layout = solve(&constraints.problem);
        let torn = torn_stacks(&groups, &constraints, &layout);
        if torn.is_empty() {
            let calls = calls::calls(program, phases, pieces, &products, &groups);
            let absent = calls::absent(program, pieces, &products);
            let pieces = pieces.clone();
            let planned = Batching { pieces, products, groups, calls, absent, constraints, layout };
            return Some(planned);
        }
        if torn.iter().all(|product| alone[*product]) {
            return None;
        }
        // This ends: each round adds at least one product to those alone.
        torn.into_iter().for_each(|product| alone[product] = true);
    }
}

/// The products of stacks whose parameters would have to be copied.
fn torn_stacks(
    groups: &IdVec<GroupId, Group>,
    constraints: &Constraints,
    layout: &Layout,
) -> Vec<ProductId> {
    let mut torn = Vec::new();
    for (call, origin) in layout.calls.iter().zip(&constraints.origins) {
        let copies =
            |place: &OperandPlace| matches!(place, OperandPlace::Copy(cost) if cost.pinned > 0);
        if !call.places.iter().any(copies) {
            continue;
        }
        match *origin {
            Origin::Results(group, stack) | Origin::Arguments(group, stack) => {
                torn.extend(&groups[group].stacks[stack].products);
            }
            Origin::Batch(group) => {
                torn.extend(groups[group].stacks.iter().flat_map(|stack| &stack.products));
            }
            // These are no products, and hold no parameters.
            Origin::Whole(_) => {}
        }
    }
    torn
}
