//! A model as one file: what opens it answers, trains and grows with the same bits, and a file that is broken is an error.

use std::fs;
use std::path::Path;

use edb::Element;
use edb::engine::answer::Values;
use edb::graph::{InputRecord, Pulled, VertexRecord};
use edb::model::{Bundle, BundleError, BundleProblem, Example, Notes, Setup};
use edb::prelude::*;

use edb_backend_suite::ports::{Gold, Memory, Word};
use edb_ir::{Builder, Dim};

#[derive(Output)]
struct Scores {
    logits: Tensor,
    best: Index,
}

#[derive(Output)]
struct Said {
    word: Index,
    h: Tensor,
}

#[vertex_function(tangent)]
fn leaf(#[param(V, H)] table: Tensor) {
    let Word { id } = pull();
    scatter(Memory { h: table.row(id) });
}

/// Numbers that JSON lacks, and parameters that are shared.
#[vertex_function(tangent)]
fn join(#[param(H, H)] w: Tensor, #[param(H)] b: Tensor) {
    let mut sum = scalar(0.0).ln() + b;
    for child in gather_all::<Memory>() {
        sum = sum.log_add(w.log_dot(child.h));
    }
    scatter(Memory { h: sum.tanh() });
}

/// Thinks for as long as its numbers say; with a label, it learns.
#[vertex_function]
fn judge(#[param(H, H)] u: Tensor, #[param(C, H)] out: Tensor) {
    let node: Memory = gather(0);
    let gold: Option<Gold> = pull();
    let mut h = u.dot(node.h).sigmoid();
    while h.max() > 0.4 {
        h = 0.8 * h - (u.dot(h)).sigmoid() * 0.05;
    }
    let logits = out.dot(h);
    push(Scores { logits, best: logits.argmax() });
    if let Some(Gold { label }) = gold {
        loss(cross_entropy(logits, label));
    }
}

/// Pushes a list.
#[vertex_function]
fn say(#[param(V, H)] table: Tensor, #[param(H, H)] w: Tensor) {
    let mut h = gather::<Memory>(0).h;
    let mut count = scalar(0.0);
    while count < 3.0 && h.sum() < 40.0 {
        let word = table.dot(h).argmax();
        h = (w.dot(h) + table.row(word)).tanh();
        push(Said { word, h });
        count += 1.0;
    }
}

#[derive(Functions)]
struct Net {
    leaf: Function<leaf>,
    join: Function<join>,
    judge: Function<judge>,
    say: Function<say>,
}

fn net<T: Element>() -> (Net, Model<T>) {
    let mut builder = ModelBuilder::new();
    let f = builder.add_all(
        dims! { V: 7, H: 5, C: 3 }.share("say.table", "leaf.table").share("say.w", "join.w"),
    );
    (f, builder.build_as(3).unwrap())
}

fn tree<T: Element>(f: &Net, model: &Model<T>, words: &[u32], label: Option<u32>) -> Graph<T> {
    let mut g = model.graph();
    let mut nodes = Vec::new();
    for &word in words {
        nodes.push(g.add(&f.leaf, (), Word { id: Index(word) }));
        if nodes.len() == 3 {
            let all = g.add(&f.join, &nodes[..], ());
            nodes = vec![all];
        }
    }
    let root = g.add(&f.join, &nodes[..], ());
    match label {
        Some(label) => g.add(&f.judge, [root], Gold { label: Index(label) }),
        None => g.add(&f.judge, [root], ()),
    };
    g.add(&f.say, [root], ());
    g
}

fn trees<T: Element>(f: &Net, model: &Model<T>) -> Vec<Graph<T>> {
    let words: [&[u32]; 4] = [&[1, 2, 3, 4], &[6], &[0, 5, 1, 1, 2, 3, 4], &[2, 2]];
    words
        .into_iter()
        .zip([Some(1), None, Some(2), Some(0)])
        .map(|(w, l)| tree(f, model, w, l))
        .collect()
}

fn bits<T: Element>(model: &Model<T>) -> Vec<u64> {
    let values = model.parameters().iter().flat_map(|(_, of)| of.values().unwrap().to_vec());
    values.map(|value| value.as_f64().to_bits()).collect()
}

fn same_bits<T: Element>() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.edb");
    let (f, model) = net::<T>();
    let graphs = trees(&f, &model);
    let examples = Engine::new().examples(&model, &graphs).unwrap();
    let notes = Notes::new().with("words", &["a", "film"]);
    let policy = Policy::Depth;
    model.bundle().notes(notes).policy(&policy).examples(examples).save(&path).unwrap();

    let opened = Bundle::<T>::open(&path).unwrap();
    assert_eq!(opened.notes.get::<Vec<String>>("words").unwrap(), ["a", "film"]);
    assert!(matches!(opened.policy, Some(Policy::Depth)));
    assert_eq!(bits(&opened.model), bits(&model));
    for replayed in
        Engine::with_threads(2).unwrap().replay(&opened.model, &opened.examples).unwrap()
    {
        assert_eq!((replayed.difference, replayed.place.as_str()), (0.0, ""));
    }

    // Its graphs are read from records, and trained on.
    let records: Vec<_> = graphs.iter().map(|g| model.record_of(g).unwrap()).collect();
    let read: Vec<_> = records.iter().map(|g| opened.model.graph_from_record(g).unwrap()).collect();
    let answers = |model: &Model<T>, graphs: &[Graph<T>]| {
        let batch = model.minibatch(graphs).unwrap();
        let mut engine = Engine::new();
        let run = engine.infer(model, &batch).unwrap();
        (0..graphs.len()).map(|graph| run.answer(graph).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(answers(&model, &graphs), answers(&opened.model, &read));
    let trained = |model: Model<T>, graphs: &[Graph<T>]| {
        let batch = model.minibatch(graphs).unwrap();
        let mut trainer = Trainer::new(model, Adam::new(1e-2));
        let losses: Vec<f64> = (0..4).map(|_| trainer.step(&batch).unwrap().loss).collect();
        (losses, bits(trainer.model()))
    };
    // A bundle of a bundle is the same file.
    let again = folder.path().join("again.edb");
    let Bundle { model: of_file, notes, examples, .. } = opened;
    of_file.bundle().notes(notes).policy(&policy).examples(examples).save(&again).unwrap();
    assert!(fs::read(&path).unwrap() == fs::read(&again).unwrap());
    assert_eq!(trained(model, &graphs), trained(of_file, &read));
}

#[test]
fn an_opened_bundle_has_the_same_bits() {
    same_bits::<f32>();
    same_bits::<f64>();
}

/// Functions are found by name while graphs grow: here a chain, of which each word is what the last vertex has decided.
#[test]
fn an_opened_bundle_grows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.edb");
    let (f, model) = net::<f64>();
    model.save_bundle(&path).unwrap();
    let opened = Bundle::<f64>::open(&path).unwrap().model;

    let mut typed = model.graph();
    let first = typed.add(&f.leaf, (), Word { id: Index(1) });
    typed.add(&f.judge, [first], ());
    let mut engine = Engine::new();
    let mut growth = engine.grow(&model, [typed]).unwrap();
    let mut last = first;
    for _ in 0..5 {
        for mut g in growth.round().unwrap().unwrap() {
            let decided = g.decided(&f.judge).last();
            let id = Index(decided.unwrap().1.best.0 + 2);
            let word = g.add(&f.leaf, (), Word { id });
            last = g.add(&f.join, &[last, word], ());
            g.add(&f.judge, [last], ());
        }
    }
    let expected = growth.finish().unwrap().answer(0).unwrap();

    let mut named = opened.graph();
    let first = VertexRecord::new("leaf").with("id", Index(1));
    let mut last = opened.add_record(&mut named, &first).unwrap();
    opened.add_record(&mut named, &VertexRecord::new("judge").child(last)).unwrap();
    let mut engine = Engine::new();
    let mut growth = engine.grow(&opened, [named]).unwrap();
    for _ in 0..5 {
        for mut g in growth.round().unwrap().unwrap() {
            let best = g.index_at(g.new_vertices().last().unwrap(), "best").unwrap();
            let word =
                g.add_record(&VertexRecord::new("leaf").with("id", Index(best + 2))).unwrap();
            last = g.add_record(&VertexRecord::new("join").child(last).child(word)).unwrap();
            g.add_record(&VertexRecord::new("judge").child(last)).unwrap();
        }
    }
    assert_eq!(growth.finish().unwrap().answer(0).unwrap(), expected);
    assert_eq!(expected.vertices.len(), 6);
}

/// Second derivatives, of which the file has the plans.
#[test]
fn an_opened_bundle_has_tangents() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.edb");
    let mut builder = ModelBuilder::new();
    builder.add::<leaf>(dims! { V: 7, H: 5 });
    builder.add::<join>(dims! { H: 5 });
    let model: Model = builder.build(3).unwrap();
    model.tangent().unwrap();
    model.save_bundle(&path).unwrap();
    Bundle::<f32>::open(&path).unwrap().model.tangent().unwrap();
}

fn edited(path: &Path, edit: impl Fn(&str) -> String) -> BundleError {
    let bytes = fs::read(path).unwrap();
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let mut header: serde_json::Value = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
    let text = header["__metadata__"]["edb.bundle"].as_str().unwrap();
    header["__metadata__"]["edb.bundle"] = edit(text).into();
    let header = header.to_string();
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header.as_bytes());
    file.extend(&bytes[8 + length..]);
    let wrong = path.with_extension("wrong");
    fs::write(&wrong, file).unwrap();
    Bundle::<f32>::open(&wrong).unwrap_err()
}

/// Functions that were built by hand mention only some fields of a state; their ports have names in place of types.
#[test]
fn states_of_functions_built_by_hand_are_whole() {
    let scatters = |name: &str, fields: &[&str]| {
        let mut b = Builder::new(name, Vec::new());
        let state = b.state("S");
        let zeros = fields.iter().map(|field| (*field, b.zeros(Dim::constant(3))));
        let zeros: Vec<_> = zeros.collect();
        let pushed = b.zeros(Dim::constant(2));
        b.push_output("S", &[("y", pushed)]);
        b.scatter(state, &zeros).unwrap();
        b.finish().unwrap()
    };
    let mut builder = ModelBuilder::new();
    for (name, fields) in [("one", &["h"][..]), ("two", &["h", "c"])] {
        builder.add_program(scatters(name, fields), edb_compiler::compile, Setup::new());
    }
    let model: Model = builder.build(1).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.edb");
    model.save_bundle(&path).unwrap();
    assert_eq!(Bundle::<f32>::open(&path).unwrap().model.summary(), model.summary());
}

/// A file that takes the place of another is opened as a whole, or not at all.
#[test]
fn a_bundle_is_of_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.edb");
    let (_, mut model) = net::<f32>();
    let save = |model: &mut Model, number: f32| {
        for (_, parameter) in model.parameters_mut().iter_mut() {
            let values = vec![number; parameter.len()];
            parameter.set_values(&values).unwrap();
        }
        model.bundle().notes(Notes::new().with("number", &number)).save(&path).unwrap();
    };
    save(&mut model, 1.0);
    std::thread::scope(|scope| {
        let save = &save;
        let writer = scope.spawn(move || {
            for at in 0..60 {
                save(&mut model, 1.0 + (at % 2) as f32);
            }
        });
        while !writer.is_finished() {
            let bundle = Bundle::<f32>::open(&path).unwrap();
            let number: f32 = bundle.notes.get("number").unwrap();
            let (_, first) = bundle.model.parameters().iter().next().unwrap();
            assert_eq!(first.values().unwrap()[0], number);
        }
    });
}

/// What is not the same has a difference: signs of zeros, fields, numbers of vertices and indices.
#[test]
fn a_wrong_answer_is_seen() {
    let (f, model) = net::<f32>();
    let examples = Engine::new().examples(&model, &trees(&f, &model)[..1]).unwrap();
    let replayed = |answer: serde_json::Value| {
        let example = Example { answer, ..examples[0].clone() };
        Engine::new().replay(&model, &[example]).unwrap()[0].difference
    };
    let right = examples[0].answer.clone();
    assert_eq!(replayed(right.clone()), 0.0);
    let edited = |edit: &dyn Fn(&mut serde_json::Value)| {
        let mut answer = right.clone();
        edit(&mut answer);
        replayed(answer)
    };
    assert_eq!(edited(&|answer| answer["vertices"][0]["vertex"] = 77.into()), f64::INFINITY);
    let best = |answer: &mut serde_json::Value| {
        answer["vertices"][0]["output"]["best"] = 0.000_000_001.into();
    };
    assert_eq!(edited(&best), f64::INFINITY);
    let without_loss = |answer: &mut serde_json::Value| {
        let answer = answer.as_object_mut().unwrap();
        answer.remove("loss");
        answer.insert("zzz".into(), serde_json::Value::Null);
    };
    assert_eq!(edited(&without_loss), f64::INFINITY);
    let nearly = edited(&|answer| {
        let loss = answer["loss"].as_f64().unwrap();
        answer["loss"] = (loss * (1.0 + 1e-12)).into();
    });
    assert!(nearly > 0.0 && nearly < 1e-11, "{nearly}");
}

#[track_caller]
fn says(message: &str, what: &str) {
    assert!(message.contains(what), "{message}");
}

#[test]
fn a_wrong_file_says_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.edb");
    let (_, model) = net::<f32>();
    model.save(&path).unwrap();
    let message =
        |error: BundleError| error.to_string().replace(folder.path().to_str().unwrap(), "..");
    assert!(
        message(Bundle::<f32>::open(&path).unwrap_err())
            .starts_with("../net.edb: it has no functions")
    );

    model.save_bundle(&path).unwrap();
    assert_eq!(
        message(Bundle::<f64>::open(&path).unwrap_err()),
        "../net.edb: its numbers are f32: open it by `Bundle::<f32>::open` instead of `Bundle::<f64>::open`"
    );
    let replaced = |from: &str, to: &str| {
        message(edited(&path, |text| {
            assert!(text.contains(from), "{from}");
            text.replacen(from, to, 1)
        }))
    };
    says(&replaced("\"edb_bundle\":1", "\"edb_bundle\":7"), "of version 7");
    says(
        &replaced("\"name\":\"join\",\"dims\":{\"H\":5}", "\"name\":\"join\",\"dims\":{\"H\":4}"),
        "`Memory.h` is [5] in `leaf`, but [4] in `join`",
    );
    let huge = replaced("\"dims\":{\"H\":5,\"V\":7}", "\"dims\":{\"H\":5,\"V\":4000000000}");
    assert!(huge.contains("[4000000000, 5]"), "{huge}");
    says(
        &replaced("Tanh", "Tangens"),
        "its function `join` is broken: its plan: unknown variant `Tangens`",
    );
    says(&replaced("\"states\":[0", "\"states\":[99"), "it names port 99 of");
    let policy =
        message(edited(&path, |text| text.replacen("\"policy\":null", "\"policy\":{}", 1)));
    assert!(policy.contains("its policy: "), "{policy}");

    let notes = Notes::new().with("edb.bundle", &1);
    let error = model.bundle().notes(notes).save(&path).unwrap_err();
    assert!(matches!(*error.problem, BundleProblem::ReservedNote));
    let other = path.with_extension("none");
    assert!(Bundle::<f32>::open(&other).is_err());
}

/// A bundle that is cut at any byte of its header, or has other bytes there, is an error or a model that works.
#[test]
fn a_damaged_file_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.edb");
    let (_, model) = net::<f32>();
    model.save_bundle(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    let wrong = folder.path().join("wrong.edb");
    for end in (0..bytes.len()).step_by(997) {
        fs::write(&wrong, &bytes[..end]).unwrap();
        Bundle::<f32>::open(&wrong).unwrap_err();
    }
    let mut seed = 1_u64;
    for _ in 0..200 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let mut damaged = bytes.clone();
        let place = (seed >> 33) as usize % damaged.len();
        damaged[place] = b"0123456789\"[]{},x-"[(seed >> 20) as usize % 18];
        fs::write(&wrong, &damaged).unwrap();
        _ = Bundle::<f32>::open(&wrong);
    }
}

/// A file that version 1 of the format has written. No commit may change it, and every later edb opens it.
#[test]
fn a_file_of_version_1_opens() {
    const LENGTH_AND_HASH: (usize, u64) = (209_532, 0xe0ba_4ae1_a5cc_f871);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/frozen/bundle-1.edb");
    let bytes = fs::read(&path).unwrap();
    // FNV-1a.
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    assert_eq!((bytes.len(), hash), LENGTH_AND_HASH, "the file has changed");
    let bundle = Bundle::<f32>::open(&path).unwrap();
    assert_eq!(bundle.notes.get::<Vec<String>>("words").unwrap(), ["a", "film"]);
    assert!(matches!(bundle.policy, Some(Policy::Heuristic)));
    assert_eq!(bundle.examples.len(), 4);
    for replayed in Engine::new().replay(&bundle.model, &bundle.examples).unwrap() {
        // Processors of other makers round otherwise.
        assert!(replayed.difference < 1e-5, "{replayed:?}");
    }
}

/// Vertices that are added by name are those that rustc has checked, and what all have pushed has the same names.
#[test]
fn functions_and_fields_are_found_by_name() {
    let (f, model) = net::<f32>();
    let by_type = tree(&f, &model, &[1, 2, 0], Some(1));
    let mut by_name = model.graph();
    for record in &model.record_of(&by_type).unwrap().vertices {
        let input: Vec<(&str, Pulled<'_, f32>)> = record
            .input
            .iter()
            .map(|(field, value)| match value {
                InputRecord::Index(index) => (field.as_str(), Pulled::Index(*index)),
                other => panic!("{other:?}"),
            })
            .collect();
        model.add_named(&mut by_name, &record.function, &record.children, &input).unwrap();
    }
    assert_eq!(model.record_of(&by_name).unwrap(), model.record_of(&by_type).unwrap());
    let wrong = model.add_named(&mut by_name, "judge", &[Some(0)], &[("word", Pulled::Index(0))]);
    says(&wrong.unwrap_err().to_string(), "`judge` does not pull `word`; it pulls label");
    let foreign = model.graph().tensor(&[1.0]);
    let wrong =
        model.add_named(&mut by_name, "judge", &[Some(0)], &[("label", Pulled::Tensor(foreign))]);
    says(&wrong.unwrap_err().to_string(), "`label` is not of this graph");
    assert_eq!(by_name.len(), by_type.len());

    let batch = model.minibatch([&by_type, &by_name]).unwrap();
    let mut engine = Engine::new();
    let run = engine.infer(&model, &batch).unwrap();
    let all = run.outputs_by_name().unwrap();
    let judged = all.iter().find(|of| of.function == "judge").unwrap();
    let known = run.outputs(&f.judge).unwrap();
    assert_eq!((judged.pushed_by.len(), judged.lists), (known.len(), false));
    assert_eq!(judged.fields[0].0, "logits");
    assert_eq!(judged.fields[0].1.shape, known.view().logits.shape());
    let logits: Vec<f32> = known.view().logits.iter().copied().collect();
    assert_eq!(judged.fields[0].1.values, Values::Tensor(logits));
    let best: Vec<u32> = known.view().best.iter().copied().collect();
    assert_eq!(judged.fields[1].1.values, Values::Index(best));
    for (of_one, [graph, vertex]) in known.view().logits.outer_iter().zip(&judged.pushed_by) {
        assert_eq!(run.output_at(*graph, *vertex, "logits").unwrap(), of_one.into_dyn());
    }
}
