//! Which parameters are named as not reached by a loss.

use edb::prelude::*;
use edb::trainer::TrainError;

#[derive(State)]
struct Node {
    h: Tensor,
}

#[derive(Input)]
struct Word {
    id: Index,
}

#[derive(Input)]
struct Features {
    x: Tensor,
}

#[derive(Input)]
struct Gold {
    label: Index,
}

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
    scatter(Node { h: table.row(id) });
}

#[vertex_function]
fn teach(#[param(C, H)] w: Tensor, #[param(C)] b: Tensor) {
    let node: Node = gather(0);
    let Gold { label } = pull();
    loss(cross_entropy(w.dot(node.h) + b, label));
}

#[vertex_function]
fn score(#[param(C, H)] w: Tensor, #[param(C)] b: Tensor) {
    let node: Node = gather(0);
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
    let Features { x } = pull();
    scatter(Node { h: w.dot(x) });
}

/// Only a decision depends on `doubt`, through which no gradient passes.
#[vertex_function]
fn decide(#[param(C, H)] doubt: Tensor, #[param(C)] bias: Tensor) {
    let node: Node = gather(0);
    let choice = doubt.dot(node.h).argmax();
    loss(bias.pick(choice));
}

struct Made {
    model: Model<f64>,
    word: Function<word>,
    teach: Function<teach>,
    spell: Function<spell>,
    read: Function<read>,
}

fn made(shared: bool) -> Made {
    let mut builder = ModelBuilder::new();
    let word = builder.add::<word>(dims! { V: 5, H: 3 });
    let teach = builder.add::<teach>(dims! { C: 2, H: 3 });
    let dims = dims! { C: 2, H: 3 };
    builder.add::<score>(match shared {
        true => dims.share("w", teach.param("w")).share("b", teach.param("b")),
        false => dims,
    });
    let spell = builder.add::<spell>(dims! { V: 5, X: 4 });
    let read = builder.add::<read>(dims! { X: 4, H: 3 });
    builder.add::<decide>(dims! { C: 2, H: 3 });
    Made { model: builder.build(1).unwrap(), word, teach, spell, read }
}

fn names(model: &Model<f64>) -> Vec<String> {
    let parameters = model.summary().parameters.into_iter();
    parameters.filter(|parameter| !parameter.reached).map(|parameter| parameter.name).collect()
}

/// A graph in which a label is known, and one in which a word is read as it is spelled.
fn graphs(Made { model, word, teach, spell, read }: &Made) -> [Graph<f64>; 2] {
    let gold = || Gold { label: Index(1) };
    let mut plain = model.graph();
    let node = plain.add(word, (), Word { id: Index(2) });
    plain.add(teach, [node], gold());
    let mut feeding = model.graph();
    let spelled = feeding.add(spell, (), Word { id: Index(2) });
    let x = feeding.output(spell, spelled).x;
    let node = feeding.add(read, (), Features { x });
    feeding.add(teach, [node], gold());
    [plain, feeding]
}

#[test]
fn the_summary_names_what_no_loss_can_reach() {
    // What is pushed may be pulled: by the summary alone it is not known whether it is.
    assert_eq!(names(&made(true).model), ["decide.doubt"]);
    let model = made(false).model;
    let unreached = names(&model);
    // `read` pulls a tensor through which a loss reaches whatever pushes.
    assert_eq!(unreached, ["decide.doubt"]);
    let text = model.summary().to_string();
    assert!(text.ends_with("no loss reaches decide.doubt: should they be shared?"), "{text}");
}

#[test]
fn a_first_step_is_refused_where_a_parameter_is_not_reached() {
    for (shared, of_feeding) in [(true, false), (true, true), (false, false), (false, true)] {
        let made = made(shared);
        let [plain, feeding] = graphs(&made);
        let graph = if of_feeding { feeding } else { plain };
        let mut trainer = Trainer::new(made.model, Sgd::new(0.1)).refuse_unreached();
        let error = trainer.step_graphs([&graph]).unwrap_err();
        let TrainError::Unreached { parameters } = error else { panic!("{error}") };
        let expected = match (shared, of_feeding) {
            (_, true) => "decide.doubt",
            (true, false) => "spell.letters, decide.doubt",
            (false, false) => "score.w, score.b, spell.letters, decide.doubt",
        };
        assert_eq!(parameters, expected);
        assert_eq!(trainer.steps(), 0);
        // What is frozen is not meant to learn.
        let frozen = expected.split(", ").map(|name| Group::parameter(name).frozen(true));
        trainer.set_groups(frozen);
        trainer.step_graphs([&graph]).unwrap();
        assert_eq!(trainer.steps(), 1);
    }
}

#[test]
fn a_model_without_losses_has_nothing_unreached() {
    let mut builder = ModelBuilder::new();
    builder.add::<word>(dims! { V: 5, H: 3 });
    builder.add::<score>(dims! { C: 2, H: 3 });
    let model: Model<f64> = builder.build(1).unwrap();
    assert!(names(&model).is_empty());
}
