//! Calls of functions, methods and helpers.
//!
//! Comes in: a call in the user's code. Goes out: the value that it returns. Where a helper's tokens have not arrived yet,
//! the helper is noted as missing, and the expansion requests it. `expressions` calls it.
//!
//! | file | what it lowers |
//! | --- | --- |
//! | `call` | primitives, ops with function syntax, and helpers |
//! | `method` | ops of the table, and methods with arguments other than tensors |
//! | `helpers`, `argument` | helpers, inlined or checked on their own |
//! | `elsewhere` | names from other libraries, to suggest those of edb |

mod argument;
mod call;
mod elsewhere;
mod helpers;
mod method;

pub(crate) use call::{function_of_edb, functions};
pub(crate) use elsewhere::function as function_elsewhere;
pub(crate) use method::{ITERATORS, OPTIONAL, methods};
