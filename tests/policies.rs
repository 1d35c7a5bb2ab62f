//! Policies in an engine: the default one learns, learned policies can be used and explained, and
//! schedules follow measured costs.

use edb::engine::EngineError;
use edb::prelude::*;
use edb::schedule::{
    Costs, Encoding, LearnOptions, Learner, Proof, Schedule, ScheduleError, SearchOptions,
    Signature, TypeCost, lower_bound,
};
use edb_core::engine::training::{self, CutFor};
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use edb_backend_suite::models::model_of;
use edb_backend_suite::numbers::gradient_bits;
use edb_backend_suite::zoo::cells::{Encoded, Features, Target};
use edb_backend_suite::zoo::sentiment::Word;
use edb_backend_suite::zoo::{self, FEATURES, Sentiment, Zoo};

#[test]
fn the_default_learns_and_results_stay() {
    let (functions, model) = Sentiment::model::<f64>(4, 1);
    let trees = functions.trees(&model, 8, 7, 5);
    let batch = model.minibatch(trees.iter().map(|(graph, _)| graph)).unwrap();
    let mut plain = Engine::new().policy(Policy::Depth);
    let expected = plain.infer(&model, &batch).unwrap().loss().unwrap();
    assert!(plain.policy_report(&model).contains("depth: as was asked for"));

    // No two types here wait for each other, so level by level is best and nothing is learned.
    let mut engine = Engine::new().seed(3);
    for _ in 0..6 {
        let loss = engine.infer(&model, &batch).unwrap().loss().unwrap();
        assert!((loss - expected).abs() <= 1e-12 * expected.abs());
    }
    assert!(engine.policy_report(&model).starts_with("level by level where no type"));
    assert!(engine.learned_policy(&model).is_none());

    // Here types wait for each other.
    let (zoo, model) = Zoo::model::<f64>(3, 1);
    let mut rng = zoo::rng(1);
    let graphs: Vec<_> = (0..3).map(|_| zoo.graph(&model, 12, &mut rng)).collect();
    let batch = model.minibatch(&graphs).unwrap();
    let expected =
        Engine::new().policy(Policy::Depth).infer(&model, &batch).unwrap().loss().unwrap();
    for _ in 0..6 {
        let loss = engine.infer(&model, &batch).unwrap().loss().unwrap();
        assert!((loss - expected).abs() <= 1e-12 * expected.abs());
    }
    assert!(matches!(engine.learned_policy(&model), Some(Policy::Best(_))));
}

/// A large minibatch that needs a policy is inferred in parts, one for each thread: with the bits of the whole, and its
/// schedule is one of the whole.
#[test]
fn inference_in_parts_is_inference() {
    let (functions, model) = Sentiment::model::<f64>(4, 1);
    let trees = functions.trees(&model, 70, 9, 5);
    let trees: Vec<Graph<f64>> = trees.into_iter().map(|(tree, _)| tree).collect();
    let batch = model.minibatch(&trees).unwrap();
    let infer = |threads: usize, policy: Policy, parts: usize| {
        let mut engine = Engine::with_threads(threads).unwrap().policy(policy);
        let prepared = training::prepare(&mut engine, &model, &batch, CutFor::Inference).unwrap();
        assert_eq!(prepared.parts().len(), parts, "{threads} threads");
        let run = engine.infer(&model, &batch).unwrap();
        let mut bits = vec![run.loss().unwrap().to_bits()];
        for (place, graph) in trees.iter().enumerate() {
            let of = 0..graph.len();
            bits.extend(of.map(|vertex| run.vertex_loss(place, vertex).unwrap().to_bits()));
        }
        let scores = run.outputs(&functions.judge).unwrap();
        bits.extend(scores.view().logits.iter().map(|score| score.to_bits()));
        let schedule = run.schedule();
        schedule.check(&run.type_graph()).unwrap();
        assert_eq!(schedule.len(), run.batch_count());
        assert_eq!(run.explain().batches, schedule.len());
        // Parts have more batches together than a schedule of the whole.
        assert!(parts == 1 || run.report().proof.is_none());
        bits
    };
    let whole = infer(1, Policy::Agenda, 1);
    assert_eq!(infer(2, Policy::Sufficient, 2), whole);
    for (threads, parts) in [(2, 2), (3, 2), (4, 4), (8, 4)] {
        assert_eq!(infer(threads, Policy::Agenda, parts), whole, "{threads} threads");
    }
    // Level by level, no policy is needed, and threads share the batches of the whole.
    assert_eq!(infer(2, Policy::Auto, 1), whole);
    // Each part would read all weights, and pack them.
    let (functions, large) = Sentiment::model::<f64>(600, 1);
    let trees = functions.trees(&large, 40, 3, 5);
    let batch = large.minibatch(trees.iter().map(|(tree, _)| tree)).unwrap();
    let mut engine = Engine::with_threads(2).unwrap().policy(Policy::Agenda);
    let prepared = training::prepare(&mut engine, &large, &batch, CutFor::Inference).unwrap();
    assert_eq!(prepared.parts().len(), 1);
}

/// A graph of chains; gated cells, which also read chains; and sums, which read all. None of these
/// is read by a kind before it.
fn one_way(zoo: &Zoo, model: &Model, rng: &mut ChaCha8Rng) -> Graph {
    let mut g = model.graph();
    let mut kinds: [Vec<_>; 3] = Default::default();
    for _ in 0..rng.random_range(1..30) {
        let row: Vec<f32> = (0..FEATURES).map(|_| rng.random_range(-1.0..1.0)).collect();
        let x = g.tensor(&row);
        let reader = g.add(&zoo.read, (), Features { x });
        let x = g.output(&zoo.read, reader).x;
        let kind = rng.random_range(0..3);
        let below: Vec<_> = kinds[..=kind].concat();
        let many: Vec<_> = below.iter().copied().filter(|_| rng.random_bool(0.2)).collect();
        let vertex = match (kind, below.last()) {
            (1, Some(_)) => {
                let last = below[rng.random_range(0..below.len())];
                g.add(&zoo.gru, [last], Encoded { x })
            }
            (2, _) => g.add(&zoo.child_sum, &many, Encoded { x }),
            _ => g.add(&zoo.chain, [kinds[0].last().copied()], Encoded { x }),
        };
        let kind = if kind == 1 && below.is_empty() { 0 } else { kind };
        kinds[kind].push(vertex);
        let y = g.tensor(&row);
        g.add(&zoo.regress, [vertex], Target { y });
    }
    g
}

/// Scheduling level by level needs only as many batches as the lower bound, and gives the same bits
/// as another policy with as few batches.
#[test]
fn levels_are_a_shortest_schedule() {
    let (zoo, model) = Zoo::model::<f32>(5, 1);
    let mut rng = zoo::rng(2);
    let (mut levels, mut asked) = (Engine::new(), Engine::new().policy(Policy::Heuristic));
    for _ in 0..40 {
        let graphs: Vec<_> = (0..4).map(|_| one_way(&zoo, &model, &mut rng)).collect();
        let batch = model.minibatch(&graphs).unwrap();
        let graph = levels.type_graph(&model, &batch).unwrap().0;
        let bound = lower_bound(&graph);
        let schedule = levels.infer(&model, &batch).unwrap().schedule();
        assert_eq!((schedule.check(&graph), schedule.len()), (Ok(()), bound));
        assert_eq!(schedule.proof(), Some(Proof::Levels));
        assert!(schedule.explain(&graph, model.signature()).unwrap().optimal);
        let schedule = asked.infer(&model, &batch).unwrap().schedule();
        assert_eq!((schedule.check(&graph), schedule.proof()), (Ok(()), Some(Proof::Frontiers)));
        let [found, expected] = [&mut levels, &mut asked].map(|engine| {
            let mut run = engine.forward(&model, &batch, 0).unwrap();
            let gradients = run.backward().unwrap();
            let loss = run.loss().unwrap().to_bits();
            (run.report().batches, loss, gradient_bits(&model, &gradients))
        });
        assert_eq!(found.0, bound);
        assert_eq!(found, expected);
    }
    assert!(levels.learned_policy(&model).is_none());
}

/// A clone continues as another graph: its vertices are refused in the original, though their
/// numbers would be in range.
#[test]
fn vertices_of_a_copy_are_refused() {
    let (functions, model) = Sentiment::model::<f32>(4, 1);
    let (mut graph, _) = functions.tree(&model, 1, &mut zoo::rng(1));
    let mut copy = graph.clone();
    let word = || Word { id: 1u32.into() };
    let mut last = copy.add(&functions.word, (), word());
    for _ in 0..5 {
        last = copy.add(&functions.word, (), word());
    }
    graph.add(&functions.phrase, [last, last], ());
    let error = model.minibatch([&graph]).unwrap_err().to_string();
    assert!(error.contains("vertex 2: child 0 is a vertex of another graph"), "{error}");
}

#[test]
fn policies_are_learned_on_minibatches_and_explained() {
    let (functions, model) = Sentiment::model::<f64>(4, 1);
    let trees = functions.trees(&model, 8, 7, 5);
    let mut batch = model.minibatch(trees.iter().map(|(graph, _)| graph)).unwrap();
    let mut engine = Engine::new();
    let (graph, _) = engine.type_graph(&model, &batch).unwrap();
    for learner in [Learner::Fsm(Encoding::Sort), Learner::Machine] {
        let options = LearnOptions { learner, ..LearnOptions::default() };
        let samples = [graph.clone()];
        let types = model.signature();
        let learned = Policy::learn_for(types, &samples, &options, &mut |_| ()).unwrap();
        let explanation = learned.schedule(&graph).explain(&graph, types).unwrap();
        assert!(explanation.optimal, "{explanation}");
        let loss = engine.infer(&model, &batch).unwrap().loss().unwrap();
        let mut learned = Engine::new().policy(learned);
        assert_eq!(learned.infer(&model, &batch).unwrap().loss().unwrap(), loss);
    }

    // A saved policy belongs to these types: functions, with what they read and what they scatter.
    let types = model.signature().types().iter().map(ToString::to_string);
    let expected = ["word() -> Node", "phrase(Node, Node) -> Node", "sentiment(Node)"];
    assert_eq!(types.collect::<Vec<_>>(), expected);

    let loss = engine.infer(&model, &batch).unwrap().loss().unwrap();
    let found = engine.search_schedule(&model, &mut batch, &SearchOptions::default()).unwrap();
    assert!(found.is_proved());
    assert_eq!(engine.infer(&model, &batch).unwrap().loss().unwrap(), loss);
}

#[test]
fn policies_of_other_models_are_refused() {
    let (functions, model) = Sentiment::model::<f64>(4, 1);
    let trees = functions.trees(&model, 2, 7, 5);
    let batch = model.minibatch(trees.iter().map(|(graph, _)| graph)).unwrap();
    let other = Signature::unnamed(model.signature().type_count() + 1);
    let sample =
        edb::schedule::TypeGraph::new(other.type_count(), vec![], vec![0], vec![]).unwrap();
    let options = LearnOptions { learner: Learner::Fsm(Encoding::Base), ..LearnOptions::default() };
    let policy = Policy::learn(&[sample], &options).unwrap();
    let mut engine = Engine::new().policy(policy);
    let error = engine.infer(&model, &batch).map(drop).unwrap_err();
    assert!(matches!(error, EngineError::Schedule(ScheduleError::PolicyTypes { .. })), "{error}");
}

#[test]
fn schedules_are_chosen_by_measured_costs() {
    let (functions, model) = Sentiment::model::<f64>(4, 1);
    let trees = functions.trees(&model, 8, 7, 5);
    let batch = model.minibatch(trees.iter().map(|(graph, _)| graph)).unwrap();
    let mut engine = Engine::new().policy(Policy::Depth);
    let loss = engine.infer(&model, &batch).unwrap().loss().unwrap();
    let costs = engine.measure_costs(&model, &batch).unwrap();
    assert_eq!(costs.types.len(), usize::from(model.signature().type_count()));
    // Measured times vary. But only phrases run batch by batch and are timed; the other types are
    // assumed to cost as much per launch, and nothing per row.
    let [word, phrase, judge] = costs.types[..] else { panic!("{costs:?}") };
    for other in [word, judge] {
        assert_eq!((other.launch_ns, other.row_ps), (phrase.launch_ns, 0), "{costs:?}");
    }
    // Fixed costs make the rest of the test reproducible.
    let of_type = |launch_ns, row_ps| TypeCost { launch_ns, row_ps };
    let types = vec![of_type(300, 20), of_type(2000, 500), of_type(700, 90)];
    let costs = Costs { types, ..Costs::default() };

    let (graph, _) = engine.type_graph(&model, &batch).unwrap();
    let cheapest = Policy::Depth.cheapest(&graph, &costs).unwrap();
    let time = |schedule: &Schedule| schedule.estimated_ns(&graph, &costs).unwrap();
    assert!(time(&cheapest) <= time(&Policy::Depth.schedule(&graph)));
    let mut engine = engine.costs(costs.clone()).policy(Policy::default());
    for _ in 0..5 {
        let found = engine.infer(&model, &batch).unwrap().loss().unwrap();
        assert!((found - loss).abs() <= 1e-12 * loss.abs());
    }

    let mut foreign = Engine::new().costs(Costs::per_batch(1));
    let error = foreign.infer(&model, &batch).map(drop).unwrap_err();
    assert!(error.to_string().contains("the costs are for 1 vertex types"), "{error}");
}

/// Runs a section again and again.
#[vertex_function]
fn count(#[param(V, H)] table: Tensor, #[param(H, H)] w: Tensor) {
    let Word { id } = pull();
    let mut h = table.row(id);
    let mut count = scalar(0.0);
    while count < 9.0 {
        h = w.dot(h).tanh();
        count += 1.0;
    }
    loss(h.sum());
}

/// Fault C1: batches were looked for among rows that inference had forgotten, which it does where
/// sections have many (in debug builds, a few).
#[test]
fn costs_of_loops_are_measured() {
    let (model, count) = model_of::<count, f32>(dims! { V: 5, H: 3 }, 1);
    let graphs: Vec<Graph> = (0..40_u32)
        .map(|number| {
            let mut g = model.graph();
            g.add(&count, (), Word { id: Index(number % 5) });
            g
        })
        .collect();
    let batch = model.minibatch(&graphs).unwrap();
    let mut engine = Engine::new();
    let costs = engine.measure_costs(&model, &batch).unwrap();
    assert_eq!(costs.types.len(), usize::from(model.signature().type_count()));
    assert!(costs.types.iter().all(|cost| cost.launch_ns > 0), "{costs:?}");
}

/// All names remain usable if the whole prelude and whole modules are imported.
#[allow(unused_imports)]
mod names {
    mod globs {
        pub(super) use edb::engine::*;
        pub(super) use edb::feed::*;
        pub(super) use edb::graph::*;
        pub(super) use edb::learn::*;
        pub(super) use edb::log::*;
        pub(super) use edb::metrics::*;
        pub(super) use edb::model::*;
        pub(super) use edb::port::*;
        pub(super) use edb::prelude::*;
        pub(super) use edb::schedule::*;
        pub(super) use edb::testing::*;
    }
    use globs::{
        Adam, Device, Dim, Engine, Function, Graph, Group, Index, Indices, Initializer, Input,
        Minibatch, Model, ModelBuilder, Optimizer, Output, Policy, RateSchedule, Run, Sgd, State,
        Tensor, Trainer, Vertex, VertexFunction, bag_size, bce_with_logits, concat,
        cosine_similarity, cross_entropy, cross_entropy_smoothed, dims, eye, gather, gather_all,
        gather_or, hinge, huber, kl_div, loss, mae, mse, nll, one_hot, ones, pull, push,
        row_cross_entropy, scalar, scatter, stack, vertex_function, vertex_helper, zeros,
    };
}

/// Fault B1 of the fourth list: if vertices are fed in one part only, the schedules of the parts contain different
/// functions. Side by side, they missed vertices, so the joined minibatch never ran.
#[test]
fn parts_that_schedule_other_functions_are_joined() {
    let (zoo, model) = Zoo::model::<f64>(3, 1);
    let part = |words: &[bool]| {
        let mut g = model.graph();
        for is_fed in words {
            let x = g.tensor(&[0.5; FEATURES]);
            let reader = g.add(&zoo.read, (), Features { x });
            if *is_fed {
                let x = g.output(&zoo.read, reader).x;
                g.add(&zoo.chain, [None], Encoded { x });
            }
        }
        model.minibatch([&g]).unwrap()
    };
    let parts = [part(&[true, true]), part(&[false, false]), part(&[true, false])];
    let engine = Engine::new();
    let searched = parts.clone().map(|mut part| {
        engine.search_schedule(&model, &mut part, &SearchOptions::default()).unwrap();
        part
    });
    for policy in [Policy::Depth, Policy::Auto] {
        let loss = |batch: &Minibatch<f64>| {
            let mut engine = Engine::new().policy(policy.clone());
            let mut run = engine.forward(&model, batch, 0).unwrap();
            let norm = run.backward().unwrap().norm();
            (run.loss().unwrap(), norm, run.batch_count())
        };
        for [a, b] in [[0, 1], [1, 0], [0, 2], [2, 1], [1, 1], [2, 2]] {
            let joined = Minibatch::joined(&[&searched[a], &searched[b]]).unwrap();
            // The schedules are kept if both contain the same functions.
            assert_eq!(joined.schedule().is_some(), (a == 1) == (b == 1), "{a} and {b}");
            let plain = Minibatch::joined(&[&parts[a], &parts[b]]).unwrap();
            assert_eq!(loss(&joined).0, loss(&plain).0, "{a} and {b}");
        }
    }
    // If a schedule is not valid for its part, the joined one is not valid either, and a run reports it.
    let mut junk = parts[0].clone();
    let mut schedule = searched[0].schedule().unwrap().clone();
    schedule.push(200, &[u32::MAX, 5]);
    junk.set_schedule(schedule);
    for parts in [[&junk, &searched[0]], [&searched[0], &junk], [&junk, &junk]] {
        let joined = Minibatch::joined(&parts).unwrap();
        let error = Engine::new().infer(&model, &joined).unwrap_err();
        assert!(matches!(error, EngineError::Schedule(_)), "{error}");
    }
}
