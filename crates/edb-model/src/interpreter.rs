//! The interpreter runs a function for one vertex, op by op, with the reference kernels. Branches and loops run
//! as in Rust.
//!
//! It is the reference for functions that do not come from Rust.

use std::any::TypeId;
use std::collections::{BTreeMap, HashMap};

use edb_ir::{
    Block, Domain, Draw, Flow, Indexing, Leaf, Movement, Op, Pointwise, Program, Sites, Slot, Step,
    Transition, ValueId,
};

use crate::model::bound::{BoundValue, Reference};
use edb_vertex::eager::context::{self, EagerResult, EagerState, EagerVertex, Followed};
use edb_vertex::eager::dual::{Dual, Real as _};
use edb_vertex::eager::reference::{Array, Attributes, evaluate, greater_of};
use edb_vertex::port::{FieldKind, PortValue};
use edb_vertex::tensor::{Index, Tensor};

/// What a program has decided and compared.
#[derive(Default)]
struct Choices {
    followed: Vec<Followed>,
    compared: Vec<[Dual; 2]>,
    /// Whether the program has decided something on NaN.
    doubted: bool,
}

/// The results of blocks.
#[derive(Default)]
struct Left {
    losses: Vec<Array<Dual>>,
    /// The items of a list.
    items: Vec<Vec<(ValueId, Array<Dual>)>>,
}

/// A value: one array, or one for each edge.
pub(crate) type Copies = Vec<Array<Dual>>;

impl Reference {
    /// Runs the function for one vertex. `params` are the program's parameters in the program's order. The
    /// fields of the input are in the program's order, too, but the fields of states are in the model's order.
    pub(crate) fn run(&self, params: &[Tensor], mut vertex: EagerVertex) -> EagerResult {
        let Self { flow: Flow { program, body, list }, values: bound, states, scattered } = self;
        for (place, child) in vertex.children.iter_mut().enumerate() {
            let slot = match place < program.slots.len() {
                true => Slot::Fixed(place as u16),
                false => Slot::Rest,
            };
            if let (Some(child), Some(state)) = (child, program.slot_state(slot)) {
                let places = states[usize::from(state)].iter();
                child.fields = places.map(|place| child.fields[*place]).collect();
            }
        }
        let values = vec![None; program.values.len()];
        let choices = Choices::default();
        // A function with only one section has the sites of its program.
        let is_one = body.is_straight() && list.is_none();
        let counts = (!is_one).then(Counts::default);
        let mut machine =
            Machine { program, bound, params, vertex: &vertex, values, choices, counts };
        // If there is no input, no arm that is taken reads it.
        let pulls = |op: &Op| matches!(op, Op::Leaf(Leaf::Pull(_))) || op.bag().is_some();
        let is_there = |op: &Op| !vertex.input.is_empty() || !pulls(op);
        let at_hand =
            program.iter().filter(|(id, value)| program.is_at_hand(*id) && is_there(&value.op));
        at_hand.for_each(|(id, _)| machine.compute(id));
        let mut left = Left::default();
        machine.block(body, &mut left);
        let shown = |id: &ValueId, value: Array<Dual>| match program.value(*id).shape.is_index() {
            true => PortValue::Index(Index(value.data[0].value as u32)),
            false => PortValue::Tensor(context::insert(value)),
        };
        let result = |id: &ValueId| shown(id, machine.of(*id)[0].clone());
        let item = |item: Vec<(ValueId, Array<Dual>)>| {
            item.into_iter().map(|(id, value)| shown(&id, value)).collect()
        };
        let outputs = match list {
            Some(_) => left.items.into_iter().map(item).collect(),
            None => vec![program.push.iter().map(result).collect()],
        };
        let state = program.scattered.map(|state| {
            let places = states[usize::from(state)].iter().copied();
            let known: BTreeMap<_, _> = places.zip(program.scatter.iter().map(result)).collect();
            match scattered {
                None => {
                    EagerState { id: TypeId::of::<()>(), fields: known.into_values().collect() }
                }
                Some((id, kinds)) => {
                    let field =
                        |(place, kind)| known.get(&place).copied().unwrap_or_else(|| nothing(kind));
                    EagerState { id: *id, fields: kinds.iter().enumerate().map(field).collect() }
                }
            }
        });
        let Choices { followed, compared, doubted } = machine.choices;
        let in_doubt = doubted.then(|| Array::scalar(Dual::constant(f64::NAN)));
        let losses = left.losses.into_iter().chain(in_doubt).map(context::insert).collect();
        EagerResult { state, outputs, losses, doubted, followed, compared }
    }
}

/// Finds the origin of a value of a forward program that is NaN or beyond `largest`. Beginning at `from`, it
/// goes back through arguments that are also out of range, until it reaches a value whose arguments are all in
/// range. Returns the id of this value and the wrong number; `None` if `from` is in range. Parameters, children
/// and input are as in `Reference::run`.
///
/// Other values may be infinite without harm, for example the maximum over no children.
pub fn origin_of(
    from: ValueId,
    program: &Program,
    bound: &[BoundValue],
    params: &[Tensor],
    vertex: &EagerVertex,
    largest: f64,
) -> Option<(ValueId, f64)> {
    let forward = program.backward_start as usize;
    let mut machine = Machine::new(program, bound, params, vertex);
    for number in 0..forward {
        machine.compute(ValueId(number as u32));
    }
    let values = machine.values;
    let bad = |id: ValueId| {
        let copies = values.get(id.index())?.as_ref()?;
        let mut elements = copies.iter().flat_map(|array| &array.data).map(|dual| dual.value);
        // NaN is not within any range.
        elements.find(|x| !(-largest..=largest).contains(x)).map(|x| (id, x))
    };
    // A value is in doubt if a decision was made on a number that is NaN.
    let doubted = if program.doubt == Some(from) { program.doubted() } else { Vec::new() };
    let mut origin = doubted.into_iter().find_map(bad).or_else(|| bad(from))?;
    // Arguments come before what is computed from them, so this ends.
    while let Some(before) = program.value(origin.0).args.iter().find_map(|arg| bad(*arg)) {
        origin = before;
    }
    Some(origin)
}

/// The values of a program that are known so far.
pub(crate) struct Machine<'a> {
    program: &'a Program,
    bound: &'a [BoundValue],
    params: &'a [Tensor],
    pub(crate) vertex: &'a EagerVertex,
    pub(crate) values: Vec<Option<Copies>>,
    choices: Choices,
    /// Counts draws and decisions as they come, if the function has several sections.
    counts: Option<Counts>,
}

/// How often a vertex has drawn and decided, and which site each loop over children has got.
#[derive(Default)]
struct Counts {
    sites: Sites,
    loops: HashMap<u32, u32>,
}

impl Counts {
    /// The site of the next op; `site` is its site in the program.
    fn next(&mut self, site: u32) -> u32 {
        match Sites::loop_of(site) {
            None => self.sites.take(),
            Some(of) => Sites::in_loop(self.loops.get(&of).copied().unwrap_or(of), site),
        }
    }
}

impl<'a> Machine<'a> {
    /// A machine for a program with one section.
    pub(crate) fn new(
        program: &'a Program,
        bound: &'a [BoundValue],
        params: &'a [Tensor],
        vertex: &'a EagerVertex,
    ) -> Self {
        let values = vec![None; program.values.len()];
        Self { program, bound, params, vertex, values, choices: Choices::default(), counts: None }
    }
}

impl Machine<'_> {
    pub(crate) fn of(&self, id: ValueId) -> &Copies {
        self.values[id.index()].as_ref().expect("what is read has been computed")
    }

    /// Runs a block.
    fn block(&mut self, block: &Block, left: &mut Left) {
        for step in &block.steps {
            match step {
                Step::Value(id) => self.compute(*id),
                Step::Loss(id) => left.losses.push(self.of(*id)[0].clone()),
                Step::Push(item) => {
                    let item = item.iter().map(|id| (*id, self.of(*id)[0].clone()));
                    left.items.push(item.collect());
                }
                Step::Children(number) => {
                    if let Some(counts) = &mut self.counts {
                        counts.sites.loops += 1;
                        counts.loops.insert(*number, counts.sites.loops);
                    }
                }
                Step::Branch(branch) => {
                    let arm = usize::from(!self.holds(branch.condition));
                    self.block(&branch.arms[arm], left);
                    for merge in &branch.merges {
                        self.assign(merge.value, merge.from[arm]);
                    }
                }
                Step::Loop(repeat) => {
                    let mut again = self.holds(repeat.first);
                    for variable in &repeat.variables {
                        self.assign(variable.behind, variable.before);
                    }
                    while again {
                        for variable in &repeat.variables {
                            self.assign(variable.begin, variable.behind);
                        }
                        self.block(&repeat.body, left);
                        for variable in &repeat.variables {
                            self.assign(variable.behind, variable.end);
                        }
                        again = self.holds(repeat.again);
                    }
                }
            }
        }
    }

    fn holds(&mut self, condition: ValueId) -> bool {
        self.choices.doubted |= self.is_doubtful(condition, 0);
        self.number(condition, 0) != 0.0
    }

    /// A scalar, at this edge if there is one for each edge.
    fn number(&self, id: ValueId, edge: usize) -> f64 {
        let of_edge = self.program.value(id).domain == Domain::Edge;
        self.of(id)[if of_edge { edge } else { 0 }].data[0].value
    }

    /// Whether a condition compares NaN. A condition consists of comparisons; in `a && b` and `a || b`, only
    /// those that Rust would evaluate count.
    fn is_doubtful(&self, condition: ValueId, edge: usize) -> bool {
        let value = self.program.value(condition);
        let args = &value.args;
        let doubtful = |operand: usize| self.is_doubtful(args[operand], edge);
        let holds = |operand: usize| self.number(args[operand], edge) != 0.0;
        match value.op {
            Op::Pointwise(Pointwise::Greater | Pointwise::GreaterEqual) => {
                args.iter().any(|arg| self.number(*arg, edge).is_nan())
            }
            Op::Pointwise(Pointwise::Mask) => doubtful(0) || (holds(0) && doubtful(1)),
            Op::Pointwise(Pointwise::Select) => doubtful(0) || (!holds(0) && doubtful(2)),
            Op::Pointwise(_) => (0..args.len()).any(doubtful),
            _ => false,
        }
    }

    /// Whether a choice between two arms that are both computed is made on NaN. If the choice lies within an
    /// arm, it counts only if that arm is taken.
    fn is_doubtful_choice(&self, args: &[ValueId], edge: usize) -> bool {
        let mut values = self.program.values.iter();
        let around = values
            .find(|value| value.op == Op::Pointwise(Pointwise::Mask) && value.args[1] == args[0])
            .map(|both| both.args[0]);
        args[0] != args[1]
            && around.is_none_or(|around| self.number(around, edge) != 0.0)
            && self.is_doubtful(args[0], edge)
    }

    fn assign(&mut self, to: ValueId, from: ValueId) {
        self.values[to.index()] = Some(self.of(from).clone());
    }

    pub(crate) fn compute(&mut self, id: ValueId) {
        let copies = match self.program.value(id).domain {
            Domain::Edge => self.vertex.children.len() - self.vertex.fixed,
            _ => 1,
        };
        let mut op = self.program.value(id).op.clone();
        if let (Some(counts), Some(site)) = (&mut self.counts, op.site_mut()) {
            *site = counts.next(*site);
        }
        if op == Op::Pointwise(Pointwise::Select) {
            let args = &self.program.value(id).args;
            let doubtful = (0..copies).any(|edge| self.is_doubtful_choice(args, edge));
            self.choices.doubted |= doubtful;
        }
        let value = match op {
            Op::Transition(Transition::EdgeMaxMask) => {
                first_greatest(self.of(self.program.value(id).args[0]))
            }
            _ => (0..copies).map(|edge| self.compute_one(id, &op, edge)).collect(),
        };
        self.values[id.index()] = Some(value);
    }

    /// Computes a value at one edge, or of the vertex.
    fn compute_one(&mut self, id: ValueId, op: &Op, edge: usize) -> Array<Dual> {
        let Self { program, bound, params, vertex, values, choices, .. } = self;
        let of = |id: ValueId| {
            values[id.index()].as_ref().expect("arguments come before what is computed from them")
        };
        let (value, bound) = (program.value(id), &bound[id.index()]);
        let rest = &vertex.children[vertex.fixed..];
        match op {
            Op::Leaf(Leaf::Param(param)) => array(params[usize::from(*param)]),
            Op::Leaf(Leaf::Pull(field)) => match vertex.input[usize::from(*field)] {
                PortValue::Indices(_) => unreachable!("the program pulls no bag here"),
                value => array_of(value),
            },
            Op::Leaf(Leaf::HasInput) => {
                Array::scalar(Dual::constant(f64::from(u8::from(!vertex.input.is_empty()))))
            }
            Op::Leaf(Leaf::Child { slot: Slot::Fixed(place), field }) => {
                child(&vertex.children[usize::from(*place)], *field, bound)
            }
            Op::Leaf(Leaf::Child { slot: Slot::Rest, field }) => child(&rest[edge], *field, bound),
            Op::Transition(Transition::Reduce(Domain::Vertex)) => {
                let zeros = Array::zeros(bound.sizes.clone());
                of(value.args[0]).iter().fold(zeros, |mut sum, term| {
                    sum.data.iter_mut().zip(&term.data).for_each(|(sum, x)| *sum = *sum + *x);
                    sum
                })
            }
            Op::Transition(Transition::ReduceMax) => {
                let least = vec![Dual::new(f64::NEG_INFINITY, 0.0); bound.width];
                let least = Array { shape: bound.sizes.clone(), data: least };
                of(value.args[0]).iter().fold(least, |mut greatest, edge| {
                    for (greatest, x) in greatest.data.iter_mut().zip(&edge.data) {
                        *greatest = greater_of(*greatest, *x);
                    }
                    greatest
                })
            }
            op => {
                let args: Vec<&Array<Dual>> = value
                    .args
                    .iter()
                    .map(|arg| {
                        let copies = of(*arg);
                        let of_edge = program.value(*arg).domain == Domain::Edge;
                        &copies[if of_edge { edge } else { 0 }]
                    })
                    .collect();
                if let (Op::Indexing(op), Some(_)) = (op, op.decision()) {
                    let edge = if value.domain == Domain::Edge { edge as u32 } else { 0 };
                    choices.doubted |= args[0].data.iter().any(|number| number.value.is_nan());
                    let index =
                        context::decision(*op, args[0], vertex, edge, &mut choices.followed);
                    return Array::scalar(Dual::constant(f64::from(index)));
                }
                if let Op::Pointwise(Pointwise::Greater | Pointwise::GreaterEqual) = op
                    && let ([a], [b]) = (&args[0].data[..], &args[1].data[..])
                {
                    choices.compared.push([*a, *b]);
                }
                evaluate(op, &args, &attributes(op, bound, vertex, edge, value.domain))
            }
        }
    }
}

/// Element by element: 1 at the first edge that has the maximum or NaN, and 0 at the other edges.
pub(crate) fn first_greatest(edges: &[Array<Dual>]) -> Vec<Array<Dual>> {
    let mut masks: Vec<Array<Dual>> =
        edges.iter().map(|edge| Array::zeros(edge.shape.clone())).collect();
    for element in 0..edges.first().map_or(0, |edge| edge.data.len()) {
        let mut greatest = 0;
        for (edge, array) in edges.iter().enumerate() {
            let (x, most) = (array.data[element].value, edges[greatest].data[element].value);
            if !most.is_nan() && (x.is_nan() || x > most) {
                greatest = edge;
            }
        }
        masks[greatest].data[element] = Dual::constant(1.0);
    }
    masks
}

fn array(tensor: Tensor) -> Array<Dual> {
    context::with(&[tensor], |arrays| arrays[0].clone())
}

/// A value for a field that nobody reads.
fn nothing(kind: &FieldKind) -> PortValue {
    match kind {
        FieldKind::Index => PortValue::Index(Index(0)),
        FieldKind::Tensor | FieldKind::Indices => {
            PortValue::Tensor(context::insert(Array::scalar(Dual::constant(0.0))))
        }
    }
}

/// A tensor, or an index as a scalar.
fn array_of(value: PortValue) -> Array<Dual> {
    match value {
        PortValue::Tensor(tensor) => array(tensor),
        PortValue::Index(index) => Array::scalar(Dual::constant(f64::from(index.0))),
        PortValue::Indices(_) => unreachable!("bags are read by their ops"),
    }
}

fn child(state: &Option<EagerState>, field: u16, bound: &BoundValue) -> Array<Dual> {
    match state {
        Some(state) => array_of(state.fields[usize::from(field)]),
        None => Array::zeros(bound.sizes.clone()),
    }
}

pub(crate) fn attributes(
    op: &Op,
    bound: &BoundValue,
    vertex: &EagerVertex,
    edge: usize,
    domain: Domain,
) -> Attributes {
    let bag = op.bag().map(|field| match vertex.input[usize::from(field)] {
        PortValue::Indices(indices) => context::bag(indices),
        _ => unreachable!("the program pulls a bag here"),
    });
    let draws = op.site().zip(vertex.draws).map(|(site, key)| match op {
        Op::Draw(Draw::Dropout { shared: true, .. }) => key.shared_site(site),
        _ => key.site(site, if domain == Domain::Edge { edge as u32 } else { 0 }),
    });
    let absent = match op {
        Op::Movement(Movement::WhereAbsent(slot)) | Op::Indexing(Indexing::IfAbsent(slot)) => {
            vertex.children[usize::from(*slot)].is_none()
        }
        _ => false,
    };
    let shape = match op {
        Op::Leaf(Leaf::Length(_)) => std::iter::once(bound.length).collect(),
        _ => bound.sizes.clone(),
    };
    let (bag, one_of) = (bag.unwrap_or_default(), bound.one_of.unwrap_or(1));
    Attributes { shape, bag, start: bound.start, draws, absent, one_of }
}
