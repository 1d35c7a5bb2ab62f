//! Cuts a function with branches and loops into sections: what runs between two decisions.
//!
//! An arm and the body of a loop begin a section, and so does what is behind a branch or a loop.
//! The condition of a loop is tested before it and at the end of its body, so that an iteration is
//! one section. The last section scatters and pushes; of a list, any section may push
//! an item.
//!
//! What a section reads of earlier ones is the state of a child: of the section that ran before,
//! where that may be one of several (a variable behind a branch, or in a loop), or else of the
//! section that computed it. Sections that may come before one and the same section have one
//! state, a *carry*, whose rows a back end reads by one table. Its fields are shared by values of
//! one shape, as registers are.

use std::collections::HashMap;

use edb_ir::{
    Block, Branch, Dim, Domain, FieldDecl, FieldType, Flow, Indexing, JoinedState, Joint, Leaf,
    Loop, Movement, Op, Pointwise, PortDecl, Program, Shape, Sites, Slot, SlotDecl, Source, Step,
    Value, ValueId,
};

use super::{Section, sites};

/// The site of the decision between sections, which no op that a person writes has.
const SITE: u32 = u32::MAX;

/// Cuts a function into sections; the first is that with which a vertex begins.
pub fn outline(flow: Flow) -> Vec<Section> {
    let Flow { mut program, body, list } = flow;
    if body.is_straight() && list.is_none() {
        return vec![Section { program, joint: None }];
    }
    let mut cut = Cut { program: &program, drafts: vec![Draft::new(program.name.clone())] };
    let last = cut.block(&body, 0);
    let drafts = cut.drafts;
    let counted = drafts.iter().map(|draft| sites::count(&program, &draft.values, &draft.loops));
    let (new, counts): (Vec<_>, Vec<Sites>) = counted.unzip();
    new.iter().for_each(|new| sites::set(&mut program, new));
    let owners = owners(&program, &drafts);
    let live = live(&program, &drafts);
    let list = list.as_ref();
    let function = Drafted { program: &program, drafts: &drafts, list, last, owners, live };
    let carries = Carries::new(&function);
    let mut sections: Vec<Section> =
        (0..drafts.len()).map(|section| emit(&function, section, &carries)).collect();
    for (section, sites) in sections.iter_mut().zip(counts) {
        section.joint.iter_mut().for_each(|joint| joint.sites = sites);
    }
    sections
}

/// A section that is being cut out.
#[derive(Debug)]
struct Draft {
    name: String,
    /// What it computes, in order.
    values: Vec<ValueId>,
    losses: Vec<ValueId>,
    /// The item of the list that it pushes.
    item: Option<Vec<ValueId>>,
    /// Its loops over children, by number.
    loops: Vec<u32>,
    /// The variables that it begins with, each with what it is at the end of every section that may
    /// come before.
    variables: Vec<(ValueId, Vec<(usize, ValueId)>)>,
    /// The conditions, the first of which that holds says what comes next: the target at its place,
    /// or else the last.
    conditions: Vec<ValueId>,
    targets: Vec<usize>,
}

impl Draft {
    fn new(name: String) -> Self {
        Self {
            name,
            values: Vec::new(),
            losses: Vec::new(),
            item: None,
            loops: Vec::new(),
            variables: Vec::new(),
            conditions: Vec::new(),
            targets: Vec::new(),
        }
    }

    /// What is read at its end, whatever comes next.
    fn results(&self) -> impl Iterator<Item = &ValueId> {
        self.losses.iter().chain(self.item.iter().flatten()).chain(&self.conditions)
    }
}

struct Cut<'a> {
    program: &'a Program,
    drafts: Vec<Draft>,
}

/// An arm of a branch, or of branches that follow from one another: what runs, and what the
/// variables behind the branches inside of it are by it.
struct Arm<'a> {
    block: &'a Block,
    within: HashMap<ValueId, ValueId>,
}

impl Arm<'_> {
    /// What a variable behind the branches is at the end of the arm.
    fn value(&self, variable: ValueId) -> ValueId {
        let mut value = variable;
        // From the outermost branch inwards: each is a variable behind the next.
        while let Some(from) = self.within.get(&value) {
            value = *from;
        }
        value
    }
}

impl<'a> Cut<'a> {
    /// A new section: `what` follows the function's name.
    fn section(&mut self, what: &str) -> usize {
        let name = format!("{}.{what}", self.program.name);
        self.drafts.push(Draft::new(name));
        self.drafts.len() - 1
    }

    /// Appends a block to a section; returns the section in which it ends.
    fn block(&mut self, block: &'a Block, mut section: usize) -> usize {
        for step in &block.steps {
            match step {
                Step::Value(id) => self.drafts[section].values.push(*id),
                Step::Loss(id) => self.drafts[section].losses.push(*id),
                Step::Push(item) => section = self.push(item, section),
                Step::Children(number) => self.drafts[section].loops.push(*number),
                Step::Branch(branch) => section = self.branch(branch, section),
                Step::Loop(repeat) => section = self.repeat(repeat, section),
            }
        }
        section
    }

    /// Pushes an item of a list: one in a section.
    fn push(&mut self, item: &[ValueId], mut section: usize) -> usize {
        if self.drafts[section].item.is_some() {
            let before = std::mem::replace(&mut section, self.section("push"));
            self.drafts[before].targets = vec![section];
        }
        self.drafts[section].item = Some(item.to_vec());
        section
    }

    fn branch(&mut self, branch: &'a Branch, section: usize) -> usize {
        if let Some(holds) = known(self.program, branch.condition) {
            return self.certain(branch, holds, section);
        }
        let (mut conditions, mut arms) = (Vec::new(), Vec::new());
        collect(branch, &HashMap::new(), &mut conditions, &mut arms);
        let mut ends = Vec::new();
        let mut targets = Vec::new();
        let mut is_direct = false;
        for (number, arm) in arms.iter().enumerate() {
            // One arm without anything may be left out.
            if arm.block.is_empty() && !std::mem::replace(&mut is_direct, true) {
                ends.push(section);
                targets.push(None);
                continue;
            }
            let what = match (number, arms.len()) {
                (0, 2) => "then".to_string(),
                (_, 2) => "else".to_string(),
                _ => format!("arm{number}"),
            };
            let begin = self.section(&what);
            ends.push(self.block(arm.block, begin));
            targets.push(Some(begin));
        }
        let join = self.section("join");
        for merge in &branch.merges {
            let of_arm = |(arm, end): (&Arm<'_>, &usize)| {
                // The value at the end of an inner branch is that of the inner arm.
                (*end, arm.value(merge.value))
            };
            let from = arms.iter().zip(&ends).map(of_arm).collect();
            self.drafts[join].variables.push((merge.value, from));
        }
        for end in &ends {
            if *end != section {
                self.drafts[*end].targets = vec![join];
            }
        }
        let draft = &mut self.drafts[section];
        draft.conditions = conditions;
        draft.targets = targets.into_iter().map(|target| target.unwrap_or(join)).collect();
        join
    }

    /// A branch of which one arm is always taken.
    fn certain(&mut self, branch: &'a Branch, holds: bool, section: usize) -> usize {
        let arm = usize::from(!holds);
        let end = self.block(&branch.arms[arm], section);
        if branch.merges.is_empty() {
            return end;
        }
        let join = self.section("join");
        for merge in &branch.merges {
            self.drafts[join].variables.push((merge.value, vec![(end, merge.from[arm])]));
        }
        self.drafts[end].targets = vec![join];
        join
    }

    fn repeat(&mut self, repeat: &'a Loop, section: usize) -> usize {
        let Loop { first, body, again, variables } = repeat;
        let begin = self.section("while");
        let end = self.block(body, begin);
        let behind = self.section("end");
        let first_holds = known(self.program, *first);
        let draft = &mut self.drafts[section];
        match first_holds {
            Some(true) => draft.targets = vec![begin],
            Some(false) => draft.targets = vec![behind],
            None => (draft.conditions, draft.targets) = (vec![*first], vec![begin, behind]),
        }
        let draft = &mut self.drafts[end];
        (draft.conditions, draft.targets) = (vec![*again], vec![begin, behind]);
        for variable in variables {
            let both = || vec![(section, variable.before), (end, variable.end)];
            let reaches = |to: usize| {
                let is_before = |(from, _): &(usize, ValueId)| match first_holds {
                    Some(holds) if *from == section => holds == (to == begin),
                    _ => true,
                };
                both().into_iter().filter(is_before).collect()
            };
            let (to_begin, to_behind) = (reaches(begin), reaches(behind));
            self.drafts[begin].variables.push((variable.begin, to_begin));
            self.drafts[behind].variables.push((variable.behind, to_behind));
        }
        behind
    }
}

/// The conditions and arms of a branch. Where all that an arm does is another branch, its arms are
/// among these.
fn collect<'a>(
    branch: &'a Branch,
    within: &HashMap<ValueId, ValueId>,
    conditions: &mut Vec<ValueId>,
    arms: &mut Vec<Arm<'a>>,
) {
    conditions.push(branch.condition);
    let of_arm = |arm: usize| {
        let mut within = within.clone();
        within.extend(branch.merges.iter().map(|merge| (merge.value, merge.from[arm])));
        within
    };
    arms.push(Arm { block: &branch.arms[0], within: of_arm(0) });
    match &branch.arms[1].steps[..] {
        [Step::Branch(inner)] => collect(inner, &of_arm(1), conditions, arms),
        _ => arms.push(Arm { block: &branch.arms[1], within: of_arm(1) }),
    }
}

/// Whether a condition holds, if that is known when the function is compiled.
fn known(program: &Program, condition: ValueId) -> Option<bool> {
    number(program, condition).map(|number| number != 0.0)
}

fn number(program: &Program, id: ValueId) -> Option<f64> {
    let value = program.value(id);
    let argument = |place: usize| number(program, value.args[place]);
    match value.op {
        Op::Leaf(Leaf::Constant(number)) => Some(number),
        Op::Pointwise(Pointwise::Greater) => Some(f64::from(u8::from(argument(0)? > argument(1)?))),
        Op::Pointwise(Pointwise::GreaterEqual) => {
            Some(f64::from(u8::from(argument(0)? >= argument(1)?)))
        }
        Op::Pointwise(Pointwise::Sub) => Some(argument(0)? - argument(1)?),
        _ => None,
    }
}

/// The section that computes each value, or begins with it.
fn owners(program: &Program, drafts: &[Draft]) -> Vec<Option<usize>> {
    let mut owners = vec![None; program.values.len()];
    for (section, draft) in drafts.iter().enumerate() {
        let begun = draft.variables.iter().map(|(id, _)| id);
        begun.chain(&draft.values).for_each(|id| owners[id.index()] = Some(section));
    }
    // What depends on parameters only is computed by every section that reads it.
    for (id, value) in program.iter() {
        if value.domain == Domain::Step {
            owners[id.index()] = None;
        }
        // A tensor that is pulled has one gradient.
        if matches!(value.op, Op::Leaf(Leaf::Pull(_))) && !value.shape.is_index() {
            owners[id.index()] = Some(0);
        }
    }
    owners
}

/// The values that anything depends on.
fn live(program: &Program, drafts: &[Draft]) -> Vec<bool> {
    let variables: HashMap<ValueId, &[(usize, ValueId)]> = drafts
        .iter()
        .flat_map(|draft| &draft.variables)
        .map(|(id, from)| (*id, &from[..]))
        .collect();
    let mut live = vec![false; program.values.len()];
    let results = program.scatter.iter().chain(&program.push);
    let drafted = drafts.iter().flat_map(Draft::results);
    let mut open: Vec<ValueId> = results.chain(drafted).copied().collect();
    while let Some(id) = open.pop() {
        if !std::mem::replace(&mut live[id.index()], true) {
            open.extend(&program.value(id).args);
            open.extend(variables.get(&id).into_iter().flat_map(|from| from.iter()).map(|of| of.1));
        }
    }
    live
}

/// A function that is cut into sections.
struct Drafted<'a> {
    program: &'a Program,
    drafts: &'a [Draft],
    /// What an item holds, if it pushes a list.
    list: Option<&'a PortDecl>,
    /// The section that scatters, and that pushes if there is no list.
    last: usize,
    /// The section that computes each value; none for what every section computes that reads it.
    owners: Vec<Option<usize>>,
    /// The values that anything depends on.
    live: Vec<bool>,
}

impl Drafted<'_> {
    /// What a section reads, as far as it does not follow from parameters: in its values, its
    /// losses and conditions, in the variables that it hands on, and in the last in what leaves the
    /// function.
    fn reads(&self, section: usize) -> Vec<ValueId> {
        let Self { program, drafts, owners, live, .. } = self;
        let mut found: Vec<ValueId> = Vec::new();
        let mut seen = vec![false; program.values.len()];
        let mut open: Vec<ValueId> = self.handed_on(section).collect();
        let draft = &drafts[section];
        let own = draft.values.iter().filter(|id| live[id.index()]);
        open.extend(own.flat_map(|id| &program.value(*id).args));
        open.extend(draft.results());
        if section == self.last {
            open.extend(program.scatter.iter().chain(&program.push));
        }
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            match owners[id.index()] {
                Some(_) => found.push(id),
                // Computed here as well.
                None => open.extend(&program.value(id).args),
            }
        }
        found.sort_unstable();
        found
    }

    /// What a section hands on as variables of those behind it.
    fn handed_on(&self, section: usize) -> impl Iterator<Item = ValueId> {
        let variables = self.drafts.iter().flat_map(|draft| &draft.variables);
        let of_section = move |(of, value): &(usize, ValueId)| (*of == section).then_some(*value);
        let variables = variables.filter(|(id, _)| self.live[id.index()]);
        variables.flat_map(move |(_, from)| from.iter().filter_map(of_section))
    }
}

/// What a field of a carry holds: in some sections a value.
#[derive(Clone, Debug)]
struct Field {
    shape: Shape,
    holds: Vec<(usize, ValueId)>,
}

/// What sections hand to one another.
struct Carries {
    /// The carry of each section, by number.
    of: Vec<usize>,
    /// The fields of each carry.
    fields: Vec<Vec<Field>>,
}

impl Carries {
    fn new(function: &Drafted<'_>) -> Self {
        let Drafted { program, drafts, owners, live, .. } = function;
        let mut of: Vec<usize> = (0..drafts.len()).collect();
        for draft in *drafts {
            let before = draft.variables.iter().flat_map(|(_, from)| from).map(|of| of.0);
            let before: Vec<usize> = before.collect();
            let Some(&first) = before.first() else { continue };
            let to = of[first];
            for other in before {
                let from = of[other];
                of.iter_mut().filter(|carry| **carry == from).for_each(|carry| *carry = to);
            }
        }
        // What has to be handed on, and by which carry.
        let mut wanted: Vec<(usize, Field)> = Vec::new();
        for draft in *drafts {
            for (id, from) in draft.variables.iter().filter(|(id, _)| live[id.index()]) {
                let field = Field { shape: program.value(*id).shape.clone(), holds: from.clone() };
                wanted.push((of[from[0].0], field));
            }
        }
        for section in 0..drafts.len() {
            for id in function.reads(section) {
                if let Some(owner) = owners[id.index()].filter(|owner| *owner != section) {
                    let shape = program.value(id).shape.clone();
                    wanted.push((of[owner], Field { shape, holds: vec![(owner, id)] }));
                }
            }
        }
        let mut carries = Self { of, fields: vec![Vec::new(); drafts.len()] };
        carries.share(wanted);
        carries
    }

    /// Gives what has to be handed on to fields: the first of its shape that holds the same, or
    /// nothing, in the sections in question. Variables of several sections come first.
    fn share(&mut self, mut wanted: Vec<(usize, Field)>) {
        wanted.sort_by_key(|(_, field)| std::cmp::Reverse(field.holds.len()));
        for (carry, field) in wanted {
            let fits = |known: &&mut Field| {
                let agree = |of: &(usize, ValueId)| {
                    known.holds.iter().all(|held| held.0 != of.0 || held.1 == of.1)
                };
                known.shape == field.shape && field.holds.iter().all(agree)
            };
            match self.fields[carry].iter_mut().find(fits) {
                Some(known) => {
                    for of in &field.holds {
                        if !known.holds.contains(of) {
                            known.holds.push(*of);
                        }
                    }
                }
                None => self.fields[carry].push(field),
            }
        }
    }

    /// The field in which a section hands on a value.
    fn field(&self, section: usize, id: ValueId) -> usize {
        let mut fields = self.fields[self.of[section]].iter();
        let found = fields.position(|field| field.holds.contains(&(section, id)));
        found.expect("what is read has a field")
    }

    /// The field that holds a variable with which a section begins: one for all that come before.
    fn variable(&self, from: &[(usize, ValueId)]) -> usize {
        let fields = &self.fields[self.of[from[0].0]];
        let holds = |field: &Field| from.iter().all(|of| field.holds.contains(of));
        fields.iter().position(holds).expect("a variable has a field")
    }
}

/// The program of a section.
fn emit(function: &Drafted<'_>, section: usize, carries: &Carries) -> Section {
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
    for id in draft.values.iter().filter(|id| live[id.index()]) {
        emitter.value(*id);
    }
    for id in &draft.losses {
        let loss = emitter.value(*id);
        emitter.to.losses.push(loss);
    }
    if section == function.last {
        emitter.results();
    } else {
        emitter.hand_on();
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
                self.handed(Source::Before, carry, self.carries.variable(from), id)
            }
            (None, Some(owner)) if owner != self.section => {
                let field = self.carries.field(owner, id);
                let source = Source::Section(owner as u16);
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
        for (number, state) in (0..).zip(&self.from.states) {
            self.own_state(number);
            for field in 0..state.fields.len() as u16 {
                self.own_field(number, field);
            }
        }
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

    fn own_field(&mut self, state: u16, field: u16) -> u16 {
        let decl = &self.from.states[usize::from(state)].fields[usize::from(field)];
        let state = self.own_state(state);
        self.field(state, &decl.name, decl.shape().expect("states hold values"))
    }

    /// The place of one of the vertex's own children.
    fn own_slot(&mut self, slot: u16) -> u16 {
        let SlotDecl { state, optional } = self.from.slots[usize::from(slot)];
        let state = self.own_state(state);
        self.slot(Source::Child(slot), state, optional)
    }

    fn slot(&mut self, source: Source, state: u16, optional: bool) -> u16 {
        let known = self.joint.sources.iter().position(|known| *known == source);
        let number = known.unwrap_or_else(|| {
            self.joint.sources.push(source);
            self.to.slots.push(SlotDecl { state, optional });
            self.to.slots.len() - 1
        });
        number as u16
    }

    /// What another section hands on.
    fn handed(&mut self, source: Source, carry: usize, field: usize, id: ValueId) -> ValueId {
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
    fn results(&mut self) {
        if let Some(state) = self.from.scattered {
            let own = self.own_state(state);
            let values = (0..).zip(&self.from.scatter);
            let mut scatter: Vec<(u16, ValueId)> =
                values.map(|(field, id)| (self.own_field(state, field), self.value(*id))).collect();
            scatter.sort_unstable_by_key(|(field, _)| *field);
            self.to.scatter = scatter.into_iter().map(|(_, id)| id).collect();
            self.to.scattered = Some(own);
        }
        self.to.output = self.from.output.clone();
        self.to.push = self.from.push.iter().map(|id| self.value(*id)).collect();
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
