//! Programs that measure, and how one of them is run: as a process of its own.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use support::Result;

/// What clap's programs exit with when they are not told what they expect.
const USAGE: i32 = 2;

/// What libtest's programs exit with when a test has failed.
const FAILED: i32 = 101;

/// A program of this repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Program {
    Workloads,
    Policies,
    Layouts,
    Private,
    Derivatives,
    /// The tests of an example.
    Tests(&'static str),
}

impl Program {
    pub fn name(self) -> &'static str {
        match self {
            Program::Workloads => "workloads",
            Program::Policies => "policies",
            Program::Layouts => "layouts",
            Program::Private => "private",
            Program::Derivatives => "derivatives",
            Program::Tests(example) => example,
        }
    }

    /// What cargo is told, to build it.
    fn target(self) -> [&'static str; 2] {
        match self {
            Program::Private | Program::Derivatives => ["--bench", self.name()],
            _ => ["--example", self.name()],
        }
    }
}

/// A program with its arguments. Two jobs that are equal are run once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Job {
    pub program: Program,
    pub arguments: Vec<String>,
}

/// The command line, as errors and stored rows name it.
impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tests = if let Program::Tests(_) = self.program { "tests of " } else { "" };
        write!(f, "{tests}{}", self.program.name())?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {argument}"))
    }
}

/// How a job ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// What it printed, a row of JSON a line.
    Rows(Vec<Value>),
    /// The program does not know what it was asked for: its message.
    Lacks(String),
}

impl Job {
    /// A job with arguments that have no spaces.
    pub fn new(program: Program, arguments: &str) -> Self {
        Self { program, arguments: arguments.split_whitespace().map(str::to_owned).collect() }
    }

    /// Adds an option with its value.
    pub fn with(mut self, option: &str, value: impl fmt::Display) -> Self {
        self.arguments.extend([option.to_owned(), value.to_string()]);
        self
    }

    /// Runs it, where the programs have been built.
    pub fn run(&self, programs: &Programs) -> Result<Outcome> {
        let path = programs.0.get(&self.program).ok_or("the program has not been built")?;
        let output = Command::new(path).args(&self.arguments).stdin(Stdio::null()).output();
        self.outcome(&output.map_err(|error| format!("{}: {error}", path.display()))?)
    }

    /// What an ended process says.
    pub fn outcome(&self, output: &Output) -> Result<Outcome> {
        let text = String::from_utf8_lossy(&output.stdout);
        if let (Program::Tests(_), Some(0 | FAILED)) = (self.program, output.status.code()) {
            return Ok(Outcome::Rows(tests(&text)?));
        }
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let first = said.lines().find(|line| line.contains("error"));
            let message = first.or(said.lines().last()).unwrap_or("it says nothing");
            let message = message.trim_start_matches("error: ").to_owned();
            return match output.status.code() {
                Some(USAGE) => Ok(Outcome::Lacks(message)),
                _ => Err(format!("{}: {message}", output.status).into()),
            };
        }
        let row = |line: &str| {
            serde_json::from_str(line).map_err(|error| format!("`{line}` is no row: {error}"))
        };
        let rows: Vec<Value> = text.lines().map(row).collect::<std::result::Result<_, _>>()?;
        if rows.is_empty() {
            return Err("it printed nothing".into());
        }
        Ok(Outcome::Rows(rows))
    }
}

/// The tests that libtest lists as run.
fn tests(text: &str) -> Result<Vec<Value>> {
    let rows: Vec<Value> = (text.lines())
        .filter_map(|line| line.strip_prefix("test ")?.split_once(" ... "))
        .map(|(test, result)| json!({"test": test, "passed": result == "ok"}))
        .collect();
    if rows.is_empty() {
        return Err("no test was run".into());
    }
    Ok(rows)
}

/// Where the programs are that have been built.
#[derive(Clone, Debug, Default)]
pub struct Programs(BTreeMap<Program, PathBuf>);

impl Programs {
    /// Builds the programs of these jobs, with the profile for releases.
    pub fn build(root: &Path, jobs: &[Job]) -> Result<Self> {
        let mut wanted: Vec<Program> = jobs.iter().map(|job| job.program).collect();
        wanted.sort();
        wanted.dedup();
        let (tests, others): (Vec<Program>, Vec<Program>) =
            wanted.into_iter().partition(|program| matches!(program, Program::Tests(_)));
        let mut built = Self::default();
        built.add(root, &["build"], &others)?;
        built.add(root, &["test", "--no-run"], &tests)?;
        Ok(built)
    }

    fn add(&mut self, root: &Path, command: &[&str], programs: &[Program]) -> Result<()> {
        if programs.is_empty() {
            return Ok(());
        }
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| env!("CARGO").into());
        let output = Command::new(cargo)
            .current_dir(root)
            .args(command)
            .args(["--release", "--message-format", "json-render-diagnostics"])
            .args(programs.iter().flat_map(|program| program.target()))
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()?;
        if !output.status.success() {
            return Err("what measures cannot be built: cargo says why above".into());
        }
        self.find(&String::from_utf8_lossy(&output.stdout), programs)
    }

    /// Finds the programs in cargo's messages.
    fn find(&mut self, messages: &str, programs: &[Program]) -> Result<()> {
        for message in messages.lines() {
            let message: Value = serde_json::from_str(message)?;
            let Some(path) = message["executable"].as_str() else { continue };
            let named = |program: &&Program| message["target"]["name"] == program.name();
            if let Some(program) = programs.iter().find(named) {
                self.0.insert(*program, path.into());
            }
        }
        match programs.iter().find(|program| !self.0.contains_key(program)) {
            Some(missing) => Err(format!("cargo has not built `{}`", missing.name()).into()),
            None => Ok(()),
        }
    }
}
