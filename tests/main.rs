//! What edb promises to its users, one subject a module, in one program: each further program of
//! tests would compile models, engines and trainers once more.

pub mod allocation;
pub mod backend;
pub mod bags;
pub mod bits;
pub mod book;
pub mod boundary;
pub mod cells;
pub mod checkpoints;
mod compile_fail;
pub mod expansion;
pub mod floors;
pub mod generated;
pub mod handles;
pub mod language;
pub mod policies;
pub mod refusals;
pub mod seeing;
pub mod training;
