//! Saves and loads parameters as [safetensors](https://huggingface.co/docs/safetensors) files.
//!
//! Python reads them with `safetensors.numpy.load_file`. A training run as a whole is saved by
//! `Checkpoints`.

mod format;

use std::collections::BTreeMap;
use std::path::Path;

pub use format::{TensorFile, TensorRef, write};
use safetensors::tensor::TensorInfo;

use crate::error::{Difference, LearnError};
use crate::parameters::{Parameter, Parameters};
use edb_kernels::element::Element;
use format::is_float;

/// Writes parameters to a file, with metadata of the caller (a description of the model, for
/// example).
///
/// The write is atomic: the file is written under a temporary name in the same folder
/// (`.NAME.PID-N.tmp`), synced to disk and then renamed, which replaces a file at `path`; then the
/// folder is synced. If an operation before the renaming fails, the temporary file is removed.
///
/// # Errors
///
/// [`LearnError::Write`]; [`LearnError::ReservedName`] for a parameter named `__metadata__`;
/// [`LearnError::Stale`] where a device has newer values and has failed.
pub fn save<T: Element>(
    parameters: &Parameters<T>,
    path: &Path,
    metadata: &BTreeMap<String, String>,
) -> Result<(), LearnError> {
    write(&tensors(parameters)?, path, metadata)
}

fn tensors<T: Element>(parameters: &Parameters<T>) -> Result<Vec<TensorRef<'_, T>>, LearnError> {
    let tensor = |(_, parameter)| {
        let parameter: &Parameter<T> = parameter;
        let (name, shape) = (parameter.name(), parameter.shape());
        Ok(TensorRef { name, shape, values: parameter.values()? })
    };
    parameters.iter().map(tensor).collect()
}

/// Reads the values of parameters from a file, and returns the file's metadata.
///
/// The file must have the same parameters in any order, as `F32` or `F64`. Values are converted; a conversion
/// to `f32` rounds, so values beyond its range become infinite. Values that are infinite or not numbers are
/// loaded unchanged.
///
/// # Errors
///
/// [`LearnError::Io`]; [`LearnError::Zip`] or [`LearnError::Corrupt`] if it is no valid safetensors file;
/// [`LearnError::Mismatch`] with all differences if it is of another model. No parameter has
/// changed then.
pub fn load<T: Element>(
    parameters: &mut Parameters<T>,
    path: &Path,
) -> Result<BTreeMap<String, String>, LearnError> {
    let mut file = TensorFile::open(path)?;
    load_of(parameters, &mut file)?;
    Ok(file.metadata())
}

/// The same of a file that is open.
///
/// # Errors
///
/// As [`load`].
pub fn load_of<T: Element>(
    parameters: &mut Parameters<T>,
    file: &mut TensorFile,
) -> Result<(), LearnError> {
    let mut differences = Vec::new();
    let mut rest = file.tensors();
    for (_, parameter) in parameters.iter() {
        let tensor = rest.remove(parameter.name());
        differences.extend(difference(parameter, tensor));
    }
    differences.extend(rest.into_iter().map(|(parameter, tensor)| Difference::Unexpected {
        parameter,
        shape: tensor.shape.clone(),
    }));
    if !differences.is_empty() {
        return Err(LearnError::Mismatch { path: file.path().to_owned(), differences });
    }
    // Everything is read before anything changes, since reading may fail.
    let read = |(_, parameter): (_, &Parameter<T>)| file.read(parameter.name());
    let values: Vec<(_, Vec<T>)> = parameters.iter().map(read).collect::<Result<_, _>>()?;
    for ((_, parameter), (_, values)) in parameters.iter_mut().zip(values) {
        parameter.set_values(&values)?;
    }
    Ok(())
}

/// The result of a partial load. Each parameter is in one of the first three lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transfer {
    /// The parameters that were loaded.
    pub loaded: Vec<String>,
    /// The parameters that were requested but do not fit the file, with the difference.
    pub differing: Vec<Difference>,
    /// The parameters that were not requested.
    pub kept: Vec<String>,
    /// The tensors of the file that were not loaded into any parameter.
    pub unused: Vec<String>,
}

/// Loads some parameters from a file, for transfer into another model. `source` gets the name of each
/// parameter, and returns the name of the tensor to load, or `None` to keep the parameter. Parameters that do
/// not fit their tensor are reported and kept, too.
///
/// # Errors
///
/// [`LearnError::Io`]; [`LearnError::Zip`] or [`LearnError::Corrupt`] if it is no valid safetensors file. No parameter has
/// changed then.
pub fn load_some<T: Element>(
    parameters: &mut Parameters<T>,
    path: &Path,
    mut source: impl FnMut(&str) -> Option<String>,
) -> Result<Transfer, LearnError> {
    let mut file = TensorFile::open(path)?;
    let mut report = Transfer::default();
    let mut rest = file.tensors();
    let mut found = Vec::new();
    for (id, parameter) in parameters.iter() {
        let Some(tensor) = source(parameter.name()) else {
            report.kept.push(parameter.name().to_owned());
            continue;
        };
        match difference(parameter, rest.get(&tensor).copied()) {
            Some(difference) => report.differing.push(difference),
            None => {
                report.loaded.push(parameter.name().to_owned());
                found.push((id, tensor));
            }
        }
    }
    rest.retain(|name, _| !found.iter().any(|(_, tensor)| tensor == name));
    report.unused = rest.into_keys().collect();
    let read = |(id, tensor)| Ok((id, file.read(tensor)?.1));
    let found = found.iter().map(|(id, tensor)| (*id, tensor.as_str()));
    let values: Vec<(_, Vec<T>)> = found.map(read).collect::<Result<_, LearnError>>()?;
    for (id, values) in values {
        parameters.get_mut(id).set_values(&values)?;
    }
    Ok(report)
}

/// How a tensor of a file differs from its parameter.
fn difference<T: Element>(
    parameter: &Parameter<T>,
    tensor: Option<&TensorInfo>,
) -> Option<Difference> {
    let name = parameter.name().to_owned();
    match tensor {
        None => Some(Difference::Missing { parameter: name, shape: parameter.shape().to_vec() }),
        Some(tensor) if tensor.shape != parameter.shape() => Some(Difference::Shape {
            parameter: name,
            expected: parameter.shape().to_vec(),
            found: tensor.shape.clone(),
        }),
        Some(tensor) if !is_float(tensor) => Some(Difference::Dtype {
            parameter: name,
            shape: tensor.shape.clone(),
            dtype: tensor.dtype.to_string(),
        }),
        Some(_) => None,
    }
}
