//! The loop over epochs that examples share: it trains, watches the dev split and keeps what was best.

use std::time::Instant;

use edb::prelude::*;
use serde_json::{Map, Value};

use super::{Options, Result, progress, shuffled, table};

/// How a model is trained, where the command line says nothing else.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// Passes over the samples.
    pub epochs: usize,
    /// Samples in a minibatch.
    pub batch: usize,
    /// The learning rate of the first step of Adam; it falls to zero on a straight line.
    pub rate: f64,
    /// What the dev split is measured by.
    pub measure: &'static str,
    /// Whether less of that is better, as with perplexities.
    pub falls: bool,
}

/// What training came to: the trainer holds the parameters of the best epoch.
pub struct Fitted {
    trainer: Trainer,
    measure: &'static str,
    dev: f64,
    epoch: usize,
    seconds: f64,
}

impl Recipe {
    /// Trains a model on `count` samples, each a graph that may depend on the epoch.
    ///
    /// The epoch that is best on the dev split counts, and is saved at once. With no epochs at all, the model is as it was
    /// loaded.
    pub fn fit(
        &self,
        options: &Options,
        mut model: Model,
        count: usize,
        graph: impl Fn(&Model, usize, usize) -> Graph,
        mut dev: impl FnMut(&mut Trainer) -> Result<f64>,
    ) -> Result<Fitted> {
        let start = Instant::now();
        if let Some(path) = &options.load {
            model.load(path)?;
        }
        let rate = options.lr.unwrap_or(self.rate);
        let epochs = options.epochs.unwrap_or(self.epochs);
        let optimizer = Adam::new(rate);
        let mut trainer = Trainer::new(model, optimizer).engine(options.engine()?).clip_norm(5.0);
        let mut rows = Vec::new();
        let mut best = None;
        for epoch in 0..epochs {
            let order = shuffled(count, options.seed, epoch);
            let chunks = order.chunks(options.batch(self.batch));
            let bar = progress(epoch, chunks.len());
            let mut loss = 0.0;
            let steps = chunks.len() * epochs;
            for chunk in chunks {
                let left = 1.0 - trainer.steps() as f64 / steps as f64;
                trainer.optimizer_mut().set_learning_rate(rate * left);
                let graphs: Vec<Graph> =
                    chunk.iter().map(|at| graph(trainer.model(), *at, epoch)).collect();
                let batch = trainer.model().minibatch(&graphs)?;
                loss += trainer.step(&batch)?.loss;
                bar.inc(1);
            }
            bar.finish_and_clear();
            let found = dev(&mut trainer)?;
            let better = |(before, _, _): &(f64, _, _)| {
                if self.falls { found < *before } else { found > *before }
            };
            if best.as_ref().is_none_or(better) {
                best = Some((found, epoch + 1, trainer.model().parameters().clone()));
                if let Some(path) = &options.save {
                    trainer.model().save(path)?;
                }
            }
            let (number, loss) = (epoch + 1, loss / count as f64);
            let seconds = start.elapsed().as_secs_f64();
            println!(
                "epoch {number}: loss {loss:.4}, dev {} {found:.4}, {seconds:.1} s",
                self.measure
            );
            rows.push(vec![
                number.to_string(),
                format!("{loss:.4}"),
                format!("{found:.4}"),
                format!("{seconds:.1}"),
            ]);
        }
        print!(
            "\n{}",
            table(&["epoch", "loss", &format!("dev {}", self.measure), "seconds"], &rows)
        );
        let (dev, epoch) = match best {
            Some((found, epoch, parameters)) => {
                *trainer.model_mut().parameters_mut() = parameters;
                (found, epoch)
            }
            None => (dev(&mut trainer)?, 0),
        };
        let seconds = start.elapsed().as_secs_f64();
        Ok(Fitted { trainer, measure: self.measure, dev, epoch, seconds })
    }
}

impl Fitted {
    /// The best epoch's trainer, to measure with.
    pub fn trainer(&mut self) -> &mut Trainer {
        &mut self.trainer
    }

    /// Prints what was reached, and as a line of JSON if that was asked for.
    pub fn report(&self, options: &Options, test: &[(&str, f64)]) {
        let Self { measure, dev, epoch, seconds, .. } = self;
        println!("\nepoch {epoch}: dev {measure} {dev:.4}, after {seconds:.1} s");
        for (name, value) in test {
            println!("test {name} {value:.4}");
        }
        if options.json {
            let key = |split: &str, name: &str| format!("{split}_{}", name.replace(' ', "_"));
            let mut object = Map::new();
            object.insert(key("dev", measure), Value::from(*dev));
            object
                .extend(test.iter().map(|(name, value)| (key("test", name), Value::from(*value))));
            object.insert("epoch".into(), Value::from(*epoch));
            object.insert("seconds".into(), Value::from(*seconds));
            println!("{}", Value::Object(object));
        }
    }
}
