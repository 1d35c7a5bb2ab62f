//! Reports about a model that has been built.
//!
//! The input is a model, and for fingerprints the metadata of a file. The results are texts, data and
//! warnings for people; nothing that runs depends on them. Users call methods of a model, such as `summary`;
//! loading a file of parameters calls `fingerprints`.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `summary` | what the model consists of |
//! | `reached` | which parameters a loss can reach |
//! | `fingerprints` | to which functions the parameters in a file belong |

mod fingerprints;
mod reached;
mod summary;

pub use summary::{FieldSummary, FunctionSummary, ParameterSummary, Summary};
