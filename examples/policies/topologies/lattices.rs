//! Lattices of characters and of the words that may end at each of them.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::example::Example;
use super::rows::{Rows, length};
use readers::lattice::Lattices;
use readers::lines::Lines;
use support::Result;

/// The characters of a sentence: for each, the words that end at it, by the number of characters
/// before their first.
///
/// From a corpus, it is a lattice of ED-Batch's benchmark. Otherwise, it is as long as one of these,
/// and words of two to four characters end as often as in these, where it matters whether others end
/// at the two characters before, and which sentence it is.
pub struct Lattice(Vec<Vec<usize>>);

impl Example for Lattice {
    fn draw(rng: &mut ChaCha8Rng) -> Self {
        // These lengths count the start of a sentence, too.
        const PLACES: [usize; 21] =
            [3, 11, 14, 18, 20, 23, 26, 29, 32, 35, 39, 42, 46, 49, 53, 59, 65, 73, 83, 98, 211];
        let mut characters: Vec<Vec<usize>> = Vec::new();
        let places = length(PLACES, rng);
        // Sentences with many words have many all along.
        let density = rng.random_range(0.75..1.25);
        let mut ended = [false; 2];
        for place in 1..places {
            let share = match ended {
                [false, false] => 0.625,
                [false, true] => 0.34,
                [true, _] => 0.515,
            };
            let spans: &[usize] = match (ended[1], rng.random_range(0.0..1.0)) {
                _ if !rng.random_bool(density * share) => &[],
                (true, 0.976..) => &[2, 3, 4],
                (false, 0.98..) | (true, 0.96..) => &[2, 4],
                (false, 0.97..) | (true, 0.76..) => &[2, 3],
                (true, 0.7..) => &[3],
                _ => &[2],
            };
            let spans = spans.iter().filter(|span| **span <= place);
            let words: Vec<usize> = spans.map(|span| place - span).collect();
            ended = [ended[1], !words.is_empty()];
            characters.push(words);
        }
        Self(characters)
    }

    fn read(lines: Lines) -> Result<Vec<Self>> {
        let lattices = Lattices::read(lines, usize::MAX, None)?;
        let lattice = |record: &readers::lattice::Record| {
            let words = record.characters.iter();
            Self(words.map(|at| at.words.iter().map(|word| word.from).collect()).collect())
        };
        Ok(lattices.records.iter().map(lattice).collect())
    }
}

/// The LatticeLSTM that ED-Batch measures (table 1, figure 8; a LatticeGRU has the same graph): a
/// character (0) reads the state before it, a word (1) the state before its first character. Where
/// words end, their sum with the character is a vertex of its own, of a type for two arcs (2), for
/// three (3) and for more (4). There is a tag (5) at the start and of each state.
pub fn lattice(rows: &mut Rows, Lattice(characters): &Lattice, _: &mut ChaCha8Rng) {
    let mut states = vec![None];
    rows.add(5, &[]);
    for words in characters {
        let mut arcs = vec![rows.add(0, states[states.len() - 1].as_slice())];
        arcs.extend(words.iter().map(|&from| rows.add(1, states[from].as_slice())));
        let state = match arcs[..] {
            [character] => character,
            _ => rows.add(arcs.len().min(4) as u16, &arcs),
        };
        rows.add(5, &[state]);
        states.push(Some(state));
    }
}

/// The same with the sum inside of what reads it, as functions of edb sum any number of children:
/// characters (0), words (1) and tags (2) each read all arcs that end before them.
pub fn lattice_fused(rows: &mut Rows, Lattice(characters): &Lattice, _: &mut ChaCha8Rng) {
    let mut states: Vec<Vec<u32>> = vec![Vec::new()];
    rows.add(2, &[]);
    for words in characters {
        let mut arcs = vec![rows.add(0, &states[states.len() - 1])];
        arcs.extend(words.iter().map(|&from| rows.add(1, &states[from])));
        rows.add(2, &arcs);
        states.push(arcs);
    }
}
