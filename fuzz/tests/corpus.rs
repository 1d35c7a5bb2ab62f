//! Every target over its corpus, its initial inputs and a sample of mutations of both. The mutations
//! are the same in every run.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};

use edb_backend_suite::machine::sample;
use edb_fuzz::seeds::{corpus, seeds};
use edb_fuzz::targets::{TARGETS, Target};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

fn folder(target: &Target) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name)
}

/// Runs a target; if it fails, the input is kept in a file.
fn run(target: &Target, data: &[u8]) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (target.run)(data))) {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.crash", target.name));
        fs::write(&path, data).unwrap();
        eprintln!("the target fails on {}", path.display());
        resume_unwind(panic);
    }
}

/// Numbers at the ends of ranges, and pieces of the formats that targets read.
const TOKENS: [&[u8]; 24] = [
    b"0",
    b"-1",
    b"1e308",
    b"4294967295",
    b"18446744073709551615",
    b"9223372036854775808",
    b"null",
    b"NaN",
    b"[",
    b"]",
    b"{",
    b"}",
    b"\"",
    b",",
    b":",
    b"\t",
    b" ",
    b"\n",
    b"\0",
    b"(",
    b")",
    b"[MAX ",
    &[0xff; 4],
    &[0xff, 0xff, 0xff, 0xff, 0x0f],
];

/// Makes one to four changes: sets, flips, inserts or removes bytes, repeats a piece, or inserts
/// one of another input.
fn mutate(data: &[u8], other: &[u8], rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut data = data.to_vec();
    for _ in 0..rng.random_range(1..5) {
        let place = rng.random_range(0..data.len() + 1);
        let piece = |input: &[u8], rng: &mut ChaCha8Rng| {
            let start = rng.random_range(0..input.len() + 1);
            let end = rng.random_range(start..input.len() + 1).min(start + 64);
            input[start..end].to_vec()
        };
        match rng.random_range(0..7) {
            0 if place < data.len() => data[place] = rng.random(),
            1 if place < data.len() => data[place] ^= 1 << rng.random_range(0..8),
            2 => data.insert(place, rng.random()),
            3 => drop(data.splice(place..(place + rng.random_range(1..9)).min(data.len()), [])),
            4 => {
                drop(data.splice(place..place, TOKENS[rng.random_range(0..TOKENS.len())].to_vec()))
            }
            5 => drop(data.splice(place..place, piece(other, rng))),
            _ => {
                let piece = piece(&data, rng);
                drop(data.splice(place..place, piece));
            }
        }
    }
    data
}

fn holds(name: &str) {
    let target = TARGETS.iter().find(|target| target.name == name).unwrap();
    let mut inputs = corpus(&folder(target)).unwrap();
    inputs.extend(seeds(target.name));
    for input in inputs.iter().chain([&Vec::new()]) {
        run(target, input);
    }
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..sample(target.mutations) {
        let [one, other] = [0, 1].map(|_| &inputs[rng.random_range(0..inputs.len())]);
        run(target, &mutate(one, other, &mut rng));
    }
}

macro_rules! targets {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            holds(stringify!($name));
        }
    )*

    #[test]
    fn every_target_is_tested() {
        assert_eq!(TARGETS.map(|target| target.name), [$(stringify!($name)),*]);
    }};
}

targets! { bundle checkpoint costs kernels layout logs plan policy pq_tree programs readers records safetensors }
