//! A translator that says one word after the other, and stops by itself.

use std::time::Instant;

use edb::Element;
use edb::engine::GrowingGraph;
use edb::prelude::*;

use cells::decoder::{Heard, Said, attend, judge, say};
use cells::encoder_decoder::{Key, Translator, Word};
use cells::lstm::Memory;
use support::bleu::Bleu;
use support::measure::Measures;
use support::vocabulary::Vocabulary;
use support::{Options, Result};

/// A sentence and its translation as numbers, the translation between two end marks.
type Pair = [Vec<u32>; 2];

/// The sentences of a minibatch.
pub(super) const BATCH: usize = 32;

/// A translator, and the functions with which it says what it predicts: they share its parameters.
pub(super) struct Speaker {
    pub(super) translator: Translator,
    attend: Function<attend>,
    say: Function<say>,
    judge: Function<judge>,
    /// The number of the end mark.
    end: u32,
}

/// A translation that grows.
struct Talk {
    keys: Vec<Vertex<Key>>,
    memory: Option<Vertex<Memory>>,
    words: Vec<u32>,
}

/// What should be said, and how often words are read that were said instead.
type Lesson<'a> = (&'a [u32], f64);

impl Speaker {
    /// Adds the functions to a model, for the given numbers of source and target words.
    pub(super) fn new(
        builder: &mut ModelBuilder,
        sizes: [usize; 2],
        hidden: usize,
        end: u32,
    ) -> Self {
        let translator = Translator::new(builder, sizes, hidden);
        let predict = |name| translator.predict.param(name);
        let attend = dims! { H: hidden }.share("w_c", predict("w_c"));
        let say = dims! { V: sizes[1], H: hidden }.share("v", predict("v"));
        Self {
            attend: builder.add(attend),
            say: builder.add(say.share("b", predict("b"))),
            judge: builder.add(dims! { V: sizes[1] }),
            translator,
            end,
        }
    }

    /// A graph that has read a sentence, and its translation, which has nothing yet.
    fn begin<T: Element>(&self, model: &Model<T>, sentence: &[u32]) -> (Graph<T>, Talk) {
        let mut g = model.graph();
        let (keys, memory) = self.translator.encoder.read(&mut g, sentence);
        (g, Talk { keys, memory, words: Vec::new() })
    }

    /// Hears the word that was said, and says the next one, unless the translation has ended.
    fn turn<T: Element>(
        &self,
        g: &mut GrowingGraph<'_, T>,
        talk: &mut Talk,
        lesson: Option<Lesson<'_>>,
    ) {
        for (_, Said { word, scores }) in g.decided(&self.say) {
            talk.words.push(word.0);
            if let Some((gold, _)) = lesson {
                let gold = gold[talk.words.len()].into();
                g.add(&self.judge, (), Heard { scores, gold });
            }
        }
        let (count, last) = (talk.words.len(), talk.words.last().copied());
        let (ends, read) = match lesson {
            // Scheduled sampling (Bengio et al., 2015).
            Some((gold, share)) => {
                let said = last.filter(|_| g.draw() < share);
                (count + 1 == gold.len(), said.unwrap_or(gold[count]))
            }
            // One that does not end is cut off.
            None if count > 2 * talk.keys.len() + 10 => (true, self.end),
            None => (last == Some(self.end), last.unwrap_or(self.end)),
        };
        if !ends {
            let memory = g.add(&self.translator.decoder, [talk.memory], Word { id: read.into() });
            let seen = g.add(&self.attend, (memory, &talk.keys[..]), ());
            g.add(&self.say, [seen], ());
            talk.memory = Some(memory);
        }
    }

    /// Takes a training step in which the share of words that are read is its own, not those of the
    /// gold translations.
    pub(super) fn step(&self, trainer: &mut Trainer, pairs: &[&Pair], share: f64) -> Result<f64> {
        let begin = |pair: &&Pair| self.begin(trainer.model(), &pair[0]);
        let (graphs, mut talks): (Vec<_>, Vec<_>) = pairs.iter().map(begin).unzip();
        let mut growth = trainer.grow(graphs)?;
        while let Some(round) = growth.round()? {
            for mut g in round {
                let place = g.place();
                self.turn(&mut g, &mut talks[place], Some((&pairs[place][1], share)));
            }
        }
        Ok(growth.step()?.loss)
    }

    /// Translates sentences, freely or in lessons. Returns the words of each, the end mark included,
    /// and the graph.
    pub(super) fn translate<T: Element>(
        &self,
        engine: &mut Engine<T>,
        model: &Model<T>,
        pairs: &[Pair],
        share: Option<f64>,
    ) -> Result<Vec<(Vec<u32>, Graph<T>)>> {
        let begin = |pair: &Pair| self.begin(model, &pair[0]);
        let (graphs, mut talks): (Vec<_>, Vec<_>) = pairs.iter().map(begin).unzip();
        let mut growth = engine.grow(model, graphs)?;
        while let Some(round) = growth.round()? {
            for mut g in round {
                let place = g.place();
                let lesson = share.map(|share| (&pairs[place][1][..], share));
                self.turn(&mut g, &mut talks[place], lesson);
            }
        }
        Ok(talks.into_iter().map(|talk| talk.words).zip(growth.into_graphs()).collect())
    }

    /// BLEU of the translations. An unknown word is never right.
    pub(super) fn bleu(&self, engine: &mut Engine, model: &Model, pairs: &[Pair]) -> Result<f64> {
        let mut found = Bleu::default();
        for pairs in pairs.chunks(BATCH) {
            for ((said, _), [_, gold]) in
                self.translate(engine, model, pairs, None)?.iter().zip(pairs)
            {
                let known =
                    |word: &u32| if *word == Vocabulary::UNKNOWN { u32::MAX } else { *word };
                let gold: Vec<u32> = gold[1..gold.len() - 1].iter().map(known).collect();
                found.observe(said.strip_suffix(&[self.end]).unwrap_or(said), &gold);
            }
        }
        Ok(found.value())
    }

    /// How many sentences are translated in a second, and how many when the translations are known
    /// beforehand: the same graphs as minibatches, in turns.
    pub(super) fn rates(
        &self,
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
                let translated = self.translate(&mut free, model, pairs, None)?;
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
}
