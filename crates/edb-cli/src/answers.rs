//! `edb run`: graphs in, answers out.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use edb::Element;
use edb::engine::EngineError;
use edb::engine::answer::Answer;
use edb::model::Bundle;
use edb::prelude::*;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use crate::lines::{Lines, check_not_read, graph, named};
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
        let (mut out, name) = self.out()?;
        let written = |error: io::Error| format!("{name} cannot be written: {error}");
        let progress = progress();
        let (mut answered, mut wrong) = (0, 0);
        loop {
            let mut graphs = Vec::new();
            // For each line, its number, and what is wrong with it, if anything is.
            let mut read: Vec<(usize, Option<String>)> = Vec::new();
            let mut broken = None;
            while graphs.len() < self.batch.get() {
                let line = match lines.next() {
                    Ok(Some(line)) => line,
                    Ok(None) => break,
                    Err(error) => {
                        broken = Some(error);
                        break;
                    }
                };
                let graph = line.and_then(|text| graph(&bundle.model, &text));
                let is_wrong = graph.is_err();
                read.push((lines.number, graph.map(|graph| graphs.push(graph)).err()));
                if is_wrong && !self.keep_going {
                    break;
                }
            }
            if let (true, None) = (read.is_empty(), &broken) {
                break;
            }
            let mut answers = answers(&mut engine, &bundle.model, &graphs).into_iter();
            for (number, problem) in read {
                let answer = match problem {
                    Some(error) => Err(error),
                    None => answers.next().expect("there is an answer for each graph"),
                };
                match answer.map_err(|error| format!("line {number}: {error}")) {
                    Ok(answer) => {
                        serde_json::to_writer(&mut out, &answer)
                            .map_err(|error| written(error.into()))?;
                        answered += 1;
                    }
                    Err(error) if self.keep_going => {
                        eprintln!("{error}");
                        writeln!(out, "{}", json!({ "error": error })).map_err(written)?;
                        wrong += 1;
                        continue;
                    }
                    Err(error) => {
                        out.flush().map_err(written)?;
                        return Err(format!("{error}; --keep-going answers the other lines").into());
                    }
                }
                out.write_all(b"\n").map_err(written)?;
            }
            // Whoever has sent these lines may wait for their answers before sending more.
            out.flush().map_err(written)?;
            progress.set_position(answered);
            if let Some(error) = broken {
                return Err(error);
            }
        }
        progress.finish_and_clear();
        if wrong > 0 {
            return Err(format!("{wrong} of {} lines are wrong", answered + wrong).into());
        }
        Ok(())
    }
}

impl Run {
    /// Where answers are written, and its name.
    fn out(&self) -> Result<(Box<dyn Write>, String)> {
        let Some(path) = &self.output else {
            return Ok((Box::new(BufWriter::new(io::stdout().lock())), "standard output".into()));
        };
        check_not_read(path, [&self.model, &self.graphs])?;
        let file = File::create(path).map_err(|error| named(path, &error))?;
        Ok((Box::new(BufWriter::new(file)), path.display().to_string()))
    }
}

/// The answers of graphs, or what went wrong with each.
fn answers<T: Element>(
    engine: &mut Engine<T>,
    model: &Model<T>,
    graphs: &[Graph<T>],
) -> Vec<std::result::Result<Answer<T>, String>> {
    match together(engine, model, graphs) {
        Ok(answers) => answers.into_iter().map(Ok).collect(),
        // An error of one graph, such as a loop that does not end, is that of all that run with it.
        Err(_) if graphs.len() > 1 => {
            let one = |graph: &Graph<T>| {
                let answer = together(engine, model, std::slice::from_ref(graph));
                let answer = answer.map(|mut of_one| of_one.pop());
                answer.map_err(|error| error.to_string())?.ok_or_else(|| "no answer".to_owned())
            };
            graphs.iter().map(one).collect()
        }
        Err(error) => vec![Err(error.to_string())],
    }
}

fn together<T: Element>(
    engine: &mut Engine<T>,
    model: &Model<T>,
    graphs: &[Graph<T>],
) -> std::result::Result<Vec<Answer<T>>, EngineError> {
    if graphs.is_empty() {
        return Ok(Vec::new());
    }
    let batch = model.minibatch(graphs)?;
    let run = engine.infer(model, &batch)?;
    (0..graphs.len()).map(|graph| run.answer(graph)).collect()
}

fn progress() -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{pos} graphs, {per_sec}, {elapsed}");
    ProgressBar::no_length().with_style(style.expect("the template is right"))
}
