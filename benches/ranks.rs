//! Training steps of several ranks, beside those of one process with as many threads.
//!
//! ```text
//! cargo bench --bench ranks --no-run
//! mpirun -n 2 target/release/deps/ranks-* [--trees FILE] [--shares N] [--rounds N] [--delay MICROSECONDS]
//! ```
//!
//! In turns, all ranks train together with one thread each, and rank 0 alone with as many threads,
//! without shares and with them, while the others wait. The times are medians of a step. `exchange` is
//! what the last rank to come takes for it: the others wait for that one, too; `MB` is what a rank sends
//! in a step. `--delay` lets every message arrive so much later, as on a link of this latency. Without a
//! launcher, shares are timed alone: what it costs to have several of them in one process.

#[allow(dead_code, reason = "other benches use the rest")]
mod tasks;

use std::env;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime};

use edb::collective::{Alone, Collective, CollectiveError};
use edb::mpi::World;
use edb::prelude::*;

use tasks::{GRAPHS, Task, drawn, read, trees};

/// Steps in a turn.
const STEPS: usize = 3;

/// Ranks whose messages arrive later, and are counted. The clock is that of one machine.
#[derive(Clone, Debug)]
struct Link {
    world: World,
    delay: Duration,
    sent: Arc<AtomicUsize>,
}

/// The bytes of a time behind a message.
const STAMP: usize = 16;

fn now() -> u128 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_nanos()
}

impl Collective for Link {
    fn rank(&self) -> usize {
        self.world.rank()
    }

    fn ranks(&self) -> usize {
        self.world.ranks()
    }

    fn send(&self, to: usize, mut message: Vec<u8>) -> Result<(), CollectiveError> {
        self.sent.fetch_add(message.len(), Ordering::Relaxed);
        message.extend_from_slice(&now().to_le_bytes());
        self.world.send(to, message)
    }

    fn receive(&self, from: usize) -> Result<Vec<u8>, CollectiveError> {
        let mut message = self.world.receive(from)?;
        let stamp = message.split_off(message.len() - STAMP);
        let due = u128::from_le_bytes(stamp.try_into().unwrap()) + self.delay.as_nanos();
        while now() < due {
            std::thread::yield_now();
        }
        Ok(message)
    }
}

/// Trains over the first graphs of a task.
struct Runner {
    trainer: Trainer,
    graphs: Vec<Graph>,
    minibatch: Option<Minibatch>,
}

impl Runner {
    fn new(task: Task<f32>, count: usize, threads: usize) -> Self {
        let graphs = task.graphs.into_iter().take(count).collect();
        let engine = Engine::with_threads(threads).unwrap();
        let trainer = Trainer::new(task.model, Adam::new(1e-4)).clip_norm(5.0).engine(engine);
        Self { trainer, graphs, minibatch: None }
    }

    fn distributed(mut self, world: impl Collective + 'static, shares: usize) -> Self {
        self.trainer = self.trainer.distributed(world, shares);
        self
    }

    /// The seconds of each step, and those of its exchange. Minibatches are made before, as a loader
    /// that works ahead makes them.
    fn steps(&mut self) -> Vec<(f64, f64)> {
        let Self { trainer, graphs, minibatch } = self;
        let batch = minibatch.get_or_insert_with(|| trainer.model().minibatch(&*graphs).unwrap());
        (0..STEPS)
            .map(|_| {
                let begun = Instant::now();
                trainer.step(batch).unwrap();
                (begun.elapsed().as_secs_f64(), trainer.report().exchange.as_secs_f64())
            })
            .collect()
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let after = |name: &str| {
        let at = arguments.iter().position(|arg| arg == name)?;
        Some(arguments.get(at + 1).unwrap_or_else(|| panic!("{name} VALUE")).clone())
    };
    let number = |name: &str| after(name).map(|text| text.parse::<usize>().expect("a number"));
    let rounds = number("--rounds").unwrap_or(9);
    let all = after("--trees").map_or_else(drawn, |file| read(&file, GRAPHS));
    let world = World::open().unwrap().time_limit(Duration::from_secs(60));
    let delay = Duration::from_micros(number("--delay").unwrap_or(0) as u64);
    let world = Link { world, delay, sent: Arc::default() };
    let (rank, ranks) = (world.rank(), world.ranks());
    let shares = number("--shares").unwrap_or(ranks);
    if rank == 0 {
        println!("{}; {ranks} ranks, {shares} shares", world.world);
        println!("hidden graphs  alone ms  shares ms  ranks ms  exchange ms     MB  alone/ranks");
    }
    for (hidden, count) in [(64, 64), (64, 256), (256, 64), (256, 256)] {
        let runner = |threads| Runner::new(trees(hidden, &all, false), count, threads);
        let mut alone = (rank == 0).then(|| runner(ranks));
        let mut shared = (rank == 0).then(|| runner(ranks).distributed(Alone, shares));
        let mut joint = runner(1).distributed(world.clone(), shares);
        let mut times: [Vec<f64>; 3] = Default::default();
        let (mut exchanges, mut bytes) = (Vec::new(), 0);
        for _ in 0..=rounds {
            let mut of_alone = Vec::new();
            for own in [&mut alone, &mut shared].into_iter().flatten() {
                of_alone.push(own.steps());
            }
            // The others have waited here.
            let gathered = world.all_gather(Vec::new()).unwrap();
            assert_eq!(gathered.len(), ranks);
            let before = world.sent.load(Ordering::Relaxed);
            let steps = joint.steps();
            bytes = (world.sent.load(Ordering::Relaxed) - before) / STEPS;
            let own: Vec<u8> = steps.iter().flat_map(|step| step.1.to_le_bytes()).collect();
            let said = world.all_gather(own).unwrap();
            let of_rank = |bytes: &Vec<u8>, step: usize| {
                f64::from_le_bytes(bytes[8 * step..][..8].try_into().unwrap())
            };
            let last =
                |step| said.iter().map(|bytes| of_rank(bytes, step)).fold(f64::MAX, f64::min);
            if rank > 0 {
                continue;
            }
            for (times, steps) in times.iter_mut().zip(of_alone.into_iter().chain([steps])) {
                times.push(median(steps.iter().map(|step| step.0).collect()));
            }
            exchanges.push(median((0..STEPS).map(last).collect()));
        }
        if rank == 0 {
            // The first round warms up.
            let [alone, shared, joint] = times.map(|times| 1e3 * median(times[1..].to_vec()));
            let exchange = 1e3 * median(exchanges[1..].to_vec());
            println!(
                "{hidden:>6} {count:>6} {alone:>9.2} {shared:>10.2} {joint:>9.2} {exchange:>12.2} \
                 {:>6.2} {:>12.3}",
                bytes as f64 / 1e6,
                alone / joint
            );
        }
    }
}
