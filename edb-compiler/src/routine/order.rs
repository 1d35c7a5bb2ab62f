//! The order of the items of a phase, and which pointwise ones become one kernel.
//!
//! Items that are not pointwise run as soon as they can; then all ready pointwise items of one
//! shape become one kernel, in which values that nothing else reads never reach memory. Reductions
//! over what a kernel computes are its ends: they read a row while it is in cache, and an output
//! that only they read has no memory either.

use std::collections::{BTreeSet, HashMap, HashSet};

use edb_ir::routine::{Expr, KernelOp};
use edb_ir::{Domain, Op, Phase, Program, Shape};

use super::items::{Arg, Item, Items, Work};
use super::records::Memory;

/// An instruction whose operands are pieces.
#[derive(Debug)]
pub(super) enum Ordered {
    /// An item that is no part of a kernel.
    Item(usize),
    /// A kernel whose operands have no spans yet.
    Kernel(Draft),
}

/// A [`Kernel`](edb_ir::Kernel) over pieces.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) domain: Domain,
    pub(super) inputs: Vec<usize>,
    pub(super) body: Vec<Expr>,
    pub(super) outputs: Vec<(usize, u16)>,
    /// The items of its ends, and the output that each reads.
    pub(super) ends: Vec<(usize, u16)>,
}

/// The instructions of all phases. Without `fusion` every pointwise item is a kernel of its own.
pub(super) fn order(
    program: &Program,
    items: &Items,
    memory: &Memory,
    fusion: bool,
) -> Vec<(Phase, Ordered)> {
    let order = Order::new(program, items, memory);
    let mut instructions = Vec::new();
    for phase in Phase::ALL {
        let of_phase = |at: &usize| items.items[*at].phase == phase;
        let waiting: Vec<usize> = (0..items.items.len()).filter(of_phase).collect();
        instructions.extend(
            order.phase(waiting, fusion).into_iter().map(|instruction| (phase, instruction)),
        );
    }
    instructions
}

struct Order<'a> {
    program: &'a Program,
    memory: &'a Memory,
    items: &'a [Item],
    /// The items that must have run before each.
    before: Vec<Vec<usize>>,
    /// The items that wait for each.
    behind: Vec<Vec<usize>>,
    /// The items that read what each computes.
    readers: Vec<Vec<usize>>,
    /// Whether a port shows what an item computes.
    shown: Vec<bool>,
}

/// The items of a phase that have not run yet.
struct Waiting {
    waits: Vec<bool>,
    /// For how many items each waits.
    pending: Vec<usize>,
    /// Those that wait for none: other items first, then pointwise ones.
    ready: [BTreeSet<usize>; 2],
    left: usize,
}

impl Waiting {
    fn new(order: &Order<'_>, items: &[usize]) -> Self {
        let mut waits = vec![false; order.items.len()];
        items.iter().for_each(|at| waits[*at] = true);
        let mut pending = vec![0; order.items.len()];
        let mut ready = [BTreeSet::new(), BTreeSet::new()];
        for &at in items {
            pending[at] = order.before[at].iter().filter(|before| waits[**before]).count();
            if pending[at] == 0 {
                ready[usize::from(order.is_pointwise(at))].insert(at);
            }
        }
        Self { waits, pending, ready, left: items.len() }
    }

    /// Removes items that run now.
    fn run(&mut self, order: &Order<'_>, items: &[usize]) {
        for &at in items {
            self.waits[at] = false;
            self.ready[usize::from(order.is_pointwise(at))].remove(&at);
        }
        self.left -= items.len();
        for &behind in items.iter().flat_map(|at| &order.behind[*at]) {
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
    fn new(program: &'a Program, items: &'a Items, memory: &'a Memory) -> Self {
        let list = &items.items;
        let mut before = vec![Vec::new(); list.len()];
        let mut readers = vec![Vec::new(); list.len()];
        let mut writers: Vec<Vec<usize>> = vec![Vec::new(); memory.shapes.len()];
        for (at, item) in list.iter().enumerate() {
            for &piece in &item.reads {
                before[at].extend(&writers[piece]);
                writers[piece].iter().for_each(|writer: &usize| readers[*writer].push(at));
            }
            for &piece in &item.writes {
                // An item that adds to a piece comes after its earlier writers.
                before[at].extend(&writers[piece]);
                writers[piece].push(at);
            }
        }
        let mut behind = vec![Vec::new(); list.len()];
        for (at, before) in before.iter_mut().enumerate() {
            // Each only once, though an item may read several pieces of another.
            before.sort_unstable();
            before.dedup();
            before.iter().for_each(|before: &usize| behind[*before].push(at));
        }
        let mut shown = vec![false; list.len()];
        for (_, (record, start, end)) in &items.shown {
            let pieces = &memory.records[*record].pieces[*start..*end];
            pieces.iter().flat_map(|piece| &writers[*piece]).for_each(|at| shown[*at] = true);
        }
        Self { program, memory, items: list, before, behind, readers, shown }
    }

    fn is_pointwise(&self, at: usize) -> bool {
        matches!(self.items[at].work, Work::Pointwise { .. })
    }

    fn key(&self, at: usize) -> (Domain, &Shape) {
        (self.items[at].domain, &self.memory.shapes[self.items[at].writes[0]])
    }

    fn phase(&self, items: Vec<usize>, fusion: bool) -> Vec<Ordered> {
        let mut instructions = Vec::new();
        let mut waiting = Waiting::new(self, &items);
        while waiting.left > 0 {
            if let Some(&at) = waiting.ready[0].first() {
                waiting.run(self, &[at]);
                instructions.push(Ordered::Item(at));
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
    fn most(&self, waiting: &Waiting) -> Vec<usize> {
        let mut best: Vec<usize> = Vec::new();
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
    fn together(&self, key: (Domain, &Shape), waiting: &Waiting) -> Vec<usize> {
        let of_key = |at: &usize| self.is_pointwise(*at) && self.key(*at) == key;
        let mut open: BTreeSet<usize> = waiting.ready[1].iter().copied().filter(of_key).collect();
        let mut pending: HashMap<usize, usize> = HashMap::new();
        let mut together = Vec::new();
        // Items that wait for another have higher numbers, so the result ascends.
        while let Some(at) = open.pop_first() {
            together.push(at);
            for &behind in &self.behind[at] {
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
    fn now(&self, kernel: Vec<usize>, waiting: &Waiting) -> Vec<usize> {
        let in_kernel: HashSet<usize> = kernel.iter().copied().collect();
        let mut later: HashSet<usize> = HashSet::new();
        for &at in kernel.iter().rev() {
            let can_wait = |reader: &usize| {
                let waits = !in_kernel.contains(reader) && waiting.waits[*reader];
                later.contains(reader) || (waits && self.is_pointwise(*reader))
            };
            let readers = &self.readers[at];
            if !self.shown[at] && !readers.is_empty() && readers.iter().all(can_wait) {
                later.insert(at);
            }
        }
        if later.len() == kernel.len() {
            return kernel;
        }
        kernel.into_iter().filter(|at| !later.contains(at)).collect()
    }

    /// The piece that an item reduces, if it is a reduction that reads nothing else.
    fn reduced(&self, at: usize) -> Option<usize> {
        let Work::Op { value, args, .. } = &self.items[at].work else { return None };
        let is_reduction = matches!(self.program.value(*value).op, Op::Reduction(_));
        match (&args[..], &self.items[at].reads[..]) {
            (&[(_, start, end)], &[piece]) if is_reduction && end == start + 1 => Some(piece),
            _ => None,
        }
    }

    /// The reductions of what a kernel computes that wait for nothing else.
    fn ends(&self, kernel: &[usize], waiting: &Waiting) -> Vec<usize> {
        let domain = self.items[kernel[0]].domain;
        let mut ends: Vec<usize> = Vec::new();
        for &at in kernel {
            let piece = self.items[at].writes[0];
            ends.extend(self.readers[at].iter().copied().filter(|reader| {
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

    fn kernel(&self, items: &[usize], ends: &[usize]) -> Draft {
        let domain = self.items[items[0]].domain;
        let (body, outputs) = (Vec::new(), Vec::new());
        let mut draft = Draft { domain, inputs: Vec::new(), body, outputs, ends: Vec::new() };
        let own: HashSet<usize> = items.iter().copied().collect();
        let computed: HashSet<usize> = items.iter().map(|at| self.items[*at].writes[0]).collect();
        // The argument number of each piece: inputs come first, then expressions.
        let mut arguments: HashMap<usize, u16> = HashMap::new();
        for &piece in items.iter().flat_map(|at| &self.items[*at].reads) {
            if !computed.contains(&piece) && !arguments.contains_key(&piece) {
                arguments.insert(piece, draft.inputs.len() as u16);
                draft.inputs.push(piece);
            }
        }
        let inputs = draft.inputs.len() as u16;
        // The numbers that occur, each once: there are few.
        let mut numbers: Vec<(KernelOp, u16)> = Vec::new();
        for &at in items {
            let Work::Pointwise { op, args } = &self.items[at].work else { continue };
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
            let piece = self.items[at].writes[0];
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
            if self.shown[at] || self.readers[at].iter().any(|reader| !own.contains(reader)) {
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
