//! What is read from a minibatch whose parts have run side by side, against a run of the whole.

use super::parts::{forever, forty, of_words, wanderer};
use super::*;
use edb::Run;
use edb::engine::{EngineError, JacobianOf, Seeds};
use edb::learn::Gradients;
use edb::schedule::Schedule;
use edb_core::engine::training::{self, CutFor};

use edb_backend_suite::models::model_of;
use edb_backend_suite::numbers::gradient_bits;
use edb_backend_suite::ports::Number;

#[derive(Output)]
struct Said {
    y: Tensor,
    best: Index,
}

/// Thinks about a vector as long as that says, with dropout, and says what it has come to.
#[vertex_function]
fn reckon(#[dim(H)] size: Dim, #[param(H, H)] u: Tensor, #[param(H)] halt: Tensor) {
    let Number { x } = pull();
    let before = gather_or(0, Thought { h: zeros(size) });
    let (mut s, mut halted) = (before.h + x, scalar(0.0));
    while halted < 0.99 {
        s = (x + u.dot(s.dropout(0.1))).tanh();
        halted += halt.dot(s).sigmoid() * 0.4 + 0.05;
    }
    scatter(Thought { h: s });
    push(Said { y: s * halted, best: s.argmax() });
    loss(s.square().sum() * halted);
}

const SIZE: usize = 5;

/// Chains of these lengths, and the vertices of each.
struct Chains {
    model: Model<f64>,
    f: Function<reckon>,
    graphs: Vec<Graph<f64>>,
    vertices: Vec<Vec<Vertex<Thought>>>,
    batch: Minibatch<f64>,
}

fn chains_of(lengths: &[usize]) -> Chains {
    let bound = Initializer::Uniform { bound: 0.9 };
    let (model, f) =
        model_of::<reckon, _>(dims! { H: SIZE }.init("halt", bound).init("u", bound), 3);
    let chain = |(number, length): (usize, &usize)| {
        let (mut g, mut before) = (model.graph(), None);
        let vertices = (0..*length).map(|place| {
            let element = |k: usize| ((number * 7 + place * 3 + k) % 11) as f64 / 11.0 - 0.4;
            let x = g.tensor(&(0..SIZE).map(element).collect::<Vec<f64>>());
            let vertex = g.add(&f, [before], Number { x });
            before = Some(vertex);
            vertex
        });
        let vertices = vertices.collect();
        (g, vertices)
    };
    let (graphs, vertices): (Vec<_>, Vec<_>) = lengths.iter().enumerate().map(chain).unzip();
    let batch = model.minibatch(&graphs).unwrap();
    Chains { model, f, graphs, vertices, batch }
}

/// Chains of one to five vertices.
fn many(count: usize) -> Chains {
    chains_of(&(0..count).map(|number| 1 + number * 7 % 5).collect::<Vec<_>>())
}

/// An engine that knows how such graphs run, and so runs many of them in parts.
fn learned(threads: usize, of: &Chains) -> Engine<f64> {
    let mut engine = Engine::with_threads(threads).unwrap().seed(4);
    for _ in 0..4 {
        engine.infer(&of.model, &of.batch).unwrap();
    }
    assert!(
        training::prepare(&mut engine, &of.model, &of.batch, CutFor::Step).unwrap().parts().len()
            > 1
    );
    engine
}

/// One that does not, and runs the whole minibatch.
fn unlearned() -> Engine<f64> {
    Engine::new().seed(4)
}

/// Everything that a run says of single vertices, as bits.
fn said(of: &Chains, run: &Run<'_, f64>) -> Vec<u64> {
    let mut said = Vec::new();
    let mut all = |values: &mut dyn Iterator<Item = f64>| said.extend(values.map(f64::to_bits));
    for (graph, vertices) in of.vertices.iter().enumerate() {
        for (number, vertex) in vertices.iter().enumerate() {
            let output = run.output(&of.f, *vertex).unwrap();
            all(&mut output.y.iter().copied());
            all(&mut output.best.iter().map(|best| f64::from(*best)));
            all(&mut run.output_at(graph, number, "y").unwrap().iter().copied());
            all(&mut run.state(*vertex).unwrap().h.iter().copied());
            all(&mut run.state_at(graph, number, "h").unwrap().unwrap().iter().copied());
            let best = run.index_at(graph, number, "best").unwrap();
            let sections = run.sections_at(graph, number).unwrap();
            let loss = run.vertex_loss(graph, number).unwrap();
            all(&mut [f64::from(best), sections as f64, loss].into_iter());
        }
    }
    let outputs = run.outputs(&of.f).unwrap();
    all(&mut outputs.view().y.iter().copied());
    all(&mut outputs.view().best.iter().map(|best| f64::from(*best)));
    let roots: Vec<_> = of.vertices.iter().rev().map(|of_graph| of_graph[0]).collect();
    all(&mut run.states(&roots).unwrap().view().h.iter().copied());
    said
}

/// What a minibatch has become, but for the schedule.
fn unscheduled(batch: &Minibatch<f64>) -> String {
    let text = format!("{batch:?}");
    text[..text.find(", schedule:").unwrap()].to_owned()
}

fn close(found: f64, expected: f64) {
    approx::assert_relative_eq!(found, expected, max_relative = 1e-9, epsilon = 1e-10);
}

fn all_close(model: &Model<f64>, found: &Gradients<f64>, expected: &Gradients<f64>) {
    for (id, _) in model.parameters().iter() {
        let pairs = found.to_dense(id).into_iter().zip(expected.to_dense(id));
        pairs.for_each(|(found, expected)| close(found, expected));
    }
}

#[test]
fn all_that_is_read_is_that_of_the_whole() {
    for count in [32, 75, 140] {
        let of = many(count);
        for training in [false, true] {
            for threads in 1..=3 {
                let (mut engine, mut other) = (learned(threads, &of), unlearned());
                let begin = |engine: &mut Engine<f64>| -> (Vec<u64>, f64, String, String) {
                    let run = match training {
                        false => engine.infer(&of.model, &of.batch).unwrap(),
                        true => engine.forward(&of.model, &of.batch, 9).unwrap(),
                    };
                    let graph = run.type_graph();
                    assert_eq!(run.schedule().check(&graph), Ok(()));
                    assert_eq!(run.batch_count(), run.schedule().len());
                    assert!(!run.explain().to_string().is_empty() && run.arena_len() > 0);
                    let become_ = unscheduled(run.minibatch());
                    (said(&of, &run), run.loss().unwrap(), become_, format!("{graph:?}"))
                };
                let (parts, whole) = (begin(&mut engine), begin(&mut other));
                assert!(parts.0 == whole.0, "{count} graphs, training {training}");
                assert_eq!(parts.1.to_bits(), whole.1.to_bits());
                assert_eq!((parts.2, parts.3), (whole.2, whole.3));
            }
        }
    }
}

/// Gradients, those of inputs, and those that seeds add; twice, and with other sizes in between.
#[test]
fn backward_is_that_of_the_whole_and_the_same_on_any_number_of_threads() {
    let (of, few) = (many(75), many(33));
    let mut seeds = Seeds::new();
    seeds.push(&of.f, of.vertices[2][1], "y", &[0.3, -0.2, 0.1, 0.0, 0.5]);
    seeds.push_at(74, 0, "y", &[1.0; SIZE]);
    seeds.push_at(40, 0, "y", &[-0.7; SIZE]);
    let ran = |engine: &mut Engine<f64>| -> (Vec<u64>, Gradients<f64>) {
        let mut run = engine.forward(&of.model, &of.batch, 9).unwrap();
        assert!(matches!(run.input_gradient_at(0, 0, "x"), Err(EngineError::NotYet)));
        let gradients = run.backward_with(&seeds).unwrap();
        assert!(matches!(run.backward(), Err(EngineError::Spent)));
        let inputs = of.vertices.iter().flatten().flat_map(|vertex| {
            let of_input = run.input_gradient(&of.f, *vertex).unwrap();
            of_input.x.iter().map(|x| x.to_bits()).collect::<Vec<u64>>()
        });
        (inputs.collect(), gradients)
    };
    let whole = ran(&mut unlearned());
    let dense = |gradients: &Gradients<f64>| gradient_bits(&of.model, gradients);
    let one = dense(&ran(&mut learned(1, &of)).1);
    for threads in 1..=4 {
        let mut engine = learned(threads, &of);
        for _ in 0..2 {
            let parts = ran(&mut engine);
            assert!(parts.0 == whole.0, "gradients of inputs, {threads} threads");
            all_close(&of.model, &parts.1, &whole.1);
            assert!(dense(&parts.1) == one, "{threads} threads");
            engine.recycle(parts.1);
            engine.forward(&few.model, &few.batch, 3).unwrap().backward().unwrap();
        }
    }
}

/// What does not fit is refused before anything goes backward.
#[test]
fn seeds_that_do_not_fit_are_refused_before_parts_go_backward() {
    let of = many(75);
    let other = many(1);
    let mut engine = learned(2, &of);
    let expected = engine.forward(&of.model, &of.batch, 9).unwrap().backward().unwrap();
    let mut run = engine.forward(&of.model, &of.batch, 9).unwrap();
    let mut refused = |seed: &dyn Fn(&mut Seeds<f64>)| {
        let mut seeds = Seeds::new();
        seeds.push_at(0, 0, "y", &[1.0; SIZE]);
        seed(&mut seeds);
        run.backward_with(&seeds).unwrap_err().to_string()
    };
    let range = refused(&|seeds| seeds.push_at(75, 0, "y", &[1.0; SIZE]));
    assert!(range.contains("graph 75") && range.contains("minibatch: 75"), "{range}");
    let number = refused(&|seeds| seeds.push_at(60, 9, "y", &[1.0; SIZE]));
    assert!(number.contains("graph 60"), "{number}");
    refused(&|seeds| seeds.push_at(60, 0, "z", &[1.0; SIZE]));
    refused(&|seeds| seeds.push_at(60, 0, "y", &[1.0; SIZE + 1]));
    refused(&|seeds| seeds.push_at(60, 0, "best", &[1.0]));
    refused(&|seeds| seeds.push(&other.f, other.vertices[0][0], "y", &[1.0; SIZE]));
    all_close(&of.model, &run.backward().unwrap(), &expected);
}

#[test]
fn gradients_of_graphs_and_vertices_are_those_of_the_whole() {
    let of = many(75);
    let weight = |graph: usize| (graph % 5) as f64 * 0.3 - 0.2;
    type Found = (Vec<u64>, Gradients<f64>, Gradients<f64>);
    let ran = |engine: &mut Engine<f64>| -> Found {
        let direction = engine.forward(&of.model, &of.batch, 2).unwrap().backward().unwrap();
        let mut run = engine.forward(&of.model, &of.batch, 9).unwrap();
        let mut each = run.backward_each().unwrap();
        assert_eq!(each.count(), 75);
        let mut bits: Vec<u64> = each.norms().unwrap().into_iter().map(f64::to_bits).collect();
        for graph in [0, 17, 18, 74] {
            let gradient = each.gradient(graph).unwrap();
            bits.extend(gradient_bits(&of.model, &gradient));
        }
        assert!(matches!(each.gradient(75), Err(EngineError::UnknownGraph { .. })));
        let dots = each.dots(&direction).unwrap();
        assert_eq!(dots.len(), 75);
        let (weighted, all) = (each.weighted(weight).unwrap(), each.weighted(|_| 1.0).unwrap());
        close(dots.iter().sum(), all.dot(&direction));
        (bits, weighted, all)
    };
    let whole = ran(&mut unlearned());
    for threads in 1..=3 {
        let mut engine = learned(threads, &of);
        let parts = ran(&mut engine);
        assert!(parts.0 == whole.0, "{threads} threads");
        all_close(&of.model, &parts.1, &whole.1);
        all_close(&of.model, &parts.2, &whole.2);
        let all = engine.forward(&of.model, &of.batch, 9).unwrap().backward().unwrap();
        all_close(&of.model, &all, &whole.2);
    }
    let of_vertices = |engine: &mut Engine<f64>| {
        let mut losses = of.model.vertex_losses(edb_compiler::push_losses).unwrap();
        let mut found: Vec<(usize, usize, u64)> = Vec::new();
        let ran = engine.vertex_gradients(&mut losses, &of.model, &of.batch, 9, |of, each| {
            let norms = each.norms()?.into_iter();
            let pairs = of.iter().zip(norms);
            found.extend(pairs.map(|(of, norm)| (of.graph, of.vertex, norm.to_bits())));
            Ok(())
        });
        ran.unwrap();
        found
    };
    let mut engine = learned(2, &of);
    // The policy of the model that is derived is learned, too.
    for _ in 0..6 {
        assert!(of_vertices(&mut engine) == of_vertices(&mut unlearned()));
    }
}

#[test]
fn derivatives_are_those_of_the_whole() {
    let of = many(75);
    let inputs = [(0, "x")];
    let at = |graph: usize| {
        let last = of.vertices[graph].len() - 1;
        JacobianOf { graph, output: (last, "y"), inputs: &inputs }
    };
    // In no order, and one twice.
    let wanted = [at(74), at(0), at(20), at(21), at(0), at(55)];
    let ran = |engine: &mut Engine<f64>| {
        let mut run = engine.forward(&of.model, &of.batch, 9).unwrap();
        let found = run.jacobians(&wanted).unwrap();
        let (first, last) = (of.vertices[33][0], *of.vertices[33].last().unwrap());
        let one = run.jacobian((&of.f, last, "y"), (&of.f, first, "x")).unwrap();
        // It can go backward afterwards.
        let gradients = run.backward().unwrap();
        let mut tangent = of.model.tangent_by(edb_compiler::tangent).unwrap();
        let along = engine.forward_along(&mut tangent, &of.model, &of.batch, 9, &gradients);
        let mut along = along.unwrap();
        let slopes = along.slopes().unwrap();
        (found, one, slopes, along.product().unwrap(), gradients)
    };
    let whole = ran(&mut unlearned());
    for threads in [1, 2] {
        let mut engine = learned(threads, &of);
        for _ in 0..6 {
            let parts = ran(&mut engine);
            assert_eq!((&parts.0, &parts.1), (&whole.0, &whole.1));
            parts.2.iter().zip(&whole.2).for_each(|(found, expected)| close(*found, *expected));
            all_close(&of.model, &parts.3, &whole.3);
            all_close(&of.model, &parts.4, &whole.4);
        }
    }
}

/// A graph that is there twice, and clones of graphs that are not: the first that is meant is read,
/// whatever part it is in.
#[test]
fn handles_find_their_graphs_in_parts() {
    let of = many(40);
    let mut clone = of.graphs[7].clone();
    let x = clone.tensor(&[0.25; SIZE]);
    let added = clone.add(&of.f, [Some(of.vertices[7][0])], Number { x });
    let others = (0..40).filter(|graph| *graph != 7).map(|graph| of.graphs[graph].clone());
    let mut graphs: Vec<Graph<f64>> = others.collect();
    graphs.extend([clone, of.graphs[3].clone()]);
    let batch = of.model.minibatch(&graphs).unwrap();
    let read = |engine: &mut Engine<f64>| {
        let mut run = engine.forward(&of.model, &batch, 9).unwrap();
        let of_vertex =
            |vertex| run.output(&of.f, vertex).unwrap().y.iter().copied().collect::<Vec<f64>>();
        let values = [of.vertices[7][0], added, of.vertices[3][0]].map(of_vertex);
        let mut seeds = Seeds::new();
        seeds.push(&of.f, of.vertices[7][0], "y", &[0.4; SIZE]);
        seeds.push(&of.f, of.vertices[3][0], "y", &[0.8; SIZE]);
        let gradients = run.backward_with(&seeds).unwrap();
        (values, gradients)
    };
    let (parts, whole) = (read(&mut learned(2, &of)), read(&mut unlearned()));
    assert_eq!(parts.0, whole.0);
    all_close(&of.model, &parts.1, &whole.1);
}

/// What has run runs again: the same sections, whole.
#[test]
fn what_has_run_in_parts_runs_again() {
    let of = many(75);
    let mut engine = learned(2, &of);
    let run = engine.forward(&of.model, &of.batch, 9).unwrap();
    let (became, values, loss) = (run.minibatch().clone(), said(&of, &run), run.loss().unwrap());
    let mut again = engine.forward(&of.model, &became, 9).unwrap();
    assert!(said(&of, &again) == values);
    close(again.loss().unwrap(), loss);
    let gradients = again.backward().unwrap();
    let expected = unlearned().forward(&of.model, &of.batch, 9).unwrap().backward().unwrap();
    all_close(&of.model, &gradients, &expected);
    // Not a schedule of parts, one behind the other.
    let whole = unlearned().forward(&of.model, &of.batch, 9).unwrap().batch_count();
    let batches = became.schedule().unwrap().len();
    assert!(batches < whole * 3 / 2, "{batches} batches, {whole} of the whole");
}

/// A vertex that does not stop is named by its graph's place in the minibatch, and the engine goes on.
#[test]
fn an_error_of_a_part_names_the_graph() {
    let (model, f) = model_of::<forever, f64>(dims! { ONE: 1 }, 1);
    let [good, bad] = [None, Some(33)].map(|endless| forty(&model, &f, endless));
    let mut engine = Engine::<f64>::with_threads(2).unwrap().most_steps(50);
    let mut losses = |batch: &Minibatch<f64>| {
        let inferred = engine.infer(&model, batch).map(|run| run.loss().unwrap());
        let trained = engine.forward(&model, batch, 1).map(|run| run.loss().unwrap());
        [inferred, trained].map(|loss| loss.map_err(|error| error.to_string()))
    };
    let expected = losses(&good);
    for _ in 0..4 {
        assert_eq!(losses(&good), expected);
    }
    for error in losses(&bad) {
        let message = error.unwrap_err();
        assert!(message.contains("vertex 0 of graph 33"), "{message}");
    }
    assert_eq!(losses(&good), expected);
}

/// A value that is not finite is found where it arose, in whatever part that is.
#[test]
fn not_finite_values_are_found_in_parts() {
    let mut wanderer = wanderer();
    let words = |number: u32| if number == 37 { vec![1, 7] } else { vec![2, 3] };
    let batch = of_words(&wanderer, (0..48).map(words));
    let mut engine = Engine::with_threads(2).unwrap();
    for _ in 0..4 {
        engine.infer(&wanderer.0, &batch).unwrap();
    }
    let table = wanderer.0.parameters().find("wander.table").unwrap();
    wanderer.0.parameters_mut().get_mut(table).values_mut().unwrap()[7 * 6] = f64::MAX;
    let find = |engine: &mut Engine<f64>| {
        let run = engine.forward(&wanderer.0, &batch, 9).unwrap();
        let loss = run.loss().unwrap();
        (format!("{:?}", run.first_not_finite().unwrap()), loss.is_finite())
    };
    assert_eq!(find(&mut engine), find(&mut Engine::new()));
}

/// Thinks about what another vertex has said.
#[vertex_function]
fn hear(#[dim(H)] size: Dim, #[param(H, H)] u: Tensor) {
    let Number { x } = pull();
    let mut h = x + zeros(size);
    while h.square().sum() > 0.1 {
        h = 0.5 * u.dot(h).tanh();
    }
    loss(h.sum());
}

/// Of what graphs have become that pull what their vertices push, each graph is cut out as it becomes
/// alone: sections behind the first pull nothing, wherever the numbers of their graph begin.
#[test]
fn parts_of_what_has_run_are_what_their_graphs_become() {
    let mut builder = ModelBuilder::new();
    let say = builder.add::<reckon>(dims! { H: SIZE });
    let hear = builder.add::<hear>(dims! { H: SIZE });
    let model: Model<f64> = builder.build_as(3).unwrap();
    let graph = |number: usize| {
        let mut g = model.graph();
        let x = g.tensor(&[0.3 * number as f64; SIZE]);
        let said = g.add(&say, [None], Number { x });
        let x = g.output(&say, said).y;
        g.add(&hear, (), Number { x });
        g
    };
    let graphs: Vec<Graph<f64>> = (1..5).map(graph).collect();
    let mut engine = Engine::<f64>::new();
    let mut became = |graphs: &[Graph<f64>]| {
        let batch = model.minibatch(graphs).unwrap();
        engine.forward(&model, &batch, 0).unwrap().minibatch().clone()
    };
    let whole = became(&graphs);
    let mut part = whole.hollow();
    for graph in 0..4 {
        part.refill(&whole, graph..graph + 1);
        let alone = became(&graphs[graph..=graph]);
        assert_eq!(unscheduled(&part), unscheduled(&alone), "graph {graph}");
        assert_eq!(unlearned().forward(&model, &part, 0).unwrap().loss().unwrap(), {
            unlearned().forward(&model, &alone, 0).unwrap().loss().unwrap()
        });
    }
}

/// A vector, and another one that nothing reads.
#[derive(Input)]
struct Two {
    x: Tensor,
    none: Tensor,
}

#[vertex_function]
fn halve(#[dim(H)] size: Dim, #[param(H, H)] u: Tensor) {
    let Two { x, .. } = pull();
    let (mut h, mut n) = (x + zeros(size), scalar(0.0));
    while n < 2.0 {
        h = u.dot(h).tanh();
        n += 1.0;
    }
    loss(h.sum() * x.sum());
}

/// A tensor of no elements lies within the numbers of its part, wherever these are.
#[test]
fn tensors_of_no_elements_are_cut_with_their_graphs() {
    let (model, f) = model_of::<halve, f64>(dims! { H: 3 }, 1);
    let graph = |number: usize| {
        let mut g = model.graph();
        let last = if number == 63 { f64::MAX } else { 0.3 };
        let (x, none) = (g.tensor(&[last, last, 0.8]), g.tensor(&[]));
        g.add(&f, (), Two { x, none });
        g
    };
    let graphs: Vec<Graph<f64>> = (0..64).map(graph).collect();
    let batch = model.minibatch(&graphs).unwrap();
    let whole = model.minibatch(&graphs).unwrap();
    let mut part = whole.hollow();
    part.refill(&whole, 20..64);
    assert_eq!(format!("{part:?}"), format!("{:?}", model.minibatch(&graphs[20..]).unwrap()));
    let engine = Engine::with_threads(2).unwrap();
    let mut trainer = Trainer::new(model, Sgd::new(0.0)).engine(engine);
    for _ in 0..6 {
        let message = trainer.step(&batch).unwrap_err().to_string();
        assert!(message.contains("graph 63"), "{message}");
    }
}

/// Fault B2 of the fourth list: if vertices decide what they run, every run ignored a schedule that was set.
#[test]
fn a_schedule_is_set_for_what_has_run() {
    let of = many(3);
    let mut engine = unlearned();
    let run = engine.forward(&of.model, &of.batch, 9).unwrap();
    let (mut became, loss) = (run.minibatch().clone(), run.loss().unwrap());
    let schedule = became.schedule().unwrap().clone();
    let refused = |of: Result<f64, EngineError>| {
        let error = of.unwrap_err();
        assert!(matches!(&error, EngineError::NoScheduleYet { function } if function == "reckon"));
        assert!(error.to_string().contains("`run.minibatch()`"), "{error}");
    };
    let mut wrong = of.batch.clone();
    for schedule in [schedule.clone(), Schedule::new()] {
        wrong.set_schedule(schedule);
        refused(engine.infer(&of.model, &wrong).and_then(|run| run.loss()));
        refused(engine.forward(&of.model, &wrong, 9).and_then(|run| run.loss()));
        refused(engine.training_bytes(&of.model, &wrong).map(|bytes| bytes as f64));
    }
    became.set_schedule(schedule);
    close(engine.forward(&of.model, &became, 9).unwrap().loss().unwrap(), loss);
    became.set_schedule(Schedule::new());
    let error = engine.infer(&of.model, &became).unwrap_err();
    assert!(matches!(error, EngineError::Schedule(_)), "{error}");
}
