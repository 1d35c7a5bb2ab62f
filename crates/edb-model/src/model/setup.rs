//! How a vertex function is added to a model: its dimensions, and deviations from the defaults.

use edb_ir::FunctionId;

use edb_learn::learn::Start;

/// The dimensions of a vertex function in a model, with parameters shared from other functions and
/// initialisers that replace the default.
///
/// [`dims!`](crate::dims) makes one; the methods add to it.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    pub(crate) name: Option<String>,
    pub(crate) dims: Vec<(String, usize)>,
    pub(crate) shared: Vec<(String, SharedParam)>,
    pub(crate) initializers: Vec<(String, Start)>,
}

/// A parameter of a function that is in the model already, to be shared with another.
///
/// Made by [`Function::param`](crate::model::Function::param), or of the parameter's name in the model: `"leaf.table"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedParam {
    pub(crate) of: SharedOf,
    pub(crate) param: String,
}

/// The function whose parameter is shared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SharedOf {
    /// The function of this number that was added to the builder with this id; in Rust it has this name.
    Added { model: u64, function: FunctionId, name: &'static str },
    /// The function that has this name in the model.
    Named(String),
}

impl SharedOf {
    /// The same function in another model that has all functions of this one.
    pub(crate) fn in_model(&self, model: u64) -> Self {
        match self {
            Self::Added { function, name, .. } => Self::Added { model, function: *function, name },
            Self::Named(name) => Self::Named(name.clone()),
        }
    }
}

impl From<&str> for SharedParam {
    /// The parameter with this name in the model: the function's name, a point, and the parameter's. A name without
    /// a point is that of no parameter, which is reported when the model is built.
    fn from(name: &str) -> Self {
        let (function, param) = name.rsplit_once('.').unwrap_or(("", name));
        Self { of: SharedOf::Named(function.into()), param: param.into() }
    }
}

impl From<String> for SharedParam {
    /// As for `&str`.
    fn from(name: String) -> Self {
        Self::from(&name[..])
    }
}

impl Setup {
    /// No dimensions yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Binds a dimension name.
    pub fn dim(mut self, name: impl AsRef<str>, size: usize) -> Self {
        self.dims.push((name.as_ref().into(), size));
        self
    }

    /// Makes `param` the same parameter as that of another function. The other function must have been added before.
    /// Name its parameter as in the model, `"f.w"`, or by `f.param("w")`, where `f` is what
    /// [`ModelBuilder::add`](crate::model::ModelBuilder::add) returned. For several functions, `param` begins with the name of one of them, as in
    /// [`ModelBuilder::add_all`](crate::model::ModelBuilder::add_all).
    pub fn share(mut self, param: impl AsRef<str>, with: impl Into<SharedParam>) -> Self {
        self.shared.push((param.as_ref().into(), with.into()));
        self
    }

    /// Initialises `param` by an [`Initializer`](edb_learn::learn::Initializer), or with given
    /// [`Values`](edb_learn::learn::Values). By default matrices are Xavier-uniform, the rest zero.
    /// For several functions, `param` begins with the name of one of them, as in
    /// [`ModelBuilder::add_all`](crate::model::ModelBuilder::add_all).
    pub fn init(mut self, param: impl AsRef<str>, start: impl Into<Start>) -> Self {
        self.initializers.push((param.as_ref().into(), start.into()));
        self
    }

    /// Names the function in this model, for a function that is added twice: parameters are saved
    /// as `name.param`. It must not be empty, nor have a control character, such as a line break. The default is
    /// the function's own name.
    pub fn named(mut self, name: impl AsRef<str>) -> Self {
        self.name = Some(name.as_ref().into());
        self
    }
}

/// The dimensions of a vertex function: `dims! { V: 20_000, X: 300, H: 150 }` is a
/// [`Setup`](crate::model::Setup).
///
/// ```
/// # extern crate edb_model as edb;
/// let hidden = 150;
/// let setup = edb::dims! { V: 20_000, H: hidden };
/// ```
#[macro_export]
macro_rules! dims {
    ($($name:ident : $size:expr),* $(,)?) => {
        $crate::model::Setup::new()$(.dim(::core::stringify!($name), $size))*
    };
}
