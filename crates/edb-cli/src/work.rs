//! What a command does with a bundle, whatever the type of its numbers is.

use std::path::Path;

use edb::Element;
use edb::model::{Bundle, bundle_element};

/// Any error: it is printed, and the command fails.
pub(crate) type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// What is done with a bundle.
pub(crate) trait Work {
    fn with<T: Element>(&self, bundle: Bundle<T>) -> Result<()>;
}

/// Opens a bundle in its own numbers, and does something with it.
pub(crate) fn opened(path: &Path, work: &impl Work) -> Result<()> {
    match bundle_element(path)?.as_str() {
        "f64" => work.with(Bundle::<f64>::open(path)?),
        // If they are of a type that this version does not know, the error says so.
        _ => work.with(Bundle::<f32>::open(path)?),
    }
}
