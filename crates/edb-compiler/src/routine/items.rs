//! Items: what a routine has to do, piece by piece, with the pieces that each reads and writes.

use std::collections::HashSet;

use crate::batching::{Batching, Call, GroupId, Matrix, PieceBlock, PieceId, Product};
use edb_ir::routine::{KernelOp, ProductKind, is_piecewise};
use edb_ir::{Dim, Domain, IdVec, Leaf, Op, Phase, Program, Transition, Value, ValueId};

use super::records::{PieceRange, Port, RecordDrafts, shown};

edb_ir::id_types! {
    /// An item, by its number.
    pub(super) struct ItemId(u32);
}

/// A unit of work, done for every row of a domain.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) phase: Phase,
    pub(super) domain: Domain,
    pub(super) work: Work,
    /// The pieces that it needs, and that it computes or adds to.
    pub(super) reads: Vec<PieceId>,
    pub(super) writes: Vec<PieceId>,
}

/// What an item does.
#[derive(Debug)]
pub(super) enum Work {
    /// An op that is no part of a kernel.
    Op { value: ValueId, out: Option<PieceRange>, args: Vec<PieceRange> },
    /// A product with stacked weights.
    Product(Stacked),
    /// One piece of a pointwise op.
    Pointwise { op: KernelOp, args: Vec<Arg> },
    /// A copy of pieces to where a call needs them.
    Copy { from: PieceRange, to: PieceRange },
}

/// An argument of a pointwise op.
#[derive(Clone, Debug)]
pub(super) enum Arg {
    Piece(PieceId),
    /// A number, which needs no memory.
    Number(KernelOp),
}

/// A [`Stack`](edb_ir::Stack) whose operands are runs.
#[derive(Debug)]
pub(super) struct Stacked {
    pub(super) kind: ProductKind,
    pub(super) group: GroupId,
    pub(super) out: PieceRange,
    pub(super) args: PieceRange,
    pub(super) accumulate: bool,
    pub(super) blocks: Vec<(PieceRange, [Dim; 2])>,
}

/// The items of a routine, each after those that compute what it reads; and the runs of the values
/// that ports show.
#[derive(Debug)]
pub(super) struct Items {
    pub(super) items: IdVec<ItemId, Item>,
    pub(super) shown: Vec<(ValueId, PieceRange)>,
}

struct Maker<'a> {
    program: &'a Program,
    batching: &'a Batching,
    memory: &'a mut RecordDrafts,
    /// The pieces that are zero and that no item computes.
    absent: IdVec<PieceId, bool>,
    /// How many products add to each piece.
    adders: IdVec<PieceId, usize>,
    items: Vec<Item>,
    /// The pieces that an item writes.
    written: HashSet<PieceId>,
    /// Copies made for calls: phase, pieces, copies.
    copies: Vec<(Phase, Vec<PieceId>, Vec<PieceId>)>,
}

/// The items of a program whose contractions are batched.
pub(super) fn items(
    program: &Program,
    phases: &IdVec<ValueId, Phase>,
    batching: &Batching,
    memory: &mut RecordDrafts,
) -> Items {
    let mut adders: IdVec<PieceId, usize> = IdVec::filled(0, batching.pieces.list.len());
    for product in batching.products.iter().filter(|product| product.kind != ProductKind::OuterSum)
    {
        adders[product.result] += 1;
    }
    let absent = batching.absent.clone();
    let (items, written, copies) = (Vec::new(), HashSet::new(), Vec::new());
    let mut maker = Maker { program, batching, memory, absent, adders, items, written, copies };
    for &(phase, call) in &batching.calls {
        match call {
            Call::Value(id) => maker.value(id, phase),
            Call::Group(group) => maker.group(group),
        }
    }
    let shown = maker.ports(phases);
    let mut items = maker.items;
    retain_live(&mut items, &shown, maker.memory);
    Items { items: items.into(), shown }
}

impl Maker<'_> {
    fn of(&self, id: ValueId) -> &[PieceId] {
        &self.batching.pieces.of[id]
    }

    /// Adds an item; its pieces may be in any order and occur several times.
    fn push(&mut self, mut item: Item) {
        for pieces in [&mut item.reads, &mut item.writes] {
            pieces.sort_unstable();
            pieces.dedup();
        }
        self.written.extend(&item.writes);
        self.items.push(item);
    }

    /// A value that is no product.
    fn value(&mut self, id: ValueId, phase: Phase) {
        let value = self.program.value(id);
        let own = self.of(id).to_vec();
        // Scalars are broadcast; everything else is cut as the result is.
        let alike = value
            .args
            .iter()
            .all(|arg| matches!(self.of(*arg).len(), n if n == own.len() || n == 1));
        let part = |pieces: &[PieceId], place: usize| {
            if pieces.len() == 1 { pieces[0] } else { pieces[place] }
        };
        let kernel_op = KernelOp::of(&value.op).filter(|op| op.arity() > 0 && alike);
        match (&value.op, kernel_op) {
            (Op::Leaf(Leaf::Param(_)), _) => {}
            (_, Some(op)) => {
                // The other pieces are computed by products.
                let rest = own.iter().enumerate().filter(|(_, piece)| self.adders[**piece] == 0);
                for (place, &piece) in rest.collect::<Vec<_>>() {
                    let args: Vec<ValueId> = value.args.clone();
                    let args = args.iter().map(|arg| (*arg, part(self.of(*arg), place))).collect();
                    self.pointwise(op, phase, value.domain, args, piece);
                }
            }
            (op, None) if is_piecewise(op) && alike && !self.is_all_runs(id) => {
                for (place, &piece) in own.iter().enumerate() {
                    let reads: Vec<PieceId> =
                        value.args.iter().map(|arg| part(self.of(*arg), place)).collect();
                    let args = reads.iter().map(|read| self.memory.run(&[*read])).collect();
                    let out = Some(self.memory.run(&[piece]));
                    let work = Work::Op { value: id, out, args };
                    self.push(Item {
                        phase,
                        domain: value.domain,
                        work,
                        reads,
                        writes: vec![piece],
                    });
                }
            }
            _ => self.whole(id, phase),
        }
    }

    /// Whether the pieces of a value, and those of each argument, are side by side, so that one
    /// step is enough.
    fn is_all_runs(&self, id: ValueId) -> bool {
        let args = self.program.value(id).args.iter();
        args.chain([&id]).all(|id| self.memory.is_run(self.of(*id)))
    }

    fn pointwise(
        &mut self,
        op: KernelOp,
        phase: Phase,
        domain: Domain,
        args: Vec<(ValueId, PieceId)>,
        piece: PieceId,
    ) {
        // Products that became terms of another product are zero here.
        let present: Vec<_> = args.iter().filter(|arg| !self.absent[arg.1]).collect();
        if present.is_empty() && !args.is_empty() {
            self.absent[piece] = true;
            return;
        }
        let op = if present.len() == args.len() { op } else { KernelOp::Copy };
        let mut reads = Vec::new();
        let arg =
            |&&(id, piece): &&(ValueId, PieceId)| match KernelOp::of(&self.program.value(id).op) {
                Some(number) if number.arity() == 0 => Arg::Number(number),
                _ => {
                    reads.push(piece);
                    Arg::Piece(piece)
                }
            };
        let args = present.iter().map(arg).collect();
        let work = Work::Pointwise { op, args };
        self.push(Item { phase, domain, work, reads, writes: vec![piece] });
    }

    /// An op that reads and computes whole values.
    fn whole(&mut self, id: ValueId, phase: Phase) {
        let value = self.program.value(id);
        let mut reads = Vec::new();
        let mut args = Vec::new();
        for &arg in &value.args {
            let pieces = self.of(arg).to_vec();
            let pieces = self.together(pieces, phase, self.program.value(arg).domain);
            args.push(self.memory.run(&pieces));
            reads.extend(pieces);
        }
        let own = self.of(id).to_vec();
        if is_sparse(self.program, id) {
            let work = Work::Op { value: id, out: None, args };
            self.push(Item { phase, domain: value.domain, work, reads, writes: Vec::new() });
            return;
        }
        let out = self.room_for(&own, value.domain);
        let work = Work::Op { value: id, out: Some(self.memory.run(&out)), args };
        self.push(Item { phase, domain: value.domain, work, reads, writes: out.clone() });
        self.copy(phase, value.domain, &out, &own);
    }

    /// These pieces side by side: themselves, or copies of them.
    fn together(&mut self, pieces: Vec<PieceId>, phase: Phase, domain: Domain) -> Vec<PieceId> {
        if self.memory.is_run(&pieces) {
            return pieces;
        }
        let known = self.copies.iter().find(|(of, from, _)| *of == phase && *from == pieces);
        if let Some((_, _, copies)) = known {
            return copies.clone();
        }
        // What exists once a step is written before all rows or after them: in between, a row has a
        // copy of its own.
        let domain = match phase {
            Phase::Prepare | Phase::Accumulate => domain,
            _ => domain.max(Domain::Vertex),
        };
        let copies = self.memory.copies_of(domain, &pieces, None);
        self.copy(phase, domain, &pieces, &copies);
        self.copies.push((phase, pieces, copies.clone()));
        copies
    }

    /// Where to compute the results for these pieces: in place if they are side by side, else in
    /// new pieces that are.
    fn room_for(&mut self, pieces: &[PieceId], domain: Domain) -> Vec<PieceId> {
        match self.memory.is_run(pieces) {
            true => pieces.to_vec(),
            false => self.memory.copies_of(domain, pieces, None),
        }
    }

    /// Copies pieces that are not where they should be.
    fn copy(&mut self, phase: Phase, domain: Domain, from: &[PieceId], to: &[PieceId]) {
        let mut start = 0;
        while start < from.len() {
            let mut end = start + 1;
            let run = |end: usize| {
                self.memory.is_run(&from[start..end]) && self.memory.is_run(&to[start..end])
            };
            while end < from.len() && run(end + 1) {
                end += 1;
            }
            let (from, to) = (&from[start..end], &to[start..end]);
            start = end;
            if from == to || self.absent.get(from[0]).is_some_and(|absent| *absent) {
                continue;
            }
            let work = Work::Copy { from: self.memory.run(from), to: self.memory.run(to) };
            let (reads, writes) = (from.to_vec(), to.to_vec());
            self.push(Item { phase, domain, work, reads, writes });
        }
    }

    fn group(&mut self, id: GroupId) {
        let batching = self.batching;
        let group = &batching.groups[id];
        for stack in &group.stacks {
            let products: Vec<&Product> =
                stack.products.iter().map(|p| &batching.products[*p]).collect();
            self.stack(id, group.phase, group.kind, &products);
        }
    }

    fn stack(&mut self, group: GroupId, phase: Phase, kind: ProductKind, products: &[&Product]) {
        // Rows and columns of blocks may be in any order; in that of memory, nothing is copied.
        let mut results: Vec<PieceId> = products.iter().map(|product| product.result).collect();
        let mut args: Vec<PieceId> = products[0].terms.iter().map(|term| term.1).collect();
        self.memory.sort(&mut results);
        self.memory.sort(&mut args);
        let added = |piece: &PieceId| self.adders.get(*piece).is_some_and(|adders| *adders > 1);
        let shared = kind != ProductKind::OuterSum && results.iter().any(added);
        if shared && products.len() > 1 {
            // Some may be the first to write their result, others add to theirs.
            for product in products {
                self.stack(group, phase, kind, &[product]);
            }
            return;
        }
        let finest = |pieces: &[PieceId], memory: &RecordDrafts| {
            pieces.iter().map(|piece| memory.domain(*piece)).max().unwrap_or(Domain::Step)
        };
        let domain = match kind {
            ProductKind::OuterSum => finest(&results, self.memory).max(finest(&args, self.memory)),
            _ => products[0].domain,
        };
        let mut blocks = Vec::with_capacity(results.len() * args.len());
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        for &result in &results {
            let product = products.iter().find(|product| product.result == result);
            let product = product.expect("results are those of the products");
            for &arg in &args {
                let term = product.terms.iter().find(|term| term.1 == arg);
                let (block, _) = term.expect("the products of a stack share their arguments");
                let (matrix, start) = self.block(product, block, arg);
                blocks.push((self.memory.run(&[matrix]), start));
                match kind {
                    ProductKind::OuterSum => writes.push(matrix),
                    _ => reads.push(matrix),
                }
            }
        }
        let rows = finest(&args, self.memory);
        let args = self.together(args, phase, rows);
        reads.extend(&args);
        let stacked = |memory: &RecordDrafts, out: &[PieceId], accumulate| {
            let (out, args) = (memory.run(out), memory.run(&args));
            Work::Product(Stacked { kind, group, out, args, accumulate, blocks })
        };
        if kind == ProductKind::OuterSum {
            let rows = finest(&results, self.memory);
            let results = self.together(results, phase, rows);
            reads.extend(&results);
            let work = stacked(self.memory, &results, false);
            self.push(Item { phase, domain, work, reads, writes });
            return;
        }
        let out = self.room_for(&results, domain);
        let accumulate = self.written.contains(&out[0]);
        let work = stacked(self.memory, &out, accumulate);
        self.push(Item { phase, domain, work, reads, writes: out.clone() });
        self.copy(phase, domain, &out, &results);
    }

    /// The piece that a block is a part of, and where it begins there.
    fn block(&self, product: &Product, block: &PieceBlock, arg: PieceId) -> (PieceId, [Dim; 2]) {
        let matrix = match (product.kind, block.matrix) {
            (ProductKind::OuterSum, _) => {
                let of = |id: &&ValueId| {
                    let args = &self.program.value(**id).args;
                    let [y, x] = [0, 1].map(|operand| self.of(args[operand]));
                    y.get(block.row) == Some(&product.result) && x.get(block.column) == Some(&arg)
                };
                *product.of.iter().find(of).expect("a term is of one of the fused values")
            }
            (_, Matrix::Value(id)) => id,
            (_, Matrix::Param(param)) => {
                let is_param =
                    |(_, value): &(ValueId, &Value)| value.op == Op::Leaf(Leaf::Param(param));
                let found = self.program.iter().find(is_param);
                found.expect("a parameter that is multiplied with is a value").0
            }
        };
        let cuts = &self.batching.pieces.cuts;
        let start = [
            cuts[2 * matrix.index()][block.row].clone(),
            cuts[2 * matrix.index() + 1][block.column].clone(),
        ];
        (self.of(matrix)[0], start)
    }

    /// The runs of the values that ports show: copies, where pieces are not side by side or not in
    /// the record of their port.
    fn ports(&mut self, phases: &IdVec<ValueId, Phase>) -> Vec<(ValueId, PieceRange)> {
        let mut found = Vec::new();
        for (id, port) in shown(self.program) {
            let value = self.program.value(id);
            let pieces = self.of(id).to_vec();
            // What is scattered may be pushed, too, and is then shown where it is scattered.
            let is_shown = found.iter().any(|(known, _)| *known == id);
            if is_sparse(self.program, id) || is_shown {
                continue;
            }
            let owned = match port {
                Some(Port::State(field)) => {
                    self.memory.state(field).is_some_and(|record| record.pieces == pieces)
                }
                // A slice of a concatenation may consist of what exists once a step.
                _ => {
                    let domain = |piece: &PieceId| self.memory.domain(*piece);
                    let alike = pieces.iter().all(|piece| domain(piece) == value.domain);
                    alike && self.memory.is_run(&pieces)
                }
            };
            let shown = if owned {
                pieces
            } else {
                let copies = self.memory.copies_of(value.domain, &pieces, port);
                self.copy(phases[id], value.domain, &pieces, &copies);
                copies
            };
            found.push((id, self.memory.run(&shown)));
        }
        found.sort_by_key(|(id, _)| *id);
        found
    }
}

/// Whether a value is a sparse gradient of a table: only the rows that were read are kept.
fn is_sparse(program: &Program, id: ValueId) -> bool {
    let read = || program.values.iter().any(|value| value.args.contains(&id));
    matches!(program.value(id).op, Op::Transition(Transition::RowSum | Transition::BagRowSum(_)))
        && !read()
}

/// Drops items whose results are never read, such as numbers, which kernels hold themselves.
fn retain_live(items: &mut Vec<Item>, shown: &[(ValueId, PieceRange)], memory: &RecordDrafts) {
    let mut needed: IdVec<PieceId, bool> = IdVec::filled(false, memory.shapes.len());
    for (_, range) in shown {
        memory.pieces(*range).iter().for_each(|piece| needed[*piece] = true);
    }
    let mut live = vec![false; items.len()];
    for (live, item) in live.iter_mut().zip(&*items).rev() {
        // An item that writes no memory computes a sparse gradient.
        *live = item.writes.is_empty() || item.writes.iter().any(|piece| needed[*piece]);
        if *live {
            item.reads.iter().for_each(|piece| needed[*piece] = true);
        }
    }
    let mut live = live.into_iter();
    items.retain(|_| live.next() == Some(true));
}
