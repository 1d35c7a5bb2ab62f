//! pfor: "Auto-Vectorizing TensorFlow Graphs: Jacobians, Auto-Batching And Beyond" (Agarwal,
//! Ganichev; 2019). Its figures are plots; what its text states of them is here.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use support::Result;
use support::chart::{Picture, Scale};

use crate::figure::{axis, chart, line, lines, picture};
use crate::item::{Found, Item, Paper, Scope, list};
use crate::job::{Job, Program};
use crate::peers::{DYNET, EDB, PYTORCH};
use crate::table::{Table, digits, known, ratio};

const HARDWARE: &str = "Measured on an Intel Xeon E5-1650 with 6 cores, and on an NVIDIA Titan X \
                        of the Maxwell generation (section 6.1).";
const GPU: &str = "Measured on an NVIDIA Titan X of the Maxwell generation (sections 6.3 and 6.4).";

/// Section 6.3: how many times as fast as a loop the gradients of each of 256 sequences are.
pub const EACH_BY_LOOP: (usize, f64) = (256, 38.0);

/// Section 6.4: how many times as fast as a loop a Jacobian with 128 rows is; the text says "over".
pub const JACOBIAN_BY_LOOP: (usize, f64) = (128, 60.0);

pub const PAPER: Paper = Paper {
    title: "pfor",
    reference: "\"Auto-Vectorizing TensorFlow Graphs: Jacobians, Auto-Batching And Beyond\", \
                Agarwal and Ganichev, 2019.",
    items: &ITEMS,
};
/// The output of the linear layer, which is as long as its input (section 6.2.1).
const LAYER: usize = 768;

/// The hidden units of the perceptron: the paper does not state them.
const PERCEPTRON: usize = 512;

/// Workloads, what `benches/peers/run.py` calls the same, and what the paper does.
pub const MODELS: [(&str, &str, &str); 3] = [
    ("linear-layer", "linear-layer", "linear layer"),
    ("perceptron", "perceptron", "MNIST without convolutions"),
    ("language-model", "lengths", "LSTM"),
];

/// What `benches/peers/run.py` calls figure 2's LSTM.
pub const EACH: &str = "each-lstm";

/// A column of edb as it was measured together with PyTorch.
const BESIDE_PYTORCH: &str = "edb beside it";

pub const ITEMS: [Item; 4] = [
    Item {
        name: "pfor/fig1",
        title: "Batching by itself",
        measured: "The throughput of inference of a linear layer, of a network for MNIST, and of \
                   an LSTM of 256 units over 1 to 100 vectors of 128 numbers, by batch size.",
        hardware: HARDWARE,
        here: "The workloads `linear-layer`, `perceptron` and `language-model`, in inference, the \
               last over sentences of 1 to 100 words.",
        differs: &[
            "The linear layer has the paper's size, 768 from 768. Of the network for MNIST, what \
             comes behind the convolutions is measured: a hidden layer, here over the 784 pixels \
             and with 512 units, which the paper does not state, and ten digits. Each example is a \
             graph of one vertex, which pulls its vector. Vectors are drawn. Time includes the \
             graphs, into which the vectors are copied.",
            "The LSTM here does more than the paper's: its vectors have 256 numbers, and it \
             predicts one of 128 words at each step.",
            "Of the linear layer the paper states that, with batches that are not small, pfor exceeds \
             the others, DyNet among them, by 1 to 1.5 orders of magnitude.",
        ],
        alone: Some("The paper's throughputs are only in its plots, on CPU and GPU."),
        jobs: |scope| {
            let batches = list(scope.of(&[1, 8, 32, 64, 128, 256][..], &[1, 64]));
            let sizes = format!("--hidden 256 --batch {batches} --ids-modulo 128");
            let data = sentences(&scope.folder);
            let layer = |name, hidden: usize| {
                scope.drawn(name, "infer", &format!("--hidden {hidden} --batch {batches}"))
            };
            let lstm = scope.drawn("language-model", "infer", &sizes);
            vec![
                lstm.with("--data", data.display()),
                layer("linear-layer", LAYER),
                layer("perceptron", PERCEPTRON),
            ]
        },
        table: figure_1,
        picture: Some(examples_per_second),
    },
    Item {
        name: "pfor/fig2",
        title: "Gradients of each example",
        measured: "How many gradients of single examples are taken per second, by the examples in \
                   a batch, for MNIST and for an LSTM of 256 units over ten vectors of 128 \
                   numbers.",
        hardware: GPU,
        here: "The bench `private`: the norm of each example's gradient, and the sum of all, each \
               clipped to a norm, as private training takes them; beside one backward pass for \
               each example, and one for the sum of all.",
        differs: &[
            "The paper forms the gradient of each example. edb forms none of them whole: of a weight \
             it has a product's two factors, from which norms and clipped sums come. So the norms \
             alone take less than the sum of all gradients, for which these products are formed.",
            "The model `tree` is a Tree-LSTM, which the paper does not have.",
            "The paper's ratio is that on a GPU, most of which one example leaves idle.",
        ],
        alone: Some(
            "The paper states the ratio of 256 sequences of its LSTM, with 256 units; the others are only in its plot.",
        ),
        jobs: |scope| vec![Job::new(Program::Private, &format!("{} --json", scope.threads))],
        table: figure_2,
        picture: Some(gradients),
    },
    Item {
        name: "pfor/fig3",
        title: "Jacobians",
        measured: "How many rows of a Jacobian are computed per second, by the size of the output, \
                   for VGG16 and for an LSTM over ten steps.",
        hardware: GPU,
        here: "The bench `derivatives`: all rows in one backward pass, beside one backward pass \
               for each.",
        differs: &[
            "The paper states the ratio for its largest output, of all its models, on a GPU.",
            "Here the size of the output is the same, and that of the input is not.",
        ],
        alone: None,
        jobs: |scope| {
            let arguments = format!("{} --jacobians --json", scope.threads);
            vec![Job::new(Program::Derivatives, &arguments)]
        },
        table: figure_3,
        picture: Some(jacobians),
    },
    Item {
        name: "pfor/hessians",
        title: "Hessians",
        measured: "Nothing is measured: the Jacobian of a Jacobian, the Hessian of an output of many numbers, can \
                   be computed, of networks with loops, too (section 5.1).",
        hardware: "No machine is stated.",
        here: "The bench `derivatives`: the product of a direction of all parameters with the Hessian of a \
               minibatch's loss, beside the gradient, forward and backward, of a Tree-LSTM with a loss at every \
               phrase.",
        differs: &[
            "A product needs 8/3 of the operations of a gradient. A Hessian has a row for each parameter, here \
             more than a million of them, so that whole it would take as many products.",
            "The Tree-LSTM is that of `tree-lstm`, which the paper does not have; its trees are drawn.",
        ],
        alone: Some("The paper has no figure of any Hessian."),
        jobs: |scope| {
            let arguments = format!("{} --products --json", scope.threads);
            vec![Job::new(Program::Derivatives, &arguments)]
        },
        table: hessians,
        picture: None,
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

/// How fast a program is at a size of a workload, by `benches/peers/run.py`, and how it was run.
fn peer(found: &Found<'_>, program: &str, size: (&str, &str, usize, usize)) -> String {
    let (workload, mode, hidden, batch) = size;
    let rate = found.peers.at_of(program, workload, mode, hidden, batch);
    rate.map_or_else(String::new, |rate| {
        let how = rate.program.strip_prefix(program).unwrap_or_default();
        format!("{}{how}", digits(rate.per_s))
    })
}

fn figure_1(found: &Found<'_>) -> Table {
    const COLUMNS: [&str; 9] = [
        "model",
        "batch size",
        "edb, words/s",
        "edb, examples/s",
        "edb, GFLOP/s",
        "of peak",
        PYTORCH,
        DYNET,
        "edb beside them",
    ];
    let mut table = Table::new(COLUMNS);
    for (workload, beside, model) in MODELS {
        for row in found.rows.of(workload, "infer") {
            let count = instances(row.batch);
            let mean = (0..count).map(words).sum::<usize>() as f64 / count as f64;
            let words = (model == "LSTM").then_some(mean * row.instances_per_s);
            let cells = [
                model.to_owned(),
                row.batch.to_string(),
                known(words),
                digits(row.instances_per_s),
                digits(row.gflops),
                format!("{:.0} %", 100.0 * row.fraction_of_peak),
            ];
            let beside = (beside, "infer", row.hidden, row.batch);
            let beside = [PYTORCH, DYNET, EDB].map(|program| peer(found, program, beside));
            table.row(cells.into_iter().chain(beside));
        }
    }
    table.row(["MNIST", "", "not measured: edb has no convolutions"]);
    found.peers.say(&mut table);
    table.without_empty_columns()
}

fn figure_2(found: &Found<'_>) -> Table {
    let mut table = Table::new([
        "model",
        "hidden",
        "examples",
        "edb, norms of each/s",
        "edb, clipped sum, examples/s",
        "one at a time/s",
        "norms / one at a time",
        "clipped / one at a time",
        "one gradient of all, examples/s",
        "paper: each / one at a time, GPU",
        "PyTorch, clipped sum, examples/s",
        BESIDE_PYTORCH,
    ]);
    for row in &found.rows.gradients {
        let (examples, times) = EACH_BY_LOOP;
        let same = row.model == "lstm" && row.hidden == 256 && row.graphs == examples;
        let beside = (EACH, "clipped", row.hidden, row.graphs);
        let beside = [PYTORCH, EDB].map(|program| {
            if row.model == "lstm" { peer(found, program, beside) } else { String::new() }
        });
        let cells = [
            row.model.clone(),
            row.hidden.to_string(),
            row.graphs.to_string(),
            digits(row.norms_per_s),
            digits(row.clipped_per_s),
            digits(row.one_by_one_per_s),
            ratio(row.norms_per_s, row.one_by_one_per_s),
            ratio(row.clipped_per_s, row.one_by_one_per_s),
            digits(row.plain_per_s),
            if same { digits(times) } else { String::new() },
        ];
        table.row(cells.into_iter().chain(beside));
    }
    table.row(["MNIST", "", "", "not measured: edb has no convolutions"]);
    found.peers.say(&mut table);
    table.without_empty_columns()
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
        "PyTorch, rows/s",
        BESIDE_PYTORCH,
    ]);
    for row in &found.rows.jacobians {
        let rate = |ms: f64| digits(row.hidden as f64 * 1e3 / ms);
        let (output, times) = JACOBIAN_BY_LOOP;
        let workload = format!("jacobian-{}", row.width);
        let beside = [PYTORCH, EDB]
            .map(|program| peer(found, program, (&workload, "infer", row.hidden, row.hidden)));
        let cells = [
            "LSTM, 10 steps".to_owned(),
            row.hidden.to_string(),
            row.width.to_string(),
            rate(row.together_ms),
            rate(row.one_by_one_ms),
            ratio(row.one_by_one_ms, row.together_ms),
            if row.hidden == output {
                format!("{} and more", digits(times))
            } else {
                String::new()
            },
        ];
        table.row(cells.into_iter().chain(beside));
    }
    table.row(["VGG16", "", "", "not measured: edb has no convolutions"]);
    found.peers.say(&mut table);
    table.without_empty_columns()
}

fn hessians(found: &Found<'_>) -> Table {
    let mut table = Table::new([
        "model",
        "hidden",
        "batch size",
        "edb, product with the Hessian, trees/s",
        "edb, gradient, trees/s",
        "time of a product / of a gradient",
    ]);
    for row in &found.rows.products {
        table.row([
            "Tree-LSTM, loss".to_owned(),
            row.hidden.to_string(),
            row.batch.to_string(),
            digits(row.product_per_s),
            digits(row.gradient_per_s),
            ratio(row.gradient_per_s, row.product_per_s),
        ]);
    }
    table.row([
        "an output of many numbers",
        "",
        "",
        "not measured: edb has products with the Hessian of a loss, which is one number",
    ]);
    table
}

fn examples_per_second(table: &Table) -> Picture {
    let (x, y) = (("batch size", Scale::Doubling), ("examples/s", Scale::Decades));
    let charts = MODELS.map(|(_, _, model)| {
        let columns = ["edb, examples/s", PYTORCH, DYNET];
        let mut chart = lines(&table.with("model", model), x, y, &columns);
        chart.title = model.to_owned();
        chart
    });
    picture(3, charts)
}

fn gradients(table: &Table) -> Picture {
    let cases = table.different("model").into_iter().flat_map(|model| {
        let of_model = table.with("model", model);
        let widths: Vec<_> = of_model.different("hidden").into_iter().map(str::to_owned).collect();
        let case = move |hidden: String| {
            (of_model.with("hidden", &hidden), format!("{model}, {hidden} hidden units"))
        };
        widths.into_iter().map(case)
    });
    let columns = [
        "edb, clipped sum, examples/s",
        "one at a time/s",
        "clipped / one at a time",
        "paper: each / one at a time, GPU",
    ];
    beside_a_loop(cases, "examples", columns, "gradients/s")
}

fn jacobians(table: &Table) -> Picture {
    let case = |input| (table.with("input", input), format!("input {input}"));
    let cases = table.different("input").into_iter().map(case);
    let columns = ["edb, rows/s", "one row at a time, rows/s", "ratio", "paper: ratio, GPU"];
    beside_a_loop(cases, "output", columns, "rows/s")
}

/// Rates of edb and of a loop over the numbers of a column, and by how many times one is the
/// other: here, and in the paper.
fn beside_a_loop(
    cases: impl Iterator<Item = (Table, String)>,
    x: &str,
    [edb, one_by_one, ratio, stated]: [&str; 4],
    unit: &str,
) -> Picture {
    let (mut rates, mut ratios) = (Vec::new(), Vec::new());
    for (table, case) in cases {
        let of = |column, whose| line(&table, x, column, format!("{whose} ({case})"));
        rates.extend([of(edb, "edb"), of(one_by_one, "one at a time")]);
        ratios.extend([of(ratio, "edb"), of(stated, "paper, GPU")]);
    }
    let x = || axis((x, Scale::Doubling));
    let charts = [
        chart(x(), axis((unit, Scale::Decades)), rates),
        chart(x(), axis(("times as fast as one at a time", Scale::Decades)), ratios),
    ];
    picture(1, charts)
}
