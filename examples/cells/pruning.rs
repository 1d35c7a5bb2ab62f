//! Felsenstein's pruning (1981) as vertex functions. A vertex is a node of the tree, for a block of sites, each a row of a
//! matrix. What it scatters is what is below a branch: for each site and each letter above the branch, how
//! likely the letters of the leaves are.
//!
//! Such numbers fall with each leaf. A vertex far enough above the last that did so divides them by the greatest of each
//! site, and has the logarithm of that as its own loss: the sum of all losses is minus the logarithm of
//! the likelihood, whichever vertices scale.

use edb::Element;
use edb::prelude::*;

use readers::newick::Tree;

/// What a leaf pulls: its letters, `[S, 4]`, as 1 and 0.
macro_rules! pruning {
    ($functions:ident, $categories:literal, $below:ident, $leaf_input:ident, $branch:ident, $scaled_input:ident, $root_input:ident,
     $leaf:ident, $inner:ident, $scaled:ident, $root:ident: $($k:ident),+) => {
        #[derive(State)]
        pub struct $below { $(pub $k: Tensor),+ }

        /// Letters, `[S, 4]`, as 1 and 0, and the probabilities of changes along the branch, transposed.
        #[derive(Input)]
        pub struct $leaf_input { pub letters: Tensor, $(pub $k: Tensor),+ }

        #[derive(Input)]
        pub struct $branch { $(pub $k: Tensor),+ }

        /// A branch, and how often each site is there.
        #[derive(Input)]
        pub struct $scaled_input { pub weights: Tensor, $(pub $k: Tensor),+ }

        #[derive(Input)]
        pub struct $root_input { pub weights: Tensor, pub frequencies: Tensor }

        #[vertex_function]
        pub fn $leaf(#[dim(S)] _sites: Dim) {
            let $leaf_input { #[shape(S, 4)] letters, $(#[shape(4, 4)] $k),+ } = pull();
            // Nobody asks for the gradient of letters.
            let letters = letters.detach();
            scatter($below { $($k: letters.dot($k)),+ });
        }

        #[vertex_function]
        pub fn $inner(#[dim(S)] _sites: Dim) {
            let [l, r]: [$below; 2] = [gather(0), gather(1)];
            let $branch { $(#[shape(4, 4)] $k),+ } = pull();
            scatter($below { $($k: (l.$k * r.$k).dot($k)),+ });
        }

        #[vertex_function]
        pub fn $scaled(#[dim(S)] sites: Dim) {
            let [l, r]: [$below; 2] = [gather(0), gather(1)];
            let $scaled_input { #[shape(S)] weights, $(#[shape(4, 4)] $k),+ } = pull();
            let mut greatest = zeros(sites);
            $(greatest = greatest.maximum((l.$k * r.$k).row_max());)+
            // A constant: what is divided here is in the loss.
            let greatest = greatest.detach();
            let each = (1.0 / greatest).repeat_columns(4);
            scatter($below { $($k: (l.$k * r.$k * each).dot($k)),+ });
            loss(-weights.dot(greatest.ln()));
        }

        #[vertex_function]
        pub fn $root(#[dim(S)] sites: Dim) {
            let [l, r]: [$below; 2] = [gather(0), gather(1)];
            let $root_input { #[shape(S)] weights, #[shape(4)] frequencies } = pull();
            let mut likelihood = zeros(sites);
            $(likelihood += (l.$k * r.$k).dot(frequencies);)+
            loss(-weights.dot((likelihood / ($categories as f64)).ln()));
        }

        #[derive(Clone, Copy, Debug, Functions)]
        pub struct $functions {
            leaf: Function<$leaf>,
            inner: Function<$inner>,
            scaled: Function<$scaled>,
            root: Function<$root>,
        }

        impl $functions {
            /// The graph of a tree and a block of sites.
            fn build<T: Element>(&self, g: &mut Graph<T>, tree: &Tree, block: &Block<'_, T>, every: usize) -> Parts {
                let probabilities: Vec<Tensor> =
                    (1..tree.0.len()).flat_map(|_| [(); $categories]).map(|()| g.tensor(&[T::zero(); 16])).collect();
                let (weights, frequencies) = (g.tensor(block.weights), g.tensor(&[T::zero(); 4]));
                // The vertex of each node, and how many leaves are below it since numbers were scaled.
                let mut below: Vec<Option<(Vertex<$below>, usize)>> = vec![None; tree.0.len()];
                for (number, node) in tree.0.iter().enumerate().rev() {
                    let [$($k),+] = match number {
                        0 => [frequencies; $categories],
                        _ => std::array::from_fn(|k| probabilities[(number - 1) * $categories + k]),
                    };
                    let children = [0, 1].map(|child| node.children.get(child).and_then(|&child| below[child]));
                    below[number] = match children {
                        [Some((l, of_l)), Some((r, of_r))] if number == 0 => {
                            let _ = (of_l, of_r);
                            g.add(&self.root, [l, r], $root_input { weights, frequencies });
                            None
                        }
                        [Some((l, of_l)), Some((r, of_r))] if of_l + of_r < every => {
                            Some((g.add(&self.inner, [l, r], $branch { $($k),+ }), of_l + of_r))
                        }
                        [Some((l, _)), Some((r, _))] => {
                            Some((g.add(&self.scaled, [l, r], $scaled_input { weights, $($k),+ }), 1))
                        }
                        _ => {
                            let letters = g.tensor(&(block.letters)(&node.name));
                            Some((g.add(&self.leaf, (), $leaf_input { letters, $($k),+ }), 1))
                        }
                    };
                }
                Parts { probabilities, frequencies }
            }
        }
    };
}

pruning!(OneRate, 1, Below, LeafOf, BranchOf, ScaledOf, RootOf, leaf, inner, scaled, root: a);
pruning!(FourRates, 4, Below4, LeafOf4, BranchOf4, ScaledOf4, RootOf4, leaf4, inner4, scaled4, root4: a, b, c, d);

/// A block of the sites of an alignment.
pub struct Block<'a, T> {
    /// Of a leaf, by its name: `[S, 4]`.
    pub letters: &'a dyn Fn(&str) -> Vec<T>,
    /// How often each site is there; 0 for those that fill up the last block.
    pub weights: &'a [T],
}

/// The tensors of a graph that are set before each run.
pub struct Parts {
    /// By branch and category.
    pub probabilities: Vec<Tensor>,
    pub frequencies: Tensor,
}

/// The functions for one rate, or for four.
#[derive(Clone, Copy, Debug)]
pub enum Pruning {
    OneRate(OneRate),
    FourRates(FourRates),
}

impl Pruning {
    /// Adds them to a model, for blocks of so many sites.
    pub fn new(builder: &mut ModelBuilder, categories: usize, sites: usize) -> Self {
        match categories {
            1 => Self::OneRate(builder.add_all(dims! { S: sites })),
            _ => Self::FourRates(builder.add_all(dims! { S: sites })),
        }
    }

    /// The graph of a tree and a block; numbers are scaled above each `every` leaves.
    pub fn build<T: Element>(
        &self,
        g: &mut Graph<T>,
        tree: &Tree,
        block: &Block<'_, T>,
        every: usize,
    ) -> Parts {
        match self {
            Self::OneRate(of) => of.build(g, tree, block, every),
            Self::FourRates(of) => of.build(g, tree, block, every),
        }
    }
}
