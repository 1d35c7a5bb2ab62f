//! What it costs to grow: a decoder that stops at its own end symbol, in rounds of all sentences and
//! each sentence to its end (`each`), which is compared with the same minibatch run from its record,
//! and known beforehand; and what a vertex and a batch cost beyond their work. With `-- --waves`: what
//! a wave of one vertex costs, beside a static minibatch of one row.
//!
//! `cargo bench --bench growing [-- THREADS [WORDS,HIDDEN,BATCH]]`; with sizes, it prints the line of
//! these alone. All ways of a line run alternately, and the ratios are those of their medians. The decoder
//! is that of `decode_torch.py` and `decode_dynet.py` (see `benches/peers/run.py`): lengths, tokens and
//! the loss with the closed weights are checked by `-- --check`.

mod turns;

use std::env;

use edb::Element;
use edb::engine::GrowingGraph;
use edb::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use turns::in_turns;

const END: u32 = 0;
const BEGIN: u32 = 1;
const MOST: usize = 64;
const SENTENCES: usize = 256;

#[derive(State)]
struct Memory {
    h: Tensor,
    c: Tensor,
}

#[derive(Input)]
struct Sentence {
    id: Index,
}

/// The word before, and what is added to the score of the end symbol.
#[derive(Input)]
struct Turn {
    word: Index,
    bias: Tensor,
}

#[derive(Output)]
struct Said {
    word: Index,
}

/// The state that an encoder would leave.
#[vertex_function]
fn begin(#[param(N, H)] h0: Tensor, #[dim(H)] size: Dim) {
    let Sentence { id } = pull();
    scatter(Memory { h: h0.row(id), c: zeros(size) });
}

/// The new memory, from the gates and the memory before.
#[vertex_helper]
fn lstm(gates: Tensor, before: Tensor) -> [Tensor; 2] {
    let [i, f, g, o] = gates.split();
    let c = f.sigmoid() * before + i.sigmoid() * g.tanh();
    [o.sigmoid() * c.tanh(), c]
}

/// Reads a word, and says the next one.
#[vertex_function]
fn say(
    #[param(V, H)] e: Tensor,
    #[param(4 * H, H)] wx: Tensor,
    #[param(4 * H, H)] wh: Tensor,
    #[param(4 * H)] b: Tensor,
    #[param(V, H)] wo: Tensor,
    #[param(V)] bo: Tensor,
    #[dim(V)] words: Dim,
    #[dim(ONE)] one: Dim,
) {
    let Turn { word, bias } = pull();
    let before: Memory = gather(0);
    let [h, c] = lstm(wx.dot(e.row(word)) + wh.dot(before.h) + b, before.c);
    let bias = (bias + zeros(one)).sum();
    let said = (wo.dot(h) + bo + one_hot(Index(0), words) * bias).argmax();
    push(Said { word: said });
    scatter(Memory { h, c });
}

/// The same with the loss of what is said, to be trained.
#[vertex_function]
fn learn(
    #[param(V, H)] e: Tensor,
    #[param(4 * H, H)] wx: Tensor,
    #[param(4 * H, H)] wh: Tensor,
    #[param(4 * H)] b: Tensor,
    #[param(V, H)] wo: Tensor,
    #[param(V)] bo: Tensor,
    #[dim(V)] words: Dim,
    #[dim(ONE)] one: Dim,
) {
    let Turn { word, bias } = pull();
    let before: Memory = gather(0);
    let [h, c] = lstm(wx.dot(e.row(word)) + wh.dot(before.h) + b, before.c);
    let bias = (bias + zeros(one)).sum();
    let scores = wo.dot(h) + bo + one_hot(Index(0), words) * bias;
    let said = scores.argmax();
    push(Said { word: said });
    scatter(Memory { h, c });
    loss(cross_entropy(scores, said));
}

/// Either of the two.
trait Speaks:
    for<'a> VertexFunction<
        State = Memory,
        Input = Turn,
        Output = Said,
        Children<'a> = [Vertex<Memory>; 1],
    >
{
}

impl Speaks for say {}
impl Speaks for learn {}

struct Decoder<F> {
    begin: Function<begin>,
    say: Function<F>,
}

/// The decoder, with the peer's distributions of weights, so that words differ and lengths are
/// alike; or with its closed weights.
fn decoder<F: Speaks, T: Element>(
    words: usize,
    hidden: usize,
    closed: bool,
) -> (Decoder<F>, Model<T>) {
    let mut builder = ModelBuilder::new();
    let begin = builder.add::<begin>(dims! { N: SENTENCES, H: hidden });
    let say = builder.add::<F>(dims! { V: words, H: hidden, ONE: 1 });
    let mut model: Model<T> = builder.build_as(1).unwrap();
    // The peer's parameters in order, each with whether the peer has it transposed.
    let order = ["e", "wx", "wh", "b", "wo", "bo", "h0"];
    for (_, parameter) in model.parameters_mut().iter_mut() {
        let name = parameter.name().rsplit('.').next().unwrap_or_default().to_string();
        let number = order.iter().position(|known| *known == name).unwrap();
        let transposed = matches!(name.as_str(), "wx" | "wh" | "wo");
        let bound = if matches!(name.as_str(), "e" | "wo" | "h0") {
            1.0
        } else {
            (hidden as f64).powf(-0.5)
        };
        let shape = parameter.shape().to_vec();
        let columns = if shape.len() == 2 { shape[1] } else { shape[0] };
        let mut rng = ChaCha8Rng::seed_from_u64(number as u64);
        for (place, value) in parameter.values_mut().unwrap().iter_mut().enumerate() {
            let (row, column) = (place / columns, place % columns);
            let (i, j) = if transposed { (column, row) } else { (row, column) };
            let (i, j) = (i as f64, j as f64);
            *value = T::from_f64(match closed {
                true => 0.4 * (0.7 * i + 1.3 * j + 0.37 * i * j + (number + 1) as f64).sin(),
                false => rng.random_range(-bound..bound),
            });
        }
    }
    (Decoder { begin, say }, model)
}

/// About how long a sentence becomes: a draw of the peer.
fn target(sentence: usize) -> f64 {
    let bits = (sentence as u64).wrapping_mul(2_654_435_761).wrapping_add(3_000_000_019) as u32;
    (-10.0 * (1.0 - f64::from(bits) / 4_294_967_296.0).ln()).trunc()
}

/// What is added to the score of the end symbol at a step.
fn bias<T: Element>(sentence: usize, step: usize) -> T {
    T::from_f64(2.0 * (step as f64 - target(sentence)))
}

/// A sentence, and what has been said of it.
struct Talk {
    sentence: usize,
    said: Vec<u32>,
}

impl<F: Speaks> Decoder<F> {
    /// Graphs of sentences whose first word is to be said.
    fn graphs<T: Element>(
        &self,
        model: &Model<T>,
        sentences: &[usize],
    ) -> (Vec<Graph<T>>, Vec<Talk>) {
        let graph = |&sentence: &usize| {
            let mut g = model.graph();
            let first = g.add(&self.begin, (), Sentence { id: Index(sentence as u32) });
            let bias = g.tensor(&[bias(sentence, 0)]);
            g.add(&self.say, [first], Turn { word: Index(BEGIN), bias });
            (g, Talk { sentence, said: Vec::new() })
        };
        sentences.iter().map(graph).unzip()
    }

    /// Goes on with what was said, unless that was the end.
    fn answer<T: Element>(&self, g: &mut GrowingGraph<'_, T>, talk: &mut Talk) {
        for (memory, Said { word }) in g.decided(&self.say) {
            talk.said.push(word.0);
            let step = talk.said.len();
            if word.0 != END && step < MOST {
                let bias = g.tensor(&[bias(talk.sentence, step)]);
                g.add(&self.say, [memory], Turn { word, bias });
            }
        }
    }

    /// Says sentences; returns what was said and, to `keep`, the minibatch that it was.
    fn decode<T: Element>(
        &self,
        engine: &mut Engine<T>,
        model: &Model<T>,
        sentences: &[usize],
        keep: bool,
    ) -> (Vec<Talk>, Option<Minibatch<T>>) {
        let (graphs, mut talks) = self.graphs(model, sentences);
        let mut growth = engine.grow(model, graphs).unwrap();
        while let Some(round) = growth.round().unwrap() {
            for mut g in round {
                let place = g.place();
                self.answer(&mut g, &mut talks[place]);
            }
        }
        let run = growth.finish().unwrap();
        let minibatch = keep.then(|| run.minibatch().clone());
        (talks, minibatch)
    }

    /// The same, each sentence to its end.
    fn decode_each<T: Element>(
        &self,
        engine: &mut Engine<T>,
        model: &Model<T>,
        sentences: &[usize],
    ) {
        let mut talks = self.talks(model, sentences);
        engine.grow_each(model, &mut talks, |g, talk| self.answer(g, talk)).unwrap();
    }

    /// Graphs of sentences, each with what has been said of it.
    fn talks<T: Element>(&self, model: &Model<T>, sentences: &[usize]) -> Vec<(Graph<T>, Talk)> {
        let (graphs, talks) = self.graphs(model, sentences);
        graphs.into_iter().zip(talks).collect()
    }

    /// The minibatch of what was said, as teacher forcing makes it.
    fn forced<T: Element>(&self, model: &Model<T>, talks: &[Talk]) -> Minibatch<T> {
        let graph = |talk: &Talk| {
            let mut g = model.graph();
            let mut memory = g.add(&self.begin, (), Sentence { id: Index(talk.sentence as u32) });
            let read = [BEGIN].iter().chain(&talk.said[..talk.said.len() - 1]);
            for (step, word) in read.enumerate() {
                let bias = g.tensor(&[bias(talk.sentence, step)]);
                memory = g.add(&self.say, [memory], Turn { word: Index(*word), bias });
            }
            g
        };
        let graphs: Vec<Graph<T>> = talks.iter().map(graph).collect();
        model.minibatch(&graphs).unwrap()
    }

    /// A training step over what is said; returns, to `keep`, the minibatch that it was.
    fn train(&self, trainer: &mut Trainer, sentences: &[usize], keep: bool) -> Option<Minibatch> {
        let (graphs, mut talks) = self.graphs(trainer.model(), sentences);
        let mut growth = trainer.grow(graphs).unwrap();
        while let Some(round) = growth.round().unwrap() {
            for mut g in round {
                let place = g.place();
                self.answer(&mut g, &mut talks[place]);
            }
        }
        growth.step().unwrap();
        growth.grown().filter(|_| keep).cloned()
    }

    /// The same, each sentence to its end. Returns the graphs.
    fn train_each(&self, trainer: &mut Trainer, sentences: &[usize]) -> Vec<Graph> {
        let mut talks = self.talks(trainer.model(), sentences);
        trainer.grow_each(&mut talks, |g, talk| self.answer(g, talk)).unwrap();
        talks.into_iter().map(|(graph, _)| graph).collect()
    }
}

/// A line of the table of the decoder.
fn line(threads: usize, words: usize, hidden: usize, batch: usize) {
    let (learner, model) = decoder::<learn, f32>(words, hidden, false);
    let engine = || Engine::with_threads(threads).unwrap();
    // A rate of 0, so that all steps do the same.
    let mut trainer = Trainer::new(model, Sgd::new(0.0)).engine(engine());
    let all: Vec<usize> = (0..if batch == 1 { 32 } else { SENTENCES }).collect();
    let parts: Vec<&[usize]> = all.chunks(batch).collect();
    let (mut own, mut other) = (engine(), engine());
    let (m, model) = decoder::<say, f32>(words, hidden, false);
    let model = &model;
    let said: Vec<_> = parts.iter().map(|part| m.decode(&mut own, model, part, true)).collect();
    let tokens: usize = said.iter().flat_map(|(talks, _)| talks).map(|talk| talk.said.len()).sum();
    let minibatches = || said.iter().filter_map(|(_, batch)| batch.as_ref());
    let [free, each, record, forced] = in_turns(5, |way| match way {
        0 => parts.iter().for_each(|part| _ = m.decode(&mut own, model, part, false)),
        1 => parts.iter().for_each(|part| m.decode_each(&mut own, model, part)),
        2 => minibatches().for_each(|batch| _ = other.infer(model, batch).unwrap()),
        _ => said.iter().for_each(|(talks, _)| {
            other.infer(model, &m.forced(model, talks)).unwrap();
        }),
    });
    let learned: Vec<_> =
        parts.iter().filter_map(|part| learner.train(&mut trainer, part, true)).collect();
    let known: Vec<Minibatch> = parts
        .iter()
        .map(|part| {
            let graphs = learner.train_each(&mut trainer, part);
            trainer.model().minibatch(&graphs).unwrap()
        })
        .collect();
    let [rounds, ends, recorded, known] = in_turns(3, |way| match way {
        0 => parts.iter().for_each(|part| _ = learner.train(&mut trainer, part, false)),
        1 => parts.iter().for_each(|part| _ = learner.train_each(&mut trainer, part)),
        2 => learned.iter().for_each(|batch| _ = trainer.step(batch).unwrap()),
        _ => known.iter().for_each(|batch| _ = trainer.step(batch).unwrap()),
    });
    let rate = |seconds: f64| all.len() as f64 / seconds;
    println!(
        "{words:>6} {hidden:>6} {batch:>5} {:>9.1} {:>9.1} {:>7.3} {:>7.3} {:>9.1} {:>9.1} {:>7.3} {:>7.3} {:>7}",
        rate(free),
        rate(each),
        each / record,
        each / forced,
        rate(rounds),
        rate(ends),
        ends / recorded,
        ends / known,
        tokens,
    );
}

#[derive(State)]
struct Count {
    x: Tensor,
}

#[derive(Output)]
struct Goes {
    on: Index,
}

/// Next to no work, and a decision.
#[vertex_function]
fn count(#[param(2)] scores: Tensor, #[dim(ONE)] one: Dim) {
    let before = gather_or(0, Count { x: zeros(one) });
    scatter(Count { x: before.x + 1.0 });
    push(Goes { on: scores.argmax() });
}

/// What a vertex costs, and a batch, beyond those of the same minibatch run from its record: a
/// vertex with many graphs side by side, a batch with one graph.
fn costs() {
    let mut builder = ModelBuilder::new();
    let f = builder.add::<count>(dims! { ONE: 1 });
    let model: Model = builder.build(1).unwrap();
    let (mut own, mut other) = (Engine::new(), Engine::new());
    let grow = |engine: &mut Engine, graphs: usize, rounds: usize, keep: bool| {
        let begin = || {
            let mut g = model.graph();
            g.add(&f, [None], ());
            g
        };
        let mut growth = engine.grow(&model, (0..graphs).map(|_| begin())).unwrap();
        let mut left = rounds;
        while let Some(round) = growth.round().unwrap() {
            left -= 1;
            for mut g in round {
                for (vertex, _) in g.decided(&f) {
                    if left > 0 {
                        g.add(&f, [Some(vertex)], ());
                    }
                }
            }
        }
        let run = growth.finish().unwrap();
        keep.then(|| run.minibatch().clone())
    };
    for (graphs, rounds, what) in [(256, 256, "vertex"), (1, 4096, "batch")] {
        let batch = grow(&mut own, graphs, rounds, true).unwrap();
        let [growing, known] = in_turns(9, |way| match way {
            0 => _ = grow(&mut own, graphs, rounds, false),
            _ => _ = other.infer(&model, &batch).unwrap(),
        });
        let per = |seconds: f64| 1e9 * seconds / (graphs * rounds) as f64;
        println!(
            "a {what}: {:.0} ns in all, {:.0} ns of the same from its record: {:.0} ns more",
            per(growing),
            per(known),
            per(growing - known),
        );
    }
}

/// What a wave of one vertex costs, beside the same products in a static minibatch of one row: the next
/// word of a sentence, and its first word without what its graph costs before.
fn waves(threads: usize) {
    for (words, hidden) in [(100, 64), (100, 256), (10_000, 64), (10_000, 256)] {
        let (m, model) = decoder::<say, f32>(words, hidden, false);
        let engine = || Engine::with_threads(threads).unwrap();
        let (mut own, mut other) = (engine(), engine());
        let graph = |says: bool| {
            let mut g = model.graph();
            let memory = g.add(&m.begin, (), Sentence { id: Index(0) });
            if says {
                let bias = g.tensor(&[0.0]);
                g.add(&m.say, [memory], Turn { word: Index(BEGIN), bias });
            }
            g
        };
        let [before, one] = [false, true].map(|says| model.minibatch([&graph(says)]).unwrap());
        // It never ends by itself.
        let grow = |engine: &mut Engine, most: usize| {
            let mut talks = vec![(graph(true), 1)];
            let answer = |g: &mut GrowingGraph<'_, f32>, said: &mut usize| {
                for (memory, Said { word }) in g.decided(&m.say) {
                    if *said < most {
                        *said += 1;
                        let bias = g.tensor(&[-1e3]);
                        g.add(&m.say, [memory], Turn { word, bias });
                    }
                }
            };
            engine.grow_each(&model, &mut talks, answer).unwrap();
        };
        const RUNS: usize = 20;
        let [long, short, one, before] = in_turns(9, |way| {
            for _ in 0..RUNS {
                match way {
                    0 => grow(&mut own, MOST),
                    1 => grow(&mut own, 1),
                    2 => _ = other.infer(&model, &one).unwrap(),
                    _ => _ = other.infer(&model, &before).unwrap(),
                }
            }
        });
        let wave = 1e6 * (long - short) / (RUNS * (MOST - 1)) as f64;
        let known = 1e6 * (one - before) / RUNS as f64;
        println!(
            "{words} words, {hidden} units: a wave {wave:.1} µs, the same in a minibatch of one row \
             {known:.1} µs: {:.2}",
            wave / known
        );
    }
}

/// Prints loss, lengths and sums of gradients with closed weights, which `decode_torch.py --check` compares, too.
fn check() {
    let (m, model) = decoder::<learn, f64>(10_000, 8, true);
    let sentences: Vec<usize> = (0..8).collect();
    let mut engine = Engine::new();
    let (talks, batch) = m.decode(&mut engine, &model, &sentences, true);
    let lengths: Vec<usize> = talks.iter().map(|talk| talk.said.len()).collect();
    let of = |talk: &Talk| -> u64 {
        talk.said.iter().enumerate().map(|(step, word)| (step as u64 + 1) * u64::from(*word)).sum()
    };
    let sum: u64 = talks.iter().map(of).sum();
    let loss = engine.infer(&model, &batch.unwrap()).unwrap().loss().unwrap() / 8.0;
    println!("lengths {lengths:?} tokens {sum} loss {loss:.12}");
    println!("first sentence: {:?}", talks[0].said);
}

fn main() {
    if env::args().any(|argument| argument == "--costs") {
        return costs();
    }
    if env::args().any(|argument| argument == "--waves") {
        for threads in [1, 2] {
            println!("{threads} threads:");
            waves(threads);
        }
        return;
    }
    let arguments: Vec<String> = env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--check") {
        return check();
    }
    let threads = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(1);
    let sizes = |argument: &String| -> Option<[usize; 3]> {
        let sizes: Result<Vec<usize>, _> = argument.split(',').map(str::parse).collect();
        sizes.ok()?.try_into().ok()
    };
    if let Some([words, hidden, batch]) = arguments.iter().find_map(sizes) {
        return line(threads, words, hidden, batch);
    }
    costs();
    println!(
        "{:>6} {:>6} {:>5} {:>9} {:>9} {:>7} {:>7} {:>9} {:>9} {:>7} {:>7} {:>7}",
        "words",
        "hidden",
        "batch",
        "decoded/s",
        "each/s",
        "/record",
        "/forced",
        "trained/s",
        "each/s",
        "/record",
        "/known",
        "tokens"
    );
    for (words, hidden) in [(100, 64), (100, 256), (10_000, 64), (10_000, 256)] {
        for batch in [1, 32, 256] {
            line(threads, words, hidden, batch);
        }
    }
}
