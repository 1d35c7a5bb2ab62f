//! Chains over sentences: taggers and translation.

use std::collections::HashMap;

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::example::Example;
use super::rows::{Rows, length};
use readers::corpus::tagged;
use readers::lines::Lines;
use readers::parallel::pair;
use support::Result;

/// Words that occur at most this often are read by their characters, as in DyNet's benchmark.
const RARE: usize = 5;

/// The words of a sentence; for a rare one, the number of its characters between two marks, which
/// the model with characters reads.
///
/// From a corpus, it is a sentence in the format of WikiNER. Otherwise, it is as long as one of
/// WikiNER's development set, where 32 % of the words are rare, with as many characters as these
/// have.
pub struct Sentence(Vec<Option<usize>>);

impl Example for Sentence {
    fn draw(rng: &mut ChaCha8Rng) -> Self {
        const WORDS: [usize; 21] =
            [1, 8, 10, 11, 13, 14, 15, 17, 18, 19, 20, 22, 23, 25, 26, 29, 31, 35, 40, 48, 144];
        const CHARACTERS: [usize; 21] =
            [1, 2, 4, 4, 4, 5, 5, 5, 6, 6, 7, 7, 7, 7, 8, 8, 9, 9, 10, 12, 26];
        let words = 0..length(WORDS, rng);
        let word = |_| rng.random_bool(0.32).then(|| 2 + length(CHARACTERS, rng));
        Self(words.map(word).collect())
    }

    fn read(mut lines: Lines) -> Result<Vec<Self>> {
        let sentences = lines.records(usize::MAX, tagged)?;
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for (word, _) in sentences.iter().flatten() {
            *counts.entry(word).or_default() += 1;
        }
        let word = |(word, _): &(String, String)| {
            (counts[&word[..]] <= RARE).then(|| 2 + word.chars().count())
        };
        Ok(sentences.iter().map(|sentence| Self(sentence.iter().map(word).collect())).collect())
    }
}

/// A chain over these vertices: its vertices, in the order of what they read.
fn chain<'a>(rows: &mut Rows, vertex_type: u16, read: impl Iterator<Item = &'a u32>) -> Vec<u32> {
    let mut before = None;
    let next = |&vertex: &u32| {
        let children: Vec<u32> = [vertex].into_iter().chain(before).collect();
        before = Some(rows.add(vertex_type, &children));
        before
    };
    read.filter_map(next).collect()
}

/// Chains in both directions, of these types: the states of both at each vertex.
fn both_ways(rows: &mut Rows, types: [u16; 2], read: &[u32]) -> Vec<[u32; 2]> {
    let forward = chain(rows, types[0], read.iter());
    let mut backward = chain(rows, types[1], read.iter().rev());
    backward.reverse();
    forward.into_iter().zip(backward).map(<[u32; 2]>::from).collect()
}

/// The BiLSTM tagger of ED-Batch (table 1: WikiNER): words (0), a chain over them in each direction
/// (1, 2), and the tag of each (3).
pub fn bilstm(rows: &mut Rows, Sentence(words): &Sentence, _: &mut ChaCha8Rng) {
    let words: Vec<u32> = words.iter().map(|_| rows.add(0, &[])).collect();
    for states in both_ways(rows, [1, 2], &words) {
        rows.add(3, &states);
    }
}

/// The BiLSTM tagger of ED-Batch with characters (table 4): the vector of a rare word (3) is that of
/// chains over its characters (0) in both directions (1, 2), and any other is from a table (4). Over
/// the words there are a chain in each direction (5, 6) and the tag of each (7), as in [`bilstm`].
pub fn bilstm_char(rows: &mut Rows, Sentence(words): &Sentence, _: &mut ChaCha8Rng) {
    let word = |characters: &Option<usize>| {
        let Some(characters) = *characters else { return rows.add(4, &[]) };
        let characters: Vec<u32> = (0..characters).map(|_| rows.add(0, &[])).collect();
        let forward = chain(rows, 1, characters.iter());
        let backward = chain(rows, 2, characters.iter().rev());
        let ends: Vec<u32> = [forward, backward].iter().filter_map(|c| c.last().copied()).collect();
        rows.add(3, &ends)
    };
    let words: Vec<u32> = words.iter().map(word).collect();
    for states in both_ways(rows, [5, 6], &words) {
        rows.add(7, &states);
    }
}

/// The numbers of words of a sentence, with its marks, and of its translation, without them.
///
/// From a corpus, it is a line `source ||| translation`. Otherwise, the source is as long as an
/// English sentence of IWSLT 2015 (`tst2012`) between two marks, and the translation into Vietnamese
/// 0.9 to 1.6 times as long, as nine tenths of them are.
pub struct Pair([usize; 2]);

impl Example for Pair {
    fn draw(rng: &mut ChaCha8Rng) -> Self {
        const WORDS: [usize; 21] =
            [2, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 21, 23, 26, 29, 32, 39, 93];
        let source = length(WORDS, rng);
        let translation = source as f64 * rng.random_range(0.9..1.6);
        Self([source + 2, translation.round() as usize])
    }

    fn read(mut lines: Lines) -> Result<Vec<Self>> {
        let pairs = lines.records(usize::MAX, pair)?;
        Ok(pairs.iter().map(|pair| Self(pair.each_ref().map(Vec::len))).collect())
    }
}

/// The translation of ED-Batch (LSTM-NMT; table 1: IWSLT 2015): a chain over the words of the source
/// and its marks (0); from its end, a chain over those of the translation behind a mark (1), with
/// the word that comes next at each (2).
pub fn nmt(rows: &mut Rows, Pair([source, translation]): &Pair, _: &mut ChaCha8Rng) {
    let mut state: Option<u32> = None;
    for _ in 0..*source {
        state = Some(rows.add(0, state.as_slice()));
    }
    for _ in 0..=*translation {
        let decoder = rows.add(1, state.as_slice());
        rows.add(2, &[decoder]);
        state = Some(decoder);
    }
}
