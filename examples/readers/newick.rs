//! Rooted binary trees with lengths of branches: in Newick's format, or drawn at random.

use rand::rngs::ChaCha8Rng;
use rand::{Rng as _, RngExt as _};

/// A node, with the branch above it.
#[derive(Clone, Debug, Default)]
pub struct Node {
    pub name: String,
    pub parent: usize,
    /// None, or two.
    pub children: Vec<usize>,
    pub length: Option<f64>,
}

/// The nodes, each before its children; the root, number 0, has no branch.
#[derive(Clone, Debug)]
pub struct Tree(pub Vec<Node>);

impl Tree {
    /// The tree in a text such as `((a:0.1,b:0.2):0.05,c);`.
    pub fn newick(text: &str) -> Result<Self, String> {
        let mut nodes = vec![Node::default()];
        let (mut now, mut rest) = (0, text.trim());
        let wrong = |what: &str, rest: &str| {
            format!("{what} at byte {} of the tree", text.trim().len() - rest.len())
        };
        while let Some(sign) = rest.chars().next().filter(|sign| *sign != ';') {
            match sign {
                '(' | ',' => {
                    let parent = if sign == '(' { now } else { nodes[now].parent };
                    if now == 0 && sign == ',' {
                        return Err(wrong("a `,` outside of all parentheses", rest));
                    }
                    now = nodes.len();
                    nodes[parent].children.push(now);
                    nodes.push(Node { parent, ..Node::default() });
                    rest = &rest[1..];
                }
                ')' if now == 0 => return Err(wrong("a `)` too many", rest)),
                ')' => (now, rest) = (nodes[now].parent, &rest[1..]),
                _ => {
                    let end = rest.find(['(', ')', ',', ';']).unwrap_or(rest.len());
                    let (name, length) = match rest[..end].rsplit_once(':') {
                        Some((name, length)) => {
                            let number = length.trim().parse::<f64>().ok();
                            let number =
                                number.filter(|length| *length >= 0.0 && length.is_finite());
                            (
                                name,
                                Some(number.ok_or_else(|| wrong("no length of a branch", rest))?),
                            )
                        }
                        None => (&rest[..end], None),
                    };
                    nodes[now].name = name.trim().trim_matches('\'').to_owned();
                    (nodes[now].length, rest) = (length, &rest[end..]);
                }
            }
        }
        if now != 0 || rest.is_empty() {
            return Err(wrong("a `)` or the `;` is missing", rest));
        }
        match nodes.iter().position(|node| ![0, 2].contains(&node.children.len())) {
            Some(odd) => Err(format!(
                "node {odd} of the tree, `{}`, has {} children: the tree is to be rooted and binary",
                nodes[odd].name,
                nodes[odd].children.len()
            )),
            None => Ok(Self(nodes)),
        }
    }

    /// A random tree of these leaves, whose branches have a mean length of 0.05.
    pub fn random(mut names: Vec<String>, rng: &mut ChaCha8Rng) -> Self {
        let mut nodes = vec![Node::default()];
        // Nodes that still have leaves below them: the node, and how many.
        let mut open = vec![(0, names.len())];
        while let Some((node, leaves)) = open.pop() {
            if leaves == 1 {
                nodes[node].name = names.swap_remove(rng.random_range(0..names.len()));
                continue;
            }
            let left = rng.random_range(1..leaves);
            for of_child in [left, leaves - left] {
                let length = Some(-0.05 * (1.0 - rng.random::<f64>()).ln() + 1e-4);
                open.push((nodes.len(), of_child));
                let child = nodes.len();
                nodes[node].children.push(child);
                nodes.push(Node { parent: node, length, ..Node::default() });
            }
        }
        Self(nodes)
    }

    /// The numbers of the leaves.
    pub fn leaves(&self) -> impl Iterator<Item = usize> {
        (0..self.0.len()).filter(|&node| self.0[node].children.is_empty())
    }

    /// The lengths of the branches, those of node 1, 2, and so on.
    pub fn lengths(&self, missing: impl Fn(usize) -> f64) -> Vec<f64> {
        let of = |(branch, node): (usize, &Node)| node.length.unwrap_or_else(|| missing(branch));
        self.0[1..].iter().enumerate().map(of).collect()
    }
}

/// Random letters along a tree, by JC69: of each leaf, in the order of their numbers.
pub fn simulate(tree: &Tree, sites: usize, rng: &mut ChaCha8Rng) -> Vec<(String, Vec<u8>)> {
    let mut letters: Vec<Vec<usize>> = Vec::new();
    for (number, node) in tree.0.iter().enumerate() {
        let kept = (-4.0 / 3.0 * node.length.unwrap_or(0.1)).exp();
        let mut at = |site: usize| match number > 0 && rng.random_bool(kept) {
            true => letters[node.parent][site],
            false => (rng.next_u32() % 4) as usize,
        };
        let own = (0..sites).map(&mut at).collect();
        letters.push(own);
    }
    let written = |leaf: usize| letters[leaf].iter().map(|&letter| b"ACGT"[letter]).collect();
    tree.leaves().map(|leaf| (tree.0[leaf].name.clone(), written(leaf))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_trees_say_where() {
        let wrong = |text: &str| Tree::newick(text).unwrap_err();
        assert_eq!(wrong("((a,b),c"), "a `)` or the `;` is missing at byte 8 of the tree");
        assert_eq!(wrong("(a,b));"), "a `)` too many at byte 5 of the tree");
        assert_eq!(wrong("(a:x,b);"), "no length of a branch at byte 1 of the tree");
        assert_eq!(wrong("a,b;"), "a `,` outside of all parentheses at byte 1 of the tree");
        assert_eq!(
            wrong("(a,b,c);"),
            "node 0 of the tree, ``, has 3 children: the tree is to be rooted and binary"
        );
        let tree = Tree::newick("((a:0.1,'b c':2e-1):0.5,d);\n").unwrap();
        assert_eq!(tree.lengths(|_| 9.0), [0.5, 0.1, 0.2, 9.0]);
        assert_eq!(tree.0[3].name, "b c");
        // Deep trees take no stack.
        let deep = format!("{}a{};", "(b,".repeat(100_000), ")".repeat(100_000));
        assert_eq!(Tree::newick(&deep).unwrap().0.len(), 200_001);
    }
}
