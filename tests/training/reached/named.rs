//! Which parameters are named as not reached by a loss.

use edb::collective::Alone;
use edb::engine::Seeds;
use edb::prelude::*;
use edb::trainer::{GrowingStep, Step, TrainError};

use edb_backend_suite::ports::{Gold, Memory, Number, Word};

#[derive(Output)]
struct Scores {
    logits: Tensor,
}

#[derive(Output)]
struct Pushed {
    x: Tensor,
}

#[vertex_function]
fn word(#[param(V, H)] table: Tensor) {
    let Word { id } = pull();
    scatter(Memory { h: table.row(id) });
}

#[vertex_function]
fn teach(#[param(C, H)] w: Tensor, #[param(C)] b: Tensor) {
    let node: Memory = gather(0);
    let Gold { label } = pull();
    loss(cross_entropy(w.dot(node.h) + b, label));
}

#[vertex_function]
fn score(#[param(C, H)] w: Tensor, #[param(C)] b: Tensor) {
    let node: Memory = gather(0);
    push(Scores { logits: w.dot(node.h) + b });
}

/// What it pushes may be pulled by `read`.
#[vertex_function]
fn spell(#[param(V, X)] letters: Tensor) {
    let Word { id } = pull();
    push(Pushed { x: letters.row(id) });
}

#[vertex_function]
fn read(#[param(H, X)] w: Tensor) {
    let Number { x } = pull();
    scatter(Memory { h: w.dot(x) });
}

/// A list, whose items nobody can pull.
#[vertex_function]
fn recite(#[param(V, X)] lines: Tensor) {
    let Word { id } = pull();
    let mut count = scalar(0.0);
    while count < 2.0 {
        push(Pushed { x: lines.row(id) });
        count += 1.0;
    }
}

#[derive(Input)]
struct Lesson {
    label: Index,
    x: Tensor,
}

/// It pulls a tensor only where there is a label.
#[vertex_function]
fn judge(#[param(C, X)] w: Tensor) {
    let node: Memory = gather(0);
    let lesson: Option<Lesson> = pull();
    if let Some(Lesson { label, x }) = lesson {
        loss(cross_entropy(w.dot(x) + node.h.sum(), label));
    }
}

/// Only a decision depends on `doubt`, through which no gradient passes.
#[vertex_function]
fn decide(#[param(C, H)] doubt: Tensor, #[param(C)] bias: Tensor) {
    let node: Memory = gather(0);
    let choice = doubt.dot(node.h).argmax();
    loss(bias.pick(choice));
}

struct Made {
    model: Model<f64>,
    word: Function<word>,
    teach: Function<teach>,
    score: Function<score>,
    spell: Function<spell>,
    read: Function<read>,
}

/// A model for so many classes. What is read has four elements.
fn made(shared: bool, classes: usize) -> Made {
    let mut builder = ModelBuilder::new();
    let word = builder.add::<word>(dims! { V: 5, H: 3 });
    let teach = builder.add::<teach>(dims! { C: classes, H: 3 });
    let dims = dims! { C: classes, H: 3 };
    let score = builder.add::<score>(match shared {
        true => dims.share("w", teach.param("w")).share("b", teach.param("b")),
        false => dims,
    });
    let spell = builder.add::<spell>(dims! { V: 5, X: 4 });
    let read = builder.add::<read>(dims! { X: 4, H: 3 });
    builder.add::<decide>(dims! { C: classes, H: 3 });
    builder.add::<recite>(dims! { V: 5, X: 4 });
    Made { model: builder.build_as(1).unwrap(), word, teach, score, spell, read }
}

fn names(model: &Model<f64>) -> String {
    let parameters = model.summary().parameters.into_iter();
    let unreached = parameters.filter(|parameter| !parameter.reached);
    unreached.map(|parameter| parameter.name).collect::<Vec<_>>().join(", ")
}

fn frozen(names: &str) -> impl Iterator<Item = Group> {
    names.split(", ").map(|name| Group::parameter(name).frozen(true))
}

fn values(model: &Model<f64>, name: &str) -> Vec<f64> {
    model.parameters().get(model.parameters().find(name).unwrap()).values().unwrap().to_vec()
}

/// The parameters that a step refused.
fn refused(step: Result<Step, TrainError>) -> String {
    match step.unwrap_err() {
        TrainError::Unreached { parameters } => parameters,
        error => panic!("{error}"),
    }
}

/// A graph in which a label is known, and one in which a word is read as it is spelled.
fn graphs(Made { model, word, teach, spell, read, .. }: &Made) -> [Graph<f64>; 2] {
    let gold = || Gold { label: Index(1) };
    let mut plain = model.graph();
    let node = plain.add(word, (), Word { id: Index(2) });
    plain.add(teach, [node], gold());
    let mut feeding = model.graph();
    let spelled = feeding.add(spell, (), Word { id: Index(2) });
    let x = feeding.output(spell, spelled).x;
    let node = feeding.add(read, (), Number { x });
    feeding.add(teach, [node], gold());
    [plain, feeding]
}

#[test]
fn the_summary_names_what_no_loss_can_reach() {
    let of_decision_and_list = "decide.doubt, recite.lines";
    assert_eq!(names(&made(true, 2).model), of_decision_and_list);
    let model = made(false, 2).model;
    // Nothing pulls tensors of two elements.
    assert_eq!(names(&model), "score.w, score.b, decide.doubt, recite.lines");
    let text = model.summary().to_string();
    let end =
        "no loss reaches score.w, score.b, decide.doubt, recite.lines: should they be shared?";
    assert!(text.ends_with(end), "{text}");
    // `read` may pull the scores of four classes, whether it ever does or not.
    assert_eq!(names(&made(false, 4).model), of_decision_and_list);
}

#[test]
fn a_first_step_names_the_same_whatever_its_graphs_are() {
    for (shared, ranks, place) in (0..8).map(|n| (n & 1 == 0, n & 2 == 0, n >> 2)) {
        let made = made(shared, 2);
        let (graph, expected) = (graphs(&made)[place].clone(), names(&made.model));
        let mut trainer = Trainer::new(made.model, Sgd::new(0.1));
        if ranks {
            trainer = trainer.distributed(Alone, 1);
        }
        let step = |trainer: &mut Trainer<f64>| trainer.step_shared(1, |_, _| graph.clone());
        assert_eq!(refused(step(&mut trainer)), expected);
        assert_eq!(refused(step(&mut trainer)), expected);
        assert_eq!(trainer.steps(), 0);
        // What is frozen is not meant to learn.
        trainer.set_groups(frozen(&expected));
        step(&mut trainer).unwrap();
        assert_eq!(trainer.steps(), 1);
    }
}

/// Nothing is fed in the first step, where only `teach` has a label.
#[test]
fn what_later_minibatches_feed_is_not_refused() {
    for ranks in [false, true] {
        let mut builder = ModelBuilder::new();
        let word = builder.add::<word>(dims! { V: 5, H: 3 });
        let spell = builder.add::<spell>(dims! { V: 5, X: 4 });
        let judge = builder.add::<judge>(dims! { C: 2, X: 4 });
        let teach = builder.add::<teach>(dims! { C: 2, H: 3 });
        let model: Model<f64> = builder.build_as(1).unwrap();
        let mut trainer = Trainer::new(model, Sgd::new(0.1));
        if ranks {
            trainer = trainer.distributed(Alone, 1);
        }
        let graph = |model: &Model<f64>, has_label: bool| {
            let mut g = model.graph();
            let node = g.add(&word, (), Word { id: Index(2) });
            let spelled = g.add(&spell, (), Word { id: Index(2) });
            let x = g.output(&spell, spelled).x;
            g.add(&judge, [node], has_label.then_some(Lesson { label: Index(1), x }));
            g.add(&teach, [node], Gold { label: Index(1) });
            g
        };
        let before = values(trainer.model(), "spell.letters");
        trainer.step_shared(1, |model, _| graph(model, false)).unwrap();
        assert_eq!(values(trainer.model(), "spell.letters"), before);
        trainer.step_shared(1, |model, _| graph(model, true)).unwrap();
        assert_ne!(values(trainer.model(), "spell.letters"), before);
    }
}

/// Gradients that are given for what is pushed may reach what no loss does.
#[test]
fn steps_that_take_gradients_refuse_only_what_these_cannot_reach() {
    type Way = fn(&mut Trainer<f64>, &Graph<f64>, &Seeds<f64>) -> Result<Step, TrainError>;
    let with: Way = |trainer, graph, seeds| trainer.grow([graph.clone()])?.step_with(seeds);
    let shared: Way = |trainer, graph, seeds| {
        let grow = |_: &mut GrowingStep<'_, f64>, _| Ok(seeds.clone());
        trainer.grow_shared(1, |_, _| graph.clone(), grow)
    };
    for (way, ranks) in [(with, false), (shared, false), (shared, true)] {
        let made = made(false, 2);
        let mut graph = made.model.graph();
        let node = graph.add(&made.word, (), Word { id: Index(2) });
        let scored = graph.add(&made.score, [node], ());
        let mut trainer = Trainer::new(made.model, Sgd::new(0.1));
        if ranks {
            trainer = trainer.distributed(Alone, 1);
        } else {
            let step = trainer.grow([graph.clone()]).unwrap().step();
            assert_eq!(refused(step), "score.w, score.b, decide.doubt, recite.lines");
        }
        // Whether any are given in the first step does not matter.
        let mut seeds = Seeds::new();
        assert_eq!(refused(way(&mut trainer, &graph, &seeds)), "decide.doubt");
        seeds.push(&made.score, scored, "logits", &[1.0, -0.5]);
        assert_eq!(refused(way(&mut trainer, &graph, &seeds)), "decide.doubt");
        trainer.set_groups(frozen("decide.doubt"));
        let before = values(trainer.model(), "score.b");
        way(&mut trainer, &graph, &seeds).unwrap();
        assert_eq!(trainer.steps(), 1);
        assert_ne!(values(trainer.model(), "score.b"), before);
    }
}

#[test]
fn a_model_without_losses_has_nothing_unreached() {
    let mut builder = ModelBuilder::new();
    builder.add::<word>(dims! { V: 5, H: 3 });
    builder.add::<score>(dims! { C: 2, H: 3 });
    let model: Model<f64> = builder.build_as(1).unwrap();
    assert!(names(&model).is_empty());
}
