//! A reasoner that thinks about a Sudoku until it is sure of every cell: each puzzle stops by itself, and none waits for the
//! others of its minibatch.

#[cfg(test)]
mod tests;

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use edb::Element;
use edb::model::Notes;
use edb::prelude::*;
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;
use serde_json::json;

use cells::reasoner::{Given, Puzzle, Reasoner};
use readers::sudoku::{Sudoku, open};
use support::chart::{Axis, Chart, Look, Series};
use support::{Place, Result, plot, progress_of};

#[derive(Parser)]
#[command(
    about = "Learns to solve Sudoku of 4 by 4 or 6 by 6 cells, by steps that stop when it is sure"
)]
struct Cli {
    #[command(flatten)]
    place: Place,
    /// Digits a side: 4 or 6
    #[arg(long, default_value_t = 4, value_parser = side)]
    side: usize,
    #[arg(long, default_value_t = 64)]
    hidden: usize,
    /// Steps of training, each with puzzles that are new
    #[arg(long, default_value_t = 1500)]
    steps: usize,
    #[arg(long, default_value_t = 64)]
    batch: usize,
    #[arg(long, default_value_t = 3e-3)]
    lr: f64,
    /// Puzzles to test on, which no step has seen
    #[arg(long, default_value_t = 500)]
    test: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Save the parameters here (safetensors)
    #[arg(long)]
    save: Option<std::path::PathBuf>,
    /// Start from these parameters (safetensors)
    #[arg(long)]
    load: Option<std::path::PathBuf>,
    /// Write the test puzzles with what was found, one as JSON a line, for benches/peers/reasoner_torch.py
    #[arg(long)]
    write: Option<std::path::PathBuf>,
    /// Draw how many steps puzzles took (.svg or .png)
    #[arg(long)]
    plot: Option<std::path::PathBuf>,
    /// Print one final line of JSON
    #[arg(long)]
    json: bool,
}

fn side(text: &str) -> std::result::Result<usize, String> {
    match text {
        "4" => Ok(4),
        "6" => Ok(6),
        _ => Err("4 or 6".to_owned()),
    }
}

/// What is known of the cells of a puzzle: each has a 1 at its digit, or at 0 if that is to be found.
fn given<T: Element>(puzzle: &Sudoku) -> Vec<T> {
    let known = |digit: &u8| {
        (0..=puzzle.side)
            .map(|other| if other == usize::from(*digit) { T::one() } else { T::zero() })
            .collect::<Vec<T>>()
    };
    puzzle.given.iter().flat_map(known).collect()
}

/// A puzzle as a graph to learn from.
fn lesson<T: Element>(f: &Reasoner, model: &Model<T>, puzzle: &Sudoku) -> Graph<T> {
    let mut g = model.graph();
    let label = |(digit, given): (&u8, &u8)| match given {
        0 => T::from_f64(f64::from(*digit) - 1.0),
        _ => T::from_f64(-1.0),
    };
    let labels: Vec<T> = puzzle.solution.iter().zip(&puzzle.given).map(label).collect();
    let (given, labels) = (g.tensor(&given(puzzle)), g.tensor(&labels));
    g.add(&f.learn, (), Puzzle { given, labels });
    g
}

/// A puzzle as a graph to solve.
fn question<T: Element>(f: &Reasoner, model: &Model<T>, puzzle: &Sudoku) -> (Graph<T>, Vertex<()>) {
    let mut g = model.graph();
    let given = g.tensor(&given(puzzle));
    let vertex = g.add(&f.solve, (), Given { given });
    (g, vertex)
}

/// What was found for a puzzle.
#[derive(Clone, Debug, PartialEq)]
struct Found {
    is_right: bool,
    steps: usize,
    logits: Vec<f32>,
}

/// What is found for each puzzle, and the seconds for all.
fn solved(
    f: &Reasoner,
    trainer: &mut Trainer,
    puzzles: &[Sudoku],
    size: usize,
) -> Result<(Vec<Found>, f64)> {
    let (mut found, mut seconds) = (Vec::new(), 0.0);
    for some in puzzles.chunks(size.max(1)) {
        let start = Instant::now();
        let graphs = some.iter().map(|puzzle| question(f, trainer.model(), puzzle));
        let (graphs, vertices): (Vec<_>, Vec<_>) = graphs.unzip();
        let batch = trainer.model().minibatch(&graphs)?;
        let run = trainer.infer(&batch)?;
        for (puzzle, vertex) in some.iter().zip(vertices) {
            let answer = run.output(&f.solve, vertex)?;
            // Digits that are given need not be found.
            let digits = answer.digits.iter().zip(&puzzle.given);
            let digits =
                digits.map(|(found, given)| if *given > 0 { *given } else { *found as u8 + 1 });
            found.push(Found {
                is_right: puzzle.is_solved_by(digits),
                steps: answer.steps[[]] as usize,
                logits: answer.logits.iter().copied().collect(),
            });
        }
        seconds += start.elapsed().as_secs_f64();
    }
    Ok((found, seconds))
}

/// Writes and draws what was found, if that was asked for.
fn show(cli: &Cli, test: &[Sudoku], found: &[Found]) -> Result<()> {
    if let Some(path) = &cli.write {
        let line = |(puzzle, found): (&Sudoku, &Found)| {
            let Sudoku { given, solution, .. } = puzzle;
            let line = json!({ "given": given, "solution": solution, "steps": found.steps, "logits": found.logits });
            format!("{line}\n")
        };
        std::fs::write(path, test.iter().zip(found).map(line).collect::<String>())?;
    }
    if let Some(path) = &cli.plot {
        let count = |steps: usize| found.iter().filter(|found| found.steps == steps).count() as f64;
        let points = (1..=16).map(|steps| (steps as f64, count(steps))).collect();
        let x = Axis { name: "steps until sure".to_owned(), whole: true, ..Axis::default() };
        let y = Axis { name: "puzzles".to_owned(), ..Axis::default() };
        let series = vec![Series { points, look: Look::Bars, ..Series::default() }];
        plot::charts(
            path,
            &[Chart {
                title: "how long puzzles take".to_owned(),
                x,
                y,
                series,
                ..Chart::default()
            }],
        )?;
    }
    Ok(())
}

/// Saves a model, with what a puzzle is to it.
fn save(model: &Model, side: usize, path: &Path) -> Result<()> {
    let reads = "cells row by row; each has a 1 at the place of its digit, counted from 1, or at place 0 \
        if that is to be found; the digits of an answer are counted from 0";
    let notes = Notes::new().with("side", &side).with("reads", &reads);
    Ok(model.bundle().notes(notes).save(path)?)
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(cli: &Cli) -> Result<()> {
    if let Some(path) = &cli.plot {
        plot::format(path)?;
    }
    let mut builder = ModelBuilder::new();
    let f = Reasoner::new(&mut builder, cli.side, cli.hidden);
    let mut model: Model = builder.build(cli.seed)?;
    if let Some(path) = &cli.load {
        model.load(path)?;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(cli.seed);
    let mut draw = |count: usize| -> Vec<Sudoku> {
        (0..count)
            .map(|_| {
                let open = open(cli.side, &mut rng);
                Sudoku::draw(cli.side, open, &mut rng)
            })
            .collect()
    };
    let test = draw(cli.test);
    let mut trainer = Trainer::new(model, Adam::new(cli.lr))
        .engine(cli.place.engine(cli.seed)?)
        .schedule(RateSchedule::linear(cli.steps.max(1) as u64, 1.0, 0.0))
        .clip_norm(1.0);
    let bar = progress_of("training".to_owned(), cli.steps as u64);
    let mut seconds = 0.0;
    for _ in 0..cli.steps {
        let puzzles: Vec<Sudoku> =
            draw(cli.batch).into_iter().filter(|puzzle| !test.contains(puzzle)).collect();
        // The drawing of puzzles, which uses one core and a search, is no part of the model's time.
        let start = Instant::now();
        let graphs: Vec<Graph> =
            puzzles.iter().map(|puzzle| lesson(&f, trainer.model(), puzzle)).collect();
        let loss = trainer.step_graphs(&graphs)?.mean_loss();
        seconds += start.elapsed().as_secs_f64();
        bar.set_message(format!("loss {loss:.3}"));
        bar.inc(1);
    }
    bar.finish_and_clear();
    if let Some(path) = &cli.save {
        save(trainer.model(), cli.side, path)?;
    }
    let (found, time) = solved(&f, &mut trainer, &test, cli.batch)?;
    let right =
        found.iter().filter(|found| found.is_right).count() as f64 / found.len().max(1) as f64;
    let steps: usize = found.iter().map(|found| found.steps).sum();
    let mean = steps as f64 / found.len().max(1) as f64;
    println!(
        "{right:.4} of {} new puzzles solved, in {mean:.2} steps of at most 16 (mean)",
        found.len()
    );
    println!(
        "{:.1} puzzles/s in inference, {:.1} in training",
        found.len() as f64 / time,
        (cli.steps * cli.batch) as f64 / seconds
    );
    show(cli, &test, &found)?;
    if cli.json {
        println!(
            "{}",
            json!({ "solved": right, "mean_steps": mean, "steps_in_all": steps, "puzzles": found.len(),
            "puzzles_per_s": found.len() as f64 / time, "training_s": seconds })
        );
    }
    Ok(())
}
