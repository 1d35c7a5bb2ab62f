//! The results of a measurement, as a row of a table and as JSON.

use serde::Serialize;

use crate::measure::Part;

/// One workload at one size. Times, batches and bytes are means over the minibatches of the pass
/// with the median time; the arena is the largest.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub workload: String,
    /// The number of leaves of a tree, if the workload varies it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leaves: Option<usize>,
    pub mode: &'static str,
    pub hidden: usize,
    pub batch: usize,
    pub threads: usize,
    /// The device with its options, if it is not the CPU: `cuda:0 (bf16, graphs)`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    pub instances_per_s: f64,
    pub ms_per_batch: f64,
    pub construct_ms: f64,
    pub schedule_ms: f64,
    pub forward_ms: f64,
    pub backward_ms: f64,
    pub update_ms: f64,
    /// Of `forward_ms`, how long instructions took that move numbers and compute none, added up over
    /// threads, in a pass in which each was timed; none where a device does not run them one by one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moving_forward_ms: Option<f64>,
    /// The same of `backward_ms`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moving_backward_ms: Option<f64>,
    pub batches: f64,
    pub lower_bound: f64,
    /// How often graphs that grow were handed out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<f64>,
    /// Their batches and rounds, against the fewest that are found when their future is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub competitive_ratio: Option<f64>,
    /// The necessary operations divided by the total time.
    pub gflops: f64,
    /// The peak of a loop of multiply-adds in registers, with as many threads, in the same process;
    /// on a device, that of a large matrix product.
    pub peak_gflops: f64,
    /// The traffic (reads and writes) of a large copy within the device's memory, if the device
    /// measures it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copy_gb_per_s: Option<f64>,
    pub fraction_of_peak: f64,
    pub copied_bytes: f64,
    pub arena_bytes: usize,
    /// The parts that were switched off.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub disabled: Vec<Part>,
    /// By which policy minibatches were scheduled, if it is not the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<String>,
}

impl Row {
    pub const HEADING: [&str; 24] = [
        "workload",
        "leaves",
        "mode",
        "h",
        "batch",
        "threads",
        "device",
        "policy",
        "inst/s",
        "ms/batch",
        "construct",
        "schedule",
        "forward",
        "backward",
        "update",
        "moving",
        "batches",
        "bound",
        "rounds",
        "ratio",
        "GFLOP/s",
        "of peak",
        "copied MB",
        "arena MB",
    ];

    /// The cells of a table.
    pub fn cells(&self) -> Vec<String> {
        let ms = |ms: f64| format!("{ms:.3}");
        let mb = |bytes: f64| format!("{:.2}", bytes / 1e6);
        vec![
            self.workload.clone(),
            self.leaves.map_or_else(String::new, |leaves| leaves.to_string()),
            self.mode.into(),
            self.hidden.to_string(),
            self.batch.to_string(),
            self.threads.to_string(),
            self.device.clone().unwrap_or_else(|| "cpu".into()),
            self.policy.clone().unwrap_or_else(|| "default".into()),
            format!("{:.1}", self.instances_per_s),
            ms(self.ms_per_batch),
            ms(self.construct_ms),
            ms(self.schedule_ms),
            ms(self.forward_ms),
            ms(self.backward_ms),
            ms(self.update_ms),
            (self.moving_forward_ms.zip(self.moving_backward_ms))
                .map_or_else(String::new, |(forward, backward)| ms(forward + backward)),
            format!("{:.1}", self.batches),
            format!("{:.1}", self.lower_bound),
            self.rounds.map_or_else(String::new, |rounds| format!("{rounds:.1}")),
            self.competitive_ratio.map_or_else(String::new, |ratio| format!("{ratio:.3}")),
            format!("{:.1}", self.gflops),
            format!("{:.1} %", 100.0 * self.fraction_of_peak),
            mb(self.copied_bytes),
            mb(self.arena_bytes as f64),
        ]
    }
}
