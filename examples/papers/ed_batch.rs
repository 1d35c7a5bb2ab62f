//! ED-Batch: "Efficient Automatic Batching of Dynamic Neural Networks via Learned Finite State
//! Machines" (Chen, Fegade, Chen, Gibbons, Mowry; ICML 2023).

pub mod published;
#[cfg(test)]
mod tests;
mod throughput;

use support::chart::Picture;

use crate::figure::{bars, picture};
use crate::item::{Found, Item, Paper, Scope};
use crate::job::{Job, Program};
use crate::rows::Layout;
use crate::table::{Table, digits, known, ratio};
use published::{
    FIGURE_1, FIGURE_7, Graphs, MODELS, Model, SUBGRAPHS, Subgraph, TABLE_3, TABLE_4, TABLE_6,
};

pub const PAPER: Paper = Paper {
    title: "ED-Batch",
    reference: "\"ED-Batch: Efficient Automatic Batching of Dynamic Neural Networks via Learned \
                Finite State Machines\", Chen, Fegade, Chen, Gibbons and Mowry, ICML 2023.",
    items: &ITEMS,
};

const HARDWARE: &str =
    "Measured on an Intel Xeon E2590 with 28 cores, and on an NVIDIA V100 (section 5.1).";
const COUNT: &str = "A number, which depends on no machine.";
const SST: &str = "Trees are those of the Stanford Sentiment Treebank, where there is data; the paper's are of \
                   the Penn Treebank, and longer or shorter.";

pub const ITEMS: [Item; 10] = [
    Item {
        name: "ed-batch/fig1",
        title: "Batches of a small tree",
        measured: "How many batches each policy needs for one tree of three types of vertices.",
        hardware: COUNT,
        here: "The example `policies`, on the graph of the paper's figure 1, with each policy that \
               edb has.",
        differs: &[],
        alone: Some(
            "Policies that the paper does not have stand without a figure of it, as does the lower bound, which \
                   follows from the graph.",
        ),
        jobs: |scope| vec![policies(scope, "fig1", 1)],
        table: figure_1,
        picture: None,
    },
    Item {
        name: "ed-batch/fig6",
        title: "Throughput of inference, and training beside it",
        measured: "The throughput of inference of eight models, the highest over batch sizes 1 to \
                   256, at model sizes 32 to 512.",
        hardware: HARDWARE,
        here: "The workloads of the same models, in inference and in training. A cell has the \
               highest throughput in instances per second, in brackets its batch size and the \
               fraction of the machine's peak. Rows `edb by depth`, `edb by agenda` and `edb without \
               layout` have the throughput at batch size 64, in brackets how many times as fast edb is \
               with its own policy and layout.",
        differs: &[
            "The throughputs of the paper are only in its plot. Section 5.2 states by how many \
             times they exceed those of DyNet with the optimisations of Cavs, on average over the \
             sizes; a program that has these is not there to be run. DyNet itself has a row where \
             it was measured.",
            "Training stands beside inference, since edb trains.",
            "Other policies and edb's own are run by the same process, one after the other. Edb with \
             its layout and edb without it run interpreted kernels, as in table 2: those that are \
             compiled exist for the layout only. A quick run has these rows of two models alone.",
            "edb ran on a CPU: nothing stands beside the V100.",
            SST,
            "Minibatches of MV-RNN are smaller where its matrices would not fit into memory; of 64 \
             instances, they would not with 256 units. In a quick run it has 64 units only: with 256, its products are 64 times as large.",
            "LatticeLSTM is what ED-Batch's released code measures under this name, the workload \
             `lattice-edbatch`: a word is an LSTM cell of four gates, and a state the sum of all \
             that end there. In the published lattice LSTM (Zhang and Yang, 2018), the workload \
             `lattice-lstm`, words have no output gate, and gates weight them.",
        ],
        alone: Some(
            "The paper measures inference alone, by its own policy and with its own layout: rows of training, of other \
                   policies and without the layout have no figure of it.",
        ),
        jobs: throughput::jobs,
        table: throughput::table,
        picture: Some(throughput::bars),
    },
    Item {
        name: "ed-batch/fig7",
        title: "Batches of each policy",
        measured: "How many batches each policy needs for a minibatch of each model.",
        hardware: COUNT,
        here: "The example `policies`, on minibatches of 32: the batches divided by the lower bound, \
               which no schedule can be below, and in brackets their number.",
        differs: &[
            "Graphs are those of the data sets, where there are some, or drawn. Their shapes are \
             not those of the paper's minibatches, so ratios compare better than numbers.",
            "The paper states (section 5.2) that trees need 37 % fewer batches than with the \
             agenda or by depth, and lattices down to 1/3.27; its other bars are only in its plot.",
            "The policies `FSM` are the paper's automata in its three encodings of states. `edb's \
             default` is what an engine does that is told nothing; `best found offline` is a \
             search for which no run waits.",
        ],
        alone: None,
        jobs: topologies,
        table: figure_7,
        picture: Some(ratios),
    },
    Item {
        name: "ed-batch/fig9",
        title: "What inference takes its time for",
        measured: "The time of inference in parts: construction of graphs, scheduling, execution.",
        hardware: HARDWARE,
        here: "The workloads of the same models, in inference, with 64 hidden units and 64 \
               instances in a minibatch.",
        differs: &[
            "Construction includes the checks of all graphs. Scheduling is short where a policy is \
             not needed, since each type of vertices runs level by level.",
        ],
        alone: Some("The paper's times are only in its plot, and it does not state their sizes."),
        jobs: |scope| {
            MODELS
                .iter()
                .map(|model| throughput::throughput(scope, model.workload, "infer", 64))
                .collect()
        },
        table: figure_9,
        picture: Some(parts),
    },
    Item {
        name: "ed-batch/table1",
        title: "Models and data sets",
        measured: "Eight models, and what each reads.",
        hardware: HARDWARE,
        here: "Nothing is run: the workload of each model, and the file that it reads from the \
               folder of data sets.",
        differs: &["Each workload takes the first 256 instances of its file, with ids modulo 256."],
        alone: None,
        jobs: |_| Vec::new(),
        table: table_1,
        picture: None,
    },
    Item {
        name: "ed-batch/table2",
        title: "Copies that the layout in memory spares",
        measured: "The time of a static subgraph at batch size 8 and model size 64, the kernels in \
                   it that copy, and what they copy, with DyNet's memory allocation and with that \
                   of the PQ-tree.",
        hardware: HARDWARE,
        here: "The example `layouts`, on the same cells with a weight for each gate. Of two figures \
               in a cell, the first is of values in the order of their declaration, the second of \
               edb's layout.",
        differs: &[
            "In the paper, the first is of DyNet's allocation, in which weights are copied, too; \
             here, what is copied is values of vertices.",
            "Both latencies here are of interpreted kernels. Those that are compiled exist for the \
             layout only.",
        ],
        alone: None,
        jobs: |scope| vec![layouts(scope)],
        table: table_2,
        picture: None,
    },
    Item {
        name: "ed-batch/table3",
        title: "Beside a compiler for recursive networks",
        measured: "The time of one minibatch of trees with Cortex and with ED-Batch.",
        hardware: HARDWARE,
        here: "The workloads `tree-gru` and `tree-lstm`, in inference, at the same sizes.",
        differs: &[
            "The paper does not state the unit, nor on which of its processors Cortex ran.",
            SST,
        ],
        alone: None,
        jobs: |scope| {
            let sizes = "--hidden 256,512 --batch 10,20";
            ["tree-gru", "tree-lstm"].map(|name| workload(scope, name, "infer", sizes)).into()
        },
        table: table_3,
        picture: None,
    },
    Item {
        name: "ed-batch/table4",
        title: "Time to learn a policy",
        measured: "The time and the trials until the policy of a model is learned.",
        hardware: HARDWARE,
        here: "The example `policies`: the time to learn the paper's automaton with sorted states, \
               and that of edb's default, which learns on the first four minibatches.",
        differs: &[
            "A TreeGRU has the graphs of a TreeLSTM, a LatticeGRU those of a LatticeLSTM.",
            "The states are those of the table that was learned. The paper states 1040 states for \
             the LatticeLSTM, learned on a graph of 11,626 vertices.",
            SST,
        ],
        alone: None,
        jobs: topologies,
        table: table_4,
        picture: None,
    },
    Item {
        name: "ed-batch/table5",
        title: "Time to plan a static subgraph",
        measured: "The time to compile a static subgraph: its batches, and its layout in memory.",
        hardware: HARDWARE,
        here: "The example `layouts`: all passes from a function's program to its plan, forward \
               and backward.",
        differs: &["Here this is done when a crate is built, and costs a run nothing."],
        alone: None,
        jobs: |scope| vec![layouts(scope)],
        table: table_5,
        picture: None,
    },
    Item {
        name: "ed-batch/table6",
        title: "Beside PyTorch and TensorFlow",
        measured: "The throughput of inference of the TreeLSTM at batch size 256 and model size \
                   512.",
        hardware: HARDWARE,
        here: "The workload `tree-lstm`, in inference, at that size.",
        differs: &[
            "The paper's CPU has 28 cores. What `benches/peers/run.py` has measured on this \
             machine is a better comparison, where `--peers` gives it.",
            SST,
        ],
        alone: Some("The paper's figures are rows of their own, below edb's."),
        jobs: |scope| vec![workload(scope, "tree-lstm", "infer", "--hidden 512 --batch 256")],
        table: table_6,
        picture: None,
    },
];

/// A job with as many different ids as ED-Batch's benchmark has.
fn workload(scope: &Scope, name: &str, mode: &str, sizes: &str) -> Job {
    scope.workload(name, mode, &format!("{sizes} --ids-modulo 256"))
}

fn policies(scope: &Scope, topology: &str, batch: usize) -> Job {
    let repeats = scope.of(15, 3);
    let arguments = format!("--data {topology} --batch {batch} --repeats {repeats} --json");
    Job::new(Program::Policies, &arguments)
}

/// Minibatches of 32, on which ED-Batch learns.
fn topologies(scope: &Scope) -> Vec<Job> {
    let job = |Graphs { topology, workload, .. }: &Graphs| {
        let job = policies(scope, topology, 32);
        match scope.file(workload) {
            Some(corpus) => job.with("--corpus", corpus.display()),
            None => job,
        }
    };
    FIGURE_7.iter().map(job).collect()
}

fn layouts(scope: &Scope) -> Job {
    let repeats = scope.of(201, 51);
    let arguments = format!("--batch 8 --size 64 --mode infer --repeats {repeats} --json");
    Job::new(Program::Layouts, &arguments)
}

fn figure_1(found: &Found<'_>) -> Table {
    let mut table = Table::new(["policy", "batches here", "batches in the paper"]);
    for row in &found.rows.schedules {
        let paper = FIGURE_1.iter().find(|(policy, _)| *policy == row.policy);
        let paper = paper.map_or_else(String::new, |(_, batches)| batches.to_string());
        table.row([row.policy.clone(), row.batches.to_string(), paper]);
    }
    if let Some(row) = found.rows.schedules.first() {
        table.row(["lower bound".into(), row.lower_bound.to_string(), String::new()]);
    }
    table
}

/// Policies, and how figure 7 calls them.
const POLICIES: [(&str, &str); 8] = [
    ("depth", "depth"),
    ("agenda", "agenda"),
    ("sufficient", "sufficient"),
    ("fsm-base", "FSM base"),
    ("fsm-max", "FSM max"),
    ("fsm-sort", "FSM sort"),
    ("default", "edb's default"),
    ("offline", "best found offline"),
];

/// What the paper states of one of them.
const STATED: &str = "paper: FSM sort";

fn figure_7(found: &Found<'_>) -> Table {
    let columns = ["graphs", "models", "lower bound"].into_iter();
    let columns = columns.chain(POLICIES.iter().map(|(_, column)| *column));
    let mut table = Table::new(columns.chain([STATED]));
    for Graphs { topology, models, by_bound, .. } in FIGURE_7 {
        let of = |policy| found.rows.schedule(topology, policy);
        let Some(depth) = of("depth") else { continue };
        let mut cells = vec![topology.to_owned(), models.into(), depth.lower_bound.to_string()];
        cells.extend(POLICIES.iter().map(|(policy, _)| {
            of(policy).map_or_else(String::new, |row| {
                format!("{} ({})", ratio(row.batches as f64, row.lower_bound as f64), row.batches)
            })
        }));
        cells.push(by_bound.map_or_else(|| "not stated".into(), |by| format!("{by:.2}")));
        table.row(cells);
    }
    table
}

fn ratios(table: &Table) -> Picture {
    let columns: Vec<&str> = POLICIES.iter().map(|(_, column)| *column).chain([STATED]).collect();
    picture(1, [bars(table, "graphs", "batches / lower bound", &columns)])
}

/// The parts of a minibatch's time.
const PARTS: [&str; 3] = ["construction", "scheduling", "execution"];

fn in_unit(unit: &str) -> [String; 3] {
    PARTS.map(|part| format!("{part}, {unit}"))
}

fn figure_9(found: &Found<'_>) -> Table {
    let columns = ["model", "workload", "all, ms"].map(String::from).into_iter();
    let mut table = Table::new(columns.chain(in_unit("ms")).chain(in_unit("%")));
    for Model { paper, workload, .. } in MODELS {
        let Some(row) = found.rows.at(workload, "infer", 64, 64) else { continue };
        let execution = row.ms_per_batch - row.construct_ms - row.schedule_ms;
        let parts = [row.construct_ms, row.schedule_ms, execution];
        let cells = [paper.to_owned(), workload.into(), digits(row.ms_per_batch)].into_iter();
        let shares = parts.map(|ms| format!("{:.1}", 100.0 * ms / row.ms_per_batch));
        table.row(cells.chain(parts.map(digits)).chain(shares));
    }
    table
}

/// Bars on each other: of times, and of shares.
fn parts(table: &Table) -> Picture {
    let charts = [("ms", "ms a minibatch"), ("%", "% of a minibatch")].map(|(unit, y)| {
        let columns = in_unit(unit);
        let mut chart = bars(table, "model", y, &columns.each_ref().map(String::as_str));
        chart.stacked = true;
        chart
    });
    picture(1, charts)
}

fn table_1(found: &Found<'_>) -> Table {
    let mut table =
        Table::new(["model", "data set of the paper", "workload here", "instances here"]);
    for Model { paper, data, workload, .. } in MODELS {
        let instances = found.scope.instances(workload).unwrap_or("drawn");
        table.row([paper, data, workload, instances]);
    }
    table
}

fn table_2(found: &Found<'_>) -> Table {
    let mut table = Table::new([
        "subgraph",
        "latency here, us",
        "ratio",
        "compiled, us",
        "copies here, kernels",
        "copied here, kB",
        "gathered here, kB",
        "paper: latency, ms",
        "paper: ratio",
        "paper: memory kernels",
        "paper: copied, kB",
    ]);
    for Subgraph { name, latency_ms, speedup, kernels, copied_kb, .. } in SUBGRAPHS {
        let of = |order| cell(found, name, order);
        let (Some(before), Some(now)) = (of("declared"), of("planned")) else { continue };
        let kb = |bytes: u64| digits(bytes as f64 / 1024.0);
        table.row([
            name.to_owned(),
            format!("{} / {}", digits(before.latency_us), digits(now.latency_us)),
            ratio(before.latency_us, now.latency_us),
            known(now.compiled_us),
            format!("{} / {}", before.memory_kernels, now.memory_kernels),
            format!("{} / {}", kb(before.copied_bytes), kb(now.copied_bytes)),
            format!("{} / {}", kb(before.gathered_bytes), kb(now.gathered_bytes)),
            format!("{} / {}", latency_ms[0], latency_ms[1]),
            speedup.to_string(),
            format!("{} / {}", kernels[0], kernels[1]),
            format!("{} / {}", copied_kb[0], copied_kb[1]),
        ]);
    }
    table
}

/// A cell with a weight for each gate, in inference.
fn cell<'a>(found: &Found<'a>, name: &str, order: &str) -> Option<&'a Layout> {
    found.rows.layouts.iter().find(|row| {
        row.cell == name && row.order == order && row.written == "separate" && row.mode == "infer"
    })
}

fn table_3(found: &Found<'_>) -> Table {
    let columns = ["workload", "batch size", "model size", "edb, ms"];
    let mut table = Table::new(
        columns
            .into_iter()
            .chain(["paper: Cortex, no unit (ms?)", "paper: ED-Batch, no unit (ms?)"]),
    );
    for (workload, batch, hidden, [cortex, paper]) in TABLE_3 {
        let row = found.rows.at(workload, "infer", hidden, batch);
        table.row([
            workload.to_owned(),
            batch.to_string(),
            hidden.to_string(),
            known(row.map(|row| row.ms_per_batch)),
            cortex.to_string(),
            paper.to_string(),
        ]);
    }
    table.row([
        "Cortex here",
        "",
        "",
        "not measured: Cortex needs a schedule by hand for each model",
    ]);
    table
}

fn table_4(found: &Found<'_>) -> Table {
    let mut table = Table::new([
        "model",
        "graphs",
        "FSM sort here, s",
        "trials",
        "states",
        "edb's default, s",
        "paper, s",
        "paper: trials",
    ]);
    for (paper, topology, seconds, trials) in TABLE_4 {
        let of = |policy| found.rows.schedule(topology, policy);
        let Some(fsm) = of("fsm-sort") else { continue };
        table.row([
            paper.to_owned(),
            topology.into(),
            digits(fsm.training_s),
            fsm.trials.map_or_else(String::new, |trials| trials.to_string()),
            fsm.states.to_string(),
            known(of("default").map(|row| row.training_s)),
            seconds.to_string(),
            trials.to_string(),
        ]);
    }
    table.without_empty_columns()
}

fn table_5(found: &Found<'_>) -> Table {
    let mut table = Table::new(["subgraph", "here, ms", "paper, ms"]);
    for Subgraph { name, compile_ms, .. } in SUBGRAPHS {
        let Some(row) = cell(found, name, "planned") else { continue };
        table.row([name.to_owned(), digits(row.plan_ms), compile_ms.to_string()]);
    }
    table
}

fn table_6(found: &Found<'_>) -> Table {
    let mut table = Table::new(["framework", "CPU, inputs/s", "V100, inputs/s", "measured"]);
    if let Some(row) = found.rows.at("tree-lstm", "infer", 512, 256) {
        table.row([
            "edb",
            &digits(row.instances_per_s),
            "not measured",
            &format!("here, {} threads", found.scope.threads),
        ]);
    }
    for rate in found.peers.at("tree-lstm", "infer", 512, 256).into_iter().flatten() {
        table.row([&rate.program, &digits(rate.per_s), "", "here, by benches/peers/run.py"]);
    }
    for (framework, [cpu, gpu]) in TABLE_6 {
        table.row([framework, &cpu.to_string(), &gpu.to_string(), "paper"]);
    }
    found.peers.say(&mut table);
    table
}
