//! The sites of draws and decisions in a section: counted from where the section begins, since how
//! many came before depends on the way there. A run adds those ([`Sites::before`]), so that a draw
//! depends on how often its vertex has drawn, as it does where the function is called.

use edb_ir::{Program, Sites, ValueId};

/// Counts draws and decisions anew: `values` are those of a section in order, also those that
/// nothing depends on, and `loops` the numbers of its loops over children. Returns the new sites, and
/// how many there are.
pub(super) fn count(
    program: &Program,
    values: &[ValueId],
    loops: &[u32],
) -> (Vec<(ValueId, u32)>, Sites) {
    let mut sites = Sites { vertex: 0, loops: loops.len() as u32 };
    let site = |id: &ValueId| {
        let site = *program.value(*id).op.clone().site_mut()?;
        let site = match Sites::loop_of(site) {
            None => sites.take(),
            Some(of) => {
                let place = loops.iter().position(|number| *number == of);
                place.map_or(site, |place| Sites::in_loop(place as u32 + 1, site))
            }
        };
        Some((*id, site))
    };
    (values.iter().filter_map(site).collect(), sites)
}

/// Gives values of a program other sites.
pub(super) fn set(program: &mut Program, sites: &[(ValueId, u32)]) {
    for (id, new) in sites {
        if let Some(site) = program.values[id.index()].op.site_mut() {
            *site = *new;
        }
    }
}
