//! Where a model runs.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use clap::Args;
use edb::engine::EngineError;
use edb::prelude::*;
use edb::{Element, model::Bundle};

use crate::work::Result;

#[derive(Args, Clone, Debug)]
pub(crate) struct Place {
    /// Threads to run on [default: all]
    #[arg(long)]
    threads: Option<NonZeroUsize>,
    /// Where to run: cpu, or, if edb was installed with the feature `cuda`, cuda or cuda:N
    #[arg(long, default_value = "cpu")]
    device: String,
    /// The seed of the random draws of the model
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

impl Place {
    /// An engine there, on all threads unless the command says otherwise, with the policy of a bundle.
    pub(crate) fn engine<T: Element>(&self, bundle: &Bundle<T>) -> Result<Engine<T>> {
        let all = available_parallelism().map_or(1, NonZeroUsize::get);
        Ok(self.engine_of(bundle, all)?()?)
    }

    /// Makes such engines, on so many threads unless the command says otherwise.
    pub(crate) fn engine_of<T: Element>(
        &self,
        bundle: &Bundle<T>,
        threads: usize,
    ) -> Result<impl Fn() -> std::result::Result<Engine<T>, EngineError> + Send + Sync + 'static>
    {
        let threads = self.threads.map_or(threads, NonZeroUsize::get);
        let device = device(&self.device)?.threads(threads);
        let (policy, seed) = (bundle.policy.clone(), self.seed);
        Ok(move || {
            let engine = Engine::on(&device)?.seed(seed);
            Ok(match &policy {
                Some(policy) => engine.policy(policy.clone()),
                None => engine,
            })
        })
    }
}

fn device(name: &str) -> Result<Device> {
    let number = match name.strip_prefix("cuda") {
        None if name == "cpu" => return Ok(Device::cpu()),
        Some("") => "0",
        Some(rest) if rest.starts_with(':') => &rest[1..],
        _ => return Err(format!("there is no device `{name}`: say cpu, cuda or cuda:N").into()),
    };
    let number =
        number.parse().map_err(|_| format!("`{name}` names no GPU: say cuda:0, for example"))?;
    cuda(number)
}

#[cfg(feature = "cuda")]
fn cuda(number: usize) -> Result<Device> {
    Ok(Device::cuda(number)?)
}

#[cfg(not(feature = "cuda"))]
fn cuda(_: usize) -> Result<Device> {
    Err("this edb runs on processors only: install `edb-cli` with `--features cuda`".into())
}
