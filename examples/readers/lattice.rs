//! What the lattice cells read: the characters of a sentence, and the words that a lexicon finds in it.

/// The characters of a sentence, in the order in which they are read.
pub type Lattice = Vec<Character>;

/// A character, and the words that end with it.
#[derive(Debug, PartialEq, Eq)]
pub struct Character {
    pub id: u32,
    pub words: Vec<Word>,
}

/// A word.
#[derive(Debug, PartialEq, Eq)]
pub struct Word {
    /// The place that it begins behind: so many characters come before.
    pub from: usize,
    pub id: u32,
}
