//! Ranks that are processes, started by the launchers of this machine.
//!
//! `EDB_MPI_LAUNCHERS` names them, separated by `:`; otherwise it is `mpirun`, if there is one, and
//! nothing is tested without one, which a line says. `EDB_REQUIRE_MPI` makes that an error.

mod kills;
mod launchers;
mod program;
mod runs;
