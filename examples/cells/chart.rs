//! A probabilistic context-free grammar over a chart (Baker, 1979, "Trainable grammars for speech recognition").
//!
//! ```text
//! inside(i, i+1)[a] = ln P(a -> word_i)
//! inside(i, k)[a] = ln Σ_j,b,c P(a -> b c) e^(inside(i, j)[b] + inside(j, k)[c])
//! loss = -ln Σ_a P(a is the whole) e^inside(0, n)[a]
//! ```
//!
//! A span is a vertex, and so is each way to split one, which puts its two parts side by side. The gradients of the loss by
//! the logarithms of the rules are minus the expected counts: no outside pass is written. The best parse is found by the
//! same steps with the greatest in the place of the sums.

use edb::Element;
use edb::engine::EngineError;
use edb::prelude::*;

/// For each symbol, the logarithm of the probability of the words of a span, or of the best tree over them.
#[derive(State)]
pub struct Span {
    pub inside: Tensor,
}

/// The parts of a span, side by side.
#[derive(State)]
pub struct Parts {
    pub left: Tensor,
    pub right: Tensor,
}

#[derive(Input)]
pub struct Word {
    pub id: Index,
}

/// For each symbol, the number of the best pair, `b K + c`.
#[derive(Output)]
pub struct Pair {
    pub pairs: Tensor,
}

/// The best symbol of a sentence.
#[derive(Output)]
pub struct Top {
    pub symbol: Index,
}

/// A word; `emit` has a row for each word.
#[vertex_function]
pub fn word(#[param(T, K)] emit: Tensor) {
    let Word { id } = pull();
    scatter(Span { inside: emit.row(id) });
}

#[vertex_function]
pub fn split(#[dim(K)] _symbols: Dim) {
    let Span {
        #[shape(K)]
            inside: left,
    } = gather(0);
    let Span {
        #[shape(K)]
            inside: right,
    } = gather(1);
    scatter(Parts { left, right });
}

/// A span of several words; `rules` has a row for each pair of symbols, and there the rules that make it.
#[vertex_function]
pub fn span(#[dim(K)] symbols: Dim, #[param(P, K)] rules: Tensor) {
    let mut pairs = zeros(symbols).ln().repeat_rows(symbols);
    for parts in gather_all::<Parts>() {
        let left = parts.left.repeat_columns(symbols);
        pairs = pairs.log_add(left + parts.right.repeat_rows(symbols));
    }
    scatter(Span { inside: pairs.flatten().log_dot(rules) });
}

#[vertex_function]
pub fn whole(#[param(K)] start: Tensor) {
    let Span { inside } = gather(0);
    loss(-(inside + start).log_sum_exp());
}

/// The best way to make a span.
#[vertex_function]
pub fn best_span(#[dim(K)] symbols: Dim, #[param(P, K)] rules: Tensor) {
    let mut pairs = zeros(symbols).ln().repeat_rows(symbols);
    for parts in gather_all::<Parts>() {
        let left = parts.left.repeat_columns(symbols);
        pairs = pairs.maximum(left + parts.right.repeat_rows(symbols));
    }
    let pairs = pairs.flatten();
    push(Pair { pairs: pairs.argmax_dot(rules) });
    scatter(Span { inside: pairs.max_dot(rules) });
}

#[vertex_function]
pub fn best_whole(#[param(K)] start: Tensor) {
    let Span { inside } = gather(0);
    push(Top { symbol: (inside + start).argmax() });
}

/// The vertex functions in a model.
#[derive(Clone, Copy, Debug, Functions)]
pub struct Grammar {
    word: Function<word>,
    split: Function<split>,
    span: Function<span>,
    whole: Function<whole>,
    best_span: Function<best_span>,
    best_whole: Function<best_whole>,
}

/// The spans of a chart: of those with `length` words, the one that begins at word `first` is at `[length - 1][first]`.
pub type Chart = Vec<Vec<Vertex<Span>>>;

/// A node of a parse: its symbol, its first word, and the word after its last one. A node comes before its parts.
pub type Node = (usize, usize, usize);

impl Grammar {
    /// Adds the functions to a model, for so many symbols and words.
    pub fn new(builder: &mut ModelBuilder, symbols: usize, words: usize) -> Self {
        let setup = dims! { K: symbols, P: symbols * symbols, T: words }
            .share("best_span.rules", "span.rules")
            .share("best_whole.start", "whole.start");
        builder.add_all(setup)
    }

    fn chart<T: Element>(
        &self,
        g: &mut Graph<T>,
        words: &[u32],
        span: impl Fn(&mut Graph<T>, &[Vertex<Parts>]) -> Vertex<Span>,
    ) -> Chart {
        let leaf = |id: &u32| g.add(&self.word, (), Word { id: (*id).into() });
        let mut chart: Chart = vec![words.iter().map(leaf).collect()];
        let mut splits = Vec::new();
        for length in 2..=words.len() {
            let mut spans = Vec::with_capacity(words.len() - length + 1);
            for first in 0..=words.len() - length {
                splits.clear();
                for left in 1..length {
                    let parts = [chart[left - 1][first], chart[length - left - 1][first + left]];
                    splits.push(g.add(&self.split, parts, ()));
                }
                spans.push(span(g, &splits));
            }
            chart.push(spans);
        }
        chart
    }

    /// Adds a sentence of at least one word, with its loss.
    pub fn lose<T: Element>(&self, g: &mut Graph<T>, words: &[u32]) {
        let chart = self.chart(g, words, |g, splits| g.add(&self.span, splits, ()));
        g.add(&self.whole, [chart[words.len() - 1][0]], ());
    }

    /// Adds what finds the best tree over a sentence of at least one word; returns its spans and the vertex above all.
    pub fn best<T: Element>(&self, g: &mut Graph<T>, words: &[u32]) -> (Chart, Vertex<()>) {
        let chart = self.chart(g, words, |g, splits| g.add(&self.best_span, splits, ()));
        let top = g.add(&self.best_whole, [chart[words.len() - 1][0]], ());
        (chart, top)
    }

    /// The best tree.
    pub fn parse<T: Element>(
        &self,
        run: &Run<'_, T>,
        (chart, top): &(Chart, Vertex<()>),
    ) -> Result<Vec<Node>, EngineError> {
        let inside = |first: usize, end: usize, symbol: usize| -> Result<f64, EngineError> {
            Ok(run.state(chart[end - first - 1][first])?.inside[symbol].as_f64())
        };
        let mut open =
            vec![(run.output(&self.best_whole, *top)?.symbol[[]] as usize, 0, chart.len())];
        let mut nodes = Vec::new();
        while let Some((symbol, first, end)) = open.pop() {
            nodes.push((symbol, first, end));
            if end - first == 1 {
                continue;
            }
            let vertex = chart[end - first - 1][first];
            let pairs = run.output(&self.best_span, vertex)?.pairs;
            let (pair, symbols) = (pairs[symbol].as_f64() as usize, pairs.len());
            let (left, right) = (pair / symbols, pair % symbols);
            let mut best = (first + 1, f64::NEG_INFINITY);
            for middle in first + 1..end {
                let score = inside(first, middle, left)? + inside(middle, end, right)?;
                if score > best.1 {
                    best = (middle, score);
                }
            }
            open.push((right, best.0, end));
            open.push((left, first, best.0));
        }
        Ok(nodes)
    }
}
