//! Lattices of characters and words, as in ED-Batch's benchmark, and models that read them:
//! [`zhang_yang`], [`gru`] and [`edbatch`].

pub mod edbatch;
pub mod gru;
pub mod zhang_yang;

use crate::workload::Reading;
use readers::lattice::Lattices;
use readers::lines::LineError;

/// Reads the instances.
pub fn read(Reading { lines, most, modulo }: Reading) -> Result<Lattices, LineError> {
    Lattices::read(lines, most, modulo)
}

#[cfg(test)]
pub(crate) mod tests {
    /// In the first sentence, two words end at position 3, in the second, one at position 2.
    pub(crate) const TEXT: &str = "3\n4\n0 1 2 2\n0 \n1 0 5\n1 1 260\n3 2 7 0 9 1 300\n\n\
        3\n1 0 1\n0\n1 0 2\n2 1 3 0 4\n\n2\n0 1\n0\n1 0 1\n";
}
