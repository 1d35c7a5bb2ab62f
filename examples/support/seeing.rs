//! What `--plot` and `--trace` write: how training went, and where the first steps spent their time.

use std::path::{Path, PathBuf};

use edb::trace::TraceFile;

use super::{Result, plot};

/// So many steps are traced: the first learns memory sizes, and the others are as all that follow.
const TRACED: usize = 4;

/// Listens to a training run, as far as the command line asks for it.
pub struct Seeing {
    plot: Option<PathBuf>,
    trace: Option<TraceFile>,
    steps: usize,
    /// Each measure by name, epoch by epoch.
    curves: Vec<(String, Vec<f64>)>,
}

impl Seeing {
    /// Begins a trace if one is asked for, and refuses a plot that could not be written later.
    pub fn new(plot: Option<&Path>, trace: Option<&Path>) -> Result<Self> {
        if let Some(path) = plot {
            plot::format(path)?;
        }
        let trace = trace.map(TraceFile::begin).transpose()?;
        Ok(Self { plot: plot.map(Path::to_owned), trace, steps: 0, curves: Vec::new() })
    }

    /// A step was taken.
    pub fn step(&mut self) -> Result<()> {
        self.steps += 1;
        match self.trace.take_if(|_| self.steps == TRACED) {
            Some(trace) => Ok(trace.finish()?),
            None => Ok(()),
        }
    }

    /// An epoch is over, with these measures.
    pub fn epoch(&mut self, measures: impl IntoIterator<Item = (impl Into<String>, f64)>) {
        for (name, value) in measures {
            let name = name.into();
            match self.curves.iter_mut().find(|(known, _)| *known == name) {
                Some((_, curve)) => curve.push(value),
                None => self.curves.push((name, vec![value])),
            }
        }
    }

    /// Training is over.
    pub fn finish(self) -> Result<()> {
        if let Some(trace) = self.trace {
            trace.finish()?;
        }
        match &self.plot {
            Some(path) => plot::curves(path, &self.curves),
            None => Ok(()),
        }
    }
}
