//! The policies: the rules by which a schedule is made.
//!
//! What comes in is a [`TypeGraph`](crate::TypeGraph). What goes out is its
//! [`Schedule`](crate::Schedule). Each policy has a file. Some choose by the ready vertices alone
//! (`agenda.rs`, `sufficient.rs`, `fsm.rs`, `order.rs`, by the loop of `chooser.rs`), some also by
//! the numbers of a [`State`](crate::running::State) (`heuristic.rs`, `index.rs`), one tries many
//! orders and keeps the shortest (`look_ahead.rs`), and one needs no choice (`depth.rs`).
//! [`Policy`] names all of them, and so is what everyone calls: the engine through the
//! [`Scheduler`](crate::Scheduler), `learning/` to compare policies, [`search`](crate::search) to
//! begin with a good schedule.
//!
//! A new policy is a file here, a variant with its name in `policy.rs`, a record in `files/saved.rs`, and a
//! candidate in `learning/best.rs` if it is to be tried.

mod agenda;
mod chooser;
mod custom;
mod depth;
mod fsm;
mod heuristic;
mod index;
mod look_ahead;
mod order;
mod policy;
mod states;
mod sufficient;

pub use custom::CustomPolicy;
pub use fsm::{Coverage, Fsm};
pub use index::{FEATURES, IndexPolicy};
pub use look_ahead::LookAhead;
pub(crate) use look_ahead::replay;
pub use order::TypeOrder;
pub use policy::{Best, Policy};
pub use states::Encoding;
pub(crate) use states::States;
