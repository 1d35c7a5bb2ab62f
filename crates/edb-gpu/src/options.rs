//! The options of a device: its precision, and how kernel launches are submitted to it.

use std::fmt;
use std::str::FromStr;

use edb_core::engine::Precision;

/// How the launches of a schedule's batches are submitted to the GPU. These launches are many and
/// small: each batch of the schedule runs the few steps of one function's recurrent phase (and of
/// the phases around it, for functions whose vertices pull from or push to one another). Work that
/// runs over all rows at once is always launched kernel by kernel.
///
/// Which is fastest depends on the model, the minibatch and the GPU: on an H200, `Graphs` for a
/// Tree-LSTM of 64 units, and `Single` for one of 512. Compare them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Launches {
    /// One launch per kernel; products are calls of the GPU's library: of cuBLAS under CUDA.
    #[default]
    Single,
    /// One launch per kernel; products of batches use edb's own kernel, which sums in the same
    /// order whatever the number of rows, where a library chooses by size. It multiplies in `f32`
    /// (or `f64`) and without tensor cores, in any [`Precision`].
    Tiled,
    /// Graphs, as CUDA calls them: a forward or backward pass over all batches is one launch, or a
    /// few, of what was recorded once for minibatches of about that size. Where the GPU can (CUDA:
    /// from compute capability 9.0 on), a kernel's prologue overlaps the end of the previous
    /// kernel. The results are bitwise those of [`Tiled`](Self::Tiled).
    Graphs,
}

/// The name: `single`, `tiled`, `graphs`.
impl fmt::Display for Launches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Single => "single",
            Self::Tiled => "tiled",
            Self::Graphs => "graphs",
        })
    }
}

/// No [`Launches`] has this name.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("there are no launches `{0}`: say single, tiled or graphs")]
pub struct UnknownLaunches(String);

edb_core::debug_is_display!(UnknownLaunches);

impl FromStr for Launches {
    type Err = UnknownLaunches;

    fn from_str(name: &str) -> Result<Self, UnknownLaunches> {
        let all = [Self::Single, Self::Tiled, Self::Graphs];
        let found = all.into_iter().find(|launches| launches.to_string() == name);
        found.ok_or_else(|| UnknownLaunches(name.into()))
    }
}

/// How a GPU is used: the options that can differ from the defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GpuOptions {
    /// The precision.
    pub precision: Precision,
    /// How kernels are launched.
    pub launches: Launches,
}

impl GpuOptions {
    /// The defaults: [`Precision::Full`], [`Launches::Single`].
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the precision.
    pub fn precision(self, precision: Precision) -> Self {
        Self { precision, ..self }
    }

    /// Sets how kernels are launched.
    pub fn launches(self, launches: Launches) -> Self {
        Self { launches, ..self }
    }
}

impl From<Precision> for GpuOptions {
    fn from(precision: Precision) -> Self {
        Self::new().precision(precision)
    }
}

impl From<Launches> for GpuOptions {
    fn from(launches: Launches) -> Self {
        Self::new().launches(launches)
    }
}

/// The options that differ from the defaults, as `bf16, graphs`.
impl fmt::Display for GpuOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { precision, launches } = *self;
        match (precision == Precision::default(), launches == Launches::default()) {
            (true, true) => Ok(()),
            (true, false) => launches.fmt(f),
            (false, true) => precision.fmt(f),
            (false, false) => write!(f, "{precision}, {launches}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launches_have_names() {
        for launches in [Launches::Single, Launches::Tiled, Launches::Graphs] {
            assert_eq!(launches.to_string().parse(), Ok(launches));
        }
        let error = "many".parse::<Launches>().unwrap_err().to_string();
        assert_eq!(error, "there are no launches `many`: say single, tiled or graphs");
    }

    #[test]
    fn options_display_what_differs_from_the_defaults() {
        let options = GpuOptions::new().launches(Launches::Graphs);
        assert_eq!(GpuOptions::new().to_string(), "");
        assert_eq!(options.to_string(), "graphs");
        assert_eq!(options.precision(Precision::Bf16).to_string(), "bf16, graphs");
        assert_eq!(GpuOptions::from(Precision::Tf32).to_string(), "tf32");
    }
}
