//! Code that ties a function to its plan: if rustc takes a name for something else than the plan, there is an error.
//! (Variables are in `crate::names`, edb's own functions in `crate::emit`.)
//!
//! | file | what it ties |
//! | --- | --- |
//! | `types` | types, and names in patterns |
//! | `called` | calls of helpers |
//! | `ports` | the structs of ports, and their derives |

pub(crate) mod called;
pub(crate) mod ports;
pub(crate) mod types;
