//! A learned machine, and what it does on some graphs.

use super::{LINE, Picture, PictureBox, width};
use edb_schedule::{Machine, MeasureLevels, ReadyType, TypeGraph};

/// From light to dark: Blues of ColorBrewer, as dark as black text allows.
const SHADES: [&str; 5] = ["#ffffff", "#deebf7", "#c6dbef", "#9ecae1", "#6baed6"];
/// How many states stand beside each other.
const STATES_IN_A_ROW: usize = 10;
/// How many transitions are drawn: the most frequent ones.
const DRAWN_TRANSITIONS: usize = 16;

/// A type in a state, and how often it was.
#[derive(Clone, Copy)]
struct Seen {
    of: ReadyType,
    /// How often it had ready vertices, and how often it then came next.
    ready: usize,
    chosen: usize,
}

/// What a machine does on some graphs.
#[derive(Default)]
struct Done {
    seen: Vec<Seen>,
    /// By type and then by state, a place in `seen`.
    places: Vec<Option<usize>>,
    /// From which state, as a place in `seen`, to which one it went next; and how often.
    transitions: Vec<(usize, usize, usize)>,
}

/// A machine, and what it does on these graphs.
///
/// Above stand its measures: how much of the whole each level means, and the points of the level. Below, each vertex
/// type has a box for each state in which it had ready vertices: the level of each measure, the points, and how often
/// the type came next of how often it was ready; the darker a box, the more often. A box is dashed if the state did
/// not occur in learning. Lines lead to the state in which another type was chosen next, for the most frequent of
/// such transitions; a tooltip has all. Only batches among several ready types count.
pub fn machine(machine: &Machine, graphs: &[TypeGraph]) -> Picture {
    let mut picture = Picture::new("machine");
    let below = measures(&mut picture, machine);
    let done = Done::of(machine, graphs);
    let shapes = states(&mut picture, machine, &done, below);
    let mut most: Vec<(i64, i64, usize)> = Vec::new();
    for (place, &(from, to, count)) in done.transitions.iter().enumerate() {
        if done.seen[from].of.vertex_type != done.seen[to].of.vertex_type {
            most.push((-(count as i64), 0, place));
        }
    }
    most.sort_unstable();
    for &(_, _, place) in most.iter().take(DRAWN_TRANSITIONS) {
        let (from, to, _) = done.transitions[place];
        picture.connect(shapes[from], shapes[to], Vec::new());
    }
    picture
}

/// Draws the measures; returns where they end.
fn measures(picture: &mut Picture, machine: &Machine) -> i32 {
    let all = || machine.measures().iter().flat_map(|of| of.points);
    let (least, most) = (all().min().unwrap_or(0).into(), all().max().unwrap_or(0).into());
    let wide = width("0: 0.123 to 0.456") + 12;
    let mut y = 0;
    for (name, levels) in Machine::MEASURES.iter().zip(machine.measures()) {
        picture.text((-8, y + 4), "end", *name);
        for (level, points) in levels.points.into_iter().enumerate() {
            let lines = vec![format!("{level}: {}", part(levels, level)), points.to_string()];
            let shape = PictureBox::around(lines, shade(points.into(), least, most));
            let x = level as i32 * (wide + 6);
            picture.add(PictureBox {
                centre: (x + wide / 2, y),
                size: (wide, shape.size.1),
                ..shape
            });
        }
        y += 2 * LINE + 14;
    }
    y - 2 * LINE
}

/// How much of the whole a level means.
fn part(levels: &MeasureLevels, level: usize) -> String {
    let bound = |thousandths: u16| match thousandths {
        1000 => "1".to_owned(),
        thousandths => format!("{}", f64::from(thousandths) / 1000.0),
    };
    match (level.checked_sub(1).map(|below| levels.from[below]), levels.from.get(level)) {
        _ if levels.is_empty(level) => "none".into(),
        (None, Some(to)) => format!("below {}", bound(*to)),
        (Some(1000), _) => "all".into(),
        (Some(from), Some(to)) => format!("{} to {}", bound(from), bound(*to)),
        (Some(from), None) => format!("from {}", bound(from)),
        (None, None) => "any".into(),
    }
}

/// The colour of a value between these.
fn shade(value: i64, least: i64, most: i64) -> &'static str {
    let steps = SHADES.len() as i64 - 1;
    let step = (value - least).saturating_mul(steps) / (most - least).max(1);
    SHADES[step.clamp(0, steps) as usize]
}

impl Done {
    fn of(machine: &Machine, graphs: &[TypeGraph]) -> Self {
        let mut done = Self::default();
        for graph in graphs {
            let mut before = None;
            for decision in machine.decisions(graph) {
                let [first, _, ..] = decision.ready[..] else { continue };
                for &of in &decision.ready {
                    let place = done.place(of);
                    done.seen[place].ready += 1;
                }
                let now = done.place(first);
                done.seen[now].chosen += 1;
                if let Some(before) = before.replace(now) {
                    done.goes(before, now);
                }
            }
        }
        done
    }

    /// The place of a type in a state.
    fn place(&mut self, of: ReadyType) -> usize {
        let levels = of.state.levels().into_iter();
        let number = levels
            .fold(usize::from(of.vertex_type), |number, level| number * 4 + usize::from(level));
        if number >= self.places.len() {
            self.places.resize(number + 1, None);
        }
        *self.places[number].get_or_insert_with(|| {
            self.seen.push(Seen { of, ready: 0, chosen: 0 });
            self.seen.len() - 1
        })
    }

    fn goes(&mut self, from: usize, to: usize) {
        match self.transitions.iter_mut().find(|known| (known.0, known.1) == (from, to)) {
            Some((_, _, count)) => *count += 1,
            None => self.transitions.push((from, to, 1)),
        }
    }
}

/// Draws the states of each type, those with the most points first, below `y`; returns the shape of each state.
fn states(picture: &mut Picture, machine: &Machine, done: &Done, mut y: i32) -> Vec<usize> {
    let signature = machine.signature();
    let mut shapes = vec![0; done.seen.len()];
    let (wide, tall) = (width("3333: -1000") + 12, 2 * LINE + 8);
    let mut order: Vec<(i64, i64, usize)> = Vec::new();
    for (place, Seen { of, .. }) in done.seen.iter().enumerate() {
        order.push((of.vertex_type.into(), -of.points, place));
    }
    order.sort_unstable();
    let (mut last, mut number) = (None, 0);
    for (_, _, place) in order {
        let Seen { of, ready, chosen } = done.seen[place];
        number += 1;
        if last.replace(of.vertex_type) != Some(of.vertex_type) {
            number = 0;
            picture.text((-8, y + tall + 28), "end", signature.name(of.vertex_type));
        }
        let column = number % STATES_IN_A_ROW;
        if column == 0 {
            y += tall + 24;
        }
        shapes[place] = picture.add(PictureBox {
            centre: (column as i32 * (wide + 6) + wide / 2, y),
            size: (wide, tall),
            lines: vec![format!("{}: {}", of.state, of.points), format!("{chosen} of {ready}")],
            tip: tip(machine, done, place),
            fill: shade(chosen as i64, 0, ready as i64),
            dashed: !of.is_known,
            ..PictureBox::default()
        });
    }
    shapes
}

/// The level of each measure in a state, and where it leads.
fn tip(machine: &Machine, done: &Done, place: usize) -> String {
    let mut text = String::new();
    for (name, level) in Machine::MEASURES.iter().zip(done.seen[place].of.state.levels()) {
        text += &format!("{name} {level}, ");
    }
    for &(_, to, count) in done.transitions.iter().filter(|(from, _, _)| *from == place) {
        let of = done.seen[to].of;
        let name = machine.signature().name(of.vertex_type);
        text += &format!("{count} times then {name} in state {}, ", of.state);
    }
    text.truncate(text.len() - 2);
    text
}
