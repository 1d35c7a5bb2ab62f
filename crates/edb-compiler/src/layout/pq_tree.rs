//! PQ-trees (Booth and Lueker, 1976): all orders of values in which given sets are consecutive.
//!
//! A leaf is a value. The children of a P node are in any order, those of a Q node in the order of
//! the tree or its reverse; the orders of the leaves that result are *admissible*.
//! [`PqTree::reduce`], in [`templates`](super::templates), restricts a tree to the orders in which
//! one more set is consecutive.

/// How the children of a node may be ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A value, which has no children.
    Leaf,
    /// Any order.
    P,
    /// In the order of the tree, or reversed. At least three children: with two, it would be a P
    /// node.
    Q,
}

/// A node of the tree. Every node knows its parent, unlike in Booth and Lueker, whose inner
/// children of a Q node do not: their linear bound is given up for simpler templates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) kind: NodeKind,
    /// `None` at the root.
    pub(super) parent: Option<usize>,
    pub(super) children: Vec<usize>,
}

/// A PQ-tree over the values `0..len`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PqTree {
    /// The leaves, then the root, then the nodes that reductions have made. Nodes that leave the
    /// tree stay here, so that numbers are stable; only reductions that exclude orders make new
    /// ones.
    pub(super) nodes: Vec<Node>,
    len: usize,
}

/// The part of a tree that holds one set which is consecutive in every admissible order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Places in the set, in the order of the tree.
    pub lanes: Vec<usize>,
    /// The inner nodes, children before parents, the last one being the whole set.
    pub parts: Vec<SpanNode>,
}

/// An inner node of a [`Span`]. The uppermost may be a run of a Q node's children: only these
/// belong to the set (ED-Batch's Algorithm 3 takes the whole Q node, which is wrong).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpanNode {
    /// The node in the tree.
    pub node: usize,
    /// Whether its children may be in any order, not only in two: a P node of three or more.
    pub free: bool,
    /// Child `i` holds the lanes `span.lanes[bounds[i]..bounds[i + 1]]`.
    pub bounds: Vec<usize>,
}

impl PqTree {
    /// The tree of all orders: one P node.
    pub fn new(len: usize) -> Self {
        let leaf = Node { kind: NodeKind::Leaf, parent: Some(len), children: Vec::new() };
        let mut nodes = vec![leaf; len];
        nodes.push(Node { kind: NodeKind::P, parent: None, children: (0..len).collect() });
        Self { nodes, len }
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many nodes there are or were: node numbers are below this.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// One admissible order: the tree's own, from left to right.
    pub fn frontier(&self) -> Vec<usize> {
        self.frontier_by(|_, children| children.to_vec())
    }

    /// The order that results when `arrange` gives the order of each inner node's children; it is
    /// admissible if each is.
    pub fn frontier_by(&self, arrange: impl Fn(usize, &[usize]) -> Vec<usize>) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.len);
        let mut open = vec![self.len];
        while let Some(node) = open.pop() {
            match self.nodes[node].kind {
                NodeKind::Leaf => order.push(node),
                _ => open.extend(arrange(node, &self.nodes[node].children).into_iter().rev()),
            }
        }
        order
    }

    /// The kind of a node.
    pub fn kind(&self, node: usize) -> NodeKind {
        self.nodes[node].kind
    }

    /// The root of the tree.
    pub fn root(&self) -> usize {
        self.len
    }

    /// The children of a node; none of a leaf, whose number is that of its value.
    pub fn children(&self, node: usize) -> &[usize] {
        &self.nodes[node].children
    }

    /// The inner nodes that are in the tree, parents before children.
    fn inner(&self) -> Vec<usize> {
        let mut inner = vec![self.len];
        let mut next = 0;
        while let Some(&node) = inner.get(next) {
            let children = &self.nodes[node].children;
            inner.extend(children.iter().filter(|child| self.kind(**child) != NodeKind::Leaf));
            next += 1;
        }
        inner
    }

    /// Every admissible order, each once: exponentially many, so for small trees.
    pub fn orders(&self) -> Vec<Vec<usize>> {
        let mut of: Vec<Vec<Vec<usize>>> =
            (0..self.nodes.len()).map(|node| vec![vec![node]]).collect();
        for node in self.inner().into_iter().rev() {
            let Node { kind, children, .. } = &self.nodes[node];
            let arrangements = match kind {
                NodeKind::Q => vec![children.clone(), children.iter().rev().copied().collect()],
                _ => permutations(children),
            };
            of[node] = arrangements.iter().flat_map(|children| products(children, &of)).collect();
        }
        of.swap_remove(self.len)
    }

    /// The part of the tree that holds `set`, its elements numbered by their place in it.
    ///
    /// `None` when the set is empty or is not consecutive in every admissible order: reduce first.
    pub fn span(&self, set: &[usize]) -> Option<Span> {
        let mut lane = vec![usize::MAX; self.len];
        let mut below = vec![0; self.nodes.len()];
        for (place, &value) in set.iter().enumerate() {
            lane[value] = place;
            let mut node = Some(value);
            while let Some(above) = node {
                below[above] += 1;
                node = self.nodes[above].parent;
            }
        }
        // The lowest node above the whole set; above a leaf all counts are larger or equal.
        let mut root = *set.first()?;
        while below[root] < set.len() {
            root = self.nodes[root].parent?;
        }
        let mut span = Span { lanes: Vec::with_capacity(set.len()), parts: Vec::new() };
        // Inner nodes on the way down, with the next of their children and the bounds so far.
        let mut open = vec![(root, 0, Vec::new())];
        while let Some((node, next, bounds)) = open.last_mut() {
            let Node { kind, children, .. } = &self.nodes[*node];
            if *kind == NodeKind::Leaf {
                span.lanes.push(lane[*node]);
                open.pop();
                continue;
            }
            while *next < children.len() && below[children[*next]] == 0 {
                *next += 1;
            }
            if let Some(&child) = children.get(*next) {
                bounds.push(span.lanes.len());
                *next += 1;
                open.push((child, 0, Vec::new()));
                continue;
            }
            let mut bounds = std::mem::take(bounds);
            bounds.push(span.lanes.len());
            let free = *kind == NodeKind::P && children.len() > 2;
            // Only the uppermost may leave children out, and only a Q node may, at its ends.
            let inside = |child: &usize| below[*child] > 0;
            let run = children.iter().skip_while(|c| !inside(c)).take_while(|c| inside(c)).count();
            let whole = bounds.len() - 1 == children.len();
            if !whole && (*kind == NodeKind::P || *node != root || run != bounds.len() - 1) {
                return None;
            }
            span.parts.push(SpanNode { node: *node, free, bounds });
            open.pop();
        }
        Some(span)
    }
}

/// Every order of `items`.
fn permutations(items: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for (count, &item) in items.iter().enumerate() {
        let insert = |order: &Vec<usize>, place: usize| {
            let mut longer = order.clone();
            longer.insert(place, item);
            longer
        };
        all = all.iter().flat_map(|order| (0..=count).map(|place| insert(order, place))).collect();
    }
    all
}

/// Every concatenation of one order of each child.
fn products(children: &[usize], of: &[Vec<Vec<usize>>]) -> Vec<Vec<usize>> {
    children.iter().fold(vec![Vec::new()], |heads, &child| {
        let join = |head: &Vec<usize>, tail: &Vec<usize>| [&head[..], &tail[..]].concat();
        heads.iter().flat_map(|head| of[child].iter().map(move |tail| join(head, tail))).collect()
    })
}
