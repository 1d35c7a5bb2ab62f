//! Weights of PyTorch: layers of a `state_dict`, saved as safetensors, become parameters of the cells here.
//!
//! | PyTorch | cells that compute the same |
//! | --- | --- |
//! | `nn.LSTM` | [`bilstm`](crate::bilstm), with both biases in PyTorch's order; [`lstm_lm`](crate::lstm_lm), with their sum in its own |
//! | `nn.GRU` | [`gru`](crate::gru); the other GRUs reset before the product, as PyTorch's does not |
//! | `nn.Linear` | each `w.dot(x) + b`, such as [`layers`](crate::layers) and the tags of [`bilstm`](crate::bilstm) |
//! | `nn.Embedding` | each `table.row(id)` |

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use edb::Element;
use edb::learn::{LearnError, ParameterId, Values};
use edb::prelude::*;
use thiserror::Error;

/// A layer of PyTorch, with the parameters that take its tensors, named as in the model: `forward.w`.
///
/// In shapes, `I` is the size of the input and `H` that of the state. `layer` is how PyTorch ends the names of its
/// tensors: `l0` for the first layer of a module, `l0_reverse` for its other direction. `gates` is the order of the
/// gates in the rows of the parameters, by their letters in PyTorch.
#[derive(Clone, Copy, Debug)]
pub enum Layer<'a> {
    /// `nn.Linear`: `y = w x + b`.
    Linear {
        /// `[O, I]`, from `weight`.
        w: &'a str,
        /// `[O]`, from `bias`; without it, `None`.
        b: Option<&'a str>,
    },
    /// `nn.Embedding`.
    Embedding {
        /// `[V, I]`, from `weight`: a row for each index.
        table: &'a str,
    },
    /// One layer of `nn.LSTM` in one direction.
    Lstm {
        /// Its name, as in `l0`.
        layer: &'a str,
        /// `[4 H, I]`, from `weight_ih`.
        w: &'a str,
        /// `[4 H, H]`, from `weight_hh`.
        u: &'a str,
        /// What takes `bias_ih` and `bias_hh`.
        b: Biases<'a>,
        /// The order of the gates: `ifgo` is PyTorch's, `o` being the output's.
        gates: &'a str,
    },
    /// One layer of `nn.GRU` in one direction.
    Gru {
        /// Its name, as in `l0`.
        layer: &'a str,
        /// `[3 H, I]`, from `weight_ih`.
        w: &'a str,
        /// `[3 H, H]`, from `weight_hh`.
        u: &'a str,
        /// `[3 H]` each, from `bias_ih` and `bias_hh`. Their sum would not do: the reset gate scales only the second.
        b: [&'a str; 2],
        /// The order of the gates: `rzn` is PyTorch's.
        gates: &'a str,
    },
}

/// The parameters that take the two biases of an LSTM.
#[derive(Clone, Copy, Debug)]
pub enum Biases<'a> {
    /// One of `[4 H]` for each: `bias_ih`, `bias_hh`.
    Two([&'a str; 2]),
    /// One of `[4 H]` for their sum.
    Sum(&'a str),
}

/// Why weights of PyTorch could not be taken. No parameter has changed then.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TorchError {
    /// The file cannot be read, lacks a tensor, or has it in another shape or type.
    #[error(transparent)]
    Learn(#[from] LearnError),

    /// The model has no such parameter.
    #[error("the model has no parameter `{parameter}` to take {tensor}; it has {}", known.join(", "))]
    NoParameter {
        /// The name that a [`Layer`] has.
        parameter: String,
        /// The tensor that it was to take.
        tensor: String,
        /// The names of all parameters.
        known: Vec<String>,
    },

    /// Two tensors are to go into one parameter.
    #[error("the parameter `{parameter}` is named twice: it would keep the second tensor only")]
    Twice {
        /// The name of the parameter.
        parameter: String,
    },

    /// The module has more than the layers that were named.
    #[error(
        "{}: the module `{module}` also has {}, which no layer takes, and would not compute the same \
         without: name each layer and direction of it, and its biases",
        path.display(),
        tensors.join(", ")
    )]
    Left {
        /// The file.
        path: PathBuf,
        /// The name of the module.
        module: String,
        /// The tensors that no layer takes.
        tensors: Vec<String>,
    },

    /// An order of gates lacks one, or has one too many.
    #[error(
        "`{gates}` is no order of the gates of `{module}`: each of the letters of `{known}` belongs there once"
    )]
    Gates {
        /// The order that was given.
        gates: String,
        /// The name of the module.
        module: String,
        /// PyTorch's order.
        known: &'static str,
    },

    /// The rows of a tensor are not those of gates.
    #[error(
        "parameter `{parameter}` is {shape:?}, whose rows cannot be divided among {gates} gates"
    )]
    Rows {
        /// The name of the parameter.
        parameter: String,
        /// Its shape.
        shape: Vec<usize>,
        /// How many gates there are.
        gates: usize,
    },
}

/// What goes into a parameter: the sum of tensors, and for each of its blocks of rows the block of the tensors.
struct Part<'a> {
    parameter: &'a str,
    tensors: Vec<String>,
    blocks: Vec<usize>,
}

/// For each gate of a cell, its place among PyTorch's.
fn blocks(gates: &str, known: &'static str, module: &str) -> Result<Vec<usize>, TorchError> {
    let found: Option<Vec<usize>> = gates.chars().map(|gate| known.find(gate)).collect();
    let each = |of: &Vec<usize>| {
        of.len() == known.len() && of.iter().collect::<BTreeSet<_>>().len() == known.len()
    };
    found.filter(each).ok_or_else(|| TorchError::Gates {
        gates: gates.to_owned(),
        module: module.to_owned(),
        known,
    })
}

impl<'a> Layer<'a> {
    /// What goes into each of its parameters.
    fn parts(self, module: &str) -> Result<Vec<Part<'a>>, TorchError> {
        let tensor = |name: &str| match module {
            "" => name.to_owned(),
            module => format!("{module}.{name}"),
        };
        let whole =
            |parameter, name| Part { parameter, tensors: vec![tensor(name)], blocks: vec![0] };
        let recurrent = |layer: &str, blocks: &[usize], parts: &[(&'a str, &[&str])]| {
            let named = |name: &&str| tensor(&format!("{name}_{layer}"));
            let part = |(parameter, names): &(&'a str, &[&str])| Part {
                parameter,
                tensors: names.iter().map(named).collect(),
                blocks: blocks.to_vec(),
            };
            parts.iter().map(part).collect::<Vec<_>>()
        };
        Ok(match self {
            Self::Embedding { table } => vec![whole(table, "weight")],
            Self::Linear { w, b } => {
                let bias = b.map(|b| whole(b, "bias"));
                [whole(w, "weight")].into_iter().chain(bias).collect()
            }
            Self::Lstm { layer, w, u, b, gates } => {
                let blocks = blocks(gates, "ifgo", module)?;
                let mut parts: Vec<(_, &[&str])> = vec![(w, &["weight_ih"]), (u, &["weight_hh"])];
                match b {
                    Biases::Two([x, h]) => {
                        parts.extend([(x, &["bias_ih"] as &[_]), (h, &["bias_hh"])])
                    }
                    Biases::Sum(b) => parts.push((b, &["bias_ih", "bias_hh"])),
                }
                recurrent(layer, &blocks, &parts)
            }
            Self::Gru { layer, w, u, b: [x, h], gates } => {
                let blocks = blocks(gates, "rzn", module)?;
                let parts: [(_, &[&str]); 4] = [
                    (w, &["weight_ih"]),
                    (u, &["weight_hh"]),
                    (x, &["bias_ih"]),
                    (h, &["bias_hh"]),
                ];
                recurrent(layer, &blocks, &parts)
            }
        })
    }
}

impl Part<'_> {
    /// The parameter, and its values.
    fn read<T: Element>(
        &self,
        model: &Model<T>,
        path: &Path,
    ) -> Result<(ParameterId, Vec<T>), TorchError> {
        let Self { parameter, tensors, blocks } = self;
        let parameters = model.parameters();
        let id = parameters.find(parameter).ok_or_else(|| TorchError::NoParameter {
            parameter: (*parameter).to_owned(),
            tensor: tensors.join(" and "),
            known: parameters.iter().map(|(_, of)| of.name().to_owned()).collect(),
        })?;
        let shape = parameters.get(id).shape();
        let rows = shape.first().copied().unwrap_or(1);
        if !rows.is_multiple_of(blocks.len()) {
            return Err(TorchError::Rows {
                parameter: (*parameter).to_owned(),
                shape: shape.to_vec(),
                gates: blocks.len(),
            });
        }
        let mut sum = vec![0.0; parameters.get(id).len()];
        for tensor in tensors {
            let values: Vec<f64> = Values::safetensors(path, tensor)?.fill(shape, parameter)?;
            sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        }
        let size = sum.len() / blocks.len();
        let rows = blocks.iter().flat_map(|block| &sum[block * size..][..size]);
        Ok((id, rows.map(|value| T::from_f64(*value)).collect()))
    }
}

/// Takes the weights of a module of PyTorch into parameters of a model: its vertices then compute what the module does.
///
/// The file is a `state_dict`, saved by `safetensors.torch.save_file`. `module` is the name of the module in it, as in
/// `encoder.lstm`, and empty if the dictionary is the module's own; tensors of other modules are left alone. `layers` are
/// all layers and directions of the module: tensors of it that are left over are an error, since without them the model
/// would compute something else.
///
/// # Errors
///
/// [`TorchError`], which names the parameter or the tensor. No parameter has changed then.
pub fn from_torch<T: Element>(
    model: &mut Model<T>,
    path: impl AsRef<Path>,
    module: &str,
    layers: &[Layer<'_>],
) -> Result<(), TorchError> {
    let path = path.as_ref();
    let (mut values, mut taken) = (Vec::new(), BTreeSet::new());
    for layer in layers {
        for part in layer.parts(module)? {
            let (id, found) = part.read(model, path)?;
            if values.iter().any(|(other, _)| *other == id) {
                return Err(TorchError::Twice { parameter: part.parameter.to_owned() });
            }
            values.push((id, found));
            taken.extend(part.tensors);
        }
    }
    // Who loads nothing learns the names of all tensors.
    let mut left = model.load_some(path, |_| None)?.unused;
    left.retain(|tensor| {
        let (of, _) = tensor.rsplit_once('.').unwrap_or(("", tensor));
        of == module && !taken.contains(tensor)
    });
    if !left.is_empty() {
        return Err(TorchError::Left {
            path: path.to_owned(),
            module: module.to_owned(),
            tensors: left,
        });
    }
    for (id, values) in values {
        model.parameters_mut().get_mut(id).set_values(&values)?;
    }
    Ok(())
}
