//! What is printed, as Markdown or as JSON, a value a line, that can be read again; and pictures.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use support::{Result, plot};

use crate::item::{Item, Paper, Scope};
use crate::machine::Machine;
use crate::table::Table;

#[cfg(test)]
mod tests;

/// On what, when and how tables were measured.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Head {
    pub machine: String,
    pub date: String,
    pub revision: String,
    pub threads: usize,
    pub quick: bool,
    /// Whether instances are those of data sets, as far as these are there.
    pub data: bool,
}

impl Head {
    pub fn new(machine: &Machine, scope: &Scope) -> Self {
        let Machine { description, revision, date } = machine.clone();
        let Scope { threads, quick, data, .. } = scope;
        let (threads, quick, data) = (*threads, *quick, data.is_some());
        Self { machine: description, date, revision, threads, quick, data }
    }

    /// A line.
    pub fn markdown(&self) -> String {
        let Self { machine, date, revision, threads, quick, data } = self;
        let plural = if *threads == 1 { "" } else { "s" };
        let data = if *data { "instances of data sets" } else { "drawn instances" };
        let quick = if *quick { "; quick, so figures vary by tens of percent" } else { "" };
        format!("{machine}; {threads} thread{plural}; {date}; revision {revision}; {data}{quick}\n")
    }
}

/// The table of an item.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Measured {
    pub item: String,
    pub table: Table,
    /// What this revision says below the table, for who reads the JSON: what is read again has its own words.
    #[serde(default)]
    pub said: Vec<String>,
}

impl Measured {
    pub fn new(item: &Item, table: &Table) -> Self {
        let said = item.said().map(str::to_owned).collect();
        Self { item: item.name.to_owned(), table: table.clone(), said }
    }
}

/// What a run has printed as JSON.
#[derive(Clone, Debug)]
pub struct Report {
    pub head: Head,
    tables: Vec<Measured>,
}

impl Report {
    /// Reads a file.
    pub fn read(path: &Path, items: &[Item]) -> Result<Self> {
        let read = || Self::parse(&std::fs::read_to_string(path)?, items);
        read().map_err(|error| {
            let path = path.display();
            format!("{path}: {error}: expected what `papers --json` prints").into()
        })
    }

    fn parse(text: &str, items: &[Item]) -> Result<Self> {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
        let head = Head::deserialize(values.next().ok_or("it is empty")??)?;
        let mut tables: Vec<Measured> = Vec::new();
        for value in values {
            let one = Measured::deserialize(value?)?;
            let name = &one.item;
            if !items.iter().any(|item| item.name == *name) {
                return Err(format!("there is no item `{name}`").into());
            }
            if tables.iter().any(|other| other.item == *name) {
                return Err(format!("`{name}` has two tables").into());
            }
            if !one.table.is_whole() {
                return Err(format!("a row of `{name}` is not as long as its heading").into());
            }
            tables.push(one);
        }
        Ok(Self { head, tables })
    }

    /// The table of an item, if it has been measured.
    pub fn table(&self, item: &Item) -> Option<&Table> {
        self.tables.iter().find(|one| one.item == item.name).map(|one| &one.table)
    }
}

/// The heading of a paper's items.
pub fn paper(Paper { title, reference, .. }: &Paper) -> String {
    format!("## {title}\n\n{reference}\n")
}

/// An item with its table.
pub fn section(item: &Item, table: &Table) -> String {
    let Item { name, title, measured, hardware, here, .. } = item;
    let heading = format!("### {name}: {title}\n\n");
    let words = format!("**The paper:** {measured} {hardware}\n\n**Here:** {here}\n\n");
    let said: String = item.said().map(|line| format!("- {line}\n")).collect();
    format!("{heading}{words}{}{said}", table.markdown())
}

/// The sections of all items of a report and the headings of their papers, each between marks by
/// which the book includes it.
pub fn chapter(report: &Report, papers: &[Paper]) -> String {
    let part = |name: &str, text: &str| {
        format!("// ANCHOR: {name}\n{}\n// ANCHOR_END: {name}\n\n", text.trim_end())
    };
    let mut made = part("head", &report.head.markdown());
    let missing =
        Table { notes: vec!["It has not been measured there.".into()], ..Table::default() };
    for of in papers {
        made += &part(&of.title.to_lowercase(), &paper(of));
        for item in of.items {
            let table = report.table(item).unwrap_or(&missing);
            made += &part(&item.word(), &section(item, table));
        }
    }
    made
}

/// Rejects pictures that could not be drawn later, and makes their folder.
pub fn can_draw(folder: &Path, items: &[Item]) -> Result<()> {
    plot::format(&folder.join("figure.svg"))?;
    if !items.iter().any(|item| item.picture.is_some()) {
        return Err("--plots: none of these items is a figure that is drawn".into());
    }
    edb_file::create_folder(folder)
        .map_err(|error| format!("--plots {}: {error}", folder.display()).into())
}

/// Draws an item, if its paper has a picture of it, in both formats.
pub fn draw(folder: &Path, head: &Head, item: &Item, table: &Table) -> Result<()> {
    let Some(picture) = item.picture else { return Ok(()) };
    let mut picture = picture(table);
    picture.title = format!("{}: {} ({})", item.name, item.title, head.machine);
    for extension in ["svg", "png"] {
        let path = folder.join(item.word()).with_extension(extension);
        plot::picture(&path, &picture).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}
