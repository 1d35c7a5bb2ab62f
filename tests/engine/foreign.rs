//! What hidden functions are given that is of something else: it is refused, and nothing runs.

use edb_core::engine::training::{self, CutFor, Growing};
use edb_core::graph::{Arrivals, inside};
use edb_core::model::derived::Derived;
use edb_core::model::tangent::Directions;
use edb_core::vouch::Vouch;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use edb::engine::{EngineError, Seeds};
use edb::graph::MinibatchError;
use edb::graph::{InputRecord, VertexRecord};
use edb::learn::{Gradient, Gradients, LearnError, ParameterId};
use edb::prelude::*;
use edb::schedule::{Schedule, SearchOptions};
use edb_ir::Plan;

use super::on_engines::{chains, model, next};

fn losses(run: Result<Run<'_, f32>, EngineError>) -> u64 {
    run.unwrap().loss().unwrap().to_bits()
}

/// Fault B2 of the third list: a chain that was scheduled as one batch ran as one batch, in which
/// vertices read rows that others were writing.
#[test]
fn a_schedule_is_one_of_its_minibatch() {
    let model = model(next(), 8);
    let mut batch = chains(&model, &[5, 3]);
    let mut engine = Engine::with_threads(2).unwrap();
    let right = losses(engine.infer(&model, &batch));
    let (graph, _) = engine.type_graph(&model, &batch).unwrap();
    let all: Vec<u32> = (0..graph.len() as u32).collect();
    let mut at_once = Schedule::new();
    at_once.push(graph.vertex_type(0), &all);
    let mut too_few = Schedule::new();
    too_few.push(graph.vertex_type(0), &all[..1]);
    for wrong in [at_once, too_few, Schedule::new()] {
        batch.set_schedule(wrong);
        let refused = |error| matches!(error, EngineError::Schedule(_));
        assert!(refused(engine.infer(&model, &batch).unwrap_err()));
        assert!(refused(engine.forward(&model, &batch, 0).unwrap_err()));
        assert!(refused(engine.training_bytes(&model, &batch).unwrap_err()));
        let prepared = training::prepare(&mut engine, &model, &batch, CutFor::Step).unwrap();
        assert!(refused(training::run(&mut engine, &prepared, 0, &|_| 0).unwrap_err()));
    }
    // A right one is not refused; one that the engine has made itself is not checked again, as long as
    // the minibatch is the same.
    let options = SearchOptions::default();
    let found = engine.search_schedule(&model, &mut batch, &options).unwrap();
    assert_eq!(losses(engine.infer(&model, &batch)), right);
    let mut part = batch.clone();
    part.refill(&batch, 0..1);
    assert!(part.schedule().is_none(), "it was one of other graphs");
    let joined = Minibatch::joined(&[&batch, &batch]).unwrap();
    assert_eq!(engine.infer(&model, &joined).unwrap().minibatch().graph_count(), 4);
    batch.set_schedule(found);
    assert_eq!(losses(engine.infer(&model, &batch)), right);
}

/// Fault B3 of the third list: a minibatch got the id of any model, and ran with plans that its graphs
/// had not been checked for.
#[test]
fn a_minibatch_is_of_its_model() {
    let [own, other] = [8, 4].map(|h| model(next(), h));
    let [batch, foreign] = [&own, &other].map(|model| chains(model, &[3, 2]));
    let refused = |of: Result<Minibatch, MinibatchError>| of.unwrap_err();
    let mut losses = own.vertex_losses(edb_compiler::push_losses).unwrap();
    let mut tangent = own.tangent_by(edb_compiler::tangent).unwrap();
    let foreign_minibatch = MinibatchError::ForeignMinibatch;
    assert_eq!(
        refused(inside::of_derived(&foreign, Derived::of_losses(&mut losses))),
        foreign_minibatch
    );
    let derived = Directions::of(&mut tangent).derived;
    assert_eq!(
        refused(inside::of_derived(&batch, derived)),
        foreign_minibatch,
        "it has other input"
    );
    assert_eq!(refused(inside::with_tangents(&foreign, own.bound(), derived)), foreign_minibatch);
    assert_eq!(refused(inside::with_tangents(&foreign, other.bound(), derived)), foreign_minibatch);
    assert_eq!(
        refused(inside::with_tangents(&batch, own.bound(), Derived::of_losses(&mut losses))),
        foreign_minibatch
    );
    assert_eq!(refused(inside::repeated(&batch, &[0], other.bound())), foreign_minibatch);
    let none = MinibatchError::NoSuchGraph { graph: 2, graphs: 2 };
    assert_eq!(refused(inside::repeated(&batch, &[1, 2], own.bound())), none);
    assert_eq!(refused(Minibatch::joined(&[&batch, &foreign])), MinibatchError::Unlike { part: 1 });
    let repeated = inside::repeated(&batch, &[0], own.bound()).unwrap();
    assert_eq!(
        refused(Minibatch::joined(&[&batch, &repeated])),
        MinibatchError::Unlike { part: 1 }
    );
    assert_eq!(refused(Minibatch::joined(&[])), MinibatchError::NoGraphs);
    assert_eq!(refused(Minibatch::joined(&[&batch.hollow()])), MinibatchError::NoGraphs);
    let mut engine = Engine::new();
    let error = engine.infer(&own, &batch.hollow()).unwrap_err();
    assert!(matches!(error, EngineError::Minibatch(MinibatchError::NoGraphs)), "{error}");
    // What is of the model is not refused.
    inside::of_derived(&batch, Derived::of_losses(&mut losses)).unwrap();
    inside::with_tangents(&batch, own.bound(), Directions::of(&mut tangent).derived).unwrap();
}

/// A minibatch that could not be refilled had its old vertices under the id of the other model, and ran with
/// plans that they had not been checked for.
#[test]
fn a_refilled_minibatch_is_of_one_model() {
    let [own, other] = [8, 4].map(|h| model(next(), h));
    let [mut batch, foreign] = [&own, &other].map(|model| chains(model, &[3, 2]));
    let mut engine = Engine::new();
    let right = losses(engine.infer(&own, &batch));
    for (start, end) in [(5, 3), (1, 0), (1, 3), (3, 3), (3, 4)] {
        let refill = AssertUnwindSafe(|| batch.refill(&foreign, start..end));
        assert!(catch_unwind(refill).is_err(), "{start}..{end}");
        let error = engine.infer(&other, &batch).unwrap_err();
        let is_foreign = matches!(error, EngineError::ForeignMinibatch);
        assert!(is_foreign, "{start}..{end}: {error}");
        assert_eq!(losses(engine.infer(&own, &batch)), right);
    }
    batch.refill(&foreign, 0..2);
    assert_eq!(losses(engine.infer(&other, &batch)), losses(engine.infer(&other, &foreign)));
}

/// Graphs that grow became minibatches of any model, whose plans they had not been checked for.
#[test]
fn graphs_that_grow_are_of_their_model() {
    let [own, other] = [8, 4].map(|h| model(next(), h));
    let first = VertexRecord {
        function: "first".into(),
        children: Vec::new(),
        input: [("id".into(), InputRecord::Index(1))].into(),
    };
    let mut graphs = vec![own.graph_from_records(&[first]).unwrap()];
    // SAFETY: nothing runs.
    let mut arrivals = Arrivals::new(&own, &mut graphs, unsafe { Vouch::new() }).unwrap();
    let settled = AssertUnwindSafe(|| arrivals.settled(other.bound(), None).map(|_| ()));
    assert!(catch_unwind(settled).is_err());
    let taken = AssertUnwindSafe(|| arrivals.take(other.bound(), 0).map(|_| ()));
    assert!(catch_unwind(taken).is_err());
    let batch = chains(&own, &[2]);
    // SAFETY: nothing runs.
    let begun = || Arrivals::of_minibatch(other.bound(), &batch, unsafe { Vouch::new() });
    assert!(catch_unwind(AssertUnwindSafe(begun)).is_err());
    arrivals.settled(own.bound(), None).unwrap();
}

/// Gradients went to what a step had begun over, whatever they were of: to a panic, or under other names.
#[test]
fn gradients_are_kept_for_what_the_step_is_over() {
    let [own, other] = [8, 4].map(|h| model(next(), h));
    let batch = chains(&own, &[3, 2]);
    let mut engine = Engine::new();
    training::begin_step(&mut engine, other.parameters(), true).unwrap();
    let prepared = training::prepare(&mut engine, &own, &batch, CutFor::Step).unwrap();
    let error = training::run(&mut engine, &prepared, 0, &|_| 0).unwrap_err();
    assert!(matches!(error, EngineError::Learn(LearnError::OtherParameters { .. })), "{error}");
    training::begin_step(&mut engine, own.parameters(), true).unwrap();
    training::run(&mut engine, &prepared, 0, &|_| 0).unwrap();
}

/// A model made derivatives with whatever plans it was given, and panicked where it missed a parameter in them.
#[test]
fn a_derivative_is_of_its_function() {
    let own = model(next(), 4);
    let plans = RefCell::new(Vec::new());
    let keep = |plan: &Plan| {
        plans.borrow_mut().push(plan.clone());
        edb_compiler::tangent(plan)
    };
    own.tangent_by(keep).unwrap();
    let plans = plans.into_inner();
    let other = |plan: &Plan| plans.iter().find(|other| *other != plan).unwrap().clone();
    let refused = "has other parameters or ports than its derivative";
    for error in [
        own.tangent_by(|plan| Ok(plan.clone())),
        own.tangent_by(|plan| Ok(other(plan))),
        own.tangent_by(|plan| edb_compiler::tangent(&other(plan))),
        own.tangent_by(|plan| Ok(edb_compiler::push_losses(plan))),
    ] {
        let error = error.unwrap_err().to_string();
        assert!(error.contains(refused), "{error}");
    }
    for error in [
        own.vertex_losses(Plan::clone),
        own.vertex_losses(other),
        own.vertex_losses(|plan| edb_compiler::tangent(plan).unwrap()),
    ] {
        let error = error.unwrap_err().to_string();
        assert!(error.contains(refused), "{error}");
    }
}

/// Fault B4 of the third list: graphs that had grown went backward twice, or were finished with another
/// model or behind what the engine had run since.
#[test]
fn graphs_grow_where_they_have_begun() {
    let [own, other] = [8, 4].map(|h| model(next(), h));
    let batch = chains(&own, &[3, 2]);
    let graph = |length: usize| {
        let vertex = |number: usize| VertexRecord {
            function: if number == 0 { "first" } else { "next" }.into(),
            children: number.checked_sub(1).map(Some).into_iter().collect(),
            input: (number == 0)
                .then(|| ("id".into(), InputRecord::Index(1)))
                .into_iter()
                .collect(),
        };
        own.graph_from_records(&(0..length).map(vertex).collect::<Vec<_>>()).unwrap()
    };
    let mut engine = Engine::new();
    let grow = |engine: &mut Engine<f32>| {
        Growing::new(engine, &own, vec![graph(3), graph(2)], Some(0)).unwrap()
    };
    let foreign = |error: EngineError| matches!(error, EngineError::ForeignGrowth);
    let mut growing = grow(&mut engine);
    assert!(foreign(growing.finish(&mut engine, &other).unwrap_err()));
    assert!(foreign(growing.next_round(&mut engine, &other).unwrap_err()));
    assert!(foreign(growing.settle(&mut Engine::new(), &own).unwrap_err()));
    training::begin_step(&mut engine, own.parameters(), true).unwrap();
    growing.learn(&mut engine, &own, &Seeds::new()).unwrap();
    let once = training::kept_gradients(&mut engine, own.parameters()).unwrap();
    let again = growing.learn(&mut engine, &own, &Seeds::new()).unwrap_err();
    assert!(matches!(again, EngineError::Spent), "{again}");
    let kept = training::kept_gradients(&mut engine, own.parameters()).unwrap();
    let table = ParameterId::new(0);
    assert_eq!(kept.get(table), once.get(table));
    assert!(growing.competition(other.bound(), &SearchOptions::default()).is_err());
    // Something else has run since.
    let mut growing = grow(&mut engine);
    engine.infer(&own, &batch).unwrap();
    assert!(foreign(growing.settle(&mut engine, &own).unwrap_err()));
    let mut growing = grow(&mut engine);
    growing.settle(&mut engine, &own).unwrap();
    let mut newer = grow(&mut engine);
    assert!(foreign(growing.learn(&mut engine, &own, &Seeds::new()).unwrap_err()));
    newer.finish(&mut engine, &own).unwrap();
}

/// Fault B4 of the third list: what sets or adds gradients took rows that repeat, and those of other
/// parameters.
#[test]
fn gradients_are_of_their_parameters() {
    let [own, other] = [8, 4].map(|h| model(next(), h));
    let [mut gradients, mut foreign] = [&own, &other].map(|of| Gradients::new(of.parameters()));
    let table = ParameterId::new(0);
    let rows =
        |rows: Vec<u32>| Gradient::Rows { width: 8, values: vec![1.0; 8 * rows.len()], rows };
    for wrong in [vec![1, 1], vec![2, 1], vec![5]] {
        assert!(gradients.set(table, rows(wrong)).is_err());
    }
    assert!(gradients.set(table, Gradient::Dense(vec![1.0; 39])).is_err());
    gradients.set(table, rows(vec![1, 3])).unwrap();
    assert!(gradients.absorb(&mut foreign, &mut edb::learn::Workers::alone()).is_err());
    assert_eq!(*gradients.get(table), rows(vec![1, 3]));
}
