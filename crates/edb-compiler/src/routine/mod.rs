//! From batched contractions to the routine that a back end runs.
//!
//! | step | module |
//! | --- | --- |
//! | pieces that calls need side by side become records | `records` |
//! | values and groups become items that read and write pieces; copies if needed | `items` |
//! | items in an order, pointwise ones fused into kernels | `order` |
//! | what each record's memory is | `homes` |
//! | what a kernel overwrites | `in_place` |

mod homes;
mod in_place;
mod items;
mod order;
mod records;

use edb_ir::routine::debug_verify;
use edb_ir::{IdVec, Phase, Program, Routine, ValueId};

use crate::batching::Batching;
use crate::options::Options;

/// The routine of a joint program with this batching.
pub fn routine(
    program: &Program,
    phases: &IdVec<ValueId, Phase>,
    batching: &Batching,
    options: Options,
) -> Routine {
    let mut memory = records::RecordDrafts::new(program, batching, options.layout);
    let items = items::items(program, phases, batching, &mut memory);
    let ordered = order::order(program, &items, &memory, options.fusion);
    let routine = homes::settle(program, memory, &items, ordered, options);
    debug_verify(program, &routine);
    routine
}
