//! The compiled form of a vertex function: what the macro emits and the run time executes.

use serde::{Deserialize, Serialize};

use crate::autodiff::differentiate;
use crate::batching::Batching;
use crate::outlets::separate;
use crate::phase::{Phase, phases};
use crate::program::{Program, ValueId};
use crate::routine::{Options, Routine};
use crate::simplify::simplify;
use crate::verify::debug_verify;

/// A vertex function, compiled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The joint program, forward and backward.
    pub program: Program,
    /// The phase of each value.
    pub phases: Vec<Phase>,
    /// What runs.
    pub routine: Routine,
}

/// Bytes that are not a plan of this version of edb.
#[derive(Debug, thiserror::Error)]
#[error("the bytes are not a plan of this version of edb-ir: {0}")]
pub struct DecodeError(#[from] postcard::Error);

impl Plan {
    /// Compiles a forward program: all passes, in order, verified after each in debug builds.
    pub fn compile(program: Program) -> Plan {
        debug_verify(&program, "building");
        let mut program = program;
        type Pass = fn(Program) -> Program;
        let passes: [(&str, Pass); 4] = [
            ("simplify", simplify),
            ("autodiff", differentiate),
            ("simplify, joint", simplify),
            ("outlets", separate),
        ];
        for (name, pass) in passes {
            program = pass(program);
            debug_verify(&program, name);
        }
        let phases = phases(&program);
        let batching = Batching::plan(&program, &phases);
        let routine = Routine::new(&program, &phases, &batching, Options::default());
        Plan { program, phases, routine }
    }

    /// The same function without something that plans make use of, to see what it gains.
    pub fn with(&self, options: Options) -> Plan {
        let scheduled = |phase: &Phase| match phase {
            Phase::Eager | Phase::Lazy => Phase::Recurrent,
            Phase::BackwardEager | Phase::BackwardLazy => Phase::BackwardRecurrent,
            other => *other,
        };
        let mut phases = phases(&self.program);
        if !options.lazy {
            phases = phases.iter().map(scheduled).collect();
        }
        let batching = Batching::plan(&self.program, &phases);
        let routine = Routine::new(&self.program, &phases, &batching, options);
        Plan { program: self.program.clone(), phases, routine }
    }

    /// The values that a phase computes, in order.
    pub fn phase(&self, phase: Phase) -> impl Iterator<Item = ValueId> + '_ {
        let of_phase = move |&(_, of): &(usize, &Phase)| *of == phase;
        self.phases.iter().enumerate().filter(of_phase).map(|(at, _)| ValueId(at as u32))
    }

    /// The plan as bytes, for [`Plan::decode`].
    pub fn encode(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("a plan encodes into memory")
    }

    /// The plan in `bytes`.
    ///
    /// # Errors
    /// When they were not written by [`Plan::encode`] of this version.
    pub fn decode(bytes: &[u8]) -> Result<Plan, DecodeError> {
        Ok(postcard::from_bytes(bytes)?)
    }
}

impl std::fmt::Display for Plan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.program)?;
        for phase in Phase::ALL {
            let values: Vec<String> = self.phase(phase).map(|id| format!("%{}", id.0)).collect();
            if !values.is_empty() {
                writeln!(f, "  phase {phase:?}: {}", values.join(" "))?;
            }
        }
        writeln!(f, "routine")?;
        write!(f, "{}", self.routine.describe(&self.program))
    }
}
