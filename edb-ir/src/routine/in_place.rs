//! Which values a kernel overwrites: a gradient takes the place of the value that was saved for it.
//!
//! A piece that nobody reads after a kernel lies where the kernel writes another one, as large and as
//! often: most of what training keeps for the backward pass is gone when it has passed, and memory
//! that has just been read is in cache when it is written.

use crate::phase::Phase;

use super::Home;
use super::items::Items;
use super::order::Ordered;
use super::records::Memory;

/// For each record that lies in another one: that one, and the place of its only piece there.
pub(super) fn in_place(
    memory: &Memory,
    items: &Items,
    ordered: &[(Phase, Ordered)],
    homes: &[[Home; 2]],
) -> Vec<Option<(usize, usize)>> {
    let mut taken: Vec<Option<(usize, usize)>> = vec![None; memory.records.len()];
    // What lies in a record cannot be lain into, and the other way round.
    let mut holds = vec![false; memory.records.len()];
    let shown = |record: usize| items.shown.iter().any(|(_, run)| run.0 == record);
    let rows = |record: usize| homes[record][0] == Home::Rows && !shown(record);
    for (at, (_, step)) in ordered.iter().enumerate() {
        let Ordered::Kernel(draft) = step else { continue };
        let later = &ordered[at + 1..];
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
                    // Memory of a pass without a backward one is not worth a rule of its own.
                    && homes[source][1] == Home::Nowhere
                    && homes[target][1] == Home::Nowhere
                    && !later.iter().any(|(_, step)| reads(items, step, from))
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

fn reads(items: &Items, step: &Ordered, piece: usize) -> bool {
    match step {
        Ordered::Item(at) => items.items[*at].reads.contains(&piece),
        Ordered::Kernel(draft) => draft.inputs.contains(&piece),
    }
}
