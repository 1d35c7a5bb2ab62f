//! The record layout: PQ-trees, and the operands that they make contiguous.

use std::collections::{BTreeMap, BTreeSet};

use edb_compiler::batching::{Batching, Origin, Placed, Space};
use edb_compiler::layout::pq_tree::NodeKind;
use edb_compiler::layout::{OperandPlace, PqTree, tree};
use edb_ir::Plan;

use super::{Bar, Frame, LINE, Picture, PictureBox, colour, width};

/// The height of a layer of a tree, and of a row of brackets.
const LEVEL: i32 = 38;
const BRACKET: i32 = 24;

/// An operand of more than one value: its values, whether it is copied, and the name of its call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Wanted {
    values: Vec<usize>,
    copied: bool,
    name: String,
}

/// The record layout of a vertex function (ED-Batch, section 3.2): for each memory, the PQ-tree of
/// all orders in which every operand is contiguous, with its leaves in the order that was chosen.
/// The children of a P node may be in any order, those of a Q node in this one or its reverse.
///
/// A leaf is a piece of a value, such as `%12.0`, or a row or column of blocks of a parameter,
/// named after its first block, such as `u.3.0`. Leaves of one colour are side by side in one
/// record. Below are the operands of batched calls, each a bracket around the pieces that it reads
/// or writes; a dashed one is copied, as no order makes it contiguous together with the others.
/// Pieces that are in no operand of more than one piece are left out.
pub fn layout(plan: &Plan) -> Picture {
    let program = &plan.program;
    let mut picture = Picture::new(&program.name);
    let batching = Batching::plan(program, &plan.phases);
    let (constraints, layout) = (&batching.constraints, &batching.layout);
    let tree = tree(&constraints.problem, layout);
    let wanted = wanted(&batching);
    let records = records(&batching);
    let mut top = 0;
    let mut spaces: Vec<Space> = Vec::new();
    for &value in &layout.order {
        let space = constraints.spaces[value];
        if spaces.contains(&space) {
            continue;
        }
        spaces.push(space);
        let of_space: Vec<&Wanted> =
            wanted.iter().filter(|of| constraints.spaces[of.values[0]] == space).collect();
        let used: BTreeSet<usize> = of_space.iter().flat_map(|of| &of.values).copied().collect();
        let leaves: Vec<usize> =
            layout.order.iter().filter(|value| used.contains(value)).copied().collect();
        if leaves.is_empty() {
            continue;
        }
        let title = match space {
            Space::ParamRows => "rows of parameters".into(),
            Space::ParamColumns => "columns of parameters".into(),
            Space::Record(domain) => format!("records, domain {domain:?}").to_lowercase(),
            Space::Port(id) => format!("%{} {}", id.0, program.describe_value(id)),
        };
        let shapes = leaves.iter().map(|&value| {
            let name = match &constraints.values[value] {
                Placed::Rows(blocks) | Placed::Columns(blocks) if blocks.len() > 1 => {
                    let first = Placed::Rows(vec![blocks[0]]);
                    format!("{}..", batching.placed(program, &first))
                }
                placed => batching.placed(program, placed),
            };
            let fill = records[value].map_or("white", |record| colour(record + 2));
            let tip = batching.placed(program, &constraints.values[value]);
            PictureBox { tip, ..PictureBox::around(vec![name], fill) }
        });
        let shapes = shapes.collect();
        let memory = MemoryTree { tree: &tree, leaves: &leaves, wanted: &of_space };
        top = memory.draw(&mut picture, title, shapes, top) + 16;
    }
    picture
}

/// The operands that the layout should make contiguous.
fn wanted(batching: &Batching) -> Vec<Wanted> {
    let mut wanted: Vec<Wanted> = Vec::new();
    let mut known: BTreeSet<Wanted> = BTreeSet::new();
    let (constraints, layout) = (&batching.constraints, &batching.layout);
    let asked = layout.calls.iter().zip(&constraints.problem.calls).zip(&constraints.origins);
    for ((call, asked), origin) in asked {
        let name = match *origin {
            Origin::Results(group, _) => format!("results of group {group}"),
            Origin::Arguments(group, _) => format!("arguments of group {group}"),
            Origin::Batch(group) => format!("batch of group {group}"),
            Origin::Whole(id) => format!("all of %{}", id.0),
        };
        for (place, operand) in call.places.iter().zip(&asked.operands) {
            let one = Wanted {
                values: operand.0.clone(),
                copied: matches!(place, OperandPlace::Copy(_)),
                name: name.clone(),
            };
            let broadcast = *place == OperandPlace::Broadcast || one.values.len() < 2;
            if !broadcast && known.insert(one.clone()) {
                wanted.push(one);
            }
        }
    }
    wanted
}

/// The number of the record that each value is in, if an operand puts it beside another.
fn records(batching: &Batching) -> Vec<Option<usize>> {
    let order = &batching.layout.order;
    let joined = batching.layout.joined();
    let mut records = vec![None; order.len()];
    let mut count = 0;
    for (place, &value) in order.iter().enumerate() {
        if joined[place] {
            records[order[place - 1]] = Some(count - 1);
            records[value] = Some(count - 1);
        } else {
            count += 1;
        }
    }
    records
}

/// The part of a tree for one memory.
struct MemoryTree<'a> {
    tree: &'a PqTree,
    /// The values, in the order of the layout.
    leaves: &'a [usize],
    wanted: &'a [&'a Wanted],
}

impl MemoryTree<'_> {
    /// Draws tree, leaves and brackets below `top`, and returns the bottom of the frame.
    fn draw(&self, picture: &mut Picture, title: String, shapes: Vec<PictureBox>, top: i32) -> i32 {
        let frame = picture.frames.len();
        picture.frames.push(Frame { title, area: [0, top, 0, 0] });
        let nodes = self.nodes();
        let height = nodes.iter().map(|node| node.height).max().unwrap_or(0);
        let y = top + 2 * LINE + 6 + height * LEVEL;
        let mut x = 12;
        let mut ends: BTreeMap<usize, (i32, i32)> = BTreeMap::new();
        let mut number: BTreeMap<usize, usize> = BTreeMap::new();
        for (&leaf, shape) in self.leaves.iter().zip(shapes) {
            let wide = shape.size.0;
            ends.insert(leaf, (x, x + wide));
            let centre = (x + wide / 2, y);
            number.insert(leaf, picture.add(PictureBox { centre, frame: Some(frame), ..shape }));
            x += wide + 6;
        }
        for node in &nodes {
            let [first, last] = [node.children[0], node.children[node.children.len() - 1]];
            let middle = |child: usize| picture.shapes[number[&child]].centre.0;
            let centre = ((middle(first) + middle(last)) / 2, y - node.height * LEVEL);
            let (name, round) = if node.kind == NodeKind::Q { ("Q", 0) } else { ("P", 9) };
            let shape = PictureBox::around(vec![name.into()], "white");
            let shape = picture.add(PictureBox { centre, round, frame: Some(frame), ..shape });
            number.insert(node.number, shape);
            node.children.iter().for_each(|child| picture.connect(shape, number[child], vec![]));
        }
        let (rows, right) = self.brackets(picture, &ends, y + 20);
        let wide = right.max(x + 6).max(width(&picture.frames[frame].title) + 16);
        let tall = y + 20 + rows * BRACKET - top;
        picture.frames[frame].area = [0, top, wide, tall];
        top + tall
    }

    /// Draws a bracket for each operand, in as many rows as keep them apart; returns the number of
    /// rows and their right end.
    fn brackets(
        &self,
        picture: &mut Picture,
        ends: &BTreeMap<usize, (i32, i32)>,
        top: i32,
    ) -> (i32, i32) {
        // Up to where each row is occupied.
        let mut taken: Vec<i32> = Vec::new();
        let mut sorted: Vec<(i32, i32, &Wanted)> = (self.wanted.iter())
            .map(|of| {
                let ends = || of.values.iter().filter_map(|value| ends.get(value));
                let from = ends().map(|end| end.0).min().unwrap_or(0);
                (from, ends().map(|end| end.1).max().unwrap_or(0), *of)
            })
            .collect();
        sorted.sort_by_key(|(from, to, of)| (*from, *to, of.copied));
        let mut right = 0;
        for (from, to, of) in sorted {
            // The text begins with its bracket, and may be wider.
            let end = to.max(from + width(&of.name));
            let line = taken.iter().position(|taken| *taken < from).unwrap_or(taken.len());
            taken.resize(taken.len().max(line + 1), 0);
            taken[line] = end + 8;
            right = right.max(end + 12);
            let y = top + line as i32 * BRACKET;
            picture.bars.push(Bar { from, to, y, dashed: of.copied });
            picture.text((from, y + LINE - 2), "start", of.name.clone());
        }
        (taken.len() as i32, right)
    }

    /// The inner nodes over these leaves, children first. A node with only one child here is left
    /// out.
    fn nodes(&self) -> Vec<Node> {
        let mut nodes: Vec<Node> = Vec::new();
        // What represents each node: itself, its only child, or nothing.
        let mut stands: BTreeMap<usize, usize> = self.leaves.iter().map(|&l| (l, l)).collect();
        let mut heights: BTreeMap<usize, i32> = self.leaves.iter().map(|&l| (l, 0)).collect();
        let mut first: BTreeMap<usize, usize> =
            self.leaves.iter().enumerate().map(|(place, &leaf)| (leaf, place)).collect();
        let mut order = vec![self.tree.root()];
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            order.extend(self.tree.children(node));
            next += 1;
        }
        for node in order.into_iter().rev().filter(|node| self.tree.kind(*node) != NodeKind::Leaf) {
            let children = self.tree.children(node).iter().filter_map(|child| stands.get(child));
            let mut children: Vec<usize> = children.copied().collect();
            // In the order of the layout.
            children.sort_by_key(|child| first[child]);
            match children[..] {
                [] => {}
                [only] => drop(stands.insert(node, only)),
                [one, ..] => {
                    let height = children.iter().map(|child| heights[child]).max();
                    let height = height.unwrap_or(0) + 1;
                    stands.insert(node, node);
                    heights.insert(node, height);
                    first.insert(node, first[&one]);
                    nodes.push(Node { number: node, kind: self.tree.kind(node), height, children });
                }
            }
        }
        nodes
    }
}

/// An inner node as it is drawn.
struct Node {
    number: usize,
    kind: NodeKind,
    /// How many layers there are below.
    height: i32,
    children: Vec<usize>,
}
