//! Which parameters a loss can reach. This follows from the states that vertices gather, and from the sizes of
//! tensors that they pull. All other parameters never learn, whatever the graphs are.

use std::collections::HashSet;

use edb_ir::{Leaf, Op, Program, ValueId};

use crate::model::Model;
use crate::model::blueprint::BoundModel;
use crate::model::bound::BoundFunction;
use edb_kernels::element::Element;
use edb_learn::learn::ParameterId;

/// Where gradients enter a function.
#[derive(Clone, Copy)]
enum Entry {
    Loss,
    /// A field of the state that it scatters.
    State(u16),
    /// A field of what it pushes.
    Output(u16),
}

/// The fields outside of functions that a gradient reaches.
struct Live {
    /// The fields of states, each as a state of the model and a field of it.
    fields: HashSet<(usize, usize)>,
    /// The sizes, in elements, of pulled tensors that a gradient reaches. A vertex may pull any tensor of the
    /// right size that another vertex pushes.
    pulls: HashSet<usize>,
    /// Whether gradients may be given for everything that is pushed.
    seeded: bool,
}

impl Live {
    /// Whether a gradient reaches this value of a function's backward pass.
    fn reaches(&self, function: &BoundFunction, id: ValueId) -> bool {
        let program = &function.plan.program;
        entries(program, id).into_iter().any(|entry| match entry {
            Entry::Loss => true,
            Entry::Output(field) => {
                let width = function.value(program.push[usize::from(field)]).width;
                // The items of lists are not pulled.
                self.seeded || (!function.lists() && self.pulls.contains(&width))
            }
            Entry::State(field) => program.scattered.is_some_and(|state| {
                let (state, fields) = &function.states[usize::from(state)];
                self.fields.contains(&(*state, fields[usize::from(field)]))
            }),
        })
    }

    /// Adds the fields of a function's children and inputs that a gradient reaches. Returns whether any of them
    /// is new.
    fn grow(&mut self, function: &BoundFunction) -> bool {
        let program = &function.plan.program;
        let mut grown = false;
        for (slot, field, id) in &program.gradients.children {
            let Some(state) = program.slot_state(*slot) else { continue };
            let (state, fields) = &function.states[usize::from(state)];
            let field = (*state, fields[usize::from(*field)]);
            if !self.fields.contains(&field) && self.reaches(function, *id) {
                grown |= self.fields.insert(field);
            }
        }
        for (_, id) in &program.gradients.pulls {
            let width = function.value(*id).width;
            if !self.pulls.contains(&width) && self.reaches(function, *id) {
                grown |= self.pulls.insert(width);
            }
        }
        grown
    }
}

/// The gradients from which a value of a backward pass is computed.
fn entries(program: &Program, id: ValueId) -> Vec<Entry> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        if !program.is_backward(id) || !seen.insert(id) {
            continue;
        }
        let value = program.value(id);
        match value.op {
            Op::Leaf(Leaf::LossScale) => found.push(Entry::Loss),
            Op::Leaf(Leaf::StateGradient(field)) => found.push(Entry::State(field)),
            Op::Leaf(Leaf::OutputGradient(field)) => found.push(Entry::Output(field)),
            _ => open.extend(&value.args),
        }
    }
    found
}

impl BoundModel {
    /// The parameters that no loss reaches, in order. If `seeded`, gradients that are given for what vertices
    /// push do not reach them either.
    pub(super) fn unreached(&self, seeded: bool) -> Vec<ParameterId> {
        let mut live = Live { fields: HashSet::new(), pulls: HashSet::new(), seeded };
        while self.functions.iter().fold(false, |grown, of| live.grow(of) | grown) {}
        let mut reached: HashSet<ParameterId> = HashSet::new();
        for function in &self.functions {
            let terms = &function.plan.program.gradients.params;
            let parameters = function.params.iter().copied().zip(terms);
            reached.extend(parameters.filter_map(|(id, terms)| {
                terms.iter().any(|term| live.reaches(function, *term)).then_some(id)
            }));
        }
        let all = self.functions.iter().flat_map(|function| function.params.iter().copied());
        let mut unreached: Vec<ParameterId> = all.filter(|id| !reached.contains(id)).collect();
        unreached.sort_by_key(|id| id.index());
        unreached.dedup();
        unreached
    }
}

impl<T: Element> Model<T> {
    /// The parameters that no loss reaches, whatever the graphs are: training never changes them. `seeded` says
    /// whether gradients may also be given for what vertices push; these can reach more parameters.
    pub fn unreached(&self, seeded: bool) -> Vec<ParameterId> {
        self.bound().unreached(seeded)
    }
}
