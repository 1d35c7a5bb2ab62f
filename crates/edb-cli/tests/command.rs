//! The command, as people run it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Output};

use edb::graph::{GraphRecord, VertexRecord};
use edb::model::Notes;
use edb::prelude::*;
use serde_json::Value;

#[derive(State)]
struct Truth {
    h: Tensor,
}

#[derive(Input)]
struct Bit {
    value: Index,
}

#[derive(Output)]
struct Verdict {
    logits: Tensor,
    best: Index,
}

#[derive(Output)]
struct Thought {
    h: Tensor,
}

#[vertex_function]
fn bit(#[param(2, H)] table: Tensor) {
    let Bit { value } = pull();
    scatter(Truth { h: table.row(value) });
}

#[vertex_function]
fn xor(#[param(H, 2 * H)] w: Tensor, #[param(H)] b: Tensor) {
    let [left, right]: [Truth; 2] = [gather(0), gather(1)];
    scatter(Truth { h: (w.dot(concat([left.h, right.h])) + b).tanh() });
}

#[vertex_function]
fn answer(#[param(2, H)] w: Tensor) {
    let formula: Truth = gather(0);
    let logits = w.dot(formula.h);
    push(Verdict { logits, best: logits.argmax() });
}

/// Thinks without end, unless it is told 0.
#[vertex_function]
fn think(#[param(2, H)] steps: Tensor) {
    let Bit { value } = pull();
    let mut h = steps.row(value);
    while h.max() > 0.5 {
        h *= 1.0;
    }
    push(Thought { h });
}

fn edb(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_edb")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// `(a xor b) xor a`.
fn formula(a: u32, b: u32) -> GraphRecord {
    let bit = |value| VertexRecord::new("bit").with("value", Index(value));
    let xor = |left, right| VertexRecord::new("xor").child(left).child(right);
    let answer = VertexRecord::new("answer").child(3);
    GraphRecord { vertices: vec![bit(a), bit(b), xor(0, 1), xor(2, 0), answer], sample: None }
}

/// Saves a model with examples, and graphs as JSON lines. Returns what the model answers for these.
fn saved(model_path: &Path, graphs_path: &Path) -> Vec<Value> {
    let mut builder = ModelBuilder::new();
    builder.add::<bit>(dims! { H: 8 });
    builder.add::<xor>(dims! { H: 8 });
    builder.add::<answer>(dims! { H: 8 });
    let model: Model = builder.build(1).unwrap();
    let records = [formula(0, 0), formula(0, 1), formula(1, 0), formula(1, 1)];
    let graphs: Vec<_> =
        records.iter().map(|record| model.graph_from_record(record).unwrap()).collect();
    let examples = Engine::new().examples(&model, &graphs).unwrap();
    let notes = Notes::new().with("words", &["no", "yes"]);
    model.bundle().notes(notes).examples(examples).save(model_path).unwrap();
    let lines = records.iter().map(|record| serde_json::to_string(record).unwrap() + "\n");
    std::fs::write(graphs_path, lines.collect::<String>()).unwrap();
    let batch = model.minibatch(&graphs).unwrap();
    let mut engine = Engine::new();
    let run = engine.infer(&model, &batch).unwrap();
    let answer =
        |graph| serde_json::from_str(&serde_json::to_string(&run.answer(graph).unwrap()).unwrap());
    (0..4).map(|graph| answer(graph).unwrap()).collect()
}

#[test]
fn a_model_answers_from_a_shell() {
    let folder = tempfile::tempdir().unwrap();
    let [model, graphs] = ["xor.edb", "graphs.jsonl"].map(|name| folder.path().join(name));
    let expected = saved(&model, &graphs);
    let [model, graphs] = [&model, &graphs].map(|path| path.to_str().unwrap());

    let info = edb(&["info", model]);
    let shown = text(&info.stdout);
    assert!(info.status.success());
    for what in ["xor", "Truth { h [8] }", "notes     words", "examples  4", "numbers   f32"] {
        assert!(shown.contains(what), "{what}: {shown}");
    }
    let json: Value = serde_json::from_slice(&edb(&["info", model, "--json"]).stdout).unwrap();
    let bit = &json["model"]["functions"][0];
    assert_eq!(bit["signature"]["name"], "bit");
    assert_eq!(bit["input"][0].to_string(), r#"{"entries":2,"kind":"index","name":"value"}"#);

    for batch in ["1", "3", "256"] {
        let run = edb(&["run", model, graphs, "--batch", batch]);
        assert!(run.status.success(), "{}", text(&run.stderr));
        let answers = text(&run.stdout);
        let answers: Vec<Value> =
            answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(answers, expected);
        assert_eq!(answers[0]["vertices"][0]["function"], "answer");
    }

    let picture = folder.path().join("xor.svg");
    let draw = edb(&["draw", model, graphs, "--count", "2", "--output", picture.to_str().unwrap()]);
    assert!(draw.status.success(), "{}", text(&draw.stderr));
    assert!(std::fs::read_to_string(picture).unwrap().matches(">xor").count() >= 4);

    let check = edb(&["check", model]);
    assert!(check.status.success());
    assert_eq!(text(&check.stdout).matches("the same bits").count(), 4);
}

#[test]
fn a_wrong_line_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let [model, graphs] = ["xor.edb", "graphs.jsonl"].map(|name| folder.path().join(name));
    saved(&model, &graphs);
    let good = std::fs::read_to_string(&graphs).unwrap();
    let mut lines: Vec<&str> = good.lines().collect();
    lines.insert(1, r#"{"vertices":[{"function":"bit","input":{"value":{"index":7}}}]}"#);
    lines.insert(3, "no graph");
    lines.insert(4, "");
    std::fs::write(&graphs, lines.join("\n")).unwrap();
    let [model, graphs] = [&model, &graphs].map(|path| path.to_str().unwrap());

    let run = edb(&["run", model, graphs]);
    assert!(!run.status.success());
    let error = text(&run.stderr);
    assert!(error.contains("line 2: vertex 0: the input `value` of `bit` is 7"), "{error}");

    let run = edb(&["run", model, graphs, "--keep-going", "--batch", "2"]);
    assert!(!run.status.success());
    let answers = text(&run.stdout);
    let answers: Vec<Value> =
        answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let wrong: Vec<usize> =
        (0..answers.len()).filter(|line| answers[*line].get("error").is_some()).collect();
    assert_eq!((answers.len(), wrong), (6, vec![1, 3]));
    assert!(text(&run.stderr).ends_with("error: 2 of 6 lines are wrong\n"));

    let none = edb(&["run", "no.edb", graphs]);
    assert!(text(&none.stderr).contains("no.edb"));
}

/// An error that only a run finds is that of its line, whatever runs with it.
#[test]
fn a_line_whose_run_fails_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let [model_path, graphs] = ["think.edb", "graphs.jsonl"].map(|name| folder.path().join(name));
    let mut builder = ModelBuilder::new();
    builder.add::<think>(dims! { H: 2 });
    let mut model: Model = builder.build(1).unwrap();
    for (_, steps) in model.parameters_mut().iter_mut() {
        steps.set_values(&[0.0, 0.0, 1.0, 1.0]).unwrap();
    }
    model.save_bundle(&model_path).unwrap();
    let line = |value| {
        let vertices = vec![VertexRecord::new("think").with("value", Index(value))];
        serde_json::to_string(&GraphRecord { vertices, sample: None }).unwrap() + "\r\n"
    };
    let lines = "\u{feff}".to_owned() + &[0, 0, 1, 0].map(line).concat();
    std::fs::write(&graphs, lines).unwrap();
    let [model, graphs] = [&model_path, &graphs].map(|path| path.to_str().unwrap());
    for batch in ["1", "3", "256"] {
        let run = edb(&["run", model, graphs, "--keep-going", "--batch", batch]);
        assert!(!run.status.success());
        let answers = text(&run.stdout);
        let answers: Vec<&str> = answers.lines().collect();
        assert_eq!(answers.len(), 4, "{answers:?}");
        for (number, answer) in answers.iter().enumerate() {
            let is_wrong = answer.starts_with("{\"error\":\"line 3: ");
            assert_eq!(is_wrong, number == 2, "{answer}");
        }
    }
}

/// No file that is read is written, and what is written is not held back.
#[test]
fn files_that_are_read_stay() {
    let folder = tempfile::tempdir().unwrap();
    let [model, graphs] = ["xor.edb", "graphs.jsonl"].map(|name| folder.path().join(name));
    saved(&model, &graphs);
    let before = [&model, &graphs].map(|path| std::fs::read(path).unwrap());
    let [model_path, graphs_path] = [&model, &graphs].map(|path| path.to_str().unwrap());
    for output in [model_path, graphs_path] {
        for command in ["run", "draw"] {
            let run = edb(&[command, model_path, graphs_path, "--output", output]);
            assert!(text(&run.stderr).contains("is read: write to another file"));
        }
    }
    assert_eq!([&model, &graphs].map(|path| std::fs::read(path).unwrap()), before);

    let mut run = Command::new(env!("CARGO_BIN_EXE_edb"))
        .args(["run", model_path, "-", "--batch", "1"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut asked = run.stdin.take().unwrap();
    let mut answers = BufReader::new(run.stdout.take().unwrap());
    for line in text(&before[1]).lines() {
        writeln!(asked, "{line}").unwrap();
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        assert!(answer.contains("logits"), "{answer}");
    }
    drop(asked);
    assert!(run.wait().unwrap().success());
}

/// Whoever does not read the answers gets no panic.
#[cfg(target_os = "linux")]
#[test]
fn a_full_output_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let [model, graphs] = ["xor.edb", "graphs.jsonl"].map(|name| folder.path().join(name));
    saved(&model, &graphs);
    let [model, graphs] = [&model, &graphs].map(|path| path.to_str().unwrap());
    for arguments in [&["info", model][..], &["check", model], &["run", model, graphs]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let run = Command::new(env!("CARGO_BIN_EXE_edb")).args(arguments).stdout(full).output();
        let run = run.unwrap();
        assert_eq!(run.status.code(), Some(1), "{arguments:?}");
        assert!(text(&run.stderr).starts_with("error: "), "{}", text(&run.stderr));
    }
}

/// A server in a process of its own, and where it listens.
struct Served {
    process: std::process::Child,
    address: String,
}

impl Served {
    fn start(model: &str, options: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_edb"))
            .args(["serve", model, "--listen", "127.0.0.1:0"])
            .args(options)
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening at ").unwrap().to_owned();
        Self { process, address }
    }

    /// The status and the body of an answer.
    fn ask(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let length = body.len();
        let head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
        write!(stream, "{head}Content-Length: {length}\r\n\r\n{body}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

#[test]
fn a_server_answers_as_the_command_does() {
    let folder = tempfile::tempdir().unwrap();
    let [model, graphs] = ["xor.edb", "graphs.jsonl"].map(|name| folder.path().join(name));
    let expected = saved(&model, &graphs);
    let lines = std::fs::read_to_string(&graphs).unwrap();
    let server =
        Served::start(model.to_str().unwrap(), &["--max-body", "4096", "--max-queued", "40"]);
    assert_eq!(server.ask("GET", "/health", ""), (200, "ok\n".into()));
    assert_eq!(server.ask("GET", "/ready", ""), (200, "ready\n".into()));

    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let (status, body) = server.ask("POST", "/run", &lines);
                let answers: Vec<Value> =
                    body.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
                assert_eq!((status, answers), (200, expected.clone()));
            });
        }
    });

    let (status, body) = server.ask("POST", "/run", &(lines.clone() + "no graph"));
    assert_eq!(status, 400);
    assert!(body.contains("line 5: "), "{body}");
    assert_eq!(server.ask("POST", "/run", "").0, 400);
    assert_eq!(server.ask("POST", "/run", &" ".repeat(5000)).0, 413);
    assert_eq!(server.ask("GET", "/run", "").0, 405);
    let all = "\nedb_graphs_answered_total 32\n";
    let metrics = (0..100).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        Some(server.ask("GET", "/metrics", "").1).filter(|metrics| metrics.contains(all))
    });
    let metrics = metrics.unwrap();
    assert!(metrics.contains("edb_answer_seconds{quantile=\"0.99\"} 0"));
    assert!(metrics.contains("\nedb_refused_wrong_total 1\n"), "{metrics}");
    // More than ever wait at the same time.
    let many = "{}\n".repeat(41);
    let (status, body) = server.ask("POST", "/run", &many);
    assert_eq!(status, 413);
    assert!(body.contains("41 graphs, and a request has at most 40"), "{body}");
}

/// Whoever has been accepted gets the answer.
#[cfg(unix)]
#[test]
fn a_server_that_is_asked_to_end_answers_first() {
    let folder = tempfile::tempdir().unwrap();
    let [model, graphs] = ["xor.edb", "graphs.jsonl"].map(|name| folder.path().join(name));
    saved(&model, &graphs);
    let line = std::fs::read_to_string(&graphs).unwrap().lines().next().unwrap().to_owned();
    let mut server = Served::start(model.to_str().unwrap(), &[]);
    let mut stream = TcpStream::connect(&server.address).unwrap();
    let head = "POST /run HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
    write!(stream, "{head}Content-Length: {}\r\n\r\n", line.len()).unwrap();
    // The server has the head, and not yet the body.
    std::thread::sleep(std::time::Duration::from_millis(200));
    let id = server.process.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    std::thread::sleep(std::time::Duration::from_millis(200));
    stream.write_all(line.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(server.process.wait().unwrap().success());
}

/// Whoever does not send what was announced keeps the server only so long.
#[cfg(unix)]
#[test]
fn a_slow_request_does_not_keep_a_server_from_ending() {
    let folder = tempfile::tempdir().unwrap();
    let [model, graphs] = ["xor.edb", "graphs.jsonl"].map(|name| folder.path().join(name));
    saved(&model, &graphs);
    let end = |server: &Served| {
        let id = server.process.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    };
    let slow = |server: &Served| {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        write!(stream, "POST /run HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n\r\n{{").unwrap();
        std::thread::sleep(std::time::Duration::from_millis(200));
        stream
    };
    let mut server = Served::start(model.to_str().unwrap(), &["--grace", "0"]);
    let stream = slow(&server);
    end(&server);
    assert_eq!(server.process.wait().unwrap().code(), Some(1));
    drop(stream);
    // Asked twice, it waits no longer.
    let mut server = Served::start(model.to_str().unwrap(), &[]);
    let stream = slow(&server);
    end(&server);
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert!(server.process.try_wait().unwrap().is_none());
    end(&server);
    assert_eq!(server.process.wait().unwrap().code(), Some(1));
    drop(stream);
}
