//! The code of the chapter "Serving a model".

// ANCHOR: uses
use std::thread;

use edb::engine::{EngineError, GraphResults};
use edb::schedule::LearnOptions;
use edb::serve::{Batcher, ServeError};
// ANCHOR_END: uses

use super::*;

// ANCHOR: model
#[derive(Clone, Copy)]
struct Classifier {
    read: Function<read>,
    judge: Function<judge>,
}

fn classifier() -> Result<(Classifier, Model), edb::model::ModelError> {
    let mut builder = ModelBuilder::new();
    let read = builder.add::<read>(dims! { H: 6, X: 3 });
    let judge = builder.add::<judge>(dims! { C: 2, H: 6 });
    Ok((Classifier { read, judge }, builder.build(1)?))
}
// ANCHOR_END: model

// ANCHOR: request
impl Classifier {
    /// A sentence as a graph, with its class if that is known, and the vertex with its scores; `None` if
    /// there are no words.
    fn sentence<const X: usize>(
        &self,
        model: &Model,
        words: &[[f32; X]],
        gold: Option<Gold>,
    ) -> Option<(Graph, Vertex<()>)> {
        let mut g = model.graph();
        let last = words.iter().fold(None, |before, word| {
            let x = g.tensor(word);
            Some(g.add(&self.read, [before], Word { x }))
        });
        let vertex = g.add(&self.judge, [last?], gold);
        Some((g, vertex))
    }
}
// ANCHOR_END: request

// ANCHOR: server
/// What all threads of a server share.
struct Server {
    classifier: Classifier,
    batcher: Batcher,
}

impl Server {
    /// The class of a sentence.
    fn class<const X: usize>(&self, words: &[[f32; X]]) -> Result<usize, ServeError> {
        let request = self.classifier.sentence(&self.batcher.model(), words, None);
        let (graph, vertex) = request.ok_or(ServeError::EmptyGraph)?;
        self.batcher.ask(&graph, self.best(vertex))
    }

    /// What is read of a sentence: the class with the highest score.
    fn best(
        &self,
        vertex: Vertex<()>,
    ) -> impl FnOnce(GraphResults<'_>) -> Result<usize, EngineError> + Send + use<> {
        let judge = self.classifier.judge;
        move |results| {
            let logits = results.output(&judge, vertex)?.logits;
            let better = |best, class| if logits[[class]] > logits[[best]] { class } else { best };
            Ok((1..logits.len()).fold(0, better))
        }
    }
}
// ANCHOR_END: server

// ANCHOR: async
impl Server {
    async fn class_later(&self, words: &[[f32; 3]]) -> Result<usize, ServeError> {
        let request = self.classifier.sentence(&self.batcher.model(), words, None);
        let (graph, vertex) = request.ok_or(ServeError::EmptyGraph)?;
        self.batcher.ask_later(&graph, self.best(vertex))?.await
    }
}
// ANCHOR_END: async

// ANCHOR: metrics
use std::fmt::Write;

use edb::serve::Counts;

/// The counts of a batcher, in the text format of Prometheus.
fn metrics(counts: &Counts) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    writeln!(text, "# TYPE queued gauge\nqueued {}", counts.queued)?;
    writeln!(text, "# TYPE refused_total counter\nrefused_total {}", counts.refused_full)?;
    writeln!(text, "# TYPE took_seconds histogram")?;
    for (time, at_most) in counts.took.at_most() {
        writeln!(text, "took_seconds_bucket{{le=\"{}\"}} {at_most}", time.as_secs_f64())?;
    }
    let (count, total) = (counts.took.count(), counts.took.total().as_secs_f64());
    writeln!(text, "took_seconds_bucket{{le=\"+Inf\"}} {count}")?;
    writeln!(text, "took_seconds_sum {total}\ntook_seconds_count {count}")?;
    Ok(text)
}
// ANCHOR_END: metrics

fn sentence(words: usize) -> Vec<[f32; 3]> {
    vec![[words as f32, -0.5, 1.0 / words as f32]; words]
}

/// The class of a sentence that runs alone.
fn alone(server: &Server, words: &[[f32; 3]]) -> Result<usize, Box<dyn Error>> {
    let model = server.batcher.model();
    let (graph, vertex) = server.classifier.sentence(&model, words, None).ok_or("no words")?;
    let batch = model.minibatch([&graph])?;
    let mut engine = Engine::new();
    Ok(server.best(vertex)(engine.infer(&model, &batch)?.graph(0)?)?)
}

#[test]
fn requests_are_answered_on_threads() -> Outcome {
    // ANCHOR: start
    let (classifier, model) = classifier()?;
    let batcher = Batcher::builder(model).start()?;
    let server = &Server { classifier, batcher };
    // On any number of threads at the same time:
    let classes: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> =
            (1..9).map(|words| scope.spawn(move || server.class(&sentence(words)))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no thread panics")).collect()
    });
    // ANCHOR_END: start
    for (words, class) in (1..9).zip(classes) {
        assert_eq!(class?, alone(server, &sentence(words))?);
    }
    assert!(matches!(server.class::<3>(&[]), Err(ServeError::EmptyGraph)));

    let text = metrics(&server.batcher.counts())?;
    assert!(text.contains("\nqueued 0\n") && text.contains("\ntook_seconds_count 8\n"), "{text}");
    let buckets = text.lines().filter(|line| line.starts_with("took_seconds_bucket"));
    let buckets: Vec<&str> = buckets.collect();
    assert!(buckets[0].starts_with("took_seconds_bucket{le=\"0.000001\"} "), "{text}");
    assert_eq!(buckets.last(), Some(&"took_seconds_bucket{le=\"+Inf\"} 8"));

    // ANCHOR: refused
    // This model's words have three numbers.
    let error = server.class(&[[1.0, 2.0]]).unwrap_err();
    let status = match &error {
        ServeError::EmptyGraph | ServeError::Graph(_) | ServeError::TooLarge { .. } => 400,
        ServeError::Full { .. } | ServeError::Closed => 503,
        _ => 500,
    };
    assert_eq!(
        (status, error.to_string().as_str()),
        (400, "vertex 0: the input `x` of `read` has shape [3], so 3 numbers; 2 are given")
    );
    // ANCHOR_END: refused

    let future = server.class_later(&[[1.0, 2.0, 3.0]; 2]);
    let mut future = std::pin::pin!(future);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    let class = loop {
        if let std::task::Poll::Ready(class) = future.as_mut().poll(&mut context) {
            break class?;
        }
        thread::yield_now();
    };
    assert_eq!(class, alone(server, &[[1.0, 2.0, 3.0]; 2])?);
    Ok(())
}

#[test]
fn engines_are_made_with_a_policy_and_warmed_up() -> Outcome {
    let (classifier, model) = classifier()?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("policy.json");
    let requests = (1..9).filter_map(|words| classifier.sentence(&model, &sentence(words), None));
    let examples: Vec<Graph> = requests.map(|(graph, _)| graph).collect();
    let batch = model.minibatch(&examples)?;
    let (graph, _) = Engine::<f32>::new().type_graph(&model, &batch)?;
    let signature = model.signature();
    let learned = Policy::learn_for(signature, &[graph], &LearnOptions::default(), &mut |_| ())?;
    learned.save(&path, signature)?;

    // ANCHOR: engines
    let policy = Policy::load(&path, model.signature())?;
    let batcher = Batcher::builder(model)
        .workers(2)
        .engines(move || Ok(Engine::with_threads(2)?.policy(policy.clone())))
        .warm_up(&examples)
        .start()?;
    // ANCHOR_END: engines
    let server = Server { classifier, batcher };
    assert_eq!(server.class(&sentence(5))?, alone(&server, &sentence(5))?);
    Ok(())
}

/// The same graph runs with other numbers, and all scores are read at once.
#[test]
fn numbers_of_a_minibatch_can_be_replaced() -> Outcome {
    let (Classifier { read, judge }, model) = classifier()?;
    // ANCHOR: again
    let mut g = model.graph();
    let x = g.tensor(&[0.0; 3]);
    let last = g.add(&read, [None], Word { x });
    g.add(&judge, [last], ());
    let mut batch = model.minibatch([&g])?;
    let mut engine = Engine::new();
    for hour in 0..24 {
        batch.set_tensor(x, &[hour as f32, 0.5, -0.5])?;
        let run = engine.infer(&model, &batch)?;
        // A row for each vertex of `judge`, and a row for each of these states.
        let scores = run.outputs(&judge)?;
        let states = run.states(&[last])?;
        assert_eq!(scores.view().logits.shape(), [1, 2]);
        assert_eq!(states.view().h.shape(), [1, 6]);
    }
    // ANCHOR_END: again
    Ok(())
}

// ANCHOR: turn
use edb::ndarray::Axis;

#[derive(Input)]
struct Turn {
    h: Tensor,
    token: Index,
}

#[derive(Output)]
struct Said {
    h: Tensor,
    logits: Tensor,
}

/// A word of a sentence, read after the previous word and the memory of all words before.
#[vertex_function(check(V = 5, H = 3))]
fn turn(#[param(V, H)] table: Tensor, #[param(H, H)] u: Tensor, #[param(V, H)] w: Tensor) {
    let Turn { h, token } = pull();
    let h = (u.dot(h) + table.row(token)).tanh();
    push(Said { h, logits: w.dot(h) });
}
// ANCHOR_END: turn

#[test]
fn sentences_grow_word_by_word() -> Outcome {
    let mut builder = ModelBuilder::new();
    let turn = builder.add::<turn>(dims! { V: 5, H: 6 });
    let model: Model = builder.build(3)?;
    let mut engine = Engine::new();

    // ANCHOR: grow
    const END: u32 = 0;
    const MOST: usize = 12;
    // For each sentence, its last word and its memory.
    let mut last: Vec<(u32, Vec<f32>)> = (1..5).map(|word| (word, vec![0.0; 6])).collect();
    let mut said: Vec<Vec<u32>> = vec![Vec::new(); last.len()];
    let mut open: Vec<usize> = (0..last.len()).collect();
    while !open.is_empty() {
        let graphs: Vec<Graph> = open
            .iter()
            .map(|sentence| {
                let (word, memory) = &last[*sentence];
                let mut g = model.graph();
                let h = g.tensor(memory);
                g.add(&turn, (), Turn { h, token: Index(*word) });
                g
            })
            .collect();
        let batch = model.minibatch(&graphs)?;
        let outputs = engine.infer(&model, &batch)?.outputs(&turn)?;
        let turns = outputs.view();
        for (row, sentence) in open.iter().enumerate() {
            let logits = turns.logits.index_axis(Axis(0), row);
            let best = (1..logits.len())
                .fold(0, |best, word| if logits[[word]] > logits[[best]] { word } else { best });
            let memory = turns.h.index_axis(Axis(0), row).iter().copied().collect();
            last[*sentence] = (best as u32, memory);
            said[*sentence].push(best as u32);
        }
        open.retain(|sentence| last[*sentence].0 != END && said[*sentence].len() < MOST);
    }
    // ANCHOR_END: grow
    for sentence in &said {
        assert!(sentence.len() == MOST || sentence.last() == Some(&END), "{sentence:?}");
        assert!(sentence.iter().rev().skip(1).all(|word| *word != END), "{sentence:?}");
    }
    // A sentence that grows alone is the same.
    let mut memory = vec![0.0; 6];
    let mut word = 2;
    for expected in &said[1] {
        let mut g = model.graph();
        let h = g.tensor(&memory);
        let vertex = g.add(&turn, (), Turn { h, token: Index(word) });
        let batch = model.minibatch([&g])?;
        let run = engine.infer(&model, &batch)?;
        let output = run.output(&turn, vertex)?;
        assert!(output.logits.iter().all(|logit| *logit <= output.logits[[*expected as usize]]));
        (word, memory) = (*expected, output.h.iter().copied().collect());
    }
    Ok(())
}

/// The server's scores use the parameters that training changed.
#[test]
fn the_server_uses_trained_parameters() -> Outcome {
    let (classifier, model) = classifier()?;
    let untrained = model.parameters().clone();
    let mut trainer = Trainer::new(model, Adam::new(0.05));
    for _ in 0..60 {
        let graphs = [(1.0, 0), (-1.0, 1)].map(|(word, label): (f32, u32)| {
            let (words, gold) = ([[word, 0.0, 0.5]], Gold { label: label.into() });
            classifier.sentence(trainer.model(), &words, Some(gold)).expect("there is a word").0
        });
        trainer.step_graphs(&graphs)?;
    }
    let model = trainer.model().with_parameters(untrained)?;
    let server = Server { classifier, batcher: Batcher::builder(model).workers(1).start()? };
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("model.safetensors");
    trainer.model().save(&path)?;
    // ANCHOR: replace
    let (_, mut newer) = self::classifier()?;
    newer.load(&path)?;
    server.batcher.replace(newer.parameters().clone())?;
    // ANCHOR_END: replace
    let classes = [1.0, -1.0].map(|word| server.class(&[[word, 0.0, 0.5]]));
    assert_eq!(classes.map(Result::ok), [Some(0), Some(1)]);
    Ok(())
}
