//! The outputs of `--plot` and `--trace`: the training curves, and the times of the first steps.

use std::path::{Path, PathBuf};

use edb::trace::TraceFile;

use super::chart::{Axis, Chart, Look, Series};
use super::{Result, plot};

/// The number of traced steps: the first one allocates memory, the others are like all later ones.
const TRACED: usize = 4;

/// Records a training run, as the command line requests.
pub struct Seeing {
    plot: Option<PathBuf>,
    trace: Option<TraceFile>,
    steps: usize,
    /// The values of each measure, by epoch.
    curves: Vec<(String, Vec<f64>)>,
}

impl Seeing {
    /// Starts a trace if requested, and rejects a plot that could not be written later.
    pub fn new(plot: Option<&Path>, trace: Option<&Path>) -> Result<Self> {
        if let Some(path) = plot {
            plot::format(path)?;
        }
        let trace = trace.map(TraceFile::begin).transpose()?;
        Ok(Self { plot: plot.map(Path::to_owned), trace, steps: 0, curves: Vec::new() })
    }

    /// Records a step.
    pub fn step(&mut self) -> Result<()> {
        self.steps += 1;
        match self.trace.take_if(|_| self.steps == TRACED) {
            Some(trace) => Ok(trace.finish()?),
            None => Ok(()),
        }
    }

    /// Records the measures of an epoch.
    pub fn epoch(&mut self, measures: impl IntoIterator<Item = (impl Into<String>, f64)>) {
        for (name, value) in measures {
            let name = name.into();
            match self.curves.iter_mut().find(|(known, _)| *known == name) {
                Some((_, curve)) => curve.push(value),
                None => self.curves.push((name, vec![value])),
            }
        }
    }

    /// Writes the results at the end of training.
    pub fn finish(self) -> Result<()> {
        if let Some(trace) = self.trace {
            trace.finish()?;
        }
        match &self.plot {
            Some(path) => {
                let charts: Vec<Chart> = self.curves.into_iter().map(curve).collect();
                plot::charts(path, &charts)
            }
            None => Ok(()),
        }
    }
}

/// The chart of a measure, from epoch to epoch.
fn curve((title, values): (String, Vec<f64>)) -> Chart {
    let points = (1..).map(f64::from).zip(values).collect();
    let x = Axis { name: "epoch".to_owned(), whole: true, ..Axis::default() };
    let series = vec![Series { points, look: Look::Marked, ..Series::default() }];
    Chart { title, x, series, ..Chart::default() }
}
