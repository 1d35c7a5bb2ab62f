//! The replacement of `plot` without the feature `plots`, so that examples compile without its
//! libraries.

use std::path::Path;

use super::Result;

/// Rejects a plot.
pub fn format(_: &Path) -> Result<()> {
    Err("this program was built without plots: build it with `--features plots`".into())
}

/// As [`format()`].
pub fn curves(path: &Path, _: &[(String, Vec<f64>)]) -> Result<()> {
    format(path)
}
