//! Cavs: "An Efficient Runtime System for Dynamic Neural Networks" (Xu, Zhang, Neubig, Dai, Kim,
//! Deng, Ho, Yang, Xing; USENIX ATC 2018).

mod optimisations;
pub mod published;
#[cfg(test)]
mod tests;

use support::chart::{Picture, Scale};

use crate::figure::{axis, bars, chart, line, lines, picture};
use crate::item::{Found, Item, Paper, Scope, list};
use crate::job::Job;
use crate::peers;
use crate::rows::Speed;
use crate::table::{Table, digits, known, ratio};
use published::{BATCHING, FOLD_1, FOLD_SHARE, PYTORCH, TABLE_1_BATCHES, TABLE_1_LEAVES, TABLE_3};

pub const PAPER: Paper = Paper {
    title: "Cavs",
    reference: "\"Cavs: An Efficient Runtime System for Dynamic Neural Networks\", Xu, Zhang, \
                Neubig, Dai, Kim, Deng, Ho, Yang and Xing, USENIX ATC 2018.",
    items: &ITEMS,
};

const HARDWARE: &str =
    "Measured on an NVIDIA Titan X (GM200), beside a CPU with 16 cores (section 5).";

/// A model of section 5, and the instances of an epoch of it.
struct Model {
    workload: &'static str,
    epoch: f64,
}

/// The text has 929,589 words with the ends of sentences; 64 of them are an instance, and what is
/// left over is none.
const FIXED: Model = Model { workload: "fixed-lstm", epoch: 14_524.0 };
const VARIABLE: Model = Model { workload: "language-model", epoch: 42_068.0 };
const TREE_FC: Model = Model { workload: "tree-fc", epoch: 1_000.0 };
const TREE_LSTM: Model = Model { workload: "tree-lstm-child-sum", epoch: 8_544.0 };

// What an epoch is.
const FIXED_EPOCH: &str = "An epoch is 14,524 pieces of 64 words: the 929,589 words of PTB's \
                           training split, whose size the paper does not state.";
const VARIABLE_EPOCH: &str = "An epoch is the 42,068 sentences of PTB's training split, whose size \
                              the paper does not state.";
const TREE_FC_EPOCH: &str = "An epoch is 1,000 trees. The paper does not state how many it draws, \
                             so only how the seconds grow can be compared.";
const TREE_LSTM_EPOCH: &str = "An epoch is the 8,544 sentences of SST's training split, as in the \
                               paper.";

// What section 5.1 states of figure 8.
const FIXED_SAID: &str = "The paper states that Cavs is slightly faster than TensorFlow, and that \
                          cuDNN is the fastest.";
const VARIABLE_SAID: &str = "The paper states that Cavs is 2 to 3 times as fast as TensorFlow.";
const TREE_FC_SAID: &str = "The paper states that Cavs is at least ten times as fast as Fold and \
                            DyNet up to 512 hidden units.";
const TREE_LSTM_SAID: &str = "The paper states that Cavs is 8 to 10 times as fast as Fold, and \
                              that PyTorch, which cannot batch such networks, takes 542 s an epoch, \
                              290 times as long as Cavs with batch size 256.";

/// Why rows of figure 8 have no seconds of the paper.
const IN_A_PLOT: &str = "The paper's seconds are only in its plot.";

const CHILD_SUM: &str = "The cell is the paper's, a child-sum Tree-LSTM with `10 h²` operations a phrase; \
                         `tree-lstm`, in ED-Batch's tables, has `20 h²`.";

const UNITS: &str = "The paper does not state the hidden units of its Tree-LSTM: a full run takes 512, as in \
                     its figures 8a and 9a, and a quick run 64, beside which no seconds of the paper \
                     stand.";

/// The column of [`Model::memory`], and what it is.
const MEMORY: &str = "edb: memory, forward + backward, s";
const MOVING: &str = "Memory: the instructions of edb that move numbers and compute none (copies, \
                      rows of tables, children's states that are gathered, and gradients that are \
                      handed back to children). Each is timed, in a pass of its own, and the times \
                      of all threads are added up. They are a part of computation here. Children's \
                      states that kernels read where they are have no time of their own, nor have \
                      the sums of the tables' gradients.";

const BY_BATCH: &str = "A GPU is mostly idle with one instance at a time, so batches gain far more \
                        there than on a few cores, which one instance keeps busy where it has \
                        many hidden units.";
const BY_WIDTH: &str = "More hidden units mean more arithmetic for each number that is read: the \
                        fraction of the machine's peak says how well its cores are used.";

pub const ITEMS: [Item; 13] = [
    Item {
        name: "cavs/fig8a",
        title: "Fixed-LSTM by batch size",
        measured: "The seconds of an epoch of training an LSTM language model over 64 words, with \
                   512 hidden units, by batch size.",
        hardware: HARDWARE,
        here: "The workload `fixed-lstm`, in training: the instances of an epoch by those that are \
               trained in a second.",
        differs: &[FIXED_EPOCH, BY_BATCH, FIXED_SAID],
        alone: Some(
            "The paper's seconds are only in its plot, and it states the ratio of batch sizes 2 to 128.",
        ),
        jobs: |scope| batches(scope, &FIXED, ""),
        table: |found| {
            batch_table(
                found,
                &FIXED,
                // A ratio needs no width.
                &[("paper: Cavs / batch size 1, 512 units", |row| of(&BATCHING, row.batch))],
            )
        },
        picture: Some(by_batch),
    },
    Item {
        name: "cavs/fig8b",
        title: "Var-LSTM by batch size",
        measured: "The seconds of an epoch of training an LSTM language model over whole \
                   sentences, by batch size.",
        hardware: HARDWARE,
        here: "The workload `language-model`, in training. Sentences of different lengths run \
               together, without padding.",
        differs: &[VARIABLE_EPOCH, BY_BATCH, VARIABLE_SAID],
        alone: Some(IN_A_PLOT),
        jobs: |scope| batches(scope, &VARIABLE, ""),
        table: |found| batch_table(found, &VARIABLE, &[]),
        picture: Some(by_batch),
    },
    Item {
        name: "cavs/fig8c",
        title: "Tree-FC by batch size",
        measured: "The seconds of an epoch of training a fully connected layer over complete \
                   binary trees of 256 leaves, by batch size.",
        hardware: HARDWARE,
        here: "The workload `tree-fc`, in training, over the same trees.",
        differs: &[TREE_FC_EPOCH, BY_BATCH, TREE_FC_SAID],
        alone: Some(IN_A_PLOT),
        jobs: |scope| batches(scope, &TREE_FC, LEAVES_256),
        table: |found| batch_table(found, &TREE_FC, &[]),
        picture: Some(by_batch),
    },
    Item {
        name: "cavs/fig8d",
        title: "Tree-LSTM by batch size",
        measured: "The seconds of an epoch of training a Tree-LSTM over SST, by batch size.",
        hardware: HARDWARE,
        here: "The workload `tree-lstm-child-sum`, in training: the child-sum Tree-LSTM over binary \
               trees, with a loss at every phrase.",
        differs: &[CHILD_SUM, TREE_LSTM_EPOCH, UNITS, BY_BATCH, TREE_LSTM_SAID],
        alone: Some(
            "The paper states seconds at the batch sizes of its table 1: 2, 4 and 8 are only in its plot.",
        ),
        jobs: |scope| batches(scope, &TREE_LSTM, ""),
        table: |found| {
            batch_table(
                found,
                &TREE_LSTM,
                &[
                    ("paper: Cavs, computation, s (table 1)", |row| {
                        beside(row, of(&TABLE_1_BATCHES, row.batch)).map(|[cavs, ..]| cavs)
                    }),
                    ("paper: PyTorch, s", |row| beside(row, of(&PYTORCH, row.batch))),
                ],
            )
        },
        picture: Some(by_batch),
    },
    Item {
        name: "cavs/fig8e",
        title: "Fixed-LSTM by hidden units",
        measured: "The seconds of an epoch of training an LSTM language model over 64 words, with \
                   batch size 64, by hidden units.",
        hardware: HARDWARE,
        here: "The workload `fixed-lstm`, in training.",
        differs: &[FIXED_EPOCH, BY_WIDTH, FIXED_SAID],
        alone: Some(IN_A_PLOT),
        jobs: |scope| widths(scope, &FIXED, ""),
        table: |found| width_table(found, &FIXED),
        picture: Some(by_width),
    },
    Item {
        name: "cavs/fig8f",
        title: "Var-LSTM by hidden units",
        measured: "The seconds of an epoch of training an LSTM language model over whole \
                   sentences, with batch size 64, by hidden units.",
        hardware: HARDWARE,
        here: "The workload `language-model`, in training.",
        differs: &[VARIABLE_EPOCH, BY_WIDTH, VARIABLE_SAID],
        alone: Some(IN_A_PLOT),
        jobs: |scope| widths(scope, &VARIABLE, ""),
        table: |found| width_table(found, &VARIABLE),
        picture: Some(by_width),
    },
    Item {
        name: "cavs/fig8g",
        title: "Tree-FC by hidden units",
        measured: "The seconds of an epoch of training a fully connected layer over complete \
                   binary trees of 256 leaves, with batch size 64, by hidden units.",
        hardware: HARDWARE,
        here: "The workload `tree-fc`, in training.",
        differs: &[TREE_FC_EPOCH, BY_WIDTH, TREE_FC_SAID],
        alone: Some(IN_A_PLOT),
        jobs: |scope| widths(scope, &TREE_FC, LEAVES_256),
        table: |found| width_table(found, &TREE_FC),
        picture: Some(by_width),
    },
    Item {
        name: "cavs/fig8h",
        title: "Tree-LSTM by hidden units",
        measured: "The seconds of an epoch of training a Tree-LSTM over SST, with batch size 64, \
                   by hidden units.",
        hardware: HARDWARE,
        here: "The workload `tree-lstm-child-sum`, in training.",
        differs: &[CHILD_SUM, TREE_LSTM_EPOCH, BY_WIDTH, TREE_LSTM_SAID],
        alone: Some(IN_A_PLOT),
        jobs: |scope| widths(scope, &TREE_LSTM, ""),
        table: |found| width_table(found, &TREE_LSTM),
        picture: Some(by_width),
    },
    Item {
        name: "cavs/fig9a",
        title: "Construction of graphs by the size of trees",
        measured: "The seconds of an epoch of Tree-FC that the construction of graphs takes, and \
                   their share of all, by leaves, with batch size 64 and 512 hidden units.",
        hardware: HARDWARE,
        here: "The workload `tree-fc`, in training: the time in which graphs are built and \
               checked, vertex by vertex, from the trees in memory.",
        differs: &[
            TREE_FC_EPOCH,
            "The paper states that Fold spends 50 % on graphs at 32 leaves and 80 % at 1024, DyNet \
             and Cavs \"only 10% and 20%, respectively\"; the seconds are only in its plot.",
            "Cavs reads its graphs from files as they are; edb checks each vertex and each edge.",
        ],
        alone: Some(
            "The paper states the shares of Fold at 32 and at 1024 leaves, with 512 hidden units, of which a quick run \
             has 64; the others are only in its plot.",
        ),
        jobs: leaves,
        table: figure_9a,
        picture: Some(|table| constructions(table, "leaves", &[CONSTRUCTION])),
    },
    Item {
        name: "cavs/fig9b",
        title: "Construction of graphs by batch size",
        measured: "The seconds of an epoch of Tree-LSTM that the construction of graphs takes, and \
                   their share of all, by batch size.",
        hardware: HARDWARE,
        here: "The workload `tree-lstm-child-sum`, in training.",
        differs: &[
            CHILD_SUM,
            TREE_LSTM_EPOCH,
            "The paper states that Cavs takes a twentieth of the time of DyNet, and of Fold on 32 \
             threads.",
            "Whether its figures of Fold on one thread are seconds or percentages, the paper does \
             not state.",
            UNITS,
        ],
        alone: Some("The paper states no figure at batch sizes 2, 4 and 8."),
        jobs: |scope| batches(scope, &TREE_LSTM, ""),
        table: figure_9b,
        picture: Some(|table| constructions(table, "batch size", &[CONSTRUCTION, FOLD])),
    },
    Item {
        name: "cavs/fig10",
        title: "What each optimisation gains",
        measured: "How many times as fast the computation of Fixed-LSTM and of Tree-LSTM is with \
                   lazy batching, with fusion and with streaming, each beside none of them, with \
                   batch size 64, by hidden units.",
        hardware: HARDWARE,
        here: "The workloads `fixed-lstm` and `tree-lstm-child-sum`, in training, with `--disable`: lazy \
               phases, which run once for all vertices, and the fusion of pointwise ops.",
        differs: &[
            CHILD_SUM,
            "All kernels are interpreted here: those that are compiled exist for the whole plan \
             only.",
            "In the paper, lazy batching also puts off the gradients of parameters (section 3.4). \
             edb always sums these over all rows at once, with neither, too. What else is lazy \
             gains little on a CPU, and may lose: what a phase leaves for a later one has to be \
             written to memory and read again, where a batch of 64 rows would have stayed in the \
             cache.",
            "The paper states that lazy batching and fusion bring 20 % each (section 3.4), lazy \
             batching more with more hidden units and fusion more with fewer; the bars are only in \
             its plot.",
            "Lazy batching and fusion spare launches of kernels, which on a GPU cost time of their \
             own; on a CPU, a launch is a call of a function.",
        ],
        alone: Some(
            "The paper states what lazy batching gains and what fusion gains, each beside neither, and nothing of \
                   both or of the layout.",
        ),
        jobs: optimisations::jobs,
        table: optimisations::table,
        picture: Some(optimisations::gains),
    },
    Item {
        name: "cavs/table1",
        title: "Computation without the construction of graphs",
        measured: "The seconds of computation in an epoch of Tree-FC, by leaves, and of Tree-LSTM, \
                   by batch size, in Cavs, Fold and DyNet.",
        hardware: HARDWARE,
        here: "The workloads `tree-fc` and `tree-lstm-child-sum`, in training: the time of all but the \
               construction of graphs.",
        differs: &[CHILD_SUM, TREE_FC_EPOCH, TREE_LSTM_EPOCH, MOVING, UNITS],
        alone: Some("The paper's table has no batch sizes 2, 4 and 8."),
        jobs: |scope| leaves(scope).into_iter().chain(batches(scope, &TREE_LSTM, "")).collect(),
        table: table_1,
        picture: None,
    },
    Item {
        name: "cavs/table3",
        title: "Memory operations and computation",
        measured: "The seconds of an epoch of Tree-LSTM for operations on memory and for \
                   computation, by batch size, in Cavs and DyNet.",
        hardware: HARDWARE,
        here: "The workload `tree-lstm-child-sum`, in training and in inference.",
        differs: &[CHILD_SUM, TREE_LSTM_EPOCH, MOVING, UNITS],
        alone: Some("The paper's table has no batch sizes 1, 2, 4 and 8."),
        jobs: |scope| {
            let inference = scope.workload(TREE_LSTM.workload, "infer", &batch_sizes(scope));
            batches(scope, &TREE_LSTM, "").into_iter().chain([inference]).collect()
        },
        table: table_3,
        picture: None,
    },
];

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

    /// The seconds that operations on memory take, of all threads together, forward and backward.
    fn memory(&self, row: &Speed) -> String {
        let seconds = |ms| digits(self.seconds(row) * ms / row.ms_per_batch);
        let both = row.moving_forward_ms.zip(row.moving_backward_ms);
        both.map_or_else(String::new, |(forward, backward)| match row.mode.as_str() {
            "train" => format!("{} + {}", seconds(forward), seconds(backward)),
            _ => seconds(forward),
        })
    }

    /// The seconds of the fastest peer and of edb beside it.
    fn peers(&self, found: &Found<'_>, row: &Speed) -> [String; 2] {
        let pair = found.peers.at(self.workload, "train", row.hidden, row.batch);
        peers::cells(pair, |rate| format!("{} ({})", digits(self.epoch / rate.per_s), rate.program))
    }
}

/// What the paper has for a row, in a column.
type Beside = (&'static str, fn(&Speed) -> Option<f64>);

const SECONDS: &str = "edb, s an epoch";
const GAIN: &str = "edb / batch size 1";
const CONSTRUCTION: &str = "edb: construction, s";

fn batch_table(found: &Found<'_>, model: &Model, paper: &[Beside]) -> Table {
    let columns = ["batch size", "hidden", "edb, instances/s", SECONDS, GAIN].map(String::from);
    let columns = columns.into_iter().chain(paper.iter().map(|(column, _)| (*column).to_owned()));
    let mut table = Table::new(columns.chain(peers::columns("s an epoch")));
    let rows = || found.rows.of(model.workload, "train");
    let alone = rows().find(|row| row.batch == 1).map_or(0.0, |row| row.instances_per_s);
    for row in rows() {
        let cells = [
            row.batch.to_string(),
            row.hidden.to_string(),
            digits(row.instances_per_s),
            digits(model.seconds(row)),
            ratio(row.instances_per_s, alone),
        ];
        let paper = paper.iter().map(|(_, of)| known(of(row)));
        table.row(cells.into_iter().chain(paper).chain(model.peers(found, row)));
    }
    found.peers.say(&mut table);
    table.without_empty_columns()
}

fn by_batch(table: &Table) -> Picture {
    let of = |prefix: &str| -> Vec<&str> {
        table.columns.iter().map(String::as_str).filter(|name| name.starts_with(prefix)).collect()
    };
    let (seconds, gains): (Vec<&str>, Vec<&str>) =
        of("paper").into_iter().partition(|column| !column.contains("/ batch size 1"));
    let seconds = [vec![SECONDS], seconds, of("fastest peer"), of("edb beside it")].concat();
    let gains = [vec![GAIN], gains].concat();
    let x = ("batch size", Scale::Doubling);
    let charts = [
        lines(table, x, ("s an epoch", Scale::Decades), &seconds),
        lines(table, x, ("times as fast as with batch size 1", Scale::Decades), &gains),
    ];
    picture(2, charts)
}

fn width_table(found: &Found<'_>, model: &Model) -> Table {
    let columns = ["hidden", "batch size", "edb, instances/s", SECONDS, "of peak"];
    let columns = columns.map(String::from).into_iter();
    let mut table = Table::new(columns.chain(peers::columns("s an epoch")));
    for row in found.rows.of(model.workload, "train") {
        let cells = [
            row.hidden.to_string(),
            row.batch.to_string(),
            digits(row.instances_per_s),
            digits(model.seconds(row)),
            format!("{:.0} %", 100.0 * row.fraction_of_peak),
        ];
        table.row(cells.into_iter().chain(model.peers(found, row)));
    }
    found.peers.say(&mut table);
    table.without_empty_columns()
}

fn by_width(table: &Table) -> Picture {
    let [peer, beside] = peers::columns("s an epoch");
    let (x, y) = (("hidden units", Scale::Doubling), ("s an epoch", Scale::Decades));
    let lines =
        [SECONDS, &peer, &beside].map(|column| line(table, "hidden", column, column.into()));
    picture(1, [chart(axis(x), axis(y), lines)])
}

/// The cells for construction.
fn constructed(model: &Model, row: &Speed) -> [String; 3] {
    [
        digits(model.seconds(row)),
        digits(model.construction(row)),
        format!("{:.1}", 100.0 * (1.0 - row.computation())),
    ]
}

const FOLD: &str = "paper: Fold, one thread, no unit (s or %)";
const CONSTRUCTED: [&str; 3] = [SECONDS, CONSTRUCTION, "edb: construction, % of all"];

fn figure_9a(found: &Found<'_>) -> Table {
    let columns = ["leaves", "hidden"].into_iter().chain(CONSTRUCTED);
    let mut table = Table::new(columns.chain(["paper: Fold, % of all"]));
    for row in found.rows.of(TREE_FC.workload, "train") {
        let paper = beside(row, row.leaves.and_then(|leaves| of(&FOLD_SHARE, leaves)));
        let leaves = row.leaves.map_or_else(String::new, |leaves| leaves.to_string());
        let cells = [leaves, row.hidden.to_string()].into_iter().chain(constructed(&TREE_FC, row));
        table.row(cells.chain([known(paper)]));
    }
    table.without_empty_columns()
}

fn figure_9b(found: &Found<'_>) -> Table {
    let columns = ["batch size", "hidden"].into_iter().chain(CONSTRUCTED);
    let mut table = Table::new(columns.chain([FOLD]));
    for row in found.rows.of(TREE_LSTM.workload, "train") {
        let sizes = [row.batch, row.hidden].map(|size| size.to_string());
        let cells = sizes.into_iter().chain(constructed(&TREE_LSTM, row));
        table.row(cells.chain([known(beside(row, of(&FOLD_1, row.batch)))]));
    }
    table.without_empty_columns()
}

/// Lines of seconds, and bars of shares.
fn constructions(table: &Table, x: &str, seconds: &[&str]) -> Picture {
    let shares = ["edb: construction, % of all", "paper: Fold, % of all"];
    let charts = [
        lines(table, (x, Scale::Doubling), ("s an epoch", Scale::Decades), seconds),
        bars(table, x, "% of an epoch", &shares),
    ];
    picture(2, charts)
}

fn table_1(found: &Found<'_>) -> Table {
    let columns = ["model", "size", "hidden", "edb, s", MEMORY];
    let paper = ["paper: Cavs, s", "paper: Fold, s", "paper: DyNet, s"];
    let mut table = Table::new(columns.into_iter().chain(paper));
    let mut row = |model: &Model, size: String, speed: &Speed, paper: Option<[f64; 3]>| {
        let (hidden, seconds) = (speed.hidden.to_string(), digits(model.computation(speed)));
        let memory = model.memory(speed);
        let cells = [model.workload.to_owned(), size, hidden, seconds, memory].into_iter();
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
    table.without_empty_columns()
}

fn table_3(found: &Found<'_>) -> Table {
    let mut table = Table::new([
        "mode",
        "batch size",
        "hidden",
        "edb: computation, s",
        MEMORY,
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
                row.hidden.to_string(),
                digits(TREE_LSTM.computation(row)),
                TREE_LSTM.memory(row),
                digits(copied / 1e6),
            ];
            table.row(
                cells.into_iter().chain(paper.map(|paper| paper.map(both)).into_iter().flatten()),
            );
        }
    }
    table.without_empty_columns()
}
