//! Sentences with the words that a lexicon finds in them: characters, labels and `i:j:word` between tabs,
//! the word covering the characters from `i` to before `j`.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::lines::items;

/// A sentence.
#[derive(Clone, Debug)]
pub struct Sentence {
    pub characters: Vec<String>,
    pub labels: Vec<String>,
    /// Where a word begins, where it ends, and which it is.
    pub words: Vec<(usize, usize, String)>,
}

/// A line; a sentence may be without words, and empty.
pub fn parse(line: &str) -> Result<Sentence, String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [characters, labels, words] = fields[..] else {
        return Err(format!("expected 3 fields between tabs, found {}", fields.len()));
    };
    let all = |field| items(field).map(str::to_owned).collect::<Vec<_>>();
    let (characters, labels) = (all(characters), all(labels));
    if characters.len() != labels.len() {
        return Err(format!("{} characters have {} labels", characters.len(), labels.len()));
    }
    let word = |item: &str| {
        let parts: Vec<&str> = item.splitn(3, ':').collect();
        let [from, to, word] = parts[..] else {
            return Err(format!("expected i:j:word, found `{item}`"));
        };
        match (from.parse::<usize>(), to.parse::<usize>()) {
            (Ok(from), Ok(to)) if from + 1 < to && to <= characters.len() => {
                Ok((from, to, word.to_owned()))
            }
            _ => {
                Err(format!("a word has two or more of {} characters, not `{item}`", labels.len()))
            }
        }
    };
    let words = items(words).map(word).collect::<Result<_, _>>()?;
    Ok(Sentence { characters, labels, words })
}

/// Names of two letters among other letters: `a` and `b` in this order are one only where the lexicon has
/// a word there.
pub fn generated(count: usize, seed: u64) -> Vec<Sentence> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut sentence = || {
        let mut sentence = Sentence { characters: vec![], labels: vec![], words: vec![] };
        for _ in 0..rng.random_range(2..6) {
            let (at, name) = (sentence.characters.len(), rng.random_bool(0.5));
            sentence.characters.extend(["a", "b"].map(String::from));
            sentence
                .labels
                .extend(if name { ["B-NAME", "E-NAME"] } else { ["O", "O"] }.map(String::from));
            if name {
                sentence.words.push((at, at + 2, "name".to_owned()));
            }
        }
        sentence
    };
    (0..count).map(|_| sentence()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_read() {
        let sentence = parse("a \u{a0} c\tO B-X E-X\t0:2:7 1:3:9").unwrap();
        assert_eq!(sentence.characters, ["a", "\u{a0}", "c"]);
        assert_eq!(sentence.words, [(0, 2, "7".to_owned()), (1, 3, "9".to_owned())]);
        assert!(parse("\t\t").unwrap().characters.is_empty());
        for (line, expected) in [
            ("a\tO", "expected 3 fields between tabs, found 2"),
            ("a b\tO\t", "2 characters have 1 labels"),
            ("a b\tO O\t0:2", "expected i:j:word, found `0:2`"),
            ("a b\tO O\t0:3:1", "a word has two or more of 2 characters, not `0:3:1`"),
            ("a b\tO O\t1:2:1", "a word has two or more of 2 characters, not `1:2:1`"),
            ("a b\tO O\tx:2:1", "a word has two or more of 2 characters, not `x:2:1`"),
        ] {
            assert_eq!(parse(line).err().unwrap(), expected);
        }
    }

    #[test]
    fn names_are_where_words_are() {
        for sentence in generated(20, 1) {
            let names = sentence.labels.iter().filter(|label| *label == "B-NAME").count();
            assert_eq!(names, sentence.words.len());
        }
    }
}
