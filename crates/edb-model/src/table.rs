//! Tables of text.

use std::fmt;

/// The alignment of a column's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Cells begin where the column begins.
    Left,
    /// Cells end where the column ends.
    Right,
}

/// A table with a heading; columns are as wide as their widest cell, two spaces apart.
#[derive(Debug)]
pub struct Table {
    columns: Vec<Align>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns.
    pub fn new(heading: &[(&str, Align)]) -> Self {
        let columns = heading.iter().map(|column| column.1).collect();
        Self { columns, rows: vec![heading.iter().map(|column| column.0.to_owned()).collect()] }
    }

    /// Adds a row, of as many cells as there are columns.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells: Vec<String> = cells.into_iter().collect();
        debug_assert_eq!(cells.len(), self.columns.len());
        self.rows.push(cells);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = |cell: &String| cell.chars().count();
        let width = |column: usize| self.rows.iter().map(|row| length(&row[column])).max();
        let widths: Vec<usize> =
            (0..self.columns.len()).map(|column| width(column).unwrap_or(0)).collect();
        for row in &self.rows {
            let mut line = String::new();
            for ((cell, align), width) in row.iter().zip(&self.columns).zip(&widths) {
                let cell = match align {
                    Align::Left => format!("{cell:<width$}"),
                    Align::Right => format!("{cell:>width$}"),
                };
                line = if line.is_empty() { cell } else { line + "  " + &cell };
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// A number with commas: `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of bytes in units of a thousand: `512 bytes`, `1.2 MB`.
pub fn bytes(count: u64) -> String {
    match count {
        1 => "1 byte".into(),
        0..1000 => format!("{count} bytes"),
        _ => {
            let units = [("kB", 1e3), ("MB", 1e6), ("GB", 1e9), ("TB", 1e12)];
            // A count that would be shown as 1000.0 of a unit is shown as 1.0 of the next.
            let fits = |unit: &&(&str, f64)| count as f64 / unit.1 < 999.95;
            let (unit, size) = units.iter().find(fits).unwrap_or(&units[3]);
            format!("{:.1} {unit}", count as f64 / size)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        let numbers = [0, 12, 999, 1000, 1_234_567].map(grouped);
        assert_eq!(numbers, ["0", "12", "999", "1,000", "1,234,567"]);
        let sizes = [0, 1, 999, 1000, 999_960, 20_100_000, 3_000_000_000, 5_000_000_000_000_000];
        let expected = [
            "0 bytes",
            "1 byte",
            "999 bytes",
            "1.0 kB",
            "1.0 MB",
            "20.1 MB",
            "3.0 GB",
            "5000.0 TB",
        ];
        assert_eq!(sizes.map(bytes), expected);
    }

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(&[("name", Align::Left), ("size", Align::Right)]);
        table.row(["\u{3b1}\u{3b2}".into(), "12".into()]);
        table.row(["longer".into(), String::new()]);
        assert_eq!(table.to_string(), "name    size\n\u{3b1}\u{3b2}        12\nlonger\n");
    }
}
