//! The test that `#[vertex_function(check(..))]` writes: one function, over random graphs.

use std::collections::{BTreeMap, BTreeSet};

use super::{Check, compiled_equals_eager};
use edb_ir::FunctionId;
use edb_kernels::random::{SiteKey, VertexKey};
use edb_learn::learn::Initializer;
use edb_model::graph::{Graph, InputRecord, VertexRecord};
use edb_model::model::bound::{BoundFunction, InputField};
use edb_model::model::{Model, ModelBuilder, Setup, add_source};
use edb_vertex::function::{Definition, VertexFunction};
use edb_vertex::port::FieldKind;

/// So many graphs, each with one vertex of the function more than the one before.
const GRAPH_COUNT: usize = 4;
/// The most children beside those in fixed places, and the most indices of a bag.
const MAX_LENGTH: usize = 3;

/// Runs a function as it is compiled, and eagerly, over random graphs of its vertices, forward and
/// backward, at these sizes of its dimensions.
///
/// # Panics
/// When a result or a gradient differs, and when there is no model with these sizes.
pub fn check_function<F: VertexFunction>(sizes: &[(&str, usize)]) {
    let add = |builder: &mut ModelBuilder, setup: Setup| builder.add::<F>(setup).key().1;
    check(F::NAME, &F::definition(), &add, sizes);
}

/// The type of number in which functions are checked: `f64`, if edb is compiled for it.
#[cfg(feature = "f64")]
type Number = f64;
#[cfg(not(feature = "f64"))]
type Number = f32;

/// Adds a function to a model.
type Add<'a> = &'a dyn Fn(&mut ModelBuilder, Setup) -> FunctionId;

/// The same, compiled once for all functions.
fn check(name: &str, definition: &Definition, add: Add<'_>, sizes: &[(&str, usize)]) {
    let found = random(name, definition, add, sizes);
    let (model, graphs) = found.unwrap_or_else(|error| panic!("{error}"));
    let batch = model.minibatch(&graphs).unwrap_or_else(|error| panic!("{error}"));
    let checked = compiled_equals_eager(&model, &batch, &Check::default());
    checked.unwrap_or_else(|error| panic!("{error}"));
}

/// A model of the function and of those that make its children, and graphs.
fn random(
    name: &str,
    definition: &Definition,
    add: Add<'_>,
    sizes: &[(&str, usize)],
) -> Result<(Model<Number>, Vec<Graph<Number>>), String> {
    let setup = || sizes.iter().fold(Setup::new(), |setup, (name, size)| setup.dim(name, *size));
    // Biases are zero by default, which could hide errors.
    let anywhere = Initializer::Uniform { bound: 0.7 };
    let plan = definition.own.plan;
    let sections = std::iter::once(plan).chain(&plan.sections);
    let programs: Vec<_> = sections.map(|of| &of.program).collect();
    check_sizes(name, programs.iter().flat_map(|of| &of.dims), sizes)?;
    let params: BTreeSet<&str> =
        programs.iter().flat_map(|of| &of.params).map(|param| &*param.name).collect();
    let own = params.iter().fold(setup(), |setup, param| setup.init(param, anywhere));
    let mut builder = ModelBuilder::new();
    let function = add(&mut builder, own);
    let sources: Vec<_> = (definition.sources.iter())
        .map(|source| add_source(&mut builder, source, setup()))
        .collect();
    let model: Model<Number> = builder.build_as(1).map_err(|error| error.to_string())?;
    let functions = &model.bound().functions;
    let (function, sources) = (&functions[function], sources.iter().map(|id| &functions[*id]));
    let mut sketch = Sketch {
        function,
        sources: sources.collect(),
        left: model.bound().result_of(function.id).scattered(),
        records: Vec::new(),
        draws: Draws { key: VertexKey::new(1, 0, 0, 0, 0).site(0, 0), drawn: 0 },
    };
    let graph = |vertices: usize| {
        let records = sketch.records(vertices)?;
        model.graph_from_records(&records).map_err(|error| error.to_string())
    };
    let graphs = (1..=GRAPH_COUNT).map(graph).collect::<Result<_, String>>()?;
    Ok((model, graphs))
}

/// Checks that each dimension has a size, and nothing else has.
fn check_sizes<'n>(
    function: &str,
    dims: impl Iterator<Item = &'n String>,
    sizes: &[(&str, usize)],
) -> Result<(), String> {
    let dims: BTreeSet<&str> = dims.map(|dim| &**dim).collect();
    if let Some(dim) = dims.iter().find(|dim| sizes.iter().all(|(name, _)| name != *dim)) {
        return Err(format!(
            "`{function}` has the dimension {dim}: add `{dim} = 3` to its `check(..)`"
        ));
    }
    match sizes.iter().find(|(name, _)| !dims.contains(name)) {
        Some((name, _)) => {
            let known: Vec<&str> = dims.into_iter().collect();
            let known = if known.is_empty() { "none".into() } else { known.join(", ") };
            Err(format!("`{function}` has no dimension {name}; its dimensions: {known}"))
        }
        None => Ok(()),
    }
}

/// A graph while it is drawn.
struct Sketch<'m> {
    function: &'m BoundFunction,
    sources: Vec<&'m BoundFunction>,
    /// The state that the function leaves.
    left: Option<usize>,
    records: Vec<VertexRecord>,
    draws: Draws,
}

impl Sketch<'_> {
    /// The records of a graph with so many vertices of the function.
    fn records(&mut self, vertices: usize) -> Result<Vec<VertexRecord>, String> {
        for _ in 0..vertices {
            let program = &self.function.plan.program;
            let rest = if program.rest.is_some() { self.draws.below(MAX_LENGTH + 1) } else { 0 };
            let mut children = Vec::new();
            for place in 0..program.slots.len() + rest {
                let optional = program.slots.get(place).is_some_and(|slot| slot.optional);
                let child = if optional && self.draws.below(3) == 0 {
                    None
                } else {
                    Some(self.child(place)?)
                };
                children.push(child);
            }
            let is_empty = program.may_lack_input && self.draws.below(3) == 0;
            let input = if is_empty { BTreeMap::new() } else { self.input(self.function) };
            self.records.push(VertexRecord {
                function: self.function.name.clone(),
                children,
                input,
            });
        }
        Ok(std::mem::take(&mut self.records))
    }

    /// A child for this place: a vertex of the function, or else one that is made.
    fn child(&mut self, place: usize) -> Result<usize, String> {
        let slot = self.function.slot(place);
        let state = self.function.plan.program.slot_state(slot);
        let state = state.map(|state| self.function.states[usize::from(state)].0);
        let is_own = |record: &VertexRecord| record.function == self.function.name;
        let own: Vec<usize> =
            (0..self.records.len()).filter(|at| is_own(&self.records[*at])).collect();
        if self.left == state && !own.is_empty() && self.draws.below(3) > 0 {
            return Ok(own[self.draws.below(own.len())]);
        }
        let source = self.sources.iter().find(|source| source.scattered() == state).copied();
        let source = source.ok_or_else(|| {
            let function = &self.function.name;
            format!(
                "nothing makes the children of `{function}`: write `#[vertex_function(check(..))]`"
            )
        })?;
        let input = self.input(source);
        let function = source.name.clone();
        self.records.push(VertexRecord { function, children: Vec::new(), input });
        Ok(self.records.len() - 1)
    }

    fn input(&mut self, function: &BoundFunction) -> BTreeMap<String, InputRecord> {
        function.input.iter().map(|field| (field.name.clone(), self.draws.field(field))).collect()
    }
}

/// Draws, one after the other.
struct Draws {
    key: SiteKey,
    drawn: usize,
}

impl Draws {
    /// Uniform in `[0, 1)`.
    fn uniform(&mut self) -> f64 {
        self.drawn += 1;
        self.key.uniform(self.drawn)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.uniform() * count as f64) as usize
    }

    fn field(&mut self, field: &InputField) -> InputRecord {
        // Nothing reads an index without a bound.
        let bound = field.bound.unwrap_or(1);
        match field.kind {
            FieldKind::Index => InputRecord::Index(self.below(bound) as u32),
            FieldKind::Indices => {
                let count = self.below(MAX_LENGTH + 1);
                InputRecord::Indices((0..count).map(|_| self.below(bound) as u32).collect())
            }
            FieldKind::Tensor => {
                let length = field.sizes.as_ref().map_or(1, |sizes| sizes.iter().product());
                InputRecord::Tensor((0..length).map(|_| 2.0 * self.uniform() - 1.0).collect())
            }
        }
    }
}
