//! The program of one vertex: values in single-assignment form, and its ports.
//!
//! These are the data that the rest of the crate reads and writes: the ops and their attributes
//! ([`op`]), programs, and functions with branches and loops, from which programs are made
//! ([`flow`]). The [builder](crate::builder) makes them, the compiler rewrites them, and a
//! [plan](crate::plan) holds them. Two things are told of a program here: its text (`print.rs`), and
//! whether two runs mean the same by a function ([`fingerprint`]). The rules of the ops are in
//! `rules/`.
//!
//! Invariant: arguments come before their uses, and no forward value depends on a backward one. The
//! verifier checks this and more, after every pass in debug builds, and for every plan of which a
//! model is made.

pub mod fingerprint;
pub mod flow;
pub mod op;
mod print;
mod semiring;

use serde::{Deserialize, Serialize};

use crate::shapes::Shape;

pub use fingerprint::Fingerprint;
pub use flow::{Block, Branch, Carried, Flow, Loop, Merge, Step};
pub use op::{
    Arity, Contraction, Domain, Draw, Indexing, Leaf, Movement, Op, Pointwise, Reduction,
    RowReduction, Slot, Surface, Transition,
};
pub use semiring::{Role, Semiring, SemiringContraction};

/// The most values of a forward program. Its gradient adds at most a dozen for each op, so that the
/// numbers in a routine fit into 16 bits.
pub const MOST_VALUES: usize = 4096;

crate::id_types! {
    /// A value of a program, by its number. Arguments come before the values that use them.
    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    pub struct ValueId(u32);
}

/// One value: an op applied to earlier values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// The op that computes it.
    pub op: Op,
    /// The arguments, all of them earlier values.
    pub args: Vec<ValueId>,
    /// The shape at one vertex (or edge, or step).
    pub shape: Shape,
    /// How often it exists.
    pub domain: Domain,
}

/// A parameter as declared: `#[param(5 * H, 2 * H)] u: Tensor`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParamDecl {
    /// Its name in the function.
    pub name: String,
    /// Its shape.
    pub shape: Shape,
}

/// A field of a port.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FieldDecl {
    /// Its name in the struct.
    pub name: String,
    /// What it holds.
    pub holds: FieldType,
}

/// What a field of a port holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FieldType {
    /// A tensor or an index, of this shape.
    Value(Shape),
    /// A bag: any number of indices.
    Indices,
}

impl FieldDecl {
    /// The shape of a tensor or of an index.
    pub fn shape(&self) -> Option<&Shape> {
        match &self.holds {
            FieldType::Value(shape) => Some(shape),
            FieldType::Indices => None,
        }
    }

    /// Whether it holds a tensor.
    pub fn is_tensor(&self) -> bool {
        self.shape().is_some_and(|shape| !shape.is_index())
    }
}

/// A struct at a port, as far as the function uses it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PortDecl {
    /// The type as written at the port.
    pub name: String,
    /// The fields that the function reads or writes, each once.
    pub fields: Vec<FieldDecl>,
}

/// A child that the function gathers by place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SlotDecl {
    /// The number of its state in [`Program::states`].
    pub state: u16,
    /// Whether it may be absent (`gather_or`).
    pub optional: bool,
}

/// The gradients that a joint program computes: the results of its backward pass.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Gradients {
    /// For each parameter, the terms of its gradient, in the step domain; none if no gradient
    /// reaches it. They are not added up here, since those of tables are sparse.
    pub params: Vec<Vec<ValueId>>,
    /// The gradients of children's state fields, one row an edge.
    pub children: Vec<(Slot, u16, ValueId)>,
    /// The gradients of pulled tensor fields.
    pub pulls: Vec<(u16, ValueId)>,
}

/// The program of one vertex function.
///
/// Values `0..backward_start` compute the vertex forward; those after them, which
/// [`differentiate`](crate::autodiff::differentiate) adds, run backward.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Program {
    /// The function's name.
    pub name: String,
    /// The dimension names that it mentions.
    pub dims: Vec<String>,
    /// The numbers of unknown dimensions and of unknown shapes: those in its shapes are below
    /// these.
    pub unknowns: (u32, u32),
    /// Its parameters.
    pub params: Vec<ParamDecl>,
    /// The state types that it mentions, at gathers or its scatter.
    pub states: Vec<PortDecl>,
    /// The children that it gathers by place.
    pub slots: Vec<SlotDecl>,
    /// The state (in [`Program::states`]) of the remaining children, if it gathers all.
    pub rest: Option<u16>,
    /// What it pulls.
    pub input: Option<PortDecl>,
    /// Whether a vertex may be without that.
    pub may_lack_input: bool,
    /// What it pushes, every field of it.
    pub output: Option<PortDecl>,
    /// Which of [`Program::states`] it scatters.
    pub scattered: Option<u16>,
    /// The values.
    pub values: Vec<Value>,
    /// The scattered value of each field of the scattered state.
    pub scatter: Vec<ValueId>,
    /// The pushed value of each field of the output.
    pub push: Vec<ValueId>,
    /// The losses: scalars, whose sum training minimises.
    pub losses: Vec<ValueId>,
    /// Which section of its function comes next: an index into the targets of its
    /// [`Joint`](crate::joint::Joint), if there are several.
    pub next: Option<ValueId>,
    /// 0, or NaN where the vertex has decided on NaN, if it decides anything: see
    /// [`doubt`](crate::doubt).
    pub doubt: Option<ValueId>,
    /// Where the backward values begin.
    pub backward_start: u32,
    /// The gradients that the backward values compute.
    pub gradients: Gradients,
}

impl Program {
    /// The value with this number.
    pub fn value(&self, id: ValueId) -> &Value {
        &self.values[id.index()]
    }

    /// Every value with its number, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (ValueId, &Value)> + ExactSizeIterator {
        self.values.iter().enumerate().map(|(number, value)| (ValueId(number as u32), value))
    }

    /// Whether a value runs backward.
    pub fn is_backward(&self, id: ValueId) -> bool {
        id.0 >= self.backward_start
    }

    /// The values that leave the program forward: scattered, pushed, losses, what comes next, and
    /// whether that is in doubt.
    pub fn forward_results(&self) -> impl Iterator<Item = ValueId> + '_ {
        let shown = self.scatter.iter().chain(&self.push).chain(&self.losses);
        shown.chain(&self.next).chain(&self.doubt).copied()
    }

    /// What is added up to the loss of a minibatch: the losses, and the doubt.
    pub fn summed(&self) -> impl Iterator<Item = ValueId> + '_ {
        self.losses.iter().chain(&self.doubt).copied()
    }

    /// The values that leave it backward: gradients of children, pulls and parameters.
    pub fn backward_results(&self) -> impl Iterator<Item = ValueId> + '_ {
        let gradients = &self.gradients;
        (gradients.children.iter().map(|&(_, _, id)| id))
            .chain(gradients.pulls.iter().map(|&(_, id)| id))
            .chain(gradients.params.iter().flatten().copied())
    }

    /// Whether this program has the dimensions, parameters, children and ports of another one, each in its place.
    pub fn has_the_ports_of(&self, other: &Program) -> bool {
        let inside = |of: &Program| (of.dims.clone(), of.params.clone(), of.input.clone());
        let children = |of: &Program| (of.states.clone(), of.slots.clone(), of.rest, of.scattered);
        self.output == other.output
            && self.may_lack_input == other.may_lack_input
            && inside(self) == inside(other)
            && children(self) == children(other)
    }

    /// Applies `map` to every reference from a port to a value.
    pub fn map_results(&mut self, mut map: impl FnMut(ValueId) -> ValueId) {
        let forward = self.scatter.iter_mut().chain(&mut self.push).chain(&mut self.losses);
        let forward = forward.chain(&mut self.next).chain(&mut self.doubt);
        let gradients = &mut self.gradients;
        forward
            .chain(gradients.children.iter_mut().map(|(_, _, id)| id))
            .chain(gradients.pulls.iter_mut().map(|(_, id)| id))
            .chain(gradients.params.iter_mut().flatten())
            .for_each(|id| *id = map(*id));
    }

    /// The state of the children in `slot`, by its number in [`Program::states`].
    pub fn slot_state(&self, slot: Slot) -> Option<u16> {
        match slot {
            Slot::Fixed(slot) => self.slots.get(usize::from(slot)).map(|slot| slot.state),
            Slot::Rest => self.rest,
        }
    }
}
