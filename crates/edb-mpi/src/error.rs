//! Why there is no world.

/// Why the ranks that a launcher has started cannot meet.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MpiError {
    /// A launcher has started this process as one of several, but there is no library.
    #[error(
        "a launcher has started {processes} processes, but no MPI library was found ({}): install the \
         launcher's library, or set {} to its path",
        tried.join("; "),
        crate::launch::VARIABLE
    )]
    NotFound {
        /// How many processes the launcher has started.
        processes: usize,
        /// What was tried, and why it failed.
        tried: Vec<String>,
    },
    /// The library sees another number of processes than the launcher has started.
    #[error(
        "a launcher has started {processes} processes, but {library} sees {ranks}: it is another MPI \
         than the launcher's, or the launcher was not told to use MPI (for Slurm, `srun --mpi=pmix` or \
         `--mpi=pmi2`); set {} to the path of the launcher's library",
        crate::launch::VARIABLE
    )]
    OtherLauncher {
        /// The library.
        library: String,
        /// How many processes the launcher has started.
        processes: usize,
        /// How many the library sees.
        ranks: usize,
    },
    /// A function of the library has failed.
    #[error("{call} of {library}: {reason}")]
    Library {
        /// The library.
        library: String,
        /// The function.
        call: &'static str,
        /// What the library says.
        reason: String,
    },
    /// MPI has been opened in this process before.
    #[error("MPI opens only once in a process: keep the first `World`, or a clone of it")]
    OpenedTwice,
}

edb_learn::debug_is_display!(MpiError);
