//! Policies in an engine: the default learns, learned ones are saved, and schedules are kept.

pub mod support;

use edb::EngineError;
use edb::prelude::*;
use edb::schedule::{
    Encoding, IndexOptions, LearnOptions, Learner, Schedule, ScheduleError, SearchOptions,
    Signature,
};
use support::Sentiment;

#[test]
fn the_default_learns_and_results_stay() {
    let (functions, model) = Sentiment::model::<f64>(4, 1);
    let trees = functions.trees(&model, 8, 7, 5);
    let batch = model.minibatch(trees.iter().map(|(graph, _)| graph)).unwrap();
    let mut plain = Engine::new().policy(Policy::Depth);
    let expected = plain.infer(&model, &batch).unwrap().loss();
    assert!(plain.policy_report(&model).contains("depth: as was asked for"));

    let mut engine = Engine::new().seed(3);
    for _ in 0..6 {
        let loss = engine.infer(&model, &batch).unwrap().loss();
        assert!((loss - expected).abs() <= 1e-12 * expected.abs());
    }
    // Trees under one function need nothing better.
    assert!(engine.policy_report(&model).starts_with("heuristic: "));
    assert!(matches!(engine.learned_policy(&model), Some(Policy::Best(_))));
}

#[test]
fn policies_are_learned_on_minibatches_and_explained() {
    let (functions, model) = Sentiment::model::<f64>(4, 1);
    let trees = functions.trees(&model, 8, 7, 5);
    let mut batch = model.minibatch(trees.iter().map(|(graph, _)| graph)).unwrap();
    let mut engine = Engine::new();
    let (graph, _) = engine.type_graph(&model, &batch).unwrap();
    let index = IndexOptions { generations: 2, population: 4, elite: 2 };
    for learner in [Learner::Fsm(Encoding::Sort), Learner::Index] {
        let options = LearnOptions { learner, index: index.clone(), ..LearnOptions::default() };
        let samples = [graph.clone()];
        let types = model.signature();
        let learned = Policy::learn_for(types, &samples, &options, &mut |_| ()).unwrap();
        let explanation = learned.schedule(&graph).explain(&graph, types).unwrap();
        assert!(explanation.optimal, "{explanation}");
        let loss = engine.infer(&model, &batch).unwrap().loss();
        let mut learned = Engine::new().policy(learned);
        assert_eq!(learned.infer(&model, &batch).unwrap().loss(), loss);
    }

    // What a saved policy fits: the functions, what they read and what they scatter.
    let types = model.signature().types().iter().map(ToString::to_string);
    let expected = ["word() -> Node", "phrase(Node, Node) -> Node", "sentiment(Node)"];
    assert_eq!(types.collect::<Vec<_>>(), expected);

    let loss = engine.infer(&model, &batch).unwrap().loss();
    let found = engine.search_schedule(&model, &mut batch, &SearchOptions::default()).unwrap();
    assert!(found.is_proved());
    assert_eq!(engine.infer(&model, &batch).unwrap().loss(), loss);
}

#[test]
fn policies_of_other_models_are_refused() {
    let (functions, model) = Sentiment::model::<f64>(4, 1);
    let trees = functions.trees(&model, 2, 7, 5);
    let batch = model.minibatch(trees.iter().map(|(graph, _)| graph)).unwrap();
    let other = Signature::unnamed(model.signature().type_count() + 1);
    let sample = edb::TypeGraph::new(other.type_count(), vec![], vec![0], vec![]).unwrap();
    let options = LearnOptions { learner: Learner::Fsm(Encoding::Base), ..LearnOptions::default() };
    let policy = Policy::learn(&[sample], &options).unwrap();
    let mut engine = Engine::new().policy(policy);
    let error = engine.infer(&model, &batch).map(drop).unwrap_err();
    assert!(matches!(error, EngineError::Schedule(ScheduleError::OtherTypes { .. })), "{error}");
}

#[test]
fn schedules_are_chosen_by_measured_costs() {
    let (functions, model) = Sentiment::model::<f64>(4, 1);
    let trees = functions.trees(&model, 8, 7, 5);
    let batch = model.minibatch(trees.iter().map(|(graph, _)| graph)).unwrap();
    let mut engine = Engine::new().policy(Policy::Depth);
    let loss = engine.infer(&model, &batch).unwrap().loss();
    let costs = engine.measure_costs(&model, &batch).unwrap();
    assert_eq!(costs.types.len(), usize::from(model.signature().type_count()));
    // Phrases follow the schedule, and a phrase takes time.
    assert!(costs.types.iter().any(|cost| cost.launch_ns > 0 && cost.row_ps > 0), "{costs:?}");

    let (graph, _) = engine.type_graph(&model, &batch).unwrap();
    let cheapest = Policy::Depth.cheapest(&graph, &costs).unwrap();
    let time = |schedule: &Schedule| schedule.estimated_ns(&graph, &costs).unwrap();
    assert!(time(&cheapest) <= time(&Policy::Depth.schedule(&graph)));
    let mut engine = engine.costs(costs.clone()).policy(Policy::default());
    for _ in 0..5 {
        let found = engine.infer(&model, &batch).unwrap().loss();
        assert!((found - loss).abs() <= 1e-12 * loss.abs());
    }

    let mut foreign = Engine::new().costs(edb::schedule::Costs::per_batch(1));
    let error = foreign.infer(&model, &batch).map(drop).unwrap_err();
    assert!(error.to_string().contains("the costs are for 1 vertex types"), "{error}");
}
