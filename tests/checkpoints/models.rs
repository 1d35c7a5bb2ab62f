//! A run goes on with its own model, whatever the names and shapes of parameters say.

use std::collections::BTreeMap;
use std::path::PathBuf;

use edb::collective::Collective;
use edb::trainer::TrainError;

use super::*;
use crate::training::Warnings;

#[derive(State)]
struct Memory {
    h: Tensor,
    c: Tensor,
}

#[derive(Input)]
struct Word {
    x: Tensor,
}

#[derive(Output)]
struct Told {
    told: Tensor,
}

mod plain {
    use super::{Memory, Told, Word};
    use edb::prelude::*;

    #[vertex_function]
    pub(super) fn cell(#[param(H, H)] w: Tensor, #[dim(H)] size: Dim) {
        let before = gather_or(0, Memory { h: zeros(size), c: zeros(size) });
        let Word { x } = pull();
        let h = (w.dot(before.h) + x).tanh();
        let c = before.c + h;
        let p = h.square().sum();
        let q = c.sum();
        loss(p);
        push(Told { told: q });
        scatter(Memory { h, c });
    }
}

/// The same in other words.
mod rewritten {
    use super::{Memory, Told, Word};
    use edb::prelude::*;

    #[vertex_function]
    pub(super) fn cell(#[param(H, H)] w: Tensor, #[dim(H)] n: Dim) {
        let Word { x } = pull();
        let last: super::Memory = gather_or(0, Memory { h: zeros(n), c: zeros(n) });
        let _unused = x.exp();
        let new = (w.dot(last.h) + x).tanh();
        let sum = last.c + new;
        push(Told { told: sum.sum() });
        loss(new.square().sum());
        scatter(Memory { c: sum, h: new });
    }
}

mod scatters {
    use super::{Memory, Told, Word};
    use edb::prelude::*;

    #[vertex_function]
    pub(super) fn cell(#[param(H, H)] w: Tensor, #[dim(H)] size: Dim) {
        let before = gather_or(0, Memory { h: zeros(size), c: zeros(size) });
        let Word { x } = pull();
        let h = (w.dot(before.h) + x).tanh();
        let c = before.c + h;
        let p = h.square().sum();
        let q = c.sum();
        loss(p);
        push(Told { told: q });
        scatter(Memory { h: c, c: h });
    }
}

mod loses {
    use super::{Memory, Told, Word};
    use edb::prelude::*;

    #[vertex_function]
    pub(super) fn cell(#[param(H, H)] w: Tensor, #[dim(H)] size: Dim) {
        let before = gather_or(0, Memory { h: zeros(size), c: zeros(size) });
        let Word { x } = pull();
        let h = (w.dot(before.h) + x).tanh();
        let c = before.c + h;
        let p = h.square().sum();
        let q = c.sum();
        loss(q);
        push(Told { told: p });
        scatter(Memory { h, c });
    }
}

/// Thinks until it is sure.
#[vertex_function]
fn think(#[param(C, H)] table: Tensor) {
    let Memory { h, c } = gather(0);
    let scores = table.dot(h);
    let mut sure = scores.max();
    while sure < 0.5 {
        sure += if c.sum() > 0.0 { scores.norm() } else { scores.log_sum_exp() } + 0.25;
    }
    let label = scores.argmax();
    loss(cross_entropy(scores, label) * sure);
}

fn model<F>(more: impl FnOnce(&mut ModelBuilder, &Function<F>)) -> Model
where
    F: edb::VertexFunction,
{
    let mut builder = ModelBuilder::new();
    let cell = builder.add::<F>(dims! { H: 3 });
    more(&mut builder, &cell);
    builder.build(1).unwrap()
}

fn trainer_of<F: edb::VertexFunction>() -> Trainer {
    Trainer::new(model::<F>(|_, _| ()), Sgd::new(0.1))
}

/// Makes a checkpoint one of version 4, which has no fingerprints. Returns the text of its record.
pub(super) fn without_fingerprints(checkpoint: &Path) -> String {
    let record = checkpoint.join("training.json");
    let text = fs::read_to_string(&record).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    json["edb_training"] = 4.into();
    for function in json["functions"].as_array_mut().unwrap() {
        let function = function.as_object_mut().unwrap();
        function.remove("fingerprint");
        function.remove("parameters");
    }
    let text = serde_json::to_string_pretty(&json).unwrap();
    fs::write(&record, &text).unwrap();
    fs::remove_file(checkpoint.join("checksums.txt")).unwrap();
    text
}

fn saved(trainer: &Trainer, folder: &Path) -> PathBuf {
    Checkpoints::new(folder).save(trainer, &Notes::new()).unwrap().path
}

const SCATTERS: [&str; 2] = [
    "`cell`: `c`, which `scatter` writes, is computed in another way",
    "`cell`: `h`, which `scatter` writes, is computed in another way",
];
const LOSES: [&str; 2] = [
    "`cell`: the loss is computed in another way",
    "`cell`: `told`, which `push` gives, is computed in another way",
];

/// Fault C1 of the third list: what a function scatters, pushes and has as its loss was not compared, so
/// that a run went on with another model.
#[test]
fn a_run_is_not_resumed_with_another_model() {
    let folder = tempfile::tempdir().unwrap();
    saved(&trainer_of::<plain::cell>(), folder.path());
    let checkpoints = Checkpoints::new(folder.path());
    for (mut other, expected) in
        [(trainer_of::<scatters::cell>(), SCATTERS), (trainer_of::<loses::cell>(), LOSES)]
    {
        let before = bits(other.model());
        let error = checkpoints.resume(&mut other).unwrap_err();
        let CheckpointError::Differs { differences, .. } = &error else { panic!("{error}") };
        let expected = expected.map(|what| format!("{what} in it than in the model"));
        assert_eq!(*differences, expected);
        assert_eq!((bits(other.model()), other.steps()), (before, 0));
    }
    checkpoints.resume(&mut trainer_of::<rewritten::cell>()).unwrap().unwrap();
}

/// Fault C1 of the third list: nor do ranks train together.
#[test]
fn ranks_with_other_functions_are_refused() {
    for (number, expected) in [SCATTERS, LOSES].into_iter().enumerate() {
        let errors = on_ranks(2, |rank| {
            let trainer = match (rank.rank(), number) {
                (0, _) => trainer_of::<plain::cell>(),
                (_, 0) => trainer_of::<scatters::cell>(),
                _ => trainer_of::<loses::cell>(),
            };
            let mut trainer = trainer.distributed(rank, 2);
            trainer.step_shared(2, |model, _| model.graph()).unwrap_err()
        });
        for error in errors {
            let TrainError::Differs { rank: 1, differences } = &error else { panic!("{error}") };
            let expected = expected.map(|what| format!("{what} on it than on rank 0"));
            assert_eq!(differences[..2], expected);
        }
    }
}

/// Fault C1 of the third list: of functions that share parameters, it was not known which do.
#[test]
fn parameters_that_are_shared_with_another_function_are_found() {
    let shares = |with: usize| {
        let more = |builder: &mut ModelBuilder, _: &Function<plain::cell>| {
            let tables = ["a", "b"]
                .map(|name| builder.add::<think>(dims! { H: 3, C: 4 }.named(name)).param("table"));
            let [a, b] = tables;
            let with = if with == 0 { a } else { b };
            builder.add::<think>(dims! { H: 3, C: 4 }.named("c").share("table", with));
        };
        Trainer::new(model(more), Sgd::new(0.1))
    };
    let folder = tempfile::tempdir().unwrap();
    saved(&shares(0), folder.path());
    let error = Checkpoints::new(folder.path()).resume(&mut shares(1)).unwrap_err();
    let CheckpointError::Differs { differences, .. } = &error else { panic!("{error}") };
    let expected =
        "`c`: the name of the parameter `table` is `a.table` in it and `b.table` in the model";
    assert_eq!(*differences, [expected]);
}

/// What another release makes of the same function is not compared: only what it means.
#[test]
fn what_the_compiler_makes_of_a_function_may_change() {
    let folder = tempfile::tempdir().unwrap();
    let more = |builder: &mut ModelBuilder, _: &Function<plain::cell>| {
        builder.add::<think>(dims! { H: 3, C: 4 });
    };
    let mut trainer = Trainer::new(model(more), Sgd::new(0.1));
    let path = saved(&trainer, folder.path());
    let record = path.join("training.json");
    let text = fs::read_to_string(&record).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let functions = json["functions"].as_array_mut().unwrap();
    assert!(functions.len() > 2, "`think` has sections");
    functions.truncate(2);
    functions.iter_mut().for_each(|function| function["program"] = serde_json::json!([]));
    fs::write(&record, serde_json::to_string(&json).unwrap()).unwrap();
    fs::remove_file(path.join("checksums.txt")).unwrap();
    Checkpoints::new(folder.path()).resume(&mut trainer).unwrap().unwrap();
}

#[test]
fn checkpoints_without_fingerprints_are_read_with_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let path = saved(&trainer_of::<plain::cell>(), folder.path());
    let warned = |trainer: &mut Trainer| {
        let warnings = Warnings::default();
        let resume = || Checkpoints::resume_from(&path, trainer);
        tracing::subscriber::with_default(warnings.clone(), resume).unwrap();
        let texts = warnings.texts();
        texts
            .iter()
            .any(|text| text.contains("what functions scatter, push and lose is not compared"))
    };
    assert!(!warned(&mut trainer_of::<plain::cell>()));
    without_fingerprints(&path);
    assert!(warned(&mut trainer_of::<plain::cell>()));
    // A later edb may make other fingerprints.
    let record = path.join("training.json");
    let text = fs::read_to_string(&record).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    json["functions"][0]["fingerprint"] = serde_json::json!({ "scheme": 9, "parts": {} });
    fs::write(&record, serde_json::to_string(&json).unwrap()).unwrap();
    assert!(warned(&mut trainer_of::<plain::cell>()));
}

/// Into which model parameters are loaded is up to the person who loads them: what differs is told.
#[test]
fn parameters_are_loaded_into_another_model_with_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    let plain = model::<plain::cell>(|_, _| ());
    plain.save_with(&path, &Notes::new().with("hidden", &3)).unwrap();
    assert_eq!(Notes::load(&path).unwrap(), Notes::new().with("hidden", &3));
    let warned = |load: &dyn Fn()| {
        let warnings = Warnings::default();
        tracing::subscriber::with_default(warnings.clone(), load);
        warnings.texts().into_iter().filter(|text| text.contains("in the file than")).collect()
    };
    let load = |path: &Path| {
        let mut builder = ModelBuilder::new();
        builder.add::<scatters::cell>(dims! { H: 3 });
        let made: Model = builder.load(path).unwrap();
        assert_eq!(bits(&made), bits(&plain));
    };
    let found: Vec<String> = warned(&|| load(&path));
    assert_eq!(found, SCATTERS.map(|what| format!("{what} in the file than in the model")));
    let found: Vec<String> = warned(&|| model::<loses::cell>(|_, _| ()).load(&path).unwrap());
    assert_eq!(found, LOSES.map(|what| format!("{what} in the file than in the model")));
    let found: Vec<String> = warned(&|| model::<rewritten::cell>(|_, _| ()).load(&path).unwrap());
    assert!(found.is_empty(), "{found:?}");
    // Those of a checkpoint say it, too.
    let checkpoint = saved(&trainer_of::<plain::cell>(), &folder.path().join("run"));
    let found: Vec<String> = warned(&|| load(&checkpoint.join("model.safetensors")));
    assert_eq!(found.len(), 2);
}

/// Fingerprints of what the macro makes of functions. If this fails, see the test beside
/// `edb_ir::Fingerprint`: runs of earlier releases are refused, unless its `SCHEME` is counted up.
#[test]
fn fingerprints_of_functions_stay_from_release_to_release() {
    let folder = tempfile::tempdir().unwrap();
    let more = |builder: &mut ModelBuilder, _: &Function<plain::cell>| {
        builder.add::<think>(dims! { H: 3, C: 4 });
        builder.add::<zoo::sentiment::word>(dims! { V: 7, X: 5, H: 4 });
        builder.add::<zoo::sentiment::phrase>(dims! { H: 4 });
    };
    let path = saved(&Trainer::new(model(more), Sgd::new(0.1)), folder.path());
    let text = fs::read_to_string(path.join("training.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut found = Vec::new();
    for function in &json["functions"].as_array().unwrap()[..4] {
        let parts = function["fingerprint"]["parts"].clone();
        let parts: BTreeMap<String, String> = serde_json::from_value(parts).unwrap();
        let hashed = parts.into_iter().filter(|(_, value)| value.starts_with('#'));
        let name = function["name"].as_str().unwrap();
        found.extend(hashed.map(|(part, hash)| format!("{name}, {part}: {hash}")));
    }
    assert_eq!(found, FINGERPRINTS);
}

const FINGERPRINTS: [&str; 9] = [
    "cell, losses: #e16294b495010905",
    "cell, push told: #71b823cc0ea0310a",
    "cell, scatter c: #4107cc6d6c199023",
    "cell, scatter h: #658c663b92348498",
    "think, losses: #245a5f3238be7c44",
    "word, scatter c: #39be31a5ce549507",
    "word, scatter h: #2c04cb077c4cf530",
    "phrase, scatter c: #5e9aeb9f74b5aa94",
    "phrase, scatter h: #63bc5e662e8b9ccf",
];

/// A function with a loop, and a branch in the loop: with this bound, this step and this op.
macro_rules! halves {
    ($name:ident, $bound:literal, $less:literal, $op:ident) => {
        mod $name {
            use super::{Memory, Told, Word};
            use edb::prelude::*;

            #[vertex_function]
            pub(super) fn cell(#[param(H, H)] w: Tensor, #[dim(H)] size: Dim) {
                let Word { x } = pull();
                let (mut h, mut left) = (x, scalar(8.0));
                while left > 0.5 {
                    h = w.dot(h).$op();
                    left -= if h.sum() > $bound { scalar(1.0) } else { scalar($less) };
                }
                push(Told { told: h.sum() });
                scatter(Memory { h, c: zeros(size) });
            }
        }
    };
}

halves!(three, 3.0, 2.0, tanh);
halves!(four, 4.0, 2.0, tanh);
halves!(less, 3.0, 1.5, tanh);
halves!(exps, 3.0, 2.0, exp);

/// Fault C1 of the fourth list: if a loop differed, only the results that depend on it were named.
#[test]
fn what_differs_in_a_loop_is_found() {
    let folder = tempfile::tempdir().unwrap();
    saved(&trainer_of::<three::cell>(), folder.path());
    let checkpoints = Checkpoints::new(folder.path());
    let others: [fn() -> Trainer; 3] =
        [trainer_of::<four::cell>, trainer_of::<less::cell>, trainer_of::<exps::cell>];
    let ops = [["constant 3", "constant 4"], ["constant 2", "constant 1.5"], ["tanh", "exp"]];
    for (other, [here, there]) in others.into_iter().zip(ops) {
        let error = checkpoints.resume(&mut other()).unwrap_err();
        let CheckpointError::Differs { differences, .. } = &error else { panic!("{error}") };
        let last = differences.last().unwrap();
        let named = last.starts_with(&format!("`cell`: `{here}"))
            && last.contains(&format!("` in it is `{there}"))
            && last.ends_with("` in the model");
        assert!(named, "{error}");
        let errors = on_ranks(2, |rank| {
            let made = if rank.rank() == 0 { other() } else { trainer_of::<three::cell>() };
            let mut trainer = made.distributed(rank, 2);
            trainer.step_shared(2, |model, _| model.graph()).unwrap_err()
        });
        for error in errors {
            let TrainError::Differs { rank: 1, differences } = &error else { panic!("{error}") };
            let named = |of: &String| {
                of.starts_with(&format!("`cell`: `{here}"))
                    && of.contains(&format!("` on it is `{there}"))
                    && of.ends_with("` on rank 0")
            };
            assert!(differences.iter().any(named), "{error}");
        }
    }
}

/// Fault C1 of the fourth list: if the sizes of a function differed, the error of the ranks only had a hash.
#[test]
fn ranks_with_other_sizes_are_told_which() {
    let errors = on_ranks(2, |rank| {
        let mut builder = ModelBuilder::new();
        builder.add::<plain::cell>(dims! { H: 3 + rank.rank() });
        let trainer: Trainer = Trainer::new(builder.build(1).unwrap(), Sgd::new(0.1));
        trainer.distributed(rank, 2).step_shared(2, |model, _| model.graph()).unwrap_err()
    });
    for error in errors {
        let TrainError::Differs { rank: 1, differences } = &error else { panic!("{error}") };
        assert_eq!(differences[0], "`cell`: dimension H is 4 on it and 3 on rank 0");
        assert!(differences.iter().all(|of| !of.contains("another one, of hash")), "{error}");
    }
}
