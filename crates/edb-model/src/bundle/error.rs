//! Why a bundle cannot be saved or opened.

use std::path::{Path, PathBuf};

use crate::model::error::ModelError;
use edb_learn::learn::{BUNDLE, LearnError};
use edb_schedule::PolicyFileProblem;

/// A bundle that cannot be saved or opened.
#[derive(thiserror::Error)]
#[error("{}{problem}", of_file(path, problem))]
pub struct BundleError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    #[source]
    pub problem: Box<BundleProblem>,
}

/// The file that a problem is of, unless the problem says so itself.
fn of_file(path: &Path, problem: &BundleProblem) -> String {
    match problem {
        BundleProblem::Learn(_) => String::new(),
        _ => format!("{}: ", path.display()),
    }
}

/// What can be wrong with a bundle.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum BundleProblem {
    /// The file cannot be read or written, or its parameters are not those of its functions.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// It has parameters, and no functions.
    #[error(
        "it has no functions, so it is no bundle: write it by `model.save_bundle(path)`, or read its parameters by \
         `ModelBuilder::load`"
    )]
    NoBundle,
    /// It is of a version that this edb does not know.
    #[error(
        "it is a bundle of version {found}, and this edb reads up to version {known}: use a newer edb"
    )]
    Version {
        /// Its version.
        found: u32,
        /// The greatest that can be read.
        known: u32,
    },
    /// Its numbers are of another type.
    #[error(
        "its numbers are {found}: open it by `Bundle::<{found}>::open` instead of `Bundle::<{wanted}>::open`"
    )]
    Element {
        /// Their type.
        found: String,
        /// The type in which it was opened.
        wanted: &'static str,
    },
    /// Its text is not what this version of the format has.
    #[error("the text `{BUNDLE}` in its header is broken: {0}")]
    Text(#[from] serde_json::Error),
    /// A function in it is broken.
    #[error("its function `{function}` is broken: {reason}")]
    Function {
        /// The function.
        function: String,
        /// What is wrong.
        reason: String,
    },
    /// Its functions do not make a model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Its policy is broken, or not for its functions.
    #[error("its policy: {0}")]
    Policy(#[from] PolicyFileProblem),
    /// A note has the name under which functions are saved.
    #[error(
        "a note is called `{BUNDLE}`, as edb calls the functions in a bundle: give it another name"
    )]
    ReservedNote,
}

edb_kernels::debug_is_display!(BundleError, BundleProblem);

impl BundleProblem {
    /// The error for this file.
    pub(super) fn of(self, path: &Path) -> BundleError {
        BundleError { path: path.to_owned(), problem: Box::new(self) }
    }
}
