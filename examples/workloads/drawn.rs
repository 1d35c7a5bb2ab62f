//! Random instances, used if no file is given, each kind in the format that its workload reads.
//!
//! Sentences have 2 to 36 words, out of 20,000, or 63 of the Penn Treebank's 9,999; the probability of
//! a word is inversely proportional to its number, as word frequencies are to rank.

use std::fmt::{Display, Write};

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::bilstm::TAGS;
use crate::language_model::{STEPS, TREEBANK};
use crate::measure::INSTANCES;
use crate::workload::WORDS;

/// A source of random instances.
pub struct Drawn(ChaCha8Rng);

impl Drawn {
    /// A source with this seed, which determines the instances.
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Binary trees in the notation of the Stanford Sentiment Treebank.
    pub fn trees(&mut self) -> String {
        self.lines("", |drawn| {
            let label = |drawn: &mut Self| drawn.0.random_range(0..5);
            drawn.tree(|drawn| format!("({} w{})", label(drawn), drawn.word()), label)
        })
    }

    /// Sentences of words with tags, as in WikiNER.
    pub fn tagged(&mut self) -> String {
        self.lines("", |drawn| {
            drawn.items(|drawn, _| format!("w{}|T{}", drawn.word(), drawn.0.random_range(0..TAGS)))
        })
    }

    /// Sentences.
    pub fn sentences(&mut self) -> String {
        self.lines("", |drawn| drawn.items(|drawn, _| format!("w{}", drawn.word())))
    }

    /// A text whose every piece is a sentence and its end mark.
    pub fn pieces(&mut self) -> String {
        self.lines("", |drawn| {
            let words = (1..STEPS).map(|_| format!("w{}", drawn.word_of(TREEBANK)));
            words.collect::<Vec<_>>().join(" ")
        })
    }

    /// Sentences and their translations.
    pub fn translations(&mut self) -> String {
        self.lines("", |drawn| {
            let mut sentence = || drawn.items(|drawn, _| format!("w{}", drawn.word()));
            format!("{} ||| {}", sentence(), sentence())
        })
    }

    /// Sentences with projective dependency trees, in CoNLL-U.
    pub fn dependencies(&mut self) -> String {
        self.lines("", |drawn| {
            // The words that the next one may depend on.
            let mut heads = vec![0];
            let words = (1..=drawn.length()).map(|number| {
                let least = usize::from(number > 1);
                heads.truncate(drawn.0.random_range(least..heads.len()) + 1);
                let (head, word) = (heads[heads.len() - 1], drawn.word());
                let [tag, relation] = [17, 37].map(|count| drawn.0.random_range(0..count));
                heads.push(number);
                format!("{number}\tw{word}\t_\tT{tag}\t_\t_\t{head}\tr{relation}\t_\t_\n")
            });
            words.collect()
        })
    }

    /// Binary trees of tagged words in brackets, as in the Penn Treebank.
    pub fn derivations(&mut self) -> String {
        self.lines("", |drawn| {
            drawn.tree(
                |drawn| format!("(T{} w{})", drawn.0.random_range(0..TAGS), drawn.word()),
                |drawn| format!("P{}", drawn.0.random_range(0..TAGS)),
            )
        })
    }

    /// Pairs of sentences with heads, as in the table of SICK.
    pub fn relatedness(&mut self) -> String {
        self.lines("pair_id\t\n", |drawn| {
            let mut sentence = || {
                let words = drawn.items(|drawn, _| format!("w{}", drawn.word()));
                let count = words.split(' ').count();
                let head = |word| if word == 0 { 0 } else { drawn.0.random_range(1..=word) };
                let heads: Vec<String> =
                    (0..count).map(head).map(|head| head.to_string()).collect();
                format!("{words}\t{}\t-\t-", heads.join(" "))
            };
            let sentences = [sentence(), sentence()].join("\t");
            format!("0\t{:.1}\t-\t{sentences}", drawn.0.random_range(1.0..5.0))
        })
    }

    /// Lattices as in ED-Batch's benchmark: words of two to four characters, at four characters in
    /// ten.
    pub fn lattices(&mut self) -> String {
        self.lines(&format!("{INSTANCES}\n"), |drawn| {
            let places = drawn.length() + 1;
            let mut text = format!("{places}\n");
            (0..places).for_each(|_| _ = write!(text, "{} ", drawn.0.random_range(0..TAGS)));
            text += "\n0";
            for place in 1..places {
                let length = drawn.0.random_range(2..5);
                let character = format!("{} {}", place - 1, drawn.word());
                text += "\n";
                text += &match place.checked_sub(length).filter(|_| drawn.0.random_bool(0.4)) {
                    Some(from) => format!("2 {character} {from} {}", drawn.word()),
                    None => format!("1 {character}"),
                };
            }
            text
        })
    }

    /// Similar lattices, in the format of sentences with lexicon words.
    pub fn entities(&mut self) -> String {
        self.lines("", |drawn| {
            let characters = drawn.items(|drawn, _| format!("w{}", drawn.word()));
            let count = characters.split(' ').count();
            let tags = ["B-X", "E-X", "O"];
            let labels = (0..count).map(|_| tags[drawn.0.random_range(0..tags.len())]);
            let labels = labels.collect::<Vec<_>>().join(" ");
            let mut words = Vec::new();
            for end in 2..=count {
                let length = drawn.0.random_range(2..5).min(end);
                if drawn.0.random_bool(0.4) {
                    words.push(format!("{}:{end}:w{}", end - length, drawn.word()));
                }
            }
            format!("{characters}\t{labels}\t{}", words.join(" "))
        })
    }

    /// Molecules: each atom is bonded to one of the three before it, with occasional rings.
    pub fn molecules(&mut self) -> String {
        self.lines("id\t\n", |drawn| {
            let mut bonds = Vec::new();
            let atoms = drawn.items(|drawn, atom| {
                if atom > 0 {
                    let to = drawn.0.random_range(atom.saturating_sub(3)..atom);
                    bonds.push(format!("{to}-{atom}:{}:0:0", drawn.0.random_range(1..5)));
                }
                if atom >= 8 && drawn.0.random_bool(0.1) {
                    bonds.push(format!("{}-{atom}:1:1:0", atom - 5));
                }
                let element = [6, 6, 6, 7, 8][drawn.0.random_range(0..5)];
                format!("{element}:2:0:{}:0:0", drawn.0.random_range(0..4))
            });
            let y = drawn.0.random_range(-1.0..1.0);
            format!("x\t{y}\ttrain\ttrain\t-\t{atoms}\t{}", bonds.join(" "))
        })
    }

    /// A binary tree over as many leaves as a random sentence has words.
    fn tree<L: Display>(
        &mut self,
        mut leaf: impl FnMut(&mut Self) -> String,
        mut label: impl FnMut(&mut Self) -> L,
    ) -> String {
        let mut parts: Vec<String> = (0..self.length()).map(|_| leaf(self)).collect();
        while parts.len() > 1 {
            let place = self.0.random_range(1..parts.len());
            let right = parts.remove(place);
            let label = label(self);
            parts[place - 1] = format!("({label} {} {right})", parts[place - 1]);
        }
        parts.swap_remove(0)
    }

    /// As many instances as are timed, concatenated.
    fn lines(&mut self, heading: &str, instance: impl Fn(&mut Self) -> String) -> String {
        let instances = (0..INSTANCES).map(|_| instance(self) + "\n");
        heading.to_owned() + &instances.collect::<String>()
    }

    /// As many items as a random sentence has words.
    fn items(&mut self, mut item: impl FnMut(&mut Self, usize) -> String) -> String {
        let items = (0..self.length()).map(|number| item(self, number));
        items.collect::<Vec<_>>().join(" ")
    }

    fn length(&mut self) -> usize {
        self.0.random_range(2..=36)
    }

    fn word(&mut self) -> usize {
        self.word_of(WORDS)
    }

    /// One of so many words. The probability of word `n` is roughly proportional to `1 / n`.
    fn word_of(&mut self, words: usize) -> usize {
        let power: f64 = self.0.random_range(0.0..1.0);
        (words as f64).powf(power) as usize - 1
    }
}
