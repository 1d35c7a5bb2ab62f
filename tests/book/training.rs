//! The code of the chapter on training.

use super::*;

#[test]
fn data_in_memory_need_a_loop() -> Outcome {
    // ANCHOR: loop
    let reader = reader::<f32>(1)?;
    let graphs: Vec<Graph> = sentences(&reader);
    let mut trainer = Trainer::new(reader.model, Adam::new(1e-2));
    for epoch in 0..30 {
        let mut loss = 0.0;
        for some in graphs.chunks(2) {
            loss += trainer.step_graphs(some)?.loss;
        }
        println!("epoch {epoch}: loss {:.4}", loss / graphs.len() as f64);
    }
    let batch = trainer.model().minibatch(&graphs)?;
    let scores = trainer.infer(&batch)?.outputs(&reader.judge)?;
    println!("{}", scores.view().logits);
    // ANCHOR_END: loop
    assert!(trainer.step(&batch)?.mean_loss() < 0.5);
    Ok(())
}

#[test]
fn training_by_hand_is_what_the_trainer_does() -> Outcome {
    // ANCHOR: trainer
    let reader = reader::<f32>(1)?;
    let batch = reader.model.minibatch(&sentences(&reader))?;
    let engine = Engine::new().seed(7);
    let mut trainer = Trainer::new(reader.model, Adam::new(1e-2)).engine(engine).clip_norm(5.0);
    for _ in 0..20 {
        trainer.step(&batch)?;
    }
    // ANCHOR_END: trainer
    let mut model = self::reader::<f32>(1)?.model;
    let again = self::reader::<f32>(1)?;
    assert!(Engine::new().infer(&model, &batch).is_err(), "a minibatch is of one model");
    let batch = again.model.minibatch(&sentences(&again))?;
    model = again.model;
    // ANCHOR: by_hand
    let mut engine = Engine::with_threads(2)?.seed(7);
    let mut adam = Adam::new(1e-2);
    for step in 0..20 {
        let mut run = engine.forward(&model, &batch, step)?;
        let mut gradients = run.backward()?;
        gradients.scale(1.0 / batch.graph_count() as f64);
        gradients.check_finite()?;
        gradients.clip_norm(5.0);
        adam.update(model.parameters_mut(), &gradients)?;
    }
    // ANCHOR_END: by_hand
    for ((_, a), (_, b)) in trainer.model().parameters().iter().zip(model.parameters().iter()) {
        assert_eq!(a.name(), b.name());
        for (a, b) in a.values().unwrap().iter().zip(b.values().unwrap()) {
            assert_eq!(a.to_bits(), b.to_bits());
        }
    }
    Ok(())
}

#[test]
fn a_run_can_be_stopped() -> Outcome {
    // Long, since the book shows it as one program.
    // ANCHOR: run_data
    use edb::feed::{Loader, prefetch};
    use edb::learn::EarlyStopping;
    use edb::metrics::Classes;
    use edb::trainer::RunFolder;

    // Sentences, each with the vectors of its words and its class.
    let data: Vec<(Vec<[f32; 3]>, u32)> = (0..12)
        .map(|number| (vec![[0.1 * number as f32, 0.2, -0.1]; 1 + number % 3], number as u32 % 2))
        .collect();
    // ANCHOR_END: run_data
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    let reader = reader::<f32>(1)?;
    // ANCHOR: settings
    let Reader { read, attend, judge, model } = reader;
    let mut trainer = Trainer::new(model, Adam::new(1e-2).decoupled_weight_decay(0.01))
        .groups([
            Group::parameter("read.b").weight_decay(0.0),
            Group::function("judge").rate(0.1).clip_norm(1.0),
        ])
        .schedule(RateSchedule::cosine(1000, 0.01).warm_up(100))
        .clip_norm(5.0)
        .ema(0.999)?;
    // ANCHOR_END: settings
    // ANCHOR: run
    let (train, held_out) = data.split_at(data.len() * 3 / 4);
    let blueprint = trainer.model().blueprint();
    // The graph of a sentence, with the vertex that has its scores.
    let graph = |(words, label): &(Vec<[f32; 3]>, u32)| {
        let mut g = blueprint.graph();
        let mut memories: Vec<Vertex<Memory>> = Vec::new();
        for word in words {
            let (x, before) = (g.tensor(word), memories.last().copied());
            memories.push(g.add(&read, [before], Word { x }));
        }
        let all = g.add(&attend, &memories, ());
        let verdict = g.add(&judge, [all], Gold { label: Index(*label) });
        (g, verdict)
    };
    let (graphs, verdicts): (Vec<Graph>, Vec<_>) = held_out.iter().map(graph).unzip();
    let held_batch = blueprint.minibatch(&graphs)?;

    let loader = Loader::new(train.len(), 4, 42).buckets(|sample| train[sample].0.len(), 8);
    let mut run = RunFolder::open(folder.join("first"), &mut trainer, loader)?
        .early_stopping(EarlyStopping::higher_is_better().patience(3))?;
    while run.epochs() < 20 && !run.is_over() {
        let build = |samples: Vec<usize>| {
            let graphs: Vec<Graph> = (samples.iter())
                .map(|sample| {
                    let (mut g, _) = graph(&train[*sample]);
                    g.set_sample(*sample as u64); // what dropout depends on
                    g
                })
                .collect();
            blueprint.minibatch(&graphs)
        };
        prefetch(1, run.epoch(), build, |batch| -> Outcome {
            let step = trainer.step(&batch?)?;
            let rate = trainer.learning_rate();
            run.log(&trainer, &[("loss", step.mean_loss()), ("rate", rate)])?;
            Ok(())
        })?;
        let scores = trainer.infer(&held_batch)?;
        let mut classes = Classes::default();
        for (verdict, (_, label)) in verdicts.iter().zip(held_out) {
            let logits = scores.output(&judge, *verdict)?.logits;
            classes.observe_scores(logits, *label as usize);
        }
        let loss = scores.loss()? / held_out.len() as f64;
        run.log(&trainer, &[("held-out loss", loss)])?;
        run.finish_epoch(&trainer, classes.accuracy())?; // logs it, and saves a checkpoint
    }
    // ANCHOR_END: run
    assert!(trainer.steps() >= 3);
    // ANCHOR: curves
    let picture = edb_picture::curves([("first", &run.curves()?)]);
    std::fs::write(folder.join("curves.svg"), picture.to_svg())?;
    // ANCHOR_END: curves
    let best = run.best_checkpoint()?.ok_or("a checkpoint")?;
    assert_eq!(best.score, run.best());
    let text = fs::read_to_string(folder.join("first/log.jsonl"))?;
    assert_eq!(text.lines().count() as u64, trainer.steps() + 2 * run.epochs());
    Ok(())
}

#[test]
fn a_run_of_its_own_parts() -> Outcome {
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    let reader = reader::<f32>(1)?;
    let batch = reader.model.minibatch(&sentences(&reader))?;
    let mut trainer = Trainer::new(reader.model, Adam::new(1e-2));
    // ANCHOR: run_by_hand
    use edb::log::{CsvLog, Log, TensorBoardLog};
    use edb::model::Notes;
    use edb::trainer::Checkpoints;

    let checkpoints = Checkpoints::new(folder.join("run")).keep_latest(2).keep_lowest(1);
    let mut rounds = 0;
    if let Some(run) = checkpoints.resume(&mut trainer)? {
        rounds = run.notes.get("rounds")?;
    }
    let mut table = CsvLog::open(folder.join("log.csv"), trainer.steps())?;
    let mut board = TensorBoardLog::open(folder.join("events"), trainer.steps())?;
    while rounds < 5 {
        let step = trainer.step(&batch)?;
        table.write(trainer.steps(), &[("loss", step.mean_loss())])?;
        board.write(trainer.steps(), &[("loss", step.mean_loss())])?;
        rounds += 1;
        table.flush()?; // before the checkpoint
        board.flush()?;
        let notes = Notes::new().score(step.mean_loss()).with("rounds", &rounds);
        checkpoints.save(&trainer, &notes)?;
    }
    // ANCHOR_END: run_by_hand
    assert_eq!(checkpoints.latest()?.map(|latest| latest.step), Some(5));
    assert_eq!(fs::read_to_string(folder.join("log.csv"))?.lines().count(), 6);
    Ok(())
}

#[test]
fn a_sweep_has_one_data_set() -> Outcome {
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    // ANCHOR: sweep
    use edb::feed::Loader;
    use edb::learn::EarlyStopping;
    use edb::trainer::RunFolder;

    let reader = reader::<f32>(1)?;
    let graphs: Vec<Graph> = sentences(&reader);
    let mut pictured = Vec::new();
    for rate in [1e-3, 1e-2, 1e-1] {
        let mut trainer = Trainer::new(reader.model.clone(), Adam::new(rate));
        let loader = Loader::new(graphs.len(), 2, 42);
        let mut run = RunFolder::open(folder.join(format!("rate-{rate}")), &mut trainer, loader)?
            .early_stopping(EarlyStopping::lower_is_better().patience(3))?;
        while run.epochs() < 10 && !run.is_over() {
            let mut loss = 0.0;
            for samples in run.epoch() {
                let step = trainer.step_graphs(samples.iter().map(|sample| &graphs[*sample]))?;
                loss += step.loss;
            }
            run.finish_epoch(&trainer, loss / graphs.len() as f64)?;
        }
        println!("rate {rate}: {:?}", run.best_checkpoint()?);
        pictured.push((format!("rate {rate}"), run.curves()?));
    }
    let runs = pictured.iter().map(|(name, curves)| (name.as_str(), curves));
    std::fs::write(folder.join("sweep.svg"), edb_picture::curves(runs).to_svg())?;
    // ANCHOR_END: sweep
    let score = |place: usize| *pictured[place].1["score"].last().unwrap();
    assert!(score(2).1 < score(1).1 && score(1).1 < score(0).1);
    Ok(())
}

#[test]
fn a_run_goes_on_with_other_settings() -> Outcome {
    use edb::model::Notes;
    use edb::trainer::Checkpoints;

    let folder = tempfile::tempdir()?;
    let checkpoints = Checkpoints::new(folder.path());
    let batch = |reader: &Reader<f32>| reader.model.minibatch(&sentences(reader));
    let reader = self::reader::<f32>(1)?;
    let first = batch(&reader)?;
    let mut trainer = Trainer::new(reader.model, Adam::new(1e-2)).clip_norm(5.0);
    let whole = trainer.step(&first)?.loss;
    checkpoints.save(&trainer, &Notes::new())?;
    drop(trainer);
    let reader = self::reader::<f32>(1)?;
    let batch = batch(&reader)?;
    let model = reader.model;
    // ANCHOR: changed
    let mut trainer = Trainer::new(model, Adam::new(5e-3)).clip_norm(5.0).accept_changes();
    if let Some(run) = checkpoints.resume(&mut trainer)? {
        for change in &run.changed {
            println!("{change}"); // the learning rate: 0.01 in it and 0.005 in the trainer
        }
    }
    // ANCHOR_END: changed
    let run = checkpoints.resume(&mut trainer)?.ok_or("a checkpoint")?;
    let said: Vec<String> = run.changed.iter().map(ToString::to_string).collect();
    assert_eq!(said, ["the learning rate: 0.01 in it and 0.005 in the trainer"]);
    // ANCHOR: loss_of_graph
    let run = trainer.infer(&batch)?;
    let losses = (0..batch.graph_count()).map(|graph| run.graph(graph)?.loss());
    let losses: Vec<f64> = losses.collect::<Result<_, _>>()?;
    // ANCHOR_END: loss_of_graph
    assert!((losses.iter().sum::<f64>() - run.loss()?).abs() < 1e-9 && whole > 0.0);
    Ok(())
}

#[test]
fn checkpoints_come_back() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("reader.safetensors");
    let first = reader::<f32>(1)?.model;
    let mut second = reader::<f32>(2)?.model;
    // ANCHOR: checkpoint
    first.save(&path)?;
    second.load(&path)?;
    let id = second.parameters().find("read.start").expect("`read` has a parameter `start`");
    assert_eq!(
        second.parameters().get(id).values().unwrap(),
        first.parameters().get(id).values().unwrap()
    );
    // ANCHOR_END: checkpoint

    let words = ["a", "film"];
    let path = folder.path().join("alone.safetensors");
    // ANCHOR: alone
    use edb::model::Notes;

    let notes = Notes::new().with("width", &3).with("hidden", &6).with("words", &words);
    first.save_with(&path, &notes)?;

    // Another program, which knows the file only.
    let notes = Notes::load(&path)?;
    let (x, h): (usize, usize) = (notes.get("width")?, notes.get("hidden")?);
    let mut builder = ModelBuilder::new();
    let read = builder.add::<read>(dims! { X: x, H: h });
    let attend = builder.add::<attend>(dims! { H: h });
    let judge = builder.add::<judge>(dims! { C: 2, H: h });
    let model: Model = builder.load(&path)?;
    // ANCHOR_END: alone
    assert_eq!(model.parameters(), first.parameters());
    let _ = Reader { read, attend, judge, model };

    // ANCHOR: checkpoint_error
    let mut builder = ModelBuilder::new();
    builder.add::<read>(dims! { X: 3, H: 6 });
    builder.add::<judge>(dims! { C: 3, H: 6 });
    let mut other = builder.build(1)?;
    let error = other.load(&path).unwrap_err().to_string();
    assert!(error.contains("`judge.w` is [3, 6], but [2, 6] in the file"), "{error}");
    // ANCHOR_END: checkpoint_error
    Ok(())
}

// ANCHOR: both
use std::error::Error;

/// Trains on one sentence, in `f32` or in `f64`; returns the losses and the last scores.
fn train<E: edb::Element>(words: &[[f64; 3]]) -> Result<[Vec<f64>; 2], Box<dyn Error>> {
    let reader = reader::<E>(1)?;
    let words: Vec<[E; 3]> = words.iter().map(|word| word.map(E::from_f64)).collect();
    let (mut graph, verdict) = sentence(&reader, &words, 1);
    graph.set_sample(0); // else what dropout draws depends on the graph's numbers
    let mut trainer = Trainer::new(reader.model, Sgd::new(0.1)).clip_norm(5.0);
    let batch = trainer.model().minibatch([&graph])?;
    let mut losses = Vec::new();
    for _ in 0..20 {
        losses.push(trainer.step(&batch)?.loss); // an `f64` in both
    }
    let run = trainer.infer(&batch)?;
    let logits = run.output(&reader.judge, verdict)?.logits;
    Ok([losses, logits.iter().map(|logit| logit.as_f64()).collect()])
}
// ANCHOR_END: both

#[test]
fn one_program_trains_in_f32_and_in_f64() -> Outcome {
    let words = [[0.1, -0.2, 0.3], [0.5, 0.0, -0.4]];
    // ANCHOR: call_both
    let (single, double) = (train::<f32>(&words)?, train::<f64>(&words)?);
    // ANCHOR_END: call_both
    for (single, double) in single.iter().flatten().zip(double.iter().flatten()) {
        assert!((single - double).abs() < 1e-3 * double.abs().max(1.0), "{single} and {double}");
    }
    assert_ne!(single, double, "it has computed in the same numbers");
    assert!(double[0][19] < double[0][0]);
    Ok(())
}

/// A function that takes a blueprint takes a model, too.
#[test]
fn a_model_stands_for_its_blueprint() -> Outcome {
    use edb::model::Blueprint;

    fn alone(of: &Blueprint, attend: &Function<attend>, judge: &Function<judge>) -> Graph {
        let mut g = of.graph();
        let none = g.add(attend, &[] as &[Vertex<Memory>], ());
        g.add(judge, [none], Gold { label: Index(1) });
        g
    }
    let Reader { attend, judge, model, .. } = reader::<f32>(1)?;
    let blueprint = model.blueprint();
    let graphs = [alone(&model, &attend, &judge), alone(&blueprint, &attend, &judge)];
    let loss = |batch: &Minibatch| Engine::new().infer(&model, batch)?.loss();
    assert_eq!(loss(&model.minibatch(&graphs)?)?, loss(&blueprint.minibatch(&graphs)?)?);
    assert_eq!(model.signature(), blueprint.signature());
    assert_eq!(blueprint.input_fields("judge"), Some(vec!["label".to_owned()]));
    assert_eq!(model.input_fields("none"), None);
    Ok(())
}
