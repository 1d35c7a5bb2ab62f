//! Bundles: a model as one file, which answers without the crate in which its functions are written.
//!
//! What comes in is a model, and what belongs to it: notes, a learned policy, examples with their answers. What goes out is
//! a safetensors file with the parameters, as [`Model::save_with`] writes it, and one more text in its header: the plans of
//! all functions with their ports and dimensions (`record.rs`). Opened, it is a model like any other. The book describes
//! the format: `book/src/bundles.md`.
//!
//! Nothing in a file is trusted. Plans are verified as those of the macro are, when the model is built; and no parameter is
//! made whose shape the file does not have.

mod error;
mod record;

use std::collections::BTreeMap;
use std::path::Path;

pub use error::{BundleError, BundleProblem};
pub use record::Example;

use crate::model::{Model, ModelBuilder};
use edb_kernels::compiled_here;
use edb_kernels::element::Element;
use edb_learn::learn::{BUNDLE, Notes, TensorFile, checkpoint};
use edb_schedule::Policy;
use record::{Read, written};

/// A model that was opened from a file, with what was saved beside it.
///
/// ```no_run
/// # mod edb { pub mod model { pub use edb_model::bundle::Bundle; } }
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use edb_model::graph::GraphRecord;
/// use edb::model::Bundle;
///
/// let bundle = Bundle::<f32>::open("sentiment.edb")?;
/// println!("{}", bundle.model.summary());
/// let words: Vec<String> = bundle.notes.get("words")?;
/// # _ = words;
/// # let record = GraphRecord::default();
/// // Functions and fields are found by name.
/// let graph = bundle.model.graph_from_record(&record)?;
/// # _ = graph;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Bundle<T = f32> {
    /// The model. Its kernels are interpreted, with the same bits as compiled ones.
    pub model: Model<T>,
    /// The notes of the program that wrote it.
    pub notes: Notes,
    /// The policy that was learned for it.
    pub policy: Option<Policy>,
    /// Graphs with their answers.
    pub examples: Vec<Example>,
}

/// What a bundle is to have, before it is saved: made by [`Model::bundle`].
#[derive(Debug)]
pub struct BundleWriter<'a, T> {
    model: &'a Model<T>,
    notes: Notes,
    policy: Option<&'a Policy>,
    examples: Vec<Example>,
}

impl<T: Element> Model<T> {
    /// Saves the model as a bundle: one file that [`Bundle::open`] makes a model of, without the crate in which its
    /// functions are written.
    ///
    /// # Errors
    /// As [`BundleWriter::save`].
    pub fn save_bundle(&self, path: impl AsRef<Path>) -> Result<(), BundleError> {
        self.bundle().save(path)
    }

    /// The model as a bundle, to which notes, a policy and examples can be added before it is saved.
    pub fn bundle(&self) -> BundleWriter<'_, T> {
        BundleWriter { model: self, notes: Notes::new(), policy: None, examples: Vec::new() }
    }
}

impl<'a, T: Element> BundleWriter<'a, T> {
    /// Adds notes: whatever a reader needs to make graphs and to understand answers, such as a vocabulary.
    #[must_use]
    pub fn notes(self, notes: Notes) -> Self {
        Self { notes, ..self }
    }

    /// Adds the policy that was learned for the model.
    #[must_use]
    pub fn policy(self, policy: &'a Policy) -> Self {
        Self { policy: Some(policy), ..self }
    }

    /// Adds graphs with their answers, by which whoever opens the file can check that it answers as here.
    #[must_use]
    pub fn examples(self, examples: Vec<Example>) -> Self {
        Self { examples, ..self }
    }

    /// Saves the bundle, atomically.
    ///
    /// # Errors
    /// When the file cannot be written, a note could not be read back or has a name that edb uses, or the policy is
    /// another model's. An older file of that name is then unchanged.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), BundleError> {
        let path = path.as_ref();
        self.save_to(path).map_err(|problem| problem.of(path))
    }

    fn save_to(&self, path: &Path) -> Result<(), BundleProblem> {
        let Self { model, notes, policy, examples } = self;
        model.check_parameters()?;
        let mut metadata = notes.metadata()?;
        if metadata.contains_key(BUNDLE) {
            return Err(BundleProblem::ReservedNote);
        }
        model.bound().describe_functions(&mut metadata);
        let policy = policy.map(|policy| policy.to_json(model.signature())).transpose()?;
        let text = written::<T>(&model.bound().sources, policy.as_deref(), examples)?;
        metadata.insert(BUNDLE.to_owned(), text);
        Ok(checkpoint::save(&model.parameters, path, &metadata)?)
    }
}

impl<T: Element> Bundle<T> {
    /// Opens a bundle.
    ///
    /// # Errors
    /// When the file cannot be read, is no bundle, or is one of a newer version or in other numbers; when something in it
    /// is broken: the error says what, and in which function.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, BundleError> {
        let path = path.as_ref();
        open(path).map_err(|problem| problem.of(path))
    }
}

/// The type of the numbers in a bundle, as the file calls it: `f32` or `f64`.
///
/// # Errors
/// When the file cannot be read or is no bundle.
pub fn bundle_element(path: impl AsRef<Path>) -> Result<String, BundleError> {
    let path = path.as_ref();
    let read = || {
        let file = TensorFile::open(path)?;
        Ok(Read::new(&file.metadata())?.element)
    };
    read().map_err(|problem: BundleProblem| problem.of(path))
}

compiled_here! {
    /// Opens the bundle of a file.
    fn open(path: &Path) -> Result<Bundle<T>, BundleProblem> {
        // All of it is read from one open file: a newer one may take its place meanwhile.
        let mut file = TensorFile::open(path)?;
        let metadata = file.metadata();
        let Read { functions, policy, examples, .. } = Read::new(&metadata)?.of_element::<T>()?;
        let mut builder = ModelBuilder::new();
        for function in functions {
            let (source, setup) = function?;
            builder.add_source(source, setup);
        }
        let shapes: BTreeMap<String, Vec<usize>> =
            file.tensors().into_iter().map(|(name, of)| (name, of.shape.clone())).collect();
        let mut model = builder.of_file(&shapes)?;
        checkpoint::load_of(&mut model.parameters, &mut file)?;
        let policy = policy.map(|text| Policy::from_json(text.get(), model.signature()));
        let policy = policy.transpose()?;
        Ok(Bundle { policy, examples, notes: Notes::from_metadata(metadata), model })
    }
}
