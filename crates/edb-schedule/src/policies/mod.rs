//! The policies: the rules by which a schedule is made.
//!
//! The input is a [`TypeGraph`](crate::TypeGraph). The result is its [`Schedule`](crate::Schedule). Each policy has a
//! file. Some choose with the [`Frontier`](crate::running::Frontier) alone, in the loop of `chooser.rs` (`agenda.rs`,
//! `sufficient.rs`, `fsm.rs`, `order.rs`); some also use the numbers of a [`State`](crate::running::State)
//! (`heuristic.rs`); one tries many orders and keeps the shortest schedule (`look_ahead.rs`); one chooses by the
//! states of types (`machine.rs`); and one needs no choice (`depth.rs`). Everyone calls them through [`Policy`]: the
//! engine with a [`Scheduler`](crate::Scheduler), `learning/` to compare policies, [`search`](crate::search) to begin
//! with a good schedule.
//!
//! To add a policy, add a file here, a variant with its name in `policy.rs`, a record in `files/saved.rs`, and
//! a candidate in `learning/best.rs` if learning should try it.

mod agenda;
mod chooser;
mod custom;
mod depth;
mod fsm;
mod heuristic;
mod look_ahead;
mod machine;
mod order;
mod policy;
mod states;
mod sufficient;

pub use custom::CustomPolicy;
pub use fsm::{Coverage, Fsm};
pub use look_ahead::LookAhead;
pub(crate) use look_ahead::replay;
pub(crate) use machine::{Choices, LEVELS, WHOLE};
pub use machine::{Decision, Machine, MachineState, MeasureLevels, ReadyType};
pub use order::TypeOrder;
pub use policy::{Best, Policy};
pub use states::Encoding;
pub(crate) use states::States;
