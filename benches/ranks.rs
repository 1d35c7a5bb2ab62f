//! Training steps of several ranks, beside those of one process with as many threads.
//!
//! ```text
//! cargo bench --bench ranks --no-run
//! mpirun -n 2 target/release/deps/ranks-* [--trees FILE] [--shares N] [--rounds N]
//! ```
//!
//! In turns, all ranks train together with one thread each, and rank 0 alone with as many threads,
//! without shares and with them, while the others wait. The times are medians of a step. `exchange` is
//! what the last rank to come takes for it: the others wait for that one, too. Without a launcher,
//! shares are timed alone: what it costs to have several of them in one process.

#[allow(dead_code, reason = "other benches use the rest")]
mod tasks;

use std::env;
use std::time::{Duration, Instant};

use edb::collective::{Alone, Collective};
use edb::mpi::World;
use edb::prelude::*;

use tasks::{GRAPHS, Task, drawn, read, trees};

/// Steps in a turn.
const STEPS: usize = 3;

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

    fn together(mut self, world: impl Collective + 'static, shares: usize) -> Self {
        self.trainer = self.trainer.together(world, shares);
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
    let (rank, ranks) = (world.rank(), world.ranks());
    let shares = number("--shares").unwrap_or(ranks);
    if rank == 0 {
        println!("{world}; {ranks} ranks, {shares} shares");
        println!("hidden graphs  alone ms  shares ms  ranks ms  exchange ms  alone/ranks");
    }
    for (hidden, count) in [(64, 64), (64, 256), (256, 64), (256, 256)] {
        let runner = |threads| Runner::new(trees(hidden, &all, false), count, threads);
        let mut alone = (rank == 0).then(|| runner(ranks));
        let mut shared = (rank == 0).then(|| runner(ranks).together(Alone, shares));
        let mut joint = runner(1).together(world.clone(), shares);
        let mut times: [Vec<f64>; 3] = Default::default();
        let mut exchanges = Vec::new();
        for _ in 0..=rounds {
            let mut of_alone = Vec::new();
            for own in [&mut alone, &mut shared].into_iter().flatten() {
                of_alone.push(own.steps());
            }
            // The others have waited here.
            let gathered = world.all_gather(Vec::new()).unwrap();
            assert_eq!(gathered.len(), ranks);
            let steps = joint.steps();
            let bytes: Vec<u8> = steps.iter().flat_map(|step| step.1.to_le_bytes()).collect();
            let said = world.all_gather(bytes).unwrap();
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
                 {:>12.3}",
                alone / joint
            );
        }
    }
}
