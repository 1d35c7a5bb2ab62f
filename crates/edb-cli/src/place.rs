//! Where a model runs.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use clap::Args;
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
    /// The seed of what the model draws
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

impl Place {
    /// An engine there, with the policy of a bundle.
    pub(crate) fn engine<T: Element>(&self, bundle: &Bundle<T>) -> Result<Engine<T>> {
        let threads = self.threads.or_else(|| available_parallelism().ok());
        let threads = threads.map_or(1, NonZeroUsize::get);
        let engine = Engine::on(&device(&self.device)?.threads(threads))?.seed(self.seed);
        Ok(match &bundle.policy {
            Some(policy) => engine.policy(policy.clone()),
            None => engine,
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
    Err("this edb runs on processors only: install it by `cargo install edb-cli --features cuda`"
        .into())
}
