//! A short soak test; the program `soak` runs it for an hour.

use std::process::Command;

#[test]
#[cfg(target_os = "linux")]
#[ignore = "long: `.ci/run tests` runs it"]
fn ten_seconds_of_everything() {
    // Memory still grows in so short a run, so this allows for it; only a long run can judge
    // growth.
    let output = Command::new(env!("CARGO_BIN_EXE_soak"))
        .args(["--minutes", "0.17", "--growth", "256"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{errors}");
    let summary: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    for what in [
        "minibatches",
        "training steps",
        "graphs grown",
        "graphs refused",
        "stale handles refused",
        "second backward passes refused",
        "costs measured",
        "private steps",
        "private steps refused",
        "kills",
        "resumptions",
        "saves refused",
        "logged steps",
        "memory refused",
    ] {
        assert!(summary["counts"][what].as_u64() > Some(0), "{what}: {summary}");
    }
}

/// Ten thousand graphs of up to five thousand rounds each, with deaths, errors and refusals: every
/// one has the bits that it has alone, and the memory of the last half does not grow.
#[test]
#[cfg(target_os = "linux")]
#[ignore = "minutes, with optimisation: `cargo test --release -p edb-fuzz --test soak -- --ignored grow`"]
fn ten_thousand_graphs_grow() {
    let (graphs, most) = if cfg!(debug_assertions) { (500, 100) } else { (10_000, 5_000) };
    let (counts, memory) = edb_fuzz::soak::grow(1, graphs, most, 50).unwrap();
    println!("{counts:?}");
    let (first, last) = memory[memory.len() / 2..].split_at(memory.len() / 4);
    let [first, last] = [first, last].map(|part| *part.iter().max().unwrap());
    println!("most resident memory: {first} bytes in the third quarter, {last} in the last");
    assert!(last <= first + (64 << 20), "{memory:?}");
    assert!(counts["graphs refused"] > graphs / 100);
}
