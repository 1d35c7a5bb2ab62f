//! Tree-FC, the benchmark of TensorFlow Fold (Looks et al., 2017, "Deep Learning with Dynamic
//! Computation Graphs"), which Cavs (Xu et al., 2018, section 5) repeats: a single fully connected
//! layer at every inner vertex of a complete binary tree.
//!
//! ```text
//! h = tanh(W [h_l; h_r] + b)
//! ```
//!
//! A leaf is a vector from a table. For training, the root is classified.

use edb::Element;
use edb::prelude::*;

/// The state that a vertex passes to its parent.
#[derive(State)]
pub struct Hidden {
    pub h: Tensor,
}

/// The number of a leaf's vector.
#[derive(Input)]
pub struct Token {
    pub id: Index,
}

/// The class of a tree.
#[derive(Input)]
pub struct Gold {
    pub label: Index,
}

/// A leaf.
#[vertex_function]
pub fn leaf(#[param(V, H)] table: Tensor) {
    let Token { id } = pull();
    scatter(Hidden { h: table.row(id) });
}

/// An inner vertex.
#[vertex_function]
pub fn inner(#[param(H, 2 * H)] w: Tensor, #[param(H)] b: Tensor) {
    let [l, r]: [Hidden; 2] = [gather(0), gather(1)];
    scatter(Hidden { h: (w.dot(concat([l.h, r.h])) + b).tanh() });
}

/// The class of a tree, at its root.
#[vertex_function]
pub fn classify(#[param(C, H)] w: Tensor, #[param(C)] b: Tensor) {
    let Hidden { h } = gather(0);
    let Gold { label } = pull();
    loss(cross_entropy(w.dot(h) + b, label));
}

/// The vertex functions in a model.
#[derive(Functions)]
pub struct TreeFc {
    pub leaf: Function<leaf>,
    pub inner: Function<inner>,
    pub classify: Function<classify>,
}

impl TreeFc {
    /// Adds the functions to a model.
    pub fn new(builder: &mut ModelBuilder, words: usize, hidden: usize, classes: usize) -> Self {
        let bound = Initializer::Uniform { bound: (hidden as f64).sqrt().recip() };
        builder.add_all(dims! { V: words, H: hidden, C: classes }.init("leaf.table", bound))
    }

    /// A complete tree as a graph, level by level; the number of `leaves` is a power of two.
    pub fn graph<T: Element>(&self, model: &Model<T>, leaves: &[u32], label: u32) -> Graph<T> {
        let mut g = model.graph();
        g.reserve(2 * leaves.len());
        let leaf = |id: &u32| g.add(&self.leaf, (), Token { id: (*id).into() });
        let mut level: Vec<Vertex<Hidden>> = leaves.iter().map(leaf).collect();
        while level.len() > 1 {
            let pairs = level.as_chunks().0.iter();
            level = pairs.map(|pair: &[_; 2]| g.add(&self.inner, *pair, ())).collect();
        }
        g.add(&self.classify, [level[0]], Gold { label: label.into() });
        g
    }
}
