//! Pictures of graphs and their schedules, of vertex programs, of record layouts, and of training runs.
//!
//! | picture | shows |
//! | --- | --- |
//! | [`graph()`] | an input graph, its vertices coloured by the batch that runs them |
//! | [`timeline()`] | a schedule, batch by batch, one row for each vertex type |
//! | [`machine()`] | a learned machine: its measures, and what it does in which state |
//! | [`program()`] | the program of a vertex function: values by phase, products by group |
//! | [`layout()`] | the record layout: PQ-trees, and the operands that they make contiguous |
//! | [`curves()`] | what training runs have logged, step by step |
//!
//! Each is a [`Picture`], which is written as SVG or for Graphviz.
//!
//! ```
//! # mod edb { pub use edb_schedule as schedule; }
//! use edb::schedule::{Policy, Signature, TypeGraph};
//!
//! // Two words, and a phrase that reads them.
//! let graph = TypeGraph::new(2, vec![0, 0, 1], vec![0, 0, 0, 2], vec![0, 1])?;
//! let schedule = Policy::Heuristic.schedule(&graph);
//! let picture = edb_picture::graph(&graph, &schedule, &Signature::new(["word", "phrase"]));
//! assert!(picture.to_svg().starts_with("<svg"));
//! assert!(picture.to_dot().starts_with("digraph"));
//! # Ok::<(), edb::schedule::ScheduleError>(())
//! ```

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod curves;
mod graph;
mod layers;
mod layout;
mod machine;
mod program;
mod timeline;

#[cfg(test)]
mod tests;

use std::fmt::Write;

pub use curves::curves;
pub use graph::graph;
pub use layout::layout;
pub use machine::machine;
pub use program::program;
pub use timeline::timeline;

/// The size of all text, in pixels. The font is monospaced, so that boxes can be made as wide as
/// their text.
const FONT: i32 = 11;
const LINE: i32 = 14;
const MARGIN: i32 = 10;

/// Fill colours, in turn: those of ColorBrewer's Set3.
const COLOURS: [&str; 12] = [
    "#8dd3c7", "#ffffb3", "#bebada", "#fb8072", "#80b1d3", "#fdb462", "#b3de69", "#fccde5",
    "#d9d9d9", "#bc80bd", "#ccebc5", "#ffed6f",
];

/// The colour of a number (of a batch or a group, for example).
fn colour(number: usize) -> &'static str {
    COLOURS[number % COLOURS.len()]
}

/// How wide a line of text is.
fn width(text: &str) -> i32 {
    // A character is 0.602 of the font size wide, which some renderers round up to whole pixels.
    text.chars().count() as i32 * 7
}

/// Boxes with text in them, lines between them and frames around them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    name: String,
    frames: Vec<Frame>,
    shapes: Vec<PictureBox>,
    edges: Vec<Edge>,
    texts: Vec<Text>,
    bars: Vec<Bar>,
    curves: Vec<Curve>,
}

/// A frame around some shapes, with a title at its top.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Frame {
    title: String,
    /// Left, top, width and height.
    area: [i32; 4],
}

/// A box, with more or less rounded corners.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct PictureBox {
    centre: (i32, i32),
    /// Width and height.
    size: (i32, i32),
    /// The radius of the corners, in addition to 3.
    round: i32,
    lines: Vec<String>,
    /// The tooltip; in Graphviz the label, if there are no lines.
    tip: String,
    fill: &'static str,
    dashed: bool,
    frame: Option<usize>,
    /// Whether it is beside the picture (a legend), and left out for Graphviz.
    aside: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Edge {
    from: usize,
    to: usize,
    /// Points that it passes.
    through: Vec<(i32, i32)>,
    /// Whether the edge only orders shapes: it is not drawn, but passed to Graphviz.
    hidden: bool,
}

/// A line of text beside the shapes, which is left out for Graphviz.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Text {
    /// Where the text begins or ends, or its middle, as `anchor` says; and its baseline.
    place: (i32, i32),
    anchor: &'static str,
    text: String,
}

/// A bracket below shapes, which is left out for Graphviz.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bar {
    from: i32,
    to: i32,
    y: i32,
    dashed: bool,
}

/// A line of any form within a frame, which is left out for Graphviz.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Curve {
    /// The path of SVG.
    path: String,
    colour: &'static str,
}

impl PictureBox {
    /// A box around these lines.
    fn around(lines: Vec<String>, fill: &'static str) -> Self {
        let wide = lines.iter().map(|line| width(line)).max().unwrap_or(0) + 12;
        let tall = lines.len() as i32 * LINE + 8;
        Self { size: (wide, tall), lines, fill, ..Self::default() }
    }
}

impl Picture {
    fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// Adds a shape; returns its number.
    fn add(&mut self, shape: PictureBox) -> usize {
        self.shapes.push(shape);
        self.shapes.len() - 1
    }

    fn connect(&mut self, from: usize, to: usize, through: Vec<(i32, i32)>) {
        self.edges.push(Edge { from, to, through, hidden: false });
    }

    fn text(&mut self, place: (i32, i32), anchor: &'static str, text: impl Into<String>) {
        self.texts.push(Text { place, anchor, text: text.into() });
    }

    /// The bounding box of the picture: left, top, right and bottom.
    fn bounds(&self) -> [i32; 4] {
        let shapes = self.shapes.iter().map(|shape| {
            let ((x, y), (w, h)) = (shape.centre, shape.size);
            [x - w / 2, y - h / 2, x + (w + 1) / 2, y + (h + 1) / 2]
        });
        let frames = self.frames.iter().map(|frame| {
            let [x, y, w, h] = frame.area;
            [x, y, x + w.max(width(&frame.title) + 16), y + h]
        });
        let texts = self.texts.iter().map(|text| {
            let ((x, y), wide) = (text.place, width(&text.text));
            let left = match text.anchor {
                "start" => x,
                "end" => x - wide,
                _ => x - wide / 2,
            };
            [left, y - FONT, left + wide, y + 3]
        });
        let bars = self.bars.iter().map(|bar| [bar.from, bar.y - 4, bar.to, bar.y + 1]);
        let all = shapes.chain(frames).chain(texts).chain(bars);
        let union = |a: [i32; 4], b: [i32; 4]| {
            [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]
        };
        all.reduce(union).unwrap_or_default()
    }

    /// The picture as SVG, for browsers and web pages.
    pub fn to_svg(&self) -> String {
        let [left, top, right, bottom] = self.bounds();
        let (wide, tall) = (right - left + 2 * MARGIN, bottom - top + 2 * MARGIN);
        let (left, top) = (left - MARGIN, top - MARGIN);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left} {top} {wide} {tall}\" \
             width=\"{wide}\" height=\"{tall}\" font-family=\"DejaVu Sans Mono, Menlo, Courier New, \
             monospace\" font-size=\"{FONT}\" text-anchor=\"middle\">\n\
             <rect x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{tall}\" fill=\"white\"/>\n"
        );
        let mut line = |part: std::fmt::Arguments<'_>| {
            svg.write_fmt(part).and_then(|()| svg.write_char('\n')).expect("text takes text");
        };
        for Frame { title, area: [x, y, w, h] } in &self.frames {
            let (title, text_x, text_y) = (escaped(title), x + 8, y + LINE);
            line(format_args!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"6\" fill=\"#f7f7f7\" \
                 stroke=\"#bbb\"/>\n<text x=\"{text_x}\" y=\"{text_y}\" text-anchor=\"start\" \
                 fill=\"#555\">{title}</text>"
            ));
        }
        // Edges before shapes, so that shapes are drawn over them.
        for edge in self.edges.iter().filter(|edge| !edge.hidden) {
            let [from, to] = [&self.shapes[edge.from], &self.shapes[edge.to]];
            let down = if from.centre.1 <= to.centre.1 { 1 } else { -1 };
            let (x, y) = (from.centre.0, from.centre.1 + down * from.size.1 / 2);
            let (to_x, to_y) = (to.centre.0, to.centre.1 - down * to.size.1 / 2);
            let mut path = format!("M{x} {y}");
            let (mut x, mut y) = (x, y);
            // Vertical through a layer, so that no edge goes behind a corner of a shape in it.
            let upright = |&(x, y): &(i32, i32)| [(x, y - 18 * down), (x, y + 18 * down)];
            for (to_x, to_y) in edge.through.iter().flat_map(upright).chain([(to_x, to_y)]) {
                let middle = (y + to_y) / 2;
                path += &format!("C{x} {middle} {to_x} {middle} {to_x} {to_y}");
                (x, y) = (to_x, to_y);
            }
            line(format_args!("<path d=\"{path}\" fill=\"none\" stroke=\"#888\"/>"));
        }
        for PictureBox { centre: (x, y), size: (w, h), round, lines, tip, fill, dashed, .. } in
            &self.shapes
        {
            let (left, top, round) = (x - w / 2, y - h / 2, round + 3);
            let tip = if tip.is_empty() {
                String::new()
            } else {
                format!("<title>{}</title>", escaped(tip))
            };
            let dash = if *dashed { " stroke-dasharray=\"3 2\"" } else { "" };
            line(format_args!(
                "<rect x=\"{left}\" y=\"{top}\" width=\"{w}\" height=\"{h}\" rx=\"{round}\" \
                 fill=\"{fill}\" stroke=\"#444\"{dash}>{tip}</rect>"
            ));
            let first = y - lines.len() as i32 * LINE / 2 + FONT;
            for (number, text) in lines.iter().enumerate() {
                let (y, text) = (first + number as i32 * LINE, escaped(text));
                line(format_args!("<text x=\"{x}\" y=\"{y}\">{text}</text>"));
            }
        }
        for Text { place: (x, y), anchor, text } in &self.texts {
            let text = escaped(text);
            line(format_args!(
                "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" fill=\"#333\">{text}</text>"
            ));
        }
        for Bar { from, to, y, dashed } in &self.bars {
            let top = y - 4;
            let style = if *dashed { "#c33\" stroke-dasharray=\"3 2" } else { "#246" };
            line(format_args!(
                "<path d=\"M{from} {top}V{y}H{to}V{top}\" fill=\"none\" stroke=\"{style}\"/>"
            ));
        }
        for Curve { path, colour } in &self.curves {
            line(format_args!(
                "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" \
                 stroke-linecap=\"round\" stroke-linejoin=\"round\"/>"
            ));
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// The picture for Graphviz, which computes its own layout: `dot -Tsvg`.
    pub fn to_dot(&self) -> String {
        let mut dot = format!(
            "digraph \"{}\" {{\n  node [shape=box, style=\"filled,rounded\", fontname=monospace, \
             fontsize={FONT}];\n  graph [labeljust=l, fontname=monospace, fontsize={FONT}];\n",
            escaped(&self.name)
        );
        let mut line = |part: std::fmt::Arguments<'_>| {
            dot.write_fmt(part).and_then(|()| dot.write_char('\n')).expect("text takes text");
        };
        // Those in no frame, then those of each.
        let mut shapes_in: Vec<Vec<(usize, &PictureBox)>> = vec![Vec::new(); self.frames.len() + 1];
        for (number, shape) in self.shapes.iter().enumerate().filter(|(_, shape)| !shape.aside) {
            shapes_in[shape.frame.map_or(0, |frame| frame + 1)].push((number, shape));
        }
        let statement = |number: usize, shape: &PictureBox| {
            let lines = if shape.lines.is_empty() {
                std::slice::from_ref(&shape.tip)
            } else {
                &shape.lines
            };
            let lines: Vec<String> = lines.iter().map(|line| escaped(line)).collect();
            let dashed = if shape.dashed { ", style=\"filled,dashed\"" } else { "" };
            let (label, fill) = (lines.join("\\n"), shape.fill);
            format!("s{number} [label=\"{label}\", fillcolor=\"{fill}\"{dashed}];")
        };
        for (frame_number, frame) in self.frames.iter().enumerate() {
            let title = escaped(&frame.title);
            line(format_args!("  subgraph cluster_{frame_number} {{ label=\"{title}\";"));
            for &(number, shape) in &shapes_in[frame_number + 1] {
                line(format_args!("    {}", statement(number, shape)));
            }
            line(format_args!("  }}"));
        }
        for &(number, shape) in &shapes_in[0] {
            line(format_args!("  {}", statement(number, shape)));
        }
        for Edge { from, to, hidden, .. } in &self.edges {
            let style = if *hidden { " [style=invis]" } else { "" };
            line(format_args!("  s{from} -> s{to}{style};"));
        }
        dot.push_str("}\n");
        dot
    }
}

/// Escapes text for quotes and tags in either format.
fn escaped(text: &str) -> String {
    let escape = |c: char| match c {
        '"' => "&quot;".into(),
        '<' => "&lt;".into(),
        '>' => "&gt;".into(),
        '&' => "&amp;".into(),
        '\\' => "&#92;".into(),
        // Those are not allowed in XML.
        c if c.is_control() || ('\u{fffe}'..='\u{ffff}').contains(&c) => " ".into(),
        c => c.to_string(),
    };
    text.chars().map(escape).collect()
}
