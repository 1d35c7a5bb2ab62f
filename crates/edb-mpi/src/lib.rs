//! Training by many processes, over MPI, which every cluster has.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `world` | [`World`]: messages between ranks, as a [`Collective`](edb_learn::collective::Collective) |
//! | `launch` | whether a launcher has started this process, and where its library may be |
//! | `library` | the functions of an MPI library, opened at run time |
//! | `error` | why there is no world |
//!
//! Nothing of MPI is needed to build it. One program runs with MPICH and its relatives (Intel MPI,
//! MVAPICH, Cray MPICH), with Open MPI, and with any library that has the standard ABI of MPI 5.
//!
//! Invariant: MPI carries bytes from one rank to another, and does nothing else: its reductions do
//! not add up in an order that edb could promise.
#![deny(unsafe_code)]
#![warn(missing_docs)]

mod error;
mod launch;
// The only file with unsafe code.
#[allow(unsafe_code)]
mod library;
mod world;

pub use error::MpiError;
pub use world::World;
