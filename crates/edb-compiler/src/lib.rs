//! The compiler of a vertex function: from the program of one vertex to a plan.
//!
//! The macro front end (`edb-macros`) lowers a Rust function into a [`Program`] with the
//! [`Builder`](edb_ir::Builder), and [`compile`] runs the passes over it:
//!
//! | pass | module |
//! | --- | --- |
//! | branches and loops, to sections, each a program | [`flow`] |
//! | whether what is decided is in doubt | [`edb_ir::doubt`] |
//! | constants, common values, dead values | [`mod@simplify`] |
//! | autodiff, to a joint forward/backward program | [`edb_ir::autodiff`], by the rules of the op table |
//! | a value of its own for every port field | [`outlets`] |
//! | what is cheap, computed again backward | [`mod@recompute`] |
//! | phases | [`mod@phases`] |
//! | which contractions run together | [`batching`] |
//! | the memory layout of their operands | [`layout`] |
//! | what a back end runs: fused kernels, products, copies | [`mod@routine`] |
//!
//! This happens when a user's crate is built. The run time does not depend on this crate, since the
//! [`Plan`] holds all that it needs. To make a program at run time, call [`compile`] and pass the
//! plan to `ModelBuilder::add_program`.
//!
//! # Where what is decided
//!
//! The passes above say most of it. Paths are relative to the crate.
//!
//! | question | file |
//! | --- | --- |
//! | What of a function becomes a variant, what is chosen, and what becomes sections? | `src/flow/resolve.rs`, `src/flow/select.rs`, `src/flow/outline.rs` (the cuts), `src/flow/drafts.rs` (what is handed on), `src/flow/emit.rs` (the programs) |
//! | Which values are side by side in memory? | `src/layout/` (the order), `src/routine/records.rs` (the records) |
//! | Which ops are one kernel? | `src/routine/order.rs` |
//! | In which memory is each record, and what is overwritten? | `src/routine/homes.rs`, `src/routine/in_place.rs` |
//!
//! # Names
//!
//! | name | what it means | where |
//! | --- | --- | --- |
//! | piece | a part of a value that no slice or concatenation divides further | `Piece`, `src/batching/pieces.rs` |
//! | product | one piece of the result of a contraction, as a sum of matrix blocks times pieces | `Product`, `src/batching/product.rs` |
//! | group | products of one kind and shape that are ready together and run as one call | `Group`, `src/batching/group.rs` |
//! | stack | products over the same arguments, computed as one product with stacked weights | `Stack`, `src/batching/group.rs` |
//! | call | a group or another value, in the order in which a phase runs them | `Call`, `src/batching/calls.rs` |
//! | layout | which values are side by side (the engine's layout is another thing: where rows are) | `src/layout/` |
//! | item | a unit of work of a routine before pointwise ones are fused, with the pieces that it reads and writes | `Item`, `src/routine/items.rs` |
//! | section | what a vertex runs between two decisions: a program | `src/flow/` |
//! | variant | a way through the branches on indices that are pulled: a program, which a vertex's input chooses before anything runs | `src/flow/resolve.rs` |
//! | carry | the state that sections hand to one another | `Carries`, `src/flow/drafts.rs` |
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod batching;
pub mod flow;
pub mod layout;
mod options;
pub mod outlets;
pub mod phases;
pub mod recompute;
pub mod routine;
pub mod simplify;

use edb_ir::autodiff::differentiate;
use edb_ir::verify::{debug_verify, verify};
use edb_ir::{Fingerprint, Flow, Phase, Plan, Program};

pub use options::Options;

use batching::Batching;
use outlets::separate;
use phases::phases;
use recompute::recompute;
use routine::routine;
use simplify::simplify;

/// Compiles a function with branches and loops: its first section, with the others in it.
pub fn compile_flow(flow: Flow) -> Plan {
    let fingerprint = Fingerprint::of(&flow);
    let (sections, choices) = flow::sections(flow);
    let mut plans = sections.into_iter().map(|section| {
        let mut plan = compile_section(section.program);
        plan.joint = section.joint;
        plan
    });
    let mut first = plans.next().expect("a function begins");
    first.sections = plans.collect();
    first.choices = choices;
    first.fingerprint = fingerprint;
    first
}

/// Compiles a forward program: all passes, in order, verified after each in debug builds.
pub fn compile(program: Program) -> Plan {
    let flow = Flow::from(program);
    let fingerprint = Fingerprint::of(&flow);
    Plan { fingerprint, ..compile_section(flow.program) }
}

fn compile_section(program: Program) -> Plan {
    compile_by(edb_ir::doubt::doubt(program), differentiate)
}

/// Compiles the [tangent](edb_ir::tangent::tangent) of a plan: of a function with sections that of
/// each.
///
/// # Errors
/// When the tangent is too large for a program.
pub fn tangent(plan: &Plan) -> Result<Plan, String> {
    tangent_by(plan, &|program| Ok(edb_ir::tangent::tangent(program)))
}

/// The same for products with the [Gauss-Newton matrix](edb_ir::tangent::gauss_newton).
///
/// # Errors
/// When the tangent is too large for a program, or a loss depends on more than what is pushed.
pub fn gauss_newton(plan: &Plan) -> Result<Plan, String> {
    tangent_by(plan, &edb_ir::tangent::gauss_newton)
}

/// Compiles what pushes the [losses](edb_ir::losses) of a plan, one by one.
pub fn push_losses(plan: &Plan) -> Plan {
    let derive = |program: &Program| Ok(edb_ir::losses::push_losses(program));
    derive_by(plan, &derive, differentiate).expect("a program that pushes more is one")
}

fn tangent_by(
    plan: &Plan,
    tangent: &dyn Fn(&Program) -> Result<Program, String>,
) -> Result<Plan, String> {
    derive_by(plan, tangent, edb_ir::tangent::differentiate_tangent)
}

/// Compiles what is derived from the programs of a plan and its sections.
fn derive_by(
    plan: &Plan,
    derive: &dyn Fn(&Program) -> Result<Program, String>,
    differentiate: Pass,
) -> Result<Plan, String> {
    let program = derive(&plan.program)?;
    verify(&program).map_err(|error| error.to_string())?;
    let compiled = compile_by(program, differentiate);
    let sections = plan.sections.iter().map(|section| derive_by(section, derive, differentiate));
    let (joint, choices) = (plan.joint.clone(), plan.choices.clone());
    // What is derived from a function is told by it.
    let fingerprint = plan.fingerprint.clone();
    let sections = sections.collect::<Result<_, _>>()?;
    Ok(Plan { joint, choices, sections, fingerprint, ..compiled })
}

/// A pass over programs.
type Pass = fn(Program) -> Program;

fn compile_by(mut program: Program, differentiate: Pass) -> Plan {
    debug_verify(&program, "building");
    let passes: [(&str, Pass); 5] = [
        ("simplify", simplify),
        ("autodiff", differentiate),
        ("simplify, joint", simplify),
        ("outlets", separate),
        ("recompute", recompute),
    ];
    for (name, pass) in passes {
        program = pass(program);
        debug_verify(&program, name);
    }
    let phases = phases(&program);
    let batching = Batching::plan(&program, &phases);
    let routine = routine(&program, &phases, &batching, Options::default());
    let (sections, choices) = (Vec::new(), Vec::new());
    let fingerprint = Fingerprint::default();
    Plan { program, phases, routine, joint: None, sections, choices, fingerprint }
}

/// Compiles the program of a plan again without some optimisations, to measure what they gain.
pub fn replan(plan: &Plan, options: Options) -> Plan {
    let scheduled = |phase: &Phase| match phase {
        Phase::Eager | Phase::Lazy => Phase::Recurrent,
        Phase::BackwardEager | Phase::BackwardLazy => Phase::BackwardRecurrent,
        other => *other,
    };
    let program = plan.program.clone();
    let mut phases = phases(&program);
    if !options.lazy {
        phases = phases.iter().map(scheduled).collect();
    }
    let batching = Batching::plan(&program, &phases);
    let routine = routine(&program, &phases, &batching, options);
    let sections = plan.sections.iter().map(|section| replan(section, options)).collect();
    let (joint, choices) = (plan.joint.clone(), plan.choices.clone());
    let fingerprint = plan.fingerprint.clone();
    Plan { program, phases, routine, joint, sections, choices, fingerprint }
}
