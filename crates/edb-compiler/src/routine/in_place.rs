//! Which values a kernel overwrites: a gradient takes the place of the value that was saved for it.
//!
//! A piece that no instruction reads after a kernel shares memory with an output of the kernel that
//! has the same shape and domain. Training keeps most values for the backward pass only, and memory
//! that has just been read is in cache when it is written.

use edb_ir::{Home, IdVec, Phase};

use super::items::Items;
use super::order::Ordered;
use super::records::{RecordDraftId, RecordDrafts};
use crate::batching::PieceId;

/// The place of a record within another one.
#[derive(Clone, Copy)]
pub(super) struct Within {
    pub(super) record: RecordDraftId,
    /// The index of the shared piece there.
    pub(super) piece: usize,
}

/// For each record that is placed in another one, its place there.
pub(super) fn in_place(
    memory: &RecordDrafts,
    items: &Items,
    ordered: &[(Phase, Ordered)],
    homes: &IdVec<RecordDraftId, [Home; 2]>,
) -> IdVec<RecordDraftId, Option<Within>> {
    let mut taken: IdVec<RecordDraftId, Option<Within>> = IdVec::filled(None, memory.records.len());
    // A record that is placed in another cannot hold a third, and the other way round.
    let mut holds: IdVec<RecordDraftId, bool> = IdVec::filled(false, memory.records.len());
    let mut shown = holds.clone();
    items.shown.iter().for_each(|(_, range)| shown[range.record] = true);
    let rows = |record: RecordDraftId| homes[record][0] == Home::Rows && !shown[record];
    // The last instruction that reads each piece.
    let mut last: IdVec<PieceId, usize> = IdVec::filled(0, memory.shapes.len());
    for (step, (_, instruction)) in ordered.iter().enumerate() {
        let reads = match instruction {
            Ordered::Item(item) => &items.items[*item].reads,
            Ordered::Kernel(draft) => &draft.inputs,
        };
        reads.iter().for_each(|piece| last[*piece] = step);
    }
    for (step, (_, instruction)) in ordered.iter().enumerate() {
        let Ordered::Kernel(draft) = instruction else { continue };
        let mut sources: Vec<PieceId> = draft.inputs.clone();
        for &(to, _) in &draft.outputs {
            let Some(target) = memory.record(to).filter(|record| rows(*record)) else { continue };
            let fits = |&from: &PieceId| {
                let Some(source) = memory.record(from) else { return false };
                rows(source)
                    && source != target
                    && memory.records[source].pieces.len() == 1
                    && memory.records[source].domain == memory.records[target].domain
                    && memory.records[target].domain == draft.domain
                    && memory.shapes[from] == memory.shapes[to]
                    && taken[source].is_none()
                    && !holds[source]
                    && taken[target].is_none()
                    // Records that inference uses, too, are not worth a rule of their own.
                    && homes[source][1] == Home::Nowhere
                    && homes[target][1] == Home::Nowhere
                    && last[from] == step
            };
            let Some(place) = sources.iter().position(fits) else { continue };
            let from = sources.swap_remove(place);
            let Some(source) = memory.record(from) else { continue };
            let place = memory.records[target].pieces.iter().position(|piece| *piece == to);
            taken[source] = place.map(|piece| Within { record: target, piece });
            holds[target] = true;
        }
    }
    taken
}
