//! The curves of training runs.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::RangeInclusive;

use crate::{Curve, FONT, Frame, LINE, Picture, PictureBox, width};

/// Colours of runs, in turn, which can be told apart by people who do not see all colours: those of Okabe and Ito
/// (2008).
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999"];
/// The size of a panel within its frame, in pixels, and the space around it, for numbers and the title.
const WIDE: i32 = 600;
const TALL: i32 = 150;
const LEFT: i32 = 80;
const RIGHT: i32 = 24;
const TOP: i32 = 26;
const BOTTOM: i32 = 22;
/// The distance from one frame to the next.
const APART: i32 = 12;

/// What training runs have logged: a panel for each name, over the steps, with a line for each run. Numbers that are
/// infinite or NaN interrupt a line. Of many points in one column of pixels, the least and the greatest are drawn, so
/// that a long run makes no large file. Without lines, the picture for Graphviz is empty.
///
/// A run is its name and what `RunFolder::curves` or `JsonLog::read` returns: for each name, the step and the number of
/// each point.
///
/// ```
/// use std::collections::BTreeMap;
///
/// let loss = |rate: f64| (1..=100).map(|step| (step, (-rate * step as f64).exp())).collect();
/// let slow = BTreeMap::from([("loss".to_owned(), loss(0.01))]);
/// let fast = BTreeMap::from([("loss".to_owned(), loss(0.1))]);
/// let picture = edb_picture::curves([("rate 0.01", &slow), ("rate 0.1", &fast)]);
/// assert!(picture.to_svg().contains(">rate 0.1<"));
/// ```
pub fn curves<'a>(
    runs: impl IntoIterator<Item = (&'a str, &'a BTreeMap<String, Vec<(u64, f64)>>)>,
) -> Picture {
    let runs: Vec<(&str, &BTreeMap<_, _>)> = runs.into_iter().collect();
    let mut picture = Picture::new("curves");
    let mut top = 0;
    if runs.len() > 1 {
        top = legend(&mut picture, runs.iter().map(|(name, _)| *name));
    }
    // All panels have the same steps, so that what happened at the same time is one above the other.
    let steps = || runs.iter().flat_map(|(_, curves)| curves.values().flatten());
    let Some(x) = Axis::over(steps().map(|(step, _)| *step as f64), LEFT..=LEFT + WIDE) else {
        return picture;
    };
    let names: BTreeSet<&String> = runs.iter().flat_map(|(_, curves)| curves.keys()).collect();
    for name in names {
        let curves = runs.iter().map(|(_, curves)| curves.get(name).map_or(&[][..], Vec::as_slice));
        panel(&mut picture, name, &curves.collect::<Vec<_>>(), (&x, top));
        top += TOP + TALL + BOTTOM + APART;
    }
    picture
}

/// Draws the names of the runs with their colours, in lines as wide as a panel; returns where the panels begin.
fn legend<'a>(picture: &mut Picture, names: impl Iterator<Item = &'a str>) -> i32 {
    let (mut x, mut y) = (0, 0);
    for (name, colour) in names.zip(COLOURS.iter().cycle()) {
        let wide = 18 + width(name) + 16;
        if x > 0 && x + wide > LEFT + WIDE + RIGHT {
            (x, y) = (0, y + LINE);
        }
        let (centre, size) = ((x + 6, y + LINE / 2), (12, 4));
        let mark = PictureBox { centre, size, fill: colour, aside: true, ..PictureBox::default() };
        picture.add(mark);
        picture.text((x + 18, y + LINE / 2 + FONT / 2 - 1), "start", name);
        x += wide;
    }
    y + LINE + APART
}

/// Draws the panel of a name, whose frame begins at `top`, with the curve of each run over the steps `x`.
fn panel(picture: &mut Picture, name: &str, curves: &[&[(u64, f64)]], (x, top): (&Axis, i32)) {
    let area = [0, top, LEFT + WIDE + RIGHT, TOP + TALL + BOTTOM];
    picture.frames.push(Frame { title: name.to_owned(), area });
    let numbers = curves.iter().copied().flatten().map(|(_, number)| *number);
    let (low, high) = (top + TOP + TALL, top + TOP);
    let Some(y) = Axis::over(numbers.filter(|number| number.is_finite()), low..=high) else {
        return;
    };
    for tick in x.ticks(6).filter(|tick| tick.fract() == 0.0) {
        let place = x.place(tick);
        let path = format!("M{place:.1} {low}V{high}");
        picture.curves.push(Curve { path, colour: "#ddd" });
        picture.text((place as i32, low + LINE), "middle", text(tick, x.step(6)));
    }
    for tick in y.ticks(4) {
        let place = y.place(tick);
        let path = format!("M{LEFT} {place:.1}H{}", LEFT + WIDE);
        picture.curves.push(Curve { path, colour: "#ddd" });
        let baseline = place as i32 + FONT / 2 - 1;
        picture.text((LEFT - 6, baseline), "end", text(tick, y.step(4)));
    }
    for (curve, colour) in curves.iter().zip(COLOURS.iter().cycle()) {
        let mut curve = Cow::Borrowed(*curve);
        if !curve.is_sorted_by_key(|(step, _)| *step) {
            curve.to_mut().sort_by_key(|(step, _)| *step);
        }
        let path = path(&curve, x, &y);
        if !path.is_empty() {
            picture.curves.push(Curve { path, colour });
        }
    }
}

/// The path of a curve, without a step where its number is not finite. Of the points in one column of pixels, at most
/// four are drawn: the first, the least, the greatest and the last; and of many points there, those that are not finite
/// are left out if others are.
fn path(curve: &[(u64, f64)], x: &Axis, y: &Axis) -> String {
    let column = |step: u64| x.place(step as f64).round();
    let is_finite = |point: &&(u64, f64)| point.1.is_finite();
    let mut path = String::new();
    let mut begins = true;
    for points in curve.chunk_by(|a, b| column(a.0) == column(b.0)) {
        let parts: Vec<Vec<(u64, f64)>> = match points.len() {
            0..=4 => points.split(|point| !is_finite(&point)).map(<[_]>::to_vec).collect(),
            _ => vec![points.iter().filter(is_finite).copied().collect()],
        };
        for (number, part) in parts.iter().enumerate() {
            begins |= number > 0 || part.is_empty();
            for (step, number) in drawn(part) {
                let command = if begins { 'M' } else { 'L' };
                let (x, y) = (x.place(step as f64), y.place(number));
                write!(path, "{command}{x:.1} {y:.1}").expect("text takes text");
                if begins {
                    // A line without a length is a point, since lines have round ends.
                    path.push_str("h0");
                }
                begins = false;
            }
        }
    }
    path
}

/// The first, the least, the greatest and the last of some points, in order.
fn drawn(points: &[(u64, f64)]) -> impl Iterator<Item = (u64, f64)> {
    let by_number = |a: &usize, b: &usize| points[*a].1.total_cmp(&points[*b].1);
    let least = (0..points.len()).min_by(by_number);
    let greatest = (0..points.len()).max_by(by_number);
    let mut drawn =
        [(!points.is_empty()).then_some(0), least, greatest, points.len().checked_sub(1)];
    drawn.sort_unstable();
    let mut before = None;
    drawn
        .into_iter()
        .flatten()
        .filter(move |place| before.replace(*place) != Some(*place))
        .map(|place| points[place])
}

/// A range of numbers, and the pixels that it takes.
struct Axis {
    numbers: RangeInclusive<f64>,
    pixels: RangeInclusive<i32>,
}

impl Axis {
    /// An axis over these numbers, which are finite; nothing if there are none.
    fn over(numbers: impl Iterator<Item = f64>, pixels: RangeInclusive<i32>) -> Option<Self> {
        let ends = numbers.map(|number| (number, number));
        let (least, greatest) = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
        // Where all numbers are the same, they lie in the middle.
        let beside = match least.abs().max(greatest.abs()) {
            _ if greatest / 2.0 - least / 2.0 > f64::MIN_POSITIVE => 0.0,
            0.0 => 1.0,
            size => size / 4.0 + f64::MIN_POSITIVE,
        };
        let numbers = (least - beside).max(f64::MIN)..=(greatest + beside).min(f64::MAX);
        Some(Self { numbers, pixels })
    }

    /// The length of the range, halved so that it is finite.
    fn half_length(&self) -> f64 {
        self.numbers.end() / 2.0 - self.numbers.start() / 2.0
    }

    /// Where a number is, in pixels.
    fn place(&self, number: f64) -> f64 {
        let part = (number / 2.0 - self.numbers.start() / 2.0) / self.half_length();
        let [start, end] = [self.pixels.start(), self.pixels.end()].map(|pixel| f64::from(*pixel));
        start + part * (end - start)
    }

    /// The distance of ticks, of which there are about `count`: 1, 2 or 5 times a power of ten.
    fn step(&self, count: i32) -> f64 {
        let least = self.half_length() / (f64::from(count) / 2.0);
        let power = 10_f64.powf(least.log10().floor());
        let steps = [1.0, 2.0, 5.0].map(|factor| factor * power);
        steps.into_iter().find(|step| *step >= least).unwrap_or(10.0 * power)
    }

    /// Numbers on the axis, at most `count` and one.
    fn ticks(&self, count: i32) -> impl Iterator<Item = f64> + use<> {
        let (step, end) = (self.step(count), *self.numbers.end());
        let first = (self.numbers.start() / step).ceil();
        (0..=count)
            .map(move |tick| (first + f64::from(tick)) * step)
            .filter(move |tick| *tick <= end)
    }
}

/// A number at a tick, with the digits that tell it from the next tick.
fn text(number: f64, step: f64) -> String {
    let last = step.log10().floor();
    let first = number.abs().log10().floor();
    if number == 0.0 && last < -5.0 {
        "0".to_owned()
    } else if number == 0.0 || (-4.0..7.0).contains(&first) && last > -6.0 {
        format!("{:.1$}", number + 0.0, (-last).max(0.0) as usize)
    } else {
        format!("{number:.0$e}", (first - last).clamp(0.0, 16.0) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(name: &str, points: &[(u64, f64)]) -> BTreeMap<String, Vec<(u64, f64)>> {
        BTreeMap::from([(name.to_owned(), points.to_vec())])
    }

    /// The paths of lines that show numbers, not those of the grid.
    fn lines(picture: &Picture) -> Vec<&str> {
        let drawn = picture.curves.iter().filter(|curve| curve.colour != "#ddd");
        drawn.map(|curve| curve.path.as_str()).collect()
    }

    #[test]
    fn points_are_where_they_belong() {
        let picture = curves([("", &run("loss", &[(0, 2.0), (50, 1.0), (100, 0.0)]))]);
        let (low, high) = (TOP + TALL, TOP);
        let middle = (low + high) / 2;
        let expected = format!(
            "M{LEFT}.0 {high}.0h0L{}.0 {middle}.0L{}.0 {low}.0",
            LEFT + WIDE / 2,
            LEFT + WIDE
        );
        assert_eq!(lines(&picture), [expected]);
        let texts: Vec<&str> = picture.texts.iter().map(|text| text.text.as_str()).collect();
        assert_eq!(texts, ["0", "20", "40", "60", "80", "100", "0.0", "0.5", "1.0", "1.5", "2.0"]);
        assert!(picture.to_svg().contains(">loss<"));
    }

    #[test]
    fn what_is_not_finite_interrupts_a_line() {
        let points = [(1, 1.0), (2, f64::NAN), (3, 2.0), (4, 1.5), (5, f64::INFINITY)];
        let picture = curves([("", &run("loss", &points))]);
        let line = lines(&picture)[0];
        assert_eq!((line.matches('M').count(), line.matches('L').count()), (2, 1), "{line}");
        // None, all not finite, one alone, all the same, and the greatest that there are.
        for points in [
            &[][..],
            &[(3, f64::NAN)],
            &[(7, 0.0)],
            &[(0, 3.0), (u64::MAX, 3.0)],
            &[(0, -f64::MAX), (1, f64::MAX)],
            &[(0, f64::MAX), (1, f64::MAX)],
            &[(0, -f64::MAX)],
            &[(0, 0.9 * f64::MAX), (5, 0.9 * f64::MAX)],
            &[(0, 0.0), (1, 5e-324)],
            &[(0, 0.0), (1, f64::MIN_POSITIVE)],
        ] {
            let svg = curves([("", &run("loss", points))]).to_svg();
            let path = svg.lines().filter(|line| line.starts_with("<path")).collect::<String>();
            assert!(!path.contains("NaN") && !path.contains("inf"), "{points:?}: {path}");
        }
        assert_eq!(lines(&curves([])), [""; 0]);
    }

    #[test]
    fn a_long_run_is_drawn_in_as_many_columns_as_there_are() {
        let points: Vec<(u64, f64)> = (0..1_000_000)
            .map(|step| (step, if step == 777_777 { 9.0 } else { (step % 7) as f64 }))
            .collect();
        let picture = curves([("", &run("loss", &points))]);
        let line = lines(&picture)[0];
        assert!(line.matches('L').count() <= 4 * (WIDE as usize + 1));
        // The highest point is drawn, at the top.
        assert!(line.contains(&format!(" {TOP}.0")), "the highest is lost");
        // The same with every second number missing, and in another order.
        let lost = points
            .iter()
            .map(|(step, number)| (*step, if step % 2 == 0 { f64::NAN } else { *number }));
        let turned = points.iter().rev().copied();
        for points in [lost.collect::<Vec<_>>(), turned.collect()] {
            let svg = curves([("", &run("loss", &points))]).to_svg();
            assert!(
                svg.len() < 100_000 && svg.contains(&format!(" {TOP}.0")),
                "{} bytes",
                svg.len()
            );
        }
    }

    #[test]
    fn runs_have_colours_and_names() {
        let (one, two) = (run("loss", &[(1, 1.0), (2, 2.0)]), run("rate", &[(1, 0.5), (2, 0.5)]));
        let picture = curves([("first & best", &one), ("second", &two)]);
        let drawn = picture.curves.iter().filter(|curve| curve.colour != "#ddd");
        assert_eq!(drawn.map(|curve| curve.colour).collect::<Vec<_>>(), COLOURS[..2]);
        let svg = picture.to_svg();
        assert!(svg.contains(">first &amp; best<") && svg.contains(">second<"));
        let titles: Vec<&str> = picture.frames.iter().map(|frame| frame.title.as_str()).collect();
        assert_eq!(titles, ["loss", "rate"]);
    }

    #[test]
    fn ticks_are_told_apart() {
        for (from, to, expected) in [
            (0.0, 1e-9, &["0", "5e-10", "1.0e-9"][..]),
            (0.0, 3e9, &["0", "1e9", "2e9", "3e9"]),
            (2e7, 2.05e7, &["2.00e7", "2.02e7", "2.04e7"]),
            (1000.0, 1000.0000002, &["1.0000000000e3", "1.0000000001e3", "1.0000000002e3"]),
            (-1.0, 1.0, &["-1.0", "-0.5", "0.0", "0.5", "1.0"]),
        ] {
            let axis = Axis::over([from, to].into_iter(), 0..=100).unwrap();
            let found: Vec<String> = axis.ticks(4).map(|tick| text(tick, axis.step(4))).collect();
            assert_eq!(found, expected);
        }
    }
}
