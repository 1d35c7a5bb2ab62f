//! Kernels of the emulator: compiled by g++ when the first of them is launched.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use edb_gpu::GpuError;
use edb_gpu::driver::{Handle, Source};
use libloading::Library;
use sha2::{Digest, Sha256};

use super::Entry;

/// The kernels that a device has loaded, by the number in their handle.
///
/// A source waits until one of its kernels is launched. Then it is compiled with all others that
/// wait, such as those of the same model: half of the time of a small source goes into starting g++.
#[derive(Debug, Default)]
pub(super) struct Kernels {
    /// The object and the name of each; sources that wait have no object yet.
    all: Vec<(Option<&'static Library>, String)>,
    /// Each with the number of its first kernel.
    waiting: Vec<(usize, Source)>,
}

impl Kernels {
    pub(super) fn load(&mut self, source: &Source) -> Vec<Handle> {
        let first = self.all.len();
        self.all.extend(source.names.iter().map(|name| (None, name.clone())));
        self.waiting.push((first, source.clone()));
        (first..self.all.len()).map(|number| Handle(number as u64)).collect()
    }

    pub(super) fn entry(&mut self, kernel: Handle) -> Result<Entry, GpuError> {
        if self.all[kernel.0 as usize].0.is_none() {
            self.compile()?;
        }
        let (object, name) = &self.all[kernel.0 as usize];
        let object = object.expect("nothing waits");
        // SAFETY: `compiled` gives every kernel an entry of this type.
        let entry = unsafe { object.get::<Entry>(format!("{name}_emulated")) };
        Ok(*entry.expect("every kernel has one"))
    }

    /// Compiles all sources that wait: those that consist of nothing but kernels together, if they have
    /// the same beginning.
    fn compile(&mut self) -> Result<(), GpuError> {
        // The source of each unit, the numbers of its kernels, and its beginning if others may join it.
        let mut units: Vec<(Source, Vec<usize>, Option<String>)> = Vec::new();
        for (first, source) in self.waiting.drain(..) {
            let numbers = first..first + source.names.len();
            let beginning = prelude(&source.text);
            let Some(kernels) = kernels(&source, beginning.len()) else {
                units.push((source, numbers.collect(), None));
                continue;
            };
            let of = units.iter_mut().find(|(.., shared)| shared.as_deref() == Some(beginning));
            match of {
                Some((unit, of, _)) => {
                    // Kernels are named by what they do: functions may have some in common.
                    for (name, kernel) in source.names.iter().zip(kernels) {
                        if !unit.names.contains(name) {
                            unit.text.push_str(kernel);
                            unit.names.push(name.clone());
                        }
                    }
                    of.extend(numbers);
                }
                None => {
                    let beginning = beginning.to_owned();
                    units.push((source, numbers.collect(), Some(beginning)));
                }
            }
        }
        for (unit, numbers, _) in units {
            let object = loaded(&compiled(&unit)?);
            numbers.into_iter().for_each(|number| self.all[number].0 = Some(object));
        }
        Ok(())
    }
}

/// The text of each kernel of a source that has nothing but kernels from `start` on.
fn kernels(source: &Source, start: usize) -> Option<Vec<&str>> {
    let text = source.text[start..].trim_start();
    let starts = text.match_indices("DEFINE(").map(|(start, _)| start).chain([text.len()]);
    let starts: Vec<usize> = starts.collect();
    let all: Vec<&str> = starts.windows(2).map(|ends| &text[ends[0]..ends[1]]).collect();
    let named = all.len() == source.names.len()
        && all.iter().zip(&source.names).all(|(kernel, name)| kernel.contains(name));
    (starts[0] == 0 && named).then_some(all)
}

/// An object as this process has it, loaded once. It is never unloaded, because threads have
/// thread-local memory in it.
fn loaded(object: &Path) -> &'static Library {
    static LOADED: OnceLock<Mutex<HashMap<PathBuf, &'static Library>>> = OnceLock::new();
    let mut loaded = LOADED.get_or_init(Mutex::default).lock().unwrap();
    loaded.entry(object.to_owned()).or_insert_with(|| {
        // SAFETY: the object was just compiled and has no initialisers of its own.
        Box::leak(Box::new(unsafe { Library::new(object) }.expect("it was compiled")))
    })
}

/// The beginning of a source: the numbers that it is for, and `prelude.cuh`.
pub fn prelude(text: &str) -> &str {
    const PRELUDE: &str = include_str!("../../../src/source/prelude.cuh");
    &text[..text.find(PRELUDE).map_or(0, |start| start + PRELUDE.len())]
}

/// Compiles a source to an object that this process can load.
fn compiled(source: &Source) -> Result<PathBuf, GpuError> {
    const SHIM: &str = include_str!("shim.h");
    // Nearly all sources begin with the same text. It is compiled to a precompiled header, one for
    // each type of number.
    let beginning = prelude(&source.text);
    let kernels = &source.text[beginning.len()..];
    let header = made("gch", &["-x", "c++-header"], &format!("{SHIM}\n{beginning}"))?;
    let header = header.with_extension("");
    let entries = source.names.iter().map(|name| {
        format!(
            "extern \"C\" int {name}_emulated(const Launch* launch) {{ \
             return emulate({name}, launch); }}\n"
        )
    });
    let text = format!("#include {header:?}\n{kernels}\n{}", entries.collect::<String>());
    made("so", &["-shared"], &text)
}

/// The result of compiling a text, made once and kept for later runs of the tests. The text lies
/// beside it, under the same name without the extension.
fn made(extension: &str, options: &[&str], text: &str) -> Result<PathBuf, GpuError> {
    // Without optimisation, since more time goes into compiling than into running, and g++ takes
    // minutes over checked pointers. The fortified longjmp is off because it does not know fibers.
    const OPTIONS: [&str; 5] = ["-std=c++17", "-O0", "-fPIC", "-w", "-U_FORTIFY_SOURCE"];
    /// A lock for each text, held by the thread that compiles it.
    static STARTED: OnceLock<Mutex<HashMap<String, Arc<Mutex<()>>>>> = OnceLock::new();
    let key: String = Sha256::digest(format!("{OPTIONS:?}{options:?}{text}"))
        .iter()
        .take(12)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let started = STARTED.get_or_init(Mutex::default);
    let lock = Arc::clone(started.lock().unwrap().entry(key.clone()).or_default());
    // A poisoned lock is fine: the thread that panicked has reported its error.
    let _only = lock.lock().unwrap_or_else(PoisonError::into_inner);
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("emulator");
    let made = directory.join(format!("{key}.{extension}"));
    if made.exists() {
        return Ok(made);
    }
    std::fs::create_dir_all(&directory).unwrap();
    // Other processes may compile the same text: the result gets its final name only when complete.
    let temporary = tempfile::tempdir_in(&directory).unwrap();
    let [from, to] = ["kernels.cc", "made"].map(|name| temporary.path().join(name));
    std::fs::write(&from, text).unwrap();
    let mut compiler = Command::new("g++");
    compiler.args(OPTIONS).args(options).arg(&from).arg("-o").arg(&to);
    let output = compiler.output().expect("the tests of kernels need g++");
    if !output.status.success() {
        let log = String::from_utf8_lossy(&output.stderr).chars().take(2000).collect();
        return Err(GpuError::Compile { log });
    }
    std::fs::rename(&from, made.with_extension("")).unwrap();
    std::fs::rename(&to, &made).unwrap();
    Ok(made)
}
