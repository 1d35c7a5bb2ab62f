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
//! | [`stored`], [`lines`], [`columns`] | products with a matrix that stays where it is |
//! | [`tile`] | the inner loops of products, and which of them is the fastest here |
//! | [`sums`] | sums that do not drift |
//! | [`kernels`], [`fused`] | ops row by row; several of them in one pass |
//! | [`machine`] | the peak performance of this machine, to compare with |
//! | [`trace`] | spans and events, and a trace in a file |

#![warn(missing_docs)]
#![allow(clippy::needless_range_loop, reason = "kernels loop over numbers: `isa::Loop` says why")]

#[cfg(target_arch = "x86_64")]
mod amx;
#[cfg(target_arch = "x86_64")]
mod amx_product;
pub mod columns;
#[cfg(test)]
mod drawn;
pub mod element;
pub mod fused;
pub mod isa;
pub mod kernels;
pub mod lines;
pub mod machine;
pub mod math;
pub mod memory;
pub mod operand;
mod packed;
pub mod pairs;
pub mod panels;
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
