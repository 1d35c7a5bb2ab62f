//! Cavs: "An Efficient Runtime System for Dynamic Neural Networks" (Xu, Zhang, Neubig, Dai, Kim,
//! Deng, Ho, Yang, Xing; USENIX ATC 2018). Its figures as its text and tables state them; what only
//! a plot shows is not here.

use crate::item::{Found, Item, Scope, list};
use crate::job::Job;
use crate::rows::Speed;
use crate::table::{Table, digits, known, ratio};

const HARDWARE: &str = "NVIDIA Titan X (GM200), a CPU with 16 cores (section 5)";

/// A model of section 5, and what an epoch of it is.
struct Model {
    workload: &'static str,
    /// The instances of an epoch.
    epoch: f64,
    epoch_is: &'static str,
}

/// The text has 929,589 words with the ends of sentences; 64 of them are an instance, and what is
/// left over is none.
const FIXED: Model = Model {
    workload: "fixed-lstm",
    epoch: 14_524.0,
    epoch_is: "14,524 pieces of 64 words: the 929,589 words of PTB's training split, whose size \
               the paper does not state",
};
const VARIABLE: Model = Model {
    workload: "language-model",
    epoch: 42_068.0,
    epoch_is: "the 42,068 sentences of PTB's training split, whose size the paper does not state",
};
const TREE_FC: Model = Model {
    workload: "tree-fc",
    epoch: 1_000.0,
    epoch_is: "1,000 trees: the paper does not state how many it draws, so only how its seconds \
               grow can be compared",
};
const TREE_LSTM: Model = Model {
    workload: "tree-lstm",
    epoch: 8_544.0,
    epoch_is: "the 8,544 sentences of SST's training split, as in the paper",
};

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

pub const ITEMS: [Item; 13] = [
    item(
        "cavs/fig8a",
        "Fixed-LSTM by batch size",
        "Seconds an epoch of an LSTM language model over 64 words, by batch size, with 512 hidden \
          units.",
        |scope| batches(scope, &FIXED, ""),
        |found| {
            batch_table(
                found,
                &FIXED,
                |batch| known(of(&BATCHING, batch)),
                "paper: by batch size 1",
            )
        },
    ),
    item(
        "cavs/fig8b",
        "Var-LSTM by batch size",
        "Seconds an epoch of an LSTM language model over whole sentences, by batch size.",
        |scope| batches(scope, &VARIABLE, ""),
        |found| batch_table(found, &VARIABLE, |_| String::new(), ""),
    ),
    item(
        "cavs/fig8c",
        "Tree-FC by batch size",
        "Seconds an epoch of a fully connected layer over complete trees of 256 leaves, by batch \
         size.",
        |scope| batches(scope, &TREE_FC, LEAVES_256),
        |found| batch_table(found, &TREE_FC, |_| String::new(), ""),
    ),
    item(
        "cavs/fig8d",
        "Tree-LSTM by batch size",
        "Seconds an epoch of a Tree-LSTM over SST, by batch size.",
        |scope| batches(scope, &TREE_LSTM, ""),
        |found| {
            let paper = |batch| of(&TABLE_1_BATCHES, batch).map(|[cavs, ..]| cavs);
            batch_table(
                found,
                &TREE_LSTM,
                |batch| known(paper(batch)),
                "paper: Cavs, computation, s (table 1)",
            )
        },
    ),
    item(
        "cavs/fig8e",
        "Fixed-LSTM by hidden units",
        "Seconds an epoch of an LSTM language model over 64 words, by hidden units, with batch \
         size 64.",
        |scope| widths(scope, &FIXED, ""),
        |found| width_table(found, &FIXED),
    ),
    item(
        "cavs/fig8f",
        "Var-LSTM by hidden units",
        "Seconds an epoch of an LSTM language model over whole sentences, by hidden units, with \
         batch size 64.",
        |scope| widths(scope, &VARIABLE, ""),
        |found| width_table(found, &VARIABLE),
    ),
    item(
        "cavs/fig8g",
        "Tree-FC by hidden units",
        "Seconds an epoch of a fully connected layer over complete trees of 256 leaves, by hidden \
          units, with batch size 64.",
        |scope| widths(scope, &TREE_FC, LEAVES_256),
        |found| width_table(found, &TREE_FC),
    ),
    item(
        "cavs/fig8h",
        "Tree-LSTM by hidden units",
        "Seconds an epoch of a Tree-LSTM over SST, by hidden units, with batch size 64.",
        |scope| widths(scope, &TREE_LSTM, ""),
        |found| width_table(found, &TREE_LSTM),
    ),
    item(
        "cavs/fig9a",
        "Construction of graphs by the size of trees",
        "Seconds an epoch of Tree-FC for the construction of graphs, and their share of all, by \
         leaves, with batch size 64 and 512 hidden units.",
        leaves,
        figure_9a,
    ),
    item(
        "cavs/fig9b",
        "Construction of graphs by batch size",
        "Seconds an epoch of Tree-LSTM for the construction of graphs, and their share of all, by \
          batch size.",
        |scope| batches(scope, &TREE_LSTM, ""),
        figure_9b,
    ),
    item(
        "cavs/fig10",
        "What each optimisation gains",
        "The speedup of the computation of Fixed-LSTM and Tree-LSTM by lazy batching, by fusion \
         and by streaming, each beside none of them, with batch size 64.",
        optimisations,
        figure_10,
    ),
    item(
        "cavs/table1",
        "Computation without the construction of graphs",
        "Seconds of computation an epoch of Tree-FC by leaves, and of Tree-LSTM by batch size, in \
          Cavs, Fold and DyNet.",
        |scope| leaves(scope).into_iter().chain(batches(scope, &TREE_LSTM, "")).collect(),
        table_1,
    ),
    item(
        "cavs/table3",
        "Memory operations and computation",
        "Seconds an epoch of Tree-LSTM for operations on memory and for computation, by batch \
         size, in Cavs and DyNet.",
        |scope| {
            let inference = scope.workload(TREE_LSTM.workload, "infer", &batch_sizes(scope));
            batches(scope, &TREE_LSTM, "").into_iter().chain([inference]).collect()
        },
        table_3,
    ),
];

const fn item(
    name: &'static str,
    title: &'static str,
    measured: &'static str,
    jobs: fn(&Scope) -> Vec<Job>,
    table: fn(&Found<'_>) -> Table,
) -> Item {
    Item { name, title, measured, hardware: HARDWARE, jobs, table }
}

const UNITS: &str = "The paper does not state the hidden units of its Tree-LSTM: 512 are taken, as \
                     in its figures 8a and 9a. No figure of the paper stands beside fewer.";
const LEAVES_256: &str = "--leaves 256";
/// The hidden units where something else is varied, and those of a quick run, beside which no
/// seconds of the paper stand.
const HIDDEN: [usize; 2] = [512, 64];
/// Batch sizes: those of the text and of table 1.
const BATCHES: [&[usize]; 2] = [&[1, 2, 4, 8, 16, 32, 64, 128, 256], &[1, 16, 64]];
/// The paper states up to 512 in its text, and its sizes only in its plots.
const WIDTHS: [&[usize]; 2] = [&[64, 128, 256, 512, 1024], &[64, 256]];
const LEAVES: [&str; 2] = ["32..1024", "32,256"];

/// What a table of the paper has for a size.
fn of<T: Copy>(table: &[(usize, T)], size: usize) -> Option<T> {
    table.iter().find(|(of, _)| *of == size).map(|(_, value)| *value)
}

/// What stands beside a row: the paper's figures are of its hidden units.
fn beside<T>(row: &Speed, paper: Option<T>) -> Option<T> {
    paper.filter(|_| row.hidden == HIDDEN[0])
}

fn batch_sizes(scope: &Scope) -> String {
    let hidden = scope.of(HIDDEN[0], HIDDEN[1]);
    format!("--hidden {hidden} --batch {}", list(scope.of(BATCHES[0], BATCHES[1])))
}

fn batches(scope: &Scope, model: &Model, more: &str) -> Vec<Job> {
    vec![scope.workload(model.workload, "train", &format!("{} {more}", batch_sizes(scope)))]
}

fn widths(scope: &Scope, model: &Model, more: &str) -> Vec<Job> {
    let widths = list(scope.of(WIDTHS[0], WIDTHS[1]));
    vec![scope.workload(model.workload, "train", &format!("--hidden {widths} --batch 64 {more}"))]
}

fn leaves(scope: &Scope) -> Vec<Job> {
    let (leaves, hidden) = scope.of((LEAVES[0], HIDDEN[0]), (LEAVES[1], HIDDEN[1]));
    let sizes = format!("--leaves {leaves} --hidden {hidden} --batch 64");
    vec![scope.workload(TREE_FC.workload, "train", &sizes)]
}

impl Model {
    fn seconds(&self, row: &Speed) -> f64 {
        self.epoch / row.instances_per_s
    }

    fn construction(&self, row: &Speed) -> f64 {
        self.seconds(row) * (1.0 - row.computation())
    }

    fn computation(&self, row: &Speed) -> f64 {
        self.seconds(row) * row.computation()
    }

    fn note(&self, table: &mut Table) {
        table.note(format!("An epoch is {}.", self.epoch_is));
    }
}

fn batch_table(
    found: &Found<'_>,
    model: &Model,
    paper: impl Fn(usize) -> String,
    column: &str,
) -> Table {
    let mut table = Table::new([
        "batch size",
        "hidden",
        "instances/s",
        "seconds an epoch",
        "by batch size 1",
        column,
        "peer; edb beside it, instances/s",
    ]);
    let rows = || found.rows.of(model.workload, "train");
    let alone = rows().find(|row| row.batch == 1).map_or(0.0, |row| row.instances_per_s);
    for row in rows() {
        table.row([
            row.batch.to_string(),
            row.hidden.to_string(),
            digits(row.instances_per_s),
            digits(model.seconds(row)),
            ratio(row.instances_per_s, alone),
            beside(row, Some(paper(row.batch))).unwrap_or_default(),
            found.peers.at(model.workload, "train", row.hidden, row.batch),
        ]);
    }
    model.note(&mut table);
    table.note(said(model));
    table.without_empty_columns()
}

fn width_table(found: &Found<'_>, model: &Model) -> Table {
    let mut table = Table::new([
        "hidden",
        "batch size",
        "instances/s",
        "seconds an epoch",
        "of peak",
        "peer; edb beside it, instances/s",
    ]);
    for row in found.rows.of(model.workload, "train") {
        table.row([
            row.hidden.to_string(),
            row.batch.to_string(),
            digits(row.instances_per_s),
            digits(model.seconds(row)),
            format!("{:.0} %", 100.0 * row.fraction_of_peak),
            found.peers.at(model.workload, "train", row.hidden, row.batch),
        ]);
    }
    model.note(&mut table);
    table.note(said(model));
    table.without_empty_columns()
}

/// What section 5.1 states of figure 8.
fn said(model: &Model) -> &'static str {
    match model.workload {
        "fixed-lstm" => {
            "The paper states that Cavs is slightly faster than TensorFlow, and that cuDNN is the \
              fastest; the seconds are only in its plot."
        }
        "language-model" => {
            "The paper states that Cavs is 2 to 3 times as fast as TensorFlow; the seconds are \
             only in its plot."
        }
        "tree-fc" => {
            "The paper states that Cavs is at least ten times as fast as Fold and DyNet up to 512 \
              hidden units; the seconds are only in its plot."
        }
        _ => {
            "The paper states that Cavs is 8 to 10 times as fast as Fold, and that PyTorch takes \
             542 s an epoch; the seconds of all are only in its plot."
        }
    }
}

/// The cells for construction.
fn constructed(model: &Model, row: &Speed) -> [String; 3] {
    [
        digits(model.seconds(row)),
        digits(model.construction(row)),
        format!("{:.1} %", 100.0 * (1.0 - row.computation())),
    ]
}

const CONSTRUCTED: [&str; 3] = ["seconds an epoch", "construction, s", "of all"];

fn figure_9a(found: &Found<'_>) -> Table {
    let mut table = Table::new(["leaves"].into_iter().chain(CONSTRUCTED));
    for row in found.rows.of(TREE_FC.workload, "train") {
        let leaves = row.leaves.map_or_else(String::new, |leaves| leaves.to_string());
        table.row([leaves].into_iter().chain(constructed(&TREE_FC, row)));
    }
    TREE_FC.note(&mut table);
    table.note(
        "The paper states that Fold spends 50 % on graphs at 32 leaves and 80 % at 1024, DyNet \
         and Cavs \"only 10% and 20%, respectively\"; the seconds are only in its plot.",
    );
    table
}

fn figure_9b(found: &Found<'_>) -> Table {
    let columns = ["batch size"].into_iter().chain(CONSTRUCTED);
    let mut table = Table::new(columns.chain(["paper: Fold, one thread"]));
    for row in found.rows.of(TREE_LSTM.workload, "train") {
        let cells = [row.batch.to_string()].into_iter().chain(constructed(&TREE_LSTM, row));
        table.row(cells.chain([known(of(&FOLD_1, row.batch))]));
    }
    TREE_LSTM.note(&mut table);
    table.note(
        "The paper states that Cavs takes a twentieth of what DyNet, and Fold on 32 threads, take.",
    );
    table.note("Whether its figures of Fold are seconds or percentages, the paper does not state.");
    table
}

/// What is switched off; interpreted kernels, since others exist for the whole plan only.
const OFF: [(&str, &str); 5] = [
    ("neither", "compiled,lazy,fusion"),
    ("lazy batching", "compiled,fusion"),
    ("fusion", "compiled,lazy"),
    ("both", "compiled"),
    ("both, without layout and views", "compiled,layout,views"),
];

fn optimisations(scope: &Scope) -> Vec<Job> {
    let hidden = list(scope.of(&[64, 256, 512][..], &[64]));
    let job = |model: &Model, off: &str| {
        let sizes = format!("--hidden {hidden} --batch 64 --disable {off}");
        scope.workload(model.workload, "train", &sizes)
    };
    let jobs = |model| OFF.iter().map(move |(_, off)| job(model, off));
    jobs(&FIXED).chain(jobs(&TREE_LSTM)).collect()
}

fn figure_10(found: &Found<'_>) -> Table {
    let columns = ["workload", "hidden", "with", "computation, s an epoch", "by neither"];
    let mut table = Table::new(columns);
    for model in [&FIXED, &TREE_LSTM] {
        let rows = |off: &'static str| {
            found.rows.speeds.iter().filter(move |row| {
                let mut disabled: Vec<&str> = row.disabled.iter().map(String::as_str).collect();
                let mut wanted: Vec<&str> = off.split(',').collect();
                disabled.sort_unstable();
                wanted.sort_unstable();
                row.workload == model.workload && disabled == wanted
            })
        };
        for base in rows(OFF[0].1) {
            for (with, off) in OFF {
                let Some(row) = rows(off).find(|row| row.hidden == base.hidden) else { continue };
                table.row([
                    model.workload.to_owned(),
                    row.hidden.to_string(),
                    with.into(),
                    digits(model.computation(row)),
                    ratio(model.computation(base), model.computation(row)),
                ]);
            }
        }
    }
    table.row(["both", "", "streaming", "edb has no streams of a device on a CPU"]);
    table.note("All kernels are interpreted: those compiled exist for the whole plan only.");
    table.note(
        "The paper states that lazy batching and fusion bring 20 % each (section 3.4), more of \
         lazy batching with more hidden units and more of fusion with fewer; the bars are only in \
          its plot.",
    );
    table
}

fn table_1(found: &Found<'_>) -> Table {
    const COLUMNS: [&str; 6] = ["model", "size", "edb, s", "paper: Cavs, s", "Fold, s", "DyNet, s"];
    let mut table = Table::new(COLUMNS);
    let mut row = |model: &Model, size: String, speed: &Speed, paper: Option<[f64; 3]>| {
        let seconds = digits(model.computation(speed));
        let cells = [model.workload.to_owned(), size, seconds].into_iter();
        let paper = beside(speed, paper).map(|all| all.map(digits));
        table.row(cells.chain(paper.into_iter().flatten()));
    };
    for speed in found.rows.of(TREE_FC.workload, "train") {
        let leaves = speed.leaves.unwrap_or(0);
        row(&TREE_FC, format!("{leaves} leaves"), speed, of(&TABLE_1_LEAVES, leaves));
    }
    for speed in found.rows.of(TREE_LSTM.workload, "train") {
        let paper = of(&TABLE_1_BATCHES, speed.batch);
        row(&TREE_LSTM, format!("batch size {}", speed.batch), speed, paper);
    }
    TREE_FC.note(&mut table);
    TREE_LSTM.note(&mut table);
    table.note(UNITS);
    table.without_empty_columns()
}

fn table_3(found: &Found<'_>) -> Table {
    let mut table = Table::new([
        "mode",
        "batch size",
        "edb: computation, s",
        "edb: copied, MB",
        "paper: Cavs / DyNet, computation, s",
        "paper: Cavs / DyNet, memory, s",
    ]);
    for mode in ["train", "infer"] {
        for row in found.rows.of(TREE_LSTM.workload, mode) {
            let paper =
                TABLE_3.iter().find(|paper| paper.batch == row.batch).map(|paper| match mode {
                    "train" => [paper.train, paper.memory_train],
                    _ => [paper.infer, paper.memory_infer],
                });
            let paper = beside(row, paper);
            let both = |[cavs, dynet]: [f64; 2]| format!("{cavs} / {dynet}");
            let copied = row.copied_bytes * TREE_LSTM.epoch / row.batch as f64;
            let cells = [
                mode.to_owned(),
                row.batch.to_string(),
                digits(TREE_LSTM.computation(row)),
                digits(copied / 1e6),
            ];
            table.row(
                cells.into_iter().chain(paper.map(|paper| paper.map(both)).into_iter().flatten()),
            );
        }
    }
    table.row([
        "both",
        "",
        "memory operations have no time of their own: rows are copied within the blocks that \
         compute, so the bytes of an epoch are given",
    ]);
    TREE_LSTM.note(&mut table);
    table.note(UNITS);
    table.without_empty_columns()
}
