//! Runs the soak test, which exercises everything at once for a long time:
//! `cargo run --release -p edb-fuzz --bin soak -- --minutes 60`.
//!
//! `soak/mod.rs` describes what it does. The last line is a summary in JSON. It needs Linux.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};
use edb_fuzz::soak::{self, Plan};

#[derive(Parser)]
struct Cli {
    /// For how many minutes to run
    #[arg(long, default_value_t = 60.0)]
    minutes: f64,
    /// The seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// By how many MiB the memory may grow in the last half
    #[arg(long, default_value_t = 16)]
    growth: u64,
    #[command(subcommand)]
    child: Option<Child>,
}

/// The roles in which this program starts itself as a child process.
#[derive(Subcommand)]
enum Child {
    /// Trains and saves into a folder until it is killed
    Train { folder: PathBuf },
    /// Runs larger and larger minibatches until one is refused
    Refused,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match &cli.child {
        Some(Child::Train { folder }) => soak::train(folder).map(|()| String::new()),
        Some(Child::Refused) => soak::refused(),
        None => run(&cli),
    };
    match result {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: &Cli) -> Result<String, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let time =
        Duration::try_from_secs_f64(cli.minutes * 60.0).map_err(|error| error.to_string())?;
    let plan = Plan { time, seed: cli.seed, growth: cli.growth << 20, program };
    let (counts, resident) = soak::run(&plan)?;
    println!("{resident}");
    let summary = serde_json::json!({
        "minutes": cli.minutes,
        "seed": cli.seed,
        "counts": counts,
        "growth_bytes": resident.growth(),
        "resident_bytes": resident.rows.last().map(|row| row.1),
    });
    Ok(summary.to_string())
}
