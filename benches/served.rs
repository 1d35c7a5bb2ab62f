//! What `edb serve` costs beside the batcher in it, and whether it keeps what it promises under load.
//!
//! `cargo build --release -p edb-cli && cargo bench --bench served -- target/release/edb [MINUTES]`, on Linux. A request has 1 or
//! 16 random trees of 5 to 35 words, read by a Tree-LSTM of 64 or 256 units; 4 clients ask one request after the other. `alone`
//! is the CPU time of a request where the clients give the same graphs to a batcher in this process, `served` that of the
//! server, without the clients'.
//!
//! With MINUTES, one server (64 units) is under load for so long, and every tenth request is wrong: each answer has to be the
//! right one, and memory has to stay as it was after the first tenth of the time. Then the server is asked to end, while
//! clients ask: what it has begun to read it has to answer.

use std::env;
use std::error::Error;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use cells::sentiment::{Node, Word, phrase, word};
use edb::model::Bundle;
use edb::prelude::*;
use edb::serve::Batcher;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde_json::json;

type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

const WORDS: u32 = 20_000;
const CLIENTS: usize = 4;
/// How many different requests there are.
const REQUESTS: usize = 200;
/// For how long each way is measured.
const TIME: Duration = Duration::from_secs(5);
const WRONG: &str = r#"{"vertices":[{"function":"ward"}]}"#;

#[derive(Output)]
struct Scores {
    logits: Tensor,
}

#[vertex_function]
fn score(#[param(C, H)] w: Tensor) {
    let root: Node = gather(0);
    push(Scores { logits: w.dot(root.h) });
}

/// Saves a model, and returns the requests: each some lines of JSON.
fn requests(path: &str, hidden: usize, graphs: usize) -> Outcome<Vec<String>> {
    let mut builder = ModelBuilder::new();
    let word = builder.add::<word>(dims! { V: WORDS as usize, X: hidden, H: hidden });
    let phrase = builder.add::<phrase>(dims! { H: hidden });
    let score = builder.add::<score>(dims! { C: 5, H: hidden });
    let model: Model = builder.build(1)?;
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut tree = || {
        let mut g = model.graph();
        let mut open: Vec<Vertex<Node>> = (0..rng.random_range(5..36))
            .map(|_| g.add(&word, (), Word { id: Index(rng.random_range(0..WORDS)) }))
            .collect();
        while open.len() > 1 {
            let left = rng.random_range(0..open.len() - 1);
            let right = open.remove(left + 1);
            open[left] = g.add(&phrase, [open[left], right], ());
        }
        g.add(&score, [open[0]], ());
        g
    };
    let warm: Vec<Graph> = (0..8).map(|_| tree()).collect();
    let examples = Engine::new().examples(&model, &warm)?;
    model.bundle().examples(examples).save(path)?;
    let mut line = || Ok(serde_json::to_string(&model.record_of(&tree())?)? + "\n");
    (0..REQUESTS).map(|_| (0..graphs).map(|_| line()).collect::<Outcome<String>>()).collect()
}

/// The seconds of processor time that a process has taken.
fn cpu(process: &str) -> Outcome<f64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat"))?;
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    // Of user and system, in hundredths: `man proc_pid_stat`.
    Ok((fields[11].parse::<f64>()? + fields[12].parse::<f64>()?) / 100.0)
}

/// The memory that a process has, in MB.
fn memory(process: &str) -> Outcome<f64> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or("0 0");
    Ok(line.split_whitespace().nth(1).unwrap_or("0").parse::<f64>()? / 1024.0)
}

/// The CPU time of a request to a batcher, in microseconds, and the right answers.
fn alone(path: &str, requests: &[String]) -> Outcome<(f64, Vec<String>)> {
    let model = Bundle::<f32>::open(path)?.model;
    let graph = |line: &str| Ok(model.graph_from_record(&serde_json::from_str(line)?)?);
    let graphs: Vec<Vec<Graph>> = (requests.iter())
        .map(|request| request.lines().map(graph).collect::<Outcome<_>>())
        .collect::<Outcome<_>>()?;
    let batcher = Batcher::builder(model).warm_up(&graphs[0]).start()?;
    let mut right = Vec::new();
    for request in &graphs {
        let mut text = String::new();
        for graph in request {
            let answer = batcher.ask(graph, |results| results.answer())?;
            text += &(serde_json::to_string(&answer)? + "\n");
        }
        right.push(text);
    }
    let (began, before, asked) = (Instant::now(), cpu("self")?, AtomicU64::new(0));
    thread::scope(|scope| {
        for client in 0..CLIENTS {
            let (graphs, batcher, asked) = (&graphs, &batcher, &asked);
            scope.spawn(move || {
                for request in graphs.iter().cycle().skip(client * REQUESTS / CLIENTS) {
                    let ask = |graph| batcher.ask_later(graph, |results| results.answer());
                    let pending: Vec<_> = request.iter().map(|graph| ask(graph).unwrap()).collect();
                    pending.into_iter().for_each(|pending| drop(pending.wait().unwrap()));
                    asked.fetch_add(1, Ordering::Relaxed);
                    if began.elapsed() > TIME {
                        break;
                    }
                }
            });
        }
    });
    Ok(((cpu("self")? - before) * 1e6 / asked.load(Ordering::Relaxed) as f64, right))
}

/// A server in a process of its own, which ends with this value.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start(edb: &str, path: &str) -> Outcome<Self> {
        let mut process = Command::new(edb)
            .args(["serve", path, "--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(process.stdout.take().ok_or("no output")?).read_line(&mut line)?;
        let address = line.trim().rsplit(' ').next().unwrap_or("").to_owned();
        Ok(Self { process, address })
    }

    fn id(&self) -> String {
        self.process.id().to_string()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

/// A connection that stays open.
struct Client(BufReader<TcpStream>);

impl Client {
    fn new(address: &str) -> Outcome<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Self(BufReader::new(stream)))
    }

    /// Asks, and returns status and body.
    fn ask(&mut self, body: &str) -> Outcome<(u16, String)> {
        let length = body.len();
        let text =
            format!("POST /run HTTP/1.1\r\nHost: edb\r\nContent-Length: {length}\r\n\r\n{body}");
        self.0.get_mut().write_all(text.as_bytes())?;
        let mut line = String::new();
        if self.0.read_line(&mut line)? == 0 {
            return Err("the connection was closed".into());
        }
        let status = line.split(' ').nth(1).ok_or("no status")?.parse()?;
        let mut length = 0;
        loop {
            line.clear();
            self.0.read_line(&mut line)?;
            if line.trim().is_empty() {
                break;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse()?;
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body)?;
        Ok((status, String::from_utf8(body)?))
    }
}

/// What clients do until they are told to stop: they ask, and compare. Returns how many requests were answered.
fn clients(
    address: &str,
    requests: &[String],
    right: &[String],
    wrong: bool,
    stop: &Arc<AtomicBool>,
) -> Outcome<u64> {
    thread::scope(|scope| {
        let one = |client: usize| -> Outcome<u64> {
            let mut connection = Client::new(address)?;
            let mut count = 0;
            let numbers = (0..REQUESTS).cycle().skip(client * REQUESTS / CLIENTS);
            for number in numbers.take_while(|_| !stop.load(Ordering::Relaxed)) {
                if wrong && count % 10 == 9 {
                    let (status, body) = connection.ask(WRONG)?;
                    assert!(status == 400 && body.contains("`ward`"), "{status}: {body}");
                }
                let (status, body) = connection.ask(&requests[number])?;
                assert!(status == 200 && body == right[number], "{status}: {body}");
                count += 1;
            }
            Ok(count)
        };
        let running: Vec<_> = (0..CLIENTS).map(|client| scope.spawn(move || one(client))).collect();
        running.into_iter().map(|client| client.join().expect("a client has failed")).sum()
    })
}

/// The CPU time of a request to a server, in microseconds.
fn served(edb: &str, path: &str, requests: &[String], right: &[String]) -> Outcome<f64> {
    let server = Server::start(edb, path)?;
    let before = cpu(&server.id())?;
    let stop = Arc::new(AtomicBool::new(false));
    let ends = Arc::clone(&stop);
    thread::spawn(move || {
        thread::sleep(TIME);
        ends.store(true, Ordering::Relaxed);
    });
    let asked = clients(&server.address, requests, right, false, &stop)?;
    Ok((cpu(&server.id())? - before) * 1e6 / asked as f64)
}

/// Load for so many minutes, and an end in the midst of it.
fn load(edb: &str, path: &str, requests: &[String], right: &[String], minutes: f64) -> Outcome {
    let mut server = Server::start(edb, path)?;
    let stop = Arc::new(AtomicBool::new(false));
    let (ends, id) = (Arc::clone(&stop), server.id());
    let tenth = Duration::from_secs_f64(minutes * 6.0);
    let memories = thread::spawn(move || -> Outcome<Vec<f64>> {
        let mut memories = Vec::new();
        for _ in 0..10 {
            thread::sleep(tenth);
            memories.push(memory(&id)?);
        }
        ends.store(true, Ordering::Relaxed);
        Ok(memories)
    });
    let asked = clients(&server.address, requests, right, true, &stop)?;
    let memories = memories.join().expect("it only reads and sleeps")?;
    println!("{}", json!({ "minutes": minutes, "answered": asked, "memory_mb": memories }));

    // Asked to end while clients ask: each has an answer, or the connection was closed before it asked.
    let id = server.id();
    let ended = thread::spawn(move || {
        thread::sleep(Duration::from_millis(300));
        Command::new("kill").args(["-TERM", &id]).status()
    });
    let answered: u64 = thread::scope(|scope| {
        let address = &server.address;
        let one = move || {
            let Ok(mut connection) = Client::new(address) else { return 0 };
            let mut count = 0;
            for number in (0..REQUESTS).cycle() {
                match connection.ask(&requests[number]) {
                    Ok((status, body)) => {
                        assert!(status == 200 && body == right[number], "{status}: {body}");
                        count += 1;
                    }
                    Err(_) => return count,
                }
            }
            count
        };
        let running: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(one)).collect();
        running.into_iter().map(|client| client.join().expect("a client has failed")).sum()
    });
    ended.join().expect("it only sleeps")?;
    let status = server.process.wait()?;
    println!("{}", json!({ "answered_until_end": answered, "ended_well": status.success() }));
    Ok(())
}

fn main() -> Outcome {
    let arguments: Vec<String> = env::args().skip(1).filter(|of| !of.starts_with("--")).collect();
    let edb = arguments.first().ok_or("usage: served PATH_OF_EDB [MINUTES]")?;
    // Cargo runs benches in the folder of their package.
    let edb = fs::canonicalize(edb).or_else(|_| fs::canonicalize(format!("../{edb}")))?;
    let edb = edb.to_str().ok_or("the path is no text")?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("model.edb");
    let path = path.to_str().ok_or("the path is no text")?;
    if let Some(minutes) = arguments.get(1) {
        let requests = requests(path, 64, 1)?;
        let (_, right) = alone(path, &requests)?;
        return load(edb, path, &requests, &right, minutes.parse()?);
    }
    for (hidden, graphs) in [(64, 1), (64, 16), (256, 1), (256, 16)] {
        let requests = requests(path, hidden, graphs)?;
        let (alone, right) = alone(path, &requests)?;
        let served = served(edb, path, &requests, &right)?;
        let ratio = served / alone;
        println!(
            "{}",
            json!({ "hidden": hidden, "graphs": graphs, "alone_us": alone, "served_us": served, "ratio": ratio })
        );
    }
    Ok(())
}
