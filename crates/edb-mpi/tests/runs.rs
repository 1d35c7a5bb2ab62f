//! Runs that come to their end, good or bad.

use std::fs;
use std::path::Path;
use std::time::Instant;

use crate::launchers::launchers;

/// The bytes of the model that ranks have trained.
pub(crate) fn trained(folder: &Path) -> Vec<u8> {
    fs::read(folder.join("model.safetensors")).unwrap()
}

#[test]
fn any_number_of_ranks_trains_the_same_bytes() {
    let mut first: Option<Vec<u8>> = None;
    for launcher in launchers() {
        for ranks in [1, 2, 3, 4] {
            let folder = tempfile::tempdir().unwrap();
            let output = launcher.run(ranks, "train", folder.path());
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{ranks} ranks of {launcher}: {said}");
            let bytes = trained(folder.path());
            let expected = first.get_or_insert_with(|| bytes.clone());
            assert!(bytes == *expected, "{ranks} ranks of {launcher}");
        }
    }
}

#[test]
fn messages_arrive_whole_and_in_order() {
    for launcher in launchers() {
        for ranks in [2, 3] {
            let folder = tempfile::tempdir().unwrap();
            let output = launcher.run(ranks, "messages", folder.path());
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{ranks} ranks of {launcher}: {said}");
        }
    }
}

/// Every rank that ends by itself says why; the job ends at once.
#[test]
fn errors_are_those_of_all_ranks_and_end_the_job() {
    let empty = "step 1, rank 2: graph 8 of the minibatch has no vertices.";
    let stuck = "rank 1 has not answered for 1 s";
    let cases = [
        ("fail", vec![(0, empty), (1, empty), (2, empty)]),
        ("stop", vec![(0, stuck), (2, stuck)]),
        ("leave", vec![(0, "rank 1 has ended"), (2, "rank 1 has ended")]),
    ];
    for launcher in launchers() {
        for (what, expected) in &cases {
            let folder = tempfile::tempdir().unwrap();
            let begun = Instant::now();
            let output = launcher.run(3, what, folder.path());
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(!output.status.success(), "{what} by {launcher}");
            assert!(begun.elapsed().as_secs() < 60, "{what} by {launcher}");
            // The launcher may end a job before all have said why, but not before the first has.
            let says = |(rank, reason): &&(usize, &str)| {
                let of_rank = format!("rank {rank}: ");
                said.lines().any(|line| line.contains(&of_rank) && line.contains(reason))
            };
            assert!(expected.iter().any(|case| says(&case)), "{what} by {launcher}: {said}");
        }
    }
}
