//! A long run of everything at once: engines that share a model, trainers, private steps, checkpoints
//! and logs, killed processes, damaged files, refused memory. No result may differ by a bit, every
//! error must have a type, and the memory of the process must not grow.

mod damage;
mod engines;
mod growth;
mod kills;
mod loops;
mod memory;
mod private;
mod resident;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use edb::Element;
use edb::Trainer;
use edb::learn::Parameters;

pub use growth::grow;
pub use kills::train;
pub use memory::refused;

/// The settings of a run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How long to run.
    pub time: Duration,
    /// The seed of every random choice; only the exact moment of a kill does not follow from it.
    pub seed: u64,
    /// How many bytes the memory of the process may grow by in the last half of the run.
    pub growth: u64,
    /// This program, which starts itself again in the processes to be killed and those short of
    /// memory.
    pub program: PathBuf,
}

/// How often each thing was done.
pub type Counts = BTreeMap<&'static str, u64>;

/// When workers stop: at the end of the time, or once one of them has failed.
struct Watch {
    end: Instant,
    failed: AtomicBool,
}

impl Watch {
    fn goes_on(&self) -> bool {
        Instant::now() < self.end && !self.failed.load(Ordering::Relaxed)
    }
}

/// Runs everything; returns how often each thing was done, and the memory of the process over time.
///
/// # Errors
/// The first thing that went wrong.
pub fn run(plan: &Plan) -> Result<(Counts, resident::Resident), String> {
    let watch = Watch { end: Instant::now() + plan.time, failed: AtomicBool::new(false) };
    let shared = engines::Shared::new(plan.seed);
    type Worker<'w> = Box<dyn FnOnce() -> Result<Counts, String> + Send + 'w>;
    let (watch, shared) = (&watch, &shared);
    let mut workers: Vec<Worker<'_>> = Vec::new();
    for number in 0..engines::COUNT {
        workers.push(Box::new(move || engines::run(shared, number, watch)));
    }
    workers.push(Box::new(|| growth::run(plan.seed, watch)));
    workers.push(Box::new(|| loops::run(plan.seed, watch)));
    workers.push(Box::new(|| private::run(plan.seed, watch)));
    workers.push(Box::new(|| kills::run(plan, watch)));
    workers.push(Box::new(|| damage::run(plan, watch)));
    workers.push(Box::new(|| memory::run(plan, watch)));
    let (counts, resident) = thread::scope(|scope| {
        let run = |worker: Worker<'_>| {
            let result = worker();
            if result.is_err() {
                watch.failed.store(true, Ordering::Relaxed);
            }
            result
        };
        let running: Vec<_> =
            workers.into_iter().map(|worker| scope.spawn(move || run(worker))).collect();
        let resident = resident::watch(plan, || watch.goes_on());
        let mut counts: Result<Counts, String> = Ok(Counts::new());
        for worker in running {
            // A panic is a failure like any other: the other workers end before it is reported.
            let result = worker.join().unwrap_or_else(|panic| {
                watch.failed.store(true, Ordering::Relaxed);
                let text = panic.downcast_ref::<String>().cloned();
                Err(format!("a panic: {}", text.unwrap_or_else(|| "without a text".into())))
            });
            counts = match (counts, result) {
                (Ok(mut counts), Ok(more)) => {
                    more.into_iter()
                        .for_each(|(what, count)| *counts.entry(what).or_default() += count);
                    Ok(counts)
                }
                (Err(error), _) | (_, Err(error)) => Err(error),
            };
        }
        (counts, resident)
    });
    let (counts, resident) = (counts?, resident?);
    resident.check(plan.growth)?;
    Ok((counts, resident))
}

/// A hash over bits, which is equal for two runs if all their bits are (FNV-1a).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fingerprint(u64);

impl Fingerprint {
    const NONE: Self = Self(0xcbf2_9ce4_8422_2325);

    fn add(&mut self, value: f64) {
        for byte in value.to_bits().to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn of_parameters<T: Element>(parameters: &Parameters<T>) -> Self {
        let mut all = Self::NONE;
        for (_, parameter) in parameters.iter() {
            parameter.values().unwrap().iter().for_each(|value| all.add(value.as_f64()));
        }
        all
    }

    fn of(trainer: &Trainer) -> Self {
        Self::of_parameters(trainer.model().parameters())
    }
}

/// Adds to an error what was being done.
fn failed(what: &str) -> impl Fn(&dyn std::error::Error) -> String {
    move |error| format!("{what}: {error}")
}
