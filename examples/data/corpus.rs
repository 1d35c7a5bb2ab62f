//! Sentences of tagged words: in CoNLL-U (Universal Dependencies) and as `word|TAG word|TAG ...` (WikiNER).

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::lines::{LineError, Lines, find, items};
use crate::support::source::{Source, Splits};

/// The words of a sentence and their tags.
pub type Sentence = Vec<(String, String)>;

/// The letters of a word, as texts.
pub fn letters(word: &str) -> impl Iterator<Item = &str> + Clone {
    word.split("").filter(|letter| !letter.is_empty())
}

/// Reads the treebank or the entities in a folder, whichever is there, and says whether they are entities;
/// generates sentences where there is no folder.
///
/// WikiNER has no test split: its dev split is the test, and the last tenth of the training split is dev.
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

/// Sentences end at blank lines; of each line the second and the fourth field count.
fn conllu(mut lines: Lines) -> Result<Vec<Sentence>, LineError> {
    let mut sentences = vec![Sentence::new()];
    while let Some(line) = lines.next_text()? {
        let last = sentences.len() - 1;
        if line.trim_ascii().is_empty() {
            sentences.push(Sentence::new());
        } else if !line.starts_with('#') {
            let word = word(&line).map_err(|reason| lines.wrong(reason));
            sentences[last].extend(lines.take(word)?.flatten());
        }
    }
    // Between blank lines there may be comments only.
    sentences.retain(|sentence| !sentence.is_empty());
    Ok(sentences)
}

/// A word and its tag; `None` for the lines of contracted (`1-2`) and of unspoken words (`1.1`).
fn word(line: &str) -> Result<Option<(String, String)>, String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [id, form, _, tag, _, _, _, _, _, _] = fields[..] else {
        return Err(format!("expected 10 fields between tabs, found {}", fields.len()));
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !id.splitn(2, ['-', '.']).all(is_number) {
        return Err(format!("expected the number of a word, found `{id}`"));
    }
    if form.is_empty() || tag.is_empty() {
        return Err("a word has a form and a tag".to_owned());
    }
    Ok(is_number(id).then(|| (form.to_owned(), tag.to_owned())))
}

/// Words of three letters. A tag says whether the word before ends in an `a`, and whether the word behind begins
/// with one, so that it takes both directions.
fn generated() -> Splits<Sentence> {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    Splits::draw([800, 100, 100], || {
        let length = rng.random_range(2..9);
        let mut word = || -> String { (0..3).map(|_| rng.random_range('a'..='c')).collect() };
        let words: Vec<String> = (0..length).map(|_| word()).collect();
        let tag = |at: usize| {
            let before = at.checked_sub(1).is_some_and(|before| words[before].ends_with('a'));
            let behind = words.get(at + 1).is_some_and(|behind| behind.starts_with('a'));
            match (before, behind) {
                (false, false) => "NONE",
                (true, false) => "BEFORE",
                (false, true) => "BEHIND",
                (true, true) => "BOTH",
            }
        };
        (0..length).map(|at| (words[at].clone(), tag(at).to_owned())).collect()
    })
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
        let (splits, entities) = read(&source).unwrap();
        assert_eq!((splits.train.len(), splits.test.len(), entities), (0, 0, true));
        assert_eq!(words(&splits.dev), ["a|b/O", "c\u{a0}d/I-PER"]);
        let (_folder, source) = folder(&[("train.txt", "a|O\nb|O |O\n"), ("dev.txt", "")]);
        let error = read(&source).err().unwrap().to_string();
        assert!(error.ends_with("train.txt, line 2: expected `word|tag`, found `|O`"), "{error}");
        let going_on = Source { skip_malformed: true, ..source };
        assert_eq!(words(&read(&going_on).unwrap().0.dev), ["a/O"]);
    }

    #[test]
    fn treebanks_are_read() {
        let rest = "_\t_\t0\troot\t_\t_";
        let text = format!(
            "# text = x\n1-2\tdon't\t_\t_\t{rest}\n1\tdo\tdo\tAUX\t{rest}\n2\tn't\tnot\tPART\t{rest}\n\n \n\
             1\tgo\tgo\tVERB\t{rest}\n1.1\tgone\tgo\tVERB\t{rest}"
        );
        let empty = ("en_ewt-ud-dev.conllu", "# nothing\n\n");
        let test = ("en_ewt-ud-test.conllu", "1\ta\n");
        let (_folder, source) = folder(&[(TREEBANK, &text), empty, test]);
        let error = read(&source).err().unwrap().to_string();
        let expected = "test.conllu, line 1: expected 10 fields between tabs, found 2";
        assert!(error.ends_with(expected), "{error}");
        let (splits, _) = read(&Source { skip_malformed: true, ..source }).unwrap();
        assert_eq!((splits.train.len(), splits.dev.len(), splits.test.len()), (2, 0, 0));
        assert_eq!(words(&splits.train), ["do/AUX", "n't/PART", "go/VERB"]);
        for (id, form) in
            [("", "a"), ("x", "a"), ("-1", "a"), ("1-", "a"), ("1.2.3", "a"), ("1", "")]
        {
            let line = format!("{id}\t{form}\t_\tX\t{rest}");
            let expected = match form {
                "" => "a word has a form and a tag".to_owned(),
                _ => format!("expected the number of a word, found `{id}`"),
            };
            assert_eq!(word(&line), Err(expected));
        }
    }
}
