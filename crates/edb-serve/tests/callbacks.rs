//! Callbacks run on the threads of engines: they may submit, panic and block.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::Duration;

use super::*;

/// Asks again in each callback.
fn again(batcher: &Arc<Batcher>, graph: Arc<Graph>, left: usize, done: Sender<usize>) {
    let (next, same) = (Arc::clone(batcher), Arc::clone(&graph));
    let then = move |answer: Result<(), ServeError>| {
        answer.unwrap();
        match left {
            0 => done.send(left).unwrap(),
            _ => again(&next, same, left - 1, done),
        }
    };
    batcher.ask_then(&graph, |_| Ok(()), then).unwrap();
}

#[test]
fn callbacks_submit_again_and_again() {
    let net = Net::<f32>::new();
    for workers in 1..4 {
        let batcher = Arc::new(net.builder().workers(workers).start().unwrap());
        let (done, ends) = channel();
        for seed in 0..3 {
            again(&batcher, Arc::new(net.tree(2, seed).0), 2000, done.clone());
        }
        drop(done);
        assert_eq!(ends.iter().count(), 3);
        assert_eq!(batcher.counts().taken, 3 * 2001);
    }
}

#[test]
fn a_callback_that_waits_for_its_own_worker_is_told_so() {
    let net = Net::<f32>::new();
    let batcher = Arc::new(net.builder().start().unwrap());
    let other = net.builder().start().unwrap();
    let (graph, root) = net.tree(3, 2);
    let (inner, same, read) = (Arc::clone(&batcher), graph.clone(), net.read(root));
    let (tell, told) = channel();
    let then = move |_| {
        let own = inner.ask(&same, |_| Ok(())).unwrap_err();
        // Another batcher has other threads.
        tell.send((own, other.ask(&same, read))).unwrap();
    };
    batcher.ask_then(&graph, |_| Ok(()), then).unwrap();
    let (own, of_other) = told.recv().unwrap();
    assert!(matches!(own, ServeError::OwnWorker), "{own}");
    assert_eq!(of_other.unwrap(), net.alone(&graph, root));
}

/// An answer that is there already can be taken in a callback.
#[test]
fn a_callback_takes_an_answer_that_is_there() {
    let net = Net::<f32>::new();
    let batcher = net.builder().start().unwrap();
    let (graph, root) = net.tree(3, 2);
    let first = batcher.ask_later(&graph, net.read(root)).unwrap();
    let (tell, told) = channel();
    let then = move |_| tell.send(first.wait()).unwrap();
    batcher.ask_then(&graph, |_| Ok(()), then).unwrap();
    assert_eq!(told.recv().unwrap().unwrap(), net.alone(&graph, root));
}

#[test]
fn a_panic_of_a_callback_harms_no_other() {
    let net = Net::<f32>::new();
    let batcher = net.builder().start().unwrap();
    let (release, held) = hold(&batcher, &net);
    let (tell, told) = channel();
    for number in 0..50 {
        let (graph, root) = net.tree(3, number);
        let (tell, expected) = (tell.clone(), net.alone(&graph, root));
        let then = move |answer: Result<Bits, ServeError>| {
            assert!(number % 2 == 0, "odd");
            tell.send(answer.unwrap() == expected).unwrap();
        };
        batcher.ask_then(&graph, net.read(root), then).unwrap();
    }
    drop(tell);
    release.send(()).unwrap();
    held.wait().unwrap();
    assert_eq!(told.iter().collect::<Vec<_>>(), [true; 25]);
}

/// While one worker is blocked, the others answer.
#[test]
fn a_callback_that_blocks_takes_one_worker() {
    let net = Net::<f32>::new();
    let batcher = net.builder().workers(2).start().unwrap();
    let (release, held) = hold(&batcher, &net);
    for seed in 0..200 {
        let (graph, root) = net.tree(3, seed);
        assert_eq!(batcher.ask(&graph, net.read(root)).unwrap(), net.alone(&graph, root));
    }
    release.send(()).unwrap();
    held.wait().unwrap();
}

/// A waker that counts.
struct Counter(AtomicUsize);

impl Wake for Counter {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn an_answer_is_a_future() {
    let net = Net::<f32>::new();
    let batcher = net.builder().start().unwrap();
    let (release, held) = hold(&batcher, &net);
    let (graph, root) = net.tree(3, 5);
    let mut later = std::pin::pin!(batcher.ask_later(&graph, net.read(root)).unwrap());
    let [older, newer] = [0, 1].map(|_| Arc::new(Counter(AtomicUsize::new(0))));
    for counter in [&older, &older, &newer] {
        let waker = Waker::from(Arc::clone(counter));
        assert!(later.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    }
    // One that is dropped runs all the same.
    drop(batcher.ask_later(&graph, net.read(root)).unwrap());
    release.send(()).unwrap();
    held.wait().unwrap();
    while newer.0.load(Ordering::SeqCst) == 0 {
        thread::sleep(Duration::from_millis(1));
    }
    // The one that polled last is woken.
    assert_eq!(older.0.load(Ordering::SeqCst), 0);
    let mut context = Context::from_waker(Waker::noop());
    let Poll::Ready(answer) = later.as_mut().poll(&mut context) else { panic!("it is there") };
    assert_eq!(answer.unwrap(), net.alone(&graph, root));
    // Once is enough.
    let again = later.as_mut().poll(&mut context);
    assert!(matches!(again, Poll::Ready(Err(ServeError::Lost))));
    batcher.close();
    assert_eq!(batcher.counts().taken, 3);
}

/// Callbacks that submit from many threads, into a queue that is often full: each accepted request is
/// answered once.
#[test]
fn a_full_queue_loses_nothing() {
    let net = Net::<f32>::new();
    let batcher = net.builder().workers(2).max_queued(8, 100).start().unwrap();
    let (tell, told): (_, Receiver<usize>) = channel();
    let accepted: usize = thread::scope(|scope| {
        let threads = (0..4).map(|thread| {
            let (tell, batcher, net) = (tell.clone(), &batcher, &net);
            scope.spawn(move || {
                let (graph, _) = net.tree(1 + thread, 1);
                let ask = |number: &usize| {
                    let (tell, number) = (tell.clone(), *number);
                    let then = move |answer: Result<(), _>| {
                        tell.send(number + usize::from(answer.is_err()))
                    };
                    match batcher.ask_then(&graph, |_| Ok(()), move |answer| then(answer).unwrap())
                    {
                        Ok(()) => true,
                        Err(ServeError::Full { .. }) => false,
                        Err(error) => panic!("{error}"),
                    }
                };
                (0..5000).map(|number| 2 * (4 * number + thread)).filter(ask).count()
            })
        });
        threads.collect::<Vec<_>>().into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    batcher.close();
    drop(tell);
    let mut answered: Vec<usize> = told.iter().collect();
    answered.sort_unstable();
    assert_eq!(answered.len(), accepted);
    assert!(answered.iter().all(|number| number % 2 == 0), "none failed");
    answered.dedup();
    assert_eq!(answered.len(), accepted, "none was answered twice");
}
