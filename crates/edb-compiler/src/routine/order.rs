//! The order of the items of a phase, and which pointwise ones become one kernel.
//!
//! Items that are not pointwise run as soon as they can; then all ready pointwise items of one
//! shape become one kernel, in which values that nothing else reads never reach memory. Reductions
//! over what a kernel computes are its ends: they read a row while it is in cache, and an output
//! that only they read has no memory either.

use std::collections::{BTreeSet, HashMap, HashSet};

use edb_ir::routine::{Expr, KernelOp};
use edb_ir::{Domain, IdVec, Op, Phase, Program, Shape};

use super::items::{Arg, Item, ItemId, Items, Work};
use super::records::RecordDrafts;
use crate::batching::PieceId;

/// An instruction whose operands are pieces.
#[derive(Debug)]
pub(super) enum Ordered {
    /// An item that is no part of a kernel.
    Item(ItemId),
    /// A kernel whose operands have no spans yet.
    Kernel(Draft),
}

/// A [`Kernel`](edb_ir::Kernel) over pieces.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) domain: Domain,
    pub(super) inputs: Vec<PieceId>,
    pub(super) body: Vec<Expr>,
    pub(super) outputs: Vec<(PieceId, u16)>,
    /// The items of its ends, and the output that each reads.
    pub(super) ends: Vec<(ItemId, u16)>,
}

/// The instructions of all phases. Without `fusion` every pointwise item is a kernel of its own.
pub(super) fn order(
    program: &Program,
    items: &Items,
    memory: &RecordDrafts,
    fusion: bool,
) -> Vec<(Phase, Ordered)> {
    let order = Order::new(program, items, memory);
    let mut instructions = Vec::new();
    for phase in Phase::ALL {
        let of_phase = |item: &ItemId| items.items[*item].phase == phase;
        let waiting: Vec<ItemId> = items.items.ids().filter(of_phase).collect();
        instructions.extend(
            order.phase(waiting, fusion).into_iter().map(|instruction| (phase, instruction)),
        );
    }
    instructions
}

struct Order<'a> {
    program: &'a Program,
    memory: &'a RecordDrafts,
    items: &'a IdVec<ItemId, Item>,
    /// The items that must have run before each.
    before: IdVec<ItemId, Vec<ItemId>>,
    /// The items that wait for each.
    behind: IdVec<ItemId, Vec<ItemId>>,
    /// The items that read what each computes.
    readers: IdVec<ItemId, Vec<ItemId>>,
    /// Whether a port shows what an item computes.
    shown: IdVec<ItemId, bool>,
}

/// The items of a phase that have not run yet.
struct Waiting {
    waits: IdVec<ItemId, bool>,
    /// For how many items each waits.
    pending: IdVec<ItemId, usize>,
    /// Those that wait for none: other items first, then pointwise ones.
    ready: [BTreeSet<ItemId>; 2],
    left: usize,
}

impl Waiting {
    fn new(order: &Order<'_>, items: &[ItemId]) -> Self {
        let mut waits = IdVec::filled(false, order.items.len());
        items.iter().for_each(|item| waits[*item] = true);
        let mut pending = IdVec::filled(0, order.items.len());
        let mut ready = [BTreeSet::new(), BTreeSet::new()];
        for &item in items {
            pending[item] = order.before[item].iter().filter(|before| waits[**before]).count();
            if pending[item] == 0 {
                ready[usize::from(order.is_pointwise(item))].insert(item);
            }
        }
        Self { waits, pending, ready, left: items.len() }
    }

    /// Removes items that run now.
    fn run(&mut self, order: &Order<'_>, items: &[ItemId]) {
        for &item in items {
            self.waits[item] = false;
            self.ready[usize::from(order.is_pointwise(item))].remove(&item);
        }
        self.left -= items.len();
        for &behind in items.iter().flat_map(|item| &order.behind[*item]) {
            // Later phases wait for this one as a whole.
            if !self.waits[behind] {
                continue;
            }
            self.pending[behind] -= 1;
            if self.pending[behind] == 0 {
                self.ready[usize::from(order.is_pointwise(behind))].insert(behind);
            }
        }
    }
}

impl<'a> Order<'a> {
    fn new(program: &'a Program, items: &'a Items, memory: &'a RecordDrafts) -> Self {
        let list = &items.items;
        let mut before: IdVec<ItemId, Vec<ItemId>> = IdVec::filled(Vec::new(), list.len());
        let mut readers = before.clone();
        let mut writers: IdVec<PieceId, Vec<ItemId>> =
            IdVec::filled(Vec::new(), memory.shapes.len());
        for (id, item) in list.iter_enumerated() {
            for &piece in &item.reads {
                before[id].extend(&writers[piece]);
                writers[piece].iter().for_each(|writer| readers[*writer].push(id));
            }
            for &piece in &item.writes {
                // An item that adds to a piece comes after its earlier writers.
                before[id].extend(&writers[piece]);
                writers[piece].push(id);
            }
        }
        let mut behind: IdVec<ItemId, Vec<ItemId>> = IdVec::filled(Vec::new(), list.len());
        for (id, before) in list.ids().zip(&mut before.raw) {
            // Each only once, though an item may read several pieces of another.
            before.sort_unstable();
            before.dedup();
            before.iter().for_each(|before| behind[*before].push(id));
        }
        let mut shown = IdVec::filled(false, list.len());
        for (_, range) in &items.shown {
            let writers = memory.pieces(*range).iter().flat_map(|piece| &writers[*piece]);
            writers.for_each(|writer| shown[*writer] = true);
        }
        Self { program, memory, items: list, before, behind, readers, shown }
    }

    fn is_pointwise(&self, item: ItemId) -> bool {
        matches!(self.items[item].work, Work::Pointwise { .. })
    }

    fn key(&self, item: ItemId) -> (Domain, &Shape) {
        (self.items[item].domain, &self.memory.shapes[self.items[item].writes[0]])
    }

    fn phase(&self, items: Vec<ItemId>, fusion: bool) -> Vec<Ordered> {
        let mut instructions = Vec::new();
        let mut waiting = Waiting::new(self, &items);
        while waiting.left > 0 {
            if let Some(&item) = waiting.ready[0].first() {
                waiting.run(self, &[item]);
                instructions.push(Ordered::Item(item));
                continue;
            }
            let mut best = self.most(&waiting);
            assert!(!best.is_empty(), "items are listed behind what they need");
            match fusion {
                true => best = self.now(best, &waiting),
                false => best.truncate(1),
            }
            waiting.run(self, &best);
            let ends = if fusion { self.ends(&best, &waiting) } else { Vec::new() };
            waiting.run(self, &ends);
            instructions.push(Ordered::Kernel(self.kernel(&best, &ends)));
        }
        instructions
    }

    /// The pointwise items of one shape that are ready together, for the shape that has the most;
    /// of equals, the one whose first item comes first.
    fn most(&self, waiting: &Waiting) -> Vec<ItemId> {
        let mut best: Vec<ItemId> = Vec::new();
        let mut seen: Vec<(Domain, &Shape)> = Vec::new();
        for &first in &waiting.ready[1] {
            let key = self.key(first);
            if seen.contains(&key) {
                continue;
            }
            seen.push(key);
            let together = self.together(key, waiting);
            if together.len() > best.len() {
                best = together;
            }
        }
        best
    }

    /// The pointwise items of a shape that are ready, or become ready once others of them have run.
    fn together(&self, key: (Domain, &Shape), waiting: &Waiting) -> Vec<ItemId> {
        let of_key = |item: &ItemId| self.is_pointwise(*item) && self.key(*item) == key;
        let mut open: BTreeSet<ItemId> = waiting.ready[1].iter().copied().filter(of_key).collect();
        let mut pending: HashMap<ItemId, usize> = HashMap::new();
        let mut together = Vec::new();
        // Items that wait for another have higher numbers, so the result ascends.
        while let Some(item) = open.pop_first() {
            together.push(item);
            for &behind in &self.behind[item] {
                if waiting.waits[behind] && of_key(&behind) {
                    let left = pending.entry(behind).or_insert(waiting.pending[behind]);
                    *left -= 1;
                    if *left == 0 {
                        open.insert(behind);
                    }
                }
            }
        }
        together
    }

    /// Of the items that could be a kernel, those to run now: an item that only later kernels read
    /// is left to them, so that it needs no memory.
    fn now(&self, kernel: Vec<ItemId>, waiting: &Waiting) -> Vec<ItemId> {
        let in_kernel: HashSet<ItemId> = kernel.iter().copied().collect();
        let mut later: HashSet<ItemId> = HashSet::new();
        for &item in kernel.iter().rev() {
            let can_wait = |reader: &ItemId| {
                let waits = !in_kernel.contains(reader) && waiting.waits[*reader];
                later.contains(reader) || (waits && self.is_pointwise(*reader))
            };
            let readers = &self.readers[item];
            if !self.shown[item] && !readers.is_empty() && readers.iter().all(can_wait) {
                later.insert(item);
            }
        }
        if later.len() == kernel.len() {
            return kernel;
        }
        kernel.into_iter().filter(|item| !later.contains(item)).collect()
    }

    /// The piece that an item reduces, if it is a reduction that reads nothing else but an index.
    fn reduced(&self, item: ItemId) -> Option<PieceId> {
        let Work::Op { value, args, .. } = &self.items[item].work else { return None };
        let Op::Reduction(op) = self.program.value(*value).op else { return None };
        match self.memory.pieces(*args.first()?) {
            [piece] if op.can_end_a_kernel() => Some(*piece),
            _ => None,
        }
    }

    /// The reductions of what a kernel computes that wait for nothing else.
    fn ends(&self, kernel: &[ItemId], waiting: &Waiting) -> Vec<ItemId> {
        let domain = self.items[kernel[0]].domain;
        let mut ends: Vec<ItemId> = Vec::new();
        for &item in kernel {
            let piece = self.items[item].writes[0];
            ends.extend(self.readers[item].iter().copied().filter(|reader| {
                waiting.waits[*reader]
                    && waiting.pending[*reader] == 0
                    && self.items[*reader].domain == domain
                    && self.reduced(*reader) == Some(piece)
            }));
        }
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    fn kernel(&self, items: &[ItemId], ends: &[ItemId]) -> Draft {
        let domain = self.items[items[0]].domain;
        let (body, outputs) = (Vec::new(), Vec::new());
        let mut draft = Draft { domain, inputs: Vec::new(), body, outputs, ends: Vec::new() };
        let own: HashSet<ItemId> = items.iter().copied().collect();
        let computed: HashSet<PieceId> =
            items.iter().map(|item| self.items[*item].writes[0]).collect();
        // The argument number of each piece: inputs come first, then expressions.
        let mut arguments: HashMap<PieceId, u16> = HashMap::new();
        for &piece in items.iter().flat_map(|item| &self.items[*item].reads) {
            if !computed.contains(&piece) && !arguments.contains_key(&piece) {
                arguments.insert(piece, draft.inputs.len() as u16);
                draft.inputs.push(piece);
            }
        }
        let inputs = draft.inputs.len() as u16;
        // The numbers that occur, each once: there are few.
        let mut numbers: Vec<(KernelOp, u16)> = Vec::new();
        for &item in items {
            let Work::Pointwise { op, args } = &self.items[item].work else { continue };
            let mut of_args = Vec::with_capacity(args.len());
            for arg in args {
                of_args.push(match arg {
                    Arg::Piece(piece) => arguments[piece],
                    Arg::Number(op) => match numbers.iter().find(|(known, _)| is_same(*known, *op))
                    {
                        Some((_, argument)) => *argument,
                        None => {
                            let argument = inputs + draft.body.len() as u16;
                            draft.body.push(Expr { op: *op, args: Vec::new() });
                            numbers.push((*op, argument));
                            argument
                        }
                    },
                });
            }
            let piece = self.items[item].writes[0];
            // A copy of an expression is that expression; a copy of an input needs one of its own,
            // since only expressions are written.
            let expression = match (op, &of_args[..]) {
                (KernelOp::Copy, &[arg]) if arg >= inputs => arg - inputs,
                _ => {
                    draft.body.push(Expr { op: *op, args: of_args });
                    draft.body.len() as u16 - 1
                }
            };
            arguments.insert(piece, inputs + expression);
            if self.shown[item] || self.readers[item].iter().any(|reader| !own.contains(reader)) {
                draft.outputs.push((piece, expression));
            }
        }
        for &end in ends {
            let read = self.reduced(end);
            let output = draft.outputs.iter().position(|(piece, _)| Some(*piece) == read);
            let output = output.expect("what an end reads is read outside of the pointwise items");
            draft.ends.push((end, output as u16));
        }
        draft
    }
}

/// Whether two numbers are the same bits: `-0.0` is not `0.0`.
fn is_same(a: KernelOp, b: KernelOp) -> bool {
    match (a, b) {
        (KernelOp::Number(a), KernelOp::Number(b)) => a.to_bits() == b.to_bits(),
        _ => a == b,
    }
}
