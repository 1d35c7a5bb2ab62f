//! A conditional random field over a chain of tags (Lafferty et al., 2001), on top of scores that another cell computes.
//!
//! ```text
//! score(y) = start[y_1] + Σ_t s_t[y_t] + Σ_t moves[y_t-1, y_t] + stop[y_n]
//! loss = ln Σ_y e^score(y) - score(gold)
//! α_1 = start + s_1          α_t[j] = ln Σ_i e^(α_t-1[i] + moves[i, j]) + s_t[j]
//! ```
//!
//! What may not follow each other begins with a score of -∞, whose gradient is 0, so that it stays. The best tags are found by the same steps
//! with the greatest of all ways in the place of the sum (Viterbi's algorithm).

use edb::Element;
use edb::engine::EngineError;
use edb::learn::Values;
use edb::ndarray::{ArrayD, IxDyn};
use edb::prelude::*;

/// A score for every tag.
#[derive(State)]
pub struct Emission {
    pub scores: Tensor,
}

/// Of all ways to each tag, the logarithm of the sum of `e^score`, or the greatest score.
#[derive(State)]
pub struct Ways {
    pub alpha: Tensor,
}

/// The gold tag at an end.
#[derive(Input)]
pub struct End {
    pub tag: Index,
}

/// The gold tag of an item, and that of the item before it.
#[derive(Input)]
pub struct Move {
    pub from: Index,
    pub to: Index,
}

/// For each tag, that before it on the best way to it.
#[derive(Output)]
pub struct Before {
    pub tags: Tensor,
}

/// The last tag of the best way.
#[derive(Output)]
pub struct Last {
    pub tag: Index,
}

#[vertex_function]
pub fn first(#[param(K)] start: Tensor) {
    let Emission { scores } = gather(0);
    let alpha = scores + start;
    let gold: Option<End> = pull();
    if let Some(End { tag }) = gold {
        loss(-alpha.pick(tag));
    }
    scatter(Ways { alpha });
}

#[vertex_function]
pub fn next(#[param(K, K)] moves: Tensor) {
    let Emission { scores } = gather(0);
    let before: Ways = gather(1);
    let Move { from, to } = pull();
    loss(-(scores.pick(to) + moves.row(from).pick(to)));
    scatter(Ways { alpha: before.alpha.log_dot(moves) + scores });
}

#[vertex_function]
pub fn last(#[param(K)] stop: Tensor) {
    let Ways { alpha } = gather(0);
    let End { tag } = pull();
    loss((alpha + stop).log_sum_exp() - stop.pick(tag));
}

#[vertex_function]
pub fn best_next(#[param(K, K)] moves: Tensor) {
    let Emission { scores } = gather(0);
    let before: Ways = gather(1);
    push(Before { tags: before.alpha.argmax_dot(moves) });
    scatter(Ways { alpha: before.alpha.max_dot(moves) + scores });
}

#[vertex_function]
pub fn best_last(#[param(K)] stop: Tensor) {
    let Ways { alpha } = gather(0);
    push(Last { tag: (alpha + stop).argmax() });
}

/// The vertex functions in a model.
#[derive(Clone, Copy, Debug, Functions)]
pub struct Crf {
    first: Function<first>,
    next: Function<next>,
    last: Function<last>,
    best_next: Function<best_next>,
    best_last: Function<best_last>,
}

/// The vertices from which the best tags of a chain are read, the first item's left out.
pub struct Best {
    steps: Vec<Vertex<Ways>>,
    last: Option<Vertex<()>>,
}

impl Crf {
    /// Adds the functions to a model, whose scores begin with 0 or -∞: those of tags at the beginning, `[K]`, of pairs,
    /// `[K, K]`, and of tags at the end, `[K]`.
    pub fn new(builder: &mut ModelBuilder, [start, moves, stop]: &[Vec<f32>; 3]) -> Self {
        let k = start.len();
        let given = |shape: &[usize], of: &[f32]| {
            let values = of.iter().map(|of| f64::from(*of)).collect();
            let array = ArrayD::from_shape_vec(IxDyn(shape), values);
            Values::array(array.expect("as many as tags, or as pairs").view())
        };
        let setup = dims! { K: k }
            .share("best_next.moves", "next.moves")
            .share("best_last.stop", "last.stop")
            .init("first.start", given(&[k], start))
            .init("next.moves", given(&[k, k], moves))
            .init("last.stop", given(&[k], stop));
        builder.add_all(setup)
    }

    /// Adds the loss of a chain of items, whose tags are `gold`.
    pub fn lose<T: Element>(&self, g: &mut Graph<T>, items: &[Vertex<Emission>], gold: &[u32]) {
        let (Some(item), Some(tag)) = (items.first(), gold.first()) else { return };
        let mut ways = g.add(&self.first, [*item], End { tag: (*tag).into() });
        for (item, tags) in items[1..].iter().zip(gold.windows(2)) {
            let (from, to) = (tags[0].into(), tags[1].into());
            ways = g.add(&self.next, (*item, ways), Move { from, to });
        }
        let tag = gold[items.len() - 1].into();
        g.add(&self.last, [ways], End { tag });
    }

    /// Adds what finds the best tags of a chain of items.
    pub fn best<T: Element>(&self, g: &mut Graph<T>, items: &[Vertex<Emission>]) -> Best {
        let Some(item) = items.first() else { return Best { steps: Vec::new(), last: None } };
        let mut ways = g.add(&self.first, [*item], ());
        let mut steps = Vec::with_capacity(items.len() - 1);
        for item in &items[1..] {
            ways = g.add(&self.best_next, (*item, ways), ());
            steps.push(ways);
        }
        Best { steps, last: Some(g.add(&self.best_last, [ways], ())) }
    }

    /// The best tags.
    pub fn tags(&self, run: &Run<'_>, best: &Best) -> Result<Vec<u32>, EngineError> {
        let Some(last) = best.last else { return Ok(Vec::new()) };
        let mut tags = vec![run.output(&self.best_last, last)?.tag[[]]];
        for step in best.steps.iter().rev() {
            let before = run.output(&self.best_next, *step)?.tags;
            tags.push(before[tags[tags.len() - 1] as usize] as u32);
        }
        tags.reverse();
        Ok(tags)
    }
}
