//! What a rank does: this program again, started by a launcher.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs, process, thread};

use edb::collective::Collective;
use edb::mpi::World;
use edb::prelude::*;
use edb::trainer::{Checkpoints, Notes, TrainError};

use edb_backend_suite::zoo::{Zoo, rng};

/// The shares of a minibatch, and the steps.
const SHARES: usize = 4;
const STEPS: u64 = 40;

/// The ranks that a launcher has started; otherwise it does nothing.
#[test]
fn rank() {
    let (Ok(what), Some(folder)) = (env::var("EDB_TEST_RANK"), env::var_os("EDB_TEST_FOLDER"))
    else {
        return;
    };
    let folder = PathBuf::from(folder);
    let world = World::open().unwrap();
    let number = world.rank();
    fs::write(folder.join(format!("{number}.pid")), process::id().to_string()).unwrap();
    let done = match &what[..] {
        "train" => train(world, &folder),
        "messages" => messages(&world),
        "fail" => fail(world),
        "stop" => stop(world),
        "leave" => leave(&world),
        what => panic!("there is no program {what}"),
    };
    if let Err(error) = done {
        // In one piece, since other ranks write, too.
        let line = format!("rank {number}: {error}.\n");
        eprint!("{line}");
        // The harness would print what each rank has printed before.
        process::exit(1);
    }
}

/// A trainer that uses most of what can differ between ranks, and a graph by its number.
fn trainer(world: World) -> (Trainer, Zoo) {
    let (zoo, model) = Zoo::model::<f32>(5, 1);
    let trainer = Trainer::new(model, Adam::new(0.01)).clip_norm(0.5).ema(0.9).unwrap();
    let engine = Engine::new().seed(5);
    (trainer.engine(engine).distributed(world, SHARES), zoo)
}

fn step(trainer: &mut Trainer, zoo: &Zoo) -> Result<(), TrainError> {
    let first = 9 * trainer.steps();
    let graph = |model: &Model, at: usize| zoo.graph(model, 12, &mut rng(first + at as u64));
    trainer.step_shared(9, graph).map(drop)
}

/// Trains, from the last checkpoint if there is one, and saves the parameters at the end.
fn train(world: World, folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let rank = world.rank();
    let (mut trainer, zoo) = trainer(world);
    // The other ranks have no such folder.
    let own = if rank == 0 { folder.join("run") } else { "/nowhere".into() };
    let checkpoints = Checkpoints::new(own);
    checkpoints.resume(&mut trainer)?;
    while trainer.steps() < STEPS {
        step(&mut trainer, &zoo)?;
        if trainer.steps().is_multiple_of(3) {
            checkpoints.save(&trainer, &Notes::new())?;
        }
    }
    let model = trainer.into_model();
    if rank == 0 {
        model.save(folder.join("model.safetensors"))?;
    }
    Ok(())
}

/// Sends long and short messages, all to all.
fn messages(world: &World) -> Result<(), Box<dyn std::error::Error>> {
    let (rank, ranks) = (world.rank(), world.ranks());
    // They are all on this machine.
    let places = world.all_gather(vec![world.local_rank() as u8])?;
    let mut places = places.concat();
    places.sort_unstable();
    assert_eq!(places, (0..ranks as u8).collect::<Vec<_>>(), "places on the machine");
    let message = |from: usize, to: usize, length: usize| -> Vec<u8> {
        (0..length).map(|place| (place * 7 + from * 31 + to) as u8).collect()
    };
    for length in [0, 1, 1000, 70_000, 5_000_000] {
        let sent = (0..ranks).map(|to| message(rank, to, length + to)).collect();
        for (from, got) in world.exchange(sent)?.into_iter().enumerate() {
            assert!(got == message(from, rank, length + rank), "{length} from {from}");
        }
        let own = message(rank, 0, length);
        assert!(world.broadcast(own)? == message(0, 0, length), "{length}");
    }
    // Several before the first is received, in order.
    let next = (rank + 1) % ranks;
    for length in [3_000_000, 2, 0] {
        world.send(next, message(rank, next, length))?;
    }
    let before = (rank + ranks - 1) % ranks;
    for length in [3_000_000, 2, 0] {
        assert!(world.receive(before)? == message(before, rank, length));
    }
    Ok(())
}

/// One rank has an error in the second step.
fn fail(world: World) -> Result<(), Box<dyn std::error::Error>> {
    let rank = world.rank();
    let (mut trainer, zoo) = trainer(world);
    step(&mut trainer, &zoo)?;
    trainer.step_shared(9, |model, at| match (rank, at) {
        (2, 8) => model.graph(),
        _ => zoo.graph(model, 12, &mut rng(at as u64)),
    })?;
    Ok(())
}

/// Rank 1 gets stuck; the others do not wait for longer than they are to.
fn stop(world: World) -> Result<(), Box<dyn std::error::Error>> {
    let rank = world.rank();
    let (mut trainer, zoo) = trainer(world.time_limit(Duration::from_secs(1)));
    step(&mut trainer, &zoo)?;
    if rank == 1 {
        thread::sleep(Duration::from_secs(600));
    }
    Ok(step(&mut trainer, &zoo)?)
}

/// Rank 1 ends before the others expect it.
fn leave(world: &World) -> Result<(), Box<dyn std::error::Error>> {
    if world.rank() == 1 {
        return Ok(());
    }
    Ok(world.receive(1).map(drop)?)
}
