//! Runs processes with little memory: the error must give the bytes that were refused, and smaller
//! minibatches must still run.

use std::process::Command;
use std::thread;
use std::time::Duration;

use edb::engine::EngineError;
use edb::prelude::*;
use rand::RngExt;

use super::{Counts, Fingerprint, Plan, Watch, failed};
use edb_backend_suite::zoo::{Sentiment, rng};

/// Minibatches of this many bytes are not tried, to leave the machine's memory to others.
const LARGEST: usize = 4 << 30;

/// Starts processes with little memory, one after another, until the time is over.
pub(super) fn run(plan: &Plan, watch: &Watch) -> Result<Counts, String> {
    let mut rng = rng(plan.seed ^ 3);
    let mut counts = Counts::new();
    while watch.goes_on() {
        let kilobytes = rng.random_range(400_000..1_200_000);
        let output = Command::new("sh")
            .args(["-c", &format!("ulimit -v {kilobytes}; exec \"$@\""), "sh"])
            .arg(&plan.program)
            .arg("refused")
            .output()
            .map_err(|e| failed("the process without memory")(&e))?;
        let text = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() || !text.contains("refused: ") {
            let errors = String::from_utf8_lossy(&output.stderr);
            return Err(format!("a process of {kilobytes} KiB: {}\n{text}{errors}", output.status));
        }
        *counts.entry("memory refused").or_default() += 1;
        // A pause, because each process takes all the memory that it may have.
        thread::sleep(Duration::from_millis(500).min(plan.time / 20));
    }
    Ok(counts)
}

/// The work of the child process: it doubles a minibatch until one is refused, then checks that the
/// first one still gives the same bits.
///
/// # Errors
/// When nothing is refused, or anything else goes wrong.
pub fn refused() -> Result<String, String> {
    let (functions, model) = Sentiment::model::<f32>(64, 1);
    let trees = functions.trees(&model, 4, 12, 1);
    let small = model.minibatch(trees.iter().map(|(graph, _)| graph));
    let small = small.map_err(|e| failed("a small minibatch")(&e))?;
    let mut engine = Engine::with_threads(2).map_err(|e| failed("threads")(&e))?;
    let before = loss(&mut engine, &model, &small)?;
    // Made while there is memory: the graphs belong to the caller, and only the engine's memory is
    // to run out.
    let chain = functions.tree(&model, 200, &mut rng(2)).0;
    let mut count = 8;
    let error = loop {
        let batch = model.minibatch(std::iter::repeat_n(&chain, count));
        let batch = batch.map_err(|e| failed("a large minibatch")(&e))?;
        let bytes = engine.training_bytes(&model, &batch).map_err(|e| failed("its bytes")(&e))?;
        if bytes > LARGEST {
            return Err(format!(
                "{bytes} bytes were about to be asked for: run this with less memory"
            ));
        }
        match engine.forward(&model, &batch, 0) {
            Ok(_) => count *= 2,
            Err(refusal @ EngineError::Memory { .. }) => break refusal,
            Err(other) => return Err(failed("another error")(&other)),
        }
    };
    if loss(&mut engine, &model, &small)? != before {
        return Err("after a refusal, a minibatch has other bits".into());
    }
    Ok(format!("refused: {error}"))
}

fn loss(engine: &mut Engine, model: &Model, batch: &Minibatch) -> Result<Fingerprint, String> {
    let mut run = engine.forward(model, batch, 1).map_err(|e| failed("forward")(&e))?;
    let mut all = Fingerprint::NONE;
    all.add(run.loss().unwrap());
    let gradients = run.backward().map_err(|e| failed("backward")(&e))?;
    for (id, _) in model.parameters().iter() {
        gradients.to_dense(id).iter().for_each(|x| all.add(f64::from(*x)));
    }
    Ok(all)
}
