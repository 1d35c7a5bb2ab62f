//! An emulator that counts transfers, copies and recordings, fails when told to, and connects to others in this
//! process.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use edb::Device;
use edb::collective::Collective;
use edb_cuda::CudaOptions;
use edb_gpu::GpuError;
use edb_gpu::driver::{
    Address, Argument, Connection, Driver, Handle, Launch, LaunchShape, Mark, Product, Recording,
    Source, Transfer,
};

use crate::devices;
use crate::emulator::Emulator;

/// The ranks of a connection.
type World = Arc<dyn Collective>;

/// A way in which a device fails.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// No memory is left.
    Memory,
    /// Every call fails.
    Lost,
    /// Every call fails after this many launches.
    LostAfter(u64),
}

/// An emulator whose clones are handles to the same device.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    emulator: Arc<Emulator>,
    fault: Arc<Mutex<Option<Fault>>>,
    /// Bytes in each direction.
    uploaded: Arc<AtomicU64>,
    downloaded: Arc<AtomicU64>,
    /// Copies within the device.
    copied: Arc<AtomicU64>,
    /// The launches of each recording, and the number of replays.
    recorded: Arc<Mutex<Vec<usize>>>,
    replayed: Arc<AtomicU64>,
    /// The products of the library.
    multiplied: Arc<AtomicU64>,
    /// The ranks of each connection; `None` once it has ended.
    connected: Arc<Mutex<Vec<Option<World>>>>,
    /// Bytes that went to other ranks.
    exchanged: Arc<AtomicU64>,
}

impl Watched {
    pub fn device(&self) -> Device {
        self.device_with(CudaOptions::new())
    }

    pub fn device_with(&self, options: impl Into<CudaOptions>) -> Device {
        devices::on(self.clone(), options)
    }

    /// The number of launches in each recording.
    pub fn recorded(&self) -> Vec<usize> {
        self.recorded.lock().unwrap().clone()
    }

    /// The number of replays since the last call of this.
    pub fn replayed(&self) -> u64 {
        self.replayed.swap(0, Ordering::Relaxed)
    }

    /// The products of the library since the last call.
    pub fn multiplied(&self) -> u64 {
        self.multiplied.swap(0, Ordering::Relaxed)
    }

    pub fn set_fault(&self, fault: Option<Fault>) {
        *self.fault.lock().unwrap() = fault;
    }

    /// The bytes uploaded and downloaded since the last call of this.
    pub fn moved(&self) -> [u64; 2] {
        [&self.uploaded, &self.downloaded].map(|count| count.swap(0, Ordering::Relaxed))
    }

    /// The copies within the device since the last call of this.
    pub fn copied(&self) -> u64 {
        self.copied.swap(0, Ordering::Relaxed)
    }

    /// The bytes sent to other ranks since the last call of this.
    pub fn exchanged(&self) -> u64 {
        self.exchanged.swap(0, Ordering::Relaxed)
    }

    /// How many connections have not ended.
    pub fn connections(&self) -> usize {
        self.connected.lock().unwrap().iter().flatten().count()
    }

    fn count_launch(&self) {
        if let Some(Fault::LostAfter(launches)) = &mut *self.fault.lock().unwrap() {
            *launches -= 1;
        }
    }

    fn check(&self, call: &str) -> Result<(), GpuError> {
        match *self.fault.lock().unwrap() {
            Some(Fault::Lost | Fault::LostAfter(0)) => Err(GpuError::Driver {
                device: self.name(),
                call: call.into(),
                message: "unplugged".into(),
            }),
            _ => Ok(()),
        }
    }
}

impl Driver for Watched {
    fn name(&self) -> String {
        "watched".into()
    }

    fn allocate(&self, bytes: usize) -> Result<Address, GpuError> {
        self.check("allocate")?;
        if *self.fault.lock().unwrap() == Some(Fault::Memory) {
            return Err(GpuError::OutOfMemory { device: self.name(), free: 0, bytes });
        }
        self.emulator.allocate(bytes)
    }

    fn free(&self, address: Address) {
        self.emulator.free(address);
    }

    fn clear(&self, to: Address, bytes: usize) -> Result<(), GpuError> {
        self.check("clear")?;
        self.emulator.clear(to, bytes)
    }

    fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<(), GpuError> {
        self.check("copy")?;
        self.copied.fetch_add(1, Ordering::Relaxed);
        self.emulator.copy(from, to, bytes)
    }

    fn upload(&self, bytes: &[u8], to: Address) -> Result<(), GpuError> {
        self.check("upload")?;
        self.uploaded.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.emulator.upload(bytes, to)
    }

    fn download(&self, from: Address, bytes: &mut [u8]) -> Result<(), GpuError> {
        self.check("download")?;
        self.downloaded.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.emulator.download(from, bytes)
    }

    fn load(&self, source: &Source) -> Result<Vec<Handle>, GpuError> {
        self.emulator.load(source)
    }

    fn launch(
        &self,
        kernel: Handle,
        shape: LaunchShape,
        arguments: &[Argument],
    ) -> Result<(), GpuError> {
        self.check("launch")?;
        self.count_launch();
        self.emulator.launch(kernel, shape, arguments)
    }

    fn record(&self, launches: &[Launch]) -> Result<Recording, GpuError> {
        self.check("record")?;
        self.recorded.lock().unwrap().push(launches.len());
        self.emulator.record(launches)
    }

    fn replay(&self, recording: Recording) -> Result<(), GpuError> {
        self.check("replay")?;
        self.count_launch();
        self.replayed.fetch_add(1, Ordering::Relaxed);
        self.emulator.replay(recording)
    }

    fn forget(&self, recording: Recording) {
        self.emulator.forget(recording);
    }

    fn multiply(&self, product: &Product) -> Result<(), GpuError> {
        self.check("multiply")?;
        self.multiplied.fetch_add(1, Ordering::Relaxed);
        self.emulator.multiply(product)
    }

    fn mark(&self) -> Result<Mark, GpuError> {
        self.check("mark")?;
        self.emulator.mark()
    }

    fn seconds(&self, from: Mark, to: Mark) -> Result<f64, GpuError> {
        self.emulator.seconds(from, to)
    }

    fn unmark(&self, mark: Mark) {
        self.emulator.unmark(mark);
    }

    fn synchronize(&self) -> Result<(), GpuError> {
        self.check("synchronize")
    }

    fn connect(&self, world: &World) -> Result<Option<Connection>, GpuError> {
        self.check("connect")?;
        let mut connected = self.connected.lock().unwrap();
        connected.push(Some(Arc::clone(world)));
        Ok(Some(Connection(connected.len() as u64 - 1)))
    }

    /// A message for each piece of memory, as a library would send it.
    fn exchange(
        &self,
        connection: Connection,
        sent: &[Transfer],
        received: &[Transfer],
    ) -> Result<(), GpuError> {
        self.check("exchange")?;
        let world = self.connected.lock().unwrap()[connection.0 as usize].clone();
        let world = world.expect("the connection has not ended");
        for Transfer { rank, address, bytes } in sent {
            assert!(*bytes > 0, "nothing is sent");
            let mut message = vec![0; *bytes];
            self.emulator.download(*address, &mut message)?;
            self.exchanged.fetch_add(*bytes as u64, Ordering::Relaxed);
            world.send(*rank, message)?;
        }
        for Transfer { rank, address, bytes } in received {
            let message = world.receive(*rank)?;
            assert_eq!(message.len(), *bytes, "both sides list the same");
            self.emulator.upload(&message, *address)?;
        }
        Ok(())
    }

    fn disconnect(&self, connection: Connection) {
        let ended = self.connected.lock().unwrap()[connection.0 as usize].take();
        ended.expect("a connection ends once");
    }
}
