//! Graphs that grow to their end, each by one function: in parts, side by side, once it is known by
//! which policy they grow.

use super::*;
use edb::collective::{Alone, Collective, Local};
use edb::trainer::Private;
use edb_backend_suite::models::model_of;
use edb_backend_suite::numbers::bits;
use edb_backend_suite::ranks::on_ranks;
use edb_core::engine::training::{self, Growers, GrowsFor};

/// Graphs that have read some words, with what is known of each.
fn talks(m: &Speaker, model: &Model, count: u64) -> Vec<(Graph, Talk)> {
    (0..count).map(|sample| (listener(m, model, sample * 7), Talk::default())).collect()
}

fn words(talks: &[(Graph, Talk)]) -> Vec<Vec<u32>> {
    talks.iter().map(|(_, talk)| talk.said.clone()).collect()
}

fn training(threads: usize) -> (Speaker, Trainer) {
    let (m, model) = speaker();
    let engine = Engine::with_threads(threads).unwrap().seed(4);
    (m, Trainer::new(model, Adam::new(0.05)).engine(engine))
}

/// Takes a step over so many graphs, and returns its loss and what was said.
fn step(m: &Speaker, trainer: &mut Trainer, count: u64) -> (u64, Vec<Vec<u32>>) {
    let mut talks = talks(m, trainer.model(), count);
    let step = trainer.grow_each(&mut talks, |g, talk| turn(m, talk, g)).unwrap();
    assert_eq!(step.graphs, count as usize);
    (step.loss.to_bits(), words(&talks))
}

/// The same steps, with the rounds of all graphs together.
fn step_in_rounds(m: &Speaker, trainer: &mut Trainer, count: u64) -> (f64, Vec<Vec<u32>>) {
    let (graphs, mut talks): (Vec<_>, Vec<_>) =
        talks(m, trainer.model(), count).into_iter().unzip();
    let mut growth = trainer.grow(graphs).unwrap();
    while let Some(round) = growth.round().unwrap() {
        for mut g in round {
            turn(m, &mut talks[g.place()], &mut g);
        }
    }
    (growth.step().unwrap().loss, talks.into_iter().map(|talk| talk.said).collect())
}

#[test]
fn steps_have_the_same_bits_on_any_number_of_threads() {
    let trained = |threads: usize| {
        let (m, mut trainer) = training(threads);
        // A policy is learned on the first four; others run in between.
        let counts = [40, 40, 40, 40, 75, 3, 40, 130, 40];
        let steps = counts.map(|count| step(&m, &mut trainer, count));
        (steps, bits(trainer.model()))
    };
    let one = trained(1);
    for threads in 2..=4 {
        assert!(trained(threads) == one, "{threads} threads");
    }
}

/// What a graph gets is what it gets in rounds, and so are losses and gradients, but for the order in
/// which they are summed.
#[test]
fn it_is_the_step_in_rounds() {
    let (m, mut each) = training(2);
    let (other, mut rounds) = training(1);
    for _ in 0..4 {
        let (loss, said) = step(&m, &mut each, 75);
        // Nothing is cut before a policy is known: the same bits.
        assert_eq!((f64::from_bits(loss), said), step_in_rounds(&other, &mut rounds, 75));
        assert!(bits(each.model()) == bits(rounds.model()));
    }
    let (loss, said) = step(&m, &mut each, 75);
    let (expected, by_rounds) = step_in_rounds(&other, &mut rounds, 75);
    assert_eq!(said, by_rounds);
    approx::assert_relative_eq!(f64::from_bits(loss), expected, max_relative = 1e-6);
    let both = bits(each.model()).into_iter().zip(bits(rounds.model()));
    for (found, expected) in both.map(|(a, b)| (f64::from_bits(a), f64::from_bits(b))) {
        approx::assert_relative_eq!(found, expected, max_relative = 1e-2, epsilon = 1e-3);
    }
}

/// In parts of a minibatch, beside any other graphs, and in inference.
#[test]
fn a_graph_gets_the_same_in_any_company() {
    let (m, model) = speaker();
    let grown = |engine: &mut Engine, first: usize, count: usize| {
        let mut talks = talks(&m, &model, (first + count) as u64).split_off(first);
        engine.grow_each(&model, &mut talks, |g, talk| turn(&m, talk, g)).unwrap();
        talks
    };
    let mut engine = Engine::with_threads(3).unwrap().seed(4);
    (0..4).for_each(|_| _ = grown(&mut engine, 0, 8));
    let all = grown(&mut engine, 0, 70);
    for first in [0, 33, 69] {
        let alone = grown(&mut Engine::new().seed(4), first, 1);
        assert_eq!(words(&alone)[0], words(&all)[first]);
        assert_eq!(alone[0].0.len(), all[first].0.len());
    }
    assert!(all.iter().any(|(_, talk)| talk.said.len() > 4));
    // They are graphs like others.
    let batch = model.minibatch(all.iter().map(|(graph, _)| graph)).unwrap();
    engine.infer(&model, &batch).unwrap();
}

/// In inference, where nothing depends on the parts, one thread cuts none: its batches are wider.
#[test]
fn one_thread_runs_all_graphs_together() {
    let (m, model) = speaker();
    let grown = |threads: usize| {
        let mut engine = Engine::with_threads(threads).unwrap().seed(4);
        let mut grow = |count: u64| {
            let mut talks = talks(&m, &model, count);
            engine.grow_each(&model, &mut talks, |g, talk| turn(&m, talk, g)).unwrap();
            (engine.report().batches, words(&talks))
        };
        (0..4).for_each(|_| _ = grow(8));
        grow(70)
    };
    let [(one, said), (two, by_two), (three, by_three)] = [1, 2, 3].map(grown);
    assert_eq!(said, by_two);
    assert_eq!(said, by_three);
    assert!(one < two.min(three), "{one}, {two} and {three} batches");
}

/// The place of a graph is that among all, and what is kept beside it is its own.
#[test]
fn graphs_know_their_places() {
    let (m, model) = speaker();
    let mut engine = Engine::with_threads(2).unwrap();
    for _ in 0..6 {
        let begin = |place: usize| (listener(&m, &model, place as u64), vec![place]);
        let mut graphs: Vec<_> = (0..40).map(begin).collect();
        let place = |g: &mut GrowingGraph<'_>, places: &mut Vec<usize>| {
            places.push(g.place());
            let tensor = g.decided(&m.say).next().map(|(_, said)| said.log_p);
            assert!(g.values(tensor.unwrap())?[0] < 0.0);
            Ok(())
        };
        engine.grow_each(&model, &mut graphs, place).unwrap();
        for (place, (graph, places)) in graphs.iter().enumerate() {
            assert_eq!(places, &[place, place]);
            assert_eq!(graph.len(), listener(&m, &model, place as u64).len());
        }
    }
}

/// A graph that cannot begin is named by its place among all.
#[test]
fn a_graph_that_cannot_begin_is_named() {
    let (m, model) = speaker();
    let (_, other) = speaker();
    let mut engine = Engine::with_threads(2).unwrap();
    let grown = |engine: &mut Engine, graph: Option<Graph>| {
        let mut talks = talks(&m, &model, 40);
        if let Some(graph) = graph {
            talks[34].0 = graph;
        }
        engine.grow_each(&model, &mut talks, |g, talk| turn(&m, talk, g)).map(|()| talks)
    };
    for _ in 0..5 {
        assert!(grown(&mut engine, None).is_ok());
    }
    let error = |engine: &mut Engine, graph| match grown(engine, Some(graph)) {
        Err(EngineError::Minibatch(error)) => error,
        other => panic!("{:?}", other.map(|talks| words(&talks))),
    };
    for graph in [other.graph(), model.graph()] {
        let found = error(&mut engine, graph.clone());
        assert_eq!(found, error(&mut Engine::new(), graph), "in parts as whole");
        assert!(found.to_string().contains("graph 34"), "{found}");
    }
    assert!(grown(&mut engine, None).is_ok());
}

/// How a step goes wrong in which graph 37 of 40 does something else when it has said a word.
fn step_gone_wrong(
    (m, trainer): (&Speaker, &mut Trainer),
    wrong: impl Fn(&mut GrowingGraph<'_>) -> Result<(), EngineError> + Sync,
) -> (TrainError, Vec<(Graph, Talk)>) {
    let mut talks = talks(m, trainer.model(), 40);
    let grow = |g: &mut GrowingGraph<'_>, talk: &mut Talk| {
        turn(m, talk, g);
        if g.place() == 37 { wrong(g) } else { Ok(()) }
    };
    (trainer.grow_each(&mut talks, grow).unwrap_err(), talks)
}

/// An error names a graph by its place among all; nothing is lost, no parameter moves, and the next
/// step is that of a trainer which has seen none.
#[test]
fn what_is_wrong_is_named() {
    let (m, mut trainer) = training(2);
    let (other, mut expected) = training(1);
    for _ in 0..5 {
        step(&m, &mut trainer, 40);
        step(&other, &mut expected, 40);
    }
    let before = bits(trainer.model());
    let tensor = expected.model().graph().tensor(&[1.0]);
    let foreign = |g: &mut GrowingGraph<'_>| g.values(tensor).map(drop);
    let outside = |g: &mut GrowingGraph<'_>| {
        g.add(&m.read, [None], Word { id: Index(99) });
        Ok(())
    };
    let (error, talks) = step_gone_wrong((&m, &mut trainer), outside);
    assert!(error.to_string().contains("graph 37"), "{error}");
    assert!(talks.iter().all(|(graph, talk)| graph.len() > 1 && !talk.said.is_empty()));
    let (error, _) = step_gone_wrong((&m, &mut trainer), foreign);
    assert!(matches!(error, TrainError::Engine(EngineError::ForeignOutput)), "{error}");
    // A panic is the person's own; the trainer and the graphs remain.
    let mut talks = self::talks(&m, trainer.model(), 40);
    let panics = std::panic::AssertUnwindSafe(|| {
        let grow = |g: &mut GrowingGraph<'_>, talk: &mut Talk| match g.place() {
            37 => panic!("no word for it"),
            _ => turn(&m, talk, g),
        };
        trainer.grow_each(&mut talks, grow)
    });
    assert!(std::panic::catch_unwind(panics).is_err());
    let began = self::talks(&m, trainer.model(), 40);
    for ((graph, _), (began, _)) in talks.iter().zip(&began) {
        assert!(graph.len() >= began.len());
    }
    assert!(bits(trainer.model()) == before);
    assert_eq!(step(&m, &mut trainer, 40), step(&other, &mut expected, 40));
    assert!(bits(trainer.model()) == bits(expected.model()));
}

#[test]
fn a_graph_that_does_not_stop_is_named() {
    let (m, model) = thinker();
    let mut engine = Engine::with_threads(2).unwrap().most_steps(8);
    let mut grown = |endless: usize| {
        let begin = |place: usize| {
            let mut g = model.graph();
            g.add(&m.remember, [None], ());
            (g, if place == endless { usize::MAX } else { 3 })
        };
        let mut graphs: Vec<(Graph, usize)> = (0..40).map(begin).collect();
        let ran = engine.grow_each(&model, &mut graphs, |g, most| {
            if g.len() < *most {
                g.add(&m.remember, [None], ());
            }
        });
        (ran, graphs.iter().map(|(graph, _)| graph.len()).collect::<Vec<_>>())
    };
    for _ in 0..5 {
        assert!(grown(usize::MAX).0.is_ok());
    }
    let (ran, sizes) = grown(35);
    assert!(matches!(ran, Err(EngineError::Endless { graph: 35, rounds: 8 })), "{ran:?}");
    assert_eq!((sizes[35], sizes[36], sizes[0]), (8, 3, 3));
    assert!(grown(usize::MAX).0.is_ok());
}

/// A loss that is not finite is found in the graph whose it is.
#[test]
fn a_loss_that_is_not_finite_is_named() {
    let (mut model, repeat) = model_of::<repeat, f32>(dims! { V: WORDS }, 1);
    let table = model.parameters().iter().next().unwrap().0;
    model.parameters_mut().get_mut(table).values_mut().unwrap()[4] = f32::INFINITY;
    let mut words = Trainer::new(model, Sgd::new(0.1)).engine(Engine::with_threads(2).unwrap());
    for round in 0..7 {
        let begin = |place: usize| {
            let mut g = words.model().graph();
            g.add(&repeat, (), Word { id: Index(place as u32 % 4) });
            (g, if round == 6 && place == 38 { 4 } else { 5 })
        };
        let mut graphs: Vec<(Graph, u32)> = (0..40).map(begin).collect();
        let ran = words.grow_each(&mut graphs, |g, word| {
            if g.len() == 1 {
                g.add(&repeat, (), Word { id: Index(*word) });
            }
        });
        match ran {
            Ok(_) => assert!(round < 6),
            Err(error) => {
                assert!(round == 6 && error.to_string().contains("graph 38"), "{error}");
            }
        }
    }
    let nothing = words.grow_each(&mut [] as &mut [(Graph, ())], |_, ()| {}).unwrap_err();
    assert!(nothing.to_string().contains("graph"), "{nothing}");
}

/// Gradients of each graph are clipped as those of the step in rounds are.
#[test]
fn private_steps_grow_in_parts() {
    let private = |threads| {
        let (m, trainer) = training(threads);
        let settings =
            Private { secret: edb::secret::Secret::insecure(4), ..Private::new(400, 40).unwrap() };
        (m, trainer.private(settings))
    };
    let ((m, mut each), (other, mut rounds)) = (private(2), private(1));
    for _ in 0..6 {
        let (_, said) = step(&m, &mut each, 40);
        assert_eq!(said, step_in_rounds(&other, &mut rounds, 40).1);
        assert!(bits(each.model()) == bits(rounds.model()), "sums of what was clipped are exact");
    }
    let nothing = each.grow_each(&mut [] as &mut [(Graph, ())], |_, ()| {}).unwrap();
    assert_eq!((nothing.graphs, nothing.loss), (0, 0.0));
}

/// What each rank runs is cut into parts as well.
#[test]
fn ranks_train_together_to_the_same_bits() {
    let trained = |trainer: (Speaker, Trainer)| {
        let (m, mut trainer) = trainer;
        let steps = [70, 70, 70, 70, 70, 1, 0, 90].map(|count| {
            let begin =
                |model: &Model, at: usize| (listener(&m, model, at as u64), Talk::default());
            let step = trainer.grow_each_shared(count, begin, |g, talk| turn(&m, talk, g));
            match step {
                Ok(step) => (step.loss.to_bits(), step.graphs),
                Err(error) => {
                    assert!(count == 0 && error.to_string().contains("graph"), "{error}");
                    (0, 0)
                }
            }
        });
        (steps, bits(trainer.model()))
    };
    let together = |world: Option<Local>| {
        let threads = world.as_ref().map_or(1, |rank| 1 + rank.rank() % 3);
        let (m, trainer) = training(threads);
        trained(match world {
            Some(rank) => (m, trainer.distributed(rank, 2)),
            None => (m, trainer.distributed(Alone, 2)),
        })
    };
    let expected = together(None);
    for ranks in [2, 3] {
        for found in on_ranks(ranks, |rank| together(Some(rank))) {
            assert!(found == expected, "{ranks} ranks");
        }
    }
    // As one minibatch, a sum has another order.
    let (steps, _) = trained(training(2));
    for ((loss, graphs), (expected, of)) in steps.into_iter().zip(expected.0).take(1) {
        assert_eq!(graphs, of);
        approx::assert_relative_eq!(
            f64::from_bits(loss),
            f64::from_bits(expected),
            max_relative = 1e-6
        );
    }
}

/// The place of a graph in errors, of all kinds of steps, in shares and without.
#[test]
fn errors_count_graphs_from_the_first_of_all() {
    let (other, other_model) = speaker();
    for (kind, shares, known) in [
        ("plain", 0, true),
        ("plain", 2, false),
        ("private", 0, false),
        ("private", 2, false),
        ("private", 2, true),
        ("noise", 2, true),
    ] {
        let (m, trainer) = training(2);
        let trainer = match kind {
            "private" => trainer.private(Private {
                secret: edb::secret::Secret::insecure(4),
                ..Private::new(1000, 100).unwrap()
            }),
            "noise" => trainer.measure_noise(1),
            _ => trainer,
        };
        let mut trainer = if shares > 0 { trainer.distributed(Alone, shares) } else { trainer };
        let mut step = |wrong: Option<usize>, what: &str| {
            let begin = |model: &Model, at: usize| {
                let foreign = Some(at) == wrong && what == "cannot begin";
                let g = if foreign { other_model.graph() } else { listener(&m, model, at as u64) };
                (g, (at, Talk::default()))
            };
            trainer.grow_each_shared(150, begin, |g, (at, talk)| {
                turn(&m, talk, g);
                if Some(*at) == wrong && what == "rule" {
                    g.add(&other.read, [None], Word { id: Index(1) });
                }
            })
        };
        if known {
            (0..5).for_each(|_| _ = step(None, "").unwrap());
        }
        for wrong in [0, 50, 101, 149] {
            for what in ["rule", "cannot begin"] {
                let error = step(Some(wrong), what).unwrap_err().to_string();
                let is_told = error.contains(&format!("graph {wrong} "))
                    || error.contains(&format!("graph {wrong}:"));
                assert!(
                    is_told,
                    "{kind}, {shares} shares, known: {known}, {what} {wrong}: {error}"
                );
            }
        }
    }
}

/// The person's own errors are told as they are; no graph is left with what was wrong.
#[test]
fn errors_of_the_function_are_told_as_they_are() {
    let (m, model) = speaker();
    let mut engine = Engine::with_threads(2).unwrap();
    let record = edb::graph::VertexRecord {
        function: "nothing".into(),
        children: Vec::new(),
        input: Default::default(),
    };
    for _ in 0..6 {
        let mut talks = talks(&m, &model, 40);
        let mut run = |wrong| {
            engine.grow_each(&model, &mut talks, |g, talk| {
                if g.place() == wrong + 1 {
                    let graph = g.place();
                    let added = g.add_record(&record);
                    return Ok(added
                        .map(drop)
                        .map_err(|error| MinibatchError::Graph { graph, error })?);
                }
                turn(&m, talk, g);
                if g.place() == wrong {
                    g.add(&m.read, [None], Word { id: Index(99) });
                }
                Ok(())
            })
        };
        let error = run(36).unwrap_err().to_string();
        assert!(error.contains("graph 37"), "{error}");
        for (graph, _) in &talks {
            model.minibatch([graph]).unwrap();
        }
        let mut talks = self::talks(&m, &model, 40);
        engine.grow_each(&model, &mut talks, |g, talk| turn(&m, talk, g)).unwrap();
    }
}

/// A step that fails changes nothing, and so the policy is not learned on its graphs either.
#[test]
fn a_step_that_fails_teaches_nothing() {
    // Before which step another fails, and whether that is taken round by round.
    let trained = |fails: Option<(usize, bool)>| {
        let (m, mut trainer) = training(2);
        let mut steps = Vec::new();
        for number in 0..6 {
            if let Some((_, in_rounds)) = fails.filter(|(before, _)| *before == number) {
                let id = trainer.model().parameters().iter().last().unwrap().0;
                let kept: Vec<f32> =
                    trainer.model().parameters().get(id).values().unwrap().to_vec();
                let set = |trainer: &mut Trainer, values: &[f32]| {
                    let parameters = trainer.model_mut().parameters_mut();
                    parameters.get_mut(id).set_values(values).unwrap();
                };
                set(&mut trainer, &vec![f32::NAN; kept.len()]);
                let mut talks = talks(&m, trainer.model(), 75);
                let failed = if in_rounds {
                    let (graphs, mut talks): (Vec<_>, Vec<_>) = talks.into_iter().unzip();
                    let mut growth = trainer.grow(graphs).unwrap();
                    while let Some(round) = growth.round().unwrap() {
                        for mut g in round {
                            turn(&m, &mut talks[g.place()], &mut g);
                        }
                    }
                    growth.step()
                } else {
                    trainer.grow_each(&mut talks, |g, talk| turn(&m, talk, g))
                };
                assert!(failed.is_err());
                set(&mut trainer, &kept);
            }
            steps.push(step(&m, &mut trainer, 75));
        }
        (steps, bits(trainer.model()))
    };
    let expected = trained(None);
    for fails in [(0, false), (2, false), (2, true), (3, false), (3, true), (4, false)] {
        assert!(trained(Some(fails)) == expected, "{fails:?}");
    }
}

/// Fault B3 of the fourth list: if graphs that had grown to their end were to grow again, there was a panic.
#[test]
fn graphs_grow_to_their_end_once() {
    let (m, model) = speaker();
    for threads in [1, 2] {
        let mut engine = Engine::with_threads(threads).unwrap();
        for _ in 0..5 {
            let mut talks = talks(&m, &model, 40);
            let grow = |g: &mut GrowingGraph<'_>, talk: &mut Talk| turn(&m, talk, g);
            let of = (&mut engine, GrowsFor::Inference);
            let growers = Growers::new(of, &model, &mut talks, &grow);
            training::grow_to_the_end(&mut engine, &model, &growers, None).unwrap();
            let again = training::grow_to_the_end(&mut engine, &model, &growers, None).unwrap_err();
            assert!(matches!(again, EngineError::Grown), "{again}");
        }
    }
}
