//! The command, as people run it.

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
