//! Models of generated functions, and random graphs over them: built by the typed methods of a
//! graph, as users build them, or described by records for the interpreter's model.

use std::collections::BTreeMap;

use edb::__private::Definition;
use edb::Element;
use edb::model::Setup;
use edb::prelude::*;
use edb_ir::{Gradients, Program};

use super::cells::{Gold, Node, Out, Scores, Signal, Word};

/// The sizes of the named dimensions.
pub type Sizes = BTreeMap<&'static str, usize>;

/// Adds a generated function to a model.
pub type Enter<T> = fn(&mut ModelBuilder, &Sizes) -> Box<dyn Member<T>>;

/// A function of a model, with its types erased except for what random graphs need.
pub trait Member<T: Element> {
    /// The definition that the macro has written.
    fn definition(&self) -> Definition;

    /// For each child by place, whether it is optional; and whether any number of children follows.
    fn arity(&self) -> (&'static [bool], bool);

    /// Whether it has a state for parents.
    fn scatters(&self) -> bool;

    /// Whether its output has a field `y`, which other vertices can pull.
    fn feeds(&self) -> bool;

    /// Adds a vertex.
    fn add(&self, g: &mut Graph<T>, children: Children<'_>, given: Given) -> Added;
}

/// The children of a vertex: those by place, and those after them.
#[derive(Clone, Copy)]
pub struct Children<'a> {
    pub fixed: &'a [Option<Vertex<Node>>],
    pub rest: &'a [Vertex<Node>],
}

/// What a vertex can pull; `x` has length `E`.
#[derive(Clone, Copy)]
pub struct Given {
    pub id: Index,
    pub label: Index,
    pub x: Tensor,
}

/// The handles of an added vertex.
pub struct Added {
    pub vertex: Option<Vertex<Node>>,
    /// The field `y` of its output.
    pub y: Option<Tensor>,
}

/// Children, for all types of children that generated functions have.
pub trait FromChildren<'a> {
    const FIXED: &'static [bool];
    const REST: bool;

    fn from_children(children: Children<'a>) -> Self;
}

/// A child by place.
trait Place {
    const OPTIONAL: bool;

    fn place(child: Option<Vertex<Node>>) -> Self;
}

impl Place for Vertex<Node> {
    const OPTIONAL: bool = false;

    fn place(child: Option<Vertex<Node>>) -> Self {
        child.expect("the child is there: it is not optional")
    }
}

impl Place for Option<Vertex<Node>> {
    const OPTIONAL: bool = true;

    fn place(child: Option<Vertex<Node>>) -> Self {
        child
    }
}

impl FromChildren<'_> for () {
    const FIXED: &'static [bool] = &[];
    const REST: bool = false;

    fn from_children(_: Children<'_>) -> Self {}
}

impl<P: Place, const N: usize> FromChildren<'_> for [P; N] {
    const FIXED: &'static [bool] = &[P::OPTIONAL; N];
    const REST: bool = false;

    fn from_children(children: Children<'_>) -> Self {
        std::array::from_fn(|slot| P::place(children.fixed[slot]))
    }
}

impl<'a> FromChildren<'a> for &'a [Vertex<Node>] {
    const FIXED: &'static [bool] = &[];
    const REST: bool = true;

    fn from_children(children: Children<'a>) -> Self {
        children.rest
    }
}

impl<'a, P: Place> FromChildren<'a> for (P, &'a [Vertex<Node>]) {
    const FIXED: &'static [bool] = &[P::OPTIONAL];
    const REST: bool = true;

    fn from_children(children: Children<'a>) -> Self {
        (P::place(children.fixed[0]), children.rest)
    }
}

macro_rules! pairs {
    ($($first:ty, $second:ty;)*) => {$(
        impl FromChildren<'_> for ($first, $second) {
            const FIXED: &'static [bool] = &[<$first>::OPTIONAL, <$second>::OPTIONAL];
            const REST: bool = false;

            fn from_children(children: Children<'_>) -> Self {
                (Place::place(children.fixed[0]), Place::place(children.fixed[1]))
            }
        }
    )*};
}

pairs! {
    Vertex<Node>, Option<Vertex<Node>>;
    Option<Vertex<Node>>, Vertex<Node>;
}

/// An input, for all types of input that generated functions have.
pub trait FromGiven {
    fn from_given(given: Given) -> Self;
}

impl FromGiven for () {
    fn from_given(_: Given) -> Self {}
}

impl FromGiven for Word {
    fn from_given(Given { id, x, .. }: Given) -> Self {
        Word { id, x }
    }
}

impl FromGiven for Signal {
    fn from_given(Given { label, x, .. }: Given) -> Self {
        Signal { x, label }
    }
}

impl FromGiven for Gold {
    fn from_given(Given { label, x, .. }: Given) -> Self {
        Gold { label, target: x }
    }
}

/// A state, for all types of state that generated functions have.
pub trait Told: Sized {
    const TOLD: bool;

    fn vertex(vertex: Vertex<Self>) -> Option<Vertex<Node>>;
}

impl Told for () {
    const TOLD: bool = false;

    fn vertex(_: Vertex<()>) -> Option<Vertex<Node>> {
        None
    }
}

impl Told for Node {
    const TOLD: bool = true;

    fn vertex(vertex: Vertex<Node>) -> Option<Vertex<Node>> {
        Some(vertex)
    }
}

/// An output, for all types of output that generated functions have.
pub trait Pushed {
    const FEEDS: bool;

    fn y(self) -> Option<Tensor>;
}

impl Pushed for () {
    const FEEDS: bool = false;

    fn y(self) -> Option<Tensor> {
        None
    }
}

impl Pushed for Out {
    const FEEDS: bool = true;

    fn y(self) -> Option<Tensor> {
        Some(self.y)
    }
}

impl Pushed for Scores {
    const FEEDS: bool = true;

    fn y(self) -> Option<Tensor> {
        Some(self.y)
    }
}

impl<T, F> Member<T> for Function<F>
where
    T: Element,
    F: VertexFunction<Input: FromGiven, State: Told, Output: Pushed>,
    for<'a> F::Children<'a>: FromChildren<'a>,
{
    fn definition(&self) -> Definition {
        F::definition()
    }

    fn arity(&self) -> (&'static [bool], bool) {
        (<F::Children<'_> as FromChildren<'_>>::FIXED, <F::Children<'_> as FromChildren<'_>>::REST)
    }

    fn scatters(&self) -> bool {
        F::State::TOLD
    }

    fn feeds(&self) -> bool {
        F::Output::FEEDS
    }

    fn add(&self, g: &mut Graph<T>, children: Children<'_>, given: Given) -> Added {
        let children = F::Children::from_children(children);
        let vertex = g.add(self, children, F::Input::from_given(given));
        Added { vertex: F::State::vertex(vertex), y: g.output(self, vertex).y() }
    }
}

/// Adds `F` to a model; see [`Enter`].
pub fn enter<F, T>(builder: &mut ModelBuilder, sizes: &Sizes) -> Box<dyn Member<T>>
where
    T: Element,
    F: VertexFunction<Input: FromGiven, State: Told, Output: Pushed>,
    for<'a> F::Children<'a>: FromChildren<'a>,
{
    Box::new(builder.add::<F>(setup(&F::definition().own.plan.program, sizes)))
}

/// The dimensions of a program, and random initial values for its parameters, so that none is zero.
pub fn setup(program: &Program, sizes: &Sizes) -> Setup {
    let dims = program.dims.iter().map(|name| (name, sizes[name.as_str()]));
    let setup = dims.fold(Setup::new(), |setup, (name, size)| setup.dim(name, size));
    let uniform = Initializer::Uniform { bound: 0.5 };
    program.params.iter().fold(setup, |setup, param| setup.init(&param.name, uniform))
}

/// The forward part of a function's plan, as a program of its own.
pub fn forward(definition: &Definition) -> Program {
    let mut program = definition.own.plan.program.clone();
    program.values.truncate(program.backward_start as usize);
    program.gradients = Gradients::default();
    program
}
