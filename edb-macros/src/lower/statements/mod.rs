//! Statements and control flow.
//!
//! Comes in: a block of the user's code. Goes out: variables with new values, blocks of the program for branches and loops
//! on values, and errors for what the language does not have. `lower::function` calls it for the body of a function; what
//! contains a block calls it for that.
//!
//! | file | what it lowers |
//! | --- | --- |
//! | `statement` | blocks, `let`, assignments |
//! | `branch`, `optional` | `if` and `match` on values; on an input that a vertex may be without |
//! | `loops`, `accumulate` | loops over ranges, arrays and children; what a loop over children adds to |
//! | `repeat` | `while` and `loop` on values |
//! | `unsupported` | constructs that the language does not have |

mod accumulate;
mod branch;
mod loops;
mod optional;
mod repeat;
mod statement;
mod unsupported;
