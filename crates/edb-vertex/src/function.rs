//! Vertex functions as the run time sees them.

use std::any::TypeId;
use std::marker::PhantomData;
use std::sync::OnceLock;

/// A compiled vertex function.
pub use edb_ir::Plan;

use derive_where::derive_where;

use crate::port::{Input, Output, PortType, State};
use crate::tensor::Tensor;
use edb_kernels::fused::CompiledKernels;

/// A vertex function; `#[vertex_function]` implements it for a struct of the function's name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a vertex function",
    note = "a vertex function is a function with `#[vertex_function]`, and is named as a type"
)]
pub trait VertexFunction: 'static {
    /// What `Graph::add` takes as the children of a vertex: `()`,
    /// `[Vertex<S>; N]`, a tuple of `Vertex<S>` and `Option<Vertex<S>>`, or `&[Vertex<S>]`.
    type Children<'a>: Children;
    /// What it pulls; `()` if nothing.
    type Input: Input;
    /// What it scatters; `()` if nothing.
    type State: State;
    /// What it pushes; `()` if nothing.
    type Output: Output;

    /// The function's name.
    const NAME: &'static str;

    /// The compiled function: its program, phases, records, kernels and copies. Prints as text, and
    /// as Graphviz with [`Plan::dot`].
    fn plan() -> &'static Plan {
        Self::definition().own.plan
    }

    /// The function as `edb` uses it.
    #[doc(hidden)]
    fn definition() -> Definition;
}

/// A vertex function as a value: what a model is made of.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The function.
    pub own: Compiled,
    /// Its tangent, if that is compiled.
    pub tangent: Option<Compiled>,
    /// The state types of the function, in the order of the plan's program, or as its
    /// [joint](edb_ir::Joint) names them.
    pub states: Vec<PortType>,
    /// What it pulls.
    pub input: PortType,
    /// What it pushes.
    pub output: PortType,
    /// Calls the function itself, for one vertex, inside an eager context.
    pub eager: Option<fn(&EagerArguments<'_>)>,
    /// For its test, if there is one: a function for each state that it gathers, whose vertices leave
    /// what they pull.
    pub sources: Vec<Source>,
    /// The calls of helpers in the function, and in each helper that it calls, directly or not.
    pub calls: &'static [&'static [HelperCall]],
}

impl Definition {
    /// The path in the first call for which the plan has a helper although Rust calls another function.
    pub fn mistaken_call(&self) -> Option<&'static str> {
        let calls = self.calls.iter().copied().flatten();
        calls.filter(|call| (call.called)() != (call.known)()).map(|call| call.name).next()
    }
}

/// A call that is a call of a helper in the plan.
#[derive(Clone, Copy, Debug)]
pub struct HelperCall {
    /// The path in the call, as it is written.
    name: &'static str,
    /// The type of the function that rustc calls.
    called: fn() -> TypeId,
    /// The type of the helper's function.
    known: fn() -> TypeId,
}

impl HelperCall {
    /// A call of a function `F`, which is the helper `NUMBER` in the plan. Each function has a type of its own.
    pub const fn new<const NUMBER: u64, L, F>(name: &'static str, _: F) -> Self
    where
        HelperNumber<NUMBER>: Helper<L>,
        F: Copy + 'static,
    {
        Self { name, called: TypeId::of::<F>, known: <HelperNumber<NUMBER> as Helper<L>>::FUNCTION }
    }
}

/// Stands for the helper whose macro has this number in its name, whatever the helper's own name means elsewhere.
#[derive(Debug)]
pub struct HelperNumber<const NUMBER: u64>;

/// What a helper says of itself. `L` is a type of its crate: Rust requires one to allow the `impl`, and infers it.
pub trait Helper<L> {
    /// The type of its function.
    const FUNCTION: fn() -> TypeId;
    /// The calls of helpers in it.
    const CALLS: &'static [HelperCall];
}

/// The type of a function.
pub const fn type_of<F: Copy + 'static>(_: F) -> fn() -> TypeId {
    TypeId::of::<F>
}

/// A function whose vertices are children in a test: they leave what they pull.
#[derive(Clone, Debug)]
pub struct Source {
    /// The state that it scatters.
    pub state: PortType,
    /// Its plan.
    pub own: Compiled,
}

/// A plan with its compiled kernels.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The plan.
    pub plan: &'static Plan,
    /// The kernels of its routine, as far as they are compiled.
    pub kernels: CompiledKernels,
    /// Those of its other sections, likewise.
    pub sections: Vec<CompiledKernels>,
}

/// The arguments of a vertex function in an eager run.
#[derive(Debug)]
pub struct EagerArguments<'a> {
    /// The parameters, in the order of the program.
    pub params: &'a [Tensor],
    /// The sizes of the dimension names, in the order of the program.
    pub dims: &'a [usize],
}

/// A plan that is decoded on first use.
#[derive(Debug)]
pub struct PlanCell {
    bytes: &'static [u8],
    plan: OnceLock<Plan>,
}

impl PlanCell {
    /// The plan in `bytes`, which the macro wrote.
    pub const fn new(bytes: &'static [u8]) -> Self {
        Self { bytes, plan: OnceLock::new() }
    }

    /// The plan.
    ///
    /// # Panics
    /// When edb-macros and edb-core are of different versions.
    pub fn get(&'static self) -> &'static Plan {
        self.plan.get_or_init(|| match Plan::decode(self.bytes) {
            Ok(plan) => plan,
            Err(error) => panic!("edb-macros and edb-core are of different versions: {error}"),
        })
    }
}

/// A vertex of a graph whose function scatters `S`.
///
/// Made by `Graph::add`; valid in the graph that made it, and in clones
/// of that graph that were made later.
#[derive_where(Clone, Copy, PartialEq, Eq)]
pub struct Vertex<S> {
    /// Its number in its graph.
    number: u32,
    /// The id of that graph.
    graph: u64,
    state: PhantomData<fn() -> S>,
}

impl<S> Vertex<S> {
    /// The number of this vertex in its graph, counted from 0 in the order of addition.
    pub fn number(&self) -> usize {
        self.number as usize
    }
}

/// The vertex of a graph by its number there and the id of the graph, for whoever has added it: what takes a
/// vertex refuses one that is not of its graph.
#[inline]
pub fn vertex_at<S>(number: u32, graph: u64) -> Vertex<S> {
    Vertex { number, graph, state: PhantomData }
}

/// The id of a vertex's graph, and its number there.
#[inline]
pub fn place_of<S>(vertex: &Vertex<S>) -> (u64, u32) {
    (vertex.graph, vertex.number)
}

impl<S> std::hash::Hash for Vertex<S> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.number, self.graph).hash(state);
    }
}

impl<S> std::fmt::Debug for Vertex<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Vertex({})", self.number)
    }
}

/// A child of a vertex without the type of its state, or that there is none at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChildRef(Option<(u64, u32)>);

impl ChildRef {
    /// The id of the child's graph, and its number there; `None` where there is no child.
    #[inline]
    pub fn get(self) -> Option<(u64, u32)> {
        self.0
    }
}

/// The children of a vertex: what the associated type [`VertexFunction::Children`] can be.
pub trait Children {
    /// Gives the children to `sink`, one by one and in order: `Graph::add` reads them so.
    fn list(&self, sink: &mut impl FnMut(ChildRef));
}

/// A child at a fixed position.
pub trait Child {
    /// The child without its type, or that there is none.
    fn reference(&self) -> ChildRef;
}

impl<S> Child for Vertex<S> {
    fn reference(&self) -> ChildRef {
        ChildRef(Some((self.graph, self.number)))
    }
}

impl<S> Child for Option<Vertex<S>> {
    fn reference(&self) -> ChildRef {
        ChildRef(self.map(|vertex| (vertex.graph, vertex.number)))
    }
}

impl Children for () {
    fn list(&self, _: &mut impl FnMut(ChildRef)) {}
}

impl<C: Child, const N: usize> Children for [C; N] {
    #[inline]
    fn list(&self, sink: &mut impl FnMut(ChildRef)) {
        self.iter().map(Child::reference).for_each(sink);
    }
}

impl<S> Children for &[Vertex<S>] {
    #[inline]
    fn list(&self, sink: &mut impl FnMut(ChildRef)) {
        self.iter().map(Child::reference).for_each(sink);
    }
}

/// A member of a tuple of children: a child, or as the last member all the rest.
pub trait Member {
    /// Gives this member's children to `sink`, in order.
    fn list_member(&self, sink: &mut impl FnMut(ChildRef));
}

impl<S> Member for Vertex<S> {
    #[inline]
    fn list_member(&self, sink: &mut impl FnMut(ChildRef)) {
        sink(self.reference());
    }
}

impl<S> Member for Option<Vertex<S>> {
    #[inline]
    fn list_member(&self, sink: &mut impl FnMut(ChildRef)) {
        sink(self.reference());
    }
}

impl<S> Member for &[Vertex<S>] {
    #[inline]
    fn list_member(&self, sink: &mut impl FnMut(ChildRef)) {
        self.list(sink);
    }
}

macro_rules! tuples {
    ($($name:ident)*) => {
        impl<$($name: Member),*> Children for ($($name,)*) {
            #[allow(non_snake_case)]
            #[inline]
            fn list(&self, sink: &mut impl FnMut(ChildRef)) {
                let ($($name,)*) = self;
                $($name.list_member(sink);)*
            }
        }
    };
}

tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
tuples!(A B C D E F);
tuples!(A B C D E F G);
tuples!(A B C D E F G H);
