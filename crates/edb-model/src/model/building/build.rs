//! Makes a model from what a builder was told. Everything is checked step by step, and all problems of a step
//! are reported at once.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use edb_ir::{Bindings, FunctionId, FunctionParam, IdVec, Member, Op, Verified};

use super::builder::ModelBuilder;
use super::check::ModelContents;
use super::ports::{bind_ports, bound_inputs, map_states, places, sizes, unscattered};
use crate::model::Model;
use crate::model::added::{AddedFunction, Original};
use crate::model::blueprint::{Blueprint, BoundModel};
use crate::model::bound::{
    BoundFunction, BoundJoint, BoundRoutine, Reference, StateInfo, Variants, VertexRules, Weights,
    WeightsId,
};
use crate::model::error::{ModelError, ModelProblem, or_none};
use crate::model::setup::{Setup, SharedOf, SharedParam};
use edb_kernels::compiled_here;
use edb_kernels::element::Element;
use edb_kernels::trace::TARGET;
use edb_learn::learn::{Initializer, Parameter, ParameterId, Parameters, Start, checkpoint};
use edb_schedule::Signature;

/// The declarations of all functions, with numbers.
struct Declared {
    names: Vec<String>,
    /// The size of each dimension name.
    dims: IdVec<FunctionId, Vec<usize>>,
    /// For each program, the model's state for each of its states, and the model's field for each of their
    /// fields.
    states: IdVec<FunctionId, Vec<(usize, Vec<usize>)>>,
    /// The parameters that are shared.
    shared: Vec<Shared>,
}

/// A parameter that is declared as shared, and the parameter with which it is shared.
struct Shared {
    own: FunctionParam,
    with: FunctionParam,
}

/// The parts of a model that have been bound so far.
struct Bound<T> {
    functions: IdVec<FunctionId, BoundFunction>,
    states: Vec<StateInfo>,
    weights: IdVec<WeightsId, Weights>,
    parameters: Parameters<T>,
    problems: Vec<ModelProblem>,
}

impl ModelBuilder {
    /// Checks everything and makes the model in `f32`, with parameters initialised from `seed`.
    /// [`build_as`](Self::build_as) makes one in `f64`.
    ///
    /// # Errors
    /// Everything that is wrong: dimensions without sizes, fields of a state that two functions
    /// disagree about, parameters that do not exist.
    pub fn build(self, seed: u64) -> Result<Model, ModelError> {
        self.build_as(seed)
    }

    /// Makes the model in numbers of another type: `builder.build_as::<f64>(seed)?`.
    ///
    /// # Errors
    /// As [`build`](Self::build), and for `f64` if edb was compiled without its feature `f64`.
    pub fn build_as<T: Element>(self, seed: u64) -> Result<Model<T>, ModelError> {
        check_compiled::<T>()?;
        build(self, seed)
    }

    /// Checks everything and makes the model in `f32`, with the parameters of a safetensors file, which may be in
    /// `f32` or `f64`: one of [`Model::save_with`], or the `model.safetensors` of a checkpoint. No parameter is
    /// initialised, whatever [`Setup::init`] says.
    ///
    /// ```no_run
    /// # mod edb { pub use edb_learn::*; pub use edb_model::{*, model::{Model, ModelBuilder}}; }
    /// # fn load(path: &str, builder: edb::model::ModelBuilder) -> Result<(), Box<dyn std::error::Error>> {
    /// # use edb::learn::Notes;
    /// # use edb::model::{Model, ModelBuilder};
    /// let notes = Notes::load(path)?; // of `model.save_with(path, &notes)`
    /// let hidden: usize = notes.get("hidden")?;
    /// # _ = hidden;
    /// // .. `builder.add::<phrase>(dims! { H: hidden })` ..
    /// let model: Model = builder.load(path)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`build`](Self::build). Also when the file cannot be read or is damaged, or its parameters are not
    /// those of this model ([`ModelProblem::Learn`]); then all differences are named.
    pub fn load(self, path: impl AsRef<Path>) -> Result<Model, ModelError> {
        self.load_as(path)
    }

    /// Makes the model with parameters of zero, of which each has the shape that a file has for it.
    #[cfg_attr(not(feature = "bundle"), expect(dead_code))]
    pub(crate) fn of_file<T: Element>(
        self,
        shapes: &BTreeMap<String, Vec<usize>>,
    ) -> Result<Model<T>, ModelError> {
        check_compiled::<T>()?;
        make(self, Values::ZerosAs(shapes))
    }

    /// Makes the model of a file in numbers of another type: `builder.load_as::<f64>(path)?`.
    ///
    /// # Errors
    /// As [`load`](Self::load), and for `f64` if edb was compiled without its feature `f64`.
    pub fn load_as<T: Element>(self, path: impl AsRef<Path>) -> Result<Model<T>, ModelError> {
        check_compiled::<T>()?;
        load(self, path.as_ref())
    }
}

/// Refuses a type of number for which edb was not compiled.
fn check_compiled<T: Element>() -> Result<(), ModelError> {
    match T::DTYPE == f64::DTYPE && cfg!(not(feature = "f64")) {
        true => Err(ModelError { problems: vec![ModelProblem::NotCompiled] }),
        false => Ok(()),
    }
}

compiled_here! {
    /// Makes a model; its parameters are initialised from `seed`.
    pub(super) fn build(builder: ModelBuilder, seed: u64) -> Result<Model<T>, ModelError> {
        make(builder, Values::Drawn(seed))
    }
}

compiled_here! {
    /// Makes a model with the parameters of a file.
    fn load(builder: ModelBuilder, path: &Path) -> Result<Model<T>, ModelError> {
        let mut model = make(builder, Values::Zeros)?;
        let metadata = checkpoint::load(&mut model.parameters, path)
            .map_err(|error| ModelError { problems: vec![error.into()] })?;
        model.bound().compare_functions(&metadata, path);
        Ok(model)
    }
}

/// What values parameters begin with.
#[derive(Clone, Copy)]
enum Values<'a> {
    /// Initialised from this seed.
    Drawn(u64),
    Zeros,
    /// Zeros, if a file has a tensor of this name and shape; otherwise the parameter is refused before it takes memory.
    ZerosAs(&'a BTreeMap<String, Vec<usize>>),
}

/// Makes a model.
fn make<T: Element>(builder: ModelBuilder, values: Values<'_>) -> Result<Model<T>, ModelError> {
    let mut builder = builder;
    let sources = builder.functions.iter().map(|(source, setup)| {
        let setup = Setup { initializers: Vec::new(), ..setup.clone() };
        (source.clone(), setup)
    });
    let sources = sources.collect();
    let problems = std::mem::take(&mut builder.problems);
    builder.cut();
    let count = builder.functions.len();
    let _span = tracing::debug_span!(target: TARGET, "build", functions = count).entered();
    let (plans, declared, states) = builder.declared(problems)?;
    let bindings = builder.bindings(&declared)?;
    let mut bound = Bound {
        functions: IdVec::new(),
        states,
        weights: IdVec::new(),
        parameters: Parameters::new(),
        problems: Vec::new(),
    };
    for (id, plan) in builder.functions.ids().zip(plans) {
        let function = bound.bind(&builder, &declared, &bindings, (id, plan))?;
        bound.add(&builder, &declared, &bindings, (function, values));
    }
    bound.into_model(builder.id(), sources)
}

impl<T: Element> Bound<T> {
    /// Binds a function, without its parameters and its routine.
    fn bind(
        &mut self,
        builder: &ModelBuilder,
        declared: &Declared,
        bindings: &Bindings,
        (id, plan): (FunctionId, Verified),
    ) -> Result<BoundFunction, ModelError> {
        let Self { functions, states, problems, .. } = self;
        let (source, _) = &builder.functions[id];
        let values = BoundFunction::bind_values(id, &source.plan.program, bindings, problems);
        let reference = source.original.as_ref().map(|Original { flow, states: ports }| {
            let program = &flow.program;
            Reference {
                values: BoundFunction::bind_values(id, program, bindings, problems),
                states: (ports.iter().zip(&program.states))
                    .map(|(port, decl)| places(port, decl, states))
                    .collect(),
                scattered: program.scattered.and_then(|state| ports[usize::from(state)].of_rust()),
                flow: flow.clone(),
            }
        });
        fail(problems)?;
        let (name, dims) = (&declared.names[id.index()], declared.dims[id].clone());
        let own = declared.states[id].clone();
        let mut function = BoundFunction::new(id, name, source, plan, dims, values, own);
        function.reference = reference;
        function.joint = builder.joint(id);
        if let Some(joint) = &function.joint {
            // All sections of a function have the function's key, so draws do not depend on the section.
            function.key = functions.get(joint.function).map_or(function.key, |of| of.key);
        }
        bind_ports(&mut function, source, bindings, states, problems);
        let sections = builder.sections_of(id);
        function.variants = Variants::of(&source.plan.choices, &function.input_fields, &sections);
        Ok(function)
    }

    /// Adds a function, and binds its parameters and its routine.
    fn add(
        &mut self,
        builder: &ModelBuilder,
        declared: &Declared,
        bindings: &Bindings,
        (mut function, values): (BoundFunction, Values<'_>),
    ) {
        let Self { functions, weights, parameters, problems, .. } = self;
        let id = function.id;
        let ((source, setup), name) = (&builder.functions[id], &declared.names[id.index()]);
        for (number, param) in source.plan.program.params.iter().enumerate() {
            let own = FunctionParam { function: id, param: number as u16 };
            let shared = declared.shared.iter().find(|shared| shared.own == own);
            if let Some(Shared { with, .. }) = shared {
                let of = functions[with.function].params[usize::from(with.param)];
                function.params.push(of);
                continue;
            }
            let full = format!("{name}.{}", param.name);
            let shape = bindings.shape(id, &param.shape, &full).map_err(ModelProblem::from);
            let start = setup.initializers.iter().find(|(of, _)| *of == param.name);
            let start = start.map(|(_, start)| start);
            let created = shape.and_then(|shape| create(parameters, &full, &shape, start, values));
            match created {
                Ok(parameter) => function.params.push(parameter),
                Err(problem) => problems.push(problem),
            }
        }
        // Routines are bound only if all parameters exist.
        if problems.is_empty() {
            match BoundRoutine::new(id, &function.plan, bindings, &function.params, weights) {
                Ok(routine) => function = function.with_routine(routine),
                Err(problem) => problems.push(problem),
            }
        }
        functions.push(function);
    }

    /// Makes the model, after the checks that need all functions together.
    fn into_model(
        self,
        id: u64,
        sources: Vec<(AddedFunction, Setup)>,
    ) -> Result<Model<T>, ModelError> {
        let Self { mut functions, states, weights, parameters, mut problems } = self;
        bound_inputs(&mut functions);
        unscattered(&functions, &states, &mut problems);
        fail(&mut problems)?;
        let parts = ModelContents {
            functions: &functions,
            states: &states,
            weights: &weights,
            parameters: &parameters,
        };
        parts.check(&mut problems);
        fail(&mut problems)?;
        let signature =
            Signature::of(functions.iter().map(|function| function.type_signature(&states)));
        let rules = VertexRules::all(&functions);
        let draws_in_sections = functions.iter().any(|function| {
            let program = &function.plan.program;
            let mut values = program.iter().filter(|(id, _)| program.next != Some(*id));
            let draws = |op: &Op| op.site().is_some() || op.decision().is_some();
            function.joint.is_some() && values.any(|(_, value)| draws(&value.op))
        });
        let has_lists = functions.iter().any(BoundFunction::lists);
        let has_variants = functions.iter().any(|function| function.variants.are_several());
        let names_and_shapes = parameters.identities();
        let bound = BoundModel {
            id,
            functions,
            parameters: names_and_shapes.map(|(name, of)| (name.clone(), of.into())).collect(),
            states,
            weights,
            signature,
            rules,
            losses_left_out: OnceLock::new(),
            sources,
            has_variants,
            has_lists,
            draws_in_sections,
        };
        Ok(Model { blueprint: Blueprint::new(bound), parameters })
    }
}

/// The steps of building that concern the functions of the builder.
impl ModelBuilder {
    /// The plans of all functions, their declarations, and the states of the model. Some problems are known
    /// already.
    fn declared(
        &self,
        problems: Vec<ModelProblem>,
    ) -> Result<(Vec<Verified>, Declared, Vec<StateInfo>), ModelError> {
        let mut problems = problems;
        let count = self.functions.len();
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
            if let Some(called) = source.mistaken {
                problems.push(ModelProblem::OtherFunction { function: name.clone(), called });
            }
        }
        // If a plan is invalid, nothing else about it can be checked.
        if plans.len() < count {
            fail(&mut problems)?;
        }
        let sources = || self.functions.iter().zip(&names);
        let dims =
            sources().map(|((source, setup), name)| sizes(source, setup, name, &mut problems));
        let dims = dims.collect();
        let mut all = Vec::new();
        let states = sources()
            .map(|((source, _), name)| map_states(source, name, &mut all, &mut problems))
            .collect();
        let shared = self.shared(&names, &mut problems);
        fail(&mut problems)?;
        Ok((plans, Declared { names, dims, states, shared }, all))
    }

    /// Finds the sizes of all dimensions with which functions agree about states and parameters.
    fn bindings(&self, declared: &Declared) -> Result<Bindings, ModelError> {
        let Declared { names, dims, states, shared } = declared;
        let numbers: Vec<Vec<usize>> =
            states.iter().map(|states| states.iter().map(|state| state.0).collect()).collect();
        let members: Vec<Member<'_>> = (self.functions.iter().zip(names))
            .zip(dims.iter().zip(&numbers))
            .map(|(((source, _), name), (dims, states))| Member {
                // Problems of a section are reported for its function.
                name: source.section_of.map_or(name, |(function, _)| &names[function.index()]),
                program: &source.plan.program,
                dims,
                states,
            })
            .collect();
        let pairs: Vec<_> = shared.iter().map(|shared| [shared.with, shared.own]).collect();
        Bindings::new(&members, &pairs).map_err(|errors| ModelError {
            problems: errors.into_iter().map(ModelProblem::from).collect(),
        })
    }

    /// Adds the later sections of functions, after all functions.
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
                        let (model, param) = (self.id(), param.name.clone());
                        let of = SharedOf::Added { model, function: id, name: "" };
                        (param.clone(), SharedParam { of, param })
                    })
                    .collect();
                self.functions.push((section, own));
            }
        }
    }

    /// The sections of a function, by number.
    fn sections_of(&self, function: FunctionId) -> Vec<FunctionId> {
        let is_section = |(_, (source, _)): &(FunctionId, &(AddedFunction, Setup))| {
            source.section_of.is_some_and(|(of, _)| of == function)
        };
        let others = self.functions.iter_enumerated().filter(is_section).map(|(id, _)| id);
        std::iter::once(function).chain(others).collect()
    }

    /// How a section is joined with the other sections of its function.
    fn joint(&self, id: FunctionId) -> Option<BoundJoint> {
        let (source, _) = &self.functions[id];
        let joint = source.plan.joint.as_ref()?;
        let (function, number) = source.section_of.unwrap_or((id, 0));
        let all = self.sections_of(function);
        let targets = |section: FunctionId| {
            let joint = self.functions[section].0.plan.joint.iter();
            joint.flat_map(|joint| &joint.targets).map(|target| all[usize::from(*target)])
        };
        // Every way through sections leads to a last section, and all of these have the same fields.
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
            if name.trim().is_empty() || name.contains(char::is_control) {
                problems.push(ModelProblem::Name { name: name.clone() });
            }
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
            let initialized = setup.initializers.iter().map(|(param, _)| ("init", param));
            for (_, param) in initialized.clone() {
                self.param(id, param, names, problems);
            }
            let mut calls: BTreeMap<_, usize> = BTreeMap::new();
            let shared = setup.shared.iter().map(|(param, _)| ("share", param));
            initialized.chain(shared).for_each(|call| *calls.entry(call).or_default() += 1);
            for ((call, param), times) in calls.into_iter().filter(|(_, times)| *times > 1) {
                let (function, param) = (names[id.index()].clone(), param.clone());
                problems.push(ModelProblem::Repeated { function, param, call, times });
            }
            for (param, with) in &setup.shared {
                let own = self.param(id, param, names, problems);
                let Some(function) = self.sharer((id, param), with, names, problems) else {
                    continue;
                };
                let other = self.param(function, &with.param, names, problems);
                if let (Some(own), Some(with)) = (own, other) {
                    all.push(Shared { own, with });
                }
            }
        }
        all
    }

    /// The function with which parameter `param` of function `id` is shared.
    fn sharer(
        &self,
        (id, param): (FunctionId, &String),
        with: &SharedParam,
        names: &[String],
        problems: &mut Vec<ModelProblem>,
    ) -> Option<FunctionId> {
        let (function, param) = (names[id.index()].clone(), param.clone());
        let shared = with.param.clone();
        match &with.of {
            SharedOf::Added { model, name, .. } if *model != self.id() => {
                let other = (*name).into();
                problems.push(ModelProblem::ForeignParam { function, param, other, shared });
                None
            }
            SharedOf::Added { function: of, .. } if *of >= id => {
                problems.push(ModelProblem::UnknownFunction { function, param });
                None
            }
            SharedOf::Added { function: of, .. } => Some(*of),
            SharedOf::Named(name) => {
                let before = || self.functions.ids().zip(names).take(id.index());
                let found = before().find(|(_, of)| *of == name);
                if found.is_none() {
                    let with = if name.is_empty() { shared } else { format!("{name}.{shared}") };
                    let known = or_none(before().map(|(_, of)| format!("`{of}`")).collect());
                    problems.push(ModelProblem::UnknownShared { function, param, with, known });
                }
                found.map(|(of, _)| of)
            }
        }
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

fn fail(problems: &mut Vec<ModelProblem>) -> Result<(), ModelError> {
    if problems.is_empty() {
        return Ok(());
    }
    Err(ModelError { problems: std::mem::take(problems) })
}

fn create<T: Element>(
    parameters: &mut Parameters<T>,
    name: &str,
    shape: &[usize],
    start: Option<&Start>,
    values: Values<'_>,
) -> Result<ParameterId, ModelProblem> {
    let zeros = Start::from(Initializer::Zeros);
    let default = Start::from(Initializer::default_for(shape));
    let (start, seed) = match values {
        Values::Drawn(seed) => (start.unwrap_or(&default), seed),
        Values::Zeros => (&zeros, 0),
        Values::ZerosAs(shapes) => match shapes.get(name) {
            Some(known) if known == shape => (&zeros, 0),
            known => {
                let known = known.map_or("not there".into(), |known| format!("of shape {known:?}"));
                let problem =
                    format!("`{name}` has the shape {shape:?}; in the file, it is {known}");
                return Err(ModelProblem::Shape(problem));
            }
        },
    };
    let values = start.fill::<T>(shape, seed, name)?;
    Ok(parameters.push(Parameter::new(name, shape, values)?)?)
}
