//! Numbers that live on the device: parameters, and what optimisers keep for them.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use edb_core::element::Element;
use edb_core::engine::EngineError;
use edb_core::learn::storage::RemoteError;
use edb_core::learn::{Remote, Storage};

use crate::driver::{Address, Driver, Memory};

/// What is wrong with numbers that a step was moving when the device failed.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("a step that failed has left them half moved")]
struct HalfMoved;

/// A [`Storage`]'s numbers on a device.
pub(super) struct Resident<T> {
    driver: Arc<dyn Driver>,
    memory: Memory,
    count: usize,
    /// The version of the storage that these are; no storage has version 0.
    version: AtomicU64,
    half_moved: AtomicBool,
    of: PhantomData<fn() -> T>,
}

impl<T: Element + bytemuck::Pod> Resident<T> {
    /// A storage's newest numbers, on this device.
    ///
    /// Those that live there already stay; `known`, if it is of another version, is written over
    /// unless somebody else has it. The name is for errors.
    pub(super) fn of(
        name: &str,
        storage: &Storage<T>,
        known: Option<Arc<Self>>,
        driver: &Arc<dyn Driver>,
    ) -> Result<Arc<Self>, EngineError> {
        if let Some(own) = storage.remote().and_then(|remote| Self::own(remote, driver)) {
            return Ok(own);
        }
        // Another device may have failed, which must not pass for old numbers.
        storage.fetch(name)?;
        let known = known.filter(|known| known.count == storage.len());
        if let Some(known) = known.as_ref().filter(|known| known.version() == storage.version()) {
            return Ok(Arc::clone(known));
        }
        let reused = known.filter(|known| Arc::strong_count(known) == 1);
        let resident = match reused {
            Some(reused) => reused,
            None => {
                let mut memory = Memory::new(driver);
                memory.reserve(size_of_val(storage.values()).max(1))?;
                Arc::new(Self {
                    driver: Arc::clone(driver),
                    memory,
                    count: storage.len(),
                    version: AtomicU64::new(0),
                    half_moved: AtomicBool::new(false),
                    of: PhantomData,
                })
            }
        };
        resident.driver.upload(bytemuck::cast_slice(storage.values()), resident.at())?;
        resident.set_version(storage.version());
        Ok(resident)
    }

    /// What a storage has on this device.
    fn own(remote: &Arc<dyn Remote<T>>, driver: &Arc<dyn Driver>) -> Option<Arc<Self>> {
        let resident = Arc::clone(remote).as_any().downcast::<Self>().ok()?;
        Arc::ptr_eq(&resident.driver, driver).then_some(resident)
    }

    pub(super) fn at(&self) -> Address {
        self.memory.at()
    }

    pub(super) fn version(&self) -> u64 {
        self.version.load(Ordering::Relaxed)
    }

    fn set_version(&self, version: u64) {
        self.version.store(version, Ordering::Relaxed);
    }

    /// Notes in a storage that step `step` has moved these.
    pub(super) fn moved(self: &Arc<Self>, storage: &mut Storage<T>, step: u64) {
        storage.moved(Arc::clone(self) as Arc<dyn Remote<T>>, step);
        self.set_version(storage.version());
    }

    /// Notes that a step that failed may have moved some of these.
    pub(super) fn spoil(&self) {
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
        Ok(self.driver.download(self.at(), bytemuck::cast_slice_mut(values))?)
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
