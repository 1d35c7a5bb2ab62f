//! Expressions that are neither calls nor control flow, and patterns.
//!
//! Comes in: an expression or a pattern of the user's code. Goes out: a value whose ops are in the program, or names that
//! are bound to values. Statements call it, and so does each construct that contains an expression.
//!
//! | file | what it lowers |
//! | --- | --- |
//! | `expression` | all expressions except calls and operators |
//! | `arithmetic` | operators |
//! | `pattern` | patterns, and the hints that they give |

mod arithmetic;
mod expression;
mod pattern;

pub(crate) use arithmetic::Arithmetic;
pub(crate) use pattern::part_of;
