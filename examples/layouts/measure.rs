//! One batch of a cell: its copies and its time.

use std::time::Instant;

use clap::ValueEnum;
use edb::Minibatch;
use edb::VertexFunction;
use edb::engine::StepReport;
use edb::model::Plan;
use edb::prelude::*;
use edb::testing::TestBuilder;
use edb_compiler::{Options, replan};
use serde::Serialize;

use crate::cells::{
    GivenHidden, GivenMemory, GivenPhrase, Hidden, Memory, Phrase, Word, hidden, memory, phrase,
    separate, stacked,
};
use support::Result;

/// Forward only, or forward and backward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// Forward
    Infer,
    /// Forward and backward
    Train,
}

/// The settings of a measurement.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Vertices of the batch.
    pub batch: usize,
    /// The width of states and inputs.
    pub size: usize,
    /// The number of timed runs.
    pub repeats: usize,
    pub modes: Vec<Mode>,
}

/// One batch of a cell.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub cell: &'static str,
    /// `separate` or `stacked` weights.
    pub written: &'static str,
    /// `planned` or `declared`.
    pub order: &'static str,
    /// `infer` or `train`.
    pub mode: &'static str,
    /// Calls that only copy a vertex's own values, and the bytes they copy.
    pub memory_kernels: u64,
    pub copied_bytes: u64,
    /// Calls that gather children's rows, and the bytes they gather.
    pub gather_kernels: u64,
    pub gathered_bytes: u64,
    /// The time of all phases of the batch, with interpreted kernels for both orders.
    pub latency_us: f64,
    /// The same with the compiled kernels, which exist only for the plan that the crate was built
    /// with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compiled_us: Option<f64>,
    /// The time to plan (phases, operator batching, layout and routine) in this build.
    pub plan_ms: f64,
    /// The plan's steps that copy, if any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<String>,
}

impl Row {
    pub const HEADING: [&str; 11] = [
        "cell",
        "written",
        "order",
        "mode",
        "mem kernels",
        "copied kB",
        "gathers",
        "gathered kB",
        "latency us",
        "compiled us",
        "plan ms",
    ];

    /// The cells of a table.
    pub fn cells(&self) -> Vec<String> {
        let kb = |bytes: u64| format!("{:.1}", bytes as f64 / 1024.0);
        vec![
            self.cell.into(),
            self.written.into(),
            self.order.into(),
            self.mode.into(),
            self.memory_kernels.to_string(),
            kb(self.copied_bytes),
            self.gather_kernels.to_string(),
            kb(self.gathered_bytes),
            format!("{:.1}", self.latency_us),
            self.compiled_us.map_or_else(String::new, |us| format!("{us:.1}")),
            format!("{:.3}", self.plan_ms),
        ]
    }

    /// The remarks on a row below the table: the remaining copies of a planned layout.
    pub fn remarks(&self) -> Vec<String> {
        let planned = self.order == "planned" && self.copied_bytes > 0;
        let copies = self.copies.iter().filter(|_| planned);
        copies.map(|copy| format!("{}, {}: {copy}", self.cell, self.written)).collect()
    }
}

/// A cell: its function `F`, and the function `G`, with state `S`, that makes its children.
struct Cell<F: VertexFunction, G: VertexFunction, S> {
    name: &'static str,
    written: &'static str,
    /// The number of children.
    arity: usize,
    /// Adds a child of this width.
    child: fn(&mut Graph, &Function<G>, usize) -> Vertex<S>,
    /// Adds a vertex with these children.
    add: fn(&mut Graph, &Function<F>, &[Vertex<S>], usize),
}

/// A model of a cell, with a minibatch of only children, and one of children and cells.
struct Prepared {
    model: Model,
    children: Minibatch,
    all: Minibatch,
}

impl<F: VertexFunction, G: VertexFunction, S> Cell<F, G, S> {
    fn prepare(
        &self,
        setting: &Setting,
        change: impl FnOnce(&mut ModelBuilder),
    ) -> Result<Prepared> {
        let mut builder = ModelBuilder::new();
        let size = setting.size;
        let cell = builder.add::<F>(dims! { H: size });
        let child = builder.add::<G>(dims! {});
        change(&mut builder);
        let model: Model = builder.build(1)?;
        let mut minibatches = Vec::new();
        for cells in [0, setting.batch] {
            let mut g = model.graph();
            // Cells without children get one too, so that the minibatch of children is not empty.
            let count = setting.batch * self.arity.max(1);
            let children: Vec<Vertex<S>> =
                (0..count).map(|_| (self.child)(&mut g, &child, size)).collect();
            let own = children.chunks(self.arity.max(1));
            own.take(cells).for_each(|own| (self.add)(&mut g, &cell, own, size));
            minibatches.push(model.minibatch([&g])?);
        }
        let all = minibatches.remove(1);
        Ok(Prepared { children: minibatches.remove(0), all, model })
    }

    fn rows(&self, setting: &Setting, rows: &mut Vec<Row>) -> Result<()> {
        let declared = Options { layout: false, ..Options::default() };
        for (order, options) in [("planned", Options::default()), ("declared", declared)] {
            let plan = replan(F::plan(), options);
            let plan_ms = median(setting.repeats, || {
                let start = Instant::now();
                drop(replan(F::plan(), options));
                start.elapsed().as_secs_f64() * 1e3
            });
            let prepared = self.prepare(setting, |builder| {
                builder.replan(|plan| replan(plan, options));
                builder.interpret_kernels();
            })?;
            let compiled = match order {
                "planned" => Some(self.prepare(setting, |_| ())?),
                _ => None,
            };
            for &mode in &setting.modes {
                let report = prepared.copies(mode)?;
                rows.push(Row {
                    cell: self.name,
                    written: self.written,
                    order,
                    mode: if mode == Mode::Infer { "infer" } else { "train" },
                    memory_kernels: report.memory_kernels,
                    copied_bytes: report.moved_bytes,
                    gather_kernels: report.gather_kernels,
                    gathered_bytes: report.copied_bytes,
                    latency_us: prepared.latency(mode, setting.repeats)?,
                    compiled_us: (compiled.as_ref())
                        .map(|compiled| compiled.latency(mode, setting.repeats))
                        .transpose()?,
                    plan_ms,
                    copies: copies(&plan),
                });
            }
        }
        Ok(())
    }
}

impl Prepared {
    fn run(&self, engine: &mut Engine, mode: Mode, batch: &Minibatch) -> Result<StepReport> {
        match mode {
            Mode::Infer => Ok(engine.infer(&self.model, batch)?.report()),
            Mode::Train => {
                let mut run = engine.forward(&self.model, batch, 0)?;
                let gradients = run.backward()?;
                let report = run.report();
                drop(run);
                engine.recycle(gradients);
                Ok(report)
            }
        }
    }

    /// The copies of the cells alone: those of the whole minibatch less those of the children.
    fn copies(&self, mode: Mode) -> Result<StepReport> {
        let mut engine = Engine::new();
        let children = self.run(&mut engine, mode, &self.children)?;
        let all = self.run(&mut engine, mode, &self.all)?;
        Ok(StepReport {
            copied_bytes: all.copied_bytes - children.copied_bytes,
            gather_kernels: all.gather_kernels - children.gather_kernels,
            moved_bytes: all.moved_bytes - children.moved_bytes,
            memory_kernels: all.memory_kernels - children.memory_kernels,
            ..StepReport::default()
        })
    }

    /// The median time of the whole minibatch less that of the children, in microseconds.
    fn latency(&self, mode: Mode, repeats: usize) -> Result<f64> {
        let mut engine = Engine::new();
        let mut medians = Vec::new();
        for batch in [&self.all, &self.children] {
            let mut times = Vec::with_capacity(repeats);
            for _ in 0..repeats {
                let report = self.run(&mut engine, mode, batch)?;
                times.push((report.forward + report.backward).as_secs_f64() * 1e6);
            }
            times.sort_by(f64::total_cmp);
            medians.push(times[repeats / 2]);
        }
        Ok((medians[0] - medians[1]).max(0.0))
    }
}

fn median(repeats: usize, mut time: impl FnMut() -> f64) -> f64 {
    let mut times: Vec<f64> = (0..repeats).map(|_| time()).collect();
    times.sort_by(f64::total_cmp);
    times[repeats / 2]
}

/// The copies of a plan, as the plan prints them.
fn copies(plan: &Plan) -> Vec<String> {
    let text = plan.routine.describe(&plan.program).to_string();
    let copy = |line: &&str| line.contains("= copy ") || line.contains(" copy of ");
    text.lines().filter(copy).map(|line| line.trim().to_string()).collect()
}

/// Varied numbers.
fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|number| (number % 7) as f32 / 10.0 - 0.3).collect()
}

fn tensor(g: &mut Graph, count: usize) -> Tensor {
    g.tensor(&numbers(count))
}

fn a_memory(g: &mut Graph, f: &Function<memory>, size: usize) -> Vertex<Memory> {
    let (h, c) = (tensor(g, size), tensor(g, size));
    g.add(f, (), GivenMemory { h, c })
}

fn a_hidden(g: &mut Graph, f: &Function<hidden>, size: usize) -> Vertex<Hidden> {
    let h = tensor(g, size);
    g.add(f, (), GivenHidden { h })
}

fn a_phrase(g: &mut Graph, f: &Function<phrase>, size: usize) -> Vertex<Phrase> {
    let (p, m) = (tensor(g, size), tensor(g, size * size));
    g.add(f, (), GivenPhrase { p, m })
}

/// A cell, written with separate and with stacked weights.
macro_rules! cell {
    ($rows:ident, $setting:ident, $name:literal, $function:ident, $arity:literal, $child:ident,
     |$g:ident, $f:ident, $children:ident, $size:ident| $add:expr) => {
        cell!(@one $rows, $setting, $name, separate, $function, $arity, $child,
            |$g, $f, $children, $size| $add);
        cell!(@one $rows, $setting, $name, stacked, $function, $arity, $child,
            |$g, $f, $children, $size| $add);
    };
    (@one $rows:ident, $setting:ident, $name:literal, $written:ident, $function:ident,
     $arity:literal, $child:ident,
     |$g:ident, $f:ident, $children:ident, $size:ident| $add:expr) => {
        Cell {
            name: $name,
            written: stringify!($written),
            arity: $arity,
            child: $child,
            add: |$g, $f: &Function<$written::$function>, $children, $size| {
                $add;
            },
        }
        .rows($setting, &mut $rows)?;
    };
}

/// All cells in both orders and with both kinds of weights.
pub fn rows(setting: &Setting) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    cell!(rows, setting, "GRUCell", gru, 1, a_hidden, |g, f, children, size| {
        let x = tensor(g, size);
        g.add(f, [children[0]], Word { x })
    });
    cell!(rows, setting, "LSTMCell", lstm, 1, a_memory, |g, f, children, size| {
        let x = tensor(g, size);
        g.add(f, [children[0]], Word { x })
    });
    cell!(rows, setting, "MVCell", mv, 2, a_phrase, |g, f, children, _size| {
        g.add(f, [children[0], children[1]], ())
    });
    cell!(rows, setting, "TreeGRU-Internal", tree_gru, 2, a_hidden, |g, f, children, _size| {
        g.add(f, [children[0], children[1]], ())
    });
    cell!(rows, setting, "TreeGRU-Leaf", gru_leaf, 0, a_hidden, |g, f, _children, size| {
        let x = tensor(g, size);
        g.add(f, (), Word { x })
    });
    cell!(rows, setting, "TreeLSTM-Internal", tree_lstm, 2, a_memory, |g, f, children, _size| {
        g.add(f, [children[0], children[1]], ())
    });
    cell!(rows, setting, "TreeLSTM-Leaf", lstm_leaf, 0, a_memory, |g, f, _children, size| {
        let x = tensor(g, size);
        g.add(f, (), Word { x })
    });
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The goal of layouts: no planned cell copies anything beyond the gather, however it is
    /// written.
    #[test]
    fn no_planned_cell_copies() {
        let modes = vec![Mode::Infer, Mode::Train];
        let rows = rows(&Setting { batch: 3, size: 16, repeats: 1, modes }).unwrap();
        assert_eq!(rows.len(), 7 * 2 * 2 * 2);
        for row in rows.iter().filter(|row| row.order == "planned") {
            let copied = (row.memory_kernels, row.copied_bytes, &row.copies);
            assert_eq!(copied, (0, 0, &Vec::new()), "{} {} {}", row.cell, row.written, row.mode);
        }
        // The counters work: without planned layouts some cells copy.
        let declared = rows.iter().filter(|row| row.order == "declared");
        assert!(declared.filter(|row| row.copied_bytes > 0).count() > 7);
    }

    /// Separate gates gather as much as stacked ones.
    #[test]
    fn both_ways_gather_the_same() {
        let modes = vec![Mode::Train];
        let rows = rows(&Setting { batch: 2, size: 4, repeats: 1, modes }).unwrap();
        for row in rows.iter().filter(|row| row.written == "separate") {
            let key = |of: &Row| (of.cell, of.order, of.mode);
            let mut others = rows.iter().filter(|of| of.written == "stacked");
            let other = others.find(|of| key(of) == key(row)).unwrap();
            assert_eq!(row.gathered_bytes, other.gathered_bytes, "{} {}", row.cell, row.order);
        }
    }
}
