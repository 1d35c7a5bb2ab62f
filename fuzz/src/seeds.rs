//! Initial inputs that edb itself writes. They are made anew each time, because files of them would
//! soon be those of an older version. Inputs written by hand are in `fuzz/corpus`.

use std::fs;
use std::path::Path;

use edb::graph::VertexRecord;
use edb::log::{Log, TensorBoardLog};
use edb::model::Plan;
use edb::prelude::*;
use edb::schedule::{Costs, LearnOptions, Learner, LookAhead, TypeCost};
use edb_compiler::Options;
use rand::RngExt;

use crate::bundles;
use crate::models::{CHECKPOINT, all_cells, bag, type_graphs};
use crate::targets::CHECKPOINT_FILES;
use edb_backend_suite::random::{self, KINDS, rng};
use edb_backend_suite::zoo::{Zoo, cells, listops, sentiment};

/// The initial inputs of a target, apart from its corpus.
pub fn seeds(target: &str) -> Vec<Vec<u8>> {
    match target {
        "checkpoint" => checkpoints(),
        "costs" => costs(),
        "logs" => vec![events()],
        "kernels" => drawn(200, 40),
        "layout" | "pq_tree" => drawn(60, 24),
        "plan" => plans(),
        "policy" => policies(),
        "programs" => drawn(40, 300),
        "bundle" => vec![bundles::small().into_bytes(), bundles::SMALL.clone()],
        "records" => records(),
        "safetensors" => vec![read("model.safetensors")],
        _ => Vec::new(),
    }
}

/// The contents of the files in a corpus folder, in order of their names.
pub fn corpus(folder: &Path) -> std::io::Result<Vec<Vec<u8>>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        files.push(entry?.path());
    }
    files.sort();
    files.iter().map(fs::read).collect()
}

fn drawn(count: u64, most: usize) -> Vec<Vec<u8>> {
    let bytes = |seed| {
        let mut rng = rng(seed);
        (0..rng.random_range(1..most)).map(|_| rng.random()).collect()
    };
    (0..count).map(bytes).collect()
}

fn plans() -> Vec<Vec<u8>> {
    let mut plans: Vec<&Plan> = vec![
        bag::plan(),
        cells::attend::plan(),
        cells::chain::plan(),
        cells::child_sum::plan(),
        cells::lattice::plan(),
        cells::read::plan(),
        cells::regress::plan(),
        listops::answer::plan(),
        listops::apply::plan(),
        listops::digit::plan(),
        sentiment::phrase::plan(),
        sentiment::sentiment::plan(),
        sentiment::word::plan(),
    ];
    plans.sort_by_key(|plan| plan.program.values.len());
    let mut bytes: Vec<Vec<u8>> = plans.iter().map(|plan| plan.encode()).collect();
    for (seed, (name, kind)) in (0..).zip(KINDS) {
        let plan = edb_compiler::compile(random::program(name, kind, &mut rng(seed)));
        let options = Options { lazy: false, layout: false, fusion: seed % 2 == 0, views: true };
        let parts = edb_compiler::replan(&plan, options);
        bytes.extend([plan.encode(), parts.encode()]);
        // With branches and loops that run apart; and where only whether there is input is asked.
        for depth in [0, random::MOST_DEPTH] {
            let flow = random::flow(name, kind, &mut rng(seed), Some(depth));
            bytes.push(edb_compiler::compile_flow(flow).encode());
        }
    }
    bytes
}

fn read(file: &str) -> Vec<u8> {
    let path = CHECKPOINT.path().join("step-0000000002").join(file);
    fs::read(path).expect("the checkpoint has been written")
}

fn checkpoints() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for (which, file) in (0..).zip(CHECKPOINT_FILES) {
        let contents = if file == "policy.json" { b"{}".to_vec() } else { read(file) };
        all.push([&[which][..], &contents].concat());
    }
    all
}

fn policies() -> Vec<Vec<u8>> {
    let (zoo, model) = Zoo::model::<f32>(4, 1);
    let types = model.signature();
    let graphs = type_graphs(&model, &zoo, 3);
    let mut policies = Policy::ALL.to_vec();
    policies.push(Policy::LookAhead(LookAhead {
        width: 4,
        power: 2,
        factor: 3.0,
        backwards: true,
    }));
    let learners = [Learner::Best, Learner::Machine];
    let encodings = edb::schedule::Encoding::ALL.iter().map(|encoding| Learner::Fsm(*encoding));
    for learner in learners.into_iter().chain(encodings) {
        let options = LearnOptions { learner, budget: 20_000, ..LearnOptions::default() };
        let learned = Policy::learn_for(types, &graphs, &options, &mut |_| ());
        policies.push(learned.expect("the graphs have the model's types"));
    }
    let text = |policy: &Policy| policy.to_json(types).expect("it is for these types").into_bytes();
    policies.iter().map(text).collect()
}

fn costs() -> Vec<Vec<u8>> {
    let types = all_cells().signature().type_count() - 1;
    let mut costs = Costs::per_batch(types);
    let mut all = vec![costs.clone()];
    costs.types[0] = TypeCost { launch_ns: 12_000, row_ps: 3_000 };
    costs.together = true;
    all.push(costs);
    let text = |costs: &Costs| serde_json::to_vec(costs).expect("costs are data");
    all.iter().map(text).collect()
}

/// An event file, behind the bytes that choose it and the steps to keep.
fn events() -> Vec<u8> {
    let mut bytes = vec![2, 2];
    let mut log = TensorBoardLog::new(&mut bytes).expect("memory can be written");
    for step in [1, 2, 300] {
        log.write(step, &[("loss", 0.5)]).expect("memory can be written");
    }
    bytes
}

fn records() -> Vec<Vec<u8>> {
    let company: Vec<VertexRecord> =
        serde_json::from_str(include_str!("company.json")).expect("the file is JSON");
    let mut all = vec![include_bytes!("company.json").to_vec()];
    for record in &company {
        all.push(serde_json::to_vec(&[record]).expect("records are data"));
    }
    all
}
