//! Plots the curves of a training run, with the feature `plots`.

use std::path::Path;

use fontdb::{Database, Family, Query};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};

use super::Result;

/// The size of the chart of one measure, in pixels.
const CHART: (u32, u32) = (720, 220);

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

/// Draws a chart for each measure, one below the other.
pub fn curves(path: &Path, curves: &[(String, Vec<f64>)]) -> Result<()> {
    register_any_font()?;
    let size = (CHART.0, CHART.1 * curves.len().max(1) as u32);
    match format(path)? {
        Format::Svg => draw(SVGBackend::new(path, size).into_drawing_area(), curves),
        Format::Png => draw(BitMapBackend::new(path, size).into_drawing_area(), curves),
    }
}

fn draw<B: DrawingBackend>(area: DrawingArea<B, Shift>, curves: &[(String, Vec<f64>)]) -> Result<()>
where
    B::ErrorType: 'static,
{
    area.fill(&WHITE)?;
    for (area, (name, curve)) in area.split_evenly((curves.len().max(1), 1)).iter().zip(curves) {
        let finite = || curve.iter().copied().filter(|value| value.is_finite());
        let (low, high) =
            (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
        if low > high {
            continue;
        }
        // A flat curve needs some height, too.
        let room = ((high - low) * 0.08).max(high.abs().max(1e-6) * 1e-3);
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .caption(name, ("sans-serif", 16))
            .x_label_area_size(28)
            .y_label_area_size(56)
            .build_cartesian_2d(1.0..curve.len().max(2) as f64, low - room..high + room)?;
        chart
            .configure_mesh()
            .light_line_style(WHITE)
            .x_desc("epoch")
            .x_label_formatter(&|epoch| format!("{epoch:.0}"))
            .x_labels(curve.len().min(12))
            .y_labels(6)
            .draw()?;
        let points = (1..).zip(curve).map(|(epoch, value)| (f64::from(epoch), *value));
        let points: Vec<(f64, f64)> = points.filter(|point| point.1.is_finite()).collect();
        chart.draw_series(LineSeries::new(points.clone(), BLUE.stroke_width(2)))?;
        chart.draw_series(points.into_iter().map(|point| Circle::new(point, 3, BLUE.filled())))?;
    }
    area.present()?;
    Ok(())
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
