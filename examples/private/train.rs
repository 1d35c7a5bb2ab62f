//! Trains one model, privately or not.

use std::path::Path;
use std::time::{Duration, Instant};

use edb::model::Notes;
use edb::prelude::*;
use edb::secret::Secret;
use edb::trainer::Private;

use cells::binary_tree::{Accuracy, Functions, PlainTreeLstm, Sizes};
use readers::tree::{CLASSES, LABELS, Tree};
use support::fit::{FEW, save};
use support::splits::Splits;
use support::vocabulary::bucket;
use support::{Result, progress_of};

use super::Cli;

/// In so many steps, a model that is not private takes the same step, to compare the times.
const TIMED: u64 = 40;

/// What was found about a model.
#[derive(Default)]
pub(super) struct Found {
    /// What the accounts say behind the last step; `None` without privacy.
    pub(super) epsilon: Option<f64>,
    /// The deviation of the noise, by the norm to which gradients are clipped.
    pub(super) noise: f64,
    /// Test accuracy over five classes, and positive against negative.
    pub(super) fine: f64,
    pub(super) binary: f64,
    /// The mean loss of a test sentence.
    pub(super) loss: f64,
    /// The time of its steps by that of steps that are not private.
    pub(super) step_ratio: f64,
}

impl Found {
    /// The cells of its row.
    pub(super) fn cells(&self) -> Vec<String> {
        let Self { epsilon, noise, fine, binary, loss, step_ratio } = self;
        let epsilon = epsilon.map_or("none".to_owned(), |epsilon| format!("{epsilon:.3}"));
        vec![
            epsilon,
            format!("{noise:.3}"),
            format!("{fine:.4}"),
            format!("{binary:.4}"),
            format!("{loss:.3}"),
            format!("{step_ratio:.2}"),
        ]
    }
}

/// A model in training.
struct Learner {
    f: Functions<PlainTreeLstm>,
    trainer: Trainer,
}

impl Learner {
    fn new(cli: &Cli, private: Option<Private>) -> Result<Self> {
        let mut builder = ModelBuilder::new();
        let sizes = Sizes {
            words: cli.buckets.get() as usize,
            embedding: cli.embedding,
            hidden: cli.hidden,
            classes: usize::from(LABELS),
        };
        let f = Functions::new(&mut builder, sizes, 1);
        // The initial values may be known: they have seen no sentence.
        let seed = cli.seed.unwrap_or(1);
        let trainer = Trainer::new(builder.build(seed)?, Adam::new(cli.lr))
            .engine(cli.place.engine(seed)?)
            .schedule(RateSchedule::linear(cli.steps.get(), 1.0, 0.0));
        let trainer = match private {
            Some(private) => trainer.private(private),
            None => trainer.clip_norm(5.0),
        };
        Ok(Self { f, trainer })
    }

    fn graph(&self, cli: &Cli, tree: &Tree) -> Graph {
        self.f.graph(self.trainer.model(), tree, |word| bucket(word, cli.buckets)).0
    }

    /// Saves the model, with what it has cost the sentences of training, and how words become numbers. Its examples are
    /// sentences of the test split: a file that is given away has none on which the model was trained.
    fn save(&self, cli: &Cli, test: &[Tree], path: &Path) -> Result<()> {
        let notes = Notes::new()
            .with("epsilon", &self.trainer.epsilon())
            .with("buckets", &cli.buckets)
            .with(
                "words",
                &"a word's index is the FNV-1a hash (64 bits) of its UTF-8, modulo buckets",
            )
            .with("classes", &CLASSES);
        let graphs: Vec<Graph> = test.iter().take(FEW).map(|tree| self.graph(cli, tree)).collect();
        save(self.trainer.model(), notes, &graphs, path)
    }

    /// Takes a step, and returns how long it took. One that is not private needs a graph.
    fn step(&mut self, graphs: &[&Graph]) -> Result<Duration> {
        let model = self.trainer.model();
        let minibatch = match graphs.is_empty() {
            true => None,
            false => Some(model.minibatch(graphs.iter().copied())?),
        };
        let start = Instant::now();
        self.trainer.step_over(&minibatch)?;
        Ok(start.elapsed())
    }
}

/// Trains and tests the model of this number: for an epsilon, or without privacy.
pub(super) fn train(
    cli: &Cli,
    splits: &Splits<Tree>,
    epsilon: Option<f64>,
    number: u64,
) -> Result<Found> {
    let Splits { train, test, .. } = splits;
    let (sentences, steps) = (train.len(), cli.steps.get());
    let minibatch = cli.minibatch.map_or((sentences / 8).max(1), |minibatch| minibatch.get());
    // Each model has a secret of its own: the difference of two with the same noise would have none.
    let secret = match cli.seed {
        Some(seed) => Secret::insecure(seed.wrapping_add(number)),
        None => Secret::new()?,
    };
    let private = Private { clip: cli.clip, secret, ..Private::new(sentences, minibatch)? };
    // Without privacy, minibatches are sampled alike.
    let minibatches = private.poisson();
    let private = epsilon.map(|epsilon| private.for_epsilon(epsilon, steps)).transpose()?;
    let noise = private.as_ref().map_or(0.0, |private| private.noise);
    let mut learner = Learner::new(cli, private)?;
    let mut plain = epsilon.map(|_| Learner::new(cli, None)).transpose()?;
    let graphs: Vec<Graph> = train.iter().map(|tree| learner.graph(cli, tree)).collect();
    let [mut taken, mut taken_plainly] = [Duration::ZERO; 2];
    let name = epsilon.map_or("no privacy".to_owned(), |epsilon| format!("epsilon {epsilon}"));
    let bar = progress_of(name, steps);
    for step in 0..steps {
        let sampled = minibatches.minibatch(step);
        let chosen: Vec<&Graph> = sampled.iter().map(|number| &graphs[*number]).collect();
        bar.inc(1);
        if chosen.is_empty() && epsilon.is_none() {
            continue;
        }
        let time = learner.step(&chosen)?;
        if let Some(plain) = plain.as_mut().filter(|_| step < TIMED && !sampled.is_empty()) {
            let same: Vec<Graph> =
                sampled.iter().map(|number| plain.graph(cli, &train[*number])).collect();
            let time_plainly = plain.step(&same.iter().collect::<Vec<_>>())?;
            // The first step allocates memory.
            if step > 0 {
                taken += time;
                taken_plainly += time_plainly;
            }
        }
    }
    bar.finish_and_clear();
    let step_ratio = match taken_plainly.is_zero() {
        true => 1.0,
        false => taken.as_secs_f64() / taken_plainly.as_secs_f64(),
    };
    if let (Some(path), 0, Some(_)) = (&cli.save, number, epsilon) {
        learner.save(cli, test, path)?;
    }
    let Learner { f, mut trainer } = learner;
    let Accuracy { fine, binary, loss } =
        f.accuracy(&mut trainer, test, |word| bucket(word, cli.buckets))?;
    Ok(Found { epsilon: trainer.epsilon(), noise, fine, binary, loss, step_ratio })
}
