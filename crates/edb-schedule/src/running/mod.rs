//! A graph while it is being scheduled: what has run, and what can run now.
//!
//! The inputs are a [`TypeGraph`](crate::TypeGraph), and after each choice the type whose ready vertices run
//! next. The results are the ready vertices ([`Frontier`]), the vertices that wait for none of their own type
//! ([`TypeFrontiers`], ED-Batch, lemma 2.1), what a machine sees of each type ([`Measured`]), both together for the
//! heuristic ([`State`]), and in the end the [`Schedule`](crate::Schedule).
//!
//! Policies call this code once for each batch.

mod frontier;
mod measured;
mod state;
mod type_frontiers;

pub(crate) use frontier::{Frontier, ReadyTypes};
pub(crate) use measured::{MEASURES, Measured, Share};
pub(crate) use state::State;
pub(crate) use type_frontiers::TypeFrontiers;
