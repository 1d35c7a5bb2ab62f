//! An NVIDIA GPU, through the CUDA driver API.

use std::collections::HashMap;
use std::ffi::{CString, c_int, c_void};
use std::sync::{Arc, Mutex, MutexGuard};

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{self, CUdevice_attribute, CUresult};
use edb_core::collective::Collective;
use edb_core::engine::Precision;
use edb_gpu::GpuError;
use edb_gpu::driver::{
    Address, Argument, Connection, Driver, Handle, Launch, LaunchShape, Mark, Product, Recording,
    Source, Transfer,
};

use super::blas::{Blas, WORKSPACE};
use super::nccl::{Library, Nccl};
use super::pinned::Pinned;
use crate::compile::{Architecture, Cache, Compiler, OLDEST};
use crate::error::CudaError;
use crate::probe::DynamicLibrary;

/// The first architecture on which a kernel may start before the previous one has ended.
const OVERLAPPING: Architecture = (9, 0);

/// An NVIDIA GPU. All work runs in the order of one stream.
///
/// Not public, because it uses integers as pointers: see [`driver`](super).
#[derive(Debug)]
pub(crate) struct Cuda {
    ordinal: usize,
    name: String,
    device: c_int,
    architecture: Architecture,
    context: sys::CUcontext,
    stream: sys::CUstream,
    blas: Option<Blas>,
    workspace: Address,
    compiler: Compiler,
    cache: Cache,
    state: Mutex<State>,
    /// Those that have not ended.
    connections: Mutex<Vec<Option<Nccl>>>,
}

#[derive(Debug, Default)]
struct State {
    /// The kernels of loaded sources, by `Compiler::key`.
    loaded: HashMap<String, Vec<Handle>>,
    modules: Vec<sys::CUmodule>,
    /// Pinned host memory for asynchronous copies to the device.
    pinned: Pinned<*mut c_void>,
    /// Events that are not in use.
    events: Vec<sys::CUevent>,
}

// SAFETY: the driver's handles may be used by any thread that has made the context current, which
// every call does; pinned memory is written under the lock.
unsafe impl Send for Cuda {}
// SAFETY: as above.
unsafe impl Sync for Cuda {}

impl Cuda {
    /// Device number `ordinal`, whose products have this precision.
    ///
    /// # Errors
    /// When a library or the device is missing, or the device is too old.
    pub(crate) fn new(ordinal: usize, precision: Precision) -> Result<Self, CudaError> {
        DynamicLibrary::ALL.into_iter().try_for_each(DynamicLibrary::check)?;
        let compiler = Compiler::new()?;
        let count = count()?;
        if ordinal >= count {
            return Err(CudaError::NoDevice { ordinal, count });
        }
        let name = format!("cuda:{ordinal}");
        let fail = |call: &str, error: DriverError| failed(&name, call, error);
        let device =
            result::device::get(ordinal as c_int).map_err(|error| fail("cuDeviceGet", error))?;
        let attribute = |attribute| {
            // SAFETY: the driver returned the device.
            unsafe { result::device::get_attribute(device, attribute) }
                .map(|value| value as u32)
                .map_err(|error| fail("cuDeviceGetAttribute", error))
        };
        let major = attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
        let minor = attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        if (major, minor) < OLDEST {
            return Err(CudaError::Architecture { device: name, major, minor });
        }
        // SAFETY: the driver returned the device; the context is released when this is dropped.
        let context = unsafe { result::primary_ctx::retain(device) }
            .map_err(|error| fail("cuDevicePrimaryCtxRetain", error))?;
        // From here on, dropping `cuda` releases what it holds.
        let mut cuda = Self {
            ordinal,
            name: name.clone(),
            device,
            architecture: (major, minor),
            context,
            stream: result::stream::null(),
            blas: None,
            workspace: 0,
            compiler,
            cache: Cache::of_user(),
            state: Mutex::default(),
            connections: Mutex::default(),
        };
        cuda.enter()?;
        cuda.stream = result::stream::create(result::stream::StreamKind::NonBlocking)
            .map_err(|error| fail("cuStreamCreate", error))?;
        cuda.workspace = cuda.allocate(WORKSPACE)?;
        let blas = Blas::new(cuda.stream, cuda.workspace, precision);
        cuda.blas = Some(blas.map_err(|error| cuda.failed_call("cublasCreate", &error))?);
        Ok(cuda)
    }

    /// Makes the context current for the calling thread.
    fn enter(&self) -> Result<(), GpuError> {
        // SAFETY: the context is retained.
        self.check("cuCtxSetCurrent", unsafe { result::ctx::set_current(self.context) })
    }

    fn check<R>(&self, call: &str, result: Result<R, DriverError>) -> Result<R, GpuError> {
        result.map_err(|error| failed(&self.name, call, error))
    }

    fn failed_call(&self, call: &str, error: &dyn std::fmt::Debug) -> GpuError {
        let message = format!("{error:?}");
        GpuError::Driver { device: self.name.clone(), call: call.into(), message }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poison| poison.into_inner())
    }

    fn connections(&self) -> MutexGuard<'_, Vec<Option<Nccl>>> {
        self.connections.lock().unwrap_or_else(|poison| poison.into_inner())
    }

    /// Adds launches to an empty CUDA graph, one behind the other.
    ///
    /// They are added one by one rather than captured on a stream: whatever another thread does with
    /// the device may end a capture.
    fn chain(&self, graph: sys::CUgraph, launches: &[Launch]) -> Result<(), GpuError> {
        let mut edge =
            sys::CUgraphEdgeData { from_port: 0, to_port: 0, type_: 0, reserved: [0; 5] };
        if self.architecture >= OVERLAPPING {
            let kind = sys::CUgraphDependencyType::CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
            edge.from_port = sys::CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC as u8;
            edge.type_ = kind as u8;
        }
        let mut before: sys::CUgraphNode = std::ptr::null_mut();
        for (place, launch) in launches.iter().enumerate() {
            let Launch { kernel, shape, mut words } = *launch;
            let mut arguments = [std::ptr::from_mut(&mut words).cast::<c_void>()];
            // All that is not named below has to be 0.
            let mut rest = sys::CUgraphNodeParams_st__bindgen_ty_1 { reserved1: [0; 29] };
            rest.kernel = sys::CUDA_KERNEL_NODE_PARAMS_v3 {
                func: kernel.0 as sys::CUfunction,
                gridDimX: shape.grid[0],
                gridDimY: shape.grid[1],
                gridDimZ: 1,
                blockDimX: shape.block[0],
                blockDimY: shape.block[1],
                blockDimZ: 1,
                sharedMemBytes: 0,
                kernelParams: arguments.as_mut_ptr(),
                extra: std::ptr::null_mut(),
                kern: std::ptr::null_mut(),
                ctx: std::ptr::null_mut(),
            };
            let mut parameters = sys::CUgraphNodeParams {
                type_: sys::CUgraphNodeType::CU_GRAPH_NODE_TYPE_KERNEL,
                reserved0: [0; 3],
                __bindgen_anon_1: rest,
                reserved2: 0,
            };
            let mut node = std::ptr::null_mut();
            // SAFETY: the graph is valid, and the node before is one of it; the kernel is one of a
            // loaded module, and takes the address of its arguments, which the caller guarantees;
            // the driver copies parameters and arguments before it returns.
            let added = unsafe {
                sys::cuGraphAddNode_v2(
                    &mut node,
                    graph,
                    &before,
                    &edge,
                    usize::from(place > 0),
                    &mut parameters,
                )
            };
            self.check("cuGraphAddNode", added.result())?;
            before = node;
        }
        Ok(())
    }

    /// Pinned memory of `bytes` bytes, which is not handed out again before a later synchronisation
    /// has ended.
    fn pin(&self, pinned: &mut Pinned<*mut c_void>, bytes: usize) -> Result<*mut u8, GpuError> {
        let (block, offset) = pinned.take(bytes, |bytes| {
            // SAFETY: the context is current; the block is given back when this is dropped.
            self.check("cuMemHostAlloc", unsafe { result::malloc_host(bytes, 0) })
        })?;
        // SAFETY: within the block.
        Ok(unsafe { block.cast::<u8>().add(offset) })
    }
}

/// The number of GPUs.
///
/// # Errors
/// When the driver is missing, or fails.
pub(crate) fn count() -> Result<usize, CudaError> {
    DynamicLibrary::Driver.check()?;
    let fail = |call: &str, error: DriverError| failed("cuda", call, error);
    result::init().map_err(|error| fail("cuInit", error))?;
    let count = result::device::get_count().map_err(|error| fail("cuDeviceGetCount", error))?;
    Ok(count as usize)
}

fn failed(device: &str, call: &str, error: DriverError) -> GpuError {
    let text = error.error_string().ok().map(|text| text.to_string_lossy().into_owned());
    let message = match (error.0, text) {
        (CUresult::CUDA_ERROR_ILLEGAL_ADDRESS | CUresult::CUDA_ERROR_LAUNCH_FAILED, Some(text)) => {
            format!("{text}; the device is lost for this process, the parameters are not")
        }
        (_, Some(text)) => text,
        (code, None) => format!("{code:?}"),
    };
    GpuError::Driver { device: device.into(), call: call.into(), message }
}

impl Driver for Cuda {
    fn name(&self) -> String {
        format!("cuda:{}", self.ordinal)
    }

    fn allocate(&self, bytes: usize) -> Result<Address, GpuError> {
        self.enter()?;
        // SAFETY: the memory is uninitialised, and the back end writes it before it reads it.
        match unsafe { result::malloc_sync(bytes) } {
            Err(DriverError(CUresult::CUDA_ERROR_OUT_OF_MEMORY)) => {
                let free = result::mem_get_info().map_or(0, |(free, _)| free);
                Err(GpuError::OutOfMemory { device: self.name.clone(), free, bytes })
            }
            allocated => self.check("cuMemAlloc", allocated),
        }
    }

    fn free(&self, address: Address) {
        // `cuMemFree` waits for what is running.
        if self.enter().is_ok() {
            // SAFETY: it was allocated here, and the caller does not use it any more.
            let _ = unsafe { result::free_sync(address) };
        }
    }

    fn clear(&self, to: Address, bytes: usize) -> Result<(), GpuError> {
        self.enter()?;
        // SAFETY: the range is within an allocation, which the caller guarantees.
        let cleared = unsafe { result::memset_d8_async(to, 0, bytes, self.stream) };
        self.check("cuMemsetD8Async", cleared)
    }

    fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<(), GpuError> {
        self.enter()?;
        // SAFETY: both ranges are within allocations, which the caller guarantees.
        let copied = unsafe { result::memcpy_dtod_async(to, from, bytes, self.stream) };
        self.check("cuMemcpyDtoDAsync", copied)
    }

    fn upload(&self, bytes: &[u8], to: Address) -> Result<(), GpuError> {
        self.enter()?;
        let mut state = self.state();
        let pinned = self.pin(&mut state.pinned, bytes.len())?;
        // SAFETY: `pin` has handed out this memory for this copy alone. It is handed out again only
        // after a synchronisation that began after the copy was enqueued, since both happen under
        // the lock; so the copy from it may be asynchronous.
        let copied = unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), pinned, bytes.len());
            let from = std::slice::from_raw_parts(pinned, bytes.len());
            result::memcpy_htod_async(to, from, self.stream)
        };
        self.check("cuMemcpyHtoDAsync", copied)
    }

    fn download(&self, from: Address, bytes: &mut [u8]) -> Result<(), GpuError> {
        self.enter()?;
        // SAFETY: the range is within an allocation, which the caller guarantees; the bytes are
        // borrowed until the synchronisation below.
        let copied = unsafe { result::memcpy_dtoh_async(bytes, from, self.stream) };
        self.check("cuMemcpyDtoHAsync", copied)?;
        self.synchronize()
    }

    fn load(&self, source: &Source) -> Result<Vec<Handle>, GpuError> {
        let key = self.compiler.key(source, self.architecture);
        if let Some(handles) = self.state().loaded.get(&key) {
            return Ok(handles.clone());
        }
        let make = || Ok::<_, GpuError>(self.compiler.compile(source, self.architecture)?.cubin);
        let cubin = self.cache.get(&key, make)?;
        self.enter()?;
        // SAFETY: the image is a CUBIN for this architecture.
        let module = unsafe { result::module::load_data(cubin.as_ptr().cast()) };
        let module = self.check("cuModuleLoadData", module)?;
        let mut state = self.state();
        state.modules.push(module);
        let mut handles = Vec::with_capacity(source.names.len());
        for name in &source.names {
            let name = CString::new(name.as_str()).unwrap_or_default();
            // SAFETY: the module stays loaded until this is dropped.
            let function = unsafe { result::module::get_function(module, name) };
            handles.push(Handle(self.check("cuModuleGetFunction", function)? as u64));
        }
        state.loaded.insert(key, handles.clone());
        Ok(handles)
    }

    fn launch(
        &self,
        kernel: Handle,
        shape: LaunchShape,
        arguments: &[Argument],
    ) -> Result<(), GpuError> {
        self.enter()?;
        let mut words: Vec<u64> = arguments.iter().map(|argument| argument.word()).collect();
        let mut pointers: Vec<*mut c_void> =
            words.iter_mut().map(|word| std::ptr::from_mut(word).cast()).collect();
        let (grid, block) =
            ((shape.grid[0], shape.grid[1], 1), (shape.block[0], shape.block[1], 1));
        // SAFETY: the kernel is one of a loaded module; the arguments match its parameters and
        // point into allocations, which the caller guarantees. The driver copies them before it
        // returns.
        let launched = unsafe {
            result::launch_kernel(
                kernel.0 as sys::CUfunction,
                grid,
                block,
                0,
                self.stream,
                &mut pointers,
            )
        };
        self.check("cuLaunchKernel", launched)
    }

    fn record(&self, launches: &[Launch]) -> Result<Recording, GpuError> {
        self.enter()?;
        let mut graph = std::ptr::null_mut();
        // SAFETY: the graph is written before the call returns.
        let created = unsafe { sys::cuGraphCreate(&mut graph, 0) };
        self.check("cuGraphCreate", created.result())?;
        let made = self.chain(graph, launches).and_then(|()| {
            let mut made = std::ptr::null_mut();
            // Not by `result::graph::instantiate`: its type of flags has no zero before cudarc 0.19.10.
            // SAFETY: the graph is valid, and its executable is written before the call returns.
            let result = unsafe { sys::cuGraphInstantiateWithFlags(&mut made, graph, 0) };
            self.check("cuGraphInstantiate", result.result()).map(|()| made)
        });
        // SAFETY: the graph is valid, and its executable does not need it.
        let _ = unsafe { result::graph::destroy(graph) };
        Ok(Recording(made? as u64))
    }

    fn replay(&self, recording: Recording) -> Result<(), GpuError> {
        self.enter()?;
        // SAFETY: it was recorded and not forgotten, and its kernels find their arguments, which
        // the caller guarantees.
        let launched =
            unsafe { result::graph::launch(recording.0 as sys::CUgraphExec, self.stream) };
        self.check("cuGraphLaunch", launched)
    }

    fn forget(&self, recording: Recording) {
        if self.enter().is_ok() {
            // SAFETY: it was recorded, and is not replayed any more. If it is still running, the
            // driver releases it when it has ended.
            let _ = unsafe { result::graph::exec_destroy(recording.0 as sys::CUgraphExec) };
        }
    }

    fn multiply(&self, product: &Product) -> Result<(), GpuError> {
        self.enter()?;
        match self.blas.as_ref().map(|blas| blas.multiply(product)) {
            Some(Err(error)) => Err(self.failed_call("cublasGemm", &error)),
            _ => Ok(()),
        }
    }

    fn mark(&self) -> Result<Mark, GpuError> {
        self.enter()?;
        let spare = self.state().events.pop();
        let event = match spare {
            Some(event) => event,
            None => {
                let flags = sys::CUevent_flags::CU_EVENT_DEFAULT;
                self.check("cuEventCreate", result::event::create(flags))?
            }
        };
        // SAFETY: the event was created, and is destroyed when this is dropped.
        self.check("cuEventRecord", unsafe { result::event::record(event, self.stream) })?;
        Ok(Mark(event as u64))
    }

    fn seconds(&self, from: Mark, to: Mark) -> Result<f64, GpuError> {
        self.enter()?;
        let [from, to] = [from, to].map(|mark| mark.0 as sys::CUevent);
        // SAFETY: both are recorded events of this stream that were not given back.
        let elapsed = unsafe { result::event::elapsed(from, to) };
        Ok(f64::from(self.check("cuEventElapsedTime", elapsed)?) / 1e3)
    }

    fn unmark(&self, mark: Mark) {
        self.state().events.push(mark.0 as sys::CUevent);
    }

    fn synchronize(&self) -> Result<(), GpuError> {
        self.enter()?;
        // Copies that other threads enqueue during this wait are not covered by it.
        let wait = self.state().pinned.wait();
        // SAFETY: the stream is valid.
        self.check("cuStreamSynchronize", unsafe { result::stream::synchronize(self.stream) })?;
        self.state().pinned.waited(wait);
        Ok(())
    }

    fn connect(&self, world: &Arc<dyn Collective>) -> Result<Option<Connection>, GpuError> {
        let uuid = self
            .enter()
            .and_then(|()| self.check("cuDeviceGetUuid", result::device::get_uuid(self.device)));
        let gpu = uuid.map_err(|error| error.to_string()).and_then(|uuid| {
            Ok((Library::installed()?, uuid.bytes.map(|byte| byte.to_ne_bytes()[0])))
        });
        // SAFETY: the stream is this GPU's, whose context is current, and it is destroyed after the
        // connections.
        let joined = unsafe { Nccl::join(gpu, self.stream.cast(), world) }?;
        let mut connections = self.connections();
        Ok(joined.map(|nccl| {
            connections.push(Some(nccl));
            Connection(connections.len() as u64 - 1)
        }))
    }

    fn exchange(
        &self,
        connection: Connection,
        sent: &[Transfer],
        received: &[Transfer],
    ) -> Result<(), GpuError> {
        self.enter()?;
        let mut connections = self.connections();
        let slot = &mut connections[connection.0 as usize];
        let Some(nccl) = slot else {
            let (call, message) = ("ncclSend".into(), "an error has ended the connection".into());
            return Err(GpuError::Driver { device: self.name.clone(), call, message });
        };
        // SAFETY: the memory is within allocations, which the caller guarantees. Until this returns,
        // only work of the stream uses it; if it fails, the connection ends before it returns.
        let listed = unsafe { nccl.exchange(sent, received) };
        let exchanged = listed.map_err(GpuError::from).and_then(|()| {
            let end = self.mark()?;
            let waited = nccl.wait(|| {
                // SAFETY: the event was recorded, and is given back below.
                match unsafe { sys::cuEventQuery(end.0 as sys::CUevent) } {
                    CUresult::CUDA_ERROR_NOT_READY => Ok(false),
                    other => self.check("cuEventQuery", other.result()).map(|()| true),
                }
            });
            self.unmark(end);
            waited
        });
        if exchanged.is_err() {
            // At once: whatever waits for the stream would wait for the other ranks.
            slot.take().into_iter().for_each(Nccl::abort);
        }
        exchanged
    }

    fn disconnect(&self, connection: Connection) {
        if self.enter().is_ok() {
            drop(self.connections()[connection.0 as usize].take());
        }
    }
}

impl Drop for Cuda {
    fn drop(&mut self) {
        if self.enter().is_err() {
            return;
        }
        let state = std::mem::take(&mut *self.state());
        self.connections().clear();
        self.blas = None;
        // SAFETY: this is dropped, so no one uses any of these any more; errors are ignored.
        unsafe {
            if !self.stream.is_null() {
                let _ = result::stream::synchronize(self.stream);
            }
            for event in state.events {
                let _ = result::event::destroy(event);
            }
            for module in state.modules {
                let _ = result::module::unload(module);
            }
            for block in state.pinned.into_blocks() {
                let _ = result::free_host(block);
            }
            if self.workspace != 0 {
                let _ = result::free_sync(self.workspace);
            }
            if !self.stream.is_null() {
                let _ = result::stream::destroy(self.stream);
            }
            let _ = result::primary_ctx::release(self.device);
        }
    }
}
