//! Tree-FC (Looks et al., 2017): one fully connected layer over complete binary trees of 256
//! leaves. The trees are random; the class of a tree is the kind of leaf that is overrepresented in
//! it.

use std::process::ExitCode;

use clap::Parser;
use edb::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use cells::tree_fc::TreeFc;
use support::fit::Recipe;
use support::measure::{Measures, infer};
use support::splits::Splits;
use support::{Options, Result};

#[derive(Parser)]
#[command(about = "Trains Tree-FC on complete binary trees, which are drawn")]
struct Cli {
    #[command(flatten)]
    options: Options,
    /// Trees to train on
    #[arg(long, default_value_t = 2000)]
    trees: usize,
    /// A tree has two to the power of this many leaves
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=16))]
    depth: u32,
}

/// The kinds of leaves, which are the classes of trees, and the leaves of a kind.
const CLASSES: u32 = 5;
const LEAVES: u32 = 20;

/// A complete tree: its leaves, whose number is a power of two, and its class.
struct Tree {
    leaves: Vec<u32>,
    label: u32,
}

/// Generates trees. With probability one half a leaf is of its tree's kind, otherwise of any kind.
fn draw(count: usize, depth: u32, seed: u64) -> Vec<Tree> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut tree = || {
        let label = rng.random_range(0..CLASSES);
        let mut leaf = || {
            let kind = if rng.random_bool(0.5) { label } else { rng.random_range(0..CLASSES) };
            kind * LEAVES + rng.random_range(0..LEAVES)
        };
        Tree { leaves: (0..1_usize << depth).map(|_| leaf()).collect(), label }
    };
    (0..count).map(|_| tree()).collect()
}

/// The mean loss of a tree.
fn loss(f: &TreeFc, trainer: &mut Trainer, trees: &[Tree]) -> Result<Measures> {
    let graph = |model: &Model, tree: &Tree| (f.graph(model, &tree.leaves, tree.label), ());
    let loss = infer(trainer, trees, graph, |_, _, ()| Ok(()))?;
    Ok(vec![("loss", loss / trees.len() as f64)])
}

fn main() -> ExitCode {
    support::main(run)
}

fn run(cli: &Cli) -> Result<()> {
    let options = &cli.options;
    let split = |count, salt: u64| draw(count, cli.depth, options.seed.wrapping_add(salt));
    let splits =
        Splits { train: split(cli.trees, 0), dev: split(200, 1 << 32), test: split(200, 2 << 32) };
    let splits = splits.filled()?;
    println!("{} trees; by chance the loss is {:.4}", cli.trees, f64::from(CLASSES).ln());
    let mut builder = ModelBuilder::new();
    let hidden = options.hidden.unwrap_or(64);
    let f = TreeFc::new(&mut builder, (CLASSES * LEAVES) as usize, hidden, CLASSES as usize);
    let model: Model = builder.build(options.seed)?;
    let recipe = Recipe { epochs: 6, batch: 32, rate: 2e-3, decay: true, falls: true };
    recipe.run(
        options,
        model,
        &splits,
        |model, tree, _| f.graph(model, &tree.leaves, tree.label),
        |trainer, trees| loss(&f, trainer, trees),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use edb::Element;
    use support::learns::{Sample, curves, learns};

    struct Trees;

    impl Sample for Trees {
        fn model<T: Element>(&self, seed: u64) -> (Model<T>, Vec<Graph<T>>) {
            let mut builder = ModelBuilder::new();
            let f = TreeFc::new(&mut builder, 4, 6, 3);
            let model = builder.build_as(seed).unwrap();
            let trees = [(vec![0, 1, 2, 3], 0), (vec![3, 3], 1), (vec![2], 2)];
            let trees = trees.map(|(leaves, label)| Tree { leaves, label });
            let graphs =
                trees.iter().map(|tree| f.graph(&model, &tree.leaves, tree.label)).collect();
            (model, graphs)
        }
    }

    #[test]
    fn it_learns() {
        learns(&Trees);
        curves(&Trees, edb_compiler::tangent);
    }

    #[test]
    fn trees_are_drawn_with_their_kind() {
        let trees = draw(50, 8, 1);
        for tree in &trees {
            let own = tree.leaves.iter().filter(|leaf| **leaf / LEAVES == tree.label).count();
            assert_eq!(tree.leaves.len(), 256);
            // The expected value is 154, with a standard deviation of 8.
            assert!(own > 110, "{own}");
        }
        assert_eq!(draw(1, 0, 1)[0].leaves.len(), 1);
    }
}
