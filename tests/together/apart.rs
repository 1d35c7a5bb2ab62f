//! Ranks that come apart after their first step are found, and none adds up what does not belong together.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;
use std::time::Duration;

use edb_backend_suite::optimizer::TestOptimizer;

use super::*;

/// No rank is waited for longer than that: a test that fails does not hang.
const PATIENCE: Duration = Duration::from_secs(60);

fn step(trainer: &mut Trainer, reader: &Reader) -> Result<edb::trainer::Step, TrainError> {
    trainer.step_shared(8, |model, at| reader.graph(model, at))
}

/// Changes a parameter.
fn change(trainer: &mut Trainer, to: f32) {
    let parameters = trainer.model_mut().parameters_mut();
    let id = parameters.find("judge.b").unwrap();
    parameters.get_mut(id).values_mut().unwrap()[1] = to;
}

/// Fault C2 of the third list: parameters that one rank has changed after the first step were trained
/// on with those of the others.
#[test]
fn parameters_that_one_rank_has_changed_are_found() {
    let errors = on_ranks(2, |rank| {
        let (trainer, reader) = reader_trainer(Adam::new(0.1));
        let trainer = trainer.ema(0.5).unwrap();
        let number = rank.rank();
        let mut trainer = trainer.distributed(rank.time_limit(PATIENCE), 4);
        step(&mut trainer, &reader).unwrap();
        let before = bits(&mut trainer);
        if number == 1 {
            change(&mut trainer, 7.0);
        }
        let parameter = step(&mut trainer, &reader).unwrap_err().to_string();
        change(&mut trainer, 7.0);
        assert_ne!(bits(&mut trainer), before);
        // All have changed it, and one has looked at its averages.
        if number == 0 {
            assert!(trainer.swap_averages().unwrap() && trainer.swap_averages().unwrap());
        }
        step(&mut trainer, &reader).unwrap();
        if number == 1 {
            trainer.optimizer_mut().state_mut().clear();
        }
        let state = step(&mut trainer, &reader).unwrap_err().to_string();
        [parameter, state]
    });
    assert_eq!(errors[0], errors[1]);
    let begins = |text: &str, what: &str| {
        let expected =
            format!("rank 1 cannot train together with rank 0: the parameter `{what}` is ");
        assert!(text.starts_with(&expected), "{text}");
    };
    let [parameter, state] = &errors[0];
    begins(parameter, "judge.b");
    begins(state, "read.table");
}

/// Fault C2 of the third list: one rank took a plain step while another one let graphs grow.
#[test]
fn ranks_that_take_steps_of_other_kinds_are_refused() {
    let errors = on_ranks(3, |rank| {
        let (trainer, reader) = reader_trainer(Sgd::new(0.1));
        let number = rank.rank();
        let mut trainer = trainer.distributed(rank.time_limit(PATIENCE), 4);
        let graph = |model: &Model, at: usize| reader.graph(model, at);
        let before = bits(&mut trainer);
        let result = match number {
            0 => step(&mut trainer, &reader),
            1 => trainer.grow_shared(8, graph, |growing, _| {
                while growing.round()?.is_some() {}
                Ok(Seeds::new())
            }),
            _ => trainer.grow_each_shared(8, |model, at| (graph(model, at), ()), |_, _| ()),
        };
        let error = result.unwrap_err().to_string();
        assert_eq!(bits(&mut trainer), before);
        step(&mut trainer, &reader).unwrap();
        error
    });
    for error in errors {
        assert_eq!(
            error,
            "rank 1 cannot train together with rank 0: it takes a step of `grow_shared`, and rank 0 \
             takes a step over graphs that do not grow"
        );
    }
}

/// What a rank does in the call in which it panics.
type Panics = fn(&mut Trainer, &Reader);

/// Fault C2 of the third list: a rank whose panic was caught was one call behind from then on, and
/// what it computed was added to what the others had in their next step.
#[test]
fn a_rank_that_panics_is_not_gone_on_with() {
    const PANICS: [Panics; 4] = [
        |trainer, reader| {
            let graph = |model: &Model, at: usize| match at {
                5.. => panic!("graph {at} is missing"),
                _ => reader.graph(model, at),
            };
            let _ = trainer.step_shared(8, graph);
        },
        |trainer, reader| {
            // In its last share.
            let graph = |model: &Model, at: usize| match at {
                7 => panic!("graph {at} is missing"),
                _ => reader.graph(model, at),
            };
            let _ = trainer.step_shared(8, graph);
        },
        |trainer, reader| {
            let graph = |model: &Model, at: usize| reader.graph(model, at);
            let _ = trainer.grow_shared(8, graph, |_, first| panic!("graph {first} is missing"));
        },
        |trainer, reader| {
            let graph = |model: &Model, at: usize| reader.graph(model, at);
            let read = |_: &Run<'_>, _, at: usize| -> Result<u8, TrainError> {
                panic!("graph {at} is missing")
            };
            let _ = trainer.infer_shared(8, 3, graph, read);
        },
    ];
    for (number, panics) in PANICS.into_iter().enumerate() {
        for (ranks, shares) in [(2, 4), (2, 5), (3, 8), (3, 7)] {
            // A rank that has ended is told as one: each waits for the others.
            let end = Barrier::new(ranks);
            let errors = on_ranks(ranks, |rank| {
                let (trainer, reader) = reader_trainer(Sgd::new(0.1));
                let last = rank.rank() + 1 == ranks;
                let mut trainer = trainer.distributed(rank.time_limit(PATIENCE), shares);
                step(&mut trainer, &reader).unwrap();
                let before = bits(&mut trainer);
                if last {
                    let work = || panics(&mut trainer, &reader);
                    assert!(catch_unwind(AssertUnwindSafe(work)).is_err(), "it goes on");
                }
                // For a rank that has not panicked, the call in which the other one has.
                let read = |_: &Run<'_>, _, _| Ok(0_u8);
                let graph = |model: &Model, at: usize| reader.graph(model, at);
                let first = match number {
                    3 => trainer.infer_shared(8, 3, graph, read).map(drop),
                    2 => trainer.grow_shared(8, graph, |_, _| Ok(Seeds::new())).map(drop),
                    _ => step(&mut trainer, &reader).map(drop),
                };
                let errors = [first.unwrap_err(), step(&mut trainer, &reader).unwrap_err()];
                assert_eq!(bits(&mut trainer), before);
                end.wait();
                errors
            });
            for error in errors.iter().flatten() {
                let TrainError::Collective { step: 1, error } = error else { panic!("{error}") };
                let CollectiveError::Panicked { rank, reason } = error else { panic!("{error}") };
                assert_eq!(*rank, ranks - 1);
                assert!(
                    reason.starts_with("graph ") && reason.ends_with(" is missing"),
                    "{reason}"
                );
            }
        }
    }
}

/// Fault C2 of the third list: where a rank panics once all have summed, the others have taken the step,
/// and know it in their next one.
#[test]
fn a_panic_after_the_sum_is_known_in_the_next_step() {
    for shares in [4, 7] {
        let end = Barrier::new(2);
        let errors = on_ranks(2, |rank| {
            let panics = rank.rank() == 1;
            let mut taken = 0;
            let optimizer = TestOptimizer::new(Sgd::new(0.1), move |parameters, _, go| {
                taken += 1;
                assert!(taken < 2 || !panics, "no more of this");
                go(parameters)
            });
            let (trainer, reader) = reader_trainer(optimizer);
            let mut trainer = trainer.distributed(rank.time_limit(PATIENCE), shares);
            step(&mut trainer, &reader).unwrap();
            let second = catch_unwind(AssertUnwindSafe(|| step(&mut trainer, &reader).map(drop)));
            assert_eq!(second.is_err(), panics);
            let error = step(&mut trainer, &reader).unwrap_err();
            end.wait();
            error
        });
        for error in errors {
            let TrainError::Collective { error, .. } = &error else { panic!("{error}") };
            let CollectiveError::Panicked { rank: 1, reason } = error else { panic!("{error}") };
            assert_eq!(reason, "no more of this");
        }
    }
}

/// Fault E3 of the fourth list: if ranks made different calls, their errors spoke of "invalid utf-8".
#[test]
fn ranks_are_told_what_others_have_called() {
    for steps in [0, 1] {
        let end = Barrier::new(2);
        let errors = on_ranks(2, |rank| {
            let number = rank.rank();
            let (trainer, reader) = reader_trainer(Sgd::new(0.1));
            // Each step has one share for each rank, so that nothing is sent early.
            let mut trainer = trainer.distributed(rank.time_limit(PATIENCE), 2);
            for _ in 0..steps {
                step(&mut trainer, &reader).unwrap();
            }
            let graph = |model: &Model, at: usize| reader.graph(model, at);
            let error = match number {
                0 => step(&mut trainer, &reader).map(drop),
                _ => trainer.infer_shared(8, 3, graph, |_, _, at| Ok(at)).map(drop),
            };
            end.wait();
            error.unwrap_err().to_string()
        });
        let step = ["begins its first step, or a step after `resume`", "takes a step"][steps];
        let calls = [("calls `infer_shared`", step), (step, "calls `infer_shared`")];
        for (rank, (there, here)) in calls.into_iter().enumerate() {
            let other = 1 - rank;
            let said = format!(
                "rank {other} has sent the message of a rank that {there}, while this rank {here}:"
            );
            assert!(errors[rank].contains(&said), "{}", errors[rank]);
        }
    }
}
