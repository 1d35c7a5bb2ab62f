//! Checks the CUDA sources written for a cell, for people to read; `EDB_BLESS=1` rewrites the
//! files.

use std::fs;
use std::path::Path;

use edb_cuda::Precision;

use crate::nvrtc::sources;

/// The first two fused kernels of a source.
fn kernels(text: &str) -> String {
    const KERNEL: &str = "\nDEFINE(";
    let kernels = text.split(KERNEL).skip(1).take(2);
    kernels.map(|kernel| format!("{KERNEL}{kernel}")).collect::<String>().trim().into()
}

fn hold(precision: Precision, suffix: &str) {
    let sources = sources::<f32>(64, precision);
    // The first source is the library; then come the leaf and the phrase of the first model.
    for (name, source) in ["leaf", "phrase"].iter().zip(&sources[1..]) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/golden")
            .join(format!("tree_lstm_{name}{suffix}.cu"));
        let found = kernels(&source.text) + "\n";
        if std::env::var_os("EDB_BLESS").is_some() {
            fs::write(&path, &found).unwrap();
        }
        let expected = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(found, expected, "{}: see the diff with EDB_BLESS=1", path.display());
    }
}

edb_backend_suite::tests! {
    kernels_of_the_tree_lstm: hold(Precision::Full, "");
    kernels_of_the_tree_lstm_in_16_bits: hold(Precision::Bf16, "_bf16");
}
