//! What graphs are like, and how many batches they need where that is known.

use clap::ValueEnum;
use edb::schedule::{Encoding, LearnOptions, Learner, Policy, lower_bound};

use super::*;

/// A minibatch of the kind.
fn draw(topology: Topology, graphs: usize, seed: u64) -> TypeGraph {
    topology.minibatches(&[graphs], seed, None).unwrap().remove(0)
}

/// The type of a vertex, and those of its children.
type Signature<'a> = (u16, &'a [u16]);

/// All signatures of a graph's vertices.
fn signatures(graph: &TypeGraph) -> Vec<(u16, Vec<u16>)> {
    let types = graph.types();
    let of = |vertex: u32| {
        let children = graph.children(vertex).iter().map(|&child| types[child as usize]);
        (types[vertex as usize], children.collect())
    };
    let mut all: Vec<_> = (0..graph.len() as u32).map(of).collect();
    all.sort();
    all.dedup();
    all
}

#[test]
fn topologies_are_drawn_by_seed() {
    for &topology in Topology::value_variants() {
        let [one, same, other] = [7, 7, 8].map(|seed| draw(topology, 5, seed));
        let equal = |other: &TypeGraph| {
            one.types() == other.types()
                && (0..one.len() as u32)
                    .all(|vertex| one.children(vertex) == other.children(vertex))
        };
        assert!(equal(&same), "{topology:?}");
        assert_eq!(equal(&other), topology.is_fixed(), "{topology:?}");
        // Every type occurs, and children come before what reads them, so nothing is a circle.
        let many = draw(topology, 64, 1);
        let found = |of: u16| many.types().contains(&of);
        assert!((0..many.type_count()).all(found), "{topology:?}");
        let earlier = |vertex: u32| many.children(vertex).iter().all(|child| *child < vertex);
        assert!((0..many.len() as u32).all(earlier), "{topology:?}");
    }
}

#[test]
fn minibatches_differ_and_do_not_depend_on_others() {
    let draw = |sizes: &[usize]| Topology::Layered.minibatches(sizes, 3, None).unwrap();
    let [four, all] = [draw(&[4]), draw(&[8, 4, 8, 4])];
    assert_eq!(four[0].types(), all[1].types());
    assert_ne!(all[0].types(), all[2].types());
    assert_ne!(all[1].types(), all[3].types());
}

#[test]
fn vertices_read_what_the_model_says() {
    let of = |topology: Topology| signatures(&draw(topology, 32, 1));
    let expected: [(Topology, &[Signature<'_>]); 8] = [
        (
            Topology::Bilstm,
            &[(0, &[]), (1, &[0]), (1, &[0, 1]), (2, &[0]), (2, &[0, 2]), (3, &[1, 2])],
        ),
        (Topology::Nmt, &[(0, &[]), (0, &[0]), (1, &[0]), (1, &[1]), (2, &[1])]),
        (
            Topology::Mvrnn,
            &[
                (0, &[]),
                (1, &[]),
                (2, &[0, 1, 0, 1]),
                (2, &[0, 1, 2]),
                (2, &[2, 0, 1]),
                (2, &[2, 2]),
                (3, &[1]),
                (3, &[2]),
            ],
        ),
        (
            Topology::TreeBuTd,
            &[
                (0, &[]),
                (1, &[0, 0]),
                (1, &[0, 1]),
                (1, &[1, 0]),
                (1, &[1, 1]),
                (2, &[0, 2]),
                (2, &[1]),
                (2, &[1, 2]),
                (3, &[2]),
            ],
        ),
        (
            Topology::Spinn,
            &[
                (0, &[]),
                (0, &[0, 1]),
                (0, &[0, 2]),
                (1, &[1, 1, 0]),
                (1, &[1, 2, 0]),
                (1, &[2, 1, 0]),
                (1, &[2, 2, 0]),
                (2, &[]),
                (3, &[1]),
            ],
        ),
        (Topology::TreeFc, &[(0, &[]), (1, &[0, 0]), (1, &[1, 1]), (2, &[1])]),
        (
            Topology::Treelstm,
            &[
                (0, &[]),
                (1, &[0, 0]),
                (1, &[0, 1]),
                (1, &[1, 0]),
                (1, &[1, 1]),
                (2, &[0]),
                (2, &[1]),
            ],
        ),
        (Topology::Fig1, &[(0, &[]), (0, &[0, 0]), (1, &[0]), (2, &[1; 7])]),
    ];
    for (topology, expected) in expected {
        let expected: Vec<(u16, Vec<u16>)> =
            expected.iter().map(|(of, children)| (*of, children.to_vec())).collect();
        assert_eq!(of(topology), expected, "{topology:?}");
    }
    let is_sum = |(of, children): &(u16, Vec<u16>)| {
        (2..5).contains(of) && (children.len().min(4) as u16 != *of || children[0] != 0)
    };
    assert!(!of(Topology::Lattice).iter().any(is_sum));
    assert!(of(Topology::Eddag).iter().all(|(of, children)| *of != 2 || children.len() == 3));
}

#[test]
fn drawn_graphs_are_as_large_as_those_of_the_corpora() {
    // The mean number of vertices of a type in a graph.
    for (topology, of, expected) in [
        (Topology::Bilstm, 0, 23.0),
        // WikiNER's development set has 12,401 rare words in 1,696 sentences, of 6.75 letters.
        (Topology::BilstmChar, 3, 7.3),
        (Topology::BilstmChar, 0, 7.3 * 8.75),
        (Topology::Nmt, 0, 18.0 + 2.0),
        (Topology::Nmt, 1, 22.1 + 1.0),
        (Topology::Treelstm, 0, 19.1),
        (Topology::Lattice, 0, 43.1),
        (Topology::Lattice, 1, 23.3),
        (Topology::Lattice, 3, 2.09),
    ] {
        let graph = draw(topology, 2048, 1);
        let count = graph.types().iter().filter(|found| **found == of).count();
        let mean = count as f64 / 2048.0;
        assert!((mean / expected - 1.0).abs() < 0.1, "{topology:?}, type {of}: {mean}, {expected}");
    }
}

#[test]
fn chains_and_trees_are_at_the_lower_bound() {
    for topology in [
        Topology::Bilstm,
        Topology::BilstmChar,
        Topology::Nmt,
        Topology::Treelstm,
        Topology::Mvrnn,
        Topology::TreeBuTd,
        Topology::Listops,
        Topology::TreeFc,
        Topology::Fig1,
    ] {
        for seed in 1..=3 {
            let graph = draw(topology, 16, seed);
            let batches = |policy: Policy| policy.schedule(&graph).len();
            assert_eq!(batches(Policy::Auto), lower_bound(&graph), "{topology:?}");
            assert!(batches(Policy::Depth) > lower_bound(&graph), "{topology:?}");
        }
    }
}

#[test]
fn figure_1_is_that_of_the_paper() {
    let graph = draw(Topology::Fig1, 1, 0);
    let batches = |policy: Policy| policy.schedule(&graph).len();
    assert_eq!(lower_bound(&graph), 6);
    let counts = [Policy::Depth, Policy::Agenda, Policy::Auto].map(batches);
    assert_eq!(counts, [9, 7, 6]);
}

/// Both trees begin alike, but outputs wait for the other tree's phrases in the second only. A state
/// without the portion of vertices that are done cannot tell the trees apart.
#[test]
fn figure_10_is_none_for_a_finite_state_machine() {
    let mut drawn = Topology::Fig10.minibatches(&[16, 16, 16], 1, None).unwrap();
    let graph = drawn.remove(0);
    let options = LearnOptions { learner: Learner::Fsm(Encoding::Base), ..LearnOptions::default() };
    let fsm = Policy::learn(&drawn, &options).unwrap();
    assert!(fsm.schedule(&graph).len() > lower_bound(&graph));
    let default = Policy::learn(&drawn, &LearnOptions::default()).unwrap();
    assert_eq!(default.schedule(&graph).len(), lower_bound(&graph));
}

/// The types of all minibatches of a corpus that is this text.
fn of_corpus(topology: Topology, text: &str, sizes: &[usize]) -> Result<Vec<Vec<u16>>> {
    let folder = support::folder::Folder::new()?;
    let path = folder.path().join("corpus");
    std::fs::write(&path, text)?;
    let graphs = topology.minibatches(sizes, 1, Some(&path))?;
    Ok(graphs.iter().map(|graph| graph.types().to_vec()).collect())
}

#[test]
fn corpora_are_read() {
    let of = |topology, text| of_corpus(topology, text, &[1]).unwrap().remove(0);
    assert_eq!(of(Topology::Bilstm, "a|X b|Y\n"), [0, 0, 1, 1, 2, 2, 3, 3]);
    // Six times is not rare; two letters are read between marks.
    let text = "a|X a|X a|X a|X a|X a|X bc|X\n";
    let found = of(Topology::BilstmChar, text);
    let count = |of: u16| found.iter().filter(|found| **found == of).count();
    assert_eq!([0, 1, 2, 3, 4, 7].map(count), [4, 4, 4, 1, 6, 7]);
    assert_eq!(of(Topology::Nmt, "<s> a </s> ||| <s> x </s>\n"), [0, 0, 0, 1, 2, 1, 2]);
    assert_eq!(of(Topology::Treelstm, "(1 (2 a) (3 b))\n"), [0, 2, 0, 2, 1, 2]);
    assert_eq!(of(Topology::Spinn, "(1 (2 a) (3 b))\n"), [0, 2, 0, 2, 0, 1, 3]);
    let fig10 = of(Topology::Fig10, "(1 (2 a) (3 b))\n(1 (2 a) (3 b))\n");
    assert_eq!(fig10, [0, 2, 0, 2, 1, 2, 3, 0, 1, 0, 1, 2, 1, 3]);
    // At the second character, a word ends that begins with the first.
    let lattice = "1\n3\n0 0 0\n0\n1 0 1\n2 1 2 0 3\n";
    assert_eq!(of(Topology::Lattice, lattice), [5, 0, 5, 0, 1, 2, 5]);
    assert_eq!(of(Topology::LatticeFused, lattice), [2, 0, 2, 0, 1, 2]);
}

#[test]
fn an_example_of_a_corpus_is_used_once() {
    let text = "(1 a)\n(1 (2 a) (3 b))\n(1 (2 a) (3 (1 b) (2 c)))\n";
    let mut sizes: Vec<usize> =
        of_corpus(Topology::Treelstm, text, &[1, 1, 1]).unwrap().iter().map(Vec::len).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [2, 6, 10]);
    let error = |topology, text, sizes| of_corpus(topology, text, sizes).unwrap_err().to_string();
    let found = error(Topology::Treelstm, text, &[2, 2]);
    assert!(found.ends_with("corpus is enough for 3 graphs, the minibatches have 4"), "{found}");
    let found = error(Topology::Fig10, text, &[2]);
    assert!(found.ends_with("corpus is enough for 1 graphs, the minibatches have 2"), "{found}");
    assert!(error(Topology::Ast, text, &[1]).contains("only drawn"));
    assert!(error(Topology::Bilstm, text, &[1]).contains("line 1: expected `word|tag`"));
}
