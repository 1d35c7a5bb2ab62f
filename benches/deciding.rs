//! What it costs that vertices decide how they go on: a tagger that thinks about each word until it
//! is done (adaptive computation time; Graves, 2016).
//!
//! `cargo bench --bench deciding [-- THREADS] [-- --sentences FILE]`. FILE has sentences as
//! `w12|t3 w7|t0 ..`, one a line; without it, they are drawn. How many trips a word takes is a formula of
//! its number. `--check` prints loss, trips and sums of gradients with closed weights, to compare with
//! another program (`benches/log/earlier.md` has PyTorch and JAX), `--costs` what a section costs beyond
//! its work, and a batch. Behind it, a tree whose phrases choose their expert.

mod turns;

use std::env;
use std::fs;

use cells::routed::Ways;
use cells::sentiment;
use edb::Element;
use edb::prelude::*;
use edb::schedule::SearchOptions;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use turns::in_turns;

const WORDS: usize = 20_000;
const TAGS: usize = 9;
const SENTENCES: usize = 256;

#[derive(State)]
struct Thought {
    h: Tensor,
}

/// A word, its tag, and what is added to the score by which thinking ends.
#[derive(Input)]
struct Word {
    id: Index,
    tag: Index,
    bias: Tensor,
}

/// Thinks about a word until it is done, and tags it.
#[vertex_function]
fn ponder(
    #[dim(H)] size: Dim,
    #[dim(ONE)] one: Dim,
    #[param(V, H)] e: Tensor,
    #[param(H, H)] w: Tensor,
    #[param(H)] b: Tensor,
    #[param(H, H)] u: Tensor,
    #[param(H)] a: Tensor,
    #[param(K, H)] wc: Tensor,
    #[param(K)] bc: Tensor,
) {
    let Word { id, tag, bias } = pull();
    let before = gather_or(0, Thought { h: zeros(size) });
    let bias = (bias + zeros(one)).sum();
    let x = w.dot(e.row(id)) + b;
    let (mut s, mut sum) = (before.h, zeros(size));
    let (mut halted, mut cost) = (scalar(0.0), scalar(0.0));
    while halted < 0.99 {
        s = (x + u.dot(s)).tanh();
        let p = (a.dot(s) + bias).sigmoid();
        let p = if halted + p < 0.99 { p } else { 1.0 - halted };
        sum += p * s;
        halted += p;
        cost += 1.0 - halted;
    }
    scatter(Thought { h: sum });
    loss(cross_entropy(wc.dot(sum) + bc, tag) + 0.01 * cost);
}

/// A number in `[0, 1)` that follows from a word's.
fn unit(word: u32) -> f64 {
    let bits = u64::from(word).wrapping_mul(2_654_435_761).wrapping_add(3_000_000_019) as u32;
    f64::from(bits) / 4_294_967_296.0
}

/// What asks for a number of trips: geometric, of mean 4, and at most 20.
fn bias(word: u32) -> f64 {
    let trips = (1.0 + ((1.0 - unit(word)).ln() / 0.75_f64.ln()).trunc()).min(20.0);
    let p = if trips == 1.0 { 0.995 } else { 0.99 / (trips - 0.5) };
    (p / (1.0 - p)).ln()
}

/// Words with their tags.
type Sentence = Vec<(u32, u32)>;

/// The sentences of a file, `w12|t3 w7|t0 ..`, one a line.
fn read(path: &str) -> Vec<Sentence> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let word = |word: &str| {
        let (word, tag) = word.split_once('|')?;
        Some((word.get(1..)?.parse().ok()?, tag.get(1..)?.parse::<u32>().ok()? % TAGS as u32))
    };
    let line = |line: &str| line.split_whitespace().map(word).collect();
    let sentences: Option<Vec<Sentence>> = text.lines().take(SENTENCES).map(line).collect();
    sentences.unwrap_or_else(|| panic!("{path}: a word is not like `w12|t3`"))
}

/// Sentences of about as many words, with as many words that are rare.
fn drawn() -> Vec<Sentence> {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let word = |rng: &mut ChaCha8Rng| {
        let word = (rng.random::<f64>() * (WORDS as f64).ln()).exp() as u32 - 1;
        (word.min(WORDS as u32 - 1), rng.random_range(0..TAGS as u32))
    };
    let mut sentence = |_| {
        let length = rng.random_range(4..37);
        (0..length).map(|_| word(&mut rng)).collect()
    };
    (0..SENTENCES).map(&mut sentence).collect()
}

/// The tagger, with random weights or with closed ones.
fn tagger<T: Element>(hidden: usize, closed: bool) -> (Function<ponder>, Model<T>) {
    let mut builder = ModelBuilder::new();
    let f = builder.add::<ponder>(dims! { V: WORDS, H: hidden, K: TAGS, ONE: 1 });
    let mut model: Model<T> = builder.build_as(1).unwrap();
    // In the order in which closed weights are numbered; their matrices are transposed.
    let order = ["e", "w", "b", "u", "a", "wc", "bc"];
    for (_, parameter) in model.parameters_mut().iter_mut() {
        let name = parameter.name().rsplit('.').next().unwrap_or_default().to_string();
        let number = order.iter().position(|known| *known == name).unwrap();
        let shape = parameter.shape().to_vec();
        let columns = if shape.len() == 2 { shape[1] } else { shape[0] };
        let mut rng = ChaCha8Rng::seed_from_u64(number as u64);
        let bound = (hidden as f64).powf(-0.5);
        for (place, value) in parameter.values_mut().unwrap().iter_mut().enumerate() {
            let (row, column) = (place / columns, place % columns);
            let transposed = shape.len() == 2 && name != "e";
            let (i, j) = if transposed { (column, row) } else { (row, column) };
            let (i, j) = (i as f64, j as f64);
            *value = T::from_f64(match closed {
                true => 0.4 * (0.7 * i + 1.3 * j + 0.37 * i * j + (number + 1) as f64).sin(),
                false => rng.random_range(-bound..bound),
            });
        }
    }
    (f, model)
}

/// Sentences as a minibatch.
fn minibatch<T: Element>(
    f: &Function<ponder>,
    model: &Model<T>,
    sentences: &[Sentence],
) -> Minibatch<T> {
    let graph = |sentence: &Sentence| {
        let mut g = model.graph();
        let mut before = None;
        for (word, tag) in sentence {
            let bias = g.tensor(&[T::from_f64(bias(*word))]);
            before = Some(g.add(f, [before], Word { id: Index(*word), tag: Index(*tag), bias }));
        }
        g
    };
    let graphs: Vec<Graph<T>> = sentences.iter().map(graph).collect();
    model.minibatch(&graphs).unwrap()
}

/// The trips of each word of each sentence.
fn trips<T: Element>(run: &Run<'_, T>, sentences: &[Sentence]) -> Vec<Vec<usize>> {
    let of_word = |graph, word| run.sections_at(graph, word).unwrap() - 2;
    let of_sentence =
        |(graph, words): (usize, &Sentence)| (0..words.len()).map(|w| of_word(graph, w)).collect();
    sentences.iter().enumerate().map(of_sentence).collect()
}

/// What minibatches needed, and how they ran.
#[derive(Default)]
struct Counts {
    /// Trips, one row each.
    needed: usize,
    /// Rows of the loop's body that ran.
    computed: usize,
    /// Batches of the loop's body, those that it needs at least (the most trips of a sentence), and
    /// those of a loop that is a barrier for all words of a place.
    body: usize,
    least: usize,
    barrier: usize,
    /// All batches, and the fewest that were found for what ran.
    batches: usize,
    best: usize,
}

impl Counts {
    fn add(&mut self, run: &Run<'_>, sentences: &[Sentence], types: &edb::schedule::Signature) {
        let trips = trips(run, sentences);
        self.needed += trips.iter().flatten().sum::<usize>();
        self.least += trips.iter().map(|words| words.iter().sum::<usize>()).max().unwrap_or(0);
        let longest = trips.iter().map(Vec::len).max().unwrap_or(0);
        let at = |place: usize| trips.iter().filter_map(move |words| words.get(place)).max();
        self.barrier += (0..longest).filter_map(at).sum::<usize>();
        let body = types.types().iter().position(|of| of.name == "ponder.while");
        let schedule = run.schedule();
        let of_body = schedule.batches().iter().filter(|run| Some(run.vertex_type.into()) == body);
        self.body += of_body.clone().count();
        self.computed += of_body.map(|run| (run.end - run.start) as usize).sum::<usize>();
        self.batches += schedule.len();
        let best = edb::schedule::search(&run.type_graph(), &[], &SearchOptions::default());
        self.best += best.unwrap().len();
    }
}

/// A line of the table.
fn line(sentences: &[Sentence], threads: usize, hidden: usize, batch: usize) {
    let sentences = &sentences[..if batch == 1 { 32 } else { sentences.len() }];
    let parts: Vec<&[Sentence]> = sentences.chunks(batch).collect();
    let words: usize = sentences.iter().map(Vec::len).sum();
    let engine = || Engine::with_threads(threads).unwrap();
    let (f, model) = tagger::<f32>(hidden, false);
    let mut own = engine();
    // How to go on is learned on other minibatches than those that are counted.
    let half = parts.len().div_ceil(2);
    for part in parts[..half].iter().cycle().take(5) {
        own.infer(&model, &minibatch(&f, &model, part)).unwrap();
    }
    let mut counts = Counts::default();
    for part in &parts[parts.len() - half..] {
        let batch = minibatch(&f, &model, part);
        counts.add(&own.infer(&model, &batch).unwrap(), part, model.signature());
    }
    // A rate of 0, so that all steps make the same trips.
    let (g, learner) = tagger::<f32>(hidden, false);
    let mut trainer = Trainer::new(learner, Sgd::new(0.0)).engine(engine());
    // Policies are learned on the first minibatches.
    for part in parts.iter().cycle().take(5) {
        let batch = minibatch(&g, trainer.model(), part);
        trainer.step(&batch).unwrap();
    }
    // The planning and the work of the last pass.
    let [mut planning, mut sections] = [0.0; 2];
    let [infer, train] = in_turns(5, |way| match way {
        0 => parts.iter().for_each(|part| {
            own.infer(&model, &minibatch(&f, &model, part)).unwrap();
        }),
        _ => {
            [planning, sections] = [0.0; 2];
            for part in &parts {
                let batch = minibatch(&g, trainer.model(), part);
                trainer.step(&batch).unwrap();
                let report = trainer.report();
                planning += report.schedule.as_secs_f64();
                sections += report.batches as f64;
            }
        }
    });
    let rate = |seconds: f64| words as f64 / seconds;
    let Counts { needed, computed, body, least, barrier, batches, best } = counts;
    println!(
        "{hidden:>6} {batch:>5} {:>10.0} {:>10.0} {computed:>8} {needed:>8} {body:>6} {least:>6} {barrier:>8} \
         {batches:>8} {:>6.3} {:>9.3} {:>9.0}",
        rate(infer),
        rate(train),
        batches as f64 / best.max(1) as f64,
        planning / train,
        1e9 * planning / sections.max(1.0),
    );
}

/// Next to no work, again and again.
#[vertex_function]
fn count(#[dim(ONE)] one: Dim, #[param(ONE)] most: Tensor) {
    let mut n = scalar(0.0);
    let most = most.sum();
    loop {
        n += 1.0;
        if n >= most {
            break;
        }
    }
    loss(n + zeros(one).sum());
}

/// What a section costs, and a batch, beyond those of the same minibatch run from its record: a
/// section with many vertices side by side, a batch with one vertex.
fn costs() {
    for (graphs, rounds, what) in [(256, 256, "section"), (1, 4096, "batch")] {
        let mut builder = ModelBuilder::new();
        let most = Initializer::Constant(f64::from(rounds));
        let f = builder.add::<count>(dims! { ONE: 1 }.init("most", most));
        let model: Model = builder.build(1).unwrap();
        let graph = || {
            let mut g = model.graph();
            g.add(&f, (), ());
            g
        };
        let all: Vec<Graph> = (0..graphs).map(|_| graph()).collect();
        let given = model.minibatch(&all).unwrap();
        let (mut own, mut other) = (Engine::new(), Engine::new());
        let grown = own.infer(&model, &given).unwrap().minibatch().clone();
        let [deciding, known] = in_turns(9, |way| match way {
            0 => _ = own.infer(&model, &given).unwrap(),
            _ => _ = other.infer(&model, &grown).unwrap(),
        });
        let per = |seconds: f64| 1e9 * seconds / f64::from(graphs * rounds);
        println!(
            "a {what}: {:.0} ns in all, {:.0} ns of the same from its record: {:.0} ns more",
            per(deciding),
            per(known),
            per(deciding - known),
        );
    }
}

/// A tree of words: for each vertex a word, or its two parts.
type Tree = Vec<Result<u32, [usize; 2]>>;

/// Trees as in the Stanford Sentiment Treebank, of 19 words in the mean.
fn trees() -> Vec<Tree> {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut tree = |_| {
        let words = rng.random_range(4..35);
        let mut tree: Tree = (0..words).map(|_| Ok(rng.random_range(0..20_000))).collect();
        let mut open: Vec<usize> = (0..words).collect();
        while open.len() > 1 {
            let place = rng.random_range(0..open.len() - 1);
            let right = open.remove(place + 1);
            tree.push(Err([open[place], right]));
            open[place] = tree.len() - 1;
        }
        tree
    };
    (0..SENTENCES).map(&mut tree).collect()
}

/// A tree whose phrases choose their expert, beside the same tree with the experts known
/// beforehand, and beside all three experts computed.
fn routed(threads: usize, hidden: usize, batch: usize) {
    // Long, since three ways to build the same trees share what they are built of.
    let mut builder = ModelBuilder::new();
    let table = Initializer::Uniform { bound: 0.5 };
    let word = builder
        .add::<sentiment::word>(dims! { V: WORDS, X: hidden, H: hidden }.init("table", table));
    let ways = Ways::new(&mut builder, hidden);
    let classify = builder.add::<sentiment::sentiment>(dims! { C: 5, H: hidden });
    let model: Model = builder.build(3).unwrap();
    let trees = trees();
    let parts: Vec<&[Tree]> = trees.chunks(batch).collect();
    // What each phrase chooses, when nothing is learned.
    let graph = |model: &Model, tree: &Tree, way: usize, experts: &[Index]| {
        let mut g = model.graph();
        let mut vertices: Vec<Vertex<sentiment::Node>> = Vec::new();
        for (place, vertex) in tree.iter().enumerate() {
            let vertex = match vertex {
                Ok(id) => g.add(&word, (), sentiment::Word { id: Index(*id) }),
                Err(parts) => {
                    let parts = parts.map(|part| vertices[part]);
                    match way {
                        0 => g.add(&ways.routed, parts, ()),
                        1 => ways.known(&mut g, parts, experts[place]),
                        _ => g.add(&ways.chosen, parts, ()),
                    }
                }
            };
            vertices.push(vertex);
            g.add(&classify, [vertex], sentiment::Gold { label: Index((place % 5) as u32) });
        }
        (g, vertices)
    };
    let minibatch = |model: &Model, part: &[Tree], way: usize, experts: &[Vec<Index>]| {
        let experts = |place: usize| experts.get(place).map_or(&[][..], |experts| experts);
        let graphs = part.iter().enumerate();
        let graphs = graphs.map(|(place, tree)| graph(model, tree, way, experts(place)).0);
        model.minibatch(&graphs.collect::<Vec<_>>()).unwrap()
    };
    let mut engine = Engine::with_threads(threads).unwrap();
    let mut shares = [0; 3];
    let experts: Vec<Vec<Vec<Index>>> = parts
        .iter()
        .map(|part| {
            let all: Vec<_> = part.iter().map(|tree| graph(&model, tree, 0, &[])).collect();
            let batch = model.minibatch(all.iter().map(|(graph, _)| graph)).unwrap();
            let run = engine.infer(&model, &batch).unwrap();
            let of_tree = |(place, tree): (usize, &Tree)| -> Vec<Index> {
                let of_vertex = |(number, vertex): (usize, &Result<u32, [usize; 2]>)| {
                    // Every vertex of the tree is followed by its classifier.
                    let chosen = || run.index_at(place, 2 * number, "expert").unwrap();
                    Index(vertex.map_or_else(|_| chosen(), |_| 0))
                };
                tree.iter().enumerate().map(of_vertex).collect()
            };
            part.iter().enumerate().map(of_tree).collect()
        })
        .collect();
    for (part, experts) in parts.iter().zip(&experts) {
        for (tree, experts) in part.iter().zip(experts) {
            let phrases = tree.iter().zip(experts).filter(|(vertex, _)| vertex.is_err());
            phrases.for_each(|(_, expert)| shares[expert.0 as usize] += 1);
        }
    }
    let mut trainer =
        Trainer::new(model, Sgd::new(0.0)).engine(Engine::with_threads(threads).unwrap());
    let mut step = |way: usize, part: &[Tree], experts: &[Vec<Index>]| {
        let batch = minibatch(trainer.model(), part, way, experts);
        trainer.step(&batch).unwrap();
    };
    // Policies are learned on the first minibatches.
    for way in 0..3 {
        let all = parts.iter().zip(&experts).cycle();
        all.take(5).for_each(|(part, experts)| step(way, part, experts));
    }
    let times: [f64; 3] = in_turns(7, |way| {
        parts.iter().zip(&experts).for_each(|(part, experts)| step(way, part, experts));
    });
    let rate = |seconds: f64| trees.len() as f64 / seconds;
    println!(
        "{hidden:>6} {batch:>5} {:>11.1} {:>11.1} {:>11.1} {:>8.3} {:>8.3}   {shares:?}",
        rate(times[0]),
        rate(times[1]),
        rate(times[2]),
        times[0] / times[1],
        times[2] / times[1],
    );
}

/// Prints loss, trips and sums of gradients with closed weights.
fn check(sentences: &[Sentence]) {
    let (f, model) = tagger::<f64>(8, true);
    let sentences = &sentences[..4];
    let batch = minibatch(&f, &model, sentences);
    let mut engine = Engine::new();
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    let trips: usize = trips(&run, sentences).iter().flatten().sum();
    let words: usize = sentences.iter().map(Vec::len).sum();
    println!("words {words} trips {trips} loss {:.12}", run.loss().unwrap() / 4.0);
    let gradients = run.backward().unwrap();
    for (id, parameter) in model.parameters().iter() {
        let (shape, values) = (parameter.shape(), gradients.to_dense(id));
        let name = parameter.name();
        let [rows, columns] = match *shape {
            [rows, columns] => [rows, columns],
            _ => [1, values.len()],
        };
        let [mut dot, mut square] = [0.0; 2];
        for (place, value) in values.iter().enumerate() {
            let (row, column) = (place / columns, place % columns);
            let transposed = shape.len() == 2 && !name.ends_with(".e");
            let place = if transposed { column * rows + row } else { place };
            let value = value / 4.0;
            dot += value * (place as f64).cos();
            square += value * value;
        }
        println!("{name:>10} dot {dot:19.12e} sq {square:18.12e}");
    }
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    if has("--costs") {
        return costs();
    }
    let file = arguments.iter().position(|argument| argument == "--sentences");
    let sentences = match file.and_then(|place| arguments.get(place + 1)) {
        Some(path) => read(path),
        None => drawn(),
    };
    if has("--check") {
        return check(&sentences);
    }
    let threads = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(1);
    if has("--routed") {
        return routes(threads);
    }
    costs();
    println!(
        "{:>6} {:>5} {:>10} {:>10} {:>8} {:>8} {:>6} {:>6} {:>8} {:>8} {:>6} {:>9} {:>9}",
        "hidden",
        "batch",
        "infer w/s",
        "train w/s",
        "computed",
        "needed",
        "body",
        "least",
        "barrier",
        "batches",
        "ratio",
        "planning",
        "ns/batch",
    );
    for hidden in [64, 256] {
        for batch in [1, 32, 256] {
            line(&sentences, threads, hidden, batch);
        }
    }
    println!();
    routes(threads);
}

/// The table of the trees.
fn routes(threads: usize) {
    println!(
        "{:>6} {:>5} {:>11} {:>11} {:>11} {:>8} {:>8}   phrases of each expert",
        "hidden", "batch", "routed/s", "known/s", "all three/s", "/known", "all/known",
    );
    for hidden in [64, 256] {
        for batch in [32, 256] {
            routed(threads, hidden, batch);
        }
    }
}
