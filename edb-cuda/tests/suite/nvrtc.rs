//! Every source of the cells compiles for the architectures that edb is for, and nothing is spilled.
//!
//! This needs NVRTC, but neither a driver nor a GPU. `EDB_REQUIRE_NVRTC=1` makes its absence a failure.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use edb::element::Element;
use edb::prelude::*;
use edb_cuda::compile::{Architecture, Cache, Compiler};
use edb_cuda::driver::{Address, Argument, Driver, Handle, Mark, Product, Shape};
use edb_cuda::source::Source;
use edb_cuda::{CudaError, Precision, on};

use crate::models::{Case, all};

const ARCHITECTURES: [Architecture; 2] = [(8, 0), (9, 0)];

/// A device that does nothing but note what it is to compile.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    sources: Arc<Mutex<Vec<Source>>>,
    memory: Arc<AtomicU64>,
}

impl Driver for Notes {
    fn name(&self) -> String {
        "notes".into()
    }

    fn allocate(&self, bytes: usize) -> Result<Address, CudaError> {
        Ok(256 + self.memory.fetch_add(bytes as u64, Ordering::Relaxed))
    }

    fn free(&self, _: Address) {}

    fn clear(&self, _: Address, _: usize) -> Result<(), CudaError> {
        Ok(())
    }

    fn copy(&self, _: Address, _: Address, _: usize) -> Result<(), CudaError> {
        Ok(())
    }

    fn upload(&self, _: &[u8], _: Address) -> Result<(), CudaError> {
        Ok(())
    }

    fn download(&self, _: Address, _: &mut [u8]) -> Result<(), CudaError> {
        Ok(())
    }

    fn load(&self, source: &Source) -> Result<Vec<Handle>, CudaError> {
        let mut sources = self.sources.lock().unwrap();
        if !sources.contains(source) {
            sources.push(source.clone());
        }
        Ok(vec![Handle(0); source.names.len()])
    }

    fn launch(&self, _: Handle, _: Shape, _: &[Argument]) -> Result<(), CudaError> {
        Ok(())
    }

    fn multiply(&self, _: &Product) -> Result<(), CudaError> {
        Ok(())
    }

    fn mark(&self) -> Result<Mark, CudaError> {
        Ok(Mark(0))
    }

    fn seconds(&self, _: Mark, _: Mark) -> Result<f64, CudaError> {
        Ok(0.0)
    }

    fn unmark(&self, _: Mark) {}

    fn synchronize(&self) -> Result<(), CudaError> {
        Ok(())
    }
}

/// The sources of all cells, that of the library first and that of optimisers last.
pub fn sources<T: Element>(hidden: usize, precision: Precision) -> Vec<Source> {
    let notes = Notes::default();
    for case in all::<T>(hidden) {
        let batch = case.model.minibatch(&case.graphs).unwrap();
        let mut engine = Engine::on(&on(notes.clone(), precision)).unwrap();
        engine.infer(&case.model, &batch).unwrap();
    }
    let Case { model, graphs, .. } = all::<T>(hidden).swap_remove(0);
    let engine = Engine::on(&on(notes.clone(), precision)).unwrap();
    let mut trainer = Trainer::new(model, Sgd::new(0.1)).engine(engine);
    let batch = trainer.model().minibatch(&graphs).unwrap();
    // A device that does nothing takes no step; in `f16` it is the loss scale that is to blame.
    assert!(trainer.step(&batch).map_or(true, |step| step.skipped));
    let sources = notes.sources.lock().unwrap();
    sources.clone()
}

/// The lines of a log that tell of registers that did not suffice.
fn spills(log: &str) -> Vec<&str> {
    let spilled = |line: &&str| {
        line.contains("spill") && !line.contains("0 bytes spill stores, 0 bytes spill loads")
    };
    log.lines().filter(spilled).collect()
}

fn compile<T: Element>(compiler: &Compiler, hidden: usize, precision: Precision) {
    // What passed once need not be compiled in every run.
    let cache = Cache::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/nvrtc"));
    for source in sources::<T>(hidden, precision) {
        for architecture in ARCHITECTURES {
            let passed = cache.get(&compiler.key(&source, architecture), || {
                let compiled = compiler.compile(&source, architecture)?;
                let spills = spills(&compiled.log).join("\n");
                assert!(spills.is_empty(), "{architecture:?}: {spills}\n{}", source.text);
                let told = compiled.log.matches("Compiling entry function").count();
                assert_eq!(told, source.names.len(), "the log is of every kernel");
                assert!(compiled.cubin.starts_with(b"\x7fELF"));
                Ok(compiled.cubin)
            });
            passed.unwrap_or_else(|error: CudaError| panic!("{architecture:?}: {error}"));
        }
    }
}

#[test]
fn cells_compile_and_spill_nothing() {
    let compiler = match Compiler::new() {
        Ok(compiler) => compiler,
        Err(error) if std::env::var_os("EDB_REQUIRE_NVRTC").is_some_and(|value| value == "1") => {
            panic!("EDB_REQUIRE_NVRTC=1: {error}");
        }
        Err(error) => return eprintln!("sources are not compiled by NVRTC: {error}"),
    };
    compile::<f32>(&compiler, 64, Precision::Full);
    compile::<f32>(&compiler, 5, Precision::Full);
    compile::<f64>(&compiler, 8, Precision::Full);
    compile::<f32>(&compiler, 64, Precision::Bf16);
    compile::<f32>(&compiler, 64, Precision::F16);
    // Accesses of four elements, and of one.
    compile::<f32>(&compiler, 12, Precision::Bf16);
    compile::<f32>(&compiler, 5, Precision::F16);
}

#[test]
fn a_mistake_is_said() {
    let Ok(compiler) = Compiler::new() else { return };
    let text = "extern \"C\" __global__ void wrong() { nothing(); }".into();
    let source = Source { text, names: vec!["wrong".into()], exact: false };
    let error = compiler.compile(&source, (8, 0)).unwrap_err().to_string();
    assert!(error.contains("\"nothing\" is undefined"), "{error}");
}
