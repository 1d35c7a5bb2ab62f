//! Ports: the structs through which a vertex function exchanges data with its graph and its caller.
//!
//! Users write plain structs of [`Tensor`], [`Index`] and [`Indices`] fields and derive [`State`],
//! [`Input`] or [`Output`]; the run time sees lists of fields.

use std::any::TypeId;

use edb_ir::FieldType;
use ndarray::ArrayViewD;
use serde::{Deserialize, Serialize};

use crate::tensor::{Index, Indices, Tensor};
use edb_kernels::element::Element;

/// What a field of a port holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldKind {
    /// A tensor.
    Tensor,
    /// An index into a table or a set of classes.
    Index,
    /// A bag of indices into a table.
    Indices,
}

impl FieldKind {
    /// What a field holds that a [`Plan`](crate::function::Plan) describes.
    pub fn of(holds: &FieldType) -> Self {
        match holds {
            FieldType::Value(shape) if shape.is_index() => FieldKind::Index,
            FieldType::Value(_) => FieldKind::Tensor,
            FieldType::Indices => FieldKind::Indices,
        }
    }

    /// What error messages call it: `a tensor`, `an index`, `a bag of indices`.
    pub fn noun(self) -> &'static str {
        match self {
            FieldKind::Tensor => "a tensor",
            FieldKind::Index => "an index",
            FieldKind::Indices => "a bag of indices",
        }
    }
}

/// A field of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name in the struct.
    pub name: &'static str,
    /// What it holds.
    pub kind: FieldKind,
}

/// The value of a field: eagerly computed, or a place in a graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PortValue {
    /// Of a tensor field.
    Tensor(Tensor),
    /// Of an index field.
    Index(Index),
    /// Of a field that is a bag of indices.
    Indices(Indices),
}

impl PortValue {
    /// The tensor, if it is one.
    pub fn tensor(self) -> Option<Tensor> {
        match self {
            PortValue::Tensor(tensor) => Some(tensor),
            PortValue::Index(_) | PortValue::Indices(_) => None,
        }
    }

    /// The index, if it is one.
    pub fn index(self) -> Option<Index> {
        match self {
            PortValue::Index(index) => Some(index),
            PortValue::Tensor(_) | PortValue::Indices(_) => None,
        }
    }
}

/// A type that a field of a port can have: [`Tensor`], [`Index`] or [`Indices`].
pub trait PortField: Sized {
    /// The kind of the field.
    const KIND: FieldKind;

    /// The type that a result of this field is read as: a view of a tensor or of indices, or nothing
    /// for a bag.
    type View<'a, T: 'a>;

    /// The field from its value.
    ///
    /// # Panics
    /// When the value is of another kind, which the derives exclude.
    fn from_value(value: PortValue) -> Self;

    /// The value of the field.
    fn into_value(self) -> PortValue;

    /// The view of a result; `next` gives the next tensor or index.
    fn view<'a, T: Element>(next: &mut dyn FnMut() -> FieldView<'a, T>) -> Self::View<'a, T>;
}

/// A field of a result: a tensor, or an index (of shape `[]`) or several.
#[derive(Clone, Debug)]
pub enum FieldView<'a, T> {
    /// A tensor.
    Tensor(ArrayViewD<'a, T>),
    /// An index.
    Index(ArrayViewD<'a, u32>),
}

impl PortField for Tensor {
    const KIND: FieldKind = FieldKind::Tensor;
    type View<'a, T: 'a> = ArrayViewD<'a, T>;

    fn from_value(value: PortValue) -> Self {
        match value {
            PortValue::Tensor(tensor) => tensor,
            _ => unreachable!("the derive asks for its fields in order"),
        }
    }

    fn into_value(self) -> PortValue {
        PortValue::Tensor(self)
    }

    fn view<'a, T: Element>(next: &mut dyn FnMut() -> FieldView<'a, T>) -> Self::View<'a, T> {
        match next() {
            FieldView::Tensor(tensor) => tensor,
            FieldView::Index(_) => unreachable!("the derive asks for its fields in order"),
        }
    }
}

impl PortField for Index {
    const KIND: FieldKind = FieldKind::Index;
    type View<'a, T: 'a> = ArrayViewD<'a, u32>;

    fn from_value(value: PortValue) -> Self {
        match value {
            PortValue::Index(index) => index,
            _ => unreachable!("the derive asks for its fields in order"),
        }
    }

    fn into_value(self) -> PortValue {
        PortValue::Index(self)
    }

    fn view<'a, T: Element>(next: &mut dyn FnMut() -> FieldView<'a, T>) -> Self::View<'a, T> {
        match next() {
            FieldView::Index(index) => index,
            FieldView::Tensor(_) => unreachable!("the derive asks for its fields in order"),
        }
    }
}

impl PortField for Indices {
    const KIND: FieldKind = FieldKind::Indices;
    type View<'a, T: 'a> = ();

    fn from_value(value: PortValue) -> Self {
        match value {
            PortValue::Indices(indices) => indices,
            _ => unreachable!("the derive asks for its fields in order"),
        }
    }

    fn into_value(self) -> PortValue {
        PortValue::Indices(self)
    }

    fn view<'a, T: Element>(_: &mut dyn FnMut() -> FieldView<'a, T>) -> Self::View<'a, T> {}
}

/// A struct at a port; implemented by the derives of [`State`], [`Input`] and [`Output`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no port struct",
    note = "a type at a port needs `#[derive(State)]`, `#[derive(Input)]` or `#[derive(Output)]`"
)]
pub trait Port: Sized + 'static {
    /// The name of the type.
    const NAME: &'static str;

    /// Its fields, in order of declaration.
    const FIELDS: &'static [Field];

    /// The struct with the same fields, whose tensors are views of results.
    type View<'a, T: 'a>;

    /// The struct from the values of its fields, which `next` gives in order.
    fn read(next: &mut dyn FnMut() -> PortValue) -> Self;

    /// Gives the values of the fields to `sink`, in order.
    fn write(self, sink: &mut dyn FnMut(PortValue));

    /// The view of a result; `next` gives the tensors and indices in order.
    fn view<'a, T: Element>(next: &mut dyn FnMut() -> FieldView<'a, T>) -> Self::View<'a, T>;
}

/// Implemented for port structs only. The macro takes a name for that of a port struct, and rustc checks this trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no port struct",
    label = "edb takes this name for that of a port struct",
    note = "a struct of a vertex function derives `State`, `Input` or `Output`",
    note = "other types have their own names there: `Tensor`, `Index`, `Indices`, `Dim`, `f64`"
)]
pub trait PortStruct {}

#[diagnostic::do_not_recommend]
impl<P: Port> PortStruct for P {}

/// Implemented for the types that values in a vertex function can have. rustc checks it for each annotated type.
#[diagnostic::on_unimplemented(
    message = "a vertex function has no values of the type `{Self}`",
    label = "edb does not compute with this type",
    note = "its numbers are `f64`, and its sizes are `usize`"
)]
pub trait Valued {}

#[diagnostic::do_not_recommend]
impl<P: Port> Valued for P {}

macro_rules! valued {
    ($($ty:ty),*) => { $(#[diagnostic::do_not_recommend] impl Valued for $ty {})* };
}

valued!(Tensor, Index, Indices, usize, f64, bool);

#[diagnostic::do_not_recommend]
impl<T: Valued, const N: usize> Valued for [T; N] {}

#[diagnostic::do_not_recommend]
impl<A: Valued, B: Valued> Valued for (A, B) {}

#[diagnostic::do_not_recommend]
impl<A: Valued, B: Valued, C: Valued> Valued for (A, B, C) {}

impl Port for () {
    const NAME: &'static str = "()";
    const FIELDS: &'static [Field] = &[];
    type View<'a, T: 'a> = ();

    fn read(_: &mut dyn FnMut() -> PortValue) -> Self {}
    fn write(self, _: &mut dyn FnMut(PortValue)) {}
    fn view<'a, T: Element>(_: &mut dyn FnMut() -> FieldView<'a, T>) -> Self::View<'a, T> {}
}

/// What a vertex passes to its parents: a struct of [`Tensor`]s and [`Index`]es.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a state",
    label = "no struct with `#[derive(State)]`",
    note = "add `#[derive(State)]` to the struct that is gathered or scattered"
)]
pub trait State: Port {}

/// What a vertex pulls from outside its graph: a struct of [`Tensor`]s, [`Index`]es and
/// [`Indices`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an input",
    label = "no struct with `#[derive(Input)]`",
    note = "add `#[derive(Input)]` to the struct that is pulled"
)]
pub trait Input: Port {
    /// The input of a vertex, from the values of its fields.
    ///
    /// # Panics
    /// When these are not its fields.
    fn of_values(values: Vec<PortValue>) -> Self {
        assert_eq!(values.len(), Self::FIELDS.len(), "pull: the input is not a `{}`", Self::NAME);
        let mut fields = values.into_iter();
        Self::read(&mut || fields.next().expect("as many values as fields"))
    }
}

/// What a vertex pushes to the outside: a struct of [`Tensor`]s and [`Index`]es.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an output",
    label = "no struct with `#[derive(Output)]`",
    note = "add `#[derive(Output)]` to the struct that is pushed"
)]
pub trait Output: Port {}

/// Where a vertex may be without its input: `let gold: Option<Gold> = pull();`.
#[diagnostic::do_not_recommend]
impl<I: Input> Port for Option<I> {
    const NAME: &'static str = I::NAME;
    const FIELDS: &'static [Field] = I::FIELDS;
    type View<'a, T: 'a> = I::View<'a, T>;

    fn read(next: &mut dyn FnMut() -> PortValue) -> Self {
        Some(I::read(next))
    }

    fn write(self, sink: &mut dyn FnMut(PortValue)) {
        if let Some(input) = self {
            input.write(sink);
        }
    }

    fn view<'a, T: Element>(next: &mut dyn FnMut() -> FieldView<'a, T>) -> Self::View<'a, T> {
        I::view(next)
    }
}

impl<I: Input> Input for Option<I> {
    fn of_values(values: Vec<PortValue>) -> Self {
        // A struct has at least one field.
        (!values.is_empty()).then(|| I::of_values(values))
    }
}

/// What is passed as the input of a vertex whose function pulls `I`: such a struct; where the vertex
/// may be without it, also `()`, or an `Option` of it.
#[diagnostic::on_unimplemented(
    message = "the function pulls `{I}`, and this is `{Self}`",
    label = "not what the function pulls"
)]
pub trait Given<I> {
    /// What the function pulls.
    fn give(self) -> I;
}

impl<I> Given<I> for I {
    fn give(self) -> I {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<I: Input> Given<Option<I>> for () {
    fn give(self) -> Option<I> {
        None
    }
}

#[diagnostic::do_not_recommend]
impl State for () {}
#[diagnostic::do_not_recommend]
impl Input for () {}
#[diagnostic::do_not_recommend]
impl Output for () {}

/// A port type as a value.
#[derive(Clone, Copy, Debug)]
pub struct PortType {
    /// Which Rust type it is.
    pub id: TypeId,
    /// Its name.
    pub name: &'static str,
    /// Its fields.
    pub fields: &'static [Field],
}

impl PortType {
    /// The port type `P`.
    pub fn of<P: Port>() -> Self {
        Self { id: TypeId::of::<P>(), name: P::NAME, fields: P::FIELDS }
    }
}
