//! Sentences with the words that a lexicon finds in them: tab-separated fields of characters, of
//! labels and of words `i:j:word`, each of which covers the characters from `i` to before `j`.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::lattice::{Character, Lattice, Word};
use crate::lines::items;

/// A sentence.
#[derive(Clone, Debug)]
pub struct Sentence {
    pub characters: Vec<String>,
    pub labels: Vec<String>,
    /// The start, the end and the text of each word.
    pub words: Vec<(usize, usize, String)>,
}

impl Sentence {
    /// The lattice of the sentence, where `character` and `word` give the numbers of characters and
    /// words; if `backward`, that of the reversed sentence.
    pub fn lattice(
        &self,
        backward: bool,
        character: impl Fn(&str) -> u32,
        word: impl Fn(&str) -> u32,
    ) -> Lattice {
        let alone = |c: &String| Character { id: character(c), words: Vec::new() };
        let mut lattice: Lattice = self.characters.iter().map(alone).collect();
        let length = lattice.len();
        if backward {
            lattice.reverse();
        }
        for (from, to, name) in &self.words {
            let (from, to) = if backward { (length - to, length - from) } else { (*from, *to) };
            lattice[to - 1].words.push(Word { from, id: word(name) });
        }
        lattice
    }
}

/// Parses a line; a sentence may be empty, or have no words.
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
            (Ok(from), Ok(to)) if to <= characters.len() && to.saturating_sub(from) > 1 => {
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

/// Generates sentences of letters, in which `a` and `b` in this order are a name only if the
/// lexicon has a word there.
pub fn draw(rng: &mut ChaCha8Rng) -> Sentence {
    let mut sentence = Sentence { characters: vec![], labels: vec![], words: vec![] };
    for _ in 0..rng.random_range(2..6) {
        let (start, name) = (sentence.characters.len(), rng.random_bool(0.5));
        let labels = if name { ["B-NAME", "E-NAME"] } else { ["O", "O"] };
        sentence.characters.extend(["a", "b"].map(String::from));
        sentence.labels.extend(labels.map(String::from));
        if name {
            sentence.words.push((start, start + 2, "name".to_owned()));
        }
    }
    sentence
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

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
            // Fault C4: the start is counted on.
            (
                "a b\tO O\t18446744073709551615:2:1",
                "a word has two or more of 2 characters, not `18446744073709551615:2:1`",
            ),
            ("a b\tO O\tx:2:1", "a word has two or more of 2 characters, not `x:2:1`"),
        ] {
            assert_eq!(parse(line).err().unwrap(), expected);
        }
    }

    #[test]
    fn names_are_where_words_are() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for sentence in (0..20).map(|_| draw(&mut rng)) {
            let names = sentence.labels.iter().filter(|label| *label == "B-NAME").count();
            assert_eq!(names, sentence.words.len());
        }
    }

    #[test]
    fn a_word_ends_at_its_last_character_in_either_direction() {
        let sentence = parse("a b c d\tB-NAME E-NAME O O\t0:2:x 0:3:y 1:3:z").unwrap();
        let starts = |backward| -> Vec<Vec<usize>> {
            let lattice = sentence.lattice(backward, |_| 0, |_| 0);
            lattice.iter().map(|c| c.words.iter().map(|word| word.from).collect()).collect()
        };
        assert_eq!(starts(false), [vec![], vec![0], vec![0, 1], vec![]]);
        assert_eq!(starts(true), [vec![], vec![], vec![1], vec![2, 1]]);
    }
}
