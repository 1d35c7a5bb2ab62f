//! Which values a kernel overwrites: a gradient takes the place of the value that was saved for it.
//!
//! A piece that no instruction reads after a kernel shares memory with an output of the kernel that
//! has the same shape and domain. Training keeps most values for the backward pass only, and memory
//! that has just been read is in cache when it is written.

use edb_ir::Phase;

use super::items::Items;
use super::order::Ordered;
use super::records::Memory;
use edb_ir::Home;

/// For each record that is placed in another one: that one, and the index of the shared piece
/// there.
pub(super) fn in_place(
    memory: &Memory,
    items: &Items,
    ordered: &[(Phase, Ordered)],
    homes: &[[Home; 2]],
) -> Vec<Option<(usize, usize)>> {
    let mut taken: Vec<Option<(usize, usize)>> = vec![None; memory.records.len()];
    // A record that is placed in another cannot hold a third, and the other way round.
    let mut holds = vec![false; memory.records.len()];
    let mut shown = vec![false; memory.records.len()];
    items.shown.iter().for_each(|(_, run)| shown[run.0] = true);
    let rows = |record: usize| homes[record][0] == Home::Rows && !shown[record];
    // The last instruction that reads each piece.
    let mut last = vec![0; memory.shapes.len()];
    for (at, (_, instruction)) in ordered.iter().enumerate() {
        let reads = match instruction {
            Ordered::Item(item) => &items.items[*item].reads,
            Ordered::Kernel(draft) => &draft.inputs,
        };
        reads.iter().for_each(|piece| last[*piece] = at);
    }
    for (at, (_, instruction)) in ordered.iter().enumerate() {
        let Ordered::Kernel(draft) = instruction else { continue };
        let mut sources: Vec<usize> = draft.inputs.clone();
        for &(to, _) in &draft.outputs {
            let Some(target) = memory.record(to).filter(|record| rows(*record)) else { continue };
            let fits = |&from: &usize| {
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
                    && last[from] == at
            };
            let Some(place) = sources.iter().position(fits) else { continue };
            let from = sources.swap_remove(place);
            let Some(source) = memory.record(from) else { continue };
            let own = memory.records[target].pieces.iter().position(|piece| *piece == to);
            taken[source] = own.map(|own| (target, own));
            holds[target] = true;
        }
    }
    taken
}
