//! The code of the book, compiled and run. The chapters in `book/src` include it by anchors.

use std::error::Error;
use std::fs;

use edb::prelude::*;

mod branches;
mod bundles;
mod data;
mod derivatives;
mod each;
mod errors;
mod feeding;
mod figures;
mod functions;
mod growing;
mod json;
mod language;
mod likelihoods;
mod loops;
mod ops;
mod private;
mod rendered;
mod rounds;
mod serving;
mod speed;
mod structures;
mod together;
mod torch;
mod training;
mod whole;

// ANCHOR: outcome
type Outcome = Result<(), Box<dyn Error>>;
// ANCHOR_END: outcome

// ANCHOR: ports
/// The state that a word passes to the next word.
#[derive(State)]
pub struct Memory {
    pub h: Tensor,
    pub c: Tensor,
}

/// A word as a vector, from any source.
#[derive(Input)]
pub struct Word {
    pub x: Tensor,
}
// ANCHOR_END: ports

// ANCHOR: phrase
/// A phrase of two parts: the binary Tree-LSTM (Tai et al., 2015).
#[vertex_function]
pub fn phrase(#[param(5 * H, 2 * H)] u: Tensor, #[param(5 * H)] b: Tensor) {
    let [l, r]: [Memory; 2] = [gather(0), gather(1)];
    let [i, o, g, f_l, f_r] = (u.dot(concat([l.h, r.h])) + b).split();
    let c = i.sigmoid() * g.tanh() + f_l.sigmoid() * l.c + f_r.sigmoid() * r.c;
    scatter(Memory { h: o.sigmoid() * c.tanh(), c });
}
// ANCHOR_END: phrase

// ANCHOR: gold
/// The class of a sentence.
#[derive(Input)]
pub struct Gold {
    pub label: Index,
}

/// A score for each class.
#[derive(Output)]
pub struct Scores {
    pub logits: Tensor,
}
// ANCHOR_END: gold

// ANCHOR: chain
/// An LSTM over a chain. The first word has no word before it: it reads a parameter instead.
#[vertex_function]
pub fn read(
    #[dim(H)] h: Dim,
    #[param(4 * H, X + H)] w: Tensor,
    #[param(4 * H)] b: Tensor,
    #[param(H)] start: Tensor,
) {
    let Word { x } = pull();
    let before: Memory = gather_or(0, Memory { h: start, c: zeros(h) });
    let ([i, f, o], g) = gates(w.dot(concat([x, before.h])) + b);
    let c = f * before.c + i * g;
    scatter(Memory { h: o * c.tanh(), c });
}
// ANCHOR_END: chain

// ANCHOR: helper
/// The gates of an LSTM, from one product.
#[vertex_helper]
fn gates(product: Tensor) -> ([Tensor; 3], Tensor) {
    let [i, f, o, g] = product.split();
    ([i.sigmoid(), f.sigmoid(), o.sigmoid()], g.tanh())
}
// ANCHOR_END: helper

// ANCHOR: loop
/// The sum of any number of memories, and the maximum of each of their elements.
#[vertex_function]
pub fn pool(#[param(H)] least: Tensor, #[dim(H)] h: Dim) {
    let (mut sum, mut greatest) = (zeros(h), least);
    for word in gather_all::<Memory>() {
        sum += word.h;
        greatest = greatest.maximum(word.c);
    }
    scatter(Memory { h: sum, c: greatest });
}
// ANCHOR_END: loop

// ANCHOR: attention
/// The mean of any number of memories, weighted by how well they match a query: scaled dot-product
/// attention (Vaswani et al., 2017).
#[vertex_function]
pub fn attend(#[dim(H)] h: Dim, #[param(H, H)] w: Tensor, #[param(H)] query: Tensor) {
    let mut top = scalar(-1e9);
    for word in gather_all::<Memory>() {
        top = top.maximum(query.dot(w.dot(word.h)) / (h as f64).sqrt());
    }
    let (mut total, mut weights) = (zeros(h), scalar(0.0));
    for word in gather_all::<Memory>() {
        // At most 1, so that `exp` cannot overflow.
        let weight = (query.dot(w.dot(word.h)) / (h as f64).sqrt() - top).exp();
        total += weight * word.h;
        weights += weight;
    }
    // Without memories the mean is zero, not 0 / 0.
    let mean = (total / weights.maximum(scalar(1e-9))).dropout(0.2);
    scatter(Memory { h: mean, c: mean.tanh() });
}
// ANCHOR_END: attention

// ANCHOR: judge
/// The class of a sentence, from the memory of the whole sentence.
#[vertex_function]
pub fn judge(#[param(C, H)] w: Tensor, #[param(C)] b: Tensor) {
    let memory: Memory = gather(0);
    let gold: Option<Gold> = pull();
    let logits = w.dot(memory.h) + b;
    push(Scores { logits });
    if let Some(Gold { label }) = gold {
        loss(cross_entropy(logits, label));
    }
}
// ANCHOR_END: judge

// ANCHOR: feed_cells
/// The state that a letter passes to the next letter.
#[derive(State)]
pub struct Letters {
    pub h: Tensor,
}

/// A letter.
#[derive(Input)]
pub struct Letter {
    pub id: Index,
}

/// A word as a vector, computed from its letters.
#[derive(Output)]
pub struct Spelling {
    pub x: Tensor,
}

/// A letter of a word.
#[vertex_function]
pub fn letter(#[dim(L)] l: Dim, #[param(A, L)] table: Tensor, #[param(L, L)] w: Tensor) {
    let Letter { id } = pull();
    let before: Letters = gather_or(0, Letters { h: zeros(l) });
    scatter(Letters { h: (table.row(id) + w.dot(before.h)).tanh() });
}

/// The word as an output, after its last letter.
#[vertex_function]
pub fn spell(#[param(X, L)] w: Tensor) {
    let last: Letters = gather(0);
    push(Spelling { x: w.dot(last.h) });
}
// ANCHOR_END: feed_cells

// ANCHOR: reader
/// A model that reads sentences.
struct Reader<T> {
    read: Function<read>,
    attend: Function<attend>,
    judge: Function<judge>,
    model: Model<T>,
}
// ANCHOR_END: reader

// ANCHOR: build
fn reader<T: edb::Element>(seed: u64) -> Result<Reader<T>, edb::model::ModelError> {
    let mut builder = ModelBuilder::new();
    let start = Initializer::Uniform { bound: 0.1 };
    let read = builder.add::<read>(dims! { H: 6, X: 3 }.init("start", start));
    let attend = builder.add::<attend>(dims! { H: 6 }.init("query", start));
    let judge = builder.add::<judge>(dims! { C: 2, H: 6 });
    Ok(Reader { read, attend, judge, model: builder.build_as(seed)? })
}
// ANCHOR_END: build

// ANCHOR: sentence
/// A sentence as a graph: a chain of words, and a judge, which reads all of them through `attend`.
fn sentence<T: edb::Element>(
    reader: &Reader<T>,
    words: &[[T; 3]],
    label: u32,
) -> (Graph<T>, Vertex<()>) {
    let mut g = reader.model.graph();
    let mut read: Vec<Vertex<Memory>> = Vec::new();
    for word in words {
        let x = g.tensor(word);
        let before = read.last().copied();
        read.push(g.add(&reader.read, [before], Word { x }));
    }
    let all = g.add(&reader.attend, &read, ());
    let verdict = g.add(&reader.judge, [all], Gold { label: label.into() });
    (g, verdict)
}
// ANCHOR_END: sentence

/// Three sentences of different lengths.
fn sentences<T: edb::Element>(reader: &Reader<T>) -> Vec<Graph<T>> {
    let word = |place: usize| [0.1, -0.2, 0.3].map(|x| T::from_f64(x * place as f64));
    let words: Vec<[T; 3]> = (0..5).map(word).collect();
    let lengths = [(1, 0), (5, 1), (3, 1)];
    lengths.iter().map(|&(length, label)| sentence(reader, &words[..length], label).0).collect()
}

#[test]
fn compiled_cells_equal_eager_ones() -> Outcome {
    // ANCHOR: compiled_equals_eager
    let reader = reader::<f64>(1)?;
    let batch = reader.model.minibatch(&sentences(&reader))?;
    edb::testing::compiled_equals_eager(&reader.model, &batch, &Default::default())?;
    // ANCHOR_END: compiled_equals_eager
    let mut model = reader.model;
    // ANCHOR: gradient_check
    // Moves up to 50 elements of each parameter by 1e-5; differences up to 1e-6 are accepted.
    edb::testing::gradient_check(&mut model, &batch, 50, 1e-5, 1e-6)?;
    // ANCHOR_END: gradient_check
    Ok(())
}

#[test]
fn attention_to_nothing_is_zero() -> Outcome {
    let reader = reader::<f64>(1)?;
    let (nothing, verdict) = sentence(&reader, &[], 1);
    let batch = reader.model.minibatch([&nothing])?;
    edb::testing::compiled_equals_eager(&reader.model, &batch, &Default::default())?;
    let mut engine = Engine::new();
    let run = engine.infer(&reader.model, &batch)?;
    let logits = run.output(&reader.judge, verdict)?.logits;
    // The bias, whose initial value is zero.
    assert!(logits.iter().all(|&logit| logit == 0.0), "{logits}");
    Ok(())
}

#[test]
fn a_loop_pools() -> Outcome {
    let mut builder = ModelBuilder::new();
    let read = builder.add::<read>(dims! { X: 3, H: 6 });
    let pool = builder.add::<pool>(dims! { H: 6 });
    let judge = builder.add::<judge>(dims! { C: 3, H: 6 });
    let model: Model<f64> = builder.build_as(1)?;
    let mut g = model.graph();
    let mut words = Vec::new();
    for place in 0..3 {
        let x = g.tensor(&[0.5, -1.0, 0.25 * f64::from(place)]);
        words.push(g.add(&read, [words.last().copied()], Word { x }));
    }
    let all = g.add(&pool, &words, ());
    g.add(&judge, [all], Gold { label: Index(1) });
    let batch = model.minibatch([&g])?;
    edb::testing::compiled_equals_eager(&model, &batch, &Default::default())?;
    Ok(())
}

#[test]
fn one_vertex_by_hand() {
    // ANCHOR: eager
    use edb::eager::{EagerVertex, run_vertex, scope};
    use edb::port::PortValue;

    scope(|| {
        let table = Tensor::from_values(&[2, 2], &[0.5, -0.5, 1.0, 2.0]);
        let w = Tensor::from_values(&[2, 2], &[1.0, 0.0, 0.0, 1.0]);
        let vertex = EagerVertex {
            children: vec![None], // the first letter: no letter before it
            fixed: 1,
            input: vec![PortValue::Index(Index(1))],
            ..EagerVertex::default()
        };
        let result = run_vertex(vertex, || letter(2, table, w));
        let state = result.state.expect("a letter scatters");
        let h = state.fields[0].tensor().expect("`h` is a tensor");
        assert_eq!(h.values(), [1_f64.tanh(), 2_f64.tanh()]);
    });
    // ANCHOR_END: eager
}

#[test]
fn all_problems_of_a_model_are_listed() {
    // ANCHOR: model_errors
    let mut builder = ModelBuilder::new();
    builder.add::<read>(dims! { H: 6, Y: 3 });
    builder.add::<judge>(dims! { C: 2, H: 6 }.init("v", Initializer::Zeros));
    let error = builder.build(1).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the model cannot be made:
  `read` has no dimension Y; it has H, X
  `read` needs the dimension X: add `X: size` to its dims!
  `judge` has no parameter `v`; it has `w`, `b`"
    );
    // ANCHOR_END: model_errors
    // ANCHOR: state_error
    let mut builder = ModelBuilder::new();
    builder.add::<read>(dims! { H: 6, X: 3 });
    builder.add::<judge>(dims! { C: 2, H: 8 });
    let error = builder.build(1).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the model cannot be made:\n  `Memory.h` is [6] in `read`, but [8] in `judge`"
    );
    // ANCHOR_END: state_error
}

#[test]
fn minibatches_are_checked() -> Outcome {
    let reader = reader::<f32>(1)?;
    // ANCHOR: graph_errors
    let fine = sentence(&reader, &[[0.1, 0.2, 0.3]], 1).0;
    let wrong = sentence(&reader, &[[0.1, f32::NAN, 0.3]], 1).0;
    let error = reader.model.minibatch([&fine, &wrong]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "graph 1 of the minibatch, vertex 0: the input `x` of `read` is NaN at element 1"
    );

    let wrong = sentence(&reader, &[[0.1, 0.2, 0.3]], 2).0;
    let error = reader.model.minibatch([&fine, &wrong]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "graph 1 of the minibatch, vertex 2: the input `label` of `judge` is 2, \
         but what it indexes has 2 entries"
    );
    // ANCHOR_END: graph_errors
    Ok(())
}

#[test]
fn records_are_graphs() -> Outcome {
    let reader = reader::<f32>(1)?;
    // ANCHOR: records
    let json = r#"[
        {"function": "read", "children": [null], "input": {"x": {"tensor": [0.1, 0.2, 0.3]}}},
        {"function": "read", "children": [0], "input": {"x": {"tensor": [0.4, 0.5, 0.6]}}},
        {"function": "attend", "children": [0, 1]},
        {"function": "judge", "children": [2], "input": {"label": {"index": 1}}}
    ]"#;
    let records: Vec<edb::graph::VertexRecord> = serde_json::from_str(json)?;
    let graph = reader.model.graph_from_records(&records)?;

    let batch = reader.model.minibatch([&graph])?;
    let mut engine = Engine::new();
    let run = engine.infer(&reader.model, &batch)?;
    let logits = run.output_at(0, 3, "logits")?;
    assert_eq!(logits.shape(), [2]);
    // ANCHOR_END: records

    let (same, verdict) = sentence(&reader, &[[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]], 1);
    let batch = reader.model.minibatch([&same])?;
    assert_eq!(
        Engine::new().infer(&reader.model, &batch)?.output(&reader.judge, verdict)?.logits,
        logits
    );

    // ANCHOR: record_error
    let mut wrong = records.clone();
    wrong[1].children = vec![Some(3)];
    let error = reader.model.graph_from_records(&wrong).unwrap_err();
    assert_eq!(
        error.to_string(),
        "vertex 1: child 0 of `read` must scatter `Memory`; vertex 3 (`judge`) scatters nothing"
    );
    // ANCHOR_END: record_error
    Ok(())
}

#[test]
fn policies_are_learned_and_kept() -> Outcome {
    // ANCHOR: policy_uses
    use edb::schedule::{LearnOptions, SearchOptions};
    // ANCHOR_END: policy_uses

    let reader = reader::<f32>(1)?;
    let mut batch = reader.model.minibatch(&sentences(&reader))?;
    let model = &reader.model;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("policy.json");
    let engine = Engine::<f32>::new();
    // ANCHOR: policy
    let (graph, _) = engine.type_graph(model, &batch)?;
    let options = LearnOptions::default();
    let policy = Policy::learn_for(model.signature(), &[graph], &options, &mut |_| ())?;
    policy.save(&path, model.signature())?;
    let policy = Policy::load(&path, model.signature())?; // or says what differs
    let mut engine = Engine::new().policy(policy);
    // ANCHOR_END: policy
    let batches = engine.infer(model, &batch)?.batch_count();
    {
        // ANCHOR: custom
        use edb::schedule::{CustomPolicy, Schedule, TypeGraph};

        /// Fold's policy, read from the roots: vertices at the same height run together.
        #[derive(Debug)]
        struct FromTheRoots;

        impl CustomPolicy for FromTheRoots {
            fn name(&self) -> &str {
                "from-the-roots"
            }

            fn schedule(&self, graph: &TypeGraph) -> Schedule {
                // In a minibatch, parents have greater numbers than their children.
                let vertices = 0..graph.len() as u32;
                let mut height = vec![0; graph.len()];
                for vertex in vertices.clone().rev() {
                    for &child in graph.children(vertex) {
                        let above = height[vertex as usize] + 1;
                        height[child as usize] = above.max(height[child as usize]);
                    }
                }
                let mut schedule = Schedule::new();
                for level in (0..=height.iter().copied().max().unwrap_or(0)).rev() {
                    for ty in 0..graph.type_count() {
                        let runs =
                            |v: &u32| height[*v as usize] == level && graph.vertex_type(*v) == ty;
                        schedule.push(ty, &vertices.clone().filter(runs).collect::<Vec<_>>());
                    }
                }
                schedule
            }
        }

        let mut engine = Engine::new().policy(Policy::custom(FromTheRoots));
        // ANCHOR_END: custom
        let run = engine.infer(model, &batch)?;
        let other = Engine::new().infer(model, &batch)?.loss()?;
        assert_eq!(run.loss()?.to_bits(), other.to_bits());
    }
    let schedule = engine.search_schedule(model, &mut batch, &SearchOptions::default())?;
    assert!(schedule.len() <= batches);
    assert_eq!(engine.infer(model, &batch)?.batch_count(), schedule.len());
    Ok(())
}

/// The parts of a plan that the chapter on the compiler shows.
#[test]
fn a_plan_in_text() -> Outcome {
    let text = phrase::plan().to_string();
    let lines: Vec<&str> = text.lines().collect();
    let line_of = |line: &str| lines.iter().position(|other| *other == line).ok_or(line.to_owned());
    let phases = lines.iter().position(|line| line.starts_with("  phase ")).ok_or("phases")?;
    let parts = [
        ("program", 0..line_of("  backward")?),
        ("phases", phases..line_of("routine")?),
        ("records", line_of("routine")?..line_of("  Recurrent")?),
        ("kernels", line_of("  Recurrent")?..line_of("  BackwardRecurrent")?),
    ];
    for (name, part) in parts {
        let text = lines[part].join("\n") + "\n";
        let path = format!("{}/book/src/phrase/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("EDB_BLESS").is_some() {
            fs::write(&path, &text)?;
        }
        assert_eq!(text, fs::read_to_string(&path)?, "EDB_BLESS=1 rewrites the text");
    }
    Ok(())
}

#[test]
fn a_plan_is_data() -> Outcome {
    // ANCHOR: plan
    use edb::VertexFunction;
    use edb_compiler::{Options, replan};

    let plan = phrase::plan();
    let declared = replan(plan, Options { layout: false, ..Options::default() });
    let copies = |plan: &edb::model::Plan| {
        let copy = |instruction: &edb_ir::Instruction| {
            matches!(instruction, edb_ir::Instruction::Copy { .. })
        };
        plan.routine.instructions.iter().filter(|(_, instruction)| copy(instruction)).count()
    };
    assert_eq!(copies(plan), 0);
    assert!(copies(&declared) > 0);
    // The input of `dot -Tsvg`.
    assert!(plan.dot().starts_with("digraph \"phrase\""));
    // ANCHOR_END: plan
    // ANCHOR: options
    use edb::testing::TestBuilder;

    let options = Options { fusion: false, ..Options::default() };
    let mut builder = ModelBuilder::new();
    builder.add::<phrase>(dims! { H: 8 });
    builder.replan(|plan| replan(plan, options));
    let model: Model = builder.build(1)?; // the same results but for rounding, one pass an op
    // ANCHOR_END: options
    assert_eq!(model.graph().len(), 0);
    Ok(())
}

#[test]
fn a_device_is_chosen() -> Outcome {
    let reader = reader::<f32>(1)?;
    let batch = reader.model.minibatch(&sentences(&reader))?;
    let model = reader.model;
    // ANCHOR: device
    // With the feature `cuda`: Device::cuda(0)?
    let device = Device::cpu().threads(2);
    let engine = Engine::on(&device)?.seed(1);
    let mut trainer = Trainer::new(model, Adam::new(1e-3)).engine(engine);
    // ANCHOR_END: device
    assert!(trainer.step(&batch)?.loss.is_finite());
    Ok(())
}
