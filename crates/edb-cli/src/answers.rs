//! `edb run`: graphs in, answers out.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, IsTerminal, Read, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use edb::graph::GraphRecord;
use edb::model::Bundle;
use edb::prelude::*;
use edb::{Element, engine::answer::Answer};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use crate::place::Place;
use crate::work::{Result, Work};

/// The longest line, since a line is read as a whole.
const MAX_LINE_BYTES: u64 = 256 << 20;

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

/// The graph of a line.
fn graph<T: Element>(model: &Model<T>, text: &str) -> std::result::Result<Graph<T>, String> {
    let record: GraphRecord = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let graph = model.graph_from_record(&record).map_err(|error| error.to_string())?;
    // What only a minibatch checks concerns this line, not those that run with it.
    model.minibatch([&graph]).map_err(|error| error.to_string())?;
    Ok(graph)
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

fn named(path: &std::path::Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// Lines of a file, of bounded length.
struct Lines {
    reader: Box<dyn BufRead>,
    /// The number of the line that was read last, from 1.
    number: usize,
}

impl Lines {
    fn new(path: &std::path::Path) -> Result<Self> {
        let reader: Box<dyn BufRead> = match path.to_str() {
            Some("-") => Box::new(BufReader::new(io::stdin())),
            _ => Box::new(BufReader::new(File::open(path).map_err(|error| named(path, &error))?)),
        };
        Ok(Self { reader, number: 0 })
    }

    /// The next line that is not blank, or what is wrong with it; `None` at the end.
    fn next(&mut self) -> Result<Option<std::result::Result<String, String>>> {
        loop {
            let mut line = Vec::new();
            let read = (&mut self.reader).take(MAX_LINE_BYTES).read_until(b'\n', &mut line)?;
            if read == 0 {
                return Ok(None);
            }
            self.number += 1;
            if read as u64 == MAX_LINE_BYTES && !line.ends_with(b"\n") {
                self.skip_line()?;
                return Ok(Some(Err(format!("it is longer than {MAX_LINE_BYTES} bytes"))));
            }
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            return Ok(Some(String::from_utf8(line).map_err(|_| "it is no UTF-8".to_owned())));
        }
    }

    /// Passes the rest of a line.
    fn skip_line(&mut self) -> Result<()> {
        loop {
            let buffer = self.reader.fill_buf()?;
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let passed = end.map_or(buffer.len(), |end| end + 1);
            let is_done = end.is_some() || buffer.is_empty();
            self.reader.consume(passed);
            if is_done {
                return Ok(());
            }
        }
    }
}
