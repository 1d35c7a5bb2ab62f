//! Which products run together.
//!
//! Inside a phase, products are scheduled as vertices are, with signatures as types. The signature
//! with the greatest share of ready products among those that wait for none of their own signature
//! runs next (ED-Batch, Lemma 2.1), all its ready products at once. The first aim is few groups;
//! copies are left to the layout.

use std::collections::HashMap;

use edb_ir::routine::ProductKind;
use edb_ir::{Domain, IdVec, Phase, Shape};

use super::pieces::Pieces;
use super::product::{Product, ProductId};

edb_ir::id_types! {
    /// A group of products, by its number.
    pub struct GroupId(u32);
}

/// Products that run as one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Their phase.
    pub phase: Phase,
    /// Their domain.
    pub domain: Domain,
    /// What they compute.
    pub kind: ProductKind,
    /// The stacks, each of products that share their arguments: one matrix product with stacked
    /// weights. More than one is a batch of such products.
    pub stacks: Vec<Stack>,
}

/// Products over the same arguments: a grid of blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack {
    /// The products.
    pub products: Vec<ProductId>,
}

/// What products of one group have in common: kind, domain, and the shapes of their arguments.
type Signature<'a> = (ProductKind, Domain, Vec<&'a Shape>);

/// A set of products, 64 to a word.
#[derive(Clone)]
struct Set(Vec<u64>);

impl Set {
    fn none(products: &IdVec<ProductId, Product>) -> Self {
        Self(vec![0; products.len().div_ceil(64)])
    }

    fn insert(&mut self, product: ProductId) {
        self.0[product.index() / 64] |= 1 << (product.index() % 64);
    }

    fn remove(&mut self, product: ProductId) {
        self.0[product.index() / 64] &= !(1 << (product.index() % 64));
    }

    fn unite(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own |= other);
    }

    fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(own, other)| own & other != 0)
    }
}

/// Groups products. Those in `alone` are a group each.
pub fn group(
    products: &IdVec<ProductId, Product>,
    pieces: &Pieces,
    alone: &IdVec<ProductId, bool>,
) -> IdVec<GroupId, Group> {
    let mut groups = IdVec::new();
    let behind = behind(products);
    let (kinds, of_kind) = kinds(products, pieces);
    for phase in Phase::ALL {
        let of_phase = products.ids().filter(|product| products[*product].phase == phase);
        let mut left: Vec<ProductId> = of_phase.collect();
        // The products that have not run, all together and by signature.
        let mut waiting = Set::none(products);
        let mut same = vec![Set::none(products); kinds];
        for &product in &left {
            waiting.insert(product);
            same[of_kind[product]].insert(product);
        }
        while !left.is_empty() {
            // For each signature, its ready products, and how many wait for none of their own
            // signature.
            let mut types: Vec<(usize, Vec<ProductId>, usize)> = Vec::new();
            for &product in &left {
                let kind = of_kind[product];
                let known = types.iter().position(|of_type| of_type.0 == kind);
                let known = known.unwrap_or_else(|| {
                    types.push((kind, Vec::new(), 0));
                    types.len() - 1
                });
                let of_type = &mut types[known];
                if !behind[product].meets(&waiting) {
                    of_type.1.push(product);
                }
                of_type.2 += usize::from(!behind[product].meets(&same[kind]));
            }
            let mut best = 0;
            for other in 1..types.len() {
                let [(_, a, of_a), (_, b, of_b)] = [&types[best], &types[other]];
                if b.len() * of_a > a.len() * of_b {
                    best = other;
                }
            }
            let (kind, batch, _) = types.swap_remove(best);
            for &product in &batch {
                waiting.remove(product);
                same[kind].remove(product);
            }
            left.retain(|product| batch.binary_search(product).is_err());
            let Product { kind, domain, .. } = products[batch[0]];
            let (single, together): (Vec<ProductId>, Vec<ProductId>) =
                batch.into_iter().partition(|product| alone[*product]);
            let mut push = |stacks| {
                groups.push(Group { phase, domain, kind, stacks });
            };
            if !together.is_empty() {
                push(stacks(products, &together));
            }
            single.into_iter().for_each(|product| push(vec![Stack { products: vec![product] }]));
        }
    }
    groups
}

/// How many signatures there are, and the number of each product's.
fn kinds(
    products: &IdVec<ProductId, Product>,
    pieces: &Pieces,
) -> (usize, IdVec<ProductId, usize>) {
    let mut numbers: HashMap<Signature<'_>, usize> = HashMap::new();
    let number = |product: &Product| {
        let next = numbers.len();
        *numbers.entry(signature(product, pieces)).or_insert(next)
    };
    let of_kind: IdVec<ProductId, usize> = products.iter().map(number).collect();
    (numbers.len(), of_kind)
}

fn signature<'a>(product: &Product, pieces: &'a Pieces) -> Signature<'a> {
    let shapes = product.terms.iter().map(|term| &pieces.list[term.1].shape);
    (product.kind, product.domain, shapes.collect())
}

/// For each product, those that it depends on, directly or not.
fn behind(products: &IdVec<ProductId, Product>) -> IdVec<ProductId, Set> {
    let mut behind = IdVec::filled(Set::none(products), products.len());
    let mut by_level: Vec<ProductId> = products.ids().collect();
    by_level.sort_by_key(|product| products[*product].level);
    for product in by_level {
        let mut all = Set::none(products);
        for &need in &products[product].needs {
            all.insert(need);
            all.unite(&behind[need]);
        }
        behind[product] = all;
    }
    behind
}

/// Products with the same arguments and different results share a stack.
fn stacks(products: &IdVec<ProductId, Product>, batch: &[ProductId]) -> Vec<Stack> {
    let mut stacks: Vec<Stack> = Vec::new();
    for &id in batch {
        let product = &products[id];
        let fits = |stack: &&mut Stack| {
            let arguments = |of: &Product| of.terms.iter().map(|term| term.1).collect::<Vec<_>>();
            let first = &products[stack.products[0]];
            arguments(first) == arguments(product)
                && stack.products.iter().all(|other| products[*other].result != product.result)
        };
        match stacks.iter_mut().find(fits) {
            Some(stack) => stack.products.push(id),
            None => stacks.push(Stack { products: vec![id] }),
        }
    }
    stacks
}
