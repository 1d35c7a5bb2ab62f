//! Ranks that are killed at any time: the job ends, and goes on from its last checkpoint on another
//! number of ranks, with the same bytes.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};
use std::{env, fs};

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::launchers::launchers;
use crate::runs::trained;

/// How often ranks are killed, unless `EDB_KILLS` says so.
const KILLS: usize = 1;

/// Kills a process at once.
fn kill(process: i32) {
    // SAFETY: the call has no preconditions. The process was started for this test; should it have
    // ended, its number is not given to another one so soon.
    unsafe { libc::kill(process, libc::SIGKILL) };
}

/// The process of a rank, once it is there.
fn process_of(folder: &Path, rank: usize) -> Option<i32> {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(20) {
        if let Ok(text) = fs::read_to_string(folder.join(format!("{rank}.pid")))
            && let Ok(process) = text.parse()
        {
            return Some(process);
        }
        thread::sleep(Duration::from_millis(1));
    }
    None
}

#[test]
fn a_killed_job_goes_on_with_the_same_bytes() {
    let wanted = env::var("EDB_KILLS").map_or(KILLS, |kills| kills.parse().unwrap());
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for launcher in launchers() {
        let whole = tempfile::tempdir().unwrap();
        let begun = Instant::now();
        assert!(launcher.run(2, "train", whole.path()).status.success());
        let expected = trained(whole.path());
        let takes = begun.elapsed();
        let (mut kills, mut jobs) = (0, 0);
        while kills < wanted {
            // One job, killed until it comes to its end.
            let folder = tempfile::tempdir().unwrap();
            jobs += 1;
            loop {
                for rank in 0..4 {
                    let _ = fs::remove_file(folder.path().join(format!("{rank}.pid")));
                }
                let ranks = random.random_range(1..=4);
                let mut job = launcher.start(ranks, "train", folder.path());
                let victim = process_of(folder.path(), random.random_range(0..ranks));
                thread::sleep(takes.mul_f64(random.random_range(0.0..1.2)));
                let ended = job.try_wait().unwrap();
                if let (None, Some(victim)) = (&ended, victim) {
                    kill(victim);
                    kills += 1;
                }
                let output = job.wait_with_output().unwrap();
                if output.status.success() {
                    break;
                }
                let said = String::from_utf8_lossy(&output.stderr);
                assert!(ended.is_none(), "{ranks} ranks of {launcher}: {said}");
            }
            assert!(trained(folder.path()) == expected, "job {jobs} of {launcher}");
        }
        println!("{kills} kills in {jobs} jobs of {launcher}");
    }
}
