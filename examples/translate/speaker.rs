//! Learning to say one word after the other, and translating so.

use std::time::Instant;

use edb::engine::Seeds;
use edb::prelude::*;

use cells::speaker::{Manner, Speaker, Talk};
use support::bleu::Bleu;
use support::measure::Measures;
use support::vocabulary::Vocabulary;
use support::{Options, Result};

/// A sentence and its translation as numbers, the translation between two end marks.
type Pair = [Vec<u32>; 2];

/// The sentences of a minibatch.
pub(super) const BATCH: usize = 32;

/// Takes a step over sentences that read so many of their words from themselves; returns the loss.
pub(super) fn step_taught(
    f: &Speaker,
    trainer: &mut Trainer,
    pairs: &[&Pair],
    share: f64,
) -> Result<f64> {
    let begin = |model: &Model, at: usize| {
        let (graph, talk) = f.begin(model, &pairs[at][0]);
        (graph, (talk, &pairs[at][1]))
    };
    let step = trainer.grow_each_shared(pairs.len(), begin, |g, (talk, gold)| {
        f.turn(g, talk, Manner::Taught(gold, share));
    })?;
    Ok(step.loss)
}

/// Takes a step of REINFORCE (Williams, 1992): sentences are translated by draws, and what was drawn
/// becomes likelier by how much the BLEU of its sentence is above the mean. Returns how much BLEU
/// lacks, from 0 to 1, summed.
pub(super) fn rewarded(f: &Speaker, trainer: &mut Trainer, pairs: &[&Pair]) -> Result<f64> {
    let begin = |pair: &&Pair| f.begin(trainer.model(), &pair[0]);
    let (graphs, mut talks): (Vec<_>, Vec<_>) = pairs.iter().map(begin).unzip();
    let mut growth = trainer.grow(graphs)?;
    while let Some(round) = growth.round()? {
        for mut g in round {
            let place = g.place();
            f.turn(&mut g, &mut talks[place], Manner::Drawn);
        }
    }
    let reward = |(talk, pair): (&Talk, &&Pair)| {
        let mut found = Bleu::default();
        observe(f, &mut found, &talk.words, &pair[1]);
        found.smoothed() / 100.0
    };
    let rewards: Vec<f64> = talks.iter().zip(pairs).map(reward).collect();
    let sum: f64 = rewards.iter().sum();
    let mean = sum / rewards.len() as f64;
    let words: usize = talks.iter().map(|talk| talk.words.len()).sum();
    let mut seeds = Seeds::new();
    for (talk, reward) in talks.iter().zip(rewards) {
        for vertex in &talk.drawn {
            seeds.push(&f.venture, *vertex, "log_p", &[((mean - reward) / words as f64) as f32]);
        }
    }
    growth.step_with(&seeds)?;
    Ok(pairs.len() as f64 - sum)
}

/// Translates sentences. Returns the words of each, the end mark included, and the graph.
pub(super) fn translate(
    f: &Speaker,
    engine: &mut Engine,
    model: &Model,
    pairs: &[Pair],
) -> Result<Vec<(Vec<u32>, Graph)>> {
    let begin = |pair: &Pair| f.begin(model, &pair[0]);
    let mut talks: Vec<_> = pairs.iter().map(begin).collect();
    engine.grow_each(model, &mut talks, |g, talk| f.turn(g, talk, Manner::Free))?;
    Ok(talks.into_iter().map(|(graph, talk)| (talk.words, graph)).collect())
}

/// Compares what was said with the gold translation. An unknown word is never right.
fn observe(f: &Speaker, found: &mut Bleu, said: &[u32], gold: &[u32]) {
    let known = |word: &u32| if *word == Vocabulary::UNKNOWN { u32::MAX } else { *word };
    let gold: Vec<u32> = gold[1..gold.len() - 1].iter().map(known).collect();
    found.observe(said.strip_suffix(&[f.end]).unwrap_or(said), &gold);
}

/// BLEU of the translations.
pub(super) fn bleu(f: &Speaker, engine: &mut Engine, model: &Model, pairs: &[Pair]) -> Result<f64> {
    let mut found = Bleu::default();
    for pairs in pairs.chunks(BATCH) {
        for ((said, _), [_, gold]) in translate(f, engine, model, pairs)?.iter().zip(pairs) {
            observe(f, &mut found, said, gold);
        }
    }
    Ok(found.value())
}

/// How many sentences are translated in a second, and how many when the translations are known
/// beforehand: the same graphs as minibatches, alternately.
pub(super) fn rates(
    f: &Speaker,
    options: &Options,
    model: &Model,
    pairs: &[Pair],
) -> Result<Measures> {
    let [mut free, mut forced] = [options.engine()?, options.engine()?];
    let mut seconds = [0.0; 2];
    // The first time makes room in memory.
    for _ in 0..2 {
        seconds = [0.0; 2];
        for pairs in pairs.chunks(options.batch(BATCH)) {
            let start = Instant::now();
            let translated = translate(f, &mut free, model, pairs)?;
            let between = Instant::now();
            let batch = model.minibatch(translated.iter().map(|(_, graph)| graph))?;
            forced.infer(model, &batch)?;
            seconds[0] += (between - start).as_secs_f64();
            seconds[1] += between.elapsed().as_secs_f64();
        }
    }
    let [decoded, forced] = seconds.map(|seconds| pairs.len() as f64 / seconds);
    Ok(vec![("decoded_per_s", decoded), ("teacher_forced_per_s", forced)])
}
