//! Figure 10: what each optimisation of Cavs gains.

use support::chart::{Axis, Picture, Scale};

use super::published::OPTIMISATIONS;
use super::{FIXED, Model, TREE_LSTM};
use crate::figure::{axis, bar, chart, picture};
use crate::item::{Found, Scope, list};
use crate::job::Job;
use crate::table::{Table, digits, known, number, ratio};

/// What is switched off; interpreted kernels, since others exist for the whole plan only.
const OFF: [(&str, &str); 5] = [
    ("neither", "compiled,lazy,fusion"),
    ("lazy batching", "compiled,fusion"),
    ("fusion", "compiled,lazy"),
    ("both", "compiled"),
    ("both, without layout and views", "compiled,layout,views"),
];

pub(super) fn jobs(scope: &Scope) -> Vec<Job> {
    let hidden = list(scope.of(&[64, 256, 512][..], &[64]));
    let job = |model: &Model, off: &str| {
        let sizes = format!("--hidden {hidden} --batch 64 --disable {off}");
        scope.workload(model.workload, "train", &sizes)
    };
    let all = |model| OFF.iter().map(move |(_, off)| job(model, off));
    all(&FIXED).chain(all(&TREE_LSTM)).collect()
}

const GAINED: &str = "edb / neither";
const STATED: &str = "paper, about";

pub(super) fn table(found: &Found<'_>) -> Table {
    let columns = ["workload", "hidden", "with", "edb: computation, s", GAINED, STATED];
    let mut table = Table::new(columns);
    for model in [&FIXED, &TREE_LSTM] {
        let rows = |off| found.rows.without(model.workload, "train", off);
        for base in rows(OFF[0].1) {
            for (with, off) in OFF {
                let Some(row) = rows(off).find(|row| row.hidden == base.hidden) else { continue };
                table.row([
                    model.workload.to_owned(),
                    row.hidden.to_string(),
                    with.into(),
                    digits(model.computation(row)),
                    ratio(model.computation(base), model.computation(row)),
                    known(OPTIMISATIONS.0.contains(&with).then_some(OPTIMISATIONS.1)),
                ]);
            }
        }
    }
    table.row(["both", "", "streaming", "on a CPU, streams are threads (the paper's footnote 4): edb always runs parts of a minibatch on them"]);
    table
}

/// Bars of each number of hidden units, and of what the paper states.
pub(super) fn gains(table: &Table) -> Picture {
    let workloads = [FIXED, TREE_LSTM].map(|model| {
        let rows = table.with("workload", model.workload);
        let widths = rows.different("hidden");
        let series = rows.different("with").into_iter().map(|with| {
            let of = rows.with("with", with);
            let first = |rows: &Table, column| number(rows.different(column).first()?);
            let heights = widths.iter().map(|hidden| first(&of.with("hidden", hidden), GAINED));
            bar(with.to_owned(), heights.chain([first(&of, STATED)]))
        });
        let groups = widths.iter().map(|hidden| format!("{hidden} hidden units"));
        let groups = groups.chain([STATED.to_owned()]).collect();
        let y = axis(("times as fast as with neither", Scale::Linear));
        let mut chart = chart(Axis { groups, ..Axis::default() }, y, series);
        chart.title = model.workload.to_owned();
        chart
    });
    picture(1, workloads)
}
