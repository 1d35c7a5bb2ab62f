//! The boundary of edb: outputs that are pushed, inputs that are pulled, and gradients of both.

use approx::assert_relative_eq;
use edb::engine::{EngineError, Seeds};
use edb::prelude::*;

use edb_backend_suite::zoo::cells::{Encoded, Features, Memory, Target, chain, read, regress};

struct Net {
    read: Function<read>,
    chain: Function<chain>,
    regress: Function<regress>,
}

fn net() -> (Net, Model<f64>) {
    net_of(4)
}

fn net_of(hidden: usize) -> (Net, Model<f64>) {
    let mut builder = ModelBuilder::new();
    let bound = || Initializer::Uniform { bound: 0.5 };
    let net = Net {
        read: builder.add::<read>(dims! { F: 3, X: 5 }.init("b", bound())),
        chain: builder.add::<chain>(dims! { X: 5, H: hidden }.init("h0", bound())),
        regress: builder.add::<regress>(dims! { H: hidden, F: 3 }),
    };
    (net, builder.build_as(4).unwrap())
}

const INPUT: [[f64; 3]; 3] = [[0.1, -0.7, 0.4], [0.9, 0.2, -0.3], [-0.5, 0.6, 0.8]];
const TARGET: [f64; 3] = [1.0, 0.5, -1.0];

/// A chain reads the outputs of readers, once in the same graph, and once in a second graph, where
/// the test itself passes values forward and gradients backward. Both have the same gradients.
#[test]
fn a_network_cut_at_its_pushes_has_the_same_gradients() {
    let (net, model) = net();
    let sample = 9;

    let mut uncut = model.graph();
    uncut.set_sample(sample);
    let readers = INPUT.map(|row| {
        let x = uncut.tensor(&row);
        uncut.add(&net.read, (), Features { x })
    });
    let mut previous = None;
    for reader in readers {
        let x = uncut.output(&net.read, reader).x;
        previous = Some(uncut.add(&net.chain, [previous], Encoded { x }));
    }
    let y = uncut.tensor(&TARGET);
    uncut.add(&net.regress, [previous.unwrap()], Target { y });
    let batch = model.minibatch([&uncut]).unwrap();
    let mut engine = Engine::new();
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    let expected = run.backward().unwrap();
    let expected_loss = run.loss().unwrap();
    let expected_inputs: Vec<Vec<f64>> = readers
        .map(|reader| run.input_gradient(&net.read, reader).unwrap().x.iter().copied().collect())
        .to_vec();

    // The first graph ends with the readers' outputs. Readers are vertices 0 to 2 in both, so they
    // have the same dropout.
    let mut first = model.graph();
    first.set_sample(sample);
    let readers = INPUT.map(|row| {
        let x = first.tensor(&row);
        first.add(&net.read, (), Features { x })
    });
    let first_batch = model.minibatch([&first]).unwrap();
    let mut first_engine = Engine::new();
    let mut first_run = first_engine.forward(&model, &first_batch, 0).unwrap();

    let mut second = model.graph();
    let mut previous = None;
    let mut chain = Vec::new();
    for reader in readers {
        let row: Vec<f64> =
            first_run.output(&net.read, reader).unwrap().x.iter().copied().collect();
        let x = second.tensor(&row);
        let vertex = second.add(&net.chain, [previous], Encoded { x });
        chain.push(vertex);
        previous = Some(vertex);
    }
    let y = second.tensor(&TARGET);
    second.add(&net.regress, [previous.unwrap()], Target { y });
    let second_batch = model.minibatch([&second]).unwrap();
    let mut second_engine = Engine::new();
    let mut second_run = second_engine.forward(&model, &second_batch, 0).unwrap();
    assert_relative_eq!(second_run.loss().unwrap(), expected_loss, max_relative = 1e-12);
    let mut found = second_run.backward().unwrap();

    let mut seeds = Seeds::new();
    for (reader, vertex) in readers.into_iter().zip(chain) {
        let gradient = second_run.input_gradient(&net.chain, vertex).unwrap().x;
        let gradient: Vec<f64> = gradient.iter().copied().collect();
        seeds.push(&net.read, reader, "x", &gradient);
    }
    found.add_all(first_run.backward_with(&seeds).unwrap()).unwrap();
    for (id, parameter) in model.parameters().iter() {
        let pair = (expected.to_dense(id), found.to_dense(id));
        for (expected, found) in pair.0.iter().zip(&pair.1) {
            assert_relative_eq!(expected, found, max_relative = 1e-12, epsilon = 1e-14);
        }
        assert!(pair.0.iter().any(|x| *x != 0.0), "{} gets a gradient", parameter.name());
    }
    for (reader, expected) in readers.into_iter().zip(expected_inputs) {
        let gradient = first_run.input_gradient(&net.read, reader).unwrap().x;
        for (found, expected) in gradient.iter().zip(expected) {
            assert_relative_eq!(*found, expected, max_relative = 1e-12, epsilon = 1e-14);
        }
    }
}

fn reader(net: &Net, model: &Model<f64>) -> (Graph<f64>, Vertex<()>) {
    let mut g = model.graph();
    let x = g.tensor(&INPUT[0]);
    let vertex = g.add(&net.read, (), Features { x });
    (g, vertex)
}

#[test]
fn seeds_add_up_and_are_linear() {
    let (net, model) = net();
    let (g, vertex) = reader(&net, &model);
    let batch = model.minibatch([&g]).unwrap();
    let mut engine = Engine::new();
    let mut gradient = |seeds: &[[f64; 5]]| {
        let mut run = engine.forward(&model, &batch, 0).unwrap();
        let mut all = Seeds::new();
        seeds.iter().for_each(|seed| all.push(&net.read, vertex, "x", seed));
        run.backward_with(&all).unwrap();
        let x = run.input_gradient(&net.read, vertex).unwrap().x;
        x.iter().copied().collect::<Vec<f64>>()
    };
    let one = [1.0, -2.0, 0.5, 3.0, 0.25];
    let single = gradient(&[one]);
    let double = gradient(&[one, one]);
    let zero = gradient(&[]);
    assert!(single.iter().any(|x| *x != 0.0));
    for ((single, double), zero) in single.iter().zip(double).zip(zero) {
        assert_eq!(2.0 * single, double);
        assert_eq!(zero, 0.0);
    }
}

#[test]
fn wrong_requests_are_errors() {
    let (net, model) = net();
    let (g, vertex) = reader(&net, &model);
    let (other, foreign) = reader(&net, &model);
    let batch = model.minibatch([&g]).unwrap();
    let mut engine = Engine::new();

    let mut run = engine.infer(&model, &batch).unwrap();
    assert!(matches!(run.backward(), Err(EngineError::NoTape)));
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    run.backward().unwrap();
    assert!(matches!(run.backward(), Err(EngineError::Spent)));
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    assert!(matches!(run.input_gradient(&net.read, vertex), Err(EngineError::NotYet)));
    assert!(matches!(run.output(&net.read, foreign), Err(EngineError::UnknownVertex { .. })));
    let error = run.output(&net.regress, vertex).err().unwrap().to_string();
    assert_eq!(error, "vertex 0 is of `read`, not of `regress`");
    let error = run.output_at(0, 0, "z").err().unwrap().to_string();
    assert_eq!(error, "`read` pushes no field `z`; it pushes x");
    let mut seeds = Seeds::new();
    seeds.push(&net.read, vertex, "x", &[1.0]);
    let error = run.backward_with(&seeds).err().unwrap().to_string();
    assert_eq!(error, "the gradient of `x` of `read` has 1 numbers; the field has 5");
    assert!(run.backward().is_ok(), "and the run is still good");
    drop((run, other));
}

#[test]
fn graphs_report_errors_that_rustc_cannot_find() {
    let (net, model) = net();
    let (other_net, other_model) = self::net();
    let message = |g: &Graph<f64>| model.minibatch([g]).unwrap_err().to_string();

    let (mut g, _) = reader(&net, &model);
    let mut elsewhere = model.graph();
    let x = elsewhere.tensor(&[0.0; 5]);
    let child: Vertex<Memory> = elsewhere.add(&net.chain, [None], Encoded { x });
    let y = g.tensor(&TARGET);
    g.add(&net.regress, [child], Target { y });
    let expected = "graph 0 of the minibatch, vertex 1: child 0 is a vertex of another graph, or of a \
                    round that was refused: ";
    assert!(message(&g).starts_with(expected), "{}", message(&g));

    let (mut g, _) = reader(&net, &model);
    g.add(&net.read, (), Features { x });
    assert!(
        message(&g).contains("vertex 1: the input `x` is not of this graph"),
        "{}",
        message(&g)
    );

    let (mut g, _) = reader(&net, &model);
    let x = g.tensor(&INPUT[0]);
    g.add(&other_net.read, (), Features { x });
    assert!(message(&g).contains("vertex 1: the function `read` is of another model"));
    let (other_reader, _) = reader(&other_net, &other_model);

    let (mut g, vertex) = reader(&net, &model);
    let x = g.output(&net.regress, vertex).y;
    g.add(&net.read, (), Features { x });
    assert!(
        message(&g).contains("`output` was asked for vertex 0 of `regress`"),
        "{}",
        message(&g)
    );

    let mut g = model.graph();
    let x = g.tensor(&[1.0, 2.0]);
    g.add(&net.read, (), Features { x });
    assert!(message(&g).contains("has shape [3], so 3 numbers; 2 are given"));

    // The graph that is wrong among others can be left out.
    let ((good, _), empty) = (reader(&net, &model), model.graph());
    let wrong = |graphs: [&Graph<f64>; 3]| model.minibatch(graphs).unwrap_err().graph();
    assert_eq!(wrong([&good, &g, &good]), Some(1));
    assert_eq!(wrong([&good, &good, &empty]), Some(2));
    assert_eq!(wrong([&good, &other_reader, &good]), Some(1));
    assert_eq!(model.minibatch(&[] as &[Graph<f64>]).unwrap_err().graph(), None);
}

/// An absent child reads as zeros, whatever the engine has run before.
#[test]
fn an_engine_runs_one_model_after_another() {
    let chains = |(net, model): &(Net, Model<f64>), count: usize| {
        let mut g = model.graph();
        for _ in 0..count {
            let x = g.tensor(&[0.3; 5]);
            let end = g.add(&net.chain, [None], Encoded { x });
            let y = g.tensor(&TARGET);
            g.add(&net.regress, [end], Target { y });
        }
        model.minibatch([&g]).unwrap()
    };
    let (narrow, wide) = (net_of(2), net_of(40));
    let few = chains(&wide, 2);
    let expected = Engine::new().infer(&wide.1, &few).unwrap().loss().unwrap();
    let mut engine = Engine::new();
    engine.infer(&narrow.1, &chains(&narrow, 100)).unwrap();
    assert_eq!(engine.infer(&wide.1, &few).unwrap().loss().unwrap(), expected);
}
