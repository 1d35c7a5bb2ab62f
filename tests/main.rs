//! What edb promises its users, with a module for each subject. All are one program, since each
//! further one would have to compile models, engines and trainers again.

pub mod accounts;
pub mod allocation;
pub mod attacks;
pub mod backend;
pub mod bags;
pub mod bits;
pub mod book;
pub mod boundary;
pub mod branches;
pub mod cells;
pub mod checkpoints;
pub mod decisions;
pub mod derivatives;
mod doc_examples;
pub mod expansion;
pub mod face;
pub mod files;
pub mod floors;
pub mod generated;
pub mod growing;
pub mod handles;
pub mod language;
mod lengths;
pub mod lists;
pub mod memory;
pub mod messages;
pub mod optional;
pub mod paths;
pub mod policies;
pub mod private;
pub mod refusals;
pub mod sections;
pub mod seeing;
pub mod together;
pub mod training;
pub mod variants;
