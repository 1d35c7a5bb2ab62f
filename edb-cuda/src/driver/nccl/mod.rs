//! Memory that goes from GPU to GPU, through NCCL.
//!
//! | module | what it is |
//! | --- | --- |
//! | this one | how ranks meet, and what they exchange |
//! | `library` | the functions of NCCL, opened at run time |
//!
//! Nothing is added up by NCCL, whose sums depend on the number of ranks and on the machine: it only
//! sends and receives. Communicators do not block, so that a rank which does not answer is an error
//! and not a hang.

mod library;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use edb_core::collective::{Collective, CollectiveError};
use edb_gpu::driver::Transfer;

pub(super) use library::Library;
use library::{Communicator, Failed, Stream, UniqueId};

/// The most pieces of memory in a group, of which NCCL has a limit.
const MOST_PIECES: usize = 256;

/// The bytes of a GPU's UUID.
const UUID: usize = 16;

/// How long the end of a communicator is waited for.
const FAREWELL: Duration = Duration::from_secs(10);

/// The GPU of this rank, connected to those of the other ranks.
#[derive(Debug)]
pub(super) struct Nccl {
    library: &'static Library,
    /// Null once it is aborted.
    communicator: Communicator,
    stream: Stream,
    world: Arc<dyn Collective>,
}

// SAFETY: NCCL's functions may be called from any thread, though not for one communicator at the same
// time: the driver's lock sees to that. The stream is only passed on.
unsafe impl Send for Nccl {}

impl Nccl {
    /// Connects the GPU of this rank, which is the one of the current context, to those of the others;
    /// each rank makes the same call, with its library and the UUID of its GPU, or why it has none.
    /// `None`, on all ranks, where one of them has none, or two have the same GPU, which NCCL does not
    /// connect.
    ///
    /// # Safety
    /// The stream is one of the GPU, and lives as long as what is returned.
    pub(super) unsafe fn join(
        own: Result<(&'static Library, [u8; UUID]), String>,
        stream: Stream,
        world: &Arc<dyn Collective>,
    ) -> Result<Option<Self>, CollectiveError> {
        // NCCL of one version does not promise to meet that of another one.
        let said =
            own.as_ref().map(|(library, uuid)| [&uuid[..], library.name().as_bytes()].concat());
        let all = Said(said.map_err(String::clone)).tell(world)?;
        if let Some(reason) = apart(&all) {
            tracing::warn!(target: "edb", reason, "gradients pass the hosts on their way to other GPUs");
            return Ok(None);
        }
        let Ok((library, _)) = own else { return Ok(None) };
        let (rank, ranks) = (world.rank(), world.ranks());
        let id = match rank {
            0 => Said::of(library.unique_id().map(|id| id.0.to_vec())),
            _ => Said(Ok(Vec::new())),
        };
        let id = Said::read(&world.broadcast(id.bytes())?, 0)?;
        let id = id.0.map_err(|reason| failed(0, reason))?;
        let id = <[u8; 128]>::try_from(id).map_err(|_| message(0))?;
        // What one rank cannot do is told to all, before any of them waits for it.
        let communicator = library.begin(UniqueId(id), rank, ranks);
        let nccl = communicator.map(|communicator| {
            let world = Arc::clone(world);
            // From here on, dropping it gives the communicator back.
            Self { library, communicator, stream, world }
        });
        let nccl = of_all(nccl, world)?;
        if let Err(error) = of_all(nccl.set_up(), world) {
            nccl.abort();
            return Err(error);
        }
        tracing::info!(target: "edb", library = library.name(), ranks, "GPUs are connected");
        Ok(Some(nccl))
    }

    /// Waits until what was begun is set up; it then goes on in the order of the stream.
    fn set_up(&self) -> Result<(), Failed> {
        let mut waiting = Waiting::new(self.world.patience());
        while self.library.in_progress(self.communicator)? {
            waiting.go_on()?;
        }
        Ok(())
    }

    /// Sends and receives memory in the order of the stream: with the ranks that are one place before
    /// and behind, then with those that are two places away, and so on. All ranks make the same call.
    ///
    /// # Safety
    /// The memory is that of this rank's GPU, and nobody but the stream uses it until
    /// [`wait`](Self::wait) returns, or [`abort`](Self::abort).
    pub(super) unsafe fn exchange(
        &self,
        sent: &[Transfer],
        received: &[Transfer],
    ) -> Result<(), CollectiveError> {
        let (rank, ranks) = (self.world.rank(), self.world.ranks());
        let place = (self.communicator, self.stream);
        for step in 1..ranks {
            let of = |list: &[Transfer], other: usize| -> Vec<Transfer> {
                list.iter().filter(|transfer| transfer.rank == other).copied().collect()
            };
            let sent = of(sent, (rank + step) % ranks);
            let received = of(received, (rank + ranks - step) % ranks);
            // Both ranks of a pair cut what one sends the other in the same places.
            let [mut sent, mut received] = [&sent, &received].map(|list| list.chunks(MOST_PIECES));
            loop {
                let group = (sent.next(), received.next());
                if group == (None, None) {
                    break;
                }
                let listed = self.library.group(self.communicator, || {
                    for Transfer { rank, address, bytes } in group.0.unwrap_or_default() {
                        // SAFETY: the memory is that of the GPU, which the caller guarantees; so is
                        // the stream, since `join`.
                        unsafe { self.library.send(place, *address, *bytes, *rank)? };
                    }
                    for Transfer { rank, address, bytes } in group.1.unwrap_or_default() {
                        // SAFETY: as above.
                        unsafe { self.library.receive(place, *address, *bytes, *rank)? };
                    }
                    Ok(())
                });
                listed.and_then(|()| self.set_up()).map_err(of_this_rank)?;
            }
        }
        Ok(())
    }

    /// Waits until the stream has `ended` what it was given, but no longer than for other ranks. After
    /// an error it is to be [aborted](Self::abort) before anything else waits for the stream.
    pub(super) fn wait<E: From<CollectiveError>>(
        &self,
        mut ended: impl FnMut() -> Result<bool, E>,
    ) -> Result<(), E> {
        let mut waiting = Waiting::new(self.world.patience());
        while !ended()? {
            self.library.in_progress(self.communicator).map_err(of_this_rank)?;
            waiting.go_on().map_err(of_this_rank)?;
        }
        Ok(())
    }

    /// Ends at once, whatever it is doing: the stream goes on.
    pub(super) fn abort(mut self) {
        self.library.abort(std::mem::replace(&mut self.communicator, std::ptr::null_mut()));
    }
}

impl Drop for Nccl {
    fn drop(&mut self) {
        if self.communicator.is_null() {
            return;
        }
        // All ranks end together, so that nobody's memory is gone while others read it; but one that
        // has more to do is not waited for.
        let mut waiting = Waiting::new(FAREWELL);
        let mut end = || {
            self.library.finalize(self.communicator)?;
            while self.library.in_progress(self.communicator)? {
                waiting.go_on()?;
            }
            Ok::<(), Failed>(())
        };
        match end() {
            Ok(()) => self.library.destroy(self.communicator),
            Err(_) => self.library.abort(self.communicator),
        }
    }
}

/// The result of this rank, if that of no rank is an error.
fn of_all<R>(own: Result<R, Failed>, world: &Arc<dyn Collective>) -> Result<R, CollectiveError> {
    let said = Said::of(own.as_ref().map(|_| Vec::new()).map_err(Failed::clone));
    for (rank, said) in said.tell(world)?.into_iter().enumerate() {
        said.0.map_err(|reason| failed(rank, reason))?;
    }
    own.map_err(of_this_rank)
}

/// Why GPUs are not connected, if they are not: what each rank has said.
fn apart(all: &[Said]) -> Option<String> {
    let mut known: Vec<(&[u8], &[u8])> = Vec::new();
    for (rank, said) in all.iter().enumerate() {
        let (uuid, version) = match &said.0 {
            Err(reason) => return Some(format!("rank {rank}: {reason}")),
            Ok(said) => said.split_at(UUID.min(said.len())),
        };
        if let Some(other) = known.iter().position(|(other, _)| *other == uuid) {
            return Some(format!("ranks {other} and {rank} have the same GPU"));
        }
        known.push((uuid, version));
        let first = known[0].1;
        if version != first {
            let [first, version] = [first, version].map(String::from_utf8_lossy);
            return Some(format!("rank {rank} has {version}, and rank 0 has {first}"));
        }
    }
    None
}

/// A result of a rank, for the others.
#[derive(Debug)]
struct Said(Result<Vec<u8>, String>);

impl Said {
    fn of(result: Result<Vec<u8>, Failed>) -> Self {
        Self(result.map_err(|Failed { call, reason }| format!("{call}: {reason}")))
    }

    /// Tells all ranks, and returns what each has said.
    fn tell(self, world: &Arc<dyn Collective>) -> Result<Vec<Self>, CollectiveError> {
        let said = world.all_gather(self.bytes())?;
        said.iter().enumerate().map(|(rank, bytes)| Self::read(bytes, rank)).collect()
    }

    fn bytes(&self) -> Vec<u8> {
        let (first, rest) = match &self.0 {
            Ok(value) => (1, &value[..]),
            Err(reason) => (0, reason.as_bytes()),
        };
        [&[first], rest].concat()
    }

    fn read(bytes: &[u8], rank: usize) -> Result<Self, CollectiveError> {
        match bytes {
            [1, value @ ..] => Ok(Self(Ok(value.to_vec()))),
            [0, reason @ ..] => Ok(Self(Err(String::from_utf8_lossy(reason).into_owned()))),
            _ => Err(message(rank)),
        }
    }
}

fn message(rank: usize) -> CollectiveError {
    let what = "something else than how its GPU connects".to_owned();
    CollectiveError::Message { rank, what }
}

fn failed(rank: usize, reason: String) -> CollectiveError {
    let call = format!("the GPU of rank {rank} does not connect to the others");
    let reason = format!("{reason} (`{}=off` goes without NCCL)", library::VARIABLE);
    CollectiveError::Library { call, reason }
}

/// An error of this rank.
fn of_this_rank(Failed { call, reason }: Failed) -> CollectiveError {
    CollectiveError::Library { call: call.to_owned(), reason }
}

/// A wait that does not last for ever.
struct Waiting {
    begun: Instant,
    patience: Duration,
}

impl Waiting {
    /// How long it is waited without sleep: about as long as gradients take.
    const BUSY: Duration = Duration::from_millis(2);

    fn new(patience: Duration) -> Self {
        Self { begun: Instant::now(), patience }
    }

    fn go_on(&mut self) -> Result<(), Failed> {
        let waited = self.begun.elapsed();
        if waited > self.patience {
            let reason = format!(
                "the GPUs of other ranks have not answered for {:.0} s",
                waited.as_secs_f64()
            );
            return Err(Failed { call: "NCCL", reason });
        }
        match waited < Self::BUSY {
            true => thread::yield_now(),
            false => thread::sleep(Duration::from_micros(100)),
        }
        Ok(())
    }
}
