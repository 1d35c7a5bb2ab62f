//! Pictures of tables: what a cell begins with is a number, and is drawn.

use support::chart::{Axis, Chart, Look, Picture, Scale, Series};

use crate::table::{Table, number};

/// Charts, so many side by side.
pub fn picture(columns: usize, charts: impl IntoIterator<Item = Chart>) -> Picture {
    // The title says of which item and which machine, and is not known here.
    Picture { title: String::new(), columns, charts: charts.into_iter().collect() }
}

/// A line for each of some columns, over the numbers of a column. Columns that the table lacks are
/// left out.
pub fn lines(table: &Table, x: (&str, Scale), y: (&str, Scale), columns: &[&str]) -> Chart {
    let lines = columns.iter().map(|column| line(table, x.0, column, (*column).to_owned()));
    chart(axis(x), axis(y), lines)
}

/// A line of one column over the numbers of another.
pub fn line(table: &Table, x: &str, column: &str, name: String) -> Series {
    let places = table.column(x).zip(table.column(column));
    let point =
        |row: &Vec<String>, (x, y): (usize, usize)| Some((number(&row[x])?, number(&row[y])?));
    let points = table.rows.iter().filter_map(|row| point(row, places?)).collect();
    Series { name, points, look: Look::Marked }
}

/// Bars of some columns, for each row that has one; a column says what a row is of.
pub fn bars(table: &Table, group: &str, y: &str, columns: &[&str]) -> Chart {
    let places: Vec<_> =
        columns.iter().filter_map(|column| Some((*column, table.column(column)?))).collect();
    let has_one = |row: &&Vec<String>| places.iter().any(|(_, at)| number(&row[*at]).is_some());
    let rows: Vec<_> = table.rows.iter().filter(has_one).collect();
    let place = table.column(group);
    let name = |row: &&Vec<String>| place.map_or_else(String::new, |place| row[place].clone());
    let x =
        Axis { name: group.to_owned(), groups: rows.iter().map(name).collect(), ..Axis::default() };
    let series = places
        .iter()
        .map(|(column, at)| bar((*column).to_owned(), rows.iter().map(|row| number(&row[*at]))));
    chart(x, axis((y, Scale::Linear)), series)
}

/// Bars of a group each.
pub fn bar(name: String, heights: impl IntoIterator<Item = Option<f64>>) -> Series {
    let points = (0..).map(f64::from).zip(heights);
    let points = points.filter_map(|(group, height)| Some((group, height?))).collect();
    Series { name, points, look: Look::Bars }
}

/// Series over axes. Those without points are not seen, and keep the colours of the others.
pub fn chart(x: Axis, y: Axis, series: impl IntoIterator<Item = Series>) -> Chart {
    Chart { x, y, series: series.into_iter().collect(), ..Chart::default() }
}

/// An axis with its unit.
pub fn axis((name, scale): (&str, Scale)) -> Axis {
    Axis { name: name.to_owned(), scale, ..Axis::default() }
}
