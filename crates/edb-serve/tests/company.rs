//! An answer has the same bits as alone, whichever requests run with it, on any number of workers.

use std::thread;

use edb_backend_suite::ports::{Memory, Word};
use edb_backend_suite::zoo::Zoo;

use super::*;

fn answers_are_those_of_graphs_alone<T: Element>(workers: usize) {
    let net = Net::<T>::new();
    let batcher = net.builder().workers(workers).start().unwrap();
    let trees = random_trees(&net, 1200);
    let expected: Vec<Bits> = trees.iter().map(|(graph, root)| net.alone(graph, *root)).collect();
    thread::scope(|scope| {
        for thread in 0..4 {
            let (net, batcher, trees, expected) = (&net, &batcher, &trees, &expected);
            scope.spawn(move || {
                let own = (thread..trees.len()).step_by(4).collect::<Vec<_>>();
                for some in own.chunks(1 + 13 * thread) {
                    let later: Vec<_> = some
                        .iter()
                        .map(|at| {
                            let (graph, root) = &trees[*at];
                            batcher.ask_later(graph, net.read(*root)).unwrap()
                        })
                        .collect();
                    for (at, later) in some.iter().zip(later) {
                        assert_eq!(later.wait().unwrap(), expected[*at]);
                    }
                }
            });
        }
    });
    assert_eq!(batcher.counts().taken, 1200);
}

edb_backend_suite::tests! {
    answers_in_single_precision_are_those_of_graphs_alone: (1..4).for_each(answers_are_those_of_graphs_alone::<f32>);
    answers_in_double_precision_are_those_of_graphs_alone: answers_are_those_of_graphs_alone::<f64>(2);
}

/// Vertices that pull what others push, children in any number, and a policy that is learned.
#[test]
fn graphs_of_all_cells_are_answered_as_alone() {
    let (zoo, model) = Zoo::model::<f64>(5, 1);
    let mut rng = rng(7);
    let graphs: Vec<Graph<f64>> =
        (0..300).map(|_| zoo.graph(&model, rng.random_range(1..12), &mut rng)).collect();
    let mut engine = Engine::new();
    let expected: Vec<_> = graphs
        .iter()
        .map(|graph| {
            let batch = model.minibatch([graph]).unwrap();
            let run = engine.infer(&model, &batch).unwrap();
            (run.loss().unwrap().to_bits(), run.outputs(&zoo.regress).unwrap())
        })
        .collect();
    let batcher = Batcher::builder(model)
        .workers(2)
        .engines(|| Engine::with_threads(2))
        .warm_up(&graphs[..40])
        .start()
        .unwrap();
    let regress = zoo.regress;
    let later = graphs.iter().map(|graph| {
        let read = move |results: GraphResults<'_, f64>| {
            Ok((results.loss()?.to_bits(), results.outputs(&regress)?))
        };
        batcher.ask_later(graph, read).unwrap()
    });
    for (later, expected) in later.collect::<Vec<_>>().into_iter().zip(expected) {
        assert!(later.wait().unwrap() == expected);
    }
}

#[derive(Output)]
struct Said {
    steps: Tensor,
    word: Index,
}

/// Thinks about a word for as long as it needs, and says another one.
#[vertex_function]
fn ponder(
    #[dim(H)] size: Dim,
    #[param(V, H)] table: Tensor,
    #[param(H, H)] u: Tensor,
    #[param(V, H)] v: Tensor,
) {
    let Word { id } = pull();
    let before = gather_or(0, Memory { h: zeros(size) });
    let (mut h, mut steps) = (before.h + table.row(id), scalar(0.0));
    while h.square().sum() > 0.2 && steps < 9.0 {
        h = (u.dot(h)).tanh() * 0.7;
        steps += 1.0;
    }
    scatter(Memory { h });
    push(Said { steps, word: v.dot(h).sample() });
}

fn pondering() -> (Function<ponder>, Model) {
    let mut builder = ModelBuilder::new();
    let bound = || Initializer::Uniform { bound: 1.0 };
    let ponder = builder.add::<ponder>(
        dims! { V: 9, H: 5 }.init("table", bound()).init("u", bound()).init("v", bound()),
    );
    (ponder, builder.build(2).unwrap())
}

fn chain(g: &mut Graph, ponder: &Function<ponder>, words: &[u32]) -> Vertex<Memory> {
    let first = g.add(ponder, [None], Word { id: Index(words[0]) });
    words[1..]
        .iter()
        .fold(first, |before, id| g.add(ponder, [Some(before)], Word { id: Index(*id) }))
}

/// Vertices that decide how they go on, and draw.
#[test]
fn graphs_that_decide_are_answered_as_alone() {
    let (ponder, model) = pondering();
    let mut rng = rng(3);
    let graphs: Vec<_> = (0..400)
        .map(|_| {
            let words: Vec<u32> =
                (0..rng.random_range(1..9)).map(|_| rng.random_range(0..9)).collect();
            let mut g = model.graph();
            let last = chain(&mut g, &ponder, &words);
            (g, last)
        })
        .collect();
    let said = move |results: &GraphResults<'_>, last| -> Result<_, EngineError> {
        let all = results.outputs(&ponder)?;
        Ok((
            all,
            results.output(&ponder, last)?.word[[]],
            results.state(last)?.h.iter().copied().collect::<Vec<_>>(),
        ))
    };
    let mut engine = Engine::new().seed(5);
    let expected: Vec<_> = graphs
        .iter()
        .map(|(graph, last)| {
            let batch = model.minibatch([graph]).unwrap();
            said(&engine.infer(&model, &batch).unwrap().graph(0).unwrap(), *last).unwrap()
        })
        .collect();
    let trips =
        expected.iter().flat_map(|(all, ..)| all.view().steps.iter().copied().collect::<Vec<_>>());
    let trips: std::collections::BTreeSet<u32> = trips.map(|steps| steps as u32).collect();
    assert!(trips.len() > 2, "they differ: {trips:?}");
    for threads in [1, 3] {
        let batcher = Batcher::builder(model.with_parameters(model.parameters().clone()).unwrap())
            .workers(2)
            .engines(move || Ok(Engine::with_threads(threads)?.seed(5)))
            .start()
            .unwrap();
        let later = graphs.iter().map(|(graph, last)| {
            let last = *last;
            batcher.ask_later(graph, move |results| said(&results, last)).unwrap()
        });
        for (later, expected) in later.collect::<Vec<_>>().into_iter().zip(&expected) {
            assert!(later.wait().unwrap() == *expected);
        }
    }
}

/// Handles of an original mean the vertices of each clone, whose samples draw in their own way.
#[test]
fn clones_are_read_apart() {
    let (ponder, model) = pondering();
    let mut original = model.graph();
    let last = chain(&mut original, &ponder, &[3, 1, 4]);
    let clones: Vec<Graph> = (0..60)
        .map(|sample| {
            let mut clone = original.clone();
            clone.set_sample(sample);
            if sample % 2 == 0 {
                chain(&mut clone, &ponder, &[sample as u32 % 9]);
            }
            clone
        })
        .collect();
    let read = move |results: &GraphResults<'_>| Ok(results.output(&ponder, last)?.word[[]]);
    let mut engine = Engine::new();
    let alone: Vec<u32> = clones
        .iter()
        .map(|graph| {
            let batch = model.minibatch([graph]).unwrap();
            read(&engine.infer(&model, &batch).unwrap().graph(0).unwrap()).unwrap()
        })
        .collect();
    assert!(alone.iter().any(|word| *word != alone[0]));
    let together = model.minibatch(&clones).unwrap();
    let run = engine.infer(&model, &together).unwrap();
    for (place, word) in alone.iter().enumerate() {
        assert_eq!(read(&run.graph(place).unwrap()).unwrap(), *word);
    }
    assert!(matches!(run.graph(60), Err(EngineError::UnknownGraph { graph: 60, graphs: 60 })));
    drop(run);
    let batcher = Batcher::builder(model).workers(1).start().unwrap();
    let later = clones.iter().map(|graph| batcher.ask_later(graph, move |of| read(&of)).unwrap());
    let answers: Vec<u32> =
        later.collect::<Vec<_>>().into_iter().map(|later| later.wait().unwrap()).collect();
    assert_eq!(answers, alone);
}

/// A graph that gets more vertices between two requests is another one.
#[test]
fn a_graph_can_be_asked_again_with_more_vertices() {
    let (ponder, model) = pondering();
    let batcher = Batcher::builder(model).workers(1).start().unwrap();
    let mut g = batcher.model().graph();
    let mut later = Vec::new();
    for word in 0..9 {
        let last = chain(&mut g, &ponder, &[word]);
        let read = move |results: GraphResults<'_>| {
            results.output(&ponder, last)?;
            Ok(results.outputs(&ponder)?.len())
        };
        later.push(batcher.ask_later(&g, read).unwrap());
    }
    let counts: Vec<usize> = later.into_iter().map(|later| later.wait().unwrap()).collect();
    assert_eq!(counts, (1..10).collect::<Vec<_>>());
}

/// Minibatches of one graph each, joined, are the minibatch of all of them, in every list.
#[test]
fn joined_minibatches_are_what_they_would_be_together() {
    fn compare<T: Element>(model: &Model<T>, graphs: &[Graph<T>]) {
        let each: Vec<_> = graphs.iter().map(|graph| model.minibatch([graph]).unwrap()).collect();
        let joined = Minibatch::joined(&each.iter().collect::<Vec<_>>()).unwrap();
        let together = model.minibatch(graphs).unwrap();
        assert_eq!(format!("{joined:?}"), format!("{together:?}"));
    }
    let (ponder, model) = pondering();
    let mut original = model.graph();
    chain(&mut original, &ponder, &[3, 1, 4]);
    let mut clone = original.clone();
    chain(&mut clone, &ponder, &[1, 5]);
    compare(&model, &[original.clone(), clone, original]);
    let (zoo, model) = Zoo::model::<f64>(5, 1);
    let graphs: Vec<_> = (0..20).flat_map(|seed| zoo.graphs(&model, seed)).collect();
    compare(&model, &graphs);
    let net = Net::<f32>::new();
    let trees: Vec<_> = random_trees(&net, 50).into_iter().map(|(graph, _)| graph).collect();
    compare(&net.model, &trees);
}

/// What overflows in one graph stays there.
#[test]
fn one_graph_that_is_not_a_number_is_alone_with_it() {
    let (zoo, model) = Zoo::model::<f32>(4, 1);
    let graph = |x: f32| {
        let mut g = model.graph();
        let x = g.tensor(&[x; 3]);
        let reader = g.add(&zoo.read, (), edb_backend_suite::zoo::cells::Features { x });
        let x = g.output(&zoo.read, reader).x;
        let chain = edb_backend_suite::zoo::cells::Encoded { x };
        let state = g.add(&zoo.chain, [None], chain);
        let y = g.tensor(&[f32::MAX; 3]);
        g.add(&zoo.regress, [state], edb_backend_suite::zoo::cells::Target { y });
        g
    };
    let mut graphs: Vec<Graph> = (0..20).map(|number| graph(number as f32 / 20.0)).collect();
    graphs[7] = graph(f32::MAX);
    let batcher = Batcher::builder(model.with_parameters(model.parameters().clone()).unwrap())
        .workers(1)
        .start()
        .unwrap();
    let regress = zoo.regress;
    let later = graphs
        .iter()
        .map(|graph| batcher.ask_later(graph, move |results| results.outputs(&regress)).unwrap());
    let later: Vec<_> = later.collect();
    let mut finite = 0;
    for (later, graph) in later.into_iter().zip(&graphs) {
        let answer = later.wait().unwrap();
        let batch = model.minibatch([graph]).unwrap();
        let mut engine = Engine::new();
        let alone = engine.infer(&model, &batch).unwrap().outputs(&regress).unwrap();
        assert_eq!(format!("{answer:?}"), format!("{alone:?}"));
        finite += usize::from(!format!("{answer:?}").contains("NaN"));
    }
    assert!(finite >= 19, "{finite}");
}
