//! A batcher that is closed has answered all that it had accepted.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;

use super::*;

#[test]
fn what_waits_is_answered_before_the_end() {
    let net = Net::<f32>::new();
    for workers in 1..4 {
        let batcher = net.builder().workers(workers).start().unwrap();
        let trees = random_trees(&net, 200);
        let later: Vec<_> = trees
            .iter()
            .map(|(graph, root)| batcher.ask_later(graph, net.read(*root)).unwrap())
            .collect();
        if workers == 2 {
            drop(batcher);
        } else {
            batcher.close();
            assert_eq!((batcher.counts().queued, batcher.counts().taken), (0, 200));
            let (graph, root) = &trees[0];
            let error = batcher.ask(graph, net.read(*root)).unwrap_err();
            assert!(matches!(error, ServeError::Closed), "{error}");
            batcher.close();
        }
        for (later, (graph, root)) in later.into_iter().zip(&trees) {
            assert_eq!(later.wait().unwrap(), net.alone(graph, *root));
        }
    }
}

#[test]
fn it_is_closed_by_several_threads_at_once() {
    let net = Net::<f32>::new();
    for _ in 0..20 {
        let batcher = net.builder().workers(2).start().unwrap();
        let trees = random_trees(&net, 20);
        let later: Vec<_> = trees
            .iter()
            .map(|(graph, root)| batcher.ask_later(graph, net.read(*root)).unwrap())
            .collect();
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    batcher.close();
                    assert_eq!(batcher.counts().queued, 0);
                });
            }
        });
        later.into_iter().for_each(|later| drop(later.wait().unwrap()));
    }
}

/// The last handle is dropped in a callback, on a thread that cannot wait for itself to end.
#[test]
fn a_callback_drops_the_batcher() {
    let net = Net::<f32>::new();
    for workers in [1, 3] {
        let batcher = Arc::new(net.builder().workers(workers).start().unwrap());
        let (tell, told) = channel();
        let (graph, root) = net.tree(3, 1);
        let (release, released) = channel::<()>();
        let own = Arc::clone(&batcher);
        let then = move |_| {
            released.recv().unwrap();
            own.close();
            drop(own);
        };
        batcher.ask_then(&graph, |_| Ok(()), then).unwrap();
        for _ in 0..10 {
            let tell = tell.clone();
            batcher.ask_then(&graph, net.read(root), move |of| tell.send(of).unwrap()).unwrap();
        }
        drop((tell, batcher));
        release.send(()).unwrap();
        let answers: Vec<_> = told.iter().collect();
        assert_eq!(answers.len(), 10);
        assert!(answers.into_iter().all(|answer| answer.unwrap() == net.alone(&graph, root)));
    }
}
