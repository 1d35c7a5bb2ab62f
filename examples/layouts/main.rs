//! The gain of memory layouts, cell by cell, in the style of ED-Batch's table 2: the copies that
//! the executor counts while it runs one batch of a cell, with the layout found by the PQ-tree and
//! with values in order of declaration, for cells with a weight for each gate and with stacked
//! weights.

pub mod cells;
pub mod measure;

use std::num::NonZeroUsize;
use std::process::ExitCode;

use clap::Parser;

use measure::{Mode, Row, Setting, rows};
use support::{Result, table};

#[derive(Parser)]
#[command(about = "Copies of one batch of a cell, with and without the layout")]
struct Cli {
    /// Vertices in the batch
    #[arg(long, default_value_t = const { NonZeroUsize::new(8).unwrap() })]
    batch: NonZeroUsize,
    /// The width of states and inputs
    #[arg(long, default_value_t = const { NonZeroUsize::new(64).unwrap() })]
    size: NonZeroUsize,
    /// Forward only, or training [default: both]
    #[arg(long, value_enum, num_args = 1..)]
    mode: Vec<Mode>,
    /// How often everything is timed; the median counts
    #[arg(long, default_value_t = const { NonZeroUsize::new(201).unwrap() })]
    repeats: NonZeroUsize,
    /// Print one object of JSON a line
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(cli: &Cli) -> Result<()> {
    let modes = if cli.mode.is_empty() { vec![Mode::Infer, Mode::Train] } else { cli.mode.clone() };
    let (batch, size, repeats) = (cli.batch.get(), cli.size.get(), cli.repeats.get());
    let rows = rows(&Setting { batch, size, repeats, modes })?;
    if cli.json {
        for row in &rows {
            println!("{}", serde_json::to_string(row)?);
        }
        return Ok(());
    }
    let cells: Vec<_> = rows.iter().map(Row::cells).collect();
    print!("{}", table(&Row::HEADING, &cells));
    let mut notes: Vec<_> = rows.iter().flat_map(Row::remarks).collect();
    notes.dedup();
    notes.iter().for_each(|note| println!("{note}"));
    Ok(())
}
