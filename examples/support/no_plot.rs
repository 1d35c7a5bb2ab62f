//! The replacement of `plot` without the feature `plots`, so that examples compile without its
//! libraries.

use std::path::Path;

use super::Result;
use super::chart::{Chart, Picture};

/// Rejects a plot.
pub fn format(_: &Path) -> Result<()> {
    Err("this program was built without plots: build it with `--features plots`".into())
}

/// As [`format()`].
pub fn charts(path: &Path, _: &[Chart]) -> Result<()> {
    format(path)
}

/// As [`format()`].
pub fn picture(path: &Path, _: &Picture) -> Result<()> {
    format(path)
}
