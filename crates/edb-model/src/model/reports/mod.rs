//! What a model that has been built tells about itself.
//!
//! Comes in: a model, and for fingerprints the metadata of a file. Goes out: text, data and warnings for people; nothing
//! that runs depends on it. Users call it by methods of a model, such as `summary`, and loading a file of parameters calls
//! `fingerprints`.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `summary` | what the model consists of |
//! | `reached` | which parameters a loss can reach |
//! | `fingerprints` | of which functions the parameters in a file are |

mod fingerprints;
mod reached;
mod summary;

pub use summary::{FieldSummary, FunctionSummary, ParameterSummary, Summary};
