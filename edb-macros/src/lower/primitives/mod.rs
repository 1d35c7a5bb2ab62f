//! The primitives, by which a vertex meets the world: `gather`, `pull`, `scatter`, `push` and `loss`.
//!
//! Comes in: a call of a primitive, or a field of what it returned. Goes out: ports of the program, and the values that
//! are read from them. `calls` and `statements` call it.
//!
//! | file | what it lowers |
//! | --- | --- |
//! | `port` | calls of the primitives |
//! | `gather` | the fixed children |
//! | `field` | fields of port structs, which are read when they are accessed |
//! | `results` | `scatter`, `push` and `loss` |

mod field;
mod gather;
mod port;
mod results;

pub(crate) use results::pushes_list;
