//! How the declaration of a kernel is written in CUDA C++.

use std::fmt::Write as _;

use edb_gpu::kernels::{Constant, Declaration, ElementType, Kind};

/// The name of a type of elements.
pub(super) fn element(element_type: ElementType) -> &'static str {
    match element_type {
        ElementType::Real => "real",
        ElementType::Stored => "stored",
        ElementType::U16 => "u16",
        ElementType::U32 => "u32",
        ElementType::U64 => "u64",
        ElementType::F64 => "double",
    }
}

/// A parameter of a kernel: itself, or the macro of `prelude.cuh` that has all of it.
pub(super) fn parameter(name: &str, kind: Kind) -> String {
    match kind {
        Kind::OutRows => "OUTS".into(),
        Kind::EvenRows => format!("EACH_OF({name})"),
        Kind::Rows => format!("ROWS({name})"),
        Kind::Index => format!("INDEX({name})"),
        Kind::Draws => "DRAWS".into(),
        Kind::Read(element_type) => format!("IN({}) {name}", element(element_type)),
        Kind::Write(element_type) => format!("OUT({}) {name}", element(element_type)),
        Kind::U32 => format!("u32 {name}"),
        Kind::U64 => format!("u64 {name}"),
        Kind::F64 => format!("double {name}"),
        Kind::Real => format!("real {name}"),
    }
}

/// The name under which a kernel is loaded.
pub(super) fn entry(name: &str) -> String {
    format!("edb_{name}")
}

/// `PARAMETERS_name` for each kernel, of which `KERNEL` makes its prototype.
pub(super) fn prototypes(declarations: &[Declaration]) -> String {
    let mut text = String::new();
    for Declaration { names, parameters } in declarations {
        let parameters = parameters.iter().map(|declared| parameter(declared.name, declared.kind));
        let parameters = parameters.collect::<Vec<_>>().join(", ");
        for name in *names {
            let _ = writeln!(text, "#define PARAMETERS_{name} {parameters}");
        }
    }
    text
}

/// Constants that kernels share with the host.
pub(super) fn constants(constants: &[Constant]) -> String {
    let mut text = String::new();
    for Constant { name, value } in constants {
        let _ = match u32::try_from(*value) {
            Ok(value) => writeln!(text, "constexpr unsigned int {name} = {value}u;"),
            Err(_) => writeln!(text, "constexpr unsigned long long {name} = {value}ull;"),
        };
    }
    text
}
