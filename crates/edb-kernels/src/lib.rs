//! The computations of edb on a processor: numbers, and kernels over rows of numbers.
//!
//! This crate does not know graphs, models or parameters. A kernel reads and writes rows that an [`operand`]
//! describes. The code that makes operands ensures that no row is written while it is read elsewhere.
//!
//! | folder | modules that other crates call | what it holds |
//! | --- | --- | --- |
//! | `processor` | [`isa`], [`registers`], [`machine`] | instruction sets, how code is compiled for each, and the peak performance of this machine |
//! | `numbers` | [`element`], [`random`] | `f32` and `f64`; draws that depend only on their use |
//! | `memory` | [`memory`], [`operand`], [`scratch`], [`room`] | memory whose allocation may fail; rows in it |
//! | `rows` | [`kernels`], [`semiring`], [`fused`], [`sums`] | ops row by row; products in a semiring; several ops in one pass; sums that do not drift |
//! | `products` | [`panels`], [`pairs`], [`product`], [`tile`] | matrices packed for products, in 32 and in 16 bits; sums of products; their inner loops |
//! | `in_place` | [`stored`], [`in_place`] | products with a matrix that is read where it lies |
//! | `choice` | [`choice`] | choices among ways to compute the same result, by their times |
//! | `trace` | [`trace`] | spans and events, and a trace in a file |
//!
//! Each folder uses the folders before it in this table, and `processor` uses `choice` and `trace`. Functions
//! of single numbers are in [`math`]; they have the same bits everywhere.
//!
//! # Where what is decided
//!
//! Paths are relative to the crate.
//!
//! | question | file |
//! | --- | --- |
//! | How does a processor compute an op? | element by element, or a reduction: `src/rows/kernels.rs`; elementary functions: `src/math.rs`; products: `src/products/product.rs`, with inner loops in `src/products/tile/`; with a matrix that stays where it is: `src/in_place/` |
//! | Which of several ways does a product take? | the fastest way, which is found by trying all of them on the products that a program computes (`src/choice/tune.rs`); a matrix that is multiplied with few rows is read where it lies |
//! | In which order is a sum added up? | `src/rows/sums.rs`; sums of products over rows: `src/products/product.rs` |
//! | How is a fused kernel run? | `src/rows/fused/`: compiled (`walk.rs`) or interpreted (`interpret.rs`) |
//! | Which instruction sets are kernels compiled for? | `src/processor/isa.rs`; numbers of 16 bits: `src/products/pairs.rs`, `src/processor/amx.rs` |
//! | How do errors print? | `src/error_text.rs` |
//! | Which code is compiled with edb, not with each user's crate? | the code in `compiled_here!` (`src/numbers/element.rs`) |
//! | What is reported through `tracing`? | `src/trace/mod.rs`; the trace file: `src/trace/file.rs` |
//!
//! # Invariants
//!
//! - The result of a row does not depend on the other rows, or on how many there are. Products and
//!   reductions have one order of summation, and all ways to compute a product give the same bits.
//! - No sum of many terms is one chain of additions (`src/rows/sums.rs`): it is the sum of its halves,
//!   down to chains of 128 rows, of 1,024 terms of a product, or of the elements in one lane of a
//!   row.
//! - A value of `Isa` or `PairIsa` always comes from asking the machine which instruction sets it has.
//! - A safe function panics if numbers lead outside of its operands; it never reads or writes there.
//!
//! # Names
//!
//! | name | what it means | where |
//! | --- | --- | --- |
//! | isa | a CPU instruction set for which kernels are compiled: portable, AVX2 or AVX-512 | `Isa`, `src/processor/isa.rs` |
//! | loop | work that is compiled once for each instruction set | `Loop`, `src/processor/isa.rs` |
//! | chain | a sum whose terms are added one after the other; a longer sum is the sum of its two halves | `in_halves`, `src/rows/sums.rs` |
//! | panel | columns of a matrix, packed in the order in which the loop of a product reads them | `Panels`, `src/products/panels.rs` |
//! | tile | the part of a product's result that is summed in registers | `src/products/tile/` |
//! | way | the shape and the order of the tiles of a product; all ways have the same bits | `Way`, `src/choice/tune.rs` |
//! | pair | two 16-bit numbers, for neighbouring terms of a sum, in the place of one 32-bit number | `src/products/pairs.rs` |
//!
//! # What `unsafe` rests on here
//!
//! | file | what it relies on | where that is checked, in release builds |
//! | --- | --- | --- |
//! | `src/memory/mod.rs` | ranges are inside the memory; a line of memory is its elements without padding | asserted at every range; when it is compiled |
//! | `src/memory/mod.rs`, `src/memory/operand.rs` | no two threads access an element at the same time if one of them writes it | by type: rows to read (`Operand`) cannot be written (`OperandMut`); otherwise the code that makes operands ensures it |
//! | `src/rows/fused/walk.rs` | kernel and operands fit one another; rows are inside the memory | asserted in `start`, once for all rows, in numbers that do not wrap around (`src/memory/places.rs`) |
//! | `src/rows/fused/runner.rs` | as for any kernel; records do not overlap; edges enter vertices that exist | it verifies the plan, and asserts the rest when it is made |
//! | `src/products/panels.rs` | parts are inside the panels; each panel is packed by one piece; of an element that is a pair, each half belongs to one part | asserted in `Filling::panels`; by construction |
//! | `src/products/tile/`, `src/in_place/`, `src/processor/vector.rs`, `src/processor/square.rs`, `src/products/transpose.rs` | panel, rows and columns are as long as the loops | asserted where rows and columns are looked up: those of a band of tiles (`Left::begin`, `Destination::hold`), or all; blocks of a matrix that stays where it is: `StoredBlock::check` |
//! | `src/processor/isa.rs`, `src/products/packed.rs` | the machine has the instructions | `Isa::all` and `PairIsa::best` ask the machine |
//! | `src/processor/amx.rs`, `src/products/amx_product.rs` | the operating system permits AMX; tiles are inside the panel, the left side and the destination | asked once (`is_permitted`); rows and columns are looked up with a check, panels have whole tiles, and rows of the left side a term for each of their lines (asserted) |

#![warn(missing_docs)]
#![allow(clippy::needless_range_loop, reason = "kernels loop over numbers: `isa::Loop` says why")]

#[macro_use]
mod error_text;

#[cfg(test)]
mod any_numbers;
pub mod choice;
pub mod in_place;
pub mod math;
pub mod memory;
mod numbers;
mod processor;
mod products;
mod rows;
pub mod trace;
pub mod vouch;

pub use in_place::stored;
pub use memory::{operand, room, scratch};
pub use numbers::{element, random};
pub use processor::{isa, machine, registers};
pub use products::{pairs, panels, product, tile};
pub use rows::{fused, kernels, semiring, sums};
