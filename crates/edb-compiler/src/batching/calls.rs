//! The order in which a phase runs: groups, and between them all other values.

use edb_ir::routine::ProductKind;
use edb_ir::{Contraction, IdVec, Op, Phase, Pointwise, Program, Transition, ValueId};

use super::group::{Group, GroupId};
use super::pieces::{Piece, PieceId, Pieces};
use super::product::{Product, ProductId};

/// A call of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Computes a value that is neither a product nor an alias of other values' pieces.
    Value(ValueId),
    /// Runs a group.
    Group(GroupId),
}

/// The pieces that no call computes: a product that became a term of another one it is added to,
/// and sums of such products only. A sum of such a product and another operand is that operand.
pub fn absent(
    program: &Program,
    pieces: &Pieces,
    products: &IdVec<ProductId, Product>,
) -> IdVec<PieceId, bool> {
    let of_product = |piece: &Piece| {
        matches!(
            program.value(piece.value).op,
            Op::Contraction(Contraction::Dot | Contraction::DotTransposed)
        )
    };
    let mut absent: IdVec<PieceId, bool> = pieces.list.iter().map(of_product).collect();
    let results = result_pieces(pieces, products);
    let fill = |absent: &mut IdVec<PieceId, bool>| {
        absent.raw.iter_mut().zip(&results).for_each(|(absent, result)| *absent &= !result);
    };
    fill(&mut absent);
    for (id, _) in program.iter().filter(|(_, value)| value.op == Op::Pointwise(Pointwise::Add)) {
        let own = &pieces.of[id];
        for (place, &piece) in own.iter().enumerate().filter(|(_, piece)| !results[**piece]) {
            let gone = |arg: &ValueId| {
                let of = &pieces.of[*arg];
                of.len() == own.len() && absent[of[place]]
            };
            absent[piece] = program.value(id).args.iter().all(gone);
        }
    }
    absent
}

/// Which pieces products add to, where they are vectors.
pub fn result_pieces(
    pieces: &Pieces,
    products: &IdVec<ProductId, Product>,
) -> IdVec<PieceId, bool> {
    let mut results = IdVec::filled(false, pieces.list.len());
    let dots = products.iter().filter(|product| product.kind != ProductKind::OuterSum);
    dots.for_each(|product| results[product.result] = true);
    results
}

/// The calls of every phase, phase by phase. A value is computed as soon as it can be, so that what
/// a group computes is still in cache.
pub fn calls(
    program: &Program,
    phases: &IdVec<ValueId, Phase>,
    pieces: &Pieces,
    products: &IdVec<ProductId, Product>,
    groups: &IdVec<GroupId, Group>,
) -> Vec<(Phase, Call)> {
    let (absent, results_of) = (absent(program, pieces, products), result_pieces(pieces, products));
    // How many products and values have yet to write each piece.
    let mut left: IdVec<PieceId, usize> = IdVec::filled(0, pieces.list.len());
    products.iter().flat_map(|product| results(pieces, product)).for_each(|p| left[p] += 1);
    let mut calls = Vec::new();
    for phase in Phase::ALL {
        // Each value that is neither a product nor an alias is one call, in the order of the
        // program.
        let own = program.iter().filter(|(id, value)| {
            let product = matches!(
                value.op,
                Op::Contraction(Contraction::Dot | Contraction::DotTransposed)
                    | Op::Transition(Transition::OuterSum)
            );
            let done = |piece: &PieceId| absent[*piece] || results_of[*piece];
            let of = &pieces.of[*id];
            let computed = !product && !pieces.is_alias(*id) && !of.iter().all(done);
            phases[*id] == phase && computed
        });
        let mut waiting: Vec<ValueId> = own.map(|(id, _)| id).collect();
        // Until they run, their pieces are incomplete, like those of products.
        waiting.iter().for_each(|id| pieces.of[*id].iter().for_each(|p| left[*p] += 1));
        let mut settle = |left: &mut IdVec<PieceId, usize>, calls: &mut Vec<(Phase, Call)>| {
            waiting.retain(|id| {
                let read = program.value(*id).args.iter().flat_map(|arg| &pieces.of[*arg]);
                let ready = read.into_iter().all(|piece| left[*piece] == 0);
                if ready {
                    pieces.of[*id].iter().for_each(|piece| left[*piece] -= 1);
                    calls.push((phase, Call::Value(*id)));
                }
                !ready
            });
        };
        settle(&mut left, &mut calls);
        for (id, group) in groups.iter_enumerated().filter(|(_, group)| group.phase == phase) {
            calls.push((phase, Call::Group(id)));
            let run = group.stacks.iter().flat_map(|stack| &stack.products);
            run.flat_map(|product| results(pieces, &products[*product]))
                .for_each(|piece| left[piece] -= 1);
            settle(&mut left, &mut calls);
        }
    }
    calls
}

/// The pieces that a product adds to.
fn results(pieces: &Pieces, product: &Product) -> Vec<PieceId> {
    match product.kind {
        ProductKind::OuterSum => product.of.iter().map(|id| pieces.of[*id][0]).collect(),
        ProductKind::Dot | ProductKind::DotTransposed => vec![product.result],
    }
}
