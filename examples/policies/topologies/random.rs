//! Graphs that no corpus has: modules, programs, and random DAGs.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::rows::{Rows, skewed};

/// A random DAG of layers, which is of no model: 5 to 12 layers of 2 to 6 vertices, of ten types (0 to
/// 9). A vertex of layer `l` has one of the five types from `l / 2` on. It reads one to three vertices
/// of the layer before, drawn with repetition, and in 15 % of all cases one of an earlier layer.
pub fn layered(rows: &mut Rows, (): &(), rng: &mut ChaCha8Rng) {
    let mut layers: Vec<Vec<u32>> = Vec::new();
    for number in 0..rng.random_range(5..=12_u16) {
        let width = rng.random_range(2..=6);
        let vertex = |_| {
            let mut children = Vec::new();
            if let Some((before, earlier)) = layers.split_last() {
                let draws = rng.random_range(1..=3);
                children.extend((0..draws).map(|_| before[rng.random_range(0..before.len())]));
                if !earlier.is_empty() && rng.random_bool(0.15) {
                    let layer = &earlier[rng.random_range(0..earlier.len())];
                    children.push(layer[rng.random_range(0..layer.len())]);
                }
                children.sort_unstable();
                children.dedup();
            }
            rows.add(number / 2 + rng.random_range(0..5), &children)
        };
        let layer = (0..width).map(vertex).collect();
        layers.push(layer);
    }
}

/// A random DAG of encoders and decoders, after `RandomDAG` in ED-Batch's repository, its workload
/// `dag`, which is larger: 59 nodes of three inputs each, which are encoded (0) or, in 15 % of all cases, decoded (1) from one
/// of the last 30 nodes or from the start. A node combines its inputs (2) and has an output (3).
pub fn eddag(rows: &mut Rows, (): &(), rng: &mut ChaCha8Rng) {
    let mut nodes: Vec<Option<u32>> = vec![None];
    for _ in 0..59 {
        let inputs = [(); 3].map(|()| {
            let recent = &nodes[nodes.len().saturating_sub(30)..];
            let from = recent[rng.random_range(0..recent.len())];
            rows.add(u16::from(rng.random_bool(0.15)), from.as_slice())
        });
        let node = rows.add(2, &inputs);
        rows.add(3, &[node]);
        nodes.push(Some(node));
    }
}

/// The syntax tree of a program, as code is read by tree networks: five types of leaves (0 to 4),
/// five of unary (5 to 9), six of binary (10 to 15) and three of ternary operators (16 to 18), and
/// the root (19). Of the binary ones, a few are frequent. A tree is of 10 to 60 leaves, which a
/// binary operator splits at any place, and a ternary one (20 %) into thirds; a unary one (25 %) takes
/// the place of a leaf.
pub fn ast(rows: &mut Rows, (): &(), rng: &mut ChaCha8Rng) {
    let size = rng.random_range(10..=60);
    let program = expression(rows, size, rng);
    rows.add(19, &[program]);
}

/// An expression of at most so many leaves, at most 60.
fn expression(rows: &mut Rows, leaves: usize, rng: &mut ChaCha8Rng) -> u32 {
    if leaves <= 1 {
        return rows.add(rng.random_range(0..5), &[]);
    }
    match rng.random_range(0.0..1.0) {
        0.0..0.25 => {
            let operand = expression(rows, leaves - 1, rng);
            rows.add(5 + rng.random_range(0..5), &[operand])
        }
        0.25..0.45 if leaves > 3 => {
            let operands = [(); 3].map(|()| expression(rows, leaves / 3, rng));
            rows.add(16 + rng.random_range(0..3), &operands)
        }
        _ => {
            let left = rng.random_range(1..leaves);
            let operands = [left, leaves - left].map(|leaves| expression(rows, leaves, rng));
            rows.add(10 + skewed(6, rng), &operands)
        }
    }
}

/// A neural module network (Andreas et al., 2016), laid out anew for each question: one to three
/// chains of two to eight modules of ten types (0 to 9), of which a few are frequent; modules that
/// combine two chains, from the last on (10); and the answer (11).
pub fn modnet(rows: &mut Rows, (): &(), rng: &mut ChaCha8Rng) {
    let chains: Vec<u32> = (0..rng.random_range(1..=3)).map(|_| modules(rows, rng)).collect();
    let chains = chains.into_iter().rev();
    let last = chains.reduce(|right, left| rows.add(10, &[left, right]));
    rows.add(11, last.as_slice());
}

/// A chain of modules, and its last.
fn modules(rows: &mut Rows, rng: &mut ChaCha8Rng) -> u32 {
    let first = rows.add(skewed(10, rng), &[]);
    (1..rng.random_range(2..=8)).fold(first, |last, _| rows.add(skewed(10, rng), &[last]))
}
