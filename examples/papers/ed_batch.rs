//! ED-Batch: "Efficient Automatic Batching of Dynamic Neural Networks via Learned Finite State
//! Machines" (Chen, Fegade, Chen, Gibbons, Mowry; ICML 2023). Its figures as its text and tables
//! state them; what only a plot shows is not here.

use crate::item::{Found, Item, Scope, list};
use crate::job::{Job, Program};
use crate::rows::Layout;
use crate::table::{Table, digits, known, ratio};

const HARDWARE: &str = "Intel Xeon E2590 with 28 cores, NVIDIA V100 (section 5.1)";

/// A model of table 1.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    pub paper: &'static str,
    pub data: &'static str,
    /// The workload here.
    pub workload: &'static str,
    /// The throughput by that of DyNet with Cavs' optimisations, on the CPU and on the GPU: the
    /// means over the sizes (section 5.2).
    pub speedup: [&'static str; 2],
}

/// Table 1, and the speedups that section 5.2 states.
pub const MODELS: [Model; 8] = {
    const fn model(
        paper: &'static str,
        data: &'static str,
        workload: &'static str,
        speedup: [&'static str; 2],
    ) -> Model {
        Model { paper, data, workload, speedup }
    }
    const LATTICES: [&str; 2] = ["1.32 to 2.97", "2.54 to 3.71"];
    const TREES: &str = "Penn Treebank";
    const WEIBO: &str = "lattices of the Chinese Weibo data";
    [
        model("BiLSTM-Tagger", "WikiNER, English", "bilstm-tagger", ["1.20", "1.20"]),
        model("LSTM-NMT", "IWSLT 2015, En-Vi", "translate", ["1.11", "1.12"]),
        model("TreeLSTM", TREES, "tree-lstm", ["1.63", "1.23"]),
        model("TreeGRU", TREES, "tree-gru", ["1.46", "1.29"]),
        model("MV-RNN", TREES, "mv-rnn", ["\"close\"", "\"close\""]),
        model("TreeLSTM-2Type", TREES, "tree-lstm-2type", ["not stated", "not stated"]),
        model("LatticeLSTM", WEIBO, "lattice-edbatch", LATTICES),
        model("LatticeGRU", WEIBO, "lattice-gru", LATTICES),
    ]
};

/// Figure 1: the batches of a depth-based and of an agenda-based policy, and the fewest.
pub const FIGURE_1: [(&str, usize); 3] = [("depth", 9), ("agenda", 7), ("fsm-sort", 6)];

/// A kind of graphs of figure 7.
#[derive(Clone, Copy, Debug)]
pub struct Graphs {
    /// Its name here.
    pub topology: &'static str,
    pub models: &'static str,
    /// A workload whose instances have these graphs.
    pub workload: &'static str,
    /// The batches of the FSM (sort) by the lower bound, as section 5.3 states them.
    pub by_bound: Option<f64>,
}

/// Figure 7.
pub const FIGURE_7: [Graphs; 7] = {
    const fn graphs(
        topology: &'static str,
        models: &'static str,
        workload: &'static str,
        by_bound: Option<f64>,
    ) -> Graphs {
        Graphs { topology, models, workload, by_bound }
    }
    [
        graphs("bilstm", "BiLSTM-Tagger", "bilstm-tagger", Some(1.0)),
        graphs("bilstm-char", "BiLSTM-tagger with characters", "bilstm-tagger", None),
        graphs("nmt", "LSTM-NMT", "translate", Some(1.0)),
        graphs("treelstm", "TreeLSTM, TreeGRU", "tree-lstm", Some(1.0)),
        graphs("mvrnn", "MV-RNN", "mv-rnn", Some(1.0)),
        graphs("treelstm-2type", "TreeLSTM-2Type", "tree-lstm-2type", Some(1.23)),
        graphs("lattice", "LatticeLSTM, LatticeGRU", "lattice-edbatch", Some(1.44)),
    ]
};

/// Table 2 and table 5: a subgraph at batch size 8, model size 64, with DyNet's memory allocation
/// and with that of the PQ-tree.
#[derive(Clone, Copy, Debug)]
pub struct Subgraph {
    pub name: &'static str,
    pub latency_ms: [f64; 2],
    pub kernels: [u32; 2],
    pub copied_kb: [f64; 2],
    /// Table 5.
    pub compile_ms: f64,
}

/// Tables 2 and 5 (section 5.3).
pub const SUBGRAPHS: [Subgraph; 7] = {
    const fn subgraph(
        name: &'static str,
        latency_ms: [f64; 2],
        kernels: [u32; 2],
        copied_kb: [f64; 2],
        compile_ms: f64,
    ) -> Subgraph {
        Subgraph { name, latency_ms, kernels, copied_kb, compile_ms }
    }
    [
        subgraph("GRUCell", [0.11, 0.07], [6, 2], [666.0, 14.0], 4.82),
        subgraph("LSTMCell", [0.2, 0.13], [4, 1], [1054.0, 16.0], 12.95),
        subgraph("MVCell", [0.08, 0.08], [2, 2], [260.0, 260.0], 1.53),
        subgraph("TreeGRU-Internal", [0.24, 0.15], [8, 2], [552.0, 16.0], 10.43),
        subgraph("TreeGRU-Leaf", [0.09, 0.07], [4, 2], [268.0, 8.0], 2.91),
        subgraph("TreeLSTM-Internal", [0.19, 0.12], [7, 3], [1064.0, 22.0], 29.89),
        subgraph("TreeLSTM-Leaf", [0.12, 0.09], [3, 1], [396.0, 6.0], 3.64),
    ]
};

/// Table 3: Cortex and ED-Batch, on trees, by workload, batch size and model size (section 5.3).
pub const TABLE_3: [(&str, usize, usize, [f64; 2]); 8] = [
    ("tree-gru", 10, 256, [2.30, 2.27]),
    ("tree-gru", 10, 512, [5.60, 3.04]),
    ("tree-gru", 20, 256, [3.73, 3.03]),
    ("tree-gru", 20, 512, [11.70, 3.70]),
    ("tree-lstm", 10, 256, [2.244, 2.78]),
    ("tree-lstm", 10, 512, [8.500, 4.70]),
    ("tree-lstm", 20, 256, [3.460, 3.52]),
    ("tree-lstm", 20, 512, [19.210, 4.82]),
];

/// Table 4: the kind of graphs here, seconds and trials of learning (section 5.3).
pub const TABLE_4: [(&str, &str, f64, u32); 8] = [
    ("TreeLSTM", "treelstm", 0.154, 50),
    ("TreeGRU", "treelstm", 0.141, 50),
    ("MVRNN", "mvrnn", 0.254, 50),
    ("TreeLSTM-2type", "treelstm-2type", 2.217, 1000),
    ("BiLSTM-tagger", "bilstm", 1.629, 50),
    ("BiLSTM-tagger-withchar", "bilstm-char", 6.268, 50),
    ("LatticeLSTM", "lattice", 21.733, 1000),
    ("LatticeGRU", "lattice", 4.911, 1000),
];

/// Table 6: inputs per second of the TreeLSTM, batch size 256, model size 512, on the CPU and on
/// the GPU (appendix D).
pub const TABLE_6: [(&str, [u32; 2]); 5] = [
    ("PyTorch", [39, 84]),
    ("TensorFlow", [37, 26]),
    ("DyNet", [671, 2723]),
    ("Cavs DyNet", [480, 6243]),
    ("ED-Batch", [1163, 6736]),
];

pub const ITEMS: [Item; 10] = [
    Item {
        name: "ed-batch/fig1",
        title: "Batches of a small tree",
        measured: "How many batches each policy needs for one tree of three types of vertices.",
        hardware: "a count: any",
        jobs: |scope| vec![policies(scope, "fig1", 1)],
        table: figure_1,
    },
    Item {
        name: "ed-batch/fig6",
        title: "Throughput of inference, and training beside it",
        measured: "The throughput of inference of eight models, the highest over batch sizes 1 to \
                    256, at model sizes 32 to 512.",
        hardware: HARDWARE,
        jobs: throughputs,
        table: figure_6,
    },
    Item {
        name: "ed-batch/fig7",
        title: "Batches of each policy",
        measured: "How many batches each policy needs for a minibatch of each model.",
        hardware: "a count: any",
        jobs: topologies,
        table: figure_7,
    },
    Item {
        name: "ed-batch/fig9",
        title: "What inference takes its time for",
        measured: "The time of inference in parts: construction of graphs, scheduling, execution.",
        hardware: HARDWARE,
        jobs: |scope| {
            MODELS.iter().map(|model| throughput(scope, model.workload, "infer", 64)).collect()
        },
        table: figure_9,
    },
    Item {
        name: "ed-batch/table1",
        title: "Models and data sets",
        measured: "Eight models, and what each reads.",
        hardware: HARDWARE,
        jobs: |_| Vec::new(),
        table: table_1,
    },
    Item {
        name: "ed-batch/table2",
        title: "Copies that the layout in memory spares",
        measured: "The time of a static subgraph at batch size 8 and model size 64, the kernels \
                   in it that copy, and what they copy, with DyNet's memory allocation and with \
                   that of the PQ-tree.",
        hardware: HARDWARE,
        jobs: |scope| vec![layouts(scope)],
        table: table_2,
    },
    Item {
        name: "ed-batch/table3",
        title: "Beside a compiler for recursive networks",
        measured: "The time of one minibatch of trees with Cortex and with ED-Batch; the unit is \
                   not stated.",
        hardware: HARDWARE,
        jobs: |scope| {
            let sizes = "--hidden 256,512 --batch 10,20";
            ["tree-gru", "tree-lstm"].map(|name| workload(scope, name, "infer", sizes)).into()
        },
        table: table_3,
    },
    Item {
        name: "ed-batch/table4",
        title: "Time to learn a policy",
        measured: "The time and the trials until the policy of a model is learned.",
        hardware: HARDWARE,
        jobs: topologies,
        table: table_4,
    },
    Item {
        name: "ed-batch/table5",
        title: "Time to plan a static subgraph",
        measured: "The time to compile a static subgraph: its batches, and its layout in memory.",
        hardware: HARDWARE,
        jobs: |scope| vec![layouts(scope)],
        table: table_5,
    },
    Item {
        name: "ed-batch/table6",
        title: "Beside PyTorch and TensorFlow",
        measured: "The throughput of inference of the TreeLSTM at batch size 256 and model size \
                   512.",
        hardware: HARDWARE,
        jobs: |scope| vec![workload(scope, "tree-lstm", "infer", "--hidden 512 --batch 256")],
        table: table_6,
    },
];

const MODES: [&str; 2] = ["infer", "train"];

/// The batch sizes of section 5.2, and those of a quick run.
const BATCHES: [&[usize]; 2] = [&[1, 8, 32, 64, 128, 256], &[8, 64]];

/// The model sizes of section 5.2, and those of a quick run.
const SIZES: [&[usize]; 2] = [&[32, 64, 128, 256, 512], &[64, 256]];

/// An MV-RNN keeps several matrices of `hidden` by `hidden` for each phrase. So many numbers in one
/// matrix of each tree of a minibatch fit into the memory of a small machine: 2 to the 21st.
const MOST_OF_MATRICES: usize = 1 << 21;

fn sizes(scope: &Scope, workload: &str) -> Vec<usize> {
    let mut sizes = scope.of(SIZES[0], SIZES[1]).to_vec();
    sizes.retain(|size| !(scope.quick && workload == "mv-rnn" && *size > 64));
    sizes
}

/// All batch sizes of a workload at a model size.
fn throughput(scope: &Scope, name: &str, mode: &str, hidden: usize) -> Job {
    let mut batches = scope.of(BATCHES[0], BATCHES[1]).to_vec();
    if name == "mv-rnn" {
        batches.retain(|batch| batch * hidden * hidden <= MOST_OF_MATRICES);
    }
    workload(scope, name, mode, &format!("--hidden {hidden} --batch {}", list(&batches)))
}

fn throughputs(scope: &Scope) -> Vec<Job> {
    let mut jobs = Vec::new();
    for Model { workload, .. } in MODELS {
        for mode in MODES {
            let of_size = |hidden| throughput(scope, workload, mode, hidden);
            jobs.extend(sizes(scope, workload).into_iter().map(of_size));
        }
    }
    jobs
}

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

fn figure_6(found: &Found<'_>) -> Table {
    let mut hidden: Vec<usize> = found.rows.speeds.iter().map(|row| row.hidden).collect();
    hidden.sort_unstable();
    hidden.dedup();
    let mut columns: Vec<String> = ["model", "workload", "mode"].map(String::from).into();
    columns.extend(hidden.iter().map(|size| format!("h{size}, instances/s")));
    columns.push("paper: by Cavs DyNet, CPU".into());
    columns.push("paper: the same, GPU".into());
    columns.extend(hidden.iter().map(|size| format!("h{size}, peer; edb beside it")));
    let mut table = Table::new(columns);
    for Model { paper, workload, speedup, .. } in MODELS {
        for mode in MODES {
            if found.rows.of(workload, mode).next().is_none() {
                continue;
            }
            let mut cells = vec![paper.to_owned(), workload.into(), mode.into()];
            cells.extend(hidden.iter().map(|size| {
                found.rows.best(workload, mode, *size).map_or_else(String::new, |row| {
                    let of_peak = 100.0 * row.fraction_of_peak;
                    let rate = digits(row.instances_per_s);
                    format!("{rate} (B{}, {of_peak:.0} % of peak)", row.batch)
                })
            }));
            // The paper measures inference alone.
            let paper = if mode == "infer" { speedup } else { [""; 2] };
            cells.extend(paper.map(String::from));
            cells.extend(hidden.iter().map(|size| found.peers.best(workload, mode, *size)));
            table.row(cells);
        }
    }
    table.note(
        "The throughputs of the paper are only in its plot; section 5.2 states the speedups. No \
         CPU answers for the V100.",
    );
    table.note("Minibatches of MV-RNN are smaller where its matrices would not fit into memory.");
    table.without_empty_columns()
}

fn figure_7(found: &Found<'_>) -> Table {
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
    let columns = ["graphs", "models", "lower bound"].into_iter();
    let columns = columns.chain(POLICIES.iter().map(|(_, column)| *column));
    let mut table = Table::new(columns.chain(["paper: FSM sort by the bound"]));
    for Graphs { topology, models, by_bound, .. } in FIGURE_7 {
        let of = |policy| found.rows.schedule(topology, policy);
        let Some(depth) = of("depth") else { continue };
        let mut cells = vec![topology.to_owned(), models.into(), depth.lower_bound.to_string()];
        cells.extend(POLICIES.iter().map(|(policy, _)| {
            of(policy).map_or_else(String::new, |row| {
                format!("{} ({})", row.batches, ratio(row.batches as f64, row.lower_bound as f64))
            })
        }));
        cells.push(by_bound.map_or_else(|| "not stated".into(), |by| format!("{by:.2}")));
        table.row(cells);
    }
    table.note(
        "Batches of a minibatch of 32, and in brackets by the lower bound. Graphs are those of \
         the examples in --data, or drawn.",
    );
    table.note(
        "The paper states (section 5.2) that trees need 37 % fewer batches than with the agenda \
         or by depth, and lattices down to 1/3.27; its other bars are only in its plot.",
    );
    table
}

fn figure_9(found: &Found<'_>) -> Table {
    let mut table = Table::new([
        "model",
        "workload",
        "batch size",
        "ms a minibatch",
        "construction",
        "scheduling",
        "execution",
    ]);
    for Model { paper, workload, .. } in MODELS {
        for row in found.rows.of(workload, "infer") {
            let of =
                |ms: f64| format!("{} ms ({:.0} %)", digits(ms), 100.0 * ms / row.ms_per_batch);
            table.row([
                paper.to_owned(),
                workload.into(),
                row.batch.to_string(),
                digits(row.ms_per_batch),
                of(row.construct_ms),
                of(row.schedule_ms),
                of(row.ms_per_batch - row.construct_ms - row.schedule_ms),
            ]);
        }
    }
    table.note("64 hidden units. The paper's times are only in its plot.");
    table
}

fn table_1(found: &Found<'_>) -> Table {
    let mut table =
        Table::new(["model", "data set of the paper", "workload here", "instances here"]);
    for Model { paper, data, workload, .. } in MODELS {
        let instances = found.scope.instances(workload).unwrap_or("drawn");
        table.row([paper, data, workload, instances]);
    }
    table.note("Each workload takes the first 256 instances of its file, with ids modulo 256.");
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
    for Subgraph { name, latency_ms, kernels, copied_kb, .. } in SUBGRAPHS {
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
            ratio(latency_ms[0], latency_ms[1]),
            format!("{} / {}", kernels[0], kernels[1]),
            format!("{} / {}", copied_kb[0], copied_kb[1]),
        ]);
    }
    table.note(
        "Before / with the layout: here values in the order of their declaration, in the paper \
         DyNet's allocation. Cells have a weight for each gate. Both latencies here are of \
         interpreted kernels; those compiled exist for the layout only.",
    );
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
    let mut table = Table::new(columns.into_iter().chain(["paper: Cortex", "paper: ED-Batch"]));
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
    table.note("The paper does not say on which of its processors Cortex ran, nor the unit.");
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
    table.note("A TreeGRU has the graphs of a TreeLSTM, a LatticeGRU those of a LatticeLSTM.");
    table.note("The states are those of the table that was learned.");
    table.note(
        "The paper states 1040 states for the LatticeLSTM, learned on a graph of 11,626 vertices.",
    );
    table.without_empty_columns()
}

fn table_5(found: &Found<'_>) -> Table {
    let mut table = Table::new(["subgraph", "here, ms", "paper, ms"]);
    for Subgraph { name, compile_ms, .. } in SUBGRAPHS {
        let Some(row) = cell(found, name, "planned") else { continue };
        table.row([name.to_owned(), digits(row.plan_ms), compile_ms.to_string()]);
    }
    table.note(
        "Here: all passes from the function's program to its plan, forward and backward, \
                when a crate is built.",
    );
    table
}

fn table_6(found: &Found<'_>) -> Table {
    let mut table = Table::new(["framework", "CPU, inputs/s", "V100, inputs/s", "measured"]);
    if let Some(row) = found.rows.at("tree-lstm", "infer", 512, 256) {
        table.row([
            "edb",
            &digits(row.instances_per_s),
            "no CPU answers",
            &format!("here, {} threads", found.scope.threads),
        ]);
    }
    let peer = found.peers.at("tree-lstm", "infer", 512, 256);
    if !peer.is_empty() {
        table.row(["peer; edb beside it", &peer, "", "here, by benches/peers/run.py"]);
    }
    for (framework, [cpu, gpu]) in TABLE_6 {
        table.row([framework, &cpu.to_string(), &gpu.to_string(), "paper"]);
    }
    table
}
