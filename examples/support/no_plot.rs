//! Plots without the feature `plots`, whose libraries take longer to compile than the examples.

use std::path::Path;

use super::Result;

/// Refuses a plot.
pub fn format(_: &Path) -> Result<()> {
    Err("this program was built without plots: build it with `--features plots`".into())
}

/// As [`format()`].
pub fn curves(path: &Path, _: &[(String, Vec<f64>)]) -> Result<()> {
    format(path)
}
