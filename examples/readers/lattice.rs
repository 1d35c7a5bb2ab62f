//! The input of the lattice cells: the characters of a sentence, and the words that a lexicon finds
//! in it.

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
