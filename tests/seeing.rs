//! Traces of runs: without a subscriber nothing is traced or allocated, and with one everything is
//! traced.

use std::error::Error;

use edb::prelude::*;
use edb::trace::{TraceError, TraceFile};
use serde_json::Value;

type Outcome = Result<(), Box<dyn Error>>;

/// The state that a word passes to the next one.
#[derive(State)]
struct Memory {
    h: Tensor,
}

/// A word.
#[derive(Input)]
struct Word {
    id: Index,
}

/// A chain.
#[vertex_function]
fn read(#[dim(H)] h: Dim, #[param(V, H)] table: Tensor, #[param(H, H)] w: Tensor) {
    let Word { id } = pull();
    let before: Memory = gather_or(0, Memory { h: zeros(h) });
    scatter(Memory { h: (table.row(id) + w.dot(before.h)).tanh() });
}

/// Classifies a chain.
#[vertex_function]
fn judge(#[param(2, H)] w: Tensor) {
    let last: Memory = gather(0);
    let Word { id } = pull();
    loss(cross_entropy(w.dot(last.h), id));
}

fn chain(read: &Function<read>, judge: &Function<judge>, model: &Model, length: u32) -> Graph {
    let mut g = model.graph();
    let mut before = None;
    for number in 0..length {
        before = Some(g.add(read, [before], Word { id: Index(number % 5) }));
    }
    if let Some(last) = before {
        g.add(judge, [last], Word { id: Index(1) });
    }
    g
}

#[test]
fn a_step_is_traced_if_there_is_a_subscriber() -> Outcome {
    let mut builder = ModelBuilder::new();
    let f = builder.add::<read>(dims! { V: 5, H: 8 });
    let g = builder.add::<judge>(dims! { H: 8 });
    let model: Model = builder.build(1)?;
    let [short, long] = [4, 400].map(|length| chain(&f, &g, &model, length));
    let [short, long] = [model.minibatch([&short])?, model.minibatch([&long])?];
    let mut trainer = Trainer::new(model, Adam::new(1e-3)).engine(Engine::with_threads(2)?);

    // The first step of each minibatch allocates memory that later steps reuse.
    for batch in [&long, &short] {
        trainer.step(batch)?;
    }
    let mut allocations = |batch: &edb::Minibatch| {
        let mut outcome = None;
        let info = allocation_counter::measure(|| outcome = Some(trainer.step(batch)));
        outcome.map(|step| step.map(|step| (step.report().batches, info.count_total)))
    };
    let short = allocations(&short).ok_or("a step")??;
    let long_one = allocations(&long).ok_or("a step")??;
    // A hundred times as many batches need no further allocations.
    assert_eq!((short.0, long_one.0), (4, 400));
    assert!(long_one.1 < short.1 + 10, "{} allocations, and {} for 4 batches", long_one.1, short.1);

    let folder = tempfile::tempdir()?;
    let path = folder.path().join("step.json");
    let batch = &long;
    // ANCHOR: trace
    let trace = edb::trace::TraceFile::begin(&path)?;
    trainer.step(batch)?;
    trace.finish()?;
    // ANCHOR_END: trace
    assert!(matches!(TraceFile::begin(folder.path().join("no.json")), Err(TraceError::Subscribed)));
    trainer.step(&long)?;

    let events: Vec<Value> = serde_json::from_slice(&std::fs::read(&path)?)?;
    // Other tests may take steps meanwhile, on their threads.
    let own = std::thread::current().name().map(str::to_owned).ok_or("a test's name")?;
    let is_own = |event: &&Value| event["ph"] == "M" && event["args"]["name"] == own.as_str();
    let thread = events.iter().find(is_own).ok_or("the thread")?["tid"].clone();
    let events: Vec<Value> = events.into_iter().filter(|event| event["tid"] == thread).collect();
    let count = |name: &str| events.iter().filter(|event| event["name"] == name).count();
    for once in ["step", "schedule", "forward", "backward", "update", "a step was taken"] {
        assert_eq!(count(once), 1, "{once}");
    }
    assert_eq!(count("read Recurrent"), 400);
    assert_eq!(count("read BackwardRecurrent"), 400);
    assert_eq!(count("judge Lazy"), 1);
    assert!(count("product 0") >= 400 && count("kernel 0") >= 1);
    // Each instruction says its phase, and whether it only moves numbers.
    let of = |name: &str, phase: &str, moves: bool| {
        let is_named = |event: &&Value| {
            event["name"].as_str().is_some_and(|found| found.starts_with(name))
                && (&event["args"]["phase"], &event["args"]["moves"])
                    == (&phase.into(), &moves.into())
        };
        events.iter().filter(is_named).count()
    };
    assert_eq!(of("product 0", "Recurrent", false), 400);
    assert!(of("row %", "Eager", true) >= 1);
    assert_eq!(of("state_gradient %", "BackwardRecurrent", true), 400);
    assert_eq!(of("product", "Recurrent", true) + of("kernel", "Recurrent", true), 0);
    let step =
        events.iter().find(|event| event["name"] == "a step was taken").ok_or("the event")?;
    assert_eq!(step["args"]["batches"], 400);
    let slices = events.iter().filter(|event| event["ph"] == "X");
    assert!(slices.clone().all(|slice| slice["dur"].as_f64().is_some_and(|time| time >= 0.0)));
    Ok(())
}
