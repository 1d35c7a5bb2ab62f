//! `edb run`: graphs in, answers out.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use edb::model::Bundle;
use edb::prelude::*;
use edb::{Element, engine::answer::Answer};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use crate::lines::{Lines, graph, named};
use crate::place::Place;
use crate::work::{Result, Work};

#[derive(Args)]
pub(crate) struct Run {
    /// The bundle
    pub(crate) model: PathBuf,
    /// Graphs, a line of JSON for each; - for standard input
    graphs: PathBuf,
    /// Where to write the answers, a line of JSON for each graph [default: standard output]
    #[arg(long)]
    output: Option<PathBuf>,
    /// Graphs that run together; answers do not depend on it
    #[arg(long, default_value = "256")]
    batch: NonZeroUsize,
    /// Go on where a line is wrong: its answer is {"error":".."}, and the command fails at the end
    #[arg(long)]
    keep_going: bool,
    #[command(flatten)]
    place: Place,
}

impl Work for Run {
    fn with<T: Element>(&self, bundle: Bundle<T>) -> Result<()> {
        let mut engine = self.place.engine(&bundle)?;
        let mut lines = Lines::new(&self.graphs)?;
        let mut out: Box<dyn Write> = match &self.output {
            Some(path) => {
                Box::new(BufWriter::new(File::create(path).map_err(|error| named(path, &error))?))
            }
            None => Box::new(BufWriter::new(io::stdout().lock())),
        };
        let progress = progress();
        let (mut answered, mut wrong) = (0, 0);
        loop {
            let mut graphs = Vec::new();
            // For each line, its graph or what is wrong with it.
            let mut read: Vec<std::result::Result<(), String>> = Vec::new();
            while graphs.len() < self.batch.get() {
                let Some(line) = lines.next()? else { break };
                let graph = line.and_then(|text| graph(&bundle.model, &text));
                let graph = graph.map_err(|error| format!("line {}: {error}", lines.number));
                read.push(graph.map(|graph| graphs.push(graph)));
                if read.last().is_some_and(|line| line.is_err()) && !self.keep_going {
                    break;
                }
            }
            if read.is_empty() {
                break;
            }
            let mut answers = answers(&mut engine, &bundle.model, &graphs)?.into_iter();
            for line in read {
                match line {
                    Ok(()) => {
                        let answer = answers.next().expect("there is an answer for each graph");
                        serde_json::to_writer(&mut out, &answer)?;
                        answered += 1;
                    }
                    Err(error) if self.keep_going => {
                        eprintln!("{error}");
                        serde_json::to_writer(&mut out, &json!({ "error": error }))?;
                        wrong += 1;
                    }
                    Err(error) => {
                        out.flush()?;
                        return Err(format!("{error}; --keep-going answers the other lines").into());
                    }
                }
                out.write_all(b"\n")?;
            }
            progress.set_position(answered);
        }
        out.flush()?;
        progress.finish_and_clear();
        if wrong > 0 {
            return Err(format!("{wrong} of {} lines are wrong", answered + wrong).into());
        }
        Ok(())
    }
}

fn answers<T: Element>(
    engine: &mut Engine<T>,
    model: &Model<T>,
    graphs: &[Graph<T>],
) -> Result<Vec<Answer<T>>> {
    if graphs.is_empty() {
        return Ok(Vec::new());
    }
    let batch = model.minibatch(graphs)?;
    let run = engine.infer(model, &batch)?;
    Ok((0..graphs.len()).map(|graph| run.answer(graph)).collect::<std::result::Result<_, _>>()?)
}

fn progress() -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{pos} graphs, {per_sec}, {elapsed}");
    ProgressBar::no_length().with_style(style.expect("the template is right"))
}
