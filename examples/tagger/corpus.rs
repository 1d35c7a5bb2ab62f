//! Sentences of tagged words: in CoNLL-U (Universal Dependencies) and as `word|TAG word|TAG ...` (WikiNER).

use std::path::Path;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::lines::{self, LineError, Malformed, items};
use crate::support::source::Source;

/// The words of a sentence and their tags.
pub type Sentence = Vec<(String, String)>;

/// Three splits, and whether the tags mark entities.
pub struct Corpus {
    pub train: Vec<Sentence>,
    pub dev: Vec<Sentence>,
    pub test: Vec<Sentence>,
    pub entities: bool,
}

impl Corpus {
    /// Reads the treebank or the entities in a folder, whichever is there; generates sentences where
    /// there is no folder.
    ///
    /// WikiNER has no test split: its dev split is the test, and the last tenth of the training split
    /// is dev.
    pub fn read(source: &Source) -> Result<Self, LineError> {
        let Some(folder) = &source.data else { return Ok(generated()) };
        if lines::find(folder, TREEBANK).is_ok() {
            let split = |name| {
                let file = TREEBANK.replace("train", name);
                conllu(&lines::find(folder, &file)?, source.malformed())
            };
            let (train, dev, test) = (split("train")?, split("dev")?, split("test")?);
            return Ok(Self { train, dev, test, entities: false });
        }
        let mut train = source.read(folder, "train.txt", tagged)?;
        let dev = train.split_off(train.len() * 9 / 10);
        Ok(Self { train, dev, test: source.read(folder, "dev.txt", tagged)?, entities: true })
    }
}

const TREEBANK: &str = "en_ewt-ud-train.conllu";

/// `word|TAG`: the last `|` begins the tag.
fn tagged(line: &str) -> Result<Sentence, String> {
    let pair = |item: &str| match item.rsplit_once('|') {
        Some((word, tag)) if !word.is_empty() && !tag.is_empty() => {
            Ok((word.to_owned(), tag.to_owned()))
        }
        _ => Err(format!("expected `word|tag`, found `{item}`")),
    };
    items(line).map(pair).collect()
}

/// Sentences end at blank lines; of each line the second and the fourth field count.
fn conllu(path: &Path, malformed: Malformed) -> Result<Vec<Sentence>, LineError> {
    let mut lines = lines::open(path)?;
    let mut sentences = vec![Sentence::new()];
    while let Some(line) = lines.next_line()? {
        let last = sentences.len() - 1;
        if line.is_empty() {
            sentences.push(Sentence::new());
        } else if !line.starts_with('#') {
            let word = word(&line).map_err(|reason| lines.wrong(reason));
            sentences[last].extend(malformed.take(word)?.flatten());
        }
    }
    // Between blank lines there may be comments only.
    sentences.retain(|sentence| !sentence.is_empty());
    Ok(sentences)
}

/// A word and its tag; `None` for the lines of contracted and of unspoken words.
fn word(line: &str) -> Result<Option<(String, String)>, String> {
    let fields: Vec<&str> = line.split('\t').collect();
    match fields[..] {
        [id, form, _, tag, _, _, _, _, _, _] if !form.is_empty() && !tag.is_empty() => {
            let plain = id.bytes().all(|digit| digit.is_ascii_digit());
            Ok(plain.then(|| (form.to_owned(), tag.to_owned())))
        }
        [_, _, _, _, _, _, _, _, _, _] => Err("a word has a form and a tag".to_owned()),
        _ => Err(format!("expected 10 fields between tabs, found {}", fields.len())),
    }
}

/// Words of three letters; a tag says whether the words before and after end alike.
fn generated() -> Corpus {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut split = |count| -> Vec<Sentence> {
        let mut word = || -> String { (0..3).map(|_| rng.random_range('a'..='c')).collect() };
        let mut sentence = |length: usize| {
            let words: Vec<String> = (0..length).map(|_| word()).collect();
            let end = |at: Option<usize>| words.get(at?)?.chars().last();
            let tag = |at: usize| match end(at.checked_sub(1)) == end(Some(at + 1)) {
                true => "ALIKE".to_owned(),
                false => "OTHER".to_owned(),
            };
            (0..length).map(|at| (words[at].clone(), tag(at))).collect()
        };
        (0..count).map(|number| sentence(2 + number % 7)).collect()
    };
    Corpus { train: split(800), dev: split(100), test: split(100), entities: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> (tempfile::TempDir, Source) {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let source = Source { data: Some(folder.path().into()), skip_malformed: false };
        (folder, source)
    }

    fn words(sentences: &[Sentence]) -> Vec<String> {
        sentences.iter().flatten().map(|(word, tag)| format!("{word}/{tag}")).collect()
    }

    #[test]
    fn entities_are_read() {
        let (_folder, source) = folder(&[("train.txt", "a|b|O c\u{a0}d|I-PER\n"), ("dev.txt", "")]);
        let corpus = Corpus::read(&source).unwrap();
        assert_eq!((corpus.train.len(), corpus.test.len(), corpus.entities), (0, 0, true));
        assert_eq!(words(&corpus.dev), ["a|b/O", "c\u{a0}d/I-PER"]);
        let (_folder, source) = folder(&[("train.txt", "a|O\nb|O |O\n"), ("dev.txt", "")]);
        let error = Corpus::read(&source).err().unwrap().to_string();
        assert!(error.ends_with("train.txt, line 2: expected `word|tag`, found `|O`"), "{error}");
        let going_on = Source { skip_malformed: true, ..source };
        assert_eq!(words(&Corpus::read(&going_on).unwrap().dev), ["a/O"]);
    }

    #[test]
    fn treebanks_are_read() {
        let rest = "_\t_\t0\troot\t_\t_";
        let text = format!(
            "# text = x\n1-2\tdon't\t_\t_\t{rest}\n1\tdo\tdo\tAUX\t{rest}\n2\tn't\tnot\tPART\t{rest}\n\n\n\
             1\tgo\tgo\tVERB\t{rest}"
        );
        let empty = ("en_ewt-ud-dev.conllu", "# nothing\n\n");
        let test = ("en_ewt-ud-test.conllu", "1\ta\n");
        let (_folder, source) = folder(&[(TREEBANK, &text), empty, test]);
        let error = Corpus::read(&source).err().unwrap().to_string();
        let expected = "test.conllu, line 1: expected 10 fields between tabs, found 2";
        assert!(error.ends_with(expected), "{error}");
        let corpus = Corpus::read(&Source { skip_malformed: true, ..source }).unwrap();
        assert_eq!((corpus.train.len(), corpus.dev.len(), corpus.test.len()), (2, 0, 0));
        assert_eq!(words(&corpus.train), ["do/AUX", "n't/PART", "go/VERB"]);
    }
}
