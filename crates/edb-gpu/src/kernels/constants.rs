//! What every source knows of the host.

use edb_core::backend::ABSENT;

use super::declare::{Constant, constants};
use super::parameters::WIDE;
use super::rows::Mode;
use crate::blocks::THREADS;

const EACH: u32 = Mode::SameRow as u32;
const ONE: u32 = Mode::One as u32;
const OWNER: u32 = Mode::Owner as u32;
const GATHER: u32 = Mode::Gather as u32;

/// What every source knows of the host: the threads of a block of a declared kernel, the index of
/// an absent child, and the modes of operands with the bit that marks an operand as wide.
pub const CONSTANTS: &[Constant] = constants![THREADS, ABSENT, WIDE, EACH, ONE, OWNER, GATHER];
