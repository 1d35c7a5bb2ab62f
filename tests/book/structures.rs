//! The code of the chapter "Arity, types and connections".

use super::*;

// ANCHOR: ports
/// A word of either language.
#[derive(Input)]
struct Source {
    word: Index,
}

/// The encoder's output for the decoder: a summary of all words.
#[derive(Output)]
struct Summary {
    context: Tensor,
}

/// The input of a decoder vertex: the summary, and the previous word.
#[derive(Input)]
struct Said {
    context: Tensor,
    word: Index,
}
// ANCHOR_END: ports

// ANCHOR: encoder
/// The encoder, a recurrent network over the words of the source.
#[vertex_function(check(V = 5, H = 3))]
fn hear(#[dim(H)] h: Dim, #[param(V, H)] table: Tensor, #[param(H, H)] w: Tensor) {
    let Source { word } = pull();
    let before: Letters = gather_or(0, Letters { h: zeros(h) });
    scatter(Letters { h: (table.row(word) + w.dot(before.h)).tanh() });
}

/// The sum over any number of words.
#[vertex_function(check(C = 2, H = 3))]
fn sum_up(#[dim(H)] h: Dim, #[param(C, H)] w: Tensor) {
    let mut all = zeros(h);
    for heard in gather_all::<Letters>() {
        all += heard.h;
    }
    push(Summary { context: w.dot(all).tanh() });
}
// ANCHOR_END: encoder

// ANCHOR: mean
/// The mean over any number of words; zeros where there are none.
#[vertex_function(check(H = 3))]
fn mean(#[dim(H)] h: Dim) {
    let (mut sum, mut n) = (zeros(h), scalar(0.0));
    for heard in gather_all::<Letters>() {
        sum += heard.h;
        n += 1.0;
    }
    push(Summary { context: sum / n.maximum(scalar(1.0)) });
}
// ANCHOR_END: mean

// ANCHOR: decoder
/// The decoder, which reads the summary at each word.
#[vertex_function(check(V = 5, C = 2, H = 3))]
fn say(
    #[dim(H)] h: Dim,
    #[param(V, H)] table: Tensor,
    #[param(H, H)] w: Tensor,
    #[param(H, C)] u: Tensor,
) {
    let Said { context, word } = pull();
    let before: Letters = gather_or(0, Letters { h: zeros(h) });
    scatter(Letters { h: (table.row(word) + w.dot(before.h) + u.dot(context)).tanh() });
}

/// Predicts the next word.
#[vertex_function(check(V = 5, H = 3))]
fn next_word(#[param(V, H)] w: Tensor, #[param(V)] b: Tensor) {
    let said: Letters = gather(0);
    let Source { word } = pull();
    let logits = w.dot(said.h) + b;
    push(Scores { logits });
    loss(cross_entropy(logits, word));
}
// ANCHOR_END: decoder

// ANCHOR: kinds
/// What attention reads of anything.
#[derive(State)]
struct Fact {
    key: Tensor,
    value: Tensor,
}

/// A picture, as numbers.
#[derive(Input)]
struct Picture {
    pixels: Tensor,
}

/// What a word has to say.
#[vertex_function(check(K = 4, W = 4, H = 3))]
fn word_says(#[param(K, H)] key: Tensor, #[param(W, H)] value: Tensor) {
    let Letters { h } = gather(0);
    scatter(Fact { key: key.dot(h), value: value.dot(h) });
}

/// What a picture has to say.
#[vertex_function(check(K = 4, W = 4, X = 2))]
fn picture_says(#[param(K, X)] key: Tensor, #[param(W, X)] value: Tensor) {
    let Picture { pixels } = pull();
    scatter(Fact { key: key.dot(pixels), value: value.dot(pixels) });
}

/// Attention over words and pictures.
#[vertex_function(check(K = 4, W = 4))]
fn look(#[dim(W)] size: Dim, #[param(K)] query: Tensor) {
    let mut top = scalar(-1e9);
    for fact in gather_all::<Fact>() {
        top = top.maximum(query.dot(fact.key));
    }
    let (mut total, mut weights) = (zeros(size), scalar(0.0));
    for fact in gather_all::<Fact>() {
        let weight = (query.dot(fact.key) - top).exp();
        total += weight * fact.value;
        weights += weight;
    }
    push(Summary { context: total / weights.maximum(scalar(1e-9)) });
}
// ANCHOR_END: kinds

// ANCHOR: order
/// What is known of the children up to this one.
#[vertex_function(check(H = 3))]
fn next_child(#[dim(H)] h: Dim, #[param(H, H)] w: Tensor, #[param(H, H)] u: Tensor) {
    let before: Letters = gather_or(0, Letters { h: zeros(h) });
    let child: Letters = gather(1);
    scatter(Letters { h: (w.dot(before.h) + u.dot(child.h)).tanh() });
}
// ANCHOR_END: order

// ANCHOR: model
/// The functions of both parts.
#[derive(Functions)]
struct Translator {
    hear: Function<hear>,
    sum_up: Function<sum_up>,
    say: Function<say>,
    next: Function<next_word>,
}

const WORDS: usize = 8;
/// Stands before the first word, and ends a sentence.
const END: u32 = 0;

fn translator(seed: u64) -> Result<(Translator, Model), edb::model::ModelError> {
    let mut builder = ModelBuilder::new();
    let functions = builder.add_all(dims! { V: WORDS, H: 24, C: 16 });
    Ok((functions, builder.build(seed)?))
}
// ANCHOR_END: model

// ANCHOR: graph
/// Source and target as one graph, and the vertices that each predict a word.
fn pair(t: &Translator, model: &Model, source: &[u32], target: &[u32]) -> (Graph, Vec<Vertex<()>>) {
    let mut g = model.graph();
    let mut heard: Vec<Vertex<Letters>> = Vec::new();
    for &word in source {
        let before = heard.last().copied();
        heard.push(g.add(&t.hear, [before], Source { word: word.into() }));
    }
    let summary = g.add(&t.sum_up, &heard, ());
    let (mut before, mut predicted) = (None, Vec::new());
    let inputs = std::iter::once(&END).chain(target);
    for (&word, &next) in inputs.zip(target.iter().chain([&END])) {
        let context = g.output(&t.sum_up, summary).context;
        let said = g.add(&t.say, [before], Said { context, word: word.into() });
        predicted.push(g.add(&t.next, [said], Source { word: next.into() }));
        before = Some(said);
    }
    (g, predicted)
}
// ANCHOR_END: graph

#[test]
fn an_encoder_and_a_decoder_are_one_model() -> Outcome {
    // ANCHOR: train
    let (t, model) = translator(1)?;
    // In the target language, each word is said twice.
    let sources: [&[u32]; 4] = [&[3, 5], &[5], &[2, 7], &[4, 6]];
    let targets: [Vec<u32>; 4] =
        sources.map(|source| source.iter().flat_map(|word| [*word; 2]).collect());
    let pairs = sources.iter().zip(&targets);
    let graphs: Vec<Graph> =
        pairs.map(|(source, target)| pair(&t, &model, source, target).0).collect();
    let batch = model.minibatch(&graphs)?;
    let mut trainer = Trainer::new(model, Adam::new(1e-2));
    let steps = trainer.overfit(&batch, 300, 0.05)?;
    assert!(steps.last().is_some_and(|step| step.mean_loss() <= 0.05), "it learns four sentences");
    // ANCHOR_END: train
    let run = trainer.infer(&batch)?;
    let explained = run.explain();
    let names: Vec<&str> = explained.types.iter().map(|of_type| of_type.name.as_str()).collect();
    assert_eq!(names, ["hear", "sum_up", "say"]);
    drop(run);
    let (t, model) = translator(1)?;
    let (g, _) = pair(&t, &model, &[3, 5], &[3, 3, 5, 5]);
    let batch = model.minibatch([&g])?;
    edb::testing::compiled_equals_eager(&model, &batch, &Default::default())?;
    Ok(())
}

#[test]
fn a_mean_over_children() -> Outcome {
    let mut builder = ModelBuilder::new();
    let hear = builder.add::<hear>(dims! { V: WORDS, H: 2 });
    let mean = builder.add::<mean>(dims! { H: 2 });
    let model: Model<f64> = builder.build_as(1)?;
    let mut g = model.graph();
    let heard = [3, 5, 2].map(|word| g.add(&hear, [None], Source { word: Index(word) }));
    let (of_three, of_none) = (g.add(&mean, &heard, ()), g.add(&mean, &[], ()));
    let batch = model.minibatch([&g])?;
    let mut engine = Engine::new();
    let run = engine.infer(&model, &batch)?;
    let mut expected = [0.0; 2];
    for vertex in heard {
        let h = run.state(vertex)?.h;
        expected = [expected[0] + h[0] / 3.0, expected[1] + h[1] / 3.0];
    }
    for (x, expected) in run.output(&mean, of_three)?.context.iter().zip(expected) {
        assert!((x - expected).abs() < 1e-12);
    }
    assert!(run.output(&mean, of_none)?.context.iter().all(|x| *x == 0.0));
    Ok(())
}

#[test]
fn children_of_two_kinds_and_in_order() -> Outcome {
    let mut builder = ModelBuilder::new();
    let hear = builder.add::<hear>(dims! { V: WORDS, H: 4 });
    let word_says = builder.add::<word_says>(dims! { K: 3, W: 5, H: 4 });
    let picture_says = builder.add::<picture_says>(dims! { K: 3, W: 5, X: 2 });
    let look = builder.add::<look>(dims! { K: 3, W: 5 });
    let next_child = builder.add::<next_child>(dims! { H: 4 });
    let model: Model<f64> = builder.build_as(1)?;
    let mut g = model.graph();
    let children: Vec<_> =
        [3, 5, 2].map(|word| g.add(&hear, [None], Source { word: Index(word) })).into();
    // ANCHOR: kinds_graph
    let mut facts: Vec<Vertex<Fact>> = Vec::new();
    for child in &children {
        facts.push(g.add(&word_says, [*child], ()));
    }
    let pixels = g.tensor(&[0.2, 0.7]);
    facts.push(g.add(&picture_says, (), Picture { pixels }));
    let looked = g.add(&look, &facts, ());
    // ANCHOR_END: kinds_graph
    // ANCHOR: order_graph
    let mut all = None;
    for child in children {
        all = Some(g.add(&next_child, (all, child), ()));
    }
    // ANCHOR_END: order_graph
    assert!(all.is_some());
    let batch = model.minibatch([&g])?;
    edb::testing::compiled_equals_eager(&model, &batch, &Default::default())?;
    let mut engine = Engine::new();
    let run = engine.infer(&model, &batch)?;
    assert!(run.output(&look, looked)?.context.iter().all(|x| x.is_finite()));
    Ok(())
}
