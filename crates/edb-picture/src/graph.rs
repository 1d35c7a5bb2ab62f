//! An input graph, coloured by batch.

use super::{FONT, LINE, Picture, PictureBox, colour, layers, width};
use edb_schedule::{Schedule, Signature, TypeGraph};

/// The distance between layers.
const LEVEL: i32 = 62;

/// The graph that is scheduled, leaves at the bottom. A vertex shows its type and the number of the
/// batch that runs it, and has the colour of that batch; below is a legend of all batches, in the
/// order in which they run: number, type, and how many vertices.
///
/// A vertex that the schedule does not run is white. For a run of a minibatch, `Run::type_graph` is
/// the graph and `Run::schedule` the schedule.
pub fn graph(graph: &TypeGraph, schedule: &Schedule, types: &Signature) -> Picture {
    let mut picture = Picture::new("graph");
    let mut batch_of = vec![None; graph.len()];
    for (number, batch) in schedule.batches().iter().enumerate() {
        for &vertex in schedule.vertices(batch) {
            if let Some(batch) = batch_of.get_mut(vertex as usize) {
                *batch = Some(number);
            }
        }
    }
    let names: Vec<String> = (0..graph.type_count()).map(|of| types.name(of)).collect();
    let shapes: Vec<PictureBox> = (0..graph.len() as u32)
        .map(|vertex| {
            let name = names[usize::from(graph.vertex_type(vertex))].clone();
            let batch = batch_of[vertex as usize];
            let number = batch.map_or_else(|| "-".into(), |batch: usize| batch.to_string());
            let shape = PictureBox::around(vec![name, number], batch.map_or("white", colour));
            let tip = format!("vertex {vertex}");
            PictureBox { round: 9, size: (shape.size.0.max(30), shape.size.1), tip, ..shape }
        })
        .collect();
    let widths: Vec<i32> = shapes.iter().map(|shape| shape.size.0).collect();
    let levels: Vec<usize> = graph.depths().iter().map(|&depth| depth as usize).collect();
    let below: Vec<Vec<usize>> = (0..graph.len() as u32)
        .map(|vertex| graph.children(vertex).iter().map(|&child| child as usize).collect())
        .collect();
    let places = layers::place(&levels, &below, &widths, 10);
    let y = |level: usize| -(level as i32) * LEVEL;
    for ((shape, &x), &level) in shapes.into_iter().zip(&places.x).zip(&levels) {
        picture.add(PictureBox { centre: (x, y(level)), ..shape });
    }
    for (parent, (children, lines)) in below.iter().zip(places.passages).enumerate() {
        for (&child, line) in children.iter().zip(lines) {
            let level = levels[child] + 1;
            let through = line.iter().enumerate().map(|(step, &x)| (x, y(level + step)));
            picture.connect(child, parent, through.collect());
        }
    }
    legend(&mut picture, schedule, &names);
    picture
}

/// Draws the legend of batches, in rows no wider than the graph or a page.
fn legend(picture: &mut Picture, schedule: &Schedule, names: &[String]) {
    let [left, _, right, bottom] = picture.bounds();
    let right = right.max(left + 640);
    let (mut x, mut y) = (left, bottom + 16 + FONT);
    let title = "batches: ";
    picture.text((x, y), "start", title);
    x += width(title);
    for (number, batch) in schedule.batches().iter().enumerate() {
        let name = names.get(usize::from(batch.vertex_type)).map_or("?", |name| name);
        let text = format!("{number} {name} x{}", batch.range().len());
        let shape = PictureBox::around(vec![text], colour(number));
        let wide = shape.size.0;
        if x + wide > right {
            (x, y) = (left + width(title), y + LINE + 12);
        }
        picture.add(PictureBox { centre: (x + wide / 2, y - 4), aside: true, ..shape });
        x += wide + 6;
    }
}
