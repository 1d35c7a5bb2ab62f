//! Where a model runs, and the engines that run it: as many as there are threads of Python that run it at the same time.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::thread::available_parallelism;

use edb::engine::EngineError;
use edb::schedule::Policy;
use edb::{Device, Element, Engine};
use pyo3::exceptions::PyValueError;

use crate::errors::Result;

/// Where a model runs.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) device: Device,
    pub(crate) seed: u64,
}

impl Place {
    /// A device by its name, with so many threads, or with all.
    pub(crate) fn new(device: &str, threads: Option<NonZeroUsize>, seed: u64) -> Result<Self> {
        let all = || available_parallelism().map_or(1, NonZeroUsize::get);
        let threads = threads.map_or_else(all, NonZeroUsize::get);
        let number = match device.split_once(':') {
            None if device == "cpu" => None,
            None if device == "cuda" => Some(0),
            Some(("cuda", number)) => number.parse().ok(),
            _ => return Err(no_device(device)),
        };
        let device = match number {
            None if device == "cpu" => Device::cpu(),
            None => return Err(no_device(device)),
            Some(number) => cuda(number)?,
        };
        Ok(Self { device: device.threads(threads), seed })
    }
}

fn no_device(name: &str) -> crate::errors::Fault {
    PyValueError::new_err(format!("there is no device `{name}`: say cpu, cuda or cuda:1")).into()
}

#[cfg(feature = "cuda")]
fn cuda(number: usize) -> Result<Device> {
    use edb::cuda::OnCuda;
    Device::cuda(number)
        .map_err(|error| crate::errors::EngineError::new_err(error.to_string()).into())
}

#[cfg(not(feature = "cuda"))]
fn cuda(_: usize) -> Result<Device> {
    let text = "this edb runs on processors only: install it with the feature `cuda` of maturin";
    Err(crate::errors::EngineError::new_err(text).into())
}

/// The most engines that are kept when they are at rest.
const MOST_FREE: usize = 8;

/// Engines that are at rest.
#[derive(Debug)]
pub(crate) struct Engines<T> {
    place: Place,
    policy: Option<Policy>,
    free: Mutex<Vec<Engine<T>>>,
}

impl<T: Element> Engines<T> {
    pub(crate) fn new(place: Place, policy: Option<Policy>) -> Self {
        Self { place, policy, free: Mutex::new(Vec::new()) }
    }

    /// An engine that nothing else runs on.
    pub(crate) fn take(&self) -> std::result::Result<Engine<T>, EngineError> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        free.map_or_else(|| self.another(), Ok)
    }

    pub(crate) fn policy(&self) -> Option<&Policy> {
        self.policy.as_ref()
    }

    pub(crate) fn give_back(&self, engine: Engine<T>) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        // Of more, only the memory would be left.
        if free.len() < MOST_FREE {
            free.push(engine);
        }
    }

    /// A new engine there.
    pub(crate) fn another(&self) -> std::result::Result<Engine<T>, EngineError> {
        let engine = Engine::on(&self.place.device)?.seed(self.place.seed);
        Ok(match &self.policy {
            Some(policy) => engine.policy(policy.clone()),
            None => engine,
        })
    }
}
