//! Methods of a builder for tests and measurements, which programs do not need.

use std::sync::Arc;

use edb_ir::source::source;
use edb_ir::{FunctionId, Plan, Program};

use super::builder::ModelBuilder;
use crate::model::added::{AddedFunction, Original, PortInfo};
use crate::model::setup::Setup;
use edb_kernels::fused::CompiledKernels;
use edb_vertex::function::Source;

/// Methods of a [`ModelBuilder`] for tests and measurements. They switch optimisations off, to measure how much
/// these gain, or give the model other plans.
pub trait TestBuilder {
    /// Like [`ModelBuilder::add_program`], for a vertex function whose plan was compiled elsewhere. The program
    /// before the compiler's passes is not known, so the function cannot be compared with an eager run.
    fn add_plan(&mut self, plan: Plan, setup: Setup) -> FunctionId;

    /// Replaces the plan of each function that has been added by the plan that `new` returns for it. `replan`
    /// of the crate `edb-compiler` leaves out some optimisations: results are the same except for rounding. The
    /// macro's compiled kernels belong to the macro's plan, and are not used for another plan.
    fn replan(&mut self, new: impl Fn(&Plan) -> Plan);

    /// Interprets the fused kernels of the functions that have been added, even if they are compiled. Results
    /// have the same bits. So the gain of an optimisation can be measured separately from the gain of compiled
    /// kernels.
    fn interpret_kernels(&mut self);
}

/// Adds a function that makes children, for the test of another function.
pub fn add_source(
    builder: &mut ModelBuilder,
    Source { state, own }: &Source,
    setup: Setup,
) -> FunctionId {
    let Program { name, dims, states, .. } = &own.plan.program;
    let program = source(name, dims, &states[0]).expect("its plan was made of it");
    let added = AddedFunction::of_flow(program.into(), |_| own.plan.clone());
    let states = vec![PortInfo::of_type(state)];
    let original = added.original.map(|original| Original { states: states.clone(), ..original });
    builder.functions.push((AddedFunction { states, original, ..added }, setup))
}

impl TestBuilder for ModelBuilder {
    fn add_plan(&mut self, plan: Plan, setup: Setup) -> FunctionId {
        self.functions.push((AddedFunction::of_plan(plan), setup))
    }

    fn replan(&mut self, new: impl Fn(&Plan) -> Plan) {
        for (source, _) in &mut self.functions.raw {
            // An invalid plan is reported when the model is built.
            if source.plan.verify().is_err() {
                continue;
            }
            let plan = new(&source.plan);
            if plan == *source.plan {
                continue;
            }
            source.kernels = CompiledKernels::NONE;
            let sections = plan.sections.iter().zip(&source.plan.sections);
            for (kernels, (new, old)) in source.section_kernels.iter_mut().zip(sections) {
                if new != old {
                    *kernels = CompiledKernels::NONE;
                }
            }
            source.plan = Arc::new(plan);
        }
    }

    fn interpret_kernels(&mut self) {
        for (source, _) in &mut self.functions.raw {
            source.kernels = CompiledKernels::NONE;
            source.section_kernels.fill(CompiledKernels::NONE);
        }
    }
}
