//! Random graphs of random models grow to their end: the same bits on any number of threads and ranks,
//! by a policy that is learned and by any order of types, and beside any other graphs.

use edb::collective::{Alone, Collective, Local};
use edb::prelude::*;
use edb_backend_suite::agreement::drawn;
use edb_backend_suite::machine::sample;
use edb_backend_suite::numbers::bits;
use edb_backend_suite::random;
use edb_backend_suite::ranks::on_ranks;

/// How many graphs grow in a step: two parts of them.
const COUNT: usize = 66;

struct Drawn {
    trainer: Trainer<f64>,
    graphs: Vec<Graph<f64>>,
    /// The same model once more, which the function that adds vertices reads.
    names: Model<f64>,
}

/// What a seed draws; a policy is learned, or with an odd seed an order of types is given.
fn draw(seed: u64, threads: usize) -> Drawn {
    let of_seed = || drawn::<f64>(seed, edb_compiler::Options::default(), 4..8, 1..8);
    let (model, graphs) = of_seed();
    let mut engine = Engine::with_threads(threads).unwrap().seed(seed);
    if seed % 2 == 1 {
        engine = engine.grow_by(random::growth_order(&mut random::rng(seed), &model));
    }
    let trainer =
        Trainer::new(model, Sgd::new(0.01)).allow_unreached().engine(engine).clip_norm(1.0);
    Drawn { trainer, graphs, names: of_seed().0 }
}

/// The graph at a place, with what no vertex of it reads yet.
fn graph(graphs: &[Graph<f64>], at: usize) -> (Graph<f64>, Vec<usize>) {
    let mut graph = graphs[at % graphs.len()].clone();
    graph.set_sample(at as u64);
    (graph, Vec::new())
}

/// The losses of some steps, and the parameters behind them.
fn train(Drawn { mut trainer, graphs, names }: Drawn) -> (Vec<u64>, Vec<u64>) {
    let mut losses = Vec::new();
    for _ in 0..6 {
        let step = trainer.grow_each_shared(
            COUNT,
            |_, at| graph(&graphs, at),
            |g, unread| random::grow(&names, g, unread),
        );
        losses.push(step.unwrap().loss.to_bits());
    }
    (losses, bits(trainer.model()))
}

#[test]
fn random_graphs_have_the_same_bits_on_any_number_of_threads_and_ranks() {
    for seed in 0..sample(16) as u64 {
        let expected = train(draw(seed, 1));
        assert!(expected.0.iter().all(|loss| f64::from_bits(*loss) != 0.0), "seed {seed}");
        for threads in 2..=4 {
            assert!(train(draw(seed, threads)) == expected, "seed {seed}, {threads} threads");
        }
        let shared = |mut drawn: Drawn, world: Option<Local>| {
            drawn.trainer = match world {
                Some(rank) => drawn.trainer.distributed(rank, 3),
                None => drawn.trainer.distributed(Alone, 3),
            };
            train(drawn)
        };
        let expected = shared(draw(seed, 2), None);
        for ranks in 2..=3 {
            let found = on_ranks(ranks, |rank| shared(draw(seed, 1 + rank.rank()), Some(rank)));
            for of_rank in found {
                assert!(of_rank == expected, "seed {seed}, {ranks} ranks");
            }
        }
    }
}

#[test]
fn random_graphs_grow_alike_in_any_company() {
    for seed in 0..sample(16) as u64 {
        let Drawn { mut trainer, graphs, names } = draw(seed, 3);
        let mut grow = |places: std::ops::Range<usize>| -> Vec<usize> {
            let mut own: Vec<_> = places.map(|at| graph(&graphs, at)).collect();
            let run =
                trainer.grow_each_infer(&mut own, |g, unread| random::grow(&names, g, unread));
            run.unwrap();
            own.iter().map(|(graph, _)| graph.len()).collect()
        };
        // The policy is learned on the first ones, and then they are cut.
        let together: Vec<_> = (0..6).map(|_| grow(0..COUNT)).collect();
        assert!(together.iter().all(|sizes| *sizes == together[0]), "seed {seed}");
        // Those that are drawn have fewer vertices.
        assert!(together[0].iter().any(|size| *size > 8), "seed {seed}");
        for at in (0..COUNT).step_by(7) {
            assert_eq!(grow(at..at + 1), together[0][at..=at], "seed {seed}, graph {at}");
        }
    }
}
