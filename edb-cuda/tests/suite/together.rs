//! Training by several ranks, each with a device: gradients are summed on the devices, and the bits of
//! the parameters do not depend on how many ranks there are.

use std::sync::atomic::{AtomicUsize, Ordering};

use edb::collective::{Alone, Collective, CollectiveError, Local};
use edb::learn::Muon;
use edb::prelude::*;
use edb::trainer::TrainError;
use edb_cuda::{CudaOptions, Launches, OnCuda, Precision};

use crate::devices;
use crate::watched::{Fault, Watched};
use edb_backend_suite::ranks::{Reader, bits, on_ranks, same_on};
use edb_backend_suite::zoo::{Sentiment, rng};

fn trainer_on(device: &Device, optimizer: impl Optimizer<f32> + 'static) -> (Trainer, Reader) {
    let (reader, model) = Reader::model(3);
    let engine = Engine::on(device).unwrap().seed(5);
    (Trainer::new(model, optimizer).allow_unreached().engine(engine), reader)
}

/// Dense gradients, rows, and both of one table; several spans of a rank; empty shares; a minibatch of
/// rows only. Through the hosts, since the emulator connects to no other, and ranks share a GPU.
#[test]
fn any_number_of_ranks_has_the_same_bits() {
    for device in devices::both(Precision::Full, Launches::Single) {
        let build = || {
            let (trainer, reader) = trainer_on(&device, Adam::new(0.02));
            (trainer.clip_norm(0.5).ema(0.9).unwrap(), reader)
        };
        let minibatches = [13, 3, 1];
        let (steps, found) = same_on(8, &[2, 3], &minibatches, build, Reader::graph);
        same_on(3, &[2, 5], &minibatches, build, Reader::graph);

        // The processor comes to the same, up to rounding.
        let build = || {
            let (trainer, reader) = trainer_on(&Device::cpu(), Adam::new(0.02));
            (trainer.clip_norm(0.5).ema(0.9).unwrap(), reader)
        };
        let (expected_steps, expected) = same_on(8, &[], &minibatches, build, Reader::graph);
        for (found, expected) in steps.iter().zip(&expected_steps) {
            assert!((found.loss - expected.loss).abs() < 1e-4 * expected.loss.abs(), "{device}");
        }
        for (found, expected) in found.into_iter().zip(expected) {
            let [found, expected] = [found, expected].map(f32::from_bits);
            assert!((found - expected).abs() < 1e-3, "{device}: {found}, not {expected}");
        }
    }
}

/// The same where each rank has a GPU of its own, and NCCL connects them.
#[test]
fn gpus_have_the_same_bits() {
    let count = Device::cuda_count().unwrap_or(0);
    if count < 2 {
        return eprintln!("there are {count} GPUs: two are needed to connect them");
    }
    let next = AtomicUsize::new(0);
    let build = || {
        let gpu = next.fetch_add(1, Ordering::Relaxed) % count;
        trainer_on(&Device::cuda(gpu).unwrap(), Adam::new(0.02))
    };
    same_on(8, &[2], &[13, 3, 1], build, Reader::graph);
}

/// One share is what a trainer without shares computes.
#[test]
fn one_share_is_a_plain_step() {
    let Some(_) = crate::emulator::compiler() else { return };
    let device = crate::emulator::device(CudaOptions::new());
    let build = || trainer_on(&device, Sgd::new(0.1).momentum(0.9));
    let expected = same_on(1, &[2], &[7, 3], build, Reader::graph);
    let (mut trainer, reader) = build();
    let step = |(first, count): (usize, usize)| {
        let graphs: Vec<Graph> =
            (first..first + count).map(|at| reader.graph(trainer.model(), at)).collect();
        trainer.step_graphs(&graphs).unwrap()
    };
    let steps = [(0, 7), (7, 3)].map(step).to_vec();
    assert_eq!((steps, bits(&mut trainer)), expected);
}

/// Steps that the host takes: for a rule that has no kernel, and where gradients of each graph are
/// measured, which is so in every second step.
#[test]
fn steps_of_the_host_have_the_same_bits() {
    let Some(_) = crate::emulator::compiler() else { return };
    let device = crate::emulator::device(CudaOptions::new());
    let build = || trainer_on(&device, Muon::new(0.02));
    same_on(4, &[3], &[7, 5], build, Reader::graph);
    let build = || {
        let (trainer, reader) = trainer_on(&device, Adam::new(0.02));
        (trainer.measure_noise(2), reader)
    };
    same_on(4, &[3], &[7, 5, 6], build, Reader::graph);
}

/// A step that overflows is taken by no rank, and all halve the scale; a rank without graphs, too.
#[test]
fn losses_are_scaled_alike() {
    let Some(_) = crate::emulator::compiler() else { return };
    let device = crate::emulator::device(CudaOptions::new().precision(Precision::F16));
    let build = || {
        let (trainer, reader) = trainer_on(&device, Adam::new(0.02));
        let engine = Engine::on(&device).unwrap().start_loss_scale(2_f64.powi(17));
        (trainer.engine(engine), reader)
    };
    let (steps, _) = same_on(4, &[3], &[7, 1, 5, 6], build, Reader::graph);
    let skipped: Vec<bool> = steps.iter().map(|step| step.skipped).collect();
    assert!(skipped.contains(&true) && skipped.contains(&false), "{skipped:?}");
}

/// Devices that reach one another exchange gradients past the hosts: these see nothing but tables,
/// losses and norms.
#[test]
fn gradients_go_from_device_to_device() {
    let Some(_) = crate::emulator::compiler() else { return };
    const STEPS: usize = 3;
    let train = |watched: &Watched, world: &mut dyn FnMut(Trainer) -> Trainer| {
        let (f, model) = Sentiment::model::<f32>(8, 6);
        let engine = Engine::on(&watched.device()).unwrap();
        let trainer =
            Trainer::new(model, Adam::new(1e-3)).allow_unreached().engine(engine).clip_norm(1.0);
        let mut trainer = world(trainer);
        let mut downloaded = Vec::new();
        for step in 0..STEPS {
            let made = |model: &Model, at| f.tree(model, 2 + at % 5, &mut rng(at as u64 + 9)).0;
            trainer.step_shared(11 + step, made).unwrap();
            downloaded.push(watched.moved()[1]);
        }
        (trainer, downloaded)
    };
    let alone = Watched::default();
    let (mut trainer, _) = train(&alone, &mut |trainer| trainer.distributed(Alone, 3));
    let expected = bits(&mut trainer);
    let exchanged = on_ranks(3, |rank| {
        let (watched, mut rank) = (Watched::default(), Some(rank));
        let mut world = |trainer: Trainer| trainer.distributed(rank.take().unwrap(), 3);
        let (mut trainer, downloaded) = train(&watched, &mut world);
        // In the first step, all ranks compare their parameters. Then there are the losses of a share,
        // and what the step comes to.
        assert_eq!(downloaded[1..], [24 * 2; STEPS - 1]);
        let exchanged = watched.exchanged();
        assert!(bits(&mut trainer) == expected);
        assert_eq!(watched.connections(), 1);
        drop(trainer);
        assert_eq!(watched.connections(), 0);
        exchanged as usize
    });
    // Each of three ranks sends two thirds of its gradients, and then its third of the sum to two others.
    let gradients: usize =
        trainer.model().parameters().iter().map(|(_, parameter)| 4 * parameter.len()).sum();
    let most = STEPS * gradients * 3 * (2 + 2) / 3;
    let exchanged: usize = exchanged.into_iter().sum();
    assert!(exchanged > most / 2 && exchanged <= most, "{exchanged} bytes, not {most}");
}

/// A device that fails before ranks exchange anything ends the step on all of them, with the reason.
#[test]
fn a_device_that_fails_is_told_to_all_ranks() {
    let Some(_) = crate::emulator::compiler() else { return };
    let errors = on_ranks(2, |rank| {
        let (number, watched) = (rank.rank(), Watched::default());
        let (trainer, reader) = trainer_on(&watched.device(), Adam::new(0.02));
        let mut trainer = trainer.distributed(rank, 2);
        trainer.step_shared(6, |model, at| reader.graph(model, at)).unwrap();
        if number == 1 {
            watched.set_fault(Some(Fault::LostAfter(3)));
        }
        trainer.step_shared(6, |model, at| reader.graph(model, at)).unwrap_err()
    });
    for error in errors {
        let TrainError::Rank { step: 1, rank: 1, reason } = error else { panic!("{error}") };
        assert!(reason.contains("unplugged"), "{reason}");
    }
}

/// Ranks cannot go on once one of them has not got what it sums, or could not send it.
#[test]
fn ranks_do_not_go_on_after_half_an_exchange() {
    let Some(_) = crate::emulator::compiler() else { return };
    let errors = |meddle: Meddle, connects: bool| {
        on_ranks(2, |rank| {
            let number = rank.rank();
            let watched = Watched::default();
            let device = match connects {
                true => watched.device(),
                false => crate::emulator::device(CudaOptions::new()),
            };
            let (trainer, reader) = trainer_on(&device, Adam::new(0.02));
            let meddle = (number == 0).then(|| (watched.clone(), meddle));
            let world = Meddled { rank, received: AtomicUsize::new(0), meddle };
            let mut trainer = trainer.distributed(world, 2);
            let errors = [(); 2].map(|()| {
                let step = trainer.step_shared(6, |model, at| reader.graph(model, at));
                step.unwrap_err().to_string()
            });
            assert_eq!(watched.connections(), 0, "it is given up");
            errors
        })
    };
    let ended = "step 0: rank 0 has ended: see what it printed; continue from a checkpoint";
    let torn = errors(
        |_, number, message| {
            if number == SUMMANDS {
                message.pop();
            }
        },
        false,
    );
    let short = "step 0: rank 1 has sent sums of other sizes than it said: do all ranks run the same \
                 program with the same settings, and make the same calls in the same order?; continue from a checkpoint";
    assert_eq!(torn, [[short; 2], [ended; 2]]);

    let lost = errors(
        |watched, number, _| {
            if number == SUMMANDS - 1 {
                watched.set_fault(Some(Fault::Lost));
            }
        },
        true,
    );
    let [first, second] = &lost[0];
    assert!(first.starts_with("step 0: exchange failed on watched: unplugged"), "{first}");
    assert!(second.starts_with("step 0: a sum of shares: exchange failed on watched"), "{second}");
    assert_eq!(lost[1], [ended; 2]);
}

/// A rank whose device has no room for the sum tells the others before they wait for it, and all go on
/// when it has.
#[test]
fn no_room_for_a_sum_is_told_to_all_ranks() {
    let Some(_) = crate::emulator::compiler() else { return };
    let train = |world: &mut dyn FnMut(Trainer) -> Trainer, watched: &Watched, fails: bool| {
        let (trainer, reader) = trainer_on(&watched.device(), Adam::new(0.02));
        let mut trainer = world(trainer);
        let mut step =
            |first: usize| trainer.step_shared(6, |model, at| reader.graph(model, first + at));
        if fails {
            let error = step(0).unwrap_err();
            let TrainError::Rank { step: 0, rank: 1, reason } = error else { panic!("{error}") };
            assert!(reason.contains("watched has 0 bytes free"), "{reason}");
            watched.set_fault(None);
        }
        step(0).unwrap();
        step(6).unwrap();
        bits(&mut trainer)
    };
    let expected = train(&mut |trainer| trainer.distributed(Alone, 2), &Watched::default(), false);
    let found = on_ranks(2, |rank| {
        let watched = Watched::default();
        let meddle: Meddle = |watched, number, _| {
            if number == ROOM - 1 {
                watched.set_fault(Some(Fault::Memory));
            }
        };
        let meddle = (rank.rank() == 1).then(|| (watched.clone(), meddle));
        let mut world = Some(Meddled { rank, received: AtomicUsize::new(0), meddle });
        train(&mut |trainer| trainer.distributed(world.take().unwrap(), 2), &watched, true)
    });
    assert!(found == [expected.clone(), expected]);
}

/// One process goes on when its device has memory again.
#[test]
fn running_out_of_memory_breaks_nothing_alone() {
    let Some(_) = crate::emulator::compiler() else { return };
    let train = |fails: bool| {
        let watched = Watched::default();
        let (trainer, reader) = trainer_on(&watched.device(), Adam::new(0.02));
        let mut trainer = trainer.distributed(Alone, 3);
        let mut step = |count| trainer.step_shared(count, |model, at| reader.graph(model, at));
        step(3).unwrap();
        if fails {
            watched.set_fault(Some(Fault::Memory));
            let error = step(40).unwrap_err();
            assert!(matches!(error, TrainError::Device { step: 1, kept: 1, .. }), "{error}");
            watched.set_fault(None);
        }
        step(40).unwrap();
        bits(&mut trainer)
    };
    assert_eq!(train(true), train(false));
}

/// Which message of another rank is the one that says whether it has room, and which the first with
/// values; before them are how it trains and how its shares went.
const ROOM: usize = 2;
const SUMMANDS: usize = 3;

/// What is done when a message has come, by its number.
type Meddle = fn(&Watched, usize, &mut Vec<u8>);

/// A rank that meddles with its device, or with what it receives.
#[derive(Debug)]
struct Meddled {
    rank: Local,
    received: AtomicUsize,
    meddle: Option<(Watched, Meddle)>,
}

impl Collective for Meddled {
    fn rank(&self) -> usize {
        self.rank.rank()
    }

    fn ranks(&self) -> usize {
        self.rank.ranks()
    }

    fn send(&self, to: usize, message: Vec<u8>) -> Result<(), CollectiveError> {
        self.rank.send(to, message)
    }

    fn receive(&self, from: usize) -> Result<Vec<u8>, CollectiveError> {
        let mut message = self.rank.receive(from)?;
        let number = self.received.fetch_add(1, Ordering::Relaxed);
        if let Some((watched, meddle)) = &self.meddle {
            meddle(watched, number, &mut message);
        }
        Ok(message)
    }
}

#[derive(Input)]
struct Names {
    ids: Indices,
}

/// Rows of three tables of different widths.
#[vertex_function]
fn describe(#[param(V, A)] a: Tensor, #[param(V, B)] b: Tensor, #[param(V, C)] c: Tensor) {
    let Names { ids } = pull();
    let all = a.bag_sum(ids).sum() + b.bag_sum(ids).tanh().sum() + c.bag_sum(ids).square().sum();
    loss((all - 0.3).square());
}

/// Gradients of rows of several tables; where no vertex names a row, a gradient still has its step.
#[test]
fn tables_without_rows_have_their_step() {
    let Some(_) = crate::emulator::compiler() else { return };
    let device = crate::emulator::device(CudaOptions::new());
    let build = || {
        let mut builder = ModelBuilder::new();
        let describe = builder.add::<describe>(dims! { V: 9, A: 5, B: 2, C: 3 });
        let engine = Engine::on(&device).unwrap();
        let model: Model = builder.build(2).unwrap();
        (Trainer::new(model, Adam::new(0.05)).allow_unreached().engine(engine), describe)
    };
    // The first and the third minibatch name no row.
    let graph = |describe: &Function<describe>, model: &Model, number: usize| {
        let mut g = model.graph();
        let named = matches!(number, 3..8 | 11..);
        let ids = (0..3).filter(|_| named).map(|place| ((number * 5 + place) % 9) as u32);
        let ids = g.indices(ids.collect::<Vec<u32>>());
        g.add(describe, (), Names { ids });
        g
    };
    let counts = [3, 5, 3, 4];
    let (_, expected) = same_on(1, &[2], &counts, build, graph);
    let (mut trainer, describe) = build();
    let mut first = 0;
    for count in counts {
        let graphs: Vec<Graph> =
            (first..first + count).map(|at| graph(&describe, trainer.model(), at)).collect();
        trainer.step_graphs(&graphs).unwrap();
        first += count;
    }
    assert_eq!(bits(&mut trainer), expected);
    same_on(4, &[2, 3], &counts, build, graph);
}
