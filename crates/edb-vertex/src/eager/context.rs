//! The eager context: holds the children and the input of a vertex function that is called as a
//! plain function, and collects what it scatters and pushes, and its losses.

use std::any::TypeId;
use std::cell::RefCell;

use edb_ir::{Indexing, Op, Sites};

use super::array::{Array, first_greatest};
use super::dual::{Dual, Real as _};
use super::reference::{Attributes, evaluate, sums_of_probabilities};
use crate::port::{Input, Port, PortValue};
use crate::tensor::{Bag, Handle, Index, Indices, Tensor};
use edb_kernels::random::VertexKey;

/// The state of a child, as an eager run gives it to its parents.
#[derive(Clone, Debug)]
pub struct EagerState {
    /// The type of the state.
    pub id: TypeId,
    /// Its fields.
    pub fields: Vec<PortValue>,
}

/// What a vertex function reads when it is called for one vertex.
#[derive(Clone, Debug, Default)]
pub struct EagerVertex {
    /// The children in order; `None` where an optional one is absent.
    pub children: Vec<Option<EagerState>>,
    /// How many of them are gathered by position; `gather_all` reads the rest.
    pub fixed: usize,
    /// The fields of the input; none where it has none, or lacks what it may be without.
    pub input: Vec<PortValue>,
    /// The key of its dropout and noise; `None` outside of training.
    pub draws: Option<VertexKey>,
    /// The key of its samples; without one, the greatest is taken.
    pub samples: Option<VertexKey>,
    /// What is decided, where that is known: the vertex follows these decisions.
    pub decisions: Vec<Decision>,
}

/// An index that a vertex computes from numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Which op of the function it is of: [`Op::decision`](edb_ir::Op::decision).
    pub site: u32,
    /// In a loop over children, the number of the child; else 0.
    pub edge: u32,
    /// The index.
    pub index: u32,
}

/// How far a decision that a vertex has followed is from its own.
#[derive(Clone, Copy, Debug)]
pub struct Followed {
    /// The decision.
    pub decision: Decision,
    /// What was chosen, which would have to be at least `least`: an element, or how far a draw is
    /// outside of what it chose.
    pub chosen: Dual,
    /// The greatest element, or 0 for a draw.
    pub least: Dual,
    /// The size of what these are compared relative to.
    pub scale: f64,
}

/// The results of a vertex.
#[derive(Clone, Debug, Default)]
pub struct EagerResult {
    /// The scattered state.
    pub state: Option<EagerState>,
    /// The fields of what was pushed, for each `push`.
    pub outputs: Vec<Vec<PortValue>>,
    /// The losses, and NaN behind them if it has decided on NaN.
    pub losses: Vec<Tensor>,
    /// Whether it has decided on NaN.
    pub doubted: bool,
    /// The decisions that it was told to follow, each with how far it is from what it would have decided.
    pub followed: Vec<Followed>,
    /// The scalars that it compared: near a tie, a run that rounds in another way may go on in another
    /// way.
    pub compared: Vec<[Dual; 2]>,
}

#[derive(Default)]
struct Context {
    values: Vec<Array<Dual>>,
    bags: Vec<Vec<u32>>,
    vertex: Option<(EagerVertex, EagerResult)>,
    /// Draws and decisions so far.
    counts: Counts,
}

#[derive(Clone, Copy, Default)]
struct Counts {
    sites: Sites,
    /// Inside a loop over children: the edge, and the draws and decisions so far at it.
    edge: Option<(u32, u32)>,
}

impl Counts {
    /// The site of the op that is executed next, if it draws or decides, and the edge. Compiled runs
    /// count as this does: such ops in order of execution, in loops over children anew for each
    /// child.
    fn next(&mut self) -> (u32, u32) {
        match &mut self.edge {
            Some((edge, ordinal)) => {
                *ordinal += 1;
                (Sites::in_loop(self.sites.loops, *ordinal - 1), *edge)
            }
            None => (self.sites.take(), 0),
        }
    }
}

thread_local! {
    static CONTEXT: RefCell<Context> = RefCell::default();
}

/// Runs `f` and forgets every eager tensor and bag of indices that was made in it.
pub fn scope<R>(f: impl FnOnce() -> R) -> R {
    struct Restore {
        values: usize,
        bags: usize,
    }
    impl Drop for Restore {
        fn drop(&mut self) {
            CONTEXT.with_borrow_mut(|context| {
                context.values.truncate(self.values);
                context.bags.truncate(self.bags);
            });
        }
    }
    let _restore = CONTEXT
        .with_borrow(|context| Restore { values: context.values.len(), bags: context.bags.len() });
    f()
}

/// Calls a vertex function for one vertex: `f` is the call.
pub fn run_vertex(vertex: EagerVertex, f: impl FnOnce()) -> EagerResult {
    struct Clear;
    impl Drop for Clear {
        fn drop(&mut self) {
            CONTEXT.with_borrow_mut(|context| context.vertex = None);
        }
    }
    CONTEXT.with_borrow_mut(|context| {
        context.vertex = Some((vertex, EagerResult::default()));
        context.counts = Counts::default();
    });
    let _clear = Clear;
    f();
    let taken = CONTEXT.with_borrow_mut(|context| context.vertex.take());
    let mut result = taken.map(|(_, result)| result).unwrap_or_default();
    if result.doubted {
        result.losses.push(insert(Array::scalar(Dual::constant(f64::NAN))));
    }
    result
}

/// Notes that a number was compared, whose being NaN makes what is decided doubtful.
pub(crate) fn note_decided_on(number: Dual) {
    CONTEXT.with_borrow_mut(|context| {
        if let Some((_, result)) = &mut context.vertex {
            result.doubted |= number.value.is_nan();
        }
    });
}

/// Notes that two scalars were compared.
pub(crate) fn note_compared(pair: [Dual; 2]) {
    CONTEXT.with_borrow_mut(|context| {
        if let Some((_, result)) = &mut context.vertex {
            result.compared.push(pair);
        }
    });
}

/// A new eager tensor.
pub fn insert(array: Array<Dual>) -> Tensor {
    CONTEXT.with_borrow_mut(|context| {
        let value = u32::try_from(context.values.len())
            .expect("an eager run holds fewer than 2^32 tensors: run it inside `eager::scope`");
        context.values.push(array);
        Tensor(Handle::Eager(value))
    })
}

/// A new eager bag of indices.
pub(crate) fn insert_bag(indices: &[u32]) -> Indices {
    CONTEXT.with_borrow_mut(|context| {
        let bag = u32::try_from(context.bags.len())
            .expect("an eager run holds fewer than 2^32 bags: run it inside `eager::scope`");
        context.bags.push(indices.to_vec());
        Indices(Bag::Eager(bag))
    })
}

/// The indices of an eager bag.
///
/// # Panics
/// When it is not one of a live scope of this thread.
pub fn bag(indices: Indices) -> Vec<u32> {
    CONTEXT.with_borrow(|context| match indices.0 {
        Bag::Eager(number) => match context.bags.get(number as usize) {
            Some(bag) => bag.clone(),
            None => panic!("these indices were made in an `eager::scope` that has ended"),
        },
        Bag::Data { .. } => {
            panic!("these indices are an input of a graph; they have no value to compute with here")
        }
    })
}

/// Applies `f` to eager tensors.
///
/// # Panics
/// When one of them is not an eager tensor of a live scope of this thread.
pub fn with<R>(tensors: &[Tensor], f: impl FnOnce(&[&Array<Dual>]) -> R) -> R {
    CONTEXT.with_borrow(|context| {
        let array = |tensor: &Tensor| match tensor.0 {
            Handle::Eager(number) => context.values.get(number as usize).unwrap_or_else(|| {
                panic!("this tensor was made in an `eager::scope` that has ended")
            }),
            Handle::Data { .. } | Handle::Pushed { .. } | Handle::Item { .. } => {
                panic!("this tensor is an input of a graph; it has no value to compute with here")
            }
        };
        let arrays: Vec<&Array<Dual>> = tensors.iter().map(array).collect();
        f(&arrays)
    })
}

/// The elements of an eager tensor, row-major, with all that is known of them.
///
/// # Panics
/// As [`with`].
pub fn duals(tensor: Tensor) -> Vec<Dual> {
    with(&[tensor], |arrays| arrays[0].data.clone())
}

fn with_vertex<R>(verb: &str, f: impl FnOnce(&mut EagerVertex, &mut EagerResult) -> R) -> R {
    CONTEXT.with_borrow_mut(|context| match &mut context.vertex {
        Some((vertex, result)) => f(vertex, result),
        None => panic!(
            "`{verb}` was called outside of a vertex: to call a vertex function by hand, use \
             `edb::eager::run_vertex`"
        ),
    })
}

/// The child at place `k`, if it is there.
pub(crate) fn child<S: Port>(k: usize) -> Option<S> {
    let state = with_vertex("gather", |vertex, _| match vertex.children.get(k) {
        Some(child) => child.clone(),
        None => panic!("gather({k}): the vertex has {} children", vertex.children.len()),
    });
    state.map(read_state)
}

/// Where the children of `gather_all` begin and end.
pub(crate) fn rest() -> std::ops::Range<usize> {
    with_vertex("gather_all", |vertex, _| vertex.fixed..vertex.children.len())
}

fn read_state<S: Port>(state: EagerState) -> S {
    assert!(state.id == TypeId::of::<S>(), "the child's state is not a `{}`", S::NAME);
    let mut fields = state.fields.into_iter();
    S::read(&mut || fields.next().expect("a state has all its fields"))
}

/// The input.
pub(crate) fn input<I: Input>() -> I {
    I::of_values(with_vertex("pull", |vertex, _| vertex.input.clone()))
}

/// The fields of a port struct.
fn fields<P: Port>(port: P) -> Vec<PortValue> {
    let mut fields = Vec::new();
    port.write(&mut |value| fields.push(value));
    fields
}

pub(crate) fn set_state<S: Port>(state: S) {
    let state = EagerState { id: TypeId::of::<S>(), fields: fields(state) };
    with_vertex("scatter", |_, result| result.state = Some(state));
}

pub(crate) fn add_output<O: Port>(output: O) {
    let output = fields(output);
    with_vertex("push", |_, result| result.outputs.push(output));
}

pub(crate) fn add_loss(loss: Tensor) {
    with_vertex("loss", |_, result| result.losses.push(loss));
}

/// The random draws of the op that is executed next; the same at all vertices of the function in a
/// graph if `shared`.
pub(crate) fn next_draws(shared: bool) -> Option<edb_kernels::random::SiteKey> {
    CONTEXT.with_borrow_mut(|context| {
        let (site, edge) = context.counts.next();
        let draws = context.vertex.as_ref().and_then(|(vertex, _)| vertex.draws);
        draws.map(|key| if shared { key.shared_site(site) } else { key.site(site, edge) })
    })
}

/// An index computed from a vector: the greatest, or a sample.
pub(crate) fn decide(x: Tensor, is_sample: bool) -> Index {
    let x = with(&[x], |arrays| arrays[0].clone());
    CONTEXT.with_borrow_mut(|context| {
        let (site, edge) = context.counts.next();
        let op = if is_sample { Indexing::Sample { site } } else { Indexing::Argmax { site } };
        let mut own = (EagerVertex::default(), EagerResult::default());
        let (vertex, result) = context.vertex.as_mut().unwrap_or(&mut own);
        result.doubted |= x.data.iter().any(|number| number.value.is_nan());
        Index(decision(op, &x, vertex, edge, &mut result.followed))
    })
}

/// The index that a vertex computes by an op, or the one that it follows; how far that is from its
/// own goes to `followed`.
pub fn decision(
    op: Indexing,
    x: &Array<Dual>,
    vertex: &EagerVertex,
    edge: u32,
    followed: &mut Vec<Followed>,
) -> u32 {
    let (Indexing::Argmax { site } | Indexing::Sample { site }) = op else {
        unreachable!("{op:?} is no decision")
    };
    let draws = vertex.samples.map(|key| key.site(site, edge));
    let attributes = Attributes { draws, ..Attributes::default() };
    let own = evaluate(&Op::Indexing(op), &[x], &attributes).data[0].value as u32;
    let known = vertex.decisions.iter().find(|known| (known.site, known.edge) == (site, edge));
    let Some(&decision) = known else { return own };
    let chosen = decision.index as usize;
    let element = x.data.get(chosen).copied().unwrap_or(Dual::constant(f64::NEG_INFINITY));
    let (chosen, least, scale) = match (op, draws) {
        (Indexing::Sample { .. }, Some(draws)) if x.data[own as usize].value.is_finite() => {
            let sums = sums_of_probabilities(&x.data);
            let below = if chosen == 0 { 0.0 } else { sums[(chosen - 1).min(sums.len() - 1)] };
            let above = sums.get(chosen).copied().unwrap_or(below);
            let draw = draws.uniform(0);
            let outside = (below - draw).max(draw - above).max(0.0);
            (Dual::constant(-outside), Dual::constant(0.0), 1.0)
        }
        _ => {
            let sizes = x.data.iter().map(|x| x.value.abs()).filter(|x| x.is_finite());
            (element, x.data[first_greatest(&x.data)], sizes.fold(0.0, f64::max))
        }
    };
    followed.push(Followed { decision, chosen, least, scale });
    decision.index
}

/// A `gather_all` loop begins.
pub(crate) fn enter_loop() {
    CONTEXT.with_borrow_mut(|context| context.counts.sites.loops += 1);
}

/// The loop is at this child, or at its end.
pub(crate) fn at_edge(edge: Option<u32>) {
    CONTEXT.with_borrow_mut(|context| context.counts.edge = edge.map(|edge| (edge, 0)));
}
