//! `molecules`: message passing over four rounds, as in the example `molecules`, on its tables of
//! molecules.
//!
//! Necessary operations, forward: `2 h x` per atom (a layer over its `x` features), per round
//! `2 h²` for each atom (its previous state) and `2 h²` for each atom with neighbours (its message,
//! before the factors of the bond types), and `4 h² + 2 h` per molecule.

use edb::Element;
use edb::prelude::*;

use crate::workload::{Reading, Workload};
use cells::message_passing::Molecules;
use readers::lines::LineError;
use readers::molecule::{self, FEATURES, Molecule};

/// The default of the example.
const ROUNDS: usize = 4;

/// Molecules, whose property the model estimates.
pub struct Measured {
    records: Vec<Molecule>,
}

impl Measured {
    /// Reads the instances.
    pub fn read(reading: Reading) -> Result<Self, LineError> {
        Ok(Self { records: molecule::read(reading.lines, reading.most)? })
    }
}

impl Workload for Measured {
    type Record = Molecule;
    type Functions = Molecules;
    type Growing = ();

    fn records(&self) -> &[Molecule] {
        &self.records
    }

    fn functions(&self, builder: &mut ModelBuilder, hidden: usize) -> Molecules {
        Molecules::new(builder, ROUNDS, hidden)
    }

    fn graph<T: Element>(
        &self,
        f: &Molecules,
        model: &Model<T>,
        molecule: &Molecule,
    ) -> (Graph<T>, ()) {
        (f.graph(model, molecule, molecule.y).0, ())
    }

    /// Sums over atoms grow with the molecule: 0.05 diverges.
    fn learning_rate(&self) -> f64 {
        1e-4
    }

    fn flops(&self, molecule: &Molecule, hidden: usize) -> u64 {
        let (h, atoms) = (hidden as u64, molecule.atoms.len());
        let mut bound = vec![false; atoms];
        for &(a, b, _) in &molecule.bonds {
            (bound[a], bound[b]) = (true, true);
        }
        let senders = bound.into_iter().filter(|bound| *bound).count();
        let rounds = ROUNDS as u64 * (atoms + senders) as u64 * 2 * h * h;
        atoms as u64 * 2 * h * FEATURES as u64 + rounds + 4 * h * h + 2 * h
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{agree, text, wrong};

    const HEADING: &str = "id\ty\tsplit_random\tsplit_scaffold\tsmiles\tatoms\tbonds\n";
    const LINES: &str = "a\t1\ttrain\ttrain\tCO.C\t6:1:0:3:0:0 8:1:0:1:0:0 6:0:0:4:0:0\t0-1:1:0:0\n\
        b\t-1\ttest\ttest\tC\t6:0:0:4:0:0\t\n";

    #[test]
    fn molecules_are_read() {
        let found = Measured::read(text(&format!("{HEADING}{LINES}"))).unwrap();
        assert_eq!(found.records.len(), 2);
        let features = FEATURES as u64;
        // Three atoms, two of which share a bond.
        let expected = 3 * 20 * features + 4 * 5 * 200 + 420;
        assert_eq!(found.flops(&found.records[0], 10), expected);
        assert_eq!(found.flops(&found.records[1], 10), 20 * features + 4 * 200 + 420);
        let error = wrong(&format!("{HEADING}a\n"), Measured::read);
        assert_eq!(error, ", line 2: expected 7 fields between tabs, found 1");
        let error = wrong(LINES, Measured::read);
        assert_eq!(error, ", line 1: expected a heading that begins with `id\t`");
    }

    #[test]
    fn the_batched_cell_is_the_eager_one() {
        agree(&Measured::read(text(&format!("{HEADING}{LINES}"))).unwrap());
    }
}
