//! The code of the chapter "Serving a model".

use std::thread;

use edb::graph::MinibatchError;
use edb::schedule::LearnOptions;
use ndarray::Axis;

use super::*;

// ANCHOR: cells
/// The scores of a sentence, from the memory of the whole sentence.
#[vertex_helper]
fn scores(w: Tensor, b: Tensor, memory: Memory) -> Tensor {
    w.dot(memory.h) + b
}

/// Training adds the known class.
#[vertex_function]
fn teach(#[param(C, H)] w: Tensor, #[param(C)] b: Tensor) {
    let memory: Memory = gather(0);
    let Gold { label } = pull();
    loss(cross_entropy(scores(w, b, memory), label));
}

/// The server needs only scores.
#[vertex_function]
fn score(#[param(C, H)] w: Tensor, #[param(C)] b: Tensor) {
    let memory: Memory = gather(0);
    push(Scores { logits: scores(w, b, memory) });
}
// ANCHOR_END: cells

// ANCHOR: model
struct Classifier {
    read: Function<read>,
    teach: Function<teach>,
    score: Function<score>,
    model: Model,
}

fn classifier() -> Result<Classifier, edb::model::ModelError> {
    let mut builder = ModelBuilder::new();
    let read = builder.add::<read>(dims! { H: 6, X: 3 });
    let teach = builder.add::<teach>(dims! { C: 2, H: 6 });
    // `score` shares `w` and `b` with `teach`, which trains them.
    let same = dims! { C: 2, H: 6 }.share("w", teach.param("w")).share("b", teach.param("b"));
    let score = builder.add::<score>(same);
    Ok(Classifier { read, teach, score, model: builder.build(1)? })
}
// ANCHOR_END: model

impl Classifier {
    fn words(&self, g: &mut Graph, words: &[[f32; 3]]) -> Option<Vertex<Memory>> {
        words.iter().fold(None, |before, word| {
            let x = g.tensor(word);
            Some(g.add(&self.read, [before], Word { x }))
        })
    }

    // ANCHOR: request
    /// A request as a graph, and the vertex with the answer; `None` if there are no words.
    fn request(&self, words: &[[f32; 3]]) -> Option<(Graph, Vertex<()>)> {
        let mut g = self.model.graph();
        let last = self.words(&mut g, words)?;
        let answer = g.add(&self.score, [last], ());
        Some((g, answer))
    }
    // ANCHOR_END: request
}

// ANCHOR: answer
/// The class for each valid request. An invalid request gets an error, and does not affect the
/// others.
fn answer(
    classifier: &Classifier,
    engine: &mut Engine,
    requests: &[(Graph, Vertex<()>)],
) -> Result<Vec<Result<usize, String>>, edb::engine::EngineError> {
    let mut answers: Vec<Result<usize, String>> = vec![Ok(0); requests.len()];
    let mut good: Vec<usize> = (0..requests.len()).collect();
    let batch = loop {
        match classifier.model.minibatch(good.iter().map(|request| &requests[*request].0)) {
            Ok(batch) => break batch,
            // The error gives the index of the wrong graph, which is left out.
            Err(MinibatchError::Graph { graph, error }) => {
                answers[good.remove(graph)] = Err(error.to_string());
            }
            // No graph is left, or the error concerns all of them.
            Err(error) => {
                good.iter().for_each(|request| answers[*request] = Err(error.to_string()));
                return Ok(answers);
            }
        }
    };
    let run = engine.infer(&classifier.model, &batch)?;
    for request in good {
        let logits = run.output(&classifier.score, requests[request].1)?.logits;
        let best = (1..logits.len())
            .fold(0, |best, class| if logits[[class]] > logits[[best]] { class } else { best });
        answers[request] = Ok(best);
    }
    Ok(answers)
}
// ANCHOR_END: answer

#[test]
fn requests_are_answered_on_threads() -> Outcome {
    let classifier = classifier()?;
    let lengths = [1, 4, 2, 7, 3, 3, 5, 1];
    let sentence = |words: usize| vec![[words as f32, -0.5, 1.0 / words as f32]; words];
    let requests: Vec<_> =
        lengths.iter().filter_map(|words| classifier.request(&sentence(*words))).collect();
    assert!(classifier.request(&[]).is_none());
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("policy.json");
    let signature = classifier.model.signature();
    let batch = classifier.model.minibatch(requests.iter().map(|(graph, _)| graph))?;
    let (graph, _) = Engine::<f32>::new().type_graph(&classifier.model, &batch)?;
    let learned = Policy::learn_for(signature, &[graph], &LearnOptions::default(), &mut |_| ())?;
    learned.save(&path, signature)?;

    // ANCHOR: threads
    let classifier = &classifier;
    let policy = Policy::load(&path, classifier.model.signature())?;
    let answers: Vec<_> = thread::scope(|scope| {
        let workers = requests.chunks(4).map(|requests| {
            let policy = policy.clone();
            scope.spawn(move || {
                // Each thread makes one engine and keeps it: it holds memory, packed weights and
                // the policy.
                let mut engine = Engine::with_threads(1)?.policy(policy);
                answer(classifier, &mut engine, requests)
            })
        });
        let workers: Vec<_> = workers.collect();
        workers.into_iter().map(|worker| worker.join().expect("no worker panics")).collect()
    });
    // ANCHOR_END: threads
    let mut engine = Engine::new();
    let alone = requests.iter().map(|request| {
        let answers = answer(classifier, &mut engine, std::slice::from_ref(request))?;
        Ok(answers[0].clone())
    });
    let alone: Result<Vec<_>, edb::engine::EngineError> = alone.collect();
    let together: Result<Vec<Vec<_>>, edb::engine::EngineError> = answers.into_iter().collect();
    assert_eq!(together?.concat(), alone?);
    Ok(())
}

#[test]
fn one_bad_request_is_answered_alone() -> Outcome {
    let classifier = classifier()?;
    let good = classifier.request(&[[1.0, 2.0, 3.0]; 2]).ok_or("two words")?;
    let mut g = classifier.model.graph();
    let x = g.tensor(&[1.0, 2.0]);
    let word = g.add(&classifier.read, [None], Word { x });
    let answer_of_bad = g.add(&classifier.score, [word], ());
    let mut engine = Engine::new();
    let requests = [(g, answer_of_bad), good];
    let answers = answer(&classifier, &mut engine, &requests)?;
    let [Err(error), Ok(_)] = &answers[..] else { panic!("{answers:?}") };
    assert!(error.contains("3 numbers"), "{error}");
    let none = answer(&classifier, &mut engine, &requests[..1])?;
    assert!(none[0].is_err());
    Ok(())
}

/// The same graph runs with other numbers, and all scores are read at once.
#[test]
fn numbers_of_a_minibatch_can_be_replaced() -> Outcome {
    let Classifier { read, score, model, .. } = classifier()?;
    // ANCHOR: again
    let mut g = model.graph();
    let x = g.tensor(&[0.0; 3]);
    let last = g.add(&read, [None], Word { x });
    g.add(&score, [last], ());
    let mut batch = model.minibatch([&g])?;
    let mut engine = Engine::new();
    for hour in 0..24 {
        batch.set_tensor(x, &[hour as f32, 0.5, -0.5])?;
        let run = engine.infer(&model, &batch)?;
        // A row for each vertex of `score`, and a row for each of these states.
        let scores = run.outputs(&score)?;
        let states = run.states(&[last])?;
        assert_eq!(scores.view().logits.shape(), [1, 2]);
        assert_eq!(states.view().h.shape(), [1, 6]);
    }
    // ANCHOR_END: again
    Ok(())
}

// ANCHOR: turn
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
#[vertex_function]
fn turn(#[param(V, H)] table: Tensor, #[param(H, H)] u: Tensor, #[param(V, H)] w: Tensor) {
    let Turn { h, token } = pull();
    let h = (u.dot(h) + table.row(token)).tanh();
    push(Said { h, logits: w.dot(h) });
}
// ANCHOR_END: turn

#[test]
fn sentences_grow_word_by_word() -> Outcome {
    const END: u32 = 0;
    const MOST: usize = 12;
    let mut builder = ModelBuilder::new();
    let turn = builder.add::<turn>(dims! { V: 5, H: 6 });
    let model: Model = builder.build(3)?;
    let mut engine = Engine::new();

    // ANCHOR: grow
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
    let Classifier { read, teach, score, model } = classifier()?;
    let mut trainer = Trainer::new(model, Adam::new(0.05));
    for _ in 0..60 {
        let graphs = [(1.0, 0), (-1.0, 1)].map(|(word, label): (f32, u32)| {
            let mut g = trainer.model().graph();
            let x = g.tensor(&[word, 0.0, 0.5]);
            let last = g.add(&read, [None], Word { x });
            g.add(&teach, [last], Gold { label: label.into() });
            g
        });
        let batch = trainer.model().minibatch(&graphs)?;
        trainer.step(&batch)?;
    }
    let classifier = Classifier { read, teach, score, model: trainer.into_model() };
    let requests = [1.0, -1.0].map(|word| classifier.request(&[[word, 0.0, 0.5]]));
    let requests: Vec<_> = requests.into_iter().flatten().collect();
    let answers = answer(&classifier, &mut Engine::new(), &requests)?;
    assert_eq!(answers, [Ok(0), Ok(1)]);
    Ok(())
}
