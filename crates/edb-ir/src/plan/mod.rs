//! The compiled form of a vertex function: what the macro emits and the run time executes.
//!
//! What comes in is what the compiler has made: the joint program, the phase of each value and the
//! [routine](mod@crate::routine), for each section of the function, with how the sections are joined
//! ([`joint`]). What goes out is a [`Plan`] as bytes, which the macro writes into the user's crate.
//! There a model decodes it, and [`Plan::verify`] checks all of it (`joined.rs` what joins the
//! sections), since bytes are not trusted: only a [`Verified`] plan is run. `dot.rs` draws a plan.

mod dot;
mod joined;
pub mod joint;

use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::id::IdVec;
use crate::program::{Fingerprint, Program, ValueId};
use crate::routine::{self, Phase, Routine, RoutineError};
use crate::verify::{VerifyError, verify};

pub use joint::{Begin, Choice, Compared, JoinedState, Joint, Question, SectionChild, Sites};

/// A vertex function, compiled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The joint program, forward and backward.
    pub program: Program,
    /// The phase of each value.
    pub phases: IdVec<ValueId, Phase>,
    /// What a back end runs.
    pub routine: Routine,
    /// How it is joined with the other sections of its function, if there are others.
    pub joint: Option<Joint>,
    /// Of the first section of a function, the others.
    pub sections: Vec<Plan>,
    /// Of the first section of a function, with which one a vertex begins, as [`Choice`] says;
    /// without choices, with the first.
    pub choices: Vec<Choice>,
    /// Of the first section of a function, what the function means: as the compiler was told it, before
    /// any pass.
    pub fingerprint: Fingerprint,
}

/// A plan that has passed [`Plan::verify`]. Back ends rely on that where they write memory.
///
/// Cheap to clone.
#[derive(Clone, Debug, PartialEq)]
pub struct Verified(Arc<Plan>);

impl Verified {
    /// Checks a plan.
    ///
    /// # Errors
    /// As [`Plan::verify`].
    pub fn new(plan: Arc<Plan>) -> Result<Self, PlanError> {
        plan.verify()?;
        Ok(Self(plan))
    }
}

impl Deref for Verified {
    type Target = Plan;

    fn deref(&self) -> &Plan {
        &self.0
    }
}

/// Bytes that are not a plan of this version of edb.
#[derive(Debug, thiserror::Error)]
#[error("the bytes are not a plan of this version of edb-ir: {0}")]
pub struct DecodeError(#[from] postcard::Error);

/// Why a plan is rejected.
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
        /// The rule that it breaks.
        error: RoutineError,
    },
    /// What joins it with other sections names what does not exist.
    #[error("program `{program}`: its sections are not joined")]
    Joint {
        /// The function.
        program: String,
    },
    /// The phases are not those of the program's values.
    #[error("program `{program}`: its phases are not those of its values")]
    Phases {
        /// The function.
        program: String,
    },
}

impl Plan {
    /// The values that a phase computes, in order.
    pub fn phase(&self, phase: Phase) -> impl Iterator<Item = ValueId> + '_ {
        let of_phase = move |&(_, of): &(ValueId, &Phase)| *of == phase;
        self.phases.iter_enumerated().filter(of_phase).map(|(id, _)| id)
    }

    /// The plan as bytes, for [`Plan::decode`].
    pub fn encode(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("a plan encodes into memory")
    }

    /// Checks everything that back ends rely on. A model verifies each of its plans, also in
    /// release builds, since a plan may come from bytes.
    ///
    /// # Errors
    /// The first rule that program, phases or routine break.
    pub fn verify(&self) -> Result<(), PlanError> {
        verify(&self.program)?;
        let program = || self.program.name.clone();
        if !self.is_joined() {
            return Err(PlanError::Joint { program: program() });
        }
        // Whether a function follows the schedule is derived from the phases.
        let recurrent =
            |phase: &Phase| matches!(phase, Phase::Recurrent | Phase::BackwardRecurrent);
        let runs = self.routine.instructions.iter().any(|(phase, _)| recurrent(phase));
        let known = self.phases.raw.contains(&Phase::Recurrent);
        if self.phases.len() != self.program.values.len() || (runs && !known) {
            return Err(PlanError::Phases { program: program() });
        }
        routine::verify(&self.program, &self.routine)
            .map_err(|error| PlanError::Routine { program: program(), error })
    }

    /// The plan in `bytes`, unchecked: see [`Plan::verify`].
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
        write!(f, "{}", self.routine.describe(&self.program))?;
        if let Some(joint) = &self.joint {
            let name = |section: &u16| format!("section {section}");
            let targets: Vec<String> = joint.targets.iter().map(name).collect();
            let by = self.program.next.map_or_else(String::new, |id| format!(" by %{}", id.0));
            match targets.is_empty() {
                true => writeln!(f, "done")?,
                false => writeln!(f, "next{by}: {}", targets.join(", "))?,
            }
        }
        for (number, choice) in self.choices.iter().enumerate() {
            writeln!(f, "choice {number}: {}", choice.describe(&self.program))?;
        }
        for (number, section) in (1..).zip(&self.sections) {
            write!(f, "section {number}\n{section}")?;
        }
        Ok(())
    }
}
