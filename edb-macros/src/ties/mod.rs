//! What ties a function to its plan: names mean in it what rustc takes them for, or there is an error.
//! (Variables are in `crate::names`, edb's own functions in `crate::emit`.)
//!
//! | file | what it ties |
//! | --- | --- |
//! | `types` | types, and names in patterns |
//! | `called` | calls of helpers |

pub(crate) mod called;
pub(crate) mod types;
