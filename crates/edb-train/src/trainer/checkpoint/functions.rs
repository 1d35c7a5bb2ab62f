//! Records the functions of a model in a checkpoint, and compares them with the functions of another model.
//!
//! The [fingerprint](Fingerprint) of a function decides whether it is the same. The text of its program is what the
//! compiler has made of the function. It shows the user where functions differ. It decides only if a checkpoint has no
//! fingerprints.

use std::collections::{BTreeMap, BTreeSet};

use edb_ir::Fingerprint;
use serde::{Deserialize, Serialize};

use edb_core::model::BoundModel;
use edb_core::model::bound::BoundFunction;

/// How a difference names the two sides: the checkpoint, and the model that resumes from it.
const CHECKPOINT_AND_MODEL: [&str; 2] = ["in it", "in the model"];

/// A vertex function in a checkpoint. Variants and sections of a function have records of their own.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::trainer) struct FunctionRecord {
    name: String,
    dims: BTreeMap<String, usize>,
    /// For each parameter of the function, its name in the model. Functions may share parameters.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    parameters: BTreeMap<String, String>,
    /// The meaning of the function, with its variants and sections, whose own records have no fingerprint. Before
    /// version 5, no record has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fingerprint: Option<Fingerprint>,
    /// The forward program, one line for each value.
    program: Vec<String>,
}

/// How the functions of a checkpoint differ from those of a model.
#[derive(Default)]
pub(super) struct Differences {
    /// Each difference in words, with the name of its function.
    pub(super) found: Vec<String>,
    /// The functions of which it is not known whether they scatter, push and lose the same.
    pub(super) uncompared: Vec<String>,
}

impl FunctionRecord {
    /// The function's name.
    pub(in crate::trainer) fn name(&self) -> &str {
        &self.name
    }

    /// The parts of what the function means: for each part, its name in words, and its value.
    pub(in crate::trainer) fn parts(&self) -> impl Iterator<Item = (String, &str)> {
        let names = self.parameters.iter();
        let names = names.map(|(own, name)| (name_of_parameter(own), name.as_str()));
        self.fingerprint.iter().flat_map(Fingerprint::parts).chain(names)
    }

    /// The records of all functions of a model.
    pub(in crate::trainer) fn all(model: &BoundModel) -> Vec<Self> {
        let record = |function: &BoundFunction| {
            let program = &function.plan.program;
            let dims = program.dims.iter().cloned().zip(function.dims.iter().copied());
            let text = program.to_string();
            let forward = text.lines().take_while(|line| line.trim() != "backward");
            let mut record = Self {
                name: function.name.clone(),
                dims: dims.collect(),
                parameters: BTreeMap::new(),
                fingerprint: None,
                program: forward.map(|line| line.trim().to_owned()).collect(),
            };
            if function.is_added() {
                let names = program.params.iter().zip(&function.params);
                let names = names.map(|(own, id)| {
                    (own.name.clone(), model.parameter_name(*id).unwrap_or_default().to_owned())
                });
                record.parameters = names.collect();
                record.fingerprint = Some(function.plan.fingerprint.clone());
            }
            record
        };
        model.functions.iter().map(record).collect()
    }

    /// Finds how the functions of a checkpoint differ from those of a model. Variants and sections have names that
    /// the user does not know, so a difference in one of them is reported once for its function.
    pub(super) fn differences<'a>(
        saved: &'a [Self],
        own: &'a [Self],
        model: &'a BoundModel,
    ) -> Differences {
        let mut differences = Differences::default();
        // The functions whose differences have been reported, with those of their variants and sections.
        let mut done: BTreeSet<&str> = BTreeSet::new();
        for current in own {
            let known = saved.iter().find(|known| known.name == current.name);
            let Some((known, then)) = known.and_then(|known| Some((known, known.means(current)?)))
            else {
                continue;
            };
            done.insert(&current.name);
            let mut found = known.sizes(&current.name, current);
            if !then.is_empty() {
                found.extend(then);
                found.extend(known.line(&current.name, current));
            }
            differences.found.extend(found);
        }
        // Functions are before their variants and sections, so the differences of a function are found first.
        let mut tell = |part: &'a str, found: &dyn Fn(&str) -> Vec<String>| {
            let function = function_of(part, saved, model);
            if !done.contains(function) {
                let found = found(function);
                if !found.is_empty() {
                    done.insert(function);
                }
                differences.found.extend(found);
            }
        };
        let branches = |function: &str| {
            vec![format!("`{function}` has other branches or loops in it than in the model")]
        };
        let mut uncompared = Vec::new();
        for current in own {
            match saved.iter().find(|known| known.name == current.name) {
                Some(known) => {
                    let is_known = known.means(current).is_some();
                    if current.fingerprint.is_some() && !is_known {
                        uncompared.push(current.name.clone());
                    }
                    tell(&current.name, &|function| {
                        let sizes = known.sizes(function, current);
                        sizes.into_iter().chain(known.line(function, current)).collect()
                    });
                }
                None => tell(&current.name, &|function| match current.name == function {
                    true => vec![format!("it has no function `{function}`")],
                    false => branches(function),
                }),
            }
        }
        for known in saved.iter().filter(|known| !own.iter().any(|f| f.name == known.name)) {
            tell(&known.name, &|function| match known.name == function {
                true => vec![format!("the model has no function `{function}`")],
                false => branches(function),
            });
        }
        differences.uncompared = uncompared;
        differences
    }

    /// How the meaning of the function differs from that of the function of the model; `None` if this is not known.
    fn means(&self, model: &Self) -> Option<Vec<String>> {
        let (known, own) = (self.fingerprint.as_ref()?, model.fingerprint.as_ref()?);
        if !known.is_comparable(own) {
            return None;
        }
        let mut found = known.differences(own, CHECKPOINT_AND_MODEL);
        for (param, name) in &model.parameters {
            if let Some(known) = self.parameters.get(param).filter(|known| *known != name) {
                let what = name_of_parameter(param);
                let [here, there] = CHECKPOINT_AND_MODEL;
                found.push(format!("{what} is `{known}` {here} and `{name}` {there}"));
            }
        }
        let name = &model.name;
        Some(found.into_iter().map(|difference| format!("`{name}`: {difference}")).collect())
    }

    /// How the sizes differ from those in the model. `name` is the name of the function that the user knows; this
    /// may be the record of one of its variants or sections.
    fn sizes(&self, name: &str, model: &Self) -> Vec<String> {
        let difference = |(dim, size): (&String, &usize)| match self.dims.get(dim) {
            Some(known) if known == size => None,
            Some(known) => {
                Some(format!("`{name}`: dimension {dim} is {known} in it and {size} in the model"))
            }
            None => Some(format!("`{name}` has no dimension {dim} in it")),
        };
        model.dims.iter().filter_map(difference).collect()
    }

    /// The first line of the program that differs from the model. Only this line is reported, since it may change
    /// all later lines.
    fn line(&self, name: &str, model: &Self) -> Option<String> {
        let lines = self.program.len().max(model.program.len());
        let text = |program: &[String], line: usize| {
            program.get(line).map_or("nothing".to_owned(), |text| format!("`{text}`"))
        };
        let differs = |line: &usize| self.program.get(*line) != model.program.get(*line);
        (0..lines).find(differs).map(|line| {
            let (known, current) = (text(&self.program, line), text(&model.program, line));
            format!("`{name}`: {known} in it is {current} in the model")
        })
    }
}

fn name_of_parameter(own: &str) -> String {
    format!("the name of the parameter `{own}`")
}

/// The function to which a variant or a section belongs. If the model does not have it, its name tells: it begins
/// with the name of the function and a point.
fn function_of<'a>(part: &'a str, saved: &'a [FunctionRecord], model: &'a BoundModel) -> &'a str {
    if let Some(known) = model.functions.iter().find(|function| function.name == part) {
        return &model.functions[known.as_added()].name;
    }
    let is_of = |name: &&str| part.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
    let names = saved.iter().map(|function| function.name.as_str());
    names.filter(is_of).min_by_key(|name| name.len()).unwrap_or(part)
}
