//! Tables, as Markdown and as JSON.

use serde::{Deserialize, Serialize};

/// A table with what has to be said about it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Table {
    pub columns: Vec<String>,
    /// Each as long as `columns`.
    pub rows: Vec<Vec<String>>,
    pub notes: Vec<String>,
}

impl Table {
    pub fn new<C: Into<String>>(columns: impl IntoIterator<Item = C>) -> Self {
        let columns = columns.into_iter().map(Into::into).collect();
        Self { columns, ..Self::default() }
    }

    /// Adds a row; columns that it does not reach stay empty.
    pub fn row<C: Into<String>>(&mut self, cells: impl IntoIterator<Item = C>) {
        let mut cells: Vec<String> = cells.into_iter().map(Into::into).collect();
        assert!(cells.len() <= self.columns.len(), "more cells than columns: {cells:?}");
        cells.resize(self.columns.len(), String::new());
        self.rows.push(cells);
    }

    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// The place of a column, if there is one of this name.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    /// The rows that have this in a column.
    pub fn with(&self, column: &str, cell: &str) -> Self {
        let place = self.column(column);
        let has = |row: &&Vec<String>| place.is_some_and(|place| row[place] == cell);
        let rows = self.rows.iter().filter(has).cloned().collect();
        Self { columns: self.columns.clone(), rows, notes: Vec::new() }
    }

    /// What a column has, each once, from the top; nothing of empty cells.
    pub fn different(&self, column: &str) -> Vec<&str> {
        let mut found = Vec::new();
        let place = self.column(column);
        for cell in place.into_iter().flat_map(|place| self.rows.iter().map(move |row| &row[place]))
        {
            if !cell.is_empty() && !found.contains(&cell.as_str()) {
                found.push(cell.as_str());
            }
        }
        found
    }

    /// Whether all rows are as long as the heading, as in every table that was not read.
    pub fn is_whole(&self) -> bool {
        self.rows.iter().all(|row| row.len() == self.columns.len())
    }

    /// Adds a row that says what a program lacks.
    pub fn lacks(&mut self, command: &str, message: &str) {
        if self.columns.len() < 2 {
            self.columns = ["command", "result"].map(String::from).into();
        }
        self.row([format!("`{command}`"), format!("the program lacks it: {message}")]);
    }

    /// Leaves out the columns in which no row has anything.
    pub fn without_empty_columns(mut self) -> Self {
        let kept: Vec<bool> = (0..self.columns.len())
            .map(|column| self.rows.iter().any(|row| !row[column].is_empty()))
            .collect();
        let keep = |cells: &mut Vec<String>| {
            let mut kept = kept.iter();
            cells.retain(|_| *kept.next().expect("rows are as long as the heading"));
        };
        keep(&mut self.columns);
        self.rows.iter_mut().for_each(keep);
        self
    }

    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<_> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let mut text = String::new();
        if !self.rows.is_empty() {
            text += &line(&self.columns);
            text += &format!("|{}\n", " --- |".repeat(self.columns.len()));
            text.extend(self.rows.iter().map(|row| line(row)));
            text.push('\n');
        }
        text.extend(self.notes.iter().map(|note| format!("- {note}\n")));
        text
    }
}

/// A number with three digits or more.
pub fn digits(number: f64) -> String {
    let decimals = match number.abs() {
        least if least >= 100.0 => 0,
        least if least >= 10.0 => 1,
        least if least >= 1.0 || least == 0.0 => 2,
        // Of what is less than a millionth, less is left.
        least => (2.0 - least.log10().floor()).clamp(3.0, 9.0) as usize,
    };
    format!("{number:.decimals$}")
}

/// The finite number that a cell begins with.
pub fn number(cell: &str) -> Option<f64> {
    cell.split_whitespace().next()?.parse().ok().filter(|number: &f64| number.is_finite())
}

/// A quotient, or nothing where there is none.
pub fn ratio(number: f64, by: f64) -> String {
    if by > 0.0 { format!("{:.2}", number / by) } else { String::new() }
}

/// What there is of a number.
pub fn known(number: Option<f64>) -> String {
    number.map_or_else(String::new, digits)
}
