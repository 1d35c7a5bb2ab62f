//! A function that is added to a model: its plan and ports, without numbers for its dimensions.

use std::any::TypeId;
use std::sync::Arc;

use edb_ir::verify::VerifyError;
use edb_ir::{
    Begin, Fingerprint, Flow, FunctionId, IdVec, JoinedState, Joint, Plan, PortDecl, Program,
    Routine, SectionChild, Verified,
};

use edb_kernels::fused::CompiledKernels;
use edb_vertex::function::{Compiled, Definition, EagerArguments};
use edb_vertex::port::{FieldKind, PortType};

/// Identifies a port type: by a Rust type, or by a name where a program was built by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PortKey {
    Type(TypeId),
    Name(String),
    /// The state that the sections of a function pass to one another, by number.
    Carry(FunctionId, u16),
}

/// A port of a model.
#[derive(Clone, Debug)]
pub(crate) struct PortInfo {
    pub(crate) key: PortKey,
    pub(crate) name: String,
    pub(crate) fields: Vec<(String, FieldKind)>,
}

impl PortInfo {
    pub(crate) fn of_type(port: &PortType) -> Self {
        let fields = port.fields.iter().map(|f| (f.name.to_string(), f.kind)).collect();
        Self { key: PortKey::Type(port.id), name: port.name.into(), fields }
    }

    /// The Rust type with the kinds of its fields, if the port is a Rust type.
    pub(crate) fn of_rust(&self) -> Option<(TypeId, Vec<FieldKind>)> {
        let PortKey::Type(id) = self.key else { return None };
        Some((id, self.fields.iter().map(|(_, kind)| *kind).collect()))
    }

    /// The port with the fields that a program mentions.
    pub(crate) fn of_program(port: Option<&PortDecl>) -> Self {
        let name = port.map_or_else(|| "()".into(), |port| port.name.clone());
        let fields = port.map_or(&[][..], |port| &port.fields);
        let fields = fields.iter().map(|f| (f.name.clone(), FieldKind::of(&f.holds))).collect();
        Self { key: PortKey::Name(name.clone()), name, fields }
    }
}

/// Calls a vertex function eagerly, for one vertex.
pub(crate) type EagerCall = fn(&EagerArguments<'_>);

/// A function that is added to a model.
#[derive(Clone, Debug)]
pub(crate) struct AddedFunction {
    pub(crate) plan: Arc<Plan>,
    pub(crate) states: Vec<PortInfo>,
    pub(crate) input: PortInfo,
    pub(crate) output: PortInfo,
    pub(crate) eager: Option<EagerCall>,
    /// The compiled kernels of the plan.
    pub(crate) kernels: CompiledKernels,
    /// The function before any pass. It is the reference if there is no Rust function.
    pub(crate) original: Option<Original>,
    /// Why the function was not compiled, if it is wrong.
    pub(crate) broken: Option<Arc<VerifyError>>,
    /// The path in the first call for which the plan has a helper although Rust calls another function.
    pub(crate) mistaken: Option<&'static str>,
    /// The compiled kernels of its other sections.
    pub(crate) section_kernels: Vec<CompiledKernels>,
    /// Its tangent, if it was compiled.
    pub(crate) tangent: Option<AddedTangent>,
    /// For a section that is not the first: its function, and its number among the sections.
    pub(crate) section_of: Option<(FunctionId, u16)>,
}

/// The tangent of a function, with its compiled kernels.
#[derive(Clone, Debug)]
pub(crate) struct AddedTangent {
    pub(crate) plan: Arc<Plan>,
    pub(crate) kernels: CompiledKernels,
    pub(crate) section_kernels: Vec<CompiledKernels>,
}

/// A function before any pass.
#[derive(Clone, Debug)]
pub(crate) struct Original {
    pub(crate) flow: Flow,
    /// The states of its program.
    pub(crate) states: Vec<PortInfo>,
}

impl AddedFunction {
    /// A plan with its ports, and nothing else: no Rust function, and kernels that are interpreted.
    pub(crate) fn new(
        plan: Plan,
        states: Vec<PortInfo>,
        input: PortInfo,
        output: PortInfo,
    ) -> Self {
        Self {
            plan: Arc::new(plan),
            states,
            input,
            output,
            eager: None,
            kernels: CompiledKernels::NONE,
            original: None,
            broken: None,
            mistaken: None,
            section_kernels: Vec::new(),
            tangent: None,
            section_of: None,
        }
    }

    pub(crate) fn of_definition(definition: &Definition) -> Self {
        let states = definition.states.iter().map(PortInfo::of_type).collect();
        let [input, output] = [&definition.input, &definition.output].map(PortInfo::of_type);
        Self {
            eager: definition.eager,
            kernels: definition.own.kernels,
            mistaken: definition.mistaken_call(),
            section_kernels: definition.own.sections.clone(),
            tangent: definition.tangent.as_ref().map(|Compiled { plan, kernels, sections }| {
                let (plan, kernels) = (Arc::new((*plan).clone()), *kernels);
                AddedTangent { plan, kernels, section_kernels: sections.clone() }
            }),
            ..Self::new(definition.own.plan.clone(), states, input, output)
        }
    }

    pub(crate) fn of_flow(flow: Flow, compile: impl FnOnce(Flow) -> Plan) -> Self {
        let original = flow.clone();
        let broken = flow.verify().err();
        let plan = match broken {
            None => compile(flow),
            Some(_) => Plan {
                program: flow.program,
                phases: IdVec::new(),
                routine: Routine::default(),
                joint: None,
                sections: Vec::new(),
                choices: Vec::new(),
                fingerprint: Fingerprint::default(),
            },
        };
        // The first section does not have all ports of its function.
        let states = ports(&original.program);
        Self {
            states: states.clone(),
            original: Some(Original { flow: original, states }),
            broken: broken.map(Arc::new),
            ..Self::of_plan(plan)
        }
    }

    /// A function without Rust types: its ports are the ones that the plan's programs mention.
    pub(crate) fn of_plan(plan: Plan) -> Self {
        let program = &plan.program;
        let mut sections = std::iter::once(&plan).chain(&plan.sections);
        let output = sections.find_map(|section| section.program.output.as_ref());
        let states = match &plan.joint {
            None => ports(program),
            Some(_) => ports_of_sections(&plan),
        };
        let [input, output] = [program.input.as_ref(), output].map(PortInfo::of_program);
        Self::new(plan, states, input, output)
    }

    /// Verifies its plan, or says why the plan is invalid.
    pub(crate) fn verified(&self) -> Result<Verified, String> {
        if let Some(broken) = &self.broken {
            return Err(broken.to_string());
        }
        let plan = Verified::new(Arc::clone(&self.plan)).map_err(|error| error.to_string())?;
        let is_alone = self.section_of.is_none() && plan.sections.is_empty();
        let is_first = |joint: &Joint| {
            let own = (0..).zip(&joint.sources);
            joint.targets.is_empty() && own.into_iter().all(|of| *of.1 == SectionChild::Child(of.0))
        };
        if is_alone && !plan.joint.iter().all(is_first) {
            return Err("it is joined with sections that are missing".into());
        }
        // Functions with several sections are not checked here: their choices keep vertices without input away
        // from sections that read it.
        if is_alone && !plan.pulls_what_is_there() {
            return Err("it reads input that a vertex may be without".into());
        }
        Ok(plan)
    }

    /// Returns the sections of function `id` except the first one as functions of their own. This function is
    /// then its first section.
    pub(crate) fn cut(&mut self, id: FunctionId) -> Vec<Self> {
        let Some(joint) = &self.plan.joint else { return Vec::new() };
        // An invalid plan is reported later.
        if self.broken.is_some() || self.plan.verify().is_err() {
            return Vec::new();
        }
        let own = self.states.clone();
        let states = |plan: &Plan, joint: &Joint| -> Vec<PortInfo> {
            let state = |(state, decl): (&JoinedState, &PortDecl)| match state {
                JoinedState::Port(number) => {
                    let known = own.get(usize::from(*number));
                    known.cloned().unwrap_or_else(|| PortInfo::of_program(Some(decl)))
                }
                JoinedState::Carry(number) => {
                    let name = format!("{} carry {number}", self.plan.program.name);
                    let key = PortKey::Carry(id, *number);
                    PortInfo { key, name, ..PortInfo::of_program(Some(decl)) }
                }
            };
            joint.states.iter().zip(&plan.program.states).map(state).collect()
        };
        let nothing = || PortInfo::of_program(None);
        let choices = self.plan.choices.iter();
        let begins: Vec<Begin> = choices.flat_map(|choice| [choice.then, choice.other]).collect();
        let section = |(number, plan): (u16, &Plan)| {
            let kernels = self.section_kernels.get(usize::from(number) - 1);
            let joint = plan.joint.clone().unwrap_or_default();
            let pulls = plan.program.input.is_some() || begins.contains(&Begin::Section(number));
            let pushes = plan.program.output.is_some();
            let input = if pulls { self.input.clone() } else { nothing() };
            let output = if pushes { self.output.clone() } else { nothing() };
            Self {
                kernels: kernels.copied().unwrap_or(CompiledKernels::NONE),
                section_of: Some((id, number)),
                ..Self::new(plan.clone(), states(plan, &joint), input, output)
            }
        };
        let sections = (1..).zip(&self.plan.sections).map(section).collect();
        self.states = states(&self.plan, joint);
        sections
    }
}

/// The states of a program, without Rust types.
fn ports(program: &Program) -> Vec<PortInfo> {
    program.states.iter().map(|state| PortInfo::of_program(Some(state))).collect()
}

/// The states of a function by number, each with all fields that any of its sections mentions, since no single
/// section mentions all of them.
fn ports_of_sections(plan: &Plan) -> Vec<PortInfo> {
    let mut ports: Vec<PortInfo> = Vec::new();
    for section in std::iter::once(plan).chain(&plan.sections) {
        let joined = section.joint.iter().flat_map(|joint| &joint.states);
        for (state, decl) in joined.zip(&section.program.states) {
            let JoinedState::Port(number) = *state else { continue };
            let (number, own) = (usize::from(number), PortInfo::of_program(Some(decl)));
            ports.resize_with(ports.len().max(number + 1), || PortInfo::of_program(None));
            let port = &mut ports[number];
            if port.key != own.key {
                *port = own;
                continue;
            }
            let is_new = |field: &(String, _)| !port.fields.iter().any(|known| known.0 == field.0);
            let new: Vec<_> = own.fields.into_iter().filter(is_new).collect();
            port.fields.extend(new);
        }
    }
    ports
}
