//! What two runs, their accounts and their files tell of a graph.

use super::*;

/// A trainer with a secret of the operating system, and one graph.
fn secret_trainer(noise: f64) -> (Trainer<f64>, Graph<f64>) {
    let private = Private { noise, ..Private::new(1000, 10).unwrap() };
    let (trainer, graph) = trainer::<f64>(true, Device::cpu(), private);
    let graph = graph(trainer.model(), &vec![Pair::random(&mut rng(1), 1.0, 1.0)]);
    (trainer, graph)
}

/// Fault A6: behind a step that an optimiser had failed in, the same noise was drawn again: with a graph
/// and without it, the gradients that it had seen differed by what the graph adds.
#[test]
fn no_noise_is_drawn_again_behind_an_optimiser_that_fails() {
    for panics in [false, true] {
        let seen = Arc::new(Mutex::new(Vec::<Vec<f64>>::new()));
        let keeps = Arc::clone(&seen);
        let keeper = TestOptimizer::new(Sgd::new(1.0), move |parameters, gradients, go| {
            let all = parameters.iter().flat_map(|(id, _)| gradients.to_dense(id)).collect();
            keeps.lock().unwrap_or_else(PoisonError::into_inner).push(all);
            if panics {
                go(parameters)?;
                panic!("parameters have moved");
            }
            Err(LearnError::NormRange)
        });
        let (trainer, graph) = secret_trainer(100.0);
        let own = Private { clip: 1.0, noise: 100.0, ..Private::new(1000, 10).unwrap() };
        let mut trainer = Trainer::new(trainer.into_model(), keeper).private(own);
        for graphs in [vec![&graph], vec![]] {
            let ended = catch_unwind(AssertUnwindSafe(|| trainer.step_graphs(graphs).map(drop)));
            assert!(ended.map_or(panics, |result| result.is_err() && !panics));
        }
        let seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        let apart: Vec<f64> = seen[0].iter().zip(&seen[1]).map(|(x, y)| x - y).collect();
        assert!(length(&apart) > 10.0, "{} apart under noise of 100", length(&apart));
        // An error of an optimiser says that nothing has changed.
        assert!(!panics || trainer.epsilon().unwrap() > 0.0, "parameters have moved");
    }
}

/// Fault A6: a run that went back took its steps again with the same noise, so that two models differed
/// by exactly a graph's gradient, under noise of 100.
#[test]
fn a_run_that_goes_back_has_other_noise() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path());
    let (mut trainer, graph) = secret_trainer(100.0);
    let saved = checkpoints.save(&trainer, &Notes::new()).unwrap();
    let mut models = Vec::new();
    for graphs in [vec![&graph], vec![]] {
        Checkpoints::resume_from(&saved.path, &mut trainer).unwrap();
        assert_eq!(trainer.steps(), 0);
        trainer.step_graphs(graphs).unwrap();
        models.push(values(trainer.model()));
    }
    let difference: Vec<f64> = models[0].iter().zip(&models[1]).map(|(x, y)| x - y).collect();
    // Two draws of noise of 100 for each of 36 values: 850 with a deviation of 100.
    assert!(length(&difference) > 300.0, "{}", length(&difference));
}

/// Fault A5: the accounts left out the steps of a branch that was left. The minibatches of the same
/// secret are used again by the steps that follow, which sampling then does not protect.
#[test]
fn a_branch_that_was_left_counts() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path()).keep_latest(9);
    let account = |kinds: &[(f64, u64)]| {
        let mut accountant = edb::learn::Accountant::new();
        for (rate, steps) in kinds {
            let (rate, steps) = (*rate, *steps);
            accountant.add(edb::learn::PrivateSteps { rate, noise: 100.0, steps }).unwrap();
        }
        accountant.epsilon(1000_f64.powf(-1.1))
    };
    let take = |trainer: &mut Trainer<f64>, count: usize| {
        for _ in 0..count {
            trainer.step_graphs([]).unwrap();
        }
        trainer.epsilon().unwrap()
    };
    let (mut trainer, _) = secret_trainer(100.0);
    take(&mut trainer, 2);
    let early = checkpoints.save(&trainer, &Notes::new()).unwrap().path;
    take(&mut trainer, 3);
    let late = checkpoints.save(&trainer, &Notes::new()).unwrap().path;
    take(&mut trainer, 1);
    Checkpoints::resume_from(&early, &mut trainer).unwrap();
    assert_eq!(trainer.steps(), 2);
    assert_eq!(trainer.epsilon(), Some(account(&[(0.01, 6)])));
    assert_eq!(take(&mut trainer, 5), account(&[(0.01, 6 + 1), (1.0, 4)]));

    // Another process, with a secret of its own, knows of the branch by the other checkpoint.
    drop(trainer);
    let (mut other, _) = secret_trainer(100.0);
    Checkpoints::resume_from(&early, &mut other).unwrap();
    assert_eq!(other.epsilon(), Some(account(&[(0.01, 5)])));
    assert_eq!(take(&mut other, 4), account(&[(0.01, 9)]));
    checkpoints.save(&other, &Notes::new()).unwrap();
    fs::remove_dir_all(late).unwrap();
    let (mut last, _) = secret_trainer(100.0);
    checkpoints.resume(&mut last).unwrap().unwrap();
    assert_eq!((last.steps(), last.epsilon()), (6, Some(account(&[(0.01, 9)]))));
}

/// Fault A5: steps that were not private were left out of the accounts.
#[test]
fn steps_that_were_not_private_count() {
    let plain = || {
        let (functions, model) = Zoo::model::<f64>(4, 1);
        let graph = functions.graph(&model, 7, &mut rng(8));
        (Trainer::new(model, Sgd::new(0.1)).accept_changes(), graph)
    };
    let (mut trainer, graph) = plain();
    trainer.step_graphs([&graph]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path());
    let path = checkpoints.save(&trainer, &Notes::new()).unwrap().path;
    assert!(!fs::read_to_string(path.join("training.json")).unwrap().contains("\"private\""));
    let mut trainer = trainer.private(private(1.0, 20.0, 1));
    assert_eq!(trainer.step_graphs([]).unwrap().epsilon, Some(f64::INFINITY));
    assert_eq!(trainer.accountant().epsilon(1e-5), f64::INFINITY);

    let (fresh, graph) = plain();
    let mut fresh = fresh.private(private(1.0, 20.0, 1));
    fresh.step_graphs([&graph]).unwrap();
    assert!(fresh.epsilon().unwrap() < 1.0);
    checkpoints.resume(&mut fresh).unwrap().unwrap();
    assert_eq!(fresh.epsilon(), Some(f64::INFINITY));
    // It stays so in what is saved from there on.
    fresh.step_graphs([&graph]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path());
    checkpoints.save(&fresh, &Notes::new()).unwrap();
    let (last, _) = plain();
    let mut last = last.private(private(1.0, 20.0, 1));
    checkpoints.resume(&mut last).unwrap().unwrap();
    assert_eq!(last.epsilon(), Some(f64::INFINITY));

    // A private run that went on plainly is not private any more.
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path());
    let (first, graph) = plain();
    let mut first = first.private(private(1.0, 20.0, 1));
    first.step_graphs([&graph]).unwrap();
    checkpoints.save(&first, &Notes::new()).unwrap();
    let (mut second, graph) = plain();
    checkpoints.resume(&mut second).unwrap().unwrap();
    second.step_graphs([&graph]).unwrap();
    let second = second.private(private(1.0, 20.0, 1));
    assert_eq!(second.epsilon(), Some(f64::INFINITY));
}

/// Fault A5: the accounts of checkpoints of earlier versions have no runs; they hold where all steps
/// were private, and else not.
#[test]
fn accounts_of_earlier_versions_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path());
    let (mut trainer, _) = secret_trainer(100.0);
    for _ in 0..4 {
        trainer.step_graphs([]).unwrap();
    }
    let path = checkpoints.save(&trainer, &Notes::new()).unwrap().path;
    let record = path.join("training.json");
    fs::remove_file(path.join("checksums.txt")).unwrap();
    let text = fs::read_to_string(&record).unwrap().replacen(": 3,", ": 2,", 1);
    let run = text.lines().find(|line| line.contains("\"run\"")).unwrap();
    let text = text.replace(run, "");
    for (text, expected) in [
        (text.clone(), trainer.epsilon().unwrap()),
        (text.replace("\"steps\": 4", "\"steps\": 3"), f64::INFINITY),
    ] {
        fs::write(&record, text).unwrap();
        let (mut resumed, _) = secret_trainer(100.0);
        checkpoints.resume(&mut resumed).unwrap().unwrap();
        assert_eq!(resumed.epsilon(), Some(expected));
    }
}

/// Fault A7: checkpoints of private runs held the shapes of training graphs, until a policy was learned,
/// and then the policy.
#[test]
fn files_tell_nothing_of_graphs() {
    let save = |is_private: bool, steps: usize, folder: &Path| -> Vec<String> {
        let (zoo, model) = Zoo::model::<f32>(4, 1);
        let mut rng = rng(8);
        let graphs: Vec<Graph> = (0..6).map(|_| zoo.graph(&model, 40, &mut rng)).collect();
        let trainer = Trainer::new(model, Adam::new(0.01));
        let mut trainer = match is_private {
            true => trainer.private(private(1.0, 1.0, 2)),
            false => trainer,
        };
        for _ in 0..steps {
            trainer.step_graphs(&graphs).unwrap();
        }
        let path = Checkpoints::new(folder).save(&trainer, &Notes::new()).unwrap().path;
        let record = fs::read_to_string(path.join("training.json")).unwrap();
        let files = fs::read_dir(path).unwrap().map(|file| file.unwrap().file_name());
        let mut found: Vec<String> = files.map(|name| name.into_string().unwrap()).collect();
        if record.contains("\"children\"") {
            found.push("shapes".to_owned());
        }
        found.sort();
        found
    };
    let has = |found: &[String], what: &str| found.iter().any(|name| name == what);
    for (steps, what) in [(1, "shapes"), (5, "policy.json")] {
        let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
        assert!(has(&save(false, steps, folders[0].path()), what), "{what} are in plain runs");
        let found = save(true, steps, folders[1].path());
        assert!(!has(&found, "shapes") && !has(&found, "policy.json"), "{found:?}");
    }
}

/// A step of more graphs than there are is no Poisson sample, and sums of very many under hardly any
/// noise would not be exact.
#[test]
fn steps_that_break_the_bound_are_refused() {
    let error = |private: Private, count: usize| {
        let samples = vec![vec![Pair { x: vec![1.0; N], y: vec![1.0; M] }]; count];
        step::<f64>(true, Device::cpu(), private, &samples).unwrap_err().to_string()
    };
    let few = Private { graphs: 2, minibatch: 2, ..private(1.0, 1.0, 1) };
    assert_eq!(
        error(few, 3),
        "step 0: the number of graphs of a private step is 3; it must be at most `Private::graphs`"
    );
    let little = error(private(1.0, 1e-6, 1), 1);
    assert!(
        little.starts_with("step 0: the noise of Private is 0.000001; it must be 0, or at least")
    );
    for clip in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e-300, 1e300] {
        assert!(error(private(clip, 1.0, 1), 1).starts_with("step 0: the clip"), "{clip}");
    }
    for noise in [f64::NAN, f64::INFINITY, -1.0] {
        assert!(error(private(1.0, noise, 1), 1).starts_with("step 0: the noise"), "{noise}");
    }
}
