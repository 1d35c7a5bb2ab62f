//! Random programs over one state, and random graphs of their vertices. The source of randomness is
//! any [`Rng`]: a seeded generator, or the bytes of a fuzzer.

mod generator;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use edb_compiler::Options;
use edb_core::element::Element;
use edb_core::engine::{Engine, GrowingGraph, Run};
use edb_core::graph::{Graph, InputRecord, Minibatch, VertexRecord};
use edb_core::model::{Model, ModelBuilder, Setup};
use edb_core::schedule::{Policy, TypeOrder};
use edb_core::testing::TestBuilder;
use ndarray::ArrayViewD;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{Rng, RngExt, SeedableRng};

pub use generator::{KINDS, Kind, MOST_DEPTH, flow, program};

/// The dimension names of every program, and their sizes; `label0` is an index into the first, and
/// so on.
pub const DIMS: [(&str, usize); 3] = [("H", 5), ("K", 3), ("E", 4)];
const ROWS: usize = 7;

/// A random model with one function of each kind.
pub fn model<T: Element>(rng: &mut dyn Rng, seed: u64, options: Options) -> Model<T> {
    let mut builder = ModelBuilder::new();
    // Every other model has branches and loops that run apart.
    let depth = rng.random_bool(0.5).then_some(0);
    for (name, kind) in KINDS {
        // Whether there is input is asked in any model; here there is nothing else that runs apart.
        let apart = if kind == Kind::Given { depth.or(Some(MOST_DEPTH)) } else { depth };
        let flow = flow(name, kind, rng, apart);
        let setup = DIMS.iter().fold(Setup::new(), |setup, (name, size)| setup.dim(name, *size));
        // Biases are zero by default, which could hide errors.
        let bound = edb_core::learn::Initializer::Uniform { bound: 0.5 };
        let params: Vec<String> = flow.program.params.iter().map(|p| p.name.clone()).collect();
        let setup = params.iter().fold(setup, |setup, param| setup.init(param, bound));
        builder.add_flow(flow, edb_compiler::compile_flow, setup);
    }
    builder.replan(|plan| edb_compiler::replan(plan, options));
    builder.build_as(seed).unwrap()
}

/// The shape of a random graph.
#[derive(Clone, Copy, Debug)]
pub enum Topology {
    /// Each vertex reads the one before it.
    Chain,
    /// Each vertex is the child of at most one other.
    Tree,
    /// A chain with skip edges.
    Lattice,
    /// Any acyclic graph.
    Dag,
}

/// The records of a random graph over the functions of [`model`].
pub fn records(rng: &mut dyn Rng, topology: Topology, size: usize) -> Vec<VertexRecord> {
    more_records(rng, topology, 0..size, &mut Vec::new())
}

/// The records of these vertices of a random graph; `unread` are the vertices before that nobody
/// reads, and is kept up to date.
pub fn more_records(
    rng: &mut dyn Rng,
    topology: Topology,
    vertices: Range<usize>,
    unread: &mut Vec<usize>,
) -> Vec<VertexRecord> {
    let mut records: Vec<VertexRecord> = Vec::new();
    for vertex in vertices {
        let mut children: Vec<usize> = match topology {
            Topology::Chain => vertex.checked_sub(1).into_iter().collect(),
            Topology::Lattice => {
                let previous = vertex.checked_sub(1).into_iter();
                let jump =
                    (vertex > 2 && rng.random_bool(0.4)).then(|| rng.random_range(0..vertex - 1));
                previous.chain(jump).collect()
            }
            Topology::Tree => {
                let count = rng.random_range(0..4).min(unread.len());
                unread.split_off(unread.len() - count)
            }
            Topology::Dag => {
                let count = rng.random_range(0..4.min(vertex + 1));
                (0..count).map(|_| rng.random_range(0..vertex)).collect()
            }
        };
        unread.push(vertex);
        // What has an odd number may push a list, which nobody pulls.
        let lists = vertex % 2 == 1;
        let fed = vertex > 0 && rng.random_bool(0.15);
        let function = match children.len() {
            _ if fed => {
                children.clear();
                "fed"
            }
            0 => ["leaf", "all"][rng.random_range(0..2)],
            1 | 2 if lists => ["pair", "all", "mixed"][rng.random_range(0..3)],
            1 | 2 => ["pair", "all"][rng.random_range(0..2)],
            _ if lists => ["all", "mixed"][rng.random_range(0..2)],
            _ => "all",
        };
        let mut list: Vec<Option<usize>> = children.iter().copied().map(Some).collect();
        if function == "pair" {
            list.resize(2, None);
        }
        let function = match function {
            "all" if rng.random_bool(0.3) => "given",
            function => function,
        };
        let mut input = BTreeMap::new();
        if function == "given" && rng.random_bool(0.5) {
            records.push(VertexRecord { function: function.into(), children: list, input });
            continue;
        }
        let x = if fed {
            let source = 2 * rng.random_range(0..vertex.div_ceil(2));
            InputRecord::Output { vertex: source, field: "y".into() }
        } else {
            InputRecord::Tensor((0..DIMS[2].1).map(|_| rng.random_range(-1.0..1.0)).collect())
        };
        input.insert("x".to_string(), x);
        records.push(VertexRecord { function: function.into(), children: list, input });
    }
    records
}

/// Adds to the records the index fields that this model's functions pull.
pub fn with_labels<T: Element>(
    rng: &mut dyn Rng,
    model: &Model<T>,
    mut records: Vec<VertexRecord>,
) -> Vec<VertexRecord> {
    for record in records.iter_mut().filter(|record| !record.input.is_empty()) {
        for field in model.input_fields(&record.function).unwrap() {
            if field == "x" {
                continue;
            }
            let bound = match field.as_str() {
                "word" => ROWS,
                label => DIMS[label.trim_start_matches("label").parse::<usize>().unwrap()].1,
            };
            let index = InputRecord::Index(rng.random_range(0..bound as u32));
            record.input.insert(field, index);
        }
    }
    records
}

/// Adds a few vertices to a graph that grows, or none, by what it has computed and by a draw.
pub fn grow<T: Element>(
    model: &Model<T>,
    graph: &mut GrowingGraph<'_, T>,
    unread: &mut Vec<usize>,
) {
    let mut seed = graph.draw().to_bits();
    for vertex in graph.new_vertices() {
        let said = graph.index_at(vertex, "said").unwrap_or(99);
        seed = seed.wrapping_mul(31).wrapping_add(said.into());
    }
    let mut rng = rng(seed);
    if graph.len() > 30 || rng.random_bool(0.2) {
        return;
    }
    let (topology, more) = (topology(&mut rng), rng.random_range(1..6));
    let records = more_records(&mut rng, topology, graph.len()..graph.len() + more, unread);
    for record in with_labels(&mut rng, model, records) {
        graph.add_record(&record).unwrap();
    }
}

/// A seeded generator.
pub fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// A random order of the types of graphs of a model that grow: a policy to grow by.
pub fn growth_order<T: Element>(rng: &mut dyn Rng, model: &Model<T>) -> Policy {
    let types = model.signature().growing();
    let mut order: Vec<u16> = (0..types.type_count()).collect();
    order.shuffle(rng);
    Policy::Order(Arc::new(TypeOrder::new(&types, order).expect("an order of all types")))
}

/// A random topology.
pub fn topology(rng: &mut dyn Rng) -> Topology {
    [Topology::Chain, Topology::Tree, Topology::Lattice, Topology::Dag][rng.random_range(0..4)]
}

/// Random graphs over the functions of a [`model`]; `count` and `size` are the ranges of their
/// number and of their vertices.
pub fn graphs<T: Element>(
    rng: &mut dyn Rng,
    model: &Model<T>,
    count: Range<usize>,
    size: Range<usize>,
) -> Vec<Graph<T>> {
    (0..rng.random_range(count))
        .map(|_| {
            let (topology, size) = (topology(rng), rng.random_range(size.clone()));
            let records = records(rng, topology, size);
            let records = with_labels(rng, model, records);
            model.graph_from_records(&records).unwrap()
        })
        .collect()
}

/// The bits of all results of a graph's vertices, and of the gradients of its inputs.
pub fn bits<T: Element>(
    engine: &mut Engine<T>,
    model: &Model<T>,
    batch: &Minibatch<T>,
    graph: usize,
    size: usize,
) -> Vec<u64> {
    let mut run = engine.forward(model, batch, 3).unwrap();
    run.backward().unwrap();
    let mut bits = forward_bits(&run, graph, size);
    bits.extend(backward_bits(&run, graph, size));
    bits
}

/// The bits of the results of all graphs of a run.
pub fn results<T: Element>(run: &Run<'_, T>, sizes: &[usize]) -> Vec<Vec<u64>> {
    sizes.iter().enumerate().map(|(graph, size)| forward_bits(run, graph, *size)).collect()
}

/// The same with those of the gradients of inputs, for which the run goes backward.
pub fn trained<T: Element>(run: &mut Run<'_, T>, sizes: &[usize]) -> Vec<Vec<u64>> {
    run.backward().unwrap();
    let mut all = results(run, sizes);
    for ((graph, size), bits) in sizes.iter().enumerate().zip(&mut all) {
        bits.extend(backward_bits(run, graph, *size));
    }
    all
}

fn forward_bits<T: Element>(run: &Run<'_, T>, graph: usize, size: usize) -> Vec<u64> {
    let mut bits = Vec::new();
    for vertex in 0..size {
        let mut add =
            |row: ArrayViewD<'_, T>| bits.extend(row.iter().map(|x| x.as_f64().to_bits()));
        run.outputs_at(graph, vertex, "y").unwrap().into_iter().for_each(&mut add);
        for field in ["h", "c"] {
            add(run.state_at(graph, vertex, field).unwrap().unwrap());
        }
    }
    bits
}

fn backward_bits<T: Element>(run: &Run<'_, T>, graph: usize, size: usize) -> Vec<u64> {
    let mut bits = Vec::new();
    for vertex in 0..size {
        if let Some(gradient) = run.input_gradient_at(graph, vertex, "x").unwrap() {
            bits.extend(gradient.iter().map(|x| x.as_f64().to_bits()));
        }
    }
    bits
}
