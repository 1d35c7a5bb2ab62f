//! The rules of input graphs.

use super::error::{GraphError, GraphProblem};
use super::{ABSENT, Graph, InputCell};
use crate::model::BoundModel;
use crate::model::bound::{BoundFunction, InputField};
use edb_kernels::element::Element;
use edb_schedule::{ScheduleError, TypeGraph};
use edb_vertex::port::FieldKind;
use edb_vertex::tensor::Index;

/// Checks one vertex: children and inputs.
pub(super) fn check_vertex<T: Element>(
    model: &BoundModel,
    graph: &Graph<T>,
    vertex: usize,
) -> Result<(), GraphProblem> {
    let functions = &model.functions;
    let function = &functions[graph.entries[vertex].function];
    let (name, children) = (&function.name, graph.children(vertex));
    if !function.arity().contains(&children.len()) {
        let (fixed, found) = (function.fixed(), children.len());
        let least = if function.plan.program.rest.is_some() { "at least " } else { "" };
        let noun = if fixed == 1 { "child" } else { "children" };
        return Err(GraphProblem::Children(format!(
            "`{name}` takes {least}{fixed} {noun}; it has {found}"
        )));
    }
    for (place, &child) in children.iter().enumerate() {
        if child == ABSENT {
            if !function.plan.program.slots.get(place).is_some_and(|slot| slot.optional) {
                return Err(GraphProblem::Children(format!(
                    "child {place} of `{name}` is absent; only a child that is read with `gather_or` may \
                     be"
                )));
            }
            continue;
        }
        let Some(by) = graph.function(child) else {
            return Err(GraphProblem::no_child(place, child as usize, graph.len()));
        };
        let by = model.result_of(by);
        let expected = function.child_state(place);
        if by.scattered() != expected {
            let state = |state: Option<usize>| match state {
                Some(state) => format!("`{}`", model.states[state].name),
                None => "nothing".into(),
            };
            return Err(GraphProblem::Children(format!(
                "child {place} of `{name}` must scatter `{}`; vertex {child} (`{}`) scatters {}",
                state(expected).trim_matches('`'),
                by.name,
                state(by.scattered()),
            )));
        }
    }
    for (field, cell) in function.input.iter().zip(graph.inputs(vertex)) {
        check_input(model, graph, function, field, cell)?;
    }
    Ok(())
}

fn check_input<T: Element>(
    model: &BoundModel,
    graph: &Graph<T>,
    function: &BoundFunction,
    field: &InputField,
    cell: &InputCell,
) -> Result<(), GraphProblem> {
    match (field.kind, cell) {
        (FieldKind::Index, InputCell::Index(index)) => {
            check_indices(function, field, std::slice::from_ref(index))
        }
        (FieldKind::Indices, InputCell::Indices { start, length }) => {
            let indices = &graph.indices[*start as usize..(*start + *length) as usize];
            check_indices(function, field, indices)
        }
        (FieldKind::Tensor, InputCell::Data { start, length }) => {
            check_length(function, field, *length as usize)?;
            let values = &graph.data[*start as usize..(*start + *length) as usize];
            match values.iter().position(|value| !value.is_finite()) {
                None => Ok(()),
                Some(element) => {
                    let (function, field) = (function.name.clone(), field.name.clone());
                    let value = values[element].as_f64();
                    Err(GraphProblem::NotFinite { function, field, element, value })
                }
            }
        }
        (FieldKind::Tensor, InputCell::Pushed { vertex, field: pushed }) => {
            let by = graph.function(*vertex);
            let by = by.map(|by| model.result_of(by));
            match by.and_then(|by| Some((by, by.output.get(usize::from(*pushed))?))) {
                Some((by, output)) if !by.lists() => {
                    check_length(function, field, by.value(output.value).width)
                }
                _ => {
                    let name = |by: &BoundFunction| model.as_added(by.id).name.clone();
                    let what = match by {
                        Some(by) if by.lists() => format!("is `{}` and pushes a list", name(by)),
                        Some(by) => format!("is `{}` and does not push it", name(by)),
                        None => "does not exist".into(),
                    };
                    let vertex = *vertex as usize;
                    Err(GraphProblem::feed(&function.name, &field.name, vertex, &what))
                }
            }
        }
        (expected, _) => {
            let found = match cell {
                InputCell::Index(_) => FieldKind::Index,
                InputCell::Indices { .. } => FieldKind::Indices,
                InputCell::Data { .. } | InputCell::Pushed { .. } => FieldKind::Tensor,
            };
            let [expected, found] = [expected, found].map(FieldKind::noun);
            Err(GraphProblem::Input(format!(
                "the input `{}` of `{}` is {expected}, but {found} is given",
                field.name, function.name
            )))
        }
    }
}

fn check_indices(
    function: &BoundFunction,
    field: &InputField,
    indices: &[u32],
) -> Result<(), GraphProblem> {
    if indices.contains(&Index::UNKNOWN.0) {
        let (function, field) = (function.name.clone(), field.name.clone());
        return Err(GraphProblem::UnknownIndex { function, field });
    }
    let Some(bound) = field.bound else { return Ok(()) };
    match indices.iter().find(|index| **index as usize >= bound) {
        None => Ok(()),
        Some(&index) => {
            let (function, field) = (function.name.clone(), field.name.clone());
            Err(GraphProblem::IndexRange { function, field, index, bound })
        }
    }
}

fn check_length(
    function: &BoundFunction,
    field: &InputField,
    found: usize,
) -> Result<(), GraphProblem> {
    let Some(shape) = &field.sizes else { return Ok(()) };
    let expected: usize = shape.iter().product();
    if found == expected {
        return Ok(());
    }
    let (field, name) = (&field.name, &function.name);
    let numbers = if expected == 1 { "number" } else { "numbers" };
    // If one value is given, the field may be meant as a single number, but the function does not say so.
    let given = match found {
        1 => format!(
            "1 is given; for a field that is one number, the function says so in its pattern: `#[shape()] \
             {field}`"
        ),
        _ => format!("{found} are given"),
    };
    Err(GraphProblem::Input(format!(
        "the input `{field}` of `{name}` has shape {shape:?}, so {expected} {numbers}; {given}"
    )))
}

/// The vertices on which each vertex depends: its children, and the vertices whose outputs it pulls. Returns
/// where the list of each vertex begins, and all lists one after the other.
pub(super) fn dependencies<T: Element>(graph: &Graph<T>) -> (Vec<u32>, Vec<u32>) {
    let mut offsets = Vec::with_capacity(graph.len() + 1);
    let mut list = Vec::with_capacity(graph.children.len());
    offsets.push(0);
    for vertex in 0..graph.len() {
        list.extend(graph.children(vertex).iter().copied().filter(|child| *child != ABSENT));
        list.extend(graph.inputs(vertex).iter().filter_map(|cell| match cell {
            InputCell::Pushed { vertex, .. } => Some(*vertex),
            _ => None,
        }));
        offsets.push(list.len() as u32);
    }
    (offsets, list)
}

/// Checks that no vertex depends on itself.
pub(super) fn check_acyclic<T: Element>(graph: &Graph<T>) -> Result<(), GraphError> {
    // If vertices depend only on earlier ones, there is no cycle. Graphs that are built vertex by vertex are
    // so.
    let is_earlier = |vertex: usize, cell: &InputCell| match *cell {
        InputCell::Pushed { vertex: source, .. } => (source as usize) < vertex,
        _ => true,
    };
    let backward = |vertex: usize| {
        let mut children = graph.children(vertex).iter();
        children.all(|&child| (child as usize) < vertex || child == ABSENT)
            && graph.inputs(vertex).iter().all(|cell| is_earlier(vertex, cell))
    };
    if (0..graph.len()).all(backward) {
        return Ok(());
    }
    let (offsets, list) = dependencies(graph);
    let types = vec![0; graph.len()];
    match TypeGraph::new(1, types, offsets, list) {
        Err(ScheduleError::Cycle { vertices }) => {
            let first = vertices.first().map_or(0, |vertex| *vertex as usize);
            Err(GraphError::new(first, GraphProblem::Cycle { vertices }))
        }
        // Ranges were checked before, so only a cycle can be wrong.
        _ => Ok(()),
    }
}
