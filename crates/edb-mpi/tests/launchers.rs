//! The launchers of this machine, and the ranks that they start.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use edb_backend_suite::machine;

/// An `mpirun`.
pub(crate) struct Launcher {
    path: PathBuf,
    flags: Vec<&'static str>,
}

/// All launchers that are to be tested.
pub(crate) fn launchers() -> Vec<Launcher> {
    let named = env::var("EDB_MPI_LAUNCHERS").unwrap_or_else(|_| "mpirun".into());
    let found: Vec<Launcher> = named.split(':').filter_map(Launcher::find).collect();
    let required = env::var_os("EDB_REQUIRE_MPI").is_some();
    let all = named.split(':').count();
    assert!(found.len() == all || !required, "not all of {named} can be started");
    if found.is_empty() {
        machine::left_out("processes of MPI", format!("there is no {named}"));
    }
    found
}

impl Launcher {
    fn find(path: &str) -> Option<Self> {
        let version = Command::new(path).arg("--version").output().ok()?;
        let version = String::from_utf8_lossy(&version.stdout).into_owned();
        let flags = if version.contains("Open MPI") { vec!["--oversubscribe"] } else { Vec::new() };
        Some(Self { path: path.into(), flags })
    }

    /// Starts so many ranks of the [program](super::program), which do `what` in a folder.
    pub(crate) fn start(&self, ranks: usize, what: &str, folder: &Path) -> Child {
        let mut command = Command::new(&self.path);
        command.args(&self.flags).arg("-n").arg(ranks.to_string());
        command.arg(env::current_exe().unwrap());
        command.args(["--exact", "program::rank", "--nocapture", "--quiet"]);
        command.env("EDB_TEST_RANK", what).env("EDB_TEST_FOLDER", folder);
        // Tests in containers run as root.
        command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        command.env("RUST_BACKTRACE", "0");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    /// The same, to the end.
    pub(crate) fn run(&self, ranks: usize, what: &str, folder: &Path) -> Output {
        self.start(ranks, what, folder).wait_with_output().unwrap()
    }
}

impl std::fmt::Display for Launcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.path.display())
    }
}
