//! `ponder`: the tagger of the example `ponder`, which thinks about each word as long as the word
//! needs, over the sentences of [`tagger`](super). How long that is, the weights say, which nothing
//! trains: about nine steps in the mean, and for each word another number.
//!
//! Necessary operations, forward: per word, in two directions, `2 h²` (its vector) and `2 h` (how
//! easy it is), and per step of thought `2 h²` (the state) and `2 h` (whether that suffices); and per
//! word `4 h k` (`k` tags from both states).

use edb::Element;
use edb::engine::EngineError;
use edb::prelude::*;

use super::Tagged;
use crate::workload::Workload;
use cells::ponder::Ponderer;
use readers::corpus::Record;

/// Sentences, about whose words is thought.
pub struct Pondered(pub Tagged);

impl Workload for Pondered {
    type Record = Vec<Record>;
    type Functions = Ponderer;
    type Growing = ();

    const DECIDES: bool = true;

    fn records(&self) -> &[Self::Record] {
        &self.0.records
    }

    fn functions(&self, builder: &mut ModelBuilder, hidden: usize) -> Ponderer {
        Ponderer::new(builder, self.0.words, self.0.tags, hidden)
    }

    fn graph<T: Element>(
        &self,
        f: &Ponderer,
        model: &Model<T>,
        record: &Self::Record,
    ) -> (Graph<T>, ()) {
        (f.graph(model, record).graph, ())
    }

    fn flops(&self, record: &Self::Record, hidden: usize) -> u64 {
        let [h, words, tags] = [hidden, record.len(), self.0.tags].map(|size| size as u64);
        words * (2 * (2 * h * h + 2 * h) + 4 * h * tags)
    }

    fn decided_flops(
        &self,
        run: &Run<'_>,
        place: usize,
        record: &Self::Record,
        hidden: usize,
    ) -> Result<u64, EngineError> {
        let h = hidden as u64;
        // A graph begins with its words in both directions. A word is begun and ended, too.
        let steps = (0..2 * record.len()).map(|word| Ok(run.sections_at(place, word)? as u64 - 2));
        Ok(steps.sum::<Result<u64, EngineError>>()? * (2 * h * h + 2 * h))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::tests::{agree, decided, text};

    fn sentences() -> Pondered {
        Pondered(Tagged::read(text("w1|T0 w15|T16 w3|T3\nw1|T3\nw7|T2 w1|T0\n"), false).unwrap())
    }

    #[test]
    fn words_decide_how_long_they_take() {
        let lines: String = (0..9).map(|word| format!("w{word}|T3\n")).collect();
        let words = Pondered(Tagged::read(text(&lines), false).unwrap());
        assert_eq!(words.flops(&words.records()[0], 10), 440 + 680);
        let found: BTreeSet<u64> = decided(&words, 10).into_iter().collect();
        assert!(found.iter().all(|flops| flops % 220 == 0 && *flops >= 2 * 220), "{found:?}");
        assert!(found.len() >= 4, "{found:?}");
    }

    #[test]
    fn the_batched_cells_are_the_eager_ones() {
        agree(&sentences());
    }
}
