//! `edb serve`: a web server that answers graphs.
//!
//! | request | answer |
//! | --- | --- |
//! | `POST /run` | a graph, or one on each line, as `edb run` reads them: its answers, a line each |
//! | `GET /health` | 200 as long as the process runs |
//! | `GET /ready` | 200 from when the engines are ready until the server is asked to end |
//! | `GET /metrics` | counts and times, as Prometheus reads them |

use std::fmt::{Display, Write as _};
use std::io::{self, Write as _};
use std::net::TcpListener;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::header::{CONNECTION, CONTENT_TYPE, RETRY_AFTER};
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
use tokio::task::block_in_place;
use tokio::time::{sleep, timeout};

use crate::lines::graph;
use crate::place::Place;
use crate::work::{Result, Work};

/// How long a request may take to arrive.
const MOST_READING: Duration = Duration::from_secs(60);

/// For how long others are accepted when the process was asked to end: whoever watches `/ready` sends no more then.
const LINGER: Duration = Duration::from_secs(1);

/// From so many bytes on, a body is read aside, so that short requests need not wait.
const LONG_BODY: usize = 1 << 16;

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
    /// Seconds that requests have to be answered in when the process is asked to end; asked again, it ends at once
    #[arg(long, default_value_t = 30)]
    grace: u64,
    #[command(flatten)]
    place: Place,
}

/// What all requests share.
struct Server<T: Element> {
    batcher: Batcher<T>,
    max_body: usize,
    max_queued: usize,
    is_ready: AtomicBool,
    /// Lines that are no graphs of the model.
    wrong: AtomicU64,
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
        let server = Server {
            batcher: builder.start()?,
            max_body: self.max_body.get(),
            max_queued: queued,
            is_ready: AtomicBool::new(true),
            wrong: AtomicU64::new(0),
        };
        let listener = TcpListener::bind(&self.listen)
            .map_err(|error| format!("cannot listen at {}: {error}", self.listen))?;
        writeln!(io::stdout(), "listening at {}", listener.local_addr()?)?;
        let grace = Duration::from_secs(self.grace);
        let runtime = Runtime::new()?;
        let served = runtime.block_on(serve(Arc::new(server), listener, grace));
        // Who is still sending is not waited for.
        runtime.shutdown_background();
        served
    }
}

/// Answers those who connect, and returns when the process is asked to end and all who have asked have their answers,
/// or `grace` is over.
async fn serve<T: Element>(
    server: Arc<Server<T>>,
    listener: TcpListener,
    grace: Duration,
) -> Result<()> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let app = Router::new()
        .route("/run", post(run::<T>))
        .route("/health", get(|| async { "ok\n" }))
        .route("/ready", get(ready::<T>))
        .route("/metrics", get(metrics::<T>))
        .with_state(Arc::clone(&server));
    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    let stop = async { _ = ended.await };
    // From then on, nobody is accepted; it returns when all that were accepted have their answers.
    let served = axum::serve(listener, app).with_graceful_shutdown(stop).into_future();
    let ending = Arc::clone(&server);
    let deadline = async move {
        asked_to_end().await;
        ending.is_ready.store(false, Ordering::Relaxed);
        tokio::select! {
            () = sleep(LINGER) => (),
            () = asked_to_end() => return "it was asked to end twice",
        }
        _ = end.send(());
        tokio::select! {
            () = sleep(grace) => "its time to end was over",
            () = asked_to_end() => "it was asked to end twice",
        }
    };
    tokio::select! {
        served = served => served?,
        reason = deadline => return Err(format!("requests were left without answers: {reason}").into()),
    }
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

/// Answers a request; when the process was asked to end, the connection is closed then.
async fn run<T: Element>(State(server): State<Arc<Server<T>>>, body: Body) -> Response {
    let mut response = answered(&server, body).await;
    if !server.is_ready.load(Ordering::Relaxed) {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Answers all graphs of a request, or refuses all.
async fn answered<T: Element>(server: &Server<T>, body: Body) -> Response {
    let text = match text(body, server.max_body).await {
        Ok(text) => text,
        Err((status, error)) => return refused(status, &error),
    };
    let submitted = match text.len() < LONG_BODY {
        true => all_submitted(server, &text),
        false => block_in_place(|| all_submitted(server, &text)),
    };
    let answers = match submitted {
        Ok(answers) => answers,
        Err((status, error)) => return refused(status, &error),
    };
    let mut body = Vec::new();
    for (number, pending) in answers {
        match pending.await {
            Ok(answer) => body.extend(answer),
            Err(error) => return refused(status(&error), &of_line(number, &error)),
        }
    }
    ([(CONTENT_TYPE, "application/jsonl")], body).into_response()
}

/// Why a request is refused.
type Refusal = (StatusCode, String);

/// The answers for which a request waits, each with the number of its line.
type Submitted = Vec<(usize, Pending<Vec<u8>>)>;

/// The text of a request.
async fn text(body: Body, most: usize) -> std::result::Result<String, Refusal> {
    let too_long =
        |_| (StatusCode::PAYLOAD_TOO_LARGE, format!("a request has at most {most} bytes"));
    let read = timeout(MOST_READING, to_bytes(body, most)).await;
    let late = |_| {
        (StatusCode::REQUEST_TIMEOUT, format!("it took longer than {MOST_READING:?} to arrive"))
    };
    let bytes = read.map_err(late)?.map_err(too_long)?;
    String::from_utf8(bytes.into())
        .map_err(|_| (StatusCode::BAD_REQUEST, "it is no UTF-8".to_owned()))
}

/// Submits all graphs of a request.
fn all_submitted<T: Element>(
    server: &Server<T>,
    text: &str,
) -> std::result::Result<Submitted, Refusal> {
    let lines = || text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let (count, most) = (lines().count(), server.max_queued);
    if count == 0 {
        let error = "line 1: there is no graph: send one, as a line of JSON";
        return Err((StatusCode::BAD_REQUEST, error.to_owned()));
    }
    if count > most {
        let error = format!(
            "it has {count} graphs, and a request has at most {most}: send them in several"
        );
        return Err((StatusCode::PAYLOAD_TOO_LARGE, error));
    }
    let model = server.batcher.model();
    // All are read before the first runs, so that nothing runs for a request that is refused as wrong.
    let read = |(number, line)| {
        let graph = graph(&model, line).map_err(|error| {
            server.wrong.fetch_add(1, Ordering::Relaxed);
            (StatusCode::BAD_REQUEST, of_line(number, &error))
        });
        Ok((number, graph?))
    };
    let graphs = lines().map(read).collect::<std::result::Result<Vec<_>, _>>()?;
    let submit = |(number, graph)| match submitted(server, &graph) {
        Ok(pending) => Ok((number, pending)),
        Err(error) => Err((status(&error), of_line(number, &error))),
    };
    graphs.into_iter().map(submit).collect()
}

fn of_line(number: usize, error: &impl Display) -> String {
    format!("line {}: {error}", number + 1)
}

/// Submits a graph. Its answer is a line of JSON, written by the thread of an engine.
fn submitted<T: Element>(
    server: &Server<T>,
    graph: &Graph<T>,
) -> std::result::Result<Pending<Vec<u8>>, ServeError> {
    let read = |results: GraphResults<'_, T>| {
        let answer: Answer<T> = results.answer()?;
        let mut line = serde_json::to_vec(&answer).expect("an answer has only names as keys");
        line.push(b'\n');
        Ok(line)
    };
    server.batcher.ask_later(graph, read)
}

fn status(error: &ServeError) -> StatusCode {
    match error {
        ServeError::EmptyGraph | ServeError::Graph(_) => StatusCode::BAD_REQUEST,
        ServeError::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
        ServeError::Full { .. } | ServeError::Closed => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// Says why a request is refused.
fn refused(status: StatusCode, error: &str) -> Response {
    let body = serde_json::json!({ "error": error });
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
    let wrong = counts.refused_graphs + server.wrong.load(Ordering::Relaxed);
    count("edb_refused_wrong_total", total, "Graphs refused as wrong.", wrong);
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
