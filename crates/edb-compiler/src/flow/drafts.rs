//! Sections before they are programs: what each computes, reads and hands on.

use std::collections::HashMap;

use edb_ir::{Domain, Leaf, Op, PortDecl, Program, Shape, ValueId};

/// A section that is being cut out.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) name: String,
    /// What it computes, in order.
    pub(super) values: Vec<ValueId>,
    pub(super) losses: Vec<ValueId>,
    /// The item of the list that it pushes.
    pub(super) item: Option<Vec<ValueId>>,
    /// Its loops over children, by number.
    pub(super) loops: Vec<u32>,
    /// The variables that it begins with, each with what it is at the end of every section that may
    /// come before.
    pub(super) variables: Vec<(ValueId, Vec<(usize, ValueId)>)>,
    /// The conditions, the first of which that holds says what comes next: the target at its place,
    /// or else the last.
    pub(super) conditions: Vec<ValueId>,
    pub(super) targets: Vec<usize>,
}

impl Draft {
    pub(super) fn new(name: String) -> Self {
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
    pub(super) fn results(&self) -> impl Iterator<Item = &ValueId> {
        self.losses.iter().chain(self.item.iter().flatten()).chain(&self.conditions)
    }
}

/// Removes a section that none leads to, and what others would begin with by it; returns what gives
/// the number of another its new one.
pub(super) fn remove(drafts: &mut Vec<Draft>, at: usize) -> impl Fn(&mut usize) {
    let renumber = move |section: &mut usize| *section -= usize::from(*section > at);
    drafts.remove(at);
    for draft in drafts {
        draft.targets.iter_mut().for_each(renumber);
        for (_, from) in &mut draft.variables {
            from.retain(|(section, _)| *section != at);
            from.iter_mut().for_each(|(section, _)| renumber(section));
        }
    }
    renumber
}

/// Removes sections that are never reached: those of a loop whose condition does not hold at first.
/// Returns the number of the last section.
pub(super) fn remove_unreached(drafts: &mut Vec<Draft>, mut last: usize) -> usize {
    let mut reached = vec![false; drafts.len()];
    let mut open = vec![0];
    while let Some(section) = open.pop() {
        if !std::mem::replace(&mut reached[section], true) {
            open.extend(&drafts[section].targets);
        }
    }
    let unreached: Vec<usize> = (0..drafts.len()).rev().filter(|at| !reached[*at]).collect();
    unreached.iter().for_each(|at| drafts[*at].targets.clear());
    unreached.into_iter().for_each(|at| remove(drafts, at)(&mut last));
    last
}

/// The section that computes each value, or begins with it.
pub(super) fn owners(program: &Program, drafts: &[Draft]) -> Vec<Option<usize>> {
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
pub(super) fn live(program: &Program, drafts: &[Draft], ends: &[End]) -> Vec<bool> {
    let variables: HashMap<ValueId, &[(usize, ValueId)]> = drafts
        .iter()
        .flat_map(|draft| &draft.variables)
        .map(|(id, from)| (*id, &from[..]))
        .collect();
    let mut live = vec![false; program.values.len()];
    let results = ends.iter().flat_map(End::results);
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

/// A section in which a function ends, and what leaves the function there.
#[derive(Debug)]
pub(super) struct End {
    pub(super) section: usize,
    pub(super) scatter: Vec<ValueId>,
    pub(super) push: Vec<ValueId>,
}

impl End {
    /// The end in a section, where the function's results are as the program says.
    pub(super) fn of(program: &Program, section: usize) -> Self {
        Self { section, scatter: program.scatter.clone(), push: program.push.clone() }
    }

    pub(super) fn results(&self) -> impl Iterator<Item = &ValueId> {
        self.scatter.iter().chain(&self.push)
    }
}

/// A function that is cut into sections.
pub(super) struct Drafted<'a> {
    pub(super) program: &'a Program,
    pub(super) drafts: &'a [Draft],
    /// What an item holds, if it pushes a list.
    pub(super) list: Option<&'a PortDecl>,
    /// The sections that scatter, and that push if there is no list.
    pub(super) ends: &'a [End],
    /// The section that computes each value; none for what every section computes that reads it.
    pub(super) owners: Vec<Option<usize>>,
    /// The values that anything depends on.
    pub(super) live: Vec<bool>,
}

impl Drafted<'_> {
    /// The end of the function in a section, if it may end there.
    pub(super) fn end(&self, section: usize) -> Option<&End> {
        self.ends.iter().find(|end| end.section == section)
    }

    /// What a section reads, as far as it does not follow from parameters: in its values, its
    /// losses and conditions, in the variables that it hands on, and at an end in what leaves the
    /// function.
    pub(super) fn reads(&self, section: usize) -> Vec<ValueId> {
        let Self { program, drafts, owners, live, .. } = self;
        let mut found: Vec<ValueId> = Vec::new();
        let mut seen = vec![false; program.values.len()];
        let mut open: Vec<ValueId> = self.handed_on(section).collect();
        let draft = &drafts[section];
        let own = draft.values.iter().filter(|id| live[id.index()]);
        open.extend(own.flat_map(|id| &program.value(*id).args));
        open.extend(draft.results());
        open.extend(self.end(section).into_iter().flat_map(End::results));
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
    pub(super) fn handed_on(&self, section: usize) -> impl Iterator<Item = ValueId> {
        let variables = self.drafts.iter().flat_map(|draft| &draft.variables);
        let of_section = move |(of, value): &(usize, ValueId)| (*of == section).then_some(*value);
        let variables = variables.filter(|(id, _)| self.live[id.index()]);
        variables.flat_map(move |(_, from)| from.iter().filter_map(of_section))
    }
}

/// What a field of a carry holds: in some sections a value.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) shape: Shape,
    pub(super) holds: Vec<(usize, ValueId)>,
}

/// What sections hand to one another.
pub(super) struct Carries {
    /// The carry of each section, by number.
    pub(super) of: Vec<usize>,
    /// The fields of each carry.
    pub(super) fields: Vec<Vec<Field>>,
}

impl Carries {
    pub(super) fn new(function: &Drafted<'_>) -> Self {
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
    pub(super) fn share(&mut self, mut wanted: Vec<(usize, Field)>) {
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
    pub(super) fn field(&self, section: usize, id: ValueId) -> usize {
        let mut fields = self.fields[self.of[section]].iter();
        let found = fields.position(|field| field.holds.contains(&(section, id)));
        found.expect("what is read has a field")
    }

    /// The field that holds a variable with which a section begins: one for all that come before.
    pub(super) fn variable(&self, from: &[(usize, ValueId)]) -> usize {
        let fields = &self.fields[self.of[from[0].0]];
        let holds = |field: &Field| from.iter().all(|of| field.holds.contains(of));
        fields.iter().position(holds).expect("a variable has a field")
    }
}
