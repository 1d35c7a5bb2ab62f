//! Records the functions of a model in a checkpoint, and compares them with the functions of another model.
//!
//! The [fingerprint](Fingerprint) of a function decides whether it is the same. The text of its program is what the
//! compiler has made of the function. It shows the user where functions differ. It decides only if a checkpoint has no
//! fingerprints.

use std::collections::{BTreeMap, BTreeSet};

use edb_ir::Fingerprint;
use serde::{Deserialize, Serialize};

use super::lines::first_difference;

use edb_core::model::BoundModel;
use edb_core::model::bound::BoundFunction;

/// The words for the two sides that are compared, in the text of a difference.
pub(in crate::trainer) struct Sides {
    /// The words for a place: on the first side, and on the second side.
    at: [&'static str; 2],
    /// The names of the first side and of the second side.
    who: [&'static str; 2],
}

impl Sides {
    /// A checkpoint, and the model that resumes from it.
    pub(super) const CHECKPOINT_AND_MODEL: Self =
        Self { at: ["in it", "in the model"], who: ["it", "the model"] };
    /// Two ranks that should train alike.
    pub(in crate::trainer) const RANKS: Self =
        Self { at: ["on it", "on rank 0"], who: ["it", "rank 0"] };
}

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
pub(in crate::trainer) struct Differences {
    /// Each difference in words, with the name of its function.
    pub(in crate::trainer) found: Vec<String>,
    /// The functions of which it is not known whether they scatter, push and lose the same.
    pub(super) uncompared: Vec<String>,
}

impl FunctionRecord {
    /// The function's name.
    pub(in crate::trainer) fn name(&self) -> &str {
        &self.name
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

    /// Finds how the functions `saved`, of a checkpoint or of another rank, differ from the functions `own`. Variants
    /// and sections have names that the user does not know, so a difference in one of them is reported once for its
    /// function. `model` is the model of one of the two sides.
    pub(in crate::trainer) fn differences<'a>(
        saved: &'a [Self],
        own: &'a [Self],
        model: &'a BoundModel,
        sides: &Sides,
    ) -> Differences {
        let mut differences = Differences::default();
        // The functions whose differences have been reported, with those of their variants and sections.
        let mut done: BTreeSet<&str> = BTreeSet::new();
        for current in own {
            let known = saved.iter().find(|known| known.name == current.name);
            let Some((known, then)) =
                known.and_then(|known| Some((known, known.means(current, sides)?)))
            else {
                continue;
            };
            done.insert(&current.name);
            let mut found = known.sizes(&current.name, current, sides);
            if !then.is_empty() {
                found.extend(then);
                found.extend(Self::first_value(&current.name, [saved, own], model, sides));
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
        let [who, others] = sides.who;
        let branches = |function: &str| vec![sides.branches(function)];
        let mut uncompared = Vec::new();
        for current in own {
            match saved.iter().find(|known| known.name == current.name) {
                Some(known) => {
                    let is_known = known.means(current, sides).is_some();
                    if current.fingerprint.is_some() && !is_known {
                        uncompared.push(current.name.clone());
                    }
                    tell(&current.name, &|function| {
                        let sizes = known.sizes(function, current, sides);
                        sizes.into_iter().chain(known.line(function, current, sides)).collect()
                    });
                }
                None => tell(&current.name, &|function| match current.name == function {
                    true => vec![format!("{who} has no function `{function}`")],
                    false => branches(function),
                }),
            }
        }
        for known in saved.iter().filter(|known| !own.iter().any(|f| f.name == known.name)) {
            tell(&known.name, &|function| match known.name == function {
                true => vec![format!("{others} has no function `{function}`")],
                false => branches(function),
            });
        }
        differences.uncompared = uncompared;
        differences
    }

    /// How the meaning of the function differs from that of the function of the model; `None` if this is not known.
    fn means(&self, model: &Self, sides: &Sides) -> Option<Vec<String>> {
        let (known, own) = (self.fingerprint.as_ref()?, model.fingerprint.as_ref()?);
        if !known.is_comparable(own) {
            return None;
        }
        let mut found = known.differences(own, sides.at);
        for (param, name) in &model.parameters {
            if let Some(known) = self.parameters.get(param).filter(|known| *known != name) {
                let what = name_of_parameter(param);
                let [here, there] = sides.at;
                found.push(format!("{what} is `{known}` {here} and `{name}` {there}"));
            }
        }
        let name = &model.name;
        Some(found.into_iter().map(|difference| format!("`{name}`: {difference}")).collect())
    }

    /// How the sizes differ from those in the model. `name` is the name of the function that the user knows; this
    /// may be the record of one of its variants or sections.
    fn sizes(&self, name: &str, model: &Self, sides: &Sides) -> Vec<String> {
        let [here, there] = sides.at;
        let difference = |(dim, size): (&String, &usize)| match self.dims.get(dim) {
            Some(known) if known == size => None,
            Some(known) => {
                Some(format!("`{name}`: dimension {dim} is {known} {here} and {size} {there}"))
            }
            None => Some(format!("`{name}` has no dimension {dim} {here}")),
        };
        model.dims.iter().filter_map(difference).collect()
    }

    /// The first value that differs in a function, or in one of its variants and sections. If there is none, but only
    /// one side has one of these parts, the difference is in branches or loops.
    fn first_value<'a>(
        function: &str,
        [saved, own]: [&'a [Self]; 2],
        model: &'a BoundModel,
        sides: &Sides,
    ) -> Option<String> {
        let mut is_whole = true;
        for current in own.iter().filter(|of| function_of(&of.name, saved, model) == function) {
            match saved.iter().find(|known| known.name == current.name) {
                None => is_whole = false,
                Some(known) => {
                    let found = known.value(function, current, sides);
                    if found.is_some() {
                        return found;
                    }
                }
            }
        }
        let is_known = |known: &Self| own.iter().any(|current| current.name == known.name);
        let mut parts = saved.iter().filter(|of| function_of(&of.name, saved, model) == function);
        is_whole &= parts.all(is_known);
        (!is_whole).then(|| sides.branches(function))
    }

    /// The first value that differs from the value in the model. Only this one is reported, since all values that are
    /// computed from it differ, too.
    fn value(&self, name: &str, model: &Self, sides: &Sides) -> Option<String> {
        let [here, there] = sides.at;
        let found = first_difference([&self.program, &model.program])?;
        Some(match found {
            [Some(known), Some(current)] if known == current => {
                format!("`{name}`: `{known}` is computed from other values {here} than {there}")
            }
            [Some(known), Some(current)] => {
                format!("`{name}`: `{known}` {here} is `{current}` {there}")
            }
            [Some(known), None] => format!("`{name}`: `{known}` is {here} and not {there}"),
            [None, current] => {
                let current = current.unwrap_or_default();
                format!("`{name}`: `{current}` is {there} and not {here}")
            }
        })
    }

    /// The first value in which the program differs from that of the model, or else the first line. This decides
    /// whether functions differ if nothing else is known of their meaning.
    fn line(&self, name: &str, model: &Self, sides: &Sides) -> Option<String> {
        self.value(name, model, sides).or_else(|| {
            let [here, there] = sides.at;
            let lines = self.program.len().max(model.program.len());
            let text = |program: &[String], line: usize| {
                program.get(line).map_or("nothing".to_owned(), |text| format!("`{text}`"))
            };
            let differs = |line: &usize| self.program.get(*line) != model.program.get(*line);
            (0..lines).find(differs).map(|line| {
                let (known, current) = (text(&self.program, line), text(&model.program, line));
                format!("`{name}`: {known} {here} is {current} {there}")
            })
        })
    }
}

impl Sides {
    fn branches(&self, function: &str) -> String {
        let [here, there] = self.at;
        format!("`{function}` has other branches or loops {here} than {there}")
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
