//! Errors of parameters, gradients, optimisers, initialisers and checkpoints.

use std::collections::TryReserveError;
use std::fmt::{self, Display};
use std::io;
use std::path::PathBuf;

use edb_file::Explained;
use thiserror::Error;

/// An error of parameters, gradients, optimisers, initialisers or checkpoints.
///
/// Shapes are row-major: `[m, n]` is a matrix of `m` rows, `[n]` a vector, `[]` a scalar.
#[derive(Error)]
#[non_exhaustive]
pub enum LearnError {
    /// A parameter was given more or fewer values than its shape holds.
    #[error("parameter `{parameter}` is {shape:?}, which does not hold {values} values")]
    ValueCount {
        /// The name of the parameter.
        parameter: String,
        /// Its shape.
        shape: Vec<usize>,
        /// How many values were given.
        values: usize,
    },

    /// A vector of the values of all parameters has another length.
    #[error("a vector of all parameters has {expected} values here, not {found}")]
    VectorLength {
        /// How many values all parameters have together.
        expected: usize,
        /// How many were given.
        found: usize,
    },

    /// A shape holds more values than memory can address.
    #[error("parameter `{parameter}`: a tensor of shape {shape:?} is too large")]
    ShapeTooLarge {
        /// The name of the parameter.
        parameter: String,
        /// Its shape.
        shape: Vec<usize>,
    },

    /// There is not enough memory for a parameter, or for data that training keeps for it.
    #[error("there is not enough memory for `{parameter}`, {bytes} bytes: {reason}")]
    Memory {
        /// The name of the parameter.
        parameter: String,
        /// How many bytes were asked for.
        bytes: usize,
        /// The allocator's error.
        reason: TryReserveError,
    },

    /// Two parameters of one set have the same name.
    #[error("there is a parameter `{parameter}` already")]
    DuplicateName {
        /// The name of both.
        parameter: String,
    },

    /// A device has the newest values, and has failed.
    #[error(
        "the newest values of `{parameter}` are on {device}, which failed ({reason}); the host last \
         had those from before step {step}: load a checkpoint"
    )]
    Stale {
        /// The name of the parameter; for optimiser state, with the name of the tensor.
        parameter: String,
        /// The device.
        device: String,
        /// The device's error.
        reason: String,
        /// How many steps had been taken when the host had the newest values.
        step: u64,
    },

    /// A dense gradient has more or fewer values than its parameter.
    #[error("the gradient of parameter `{parameter}` {shape:?} has {values} values")]
    DenseGradient {
        /// The name of the parameter.
        parameter: String,
        /// Its shape.
        shape: Vec<usize>,
        /// How many values the gradient has.
        values: usize,
    },

    /// A row gradient does not fit its parameter.
    #[error("the row gradient of parameter `{parameter}` {shape:?} is malformed: {reason}")]
    RowGradient {
        /// The name of the parameter.
        parameter: String,
        /// Its shape.
        shape: Vec<usize>,
        /// What is wrong, with the numbers.
        reason: String,
    },

    /// Factors do not make a gradient of their parameter.
    #[error(
        "the factors of parameter `{parameter}` {shape:?} are {terms} terms of a matrix {size:?}; there \
         must be at least one, of a matrix of the parameter's shape"
    )]
    FactorGradient {
        /// The name of the parameter.
        parameter: String,
        /// Its shape.
        shape: Vec<usize>,
        /// How many terms the factors have.
        terms: usize,
        /// The shape of the matrix that they make.
        size: [usize; 2],
    },

    /// A norm that should be clipped is greater than the greatest finite number.
    #[error(
        "the norm of the gradient is out of the range of `f64` and cannot be clipped: scale the loss down"
    )]
    NormRange,

    /// Parameters have been put into a model, or gradients, averages or an optimiser's state are used
    /// with parameters, that have other names or shapes.
    #[error(
        "{what} are those of another model: where {} belongs, there is {}",
        shown(expected),
        shown(found)
    )]
    OtherParameters {
        /// What does not fit the parameters, as in `the gradients`.
        what: &'static str,
        /// The name and the shape of the first parameter that differs; `None` if there are no more parameters.
        expected: Option<Box<(String, Vec<usize>)>>,
        /// The name and the shape that are found in its place.
        found: Option<Box<(String, Vec<usize>)>>,
    },

    /// Moving averages are where the parameters belong.
    #[error(
        "the parameters are swapped with their moving averages: swap them back first, with \
         `swap_averages`"
    )]
    Swapped,

    /// The optimiser's state, of earlier steps or a checkpoint, has other tensors for a parameter
    /// than it keeps now.
    #[error(
        "the optimiser keeps {expected:?} for parameter `{parameter}`, but its state has {found:?}: \
         make it with the settings that it had"
    )]
    StateSlots {
        /// The name of the parameter.
        parameter: String,
        /// The names of the tensors that the optimiser keeps.
        expected: Vec<String>,
        /// The names of the tensors in the state.
        found: Vec<String>,
    },

    /// A parameter group selects no parameter.
    #[error("the group of {selector} has no parameter; there are {}", known.join(", "))]
    EmptyGroup {
        /// What it selects, in words.
        selector: String,
        /// The names of all parameters.
        known: Vec<String>,
    },

    /// A gradient has a value that is infinite or not a number.
    #[error("the gradient of parameter `{parameter}` is not finite: value {index} is {value}")]
    NotFinite {
        /// The name of the first such parameter.
        parameter: String,
        /// The row-major index of the first such value in the parameter.
        index: usize,
        /// That value.
        value: f64,
    },

    /// A setting of an optimiser or initialiser is out of range.
    #[error("{setting} is {value}; it must be {range}")]
    Setting {
        /// The setting, as in `the momentum of Sgd`.
        setting: String,
        /// Its value.
        value: f64,
        /// The valid range, as in `in [0, 1)`.
        range: &'static str,
    },

    /// A score is NaN, and so neither better nor worse than other scores.
    #[error(
        "the score that the plateau is to observe is NaN, which is neither better nor worse than others: \
         find out where it comes from, or leave it out"
    )]
    Score,

    /// An initialiser is not defined for the shape of a parameter.
    #[error(
        "parameter `{parameter}` is {shape:?}; the initialiser {initializer} is for matrices [m, n]"
    )]
    NotAMatrix {
        /// The name of the parameter.
        parameter: String,
        /// Its shape.
        shape: Vec<usize>,
        /// The name of the initialiser.
        initializer: &'static str,
    },

    /// Given initial values have another shape than their parameter.
    #[error("parameter `{parameter}` is {shape:?}, but {origin} is {source_shape:?}")]
    ValuesShape {
        /// The name of the parameter.
        parameter: String,
        /// Its shape.
        shape: Vec<usize>,
        /// The shape of the values.
        source_shape: Vec<usize>,
        /// Where they come from.
        origin: String,
    },

    /// A file lacks a tensor.
    #[error("{} has no tensor `{tensor}`; it has {}", path.display(), known.join(", "))]
    NoTensor {
        /// The file.
        path: PathBuf,
        /// The name of the tensor.
        tensor: String,
        /// The names of the tensors that it has.
        known: Vec<String>,
    },

    /// A file holds a tensor in a type that is not read.
    #[error(
        "{} has the tensor `{tensor}` in {dtype}, and only F32 and F64 are read: convert the file",
        path.display()
    )]
    TensorType {
        /// The file.
        path: PathBuf,
        /// The name of the tensor.
        tensor: String,
        /// The safetensors name of its type, as in `BF16`.
        dtype: String,
    },

    /// A line of a file is not a word vector.
    #[error("word vectors {}, line {line}: {reason}", path.display())]
    WordVectors {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },

    /// A parameter has a name that the checkpoint format reserves.
    #[error("checkpoint {}: parameter `{parameter}` has a name reserved by safetensors", path.display())]
    ReservedName {
        /// The checkpoint that was to be written.
        path: PathBuf,
        /// The name.
        parameter: String,
    },

    /// There is no note with this name.
    #[error("there is no note `{name}`; {}", known_notes(known))]
    NoNote {
        /// The name that was asked for.
        name: String,
        /// The names of all notes.
        known: Vec<String>,
    },

    /// A note holds a value of another type than the one that was asked for.
    #[error("the note `{name}` is of another type: {reason}")]
    NoteType {
        /// Its name.
        name: String,
        /// How it differs.
        reason: String,
    },

    /// A note could not be saved without a change.
    #[error(
        "the note `{name}` could not be read again, since {reason}: keep it in another form, such as a \
         string"
    )]
    Note {
        /// Its name.
        name: String,
        /// What the note contains that JSON cannot represent.
        reason: String,
    },

    /// A note is nested so deeply that it could not be read back.
    #[error(
        "the note `{name}` has more than {most} maps and lists in each other, which could not be \
         read again: keep it flat, or as a string"
    )]
    DeepNote {
        /// Its name.
        name: String,
        /// The greatest depth of nested maps and lists.
        most: usize,
    },

    /// A file could not be read.
    #[error("{} cannot be read: {}", path.display(), Explained::read(path, source))]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },

    /// A file could not be written.
    #[error("{} cannot be written: {}", path.display(), Explained::write(path, source))]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },

    /// A file is not a valid safetensors file.
    #[error("{} is corrupt: {reason}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What is wrong in it.
        reason: String,
    },

    /// A file is a zip archive, as those are that PyTorch writes.
    #[error(
        "{} is no safetensors file: it begins like a zip archive, as files of `torch.save` do; save it in Python with \
         `safetensors.torch.save_file`",
        path.display()
    )]
    Zip {
        /// The file.
        path: PathBuf,
    },

    /// A checkpoint is of another model.
    #[error("checkpoint {} does not fit the parameters: {}", path.display(), join(differences))]
    Mismatch {
        /// The checkpoint.
        path: PathBuf,
        /// All differences: those of parameters, in order, then tensors that only the file has, by
        /// name.
        differences: Vec<Difference>,
    },
}

edb_kernels::debug_is_display!(LearnError);

fn known_notes(known: &[String]) -> String {
    match known {
        [] => "there are no others".to_owned(),
        known => format!("there are `{}`", known.join("`, `")),
    }
}

/// A difference between a checkpoint and the parameters that it was to be loaded into.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Difference {
    /// The file lacks a parameter.
    Missing {
        /// The name of the parameter.
        parameter: String,
        /// Its shape.
        shape: Vec<usize>,
    },
    /// The file has a tensor for which there is no parameter.
    Unexpected {
        /// The name of the tensor.
        parameter: String,
        /// Its shape in the file.
        shape: Vec<usize>,
    },
    /// The shapes differ.
    Shape {
        /// The name of the parameter.
        parameter: String,
        /// The shape of the parameter.
        expected: Vec<usize>,
        /// The shape in the file.
        found: Vec<usize>,
    },
    /// The file holds the parameter in a type other than `F32` and `F64`.
    Dtype {
        /// The name of the parameter.
        parameter: String,
        /// Its shape.
        shape: Vec<usize>,
        /// The safetensors name of the type, as in `BF16`.
        dtype: String,
    },
}

impl Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { parameter, shape } => {
                write!(f, "`{parameter}` {shape:?} is missing from the file")
            }
            Self::Unexpected { parameter, shape } => {
                write!(f, "`{parameter}` {shape:?} in the file is no parameter")
            }
            Self::Shape { parameter, expected, found } => {
                write!(f, "`{parameter}` is {expected:?}, but {found:?} in the file")
            }
            Self::Dtype { parameter, shape, dtype } => {
                write!(f, "`{parameter}` {shape:?} is {dtype} in the file, not F32 or F64")
            }
        }
    }
}

impl LearnError {
    /// The error that there is no memory for this many values of a parameter.
    pub(crate) fn memory<V>(parameter: &str, count: usize) -> impl FnOnce(TryReserveError) -> Self {
        let (parameter, bytes) = (parameter.to_owned(), count.saturating_mul(size_of::<V>()));
        move |reason| Self::Memory { parameter, bytes, reason }
    }
}

/// Fails unless `valid`; `range` describes the valid values in words.
pub fn check_setting(
    owner: &str,
    setting: &str,
    value: f64,
    range: &'static str,
    valid: bool,
) -> Result<(), LearnError> {
    if valid {
        return Ok(());
    }
    Err(LearnError::Setting { setting: format!("the {setting} of {owner}"), value, range })
}

fn shown(parameter: &Option<Box<(String, Vec<usize>)>>) -> String {
    match parameter.as_deref() {
        Some((name, shape)) => format!("`{name}` {shape:?}"),
        None => "none".into(),
    }
}

fn join(differences: &[Difference]) -> String {
    differences.iter().map(Difference::to_string).collect::<Vec<_>>().join("; ")
}
