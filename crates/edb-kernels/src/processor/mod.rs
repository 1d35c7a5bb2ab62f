//! The instruction sets and vector registers of a processor.
//!
//! There is no input: this folder asks the machine once which instructions it has. The result is [`Isa`], by
//! which all kernels choose the code that runs, the registers with which their loops are written, and the peak
//! performance with which measurements are compared. All other folders of this crate use it, except `choice`
//! and `trace`.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `isa` | the instruction sets, and how a loop is compiled for each |
//! | `amx` | whether the operating system permits the tiles of AMX |
//! | `vector`, `square` | registers, and the transposition of squares of registers |
//! | `registers` | which registers a number type has in each instruction set |
//! | `machine` | the peak performance of this machine |

#[cfg(target_arch = "x86_64")]
pub(crate) mod amx;
pub mod isa;
pub mod machine;
pub mod registers;
mod square;
mod vector;

#[cfg(target_arch = "x86_64")]
pub(crate) use amx::{PANEL_COLUMNS, TILE_LINES};
pub(crate) use isa::{
    Isa, Loop, TALL_REGISTERS, at_compiled, dispatch, dispatch_on, has_compiled, portable,
};
#[cfg(target_arch = "x86_64")]
pub(crate) use isa::{avx2, avx512, avx512bf16};
pub(crate) use registers::{Registers, VectorLoop, run_on};
pub(crate) use square::{MOST_LANES, Square};
#[cfg(target_arch = "x86_64")]
pub(crate) use vector::Dotted;
pub(crate) use vector::{Converted, Vector};
