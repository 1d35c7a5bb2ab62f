//! Edges by row: the children that each row reads, and the parents whose gradients it sums.

use smallvec::SmallVec;

use super::{Layout, ParentEdge};
use edb_kernels::element::Element;
use edb_model::graph::{ABSENT, Minibatch};
use edb_model::model::BoundModel;

/// Up to this many functions or slots of a model, lists of them need no allocation.
const FEW: usize = 16;

/// Where the edges of one function's vertices are written.
struct Target<'a> {
    /// The first of its fixed slots among those of all functions, and (`fixed`) their number.
    slot: usize,
    fixed: usize,
    /// The first of its rows among those of its state.
    base: u32,
    /// The first of its blocks of gradients.
    block: u32,
    /// For each row, where its edges to the other children begin; the rows of these children
    /// (`rest`), and the rows that the edges enter (`owners`).
    rest_offsets: &'a [u32],
    rest: &'a mut [u32],
    owners: &'a mut [u32],
    /// For each row, where its parents' edges begin, at the index one higher; and these edges
    /// (`parents`).
    parent_offsets: &'a mut [u32],
    parents: &'a mut [ParentEdge],
}

impl Layout {
    /// Finds the row of every child, and in training lists the gradient rows that every vertex
    /// sums.
    pub(crate) fn place_edges<T: Element>(
        &mut self,
        model: &BoundModel,
        batch: &Minibatch<T>,
        training: bool,
    ) {
        self.count_edges(model, batch, training);
        let mut block = 0;
        let mut slots: SmallVec<[&mut [u32]; FEW]> = SmallVec::new();
        let mut targets: SmallVec<[Target<'_>; FEW]> = SmallVec::new();
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
            fill::<T, false>(batch, &self.rows, &mut slots, &mut targets);
            return;
        }
        fill::<T, true>(batch, &self.rows, &mut slots, &mut targets);
        drop((slots, targets));
        for layout in &mut self.types.raw {
            layout.parent_offsets.pop();
        }
    }

    /// Makes room for the edges of every row.
    fn count_edges<T: Element>(
        &mut self,
        model: &BoundModel,
        batch: &Minibatch<T>,
        training: bool,
    ) {
        let counts = &mut self.next;
        if training {
            // One entry more, for absent children.
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
                // While edges are filled in, entry `r + 1` is where the next edge of row `r` goes.
                // It begins with the first edge of row `r`, and ends where the edges of row `r + 1`
                // begin.
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

/// Goes over all edges in the order of the parents' numbers, so that a vertex sums its gradient in
/// an order that does not depend on the minibatch.
fn fill<T: Element, const TRAINING: bool>(
    batch: &Minibatch<T>,
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
