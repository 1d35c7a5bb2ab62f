//! Sentences of tagged words: in CoNLL-U (Universal Dependencies), as `word|TAG word|TAG ...`
//! (WikiNER), and as numbers.

use edb::model::Notes;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::lines::{LineError, Lines, find, items};
use crate::source::Source;
use support::splits::Splits;
use support::vocabulary::{Tags, Vocabulary};

/// The words of a sentence and their tags.
pub type Sentence = Vec<(String, String)>;

/// A tagged word as numbers: those of the word, of its letters (at least one), and of its tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub id: u32,
    pub letters: Vec<u32>,
    pub tag: u32,
}

impl Record {
    /// A word and its tag as numbers.
    pub fn new(
        (word, tag): &(String, String),
        words: impl Fn(&str) -> u32,
        letter: impl Fn(&str) -> u32,
        tags: impl Fn(&str) -> u32,
    ) -> Self {
        Self { id: words(word), letters: letters(word).map(letter).collect(), tag: tags(tag) }
    }
}

/// The numbers of words, letters and tags.
pub struct Numbers {
    pub words: Vocabulary,
    pub letters: Vocabulary,
    pub tags: Tags,
}

impl Numbers {
    /// The numbers for the training split; words that occur less than `min_count` times are mapped
    /// to one unknown word.
    pub fn new(train: &[Sentence], min_count: usize) -> Self {
        let words = || train.iter().flatten().map(|(word, _)| word.as_str());
        Self {
            words: Vocabulary::new(words(), min_count),
            letters: Vocabulary::new(words().flat_map(letters), 2),
            tags: Tags::new(train.iter().flatten().map(|(_, tag)| tag.as_str())),
        }
    }

    /// What is saved with a model: the words and the tags, each at the place of its number.
    pub fn notes(&self) -> Notes {
        let notes = Notes::new().with("vocabulary", &self.words.words());
        notes.with("tags", &self.tags.names())
    }

    /// A sentence as numbers.
    pub fn encode(&self, sentence: &Sentence) -> Vec<Record> {
        let Self { words, letters, tags } = self;
        let record = |word| Record::new(word, |w| words.id(w), |l| letters.id(l), |t| tags.id(t));
        sentence.iter().map(record).collect()
    }
}

/// The letters of a word, as strings.
pub fn letters(word: &str) -> impl Iterator<Item = &str> + Clone {
    word.split("").filter(|letter| !letter.is_empty())
}

/// Reads the treebank or the named entities in a folder, whichever is there, and returns whether
/// they are entities; generates sentences if no folder is given.
///
/// WikiNER has no test split: its dev split is used as test, and the last tenth of its training
/// split as dev.
pub fn read(source: &Source) -> Result<(Splits<Sentence>, bool), LineError> {
    let Some(folder) = &source.data else { return Ok((generated(), false)) };
    if find(folder, TREEBANK).is_ok() {
        let split = |name: &str| conllu(source.open(folder, &TREEBANK.replace("train", name))?);
        return Ok((Splits::read(["train", "dev", "test"], split)?, false));
    }
    let mut train = source.read(folder, "train.txt", tagged)?;
    let dev = train.split_off(train.len() * 9 / 10);
    Ok((Splits { train, dev, test: source.read(folder, "dev.txt", tagged)? }, true))
}

const TREEBANK: &str = "en_ewt-ud-train.conllu";

/// `word|TAG`: the last `|` begins the tag.
pub fn tagged(line: &str) -> Result<Sentence, String> {
    let pair = |item: &str| match item.rsplit_once('|') {
        Some((word, tag)) if !word.is_empty() && !tag.is_empty() => {
            Ok((word.to_owned(), tag.to_owned()))
        }
        _ => Err(format!("expected `word|tag`, found `{item}`")),
    };
    items(line).map(pair).collect()
}

/// The second and the fourth field of each line: a word and its tag.
pub fn conllu(lines: Lines) -> Result<Vec<Sentence>, LineError> {
    let word = |[_, form, _, tag, ..]: [&str; 10]| Ok((form.to_owned(), tag.to_owned()));
    sentences(lines, word, Ok)
}

/// Sentences, which end at blank lines: `word` reads the fields of a line, and `sentence` the words
/// of a sentence, which are at least one.
pub fn sentences<W, S>(
    mut lines: Lines,
    word: impl Fn([&str; 10]) -> Result<W, String>,
    sentence: impl Fn(Vec<W>) -> Result<S, String>,
) -> Result<Vec<S>, LineError> {
    let (mut sentences, mut words) = (Vec::new(), Vec::new());
    loop {
        let line = lines.next_text()?;
        match line.as_deref().map(str::trim_ascii) {
            // There may be only comments between two blank lines.
            None | Some("") if !words.is_empty() => {
                let read = sentence(std::mem::take(&mut words));
                sentences.extend(lines.take(read.map_err(|reason| lines.wrong(reason)))?);
            }
            _ => {}
        }
        let Some(line) = line else { return Ok(sentences) };
        if !line.trim_ascii().is_empty() && !line.starts_with('#') {
            let read = fields(&line).and_then(|fields| fields.map(&word).transpose());
            words.extend(lines.take(read.map_err(|reason| lines.wrong(reason)))?.flatten());
        }
    }
}

/// The fields of a word's line; `None` for the lines of contractions (`1-2`) and of empty nodes
/// (`1.1`).
fn fields(line: &str) -> Result<Option<[&str; 10]>, String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let Ok(fields) = <[&str; 10]>::try_from(&fields[..]) else {
        return Err(format!("expected 10 fields between tabs, found {}", fields.len()));
    };
    let [id, form, _, tag, ..] = fields;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !id.splitn(2, ['-', '.']).all(is_number) {
        return Err(format!("expected the number of a word, found `{id}`"));
    }
    if form.is_empty() || tag.is_empty() {
        return Err("a word has a form and a tag".to_owned());
    }
    Ok(is_number(id).then_some(fields))
}

/// Words of three letters. A tag says whether the previous word ends in an `a`, and whether the
/// next word begins with one, so a tagger needs both directions.
fn generated() -> Splits<Sentence> {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    Splits::draw([800, 100, 100], || {
        let length = rng.random_range(2..9);
        let mut word = || -> String { (0..3).map(|_| rng.random_range('a'..='c')).collect() };
        let words: Vec<String> = (0..length).map(|_| word()).collect();
        let tag = |place: usize| {
            let before = place.checked_sub(1).is_some_and(|before| words[before].ends_with('a'));
            let behind = words.get(place + 1).is_some_and(|behind| behind.starts_with('a'));
            match (before, behind) {
                (false, false) => "NONE",
                (true, false) => "BEFORE",
                (false, true) => "BEHIND",
                (true, true) => "BOTH",
            }
        };
        (0..length).map(|place| (words[place].clone(), tag(place).to_owned())).collect()
    })
}

#[cfg(test)]
mod tests;
