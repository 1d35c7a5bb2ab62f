//! How many requests a server answers, and how soon: a batcher, which runs together what waits, and
//! one that runs each request alone.
//!
//! `cargo bench --bench serving [-- WORKERS [THREADS]]`, by default with as many workers as there are
//! cores, and one thread for each. A request is a random tree of 5 to 35 words, read by a Tree-LSTM of
//! 64 units, and its answer the best of five classes.
//!
//! First, so many requests are kept waiting that no engine is ever idle: the peak. Then requests come
//! on their own, at shares of the batcher's peak, at times that are drawn beforehand (a Poisson
//! process). Latency counts from the time at which a request should have come, so that one that is
//! submitted late counts as one that has waited. `refused` are those that found a full queue.

use std::env;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, OnceLock};
use std::thread::{self, available_parallelism};
use std::time::{Duration, Instant};

use cells::sentiment::{Node, Word, phrase, word};
use edb::engine::{EngineError, GraphResults};
use edb::prelude::*;
use edb::serve::{Batcher, ServeError};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

const WORDS: u32 = 20_000;
const HIDDEN: usize = 64;
/// How many different requests there are.
const TREES: usize = 2_000;
/// For how long each way is measured.
const SECONDS: f64 = 5.0;
/// How many requests wait while the peak is measured.
const OUTSTANDING: usize = 512;

#[derive(Output)]
struct Scores {
    logits: Tensor,
}

/// The classes of a sentence.
#[vertex_function]
fn score(#[param(C, H)] w: Tensor, #[param(C)] b: Tensor) {
    let root: Node = gather(0);
    push(Scores { logits: w.dot(root.h) + b });
}

struct Net {
    word: Function<word>,
    phrase: Function<phrase>,
    score: Function<score>,
    model: Arc<Model>,
}

impl Net {
    fn new() -> Self {
        let mut builder = ModelBuilder::new();
        let word = builder.add::<word>(dims! { V: WORDS as usize, X: HIDDEN, H: HIDDEN });
        let phrase = builder.add::<phrase>(dims! { H: HIDDEN });
        let score = builder.add::<score>(dims! { C: 5, H: HIDDEN });
        Self { word, phrase, score, model: Arc::new(builder.build(1).unwrap()) }
    }

    fn tree(&self, rng: &mut ChaCha8Rng) -> (Graph, Vertex<()>) {
        let mut g = self.model.graph();
        let mut open: Vec<Vertex<Node>> = (0..rng.random_range(5..36))
            .map(|_| g.add(&self.word, (), Word { id: Index(rng.random_range(0..WORDS)) }))
            .collect();
        while open.len() > 1 {
            let left = rng.random_range(0..open.len() - 1);
            let right = open.remove(left + 1);
            open[left] = g.add(&self.phrase, [open[left], right], ());
        }
        let root = g.add(&self.score, [open[0]], ());
        (g, root)
    }

    /// What is read of a tree: its best class.
    fn read(
        &self,
        root: Vertex<()>,
    ) -> impl FnOnce(GraphResults<'_>) -> Result<usize, EngineError> + Send + use<> {
        let score = self.score;
        move |results| {
            let logits = results.output(&score, root)?.logits;
            let better = |best, class| if logits[[class]] > logits[[best]] { class } else { best };
            Ok((1..logits.len()).fold(0, better))
        }
    }

    /// A batcher that runs at most so many requests together.
    fn batcher(
        &self,
        trees: &[(Graph, Vertex<()>)],
        workers: usize,
        threads: usize,
        most: usize,
    ) -> Batcher {
        Batcher::builder(Arc::clone(&self.model))
            .workers(workers)
            .engines(move || Engine::with_threads(threads))
            .max_minibatch(most, 1 << 16)
            .warm_up(trees[..most.min(64)].iter().map(|(graph, _)| graph))
            .start()
            .unwrap()
    }

    /// Requests a second where no engine is ever idle.
    fn peak(&self, trees: &[(Graph, Vertex<()>)], batcher: &Batcher) -> f64 {
        let (done, room) = sync_channel(OUTSTANDING);
        (0..OUTSTANDING).for_each(|_| done.send(()).unwrap());
        let (start, mut submitted) = (Instant::now(), 0);
        for (graph, root) in trees.iter().cycle() {
            room.recv().unwrap();
            if start.elapsed().as_secs_f64() > SECONDS {
                break;
            }
            submitted += 1;
            let done = done.clone();
            batcher.ask_then(graph, self.read(*root), move |_| done.send(()).unwrap()).unwrap();
        }
        // Until all are answered, so that none is left for what is measured next.
        drop(done);
        room.iter().for_each(drop);
        f64::from(submitted) / start.elapsed().as_secs_f64()
    }

    /// Submits requests at these times; returns the sorted seconds that those that were accepted took.
    fn open(&self, trees: &[(Graph, Vertex<()>)], batcher: &Batcher, times: &[f64]) -> Vec<f64> {
        let taken: Arc<[OnceLock<Duration>]> = times.iter().map(|_| OnceLock::new()).collect();
        let left = Arc::new(AtomicU64::new(times.len() as u64));
        let start = Instant::now();
        for ((number, time), (graph, root)) in times.iter().enumerate().zip(trees.iter().cycle()) {
            let due = start + Duration::from_secs_f64(*time);
            thread::sleep(due.saturating_duration_since(Instant::now()));
            let (taken, ends) = (Arc::clone(&taken), Arc::clone(&left));
            let then = move |answer: Result<usize, ServeError>| {
                answer.unwrap();
                taken[number].set(due.elapsed()).unwrap();
                ends.fetch_sub(1, Ordering::SeqCst);
            };
            match batcher.ask_then(graph, self.read(*root), then) {
                Ok(()) => {}
                Err(ServeError::Full { .. }) => _ = left.fetch_sub(1, Ordering::SeqCst),
                Err(error) => panic!("{error}"),
            }
        }
        while left.load(Ordering::SeqCst) > 0 {
            thread::sleep(Duration::from_millis(1));
        }
        let mut seconds: Vec<f64> =
            taken.iter().filter_map(|taken| Some(taken.get()?.as_secs_f64())).collect();
        seconds.sort_unstable_by(f64::total_cmp);
        seconds
    }
}

/// When requests come, so many a second on average.
fn arrivals(rate: f64) -> Vec<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(rate as u64);
    let mut time = 0.0;
    let mut next = || {
        time -= (1.0 - rng.random::<f64>()).ln() / rate;
        time
    };
    std::iter::from_fn(|| Some(next())).take_while(|time| *time < SECONDS).collect()
}

fn main() {
    let mut numbers = env::args().skip(1).filter_map(|argument| argument.parse().ok());
    let cores = available_parallelism().map_or(1, usize::from);
    let (workers, threads) = (numbers.next().unwrap_or(cores), numbers.next().unwrap_or(1));
    let net = Net::new();
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let trees: Vec<_> = (0..TREES).map(|_| net.tree(&mut rng)).collect();
    let ways = [("together", 256), ("alone", 1)];
    let ways = ways.map(|(way, most)| (way, net.batcher(&trees, workers, threads, most)));
    println!("{workers} workers of {threads} threads, h {HIDDEN}");
    let mut most = 0.0;
    for (way, batcher) in &ways {
        let peak = net.peak(&trees, batcher);
        let counts = batcher.counts();
        let size = counts.taken as f64 / counts.minibatches as f64;
        println!("peak {way}: {peak:.0} requests/s, {size:.1} in a minibatch");
        most = f64::max(most, peak);
    }
    println!(
        "{:>9} {:>9} {:>9} {:>8} {:>9} {:>9} {:>9}",
        "share", "came/s", "way", "refused", "p50 ms", "p99 ms", "minibatch"
    );
    for share in [0.3, 0.7, 0.9] {
        let times = arrivals(share * most);
        for (way, batcher) in &ways {
            let before = batcher.counts();
            let seconds = net.open(&trees, batcher, &times);
            let after = batcher.counts();
            let at =
                |quantile: f64| 1e3 * seconds[(quantile * (seconds.len() - 1) as f64) as usize];
            let minibatches = (after.minibatches - before.minibatches) as f64;
            println!(
                "{share:>9.1} {:>9.0} {way:>9} {:>8.3} {:>9.2} {:>9.2} {:>9.1}",
                times.len() as f64 / SECONDS,
                1.0 - seconds.len() as f64 / times.len() as f64,
                at(0.5),
                at(0.99),
                (after.taken - before.taken) as f64 / minibatches,
            );
        }
    }
}
