//! Training by several ranks: the bits of the parameters do not depend on how many there are, errors
//! are the same on all of them, and what would break this is refused.

mod apart;

use edb::collective::{Alone, Collective, CollectiveError, Local};
use edb::engine::Seeds;
use edb::learn::{AdaGrad, Group, Lion, Muon, Plateau, RateSchedule, RmsProp};
use edb::prelude::*;
use edb::secret::Secret;
use edb::trainer::{Checkpoints, Notes, Private, Reduction, TrainError};

use edb_backend_suite::ranks::{Outcome, Reader, Said, WORDS, Word, bits, on_ranks, same_on};
use edb_backend_suite::zoo::{Sentiment, Zoo, rng};

fn reader_trainer(optimizer: impl Optimizer<f32> + 'static) -> (Trainer, Reader) {
    let (reader, model) = Reader::model(3);
    (Trainer::new(model, optimizer).allow_unreached(), reader)
}

/// Uneven shares, fewer graphs than shares, more ranks than shares, one rank with several spans.
#[test]
fn any_number_of_ranks_has_the_same_bits() {
    for (shares, ranks) in
        [(1, &[2, 3][..]), (2, &[2, 5]), (5, &[2, 3, 4]), (8, &[1, 2, 3, 4, 5, 6, 7, 8])]
    {
        let build = || {
            let (trainer, reader) = reader_trainer(Adam::new(0.02));
            (trainer.clip_norm(0.5), reader)
        };
        let minibatches = [13, 3, 1, 16, 8];
        let (_, bits) = same_on(shares, ranks, &minibatches, build, Reader::graph);
        assert!(bits.iter().any(|bits| *bits != 0));
    }
}

/// One share is what a trainer without shares computes.
#[test]
fn one_share_is_a_plain_step() {
    let minibatches = [13, 3, 16];
    let build = || reader_trainer(Adam::new(0.02));
    let expected = same_on(1, &[2], &minibatches, build, Reader::graph);
    let (mut trainer, reader) = build();
    let mut first = 0;
    let mut steps = Vec::new();
    for count in minibatches {
        let graphs: Vec<Graph> =
            (first..first + count).map(|at| reader.graph(trainer.model(), at)).collect();
        steps.push(trainer.step_graphs(&graphs).unwrap());
        first += count;
    }
    let bits = bits(&mut trainer);
    assert_eq!((steps, bits), expected);
}

/// All that lies between gradients and parameters.
#[test]
fn all_optimisers_and_settings_have_the_same_bits() {
    type Make = fn(Model) -> Trainer;
    let trainers: [(&str, Make); 6] = [
        ("sgd", |model| Trainer::new(model, Sgd::new(0.1).momentum(0.9)).allow_unreached()),
        ("adagrad", |model| Trainer::new(model, AdaGrad::new(0.1)).allow_unreached()),
        ("adamw", |model| {
            Trainer::new(model, Adam::new(0.02).decoupled_weight_decay(0.1)).allow_unreached()
        }),
        ("lion", |model| Trainer::new(model, Lion::new(0.01)).allow_unreached()),
        ("muon", |model| Trainer::new(model, Muon::new(0.02)).allow_unreached()),
        ("rmsprop", |model| {
            Trainer::new(model, RmsProp::new(0.01).weight_decay(0.01)).allow_unreached()
        }),
    ];
    let reductions = [Reduction::MeanOfGraphs, Reduction::MeanOfVertices, Reduction::Sum];
    for (number, (name, trainer)) in trainers.iter().enumerate() {
        let build = || {
            let (reader, model) = Reader::model(3);
            let groups = [
                Group::parameter("judge.b").rate(0.5).clip_norm(0.1),
                Group::parameter("read.halt").frozen(number % 2 == 0),
            ];
            let trainer = trainer(model)
                .reduction(reductions[number % 3])
                .groups(groups)
                .clip_norm(2.0)
                .clip_value(0.3)
                .schedule(RateSchedule::step(2, 0.5))
                .plateau(Plateau::lower_is_better())
                .ema(0.9)
                .unwrap()
                .measure_noise(if number == 1 { 2 } else { 0 });
            (trainer, reader)
        };
        let (steps, _) = same_on(4, &[2, 3], &[7, 2, 9], build, Reader::graph);
        assert_eq!(steps.len(), 3, "{name}");
    }
}

/// The policy is learned by rank 0 in the fourth step, and is everybody's from the fifth on.
#[test]
fn a_policy_that_is_learned_is_that_of_all_ranks() {
    let build = || {
        let (zoo, model) = Zoo::model::<f32>(4, 1);
        let engine = Engine::with_threads(2).unwrap().seed(5);
        (Trainer::new(model, Adam::new(0.01)).allow_unreached().engine(engine), zoo)
    };
    let graph = |zoo: &Zoo, model: &Model, at| zoo.graph(model, 40, &mut rng(at as u64));
    same_on(4, &[2, 3], &[6, 5, 7, 6, 6, 6], build, graph);
    let learned = on_ranks(2, |rank| {
        let (trainer, zoo) = build();
        let mut trainer = trainer.distributed(rank, 4);
        for step in 0..5 {
            trainer.step_shared(6, |model, at| graph(&zoo, model, 6 * step + at)).unwrap();
            let learned = trainer.learned_policy();
            assert_eq!(learned.is_some(), step >= 3, "after step {step}");
            // What was learned is told, and from then on how it does.
            let report = trainer.policy_report();
            let told = ["of the lower bound on 16 minibatches", "of the lower bound in "];
            let told = told.map(|part| report.contains(part));
            assert_eq!(told, [step >= 3, step >= 4], "after step {step}: {report}");
        }
        let policy = trainer.learned_policy().unwrap();
        policy.to_json(trainer.model().signature()).unwrap()
    });
    assert_eq!(learned[0], learned[1]);
}

/// Matrices that are large enough for factors, where few vertices are in a share.
#[test]
fn gradients_that_are_factors_have_the_same_bits() {
    let build = || {
        let (f, model) = Sentiment::model::<f32>(256, 2);
        (Trainer::new(model, Adam::new(1e-3)).allow_unreached().clip_norm(0.1), f)
    };
    let graph =
        |f: &Sentiment, model: &Model, at: usize| f.tree(model, 2 + at % 5, &mut rng(at as u64)).0;
    // Few terms, which stay factors; more, which are multiplied out in some sums; and empty shares.
    same_on(4, &[2, 3, 4], &[4, 12, 2], build, graph);
}

#[test]
fn private_steps_have_the_same_bits() {
    let build = || {
        let (trainer, reader) = reader_trainer(Sgd::new(0.1));
        let secret = Secret::insecure(4);
        (trainer.private(Private { clip: 0.2, secret, ..Private::new(40, 6).unwrap() }), reader)
    };
    same_on(3, &[2, 3], &[5, 0, 7], build, Reader::graph);
}

/// Fault A6: ranks draw the noise of a run from the same secret, though each run has another one; and
/// know the same accounts when they go on.
#[test]
fn ranks_share_the_noise_of_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path());
    let run = |other: bool| {
        on_ranks(3, |rank| {
            let (trainer, reader) = reader_trainer(Sgd::new(0.1));
            let private = Private::new(40, 6).unwrap().shared(&rank).unwrap();
            let mut trainer = trainer.private(private).distributed(rank, 3);
            let step = |trainer: &mut Trainer, first: usize| {
                trainer.step_shared(5, |model, at| reader.graph(model, first + at)).unwrap()
            };
            step(&mut trainer, 0);
            if other {
                checkpoints.save(&trainer, &Notes::new()).unwrap();
                step(&mut trainer, 5);
                checkpoints.resume(&mut trainer).unwrap().unwrap();
            }
            let epsilon = trainer.epsilon();
            (bits(&mut trainer), epsilon, step(&mut trainer, 5).epsilon, bits(&mut trainer))
        })
    };
    let [first, second] = [run(false), run(true)];
    for of_run in [&first, &second] {
        assert!(of_run.iter().all(|rank| rank == &of_run[0]));
    }
    assert_ne!(first[0].0, second[0].0, "two runs have the same noise");
    assert!(second[0].1 > first[0].1, "the step that was left counts");
    assert!(second[0].2 > first[0].2);
}

/// Graphs that grow until they have said word 0 or four words; what was said is punished, the later
/// the more.
#[test]
fn graphs_that_grow_have_the_same_bits() {
    let graph = |reader: &Reader, model: &Model, number: usize| {
        let mut g = reader.graph(model, number);
        let read = g.add(&reader.read, [None], Word { id: Index((number % WORDS) as u32) });
        g.add(&reader.say, [read], ());
        g
    };
    let train = |(mut trainer, reader): (Trainer, Reader)| -> Outcome {
        let step = |first: usize| {
            let made = |model: &Model, at: usize| graph(&reader, model, first + at);
            trainer.grow_shared(11, made, |growing, _| {
                let (mut said, mut turn) = (Seeds::new(), 0);
                while let Some(round) = growing.round()? {
                    turn += 1;
                    for mut g in round {
                        for (vertex, Said { word, .. }) in g.decided(&reader.say) {
                            said.push(&reader.say, vertex, "log_p", &[0.1 * turn as f32]);
                            if word.0 != 0 && turn < 4 {
                                let read = g.add(&reader.read, [None], Word { id: word });
                                g.add(&reader.say, [read], ());
                            }
                        }
                    }
                }
                assert!(matches!(growing.step(), Err(TrainError::Engine(_))), "all step together");
                Ok(said)
            })
        };
        let steps = [0, 11, 22, 33, 44, 55].map(step).map(Result::unwrap).to_vec();
        (steps, bits(&mut trainer))
    };
    let build = || {
        let (trainer, reader) = reader_trainer(Adam::new(0.05));
        (trainer.engine(Engine::with_threads(2).unwrap().seed(4)), reader)
    };
    let with = |world: Option<Local>| {
        let (trainer, reader) = build();
        match world {
            Some(rank) => train((trainer.distributed(rank, 4), reader)),
            None => train((trainer.distributed(Alone, 4), reader)),
        }
    };
    let expected = with(None);
    for ranks in [2, 3] {
        for found in on_ranks(ranks, |rank| with(Some(rank))) {
            assert!(found == expected, "{ranks} ranks");
        }
    }
    let (trainer, reader) = build();
    let mut trainer = trainer.distributed(Alone, 4);
    let graphs = vec![graph(&reader, trainer.model(), 0)];
    let error = trainer.grow(graphs).err().unwrap().to_string();
    assert_eq!(
        error,
        "step 0: where ranks train together, graphs grow in \
         `Trainer::grow_each_shared` or `Trainer::grow_shared`"
    );
}

/// Trains until a step, with the minibatches that come then.
fn train_until(trainer: &mut Trainer, reader: &Reader, until: u64) -> Vec<u32> {
    while trainer.steps() < until {
        let first = 5 * trainer.steps() as usize;
        trainer.step_shared(5, |model, at| reader.graph(model, first + at)).unwrap();
    }
    bits(trainer)
}

/// Saved by three ranks, resumed by two that have no folder, or by one: the same bits.
#[test]
fn a_run_goes_on_on_another_number_of_ranks() {
    let build = |seed| {
        let (reader, model) = Reader::model(seed);
        let trainer = Trainer::new(model, Adam::new(0.05)).allow_unreached().ema(0.8).unwrap();
        (trainer.engine(Engine::new().seed(6)), reader)
    };
    let expected = {
        let (trainer, reader) = build(3);
        train_until(&mut trainer.distributed(Alone, 4), &reader, 6)
    };
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path().join("run"));
    let saved = on_ranks(3, |rank| {
        let (trainer, reader) = build(3);
        let mut trainer = trainer.distributed(rank, 4);
        train_until(&mut trainer, &reader, 3);
        let notes = Notes::new().score(0.5).with("seen", &7);
        checkpoints.save(&trainer, &notes).unwrap().path
    });
    assert_eq!(saved, vec![saved[0].clone(); 3]);
    for ranks in [1, 2] {
        for found in on_ranks(ranks, |rank| {
            let (trainer, reader) = build(9);
            // Only rank 0 has the folder.
            let own = if rank.rank() == 0 { folder.path().join("run") } else { "/nowhere".into() };
            let mut trainer = trainer.distributed(rank, 4);
            let resumed = Checkpoints::new(own).resume(&mut trainer).unwrap().unwrap();
            assert_eq!(resumed.checkpoint.path, saved[0]);
            assert_eq!(resumed.checkpoint.score, Some(0.5));
            assert_eq!(resumed.notes.get::<u32>("seen").unwrap(), 7);
            train_until(&mut trainer, &reader, 6)
        }) {
            assert_eq!(found, expected, "{ranks} ranks");
        }
    }
    // Without a folder, none resumes; and an error of rank 0 is one of all.
    for found in on_ranks(2, |rank| {
        let (trainer, _) = build(3);
        let mut trainer = trainer.distributed(rank, 4);
        assert!(
            Checkpoints::new(folder.path().join("none")).resume(&mut trainer).unwrap().is_none()
        );
        std::fs::write(folder.path().join("file"), "").unwrap();
        Checkpoints::new(folder.path().join("file")).save(&trainer, &Notes::new()).unwrap_err()
    }) {
        assert!(found.to_string().contains("file"), "{found}");
    }
}

/// Calls `step` on two ranks that were built by `build`, and returns the errors of both.
fn errors_of(
    build: impl Fn(usize) -> (Trainer, Reader) + Sync,
    graph: impl Fn(&Reader, &Model, usize) -> Graph + Sync,
) -> Vec<TrainError> {
    on_ranks(2, |rank| {
        let (trainer, reader) = build(rank.rank());
        let before = bits(&mut trainer_of(trainer.model()));
        let mut trainer = trainer.distributed(rank, 4);
        let error = trainer.step_shared(8, |model, at| graph(&reader, model, at)).unwrap_err();
        assert_eq!(bits(&mut trainer), before, "nothing has changed");
        error
    })
}

/// A trainer of the same parameters.
fn trainer_of(model: &Model) -> Trainer {
    let (_, mut copy) = Reader::model(1);
    for (id, parameter) in model.parameters().iter() {
        copy.parameters_mut().get_mut(id).set_values(parameter.values().unwrap()).unwrap();
    }
    Trainer::new(copy, Sgd::new(0.1)).allow_unreached()
}

fn all_say(errors: &[TrainError], expected: &str) {
    for error in errors {
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn an_error_of_one_rank_is_that_of_all() {
    let build = |_| reader_trainer(Sgd::new(0.1));
    // Graph 6 is of rank 1.
    let errors = errors_of(build, |reader, model, at| match at {
        6 => model.graph(),
        _ => reader.graph(model, at),
    });
    all_say(&errors, "step 0, rank 1: graph 6 of the minibatch has no vertices");
}

#[test]
fn a_loss_that_is_not_finite_is_named_by_its_place_among_all() {
    let build = |_| {
        let (reader, mut model) = Reader::model(3);
        let table = model.parameters().find("read.table").unwrap();
        // Only graph 7 reads word 8.
        let values = model.parameters_mut().get_mut(table).values_mut().unwrap();
        values[8 * 6] = f32::NAN;
        (Trainer::new(model, Sgd::new(0.1)).allow_unreached(), reader)
    };
    let graph = |reader: &Reader, model: &Model, at: usize| {
        let mut g = model.graph();
        let id = Index(if at == 7 { 8 } else { at as u32 % 8 });
        let last = g.add(&reader.read, [None], Word { id });
        g.add(&reader.rest, [last], ());
        g
    };
    let errors = errors_of(build, graph);
    for error in &errors {
        let TrainError::Loss { step: 0, graph: 7, vertex, origin: Some(origin), .. } = error else {
            panic!("{error}")
        };
        // The table is not finite, so it is named where the first graph of the share reads it.
        assert_eq!((*vertex, origin.graph), (1, 6), "{error}");
    }
    assert_eq!(errors[0].to_string(), errors[1].to_string());
}

#[test]
fn ranks_that_differ_are_refused() {
    type Build = fn(usize) -> (Trainer, Reader);
    let differing: [(&str, Build); 5] = [
        ("the learning rate is 0.2 on it and 0.1 on rank 0", |rank| {
            reader_trainer(Sgd::new([0.1, 0.2][rank]))
        }),
        ("the clipping of norms is 1.0 on it and none on rank 0", |rank| {
            let (trainer, reader) = reader_trainer(Sgd::new(0.1));
            (if rank == 0 { trainer } else { trainer.clip_norm(1.0) }, reader)
        }),
        ("the seed is 7 on it and 0 on rank 0", |rank| {
            let (trainer, reader) = reader_trainer(Sgd::new(0.1));
            (trainer.engine(Engine::new().seed([0, 7][rank])), reader)
        }),
        ("the parameter `read.table` is [9, 6] with values and state of hash", |rank| {
            let (reader, model) = Reader::model([3, 4][rank]);
            (Trainer::new(model, Sgd::new(0.1)).allow_unreached(), reader)
        }),
        ("the secret of private training (see `Private::shared`) is", |_| {
            let (trainer, reader) = reader_trainer(Sgd::new(0.1));
            (trainer.private(Private::new(20, 8).unwrap()), reader)
        }),
    ];
    for (expected, build) in differing {
        for error in errors_of(build, Reader::graph) {
            let said = error.to_string();
            assert!(matches!(error, TrainError::Differs { rank: 1, .. }), "{said}");
            let begins = "rank 1 cannot train together with rank 0: ".to_owned() + expected;
            assert!(said.starts_with(&begins), "{said}");
        }
    }
    let (trainer, reader) = reader_trainer(Sgd::new(0.1));
    let mut trainer = trainer.distributed(Alone, 0);
    let error = trainer.step_shared(3, |model, at| reader.graph(model, at)).unwrap_err();
    let expected =
        "step 0: the number of shares of Trainer is 0; it must be at least 1 and at most 65536";
    assert_eq!(error.to_string(), expected);
}

/// What a program does between steps must be the same on all ranks, too.
#[test]
fn ranks_that_do_not_go_on_alike_are_refused() {
    let errors = on_ranks(2, |rank| {
        let (trainer, reader) = reader_trainer(Sgd::new(0.1));
        let number = rank.rank();
        let mut trainer = trainer.distributed(rank, 4);
        let step = |trainer: &mut Trainer, count| {
            trainer.step_shared(count, |model, at| reader.graph(model, at))
        };
        step(&mut trainer, 8).unwrap();
        let counted = step(&mut trainer, 8 + number).unwrap_err().to_string();
        // A minibatch of another model, on one rank only: no rank waits for another one.
        let (other, others) = Reader::model(3);
        let batch = match number {
            0 => trainer.model().minibatch([&reader.graph(trainer.model(), 1)]),
            _ => others.minibatch([&other.graph(&others, 1)]),
        };
        let foreign = trainer.step(&batch.unwrap()).unwrap_err().to_string();
        // After an error, all can go on.
        step(&mut trainer, 8).unwrap();
        trainer.optimizer_mut().set_learning_rate([0.1, 0.3][number]);
        let changed = step(&mut trainer, 8).unwrap_err().to_string();
        [counted, foreign, changed]
    });
    let cannot = "rank 1 cannot train together with rank 0: ";
    for [counted, foreign, changed] in &errors {
        assert_eq!(*counted, format!("{cannot}it has a step of 9 graphs, and rank 0 one of 8"));
        assert!(foreign.starts_with("step 1, rank 1: "), "{foreign}");
        assert_eq!(*changed, format!("{cannot}the learning rate is 0.3 on it and 0.1 on rank 0"));
    }
}

/// Nothing is learned in a step that fails, whoever has run the first share before.
#[test]
fn no_policy_is_learned_in_a_failed_step() {
    let graph = |zoo: &Zoo, model: &Model, at| zoo.graph(model, 40, &mut rng(at as u64));
    let train = |world: Option<Local>| -> Vec<u32> {
        let (zoo, model) = Zoo::model::<f32>(4, 1);
        let trainer = Trainer::new(model, Adam::new(0.01)).allow_unreached();
        let mut trainer = match world {
            Some(rank) => trainer.distributed(rank, 4),
            None => trainer.distributed(Alone, 4),
        };
        for step in 0..7 {
            let made = |model: &Model, at: usize| match (step, at) {
                // Of the last share, in the step in which a policy would be learned on the first one.
                (3, 5) => model.graph(),
                _ => graph(&zoo, model, 6 * step + at),
            };
            assert_eq!(trainer.step_shared(6, made).is_err(), step == 3);
            assert_eq!(trainer.learned_policy().is_some(), step >= 4, "after step {step}");
        }
        bits(&mut trainer)
    };
    let expected = train(None);
    for found in on_ranks(2, |rank| train(Some(rank))) {
        assert!(found == expected);
    }
}

#[test]
fn a_rank_that_ends_is_named_and_none_goes_on() {
    let errors = on_ranks(2, |rank| {
        let (trainer, reader) = reader_trainer(Sgd::new(0.1));
        let number = rank.rank();
        let mut trainer = trainer.distributed(rank, 4);
        let mut step = || trainer.step_shared(8, |model, at| reader.graph(model, at));
        step().unwrap();
        (number == 0).then(|| [step().unwrap_err(), step().unwrap_err()])
    });
    for error in errors[0].as_ref().unwrap() {
        let TrainError::Collective { step: 1, error } = error else { panic!("{error}") };
        assert_eq!(*error, CollectiveError::Ended { rank: 1 });
    }
}

#[test]
fn minibatches_of_inference_have_graphs() {
    let (mut trainer, reader) = reader_trainer(Sgd::new(0.1));
    let graph = |model: &Model, at: usize| reader.graph(model, at);
    let error = trainer.infer_shared(23, 0, graph, |_, _, at| Ok(at)).unwrap_err().to_string();
    assert_eq!(error, "step 0: the size of Trainer::infer_shared is 0; it must be at least 1");
}

#[test]
fn results_of_inference_are_in_order_on_all_ranks() {
    let infer = |world: Option<Local>| -> Vec<(usize, u64)> {
        let (trainer, reader) = reader_trainer(Sgd::new(0.1));
        let mut trainer = match world {
            Some(rank) => trainer.distributed(rank, 4),
            None => trainer,
        };
        let graph = |model: &Model, at: usize| reader.graph(model, at);
        let read = |run: &Run<'_>, place: usize, at: usize| {
            // The first vertex of each graph has no loss, and the last one has.
            let last = 1 + at % 4;
            Ok((at, run.vertex_loss(place, last)?.to_bits()))
        };
        trainer.infer_shared(23, 3, graph, read).unwrap()
    };
    let expected = infer(None);
    assert_eq!(expected.iter().map(|(at, _)| *at).collect::<Vec<_>>(), (0..23).collect::<Vec<_>>());
    for ranks in [2, 3, 30] {
        for found in on_ranks(ranks, |rank| infer(Some(rank))) {
            assert_eq!(found, expected);
        }
    }
}
