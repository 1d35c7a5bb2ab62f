//! Objects of another model are refused before anything is done with them; so are gradients that do
//! not fit a parameter, and models with fields of unknown shape.

use std::sync::{Arc, Mutex};

use edb::engine::EngineError;
use edb::learn::{Factors, OptimizerState, Parameter};
use edb::learn::{Gradient, Gradients, LearnError, Parameters, Plateau};
use edb::model::ModelProblem;
use edb::prelude::*;
use edb::schedule::SearchOptions;
use edb::trainer::Reduction;
use edb::trainer::{Checkpoints, Notes, TrainError};

use edb_backend_suite::optimizer::TestOptimizer;
use edb_backend_suite::zoo::{self, Sentiment, WORDS, sentiment};

/// A model with one function, and a minibatch of `graphs` graphs of another model, which has three
/// functions.
fn other_than(graphs: usize) -> (Function<sentiment::word>, Model, Minibatch) {
    let mut builder = ModelBuilder::new();
    let word = builder.add::<sentiment::word>(dims! { V: 9, X: 3, H: 4 });
    let (functions, other) = Sentiment::model::<f32>(4, 1);
    let trees = functions.trees(&other, graphs, 7, 5);
    let batch = other.minibatch(trees.iter().map(|(graph, _)| graph)).unwrap();
    (word, builder.build(1).unwrap(), batch)
}

/// With 48 graphs or more, a trainer first decides how to cut the minibatch into parts.
#[test]
fn minibatches_of_other_models_are_refused_first() {
    for graphs in [2, 100] {
        for reduction in [Reduction::MeanOfGraphs, Reduction::MeanOfVertices, Reduction::Sum] {
            let (word, model, mut foreign) = other_than(graphs);
            let mut trainer = Trainer::new(model, Sgd::new(0.1)).reduction(reduction);
            let refused = |error: TrainError| {
                matches!(error, TrainError::Engine(EngineError::ForeignMinibatch))
            };
            assert!(refused(trainer.step(&foreign).unwrap_err()));
            assert!(refused(trainer.overfit(&foreign, 3, 0.0).unwrap_err()));
            assert!(refused(trainer.gradient_statistics(&foreign).unwrap_err()));
            // After a minibatch of its own, too; nothing has run by then.
            let mut g = trainer.model().graph();
            g.add(&word, (), sentiment::Word { id: Index(1) });
            let own = trainer.model().minibatch([&g]).unwrap();
            assert!(refused(trainer.step_over([&own, &foreign]).unwrap_err()));
            assert_eq!((trainer.steps(), trainer.report().batches), (0, 0));

            let is_foreign = |error: EngineError| matches!(error, EngineError::ForeignMinibatch);
            assert!(is_foreign(trainer.infer(&foreign).map(drop).unwrap_err()));
            let (model, mut engine) = (trainer.into_model(), Engine::new());
            assert!(is_foreign(Engine::new().infer(&model, &foreign).map(drop).unwrap_err()));
            assert!(is_foreign(engine.infer(&model, &foreign).map(drop).unwrap_err()));
            assert!(is_foreign(engine.forward(&model, &foreign, 0).map(drop).unwrap_err()));
            assert!(is_foreign(engine.training_bytes(&model, &foreign).unwrap_err()));
            assert!(is_foreign(engine.type_graph(&model, &foreign).unwrap_err()));
            assert!(is_foreign(engine.measure_costs(&model, &foreign).unwrap_err()));
            let options = SearchOptions::default();
            assert!(is_foreign(
                engine.search_schedule(&model, &mut foreign, &options).unwrap_err()
            ));
        }
    }
}

#[test]
fn parameters_of_other_builders_are_not_shared() {
    let mut elsewhere = ModelBuilder::new();
    elsewhere.add::<sentiment::word>(dims! { V: 9, X: 3, H: 3 });
    let foreign = elsewhere.add::<sentiment::phrase>(dims! { H: 3 });
    let mut builder = ModelBuilder::new();
    builder.add::<sentiment::word>(dims! { V: 9, X: 3, H: 3 });
    builder.add::<sentiment::phrase>(dims! { H: 3 });
    let setup = dims! { H: 3 }.named("second").share("u", foreign.param("u"));
    builder.add::<sentiment::phrase>(setup);
    let error = builder.build(1).unwrap_err();
    let [ModelProblem::ForeignParam { function, param, other, shared }] = &error.problems[..]
    else {
        panic!("{error}")
    };
    assert_eq!([function, param, other, shared], ["second", "u", "phrase", "u"]);
    assert!(error.to_string().contains("`second.u` is shared with `phrase.u`"), "{error}");
}

/// The Tree-LSTM with its functions in another order, and this name for the function of words.
fn turned(word: &str) -> (Sentiment, Model) {
    let mut builder = ModelBuilder::new();
    let judge = builder.add::<sentiment::sentiment>(dims! { C: 5, H: 4 });
    let phrase = builder.add::<sentiment::phrase>(dims! { H: 4 });
    let word = builder.add::<sentiment::word>(dims! { V: WORDS, X: 5, H: 4 }.named(word));
    (Sentiment { word, phrase, judge }, builder.build(1).unwrap())
}

/// Groups apply to the parameters of the trainer's current model, not of an earlier one.
#[test]
fn groups_follow_the_model() {
    let step = |trainer: &mut Trainer, functions: &Sentiment| {
        let (tree, _) = functions.tree(trainer.model(), 5, &mut zoo::rng(3));
        let batch = trainer.model().minibatch([&tree]).unwrap();
        trainer.step(&batch)
    };
    let values = |model: &Model| -> Vec<(String, Vec<f32>)> {
        let parameters = model.parameters().iter();
        parameters.map(|(_, p)| (p.name().to_string(), p.values().unwrap().to_vec())).collect()
    };
    let (functions, model) = Sentiment::model::<f32>(4, 1);
    let frozen = [Group::function("word").frozen(true)];
    let mut trainer = Trainer::new(model, Sgd::new(0.1)).groups(frozen);
    step(&mut trainer, &functions).unwrap();

    let (functions, model) = turned("word");
    *trainer.model_mut() = model;
    // The optimiser's state belongs to parameters of other shapes, which is an error.
    let error = step(&mut trainer, &functions).unwrap_err();
    let TrainError::Learn { error: LearnError::OtherParameters { .. }, .. } = error else {
        panic!("{error}")
    };
    *trainer.optimizer_mut().state_mut() = OptimizerState::default();
    let before = values(trainer.model());
    step(&mut trainer, &functions).unwrap();
    for ((name, before), (_, after)) in before.iter().zip(&values(trainer.model())) {
        assert_eq!(before == after, name.starts_with("word."), "{name}");
    }

    // The next model has no function of the group's name.
    let (functions, model) = turned("term");
    *trainer.model_mut() = model;
    let error = step(&mut trainer, &functions).unwrap_err();
    let TrainError::Learn { error: LearnError::EmptyGroup { .. }, .. } = error else {
        panic!("{error}")
    };
}

/// The factors that a trainer makes of a minibatch with few vertices, and empty gradients.
fn factors() -> (Model, Factors<f32>, Gradients<f32>) {
    let (functions, model) = Sentiment::model::<f32>(128, 1);
    let (tree, _) = functions.tree(&model, 6, &mut zoo::rng(5));
    let batch = model.minibatch([&tree]).unwrap();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let keeps = Arc::clone(&seen);
    let recorder = TestOptimizer::new(Sgd::new(0.1), move |_, gradients, _| {
        keeps.lock().unwrap().push(gradients.clone());
        Ok(())
    });
    let mut trainer = Trainer::new(model, recorder);
    trainer.step(&batch).unwrap();
    let model = trainer.into_model();
    let id = model.parameters().find("phrase.u").unwrap();
    let gradients = seen.lock().unwrap().pop().unwrap();
    let Gradient::Factors(factors) = gradients.get(id).clone() else { panic!("no factors") };
    let none = Gradients::new(model.parameters());
    (model, factors, none)
}

#[test]
fn factors_that_make_no_gradient_are_refused() {
    let (model, factors, mut gradients) = factors();
    for (id, parameter) in model.parameters().iter() {
        for candidate in [factors.clone(), Factors::default()] {
            let fits = parameter.shape() == candidate.size();
            assert_eq!(fits, parameter.name() == "phrase.u" && candidate == factors);
            let mut before = gradients.clone();
            let added = before.add(id, Gradient::Factors(candidate.clone()));
            if fits {
                added.unwrap();
                continue;
            }
            let Err(LearnError::FactorGradient { parameter: name, shape, size, .. }) = added else {
                panic!("{added:?}")
            };
            assert_eq!((&name[..], &shape[..]), (parameter.name(), parameter.shape()));
            assert_eq!(size, candidate.size());
            assert_eq!(before.get(id), &Gradient::Zero, "nothing was added");
            // They are refused also where a gradient of rows was added before.
            let [height, width] = parameter.shape() else { continue };
            let rows = vec![0, *height as u32 - 1];
            let values = vec![1.0; 2 * width];
            let rows = Gradient::Rows { width: *width, rows, values };
            gradients.add(id, rows).unwrap();
            gradients.add(id, Gradient::Factors(candidate)).unwrap_err();
            gradients = Gradients::new(model.parameters());
        }
    }
}

/// In any order the sum is the same, up to rounding.
#[test]
fn gradients_of_all_kinds_add_up_in_any_order() {
    let (model, factors, none) = factors();
    let id = model.parameters().find("phrase.u").unwrap();
    let [height, width] = factors.size();
    let number = |element: usize| (element as f32 * 0.7).sin();
    let dense: Vec<f32> = (0..height * width).map(number).collect();
    let rows = vec![0, 5, height as u32 - 1];
    let values: Vec<f32> = (0..3 * width).map(number).collect();
    let mut expected: Vec<f32> = factors.values().iter().zip(&dense).map(|(a, b)| a + b).collect();
    for (row, values) in rows.iter().zip(values.chunks(width)) {
        let sums = &mut expected[*row as usize * width..][..width];
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
    }
    let kinds = [
        Gradient::Dense(dense),
        Gradient::Rows { width, rows, values },
        Gradient::Factors(factors),
    ];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let mut sum = none.clone();
        for kind in order {
            sum.add(id, kinds[kind].clone()).unwrap();
        }
        for (found, expected) in sum.to_dense(id).iter().zip(&expected) {
            assert!((found - expected).abs() <= 1e-6, "{order:?}: {found}, {expected}");
        }
    }
}

#[derive(Input)]
pub struct Signal {
    pub left: Tensor,
}

/// Nothing in this function gives the length of `left`.
#[vertex_function]
pub fn total() {
    let Signal { left } = pull();
    loss(left.sum());
}

#[test]
fn a_field_without_a_shape_is_named() {
    let mut builder = ModelBuilder::new();
    builder.add::<total>(dims! {});
    let error = builder.build(1).unwrap_err().to_string();
    let named = "the shape of `left`, a field of its input, in `total`: declare it where the field is bound";
    assert!(error.contains(named), "{error}");
}

/// Fault B6: parameters of another model, put in the place of a model's own, were read as far as they
/// went: larger ones in part, and where there was nothing, with a panic.
#[test]
fn parameters_of_other_models_are_refused() {
    let of = |hidden: usize| Sentiment::model::<f32>(hidden, 1).1.parameters().clone();
    let named = |name: &str| {
        let mut same = Parameters::new();
        for (_, parameter) in of(4).iter() {
            let name = parameter.name().replace("phrase.u", name);
            let values = parameter.values().unwrap().to_vec();
            same.push(Parameter::new(&name, parameter.shape(), values).unwrap()).unwrap();
        }
        same
    };
    let cases = [(of(6), 6), (of(2), 2), (Parameters::new(), 0), (named("phrase.z"), 4)];
    let is_other = |error: &LearnError| matches!(error, LearnError::OtherParameters { .. });
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("model.safetensors");
    for (other, hidden) in cases {
        let (functions, mut model) = Sentiment::model::<f32>(4, 1);
        let (tree, _) = functions.tree(&model, 6, &mut zoo::rng(5));
        let batch = model.minibatch([&tree]).unwrap();
        let own = std::mem::replace(model.parameters_mut(), other.clone());
        let mut engine = Engine::new();
        let error = engine.infer(&model, &batch).map(drop).unwrap_err();
        let expected = match hidden {
            0 => format!("`{}` {:?} belongs, there is none", first(&own).0, first(&own).1),
            4 => "`phrase.u` [20, 8] belongs, there is `phrase.z` [20, 8]".to_string(),
            _ => format!("there is `{}` {:?}", first(&other).0, first(&other).1),
        };
        assert!(error.to_string().contains(&expected), "{error}: {expected}");
        let refused = |error: EngineError| {
            assert!(matches!(&error, EngineError::Learn(error) if is_other(error)), "{error}");
        };
        refused(error);
        refused(engine.forward(&model, &batch, 0).map(drop).unwrap_err());
        refused(engine.grow(&model, [tree.clone()]).map(drop).unwrap_err());
        refused(engine.training_bytes(&model, &batch).unwrap_err());
        refused(Engine::new().infer(&model, &batch).map(drop).unwrap_err());
        assert!(is_other(&model.save(&file).unwrap_err()) && !file.exists());
        let derived = model.vertex_losses(edb_compiler::push_losses).unwrap_err();
        assert!(matches!(&derived.problems[..], [ModelProblem::Learn(error)] if is_other(error)));

        let mut trainer = Trainer::new(model, Sgd::new(0.1));
        let refused = |error: TrainError| match error {
            TrainError::Learn { error, .. } | TrainError::Engine(EngineError::Learn(error)) => {
                assert!(is_other(&error), "{error}");
            }
            error => panic!("{error}"),
        };
        refused(trainer.step(&batch).unwrap_err());
        refused(trainer.step_graphs([&tree]).unwrap_err());
        refused(trainer.grow([tree.clone()]).map(drop).unwrap_err());
        Checkpoints::new(folder.path()).save(&trainer, &Notes::new()).unwrap_err();
        // With its own it goes on; an optimiser may exchange them, too.
        *trainer.model_mut().parameters_mut() = own;
        trainer.step(&batch).unwrap();
        let exchanger = TestOptimizer::new(Sgd::new(0.1), move |parameters, _, _| {
            *parameters = other.clone();
            Ok(())
        });
        let mut trainer = Trainer::new(trainer.into_model(), exchanger);
        trainer.step(&batch).unwrap();
        refused(trainer.step(&batch).unwrap_err());
        trainer.infer(&batch).map(drop).unwrap_err();
    }
}

/// Fault C2 of the fourth list: a smaller model went on from the state of a larger one if the names fitted.
#[test]
fn a_state_of_more_parameters_is_refused() {
    let (_, large) = Sentiment::model::<f32>(4, 1);
    let mut small = Parameters::new();
    for (_, parameter) in large.parameters().iter().take(2) {
        small.push(parameter.clone()).unwrap();
    }
    let (_, more) = large.parameters().iter().nth(2).unwrap();
    let ones = |parameters: &Parameters<f32>| {
        let mut gradients = Gradients::new(parameters);
        for (id, parameter) in parameters.iter() {
            let ones = vec![1.0; parameter.values().unwrap().len()];
            gradients.set(id, Gradient::Dense(ones)).unwrap();
        }
        gradients
    };
    let mut optimizer = Adam::new(0.1);
    let mut all = large.parameters().clone();
    let gradients = ones(&all);
    optimizer.update(&mut all, &gradients).unwrap();
    let gradients = ones(&small);
    let before = small.clone();
    let named = format!("where none belongs, there is `{}` {:?}", more.name(), more.shape());
    for error in [
        optimizer.update(&mut small, &gradients),
        optimizer.updates(&mut small, &|_| true, &[]).map(drop),
        optimizer.check_state(optimizer.state(), &before),
    ] {
        let error = error.unwrap_err();
        assert!(error.to_string().ends_with(&named), "{error}");
    }
    let bits = |of: &Parameters<f32>| -> Vec<u32> {
        of.iter().flat_map(|(_, p)| p.values().unwrap().to_vec()).map(f32::to_bits).collect()
    };
    assert_eq!(bits(&small), bits(&before));
    optimizer.update(&mut all, &ones(large.parameters())).unwrap();
}

/// Fault E2 of the fourth list: the name of a function could be empty or have a line break.
#[test]
fn names_can_be_shown() {
    for name in ["", " ", "a\nb", "a\r", "\0", "\u{1b}[2J"] {
        let mut builder = ModelBuilder::new();
        builder.add::<sentiment::word>(dims! { V: 9, X: 3, H: 3 }.named(name));
        let error = builder.build(1).unwrap_err();
        let [ModelProblem::Name { name: found }] = &error.problems[..] else { panic!("{error}") };
        assert_eq!(found, name);
        let error = error.to_string();
        assert!(error.contains(&format!("named {name:?}: give it a name with")), "{error}");
    }
    let mut builder = ModelBuilder::new();
    builder.add::<sentiment::word>(dims! { V: 9, X: 3, H: 3 }.named("ein Wort, größer"));
    builder.build(1).unwrap();
}

/// Fault E2 of the fourth list: if the factor of a plateau was negative, the learning rate became 0 and stayed 0.
#[test]
fn a_plateau_is_checked_before_a_step() {
    let (functions, model) = Sentiment::model::<f32>(4, 1);
    let (tree, _) = functions.tree(&model, 6, &mut zoo::rng(5));
    let batch = model.minibatch([&tree]).unwrap();
    let plateau = Plateau::lower_is_better().patience(0).factor(-1.0);
    let mut trainer = Trainer::new(model, Sgd::new(0.1)).plateau(plateau);
    let expected = "the factor of Plateau is -1; it must be finite and not negative";
    assert_eq!(trainer.observe(1.0).unwrap_err().to_string(), expected);
    let TrainError::Learn { step: 0, error } = trainer.step(&batch).unwrap_err() else { panic!() };
    assert_eq!(error.to_string(), expected);
    assert_eq!(trainer.learning_rate(), 0.1);
}

/// The name and the shape of the first parameter.
fn first(parameters: &Parameters<f32>) -> (String, Vec<usize>) {
    let (_, parameter) = parameters.iter().next().unwrap();
    (parameter.name().to_string(), parameter.shape().to_vec())
}
