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
/// and words of two to four characters end as often as in these, where it matters whether another
/// one ends at the character before, and which sentence it is.
pub struct Lattice(Vec<Vec<usize>>);

impl Example for Lattice {
    fn draw(rng: &mut ChaCha8Rng) -> Self {
        // These lengths count the start of a sentence, too.
        const PLACES: [usize; 21] =
            [3, 11, 14, 18, 20, 23, 26, 29, 32, 35, 39, 42, 46, 49, 53, 59, 65, 73, 83, 98, 211];
        let mut characters: Vec<Vec<usize>> = Vec::new();
        let places = length(PLACES, rng);
        let density = rng.random_range(0.65..1.35);
        for place in 1..places {
            let ended = characters.last().is_some_and(|words| !words.is_empty());
            let shares = if ended { [0.385, 0.11, 0.015] } else { [0.56, 0.01, 0.005] };
            let spans = (2..=4).zip(shares).filter(|&(span, _)| span <= place);
            let words = spans.filter(|&(_, share)| rng.random_bool(density * share));
            characters.push(words.map(|(span, _)| place - span).collect());
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
