//! Graphs from records: errors name the vertex and what is wrong with it, and valid records run.

use std::collections::BTreeMap;

use edb_core::engine::Engine;
use edb_core::graph::{Graph, GraphError, GraphProblem, InputRecord, VertexRecord};
use edb_core::model::{Model, ModelBuilder, Setup};
use edb_core::schedule::Policy;
use edb_ir::{Builder, Contraction, Dim, Movement, Pointwise, Program, Shape, Slot};

use super::on_engines::layer;

/// `h = x + table[id]`, scattered and pushed.
fn leaf() -> Program {
    let mut b = Builder::new("leaf", vec!["V".into(), "H".into()]);
    let table = b.param("table", Shape::matrix(Dim::name(0), Dim::name(1)));
    b.input("Leaf");
    let id = b.pull_index("id");
    let x = b.pull("x");
    let row = b.apply(Movement::Row, &[table, id]).unwrap();
    let h = b.apply(Pointwise::Add, &[row, x]).unwrap();
    let state = b.state("State");
    b.scatter(state, &[("h", h)]).unwrap();
    b.push_output("Out", &[("y", h)]);
    b.finish().unwrap()
}

/// The sum of all children.
fn sum() -> Program {
    let mut b = Builder::new("sum", vec!["H".into()]);
    let state = b.state("State");
    b.rest(state);
    let term = b.child(Slot::Rest, "h");
    let sum = b.sum_edges(term);
    let zeros = b.zeros(Dim::name(0));
    let h = b.apply(Pointwise::Add, &[zeros, sum]).unwrap();
    b.scatter(state, &[("h", h)]).unwrap();
    b.finish().unwrap()
}

/// A function without children that only pushes: it scatters no state.
fn mute() -> Program {
    let mut b = Builder::new("mute", vec!["H".into()]);
    b.input("Mute");
    let x = b.pull("x");
    let w = b.param("w", Shape::matrix(Dim::constant(1), Dim::name(0)));
    let y = b.apply(Contraction::Dot, &[w, x]).unwrap();
    b.push_output("Out", &[("y", y)]);
    b.finish().unwrap()
}

fn model() -> Model<f32> {
    let mut builder = ModelBuilder::new();
    builder.add_program(leaf(), edb_compiler::compile, Setup::new().dim("V", 10).dim("H", 3));
    for program in [sum(), layer(), mute()] {
        builder.add_program(program, edb_compiler::compile, Setup::new().dim("H", 3));
    }
    builder.build(1).unwrap()
}

fn vertex(function: &str, children: &[usize], input: &[(&str, InputRecord)]) -> VertexRecord {
    VertexRecord {
        function: function.into(),
        children: children.iter().copied().map(Some).collect(),
        input: input.iter().map(|(name, value)| (name.to_string(), value.clone())).collect(),
    }
}

fn tensor(values: &[f64]) -> InputRecord {
    InputRecord::Tensor(values.to_vec())
}

fn a_leaf() -> VertexRecord {
    vertex("leaf", &[], &[("id", InputRecord::Index(4)), ("x", tensor(&[1.0, 2.0, 3.0]))])
}

fn error_of(records: &[VertexRecord]) -> String {
    model().graph_from_records(records).unwrap_err().to_string()
}

#[test]
fn cycles_are_refused_with_their_vertices() {
    let records = [
        a_leaf(),
        vertex("sum", &[0, 3], &[]),
        vertex("next", &[1], &[]),
        vertex("next", &[2], &[]),
    ];
    let error = model().graph_from_records(&records).unwrap_err();
    let GraphProblem::Cycle { vertices } = &*error.problem else { panic!("{error}") };
    assert_eq!(vertices.len(), 3);
    // They are listed in order: each reads the next, and the last reads the first.
    let reads = |by: u32, of: u32| records[by as usize].children.contains(&Some(of as usize));
    for (at, vertex) in vertices.iter().enumerate() {
        assert!(reads(*vertex, vertices[(at + 1) % vertices.len()]), "{error}");
    }
    assert!(error.to_string().contains("cycle: 1 reads 3 reads 2 reads 1"), "{error}");
    assert!(error_of(&[vertex("sum", &[0], &[])]).contains("cycle: 0 reads 0"));
}

#[test]
fn every_broken_rule_is_named_with_its_vertex() {
    let with = |id: InputRecord, x: InputRecord| vertex("leaf", &[], &[("id", id), ("x", x)]);
    let id = InputRecord::Index(4);
    let good = tensor(&[1.0, 2.0, 3.0]);
    let fed = |vertex: usize, field: &str| InputRecord::Output { vertex, field: field.into() };
    let cases: Vec<(Vec<VertexRecord>, &str)> = vec![
        (
            vec![vertex("twig", &[], &[])],
            "vertex 0: there is no vertex function `twig`; the model has leaf, sum, next, mute",
        ),
        (
            vec![a_leaf(), vertex("next", &[7], &[])],
            "vertex 1: child 0 is vertex 7, but the graph has 2 vertices",
        ),
        (vec![a_leaf(), vertex("next", &[], &[])], "vertex 1: `next` takes 1 child; it has 0"),
        (vec![a_leaf(), vertex("next", &[0, 0], &[])], "vertex 1: `next` takes 1 child; it has 2"),
        (
            vec![VertexRecord { children: vec![None], ..vertex("next", &[], &[]) }],
            "vertex 0: child 0 of `next` is absent",
        ),
        (
            vec![vertex("mute", &[], &[("x", good.clone())]), vertex("next", &[0], &[])],
            "vertex 1: child 0 of `next` must scatter `State`; vertex 0 (`mute`) scatters nothing",
        ),
        (
            vec![vertex("leaf", &[], &[("id", id.clone())])],
            "vertex 0: `leaf` pulls the field `x`, which is not given",
        ),
        (
            vec![vertex("sum", &[], &[("x", good.clone())])],
            "vertex 0: `sum` does not pull `x`; it pulls nothing",
        ),
        (
            vec![with(good.clone(), good.clone())],
            "vertex 0: the input `id` of `leaf` is an index, but a tensor is given",
        ),
        (
            vec![with(id.clone(), id.clone())],
            "vertex 0: the input `x` of `leaf` is a tensor, but an index is given",
        ),
        (
            vec![with(id.clone(), tensor(&[1.0]))],
            "vertex 0: the input `x` of `leaf` has shape [3], so 3 numbers; 1 is given; for a field that is one number, \
             the function says so in its pattern: `#[shape()] x`",
        ),
        (
            vec![with(InputRecord::Index(10), good.clone())],
            "vertex 0: the input `id` of `leaf` is 10, but what it indexes has 10 entries",
        ),
        (
            vec![with(id.clone(), tensor(&[1.0, f64::NAN, 0.0]))],
            "vertex 0: the input `x` of `leaf` is NaN at element 1",
        ),
        (
            vec![with(id.clone(), tensor(&[1.0, 0.0, f64::INFINITY]))],
            "vertex 0: the input `x` of `leaf` is inf at element 2",
        ),
        (
            vec![with(id.clone(), fed(0, "z"))],
            "vertex 0: the input `x` of `leaf` is fed by vertex 0, which is `leaf` and does not push `z`",
        ),
        (
            vec![with(id.clone(), fed(9, "y"))],
            "vertex 0: the input `x` of `leaf` is fed by vertex 9, which does not exist",
        ),
        (
            vec![vertex("mute", &[], &[("x", good.clone())]), with(id.clone(), fed(0, "y"))],
            "vertex 1: the input `x` of `leaf` has shape [3], so 3 numbers; 1 is given; for a field that is one number, \
             the function says so in its pattern: `#[shape()] x`",
        ),
        (vec![with(id.clone(), fed(0, "y"))], "vertex 0: the graph has a cycle: 0 reads 0"),
    ];
    for (records, expected) in cases {
        let error = error_of(&records);
        assert!(error.starts_with(expected), "\n got: {error}\nwant: {expected}");
    }
}

#[test]
fn minibatches_name_the_graph() {
    let model = model();
    let none: [&Graph; 0] = [];
    assert_eq!(
        model.minibatch(none).unwrap_err().to_string(),
        "a minibatch needs at least one graph"
    );
    let good = model.graph_from_records(&[a_leaf()]).unwrap();
    let error = model.minibatch([&good, &model.graph()]).unwrap_err();
    assert_eq!(error.to_string(), "graph 1 of the minibatch has no vertices");
    let other = self::model();
    let error = other.minibatch([&good]).unwrap_err();
    let said = "graph 0 of the minibatch was made by another model, and each model that is built or opened is one of its own: ";
    assert!(error.to_string().starts_with(said), "{error}");
    // An error consumes nothing: the graph is still good for its own model.
    let batch = model.minibatch([&good]).unwrap();
    assert!(Engine::new().infer(&other, &batch).is_err());
    assert_eq!(Engine::new().infer(&model, &batch).unwrap().loss().unwrap(), 0.0);
}

/// Records may name children that come later in the list.
#[test]
fn records_need_no_order() {
    let model = model();
    let forward = [a_leaf(), vertex("next", &[0], &[]), vertex("sum", &[1, 0], &[])];
    let backward = [vertex("sum", &[1, 2], &[]), vertex("next", &[2], &[]), a_leaf()];
    let root = |records: &[VertexRecord], at: usize| {
        let graph = model.graph_from_records(records).unwrap();
        let batch = model.minibatch([&graph]).unwrap();
        let mut engine = Engine::new();
        let run = engine.infer(&model, &batch).unwrap();
        let values: Vec<f32> = run.state_at(0, at, "h").unwrap().unwrap().iter().copied().collect();
        values
    };
    assert_eq!(root(&forward, 2), root(&backward, 0));
}

#[test]
fn long_chains_and_wide_vertices_run() {
    let model = model();
    let mut chain = vec![a_leaf()];
    chain.extend((0..100_000).map(|at| vertex("next", &[at], &[])));
    let mut wide: Vec<VertexRecord> = (0..10_000).map(|_| a_leaf()).collect();
    wide.push(VertexRecord {
        function: "sum".into(),
        children: (0..10_000).map(Some).collect(),
        input: BTreeMap::new(),
    });
    let graphs = [chain, wide].map(|records| model.graph_from_records(&records).unwrap());
    let batch = model.minibatch(&graphs).unwrap();
    for policy in Policy::ALL {
        let mut engine = Engine::new().policy(policy.clone());
        let mut run = engine.forward(&model, &batch, 0).unwrap();
        assert!(run.loss().unwrap().is_finite());
        run.backward().unwrap().check_finite().unwrap();
    }
}

#[test]
fn records_are_data() {
    let json = r#"[
        {"function": "leaf", "input": {"id": {"index": 4}, "x": {"tensor": [1, 2, 3]}}},
        {"function": "next", "children": [0]}
    ]"#;
    let records: Vec<VertexRecord> = serde_json::from_str(json).unwrap();
    assert_eq!(records, [a_leaf(), vertex("next", &[0], &[])]);
    assert_eq!(model().graph_from_records(&records).unwrap().len(), 2);
}

/// Malformed files give an error of the JSON reader, or of the graph with a vertex.
#[test]
fn malformed_records_are_refused() {
    let leaf = |input: &str| format!(r#"[{{"function":"leaf","input":{input}}}]"#);
    let next = |children: &str| {
        format!(
            r#"[{{"function":"leaf","input":{{"id":{{"index":4}},"x":{{"tensor":[1,2,3]}}}}}},
                {{"function":"next","children":{children}}}]"#
        )
    };
    let x = |x: &str| leaf(&format!(r#"{{"id":{{"index":4}},"x":{x}}}"#));
    let id = |id: &str| leaf(&format!(r#"{{"id":{id},"x":{{"tensor":[1,2,3]}}}}"#));
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let cases = [
        (next("[-1]"), "invalid value"),
        (next("[0.5]"), "invalid type"),
        (next("[4294967296]"), "vertex 1: child 0 is vertex 4294967296, but the graph has 2"),
        (next("[4294967295]"), "vertex 1: child 0 is vertex 4294967295, but the graph has 2"),
        (next("[18446744073709551615]"), "vertex 1: child 0 is vertex 18446744073709551615"),
        (next("[18446744073709551616]"), "invalid type"),
        (next("[null]"), "vertex 1: child 0 of `next` is absent"),
        (next("{}"), "invalid type"),
        (next(&deep), "invalid type"),
        (id(r#"{"index":-1}"#), "invalid value"),
        (
            id(r#"{"index":4294967295}"#),
            "is 4294967295, which stands for an index that is not known",
        ),
        (id(r#"{"index":4294967296}"#), "invalid value"),
        (id(r#"{"indices":[1,2]}"#), "vertex 0: the input `id` of `leaf` is an index"),
        (id(r#"{"index":1,"tensor":[1]}"#), "expected value"),
        (id(r#"{"number":1}"#), "unknown variant"),
        (x(r#"{"tensor":[1,2,1e39]}"#), "vertex 0: the input `x` of `leaf` is inf at element 2"),
        (x(r#"{"tensor":[1,2,1e999]}"#), "number out of range"),
        (x(r#"{"tensor":[1,2,null]}"#), "invalid type: null"),
        (x(r#"{"tensor":[]}"#), "so 3 numbers; 0 are given"),
        (
            x(r#"{"output":{"vertex":18446744073709551615,"field":"y"}}"#),
            "vertex 0: the input `x` of `leaf` is fed by vertex 18446744073709551615, which does not exist",
        ),
        (leaf(r#"{"id":{"index":4},"id":{"index":5}}"#), "vertex 0: `leaf` pulls the field `x`"),
        (r#"[{"function":5}]"#.into(), "invalid type"),
        (r#"[{"children":[]}]"#.into(), "missing field `function`"),
        (r#"[{"function":"leaf","more":1}]"#.into(), "unknown field `more`"),
        (deep.clone(), "invalid type"),
    ];
    let model = model();
    for (text, expected) in cases {
        let read = serde_json::from_str::<Vec<VertexRecord>>(&text);
        let error = match read {
            Ok(records) => model.graph_from_records(&records).unwrap_err().to_string(),
            Err(error) => error.to_string(),
        };
        let shown = &text[..text.len().min(200)];
        assert!(error.contains(expected), "\n got: {error}\nwant: {expected}\n for: {shown}");
    }
}

#[test]
fn an_error_can_be_matched() {
    let error = model().graph_from_records(&[vertex("twig", &[], &[])]).unwrap_err();
    let GraphError { vertex: 0, problem } = error else { panic!("{error}") };
    assert!(matches!(*problem, GraphProblem::UnknownFunction { .. }));
}
