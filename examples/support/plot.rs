//! Draws charts, with the feature `plots`.

use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

use fontdb::{Database, Family, Query};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};

use super::Result;
use super::chart::{Axis, Chart, Look, Picture, Scale, Series};

/// The least width of charts, and the heights of those without a legend and with one, in pixels.
const WIDTH: u32 = 720;
const SMALL: u32 = 220;
const LARGE: u32 = 380;
/// The height of the title above all charts.
const TITLE: u32 = 40;
/// The width of the labels of a vertical axis.
const LABELS: u32 = 60;
/// The height of a line of the legend, and the length of a sample in it.
const ENTRY: u32 = 20;
const SAMPLE: i32 = 18;
/// About so many labels fit beside an axis.
const MOST_LABELS: usize = 12;
const FEW_LABELS: usize = 6;
/// The part of a group's width that its bars take.
const FILLED: f64 = 0.84;
/// The colours of series.
const COLOURS: [RGBColor; 10] = [
    BLUE,
    RGBColor(200, 60, 30),
    RGBColor(30, 140, 70),
    RGBColor(120, 120, 120),
    RGBColor(230, 160, 30),
    RGBColor(130, 80, 190),
    RGBColor(70, 170, 220),
    RGBColor(220, 120, 170),
    RGBColor(120, 85, 50),
    BLACK,
];

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
    picture(path, &Picture { title: String::new(), columns: 1, charts: charts.to_vec() })
}

/// Draws a picture, row by row.
pub fn picture(path: &Path, picture: &Picture) -> Result<()> {
    register_any_font()?;
    let mut panels = Vec::new();
    for chart in &picture.charts {
        panels.push(Panel::new(chart)?);
    }
    let width = panels.iter().map(|panel| panel.width).max().unwrap_or(WIDTH);
    let columns = picture.columns.max(1);
    let rows: Vec<&[Panel<'_>]> = panels.chunks(columns).collect();
    let above = if picture.title.is_empty() { 0 } else { TITLE };
    let height = above + rows.iter().map(|row| highest(row)).sum::<u32>();
    let size = (width * columns.min(panels.len().max(1)) as u32, height.max(SMALL));
    match format(path)? {
        Format::Svg => draw(SVGBackend::new(path, size).into_drawing_area(), picture, &rows, width),
        Format::Png => {
            draw(BitMapBackend::new(path, size).into_drawing_area(), picture, &rows, width)
        }
    }
}

fn draw<B: DrawingBackend>(
    area: DrawingArea<B, Shift>,
    Picture { title, .. }: &Picture,
    rows: &[&[Panel<'_>]],
    width: u32,
) -> Result<()>
where
    B::ErrorType: 'static,
{
    area.fill(&WHITE)?;
    let mut rest = match title.is_empty() {
        true => area.clone(),
        false => area.margin(8, 0, 0, 0).titled(title, ("sans-serif", 18))?,
    };
    for row in rows {
        let (mut above, below) = rest.split_vertically(highest(row));
        for panel in *row {
            let (left, right) = above.split_horizontally(width);
            panel.draw(&left)?;
            above = right;
        }
        rest = below;
    }
    area.present()?;
    Ok(())
}

fn highest(row: &[Panel<'_>]) -> u32 {
    row.iter().map(|panel| panel.height).max().unwrap_or(0)
}

/// A series where it is drawn: its points, each with where its bar begins.
struct Placed<'a> {
    series: &'a Series,
    colour: RGBColor,
    points: Vec<((f64, f64), f64)>,
}

/// A chart with what is known of it before it is drawn.
struct Panel<'a> {
    chart: &'a Chart,
    series: Vec<Placed<'a>>,
    width: u32,
    height: u32,
    /// The width of the legend.
    legend: u32,
}

impl<'a> Panel<'a> {
    fn new(chart: &'a Chart) -> Result<Self> {
        let series = placed(chart);
        let named = || series.iter().filter(|one| one.is_named());
        let mut legend = 0;
        for one in named() {
            legend = legend.max(text_width(&one.series.name, 13)? + SAMPLE as u32 + 24);
        }
        let mut group = 0;
        for name in &chart.x.groups {
            group = group.max(text_width(name, 12)? + 12);
        }
        let groups = LABELS + 60 + group * chart.x.groups.len() as u32;
        let width = WIDTH.max(groups + legend).max(text_width(&chart.title, 16)? + 40);
        let least = if legend > 0 { LARGE } else { SMALL };
        let height = least.max(ENTRY * named().count() as u32 + 60);
        Ok(Self { chart, series, width, height, legend })
    }

    /// Draws a chart; its title alone if it has no point.
    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<()>
    where
        B::ErrorType: 'static,
    {
        let Chart { title, x, y, .. } = self.chart;
        let points = || self.series.iter().flat_map(|one| &one.points);
        let (left, right) = ends(points().map(|((x, _), _)| *x));
        if left > right {
            area.titled(title, ("sans-serif", 16))?;
            return Ok(());
        }
        let across = match x.groups.len() {
            0 => {
                // A single point has some width, too.
                let beside = match left < right {
                    false => 0.5,
                    true if x.whole => 0.0,
                    true => (right - left) * 0.02,
                };
                left - beside..right + beside
            }
            groups => -0.5..groups as f64 - 0.5,
        };
        let up = self.heights();
        let (area, legend) = area.split_horizontally(area.dim_in_pixel().0 - self.legend);
        let mut context = ChartBuilder::on(&area);
        let named = u32::from(!y.name.is_empty());
        let mut context = context
            .margin(10)
            .margin_right(24)
            .caption(title, ("sans-serif", 16))
            .x_label_area_size(if x.name.is_empty() { 24 } else { 36 })
            .y_label_area_size(LABELS + 18 * named)
            .build_cartesian_2d(
                Ticked::new(x, across, MOST_LABELS),
                Ticked::new(y, up.clone(), FEW_LABELS),
            )?;
        context
            .configure_mesh()
            .light_line_style(WHITE)
            .x_desc(&x.name)
            .y_desc(&y.name)
            .x_label_formatter(&|at| label(x, *at))
            .y_label_formatter(&|at| label(y, *at))
            .draw()?;
        let is_bars = |one: &&Placed<'_>| one.series.look == Look::Bars && !one.points.is_empty();
        let beside = self.series.iter().filter(is_bars).count();
        let mut bars_drawn = 0;
        for one in self.series.iter().filter(|one| !one.points.is_empty()) {
            if one.series.look == Look::Bars {
                let (number, beside) =
                    if self.chart.stacked { (0, 1) } else { (bars_drawn, beside) };
                bars_drawn += 1;
                context.draw_series(one.bars(number, beside, up.start))?;
                continue;
            }
            let points = one.points.iter().map(|(point, _)| *point);
            context.draw_series(LineSeries::new(points.clone(), one.colour.stroke_width(2)))?;
            if one.series.look == Look::Marked {
                context.draw_series(points.map(|at| Circle::new(at, 3, one.colour.filled())))?;
            }
        }
        self.draw_legend(&legend)
    }

    /// The range of the vertical axis.
    fn heights(&self) -> Range<f64> {
        let points = || self.series.iter().flat_map(|one| &one.points);
        let (low, high) = ends(points().map(|((_, y), _)| *y));
        // A flat curve needs some height, too.
        let room = ((high - low) * 0.08).max(high.abs().max(1e-6) * 1e-3);
        let has_bars = self.series.iter().any(|one| one.series.look == Look::Bars);
        match (has_bars, self.chart.y.scale) {
            (false, _) => low - room..high + room,
            // The lengths of bars can be compared if they begin at zero.
            (true, Scale::Linear) => {
                let at = |end: f64, room: f64| if end == 0.0 { 0.0 } else { end + room };
                let range = at(low.min(0.0), -room)..at(high.max(0.0), room);
                if range.start < range.end { range } else { 0.0..1.0 }
            }
            // Where there is no zero, the lowest bar has some length.
            (true, _) => low - room.max(0.3)..high + room,
        }
    }

    fn draw_legend<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<()>
    where
        B::ErrorType: 'static,
    {
        let named = self.series.iter().filter(|one| one.is_named());
        let style = ("sans-serif", 13).into_text_style(area);
        let style = style.pos(Pos::new(HPos::Left, VPos::Center));
        for (one, number) in named.zip(0..) {
            let height = 46 + ENTRY as i32 * number;
            match one.series.look {
                Look::Bars => {
                    let sample = [(0, height - 6), (SAMPLE, height + 6)];
                    area.draw(&Rectangle::new(sample, one.colour.filled()))?;
                }
                Look::Line | Look::Marked => {
                    let sample = [(0, height), (SAMPLE, height)];
                    area.draw(&PathElement::new(sample, one.colour.stroke_width(2)))?;
                }
            }
            if one.series.look == Look::Marked {
                area.draw(&Circle::new((SAMPLE / 2, height), 3, one.colour.filled()))?;
            }
            area.draw(&Text::new(one.series.name.as_str(), (SAMPLE + 6, height), style.clone()))?;
        }
        Ok(())
    }
}

impl Placed<'_> {
    /// Whether the legend has it.
    fn is_named(&self) -> bool {
        !self.series.name.is_empty() && !self.points.is_empty()
    }

    /// The bars of a series by its number among those that are side by side.
    fn bars(
        &self,
        number: usize,
        beside: usize,
        base: f64,
    ) -> impl Iterator<Item = Rectangle<(f64, f64)>> {
        let width = FILLED / beside as f64;
        let first = number as f64 * width - FILLED / 2.0;
        self.points.iter().map(move |((x, y), from)| {
            let left = x + first;
            let corners = [(left, from.max(base)), (left + width, *y)];
            Rectangle::new(corners, self.colour.filled())
        })
    }
}

/// Where series are on the axes of their chart, without points that are nowhere.
fn placed(chart: &Chart) -> Vec<Placed<'_>> {
    let mut tops = vec![0.0; chart.x.groups.len()];
    let mut all = Vec::new();
    for (series, colour) in chart.series.iter().zip(COLOURS.into_iter().cycle()) {
        let places = series.points.iter().map(|(x, y)| {
            let place = (chart.x.scale.place(*x), chart.y.scale.place(*y));
            // On an axis without zero, bars begin below everything.
            (place, if chart.y.scale == Scale::Linear { 0.0 } else { f64::NEG_INFINITY })
        });
        let mut points: Vec<_> =
            places.filter(|((x, y), _)| x.is_finite() && y.is_finite()).collect();
        if series.look == Look::Bars {
            points
                .retain(|((x, _), _)| x.fract() == 0.0 && *x >= 0.0 && (*x as usize) < tops.len());
            for ((x, y), from) in points.iter_mut().filter(|_| chart.stacked) {
                let top = &mut tops[*x as usize];
                (*from, *y) = (*top, *top + *y);
                *top = *y;
            }
        }
        all.push(Placed { series, colour, points });
    }
    all
}

/// The width of a text of this size, in pixels.
fn text_width(text: &str, size: u32) -> Result<u32> {
    let (width, _) = ("sans-serif", size).into_font().box_size(text)?;
    Ok(width)
}

/// The least and the greatest number.
fn ends(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let none = (f64::INFINITY, f64::NEG_INFINITY);
    numbers.fold(none, |(low, high), number| (low.min(number), high.max(number)))
}

/// A range of places, some of which are labelled.
struct Ticked {
    range: RangedCoordf64,
    ticks: Vec<f64>,
}

impl Ticked {
    fn new(axis: &Axis, range: Range<f64>, most: usize) -> Self {
        let ticks = ticks(axis, range.start, range.end, most);
        Self { range: range.into(), ticks }
    }
}

impl Ranged for Ticked {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, place: &f64, pixels: (i32, i32)) -> i32 {
        self.range.map(place, pixels)
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.range.range()
    }
}

/// The places of an axis that are labelled, from one to another.
fn ticks(axis: &Axis, low: f64, high: f64, most: usize) -> Vec<f64> {
    let places: Vec<f64> = match axis.scale {
        _ if !axis.groups.is_empty() => (0..axis.groups.len()).map(|group| group as f64).collect(),
        Scale::Linear => round(low, high, most, axis.whole),
        Scale::Doubling => round(low, high, most, true),
        // Few powers of ten: numbers between them, too.
        Scale::Decades if high - low < 1.0 => {
            let numbers = round(axis.scale.number(low), axis.scale.number(high), most, axis.whole);
            numbers.into_iter().map(|number| axis.scale.place(number)).collect()
        }
        Scale::Decades if high - low < 3.0 => {
            let decades = low.floor() as i32..=high.ceil() as i32;
            let numbers = decades.flat_map(|power| [1.0, 2.0, 5.0].map(|of| (power, of)));
            numbers.map(|(power, of): (i32, f64)| f64::from(power) + of.log10()).collect()
        }
        Scale::Decades => round(low, high, most, true),
    };
    places.into_iter().filter(|place| (low..=high).contains(place)).collect()
}

/// Round numbers from one to another, or whole ones: no more than about so many.
fn round(low: f64, high: f64, most: usize, whole: bool) -> Vec<f64> {
    let least = (high - low) / most as f64;
    if !least.is_normal() {
        return Vec::new();
    }
    let power = 10_f64.powf(least.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|of| of * power).into_iter().find(|step| *step >= least);
    let step = step.unwrap_or(10.0 * power).max(if whole { 1.0 } else { 0.0 });
    let first = (low / step).ceil();
    (0..=2 * most).map(|number| (first + number as f64) * step).filter(|at| *at <= high).collect()
}

/// The label at a place of an axis.
fn label(axis: &Axis, place: f64) -> String {
    if !axis.groups.is_empty() {
        return axis.groups.get(place.round() as usize).cloned().unwrap_or_default();
    }
    let number = axis.scale.number(place);
    match axis.scale {
        _ if axis.whole => format!("{number:.0}"),
        Scale::Decades if !(1e-3..1e6).contains(&(number * (1.0 + 1e-9))) => {
            format!("{number:.0e}")
        }
        // Without what binary fractions leave behind the last digit that counts.
        // Adding zero makes zero of what was below it.
        _ => format!("{}", (number * 1e6).round() / 1e6 + 0.0),
    }
}

/// Registers a system font with plotters, which has none, if that has not been done.
fn register_any_font() -> Result<()> {
    static OUTCOME: OnceLock<std::result::Result<(), &'static str>> = OnceLock::new();
    Ok((*OUTCOME.get_or_init(|| {
        let mut fonts = Database::new();
        fonts.load_system_fonts();
        let families = ["DejaVu Sans", "Liberation Sans", "Arial", "Helvetica"].map(Family::Name);
        let wanted = fonts.query(&Query { families: &families, ..Query::default() });
        let found = wanted.or_else(|| fonts.faces().next().map(|face| face.id));
        let bytes = found.and_then(|id| fonts.with_face_data(id, |bytes, _| bytes.to_vec()));
        let bytes = bytes.ok_or("there is no font on this system to label a plot with")?;
        // plotters keeps fonts until the program ends, so the bytes are leaked.
        register_font("sans-serif", FontStyle::Normal, bytes.leak())
            .map_err(|_| "the font of this system is none that plotters can read")
    }))?)
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
        assert_eq!(of(Scale::Doubling, 3.0), "8");
        assert_eq!([-4.0, -3.0, 2.0].map(|at| of(Scale::Decades, at)), ["1e-4", "0.001", "100"]);
        let groups = Axis { groups: vec!["words".to_owned()], ..Axis::default() };
        assert_eq!([0.0, 1.0].map(|at| label(&groups, at)), ["words", ""]);
    }

    #[test]
    fn what_is_labelled_is_round() {
        let of = |scale: Scale, low: f64, high: f64| {
            let axis = Axis { scale, ..Axis::default() };
            let (low, high) = (scale.place(low), scale.place(high));
            let ticks = ticks(&axis, low, high, FEW_LABELS).into_iter();
            ticks.map(|at| label(&axis, at)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of(Scale::Linear, 0.0, 1.0), "0 0.2 0.4 0.6 0.8 1");
        assert_eq!(of(Scale::Linear, -3.0, 41.0), "0 10 20 30 40");
        assert_eq!(of(Scale::Doubling, 0.9, 70.0), "1 4 16 64");
        assert_eq!(of(Scale::Decades, 290.0, 910.0), "400 600 800");
        assert_eq!(of(Scale::Decades, 0.9, 60.0), "1 2 5 10 20 50");
        assert_eq!(of(Scale::Decades, 1e-4, 1e7), "1e-4 0.01 1 100 10000 1e6");
        for (low, high) in [(0.0, 0.0), (f64::NAN, 1.0), (1.0, f64::INFINITY), (-1e308, 1e308)] {
            assert!(round(low, high, 6, false).is_empty(), "{low} {high}");
        }
    }

    fn series(name: &str, look: Look, points: &[(f64, f64)]) -> Series {
        Series { name: name.to_owned(), points: points.to_vec(), look }
    }

    fn drawn(picture: &Picture) -> Result<String> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("chart.svg");
        super::picture(&path, picture)?;
        Ok(std::fs::read_to_string(&path)?)
    }

    #[test]
    fn several_lines_are_drawn_with_a_legend_and_none_without_points() -> Result<()> {
        let y = Axis { scale: Scale::Decades, ..Axis::default() };
        let points = [(0.0, 1e-3), (1.0, 0.0), (2.0, 1e2)];
        let lines = vec![
            series("first", Look::Marked, &points),
            series("nowhere", Look::Line, &[(1.0, -1.0), (f64::NAN, 1.0)]),
        ];
        let empty = Chart { title: "nothing".to_owned(), ..Chart::default() };
        let charts = vec![Chart { y, series: lines, ..Chart::default() }, empty];
        let svg = drawn(&Picture { title: "both".to_owned(), columns: 2, charts })?;
        // Two points, and the sample in the legend.
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(["both", "first", "nothing"].iter().all(|text| svg.contains(text)), "{svg}");
        assert!(!svg.contains("nowhere"));
        Ok(())
    }

    /// The rectangles of a colour: their left and upper edges, widths and heights.
    fn rectangles(svg: &str, colour: RGBColor) -> Vec<[i32; 4]> {
        let fill = format!("fill=\"#{:02X}{:02X}{:02X}\"", colour.0, colour.1, colour.2);
        let of = |line: &str, name: &str| -> i32 {
            let value = line.split_once(&format!(" {name}=\"")).unwrap().1;
            value.split_once('"').unwrap().0.parse().unwrap()
        };
        let lines = svg.lines().filter(|line| line.starts_with("<rect") && line.contains(&fill));
        lines.map(|line| ["x", "y", "width", "height"].map(|name| of(line, name))).collect()
    }

    fn bars(stacked: bool, scale: Scale, heights: [&[f64]; 2]) -> Chart {
        let x = Axis { groups: ["a", "b", "c"].map(str::to_owned).into(), ..Axis::default() };
        let of = |name: &str, heights: &[f64]| {
            let points: Vec<_> = (0..).map(f64::from).zip(heights.iter().copied()).collect();
            series(name, Look::Bars, &points)
        };
        let series = vec![of("one", heights[0]), of("other", heights[1])];
        Chart { x, y: Axis { scale, ..Axis::default() }, series, stacked, ..Chart::default() }
    }

    #[test]
    fn bars_are_side_by_side_or_on_each_other() -> Result<()> {
        let of = |chart: Chart| -> Result<[Vec<[i32; 4]>; 2]> {
            let svg = drawn(&Picture { charts: vec![chart], ..Picture::default() })?;
            // The last is the sample in the legend.
            Ok([0, 1].map(|number| {
                let mut all = rectangles(&svg, COLOURS[number]);
                all.pop();
                all
            }))
        };
        let heights: [&[f64]; 2] = [&[1.0, 2.0, 4.0], &[3.0, 0.0, f64::NAN]];
        let [one, other] = of(bars(false, Scale::Linear, heights))?;
        assert_eq!((one.len(), other.len()), (3, 2));
        let [x, y, width, height] = one[0];
        assert!((one[2][3] - 4 * height).abs() <= 4 && (other[0][3] - 3 * height).abs() <= 3);
        assert!((other[0][0] - x - width).abs() <= 1, "side by side");
        assert_eq!(other[1][3], 0);

        let [one, other] = of(bars(true, Scale::Linear, heights))?;
        assert!(other[0][0] == one[0][0] && other[0][1] < one[0][1], "on each other");
        assert!((other[0][1] + other[0][3] - one[0][1]).abs() <= 1);
        assert!(y > 0);

        // Where there is no zero, what is zero has no bar, and the lowest has some height.
        let [one, other] = of(bars(false, Scale::Decades, heights))?;
        assert_eq!((one.len(), other.len()), (3, 1));
        assert!(one[0][3] > 10 && one[0][3] < one[1][3]);
        for nothing in [&[][..], &[0.0], &[0.0, 0.0, 0.0], &[f64::INFINITY, f64::NAN, -1.0]] {
            for scale in [Scale::Linear, Scale::Decades] {
                let chart = bars(false, scale, [nothing, nothing]);
                drawn(&Picture { charts: vec![chart], ..Picture::default() })?;
            }
        }
        // Beyond the groups there is nothing.
        let [one, _] = of(bars(false, Scale::Linear, [&[1.0; 9], &[1.0]]))?;
        assert_eq!(one.len(), 3);
        drawn(&Picture::default())?;
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
