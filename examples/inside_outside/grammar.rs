//! Grammars: read off trees, drawn at random, and as parameters of a model.

use std::collections::HashMap;

use edb::prelude::*;
use rand::RngExt as _;
use rand::rngs::ChaCha8Rng;
use readers::derivation::{Derivation, Symbol};

/// Probabilities of rules; the last symbol stands for all that are rare.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub symbols: Vec<String>,
    pub words: Vec<String>,
    /// Of each word and symbol; below, of each pair and symbol, and of each symbol that it is the whole.
    pub emit: Vec<f64>,
    pub rules: Vec<f64>,
    pub start: Vec<f64>,
}

/// How many names to keep, and their numbers; what is rarer has the last one.
fn numbers<'a>(
    names: impl Iterator<Item = &'a str>,
    most: usize,
) -> (Vec<String>, HashMap<String, usize>) {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    names.for_each(|name| *counts.entry(name).or_default() += 1);
    let mut names: Vec<_> = counts.into_iter().collect();
    names.sort_unstable_by(|(a, m), (b, n)| n.cmp(m).then(a.cmp(b)));
    if names.len() > most {
        names.truncate(most - 1);
        names.push(("(rare)", 0));
    }
    let names: Vec<String> = names.into_iter().map(|(name, _)| name.to_owned()).collect();
    (names.clone(), names.into_iter().enumerate().map(|(number, name)| (name, number)).collect())
}

impl Rules {
    /// The grammar of binary trees, with at most so many symbols: each rule as often as it is there. Words are the labels of
    /// leaves.
    pub(crate) fn of_trees(trees: &[Derivation], symbols: usize) -> Self {
        let labels =
            trees.iter().flat_map(|tree| &tree.symbols).map(|symbol| symbol.label.as_str());
        let (symbols, of_label) = numbers(labels, symbols);
        let (words, of_word) =
            numbers(trees.iter().flat_map(|tree| &tree.words).map(String::as_str), usize::MAX);
        let count = symbols.len();
        let symbol = |symbol: &Symbol| of_label.get(&symbol.label).copied().unwrap_or(count - 1);
        let mut found = Self {
            emit: vec![0.0; words.len() * count],
            rules: vec![0.0; count * count * count],
            start: vec![0.0; count],
            symbols,
            words,
        };
        for tree in trees {
            found.start[symbol(&tree.symbols[0])] += 1.0;
            for own in &tree.symbols {
                match own.parts[..] {
                    [left, right] => {
                        let [left, right] = [left, right].map(|part| symbol(&tree.symbols[part]));
                        found.rules[(left * count + right) * count + symbol(own)] += 1.0;
                    }
                    _ => found.emit[of_word[&own.label] * count + symbol(own)] += 1.0,
                }
            }
        }
        found.normalise();
        found
    }

    /// A grammar in which each symbol has a few rules and a few words.
    pub(crate) fn random(symbols: usize, words: usize, rng: &mut ChaCha8Rng) -> Self {
        let mut found = Self {
            symbols: (0..symbols).map(|symbol| format!("S{symbol}")).collect(),
            words: (0..words).map(|word| format!("w{word}")).collect(),
            emit: vec![0.0; words * symbols],
            rules: vec![0.0; symbols * symbols * symbols],
            start: vec![1.0; symbols],
        };
        for symbol in 0..symbols {
            for _ in 0..3 {
                let pair = rng.random_range(0..symbols * symbols);
                found.rules[pair * symbols + symbol] += rng.random_range(0.1..0.3);
                found.emit[rng.random_range(0..words) * symbols + symbol] +=
                    rng.random_range(0.5..1.0);
            }
        }
        found.normalise();
        found
    }

    /// A tree of at most so many words.
    pub(crate) fn draw(&self, longest: usize, rng: &mut ChaCha8Rng) -> Derivation {
        let count = self.symbols.len();
        loop {
            let root = choose(self.start.iter().copied(), rng);
            let mut tree = Derivation { words: Vec::new(), symbols: vec![Symbol::default()] };
            let mut open = vec![(0, root)];
            while let Some((number, symbol)) = open.pop() {
                let words = (0..self.words.len()).map(|word| self.emit[word * count + symbol]);
                let rules = (0..count * count).map(|pair| self.rules[pair * count + symbol]);
                let chosen = choose(words.chain(rules), rng);
                if chosen < self.words.len() {
                    tree.words.push(self.words[chosen].clone());
                    tree.symbols[number].label = self.words[chosen].clone();
                    continue;
                }
                let pair = chosen - self.words.len();
                tree.symbols[number].label = self.symbols[symbol].clone();
                let first = tree.symbols.len();
                tree.symbols[number].parts = vec![first, first + 1];
                tree.symbols.extend([Symbol::default(), Symbol::default()]);
                open.push((first + 1, pair % count));
                open.push((first, pair / count));
                if tree.symbols.len() > 2 * longest {
                    break;
                }
            }
            if tree.symbols.len() == 2 * tree.words.len() - 1
                && (2..=longest).contains(&tree.words.len())
            {
                return tree;
            }
        }
    }

    /// Makes counts probabilities: those of all rules and words of a symbol, and those of all symbols, sum to 1.
    pub(crate) fn normalise(&mut self) {
        let count = self.symbols.len();
        for symbol in 0..count {
            let of = |list: &[f64]| list.iter().skip(symbol).step_by(count).sum::<f64>();
            let sum = of(&self.rules) + of(&self.emit);
            if sum > 0.0 {
                for list in [&mut self.rules, &mut self.emit] {
                    list.iter_mut().skip(symbol).step_by(count).for_each(|x| *x /= sum);
                }
            }
        }
        let sum: f64 = self.start.iter().sum();
        self.start.iter_mut().for_each(|x| *x /= sum);
    }

    /// The rules, words and beginnings of the parameters of a model, by name.
    pub(crate) fn lists(&mut self) -> [(&'static str, &mut Vec<f64>); 3] {
        [
            ("word.emit", &mut self.emit),
            ("span.rules", &mut self.rules),
            ("whole.start", &mut self.start),
        ]
    }

    /// Writes the logarithms of probabilities into the parameters of a model.
    pub(crate) fn write(&mut self, model: &mut Model<f64>) -> support::Result<()> {
        for (name, list) in self.lists() {
            let id = model.parameters().find(name).ok_or("the model has this parameter")?;
            let logs: Vec<f64> = list.iter().map(|x| x.ln()).collect();
            model.parameters_mut().get_mut(id).set_values(&logs)?;
        }
        Ok(())
    }
}

/// A number, as often as its weight says.
fn choose(weights: impl Iterator<Item = f64>, rng: &mut ChaCha8Rng) -> usize {
    let mut left = rng.random::<f64>();
    let mut last = 0;
    for (number, weight) in weights.enumerate().filter(|(_, weight)| *weight > 0.0) {
        last = number;
        left -= weight;
        if left < 0.0 {
            break;
        }
    }
    last
}
