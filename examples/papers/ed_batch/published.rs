//! What the text and the tables of ED-Batch state; what only a plot shows is not here.

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
    /// Their ratio, before they were rounded.
    pub speedup: f64,
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
        speedup: f64,
        kernels: [u32; 2],
        copied_kb: [f64; 2],
        compile_ms: f64,
    ) -> Subgraph {
        Subgraph { name, latency_ms, speedup, kernels, copied_kb, compile_ms }
    }
    [
        subgraph("GRUCell", [0.11, 0.07], 1.54, [6, 2], [666.0, 14.0], 4.82),
        subgraph("LSTMCell", [0.2, 0.13], 1.52, [4, 1], [1054.0, 16.0], 12.95),
        subgraph("MVCell", [0.08, 0.08], 0.96, [2, 2], [260.0, 260.0], 1.53),
        subgraph("TreeGRU-Internal", [0.24, 0.15], 1.6, [8, 2], [552.0, 16.0], 10.43),
        subgraph("TreeGRU-Leaf", [0.09, 0.07], 1.4, [4, 2], [268.0, 8.0], 2.91),
        subgraph("TreeLSTM-Internal", [0.19, 0.12], 1.61, [7, 3], [1064.0, 22.0], 29.89),
        subgraph("TreeLSTM-Leaf", [0.12, 0.09], 1.27, [3, 1], [396.0, 6.0], 3.64),
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
