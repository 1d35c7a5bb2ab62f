//! Products: the contractions of a program, piece by piece.

use edb_ir::routine::ProductKind;
use edb_ir::{
    Contraction, Domain, Id, IdVec, Leaf, Op, Phase, Pointwise, Program, Transition, ValueId,
};

use super::block::{Matrix, PieceBlock};
use super::pieces::{PieceId, Pieces};
use super::space::Space;

edb_ir::id_types! {
    /// A product of blocks and pieces, by its number.
    pub struct ProductId(u32);
}

/// One piece of a result: the sum over its terms of block times argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    /// What is computed.
    pub kind: ProductKind,
    /// Its phase.
    pub phase: Phase,
    /// Its domain.
    pub domain: Domain,
    /// The piece that is computed.
    pub result: PieceId,
    /// PieceBlock and argument piece, ascending by argument; no argument twice.
    pub terms: Vec<(PieceBlock, PieceId)>,
    /// The length of the longest chain of dependent products of its phase that ends here.
    pub level: usize,
    /// The values that it is a part of: one, or as many as were fused.
    pub of: Vec<ValueId>,
    /// The nearest products that its operands depend on.
    pub needs: Vec<ProductId>,
}

/// The products of a program. With `fuse`, the spaces of pieces, products that are only added up
/// become one, with a term for each: `u_l.dot(l) + u_r.dot(r)` is `[u_l u_r]` times `[l; r]`.
///
/// Only arguments of one space are fused, since others would have to be copied together.
pub fn products(
    program: &Program,
    phases: &IdVec<ValueId, Phase>,
    pieces: &Pieces,
    fuse: Option<&IdVec<PieceId, Space>>,
) -> IdVec<ProductId, Product> {
    let mut found = Found {
        program,
        pieces,
        products: IdVec::new(),
        behind: IdVec::new(),
        sources: IdVec::filled(Vec::new(), pieces.list.len()),
    };
    for (id, value) in program.iter() {
        if pieces.is_alias(id) {
            continue;
        }
        let kind = match value.op {
            Op::Contraction(Contraction::Dot) => Some(ProductKind::Dot),
            Op::Contraction(Contraction::DotTransposed) => Some(ProductKind::DotTransposed),
            Op::Transition(Transition::OuterSum) => Some(ProductKind::OuterSum),
            _ => None,
        };
        match kind {
            Some(kind) => found.product(id, kind, phases[id]),
            None => found.pass(id),
        }
    }
    let products = found.products;
    match fuse {
        Some(spaces) => fuse_sums(program, pieces, spaces, products),
        None => products,
    }
}

struct Found<'a> {
    program: &'a Program,
    pieces: &'a Pieces,
    products: IdVec<ProductId, Product>,
    /// For each product, those that it depends on, directly or not: a bit each, 64 to a word.
    behind: IdVec<ProductId, Vec<u64>>,
    /// The nearest products that each piece is computed from.
    sources: IdVec<PieceId, Vec<ProductId>>,
}

impl Found<'_> {
    fn product(&mut self, id: ValueId, kind: ProductKind, phase: Phase) {
        let value = self.program.value(id);
        let of = |operand: usize| &self.pieces.of[value.args[operand]];
        // Results, arguments, and what else must be ready.
        let (results, arguments, factor) = match kind {
            ProductKind::OuterSum => (of(0), of(1), id),
            _ => (&self.pieces.of[id], of(1), value.args[0]),
        };
        let matrix = self.matrix(factor);
        let ready = [arguments, if kind == ProductKind::OuterSum { results } else { of(0) }];
        let needs = self.nearest(ready.into_iter().flatten());
        let mut behind = self.behind_any(&needs);
        for need in &needs {
            behind[need.index() / 64] |= 1 << (need.index() % 64);
        }
        // A dependency between products of one phase passes through no other phase.
        let before =
            needs.iter().map(|product| &self.products[*product]).filter(|p| p.phase == phase);
        let level = 1 + before.map(|product| product.level).max().unwrap_or(0);
        for (output, &result) in results.iter().enumerate() {
            let block = |argument: usize| match kind {
                ProductKind::DotTransposed => PieceBlock { matrix, row: argument, column: output },
                _ => PieceBlock { matrix, row: output, column: argument },
            };
            let terms = arguments.iter().enumerate();
            let terms: Vec<(PieceBlock, PieceId)> =
                terms.map(|(argument, piece)| (block(argument), *piece)).collect();
            // A piece that occurs twice in an argument needs two products.
            for terms in without_repeats(terms) {
                let own =
                    if kind == ProductKind::OuterSum { self.pieces.of[id][0] } else { result };
                let (domain, needs) = (value.domain, needs.clone());
                let of = vec![id];
                let product = Product { kind, phase, domain, result, terms, level, of, needs };
                let product = self.products.push(product);
                self.behind.push(behind.clone());
                self.sources[own].push(product);
            }
        }
    }

    /// The parameter, if a matrix is one or a term of its gradient; else the value itself.
    fn matrix(&self, id: ValueId) -> Matrix {
        if let Op::Leaf(Leaf::Param(param)) = self.program.value(id).op {
            return Matrix::Param(param);
        }
        let of = self.program.gradients.params.iter().position(|parts| parts.contains(&id));
        of.map_or(Matrix::Value(id), |param| Matrix::Param(param as u16))
    }

    /// The nearest products that some pieces are computed from: none that another one of them depends on, or a sum that
    /// goes on from step to step would name all that have been before.
    fn nearest<'p>(&self, pieces: impl Iterator<Item = &'p PieceId>) -> Vec<ProductId> {
        let mut all: Vec<ProductId> =
            pieces.flat_map(|piece| &self.sources[*piece]).copied().collect();
        all.sort_unstable();
        all.dedup();
        let behind = self.behind_any(&all);
        all.retain(|product| behind[product.index() / 64] >> (product.index() % 64) & 1 == 0);
        all
    }

    /// What some products depend on, directly or not, without themselves.
    fn behind_any(&self, products: &[ProductId]) -> Vec<u64> {
        let mut behind = vec![0_u64; self.products.len().div_ceil(64)];
        for product in products {
            behind.iter_mut().zip(&self.behind[*product]).for_each(|(any, of)| *any |= of);
        }
        behind
    }

    /// Notes a value that is no product: it is computed as a whole, once all its arguments are
    /// there.
    fn pass(&mut self, id: ValueId) {
        let args = &self.program.value(id).args;
        let sources = self.nearest(args.iter().flat_map(|arg| &self.pieces.of[*arg]));
        for &piece in &self.pieces.of[id] {
            self.sources[piece] = sources.clone();
        }
    }
}

/// Terms sorted by argument, in as many lists as the most frequent argument occurs.
fn without_repeats(mut terms: Vec<(PieceBlock, PieceId)>) -> Vec<Vec<(PieceBlock, PieceId)>> {
    terms.sort_unstable_by_key(|&(block, piece)| (piece, block));
    let mut lists: Vec<Vec<(PieceBlock, PieceId)>> = Vec::new();
    for term in terms {
        let fits =
            |list: &&mut Vec<(PieceBlock, PieceId)>| list.last().is_none_or(|l| l.1 != term.1);
        match lists.iter_mut().find(fits) {
            Some(list) => list.push(term),
            None => lists.push(vec![term]),
        }
    }
    lists
}

/// Merges products that are added up and read nowhere else, if they run in one phase. What reads
/// the sum needs all of them anyway, so merging delays nothing.
fn fuse_sums(
    program: &Program,
    pieces: &Pieces,
    spaces: &IdVec<PieceId, Space>,
    products: IdVec<ProductId, Product>,
) -> IdVec<ProductId, Product> {
    let SumsOfProducts { mut terms, root } = find_sums(program, pieces, spaces, &products);
    // The product that each one becomes a part of.
    let mut into: IdVec<ProductId, ProductId> = products.ids().collect();
    let mut merged = products.clone();
    for sum in &mut terms.raw {
        sum.sort_unstable();
        for later in 1..sum.len() {
            let product = &products[sum[later]];
            let fits = |other: &&ProductId| can_merge(product, &merged[**other], spaces);
            let Some(&first) = sum[..later].iter().filter(|f| into[**f] == **f).find(fits) else {
                continue;
            };
            into[sum[later]] = first;
            absorb(&mut merged, first, product.clone());
        }
    }
    // A sum that is one merged product only is computed by that product in place, without a copy.
    for sum in &terms {
        for &first in sum.iter().filter(|product| into[**product] == **product) {
            // A sum of products only may itself be a term of another sum with products that were
            // merged.
            let is_all =
                |product: &ProductId| (into[*product] == first) == (root[*product] == root[first]);
            if sum.iter().all(is_all) {
                merged[first].result = root[first];
            }
        }
    }
    merge_outer_sums(&mut merged, &mut into, spaces);
    renumbered(&merged, &into)
}

/// Which products are added up.
struct SumsOfProducts {
    /// For each piece, the products that are terms of it.
    terms: IdVec<PieceId, Vec<ProductId>>,
    /// For each product, the last piece that is a sum of products only and has it as a term.
    root: IdVec<ProductId, PieceId>,
}

/// Finds the sums of products that are read nowhere else.
fn find_sums(
    program: &Program,
    pieces: &Pieces,
    spaces: &IdVec<PieceId, Space>,
    products: &IdVec<ProductId, Product>,
) -> SumsOfProducts {
    let mut uses: IdVec<PieceId, usize> = IdVec::filled(0, pieces.list.len());
    let values = program.iter().filter(|(id, _)| !pieces.is_alias(*id));
    let read = values.flat_map(|(_, value)| value.args.iter().copied());
    for id in read {
        pieces.of[id].iter().for_each(|piece| uses[*piece] += 1);
    }
    // What a port shows needs its own place: it counts as read twice.
    for id in program.forward_results().chain(program.backward_results()) {
        pieces.of[id].iter().for_each(|piece| uses[*piece] += 2);
    }
    let mut sums: IdVec<PieceId, Vec<ProductId>> = IdVec::filled(Vec::new(), pieces.list.len());
    // Whether a piece is a sum of products only.
    let mut pure: IdVec<PieceId, bool> = IdVec::filled(false, pieces.list.len());
    let mut root: IdVec<ProductId, PieceId> =
        products.iter().map(|product| product.result).collect();
    for (id, product) in products.iter_enumerated() {
        if product.kind != ProductKind::OuterSum {
            sums[product.result].push(id);
            pure[product.result] = true;
        }
    }
    for (id, value) in program.iter().filter(|(_, value)| value.op == Op::Pointwise(Pointwise::Add))
    {
        let own = &pieces.of[id];
        for (place, &piece) in own.iter().enumerate() {
            let mut only = true;
            for arg in &value.args {
                let of = &pieces.of[*arg];
                // Products are complete piece by piece. Another sum must be read by this one only,
                // and as a whole; otherwise what reads its other pieces could wait for itself.
                let product = |piece: PieceId| {
                    let op = &program.value(pieces.list[piece].value).op;
                    matches!(op, Op::Contraction(Contraction::Dot | Contraction::DotTransposed))
                };
                let whole = || !pieces.is_alias(*arg) && of.iter().all(|piece| uses[*piece] == 1);
                if of.len() == own.len() && uses[of[place]] == 1 && (product(of[place]) || whole())
                {
                    let terms = std::mem::take(&mut sums[of[place]]);
                    sums[piece].extend(terms);
                    only &= pure[of[place]];
                } else {
                    only = false;
                }
            }
            // Only products that will be merged into one.
            let together = |terms: &[ProductId]| {
                let pairs = terms.iter().enumerate().flat_map(|(i, a)| {
                    terms[i + 1..].iter().map(|b| (&products[*a], &products[*b]))
                });
                pairs.into_iter().all(|(a, b)| can_merge(a, b, spaces))
            };
            if only && together(&sums[piece]) {
                pure[piece] = true;
                sums[piece].iter().for_each(|product| root[*product] = piece);
            }
        }
    }
    SumsOfProducts { terms: sums, root }
}

/// Merges the OuterSums of one piece: their blocks are one row.
fn merge_outer_sums(
    merged: &mut IdVec<ProductId, Product>,
    into: &mut IdVec<ProductId, ProductId>,
    spaces: &IdVec<PieceId, Space>,
) {
    let space = |product: &Product| spaces[product.terms[0].1];
    for later in merged.ids() {
        let product = &merged[later];
        if product.kind != ProductKind::OuterSum || into[later] != later {
            continue;
        }
        let fits = |first: &ProductId| {
            let other = &merged[*first];
            let when = |p: &Product| (p.kind, p.phase, p.level, p.result, space(p));
            let new = product.terms.iter().all(|t| other.terms.iter().all(|o| o.1 != t.1));
            into[*first] == *first && when(other) == when(product) && new
        };
        if let Some(first) = merged.ids().take(later.index()).find(fits) {
            into[later] = first;
            let product = product.clone();
            absorb(merged, first, product);
        }
    }
}

/// The products that are left, with new numbers.
fn renumbered(
    merged: &IdVec<ProductId, Product>,
    into: &IdVec<ProductId, ProductId>,
) -> IdVec<ProductId, Product> {
    let kept: Vec<ProductId> = merged.ids().filter(|id| into[*id] == *id).collect();
    let number = |id: &ProductId| ProductId::new(kept.partition_point(|kept| *kept < into[*id]));
    let mut result = IdVec::new();
    for &id in &kept {
        let mut product = merged[id].clone();
        product.needs = product.needs.iter().map(number).collect();
        product.needs.sort_unstable();
        product.needs.dedup();
        result.push(product);
    }
    result
}

/// Whether two products that are added up can be merged. Products that can be merged pairwise can
/// all be merged.
fn can_merge(a: &Product, b: &Product, spaces: &IdVec<PieceId, Space>) -> bool {
    let when = |p: &Product| (p.kind, p.phase, p.domain, spaces[p.terms[0].1]);
    let apart = || a.terms.iter().all(|t| b.terms.iter().all(|o| o.1 != t.1));
    when(a) == when(b) && apart()
}

fn absorb(products: &mut IdVec<ProductId, Product>, into: ProductId, product: Product) {
    let into = &mut products[into];
    into.terms.extend(product.terms);
    into.terms.sort_unstable_by_key(|&(block, piece)| (piece, block));
    into.of.extend(product.of);
    into.needs.extend(product.needs);
    into.level = into.level.max(product.level);
}
