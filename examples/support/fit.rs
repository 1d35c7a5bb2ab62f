//! The training loop of the examples: it trains, evaluates on the dev split after each epoch, keeps
//! the best epoch, and evaluates it on the test split.

use std::path::Path;
use std::time::{Duration, Instant};

use edb::learn::Parameters;
use edb::model::Notes;
use edb::prelude::*;
use serde_json::{Map, Value};

use super::measure::Measures;
use super::seeing::Seeing;
use super::splits::Splits;
use super::{Options, Result, progress, shuffled, table, world};
use crate::say;

/// The default hyperparameters of training.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// Passes over the training split.
    pub epochs: usize,
    /// Records in a minibatch.
    pub batch: usize,
    /// The learning rate of the first step of Adam.
    pub rate: f64,
    /// Whether it decays linearly to zero, or is constant.
    pub decay: bool,
    /// Whether lower is better for the dev measure, as for perplexity.
    pub falls: bool,
}

/// A model to be trained, and what is saved beside it: what a reader of the file needs to make graphs, and to
/// understand answers.
pub struct Start {
    model: Model,
    notes: Notes,
}

impl From<Model> for Start {
    fn from(model: Model) -> Self {
        Self { model, notes: Notes::new() }
    }
}

impl From<(Model, Notes)> for Start {
    fn from((model, notes): (Model, Notes)) -> Self {
        Self { model, notes }
    }
}

/// How many graphs a saved model has with their answers.
pub const FEW: usize = 8;

impl Recipe {
    /// Trains a model on graphs of the training split, which may depend on the epoch, and reports
    /// the results of `measure`.
    ///
    /// The epoch with the best dev result is tested; it is also saved as soon as it is reached.
    /// With zero epochs, the loaded model is tested.
    pub fn run<R>(
        &self,
        options: &Options,
        start: impl Into<Start>,
        splits: &Splits<R>,
        graph: impl Fn(&Model, &R, usize) -> Graph,
        measure: impl FnMut(&mut Trainer, &[R]) -> Result<Measures>,
    ) -> Result<()> {
        let step = |trainer: &mut Trainer, records: &[&R], epoch| {
            let graph = |model: &Model, at: usize| graph(model, records[at], epoch);
            Ok(trainer.step_shared(records.len(), graph)?.loss)
        };
        let few = |model: &Model| {
            splits.dev.iter().take(FEW).map(|record| graph(model, record, 0)).collect()
        };
        let last = |_: &mut Trainer| Ok(Vec::new());
        let found = self.run_saving(options, start.into(), splits, step, measure, (last, few))?;
        options.print(found);
        Ok(())
    }

    /// The same where `step` takes each training step, over the records of a minibatch in an epoch,
    /// as for graphs that grow, and returns their loss. Returns the results, with what `last` finds
    /// in the epoch that is tested.
    pub fn run_steps<R>(
        &self,
        options: &Options,
        start: impl Into<Start>,
        splits: &Splits<R>,
        step: impl FnMut(&mut Trainer, &[&R], usize) -> Result<f64>,
        measure: impl FnMut(&mut Trainer, &[R]) -> Result<Measures>,
        last: impl FnOnce(&mut Trainer) -> Result<Measures>,
    ) -> Result<Map<String, Value>> {
        self.run_saving(options, start.into(), splits, step, measure, (last, |_| Vec::new()))
    }

    /// The same, where a saved model has the answers for the graphs of `few`, which `edb check` compares.
    fn run_saving<R>(
        &self,
        options: &Options,
        Start { model, notes }: Start,
        splits: &Splits<R>,
        mut step: impl FnMut(&mut Trainer, &[&R], usize) -> Result<f64>,
        mut measure: impl FnMut(&mut Trainer, &[R]) -> Result<Measures>,
        (last, few): (impl FnOnce(&mut Trainer) -> Result<Measures>, impl Fn(&Model) -> Vec<Graph>),
    ) -> Result<Map<String, Value>> {
        let start = Instant::now();
        let seconds = || start.elapsed().as_secs_f64();
        let first = world::is_first();
        let [plot, trace] =
            [&options.plot, &options.trace].map(|path| path.as_deref().filter(|_| first));
        let mut seeing = Seeing::new(plot, trace)?;
        let Splits { train, dev, test } = splits;
        let epochs = options.epochs.unwrap_or(self.epochs);
        let batch = options.batch(self.batch);
        let mut trainer = self.trainer(options, model, train.len().div_ceil(batch) * epochs)?;
        let (mut rows, mut training) = (Vec::new(), Duration::ZERO);
        let mut best: Option<(Measures, usize, Parameters<f32>)> = None;
        for epoch in 0..epochs {
            let began = Instant::now();
            let order = shuffled(train.len(), options.seed, epoch);
            let chunks = order.chunks(batch);
            let bar = progress(epoch, chunks.len());
            let mut loss = 0.0;
            for chunk in chunks {
                let records: Vec<&R> = chunk.iter().map(|sample| &train[*sample]).collect();
                loss += step(&mut trainer, &records, epoch)?;
                seeing.step()?;
                bar.inc(1);
            }
            bar.finish_and_clear();
            training += began.elapsed();
            let found = measure(&mut trainer, dev)?;
            let (number, loss, now) = (epoch + 1, loss / train.len() as f64, seconds());
            say!("epoch {number}: loss {loss:.4}, dev {}, {now:.1} s", line(&found));
            seeing.epoch([("loss".to_owned(), loss)]);
            seeing.epoch(found.iter().map(|(name, value)| (format!("dev {name}"), *value)));
            let mut cells = vec![number.to_string(), format!("{loss:.4}")];
            cells.extend(found.iter().map(|(_, value)| format!("{value:.4}")));
            cells.push(format!("{now:.1}"));
            rows.push(cells);
            if best.as_ref().is_none_or(|(before, ..)| self.is_better(found[0].1, before[0].1)) {
                best = Some((found, number, trainer.model().parameters().clone()));
                if let Some(path) = options.save.as_ref().filter(|_| first) {
                    save(trainer.model(), notes.clone(), &few(trainer.model()), path)?;
                }
            }
        }
        seeing.finish()?;
        let (dev, epoch) = match best {
            Some((found, epoch, parameters)) => {
                *trainer.model_mut().parameters_mut() = parameters;
                (found, epoch)
            }
            None => (measure(&mut trainer, dev)?, 0),
        };
        let names: Vec<String> = dev.iter().map(|(name, _)| format!("dev {name}")).collect();
        let mut heading = vec!["epoch", "loss"];
        heading.extend(names.iter().map(String::as_str));
        heading.push("seconds");
        say!("\n{}", table(&heading, &rows).trim_end());

        let test = measure(&mut trainer, test)?;
        say!("\nepoch {epoch}: dev {}, test {}", line(&dev), line(&test));
        let rate = (epochs * train.len()) as f64 / training.as_secs_f64().max(f64::MIN_POSITIVE);
        say!("{rate:.1} records/s in training, {:.1} s in all", seconds());
        let last = last(&mut trainer)?;
        if !last.is_empty() {
            say!("{}", line(&last));
        }
        let mut object = json(&[("dev ", dev), ("test ", test), ("", last)]);
        object.insert("epoch".into(), epoch.into());
        object.insert("records_per_s".into(), rate.into());
        object.insert("seconds".into(), seconds().into());
        Ok(object)
    }

    /// A trainer that takes so many steps.
    fn trainer(&self, options: &Options, mut model: Model, steps: usize) -> Result<Trainer> {
        if let Some(path) = &options.load {
            model.load(path)?;
        }
        let adam = Adam::new(options.lr.unwrap_or(self.rate));
        let trainer = Trainer::new(model, adam).engine(options.engine()?).clip_norm(5.0);
        let trainer = options.distributed(trainer)?;
        Ok(match self.decay {
            true => trainer.schedule(RateSchedule::linear(steps as u64, 1.0, 0.0)),
            false => trainer,
        })
    }

    fn is_better(&self, now: f64, before: f64) -> bool {
        before.is_nan() || if self.falls { now < before } else { now > before }
    }
}

/// Saves a model with notes, and with its answers for some graphs.
pub fn save(model: &Model, notes: Notes, graphs: &[Graph], path: &Path) -> Result<()> {
    let examples = match graphs.is_empty() {
        true => Vec::new(),
        false => Engine::new().examples(model, graphs)?,
    };
    Ok(model.bundle().notes(notes).examples(examples).save(path)?)
}

fn line(measures: &Measures) -> String {
    let each = measures.iter().map(|(name, value)| format!("{name} {value:.4}"));
    each.collect::<Vec<_>>().join(", ")
}

/// Measures behind prefixes, under keys such as `dev_pearson_r`.
fn json(found: &[(&str, Measures)]) -> Map<String, Value> {
    let all = found.iter().flat_map(|(prefix, measures)| {
        measures.iter().map(move |(name, value)| (format!("{prefix}{name}"), *value))
    });
    all.map(|(name, value)| (name.replace(' ', "_"), Value::from(value))).collect()
}
