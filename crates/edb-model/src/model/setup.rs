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
/// Made by [`Function::param`](crate::model::Function::param).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedParam {
    /// The builder that the function was added to.
    pub(crate) model: u64,
    pub(crate) function: FunctionId,
    /// The function's name.
    pub(crate) name: &'static str,
    pub(crate) param: String,
}

impl Setup {
    /// No dimensions yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Binds a dimension name.
    pub fn dim(mut self, name: &str, size: usize) -> Self {
        self.dims.push((name.into(), size));
        self
    }

    /// Makes `param` the same parameter as another function's.
    pub fn share(mut self, param: &str, with: SharedParam) -> Self {
        self.shared.push((param.into(), with));
        self
    }

    /// Initialises `param` by an [`Initializer`](edb_learn::learn::Initializer), or with given
    /// [`Values`](edb_learn::learn::Values). By default matrices are Xavier-uniform, the rest zero.
    pub fn init(mut self, param: &str, start: impl Into<Start>) -> Self {
        self.initializers.push((param.into(), start.into()));
        self
    }

    /// Names the function in this model, for a function that is added twice: parameters are saved
    /// as `name.param`. It must not be empty, nor have a control character, such as a line break. The default is
    /// the function's own name.
    pub fn named(mut self, name: &str) -> Self {
        self.name = Some(name.into());
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
