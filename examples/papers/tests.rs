//! Every table is made of rows that are written by hand, and the runs between.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::*;
use crate::job::Program;

pub fn scope(quick: bool) -> Scope {
    Scope { quick, data: None, threads: 2, folder: "papers".into() }
}

pub fn item(name: &str) -> Item {
    let found = selected(&items(), &[name.to_owned()]).unwrap();
    assert_eq!(found.len(), 1);
    found[0]
}

/// The table of an item, of rows of one program.
pub fn table(name: &str, program: Program, rows: &[Value]) -> Table {
    with_peers(name, program, rows, &Peers::default())
}

pub fn with_peers(name: &str, program: Program, rows: &[Value], peers: &Peers) -> Table {
    let mut read = Rows::default();
    read.read(program, rows).unwrap();
    (item(name).table)(&Found { scope: &scope(true), rows: &read, peers })
}

/// The cell of a column in the first row whose cells include these.
pub fn cell<'a>(table: &'a Table, having: &[&str], column: &str) -> &'a str {
    let place = table.columns.iter().position(|name| name == column);
    let place = place.unwrap_or_else(|| panic!("no column `{column}` in {:?}", table.columns));
    let row = table.rows.iter().find(|row| having.iter().all(|cell| row.iter().any(|c| c == cell)));
    &row.unwrap_or_else(|| panic!("no row with {having:?} in {:?}", table.rows))[place]
}

/// A row of `workloads`, of 4 ms a minibatch of which graphs take a fourth.
pub fn speed(workload: &str, mode: &str, [hidden, batch]: [usize; 2], rate: f64) -> Value {
    json!({
        "workload": workload, "mode": mode, "hidden": hidden, "batch": batch, "threads": 2,
        "instances_per_s": rate, "ms_per_batch": 4.0, "construct_ms": 1.0, "schedule_ms": 0.5,
        "forward_ms": 2.5, "backward_ms": 0.0, "update_ms": 0.0, "batches": 9.0, "lower_bound": 9.0,
        "gflops": 1.0, "peak_gflops": 4.0, "fraction_of_peak": 0.25, "copied_bytes": 3e6,
        "arena_bytes": 1,
    })
}

/// The same with further fields.
pub fn with(mut row: Value, fields: Value) -> Value {
    row.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    row
}

pub fn schedule(topology: &str, policy: &str, batches: usize) -> Value {
    json!({
        "topology": topology, "batch": 32, "policy": policy, "batches": batches, "lower_bound": 20,
        "certified": false, "proof": null, "steps": 1, "ns_per_vertex": 1.0, "training_s": 0.25,
        "states": 7,
    })
}

#[test]
fn names_are_unique_and_items_are_selected_by_them() {
    let all = items();
    let names: BTreeSet<&str> = all.iter().map(|item| item.name).collect();
    assert_eq!(names.len(), all.len());
    let picked = |names: &[&str]| -> Vec<&str> {
        let names: Vec<String> = names.iter().map(|name| (*name).into()).collect();
        selected(&all, &names).unwrap().iter().map(|item| item.name).collect()
    };
    assert_eq!(picked(&[]).len(), all.len());
    assert_eq!(picked(&["cavs/fig8c", "ed-batch/fig6"]), ["ed-batch/fig6", "cavs/fig8c"]);
    let pfor = ["pfor/fig1", "pfor/fig2", "pfor/fig3", "pfor/hessians"];
    assert_eq!(picked(&["pfor", "pfor/fig1"]), pfor);
    for (wrong, nearest) in
        [("ed-batch/fig8", "ed-batch/fig"), ("cav/fig8c", "cavs/fig8c"), ("", "")]
    {
        let error = selected(&all, &[wrong.to_owned()]).err().unwrap().to_string();
        assert!(
            error.contains(&format!("no item `{wrong}`; the nearest is `{nearest}")),
            "{error}"
        );
    }
}

/// A figure that needs few jobs in full needs no more in a quick run, and both name no size twice.
#[test]
fn quick_runs_are_smaller() {
    let jobs =
        |quick| items().iter().flat_map(|item| (item.jobs)(&scope(quick))).collect::<BTreeSet<_>>();
    let (full, quick) = (jobs(false), jobs(true));
    assert!(quick.len() < full.len(), "{} of {}", quick.len(), full.len());
    for job in full.iter().chain(&quick) {
        for list in job.arguments.iter().filter(|argument| argument.contains(',')) {
            let sizes: BTreeSet<&str> = list.split(',').collect();
            assert_eq!(sizes.len(), list.split(',').count(), "{job}");
        }
    }
    // No minibatch of matrices is larger than the memory of a small machine.
    let matrices = |job: &&Job| job.arguments[0] == "mv-rnn";
    let largest = full.iter().filter(matrices).find(|job| job.to_string().contains("--hidden 512"));
    assert!(largest.unwrap().to_string().contains("--batch 1,8 "), "{largest:?}");
}

/// What is in the folder of data sets is read, whatever its path is; what is not is drawn.
#[test]
fn instances_are_those_of_the_data_sets_that_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("a b");
    fs::create_dir_all(data.join("sst")).unwrap();
    fs::write(data.join("sst/train.txt.gz"), "").unwrap();
    let scope = Scope { data: Some(data.clone()), ..scope(true) };
    let trees = data.join("sst/train.txt.gz").display().to_string();
    let job = scope.workload("tree-gru", "infer", "--hidden 64");
    assert_eq!(job.arguments[job.arguments.len() - 2..], ["--data".to_owned(), trees.clone()]);
    assert!(!scope.workload("bilstm-tagger", "infer", "").arguments.contains(&"--data".into()));
    let corpora = (item("ed-batch/fig7").jobs)(&scope);
    let with_trees = corpora.iter().filter(|job| job.arguments.contains(&trees));
    assert_eq!((corpora.len(), with_trees.count()), (7, 3));
    let found = Found { scope: &scope, rows: &Rows::default(), peers: &Peers::default() };
    let table = (item("ed-batch/table1").table)(&found);
    assert_eq!(cell(&table, &["TreeGRU"], "instances here"), "sst/train.txt.gz");
    assert_eq!(cell(&table, &["LatticeGRU"], "instances here"), "drawn");
}

#[test]
fn published_numbers_are_those_that_their_papers_derive_others_from() {
    // The ratios of the last column of ED-Batch's table 2.
    let ratios = [47.57, 65.88, 1.0, 34.5, 33.5, 48.36, 66.0];
    for (subgraph, ratio) in ed_batch::published::SUBGRAPHS.iter().zip(ratios) {
        let [before, now] = subgraph.copied_kb;
        assert!((before / now - ratio).abs() < 0.01, "{subgraph:?}");
        assert!(subgraph.latency_ms.iter().all(|ms| *ms > 0.0) && subgraph.kernels[1] > 0);
        assert!(subgraph.compile_ms > 0.0);
    }
    // "up to 3.98x" of table 3, "29x/37x" and "80x/280x" of table 6 (there with other roundings).
    let speedups = ed_batch::published::TABLE_3.iter().map(|(.., [cortex, paper])| cortex / paper);
    assert!((speedups.fold(0.0, f64::max) - 3.98).abs() < 0.01);
    let edbatch = ed_batch::published::TABLE_6[4].1.map(f64::from);
    for ((_, rates), [cpu, gpu]) in
        ed_batch::published::TABLE_6.iter().zip([[29.0, 80.0], [31.0, 260.0]])
    {
        assert!((edbatch[0] / f64::from(rates[0]) - cpu).abs() < 1.0);
        assert!((edbatch[1] / f64::from(rates[1]) - gpu).abs() < 1.0);
    }
    assert!(
        ed_batch::published::TABLE_4
            .iter()
            .all(|(.., seconds, trials)| *seconds > 0.0 && *trials > 0)
    );
    // The speedups of Cavs' table 1, over Fold and DyNet.
    let leaves = [[5.4, 7.1], [3.7, 7.5], [3.0, 7.9], [2.7, 8.7], [2.3, 8.9], [2.1, 9.7]];
    let batches = [[7.2, 0.8], [7.0, 1.2], [7.0, 1.6], [7.2, 1.8], [7.1, 2.0], [7.0, 2.4]];
    let rows = cavs::published::TABLE_1_LEAVES.iter().zip(leaves);
    for ((size, [cavs, fold, dynet]), [by_fold, by_dynet]) in
        rows.chain(cavs::published::TABLE_1_BATCHES.iter().zip(batches))
    {
        assert!((fold / cavs / by_fold - 1.0).abs() < 0.06, "{size}");
        assert!((dynet / cavs / by_dynet - 1.0).abs() < 0.06, "{size}");
    }
    // Table 3 has the computation of table 1 again.
    for row in cavs::published::TABLE_3 {
        let (_, [cavs, _, dynet]) =
            cavs::published::TABLE_1_BATCHES.iter().find(|(batch, _)| *batch == row.batch).unwrap();
        assert!(
            (row.train[0] - cavs).abs() < 0.11 && (row.train[1] - dynet).abs() < 0.11,
            "{row:?}"
        );
        assert!(row.memory_infer.iter().chain(&row.memory_train).all(|seconds| *seconds > 0.0));
    }
}

#[test]
fn policies_are_counted_beside_the_paper() {
    let rows = [schedule("fig1", "depth", 9), schedule("fig1", "agenda", 8)];
    let found = table("ed-batch/fig1", Program::Policies, &rows);
    assert_eq!(cell(&found, &["agenda"], "batches here"), "8");
    assert_eq!(cell(&found, &["agenda"], "batches in the paper"), "7");

    let of = |policy, batches| schedule("lattice", policy, batches);
    let rows = [of("depth", 50), of("fsm-sort", 30), of("default", 22), of("offline", 21)];
    let found = table("ed-batch/fig7", Program::Policies, &rows);
    assert_eq!(found.rows.len(), 1);
    assert_eq!(cell(&found, &["lattice"], "FSM sort"), "1.50 (30)");
    assert_eq!(cell(&found, &["lattice"], "best found offline"), "1.05 (21)");
    assert_eq!(cell(&found, &["lattice"], "FSM base"), "");
    assert_eq!(cell(&found, &["lattice"], "paper: FSM sort"), "1.44");
    let found = table("ed-batch/table4", Program::Policies, &rows);
    assert_eq!(cell(&found, &["LatticeGRU"], "FSM sort here, s"), "0.250");
    assert_eq!(cell(&found, &["LatticeGRU"], "paper, s"), "4.911");
    assert_eq!(cell(&found, &["LatticeLSTM"], "paper: trials"), "1000");
    assert!(!found.columns.contains(&"trials".to_owned()));
    let told = with(of("fsm-sort", 30), json!({"trials": 400}));
    let found = table("ed-batch/table4", Program::Policies, &[told]);
    assert_eq!(cell(&found, &["LatticeLSTM"], "trials"), "400");
}

/// What `benches/peers/run.py --json` writes of the Tree-LSTM.
pub fn peers(folder: &Path, mode: &str) -> Peers {
    peers_of(folder, "tree-lstm", mode)
}

/// The same of another workload.
pub fn peers_of(folder: &Path, workload: &str, mode: &str) -> Peers {
    let cell = |batch: usize, own: [f64; 2], other: [f64; 3]| {
        json!({
            "workload": workload, "mode": mode, "hidden": 64, "batch": batch,
            "edb, 1 thread": [5.0], "edb, 2 threads": own, "DyNet": other, "PyTorch (lvl)": [],
        })
    };
    let path = folder.join("peers.json");
    let cells =
        json!([cell(8, [300.0, 500.0], [90.0, 70.0, 80.0]), cell(64, [200.0, 200.0], [1e2; 3])]);
    fs::write(&path, json!({ "cells": cells }).to_string()).unwrap();
    Peers::read(&path).unwrap()
}

#[test]
fn throughput_is_the_highest_over_all_batches_and_peers_stand_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let peers = peers(folder.path(), "infer");
    let of = |mode, sizes, rate| speed("tree-lstm", mode, sizes, rate);
    let rows = [
        of("infer", [64, 8], 700.0),
        of("infer", [64, 64], 900.0),
        of("infer", [256, 64], 90.0),
        of("train", [64, 64], 300.0),
        // Something that was switched off is no throughput.
        with(of("infer", [64, 1], 1e6), json!({"disabled": ["lazy"]})),
    ];
    let found = with_peers("ed-batch/fig6", Program::Workloads, &rows, &peers);
    let of = |what, column| cell(&found, &["TreeLSTM", what], column);
    assert_eq!(of("edb, infer", "64 units"), "900 (batch 64, 25 %)");
    assert_eq!(of("edb, infer", "256 units"), "90.0 (batch 64, 25 %)");
    assert_eq!(of("edb, infer", "paper: ED-Batch / Cavs DyNet, CPU"), "1.63");
    assert_eq!(of("fastest peer, infer", "64 units"), "100 (DyNet, batch 64)");
    assert_eq!(of("fastest peer, infer", "256 units"), "");
    assert_eq!(of("edb beside it, infer", "64 units"), "400 (edb, 2 threads, batch 8)");
    assert_eq!(
        (of("edb, train", "64 units"), of("edb, train", "256 units")),
        ("300 (batch 64, 25 %)", "")
    );
    assert_eq!(of("edb, train", "paper: ED-Batch / Cavs DyNet, CPU"), "");
    assert_eq!(found.rows.len(), 4);
    assert!(found.notes[0].starts_with("Another program stands beside edb where"));
    let alone = table("ed-batch/fig6", Program::Workloads, &rows);
    assert!(alone.notes[0].starts_with("No other program was measured together with edb"));
    // DyNet has a row of its own where another is faster.
    let cells = json!([{
        "workload": "tree-lstm", "mode": "infer", "hidden": 64, "batch": 8, "edb, 2 threads": [9.0],
        "DyNet": [1.0], "PyTorch (lvl)": [2.0],
    }]);
    let path = folder.path().join("faster.json");
    fs::write(&path, json!({ "cells": cells }).to_string()).unwrap();
    let faster = Peers::read(&path).unwrap();
    let found = with_peers("ed-batch/fig6", Program::Workloads, &rows, &faster);
    let of = |what| cell(&found, &["TreeLSTM", what], "64 units");
    assert_eq!(of("fastest peer, infer"), "2.00 (PyTorch (lvl), batch 8)");
    assert_eq!(of("DyNet, infer"), "1.00 (DyNet, batch 8)");
    let at = peers.at("tree-lstm", "infer", 64, 8).unwrap();
    assert_eq!(
        at.map(|rate| (rate.program, rate.per_s)),
        [("DyNet".into(), 80.0), ("edb, 2 threads".into(), 400.0)]
    );
    for (workload, mode, hidden) in
        [("tree-gru", "infer", 64), ("tree-lstm", "train", 64), ("tree-lstm", "infer", 32)]
    {
        assert_eq!(peers.best(workload, mode, hidden), None);
    }
    for text in ["", "{}", "{\"cells\": [{\"workload\": \"tree-lstm\"}]}", "{\"cells\": [{\"mode\""]
    {
        let path = folder.path().join("wrong.json");
        fs::write(&path, text).unwrap();
        let error = Peers::read(&path).err().unwrap().to_string();
        assert!(error.contains("wrong.json") && error.contains("benches/peers/run.py"), "{error}");
    }
}

#[test]
fn ed_batch_has_its_other_tables() {
    let rows = [speed("tree-lstm", "infer", [64, 64], 900.0)];
    let found = table("ed-batch/fig9", Program::Workloads, &rows);
    assert_eq!(cell(&found, &["TreeLSTM"], "construction, ms"), "1.00");
    assert_eq!(cell(&found, &["TreeLSTM"], "construction, %"), "25.0");
    assert_eq!(cell(&found, &["TreeLSTM"], "execution, ms"), "2.50");

    let found = table("ed-batch/table1", Program::Workloads, &[]);
    assert_eq!((found.rows.len(), cell(&found, &["MV-RNN"], "instances here")), (8, "drawn"));

    let layout = |order: &str, copied: u64, us: f64| {
        json!({
            "cell": "LSTMCell", "written": "separate", "order": order, "mode": "infer",
            "memory_kernels": copied / 1024, "copied_bytes": copied, "gather_kernels": 1,
            "gathered_bytes": 2048, "latency_us": us, "plan_ms": 3.5,
        })
    };
    let rows = [layout("planned", 0, 50.0), layout("declared", 4096, 75.0)];
    let found = table("ed-batch/table2", Program::Layouts, &rows);
    assert_eq!(cell(&found, &["LSTMCell"], "latency here, us"), "75.0 / 50.0");
    assert_eq!(cell(&found, &["LSTMCell"], "ratio"), "1.50");
    assert_eq!(cell(&found, &["LSTMCell"], "copied here, kB"), "4.00 / 0.00");
    assert_eq!(cell(&found, &["LSTMCell"], "paper: copied, kB"), "1054 / 16");
    let found = table("ed-batch/table5", Program::Layouts, &rows);
    assert_eq!(cell(&found, &["LSTMCell"], "here, ms"), "3.50");

    let found =
        table("ed-batch/table3", Program::Workloads, &[speed("tree-gru", "infer", [512, 20], 9.0)]);
    assert_eq!(cell(&found, &["tree-gru", "20", "512"], "edb, ms"), "4.00");
    assert_eq!(cell(&found, &["tree-gru", "20", "512"], "paper: Cortex, no unit (ms?)"), "11.7");
    assert_eq!(cell(&found, &["tree-lstm", "20", "512"], "edb, ms"), "");

    let found = table(
        "ed-batch/table6",
        Program::Workloads,
        &[speed("tree-lstm", "infer", [512, 256], 1234.0)],
    );
    assert_eq!(cell(&found, &["edb"], "CPU, inputs/s"), "1234");
    assert_eq!(cell(&found, &["ED-Batch"], "V100, inputs/s"), "6736");
}

#[test]
fn derivatives_are_held_against_one_at_a_time() {
    let row = json!({
        "model": "lstm", "hidden": 256, "graphs": 256, "plain_per_s": 4e3, "norms_per_s": 3e3,
        "clipped_per_s": 2e3, "one_by_one_per_s": 1e3,
    });
    let private = [with(row.clone(), json!({"hidden": 64, "graphs": 32})), row];
    let found = table("pfor/fig2", Program::Private, &private);
    assert_eq!(cell(&found, &["256"], "norms / one at a time"), "3.00");
    assert_eq!(cell(&found, &["256"], "clipped / one at a time"), "2.00");
    assert_eq!(cell(&found, &["256"], "paper: each / one at a time, GPU"), "38.0");
    assert_eq!(cell(&found, &["64"], "paper: each / one at a time, GPU"), "");
    let peers = |cell: Value| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("peers.json");
        fs::write(&path, json!({ "cells": [cell] }).to_string()).unwrap();
        Peers::read(&path).unwrap()
    };
    let beside = peers(json!({
        "workload": "each-lstm", "mode": "clipped", "hidden": 256, "batch": 256,
        "edb, 2 threads": [40.0], "PyTorch (vmap, 1 thread)": [20.0],
    }));
    let found = with_peers("pfor/fig2", Program::Private, &private, &beside);
    let of = |hidden| {
        ["PyTorch, clipped sum, examples/s", "edb beside it"].map(|of| cell(&found, &[hidden], of))
    };
    assert_eq!(of("256"), ["20.0 (vmap, 1 thread)", "40.0, 2 threads"]);
    assert_eq!(of("64"), ["", ""]);
    let row = json!({"hidden": 128, "width": 32, "together_ms": 4.0, "one_by_one_ms": 32.0});
    let beside = peers(json!({
        "workload": "jacobian-32", "mode": "infer", "hidden": 128, "batch": 128,
        "edb, 2 threads": [40.0], "PyTorch (jacfwd, 1 thread)": [20.0],
    }));
    let found = with_peers("pfor/fig3", Program::Derivatives, &[row], &beside);
    assert_eq!(cell(&found, &["128"], "PyTorch, rows/s"), "20.0 (jacfwd, 1 thread)");
    assert_eq!(cell(&found, &["128"], "edb, rows/s"), "32000");
    assert_eq!(cell(&found, &["128"], "ratio"), "8.00");

    let row = json!({"hidden": 64, "batch": 32, "gradient_per_s": 900.0, "product_per_s": 300.0});
    let found = table("pfor/hessians", Program::Derivatives, &[row]);
    assert_eq!(cell(&found, &["64", "32"], "edb, product with the Hessian, trees/s"), "300");
    assert_eq!(cell(&found, &["64", "32"], "time of a product / of a gradient"), "3.00");

    let rows = [1, 64].map(|batch| speed("language-model", "infer", [256, batch], 10.0));
    let layer = speed("linear-layer", "infer", [768, 64], 300.0);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("peers.json");
    let peer = |batch: usize, rate: f64| {
        json!({
            "workload": "lengths", "mode": "infer", "hidden": 256, "batch": batch,
            "edb, 1 thread": [9.0 * rate], "edb, 2 threads": [8.0 * rate], "DyNet": [2.0 * rate],
            "PyTorch (fused, 1 thread)": [3.0 * rate],
        })
    };
    fs::write(&path, json!({"cells": [peer(1, 1.0), peer(64, 10.0)]}).to_string()).unwrap();
    let peers = Peers::read(&path).unwrap();
    let rows = [&rows[..], &[layer]].concat();
    let found = with_peers("pfor/fig1", Program::Workloads, &rows, &peers);
    let beside = |batch| {
        ["PyTorch", "DyNet", "edb beside them"].map(|of| cell(&found, &["LSTM", batch], of))
    };
    assert_eq!(beside("1"), ["3.00 (fused, 1 thread)", "2.00", "9.00, 1 thread"]);
    assert_eq!(beside("64"), ["30.0 (fused, 1 thread)", "20.0", "90.0, 1 thread"]);
    assert_eq!(cell(&found, &["linear layer", "64"], "DyNet"), "");
    assert_eq!(cell(&found, &["linear layer"], "edb, examples/s"), "300");
    assert_eq!(cell(&found, &["linear layer"], "edb, words/s"), "");
    // Of two hundred sentences, each length occurs twice.
    let words: usize = (200..256).map(|sentence| sentence * 37 % 100 + 1).sum();
    let mean = (2 * 5050 + words) as f64 / 256.0;
    assert_eq!(cell(&found, &["LSTM", "64"], "edb, words/s"), format!("{:.0}", 10.0 * mean));
}

/// Of an epoch of 10 s, in minibatches of 4 ms.
#[test]
fn memory_takes_its_share_of_an_epoch() {
    let moving = json!({"moving_forward_ms": 0.4, "moving_backward_ms": 0.8});
    let of = |mode| with(speed("tree-lstm-child-sum", mode, [512, 64], 854.4), moving.clone());
    let rows = [of("train"), of("infer"), speed("tree-lstm-child-sum", "train", [512, 1], 854.4)];
    let column = "edb: memory, forward + backward, s";
    let found = table("cavs/table3", Program::Workloads, &rows);
    assert_eq!(cell(&found, &["train", "64"], column), "1.00 + 2.00");
    assert_eq!(cell(&found, &["infer", "64"], column), "1.00");
    // A GPU does not say.
    assert_eq!(cell(&found, &["train", "1"], column), "");
    let found = table("cavs/table1", Program::Workloads, &rows);
    assert_eq!(cell(&found, &["batch size 64"], column), "1.00 + 2.00");
    assert_eq!(cell(&found, &["batch size 64"], "paper: DyNet, s"), "7.40");
}

/// The column of peers is by the names of workloads, which `run.py` measures, too.
#[test]
fn peers_measure_models_of_the_papers() {
    let script = include_str!("../../benches/peers/workloads.py");
    let names = script.split_once("\nWORKLOADS = {").unwrap().1.split_once("\n}").unwrap().0;
    let named = |workload: &str| names.contains(&format!("\n    \"{workload}\": "));
    assert!(ed_batch::published::MODELS.iter().all(|model| named(model.workload)));
    assert!(pfor::MODELS.iter().all(|(_, beside, _)| named(beside)));
    assert!([pfor::EACH, "jacobian-128", "jacobian-32"].into_iter().all(named));
    let of_cavs = ["fixed-lstm", "language-model", "tree-fc", "tree-lstm-child-sum"];
    assert!(of_cavs.into_iter().all(named));
}

#[test]
fn a_quick_run_says_which_sizes_it_leaves_out() {
    let hidden = |quick| {
        let jobs = (item("ed-batch/fig6").jobs)(&scope(quick));
        jobs.iter().filter(|job| job.to_string().contains("mv-rnn --mode train")).count()
    };
    assert_eq!([hidden(false), hidden(true)], [5, 1]);
    let said = item("ed-batch/fig6").differs;
    assert!(said.iter().any(|differs| differs.contains("In a quick run it has 64 units only")));
}

#[test]
fn sentences_have_every_length() {
    let folder = tempfile::tempdir().unwrap();
    let scope = Scope { folder: folder.path().join("new"), ..scope(true) };
    pfor::prepare(&scope).unwrap();
    let text = fs::read_to_string(scope.folder.join("lengths.txt")).unwrap();
    let lengths: Vec<usize> = text.lines().map(|line| line.split(' ').count()).collect();
    assert_eq!(lengths.len(), 256);
    let different: BTreeSet<&usize> = lengths[..100].iter().collect();
    assert_eq!(
        (different.len(), lengths.iter().min(), lengths.iter().max()),
        (100, Some(&1), Some(&100))
    );
}

#[test]
fn tests_are_found_in_what_libtest_prints() {
    let test = |name: &str, passed: bool| json!({"test": name, "passed": passed});
    let rows = [
        test("parser::tests::the_batched_cells_are_the_eager_ones", true),
        test("generate::tests::the_batched_cells_are_the_eager_ones", false),
    ];
    let found = table("matchbox/control-flow", Program::Tests("workloads"), &rows);
    assert_eq!(cell(&found, &["parser"], "passes"), "yes");
    assert_eq!(cell(&found, &["generate"], "passes"), "NO");
    assert_eq!(cell(&found, &["ponder"], "passes"), "there is no such test");
}

/// A process that has ended.
#[cfg(unix)]
fn ended(code: i32, stdout: &str, stderr: &str) -> std::process::Output {
    use std::os::unix::process::ExitStatusExt;
    let status = std::process::ExitStatus::from_raw(code << 8);
    std::process::Output { status, stdout: stdout.into(), stderr: stderr.into() }
}

#[test]
#[cfg(unix)]
fn outcomes_are_rows_what_is_lacking_or_errors() {
    let job = Job::new(Program::Workloads, "fixed-lstm --json");
    assert_eq!(job.to_string(), "workloads fixed-lstm --json");
    let rows = job.outcome(&ended(0, "{\"a\": 1}\n{\"a\": 2}\n", "a warning")).unwrap();
    assert_eq!(rows, Outcome::Rows(vec![json!({"a": 1}), json!({"a": 2})]));
    let said = "error: invalid value 'fixed-lstm' for '<WORKLOAD>'\n\nFor more, try '--help'.";
    let lacking = job.outcome(&ended(2, "", said)).unwrap();
    assert_eq!(lacking, Outcome::Lacks("invalid value 'fixed-lstm' for '<WORKLOAD>'".into()));
    let error =
        |code, stdout, stderr| job.outcome(&ended(code, stdout, stderr)).unwrap_err().to_string();
    assert!(error(1, "{\"a\": 1}", "error: a loss is not finite").contains("a loss is not finite"));
    assert!(error(0, "", "").contains("printed nothing"));
    assert!(error(0, "{\"a\": 1}\n{\"a\"", "").contains("is no row"));

    let tests = Job::new(Program::Tests("workloads"), "cells");
    assert_eq!(tests.to_string(), "tests of workloads cells");
    let text = "running 2 tests\ntest a::b ... ok\ntest c ... FAILED\n\ntest result: FAILED.";
    let rows = [("a::b", true), ("c", false)]
        .map(|(test, passed)| json!({"test": test, "passed": passed}));
    assert_eq!(tests.outcome(&ended(101, text, "")).unwrap(), Outcome::Rows(rows.into()));
    assert!(tests.outcome(&ended(0, "running 0 tests", "")).is_err());
    // One that was killed has not run all.
    assert!(tests.outcome(&ended(134, text, "")).is_err());
}

#[test]
fn rows_that_lack_something_are_named() {
    let mut rows = Rows::default();
    let error = rows.read(Program::Workloads, &[json!({"workload": "tree-lstm"})]).unwrap_err();
    assert!(error.to_string().contains("missing field"), "{error}");
    let mut table = (item("cavs/fig8a").table)(&Found {
        scope: &scope(true),
        rows: &Rows::default(),
        peers: &Peers::default(),
    });
    table.lacks("workloads fixed-lstm", "no such workload");
    assert_eq!(table.rows[0], ["`workloads fixed-lstm`", "the program lacks it: no such workload"]);
    assert!(
        table.markdown().starts_with("| command | result |\n| --- | --- |\n| `workloads fixed")
    );
}

pub fn machine(revision: &str) -> Machine {
    let [description, date] = ["a processor", "2026-11-27"].map(String::from);
    Machine { description, revision: revision.into(), date }
}

#[test]
fn what_is_done_is_not_run_again_and_what_is_half_written_is() {
    let folder = tempfile::tempdir().unwrap();
    let (item, scope, root) = (item("cavs/fig9a"), scope(true), Path::new("."));
    let runner = |revision, fresh| Runner::new(root, folder.path(), machine(revision), fresh);
    let open = |revision, fresh| runner(revision, fresh).open(&[item, item], &scope).unwrap();
    let jobs = (item.jobs)(&scope);
    assert_eq!(open("abc", false), jobs);

    let row = with(speed("tree-fc", "train", [64, 64], 250.0), json!({"leaves": 32}));
    let yesterday = Machine { date: "2026-11-26".into(), ..machine("abc") };
    let store = Store::new(folder.path(), yesterday);
    store.keep(&jobs[0], &[row]).unwrap();
    assert_eq!(open("abc", false), []);
    assert_eq!((open("abe", false), open("abc", true)), (jobs.clone(), jobs.clone()));

    // Nothing is built or run for a table whose jobs are done.
    let mut again = runner("abc", false);
    again.prepare(&[item], &scope).unwrap();
    let table = again.table(&item, &scope, &Peers::default()).unwrap();
    assert_eq!(cell(&table, &["32"], "edb, s an epoch"), "4.00");
    assert!(table.notes.iter().any(|note| note.contains("2026-11-26")), "{:?}", table.notes);

    let path = store.path(&jobs[0]);
    let whole = fs::read(&path).unwrap();
    for damaged in [&whole[..whole.len() / 2], b"", b"\xff\xfe", b"{}", b"[1]"] {
        fs::write(&path, damaged).unwrap();
        assert_eq!(open("abc", false), jobs);
    }
    // What is in a file of another name is of another job.
    let other = Job::new(Program::Workloads, "tree-fc --json");
    fs::write(store.path(&other), &whole).unwrap();
    assert_eq!(store.rows(&other).unwrap(), None);
    fs::write(&path, &whole).unwrap();
    assert_eq!(open("abc", false), []);
}

/// A job that fails is named, and others are not affected.
#[test]
fn errors_name_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let mut runner = Runner::new(Path::new("."), folder.path(), machine("abc"), false);
    let error = runner.table(&item("cavs/fig9a"), &scope(true), &Peers::default()).unwrap_err();
    assert!(error.to_string().starts_with("workloads tree-fc --mode train"), "{error}");
    let table = runner.table(&item("ed-batch/table1"), &scope(true), &Peers::default()).unwrap();
    assert_eq!(table.rows.len(), 8);
}
