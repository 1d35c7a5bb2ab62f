//! Numbers that stay on the device: parameters, and the optimiser's state.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use edb_core::element::Element;
use edb_core::engine::EngineError;
use edb_core::learn::{Remote, RemoteError, Storage};

use crate::driver::{Address, DeviceMemory, Driver};

/// The device failed during a step that was updating these numbers.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("a step that failed has left them half moved")]
struct HalfMoved;

/// A [`Storage`]'s numbers on a device.
pub(crate) struct Resident<T> {
    driver: Arc<dyn Driver>,
    memory: DeviceMemory,
    count: usize,
    /// The storage's version of these numbers; no storage has version 0.
    version: AtomicU64,
    half_moved: AtomicBool,
    element: PhantomData<fn() -> T>,
}

impl<T: Element + bytemuck::Pod> Resident<T> {
    /// The current numbers of a storage, on this device.
    ///
    /// If this device holds the current ones, they are returned. Otherwise they are uploaded, into
    /// the memory of `known` if nothing else uses it. `name` is for error messages.
    pub(crate) fn current(
        name: &str,
        storage: &Storage<T>,
        known: Option<Arc<Self>>,
        driver: &Arc<dyn Driver>,
    ) -> Result<Arc<Self>, EngineError> {
        if let Some(resident) = storage.remote().and_then(|remote| Self::local(remote, driver)) {
            return Ok(resident);
        }
        let known = known.filter(|known| known.count == storage.len());
        if let Some(known) = known.as_ref().filter(|known| known.version() == storage.version()) {
            return Ok(Arc::clone(known));
        }
        let reused = known.filter(|known| Arc::strong_count(known) == 1);
        let resident = match reused {
            Some(reused) => reused,
            None => {
                let mut memory = DeviceMemory::new(driver);
                memory.reserve((storage.len() * size_of::<T>()).max(1))?;
                Arc::new(Self {
                    driver: Arc::clone(driver),
                    memory,
                    count: storage.len(),
                    version: AtomicU64::new(0),
                    half_moved: AtomicBool::new(false),
                    element: PhantomData,
                })
            }
        };
        resident.driver.upload(bytemuck::cast_slice(storage.values(name)?), resident.address())?;
        resident.set_version(storage.version());
        Ok(resident)
    }

    /// The numbers of a storage, if they are on this device.
    fn local(remote: &Arc<dyn Remote<T>>, driver: &Arc<dyn Driver>) -> Option<Arc<Self>> {
        let resident = Arc::clone(remote).as_any().downcast::<Self>().ok()?;
        Arc::ptr_eq(&resident.driver, driver).then_some(resident)
    }

    pub(crate) fn address(&self) -> Address {
        self.memory.address()
    }

    pub(super) fn version(&self) -> u64 {
        self.version.load(Ordering::Relaxed)
    }

    fn set_version(&self, version: u64) {
        self.version.store(version, Ordering::Relaxed);
    }

    /// Records in a storage that step `step` has updated these numbers.
    pub(crate) fn moved(self: &Arc<Self>, storage: &mut Storage<T>, step: u64) {
        storage.moved(Arc::clone(self) as Arc<dyn Remote<T>>, step);
        self.set_version(storage.version());
    }

    /// Marks these numbers as possibly half updated by a failed step.
    pub(crate) fn spoil(&self) {
        self.half_moved.store(true, Ordering::Relaxed);
        self.set_version(0);
    }
}

impl<T: Element + bytemuck::Pod> Remote<T> for Resident<T> {
    fn device(&self) -> String {
        self.driver.name()
    }

    fn download(&self, values: &mut [T]) -> Result<(), RemoteError> {
        if self.half_moved.load(Ordering::Relaxed) {
            return Err(HalfMoved.into());
        }
        Ok(self.driver.download(self.address(), bytemuck::cast_slice_mut(values))?)
    }

    fn as_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self
    }
}

impl<T> fmt::Debug for Resident<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} numbers on {}", self.count, self.driver.name())
    }
}
