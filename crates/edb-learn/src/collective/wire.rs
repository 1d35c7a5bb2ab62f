//! Numbers as the bytes of messages, in the byte order of the machine. Ranks compare their byte orders when
//! they meet.

use std::borrow::Cow;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{Collective, CollectiveError};
use edb_kernels::element::Element;

/// The kind of a value that ranks send each other, so that no value is mistaken for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// How a rank trains, before the first step.
    Greeting,
    /// How a step went.
    Status,
    /// Whether there is room for a sum.
    Room,
    /// Results of inference.
    Results,
    /// What a checkpoint holds.
    Checkpoint,
    /// Sent in place of any other value: a rank has panicked, and why.
    Panic,
}

impl Kind {
    /// What a rank does when it sends a value of this kind, in the words of an error.
    fn call(self) -> &'static str {
        match self {
            Self::Greeting => "begins its first step, or a step after `resume`",
            Self::Status | Self::Room => "takes a step",
            Self::Results => "calls `infer_shared`",
            Self::Checkpoint => "saves a checkpoint or resumes from one",
            Self::Panic => "has panicked",
        }
    }
}

/// Sends the value of this rank to all ranks, and returns the values of all ranks, in the order of the ranks.
pub fn gather<V: Serialize + DeserializeOwned>(
    world: &dyn Collective,
    kind: Kind,
    value: &V,
) -> Result<Vec<V>, CollectiveError> {
    let said = world.all_gather(to_bytes(kind, value))?;
    said.iter().enumerate().map(|(rank, bytes)| from_bytes(kind, bytes, rank)).collect()
}

/// The bytes of a value.
pub fn to_bytes(kind: Kind, value: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(&(kind, value)).expect("edb's own values have a known length")
}

/// The value that a rank has sent.
pub fn from_bytes<V: DeserializeOwned>(
    kind: Kind,
    bytes: &[u8],
    rank: usize,
) -> Result<V, CollectiveError> {
    let wrong = |what: String| CollectiveError::Message { rank, what };
    if let Ok((Kind::Panic, reason)) = postcard::from_bytes::<(Kind, String)>(bytes) {
        return Err(CollectiveError::Panicked { rank, reason });
    }
    let here = kind.call();
    let unreadable =
        |error| wrong(format!("a message that cannot be read ({error}), while this rank {here}"));
    // The kind is read first, since the bytes of a value of another kind cannot be read as a `V`.
    let (found, rest) = postcard::take_from_bytes::<Kind>(bytes).map_err(unreadable)?;
    if found != kind {
        let there = found.call();
        return Err(wrong(format!("the message of a rank that {there}, while this rank {here}")));
    }
    let (value, rest) = postcard::take_from_bytes::<V>(rest).map_err(unreadable)?;
    match rest.is_empty() {
        true => Ok(value),
        false => Err(wrong(format!("a message that is too long, while this rank {here}"))),
    }
}

/// Appends numbers to a message.
pub(super) fn write<V: bytemuck::Pod>(message: &mut Vec<u8>, values: &[V]) {
    message.extend_from_slice(bytemuck::cast_slice(values));
}

/// Reads a message from its beginning.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    rank: usize,
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Reads what a rank has sent.
    pub(super) fn new(rank: usize, message: &'a [u8]) -> Self {
        Self { rank, rest: message }
    }

    /// The next numbers.
    pub(super) fn read<V: bytemuck::Pod>(
        &mut self,
        count: usize,
    ) -> Result<Vec<V>, CollectiveError> {
        let bytes = count.checked_mul(size_of::<V>()).filter(|bytes| *bytes <= self.rest.len());
        let Some(bytes) = bytes else {
            return Err(self.wrong("too short a message"));
        };
        let (bytes, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        let mut values = vec![V::zeroed(); count];
        bytemuck::cast_slice_mut(&mut values).copy_from_slice(bytes);
        Ok(values)
    }

    /// Reads the next numbers; they are not copied if they are aligned.
    pub(super) fn numbers<T: Element>(
        &mut self,
        count: usize,
    ) -> Result<Cow<'a, [T]>, CollectiveError> {
        let bytes = count.saturating_mul(size_of::<T>());
        if let Some((bytes, rest)) = self.rest.split_at_checked(bytes)
            && let Ok(values) = bytemuck::try_cast_slice(bytes)
        {
            self.rest = rest;
            return Ok(Cow::Borrowed(values));
        }
        self.read(count).map(Cow::Owned)
    }

    /// Reads the next numbers into `to`.
    pub(super) fn read_to<T: Element>(&mut self, to: &mut [T]) -> Result<(), CollectiveError> {
        let bytes = bytemuck::cast_slice_mut::<T, u8>(to);
        let Some((values, rest)) = self.rest.split_at_checked(bytes.len()) else {
            return Err(self.wrong("too short a message"));
        };
        bytes.copy_from_slice(values);
        self.rest = rest;
        Ok(())
    }

    /// Reads how many entries follow.
    pub(super) fn count(&mut self) -> Result<usize, CollectiveError> {
        Ok(self.read::<u32>(1)?[0] as usize)
    }

    /// Checks that nothing is left.
    pub(super) fn finish(self) -> Result<(), CollectiveError> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.wrong("too long a message")) }
    }

    pub(super) fn wrong(&self, what: &str) -> CollectiveError {
        CollectiveError::Message { rank: self.rank, what: what.to_owned() }
    }
}
