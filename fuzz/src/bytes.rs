//! A fuzzer's bytes as a source of random choices.

use std::convert::Infallible;

use rand::rngs::ChaCha8Rng;
use rand::{Rng, RngExt, SeedableRng, TryRng};

use edb_test_programs::Draws;

/// A random generator that takes each number from one byte, so that a fuzzer which changes a byte
/// changes one choice. After the last byte, numbers come from a generator with a fixed seed.
pub struct Bytes<'d> {
    rest: &'d [u8],
    behind: ChaCha8Rng,
}

impl<'d> Bytes<'d> {
    /// A generator over these bytes.
    pub fn new(data: &'d [u8]) -> Self {
        Self { rest: data, behind: ChaCha8Rng::seed_from_u64(0) }
    }

    /// The next byte; `None` after the last.
    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    /// A number made of eight bytes, for a seed: other numbers repeat a single byte.
    pub fn seed(&mut self) -> u64 {
        let mut bytes = [0; 8];
        bytes.iter_mut().for_each(|byte| *byte = self.random());
        u64::from_le_bytes(bytes)
    }

    /// Whether all bytes have been used.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }
}

impl TryRng for Bytes<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(match self.next() {
            // Repeats the byte, since ranges are drawn from the upper bits and bytes from the lower
            // ones.
            Some(byte) => u32::from_ne_bytes([byte; 4]),
            None => self.behind.next_u32(),
        })
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(match self.next() {
            Some(byte) => u64::from_ne_bytes([byte; 8]),
            None => self.behind.next_u64(),
        })
    }

    fn try_fill_bytes(&mut self, to: &mut [u8]) -> Result<(), Infallible> {
        for byte in to {
            *byte = match self.next() {
                Some(next) => next,
                None => self.behind.random(),
            };
        }
        Ok(())
    }
}

impl Draws for Bytes<'_> {
    fn below(&mut self, end: usize) -> usize {
        self.random_range(0..end)
    }
}
