//! Sources of all cells compile for the GPU architectures that edb supports, without spilling
//! registers.
//!
//! This needs NVRTC, but neither a driver nor a GPU. `EDB_REQUIRE_NVRTC=1` makes its absence a
//! failure.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use cudarc::nvrtc::{CompileOptions, compile_ptx_with_opts};
use edb::Element;
use edb::engine::EngineError;
use edb::prelude::*;
use edb_cuda::compile::{Architecture, Cache, Compiler};
use edb_cuda::{CudaOptions, Launches, Precision};
use edb_gpu::GpuError;
use edb_gpu::driver::{
    Address, Argument, Driver, Handle, Launch, LaunchShape, Mark, Product, Recording, Source,
};

use crate::devices::on;
use edb_backend_suite::machine;
use edb_backend_suite::models::{Case, all};

const AMPERE: Architecture = (8, 0);
const HOPPER: Architecture = (9, 0);

/// The hidden units of cells, with a precision: kernels access whole groups of sixteen bytes,
/// smaller groups, or single elements.
const KINDS: [(usize, Precision); 6] = [
    (64, Precision::Full),
    (5, Precision::Full),
    (64, Precision::Bf16),
    (64, Precision::F16),
    (12, Precision::Bf16),
    (5, Precision::F16),
];

/// A device that does nothing but note the sources that it is given.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    sources: Arc<Mutex<Vec<Source>>>,
    memory: Arc<AtomicU64>,
    /// The launches of each recording; 0 once it is forgotten.
    recorded: Arc<Mutex<Vec<usize>>>,
}

impl Notes {
    /// What was to be compiled.
    pub fn sources(&self) -> Vec<Source> {
        self.sources.lock().unwrap().clone()
    }

    pub fn recorded(&self) -> Vec<usize> {
        self.recorded.lock().unwrap().clone()
    }
}

impl Driver for Notes {
    fn name(&self) -> String {
        "notes".into()
    }

    fn allocate(&self, bytes: usize) -> Result<Address, GpuError> {
        Ok(256 + self.memory.fetch_add(bytes as u64, Ordering::Relaxed))
    }

    fn free(&self, _: Address) {}

    fn clear(&self, _: Address, _: usize) -> Result<(), GpuError> {
        Ok(())
    }

    fn copy(&self, _: Address, _: Address, _: usize) -> Result<(), GpuError> {
        Ok(())
    }

    fn upload(&self, _: &[u8], _: Address) -> Result<(), GpuError> {
        Ok(())
    }

    fn download(&self, _: Address, _: &mut [u8]) -> Result<(), GpuError> {
        Ok(())
    }

    fn load(&self, source: &Source) -> Result<Vec<Handle>, GpuError> {
        let mut sources = self.sources.lock().unwrap();
        if !sources.contains(source) {
            sources.push(source.clone());
        }
        Ok(vec![Handle(0); source.names.len()])
    }

    fn launch(&self, _: Handle, _: LaunchShape, _: &[Argument]) -> Result<(), GpuError> {
        Ok(())
    }

    fn record(&self, launches: &[Launch]) -> Result<Recording, GpuError> {
        let mut recorded = self.recorded.lock().unwrap();
        recorded.push(launches.len());
        Ok(Recording(recorded.len() as u64 - 1))
    }

    fn replay(&self, _: Recording) -> Result<(), GpuError> {
        Ok(())
    }

    fn forget(&self, recording: Recording) {
        self.recorded.lock().unwrap()[recording.0 as usize] = 0;
    }

    fn multiply(&self, _: &Product) -> Result<(), GpuError> {
        Ok(())
    }

    fn mark(&self) -> Result<Mark, GpuError> {
        Ok(Mark(0))
    }

    fn seconds(&self, _: Mark, _: Mark) -> Result<f64, GpuError> {
        Ok(0.0)
    }

    fn unmark(&self, _: Mark) {}

    fn synchronize(&self) -> Result<(), GpuError> {
        Ok(())
    }
}

/// The sources of all cells; the library comes first and the optimisers last. If `options` ask for
/// CUDA graphs, those of recorded kernels are included.
pub fn sources<T: Element>(hidden: usize, options: impl Into<CudaOptions>) -> Vec<Source> {
    let options = options.into();
    let notes = Notes::default();
    for case in all::<T>(hidden) {
        let batch = case.model.minibatch(&case.graphs).unwrap();
        let mut engine = Engine::on(&on(notes.clone(), options)).unwrap().most_steps(2);
        match engine.infer(&case.model, &batch) {
            // Nothing is computed, so that no loop ends.
            Ok(_) | Err(EngineError::EndlessVertex { .. }) => {}
            Err(error) => panic!("{}: {error}", case.name),
        }
    }
    let Case { model, graphs, .. } = all::<T>(hidden).swap_remove(0);
    let engine = Engine::on(&on(notes.clone(), options)).unwrap();
    let mut trainer = Trainer::new(model, Sgd::new(0.1)).engine(engine);
    let batch = trainer.model().minibatch(&graphs).unwrap();
    // Nothing is computed, so the step fails; in `f16` it is skipped, as if the loss scale were too
    // large.
    assert!(trainer.step(&batch).map_or(true, |step| step.skipped));
    notes.sources()
}

/// The kernels that are the same for all models, launched one by one or recorded.
pub fn library<T: Element>(precision: Precision, recorded: bool) -> Source {
    let notes = Notes::default();
    let options = CudaOptions::new().precision(precision).launches(Launches::Graphs);
    let _: Engine<T> = Engine::on(&on(notes.clone(), options)).unwrap();
    notes.sources().swap_remove(usize::from(recorded))
}

/// The lines of a compiler log that report spilled registers.
fn spills(log: &str) -> Vec<&str> {
    let spilled = |line: &&str| {
        line.contains("spill") && !line.contains("0 bytes spill stores, 0 bytes spill loads")
    };
    log.lines().filter(spilled).collect()
}

fn compile<T: Element>(
    compiler: &Compiler,
    hidden: usize,
    precision: Precision,
    architectures: &[Architecture],
) {
    let options = CudaOptions::new().precision(precision).launches(Launches::Graphs);
    // Remembers what compiled, so that later runs need not compile it again.
    let cache = Cache::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/nvrtc"));
    let sources = sources::<T>(hidden, options);
    // NVRTC is slow.
    for source in &sources[..machine::sample(sources.len())] {
        for &architecture in architectures {
            let passed = cache.get(&compiler.key(source, architecture), || {
                let compiled = compiler.compile(source, architecture)?;
                let spills = spills(&compiled.log).join("\n");
                assert!(spills.is_empty(), "{architecture:?}: {spills}\n{}", source.text);
                let reported = compiled.log.matches("Compiling entry function").count();
                assert_eq!(reported, source.names.len(), "the log is of every kernel");
                assert!(compiled.cubin.starts_with(b"\x7fELF"));
                Ok(compiled.cubin)
            });
            passed.unwrap_or_else(|error: GpuError| panic!("{architecture:?}: {error}"));
        }
    }
}

/// NVRTC, if it is installed.
fn compiler() -> Option<Compiler> {
    match Compiler::new() {
        Ok(compiler) => Some(compiler),
        Err(error) if std::env::var_os("EDB_REQUIRE_NVRTC").is_some_and(|value| value == "1") => {
            panic!("EDB_REQUIRE_NVRTC=1: {error}");
        }
        Err(error) => {
            machine::left_out("what NVRTC makes of kernels", error);
            None
        }
    }
}

/// Every recorded kernel waits once for the kernel before it, on every path, and then lets the
/// kernel after it start, on architectures that can do so. Kernels that are launched one by one do
/// neither.
#[test]
fn recorded_kernels_overlap() {
    let Some(_) = compiler() else { return };
    let all = sources::<f32>(8, Launches::Graphs);
    let (recorded, single): (Vec<&Source>, Vec<&Source>) =
        all.iter().partition(|source| source.text.starts_with("#define RECORDED"));
    assert!(recorded.len() > 5 && single.len() > recorded.len(), "{}", recorded.len());
    let ptx = |source: &Source, architecture: &'static str| {
        let options = CompileOptions {
            arch: Some(architecture),
            options: vec!["--std=c++17".into(), "--diag-suppress=177".into()],
            ..CompileOptions::default()
        };
        compile_ptx_with_opts(&source.text, options).unwrap().to_src()
    };
    for source in &recorded[..3] {
        let text = ptx(source, "compute_90");
        for kernel in text.split(".entry ").skip(1) {
            let kernel = kernel.split("\n}").next().unwrap();
            let [wait, launch] = ["griddepcontrol.wait", "griddepcontrol.launch_dependents"];
            let (first, rest) = kernel.split_once(wait).expect(kernel);
            assert!(!rest.contains(wait) && !first.contains("ret;"), "{kernel}");
            assert!(!first.contains(launch) && rest.matches(launch).count() == 1, "{kernel}");
            // Kernels may not read through the cache for constants, because the kernel before may
            // still be writing. The exception is a real constant: the table for the cosine in
            // noise.
            assert!(
                !kernel.contains("ld.global.nc") || kernel.contains("__cudart_sin_cos"),
                "{kernel}"
            );
        }
        assert_eq!(text.matches(".entry ").count(), source.names.len());
        assert!(!ptx(source, "compute_80").contains("griddepcontrol"));
    }
    assert!(!ptx(single[0], "compute_90").contains("griddepcontrol"));
}

#[test]
fn cells_compile_and_spill_nothing() {
    let Some(compiler) = compiler() else { return };
    compile::<f32>(&compiler, 64, Precision::Full, &[HOPPER]);
    compile::<f32>(&compiler, 5, Precision::F16, &[AMPERE]);
}

#[test]
#[ignore = "takes minutes: `.ci/run gpu`"]
fn cells_compile_for_each_architecture() {
    let Some(compiler) = compiler() else { return };
    for (hidden, precision) in KINDS {
        compile::<f32>(&compiler, hidden, precision, &[AMPERE, HOPPER]);
    }
    compile::<f64>(&compiler, 8, Precision::Full, &[AMPERE, HOPPER]);
}

#[test]
fn compile_errors_are_reported() {
    let Ok(compiler) = Compiler::new() else { return };
    let text = "extern \"C\" __global__ void wrong() { nothing(); }".into();
    let source = Source { text, names: vec!["wrong".into()], exact: false };
    let error = compiler.compile(&source, (8, 0)).unwrap_err().to_string();
    assert!(error.contains("\"nothing\" is undefined"), "{error}");
}
