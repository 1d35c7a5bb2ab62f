//! Matches the dimensions and ports of functions with the given sizes and with the states of the model.

use edb_ir::{Bindings, FunctionId, IdVec};

use crate::model::added::{AddedFunction, PortInfo};
use crate::model::bound::{
    BoundFunction, InputField, MAX_TENSOR_ELEMENTS, OutputField, StateField, StateInfo,
};
use crate::model::error::{ModelProblem, or_none};
use crate::model::setup::Setup;
use edb_vertex::port::FieldKind;

/// The size of each dimension name of a function's program.
pub(super) fn sizes(
    source: &AddedFunction,
    setup: &Setup,
    function: &str,
    problems: &mut Vec<ModelProblem>,
) -> Vec<usize> {
    let names = &source.plan.program.dims;
    // For sections, this is reported once, for their function.
    let mut of_section = Vec::new();
    let problems = if source.section_of.is_some() { &mut of_section } else { problems };
    for (number, (dim, size)) in setup.dims.iter().enumerate() {
        let problem = if !names.contains(dim) {
            let known = or_none(names.clone());
            format!("`{function}` has no dimension {dim}; it has {known}")
        } else if setup.dims[..number].iter().any(|(other, _)| other == dim) {
            format!("`{function}`: the dimension {dim} is given twice")
        } else if *size == 0 {
            format!("`{function}`: the dimension {dim} is 0; it must be at least 1")
        } else if *size > MAX_TENSOR_ELEMENTS {
            format!(
                "`{function}`: the dimension {dim} is {size}; it must be at most {MAX_TENSOR_ELEMENTS}"
            )
        } else {
            continue;
        };
        problems.push(ModelProblem::Dim(problem));
    }
    let size = |name: &String| {
        let given = setup.dims.iter().find(|(dim, _)| dim == name);
        // What is too large has been reported.
        given.map(|(_, size)| if *size > MAX_TENSOR_ELEMENTS { 1 } else { *size }).unwrap_or_else(
            || {
                let problem = format!(
                    "`{function}` needs the dimension {name}: add `{name}: size` to its dims!"
                );
                problems.push(ModelProblem::Dim(problem));
                1
            },
        )
    };
    names.iter().map(size).collect()
}

/// The model's states and fields that correspond to those of a program.
pub(super) fn map_states(
    source: &AddedFunction,
    function: &str,
    states: &mut Vec<StateInfo>,
    problems: &mut Vec<ModelProblem>,
) -> Vec<(usize, Vec<usize>)> {
    let mut mapped = Vec::new();
    let [known, needed] = [source.states.len(), source.plan.program.states.len()];
    if known < needed {
        let reason = format!("it has {needed} states, of which {known} have a type");
        problems.push(ModelProblem::Plan { function: function.into(), reason });
    }
    for (info, port) in source.states.iter().zip(&source.plan.program.states) {
        let number = states.iter().position(|state| state.key == info.key).unwrap_or_else(|| {
            states.push(StateInfo {
                key: info.key.clone(),
                name: info.name.clone(),
                fields: Vec::new(),
            });
            states.len() - 1
        });
        for (name, _) in &info.fields {
            if !states[number].fields.iter().any(|field| field.name == *name) {
                let field = StateField { name: name.clone(), sizes: None, is_index: false };
                states[number].fields.push(field);
            }
        }
        let fields = port.fields.iter().map(|field| {
            let used = FieldKind::of(&field.holds);
            let declared = info.fields.iter().find(|(name, _)| *name == field.name);
            let kind = declared.map(|(_, kind)| *kind);
            let found = states[number].fields.iter().position(|known| known.name == field.name);
            if found.is_none() || kind != Some(used) {
                problems.push(ModelProblem::Field {
                    function: function.into(),
                    port: info.name.clone(),
                    field: field.name.clone(),
                    used: used.noun(),
                    is: kind.map_or("not there", FieldKind::noun),
                });
            }
            found.unwrap_or(0)
        });
        mapped.push((number, fields.collect()));
    }
    mapped
}

/// The place of each field of a port among the fields of the model's state.
pub(super) fn places(port: &PortInfo, decl: &edb_ir::PortDecl, states: &[StateInfo]) -> Vec<usize> {
    let state = states.iter().find(|state| state.key == port.key);
    let place = |field: &edb_ir::FieldDecl| {
        let mut fields = state.iter().flat_map(|state| &state.fields);
        fields.position(|known| known.name == field.name).unwrap_or(0)
    };
    decl.fields.iter().map(place).collect()
}

/// Binds the fields of input, output and scattered state.
pub(super) fn bind_ports(
    function: &mut BoundFunction,
    source: &AddedFunction,
    bindings: &Bindings,
    states: &mut [StateInfo],
    problems: &mut Vec<ModelProblem>,
) {
    let plan = function.plan.clone();
    let program = &plan.program;
    let find = |port: &PortInfo, field: &edb_ir::FieldDecl, problems: &mut Vec<ModelProblem>| {
        let used = FieldKind::of(&field.holds);
        let found = port.fields.iter().position(|(name, _)| *name == field.name);
        let kind = found.map(|place| port.fields[place].1);
        if kind != Some(used) {
            problems.push(ModelProblem::Field {
                function: source.plan.program.name.clone(),
                port: port.name.clone(),
                field: field.name.clone(),
                used: used.noun(),
                is: kind.map_or("not there", FieldKind::noun),
            });
        }
        found.unwrap_or(0)
    };
    for (name, kind) in &source.input.fields {
        let (name, kind) = (name.clone(), *kind);
        function.input.push(InputField { name, kind, sizes: None, bound: None });
    }
    for (number, field) in program.input.iter().flat_map(|input| &input.fields).enumerate() {
        let to = find(&source.input, field, problems);
        function.input_fields.push(to);
        let Some(bound) = function.input.get_mut(to) else { continue };
        match field.shape() {
            Some(shape) if shape.is_index() => {
                bound.bound = bindings.one_of(function.id, shape);
            }
            Some(shape) => {
                match bindings.shape(function.id, shape, &format!("the pulled `{}`", field.name)) {
                    Ok(sizes) => bound.sizes = Some(sizes),
                    Err(error) => problems.push(error.into()),
                }
            }
            None => {
                bound.bound = BoundFunction::bag_bound(&plan, &function.values, number as u16);
            }
        }
    }
    let pushed = program.output.iter().flat_map(|output| &output.fields);
    for (number, (field, value)) in pushed.zip(&program.push).enumerate() {
        find(&source.output, field, problems);
        function.output.push(OutputField {
            name: field.name.clone(),
            kind: FieldKind::of(&field.holds),
            value: *value,
            program_field: number as u16,
        });
    }
    // In the order of the struct, since views are read in this order.
    let place = |name: &str| source.output.fields.iter().position(|(field, _)| field == name);
    function.output.sort_by_key(|field| place(&field.name));
    if let Some(state) = program.scattered {
        let (state, fields) = &function.states[usize::from(state)];
        for (value, field) in program.scatter.iter().zip(fields) {
            let scattered = &mut states[*state].fields[*field];
            scattered.sizes = Some(function.value(*value).sizes.clone());
            scattered.is_index = program.value(*value).shape.is_index();
        }
    }
}

/// Gives the first section the bounds and shapes of fields that only later sections or other variants use, so
/// that they are checked when a vertex is added.
pub(super) fn bound_inputs(functions: &mut IdVec<FunctionId, BoundFunction>) {
    for id in functions.ids().collect::<Vec<_>>() {
        let function = &functions[id];
        let Some(joint) = &function.joint else { continue };
        let (added, input) = (joint.function, function.input.clone());
        for (to, from) in functions[added].input.iter_mut().zip(input) {
            to.sizes = to.sizes.take().or(from.sizes);
            to.bound = match (to.bound, from.bound) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
    }
}

/// Finds states that are gathered but that no function scatters: no vertex that gathers such a state could be
/// added.
pub(super) fn unscattered(
    functions: &IdVec<FunctionId, BoundFunction>,
    states: &[StateInfo],
    problems: &mut Vec<ModelProblem>,
) {
    let scattered: Vec<Option<usize>> = functions.iter().map(BoundFunction::scattered).collect();
    let mut reported = Vec::new();
    for function in functions {
        for (state, _) in &function.states {
            if !scattered.contains(&Some(*state)) {
                // Problems of a section are reported for its function.
                let problem = (function.as_added(), *state);
                if !reported.contains(&problem) {
                    reported.push(problem);
                    problems.push(ModelProblem::Unscattered {
                        function: functions[problem.0].name.clone(),
                        state: states[*state].name.clone(),
                    });
                }
            }
        }
    }
}
