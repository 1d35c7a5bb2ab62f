//! DecideNodesOrder (ED-Batch, Algorithms 2, 4, 5 and 6): one orientation for the operands of each
//! call.
//!
//! After [`broadcast`](super::broadcast), the operands of a call have equal trees over its lanes.
//! Nodes for the same lanes must order their children alike, so the arrangement of one determines
//! that of the other. A union-find keeps each node's *decider*, and the permutation that leads from
//! the decider's arrangement to the node's.
//!
//! An arrangement lists children by position: `arrangement[position] = child`. A Q node has two of
//! them, as it stands (`[0, 1]`) and reversed (`[1, 0]`), and so has a P node with two children; so
//! one union-find serves all nodes, where the paper keeps two (and in Algorithm 6 confuses them).

use super::broadcast::Ranges;
use super::pq_tree::{NodeKind, PqTree, Span, SpanNode};
use super::templates::NotConsecutive;

/// How nodes are arranged.
struct Arrangements {
    /// The decider of each node; a root is its own. The last entry is a fixed arrangement.
    decider: Vec<usize>,
    /// `arrangement(node) = relative[node] ∘ arrangement(decider[node])`; empty at a root. Here
    /// `(f ∘ g)[i] = f[g[i]]`; Algorithm 5 (line 20) leaves the order of composition open.
    relative: Vec<Vec<usize>>,
}

/// An order of the tree in which the operands of each call run through its lanes in one order.
///
/// # Errors
/// When there is none: two chains of constraints between the same nodes give different
/// permutations. A node's arrangement relative to itself must be the identity, so no other choice
/// of orientation would help.
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
                // Equal trees have a node for the same lanes. The least lane and the number of
                // lanes identify it, since of two nodes with a lane in common one contains the
                // other.
                let key =
                    |span, part: &SpanNode| (firsts(span, part).into_iter().min(), part.len());
                let same = |twin: &&SpanNode| key(other, twin) == key(first, part);
                let twin = other.parts.iter().find(same).ok_or(NotConsecutive)?;
                let twins = firsts(other, twin);
                let map = if part.free {
                    // A child here is the child there that holds the same lanes.
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

impl SpanNode {
    /// The number of lanes.
    fn len(&self) -> usize {
        self.bounds[self.bounds.len() - 1] - self.bounds[0]
    }
}

/// The least lane of each child, which identifies the child in every operand.
fn firsts(span: &Span, part: &SpanNode) -> Vec<usize> {
    let least = |run: &[usize]| span.lanes[run[0]..run[1]].iter().copied().min();
    part.bounds.windows(2).filter_map(least).collect()
}

fn direction(same: bool) -> Vec<usize> {
    if same { vec![0, 1] } else { vec![1, 0] }
}

fn compose(f: &[usize], g: &[usize]) -> Vec<usize> {
    g.iter().map(|place| f[*place]).collect()
}

fn inverse(f: &[usize]) -> Vec<usize> {
    let mut inverse = vec![0; f.len()];
    f.iter().enumerate().for_each(|(from, &to)| inverse[to] = from);
    inverse
}

impl Arrangements {
    /// The root of the class of `node`, and the node's arrangement if the root, of `degree`
    /// children, has the identity. Without path compression: classes are a handful of nodes.
    fn find(&self, mut node: usize, degree: usize) -> (usize, Vec<usize>) {
        let mut relative: Vec<usize> = (0..degree).collect();
        while self.decider[node] != node {
            relative = compose(&relative, &self.relative[node]);
            node = self.decider[node];
        }
        (node, relative)
    }

    /// Requires `arrangement(b) = map ∘ arrangement(a)`.
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
            // The fixed arrangement is always a root.
            self.relative[of_a] = inverse(&step);
            self.decider[of_a] = of_b;
        } else {
            self.relative[of_b] = step;
            self.decider[of_b] = of_a;
        }
        Ok(())
    }

    fn arrange(&self, kind: NodeKind, node: usize, children: &[usize]) -> Vec<usize> {
        let free = kind == NodeKind::P && children.len() > 2;
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
