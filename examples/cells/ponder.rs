//! A tagger that thinks about each word as long as the word needs: adaptive computation time
//! (Graves, 2016, "Adaptive computation time for recurrent neural networks", section 2), with one
//! step of thought inside of a vertex.
//!
//! ```text
//! x = W E_word + b          s⁰ = h_before          sᵏ = tanh(x + U sᵏ⁻¹)
//! pᵏ = σ(a · sᵏ + easy · x + b_a)
//! ```
//!
//! Thinking ends with the first step `n` at which `Σ pᵏ` is at least 0.99; the last `p` is what is
//! left to 1. The state is `h = Σ pᵏ sᵏ`, and thinking costs `Σ (1 - p¹ - .. - pᵏ)`.

use edb::Element;
use edb::prelude::*;

use crate::tagging::{Gold, Scores};
use readers::corpus::Record;

/// What has been thought so far.
#[derive(State)]
pub struct Thought {
    pub h: Tensor,
}

/// A word.
#[derive(Input)]
pub struct Word {
    pub id: Index,
}

/// Thinks about a word.
#[vertex_function]
pub fn ponder(
    #[dim(H)] size: Dim,
    #[param(V, H)] table: Tensor,
    #[param(H, H)] w: Tensor,
    #[param(H, H)] u: Tensor,
    #[param(H)] b: Tensor,
    #[param(H)] halt: Tensor,
    #[param(1, H)] easy: Tensor,
    #[param(1)] easy_b: Tensor,
) {
    let Word { id } = pull();
    let before = gather_or(0, Thought { h: zeros(size) });
    let x = w.dot(table.row(id)) + b;
    let easy = (easy.dot(x) + easy_b).sum();
    let (mut s, mut h) = (before.h, zeros(size));
    let (mut halted, mut cost) = (scalar(0.0), scalar(0.0));
    while halted < 0.99 {
        s = (x + u.dot(s)).tanh();
        let p = (halt.dot(s) + easy).sigmoid();
        let p = if halted + p < 0.99 { p } else { 1.0 - halted };
        h += p * s;
        halted += p;
        cost += 1.0 - halted;
    }
    scatter(Thought { h });
    loss(0.003 * cost);
}

/// The tag of a word, from what was thought about it in both directions.
#[vertex_function]
pub fn decide(#[param(K, 2 * H)] v: Tensor, #[param(K)] b: Tensor) {
    let [forward, backward]: [Thought; 2] = [gather(0), gather(1)];
    let Gold { tag } = pull();
    let logits = v.dot(concat([forward.h, backward.h]).dropout(0.3)) + b;
    push(Scores { logits });
    loss(cross_entropy(logits, tag));
}

/// The tagger in a model: the first of the directions reads forward.
pub struct Ponderer {
    pub directions: [Function<ponder>; 2],
    pub decide: Function<decide>,
}

/// A sentence as a graph: the vertices that think about its words in both directions, and those
/// that tag them.
pub struct Pondering<T> {
    pub graph: Graph<T>,
    pub thoughts: [Vec<Vertex<Thought>>; 2],
    pub tags: Vec<Vertex<()>>,
}

impl Ponderer {
    /// Adds the functions to a model. The directions share the vectors of words.
    pub fn new(builder: &mut ModelBuilder, words: usize, tags: usize, hidden: usize) -> Self {
        // At first a word takes about eight steps.
        let (easy, halt) = (Initializer::Constant(-2.0), Initializer::Uniform { bound: 0.1 });
        let direction = |name| {
            let setup = dims! { V: words, H: hidden }.named(name);
            setup.init("easy_b", easy).init("halt", halt)
        };
        let table = Initializer::Uniform { bound: 0.5 };
        let forward = builder.add::<ponder>(direction("forward").init("table", table));
        let shared = forward.param("table");
        let backward = builder.add::<ponder>(direction("backward").share("table", shared));
        let decide = builder.add(dims! { H: hidden, K: tags });
        Self { directions: [forward, backward], decide }
    }

    /// A sentence as a graph.
    pub fn graph<T: Element>(&self, model: &Model<T>, sentence: &[Record]) -> Pondering<T> {
        let mut graph = model.graph();
        let [forward, backward] = &self.directions;
        let word = |record: &Record| Word { id: record.id.into() };
        let mut before = None;
        let mut think = |f: &Function<ponder>, before: &mut Option<_>, record: &Record| {
            let vertex = graph.add(f, [*before], word(record));
            *before = Some(vertex);
            vertex
        };
        let forth: Vec<_> =
            sentence.iter().map(|record| think(forward, &mut before, record)).collect();
        before = None;
        let mut back: Vec<_> =
            sentence.iter().rev().map(|record| think(backward, &mut before, record)).collect();
        back.reverse();
        let pairs = forth.iter().zip(&back).zip(sentence);
        let tags = pairs
            .map(|((f, b), record)| {
                graph.add(&self.decide, [*f, *b], Gold { tag: record.tag.into() })
            })
            .collect();
        Pondering { graph, thoughts: [forth, back], tags }
    }
}
