//! `edb serve`: a web server that answers graphs.
//!
//! | request | answer |
//! | --- | --- |
//! | `POST /run` | a graph, or one on each line, as `edb run` reads them: its answers, a line each |
//! | `GET /health` | 200 as long as the process runs |
//! | `GET /ready` | 200 from when the engines are ready until the server is asked to end |
//! | `GET /metrics` | counts and times, as Prometheus reads them |

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::net::TcpListener;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use clap::Args;
use edb::engine::GraphResults;
use edb::model::Bundle;
use edb::prelude::*;
use edb::serve::{Batcher, Pending, ServeError, Times};
use edb::{Element, engine::answer::Answer};
use tokio::runtime::Runtime;

use crate::lines::graph;
use crate::place::Place;
use crate::work::{Result, Work};

#[derive(Args)]
pub(crate) struct Serve {
    /// The bundle
    pub(crate) model: PathBuf,
    /// Where to listen
    #[arg(long, default_value = "127.0.0.1:3000")]
    listen: String,
    /// Engines that run at the same time, with one thread each [default: as many as there are cores]
    #[arg(long)]
    workers: Option<NonZeroUsize>,
    /// The most graphs that wait; more are refused with status 503
    #[arg(long, default_value = "1024")]
    max_queued: NonZeroUsize,
    /// The most bytes of a request
    #[arg(long, default_value = "16777216")]
    max_body: NonZeroUsize,
    #[command(flatten)]
    place: Place,
}

/// What all requests share.
struct Server<T: Element> {
    batcher: Batcher<T>,
    is_ready: AtomicBool,
}

impl Work for Serve {
    fn with<T: Element>(&self, bundle: Bundle<T>) -> Result<()> {
        // With one thread, unless the command says otherwise: engines run side by side.
        let engine = self.place.engine_of(&bundle, 1)?;
        let queued = self.max_queued.get();
        let graphs = bundle.examples.iter().map(|of| bundle.model.graph_from_record(&of.graph));
        let graphs = graphs.collect::<std::result::Result<Vec<_>, _>>()?;
        let mut builder =
            Batcher::builder(bundle.model).engines(engine).max_queued(queued, 1 << 24);
        if let Some(workers) = self.workers {
            builder = builder.workers(workers.get());
        }
        if !graphs.is_empty() {
            builder = builder.warm_up(&graphs);
        }
        let server = Server { batcher: builder.start()?, is_ready: AtomicBool::new(true) };
        let listener = TcpListener::bind(&self.listen)
            .map_err(|error| format!("cannot listen at {}: {error}", self.listen))?;
        writeln!(io::stdout(), "listening at {}", listener.local_addr()?)?;
        let served = serve(Arc::new(server), listener, self.max_body.get());
        Runtime::new()?.block_on(served)
    }
}

/// Answers those who connect, and returns when the process is asked to end and all who have asked have their answers.
async fn serve<T: Element>(
    server: Arc<Server<T>>,
    listener: TcpListener,
    max_body: usize,
) -> Result<()> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let app = Router::new()
        .route("/run", post(run::<T>).layer(DefaultBodyLimit::max(max_body)))
        .route("/health", get(|| async { "ok\n" }))
        .route("/ready", get(ready::<T>))
        .route("/metrics", get(metrics::<T>))
        .with_state(Arc::clone(&server));
    let ending = Arc::clone(&server);
    let stop = async move {
        asked_to_end().await;
        ending.is_ready.store(false, Ordering::Relaxed);
    };
    // From then on, nobody is accepted; it returns when all that were accepted have their answers.
    axum::serve(listener, app).with_graceful_shutdown(stop).await?;
    server.batcher.close();
    Ok(())
}

/// Is done when the process is asked to end: by Ctrl-C, or by the `SIGTERM` of systemd or Kubernetes.
#[cfg(unix)]
async fn asked_to_end() {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate()).expect("a runtime of tokio runs");
    tokio::select! {
        _ = tokio::signal::ctrl_c() => (),
        _ = terminate.recv() => (),
    }
}

/// Is done when the process is asked to end, by Ctrl-C.
#[cfg(not(unix))]
async fn asked_to_end() {
    _ = tokio::signal::ctrl_c().await;
}

/// Answers all graphs of a request, or refuses all.
async fn run<T: Element>(State(server): State<Arc<Server<T>>>, text: String) -> Response {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let model = server.batcher.model();
    let mut answers = Vec::new();
    for (number, line) in lines {
        match submitted(&server, &model, line) {
            Ok(pending) => answers.push((number, pending)),
            Err((status, error)) => return refused(status, number, &error),
        }
    }
    if answers.is_empty() {
        return refused(
            StatusCode::BAD_REQUEST,
            0,
            "there is no graph: send one, as a line of JSON",
        );
    }
    let mut body = Vec::new();
    for (number, pending) in answers {
        match pending.await {
            Ok(answer) => body.extend(answer),
            Err(error) => return refused(status(&error), number, &error.to_string()),
        }
    }
    ([(CONTENT_TYPE, "application/jsonl")], body).into_response()
}

/// Submits the graph of a line. Its answer is a line of JSON, written by the thread of an engine.
fn submitted<T: Element>(
    server: &Server<T>,
    model: &Model<T>,
    line: &str,
) -> std::result::Result<Pending<Vec<u8>>, (StatusCode, String)> {
    let graph = graph(model, line).map_err(|error| (StatusCode::BAD_REQUEST, error))?;
    let read = |results: GraphResults<'_, T>| {
        let answer: Answer<T> = results.answer()?;
        let mut line = serde_json::to_vec(&answer).expect("an answer has only names as keys");
        line.push(b'\n');
        Ok(line)
    };
    server.batcher.ask_later(&graph, read).map_err(|error| (status(&error), error.to_string()))
}

fn status(error: &ServeError) -> StatusCode {
    match error {
        ServeError::EmptyGraph | ServeError::Graph(_) => StatusCode::BAD_REQUEST,
        ServeError::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
        ServeError::Full { .. } | ServeError::Closed => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// Says which line of a request is refused, and why.
fn refused(status: StatusCode, line: usize, error: &str) -> Response {
    let body = serde_json::json!({ "error": format!("line {}: {error}", line + 1) });
    let mut response =
        (status, [(CONTENT_TYPE, "application/json")], format!("{body}\n")).into_response();
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}

async fn ready<T: Element>(State(server): State<Arc<Server<T>>>) -> Response {
    match server.is_ready.load(Ordering::Relaxed) {
        true => "ready\n".into_response(),
        false => (StatusCode::SERVICE_UNAVAILABLE, "ending\n").into_response(),
    }
}

/// Counts and times, in Prometheus' text format.
async fn metrics<T: Element>(State(server): State<Arc<Server<T>>>) -> Response {
    let counts = server.batcher.counts();
    let mut text = String::new();
    let mut count = |name: &str, kind: &str, help: &str, value: u64| {
        _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}\n");
    };
    let total = "counter";
    count("edb_graphs_queued", "gauge", "Graphs that wait now.", counts.queued as u64);
    count("edb_graphs_taken_total", total, "Graphs that engines have taken.", counts.taken);
    count("edb_minibatches_total", total, "Minibatches in which they ran.", counts.minibatches);
    count("edb_graphs_answered_total", total, "Graphs that were answered.", counts.took.count());
    count("edb_graphs_failed_total", total, "Graphs whose run failed.", counts.failed);
    count("edb_refused_full_total", total, "Graphs refused by a full queue.", counts.refused_full);
    count("edb_refused_wrong_total", total, "Graphs refused as wrong.", counts.refused_graphs);
    summary(&mut text, "edb_wait_seconds", "Until an engine took a graph.", &counts.waited);
    summary(&mut text, "edb_answer_seconds", "From request to answer.", &counts.took);
    ([(CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

fn summary(text: &mut String, name: &str, help: &str, times: &Times) {
    _ = write!(text, "# HELP {name} {help}\n# TYPE {name} summary\n");
    for quantile in [0.5, 0.9, 0.99] {
        let seconds = times.quantile(quantile).as_secs_f64();
        _ = writeln!(text, "{name}{{quantile=\"{quantile}\"}} {seconds}");
    }
    let sum = times.mean().as_secs_f64() * times.count() as f64;
    _ = write!(text, "{name}_sum {sum}\n{name}_count {}\n", times.count());
}
