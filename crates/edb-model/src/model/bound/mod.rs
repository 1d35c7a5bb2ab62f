//! A vertex function with numbers for its dimensions: what the engine executes.
//!
//! The inputs are the plan of a function that was added to a model, and a number for each dimension. The result
//! is a [`BoundFunction`], whose records, products and instructions have sizes and places. `building` makes it;
//! the engine, back ends and the interpreter read it.
//!
//! | file | what it holds |
//! | --- | --- |
//! | this file | the function |
//! | `routine` | its instructions |
//! | `stack` | its records and products |
//! | `outer` | gradients of matrices that are computed by one product |
//! | `needs` | what the rows of a phase need in addition to memory for their records |
//! | `variants` | which variant of its function a vertex is |
//! | `vertex_rules` | quick checks of the vertices of a function |

pub mod needs;
pub mod outer;
pub mod routine;
pub mod stack;
mod variants;
pub(crate) mod vertex_rules;

use std::any::TypeId;
use std::ops::Range;

use edb_ir::{
    Bindings, Flow, FunctionId, IdVec, Indexing, Instruction, Leaf, Movement, Op, Phase, Plan,
    PortDecl, Program, Sites, Sizes, Slot, ValueId, Verified,
};

use super::added::{AddedFunction, EagerCall, PortKey};
use super::error::ModelProblem;
use edb_kernels::fused::CompiledKernels;
use edb_kernels::random::ContentHash;
use edb_learn::learn::ParameterId;
use edb_schedule::TypeSignature;
use edb_vertex::eager::context::{EagerResult, EagerVertex, run_vertex};
use edb_vertex::function::EagerArguments;
use edb_vertex::port::FieldKind;
use edb_vertex::tensor::Tensor;
use needs::PhaseNeeds;

pub(crate) use routine::BoundRoutine;
pub(crate) use stack::{BoundStack, Matrices, ValueBlock, Weights, WeightsId};
pub(crate) use variants::Variants;
pub(crate) use vertex_rules::{MAX_MASKED_FUNCTIONS, VertexRules};

/// Describes a value to the author of the function, with its name if it has one.
fn described(program: &Program, id: ValueId) -> String {
    let value = program.value(id);
    let field = |port: Option<&PortDecl>, number: u16| {
        port.and_then(|port| port.fields.get(usize::from(number))).map(|field| field.name.clone())
    };
    let named = match value.op {
        Op::Leaf(Leaf::Pull(number)) => field(program.input.as_ref(), number)
            .map(|name| format!("`{name}`, a field of its input,")),
        Op::Leaf(Leaf::Child { slot, field: number }) => program
            .slot_state(slot)
            .and_then(|state| field(program.states.get(usize::from(state)), number))
            .map(|name| format!("`{name}`, a field of a child,")),
        Op::Leaf(Leaf::Param(param)) => program
            .params
            .get(usize::from(param))
            .map(|param| format!("the parameter `{}`", param.name)),
        _ => None,
    };
    named.unwrap_or_else(|| format!("value %{} ({})", id.0, value.op.row().name))
}

/// How many elements a tensor may have at most, so that offsets in a minibatch fit into `usize`.
pub(super) const MAX_TENSOR_ELEMENTS: usize = 1 << 40;

/// A function that has not been through any pass, with numbers for its shapes.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(crate) flow: Flow,
    pub(crate) values: Vec<BoundValue>,
    /// For each state of its program, the place of each field among the fields of the model's state.
    pub(crate) states: Vec<Vec<usize>>,
    /// The state that it scatters, with all of its fields, if this is a Rust type.
    pub(crate) scattered: Option<(TypeId, Vec<FieldKind>)>,
}

/// A value with numbers for its dimensions.
#[derive(Clone, Debug)]
pub struct BoundValue {
    /// The shape of one row.
    pub sizes: Sizes,
    /// The elements of one row.
    pub width: usize,
    /// The first element of a slice, or the position of the argument in a pad.
    pub start: usize,
    /// The number of elements that an [`Leaf::Length`] counts.
    pub length: usize,
    /// Of how many an index is one, if the model determines it.
    pub one_of: Option<usize>,
}

/// A field of the input, in the order of the struct.
#[derive(Clone, Debug)]
pub struct InputField {
    /// Its name in the struct.
    pub name: String,
    /// What it holds.
    pub kind: FieldKind,
    /// The shape of a tensor; `None` if the function does not use the field.
    pub sizes: Option<Sizes>,
    /// An index must be below this, if the function uses it.
    pub bound: Option<usize>,
}

/// A field of the output, in the order of the struct.
#[derive(Clone, Debug)]
pub struct OutputField {
    /// Its name in the struct.
    pub name: String,
    /// What it holds.
    pub kind: FieldKind,
    /// The value of the program that is pushed.
    pub value: ValueId,
    /// The number of the field in the program's output.
    pub program_field: u16,
}

/// A field of a state of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateField {
    /// Its name in the struct.
    pub name: String,
    /// The shape; an index has the shape of a scalar. `None` if no function of the model scatters the field.
    pub sizes: Option<Sizes>,
    /// Whether it is an index.
    pub is_index: bool,
}

impl StateField {
    /// The number of elements of a row; 0 if no function scatters the field.
    pub fn width(&self) -> usize {
        self.sizes.as_ref().map_or(0, |sizes| sizes.iter().product())
    }
}

/// A state type of the model.
#[derive(Clone, Debug)]
pub struct StateInfo {
    pub(crate) key: PortKey,
    /// The name of the struct.
    pub name: String,
    /// In the order of the struct.
    pub fields: Vec<StateField>,
}

/// A vertex function in a model.
#[derive(Clone, Debug)]
pub struct BoundFunction {
    /// Its number in the model.
    pub id: FunctionId,
    /// Its name in the model.
    pub name: String,
    /// A hash of the name, on which draws depend.
    pub key: u64,
    /// The compiled plan.
    pub plan: Verified,
    pub(crate) eager: Option<EagerCall>,
    /// The compiled kernels of the plan's routine.
    pub kernels: CompiledKernels,
    /// The program as it was built, if there is no Rust function.
    pub(crate) reference: Option<Reference>,
    /// The sizes of the program's dimension names.
    pub dims: Vec<usize>,
    /// One for each value of the program.
    pub values: Vec<BoundValue>,
    /// For each parameter of the program, the parameter of the model.
    pub params: Vec<ParameterId>,
    /// For each state of the program, the model's state, and for each of its fields the model's field.
    pub states: Vec<(usize, Vec<usize>)>,
    /// The fields that it pulls, in the order of the struct.
    pub input: Vec<InputField>,
    /// For each input field of the program, its place in the struct.
    pub input_fields: Vec<usize>,
    /// The fields that it pushes.
    pub output: Vec<OutputField>,
    /// The routine, with numbers for its dimensions.
    pub routine: BoundRoutine,
    /// What each phase of the routine needs.
    pub(super) needs: [PhaseNeeds; Phase::ALL.len()],
    /// How it is joined with the other sections of its function, if the function has several.
    pub(crate) joint: Option<BoundJoint>,
    /// The choice between the variants of the function.
    pub(crate) variants: Variants,
}

/// How a section is joined with the other sections of its function.
#[derive(Clone, Debug)]
pub(crate) struct BoundJoint {
    /// Its number among the function's sections.
    pub(crate) number: u16,
    /// The function that users add; its first section has the same number.
    pub(crate) function: FunctionId,
    /// A last section, which scatters and pushes, that a vertex of this section can reach. All last sections
    /// have the same fields.
    pub(crate) last: FunctionId,
    /// How many sections there are.
    pub(crate) count: u16,
    /// How often the section draws and decides.
    pub(crate) sites: Sites,
    /// Whether the function pushes a list.
    pub(crate) lists: bool,
    /// Which vertices its slots read.
    pub(crate) sources: Vec<edb_ir::SectionChild>,
    /// The sections that may come next; `program.next` chooses if there are several. Empty for a last section.
    pub(crate) targets: Vec<FunctionId>,
}

impl BoundFunction {
    /// Runs the function itself for one vertex, in `f64`: the Rust function, or the program that was built by
    /// hand if there is no Rust function.
    pub fn run_eagerly(&self, params: &[Tensor], vertex: EagerVertex) -> EagerResult {
        match (self.eager, &self.reference) {
            (Some(call), _) => {
                let arguments = EagerArguments { params, dims: &self.dims };
                run_vertex(vertex, || call(&arguments))
            }
            (None, Some(reference)) => reference.run(params, vertex),
            (None, None) => unreachable!("what was built by hand was kept"),
        }
    }

    /// `m`, `k` and `n` of a product `[m, k], [k, n]` in a semiring, or of a weighted sum of its terms.
    pub fn semiring_sizes(&self, id: ValueId) -> [usize; 3] {
        let args = &self.plan.program.value(id).args;
        let [a, b] = [args[0], args[1]].map(|operand| &self.value(operand).sizes);
        let m = if a.len() == 2 { a[0] } else { 1 };
        [m, b[0], b.get(1).copied().unwrap_or(1)]
    }

    /// The value that is scattered as this field of the state, if there is one.
    pub fn state_value(&self, field: &str) -> Option<ValueId> {
        let program = &self.plan.program;
        let state = &program.states[usize::from(program.scattered?)];
        let place = state.fields.iter().position(|known| known.name == field)?;
        Some(program.scatter[place])
    }

    /// The gradient of the input field at this place of the struct.
    pub fn input_gradient(&self, field: usize) -> Option<ValueId> {
        let pulls = &self.plan.program.gradients.pulls;
        let of = |(number, _): &&(u16, ValueId)| self.input_fields[usize::from(*number)] == field;
        pulls.iter().find(of).map(|(_, id)| *id)
    }

    /// Binds the values of a function.
    pub(crate) fn bind_values(
        function: FunctionId,
        program: &Program,
        bindings: &Bindings,
        problems: &mut Vec<ModelProblem>,
    ) -> Vec<BoundValue> {
        let mut bound: Vec<BoundValue> = Vec::with_capacity(program.values.len());
        let name = &program.name;
        for (id, value) in program.iter() {
            let what = described(program, id);
            let mut or_report = |result: Result<Sizes, edb_ir::BindError>| {
                result.unwrap_or_else(|error| {
                    let known = problems.iter().any(|p| matches!(p, ModelProblem::Bind(_)));
                    // Further errors would only follow from the first one.
                    if !known {
                        problems.push(error.into());
                    }
                    Sizes::new()
                })
            };
            let sizes = or_report(bindings.shape(function, &value.shape, &what));
            let length = match &value.op {
                Op::Leaf(Leaf::Length(shape)) => or_report(bindings.shape(function, shape, &what)),
                _ => Sizes::new(),
            };
            let start = match &value.op {
                Op::Movement(op) if let Some(start) = op.start() => {
                    let start = bindings.size(function, start, "the start of a slice");
                    or_report(start.map(|start| std::iter::once(start).collect()))
                }
                _ => Sizes::new(),
            };
            // Of rows, the first element of the first one.
            let columns = sizes.get(1).copied().unwrap_or(1);
            let start = start.first().map_or(0, |start| start.saturating_mul(columns));
            let width = checked_product(&sizes);
            check_width(name, width, &sizes, problems);
            if let Op::Movement(op @ (Movement::Slice { .. } | Movement::SliceRows { .. })) =
                &value.op
            {
                let of = bound[value.args[0].index()].width;
                let end = start.saturating_add(width);
                if end > of {
                    let [start, end, of] = [start, end, of].map(|at| at / columns.max(1));
                    let what = match op {
                        Movement::Slice { .. } => format!("a vector of length {of}"),
                        _ => format!("a matrix with {of} rows"),
                    };
                    problems.push(ModelProblem::Shape(format!(
                        "`{name}` slices {start}..{end} out of {what}"
                    )));
                }
            }
            let length = checked_product(&length);
            if value.op == Op::Movement(Movement::Reshape) {
                let of = &bound[value.args[0].index()].sizes;
                if checked_product(of) != width {
                    problems.push(ModelProblem::Shape(format!(
                        "`{name}`: a tensor of shape {of:?} has not as many elements as the shape \
                         {sizes:?} that it is read in; `m.flatten()` has as many as rows times columns, and \
                         `v.bilinear(a, b)` needs as many columns in v as a and b have elements, multiplied"
                    )));
                }
            }
            let one_of = bindings.one_of(function, &value.shape);
            if let (Op::Indexing(Indexing::Given(index)), Some(count)) = (&value.op, one_of)
                && *index as usize >= count
            {
                problems.push(ModelProblem::Shape(format!(
                    "`{name}` names index {index} of {count}, which are counted from 0"
                )));
            }
            bound.push(BoundValue { width, sizes, start, length, one_of });
        }
        bound
    }

    /// The bound of the indices of a bag: the number of rows of the smallest table that they select from.
    pub(crate) fn bag_bound(plan: &Plan, values: &[BoundValue], field: u16) -> Option<usize> {
        let sums = plan.program.iter();
        let sums = sums.filter(|(_, value)| value.op == Op::Movement(Movement::BagSum(field)));
        let tables = sums.map(|(_, value)| &values[value.args[0].index()].sizes);
        tables.map(|sizes| sizes.first().copied().unwrap_or(0)).min()
    }

    /// The function, without its ports and parameters.
    pub(crate) fn new(
        id: FunctionId,
        name: &str,
        source: &AddedFunction,
        plan: Verified,
        dims: Vec<usize>,
        values: Vec<BoundValue>,
        states: Vec<(usize, Vec<usize>)>,
    ) -> Self {
        Self {
            id,
            name: name.into(),
            key: key(name),
            plan,
            eager: source.eager,
            kernels: source.kernels,
            reference: None,
            dims,
            values,
            params: Vec::new(),
            states,
            input: Vec::new(),
            input_fields: Vec::new(),
            output: Vec::new(),
            routine: BoundRoutine::default(),
            needs: Default::default(),
            joint: None,
            variants: Variants::default(),
        }
    }

    /// The instructions of a phase.
    pub fn instructions(&self, phase: Phase) -> &[(Phase, Instruction)] {
        self.routine.instructions(&self.plan.routine, phase)
    }

    /// What a phase needs.
    pub fn needs(&self, phase: Phase) -> &PhaseNeeds {
        &self.needs[phase as usize]
    }

    /// The function with another routine, which belongs to the kernels and instructions of its plan.
    pub(super) fn with_routine(mut self, routine: BoundRoutine) -> Self {
        let size = |id| [0, 1].map(|axis| self.value(id).sizes[axis]);
        self.needs = PhaseNeeds::of(&self.plan, &routine, &size);
        self.routine = routine;
        self
    }

    /// A value of the program, with numbers for its dimensions.
    pub fn value(&self, id: ValueId) -> &BoundValue {
        &self.values[id.index()]
    }

    /// Whether a value of the program is an index.
    pub fn is_index(&self, id: ValueId) -> bool {
        self.plan.program.value(id).shape.is_index()
    }

    /// The function as a vertex type, for schedules.
    pub(crate) fn type_signature(&self, states: &[StateInfo]) -> TypeSignature {
        let program = &self.plan.program;
        let name = |state: u16| states[self.states[usize::from(state)].0].name.clone();
        let child = |slot: &edb_ir::SlotDecl| {
            let mut child = name(slot.state);
            if slot.optional {
                child.push('?');
            }
            child
        };
        TypeSignature {
            name: self.name.clone(),
            children: program.slots.iter().map(child).collect(),
            rest: program.rest.map(name),
            state: program.scattered.map(name),
        }
    }

    /// The model's state that this function scatters.
    pub fn scattered(&self) -> Option<usize> {
        self.plan.program.scattered.map(|state| self.states[usize::from(state)].0)
    }

    /// For each field of the scattered state in the program's order, its place in the struct.
    pub fn scatter_order(&self) -> &[usize] {
        let state = self.plan.program.scattered;
        state.map_or(&[], |state| &self.states[usize::from(state)].1)
    }

    /// The model's number for a field of the children in a slot.
    pub fn child_field(&self, slot: Slot, field: u16) -> Option<(usize, usize)> {
        let state = self.plan.program.slot_state(slot)?;
        let (state, fields) = &self.states[usize::from(state)];
        Some((*state, fields[usize::from(field)]))
    }

    /// The model's state of the children at this place.
    pub(crate) fn child_state(&self, place: usize) -> Option<usize> {
        let slot = self.slot(place);
        let state = self.plan.program.slot_state(slot)?;
        Some(self.states[usize::from(state)].0)
    }

    /// The slot of the child at this place.
    pub fn slot(&self, place: usize) -> Slot {
        if place < self.fixed() { Slot::Fixed(place as u16) } else { Slot::Rest }
    }

    /// How many children it gathers by position.
    pub fn fixed(&self) -> usize {
        self.plan.program.slots.len()
    }

    /// How many children a vertex may have.
    pub(crate) fn arity(&self) -> Range<usize> {
        let end = if self.plan.program.rest.is_some() { usize::MAX } else { self.fixed() + 1 };
        self.fixed()..end
    }

    /// Whether some value lies between gather and scatter, so that its vertices must be scheduled.
    pub fn is_recurrent(&self) -> bool {
        self.plan.phases.raw.contains(&Phase::Recurrent)
    }

    /// Whether it pushes an index, since graphs may grow depending on it.
    pub fn decides(&self) -> bool {
        self.output.iter().any(|field| field.kind == FieldKind::Index)
    }

    /// Whether other vertices can read its vertices: they scatter, go on with a section, or push something that
    /// vertices pull (`feeds`).
    pub fn is_read(&self, feeds: bool) -> bool {
        let scatters = self.plan.program.scattered.is_some();
        scatters || !self.targets().is_empty() || (feeds && !self.output.is_empty())
    }

    /// The function that users name when they add its vertices. For a section, this is the function to which it
    /// belongs.
    pub fn as_added(&self) -> FunctionId {
        self.joint.as_ref().map_or(self.id, |joint| joint.function)
    }

    /// Whether users can name it when they add vertices: it is not a later section and not another variant of a
    /// function.
    pub fn is_added(&self) -> bool {
        self.as_added() == self.id
    }

    /// The sections that may come next, if its vertices go on with sections.
    pub fn targets(&self) -> &[FunctionId] {
        self.joint.as_ref().map_or(&[], |joint| &joint.targets)
    }

    /// Whether its function pushes a list. Then each section with an output pushes an item of it.
    pub fn lists(&self) -> bool {
        self.joint.as_ref().is_some_and(|joint| joint.lists)
    }

    /// Whether it makes random draws, which depend on the identity of vertices.
    pub fn draws(&self) -> bool {
        self.plan.program.values.iter().any(|v| v.op.site().is_some())
    }
}

/// The function that scatters and pushes for the vertices of a function. If it goes on with sections, this is
/// one of its last sections.
pub(super) fn result_of(
    functions: &IdVec<FunctionId, BoundFunction>,
    function: FunctionId,
) -> &BoundFunction {
    let function = &functions[function];
    match &function.joint {
        Some(joint) if !function.targets().is_empty() => &functions[joint.last],
        _ => function,
    }
}

/// A hash of a name, on which draws depend.
fn key(name: &str) -> u64 {
    let mut hash = ContentHash::default();
    name.bytes().for_each(|byte| hash.add(u64::from(byte)));
    hash.finish()
}

/// Reports a value that has no elements, or too many.
fn check_width(name: &str, width: usize, sizes: &Sizes, problems: &mut Vec<ModelProblem>) {
    if width == 0 && problems.is_empty() {
        problems.push(ModelProblem::Shape(format!(
            "`{name}`: a tensor has shape {sizes:?} and so no elements"
        )));
    }
    // Values that are computed from a value that is too large are too large, too; they are not reported again.
    let known = problems
        .iter()
        .any(|p| matches!(p, ModelProblem::TooLarge { function, .. } if *function == *name));
    if width > MAX_TENSOR_ELEMENTS && !known {
        problems.push(ModelProblem::TooLarge { function: name.into(), shape: sizes.to_vec() });
    }
}

fn checked_product(sizes: &Sizes) -> usize {
    sizes.iter().try_fold(1usize, |product, &size| product.checked_mul(size)).unwrap_or(usize::MAX)
}
