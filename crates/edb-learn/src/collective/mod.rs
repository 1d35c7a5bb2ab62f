//! Training and inference by several processes together.
//!
//! | file | what it holds |
//! | --- | --- |
//! | this file | [`Collective`], which carries messages between processes; [`Alone`] |
//! | `local` | [`Local`], which carries messages between the threads of one process |
//! | `tree` | the order in which the sums of shares are added up |
//! | `wire` | numbers as the bytes of messages |
//! | `sum` | the sum of gradients over all processes |
//! | `error` | what can go wrong between processes |
//!
//! Invariant: a collective carries bytes and adds nothing up, so edb itself decides the order of every sum.
//! With `MPI_Allreduce`, the bits of sums would depend on the number of processes and on the library.

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

/// How long one rank waits for another, unless another limit is set.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// Carries messages between processes that train together, each with a rank.
///
/// Messages from one rank to another arrive in the order in which they were sent. All ranks make the
/// same calls of the methods that involve all of them.
pub trait Collective: Debug + Send + Sync {
    /// The rank of this process, from 0.
    fn rank(&self) -> usize;

    /// The number of ranks; at least 1.
    fn ranks(&self) -> usize;

    /// How long this rank waits for another one; by default, ten minutes.
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

    /// Moves messages on that are on their way, if this needs the process. It is called between pieces of work.
    ///
    /// # Errors
    /// When the transport fails.
    fn progress(&self) -> Result<(), CollectiveError> {
        Ok(())
    }

    /// Sends a message to all other ranks, and returns the message of each rank, including this one.
    ///
    /// # Errors
    /// As [`send`](Self::send) and [`receive`](Self::receive).
    fn all_gather(&self, message: Vec<u8>) -> Result<Vec<Vec<u8>>, CollectiveError> {
        self.exchange(vec![message; self.ranks()])
    }

    /// Sends `messages[rank]` to each rank, and returns the message that each rank has sent to this one.
    ///
    /// # Errors
    /// As [`send`](Self::send) and [`receive`](Self::receive).
    fn exchange(&self, mut messages: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, CollectiveError> {
        let (rank, ranks) = (self.rank(), self.ranks());
        messages.resize(ranks, Vec::new());
        // Each rank begins with the next one, so that not all ranks send to rank 0 first.
        for to in (1..ranks).map(|step| (rank + step) % ranks) {
            self.send(to, std::mem::take(&mut messages[to]))?;
        }
        for from in (1..ranks).map(|step| (rank + ranks - step) % ranks) {
            messages[from] = self.receive(from)?;
        }
        Ok(messages)
    }

    /// Returns the message of rank 0 on all ranks. The message travels along a binomial tree, so no rank sends
    /// it more often than the number of ranks has binary digits.
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

/// Fails unless the rank exists and is not this one.
pub(crate) fn check_rank(world: &dyn Collective, rank: usize) -> Result<(), CollectiveError> {
    match rank < world.ranks() && rank != world.rank() {
        true => Ok(()),
        false => Err(CollectiveError::NoRank { rank, ranks: world.ranks() }),
    }
}
