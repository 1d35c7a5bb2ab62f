//! What edb computes with on a processor: numbers, and kernels over rows of them.
//!
//! Nothing here knows of graphs, models or parameters. A kernel reads and writes rows that an
//! [`operand`] describes; who makes operands sees to it that no row is written that is read
//! elsewhere.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`element`], [`math`] | `f32` and `f64`; their functions, the same bits everywhere |
//! | [`random`] | draws that depend on what they are used for alone |
//! | [`isa`], [`registers`] | instruction sets, and how code is compiled for each |
//! | [`memory`], [`operand`], [`scratch`], [`room`] | memory that may run out; rows in it |
//! | [`panels`], [`pairs`], [`product`] | matrices packed for products, in 32 and in 16 bits; sums of products |
//! | [`stored`], [`in_place`] | products with a matrix that stays where it is |
//! | [`tile`] | the inner loops of products, and which of them is the fastest here |
//! | [`choice`] | choices among ways to compute the same, by their times |
//! | [`sums`] | sums that do not drift |
//! | [`kernels`], [`fused`] | ops row by row; several of them in one pass |
//! | [`machine`] | the peak performance of this machine, to compare with |
//! | [`trace`] | spans and events, and a trace in a file |
//!
//! # Where what is decided
//!
//! Paths are relative to the crate.
//!
//! | question | file |
//! | --- | --- |
//! | How does a processor compute an op? | element by element, or a reduction: `src/kernels.rs`; elementary functions: `src/math.rs`; products: `src/product.rs`, with inner loops in `src/tile/`; with a matrix that stays where it is: `src/in_place/` |
//! | Which of several ways does a product take? | the fastest, which is found by trying them on the products that a program computes; a matrix that is multiplied with few rows is read where it lies |
//! | In which order is a sum added up? | `src/sums.rs`; sums of products over rows: `src/product.rs` |
//! | How is a fused kernel run? | `src/fused/`: compiled (`walk.rs`) or interpreted (`interpret.rs`) |
//! | Which instruction sets are kernels compiled for? | `src/isa.rs`; numbers of 16 bits: `src/pairs.rs`, `src/amx.rs` |
//! | How do errors print? | `src/error_text.rs` |
//! | What is compiled with edb, not with each user's crate? | what stands in `compiled_here!` (`src/element.rs`) |
//! | What is reported through `tracing`? | `src/trace.rs`; the trace file: `src/trace/file.rs` |
//!
//! # Invariants
//!
//! - The result of a row does not depend on the other rows, or on how many there are. Products and
//!   reductions have one order of summation, and all ways to compute a product give the same bits.
//! - No sum of many terms is one chain of additions (`src/sums.rs`): it is the sum of its halves,
//!   down to chains of 128 rows, of 1,024 terms of a product, or of the elements in one lane of a
//!   row.
//! - Who has an instruction set (`Isa`, `PairIsa`) has it from the machine.
//! - A safe function panics at numbers that lead outside of its operands; it never reads or writes there.
//!
//! # Names
//!
//! | name | what it means | where |
//! | --- | --- | --- |
//! | isa | a CPU instruction set that kernels are compiled for: portable, AVX2 or AVX-512 | `Isa`, `src/isa.rs` |
//! | loop | work that is compiled once for each instruction set | `Loop`, `src/isa.rs` |
//! | chain | a sum whose terms are added one after the other; longer sums are those of their two halves | `in_halves`, `src/sums.rs` |
//! | panel | columns of a matrix, packed in the order in which the loop of a product reads them | `Panels`, `src/panels.rs` |
//! | tile | the part of a product's result that is summed in registers | `src/tile/` |
//! | way | the shape and the order of the tiles of a product; all ways have the same bits | `Way` |
//! | pair | two numbers of 16 bits, of neighbouring terms of a sum, in the place of one of 32 | `src/pairs.rs` |
//!
//! # What `unsafe` rests on here
//!
//! | file | what it relies on | where that is checked, in release builds |
//! | --- | --- | --- |
//! | `src/memory.rs` | ranges are inside the memory; a line of memory is its elements without padding | asserted at every range; when it is compiled |
//! | `src/memory.rs`, `src/operand.rs` | no two threads access an element at the same time if one of them writes it | by type: what is read (`Operand`) cannot be written (`OperandMut`); otherwise by who makes operands |
//! | `src/fused/walk.rs` | kernel and operands fit one another; rows are inside the memory | asserted in `start`, once for all rows, in numbers that do not wrap around (`src/places.rs`) |
//! | `src/fused/runner.rs` | as for any kernel; records do not overlap; edges enter vertices that there are | it verifies the plan, and asserts the rest when it is made |
//! | `src/panels.rs` | parts are inside the panels; each panel is packed by one piece; of an element that is a pair, each half belongs to one part | asserted in `Filling::panels`; by construction |
//! | `src/tile/`, `src/in_place/`, `src/vector.rs`, `src/square.rs`, `src/transpose.rs` | panel, rows and columns are as long as the loops | asserted where rows and columns are looked up: those of a band of tiles (`Left::begin`, `Destination::hold`), or all; blocks of a matrix that stays where it is: `StoredBlock::check` |
//! | `src/isa.rs`, `src/packed.rs` | the machine has the instructions | `Isa::all` and `PairIsa::best` ask the machine |
//! | `src/amx.rs`, `src/amx_product.rs` | the operating system permits AMX; tiles are inside the panel, the left side and the destination | asked once (`is_permitted`); rows and columns are looked up with a check, panels have whole tiles, and rows of the left side a term for each of their lines (asserted) |

#![warn(missing_docs)]
#![allow(clippy::needless_range_loop, reason = "kernels loop over numbers: `isa::Loop` says why")]

#[macro_use]
mod error_text;

#[cfg(target_arch = "x86_64")]
mod amx;
#[cfg(target_arch = "x86_64")]
mod amx_product;
#[cfg(test)]
mod any_numbers;
pub mod choice;
#[cfg(test)]
mod drawn;
pub mod element;
pub mod fused;
pub mod in_place;
pub mod isa;
pub mod kernels;
pub mod machine;
pub mod math;
pub mod memory;
pub mod operand;
mod packed;
pub mod pairs;
pub mod panels;
mod places;
pub mod product;
pub mod random;
pub mod registers;
pub mod room;
pub mod scratch;
mod square;
pub mod stored;
pub mod sums;
mod terms;
pub mod tile;
pub mod trace;
mod transpose;
mod tune;
mod vector;
