//! Writes the state of a trainer to the files of a checkpoint, and reads it from them.

use std::collections::BTreeMap;
use std::path::Path;

use super::changes::{self, SettingChange};
use super::checksums;
use super::error::CheckpointError;
use super::functions::{Differences, FunctionRecord, Sides};
use super::record::{self, MODEL_FILE, Record, SampleRecord};
use crate::trainer::Trainer;
use crate::trainer::ledger::Ledger;
use crate::trainer::settings::{GROUPS_SETTING, LEARNING_RATE_SETTING};
use edb_core::engine::training;
use edb_core::schedule::{Policy, Signature, TypeGraph};
use edb_kernels::element::Element;
use edb_kernels::trace::TARGET;
use edb_learn::learn::checkpoint::{self, TensorFile, TensorRef};
use edb_learn::learn::{
    Clock, Difference, LearnError, Notes, OptimizerState, Parameters, averages_to_restore,
};

/// The file of the optimiser's state.
const OPTIMIZER_FILE: &str = "optimizer.safetensors";
/// The file of the moving averages.
const AVERAGES_FILE: &str = "averages.safetensors";
/// The file of the learned policy for minibatches.
const POLICY_FILE: &str = "policy.json";
/// The file of the learned policy for graphs that grow.
const GROWTH_FILE: &str = "growth.json";

/// Writes all files of a checkpoint into a folder, and syncs them to disk. `number` is greater than the numbers of the
/// checkpoints in the parent folder. `ledger` has all steps that they and the trainer know.
pub(super) fn write<T: Element>(
    trainer: &Trainer<T>,
    notes: &Notes,
    number: u64,
    ledger: Ledger,
    folder: &Path,
) -> Result<(), CheckpointError> {
    trainer.check_own_parameters()?;
    let nothing = BTreeMap::new();
    let (model, parameters) = (&trainer.model, trainer.model.parameters());
    let mut metadata = notes.metadata()?;
    model.bound().describe_functions(&mut metadata);
    checkpoint::save(parameters, &folder.join(MODEL_FILE), &metadata)?;
    let state = trainer.optimizer.state();
    let names: Vec<Vec<(String, &[T])>> = (parameters.iter())
        .map(|(id, parameter)| {
            let named = |tensor: Result<(&str, _), LearnError>| {
                tensor.map(|(slot, values)| (format!("{}/{slot}", parameter.name()), values))
            };
            state.tensors(id).map(named).collect::<Result<_, _>>()
        })
        .collect::<Result<_, LearnError>>()?;
    let tensors: Vec<TensorRef<'_, T>> = (parameters.iter().zip(&names))
        .flat_map(|((_, parameter), tensors)| {
            let shape = parameter.shape();
            tensors.iter().map(move |(name, values)| TensorRef { name, shape, values })
        })
        .collect();
    checkpoint::write(&tensors, &folder.join(OPTIMIZER_FILE), &nothing)?;
    if let Some(ema) = &trainer.ema {
        checkpoint::save(ema.averages(), &folder.join(AVERAGES_FILE), &nothing)?;
    }
    let (types, growing) = (model.signature(), model.signature().growing());
    // Policies, and the samples on which they are learned, tell something about the shapes of graphs.
    let is_private = trainer.private.is_some();
    let learned = |policy: Option<Policy>| policy.filter(|_| !is_private);
    if let Some(policy) = learned(trainer.engine.learned_policy(model)) {
        policy.save(folder.join(POLICY_FILE), types)?;
    }
    if let Some(policy) = learned(trainer.engine.learned_growth(model)) {
        policy.save(folder.join(GROWTH_FILE), &growing)?;
    }
    let samples = |types: &Signature| {
        let samples =
            training::scheduler(&trainer.engine).samples(types).iter().filter(|_| !is_private);
        samples.map(SampleRecord::of).collect()
    };
    let clocks = parameters
        .iter()
        .filter_map(|(id, parameter)| Some((parameter.name().to_owned(), state.clock(id)?)));
    let record = Record {
        edb_training: record::FORMAT_VERSION,
        number,
        element: T::DTYPE.to_string(),
        step: trainer.steps,
        seed: training::seed(&trainer.engine),
        functions: FunctionRecord::all(model.bound()),
        settings: Some(trainer.setting_texts()),
        groups: trainer.settings.later_groups().cloned(),
        optimizer: trainer.optimizer.name().to_owned(),
        learning_rate: trainer.optimizer.learning_rate(),
        clocks: clocks.collect(),
        plateau: trainer.settings.plateau.clone(),
        loss_scale: trainer.engine.loss_scale(),
        averaged: trainer.ema.as_ref().map(|ema| ema.steps()),
        samples: samples(types),
        growth_samples: samples(&growing),
        private: ledger.tells_more_than(trainer.steps).then_some(ledger),
        score: notes.finite_score(),
        notes: None,
    };
    record.write(folder)
}

/// Reads a checkpoint into a trainer. If there is an error, the trainer has not changed. Returns the notes of the
/// checkpoint, and the settings in which it differs from the trainer.
pub(super) fn read<T: Element>(
    folder: &Path,
    trainer: &mut Trainer<T>,
) -> Result<(Notes, Vec<SettingChange>), CheckpointError> {
    let record = record::read(folder)?;
    checksums::check(folder, None)?;
    let Differences { found: mut differences, uncompared } = functions(&record, trainer);
    let are_same_functions = differences.is_empty();
    differences.extend(self::differences(&record, trainer));
    let mut parameters = trainer.model.parameters().try_clone()?;
    let metadata = match checkpoint::load(&mut parameters, &folder.join(MODEL_FILE)) {
        Err(LearnError::Mismatch { differences: found, .. }) => {
            differences.extend(found.iter().map(Difference::to_string));
            BTreeMap::new()
        }
        loaded => loaded?,
    };
    let present = trainer.setting_texts();
    let changed =
        record.settings.as_ref().map(|saved| changes::changes(saved, &present)).unwrap_or_default();
    if !differences.is_empty() {
        // A checkpoint of other functions has other settings anyway, so these are not reported.
        if are_same_functions {
            differences.extend(changed.iter().map(SettingChange::to_string));
        }
        return Err(CheckpointError::Differs { path: folder.to_owned(), differences });
    }
    if !changed.is_empty() && !trainer.accepts_changes {
        return Err(CheckpointError::Settings { path: folder.to_owned(), changed });
    }
    let file = folder.join(OPTIMIZER_FILE);
    let state = read_state(&file, &parameters, &record.clocks)?;
    // If settings have changed, which the trainer accepts, the optimiser may keep other tensors. That is no damage.
    let fits = trainer.optimizer.check_state(&state, &parameters);
    fits.map_err(|error| if changed.is_empty() { corrupt(&file, error) } else { error })?;
    let mut ema = trainer.ema.clone();
    if let (Some(ema), Some(steps)) = (&mut ema, record.averaged) {
        let (averages, known) = averages_to_restore(ema);
        checkpoint::load(averages, &folder.join(AVERAGES_FILE))?;
        *known = steps;
    }
    let types = trainer.model.signature().clone();
    let growing = types.growing();
    let learned = [
        read_policy(folder, types, POLICY_FILE, &record.samples)?,
        read_policy(folder, growing, GROWTH_FILE, &record.growth_samples)?,
    ];
    let (ledger, score) = (record.ledger(), record.score());
    // If a policy is missing, another trainer may be removing the checkpoint. Then the record is gone too, and
    // this is an error.
    record::read(folder)?;

    *trainer.model.parameters_mut() = parameters;
    *trainer.optimizer.state_mut() = state;
    let is_changed = |setting| changed.iter().any(|change| change.setting == setting);
    if !is_changed(LEARNING_RATE_SETTING) {
        trainer.optimizer.set_learning_rate(record.learning_rate);
    }
    if record.settings.is_some() && !is_changed(GROUPS_SETTING) {
        trainer.settings.go_on_with_groups(record.groups);
    }
    trainer.ema = ema;
    if let (Some(plateau), Some(saved)) = (&mut trainer.settings.plateau, &record.plateau) {
        plateau.go_on_from(saved);
    }
    training::restore(&mut trainer.engine, record.seed, record.loss_scale);
    for Learned { types, policy, samples } in learned {
        training::scheduler_mut(&mut trainer.engine).restore(&types, policy, samples);
    }
    trainer.know(&ledger);
    // If the trainer went back, it must not draw the noise of these steps again, so a new private run begins.
    trainer.private_run = None;
    trainer.steps = record.step;
    tell(folder, record.settings.is_some(), &uncompared, &changed);
    let notes = record.notes.unwrap_or_else(|| Notes::from_metadata(metadata));
    Ok((score.map_or(notes.clone(), |score| notes.score(score)), changed))
}

/// Warns in the log if a run may go on in another way than it would have without a break.
fn tell(folder: &Path, knows_settings: bool, uncompared: &[String], changed: &[SettingChange]) {
    let path = folder.display();
    if !uncompared.is_empty() {
        let functions = uncompared.join(", ");
        tracing::warn!(
            target: TARGET, %path, %functions,
            "another edb has saved the checkpoint: what functions scatter, push and lose is not compared"
        );
    }
    if !knows_settings {
        tracing::warn!(
            target: TARGET, %path,
            "an earlier edb has saved the checkpoint without the settings of its run, which are not compared"
        );
    }
    for change in changed {
        tracing::warn!(target: TARGET, %path, %change, "a run goes on with another setting");
    }
}

/// The policy that was learned for these types, if any, and the samples from which one was going to be learned.
struct Learned {
    types: Signature,
    policy: Option<Policy>,
    samples: Vec<TypeGraph>,
}

/// Reads the policy for these types, if there is one, and the samples from which one is going to be learned.
fn read_policy(
    folder: &Path,
    types: Signature,
    file: &str,
    samples: &[SampleRecord],
) -> Result<Learned, CheckpointError> {
    let path = folder.join(file);
    let policy = path.exists().then(|| Policy::load(&path, &types)).transpose()?;
    let count = types.type_count();
    let Some(samples) = samples.iter().map(|sample| sample.graph(count)).collect() else {
        let reason =
            "a minibatch that a policy was to be learned on is no graph of this model".to_owned();
        return Err(CheckpointError::Record { path: folder.to_owned(), reason });
    };
    Ok(Learned { types, policy, samples })
}

/// Finds how the saved functions differ from those of the trainer.
fn functions<T: Element>(record: &Record, trainer: &Trainer<T>) -> Differences {
    let model = trainer.model.bound();
    let own = FunctionRecord::all(model);
    FunctionRecord::differences(&record.functions, &own, model, &Sides::CHECKPOINT_AND_MODEL)
}

/// Finds how the saved trainer differs from this trainer, apart from its model and its settings.
fn differences<T: Element>(record: &Record, trainer: &Trainer<T>) -> Vec<String> {
    let mut differences = Vec::new();
    let mut compare = |what: &str, saved: &str, current: &str| {
        if saved != current {
            differences.push(format!("{what} {saved} in it and {current} in the trainer"));
        }
    };
    compare("the type of numbers is", &record.element, &T::DTYPE.to_string());
    compare("the optimiser is", &record.optimizer, trainer.optimizer.name());
    let kept = |kept: bool| if kept { "kept" } else { "not kept" };
    compare("moving averages are", kept(record.averaged.is_some()), kept(trainer.ema.is_some()));
    let there = |there: bool| if there { "there" } else { "not there" };
    let plateau = there(trainer.settings.plateau.is_some());
    compare("a plateau is", there(record.plateau.is_some()), plateau);
    differences
}

/// The error for a file that was not saved with its checkpoint; `reason` says how this was found.
fn corrupt(path: &Path, reason: impl ToString) -> LearnError {
    LearnError::Corrupt { path: path.to_owned(), reason: reason.to_string() }
}

/// Reads the state of the optimiser. This checks that it fits the parameters, but not that the tensors are those
/// that the optimiser keeps.
fn read_state<T: Element>(
    path: &Path,
    parameters: &Parameters<T>,
    clocks: &BTreeMap<String, Clock>,
) -> Result<OptimizerState<T>, CheckpointError> {
    let mut file = TensorFile::open(path)?;
    // The tensors are sorted by their position in the file, which is the optimiser's order.
    let mut names: Vec<(usize, String)> =
        (file.tensors().into_iter()).map(|(name, tensor)| (tensor.data_offsets.0, name)).collect();
    names.sort();
    let mut tensors: BTreeMap<&str, Vec<(String, Vec<T>)>> = BTreeMap::new();
    for (_, name) in &names {
        let (parameter, slot) = name.rsplit_once('/').unwrap_or((name, ""));
        let (_, values) = file.read(name)?;
        tensors.entry(parameter).or_default().push((slot.to_owned(), values));
    }
    let mut state = OptimizerState::default();
    for (id, parameter) in parameters.iter() {
        if let Some(clock) = clocks.get(parameter.name()) {
            let tensors = tensors.remove(parameter.name()).unwrap_or_default();
            // The model fits, so if the state does not, its file was not saved with this checkpoint.
            state.set(id, parameter, *clock, tensors).map_err(|error| corrupt(path, error))?;
        }
    }
    if let Some((parameter, _)) = tensors.first_key_value() {
        let reason =
            format!("it has tensors of `{parameter}`, which by the record has taken no step");
        return Err(corrupt(path, reason).into());
    }
    Ok(state)
}
