//! Draws charts, with the feature `plots`.

use std::path::Path;

use fontdb::{Database, Family, Query};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};

use super::Result;
use super::chart::{Axis, Chart, Line, Scale};

/// The width of charts, and the heights of those with one line and with several, in pixels.
const WIDTH: u32 = 720;
const SMALL: u32 = 220;
const LARGE: u32 = 380;
/// No more labels than this fit below a chart.
const MOST_LABELS: usize = 12;
/// The colours of lines.
const COLOURS: [RGBColor; 4] =
    [BLUE, RGBColor(200, 60, 30), RGBColor(30, 140, 70), RGBColor(120, 120, 120)];

/// The formats of plots.
#[derive(Clone, Copy, Debug)]
pub enum Format {
    Svg,
    Png,
}

/// The format of a file, by the extension of its name.
pub fn format(path: &Path) -> Result<Format> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("svg") => Ok(Format::Svg),
        Some("png") => Ok(Format::Png),
        _ => Err(format!("{}: a plot is an .svg or a .png", path.display()).into()),
    }
}

/// Draws charts, one below the other.
pub fn charts(path: &Path, charts: &[Chart]) -> Result<()> {
    register_any_font()?;
    let height: u32 = charts.iter().map(height).sum();
    let size = (WIDTH, height.max(SMALL));
    match format(path)? {
        Format::Svg => draw(SVGBackend::new(path, size).into_drawing_area(), charts),
        Format::Png => draw(BitMapBackend::new(path, size).into_drawing_area(), charts),
    }
}

/// The height of a chart: a legend needs room.
fn height(chart: &Chart) -> u32 {
    if chart.lines.len() > 1 { LARGE } else { SMALL }
}

fn draw<B: DrawingBackend>(area: DrawingArea<B, Shift>, charts: &[Chart]) -> Result<()>
where
    B::ErrorType: 'static,
{
    area.fill(&WHITE)?;
    let mut rest = area.clone();
    for chart in charts {
        let (above, below) = rest.split_vertically(height(chart));
        draw_chart(&above, chart)?;
        rest = below;
    }
    area.present()?;
    Ok(())
}

/// Draws a chart; nothing if it has no point.
fn draw_chart<B: DrawingBackend>(area: &DrawingArea<B, Shift>, chart: &Chart) -> Result<()>
where
    B::ErrorType: 'static,
{
    let Chart { title, x, y, lines } = chart;
    let place = |line: &Line| {
        let places = line.points.iter().map(|(a, b)| (x.scale.place(*a), y.scale.place(*b)));
        places.filter(|(a, b)| a.is_finite() && b.is_finite()).collect::<Vec<_>>()
    };
    let placed: Vec<Vec<(f64, f64)>> = lines.iter().map(place).collect();
    let all = || placed.iter().flatten();
    let (left, right) = ends(all().map(|point| point.0));
    let (low, high) = ends(all().map(|point| point.1));
    if left > right {
        return Ok(());
    }
    // A flat curve needs some height, too, and a single point some width.
    let room = ((high - low) * 0.08).max(high.abs().max(1e-6) * 1e-3);
    let right = if left < right { right } else { left + 1.0 };
    let beside = if x.whole { 0.0 } else { (right - left) * 0.02 };
    let mut context = ChartBuilder::on(area);
    let named = u32::from(!y.name.is_empty());
    let mut context = context
        .margin(10)
        .margin_right(24)
        .caption(title, ("sans-serif", 16))
        .x_label_area_size(32)
        .y_label_area_size(56 + 18 * named)
        .build_cartesian_2d(left - beside..right + beside, low - room..high + room)?;
    let labels = if x.whole { (right - left) as usize + 1 } else { MOST_LABELS };
    context
        .configure_mesh()
        .light_line_style(WHITE)
        .x_desc(&x.name)
        .y_desc(&y.name)
        .x_label_formatter(&|at| label(x, *at))
        .y_label_formatter(&|at| label(y, *at))
        .x_labels(labels.min(MOST_LABELS))
        .y_labels(6)
        .draw()?;
    for ((line, points), colour) in lines.iter().zip(placed).zip(COLOURS.iter().cycle()) {
        let drawn = LineSeries::new(points.clone(), colour.stroke_width(2));
        let drawn = context.draw_series(drawn)?;
        if lines.len() > 1 {
            let sample = |(a, b)| PathElement::new([(a, b), (a + 18, b)], colour.stroke_width(2));
            drawn.label(&line.name).legend(sample);
        }
        if line.marked {
            let marks = points.into_iter().map(|point| Circle::new(point, 3, colour.filled()));
            context.draw_series(marks)?;
        }
    }
    if lines.len() > 1 {
        let mut legend = context.configure_series_labels();
        legend.background_style(WHITE.mix(0.8)).border_style(BLACK.mix(0.3));
        legend.position(SeriesLabelPosition::MiddleRight).draw()?;
    }
    Ok(())
}

/// The least and the greatest number.
fn ends(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let none = (f64::INFINITY, f64::NEG_INFINITY);
    numbers.fold(none, |(low, high), number| (low.min(number), high.max(number)))
}

/// The label at a place of an axis.
fn label(axis: &Axis, place: f64) -> String {
    let number = axis.scale.number(place);
    match axis.scale {
        _ if axis.whole => format!("{number:.0}"),
        Scale::Decades => format!("{number:.0e}"),
        // Between powers of two there are no round numbers.
        Scale::Doubling if (place - place.round()).abs() > 1e-6 => String::new(),
        // Without what binary fractions leave behind the last digit that counts.
        // Adding zero makes zero of what was below it.
        _ => format!("{}", (number * 1e6).round() / 1e6 + 0.0),
    }
}

/// Registers a system font with plotters, which has none.
fn register_any_font() -> Result<()> {
    let mut fonts = Database::new();
    fonts.load_system_fonts();
    let families = ["DejaVu Sans", "Liberation Sans", "Arial", "Helvetica"].map(Family::Name);
    let wanted = fonts.query(&Query { families: &families, ..Query::default() });
    let found = wanted.or_else(|| fonts.faces().next().map(|face| face.id));
    let bytes = found.and_then(|id| fonts.with_face_data(id, |bytes, _| bytes.to_vec()));
    let bytes = bytes.ok_or("there is no font on this system to label a plot with")?;
    // plotters keeps fonts until the program ends, so the bytes are leaked.
    register_font("sans-serif", FontStyle::Normal, bytes.leak())
        .map_err(|_| "the font of this system is none that plotters can read".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeing::Seeing;

    #[test]
    fn labels_are_round() {
        let of = |scale, place| label(&Axis { scale, ..Axis::default() }, place);
        let labels = [-1e-9, 0.1 + 0.2].map(|place| of(Scale::Linear, place));
        assert_eq!(labels, ["0", "0.3"]);
        let labels = [3.0, 2.5].map(|place| of(Scale::Doubling, place));
        assert_eq!(labels, ["8", ""]);
        assert_eq!(of(Scale::Decades, -4.0), "1e-4");
    }

    #[test]
    fn several_lines_are_drawn_with_a_legend_and_none_without_points() -> Result<()> {
        let line = |name: &str, points: &[(f64, f64)]| Line {
            name: name.to_owned(),
            points: points.to_vec(),
            marked: true,
        };
        let y = Axis { scale: Scale::Decades, ..Axis::default() };
        let lines = vec![line("first", &[(0.0, 1e-3), (1.0, 0.0), (2.0, 1e2)]), line("none", &[])];
        let chart = Chart { y, lines, ..Chart::default() };
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("chart.svg");
        charts(&path, &[chart, Chart::default()])?;
        let drawn = std::fs::read_to_string(&path)?;
        assert!(drawn.contains("first") && drawn.matches("<circle").count() == 2);
        Ok(())
    }

    #[test]
    fn curves_are_drawn_in_both_formats() -> Result<()> {
        let folder = tempfile::tempdir()?;
        for name in ["curve.svg", "curve.png"] {
            let path = folder.path().join(name);
            let mut seeing = Seeing::new(Some(&path), None)?;
            for epoch in 0..5 {
                seeing.step()?;
                let loss = 1.0 / f64::from(epoch + 1);
                seeing.epoch([("loss", loss), ("accuracy", 1.0 - loss), ("level", 2.0)]);
            }
            seeing.epoch([("loss", f64::NAN)]);
            seeing.finish()?;
            let bytes = std::fs::read(&path)?;
            let begins = if name.ends_with("svg") { &b"<svg"[..] } else { &b"\x89PNG"[..] };
            assert!(bytes.starts_with(begins) && bytes.len() > 2000);
        }
        let refused = Seeing::new(Some(Path::new("curve.pdf")), None).err();
        let refused = refused.map(|error| error.to_string());
        assert_eq!(refused.as_deref(), Some("curve.pdf: a plot is an .svg or a .png"));
        Ok(())
    }
}
