//! `translate-grow`: the encoder-decoder of [`translate`](super), which says one word after the
//! other, as in the example `translate --grow`. In training it reads the words of the record, so the
//! record says how long translations are; in inference it reads its own, until it says the end mark
//! or is cut off.
//!
//! Necessary operations: those of `translate`, where the words of the translation are those that
//! were said.

use edb::Element;
use edb::engine::GrowingGraph;
use edb::prelude::*;

use super::Pairs;
use crate::measure::Mode;
use crate::workload::Workload;
use cells::speaker::{Manner, Speaker, Talk};

/// Pairs of sentences, of which the second is said.
pub struct Spoken(pub Pairs);

impl Workload for Spoken {
    type Record = [Vec<u32>; 2];
    type Functions = Speaker;
    type Growing = Talk;

    const GROWS: bool = true;

    fn records(&self) -> &[[Vec<u32>; 2]] {
        &self.0.records
    }

    fn functions(&self, builder: &mut ModelBuilder, hidden: usize) -> Speaker {
        Speaker::new(builder, self.0.words, hidden, self.0.end)
    }

    fn graph<T: Element>(
        &self,
        f: &Speaker,
        model: &Model<T>,
        [source, _]: &[Vec<u32>; 2],
    ) -> (Graph<T>, Talk) {
        f.begin(model, source)
    }

    fn turn<T: Element>(
        &self,
        f: &Speaker,
        g: &mut GrowingGraph<'_, T>,
        talk: &mut Talk,
        [_, target]: &[Vec<u32>; 2],
        mode: Mode,
    ) {
        let manner = match mode {
            Mode::Train => Manner::Taught(target, 0.0),
            Mode::Infer => Manner::Free,
        };
        f.turn(g, talk, manner);
    }

    fn flops(&self, record: &[Vec<u32>; 2], hidden: usize) -> u64 {
        self.0.flops(record, hidden)
    }

    fn grown_flops(&self, [source, _]: &[Vec<u32>; 2], talk: &Talk, hidden: usize) -> u64 {
        self.0.operations(source.len(), talk.words.len(), hidden)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{agree, grown, text, wrong};

    fn pairs() -> Spoken {
        Spoken(Pairs::read(text("a b c ||| x y\nb ||| x\n")).unwrap())
    }

    #[test]
    fn what_is_said_is_counted() {
        let pairs = pairs();
        let word = 2000 + 20 * 3;
        // Untrained, it never ends the first, and the other at once.
        for (mode, said) in [(Mode::Train, [3, 2]), (Mode::Infer, [17, 1])] {
            let talks = grown(&pairs, mode);
            assert_eq!([&talks[0], &talks[1]].map(|talk| talk.words.len()), said);
            let expected = 3 * 3800 + said[0] as u64 * (word + 3 * 40);
            assert_eq!(pairs.grown_flops(&pairs.records()[0], &talks[0], 10), expected);
        }
        let record = &pairs.records()[0];
        assert_eq!(pairs.flops(record, 10), 3 * 3800 + 3 * (word + 3 * 40));
    }

    #[test]
    fn errors_name_the_line() {
        let error = wrong("a ||| b\na b\n", |text| Ok(Spoken(Pairs::read(text)?)));
        assert_eq!(error, ", line 2: expected `source ||| translation`");
    }

    #[test]
    fn the_batched_cells_are_the_eager_ones() {
        agree(&pairs());
    }
}
