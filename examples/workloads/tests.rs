//! What the tests of all workloads use, and the tests of measuring itself.

use std::time::Duration;

use edb::Element;
use edb::prelude::*;
use edb::testing::{Check, compiled_equals_eager, grown_equals_eager, hessian_check};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::tree_fc::CompleteTrees;
use crate::workload::Loaded;
use readers::lines::LineError;

/// How a text is read.
pub fn text(text: &str) -> Reading {
    Reading { lines: Lines::of("text", text.to_owned()), most: 9, modulo: None }
}

/// The message about this text.
pub fn wrong<R>(
    wrong: &str,
    read: impl Fn(Reading) -> std::result::Result<R, LineError>,
) -> String {
    let error = read(text(wrong)).err().unwrap().to_string();
    error.strip_prefix("text").unwrap().to_owned()
}

/// A workload in a small model.
pub fn loaded<T: Element, W: Workload>(
    workload: &W,
    hidden: usize,
    mode: Mode,
) -> (Loaded<'_, W>, Model<T>) {
    let mut builder = ModelBuilder::new();
    let functions = workload.functions(&mut builder, hidden);
    (Loaded { workload, functions, mode }, builder.build_as(3).unwrap())
}

/// What is known of the records when they have grown.
pub fn grown<W: Workload>(workload: &W, mode: Mode) -> Vec<W::Growing> {
    let (load, model) = loaded::<f32, W>(workload, 3, mode);
    load.minibatch(&mut Engine::new(), &model, workload.records()).unwrap().growing
}

/// The operations that follow from what the vertices of each record decide, in inference.
pub fn decided<W: Workload>(workload: &W, hidden: usize) -> Vec<u64> {
    let (load, model) = loaded::<f32, W>(workload, hidden, Mode::Infer);
    let mut engine = Engine::new();
    let batch = load.minibatch(&mut engine, &model, workload.records()).unwrap().minibatch;
    let run = engine.infer(&model, &batch).unwrap();
    let records = workload.records().iter().enumerate();
    let of = |(place, record)| workload.decided_flops(&run, place, record, hidden).unwrap();
    records.map(of).collect()
}

/// Holds all records of a workload, batched under every policy, against the eager functions; if they
/// grow, as they grow in both modes.
pub fn agree<W: Workload>(workload: &W) {
    fn agree_in<T: Element, W: Workload>(workload: &W, mode: Mode) {
        let (load, model) = loaded::<T, W>(workload, 3, mode);
        let (graphs, mut growing) = load.graphs(&model, workload.records());
        let check = Check::default();
        if !W::GROWS {
            let batch = model.minibatch(&graphs).unwrap();
            return compiled_equals_eager(&model, &batch, &check).unwrap();
        }
        let mut engine = Engine::new();
        let mut growth = engine.grow_forward(&model, graphs, 0).unwrap();
        load.grow(&mut growth, &mut growing, workload.records()).unwrap();
        grown_equals_eager(&mut growth.finish().unwrap(), &check).unwrap();
    }
    agree_in::<f32, W>(workload, Mode::Train);
    agree_in::<f64, W>(workload, Mode::Train);
    curves(workload);
    if W::GROWS {
        agree_in::<f32, W>(workload, Mode::Infer);
        agree_in::<f64, W>(workload, Mode::Infer);
    }
}

/// Holds products with the Hessian of a workload against differences of gradients; if its graphs
/// grow, of what they become.
fn curves<W: Workload>(workload: &W) {
    let (load, mut model) = loaded::<f64, W>(workload, 3, Mode::Train);
    let (graphs, mut growing) = load.graphs(&model, workload.records());
    let batch = if W::GROWS {
        let mut engine = Engine::new();
        let mut growth = engine.grow_forward(&model, graphs, 0).unwrap();
        load.grow(&mut growth, &mut growing, workload.records()).unwrap();
        growth.finish().unwrap().minibatch().clone()
    } else {
        model.minibatch(&graphs).unwrap()
    };
    let mut tangent = model.tangent_by(edb_compiler::tangent).unwrap();
    assert!(hessian_check(&mut model, &mut tangent, &batch, 1e-5, 1e-6).unwrap());
}

const TREES: &str = "(1 (3 (1 w7) (0 w2)) (2 w7))\n(4 w1)\n(0 (1 w0) (2 w1))\n";

/// A small measurement.
pub fn setting(mode: Mode, batch: usize) -> Setting {
    let time = Duration::ZERO;
    let device = "cpu".into();
    let (disable, policy) = (Vec::new(), Scheduled::Default);
    Setting {
        mode,
        hidden: 8,
        batch,
        threads: 2,
        device,
        passes: 5,
        time,
        seed: 1,
        disable,
        policy,
    }
}

#[test]
fn every_policy_schedules() {
    let trees = Sentiments::<TreeLstm>::read(text(TREES), 2).unwrap();
    for policy in Scheduled::value_variants() {
        let setting = Setting { policy: *policy, ..setting(Mode::Infer, 2) };
        let row = measure("tree-lstm-2type", &trees, &setting).unwrap();
        assert!(row.batches >= row.lower_bound, "{row:?}");
        assert_eq!(row.policy.is_none(), *policy == Scheduled::Default);
    }
    // Where vertices decide, nothing can be scheduled beforehand.
    let routed = Sentiments::<Routed>::read(text(TREES), 1).unwrap();
    let setting = Setting { policy: Scheduled::Depth, ..setting(Mode::Infer, 2) };
    let refused = measure("routed-tree", &routed, &setting).unwrap_err().to_string();
    assert!(refused.contains("--policy"), "{refused}");
}

#[test]
fn parts_of_a_pass_are_within_it() {
    let trees = tree_lstm::Binary::read(text(TREES)).unwrap();
    for (mode, batch) in [(Mode::Train, 1), (Mode::Train, 2), (Mode::Infer, 256)] {
        let row = measure("tree-lstm", &trees, &setting(mode, batch)).unwrap();
        let before = row.construct_ms + row.schedule_ms + row.forward_ms;
        let parts = before + row.backward_ms + row.update_ms;
        assert!(before > 0.0 && parts <= row.ms_per_batch * 1.000_001, "{row:?}");
        assert_eq!(mode == Mode::Train, row.backward_ms > 0.0);
        assert_eq!(mode == Mode::Train, row.update_ms > 0.0);
        // Tables are looked up forward, and children's gradients are summed backward. What tests
        // beside this one move counts, too.
        assert!(row.moving_forward_ms > Some(0.0), "{row:?}");
        assert!(mode == Mode::Infer || row.moving_backward_ms > Some(0.0), "{row:?}");
        assert!(row.batches >= row.lower_bound && row.lower_bound > 0.0, "{row:?}");
        assert!(row.arena_bytes > 0);
        // Instances over time, whatever the size of the last minibatch.
        let minibatches = 3_usize.div_ceil(batch) as f64;
        let seconds = row.ms_per_batch * minibatches / 1e3;
        assert!((row.instances_per_s * seconds - 3.0).abs() < 1e-6);
        let passes = if mode == Mode::Train { 3.0 } else { 1.0 };
        let flops = 6.0 * 6.0 * 64.0 + 3.0 * 20.0 * 64.0 + 9.0 * 10.0 * 8.0;
        assert!((row.gflops * seconds * 1e9 - passes * flops).abs() < 1e-3, "{row:?}");
        assert!((row.fraction_of_peak * row.peak_gflops - row.gflops).abs() < 1e-9);
    }
}

#[test]
fn rounds_are_parts_of_a_pass() {
    let pairs = Spoken(translate::Pairs::read(text("a b ||| x\nb ||| x y\n")).unwrap());
    for mode in [Mode::Train, Mode::Infer] {
        let row = measure("translate-grow", &pairs, &setting(mode, 2)).unwrap();
        let run = row.schedule_ms + row.forward_ms + row.backward_ms + row.update_ms;
        let parts = row.construct_ms + run;
        assert!(row.construct_ms > 0.0 && parts <= row.ms_per_batch * 1.000_001, "{row:?}");
        assert!(row.batches >= row.lower_bound && row.gflops > 0.0, "{row:?}");
        // A word in each round, and a last one in which nothing is added.
        assert!(row.rounds.unwrap() >= 2.0 && row.competitive_ratio.unwrap() < 1.5, "{row:?}");
    }
}

#[test]
fn decisions_are_counted() {
    let pondered = Pondered(tagger::Tagged::read(text("w1|T0 w15|T16\nw1|T3\n"), false).unwrap());
    for (mode, passes) in [(Mode::Train, 3), (Mode::Infer, 1)] {
        let row = measure("ponder", &pondered, &setting(mode, 2)).unwrap();
        assert!(row.batches >= row.lower_bound && row.rounds.is_none(), "{row:?}");
        let known: u64 = pondered.records().iter().map(|record| pondered.flops(record, 8)).sum();
        let flops = row.gflops * row.ms_per_batch * 1e6;
        // At least a step for each word in each direction, of `2 h² + 2 h`.
        assert!(flops >= (passes * (known + 3 * 2 * 144)) as f64 - 1e-3, "{row:?}");
    }
}

#[test]
fn a_row_has_the_keys_that_scripts_read() {
    let trees = CompleteTrees::draw(4, 2, 1).unwrap();
    let row = measure("tree-fc", &trees, &setting(Mode::Train, 2)).unwrap();
    let keys = |row: &Row| {
        let value = serde_json::to_value(row).unwrap();
        value.as_object().unwrap().keys().cloned().collect::<std::collections::BTreeSet<_>>()
    };
    let expected = "workload, mode, hidden, batch, threads, instances_per_s, ms_per_batch, \
        construct_ms, schedule_ms, forward_ms, backward_ms, update_ms, moving_forward_ms, \
        moving_backward_ms, batches, lower_bound, gflops, peak_gflops, fraction_of_peak, copied_bytes, \
        arena_bytes";
    assert_eq!(keys(&row), expected.split(", ").map(str::to_owned).collect());
    assert!(keys(&Row { leaves: Some(4), ..row.clone() }).contains("leaves"));
    assert_eq!(row.cells().len(), Row::HEADING.len());
}

#[test]
fn nothing_cannot_be_measured() {
    let trees = CompleteTrees::draw(4, 0, 1).unwrap();
    let error = measure("tree-fc", &trees, &setting(Mode::Train, 2)).unwrap_err();
    assert_eq!(error.to_string(), "there are no instances");
}

#[test]
fn leaves_are_lists_or_double() {
    assert_eq!(leaves("32..1024"), Ok(vec![32, 64, 128, 256, 512, 1024]));
    assert_eq!(leaves("32..100"), Ok(vec![32, 64]));
    assert_eq!(leaves("8,2"), Ok(vec![8, 2]));
    for text in ["", "0", "a", "8..", "..8", "-1", "8..2"] {
        let error = leaves(text).unwrap_err();
        assert!(
            error.contains("found `") || error == "8..2 has no numbers: it begins behind its end"
        );
    }
}

/// The command line, on no time.
fn cli(arguments: &[&str]) -> Cli {
    let quick = ["--seconds", "0", "--passes", "1", "--hidden", "4", "--batch", "1,32", "--json"];
    Cli::parse_from([&["workloads"], arguments, &quick].concat())
}

#[test]
fn every_workload_runs_on_what_is_drawn() {
    let check = |name: &Name| {
        // Small tables, and small trees.
        let small: &[&str] = match name {
            Name::TreeFc => &["--leaves", "4"],
            name if name.has_ids() => &["--ids-modulo", "64"],
            _ => &[],
        };
        let name = name.to_possible_value().unwrap();
        let result = run(&cli(&[&[name.get_name()], small].concat()));
        assert!(result.is_ok(), "{}: {}", name.get_name(), result.unwrap_err());
    };
    // It takes longer than all other tests here, so it shares the processor with itself.
    std::thread::scope(|scope| {
        for half in 0..2 {
            scope
                .spawn(move || Name::value_variants().iter().skip(half).step_by(2).for_each(check));
        }
    });
}

#[test]
fn files_are_read_and_named() {
    let folder = support::folder::Folder::new().unwrap();
    let path = folder.path().join("trees.txt");
    let path = path.to_str().unwrap();
    let error = |arguments: &[&str]| run(&cli(arguments)).unwrap_err().to_string();
    assert!(error(&["tree-gru", "--data", path]).starts_with(&format!("{path}: cannot be opened")));
    std::fs::write(path, TREES).unwrap();
    run(&cli(&["tree-gru", "--data", path])).unwrap();
    run(&cli(&["mv-rnn", "--data", path, "--ids-modulo", "2"])).unwrap();
    std::fs::write(path, "(1 w1)\n(2 w1) 3\n").unwrap();
    let expected = "line 2: column 8: expected the end of the line, found `3`";
    assert_eq!(error(&["sentiment", "--data", path]), format!("{path}, {expected}"));
    std::fs::write(path, "").unwrap();
    assert_eq!(error(&["sentiment", "--data", path]), "there are no instances");
}

#[test]
fn options_that_do_nothing_are_refused() {
    let error = |arguments: &[&str]| run(&cli(arguments)).unwrap_err().to_string();
    assert_eq!(error(&["tree-gru", "--leaves", "4"]), "only tree-fc has --leaves");
    for name in ["tree-fc", "linear-layer", "perceptron"] {
        for arguments in [&[name, "--data", "x"][..], &[name, "--print-instances"]] {
            let expected = format!("{name} draws its instances, in no format that it could read");
            assert_eq!(error(arguments), expected);
        }
    }
    for name in ["parser", "generate", "molecules", "child-sum", "tree-fc", "perceptron"] {
        let found = error(&[name, "--ids-modulo", "9"]);
        assert_eq!(found, "this workload has no ids to be taken modulo anything");
    }
}

/// A text with something done to it.
fn damaged(text: &str, rng: &mut ChaCha8Rng) -> String {
    let odd = "\0 \t\n\r()|0159-:.wT\u{a0}\u{feff}\u{e9}";
    let odd: Vec<char> = odd.chars().collect();
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..rng.random_range(1..4) {
        let (place, to) = (rng.random_range(0..text.len()), rng.random_range(0..text.len()));
        match rng.random_range(0..6) {
            0 => text[place] = odd[rng.random_range(0..odd.len())],
            1 => text.insert(place, odd[rng.random_range(0..odd.len())]),
            2 => text.swap(place, to),
            3 => drop(text.remove(place)),
            4 => drop(text.drain(place.min(to)..place.max(to).min(place.min(to) + 20))),
            _ => text.truncate(place.max(1)),
        }
        if text.is_empty() {
            break;
        }
    }
    text.into_iter().collect()
}

/// Whatever of a damaged text is read can be run; how often nothing is.
fn withstands<W: Workload>(name: Name, read: impl Fn(Reading) -> Result<W>) -> usize {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let drawn = name.draw(7);
    let few: String = drawn.split_inclusive('\n').take(40).collect();
    let (mut errors, mut runs) = (0, 0);
    for _ in 0..20 {
        let modulo = NonZeroU32::new(5).filter(|_| name.has_ids());
        let lines = Lines::of("text", damaged(&few, &mut rng));
        let workload = match read(Reading { lines, most: 3, modulo }) {
            Ok(workload) => workload,
            Err(error) => {
                assert!(error.to_string().starts_with("text, line "), "{error}");
                errors += 1;
                continue;
            }
        };
        let (load, model) = loaded::<f32, W>(&workload, 2, Mode::Train);
        load.minibatch(&mut Engine::new(), &model, workload.records()).unwrap();
        runs += 1;
    }
    // A damage to a word is none to the format.
    assert!(runs > 0, "{name:?}");
    errors
}

#[test]
fn damaged_files_are_errors_or_can_be_run() {
    let errors = [
        withstands(Name::TreeLstm, |text| Ok(tree_lstm::Binary::read(text)?)),
        withstands(Name::MvRnn, |text| Ok(Sentiments::<MvRnn>::read(text, 1)?)),
        withstands(Name::BilstmTagger, |text| Ok(bilstm::Sentences::read(text)?)),
        withstands(Name::TaggerChars, |text| Ok(tagger::Tagged::read(text, true)?)),
        withstands(Name::Ponder, |text| Ok(Pondered(tagger::Tagged::read(text, false)?))),
        withstands(Name::LatticeEdbatch, |text| Ok(EdBatch(lattice::read(text)?))),
        withstands(Name::LatticeNer, |text| Ok(Entities::read(text, Cell::LatticeLstm)?)),
        withstands(Name::LatticeNerGru, |text| Ok(Entities::read(text, Cell::LatticeGru)?)),
        withstands(Name::LanguageModel, |text| Ok(language_model::Sentences::read(text)?)),
        withstands(Name::FixedLstm, |text| Ok(language_model::Sentences::cut(text)?)),
        withstands(Name::Translate, |text| Ok(translate::Pairs::read(text)?)),
        withstands(Name::TranslateGrow, |text| Ok(Spoken(translate::Pairs::read(text)?))),
        withstands(Name::Relatedness, |text| Ok(relatedness::Pairs::read(text)?)),
        withstands(Name::Molecules, |text| Ok(molecules::Measured::read(text)?)),
        withstands(Name::Parser, |text| Ok(parser::Sentences::read(text)?)),
        withstands(Name::Generate, |text| Ok(generate::Trees::read(text)?)),
    ];
    // Any line is a sentence, but for one with a NUL in it.
    assert!(errors.iter().filter(|errors| **errors > 0).count() >= 10, "{errors:?}");
}
