//! Which functions the parameters in a file are of.
//!
//! A file of parameters has the [fingerprints](Fingerprint) of the functions in its metadata. Into which
//! functions parameters are loaded is up to the person who loads them: one may train on with another
//! loss, or read other results. So what differs is told in a warning, and is no error. A run that is
//! resumed promises to go on as it was, and there it is one.

use std::collections::BTreeMap;
use std::path::Path;

use edb_ir::Fingerprint;
use serde::{Deserialize, Serialize};

use crate::model::blueprint::BoundModel;
use edb_kernels::trace::TARGET;
use edb_learn::learn::{FUNCTIONS, FUNCTIONS_BEGIN};

/// The functions of a file, by their names in its model.
#[derive(Serialize, Deserialize)]
struct Functions {
    edb_functions: BTreeMap<String, Fingerprint>,
}

impl BoundModel {
    /// Adds what the functions mean to the metadata of a file with their parameters.
    pub fn describe_functions(&self, metadata: &mut BTreeMap<String, String>) {
        let added = self.functions.iter().filter(|function| function.is_added());
        let fingerprint = |function: &crate::model::bound::BoundFunction| {
            (function.name.clone(), function.plan.fingerprint.clone())
        };
        let functions = Functions { edb_functions: added.map(fingerprint).collect() };
        // A note of a person who has chosen this name stays.
        if let (Ok(text), false) =
            (serde_json::to_string(&functions), metadata.contains_key(FUNCTIONS))
        {
            metadata.insert(FUNCTIONS.to_owned(), text);
        }
    }

    /// Warns where the parameters of a file with this metadata were those of functions of the same names
    /// that mean something else. Of other functions, and of a file that does not say, nothing is known.
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
