//! Graphs that grow on a device: what moves in a wave, and what happens when memory is refused.

use edb::engine::{EngineError, Growth};
use edb::prelude::*;

use edb_backend_suite::models::model_of;
use edb_cuda::Launches;

use crate::watched::{Fault, Watched};

const WORDS: usize = 5;
const HIDDEN: usize = 4;

#[derive(State)]
struct Memory {
    h: Tensor,
    said: Index,
}

#[derive(Input)]
struct Heard {
    word: Index,
    others: Indices,
    loudness: Tensor,
}

#[derive(Output)]
struct Said {
    word: Index,
}

/// Hears words, some of them louder, and says one.
#[vertex_function]
fn speak(
    #[param(V, H)] table: Tensor,
    #[param(H, H)] w: Tensor,
    #[param(V, H)] v: Tensor,
    #[dim(H)] size: Dim,
) {
    let Heard { word, others, loudness } = pull();
    let before = gather_or(0, Memory { h: zeros(size), said: Index(0) });
    let heard = table.row(word) + table.row(before.said) + loudness * table.bag_sum(others);
    let h = (w.dot(before.h) + heard).tanh().dropout(0.1);
    let scores = v.dot(h);
    let said = scores.sample();
    push(Said { word: said });
    scatter(Memory { h, said });
}

fn model() -> (Function<speak>, Model) {
    let mut builder = ModelBuilder::new();
    let speak = builder.add::<speak>(dims! { V: WORDS, H: HIDDEN });
    (speak, builder.build(3).unwrap())
}

/// Runs rounds until none of them is left or an error ends them, each of one vertex per graph.
/// Returns what was said.
fn rounds(
    speak: &Function<speak>,
    growth: &mut Growth<'_>,
    count: usize,
    mut between: impl FnMut(usize),
) -> Result<Vec<(Vertex<Memory>, u32)>, EngineError> {
    let mut said = Vec::new();
    for number in 0..count {
        let Some(round) = growth.round()? else { break };
        for mut g in round {
            for (memory, Said { word }) in g.decided(speak) {
                said.push((memory, word.0));
                let loudness = g.tensor(&[0.1 * word.0 as f32; HIDDEN]);
                let others = g.indices((0..word.0 % 3).map(Index));
                g.add(speak, [Some(memory)], Heard { word, others, loudness });
            }
        }
        between(number);
    }
    Ok(said)
}

fn begin(speak: &Function<speak>, model: &Model, sample: u64) -> Graph {
    let mut g = model.graph();
    g.set_sample(sample);
    let (loudness, others) = (g.tensor(&[0.5; HIDDEN]), g.indices([Index(1)]));
    g.add(speak, [None], Heard { word: Index(2), others, loudness });
    g
}

/// However long the graphs are, a wave uploads the lines that are new, and downloads what was
/// decided.
#[test]
fn a_wave_moves_what_is_new() {
    let Some(_) = crate::emulator::compiler() else { return };
    let (speak, model) = model();
    let mut reference = None;
    for launches in [Launches::Single, Launches::Tiled, Launches::Graphs] {
        let watched = Watched::default();
        let mut engine = Engine::on(&watched.device_with(launches)).unwrap().seed(2);
        // The first time makes room.
        for time in 0..2 {
            let graphs = (0..3).map(|sample| begin(&speak, &model, sample));
            let mut growth = engine.grow(&model, graphs).unwrap();
            let mut moved = Vec::new();
            let said = rounds(&speak, &mut growth, 60, |_| moved.push(watched.moved())).unwrap();
            assert_eq!(said.len(), 3 * 60);
            let (early, late) = (&moved[5..20], &moved[45..]);
            if time > 0 {
                let most = |waves: &[[u64; 2]]| waves.iter().map(|[up, _]| *up).max().unwrap();
                // Rows of bags differ; replayed launches upload their arguments, too.
                assert!(most(late) <= most(early) + 64, "{launches:?}: {moved:?}");
                assert!(moved.iter().skip(1).all(|[_, down]| *down == 3 * 4), "{moved:?}");
            }
            // States are read when all have stopped, indices among them.
            let run = growth.finish().unwrap();
            for (memory, word) in &said {
                assert_eq!(run.state(*memory).unwrap().said[[]], *word);
            }
            let words: Vec<u32> = said.into_iter().map(|(_, word)| word).collect();
            assert_eq!(reference.get_or_insert(words.clone()), &words, "{launches:?}");
        }
    }
}

#[derive(Input)]
struct Word {
    word: Index,
}

#[derive(State)]
struct Echo {
    h: Tensor,
}

/// Reads no state, so that its vertices need no schedule, and says a word.
#[vertex_function]
fn answer(#[param(V, H)] table: Tensor, #[param(V, H)] v: Tensor) {
    let Word { word } = pull();
    let h = table.row(word).tanh().dropout(0.1);
    let scores = v.dot(h);
    loss(cross_entropy(scores, word));
    push(Said { word: scores.sample() });
    scatter(Echo { h });
}

/// Vertices that need no schedule come round by round, and lie graph by graph in the end: their rows
/// are moved by a few launches, and not by a copy each. What is learned has the bits of the minibatch
/// that the graphs have become.
#[test]
fn rows_are_put_in_order_together() {
    let Some(_) = crate::emulator::compiler() else { return };
    for precision in [Precision::Full, Precision::Bf16] {
        let (model, answer) = model_of::<answer, f32>(dims! { V: WORDS, H: 3 }, 3);
        let watched = Watched::default();
        let mut engine = Engine::on(&watched.device_with(precision)).unwrap().seed(2);
        let begun = (0..40).map(|sample| {
            let mut g = model.graph();
            g.set_sample(sample);
            g.add(&answer, (), Word { word: Index(sample as u32 % 5) });
            g
        });
        let mut growth = engine.grow_forward(&model, begun, 1).unwrap();
        for number in 0..12 {
            let Some(round) = growth.round().unwrap() else { break };
            for mut g in round {
                let said: Vec<_> = g.decided(&answer).collect();
                // Some stop earlier than others.
                if number < 4 + g.place() % 8 {
                    for (_, Said { word }) in said {
                        g.add(&answer, (), Word { word });
                    }
                }
            }
            watched.copied();
        }
        let mut run = growth.finish().unwrap();
        let copied = watched.copied();
        let vertices = run.minibatch().vertex_count() as u64;
        assert!(vertices > 200);
        assert!(copied < 16, "{copied} copies for {vertices} rows");
        let gradients = run.backward().unwrap();
        let grown = run.minibatch().clone();
        let mut again = Engine::on(&watched.device_with(precision)).unwrap().seed(2);
        let mut run = again.forward(&model, &grown, 1).unwrap();
        let expected = run.backward().unwrap();
        for (id, parameter) in model.parameters().iter() {
            assert_eq!(gradients.to_dense(id), expected.to_dense(id), "{}", parameter.name());
        }
    }
}

/// When memory is refused, the run ends with an error that says so, and the next one is as ever.
#[test]
fn refused_memory_ends_a_growing_run() {
    let Some(_) = crate::emulator::compiler() else { return };
    let (speak, model) = model();
    let watched = Watched::default();
    let mut engine = Engine::on(&watched.device()).unwrap().seed(2);
    let grow = |engine: &mut Engine, refused: Option<usize>| {
        let graphs = [begin(&speak, &model, 7)];
        let mut growth = engine.grow(&model, graphs)?;
        let said = rounds(&speak, &mut growth, 200, |number| {
            if Some(number) == refused {
                watched.set_fault(Some(Fault::Memory));
            }
        });
        watched.set_fault(None);
        match said {
            Ok(said) => {
                growth.finish()?;
                Ok(said.into_iter().map(|(_, word)| word).collect::<Vec<_>>())
            }
            Err(error) => {
                // Nothing goes on.
                assert!(matches!(growth.round().unwrap_err(), EngineError::Ended));
                assert!(matches!(growth.finish().unwrap_err(), EngineError::Ended));
                Err(error)
            }
        }
    };
    for refused in [0, 3, 17, 40] {
        let error = grow(&mut engine, Some(refused)).unwrap_err().to_string();
        assert!(error.starts_with("watched has 0 bytes free"), "{error}");
    }
    let said = grow(&mut engine, None).unwrap();
    assert_eq!(said, grow(&mut Engine::new().seed(2), None).unwrap());
}
