//! What the text and the tables of Cavs state; what only a plot shows is not here.

/// Section 5.1: how many times as fast as without batching Cavs runs the LSTM of fixed length, by
/// batch size.
pub const BATCHING: [(usize, f64); 7] =
    [(2, 1.7), (4, 3.8), (8, 7.0), (16, 12.0), (32, 15.0), (64, 25.0), (128, 36.0)];

/// Table 1, left: seconds of computation an epoch of Tree-FC, by leaves: Cavs, Fold, DyNet (section
/// 5.2).
pub const TABLE_1_LEAVES: [(usize, [f64; 3]); 6] = [
    (32, [0.6, 3.1, 4.1]),
    (64, [1.1, 3.9, 8.0]),
    (128, [2.0, 6.2, 16.0]),
    (256, [4.0, 10.6, 33.7]),
    (512, [8.0, 18.5, 70.6]),
    (1024, [16.0, 32.0, 153.0]),
];

/// Table 1, right: seconds of computation an epoch of Tree-LSTM, by batch size: Cavs, Fold, DyNet
/// (section 5.2).
pub const TABLE_1_BATCHES: [(usize, [f64; 3]); 6] = [
    (1, [76.0, 550.0, 62.0]),
    (16, [9.8, 69.0, 12.0]),
    (32, [6.2, 43.0, 9.9]),
    (64, [4.1, 29.0, 7.4]),
    (128, [2.9, 20.5, 5.9]),
    (256, [2.3, 15.8, 5.4]),
];

/// Table 3: seconds an epoch of Tree-LSTM, by batch size: Cavs and DyNet, each in training and in
/// inference, for memory operations and for computation (section 5.3).
#[derive(Clone, Copy, Debug)]
pub struct Breakdown {
    pub batch: usize,
    pub memory_train: [f64; 2],
    pub memory_infer: [f64; 2],
    pub train: [f64; 2],
    pub infer: [f64; 2],
}

pub const TABLE_3: [Breakdown; 5] = {
    const fn at(
        batch: usize,
        memory_train: [f64; 2],
        memory_infer: [f64; 2],
        train: [f64; 2],
        infer: [f64; 2],
    ) -> Breakdown {
        Breakdown { batch, memory_train, memory_infer, train, infer }
    }
    [
        at(16, [1.14, 1.33], [0.6, 1.33], [9.8, 12.0], [2.9, 8.53]),
        at(32, [0.67, 0.87], [0.35, 0.87], [6.1, 9.8], [1.9, 5.35]),
        at(64, [0.39, 0.6], [0.21, 0.6], [4.0, 7.4], [1.3, 3.48]),
        at(128, [0.25, 0.44], [0.13, 0.44], [2.9, 5.9], [0.97, 2.52]),
        at(256, [0.17, 0.44], [0.09, 0.44], [2.3, 5.4], [0.77, 2.58]),
    ]
};

/// Section 5.2: what Fold needs to process the graphs of Tree-LSTM on one thread, by batch size,
/// "its time"; figure 9 has seconds and percentages, and the text does not say which of them these
/// are.
pub const FOLD_1: [(usize, f64); 6] =
    [(1, 1.1), (16, 7.14), (32, 31.35), (64, 40.1), (128, 46.13), (256, 48.77)];

/// Section 5.2: the share of an epoch of Tree-FC in which Fold processes graphs, by leaves, in
/// percent.
pub const FOLD_SHARE: [(usize, f64); 2] = [(32, 50.0), (1024, 80.0)];

/// Section 5.1: the seconds of an epoch of Tree-LSTM in PyTorch, beside Cavs at this batch size.
pub const PYTORCH: [(usize, f64); 1] = [(256, 542.0)];

/// Section 3.4: what each of these optimisations gains, of each about so much.
pub const OPTIMISATIONS: ([&str; 2], f64) = (["lazy batching", "fusion"], 1.2);
