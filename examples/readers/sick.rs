//! Pairs of sentences with their dependency trees, as in the table of SICK (Marelli et al., 2014),
//! with the parses of Tai et al. (2015).

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::dependencies::circle;
use crate::lines::{LineError, Lines, items};

/// Two sentences and their relatedness as rated by people, from 1 to 5.
pub struct Pair {
    pub sentences: [Parse; 2],
    pub score: f64,
}

/// The first pairs of a table with a heading.
pub fn read(mut lines: Lines, most: usize) -> Result<Vec<Pair>, LineError> {
    lines.heading("pair_id\t")?;
    lines.records(most, parse)
}

/// A sentence, and the indices of its words in an order in which heads come after their dependents.
pub struct Parse {
    pub words: Vec<String>,
    heads: Vec<Option<usize>>,
    order: Vec<usize>,
}

impl Parse {
    /// A sentence, from its words and the index of each word's head, counted from 1; 0 marks the
    /// root.
    ///
    /// # Errors
    /// When the heads are not a tree over the words.
    pub fn new(tokens: &str, heads: &str) -> Result<Self, String> {
        let words: Vec<String> = items(tokens).map(str::to_owned).collect();
        let head = |text: &str| match text.parse::<usize>() {
            Ok(head) if head <= words.len() => Ok(head.checked_sub(1)),
            _ => Err(format!("expected a head from 0 to {}, found `{text}`", words.len())),
        };
        let heads = items(heads).map(head).collect::<Result<Vec<_>, _>>()?;
        if heads.len() != words.len() {
            return Err(format!("{} words have {} heads", words.len(), heads.len()));
        }
        let roots = heads.iter().filter(|head| head.is_none()).count();
        if roots != 1 {
            return Err(format!("a sentence has one root, not {roots}"));
        }
        // The order, completed by words whose dependents are all in it (topological sort).
        let mut waiting = vec![0_usize; words.len()];
        heads.iter().flatten().for_each(|head| waiting[*head] += 1);
        let mut order: Vec<usize> = (0..words.len()).filter(|word| waiting[*word] == 0).collect();
        let mut next = 0;
        while let Some(&word) = order.get(next) {
            next += 1;
            if let Some(head) = heads[word] {
                waiting[head] -= 1;
                if waiting[head] == 0 {
                    order.push(head);
                }
            }
        }
        match circle(&heads) {
            Some(reason) => Err(reason),
            None => Ok(Self { words, heads, order }),
        }
    }

    /// The indices of the words, each after all of its dependents, with the positions of these
    /// dependents in the result. The root is the last.
    pub fn bottom_up(&self) -> Vec<(usize, Vec<usize>)> {
        let mut place = vec![0; self.words.len()];
        self.order.iter().enumerate().for_each(|(position, word)| place[*word] = position);
        let mut sentence: Vec<_> = self.order.iter().map(|word| (*word, Vec::new())).collect();
        for (word, head) in self.heads.iter().enumerate() {
            if let Some(head) = head {
                sentence[place[*head]].1.push(place[word]);
            }
        }
        sentence
    }
}

/// Pair number, score, entailment, and for each sentence: tokens, heads, relations, constituents.
fn parse(line: &str) -> Result<Pair, String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [_, score, _, a, heads_a, _, _, b, heads_b, _, _] = fields[..] else {
        return Err(format!("expected 11 fields between tabs, found {}", fields.len()));
    };
    let score = match score.parse::<f64>() {
        Ok(value) if (1.0..=5.0).contains(&value) => value,
        _ => return Err(format!("expected a score from 1 to 5, found `{score}`")),
    };
    let of = |name: &str, parse: Result<Parse, String>| {
        parse.map_err(|reason| format!("sentence {name}: {reason}"))
    };
    let sentences = [of("a", Parse::new(a, heads_a))?, of("b", Parse::new(b, heads_b))?];
    Ok(Pair { sentences, score })
}

/// The words of generated sentences.
pub const DRAWN: [&str; 5] = ["w0", "w1", "w2", "w3", "w4"];

/// Generates a pair of sentences of four words each; the relatedness is the number of shared words,
/// plus one. The first word, which is the head of all others, counts as shared only if it is also
/// the first of the other sentence.
pub fn draw(rng: &mut ChaCha8Rng) -> Pair {
    let words: [(usize, usize); 4] = std::array::from_fn(|_| {
        let (a, b) = (rng.random_range(0..5), rng.random_range(0..5));
        (a, if rng.random_bool(0.5) { a } else { b })
    });
    let [a, b] = [words.map(|(a, _)| a), words.map(|(_, b)| b)];
    let count = |sentence: &[usize; 4], word| sentence[1..].iter().filter(|w| **w == word).count();
    let shared = (0..5).map(|word| count(&a, word).min(count(&b, word))).sum::<usize>();
    let shared = shared + usize::from(a[0] == b[0]);
    let tree = |words: [usize; 4]| Parse::new(&words.map(|word| DRAWN[word]).join(" "), "0 1 1 1");
    let sentences = [a, b].map(|words| tree(words).expect("this is a tree"));
    Pair { sentences, score: 1.0 + shared as f64 }
}
