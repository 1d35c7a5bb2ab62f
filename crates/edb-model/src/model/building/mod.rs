//! How a model is built and checked.
//!
//! The inputs are the vertex functions that a user adds, with their dimensions. The result is a `Model`
//! whose plans and numbers were all checked, or all problems at once. Users call [`ModelBuilder`]; `derived`
//! also calls it, for models that are made from another one.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `builder` | collects the functions of a model |
//! | `add_all` | adds the functions of a struct together |
//! | `build` | makes the model |
//! | `ports` | matches the ports of functions with the states of the model |
//! | `check` | the last checks, on which `unsafe` code of back ends relies |
//! | `testing` | methods of the builder for tests and measurements |

mod add_all;
mod build;
mod builder;
mod check;
mod ports;
mod testing;

pub use add_all::{FunctionField, FunctionFields, Functions};
pub use builder::ModelBuilder;
pub use testing::{TestBuilder, add_source};
