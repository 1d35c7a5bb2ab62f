//! What an expression of a vertex function stands for while it is lowered.

use std::rc::Rc;

use edb_ir::{Dim, Slot, ValueId};
use syn::{Expr, Path};

use crate::text;

/// The type of a port as it is written at the port.
#[derive(Clone)]
pub(crate) struct TypeName {
    /// The path.
    pub(crate) path: Path,
    /// The path as text: types are told apart by how they are written.
    pub(crate) text: String,
}

impl TypeName {
    pub(crate) fn new(path: &Path) -> Self {
        Self { path: path.clone(), text: text::path(path) }
    }
}

impl PartialEq for TypeName {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// The value of an expression.
#[derive(Clone)]
pub(crate) enum Value {
    /// A tensor.
    Tensor(ValueId),
    /// An `f64` that is known when the model is made or the vertex runs, such as `h as f64`.
    Real(ValueId),
    /// A constant `f64`.
    Number(f64),
    /// An integer: a constant, or an expression over dimensions.
    Size(Dim),
    /// A pulled field, whose kind (tensor or index) follows from its first use.
    Pulled(String),
    /// A struct of a port.
    Struct(Rc<Struct>),
    /// An array.
    Array(Vec<Value>),
    /// A tuple; `()` is the empty one.
    Tuple(Vec<Value>),
    /// The result of a helper whose tokens have not arrived yet, and its type if it is annotated.
    Opaque(Option<TypeName>),
    /// In error; what depends on it is silent.
    Poison,
}

impl Value {
    /// The value of a block without a tail.
    pub(crate) const UNIT: Value = Value::Tuple(Vec::new());

    /// Whether nothing can be said about this value.
    pub(crate) fn is_silent(&self) -> bool {
        matches!(self, Value::Opaque(_) | Value::Poison)
    }

    /// What a value is, in the user's terms.
    pub(crate) fn kind(&self) -> String {
        match self {
            Value::Tensor(_) => "a tensor".into(),
            Value::Real(_) | Value::Number(_) => "a number".into(),
            Value::Size(_) => "an integer".into(),
            Value::Pulled(_) => "a pulled field".into(),
            Value::Struct(port) => format!("a `{}`", port.ty.text),
            Value::Array(items) => format!("an array of {}", items.len()),
            Value::Tuple(items) if items.is_empty() => "`()`".into(),
            Value::Tuple(items) => format!("a tuple of {}", items.len()),
            Value::Opaque(_) | Value::Poison => "unknown".into(),
        }
    }
}

/// A struct of a port.
#[derive(Clone)]
pub(crate) struct Struct {
    /// Its type.
    pub(crate) ty: TypeName,
    /// Where its fields come from.
    pub(crate) source: Source,
}

/// Where the fields of a struct come from: all but those of literals are read when asked for.
#[derive(Clone)]
pub(crate) enum Source {
    /// The state of a child.
    Child(Slot),
    /// The state of an optional child (by its slot), and what it is where the child is absent.
    ChildOr(u16, Rc<Struct>),
    /// What is pulled.
    Input,
    /// The argument of this name, of a helper that is checked on its own.
    Argument(String),
    /// Written as a literal.
    Literal(Vec<Field>),
}

/// A field of a struct literal.
#[derive(Clone)]
pub(crate) struct Field {
    /// Its name.
    pub(crate) name: String,
    /// Its value.
    pub(crate) value: Value,
    /// How that is written.
    pub(crate) expr: Expr,
}
