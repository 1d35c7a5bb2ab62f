//! DecideNodesOrder (ED-Batch, Algorithms 2, 4, 5 and 6): one orientation for the operands of each
//! call.
//!
//! Behind [`broadcast`](super::broadcast), the operands of a call have equal trees over its lanes.
//! Nodes for the same lanes must order their children alike: *how one is arranged decides how the
//! other is*. A union-find keeps who decides whom; each member knows the permutation that leads
//! from its decider's arrangement to its own.
//!
//! An arrangement lists children by position: `arrangement[position] = child`. A Q node has two of
//! them, as it stands (`[0, 1]`) and reversed (`[1, 0]`), and so has a P node with two children; so
//! one union-find serves all nodes, where the paper keeps two (and in Algorithm 6 confuses them).

use super::broadcast::Ranges;
use super::pq_tree::{Kind, Part, PqTree, Span};
use super::templates::NotConsecutive;

/// How nodes are arranged.
struct Arrangements {
    /// Who decides; oneself at the top. The last is an arrangement that is fixed as it stands.
    decider: Vec<usize>,
    /// `arrangement(node) = relative[node] ∘ arrangement(decider[node])`; empty at the top. The
    /// composition, on whose side Algorithm 5 (line 20) is ambiguous: `(f ∘ g)[i] = f[g[i]]`.
    relative: Vec<Vec<usize>>,
}

/// An order of the tree in which the operands of each call run through its lanes in one order.
///
/// # Errors
/// When there is none: two ways to go from one node to another differ. A permutation of positions
/// that decides itself must be the identity, so this is never a matter of the chosen orientation.
pub fn orient(tree: &PqTree, calls: &[Ranges<'_>]) -> Result<Vec<usize>, NotConsecutive> {
    let fixed = tree.nodes();
    let mut arrangements =
        Arrangements { decider: (0..=fixed).collect(), relative: vec![Vec::new(); fixed + 1] };
    for call in calls {
        let spans: Option<Vec<Span>> = call.operands.iter().map(|set| tree.span(set)).collect();
        let spans = spans.ok_or(NotConsecutive)?;
        let Some((first, others)) = spans.split_first() else { continue };
        for part in &first.parts {
            let children = firsts(first, part);
            if call.ordered {
                let ascending = children[0] < children[1];
                arrangements.unite(part.node, fixed, direction(ascending))?;
            }
            for other in others {
                // Equal trees have a node for the same lanes; these are told by the least of them
                // and their number, since of nodes with a lane in common one holds the other.
                let key = |span, part: &Part| (firsts(span, part).into_iter().min(), part.len());
                let same = |twin: &&Part| key(other, twin) == key(first, part);
                let twin = other.parts.iter().find(same).ok_or(NotConsecutive)?;
                let twins = firsts(other, twin);
                let map = if part.free {
                    // Child `at` here is the child there that holds the same lanes.
                    let there = |lane: &usize| twins.iter().position(|twin| twin == lane);
                    children.iter().map(there).collect::<Option<_>>().ok_or(NotConsecutive)?
                } else {
                    direction(children[0] == twins[0])
                };
                arrangements.unite(part.node, twin.node, map)?;
            }
        }
    }
    Ok(tree.frontier_by(|node, children| arrangements.arrange(tree.kind(node), node, children)))
}

impl Part {
    /// The number of lanes.
    fn len(&self) -> usize {
        self.bounds[self.bounds.len() - 1] - self.bounds[0]
    }
}

/// The least lane of each child: its name in every operand.
fn firsts(span: &Span, part: &Part) -> Vec<usize> {
    let least = |run: &[usize]| span.lanes[run[0]..run[1]].iter().copied().min();
    part.bounds.windows(2).filter_map(least).collect()
}

fn direction(same: bool) -> Vec<usize> {
    if same { vec![0, 1] } else { vec![1, 0] }
}

fn compose(f: &[usize], g: &[usize]) -> Vec<usize> {
    g.iter().map(|at| f[*at]).collect()
}

fn inverse(f: &[usize]) -> Vec<usize> {
    let mut inverse = vec![0; f.len()];
    f.iter().enumerate().for_each(|(at, &to)| inverse[to] = at);
    inverse
}

impl Arrangements {
    /// Who decides `node`, and how it is arranged if that one, of `degree` children, stands as it
    /// is. Without path compression: classes are a handful of nodes.
    fn find(&self, mut node: usize, degree: usize) -> (usize, Vec<usize>) {
        let mut relative: Vec<usize> = (0..degree).collect();
        while self.decider[node] != node {
            relative = compose(&relative, &self.relative[node]);
            node = self.decider[node];
        }
        (node, relative)
    }

    /// Demands `arrangement(b) = map ∘ arrangement(a)`.
    fn unite(&mut self, a: usize, b: usize, map: Vec<usize>) -> Result<(), NotConsecutive> {
        let (of_a, from_a) = self.find(a, map.len());
        let (of_b, from_b) = self.find(b, map.len());
        // from_b ∘ arrangement(of_b) = map ∘ from_a ∘ arrangement(of_a)
        let wanted = compose(&map, &from_a);
        if of_a == of_b {
            return if wanted == from_b { Ok(()) } else { Err(NotConsecutive) };
        }
        let step = compose(&inverse(&from_b), &wanted);
        if of_b == self.decider.len() - 1 {
            // What is fixed decides.
            self.relative[of_a] = inverse(&step);
            self.decider[of_a] = of_b;
        } else {
            self.relative[of_b] = step;
            self.decider[of_b] = of_a;
        }
        Ok(())
    }

    fn arrange(&self, kind: Kind, node: usize, children: &[usize]) -> Vec<usize> {
        let free = kind == Kind::P && children.len() > 2;
        let (_, arrangement) = self.find(node, if free { children.len() } else { 2 });
        if free {
            arrangement.into_iter().map(|child| children[child]).collect()
        } else if arrangement == [0, 1] {
            children.to_vec()
        } else {
            children.iter().rev().copied().collect()
        }
    }
}
