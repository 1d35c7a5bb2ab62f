//! States of the finite state machine: how a frontier is encoded as a state, and a table of all states seen.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::{ScheduleError, named};
use crate::running::ReadyTypes;

/// How a frontier is encoded as a state (ED-Batch, section 2.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    /// The types with ready vertices: E_base.
    Base,
    /// These types, and which of them has the most ready vertices: E_max.
    Max,
    /// These types, sorted by their number of ready vertices: E_sort.
    #[default]
    Sort,
}

impl Encoding {
    /// All encodings.
    pub const ALL: &'static [Encoding] = &[Encoding::Base, Encoding::Max, Encoding::Sort];

    /// Replaces `key` by the state of a frontier: the types with ready vertices, in the order of the encoding.
    /// Under [`Encoding::Max`], the type with the most ready vertices is appended once more.
    pub(crate) fn encode(self, frontier: &impl ReadyTypes, key: &mut Vec<u16>) {
        key.clear();
        key.extend(frontier.ready_types());
        let count = |vertex_type: &u16| frontier.ready_count(*vertex_type);
        match self {
            Encoding::Base => {}
            Encoding::Max => {
                // Of equal types, the one with the lowest number.
                let most = key.iter().rev().copied().max_by_key(count);
                key.extend(most);
            }
            // Insertion sort is the fastest for so few types. It is stable, so equal types stay in ascending
            // order.
            Encoding::Sort => {
                for end in 1..key.len() {
                    let mut place = end;
                    while place > 0 && count(&key[place - 1]) < count(&key[place]) {
                        key.swap(place - 1, place);
                        place -= 1;
                    }
                }
            }
        }
    }

    /// How many entries of a state are types to choose from. They come first.
    pub(crate) fn choices(self, key: &[u16]) -> usize {
        match self {
            Encoding::Max => key.len().saturating_sub(1),
            Encoding::Base | Encoding::Sort => key.len(),
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Encoding::Base => "base",
            Encoding::Max => "max",
            Encoding::Sort => "sort",
        })
    }
}

impl FromStr for Encoding {
    type Err = ScheduleError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        named(name, Self::ALL)
    }
}

/// A set of states, numbered in the order of insertion.
///
/// This is a hash table with open addressing. No result depends on the order of its slots.
#[derive(Clone, Debug, Default)]
pub(crate) struct States {
    /// Each slot contains the number of a state plus 1, or 0 if it is empty. The number of slots is a power of
    /// 2, and at least twice the number of states.
    slots: Vec<u32>,
    /// Where each state ends in `entries`.
    ends: Vec<u32>,
    entries: Vec<u16>,
}

impl States {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn key(&self, state: usize) -> &[u16] {
        let start = state.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.entries[start as usize..self.ends[state] as usize]
    }

    /// Where the entries of a state begin in `entries`.
    pub(crate) fn start(&self, state: usize) -> usize {
        state.checked_sub(1).map_or(0, |before| self.ends[before] as usize)
    }

    /// The number of a state.
    #[inline]
    pub(crate) fn find(&self, key: &[u16]) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut slot = hash(key) & mask;
        loop {
            let state = (self.slots[slot] as usize).checked_sub(1)?;
            if self.key(state) == key {
                return Some(state);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The number of a state, which is added if it is new.
    pub(crate) fn insert(&mut self, key: &[u16]) -> usize {
        if let Some(state) = self.find(key) {
            return state;
        }
        self.entries.extend_from_slice(key);
        self.ends.push(self.entries.len() as u32);
        if self.slots.len() < 2 * self.ends.len() {
            self.slots = vec![0; (4 * self.ends.len()).next_power_of_two()];
            (0..self.len()).for_each(|state| self.place(state));
        } else {
            self.place(self.len() - 1);
        }
        self.len() - 1
    }

    fn place(&mut self, state: usize) {
        let mask = self.slots.len() - 1;
        let mut slot = hash(self.key(state)) & mask;
        while self.slots[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = state as u32 + 1;
    }
}

#[inline]
fn hash(key: &[u16]) -> usize {
    let mix = |hash: u64, &entry: &u16| {
        (hash.rotate_left(5) ^ u64::from(entry)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    };
    let hash = key.iter().fold(key.len() as u64, mix);
    (hash >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_found_again() {
        let mut states = States::default();
        assert_eq!(states.find(&[]), None);
        let keys: Vec<Vec<u16>> = (0..500).map(|k| vec![k % 7, k / 7, k]).collect();
        for (number, key) in keys.iter().enumerate() {
            assert_eq!(states.insert(key), number);
        }
        for (number, key) in keys.iter().enumerate() {
            assert_eq!((states.insert(key), states.key(number)), (number, &key[..]));
        }
        assert_eq!(states.find(&[0, 0]), None);
        assert_eq!(states.insert(&[]), 500);
    }
}
