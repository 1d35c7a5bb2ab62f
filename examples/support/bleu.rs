//! BLEU of translations (Papineni et al., 2002).

use std::collections::HashMap;

/// The counts of all translations from which their BLEU follows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bleu {
    /// By length, from one word to four: how many sequences of words were said, and how many of
    /// them were right.
    sequences: [[usize; 2]; 4],
    /// How many words were said, and how many the references have.
    words: [usize; 2],
}

impl Bleu {
    /// Adds a translation and its only reference.
    pub fn observe<W: Eq + std::hash::Hash>(&mut self, said: &[W], reference: &[W]) {
        for (length, [count, right]) in (1..).zip(&mut self.sequences) {
            let mut known: HashMap<&[W], usize> = HashMap::new();
            for sequence in reference.windows(length) {
                *known.entry(sequence).or_default() += 1;
            }
            for sequence in said.windows(length) {
                *count += 1;
                // As often as it is in the reference.
                if let Some(left) = known.get_mut(sequence).filter(|left| **left > 0) {
                    *left -= 1;
                    *right += 1;
                }
            }
        }
        self.words[0] += said.len();
        self.words[1] += reference.len();
    }

    /// BLEU, from 0 to 100; 0 if no sequence of four words is right.
    pub fn value(&self) -> f64 {
        self.with_more(0)
    }

    /// BLEU of one sentence: one is added to the counts of longer sequences, since there are few
    /// (Lin and Och, 2004).
    pub fn smoothed(&self) -> f64 {
        self.with_more(1)
    }

    fn with_more(&self, more: usize) -> f64 {
        let share = |(number, [count, right]): (usize, &[usize; 2])| {
            let more = if number > 0 { more } else { 0 };
            (*right + more) as f64 / (*count + more).max(1) as f64
        };
        let precision = self.sequences.iter().enumerate().map(share).product::<f64>().powf(0.25);
        let [said, reference] = self.words.map(|words| words as f64);
        100.0 * precision * (1.0 - reference / said.max(1.0)).min(0.0).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn translations_are_compared_with_their_references() {
        let bleu = |pairs: &[[&str; 2]]| {
            let mut found = Bleu::default();
            for pair in pairs {
                let [said, reference] = pair.map(|line| line.split(' ').collect::<Vec<_>>());
                found.observe(&said, &reference);
            }
            found.value()
        };
        assert_eq!(bleu(&[["a b c d", "a b c d"]]), 100.0);
        assert_eq!(bleu(&[["a b c", "a b c"]]), 0.0);
        // 5, 4, 3 and 2 of 6, 5, 4 and 3 sequences.
        let expected = 100.0 * (5.0 / 6.0 * 4.0 / 5.0 * 3.0 / 4.0 * 2.0 / 3.0_f64).powf(0.25);
        assert!((bleu(&[["a b c d e e", "a b c d e f"]]) - expected).abs() < 1e-9);
        // Four words for eight are too few.
        let short = bleu(&[["a b c d", "a b c d e f g h"]]);
        assert!((short - 100.0 * (-1.0_f64).exp()).abs() < 1e-9);
        assert_eq!(Bleu::default().value(), 0.0);
        // 2 of 3 words, then 1 of 2, 0 of 1 and 0 of 0 sequences, each with one more.
        let mut sentence = Bleu::default();
        sentence.observe(&["a", "b", "d"], &["a", "b", "c"]);
        let expected = 100.0 * (2.0 / 3.0 * 2.0 / 3.0 * 1.0 / 2.0_f64).powf(0.25);
        assert!((sentence.smoothed() - expected).abs() < 1e-9);
        assert_eq!(sentence.value(), 0.0);
    }
}
