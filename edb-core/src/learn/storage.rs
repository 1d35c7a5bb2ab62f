//! Numbers of which a device may hold newer ones: those of parameters, and what optimisers keep.

use std::any::Any;
use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use super::error::LearnError;
use crate::element::Element;
use crate::trace::TARGET;

/// What a device says that has failed.
pub type RemoteError = Box<dyn std::error::Error + Send + Sync>;

/// Numbers in a device's memory. They stay as they are for as long as a [`Storage`] has them as its
/// newest.
pub trait Remote<T>: Debug + Send + Sync {
    /// The device's name, as in `cuda:0`.
    fn device(&self) -> String;

    /// Copies all of them.
    ///
    /// # Errors
    /// When the device has failed.
    fn download(&self, values: &mut [T]) -> Result<(), RemoteError>;

    /// Itself, for the back end that made it.
    fn as_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync>;
}

/// Numbers that the host has, and where a device has moved them, the way to the newer ones.
///
/// They are brought to the host when they are read, and once only. Where that fails, what the host had
/// last is read instead, an error is logged, and [`fetch`](Self::fetch) returns it: by that, whoever
/// must not go on with old numbers (a checkpoint, another device) asks first.
#[derive(Debug)]
pub struct Storage<T> {
    host: Vec<T>,
    /// How many steps had been taken with these.
    host_step: u64,
    newer: Option<Newer<T>>,
    version: u64,
}

#[derive(Debug)]
struct Newer<T> {
    remote: Arc<dyn Remote<T>>,
    step: u64,
    /// The same on the host, once somebody has read them.
    fetched: OnceLock<Vec<T>>,
}

/// Two versions are never the same number, in any model, so that what was derived from the numbers
/// (packed weights, a copy on a device) knows when it is stale.
fn next_version() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl<T: Element> Storage<T> {
    /// Numbers of the host.
    pub fn new(values: Vec<T>) -> Self {
        Self { host: values, host_step: 0, newer: None, version: next_version() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.host.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.host.is_empty()
    }

    /// The newest. Where they are on a device that has failed, the last that the host had; that is
    /// logged as an error.
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

    /// The newest, to be changed: from then on the host has them.
    pub fn values_mut(&mut self) -> &mut [T] {
        self.versioned_mut().1
    }

    /// The same, and the version that they are going to be.
    pub(crate) fn versioned_mut(&mut self) -> (u64, &mut [T]) {
        self.values();
        self.settle();
        self.newer = None;
        self.version = next_version();
        (self.version, &mut self.host)
    }

    /// Brings the newest to the host.
    ///
    /// # Errors
    /// [`LearnError::Stale`], which says after which step those are that the host has.
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

    /// After how many steps those are that can be read without a device.
    pub(crate) fn step_on_host(&self) -> u64 {
        match &self.newer {
            Some(newer) if newer.fetched.get().is_some() => newer.step,
            _ => self.host_step,
        }
    }

    /// A number that changes whenever the numbers may have.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Where the newest are, if not on the host alone.
    pub fn remote(&self) -> Option<&Arc<dyn Remote<T>>> {
        self.newer.as_ref().map(|newer| &newer.remote)
    }

    /// Notes that step `step`, counted from 0, has been taken on a device, which has what it came to.
    pub fn moved(&mut self, remote: Arc<dyn Remote<T>>, step: u64) {
        self.settle();
        if self.newer.is_none() {
            self.host_step = step;
        }
        self.newer = Some(Newer { remote, step: step + 1, fetched: OnceLock::new() });
        self.version = next_version();
    }

    /// Takes what was read as what the host has.
    fn settle(&mut self) {
        let Some(newer) = &mut self.newer else { return };
        if let Some(fetched) = newer.fetched.take() {
            (self.host, self.host_step) = (fetched, newer.step);
        }
    }
}

/// A copy that the host has: reading it later must not show what the device has then.
impl<T: Element> Clone for Storage<T> {
    fn clone(&self) -> Self {
        let host = self.values().to_vec();
        let read = self.newer.as_ref().is_none_or(|newer| newer.fetched.get().is_some());
        // What could not be read are other numbers.
        let version = if read { self.version } else { next_version() };
        Self { host, host_step: self.step_on_host(), newer: None, version }
    }
}

/// Equal numbers are equal, whatever their history.
impl<T: Element> PartialEq for Storage<T> {
    fn eq(&self, other: &Self) -> bool {
        self.values() == other.values()
    }
}
