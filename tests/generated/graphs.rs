//! Random graphs over the functions of a model.

use std::collections::BTreeMap;

use edb::Element;
use edb::graph::{InputRecord, VertexRecord};
use edb::prelude::*;

use super::model::{Children, Given, Member, Sizes};
use edb_test_functions::Draws;

/// A vertex of a random graph.
pub struct Sketch {
    /// The index of its function in the model.
    function: usize,
    fixed: Vec<Option<usize>>,
    rest: Vec<usize>,
    id: u32,
    label: u32,
    x: Pulled,
}

/// The tensor that a vertex pulls.
enum Pulled {
    Values(Vec<f64>),
    /// The output of this vertex.
    Pushed(usize),
}

/// The shape of a random graph.
#[derive(Clone, Copy)]
enum Topology {
    /// Each vertex reads the one before it.
    Chain,
    /// Each vertex is the child of at most one other.
    Tree,
    /// A chain with skip edges.
    Lattice,
    /// Any acyclic graph.
    Dag,
}

/// A random graph of `size` vertices, and some vertices without states on top.
pub fn sketch<T: Element>(
    draws: &mut Draws,
    members: &[Box<dyn Member<T>>],
    sizes: &Sizes,
    size: usize,
) -> Vec<Sketch> {
    let topology =
        draws.choose(&[Topology::Chain, Topology::Tree, Topology::Lattice, Topology::Dag]);
    let mut sketches: Vec<Sketch> = Vec::new();
    let mut unread: Vec<usize> = Vec::new();
    for vertex in 0..size {
        let children = match topology {
            Topology::Chain => vertex.checked_sub(1).into_iter().collect(),
            Topology::Lattice => {
                let jump = (vertex > 2 && draws.chance(40)).then(|| draws.below(vertex - 1));
                vertex.checked_sub(1).into_iter().chain(jump).collect()
            }
            Topology::Tree => unread.split_off(unread.len() - draws.below(4).min(unread.len())),
            Topology::Dag => {
                let count = draws.below(5.min(vertex + 1));
                (0..count).map(|_| draws.below(vertex)).collect()
            }
        };
        unread.push(vertex);
        let vertex = vertex_over(draws, members, sizes, &sketches, &children, true);
        sketches.push(vertex);
    }
    let below = size;
    for _ in 0..draws.below(3) {
        let children: Vec<usize> = (0..1 + draws.below(2)).map(|_| draws.below(below)).collect();
        let vertex = vertex_over(draws, members, sizes, &sketches, &children, false);
        sketches.push(vertex);
    }
    sketches
}

/// A vertex with these children, of a function that accepts them; `scatters` chooses between
/// functions with and without a state.
fn vertex_over<T: Element>(
    draws: &mut Draws,
    members: &[Box<dyn Member<T>>],
    sizes: &Sizes,
    before: &[Sketch],
    children: &[usize],
    scatters: bool,
) -> Sketch {
    let required = |fixed: &[bool]| fixed.iter().filter(|optional| !**optional).count();
    let fits = |member: &usize| {
        let (fixed, rest) = members[*member].arity();
        let fewest = required(fixed);
        let most = if rest { usize::MAX } else { fixed.len() };
        members[*member].scatters() == scatters && (fewest..=most).contains(&children.len())
    };
    let mut fitting: Vec<usize> = (0..members.len()).filter(fits).collect();
    let mut children = children;
    if fitting.is_empty() {
        // Every function without a state accepts a single child.
        children = &children[..1];
        fitting =
            (0..members.len()).filter(|member| members[*member].scatters() == scatters).collect();
    }
    let function = draws.choose(&fitting);
    let (places, _) = members[function].arity();
    let mut spare = children.len() - required(places);
    let mut children = children.iter().copied();
    let place = |optional: &bool| {
        if !optional {
            return children.next();
        }
        let taken = spare > 0 && draws.chance(70);
        spare -= usize::from(taken);
        if taken { children.next() } else { None }
    };
    let mut fixed: Vec<Option<usize>> = places.iter().map(place).collect();
    // If the function accepts no further children, those left over go to places that are still
    // empty.
    let mut rest: Vec<usize> = children.collect();
    if !members[function].arity().1 {
        fixed.iter_mut().filter(|child| child.is_none()).for_each(|child| *child = rest.pop());
    }
    let sources: Vec<usize> =
        (0..before.len()).filter(|vertex| members[before[*vertex].function].feeds()).collect();
    let x = match sources.is_empty() || draws.chance(70) {
        true => Pulled::Values((0..sizes["E"]).map(|_| draws.symmetric()).collect()),
        false => Pulled::Pushed(draws.choose(&sources)),
    };
    let shortest = sizes["H"].min(sizes["K"]).min(sizes["E"]);
    let (id, label) = (draws.below(sizes["V"]) as u32, draws.below(shortest) as u32);
    Sketch { function, fixed, rest, id, label, x }
}

/// Builds the graph by the typed methods.
pub fn build<T: Element>(
    model: &Model<T>,
    members: &[Box<dyn Member<T>>],
    sketches: &[Sketch],
) -> Graph<T> {
    let mut g = model.graph();
    let mut added: Vec<super::model::Added> = Vec::new();
    for sketch in sketches {
        let vertex = |child: usize| added[child].vertex.expect("only what scatters is a child");
        let fixed: Vec<_> = sketch.fixed.iter().map(|child| child.map(vertex)).collect();
        let rest: Vec<_> = sketch.rest.iter().map(|child| vertex(*child)).collect();
        let x = match &sketch.x {
            Pulled::Values(values) => {
                let values: Vec<T> = values.iter().map(|value| T::from_f64(*value)).collect();
                g.tensor(&values)
            }
            Pulled::Pushed(by) => added[*by].y.expect("only what pushes it is pulled from"),
        };
        let given = Given { id: sketch.id.into(), label: sketch.label.into(), x };
        let children = Children { fixed: &fixed, rest: &rest };
        added.push(members[sketch.function].add(&mut g, children, given));
    }
    g
}

/// The same graph as records for a model made of programs. Its inputs contain only the fields that
/// the program reads.
pub fn records<T: Element>(
    model: &Model<f64>,
    members: &[Box<dyn Member<T>>],
    sketches: &[Sketch],
) -> Vec<VertexRecord> {
    let record = |sketch: &Sketch| {
        let function = members[sketch.function].definition().own.plan.program.name.clone();
        let fields = model.input_fields(&function).expect("the model has the same functions");
        let input = |field: String| {
            let value = match (field.as_str(), &sketch.x) {
                ("id", _) => InputRecord::Index(sketch.id),
                ("label", _) => InputRecord::Index(sketch.label),
                (_, Pulled::Values(values)) => InputRecord::Tensor(values.clone()),
                (_, Pulled::Pushed(by)) => InputRecord::Output { vertex: *by, field: "y".into() },
            };
            (field, value)
        };
        let rest = sketch.rest.iter().copied().map(Some);
        VertexRecord {
            function,
            children: sketch.fixed.iter().copied().chain(rest).collect(),
            input: fields.into_iter().map(input).collect::<BTreeMap<_, _>>(),
        }
    };
    sketches.iter().map(record).collect()
}
