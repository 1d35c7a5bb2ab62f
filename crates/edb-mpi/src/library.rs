//! The functions of an MPI library, opened at run time.
//!
//! All libraries have the same functions, but not the same handles. A handle is an `int` in MPICH's
//! ABI, an address in Open MPI's, and a small number in the type of an address in the standard one
//! (MPI 5, chapter 20). Here each is a `usize`, see [`Functions`].

use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::Path;
use std::ptr;

#[cfg(unix)]
use libloading::os::unix::{Library as Dynamic, RTLD_GLOBAL, RTLD_NOW, Symbol};
#[cfg(not(unix))]
use libloading::os::windows::{Library as Dynamic, Symbol};

use crate::error::MpiError;

/// A handle of MPI. An `int` is in its lower half.
type Handle = usize;

/// `MPI_Status` of any library: at most 32 bytes so far, which only the library reads.
#[repr(C, align(16))]
#[derive(Clone, Copy)]
struct Status([u8; 128]);

/// The longest text that a library writes, in the standard ABI.
const MOST_TEXT: usize = 8192;

/// The most bytes of one call, whose counts are `int`.
pub(crate) const CHUNK: usize = 1 << 30;

/// The handles of a library that do not change.
#[derive(Clone, Copy, Debug)]
struct Constants {
    world: Handle,
    byte: Handle,
    errors_return: Handle,
    /// `MPI_THREAD_SERIALIZED`.
    serialized: c_int,
}

/// The functions, with `usize` for handles.
///
/// Where the library declares an `int`, it gets a register of 64 bits, whose upper half it ignores:
/// so the calling conventions of x86-64 (System V ABI, 3.2.3) and of AArch64 (AAPCS64, 6.8.2) have
/// it. Handles that are returned are written to memory of eight zeros.
#[derive(Clone, Copy)]
struct Functions {
    initialized: unsafe extern "C" fn(*mut c_int) -> c_int,
    init_thread: unsafe extern "C" fn(*mut c_int, *mut c_void, c_int, *mut c_int) -> c_int,
    finalize: unsafe extern "C" fn() -> c_int,
    version: unsafe extern "C" fn(*mut c_char, *mut c_int) -> c_int,
    error_string: unsafe extern "C" fn(c_int, *mut c_char, *mut c_int) -> c_int,
    duplicate: unsafe extern "C" fn(Handle, *mut Handle) -> c_int,
    set_errhandler: unsafe extern "C" fn(Handle, Handle) -> c_int,
    rank: unsafe extern "C" fn(Handle, *mut c_int) -> c_int,
    size: unsafe extern "C" fn(Handle, *mut c_int) -> c_int,
    isend: unsafe extern "C" fn(
        *const c_void,
        c_int,
        Handle,
        c_int,
        c_int,
        Handle,
        *mut Handle,
    ) -> c_int,
    irecv: unsafe extern "C" fn(
        *mut c_void,
        c_int,
        Handle,
        c_int,
        c_int,
        Handle,
        *mut Handle,
    ) -> c_int,
    iprobe: unsafe extern "C" fn(c_int, c_int, Handle, *mut c_int, *mut Status) -> c_int,
    get_count: unsafe extern "C" fn(*const Status, Handle, *mut c_int) -> c_int,
    test: unsafe extern "C" fn(*mut Handle, *mut c_int, *mut Status) -> c_int,
}

/// An MPI library that has been initialised.
///
/// Calls may come from any thread, but not from several at once: `&mut self` sees to that.
pub(crate) struct Library {
    name: String,
    functions: Functions,
    constants: Constants,
    /// A communicator of edb's own.
    world: Handle,
    /// It is never closed: libraries leave threads and handlers behind that use it.
    _dynamic: &'static Dynamic,
}

/// A message that is on its way: its memory stays where it is until the library is done with it.
#[derive(Debug)]
pub(crate) struct Transfer {
    request: Handle,
    buffer: Vec<u8>,
    /// How many bytes the buffer has once the library is done with it.
    length: usize,
}

/// What a library says of a call that failed.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) call: &'static str,
    pub(crate) reason: String,
}

impl std::fmt::Debug for Library {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Library").field(&self.name).finish()
    }
}

impl Library {
    /// Opens a library, and initialises it.
    ///
    /// # Errors
    /// `Err(None)`, with a reason, if it cannot be opened; after that only errors that are final,
    /// since MPI is initialised once.
    pub(crate) fn open(path: &Path) -> Result<Result<Self, MpiError>, String> {
        if !cfg!(all(unix, any(target_arch = "x86_64", target_arch = "aarch64"))) {
            return Err("edb knows how to call MPI on x86-64 and AArch64 only, under Unix".into());
        }
        // SAFETY: an MPI library may be loaded at any time; its initialisers set up its own state
        // only. It is global, as it would be if the program were linked to it, since some of these
        // libraries open plugins that expect its names.
        #[cfg(unix)]
        let opened = unsafe { Dynamic::open(Some(path), RTLD_NOW | RTLD_GLOBAL) };
        // SAFETY: as above; it has returned before.
        #[cfg(not(unix))]
        let opened = unsafe { Dynamic::new(path) };
        let reason = |error: libloading::Error| match std::error::Error::source(&error) {
            Some(source) => source.to_string(),
            None => error.to_string(),
        };
        let dynamic: &'static Dynamic = Box::leak(Box::new(opened.map_err(reason)?));
        let name = path.display().to_string();
        // SAFETY: these are the functions of these names of the MPI standard, with the types that
        // `Functions` describes.
        let functions = unsafe {
            Functions {
                initialized: function(dynamic, "MPI_Initialized")?,
                init_thread: function(dynamic, "MPI_Init_thread")?,
                finalize: function(dynamic, "MPI_Finalize")?,
                version: function(dynamic, "MPI_Get_library_version")?,
                error_string: function(dynamic, "MPI_Error_string")?,
                duplicate: function(dynamic, "MPI_Comm_dup")?,
                set_errhandler: function(dynamic, "MPI_Comm_set_errhandler")?,
                rank: function(dynamic, "MPI_Comm_rank")?,
                size: function(dynamic, "MPI_Comm_size")?,
                isend: function(dynamic, "MPI_Isend")?,
                irecv: function(dynamic, "MPI_Irecv")?,
                iprobe: function(dynamic, "MPI_Iprobe")?,
                get_count: function(dynamic, "MPI_Get_count")?,
                test: function(dynamic, "MPI_Test")?,
            }
        };
        let constants = constants(dynamic)?;
        let mut library = Self { name, functions, constants, world: 0, _dynamic: dynamic };
        let begun = library.begin();
        Ok(begun.map(|()| library))
    }

    /// Initialises the library, and makes a communicator.
    fn begin(&mut self) -> Result<(), MpiError> {
        let Constants { world, errors_return, serialized, .. } = self.constants;
        let mut already: c_int = 0;
        // SAFETY: it may be called at any time; the result has room for an `int`.
        let code = unsafe { (self.functions.initialized)(&mut already) };
        self.done("MPI_Initialized", code).map_err(|failed| self.error(failed))?;
        if already != 0 {
            let reason = "something else in this process has opened MPI before".to_owned();
            return Err(self.error(Failed { call: "MPI_Initialized", reason }));
        }
        let mut provided: c_int = -1;
        // SAFETY: null for the program's arguments is allowed since MPI 2; `provided` is written.
        let code = unsafe {
            (self.functions.init_thread)(
                ptr::null_mut(),
                ptr::null_mut(),
                serialized,
                &mut provided,
            )
        };
        self.done("MPI_Init_thread", code).map_err(|failed| self.error(failed))?;
        if provided < serialized {
            let reason = "it cannot be called from more than one thread".to_owned();
            return Err(self.error(Failed { call: "MPI_Init_thread", reason }));
        }
        let mut own: Handle = 0;
        // SAFETY: both are handles of this library, which is initialised; `own` has room for a handle.
        let code = unsafe { (self.functions.duplicate)(world, &mut own) };
        self.done("MPI_Comm_dup", code).map_err(|failed| self.error(failed))?;
        self.world = own;
        // SAFETY: both are handles of this library. Errors are then returned, and not fatal.
        let code = unsafe { (self.functions.set_errhandler)(own, errors_return) };
        self.done("MPI_Comm_set_errhandler", code).map_err(|failed| self.error(failed))
    }

    fn error(&self, Failed { call, reason }: Failed) -> MpiError {
        MpiError::Library { library: self.name.clone(), call, reason }
    }

    /// The path of the library, and what it calls itself.
    pub(crate) fn describe(&self) -> String {
        let text = text(|buffer, length| {
            // SAFETY: the buffer is as long as the standard says that it must be.
            unsafe { (self.functions.version)(buffer, length) }
        });
        let first = text.lines().next().unwrap_or_default().trim().to_owned();
        format!("{} ({first})", self.name)
    }

    /// The rank of this process, and the number of ranks.
    pub(crate) fn place(&self) -> Result<(usize, usize), MpiError> {
        let (mut rank, mut size): (c_int, c_int) = (-1, -1);
        // SAFETY: the communicator is this library's, and each result has room for an `int`.
        let codes = unsafe {
            [
                (self.functions.rank)(self.world, &mut rank),
                (self.functions.size)(self.world, &mut size),
            ]
        };
        for (call, code) in ["MPI_Comm_rank", "MPI_Comm_size"].into_iter().zip(codes) {
            self.done(call, code).map_err(|failed| self.error(failed))?;
        }
        Ok((rank as usize, size as usize))
    }

    /// Begins to send bytes, at most [`CHUNK`].
    pub(crate) fn send(&mut self, to: usize, tag: u8, buffer: Vec<u8>) -> Result<Transfer, Failed> {
        assert!(buffer.len() <= CHUNK, "a longer message is sent in chunks");
        let length = buffer.len();
        let mut transfer = Transfer { request: 0, buffer, length };
        let (length, to) = (transfer.buffer.len() as c_int, to as c_int);
        // SAFETY: the bytes stay where they are, and unchanged, until `test` says that the library is
        // done with them: a `Transfer` gives its memory out only then, and is leaked if it is dropped
        // before. The handles are this library's.
        let code = unsafe {
            (self.functions.isend)(
                transfer.buffer.as_ptr().cast(),
                length,
                self.constants.byte,
                to,
                c_int::from(tag),
                self.world,
                &mut transfer.request,
            )
        };
        self.done("MPI_Isend", code).map(|()| transfer)
    }

    /// The length of the next bytes from a rank, if these have come.
    pub(crate) fn probe(&mut self, from: usize, tag: u8) -> Result<Option<usize>, Failed> {
        let (mut arrived, mut status): (c_int, Status) = (0, Status([0; 128]));
        // SAFETY: the handles are this library's; the results have room for an `int` and a status.
        let code = unsafe {
            (self.functions.iprobe)(
                from as c_int,
                c_int::from(tag),
                self.world,
                &mut arrived,
                &mut status,
            )
        };
        self.done("MPI_Iprobe", code)?;
        if arrived == 0 {
            return Ok(None);
        }
        let mut count: c_int = -1;
        // SAFETY: the status is that of the probe.
        let code = unsafe { (self.functions.get_count)(&status, self.constants.byte, &mut count) };
        self.done("MPI_Get_count", code)?;
        let reason = format!("a message of {count} bytes");
        let count = usize::try_from(count).map_err(|_| Failed { call: "MPI_Get_count", reason })?;
        Ok(Some(count))
    }

    /// Begins to receive the bytes from a rank that have been [probed](Self::probe).
    pub(crate) fn receive(
        &mut self,
        from: usize,
        tag: u8,
        length: usize,
    ) -> Result<Transfer, Failed> {
        assert!(length <= CHUNK, "a longer message is sent in chunks");
        let mut transfer = Transfer { request: 0, buffer: Vec::with_capacity(length), length };
        let (length, from) = (length as c_int, from as c_int);
        // SAFETY: as in `send`; there is room for so many bytes, and nobody reads them before the
        // library is done with them.
        let code = unsafe {
            (self.functions.irecv)(
                transfer.buffer.as_mut_ptr().cast(),
                length,
                self.constants.byte,
                from,
                c_int::from(tag),
                self.world,
                &mut transfer.request,
            )
        };
        self.done("MPI_Irecv", code).map(|()| transfer)
    }

    /// The bytes of a transfer that is done; or the transfer, if it is not.
    pub(crate) fn test(
        &mut self,
        mut transfer: Transfer,
    ) -> Result<Result<Vec<u8>, Transfer>, Failed> {
        let (mut done, mut status): (c_int, Status) = (0, Status([0; 128]));
        // SAFETY: the request is one of this library that has not been done; the results have room.
        let code = unsafe { (self.functions.test)(&mut transfer.request, &mut done, &mut status) };
        self.done("MPI_Test", code)?;
        if done == 0 {
            return Ok(Err(transfer));
        }
        let mut buffer = std::mem::take(&mut transfer.buffer);
        // SAFETY: the bytes were there before, or the library has written as many: those of a message
        // whose length the probe has told, and which no other call can have received.
        unsafe { buffer.set_len(transfer.length) };
        Ok(Ok(buffer))
    }

    /// Closes MPI. All ranks do, and wait for each other.
    pub(crate) fn finalize(&mut self) -> Result<(), Failed> {
        // SAFETY: it is initialised, and nothing is called after it: `World` drops the library.
        let code = unsafe { (self.functions.finalize)() };
        self.done("MPI_Finalize", code)
    }

    /// An error, unless a call has succeeded.
    fn done(&self, call: &'static str, code: c_int) -> Result<(), Failed> {
        if code == 0 {
            return Ok(());
        }
        let reason = text(|buffer, length| {
            // SAFETY: the buffer is longer than the standard says that it must be.
            unsafe { (self.functions.error_string)(code, buffer, length) }
        });
        Err(Failed { call, reason: format!("{reason} (code {code})") })
    }
}

/// A transfer that is not done keeps its memory for ever, since the library may still use it.
impl Drop for Transfer {
    fn drop(&mut self) {
        std::mem::forget(std::mem::take(&mut self.buffer));
    }
}

/// A function of the library.
///
/// # Safety
/// `F` must be the type of the function of this name.
unsafe fn function<F: Copy>(dynamic: &'static Dynamic, name: &str) -> Result<F, String> {
    // SAFETY: the caller says so.
    let symbol: Result<Symbol<F>, _> = unsafe { dynamic.get(name.as_bytes()) };
    symbol.map(|symbol| *symbol).map_err(|error| format!("it has no {name} ({error})"))
}

/// The handles of a library, by its ABI.
fn constants(dynamic: &'static Dynamic) -> Result<Constants, String> {
    let address = |name: &str| {
        // SAFETY: only the address is taken. It is that of a variable of the library, which is the
        // handle (`OMPI_PREDEFINED_GLOBAL` in Open MPI's `mpi.h`).
        let symbol: Result<Symbol<*const c_void>, _> = unsafe { dynamic.get(name.as_bytes()) };
        symbol.ok().map(|symbol| symbol.as_raw_ptr() as usize)
    };
    if let Some(world) = address("ompi_mpi_comm_world") {
        let need = |name: &str| address(name).ok_or_else(|| format!("it has no {name}"));
        let (byte, errors_return) = (need("ompi_mpi_byte")?, need("ompi_mpi_errors_return")?);
        return Ok(Constants { world, byte, errors_return, serialized: 2 });
    }
    type Version = unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int;
    // SAFETY: this is the type of the function (MPI 5, 20.2).
    let version: Result<Version, String> = unsafe { function(dynamic, "MPI_Abi_get_version") };
    let (mut major, mut minor): (c_int, c_int) = (-1, -1);
    if let Ok(version) = version {
        // SAFETY: it may be called before MPI is initialised, and writes two `int`s: -1 if the library
        // has another ABI.
        unsafe { version(&mut major, &mut minor) };
    }
    Ok(match major {
        // Appendix A of MPI 5.
        1.. => Constants { world: 0x101, byte: 0x247, errors_return: 0x143, serialized: 2048 },
        // MPICH's `mpi.h`; its relatives keep to it (the ABI compatibility initiative of 2013).
        _ => Constants {
            world: 0x4400_0000,
            byte: 0x4c00_010d,
            errors_return: 0x5400_0001,
            serialized: 2,
        },
    })
}

/// The text that a function writes.
fn text(write: impl FnOnce(*mut c_char, *mut c_int) -> c_int) -> String {
    let mut buffer = vec![0_u8; MOST_TEXT + 1];
    let mut length: c_int = 0;
    write(buffer.as_mut_ptr().cast(), &mut length);
    // The last byte is zero whatever was written.
    buffer[MOST_TEXT] = 0;
    let text = CStr::from_bytes_until_nul(&buffer).unwrap_or_default();
    text.to_string_lossy().into_owned()
}
