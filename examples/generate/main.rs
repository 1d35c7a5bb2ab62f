//! Trees from the top down: a generator reads a sentence and decides how its tree branches, as that
//! of Dong and Lapata (2016, "Language to logical form with neural attention", section 3.2), but
//! all open symbols of all trees at once.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::mem::take;
use std::process::ExitCode;

use clap::Parser;
use edb::Element;
use edb::engine::GrowingGraph;
use edb::metrics::F1;
use edb::prelude::*;

use cells::decoder::{Attended, Heard, Said, attend, expand, judge, say};
use cells::encoder_decoder::{Encoder, Key, TABLE, Word};
use cells::lstm::Memory;
use readers::derivation::{self, Derivation, Span, Symbol, spans};
use readers::source::Source;
use support::fit::Recipe;
use support::measure::Measures;
use support::vocabulary::Vocabulary;
use support::{Options, Result};

#[derive(Parser)]
#[command(
    about = "Trains a generator of trees, by default those of generated arithmetic",
    after_help = "The folder of --data holds wsj_sample_bin.txt, a tree `(S (NN work) (VBZ \
        ends))` a line, plain or gzip'd. Sentences are read as tags; their last twentieth is for \
        test, the one before for dev."
)]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    source: Source,
    /// Leave out the longer sentences of --data
    #[arg(long, default_value_t = 20)]
    longest: usize,
}

/// The generator; of two, the first is for phrases, the second for leaves.
struct Generator {
    words: Vocabulary,
    /// The labels, each with which of the parts are leaves; in order.
    productions: [Vec<(String, Vec<bool>)>; 2],
    /// The most parts of a phrase.
    most: usize,
    encoder: Encoder,
    expand: Function<expand>,
    attend: Function<attend>,
    say: [Function<say>; 2],
    judge: [Function<judge>; 2],
}

/// A tree that grows.
struct Tree {
    keys: Vec<Vertex<Key>>,
    root: Option<Vertex<Memory>>,
    symbols: Vec<Symbol>,
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
fn production(symbols: &[Symbol], Symbol { label, parts }: &Symbol) -> (String, Vec<bool>) {
    (label.clone(), parts.iter().map(|part| symbols[*part].parts.is_empty()).collect())
}

impl Generator {
    /// Adds the functions to a model, for the words and productions of the training split.
    fn new(builder: &mut ModelBuilder, train: &[Derivation], hidden: usize) -> Self {
        let words = train.iter().flat_map(|sentence| &sentence.words).map(String::as_str);
        let words = Vocabulary::new(words, 1);
        let mut found = [BTreeSet::new(), BTreeSet::new()];
        for Derivation { symbols, .. } in train {
            for symbol in symbols {
                found[usize::from(symbol.parts.is_empty())].insert(production(symbols, symbol));
            }
        }
        let productions = found.map(|all| all.into_iter().collect::<Vec<_>>());
        let most = productions[0].iter().map(|(_, parts)| parts.len()).max().unwrap_or(0);
        // A row for each part of each production, and one for the root.
        let places = dims! { V: 1 + productions[0].len() * most, X: hidden, H: hidden };
        let kinds = [("phrase", productions[0].len()), ("leaf", productions[1].len())];
        let judges = kinds.map(|(kind, size)| dims! { V: size }.named(&format!("judge_{kind}")));
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
    fn begin<T: Element>(&self, model: &Model<T>, words: &[String]) -> (Graph<T>, Tree) {
        let mut g = model.graph();
        let words: Vec<u32> = words.iter().map(|word| self.words.id(word)).collect();
        let (keys, root) = self.encoder.read(&mut g, &words);
        (g, Tree { keys, root, symbols: Vec::new(), open: [Vec::new(), Vec::new()] })
    }

    /// Decides the productions of all open symbols, by the gold tree if there is one, and opens
    /// their parts.
    fn grow<T: Element>(
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
    }

    /// Takes a training step over gold trees.
    fn step(&self, trainer: &mut Trainer, trees: &[&Derivation]) -> Result<f64> {
        let begin = |gold: &&Derivation| self.begin(trainer.model(), &gold.words);
        let (graphs, mut grown): (Vec<_>, Vec<_>) = trees.iter().map(begin).unzip();
        let mut growth = trainer.grow(graphs)?;
        while let Some(round) = growth.round()? {
            for mut g in round {
                let place = g.place();
                self.grow(&mut g, &mut grown[place], Some(&trees[place].symbols));
            }
        }
        Ok(growth.step()?.loss)
    }

    /// The trees that are generated for sentences.
    fn generate(
        &self,
        trainer: &mut Trainer,
        sentences: &[Derivation],
    ) -> Result<Vec<Vec<Symbol>>> {
        let begin = |sentence: &Derivation| self.begin(trainer.model(), &sentence.words);
        let (graphs, mut grown): (Vec<_>, Vec<_>) = sentences.iter().map(begin).unzip();
        let mut growth = trainer.grow_infer(graphs)?;
        while let Some(round) = growth.round()? {
            for mut g in round {
                let place = g.place();
                self.grow(&mut g, &mut grown[place], None);
            }
        }
        Ok(grown.into_iter().map(|tree| tree.symbols).collect())
    }

    /// The share of trees that are generated as they should be, and F1 of the phrases.
    fn measure(&self, trainer: &mut Trainer, trees: &[Derivation]) -> Result<Measures> {
        let (mut exact, mut phrases) = (0, F1::default());
        for trees in trees.chunks(32) {
            let said = self.generate(trainer, trees)?;
            for (said, Derivation { symbols, .. }) in said.iter().zip(trees) {
                let (said, gold) = (spans(said), spans(symbols));
                exact += usize::from(said == gold);
                phrases.merge(&brackets(&said, &gold));
            }
        }
        Ok(vec![("exact", exact as f64 / trees.len() as f64), ("f1", phrases.f1())])
    }
}

/// How many of the phrases are right; phrases `@X`, which make a tree binary, do not count.
fn brackets(said: &[Span<'_>], gold: &[Span<'_>]) -> F1 {
    let is_phrase = |(.., is_leaf, label): &&Span<'_>| !is_leaf && !label.starts_with('@');
    let mut rest: Vec<_> = gold.iter().filter(is_phrase).collect();
    let (targets, mut predicted) = (rest.len(), 0);
    for span in said.iter().filter(is_phrase) {
        predicted += 1;
        if let Some(place) = rest.iter().position(|gold| *gold == span) {
            rest.swap_remove(place);
        }
    }
    F1 { hits: (targets - rest.len()) as u64, predicted, targets: targets as u64 }
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(cli: &Cli) -> Result<()> {
    let Cli { options, source, longest } = cli;
    let splits = derivation::read(source, *longest)?.filled()?;
    let (hidden, epochs) = if source.data.is_some() { (128, 40) } else { (64, 10) };
    let mut builder = ModelBuilder::new();
    let f = Generator::new(&mut builder, &splits.train, options.hidden.unwrap_or(hidden));
    let known = f.productions.each_ref().map(Vec::len);
    println!("{} trees to train on, of {known:?} productions", splits.train.len());
    let recipe = Recipe { epochs, batch: 32, rate: 3e-3, decay: true, falls: false };
    let mut found = recipe.run_steps(
        options,
        builder.build(options.seed)?,
        &splits,
        |trainer, trees, _| f.step(trainer, trees),
        |trainer, trees| f.measure(trainer, trees),
        |_| Ok(Vec::new()),
    )?;
    let exact = found.get("test_exact").cloned().unwrap_or_default();
    found.insert("exact".into(), exact);
    options.print(found);
    Ok(())
}
