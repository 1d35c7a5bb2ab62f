//! What a batcher counts.

use std::time::{Duration, Instant};

use edb_serve::Counts;

use super::*;

#[test]
fn refusals_are_counted_by_cause() {
    let net = Net::<f32>::new();
    let batcher = net.builder().max_queued(2, 99).max_minibatch(9, 14).start().unwrap();
    assert_eq!(batcher.counts(), Counts::default());
    let ask = |words| {
        let (graph, root) = net.tree(words, 2);
        batcher.ask_later(&graph, net.read(root))
    };
    let refused = || {
        let counts = batcher.counts();
        (counts.refused_full, counts.refused_graphs)
    };
    assert!(matches!(ask(6), Err(ServeError::TooLarge { .. })));
    let empty = batcher.ask_then(&net.model.graph(), |_| Ok(()), |_| ());
    assert!(matches!(empty, Err(ServeError::EmptyGraph)));
    assert_eq!(refused(), (0, 2));

    let (release, held) = hold(&batcher, &net);
    let waiting = [ask(1).unwrap(), ask(1).unwrap()];
    for full in 1..4 {
        assert!(matches!(ask(1), Err(ServeError::Full { .. })));
        assert_eq!(refused(), (full, 2));
    }
    release.send(()).unwrap();
    held.wait().unwrap();
    waiting.into_iter().for_each(|later| drop(later.wait().unwrap()));

    batcher.close();
    assert!(matches!(ask(1), Err(ServeError::Closed)));
    assert_eq!(refused(), (3, 2));
    let counts = batcher.counts();
    assert_eq!((counts.taken, counts.took.count(), counts.failed), (3, 3, 0));
}

#[test]
fn answers_that_fail_are_counted_apart() {
    let net = Net::<f32>::new();
    let batcher = net.builder().start().unwrap();
    let (graph, root) = net.tree(2, 1);
    assert!(batcher.ask(&graph, net.read(net.tree(2, 7).1)).is_err());
    assert!(batcher.ask(&graph, |_| -> Result<(), EngineError> { panic!("not today") }).is_err());
    assert!(batcher.ask(&graph, net.read(root)).is_ok());
    let counts = batcher.counts();
    assert_eq!((counts.taken, counts.failed, counts.took.count()), (3, 2, 1));
    assert_eq!(counts.waited.count(), 3);
}

#[test]
fn waiting_is_a_part_of_the_time_that_an_answer_takes() {
    let net = Net::<f32>::new();
    let batcher = net.builder().start().unwrap();
    let began = Instant::now();
    let (release, held) = hold(&batcher, &net);
    let before = batcher.counts();
    assert_eq!((before.waited.count(), before.took.count()), (1, 0));
    let (graph, root) = net.tree(2, 1);
    let later = batcher.ask_later(&graph, net.read(root)).unwrap();
    let submitted = Instant::now();
    std::thread::sleep(Duration::from_millis(5));
    let at_least = submitted.elapsed();
    release.send(()).unwrap();
    held.wait().unwrap();
    later.wait().unwrap();
    let after = batcher.counts();
    let waited = after.waited.since(&before.waited);
    assert_eq!((waited.count(), after.took.count()), (1, 2));
    // The one that was held took as long as the other one waited, at least.
    assert!(waited.total() >= at_least && after.took.total() >= 2 * at_least, "{after:?}");
    assert!(after.took.total() - waited.total() >= at_least, "{after:?}");
    assert!(after.took.quantile(1.0) >= at_least, "{after:?}");
    assert!(after.took.total() <= 2 * began.elapsed(), "{after:?}");
}
