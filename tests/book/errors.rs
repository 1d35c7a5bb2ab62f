//! The errors in the chapter "When something is wrong": each is provoked here, and the book
//! includes its text.

use std::error::Error;

use edb::engine::Seeds;
use edb::graph::VertexRecord;
use edb::prelude::*;
use edb::trainer::Checkpoints;

use super::*;

/// The texts of errors, each between the marks of an anchor.
#[derive(Default)]
struct Errors(String);

impl Errors {
    fn add(&mut self, name: &str, error: impl Error) {
        self.add_without("", name, error);
    }

    /// The same, without the name of a temporary folder, which is another one in each run.
    fn add_without(&mut self, folder: &str, name: &str, error: impl Error) {
        // What `main` prints is the same.
        assert_eq!(format!("{error:?}"), error.to_string());
        let text = error.to_string().replace(folder, "");
        self.0.push_str(&format!("// ANCHOR: {name}\n{text}\n// ANCHOR_END: {name}\n"));
    }
}

/// The logarithm of its input, which is not finite for numbers up to zero.
#[vertex_function]
fn logarithm(#[param(X)] w: Tensor) {
    let Word { x } = pull();
    loss((x.ln() * w).sum());
}

/// The root of its input, whose gradient is infinite at zero.
#[vertex_function]
fn root(#[param(X)] w: Tensor) {
    let Word { x } = pull();
    loss((w * x).sqrt().sum());
}

/// The row of the greatest logarithm, which is NaN where there is one.
#[vertex_function]
fn greatest(#[param(X, X)] table: Tensor) {
    let Word { x } = pull();
    loss(table.row(x.ln().argmax()).sum());
}

#[test]
fn every_error_of_the_chapter_has_its_text() -> Outcome {
    // Long, since it is a list: the errors in the order of the chapter.
    let mut errors = Errors::default();

    // Models.
    let build = |setup: &dyn Fn(&mut ModelBuilder)| {
        let mut builder = ModelBuilder::new();
        setup(&mut builder);
        builder.build(1).err().ok_or("a model that is wrong")
    };
    errors.add("model_empty", build(&|_| ())?);
    errors.add(
        "model_unscattered",
        build(&|builder| {
            builder.add::<judge>(dims! { C: 2, H: 6 });
        })?,
    );
    errors.add(
        "model_names",
        build(&|builder| {
            builder.add::<read>(dims! { H: 6, X: 3 });
            builder.add::<read>(dims! { H: 6, X: 3 });
        })?,
    );

    // Graphs from records.
    let reader = reader::<f32>(1)?;
    let model = &reader.model;
    let word = r#"{"function": "read", "children": [null], "input": {"x": {"tensor": [1, 2, 3]}}}"#;
    for (name, rest) in [
        ("record_function", r#"{"function": "raed", "children": [0]}"#),
        ("record_arity", r#"{"function": "judge", "input": {"label": {"index": 1}}}"#),
        ("record_dangling", r#"{"function": "attend", "children": [0, 9]}"#),
        ("record_absent", r#"{"function": "attend", "children": [null]}"#),
        ("record_state", r#"{"function": "attend", "children": [2]}"#),
        ("record_missing", r#"{"function": "read", "children": [0]}"#),
        (
            "record_length",
            r#"{"function": "read", "children": [0], "input": {"x": {"tensor": [1]}}}"#,
        ),
        ("record_kind", r#"{"function": "read", "children": [0], "input": {"x": {"index": 1}}}"#),
        ("record_cycle", r#"{"function": "attend", "children": [1]}"#),
    ] {
        let judge = r#"{"function": "judge", "children": [0], "input": {"label": {"index": 1}}}"#;
        let records: Vec<VertexRecord> =
            serde_json::from_str(&format!("[{word}, {rest}, {judge}]"))?;
        errors.add(name, model.graph_from_records(&records).err().ok_or(name)?);
    }

    // Minibatches.
    let none: [&Graph; 0] = [];
    errors.add("batch_none", model.minibatch(none).err().ok_or("no graphs")?);
    errors.add("batch_empty", model.minibatch([&model.graph()]).err().ok_or("an empty graph")?);
    let other = self::reader::<f32>(1)?;
    let foreign = sentence(&other, &[[0.1, 0.2, 0.3]], 1).0;
    errors.add("batch_foreign", model.minibatch([&foreign]).err().ok_or("a foreign graph")?);

    // Runs.
    let (graph, verdict) = sentence(&reader, &[[0.1, 0.2, 0.3]], 1);
    let batch = model.minibatch([&graph])?;
    errors.add(
        "run_foreign",
        Engine::new().infer(&other.model, &batch).err().ok_or("a foreign minibatch")?,
    );
    let mut engine = Engine::<f32>::new();
    let mut run = engine.infer(model, &batch)?;
    errors.add("run_no_tape", run.backward().err().ok_or("nothing was kept")?);
    let mut run = engine.forward(model, &batch, 0)?;
    errors.add("run_not_yet", run.input_gradient(&reader.judge, verdict).err().ok_or("too early")?);
    run.backward()?;
    errors.add("run_spent", run.backward().err().ok_or("it went backward")?);
    errors.add("run_function", run.output_at(0, 1, "logits").err().ok_or("pushes nothing")?);
    errors.add("run_vertex", run.output_at(0, 7, "logits").err().ok_or("no such vertex")?);
    let mut seeds = Seeds::new();
    seeds.push(&reader.judge, verdict, "logits", &[1.0]);
    let mut run = engine.forward(model, &batch, 1)?;
    errors.add("run_seed", run.backward_with(&seeds).err().ok_or("too short")?);

    // Training.
    let mut builder = ModelBuilder::new();
    let logarithm = builder.add::<logarithm>(dims! { X: 2 });
    let wrong: Model = builder.build(1)?;
    let mut g = wrong.graph();
    let x = g.tensor(&[1.0, -1.0]);
    g.add(&logarithm, (), Word { x });
    let batch = wrong.minibatch([&g])?;
    let mut trainer = Trainer::new(wrong, Sgd::new(0.1));
    errors.add("train_loss", trainer.step(&batch).err().ok_or("the logarithm of -1")?);

    let mut builder = ModelBuilder::new();
    let root = builder.add::<root>(dims! { X: 2 }.init("w", Initializer::Constant(1.0)));
    let wrong: Model = builder.build(1)?;
    let mut g = wrong.graph();
    let x = g.tensor(&[1.0, 0.0]);
    g.add(&root, (), Word { x });
    let batch = wrong.minibatch([&g])?;
    let mut infinite = Trainer::new(wrong, Sgd::new(0.1));
    errors.add("train_gradient", infinite.step(&batch).err().ok_or("the root of 0")?);

    let mut builder = ModelBuilder::new();
    let greatest = builder.add::<greatest>(dims! { X: 2 });
    let wrong: Model = builder.build(1)?;
    let mut g = wrong.graph();
    let x = g.tensor(&[1.0, -1.0]);
    g.add(&greatest, (), Word { x });
    let batch = wrong.minibatch([&g])?;
    let mut deciding = Trainer::new(wrong, Sgd::new(0.1));
    errors.add("train_decision", deciding.step(&batch).err().ok_or("a decision on NaN")?);

    // Files.
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("other.safetensors");
    trainer.model().save(&path)?;
    let mut reader = self::reader::<f32>(1)?;
    let in_folder = format!("{}/", folder.path().display());
    let mut add = |name: &str, error| errors.add_without(&in_folder, name, error);
    add("file_other", reader.model.load(&path).err().ok_or("another model")?);
    add("file_none", reader.model.load(folder.path().join("none")).err().ok_or("no file")?);
    fs::write(&path, "not a model")?;
    add("file_broken", reader.model.load(&path).err().ok_or("not a file of tensors")?);
    let checkpoints = Checkpoints::new(folder.path().join("run"));
    checkpoints.save(&trainer, &edb::trainer::Notes::new())?;
    let mut trainer = Trainer::new(reader.model, Adam::new(0.1));
    let error = checkpoints.resume(&mut trainer).err().ok_or("another run")?;
    errors.add_without(&in_folder, "file_run", error);
    let path = folder.path().join("policy.json");
    Policy::Heuristic.save(&path, trainer.model().signature())?;
    let mut builder = ModelBuilder::new();
    builder.add::<logarithm>(dims! { X: 2 });
    let model: Model = builder.build(1)?;
    let error = Policy::load(&path, model.signature()).err().ok_or("another model")?;
    errors.add_without(&in_folder, "file_policy", error);

    figures::is_made("errors.txt", &errors.0)
}
