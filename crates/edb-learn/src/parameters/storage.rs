//! Storage of values (parameters, optimiser state); a device may hold newer values.

use std::any::Any;
use std::collections::TryReserveError;
use std::convert::Infallible;
use std::fmt::{Debug, Display};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crate::error::LearnError;
use edb_kernels::element::Element;
use edb_kernels::memory::Aligned;

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

    /// Converts to `Any`, for the back end that created it.
    fn as_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync>;
}

/// Values on the host and, once a device has updated them, a reference to the newer values there.
///
/// Newer values are copied to the host when they are first read. If copying fails, every read fails, so that
/// nobody uses older values without knowing it. Until then, the old values on the host are kept only so that an
/// error can say [of which step](LearnError::Stale) they are.
#[derive(Debug)]
pub struct Storage<T> {
    host: Aligned<T>,
    /// How many steps had been taken when `host` was current.
    host_step: u64,
    newer: Option<Newer<T>>,
    version: u64,
}

#[derive(Debug)]
struct Newer<T> {
    remote: Arc<dyn Remote<T>>,
    step: u64,
    /// The copy of the newer values on the host, once they have been read.
    fetched: OnceLock<Aligned<T>>,
}

/// A new version number. It is unique among all models, so it shows whether data derived from the values
/// (packed weights, a copy on a device) is stale.
fn next_version() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl<T: Element> Storage<T> {
    /// Copies these values into memory of the host that begins at a cache line.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub fn new(values: &[T]) -> Result<Self, TryReserveError> {
        let host = Aligned::copy_of(values)?;
        Ok(Self { host, host_step: 0, newer: None, version: next_version() })
    }

    /// A clone, if there is memory for it.
    pub(crate) fn try_clone(&self) -> Result<Self, TryReserveError> {
        self.copied(Aligned::copy_of)
    }

    /// A clone; `copy` copies the values.
    fn copied<E>(&self, copy: impl Fn(&[T]) -> Result<Aligned<T>, E>) -> Result<Self, E> {
        let Self { host_step, version, .. } = *self;
        Ok(match self.download() {
            Ok(()) => {
                let (host, host_step) = (copy(self.fetched())?, self.step_on_host());
                Self { host, host_step, newer: None, version }
            }
            Err((device, reason)) => {
                let remote = Arc::new(Lost { device, reason: reason.to_string() });
                let step = self.newer.as_ref().map_or(host_step, |newer| newer.step);
                let newer = Some(Newer { remote, step, fetched: OnceLock::new() });
                Self { host: copy(&self.host)?, host_step, newer, version }
            }
        })
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.host.len()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.host.is_empty()
    }

    /// The newest values, copied to the host if a device has them. An error calls them `name`.
    ///
    /// # Errors
    /// [`LearnError::Stale`], with the number of steps taken when the host's values were current.
    pub fn values(&self, name: impl Display) -> Result<&[T], LearnError> {
        self.download().map_err(|(device, reason)| LearnError::Stale {
            parameter: name.to_string(),
            device,
            reason: reason.to_string(),
            step: self.host_step,
        })?;
        Ok(self.fetched())
    }

    /// The newest values, to be changed; from then on only the host has them.
    ///
    /// # Errors
    /// As [`values`](Self::values).
    pub fn values_mut(&mut self, name: impl Display) -> Result<&mut [T], LearnError> {
        self.values(name)?;
        Ok(self.fetched_mut().1)
    }

    /// Replaces all values by the same number of values. Values on a device are not read.
    pub(crate) fn replace(&mut self, values: &[T]) {
        self.host.copy_from_slice(values);
        self.newer = None;
        self.version = next_version();
    }

    /// The newest values. [`values`](Self::values) must have succeeded since a device last changed them.
    pub(crate) fn fetched(&self) -> &[T] {
        match &self.newer {
            Some(newer) => newer.fetched.get().expect("the values have been fetched"),
            None => &self.host,
        }
    }

    /// The values on the host, row-major, to be changed, and the version that they have after that.
    ///
    /// # Panics
    /// When a device has newer values that [`values`](Self::values) has not read.
    pub fn fetched_mut(&mut self) -> (u64, &mut [T]) {
        self.settle();
        assert!(self.newer.take().is_none_or(|newer| newer.step == self.host_step), "fetched");
        self.version = next_version();
        (self.version, &mut self.host)
    }

    fn download(&self) -> Result<(), (String, RemoteError)> {
        let Some(newer) = self.newer.as_ref().filter(|newer| newer.fetched.get().is_none()) else {
            return Ok(());
        };
        let values = Aligned::zeros(self.host.len());
        let mut values = values.map_err(|error| (newer.remote.device(), error.into()))?;
        newer.remote.download(&mut values).map_err(|error| (newer.remote.device(), error))?;
        newer.fetched.get_or_init(|| values);
        Ok(())
    }

    /// How many steps had been taken when the values on the host were current.
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

    /// Makes the copy of a device's values the host's own values.
    fn settle(&mut self) {
        let Some(newer) = &mut self.newer else { return };
        if let Some(fetched) = newer.fetched.take() {
            (self.host, self.host_step) = (fetched, newer.step);
        }
    }
}

/// Stands for values that could not be copied from a device. Reading the clone fails in the same way as reading
/// the original.
#[derive(Debug)]
struct Lost {
    device: String,
    reason: String,
}

impl<T> Remote<T> for Lost {
    fn device(&self) -> String {
        self.device.clone()
    }

    fn download(&self, _: &mut [T]) -> Result<(), RemoteError> {
        Err(self.reason.clone().into())
    }

    fn as_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self
    }
}

/// Copies the values to the host at once, since the device may have other values when the clone is read.
impl<T: Element> Clone for Storage<T> {
    fn clone(&self) -> Self {
        let Ok(copy) = self.copied(|values| Ok::<_, Infallible>(values.into()));
        copy
    }
}

/// Compares values, not versions. Values that cannot be read are not equal to any values.
impl<T: Element> PartialEq for Storage<T> {
    fn eq(&self, other: &Self) -> bool {
        let readable = self.download().is_ok() && other.download().is_ok();
        readable && self.fetched() == other.fetched()
    }
}
