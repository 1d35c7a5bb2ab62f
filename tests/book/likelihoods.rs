//! The code of the chapter "Likelihoods".

use super::*;

// ANCHOR: pruning
/// What is below a branch: for each site and each letter above the branch, how likely the letters of the leaves are.
#[derive(State)]
struct Below {
    up: Tensor,
}

/// The letters of a leaf, as 1 and 0, and how likely they change along its branch.
#[derive(Input)]
struct Leaf {
    letters: Tensor,
    change: Tensor,
}

/// A branch, and how often each site is there.
#[derive(Input)]
struct Branch {
    change: Tensor,
    weights: Tensor,
}

#[derive(Input)]
struct Root {
    frequencies: Tensor,
    weights: Tensor,
}

#[vertex_function]
fn leaf(#[dim(S)] _sites: Dim) {
    let Leaf {
        #[shape(S, 4)]
        letters,
        #[shape(4, 4)]
        change,
    } = pull();
    scatter(Below { up: letters.dot(change) });
}

#[vertex_function]
fn node(#[dim(S)] _sites: Dim) {
    let [l, r]: [Below; 2] = [gather(0), gather(1)];
    let Branch {
        #[shape(4, 4)]
        change,
        #[shape(S)]
        weights,
    } = pull();
    let both = l.up * r.up;
    // What is divided here is in the loss: all losses together are minus the logarithm of the likelihood.
    let greatest = both.row_max().detach();
    scatter(Below { up: (both / greatest.repeat_columns(4)).dot(change) });
    loss(-weights.dot(greatest.ln()));
}

#[vertex_function]
fn root(#[dim(S)] _sites: Dim) {
    let [l, r]: [Below; 2] = [gather(0), gather(1)];
    let Root {
        #[shape(4)]
        frequencies,
        #[shape(S)]
        weights,
    } = pull();
    loss(-weights.dot((l.up * r.up).dot(frequencies).ln()));
}
// ANCHOR_END: pruning

// ANCHOR: chain
/// A score for each tag of a word.
#[derive(Input)]
struct Emission {
    scores: Tensor,
}

/// Of all ways to each tag, `ln Σ e^score`.
#[derive(State)]
struct Ways {
    alpha: Tensor,
}

#[vertex_function(check(K = 3))]
fn first(#[param(K)] start: Tensor) {
    let Emission { scores } = pull();
    scatter(Ways { alpha: start + scores });
}

#[vertex_function(check(K = 3))]
fn next(#[param(K, K)] moves: Tensor) {
    let Emission { scores } = pull();
    let before: Ways = gather(0);
    scatter(Ways { alpha: before.alpha.log_dot(moves) + scores });
}

#[vertex_function(check(K = 3))]
fn all(#[param(K)] stop: Tensor) {
    let Ways { alpha } = gather(0);
    loss((alpha + stop).log_sum_exp());
}
// ANCHOR_END: chain

#[derive(Functions)]
struct Chains {
    first: Function<first>,
    next: Function<next>,
    all: Function<all>,
}

/// A number of no pattern.
fn number(at: usize) -> f64 {
    (at as f64 * 1.7 + 0.3).sin()
}

/// `ln Σ e^score` over all tags of a chain, and how likely each tag is at each word, by enumeration.
fn by_enumeration(scores: &[[f64; 3]], of: &[Vec<f64>; 3]) -> (f64, Vec<[f64; 3]>) {
    let [start, moves, stop] = of;
    let words = scores.len();
    let (mut sum, mut marginals) = (0.0, vec![[0.0; 3]; words]);
    for way in 0..3_usize.pow(words as u32) {
        let tag = |word: usize| way / 3_usize.pow(word as u32) % 3;
        let mut score = start[tag(0)] + stop[tag(words - 1)];
        for word in 0..words {
            score += scores[word][tag(word)];
            if word > 0 {
                score += moves[3 * tag(word - 1) + tag(word)];
            }
        }
        sum += score.exp();
        (0..words).for_each(|word| marginals[word][tag(word)] += score.exp());
    }
    marginals.iter_mut().flatten().for_each(|p| *p /= sum);
    (sum.ln(), marginals)
}

#[test]
fn gradients_are_posteriors() -> Outcome {
    let mut builder = ModelBuilder::new();
    let f: Chains = builder.add_all(dims! { K: 3 });
    let mut model: Model<f64> = builder.build_as(1)?;
    let mut of = [Vec::new(), Vec::new(), Vec::new()];
    for ((name, place), count) in
        ["first.start", "next.moves", "all.stop"].iter().zip(0..).zip([3, 9, 3])
    {
        of[place] = (0..count).map(|at| number(at + 20 * place)).collect();
        // One tag that is never first, and one that does not follow another.
        if place < 2 {
            of[place][count - 2] = f64::NEG_INFINITY;
        }
        let id = model.parameters().find(name).ok_or("a parameter")?;
        model.parameters_mut().get_mut(id).set_values(&of[place])?;
    }
    for words in [1, 2, 5] {
        let scores: Vec<[f64; 3]> = (0..words)
            .map(|word| [0, 1, 2].map(|tag| 2.0 * number(100 + 3 * word + tag)))
            .collect();
        let (expected, marginals) = by_enumeration(&scores, &of);
        // ANCHOR: marginals
        let mut g = model.graph();
        let scores: Vec<Tensor> = scores.iter().map(|of_word| g.tensor(of_word)).collect();
        let mut ways = g.add(&f.first, (), Emission { scores: scores[0] });
        for of_word in &scores[1..] {
            ways = g.add(&f.next, [ways], Emission { scores: *of_word });
        }
        g.add(&f.all, [ways], ());
        let batch = model.minibatch([&g])?;
        let mut engine = Engine::new();
        let mut run = engine.forward(&model, &batch, 0)?;
        let log_sum = run.loss()?;
        run.backward()?;
        let found = run.tensor_gradients(&scores)?; // how likely each tag is at each word
        // ANCHOR_END: marginals
        assert!((log_sum - expected).abs() < 1e-10, "{log_sum} {expected}");
        for (found, expected) in found.iter().zip(marginals.iter().flatten()) {
            assert!((found - expected).abs() < 1e-10, "{found} {expected}");
        }
    }
    Ok(())
}

/// A word of a lattice.
#[derive(Input)]
struct Arc {
    score: Tensor,
}

#[vertex_function(check)]
fn arc() {
    let Arc {
        #[shape()]
        score,
    } = pull();
    let mut total = scalar(0.0).ln();
    for before in gather_all::<Place>() {
        let Place {
            #[shape()]
            alpha,
        } = before;
        total = total.log_add(alpha);
    }
    scatter(Place { alpha: total + score });
}

/// The logarithm of the sum over all ways to a place.
#[derive(State)]
struct Place {
    alpha: Tensor,
}

#[vertex_function(check)]
fn begin() {
    scatter(Place { alpha: scalar(0.0) });
}

#[vertex_function(check)]
fn end() {
    let mut total = scalar(0.0).ln();
    for before in gather_all::<Place>() {
        let Place {
            #[shape()]
            alpha,
        } = before;
        total = total.log_add(alpha);
    }
    loss(total);
}

/// Of random lattices: the sum over all paths, and how likely each arc is to be on one.
#[test]
fn lattices_sum_over_all_paths() -> Outcome {
    let mut builder = ModelBuilder::new();
    let (arc, begin, end) = (
        builder.add::<arc>(dims! {}),
        builder.add::<begin>(dims! {}),
        builder.add::<end>(dims! {}),
    );
    let model: Model<f64> = builder.build_as(1)?;
    for seed in 0..6 {
        // Arcs between places 0 to 5, from a lesser one to a greater one; each place leads to the next.
        let mut arcs: Vec<(usize, usize, f64)> =
            (0..5).map(|place| (place, place + 1, 3.0 * number(seed * 50 + place))).collect();
        for at in 0..5 {
            let from = (number(seed * 70 + at).abs() * 4.0) as usize;
            let to = from + 1 + (number(seed * 90 + at).abs() * (5 - from) as f64) as usize;
            arcs.push((from, to.min(5), 3.0 * number(seed * 110 + at)));
        }
        arcs.sort_by_key(|arc| arc.0);
        let mut g = model.graph();
        let first = g.add(&begin, (), ());
        let mut into: Vec<Vec<Vertex<Place>>> = vec![Vec::new(); 6];
        into[0].push(first);
        let mut scores = Vec::new();
        for &(from, to, score) in &arcs {
            let score = g.tensor(&[score]);
            scores.push(score);
            let vertex = g.add(&arc, &into[from], Arc { score });
            into[to].push(vertex);
        }
        g.add(&end, &into[5], ());
        let batch = model.minibatch([&g])?;
        edb::testing::compiled_equals_eager(&model, &batch, &Default::default())?;
        let mut engine = Engine::new();
        let mut run = engine.forward(&model, &batch, 0)?;
        let log_sum = run.loss()?;
        run.backward()?;
        let found = run.tensor_gradients(&scores)?;
        let (mut sum, mut expected) = (0.0, vec![0.0; arcs.len()]);
        let mut open = vec![(0, 0.0, Vec::new())];
        while let Some((place, score, path)) = open.pop() {
            if place == 5 {
                sum += f64::exp(score);
                path.iter().for_each(|arc: &usize| expected[*arc] += f64::exp(score));
            }
            for (number, of) in arcs.iter().enumerate().filter(|(_, arc)| arc.0 == place) {
                let path: Vec<usize> = path.iter().copied().chain([number]).collect();
                open.push((of.1, score + of.2, path));
            }
        }
        assert!((log_sum - sum.ln()).abs() < 1e-10, "{log_sum} {}", sum.ln());
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected / sum).abs() < 1e-10, "{found} {}", expected / sum);
        }
    }
    Ok(())
}

/// Two sites of three leaves, with a likelihood that is written out.
#[test]
fn the_likelihood_of_a_small_tree() -> Outcome {
    let mut builder = ModelBuilder::new();
    let leaf = builder.add::<leaf>(dims! { S: 2 });
    let node = builder.add::<node>(dims! { S: 2 });
    let root = builder.add::<root>(dims! { S: 2 });
    let model: Model<f64> = builder.build_as(1)?;
    // Jukes and Cantor: the letter stays, or becomes each other one alike.
    let p = |length: f64, from: usize, to: usize| {
        let same = (-4.0 / 3.0 * length).exp();
        0.25 + same * if from == to { 0.75 } else { -0.25 }
    };
    let lengths = [0.1, 0.3, 0.2, 0.05];
    let letters = [[0, 1], [0, 3], [2, 1]]; // of each leaf, at both sites
    let mut g = model.graph();
    let changes = lengths.map(|length| {
        let of = |at: usize| p(length, at % 4, at / 4);
        g.tensor(&std::array::from_fn::<f64, 16, _>(of))
    });
    let weights = g.tensor(&[2.0, 3.0]);
    let leaves: Vec<_> = letters
        .iter()
        .zip(changes)
        .map(|(of_leaf, change)| {
            let known: Vec<f64> = of_leaf
                .iter()
                .flat_map(|own| [0, 1, 2, 3].map(|other| f64::from(u8::from(other == *own))))
                .collect();
            let letters = g.tensor(&known);
            g.add(&leaf, (), Leaf { letters, change })
        })
        .collect();
    let inner = g.add(&node, [leaves[0], leaves[1]], Branch { change: changes[3], weights });
    let frequencies = g.tensor(&[0.25; 4]);
    g.add(&root, [inner, leaves[2]], Root { frequencies, weights });
    let batch = model.minibatch([&g])?;
    let mut engine = Engine::new();
    let found = -engine.infer(&model, &batch)?.loss()?;
    let site = |site: usize| -> f64 {
        let below = |top: usize| -> f64 {
            let of = |x: usize| {
                p(lengths[3], top, x)
                    * p(lengths[0], x, letters[0][site])
                    * p(lengths[1], x, letters[1][site])
            };
            (0..4).map(of).sum()
        };
        (0..4).map(|top| 0.25 * p(lengths[2], top, letters[2][site]) * below(top)).sum()
    };
    let expected = 2.0 * site(0).ln() + 3.0 * site(1).ln();
    assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    Ok(())
}
