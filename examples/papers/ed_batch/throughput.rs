//! Figure 6: throughput by model size, and what edb's own policy and layout gain.

use support::chart::{Axis, Picture, Scale};

use super::published::{MODELS, Model};
use super::workload;
use crate::figure::{axis, bar, chart, picture};
use crate::item::{Found, Scope, list};
use crate::job::Job;
use crate::peers::{self, DYNET, Rate};
use crate::rows::Speed;
use crate::table::{Table, digits, number, ratio};

const MODES: [&str; 2] = ["infer", "train"];

/// The batch sizes of section 5.2, and those of a quick run.
const BATCHES: [&[usize]; 2] = [&[1, 8, 32, 64, 128, 256], &[8, 64]];

/// The model sizes of section 5.2, and those of a quick run.
const SIZES: [&[usize]; 2] = [&[32, 64, 128, 256, 512], &[64, 256]];

/// An MV-RNN keeps several matrices of `hidden` by `hidden` for each phrase. So many numbers in one
/// matrix of each tree of a minibatch fit into the memory of a small machine: 2 to the 21st.
const MOST_OF_MATRICES: usize = 1 << 21;

/// Whether a minibatch fits into the memory of a small machine.
fn fits(workload: &str, hidden: usize, batch: usize) -> bool {
    workload != "mv-rnn" || batch * hidden * hidden <= MOST_OF_MATRICES
}

fn sizes(scope: &Scope, workload: &str) -> Vec<usize> {
    let mut sizes = scope.of(SIZES[0], SIZES[1]).to_vec();
    sizes.retain(|size| !(scope.quick && workload == "mv-rnn" && *size > 64));
    sizes
}

/// All batch sizes of a workload at a model size.
pub(super) fn throughput(scope: &Scope, name: &str, mode: &str, hidden: usize) -> Job {
    let mut batches = scope.of(BATCHES[0], BATCHES[1]).to_vec();
    batches.retain(|batch| fits(name, hidden, *batch));
    workload(scope, name, mode, &format!("--hidden {hidden} --batch {}", list(&batches)))
}

/// edb with something else than what it does by itself.
struct Instead {
    /// How its rows begin.
    name: &'static str,
    policy: Option<&'static str>,
    /// The parts that are switched off: here, and in what it is held against.
    disabled: [&'static str; 2],
    /// What that is called.
    usual: &'static str,
}

const INSTEAD: [Instead; 3] = {
    const fn by(name: &'static str, policy: &'static str) -> Instead {
        Instead { name, policy: Some(policy), disabled: [""; 2], usual: "default" }
    }
    [
        by("edb by depth", "depth"),
        by("edb by agenda", "agenda"),
        // Interpreted kernels, since others exist for the layout only.
        Instead {
            name: "edb without layout",
            policy: None,
            disabled: ["compiled,layout", "compiled"],
            usual: "with layout",
        },
    ]
};

/// The model sizes and the batch size at which [`INSTEAD`] is run.
const INSTEAD_SIZES: [usize; 2] = [64, 256];
const INSTEAD_BATCH: usize = 64;

/// The models with which a quick run does so, at the first of these sizes: those whose batches depend on the
/// policy most.
const INSTEAD_QUICK: [&str; 2] = ["tree-lstm-2type", "lattice-edbatch"];

fn instead(scope: &Scope, name: &str) -> Vec<Job> {
    let sizes = scope.of(&INSTEAD_SIZES[..], &INSTEAD_SIZES[..1]).iter().copied();
    let is_run = |size: &usize| {
        fits(name, *size, INSTEAD_BATCH) && (!scope.quick || INSTEAD_QUICK.contains(&name))
    };
    let sizes: Vec<usize> = sizes.filter(is_run).collect();
    if sizes.is_empty() {
        return Vec::new();
    }
    let sizes = format!("--hidden {} --batch {INSTEAD_BATCH}", list(&sizes));
    let told = ["--policy default,depth,agenda", "--disable compiled", "--disable compiled,layout"];
    told.map(|told| workload(scope, name, "infer", &format!("{sizes} {told}"))).into()
}

pub(super) fn jobs(scope: &Scope) -> Vec<Job> {
    let mut jobs = Vec::new();
    for Model { workload, .. } in MODELS {
        for mode in MODES {
            let of_size = |hidden| throughput(scope, workload, mode, hidden);
            jobs.extend(sizes(scope, workload).into_iter().map(of_size));
        }
    }
    // Behind the others: what stands in the same job is the last of its size.
    jobs.extend(MODELS.iter().flat_map(|model| instead(scope, model.workload)));
    jobs
}

/// Whose throughputs are in a row; they are in the columns of this end.
const RATE: &str = "instances/s";
const WIDTH: &str = " units";

/// What the paper states of the throughputs.
const SPEEDUP: [&str; 2] =
    ["paper: ED-Batch / Cavs DyNet, CPU", "paper: ED-Batch / Cavs DyNet, GPU"];

fn show(rate: &Rate) -> String {
    format!("{} ({}, batch {})", digits(rate.per_s), rate.program, rate.batch)
}

impl Instead {
    /// How fast this is at a model size, and how many times as fast edb's own way is.
    fn cell(&self, found: &Found<'_>, workload: &str, hidden: usize) -> String {
        let at = |policy, disabled| {
            let is_of = |row: &&Speed| {
                (row.hidden, row.batch, row.policy.as_deref()) == (hidden, INSTEAD_BATCH, policy)
            };
            let rows = found.rows.without(workload, "infer", disabled);
            rows.filter(is_of).last().map(|row| row.instances_per_s)
        };
        let [here, usual] = self.disabled;
        let pair = at(self.policy, here).zip(at(None, usual));
        pair.map_or_else(String::new, |(rate, usual)| {
            let (rate, times) = (digits(rate), ratio(usual, rate));
            format!("{rate} (batch {INSTEAD_BATCH}, {} {times} times as fast)", self.usual)
        })
    }
}

pub(super) fn table(found: &Found<'_>) -> Table {
    let mut hidden: Vec<usize> = found.rows.speeds.iter().map(|row| row.hidden).collect();
    hidden.sort_unstable();
    hidden.dedup();
    let mut columns: Vec<String> = ["model", "workload", RATE].map(String::from).into();
    columns.extend(hidden.iter().map(|size| format!("{size}{WIDTH}")));
    columns.extend(SPEEDUP.map(String::from));
    let mut table = Table::new(columns);
    for Model { paper, workload, speedup, .. } in MODELS {
        for mode in MODES {
            if found.rows.of(workload, mode).next().is_none() {
                continue;
            }
            let mut cells = vec![paper.to_owned(), workload.into(), format!("edb, {mode}")];
            cells.extend(hidden.iter().map(|size| {
                found.rows.best(workload, mode, *size).map_or_else(String::new, |row| {
                    let of_peak = 100.0 * row.fraction_of_peak;
                    let rate = digits(row.instances_per_s);
                    format!("{rate} (batch {}, {of_peak:.0} %)", row.batch)
                })
            }));
            // The paper measures inference alone.
            let stated = if mode == "infer" { speedup } else { [""; 2] };
            cells.extend(stated.map(String::from));
            table.row(cells);
            for instead in INSTEAD.iter().filter(|_| mode == "infer") {
                let cells: Vec<String> =
                    hidden.iter().map(|size| instead.cell(found, workload, *size)).collect();
                if cells.iter().any(|cell| !cell.is_empty()) {
                    let name = format!("{}, {mode}", instead.name);
                    table.row([paper.to_owned(), workload.into(), name].into_iter().chain(cells));
                }
            }
            let best = |size: &usize| found.peers.best(workload, mode, *size);
            let peer = |size| best(size).map(|[peer, _]| peer);
            let dynet = |size: &usize| found.peers.best_of(DYNET, workload, mode, *size);
            let own = |size| best(size).map(|[_, own]| own);
            let [others, beside] = peers::columns(mode);
            let rows: [(String, Vec<Option<Rate>>); 3] = [
                (others, hidden.iter().map(peer).collect()),
                (format!("{DYNET}, {mode}"), hidden.iter().map(dynet).collect()),
                (beside, hidden.iter().map(own).collect()),
            ];
            let mut above = Vec::new();
            for (name, rates) in rows {
                // Not twice, if it is the fastest.
                if rates != above && rates.iter().any(Option::is_some) {
                    let cells =
                        rates.iter().map(|rate| rate.as_ref().map_or_else(String::new, show));
                    table.row([paper.to_owned(), workload.into(), name].into_iter().chain(cells));
                }
                above = rates;
            }
        }
    }
    found.peers.say(&mut table);
    table.without_empty_columns()
}

/// A chart of each model, of edb as it is and of others.
pub(super) fn bars(table: &Table) -> Picture {
    let is_width = |column: &&String| column.ends_with(WIDTH);
    let widths: Vec<&String> = table.columns.iter().filter(is_width).collect();
    let places: Vec<usize> = widths.iter().filter_map(|width| table.column(width)).collect();
    let of_model = |model: &str| {
        let rows = table.with("model", model);
        // In every chart the same, so that they have the same colours.
        let is_instead = |name: &str| INSTEAD.iter().any(|instead| name.starts_with(instead.name));
        let rates = table.different(RATE).into_iter().filter(|name| !is_instead(name));
        let series = rates.map(|name| {
            let row = rows.with(RATE, name).rows.pop();
            let of = |place: &usize| number(&row.as_ref()?[*place]);
            bar(name.to_owned(), places.iter().map(of))
        });
        let groups = widths.iter().map(|width| width.replace(WIDTH, "")).collect();
        let x = Axis { name: "hidden units".to_owned(), groups, ..Axis::default() };
        let mut chart = chart(x, axis((RATE, Scale::Decades)), series);
        let stated = rows.different(SPEEDUP[0]);
        chart.title = match stated.first() {
            Some(times) => format!("{model} (paper, divided by Cavs DyNet on its CPU: {times})"),
            None => model.to_owned(),
        };
        chart
    };
    picture(2, table.different("model").into_iter().map(of_model))
}
