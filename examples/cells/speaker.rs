//! A translator that says one word after the other, and stops by itself.

use edb::Element;
use edb::engine::GrowingGraph;
use edb::prelude::*;

use crate::decoder::{Heard, Said, Tried, attend, judge, say, venture};
use crate::encoder_decoder::{Key, Translator, Word};
use crate::lstm::Memory;

/// A translator, and the functions with which it says what it predicts: they share its parameters.
pub struct Speaker {
    pub translator: Translator,
    attend: Function<attend>,
    say: Function<say>,
    pub venture: Function<venture>,
    judge: Function<judge>,
    /// The number of the end mark.
    pub end: u32,
}

/// A translation that grows.
pub struct Talk {
    keys: Vec<Vertex<Key>>,
    memory: Option<Vertex<Memory>>,
    /// What has been said.
    pub words: Vec<u32>,
    /// The vertices that have said it, if it was drawn.
    pub drawn: Vec<Vertex<()>>,
}

/// How a sentence is translated.
#[derive(Clone, Copy)]
pub enum Manner<'a> {
    /// By the likeliest words, to the end mark.
    Free,
    /// By words that are drawn, to the end mark.
    Drawn,
    /// With what should be said, and how often words are read that were said instead.
    Taught(&'a [u32], f64),
}

impl Speaker {
    /// Adds the functions to a model, for the given numbers of source and target words.
    pub fn new(builder: &mut ModelBuilder, sizes: [usize; 2], hidden: usize, end: u32) -> Self {
        let translator = Translator::new(builder, sizes, hidden);
        let predict = |name| translator.predict.param(name);
        let attend = dims! { H: hidden }.share("w_c", predict("w_c"));
        let says = || {
            let dims = dims! { V: sizes[1], H: hidden };
            dims.share("v", predict("v")).share("b", predict("b"))
        };
        Self {
            attend: builder.add(attend),
            say: builder.add(says()),
            venture: builder.add(says()),
            judge: builder.add(dims! { V: sizes[1] }),
            translator,
            end,
        }
    }

    /// A graph that has read a sentence, and its translation, which has nothing yet.
    pub fn begin<T: Element>(&self, model: &Model<T>, sentence: &[u32]) -> (Graph<T>, Talk) {
        let mut g = model.graph();
        let (keys, memory) = self.translator.encoder.read(&mut g, sentence);
        (g, Talk { keys, memory, words: Vec::new(), drawn: Vec::new() })
    }

    /// Hears the word that was said, and says the next one, unless the translation has ended.
    pub fn turn<T: Element>(
        &self,
        g: &mut GrowingGraph<'_, T>,
        talk: &mut Talk,
        manner: Manner<'_>,
    ) {
        for (_, Said { word, scores }) in g.decided(&self.say) {
            talk.words.push(word.0);
            if let Manner::Taught(gold, _) = manner {
                let gold = gold[talk.words.len()].into();
                g.add(&self.judge, (), Heard { scores, gold });
            }
        }
        for (vertex, Tried { word, .. }) in g.decided(&self.venture) {
            talk.words.push(word.0);
            talk.drawn.push(vertex);
        }
        let (count, last) = (talk.words.len(), talk.words.last().copied());
        let (ends, read) = match manner {
            // Scheduled sampling (Bengio et al., 2015).
            Manner::Taught(gold, share) => {
                let said = last.filter(|_| g.draw() < share);
                (count + 1 == gold.len(), said.unwrap_or(gold[count]))
            }
            // One that does not end is cut off.
            _ if count > 2 * talk.keys.len() + 10 => (true, self.end),
            _ => (last == Some(self.end), last.unwrap_or(self.end)),
        };
        if !ends {
            let memory = g.add(&self.translator.decoder, [talk.memory], Word { id: read.into() });
            let seen = g.add(&self.attend, (memory, &talk.keys[..]), ());
            match manner {
                Manner::Drawn => _ = g.add(&self.venture, [seen], ()),
                _ => _ = g.add(&self.say, [seen], ()),
            }
            talk.memory = Some(memory);
        }
    }
}
