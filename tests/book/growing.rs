//! The code of the chapter on graphs that grow.

// ANCHOR: uses
use edb::engine::{EngineError, Seeds};
use edb::prelude::*;
use edb::testing::{Check, grown_equals_eager};
use edb::trainer::TrainError;
// ANCHOR_END: uses

const WORDS: usize = 20;

// ANCHOR: function
/// The word that ends an answer.
const END: u32 = 0;

#[derive(State)]
struct Memory {
    h: Tensor,
}

#[derive(Input)]
struct Word {
    id: Index,
}

#[derive(Output)]
struct Said {
    word: Index,
    log_p: Tensor,
}

/// Reads a word.
#[vertex_function(check(V = 5, H = 3))]
fn read(#[param(V, H)] table: Tensor, #[param(H, H)] w: Tensor, #[dim(H)] size: Dim) {
    let Word { id } = pull();
    let before = gather_or(0, Memory { h: zeros(size) });
    scatter(Memory { h: (w.dot(before.h) + table.row(id)).tanh() });
}

/// Says a word, a decision, and learns which one should have been said, where that is known.
#[vertex_function(check(V = 5, H = 3))]
fn say(#[param(V, H)] v: Tensor, #[param(V)] b: Tensor) {
    let Memory { h } = gather(0);
    let gold: Option<Word> = pull();
    let scores = (v.dot(h) + b).log_softmax();
    let word = scores.sample(); // or `argmax()`
    push(Said { word, log_p: scores.pick(word) });
    if let Some(Word { id }) = gold {
        loss(-scores.pick(id));
    }
}

#[derive(Functions)]
struct Speaker {
    read: Function<read>,
    say: Function<say>,
}
// ANCHOR_END: function

fn speaker() -> (Speaker, Model) {
    let mut builder = ModelBuilder::new();
    let speaker = builder.add_all(dims! { V: WORDS, H: 8 });
    (speaker, builder.build(1).unwrap())
}

// ANCHOR: begin
/// A graph that has read a sentence, and says its first word, which should be `gold`, if that is
/// known.
fn begin(
    m: &Speaker,
    model: &Model,
    sentence: &[u32],
    gold: Option<Word>,
) -> (Graph, Vertex<Memory>) {
    let mut g = model.graph();
    let mut memory = g.add(&m.read, [None], Word { id: Index(sentence[0]) });
    for word in &sentence[1..] {
        memory = g.add(&m.read, [Some(memory)], Word { id: Index(*word) });
    }
    g.add(&m.say, [memory], gold);
    (g, memory)
}
// ANCHOR_END: begin

// ANCHOR: decode
/// Answers sentences, each until its graph says the end.
fn answers(
    m: &Speaker,
    engine: &mut Engine,
    model: &Model,
    sentences: &[&[u32]],
) -> Result<Vec<Vec<u32>>, EngineError> {
    // Beside each graph, what it has read last and what it has said.
    let talk = |sentence: &&[u32]| {
        let (graph, memory) = begin(m, model, sentence, None);
        (graph, (memory, Vec::new()))
    };
    let mut talks: Vec<_> = sentences.iter().map(talk).collect();
    engine.grow_each(model, &mut talks, |g, (memory, said)| {
        for (_, Said { word, .. }) in g.decided(&m.say) {
            said.push(word.0);
            if word.0 != END && said.len() < 30 {
                *memory = g.add(&m.read, [Some(*memory)], Word { id: word });
                g.add(&m.say, [*memory], ());
            }
        }
    })?;
    Ok(talks.into_iter().map(|(_, (_, said))| said).collect())
}
// ANCHOR_END: decode

// ANCHOR: train
/// A step that reads the right word or, now and then, the word that was said (scheduled sampling;
/// Bengio et al., 2015).
fn step(
    m: &Speaker,
    trainer: &mut Trainer,
    pairs: &[(&[u32], &[u32])],
    own: f64,
) -> Result<f64, TrainError> {
    // Beside each graph, what it has read last and how much it has said.
    let talk = |(sentence, answer): &(&[u32], &[u32])| {
        let first = Word { id: Index(answer[0]) };
        let (graph, memory) = begin(m, trainer.model(), sentence, Some(first));
        (graph, (memory, 0))
    };
    let mut talks: Vec<_> = pairs.iter().map(talk).collect();
    let step = trainer.grow_each(&mut talks, |g, (memory, said)| {
        let answer = pairs[g.place()].1;
        for (_, Said { word, .. }) in g.decided(&m.say) {
            let id = if g.draw() < own { word } else { Index(answer[*said]) };
            *said += 1;
            if *said < answer.len() {
                *memory = g.add(&m.read, [Some(*memory)], Word { id });
                g.add(&m.say, [*memory], Word { id: Index(answer[*said]) });
            }
        }
    })?;
    Ok(step.mean_loss())
}
// ANCHOR_END: train

// ANCHOR: reward
/// A step of REINFORCE (Williams, 1992): what led to more of a reward than the others got becomes
/// likelier.
fn reinforce(
    m: &Speaker,
    trainer: &mut Trainer,
    sentences: &[&[u32]],
    reward: impl Fn(u32) -> f32,
) -> Result<(), TrainError> {
    let model = trainer.model();
    let graphs: Vec<_> =
        sentences.iter().map(|sentence| begin(m, model, sentence, None).0).collect();
    let mut growth = trainer.grow(graphs)?;
    let mut all = Vec::new();
    while let Some(round) = growth.round()? {
        for mut g in round {
            all.extend(g.decided(&m.say).map(|(said, Said { word, .. })| (said, reward(word.0))));
        }
    }
    let mean = all.iter().map(|(_, reward)| reward).sum::<f32>() / all.len() as f32;
    let mut seeds = Seeds::new();
    for (said, reward) in all {
        // The gradient of `-(reward - mean) log p` by `log p`.
        seeds.push(&m.say, said, "log_p", &[mean - reward]);
    }
    growth.step_with(&seeds)?;
    Ok(())
}
// ANCHOR_END: reward

// ANCHOR: score
/// How likely each word is to be the next.
#[derive(Output)]
struct Scored {
    best: Index,
    log_p: Tensor,
}

/// Scores all words. The best is a decision, so that the graph is handed out when it has run.
#[vertex_function(check(V = 5, H = 3))]
fn score(#[param(V, H)] v: Tensor, #[param(V)] b: Tensor) {
    let Memory { h } = gather(0);
    let log_p = (v.dot(h) + b).log_softmax();
    push(Scored { best: log_p.argmax(), log_p });
}
// ANCHOR_END: score

// ANCHOR: beam
/// The beginning of an answer.
struct Begun {
    memory: Vertex<Memory>,
    words: Vec<u32>,
    log_p: f32,
}

/// The likeliest answer that a beam of this width finds, and its log-probability.
fn search(
    (read, score): (&Function<read>, &Function<score>),
    engine: &mut Engine,
    model: &Model,
    first: u32,
    width: usize,
) -> Result<Option<(f32, Vec<u32>)>, EngineError> {
    let mut g = model.graph();
    let memory = g.add(read, [None], Word { id: Index(first) });
    g.add(score, [memory], ());
    // Beside the graph, the beam, and the best answer that is complete.
    let beam = vec![Begun { memory, words: Vec::new(), log_p: 0.0 }];
    let mut searches = [(g, (beam, None::<(f32, Vec<u32>)>))];
    engine.grow_each(model, &mut searches, |g, (beam, best)| -> Result<(), EngineError> {
        let mut next = Vec::new();
        // In the order in which they were added.
        for (begun, (_, Scored { log_p, .. })) in std::mem::take(beam).iter().zip(g.decided(score))
        {
            for (word, p) in (0..).zip(g.values(log_p)?) {
                next.push((begun.log_p + p, word, begun.memory, begun.words.clone()));
            }
        }
        next.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (log_p, word, before, mut words) in next.into_iter().take(width) {
            if best.as_ref().is_some_and(|(of_best, _)| *of_best >= log_p) {
                break;
            }
            words.push(word);
            if word == END || words.len() == 10 {
                *best = Some((log_p, words));
                break;
            }
            let memory = g.add(read, [Some(before)], Word { id: Index(word) });
            g.add(score, [memory], ());
            beam.push(Begun { memory, words, log_p });
        }
        Ok(())
    })?;
    let [(_, (_, best))] = searches;
    Ok(best)
}
// ANCHOR_END: beam

#[test]
fn a_beam_finds_likelier_answers() {
    let mut builder = ModelBuilder::new();
    let read = builder.add::<read>(dims! { V: 4, H: 8 });
    let score = builder
        .add::<score>(dims! { V: 4, H: 8 }.init("v", Initializer::Normal { deviation: 2.0 }));
    let model: Model = builder.build(3).unwrap();
    let mut engine = Engine::new();
    let mut found = |first, width| {
        let best = search((&read, &score), &mut engine, &model, first, width).unwrap().unwrap();
        assert!(best.1.last() == Some(&END) || best.1.len() == 10, "{best:?}");
        best
    };
    let mut likelier = 0;
    for first in 0..4 {
        let (greedy, wide) = (found(first, 1), found(first, 64));
        assert!(wide.0 >= greedy.0, "{greedy:?}, {wide:?}");
        likelier += usize::from(wide.0 > greedy.0);
    }
    assert!(likelier > 0);
}

#[test]
fn it_answers_learns_and_is_rewarded() {
    let (m, model) = speaker();
    let sentences: [&[u32]; 3] = [&[3, 4], &[5], &[6, 7, 8]];
    let said = answers(&m, &mut Engine::new(), &model, &sentences).unwrap();
    assert!(said.iter().all(|words| !words.is_empty() && words.len() <= 30));

    let mut trainer = Trainer::new(model, Adam::new(0.05));
    let answers: [&[u32]; 3] = [&[4, 3, 0], &[5, 0], &[8, 7, 6, 0]];
    let pairs: Vec<_> = sentences.into_iter().zip(answers).collect();
    let losses: Vec<f64> = (0..100).map(|_| step(&m, &mut trainer, &pairs, 0.2).unwrap()).collect();
    assert!(losses[99] < 0.05 * losses[0], "{losses:?}");
    let said = self::answers(&m, &mut Engine::new(), trainer.model(), &sentences).unwrap();
    assert_eq!(said, answers, "it says what it was taught");

    let (m, model) = speaker();
    let mut trainer = Trainer::new(model, Adam::new(0.05));
    for _ in 0..40 {
        reinforce(&m, &mut trainer, &sentences, |word| if word == 9 { 1.0 } else { -0.1 }).unwrap();
    }
    let (model, mut engine) = (trainer.model(), Engine::new());
    let said = self::answers(&m, &mut engine, model, &sentences).unwrap();
    assert!(said.iter().any(|words| words[0] == 9), "{said:?}");
}

#[test]
fn it_is_tested_in_a_line() {
    let (m, model) = speaker();
    // ANCHOR: test
    let mut engine = Engine::new();
    let (graph, _) = begin(&m, &model, &[3, 4], None);
    let mut growth = engine.grow_forward(&model, [graph], 0).unwrap();
    while let Some(_round) = growth.round().unwrap() {
        // ..
    }
    grown_equals_eager(&mut growth.finish().unwrap(), &Check::default()).unwrap();
    // ANCHOR_END: test
}
