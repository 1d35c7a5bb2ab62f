//! An input that a vertex may be without: whether it is there makes variants of the function, known
//! before anything runs.

use edb::Element;
use edb::graph::{InputRecord, VertexRecord};
use edb::model::{Plan, Setup};
use edb::prelude::*;
use edb::testing::{Check, compiled_equals_eager, grown_equals_eager};

use edb_backend_suite::agreement::agrees;
use edb_backend_suite::models::model_of;
use edb_backend_suite::numbers::gradient_bits;
use edb_backend_suite::ports::{Gold, Memory, Word};
use edb_ir::{Home, Phase, Shape, Slot};

#[derive(Output)]
struct Scores {
    logits: Tensor,
}

#[vertex_function]
fn read(#[param(V, H)] table: Tensor, #[param(H, H)] u: Tensor, #[dim(H)] size: Dim) {
    let before = gather_or(0, Memory { h: zeros(size) });
    let Word { id } = pull();
    scatter(Memory { h: (u.dot(before.h) + table.row(id)).tanh() });
}

/// With a label it learns, and without one it answers.
#[vertex_function]
fn judge(#[param(C, H)] w: Tensor, #[param(C)] b: Tensor) {
    let node: Memory = gather(0);
    let gold: Option<Gold> = pull();
    let logits = w.dot(node.h) + b;
    push(Scores { logits });
    if let Some(Gold { label }) = gold {
        loss(cross_entropy(logits, label));
    }
}

#[vertex_function]
fn teach(#[param(C, H)] w: Tensor, #[param(C)] b: Tensor) {
    let node: Memory = gather(0);
    let Gold { label } = pull();
    let logits = w.dot(node.h) + b;
    push(Scores { logits });
    loss(cross_entropy(logits, label));
}

#[vertex_function]
fn score(#[param(C, H)] w: Tensor, #[param(C)] b: Tensor) {
    let node: Memory = gather(0);
    push(Scores { logits: w.dot(node.h) + b });
}

/// As PyTorch's `ignore_index` does.
#[test]
fn a_missing_label_is_no_index_but_none() {
    let mut builder = ModelBuilder::new();
    let read = builder.add::<read>(dims! { V: 5, H: 6 });
    let judge = builder.add::<judge>(dims! { C: 3, H: 6 });
    let model: Model = builder.build(1).unwrap();
    let batch = |gold: Option<Gold>| {
        let mut g = model.graph();
        let word = g.add(&read, [None], Word { id: Index(1) });
        g.add(&judge, [word], gold);
        model.minibatch([&g])
    };
    let error = batch(Some(Gold { label: Index(u32::MAX) })).unwrap_err().to_string();
    let expected = "the input `label` of `judge` is 4294967295, which stands for an index that is not known before the \
                    graph has run, such as one that another vertex pushes; for a label that is missing (-1 in other \
                    libraries), let `judge` pull an `Option`, and add the vertex with `None`";
    assert!(error.ends_with(expected), "{error}");
    let missing = batch(None).unwrap();
    assert_eq!(Engine::new().forward(&model, &missing, 0).unwrap().loss().unwrap(), 0.0);
}

#[test]
fn a_summary_marks_an_input_that_may_be_absent() {
    let mut builder = ModelBuilder::new();
    builder.add::<read>(dims! { V: 5, H: 6 });
    builder.add::<judge>(dims! { C: 3, H: 6 });
    builder.add::<teach>(dims! { C: 3, H: 6 });
    let summary = builder.build(1).unwrap().summary();
    let optional: Vec<bool> = summary.functions.iter().map(|of| of.input_is_optional).collect();
    assert_eq!(optional, [false, true, false]);
    let text = summary.to_string();
    let pulled = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(2).unwrap()
    };
    assert_eq!([pulled("read"), pulled("judge"), pulled("teach")], ["id", "label?", "label"]);
}

/// Chains of these lengths, with a vertex that judges on every second one, every third of which has a
/// label.
#[test]
fn one_function_has_the_bits_of_two() {
    let start = Initializer::Uniform { bound: 0.7 };
    let mut builder = ModelBuilder::new();
    let read = builder.add::<read>(dims! { V: 5, H: 6 }.init("table", start).init("u", start));
    let dims = || dims! { C: 3, H: 6 };
    let judge = builder.add::<judge>(dims().init("w", start).init("b", start));
    let share = |setup: Setup, name| setup.share(name, judge.param(name));
    let teach = builder.add::<teach>(share(share(dims(), "w"), "b"));
    let score = builder.add::<score>(share(share(dims(), "w"), "b"));
    let model: Model = builder.build(4).unwrap();
    let run = |apart: bool, threads: usize| {
        let mut judging = Vec::new();
        let lengths = [9_u32, 4, 13, 1, 7];
        let graph = |(number, length): (usize, &u32)| {
            let mut g = model.graph();
            let mut last = None;
            for place in 0..*length {
                let word = Word { id: Index((place * 3 + length) % 5) };
                let vertex = g.add(&read, [last], word);
                last = Some(vertex);
                if place % 2 == 0 {
                    let label = (place % 3 == 0).then_some(Gold { label: Index(place % 3) });
                    let vertex = match (apart, label) {
                        (true, Some(label)) => g.add(&teach, [vertex], label),
                        (true, None) => g.add(&score, [vertex], ()),
                        // Said in each of the three ways.
                        (false, Some(label)) if place == 0 => g.add(&judge, [vertex], label),
                        (false, None) if place == 2 => g.add(&judge, [vertex], ()),
                        (false, label) => g.add(&judge, [vertex], label),
                    };
                    judging.push((number, vertex));
                }
            }
            g
        };
        let graphs: Vec<Graph> = lengths.iter().enumerate().map(graph).collect();
        let batch = model.minibatch(&graphs).unwrap();
        compiled_equals_eager(&model, &batch, &Check::default()).unwrap();
        let mut engine = Engine::with_threads(threads).unwrap();
        let known = engine.type_graph(&model, &batch).unwrap();
        let bound = edb::schedule::lower_bound(&known.0);
        let mut run = engine.forward(&model, &batch, 0).unwrap();
        let batches = run.report().batches;
        let numbers = |(graph, vertex): (usize, Vertex<()>)| {
            let loss = run.vertex_loss(graph, vertex.number()).unwrap();
            let logits = run.output_at(graph, vertex.number(), "logits").unwrap();
            (loss.to_bits(), logits.iter().map(|x| x.to_bits()).collect::<Vec<_>>())
        };
        let numbers: Vec<_> = judging.into_iter().map(numbers).collect();
        let gradients = run.backward().unwrap();
        (batches, bound, numbers, gradient_bits(&model, &gradients))
    };
    let two = run(true, 1);
    assert!(two.2.iter().any(|(loss, _)| *loss == 0) && two.2.iter().any(|(loss, _)| *loss != 0));
    assert_eq!(two, run(false, 1));
    assert_eq!(two, run(false, 2));
}

#[derive(Input, Clone, Copy)]
struct Told {
    kind: Index,
    x: Tensor,
    more: Indices,
}

#[derive(Output)]
struct Seen {
    which: Index,
    h: Tensor,
}

/// All that can stand in an arm: work, another branch on what is pulled, a loop, a bag, a loss; and an
/// arm for where there is no input.
#[vertex_function]
fn mixed(
    #[dim(H)] size: Dim,
    #[param(H, H)] w: Tensor,
    #[param(H, X)] u: Tensor,
    #[param(V, H)] table: Tensor,
) {
    let told = pull::<Option<Told>>();
    let before = gather_or(0, Memory { h: zeros(size) });
    let mut h = before.h;
    if before.h.sum() > 0.4 && told.is_none() {
        h = 0.5 * w.dot(h);
    }
    let (scale, kind) = match told {
        None => (scalar(0.5), Index(2)),
        Some(told) => {
            let more = match told.kind {
                Index(0) => u.dot(told.x),
                Index(1) => {
                    let mut rounds = scalar(0.0);
                    while rounds < 1.0 + h.square().sum() && rounds < 4.0 {
                        h = w.dot(h).tanh();
                        rounds += 1.0;
                    }
                    h
                }
                _ => table.bag_mean(told.more),
            };
            h += more;
            loss(told.x.square().sum());
            (told.x.sum(), told.kind)
        }
    };
    h = (h * scale + table.row(kind)).tanh();
    if told.is_some() {
        h = h.sigmoid();
    }
    loss(h.square().sum());
    scatter(Memory { h });
    push(Seen { which: w.dot(h - before.h).argmax(), h });
}

fn mixed_model<T: Element>() -> (Model<T>, Function<mixed>) {
    let start = Initializer::Uniform { bound: 0.7 };
    let dims = dims! { H: 5, V: 6, X: 5 };
    model_of(["w", "u", "table"].iter().fold(dims, |d, name| d.init(name, start)), 8)
}

fn told<T: Element>(g: &mut Graph<T>, seed: u32) -> Option<Told> {
    let x: Vec<T> = (0..5).map(|i| T::from_f64(0.3 - 0.11 * f64::from((seed + i) % 7))).collect();
    (seed % 4 != 3).then(|| Told {
        kind: Index(seed % 3),
        x: g.tensor(&x),
        more: g.indices((0..seed % 3).map(|place| (seed + place) % 6)),
    })
}

fn mixed_chain<T: Element>(model: &Model<T>, f: &Function<mixed>, length: u32) -> Graph<T> {
    let mut g = model.graph();
    let mut last: Option<Vertex<Memory>> = None;
    for place in 0..length {
        let mut input = told(&mut g, 3 * place * place + length);
        // Some read what the vertex before has pushed.
        if let (Some(input), Some(last), 1) = (&mut input, last, place % 3) {
            input.x = g.output(f, last).h;
        }
        last = Some(g.add(f, [last], input));
    }
    g
}

#[test]
fn arms_for_input_and_for_none() {
    fn check<T: Element>() {
        let (model, f) = mixed_model::<T>();
        let lengths = [7, 12, 1, 2, 3, 9];
        let graphs: Vec<_> =
            lengths.iter().map(|length| mixed_chain(&model, &f, *length)).collect();
        agrees(&model, &graphs);
        // A graph by itself, without any input.
        let mut g = model.graph();
        let first = g.add(&f, [None], ());
        g.add(&f, [Some(first)], ());
        agrees(&model, [&g]);
    }
    check::<f64>();
    check::<f32>();
    let text = mixed::plan().to_string();
    assert!(text.contains("choice 0: has input ? "), "{text}");
    assert!(text.contains("mixed.no input"), "{text}");
}

#[test]
fn what_is_read_of_a_run_knows_vertices_without_input() {
    let (model, f) = mixed_model::<f32>();
    let mut g = model.graph();
    let input = told(&mut g, 4).unwrap();
    let with = g.add(&f, [None], input);
    let without = g.add(&f, [Some(with)], ());
    let batch = model.minibatch([&g]).unwrap();
    let mut engine = Engine::new();
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    assert_eq!(run.outputs(&f).unwrap().len(), 2);
    run.backward().unwrap();
    assert_eq!(run.input_gradient(&f, with).unwrap().x.len(), 5);
    assert_eq!(run.input_gradient(&f, without).unwrap().x.len(), 0);
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    run.jacobian((&f, without, "h"), (&f, with, "x")).unwrap();
    let error = run.jacobian((&f, without, "h"), (&f, without, "x")).unwrap_err().to_string();
    assert_eq!(error, "vertex 1 of graph 0 (`mixed`) is without its input, so it has no `x`");
    let norms: Vec<f64> = run.backward_each().unwrap().norms().unwrap();
    assert!(norms[0] > 0.0);
}

#[test]
fn graphs_grow_with_and_without_input() {
    let (model, f) = mixed_model::<f32>();
    let mut engine = Engine::new();
    let mut grow = |firsts: &[u32]| {
        let graphs = firsts.iter().map(|first| mixed_chain(&model, &f, *first));
        let mut growth = engine.grow_forward(&model, graphs, 1).unwrap();
        let mut all = vec![Vec::new(); firsts.len()];
        while let Some(round) = growth.round().unwrap() {
            for mut g in round {
                let place = g.place();
                let Some((vertex, Seen { which, .. })) = g.decided(&f).last() else { continue };
                all[place].push(which.0);
                match all[place].len() {
                    6.. => {}
                    odd if odd % 2 == 1 => {
                        let (x, more) = (g.tensor(&[0.1, -0.2, 0.5, 0.0, 1.0]), g.indices([1_u32]));
                        g.add(&f, [Some(vertex)], Told { kind: Index(which.0 % 3), x, more });
                    }
                    _ => {
                        g.add(&f, [Some(vertex)], ());
                    }
                }
            }
        }
        grown_equals_eager(&mut growth.finish().unwrap(), &Check::default()).unwrap();
        all
    };
    let together = grow(&[3, 1, 5]);
    assert_eq!(together[1..2], grow(&[1]));
}

#[test]
fn records_give_all_of_an_input_or_nothing() {
    let mut builder = ModelBuilder::new();
    let read = builder.add::<read>(dims! { V: 5, H: 6 });
    let judge = builder.add::<judge>(dims! { C: 3, H: 6 });
    let model: Model = builder.build(4).unwrap();
    let record = |function: &str, children: &[Option<usize>], input: &[(&str, u32)]| VertexRecord {
        function: function.into(),
        children: children.to_vec(),
        input: input.iter().map(|(name, id)| ((*name).into(), InputRecord::Index(*id))).collect(),
    };
    let word = record("read", &[None], &[("id", 2)]);
    let records = [
        word.clone(),
        record("judge", &[Some(0)], &[("label", 2)]),
        record("judge", &[Some(0)], &[]),
    ];
    let of_records = model.graph_from_records(&records).unwrap();
    let mut g = model.graph();
    let first = g.add(&read, [None], Word { id: Index(2) });
    let with = g.add(&judge, [first], Gold { label: Index(2) });
    g.add(&judge, [first], None);
    let losses = [&of_records, &g].map(|graph| {
        let batch = model.minibatch([graph]).unwrap();
        let mut engine = Engine::new();
        let run = engine.forward(&model, &batch, 0).unwrap();
        [0, 1, 2].map(|vertex| run.vertex_loss(0, vertex).unwrap().to_bits())
    });
    assert_eq!(losses[0], losses[1]);
    assert_eq!((losses[0][0], losses[0][2]), (0, 0));
    assert_ne!(losses[0][with.number()], 0);
    // What has no variant without it is not left out.
    let errors = [
        [word.clone(), record("judge", &[Some(0)], &[("labels", 2)])],
        [word.clone(), record("judge", &[Some(0)], &[("label", 3)])],
        [record("read", &[None], &[]), record("judge", &[Some(0)], &[])],
    ];
    let texts = ["labels", "3 entries", "`id`"];
    for (records, text) in errors.iter().zip(texts) {
        let error = model.graph_from_records(records).unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
    }
}

/// A section that reads the rows of another one as a state which that one does not scatter: their
/// numbers would be used among the rows of others.
#[test]
fn a_damaged_section_reads_no_other_rows() {
    let plan = mixed::plan();
    let mut refused = 0;
    for (number, section) in plan.sections.iter().enumerate() {
        let joined = &section.joint.as_ref().unwrap().states;
        let is_other = |a: u16, b: u16| joined[usize::from(a)] != joined[usize::from(b)];
        for (slot, declared) in section.program.slots.iter().enumerate() {
            for state in (0..joined.len() as u16).filter(|state| is_other(*state, declared.state)) {
                let mut plan = plan.clone();
                plan.sections[number].program.slots[slot].state = state;
                assert!(plan.verify().is_err(), "section {number}, slot {slot}, state {state}");
                refused += 1;
            }
        }
    }
    assert!(refused > 0, "no section of the function reads another one");
}

/// The plan of a section, by number.
fn section(plan: &mut Plan, number: usize) -> &mut Plan {
    match number.checked_sub(1) {
        None => plan,
        Some(later) => &mut plan.sections[later],
    }
}

/// What comes next in a vertex is read as soon as a section has run, and is the number of a target. What
/// other functions and the caller read has to be there, too.
#[test]
fn a_damaged_section_goes_on_by_an_index_that_is_there() {
    let mut whole = mixed::plan().clone();
    whole.verify().unwrap();
    whole.sections.iter().for_each(|section| section.verify().unwrap());
    let refuses = |number: usize, what: &str, damage: &dyn Fn(&mut Plan)| {
        let mut plan = mixed::plan().clone();
        damage(section(&mut plan, number));
        // A model verifies the whole, and each section by itself.
        let verified = plan.verify().and_then(|()| section(&mut plan, number).verify());
        assert!(verified.is_err(), "section {number}: {what}");
    };
    let homes = [
        Home::Nowhere,
        Home::Scratch(Phase::Recurrent),
        Home::Scratch(Phase::Lazy),
        Home::Child(Slot::Fixed(0), 0),
        Home::Pulled(0),
        Home::Parameter(0),
        Home::Step,
    ];
    let mut deciding = 0;
    for number in 0..=whole.sections.len() {
        let plan = section(&mut whole, number);
        let program = &plan.program;
        for id in program.forward_results() {
            let shown = plan.routine.shown.iter().position(|(of, _)| *of == id).unwrap();
            let record = plan.routine.shown[shown].1.record;
            for home in homes {
                refuses(number, &format!("%{} {home:?} in inference", id.0), &|plan| {
                    plan.routine.records[record].inference = home;
                });
                refuses(number, &format!("%{} {home:?}", id.0), &|plan| {
                    let record = &mut plan.routine.records[record];
                    (record.training, record.inference) = (home, home);
                });
            }
            refuses(number, "not shown", &|plan| _ = plan.routine.shown.remove(shown));
            let late = |phase| {
                move |plan: &mut Plan| {
                    let routine = &mut plan.routine;
                    let writes = |of| routine.writes(of).iter().any(|to| to.record == record);
                    let at = routine.instructions.iter().position(|(_, of)| writes(of)).unwrap();
                    let (_, moved) = routine.instructions.remove(at);
                    let to = routine.instructions.partition_point(|(of, _)| *of <= phase);
                    routine.instructions.insert(to, (phase, moved));
                }
            };
            refuses(number, "behind the forward phases", &late(Phase::BackwardEager));
            if program.next == Some(id) {
                refuses(number, "in the lazy phase", &late(Phase::Lazy));
            }
        }
        let Some(next) = program.next else { continue };
        deciding += 1;
        refuses(number, "a target more", &|plan| plan.joint.as_mut().unwrap().targets.push(0));
        refuses(number, "a target less", &|plan| {
            plan.joint.as_mut().unwrap().targets.pop();
        });
        // An index into more than there are targets.
        let record = plan.routine.shown(next).unwrap().record;
        refuses(number, "another index", &|plan| {
            plan.routine.records[record].pieces = vec![Shape::OneOf(edb_ir::Dim::constant(9))];
        });
        refuses(number, "no index", &|plan| {
            plan.routine.records[record].pieces = vec![Shape::scalar()]
        });
    }
    assert!(deciding > 0, "no section of the function decides");
}
