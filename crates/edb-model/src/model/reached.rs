//! Which parameters a loss can reach, by the types of what vertices gather and pull: the others never
//! learn, whatever the graphs are.

use std::collections::HashSet;

use edb_ir::{Leaf, Op, Program, ValueId};

use super::bound::BoundFunction;
use super::{BoundModel, Model};
use edb_kernels::element::Element;
use edb_learn::learn::ParameterId;

/// Where gradients enter a function.
#[derive(Clone, Copy)]
enum Entry {
    Loss,
    /// A field of the state that it scatters.
    State(u16),
    Output,
}

/// The fields of states that a gradient reaches (each a state of the model, and a field of it), and
/// whether one reaches what vertices pull from others.
struct Live {
    fields: HashSet<(usize, usize)>,
    pushes: bool,
}

impl Live {
    /// Whether a gradient reaches this value of a function's backward pass.
    fn reaches(&self, function: &BoundFunction, id: ValueId) -> bool {
        let program = &function.plan.program;
        entries(program, id).into_iter().any(|entry| match entry {
            Entry::Loss => true,
            Entry::Output => self.pushes,
            Entry::State(field) => program.scattered.is_some_and(|state| {
                let (state, fields) = &function.states[usize::from(state)];
                self.fields.contains(&(*state, fields[usize::from(field)]))
            }),
        })
    }

    /// Notes what of a function's children and inputs a gradient reaches. Returns whether that is
    /// new.
    fn grow(&mut self, function: &BoundFunction, feeds: bool) -> bool {
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
        let pulls = &program.gradients.pulls;
        if feeds && !self.pushes && pulls.iter().any(|(_, id)| self.reaches(function, *id)) {
            self.pushes = true;
            grown = true;
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
            Op::Leaf(Leaf::OutputGradient(_)) => found.push(Entry::Output),
            _ => open.extend(&value.args),
        }
    }
    found
}

impl BoundModel {
    /// The parameters that no loss reaches, in order. `feeds`: whether vertices may pull what others
    /// push; then any tensor that is pulled may come from any vertex that pushes.
    pub(super) fn unreached(&self, feeds: bool) -> Vec<ParameterId> {
        let mut live = Live { fields: HashSet::new(), pushes: false };
        while self.functions.iter().fold(false, |grown, of| live.grow(of, feeds) | grown) {}
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
    /// The parameters that no loss reaches, by the types of what vertices gather and pull. They keep the
    /// values with which they begin, unless gradients are given from outside. `feeds` says whether
    /// vertices pull what others push.
    #[doc(hidden)]
    pub fn unreached(&self, feeds: bool) -> Vec<ParameterId> {
        self.bound().unreached(feeds)
    }
}
