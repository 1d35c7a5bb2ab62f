//! Random graphs. They are made children first and then renumbered at random.

use proptest::prelude::*;

use crate::TypeGraph;

/// A vertex: its type and its children.
type Row = (u16, Vec<u32>);

/// The graph of these vertices.
pub(super) fn graph(type_count: u16, rows: &[Row]) -> TypeGraph {
    let types = rows.iter().map(|row| row.0).collect();
    let children = rows.iter().flat_map(|row| row.1.iter().copied()).collect();
    let mut offsets = vec![0];
    offsets.extend(rows.iter().scan(0, |end, row| {
        *end += row.1.len() as u32;
        Some(*end)
    }));
    TypeGraph::new(type_count, types, offsets, children).unwrap()
}

/// Any of the shapes below.
pub(super) fn any_graph() -> impl Strategy<Value = TypeGraph> {
    let many_types = dag(30, 130);
    prop_oneof![3 => dag(40, 5), 1 => many_types, 1 => forest(), 1 => chains(), 1 => lattice()]
}

/// At most so many vertices and types, with up to four children each, some of them repeated.
pub(super) fn dag(vertices: usize, types: u16) -> impl Strategy<Value = TypeGraph> {
    let row = (0..types, prop::collection::vec(any::<u32>(), 0..5));
    let rows = prop::collection::vec(row, 0..=vertices).prop_map(|mut rows| {
        for (number, (_, children)) in (0..).zip(&mut rows) {
            children.iter_mut().for_each(|child| *child = child.checked_rem(number).unwrap_or(0));
            if number == 0 {
                children.clear();
            }
        }
        rows
    });
    renumbered(types, rows)
}

/// Parse trees: words (0), phrases of two (1), a score of each (2), and one read-out (3) of all
/// scores of a tree.
pub(super) fn forest() -> impl Strategy<Value = TypeGraph> {
    // A tree is the list of which two neighbours are joined next.
    let trees = prop::collection::vec(prop::collection::vec(any::<usize>(), 0..8), 0..5);
    let rows = trees.prop_map(|trees| {
        let mut rows: Vec<Row> = Vec::new();
        for joins in trees {
            let first = rows.len() as u32;
            let mut open: Vec<_> = (first..).take(joins.len() + 1).collect();
            rows.extend(open.iter().map(|_| (0, vec![])));
            for join in joins {
                let left = join % (open.len() - 1);
                let right = open.remove(left + 1);
                rows.push((1, vec![open[left], right]));
                open[left] = rows.len() as u32 - 1;
            }
            let scored = rows.len() as u32;
            rows.extend((first..scored).map(|vertex| (2, vec![vertex])));
            rows.push((3, (scored..rows.len() as u32).collect()));
        }
        rows
    });
    renumbered(4, rows)
}

/// At most four chains of at most seven vertices of random types, side by side.
pub(super) fn chains() -> impl Strategy<Value = TypeGraph> {
    let chains = prop::collection::vec(prop::collection::vec(0..3_u16, 1..8), 0..5);
    let rows = chains.prop_map(|chains| {
        let mut rows: Vec<Row> = Vec::new();
        for chain in chains {
            for (place, vertex_type) in chain.into_iter().enumerate() {
                let before = (place > 0).then(|| rows.len() as u32 - 1);
                rows.push((vertex_type, before.into_iter().collect()));
            }
        }
        rows
    });
    renumbered(3, rows)
}

/// A grid of random types, in which a vertex reads the one above and the one to the left.
fn lattice() -> impl Strategy<Value = TypeGraph> {
    let grid = (1..7_usize, prop::collection::vec(0..3_u16, 0..36));
    let rows = grid.prop_map(|(width, types)| {
        let row = |(vertex, &vertex_type): (usize, &u16)| {
            let left = (vertex % width > 0).then(|| vertex as u32 - 1);
            let above = (vertex >= width).then(|| (vertex - width) as u32);
            (vertex_type, left.into_iter().chain(above).collect())
        };
        types.iter().enumerate().map(row).collect::<Vec<Row>>()
    });
    renumbered(3, rows)
}

fn renumbered(
    type_count: u16,
    rows: impl Strategy<Value = Vec<Row>>,
) -> impl Strategy<Value = TypeGraph> {
    let numbered = |rows: Vec<Row>| {
        let numbers = Just((0..rows.len() as u32).collect::<Vec<_>>()).prop_shuffle();
        (Just(rows), numbers)
    };
    rows.prop_flat_map(numbered).prop_map(move |(rows, numbers)| {
        let mut renumbered = vec![(0, Vec::new()); rows.len()];
        for ((vertex_type, children), &number) in rows.into_iter().zip(&numbers) {
            let children = children.into_iter().map(|child| numbers[child as usize]).collect();
            renumbered[number as usize] = (vertex_type, children);
        }
        graph(type_count, &renumbered)
    })
}
