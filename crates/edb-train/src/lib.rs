//! Training: what a program calls from its first step to its last checkpoint.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`trainer`] | steps, their settings and errors; checkpoints; private and distributed training |
//! | [`feed`] | the order of samples |
//! | [`metrics`] | scores |
//! | [`log`] | logs of runs |

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod feed;
pub mod log;
pub mod metrics;
pub mod trainer;
