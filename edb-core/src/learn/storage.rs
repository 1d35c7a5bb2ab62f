//! Storage of values (parameters, optimiser state), of which a device may hold newer ones.

use std::any::Any;
use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use super::error::LearnError;
use crate::element::Element;
use crate::trace::TARGET;

/// The error of a device that has failed.
pub type RemoteError = Box<dyn std::error::Error + Send + Sync>;

/// Values in a device's memory. They must not change while a [`Storage`] holds them as its newest.
pub trait Remote<T>: Debug + Send + Sync {
    /// The device's name, as in `cuda:0`.
    fn device(&self) -> String;

    /// Copies all values to the host.
    ///
    /// # Errors
    /// When the device has failed.
    fn download(&self, values: &mut [T]) -> Result<(), RemoteError>;

    /// Upcasts, for the back end that created it.
    fn as_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync>;
}

/// Values on the host and, once a device has updated them, a reference to the newer values there.
///
/// Newer values are copied to the host when they are first read. If that fails, the host's last
/// values are read instead and an error is logged; [`fetch`](Self::fetch) returns that error. Call
/// it first where stale values must not be used, such as for a checkpoint or on another device.
#[derive(Debug)]
pub struct Storage<T> {
    host: Vec<T>,
    /// How many steps had been taken when `host` was current.
    host_step: u64,
    newer: Option<Newer<T>>,
    version: u64,
}

#[derive(Debug)]
struct Newer<T> {
    remote: Arc<dyn Remote<T>>,
    step: u64,
    /// Their copy on the host, once they have been read.
    fetched: OnceLock<Vec<T>>,
}

/// A new version number. It is unique over all models, so that data derived from the values (packed
/// weights, a copy on a device) can be recognised as stale.
fn next_version() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl<T: Element> Storage<T> {
    /// Values on the host.
    pub fn new(values: Vec<T>) -> Self {
        Self { host: values, host_step: 0, newer: None, version: next_version() }
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.host.len()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.host.is_empty()
    }

    /// The newest values. If they are on a device that has failed, these are the host's last ones,
    /// and an error is logged.
    pub fn values(&self) -> &[T] {
        if let Err((device, reason)) = self.download() {
            let step = self.host_step;
            tracing::error!(
                target: TARGET, device, %reason, step,
                "the newest values cannot be read; those after an earlier step are"
            );
        }
        match self.newer.as_ref().and_then(|newer| newer.fetched.get()) {
            Some(fetched) => fetched,
            None => &self.host,
        }
    }

    /// The newest values, to be changed; from then on only the host has them.
    pub fn values_mut(&mut self) -> &mut [T] {
        self.versioned_mut().1
    }

    /// As [`values_mut`](Self::values_mut), with the new version.
    pub(crate) fn versioned_mut(&mut self) -> (u64, &mut [T]) {
        self.values();
        self.settle();
        self.newer = None;
        self.version = next_version();
        (self.version, &mut self.host)
    }

    /// Copies the newest values to the host.
    ///
    /// # Errors
    /// [`LearnError::Stale`], with the number of steps taken when the host's values were current.
    pub fn fetch(&self, name: &str) -> Result<(), LearnError> {
        self.download().map_err(|(device, reason)| LearnError::Stale {
            parameter: name.to_owned(),
            device,
            reason: reason.to_string(),
            step: self.host_step,
        })
    }

    fn download(&self) -> Result<(), (String, RemoteError)> {
        let Some(newer) = self.newer.as_ref().filter(|newer| newer.fetched.get().is_none()) else {
            return Ok(());
        };
        let mut values = vec![T::zero(); self.host.len()];
        newer.remote.download(&mut values).map_err(|error| (newer.remote.device(), error))?;
        newer.fetched.get_or_init(|| values);
        Ok(())
    }

    /// How many steps had been taken when the values that the host has were current.
    pub(crate) fn step_on_host(&self) -> u64 {
        match &self.newer {
            Some(newer) if newer.fetched.get().is_some() => newer.step,
            _ => self.host_step,
        }
    }

    /// A number that changes whenever the values may have changed.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The newest values on a device, if a device has them.
    pub fn remote(&self) -> Option<&Arc<dyn Remote<T>>> {
        self.newer.as_ref().map(|newer| &newer.remote)
    }

    /// Records that a device has taken step `step`, counted from 0, and holds the result.
    pub fn moved(&mut self, remote: Arc<dyn Remote<T>>, step: u64) {
        self.settle();
        if self.newer.is_none() {
            self.host_step = step;
        }
        self.newer = Some(Newer { remote, step: step + 1, fetched: OnceLock::new() });
        self.version = next_version();
    }

    /// Makes values that were copied from a device the host's own.
    fn settle(&mut self) {
        let Some(newer) = &mut self.newer else { return };
        if let Some(fetched) = newer.fetched.take() {
            (self.host, self.host_step) = (fetched, newer.step);
        }
    }
}

/// Copies to the host, since the device may have other values when the copy is read.
impl<T: Element> Clone for Storage<T> {
    fn clone(&self) -> Self {
        let host = self.values().to_vec();
        let read = self.newer.as_ref().is_none_or(|newer| newer.fetched.get().is_some());
        // If the newest could not be read, the copy has other values than this version.
        let version = if read { self.version } else { next_version() };
        Self { host, host_step: self.step_on_host(), newer: None, version }
    }
}

/// Compares values, not versions.
impl<T: Element> PartialEq for Storage<T> {
    fn eq(&self, other: &Self) -> bool {
        self.values() == other.values()
    }
}
