//! To which functions the parameters in a file belong.
//!
//! A file of parameters contains the [fingerprints](Fingerprint) of the functions in its metadata. Users may
//! load parameters into other functions on purpose, for example to continue training with another loss, or to
//! read other results. So a difference is only a warning. A resumed training run, however, promises to go on as
//! before, so there it is an error.

use std::collections::BTreeMap;
use std::path::Path;

use edb_ir::Fingerprint;
use serde::{Deserialize, Serialize};

use crate::model::blueprint::BoundModel;
use edb_kernels::trace::TARGET;
use edb_learn::learn::{FUNCTIONS, FUNCTIONS_BEGIN};

/// The fingerprints in a file, by the names of the functions.
#[derive(Serialize, Deserialize)]
struct Functions {
    edb_functions: BTreeMap<String, Fingerprint>,
}

impl BoundModel {
    /// Adds the fingerprints of the functions to the metadata of a file with their parameters.
    pub fn describe_functions(&self, metadata: &mut BTreeMap<String, String>) {
        let added = self.functions.iter().filter(|function| function.is_added());
        let fingerprint = |function: &crate::model::bound::BoundFunction| {
            (function.name.clone(), function.plan.fingerprint.clone())
        };
        let functions = Functions { edb_functions: added.map(fingerprint).collect() };
        // If a user's note has this name, the note stays.
        if let (Ok(text), false) =
            (serde_json::to_string(&functions), metadata.contains_key(FUNCTIONS))
        {
            metadata.insert(FUNCTIONS.to_owned(), text);
        }
    }

    /// Warns if the file with this metadata has functions with the same names that compute something else. It
    /// says nothing about other functions, or about files without fingerprints.
    pub(crate) fn compare_functions(&self, metadata: &BTreeMap<String, String>, path: &Path) {
        let path = path.display();
        for difference in self.function_differences(metadata) {
            tracing::warn!(
                target: TARGET, %path, %difference,
                "parameters are loaded that another function has had"
            );
        }
    }

    fn function_differences(&self, metadata: &BTreeMap<String, String>) -> Vec<String> {
        let text = metadata.get(FUNCTIONS).filter(|text| text.starts_with(FUNCTIONS_BEGIN));
        let read = text.and_then(|text| serde_json::from_str::<Functions>(text).ok());
        let Some(Functions { edb_functions: saved }) = read else { return Vec::new() };
        let added = self.functions.iter().filter(|function| function.is_added());
        let mut found = Vec::new();
        for function in added {
            let (name, own) = (&function.name, &function.plan.fingerprint);
            let Some(known) = saved.get(name).filter(|known| known.is_comparable(own)) else {
                continue;
            };
            let differences = known.differences(own, ["in the file", "in the model"]);
            found.extend(differences.into_iter().map(|text| format!("`{name}`: {text}")));
        }
        found
    }
}
