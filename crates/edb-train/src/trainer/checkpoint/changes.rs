//! Compares the settings of a trainer with the settings with which a checkpoint was saved.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Settings: the name of each, and its value as text.
pub(super) type Texts = BTreeMap<String, String>;

/// A setting that has one value in a checkpoint and another in the trainer that resumes from it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SettingChange {
    /// The name of the setting, as in `the clipping of norms`.
    pub setting: String,
    /// Its value when the checkpoint was saved.
    pub saved: String,
    /// Its value in the trainer that resumes.
    pub present: String,
}

impl fmt::Display for SettingChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { setting, saved, present } = self;
        write!(f, "{setting}: {saved} in it and {present} in the trainer")
    }
}

/// All changes, in one line.
pub(super) fn join(changes: &[SettingChange]) -> String {
    changes.iter().map(SettingChange::to_string).collect::<Vec<_>>().join("; ")
}

/// Finds all settings of a trainer that differ from those that were saved.
pub(super) fn changes(saved: &Texts, present: &Texts) -> Vec<SettingChange> {
    let nothing = || "nothing".to_owned();
    let all: BTreeSet<&String> = saved.keys().chain(present.keys()).collect();
    let change = |setting: &String| SettingChange {
        setting: setting.clone(),
        saved: saved.get(setting).cloned().unwrap_or_else(nothing),
        present: present.get(setting).cloned().unwrap_or_else(nothing),
    };
    all.into_iter().map(change).filter(|change| change.saved != change.present).collect()
}
