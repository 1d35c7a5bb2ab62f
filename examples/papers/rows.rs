//! What the programs print, a row of JSON a line.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use support::Result;

use crate::job::Program;

/// A row of `workloads`: one workload at one size. Times and bytes are of one minibatch.
#[derive(Clone, Debug, Deserialize)]
pub struct Speed {
    pub workload: String,
    pub leaves: Option<usize>,
    pub mode: String,
    pub hidden: usize,
    pub batch: usize,
    pub instances_per_s: f64,
    pub ms_per_batch: f64,
    pub construct_ms: f64,
    pub schedule_ms: f64,
    /// The time of instructions that move numbers, forward and backward, added up over threads.
    pub moving_forward_ms: Option<f64>,
    pub moving_backward_ms: Option<f64>,
    pub gflops: f64,
    pub fraction_of_peak: f64,
    pub copied_bytes: f64,
    #[serde(default)]
    pub disabled: Vec<String>,
    /// By which policy minibatches were scheduled, if it is not edb's own.
    pub policy: Option<String>,
}

impl Speed {
    /// The share of a minibatch's time that is not the construction of graphs.
    pub fn computation(&self) -> f64 {
        1.0 - self.construct_ms / self.ms_per_batch
    }

    /// Whether these parts were switched off and no others: a list, as an option has it.
    fn is_without(&self, parts: &str) -> bool {
        let mut disabled: Vec<&str> = self.disabled.iter().map(String::as_str).collect();
        let mut wanted: Vec<&str> = parts.split(',').filter(|part| !part.is_empty()).collect();
        disabled.sort_unstable();
        wanted.sort_unstable();
        disabled == wanted
    }
}

/// A row of `policies`: one policy on one minibatch.
#[derive(Clone, Debug, Deserialize)]
pub struct Scheduled {
    pub topology: String,
    pub policy: String,
    pub batches: usize,
    pub lower_bound: usize,
    pub training_s: f64,
    /// The minibatches that were run to learn, where it is told.
    pub trials: Option<usize>,
    pub states: usize,
}

/// A row of `layouts`: one batch of a cell.
#[derive(Clone, Debug, Deserialize)]
pub struct Layout {
    pub cell: String,
    /// `separate` or `stacked` weights.
    pub written: String,
    /// `planned` or `declared`.
    pub order: String,
    pub mode: String,
    pub memory_kernels: u64,
    pub copied_bytes: u64,
    pub gather_kernels: u64,
    pub gathered_bytes: u64,
    pub latency_us: f64,
    pub compiled_us: Option<f64>,
    pub plan_ms: f64,
}

/// A row of the bench `private`: graphs per second of each way to take gradients.
#[derive(Clone, Debug, Deserialize)]
pub struct EachGradient {
    pub model: String,
    pub hidden: usize,
    pub graphs: usize,
    pub plain_per_s: f64,
    pub norms_per_s: f64,
    pub clipped_per_s: f64,
    pub one_by_one_per_s: f64,
}

/// A row of the bench `derivatives`: a Jacobian.
#[derive(Clone, Debug, Deserialize)]
pub struct Jacobian {
    /// The size of the output, which is the number of rows.
    pub hidden: usize,
    pub width: usize,
    pub together_ms: f64,
    pub one_by_one_ms: f64,
}

/// A row of the bench `derivatives`: products with a Hessian, and gradients, of trees per second.
#[derive(Clone, Debug, Deserialize)]
pub struct Product {
    pub hidden: usize,
    pub batch: usize,
    pub gradient_per_s: f64,
    pub product_per_s: f64,
}

/// A test of an example.
#[derive(Clone, Debug, Deserialize)]
pub struct Test {
    pub test: String,
    pub passed: bool,
}

/// The rows of all jobs of an item.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    pub speeds: Vec<Speed>,
    pub schedules: Vec<Scheduled>,
    pub layouts: Vec<Layout>,
    pub gradients: Vec<EachGradient>,
    pub jacobians: Vec<Jacobian>,
    pub products: Vec<Product>,
    pub tests: Vec<Test>,
}

impl Rows {
    /// Takes in what a program has printed.
    pub fn read(&mut self, program: Program, rows: &[Value]) -> Result<()> {
        match program {
            Program::Workloads => append(&mut self.speeds, rows),
            Program::Policies => append(&mut self.schedules, rows),
            Program::Layouts => append(&mut self.layouts, rows),
            Program::Private => append(&mut self.gradients, rows),
            Program::Derivatives => {
                let is_product = |row: &Value| row.get("product_per_s").is_some();
                let (products, jacobians) =
                    rows.iter().partition::<Vec<&Value>, _>(|row| is_product(row));
                append(&mut self.products, products)?;
                append(&mut self.jacobians, jacobians)
            }
            Program::Tests(_) => append(&mut self.tests, rows),
        }
    }

    /// The speeds of a workload in a mode, as edb is.
    pub fn of<'a, 'b>(
        &'a self,
        workload: &'b str,
        mode: &'b str,
    ) -> impl Iterator<Item = &'a Speed> + use<'a, 'b> {
        self.without(workload, mode, "").filter(|row| row.policy.is_none())
    }

    /// The speeds of a workload in a mode with these parts switched off (a list, as an option has it), by any policy.
    pub fn without<'a, 'b>(
        &'a self,
        workload: &'b str,
        mode: &'b str,
        parts: &'b str,
    ) -> impl Iterator<Item = &'a Speed> + use<'a, 'b> {
        self.speeds.iter().filter(move |row| {
            row.workload == workload && row.mode == mode && row.is_without(parts)
        })
    }

    pub fn at(&self, workload: &str, mode: &str, hidden: usize, batch: usize) -> Option<&Speed> {
        self.of(workload, mode).find(|row| (row.hidden, row.batch) == (hidden, batch))
    }

    /// The highest throughput over all sizes of minibatches.
    pub fn best(&self, workload: &str, mode: &str, hidden: usize) -> Option<&Speed> {
        let rows = self.of(workload, mode).filter(|row| row.hidden == hidden);
        rows.max_by(|a, b| a.instances_per_s.total_cmp(&b.instances_per_s))
    }

    pub fn schedule(&self, topology: &str, policy: &str) -> Option<&Scheduled> {
        self.schedules.iter().find(|row| row.topology == topology && row.policy == policy)
    }
}

fn append<'a, R: DeserializeOwned>(
    to: &mut Vec<R>,
    rows: impl IntoIterator<Item = &'a Value>,
) -> Result<()> {
    for row in rows {
        to.push(R::deserialize(row).map_err(|error| format!("{row}: {error}"))?);
    }
    Ok(())
}
