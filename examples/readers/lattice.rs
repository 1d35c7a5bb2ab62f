//! Lattices: the characters of a sentence, and the words that a lexicon finds in it, as the lattice
//! cells read them; and those of ED-Batch's benchmark, in the format of its files.
//!
//! Such a file has the number of sentences, and for each of them a line with its length, a line with a
//! tag for every position, and for every position a line of the arcs that end there: the number of
//! arcs, and for each the position at which it starts and its id. An arc from the previous position
//! is a character, any other a word. The first position is the start of the sentence, where no arc
//! ends.

use std::num::NonZeroU32;
use std::str::FromStr;

use crate::lines::{LineError, Lines};

/// The characters of a sentence, in the order in which they are read.
pub type Lattice = Vec<Character>;

/// A character, and the words that end at it.
#[derive(Debug, PartialEq, Eq)]
pub struct Character {
    pub id: u32,
    pub words: Vec<Word>,
}

/// A word.
#[derive(Debug, PartialEq, Eq)]
pub struct Word {
    /// The position before its first character: the number of characters before it.
    pub from: usize,
    pub id: u32,
}

/// Ids and tags must be less than this, so that a malformed file does not cause huge tables.
const LARGEST: u32 = 1 << 20;

/// The lattices of a file.
pub struct Lattices {
    pub records: Vec<Record>,
    /// The numbers of character ids, of word ids and of tags: one more than the maximum of each.
    pub sizes: [usize; 3],
}

/// A sentence.
#[derive(Debug, PartialEq, Eq)]
pub struct Record {
    /// The tags of the first position and of the position after each character.
    pub tags: Vec<u32>,
    pub characters: Vec<Character>,
}

impl Lattices {
    /// Reads the first lattices of a file, at most `most`; ids and tags are taken modulo `modulo`,
    /// if it is given.
    pub fn read(
        mut lines: Lines,
        most: usize,
        modulo: Option<NonZeroU32>,
    ) -> Result<Self, LineError> {
        let [count]: [usize; 1] = row(&mut lines)?;
        let mut records = Vec::new();
        for _ in 0..count.min(most) {
            records.push(sentence(&mut lines, modulo)?);
        }
        let characters = || records.iter().flat_map(|record| &record.characters);
        let size = |greatest: Option<u32>| greatest.map_or(1, |id| id as usize + 1);
        let sizes = [
            size(characters().map(|character| character.id).max()),
            size(characters().flat_map(|character| &character.words).map(|word| word.id).max()),
            size(records.iter().flat_map(|record| &record.tags).copied().max()),
        ];
        Ok(Self { records, sizes })
    }
}

fn sentence(lines: &mut Lines, modulo: Option<NonZeroU32>) -> Result<Record, LineError> {
    let id = |lines: &Lines, id: usize| match (u32::try_from(id), modulo) {
        (Ok(id), Some(modulo)) => Ok(id % modulo),
        (Ok(id), None) if id < LARGEST => Ok(id),
        _ => Err(lines.wrong(format!("{id} is no id below {LARGEST}, and none is taken modulo"))),
    };
    let [length]: [usize; 1] = row(lines)?;
    let tags: Vec<usize> = numbers(lines)?;
    if tags.len() != length || length < 2 {
        let reason = format!("expected {} tags, found {}", length.max(2), tags.len());
        return Err(lines.wrong(reason));
    }
    let tags = tags.into_iter().map(|tag| id(lines, tag)).collect::<Result<_, _>>()?;
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
        let mut ending = pairs.iter().filter(|[from, _]| from + 1 == place);
        match (place, ending.next(), ending.next()) {
            (0, ..) => {}
            (_, Some([_, character]), None) => {
                let words = pairs.iter().filter(|[from, _]| from + 1 != place);
                let word = |&[from, word]: &[usize; 2]| Ok(Word { from, id: id(lines, word)? });
                let words = words.map(word).collect::<Result<_, LineError>>()?;
                characters.push(Character { id: id(lines, *character)?, words });
            }
            _ => {
                let reason = format!("expected one arc from place {} to {place}", place - 1);
                return Err(lines.wrong(reason));
            }
        }
    }
    Ok(Record { tags, characters })
}

/// The numbers of the next line that is not blank.
fn numbers<N: FromStr>(lines: &mut Lines) -> Result<Vec<N>, LineError> {
    while let Some(line) = lines.next_text()? {
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

/// The next line, which must have `N` numbers.
fn row<const N: usize>(lines: &mut Lines) -> Result<[usize; N], LineError> {
    let found: Vec<usize> = numbers(lines)?;
    let count = found.len();
    found.try_into().map_err(|_| lines.wrong(format!("expected {N} numbers, found {count}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In the first sentence, two words end at position 3, in the second, one at position 2.
    const TEXT: &str = "3\n4\n0 1 2 2\n0 \n1 0 5\n1 1 260\n3 2 7 0 9 1 300\n\n\
        3\n1 0 1\n0\n1 0 2\n2 1 3 0 4\n\n2\n0 1\n0\n1 0 1\n";

    fn read(text: &str, most: usize, modulo: u32) -> Result<Lattices, LineError> {
        Lattices::read(Lines::of("text", text.to_owned()), most, NonZeroU32::new(modulo))
    }

    #[test]
    fn lattices_are_read() {
        let lattices = read(TEXT, 9, 0).unwrap();
        assert_eq!((lattices.records.len(), lattices.sizes), (3, [261, 301, 3]));
        assert_eq!(read(TEXT, 2, 0).unwrap().records.len(), 2);
        let lattices = read(TEXT, 9, 256).unwrap();
        assert_eq!(lattices.sizes, [8, 45, 3]);
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
            (
                "1\n2\n0 99999999\n",
                ", line 3: 99999999 is no id below 1048576, and none is taken modulo",
            ),
            ("1\n2\n0 1\n0\n2 0 1\n", ", line 5: expected 2 pairs of numbers, found 2 numbers"),
            ("1\n2\n0 1\n0\n1 0 1 7\n", ", line 5: expected 1 pairs of numbers, found 3 numbers"),
            ("1\n2\n0 1\n1 0 1\n", ", line 4: an arc to place 0 begins at place 0"),
            ("1\n2\n0 1\n0\n0\n", ", line 5: expected one arc from place 0 to 1"),
            ("1\n2\n0 1\n0\n2 0 1 0 2\n", ", line 5: expected one arc from place 0 to 1"),
        ] {
            let error = read(text, 9, 0).err().unwrap().to_string();
            assert_eq!(error, format!("text{expected}"));
        }
    }
}
