//! A workload: records, a model, the graph of a record, and its number of necessary operations.

use std::collections::HashMap;
use std::fmt::Display;
use std::num::NonZeroU32;

use edb::Element;
use edb::engine::{EngineError, GrowingGraph, Growth, Round};
use edb::prelude::*;
use edb::schedule::{Competition, SearchOptions};

use crate::measure::Mode;
use readers::lines::{LineError, Lines};

/// How many vertices the search for the best schedule of a minibatch that has grown simulates.
const SEARCHED: u64 = 2_000_000;

/// The number of words in the embedding tables of the peers' benchmarks.
pub const WORDS: usize = 20_000;

/// Records, and a model that runs over them.
pub trait Workload: Sync {
    /// One instance, as read from a file.
    type Record: Sync;
    /// The vertex functions of the model.
    type Functions: Sync;
    /// What is known of a graph while it grows; nothing where all of a graph is known before it runs.
    type Growing: Send;

    /// Whether graphs grow from what they compute.
    const GROWS: bool = false;

    /// Whether vertices decide how they go on, so that what they compute is known when they have run.
    const DECIDES: bool = false;

    /// The instances, in file order.
    fn records(&self) -> &[Self::Record];

    /// Adds the vertex functions to a model of this size.
    fn functions(&self, builder: &mut ModelBuilder, hidden: usize) -> Self::Functions;

    /// One instance as a graph; if it grows, before anything of it has run.
    fn graph<T: Element>(
        &self,
        functions: &Self::Functions,
        model: &Model<T>,
        record: &Self::Record,
    ) -> (Graph<T>, Self::Growing);

    /// Adds to a graph that grows what it gets in a round; if it gets nothing, it has ended.
    fn turn<T: Element>(
        &self,
        _functions: &Self::Functions,
        _g: &mut GrowingGraph<'_, T>,
        _growing: &mut Self::Growing,
        _record: &Self::Record,
        _mode: Mode,
    ) {
    }

    /// The floating-point operations of those matrix products of one instance that a forward pass
    /// requires, where a multiplication and an addition count as two. Training requires three times
    /// as many: the gradients of both factors of a product are products of the same size.
    fn flops(&self, record: &Self::Record, hidden: usize) -> u64;

    /// Those of them whose left side is input: it has no gradient, so that training requires only
    /// twice as many.
    fn flops_with_data(&self, _record: &Self::Record, _hidden: usize) -> u64 {
        0
    }

    /// The same for a graph that has grown in inference, if they do not follow from the record.
    fn grown_flops(&self, record: &Self::Record, _grown: &Self::Growing, hidden: usize) -> u64 {
        self.flops(record, hidden)
    }

    /// The further operations that follow from what vertices have decided, for the instance at this
    /// place of a run.
    fn decided_flops(
        &self,
        _run: &Run<'_>,
        _place: usize,
        _record: &Self::Record,
        _hidden: usize,
    ) -> Result<u64, EngineError> {
        Ok(0)
    }

    /// The learning rate of plain SGD: that of the peers' benchmarks, unless a workload diverges.
    /// Where vertices decide, nothing is learned, so that their work does not drift from pass to pass.
    fn learning_rate(&self) -> f64 {
        if Self::DECIDES { 0.0 } else { 0.05 }
    }
}

/// A workload in a model: what a minibatch needs to run.
pub struct Loaded<'a, W: Workload> {
    pub workload: &'a W,
    pub functions: W::Functions,
    pub mode: Mode,
}

impl<W: Workload> Loaded<'_, W> {
    /// Instances as graphs, and what is known of them while they grow.
    pub fn graphs<T: Element>(
        &self,
        model: &Model<T>,
        records: &[W::Record],
    ) -> (Vec<Graph<T>>, Vec<W::Growing>) {
        records.iter().map(|record| self.workload.graph(&self.functions, model, record)).unzip()
    }

    /// Adds to the graphs of these instances what they get in a round.
    pub fn turns<T: Element>(
        &self,
        round: Round<'_, T>,
        growing: &mut [W::Growing],
        records: &[W::Record],
    ) {
        for mut g in round {
            let place = g.place();
            let (growing, record) = (&mut growing[place], &records[place]);
            self.workload.turn(&self.functions, &mut g, growing, record, self.mode);
        }
    }

    /// Lets the graphs of these instances grow until they have ended, without learning.
    pub fn grow<T: Element>(
        &self,
        growth: &mut Growth<'_, T>,
        growing: &mut [W::Growing],
        records: &[W::Record],
    ) -> Result<(), EngineError> {
        while let Some(round) = growth.round()? {
            self.turns(round, growing, records);
        }
        Ok(())
    }

    /// Instances as a minibatch, after they have grown, if they grow.
    pub fn minibatch<T: Element>(
        &self,
        engine: &mut Engine<T>,
        model: &Model<T>,
        records: &[W::Record],
    ) -> Result<Grown<T, W::Growing>, EngineError> {
        let (mut graphs, mut growing) = self.graphs(model, records);
        let mut competition = None;
        if W::GROWS {
            let mut growth = engine.grow(model, graphs)?;
            self.grow(&mut growth, &mut growing, records)?;
            growth.finish()?;
            let options = SearchOptions { budget: SEARCHED, ..SearchOptions::default() };
            competition = growth.competition(&options)?;
            graphs = growth.into_graphs();
        }
        Ok(Grown { minibatch: model.minibatch(&graphs)?, growing, competition })
    }
}

/// A minibatch of instances.
pub struct Grown<T, G> {
    pub minibatch: Minibatch<T>,
    /// What is known of each, if they have grown.
    pub growing: Vec<G>,
    /// How the batches by which they grew compare with those of a schedule that knows the future.
    pub competition: Option<Competition>,
}

/// The source of instances.
pub struct Reading {
    pub lines: Lines,
    /// The maximum number of instances.
    pub most: usize,
    /// Ids are taken modulo this, if it is given.
    pub modulo: Option<NonZeroU32>,
}

impl Reading {
    /// The instances of a file with one instance per line.
    pub fn records<R, E: Display>(
        &mut self,
        parse: impl Fn(&str) -> Result<R, E>,
    ) -> Result<Vec<R>, LineError> {
        self.lines.records(self.most, parse)
    }

    /// Numbers for these words: their own if each is `letter` and a number below `size`.
    pub fn numbers<'a>(
        &self,
        letter: char,
        size: usize,
        words: impl Iterator<Item = &'a str> + Clone,
    ) -> Numbers {
        Numbers { ids: Ids::new(letter, size, words), modulo: self.modulo }
    }
}

/// Numbers for the words of a file: the rows of a table.
#[derive(Debug, PartialEq, Eq)]
pub struct Numbers {
    ids: Ids,
    modulo: Option<NonZeroU32>,
}

impl Numbers {
    /// The number of one of the words.
    pub fn id(&self, word: &str) -> u32 {
        let id = self.ids.id(word).unwrap_or(0);
        self.modulo.map_or(id, |modulo| id % modulo)
    }

    /// The number of rows of a table for the words.
    pub fn size(&self) -> usize {
        self.rows(self.ids.size())
    }

    /// A number that is no word's, such as for an end mark, and the number of table rows including
    /// it.
    pub fn end(&self) -> (u32, usize) {
        let end = self.ids.size() as u32;
        (self.modulo.map_or(end, |modulo| end % modulo), self.rows(self.ids.size() + 1))
    }

    fn rows(&self, ids: usize) -> usize {
        self.modulo.map_or(ids, |modulo| ids.min(modulo.get() as usize))
    }
}

/// Numbers before the modulo is applied.
#[derive(Debug, PartialEq, Eq)]
enum Ids {
    /// Each word is a letter and its number, as in generated files.
    Own { letter: char, size: usize },
    /// Numbered by first appearance.
    Found(HashMap<String, u32>),
}

impl Ids {
    fn new<'a>(letter: char, size: usize, words: impl Iterator<Item = &'a str> + Clone) -> Self {
        let own_data = Self::Own { letter, size };
        if words.clone().all(|word| own_data.id(word).is_some()) {
            return own_data;
        }
        let mut found = HashMap::new();
        for word in words {
            let next = found.len() as u32;
            // The `entry` API would copy every word.
            if !found.contains_key(word) {
                found.insert(word.to_owned(), next);
            }
        }
        Self::Found(found)
    }

    /// The number of a word, if it has one.
    fn id(&self, word: &str) -> Option<u32> {
        match self {
            Self::Own { letter, size } => {
                let digits = word.strip_prefix(*letter)?;
                let plain = digits.bytes().all(|digit| digit.is_ascii_digit());
                let id: u32 = digits.parse().ok().filter(|_| plain)?;
                ((id as usize) < *size).then_some(id)
            }
            Self::Found(ids) => ids.get(word).copied(),
        }
    }

    fn size(&self) -> usize {
        match self {
            Self::Own { size, .. } => *size,
            // A table has at least one row.
            Self::Found(ids) => ids.len().max(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_words_keep_their_numbers() {
        let words = ["w3", "w19999", "w3"];
        let numbers = Ids::new('w', WORDS, words.into_iter());
        assert_eq!(numbers.size(), WORDS);
        assert_eq!(words.map(|word| numbers.id(word)), [Some(3), Some(19_999), Some(3)]);
        assert_eq!(["w20000", "x3", "w", "w+3", "w-1"].map(|word| numbers.id(word)), [None; 5]);
    }

    #[test]
    fn other_words_are_numbered_as_they_come() {
        for last in ["w20000", "wide", "w+3"] {
            let numbers = Ids::new('w', WORDS, ["w3", last, "w3"].into_iter());
            assert_eq!(numbers.size(), 2);
            assert_eq!([numbers.id("w3"), numbers.id(last)], [Some(0), Some(1)]);
            assert_eq!(numbers.id("w4"), None);
        }
        assert_eq!(Ids::Found(HashMap::new()).size(), 1);
    }

    #[test]
    fn numbers_may_be_taken_modulo() {
        let reading = Reading { modulo: NonZeroU32::new(2), ..crate::tests::text("") };
        let numbers = reading.numbers('w', WORDS, ["w3", "w4"].into_iter());
        assert_eq!((numbers.size(), numbers.id("w3"), numbers.id("w4")), (2, 1, 0));
        let numbers = reading.numbers('w', WORDS, ["a", "b", "c"].into_iter());
        assert_eq!((numbers.size(), ["a", "b", "c"].map(|word| numbers.id(word))), (2, [0, 1, 0]));
        assert_eq!(numbers.end(), (1, 2));
        let numbers = reading.numbers('w', WORDS, ["a"].into_iter());
        assert_eq!((numbers.size(), numbers.end()), (1, (1, 2)));
    }
}
