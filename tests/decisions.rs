//! Indices that are computed: what they are, that samples follow their probabilities, and that they
//! are the same beside any other graphs, by every policy, on any number of threads.

use edb::engine::{EngineError, Seeds};
use edb::graph::{GraphProblem, MinibatchError};
use edb::model::ModelError;
use edb::prelude::*;

const CLASSES: usize = 4;

/// Scores of classes.
#[derive(Input)]
struct Scores {
    x: Tensor,
}

/// The class that was chosen before.
#[derive(State)]
struct Chosen {
    class: Index,
    counts: Tensor,
}

#[derive(Output)]
struct Choice {
    best: Index,
    drawn: Index,
    agrees: Tensor,
}

/// Chooses a class, and counts what was drawn twice in a row.
#[vertex_function]
fn choose(#[param(C)] bias: Tensor, #[dim(C)] classes: Dim) {
    let Scores { x } = pull();
    let before = gather_or(0, Chosen { class: Index(0), counts: zeros(classes) });
    let scores = x + bias;
    let (best, drawn) = (scores.argmax(), scores.sample());
    let agrees = indicator(drawn == before.class);
    let counts = before.counts + one_hot(drawn, classes) * agrees;
    scatter(Chosen { class: drawn, counts });
    push(Choice { best, drawn, agrees });
    loss(-scores.log_softmax().pick(drawn));
}

fn model() -> (Function<choose>, Model) {
    let mut builder = ModelBuilder::new();
    let function = builder.add::<choose>(dims! { C: CLASSES });
    (function, builder.build(1).unwrap())
}

/// A chain of vertices with the same scores.
fn chain(function: &Function<choose>, model: &Model, x: [f32; CLASSES], length: usize) -> Graph {
    let mut g = model.graph();
    let mut last = None;
    for _ in 0..length {
        let x = g.tensor(&x);
        last = Some(g.add(function, [last], Scores { x }));
    }
    g
}

/// The classes that the vertices of some graphs draw, graph by graph.
fn drawn(engine: &mut Engine, model: &Model, graphs: &[&Graph]) -> Vec<Vec<u32>> {
    let batch = model.minibatch(graphs.iter().copied()).unwrap();
    let run = engine.infer(model, &batch).unwrap();
    let of = |(graph, g): (usize, &&Graph)| {
        (0..g.len()).map(|vertex| run.index_at(graph, vertex, "drawn").unwrap()).collect()
    };
    graphs.iter().enumerate().map(of).collect()
}

#[test]
fn indices_are_read_one_by_one_and_together() {
    let (function, model) = model();
    let mut g = model.graph();
    let mut add = |x: [f32; CLASSES]| {
        let x = g.tensor(&x);
        g.add(&function, [None], Scores { x })
    };
    // The first of several that are greatest; one that is all but certain to be drawn.
    let vertices = [add([1.0, 3.0, 3.0, 0.0]), add([0.0, 0.0, 0.0, 1e4])];
    let batch = model.minibatch([&g]).unwrap();
    let mut engine = Engine::new();
    let run = engine.infer(&model, &batch).unwrap();
    let first = run.output(&function, vertices[0]).unwrap();
    assert_eq!((first.best.ndim(), first.best[[]]), (0, 1));
    let all = run.outputs(&function).unwrap();
    assert_eq!(all.view().best.as_slice().unwrap(), [1, 3]);
    assert_eq!(run.index_at(0, 1, "drawn").unwrap(), 3);
    let states = run.states(&vertices).unwrap();
    let drawn = [0, 1].map(|vertex| run.index_at(0, vertex, "drawn").unwrap());
    assert_eq!(states.view().class.as_slice().unwrap(), drawn);
    assert_eq!(run.state(vertices[1]).unwrap().class[[]], 3);
}

/// With probabilities of 1/2, 1/4, 1/8 and 1/8, each frequency is within four standard deviations.
#[test]
fn samples_follow_their_probabilities() {
    let (function, model) = model();
    let x = [0.5_f32, 0.25, 0.125, 0.125].map(f32::ln);
    let count = 20_000;
    let mut g = model.graph();
    for _ in 0..count {
        let x = g.tensor(&x);
        g.add(&function, [None], Scores { x });
    }
    let batch = model.minibatch([&g]).unwrap();
    let mut engine = Engine::new();
    let run = engine.infer(&model, &batch).unwrap();
    let choices = run.outputs(&function).unwrap();
    for (class, expected) in [0.5, 0.25, 0.125, 0.125].into_iter().enumerate() {
        let found = choices.view().drawn.iter().filter(|drawn| **drawn == class as u32).count();
        let deviation = (expected * (1.0 - expected) / f64::from(count)).sqrt();
        let frequency = found as f64 / f64::from(count);
        assert!((frequency - expected).abs() < 4.0 * deviation, "{class}: {frequency}");
    }
}

#[test]
fn samples_depend_on_seed_and_graph_alone() {
    let (function, model) = model();
    let graphs: Vec<Graph> = [3, 40, 17, 1]
        .into_iter()
        .enumerate()
        .map(|(id, length)| {
            let mut g = chain(&function, &model, [0.1, 0.2, 0.3, 0.0], length);
            g.set_sample(id as u64);
            g
        })
        .collect();
    let all: Vec<&Graph> = graphs.iter().collect();
    let reference = drawn(&mut Engine::new(), &model, &all);
    for threads in [1, 2, 3] {
        for policy in [Policy::Depth, Policy::Agenda, Policy::Sufficient] {
            let mut engine = Engine::with_threads(threads).unwrap().policy(policy);
            assert_eq!(drawn(&mut engine, &model, &all), reference);
        }
    }
    for (number, graph) in all.iter().enumerate() {
        assert_eq!(drawn(&mut Engine::new(), &model, &[graph]), [reference[number].clone()]);
    }
    let reversed: Vec<&Graph> = all.iter().rev().copied().collect();
    let mut found = drawn(&mut Engine::new(), &model, &reversed);
    found.reverse();
    assert_eq!(found, reference);
    assert_ne!(drawn(&mut Engine::new().seed(1), &model, &all), reference);
    // Step 0 of training draws as inference does, step 1 does not.
    let batch = model.minibatch(all.iter().copied()).unwrap();
    let mut engine = Engine::new();
    let mut in_training = |step| {
        let run = engine.forward(&model, &batch, step).unwrap();
        (0..40).map(|vertex| run.index_at(1, vertex, "drawn").unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(in_training(0), reference[1]);
    assert_ne!(in_training(1), reference[1]);
}

/// Without a number to go by, the first that is not one is chosen, and nothing panics.
#[test]
fn choices_among_infinities_are_the_first_greatest() {
    let (function, mut model) = model();
    let id = model.parameters().find("choose.bias").unwrap();
    for (bias, expected) in [
        ([0.0, f32::NAN, f32::NAN, 0.0], 1),
        ([0.0, 1.0, f32::INFINITY, 0.0], 2),
        ([f32::NEG_INFINITY; CLASSES], 0),
    ] {
        model.parameters_mut().get_mut(id).set_values(&bias).unwrap();
        let g = chain(&function, &model, [0.0; CLASSES], 1);
        let batch = model.minibatch([&g]).unwrap();
        let mut engine = Engine::new();
        let run = engine.infer(&model, &batch).unwrap();
        let found = ["best", "drawn"].map(|field| run.index_at(0, 0, field).unwrap());
        assert_eq!(found, [expected; 2]);
    }
}

#[test]
fn indices_are_no_tensors() {
    let (function, model) = model();
    let g = chain(&function, &model, [0.0; CLASSES], 1);
    let batch = model.minibatch([&g]).unwrap();
    let mut engine = Engine::new();
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    let error = run.output_at(0, 0, "best").unwrap_err();
    assert!(matches!(&error, EngineError::IsIndex { field } if field == "best"), "{error}");
    let error = run.index_at(0, 0, "agrees").unwrap_err();
    assert_eq!(error.to_string(), "`agrees` is a tensor, not an index");
    let error = run.state_at(0, 0, "class").unwrap_err();
    assert!(matches!(error, EngineError::IsIndex { .. }));
    let mut seeds = Seeds::new();
    seeds.push_at(0, 0, "drawn", &[1.0]);
    let error = run.backward_with(&seeds).unwrap_err();
    assert!(matches!(error, EngineError::IsIndex { .. }), "{error}");
}

/// A class that is given from outside.
#[derive(Input)]
struct Given {
    class: Index,
}

#[vertex_function]
fn given(#[param(C)] bias: Tensor) {
    let Given { class } = pull();
    loss(bias.pick(class));
}

#[test]
fn what_is_not_known_before_a_run_is_no_input() {
    let mut builder = ModelBuilder::new();
    let choose = builder.add::<choose>(dims! { C: CLASSES });
    let given = builder.add::<given>(dims! { C: CLASSES });
    let model: Model = builder.build(1).unwrap();
    let mut g = chain(&choose, &model, [0.0; CLASSES], 0);
    let x = g.tensor(&[0.0; CLASSES]);
    let v = g.add(&choose, [None], Scores { x });
    let class = g.output(&choose, v).drawn;
    g.add(&given, (), Given { class });
    let error = model.minibatch([&g]).unwrap_err();
    let unknown = matches!(&error, MinibatchError::Graph { error, .. }
        if matches!(*error.problem, GraphProblem::UnknownIndex { .. }));
    assert!(unknown, "{error}");
}

/// Passes a class on, without saying that it is an index.
#[vertex_function]
fn pass() {
    let before: Chosen = gather(0);
    scatter(Chosen { class: before.class, counts: before.counts + 1.0 });
}

/// The same, but it says so.
#[vertex_function]
fn pass_index() {
    let before: Chosen = gather(0);
    let class: Index = before.class;
    scatter(Chosen { class, counts: before.counts + 1.0 });
}

fn built<F>(add: impl FnOnce(&mut ModelBuilder) -> F) -> Result<Model, ModelError> {
    let mut builder = ModelBuilder::new();
    builder.add::<choose>(dims! { C: CLASSES });
    add(&mut builder);
    builder.build(1)
}

#[test]
fn functions_agree_about_the_indices_of_a_state() {
    built(|builder| builder.add::<pass_index>(dims! {})).unwrap();
    let error = built(|builder| builder.add::<pass>(dims! {})).unwrap_err().to_string();
    let expected = "`pass` uses the field `class` of `Chosen` as a tensor, but it is an index; where it \
                    is only passed on, say so: `let class: Index = ..;`";
    assert!(error.contains(expected), "{error}");
    let other = |builder: &mut ModelBuilder| builder.add::<choose>(dims! { C: 7 }.named("b"));
    let error = built(other).unwrap_err().to_string();
    let expected = "`Chosen.class` is one of 4 in `choose`, but one of 7 in `b`";
    assert!(error.contains(expected), "{error}");
}
