//! Lattices of characters and words, in the format of ED-Batch's benchmark, and models that read
//! them: [`zhang_yang`], [`gru`] and [`edbatch`].
//!
//! A file is the number of sentences, and for each of them a line with its length, a line with a tag
//! for every character, and for every character a line of arcs that end there: their number, and the
//! place that each begins behind and its id. An arc from the place just before is a character, any
//! other a word. The first place is where the sentence begins: no arc ends there.

pub mod edbatch;
pub mod gru;
pub mod zhang_yang;

use std::path::Path;
use std::str::FromStr;

use crate::cells::lattice::{Character, Word};
use crate::support::lines::{self, LineError, Lines};

/// Ids are taken modulo this, as ED-Batch does.
const VOCABULARY: u32 = 256;

/// What a lattice model reads.
pub struct Lattices {
    pub records: Vec<Record>,
    /// One more than the greatest tag.
    pub tags: usize,
}

/// A sentence.
#[derive(Debug, PartialEq, Eq)]
pub struct Record {
    /// The tags of the first place and of those behind each character.
    pub tags: Vec<u32>,
    pub characters: Vec<Character>,
}

/// The rows of the tables and the number of tags.
pub fn sizes(lattices: &Lattices) -> [usize; 3] {
    [VOCABULARY as usize, VOCABULARY as usize, lattices.tags]
}

impl Lattices {
    /// The first sentences of a file.
    pub fn read(path: &Path, most: usize) -> Result<Self, LineError> {
        let mut lines = lines::open(path)?;
        let [count]: [usize; 1] = row(&mut lines)?;
        let mut records = Vec::new();
        for _ in 0..count.min(most) {
            records.push(sentence(&mut lines)?);
        }
        let tags = records.iter().flat_map(|record| &record.tags).max();
        let tags = tags.map_or(1, |tag| *tag as usize + 1);
        Ok(Self { records, tags })
    }
}

fn sentence(lines: &mut Lines) -> Result<Record, LineError> {
    let [length]: [usize; 1] = row(lines)?;
    let tags: Vec<u32> = numbers(lines)?;
    if tags.len() != length || length < 2 {
        let reason = format!("expected {} tags, found {}", length.max(2), tags.len());
        return Err(lines.wrong(reason));
    }
    let mut characters = Vec::new();
    for place in 0..length {
        let arcs: Vec<usize> = numbers(lines)?;
        let [count, arcs @ ..] = &arcs[..] else {
            unreachable!("a line that is read is not blank")
        };
        let (pairs, rest) = arcs.as_chunks::<2>();
        if pairs.len() != *count || !rest.is_empty() {
            let reason = format!("expected {count} pairs of numbers, found {} numbers", arcs.len());
            return Err(lines.wrong(reason));
        }
        if let Some([from, _]) = pairs.iter().find(|[from, _]| *from >= place) {
            return Err(lines.wrong(format!("an arc to place {place} begins at place {from}")));
        }
        let id = |id: usize| (id % VOCABULARY as usize) as u32;
        let mut ending = pairs.iter().filter(|[from, _]| from + 1 == place);
        match (place, ending.next(), ending.next()) {
            (0, ..) => {}
            (_, Some([_, character]), None) => {
                let words = pairs.iter().filter(|[from, _]| from + 1 != place);
                let words = words.map(|&[from, word]| Word { from, id: id(word) }).collect();
                characters.push(Character { id: id(*character), words });
            }
            _ => {
                let reason = format!("expected one arc from place {} to {place}", place - 1);
                return Err(lines.wrong(reason));
            }
        }
    }
    Ok(Record { tags: tags.iter().map(|tag| tag % VOCABULARY).collect(), characters })
}

/// The numbers of the next line that is not blank.
fn numbers<N: FromStr>(lines: &mut Lines) -> Result<Vec<N>, LineError> {
    while let Some(line) = lines.next_line()? {
        let number =
            |text: &str| text.parse().map_err(|_| format!("expected a number, found `{text}`"));
        let texts = line.split_ascii_whitespace();
        let numbers: Vec<N> =
            texts.map(number).collect::<Result<_, _>>().map_err(|reason| lines.wrong(reason))?;
        if !numbers.is_empty() {
            return Ok(numbers);
        }
    }
    Err(lines.wrong("expected numbers, found the end of the file"))
}

/// The next line, of so many numbers.
fn row<const N: usize>(lines: &mut Lines) -> Result<[usize; N], LineError> {
    let found: Vec<usize> = numbers(lines)?;
    let count = found.len();
    found.try_into().map_err(|_| lines.wrong(format!("expected {N} numbers, found {count}")))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::tests::{file, wrong};

    /// Two words end at place 3 of the first sentence, one at place 2 of the second.
    pub(crate) const TEXT: &str = "3\n4\n0 1 2 2\n0 \n1 0 5\n1 1 260\n3 2 7 0 9 1 300\n\n\
        3\n1 0 1\n0\n1 0 2\n2 1 3 0 4\n\n2\n0 1\n0\n1 0 1\n";

    #[test]
    fn lattices_are_read() {
        let (_folder, path) = file(TEXT);
        let lattices = Lattices::read(&path, 9).unwrap();
        assert_eq!((lattices.records.len(), lattices.tags), (3, 3));
        assert_eq!(Lattices::read(&path, 2).unwrap().records.len(), 2);
        let first = &lattices.records[0];
        assert_eq!(first.tags, [0, 1, 2, 2]);
        let ids: Vec<u32> = first.characters.iter().map(|character| character.id).collect();
        assert_eq!(ids, [5, 4, 7]);
        let words = [Word { from: 0, id: 9 }, Word { from: 1, id: 44 }];
        assert_eq!(first.characters[2].words, words);
        assert!(first.characters[..2].iter().all(|character| character.words.is_empty()));
    }

    #[test]
    fn what_is_wrong_with_a_lattice_is_said() {
        for (text, expected) in [
            ("", ", line 1: expected numbers, found the end of the file"),
            ("1 2\n", ", line 1: expected 1 numbers, found 2"),
            ("1\n2\n0 1\n0\n", ", line 5: expected numbers, found the end of the file"),
            ("1\n2\n0\n", ", line 3: expected 2 tags, found 1"),
            ("1\n1\n0\n0\n", ", line 3: expected 2 tags, found 1"),
            ("1\n2\n0 x\n", ", line 3: expected a number, found `x`"),
            ("1\n2\n0 -1\n", ", line 3: expected a number, found `-1`"),
            ("1\n2\n0 1\n0\n2 0 1\n", ", line 5: expected 2 pairs of numbers, found 2 numbers"),
            ("1\n2\n0 1\n0\n1 0 1 7\n", ", line 5: expected 1 pairs of numbers, found 3 numbers"),
            ("1\n2\n0 1\n1 0 1\n", ", line 4: an arc to place 0 begins at place 0"),
            ("1\n2\n0 1\n0\n0\n", ", line 5: expected one arc from place 0 to 1"),
            ("1\n2\n0 1\n0\n2 0 1 0 2\n", ", line 5: expected one arc from place 0 to 1"),
        ] {
            assert_eq!(wrong(text, |path| Lattices::read(path, 9)), expected);
        }
    }
}
