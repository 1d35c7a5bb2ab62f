//! Lists the edges of each row: to the children that it reads, and to the parents whose gradients it sums.

use smallvec::SmallVec;

use super::{Layout, ParentEdge};
use edb_model::graph::{ABSENT, FlatBatch};
use edb_model::model::BoundModel;

/// Lists of at most this many functions or slots are kept on the stack.
const MAX_ENTRIES_ON_STACK: usize = 16;

/// The lists into which the edges of one function's vertices are written.
struct Target<'a> {
    /// The number of the function's first fixed slot, counted over all functions; `fixed` is how many fixed slots it
    /// has.
    slot: usize,
    fixed: usize,
    /// The function's first row among the rows of its state.
    base: u32,
    /// The function's first block of gradient rows.
    block: u32,
    /// For each row, where its edges to children outside the fixed slots begin. For each of these edges, `rest`
    /// has the row of the child, and `owners` the row that the edge enters.
    rest_offsets: &'a [u32],
    rest: &'a mut [u32],
    owners: &'a mut [u32],
    /// At index `row + 1`: where the next edge from a parent of this row goes in `parents`.
    parent_offsets: &'a mut [u32],
    parents: &'a mut [ParentEdge],
}

impl Layout {
    /// Finds the row of every child. In training, also lists the gradient rows that every vertex sums.
    pub(crate) fn place_edges(&mut self, model: &BoundModel, batch: &FlatBatch, training: bool) {
        self.count_edges(model, batch, training);
        let mut block = 0;
        let mut slots: SmallVec<[&mut [u32]; MAX_ENTRIES_ON_STACK]> = SmallVec::new();
        let mut targets: SmallVec<[Target<'_>; MAX_ENTRIES_ON_STACK]> = SmallVec::new();
        for (layout, function) in self.types.raw.iter_mut().zip(&model.functions) {
            targets.push(Target {
                slot: slots.len(),
                fixed: layout.fixed.len(),
                base: layout.state_base,
                block,
                rest_offsets: &layout.rest_offsets,
                rest: &mut layout.rest,
                owners: &mut layout.rest_owners,
                parent_offsets: &mut layout.parent_offsets,
                parents: &mut layout.parents,
            });
            block +=
                (layout.fixed.len() + usize::from(function.plan.program.rest.is_some())) as u32;
            slots.extend(layout.fixed.iter_mut().map(Vec::as_mut_slice));
        }
        if !training {
            fill::<false>(batch, &self.rows, &mut slots, &mut targets);
            return;
        }
        fill::<true>(batch, &self.rows, &mut slots, &mut targets);
        drop((slots, targets));
        for layout in &mut self.types.raw {
            layout.parent_offsets.pop();
        }
    }

    /// Counts the edges of every row, and makes room for them.
    fn count_edges(&mut self, model: &BoundModel, batch: &FlatBatch, training: bool) {
        let counts = &mut self.next;
        if training {
            // The last entry counts absent children.
            let vertices = batch.functions().len();
            counts.clear();
            counts.resize(vertices + 1, 0);
            for &child in batch.all_children() {
                counts[(child as usize).min(vertices)] += 1;
            }
        }
        for (layout, function) in self.types.raw.iter_mut().zip(&model.functions) {
            let (rows, fixed) = (layout.vertices.len(), function.fixed());
            layout.fixed.resize_with(fixed, Vec::new);
            layout.fixed.iter_mut().for_each(|slot| slot.resize(rows, ABSENT));
            layout.rest_offsets.clear();
            layout.rest_offsets.push(0);
            let mut edges = 0;
            if function.plan.program.rest.is_some() {
                layout.rest_offsets.extend(layout.vertices.iter().map(|&vertex| {
                    edges += batch.children(vertex).len() - fixed;
                    edges as u32
                }));
            } else {
                layout.rest_offsets.resize(rows + 1, 0);
            }
            layout.rest.resize(edges, ABSENT);
            layout.rest_owners.resize(edges, 0);
            if training {
                // While edges are filled in, entry `r + 1` is where the next edge of row `r` goes. At first this
                // is where the edges of row `r` begin. At the end it is where the edges of row `r + 1` begin.
                let mut edges = 0;
                layout.parent_offsets.clear();
                layout.parent_offsets.push(0);
                layout.parent_offsets.extend(layout.vertices.iter().map(|&vertex| {
                    let start = edges;
                    edges += counts[vertex as usize];
                    start
                }));
                layout.parent_offsets.push(edges);
                layout.parents.resize(edges as usize, ParentEdge { block: 0, row: 0 });
            }
        }
    }
}

/// Writes all edges into their lists, in the order of the parents' numbers. So a vertex sums its gradient in an order
/// that does not depend on the other graphs of the minibatch.
fn fill<const TRAINING: bool>(
    batch: &FlatBatch,
    rows: &[u32],
    slots: &mut [&mut [u32]],
    targets: &mut [Target<'_>],
) {
    let vertices = batch.functions().iter().zip(rows).zip(batch.child_offsets().windows(2));
    for ((&function, &row), ends) in vertices {
        if ends[0] == ends[1] {
            continue;
        }
        let children = &batch.all_children()[ends[0] as usize..ends[1] as usize];
        let own = &mut targets[function.index()];
        let (slot, fixed, block) = (own.slot, own.fixed, own.block);
        let rest = own.rest_offsets[row as usize] as usize;
        own.owners[rest..rest + children.len() - fixed].fill(row);
        for (place, &child) in children.iter().enumerate() {
            let mut child_row = ABSENT;
            let in_rest = (rest + place).wrapping_sub(fixed);
            if child != ABSENT {
                let of = &mut targets[batch.functions()[child as usize].index()];
                let row_of = rows[child as usize];
                child_row = of.base + row_of;
                if TRAINING {
                    let to = &mut of.parent_offsets[row_of as usize + 1];
                    let block = block + place.min(fixed) as u32;
                    let row = if place < fixed { row } else { in_rest as u32 };
                    of.parents[*to as usize] = ParentEdge { block, row };
                    *to += 1;
                }
            }
            if place < fixed {
                slots[slot + place][row as usize] = child_row;
            } else {
                targets[function.index()].rest[in_rest] = child_row;
            }
        }
    }
}
