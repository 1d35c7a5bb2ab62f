//! Sentences with dependency trees: in CoNLL-U (Universal Dependencies), or generated.

use std::collections::HashMap;

use edb::model::Notes;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::corpus;
use crate::lines::{LineError, Lines};
use crate::source::Source;
use support::splits::Splits;
use support::vocabulary::{Tags, Vocabulary};

/// A word in a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pub form: String,
    pub tag: String,
    /// The place of the word that it depends on. That of the root is behind the last word.
    pub head: usize,
    /// The universal relation to it: that of `nsubj:pass` is `nsubj`.
    pub relation: String,
}

/// The words of a sentence.
pub type Sentence = Vec<Word>;

/// A word as numbers: those of the word, of its last letters, and of its tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    pub word: u32,
    pub suffix: u32,
    pub tag: u32,
}

/// The numbers of words, suffixes, tags and relations, and how frequent words are.
pub struct Numbers {
    pub words: Vocabulary,
    pub suffixes: Vocabulary,
    pub tags: Tags,
    pub relations: Tags,
    counts: HashMap<String, f64>,
}

impl Numbers {
    /// The numbers for the training split.
    pub fn new(train: &[Sentence]) -> Self {
        let words = || train.iter().flatten();
        let forms: Vec<String> = words().map(|word| word.form.to_lowercase()).collect();
        let mut counts = HashMap::new();
        for form in &forms {
            *counts.entry(form.clone()).or_default() += 1.0;
        }
        Self {
            words: Vocabulary::new(forms.iter().map(String::as_str), 1),
            suffixes: Vocabulary::new(forms.iter().map(|form| suffix(form)), 2),
            tags: Tags::new(words().map(|word| word.tag.as_str()).chain([ROOT])),
            relations: Tags::new(words().map(|word| word.relation.as_str())),
            counts,
        }
    }

    /// What is saved with a model: words, suffixes, tags and relations, each at the place of its number.
    pub fn notes(&self) -> Notes {
        let read = format!(
            "words in lower case, and suffixes, which are their last three letters; behind the last word \
             comes one more: its word and suffix are unknown, and its tag is {ROOT}"
        );
        let notes = Notes::new().with("reads", &read).with("vocabulary", &self.words.words());
        let notes = notes.with("suffixes", &self.suffixes.words());
        notes.with("tags", &self.tags.names()).with("relations", &self.relations.names())
    }

    /// The numbers of a sentence and of an artificial root behind it. `drops` is asked, with the
    /// frequency of each word, whether it is to be read as unknown.
    pub fn encode(&self, sentence: &Sentence, mut drops: impl FnMut(f64) -> bool) -> Vec<Record> {
        let record = |Word { form, tag, .. }: &Word| {
            let form = form.to_lowercase();
            let is_dropped = drops(self.counts.get(&form).copied().unwrap_or_default());
            let word = if is_dropped { Vocabulary::UNKNOWN } else { self.words.id(&form) };
            Record { word, suffix: self.suffixes.id(suffix(&form)), tag: self.tags.id(tag) }
        };
        let (word, suffix) = (Vocabulary::UNKNOWN, Vocabulary::UNKNOWN);
        let root = Record { word, suffix, tag: self.tags.id(ROOT) };
        sentence.iter().map(record).chain([root]).collect()
    }

    /// The heads of the words of a sentence, and the numbers of their relations.
    pub fn arcs(&self, sentence: &Sentence) -> Vec<(usize, u32)> {
        sentence.iter().map(|word| (word.head, self.relations.id(&word.relation))).collect()
    }
}

/// The tag of the artificial root.
const ROOT: &str = "ROOT";

/// The last three letters of a word.
fn suffix(form: &str) -> &str {
    form.char_indices().nth_back(2).map_or(form, |(start, _)| &form[start..])
}

/// Reads the treebank in a folder; generates sentences if no folder is given.
pub fn read(source: &Source) -> Result<Splits<Sentence>, LineError> {
    let Some(folder) = &source.data else { return Ok(generated()) };
    let split = |name: &str| conllu(source.open(folder, &format!("en_ewt-ud-{name}.conllu"))?);
    Splits::read(["train", "dev", "test"], split)
}

/// The sentences of a treebank; of each line, the form, the tag, the head and the relation.
pub fn conllu(lines: Lines) -> Result<Vec<Sentence>, LineError> {
    corpus::sentences(lines, word, tree)
}

/// A word and its number; numbers count from 1, and the head of the root is 0.
fn word([id, form, _, tag, _, _, head, relation, ..]: [&str; 10]) -> Result<(usize, Word), String> {
    let number = |text: &str| {
        text.parse().map_err(|_| format!("expected the number of a word, found `{text}`"))
    };
    let relation = relation.split(':').take(1).collect();
    let (form, tag) = (form.to_owned(), tag.to_owned());
    Ok((number(id)?, Word { form, tag, head: number(head)?, relation }))
}

/// The tree of numbered words.
fn tree(words: Vec<(usize, Word)>) -> Result<Sentence, String> {
    let count = words.len();
    let mut tree = Vec::with_capacity(count);
    for (expected, (number, word)) in (1..).zip(words) {
        let Word { head, .. } = word;
        if number != expected {
            return Err(format!("in the sentence, word {number} is where {expected} should be"));
        }
        if head > count {
            return Err(format!("word {number} depends on word {head} of {count}"));
        }
        tree.push(Word { head: head.checked_sub(1).unwrap_or(count), ..word });
    }
    let roots = tree.iter().filter(|word| word.head == count).count();
    if roots != 1 {
        return Err(format!("the sentence has {roots} roots, not 1"));
    }
    let heads: Vec<Option<usize>> =
        tree.iter().map(|word| Some(word.head).filter(|head| *head < count)).collect();
    match circle(&heads) {
        Some(reason) => Err(reason),
        None => Ok(tree),
    }
}

/// What is wrong with words that depend on themselves, if some do. All heads are words.
pub(crate) fn circle(heads: &[Option<usize>]) -> Option<String> {
    const MOST: usize = 8;
    // From which word another was reached first.
    let mut reached = vec![None; heads.len()];
    for start in 0..heads.len() {
        let mut at = Some(start);
        while let Some(word) = at.filter(|word| reached[*word].is_none()) {
            reached[word] = Some(start);
            at = heads[word];
        }
        // The way ends at the root, where an earlier one was, or where it has been itself.
        let Some(first) = at.filter(|word| reached[*word] == Some(start)) else { continue };
        let way = std::iter::successors(heads[first], |word| heads[*word]);
        let others = way.take_while(|word| *word != first).map(|word| (word + 1).to_string());
        let mut others: Vec<String> = others.take(MOST + 1).collect();
        if others.len() > MOST {
            others[MOST] = "..".to_owned();
        }
        let by = if others.is_empty() { "" } else { ", by way of " };
        return Some(format!("word {} depends on itself{by}{}", first + 1, others.join(", ")));
    }
    None
}

/// Sentences of a small grammar. Whether a phrase depends on the verb or on the noun before it is
/// seen from its preposition.
fn generated() -> Splits<Sentence> {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    Splits::draw([800, 100, 100], || {
        let mut words = Sentence::new();
        let subject = noun(&mut rng, &mut words, "nsubj");
        let verb = add(&mut rng, &mut words, ["sees", "likes", "finds"], "VERB", "root");
        words[subject].head = verb;
        if rng.random_bool(0.7) {
            let object = noun(&mut rng, &mut words, "obj");
            words[object].head = verb;
        }
        while rng.random_bool(0.4) {
            let phrase = phrase(&mut rng, &mut words, ["in", "at", "by"], "obl");
            words[phrase].head = verb;
        }
        words[verb].head = words.len();
        words
    })
}

/// Adds a noun with what depends on it; returns its place.
fn noun(rng: &mut ChaCha8Rng, words: &mut Sentence, relation: &str) -> usize {
    let start = words.len();
    add(rng, words, ["the", "a", "every"], "DET", "det");
    while rng.random_bool(0.3) {
        add(rng, words, ["old", "red", "small"], "ADJ", "amod");
    }
    let noun = add(rng, words, ["dog", "tree", "house"], "NOUN", relation);
    words[start..noun].iter_mut().for_each(|word| word.head = noun);
    if rng.random_bool(0.3) {
        let phrase = phrase(rng, words, ["of", "from", "without"], "nmod");
        words[phrase].head = noun;
    }
    noun
}

/// Adds a preposition and a noun; returns the noun's place.
fn phrase(rng: &mut ChaCha8Rng, words: &mut Sentence, forms: [&str; 3], relation: &str) -> usize {
    let preposition = add(rng, words, forms, "ADP", "case");
    let noun = noun(rng, words, relation);
    words[preposition].head = noun;
    noun
}

/// Adds a word, without its head; returns its place.
fn add(
    rng: &mut ChaCha8Rng,
    words: &mut Sentence,
    forms: [&str; 3],
    tag: &str,
    relation: &str,
) -> usize {
    let form = forms[rng.random_range(0..3)].to_owned();
    words.push(Word { form, tag: tag.to_owned(), head: 0, relation: relation.to_owned() });
    words.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(heads: &[(usize, usize)]) -> Result<Vec<Sentence>, String> {
        let line = |(id, head)| format!("{id}\tw{id}\t_\tX\t_\t_\t{head}\tnsubj:pass\t_\t_\n");
        let text = heads.iter().copied().map(line).collect();
        conllu(Lines::of("a.conllu", text)).map_err(|e| e.to_string())
    }

    #[test]
    fn trees_are_read() {
        let words = &read(&[(1, 2), (2, 0), (3, 2)]).unwrap()[0];
        let found: Vec<_> = words.iter().map(|word| (&word.form[..], word.head)).collect();
        assert_eq!(found, [("w1", 1), ("w2", 3), ("w3", 1)]);
        assert!(words.iter().all(|word| word.relation == "nsubj"));
        for (heads, error) in [
            (&[(1, 0), (3, 1)][..], "line 3: in the sentence, word 3 is where 2 should be"),
            (&[(1, 0), (2, 3)], "line 3: word 2 depends on word 3 of 2"),
            (&[(1, 0), (2, 0)], "line 3: the sentence has 2 roots, not 1"),
            // Fault D3: it was not said by which other words.
            (&[(1, 0), (2, 3), (3, 2)], "line 4: word 2 depends on itself, by way of 3"),
            (&[(1, 0), (2, 2)], "line 3: word 2 depends on itself"),
            (
                &[(1, 2), (2, 4), (3, 0), (4, 5), (5, 2)],
                "line 6: word 2 depends on itself, by way of 4, 5",
            ),
        ] {
            assert_eq!(read(heads).err().unwrap(), format!("a.conllu, {error}"));
        }
    }

    /// Fault C4: the time grew with the square of the number of words, to a minute for this
    /// sentence.
    #[test]
    fn long_sentences_are_read() {
        let chain: Vec<(usize, usize)> = (1..=300_000).map(|word| (word, word - 1)).collect();
        assert_eq!(read(&chain).unwrap()[0].len(), chain.len());
        let mut ring = chain;
        ring[1].1 = 300_000;
        let error = read(&ring).err().unwrap();
        let words = "300000, 299999, 299998, 299997, 299996, 299995, 299994, 299993, ..";
        assert!(
            error.ends_with(&format!("word 2 depends on itself, by way of {words}")),
            "{error}"
        );
    }

    #[test]
    fn words_have_numbers() {
        let word = |form: &str| Word {
            form: form.into(),
            tag: "X".into(),
            head: 0,
            relation: "dep".into(),
        };
        let sentence = ["Going", "going", "ring", "\u{e9}t\u{e9}s"].map(word).to_vec();
        let numbers = Numbers::new(std::slice::from_ref(&sentence));
        let mut counts = Vec::new();
        let records = numbers.encode(&sentence, |count| {
            counts.push(count);
            count == 1.0
        });
        assert_eq!(counts, [2.0, 2.0, 1.0, 1.0]);
        let found: Vec<_> = records.iter().map(|r| (r.word, r.suffix, r.tag)).collect();
        // `ing` is a frequent suffix; the artificial root has a tag of its own.
        assert_eq!(found, [(1, 1, 1), (1, 1, 1), (0, 1, 1), (0, 0, 1), (0, 0, 0)]);
        assert_eq!(suffix("\u{e9}t\u{e9}s"), "t\u{e9}s");
    }

    #[test]
    fn generated_trees_are_trees() {
        for words in generated().test {
            let one_based = |word: Word| Word { head: (word.head + 1) % (words.len() + 1), ..word };
            let numbered = (1..).zip(words.iter().cloned().map(one_based)).collect();
            assert_eq!(tree(numbered).unwrap(), words);
        }
    }
}
