//! A short soak test; the program `soak` runs it for an hour.

use std::process::Command;

#[test]
#[cfg(target_os = "linux")]
#[ignore = "long: `.ci/run tests` runs it"]
fn twenty_seconds_of_everything() {
    // Memory still grows in so short a run, so this allows for it; only a long run can judge
    // growth.
    let output = Command::new(env!("CARGO_BIN_EXE_soak"))
        .args(["--minutes", "0.33", "--growth", "256"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{errors}");
    let summary: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    for what in ["minibatches", "training steps", "kills", "resumptions", "memory refused"] {
        assert!(summary["counts"][what].as_u64() > Some(0), "{what}: {summary}");
    }
}
