//! What errors say where people have been misled: the whole text.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use edb::learn::WordVectors;
use edb::log::{CsvLog, JsonLog, TensorBoardLog};
use edb::prelude::*;
use edb::schedule::Costs;
use edb::trace::TraceFile;
use edb::trainer::{Checkpoints, Notes};

use edb_backend_suite::models::model_of;

#[derive(State)]
struct Node {
    h: Tensor,
}

#[derive(Input)]
struct Word {
    x: Tensor,
}

#[derive(Output)]
struct Said {
    y: Tensor,
}

/// A function that has no loss, and a parameter whose name is a word of the language.
#[vertex_function]
fn silent(#[param(H, H)] r#match: Tensor) {
    let Word { x } = pull();
    let h = r#match.dot(x);
    push(Said { y: h });
    scatter(Node { h });
}

#[vertex_function]
fn judged(#[param(H)] w: Tensor) {
    let Node { h } = gather(0);
    loss(w.dot(h).square());
}

/// How often it loops is computed.
#[vertex_function]
fn looping(#[param(H)] w: Tensor) {
    let Word { x } = pull();
    let mut h = x;
    while h.sum() < 1.0 {
        h += w * w + 1.0;
    }
    loss(h.sum());
}

fn vector(g: &mut Graph, numbers: [f32; 2]) -> Word {
    Word { x: g.tensor(&numbers) }
}

/// A model without a loss, and a graph of it.
fn without_loss() -> (Function<silent>, Model, Graph) {
    let (model, silent) = model_of::<silent, f32>(dims! { H: 2 }, 1);
    let mut g = model.graph();
    let word = vector(&mut g, [1.0, 2.0]);
    g.add(&silent, (), word);
    (silent, model, g)
}

/// Fault D7: such a step was taken, and nothing was learned.
#[test]
fn a_step_without_any_loss_is_an_error() {
    let expected = "step 0: no function of the model has a loss, so that nothing would be learned: call \
                    `loss(..)` in one, or let graphs grow and give gradients with \
                    `GrowingStep::step_with`";
    let (silent, model, g) = without_loss();
    let batch = model.minibatch([&g]).unwrap();
    let mut trainer = Trainer::new(model, Sgd::new(0.1));
    for error in [
        trainer.step(&batch).unwrap_err(),
        trainer.step_graphs([&g]).unwrap_err(),
        trainer.grow([g.clone()]).unwrap().step().unwrap_err(),
    ] {
        assert_eq!(error.to_string(), expected);
    }
    // Gradients that are given are something to learn from.
    let mut g = trainer.model().graph();
    let word = vector(&mut g, [1.0, 2.0]);
    let vertex = g.add(&silent, (), word);
    let mut seeds = edb::engine::Seeds::new();
    seeds.push(&silent, vertex, "y", &[1.0, 0.0]);
    let step = trainer.grow([g]).unwrap().step_with(&seeds).unwrap();
    assert_eq!((step.loss, trainer.steps()), (0.0, 1));
}

/// Fault D7: a score that is NaN lowered the learning rate.
#[test]
fn a_score_that_is_not_a_number_is_an_error() {
    let (_, model, _) = without_loss();
    let plateau = edb::learn::Plateau::lower_is_better().patience(0).factor(0.5);
    let mut trainer = Trainer::new(model, Sgd::new(0.5)).plateau(plateau);
    assert_eq!(trainer.observe(1.0).unwrap(), 0.5);
    for _ in 0..3 {
        let error = trainer.observe(f64::NAN).unwrap_err().to_string();
        let expected = "the score that the plateau is to observe is NaN, which is neither better nor worse \
                        than others: find out where it comes from, or leave it out";
        assert_eq!((error.as_str(), trainer.learning_rate()), (expected, 0.5));
    }
    assert_eq!(trainer.observe(2.0).unwrap(), 0.25);
}

/// Fault D6: the advice was to ask for the memory when the minibatch has run.
#[test]
fn a_memory_budget_needs_vertices_whose_way_is_known() {
    let (model, looping) = model_of::<looping, f32>(dims! { H: 2 }, 1);
    let graph = || {
        let mut g = model.graph();
        let word = vector(&mut g, [0.0, 0.1]);
        g.add(&looping, (), word);
        g
    };
    let graphs = [graph(), graph()];
    let mut trainer = Trainer::new(model, Sgd::new(0.1)).memory_budget(1 << 20);
    let error = trainer.step_graphs(&graphs).unwrap_err().to_string();
    let expected = "step 0: how much memory the vertices of `looping` need is known when they have run, \
                    since they decide how they go on; so there can be no `memory_budget`: give fewer \
                    graphs to a step, or minibatches of few graphs to `step_over`";
    assert_eq!(error, expected);
}

/// Fault D6: one line was said sixteen times, and the greatest number was -1.
#[test]
fn a_dimension_that_is_too_large_is_named_once() {
    let build = |size: usize| {
        let mut builder = ModelBuilder::new();
        builder.add::<silent>(dims! { H: size });
        builder.add::<judged>(dims! { H: size });
        builder.build(1).unwrap_err().to_string()
    };
    let begin = "the model cannot be made:\n  ";
    let [a, b] = ["silent", "judged"].map(|name| {
        format!("`{name}`: the dimension H is 18446744073709551615; it must be at most")
    });
    assert_eq!(build(usize::MAX), format!("{begin}{a} 1099511627776\n  {b} 1099511627776"));
    let error = build(1 << 38);
    let expected = "`silent`: a tensor of shape [274877906944, 274877906944] is too large";
    assert_eq!(error, format!("{begin}{expected}"));
}

/// Fault D6: the parameter was `silent.r#match`, in files, too.
#[test]
fn names_are_without_marks_of_the_language() {
    let (_, model, _) = without_loss();
    let names: Vec<&str> = model.parameters().iter().map(|(_, of)| of.name()).collect();
    assert_eq!(names, ["silent.match"]);
}

/// Fault D6: saving into a folder that is not there said what loading does.
#[test]
fn a_model_says_whether_it_was_saved_or_loaded() {
    let (_, mut model, _) = without_loss();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none").join("model");
    let (file, none) = (path.display(), folder.path().join("none"));
    let missing = "No such file or directory (os error 2)";
    assert_eq!(
        model.save(&path).unwrap_err().to_string(),
        format!(
            "{file} cannot be written: {missing}; there is no folder `{}`: make it first",
            none.display()
        )
    );
    let error = model.load(&path).unwrap_err().to_string();
    let expected =
        format!("{file} cannot be read: {missing}; there is no folder `{}`", none.display());
    assert_eq!(error, expected);
    let other = folder.path().join("other");
    let error = model.load(&other).unwrap_err().to_string();
    let expected = format!("{} cannot be read: {missing}; is it the right path?", other.display());
    assert_eq!(error, expected);
}

/// Some errors named a file, and not what was tried; none said what to do.
#[test]
fn all_that_is_saved_or_loaded_says_what_was_tried_and_what_to_do() {
    let (_, model, _) = without_loss();
    let folder = tempfile::tempdir().unwrap();
    let [none, file] = ["none", "file"].map(|name| folder.path().join(name));
    fs::write(&file, "").unwrap();
    let within = none.join("name");
    let (types, policy) = (model.signature(), Policy::Depth);
    let missing = "No such file or directory (os error 2)";
    let unwritten = format!(
        "{} cannot be written: {missing}; there is no folder `{}`: make it first",
        within.display(),
        none.display()
    );
    let unread = format!(
        "{} cannot be read: {missing}; there is no folder `{}`",
        within.display(),
        none.display()
    );
    let of_log = format!("the log {unwritten}");
    let written = [
        (policy.save(&within, types).unwrap_err().to_string(), unwritten.clone()),
        (Costs::per_batch(1).save(&within).unwrap_err().to_string(), unwritten.clone()),
        (CsvLog::open(&within, 0).unwrap_err().to_string(), of_log.clone()),
        (JsonLog::open(&within, 0).unwrap_err().to_string(), of_log),
        (TraceFile::begin(&within).unwrap_err().to_string(), format!("the trace {unwritten}")),
        (Policy::load(&within, types).unwrap_err().to_string(), unread.clone()),
        (Costs::load(&within, 1).unwrap_err().to_string(), unread.clone()),
        (Notes::load(&within).unwrap_err().to_string(), unread.clone()),
        (WordVectors::read(&within, &["a"], 1).unwrap_err().to_string(), unread),
    ];
    for (found, expected) in written {
        assert_eq!(found, expected);
    }
    // These make their folders, where no file is in the way.
    let in_the_way = file.join("run");
    let not_a_folder =
        format!("Not a directory (os error 20); `{}` is a file, and no folder", file.display());
    let trainer = Trainer::new(model, Sgd::new(0.1));
    let error =
        Checkpoints::new(&in_the_way).save(&trainer, &Notes::new()).unwrap_err().to_string();
    assert_eq!(error, format!("{} cannot be written: {not_a_folder}", in_the_way.display()));
    let error = TensorBoardLog::open(&in_the_way, 0).unwrap_err().to_string();
    assert_eq!(
        error,
        format!("the log {} cannot be written: {not_a_folder}", in_the_way.display())
    );
    let mut trainer = trainer;
    let error = Checkpoints::resume_from(&none, &mut trainer).unwrap_err().to_string();
    let record = none.join("training.json");
    assert_eq!(
        error,
        format!(
            "{} cannot be read: {missing}; there is no folder `{}`",
            record.display(),
            none.display()
        )
    );
}

/// Fault D4: what JSON does not have came back as nothing.
#[test]
fn a_note_that_could_not_be_read_again_is_an_error() {
    #[derive(serde::Serialize)]
    struct Scores {
        best: Option<f64>,
        rest: Vec<(u8, f32)>,
    }
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path());
    let trainer = Trainer::new(without_loss().1, Sgd::new(0.1));
    let mut last = Notes::new();
    let scores = |best, rest| Scores { best: Some(best), rest: vec![(1, 2.0), (2, rest)] };
    for (notes, reason) in [
        (Notes::new().with("best", &f64::INFINITY), "it has the number inf"),
        (Notes::new().with("best", &scores(1.0, f32::NEG_INFINITY)), "it has the number -inf"),
        (Notes::new().with("best", &scores(f64::NAN, 1.0)), "it has the number NaN"),
        (
            Notes::new().with("best", &std::collections::BTreeMap::from([((1, 2), 3)])),
            "key must be a string",
        ),
    ] {
        let error = checkpoints.save(&trainer, &notes).unwrap_err().to_string();
        let expected = "keep it in another form, such as a string";
        assert_eq!(
            error,
            format!("the note `best` could not be read again, since {reason}: {expected}")
        );
        last = notes;
    }
    // A note replaces one of the same name.
    let notes = last.with("best", &0.5).with("none", &None::<f64>);
    checkpoints.save(&trainer, &notes).unwrap();
    assert_eq!(notes.get::<f64>("best").unwrap(), 0.5);
    assert_eq!(notes.get::<Option<f64>>("none").unwrap(), None);
}

/// Runs a test of this module once more, in another process.
fn again(test: &str, folder: &Path, isa: &str) {
    let run = Command::new(env::current_exe().unwrap())
        .args(["--exact", &format!("messages::{test}"), "--nocapture"])
        .current_dir(folder)
        .env("EDB_ISA", isa)
        .env("EDB_AGAIN", "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success() && said.contains("1 passed"), "{said}");
}

/// Fault D6: the variable was as good as not set, unless someone listened to the log.
#[test]
fn an_instruction_set_that_is_none_is_an_error() {
    if env::var_os("EDB_AGAIN").is_none() {
        return again("an_instruction_set_that_is_none_is_an_error", Path::new("."), "bogus");
    }
    let expected = "EDB_ISA is `bogus`; it may be one of portable, avx2, avx512, avx512bf16, amx, or not be \
                    set";
    for threads in [1, 2] {
        let error = Engine::<f32>::with_threads(threads).unwrap_err().to_string();
        assert_eq!(error, expected);
    }
    // What cannot fail runs with the best one.
    let (_, model, g) = without_loss();
    let batch = model.minibatch([&g]).unwrap();
    Engine::new().infer(&model, &batch).unwrap();
}

/// Fault D6: an empty path was no folder, and the error began with a colon.
#[test]
fn no_folder_is_the_working_directory() {
    if env::var_os("EDB_AGAIN").is_none() {
        let folder = tempfile::tempdir().unwrap();
        again("no_folder_is_the_working_directory", folder.path(), "");
        let entries = folder.path().read_dir().unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        assert_eq!(names.filter(|name| name.starts_with("step-")).count(), 1);
        return;
    }
    let checkpoints = Checkpoints::new("");
    assert!(checkpoints.latest().unwrap().is_none());
    let trainer = Trainer::new(without_loss().1, Sgd::new(0.1));
    checkpoints.save(&trainer, &Notes::new()).unwrap();
    assert_eq!(checkpoints.latest().unwrap().unwrap().step, 0);
}

/// A function with a label.
#[vertex_function]
fn told(#[param(X)] w: Tensor) {
    let Word { x } = pull();
    loss((w * x).sum());
}

/// A function that a label may be missing for: two variants.
#[vertex_function]
fn perhaps_told(#[param(X)] w: Tensor) {
    let word: Option<Word> = pull();
    if let Some(Word { x }) = word {
        loss((w * x).sum());
    }
    push(Said { y: w });
}

/// Variants have names that no user has given.
#[test]
fn a_checkpoint_of_other_variants_names_functions() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path());
    let with = |builder: &mut ModelBuilder, perhaps: bool, x: usize| {
        let setup = dims! { X: x }.named("judge");
        match perhaps {
            true => drop(builder.add::<perhaps_told>(setup)),
            false => drop(builder.add::<told>(setup)),
        }
    };
    let trainer = |x: usize, perhaps: Option<bool>| {
        let mut builder = ModelBuilder::new();
        builder.add::<told>(dims! { X: 2 }.named("first"));
        if let Some(perhaps) = perhaps {
            with(&mut builder, perhaps, x);
        }
        Trainer::new(builder.build(1).unwrap(), Sgd::new(0.1))
    };
    let refused = |trainer: &mut Trainer| {
        let error = checkpoints.resume(trainer).unwrap_err().to_string();
        error.split_once(" does not fit: ").unwrap().1.to_owned()
    };
    checkpoints.save(&trainer(3, Some(true)), &Notes::new()).unwrap();
    let missing = "the model has no function `judge`; `judge.w` [3] in the file is no parameter";
    assert_eq!(refused(&mut trainer(3, None)), missing);
    let wider =
        "`judge`: dimension X is 3 in it and 4 in the model; `judge.w` is [4], but [3] in the file";
    assert_eq!(refused(&mut trainer(4, Some(true))), wider);
    let without = refused(&mut trainer(3, Some(false)));
    assert!(without.starts_with("`judge`: ") && !without.contains("no input"), "{without}");

    checkpoints.save(&trainer(3, None), &Notes::new()).unwrap();
    let missing = "it has no function `judge`; `judge.w` [3] is missing from the file";
    assert_eq!(refused(&mut trainer(3, Some(true))), missing);
}

/// A program whose `main` returns an error prints what `Debug` says of it, and so does `unwrap`.
#[test]
fn errors_are_printed_as_they_read() {
    let mut seen = 0;
    let mut pending = vec![Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()];
    while let Some(folder) = pending.pop() {
        for entry in folder.read_dir().unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            // Of the programs and plans inside, users see what models say of them.
            let is_source = path.is_dir()
                && !["target", "examples", "edb-ir", "edb-compiler"].contains(&&*name);
            if is_source && !name.starts_with('.') {
                pending.push(path);
                continue;
            }
            if !name.ends_with(".rs") || !path.components().any(|part| part.as_os_str() == "src") {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            for (at, _) in text.match_indices("#[derive(") {
                let (derived, rest) = text[at..].split_once(']').unwrap();
                let item = rest.split("\n\n").next().unwrap();
                if derived.contains("Error") && item.contains("\npub ") {
                    seen += 1;
                    assert!(!derived.contains("Debug"), "{}: {derived}", path.display());
                }
            }
        }
    }
    assert!(seen >= 20, "only {seen} errors were found");
}
