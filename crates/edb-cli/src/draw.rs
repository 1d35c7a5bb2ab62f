//! `edb draw`: a graph and its schedule.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use edb::Element;
use edb::model::Bundle;

use crate::lines::{Lines, check_not_read, graph, named};
use crate::place::Place;
use crate::work::{Result, Work};

/// A picture of more vertices helps nobody.
const MAX_VERTICES: usize = 2000;

#[derive(Args)]
pub(crate) struct Draw {
    /// The bundle
    pub(crate) model: PathBuf,
    /// Graphs, a line of JSON for each; - for standard input
    graphs: PathBuf,
    /// Where to write the picture (SVG)
    #[arg(long)]
    output: PathBuf,
    /// How many graphs are drawn, from the first on: they run together
    #[arg(long, default_value_t = 1)]
    count: usize,
    #[command(flatten)]
    place: Place,
}

impl Work for Draw {
    fn with<T: Element>(&self, bundle: Bundle<T>) -> Result<()> {
        check_not_read(&self.output, [&self.model, &self.graphs])?;
        if self.output.extension().is_some_and(|of| !of.eq_ignore_ascii_case("svg")) {
            let path = self.output.display();
            return Err(format!("{path}: a picture is an SVG: let its name end in .svg").into());
        }
        let model = &bundle.model;
        let mut lines = Lines::new(&self.graphs)?;
        let mut graphs = Vec::new();
        while graphs.len() < self.count {
            let Some(line) = lines.next()? else { break };
            let graph = line.and_then(|text| graph(model, &text));
            graphs.push(graph.map_err(|error| format!("line {}: {error}", lines.number))?);
        }
        let vertices: usize = graphs.iter().map(|graph| graph.len()).sum();
        if vertices > MAX_VERTICES {
            return Err(format!(
                "{vertices} vertices are more than the {MAX_VERTICES} of a picture"
            )
            .into());
        }
        let batch = model.minibatch(&graphs)?;
        let mut engine = self.place.engine(&bundle)?;
        let run = engine.infer(model, &batch)?;
        let picture = edb_picture::graph(&run.type_graph(), &run.schedule(), model.signature());
        std::fs::write(&self.output, picture.to_svg())
            .map_err(|error| named(&self.output, &error))?;
        Ok(writeln!(io::stdout(), "{}", run.explain())?)
    }
}
