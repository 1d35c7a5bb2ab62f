//! A vertex program.

use edb_compiler::batching::{Batching, GroupId};
use edb_ir::{IdVec, Movement, Op, Phase, Plan, Program, ValueId};

use super::{LINE, Picture, PictureBox, colour, layers};

/// The distance between layers.
const LEVEL: i32 = 58;

/// The program of a vertex function: its values, phase by phase, and what they are computed from.
/// Only these `phases` are drawn, in the order of [`Phase::ALL`].
///
/// A product has the colour and the number of the group that it runs in: products of one group run
/// together. A pointwise value is light yellow, and runs fused in a kernel; a dashed value moves no
/// data, since it only names parts of other values. The values of another phase that a value reads
/// are named in its second line.
pub fn program(plan: &Plan, phases: &[Phase]) -> Picture {
    let program = &plan.program;
    let mut picture = Picture::new(&program.name);
    let batching = Batching::plan(program, &plan.phases);
    let groups = groups(&batching, program);
    let mut top = 0;
    for phase in Phase::ALL.into_iter().filter(|phase| phases.contains(phase)) {
        let values: Vec<ValueId> = plan.phase(phase).collect();
        if values.is_empty() {
            continue;
        }
        let here = |id: &ValueId| values.binary_search(id).ok();
        let below: Vec<Vec<usize>> = values
            .iter()
            .map(|id| program.value(*id).args.iter().filter_map(here).collect())
            .collect();
        let levels = levels(&below);
        let shapes: Vec<PictureBox> =
            values.iter().map(|id| shape(program, &batching, &groups, *id, here)).collect();
        let widths: Vec<i32> = shapes.iter().map(|shape| shape.size.0).collect();
        let places = layers::place(&levels, &below, &widths, 12);
        let x = &places.x;
        let ends = || x.iter().zip(&widths).map(|(x, wide)| (x - wide / 2, x + wide / 2));
        let passages = || places.passages.iter().flatten().flatten().copied();
        let left = ends().map(|end| end.0).chain(passages()).min().unwrap_or(0) - 10;
        let right = ends().map(|end| end.1).chain(passages()).max().unwrap_or(0) + 10;
        let tall = levels.iter().max().map_or(0, |deepest| *deepest as i32 + 1) * LEVEL + LINE;
        // Phases are one below the other, aligned at the left.
        let area = [0, top, right - left, tall + 8];
        let frame = picture.frames.len();
        picture.frames.push(super::Frame { title: format!("{phase:?}"), area });
        let first = picture.shapes.len();
        let y = |level: usize| top + LINE + 8 + LEVEL / 2 + level as i32 * LEVEL;
        for ((shape, &x), &level) in shapes.into_iter().zip(x).zip(&levels) {
            picture.add(PictureBox { centre: (x - left, y(level)), frame: Some(frame), ..shape });
        }
        for (of, (reads, lines)) in below.iter().zip(&places.passages).enumerate() {
            for (&read, line) in reads.iter().zip(lines) {
                let level = levels[read] + 1;
                let through = line.iter().enumerate().map(|(step, x)| (x - left, y(level + step)));
                picture.connect(first + read, first + of, through.collect());
            }
        }
        top += tall + 20;
    }
    picture
}

/// The layer of each value: below what it reads; a value that reads nothing is right above its
/// first reader.
fn levels(below: &[Vec<usize>]) -> Vec<usize> {
    let mut levels = vec![0; below.len()];
    for (value, reads) in below.iter().enumerate() {
        levels[value] = reads.iter().map(|&read| levels[read] + 1).max().unwrap_or(0);
    }
    let mut readers: Vec<Option<usize>> = vec![None; below.len()];
    for (value, reads) in below.iter().enumerate() {
        for &read in reads {
            let first = readers[read].map_or(levels[value], |first| first.min(levels[value]));
            readers[read] = Some(first);
        }
    }
    for (value, reads) in below.iter().enumerate() {
        if let (true, Some(reader)) = (reads.is_empty(), readers[value]) {
            levels[value] = reader.saturating_sub(1);
        }
    }
    levels
}

/// The group of each value that is a product.
fn groups(batching: &Batching, program: &Program) -> IdVec<ValueId, Option<GroupId>> {
    let mut groups = IdVec::filled(None, program.values.len());
    for (id, group) in batching.groups.iter_enumerated() {
        for product in group.stacks.iter().flat_map(|stack| &stack.products) {
            for value in &batching.products[*product].of {
                groups[*value] = Some(id);
            }
        }
    }
    groups
}

fn shape(
    program: &Program,
    batching: &Batching,
    groups: &IdVec<ValueId, Option<GroupId>>,
    id: ValueId,
    here: impl Fn(&ValueId) -> Option<usize>,
) -> PictureBox {
    let value = program.value(id);
    let name = program.describe_value(id);
    let first = match groups[id] {
        Some(group) => format!("%{} {name}, group {group}", id.0),
        None => format!("%{} {name}", id.0),
    };
    let mut lines = vec![first];
    let elsewhere = value.args.iter().filter(|arg| here(arg).is_none());
    let elsewhere: Vec<String> = elsewhere.map(|arg| format!("%{}", arg.0)).collect();
    if !elsewhere.is_empty() {
        lines.push(format!("of {}", elsewhere.join(" ")));
    }
    let alias = batching.pieces.is_alias(id);
    let fill = match (groups[id], &value.op) {
        (Some(group), _) => colour(group.index() + 2),
        _ if alias => "white",
        (None, Op::Pointwise(_) | Op::Draw(_) | Op::Reduction(_) | Op::RowReduction(_)) => {
            "#fffde0"
        }
        (None, Op::Leaf(_)) => "#e8eef4",
        (None, Op::Movement(Movement::Copy(_) | Movement::Expand)) => "#fffde0",
        (None, _) => "#f4e8e8",
    };
    let tip = format!("{}", value.shape.display(&program.dims));
    PictureBox { dashed: alias, tip, ..PictureBox::around(lines, fill) }
}
