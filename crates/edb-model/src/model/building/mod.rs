//! How a model is built and checked.
//!
//! Comes in: the vertex functions that a user adds, with their dimensions. Goes out: a `Model`, of which all plans and
//! numbers were checked, or all problems at once. Users call [`ModelBuilder`]; `derived` calls it, too, for models that are
//! made of another one.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `builder` | what a user tells of a model |
//! | `build` | how a model is made of it |
//! | `ports` | the ports of functions are matched with what was told |
//! | `check` | the last checks, on which `unsafe` code of back ends relies |
//! | `testing` | what tests and measurements do with a builder, and programs do not |

mod build;
mod builder;
mod check;
mod ports;
mod testing;

pub use builder::ModelBuilder;
pub use testing::{TestBuilder, add_source};
