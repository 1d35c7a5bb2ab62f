//! Numbers as the bytes of messages, in the byte order of the machine: ranks say theirs when they
//! meet.

use std::borrow::Cow;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::CollectiveError;
use crate::element::Element;

/// The bytes of a value.
pub(crate) fn to_bytes(value: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(value).expect("values that ranks tell each other have a known length")
}

/// The value that a rank has sent.
pub(crate) fn from_bytes<V: DeserializeOwned>(
    bytes: &[u8],
    rank: usize,
) -> Result<V, CollectiveError> {
    postcard::from_bytes(bytes).map_err(|error| CollectiveError::Message {
        rank,
        what: format!("what cannot be read ({error})"),
    })
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

    /// The next numbers, where they are if they are aligned.
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

    /// The next numbers, to a place where they fit.
    pub(super) fn read_to<T: Element>(&mut self, to: &mut [T]) -> Result<(), CollectiveError> {
        let bytes = bytemuck::cast_slice_mut::<T, u8>(to);
        let Some((values, rest)) = self.rest.split_at_checked(bytes.len()) else {
            return Err(self.wrong("too short a message"));
        };
        bytes.copy_from_slice(values);
        self.rest = rest;
        Ok(())
    }

    /// A number of things of which at least `bytes` bytes each follow.
    pub(super) fn count(&mut self) -> Result<usize, CollectiveError> {
        Ok(self.read::<u32>(1)?[0] as usize)
    }

    /// Checks that nothing is left.
    pub(super) fn finish(self) -> Result<(), CollectiveError> {
        match self.rest.is_empty() {
            true => Ok(()),
            false => Err(self.wrong("too long a message")),
        }
    }

    pub(super) fn wrong(&self, what: &str) -> CollectiveError {
        CollectiveError::Message { rank: self.rank, what: what.to_owned() }
    }
}
