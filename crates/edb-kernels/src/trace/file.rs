//! A trace in a file, in the format of Chrome's trace viewer.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt::Debug;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use edb_file::Explained;
use serde_json::{Map, Value, json};
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::Interest;
use tracing::{Event, Metadata, Subscriber};

use super::TARGET;

/// The most slices of a file. They take about 300 MB, and no viewer shows more.
const MAX_SLICES: u64 = 2_000_000;

/// Why a trace could not be written.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// The file cannot be written.
    #[error("the trace {} cannot be written: {}", path.display(), Explained::write(path, error))]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The process has a global subscriber of `tracing` already.
    #[error(
        "this process has a global subscriber of `tracing` already: give that one the layer of the \
         crate `tracing-chrome`, or begin the trace first"
    )]
    Subscribed,
}

debug_is_display!(TraceError);

/// Writes a trace of this process: what edb does, on which thread and for how long. <https://ui.perfetto.dev>
/// and `about:tracing` show it.
///
/// ```
/// # extern crate edb_kernels as edb;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("step.json");
/// let trace = edb::trace::TraceFile::begin(&path)?;
/// // .. train, or infer ..
/// trace.finish()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// It is the global subscriber of `tracing`, so a process has at most one. A step of a large model takes
/// thousands of slices, so trace only a few steps. After two million slices, no more are written.
#[derive(Debug)]
#[must_use = "the trace ends when this is dropped"]
pub struct TraceFile {
    recorder: Arc<Recorder>,
}

impl TraceFile {
    /// Begins a trace in this file.
    ///
    /// # Errors
    /// When the file cannot be created, or the process has a global subscriber.
    pub fn begin(path: impl AsRef<Path>) -> Result<Self, TraceError> {
        let path = path.as_ref().to_owned();
        let file =
            File::create(&path).map_err(|error| TraceError::Io { path: path.clone(), error });
        let recorder = Arc::new(Recorder::new(path, Box::new(BufWriter::new(file?))));
        tracing::subscriber::set_global_default(Arc::clone(&recorder))
            .map_err(|_| TraceError::Subscribed)?;
        Ok(Self { recorder })
    }

    /// Ends the trace.
    ///
    /// # Errors
    /// When something could not be written.
    pub fn finish(self) -> Result<(), TraceError> {
        self.recorder.finish()
    }
}

impl Drop for TraceFile {
    fn drop(&mut self) {
        // Callers who want to see errors call `finish`. Finishing a second time does nothing.
        let _ = self.recorder.finish();
    }
}

/// A subscriber that writes slices.
struct Recorder {
    path: PathBuf,
    start: Instant,
    over: AtomicBool,
    spans: AtomicU64,
    open: Mutex<HashMap<u64, Slice>>,
    output: Mutex<Output>,
}

impl Debug for Recorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recorder").field("path", &self.path).finish_non_exhaustive()
    }
}

struct Output {
    file: Box<dyn Write + Send>,
    /// The first error; nothing is written after it.
    error: Option<io::Error>,
    slices: u64,
}

/// The name and the fields of a span.
#[derive(Debug)]
struct Slice {
    name: String,
    arguments: Map<String, Value>,
}

thread_local! {
    /// The number of this thread in the trace; 0 before it has one.
    static THREAD: Cell<u64> = const { Cell::new(0) };
    /// When each span that this thread has entered began.
    static ENTERED: RefCell<Vec<Instant>> = const { RefCell::new(Vec::new()) };
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Recorder {
    fn new(path: PathBuf, mut file: Box<dyn Write + Send>) -> Self {
        let error = file.write_all(b"[").err();
        Self {
            path,
            start: Instant::now(),
            over: AtomicBool::new(false),
            spans: AtomicU64::new(0),
            open: Mutex::default(),
            output: Mutex::new(Output { file, error, slices: 0 }),
        }
    }

    fn finish(&self) -> Result<(), TraceError> {
        if self.over.swap(true, Ordering::SeqCst) {
            return Ok(());
        }
        tracing::callsite::rebuild_interest_cache();
        let mut output = locked(&self.output);
        let ended = output.file.write_all(b"\n]\n").and_then(|()| output.file.flush());
        match output.error.take().or(ended.err()) {
            Some(error) => Err(TraceError::Io { path: self.path.clone(), error }),
            None => Ok(()),
        }
    }

    fn microseconds(&self, instant: Instant) -> f64 {
        instant.saturating_duration_since(self.start).as_nanos() as f64 / 1e3
    }

    /// The number of the calling thread; the name of a new thread is written to the trace.
    fn thread(&self) -> u64 {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        THREAD.with(|thread| {
            if thread.get() == 0 {
                thread.set(NEXT.fetch_add(1, Ordering::Relaxed));
                let number = thread.get();
                let current = std::thread::current();
                let name = current.name().map_or_else(|| format!("thread {number}"), str::to_owned);
                self.write(&json!({
                    "name": "thread_name", "ph": "M", "pid": 1, "tid": number,
                    "args": { "name": name },
                }));
            }
            thread.get()
        })
    }

    fn write(&self, event: &Value) {
        let mut output = locked(&self.output);
        if output.error.is_some()
            || output.slices == MAX_SLICES
            || self.over.load(Ordering::Relaxed)
        {
            return;
        }
        let separator = if output.slices == 0 { "\n" } else { ",\n" };
        output.slices += 1;
        let written = output.file.write_all(separator.as_bytes());
        let written = written
            .and_then(|()| serde_json::to_writer(&mut output.file, event).map_err(io::Error::from));
        output.error = written.err();
    }
}

impl Subscriber for Recorder {
    fn register_callsite(&self, _: &'static Metadata<'static>) -> Interest {
        // Not `always`, since interest ends when the recorder ends.
        Interest::sometimes()
    }

    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == TARGET && !self.over.load(Ordering::Relaxed)
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        let over = self.over.load(Ordering::Relaxed);
        Some(if over { LevelFilter::OFF } else { LevelFilter::TRACE })
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut slice = Slice::new(span.metadata());
        span.record(&mut slice);
        let id = self.spans.fetch_add(1, Ordering::Relaxed) + 1;
        locked(&self.open).insert(id, slice);
        Id::from_u64(id)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        if let Some(slice) = locked(&self.open).get_mut(&span.into_u64()) {
            values.record(slice);
        }
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let now = Instant::now();
        let mut slice = Slice::new(event.metadata());
        event.record(&mut slice);
        self.write(&json!({
            "name": slice.name, "cat": TARGET, "ph": "i", "s": "t", "pid": 1, "tid": self.thread(),
            "ts": self.microseconds(now), "args": slice.arguments,
        }));
    }

    fn enter(&self, _: &Id) {
        ENTERED.with_borrow_mut(|entered| entered.push(Instant::now()));
    }

    fn exit(&self, span: &Id) {
        let end = Instant::now();
        let Some(start) = ENTERED.with_borrow_mut(Vec::pop) else { return };
        let thread = self.thread();
        let open = locked(&self.open);
        let Some(slice) = open.get(&span.into_u64()) else { return };
        let [start, end] = [start, end].map(|instant| self.microseconds(instant));
        let event = json!({
            "name": slice.name, "cat": TARGET, "ph": "X", "pid": 1, "tid": thread,
            "ts": start, "dur": end - start, "args": slice.arguments,
        });
        drop(open);
        self.write(&event);
    }

    // Each span of edb has one owner, so no span is closed twice.
    fn try_close(&self, span: Id) -> bool {
        locked(&self.open).remove(&span.into_u64()).is_some()
    }
}

impl Slice {
    fn new(metadata: &Metadata<'_>) -> Self {
        Self { name: metadata.name().to_owned(), arguments: Map::new() }
    }

    fn add(&mut self, field: &Field, value: impl Into<Value>) {
        self.arguments.insert(field.name().to_owned(), value.into());
    }
}

impl Visit for Slice {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.add(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.add(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.add(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.add(field, value);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field, value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        match field.name() {
            // These two fields are more specific than the span's name.
            "what" | "message" => self.name = format!("{value:?}"),
            _ => self.add(field, format!("{value:?}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file in memory.
    #[derive(Clone, Default)]
    struct Memory(Arc<Mutex<Vec<u8>>>);

    impl Write for Memory {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            locked(&self.0).extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    struct Full;

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::new(io::ErrorKind::StorageFull, "the disk is full"))
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn spans_become_slices() {
        let memory = Memory::default();
        let recorder = Arc::new(Recorder::new("memory".into(), Box::new(memory.clone())));
        tracing::subscriber::with_default(Arc::clone(&recorder), || {
            let step = tracing::debug_span!(target: TARGET, "step", number = 3_u64, batches = tracing::field::Empty);
            let step = step.entered();
            {
                let name = "phrase \"Eager\"";
                let _phase =
                    tracing::trace_span!(target: TARGET, "phase", what = %name, rows = 8_u64)
                        .entered();
                tracing::info!(target: TARGET, loss = 0.5, "it learns");
            }
            tracing::info_span!(target: "another", "unheard").in_scope(|| ());
            step.record("batches", 7_u64);
            drop(step);
            recorder.finish().unwrap();
            tracing::info!(target: TARGET, "too late");
        });
        let text = String::from_utf8(locked(&memory.0).clone()).unwrap();
        let events: Vec<Value> = serde_json::from_str(&text).unwrap();
        let names: Vec<&str> = events.iter().map(|event| event["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["thread_name", "it learns", "phrase \"Eager\"", "step"]);
        assert_eq!(events[1]["args"]["loss"], 0.5);
        assert_eq!(events[2]["args"]["rows"], 8);
        assert_eq!(events[3]["args"], json!({ "number": 3, "batches": 7 }));
        let time = |event: &Value, key: &str| event[key].as_f64().unwrap();
        let [phase, step] = [&events[2], &events[3]];
        assert!(time(step, "ts") <= time(phase, "ts"));
        assert!(
            time(phase, "ts") + time(phase, "dur") <= time(step, "ts") + time(step, "dur") + 1e-3
        );
    }

    #[test]
    fn finishing_a_trace_reports_a_full_disk() {
        let recorder = Arc::new(Recorder::new("full".into(), Box::new(Full)));
        tracing::subscriber::with_default(Arc::clone(&recorder), || {
            tracing::info!(target: TARGET, "lost");
        });
        let error = recorder.finish().unwrap_err();
        assert_eq!(
            error.to_string(),
            "the trace full cannot be written: the disk is full; make room, or choose another place"
        );
    }
}
