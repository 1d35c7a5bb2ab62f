//! Whether a launcher has started this process, and where its library may be.

use std::env;
use std::path::PathBuf;

/// The environment variable with the path of the library, in place of the search for one.
pub(crate) const VARIABLE: &str = "EDB_MPI_LIBRARY";

/// What launchers tell the processes that they start, as an environment variable: how many there are.
/// Open MPI; MPICH, Intel MPI and MVAPICH (Hydra); Cray; Slurm.
const SIZES: [&str; 5] =
    ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_SIZE", "PALS_SIZE", "SLURM_STEP_NUM_TASKS"];

/// The same for the place of a process among those on its machine.
const LOCAL_RANKS: [&str; 4] =
    ["OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PALS_LOCAL_RANKID", "SLURM_LOCALID"];

/// The names of libraries: of the standard ABI, of MPICH's, and of Open MPI's. Without versions, names
/// are often linker scripts, which cannot be opened.
const STANDARD: [&str; 1] = ["libmpi_abi.so.1"];
const MPICH: [&str; 3] = ["libmpi.so.12", "libmpich.so.12", "libmpi_cray.so.12"];
const OPEN_MPI: [&str; 2] = ["libmpi.so.40", "libmpi.so.80"];

/// How many processes the launcher has started; `None` without a launcher.
pub(crate) fn processes() -> Option<usize> {
    number(&SIZES)
}

/// The place of this process among those on its machine, if the launcher says it.
pub(crate) fn local_rank() -> Option<usize> {
    number(&LOCAL_RANKS)
}

/// The number in the first of these environment variables that has one.
fn number(names: &[&str]) -> Option<usize> {
    names.iter().find_map(|name| env::var(name).ok()?.trim().parse().ok())
}

/// The libraries to try, in this order.
pub(crate) fn candidates() -> Vec<PathBuf> {
    if let Some(path) = env::var_os(VARIABLE) {
        return vec![path.into()];
    }
    let open_mpi = env::var_os("OMPI_COMM_WORLD_SIZE").is_some();
    let names: Vec<&str> = match open_mpi {
        true => [&OPEN_MPI[..], &STANDARD, &MPICH].concat(),
        false => [&STANDARD[..], &MPICH, &OPEN_MPI].concat(),
    };
    // First the library of the launcher, which is next to it: other installations may be there, too.
    let beside = beside_launcher().into_iter().flat_map(|folder| {
        names.iter().map(move |name| folder.join(name)).filter(|path| path.exists())
    });
    let named = names.iter().map(PathBuf::from);
    beside.chain(named).collect()
}

/// The folder of libraries that belongs to the program which has started this process.
#[cfg(unix)]
fn beside_launcher() -> Option<PathBuf> {
    let parent = std::os::unix::process::parent_id();
    let launcher = std::fs::read_link(format!("/proc/{parent}/exe")).ok()?;
    Some(launcher.parent()?.parent()?.join("lib"))
}

/// Nobody is asked elsewhere.
#[cfg(not(unix))]
fn beside_launcher() -> Option<PathBuf> {
    None
}
