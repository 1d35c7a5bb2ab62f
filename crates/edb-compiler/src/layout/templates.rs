//! The reduction of a PQ-tree: templates L1, P1 to P6 and Q1 to Q3 of Booth and Lueker (1976).
//!
//! Nodes above elements of the set are visited from the leaves up to the lowest node that holds the
//! whole set, the *root* of the reduction. Each is *full* (every leaf below is in the set), *empty*
//! (none is) or *partial*. A partial node below the root is always left as a Q node whose empty
//! children stand first and whose full ones last, which is what the templates above it splice.

use super::pq_tree::{Node, NodeKind, PqTree};

/// No admissible order has the set in one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no admissible order has the set in one piece")]
pub struct NotConsecutive;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Label {
    #[default]
    Empty,
    Full,
    Partial,
}

/// What a reduction knows about a node.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    /// Above an element of the set.
    seen: bool,
    /// Children that are seen and have no label yet.
    pending: usize,
    /// Elements of the set below.
    leaves: usize,
    label: Label,
}

struct Reduction<'a> {
    tree: &'a mut PqTree,
    marks: Vec<Mark>,
    /// Nodes as they were before they changed, the latest last.
    undo: Vec<(usize, Node)>,
    /// The first node that this reduction has made.
    made: usize,
}

impl PqTree {
    /// Restricts the tree to the orders in which `set` is consecutive; returns whether that
    /// excluded any order. Linear in the nodes above the set and their children.
    ///
    /// # Errors
    /// When there is no such order: the tree stays what it was.
    ///
    /// # Panics
    /// When `set` holds something that is not a value of the tree.
    pub fn reduce(&mut self, set: &[usize]) -> Result<bool, NotConsecutive> {
        assert!(set.iter().all(|value| *value < self.len()), "a set of the tree's values");
        let (marks, made) = (vec![Mark::default(); self.nodes.len()], self.nodes.len());
        let mut reduction = Reduction { tree: self, marks, undo: Vec::new(), made };
        let result = reduction.run(set);
        let Reduction { undo, .. } = reduction;
        let changed = !undo.is_empty();
        if result.is_err() {
            self.nodes.truncate(made);
            undo.into_iter().rev().for_each(|(number, node)| self.nodes[number] = node);
        }
        result.map(|()| changed)
    }
}

impl Reduction<'_> {
    fn run(&mut self, set: &[usize]) -> Result<(), NotConsecutive> {
        let mut ready = self.mark(set);
        let total = ready.len();
        while let Some(node) = ready.pop() {
            let root = self.marks[node].leaves == total;
            self.marks[node].label = match self.tree.kind(node) {
                // Template L1.
                NodeKind::Leaf => Label::Full,
                NodeKind::P => self.p_node(node, root)?,
                NodeKind::Q => self.q_node(node, root)?,
            };
            if root {
                break;
            }
            if let Some(parent) = self.tree.nodes[node].parent {
                self.marks[parent].leaves += self.marks[node].leaves;
                self.marks[parent].pending -= 1;
                if self.marks[parent].pending == 0 {
                    ready.push(parent);
                }
            }
        }
        Ok(())
    }

    /// Marks the nodes above the set; returns its leaves, each once.
    fn mark(&mut self, set: &[usize]) -> Vec<usize> {
        let mut leaves = Vec::with_capacity(set.len());
        for &leaf in set {
            if self.marks[leaf].seen {
                continue;
            }
            self.marks[leaf].seen = true;
            self.marks[leaf].leaves = 1;
            leaves.push(leaf);
            let mut node = leaf;
            while let Some(parent) = self.tree.nodes[node].parent {
                self.marks[parent].pending += 1;
                if std::mem::replace(&mut self.marks[parent].seen, true) {
                    break;
                }
                node = parent;
            }
        }
        leaves
    }

    fn p_node(&mut self, node: usize, root: bool) -> Result<Label, NotConsecutive> {
        let children = self.tree.nodes[node].children.clone();
        let of = |label| {
            let marks = &self.marks;
            children.iter().copied().filter(move |child| marks[*child].label == label)
        };
        let full: Vec<usize> = of(Label::Full).collect();
        let partial: Vec<usize> = of(Label::Partial).collect();
        let mut empty: Vec<usize> = of(Label::Empty).collect();
        if full.len() == children.len() {
            // Template P1.
            return Ok(Label::Full);
        }
        // The position of the first child in the set. What replaces it is inserted there, so that
        // values stay in the order of their declaration where nothing speaks against it.
        let place = children.iter().take_while(|c| self.marks[**c].label == Label::Empty).count();
        match (root, &partial[..]) {
            // Template P2.
            (true, []) => {
                let full = self.group(full);
                empty.insert(place, full);
                self.set(node, NodeKind::P, empty);
            }
            // Template P3.
            (false, []) => {
                let sides = [self.group(empty), self.group(full)];
                self.set(node, NodeKind::Q, sides.to_vec());
            }
            // Templates P4 and P6: one Q node of everything that is not empty.
            (true, [first, rest @ ..]) if rest.len() < 2 => {
                let mut run = self.tree.nodes[*first].children.clone();
                if !full.is_empty() {
                    run.push(self.group(full));
                }
                if let [second] = rest {
                    run.extend(self.tree.nodes[*second].children.iter().rev());
                }
                if empty.is_empty() {
                    self.set(node, NodeKind::Q, run);
                } else {
                    self.set(*first, NodeKind::Q, run);
                    empty.insert(place, *first);
                    self.set(node, NodeKind::P, empty);
                }
            }
            // Template P5.
            (false, [partial]) => {
                let mut run = Vec::new();
                if !empty.is_empty() {
                    run.push(self.group(empty));
                }
                run.extend(&self.tree.nodes[*partial].children);
                if !full.is_empty() {
                    run.push(self.group(full));
                }
                self.set(node, NodeKind::Q, run);
            }
            _ => return Err(NotConsecutive),
        }
        Ok(Label::Partial)
    }

    fn q_node(&mut self, node: usize, root: bool) -> Result<Label, NotConsecutive> {
        let mut children = self.tree.nodes[node].children.clone();
        let label = |child: &usize| self.marks[*child].label;
        if children.iter().all(|child| label(child) == Label::Full) {
            // Template Q1.
            return Ok(Label::Full);
        }
        let ends = [children.first().map(label), children.last().map(label)];
        let reverse = !root && (ends[0] == Some(Label::Full) || ends[1] == Some(Label::Empty));
        if reverse {
            children.reverse();
        }
        // Template Q3 at the root: empty, at most one partial, full, at most one partial, empty.
        // Template Q2 below it: the same, but the set must reach the end.
        let mut run = Vec::with_capacity(children.len());
        let (mut begun, mut ended) = (false, false);
        for child in children {
            let inside = &self.tree.nodes[child].children;
            match self.marks[child].label {
                Label::Empty => {
                    ended |= begun;
                    run.push(child);
                }
                _ if ended => return Err(NotConsecutive),
                Label::Full => {
                    begun = true;
                    run.push(child);
                }
                Label::Partial if begun => {
                    ended = true;
                    run.extend(inside.iter().rev());
                }
                Label::Partial => {
                    begun = true;
                    run.extend(inside);
                }
            }
        }
        if !root && ended {
            return Err(NotConsecutive);
        }
        if run != self.tree.nodes[node].children {
            self.set(node, NodeKind::Q, run);
        }
        Ok(Label::Partial)
    }

    /// One node for all of these: the node itself, if it is a single one, else a new P node.
    fn group(&mut self, nodes: Vec<usize>) -> usize {
        if let [one] = nodes[..] {
            return one;
        }
        let node = self.tree.nodes.len();
        self.tree.nodes.push(Node { kind: NodeKind::P, parent: None, children: Vec::new() });
        self.marks.push(Mark::default());
        self.set(node, NodeKind::P, nodes);
        node
    }

    /// Sets the kind and children of a node, and makes it the parent of these.
    fn set(&mut self, node: usize, kind: NodeKind, children: Vec<usize>) {
        for &child in &children {
            if self.tree.nodes[child].parent != Some(node) {
                self.remember(child);
                self.tree.nodes[child].parent = Some(node);
            }
        }
        self.remember(node);
        let changed = &mut self.tree.nodes[node];
        (changed.kind, changed.children) = (kind, children);
    }

    fn remember(&mut self, node: usize) {
        if node < self.made {
            self.undo.push((node, self.tree.nodes[node].clone()));
        }
    }
}
