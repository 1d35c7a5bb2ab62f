//! What can go wrong between processes.

use std::time::Duration;

/// Why processes could not continue together.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CollectiveError {
    /// A message for, or from, a rank that is not another rank of this world.
    #[error("there is no other rank {rank} among {ranks} ranks")]
    NoRank {
        /// The rank.
        rank: usize,
        /// How many there are.
        ranks: usize,
    },
    /// A rank has ended while others go on.
    #[error("rank {rank} has ended: see what it printed")]
    Ended {
        /// The rank.
        rank: usize,
    },
    /// A rank has sent nothing for too long.
    #[error(
        "rank {rank} has not answered for {:.0} s: it is stuck, or has more to do than the others; \
         if so, set a longer time limit",
        waited.as_secs_f64()
    )]
    Stuck {
        /// The rank.
        rank: usize,
        /// How long this rank has waited for it.
        waited: Duration,
    },
    /// A rank has panicked: whether or not it continues, nobody knows how much of its work is done.
    #[error(
        "rank {rank} has panicked, so that its next call would be taken for the one that it has left: \
         start all ranks again, and resume from a checkpoint; the panic was: {reason}"
    )]
    Panicked {
        /// The rank.
        rank: usize,
        /// The message of the panic.
        reason: String,
    },
    /// A message is not what was expected: the ranks do not run the same program.
    #[error(
        "rank {rank} has sent {what}: do all ranks run the same program with the same settings, and make the same \
         calls in the same order?"
    )]
    Message {
        /// The rank.
        rank: usize,
        /// What is wrong with the message.
        what: String,
    },
    /// The library that carries messages has failed.
    #[error("{call}: {reason}")]
    Library {
        /// The function that failed.
        call: String,
        /// What the library says.
        reason: String,
    },
}

edb_kernels::debug_is_display!(CollectiveError);
