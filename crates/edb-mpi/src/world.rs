//! Messages between the ranks that a launcher has started.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use edb_learn::collective::{Collective, CollectiveError, PATIENCE};

use crate::error::MpiError;
use crate::launch;
use crate::library::{CHUNK, Failed, Library, Transfer};

/// How long a rank looks for a message without a pause. Then it pauses for so small a part of the time
/// that it has waited, between these bounds.
const EAGER: Duration = Duration::from_millis(1);
const PART: u32 = 64;
const PAUSE: Duration = Duration::from_micros(50);
const MOST_PAUSE: Duration = Duration::from_millis(2);

/// How long a rank waits for others when it ends after an error; otherwise as long as it waits for
/// anything.
const FAREWELL: Duration = Duration::from_secs(20);

/// The tags of messages, and of the last one that a rank sends.
const MESSAGE: u8 = 0;
const GOODBYE: u8 = 1;

/// The ranks that a launcher (`mpirun`, `mpiexec`, `srun`) has started, or this process alone.
///
/// ```
/// # mod edb { pub use edb_learn::collective; pub use edb_mpi as mpi; }
/// use edb::collective::Collective;
/// use edb::mpi::World;
///
/// // Without a launcher, nothing of MPI is needed.
/// let world = World::open()?;
/// if world.rank() == 0 {
///     println!("{} ranks: {world}", world.ranks());
/// }
/// # Ok::<(), edb::mpi::MpiError>(())
/// ```
///
/// A rank that ends says goodbye to the others, so that these do not wait for it: their next
/// [`receive`](Collective::receive) fails. A rank that is killed is the launcher's to notice, which
/// then ends the job. Closing waits for the others to end, too: up to ten minutes, and up to 20 seconds
/// after an error.
#[derive(Clone, Debug)]
pub struct World {
    ranks: Arc<Ranks>,
    patience: Duration,
}

/// The ranks of this process's job.
#[derive(Debug)]
struct Ranks {
    rank: usize,
    ranks: usize,
    library: String,
    /// `None` for a process alone.
    traffic: Option<Mutex<Traffic>>,
}

/// The library, and the messages that it still sends.
#[derive(Debug)]
struct Traffic {
    library: Library,
    sent: Vec<(usize, Transfer)>,
    /// The ranks that have ended.
    ended: Vec<bool>,
    /// Whether a rank has been waited for too long, so that nobody waits for it again.
    gave_up: bool,
    /// Whether something has gone wrong, so that the others hardly come to their ends.
    troubled: bool,
}

/// Whether MPI has been opened in this process: it opens once.
static OPENED: Mutex<bool> = Mutex::new(false);

impl World {
    /// Opens MPI if a launcher has started this process, or is a world of one rank. The library is the
    /// one next to the launcher, or else one that the dynamic linker finds, or the one in the
    /// environment variable `EDB_MPI_LIBRARY`.
    ///
    /// # Errors
    /// When a launcher has started several processes and they cannot meet. When MPI has been opened
    /// before.
    pub fn open() -> Result<Self, MpiError> {
        let alone = |library: &str| {
            let (library, traffic) = (library.to_owned(), None);
            let ranks = Arc::new(Ranks { rank: 0, ranks: 1, library, traffic });
            Self { ranks, patience: PATIENCE }
        };
        let Some(processes) = launch::processes() else {
            return Ok(alone("no launcher"));
        };
        if processes <= 1 {
            return Ok(alone("a launcher of one process"));
        }
        let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
        if *opened {
            return Err(MpiError::OpenedTwice);
        }
        let mut tried = Vec::new();
        for path in launch::candidates() {
            let library = match Library::open(&path) {
                Ok(library) => library,
                Err(reason) => {
                    tried.push(format!("{}: {reason}", path.display()));
                    continue;
                }
            };
            *opened = true;
            let library = library?;
            let ((rank, ranks), described) = (library.place()?, library.describe());
            if ranks != processes {
                return Err(MpiError::OtherLauncher { library: described, processes, ranks });
            }
            tracing::info!(target: "edb", rank, ranks, library = described, "MPI was opened");
            let traffic = Traffic {
                library,
                sent: Vec::new(),
                ended: vec![false; ranks],
                gave_up: false,
                troubled: false,
            };
            let traffic = Some(Mutex::new(traffic));
            let ranks = Arc::new(Ranks { rank, ranks, library: described, traffic });
            return Ok(Self { ranks, patience: PATIENCE });
        }
        Err(MpiError::NotFound { processes, tried })
    }

    /// The place of this rank among those on the same machine, from 0: it tells which of the machine's
    /// GPUs to use. Where the launcher does not say it, it is the rank.
    pub fn local_rank(&self) -> usize {
        launch::local_rank().unwrap_or(self.ranks.rank)
    }

    /// Waits this long for another rank, and not ten minutes: longer than any rank works alone.
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.patience = limit;
        self
    }
}

/// The library that carries messages.
impl std::fmt::Display for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.ranks.library)
    }
}

impl Ranks {
    /// The library, for one thread at a time.
    fn traffic(&self, rank: usize) -> Result<MutexGuard<'_, Traffic>, CollectiveError> {
        match &self.traffic {
            Some(traffic) if rank < self.ranks && rank != self.rank => {
                Ok(traffic.lock().unwrap_or_else(PoisonError::into_inner))
            }
            _ => Err(CollectiveError::NoRank { rank, ranks: self.ranks }),
        }
    }
}

impl Collective for World {
    fn rank(&self) -> usize {
        self.ranks.rank
    }

    fn ranks(&self) -> usize {
        self.ranks.ranks
    }

    fn patience(&self) -> Duration {
        self.patience
    }

    fn send(&self, to: usize, message: Vec<u8>) -> Result<(), CollectiveError> {
        let mut traffic = self.ranks.traffic(to)?;
        if message.len() < CHUNK {
            return traffic.send(to, MESSAGE, message);
        }
        // A chunk that is not full is the last one; it may be empty.
        let mut chunks = message.chunks_exact(CHUNK);
        for chunk in &mut chunks {
            traffic.send(to, MESSAGE, chunk.to_vec())?;
        }
        traffic.send(to, MESSAGE, chunks.remainder().to_vec())
    }

    fn receive(&self, from: usize) -> Result<Vec<u8>, CollectiveError> {
        let mut traffic = self.ranks.traffic(from)?;
        let received = traffic.receive(from, self.patience);
        traffic.gave_up |= matches!(received, Err(CollectiveError::Stuck { .. }));
        traffic.troubled |= received.is_err();
        received
    }

    fn progress(&self) -> Result<(), CollectiveError> {
        match &self.ranks.traffic {
            Some(traffic) => traffic.lock().unwrap_or_else(PoisonError::into_inner).progress(),
            None => Ok(()),
        }
    }
}

impl Traffic {
    /// Waits for the next message of a rank, for so long.
    fn receive(&mut self, from: usize, patience: Duration) -> Result<Vec<u8>, CollectiveError> {
        let wait = Wait::new(from, patience);
        let mut message = Vec::new();
        loop {
            let length = loop {
                if let Some(length) = self.library.probe(from, MESSAGE).map_err(failed)? {
                    break length;
                }
                self.hear_goodbye(from)?;
                wait.pause()?;
                self.progress()?;
            };
            let mut transfer = self.library.receive(from, MESSAGE, length).map_err(failed)?;
            let chunk = loop {
                match self.library.test(transfer).map_err(failed)? {
                    Ok(bytes) => break bytes,
                    Err(pending) => transfer = pending,
                }
                wait.pause()?;
                self.progress()?;
            };
            match message.is_empty() {
                true => message = chunk,
                false => message.extend_from_slice(&chunk),
            }
            if length < CHUNK {
                return Ok(message);
            }
        }
    }

    fn send(&mut self, to: usize, tag: u8, bytes: Vec<u8>) -> Result<(), CollectiveError> {
        let transfer = self.library.send(to, tag, bytes).map_err(failed)?;
        self.sent.push((to, transfer));
        Ok(())
    }

    /// Lets messages go on, and forgets those that have been sent.
    fn progress(&mut self) -> Result<(), CollectiveError> {
        for (to, transfer) in std::mem::take(&mut self.sent) {
            if let Err(pending) = self.library.test(transfer).map_err(failed)? {
                self.sent.push((to, pending));
            }
        }
        Ok(())
    }

    /// Fails if a rank has said goodbye, and all that it has sent before has been received.
    fn hear_goodbye(&mut self, from: usize) -> Result<(), CollectiveError> {
        if !self.ended[from] && self.library.probe(from, GOODBYE).map_err(failed)?.is_some() {
            // Messages of different tags may arrive in any order: the goodbye has its place behind
            // all others, so one that is still on its way has been seen by the next probe.
            if self.library.probe(from, MESSAGE).map_err(failed)?.is_some() {
                return Ok(());
            }
            let transfer = self.library.receive(from, GOODBYE, 0).map_err(failed)?;
            // It has arrived, and is empty: it is done at once.
            let _ = self.library.test(transfer).map_err(failed)?;
            self.ended[from] = true;
        }
        if self.ended[from] { Err(CollectiveError::Ended { rank: from }) } else { Ok(()) }
    }

    /// Says goodbye to all others, and waits for theirs. Whether all have.
    fn part(&mut self, rank: usize) -> Result<bool, CollectiveError> {
        let others: Vec<usize> = (0..self.ended.len()).filter(|other| *other != rank).collect();
        for other in &others {
            self.send(*other, GOODBYE, Vec::new())?;
        }
        let begun = Instant::now();
        let mut unwanted: Vec<Transfer> = Vec::new();
        loop {
            self.progress()?;
            for other in &others {
                // What they have sent is received for nothing, so that they can end.
                while let Some(length) = self.library.probe(*other, MESSAGE).map_err(failed)? {
                    unwanted.push(self.library.receive(*other, MESSAGE, length).map_err(failed)?);
                }
                match self.hear_goodbye(*other) {
                    Ok(()) | Err(CollectiveError::Ended { .. }) => {}
                    Err(error) => return Err(error),
                }
            }
            for transfer in std::mem::take(&mut unwanted) {
                unwanted.extend(self.library.test(transfer).map_err(failed)?.err());
            }
            let still = self.sent.len() + unwanted.len();
            if still == 0 && others.iter().all(|other| self.ended[*other]) {
                return Ok(true);
            }
            let patience = if self.troubled || thread::panicking() { FAREWELL } else { PATIENCE };
            if self.gave_up || begun.elapsed() > patience {
                return Ok(false);
            }
            thread::sleep(PAUSE);
        }
    }
}

/// Closes MPI, if all ranks have come to their end. Otherwise it stays open, and the launcher ends the
/// job when this process ends.
impl Drop for Ranks {
    fn drop(&mut self) {
        let Some(traffic) = &mut self.traffic else { return };
        let traffic = traffic.get_mut().unwrap_or_else(PoisonError::into_inner);
        let parted = traffic.part(self.rank).map_err(|error| error.to_string());
        let closed = parted.and_then(|parted| match parted {
            true => traffic.library.finalize().map_err(|failed| failed.reason),
            false => Err("not all ranks have ended".to_owned()),
        });
        if let Err(reason) = closed {
            tracing::warn!(target: "edb", reason, "MPI was not closed");
        }
    }
}

/// Waiting for a rank: at first without a pause, then with short ones, so that other threads of the
/// machine can work.
struct Wait {
    rank: usize,
    begun: Instant,
    patience: Duration,
}

impl Wait {
    fn new(rank: usize, patience: Duration) -> Self {
        Self { rank, begun: Instant::now(), patience }
    }

    fn pause(&self) -> Result<(), CollectiveError> {
        let waited = self.begun.elapsed();
        if waited > self.patience {
            return Err(CollectiveError::Stuck { rank: self.rank, waited });
        }
        match waited < EAGER {
            true => thread::yield_now(),
            false => thread::sleep((waited / PART).clamp(PAUSE, MOST_PAUSE)),
        }
        Ok(())
    }
}

fn failed(Failed { call, reason }: Failed) -> CollectiveError {
    CollectiveError::Library { call: call.to_owned(), reason }
}
