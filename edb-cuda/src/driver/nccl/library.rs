//! The functions of NCCL, opened at run time.
//!
//! Not by cudarc, which does not look for the name that NCCL is installed under (`libnccl.so.2`), and
//! reads results as an enum that later versions extend.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::PathBuf;
use std::sync::OnceLock;

use libloading::Library as Dynamic;

/// The environment variable with the path of the library, in place of the search for one; `off` for
/// none.
pub(super) const VARIABLE: &str = "EDB_NCCL_LIBRARY";

/// Without a version, it is there where programs are compiled for it only.
const NAMES: [&str; 2] = ["libnccl.so.2", "libnccl.so"];

/// The first version whose calls need not block (2.14).
const OLDEST: c_int = 21_400;

/// `ncclSuccess`, and `ncclInProgress`.
const SUCCESS: c_int = 0;
const IN_PROGRESS: c_int = 7;

/// `ncclUint8`.
const BYTE: c_int = 1;

/// `ncclComm_t`.
pub(super) type Communicator = *mut c_void;

/// `ncclUniqueId`: how ranks find one another.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct UniqueId(pub(super) [u8; 128]);

/// `ncclConfig_t` of version 2.14. Later ones have more, which NCCL takes the defaults for where a
/// configuration is of an earlier version.
#[repr(C)]
struct Config {
    size: usize,
    magic: u32,
    version: u32,
    blocking: c_int,
}

/// A stream of CUDA.
pub(super) type Stream = *mut c_void;

/// The functions, as `nccl.h` declares them.
struct Functions {
    version: unsafe extern "C" fn(*mut c_int) -> c_int,
    unique_id: unsafe extern "C" fn(*mut UniqueId) -> c_int,
    init: unsafe extern "C" fn(*mut Communicator, c_int, UniqueId, c_int, *mut Config) -> c_int,
    async_error: unsafe extern "C" fn(Communicator, *mut c_int) -> c_int,
    last_error: unsafe extern "C" fn(Communicator) -> *const c_char,
    error_string: unsafe extern "C" fn(c_int) -> *const c_char,
    group_start: unsafe extern "C" fn() -> c_int,
    group_end: unsafe extern "C" fn() -> c_int,
    send: unsafe extern "C" fn(*const c_void, usize, c_int, c_int, Communicator, Stream) -> c_int,
    receive: unsafe extern "C" fn(*mut c_void, usize, c_int, c_int, Communicator, Stream) -> c_int,
    finalize: unsafe extern "C" fn(Communicator) -> c_int,
    destroy: unsafe extern "C" fn(Communicator) -> c_int,
    abort: unsafe extern "C" fn(Communicator) -> c_int,
}

/// NCCL.
pub(in crate::driver) struct Library {
    functions: Functions,
    name: String,
    /// It is never closed: it leaves threads behind.
    _dynamic: &'static Dynamic,
}

/// What NCCL says of a call that failed.
#[derive(Clone, Debug)]
pub(super) struct Failed {
    pub(super) call: &'static str,
    pub(super) reason: String,
}

impl std::fmt::Debug for Library {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Library").field(&self.name).finish()
    }
}

impl Library {
    /// The library of this process, or why there is none.
    pub(in crate::driver) fn installed() -> Result<&'static Self, String> {
        static INSTALLED: OnceLock<Result<Library, String>> = OnceLock::new();
        let installed = INSTALLED.get_or_init(|| {
            let named = std::env::var_os(VARIABLE);
            if named.as_ref().is_some_and(|path| path == "off") {
                return Err(format!("{VARIABLE} is off"));
            }
            let paths: Vec<PathBuf> = match named {
                Some(path) => vec![path.into()],
                None => NAMES.iter().map(PathBuf::from).collect(),
            };
            let mut tried = Vec::new();
            for path in paths {
                match Self::open(path) {
                    Ok(library) => return Ok(library),
                    Err(reason) => tried.push(reason),
                }
            }
            Err(format!("NCCL was not found ({})", tried.join("; ")))
        });
        installed.as_ref().map_err(String::clone)
    }

    /// Opens a library.
    pub(super) fn open(path: PathBuf) -> Result<Self, String> {
        // SAFETY: NCCL may be loaded at any time; its initialisers set up its own state only.
        let opened = unsafe { Dynamic::new(&path) };
        let dynamic = Box::leak(Box::new(opened.map_err(text)?));
        // SAFETY: these are the functions of these names in `nccl.h`, with the types that it gives
        // them.
        let functions = unsafe {
            Functions {
                version: function(dynamic, "ncclGetVersion")?,
                unique_id: function(dynamic, "ncclGetUniqueId")?,
                init: function(dynamic, "ncclCommInitRankConfig")?,
                async_error: function(dynamic, "ncclCommGetAsyncError")?,
                last_error: function(dynamic, "ncclGetLastError")?,
                error_string: function(dynamic, "ncclGetErrorString")?,
                group_start: function(dynamic, "ncclGroupStart")?,
                group_end: function(dynamic, "ncclGroupEnd")?,
                send: function(dynamic, "ncclSend")?,
                receive: function(dynamic, "ncclRecv")?,
                finalize: function(dynamic, "ncclCommFinalize")?,
                destroy: function(dynamic, "ncclCommDestroy")?,
                abort: function(dynamic, "ncclCommAbort")?,
            }
        };
        let mut version: c_int = 0;
        // SAFETY: there is room for an `int`.
        let code = unsafe { (functions.version)(&mut version) };
        if code != SUCCESS || version < OLDEST {
            let path = path.display();
            return Err(format!("{path} is of version {version}; edb needs 2.14 or later"));
        }
        let (major, minor) = (version / 10_000, version / 100 % 100);
        let name = format!("NCCL {major}.{minor}.{}", version % 100);
        Ok(Self { functions, name, _dynamic: dynamic })
    }

    /// Its name and version.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// A new id, for the ranks of one communicator.
    pub(super) fn unique_id(&self) -> Result<UniqueId, Failed> {
        let mut id = UniqueId([0; 128]);
        // SAFETY: there is room for an id.
        let code = unsafe { (self.functions.unique_id)(&mut id) };
        self.done("ncclGetUniqueId", code, std::ptr::null_mut()).map(|()| id)
    }

    /// Begins to connect a rank to the others; [`in_progress`](Self::in_progress) tells when it is.
    pub(super) fn begin(
        &self,
        id: UniqueId,
        rank: usize,
        ranks: usize,
    ) -> Result<Communicator, Failed> {
        let mut communicator = std::ptr::null_mut();
        let size = size_of::<Config>();
        let mut config = Config { size, magic: 0xcafe_beef, version: OLDEST as u32, blocking: 0 };
        // SAFETY: there is room for a communicator; the configuration says how long it is.
        let code = unsafe {
            let (rank, ranks) = (rank as c_int, ranks as c_int);
            (self.functions.init)(&mut communicator, ranks, id, rank, &mut config)
        };
        let begun = self.done("ncclCommInitRankConfig", code, communicator);
        begun.map(|()| communicator).inspect_err(|_| self.abort(communicator))
    }

    /// Whether what was begun on a communicator is still being set up.
    pub(super) fn in_progress(&self, communicator: Communicator) -> Result<bool, Failed> {
        let mut state: c_int = SUCCESS;
        // SAFETY: the communicator was made by this library and not given back; there is room for
        // an `int`.
        let code = unsafe { (self.functions.async_error)(communicator, &mut state) };
        self.done("ncclCommGetAsyncError", code, communicator)?;
        self.done("NCCL", state, communicator)?;
        Ok(state == IN_PROGRESS)
    }

    /// Calls `list`, which says what is sent and received all at once.
    pub(super) fn group(
        &self,
        communicator: Communicator,
        list: impl FnOnce() -> Result<(), Failed>,
    ) -> Result<(), Failed> {
        // SAFETY: a group may begin at any time. It is of this thread, and ends below.
        let code = unsafe { (self.functions.group_start)() };
        self.done("ncclGroupStart", code, communicator)?;
        let listed = list();
        // SAFETY: the group was begun above.
        let code = unsafe { (self.functions.group_end)() };
        listed.and_then(|()| self.done("ncclGroupEnd", code, communicator))
    }

    /// Sends bytes of the device's memory.
    ///
    /// # Safety
    /// The communicator was made by this library and not given back; the stream is one of its
    /// device. The memory is that device's, and nothing changes or frees it before the stream has
    /// sent it.
    pub(super) unsafe fn send(
        &self,
        (communicator, stream): (Communicator, Stream),
        from: u64,
        bytes: usize,
        to: usize,
    ) -> Result<(), Failed> {
        // SAFETY: the caller guarantees it.
        let code = unsafe {
            let from = from as *const c_void;
            (self.functions.send)(from, bytes, BYTE, to as c_int, communicator, stream)
        };
        self.done("ncclSend", code, communicator)
    }

    /// Receives bytes to the device's memory.
    ///
    /// # Safety
    /// As for [`send`](Self::send); nothing uses the memory before the stream has received it.
    pub(super) unsafe fn receive(
        &self,
        (communicator, stream): (Communicator, Stream),
        to: u64,
        bytes: usize,
        from: usize,
    ) -> Result<(), Failed> {
        // SAFETY: the caller guarantees it.
        let code = unsafe {
            let to = to as *mut c_void;
            (self.functions.receive)(to, bytes, BYTE, from as c_int, communicator, stream)
        };
        self.done("ncclRecv", code, communicator)
    }

    /// Begins to end a communicator, once everything that it has sent has arrived.
    pub(super) fn finalize(&self, communicator: Communicator) -> Result<(), Failed> {
        // SAFETY: the communicator was made by this library and not given back.
        let code = unsafe { (self.functions.finalize)(communicator) };
        self.done("ncclCommFinalize", code, communicator)
    }

    /// Gives a communicator back that is [finalized](Self::finalize). It is not used any more.
    pub(super) fn destroy(&self, communicator: Communicator) {
        // SAFETY: as above; nobody uses it any more.
        let _ = unsafe { (self.functions.destroy)(communicator) };
    }

    /// Gives a communicator back, and ends what it is doing. It is not used any more.
    pub(super) fn abort(&self, communicator: Communicator) {
        if !communicator.is_null() {
            // SAFETY: as above.
            let _ = unsafe { (self.functions.abort)(communicator) };
        }
    }

    /// An error, unless a call succeeded or goes on.
    fn done(
        &self,
        call: &'static str,
        code: c_int,
        communicator: Communicator,
    ) -> Result<(), Failed> {
        if code == SUCCESS || code == IN_PROGRESS {
            return Ok(());
        }
        // SAFETY: both return texts that stay; the communicator is null or one of this library.
        let texts = unsafe {
            [(self.functions.error_string)(code), (self.functions.last_error)(communicator)]
        };
        let texts = texts.into_iter().filter(|text| !text.is_null()).map(|text| {
            // SAFETY: NCCL ends its texts with a zero.
            unsafe { CStr::from_ptr(text) }.to_string_lossy().trim().to_owned()
        });
        let texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
        let reason = if texts.is_empty() { format!("error {code}") } else { texts.join(": ") };
        Err(Failed { call, reason })
    }
}

/// A function of a library.
///
/// # Safety
/// It has this type.
unsafe fn function<F: Copy>(dynamic: &'static Dynamic, name: &str) -> Result<F, String> {
    // SAFETY: the caller guarantees it; the library is never closed.
    let found = unsafe { dynamic.get::<F>(name) };
    found.map(|found| *found).map_err(text)
}

/// What the dynamic linker says.
fn text(error: libloading::Error) -> String {
    match std::error::Error::source(&error) {
        Some(source) => source.to_string(),
        None => error.to_string(),
    }
}
