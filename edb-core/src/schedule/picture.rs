//! Pictures of schedules: the graph, a column for each batch.

use std::fmt::Write;

use super::signature::Signature;
use super::{Schedule, TypeGraph};

/// Fill colours, by type, in turn: those of ColorBrewer's Set3.
const COLOURS: [&str; 12] = [
    "#8dd3c7", "#ffffb3", "#bebada", "#fb8072", "#80b1d3", "#fdb462", "#b3de69", "#fccde5",
    "#d9d9d9", "#bc80bd", "#ccebc5", "#ffed6f",
];

/// Half the height and width of a vertex in SVG, and the distance between vertices.
const RADIUS: usize = 14;
const STEP: usize = 46;
const WIDTH: usize = 84;
const TOP: usize = 44;

fn colour(vertex_type: u16) -> &'static str {
    COLOURS[usize::from(vertex_type) % COLOURS.len()]
}

/// A name within quotes or tags of either format.
fn escaped(name: &str) -> String {
    let escape = |c: char| match c {
        '"' => "&quot;".into(),
        '<' => "&lt;".into(),
        '>' => "&gt;".into(),
        '&' => "&amp;".into(),
        '\\' => "&#92;".into(),
        c if c.is_control() => " ".into(),
        c => c.to_string(),
    };
    name.chars().map(escape).collect()
}

impl Schedule {
    /// The schedule over its graph for Graphviz: `dot -Tsvg`. Each batch is a box, in the order in
    /// which they run, and edges lead from children to parents.
    pub fn to_dot(&self, graph: &TypeGraph, types: &Signature) -> String {
        let mut text = String::from(
            "digraph schedule {\n  rankdir=LR; newrank=true;\n  \
             node [shape=circle, style=filled, fontname=Helvetica];\n",
        );
        // Writing to a string does not fail.
        for (number, batch) in self.batches().iter().enumerate() {
            let name = escaped(&types.name(batch.vertex_type));
            let _ = writeln!(text, "  subgraph cluster_{number} {{ label=\"{number} {name}\";");
            for &vertex in self.vertices(batch) {
                let fill = colour(batch.vertex_type);
                let _ = writeln!(text, "    v{vertex} [label=\"{vertex}\", fillcolor=\"{fill}\"];");
            }
            text.push_str("  }\n");
        }
        for &vertex in self.order().iter().filter(|&&vertex| (vertex as usize) < graph.len()) {
            for child in graph.children(vertex) {
                let _ = writeln!(text, "  v{child} -> v{vertex};");
            }
        }
        text.push_str("}\n");
        text
    }

    /// The same as an SVG, which needs no Graphviz: each batch is a column.
    pub fn to_svg(&self, graph: &TypeGraph, types: &Signature) -> String {
        let tallest = self.batches().iter().map(|batch| batch.range().len()).max().unwrap_or(0);
        let (width, height) = (self.len() * WIDTH, TOP + tallest * STEP);
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" font-family=\"Helvetica, sans-serif\" \
             font-size=\"11\" text-anchor=\"middle\">\n"
        );
        let mut places = vec![None; graph.len()];
        for (column, batch) in self.batches().iter().enumerate() {
            for (row, &vertex) in self.vertices(batch).iter().enumerate() {
                let place = (column * WIDTH + WIDTH / 2, TOP + row * STEP + STEP / 2);
                if let Some(slot) = places.get_mut(vertex as usize) {
                    *slot = Some(place);
                }
            }
        }
        let place = |vertex: u32| places.get(vertex as usize).copied().flatten();
        // Edges first, so that vertices lie upon them.
        for vertex in 0..graph.len() as u32 {
            for &child in graph.children(vertex) {
                if let (Some((x, y)), Some((to_x, to_y))) = (place(child), place(vertex)) {
                    let _ = writeln!(
                        text,
                        "<line x1=\"{x}\" y1=\"{y}\" x2=\"{to_x}\" y2=\"{to_y}\" stroke=\"#999\"/>"
                    );
                }
            }
        }
        for (column, batch) in self.batches().iter().enumerate() {
            let (left, middle) = (column * WIDTH + 8, column * WIDTH + WIDTH / 2);
            let tall = batch.range().len() * STEP;
            let (name, wide) = (escaped(&types.name(batch.vertex_type)), WIDTH - 16);
            let _ = writeln!(
                text,
                "<rect x=\"{left}\" y=\"{TOP}\" width=\"{wide}\" height=\"{tall}\" rx=\"8\" \
                 fill=\"none\" stroke=\"#c33\"/>\n<text x=\"{middle}\" y=\"18\">{column}</text>\n\
                 <text x=\"{middle}\" y=\"34\">{name}</text>"
            );
            for &vertex in self.vertices(batch) {
                let Some((x, y)) = place(vertex) else { continue };
                let (fill, label) = (colour(batch.vertex_type), y + 4);
                let _ = writeln!(
                    text,
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\" fill=\"{fill}\" \
                     stroke=\"#333\"/><text x=\"{x}\" y=\"{label}\">{vertex}</text>"
                );
            }
        }
        text.push_str("</svg>\n");
        text
    }
}
