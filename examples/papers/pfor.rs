//! pfor: "Auto-Vectorizing TensorFlow Graphs: Jacobians, Auto-Batching And Beyond" (Agarwal,
//! Ganichev; 2019). Its figures are plots; what its text states of them is here.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use support::Result;

use crate::item::{Found, Item, Scope, list};
use crate::job::{Job, Program};
use crate::table::{Table, digits, ratio};

const HARDWARE: &str =
    "Intel Xeon E5-1650 with 6 cores, NVIDIA Titan X of the Maxwell generation (section 6.1)";

/// Section 6.3: how many times as fast as a loop the gradients of each of 256 sequences are.
pub const EACH_BY_LOOP: (usize, f64) = (256, 38.0);

/// Section 6.4: how many times as fast as a loop a Jacobian with 128 rows is; the text says "over".
pub const JACOBIAN_BY_LOOP: (usize, f64) = (128, 60.0);

pub const ITEMS: [Item; 3] = [
    Item {
        name: "pfor/fig1",
        title: "Batching by itself",
        measured: "The throughput of inference of a linear layer, a network for MNIST, and an \
                   LSTM of 256 units over 1 to 100 vectors of 128 numbers, by batch size.",
        hardware: HARDWARE,
        jobs: |scope| {
            let batches = list(scope.of(&[1, 8, 32, 64, 128, 256][..], &[1, 64]));
            let sizes = format!("--hidden 256 --batch {batches} --ids-modulo 128");
            let data = sentences(&scope.folder);
            vec![scope.drawn("language-model", "infer", &sizes).with("--data", data.display())]
        },
        table: figure_1,
    },
    Item {
        name: "pfor/fig2",
        title: "Gradients of each example",
        measured: "How many gradients of single examples per second, by examples in a batch, for \
                   MNIST and for an LSTM of 256 units over ten vectors of 128 numbers.",
        hardware: HARDWARE,
        jobs: |scope| vec![Job::new(Program::Private, &format!("{} --json", scope.threads))],
        table: figure_2,
    },
    Item {
        name: "pfor/fig3",
        title: "Jacobians",
        measured: "How many rows of a Jacobian per second, by the size of the output, for VGG16 \
                   and for an LSTM over ten steps.",
        hardware: HARDWARE,
        jobs: |scope| {
            let arguments = format!("{} --jacobians --json", scope.threads);
            vec![Job::new(Program::Derivatives, &arguments)]
        },
        table: figure_3,
    },
];

/// The words of a sentence by its number: every length from 1 to 100 occurs once in a hundred
/// sentences, in an order in which short and long ones alternate.
fn words(sentence: usize) -> usize {
    sentence * 37 % 100 + 1
}

/// `workloads` takes so many instances; if a minibatch is one instance, a fourth of them.
fn instances(batch: usize) -> usize {
    if batch == 1 { 64 } else { 256 }
}

/// The file of the sentences.
fn sentences(folder: &Path) -> PathBuf {
    folder.join("lengths.txt")
}

/// Writes the sentences.
pub fn prepare(scope: &Scope) -> Result<()> {
    let mut text = String::new();
    for sentence in 0..instances(256) {
        for word in 0..words(sentence) {
            let space = if word == 0 { "" } else { " " };
            // Writing into memory does not fail.
            let _ = write!(text, "{space}w{}", (31 * sentence + 17 * word) % 128);
        }
        text.push('\n');
    }
    let path = sentences(&scope.folder);
    edb_file::create_folder(&scope.folder)
        .and_then(|()| edb_file::write_bytes(&path, text.as_bytes()))
        .map_err(|error| format!("{}: {error}", path.display()).into())
}

fn figure_1(found: &Found<'_>) -> Table {
    let mut table = Table::new(["model", "batch size", "edb, words/s", "sequences/s", "of peak"]);
    for row in found.rows.of("language-model", "infer") {
        let count = instances(row.batch);
        let mean = (0..count).map(words).sum::<usize>() as f64 / count as f64;
        table.row([
            "LSTM".to_owned(),
            row.batch.to_string(),
            digits(mean * row.instances_per_s),
            digits(row.instances_per_s),
            format!("{:.0} %", 100.0 * row.fraction_of_peak),
        ]);
    }
    table.row(["linear layer", "", "not measured: no program of edb runs a layer without a graph"]);
    table.row(["MNIST", "", "not measured: edb has no convolutions"]);
    table.note(
        "The LSTM here does more than the paper's: its vectors have 256 numbers, and it predicts \
         one of 128 words at each step.",
    );
    table.note("The paper's throughputs are only in its plot, on CPU and GPU.");
    table
}

fn figure_2(found: &Found<'_>) -> Table {
    let mut table = Table::new([
        "model",
        "hidden",
        "examples",
        "edb, gradients of each/s",
        "one at a time/s",
        "ratio",
        "one gradient of all, examples/s",
        "paper: ratio, GPU",
    ]);
    for row in &found.rows.gradients {
        let (examples, times) = EACH_BY_LOOP;
        let same = row.model == "lstm" && row.hidden == 256 && row.graphs == examples;
        table.row([
            row.model.clone(),
            row.hidden.to_string(),
            row.graphs.to_string(),
            digits(row.norms_per_s),
            digits(row.one_by_one_per_s),
            ratio(row.norms_per_s, row.one_by_one_per_s),
            digits(row.plain_per_s),
            if same { digits(times) } else { String::new() },
        ]);
    }
    table.row(["MNIST", "", "", "not measured: edb has no convolutions"]);
    table.note(
        "Here, the gradient of each example is taken for its norm and is not kept, and one at a \
         time it is kept until the next. The paper's ratio is that on a GPU, most of which one \
         example leaves idle.",
    );
    table
}

fn figure_3(found: &Found<'_>) -> Table {
    let mut table = Table::new([
        "model",
        "output",
        "input",
        "edb, rows/s",
        "one row at a time, rows/s",
        "ratio",
        "paper: ratio, GPU",
    ]);
    for row in &found.rows.jacobians {
        let rate = |ms: f64| digits(row.hidden as f64 * 1e3 / ms);
        let (output, times) = JACOBIAN_BY_LOOP;
        table.row([
            "LSTM, 10 steps".to_owned(),
            row.hidden.to_string(),
            row.width.to_string(),
            rate(row.together_ms),
            rate(row.one_by_one_ms),
            ratio(row.one_by_one_ms, row.together_ms),
            if row.hidden == output { format!("over {}", digits(times)) } else { String::new() },
        ]);
    }
    table.row(["VGG16", "", "", "not measured: edb has no convolutions"]);
    table.note("The paper states the ratio for its largest output, of all its models.");
    table
}
