//! Training and inference by several processes together.
//!
//! | file | what it holds |
//! | --- | --- |
//! | this one | [`Collective`], what carries messages between processes; [`Alone`] |
//! | `local` | [`Local`], between the threads of one process |
//! | `tree` | the order in which the sums of shares are added up |
//! | `wire` | numbers as the bytes of messages |
//! | `sum` | the sum of gradients over all processes |
//! | `error` | what can go wrong between processes |
//!
//! Invariant: what a collective carries is bytes, and nothing is added up on the way: the order of
//! every sum is edb's own. `MPI_Allreduce` gives other bits for other numbers of processes, and from
//! one library to another.

mod error;
mod local;
mod sum;
#[cfg(test)]
mod tests;
pub mod tree;
mod wire;

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

pub use error::CollectiveError;
pub use local::Local;
pub use sum::{Early, Exchange, GradientKinds};
pub use tree::{Span, Tree, halves, part};
pub use wire::{Kind, from_bytes, gather, to_bytes};

/// How long a rank is waited for, unless another limit is set.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// Processes that train together, each with a rank, and what carries messages between them.
///
/// Messages from one rank to another arrive in the order in which they were sent. All ranks make the
/// same calls of the methods that involve all of them.
pub trait Collective: Debug + Send + Sync {
    /// The rank of this process, from 0.
    fn rank(&self) -> usize;

    /// The number of ranks; at least 1.
    fn ranks(&self) -> usize;

    /// How long another rank is waited for: ten minutes, unless it says otherwise.
    fn patience(&self) -> Duration {
        PATIENCE
    }

    /// Begins to send a message to another rank, and returns at once.
    ///
    /// # Errors
    /// When the other rank has ended, or the transport fails.
    fn send(&self, to: usize, message: Vec<u8>) -> Result<(), CollectiveError>;

    /// Waits for the next message of another rank.
    ///
    /// # Errors
    /// When the other rank has ended, has sent nothing for too long, or the transport fails.
    fn receive(&self, from: usize) -> Result<Vec<u8>, CollectiveError>;

    /// Lets messages that are on their way go on, where that needs this process: called between
    /// pieces of work.
    ///
    /// # Errors
    /// When the transport fails.
    fn progress(&self) -> Result<(), CollectiveError> {
        Ok(())
    }

    /// Sends a message to all other ranks, and returns what each rank, this one too, has sent.
    ///
    /// # Errors
    /// As [`send`](Self::send) and [`receive`](Self::receive).
    fn all_gather(&self, message: Vec<u8>) -> Result<Vec<Vec<u8>>, CollectiveError> {
        self.exchange(vec![message; self.ranks()])
    }

    /// Sends a message to each rank, by its number, and returns what each has sent to this one.
    ///
    /// # Errors
    /// As [`send`](Self::send) and [`receive`](Self::receive).
    fn exchange(&self, mut messages: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, CollectiveError> {
        let (rank, ranks) = (self.rank(), self.ranks());
        messages.resize(ranks, Vec::new());
        // Each begins with the next rank, so that not all send to the first one first.
        for to in (1..ranks).map(|step| (rank + step) % ranks) {
            self.send(to, std::mem::take(&mut messages[to]))?;
        }
        for from in (1..ranks).map(|step| (rank + ranks - step) % ranks) {
            messages[from] = self.receive(from)?;
        }
        Ok(messages)
    }

    /// What rank 0 gives, on all ranks. It travels along a binomial tree, so that no rank sends it
    /// more often than the number of ranks has digits in base 2.
    ///
    /// # Errors
    /// As [`send`](Self::send) and [`receive`](Self::receive).
    fn broadcast(&self, message: Vec<u8>) -> Result<Vec<u8>, CollectiveError> {
        let (rank, ranks) = (self.rank(), self.ranks());
        let above = if rank == 0 { ranks.next_power_of_two() } else { 1 << rank.trailing_zeros() };
        let message = if rank == 0 { message } else { self.receive(rank - above)? };
        let mut step = above / 2;
        while step > 0 {
            if rank + step < ranks {
                self.send(rank + step, message.clone())?;
            }
            step /= 2;
        }
        Ok(message)
    }
}

/// One process, alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Collective for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn ranks(&self) -> usize {
        1
    }

    fn send(&self, to: usize, _: Vec<u8>) -> Result<(), CollectiveError> {
        Err(CollectiveError::NoRank { rank: to, ranks: 1 })
    }

    fn receive(&self, from: usize) -> Result<Vec<u8>, CollectiveError> {
        Err(CollectiveError::NoRank { rank: from, ranks: 1 })
    }
}

impl<C: Collective + ?Sized> Collective for Arc<C> {
    fn rank(&self) -> usize {
        (**self).rank()
    }

    fn ranks(&self) -> usize {
        (**self).ranks()
    }

    fn patience(&self) -> Duration {
        (**self).patience()
    }

    fn send(&self, to: usize, message: Vec<u8>) -> Result<(), CollectiveError> {
        (**self).send(to, message)
    }

    fn receive(&self, from: usize) -> Result<Vec<u8>, CollectiveError> {
        (**self).receive(from)
    }

    fn progress(&self) -> Result<(), CollectiveError> {
        (**self).progress()
    }
}

/// Fails unless there is such a rank, and it is another one.
pub(crate) fn check_rank(world: &dyn Collective, rank: usize) -> Result<(), CollectiveError> {
    match rank < world.ranks() && rank != world.rank() {
        true => Ok(()),
        false => Err(CollectiveError::NoRank { rank, ranks: world.ranks() }),
    }
}
