//! The transition-based parser of Kiperwasser and Goldberg (2016, "Simple and accurate dependency
//! parsing using bidirectional LSTM feature representations", section 4): two layers of LSTMs read
//! a sentence in both directions, and each transition is chosen from the vectors of a few words.
//!
//! ```text
//! x = [E_word; E_suffix; E_tag]         v = [h→; h←], in the second layer over the v of the first
//! scores = V tanh(W [v_s2; v_s1; v_s0; v_b0] + b) + c
//! ```

use edb::Element;
use edb::engine::GrowingGraph;
use edb::prelude::*;

use crate::lstm::{Memory, chain};
use crate::transitions::{Arc, Parse, Transition};
use crate::word_tagger::{Vector, step};
use readers::dependencies::{Numbers, Record};

/// A word.
#[derive(Input)]
pub struct Word {
    pub id: Index,
    pub suffix: Index,
    pub tag: Index,
}

/// A word alone.
#[vertex_function]
pub fn embed(
    #[param(V, X)] words: Tensor,
    #[param(S, Y)] suffixes: Tensor,
    #[param(P, Y)] tags: Tensor,
) {
    let Word { id, suffix, tag } = pull();
    let x = concat([words.row(id), suffixes.row(suffix), tags.row(tag)]);
    scatter(Vector { x: x.dropout(0.3) });
}

/// A word as both directions of a layer see it.
#[vertex_function]
pub fn join() {
    let [forward, backward]: [Memory; 2] = [gather(0), gather(1)];
    scatter(Vector { x: concat([forward.h, backward.h]).dropout(0.3) });
}

/// Masks of transitions: 0 for those that are allowed, and for those that are right, else -1e4.
#[derive(Input)]
pub struct Turn {
    pub allowed: Tensor,
    pub right: Tensor,
}

/// The best of the transitions that are allowed, and the best of those that are right, too.
#[derive(Output)]
pub struct Action {
    pub best: Index,
    pub right: Index,
}

// ANCHOR: choose
/// Chooses a transition, from the three words on top of the stack and the next word. The loss is
/// that of the probability of all right ones together: nothing says which of them to prefer.
#[vertex_function]
pub fn choose(
    #[param(X)] none: Tensor,
    #[param(M, 4 * X)] w: Tensor,
    #[param(M)] b: Tensor,
    #[param(A, M)] v: Tensor,
    #[param(A)] c: Tensor,
) {
    let s2 = gather_or(0, Vector { x: none });
    let s1 = gather_or(1, Vector { x: none });
    let s0 = gather_or(2, Vector { x: none });
    let next: Vector = gather(3);
    let Turn { allowed, right } = pull();
    let h = (w.dot(concat([s2.x, s1.x, s0.x, next.x])) + b).tanh();
    let scores = v.dot(h.dropout(0.3)) + c + allowed;
    let of_right = scores + right;
    push(Action { best: scores.argmax(), right: of_right.argmax() });
    loss(scores.log_sum_exp() - of_right.log_sum_exp());
}
// ANCHOR_END: choose

/// Who says which transition is next.
#[derive(Clone, Copy)]
pub enum Guide {
    /// The parser.
    Parser,
    /// A static oracle: one sequence of right transitions.
    Static,
    /// The parser at this rate, right or wrong; otherwise it takes the one it likes best of those
    /// that are right then.
    Dynamic(f64),
}

/// A sentence that is being parsed, and the vectors of its words.
pub struct Parsing {
    pub parse: Parse,
    vectors: Vec<Vertex<Vector>>,
}

/// The vertex functions in a model. Of a pair, the first reads forward, the second backward.
pub struct Parser {
    pub embed: Function<embed>,
    pub layers: [[Function<step>; 2]; 2],
    pub join: Function<join>,
    pub choose: Function<choose>,
    /// How many there are to choose from.
    pub transitions: u32,
}

impl Parser {
    /// Adds the functions to a model.
    pub fn new(builder: &mut ModelBuilder, numbers: &Numbers, hidden: usize) -> Self {
        let Numbers { words, suffixes, tags, relations, .. } = numbers;
        let transitions = Transition::count(relations.size());
        let (x, y) = (2 * hidden, hidden.div_ceil(2));
        let dims =
            dims! { V: words.size(), S: suffixes.size(), P: tags.size(), X: x - 2 * y, Y: y };
        let uniform = Initializer::Uniform { bound: 0.1 };
        let dims = ["words", "suffixes", "tags"].into_iter().fold(dims, |d, t| d.init(t, uniform));
        let embed = builder.add::<embed>(dims);
        let mut step = |name| builder.add::<step>(dims! { X: x, H: hidden }.named(name));
        let names = [["forward_1", "backward_1"], ["forward_2", "backward_2"]];
        let layers = names.map(|names| names.map(&mut step));
        let join = builder.add::<join>(dims! {});
        let choose = builder.add::<choose>(dims! { X: x, M: hidden, A: transitions as usize });
        Self { embed, layers, join, choose, transitions }
    }

    /// A sentence with these gold arcs before its first transition, and its graph.
    pub fn begin<T: Element>(
        &self,
        model: &Model<T>,
        sentence: &[Record],
        gold: Vec<Arc>,
    ) -> (Graph<T>, Parsing) {
        let mut g = model.graph();
        let mut vectors: Vec<_> =
            sentence.iter().map(|r| g.add(&self.embed, (), word(r))).collect();
        for [f, b] in &self.layers {
            let forward = chain(&vectors, None, |x, before| g.add(f, (*x, before), ()));
            let words = vectors.iter().rev();
            let backward = chain(words, None, |x, behind| g.add(b, (*x, behind), ()));
            let both = forward.into_iter().zip(backward.into_iter().rev());
            vectors = both.map(|(f, b)| g.add(&self.join, [f, b], ())).collect();
        }
        (g, Parsing { parse: Parse::new(gold), vectors })
    }

    // ANCHOR: round
    /// Takes the transition that was chosen in a round, and lets the next one be chosen.
    pub fn turn<T: Element>(
        &self,
        g: &mut GrowingGraph<'_, T>,
        Parsing { parse, vectors }: &mut Parsing,
        guide: Guide,
    ) {
        for (_, Action { best, right }) in g.decided(&self.choose) {
            let is_free = match guide {
                Guide::Parser => true,
                Guide::Static => false,
                Guide::Dynamic(rate) => g.draw() < rate,
            };
            parse.take(Transition::new(if is_free { best.0 } else { right.0 }));
        }
        if parse.is_done() {
            return;
        }
        let mut mask = |wanted: &dyn Fn(Transition) -> bool| {
            let all = (0..self.transitions).map(Transition::new);
            let bars = all.map(|t| T::from_f64(if wanted(t) { 0.0 } else { -1e4 }));
            g.tensor(&bars.collect::<Vec<T>>())
        };
        let allowed = mask(&|transition| parse.allows(transition));
        let right = match guide {
            Guide::Parser => allowed,
            Guide::Static | Guide::Dynamic(_) => {
                let most = if let Guide::Static = guide { 1 } else { usize::MAX };
                let right: Vec<_> = parse.right().into_iter().take(most).collect();
                mask(&|transition| right.contains(&transition))
            }
        };
        let mut words = parse.stack.iter().rev().map(|word| vectors[*word]);
        let [s0, s1, s2] = [(); 3].map(|()| words.next());
        g.add(&self.choose, (s2, s1, s0, vectors[parse.next]), Turn { allowed, right });
    }
    // ANCHOR_END: round
}

fn word(record: &Record) -> Word {
    let Record { word, suffix, tag } = *record;
    Word { id: word.into(), suffix: suffix.into(), tag: tag.into() }
}
