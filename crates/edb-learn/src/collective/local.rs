//! Messages between the threads of one process.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::{Collective, CollectiveError, PATIENCE, check_rank};

/// A rank that is a thread of this process. With it, you can try out in one process what several processes
/// would do.
///
/// ```
/// # extern crate edb_learn as edb;
/// use edb::collective::{Collective, Local};
///
/// let ranks = Local::ranks(3).into_iter().map(|rank| std::thread::spawn(move || {
///     let mine = vec![rank.rank() as u8];
///     rank.all_gather(mine)
/// }));
/// for rank in ranks.collect::<Vec<_>>() {
///     assert_eq!(rank.join().unwrap()?, [[0], [1], [2]]);
/// }
/// # Ok::<(), edb::collective::CollectiveError>(())
/// ```
#[derive(Debug)]
pub struct Local {
    rank: usize,
    patience: Duration,
    /// To each rank.
    senders: Vec<Sender<Vec<u8>>>,
    /// From each rank.
    receivers: Vec<Mutex<Receiver<Vec<u8>>>>,
}

impl Local {
    /// Makes this many ranks, at least 1.
    ///
    /// # Panics
    /// If `count` is 0.
    pub fn ranks(count: usize) -> Vec<Self> {
        assert!(count > 0, "`Local::ranks(0)` makes no rank: let it be 1 or more");
        let mut ranks: Vec<Self> = (0..count)
            .map(|rank| Self {
                rank,
                patience: PATIENCE,
                senders: Vec::with_capacity(count),
                receivers: Vec::with_capacity(count),
            })
            .collect();
        for from in 0..count {
            for to in 0..count {
                let (sender, receiver) = channel();
                ranks[from].senders.push(sender);
                ranks[to].receivers.push(Mutex::new(receiver));
            }
        }
        ranks
    }

    /// Sets how long this rank waits for another one, instead of ten minutes.
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.patience = limit;
        self
    }
}

impl Collective for Local {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.senders.len()
    }

    fn patience(&self) -> Duration {
        self.patience
    }

    fn send(&self, to: usize, message: Vec<u8>) -> Result<(), CollectiveError> {
        check_rank(self, to)?;
        self.senders[to].send(message).map_err(|_| CollectiveError::Ended { rank: to })
    }

    fn receive(&self, from: usize) -> Result<Vec<u8>, CollectiveError> {
        check_rank(self, from)?;
        let receiver = self.receivers[from].lock().unwrap_or_else(PoisonError::into_inner);
        receiver.recv_timeout(self.patience).map_err(|error| match error {
            RecvTimeoutError::Disconnected => CollectiveError::Ended { rank: from },
            RecvTimeoutError::Timeout => {
                CollectiveError::Stuck { rank: from, waited: self.patience }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls `work` on each rank, and returns the results.
    fn on_ranks<R: Send>(count: usize, work: impl Fn(Local) -> R + Sync) -> Vec<R> {
        std::thread::scope(|scope| {
            let work = &work;
            let ranks = Local::ranks(count).into_iter();
            let threads: Vec<_> = ranks.map(|rank| scope.spawn(move || work(rank))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        })
    }

    #[test]
    #[should_panic(expected = "`Local::ranks(0)` makes no rank: let it be 1 or more")]
    fn there_is_a_rank() {
        _ = Local::ranks(0);
    }

    #[test]
    fn every_rank_gets_what_every_rank_sends() {
        for count in 1..10 {
            let all: Vec<Vec<u8>> = (0..count as u8).map(|rank| vec![rank, 7]).collect();
            for got in on_ranks(count, |rank| {
                let own = vec![rank.rank() as u8, 7];
                let gathered = rank.all_gather(own).unwrap();
                let to = |to| vec![rank.rank() as u8, to as u8];
                let exchanged = rank.exchange((0..count).map(to).collect()).unwrap();
                for (from, message) in exchanged.iter().enumerate() {
                    assert_eq!(message, &[from as u8, rank.rank() as u8]);
                }
                let own = vec![rank.rank() as u8 + 5; 3];
                assert_eq!(rank.broadcast(own).unwrap(), [5; 3]);
                gathered
            }) {
                assert_eq!(got, all);
            }
        }
    }

    #[test]
    fn a_rank_that_has_ended_or_is_stuck_is_named() {
        let [one, two] = <[Local; 2]>::try_from(Local::ranks(2)).unwrap();
        let one = one.time_limit(Duration::from_millis(10));
        let waited = Duration::from_millis(10);
        assert_eq!(one.receive(1), Err(CollectiveError::Stuck { rank: 1, waited }));
        drop(two);
        assert_eq!(one.receive(1), Err(CollectiveError::Ended { rank: 1 }));
        assert_eq!(one.send(1, Vec::new()), Err(CollectiveError::Ended { rank: 1 }));
        for rank in [0, 2] {
            let none = Err(CollectiveError::NoRank { rank, ranks: 2 });
            assert_eq!(
                (one.send(rank, Vec::new()), one.receive(rank).err()),
                (none.clone(), none.err())
            );
        }
    }
}
