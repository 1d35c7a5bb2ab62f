//! The compiled form of a vertex function: what the macro emits and the run time executes.

use serde::{Deserialize, Serialize};

use crate::autodiff::differentiate;
use crate::batching::Batching;
use crate::outlets::separate;
use crate::phase::{Phase, phases};
use crate::program::{Program, ValueId};
use crate::routine::{self, Options, Routine, RoutineError};
use crate::simplify::simplify;
use crate::verify::{VerifyError, debug_verify, verify};

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

/// Why a plan is not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The program breaks a rule.
    #[error(transparent)]
    Program(#[from] VerifyError),
    /// The routine breaks a rule.
    #[error("program `{program}`, {error}")]
    Routine {
        /// The function.
        program: String,
        /// What it breaks.
        error: RoutineError,
    },
    /// The phases are not those of the program's values.
    #[error("program `{program}`: its phases are not those of its values")]
    Phases {
        /// The function.
        program: String,
    },
}

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

    /// Checks everything that running the plan rests on. A model checks each of its plans so, also in
    /// release, since a plan may come from bytes.
    ///
    /// # Errors
    /// The first rule that program, phases or routine break.
    pub fn verify(&self) -> Result<(), PlanError> {
        verify(&self.program)?;
        let program = || self.program.name.clone();
        // Whether a function follows the schedule is asked of the phases.
        let recurrent =
            |phase: &Phase| matches!(phase, Phase::Recurrent | Phase::BackwardRecurrent);
        let runs = self.routine.steps.iter().any(|(phase, _)| recurrent(phase));
        let known = self.phases.contains(&Phase::Recurrent);
        let children = !self.program.slots.is_empty() || self.program.rest.is_some();
        if self.phases.len() != self.program.values.len() || (runs && !known && children) {
            return Err(PlanError::Phases { program: program() });
        }
        routine::verify(&self.program, &self.routine)
            .map_err(|error| PlanError::Routine { program: program(), error })
    }

    /// The plan in `bytes`, as they say: [`Plan::verify`] tells whether it is one.
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
