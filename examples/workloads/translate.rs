//! `translate`: an LSTM encoder-decoder with attention, over lines `source ||| translation`, as in
//! the data of ED-Batch's benchmark.
//!
//! Necessary operations, forward: `38 h²` per source word (four gates in two directions, and the
//! key and the value of attention), and per word of the translation, including its end mark,
//! `20 h²` (four gates and a layer), `2 h v` (scores of `v` words) and `4 h` for each source word
//! (attention).

pub mod spoken;

use edb::Element;
use edb::prelude::*;

use crate::workload::{Reading, WORDS, Workload};
use cells::encoder_decoder::Translator;
use readers::lines::LineError;
use readers::parallel::pair;

/// Pairs of sentences as numbers, the second between two end marks.
pub struct Pairs {
    records: Vec<[Vec<u32>; 2]>,
    words: [usize; 2],
    /// The number of the end mark.
    end: u32,
}

impl Pairs {
    /// Reads the instances.
    pub fn read(mut reading: Reading) -> Result<Self, LineError> {
        let pairs = reading.records(pair)?;
        let numbers = |side: usize| {
            let words = pairs.iter().flat_map(|pair| &pair[side]).map(String::as_str);
            reading.numbers('w', WORDS, words)
        };
        let (from, to) = (numbers(0), numbers(1));
        let (end, words) = to.end();
        let record = |[source, target]: &[Vec<String>; 2]| {
            let source = source.iter().map(|word| from.id(word)).collect();
            let target = target.iter().map(|word| to.id(word));
            [source, [end].into_iter().chain(target).chain([end]).collect()]
        };
        let records = pairs.iter().map(record).collect();
        Ok(Self { records, words: [from.size(), words], end })
    }

    /// The necessary operations for so many words of the source and of the translation.
    fn operations(&self, source: usize, predicted: usize, hidden: usize) -> u64 {
        let [h, words, source, predicted] =
            [hidden, self.words[1], source, predicted].map(|size| size as u64);
        source * 38 * h * h + predicted * (20 * h * h + 2 * h * words + 4 * h * source)
    }
}

impl Workload for Pairs {
    type Record = [Vec<u32>; 2];
    type Functions = Translator;
    type Growing = ();

    fn records(&self) -> &[[Vec<u32>; 2]] {
        &self.records
    }

    fn functions(&self, builder: &mut ModelBuilder, hidden: usize) -> Translator {
        Translator::new(builder, self.words, hidden)
    }

    fn graph<T: Element>(
        &self,
        f: &Translator,
        model: &Model<T>,
        record: &[Vec<u32>; 2],
    ) -> (Graph<T>, ()) {
        (f.graph(model, record), ())
    }

    fn flops(&self, [source, target]: &[Vec<u32>; 2], hidden: usize) -> u64 {
        self.operations(source.len(), target.len() - 1, hidden)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{agree, text, wrong};

    #[test]
    fn pairs_are_read() {
        for lines in ["a b ||| x\nb |||\n", "a b ||| <s> x </s>\nb ||| <s> </s>\n"] {
            let pairs = Pairs::read(text(lines)).unwrap();
            assert_eq!(pairs.records, [[vec![0, 1], vec![1, 0, 1]], [vec![1], vec![1, 1]]]);
            let expected = 2 * 3800 + 2 * (2000 + 20 * 2 + 40 * 2);
            assert_eq!(pairs.flops(&pairs.records[0], 10), expected);
        }
        for (line, expected) in [
            ("a b\n", ", line 1: expected `source ||| translation`"),
            (" ||| a\n", ", line 1: there is nothing to translate"),
        ] {
            assert_eq!(wrong(line, Pairs::read), expected);
        }
    }

    #[test]
    fn the_batched_cell_is_the_eager_one() {
        agree(&Pairs::read(text("a b c ||| x y\nb ||| x\n")).unwrap());
    }
}
