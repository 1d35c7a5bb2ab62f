//! What pictures hold. How they look is in the book.

use std::io::Write as _;
use std::process::{Command, Stdio};

use edb_ir::Phase;
use edb_schedule::{LearnOptions, Learner, Policy, Schedule, Signature, TypeGraph};

use super::*;

use edb_test_programs::cells;

/// The figure 1 of ED-Batch: see the tests of schedules.
fn figure_1() -> TypeGraph {
    let mut rows: Vec<(u16, Vec<u32>)> = vec![(0, vec![]); 4];
    rows.extend([(0, vec![0, 1]), (0, vec![4, 2]), (0, vec![5, 3])]);
    rows.extend((0..7).map(|internal| (1, vec![internal])));
    rows.push((2, (7..14).collect()));
    graph_of(&rows)
}

/// A graph of three types, given the type and the children of each vertex.
fn graph_of(rows: &[(u16, Vec<u32>)]) -> TypeGraph {
    let types = rows.iter().map(|row| row.0).collect();
    let mut offsets = vec![0];
    let mut children = Vec::new();
    for (_, row) in rows {
        children.extend(row);
        offsets.push(children.len() as u32);
    }
    TypeGraph::new(3, types, offsets, children).unwrap()
}

/// Two chains of types that conflict, of which there are five.
fn chains_of_more_types() -> TypeGraph {
    let types = vec![3, 4, 3, 4, 3, 4];
    TypeGraph::new(5, types, vec![0, 0, 1, 2, 2, 3, 4], vec![0, 1, 3, 4]).unwrap()
}

fn names() -> Signature {
    Signature::new(["I", "O", "R"])
}

/// No two shapes touch, each is as wide as its text, and Graphviz reads it where it is installed.
fn check(picture: &Picture) {
    let mut dot = Command::new("dot");
    let dot = dot.arg("-Tcanon").stdin(Stdio::piped()).stdout(Stdio::null());
    if let Ok(mut dot) = dot.spawn() {
        dot.stdin.take().unwrap().write_all(picture.to_dot().as_bytes()).unwrap();
        assert!(dot.wait().unwrap().success());
    }
    let area = |shape: &PictureBox| {
        let ((x, y), (w, h)) = (shape.centre, shape.size);
        [x - w / 2, y - h / 2, x + w / 2, y + h / 2]
    };
    for (number, shape) in picture.shapes.iter().enumerate() {
        let widest = shape.lines.iter().map(|line| width(line)).max().unwrap_or(0);
        assert!(widest <= shape.size.0, "{shape:?}");
        for other in &picture.shapes[number + 1..] {
            let ([a, b, c, d], [e, f, g, h]) = (area(shape), area(other));
            assert!(c <= e || g <= a || d <= f || h <= b, "{shape:?} lies upon {other:?}");
        }
    }
    for (number, text) in picture.texts.iter().enumerate() {
        let ends = |text: &Text| {
            let wide = width(&text.text);
            match text.anchor {
                "start" => (text.place.0, text.place.0 + wide),
                "end" => (text.place.0 - wide, text.place.0),
                _ => (text.place.0 - wide / 2, text.place.0 + wide / 2),
            }
        };
        for other in
            picture.texts[number + 1..].iter().filter(|other| other.place.1 == text.place.1)
        {
            let ((a, b), (c, d)) = (ends(text), ends(other));
            assert!(b <= c || d <= a, "{text:?} lies upon {other:?}");
        }
    }
}

#[test]
fn machines_are_drawn() {
    // Chains whose types conflict.
    let mut rows: Vec<(u16, Vec<u32>)> = Vec::new();
    for types in [[0, 1, 0, 1, 2, 2], [1, 0, 1, 0, 2, 0], [2, 2, 0, 1, 1, 0]] {
        for (place, vertex_type) in types.into_iter().enumerate() {
            let before = (place > 0).then(|| rows.len() as u32 - 1);
            rows.push((vertex_type, before.into_iter().collect()));
        }
    }
    let graph = graph_of(&rows);
    let options = LearnOptions { learner: Learner::Machine, ..LearnOptions::default() };
    let samples = [graph];
    let policy = Policy::learn_for(&names(), &samples, &options, &mut |_| ()).unwrap();
    let learned = policy.machine().unwrap();
    let picture = super::machine(learned, &samples);
    check(&picture);
    let chosen = |picture: &Picture| -> usize {
        let of = picture.shapes.iter().filter_map(|shape| shape.lines.get(1)?.split_once(" of "));
        of.map(|(chosen, _)| chosen.parse::<usize>().unwrap()).sum()
    };
    let decisions = learned.decisions(&samples[0]);
    assert_eq!(chosen(&picture), decisions.iter().filter(|one| one.ready.len() > 1).count());
    // On the graphs that it was learned on, it has seen all states.
    assert!(picture.shapes.iter().all(|shape| !shape.dashed));
    for name in ["path", "work", "progress", "ready", "I", "O", "R"] {
        assert!(picture.texts.iter().any(|text| text.text == name), "{name}");
    }
    // Types that it was not learned for are drawn, too.
    let more = [chains_of_more_types()];
    check(&super::machine(learned, &more));
    // Without graphs, only the measures are drawn.
    let measures = super::machine(learned, &[]);
    check(&measures);
    assert_eq!((measures.shapes.len(), measures.edges.len()), (16, 0));
}

#[test]
fn figure_1_is_drawn() {
    let graph = figure_1();
    let schedule = Policy::Heuristic.schedule(&graph);
    let picture = super::graph(&graph, &schedule, &names());
    check(&picture);
    let dot = picture.to_dot();
    // The legend is not for Graphviz.
    assert_eq!(dot.matches("label=").count(), graph.len());
    assert_eq!(dot.matches(" -> ").count(), 20);
    let svg = picture.to_svg();
    assert_eq!(svg.matches("<path").count(), 20);
    assert!(svg.contains(">4 O x7<"));
    let hostile = Signature::new(["\"<I>&\\", "O", "R"]);
    let picture = super::graph(&graph, &schedule, &hostile);
    assert!(picture.to_svg().contains("&quot;&lt;I&gt;&amp;&#92;"));
    assert!(!picture.to_dot().contains("\"<"));
}

#[test]
fn a_timeline_has_a_bar_for_each_batch() {
    let graph = figure_1();
    for policy in [Policy::Depth, Policy::Heuristic] {
        let schedule = policy.schedule(&graph);
        let picture = timeline(&schedule, &names());
        check(&picture);
        assert_eq!(picture.shapes.len(), schedule.len());
        assert!(picture.texts.iter().any(|text| text.text.starts_with("7 in ")));
        assert_eq!(picture.to_dot().matches("style=invis").count(), schedule.len() - 1);
    }
    // A thousand batches still have their bars.
    let rows = 0..1000;
    let chain = TypeGraph::new(
        1,
        vec![0; 1000],
        rows.clone().map(|row: u32| row.saturating_sub(1)).chain([999]).collect(),
        rows.take(999).collect(),
    );
    let chain = chain.unwrap();
    let schedule = Policy::Heuristic.schedule(&chain);
    check(&super::graph(&chain, &schedule, &Signature::unnamed(1)));
    let picture = timeline(&schedule, &Signature::unnamed(1));
    check(&picture);
    assert_eq!(picture.shapes.len(), 1000);
}

#[test]
fn nothing_is_drawn_too() {
    let graph = TypeGraph::new(1, vec![], vec![0], vec![]).unwrap();
    let types = Signature::unnamed(1);
    assert!(super::graph(&graph, &Schedule::new(), &types).to_svg().ends_with("</svg>\n"));
    assert!(timeline(&Schedule::new(), &types).to_dot().ends_with("}\n"));
}

#[test]
fn programs_and_layouts_of_cells() {
    let all = [cells::gru, cells::lstm, cells::tree_gru, cells::tree_lstm, cells::mv_rnn];
    for cell in all {
        let plan = edb_compiler::compile(cell(false));
        let picture = program(&plan, &Phase::ALL);
        check(&picture);
        assert_eq!(picture.shapes.len(), plan.program.values.len());
        let phases = Phase::ALL.iter().filter(|phase| plan.phases.raw.contains(phase));
        assert_eq!(picture.frames.len(), phases.count());
        let forward = program(&plan, &[Phase::Recurrent]);
        assert_eq!(forward.shapes.len(), plan.phase(Phase::Recurrent).count());

        let picture = layout(&plan);
        check(&picture);
        let brackets = picture.bars.len();
        assert_eq!(picture.texts.len(), brackets);
        assert!(brackets > 0 && picture.bars.iter().all(|bar| !bar.dashed), "{}", picture.name);
        assert!(
            picture.to_dot().contains("label=\"P\"") || picture.to_dot().contains("label=\"Q\"")
        );
    }
}

#[test]
fn a_large_picture_stays_small() {
    // Of a chain of 2000, the last vertex reads all: two million passages, if there were any.
    let count = 2000_u32;
    let mut offsets: Vec<u32> = (0..count).map(|vertex| vertex.saturating_sub(1)).collect();
    let mut children: Vec<u32> = (0..count - 2).collect();
    children.extend(0..count - 1);
    offsets.push(children.len() as u32);
    let graph = TypeGraph::new(1, vec![0; count as usize], offsets, children).unwrap();
    let schedule = Policy::Heuristic.schedule(&graph);
    let picture = super::graph(&graph, &schedule, &Signature::unnamed(1));
    assert!(picture.edges.iter().all(|edge| edge.through.is_empty()));
}

/// A graph of one vertex, and others that all read it or that it reads.
fn star(others: u32, is_below: bool) -> TypeGraph {
    let count = others + 1;
    let types = (0..count).map(|vertex| u16::from(vertex == 0)).collect();
    let (offsets, children) = match is_below {
        true => {
            ((0..=count).map(|vertex| vertex.saturating_sub(1)).collect(), vec![0; others as usize])
        }
        false => {
            (std::iter::once(0).chain(vec![others; count as usize]).collect(), (1..count).collect())
        }
    };
    TypeGraph::new(2, types, offsets, children).unwrap()
}

/// Fault F of the third list: for each vertex, all were looked at that are read together with it. Their number
/// is here so large that its square takes minutes, and the sum of their positions is more than 32 bits hold.
#[test]
fn a_large_star_takes_time_in_proportion() {
    let others = 100_000;
    for is_below in [true, false] {
        let graph = star(others, is_below);
        let schedule = Policy::Depth.schedule(&graph);
        let picture = super::graph(&graph, &schedule, &Signature::unnamed(2));
        let x = |shape: &PictureBox| shape.centre.0;
        let rays = &picture.shapes[1..=others as usize];
        let middle = i64::from(x(&picture.shapes[0]));
        let sum: i64 = rays.iter().map(|shape| i64::from(x(shape))).sum();
        assert!((middle - sum / i64::from(others)).abs() <= 1, "{middle}");
        let mut all: Vec<i32> = rays.iter().map(x).collect();
        all.sort_unstable();
        assert!(all.windows(2).all(|pair| pair[1] - pair[0] >= 30));
        assert_eq!(picture.to_svg().matches("<path").count(), others as usize);
        assert_eq!(picture.to_dot().matches(" -> ").count(), others as usize);
    }
}

/// Vertices that read nothing stand beside those that are read together with them.
#[test]
fn what_is_read_together_is_side_by_side() {
    // Two pairs of words, each below a phrase, in an order that has them mixed.
    let graph =
        TypeGraph::new(2, vec![0, 0, 0, 0, 1, 1], vec![0, 0, 0, 0, 0, 2, 4], vec![0, 2, 1, 3])
            .unwrap();
    let picture = super::graph(&graph, &Policy::Depth.schedule(&graph), &Signature::unnamed(2));
    let x: Vec<i32> = picture.shapes[..6].iter().map(|shape| shape.centre.0).collect();
    let mut order = vec![0, 1, 2, 3];
    order.sort_by_key(|vertex| x[*vertex]);
    assert_eq!(order, [0, 2, 1, 3]);
    assert!(x[0] <= x[4] && x[4] <= x[2] && x[1] <= x[5] && x[5] <= x[3], "{x:?}");
}
