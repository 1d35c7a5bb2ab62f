//! The reference: runs a minibatch one vertex at a time, in `f64`, by the vertex functions
//! themselves.

use edb_kernels::element::Element;
use edb_kernels::random::VertexKey;
use edb_model::graph::{ABSENT, FlatBatch, InputCell, Minibatch, inside};
use edb_model::model::Model;
use edb_model::model::bound::{BoundFunction, InputField};
use edb_schedule::TypeGraph;
use edb_vertex::eager::context::{self, Decision, EagerState, EagerVertex, Followed};
use edb_vertex::eager::dual::Dual;
use edb_vertex::eager::rounded::Rounded;
use edb_vertex::eager::scope;
use edb_vertex::port::PortValue;
use edb_vertex::tensor::{Index, Indices, Tensor};

/// The results of an eager run of a minibatch. Vertices are in the order of the minibatch.
#[derive(Clone, Debug)]
pub struct EagerRun {
    /// The fields of each vertex's scattered state, in the order of the function's program; an index
    /// as a number.
    pub states: Vec<Vec<Vec<f64>>>,
    /// The fields of each vertex's pushed output, likewise; of a list those of its items, one after
    /// the other.
    pub outputs: Vec<Vec<Vec<f64>>>,
    /// The loss of each vertex.
    pub losses: Vec<f64>,
    /// The bounds of the rounding errors of all of these: see [`Rounded`].
    pub(super) errors: Errors,
    /// The derivative of the objective along the run's direction.
    pub(super) derivative: Rounded,
    /// The decisions that were followed, each with its vertex.
    pub(super) followed: Vec<(usize, Followed)>,
    /// The scalars that conditions compared, each pair with its vertex.
    pub(super) compared: Vec<(usize, [Dual; 2])>,
}

/// The bounds of the rounding errors of the values in the same fields of an [`EagerRun`].
#[derive(Clone, Debug)]
pub(super) struct Errors {
    pub(super) states: Vec<Vec<Vec<f64>>>,
    pub(super) outputs: Vec<Vec<Vec<f64>>>,
    pub(super) losses: Vec<f64>,
}

/// The objective of a run, and the direction of its derivative.
///
/// The objective is `Σ losses + Σ ⟨weight, output⟩` with weights of which no two are equal, so that
/// no symmetric mistake cancels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Objective {
    /// The number of the direction.
    pub(super) direction: u64,
    /// Seed and step of dropout; `None` for inference.
    pub(super) draws: Option<(u64, u64)>,
}

impl Objective {
    /// The direction's component for an element of a parameter.
    pub(super) fn of_parameter(&self, parameter: usize, element: usize) -> f64 {
        self.draw(0, parameter, element)
    }

    /// The direction's component for an element of the minibatch's input data.
    pub(super) fn of_input(&self, element: usize) -> f64 {
        self.draw(1, 0, element)
    }

    /// The weight of an element of a vertex's pushed output; fields are counted over all items of a
    /// list.
    pub(super) fn weight(vertex: u32, field: usize, element: usize) -> f64 {
        Objective { direction: 0, draws: None }.draw(2 + field as u32, vertex as usize, element)
    }

    fn draw(&self, kind: u32, of: usize, element: usize) -> f64 {
        let key = VertexKey::new(self.direction, 0, of as u64, 0, kind).site(0, 0);
        2.0 * key.uniform(element) - 1.0
    }
}

/// Runs a minibatch eagerly; the parameters have been fetched. Vertices follow the decisions in
/// `decided`, where there are some.
pub(super) fn run_eagerly<T: Element>(
    model: &Model<T>,
    minibatch: &Minibatch<T>,
    objective: &Objective,
    decided: &[Vec<Decision>],
) -> EagerRun {
    let batch = FlatBatch::of(minibatch);
    scope(|| {
        let parameters: Vec<Tensor> = (model.parameters().iter())
            .map(|(id, parameter)| {
                let tangent = |element| objective.of_parameter(id.index(), element);
                let dual = |(element, x): (usize, &T)| Dual::new(x.as_f64(), tangent(element));
                let data = parameter.fetched().iter().enumerate().map(dual).collect();
                Tensor::from_duals(parameter.shape(), data)
            })
            .collect();
        let count = batch.functions().len();
        let mut left: Vec<Left> = vec![Left::default(); count];
        let own = children_first(batch).into_iter();
        for vertex in own.filter(|vertex| batch.owner(*vertex) == *vertex) {
            let of = batch.functions()[vertex as usize];
            let function = model.bound().as_added(of);
            let params: Vec<Tensor> =
                function.params.iter().map(|id| parameters[id.index()]).collect();
            let input = input(minibatch, vertex, function, objective, &left);
            let children = |child: &u32| match *child {
                ABSENT => None,
                child => left[batch.owner(child) as usize].state.clone(),
            };
            let key = |draws| batch.vertex_key(function.key, vertex, draws);
            let eager = EagerVertex {
                children: batch.children(vertex).iter().map(children).collect(),
                fixed: function.fixed(),
                input,
                draws: objective.draws.map(key),
                samples: Some(key(objective.draws.unwrap_or((0, 0)))),
                decisions: decided.get(vertex as usize).cloned().unwrap_or_default(),
            };
            let results = [model.bound().result_of(of), model.bound().pushing(of)];
            left[vertex as usize] = run(function, results, &params, eager);
        }
        collect(&left)
    })
}

/// The results of a vertex, with fields in the order of its program.
#[derive(Clone, Debug, Default)]
struct Left {
    /// As its parents read it: fields in the order of the struct.
    state: Option<EagerState>,
    scattered: Vec<PortValue>,
    output: Vec<PortValue>,
    /// The output as pulls read it: fields in the order of the struct. No pull reads a list.
    pushed: Vec<PortValue>,
    losses: Vec<Tensor>,
    followed: Vec<Followed>,
    compared: Vec<[Dual; 2]>,
}

fn children_first(batch: &FlatBatch) -> Vec<u32> {
    let (mut offsets, mut list) = (vec![0], Vec::new());
    for vertex in 0..batch.functions().len() as u32 {
        // What a vertex reads is read by its own function, whatever its sections read.
        if batch.owner(vertex) == vertex {
            list.extend(batch.dependencies(vertex).map(|read| batch.owner(read)));
        }
        offsets.push(list.len() as u32);
    }
    let graph = TypeGraph::new(1, vec![0; batch.functions().len()], offsets, list)
        .expect("the minibatch was checked: its graphs are acyclic");
    graph.children_first().to_vec()
}

fn input<T: Element>(
    minibatch: &Minibatch<T>,
    vertex: u32,
    function: &BoundFunction,
    objective: &Objective,
    left: &[Left],
) -> Vec<PortValue> {
    let batch = FlatBatch::of(minibatch);
    let fields = function.input.iter().zip(batch.inputs(vertex));
    let value = |(field, cell): (&InputField, &InputCell)| match *cell {
        InputCell::Index(index) => PortValue::Index(Index(index)),
        InputCell::Indices { .. } => PortValue::Indices(Indices::from_values(batch.indices(cell))),
        InputCell::Pushed { vertex, field } => {
            left[batch.owner(vertex) as usize].pushed[usize::from(field)]
        }
        InputCell::Data { start, length } => {
            let dual = |element: usize| {
                Dual::new(inside::data(minibatch)[element].as_f64(), objective.of_input(element))
            };
            let data: Vec<Dual> = (start as usize..(start + length) as usize).map(dual).collect();
            let shape = field.sizes.clone().unwrap_or_else(|| [data.len()].into_iter().collect());
            PortValue::Tensor(Tensor::from_duals(&shape, data))
        }
    };
    fields.map(value).collect()
}

/// Runs one vertex: its Rust function, or what was built by hand where there is none; `last` is the
/// section that scatters, and `pushing` one that pushes, if it has several.
fn run(
    function: &BoundFunction,
    [last, pushing]: [&BoundFunction; 2],
    params: &[Tensor],
    vertex: EagerVertex,
) -> Left {
    let result = function.run_eagerly(params, vertex);
    let scattered = match (&result.state, last.plan.program.scattered) {
        (Some(state), Some(_)) => {
            last.scatter_order().iter().map(|place| state.fields[*place]).collect()
        }
        _ => Vec::new(),
    };
    let mut output = Vec::new();
    for pushed in &result.outputs {
        let mut by_program = vec![None; pushed.len()];
        for (field, value) in pushing.output.iter().zip(pushed) {
            by_program[usize::from(field.program_field)] = Some(*value);
        }
        output.extend(by_program.into_iter().flatten());
    }
    Left {
        state: result.state,
        scattered,
        output,
        pushed: result.outputs.into_iter().next().unwrap_or_default(),
        losses: result.losses,
        followed: result.followed,
        compared: result.compared,
    }
}

fn collect(left: &[Left]) -> EagerRun {
    // Sums over vertices add no rounding errors: the compiled run computes them in `f64`, too.
    let mut derivative = Rounded::default();
    let mut add = |weight: f64, tangent: Rounded| {
        derivative.value += weight * tangent.value;
        derivative.error += weight.abs() * tangent.error;
    };
    let [mut states, mut outputs] = [Vec::new(), Vec::new()];
    let mut losses = Vec::with_capacity(left.len());
    for (vertex, left) in left.iter().enumerate() {
        let mut sum = Rounded::default();
        for loss in left.losses.iter().map(|loss| context::duals(*loss)[0]) {
            let value = Rounded::of_value(loss);
            sum = Rounded { value: sum.value + value.value, error: sum.error + value.error };
            add(1.0, Rounded::of_tangent(loss));
        }
        losses.push(sum);
        let of_vertex: Vec<Vec<Dual>> = left.output.iter().map(duals).collect();
        for (field, output) in of_vertex.iter().enumerate() {
            for (element, dual) in output.iter().enumerate() {
                let weight = Objective::weight(vertex as u32, field, element);
                add(weight, Rounded::of_tangent(*dual));
            }
        }
        outputs.push(of_vertex);
        states.push(left.scattered.iter().map(duals).collect());
    }
    let all = |of: &[Vec<Vec<Dual>>], number: fn(Rounded) -> f64| -> Vec<Vec<Vec<f64>>> {
        let field =
            |field: &Vec<Dual>| field.iter().map(|x| number(Rounded::of_value(*x))).collect();
        of.iter().map(|fields| fields.iter().map(field).collect()).collect()
    };
    let [value, error]: [fn(Rounded) -> f64; 2] = [|x| x.value, |x| x.error];
    EagerRun {
        states: all(&states, value),
        outputs: all(&outputs, value),
        losses: losses.iter().map(|loss| loss.value).collect(),
        errors: Errors {
            states: all(&states, error),
            outputs: all(&outputs, error),
            losses: losses.iter().map(|loss| loss.error).collect(),
        },
        derivative,
        followed: (left.iter().enumerate())
            .flat_map(|(vertex, left)| left.followed.iter().map(move |made| (vertex, *made)))
            .collect(),
        compared: (left.iter().enumerate())
            .flat_map(|(vertex, left)| left.compared.iter().map(move |pair| (vertex, *pair)))
            .collect(),
    }
}

/// The elements of a tensor; an index as a number.
fn duals(value: &PortValue) -> Vec<Dual> {
    match value {
        PortValue::Tensor(tensor) => context::duals(*tensor),
        PortValue::Index(index) => vec![Dual::new(f64::from(index.0), 0.0)],
        PortValue::Indices(_) => unreachable!("no port shows a bag"),
    }
}
