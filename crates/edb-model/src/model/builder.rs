//! Makes a model of vertex functions.

use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

use edb_ir::{Bindings, Flow, FunctionId, FunctionParam, IdVec, Member, Plan, Program};

use super::blueprint::{Blueprint, BoundModel, next_id};
use super::bound::{
    BoundFunction, BoundJoint, InputField, LARGEST, Original, OutputField, PortInfo, Reference,
    Source, StateField, StateInfo,
};
use super::check::Parts;
use super::error::{ModelError, ModelProblem};
use super::routine::BoundRoutine;
use super::rules::Rule;
use super::setup::{Setup, SharedParam};
use super::variants::Variants;
use super::{Function, Model};
use edb_kernels::element::{Each, Element, Family};
use edb_kernels::fused::CompiledKernels;
use edb_kernels::trace::TARGET;
use edb_learn::learn::{Initializer, ParameterId, Parameters, Start};
use edb_schedule::Signature;
use edb_vertex::function::VertexFunction;
use edb_vertex::port::FieldKind;

/// Collects vertex functions and makes a [`Model`] of them.
///
/// Everything is checked in [`ModelBuilder::build`], all problems at once.
pub struct ModelBuilder {
    id: u64,
    pub(super) functions: IdVec<FunctionId, (Source, Setup)>,
    replan: Option<Replan>,
    interpreted: bool,
}

/// Makes another plan from a function's plan.
type Replan = Box<dyn Fn(&Plan) -> Plan + Send + Sync>;

/// [`ModelBuilder::build`].
struct Build;

impl Family for Build {
    type Member<T: Element> = fn(ModelBuilder, u64) -> Result<Model<T>, ModelError>;
}

static BUILD: Each<Build> = Each { f32: ModelBuilder::build_each, f64: ModelBuilder::build_each };

impl fmt::Debug for ModelBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, functions, replan, interpreted } = self;
        f.debug_struct("ModelBuilder")
            .field("id", id)
            .field("functions", functions)
            .field("replanned", &replan.is_some())
            .field("interpreted", interpreted)
            .finish()
    }
}

impl Default for ModelBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl ModelBuilder {
    /// An empty model.
    pub fn new() -> Self {
        Self { id: next_id(), functions: IdVec::new(), replan: None, interpreted: false }
    }

    /// The number of the model to be.
    pub(super) fn id(&self) -> u64 {
        self.id
    }

    /// Adds a vertex function, named as a type, with its dimensions:
    /// `builder.add::<phrase>(dims! { H: 150 })`.
    pub fn add<F: VertexFunction>(&mut self, setup: Setup) -> Function<F> {
        let id = self.functions.push((Source::of_definition(&F::definition()), setup));
        Function { id, model: self.id, function: PhantomData }
    }

    /// Adds a vertex function whose program was built by hand. `compile` makes its plan, such as
    /// `compile` of the crate `edb-compiler`. Returns its number. Its vertices come from records
    /// ([`Model::graph_from_records`]).
    ///
    /// A program that breaks a rule is not compiled: [`ModelBuilder::build`] reports what is wrong.
    pub fn add_program(
        &mut self,
        program: Program,
        compile: impl FnOnce(Program) -> Plan,
        setup: Setup,
    ) -> FunctionId {
        self.add_flow(program.into(), |flow| compile(flow.program), setup)
    }

    /// Adds a vertex function with branches and loops that was built by hand, as
    /// [`ModelBuilder::add_program`] adds a program; `compile_flow` of the crate `edb-compiler` makes
    /// its plan.
    pub fn add_flow(
        &mut self,
        flow: Flow,
        compile: impl FnOnce(Flow) -> Plan,
        setup: Setup,
    ) -> FunctionId {
        self.functions.push((Source::of_flow(flow, compile), setup))
    }

    /// Adds a vertex function whose plan was compiled elsewhere, as [`ModelBuilder::add_program`]
    /// adds a program. Without the program from before the compiler's passes, it cannot be compared
    /// with an eager run.
    #[doc(hidden)]
    pub fn add_plan(&mut self, plan: Plan, setup: Setup) -> FunctionId {
        self.functions.push((Source::of_plan(plan), setup))
    }

    /// Replaces each function's plan by the one that `new` makes of it. `replan` of the crate
    /// `edb-compiler` leaves out some optimisations, to measure what they gain: results are the
    /// same except for rounding. The macro's compiled kernels belong to the macro's plan, and are
    /// not used for another.
    pub fn replan(mut self, new: impl Fn(&Plan) -> Plan + Send + Sync + 'static) -> Self {
        self.replan = Some(Box::new(new));
        self
    }

    /// Interprets fused kernels even where they are compiled, with bit-identical results, so that
    /// the gain of an optimisation can be measured apart from that of compiled kernels.
    pub fn interpret_kernels(mut self) -> Self {
        self.interpreted = true;
        self
    }

    /// Checks everything and makes the model, its parameters initialised from `seed`. Give the
    /// element type: `builder.build::<f32>(seed)?`, or `let model: Model = builder.build(seed)?`.
    ///
    /// # Errors
    /// Everything that is wrong: dimensions without sizes, fields of a state that two functions
    /// disagree about, parameters that do not exist.
    pub fn build<T: Element>(self, seed: u64) -> Result<Model<T>, ModelError> {
        BUILD.of::<T>()(self, seed)
    }

    fn build_each<T: Element>(mut self, seed: u64) -> Result<Model<T>, ModelError> {
        let source = |(source, setup): &(Source, Setup)| {
            let setup = Setup { initializers: Vec::new(), ..setup.clone() };
            (source.clone(), setup)
        };
        let own_sources = self.functions.iter().map(source).collect();
        self.cut();
        if let Some(replan) = &self.replan {
            for (source, _) in &mut self.functions.raw {
                // A plan that is invalid is reported below.
                if source.plan.verify().is_err() {
                    continue;
                }
                let plan = replan(&source.plan);
                if plan != *source.plan {
                    source.plan = Arc::new(plan);
                    source.kernels = CompiledKernels::NONE;
                }
            }
        }
        if self.interpreted {
            self.functions.raw.iter_mut().for_each(|(s, _)| s.kernels = CompiledKernels::NONE);
        }
        let count = self.functions.len();
        let _span = tracing::debug_span!(target: TARGET, "build", functions = count).entered();
        let mut problems = Vec::new();
        if self.functions.is_empty() {
            problems.push(ModelProblem::NoFunctions);
        }
        let names = self.names(&mut problems);
        let mut plans = Vec::with_capacity(count);
        for ((source, _), name) in self.functions.iter().zip(&names) {
            match source.verified() {
                Ok(plan) => plans.push(plan),
                Err(reason) => {
                    problems.push(ModelProblem::Plan { function: name.clone(), reason });
                }
            }
        }
        // Nothing else can be checked of a plan that is invalid.
        if plans.len() < count {
            fail(&mut problems)?;
        }
        let dims: IdVec<FunctionId, Vec<usize>> = (self.functions.iter().zip(&names))
            .map(|((source, setup), name)| sizes(source, setup, name, &mut problems))
            .collect();
        let mut states: Vec<StateInfo> = Vec::new();
        let mapped: IdVec<FunctionId, Vec<(usize, Vec<usize>)>> =
            (self.functions.iter().zip(&names))
                .map(|((source, _), name)| map_states(source, name, &mut states, &mut problems))
                .collect();
        let shared = self.shared(&names, &mut problems);
        fail(&mut problems)?;

        let numbers: Vec<Vec<usize>> =
            mapped.iter().map(|states| states.iter().map(|state| state.0).collect()).collect();
        let members: Vec<Member<'_>> = (self.functions.iter().zip(&names))
            .zip(dims.iter().zip(&numbers))
            .map(|(((source, _), name), (dims, states))| Member {
                name,
                program: &source.plan.program,
                dims,
                states,
            })
            .collect();
        let pairs: Vec<_> = shared.iter().map(|shared| [shared.with, shared.own]).collect();
        let bindings = Bindings::new(&members, &pairs).map_err(|errors| ModelError {
            problems: errors.into_iter().map(ModelProblem::from).collect(),
        })?;

        let mut functions: IdVec<FunctionId, BoundFunction> = IdVec::new();
        let mut weights = IdVec::new();
        let mut parameters = Parameters::new();
        let sources = self.functions.iter_enumerated().zip(&names).zip(plans);
        for (((id, (source, setup)), name), plan) in sources {
            let values =
                BoundFunction::bind_values(id, &source.plan.program, &bindings, &mut problems);
            let reference = source.original.as_ref().map(|Original { flow, states: ports }| {
                let program = &flow.program;
                Reference {
                    values: BoundFunction::bind_values(id, program, &bindings, &mut problems),
                    states: (ports.iter().zip(&program.states))
                        .map(|(port, decl)| places(port, decl, &states))
                        .collect(),
                    flow: flow.clone(),
                }
            });
            fail(&mut problems)?;
            let (dims, states_of) = (dims[id].clone(), mapped[id].clone());
            let mut function = BoundFunction::new(id, name, source, plan, dims, values, states_of);
            function.reference = reference;
            function.joint = self.joint(id);
            if let Some(joint) = &function.joint {
                // The draws of a vertex are its function's.
                function.key = functions.get(joint.function).map_or(function.key, |of| of.key);
            }
            bind_ports(&mut function, source, &bindings, &mut states, &mut problems);
            function.variants =
                Variants::of(&source.plan.choices, &function.input_fields, &self.sections_of(id));
            for (number, param) in source.plan.program.params.iter().enumerate() {
                let own = FunctionParam { function: id, param: number as u16 };
                if let Some(Shared { with, .. }) = shared.iter().find(|shared| shared.own == own) {
                    let params = &functions[with.function].params;
                    function.params.push(params[usize::from(with.param)]);
                    continue;
                }
                let full = format!("{name}.{}", param.name);
                let shape = bindings.shape(id, &param.shape, &full);
                let initializer =
                    setup.initializers.iter().find(|(of, _)| *of == param.name).map(|(_, i)| i);
                match shape.map_err(ModelProblem::from).and_then(|shape| {
                    Ok(create(&mut parameters, &full, &shape, initializer, seed)?)
                }) {
                    Ok(id) => function.params.push(id),
                    Err(problem) => problems.push(problem),
                }
            }
            let plan = function.plan.clone();
            // Routines are bound only if all parameters exist.
            if !problems.is_empty() {
                functions.push(function);
                continue;
            }
            match BoundRoutine::new(id, &plan, &bindings, &function.params, &mut weights) {
                Ok(routine) => function.routine = routine,
                Err(problem) => problems.push(problem),
            }
            functions.push(function);
        }
        bound_inputs(&mut functions);
        unscattered(&functions, &states, &mut problems);
        fail(&mut problems)?;
        let parts = Parts {
            functions: &functions,
            states: &states,
            weights: &weights,
            parameters: &parameters,
        };
        parts.check(&mut problems);
        fail(&mut problems)?;
        let signature =
            Signature::of(functions.iter().map(|function| function.type_signature(&states)));
        let rules = Rule::all(&functions);
        let draws_in_sections = functions.iter().any(|function| {
            let program = &function.plan.program;
            let mut values = program.iter().filter(|(id, _)| program.next != Some(*id));
            let draws = |op: &edb_ir::Op| op.site().is_some() || op.decision().is_some();
            function.joint.is_some() && values.any(|(_, value)| draws(&value.op))
        });
        let has_lists = functions.iter().any(BoundFunction::lists);
        let has_variants = functions.iter().any(|function| function.variants.are_several());
        let names_and_shapes = parameters.identities();
        let bound = BoundModel {
            id: self.id,
            functions,
            parameters: names_and_shapes.map(|(name, of)| (name.clone(), of.into())).collect(),
            states,
            weights,
            signature,
            rules,
            losses_left_out: OnceLock::new(),
            sources: own_sources,
            has_variants,
            has_lists,
            draws_in_sections,
        };
        Ok(Model { blueprint: Blueprint::new(bound), parameters })
    }

    /// Adds the sections of functions that have several, behind all functions.
    fn cut(&mut self) {
        for id in self.functions.ids().collect::<Vec<_>>() {
            let (source, setup) = &mut self.functions[id];
            let sections = source.cut(id);
            let (function, setup) = (source.plan.program.name.clone(), setup.clone());
            for section in sections {
                let program = &section.plan.program;
                let what = program.name.strip_prefix(&function).unwrap_or(&program.name);
                let name = format!("{}{what}", setup.name.as_ref().unwrap_or(&function));
                let mut own = Setup { dims: setup.dims.clone(), ..Setup::new().named(&name) };
                own.shared = program
                    .params
                    .iter()
                    .map(|param| {
                        let (model, param) = (self.id, param.name.clone());
                        let with = SharedParam { model, function: id, name: "", param };
                        (with.param.clone(), with)
                    })
                    .collect();
                self.functions.push((section, own));
            }
        }
    }

    /// The sections of a function, by number.
    fn sections_of(&self, function: FunctionId) -> Vec<FunctionId> {
        let is_section = |(_, (source, _)): &(FunctionId, &(Source, Setup))| {
            source.section_of.is_some_and(|(of, _)| of == function)
        };
        let others = self.functions.iter_enumerated().filter(is_section).map(|(id, _)| id);
        std::iter::once(function).chain(others).collect()
    }

    /// How a section is joined with the others of its function.
    fn joint(&self, id: FunctionId) -> Option<BoundJoint> {
        let (source, _) = &self.functions[id];
        let joint = source.plan.joint.as_ref()?;
        let (function, number) = source.section_of.unwrap_or((id, 0));
        let all = self.sections_of(function);
        let targets = |section: FunctionId| {
            let joint = self.functions[section].0.plan.joint.iter();
            joint.flat_map(|joint| &joint.targets).map(|target| all[usize::from(*target)])
        };
        // Every way through sections leads to the same last one.
        let mut reached = vec![id];
        let mut place = 0;
        while let Some(section) = reached.get(place).copied() {
            for target in targets(section) {
                if !reached.contains(&target) {
                    reached.push(target);
                }
            }
            place += 1;
        }
        let ends = |section: &&FunctionId| targets(**section).next().is_none();
        let last = *reached.iter().find(ends).unwrap_or(&id);
        Some(BoundJoint {
            number,
            function,
            last,
            count: all.len() as u16,
            sites: joint.sites,
            lists: joint.lists,
            sources: joint.sources.clone(),
            targets: targets(id).collect(),
        })
    }

    fn names(&self, problems: &mut Vec<ModelProblem>) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (source, setup) in &self.functions {
            let name = setup.name.clone().unwrap_or_else(|| source.plan.program.name.clone());
            if names.contains(&name) {
                problems.push(ModelProblem::DuplicateName { name: name.clone() });
            }
            names.push(name);
        }
        names
    }

    /// The parameters that are declared as shared.
    fn shared(&self, names: &[String], problems: &mut Vec<ModelProblem>) -> Vec<Shared> {
        let mut all = Vec::new();
        for (id, (_, setup)) in self.functions.iter_enumerated() {
            let mentioned = setup.initializers.iter().map(|(param, _)| param);
            for param in mentioned {
                self.param(id, param, names, problems);
            }
            for (param, with) in &setup.shared {
                let own = self.param(id, param, names, problems);
                if with.model != self.id {
                    problems.push(ModelProblem::ForeignParam {
                        function: names[id.index()].clone(),
                        param: param.clone(),
                        other: with.name.into(),
                        shared: with.param.clone(),
                    });
                    continue;
                }
                if with.function >= id {
                    problems.push(ModelProblem::UnknownFunction {
                        function: names[id.index()].clone(),
                        param: param.clone(),
                    });
                    continue;
                }
                let other = self.param(with.function, &with.param, names, problems);
                if let (Some(own), Some(with)) = (own, other) {
                    all.push(Shared { own, with });
                }
            }
        }
        all
    }

    fn param(
        &self,
        function: FunctionId,
        param: &str,
        names: &[String],
        problems: &mut Vec<ModelProblem>,
    ) -> Option<FunctionParam> {
        let params = &self.functions[function].0.plan.program.params;
        let found = params.iter().position(|p| p.name == param);
        if found.is_none() {
            let known: Vec<String> = params.iter().map(|p| format!("`{}`", p.name)).collect();
            problems.push(ModelProblem::UnknownParam {
                function: names[function.index()].clone(),
                param: param.into(),
                known: or_none(known),
            });
        }
        found.map(|param| FunctionParam { function, param: param as u16 })
    }
}

/// A parameter that is declared as shared, and the one whose values it has.
struct Shared {
    own: FunctionParam,
    with: FunctionParam,
}

fn fail(problems: &mut Vec<ModelProblem>) -> Result<(), ModelError> {
    if problems.is_empty() {
        return Ok(());
    }
    Err(ModelError { problems: std::mem::take(problems) })
}

fn or_none(known: Vec<String>) -> String {
    if known.is_empty() { "none".into() } else { known.join(", ") }
}

/// The size of each dimension name of a function's program.
fn sizes(
    source: &Source,
    setup: &Setup,
    function: &str,
    problems: &mut Vec<ModelProblem>,
) -> Vec<usize> {
    let names = &source.plan.program.dims;
    // Of sections, it is reported once: with their function.
    let mut of_section = Vec::new();
    let problems = if source.section_of.is_some() { &mut of_section } else { problems };
    for (number, (dim, size)) in setup.dims.iter().enumerate() {
        let (function, dim) = (function.to_string(), dim.clone());
        if !names.contains(&dim) {
            let known = or_none(names.clone());
            problems.push(ModelProblem::UnknownDim { function, dim, known });
        } else if setup.dims[..number].iter().any(|(other, _)| *other == dim) {
            problems.push(ModelProblem::DuplicateDim { function, dim });
        } else if *size == 0 {
            problems.push(ModelProblem::ZeroDim { function, dim });
        } else if *size > LARGEST {
            let (size, most) = (*size, LARGEST);
            problems.push(ModelProblem::LargeDim { function, dim, size, most });
        }
    }
    let size = |name: &String| {
        let given = setup.dims.iter().find(|(dim, _)| dim == name);
        // What is too large has been reported.
        given.map(|(_, size)| if *size > LARGEST { 1 } else { *size }).unwrap_or_else(|| {
            problems
                .push(ModelProblem::MissingDim { function: function.into(), dim: name.clone() });
            1
        })
    };
    names.iter().map(size).collect()
}

/// The model's states and fields that correspond to those of a program.
fn map_states(
    source: &Source,
    function: &str,
    states: &mut Vec<StateInfo>,
    problems: &mut Vec<ModelProblem>,
) -> Vec<(usize, Vec<usize>)> {
    let mut mapped = Vec::new();
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

/// The place of each field of a port among those of the model's state.
fn places(port: &PortInfo, decl: &edb_ir::PortDecl, states: &[StateInfo]) -> Vec<usize> {
    let state = states.iter().find(|state| state.key == port.key);
    let place = |field: &edb_ir::FieldDecl| {
        let mut fields = state.iter().flat_map(|state| &state.fields);
        fields.position(|known| known.name == field.name).unwrap_or(0)
    };
    decl.fields.iter().map(place).collect()
}

/// Binds the fields of input, output and scattered state.
fn bind_ports(
    function: &mut BoundFunction,
    source: &Source,
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
    // In the order of the struct, in which views are read.
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

/// What a later section or another variant of a function uses is checked when a vertex is added.
fn bound_inputs(functions: &mut IdVec<FunctionId, BoundFunction>) {
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

/// Finds states that are gathered, but that no function scatters: a vertex that gathers one cannot
/// be built.
fn unscattered(
    functions: &IdVec<FunctionId, BoundFunction>,
    states: &[StateInfo],
    problems: &mut Vec<ModelProblem>,
) {
    let scattered: Vec<Option<usize>> = functions.iter().map(BoundFunction::scattered).collect();
    for function in functions {
        for (state, _) in &function.states {
            if !scattered.contains(&Some(*state)) {
                problems.push(ModelProblem::Unscattered {
                    function: function.name.clone(),
                    state: states[*state].name.clone(),
                });
            }
        }
    }
}

fn create<T: Element>(
    parameters: &mut Parameters<T>,
    name: &str,
    shape: &[usize],
    start: Option<&Start>,
    seed: u64,
) -> Result<ParameterId, edb_learn::learn::LearnError> {
    let default = Start::from(Initializer::default_for(shape));
    let values = start.unwrap_or(&default).fill::<T>(shape, seed, name)?;
    parameters.push(edb_learn::learn::Parameter::new(name, shape, values)?)
}
