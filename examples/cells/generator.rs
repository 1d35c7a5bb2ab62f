//! A generator of trees from the top down: it reads a sentence and decides how its tree branches, as
//! that of Dong and Lapata (2016, "Language to logical form with neural attention", section 3.2),
//! but all open symbols of all trees at once.

use std::collections::BTreeSet;
use std::mem::take;

use edb::Element;
use edb::engine::GrowingGraph;
use edb::prelude::*;

use crate::decoder::{Attended, Heard, Said, attend, expand, judge, say};
use crate::encoder_decoder::{Encoder, Key, TABLE, Word};
use crate::lstm::Memory;
use readers::derivation::{Derivation, Symbol};
use support::vocabulary::Vocabulary;

/// The generator; of two, the first is for phrases, the second for leaves.
pub struct Generator {
    words: Vocabulary,
    pub productions: [Vec<Production>; 2],
    /// The most parts of a phrase.
    most: usize,
    encoder: Encoder,
    expand: Function<expand>,
    attend: Function<attend>,
    say: [Function<say>; 2],
    judge: [Function<judge>; 2],
}

/// A tree that grows.
pub struct Tree {
    keys: Vec<Vertex<Key>>,
    root: Option<Vertex<Memory>>,
    pub symbols: Vec<Symbol>,
    /// How many of them are leaves.
    pub leaves: usize,
    /// The symbols whose productions are being decided, in the order of their decisions.
    open: [Vec<Open>; 2],
}

/// A symbol without its production: its number, that of the same symbol in the gold tree, and what
/// its parts are to know.
struct Open {
    number: usize,
    gold: usize,
    memory: Vertex<Memory>,
    seen: Vertex<Attended>,
}

/// A symbol's label, and which of its parts are leaves.
pub type Production = (String, Vec<bool>);

fn production(symbols: &[Symbol], Symbol { label, parts }: &Symbol) -> Production {
    (label.clone(), parts.iter().map(|part| symbols[*part].parts.is_empty()).collect())
}

/// The productions of trees, in order: those of phrases, and those of leaves.
pub fn productions(trees: &[Derivation]) -> [Vec<Production>; 2] {
    let mut found = [BTreeSet::new(), BTreeSet::new()];
    for Derivation { symbols, .. } in trees {
        for symbol in symbols {
            found[usize::from(symbol.parts.is_empty())].insert(production(symbols, symbol));
        }
    }
    found.map(|all| all.into_iter().collect())
}

impl Generator {
    /// Adds the functions to a model, for the words and productions of the training split.
    pub fn new(builder: &mut ModelBuilder, train: &[Derivation], hidden: usize) -> Self {
        let words = train.iter().flat_map(|sentence| &sentence.words).map(String::as_str);
        let words = Vocabulary::new(words, 1);
        let productions = productions(train);
        let most = productions[0].iter().map(|(_, parts)| parts.len()).max().unwrap_or(0);
        // A row for each part of each production, and one for the root.
        let places = dims! { V: 1 + productions[0].len() * most, X: hidden, H: hidden };
        let kinds = [("phrase", productions[0].len()), ("leaf", productions[1].len())];
        let judges = kinds.map(|(kind, size)| dims! { V: size }.named(format!("judge_{kind}")));
        Self {
            encoder: Encoder::new(builder, words.size(), hidden),
            expand: builder.add(places.init("table", TABLE)),
            attend: builder.add(dims! { H: hidden }),
            say: kinds.map(|(kind, size)| builder.add(dims! { V: size, H: hidden }.named(kind))),
            judge: judges.map(|dims| builder.add(dims)),
            words,
            productions,
            most,
        }
    }

    /// A graph that reads the sentence, and its tree, which has nothing yet.
    pub fn begin<T: Element>(&self, model: &Model<T>, words: &[String]) -> (Graph<T>, Tree) {
        let mut g = model.graph();
        let words: Vec<u32> = words.iter().map(|word| self.words.id(word)).collect();
        let (keys, root) = self.encoder.read(&mut g, &words);
        (g, Tree { keys, root, symbols: Vec::new(), leaves: 0, open: [Vec::new(), Vec::new()] })
    }

    /// Decides the productions of all open symbols, by the gold tree if there is one, and opens
    /// their parts.
    pub fn turn<T: Element>(
        &self,
        g: &mut GrowingGraph<'_, T>,
        tree: &mut Tree,
        gold: Option<&[Symbol]>,
    ) {
        if let Some(root) = tree.root.take() {
            return self.open(g, tree, (root, None), [0, 0], false);
        }
        for (kind, open) in take(&mut tree.open).into_iter().enumerate() {
            let known = &self.productions[kind];
            for (open, (_, said)) in open.into_iter().zip(g.decided(&self.say[kind])) {
                let Said { mut word, scores } = said;
                if let Some(gold) = gold {
                    let right = known.binary_search(&production(gold, &gold[open.gold]));
                    word = (right.expect("it is a tree of the training split") as u32).into();
                    g.add(&self.judge[kind], (), Heard { scores, gold: word });
                }
                let (label, parts) = &known[word.0 as usize];
                tree.symbols[open.number].label.clone_from(label);
                for (part, is_leaf) in parts.iter().enumerate() {
                    let new = tree.symbols.len();
                    // A tree that does not end is cut off.
                    if new < 8 * (tree.keys.len() + 1) {
                        tree.symbols[open.number].parts.push(new);
                        let gold = gold.map_or(0, |gold| gold[open.gold].parts[part]);
                        let place = 1 + word.0 as usize * self.most + part;
                        self.open(g, tree, (open.memory, Some(open.seen)), [gold, place], *is_leaf);
                    }
                }
            }
        }
    }

    /// Opens a symbol: the root, or one at a place below another.
    fn open<T: Element>(
        &self,
        g: &mut GrowingGraph<'_, T>,
        tree: &mut Tree,
        above: (Vertex<Memory>, Option<Vertex<Attended>>),
        [gold, place]: [usize; 2],
        is_leaf: bool,
    ) {
        let memory = g.add(&self.expand, above, Word { id: (place as u32).into() });
        let seen = g.add(&self.attend, (memory, &tree.keys[..]), ());
        g.add(&self.say[usize::from(is_leaf)], [seen], ());
        let number = tree.symbols.len();
        tree.open[usize::from(is_leaf)].push(Open { number, gold, memory, seen });
        tree.symbols.push(Symbol::default());
        tree.leaves += usize::from(is_leaf);
    }
}
