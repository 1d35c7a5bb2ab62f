//! Properties of molecules, such as their solubility: message passing with its rounds unrolled.

#[cfg(test)]
mod tests;

use std::process::ExitCode;

use clap::Parser;
use edb::metrics::Correlation;
use edb::model::Notes;
use edb::prelude::*;

use cells::message_passing::Molecules;
use readers::molecule::{self, Molecule};
use readers::source::Source;
use support::fit::Recipe;
use support::measure::{Measures, infer};
use support::{Options, Result};

#[derive(Parser)]
#[command(
    about = "Learns a property of molecules, by default of small generated ones",
    after_help = "The folder of --data holds tables such as esol.tsv, plain or gzip'd; the \
        split by scaffolds counts."
)]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    source: Source,
    /// The table in the folder: NAME.tsv
    #[arg(long, default_value = "esol")]
    table: String,
    /// Rounds of messages
    #[arg(long, default_value_t = 4)]
    rounds: usize,
}

/// Standardises the targets: the model learns `(y - mean) / deviation`.
#[derive(Clone, Copy)]
struct Scale {
    mean: f64,
    deviation: f64,
}

impl Scale {
    fn new(molecules: &[Molecule]) -> Self {
        let count = molecules.len().max(1) as f64;
        let mean = molecules.iter().map(|m| m.y).sum::<f64>() / count;
        let squares = molecules.iter().map(|m| (m.y - mean).powi(2)).sum::<f64>();
        Self { mean, deviation: (squares / count).sqrt().max(1e-6) }
    }

    /// The standardised target of a molecule.
    fn standardise(self, molecule: &Molecule) -> f64 {
        (molecule.y - self.mean) / self.deviation
    }
}

/// The root mean squared error.
fn rmse(f: &Molecules, trainer: &mut Trainer, scale: Scale, all: &[Molecule]) -> Result<Measures> {
    let mut found = Correlation::default();
    let graph =
        |model: &Model, molecule: &Molecule| f.graph(model, molecule, scale.standardise(molecule));
    infer(trainer, all, graph, |run, molecule, vertex| {
        let y = f64::from(run.output(&f.read_out, vertex)?.y[0]);
        found.observe(scale.mean + scale.deviation * y, molecule.y);
        Ok(())
    })?;
    Ok(vec![("rmse", found.rmse())])
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(cli: &Cli) -> Result<()> {
    let options = &cli.options;
    let splits = molecule::splits(&cli.source, &cli.table)?.filled()?;
    println!("{} molecules to train on", splits.train.len());
    let scale = Scale::new(&splits.train);
    let mut builder = ModelBuilder::new();
    let hidden = options.hidden.unwrap_or(if cli.source.data.is_some() { 96 } else { 32 });
    let f = Molecules::new(&mut builder, cli.rounds, hidden);
    let model = builder.build(options.seed)?;
    let recipe = Recipe { epochs: 60, batch: 32, rate: 2e-3, decay: true, falls: true };
    recipe.run(
        options,
        (model, Notes::new().with("mean", &scale.mean).with("deviation", &scale.deviation)),
        &splits,
        |model, molecule, _| f.graph(model, molecule, scale.standardise(molecule)).0,
        |trainer, molecules| rmse(&f, trainer, scale, molecules),
    )
}
