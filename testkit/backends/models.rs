//! Models of the cells of the examples and tests, each with graphs.

use edb::Element;
use edb::model::Setup;
use edb::prelude::*;
use rand::{Rng, RngExt};

use crate::zoo::{Sentiment, Zoo, listops, rng, sentiment as judged};

use example_cells::lattice_lstm::{self, LatticeLstm};
use example_cells::tree_lstm::{self, TreeLstm};
use example_cells::{mv_rnn, tree_gru};
use readers::lattice::{Character, Lattice, Word};

/// A model and some graphs over it.
pub struct Case<T: Element> {
    pub name: &'static str,
    pub model: Model<T>,
    pub graphs: Vec<Graph<T>>,
}

const WORDS: usize = 9;
const CLASSES: usize = 3;

/// A random tree, built by `leaf` and `inner`.
fn tree<V: Copy>(
    rng: &mut impl Rng,
    leaves: usize,
    mut leaf: impl FnMut(u32, u32) -> V,
    mut inner: impl FnMut(V, V, u32) -> V,
) -> V {
    let mut label = {
        let mut labels = 0;
        move || {
            labels += 1;
            labels % CLASSES as u32
        }
    };
    let mut open: Vec<V> =
        (0..leaves).map(|_| leaf(rng.random_range(0..WORDS as u32), label())).collect();
    while open.len() > 1 {
        let left = rng.random_range(0..open.len() - 1);
        let right = open.remove(left + 1);
        open[left] = inner(open[left], right, label());
    }
    open[0]
}

/// The Tree-LSTM of the workloads, whose classifiers share their parameters.
fn tree_lstm<T: Element>(hidden: usize) -> Case<T> {
    let mut builder = ModelBuilder::new();
    let TreeLstm { leaf, inner } = TreeLstm::new(&mut builder, WORDS, hidden, CLASSES);
    let model = builder.build_as(1).unwrap();
    let mut rng = rng(1);
    let graph = |leaves: usize| {
        let g = std::cell::RefCell::new(model.graph());
        let word = |id: u32, label: u32| {
            let word = tree_lstm::Word { id: id.into(), label: label.into() };
            g.borrow_mut().add(&leaf, (), word)
        };
        let phrase = |l, r, label: u32| {
            g.borrow_mut().add(&inner, [l, r], tree_lstm::Gold { label: label.into() })
        };
        tree(&mut rng, leaves, word, phrase);
        g.into_inner()
    };
    let graphs = [5, 1, 8, 3].map(graph).into();
    Case { name: "tree_lstm", model, graphs }
}

/// A model of one function, and the function.
pub fn model_of<F: VertexFunction, T: Element>(setup: Setup, seed: u64) -> (Model<T>, Function<F>) {
    let mut builder = ModelBuilder::new();
    let function = builder.add::<F>(setup);
    (builder.build_as(seed).expect("the function's dimensions are given"), function)
}

/// A model of trees with so many leaves, whose root is judged.
macro_rules! judged_trees {
    ($cell:ident, $seed:literal, $leaves:expr, $sizes:expr) => {
        fn $cell<T: Element>(hidden: usize) -> Case<T> {
            let mut builder = ModelBuilder::new();
            let word_of: fn(usize) -> Setup = $sizes;
            let word = builder.add::<$cell::word>(word_of(hidden));
            let phrase = builder.add::<$cell::phrase>(dims! { H: hidden });
            let judge = builder.add::<$cell::sentiment>(dims! { C: CLASSES, H: hidden });
            let model = builder.build_as($seed).unwrap();
            let mut rng = rng($seed);
            let graph = |leaves: usize| {
                let g = std::cell::RefCell::new(model.graph());
                let root = tree(
                    &mut rng,
                    leaves,
                    |id, _| g.borrow_mut().add(&word, (), judged::Word { id: id.into() }),
                    |l, r, _| g.borrow_mut().add(&phrase, [l, r], ()),
                );
                let mut g = g.into_inner();
                g.add(&judge, [root], judged::Gold { label: ($seed - 1_u32).into() });
                g
            };
            let graphs = $leaves.map(graph).into();
            Case { name: stringify!($cell), model, graphs }
        }
    };
}

judged_trees!(tree_gru, 2, [4, 7, 2], |hidden| dims! { V: WORDS, X: hidden, H: hidden });
// Matrices as values of vertices, and their products.
judged_trees!(mv_rnn, 3, [3, 6], |hidden| dims! { V: WORDS, H: hidden });

/// The lattice LSTM: words join the chain where they end.
fn lattice<T: Element>(hidden: usize) -> Case<T> {
    let mut builder = ModelBuilder::new();
    let functions = LatticeLstm::new(&mut builder, [WORDS, WORDS, CLASSES], hidden);
    let model = builder.build_as(4).unwrap();
    let mut rng = rng(4);
    let graph = |length: usize| {
        let character = |place: usize| {
            let words = rng.random_range(0..4_usize).min(place);
            let word = |_| Word {
                from: rng.random_range(0..place),
                id: rng.random_range(0..WORDS as u32),
            };
            let words = (0..words).map(word).collect();
            Character { id: rng.random_range(0..WORDS as u32), words }
        };
        let lattice: Lattice = (0..length).map(character).collect();
        let mut g = model.graph();
        for (place, state) in functions.cells.read(&mut g, &lattice).into_iter().enumerate() {
            let tag = (place as u32 % CLASSES as u32).into();
            g.add(&functions.tag, [state], lattice_lstm::Gold { tag });
        }
        g
    };
    let graphs = [6, 1, 9].map(graph).into();
    Case { name: "lattice_lstm", model, graphs }
}

/// Any number of children, each with its own kind of operator.
pub fn listops<T: Element>(hidden: usize) -> Case<T> {
    let mut builder = ModelBuilder::new();
    let digit = builder.add::<listops::digit>(dims! { D: 10, H: hidden });
    let init = Initializer::Uniform { bound: 1.0 };
    let dims = dims! { O: 4, H: hidden, M: 7, Z: 6 }.init("gates", init).init("b", init);
    let apply = builder.add::<listops::apply>(dims);
    let answer = builder.add::<listops::answer>(dims! { A: 10, H: hidden });
    let model = builder.build_as(5).unwrap();
    let mut rng = rng(5);
    let mut g = model.graph();
    let mut values = Vec::new();
    for arity in [0, 0, 0, 2, 1, 5, 0, 3] {
        let id = rng.random_range(0..4_u32).into();
        let value = match arity {
            0 => g.add(&digit, (), listops::Token { id }),
            _ => {
                let children: Vec<_> =
                    (0..arity).map(|_| values[rng.random_range(0..values.len())]).collect();
                g.add(&apply, &children, listops::Token { id })
            }
        };
        values.push(value);
        g.add(&answer, [value], listops::Gold { answer: 3_u32.into() });
    }
    Case { name: "listops", model, graphs: vec![g] }
}

/// The state that a paragraph passes to its parent.
#[derive(State)]
pub struct Text {
    pub h: Tensor,
}

/// The words of a paragraph, possibly none.
#[derive(Input)]
pub struct Paragraph {
    pub words: Indices,
    pub topic: Index,
    pub label: Index,
}

/// A bag of words, added to the states of the paragraphs below.
#[vertex_function]
pub fn paragraph(#[param(V, H)] table: Tensor, #[param(C, H)] w: Tensor, #[dim(H)] h: Dim) {
    let Paragraph { words, topic, label } = pull();
    let mut below = zeros(h);
    for text in gather_all::<Text>() {
        below += text.h * bag_size(words);
    }
    let h = (table.bag_mean(words) + table.row(topic) + below * 0.2).tanh();
    scatter(Text { h });
    loss(cross_entropy(w.dot(h), label));
}

/// Bags of indices, with repetitions, some of them empty.
fn bags<T: Element>(hidden: usize) -> Case<T> {
    let mut builder = ModelBuilder::new();
    let function = builder.add::<paragraph>(dims! { V: WORDS, H: hidden, C: CLASSES });
    let model = builder.build_as(9).unwrap();
    let mut rng = rng(9);
    let mut g = model.graph();
    let mut open: Vec<Vertex<Text>> = Vec::new();
    for number in 0..9_u32 {
        let size = rng.random_range(0..5);
        let words: Vec<u32> = (0..size).map(|_| rng.random_range(0..WORDS as u32)).collect();
        let topic: Index = (number % CLASSES as u32).into();
        let input = Paragraph { words: g.indices(words), topic, label: topic };
        let children = if number % 3 == 2 { std::mem::take(&mut open) } else { Vec::new() };
        open.push(g.add(&function, &children, input));
    }
    Case { name: "bags", model, graphs: vec![g] }
}

/// What a speaker passes on: the word that it chose.
#[derive(State)]
pub struct Spoken {
    pub h: Tensor,
    pub word: Index,
}

/// The word that should be said.
#[derive(Input)]
pub struct Gold {
    pub word: Index,
}

/// What a speaker says, and how likely that was.
#[derive(Output)]
pub struct Said {
    pub log_p: Tensor,
    pub word: Index,
    pub agrees: Tensor,
}

/// A speaker that reads the word that the one before has chosen.
#[vertex_function]
pub fn speak(
    #[param(V, H)] table: Tensor,
    #[param(H, H)] w: Tensor,
    #[param(V, H)] v: Tensor,
    #[dim(H)] size: Dim,
) {
    let Gold { word: gold } = pull();
    let before = gather_or(0, Spoken { h: zeros(size), word: Index(0) });
    let h = (w.dot(before.h) + table.row(before.word)).tanh();
    let scores = v.dot(h);
    let best = scores.argmax();
    let drawn = scores.sample();
    scatter(Spoken { h, word: best });
    let agrees = indicator(drawn == gold) * scores.max();
    push(Said { word: drawn, log_p: scores.log_softmax().pick(drawn), agrees });
    let regret = scores.detach().softmax().pick(gold) * scores.pick(best);
    loss(cross_entropy(scores, gold) + indicator(best != gold) * regret);
}

/// A listener, which looks words up for each speaker.
#[vertex_function]
pub fn listen(#[param(V, H)] table: Tensor, #[param(H, H)] own: Tensor, #[dim(H)] size: Dim) {
    let Gold { word: gold } = pull();
    let mut heard = zeros(size);
    for speaker in gather_all::<Spoken>() {
        let loudest = speaker.h.argmax();
        let told: Index = speaker.word;
        heard +=
            table.row(told) * speaker.h.pick(loudest) + own.row(loudest) * indicator(told == gold);
    }
    let heard = heard.tanh();
    scatter(Spoken { h: heard, word: gold });
    loss(heard.pick(heard.sample()));
}

/// Indices that are computed, passed on, looked up in loops, compared and pushed.
fn decisions<T: Element>(hidden: usize) -> Case<T> {
    let mut builder = ModelBuilder::new();
    let speak = builder.add::<speak>(dims! { V: WORDS, H: hidden });
    let listen = builder.add::<listen>(dims! { V: WORDS, H: hidden });
    let model = builder.build_as(11).unwrap();
    let mut rng = rng(11);
    let mut gold = move || Gold { word: rng.random_range(0..WORDS as u32).into() };
    let graphs = [1, 4, 9].map(|length| {
        let mut g = model.graph();
        let mut all: Vec<Vertex<Spoken>> = Vec::new();
        for place in 0..length {
            let word = g.add(&speak, [all.last().copied()], gold());
            all.push(word);
            if place % 3 == 2 {
                let heard = g.add(&listen, &all, gold());
                all = vec![heard];
            }
        }
        g.add(&listen, &[], gold());
        g
    });
    Case { name: "decisions", model, graphs: graphs.into() }
}

/// What a thinker passes on.
#[derive(State)]
pub struct Thought {
    pub h: Tensor,
    pub word: Index,
}

/// What a thinker hears.
#[derive(Input)]
pub struct Heard {
    pub words: Indices,
    pub word: Index,
    pub x: Tensor,
}

/// What it tells.
#[derive(Output)]
pub struct Told {
    pub x: Tensor,
    pub word: Index,
}

/// Thinks as long as it takes, and ends in one of three ways.
#[vertex_function]
pub fn think(
    #[dim(H)] size: Dim,
    #[param(V, H)] table: Tensor,
    #[param(H, H)] w: Tensor,
    #[param(H, H)] u: Tensor,
    #[param(H)] halt: Tensor,
    #[param(3, H)] route: Tensor,
) {
    let Heard { words, word, x } = pull();
    let before = gather_or(0, Thought { h: zeros(size), word: Index(0) });
    let x = (x + table.row(word)).dropout(0.2);
    let (mut s, mut sum, mut halted) = (before.h, zeros(size), scalar(0.0));
    while halted < 0.9 {
        s = (x + u.dot(s) + 0.1 * table.bag_sum(words)).tanh();
        let p = halt.dot(s.dropout(0.3)).sigmoid() * 0.5 + 0.1;
        let guess = s.variational_dropout(0.2).sample();
        s += 0.1 * one_hot(guess, size);
        halted += p;
        sum += p * s;
        loss(0.1 * halted);
    }
    let last: Index = before.word;
    let expert = route.dot(sum).argmax();
    let (h, said) = match expert {
        Index(0) => (w.dot(sum).tanh(), word),
        Index(1) => {
            let mut heard = sum;
            for child in gather_all::<Thought>() {
                heard += u.dot(child.h).dropout(0.4);
            }
            (heard.tanh().noise(0.1), last)
        }
        _ => (0.5 * sum, last),
    };
    let mut h = h;
    for child in gather_all::<Thought>() {
        h += 0.1 * child.h.dropout(0.2);
    }
    scatter(Thought { h, word: said });
    push(Told { x: h, word: said });
    loss(h.square().sum());
}

/// Loops by values, and arms that do work: sections, with draws, bags, pushed values and indices.
fn sections<T: Element>(hidden: usize) -> Case<T> {
    let mut builder = ModelBuilder::new();
    let bound = Initializer::Uniform { bound: 0.7 };
    let think = builder.add::<think>(dims! { V: WORDS, H: hidden }.init("halt", bound));
    let model = builder.build_as(12).unwrap();
    let mut rng = rng(12);
    let graphs = [1, 6, 12].map(|size| {
        let mut g = model.graph();
        let mut all: Vec<Vertex<Thought>> = Vec::new();
        for place in 0..size {
            let words: Vec<u32> = (0..place % 4).map(|word| word as u32).collect();
            let (words, word) = (g.indices(words), rng.random_range(0..WORDS as u32).into());
            let x = match all.last().filter(|_| place % 3 == 1) {
                Some(last) => g.output(&think, *last).x,
                None => {
                    let row: Vec<T> =
                        (0..hidden).map(|_| T::from_f64(rng.random_range(-1.0..1.0))).collect();
                    g.tensor(&row)
                }
            };
            let first = all.last().copied().filter(|_| place % 5 != 4);
            let rest = &all[..all.len().min(place % 3)];
            let vertex = g.add(&think, (first, rest), Heard { words, word, x });
            all.push(vertex);
        }
        g
    });
    Case { name: "sections", model, graphs: graphs.into() }
}

/// What a node has below it: a matrix, and what is constant.
#[derive(State)]
pub struct Below {
    pub all: Tensor,
    pub scale: Tensor,
    pub same: Tensor,
}

/// A large matrix and a small one.
#[derive(Input)]
pub struct Sites {
    pub letters: Tensor,
    pub branch: Tensor,
}

/// What a node shows.
#[derive(Output)]
pub struct Shown {
    pub all: Tensor,
    pub same: Tensor,
    pub letters: Tensor,
}

/// Matrices that are pulled, multiplied and detached, in every place where a value may stand.
#[vertex_function]
pub fn node(#[param(H)] w: Tensor, #[param(H, 3)] own: Tensor, #[dim(H)] sites: Dim) {
    let Sites {
        #[shape(H, 3)]
        letters,
        #[shape(3, 3)]
        branch,
    } = pull();
    let l = gather_or(0, Below { all: own, scale: zeros(sites), same: zeros(sites) });
    let r = gather_or(1, Below { all: own.detach(), scale: w.detach(), same: zeros(sites) });
    let both = l.all * r.all + letters;
    let most = both.row_max().detach();
    let all = (both * (1.0 / (1.0 + most.square())).repeat_columns(3)).dot(branch);
    let same = l.same.detach() + r.scale;
    scatter(Below { all, scale: same.detach(), same });
    push(Shown { all: all.detach(), same: same.detach(), letters });
    let seen = all.detach().dot(w.slice(0..3)) * same;
    loss(seen.sum() + letters.dot(w.slice(0..3)).detach().sum());
}

/// What is computed again, and what is detached.
pub fn detached<T: Element>(hidden: usize) -> Case<T> {
    let mut builder = ModelBuilder::new();
    let node =
        builder.add::<node>(dims! { H: hidden }.init("w", Initializer::Uniform { bound: 0.7 }));
    let model = builder.build_as(13).unwrap();
    let mut rng = rng(13);
    let graphs = [1, 5, 12].map(|size| {
        let mut g = model.graph();
        let mut all: Vec<Vertex<Below>> = Vec::new();
        for place in 0..size {
            let mut tensor = |length: usize| {
                let row: Vec<T> =
                    (0..length).map(|_| T::from_f64(rng.random_range(-1.0..1.0))).collect();
                g.tensor(&row)
            };
            let (letters, branch) = (tensor(3 * hidden), tensor(9));
            let letters = match all.last().filter(|_| place % 4 == 3) {
                Some(last) => g.output(&node, *last).all,
                None => letters,
            };
            let children = [1, 3].map(|back| all.len().checked_sub(back).map(|at| all[at]));
            all.push(g.add(&node, children, Sites { letters, branch }));
        }
        g
    });
    Case { name: "detached", model, graphs: graphs.into() }
}

/// The Tree-LSTM of the sentiment example.
fn sentiment<T: Element>(hidden: usize) -> Case<T> {
    let (functions, model) = Sentiment::model::<T>(hidden, 6);
    let graphs = functions.trees(&model, 5, 9, 6).into_iter().map(|(graph, _)| graph).collect();
    Case { name: "sentiment", model, graphs }
}

/// Chains with optional children, GRUs, child-sums, attention over edges, dropout, pushed values.
fn zoo<T: Element>(hidden: usize, seed: u64) -> Case<T> {
    let (zoo, model) = Zoo::model::<T>(hidden, seed);
    let mut rng = rng(seed);
    let graphs = [12, 1, 25].map(|size| zoo.graph(&model, size, &mut rng)).into();
    Case { name: "zoo", model, graphs }
}

/// All models. With 5 units, states are read element by element; with 8, in accesses of 16 bytes;
/// with 16 and more, rows are padded.
pub fn all<T: Element>(hidden: usize) -> Vec<Case<T>> {
    vec![
        tree_lstm(hidden),
        tree_gru(hidden),
        mv_rnn(hidden),
        lattice(hidden),
        listops(hidden),
        bags(hidden),
        decisions(hidden),
        sections(hidden),
        detached(hidden),
        sentiment(hidden),
        zoo(hidden, 7),
    ]
}
