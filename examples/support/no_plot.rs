//! What stands for plots without the feature `plots`: an example is compiled sooner without their libraries.

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
