//! Matchbox: "Automatic Batching as a Compiler Pass in PyTorch" (Bradbury, Fu; 2018). The paper has
//! no figures: it describes which control flow is batched, with the same results as one example at
//! a time.

use crate::item::{Found, Item, Paper};
use crate::job::{Job, Program};
use crate::table::Table;

/// Control flow in the paper, a workload here that has it, what decides there, and the test of
/// `workloads` that holds it in batches against one vertex at a time.
const FLOWS: [[&str; 4]; 5] = [
    [
        "a conditional by a value at run time (section 2.2)",
        "routed-tree",
        "each phrase chooses one of three experts",
        "sentiments::tests::the_batched_cells_are_the_eager_ones",
    ],
    [
        "a loop that each example leaves when it is done (section 2.2)",
        "ponder",
        "each word takes as many steps as it needs",
        "tagger::pondered::tests::the_batched_cells_are_the_eager_ones",
    ],
    [
        "a loop whose length follows from its own results (section 1)",
        "translate-grow",
        "a translation ends where it says so",
        "translate::spoken::tests::the_batched_cells_are_the_eager_ones",
    ],
    [
        "operations that follow from results (section 1)",
        "parser",
        "a parser acts on its own transitions",
        "parser::tests::the_batched_cells_are_the_eager_ones",
    ],
    [
        "recursion: \"our approach does not support\" it (section 3)",
        "generate",
        "a tree grows from the top down",
        "generate::tests::the_batched_cells_are_the_eager_ones",
    ],
];

pub const PAPER: Paper = Paper {
    title: "Matchbox",
    reference: "\"Automatic Batching as a Compiler Pass in PyTorch\", Bradbury and Fu, 2018.",
    items: &ITEMS,
};

pub const ITEMS: [Item; 1] = [Item {
    name: "matchbox/control-flow",
    title: "Control flow in a batch",
    measured: "Nothing is measured: it is described which control flow is batched, with the \
               results of one example at a time.",
    hardware: "No machine is stated.",
    here: "The tests of `workloads` that hold runs in batches, under every policy, forward and \
           backward, against the functions run one vertex at a time.",
    differs: &["The paper batches a program by masks, over all examples of a batch; edb batches \
                vertices, so that recursion is nothing special."],
    alone: Some("The paper has no figures."),
    jobs: |_| vec![Job::new(Program::Tests("workloads"), "the_batched_cells_are_the_eager_ones")],
    table,
    picture: None,
}];

fn table(found: &Found<'_>) -> Table {
    let columns =
        ["control flow", "workload here", "what decides", "test of `workloads`", "passes"];
    let mut table = Table::new(columns);
    for [paper, workload, decides, test] in FLOWS {
        let run = found.rows.tests.iter().find(|row| row.test == test);
        let passes =
            run.map_or("there is no such test", |row| if row.passed { "yes" } else { "NO" });
        table.row([paper, workload, decides, test, passes]);
    }
    table
}
