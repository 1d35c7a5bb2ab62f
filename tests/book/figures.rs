//! Figures and texts of the book that are made by code: `EDB_BLESS=1 cargo test --test suite book`
//! writes them, and without `EDB_BLESS` they must not have changed.

use std::fs;
use std::path::PathBuf;

use edb::VertexFunction;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
// ANCHOR: uses
use std::error::Error;

use edb::schedule::{Signature, TypeGraph};
// ANCHOR_END: uses
// ANCHOR: learning
use edb::schedule::{LearnOptions, Learner};
// ANCHOR_END: learning

use super::*;

/// Checks a file of the book's figures against newly made contents, or writes it.
pub(crate) fn is_made(name: &str, made: &str) -> Outcome {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("book/src/figures").join(name);
    if std::env::var_os("EDB_BLESS").is_some() {
        fs::write(&path, made)?;
    }
    let found =
        fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    assert!(made == found, "{name} is another now: EDB_BLESS=1 makes it anew");
    Ok(())
}

// ANCHOR: figure_1
/// The graph of figure 1 in ED-Batch: four words and three phrases above them have type I; each has
/// an output O, and one reduction R reads all outputs.
fn figure_1() -> Result<(TypeGraph, Signature), Box<dyn Error>> {
    let mut vertices: Vec<(u16, Vec<u32>)> = vec![(0, vec![]); 4];
    vertices.extend([(0, vec![0, 1]), (0, vec![4, 2]), (0, vec![5, 3])]);
    vertices.extend((0..7).map(|internal| (1, vec![internal])));
    vertices.push((2, (7..14).collect()));
    let types = vertices.iter().map(|vertex| vertex.0).collect();
    let mut offsets = vec![0];
    let mut children = Vec::new();
    for (_, of_vertex) in &vertices {
        children.extend(of_vertex);
        offsets.push(children.len() as u32);
    }
    let graph = TypeGraph::new(3, types, offsets, children)?;
    Ok((graph, Signature::new(["I", "O", "R"])))
}
// ANCHOR_END: figure_1

#[test]
fn figure_1_of_ed_batch() -> Outcome {
    let (graph, types) = figure_1()?;
    // ANCHOR: draw
    let depth = Policy::Depth.schedule(&graph);
    let best = Policy::Heuristic.schedule(&graph);
    let by_depth = edb_picture::graph(&graph, &depth, &types).to_svg();
    let by_best = edb_picture::graph(&graph, &best, &types).to_svg();
    // ANCHOR_END: draw
    assert_eq!((depth.len(), best.len()), (9, 6));
    is_made("figure-1-depth.svg", &by_depth)?;
    is_made("figure-1-best.svg", &by_best)?;
    // ANCHOR: timeline
    let timeline = edb_picture::timeline(&depth, &types).to_svg();
    // ANCHOR_END: timeline
    is_made("figure-1-timeline.svg", &timeline)?;
    is_made("figure-1-timeline-best.svg", &edb_picture::timeline(&best, &types).to_svg())?;
    let agenda = Policy::Agenda.schedule(&graph);
    // ANCHOR: explain
    let explanation = agenda.explain(&graph, &types)?;
    assert_eq!((explanation.batches, explanation.lower_bound), (7, 6));
    println!("{explanation}");
    // ANCHOR_END: explain
    is_made("figure-1-agenda.txt", &explanation.to_string())
}

/// A minibatch of eight sentences as lattices: a character reads the one before it and the words that end with it, a
/// word the character with which it begins; each character has a tag.
fn lattices(seed: u64) -> Result<TypeGraph, Box<dyn Error>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut types, mut offsets, mut children) = (Vec::new(), vec![0], Vec::new());
    let mut add = |vertex_type: u16, reads: &[u32]| {
        types.push(vertex_type);
        children.extend(reads);
        offsets.push(children.len() as u32);
        types.len() as u32 - 1
    };
    for _ in 0..8 {
        let length = rng.random_range(6..12_usize);
        let mut characters: Vec<u32> = Vec::new();
        for end in 0..length {
            let mut reads: Vec<u32> = characters.last().copied().into_iter().collect();
            for length in 2..=4_usize.min(end) {
                if rng.random_bool(0.3) {
                    reads.push(add(1, &[characters[end - length]]));
                }
            }
            let character = add(0, &reads);
            add(2, &[character]);
            characters.push(character);
        }
    }
    Ok(TypeGraph::new(3, types, offsets, children)?)
}

// ANCHOR: machine
/// The machine that is learned on some minibatches: drawn while it schedules another one, and its schedule in words.
fn machine(samples: &[TypeGraph], graph: TypeGraph) -> Result<(String, String), Box<dyn Error>> {
    let types = Signature::new(["character", "word", "tag"]);
    let options = LearnOptions { learner: Learner::Machine, ..LearnOptions::default() };
    let policy = Policy::learn_for(&types, samples, &options, &mut |_| ())?;
    let explanation = policy.explain(&policy.schedule(&graph), &graph, &types)?;
    let machine = policy.machine().ok_or("this policy runs no machine")?;
    Ok((edb_picture::machine(machine, &[graph]).to_svg(), explanation.to_string()))
}
// ANCHOR_END: machine

#[test]
fn a_machine_is_drawn() -> Outcome {
    let samples = (0..4).map(lattices).collect::<Result<Vec<_>, _>>()?;
    let (svg, text) = machine(&samples, lattices(4)?)?;
    is_made("machine.svg", &svg)?;
    is_made("machine.txt", &text)
}

#[test]
fn a_function_is_drawn() -> Outcome {
    // ANCHOR: program
    use edb_ir::Phase;

    let plan = phrase::plan();
    let forward = edb_picture::program(plan, &[Phase::Prepare, Phase::Recurrent]).to_svg();
    let backward =
        edb_picture::program(plan, &[Phase::BackwardRecurrent, Phase::Accumulate]).to_svg();
    let layout = edb_picture::layout(plan).to_svg();
    // ANCHOR_END: program
    is_made("phrase-forward.svg", &forward)?;
    is_made("phrase-backward.svg", &backward)?;
    is_made("phrase-layout.svg", &layout)
}

#[test]
fn a_minibatch_is_drawn() -> Outcome {
    let reader = reader::<f32>(1)?;
    let batch = reader.model.minibatch(&sentences(&reader))?;
    // ANCHOR: run
    let mut engine = Engine::new();
    let run = engine.infer(&reader.model, &batch)?;
    let (graph, schedule) = (run.type_graph(), run.schedule());
    let picture = edb_picture::graph(&graph, &schedule, reader.model.signature());
    let (svg, dot) = (picture.to_svg(), picture.to_dot());
    println!("{}", run.explain());
    // ANCHOR_END: run
    assert!(dot.starts_with("digraph \"graph\""));
    is_made("sentences.svg", &svg)?;
    is_made("sentences.txt", &run.explain().to_string())
}

#[test]
fn a_model_has_a_summary() -> Outcome {
    let reader = reader::<f32>(1)?;
    // ANCHOR: summary
    let summary = reader.model.summary();
    println!("{summary}");
    // ANCHOR_END: summary
    assert_eq!(summary.values, summary.parameters.iter().map(|of| of.values).sum::<usize>());
    is_made("summary.txt", &summary.to_string())?;

    // A parameter that two functions share counts once.
    let mut builder = ModelBuilder::new();
    let first = builder.add::<read>(dims! { X: 3, H: 6 });
    builder.add::<read>(dims! { X: 3, H: 6 }.named("again").share("w", first.param("w")));
    let model: Model = builder.build(1)?;
    let summary = model.summary();
    let w = summary.parameters.iter().find(|of| of.name == "read.w").ok_or("read.w")?;
    assert_eq!(w.functions, ["read", "again"]);
    assert_eq!((w.values, w.bytes), (24 * 9, 4 * 24 * 9));
    assert!(summary.parameters.iter().all(|of| of.name != "again.w"));
    Ok(())
}

#[test]
fn a_step_is_reported() -> Outcome {
    let reader = reader::<f32>(1)?;
    let batch = reader.model.minibatch(&sentences(&reader))?;
    let mut trainer = Trainer::new(reader.model, Adam::new(1e-2));
    // ANCHOR: report
    let step = trainer.step(&batch)?;
    println!("{}", step.report());
    // ANCHOR_END: report
    assert_eq!(step.report(), trainer.report());
    assert_eq!(step.report().batches, 6);
    assert!(step.report().to_string().starts_with("time "));
    Ok(())
}
