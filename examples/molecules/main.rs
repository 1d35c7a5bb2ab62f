//! Properties of molecules, such as how well they dissolve: message passing with its rounds unrolled.

pub mod cell;
pub mod molecule;
#[path = "../support/mod.rs"]
pub mod support;

use std::collections::HashMap;

use clap::Parser;
use edb::Element;
use edb::prelude::*;

use cell::{Atom, Bond, Features, Gold, Message, Molecules};
use molecule::{BONDS, FEATURES, Molecule, Split};
use support::fit::Recipe;
use support::lines::{self, LineError};
use support::source::Source;
use support::{Options, Result};

#[derive(Parser)]
#[command(about = "Learns a property of molecules, by default of small generated ones")]
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

fn read(cli: &Cli) -> std::result::Result<Vec<Molecule>, LineError> {
    let Some(folder) = &cli.source.data else { return Ok(molecule::generated()) };
    let mut lines = lines::open(&lines::find(folder, &format!("{}.tsv", cli.table))?)?;
    lines.next_line()?;
    let mut molecules = Vec::new();
    while let Some(line) = lines.next_line()? {
        let molecule = molecule::parse(&line).map_err(|reason| lines.wrong(reason));
        molecules.extend(cli.source.malformed().take(molecule)?);
    }
    Ok(molecules)
}

/// What is learned is `(y - mean) / deviation`.
#[derive(Clone, Copy)]
struct Scale {
    mean: f64,
    deviation: f64,
}

impl Scale {
    fn new(molecules: &[&Molecule]) -> Self {
        let count = molecules.len().max(1) as f64;
        let mean = molecules.iter().map(|m| m.y).sum::<f64>() / count;
        let squares = molecules.iter().map(|m| (m.y - mean).powi(2)).sum::<f64>();
        Self { mean, deviation: (squares / count).sqrt().max(1e-6) }
    }
}

/// A molecule as a graph, and the vertex that says what is asked.
fn graph<T: Element>(
    f: &Molecules,
    model: &Model<T>,
    scale: Scale,
    molecule: &Molecule,
) -> (Graph<T>, Vertex<()>) {
    let mut g = model.graph();
    let mut atoms: Vec<Vertex<Atom>> = Vec::with_capacity(molecule.atoms.len());
    for x in &molecule.atoms {
        let x = g.tensor(&x.map(T::from_f64));
        atoms.push(g.add(&f.atom, (), Features { x }));
    }
    for (message, update) in &f.rounds {
        let mut messages: HashMap<usize, Vec<Vertex<Message>>> = HashMap::new();
        for &(a, b, kind) in &molecule.bonds {
            for (from, to) in [(a, b), (b, a)] {
                let sent = g.add(message, [atoms[from]], Bond { kind: kind.into() });
                messages.entry(to).or_default().push(sent);
            }
        }
        for (at, atom) in atoms.iter_mut().enumerate() {
            let received = messages.get(&at).map_or(&[][..], |messages| messages);
            *atom = g.add(update, (*atom, received), ());
        }
    }
    let y = g.tensor(&[T::from_f64((molecule.y - scale.mean) / scale.deviation)]);
    let vertex = g.add(&f.read_out, &atoms, Gold { y });
    (g, vertex)
}

/// The root of the mean squared error.
fn rmse(f: &Molecules, trainer: &mut Trainer, scale: Scale, all: &[&Molecule]) -> Result<f64> {
    let mut squares = 0.0;
    for chunk in all.chunks(128) {
        let graphs = chunk.iter().map(|molecule| graph(f, trainer.model(), scale, molecule));
        let (graphs, vertices): (Vec<_>, Vec<_>) = graphs.unzip();
        let batch = trainer.model().minibatch(&graphs)?;
        let run = trainer.infer(&batch)?;
        for (vertex, molecule) in vertices.into_iter().zip(chunk) {
            let y = f64::from(run.output(&f.read_out, vertex)?.y[0]);
            squares += (scale.mean + scale.deviation * y - molecule.y).powi(2);
        }
    }
    Ok((squares / all.len().max(1) as f64).sqrt())
}

fn main() -> Result<()> {
    let cli = Cli::parse();
    let options = &cli.options;
    let molecules = read(&cli)?;
    let of = |split| -> Vec<&Molecule> { molecules.iter().filter(|m| m.split == split).collect() };
    let [train, dev, test] = [of(Split::Train), of(Split::Valid), of(Split::Test)];
    println!("{} molecules to train on", train.len());
    let scale = Scale::new(&train);
    let mut builder = ModelBuilder::new();
    let hidden = options.hidden.unwrap_or(if cli.source.data.is_some() { 96 } else { 32 });
    let f = Molecules::new(&mut builder, [FEATURES, BONDS], cli.rounds, hidden);
    let model = builder.build(options.seed)?;
    let recipe = Recipe { epochs: 60, batch: 32, rate: 2e-3, measure: "rmse", falls: true };
    let sample = |model: &Model, at: usize, _| graph(&f, model, scale, train[at]).0;
    let on_dev = |trainer: &mut Trainer| rmse(&f, trainer, scale, &dev);
    let mut fitted = recipe.fit(options, model, train.len(), sample, on_dev)?;
    let found = rmse(&f, fitted.trainer(), scale, &test)?;
    fitted.report(options, &[("rmse", found)]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use support::learns::{Sample, learns};

    struct Three;

    impl Sample for Three {
        fn model<T: Element>(&self, seed: u64) -> (Model<T>, Vec<Graph<T>>) {
            let mut builder = ModelBuilder::new();
            let f = Molecules::new(&mut builder, [FEATURES, BONDS], 2, 6);
            let model = builder.build(seed).unwrap();
            let lines = [
                "a\t1\ttrain\ttrain\tCO\t6:1:0:3:0:0 8:1:0:1:0:0\t0-1:1:0:0",
                "b\t3\ttrain\ttrain\tC=C=O\t6:1:0:2:0:0 6:2:0:0:0:0 8:1:0:0:0:0\t0-1:2:0:0 1-2:2:0:0",
                "c\t-1\ttrain\ttrain\tC\t6:0:0:4:0:0\t",
            ];
            let molecules = lines.map(|line| molecule::parse(line).unwrap());
            let scale = Scale::new(&molecules.each_ref());
            let graphs = molecules.iter().map(|m| graph(&f, &model, scale, m).0).collect();
            (model, graphs)
        }
    }

    #[test]
    fn it_learns() {
        learns(&Three);
    }
}
