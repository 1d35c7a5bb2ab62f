//! The port types of a function.

use edb_ir::{Indexing, Leaf, Movement, Op, Program, Slot, ValueId};
use proc_macro2::TokenStream;
use syn::ExprCall;

use crate::value::{Field, TypeName};

/// The port types of a function.
#[derive(Default)]
pub(crate) struct Ports {
    /// The fixed children, in order of first mention.
    pub(crate) places: Vec<FixedChild>,
    /// The state of the children that `gather_all` reads.
    pub(crate) rest: Option<TypeName>,
    /// The type that is pulled.
    pub(crate) input: Option<TypeName>,
    /// The condition that it is there, if a vertex may be without it.
    pub(crate) has_input: Option<ValueId>,
    /// The type that is scattered.
    pub(crate) state: Option<TypeName>,
    /// The type that is pushed.
    pub(crate) output: Option<TypeName>,
    /// The state types, in the order of the program.
    pub(crate) states: Vec<TypeName>,
    pub(crate) scatters: bool,
    pub(crate) pushes: bool,
    pub(crate) has_loss: bool,
}

/// A fixed child.
#[derive(Clone)]
pub(crate) struct FixedChild {
    /// Its number among the children: `k` in `gather(k)`.
    pub(crate) child: usize,
    /// Its state type.
    pub(crate) ty: TypeName,
    /// Whether it may be absent.
    pub(crate) optional: bool,
    pub(crate) tokens: TokenStream,
}

impl Ports {
    /// Whether the function has any result.
    pub(super) fn computes(&self) -> bool {
        self.scatters || self.pushes || self.has_loss
    }

    /// The fixed children, in order of position.
    pub(crate) fn ordered(&self) -> Vec<&FixedChild> {
        let mut places: Vec<&FixedChild> = self.places.iter().collect();
        places.sort_by_key(|place| place.child);
        places
    }

    /// Whether the fixed children have one type, and are either all optional or all required.
    pub(crate) fn are_alike(&self) -> bool {
        let kind = |place: &FixedChild| (place.ty.text.clone(), place.optional);
        self.places.windows(2).all(|pair| kind(&pair[0]) == kind(&pair[1]))
    }

    /// Reorders the fixed children from order of first mention to order of position.
    pub(super) fn order_places(&mut self, program: &mut Program) {
        let to: Vec<u16> = self.places.iter().map(|place| place.child as u16).collect();
        self.places.sort_by_key(|place| place.child);
        let slots = program.slots.clone();
        for (from, slot) in slots.into_iter().enumerate() {
            program.slots[usize::from(to[from])] = slot;
        }
        for value in &mut program.values {
            match &mut value.op {
                Op::Leaf(Leaf::Child { slot: Slot::Fixed(slot), .. })
                | Op::Movement(Movement::WhereAbsent(slot))
                | Op::Indexing(Indexing::IfAbsent(slot)) => {
                    *slot = to[usize::from(*slot)];
                }
                _ => {}
            }
        }
    }
}

/// What a vertex writes to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Port {
    /// A state, by its number.
    State(u16),
    Output,
    /// An item of the list that is the output.
    Item,
}

/// What a vertex tells: its parents by `scatter`, the outside by `push`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Telling {
    State,
    Output,
}

/// What has been told on the way to the current code, by [`Telling`].
pub(crate) type WrittenResults = [Option<Written>; 2];

/// The fields that are written, unless they cannot be seen yet.
pub(crate) type Fields = Option<Vec<Field>>;

/// A `scatter` or a `push`.
#[derive(Clone)]
pub(crate) struct Written {
    pub(crate) ty: TypeName,
    pub(crate) fields: Fields,
    pub(crate) call: ExprCall,
}

/// A `scatter` or a `push` of a pulled field that nothing before it reads: whether it is an index
/// shows in the rest of the function.
pub(crate) struct Waiting {
    pub(crate) port: Port,
    pub(crate) ty: TypeName,
    pub(crate) fields: Vec<Field>,
    pub(crate) call: ExprCall,
}
