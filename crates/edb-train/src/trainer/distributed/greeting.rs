//! The greeting: what must be the same on all ranks. It is compared before their first step. The part about the model
//! and its parameters is compared again in a later step, if a program has changed them in between.

use edb_core::engine::training;
use std::fmt::Display;

use super::shares::Types;
use crate::trainer::Trainer;
use crate::trainer::checkpoint::{FunctionRecord, Sides};
use crate::trainer::error::TrainError;
use crate::trainer::settings::or_none;
use edb_core::model::BoundModel;
use edb_kernels::element::Element;
use edb_kernels::random::ContentHash;
use edb_learn::collective::{Kind, gather};
use edb_learn::secret::{Use, draws};

/// The beginning of the name of an entry that holds the record of a function.
const FUNCTION: &str = "the function ";

/// The most characters of a value in an error. Of a longer value, the error shows the hash.
const MAX_SHOWN_CHARS: usize = 80;

/// The settings and the state of a rank: the name of each, and its value as text.
pub(super) type Greeting = Vec<(String, String)>;

impl<T: Element> Trainer<T> {
    /// Checks that all ranks train alike.
    pub(super) fn greet(&mut self) -> Result<(), TrainError> {
        let world = self.world();
        if world.ranks() == 1 {
            return Ok(());
        }
        let own = self.greeting();
        self.compare(own)
    }

    /// Compares the greetings of all ranks. Fails if a rank differs from rank 0.
    pub(super) fn compare(&mut self, own: Result<Greeting, TrainError>) -> Result<(), TrainError> {
        let world = self.world();
        // If this rank has an error, because its device has lost the parameters, it tells the other ranks.
        let own = own.map_err(|error| error.to_string());
        let said = gather(&world, Kind::Greeting, &own);
        let all: Vec<Result<Greeting, String>> = self.unbroken(said)?;
        let step = self.steps;
        let mut greetings: Vec<Greeting> = Vec::new();
        for (rank, greeting) in all.into_iter().enumerate() {
            greetings.push(greeting.map_err(|reason| TrainError::Rank { step, rank, reason })?);
        }
        for (rank, greeting) in greetings.iter().enumerate() {
            let differences = differences(greeting, &greetings[0], self.model.bound());
            if !differences.is_empty() {
                return Err(TrainError::Differs { rank, differences });
            }
        }
        Ok(())
    }

    /// What must be the same on all ranks.
    fn greeting(&self) -> Result<Greeting, TrainError> {
        let Self { engine, .. } = self;
        let mut greeting = Greeting::new();
        let mut say = |what: &dyn Display, value: &dyn Display| {
            greeting.push((what.to_string(), value.to_string()));
        };
        say(&"the version of edb", &env!("CARGO_PKG_VERSION"));
        let bytes = if cfg!(target_endian = "little") { "" } else { ", big-endian" };
        say(&"the machine", &format!("{}{bytes}", std::env::consts::ARCH));
        say(
            &"the instructions (`EDB_ISA` sets the best ones)",
            &edb_kernels::machine::instructions(),
        );
        say(&"the device", &engine.device());
        if engine.device().contains("bf16") {
            say(&"the instructions for 16 bits", &edb_core::pair_instructions());
        }
        say(&"the loss scale", &format_args!("{:?}", engine.loss_scale()));
        say(&"the type of numbers", &T::DTYPE);
        say(&"the seed", &training::seed(engine));
        say(&"the costs of schedules", &format!("{:?}", training::scheduler(engine).known_costs()));
        for (what, value) in self.settings_of_run() {
            say(&what, &value);
        }
        for (of, what) in Types::ALL.into_iter().zip(["minibatches", "graphs that grow"]) {
            if let Some(policy) = self.learned(of) {
                say(&format_args!("the policy learned for {what}"), &policy);
            }
        }
        for (what, value) in self.settings_now() {
            say(&what, &value);
        }
        say(&"the steps averaged", &or_none(&self.ema.as_ref().map(|ema| ema.steps())));
        if let Some(private) = &self.private {
            use rand::Rng;
            // These draws are for a purpose of their own. They show whether secrets are the same, but not
            // what is drawn in steps.
            let secret = draws(&private.secret, Use::Greeting, 0).next_u64();
            say(&"private training", &format_args!("{private:?}"));
            say(&"the secret of private training (see `Private::shared`)", &hex(secret));
        }
        greeting.extend(self.model_as_said()?);
        Ok(greeting)
    }

    /// The part of the greeting about the model, its parameters and the optimiser's state. It is compared whenever a
    /// program has changed something.
    pub(super) fn model_as_said(&self) -> Result<Greeting, TrainError> {
        let step = self.steps;
        let Self { model, optimizer, .. } = self;
        let mut greeting = Greeting::new();
        let mut say = |what: &dyn Display, value: &dyn Display| {
            greeting.push((what.to_string(), value.to_string()));
        };
        for function in FunctionRecord::all(model.bound()) {
            let record = serde_json::to_string(&function).unwrap_or_default();
            say(&format_args!("{FUNCTION}`{}`", function.name()), &record);
        }
        let failed = |error| TrainError::Learn { step, error };
        for (id, parameter) in model.parameters().iter() {
            let mut values = hash(parameter.values().map_err(failed)?);
            for tensor in optimizer.state().tensors(id) {
                values ^= hash(tensor.map_err(failed)?.1).rotate_left(1);
            }
            let shape = parameter.shape();
            say(
                &format_args!("the parameter `{}`", parameter.name()),
                &format_args!("{shape:?} with values and state of hash {}", hex(values)),
            );
        }
        Ok(greeting)
    }
}

/// Finds how a rank differs from rank 0.
fn differences(rank: &Greeting, first: &Greeting, model: &BoundModel) -> Vec<String> {
    let mut differences = functions(rank, first, model);
    let told = !differences.is_empty();
    for (what, value) in rank.iter().filter(|(what, _)| !(told && what.starts_with(FUNCTION))) {
        match first.iter().find(|(known, _)| known == what) {
            None => differences.push(format!("rank 0 has nothing like {what}")),
            Some((_, known)) if known != value => differences.push(format!(
                "{what} is {} on it and {} on rank 0",
                shown(value),
                shown(known)
            )),
            Some(_) => {}
        }
    }
    let is_told = |what: &str| told && what.starts_with(FUNCTION);
    let is_known = |what: &str| rank.iter().any(|(known, _)| known == what);
    let unknown = first.iter().filter(|(what, _)| !(is_told(what) || is_known(what)));
    differences.extend(unknown.map(|(what, _)| format!("it has nothing like {what} of rank 0")));
    differences
}

/// How the functions of a rank differ from those of rank 0, in the same words as for a checkpoint.
fn functions(rank: &Greeting, first: &Greeting, model: &BoundModel) -> Vec<String> {
    let of_functions = |of: &Greeting| -> Greeting {
        of.iter().filter(|of| of.0.starts_with(FUNCTION)).cloned().collect()
    };
    let (rank, first) = (of_functions(rank), of_functions(first));
    if rank == first {
        return Vec::new();
    }
    let records = |of: &Greeting| -> Vec<FunctionRecord> {
        of.iter().filter_map(|(_, value)| serde_json::from_str(value).ok()).collect()
    };
    FunctionRecord::differences(&records(&rank), &records(&first), model, &Sides::RANKS).found
}

fn shown(value: &str) -> String {
    match value.chars().count() <= MAX_SHOWN_CHARS {
        true => value.to_owned(),
        false => format!("another one, of hash {}", hex(hash_bytes(value.bytes()))),
    }
}

fn hex(value: u64) -> String {
    format!("{value:016x}")
}

/// A hash of the bits of these values.
fn hash<T: Element>(values: &[T]) -> u64 {
    let mut hash = ContentHash::default();
    hash.add_list(values, |value| value.as_f64().to_bits());
    hash.finish()
}

fn hash_bytes(bytes: impl Iterator<Item = u8>) -> u64 {
    let mut hash = ContentHash::default();
    bytes.for_each(|byte| hash.add(u64::from(byte)));
    hash.finish()
}
