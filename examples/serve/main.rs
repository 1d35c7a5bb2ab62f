//! A web server that evaluates nested lists with what the ListOps example has learned:
//!
//! ```sh
//! cargo run --release --example listops -- --save lists.safetensors
//! cargo run --release -p edb-example-serve -- --load lists.safetensors
//! curl --data '[MAX 2 9 [MIN 4 7 ] 0 ]' localhost:3000
//! ```
//!
//! answers `9`. Each request is a graph of its own; those that come while an engine is busy run together.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use clap::Parser;
use edb::engine::GraphResults;
use edb::prelude::*;
use edb::serve::{Batcher, ServeError};
use listops_cell::{Token, Value, answer, apply, digit};
use support::expression::{Expression, Item, Operator, ParseError};
use support::{Result, best};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

#[derive(Parser)]
#[command(about = "Answers requests such as `[MAX 2 9 [MIN 4 7 ] 0 ]`")]
struct Cli {
    /// What `--example listops -- --save` has written (safetensors)
    #[arg(long)]
    load: Option<PathBuf>,
    /// Hidden units of that model
    #[arg(long, default_value_t = 64)]
    hidden: usize,
    /// Where to listen
    #[arg(long, default_value = "127.0.0.1:3000")]
    listen: String,
}

/// What all requests share.
struct Server {
    functions: ListOps,
    batcher: Batcher,
}

#[derive(Clone, Copy, Functions)]
struct ListOps {
    digit: Function<digit>,
    apply: Function<apply>,
    answer: Function<answer>,
}

impl ListOps {
    /// An expression as a graph, and the vertex with its scores.
    fn graph(&self, model: &Model, expression: &Expression) -> (Graph, Vertex<()>) {
        let mut g = model.graph();
        let mut values: Vec<Vertex<Value>> = Vec::with_capacity(expression.items().len());
        for (number, item) in expression.items().iter().enumerate() {
            values.push(match *item {
                Item::Digit(digit) => g.add(&self.digit, (), Token { id: digit.into() }),
                Item::Apply(operator) => {
                    let arguments = expression.arguments(number).iter();
                    let arguments: Vec<_> = arguments.map(|argument| values[*argument]).collect();
                    g.add(&self.apply, &arguments, Token { id: (operator as u32).into() })
                }
            });
        }
        let whole = *values.last().expect("an expression has at least one item");
        let answer = g.add(&self.answer, [whole], ());
        (g, answer)
    }
}

impl Server {
    fn start(hidden: usize, load: Option<&Path>) -> Result<Self> {
        let mut builder = ModelBuilder::new();
        let wide = 2 * hidden;
        let operators = Operator::ALL.len();
        let functions: ListOps =
            builder.add_all(dims! { D: 10, O: operators, A: 10, H: hidden, M: wide, Z: wide });
        let model: Model = match load {
            Some(path) => builder.load(path)?,
            None => builder.build(1)?,
        };
        let example: Expression = "[MAX 2 9 [MIN 4 7 ] [SM 1 [MED 5 6 7 ] ] 0 ]".parse()?;
        let examples = vec![functions.graph(&model, &example).0; 64];
        let batcher = Batcher::builder(model).warm_up(&examples).start()?;
        Ok(Self { functions, batcher })
    }

    /// The digit that an expression is taken to be, or why there is none.
    async fn answer(&self, text: &str) -> std::result::Result<String, (StatusCode, String)> {
        let wrong = |error: &dyn Error| (StatusCode::BAD_REQUEST, format!("{error}\n"));
        let expression: Expression = text.parse().map_err(|error: ParseError| wrong(&error))?;
        let (graph, vertex) = self.functions.graph(&self.batcher.model(), &expression);
        let answer = self.functions.answer;
        let read = move |results: GraphResults<'_>| {
            Ok(best(results.output(&answer, vertex)?.logits.iter().copied()))
        };
        let digit = match self.batcher.ask_later(&graph, read) {
            Ok(later) => later.await,
            Err(error) => Err(error),
        };
        digit.map(|digit| format!("{digit}\n")).map_err(|error| match error {
            ServeError::TooLarge { .. } => (StatusCode::PAYLOAD_TOO_LARGE, format!("{error}\n")),
            ServeError::Full { .. } | ServeError::Closed => {
                (StatusCode::SERVICE_UNAVAILABLE, format!("{error}\n"))
            }
            error => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")),
        })
    }
}

/// Answers those who connect to `listener`, and returns when `stop` is done and all who have asked have
/// their answers.
async fn serve(
    server: Server,
    listener: std::net::TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<()> {
    listener.set_nonblocking(true)?;
    let listener = TcpListener::from_std(listener)?;
    let handler =
        |State(server): State<Arc<Server>>, text: String| async move { server.answer(&text).await };
    let server = Arc::new(server);
    let app = Router::new().route("/", post(handler)).with_state(Arc::clone(&server));
    // ANCHOR: shutdown
    // From `stop` on, nobody is accepted; it returns when all that were accepted have their answers.
    axum::serve(listener, app).with_graceful_shutdown(stop).await?;
    server.batcher.close();
    // ANCHOR_END: shutdown
    Ok(())
}

// ANCHOR: stop
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
// ANCHOR_END: stop

/// Is done when the process is asked to end, by Ctrl-C.
#[cfg(not(unix))]
async fn asked_to_end() {
    _ = tokio::signal::ctrl_c().await;
}

fn run(cli: &Cli) -> Result<()> {
    let server = Server::start(cli.hidden, cli.load.as_deref())?;
    let listener = std::net::TcpListener::bind(&cli.listen)?;
    println!("listening at {}", listener.local_addr()?);
    Runtime::new()?.block_on(serve(server, listener, asked_to_end()))
}

fn main() -> ExitCode {
    support::main(run)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{SocketAddr, TcpListener, TcpStream};
    use std::thread::{self, JoinHandle};

    use tokio::sync::oneshot;

    use super::*;

    fn ask(address: SocketAddr, text: &str) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        let length = text.len();
        let head = "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
        write!(stream, "{head}Content-Length: {length}\r\n\r\n{text}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Starts a server that ends when something is sent.
    fn start() -> (SocketAddr, oneshot::Sender<()>, JoinHandle<()>) {
        let server = Server::start(8, None).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (end, ended) = oneshot::channel();
        let stop = async { ended.await.unwrap() };
        let work = || Runtime::new().unwrap().block_on(serve(server, listener, stop)).unwrap();
        (address, end, thread::spawn(work))
    }

    #[test]
    fn requests_are_answered() {
        let (address, end, server) = start();
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(move || {
                    for text in ["[MAX 2 9 [MIN 4 7 ] 0 ]", "7"] {
                        let answer = ask(address, text);
                        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
                        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
                        assert!(body.trim().parse::<u8>().unwrap() < 10, "{answer}");
                    }
                    let answer = ask(address, "[MAX 2 ten ]");
                    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
                    assert!(answer.contains("token 3, `ten`"), "{answer}");
                });
            }
        });
        let many = format!("[MAX {}]", "1 ".repeat(70_000));
        let answer = ask(address, &many);
        assert!(answer.starts_with("HTTP/1.1 413") && answer.contains("70002"), "{answer}");
        end.send(()).unwrap();
        server.join().unwrap();
    }

    /// A request that has been sent in half when the server is asked to end is answered, and no other.
    #[test]
    fn what_has_come_is_answered_before_the_end() {
        let (address, end, server) = start();
        let mut stream = TcpStream::connect(address).unwrap();
        let head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n";
        write!(stream, "{head}Expect: 100-continue\r\n\r\n[MA").unwrap();
        // The server says that it has begun to read.
        let mut begun = *b"HTTP/1.1 100 Continue\r\n\r\n";
        let expected = begun;
        stream.read_exact(&mut begun).unwrap();
        assert_eq!(begun, expected);
        end.send(()).unwrap();
        while TcpStream::connect(address).is_ok() {
            thread::yield_now();
        }
        stream.write_all(b"X 2 ]\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        server.join().unwrap();
    }
}
