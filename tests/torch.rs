//! Weights that PyTorch has saved give what PyTorch computes: `tests/pytorch/layers.py` has written both.

use std::fs;
use std::path::PathBuf;

use edb::learn::LearnError;
use edb::prelude::*;

use edb_backend_suite::pytorch::Reference;
use example_cells::bilstm::{self, BiLstm};
use example_cells::layers::{Image, Vector, project, recognise};
use example_cells::lstm::chain;
use example_cells::torch::{Biases, Layer, TorchError, from_torch};
use example_cells::{gru, lstm, lstm_lm};

const SENTENCE: [u32; 7] = [3, 0, 5, 1, 1, 4, 2];
const GOLD: [u32; 7] = [0, 2, 1, 1, 0, 2, 0];

#[derive(Output)]
struct Shown {
    h: Tensor,
}

/// What both directions know of a word.
#[vertex_function]
fn both() {
    let [forward, backward]: [bilstm::Memory; 2] = [gather(0), gather(1)];
    push(Shown { h: concat([forward.h, backward.h]) });
}

#[vertex_function]
fn one() {
    push(Shown { h: gather::<lstm::Memory>(0).h });
}

#[vertex_function]
fn hidden() {
    push(Shown { h: gather::<gru::Hidden>(0).h });
}

/// The file of PyTorch, in a folder that is deleted with the first.
fn file() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("layers.safetensors");
    fs::write(&path, include_bytes!("pytorch/layers.safetensors")).unwrap();
    (folder, path)
}

fn close(found: &[f32], name: &str) {
    let expected: Vec<f32> = Reference::read("layers").get(name).unwrap();
    assert_eq!(found.len(), expected.len(), "{name}");
    for (found, expected) in found.iter().zip(&expected) {
        let bound = 1e-6 * expected.abs().max(1.0);
        assert!((found - expected).abs() <= bound, "{name}: {found} is not {expected}");
    }
}

/// What vertices push, one after the other.
fn pushed<S>(model: &Model, graph: &Graph, vertices: &[Vertex<S>], field: &str) -> Vec<f32> {
    let batch = model.minibatch([graph]).unwrap();
    let mut engine = Engine::new();
    let run = engine.infer(model, &batch).unwrap();
    let of = |vertex: &Vertex<S>| run.output_at(0, vertex.number(), field).unwrap();
    vertices.iter().flat_map(|vertex| of(vertex).iter().copied().collect::<Vec<_>>()).collect()
}

const FORWARD: Layer<'static> = Layer::Lstm {
    layer: "l0",
    w: "forward.w",
    u: "forward.u",
    b: Biases::Two(["forward.b_x", "forward.b_h"]),
    gates: "ifgo",
};

const BACKWARD: Layer<'static> = Layer::Lstm {
    layer: "l0_reverse",
    w: "backward.w",
    u: "backward.u",
    b: Biases::Two(["backward.b_x", "backward.b_h"]),
    gates: "ifgo",
};

fn tagger() -> (BiLstm, Function<both>, Model) {
    let mut builder = ModelBuilder::new();
    let f = BiLstm::new(&mut builder, 6, 4, 3);
    let both = builder.add(dims! {});
    (f, both, builder.build(1).unwrap())
}

#[test]
fn a_bidirectional_lstm_with_its_embedding_and_its_linear_layer() {
    let (_folder, path) = file();
    let (f, both, mut model) = tagger();
    let embedding = Layer::Embedding { table: "forward.table" };
    from_torch(&mut model, &path, "embed", &[embedding]).unwrap();
    from_torch(&mut model, &path, "encoder.lstm", &[FORWARD, BACKWARD]).unwrap();
    let linear = Layer::Linear { w: "tag.v", b: Some("tag.b") };
    from_torch(&mut model, &path, "tag", &[linear]).unwrap();

    let mut g = model.graph();
    let word = |id: u32| bilstm::Word { id: Index(id) };
    let forward = chain(SENTENCE, None, |id, before| g.add(&f.forward, [before], word(id)));
    let reversed = SENTENCE.into_iter().rev();
    let mut backward = chain(reversed, None, |id, before| g.add(&f.backward, [before], word(id)));
    backward.reverse();
    let mut shown = Vec::new();
    for (at, tag) in GOLD.into_iter().enumerate() {
        let states = [forward[at], backward[at]];
        g.add(&f.tag, states, bilstm::Gold { tag: Index(tag) });
        shown.push(g.add(&both, states, ()));
    }
    close(&pushed(&model, &g, &shown, "h"), "computed.lstm");
    let batch = model.minibatch([&g]).unwrap();
    let loss = Engine::new().infer(&model, &batch).unwrap().loss().unwrap();
    close(&[loss as f32], "computed.loss");
}

/// The gates of this cell have another order, and one bias.
#[test]
fn an_lstm_with_gates_in_another_order() {
    let (_folder, path) = file();
    let mut builder = ModelBuilder::new();
    let step: Function<lstm_lm::step> = builder.add(dims! { V: 6, H: 4 });
    let one: Function<one> = builder.add(dims! {});
    let mut model: Model = builder.build(1).unwrap();
    from_torch(&mut model, &path, "embed", &[Layer::Embedding { table: "step.table" }]).unwrap();
    let b = Biases::Sum("step.b");
    let lstm = Layer::Lstm { layer: "l0", w: "step.w", u: "step.u", b, gates: "ifog" };
    from_torch(&mut model, &path, "encoder.forward_lstm", &[lstm]).unwrap();

    let mut g = model.graph();
    let states =
        chain(SENTENCE, None, |id, before| g.add(&step, [before], lstm_lm::Word { id: Index(id) }));
    let shown: Vec<_> = states.into_iter().map(|state| g.add(&one, [state], ())).collect();
    close(&pushed(&model, &g, &shown, "h"), "computed.forward_lstm");
}

#[test]
fn a_gru() {
    let (_folder, path) = file();
    let mut builder = ModelBuilder::new();
    let step: Function<gru::step> = builder.add(dims! { V: 6, X: 4, H: 4 });
    let hidden: Function<hidden> = builder.add(dims! {});
    let mut model: Model = builder.build(1).unwrap();
    from_torch(&mut model, &path, "embed", &[Layer::Embedding { table: "step.table" }]).unwrap();
    let b = ["step.b_x", "step.b_h"];
    let gru = Layer::Gru { layer: "l0", w: "step.w", u: "step.u", b, gates: "rzn" };
    from_torch(&mut model, &path, "encoder.gru", &[gru]).unwrap();

    let mut g = model.graph();
    let states =
        chain(SENTENCE, None, |id, before| g.add(&step, [before], gru::Word { id: Index(id) }));
    let shown: Vec<_> = states.into_iter().map(|state| g.add(&hidden, [state], ())).collect();
    close(&pushed(&model, &g, &shown, "h"), "computed.gru");
}

#[test]
fn linear_layers_with_and_without_bias() {
    let (_folder, path) = file();
    let mut builder = ModelBuilder::new();
    let recognise: Function<recognise> = builder.add(dims! { X: 5, H: 4, C: 3 });
    let project: Function<project> = builder.add(dims! { X: 5, H: 4 });
    let mut model: Model = builder.build(1).unwrap();
    let layers = [
        ("digits.0", Layer::Linear { w: "recognise.w", b: Some("recognise.b") }),
        ("digits.3", Layer::Linear { w: "recognise.v", b: Some("recognise.c") }),
        ("project", Layer::Linear { w: "project.w", b: None }),
    ];
    for (module, layer) in layers {
        from_torch(&mut model, &path, module, &[layer]).unwrap();
    }
    let images: Vec<f32> = Reference::read("layers").get("images").unwrap();
    let mut g = model.graph();
    let (mut digits, mut projected) = (Vec::new(), Vec::new());
    for image in images.chunks(5) {
        let x = g.tensor(image);
        digits.push(g.add(&recognise, (), Image { x, digit: Index(0) }));
        let x = g.tensor(image);
        projected.push(g.add(&project, (), Vector { x }));
    }
    close(&pushed(&model, &g, &digits, "scores"), "computed.digits");
    close(&pushed(&model, &g, &projected, "y"), "computed.project");
}

/// What is wrong, in words; nothing may have changed.
fn refused(module: &str, layers: &[Layer<'_>]) -> String {
    let (_folder, path) = file();
    let (.., mut model) = tagger();
    let before = model.parameters().clone();
    let error = from_torch(&mut model, &path, module, layers).unwrap_err();
    assert_eq!(*model.parameters(), before, "{error}");
    error.to_string().replace(&path.display().to_string(), "FILE")
}

#[test]
fn what_does_not_fit_is_named() {
    let linear = |w| Layer::Linear { w, b: None };
    let error = refused("encoder.rnn", &[FORWARD]);
    assert!(error.starts_with("FILE has no tensor `encoder.rnn.weight_ih_l0`; it has "), "{error}");
    assert_eq!(
        refused("half", &[linear("tag.v")]),
        "FILE has the tensor `half.weight` in F16, and only F32 and F64 are read: convert the file"
    );
    assert_eq!(
        refused("wide", &[linear("tag.v")]),
        "parameter `tag.v` is [3, 8], but `wide.weight` of FILE is [4, 6]"
    );
    let error = refused("tag", &[Layer::Linear { w: "tag.w", b: Some("tag.b") }]);
    let begin = "the model has no parameter `tag.w` to take tag.weight; it has forward.table, ";
    assert!(error.starts_with(begin), "{error}");
    assert_eq!(
        refused("tag", &[linear("tag.v")]),
        "FILE: the module `tag` also has tag.bias, which no layer takes, and would not compute the \
         same without: name each layer and direction of it, and its biases"
    );
}

#[test]
fn every_layer_and_direction_is_named_once() {
    let left = |error: String| {
        let (_, rest) = error.split_once(" also has ").expect(&error);
        rest.split_once(", which no layer takes").unwrap().0.to_owned()
    };
    let of = |layer: &str| {
        let names = ["bias_hh", "bias_ih", "weight_hh", "weight_ih"];
        let module = if layer == "l1" { "deep" } else { "lstm" };
        names.map(|name| format!("encoder.{module}.{name}_{layer}")).join(", ")
    };
    assert_eq!(left(refused("encoder.lstm", &[FORWARD])), of("l0_reverse"));
    assert_eq!(left(refused("encoder.lstm", &[BACKWARD])), of("l0"));
    assert_eq!(left(refused("encoder.deep", &[FORWARD])), of("l1"));
    assert_eq!(
        refused("encoder.lstm", &[FORWARD, FORWARD]),
        "the parameter `forward.w` is named twice: it would keep the second tensor only"
    );
}

#[test]
fn orders_of_gates_have_each_gate_once() {
    let (_folder, path) = file();
    for wrong in ["ifg", "ifgg", "ifgx", "ifgoo", "rzn"] {
        let Layer::Lstm { layer, w, u, b, .. } = FORWARD else { unreachable!() };
        let error = refused("encoder.lstm", &[Layer::Lstm { layer, w, u, b, gates: wrong }]);
        assert_eq!(
            error,
            format!(
                "`{wrong}` is no order of the gates of `encoder.lstm`: each of the letters of `ifgo` \
                 belongs there once"
            )
        );
    }
    // Three tags are no four gates.
    let (.., mut model) = tagger();
    let b = Biases::Sum("tag.b");
    let lstm = Layer::Lstm { layer: "l0", w: "tag.v", u: "forward.u", b, gates: "ifgo" };
    let error = from_torch(&mut model, &path, "encoder.lstm", &[lstm]).unwrap_err();
    assert!(matches!(error, TorchError::Rows { gates: 4, .. }), "{error}");
    let error = from_torch(&mut model, "no/such/file", "tag", &[FORWARD]).unwrap_err();
    assert!(matches!(error, TorchError::Learn(LearnError::Io { .. })), "{error}");
}
