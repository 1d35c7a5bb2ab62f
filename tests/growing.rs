//! Graphs that grow from what they compute: that they are what they would be if they were known
//! beforehand, beside any other graphs, by every policy and on any number of threads; and what they refuse.

mod each;
mod random_each;

use std::sync::Arc;

use edb::engine::{EngineError, GrowingGraph, Growth, Seeds};
use edb::graph::{GraphProblem, MinibatchError};
use edb::prelude::*;
use edb::schedule::{Competition, SearchOptions, TypeOrder};
use edb::testing::{Check, grown_equals_eager};
use edb::trainer::{Checkpoints, Notes, TrainError};

use edb_backend_suite::models::model_of;
use edb_backend_suite::numbers::values;
use edb_backend_suite::ports::Word;

const WORDS: usize = 7;
const END: u32 = 0;

/// What has been read so far.
#[derive(State)]
struct Memory {
    h: Tensor,
}

#[derive(Output)]
struct Said {
    word: Index,
    log_p: Tensor,
}

/// Reads a word.
#[vertex_function]
fn read(
    #[param(V, H)] table: Tensor,
    #[param(H, H)] w: Tensor,
    #[param(H)] b: Tensor,
    #[dim(H)] size: Dim,
) {
    let Word { id } = pull();
    let before = gather_or(0, Memory { h: zeros(size) });
    scatter(Memory { h: (w.dot(before.h) + table.row(id) + b).tanh().dropout(0.1) });
}

/// Says a word: one of a draw.
#[vertex_function]
fn say(#[param(V, H)] v: Tensor, #[param(V)] b: Tensor) {
    let Memory { h } = gather(0);
    let scores = (v.dot(h) + b).log_softmax();
    let word = scores.sample();
    push(Said { word, log_p: scores.pick(word) });
}

/// Says the loss of a word.
#[vertex_function]
fn judge(#[param(V, H)] v: Tensor, #[param(V)] b: Tensor) {
    let Word { id } = pull();
    let Memory { h } = gather(0);
    loss(cross_entropy(v.dot(h) + b, id));
}

#[derive(Input)]
struct Heard {
    log_p: Tensor,
}

/// Punishes what was unlikely: it pulls what `say` pushes.
#[vertex_function]
fn hear() {
    let Heard { log_p } = pull();
    loss(log_p.sigmoid());
}

struct Speaker {
    read: Function<read>,
    say: Function<say>,
    judge: Function<judge>,
    hear: Function<hear>,
}

fn speaker() -> (Speaker, Model) {
    let mut builder = ModelBuilder::new();
    let read = builder.add::<read>(dims! { V: WORDS, H: 6 });
    let say = builder.add::<say>(dims! { V: WORDS, H: 6 });
    let judge = builder.add::<judge>(dims! { V: WORDS, H: 6 });
    let hear = builder.add::<hear>(dims! {});
    (Speaker { read, say, judge, hear }, builder.build(3).unwrap())
}

/// A graph that has read some words, and says one.
fn listener(m: &Speaker, model: &Model, sample: u64) -> Graph {
    let mut g = model.graph();
    g.set_sample(sample);
    let mut last = None;
    for word in 0..1 + sample % 5 {
        let id = Index(((sample + word) % WORDS as u64) as u32);
        last = Some(g.add(&m.read, [last], Word { id }));
    }
    g.add(&m.say, [last.unwrap()], ());
    g
}

/// What a graph has said, and the last that it has read of it.
#[derive(Clone, Default)]
struct Talk {
    said: Vec<u32>,
    last: Option<Vertex<Memory>>,
}

/// Reads what it says, until it says the end or has said enough; in some rounds it is heard.
fn turn(m: &Speaker, talk: &mut Talk, g: &mut GrowingGraph<'_>) {
    let is_heard = g.draw() < 0.3;
    for (_, Said { word, log_p }) in g.decided(&m.say) {
        talk.said.push(word.0);
        if word.0 == END || talk.said.len() == 9 {
            continue;
        }
        let memory = g.add(&m.read, [talk.last], Word { id: word });
        talk.last = Some(memory);
        g.add(&m.say, [memory], ());
        g.add(&m.judge, [memory], Word { id: Index((word.0 + 1) % WORDS as u32) });
        if is_heard {
            g.add(&m.hear, (), Heard { log_p });
        }
    }
}

/// Runs graphs until none grows. Returns what each has said.
fn grow(m: &Speaker, growth: &mut Growth<'_>) -> Vec<Vec<u32>> {
    let mut talks = vec![Talk::default(); growth.graphs().len()];
    while let Some(round) = growth.round().unwrap() {
        for mut g in round {
            turn(m, &mut talks[g.place()], &mut g);
        }
    }
    talks.into_iter().map(|talk| talk.said).collect()
}

/// What a run has computed, forward and then backward, as bits.
fn bits(run: &mut Run<'_>, model: &Model) -> (Vec<u32>, Vec<u32>) {
    fn add<'a>(bits: &mut Vec<u32>, numbers: impl IntoIterator<Item = &'a f32>) {
        bits.extend(numbers.into_iter().map(|number| number.to_bits()));
    }
    let (mut forward, mut backward) = (Vec::new(), Vec::new());
    let mut seeds = Seeds::new();
    let mut vertices = Vec::new();
    for graph in 0..run.minibatch().graph_count() {
        let is_there = |vertex: &usize| run.vertex_loss(graph, *vertex).is_ok();
        vertices.extend((0..).take_while(is_there).map(|vertex| (graph, vertex)));
    }
    for &(graph, vertex) in &vertices {
        add(&mut forward, &[run.vertex_loss(graph, vertex).unwrap() as f32]);
        if let Some(h) = run.state_at(graph, vertex, "h").unwrap() {
            add(&mut forward, &h);
        }
        if let Ok(word) = run.index_at(graph, vertex, "word") {
            forward.push(word);
            add(&mut forward, run.output_at(graph, vertex, "log_p").unwrap());
            if vertex % 3 == 0 {
                seeds.push_at(graph, vertex, "log_p", &[0.5]);
            }
        }
    }
    let gradients = run.backward_with(&seeds).unwrap();
    for (graph, vertex) in vertices {
        if let Some(gradient) = run.input_gradient_at(graph, vertex, "log_p").unwrap() {
            add(&mut backward, &gradient);
        }
    }
    for (id, _) in model.parameters().iter() {
        add(&mut backward, gradients.to_dense(id).iter());
    }
    (forward, backward)
}

#[test]
fn what_has_grown_runs_again_with_the_same_bits() {
    let (m, model) = speaker();
    let graphs = || (0..12).map(|sample| listener(&m, &model, sample));
    let (mut reference, mut ratios) = (None, Vec::new());
    let types = model.signature().growing();
    // Of read, say, judge and hear, those that are handed out early, late and in between.
    let orders = [[4, 0, 1, 2, 3], [3, 2, 1, 0, 4], [1, 4, 3, 0, 2]]
        .map(|order| Policy::Order(Arc::new(TypeOrder::new(&types, order.into()).unwrap())));
    for threads in [1, 2, 3] {
        let policies = [Policy::Auto, Policy::Depth, Policy::Agenda, Policy::Heuristic];
        for (number, policy) in policies.into_iter().chain(orders.clone()).enumerate() {
            let with = format!("{threads} threads, {number}: {policy}");
            let engine = Engine::with_threads(threads).unwrap().seed(4);
            let mut engine = match policy {
                Policy::Order(_) => engine.grow_by(policy),
                policy => engine.policy(policy),
            };
            let mut growth = engine.grow_forward(&model, graphs(), 2).unwrap();
            let said = grow(&m, &mut growth);
            let mut run = growth.finish().unwrap();
            // It is explained as any other schedule is.
            let (ran, explained) = (run.schedule().len(), run.explain().to_string());
            assert!(explained.contains(&format!("{ran} batches")), "{with}: {explained}");
            let report = run.report();
            let batch = run.minibatch().clone();
            let grown = bits(&mut run, &model);
            if let Some(competition) = growth.competition(&SearchOptions::default()).unwrap() {
                let batches = report.batches + report.rounds;
                assert_eq!((competition.batches, competition.rounds), (batches, report.rounds));
                ratios.push(competition.ratio());
            }
            let grown_graphs = growth.into_graphs();
            // The minibatch that was recorded, with its schedule.
            let again = bits(&mut engine.forward(&model, &batch, 2).unwrap(), &model);
            assert!(grown == again, "{with}");
            // The graphs as if they had been known, by the engine's own policy.
            let known = model.minibatch(&grown_graphs).unwrap();
            let known = bits(&mut engine.forward(&model, &known, 2).unwrap(), &model);
            assert!(grown.0 == known.0, "{with}");
            let (words, forward) = reference.get_or_insert((said.clone(), grown.0.clone()));
            assert!((&said, &grown.0) == (words, forward), "{with}");
        }
    }
    // The default needs no more than is needed; an order that hands out at once, much more.
    let [least, most] = [f64::min, f64::max].map(|of| ratios.iter().copied().reduce(of).unwrap());
    assert!(least == 1.0 && most > 1.4, "{ratios:?}");
    let (words, _) = reference.unwrap();
    assert!(words.iter().any(|said| said.len() > 4) && words.iter().any(|said| said.len() < 4));
    for (sample, words) in words.iter().enumerate() {
        let mut engine = Engine::new().seed(4);
        let graph = listener(&m, &model, sample as u64);
        let mut growth = engine.grow_forward(&model, [graph], 2).unwrap();
        assert_eq!(&grow(&m, &mut growth)[0], words, "alone");
    }
}

/// Inference keeps less, and draws as step 0 does; nothing is dropped.
#[test]
fn graphs_grow_in_inference() {
    let (m, model) = speaker();
    let mut engine = Engine::new();
    let mut growth = engine.grow(&model, (0..12).map(|s| listener(&m, &model, s))).unwrap();
    let said = grow(&m, &mut growth);
    let run = growth.finish().unwrap();
    let batch = run.minibatch().clone();
    let all = run.outputs(&m.say).unwrap();
    assert_eq!(all.view().word.iter().copied().collect::<Vec<_>>(), said.concat());
    let loss = run.loss().unwrap();
    let again = engine.infer(&model, &batch).unwrap();
    assert_eq!(again.loss().unwrap().to_bits(), loss.to_bits());
    assert!(again.outputs(&m.say).unwrap() == all);
}

/// The step of a trainer is that over the minibatch which the graphs become, seeds included.
#[test]
fn a_step_over_graphs_that_grow_is_the_step_over_what_they_become() {
    let trained = |by_hand: bool| {
        let (m, model) = speaker();
        let mut trainer = Trainer::new(model, Adam::new(0.05)).clip_norm(1.0);
        let mut losses = Vec::new();
        for _ in 0..4 {
            if !by_hand {
                losses.push(train(&m, &mut trainer));
                continue;
            }
            // By hand: what has grown, as a minibatch.
            let graphs: Vec<Graph> =
                (0..5).map(|sample| listener(&m, trainer.model(), sample)).collect();
            let mut engine = Engine::new();
            let step = trainer.steps();
            let mut growth = engine.grow_forward(trainer.model(), graphs, step).unwrap();
            grow(&m, &mut growth);
            let batch = growth.finish().unwrap().minibatch().clone();
            losses.push(trainer.step(&batch).unwrap().loss);
        }
        (losses, values(trainer.model()))
    };
    let (losses, values) = trained(true);
    assert_eq!((&losses, &values), (&trained(false).0, &trained(false).1));
}

#[test]
fn seeds_reach_what_was_decided() {
    let moved = |seed: f32| {
        let (m, model) = speaker();
        let mut trainer = Trainer::new(model, Sgd::new(0.1));
        let graph = listener(&m, trainer.model(), 1);
        let mut growth = trainer.grow([graph]).unwrap();
        let mut seeds = Seeds::new();
        while let Some(round) = growth.round().unwrap() {
            for mut g in round {
                for (said, Said { log_p, .. }) in g.decided(&m.say) {
                    assert!(g.values(log_p).unwrap()[0] < 0.0);
                    seeds.push(&m.say, said, "log_p", &[seed]);
                }
            }
        }
        growth.step_with(&seeds).unwrap();
        assert!(matches!(growth.step(), Err(TrainError::Engine(EngineError::Spent))));
        let read = trainer.model().parameters().iter().next().unwrap().1;
        read.values().unwrap().to_vec()
    };
    assert_ne!(moved(1.0), moved(0.0));
}

/// A graph that gets something wrong, or does not stop, is named; it stays as it was, and the
/// others grow on.
#[test]
fn errors_name_the_graph_and_lose_nothing() {
    let (m, model) = speaker();
    let (other, other_model) = speaker();
    let mut engine = Engine::new().most_steps(5);
    let graphs = (0..4).map(|sample| listener(&m, &model, sample));
    let mut growth = engine.grow(&model, graphs).unwrap();
    let (mut errors, mut rounds) = (Vec::new(), 0);
    let stray = other_model.graph().tensor(&[1.0]);
    loop {
        match growth.round() {
            Ok(Some(round)) => {
                for mut g in round {
                    assert!(matches!(g.values(stray), Err(EngineError::ForeignOutput)));
                    let said: Vec<_> = g.decided(&m.say).collect();
                    let memory = g.add(&m.read, [None], Word { id: said[0].1.word });
                    match (g.place(), rounds) {
                        (0, 2) => _ = g.add(&m.read, [Some(memory)], Word { id: Index(99) }),
                        (1, 3) => _ = g.add(&m.hear, (), Heard { log_p: stray }),
                        (3, 1) => _ = g.add(&other.say, [memory], ()),
                        _ => _ = g.add(&m.say, [memory], ()),
                    }
                }
                rounds += 1;
            }
            Ok(None) => break,
            Err(error) => errors.push(error),
        }
    }
    let problem = |error: &EngineError| match error {
        EngineError::Minibatch(MinibatchError::Graph { graph, error }) => {
            Some((*graph, error.vertex, error.problem.as_ref().clone()))
        }
        _ => None,
    };
    // Graph 3 had read 4 words and said 1, then got 2 vertices in the first round.
    let found = problem(&errors[0]).unwrap();
    assert_eq!((found.0, found.1), (3, 8));
    assert!(matches!(found.2, GraphProblem::ForeignFunction { .. }), "{}", errors[0]);
    let found = problem(&errors[1]).unwrap();
    assert!(matches!(found, (0, 7, GraphProblem::IndexRange { .. })), "{}", errors[1]);
    let found = problem(&errors[2]).unwrap();
    assert!(matches!(found, (1, 10, GraphProblem::ForeignTensor { .. })), "{}", errors[2]);
    assert!(matches!(errors[3], EngineError::Endless { graph: 2, rounds: 5 }), "{}", errors[3]);
    assert_eq!(errors.len(), 4);
    let run = growth.finish().unwrap();
    let sizes = [2 + 2 * 2, 3 + 3 * 2, 4 + 4 * 2, 5 + 2];
    assert_eq!(run.minibatch().vertex_count(), sizes.iter().sum::<usize>());
    assert_eq!(growth.graphs().iter().map(Graph::len).collect::<Vec<_>>(), sizes);
}

#[test]
fn graphs_that_cannot_begin_are_refused() {
    let (m, model) = speaker();
    let mut engine = Engine::new();
    let nothing = engine.grow(&model, []).unwrap_err();
    assert!(matches!(nothing, EngineError::Minibatch(MinibatchError::NoGraphs)));
    let (_, other) = speaker();
    let foreign = engine.grow(&model, [listener(&m, &model, 0), other.graph()]).unwrap_err();
    let expected = MinibatchError::ForeignGraph { graph: 1 };
    assert!(matches!(foreign, EngineError::Minibatch(error) if error == expected));
}

#[test]
fn the_oracle_follows_what_has_grown() {
    let (m, model) = speaker();
    let mut engine = Engine::new().seed(9);
    let graphs = (0..6).map(|sample| listener(&m, &model, sample));
    let mut growth = engine.grow_forward(&model, graphs, 1).unwrap();
    grow(&m, &mut growth);
    grown_equals_eager(&mut growth.finish().unwrap(), &Check::default()).unwrap();
}

/// A step over graphs that grow, each from its own sample.
fn train(m: &Speaker, trainer: &mut Trainer) -> f64 {
    let graphs: Vec<Graph> = (0..5).map(|sample| listener(m, trainer.model(), sample)).collect();
    let mut growth = trainer.grow(graphs).unwrap();
    let mut talks = vec![Talk::default(); 5];
    while let Some(round) = growth.round().unwrap() {
        for mut g in round {
            turn(m, &mut talks[g.place()], &mut g);
        }
    }
    growth.step().unwrap().loss
}

#[test]
fn a_resumed_run_grows_on_bit_for_bit() {
    let begin = || {
        let (m, model) = speaker();
        (m, Trainer::new(model, Adam::new(0.05)).engine(Engine::new().seed(5)))
    };
    let (m, mut whole) = begin();
    let losses: Vec<f64> = (0..8).map(|_| train(&m, &mut whole)).collect();
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path());
    let (m, mut first) = begin();
    (0..3).for_each(|_| _ = train(&m, &mut first));
    checkpoints.save(&first, &Notes::new()).unwrap();
    let (m, mut second) = begin();
    checkpoints.resume(&mut second).unwrap().unwrap();
    let rest: Vec<f64> = (0..5).map(|_| train(&m, &mut second)).collect();
    assert_eq!(rest, losses[3..]);
}

#[derive(Output)]
struct Repeated {
    word: Index,
}

/// Says the word that it is given.
#[vertex_function]
fn repeat(#[param(V)] table: Tensor) {
    let Word { id } = pull();
    push(Repeated { word: id });
    loss(table.pick(id));
}

/// An index of the input that is pushed is told as one that was computed.
#[test]
fn what_is_given_can_be_said() {
    let (model, f) = model_of::<repeat, f32>(dims! { V: WORDS }, 1);
    let mut g = model.graph();
    let vertex = g.add(&f, (), Word { id: Index(5) });
    let mut engine = Engine::new();
    let mut growth = engine.grow(&model, [g]).unwrap();
    for mut g in growth.round().unwrap().unwrap() {
        assert_eq!(g.index_at(0, "word").unwrap(), 5);
        assert_eq!(g.decided(&f).map(|(_, said)| said.word.0).collect::<Vec<_>>(), [5]);
        let tensor = g.tensor(&[1.0]);
        let error = g.values(tensor).unwrap_err();
        assert!(matches!(error, EngineError::ForeignOutput), "{error}");
    }
    let run = growth.finish().unwrap();
    assert_eq!(run.output(&f, vertex).unwrap().word[[]], 5);
    assert_eq!(run.outputs(&f).unwrap().view().word.as_slice().unwrap(), [5]);
}

/// Thinks about what is in memory.
#[vertex_function]
fn think(#[param(H, H)] w: Tensor) {
    let Memory { h } = gather(0);
    scatter(Memory { h: (w.dot(h)).tanh() });
}

/// Remembers one thing more, and pays for what it has in memory.
#[vertex_function]
fn remember(#[param(H, H)] w: Tensor, #[param(H)] b: Tensor, #[dim(H)] size: Dim) {
    let before = gather_or(0, Memory { h: zeros(size) });
    let h = (w.dot(before.h) + b).tanh();
    loss((h - 0.5).dot(h - 0.5));
    scatter(Memory { h });
}

struct Thinker {
    think: Function<think>,
    remember: Function<remember>,
}

fn thinker() -> (Thinker, Model) {
    let mut builder = ModelBuilder::new();
    let think = builder.add::<think>(dims! { H: 4 });
    let remember = builder.add::<remember>(dims! { H: 4 });
    (Thinker { think, remember }, builder.build(3).unwrap())
}

/// Remembers thirty things; now and then it thinks five times before it goes on.
fn thoughts(m: &Thinker, g: &mut GrowingGraph<'_>, last: &mut Option<Vertex<Memory>>) {
    if g.len() > 30 {
        return;
    }
    match *last {
        Some(before) if g.draw() < 0.2 => {
            *last = Some((0..5).fold(before, |last, _| g.add(&m.think, [last], ())));
        }
        before => *last = Some(g.add(&m.remember, [before], ())),
    }
}

/// A step over sixteen graphs that think. Returns the loss, and how it was scheduled.
fn thinking_step(m: &Thinker, trainer: &mut Trainer) -> (f64, Competition) {
    let first = 16 * trainer.steps();
    let begin = |sample| {
        let mut g = trainer.model().graph();
        g.set_sample(sample);
        let last = g.add(&m.remember, [None], ());
        (g, Some(last))
    };
    let (graphs, mut last): (Vec<Graph>, Vec<_>) = (first..first + 16).map(begin).unzip();
    let mut growth = trainer.grow(graphs).unwrap();
    while let Some(round) = growth.round().unwrap() {
        for mut g in round {
            let place = g.place();
            thoughts(m, &mut g, &mut last[place]);
        }
    }
    let loss = growth.step().unwrap().loss;
    let options = SearchOptions { budget: 100_000, ..SearchOptions::default() };
    (loss, growth.competition(&options).unwrap().unwrap())
}

/// Wave by wave, graphs that remember wait for those that think; after four steps it is learned how
/// to hand them out meanwhile. What was learned, or was going to be, is part of a checkpoint.
#[test]
fn how_to_grow_is_learned_and_resumed() {
    let begin = || {
        let (m, model) = thinker();
        (m, Trainer::new(model, Adam::new(0.01)).engine(Engine::new().seed(5)))
    };
    let (m, mut whole) = begin();
    let steps: Vec<_> = (0..8).map(|_| thinking_step(&m, &mut whole)).collect();
    let batches = |steps: &[(f64, Competition)]| -> usize {
        steps.iter().map(|(_, competition)| competition.batches).sum()
    };
    let (waves, learned) = (batches(&steps[..4]), batches(&steps[4..]));
    assert!(4 * learned < 3 * waves, "{waves} batches wave by wave, then {learned}");
    for at in [2, 6] {
        let folder = tempfile::tempdir().unwrap();
        let checkpoints = Checkpoints::new(folder.path());
        let (m, mut first) = begin();
        (0..at).for_each(|_| _ = thinking_step(&m, &mut first));
        checkpoints.save(&first, &Notes::new()).unwrap();
        let (m, mut second) = begin();
        checkpoints.resume(&mut second).unwrap().unwrap();
        let rest: Vec<_> = (at..8).map(|_| thinking_step(&m, &mut second)).collect();
        assert_eq!(rest, steps[at..], "from step {at}");
    }
}

/// Fault B3: what had grown went backward as often as it was asked to, each time through what the
/// last pass had overwritten, since it was the run that knew, and `finish` gives another one.
#[test]
fn what_has_grown_goes_backward_once() {
    let (m, model) = speaker();
    let mut engine = Engine::new();
    let graphs = (0..3).map(|sample| listener(&m, &model, sample));
    let mut growth = engine.grow_forward(&model, graphs, 1).unwrap();
    grow(&m, &mut growth);
    assert!(growth.finish().unwrap().backward().unwrap().norm() > 0.0);
    let mut again = growth.finish().unwrap();
    let spent = |error: EngineError| assert!(matches!(error, EngineError::Spent), "{error}");
    spent(again.backward().unwrap_err());
    spent(again.backward_each().map(drop).unwrap_err());
    spent(again.jacobians(&[]).unwrap_err());
    // What runs next goes backward again; a seed that does not fit has overwritten nothing.
    let batch = again.minibatch().clone();
    let mut run = engine.forward(&model, &batch, 1).unwrap();
    let mut wrong = Seeds::new();
    wrong.push_at(0, 0, "h", &[1.0]);
    run.backward_with(&wrong).unwrap_err();
    run.backward().unwrap();
}
