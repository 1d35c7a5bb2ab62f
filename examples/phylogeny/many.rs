//! Likelihoods of many trees or many alignments, all at once and one by one.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::json;

use crate::likelihood::{Likelihood, numbers};
use crate::{Cli, timed};
use readers::alignment::Alignment;
use readers::newick::Tree;
use support::Result;

/// Of random trees of the leaves, as Bayesian programs ask for them, or of alignments whose sites are drawn from this one
/// (the bootstrap).
pub(crate) fn run(cli: &Cli, tree: Tree, of: &Alignment) -> Result<()> {
    let mut rng = ChaCha8Rng::seed_from_u64(cli.seed);
    let names: Vec<String> = tree.leaves().map(|leaf| tree.0[leaf].name.clone()).collect();
    let trees: Vec<Tree> = match cli.trees {
        0 => vec![tree],
        count => (0..count).map(|_| Tree::random(names.clone(), &mut rng)).collect(),
    };
    let weights = match cli.bootstrap {
        0 => vec![of.weights.clone()],
        count => (0..count).map(|_| drawn(&of.weights, &mut rng)).collect(),
    };
    let found = several(cli, of, &trees, &weights)?;
    if cli.json {
        println!("{found}");
    }
    Ok(())
}

/// How often each column is among as many sites, which are drawn with repetition.
fn drawn(weights: &[f64], rng: &mut ChaCha8Rng) -> Vec<f64> {
    let mut ends = weights.to_vec();
    for place in 1..ends.len() {
        ends[place] += ends[place - 1];
    }
    let sites = ends.last().copied().unwrap_or(0.0);
    let mut found = vec![0.0; weights.len()];
    for _ in 0..sites as usize {
        let place = rng.random_range(0.0..sites);
        found[ends.partition_point(|end| *end <= place)] += 1.0;
    }
    found
}

/// The likelihoods of several graphs, all at once and one by one.
fn several(
    cli: &Cli,
    of: &Alignment,
    trees: &[Tree],
    weights: &[Vec<f64>],
) -> Result<serde_json::Value> {
    let rates = cli.model.rates(&cli.model.start());
    let per_tree = |tree: &Tree| numbers(&rates, &tree.lengths(|_| 0.1));
    let blocks = of.weights.len().div_ceil(cli.block.get());
    let of_trees = trees.iter().flat_map(|tree| per_tree(tree).repeat(weights.len() * blocks));
    let of_trees: Vec<f64> = of_trees.collect();
    let mut together: Likelihood = Likelihood::new(cli, of, trees, weights)?;
    let (sum, at_once) = timed(|| together.value(&of_trees))?;
    let mut single = Vec::new();
    for (tree, weights) in trees.iter().flat_map(|tree| weights.iter().map(move |of| (tree, of))) {
        let own: Likelihood =
            Likelihood::new(cli, of, std::slice::from_ref(tree), std::slice::from_ref(weights))?;
        single.push((own, per_tree(tree)));
    }
    let (sum_of_singles, one_by_one) =
        timed(|| single.iter_mut().map(|(own, of)| own.value(of)).sum())?;
    let ratio = one_by_one.as_secs_f64() / at_once.as_secs_f64();
    println!(
        "{} likelihoods: {at_once:.2?} at once, {one_by_one:.2?} one by one ({ratio:.2})",
        single.len()
    );
    Ok(json!({ "likelihoods": single.len(), "sum": sum, "sum_one_by_one": sum_of_singles,
        "at_once_ms": at_once.as_secs_f64() * 1e3, "one_by_one_ms": one_by_one.as_secs_f64() * 1e3 }))
}
