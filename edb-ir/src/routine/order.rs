//! In which order the items of a phase run, and which pointwise ones become one kernel.
//!
//! What is no kernel runs as soon as it can; then everything pointwise that is ready, as far as it
//! is of one shape, becomes one kernel, in which values that nobody else needs never reach memory.
//! Reductions over what a kernel computes are its ends: they read a row while it is in cache, and if
//! nobody else reads it, it has no memory either.

use serde::{Deserialize, Serialize};

use crate::dim::Shape;
use crate::op::{Class, Domain, Op};
use crate::phase::Phase;
use crate::program::Program;

use super::Span;
use super::items::{Arg, Item, Items, Work};
use super::records::Memory;

/// Pointwise ops in one pass over rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    /// Over which rows.
    pub domain: Domain,
    /// The shape of what it works on, element by element.
    pub shape: Shape,
    /// What it reads: pieces of this shape, or scalars.
    pub inputs: Vec<Span>,
    /// What it computes, each expression once, behind those that it uses.
    pub body: Vec<Expr>,
    /// What it writes: pieces of this shape, and the expression (by its number) for each.
    pub outputs: Vec<(Span, u16)>,
    /// What is computed from a row of these as soon as it is there.
    pub ends: Vec<End>,
}

impl Kernel {
    /// The output that overwrites an input, element by element, if one does.
    pub fn in_place(&self, input: usize) -> Option<usize> {
        self.outputs.iter().position(|(out, _)| *out == self.inputs[input])
    }
}

/// A reduction at the end of a kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// An op of the reduction class.
    pub op: Op,
    /// The output that it reads, by its number. If only ends read it, its record is nowhere.
    pub output: u16,
    /// Where the result goes.
    pub out: Span,
}

/// An op of a kernel; without arguments, a number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Expr {
    /// Any op of the pointwise class but dropout, [`Op::Copy`] and [`Op::Expand`] (which are the
    /// argument itself), [`Op::Constant`], [`Op::LossScale`] or [`Op::Zeros`].
    pub op: Op,
    /// The arguments: an input, or behind these an expression.
    pub args: Vec<u16>,
}

/// A step whose operands are pieces.
#[derive(Debug)]
pub(super) enum Ordered {
    /// An item that is no part of a kernel.
    Item(usize),
    /// A kernel, as far as it does not depend on where things lie.
    Kernel(Draft),
}

/// A [`Kernel`] over pieces.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) domain: Domain,
    pub(super) inputs: Vec<usize>,
    pub(super) body: Vec<Expr>,
    pub(super) outputs: Vec<(usize, u16)>,
    /// The items of its ends, and the output that each reads.
    pub(super) ends: Vec<(usize, u16)>,
}

/// The steps of all phases. Without `fusion` every pointwise item is a kernel of its own.
pub(super) fn order(
    program: &Program,
    items: &Items,
    memory: &Memory,
    fusion: bool,
) -> Vec<(Phase, Ordered)> {
    let order = Order::new(program, items, memory);
    let mut steps = Vec::new();
    for phase in Phase::ALL {
        let of_phase = |at: &usize| items.items[*at].phase == phase;
        let waiting: Vec<usize> = (0..items.items.len()).filter(of_phase).collect();
        steps.extend(order.phase(waiting, fusion).into_iter().map(|step| (phase, step)));
    }
    steps
}

struct Order<'a> {
    program: &'a Program,
    memory: &'a Memory,
    items: &'a [Item],
    /// The items that must have run before each.
    before: Vec<Vec<usize>>,
    /// The items that read what each computes.
    readers: Vec<Vec<usize>>,
    /// Whether a port shows what an item computes.
    shown: Vec<bool>,
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
                // Who adds comes behind who was first.
                before[at].extend(&writers[piece]);
                writers[piece].push(at);
            }
        }
        let mut shown = vec![false; list.len()];
        for (_, (record, start, end)) in &items.shown {
            let pieces = &memory.records[*record].pieces[*start..*end];
            pieces.iter().flat_map(|piece| &writers[*piece]).for_each(|at| shown[*at] = true);
        }
        Self { program, memory, items: list, before, readers, shown }
    }

    fn is_pointwise(&self, at: usize) -> bool {
        matches!(self.items[at].work, Work::Pointwise { .. })
    }

    fn key(&self, at: usize) -> (Domain, &Shape) {
        (self.items[at].domain, &self.memory.shapes[self.items[at].writes[0]])
    }

    fn phase(&self, mut waiting: Vec<usize>, fusion: bool) -> Vec<Ordered> {
        let mut steps = Vec::new();
        while !waiting.is_empty() {
            let ready = |at: usize, waiting: &[usize], with: &[usize]| {
                self.before[at].iter().all(|b| with.contains(b) || !waiting.contains(b))
            };
            let other =
                waiting.iter().find(|at| !self.is_pointwise(**at) && ready(**at, &waiting, &[]));
            if let Some(&at) = other {
                waiting.retain(|other| *other != at);
                steps.push(Ordered::Item(at));
                continue;
            }
            // The items of one shape that are ready together, for the shape that has the most.
            let mut best: Vec<usize> = Vec::new();
            for &first in &waiting {
                if !ready(first, &waiting, &[]) || best.contains(&first) {
                    continue;
                }
                let mut together: Vec<usize> = Vec::new();
                for &at in &waiting {
                    let fits = self.is_pointwise(at) && self.key(at) == self.key(first);
                    if fits && ready(at, &waiting, &together) {
                        together.push(at);
                    }
                }
                if together.len() > best.len() {
                    best = together;
                }
            }
            assert!(!best.is_empty(), "items are listed behind what they need");
            match fusion {
                true => best = self.now(best, &waiting),
                false => best.truncate(1),
            }
            waiting.retain(|at| !best.contains(at));
            let ends = if fusion { self.ends(&best, &waiting) } else { Vec::new() };
            waiting.retain(|at| !ends.contains(at));
            steps.push(Ordered::Kernel(self.kernel(&best, &ends)));
        }
        steps
    }

    /// Of items that could be a kernel, those that should not wait for the next one: what only
    /// later kernels read is computed there, and needs no memory.
    fn now(&self, kernel: Vec<usize>, waiting: &[usize]) -> Vec<usize> {
        let mut later: Vec<usize> = Vec::new();
        for &at in kernel.iter().rev() {
            let can_wait = |reader: &usize| {
                let in_kernel = kernel.contains(reader);
                later.contains(reader)
                    || (!in_kernel && waiting.contains(reader) && self.is_pointwise(*reader))
            };
            let readers = &self.readers[at];
            if !self.shown[at] && !readers.is_empty() && readers.iter().all(can_wait) {
                later.push(at);
            }
        }
        if later.len() == kernel.len() {
            return kernel;
        }
        kernel.into_iter().filter(|at| !later.contains(at)).collect()
    }

    /// The piece that a reduction reads, if it is one and reads nothing else.
    fn reduced(&self, at: usize) -> Option<usize> {
        let Work::Op { value, args, .. } = &self.items[at].work else { return None };
        let is_reduction = self.program.value(*value).op.row().class == Class::Reduction;
        match (&args[..], &self.items[at].reads[..]) {
            (&[(_, start, end)], &[piece]) if is_reduction && end == start + 1 => Some(piece),
            _ => None,
        }
    }

    /// The reductions that wait for nothing but what a kernel computes.
    fn ends(&self, kernel: &[usize], waiting: &[usize]) -> Vec<usize> {
        let computed = |piece: usize| kernel.iter().any(|at| self.items[*at].writes[0] == piece);
        let domain = self.items[kernel[0]].domain;
        let is_end = |at: &usize| {
            self.reduced(*at).is_some_and(computed)
                && self.items[*at].domain == domain
                && self.before[*at].iter().all(|before| !waiting.contains(before))
        };
        waiting.iter().copied().filter(is_end).collect()
    }

    fn kernel(&self, items: &[usize], ends: &[usize]) -> Draft {
        let domain = self.items[items[0]].domain;
        let (inputs, body, outputs) = (Vec::new(), Vec::new(), Vec::new());
        let mut draft = Draft { domain, inputs, body, outputs, ends: Vec::new() };
        let computed = |piece: usize| items.iter().any(|at| self.items[*at].writes[0] == piece);
        for &at in items {
            let outside = self.items[at].reads.iter().filter(|piece| !computed(**piece));
            for &piece in outside {
                if !draft.inputs.contains(&piece) {
                    draft.inputs.push(piece);
                }
            }
        }
        let inputs = draft.inputs.len() as u16;
        // The expression of each piece, and of each number.
        let mut pieces: Vec<(usize, u16)> = Vec::new();
        for &at in items {
            let Work::Pointwise { op, args } = &self.items[at].work else { continue };
            let mut of_args = Vec::with_capacity(args.len());
            for arg in args {
                of_args.push(match arg {
                    Arg::Piece(piece) => match draft.inputs.iter().position(|p| p == piece) {
                        Some(input) => input as u16,
                        None => {
                            let known = pieces.iter().find(|(p, _)| p == piece);
                            inputs + known.expect("it is computed by an item before").1
                        }
                    },
                    Arg::Number(op) => {
                        let number = Expr { op: op.clone(), args: Vec::new() };
                        let known = draft.body.iter().position(|expr| *expr == number);
                        inputs
                            + known.unwrap_or_else(|| {
                                draft.body.push(number);
                                draft.body.len() - 1
                            }) as u16
                    }
                });
            }
            let piece = self.items[at].writes[0];
            // A copy is its argument, unless that is an input that is to be written.
            let expression = match (op, &of_args[..]) {
                (Op::Copy(_), &[arg]) if arg >= inputs => arg - inputs,
                _ => {
                    draft.body.push(Expr { op: op.clone(), args: of_args });
                    draft.body.len() as u16 - 1
                }
            };
            pieces.push((piece, expression));
            if self.shown[at] || self.readers[at].iter().any(|reader| !items.contains(reader)) {
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
