//! What can be wrong with a model.

use edb_ir::BindError;

use edb_learn::learn::LearnError;
use edb_vertex::port::FieldKind;

/// Everything that is wrong with a model, found when it is made.
#[derive(thiserror::Error)]
#[error("the model cannot be made:{}", list(.problems))]
pub struct ModelError {
    /// Each problem.
    pub problems: Vec<ModelProblem>,
}

fn list(problems: &[ModelProblem]) -> String {
    problems.iter().map(|problem| format!("\n  {problem}")).collect()
}

/// One thing that is wrong with a model.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ModelProblem {
    /// The model has no vertex function.
    #[error("it has no vertex function: `add` at least one")]
    NoFunctions,
    /// A `Model<f64>` where edb was compiled without its feature `f64`.
    #[error(
        "edb was compiled for f32 only: add the feature `f64` to edb-nn in Cargo.toml, or build a `Model<f32>`"
    )]
    NotCompiled,
    /// A state is gathered that no function scatters.
    #[error("`{function}` gathers `{state}`, which no function of the model scatters")]
    Unscattered {
        /// The function.
        function: String,
        /// The state.
        state: String,
    },
    /// A dimension has no size, more than one, or one out of range; or a size is given for no dimension.
    #[error("{0}")]
    Dim(String),
    /// A parameter is named that does not exist.
    #[error("`{function}` has no parameter `{param}`; it has {known}")]
    UnknownParam {
        /// The function.
        function: String,
        /// The name that was given.
        param: String,
        /// The names that it has.
        known: String,
    },
    /// A parameter is initialised or shared more than once.
    #[error("`{function}.{param}` is given to `.{call}` {times} times: keep the one that you mean")]
    Repeated {
        /// The function.
        function: String,
        /// The parameter.
        param: String,
        /// What sets it: `init` or `share`.
        call: &'static str,
        /// How often.
        times: usize,
    },
    /// A parameter is shared with the function itself, or with a function that was added later.
    #[error(
        "`{function}.{param}` is shared with a function that is not in this model before it: add that \
         one first"
    )]
    UnknownFunction {
        /// The function.
        function: String,
        /// The parameter.
        param: String,
    },
    /// A parameter is shared with a function of another model.
    #[error(
        "`{function}.{param}` is shared with `{other}.{shared}`, which was added to another builder: \
         add `{other}` to this one first, and share with what that returns"
    )]
    ForeignParam {
        /// The function.
        function: String,
        /// The parameter.
        param: String,
        /// The other model's function.
        other: String,
        /// The parameter of that function.
        shared: String,
    },
    /// A parameter is shared with one that no earlier function has, by its name in the model.
    #[error(
        "`{function}.{param}` is shared with `{with}`, which does not begin with the name of a function before \
         `{function}`: write the function and its parameter, `name.param`; before it are {known}"
    )]
    UnknownShared {
        /// The function.
        function: String,
        /// The parameter.
        param: String,
        /// The name that was given.
        with: String,
        /// The names of the functions before it.
        known: String,
    },
    /// In a setup for several functions, a parameter is named without its function.
    #[error(
        "`{given}` is set for several functions, and does not begin with the name of one: write the function and its \
         parameter, as in `{example}`; the functions are {functions}"
    )]
    WhoseParam {
        /// The name that was given.
        given: String,
        /// A name that is right.
        example: String,
        /// The names of the functions.
        functions: String,
    },
    /// In a setup for several functions, a parameter is named with a function that is none of them.
    #[error(
        "`{given}` is set, and there is no function `{function}`; the functions are {functions}{}",
        meant.as_ref().map_or(String::new(), |meant| format!(": did you mean `{meant}`?"))
    )]
    NoSuchFunction {
        /// The name that was given.
        given: String,
        /// What it has before its last point.
        function: String,
        /// The name of a function that is almost the same.
        meant: Option<String>,
        /// The names of the functions.
        functions: String,
    },
    /// A setup for several functions has a name.
    #[error(
        "`.named({name:?})` is set for several functions: each has the name of its field, so give the field this \
         name; the functions are {functions}"
    )]
    NameOfSeveral {
        /// The name.
        name: String,
        /// The names of the functions.
        functions: String,
    },
    /// Two functions have the same name.
    #[error("two functions are named `{name}`: give one another name with `.named(\"..\")`")]
    DuplicateName {
        /// The name.
        name: String,
    },
    /// A function has a name that is blank or has control characters, so messages and files cannot show it.
    #[error(
        "a function is named {name:?}: give it a name with `.named(\"..\")` that is not empty and has no line \
         break or other control character"
    )]
    Name {
        /// The name.
        name: String,
    },
    /// A function uses a field of a port that the port's type does not have, or has with another
    /// kind.
    #[error(
        "`{function}` uses the field `{field}` of `{port}` as {used}, but it is {is}{}",
        passed_on(field, used, is)
    )]
    Field {
        /// The function.
        function: String,
        /// The port type.
        port: String,
        /// The field.
        field: String,
        /// What it is used as.
        used: &'static str,
        /// What it is.
        is: &'static str,
    },
    /// With these sizes, a tensor of a function has no elements, not enough, or none where it is read.
    #[error("{0}")]
    Shape(String),
    /// The model is larger than can be addressed.
    #[error("`{function}`: a tensor of shape {shape:?} is too large")]
    TooLarge {
        /// The function.
        function: String,
        /// The shape.
        shape: Vec<usize>,
    },
    /// A function calls another function where its plan has a helper of the same name.
    #[error(
        "`{function}`, or a helper that it calls, calls a function `{called}` that is not the helper of this name: the \
         helper is in the plan, and Rust calls the function, which hides it; give one of them another name"
    )]
    OtherFunction {
        /// The function.
        function: String,
        /// The path in the call.
        called: &'static str,
    },
    /// The plan of a function is broken: this version of edb does not make such plans.
    #[error(
        "the plan of `{function}` is broken: {reason}; compile the function again, with this version of edb"
    )]
    Plan {
        /// The function.
        function: String,
        /// The rule that it breaks.
        reason: String,
    },
    /// Another model was to be derived from this one, but one of the functions cannot be derived.
    #[error("nothing can be derived from `{function}`: {reason}")]
    Derived {
        /// The function.
        function: String,
        /// Why.
        reason: String,
    },
    /// Shapes disagree, or are not determined.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// A parameter could not be made.
    #[error(transparent)]
    Learn(#[from] LearnError),
}

edb_kernels::debug_is_display!(ModelError, ModelProblem);

/// Says what to do about an index field that a function only passes on, since nothing in the function says that
/// it is an index.
fn passed_on(field: &str, used: &str, is: &str) -> String {
    if (used, is) != (FieldKind::Tensor.noun(), FieldKind::Index.noun()) {
        return String::new();
    }
    format!("; where it is only passed on, say so: `let {field}: Index = ..;`")
}

/// These names as text for an error.
pub(super) fn or_none(known: Vec<String>) -> String {
    if known.is_empty() { "none".into() } else { known.join(", ") }
}
