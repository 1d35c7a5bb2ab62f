//! The memory of a minibatch on the device: its values, and the tables that describe its rows.
//!
//! Comes in: the layout of a minibatch, and the input that vertices pull. Goes out: the addresses of values and tables,
//! which kernels read, and copies of values, which the host reads. The back end calls it before the first phase, and
//! when rows move while graphs grow; `phases` asks it for addresses.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `arena` | the values of vertices and their gradients, in their stored number types |
//! | `tables`, `columns` | rows, edges and input, uploaded once, or what was appended |
//! | `relocation` | elements that move within a memory |
//! | `mirror` | copies on the host of values that were read from the GPU |

mod arena;
mod columns;
mod mirror;
mod relocation;
mod tables;

pub(crate) use arena::Arena;
pub(crate) use mirror::Mirror;
pub(crate) use relocation::move_all;
pub(crate) use tables::{FunctionTables, Tables, of_field};
