//! A schedule as a timeline.

use super::{Edge, LINE, Picture, PictureBox, colour, width};
use edb_schedule::{Schedule, Signature};

/// The height of the largest batch.
const TALL: i32 = 44;
/// The width of a column: with room for numbers, and the least.
const WIDE: i32 = 30;
const NARROW: i32 = 3;
/// The greatest width of all columns together before they get narrower.
const PAGE: i32 = 900;

/// The schedule, batch by batch from left to right, one row for each vertex type. The height of a
/// batch shows its number of vertices, which is written above it where there is room. The numbers
/// of vertices and batches of the type are to the right of each row.
pub fn timeline(schedule: &Schedule, types: &Signature) -> Picture {
    let mut picture = Picture::new("timeline");
    let count = schedule.len() as i32;
    let column = if count * WIDE <= PAGE { WIDE } else { (PAGE / count.max(1)).max(NARROW) };
    let mut present: Vec<u16> = schedule.batches().iter().map(|batch| batch.vertex_type).collect();
    present.sort_unstable();
    present.dedup();
    let largest = schedule.batches().iter().map(|batch| batch.range().len()).max().unwrap_or(1);
    let line = TALL + LINE + 12;
    let mut bars = vec![None; schedule.len()];
    for (row, &vertex_type) in present.iter().enumerate() {
        let base = row as i32 * line + line;
        let (mut vertices, mut batches) = (0, 0);
        for (number, batch) in schedule.batches().iter().enumerate() {
            if batch.vertex_type != vertex_type {
                continue;
            }
            let size = batch.range().len();
            (vertices, batches) = (vertices + size, batches + 1);
            let tall = (TALL as usize * size / largest.max(1)).max(3) as i32;
            let x = number as i32 * column + column / 2;
            let text = size.to_string();
            if width(&text) <= column {
                picture.text((x, base - tall - 4), "middle", text);
            }
            let name = types.name(vertex_type);
            bars[number] = Some(picture.add(PictureBox {
                centre: (x, base - tall / 2),
                size: ((column - 4).max(2), tall),
                tip: format!("batch {number}: {name} x{size}"),
                fill: colour(row),
                ..PictureBox::default()
            }));
        }
        picture.text((-8, base - 4), "end", types.name(vertex_type));
        let plural = if batches == 1 { "" } else { "es" };
        let total = format!("{vertices} in {batches} batch{plural}");
        picture.text((count * column + 8, base - 4), "start", total);
    }
    // As many batch numbers as there is room for.
    let every = ((width(&schedule.len().to_string()) + 8 + column) / column).max(1) as usize;
    for number in (0..schedule.len()).step_by(every) {
        let x = number as i32 * column + column / 2;
        picture.text((x, present.len() as i32 * line + LINE + 4), "middle", number.to_string());
    }
    picture.text((-8, present.len() as i32 * line + LINE + 4), "end", "batch");
    let order: Vec<usize> = bars.into_iter().flatten().collect();
    let next = order.windows(2).map(|pair| Edge {
        from: pair[0],
        to: pair[1],
        through: Vec::new(),
        hidden: true,
    });
    picture.edges.extend(next);
    picture
}
