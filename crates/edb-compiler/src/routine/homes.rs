//! Decides the memory of each record from its readers, and emits the routine.

use edb_ir::routine::MatrixBlock;
use edb_ir::{
    Domain, End, Home, Id, IdVec, Instruction, Kernel, Leaf, Op, Phase, Program, Record, RecordId,
    Routine, Shape, Span, Stack, StackId, ValueId,
};

use super::in_place::{Within, in_place};
use super::items::{Item, ItemId, Items, Work};
use super::order::Ordered;
use super::records::{PieceRange, Port, RecordDraft, RecordDraftId, RecordDrafts};
use crate::batching::PieceId;
use crate::options::Options;

/// When the pieces of a record are computed and read.
#[derive(Clone, Default)]
struct Life {
    written: Vec<Phase>,
    read: Vec<Phase>,
    shown: bool,
}

/// Decides where records live, drops those that kernels made superfluous, and numbers the others.
pub(super) fn settle(
    program: &Program,
    memory: RecordDrafts,
    items: &Items,
    ordered: Vec<(Phase, Ordered)>,
    options: Options,
) -> Routine {
    let lives = lives(program, &memory, items, &ordered);
    let views = views(program, &memory, items, &ordered, options.views);
    let mut routine = Routine::default();
    let homes: IdVec<RecordDraftId, [Home; 2]> = (memory.records.iter().zip(&lives).zip(&views))
        .map(|((record, life), view)| {
            [false, true].map(|forward| match (home(record, &memory, life, forward), *view) {
                (Home::Nowhere, _) => Home::Nowhere,
                (home, None) => home,
                (_, Some(view)) => view,
            })
        })
        .collect();
    let in_place = match options.layout {
        true => in_place(&memory, items, &ordered, &homes),
        false => IdVec::filled(None, memory.records.len()),
    };
    let mut numbers: IdVec<RecordDraftId, RecordId> = IdVec::new();
    for ((id, record), life) in memory.records.iter_enumerated().zip(&lives) {
        numbers.push(RecordId::new(routine.records.len()));
        let unused = life.written.is_empty() && life.read.is_empty() && !life.shown;
        if unused || in_place[id].is_some() {
            continue;
        }
        let [training, inference] = homes[id];
        routine.records.push(Record {
            domain: record.domain,
            pieces: record.pieces.iter().map(|piece| memory.shapes[*piece].clone()).collect(),
            training,
            inference,
        });
    }
    let span = |PieceRange { record, start, end }| match in_place[record] {
        Some(Within { record, piece }) => {
            Span { record: numbers[record], start: piece as u16, end: piece as u16 + 1 }
        }
        None => Span { record: numbers[record], start: start as u16, end: end as u16 },
    };
    for (phase, instruction) in ordered {
        let instruction = match instruction {
            Ordered::Item(item) if is_view(&items.items[item], &views) => continue,
            Ordered::Item(item) => emit(&items.items[item], &mut routine.stacks, &span),
            Ordered::Kernel(draft) => {
                let place = |piece: &PieceId| span(memory.run(&[*piece]));
                let shape = |piece: PieceId| memory.shapes[piece].clone();
                let end = |&(item, output): &(ItemId, u16)| {
                    let work = &items.items[item].work;
                    let Work::Op { value, out: Some(out), args } = work else {
                        unreachable!("{work:?} is no op with a result")
                    };
                    let Op::Reduction(op) = program.value(*value).op else {
                        unreachable!("%{} is no reduction", value.0)
                    };
                    let index = args.get(1).map(|index| span(*index));
                    End { op, output, out: span(*out), index }
                };
                let kernel = routine.kernels.push(Kernel {
                    domain: draft.domain,
                    shape: draft.outputs.first().map_or_else(Shape::scalar, |out| shape(out.0)),
                    inputs: draft.inputs.iter().map(place).collect(),
                    body: draft.body,
                    outputs: draft.outputs.iter().map(|(p, e)| (place(p), *e)).collect(),
                    ends: draft.ends.iter().map(end).collect(),
                });
                Instruction::Kernel(kernel)
            }
        };
        routine.instructions.push((phase, instruction));
    }
    routine.shown = items.shown.iter().map(|(id, run)| (*id, span(*run))).collect();
    routine
}

/// The records that need no memory: indices of children and of the input, which are read where they
/// are; and with `of_tensors` what only kernels read, which can read a child's row in place. Products
/// need rows at equal distances, so what they read is gathered; and so is what kernels read in parts, since the
/// child keeps its row in parts of its own.
fn views(
    program: &Program,
    memory: &RecordDrafts,
    items: &Items,
    ordered: &[(Phase, Ordered)],
    of_tensors: bool,
) -> IdVec<RecordDraftId, Option<Home>> {
    let mut views = IdVec::filled(None, memory.records.len());
    let is_index = |record: RecordDraftId| memory.is_index(&memory.records[record]);
    for item in &items.items {
        if let Work::Op { value, out: Some(out), .. } = &item.work
            && (is_index(out.record) || of_tensors)
            && (out.start, out.end) == (0, memory.records[out.record].pieces.len())
        {
            views[out.record] = match program.value(*value).op {
                Op::Leaf(Leaf::Child { slot, field }) => Some(Home::Child(slot, field)),
                Op::Leaf(Leaf::Pull(field)) if is_index(out.record) => Some(Home::Pulled(field)),
                _ => None,
            };
        }
    }
    for (_, range) in &items.shown {
        views[range.record] = None;
    }
    for (_, instruction) in ordered {
        let (reads, domain) = match instruction {
            Ordered::Kernel(draft) => (&draft.inputs, Some(draft.domain)),
            Ordered::Item(item) => (&items.items[*item].reads, None),
        };
        let records = reads.iter().filter_map(|piece| memory.record(*piece));
        for record in records.filter(|record| !is_index(*record)) {
            let RecordDraft { domain: own, pieces, .. } = &memory.records[record];
            if domain != Some(*own) || pieces.len() > 1 {
                views[record] = None;
            }
        }
    }
    views
}

/// Whether an item only reads a record that is read in place.
fn is_view(item: &Item, views: &IdVec<RecordDraftId, Option<Home>>) -> bool {
    matches!(item.work, Work::Op { out: Some(out), .. } if views[out.record].is_some())
}

fn emit(
    item: &Item,
    stacks: &mut IdVec<StackId, Stack>,
    span: &impl Fn(PieceRange) -> Span,
) -> Instruction {
    match &item.work {
        Work::Op { value, out, args } => Instruction::Op {
            value: *value,
            out: out.map(span),
            args: args.iter().map(|arg| span(*arg)).collect(),
        },
        Work::Copy { from, to } => Instruction::Copy { from: span(*from), to: span(*to) },
        Work::Product(stack) => {
            let block = |(matrix, start): &(PieceRange, _)| MatrixBlock {
                matrix: span(*matrix),
                start: Clone::clone(start),
            };
            let stack = stacks.push(Stack {
                kind: stack.kind,
                domain: item.domain,
                group: stack.group.0 as u16,
                out: span(stack.out),
                args: span(stack.args),
                accumulate: stack.accumulate,
                blocks: stack.blocks.iter().map(block).collect(),
            });
            Instruction::Product(stack)
        }
        Work::Pointwise { .. } => unreachable!("pointwise items are parts of kernels"),
    }
}

fn lives(
    program: &Program,
    memory: &RecordDrafts,
    items: &Items,
    ordered: &[(Phase, Ordered)],
) -> IdVec<RecordDraftId, Life> {
    let mut lives = IdVec::filled(Life::default(), memory.records.len());
    let note = |piece, of: &mut dyn FnMut(&mut Life), lives: &mut IdVec<RecordDraftId, Life>| {
        if let Some(record) = memory.record(piece) {
            of(&mut lives[record]);
        }
    };
    for (phase, instruction) in ordered {
        let (reads, writes) = match instruction {
            Ordered::Item(item) => {
                (items.items[*item].reads.clone(), items.items[*item].writes.clone())
            }
            // Outputs that only ends read need no memory.
            Ordered::Kernel(draft) => {
                let outputs = draft.outputs.iter().map(|out| out.0);
                let ends = || draft.ends.iter().map(|end| &items.items[end.0]);
                let indices = ends().flat_map(|end| &end.reads);
                let indices = indices.filter(|piece| memory.shapes[**piece].is_index());
                (
                    draft.inputs.iter().chain(indices).copied().collect(),
                    outputs.chain(ends().flat_map(|end| end.writes.iter().copied())).collect(),
                )
            }
        };
        for piece in reads {
            note(piece, &mut |life| life.read.push(*phase), &mut lives);
        }
        for piece in writes {
            note(piece, &mut |life| life.written.push(*phase), &mut lives);
        }
    }
    let forward = |id: &ValueId| !program.is_backward(*id);
    for (id, range) in &items.shown {
        let life = &mut lives[range.record];
        life.shown = true;
        // Values that are shown in training only have no reader in inference.
        life.read.push(if forward(id) { Phase::Lazy } else { Phase::Accumulate });
        life.read.push(if forward(id) { Phase::Eager } else { Phase::Accumulate });
    }
    lives
}

/// Where a record lives: in training, or in inference, where only `forward` phases run.
fn home(record: &RecordDraft, memory: &RecordDrafts, life: &Life, forward: bool) -> Home {
    match record.port {
        Some(Port::Parameter(param)) => return Home::Parameter(param),
        Some(Port::State(field)) => return Home::State(field),
        None => {}
    }
    let runs = |phase: &&Phase| !forward || **phase <= Phase::Lazy;
    let written: Vec<Phase> = life.written.iter().filter(runs).copied().collect();
    let read: Vec<Phase> = life.read.iter().filter(runs).copied().collect();
    if record.domain == Domain::Step {
        return if written.is_empty() && read.is_empty() { Home::Nowhere } else { Home::Step };
    }
    if read.is_empty() || written.is_empty() {
        return Home::Nowhere;
    }
    let first = written[0];
    let one = written.iter().chain(&read).all(|phase| *phase == first);
    // The operands of a sum over all rows of a minibatch are kept for all rows, as indices are.
    let one = one && !memory.is_index(record);
    if one && first != Phase::Accumulate { Home::Scratch(first) } else { Home::Rows }
}
