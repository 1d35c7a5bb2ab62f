//! The programs of sections.

use std::collections::HashMap;

use edb_ir::{
    Dim, Domain, FieldDecl, FieldType, Indexing, JoinedState, Joint, Leaf, Movement, Op, PortDecl,
    Program, SectionChild, Shape, Slot, SlotDecl, Value, ValueId,
};

use super::Section;
use super::drafts::{Carries, Draft, Drafted, End};

/// The site of the decision between sections, which no op that a person writes has.
const SITE: u32 = u32::MAX;

/// The program of a section.
pub(super) fn emit(function: &Drafted<'_>, section: usize, carries: &Carries) -> Section {
    let Drafted { program, drafts, list, owners, live, .. } = function;
    let draft = &drafts[section];
    let mut emitter = Emitter {
        from: program,
        owners,
        carries,
        section,
        draft,
        map: HashMap::new(),
        to: Program {
            name: draft.name.clone(),
            values: Vec::new(),
            losses: Vec::new(),
            scatter: Vec::new(),
            push: Vec::new(),
            states: Vec::new(),
            slots: Vec::new(),
            rest: None,
            output: None,
            scattered: None,
            ..(*program).clone()
        },
        joint: Joint::default(),
    };
    if section == 0 {
        emitter.own_children();
    }
    if let (Some(_), Some(state)) = (function.end(section), program.scattered) {
        emitter.own_fields(state);
    }
    for id in draft.values.iter().filter(|id| live[id.index()]) {
        emitter.value(*id);
    }
    for id in &draft.losses {
        let loss = emitter.value(*id);
        emitter.to.losses.push(loss);
    }
    match function.end(section) {
        Some(end) => emitter.results(end),
        None => emitter.hand_on(),
    }
    if let Some((item, list)) = draft.item.as_ref().zip(*list) {
        emitter.to.output = Some(list.clone());
        emitter.to.push = item.iter().map(|id| emitter.value(*id)).collect();
    }
    if !draft.conditions.is_empty() {
        emitter.next();
    }
    emitter.joint.lists = list.is_some();
    emitter.joint.targets = draft.targets.iter().map(|target| *target as u16).collect();
    let Emitter { mut to, joint, .. } = emitter;
    to.backward_start = to.values.len() as u32;
    Section { program: to, joint: Some(joint) }
}

struct Emitter<'a> {
    from: &'a Program,
    owners: &'a [Option<usize>],
    carries: &'a Carries,
    section: usize,
    draft: &'a Draft,
    /// The function's values, as they are in the section.
    map: HashMap<ValueId, ValueId>,
    to: Program,
    joint: Joint,
}

impl Emitter<'_> {
    /// A value of the function in the section: computed, or read from another section.
    fn value(&mut self, id: ValueId) -> ValueId {
        if let Some(known) = self.map.get(&id) {
            return *known;
        }
        let variable = self.draft.variables.iter().find(|(variable, _)| *variable == id);
        let to = match (variable, self.owners[id.index()]) {
            (Some((_, from)), _) => {
                let carry = self.carries.of[from[0].0];
                self.handed(SectionChild::Before, carry, self.carries.variable(from), id)
            }
            (None, Some(owner)) if owner != self.section => {
                let field = self.carries.field(owner, id);
                let source = SectionChild::Section(owner as u16);
                self.handed(source, self.carries.of[owner], field, id)
            }
            _ => self.computed(id),
        };
        self.map.insert(id, to);
        to
    }

    /// All children of the vertex, in the order in which it is given them, and all fields of the
    /// states: what other functions say about their shapes may be needed by any section.
    fn own_children(&mut self) {
        (0..self.from.states.len() as u16).for_each(|state| self.own_fields(state));
        for slot in 0..self.from.slots.len() as u16 {
            self.own_slot(slot);
        }
        if let Some(state) = self.from.rest {
            self.to.rest = Some(self.own_state(state));
        }
    }

    fn computed(&mut self, id: ValueId) -> ValueId {
        let mut value = self.from.value(id).clone();
        for arg in &mut value.args {
            *arg = self.value(*arg);
        }
        // The children are gone through, even if nothing of them is read.
        if let (Domain::Edge, Some(state)) = (value.domain, self.from.rest) {
            self.to.rest = Some(self.own_state(state));
        }
        match &mut value.op {
            Op::Leaf(Leaf::Child { slot: Slot::Fixed(slot), field }) => {
                let state = self.from.slots[usize::from(*slot)].state;
                *slot = self.own_slot(*slot);
                *field = self.own_field(state, *field);
            }
            Op::Leaf(Leaf::Child { slot: Slot::Rest, field }) => {
                let state = self.from.rest.expect("the program was verified");
                *field = self.own_field(state, *field);
            }
            Op::Movement(Movement::WhereAbsent(slot)) | Op::Indexing(Indexing::IfAbsent(slot)) => {
                *slot = self.own_slot(*slot);
            }
            _ => {}
        }
        self.push(value)
    }

    fn push(&mut self, value: Value) -> ValueId {
        self.to.values.push(value);
        ValueId(self.to.values.len() as u32 - 1)
    }

    /// A state of the section.
    fn state(&mut self, of: JoinedState, name: &str) -> u16 {
        let is_same = |(known, decl): (&JoinedState, &PortDecl)| *known == of && decl.name == name;
        let mut states = self.joint.states.iter().zip(&self.to.states);
        let number = states.position(is_same).unwrap_or_else(|| {
            self.joint.states.push(of);
            self.to.states.push(PortDecl { name: name.into(), fields: Vec::new() });
            self.to.states.len() - 1
        });
        number as u16
    }

    /// A field of a state of the section.
    fn field(&mut self, state: u16, name: &str, shape: &Shape) -> u16 {
        let fields = &mut self.to.states[usize::from(state)].fields;
        let number = fields.iter().position(|field| field.name == name).unwrap_or_else(|| {
            fields.push(FieldDecl { name: name.into(), holds: FieldType::Value(shape.clone()) });
            fields.len() - 1
        });
        number as u16
    }

    /// One of the function's own states.
    fn own_state(&mut self, state: u16) -> u16 {
        let name = &self.from.states[usize::from(state)].name;
        self.state(JoinedState::Port(state), name)
    }

    /// All fields of a state, in the order of the function: all of its ends have them in one.
    fn own_fields(&mut self, state: u16) {
        self.own_state(state);
        let fields = self.from.states[usize::from(state)].fields.len() as u16;
        for field in 0..fields {
            self.own_field(state, field);
        }
    }

    fn own_field(&mut self, state: u16, field: u16) -> u16 {
        let decl = &self.from.states[usize::from(state)].fields[usize::from(field)];
        let state = self.own_state(state);
        self.field(state, &decl.name, decl.shape().expect("states hold values"))
    }

    /// The place of one of the vertex's own children.
    fn own_slot(&mut self, slot: u16) -> u16 {
        let SlotDecl { state, optional } = self.from.slots[usize::from(slot)];
        let state = self.own_state(state);
        self.slot(SectionChild::Child(slot), state, optional)
    }

    fn slot(&mut self, source: SectionChild, state: u16, optional: bool) -> u16 {
        let known = self.joint.sources.iter().position(|known| *known == source);
        let number = known.unwrap_or_else(|| {
            self.joint.sources.push(source);
            self.to.slots.push(SlotDecl { state, optional });
            self.to.slots.len() - 1
        });
        number as u16
    }

    /// What another section hands on.
    fn handed(&mut self, source: SectionChild, carry: usize, field: usize, id: ValueId) -> ValueId {
        let shape = self.from.value(id).shape.clone();
        let state = self.state(JoinedState::Carry(carry as u16), &format!("read carry {carry}"));
        let slot = self.slot(source, state, false);
        let field = self.field(state, &format!("x{field}"), &shape);
        let op = Op::Leaf(Leaf::Child { slot: Slot::Fixed(slot), field });
        self.push(Value { op, args: Vec::new(), shape, domain: Domain::Vertex })
    }

    /// Hands on what later sections read.
    fn hand_on(&mut self) {
        let carry = self.carries.of[self.section];
        for (number, field) in self.carries.fields[carry].iter().enumerate() {
            let held = field.holds.iter().find(|(section, _)| *section == self.section);
            let Some((_, id)) = held else { continue };
            let value = self.value(*id);
            let state = self.state(JoinedState::Carry(carry as u16), &format!("carry {carry}"));
            self.field(state, &format!("x{number}"), &field.shape);
            self.to.scattered = Some(state);
            self.to.scatter.push(value);
        }
    }

    /// What leaves the function.
    fn results(&mut self, end: &End) {
        if let Some(state) = self.from.scattered {
            let own = self.own_state(state);
            let values = (0..).zip(&end.scatter);
            let mut scatter: Vec<(u16, ValueId)> =
                values.map(|(field, id)| (self.own_field(state, field), self.value(*id))).collect();
            scatter.sort_unstable_by_key(|(field, _)| *field);
            self.to.scatter = scatter.into_iter().map(|(_, id)| id).collect();
            self.to.scattered = Some(own);
        }
        self.to.output = self.from.output.clone();
        self.to.push = end.push.iter().map(|id| self.value(*id)).collect();
    }

    /// The index of what comes next: that of the first condition that holds.
    fn next(&mut self) {
        let count = self.draft.conditions.len() as i64 + 1;
        let mut parts = Vec::new();
        for id in &self.draft.conditions {
            let condition = self.value(*id);
            parts.push(self.element(condition));
        }
        let half = self.apply(Op::Leaf(Leaf::Constant(0.5)), Vec::new(), Shape::scalar());
        parts.push(self.element(half));
        let shape = Shape::vector(Dim::constant(count));
        let all = self.apply(Op::Movement(Movement::Concat), parts, shape);
        let shape = Shape::OneOf(Dim::constant(count));
        let op = Op::Indexing(Indexing::Argmax { site: SITE });
        self.to.next = Some(self.apply(op, vec![all], shape));
    }

    /// A scalar as a vector of one element.
    fn element(&mut self, scalar: ValueId) -> ValueId {
        let shape = Shape::vector(Dim::constant(1));
        self.apply(Op::Movement(Movement::Reshape), vec![scalar], shape)
    }

    fn apply(&mut self, op: Op, args: Vec<ValueId>, shape: Shape) -> ValueId {
        let finest = args.iter().map(|arg| self.to.value(*arg).domain).max();
        let domain = op.domain(finest.unwrap_or(Domain::Step));
        self.push(Value { op, args, shape, domain })
    }
}
