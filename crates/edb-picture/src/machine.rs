//! A learned machine, and what it does on some graphs.

use std::collections::BTreeMap;

use super::{LINE, Picture, PictureBox, width};
use edb_schedule::{Machine, MachineState, MeasureLevels, TypeGraph};

/// From light to dark: Blues of ColorBrewer, as dark as black text allows.
const SHADES: [&str; 5] = ["#ffffff", "#deebf7", "#c6dbef", "#9ecae1", "#6baed6"];
/// How many states stand beside each other.
const STATES_IN_A_ROW: usize = 10;
/// How many transitions are drawn: the most frequent ones.
const DRAWN_TRANSITIONS: usize = 16;

/// A type in a state.
type TypeState = (u16, MachineState);

/// How often a type was in a state.
#[derive(Clone, Copy, Default)]
struct Seen {
    points: i64,
    is_known: bool,
    /// How often it had ready vertices, and how often it then came next.
    ready: usize,
    chosen: usize,
}

/// A machine, and what it does on these graphs.
///
/// Above stand its measures: how much of the whole each level means, and the points of the level. Below, each
/// vertex type has a box for each state in which it had ready vertices: the level of each measure, the points, and how
/// often the type came next of how often it was ready; the darker a box, the more often. A box is dashed if the state did
/// not occur in learning. Lines lead to the state in which another type was chosen next, for the most frequent of such
/// transitions; a tooltip has all. Only batches among several ready types count.
pub fn machine(machine: &Machine, graphs: &[TypeGraph]) -> Picture {
    let mut picture = Picture::new("machine");
    let below = measures(&mut picture, machine);
    let (seen, transitions) = what_it_does(machine, graphs);
    let shapes = states(&mut picture, machine, &seen, &transitions, below);
    let mut drawn: Vec<_> = transitions.iter().filter(|((from, to), _)| from.0 != to.0).collect();
    // The sort is stable: of equal ones, the first states come first.
    drawn.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    for ((from, to), _) in drawn.into_iter().take(DRAWN_TRANSITIONS) {
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
        (None, Some(to)) => format!("below {}", bound(*to)),
        (Some(1000), _) => "all".into(),
        (Some(from), Some(to)) if from == *to => "none".into(),
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

/// How often each type was in each state, and which chosen state came after which.
fn what_it_does(
    machine: &Machine,
    graphs: &[TypeGraph],
) -> (BTreeMap<TypeState, Seen>, BTreeMap<(TypeState, TypeState), usize>) {
    let mut seen: BTreeMap<TypeState, Seen> = BTreeMap::new();
    let mut transitions = BTreeMap::new();
    for graph in graphs {
        let mut before = None;
        for decision in machine.decisions(graph).iter().filter(|of| of.ready.len() > 1) {
            for (place, of) in decision.ready.iter().enumerate() {
                let seen = seen.entry((of.vertex_type, of.state)).or_default();
                (seen.points, seen.is_known) = (of.points, of.is_known);
                seen.ready += 1;
                seen.chosen += usize::from(place == 0);
            }
            let now = (decision.ready[0].vertex_type, decision.ready[0].state);
            if let Some(before) = before.replace(now) {
                *transitions.entry((before, now)).or_default() += 1;
            }
        }
    }
    (seen, transitions)
}

/// Draws the states of each type, those with the most points first, below `y`; returns the shape of each.
fn states(
    picture: &mut Picture,
    machine: &Machine,
    seen: &BTreeMap<TypeState, Seen>,
    transitions: &BTreeMap<(TypeState, TypeState), usize>,
    mut y: i32,
) -> BTreeMap<TypeState, usize> {
    let signature = machine.signature();
    let mut shapes = BTreeMap::new();
    let (wide, tall) = (width("3333: -1000") + 12, 2 * LINE + 8);
    for vertex_type in 0..signature.type_count() {
        let of_type = seen.range((vertex_type, MachineState::FIRST)..);
        let of_type = of_type.take_while(|((of, _), _)| *of == vertex_type);
        let mut of_type: Vec<(&TypeState, &Seen)> = of_type.collect();
        if of_type.is_empty() {
            continue;
        }
        of_type.sort_by_key(|(_, seen)| std::cmp::Reverse(seen.points));
        y += tall + 24;
        picture.text((-8, y + 4), "end", signature.name(vertex_type));
        for (number, &(&state, seen)) in of_type.iter().enumerate() {
            let (row, column) = (number / STATES_IN_A_ROW, number % STATES_IN_A_ROW);
            if row > 0 && column == 0 {
                y += tall + 24;
            }
            let lines = vec![
                format!("{}: {}", state.1, seen.points),
                format!("{} of {}", seen.chosen, seen.ready),
            ];
            let next = transitions.iter().filter(|((from, _), _)| *from == state);
            let next = next.map(|((_, (of, to)), count)| {
                format!("; {count} times then {} in state {to}", signature.name(*of))
            });
            let levels = state.1.levels();
            let levels = Machine::MEASURES.iter().zip(levels);
            let levels: Vec<String> =
                levels.map(|(name, level)| format!("{name} {level}")).collect();
            shapes.insert(
                state,
                picture.add(PictureBox {
                    centre: (column as i32 * (wide + 6) + wide / 2, y),
                    size: (wide, tall),
                    lines,
                    tip: levels.join(", ") + &next.collect::<String>(),
                    fill: shade(seen.chosen as i64, 0, seen.ready as i64),
                    dashed: !seen.is_known,
                    ..PictureBox::default()
                }),
            );
        }
    }
    shapes
}
