//! A tree whose phrases choose their expert: one of three cells makes a phrase of its two parts,
//! and which one it is, the parts decide (a mixture of experts with one expert, as in Shazeer et
//! al., 2017, "Outrageously large neural networks").
//!
//! ```text
//! p = softmax(R [h_l; h_r] + r)          e = argmax p          h' = p_e expert_e(l, r)
//! ```
//!
//! The choice is learned by the weight `p_e`. Three ways of the same: the phrase decides when it
//! runs, its expert is known beforehand, or all experts run and one is chosen.

use edb::Element;
use edb::prelude::*;

use crate::sentiment::Node;

/// What is known of a phrase beforehand.
#[derive(Input)]
pub struct Known {
    pub expert: Index,
}

/// Which expert a phrase has chosen.
#[derive(Output)]
pub struct Chosen {
    pub expert: Index,
}

/// The first expert: a Tree-LSTM.
#[vertex_helper]
fn gated(u: Tensor, b: Tensor, l: Node, r: Node) -> [Tensor; 2] {
    let [i, o, g, fl, fr] = (u.dot(concat([l.h, r.h])) + b).split();
    let c = i.sigmoid() * g.tanh() + fl.sigmoid() * l.c + fr.sigmoid() * r.c;
    [o.sigmoid() * c.tanh(), c]
}

/// The second: a gate and a candidate.
#[vertex_helper]
fn plain(u: Tensor, b: Tensor, l: Node, r: Node) -> [Tensor; 2] {
    let [a, g] = (u.dot(concat([l.h, r.h])) + b).split();
    [a.tanh() * g.sigmoid(), g.sigmoid() * (l.c + r.c)]
}

/// The third: one of the parts, whichever counts more, and next to no work.
#[vertex_helper]
fn kept(l: Node, r: Node) -> [Tensor; 2] {
    [l.h.maximum(r.h), l.c.maximum(r.c)]
}

/// A phrase that decides.
#[vertex_function]
pub fn routed(
    #[param(3, 2 * H)] route: Tensor,
    #[param(3)] r: Tensor,
    #[param(5 * H, 2 * H)] u1: Tensor,
    #[param(5 * H)] b1: Tensor,
    #[param(2 * H, 2 * H)] u2: Tensor,
    #[param(2 * H)] b2: Tensor,
) {
    let [left, right]: [Node; 2] = [gather(0), gather(1)];
    let p = (route.dot(concat([left.h, right.h])) + r).softmax();
    let expert = p.argmax();
    let [h, c] = match expert {
        Index(0) => gated(u1, b1, left, right),
        Index(1) => plain(u2, b2, left, right),
        _ => kept(left, right),
    };
    scatter(Node { h: p.pick(expert) * h, c });
    push(Chosen { expert });
}

/// A phrase of the first expert, which is known beforehand.
#[vertex_function]
pub fn of_first(
    #[param(3, 2 * H)] route: Tensor,
    #[param(3)] r: Tensor,
    #[param(5 * H, 2 * H)] u1: Tensor,
    #[param(5 * H)] b1: Tensor,
) {
    let [left, right]: [Node; 2] = [gather(0), gather(1)];
    let Known { expert } = pull();
    let p = (route.dot(concat([left.h, right.h])) + r).softmax();
    let [h, c] = gated(u1, b1, left, right);
    scatter(Node { h: p.pick(expert) * h, c });
}

/// A phrase of the second.
#[vertex_function]
pub fn of_second(
    #[param(3, 2 * H)] route: Tensor,
    #[param(3)] r: Tensor,
    #[param(2 * H, 2 * H)] u2: Tensor,
    #[param(2 * H)] b2: Tensor,
) {
    let [left, right]: [Node; 2] = [gather(0), gather(1)];
    let Known { expert } = pull();
    let p = (route.dot(concat([left.h, right.h])) + r).softmax();
    let [h, c] = plain(u2, b2, left, right);
    scatter(Node { h: p.pick(expert) * h, c });
}

/// A phrase of the third.
#[vertex_function]
pub fn of_third(#[param(3, 2 * H)] route: Tensor, #[param(3)] r: Tensor) {
    let [left, right]: [Node; 2] = [gather(0), gather(1)];
    let Known { expert } = pull();
    let p = (route.dot(concat([left.h, right.h])) + r).softmax();
    let [h, c] = kept(left, right);
    scatter(Node { h: p.pick(expert) * h, c });
}

/// A phrase for which all experts run, and one is chosen.
#[vertex_function]
pub fn chosen(
    #[param(3, 2 * H)] route: Tensor,
    #[param(3)] r: Tensor,
    #[param(5 * H, 2 * H)] u1: Tensor,
    #[param(5 * H)] b1: Tensor,
    #[param(2 * H, 2 * H)] u2: Tensor,
    #[param(2 * H)] b2: Tensor,
) {
    let [left, right]: [Node; 2] = [gather(0), gather(1)];
    let p = (route.dot(concat([left.h, right.h])) + r).softmax();
    let expert = p.argmax();
    let [first, second, third] =
        [gated(u1, b1, left, right), plain(u2, b2, left, right), kept(left, right)];
    let [h, c] = match expert {
        Index(0) => first,
        Index(1) => second,
        _ => third,
    };
    scatter(Node { h: p.pick(expert) * h, c });
}

/// The three ways in a model: they share their parameters.
pub struct Ways {
    pub routed: Function<routed>,
    pub known: (Function<of_first>, Function<of_second>, Function<of_third>),
    pub chosen: Function<chosen>,
}

impl Ways {
    /// Adds the functions to a model.
    pub fn new(builder: &mut ModelBuilder, hidden: usize) -> Self {
        let routed = builder.add::<routed>(dims! { H: hidden });
        let shared = |names: &[&str]| {
            let setup = dims! { H: hidden };
            names.iter().fold(setup, |setup, name| setup.share(name, routed.param(name)))
        };
        let all = ["route", "r", "u1", "b1", "u2", "b2"];
        let known = (
            builder.add(shared(&all[..4])),
            builder.add(shared(&["route", "r", "u2", "b2"])),
            builder.add(shared(&all[..2])),
        );
        Self { known, chosen: builder.add(shared(&all)), routed }
    }

    /// A phrase whose expert is known.
    pub fn known<T: Element>(
        &self,
        g: &mut Graph<T>,
        parts: [Vertex<Node>; 2],
        expert: Index,
    ) -> Vertex<Node> {
        match expert.0 {
            0 => g.add(&self.known.0, parts, Known { expert }),
            1 => g.add(&self.known.1, parts, Known { expert }),
            _ => g.add(&self.known.2, parts, Known { expert }),
        }
    }
}
