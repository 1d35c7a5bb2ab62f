//! Everything at once, for a short time: `soak` runs it for an hour.

use std::process::Command;

#[test]
#[cfg(target_os = "linux")]
#[ignore = "long: `.ci/run tests` runs it"]
fn twenty_seconds_of_everything() {
    // So short a run is still growing: whether memory stays is a question for a long one.
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
