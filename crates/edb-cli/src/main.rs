//! The command `edb`: what is in a bundle, its answers for graphs that are read as JSON lines, in a shell and over HTTP, and
//! whether it answers here as it did where it was saved.

mod answers;
mod draw;
mod lines;
mod place;
mod serve;
mod shown;
mod work;

use std::path::PathBuf;
use std::process::ExitCode;

use answers::Run;
use clap::{Parser, Subcommand};
use draw::Draw;
use place::Place;
use serve::Serve;
use work::opened;

#[derive(Parser)]
#[command(
    version,
    about = "Opens models of edb that were saved as one file (`model.save_bundle`)",
    after_help = "Graphs are JSON lines: {\"vertices\":[{\"function\":\"leaf\",\"input\":{\"id\":{\"index\":7}}},\
        {\"function\":\"node\",\"children\":[0,0]}]}. `edb info MODEL` says which functions there are."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Shows functions, parameters, policy and notes of a model
    Info {
        /// The bundle
        model: PathBuf,
        /// Print JSON: what each function takes and gives
        #[arg(long)]
        json: bool,
    },
    /// Answers graphs, a line of JSON for each
    Run(Run),
    /// Draws a graph, and which of its vertices run together
    Draw(Draw),
    /// Answers graphs over HTTP: `POST /run`, and `/health`, `/ready`, `/metrics`
    Serve(Serve),
    /// Runs the examples in a bundle again, and compares the answers
    Check {
        /// The bundle
        model: PathBuf,
        /// The greatest difference, relative to the greater number or to 1; without it, all bits must be the same
        #[arg(long)]
        within: Option<f64>,
        #[command(flatten)]
        place: Place,
    },
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Info { model, json } => opened(&model, &shown::Info { path: &model, json }),
        Command::Run(run) => opened(&run.model.clone(), &run),
        Command::Draw(draw) => opened(&draw.model.clone(), &draw),
        Command::Serve(serve) => opened(&serve.model.clone(), &serve),
        Command::Check { model, within, place } => opened(&model, &shown::Check { within, place }),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
