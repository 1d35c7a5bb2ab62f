//! Sentences in two languages: a file `NAME.LANGUAGE` per language, with one sentence per line.

use std::iter::{once, repeat_n};

use edb::model::Notes;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::lines::{LineError, items, unmarked};
use crate::source::Source;
use support::splits::Splits;
use support::vocabulary::Vocabulary;

/// A sentence in both languages.
pub type Pair = [Vec<String>; 2];

/// The mark before the first word of a translation and after its last.
pub const END: &str = "</s>";

/// Reads the splits of these names in the folder; without a folder, pairs are generated.
pub fn read(
    source: &Source,
    [from, to]: [&str; 2],
    names: [&str; 3],
) -> Result<Splits<Pair>, LineError> {
    let Some(folder) = &source.data else { return Ok(generated()) };
    Splits::read(names, |name| {
        let open = |language| source.open(folder, &format!("{name}.{language}"));
        let (mut from, mut to) = (open(from)?, open(to)?);
        let mut pairs = Vec::new();
        // Read line by line: an empty or malformed line is skipped together with its translation.
        loop {
            let pair = match (from.next_line()?, to.next_line()?) {
                (Some(a), Some(b)) => a.and_then(|a| Ok([words(&a), words(&b?)])),
                (None, None) => return Ok(pairs),
                (None, _) => return Err(from.wrong("the file ends before its translation")),
                (_, None) => return Err(to.wrong("the file ends before what it translates")),
            };
            let pair = from.take(pair)?;
            pairs.extend(pair.filter(|pair| pair.iter().all(|sentence| !sentence.is_empty())));
        }
    })
}

/// The words of a line.
pub fn words(line: &str) -> Vec<String> {
    items(line).map(str::to_owned).collect()
}

/// The pair in a line `source ||| translation`. The source has at least one word, which may be an end
/// mark; the translation is without its end marks.
pub fn pair(line: &str) -> Result<Pair, String> {
    let Some((source, target)) = line.split_once("|||") else {
        return Err("expected `source ||| translation`".to_owned());
    };
    match words(source) {
        source if source.is_empty() => Err("there is nothing to translate".to_owned()),
        source => Ok([source, unmarked(target)]),
    }
}

/// Sequences of letters, and their reverses as translations.
fn generated() -> Splits<Pair> {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    Splits::draw([2000, 100, 100], || {
        let mut letters = Vec::new();
        for _ in 0..rng.random_range(1..7) {
            letters.push(rng.random_range('a'..='f').to_string());
        }
        let reversed = letters.iter().rev().cloned().collect();
        [letters, reversed]
    })
}

/// The numbers of words in each language.
pub struct Numbers([Vocabulary; 2]);

impl Numbers {
    /// The numbers for the training split; words that occur less than `min_count` times are mapped
    /// to one unknown word.
    pub fn new(pairs: &[Pair], min_count: usize) -> Self {
        let side = |side: usize| {
            let words = pairs.iter().flat_map(|pair| &pair[side]).map(String::as_str);
            Vocabulary::new(words.chain(repeat_n(END, min_count)), min_count)
        };
        Self([side(0), side(1)])
    }

    /// The number of words in each language.
    pub fn sizes(&self) -> [usize; 2] {
        self.0.each_ref().map(Vocabulary::size)
    }

    /// What is saved with a model: the words of each language, each at the place of its number, and
    /// the mark at both ends of a translation.
    pub fn notes(&self) -> Notes {
        let Self([from, to]) = self;
        let notes = Notes::new().with("source_vocabulary", &from.words());
        notes.with("target_vocabulary", &to.words()).with("end", &END)
    }

    /// The number of the end mark.
    pub fn end(&self) -> u32 {
        self.0[1].id(END)
    }

    /// A pair as numbers, the translation between two end marks.
    pub fn encode(&self, [source, target]: &Pair) -> [Vec<u32>; 2] {
        let Self([from, to]) = self;
        let end = self.end();
        let ids = target.iter().map(|word| to.id(word));
        let target = once(end).chain(ids).chain([end]).collect();
        [source.iter().map(|word| from.id(word)).collect(), target]
    }
}

#[cfg(test)]
mod tests;
