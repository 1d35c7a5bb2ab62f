//! The values of a vertex function's expressions during lowering.

use std::rc::Rc;

use edb_ir::{Dim, Slot, ValueId};
use syn::{Expr, GenericArgument, Path, PathArguments, Type};

use crate::text;

/// The type of a port, as the user wrote it there.
#[derive(Clone)]
pub(crate) struct TypeName {
    /// The path.
    pub(crate) path: Path,
    /// The path as text: types are compared by how they are written.
    pub(crate) text: String,
}

impl TypeName {
    pub(crate) fn new(path: &Path) -> Self {
        Self { path: path.clone(), text: text::path(path) }
    }

    /// The type between `<` and `>`, if there is one.
    pub(crate) fn argument(&self) -> Option<Self> {
        let PathArguments::AngleBracketed(arguments) = &self.path.segments.last()?.arguments else {
            return None;
        };
        match arguments.args.first()? {
            GenericArgument::Type(Type::Path(ty)) => Some(Self::new(&ty.path)),
            _ => None,
        }
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
    /// A tensor; a field of a child that nothing has used yet may turn out to be an index.
    Tensor(ValueId),
    /// An index.
    Index(ValueId),
    /// Whether two indices are the same: a mask.
    Condition(ValueId),
    /// An `f64` that is known only when the model is built or the vertex runs, such as `h as f64`.
    Real(ValueId),
    /// A constant `f64`.
    Number(f64),
    /// An integer: a constant, or an expression over dimensions.
    Size(Dim),
    /// The variable of a loop to a dimension, as an index, and that dimension.
    Count(ValueId, Dim),
    /// A pulled field, whose kind (tensor or index) follows from its first use.
    Pulled(String),
    /// A struct of a port.
    Struct(Rc<Struct>),
    /// The input, which a vertex may be without.
    Optional(Rc<Struct>),
    /// An array.
    Array(Vec<Value>),
    /// A tuple; `()` is the empty one.
    Tuple(Vec<Value>),
    /// The result of a helper whose tokens have not arrived yet, and its type if annotated.
    Opaque(Option<TypeName>),
    /// An error was reported; errors that follow from it are suppressed.
    Poison,
}

impl Value {
    /// The value of a block without a tail expression.
    pub(crate) const UNIT: Value = Value::Tuple(Vec::new());

    /// Whether nothing is known about this value.
    pub(crate) fn is_silent(&self) -> bool {
        matches!(self, Value::Opaque(_) | Value::Poison)
    }

    /// An array, a tuple or a struct literal with others in the place of what it is made of; `None` of
    /// any other value, and where a part has none.
    pub(crate) fn rebuilt(&self, mut part: impl FnMut(&Value) -> Option<Value>) -> Option<Value> {
        Some(match self {
            Value::Array(items) => Value::Array(items.iter().map(part).collect::<Option<_>>()?),
            Value::Tuple(items) => Value::Tuple(items.iter().map(part).collect::<Option<_>>()?),
            Value::Struct(port) => {
                let FieldOrigin::Literal(fields) = &port.source else { return None };
                let field = |of: &Field| Some(Field { value: part(&of.value)?, ..of.clone() });
                let source = FieldOrigin::Literal(fields.iter().map(field).collect::<Option<_>>()?);
                Value::Struct(Rc::new(Struct { ty: port.ty.clone(), source }))
            }
            _ => return None,
        })
    }

    /// The kind of a value, in the user's terms.
    pub(crate) fn kind(&self) -> String {
        match self {
            Value::Tensor(_) => "a tensor".into(),
            Value::Index(_) => "an index".into(),
            Value::Condition(_) => "a condition".into(),
            Value::Real(_) | Value::Number(_) => "a number".into(),
            Value::Size(_) | Value::Count(..) => "an integer".into(),
            Value::Pulled(_) => "a pulled field".into(),
            Value::Struct(port) => format!("a `{}`", port.ty.text),
            Value::Optional(port) => format!("an `Option<{}>`", port.ty.text),
            Value::Array(items) => format!("an array of {}", items.len()),
            Value::Tuple(items) if items.is_empty() => "`()`".into(),
            Value::Tuple(items) => format!("a tuple of {}", items.len()),
            Value::Opaque(_) | Value::Poison => "unknown".into(),
        }
    }
}

/// A port struct.
#[derive(Clone)]
pub(crate) struct Struct {
    /// Its type.
    pub(crate) ty: TypeName,
    /// The origin of its fields.
    pub(crate) source: FieldOrigin,
}

/// The origin of a struct's fields. Except for literals, a field is read when it is accessed.
#[derive(Clone)]
pub(crate) enum FieldOrigin {
    /// The state of a child.
    Child(Slot),
    /// The state of an optional child (by its slot), and the struct that replaces it if it is
    /// absent.
    ChildOr(u16, Rc<Struct>),
    /// The pulled input.
    Input,
    /// The argument of this name, when a helper is checked on its own.
    Argument(String),
    /// A struct literal.
    Literal(Vec<Field>),
}

/// A field of a struct literal.
#[derive(Clone)]
pub(crate) struct Field {
    /// Its name.
    pub(crate) name: String,
    /// Its value.
    pub(crate) value: Value,
    /// Its expression.
    pub(crate) expr: Expr,
}
