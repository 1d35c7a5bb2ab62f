//! Code of the chapter "Vertex functions" that no other chapter uses.

use edb::testing::{Check, compiled_equals_eager};

use super::*;

// ANCHOR: constant
/// The weight of a measurement, for this and other functions.
#[vertex_helper]
fn weight() -> f64 {
    0.25
}
// ANCHOR_END: constant

// ANCHOR: rows
/// A table of numbers, with a row for each place, and what they are multiples of.
#[derive(Input)]
struct Measured {
    rows: Tensor,
    unit: Tensor,
}

#[derive(Output)]
struct Summed {
    sums: Tensor,
    scaled: Tensor,
}

#[vertex_function(check(W = 4, S = 2))]
fn measured(#[dim(W)] width: Dim, #[param(S)] scale: Tensor) {
    let Measured {
        #[shape(S, W)]
        rows,
        #[shape()]
        unit,
    } = pull();
    let sums = weight() * unit * rows.row_sum();
    let scaled = scale.repeat_columns(width) * rows; // each row by a number of its own
    push(Summed { sums, scaled });
}
// ANCHOR_END: rows

// ANCHOR: log_dot
/// How likely each tag is at a word.
#[derive(Input)]
struct Emission {
    scores: Tensor,
}

/// The logarithm of the sum over all ways to each tag.
#[derive(State)]
struct Paths {
    alpha: Tensor,
}

/// A step of the forward algorithm: of all ways to each tag.
#[vertex_function(check(K = 4))]
fn forward(#[param(K, K)] moves: Tensor, #[param(K)] start: Tensor) {
    let Emission { scores } = pull();
    let Paths { alpha } = gather_or(0, Paths { alpha: start });
    scatter(Paths { alpha: moves.log_dot(alpha) + scores });
}
// ANCHOR_END: log_dot

// ANCHOR: max_dot
/// From which tag the best way to each tag comes.
#[derive(Output)]
struct Before {
    tags: Tensor,
}

/// A step of Viterbi's algorithm: of the best way to each tag.
#[vertex_function(check(K = 4))]
fn best(#[param(K, K)] moves: Tensor, #[param(K)] start: Tensor) {
    let Emission { scores } = pull();
    let Paths { alpha } = gather_or(0, Paths { alpha: start });
    push(Before { tags: moves.argmax_dot(alpha) });
    scatter(Paths { alpha: moves.max_dot(alpha) + scores });
}
// ANCHOR_END: max_dot

// ANCHOR: log_add
/// The logarithm of the sum over all ways to a place in a lattice.
#[derive(State)]
struct Place {
    alpha: Tensor,
}

/// A word of a lattice, and how likely it is.
#[derive(Input)]
struct Likely {
    score: Tensor,
}

#[vertex_function(check)]
fn ways() {
    let Likely {
        #[shape()]
        score,
    } = pull();
    let mut total = scalar(0.0).ln(); // of nothing
    for before in gather_all::<Place>() {
        let Place {
            #[shape()]
            alpha,
        } = before;
        total = total.log_add(alpha);
    }
    scatter(Place { alpha: total + score });
}

#[vertex_function(check)]
fn first() {
    let Likely {
        #[shape()]
        score,
    } = pull();
    scatter(Place { alpha: score });
}
// ANCHOR_END: log_add

// ANCHOR: pairs
/// For each symbol, the logarithm of the probability that it makes the words of a span.
#[derive(State)]
struct Span {
    inside: Tensor,
}

/// The two parts of a span, side by side.
#[derive(State)]
struct Parts {
    left: Tensor,
    right: Tensor,
}

#[vertex_function(check(K = 3))]
fn split(#[dim(K)] _symbols: Dim) {
    let Span {
        #[shape(K)]
            inside: left,
    } = gather(0);
    let Span {
        #[shape(K)]
            inside: right,
    } = gather(1);
    scatter(Parts { left, right });
}

/// A span, of all of its splits. `rules` has a row for each symbol, and there the logarithm of the probability of
/// each pair of symbols that it may become.
#[vertex_function(check(K = 3, P = 9))]
fn span(#[dim(K)] symbols: Dim, #[param(K, P)] rules: Tensor) {
    let mut pairs = zeros(symbols).ln().repeat_rows(symbols); // of nothing
    for parts in gather_all::<Parts>() {
        let left = parts.left.repeat_columns(symbols);
        pairs = pairs.log_add(left + parts.right.repeat_rows(symbols));
    }
    scatter(Span { inside: rules.log_dot(pairs.flatten()) });
}
// ANCHOR_END: pairs

/// A word as a span.
#[vertex_function(check(K = 3))]
fn word(#[dim(K)] _symbols: Dim) {
    let Emission {
        #[shape(K)]
        scores,
    } = pull();
    scatter(Span { inside: scores });
}

/// What the chart of a sentence says, by a plain recursion over spans and rules, in probabilities.
#[test]
fn the_inside_of_a_chart_is_that_of_a_recursion() -> Outcome {
    const K: usize = 3;
    const WORDS: usize = 5;
    let mut builder = ModelBuilder::new();
    let f_word = builder.add::<word>(dims! { K: K });
    let f_split = builder.add::<split>(dims! { K: K });
    let f_span = builder.add::<span>(dims! { K: K, P: K * K });
    let model: Model<f64> = builder.build_as(3)?;
    let id = model.parameters().find("span.rules").ok_or("a parameter")?;
    let rules: Vec<f64> = model.parameters().get(id).values()?.to_vec();
    let score = |word: usize, symbol: usize| ((word * K + symbol) as f64 * 0.7).sin();
    let mut g = model.graph();
    // The chart, by the first word of a span and the word behind it.
    let mut vertices = vec![vec![None; WORDS + 1]; WORDS];
    let mut expected = vec![vec![[0.0; K]; WORDS + 1]; WORDS];
    for length in 1..=WORDS {
        for from in 0..=WORDS - length {
            let to = from + length;
            if length == 1 {
                let scores = g.tensor(&std::array::from_fn::<f64, K, _>(|k| score(from, k)));
                vertices[from][to] = Some(g.add(&f_word, (), Emission { scores }));
                expected[from][to] = std::array::from_fn(|k| score(from, k).exp());
                continue;
            }
            let mut splits = Vec::new();
            for middle in from + 1..to {
                let parts = [vertices[from][middle], vertices[middle][to]];
                let [left, right] = parts.map(|part| part.expect("shorter spans come first"));
                splits.push(g.add(&f_split, [left, right], ()));
                for (rule, score) in rules.iter().enumerate() {
                    let (a, b, c) = (rule / (K * K), rule / K % K, rule % K);
                    expected[from][to][a] +=
                        score.exp() * expected[from][middle][b] * expected[middle][to][c];
                }
            }
            vertices[from][to] = Some(g.add(&f_span, &splits, ()));
        }
    }
    let batch = model.minibatch([&g])?;
    compiled_equals_eager(&model, &batch, &Check::default())?;
    let mut engine = Engine::new();
    let run = engine.infer(&model, &batch)?;
    let whole = vertices[0][WORDS].ok_or("the whole sentence is a span")?;
    for (found, expected) in run.state(whole)?.inside.iter().zip(expected[0][WORDS]) {
        assert!((found - expected.ln()).abs() < 1e-9 * found.abs(), "{found}: {expected}");
    }
    Ok(())
}

/// Ordinary scores, those of which `exp` is infinite, and a tag that no other leads to.
#[test]
fn logarithms_of_products_do_not_overflow() -> Outcome {
    let mut builder = ModelBuilder::new();
    let forward = builder.add::<forward>(dims! { K: 3 });
    let mut model: Model<f64> = builder.build_as(1)?;
    let moves = [900.0, -700.0, 2.0, -1e4, -1e4, -1e4, 0.5, 1.0, 800.0];
    let start = [0.25, 1.0, -3.0];
    for (name, values) in [("moves", &moves[..]), ("start", &start[..])] {
        let id = model.parameters().find(&format!("forward.{name}")).ok_or("a parameter")?;
        model.parameters_mut().get_mut(id).set_values(values)?;
    }
    let mut g = model.graph();
    let input = g.tensor(&[0.0; 3]);
    let vertex = g.add(&forward, [None], Emission { scores: input });
    let batch = model.minibatch([&g])?;
    compiled_equals_eager(&model, &batch, &Check::default())?;
    let mut engine = Engine::new();
    let run = engine.infer(&model, &batch)?;
    let found = run.state(vertex)?.alpha;
    for to in 0..3 {
        let ways: Vec<f64> = (0..3).map(|from| moves[3 * to + from] + start[from]).collect();
        let top = ways.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let expected = top + ways.iter().map(|way| (way - top).exp()).sum::<f64>().ln();
        assert!((found[[to]] - expected).abs() < 1e-9, "{} and {expected}", found[[to]]);
    }
    Ok(())
}

#[test]
fn rows_are_summed_and_scaled() -> Outcome {
    let mut builder = ModelBuilder::new();
    let start = Initializer::Uniform { bound: 1.0 };
    let measured = builder.add::<measured>(dims! { S: 2, W: 3 }.init("scale", start));
    let model: Model<f64> = builder.build_as(1)?;
    let mut g = model.graph();
    let rows = g.tensor(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let unit = g.tensor(&[2.0]);
    let vertex = g.add(&measured, (), Measured { rows, unit });
    let batch = model.minibatch([&g])?;
    compiled_equals_eager(&model, &batch, &Check::default())?;
    let mut engine = Engine::new();
    let run = engine.infer(&model, &batch)?;
    let found = run.output(&measured, vertex)?;
    assert_eq!(found.sums.iter().copied().collect::<Vec<_>>(), [3.0, 7.5]);
    assert_eq!(
        found.scaled[[1, 2]],
        6.0 * model.parameters().iter().next().ok_or("scale")?.1.values().unwrap()[1]
    );
    Ok(())
}

// ANCHOR: operators
/// A vertex function of two children, which says of itself only what it computes of them.
macro_rules! operator {
    ($name:ident, |$l:ident, $r:ident| $value:expr) => {
        #[vertex_function(check(H = 3))]
        fn $name(#[param(H, H)] w: Tensor) {
            let [left, right]: [Letters; 2] = [gather(0), gather(1)];
            let [$l, $r] = [w.dot(left.h), w.dot(right.h)];
            scatter(Letters { h: $value });
        }
    };
}

operator!(both, |l, r| (l * r).tanh());
operator!(either, |l, r| (l + r).tanh());
// ANCHOR_END: operators

#[vertex_function(check(N = 6, H = 3))]
fn given(#[param(N, H)] table: Tensor) {
    let Letter { id } = pull();
    scatter(Letters { h: table.row(id) });
}

#[vertex_function]
fn size() {
    let Letters { h } = gather(0);
    loss(h.square().sum());
}

#[test]
fn functions_are_made_by_a_macro() -> Outcome {
    let mut builder = ModelBuilder::new();
    let given = builder.add::<given>(dims! { N: 4, H: 3 });
    let both = builder.add::<both>(dims! { H: 3 });
    let either = builder.add::<either>(dims! { H: 3 });
    let size = builder.add::<size>(dims! {});
    let model: Model<f64> = builder.build_as(1)?;
    let mut g = model.graph();
    let [a, b] = [1, 3].map(|id| g.add(&given, (), Letter { id: Index(id) }));
    let c = g.add(&both, [a, b], ());
    let d = g.add(&either, [c, a], ());
    g.add(&size, [d], ());
    compiled_equals_eager(&model, &model.minibatch([&g])?, &Check::default())?;
    Ok(())
}
