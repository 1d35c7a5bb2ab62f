//! Programs are compiled, many in one file, and run; what the compiler refuses of them is found and left out.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use edb_test_rustc::{newest_edb, rustc, rustc_with};
use serde_json::Value;

use crate::program::Program;

/// The values for which programs are run.
const INPUTS: [[f64; 2]; 3] = [[0.3, -1.7], [-0.85, 0.45], [2.15, 1.25]];

/// The values of parameters.
const PARAMETERS: [f64; 2] = [0.625, -1.375];

/// Who compiles a program.
#[derive(Clone, Copy)]
pub(crate) enum Side<'a> {
    /// edb, by this library of it.
    Edb(&'a Path),
    /// rustc alone.
    Rustc,
}

impl Side<'_> {
    /// What stands before all programs of a file.
    fn beginning(self) -> &'static str {
        match self {
            Side::Edb(_) => include_str!("with_edb.rs"),
            Side::Rustc => include_str!("without_edb.rs"),
        }
    }

    /// The module of a program.
    pub(crate) fn module(self, number: usize, program: &Program) -> String {
        let arguments = PARAMETERS[..program.parameters].iter();
        let told = match self {
            Side::Edb(_) => "crate::ports::told::<function>(inputs, parameters)".to_owned(),
            Side::Rustc => {
                let arguments: Vec<String> =
                    arguments.map(|value| format!("crate::prelude::Tensor({value:?})")).collect();
                format!("crate::ports::told(inputs, || function({}))", arguments.join(", "))
            }
        };
        let text = match self {
            Side::Edb(_) => program.text.clone(),
            Side::Rustc => without_attributes(&program.text),
        };
        format!(
            "pub mod program_{number} {{\n{text}\npub fn told(inputs: &[[f64; 2]], parameters: &[f64]) \
             -> ::std::vec::Vec<::std::vec::Vec<f64>> {{ {told} }}\n}}\n"
        )
    }
}

/// A program without the attributes of edb, and with others in their place where one is needed.
fn without_attributes(text: &str) -> String {
    let text = text.replace("#[shape()] ", "").replace("#[param()] ", "");
    text.replace("vertex_function]", "inline]")
        .replace("vertex_helper]", "inline]")
        .replace("vertex_helper)]", "inline)]")
}

/// What has become of a program.
pub(crate) enum Outcome {
    /// The values for each input.
    Told(Vec<Vec<f64>>),
    /// The compiler's first message.
    Refused(String),
    /// What it panicked with.
    Panicked(String),
}

/// Compiles and runs programs, in one file of an edition.
pub(crate) fn outcomes(side: Side<'_>, programs: &[&Program], edition: &str) -> Vec<Outcome> {
    let folder = tempfile::tempdir().unwrap();
    let mut refused: Vec<Option<String>> = programs.iter().map(|_| None).collect();
    loop {
        let file = File::new(side, programs, &refused);
        let messages = file.compile(side, folder.path(), edition);
        if messages.is_empty() {
            break;
        }
        let at_fault = file.at_fault(&messages);
        assert!(!at_fault.is_empty(), "no program is at fault: {messages:#?}");
        for (number, message) in at_fault {
            refused[number].get_or_insert(message);
        }
    }
    let output = Command::new(folder.path().join("programs")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    let mut told = lines.lines().map(told);
    let outcome = |refused: Option<String>| match refused {
        Some(message) => Outcome::Refused(message),
        None => told.next().unwrap(),
    };
    refused.into_iter().map(outcome).collect()
}

/// What a line says that a program has written: a group of values for each input, or what it panicked with.
fn told(line: &str) -> Outcome {
    if let Some(panic) = line.strip_prefix(PANICKED) {
        return Outcome::Panicked(panic.to_owned());
    }
    let value = |text: &str| f64::from_bits(u64::from_str_radix(text, 16).unwrap());
    let group = |group: &str| group.split(',').map(value).collect();
    Outcome::Told(line.split(' ').map(group).collect())
}

/// How a line begins that says what a program panicked with.
const PANICKED: &str = "panicked: ";

/// A file of programs.
struct File {
    text: String,
    /// The programs in it, with their lines.
    lines: Vec<(usize, Range<usize>)>,
}

impl File {
    /// Those that are not refused.
    fn new(side: Side<'_>, programs: &[&Program], refused: &[Option<String>]) -> Self {
        let mut text = side.beginning().to_owned();
        let (mut lines, mut next) = (Vec::new(), text.lines().count() + 1);
        let mut functions = String::new();
        for (number, program) in programs.iter().enumerate() {
            if refused[number].is_some() {
                continue;
            }
            let module = side.module(number, program);
            let from = next;
            next += module.lines().count();
            lines.push((number, from..next));
            text.push_str(&module);
            write!(functions, "program_{number}::told, ").unwrap();
        }
        write!(
            text,
            "static FUNCTIONS: &[fn(&[[f64; 2]], &[f64]) -> Vec<Vec<f64>>] = &[{functions}];\n\
             static INPUTS: &[[f64; 2]] = &{INPUTS:?};\n\
             static PARAMETERS: &[f64] = &{PARAMETERS:?};\n\
             static PANICKED: &str = {PANICKED:?};\n\
             {}",
            include_str!("ending.rs")
        )
        .unwrap();
        Self { text, lines }
    }

    /// What rustc says against it.
    fn compile(&self, side: Side<'_>, folder: &Path, edition: &str) -> Vec<Value> {
        let file = folder.join("programs.rs");
        fs::write(&file, &self.text).unwrap();
        let mut command = match side {
            Side::Edb(edb) => rustc_with(edb),
            Side::Rustc => rustc(),
        };
        command.args(["--crate-type=bin", "--error-format=json", "--out-dir"]).arg(folder);
        command.arg(format!("--edition={edition}")).arg(&file);
        let output = command.output().unwrap();
        if output.status.success() {
            return Vec::new();
        }
        let messages = String::from_utf8(output.stderr).unwrap();
        let messages: Vec<Value> =
            messages.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        assert!(!messages.is_empty(), "rustc: {:?}", output.status);
        messages
    }

    /// The programs that messages are about, each with the first one.
    fn at_fault(&self, messages: &[Value]) -> Vec<(usize, String)> {
        let mut known = BTreeSet::new();
        let mut found = Vec::new();
        for message in messages.iter().filter(|message| message["level"] == "error") {
            let spans: Vec<&Value> = message["spans"].as_array().into_iter().flatten().collect();
            let primary = spans.iter().filter(|span| span["is_primary"] == true);
            let at = primary.chain(&spans).find_map(|span| self.program_of(span));
            if let Some(number) = at.filter(|&number| known.insert(number)) {
                found.push((number, message["rendered"].as_str().unwrap_or_default().to_owned()));
            }
        }
        found
    }

    /// The program in which a span is, or the call of the macro that has written it.
    fn program_of(&self, span: &Value) -> Option<usize> {
        let line = span["line_start"].as_u64()? as usize;
        let of_programs = span["file_name"].as_str()?.ends_with("programs.rs");
        let within = self.lines.iter().find(|(_, lines)| of_programs && lines.contains(&line));
        match within {
            Some((number, _)) => Some(*number),
            None => self.program_of(span.get("expansion")?.get("span")?),
        }
    }
}

/// The library of edb by which programs are compiled: the one that this test was linked with, or the one that
/// `EDB_RLIB` names, for instance an older one.
pub(crate) fn edb() -> PathBuf {
    if let Some(named) = env::var_os("EDB_RLIB") {
        return named.into();
    }
    newest_edb()
}
